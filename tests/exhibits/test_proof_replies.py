"""The proof on a page without a browser: each reply is altered before the page sees it, and the
engine of the page then runs in Node. Every question that a view asks is compared or named.
"""

from __future__ import annotations

import json
import time
from typing import Any

import numpy as np
import pytest

from explorer import exhibits
from explorer.exchange.packing import pack
from model.checkpoint import SHIPPED
from tests.parity.altered import numbers
from tests.stage import SECONDS, Desk, Node, Stage
from tests.tiers import IS_LONG, each

pytestmark = pytest.mark.slow

SENTENCES = ("I am a student.", "Why do we work?", "She reads a book.")
# The page's engine, in the same process, with the shipped model's files from the disk.
ENGINE = """async (folder) => {
    const { readFileSync } = process.getBuiltinModule("node:fs");
    const { serve } = await module("assets/engine/worker.js");
    const bytes = (address) => {
        const file = readFileSync(`${folder}/${address.split("/").at(-1)}`);
        return file.buffer.slice(file.byteOffset, file.byteOffset + file.length);
    };
    const read = (files) => Object.fromEntries(Object.entries(files).map(([name, file]) =>
        [name, Array.isArray(file) ? file.map(bytes) : bytes(file)]));
    globalThis.Worker = class {
        scope = { postMessage: (data) => this.onmessage({ data }) };
        constructor() { serve(this.scope); }
        postMessage({ given, ...call }) {
            const files = call.act === "open" ? { files: read(given.files) } : {};
            this.scope.onmessage({ data: { ...call, given: { ...given, ...files } } });
        }
        terminate() {}
    };
}"""
PROOF = """async () => {
    const { createReruns } = await module("explorer/exhibits/proof/again.js");
    const page = Object.create(headlight.page, { signal: { value: new AbortController().signal } });
    const record = page.record.get();
    globalThis.proof = null;
    const reruns = createReruns(page, page.again, () => {});
    reruns.start(record).then(() => { globalThis.proof = reruns.of(record); });
}"""
FOUND = """async () => {
    const { standing } = await module("assets/kit/proved.js");
    const { page } = headlight;
    const views = page.shared.exhibits.map(({ name }) => [name, standing(page, name)]);
    const { error, answers } = globalThis.proof;
    const rows = [...answers.values()].filter((row) => row !== null);
    const same = [...page.proved.get().answers].filter(([, isSame]) => isSame);
    return {
        error,
        count: rows.reduce((sum, one) => sum + one.count, 0),
        off: rows.reduce((sum, one) => sum + one.off, 0),
        same: same.map(([{ question }]) => question),
        views: Object.fromEntries(views),
    };
}"""
ASK = """({ question, view, args, changes }) => {
    const record = headlight.page.record.get();
    const settings = { ...record.settings, ...changes.settings };
    const subject = { ...record, ...changes, settings };
    return headlight.page.ask(question, args, subject, view).then(() => null);
}"""
IS_COMPARED = "() => globalThis.proof.progress === null"


