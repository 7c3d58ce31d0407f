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
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from explorer import exhibits
from explorer.exchange import payload
from explorer.exchange.explain import explain
from explorer.exchange.gloss import glossed, glossed_record, texts_of
from explorer.exchange.packing import pack, unpack
from explorer.exchange.payload import FATES
from explorer.exchange.question import Arguments
from explorer.exchange.request import parse
from explorer.facts import Named, facts
from explorer.words import WORDS
from model import decoding
from model.beams import SentenceSearch
from model.checkpoint import SHIPPED
from model.explain import Explainer
from model.shipped import FOLDERS, names
from tests import npm
from tests.parity import altered
from tests.parity import test_answers as questions
from tests.parity.engine import SEARCH, opened, settings
from tests.stage import Node
from tests.tiers import each, some

pytestmark = pytest.mark.slow

SCRIPT = Path(__file__).with_name("compare.mjs")
Sent = dict[str, Any]

# What no comparison tells, and the line of the page that says so.
UNTOLD = {
    "seconds": "seconds",
    "model.device": "device",
    "model.training.shares.*": "training",
    "model.training.updates": "training",
}

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
    found: Sent = json.loads(json.dumps(glossed_record(made, explainer.glossary)))
    return found


Cases = Sequence[tuple[dict[str, Any], Sequence[Sent]]]


def compared(
    explainer: Explainer, cases: Cases, tmp_path: Path, folder: Path = SHIPPED
) -> list[list[Sent]]:
    """What the comparison with the right model finds in each payload of each request."""
    found: list[list[Sent]] = in_node(explainer, cases, [], tmp_path, folder)
    return found


def in_node(
    explainer: Explainer,
    cases: Cases,
    asked: Sequence[tuple[dict[str, Any], Sequence[Sent]]],
    tmp_path: Path,
    folder: Path = SHIPPED,
) -> list[Any]:
    """The lines that compare.mjs writes about payloads, and about answers to questions."""
    assert explainer.thresholds is not None
    about = {
        "key": explainer.name,
        "name": explainer.name,
        "revision": explainer.revision,
        "examples": [],
    }
    defaults = dataclasses.asdict(explainer.defaults)
    given = {
        "folder": str(folder),
        "tokenizers": ["source.spm", "target.spm"],
        "thresholds": dataclasses.asdict(explainer.thresholds),
        "glossary": explainer.glossary and explainer.glossary.for_browser(),
        "about": {**about, "defaults": defaults},
        "cases": [{"request": request, "payloads": list(all_)} for request, all_ in cases],
        "facts": facts([Named(explainer.name, explainer.name)], exhibits.load(), "auto"),
        "asked": [{"request": request, "shown": list(all_)} for request, all_ in asked],
    }
    return node_lines(given, tmp_path)


def node_lines(given: dict[str, Any], tmp_path: Path) -> list[Any]:
    """The lines that compare.mjs writes about a file."""
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


@each("name", tuple(REQUESTS), 1)
def test_every_field_that_is_changed_is_noticed_or_named(
    shipped: Explainer, name: str, tmp_path: Path
) -> None:
    """The first and the last of each kind; what is right is found right."""
    right = sent(shipped, REQUESTS[name])
    tried = some(altered.edits(right), 15)
    payloads = [with_value(right, path, value) for path, value in tried]
    ((truth, *found),) = compared(shipped, [(REQUESTS[name], [right, *payloads])], tmp_path)
    assert truth["off"] == [] and truth["ties"] == [] and truth["count"] > 5_000
    missed = {
        altered.pattern(p) for (p, _), one in zip(tried, found, strict=True) if not is_noticed(one)
    }
    assert missed == set(UNTOLD) & {altered.pattern(path) for path, _ in tried}
    assert len({altered.pattern(path) for path, _ in altered.edits(right)}) > 75
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


@pytest.mark.long
def test_what_is_left_out_or_put_in_its_place_is_noticed(
    shipped: Explainer, tmp_path: Path
) -> None:
    right = sent(shipped, REQUESTS["beam"])
    changes = some(ALTERED, 3)
    payloads = [copy.deepcopy(right) for _ in changes]
    for change, one in zip(changes, payloads, strict=True):
        change(one)
    (found,) = compared(shipped, [(REQUESTS["beam"], payloads)], tmp_path)
    missed = [
        change.__name__ for change, one in zip(changes, found, strict=True) if not is_noticed(one)
    ]
    assert missed == []


# ------------------------------------------------------------- servers that are wrong throughout


