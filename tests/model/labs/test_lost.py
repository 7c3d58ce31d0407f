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
    ("妹妹在柏林。", "She is in Berlin.", "她在柏林。", ["妹妹"]),
]


@pytest.mark.parametrize(("source", "translation", "back", "words"), CASES)
def test_lost_words(source: str, translation: str, back: str, words: list[str]) -> None:
    found = lost(source, translation, back, TABLE)
    assert [one.text for one in found] == words
    assert all(source[one.begin : one.end] == one.text for one in found)
