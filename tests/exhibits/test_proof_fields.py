"""Every field of an explanation's payload, changed on its way: the proof notices, or says why."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page
from torch import Tensor

from explorer.exchange import payload
from explorer.exchange.explain import explain
from explorer.exchange.packing import pack
from explorer.exchange.question import Arguments
from explorer.exchange.request import Request
from explorer.exhibits.proof import EXHIBIT as PROOF
from model import decoding
from model.arrays import Doubles, Ints
from model.beams import SentenceSearch
from model.config import DecodeConfig
from model.explain import Explainer
from model.sampling import Mulberry32
from tests.browsing import Watched
from tests.today import some

pytestmark = pytest.mark.browser

Open = Callable[..., Watched]
SENTENCE = "My grandmother's violin 🎻 hummed."  # doubted by the model
Path = tuple[Any, ...]

# What no identity watches, and why. A pattern names all the fields of its kind.
UNWATCHED = {
    "seconds": "a measured time; there is nothing to recompute it from",
    "doubt.signs.source": "follows from the weights alone; the model that runs again tells it",
    "model.key": "a name that only says where to ask",
    "model.name": "a name, not a number; no sum has it",
    "model.device": "a name",
    "model.revision": "a name",
    "model.examples": "texts that are offered, not computed with",
    "model.codes": "texts that are offered, not computed with",
    "model.tokens": "a limit of the input, which no result depends on",
    **dict.fromkeys(
        (
            f"model.defaults.{name}"
            for name in ("method", "beam_size", "length_penalty", "penalty_form", "temperature")
        ),
        "what the settings start with; this search's own are in `settings`",
    ),
    **dict.fromkeys(
        (f"model.defaults.{name}" for name in ("top_k", "top_p", "seed", "no_repeat")),
        "what the settings start with; this search's own are in `settings`",
    ),
    "settings.temperature": "beam search does not use it",
    "settings.top_k": "beam search does not use it",
    "settings.top_p": "beam search does not use it",
    "settings.seed": "beam search does not use it",
}

PACKED = {"mask": "u1", "weights": "<u2", "parents": "<i4", "ids": "<i4", "log_probs": "<f4"}
PACKED |= {"totals": "<f4", "fates": "u1", "forced": "u1"}
ASKED = ("interventions.positions",)  # noticed only in what the model says when it is asked so
OTHER: dict[str, Any] = {  # a change that is no mistake by itself
    "doubt": {"reasons": []},
    "node": [0, 0],
    "prefix": [5],
    "model.examples": ["abc"],
    "model.codes": [">>abc<<"],
    "interventions.heads_off": [["cross", 0, 0]],
    "interventions.cross_off": [0],
    "interventions.cells": [["cross", 0, 0, False]],
    "interventions.positions": "none",
    "interventions.sides": "source",
    "model.revision": "x",
    "settings.penalty_form": "gnmt",
    "settings.method": "greedy",
}

BROKEN = """async ([payload, edits, asked]) => {
    const names = performance.getEntriesByType('resource').map((entry) => entry.name);
    const kit = names.find((name) => name.endsWith('/assets/kit/page.js'));
    const load = (path) => import(new URL('../../' + path, kit).href);
    const { decode } = await load('assets/kit/payload.js');
    const { createMatrices } = await load('assets/kit/sublayer.js');
    const proof = 'explorer/exhibits/proof/';
    const { gather, nothingYet } = await load(proof + 'evidence.js');
    const { layersProve, prove } = await load(proof + 'identities.js');
    const { verdict } = await load(proof + 'result.js');
    const { page } = window.headlight;
    const matrices = createMatrices();

    async function evidenceOf(record) {
        const evidence = nothingYet();
        const ask = window.answer ?? ((question, args) => page.ask(question, args, record));
        const facts = page.shared.constants.proof;
        await gather(record, evidence, { ask, arrived: async () => {}, facts, matrices });
        return evidence;
    }
    const broken = (record, evidence, layers) =>
        Object.entries(prove(record, evidence, layers))
            .filter(([, one]) => one === null || verdict(one) !== 'holds').map(([name]) => name);

    const truth = await decode(payload);
    const evidence = await evidenceOf(truth);
    const layers = layersProve(truth, evidence);
    const found = [broken(truth, evidence, layers)];
    for (const [path, value] of edits) {
        const copy = structuredClone(payload);
        const parent = path.slice(0, -1).reduce((part, key) => part[key], copy);
        parent[path.at(-1)] = value;
        try {
            const record = await decode(copy);
            const isSame = !['attention', 'interventions'].includes(path[0]);
            let lines = broken(record, evidence, isSame ? layers : layersProve(record, evidence));
            if (lines.length === 0 && asked.includes(path.join('.'))) {
                const own = await evidenceOf(record);
                lines = broken(record, own, layersProve(record, own));
            }
            found.push(lines);
        } catch (error) {
            found.push([`refused: ${error.message}`]);
        }
    }
    return found;
}"""


def leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every value of a payload that is no list or object, and every list that is empty."""
    if isinstance(value, dict):
        for key, one in value.items():
            yield from leaves(one, (*path, key))
    elif isinstance(value, list) and value:
        for i, one in enumerate(value):
            yield from leaves(one, (*path, i))
    else:
        yield path, value


