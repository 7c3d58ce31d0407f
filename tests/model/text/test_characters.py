"""Text as people have it: what nobody sees is dropped, and letters in other shapes are plain."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.examples import EXAMPLES
from model.checkpoint import SHIPPED, load
from model.errors import InputError
from model.text.alphabet import LetterTokenizer
from model.text.characters import calm, normalise, plain, requoted, unspaced, visible
from model.text.tokenizer import Tokenizer
from tests import tiny
from tests.examples import EVERYDAY

FLAG = "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"  # England's, of tags

INVISIBLE = {
    "co\u00adop": "coop",
    "\ufeffa\ufeffb": "ab",  # a byte order mark, also where two files were joined
    "zero\u200bwidth \u2060word\u2060joiner": "zerowidth wordjoiner",
    "Auf\u200clage \u200din": "Auflage in",  # joiners between letters that do not join
    "\u200eleft \u202bright\u202c \u2066apart\u2069 \u061carabic": "left right apart arabic",
    "a\ufe0fb \u4e00\U000e0100": "ab \u4e00",  # selectors of which nothing makes use
    "5\ufe0f apples 1\ufe0f2 #\ufe0ftag *\ufe0f": "5 apples 12 #tag *",  # digits without a key cap
    "a\u180bb ភ\u200b a\u200bភ 7\u200d": "ab ភ aភ 7",  # beside a script that makes no use of them
    "in\u2063visible\u2064 plus \ufff9ruby\ufffb": "invisible plus ruby",
    "c\u034fgj \U000e0041tag": "cgj tag",
    "👩\u200d": "👩",
    "a\u00a0b\u3000c\u2028d\u202fe\u2007f\u2800g\u3164h": "a b c d e f g h",
    "a\x00b\ud800c\r\nd\x0be\x85f": "a b c d e f",  # NUL, half a surrogate pair, CR LF
    "e\u00ad\u0301": "é",
}
QUOTED = {
    '„Ja", sagte er.': "„Ja“, sagte er.",
    '„Ja", „Nein", „Wer': "„Ja“, „Nein“, „Wer",  # one is open still
    'ein "Wort" und „zwei"': 'ein "Wort" und „zwei“',
    '„Er las „Faust"."': '„Er las „Faust“."',  # the inner one is told, the outer one is not
    '他说“好"，"好"。「好"': '他说“好"，"好"。「好"',  # no opening mark that normalise leaves
    "„Ja“": "„Ja“",
}
BLANKS = {
    "1. 洗手。 2. 关门。": "1.洗手。 2.关门。",
    "我 有 3 只 猫": "我 有3只 猫",  # between two characters it may have been a line's end
    "用 Python 写 report.pdf 。": "用Python写report.pdf 。",
    "I like Tom .": "I like Tom .",
}
USED = (
    "می\u200cخواهم",  # Persian needs its zero-width non-joiner
    "क्\u200dष क्\u200cष",  # Devanagari
    "ශ්\u200dරී",  # Sinhala
    "ᠮᠠᠨ\u180b\u180eᠠ",  # Mongolian
    "ភាសា\u200bខ្មែរ",  # Khmer parts its words so
    FLAG,
    "\U0001fae9",  # an emoji that older tables of Unicode do not know
    "👩\u200d👧 🏳️\u200d🌈 ❤️\u200d🔥 👩🏽\u200d🔬 1️⃣ ☎︎ 🧑\u200d🦰 🇨🇳",
)
SHAPES = {
    "It’s\t me ": "It's me",
    "“Yes” …": '"Yes" ...',
    "cafe\u0301": "café",  # an accent that stood alone joins its letter
    "ﬁne ﬂow oﬃce ĳs": "fine flow office ijs",
    "Ｈｅｌｌｏ　１２": "Hello 12",
    "１２，好！": "12，好！",  # wide signs stay: Chinese is written with them
    "𝐇𝒆𝓵𝔩𝕠 𝟙𝟚 ℋℯ Ⓗⓘ 🄷🄸": "Hello 12 He Hi HI",
    "World War Ⅱ": "World War II",
    "⼈⼝": "人口",  # radicals, from PDF files
    "ｶﾞｷﾞ": "ガギ",
    "ﻣﺮﺣﺒﺎ": "مرحبا",
    "m² ½ ① ™ ㎡ No": "m² ½ ① ™ ㎡ No",  # plain, these would mean something else
    "▁a▁▁b": "a b",
    " \n\t": "",
}


@pytest.mark.parametrize(
    ("text", "expected"), [*INVISIBLE.items(), *SHAPES.items(), *((one, one) for one in USED)]
)
def test_normalise(text: str, expected: str) -> None:
    assert normalise(text) == expected


@pytest.mark.parametrize(("text", "closed"), QUOTED.items())
def test_quotation_marks_are_closed_as_they_were_opened(text: str, closed: str) -> None:
    assert requoted(text) == closed
    assert len(closed) == len(text)  # the spans of its pieces stay true


@pytest.mark.parametrize(("text", "read"), BLANKS.items())
def test_blanks_beside_chinese_are_dropped(text: str, read: str) -> None:
    assert unspaced(text) == read
    assert unspaced(read) == read


@given(st.text(st.characters(codec=None)))
def test_normalising_twice_changes_nothing(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)
    assert visible(visible(text)) == visible(text)


@pytest.mark.parametrize(
    ("text", "pieces", "expected"),
    [
        ("„well\u2011known“", '"-“', '"well-known“'),
        ("„well\u2011known“", '"-“„\u2011', "„well\u2011known“"),
        ("don´t «do» 5\u22123＇", "'-\"", "don't \"do\" 5-3'"),
        ("Who？", "?", "Who?"),
        ("Who？", "", "Who？"),  # no better there
        ("1\u202f000\u2009m", "", "1 000 m"),
        ("e\u0301té ﬁn", "éfin", "été fin"),
    ],
)
def test_signs_without_a_piece(text: str, pieces: str, expected: str) -> None:
    assert plain(text, lambda sign: sign in [*pieces]) == expected


# Pieces of ordinary writing, and what a text in capitals becomes for a model with them.
WORDS = "i am a student do you like food? we stayed at home who is she usa Tom COVID the and not"
LOUD = {
    "I AM A STUDENT.": "I am a student.",
    "DO YOU LIKE ETHNIC FOOD?": "Do you like ethnic food?",  # no piece, too long for a name
    "We waited, SO WE STAYED AT HOME.": "We waited, SO we stayed at home.",
    "WHO IS SHE? SHE IS NOT TOM.": "Who is she? She is not Tom.",
    "DON'T SHOUT AT TOM! I'M HOME.": "Don't shout at Tom! I'm home.",
    "THE COVID AND THE IBM STUDENT": "The COVID and the IBM student",
    "THE PLANE B12 AT 18:20, A@B.CD, README.MD": "The plane B12 at 18:20, A@B.CD, README.MD",
    "ÄRGER ÜBERALL, SÍ": "Ärger überall, SÍ",
    "HOME!": "Home!",
    "I have a BMW, and TOM has an IBM.": "I have a BMW, and TOM has an IBM.",
    "NASA, ESA, JAXA met.": "NASA, ESA, JAXA met.",
    "A B C D": "A B C D",
    "МОСКВА ЖДЁТ НАС": "МОСКВА ЖДЁТ НАС",
    "我用 IBM": "我用 IBM",
    "½ I AM ²": "½ I am ²",
    "!!! ??": "!!! ??",
    "": "",
}


def has_word(piece: str) -> bool:
    return piece[0] == "▁" and piece[1:] in WORDS.replace("?", "").split()


@pytest.mark.parametrize(("text", "expected"), LOUD.items())
def test_a_sentence_in_capitals_is_read_as_it_is_usually_written(text: str, expected: str) -> None:
    assert calm(text, has_word) == expected


def test_capitals_that_a_model_has_learnt_stay() -> None:
    assert calm("I AM HOME", lambda piece: piece.isupper()) == "I AM HOME"


@given(st.text("IAMhomeÄé b1@.!'", max_size=30), st.booleans())
def test_nothing_but_the_size_of_letters_changes(text: str, has: bool) -> None:
    calmed = calm(normalise(text), lambda _: has)
    assert calmed.lower() == normalise(text).lower()


@pytest.mark.slow
def test_ordinary_text_stays_to_the_byte() -> None:
    """The shipped weights were trained on it."""
    tokenizer = load(SHIPPED).tokenizer
    pairs = [line.split("\t")[:2] for line in (SHIPPED / "sentences.tsv").open(encoding="utf-8")]
    gold = [json.loads(line) for line in (SHIPPED / "gold.jsonl").open(encoding="utf-8")]
    sources = [*EVERYDAY, *(one.text for one in EXAMPLES), *(one["source"] for one in gold)]
    sources += [source for source, _ in pairs]
    targets = [target.rstrip("\n") for _, target in pairs] + [one["target"] for one in gold]
    assert len(pairs) >= 100 and len(gold) >= 100
    assert [tokenizer.encode_source(text).text for text in sources] == sources
    assert [tokenizer.encode_target(text).text for text in targets] == targets


@pytest.mark.slow
def test_every_tokenizer_reads_what_is_visible(tmp_path: Path) -> None:
    """Also a foreign one: its own normalisation knows neither soft hyphens nor marks."""
    tiny.train_pair(tmp_path)
    frog, typed = "I am a small frog.", "\ufeffI am a sm\u00adall\u2060 fr\u200bog.\r"
    marian = tiny.write_marian_tokenizer(tmp_path / "marian")
    for tokenizer, text, given_text in (
        (Tokenizer.load(tmp_path, "headlight-3"), frog, typed),
        (Tokenizer.load(marian), frog, typed),
        (LetterTokenizer("frog"), "frog", "\ufeffｆr\u00adog\u200e"),
    ):
        ids = tokenizer.encode_source(given_text).ids.tolist()
        assert ids == tokenizer.encode_source(text).ids.tolist()
        with pytest.raises(InputError, match="nothing to"):
            tokenizer.encode_source("\u00ad\u200b\ufeff")
