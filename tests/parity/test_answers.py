"""What the engine answers to the questions of the views, beside what Python answers."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from explorer import exhibits
from explorer.exchange import packing
from explorer.exchange.explain import explain, with_weights
from explorer.exchange.gloss import glossed, texts_of
from explorer.exchange.lines import LINES, lines
from explorer.exchange.packing import packed_type
from explorer.exchange.question import Arguments
from explorer.exchange.request import parse
from explorer.exhibits.transplant import PAIRS
from explorer.words import WORDS
from model.checkpoint import SHIPPED
from model.config import DecodeConfig, Interventions
from model.edits import Transplant
from model.errors import HeadlightError, InputError
from model.explain import Explainer
from model.labs.patch import contrast
from model.labs.removal import Rerun
from model.labs.toy import exhaustive, toy_search
from model.text.tokenizer import Tokenizer
from tests.parity.node import Script
from tests.tiers import some

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
TOLERANCE = 3e-4  # of a number, or of the largest of an array
OF_RANKS = 5e-3  # of a rank correlation: cells that are equal but for rounding may change places
TEXTS = some(("I am a student.", "She is taller than her brothers are.", "I like cats. 😀"), 1)
CHANGED = {"padding": 2, "padding_mask": False, "heads_off": [["cross", 0, 1]], "cross_off": [1]}
PAINTED = {"cells": [["decoder_self", 0, 1, True], ["encoder_self", 1, 0, False]]}
UNORDERED = {"positions": "none", "sides": "source"}
DRAWN = {"temperature": 1.3, "top_k": 40, "top_p": 0.9, "seed": 7}
HEAD = {"kind": "cross", "layer": 1, "head": 2}
LOOK = {**HEAD, "row": 2, "column": 1, "against": 3}
TWO = dict(zip(("giver", "receiver"), PAIRS["en"][0], strict=True))
TABLE = [[0.4, 0.3, 0.2, 0.1, 0], *[[0.1, 0.4, 0.3, 0.2, 0]] * 4, [0.2] * 5]

Case = tuple[str, dict[str, Any], dict[str, Any]]
# What is asked: the question, its arguments, and what is changed on the model.
CASES: list[Case] = [
    ("anatomy", {}, {}),
    ("batch", {"sentences": ["I am a student.", "No.", "I like cats."]}, {}),
    *[
        ("bleu", {"candidate": c, "references": r, "tokeniser": "auto", "way": way}, {})
        for way in ("none", "exp", "sentence")
        for c, r in (
            ("the cat sat on the mat, 3.5 times.", ["the cat is on the mat.", "a cat, 2-3 times"]),
            ("我是一名学生。", ["我是学生。", "我是个学生，真的。"]),
            ("No.", ["Yes – I do."]),
        )
    ],
    ("curves", {}, {}),
    ("decoder_lens", {}, {}),
    ("decoder_lens", {}, CHANGED),
    ("dropout", {"source": 2}, {}),
    ("equivariance", {"seed": 4}, UNORDERED),
    ("equivariance", {"seed": 2**31}, {"scaling": False, "padding": 2}),
    ("figure", {"encoder": [0], "decoder": [0, 2]}, {}),
    ("heads_off", {"first": 0}, {}),
    ("heads_off", {"first": 70}, {"padding": 1}),
    ("catalogue", {}, {}),
    ("share", {}, {}),
    ("lens", {}, {}),
    ("looks", LOOK, CHANGED),
    ("looks", {**LOOK, "kind": "decoder_self", "against": -1}, {}),
    ("looks_without", {**LOOK, "parts": ["encoder 1 feed-forward", "position"]}, CHANGED),
    ("looks_without", {**LOOK, "against": -1, "parts": ["encoder 3 self 2", "bias"]}, {}),
    (
        "looks_without",
        {
            **LOOK,
            "kind": "decoder_self",
            "column": 2,
            "against": 0,
            "parts": ["embedding", "decoder 1 self 4", "decoder 1 cross bias"],
        },
        {},
    ),
    ("lesson", {"lesson": "masks", "step": 1}, {}),
    ("microscope_head", {**HEAD, "matrix": True}, {"heads_off": [["cross", 1, 3]]}),
    ("microscope_head", {**HEAD, "kind": "decoder_self", "matrix": False}, {}),
    ("near", {"side": "target", "id": 500}, {}),
    ("next_token", {"ids": [10, 20]}, {}),
    ("next_token", {"ids": []}, CHANGED),
    ("occlusion", {"first": "last"}, {}),
    ("positions", {}, {}),
    ("schedule", {}, {}),
    ("smoothing", {"step": 1}, {}),
    ("stream", {"stack": "decoder", "layer": 1}, {}),
    ("summary", {"kind": "cross", "way": "rollout", "layer": 2}, {}),
    ("summary", {"kind": "encoder_self", "way": "max", "layer": 0}, {}),
    ("summary", {"kind": "decoder_self", "way": "mean", "layer": 1}, {"causal_mask": False}),
    ("toy", {"table": TABLE, "beam": 2, "length": 3}, {}),
    ("transplant", {**TWO, "step": 0, "first": 0}, {}),
    ("transplant", {**TWO, "step": 7, "first": 30}, CHANGED),
    ("transplant_heads", {**TWO, "step": 0, "first": 0}, {}),
    ("vocabulary", {}, {}),
    ("why", {"step": 2, "rival": 100}, {}),
    ("why", {"step": 1, "rival": 100}, CHANGED),
    ("why_off", {"step": 2, "rival": 100}, {}),
    ("why_off", {"step": 1, "rival": 100}, CHANGED),
]
LEFT_OUT = {"seconds", "next"}  # how long it took, and how far a reply got in its time


def sent(text: str, case: Case) -> dict[str, Any]:
    question, arguments, interventions = case
    if arguments.get("first") == "last":
        n = len(Tokenizer.load(SHIPPED).encode_source(text))
        arguments = {"first": n - 2}  # the last but the end token
    raw = {"text": text, "settings": {}, "interventions": interventions, "model": ""}
    return {**raw, "question": question, "arguments": arguments}


@pytest.fixture(scope="module")
def engine(site: Path) -> Iterator[Script]:
    """The engine behind the published page."""
    with Script(Path(__file__).with_name("answers.mjs")) as running:
        running.ask({"site": str(site)})
        yield running


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("She is taller than her brothers are.", {}),
        ("She is taller than her brothers are.", {"of": "她的妹妹比兄弟高。"}),
        ("9001-22 " * 3, {}),
        (" ", {"of": "她的妹妹比兄弟高。"}),
    ],
)
def test_a_readers_line_is_pythons(
    engine: Script, explainer: Explainer, text: str, about: dict[str, str]
) -> None:
    """One at a time: a published page asks for no more at once (explorer/publish.py)."""
    asked = {"texts": [text], **about}
    reply = engine.ask({"model": "", "question": LINES, "arguments": asked})
    assert reply["payload"] == lines(explainer, Arguments(asked))
    two = engine.ask({"model": "", "question": LINES, "arguments": {"texts": [text, text]}})
    assert two["refusal"]["key"] == "error.request"


def unpacked(text: str, dtype: str) -> np.ndarray[Any, Any]:
    planes = np.frombuffer(zlib.decompress(base64.b64decode(text)), np.uint8)
    size = np.dtype(dtype).itemsize
    return np.ascontiguousarray(planes.reshape(size, -1).T).view(f"<{dtype}").reshape(-1)


def differences(ours: Any, theirs: Any, place: str) -> Iterator[str]:
    """What is not equal: numbers up to the tolerance, everything else exactly."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        if ours.keys() != theirs.keys():
            yield f"{place}: {sorted(ours.keys() ^ theirs.keys())}"
        for key in (ours.keys() & theirs.keys()) - LEFT_OUT:
            yield from differences(ours[key], theirs[key], f"{place} {key}")
    elif isinstance(ours, list) and isinstance(theirs, list):
        turns = {"changes", "heads"}  # as many as there was time for
        if len(ours) != len(theirs) and place.split()[-1] not in turns:
            yield f"{place}: {len(ours)} and {len(theirs)} entries"
        for i, (one, other) in enumerate(zip(ours, theirs, strict=False)):
            yield from differences(one, other, f"{place} {i}" if isinstance(one, dict) else place)
    elif isinstance(ours, float) or isinstance(theirs, float):
        room = OF_RANKS if "agreement" in place else TOLERANCE
        if abs(ours - theirs) > room * max(1, abs(ours)):
            yield f"{place}: {ours} and {theirs}"
    elif ours != theirs:
        yield from _packed_differences(ours, theirs, place)


