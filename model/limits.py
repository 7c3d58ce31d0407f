"""Limits on the text of one request, shared by the page and the model."""

from __future__ import annotations

MAX_CHARACTERS = 2_000
MAX_SOURCE_TOKENS = 128
MAX_TARGET_TOKENS = 128
"""Tokens of a translation on the page, and of a painted mask. `DecodeConfig` itself allows more."""


def max_cells(n_source: int, n_target: int) -> int:
    """The number of cells in the three masks of S source and T target tokens."""
    return n_source**2 + n_target**2 + n_source * n_target


MAX_CELLS = max_cells(MAX_SOURCE_TOKENS, MAX_TARGET_TOKENS)
