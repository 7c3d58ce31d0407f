"""What each word stands for in the other language: `python -m model.labs.gloss`.

    python -m model.labs.gloss --data pairs.tsv more.tsv --simplify --domains "news,talks-*"

Each pair of a parallel corpus is read with teacher forcing and aligned by the joined method of
`scoreboard`: for each piece of the target the strongest piece of the source, and the reverse. Two
words stand for each other where both directions say so. Of each word the table (`text.glossary`)
keeps the likeliest one of the other language, all its forms together (give, gave), if it reaches a
third of the places where the word stands for anything. Words that only hold a sentence together
(the, 了) have none.

Beside it are the other words that it stands for, for a sentence in which one of them is there.
Being there must say something: in three of five places where both are, the one stands for the
other. That keeps out what is in every sentence (a, 的), however often it was aligned.
"""

from __future__ import annotations

import fnmatch
import logging
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
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
from model.text.glossary import LONGEST, NOTHING, Entry, Gloss, Glossary, Words
from model.text.languages import ENGLISH, UNSPACED, Language, language_of_all
from model.text.words import words
from model.trace import Tokens
from model.training import corpus

log = logging.getLogger(__name__)

LEAST_SHARE = 1 / 3  # of the places where the word stands for something
LEAST_OF_ALL = 0.1  # of all its places: the stands for nothing in nine of ten
LEAST_AS_A_PART = 0.5  # of all places of a word that stands for something with its neighbours
LEAST_COUNT, LEAST_PLACES = 3, 4
LEAST_OF_OTHERS = 0.01  # of the places where the word stands for something
LEAST_MEANT = 0.6  # of the places where another word is there: that it is what is meant
BINDING = (0.2, 1000)  # a word with so many places that stands for something in fewer only binds
ALONE = 0.1  # of the places of a word without spaces: what stands by itself in fewer is none
LONGER = 0.35  # of the count of a part: then the longer word is meant
OBJECT = "把"  # before an object: each verb is linked with it, and none stands for it
END_MARKS = '.!?。！？…:："“”„«'  # after them a capital says nothing

Links = Sequence[Sequence[int]]  # of each piece of the target one of the source, and the reverse
Linked = Mapping[int, set[int]]  # words of one text with those of the other
Agreed = Mapping[int, tuple[set[int], set[int]]]


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
    """The counts of the words of one `language`, in small letters; the `other` one is that of what
    they stand for.

    `places` of each word, `linked` where it stands for something, `pairs` with each word of the
    other language, `runs` of words without a space that it stands for, `near` what it stands for
    together with words beside it, and how it is `written` inside a sentence. `there`: places where
    a word that it may stand for is in the other text; `meant`: where it does.
    """

    language: Language = ENGLISH
    other: Language = ENGLISH
    places: Counter[str] = field(default_factory=Counter)
    linked: Counter[str] = field(default_factory=Counter)
    pairs: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    runs: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    near: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    written: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    there: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    meant: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    _numbers: dict[str, list[tuple[str, int]]] = field(default_factory=dict)

    @cached_property
    def binding(self) -> frozenset[str]:
        """What only holds a sentence together: no word stands for one or ends with one (喝|了)."""
        share, least = BINDING
        often = (word for word, places in self.places.items() if places >= least)
        return frozenset(
            {OBJECT, *(one for one in often if self.linked[one] < share * self.places[one])}
        )

    def numbers(self, word: str, binding: frozenset[str]) -> list[tuple[str, int]]:
        """The words that a word stands for, each with its count; none that only binds."""
        if word not in self._numbers:
            pairs = self.pairs[word]
            found = *_families(pairs, self.other), *_contained(pairs, self.runs[word])
            self._numbers[word] = [one for one in found if not _is_bound(one[0], binding)]
        return self._numbers[word]

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
    pairs = list(pairs)
    first = language_of_all(source.text for source, _, _ in pairs)
    second = language_of_all(target.text for _, target, _ in pairs)
    sides = Side(first, second), Side(second, first)
    for texts, forth, back in map(_linked, pairs):
        _add(sides[0], texts, forth, _both(forth, back))
        _add(sides[1], texts[::-1], back, _both(back, forth))
    others = [_others(*sides), _others(*sides[::-1])]
    for texts, forth, back in map(_linked, pairs):
        _weigh(sides[0], others[0], texts, _both(forth, back))
        _weigh(sides[1], others[1], texts[::-1], _both(back, forth))
    return sides


