"""Texts that a visitor may type, and for which a finding has to be right."""

from __future__ import annotations

from tests.tiers import some

EVERY = (
    "I am a student.",
    "a",
    "😀",
    "🇨🇳!",
    "no no no no no no",
    "I ❤️ 🍕!",
    "12345.678",
    "WHERE IS THE STATION???",
    "Yesterday my older sister and I walked along the river for hours because the weather was "
    "warm and we wanted to talk about our parents and the old house.",
    "It is too cold to swim today.",
)
ODD = some(EVERY, 1)
