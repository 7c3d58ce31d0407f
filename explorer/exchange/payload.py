"""An Explanation for the browser: one compact JSON value from which every view is drawn.

Attention weights are sent as whole numbers from 0 to 65535, two bytes each, only for cells that may
be attended to; masked cells are not sent. So 0 and 1 are exact, and no weight on the page is
further than 1/131070 (0.0000077) from the record. Sixteen-bit floats would take the same space and
be off by up to 0.00024.

    {format, text, translation, seconds, model: {key, name, device, revision, tokens, vocabulary,
     defaults, examples, codes, glossed, languages: {source, target} where a text may name both,
     positions: "relative" or "none" where it has no vectors of positions, unscaled: true where
     scores are not divided,
     weights: "0.25" where it has others than its own (`with_weights`),
     training: {shares: [of it after which weights were kept, ..., 1], updates: of all of it, or
     null} where it has its own weights,
     pace: {seconds, token} where a request may take longer than usual},
     settings: `rules_off` among them where some are, interventions, prefix: [id, ...], shown,
     node: [step, candidate] or null,
     path: [candidate, ...],
     src, tgt_in, tgt_out: [label, ...],
     attention: {kind: {layers, heads, queries, keys, mask, weights}, for each of the three kinds},
     steps: [{top: [label + log_prob, ...], chosen, log_prob, entropy, forced}, ...],
     search: {counts, parents, ids, log_probs, totals, fates, forced, labels: {id: label},
      forbidden: [[step, parent, id, log_prob, rule], ...] where rules kept tokens out,
      ruled: true where rules change what a candidate adds},
     rules: [{name, value, tokens: [label, ...]}, ...] of the checkpoint, if it has some, whether
      they are off or not, by the names of `SWITCHES`,
     hypotheses: [{text, score, log_prob, length, finished, path}, ...],
     doubt: {reasons, signs, missing, added, thresholds} or null,
     parts: those of attention, steps, search and doubt that are there, where not all are}

The search has every candidate of the record, step by step: `counts` is the number at each step, the
packed arrays have parent (-1 at the first step), token id, log-prob, total and fate (a number, see
FATES), as float32 like the record.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer import card
from explorer.exchange.packing import pack
from explorer.exchange.request import PARTS, SETTINGS, Part
from explorer.labels import Label, label_of_piece, labels
from model.config import KINDS, SWITCHES, UNTOUCHED, DecodeConfig, Side
from model.labs import doubt
from model.trace import AttentionMaps, Explanation, Fate, Search, Tokens, Trace

if TYPE_CHECKING:
    from model.explain import Explainer
    from model.rules import Rules

FORMAT = 2
TOP = 8  # next-token candidates shown at each step
MAX_RULED = 8  # tokens that a rule names
FULL = 65_535  # encodes a weight of 1
FATES: tuple[Fate, ...] = ("pruned", "kept", "finished", "beaten")

Payload = dict[str, Any]


def build(
    explanation: Explanation,
    explainer: Explainer,
    model: str | None = None,
    weights: str = "",
    parts: Sequence[Part] = PARTS,
) -> Payload:
    """The payload of one explanation, made by the model of that key; outside a page, its name."""
    trace, search = explanation.trace, explanation.search
    return {
        "format": FORMAT,
        "text": explanation.text,
        "translation": trace.tgt_out.text,
        "seconds": round(explanation.seconds, 4),
        "model": {
            "key": explainer.name if model is None else model,
            "name": explainer.name,
            "device": explanation.device,
            "revision": explainer.revision,
            "tokens": explainer.max_source_tokens,
            "vocabulary": len(explainer.tokenizer),
            "defaults": _settings(explainer.defaults),
            "examples": list(explainer.tokenizer.examples),
            "codes": list(explainer.tokenizer.codes),
            **({} if explainer.names_beams else {"beams": explainer.defaults.beam_size}),
            **({"notes": [list(note) for note in explainer.notes]} if explainer.notes else {}),
            **languages(explainer),
            **_unlike(explainer),
            **({"weights": weights} if weights else {"training": training(explainer)}),
        },
        "settings": _settings(explanation.config),
        "interventions": dataclasses.asdict(explanation.interventions),
        "prefix": list(explanation.prefix),
        "shown": explanation.shown,
        "node": None if explanation.node is None else list(explanation.node),
        "path": list(explanation.path),
        "src": token_labels(trace.src),
        "tgt_in": read_labels(trace),
        "tgt_out": token_labels(trace.tgt_out),
        "hypotheses": _hypotheses(search),
        **_rules(explanation, explainer),
    } | _parts(explanation, explainer, parts)


def _settings(config: DecodeConfig) -> Payload:
    """The settings of a visitor; those rules that are off only where some are."""
    settings = {key: getattr(config, key) for key in SETTINGS}
    off = list(settings.pop("rules_off"))
    return settings | ({"rules_off": off} if off else {})


def _rules(explanation: Explanation, explainer: Explainer) -> Payload:
    """The checkpoint's rules for decoding this source, with the first tokens that they name."""
    rules = explainer.rules_of(explanation.trace.src)
    usual: dict[str, Any] = {one.name: one.default for one in dataclasses.fields(rules)}
    own = {} if rules.is_own else {**vars(rules), "no_repeat": explainer.defaults.no_repeat}
    values: dict[str, Any] = {**usual, "no_repeat": 0, **own}
    found = []
    for name in SWITCHES:
        value = values[name]
        if value == usual.get(name, 0):
            continue
        ids = value if name == "banned" else [value] if name.startswith("forced") else []
        tokens = [token(explainer, i) for i in ids[:MAX_RULED]]
        row = {"name": name, "value": len(value) if name == "banned" else value}
        found.append(row | ({"tokens": tokens} if tokens else {}))
    return {"rules": found} if found else {}