def _linked(pair: tuple[Tokens, Tokens, Links]) -> tuple[tuple[_Text, _Text], Linked, Linked]:
    """Both texts, and which words of each the words of the other stand for."""
    source, target, (to_source, to_target) = pair
    texts = _Text(source), _Text(target)
    return texts, _between(*texts, to_target), _between(*texts[::-1], to_source)


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


def _others(side: Side, other: Side) -> dict[str, list[str]]:
    """The words that each word may stand for, if enough of them are where they are."""
    found = {}
    for word, linked in side.linked.items():
        least = max(LEAST_COUNT, LEAST_OF_OTHERS * linked)
        found[word] = [one for one, number in side.numbers(word, other.binding) if number >= least]
    return found


def _weigh(
    side: Side, others: Mapping[str, Sequence[str]], texts: tuple[_Text, _Text], agreed: Agreed
) -> None:
    """Count where words are in the second text, and where those of the first stand for them."""
    own, other = texts
    words_there = Words(other.written, side.other)
    for word, written in enumerate(own.written):
        name = written.lower()
        links, around = agreed.get(word, (set(), set()))
        runs = [next(other.around(w, around)) for w in links if other.has_letters(w)]
        linked = Words(runs, side.other)
        for one in others.get(name, ()):
            if words_there.places(one):
                side.there[name][one] += 1
                is_part = UNSPACED.search(one) and any(one in run for run in runs)
                side.meant[name][one] += bool(is_part or linked.places(one))


# ----------------------------------------------------------------------------------- the table


def table(source: Side, target: Side, pairs: int, pieces: Iterable[str] = ()) -> Glossary:
    """The glosses of both sides; Chinese `pieces` of the target's vocabulary get pinyin too."""
    spoken = {piece.replace("▁", " ").strip() for piece in pieces}
    words, others = (_entries(*both, spoken) for both in ((source, target), (target, source)))
    languages = source.language, target.language
    codes = languages[0].code, languages[1].code
    if languages[0].letters == languages[1].letters:
        return Glossary(pairs, words, codes, others)
    words |= others
    for language in languages:
        if language.is_romanised:
            for word in filter(language.marks.search, spoken | set(words)):
                entry = words.get(word, Entry())
                words[word] = replace(entry, gloss=entry.gloss._replace(pinyin=pinyin(word)))
    return Glossary(pairs, words, codes)


def _entries(own: Side, other: Side, pieces: set[str]) -> dict[str, Entry]:
    """What the words of a side stand for."""
    found, families = {}, _by_family(own)
    for word, places in own.places.items():
        entry = _entry(own, other, families, word) if places >= LEAST_PLACES else Entry()
        entry = replace(entry, others=_needed(entry, pieces))
        if entry != Entry():
            found[word] = entry
    return found


def _needed(entry: Entry, pieces: set[str]) -> dict[str, float]:
    """The other words, without those that hold a likelier one, where no space separates words.

    Where one holds the word that is shown by itself, that is no less there (不想 holds 想); of the
    others only those of several pieces are left out, of which the likelier is one (很|近).
    """
    single, found = entry.gloss.word, dict[str, float]()
    for word, share in entry.others.items():
        held = [single] if word in pieces else [single, *found]
        if not (UNSPACED.search(word) and any(one and one in word for one in held)):
            found[word] = share
    return found


def _entry(own: Side, other: Side, families: Side, word: str) -> Entry:
    """What a word stands for by itself, and beside a text that has another of its words.

    An auxiliary verb stands for nothing by itself: "do" in "do you like" is no 做.
    """
    if word in own.binding:
        return Entry()
    binding, base = other.binding, own.language.base(word)
    single = likeliest(own, word, binding) or _of_family(own, families, word, binding)
    if single is None or single.word == word or base in english.AUXILIARIES:
        single = NOTHING
    linked = max(1, own.linked[word])
    others = {
        other.usual(one): round(min(1, number / linked), 2)
        for one, number in sorted(own.numbers(word, binding), key=_rank)
        if one not in (word, single.word) and _tells(own, word, one, number)
    }
    return Entry(Gloss(other.usual(single.word), round(single.share, 2)), others)


