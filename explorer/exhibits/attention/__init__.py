"""Attention: all heads of the three kinds at once, with one of them large, as a map or as lines.

The browser computes nearly everything here from the weights of the payload, so that sliders respond
at once: `measures.js` has the rankings of heads, `look.js` the effects of whole words, hidden
tokens and the strongest part on the weights. With w the weights of a head, Q its rows and K its
columns:

    entropy      -(1/Q) sum_ij w_ij ln w_ij, in nats
    diagonal     (1/Q) sum_i w_ii; in cross-attention 1 - (1/Q) sum_ij w_ij |i/(Q-1) - j/(K-1)|
    previous     (1/(Q-1)) sum_{i>0} w_i,i-1; cross-attention has none
    end          (1/Q) sum_i w_ie, e the end token; in decoder self-attention the start token
    effect       the change of the output's log-prob without the head, if measured

Python answers two questions: what each head does over many sentences (`catalogue`), and measures
that the weights leave out, cell by cell (`beside`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.examples import EXAMPLES
from explorer.exchange.explain import explain
from explorer.exchange.packing import pack
from explorer.exchange.question import Arguments, Payload
from explorer.exchange.request import Request
from explorer.exhibit import Exhibit, Wanted
from model.config import KINDS

if TYPE_CHECKING:
    from model.explain import Explainer

LONGEST = 20  # characters of a measure's name
FEW = 4  # examples to make a catalogue from if a model has none


def beside(explainer: Explainer, request: Request, arguments: Arguments) -> Payload:
    """A further measure of the cells of one head: {cells, of, rank}, as in `Beside`.

    `cells` is (Q, K) float32. Layer and head count from 0.

    Raises:
        HeadlightError: the request is refused, or `beside` cannot compute that measure.
    """
    # Imports torch, which the page starts without; the model has already loaded it.
    from model.labs.beside import beside as measured

    trace = explain(explainer, request).trace
    kind = arguments.choice("kind", KINDS)
    n_layers, n_heads = trace.attention(kind).weights.shape[:2]
    layer, number = (
        arguments.whole(name, 0, count - 1)
        for name, count in (("layer", n_layers), ("head", n_heads))
    )
    measure = arguments.text("measure", LONGEST)
    found = measured(explainer, trace, measure, (kind, layer, number))
    return {"cells": pack(found.cells.astype("f4")), "of": found.of, "rank": found.rank}


def catalogue(explainer: Explainer, request: Request, arguments: Arguments) -> Payload:
    """The role of every head: {heads, sentences, label_by, few}, as in `Catalogue`.

    Layers and heads count from 0. A model without the file gets a catalogue from a few sentences,
    and `few` is true.

    Raises:
        HeadlightError: the model is too large for that within a request's time limit.
    """
    from model.labs.catalogue import FILE, catalogue_of

    few = explainer.folder is None or not (explainer.folder / FILE).exists()
    found = catalogue_of(explainer, [example.text for example in EXAMPLES[:FEW]])
    return {
        "heads": [vars(head) for head in found.heads],
        "sentences": found.sentences,
        "label_by": found.label_by,
        "few": few,
    }


EXHIBIT = Exhibit(
    "attention",
    {"beside": beside, "catalogue": catalogue},
    saved=True,
    wanted=lambda _, __: [Wanted("catalogue", {}, {})],
)
