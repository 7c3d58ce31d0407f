"""Export a model for others: `python -m model.checkpoint export --model DIR --out DIR`.

`transformers` opens the result, and CTranslate2 converts it, with the exceptions listed in
`Export`.
"""

from __future__ import annotations

import logging
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from model import cli
from model.checkpoint.loading import load
from model.checkpoint.saving import export_model
from model.files import check_folder

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Export:
    """Write a folder that `transformers` opens unchanged: a model as Marian, or as Pegasus if it is
    pre-norm, or as BART or one of its relatives if its positions are learned.

    CTranslate2's converter accepts a Marian too, except for three kinds: it refuses two
    vocabularies and the activation tanh, and a decoder with a different number of heads from the
    encoder's is silently converted to a model that writes different text.
    """

    model: str  # folder or Hub name
    out: Path  # a new folder


def export(command: Export) -> None:
    """Load the model and write it."""
    check_folder(command.out, empty=True)
    loaded = load(command.model)
    try:
        export_model(command.out, loaded)
    except BaseException:  # a partial model is useless and would block the next attempt
        shutil.rmtree(command.out, ignore_errors=True)
        raise
    log.info("wrote %s", command.out)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return 0, or 2 after an error message on standard error."""
    commands = {"export": (Export, export)}
    told = "Write a model in a form that others read."
    return cli.run_one_of(commands, arguments, prog="model.checkpoint", description=told)


if __name__ == "__main__":
    sys.exit(main())
