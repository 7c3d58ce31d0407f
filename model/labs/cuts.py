"""Count the words that a vocabulary cuts badly: `python -m model.labs.cuts --data F`.

A word is a run of Latin letters in a source sentence. It is cut well if it is one piece, or two of
which the second is an ending (walk|ed); otherwise it is cut badly (be|cause). Every occurrence of a
word counts.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from model import cli, shipped
from model.text.characters import SPACE
from model.text.tokenizer import Tokenizer
from model.training import corpus
from model.training.corpus import Line
from model.training.scores import belongs, groups

ENDINGS = frozenset(("s", "es", "d", "ed", "ing", "ings", "r", "er", "ers", "st", "est", "ly"))
_WORD = re.compile(r"[A-Za-z]+")


def is_cut_badly(pieces: Sequence[str]) -> bool:
    """True if the pieces of a word, without space marks, are more than a stem and an ending."""
    return len(pieces) > 2 or (len(pieces) == 2 and pieces[1] not in ENDINGS)


def words(tokenizer: Tokenizer, text: str) -> list[list[str]]:
    """The words of a source, each as a list of pieces without the leading space mark."""
    tokens = tokenizer.encode_source(text)
    spans = tokens.spans.tolist()
    result = []
    for word in _WORD.finditer(tokens.text):
        parts = [
            tokens.text[max(start, word.start()) : min(end, word.end())] for start, end in spans
        ]
        result.append([part for part in parts if part])
    return result


@dataclass(frozen=True)
class Cuts:
    """Counts for the pairs of a domain; `bad` of `words` are cut badly."""

    pairs: int
    words: int
    bad: int
    source_tokens: int  # without the end token, as for the target
    target_tokens: int
    empty_first: int  # targets whose first piece is only a space mark


def count(tokenizer: Tokenizer, lines: Iterable[Line]) -> Cuts:
    """Count the cuts of some pairs."""
    n = n_words = bad = source = target = empty = 0
    for line in lines:
        pieces = words(tokenizer, line.source)
        written = tokenizer.encode_target(line.target).pieces
        n += 1
        n_words += len(pieces)
        bad += sum(map(is_cut_badly, pieces))
        source += len(tokenizer.encode_source(line.source)) - 1
        target += len(written)
        empty += written[:1] == (SPACE,)
    return Cuts(n, n_words, bad, source, target, empty)


@dataclass(frozen=True)
class Command:
    """Count the words that the vocabulary of a model cuts badly."""

    data: tuple[Path, ...]  # files of source <tab> target [<tab> domain]
    model: str = shipped.FIRST  # a shipped model, or the folder of a model or a training run
    groups: tuple[str, ...] = ()  # count domains together: talk=radio,film-*; default: each
    json: bool = False


def run(command: Command) -> None:
    """Count and print."""
    tokenizer = Tokenizer.load(Path(shipped.place(command.model)))
    lines = [line for path in command.data for line in corpus.read_lines(path)]
    names = dict.fromkeys(line.domain for line in lines)
    parts = groups(command.groups) or [(name, [name]) for name in names]
    found = {
        name: count(tokenizer, [line for line in lines if belongs(line, domains)])
        for name, domains in parts
    }
    if command.json:
        print(json.dumps({name: vars(cuts) for name, cuts in found.items()}, indent=2))
        return
    print("domain                 pairs   words  cut badly  tokens a pair  first piece empty")
    for name, cuts in found.items():
        n = max(1, cuts.pairs)
        tokens = f"{cuts.source_tokens / n:.1f} + {cuts.target_tokens / n:.1f}"
        share, empty = cuts.bad / max(1, cuts.words), cuts.empty_first / n
        print(f"{name:20} {cuts.pairs:7,} {cuts.words:7,} {share:10.1%} {tokens:>14} {empty:18.1%}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return 0, or 2 after an error message on standard error."""
    return cli.run(Command, run, arguments, prog="model.labs.cuts")


if __name__ == "__main__":
    sys.exit(main())
