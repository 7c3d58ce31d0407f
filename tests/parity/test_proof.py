"""What the proof of the shipped model notices: each field of a payload changed on its way, lists
cut and put in another order, and servers that are wrong throughout. The comparison runs in Node,
beside the engine that it compares with; the payloads are Python's.
"""

from __future__ import annotations

import copy
import dataclasses
import json
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from explorer import exhibits
from explorer.exchange import payload
from explorer.exchange.explain import explain
from explorer.exchange.packing import pack, unpack
from explorer.exchange.question import Arguments
from explorer.exchange.request import SETTINGS, parse
from explorer.facts import facts
from explorer.words import WORDS
from model import decoding
from model.beams import SentenceSearch
from model.checkpoint import SHIPPED
from model.explain import Explainer
from tests import npm
from tests.exhibits import test_proof_fields as fields
from tests.parity import test_answers as questions
from tests.parity.engine import SEARCH, opened, settings

pytestmark = pytest.mark.slow

SCRIPT = Path(__file__).with_name("compare.mjs")
Sent = dict[str, Any]

# What no comparison tells, and the line of the page that says so.
UNTOLD = {"seconds": "seconds", "model.device": "device"}

EVERYDAY = (Path(__file__).parents[2] / "docs" / "everyday.txt").read_text("utf-8").splitlines()
TEXT = "I have never been to China, and my brother has."
SAMPLING = settings(method="sampling", seed=3, temperature=2.0, top_k=40, top_p=0.9)
REQUESTS: dict[str, dict[str, Any]] = {
    "beam": {"text": TEXT, "settings": settings()},
    "sampling": {"text": TEXT, "settings": SAMPLING},
    "changed": {
        "text": TEXT,
        "settings": settings(),
        "prefix": [20, 30],
        "node": [3, 1],
        "interventions": {
            "heads_off": [["cross", 0, 1], ["encoder_self", 2, 3]],
            "cross_off": [1],
            "cells": [["cross", 0, 1, False]],
            "padding": 2,
        },
    },
}


@pytest.fixture(scope="module")
def shipped() -> Explainer:
    """It doubts every translation, so that a doubt is there to be changed."""
    explainer = Explainer.load(device="cpu")
    assert explainer.thresholds is not None
    explainer.thresholds = dataclasses.replace(explainer.thresholds, log_prob=0.0)
    return explainer


def sent(explainer: Explainer, request: dict[str, Any]) -> Sent:
    """What the server answers, as it comes out of JSON."""
    explainer.forget()
    made = payload.build(explain(explainer, parse(request)), explainer)
    found: Sent = json.loads(json.dumps(made))
    return found


Cases = Sequence[tuple[dict[str, Any], Sequence[Sent]]]


def compared(explainer: Explainer, cases: Cases, tmp_path: Path) -> list[list[Sent]]:
    """What the comparison with the right model finds in each payload of each request."""
    found: list[list[Sent]] = in_node(explainer, cases, [], tmp_path)[:-1]
    return found


def in_node(
    explainer: Explainer, cases: Cases, asked: Sequence[dict[str, Any]], tmp_path: Path
) -> list[Any]:
    """The lines that compare.mjs writes about payloads, and about answers to questions."""
    assert explainer.thresholds is not None
    about = {"key": "", "name": explainer.name, "revision": explainer.revision, "examples": []}
    defaults = {name: getattr(explainer.defaults, name) for name in SETTINGS}
    given = {
        "folder": str(SHIPPED),
        "tokenizers": ["source.spm", "target.spm"],
        "thresholds": dataclasses.asdict(explainer.thresholds),
        "about": {**about, "defaults": defaults},
        "cases": [{"request": request, "payloads": list(all_)} for request, all_ in cases],
        "facts": facts([("", explainer.name, None)], exhibits.load(), "auto", None),
        "asked": list(asked),
    }
    file = tmp_path / "given.json"
    file.write_text(json.dumps(given), "utf-8")
    command = [npm.node(), str(SCRIPT), str(file)]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.split("\n") if line]


def with_value(right: Sent, path: tuple[Any, ...], value: Any) -> Sent:
    changed = copy.deepcopy(right)
    parent: Any = changed
    for part in path[:-1]:
        parent = parent[part]
    parent[path[-1]] = value
    return changed