def _parts(explanation: Explanation, explainer: Explainer, parts: Sequence[Part]) -> Payload:
    """The parts of a record that are wanted, and which these are unless it is all of them."""
    trace, piece = explanation.trace, explainer.tokenizer.piece
    make: dict[Part, Callable[[], Payload | list[Payload] | None]] = {
        "attention": lambda: {kind: packed_maps(trace.attention(kind)) for kind in KINDS},
        "steps": lambda: _steps(explanation, piece),
        "search": lambda: (
            packed_search(explanation.search, lambda i: token(explainer, i))
            | _ruled(explainer.rules.without(explanation.config.rules_off))
        ),
        "doubt": lambda: doubts(explanation, explainer),
    }
    told = {} if tuple(parts) == PARTS else {"parts": list(parts)}
    return told | {name: make[name]() for name in parts}


def languages(explainer: Explainer) -> Payload:
    """The languages of a text that names none, of a model whose texts may name both."""
    usual = explainer.tokenizer.languages
    return {} if usual is None else {"languages": usual}


def training(explainer: Explainer) -> Payload:
    """The points of a model's training with weights of their own, and its number of updates."""
    lines = card.curves(explainer.folder) if explainer.folder else []
    return {
        "shares": list(explainer.training_fractions),
        "updates": lines[-1]["updates"] if lines else None,
    }


def _unlike(explainer: Explainer) -> Payload:
    """How a model differs from the paper's where a change of it then changes nothing."""
    config = explainer.model.config
    kind = config.position_kind
    return {
        **({"positions": kind} if kind in ("relative", "none") else {}),
        **({} if config.scaling else {"unscaled": True}),
    }


def doubts(explanation: Explanation, explainer: Explainer) -> Payload | None:
    """The reasons to doubt a translation; None if there are none, or no thresholds.

    The thresholds were chosen on complete translations by the unmodified model.
    """
    forced = explanation.prefix or explanation.node or explanation.interventions != UNTOUCHED
    if explainer.thresholds is None or forced:
        return None
    found = doubt.judge(explainer, explanation.trace, explainer.thresholds)
    if not found.reasons:
        return None
    return {
        "reasons": list(found.reasons),
        "signs": found.signs._asdict(),
        "missing": list(found.missing),
        "added": list(found.added),
        "thresholds": dataclasses.asdict(explainer.thresholds),
    }


def _ruled(rules: Rules) -> Payload:
    """Says that the rules change what a candidate adds to its total, if they do."""
    changes = rules.repetition_penalty != 1 or (rules.changes_scores and rules.renormalise)
    return {"ruled": True} if changes else {}


