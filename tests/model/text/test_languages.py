"""The table of languages: which one a text is in, and the same table in the browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from model.text import languages
from model.text.languages import LANGUAGES, language_of, pair_of

ROOT = Path(__file__).parents[3]
TABLE = ROOT / "assets" / "kit" / "languagetable.js"
TEXTS = {
    "I am a student. 😀": "en",
    "": "en",
    "12 + 3": "en",
    "Die Katze ist nicht da.": "en",  # one script
    "我是学生。": "zh",
    "NASA的人": "zh",  # two of six letters
    "Hello, 你好": "en",  # two of seven
    "これは本です": "ja",
    "日本語です": "ja",
    "日本": "zh",  # its letters do not tell
    "Привет": "ru",
    "สวัสดี": "th",
    "안녕하세요": "ko",
    "שלום": "he",
    "Γειά": "el",
    "नमस्ते": "hi",
    "سلام": "ar",
}


@pytest.mark.parametrize(("text", "code"), TEXTS.items())
def test_the_script_tells_the_language(text: str, code: str) -> None:
    assert language_of(text).code == code


def test_words_are_runs_of_letters_or_letters() -> None:
    assert LANGUAGES["de"].words.findall("Schöne Grüße, 3 Äpfel!") == ["Schöne", "Grüße", "Äpfel"]
    assert LANGUAGES["zh"].words.findall("我有3个DJ。") == ["我", "有", "个"]
    assert LANGUAGES["ja"].words.findall("本です") == ["本", "で", "す"]


FORMS = (
    "hund hunde hunden hundes",
    "kind kinder kindern kindes",
    "frau frauen",
    "gut gute guten guter gutes gutem",
    "auto autos",
    "vater vaters",
    "rose rosen",
    "wasser",
    "was",  # no form of Wasser
    "haus",
    "schon",
    "schön schöne schönen",
    "in",
)


def test_forms_of_a_german_word_share_a_key() -> None:
    keys = [{LANGUAGES["de"].base(word) for word in forms.split()} for forms in FORMS]
    assert [len(one) for one in keys] == [1] * len(FORMS)
    assert len(set.union(*keys)) == len(FORMS)


def test_a_word_of_a_language_without_spaces_has_no_other_forms() -> None:
    assert LANGUAGES["zh"].base("我们") == LANGUAGES["de"].base("我们") == "我们"
    assert LANGUAGES["zh"].base("dogs") == LANGUAGES["en"].base("dogs") == "dog"


def test_most_texts_tell_the_language() -> None:
    german = ["Der Hund schläft.", "Es ist kalt.", "OK, Tom.", "Das ist nicht gut."]
    assert languages.language_of_all(german).code == "de"
    assert languages.language_of_all(["The dog sleeps.", "OK."]).code == "en"
    assert languages.language_of_all(["我是学生。", "OK", "你好"]).code == "zh"
    assert languages.language_of_all([]).code == "en"


def test_a_pair_of_unknown_languages_is_like_english() -> None:
    assert [one.code for one in pair_of("en-zh")] == ["en", "zh"]
    assert [one.code for one in pair_of("")] == ["en", "en"]


def test_the_browser_has_the_same_table() -> None:
    """Else: python -m model.text.languages > assets/kit/languagetable.js."""
    assert TABLE.read_text("utf-8") == languages.for_browser()
