"""The proof on a page without a browser: each reply is altered before the page sees it, and the
engine of the page then runs in Node. Every question that a view asks is compared or named.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from explorer import exhibits
from explorer.exchange.packing import pack
from model.checkpoint import SHIPPED
from tests.parity.altered import numbers
from tests.stage import Desk, Node, Stage

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
    const count = answers.reduce((sum, one) => sum + one.count, 0);
    return { error, count, views: Object.fromEntries(views) };
}"""


Raw = dict[str, Any]
# For each question the place in its reply where a number is raised, or two texts are exchanged.
COMPARED: dict[str, tuple[tuple[Any, ...], float]] = {
    "dropout": (("values",), 0.01),
    "figure": (("encoder", "embedding", "most"), 0.3),
    "lens": (("layers", 1, 0, 0, "log_prob"), -0.02),
    "microscope_head": (("entering",), 0.001),
    "next_token": (("log_probs",), 0.02),
    "occlusion": (("changes",), 0.02),
    "batch": (("scores", "values"), 0.02),
    "positions": (("target", "sum"), 0.02),
    "record": (("steps", 0, "log_prob"), -0.0009),
    "smoothing": (("logits",), 0.02),
    "stream": (("fired", 0), 0.0009),
    "summary": (("cells",), 0.0009),
    "toy": (("hypotheses", 0, "log_prob"), -0.01),
    "vocabulary": (("texts", 500), 0),
}
NAMED: dict[str, tuple[tuple[Any, ...], float]] = {
    "catalogue": ((), 0),
    "cost": (("seconds", 0), 0.1),
    "curves": (("scores", 0, "bleu"), 1),
    "bleu": (("score",), 1),
    "gold": (("aer",), 0.1),
    "learn": (("log_probs", 0), -0.1),
    "schedule": (("peak",), 0.0001),
    "scores": (("rows", 0, "aer"), 0.1),
    "times": (("seconds", 0), 0.1),
    "why": (("difference",), 2),
    "why_off": (("cross", 0, 0), 0.1),
    "transplant": ((), 0),
}
FAILING = {
    "cheat", "compare", "dropout", "experiments", "figure", "lens", "masks", "microscope",
    "positions", "sampling", "smoothing", "stream", "summaries", "toy",
}  # fmt: skip


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

    def __init__(self, questions: set[str]) -> None:
        self.questions = questions
        self.seen: set[str] = set()

    def __call__(self, request: Raw, text: str) -> str:
        question = request.get("question", "record")
        said = json.loads(text)
        self.seen.add(question)
        path, by = {**COMPARED, **NAMED}.get(question, ((), 0.0))
        is_record = question == "record"
        if question in self.questions and path and said.get("payload"):
            payload = said["payload"]
            for one in payload if isinstance(payload, list) else [payload]:
                altered(one, path, by)
        elif is_record:
            return text
        return json.dumps(said)


def found(page: Stage) -> tuple[set[str], dict[str, set[str]]]:
    """The views that fail, and what is named beside the marks of the views."""
    page.evaluate(PROOF)
    page.wait_for_process(lambda: bool(page.evaluate("globalThis.proof !== null")), "the proof")
    told = page.evaluate(FOUND)
    assert told["error"] is None and told["count"] > 10_000
    views: dict[str, Raw] = told["views"]
    failing = {name for name, one in views.items() if one["state"] == "fails"}
    assert all(one["state"] != "older" for one in views.values())
    return failing, {name: set(one["without"]) for name, one in views.items() if one["without"]}


def visited(page: Stage, wrong: Wrong | None, names: tuple[str, ...] = exhibits.NAMES) -> None:
    page.change(wrong)
    for name in names:
        page.choose(exhibit=name)
    page.change(None)


def test_what_is_shown_is_compared_or_named_after_one_two_and_three_sentences(
    node: Node, desk: Desk
) -> None:
    page = Stage(node, desk).open(f"?view=steps&text={SENTENCES[0]}")
    page.evaluate(ENGINE, str(SHIPPED))
    wrong = Wrong({*COMPARED, *NAMED})
    visited(page, wrong)
    assert wrong.seen <= {*COMPARED, *NAMED}, "a question without a row here"
    failing, named = found(page)
    assert failing == FAILING
    assert set().union(*named.values()) == {*NAMED, "cheat"}
    page.translate(SENTENCES[1])
    visited(page, None, ("attention", "compare", "sampling", "transplant"))
    kept = {"sampling", "toy"}  # their replies are the model's, asked for once
    failing, named = found(page)
    assert failing == kept
    assert named["attention"] == {"catalogue"} and named["transplant"] == {"transplant"}
    page.translate(SENTENCES[2])
    visited(page, Wrong({"record"}), ("attention", "compare", "experiments", "sampling"))
    failing, named = found(page)
    assert failing == kept | {"compare", "experiments"}
    assert named["attention"] == {"catalogue"} and named["transplant"] == {"transplant"}
    page.command("close")
