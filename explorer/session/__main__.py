"""Sessions on the command line.

python -m explorer.session validate FILE   # one sentence; exit code 2 if it is not a session
python -m explorer.session schema          # the JSON Schema, as in docs/session.schema.json
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
    """Check a file: its form, its settings, and the consistency of its numbers."""

    file: tyro.conf.Positional[Path]


@dataclass(frozen=True)
class Schema:
    """Write the JSON Schema of a session to standard output."""


def validate(command: Validate) -> None:
    """Describe the contents of the file.

    Raises:
        InputError: the message has the reason and the place.
    """
    try:
        session = Session.load(command.file)
    except InputError as error:
        raise InputError(f"{error} Give a file that the page or Session.save wrote.") from None
    sys.stdout.write(f"{command.file}: valid. {session}\n")


def write_schema(_: Schema) -> None:
    """Write the schema in the same form as the file in docs/."""
    sys.stdout.write(json.dumps(schema(), indent=2, ensure_ascii=False) + "\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return 0, or 2 after an error message on standard error."""
    return cli.run_one_of(
        {"validate": (Validate, validate), "schema": (Schema, write_schema)},
        arguments,
        prog="explorer.session",
        description="Check a file of a session, or write the schema of such files.",
    )


if __name__ == "__main__":
    sys.exit(main())