def pattern(path: Path) -> str:
    """A field's name: the places in lists, and the ids of labels, are stars."""
    starred = ["*" if isinstance(part, int) or str(part).isdigit() else part for part in path]
    return ".".join(starred)


def changed(path: Path, value: Any) -> list[Any]:
    """Some other values for a field."""
    name = path[-1]
    if pattern(path) in OTHER:
        return [OTHER[pattern(path)]]
    if name in PACKED and path[0] in ("search", "attention") and isinstance(value, str):
        return [repacked(value, name, place) for place in (0.0, 0.5, 1.0)]
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1]
    if isinstance(value, float):
        return [value + 0.01]
    assert isinstance(value, str), path
    return [f"{value}x"]


def repacked(text: str, name: str, place: float) -> str:
    """Packed numbers, the one at a share of their length changed."""
    dtype = np.dtype(PACKED[name])
    planes = np.frombuffer(zlib.decompress(base64.b64decode(text)), np.uint8)
    array = np.frombuffer(planes.reshape(dtype.itemsize, -1).T.tobytes(), dtype).copy()
    at = int(place * (len(array) - 1))
    if name == "mask":
        array[at] ^= 128  # the first cell of these eight
    elif name == "weights":
        array[at] = (int(array[at]) + 655) % 65_536  # a hundredth, in steps of 1/65535
    elif name == "forced":
        array[at] ^= 1
    elif name == "fates":
        array[at] = (array[at] + 1) % 4
    else:
        array[at] += 0.01 if dtype.kind == "f" else 1
    return pack(array)


def edits(sent: dict[str, Any]) -> list[tuple[Path, Any]]:
    """The first and the last field of each kind, with other values."""
    kinds: dict[str, list[tuple[Path, Any]]] = {}
    for path, value in leaves(sent):
        kinds.setdefault(pattern(path), []).append((path, value))
    chosen = [one for found in kinds.values() for one in (found[:1] + found[1:][-1:])]
    return [(path, other) for path, value in chosen for other in changed(path, value)]


def unnoticed(page: Page, sent: dict[str, Any], tried: list[tuple[Path, Any]]) -> set[str]:
    """The fields whose change breaks no line; what is true must hold."""
    sent["search"]["labels"] = {str(i): one for i, one in sent["search"]["labels"].items()}
    page.set_default_timeout(600_000)
    given = [sent, [[list(path), other] for path, other in tried], list(ASKED)]
    truth, *found = page.evaluate(BROKEN, given)
    assert truth == [], "what is true must hold"
    return {pattern(path) for (path, _), lines in zip(tried, found, strict=True) if not lines}


def test_every_field_is_watched_or_named(open_page: Open, explainer: Explainer) -> None:
    sent = payload.build(explainer.explain(SENTENCE, DecodeConfig(max_length=128)), explainer)
    assert sent["doubt"] is not None, "without one its fields would not be tried"
    tried = edits(sent)
    page = open_page("?view=steps").page
    assert unnoticed(page, sent, tried) == set(UNWATCHED)
    assert len({pattern(path) for path, _ in tried}) - len(UNWATCHED) > 60


