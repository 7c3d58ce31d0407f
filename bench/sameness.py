"""The browser's engine, in Node, against Python on held-out sentences of every domain.

    python -m bench sameness --data runs/mine/data/dev.tsv runs/mine/data/test.tsv

Without --data, the held-out part is split off the training data in ../shared/data as in training.
It compares the ids of the source and of all hypotheses, the log-probs of the hypotheses and of each
token of the best one, and all attention weights. --few limits the sentences for ten beams and for
seeds. In each method's first answer without a tie, a fault is planted in each part and must be
detected. The command exits with 1 if anything differs.
"""

from __future__ import annotations

import base64
import copy
import json
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from explorer.exchange.explain import explain
from explorer.exchange.request import parse
from model.config import KINDS
from model.explain import Explainer
from model.sampling import Mulberry32
from model.text.chinese import simplified
from model.trace import Explanation
from model.training import corpus
from tests import npm
from tests.parity.engine import METHODS, NEAR, Engine, compared

ROOT = Path(__file__).parents[1]
SCRIPT = ROOT / "tests" / "parity" / "sameness.mjs"
SHARED = ROOT.parent / "shared" / "data"
RULES = corpus.Filter(40, "LATIN", "CJK", 3)  # those of the shipped model's training
SHARES = (0.015, 0.03)  # shares held out for development and test
COUNT = 500
ENGINES = 2  # processes of the browser's engine, of which each needs a core
LIMITS = {"log-probs": 1e-4, "attention": 1e-5}
PARTS = ("source ids", "hypotheses", *LIMITS)
LEFT_OUT = {"beam sampling", "top-p, no repeats"}
ASKED = {name: one for name, one in METHODS.items() if name not in LEFT_OUT}
CHEAP = ("greedy", "beam 4")  # for all sentences
Answer = dict[str, Any]


class Found(NamedTuple):
    """The parts whose ids differ, the largest difference of the others, and whether it is a tie."""

    unequal: set[str]
    largest: dict[str, float]
    tie: bool = False

    @property
    def off(self) -> set[str]:
        return self.unequal | {
            name for name, one in self.largest.items() if not one <= LIMITS[name]
        }


class Tally:
    """The results for one method."""

    def __init__(self) -> None:
        self.sentences = self.ties = self.hypotheses = 0
        self.off = Counter[str]()
        self.largest = dict.fromkeys(LIMITS, 0.0)
        self.missed = set(PARTS)  # parts whose planted fault was not detected

    def add(self, found: Found, answer: Answer) -> None:
        self.sentences += 1
        self.ties += found.tie
        self.hypotheses += len(answer["hypotheses"])
        self.off.update(found.off)
        for name, one in found.largest.items():
            self.largest[name] = max(self.largest[name], one)

    def __str__(self) -> str:
        off = ", ".join(f"{self.off[name]} {name} off" for name in PARTS if self.off[name])
        missed = f"; not noticed: {', '.join(sorted(self.missed))}" if self.missed else ""
        most = ", ".join(f"{name} {one:.1e}" for name, one in self.largest.items())
        counts = f"{self.sentences} sentences, {self.hypotheses} hypotheses, {self.ties} ties"
        return f"{counts}; {off or 'ids equal'}; {most}{missed}"


def measure(
    data: Sequence[Path] = (), count: int = COUNT, few: int = COUNT
) -> Iterator[tuple[str, str]]:
    """One row for each method; raises SystemExit if something was off."""
    texts, domains = drawn(held_out(data), count)
    yield "held-out sentences, domains", f"{len(texts)}, {domains}"
    explainer = Explainer.load(None, device="cpu")
    requests = [
        (name, {"text": text, "settings": settings, "interventions": {}})
        for i, text in enumerate(texts)
        for name, settings in ASKED.items()
        if i < few or name in CHEAP
    ]
    tallies = {name: Tally() for name in ASKED}
    started = time.perf_counter()
    answers = run_engine(explainer, [request for _, request in requests])
    for (name, request), answer in zip(requests, answers, strict=True):
        tally, ours = tallies[name], explain(explainer, parse(request))
        found = judged(explainer, request, answer, ours)
        if tally.sentences == tally.ties and not found.tie:  # a tie's numbers are not compared
            tally.missed = set(PARTS) - noticed(explainer, request, answer, ours)
        tally.add(found, answer)
    yield from tallies_of(tallies)
    yield "seconds in all", f"{time.perf_counter() - started:.0f}"
    if any(one.off or one.missed for one in tallies.values()):
        raise SystemExit(1)


