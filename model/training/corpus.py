"""Sentence pairs from files: read, cleaned by stated rules, divided into parts, drawn by domain.

A corpus is a UTF-8 text file, one pair a line: source <tab> target [<tab> domain]. Any two
languages work. A third column of one word names the domain (where the pair comes from); without
one, or where it holds a longer remark such as an attribution, the domain is the file's name.
"""

from __future__ import annotations

import fnmatch
import hashlib
import math
import random
import re
import statistics
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from model.errors import ConfigError, InputError
from model.files import decoded, read_bytes, write_text
from model.text import kinds
from model.text.characters import normalise
from model.text.kinds import short
from model.text.languages import UNSPACED
from model.training.columns import check_columns

Pair = tuple[str, str]


class Line(NamedTuple):
    """A sentence pair and its domain."""

    source: str
    target: str
    domain: str


# ------------------------------------------------------------------------------------ the key

_WRITTEN_OUT = (
    (r"\b(?:can't|cannot|cant)\b", "can not"),
    (r"\b(?:won't|wont|shan't|ain't)\b", "not"),
    (r"\b(do|does|did|is|are|was|has|have)nt\b", r"\1 not"),
    (r"n't\b", " not"),
    (r"\b(i)m\b", r"\1"),
    (r"\b(i|you|we|they|could|should|would|might|must)ve\b", r"\1"),
    (r"\b(you|they)re\b", r"\1"),
    (r"\b(that|what|it|he|she|let|there|here|where|who)s\b", r"\1"),
    (r"\bgonna\b", "going to"),
    (r"\bwanna\b", "want to"),
    (r"\bgotta\b", "got to"),
    (r"\bgimme\b", "give me"),
    (r"\blemme\b", "let me"),
    (r"\bc'mon\b", "come on"),
    (r"\bd'you\b", "do you"),
    (r"\by'all\b", "you all"),
    (r"'em\b", " them"),
    (r"'cause\b", " because"),
    (r"'?\btwas\b", "it was"),
    (r"'?\btis\b", "it"),
    (r"in'(?!\w)", "ing"),
)
# What a contraction can stand for, and its rest: 's may be is, has, us or a possessive.
_DROPPED = frozenset(
    "s d m re ve ll am is are has have had us will shall would did".split()  # noqa: SIM905
)


def key(sentence: str) -> str:
    """A key shared by nearly identical sentences: "It's a dog." and "It is a dog!" -> "it a dog".

    Lower case, no punctuation, contractions written out. An ambiguous contraction ('s, 'd, 'll) and
    the words that it can stand for are left out on both sides: this merges a few sentences too
    many, but never splits near-duplicates. The data is split by this key. The rules are for
    English; sentences in other languages lose at most those few words.
    """
    text = normalise(sentence).lower()
    for pattern, expansion in _WRITTEN_OUT:
        text = re.sub(pattern, expansion, text)
    return " ".join(word for word in re.findall(r"\w+", text) if word not in _DROPPED)


# ------------------------------------------------------------------------------------ reading


def as_given(text: str) -> str:
    """A side of a pair for scoring: the line of the file, to the letter."""
    return text.strip(" \t\r")


