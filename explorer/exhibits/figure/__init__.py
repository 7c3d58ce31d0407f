"""Figure 1 of the paper, drawn for the model and the sentence on the page, with their numbers.

The heads' maps and the next token's probabilities are in the payload already. The question adds the
vectors: every state between the layers, and for open layers the output of each block. Cells of
pictures are sent as the shades in which they are drawn, 8-bit whole numbers: the square root of a
number's share of the largest one, so that small numbers stay visible beside a few very large ones.
Lengths, which the picture shows as numbers, are sent as float32.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, cast, get_args

import numpy as np

from explorer.exchange.explain import explain
from explorer.exchange.packing import pack
from explorer.exchange.question import Arguments
from explorer.exchange.request import Request
from explorer.exhibit import Exhibit, Wanted
from explorer.openers import effects
from model.config import Head, Stack
from model.trace import Explanation

if TYPE_CHECKING:
    from model.explain import Explainer
    from model.labs.dissect import FeedForwardSubLayer, SubLayer
    from model.trace import Trace

STACKS: tuple[Stack, ...] = get_args(Stack)
MAX_LAYERS = 64  # of a stack, as in ModelConfig
FIRST_OPEN: dict[str, list[int]] = {"encoder": [0], "decoder": [0]}  # layers open at first
FULL = 127  # the shade of the largest number of a picture


def figure(explainer: Explainer, request: Request, arguments: Arguments) -> dict[str, Any]:
    """The vectors of both stacks: {config, encoder, decoder}.

    The arguments `encoder` and `decoder` list the layers whose blocks to include.
    """
    known = explainer
    trace = explain(explainer, request).trace
    wanted = {name: arguments.whole_list(name, MAX_LAYERS, 0, MAX_LAYERS - 1) for name in STACKS}
    return {
        "config": known.model.config.shown(),
        **{name: _stack(known, trace, name, wanted[name]) for name in STACKS},
    }


def anatomy(explainer: Explainer, request: Request, arguments: Arguments) -> dict[str, Any]:
    """The model's table of weights, and the actual number of its parameters."""
    from model.labs.parameters import parameter_table  # torch is imported with the first question

    model = explainer.model
    return {
        "parts": [dataclasses.asdict(part) for part in parameter_table(model.config)],
        "counted": sum(p.numel() for p in model.parameters()),
    }


def _stack(explainer: Explainer, trace: Trace, stack: Stack, wanted: list[int]) -> dict[str, Any]:
    from model.labs.dissect import inputs, sub_layers  # torch is imported with the first question

    model = explainer.model
    states = trace.encoder_states if stack == "encoder" else trace.decoder_states
    read = inputs(model, trace, "source" if stack == "encoder" else "target")
    layers = sorted({layer for layer in wanted if layer < len(states) - 1})
    return {
        "embedding": _cells(read.tokens),
        "position": _cells(read.positions),
        "states": [_cells(state) for state in states],
        "final": _cells(_final(explainer, trace, stack)) if model.config.norm == "pre" else None,
        "layers": {i: [_part(part) for part in sub_layers(model, trace, stack, i)] for i in layers},
    }


def _final(explainer: Explainer, trace: Trace, stack: Stack) -> np.ndarray:
    """The last state after the LayerNorm at the top of a pre-norm stack."""
    from model.labs.dissect import attention_sub_layer, output_layer

    if stack == "decoder":
        model = explainer.model
        return output_layer(model, trace, [0]).x / model.config.output_scale
    return attention_sub_layer(explainer.model, trace, "cross", 0).memory


def _part(part: SubLayer) -> dict[str, Any]:
    """The lengths of each position's vectors, and the units of a feed-forward sub-layer."""
    vectors = {"before": part.before, "inside": part.x, "adds": part.output, "after": part.after}
    lengths = {key: pack(np.linalg.norm(v, axis=-1).astype("f4")) for key, v in vectors.items()}
    if part.name != "feed_forward":
        return {"name": part.name, **lengths}
    units = cast("FeedForwardSubLayer", part).hidden
    fired = pack((units > 0).sum(-1).astype("i4"))
    return {"name": part.name, **lengths, "units": _cells(units), "fired": fired}


def _cells(array: np.ndarray) -> dict[str, Any]:
    """A matrix as a picture: the largest distance from 0, and each number's shade."""
    most = max(float(np.abs(array).max()), 1e-12)
    cells = np.rint(np.sign(array) * np.sqrt(np.abs(array) / most) * FULL).astype("i1")
    rows, columns = array.shape
    return {"rows": rows, "columns": columns, "most": most, "cells": pack(cells)}


def wanted(explanation: Explanation, _: Head) -> list[Wanted]:
    """All layers, open or not; and the weights."""
    trace = explanation.trace
    stacks = {"encoder": trace.encoder_self, "decoder": trace.decoder_self}
    layers = {stack: list(range(len(maps.weights))) for stack, maps in stacks.items()}
    return [Wanted("figure", layers, {}), Wanted("anatomy", {}, {})]


EXHIBIT = Exhibit(
    "figure",
    {"figure": figure, "anatomy": anatomy},
    facts={"full": FULL, "open": FIRST_OPEN},
    saved=True,
    wanted=wanted,
    aliases={"flow": {"shapes": "true", "encoder": "[0]", "decoder": "[0]"}},
    places=("encoder", "decoder", "within"),
    opener=effects.View(effects.steps, effects.goes_back),
)
