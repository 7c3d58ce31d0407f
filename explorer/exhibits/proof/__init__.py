"""The proof: the browser recomputes the numbers it received and reports each identity's error."""

from __future__ import annotations

import dataclasses
import time
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.exchange.explain import explain
from explorer.exchange.packing import pack
from explorer.exchange.payload import TOP, token
from explorer.exchange.question import Arguments, Payload
from explorer.exchange.request import MAX_WRITTEN, PageError, Request
from explorer.exchange.sublayer import packed_layer, packed_sums
from explorer.exhibit import Exhibit, Wanted
from model.config import KINDS, SIDES, UNTOUCHED, Side
from model.labs import doubt

if TYPE_CHECKING:
    from model.explain import Explainer

MAX_WORDS = 256  # ids of one question
MAX_LOGITS = 400_000  # of one reply
MAX_PREFIXES = 16  # of one question
MAX_ASKED = 4_096  # candidates of one question
PATIENCE = 0.8  # seconds after which a question starts no further prefix
LARGEST_ID = 2**31 - 1


def layer(explainer: Explainer, request: Request, arguments: Arguments) -> Payload:
    """The numbers of one sub-layer, and whether this model divides its scores: `divides`.

    Arguments: kind, layer; `matrix`: whether to send W_o as well; `signs`, 1 or -1 for each number
    of a vector, drawn by the browser: see `packed_sums`.
    """
    from model.labs import dissect  # torch is imported with the first question

    trace = explain(explainer, request).trace
    kind = arguments.choice("kind", KINDS)
    chosen = arguments.whole("layer", 0, len(trace.attention(kind).weights) - 1)
    found = dissect.attention_sub_layer(explainer.model, trace, kind, chosen)
    width = found.output.shape[1]
    signs = arguments.whole_list("signs", width, -1, 1)
    if len(signs) != width:
        raise PageError("error.request")
    sums = packed_sums(found, np.array(signs, dtype=np.float64))
    divides = explainer.model.config.scaling
    return packed_layer(found, matrix=arguments.flag("matrix")) | sums | {"divides": divides}


def inputs(explainer: Explainer, request: Request, _: Arguments) -> Payload:
    """The inputs of both stacks' first layers with their summands, and `rules`."""
    from model.labs import dissect  # torch is imported with the first question

    explanation = explain(explainer, request)
    trace = explanation.trace
    answer: Payload = {"rules": rules(explainer, explanation.config.max_length)}
    for side, states in (("source", trace.encoder_states), ("target", trace.decoder_states)):
        found = dissect.inputs(explainer.model, trace, side)  # type: ignore[arg-type]
        answer[side] = {
            "layout": found.layout,
            "count": len(found.tokens),
            "scale": found.scale,
            "tokens": pack(found.tokens.astype("f4")),
            "positions": pack(found.positions.astype("f4")),
            "first": pack(states[0]),
        }
    return answer


def rules(explainer: Explainer, limit: int) -> Payload:
    """The rules behind a search and a doubt, besides the settings.

    The start and end token, the limit, whether the end is forced there; `banned` tokens, and
    whether their probability is shared among the others; the number of candidates recorded in a
    search without beams; the thresholds of doubt (null: none), and a model without interventions,
    the only one with doubts.
    """
    from model.beams import RECORDED  # imports torch, which the page starts without

    asked = explainer.rules
    thresholds = explainer.thresholds
    return {
        "start": asked.start_id,
        "end": asked.end_id,
        "limit": limit,
        "forced_end": asked.forced_end_id is not None,
        "banned": list(asked.banned),
        "shared": bool(asked.renormalise and asked.banned),
        "recorded": RECORDED,
        "thresholds": None if thresholds is None else dataclasses.asdict(thresholds),
        "run": doubt.RUN,
        "looked_at": doubt.LOOKED_AT,
        "untouched": dataclasses.asdict(UNTOUCHED),
    }


def words(explainer: Explainer, request: Request, arguments: Arguments) -> Payload:
    """Entries of a side's vocabulary at some ids (`vocabulary`)."""
    side = arguments.choice("side", SIDES)
    ids = arguments.whole_list("ids", MAX_WORDS, 0, explainer.tokenizer.size(side) - 1)
    return vocabulary(explainer, side, ids)


def vocabulary(explainer: Explainer, side: Side, ids: list[int]) -> Payload:
    """Entries of a side's vocabulary at some ids: {labels, rows: packed (n, D), out, bias}.

    `rows` are the embeddings. `out` are the rows of the output matrix, null if it is the same
    matrix and for the source; `bias` (n,) is the output's, zeros for the source.
    """
    model = explainer.model
    bias = model.output_bias if side == "target" else None
    apart = side == "target" and not model.config.tied
    none = np.zeros(len(ids), dtype="f4")
    return {
        "labels": [token(explainer, i, side) for i in ids],
        "rows": pack(_floats(model.embedding.matrix(side).weight[ids])),
        "out": pack(_floats(model.output_weight[ids])) if apart else None,
        "bias": pack(none if bias is None else _floats(bias[ids])),
    }