def is_noticed(found: Sent) -> bool:
    return bool(found.get("off") or found.get("refused"))


@pytest.mark.parametrize("name", REQUESTS)
def test_every_field_that_is_changed_is_noticed_or_named(
    shipped: Explainer, name: str, tmp_path: Path
) -> None:
    """The first and the last of each kind; what is right is found right."""
    right = sent(shipped, REQUESTS[name])
    tried = fields.edits(right)
    payloads = [with_value(right, path, value) for path, value in tried]
    ((truth, *found),) = compared(shipped, [(REQUESTS[name], [right, *payloads])], tmp_path)
    assert truth["off"] == [] and truth["tie"] is None and truth["count"] > 5_000
    missed = {
        fields.pattern(p) for (p, _), one in zip(tried, found, strict=True) if not is_noticed(one)
    }
    assert missed == set(UNTOLD)
    assert len({fields.pattern(path) for path, _ in tried}) > 75
    assert all(f"proof.untold.{line}" in WORDS for line in UNTOLD.values())


# -------------------------------------------------------------------------- more than one field


def arrays(one: Sent) -> dict[str, list[np.ndarray]]:
    """The packed arrays of a search, step by step."""
    ends = np.cumsum(one["search"]["counts"])[:-1]
    return {name: np.split(array.copy(), ends) for name, array in opened(one["search"]).items()}


def repacked(one: Sent, steps: dict[str, list[np.ndarray]]) -> None:
    one["search"]["counts"] = [len(step) for step in steps["ids"]]
    for name, dtype in SEARCH.items():
        one["search"][name] = pack(np.concatenate(steps[name]).astype(dtype))


def without_a_pruned_candidate(one: Sent) -> None:
    steps = arrays(one)
    for name in steps:
        steps[name][1] = steps[name][1][:-1]
    repacked(one, steps)


def with_an_unlikely_candidate(one: Sent) -> None:
    """The last one of a step is another token, with a label and a log-prob that fit."""
    steps = arrays(one)
    other = next(i for i in map(int, one["search"]["labels"]) if i not in steps["ids"][1])
    steps["ids"][1][-1] = other
    repacked(one, steps)


def without_the_second_best(one: Sent) -> None:
    steps = arrays(one)
    for name in steps:
        steps[name][0] = np.delete(steps[name][0], 1)
    repacked(one, steps)


def with_two_candidates_swapped(one: Sent) -> None:
    steps = arrays(one)
    for name in steps:
        steps[name][0][[0, 1]] = steps[name][0][[1, 0]]
    repacked(one, steps)


def with_a_fate_exchanged(one: Sent) -> None:
    steps = arrays(one)
    fates = steps["fates"][0]
    fates[0], fates[-1] = fates[-1], fates[0]
    repacked(one, steps)


def without_the_last_hypothesis(one: Sent) -> None:
    one["hypotheses"].pop()


def scored_with_another_alpha(one: Sent) -> None:
    for hypothesis in one["hypotheses"]:
        hypothesis["score"] = hypothesis["log_prob"] / hypothesis["length"] ** 0.6


def with_hypotheses_reversed(one: Sent) -> None:
    one["hypotheses"].reverse()


def without_the_last_step(one: Sent) -> None:
    one["steps"].pop()


def without_a_token(one: Sent) -> None:
    one["src"].pop(0)


def with_the_top_reversed(one: Sent) -> None:
    one["steps"][1]["top"].reverse()


def with_heads_exchanged(one: Sent) -> None:
    packed = one["attention"]["cross"]
    count = packed["layers"] * packed["heads"] * packed["queries"] * packed["keys"]
    weights = unpack(packed["weights"], "<u2", count)
    each = weights.reshape(packed["layers"], packed["heads"], -1)
    packed["weights"] = pack(each[:, ::-1].copy())


def with_more_said_than_asked(one: Sent) -> None:
    one["model"]["extra"] = 1


def without_a_doubt(one: Sent) -> None:
    one["doubt"] = None


def without_a_setting(one: Sent) -> None:
    del one["settings"]["top_k"]