@pytest.mark.long
def test_a_search_that_is_wrong_throughout_is_noticed(
    shipped: Explainer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Each server's numbers fit one another, and its answer is another one."""
    wrong: tuple[tuple[type[SentenceSearch], str], ...] = (
        (altered.StopsAtFirst, "beam"), (altered.SkipsSecond, "beam"), (altered.ListsWorst, "beam"),
        (altered.IgnoresSeed, "sampling"), (altered.IgnoresTemperature, "sampling"),
    )  # fmt: skip

    def wrongly(search: type[SentenceSearch], request: dict[str, Any]) -> Sent:
        with monkeypatch.context() as patch:
            patch.setattr(decoding, "SentenceSearch", search)
            return sent(shipped, request)

    cases = []
    servers = some(wrong, 1)
    for search, name in servers:
        tried = ({**REQUESTS[name], "text": text} for text in EVERYDAY)
        pairs = ((asked, wrongly(search, asked), sent(shipped, asked)) for asked in tried)
        # The first sentence on which this search is wrong: not every one shows it.
        asked, answer = next((a, w) for a, w, right in pairs if w["search"] != right["search"])
        cases.append((asked, [answer]))
    shipped.forget()
    for (search, _), (found,) in zip(servers, compared(shipped, cases, tmp_path), strict=True):
        assert {"fates", "candidates"} & set(found["off"]), search.__name__


@pytest.mark.skipif("zh-en" not in names(), reason="the second model is not there")
def test_the_second_model_is_proved_too(tmp_path: Path) -> None:
    back = Explainer.load("zh-en", device="cpu")
    asked = [{**REQUESTS["beam"], "text": text} for text in ("我是一个学生。", "你用Python吗？")]
    cases = [(one, [sent(back, one)]) for one in asked]
    assert [one["off"] for (one,) in compared(back, cases, tmp_path, FOLDERS["zh-en"])] == [[], []]


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


# ----------------------------------------------------------------------------------------- ties


def twins(folder: Path, source: Path, pair: tuple[int, int], share: float) -> Path:
    """The shipped model, where the second of two tokens has nearly the first one's vector."""
    shutil.copytree(source, folder, ignore=shutil.ignore_patterns("snapshots"))
    weights = {name: one.astype("f4") for name, one in load_file(source / WEIGHTS).items()}
    table = weights["embedding.token.weight"]
    table[pair[1]] = table[pair[0]] * np.float32(1 + share)
    save_file(weights, folder / WEIGHTS)
    return folder


WEIGHTS = "model.safetensors"
ROUNDING = 5e-7  # of a vector; its logits then differ by some 1e-5 of themselves


@pytest.mark.long
@each("place", ("kept", "pruned"), 1)
def test_a_tie_excuses_only_itself(shipped: Explainer, place: str, tmp_path: Path) -> None:
    """The server and the browser order two equal candidates differently. Their comparison goes on
    from the server's choice: what is wrong after the tie is noticed."""
    first = arrays(sent(shipped, REQUESTS["beam"]))
    ids = first["ids"][1]
    kept = first["fates"][1] == FATES.index("kept")
    one = int(ids[kept][-1] if place == "kept" else ids[~kept][0])
    other = next(i for i in range(9_000, 10_000) if i not in set(np.concatenate(first["ids"])))
    server = Explainer.load(twins(tmp_path / "a", SHIPPED, (one, other), ROUNDING), device="cpu")
    server.thresholds = shipped.thresholds
    browser = twins(tmp_path / "b", SHIPPED, (one, other), -ROUNDING)
    right = sent(server, REQUESTS["beam"])
    assert {one, other} <= set(arrays(right)["ids"][1]), "the two are not candidates together"
    wrong = copy.deepcopy(right)
    wrong["steps"][-1]["log_prob"] += 0.01
    wrong["hypotheses"][-1]["text"] += "x"
    ((truth, noticed),) = compared(server, [(REQUESTS["beam"], [right, wrong])], tmp_path, browser)
    assert truth["off"] == [] and 1 in truth["ties"]
    assert set(noticed["off"]) == {"predictions", "hypotheses"}


# Ten tokens of 0.09, then one that ends `edge` above the first number of the seed, and two more.
EDGE = """async ({ edge, shown }) => {
    const { SentenceSearch } = await module("assets/engine/search.js");
    const { mulberry32 } = await module("assets/kit/sampling.js");
    const settings = { method: "sampling", beam_size: 1, temperature: 1, top_k: 0, top_p: 1,
        max_length: 9, no_repeat: 0, length_penalty: 1, penalty_form: "average" };
    const isFit = (seed) => Math.abs(mulberry32(seed)() - 0.95) < 0.02;
    const seed = Array.from({ length: 999 }, (_, i) => i).find(isFit);
    const u = mulberry32(seed)();
    const tail = [u + edge - 0.9, (1 - u - edge) / 2, (1 - u - edge) / 2];
    const rules = { start_id: 0, end_id: 12, banned: [] };
    const guide = [{ parents: shown.map(() => -1), ids: shown }];
    const search = new SentenceSearch({ ...settings, seed }, rules, [], 13, guide);
    search.advance([Float32Array.from([...Array(10).fill(0.09), ...tail], Math.log)]);
    return { ids: [...search.steps[0].ids], ties: search.ties };
}"""


@pytest.mark.parametrize(
    ("edge", "ids", "ties"), [(4e-6, {11}, [0]), (4e-4, {10}, []), (-4e-6, {11}, [])]
)
def test_a_draw_on_the_edge_of_two_tokens_is_the_one_shown(
    node: Node, edge: float, ids: set[int], ties: list[int]
) -> None:
    """The number drawn lies `edge` below the end of token 10: only rounding may move it to 11."""
    found = node.run(EDGE, {"edge": edge, "shown": [*range(10), 11]})
    assert set(found["ids"]) - set(range(10)) == ids and found["ties"] == ties


COUNTS = """async (moves) => {
    const { Counts, difference } = await module("explorer/exhibits/proof/compare.js");
    const own = Counts.from({ length: 100 }, (_, i) => i);
    const { off } = difference("shades", own.map((one, i) => one + (moves[i] ?? 0)), own);
    return off;
}"""


@pytest.mark.parametrize(
    ("moves", "off"), [([0] * 99 + [1], 0), ([2], 1), ([1] * 100, 99), ([-1] * 2, 1)]
)
def test_rounding_moves_few_shades_and_none_by_two(node: Node, moves: list[int], off: int) -> None:
    assert node.run(COUNTS, moves) == off


# --------------------------------------------------------------------------- the views' questions


LEFT = {"seconds"}  # measured times


def cases() -> dict[str, tuple[dict[str, Any], Any]]:
    """A request of each question that the engine compares: the first of its cases."""
    return {case[0]: case for case in reversed(questions.CASES)}


def compared_questions() -> set[str]:
    return set(facts([Named("", "")], exhibits.load(), "en")["compared"])


NAMED_RECORDS = """async (requests) => {
    const { namedAs } = await module("assets/kit/proved.js");
    const asked = (request) => ({ question: "record", request, model: "here" });
    return requests.map((request) => namedAs(asked(request), ["record"]));
}"""


def test_every_question_is_compared_or_named_beside_its_views_mark(node: Node) -> None:
    asked = {name for one in exhibits.load() for name in one.questions}
    known = compared_questions()
    named = {name for name in asked if f"proved.question.{name}" in WORDS}
    assert known <= asked and not known & named
    assert asked - known == named, "neither compared nor named, or both"
    words = {key for key in WORDS if key.startswith("proved.question.")}
    here, other = {"model": "here"}, {"model": "there"}  # records of weights that are not here
    elsewhere = [{**here, "weights": "cheat"}, {**here, "weights": "0.25"}, other]
    records = node.run(NAMED_RECORDS, [here, *elsewhere])
    assert records[0] is None and len({*records}) == 4
    assert words == {f"proved.question.{name}" for name in {*named, *records[1:]}}
    assert known <= set(cases()), "a question without a case here"


def test_every_value_of_every_answer_that_is_changed_is_noticed(
    shipped: Explainer, tmp_path: Path
) -> None:
    """Of each question that the engine compares, each kind of value in Python's answer."""
    answer = {name: ask for one in exhibits.load() for name, ask in one.questions.items()}
    all_ = sorted(compared_questions())
    chosen = {name: cases()[name] for name in some(all_, 2)}
    tried, asked = {}, []
    for name, case in chosen.items():
        raw = questions.sent("I am a student.", case)
        shown = answer[name](shipped, parse(raw), Arguments(raw["arguments"]))
        page = partial(texts_of, explain(shipped, parse(raw)).trace)
        right = json.loads(json.dumps(glossed(shown, shipped.glossary, page)))
        tried[name] = altered.answer_edits(name, right)
        asked.append((raw, [right, *(with_value(right, *one) for one in tried[name])]))
    for (name, edits), (truth, *rows) in zip(
        tried.items(), in_node(shipped, [], asked, tmp_path), strict=True
    ):
        assert truth["off"] == 0 and truth["count"] > 0, name
        missed = {
            altered.pattern(p) for (p, _), row in zip(edits, rows, strict=True) if not row["off"]
        }
        assert {one for one in missed if one.split(".")[-1] not in LEFT} == set(), name
        assert len(edits) > len(missed), name


def test_an_order_that_rounding_decides_is_no_difference(
    shipped: Explainer, tmp_path: Path
) -> None:
    """Two losses of the first row are 4e-6 apart; the browser may have them the other way round."""
    text = "The old man who lives by the river gave my sister two small dogs and a red book "
    text += "last Friday."
    raw = questions.sent(text, ("occlusion", {"first": "last"}, {}))
    ask = next(one.questions["occlusion"] for one in exhibits.load() if one.name == "summaries")
    right = json.loads(json.dumps(ask(shipped, parse(raw), Arguments(raw["arguments"]))))
    row = ("agreement", "mean", 1, "rows", 0)
    wrong = with_value(right, row, right["agreement"]["mean"][1]["rows"][0] + 0.1)
    (found,) = in_node(shipped, [], [(raw, [right, wrong])], tmp_path)
    assert [one["off"] for one in found] == [0, 1]
