"""Tasks of letters, simple enough for a Transformer to learn in seconds.

Each is a rule from one short random text to another: source -> target, one letter per token. No
text has a space, so every token is a character. Imports no torch.
"""

from __future__ import annotations

import string
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from model.arrays import Ints

TaskName = Literal["copy", "reverse", "sort", "count", "add", "date"]
Pair = tuple[str, str]
Draw = Callable[[np.random.Generator, int, int], Pair]

SPECIALS = ("<pad>", "<s>", "</s>", "<unk>")  # the ids 0 to 3, as in every model of this project
PAD, START, END = 0, 1, 2
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
YEARS = (1950, 2049)


@dataclass(frozen=True)
class Task:
    """A rule to learn. `draw(random, length, alphabet)` returns one example.

    `practice` draws training examples, if those include easier ones; scored examples always come
    from `draw`.
    `length` has the lowest, usual and highest number of letters (or of digits, for `add`), or one
    number where the task has only one length; `alphabet` the same for the number of letters used.
    """

    name: TaskName
    draw: Draw
    characters: str
    length: tuple[int, int, int]
    alphabet: tuple[int, int, int]
    d_ff: int = 128  # size of a model that learns it, and its training
    updates: int = 400
    rate: float = 3e-3
    practice: Draw | None = None

    @property
    def has_lengths(self) -> bool:
        """True if its examples may be shorter or longer."""
        return self.length[0] < self.length[2]

    def letters(self, alphabet: int) -> str:
        """The characters in examples with that alphabet."""
        return self.characters if self.alphabet[0] == self.alphabet[2] else _used(self, alphabet)


def _used(task: Task, alphabet: int) -> str:
    digits = "".join(c for c in task.characters if c.isdigit())
    return string.ascii_lowercase[:alphabet] + digits


def _word(random: np.random.Generator, length: int, alphabet: int) -> str:
    return "".join(string.ascii_lowercase[i] for i in random.integers(0, alphabet, length))


def _copy(random: np.random.Generator, length: int, alphabet: int) -> Pair:
    word = _word(random, length, alphabet)
    return word, word


def _reverse(random: np.random.Generator, length: int, alphabet: int) -> Pair:
    word = _word(random, length, alphabet)
    return word, word[::-1]


def _sort(random: np.random.Generator, length: int, alphabet: int) -> Pair:
    word = _word(random, length, alphabet)
    return word, "".join(sorted(word))


def _count(random: np.random.Generator, length: int, alphabet: int) -> Pair:
    """The number of times that "a" occurs; each number from 0 to the length is equally likely."""
    count = int(random.integers(0, length + 1))
    others = [string.ascii_lowercase[i] for i in random.integers(1, alphabet, length - count)]
    word = [*"a" * count, *others]
    random.shuffle(word)
    return "".join(word), str(count)


def _add(random: np.random.Generator, length: int, _: int) -> Pair:
    """Two numbers of `length` digits; the sum has one more, written from its last digit."""
    a, b = (int(n) for n in random.integers(0, 10**length, 2))
    return f"{a:0{length}}+{b:0{length}}", f"{a + b:0{length + 1}}"[::-1]


def _add_short(random: np.random.Generator, length: int, _: int) -> Pair:
    """As `_add`, but half of the time a number's first digits are missing (zeros).

    With three digits everywhere, the heads find matching digits late or never: three of five seeds
    made no progress for 1,200 updates. Among zeros the few digits stand out.
    """
    a, b = (int(random.integers(0, 10 ** random.integers(1, length + 1))) for _ in range(2))
    return f"{a:0{length}}+{b:0{length}}", f"{a + b:0{length + 1}}"[::-1]


def _date(random: np.random.Generator, _: int, __: int) -> Pair:
    """A date in one of four ways of writing -> the ISO form, 2049-12-31."""
    year, month = int(random.integers(YEARS[0], YEARS[1] + 1)), int(random.integers(1, 13))
    day = int(random.integers(1, 29))
    name = MONTHS[month - 1]
    forms = (
        f"{day}{name}{year}",
        f"{name}{day},{year}",
        f"{day}.{month}.{year}",
        f"{month}/{day}/{year}",
    )
    return forms[int(random.integers(0, len(forms)))], f"{year}-{month:02}-{day:02}"


_LETTERS = string.ascii_lowercase
TASKS: dict[TaskName, Task] = {
    task.name: task
    for task in (
        Task("copy", _copy, _LETTERS, (1, 8, 12), (2, 26, 26)),
        Task("reverse", _reverse, _LETTERS, (1, 8, 12), (2, 26, 26)),
        Task("sort", _sort, _LETTERS, (1, 8, 12), (2, 26, 26), updates=800, rate=5e-3),
        Task("count", _count, _LETTERS + string.digits, (1, 8, 9), (2, 8, 26)),
        Task("add", _add, string.digits + "+", (1, 3, 4), (10, 10, 10),
             updates=1200, rate=4e-3, practice=_add_short),
        Task("date", _date, string.digits + "".join(sorted(set("".join(MONTHS)))) + ",./-",
             (11, 11, 11), (10, 10, 10)),
    )
}  # fmt: skip


class Letters:
    """The vocabulary of a task: four special tokens, then its characters."""

    def __init__(self, letters: str) -> None:
        self.pieces = (*SPECIALS, *letters)
        self._ids = {piece: i for i, piece in enumerate(self.pieces)}

    def __len__(self) -> int:
        return len(self.pieces)

    def encode(self, text: str) -> list[int]:
        """Return the ids of the letters, without start or end."""
        return [self._ids[letter] for letter in text]

    def piece(self, token_id: int, /) -> str:
        return self.pieces[token_id]

    def decode(self, ids: list[int], /) -> str:
        """Return the text of written ids, leaving out special tokens."""
        return "".join(self.pieces[i] for i in ids if i >= len(SPECIALS))


@dataclass(frozen=True, eq=False)
class Examples:
    """B pairs as texts and as ids: src (B, S) with the end, tgt (B, T + 1) from start to end."""

    pairs: tuple[Pair, ...]
    src: Ints
    tgt: Ints


def encoded(letters: Letters, pairs: tuple[Pair, ...]) -> Examples:
    """Encode pairs of texts as ids."""
    src = _padded([[*letters.encode(source), END] for source, _ in pairs])
    tgt = _padded([[START, *letters.encode(target), END] for _, target in pairs])
    return Examples(pairs, src, tgt)


def _padded(rows: list[list[int]]) -> Ints:
    table = np.full((len(rows), max(map(len, rows))), PAD, dtype=np.int64)
    for i, row in enumerate(rows):
        table[i, : len(row)] = row
    return table
