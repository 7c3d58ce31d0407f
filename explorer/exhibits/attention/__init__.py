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

from explorer.exchange.explain import explain
from explorer.exchange.packing import pack
from explorer.exchange.question import Arguments, Payload
from explorer.exchange.request import Request
from explorer.exhibit import Exhibit, Wanted
from explorer.exhibits.attention import roles
from explorer.openers import effects
from model import deadline
from model.config import KINDS

if TYPE_CHECKING:
    from model.explain import Explainer

LONGEST = 20  # characters of a measure's name


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
    """The role of every head: {heads, sentences, label_by}, as in `Catalogue`.

    Layers and heads count from 0. A model without the file gets a catalogue from a few sentences;
    `few` then says how it stands: {done, all, is_over, skipped: [{text, why}]}. There are no heads
    before it is over, or if too few sentences could be used.

    Raises:
        HeadlightError: the file beside the model cannot be read.
    """
    from model.labs.catalogue import beside as from_file

    found, few = from_file(explainer), None
    if found is None:
        made = roles.making(explainer)
        is_over = made.wait(roles.LOOK if deadline.is_limited() else None)
        found = made.found if is_over else None
        few = {
            "done": made.done,
            "all": roles.ENOUGH,
            "is_over": is_over,
            "skipped": list(made.skipped),
        }
    return {
        "heads": [vars(head) for head in found.heads] if found else [],
        "sentences": found.sentences if found else 0,
        "label_by": found.label_by if found else "occlusion",
        "few": few,
    }


EXHIBIT = Exhibit(
    "attention",
    {"beside": beside, "catalogue": catalogue},
    saved=True,
    wanted=lambda _, __: [Wanted("catalogue", {}, {})],
    away={"beside": "published.server"},
    opener=effects.View(effects.aligned_heads, effects.reads_the_right_word),
)