def logits(explainer: Explainer, request: Request, arguments: Arguments) -> Payload:
    """The last states and the logits over the whole vocabulary, from step `first` on.

    {first, count, norm: null or {gamma, beta, eps}, states: packed (n, D), logits: packed (n, V)}:
    as many steps as fit into one reply. `norm` is the LayerNorm between the last state and the
    output matrix (of a pre-norm model).
    """
    trace = explain(explainer, request).trace
    first = arguments.whole("first", 0, len(trace.tgt_out) - 1)
    ids = trace.tgt_out.ids.tolist()
    table = explainer.logits(request.text, ids, interventions=request.interventions)  # (T, V)
    some = slice(first, first + max(1, MAX_LOGITS // table.shape[1]))
    norm: Any = explainer.model.decoder_norm
    vectors = None
    if hasattr(norm, "eps"):
        gamma, beta = pack(_floats(norm.weight)), pack(_floats(norm.bias))
        vectors = {"gamma": gamma, "beta": beta, "eps": norm.eps}
    return {
        "first": first,
        "count": len(table[some]),
        "norm": vectors,
        "states": pack(trace.decoder_states[-1, some].astype("f4")),
        "logits": pack(table[some].astype("f4")),
    }


def following(explainer: Explainer, request: Request, arguments: Arguments) -> Payload:
    """The log-probs of some tokens after some prefixes: {count, log_probs: packed (n,)}.

    Arguments: `prefixes`, their ids one after the other, `lengths` of each; `ids`, the tokens to
    look up after each, and their numbers, `counts`. `count` is the number of prefixes done in time.
    """
    lengths = arguments.whole_list("lengths", MAX_PREFIXES, 0, MAX_WRITTEN - 1)
    counts = arguments.whole_list("counts", MAX_PREFIXES, 0, MAX_ASKED)
    prefixes = arguments.whole_list("prefixes", MAX_PREFIXES * MAX_WRITTEN, 0, LARGEST_ID)
    last = len(explainer.tokenizer) - 1
    asked = arguments.whole_list("ids", MAX_ASKED, 0, last)
    if len(lengths) != len(counts) or sum(lengths) != len(prefixes) or sum(counts) != len(asked):
        raise PageError("error.request")
    found: list[np.ndarray] = []
    started = time.perf_counter()
    for length, count in zip(lengths, counts, strict=True):
        if found and time.perf_counter() - started > PATIENCE:
            break
        prefix, prefixes = prefixes[:length], prefixes[length:]
        its, asked = asked[:count], asked[count:]
        log_probs = explainer.next_log_probs(
            request.text, prefix, interventions=request.interventions
        )
        found.append(log_probs[its])
    joined = np.concatenate(found) if found else np.zeros(0)
    return {"count": len(found), "log_probs": pack(joined.astype("f4"))}


def kept(explainer: Explainer, request: Request, _: Arguments) -> Payload:
    """The evidence in a saved file, for checking without the model: {inputs, words, logits}.

    It omits the sub-layers and the search's step-by-step log-probs, which would make the file
    several times as large. `words` has all ids of a side that are on the page; `logits` is null if
    those of every step do not fit into one reply.
    """
    explanation = explain(explainer, request)
    trace, steps = explanation.trace, explanation.search.steps
    target = [trace.tgt_in.ids, trace.tgt_out.ids, trace.top_ids[:, :TOP].ravel()]
    ids = {
        "source": np.unique(trace.src.ids),
        "target": np.unique(np.concatenate([*target, *(step.token_ids for step in steps)])),
    }
    all_logits = logits(explainer, request, Arguments({"first": 0}))
    return {
        "inputs": inputs(explainer, request, _),
        "words": {
            side: vocabulary(explainer, side, ids[side].tolist()) | {"ids": ids[side].tolist()}
            for side in SIDES
        },
        "logits": all_logits if all_logits["count"] == len(trace.tgt_out) else None,
    }


def _floats(tensor: Any) -> np.ndarray:
    array: np.ndarray = tensor.detach().float().cpu().numpy()
    return array


EXHIBIT = Exhibit(
    "proof",
    {
        "proof_layer": layer,
        "proof_inputs": inputs,
        "proof_words": words,
        "proof_logits": logits,
        "proof_following": following,
        "proof_kept": kept,
    },
    {"words": MAX_WORDS, "prefixes": MAX_PREFIXES, "asked": MAX_ASKED},
    saved=True,
    wanted=lambda _, __: [Wanted("proof_kept", {}, {})],
)
