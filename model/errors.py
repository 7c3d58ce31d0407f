"""The errors that Headlight raises on purpose.

HeadlightError
 ├── InputError       the text or the choice of a visitor cannot be used
 ├── ConfigError      a setting is outside what is possible
 ├── CheckpointError  a model cannot be found, read or matched
 ├── TrainingError    a training run cannot continue: its numbers are not finite any more
 └── TraceError       a record contradicts itself: a defect of ours, never of the visitor

A message says what was given, what was expected and what to do; it quotes at most 60 characters
of what was given. The page turns an error that has a `key` into a sentence in each of its
languages, and shows one without a key in its own English.
"""

from __future__ import annotations

import reprlib


def quote(value: object) -> str:
    """A value as a message quotes it: its `repr`, with the middle left out beyond 60 characters."""
    text = _SHORT.repr(value)
    return text if len(text) <= _MAX_QUOTED else f"{text[:28]}...{text[-29:]}"


_MAX_QUOTED = 60
_SHORT = reprlib.Repr()  # never writes out the whole of a large value
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = _MAX_QUOTED


class HeadlightError(Exception):
    """Anything that Headlight refuses to do, with a message for a person.

    `key` names the message and `values` fill its gaps, so that it can be said in another language.
    It is None where only a programmer can meet the error.
    """

    def __init__(self, message: str = "", *, key: str | None = None, **values: object) -> None:
        super().__init__(message)
        self.key, self.values = key, values


class InputError(HeadlightError):
    """The given text is empty, too long, or holds nothing that can be read."""


class ConfigError(HeadlightError):
    """A setting has the wrong type or lies outside its range."""


class CheckpointError(HeadlightError):
    """A checkpoint is missing, damaged, of an unknown kind, or does not fit its config."""


class TraceError(HeadlightError):
    """A record was built from arrays whose axes do not agree."""


class TrainingError(HeadlightError):
    """A training run has diverged: its loss is not a finite number."""


def is_out_of_memory(error: BaseException) -> bool:
    """True if torch raised it because a GPU's memory is full, in any backend's words."""
    return isinstance(error, RuntimeError) and any(
        sign in str(error) for sign in ("out of memory", "CUBLAS_STATUS_ALLOC_FAILED")
    )
