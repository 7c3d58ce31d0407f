"""Every string exists in both languages, and every string that the page asks for exists."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from string import Formatter

import pytest

from explorer import exhibits
from explorer.examples import BY_LANGUAGE
from explorer.words import LANGUAGES, WORDS, for_browser, in_file
from explorer.words.word import Word

EXHIBITS = exhibits.load()

ROOT = Path(__file__).parents[2]
SOURCES = [
    path
    for room in ("assets", "explorer")
    for kind in ("js", "py", "html")
    for path in ROOT.glob(f"{room}/**/*.{kind}")
]
SAME = (
    "settings.top_k", "settings.top_p", "playground.made.bart", "playground.made.t5",
    "stream.norm.rms", "term.bleu",
)  # fmt: skip
HAN = re.compile(r"[\u4e00-\u9fff]")


KEY = re.compile(r"""["`']((?:[a-z_]+|\$\{\w+\}|\{\w+\})\.(?:\$\{[^}]*\}|[^\s"`',;()])+)["`']""")
# What a declared view names without its own beginning: a text, a field, a column.
OWN = re.compile(r"""["`]((?:[\w.]|\$\{[^}]*\})+)["`]|\b([a-z_]+)(?=[:,]| \})""")

OPTIONS = re.compile(r"\b([a-z_]+): (?:choice|menu)\(")  # a field whose values have words


def asked() -> set[str]:
    """Every key that the sources ask for, `${...}` and {name} as a wildcard."""
    found: set[str] = set()
    for path in SOURCES:
        if path.parent.name != "words" and path.name != "words.py":
            text = path.read_text("utf-8")
            found |= set(KEY.findall(text))
            if is_declared(path):
                found |= {f"{path.parent.name}.{one or other}" for one, other in OWN.findall(text)}
                found |= {f"{path.parent.name}.{one}.${{value}}" for one in OPTIONS.findall(text)}
                found |= {f"{path.parent.name}.lead"}
    return {key for key in found if re.search("[a-z]", re.sub(r"\{[^}]*\}", "", key))}


def is_declared(path: Path) -> bool:
    """Whether the file belongs to a view that is declared, whose words begin with its name."""
    view = path.parent / "view.js"
    return path.suffix == ".js" and view.exists() and "kit/exhibit.js" in view.read_text("utf-8")


def pattern(key: str) -> re.Pattern[str]:
    parts = re.split(r"\$?\{[^}]*\}", key)
    return re.compile("[^.]+".join(re.escape(part) for part in parts))


def fault(word: Word) -> str:
    """What is wrong with the two languages of a word; "" where nothing is."""
    if not (word.en.strip() and word.zh.strip()):
        return "one language says nothing"
    fields = [
        {name.split("|")[0] for _, name, _, _ in Formatter().parse(text) if name} for text in word
    ]
    if fields[0] != fields[1]:
        return "the two languages are filled with different things"
    spoken = re.sub(r"\{\w+\}", "", word.zh)
    has_words = re.search(r"[A-Za-z]{4,}", re.sub(r"\{\w+\}", "", word.en)) and spoken.strip()
    return "not Chinese" if has_words and not HAN.search(spoken) else ""


def test_both_languages_say_it() -> None:
    faults = {key: told for key, word in WORDS.items() if (told := fault(word))}
    assert faults == {key: told for key, told in faults.items() if key in SAME}
    assert set(faults.values()) <= {"not Chinese"}


@pytest.mark.parametrize(
    ("word", "told"),
    [
        (Word("Head", " "), "one language says nothing"),
        (Word("{n} heads", "{m} 个头"), "the two languages are filled with different things"),
        (Word("Attention", "Attention"), "not Chinese"),
        (Word("{n} heads", "{n} 个头"), ""),
        (Word("BLEU", "BLEU"), "not Chinese"),
    ],
)
def test_a_fault_of_a_word_is_noticed(word: Word, told: str) -> None:
    assert fault(word) == told


def test_punctuation_is_of_the_language() -> None:
    for key, word in WORDS.items():
        assert not re.search(r"[，。？！：；、]", word.en), key
        assert not re.search(r"[\u4e00-\u9fff][,?!;]", word.zh), key


@pytest.mark.slow
def test_every_word_is_asked_for() -> None:
    fixed = asked() & set(WORDS)
    patterns = [pattern(key) for key in asked() - fixed]
    unused = [key for key in set(WORDS) - fixed if not any(p.fullmatch(key) for p in patterns)]
    assert unused == []


def test_every_fixed_key_exists() -> None:
    """Templates and calls with a fixed key; the browser tests find what is put together."""
    text = "\n".join(path.read_text("utf-8") for path in SOURCES if path.parent.name != "words")
    own = {
        key
        for path in filter(is_declared, SOURCES)
        for key in re.findall(r"""\b(?:t|say)\("([a-z_.]+)\"""", path.read_text("utf-8"))
        if f"{path.parent.name}.{key}" in WORDS
    }
    fixed = set(re.findall(r"""data-t(?:-[a-z]+)?="([a-z_.]+)\"""", text))
    fixed |= set(re.findall(r"""\bt\("([a-z_.]+)\"""", text))
    fixed |= set(re.findall(r"""(?:PageError|_worded)\("([a-z_.]+)\"""", text))
    assert fixed and fixed - own <= set(WORDS), fixed - own - set(WORDS)


def test_exhibits_and_examples_have_their_words() -> None:
    for exhibit in EXHIBITS:
        assert f"{exhibit.name}.title" in WORDS and f"{exhibit.name}.lead" in WORDS
    for example in itertools.chain(*BY_LANGUAGE.values()):
        assert example.shows in WORDS


@pytest.mark.parametrize("name", [exhibit.name for exhibit in EXHIBITS])
def test_a_lead_is_two_sentences(name: str) -> None:
    """What one sees, and what to try."""
    lead = WORDS[f"{name}.lead"]
    assert len(re.findall(r"[.!?](?=\s|$)", lead.en)) == 2
    assert len(re.findall(r"[。！？]", lead.zh)) == 2


def test_words_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        WORDS["input.label"] = WORDS["input.label"]  # type: ignore[index]


def test_the_browser_gets_all_words() -> None:
    sent = for_browser()
    assert set(sent) == set(WORDS)
    assert all(set(word) == set(LANGUAGES) for word in sent.values())
    assert in_file() == {key: tuple(word.values()) for key, word in sent.items()}
