"""Experiments: change the running model and see both models side by side."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from explorer.examples import script_of
from explorer.exchange.explain import explain
from explorer.exchange.packing import pack
from explorer.exchange.payload import read_labels, token, token_labels
from explorer.exchange.question import Arguments, Payload
from explorer.exchange.request import PageError, Request
from explorer.exchange.turns import turn
from explorer.exhibit import Exhibit
from model.config import KINDS, UNTOUCHED, Interventions
from model.labs.differences import text_difference
from model.sampling import Mulberry32
from model.trace import AttentionMaps, Explanation, Floats, Trace

if TYPE_CHECKING:
    from model.explain import Explainer

TOP = 8  # next tokens shown at each step
MAX_PADDING = 16  # pad tokens that the page offers
AT_ONCE = 8  # heads switched off in one batch, each in its own row
FARTHEST = 300  # by how many positions the page shifts tokens
PAIRS = {  # sentences of the same tokens in a different order, by the script of the visitor's
    "latin": {
        "dog": ("The dog bit the man.", "The man bit the dog."),
        "tom": ("Tom loves Mary.", "Mary loves Tom."),
    },
    "han": {
        "dog": ("狗咬了男人。", "男人咬了狗。"),
        "tom": ("汤姆爱玛丽。", "玛丽爱汤姆。"),
    },
}
MOST = 4_096  # layers or heads that a page may name; the model's own number is checked later


class Padded(NamedTuple):
    """One output, read with and without the padding mask, and without any padding."""

    without: Trace
    respected: Trace
    forgotten: Trace


def before_after(explainer: Explainer, request: Request, arguments: Arguments) -> Payload:
    """The original model and the modified one: the request's interventions are the change.

    `log_probs`, `next` and `attention` are for the original model's output, read by both with
    teacher forcing; `texts` are the outputs of both. `positions` and `scaled` are the model's own:
    a change may be of a part that it does not have.

    Raises:
        HeadlightError: an intervention that does not fit this model or this text.
    """
    untouched = replace(request, interventions=UNTOUCHED)
    before = explain(explainer, untouched)
    after = explain(explainer, replace(request, shown=0, node=None))
    changed = _read(explainer, before, request.interventions)
    traces = (before.trace, changed)
    texts = [e.trace.tgt_out.text for e in (before, after)]
    return {
        "texts": texts,
        "difference": text_difference(*texts),
        "src": token_labels(changed.src),
        "tgt_in": read_labels(changed),
        "tgt_out": token_labels(changed.tgt_out),
        "log_probs": [[float(x) for x in trace.log_prob] for trace in traces],
        "next": [_next(explainer, trace) for trace in traces],
        "attention": _attention(traces, arguments),
        "padding": _padding(explainer, before, request.interventions),
        "positions": explainer.model.config.position_kind,
        "scaled": explainer.model.config.scaling,
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


def pair(explainer: Explainer, request: Request, arguments: Arguments) -> Payload:
    """Two sentences of the same tokens, translated by the original model and the modified one."""

    def translation(text: str, changes: Interventions) -> Payload:
        trace = explain(explainer, Request(text, request.config, interventions=changes)).trace
        log_prob = float(trace.log_prob.sum(dtype=np.float64))
        return {"text": trace.tgt_out.text, "log_prob": log_prob}

    pairs = PAIRS[script_of(request.text)]
    texts = pairs[arguments.choice("pair", tuple(pairs))]
    models = _models(request).items()
    return {
        "sentences": [
            {"text": text, **{name: translation(text, changes) for name, changes in models}}
            for text in texts
        ]
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


def _read(explainer: Explainer, original: Explanation, interventions: Interventions) -> Trace:
    """The original output under different interventions."""
    ids = original.trace.tgt_out.ids.tolist()
    return explainer.trace(original.text, ids, interventions=interventions)


def _next(explainer: Explainer, trace: Trace) -> list[list[Payload]]:
    """The most likely next tokens at each position, best first."""
    return [
        [
            token(explainer, int(i)) | {"log_prob": float(x)}
            for i, x in list(zip(ids, logs, strict=True))[:TOP]
        ]
        for ids, logs in zip(trace.top_ids, trace.top_log_probs, strict=True)
    ]


def _attention(traces: tuple[Trace, Trace], arguments: Arguments) -> Payload:
    """One head of both, on the modified model's axes; NaN where it may not look."""
    kind = arguments.choice("kind", KINDS)
    layer, head = arguments.whole("layer", 0, MOST), arguments.whole("head", 0, MOST)
    before, after = (trace.attention(kind) for trace in traces)
    layers, heads, queries, keys = after.weights.shape
    if layer >= layers or head >= heads:
        raise PageError("error.request")

    def packed(maps: AttentionMaps) -> str:
        cells = np.full((queries, keys), np.nan, dtype=np.float32)
        rows, columns = maps.mask.shape  # padding may have been added: those cells stay NaN
        cells[:rows, :columns] = np.where(maps.mask, maps.weights[layer, head], np.nan)
        return pack(cells)

    return {
        "kind": kind,
        "layer": layer,
        "head": head,
        "queries": queries,
        "keys": keys,
        "before": packed(before),
        "after": packed(after),
    }


