"""The errors that Headlight raises on purpose.

HeadlightError
 ├── InputError       a visitor's text or choice cannot be used
 ├── ConfigError      a setting is out of range
 ├── CheckpointError  a model cannot be found or read, or does not match
 ├── TrainingError    a training run cannot continue: its numbers are no longer finite
 └── TraceError       a record contradicts itself: our bug, never the visitor's

A message states the given value, the expected value and what to do; it quotes at most 60
characters. The page shows an error that has a `key` in the visitor's language, and one without a
key in English.
"""

from __future__ import annotations

import reprlib


def quote(value: object) -> str:
    """Quote a value for a message: its `repr`, with the middle left out beyond 60 characters."""
    text = _SHORT.repr(value)
    return text if len(text) <= _MAX_QUOTED else f"{text[:28]}...{text[-29:]}"


def reason(error: BaseException) -> str:
    """What an error of the system or of a library says, in short and without a path."""
    told = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return told if len(told) <= _MAX_REASON else f"{told[:_MAX_REASON]}..."


_MAX_QUOTED, _MAX_REASON = 60, 100
_SHORT = reprlib.Repr()  # never writes out the whole of a large value
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = _MAX_QUOTED


class HeadlightError(Exception):
    """The base of Headlight's errors, with a message for people.

    `key` names the message and `values` fill its gaps, so that it can be translated. It is None if
    only a programmer can cause the error.
    """

    def __init__(self, message: str = "", *, key: str | None = None, **values: object) -> None:
        super().__init__(message)
        self.key, self.values = key, values


class InputError(HeadlightError):
    """The text is empty, too long or unreadable."""


class ConfigError(HeadlightError):
    """A setting has the wrong type or is out of range."""


class CheckpointError(HeadlightError):
    """A checkpoint is missing, damaged, of an unknown kind, or does not fit its config."""


class TraceError(HeadlightError):
    """A record was built from arrays whose axes do not agree."""


class TrainingError(HeadlightError):
    """A training run has diverged: its loss is not a finite number."""


def is_out_of_memory(error: BaseException) -> bool:
    """True if torch raised it because a GPU's memory is full, with any backend."""
    return isinstance(error, RuntimeError) and any(
        sign in str(error) for sign in ("out of memory", "CUBLAS_STATUS_ALLOC_FAILED")
    )