def read_lines(
    path: Path,
    change: Callable[[str], str] = normalise,
    change_source: Callable[[str], str] = normalise,
) -> list[Line]:
    """The distinct pairs of a file, normalised; `change` and `change_source` do another thing.

    Raises:
        InputError: the file cannot be read, has no pairs, or has a line without a tab.
    """
    raw = read_bytes(path)
    if kind := kinds.of_pairs(raw, path.name):
        raise InputError(kind.sentence(path, kinds.PAIRS))
    # Only \n ends a line: other Unicode separators may occur inside a sentence.
    rows = [row.split("\t") for row in decoded(raw, path).split("\n")]
    check_columns([row for row in rows if len(row) > 1], path)
    lines: dict[Pair, Line] = {}
    for number, columns in enumerate(rows, 1):
        if not any(map(str.strip, columns)):
            continue
        if len(columns) < 2:
            raise InputError(
                f"{short(path)}, line {number}: expected source <tab> target, found no tab. Two "
                "files of lines are joined by: paste SOURCES TARGETS > PAIRS."
            )
        source, target = change_source(columns[0]), change(columns[1])
        remark = columns[2].strip() if len(columns) > 2 else ""
        domain = remark if re.fullmatch(r"\S{1,60}", remark) else path.stem
        if source and target:
            lines.setdefault((source, target), Line(source, target, domain))
    if not lines:
        raise InputError(f"{short(path)} holds no pairs; expected {kinds.PAIRS}.")
    return list(lines.values())


def read_pairs(
    path: Path,
    change: Callable[[str], str] = normalise,
    change_source: Callable[[str], str] = normalise,
) -> list[Pair]:
    """The distinct pairs of a file, without their domains; see `read_lines`."""
    return [(line.source, line.target) for line in read_lines(path, change, change_source)]


def write_lines(path: Path, lines: Iterable[Line]) -> None:
    """Write a corpus that `read_lines` reads back."""
    write_text(path, "".join("\t".join(line) + "\n" for line in lines))


# ----------------------------------------------------------------------------------- cleaning


@dataclass(frozen=True)
class Filter:
    """The rules for leaving out pairs, in this order; 0 or an empty text switches one off.

    `max_words` bounds the source. A script is the first word of the names that Unicode gives its
    letters (LATIN, CJK, CYRILLIC): a third of a side's letters must belong to it. A pair longer
    than 20 characters is out of ratio if target length over source length is more than
    `length_factor` times off the corpus's median.
    """

    max_words: int = 0
    source_script: str = ""
    target_script: str = ""
    length_factor: float = 0.0


def of_script(text: str, script: str) -> bool:
    """True if at least a third of the letters belong to a script; False without letters."""
    letters = [c for c in text if c.isalpha()]
    own = sum(unicodedata.name(c, "").startswith(script) for c in letters)
    return bool(letters) and 3 * own >= len(letters)


def cleaned(lines: Sequence[Line], rules: Filter) -> tuple[list[Line], dict[str, int]]:
    """Return the lines that pass, each pair once, and the number that each rule left out."""
    left_out = dict.fromkeys(("twice", "identical", "long", "script", "ratio"), 0)
    ratio = statistics.median(len(line.target) / len(line.source) for line in lines)
    kept: dict[Pair, Line] = {}
    for line in lines:
        reason = "twice" if line[:2] in kept else _reason(line, rules, ratio)
        if reason:
            left_out[reason] += 1
        else:
            kept[line[:2]] = line
    return list(kept.values()), left_out


def _reason(line: Line, rules: Filter, ratio: float) -> str:
    """The name of the rule that drops the line; empty if none does."""
    if line.source.casefold() == line.target.casefold():
        return "identical"
    if rules.max_words and len(line.source.split()) > rules.max_words:
        return "long"
    for text, script in ((line.source, rules.source_script), (line.target, rules.target_script)):
        if script and not of_script(text, script):
            return "script"
    own = len(line.target) / len(line.source) / ratio
    long = max(len(line.source), len(line.target) / ratio) > 20
    if rules.length_factor and long and not 1 / rules.length_factor <= own <= rules.length_factor:
        return "ratio"
    return ""


# ---------------------------------------------------------------------------------- the parts


@dataclass(frozen=True)
class Split:
    """Three sets of lines that share no source sentence (by `key`)."""

    train: list[Line]
    dev: list[Line]
    test: list[Line]

    def turned(self) -> Split:
        """The same parts for the other direction: sources are targets and targets sources."""
        parts = (self.train, self.dev, self.test)
        return Split(*([Line(x.target, x.source, x.domain) for x in part] for part in parts))


