"""One string in every language of the page."""

from __future__ import annotations

from typing import NamedTuple


class Word(NamedTuple):
    """The same thing said in English and in Simplified Chinese."""

    en: str
    zh: str
