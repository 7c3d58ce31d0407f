"""What each attention head does over many sentences: its role, strength and consistency.

Roles, each with a score for a head and a sentence:

    aligns     share of target tokens whose strongest source token is the one whose removal costs
    the token most (`ablation.occlusion`), if the cost is not negligible previous, next, itself,
    first   mean weight on that position end        mean weight on the end token and punctuation
    rare       mean weight on the sentence's rarest token (the largest id)
    one        mean weight on the token read most, whichever it is
    even       entropy of the weights over that of equal ones
    mixed      none of them

All but the entropy are 0 for a head that reads all tokens equally and 1 for one that puts all its
weight there: a weight of one half means little with only two tokens to read. A head has the role of
its highest mean score, if that is at least `LEAST`. A head that reads a fixed place also reads one
token, so "one" must lead by `AHEAD`. The remaining heads are "even" from an entropy of `EVEN` on,
else "mixed". A row of the cross-attention can be labelled with the token written or the token read;
a head's own label is the one that agrees better with gold links, if there are any, otherwise with
occlusion. Source of the roles: Voita et al. 2019, "Analyzing Multi-Head Self-Attention".
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast, get_args

import numpy as np

from model.arrays import Bools, Doubles, Floats
from model.config import KINDS, DecodeConfig, Head, Kind
from model.errors import InputError
from model.explain import Explainer
from model.files import read_text
from model.labs.ablation import all_heads, occlusion
from model.labs.alignment import ROW_LABELS, RowLabel
from model.trace import Explanation, Tokens

FILE = "heads.json"
LEAST = 0.25  # the lowest score for a role
AHEAD = 0.2  # lead over every other role, to be "one"
EVEN = 0.65  # share of the entropy of equal weights, to be "even"
LOST = 0.5  # nats that a token must lose without a word to count as depending on it
SHORTEST = 3  # tokens of a source or a target, with the last one
LENGTH = 64  # most target tokens of a translation to use

Role = Literal[
    "aligns", "previous", "next", "itself", "first", "end", "rare", "one", "even", "mixed"
]
Score = Literal[
    "written", "read", "previous", "next", "itself", "first", "end", "rare", "one", "even"
]
Scores = dict[str, Doubles]
"""By "kind.score": (layer, head)."""


@dataclass(frozen=True)
class HeadRole:
    """The role of one head. Layer and head count from 0.

    `strength` is the mean of the role's score over the sentences, `spread` its standard deviation.
    """

    kind: Kind
    layer: int
    head: int
    role: Role
    strength: float
    spread: float
    row_label: RowLabel  # always "read" in self-attention: its rows are the tokens read


@dataclass(frozen=True)
class Catalogue:
    """The roles of all heads of a model, the number of sentences, and the source of the labels."""

    heads: tuple[HeadRole, ...]
    sentences: int
    label_by: Literal["gold", "occlusion"]

    def of(self, kind: Kind, layer: int, head: int) -> HeadRole:
        """The entry of one head."""
        return next(h for h in self.heads if (h.kind, h.layer, h.head) == (kind, layer, head))

    def aligning(self, label: RowLabel | None = None) -> HeadRole | None:
        """The cross head that aligns best under its own label, or among those with this label."""
        heads = [
            h
            for h in self.heads
            if (h.kind, h.role) == ("cross", "aligns") and label in (None, h.row_label)
        ]
        return max(heads, key=lambda h: h.strength, default=None)

    def to_json(self) -> str:
        """The form of the file beside a model: layers and heads count from 1."""
        rows = [vars(h) | {"layer": h.layer + 1, "head": h.head + 1} for h in self.heads]
        lines = ",\n  ".join(json.dumps(row) for row in rows)
        head = f'"sentences": {self.sentences}, "label_by": "{self.label_by}"'
        return f'{{{head}, "heads": [\n  {lines}\n]}}\n'


def load(path: Path) -> Catalogue:
    """Read a catalogue from its file.

    Raises:
        InputError: the file cannot be read or is not a catalogue.
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


def beside(explainer: Explainer) -> Catalogue | None:
    """The catalogue beside a model, if there is one.

    Raises:
        InputError: it cannot be read or is not a catalogue.
    """
    path = explainer.folder / FILE if explainer.folder else None
    if path is None or not path.exists():
        return None
    return explainer.remembered("catalogue", lambda: load(path))


def catalogue_of(explainer: Explainer, texts: Iterable[str]) -> Catalogue:
    """The catalogue beside a model; without one, a cached one made from a few sentences.

    Raises:
        InputError: the time of the request is up, or no sentence could be used.
    """
    found = beside(explainer)
    if found is not None:
        return found
    chosen = tuple(texts)
    return explainer.remembered(
        ("catalogue", chosen),
        lambda: summary(explainer, [found for t in chosen if (found := sentence(explainer, t))]),
    )


def sentence(explainer: Explainer, text: str) -> Scores | None:
    """The scores of all heads for a text's translation; None if it cannot be used.

    Raises:
        InputError: the time of the request is up.
    """
    try:
        return scores_of(explainer, text)
    except InputError as error:
        if error.key == "deadline":  # says nothing about the text
            raise
        return None