def split(lines: Sequence[Line], dev: float, test: float) -> Split:
    """Split by a hash of the source's key: a sentence falls into the same part in every file.

    Each domain has about the same share in each part.
    """
    parts: tuple[list[Line], list[Line], list[Line]] = ([], [], [])
    for line in lines:
        digest = hashlib.sha256(key(line.source).encode()).digest()
        at = int.from_bytes(digest[:8], "big") / 2**64
        parts[2 if at < test else 1 if at < test + dev else 0].append(line)
    return Split(*parts)


def parse_caps(text: str) -> list[tuple[str, int]]:
    """Parse the caps of domains in a pass, (pattern, cap) pairs, from "news=2000,web-*=500".

    Raises:
        ConfigError: an entry is not pattern=number.
    """
    caps = []
    for entry in filter(None, text.split(",")):
        name, equals, number = entry.strip().rpartition("=")
        if not (name and "=" not in name and equals and number.isdigit() and int(number)):
            raise ConfigError(
                f"caps has {entry!r}; expected entries such as news=2000, joined by ,"
            )
        caps.append((name, int(number)))
    return caps


def draw(lines: Sequence[Line], caps: str, parts: int, seed: int, epoch: int) -> list[Pair]:
    """The pairs of an epoch (0, 1, ...): one of the `parts` of a pass over the corpus.

    In a pass each domain contributes all its pairs, or a fresh sample up to its cap.
    """
    rng = random.Random(f"draw {seed}/{epoch // parts}")  # noqa: S311 - not secrets
    by_domain: dict[str, list[Pair]] = {}
    for line in lines:
        by_domain.setdefault(line.domain, []).append((line.source, line.target))
    patterns = parse_caps(caps)
    chosen: list[Pair] = []
    for domain, pairs in by_domain.items():
        most = next((n for name, n in patterns if fnmatch.fnmatch(domain, name)), len(pairs))
        chosen += rng.sample(pairs, min(most, len(pairs)))
    rng.shuffle(chosen)
    return chosen[epoch % parts :: parts]


# ------------------------------------------------------------------------------------ scoring


def references(pairs: Sequence[Pair]) -> tuple[list[str], list[list[str]]]:
    """The distinct source sentences, each with all its targets."""
    grouped: dict[str, list[str]] = {}
    for source, target in pairs:
        grouped.setdefault(source, []).append(target)
    return list(grouped), list(grouped.values())


_WORDS = re.compile(f"{UNSPACED.pattern}|(?:(?!{UNSPACED.pattern})\\S)+")


def unlike(
    sentences: Sequence[str], answers: Sequence[Sequence[str]], train: Sequence[Pair]
) -> list[int]:
    """Indices of the sentences that resemble none of the training sentences.

    None of a sentence's references is in training, and it shares less than 0.6 of its words with
    any training sentence (words of the key in common over words in either). In Chinese each
    character is counted as a word.
    """
    targets = {pair[1] for pair in train}
    seen = [frozenset(_WORDS.findall(words)) for words in {key(pair[0]) for pair in train}]
    by_word: dict[str, set[int]] = {}
    for i, words in enumerate(seen):
        for word in words:
            by_word.setdefault(word, set()).add(i)
    result = []
    for i, (sentence, refs) in enumerate(zip(sentences, answers, strict=True)):
        words = frozenset(_WORDS.findall(key(sentence)))
        # A sentence that shares 0.6 of the words shares at least one of this many rarest words.
        rarest = sorted(words, key=lambda word: len(by_word.get(word, ())))
        probes = rarest[: len(words) - math.ceil(0.6 * len(words)) + 1]
        near = set().union(*(by_word.get(word, set()) for word in probes))
        overlap = max((len(words & seen[j]) / len(words | seen[j]) for j in near), default=0.0)
        if overlap < 0.6 and not targets.intersection(refs):
            result.append(i)
    return result