Raw = dict[str, Any]
# For each question the place in its reply where a number is raised, or two texts are exchanged.
COMPARED: dict[str, tuple[tuple[Any, ...], float]] = {
    "decoder_lens": (("spoken", 0, "log_prob"), -0.02),
    "dropout": (("values",), 0.01),
    "equivariance": (("after", 0), 0.0009),
    "figure": (("encoder", "embedding", "most"), 0.3),
    "heads_off": (("changes", 0), -0.0009),
    "looks": (("products",), 0.01),
    "looks_without": (("score",), 0.01),
    "lens": (("layers", 1, 0, 0, "log_prob"), -0.02),
    "microscope_head": (("entering",), 0.001),
    "near": (("tokens", 1, "cosine"), 0.0009),
    "next_token": (("log_probs",), 0.02),
    "occlusion": (("changes",), 0.02),
    "batch": (("scores", "values"), 0.02),
    "positions": (("target", "sum"), 0.02),
    "record": (("steps", 0, "log_prob"), -0.0009),
    "share": (("shares", 0), 0.0009),
    "smoothing": (("logits",), 0.02),
    "stream": (("fired", 0), 0.0009),
    "summary": (("cells",), 0.0009),
    "toy": (("hypotheses", 0, "log_prob"), -0.01),
    "transplant": (("changes", 8), 0.001),
    "transplant_heads": (("changes", 40), 0.001),
    "vocabulary": (("texts", 500), 0),
    "why": (("difference",), 0.01),
    "why_off": (("cross", 0, 0), 0.01),
}
NAMED: dict[str, tuple[tuple[Any, ...], float]] = {
    "anatomy": (("counted",), 1),
    "beside": (("cells",), 0.1),
    "catalogue": ((), 0),
    "cost": (("seconds", 0), 0.1),
    "curves": (("scores", 0, "bleu"), 1),
    "bleu": (("score",), 1),
    "gold": (("aer",), 0.1),
    "lesson": (("margin",), 1),
    "schedule": (("peak",), 0.0001),
    "scores": (("rows", 0, "aer"), 0.1),
    "toy_table": (("table", 0, 0), 0.1),
    "times": (("seconds", 0), 0.1),
}
# What a view asks after a press: the view, the arguments, what differs from the record on show.
HEAD = {"kind": "cross", "layer": 0, "head": 0}
PAIR = {"giver": "I am old.", "receiver": "I am young.", "step": 0, "first": 0}
UNORDERED = {"interventions": {"positions": "none", "sides": "source"}}
PRESSED: dict[str, tuple[str, Raw, Raw]] = {
    "anatomy": ("figure", {}, {}),
    "beside": ("attention", {**HEAD, "measure": "occlusion"}, {}),
    "decoder_lens": ("lens", {}, {}),
    "equivariance": ("experiments", {"seed": 4}, UNORDERED),
    "heads_off": ("experiments", {"first": 0}, {}),
    "lesson": ("lessons", {"lesson": "masks", "step": 1}, {}),
    "looks_without": (
        "looks",
        {**HEAD, "row": 1, "column": 0, "against": -1, "parts": ["position"]},
        {},
    ),
    "near": ("lens", {"side": "target", "id": 500}, {}),
    "record": ("experiments", {}, {"interventions": {"padding": 4, "padding_mask": False}}),
    "share": ("truth", {}, {}),
    "toy_table": ("toy", {"seed": 1, "length": 3}, {}),
    "transplant_heads": ("transplant", PAIR, {}),
}
FAILING = {
    "cheat", "compare", "dropout", "experiments", "figure", "learn", "lens", "looks", "masks",
    "microscope", "positions", "sampling", "smoothing", "stream", "summaries", "toy",
    "transplant", "truth", "why",
}  # fmt: skip
ALL = tuple(name for name in exhibits.NAMES if name != "proof")  # which would run by itself
FEW = ("attention", "compare", "sampling", "transplant")
AGAIN = FAILING & {*FEW, "toy"}  # whose replies are the model's
UNCOMPARED = {*NAMED, "cheat", "learn"}


def raised(value: Any, by: float) -> Any:
    """A number, or the first of packed numbers, by so much larger."""
    if not isinstance(value, str):
        return value + by
    array = numbers(value, np.dtype("<f4"))
    array[np.flatnonzero(np.isfinite(array))[0]] += np.float32(by)
    return pack(array)


def altered(payload: Any, path: tuple[Any, ...], by: float) -> None:
    for part in path[:-1]:
        payload = payload[part]
    last = path[-1]
    if by:
        payload[last] = raised(payload[last], by)
    else:
        payload[last], payload[last + 1] = payload[last + 1], payload[last]


class Wrong:
    """A server that raises a number in each reply to some questions."""

    def __init__(self, questions: set[str], place: tuple[Any, ...] | None = None) -> None:
        self.questions, self.place = questions, place
        self.seen: set[str] = set()

    def __call__(self, request: Raw, text: str) -> str:
        question = request.get("question", "record")
        said = json.loads(text)
        self.seen.add(question)
        path, by = {**COMPARED, **NAMED}.get(question, ((), 0.0))
        path = path if self.place is None else self.place
        is_record = question == "record"
        if question in self.questions and path and said.get("payload"):
            payload = said["payload"]
            for one in payload if isinstance(payload, list) else [payload]:
                if path[0] in one:  # a record in parts may lack it
                    altered(one, path, by)
        elif is_record:
            return text
        return json.dumps(said)


def run(page: Stage) -> None:
    """Start the proof and wait for it: it computes in this process, so nothing rests meanwhile."""
    page.command("evaluate", script=PROOF, given=None, restless=True)
    until(page, "() => globalThis.proof !== null")


def until(page: Stage, script: str) -> None:
    end = time.monotonic() + SECONDS
    while not page.command("holds", script=script, given=None):
        assert time.monotonic() < end, script
        page.command("pass", ms=100, restless=True)


def found(page: Stage) -> Raw:
    """The views that fail, what is named beside the marks of the views, and what is the same."""
    told: Raw = page.evaluate(FOUND)
    assert told["error"] is None
    views: dict[str, Raw] = told["views"]
    failing = {name for name, one in views.items() if one["state"] == "fails"}
    named = {name: set(one["without"]) for name, one in views.items() if one["without"]}
    older = {name for name, one in views.items() if one["state"] == "older"}
    return {**told, "failing": failing, "named": named, "older": older}