def _packed_differences(ours: Any, theirs: Any, place: str) -> Iterator[str]:
    words = place.split()
    dtype = packed_type(words[-1], words[0])
    try:
        one, other = unpacked(ours, dtype), unpacked(theirs, dtype)
    except (ValueError, TypeError, zlib.error):
        yield f"{place}: {ours!r:.80} and {theirs!r:.80}"
        return
    if one.shape != other.shape:
        yield f"{place}: {one.shape} and {other.shape}"
        return
    both = np.isfinite(one.astype(float))
    if dtype == "f4" and not np.array_equal(one[~both], other[~both], equal_nan=True):
        yield f"{place}: forbidden cells differ"
    room = TOLERANCE * max(1, np.abs(one[both]).max(initial=0)) if dtype == "f4" else 0
    room = {"i1": 1, "u2": 4}.get(dtype, room)  # a shade; a weight within 0.0001
    off = np.abs(one[both].astype(float) - other[both]).max(initial=0)
    if off > room:
        yield f"{place}: off by {off}"


def unequal_answers(reply: Any, explainer: Explainer, raw: dict[str, Any]) -> list[str]:
    """What differs between the engine's reply to a question and Python's, be it a refusal."""
    questions = {name: ask for one in exhibits.load() for name, ask in one.questions.items()}
    request = parse(raw, explainer.defaults)
    try:
        ours = questions[raw["question"]](explainer, request, Arguments(raw["arguments"]))
    except HeadlightError as error:
        key = reply.get("refusal", {}).get("key", "")
        return [] if key.endswith(str(error.key)) else [f"{error.key} and {reply}"]
    assert "payload" in reply, reply
    page = partial(texts_of, explain(explainer, request).trace)
    told = json.loads(json.dumps(glossed(ours, explainer.glossary, page)))
    return list(differences(told, reply["payload"], raw["question"]))