def tallies_of(tallies: dict[str, Tally]) -> Iterator[tuple[str, str]]:
    """The rows of the table, and the number of planted faults detected."""
    yield from ((name, str(one)) for name, one in tallies.items())
    faults, missed = len(PARTS) * len(tallies), sum(len(one.missed) for one in tallies.values())
    yield "planted faults that were noticed", f"{faults - missed} of {faults}"


def held_out(data: Sequence[Path]) -> list[corpus.Line]:
    """The lines of the files, or the part of the training data that training leaves out."""
    if data:
        return [line for file in data for line in corpus.read_lines(file)]
    files = sorted(SHARED.glob("*.tsv"))
    if not files:
        raise SystemExit(f"{SHARED} holds no training data; name held-out files with --data.")
    lines = [line for file in files for line in corpus.read_lines(file, simplified)]
    parts = corpus.split(corpus.cleaned(lines, RULES)[0], *SHARES)
    return [*parts.dev, *parts.test]


def drawn(lines: Sequence[corpus.Line], count: int) -> tuple[list[str], int]:
    """Draw enough distinct sentences from all domains in turn; count the domains."""
    queues: dict[str, list[str]] = {}
    for line in {line.source: line for line in lines}.values():
        queues.setdefault(line.domain, []).append(line.source)
    longest = max(map(len, queues.values()))
    turns = [queue[i] for i in range(longest) for queue in queues.values() if i < len(queue)]
    return turns[:count], len(queues)


def run_engine(explainer: Explainer, requests: Sequence[dict[str, Any]]) -> Iterator[Answer]:
    """The engine's answer to each request, in order, from ENGINES processes that work in turn."""
    folder = explainer.folder
    assert folder is not None
    joint = (folder / "tokenizer.model").exists()
    tokenizers = ["tokenizer.model"] if joint else ["source.spm", "target.spm"]
    given = {"folder": str(folder), "tokenizers": tokenizers}
    with ExitStack() as stack:
        parts = [
            stack.enter_context(_engine({**given, "requests": list(requests[i::ENGINES])}))
            for i in range(ENGINES)
        ]
        for i in range(len(requests)):
            yield json.loads(next(parts[i % ENGINES]))


@contextmanager
def _engine(given: dict[str, Any]) -> Iterator[Iterator[str]]:
    """The lines that one process writes for its requests."""
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
        json.dump(given, file)
        file.flush()
        command = [npm.node(), str(SCRIPT), file.name]
        with subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8") as process:
            assert process.stdout is not None
            yield process.stdout
        assert process.returncode == 0, "the engine stopped with an error, see above"


def judged(
    explainer: Explainer, request: dict[str, Any], answer: Answer, ours: Explanation
) -> Found:
    """The differences, unless a tie explains them."""
    found = compare(answer, ours)
    if found.unequal == {"hypotheses"} and is_tie(explainer, request, answer, ours):
        return Found(set(), {}, tie=True)
    return found