def _padding(
    explainer: Explainer, original: Explanation, interventions: Interventions
) -> Payload | None:
    """The effect of the pad tokens with and without their mask; None if there are none."""
    if not interventions.padding:
        return None
    n_src = len(original.trace.src)
    last = {"encoder_self": (1, 2), "cross": (2,), "decoder_self": ()}  # indices of source tokens
    cells = tuple(c for c in interventions.cells if all(int(c[i]) < n_src for i in last[c[0]]))
    bare = replace(interventions, padding=0, padding_mask=True, cells=cells)
    padded = Padded(
        _read(explainer, original, bare),
        _read(explainer, original, replace(interventions, padding_mask=True)),
        _read(explainer, original, replace(interventions, padding_mask=False)),
    )
    n = interventions.padding
    return {
        "count": n,
        "respected": {"largest": _largest(padded.without, padded.respected)},
        "forgotten": {
            "largest": _largest(padded.without, padded.forgotten),
            "encoder_self": _share(padded.forgotten.encoder_self.weights[:, :, :-n], n),
            "cross": _share(padded.forgotten.cross.weights, n),
            "log_probs": [
                float(trace.log_prob.sum(dtype=np.float64))
                for trace in (padded.without, padded.forgotten)
            ],
        },
    }


def _share(weights: Floats, n: int) -> float:
    """The mean share of attention on the last `n` keys, over all layers, heads and queries."""
    return float(weights[..., -n:].sum(-1, dtype=np.float64).mean())


def _largest(one: Trace, padded: Trace) -> Payload:
    """The largest difference in the real tokens due to padding, anywhere in the model."""
    n = len(one.src)
    pairs = {
        "weight": [
            (one.encoder_self.weights, padded.encoder_self.weights[:, :, :n, :n]),
            (one.decoder_self.weights, padded.decoder_self.weights),
            (one.cross.weights, padded.cross.weights[..., :n]),
        ],
        "state": [
            (one.encoder_states, padded.encoder_states[:, :n]),
            (one.decoder_states, padded.decoder_states),
        ],
        "log_prob": [(one.log_prob, padded.log_prob)],
    }
    return {name: max(float(np.abs(a - b).max()) for a, b in both) for name, both in pairs.items()}


UNORDERED = '{"positions":"none","sides":"source"}'
EXHIBIT = Exhibit(
    "experiments",
    {
        "before_after": before_after,
        "heads_off": heads_off,
        "pair": pair,
        "equivariance": equivariance,
    },
    {"padding": MAX_PADDING, "farthest": FARTHEST, "pairs": PAIRS},
    aliases={
        "order": {
            "draft": '{"positions":"{positions|none}","sides":"{sides|both}",'
            '"shift":{shift|20},"position_seed":{seed|0}}'
        },
        "order.pair": {"draft": UNORDERED, "show": "pair", "pair": "{pair|dog}"},
        "order.encoder": {"draft": UNORDERED, "show": "encoder", "draw": "{draw|1}"},
    },
)
