"""Every string on the page, in English and in Simplified Chinese, side by side.

A key is "part.name"; {braces} are filled in by the page and are the same in both languages.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

from explorer.words import (
    attention,
    bleu,
    byhand,
    cheat,
    compare,
    cost,
    curves,
    dropout,
    experiments,
    flow,
    learn,
    ledger,
    lens,
    library,
    masks,
    microscope,
    order,
    positions,
    proof,
    sampling,
    scaling,
    schedule,
    smoothing,
    steps,
    stream,
    summaries,
    toy,
    tree,
)
from explorer.words.frame import FRAME
from explorer.words.messages import MESSAGES
from explorer.words.word import Word

Language = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = ("en", "zh")

EXHIBITS = (
    attention,
    bleu,
    byhand,
    cheat,
    compare,
    cost,
    curves,
    dropout,
    experiments,
    flow,
    learn,
    ledger,
    lens,
    library,
    masks,
    microscope,
    order,
    positions,
    proof,
    sampling,
    scaling,
    schedule,
    smoothing,
    steps,
    stream,
    summaries,
    toy,
    tree,
)
WORDS: Mapping[str, Word] = MappingProxyType(
    {**FRAME, **MESSAGES, **{k: w for exhibit in EXHIBITS for k, w in exhibit.WORDS.items()}}
)


def for_browser() -> dict[str, dict[str, str]]:
    """All words as the browser gets them: {key: {en, zh}}."""
    return {key: {"en": word.en, "zh": word.zh} for key, word in WORDS.items()}
