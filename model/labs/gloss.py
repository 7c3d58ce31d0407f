"""What each word stands for in the other language: `python -m model.labs.gloss`.

    python -m model.labs.gloss --data pairs.tsv more.tsv --simplify --domains "news,talks-*"

Each pair of a parallel corpus is read with teacher forcing and aligned by the joined method of
`scoreboard`: for each piece of the target the strongest piece of the source, and the reverse. Two
words stand for each other where both directions say so. Of each word the table (`text.glossary`)
keeps the likeliest one of the other language, all its forms together (give, gave), if it reaches a
third of the places where the word stands for anything. Words that only hold a sentence together
(the, 了) have none.
"""

from __future__ import annotations

import fnmatch
import logging
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from model import cli
from model.checkpoint import SHIPPED
from model.errors import InputError
from model.explain import Explainer
from model.files import check_file, write_text
from model.labs import catalogue, resume, scoreboard
from model.text import english, glossary
from model.text.characters import normalise
from model.text.chinese import simplified
from model.text.glossary import Gloss, Glossary, GlossSide
from model.text.words import words
from model.trace import Tokens
from model.training import corpus

log = logging.getLogger(__name__)

LEAST_SHARE = 1 / 3  # of the places where the word stands for something
LEAST_OF_ALL = 0.1  # of all its places: the stands for nothing in nine of ten
LEAST_AS_A_PART = 0.5  # of all places of a word that stands for something with its neighbours
LEAST_COUNT, LEAST_PLACES = 3, 4
BINDING = (0.2, 1000)  # a word with so many places that stands for something in fewer only binds
LONGEST = 4  # words without a space between them that may be one: 图书|馆
ALONE = 0.1  # of the places of a Chinese word: what stands by itself in fewer is none
LONGER = 0.35  # of the count of a part: then the longer word is meant
END_MARKS = '.!?。！？…:："“”'  # after them a capital says nothing

Links = Sequence[Sequence[int]]  # of each piece of the target one of the source, and the reverse
Linked = Mapping[int, set[int]]  # words of one text with those of the other
Agreed = Mapping[int, tuple[set[int], set[int]]]

_HAN = re.compile("[\u3400-\u9fff]")


@dataclass(frozen=True)
class Command:
    """Count what each word stands for in a parallel corpus; resumes if interrupted."""

    data: tuple[Path, ...]  # files of source <tab> target
    model: str = str(SHIPPED)  # folder or Hub name; default: the shipped model
    out: Path | None = None  # the file to write; default: gloss.json beside the model
    pairs: int = 60_000  # at most this many of the files' pairs, evenly spaced
    domains: str = ""  # of those, the domains to count in: names or patterns joined by ","
    simplify: bool = False  # targets are Chinese: simplified characters, full-width punctuation


def make(command: Command) -> None:
    """Read the pairs, align, count and write.

    Raises:
        InputError: a file cannot be read, or the model is in no folder and `out` is not given.
    """
    explainer = Explainer.load(command.model, device="cpu")
    if command.out is None and explainer.folder is None:
        raise InputError("This model is in no folder; say with --out which file to write.")
    out = command.out or (explainer.folder or Path()) / glossary.FILE
    check_file(out)
    texts = _texts(command)
    progress = out.with_name(f"{out.name}.progress")
    found = resume.gather(
        explainer, texts, lambda text: aligned(explainer, *text.split("\t")), progress
    )
    read, write = explainer.tokenizer.encode_source, explainer.tokenizer.encode_target
    pairs = (
        (read(source), write(target), links)
        for (source, target), links in zip((t.split("\t") for t in texts), found, strict=True)
        if links is not None
    )
    pieces = explainer.tokenizer.pieces
    write_text(
        out, table(*count(pairs), sum(links is not None for links in found), pieces).to_json()
    )
    progress.unlink()


