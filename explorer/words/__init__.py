"""Every string on the page, in English and in Simplified Chinese, side by side.

A key is "part.name"; {braces} are filled in by the page and are the same in both languages. The
words of an exhibit stand in its folder; the shell's and the messages stand here.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Literal

from explorer.exhibits import NAMES
from explorer.words.classroom import CLASSROOM
from explorer.words.frame import FRAME
from explorer.words.messages import MESSAGES
from explorer.words.terms import TERMS
from explorer.words.word import Word

Language = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = ("en", "zh")


def _of_exhibits() -> dict[str, Word]:
    words: dict[str, Word] = {}
    for name in NAMES:
        words |= import_module(f"..exhibits.{name}.words", __package__).WORDS
    return words


WORDS: Mapping[str, Word] = MappingProxyType(
    {**FRAME, **CLASSROOM, **MESSAGES, **TERMS, **_of_exhibits()}
)


def for_browser() -> dict[str, dict[str, str]]:
    """All words as the page has them: {key: {en, zh}}."""
    return {key: {"en": word.en, "zh": word.zh} for key, word in WORDS.items()}


def in_file() -> dict[str, tuple[str, ...]]:
    """The same without the names of the languages, which would stand there thousands of times.

    Each word has its texts in the order of `LANGUAGES`; `wordsIn` of assets/shell/words.js reads it.
    """
    return {key: tuple(getattr(word, code) for code in LANGUAGES) for key, word in WORDS.items()}
