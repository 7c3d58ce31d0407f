"""Makes a finished training run a shipped model, with everything that depends on its weights.

    make model RUN=runs/h          # or: python -m explorer.ship --run runs/h

The run says which: one with `--turned` becomes assets/models/zh-en, another one en-zh. Its model
replaces the one there, and then everything that was computed with the old weights is regenerated:
the thresholds of doubt, the scores and figures of the card, the catalogue of heads and their
errors, the openers; of en-zh also the glosses, the snapshots and curves of all its runs, the
decoder without a mask, the table of docs/alignment.md and the example that the page starts with.
The second model has the glosses of the first, which are of both languages, and its gold pairs and
sentences turned round; what it makes of thirty sentences is written into its card. A step
whose result is newer than the weights is skipped, so the command can be stopped and repeated. The
other texts about a model are written by hand and checked by tests.
"""

from __future__ import annotations

import hashlib
import json
import logging
import re
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from explorer import card, record, recorded
from explorer.card import CARD, FOLDER, SCORES, WEIGHTS
from explorer.openers import FILE, POOL, search
from model import cli, evaluate, shipped
from model.config import Thresholds
from model.errors import InputError
from model.files import between_marks, read_text, write_text
from model.labs import alignment, catalogue, cheat, doubting, gloss, heads, release, scoreboard
from model.text import glossary
from model.training import corpus
from model.training.runs import Run
from model.translate import Decoding, open_model, translate_all

log = logging.getLogger(__name__)

DOCS = Path(__file__).parent.parent / "docs"
BENCH = DOCS / "alignment.md"
BACK = shipped.FOLDERS["zh-en"]
EVERYDAY_BACK = DOCS / "everyday.zh.txt"
GROUPS = {
    "Tatoeba, both files": "cmn-eng,tatoeba-opus-new",
    "dialogue: xpersona, crosswoz_en-human": "xpersona,crosswoz_en-human",
    "photo captions: 3am-train": "3am-train",
    "travel: crosswoz_en-mt": "crosswoz_en-mt",
}
EVERYDAY = "cmn-eng,tatoeba-*,xpersona,3am-train,global-asp-*"  # what glosses are counted in
BEAM = 4
# chrF below which a translation counts as wrong: three in ten do, in both directions. English texts
# have more runs of letters in common by chance.
POOR = {FOLDER: 20.0, BACK: 40.0}


@dataclass(frozen=True)
class Command:
    """Make a finished training run a shipped model."""

    run: Path  # folder of the run from model.train
    doubt_sentences: int = 2000  # development sentences for the thresholds of doubt, at most
    cheat_domain: str = "cmn-eng"  # training pairs for the decoder without a mask


def ship(command: Command) -> None:
    """Install the run's model, then regenerate files older than its weights.

    Raises:
        InputError: the folder has no finished run.
    """
    logging.getLogger("model.explain").setLevel(logging.WARNING)  # thousands of searches
    run = Run(command.run)
    if not (run.model / WEIGHTS).exists():
        raise InputError(f"{command.run} holds no model; give the folder of a run that has ended.")
    folder = BACK if card.trained(run.model).turned else FOLDER
    file = folder / WEIGHTS
    if not file.exists() or (run.model / WEIGHTS).read_bytes() != file.read_bytes():
        release.take(run, folder)
    if folder == BACK:
        share()
    for name, make in steps(run, folder, command).items():
        made = folder / name
        if made.exists() and made.stat().st_mtime > file.stat().st_mtime:
            log.info("%s is newer than the weights.", made.name)
            continue
        log.info("Making %s.", made.name)
        started = time.monotonic()
        make()
        log.info("%s took %.0f seconds.", made.name, time.monotonic() - started)
    if folder == FOLDER:
        share()
    else:
        tell_everyday(folder)
    describe(folder)


def steps(run: Run, folder: Path, command: Command) -> dict[str, Callable[[], None]]:
    """What is made of a model's weights, by the name of its file, in order."""
    dev, train, model = run.part("dev"), run.part("train"), str(folder)
    before: dict[str, Callable[[], None]] = {
        cheat.CHEAT: lambda: release.make_cheat(run, command.cheat_domain),
    }
    after: dict[str, Callable[[], None]] = {
        glossary.FILE: lambda: gloss.make(gloss.Command((train,), simplify=True, domains=EVERYDAY)),
        recorded.FILE: lambda: record.record_one(folder.name),
    }
    sentences, table = command.doubt_sentences, BENCH if folder == FOLDER else None
    return {
        **(before if folder == FOLDER else {}),
        "doubt.json": lambda: doubting.measure(
            doubting.Command(str(folder), (dev,), folder / "doubt.json", sentences, POOR[folder])
        ),
        SCORES: lambda: score(run, folder),
        catalogue.FILE: lambda: heads.make_catalogue(
            heads.CatalogueCommand(
                dev, folder / catalogue.FILE, gold=folder / alignment.FILE, model=model
            )
        ),
        scoreboard.FILE: lambda: heads.make_scores(
            heads.AlignCommand(model=model, out=folder / scoreboard.FILE, table=table)
        ),
        FILE: lambda: search.make(folder, folder / POOL),
        **(after if folder == FOLDER else {}),
    }  # fmt: skip