def scores_of(explainer: Explainer, text: str) -> Scores:
    """The scores of all heads for a text's translation.

    Targets that are cut off, and sources or targets of one token, are not used.

    Raises:
        InputError: the text cannot be read or used, or the time of the request is up.
    """
    explanation = explainer.explain(text, DecodeConfig(method="greedy", max_length=LENGTH))
    if min(len(explanation.trace.src), len(explanation.trace.tgt_out)) < SHORTEST:
        raise InputError(
            f"The sentence or its translation has fewer than {SHORTEST} tokens; there is nothing "
            "to choose between.",
            key="short", count=SHORTEST,
        )  # fmt: skip
    return scores(explainer, explanation)


def scores(explainer: Explainer, explanation: Explanation) -> Scores:
    """The scores of all heads for one explanation: by "kind.score", (layer, head)."""
    trace = explanation.trace
    special = explainer.tokenizer.special_ids
    found: Scores = {}
    for kind in KINDS:
        keys = trace.tgt_in if kind == "decoder_self" else trace.src
        maps = trace.attention(kind)
        for name, values in _positions(maps.weights, maps.mask, keys, special, kind).items():
            found[f"{kind}.{name}"] = values
    changes = occlusion(explainer, explanation).changes  # (S - 1, T)
    n = len(trace.tgt_out) - 1  # without the last token, which no row reads
    dearest = changes[:, :n].argmin(0)
    counted = changes[:, :n].min(0) <= -LOST
    strongest = trace.cross.weights[..., : len(changes)].argmax(-1)  # (L, H, T)
    by_label = {"written": strongest[..., :n], "read": strongest[..., 1:]}
    for label, read in by_label.items() if counted.any() else ():
        hits = (read == dearest)[..., counted].mean(-1)
        found[f"cross.{label}"] = _above(hits, 1 / len(changes))
    return found


def summary(
    explainer: Explainer,
    found: Sequence[Scores],
    labels: Mapping[Head, RowLabel] | None = None,
) -> Catalogue:
    """Make a catalogue from the scores of some sentences; `labels` come from gold, if available.

    Raises:
        InputError: no sentence was long enough.
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


def _role(table: Mapping[str, Doubles], head: Head, label: RowLabel | None) -> HeadRole:
    kind, layer, number = head
    own = {
        name.split(".")[1]: values[:, layer, number]
        for name, values in table.items()
        if name.startswith(f"{kind}.")
    }
    row_label: RowLabel = label or "read"
    agreement = {one: own.pop(one) for one in ROW_LABELS if one in own}
    if agreement:
        best = max(agreement, key=lambda one: float(agreement[one].mean()))
        row_label = label or best
        own["aligns"] = agreement[row_label]
    role = _name({name: float(values.mean()) for name, values in own.items()})
    values = own["even" if role == "mixed" else role]
    strength, spread = (round(float(v), 4) for v in (values.mean(), values.std()))
    if role == "mixed":
        strength = round(1 - strength, 4)
    return HeadRole(kind, layer, number, role, strength, spread, row_label)


def _name(means: Mapping[str, float]) -> Role:
    """The role that fits the mean scores of a head."""
    one, even = means["one"], means["even"]
    others = {name: mean for name, mean in means.items() if name not in ("one", "even")}
    best = max(others, key=lambda name: others[name])
    if one >= max(LEAST, others[best] + AHEAD):
        return "one"
    if others[best] >= LEAST:
        return cast("Role", best)
    return "even" if even >= EVEN else "mixed"


def _positions(
    weights: Floats, mask: Bools, keys: Tokens, special: Iterable[int], kind: Kind
) -> dict[Score, Doubles]:
    """The scores of one kind that need no other measure: (L, H) each.

    Self-attention leaves out the first two rows: there "first", "previous" and "itself" are the
    same place, or the only one.
    """
    queries, n = mask.shape
    row, column = np.indices((queries, n))
    rarest = np.where(np.isin(keys.ids, list(special)), -1, keys.ids).argmax()
    marks = [_is_mark(keys, i, special) and (i or kind != "decoder_self") for i in range(n)]
    cells: dict[Score, Bools] = {
        "first": column == 0,
        "end": np.broadcast_to(np.array(marks, bool), mask.shape),
        "rare": column == rarest,
    }
    if kind != "cross":
        cells |= {"itself": column == row, "previous": column == row - 1}
    if kind == "encoder_self":
        cells["next"] = column == row + 1
    rows = np.arange(queries) >= (0 if kind == "cross" else 2)
    equal = (mask / mask.sum(-1, keepdims=True))[None, None]
    found: dict[Score, Doubles] = {}
    for name, cell in cells.items():
        used = rows & cell.any(-1)
        if used.any():
            found[name] = _above(
                *((w * cell).sum(-1)[..., used].mean(-1) for w in (weights, equal))
            )
    found["one"] = _above(*(w[:, :, rows].mean(2).max(-1) for w in (weights, equal)))
    entropy = -(weights * np.log(np.maximum(weights, 1e-30))).sum(-1)[..., rows]
    found["even"] = (entropy / np.log(mask[rows].sum(-1))).mean(-1)
    return found


def _above(score: np.ndarray, chance: np.ndarray | float) -> Doubles:
    """Rescale a score: 0 for equal weights, 1 for all weight; 0 if equal weights have all."""
    above: Doubles = (score.astype(np.float64) - chance) / np.maximum(1 - chance, 1e-9)
    return above


def _is_mark(tokens: Tokens, i: int, special: Iterable[int]) -> bool:
    """True if a token is special or has no letter or digit."""
    start, end = tokens.spans[i]
    return int(tokens.ids[i]) in special or not any(map(str.isalnum, tokens.text[start:end]))