def visited(page: Stage, names: tuple[str, ...]) -> None:
    for name in names:
        page.choose(exhibit=name)


def ask(page: Stage, question: str, view: str, args: Raw, changes: Raw) -> None:
    page.evaluate(ASK, {"question": question, "view": view, "args": args, "changes": changes})


def opened(node: Node, desk: Desk) -> Stage:
    page = Stage(node, desk).open(f"?view=steps&text={SENTENCES[0]}")
    page.evaluate(ENGINE, str(SHIPPED))
    return page


@each("altered_at", ((0, 2), (0, 1)), 1)
def test_what_is_shown_is_compared_or_named_after_one_two_and_three_sentences(
    altered_at: tuple[int, int], node: Node, desk: Desk
) -> None:
    page = opened(node, desk)
    for i, text in enumerate(SENTENCES):
        wrong = Wrong({*COMPARED, *NAMED})
        page.change(None)
        if i:
            page.translate(text)  # the sentence itself is right: a view fails by its own replies
        page.change(wrong if i in altered_at else None)
        # Where the views have failed before, a few tell whether they do so again.
        is_whole = i in altered_at and (IS_LONG or i == altered_at[0])
        visited(page, ALL if is_whole else FEW)
        for question, asked in PRESSED.items() if is_whole else ():
            ask(page, question, *asked)
        run(page)
        now = found(page)
        assert now["count"] > 10_000 and now["older"] == set()
        if i in altered_at:
            assert wrong.seen <= {*COMPARED, *NAMED}, "a question without a row here"
            assert now["failing"] == (FAILING if is_whole else AGAIN) and now["same"] == []
            assert not is_whole or set().union(*now["named"].values()) == UNCOMPARED
        else:
            # Their replies are the model's, or about sentences of their own.
            assert now["failing"] == {"sampling", "toy", "transplant"}
            assert now["named"]["attention"] == {"catalogue"}
    page.command("close")


def test_what_comes_after_the_run_is_compared_as_it_comes(node: Node, desk: Desk) -> None:
    """A view that is opened for the first time, or left before its replies came."""
    page = opened(node, desk)
    run(page)
    page.change(Wrong({"lens"}))
    visited(page, ("dropout", "lens"))
    until(page, IS_COMPARED)
    now = found(page)
    assert now["failing"] == {"lens"} and now["older"] == set()
    assert "dropout" in now["same"] and now["off"] == 1
    page.command("close")


def test_each_number_of_a_choice_is_compared(node: Node, desk: Desk) -> None:
    page = opened(node, desk)
    run(page)
    shares = [("decoder_self", 0, 1, 0), ("cross", 2, 7, 1), ("feed_forward", 0), ("biases", 2)]
    parts = [("difference",), ("left",), ("embedding",), ("position",), ("output_bias",), *shares]
    places: list[tuple[str, Any]] = [("why", None), *(("why", one) for one in parts)]
    places += [("why_off", ("decoder_self", 0, 7)), ("why_off", ("cross", 2, 0))]
    for i, (question, place) in enumerate(places):
        page.change(None if place is None else Wrong({question}, place))
        ask(page, question, "why", {"step": i % 4, "rival": 100 + i}, {})
        until(page, IS_COMPARED)
        assert found(page)["off"] == i, place
    page.command("close")


def test_the_proof_repeats_twelve_records_and_a_refused_one_is_one_difference(
    node: Node, desk: Desk
) -> None:
    """The oldest is not compared, and the mark says so; what Python would refuse fails alone."""
    page = opened(node, desk)
    honest: list[Raw] = []

    def change(request: Raw, text: str) -> str:
        """A record in the place of a refusal."""
        said = json.loads(text)
        honest.append(said)
        if request["settings"]["beam_size"] == 999:
            said = {**honest[0], "number": said["number"]}
        return json.dumps(said)

    page.change(change)
    for i in range(13):
        ask(page, "record", "compare", {}, {"settings": {"method": "greedy", "seed": i}})
    run(page)
    now = found(page)
    assert now["same"] == ["record"] * 12 and now["older"] == {"compare"}
    ask(page, "record", "cheat", {}, {"settings": {"beam_size": 999}})
    until(page, IS_COMPARED)
    now = found(page)
    assert now["failing"] == {"cheat"} and now["off"] == 1
    assert now["same"] == ["record"] * 12, "the oldest was compared before it went"
    page.command("close")