def compare(answer: Answer, ours: Explanation) -> Found:
    """Compare one answer of the engine with Python's."""
    hypotheses, trace = ours.search.hypotheses, ours.trace
    unequal = set()
    if answer["source"] != trace.src.ids.tolist():
        unequal.add("source ids")
    if answer["hypotheses"] != [list(one.ids) for one in hypotheses]:
        unequal.add("hypotheses")
    if unequal:
        return Found(unequal, {})
    sums = [one.log_prob for one in hypotheses]
    expected = [*sums, *trace.log_prob]
    largest = {"log-probs": apart(np.array(answer["log_probs"]), np.array(expected))}
    largest["attention"] = max(
        apart(opened(answer["attention"][kind]), trace.attention(kind).weights.ravel())
        for kind in KINDS
    )
    return Found(unequal, largest)


def opened(text: str) -> np.ndarray:
    """Unpack float32 numbers."""
    return np.frombuffer(base64.b64decode(text), "<f4")


def apart(one: np.ndarray, other: np.ndarray) -> float:
    """The largest difference of two arrays; infinite if one lacks a number."""
    if one.shape != other.shape:
        return float("inf")
    return float(np.abs(one - other).max())


def is_tie(
    explainer: Explainer, request: dict[str, Any], answer: Answer, ours: Explanation
) -> bool:
    """True if the hypotheses differ only in order, or from a step with tied candidates."""
    if ours.config.method == "sampling":
        return is_close_draw(explainer, answer, ours)
    theirs = list(map(tuple, answer["hypotheses"]))
    if sorted(theirs) == sorted(one.ids for one in ours.search.hypotheses):
        scores = {one.ids: one.score for one in ours.search.hypotheses}
        placed = zip(theirs, ours.search.hypotheses, strict=True)
        return all(abs(scores[ids] - one.score) <= NEAR for ids, one in placed)
    with Engine() as engine:
        ((_, found),) = compared(engine, explainer, [request])
    return found.tie


def is_close_draw(explainer: Explainer, answer: Answer, ours: Explanation) -> bool:
    """True if the draw at the first difference was within NEAR of both tokens' border."""
    end = explainer.rules.end_id
    (theirs,), own = answer["hypotheses"], ours.trace.tgt_out.ids.tolist()
    pairs = zip([*theirs, end], own, strict=False)
    step = next((t for t, (one, other) in enumerate(pairs) if one != other), None)
    if step is None:
        return False
    other = [*theirs, end][step]
    generator = Mulberry32(ours.config.seed)
    point = [generator.uniform() for _ in range(step + 1)][-1]
    shares = np.exp(explainer.next_log_probs(ours.text, own[:step]).astype(float))
    sums = np.cumsum(shares / shares.sum())
    below = [float(sums[i - 1]) if i else 0.0 for i in (own[step], other)]
    above = [float(sums[i]) for i in (own[step], other)]
    return all(a - NEAR <= point <= b + NEAR for a, b in zip(below, above, strict=True))


def noticed(
    explainer: Explainer, request: dict[str, Any], answer: Answer, ours: Explanation
) -> set[str]:
    """The parts in which a wrong number is detected and not mistaken for a tie."""
    return {
        name
        for name, plant in PLANTS.items()
        if name in judged(explainer, request, plant(answer), ours).off
    }


def _source(answer: Answer) -> None:
    answer["source"][0] += 1


def _hypotheses(answer: Answer) -> None:
    answer["hypotheses"][-1][0] //= 2  # far away: a neighbour of a rare token may be a tie


def _log_probs(answer: Answer) -> None:
    answer["log_probs"][-1] += 2 * LIMITS["log-probs"]


def _attention(answer: Answer) -> None:
    weights = opened(answer["attention"]["cross"]).copy()
    weights[-1] += 2 * LIMITS["attention"]
    answer["attention"]["cross"] = base64.b64encode(weights.tobytes()).decode()


def planted(change: Callable[[Answer], None]) -> Callable[[Answer], Answer]:
    """A copy of an answer with a fault in it."""

    def changed(answer: Answer) -> Answer:
        other = copy.deepcopy(answer)
        change(other)
        return other

    return changed


PLANTS = dict(zip(PARTS, map(planted, (_source, _hypotheses, _log_probs, _attention)), strict=True))