DRAWN = DecodeConfig(method="sampling", seed=3, temperature=2.0, top_k=40, top_p=0.9)


def test_the_settings_of_a_draw_are_watched(open_page: Open, explainer: Explainer) -> None:
    """Under sampling only the size of the beam is not used."""
    config = replace(DRAWN, max_length=128)
    sent = payload.build(explainer.explain("I have never been to China.", config), explainer)
    others = {"seed": 4, "temperature": 0.7, "top_k": 2, "top_p": 0.2, "no_repeat": 1}
    others |= {"length_penalty": 0.5, "penalty_form": "gnmt", "method": "greedy", "beam_size": 5}
    assert set(others) == set(sent["settings"])
    tried: list[tuple[Path, Any]] = [(("settings", name), one) for name, one in others.items()]
    page = open_page("?view=steps").page
    assert unnoticed(page, sent, tried) == {"settings.beam_size"}


# ------------------------------------------------------------ searches that are wrong throughout


class StopsAtFirst(SentenceSearch):
    """Takes the first hypothesis that ends for the best."""

    def _may_improve(self, live: list[Any]) -> bool:
        return bool(live) and not self.finished


class SkipsSecond(SentenceSearch):
    """Never looks at the second-best token of a row."""

    def advance(self, log_probs: Tensor, top: Doubles, top_ids: Ints) -> list[int]:
        left = [0, *range(2, top.shape[1])]
        return super().advance(log_probs, top[:, left], top_ids[:, left])


class IgnoresSeed(SentenceSearch):
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.generator = Mulberry32(99)


class IgnoresTemperature(SentenceSearch):
    def _draw(self, log_probs: Doubles) -> Any:
        config = self.config
        self.config = replace(config, temperature=1.0)
        try:
            return super()._draw(log_probs)
        finally:
            self.config = config


class ListsWorst(SentenceSearch):
    """Keeps the worst of the finished hypotheses where it should keep the best."""

    def _finish(self, beam: Any) -> None:
        self.finished.append((beam.total / self.config.penalty(len(beam.ids)), beam))
        self.finished.sort(key=lambda pair: pair[0])
        del self.finished[self.n_beams :]
        self.finished.sort(key=lambda pair: -pair[0])


@pytest.mark.parametrize(
    ("wrong", "config", "lines"),
    some(
        [
            (StopsAtFirst, DecodeConfig(), {"stop"}),
            (SkipsSecond, DecodeConfig(), {"best"}),
            (IgnoresSeed, DRAWN, {"draw"}),
            (IgnoresTemperature, DRAWN, {"draw"}),
            (ListsWorst, DecodeConfig(), {"dropped"}),
        ],
        2,
    ),
)
def test_a_search_that_is_wrong_throughout_is_noticed(
    open_page: Open,
    explainer: Explainer,
    monkeypatch: pytest.MonkeyPatch,
    wrong: type[SentenceSearch],
    config: DecodeConfig,
    lines: set[str],
) -> None:
    """The whole server searches so, and answers the proof's questions about what it found: its
    numbers all fit one another, but not the rules of the method."""
    request = Request("I have never been to China.", replace(config, max_length=128))
    right = explain(explainer, request)
    monkeypatch.setattr(decoding, "SentenceSearch", wrong)
    explainer.forget()
    made = explain(explainer, request)
    hypotheses = [one.ids for one in made.search.hypotheses]
    assert hypotheses != [one.ids for one in right.search.hypotheses], "this search is not wrong"

    def answer(question: str, arguments: dict[str, Any] | None = None) -> Any:
        return PROOF.questions[question](explainer, request, Arguments(arguments or {}))

    sent = payload.build(made, explainer)
    sent["search"]["labels"] = {str(i): one for i, one in sent["search"]["labels"].items()}
    page = open_page("?view=steps", keep=False).page
    page.expose_function("answer", answer)
    page.set_default_timeout(600_000)
    found = set(page.evaluate(BROKEN, [sent, [], []])[0])
    explainer.forget()
    assert found == lines