def packed_search(search: Search, label: Callable[[int], Payload]) -> Payload:
    """Pack every candidate of a search; `label` gives the text of a token id."""
    steps = search.steps

    def joined(arrays: list[np.ndarray], dtype: str) -> str:
        return pack(np.concatenate(arrays).astype(dtype))

    forbidden = [
        [t, one.parent, one.token_id, round(one.log_prob, 6), one.rule]
        for t, step in enumerate(steps)
        for one in step.forbidden
        if np.isfinite(one.log_prob)
    ]
    ids = {int(i) for step in steps for i in step.token_ids}
    ids |= {one.token_id for step in steps for one in step.forbidden if np.isfinite(one.log_prob)}
    return {
        "counts": [len(step) for step in steps],
        "parents": joined([step.parents for step in steps], "i4"),
        "ids": joined([step.token_ids for step in steps], "i4"),
        "log_probs": joined([step.log_probs for step in steps], "f4"),
        "totals": joined([step.totals for step in steps], "f4"),
        "fates": joined([np.array([FATES.index(f) for f in step.fates]) for step in steps], "u1"),
        "forced": joined([step.forced for step in steps], "u1"),
        "labels": {i: label(i) for i in sorted(ids)},
        **({"forbidden": forbidden} if forbidden else {}),
    }


def _hypotheses(search: Search) -> list[Payload]:
    return [
        {
            "text": hypothesis.text,
            "score": hypothesis.score,
            "log_prob": hypothesis.log_prob,
            "length": len(hypothesis.path),
            "finished": hypothesis.finished,
            "path": list(hypothesis.path),
        }
        for hypothesis in search.hypotheses
    ]


def token(explainer: Explainer, token_id: int, side: Side = "target") -> Payload:
    """A single token of a side, in the browser's form."""
    piece = explainer.tokenizer.piece(token_id, side)
    return _label(label_of_piece(piece), piece, token_id)


def token_labels(tokens: Tokens) -> list[Payload]:
    """The tokens of a text in the browser's form, one label each."""
    return [
        _label(label, piece, int(token_id))
        for label, piece, token_id in zip(labels(tokens), tokens.pieces, tokens.ids, strict=True)
    ]


def read_labels(trace: Trace) -> list[Payload]:
    """The decoder's input tokens: the start token, then its own output.

    They have the labels of the written tokens: the input lacks the last token, and with it perhaps
    the last byte of a character.
    """
    return token_labels(trace.tgt_in)[:1] + token_labels(trace.tgt_out)[:-1]


def _label(label: Label, piece: str, token_id: int) -> Payload:
    entry: Payload = {"text": label.text, "kind": label.kind, "piece": piece, "id": token_id}
    if label.line != label.text:
        entry["line"] = label.line
    if label.joined:
        entry["joined"] = True
    if label.part:
        entry["part"] = list(label.part)
    return entry


def packed_maps(maps: AttentionMaps) -> Payload:
    """Pack the weights of one kind; `decodeMaps` in assets/kit/payload.js reads them."""
    layers, heads, queries, keys = maps.weights.shape
    allowed = maps.weights[:, :, maps.mask].astype(np.float64)  # (L, H, cells)
    whole = np.rint(np.clip(allowed, 0.0, 1.0) * FULL).astype("<u2")
    return {
        "layers": layers,
        "heads": heads,
        "queries": queries,
        "keys": keys,
        "mask": pack(np.packbits(maps.mask)),
        "weights": pack(whole),
    }


def _steps(explanation: Explanation, piece: Callable[[int], str]) -> list[Payload]:
    """The decoder's predictions and the written token at each position of the traced hypothesis."""
    trace, search, path = explanation.trace, explanation.search, explanation.path
    steps = []
    for t, chosen in enumerate(trace.tgt_out.ids):
        top = [
            _label(label_of_piece(piece(int(i))), piece(int(i)), int(i))
            | {"log_prob": _float32(log_prob)}
            for i, log_prob in zip(trace.top_ids[t, :TOP], trace.top_log_probs[t], strict=False)
        ]
        steps.append(
            {
                "top": top,
                "chosen": int(chosen),
                "log_prob": _float32(trace.log_prob[t]),
                "entropy": _float32(trace.entropy[t]),
                "forced": bool(search.steps[t].forced[path[t]]),
            }
        )
    return steps


def _float32(value: np.floating) -> float:
    """The shortest decimal with the same float32 value, to keep the payload small."""
    return float(str(np.float32(value)))