def _rank(one: tuple[str, int]) -> tuple[int, int, str]:
    name, number = one
    return -number, -len(name), name


def _tells(side: Side, word: str, other: str, number: int) -> bool:
    """Whether a word that is in the other text is what is meant."""
    if number >= _least(side, word):
        return True
    there, meant = side.there[word][other], side.meant[word][other]
    return there > 0 and meant >= LEAST_MEANT * there


def _of_family(side: Side, families: Side, word: str, binding: frozenset[str]) -> Gloss | None:
    """The likeliest of all forms together, if this one does not say another: care is no 车."""
    found = likeliest(families, side.language.base(word), binding)
    own = min(side.numbers(word, binding), key=_rank, default=("", 0))
    is_another = found is not None and not (
        found.word in own[0] or Words([found.word], side.other).places(own[0])
    )
    return None if own[1] >= LEAST_COUNT and is_another else found


def _by_family(side: Side) -> Side:
    """The counts of all forms of a word together, for a form that has too few of its own."""
    found = Side(side.language, side.other)
    for word in side.places:
        if not UNSPACED.search(word):
            base = side.language.base(word)
            found.places[base] += side.places[word]
            found.linked[base] += side.linked[word]
            found.pairs[base] += side.pairs[word]
            found.runs[base] += side.runs[word]
    return found


def likeliest(side: Side, word: str, binding: frozenset[str] = frozenset()) -> Gloss | None:
    """The likeliest word of the other side; None where no word reaches the shares above."""
    linked, least = max(1, side.linked[word]), _least(side, word)
    enough = [one for one in side.numbers(word, binding) if one[1] >= least]
    if not enough:
        return _as_a_part(side, word)
    name, number = max(enough, key=lambda one: (one[1], len(one[0]), one[0]))
    longer = [
        (one, own)
        for one, own in enough
        if name in one and UNSPACED.search(name) and own >= LONGER * number
    ]
    name, number = max(
        longer, key=lambda one: (len(one[0]), one[1], one[0]), default=(name, number)
    )
    return Gloss(name, min(1, number / linked))


def _least(side: Side, word: str) -> float:
    return max(
        LEAST_COUNT, LEAST_OF_ALL * side.places[word], LEAST_SHARE * max(1, side.linked[word])
    )


def _is_bound(word: str, binding: frozenset[str]) -> bool:
    """Whether it is a binding word, or a word without spaces that begins or ends with one."""
    if not UNSPACED.search(word):
        return word in binding
    return any(word.startswith(one) or word.endswith(one) for one in binding)


def _as_a_part(side: Side, word: str) -> Gloss | None:
    """What a word stands for of which most places are a part of a longer one: 图书 of 图书|馆."""
    near = _families(side.near[word], side.other)
    name, number = max(near, key=lambda one: one[::-1], default=("", 0))
    is_enough = number >= max(LEAST_COUNT, LEAST_AS_A_PART * side.places[word])
    return Gloss(name, min(1, number / side.places[word])) if is_enough else None


def _families(found: Counter[str], language: Language) -> Iterator[tuple[str, int]]:
    """The commonest form of each word, and the count of all its forms."""
    families: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for name, number in found.items():
        if not UNSPACED.search(name):
            for part in english.parts(name):
                families[language.base(part)][part] += number
    for forms in families.values():
        yield max(forms, key=lambda form: (forms[form], form)), forms.total()


def _contained(found: Counter[str], runs: Counter[str]) -> Iterator[tuple[str, int]]:
    """Words without spaces, each with those that contain it: of 两, also 两个 and 两只.

    What hardly ever stands by itself is no word: 从 of 从来, 从不 and 从没.
    """
    for name, number in found.items():
        if number >= LEAST_COUNT and UNSPACED.search(name):
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
