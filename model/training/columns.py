"""Whether the columns of a file are sentences: scores, ids and headers are told before training.

A column of numbers with sentences behind it is refused: the pair is elsewhere. What may be meant so
(numbers translated into words, one language twice) is a warning.
"""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from model.errors import InputError, quote
from model.text.kinds import PAIRS, short

log = logging.getLogger(__name__)

FEWEST = 10  # lines; fewer say nothing about a column
LOOKED_AT = 1_000  # lines, evenly spaced
_NAMES = re.compile(
    r"(source|src|target|tgt|trg|ref(erence)?|hyp|mt|input|output|text|sentences?|translations?|"
    r"original|score|id|english|chinese|german|french|spanish|russian|japanese|[a-z]{2,3})"
    r"([_ -]?(text|sentence|lang(uage)?|\w{2}|\d))?",
    re.IGNORECASE,
)
_CODE = re.compile(r"(?=\S*\d)[\x21-\x7e]+", re.ASCII)  # a word with a digit: sent-0012, 3f8a.txt


def check_columns(rows: Sequence[Sequence[str]], path: Path) -> None:
    """Look at the columns of a file's lines.

    Raises:
        InputError: source or target is no text, but a column behind them is.
    """
    if not rows:
        return
    if len(rows) > 1 and all(map(_NAMES.fullmatch, map(str.strip, rows[0][:2]))):
        log.warning(
            "%s: line 1 looks like a header, and is taken for a pair: %s. Take it out: tail -n +2.",
            short(path), quote("\t".join(rows[0])),
        )  # fmt: skip
    sample = rows[1 :: max(1, len(rows) // LOOKED_AT)]  # the first may be a header
    if len(sample) < FEWEST:
        return
    width = sorted(map(len, sample))[len(sample) // 2]
    columns = [[row[k].strip() for row in sample if len(row) > k] for k in range(min(width, 5))]
    kinds = [_kind(column) for column in columns]
    for k, kind in enumerate(kinds[:2]):
        if kind:
            line = quote("\t".join(sample[0]))
            told = f"{short(path)}: column {k + 1} holds {kind}, as in {line}; expected {PAIRS}."
            text = [str(i + 1) for i, other in enumerate(kinds) if not other and i != k]
            if len(text) > 1:
                raise InputError(f"{told} Take it out: cut -f{','.join(text[:2])} FILE > PAIRS.")
            log.warning("%s Is that meant?", told)
            return
    _warn_of_pairs(sample, kinds, path)


def _warn_of_pairs(sample: Sequence[Sequence[str]], kinds: Sequence[str], path: Path) -> None:
    if _share([_are_alike(*row[:2]) for row in sample]) > 0.5:
        log.warning(
            "%s: columns 1 and 2 hold the same language, as in %s. Is that meant?",
            short(path), quote("\t".join(sample[0][:2])),
        )  # fmt: skip
    if kinds[2:3] == ["numbers"]:
        log.warning(
            "%s: column 3 holds numbers, as in %s; each is taken for the name of a domain. Take it "
            "out: cut -f1,2 FILE > PAIRS.",
            short(path), quote("\t".join(sample[0])),
        )  # fmt: skip


def _kind(values: Sequence[str]) -> str:
    """What most values are, if they are no text."""
    numbers = [any(map(str.isdigit, one)) and not any(map(str.isalpha, one)) for one in values]
    if _share(numbers) > 0.5:
        return "numbers"
    if _share([_CODE.fullmatch(one) is not None for one in values]) > 0.5:
        return "ids"
    if _share([not one for one in values]) > 0.5:
        return "nothing"
    ((_, most),) = Counter(values).most_common(1)
    return "one and the same text" if most > 0.5 * len(values) else ""


def _are_alike(source: str, target: str) -> bool:
    """True if most words, or characters where there are no spaces, are in both."""
    sides = [{*(text.casefold().split() if " " in text else text.casefold())}
             for text in (source.strip(), target.strip())]  # fmt: skip
    return len(sides[0] & sides[1]) > 0.6 * len(sides[0] | sides[1]) > 0


def _share(flags: Sequence[bool]) -> float:
    return sum(flags) / len(flags) if flags else 0.0
