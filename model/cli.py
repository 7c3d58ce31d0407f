"""What the commands of this folder share: settings are dataclasses, and a command line fills them.

tyro reads the fields: types, choices, defaults, and the comment beside a field as its help. A wrong
command line and an error of ours both end with exit code 2 and a sentence on standard error.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import tyro

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
    default: T | None = None,
    level: int = logging.INFO,
) -> int:
    """Read the command line into `settings` and do the work; 0, or 2 with a sentence.

    `settings` is a dataclass whose docstring describes the command. Fields of dataclasses within it
    are flags of their own, without a prefix. `level` is that of the log on standard error.
    """
    more: dict[str, Any] = {} if default is None else {"default": default}

    def read() -> T:
        flat = (tyro.conf.OmitArgPrefixes,)
        return tyro.cli(settings, args=arguments, prog=f"python -m {prog}", config=flat, **more)

    return _finished(lambda: work(read()), level)


def run_one_of(
    commands: Mapping[str, tuple[type[Any], Callable[[Any], None]]],
    arguments: Sequence[str] | None,
    *,
    prog: str,
    description: str,
) -> int:
    """The same for a program of several commands, each with settings and work of its own."""

    def work() -> None:
        forms: Mapping[str, Callable[..., Any]] = {
            name: form for name, (form, _) in commands.items()
        }
        command = tyro.extras.subcommand_cli_from_dict(
            dict(forms), args=arguments, prog=f"python -m {prog}", description=description
        )
        next(do for form, do in commands.values() if isinstance(command, form))(command)

    return _finished(work, logging.INFO)


def _finished(work: Callable[[], None], level: int) -> int:
    logging.basicConfig(level=level, format="%(asctime)s %(message)s", stream=sys.stderr)
    try:
        work()
    except HeadlightError as error:
        print(error, file=sys.stderr)
        return 2
    except RuntimeError as error:
        if not is_out_of_memory(error):
            raise
        print(GPU_FULL, file=sys.stderr)
        return 2
    return 0
