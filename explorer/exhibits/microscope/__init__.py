"""The microscope: one query and one head, every number from q and k to the sub-layer's output."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.exchange.explain import explain
from explorer.exchange.question import Arguments, Payload
from explorer.exchange.request import Request
from explorer.exchange.sublayer import packed_layer, packed_projections
from explorer.exhibit import Exhibit, Wanted
from explorer.openers import effects
from model.config import KINDS, Head
from model.trace import Explanation

if TYPE_CHECKING:
    from model.explain import Explainer


def head(explainer: Explainer, request: Request, arguments: Arguments) -> Payload:
    """The numbers of one sub-layer, with the matrices of one of its heads.

    Arguments: kind, layer, head; `matrix`: whether to send W_o as well.
    """
    from model.labs.dissect import attention_sub_layer  # torch is imported with the first question

    trace = explain(explainer, request).trace
    kind = arguments.choice("kind", KINDS)
    layers, heads = trace.attention(kind).weights.shape[:2]
    layer, chosen = arguments.whole("layer", 0, layers - 1), arguments.whole("head", 0, heads - 1)
    found = attention_sub_layer(explainer.model, trace, kind, layer)
    packed = packed_layer(found, matrix=arguments.flag("matrix"))
    return packed | packed_projections(found, chosen)


def wanted(_: Explanation, chosen: Head) -> list[Wanted]:
    """The chosen head. Each one takes half a megabyte."""
    when = dict(zip(("kind", "layer", "head"), chosen, strict=True))
    return [Wanted("microscope_head", {**when, "matrix": True}, when)]


EXHIBIT = Exhibit(
    "microscope",
    {"microscope_head": head},
    saved=True,
    wanted=wanted,
    opener=effects.View(effects.aligned_cells, effects.one_cell),
)
