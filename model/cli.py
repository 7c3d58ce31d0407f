"""Shared by the commands of this folder: dataclasses of settings, filled from a command line.

tyro reads the fields: types, choices, defaults, and the comment beside a field as its help. A wrong
command line, an error of ours and a disk error all end with exit code 2 and a message on standard
error.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import tyro

from model import files
from model.errors import HeadlightError, is_out_of_memory

T = TypeVar("T")

GPU_FULL = (
    "The memory of the GPU is full. Train with a smaller --batch-tokens, or translate with a "
    "smaller --beam or with --device cpu."
)


def run(
    settings: type[T],
    work: Callable[[T], None],
    arguments: Sequence[str] | None,
    *,
    prog: str,
    default: Callable[[], T | None] = lambda: None,
    level: int = logging.INFO,
) -> int:
    """Read the command line into `settings` and do the work; return 0, or 2 after an error.

    `settings` is a dataclass whose docstring describes the command. Fields of nested dataclasses
    become flags without a prefix. `default` has the values of fields that the command line leaves
    out. `level` is the log level on standard error.
    """

    def read() -> T:
        flat = (tyro.conf.OmitArgPrefixes,)
        begun = default()
        more: dict[str, Any] = {} if begun is None else {"default": begun}
        return tyro.cli(settings, args=arguments, prog=f"python -m {prog}", config=flat, **more)

    return finished(lambda: work(read()), level)


def run_one_of(
    commands: Mapping[str, tuple[type[Any], Callable[[Any], None]]],
    arguments: Sequence[str] | None,
    *,
    prog: str,
    description: str,
) -> int:
    """The same for a program of several commands, each with its own settings and work."""

    def work() -> None:
        forms: Mapping[str, Callable[..., Any]] = {
            name: form for name, (form, _) in commands.items()
        }
        command = tyro.extras.subcommand_cli_from_dict(
            dict(forms), args=arguments, prog=f"python -m {prog}", description=description
        )
        next(do for form, do in commands.values() if isinstance(command, form))(command)

    return finished(work, logging.INFO)


def finished(work: Callable[[], object], level: int = logging.INFO) -> int:
    """Do some work; return 0, or 2 after the message of an error that the user can fix.

    Standard output is part of the work: all of it is written when this returns.
    """
    logging.basicConfig(level=level, format="%(asctime)s %(message)s", stream=sys.stderr)
    try:
        try:
            work()
        finally:
            sys.stdout.flush()
    except Exception as error:
        told = _told(error)
        if told is None:
            raise
        print(told, file=sys.stderr)
        _give_up_output()
        return 2
    return 0


def _told(error: Exception) -> str | None:
    """The message for an error; None if the error is our bug."""
    if isinstance(error, HeadlightError):
        return str(error)
    if is_out_of_memory(error):
        return GPU_FULL
    refusal = files.refusal_in(error)
    return None if refusal is None else files.sentence(refusal)


def _give_up_output() -> None:
    """Drop buffered output that could not be written; Python would try again at exit."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