DEAR = ("heads_off",)


def drawn_cases() -> list[Case]:
    """All of the cheap questions; of the dear ones a case each in `make test`."""
    dear = {name: [case for case in CASES if case[0] == name] for name in DEAR}
    cheap = [case for case in CASES if case[0] not in dear]
    return [*cheap, *(case for of_one in dear.values() for case in some(of_one, 1))]


@pytest.mark.parametrize("case", drawn_cases(), ids=lambda case: f"{case[0]}-{CASES.index(case)}")
def test_the_engine_answers_as_python_does(
    case: Case, engine: Script, explainer: Explainer
) -> None:
    for text in TEXTS:
        raw = sent(text, case)
        assert unequal_answers(engine.ask(raw), explainer, raw) == []


def test_a_wrong_answer_would_be_noticed() -> None:
    pack = base64.b64encode(zlib.compress(np.float32([1, 2]).view("u1").reshape(2, 4).T.tobytes()))
    other = base64.b64encode(
        zlib.compress(np.float32([1, 2.01]).view("u1").reshape(2, 4).T.tobytes())
    )
    assert list(differences({"a": pack.decode()}, {"a": other.decode()}, "x"))
    assert list(differences({"a": 1.0}, {"a": 1.001}, "x"))
    assert list(differences({"a": [1]}, {"a": [1, 2]}, "x"))
    assert not list(differences({"a": pack.decode(), "b": 1.0}, {"a": pack.decode(), "b": 1}, "x"))


def shifted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A state is copied to the place after its own."""
    into = Transplant.into
    monkeypatch.setattr(
        Transplant, "into", lambda one, x: into(one._replace(where=one.where.roll(1, 1)), x)
    )


def kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bias is not taken out."""
    monkeypatch.setattr(Rerun, "_less", lambda run, stack, name, x, module: x)


