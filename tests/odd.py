"""Sentences for testing findings: short, long, repeated, in bytes, not English."""

from __future__ import annotations

from tests.tiers import some

ODD = some(
    (
        "!",
        "?!?!",
        "🇨🇳!",
        "a",
        "42 %",
        "I am I am I am I am I am I am.",
        "{token} {p} <b>bold</b> &amp; 100 %",
        "你好",
        "Buffalo buffalo Buffalo buffalo buffalo buffalo Buffalo buffalo.",
        "Yesterday evening my old neighbour told me that her three cats had been stolen by a man.",
    ),
    2,
)