def share() -> None:
    """Give the second model what it has from the first."""
    turn_gold()
    turn_sentences()
    shutil.copyfile(FOLDER / glossary.FILE, BACK / glossary.FILE)


def turn_gold() -> None:
    """Write the first model's gold pairs for the other direction."""
    lines = read_text(FOLDER / alignment.FILE).splitlines()
    pairs = (alignment.turned(json.loads(line)) for line in lines if line.strip())
    text = "".join(json.dumps(pair, ensure_ascii=False) + "\n" for pair in pairs)
    write_text(BACK / alignment.FILE, text)


def turn_sentences() -> None:
    """Write the first model's sentences for the other direction, each with all its references."""
    pairs = [
        (answer, text) for text, *answers in search.read_pool(FOLDER / POOL) for answer in answers
    ]
    sources, answers = corpus.references(pairs)
    rows = ("\t".join((source, *refs)) for source, refs in zip(sources, answers, strict=True))
    write_text(BACK / POOL, "".join(f"{row}\n" for row in rows))


def score(run: Run, folder: Path) -> None:
    """Write scores.json and the corresponding tables of the card."""
    test, train = (run.part("test"),), run.part("train")
    groups = tuple("=".join(group) for group in GROUPS.items())
    greedy, beam = (
        evaluate.scores(
            evaluate.Command(
                str(folder), size, data=test, unlike=train, per_domain=True, groups=groups
            )
        )
        for size in (1, BEAM)
    )
    names = {"greedy": greedy, f"beam {BEAM}, length penalty 1": beam}
    rows = {name: both(result["domains"][next(iter(GROUPS))]) for name, result in names.items()}
    listed = [{"decoding": name, **row} for name, row in rows.items()]
    write_text(folder / SCORES, json.dumps(listed, indent=1) + "\n")
    first = beam["domains"][next(iter(GROUPS))]
    counts = f"({first['sentences']:,} sentences, {first['unlike']['sentences']:,} of them unlike):"
    text = re.sub(r"\([\d,]+ sentences, [\d,]+ of them unlike\):", counts, read_text(folder / CARD))
    text = with_table(text, "scores", "decoding", rows)
    domains = {name: counted(beam["domains"][name]) for name in (*GROUPS, *beam["domains"])}
    write_text(folder / CARD, with_table(text, "domains", "domain", domains))


def tell_everyday(folder: Path) -> None:
    """Write what the second model makes of thirty sentences into its card."""
    texts = read_text(EVERYDAY_BACK).splitlines()
    loaded, config = open_model(Decoding(str(folder)))
    outputs = translate_all(loaded, texts, config)
    rows = [f"| {n} | {a} | {b} |" for n, (a, b) in enumerate(zip(texts, outputs, strict=True), 1)]
    table = "\n".join(("| | | |", "|---|---|---|", *rows))
    card = folder / CARD
    write_text(card, between_marks(read_text(card), "everyday", table))


def describe(folder: Path) -> None:
    """Write the figures of a model into its card: its hash, its thresholds of doubt, its run."""
    digest = hashlib.sha256((folder / WEIGHTS).read_bytes()).hexdigest()
    text = read_text(folder / CARD)
    text = re.sub(r"(SHA-256\s+`)[0-9a-f]{64}`", rf"\g<1>{digest}`", text)
    limits = Thresholds.load(folder)
    if limits is not None:
        text = between_marks(text, "doubt", doubt(limits))
    write_text(folder / CARD, between_marks(text, "run", last_run(folder)))


def doubt(limits: Thresholds) -> str:
    """What a model's thresholds of doubt are, and what they found."""
    signs = [f"a mean log-prob a token below {limits.log_prob:.2f}"]
    if limits.source > 0:
        signs.append(f"a share of the source below {limits.source:.2f}")
    return (
        f"Doubtful is {' or '.join(signs)}. On {limits.sentences:,} development\nsentences that "
        f"doubted {limits.doubted:,}, of which {limits.precision:.0%} had a chrF below "
        f"{limits.poor:.0f}; {limits.recall:.0%} of all such sentences were among them."
    )


def last_run(folder: Path) -> str:
    """How long a model's last run was, and how well it did then."""
    lines, config = card.last_run(folder), card.trained(folder)
    last = lines[-1]
    return (
        f"{len(lines)} of {config.epochs} epochs, {last['updates']:,} updates; greedy BLEU "
        f"{last['bleu']:.1f} on {config.dev_sentences:,} development sentences."
    )


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