@pytest.mark.parametrize(
    ("plant", "case"),
    [
        (shifted, ("transplant", {**TWO, "step": 0, "first": 0}, {})),
        (kept, ("looks_without", {**LOOK, "parts": ["encoder 2 self norm bias"]}, {})),
    ],
)
def test_a_planted_fault_is_noticed(
    plant: Callable[[pytest.MonkeyPatch], None],
    case: Case,
    engine: Script,
    explainer: Explainer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    raw = sent(TEXTS[0], case)
    reply = engine.ask(raw)
    assert unequal_answers(reply, explainer, raw) == []
    plant(monkeypatch)
    assert unequal_answers(reply, explainer, raw) != []


@pytest.mark.parametrize(
    ("giver", "receiver", "step"),
    [
        ("I am.", "I am a student.", 0),
        ("I am.", "I am.", 0),
        (*PAIRS["en"][0], 1),
        (*PAIRS["en"][0], 99),
        (" ", "I am.", 0),
    ],
)
def test_two_sentences_that_cannot_be_compared_are_refused_alike(
    engine: Script, explainer: Explainer, giver: str, receiver: str, step: int
) -> None:
    asked = {"giver": giver, "receiver": receiver, "step": step, "first": 0}
    reply = engine.ask(sent(TEXTS[0], ("transplant", asked, {})))
    with pytest.raises(InputError) as refused:
        contrast(explainer, giver, receiver, step - 1 if step else None)
    error = refused.value
    told = reply["refusal"]
    assert told["key"].removeprefix("error.model.") == error.key
    assert told["values"] == error.values


def test_every_question_is_in_the_list_or_says_where_it_runs() -> None:
    """All questions of the views stand in the engine's list."""
    text = (ROOT / "assets" / "engine" / "questions.js").read_text("utf-8")
    listed = set(re.findall(r"^  (\w+)(?:,|:)", text, re.MULTILINE))
    asked = {name for one in exhibits.load() for name in one.questions}
    away = {name for one in exhibits.load() for name in one.away}
    assert asked <= listed | away and away <= asked
    drawn = {"toy_table", "times"}  # checked below, or as another
    answered = set(
        re.findall(r"^  (\w+)[,:]", text.split("QUESTIONS = {")[1].split("};")[0], re.MULTILINE)
    )
    assert len(away) > 3 and not away & answered
    assert asked - {case[0] for case in CASES} - drawn - away == set()


@pytest.mark.parametrize("question", ["session", "arrays"])
def test_a_file_that_python_writes_says_that_it_needs_a_server(
    engine: Script, question: str
) -> None:
    assert engine.ask(sent(TEXTS[0], (question, {}, {})))["refusal"]["key"] == "published.server"


def test_the_proof_unpacks_by_the_same_types() -> None:
    """A question of its own types in Python has them in the browser, if the proof compares it."""
    source = (ROOT / "explorer" / "exhibits" / "proof" / "answers.js").read_text("utf-8")
    kinds = {"Int32Array": "i4", "Uint8Array": "u1", "Int8Array": "i1", "Uint16Array": "u2"}

    def table(name: str) -> dict[str, str]:
        block = source.split(f"const {name} = {{")[1].split("}")[0]
        return {field: kinds[kind] for field, kind in re.findall(r"(\w+): (\w+)", block)}

    own = {
        question: types
        for question, types in packing.OWN.items()
        if question != packing.RECORD and f"proved.question.{question}" not in WORDS
    }
    assert table("TYPES") == packing.TYPES and {"figure": table("FIGURE")} == own


@pytest.mark.parametrize(
    ("field", "question", "kind"),
    [
        ("weights", packing.RECORD, "u2"), ("weights", "positions", "f4"),
        ("mask", "stream", "u1"),
        ("cells", "figure", "i1"), ("cells", "summary", "f4"),
        ("log_probs", packing.RECORD, "f4"), ("ids", packing.RECORD, "i4"),
    ],
)  # fmt: skip
def test_a_fields_type_may_belong_to_one_question(field: str, question: str, kind: str) -> None:
    assert packed_type(field, question) == kind


def test_what_is_drawn_there_keeps_its_promise(engine: Script, explainer: Explainer) -> None:
    """Random tables come from another generator; what they are drawn for holds."""
    drawn = ("toy_table", {"seed": 5, "length": 3}, {})
    times = ("times", {"first": 0, **DRAWN}, {})
    cost = ("cost", {}, {})
    table, seconds, away = (engine.ask(sent(TEXTS[0], case)) for case in (drawn, times, cost))
    rows = table["payload"]["table"]
    best = exhaustive(rows, 3)[0]
    assert toy_search(rows, 2, 3, method="greedy").hypotheses[0].text != best.text
    assert table["payload"]["beam_wins"] == (toy_search(rows, 2, 3).hypotheses[0].text == best.text)
    assert all(0 < one < 60 for one in seconds["payload"]["seconds"])
    assert away["refusal"]["key"] == "published.torch"


@pytest.mark.parametrize(("weights", "changes"), [("cheat", {"causal_mask": False}), ("0.00", {})])
def test_a_record_of_other_weights_is_that_of_python(
    engine: Script, explainer: Explainer, weights: str, changes: dict[str, Any]
) -> None:
    ids = explainer.explain(TEXTS[0]).trace.tgt_out.ids.tolist()
    raw = {"text": TEXTS[0], "settings": {"method": "greedy"}, "prefix": ids, "longest": len(ids)}
    raw |= {"weights": weights, "interventions": changes, "parts": ["steps"], "model": ""}
    reply = engine.ask(raw)["payload"]
    made, changed = with_weights(explainer, weights), Interventions.from_dict(changes)
    wanted = made.trace(TEXTS[0], ids, interventions=changed)
    told = [step["log_prob"] for step in reply["steps"]]
    assert told == pytest.approx(wanted.log_prob.tolist(), abs=1e-3)
    search = made.explain(
        TEXTS[0], DecodeConfig("greedy", max_length=len(ids)), interventions=changed, prefix=ids
    ).search  # token by token, without a future even where the trace has one
    assert reply["hypotheses"][0]["log_prob"] == pytest.approx(
        search.hypotheses[0].log_prob, abs=1e-3
    )
    assert reply["parts"] == ["steps"] and "search" not in reply
    assert [one["id"] for one in reply["tgt_out"]] == ids
    refused = engine.ask(raw | {"weights": "0.99"})["refusal"]
    assert refused["key"] == "error.weights"