ALTERED: tuple[Callable[[Sent], None], ...] = (
    without_a_pruned_candidate, with_an_unlikely_candidate, without_the_second_best,
    with_two_candidates_swapped, with_a_fate_exchanged, without_the_last_hypothesis,
    scored_with_another_alpha, with_hypotheses_reversed, without_the_last_step, without_a_token,
    with_the_top_reversed, with_heads_exchanged, with_more_said_than_asked, without_a_doubt,
    without_a_setting,
)  # fmt: skip


def test_what_is_left_out_or_put_in_its_place_is_noticed(
    shipped: Explainer, tmp_path: Path
) -> None:
    right = sent(shipped, REQUESTS["beam"])
    payloads = [copy.deepcopy(right) for _ in ALTERED]
    for change, one in zip(ALTERED, payloads, strict=True):
        change(one)
    (found,) = compared(shipped, [(REQUESTS["beam"], payloads)], tmp_path)
    missed = [
        change.__name__ for change, one in zip(ALTERED, found, strict=True) if not is_noticed(one)
    ]
    assert missed == []


# ------------------------------------------------------------- servers that are wrong throughout


def test_a_search_that_is_wrong_throughout_is_noticed(
    shipped: Explainer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Each server's numbers fit one another, and its answer is another one."""
    wrong: tuple[tuple[type[SentenceSearch], str], ...] = (
        (fields.StopsAtFirst, "beam"), (fields.SkipsSecond, "beam"), (fields.ListsWorst, "beam"),
        (fields.IgnoresSeed, "sampling"), (fields.IgnoresTemperature, "sampling"),
    )  # fmt: skip

    def wrongly(search: type[SentenceSearch], request: dict[str, Any]) -> Sent:
        with monkeypatch.context() as patch:
            patch.setattr(decoding, "SentenceSearch", search)
            return sent(shipped, request)

    cases = []
    for search, name in wrong:
        tried = ({**REQUESTS[name], "text": text} for text in EVERYDAY)
        pairs = ((asked, wrongly(search, asked), sent(shipped, asked)) for asked in tried)
        # The first sentence on which this search is wrong: not every one shows it.
        asked, answer = next((a, w) for a, w, right in pairs if w["search"] != right["search"])
        cases.append((asked, [answer]))
    shipped.forget()
    for (search, _), (found,) in zip(wrong, compared(shipped, cases, tmp_path), strict=True):
        assert {"fates", "candidates"} & set(found["off"]), search.__name__


def test_one_weight_changed_on_the_server_is_noticed(shipped: Explainer, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    shutil.copytree(SHIPPED, folder, ignore=shutil.ignore_patterns("snapshots"))
    weights = load_file(folder / "model.safetensors")
    weights["decoder.1.cross_attention.value.weight"][7, 9] += 2
    save_file(weights, folder / "model.safetensors")
    other = Explainer.load(folder, device="cpu")
    other.thresholds = shipped.thresholds
    answer = sent(other, REQUESTS["beam"])
    ((found,),) = compared(shipped, [(REQUESTS["beam"], [answer])], tmp_path)
    assert {"candidates", "predictions"} <= set(found["off"])


@pytest.mark.slow
def test_answers_to_views_are_compared_and_a_wrong_one_is_noticed(
    shipped: Explainer, tmp_path: Path
) -> None:
    """Every question that the engine compares is asked; each answer is Python's. Those about
    another sentence are not."""
    answer = {name: ask for one in exhibits.load() for name, ask in one.questions.items()}
    made = []
    for case in questions.CASES:
        raw = questions.sent("I am a student.", case)
        found = answer[case[0]](shipped, parse(raw), Arguments(raw["arguments"]))
        made.append((raw, json.loads(json.dumps(found))))
    right, wrong = (
        in_node(
            shipped,
            [],
            [{"request": raw | change, "shown": shown} for raw, shown in made],
            tmp_path,
        )[-1]
        for change in ({}, {"text": "I am a teacher."})
    )
    assert {one["question"] for one in right["answers"]} == set(right["compared"])
    assert [one for one in right["answers"] if one["off"] or not one["count"]] == []
    off = {one["question"] for one in wrong["answers"] if one["off"]}
    # These bring their own sentences, or ask about a place at which both have the same.
    alike = {"batch", "pair", "dropout", "positions", "microscope_head"}
    assert off >= set(wrong["compared"]) - alike
