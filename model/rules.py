"""A checkpoint's rules for decoding: its start, its end, what it may not and must write."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple

import torch
from torch import Tensor

from model.config import Switch
from model.errors import ConfigError, quote
from model.settings import check_number, check_whole
from model.text import utf8
from model.text.characters import SPACE

Place = Literal["none", "start", "first"]
EarlyStopping = bool | Literal["never"]
RuleName = Literal["banned", "bytes", "min_tokens", "no_repeat", "source_no_repeat", "numbers"]
LIKELY = math.log(0.01)  # of a token that is banned or breaks a character: less is not recorded
MOST_LIKELY = 100  # no more tokens are as likely


class Sign(NamedTuple):
    """Behind a digit and one of these signs, none of `never` may come."""

    signs: tuple[int, ...]
    never: tuple[int, ...]


class Numbers(NamedTuple):
    """The tokens that numbers are made of, and those that take them apart: `spaced` are digits
    behind a blank, `blank` is one alone, `joined` begin with a letter or a point.
    """

    digits: tuple[int, ...]
    spaced: tuple[int, ...]
    blank: tuple[int, ...]
    colons: tuple[int, ...]
    points: tuple[int, ...]
    commas: tuple[int, ...]
    joined: tuple[int, ...]

    def kept(self, ids: Sequence[int]) -> tuple[Sign, ...]:
        """What keeps the numbers of a source whole: 9:00 is not written as 9: 00; and 1. not as
        1.1, 1.. or 1.m, where no number of the source goes on behind a sign: 2:30 may be 2.30.
        """
        dense = [i for i in ids if i not in self.blank]
        digits = (*self.digits, *self.spaced)
        if self._has(ids, self.colons, self.digits):
            return (Sign(self.colons, (*self.blank, *self.spaced)),)
        goes_on = (
            self._has(ids, self.commas, digits)
            or self._has(ids, self.points, self.joined)
            or self._has(dense, self.points, digits)
        )
        is_item = self._has(ids, self.points, ids) and not goes_on
        return (Sign(self.points, (*self.joined, *digits)),) * is_item

    def ends(self, ids: Sequence[int], signs: Sequence[int]) -> bool:
        """True if a text ends in a digit and one of the signs."""
        is_number = len(ids) > 1 and ids[-2] in (*self.digits, *self.spaced)
        return is_number and ids[-1] in signs

    def _has(self, ids: Sequence[int], signs: Sequence[int], after: Sequence[int]) -> bool:
        """True if a digit, one of the signs and one of `after` follow each other."""
        runs = zip(ids, ids[1:], ids[2:], strict=False)
        digits = {*self.digits, *self.spaced}
        return any(one in digits and sign in signs and last in after for one, sign, last in runs)


_JOINED = r"[A-Za-z\u00c0-\u024f.].*"  # no Chinese, which has no blank before it
_OF_NUMBERS = ("[0-9]+", f"{SPACE}[0-9]+", SPACE, "[:：]", r"\.", "[,，]", _JOINED)


def numbers_of(pieces: Sequence[str]) -> Numbers | None:
    """The tokens of numbers in a vocabulary with marks of blanks; None if some are not there."""
    found = [
        tuple(i for i, piece in enumerate(pieces) if re.fullmatch(form, piece))
        for form in _OF_NUMBERS
    ]
    return Numbers(*found) if all(found) else None


class ByteRule(NamedTuple):
    """What may follow under the rule of bytes: nothing but these tokens, or all but these."""

    only: bool
    ids: tuple[int, ...]


@dataclass(frozen=True)
class Rules:
    """A checkpoint's rules for decoding.

    `start_id` is read first and never written. `banned` ids are never written; with `renormalise`
    (Marian's `renormalize_logits`) their probability is shared among the others. With
    `forced_end_id`, only the end token may come at the last allowed position (Marian). `more_ends`
    end a translation too; unlike the end token, they are part of its text.

    `forced_first_id` is written first. `min_tokens` are written before an end. `repetition_penalty`
    makes tokens that were read or written less likely, as in `transformers`. `source_no_repeat` n
    forbids any token that would complete a run of n tokens of the source, `read`. `early_stopping`
    says when a beam search is done (see `beams.py`). `language` is where a multilingual model gets
    the code of the target language: as start token, or as first token.

    `byte_ids` are the tokens of the bytes 0 to 255. With them the bytes of a text form characters:
    inside a character only what continues it may come, elsewhere no byte that begins none, or one
    that does not fit before the limit (text/utf8.py). `transformers` has no such rule, so our own
    models alone have it.

    With `numbers`, those of a source stay whole (`kept`: how). The data of our models often has
    9: 00 for 9:00; theirs alone have this rule.

    `is_own` rules come with Headlight's own models; no file of theirs names them.
    """

    start_id: int
    end_id: int
    banned: tuple[int, ...] = ()
    forced_end_id: int | None = None
    renormalise: bool = False
    more_ends: tuple[int, ...] = ()
    forced_first_id: int | None = None
    min_tokens: int = 0
    repetition_penalty: float = 1.0
    source_no_repeat: int = 0
    early_stopping: EarlyStopping = False
    language: Place = "none"
    read: tuple[int, ...] = ()
    byte_ids: tuple[int, ...] = ()
    numbers: Numbers | None = None
    kept: tuple[Sign, ...] = ()
    is_own: bool = False

    @property
    def ends(self) -> tuple[int, ...]:
        """Every token after which nothing is written."""
        return (self.end_id, *self.more_ends)

    def __post_init__(self) -> None:
        if not set(self.banned).isdisjoint(self.ends):
            raise ConfigError(f"An end token of {self.ends} is banned; no translation could end.")
        if self.forced_end_id not in (None, self.end_id):
            raise ConfigError(
                f"forced_end_id is {self.forced_end_id}; expected the end token, "
                f"{self.end_id}, or None."
            )
        if self.early_stopping not in (True, False, "never"):
            raise ConfigError(
                f"early_stopping is {quote(self.early_stopping)}; expected true, false or never."
            )
        check_whole("min_tokens", self.min_tokens, 0, 65_536)
        check_whole("source_no_repeat", self.source_no_repeat, 0, 512)
        check_number("repetition_penalty", self.repetition_penalty, 0.01, 100.0)

    def of_source(self, ids: Sequence[int], language: int | None) -> Rules:
        """The rules for one source: its ids, and the number of the target language's code."""
        own = replace(self, read=tuple(map(int, ids))) if self.source_no_repeat else self
        if self.numbers and (kept := self.numbers.kept(ids)):
            own = replace(own, kept=kept)
        if language is None or self.language == "none":
            return own
        if self.language == "start":
            return replace(own, start_id=language)
        return replace(own, forced_first_id=language)

    def without(self, names: Iterable[Switch]) -> Rules:
        """The rules with some of them off, which is what a field's default means.

        Those of our own models are no checkpoint's choice, and stay.
        """
        if self.is_own:
            return self
        off: dict[str, Any] = {
            one.name: one.default for one in fields(self) if one.name in {*names}
        }
        return replace(self, **off) if off else self

    @property
    def changes_scores(self) -> bool:
        """True if a rule but that of bytes forbids or changes candidates by what was written."""
        penalty, first = self.repetition_penalty != 1, self.forced_first_id is not None
        least, run = self.min_tokens, self.source_no_repeat
        return penalty or first or bool(least or run or self.kept)

    @cached_property
    def _bytes(self) -> dict[int, int]:
        """The byte of each token of one."""
        return {i: byte for byte, i in enumerate(self.byte_ids)}

    @cached_property
    def _misplaced(self) -> tuple[ByteRule, ...]:
        """What may not come where a character begins, by the room for it."""
        rooms = map(utf8.misplaced, range(utf8.LONGEST + 1))
        return tuple(ByteRule(False, tuple(self.byte_ids[b] for b in of)) for of in rooms)

    def bytes_after(self, ids: Sequence[int], room: int) -> ByteRule:
        """What may follow the written `ids` in a text that has room for `room` tokens more."""
        written: list[int] = []
        for i in ids[1 - utf8.LONGEST :]:
            written = [*written, self._bytes[i]] if i in self._bytes else []
        if (found := utf8.continuing(written)) is not None:
            return ByteRule(True, self.byte_ids[found.start : found.stop])
        return self._misplaced[min(room, utf8.LONGEST)]


class Masked(NamedTuple):
    """What a rule forbids in some rows: the likeliest scores before it and their ids (R, N)."""

    rule: RuleName
    rows: list[int]
    scores: Tensor
    ids: Tensor


def mask_bytes(
    scores: Tensor, rules: Rules, written: Iterable[tuple[int, Sequence[int], int]]
) -> list[Masked]:
    """Set the scores (R, V) of what would break a character to -inf; return what was likely of it.

    `written` has a row, its ids, and the tokens that it has room for. No more tokens than 1 / 0.01
    have a probability of at least that.
    """
    groups: dict[ByteRule, list[int]] = {}
    for row, ids, room in written:
        groups.setdefault(rules.bytes_after(ids, room), []).append(row)
    found: list[Masked] = []
    for (only, ids), rows in groups.items():
        of_rows = scores if len(rows) == len(scores) else scores[rows]
        columns = torch.tensor(ids, dtype=torch.int64, device=scores.device)
        kept = of_rows.index_select(1, columns)
        if only:
            others = of_rows.index_fill(1, columns, -math.inf)
            found.append(Masked("bytes", rows, *others.topk(min(MOST_LIKELY, others.size(1)))))
            of_rows.fill_(-math.inf).index_copy_(1, columns, kept)
        else:
            found.append(Masked("bytes", rows, kept, columns.expand(len(rows), -1)))
            of_rows.index_fill_(1, columns, -math.inf)
        if of_rows is not scores:
            scores[rows] = of_rows
    return found


def mask_banned(log_probs: Tensor, rules: Rules) -> Tensor:
    """Log-probs (R, V) with -inf for banned tokens, renormalised if the rules say so."""
    banned = torch.tensor(rules.banned, dtype=torch.int64, device=log_probs.device)
    left = log_probs.index_fill(-1, banned, -math.inf)
    return left.log_softmax(-1) if rules.renormalise else left


def repeating(ids: Sequence[int], n: int) -> list[int]:
    """The tokens that would repeat a run of n in `ids`: (1, 2, 3, 1, 2), 3 -> [3]."""
    return completing(ids, n, ids) if len(ids) >= n else []


def penalised(log_probs: Tensor, read: Tensor, penalty: float, normaliser: Tensor) -> Tensor:
    """Log-probs (R, V) with those of the tokens `read` (R, n) made less likely.

    Their logits, log-prob plus `normaliser` (R, 1), are multiplied by the penalty if negative,
    divided otherwise. Source: `RepetitionPenaltyLogitsProcessor` of `transformers`.
    """
    logits = log_probs.gather(1, read) + normaliser
    changed = torch.where(logits < 0, logits * penalty, logits / penalty) - normaliser
    return log_probs.scatter(1, read, changed)


def completing(ids: Sequence[int], n: int, read: Sequence[int]) -> list[int]:
    """The tokens that would complete a run of n tokens of `read` after `ids`.

    (7, 1, 2), 3, (1, 2, 3, 1, 2, 4) -> [3, 4].
    """
    start = tuple(ids[len(ids) - n + 1 :]) if len(ids) >= n - 1 else None
    runs = (tuple(read[i : i + n]) for i in range(len(read) - n + 1))
    return sorted({run[-1] for run in runs if run[:-1] == start})


def forbidden(rules: Rules, ids: Sequence[int], no_repeat: int) -> dict[RuleName, list[int]]:
    """The tokens that may not follow the written `ids`, by rule."""
    read = (rules.start_id, *ids)
    found: dict[RuleName, list[int]] = {}
    if len(ids) < rules.min_tokens:
        found["min_tokens"] = list(rules.ends)
    if no_repeat and (repeated := repeating(read, no_repeat)):
        found["no_repeat"] = repeated
    n = rules.source_no_repeat
    if n and (copied := completing(read, n, rules.read)):
        found["source_no_repeat"] = copied
    for signs, never in rules.kept:
        if rules.numbers and rules.numbers.ends(ids, signs):
            found["numbers"] = list(never)
    return found


def ruled(
    log_probs: Tensor, rules: Rules, ids: Sequence[int], no_repeat: int, normaliser: Tensor
) -> Tensor:
    """The log-probs (1, V) of the token after the written `ids`, as a single hypothesis has them.

    `normaliser` (1, 1) is the difference between logits and log-probs.
    """
    if rules.repetition_penalty != 1:
        read = torch.tensor([[rules.start_id, *ids]], device=log_probs.device)
        log_probs = penalised(log_probs, read, rules.repetition_penalty, normaliser)
    left = mask_banned(log_probs, rules)
    if rules.byte_ids:
        mask_bytes(left, rules, [(0, ids, utf8.LONGEST)])
    for found in forbidden(rules, ids, no_repeat).values():
        left[:, found] = -math.inf
    return left.log_softmax(-1) if rules.renormalise else left
