"""The five letters of the toy language and its first table. Imports no torch."""

from __future__ import annotations

LETTERS = "ABCDE"
EDGE = len(LETTERS)
"""The id of the start token and of the end token. The end has probability 0, so a text ends only at
its length."""

EXAMPLE = (
    (0.4, 0.3, 0.2, 0.1, 0.0),
    (0.1, 0.4, 0.3, 0.2, 0.0),
    (0.5, 0.2, 0.1, 0.2, 0.0),
    (0.9, 0.1, 0.0, 0.0, 0.0),
    (0.3, 0.3, 0.2, 0.1, 0.1),
    (0.2, 0.2, 0.2, 0.2, 0.2),
)
"""The first table on the page: probabilities of the first letter, then of the letter after A to E.

The first three rows are the worked example of the lesson: with beam 2, AB (.16) and BA (.15)
survive. C is unlikely, but A almost always follows it, so CA (.18) is the best text of two letters,
and beam 2 never sees it.
"""

TOLERANCE = 1e-6  # how far from 1 the sum of a row may be
