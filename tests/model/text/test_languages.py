"""The table of languages: which one a text is in, and the same table in the browser."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from model.text import languages
from model.text.languages import LANGUAGES, language_of

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


def test_the_browser_has_the_same_table() -> None:
    """Else: python -m model.text.languages > assets/kit/languagetable.js."""
    assert TABLE.read_text("utf-8") == languages.for_browser()


# ------------------------------------------------------------- no language in a condition elsewhere

_CODES = "|".join(LANGUAGES)
# The codes of the table, pairs of them or their beginnings, and names of scripts.
_NAMED = rf"(?:{_CODES})(?:-(?:{_CODES})?)?|LATIN|CJK|HAN|CYRILLIC|latin|han"
# Of scripts: a comparison, a search, a case; a name for letters of one script, or these letters.
_IN_SCRIPTS = re.compile(
    rf"""[=!]==?\s*["'](?:{_NAMED})["']|["'](?:{_NAMED})["']\s*[=!]==?"""
    rf"""|(?:(?:includes|indexOf|startsWith|endsWith|has)\(|\bcase)\s*["'](?:{_NAMED})["']"""
    r"""|\b(?:HAN|CJK|KANA)\b(?! SC)|Script(?:_Extensions)?=(?:Han|Hiragana|Katakana)"""
)
_COMMENT = re.compile(r"/\*.*?\*/|(?<!:)//[^\n]*", re.DOTALL)
_ASKING = ("startswith", "endswith", "removeprefix", "find", "index", "count")


def conditions(tree: ast.AST) -> Iterator[ast.AST]:
    """What decides, in Python: comparisons, tests, cases, searches for a part of a text."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare | ast.match_case):
            yield node.pattern if isinstance(node, ast.match_case) else node
        elif isinstance(node, ast.If | ast.IfExp | ast.While | ast.Assert):
            yield node.test
        elif isinstance(node, ast.comprehension):
            yield from node.ifs
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") in _ASKING:
            yield from node.args


def asks(file: str, source: str) -> set[str]:
    """The languages and scripts that a file's conditions name.

    The page's own two languages are no exception: what differs between them is in the table too,
    and words in both are a value {en, zh}, no condition.
    """
    if file.endswith(".js"):
        return set(_IN_SCRIPTS.findall(_COMMENT.sub("", source)))
    tree = ast.parse(source)
    values = [
        node.value
        for condition in conditions(tree)
        for node in ast.walk(condition)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    names = [node.id for node in ast.walk(tree) if isinstance(node, ast.Name)]
    return {one for one in values if re.fullmatch(_NAMED, one)} | {
        one for one in names if re.fullmatch("_?(?:HAN|CJK|KANA)", one)
    }


def test_a_condition_about_a_language_is_found() -> None:
    for source in (
        'if pair == "en-zh": pass',
        'own = a if pair.startswith("zh-") else b',
        'x = [a for a in b if of_script(a, "CJK")]',
        "found = _HAN.search(text)",
        'own = one in ("en", "de")',
        'match one:\n    case "ja":\n        pass',
    ):
        assert asks("a.py", source), source
    for source in (
        'if (language.get() === "zh") a();',
        'const a = "de" !== b;',
        'pair.startsWith("en-");',
        "const HAN = /a/;",
        r"/\p{Script=Han}/u.test(word)",
        'switch (a) { case "ko": b(); }',
    ):
        assert asks("a.js", source), source
    for file, source in (
        ("a.py", 'return {"en": english, "zh": chinese}'),
        ("a.py", 'SHIPPED = FOLDER / "en-zh"'),
        ("a.js", 'const LANGUAGES = ["en", "zh"]; // not === "zh"'),
        ("a.js", "const told = { en: fill(word.en), zh: fill(word.zh) };"),
    ):
        assert not asks(file, source), source


def test_no_condition_outside_the_table_names_a_language() -> None:
    files = [ROOT / "app.py"]
    for room in ("model", "explorer", "assets/kit", "assets/engine", "assets/exchange"):
        files += [*(ROOT / room).rglob("*.py"), *(ROOT / room).rglob("*.js")]
    files += (ROOT / "assets" / "shell").rglob("*.js")
    found = {
        file: asked
        for path in sorted(files)
        for file in [path.relative_to(ROOT).as_posix()]
        if file != "model/text/languages.py" and (asked := asks(file, path.read_text("utf-8")))
    }
    assert found == {}
