"""Which words a translation lost: worked by hand with a table of a few glosses."""

from __future__ import annotations

import pytest

from model.labs.lost import lost
from model.text.glossary import Entry, Gloss, Glossary

GIVEN = {
    "sister": "妹妹",
    "妹妹": "sister",
    "quit": "停止",
    "stop": "停止",
    "evening": "晚上",
    "晚": "night",
    "柏林": "berlin",
    "光": "light",
}
TABLE = Glossary(1, {word: Entry(Gloss(gloss, 1.0)) for word, gloss in GIVEN.items()})

CASES = [
    ("My sister Anna lives in Berlin.", "我妹妹住在柏林。", "My sister lives in Berlin.", ["Anna"]),
    ("My sister walks.", "我妹妹走。", "The woman walked.", []),  # its gloss is there, and walked
    ("Anna lives.", "Anna活。", "Ann lives.", []),  # copied
    ("I stop now.", "我不做了。", "I quit.", []),  # another word for the same
    ("It is night.", "晚了。", "It is late.", []),  # what is there stands for it
    ("He smiles politely.", "他笑。", "He smiled.", ["politely"]),
    ("He saw 3 of four b2@c.de.", "他。", "He.", ["saw"]),  # numbers and addresses are not words
    ("He is here with us.", "。", "!", []),  # nothing with content
    ("The light is on.", "那个。", "The flight is late.", ["light"]),
    ("She reads the contract.", "她看。", "She reads the contrast.", ["contract"]),
    ("He smiles quietly, it is smaller.", "他。", "He smiled in quiet, the smallest.", []),
    ("He spoke of shelves and swimmers.", "他。", "He speaks of a shelf and can swim fast.", []),
    ("The art is here.", "Start.", "Begin.", ["art"]),
    ("Anna is here.", "Annas.", "She.", []),
    ("She will re-read it.", "她。", "She.", ["read"]),
    ("妹妹在柏林。", "She is in Berlin.", "她在柏林。", ["妹妹"]),
]


# A word of German, its own translation, and whether that has it.
GERMAN = [
    ("Spielzeug", "Lieblingsspielzeug", True),
    ("Freundin", "Freund", True),
    ("spielte", "spielen", True),
    ("Vertrag", "Vertrauen", False),
]


@pytest.mark.parametrize(("word", "back", "has"), GERMAN)
def test_a_compound_has_its_last_word(word: str, back: str, *, has: bool) -> None:
    table = Glossary(1, {}, target={}, languages=("de", "en"))
    assert (lost(word, "It.", back, table) == ()) == has


@pytest.mark.parametrize(("source", "translation", "back", "words"), CASES)
def test_lost_words(source: str, translation: str, back: str, words: list[str]) -> None:
    found = lost(source, translation, back, TABLE)
    assert [one.text for one in found] == words
    assert all(source[one.begin : one.end] == one.text for one in found)
