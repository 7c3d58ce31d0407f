"""What each attention head does, over many sentences: its role, how strongly, how steadily.

Roles, each with a score from 0 to 1 for a head and a sentence:

    aligns     share of target tokens whose strongest source token is the one whose removal costs
               the token most (`ablation.occlusion`), by the better of two row labels
    previous, next, itself, first   mean weight on that position
    end        mean weight on the end token and punctuation
    rare       share of rows whose strongest token is the sentence's rarest (the largest id)
    even       entropy of the weights over that of equal ones

A head has the role of its highest mean score, if that is at least `LEAST`; else it is "even". A row
of the cross-attention can be labelled with the token that is written or with the one that was read;
a head's own label is the one that agrees better, with gold links where there are some, else with
occlusion. Source of the roles: Voita et al. 2019, "Analyzing Multi-Head Self-Attention".
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np

from model.arrays import Doubles
from model.config import KINDS, DecodeConfig, Head, Kind
from model.errors import InputError
from model.explain import Explainer
from model.files import read_text
from model.labs.ablation import all_heads, occlusion
from model.labs.alignment import ROW_LABELS, RowLabel
from model.trace import Explanation, Tokens

FILE = "heads.json"
LEAST = 0.35  # of a score, to be a role
LENGTH = 64  # target tokens of a translation that is looked at

Role = Literal["aligns", "previous", "next", "itself", "first", "end", "rare", "even"]
Score = Literal["written", "read", "previous", "next", "itself", "first", "end", "rare", "even"]
Scores = dict[str, Doubles]
"""By "kind.score": (layer, head)."""


@dataclass(frozen=True)
class HeadRole:
    """What one head does. Layer and head count from 0.

    `strength` is the mean of the role's score over the sentences, `spread` its standard deviation.
    """

    kind: Kind
    layer: int
    head: int
    role: Role
    strength: float
    spread: float
    row_label: RowLabel  # of self-attention always "read": its rows are the tokens that are read


@dataclass(frozen=True)
class Catalogue:
    """The roles of all heads of a model, and how many sentences and what labels they rest on."""

    heads: tuple[HeadRole, ...]
    sentences: int
    label_by: Literal["gold", "occlusion"]

    def of(self, kind: Kind, layer: int, head: int) -> HeadRole:
        """The entry of one head."""
        return next(h for h in self.heads if (h.kind, h.layer, h.head) == (kind, layer, head))

    def aligning(self, label: RowLabel | None = None) -> HeadRole | None:
        """The cross head that aligns best under its own label, or of those with this label."""
        heads = [
            h
            for h in self.heads
            if (h.kind, h.role) == ("cross", "aligns") and label in (None, h.row_label)
        ]
        return max(heads, key=lambda h: h.strength, default=None)

    def to_json(self) -> str:
        """As the file beside a model: layers and heads count from 1."""
        rows = [vars(h) | {"layer": h.layer + 1, "head": h.head + 1} for h in self.heads]
        lines = ",\n  ".join(json.dumps(row) for row in rows)
        head = f'"sentences": {self.sentences}, "label_by": "{self.label_by}"'
        return f'{{{head}, "heads": [\n  {lines}\n]}}\n'


def load(path: Path) -> Catalogue:
    """A catalogue from its file.

    Raises:
        InputError: the file cannot be read, or is not a catalogue.
    """
    try:
        raw = json.loads(read_text(path))
        heads = tuple(_entry(one) for one in raw["heads"])
        sentences, label_by = int(raw["sentences"]), raw["label_by"]
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"{path} is not a catalogue of heads ({error!r}); make it again with "
            "python -m model.labs.heads catalogue."
        ) from None
    return Catalogue(heads, sentences, label_by)


def _entry(raw: Mapping[str, Any]) -> HeadRole:
    entry = HeadRole(**{**raw, "layer": raw["layer"] - 1, "head": raw["head"] - 1})
    choices = ((entry.kind, KINDS), (entry.role, get_args(Role)), (entry.row_label, ROW_LABELS))
    if not all(value in allowed for value, allowed in choices):
        raise ValueError(f"entry {dict(raw)}")
    return entry


def catalogue_of(explainer: Explainer, texts: Iterable[str]) -> Catalogue:
    """The catalogue beside a model; without one, a new one from a few sentences, remembered."""
    path = explainer.folder / FILE if explainer.folder else None
    if path and path.exists():
        return explainer.remembered("catalogue", lambda: load(path))
    chosen = tuple(texts)
    return explainer.remembered(
        ("catalogue", chosen),
        lambda: summary(explainer, [found for t in chosen if (found := sentence(explainer, t))]),
    )


def sentence(explainer: Explainer, text: str) -> Scores | None:
    """The scores of all heads while the model translates a text; None for one that it cannot read.

    No head is measured on a target that is cut off, or on a source or target of one token.
    """
    config = DecodeConfig(method="greedy", max_length=LENGTH)
    try:
        explanation = explainer.explain(text, config)
    except InputError:
        return None
    if min(len(explanation.trace.src), len(explanation.trace.tgt_out)) < 3:
        return None
    return scores(explainer, explanation)


def scores(explainer: Explainer, explanation: Explanation) -> Scores:
    """The scores of all heads for one explanation: by "kind.score", (layer, head)."""
    trace = explanation.trace
    special = explainer.tokenizer.special_ids
    found: Scores = {}
    for kind in KINDS:
        keys = trace.tgt_in if kind == "decoder_self" else trace.src
        weights = trace.attention(kind).weights.astype(np.float64)
        for name, values in _positions(weights, keys, special, kind).items():
            found[f"{kind}.{name}"] = values
    changes = occlusion(explainer, explanation).changes  # (S - 1, T)
    n = len(trace.tgt_out) - 1  # without the last token: nothing has read it
    dearest = changes[:, :n].argmin(0)
    strongest = trace.cross.weights[..., : len(changes)].argmax(-1)  # (L, H, T)
    found["cross.written"] = (strongest[..., :n] == dearest).mean(-1)
    found["cross.read"] = (strongest[..., 1:] == dearest).mean(-1)
    return found


def summary(
    explainer: Explainer,
    found: Sequence[Scores],
    labels: Mapping[Head, RowLabel] | None = None,
) -> Catalogue:
    """The catalogue that the scores of some sentences make; `labels` of gold, where there are some.

    Raises:
        InputError: not one sentence was long enough.
    """
    if not found:
        raise InputError("No sentence of the data could be used; give some of three words or more.")
    table: dict[str, list[Doubles]] = defaultdict(list)
    for one in found:
        for name, values in one.items():
            table[name].append(values)
    stacked = {name: np.stack(values) for name, values in table.items()}  # (n, L, H)
    heads = [
        _role(stacked, head, (labels or {}).get(head)) for head in all_heads(explainer.model.config)
    ]
    return Catalogue(tuple(heads), len(found), "gold" if labels else "occlusion")


def _role(stacked: Mapping[str, Doubles], head: Head, label: RowLabel | None) -> HeadRole:
    kind, layer, number = head
    own = {
        name.split(".")[1]: values[:, layer, number]
        for name, values in stacked.items()
        if name.startswith(f"{kind}.")
    }
    even = own.pop("even")
    row_label: RowLabel = label or "read"
    if kind == "cross":
        agreement = {one: own.pop(one) for one in ROW_LABELS}
        best: RowLabel = max(ROW_LABELS, key=lambda one: float(agreement[one].mean()))
        row_label = label or best
        own["aligns"] = agreement[row_label]
    role = max(own, key=lambda name: float(own[name].mean()))
    if own[role].mean() < LEAST:
        role, own["even"] = "even", even
    values = own[role]
    strength, spread = (round(float(v), 4) for v in (values.mean(), values.std()))
    return HeadRole(kind, layer, number, role, strength, spread, row_label)  # type: ignore[arg-type]


def _positions(
    weights: Doubles, keys: Tokens, special: Iterable[int], kind: Kind
) -> dict[Score, Doubles]:
    """The scores that need no other measure, of one kind: (L, H) each."""
    n = weights.shape[-1]
    found: dict[Score, Doubles] = {}
    if kind != "cross":
        found["itself"] = weights.diagonal(0, 2, 3).mean(-1)
        found["previous"] = weights.diagonal(-1, 2, 3).mean(-1)
    if kind == "encoder_self":
        found["next"] = weights.diagonal(1, 2, 3).mean(-1)
    far = weights[:, :, 2:] if kind != "cross" else weights  # rows that are not beside the first
    found["first"] = far[..., 0].mean(-1)
    marks = [i for i in range(n) if _is_mark(keys, i, special) and (i or kind != "decoder_self")]
    found["end"] = far[..., marks].sum(-1).mean(-1)
    rarest = int(np.where(np.isin(keys.ids, list(special)), -1, keys.ids).argmax())
    found["rare"] = (weights.argmax(-1) == rarest)[:, :, min(2, n - 1) :].mean(-1)
    entropy = -(weights * np.log(np.maximum(weights, 1e-30))).sum(-1)[..., 1:]  # (L, H, Q - 1)
    rows = weights.shape[2]
    read = np.arange(2, rows + 1) if kind == "decoder_self" else np.full(rows - 1, n)
    found["even"] = (entropy / np.log(read)).mean(-1)
    return found


def _is_mark(tokens: Tokens, i: int, special: Iterable[int]) -> bool:
    """Whether a token is special or has no letter or digit."""
    start, end = tokens.spans[i]
    return int(tokens.ids[i]) in special or not any(map(str.isalnum, tokens.text[start:end]))
