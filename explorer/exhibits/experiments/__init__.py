"""Experiments: change the running model and see both models side by side."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from explorer.exchange.explain import explain
from explorer.exchange.question import Arguments, Payload
from explorer.exchange.request import Request
from explorer.exchange.turns import turn
from explorer.exhibit import Exhibit
from explorer.openers import effects
from model.config import UNTOUCHED, Interventions
from model.sampling import Mulberry32

if TYPE_CHECKING:
    from model.explain import Explainer

MAX_PADDING = 16  # pad tokens that the page offers
AT_ONCE = 8  # heads switched off in one batch, each in its own row
FARTHEST = 300  # by how many positions the page shifts tokens
PAIRS = {  # sentences of the same tokens in a different order, by the language of the visitor's
    "en": {
        "dog": ("The dog bit the man.", "The man bit the dog."),
        "tom": ("Tom loves Mary.", "Mary loves Tom."),
    },
    "zh": {
        "dog": ("狗咬了男人。", "男人咬了狗。"),
        "tom": ("汤姆爱玛丽。", "玛丽爱汤姆。"),
    },
    "de": {
        "dog": ("Der Hund biss den Mann.", "Der Mann biss den Hund."),
        "tom": ("Tom liebt Maria.", "Maria liebt Tom."),
    },
}


def heads_off(explainer: Explainer, request: Request, arguments: Arguments) -> Payload:
    """The loss of the current output without each head of the model, from head `first` on.

    {text, heads: [[kind, layer, head], ...], changes: of the output's log-prob when only that head
    is off, count: of all heads, next: where to continue (`turns`)}.
    """
    # Imports torch, which the page starts without; the model has already loaded it.
    from model.labs.ablation import all_heads, rank_heads

    loaded, explanation = explainer, explain(explainer, request)
    heads = all_heads(loaded.model.config)

    def work(part: range) -> list[float]:
        return rank_heads(loaded, explanation, heads[part.start : part.stop]).totals.tolist()

    first = arguments.whole("first", 0, len(heads) - 1)
    found, following = turn(first, len(heads), AT_ONCE, work)
    changes = [change for part in found for change in part]
    return {
        "text": explanation.trace.tgt_out.text,
        "heads": [list(head) for head in heads[first : first + len(changes)]],
        "changes": changes,
        "count": len(heads),
        "next": following,
    }


def equivariance(explainer: Explainer, request: Request, arguments: Arguments) -> Payload:
    """Encode the source in its own order and in a random one, by the original and modified model.

    {order, before, after, size}: `order[i]` is the token at place i of the random order; `before`
    and `after` the largest deviation of each token's vector between the two orders; `size` the root
    mean square of the original model's vectors, to compare with.
    """
    ids = explainer.read(request.text).ids
    drawn = _other_order(ids, Mulberry32(arguments.whole("seed", 0, 2**31)))
    reply: Payload = {"order": drawn.tolist()}
    for name, changes in _models(request).items():
        own = explainer.encoded(ids.tolist(), interventions=changes)
        moved = explainer.encoded(ids[drawn].tolist(), interventions=changes)
        reply[name] = np.abs(moved[np.argsort(drawn)] - own).max(-1).tolist()
        reply.setdefault("size", float(np.sqrt(np.mean(own**2))))
    return reply


def _models(request: Request) -> dict[str, Interventions]:
    """The original model and the modified one without pads and painted cells, which are one text's."""
    return {
        "before": UNTOUCHED,
        "after": replace(request.interventions, padding=0, cells=()),
    }


def _other_order(ids: np.ndarray, generator: Mulberry32) -> np.ndarray:
    """A random order that differs from the original, if there is one; the browser draws the same."""
    while True:
        drawn = np.arange(len(ids))
        for i in range(len(ids) - 1, 0, -1):
            other = int(generator.uniform() * (i + 1))
            drawn[[i, other]] = drawn[[other, i]]
        if len(set(ids.tolist())) < 2 or (ids[drawn] != ids).any():
            return drawn


UNORDERED = '{"positions":"none","sides":"source"}'
EXHIBIT = Exhibit(
    "experiments",
    {"heads_off": heads_off, "equivariance": equivariance},
    {"padding": MAX_PADDING, "farthest": FARTHEST, "pairs": PAIRS},
    aliases={
        "order": {
            "draft": '{"positions":"{positions|none}","sides":"{sides|both}",'
            '"shift":{shift|20},"position_seed":{seed|0}}'
        },
        "order.pair": {"draft": UNORDERED, "show": "pair", "pair": "{pair|dog}"},
        "order.encoder": {"draft": UNORDERED, "show": "encoder", "draw": "{draw|1}"},
    },
    opener=effects.View(effects.as_opened, effects.breaks),
)
