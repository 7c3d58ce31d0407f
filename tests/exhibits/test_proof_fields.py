"""Every field of an explanation's payload, changed on its way: the proof notices, or says why."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from explorer.exchange import payload
from explorer.exchange.packing import pack
from model.config import DecodeConfig
from model.explain import Explainer
from tests.browsing import Watched

pytestmark = pytest.mark.browser

SENTENCE = "The cat saw the other cat. 🐱"
Path = tuple[Any, ...]

# What no identity watches, and why. A pattern names all the fields of its kind.
UNWATCHED = {
    "seconds": "a measured time; there is nothing to recompute it from",
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
    "settings.no_repeat": "what it forbids is left out before the candidates are listed",
    "settings.temperature": "beam search does not use it",
    "settings.top_k": "beam search does not use it",
    "settings.top_p": "beam search does not use it",
    "settings.seed": "beam search does not use it",
    "interventions.padding_mask": "there is no padding to mask",
    "interventions.sides": "no side's positions are changed",
    "interventions.shift": "no positions are shifted",
    "interventions.position_seed": "no positions are shuffled",
}

PACKED = {"mask": "u1", "weights": "<u2", "parents": "<i4", "ids": "<i4", "log_probs": "<f4"}
PACKED |= {"totals": "<f4", "fates": "u1", "forced": "u1"}
ASKED = ("interventions.positions",)  # noticed only in what the model says when it is asked so
OTHER: dict[str, Any] = {  # a change that is no mistake by itself
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
        const ask = (question, args) => page.ask(question, args, record);
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


def test_every_field_is_watched_or_named(
    open_page: Callable[..., Watched], explainer: Explainer
) -> None:
    sent = payload.build(explainer.explain(SENTENCE, DecodeConfig(max_length=128)), explainer)
    sent["search"]["labels"] = {str(i): one for i, one in sent["search"]["labels"].items()}
    del sent["doubt"]  # read from log-probs and weights that are watched; null where there is none
    tried = edits(sent)
    page = open_page("?view=steps").page
    page.set_default_timeout(600_000)
    found = page.evaluate(
        BROKEN, [sent, [[list(path), other] for path, other in tried], list(ASKED)]
    )
    assert found[0] == [], "what is true must hold"
    unnoticed = {
        pattern(path) for (path, _), lines in zip(tried, found[1:], strict=True) if not lines
    }
    noticed = {pattern(path) for (path, _), lines in zip(tried, found[1:], strict=True) if lines}
    assert unnoticed == set(UNWATCHED)
    assert len(noticed) > 60