def _texts(command: Command) -> list[str]:
    """The pairs, each as source <tab> target.

    Raises:
        InputError: a file cannot be read, or there are no pairs of these domains.
    """
    change = simplified if command.simplify else normalise
    domains = {
        f"{line.source}\t{line.target}": line.domain
        for path in command.data
        for line in corpus.read_lines(path, change)
    }
    wanted = [one for one in command.domains.split(",") if one] or ["*"]
    number = min(len(domains), command.pairs)
    all_texts = list(domains)
    texts = [all_texts[i * len(all_texts) // number] for i in range(number)]
    chosen = [t for t in texts if any(fnmatch.fnmatch(domains[t], one) for one in wanted)]
    if not chosen:
        raise InputError(f"The files hold no pairs of the domains {command.domains}.")
    return chosen


def aligned(explainer: Explainer, source: str, target: str) -> list[list[int]] | None:
    """For each piece of the target the source piece that it stands for, and the reverse.

    None for a pair that the model cannot read. The end token stands for nothing.
    """
    try:
        ids = explainer.tokenizer.encode_target(target).ids.tolist()
        trace = explainer.trace(source, [*ids, explainer.tokenizer.end_id])
    except InputError:
        return None
    n_source = len(trace.src) - 1
    usable = np.where(np.arange(n_source + 1) < n_source, 0, -1)
    heads = catalogue.catalogue_of(explainer, [source])
    cells = scoreboard.joined(explainer, trace, usable, heads, "written")[: len(ids), :n_source]
    return [cells.argmax(1).tolist(), cells.argmax(0).tolist()] if cells.size else None


# ------------------------------------------------------------------------------------ counting


@dataclass
class Side:
    """The counts of the words of one language, in small letters.

    `places` of each word, `linked` where it stands for something, `pairs` with each word of the
    other language, `runs` of words without a space that it stands for, `near` what it stands for
    together with words beside it, and how it is `written` inside a sentence.
    """

    places: Counter[str] = field(default_factory=Counter)
    linked: Counter[str] = field(default_factory=Counter)
    pairs: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    runs: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    near: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    written: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def usual(self, word: str) -> str:
        """The word as it is written inside a sentence: "tom" -> "Tom"."""
        forms = self.written.get(word)
        return forms.most_common(1)[0][0] if forms else word


class _Text:
    """The words of a text, and which of them each piece belongs to."""

    def __init__(self, tokens: Tokens) -> None:
        runs = words(tokens)
        edges = ((int(tokens.spans[a, 0]), int(tokens.spans[b - 1, 1])) for a, b in runs)
        self.text = tokens.text
        self.spans = [(a + self.text[a:b].startswith(" "), b) for a, b in edges]
        self.written = [self.text[a:b] for a, b in self.spans]
        self.of = {piece: word for word, run in enumerate(runs) for piece in range(*run)}

    def has_letters(self, word: int) -> bool:
        """False for signs and numbers, which stand for themselves."""
        return any(map(str.isalpha, self.written[word]))

    def is_first(self, word: int) -> bool:
        """Whether a capital letter would say nothing about the word."""
        before = self.text[: self.spans[word][0]].rstrip(" ")
        return not before or before[-1] in END_MARKS

    def together(self, word: int, among: set[int]) -> range:
        """The words written together with one, itself among them, that are all in `among`."""
        first = last = word
        while first - 1 in among and self._touches(first - 1):
            first -= 1
        while last + 1 in among and self._touches(last):
            last += 1
        return range(max(first, word - LONGEST + 1), min(last, word + LONGEST - 1) + 1)

    def around(self, word: int, among: set[int]) -> Iterator[str]:
        """The word, and longer ones without a space that hold it and others of `among`."""
        run = self.together(word, among)
        for first in range(run.start, word + 1):  # the longest first
            for last in range(run.stop - 1, word - 1, -1):
                yield self.text[self.spans[first][0] : self.spans[last][1]].lower()

    def _touches(self, word: int) -> bool:
        """Whether the next word follows without a space, both with letters."""
        is_near = self.spans[word][1] == self.spans[word + 1][0]
        return is_near and self.has_letters(word) and self.has_letters(word + 1)


def count(pairs: Iterable[tuple[Tokens, Tokens, Links]]) -> tuple[Side, Side]:
    """The counts of aligned pairs, of the source and of the target."""
    sides = Side(), Side()
    for source, target, (to_source, to_target) in pairs:
        texts = _Text(source), _Text(target)
        forth = _between(texts[0], texts[1], to_target)
        back = _between(texts[1], texts[0], to_source)
        _add(sides[0], texts, forth, _both(forth, back))
        _add(sides[1], texts[::-1], back, _both(back, forth))
    return sides


def _between(own: _Text, other: _Text, links: Sequence[int]) -> Linked:
    """For each word the words of the other text that its pieces stand for."""
    found: defaultdict[int, set[int]] = defaultdict(set)
    for piece, link in enumerate(links):
        if piece in own.of and link in other.of:
            found[own.of[piece]].add(other.of[link])
    return found


def _both(forth: Linked, back: Linked) -> Agreed:
    """For each word those that it stands for, and the words of the other text that link to it."""
    linked: defaultdict[int, set[int]] = defaultdict(set)
    for word, theirs in back.items():
        for one in theirs:
            linked[one].add(word)
    return {word: (theirs & linked[word], linked[word]) for word, theirs in forth.items()}


def _add(side: Side, texts: tuple[_Text, _Text], forth: Linked, agreed: Agreed) -> None:
    """Count the words of the first text and what they stand for."""
    own, other = texts
    for word, written in enumerate(own.written):
        if not own.has_letters(word):
            continue
        name = written.lower()
        side.places[name] += 1
        if not own.is_first(word):
            side.written[name][written] += 1
        links, around = agreed.get(word, (set(), set()))
        runs = [list(other.around(w, around)) for w in links if other.has_letters(w)]
        if runs:
            side.linked[name] += 1
            side.pairs[name].update({one for run in runs for one in run})
            side.runs[name][" ".join(run[0] for run in runs)] += 1
        for one in forth.get(word, ()):
            run = own.together(word, {w for w, theirs in forth.items() if one in theirs})
            if other.has_letters(one) and any(one in agreed[w][0] for w in run):
                side.near[name][other.written[one].lower()] += 1


# ----------------------------------------------------------------------------------- the table


def table(source: Side, target: Side, pairs: int, pieces: Iterable[str] = ()) -> Glossary:
    """The glosses of both sides; Chinese `pieces` of the target's vocabulary get pinyin too."""
    found: dict[str, Gloss] = {}
    sides: dict[str, GlossSide] = {}
    both: tuple[tuple[GlossSide, Side, Side], ...] = (
        ("source", source, target),
        ("target", target, source),
    )
    for side, own, other in both:
        families = _by_family(own)
        binding = _binding(other)
        for word, places in own.places.items():
            if places < LEAST_PLACES:
                continue
            gloss = likeliest(own, word, binding) or likeliest(
                families, english.base(word), binding
            )
            if gloss is not None and gloss.word != word:
                found[word] = Gloss(other.usual(gloss.word), round(gloss.share, 2))
                sides[word] = side
    if not any(map(_HAN.search, found)):
        found = {word: gloss._replace(side=sides[word]) for word, gloss in found.items()}
    spoken = {piece.replace("▁", " ").strip() for piece in pieces} | set(found)
    for word in filter(_HAN.search, spoken):
        found[word] = found.get(word, Gloss("", 0))._replace(pinyin=pinyin(word))
    return Glossary(pairs, found)


def _by_family(side: Side) -> Side:
    """The counts of all forms of a word together, for a form that has too few of its own."""
    found = Side()
    for word in side.places:
        if not _HAN.search(word):
            base = english.base(word)
            found.places[base] += side.places[word]
            found.linked[base] += side.linked[word]
            found.pairs[base] += side.pairs[word]
            found.runs[base] += side.runs[word]
    return found


def _binding(side: Side) -> frozenset[str]:
    """Words that only hold a sentence together: no word stands for one or ends with one (喝|了)."""
    share, least = BINDING
    return frozenset(
        word
        for word, places in side.places.items()
        if places >= least and side.linked[word] < share * places
    )


def likeliest(side: Side, word: str, binding: frozenset[str] = frozenset()) -> Gloss | None:
    """The likeliest word of the other side; None where no word reaches the shares above."""
    counts = [*_families(side.pairs[word]), *_contained(side.pairs[word], side.runs[word])]
    linked = max(1, side.linked[word])
    least = max(LEAST_COUNT, LEAST_OF_ALL * side.places[word], LEAST_SHARE * linked)
    enough = [one for one in counts if one[1] >= least and not _is_bound(one[0], binding)]
    if not enough:
        return _as_a_part(side, word)
    name, number = max(enough, key=lambda one: (one[1], len(one[0]), one[0]))
    longer = [
        (one, own)
        for one, own in enough
        if name in one and _HAN.search(name) and own >= LONGER * number
    ]
    name, number = max(
        longer, key=lambda one: (len(one[0]), one[1], one[0]), default=(name, number)
    )
    return Gloss(name, min(1, number / linked))


def _is_bound(word: str, binding: frozenset[str]) -> bool:
    """Whether it is a binding word, or a Chinese word that begins or ends with one."""
    if not _HAN.search(word):
        return word in binding
    return any(word.startswith(one) or word.endswith(one) for one in binding)


def _as_a_part(side: Side, word: str) -> Gloss | None:
    """What a word stands for of which most places are a part of a longer one: 图书 of 图书|馆."""
    name, number = max(_families(side.near[word]), key=lambda one: one[::-1], default=("", 0))
    is_enough = number >= max(LEAST_COUNT, LEAST_AS_A_PART * side.places[word])
    return Gloss(name, min(1, number / side.places[word])) if is_enough else None


def _families(found: Counter[str]) -> Iterator[tuple[str, int]]:
    """The commonest form of each word, and the count of all its forms."""
    families: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for name, number in found.items():
        if not _HAN.search(name):
            for part in english.parts(name):
                families[english.base(part)][part] += number
    for forms in families.values():
        yield max(forms, key=lambda form: (forms[form], form)), forms.total()


def _contained(found: Counter[str], runs: Counter[str]) -> Iterator[tuple[str, int]]:
    """Chinese words, each with those that contain it: of 两, also 两个 and 两只.

    What hardly ever stands by itself is no word: 从 of 从来, 从不 and 从没.
    """
    for name, number in found.items():
        if number >= LEAST_COUNT and _HAN.search(name):
            all_ = sum(own for run, own in runs.items() if name in run)
            if sum(own for run, own in runs.items() if name in run.split(" ")) >= ALONE * all_:
                yield name, all_


def pinyin(word: str) -> str:
    """How a Chinese word is spoken: "再" -> "zài"."""
    import pypinyin  # only this command needs it

    return "".join(pypinyin.lazy_pinyin(word, style=pypinyin.Style.TONE))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; 0, or 2 with a sentence on standard error."""
    return cli.run(Command, make, arguments, prog="model.labs.gloss")


if __name__ == "__main__":
    sys.exit(main())
