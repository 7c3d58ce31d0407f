"""Sessions in the shell.

python -m explorer.session validate FILE   # one sentence, and 2 if it is not a session
python -m explorer.session schema          # the JSON Schema, as docs/session.schema.json has it
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import tyro

from explorer.session import Session
from explorer.session.schema import schema
from model import cli
from model.errors import InputError


@dataclass(frozen=True)
class Validate:
    """Check a file: its form, its settings, and that its numbers fit one another."""

    file: tyro.conf.Positional[Path]


@dataclass(frozen=True)
class Schema:
    """Write the JSON Schema of a session to standard output."""


def validate(command: Validate) -> None:
    """Say what the file holds.

    Raises:
        InputError: what is wrong with it, and where.
    """
    try:
        session = Session.load(command.file)
    except InputError as error:
        raise InputError(f"{error} Give a file that the page or Session.save wrote.") from None
    sys.stdout.write(f"{command.file}: valid. {session}\n")


def write_schema(_: Schema) -> None:
    """Write it as the file in docs/ is written."""
    sys.stdout.write(json.dumps(schema(), indent=2, ensure_ascii=False) + "\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; 0, or 2 with a sentence on standard error."""
    return cli.run_one_of(
        {"validate": (Validate, validate), "schema": (Schema, write_schema)},
        arguments,
        prog="explorer.session",
        description="Check a file of a session, or write the schema of such files.",
    )


if __name__ == "__main__":
    sys.exit(main())
