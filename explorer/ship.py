"""Makes a finished training run the shipped model, with everything that depends on its weights.

    make model RUN=runs/h          # or: python -m explorer.ship --run runs/h

The run's model replaces the one in assets/models/en-zh, and then everything that was computed with
the old weights is regenerated: snapshots and curves, the decoder without a mask, the thresholds of
doubt, the scores of the card, the catalogue of heads and the table of docs/alignment.md, the
glosses, the openers, and the example that the page starts with. A step whose result is newer than
the weights is skipped, so the command can be stopped and repeated. Texts about the model (the card,
docs/training.md) are written by hand and checked by tests.
"""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from explorer import record
from explorer.card import CARD, FOLDER, SCORES, WEIGHTS
from explorer.openers import FILE, POOL
from explorer.openers import search as openers
from explorer.static import RECORDED
from model import cli, evaluate
from model.errors import InputError
from model.files import between_marks, read_text, write_text
from model.labs import alignment, catalogue, cheat, doubting, gloss, heads, release, scoreboard
from model.text import glossary
from model.training.runs import Run

log = logging.getLogger(__name__)

BENCH = Path(__file__).parent.parent / "docs" / "alignment.md"
GROUPS = {
    "Tatoeba, both files": "cmn-eng,tatoeba-opus-new",
    "dialogue: xpersona, crosswoz_en-human": "xpersona,crosswoz_en-human",
    "photo captions: 3am-train": "3am-train",
    "travel: crosswoz_en-mt": "crosswoz_en-mt",
}
EVERYDAY = "cmn-eng,tatoeba-*,xpersona,3am-train,global-asp-*"  # what glosses are counted in
BEAM = 4
POOR = 20.0  # chrF below which a translation counts as wrong


@dataclass(frozen=True)
class Command:
    """Make a finished training run the shipped model."""

    run: Path  # folder of the run from model.train
    doubt_sentences: int = 850  # development sentences for the thresholds of doubt
    cheat_domain: str = "cmn-eng"  # training pairs for the decoder without a mask


def ship(command: Command) -> None:
    """Install the run's model, then regenerate files older than its weights.

    Raises:
        InputError: the folder has no finished run.
    """
    run = Run(command.run)
    if not (run.model / WEIGHTS).exists():
        raise InputError(f"{command.run} holds no model; give the folder of a run that has ended.")
    if (run.model / WEIGHTS).read_bytes() != (FOLDER / WEIGHTS).read_bytes():
        release.take(run)
    steps: dict[str, Callable[[], None]] = {
        cheat.CHEAT: lambda: release.make_cheat(run, command.cheat_domain),
        "doubt.json": lambda: doubting.measure(
            doubting.Command(
                FOLDER, (run.part("dev"),), FOLDER / "doubt.json", command.doubt_sentences, POOR
            )
        ),
        SCORES: lambda: score(run),
        catalogue.FILE: lambda: heads.make_catalogue(
            heads.CatalogueCommand(
                run.part("dev"), FOLDER / catalogue.FILE, gold=FOLDER / alignment.FILE
            )
        ),
        scoreboard.FILE: lambda: heads.make_scores(
            heads.AlignCommand(out=FOLDER / scoreboard.FILE, table=BENCH)
        ),
        glossary.FILE: lambda: gloss.make(
            gloss.Command((run.part("train"),), simplify=True, domains=EVERYDAY)
        ),
        FILE: lambda: openers.make(FOLDER, FOLDER / POOL),
        f"../../{RECORDED.name}": lambda: record.record(record.Command()),
    }  # fmt: skip
    for name, make in steps.items():
        file = FOLDER / name
        if file.exists() and file.stat().st_mtime > (FOLDER / WEIGHTS).stat().st_mtime:
            log.info("%s is newer than the weights.", file.name)
            continue
        log.info("Making %s.", file.name)
        make()


def score(run: Run) -> None:
    """Write scores.json and the corresponding tables of the card."""
    test, train = (run.part("test"),), run.part("train")
    groups = tuple("=".join(group) for group in GROUPS.items())
    greedy, beam = (
        evaluate.scores(
            evaluate.Command(
                str(FOLDER), size, data=test, unlike=train, per_domain=True, groups=groups
            )
        )
        for size in (1, BEAM)
    )
    names = {"greedy": greedy, f"beam {BEAM}, length penalty 1": beam}
    rows = {name: both(result["domains"][next(iter(GROUPS))]) for name, result in names.items()}
    listed = [{"decoding": name, **row} for name, row in rows.items()]
    write_text(FOLDER / SCORES, json.dumps(listed, indent=1) + "\n")
    text = with_table(read_text(FOLDER / CARD), "scores", "decoding", rows)
    domains = {name: counted(beam["domains"][name]) for name in (*GROUPS, *beam["domains"])}
    write_text(FOLDER / CARD, with_table(text, "domains", "domain", domains))


def both(row: dict[str, Any]) -> dict[str, Any]:
    """Scores of all sentences and of those unlike the training data, by column name."""
    unlike = row["unlike"]
    columns = {"BLEU": row["bleu"], "chrF": row["chrf"]}
    return columns | {"BLEU, unlike": unlike["bleu"], "chrF, unlike": unlike["chrf"]}


def counted(row: dict[str, Any]) -> dict[str, Any]:
    """The same with the number of sentences; a domain may have none unlike the training data."""
    unlike = row["unlike"]
    return {
        "sentences": row["sentences"], "BLEU": row["bleu"], "chrF": row["chrf"],
        "unlike": unlike["sentences"], "BLEU, unlike": unlike.get("bleu", ""),
    }  # fmt: skip


def with_table(text: str, name: str, first: str, rows: dict[str, dict[str, Any]]) -> str:
    """Replace the table between the marks <!-- name --> and <!-- /name --> of the card."""
    head = [first, *next(iter(rows.values()))]
    cells = [[row, *map(written, values.values())] for row, values in rows.items()]
    lines = [head, ["---"] * len(head), *cells]
    table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return between_marks(text, name, table)


def written(value: float | str) -> str:
    """Format a score with two decimals, a number of sentences with none."""
    return f"{value:,.2f}" if isinstance(value, float) else f"{value:,}" if value else ""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return 0, or 2 after an error message on standard error."""
    return cli.run(Command, ship, arguments, prog="explorer.ship")


if __name__ == "__main__":
    sys.exit(main())
