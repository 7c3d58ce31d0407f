"""The errors that Headlight raises on purpose.

HeadlightError
 ├── InputError       the text or the choice of a visitor cannot be used
 ├── ConfigError      a setting is outside what is possible
 ├── CheckpointError  a model cannot be found, read or matched
 └── TraceError       a record contradicts itself: a defect of ours, never of the visitor

A message says what was given, what was expected and what to do. One place turns these into a
sentence on the page (`explorer/answer.py`): an error with a `key` is said there in every language
of the page, one without in its own English.
"""


class HeadlightError(Exception):
    """Anything that Headlight refuses to do, with a message for a person.

    `key` names the message, and `values` are the parts of it that differ, for whoever says it in
    another language; None where only a programmer can meet it.
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
