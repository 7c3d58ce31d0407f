"""Makes a finished training run a shipped model, with everything that depends on its weights.

    make model RUN=runs/h          # or: python -m explorer.ship --run runs/h

The run says which: its sentences say of which languages (explorer/corpora.py), and `--turned` that
it is the second model of the two. Its model replaces the one there, and then everything that was
computed with the old weights is regenerated: the thresholds of doubt, the scores and figures of the
card, the catalogue of heads and their errors, the openers, the first page if a page opens with this
model; of a first model also the glosses and, where there are some, the snapshots and curves of all
its runs, the decoder without a mask, and the table of its heads. The second model has the glosses
of the first, which are of both languages, and its gold pairs and sentences turned round. What a
model makes of some everyday sentences is written into its card. A step whose result is newer than
the weights is skipped, so the command can be stopped and repeated. The other texts about a model,
and for a new pair its gold pairs and sentences, are written by hand and checked by tests.
"""

from __future__ import annotations

import hashlib
import json
import logging
import re
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from explorer import card, corpora, record, recorded
from explorer.card import CARD, SCORES, WEIGHTS
from explorer.corpora import Corpus
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

BEAM = 4
# chrF below which a translation counts as wrong: three in ten do, in all directions. Texts in
# letters have more runs of them in common by chance.
POOR, POOR_BY_LANGUAGE = 40.0, {"zh": 20.0}


@dataclass(frozen=True)
class Command:
    """Make a finished training run a shipped model."""

    run: Path  # folder of the run from model.train
    dev: Path | None = None  # development sentences (default: the run's)
    test: Path | None = None  # test sentences (default: the run's)
    doubt_sentences: int = 2000  # development sentences for the thresholds of doubt, at most
    gloss_pairs: int = 60_000  # training pairs that the glosses are counted in, at most


def ship(command: Command) -> None:
    """Install the run's model, then regenerate files older than its weights.

    Raises:
        InputError: the folder has no finished run, or one on sentences that are not known.
    """
    logging.getLogger("model.explain").setLevel(logging.WARNING)  # thousands of searches
    run = Run(command.run)
    if not (run.model / WEIGHTS).exists():
        raise InputError(f"{command.run} holds no model; give the folder of a run that has ended.")
    row, is_second = corpora.of_run(run), card.trained(run.model).turned
    folder = corpora.folders(row)[is_second]
    told = ("scores", "domains", "doubt", "run")
    for mark in (*told, "everyday") if folder.name in row.everyday else told:
        between_marks(read_text(folder / CARD), mark, "")  # now, not after the work
    file = folder / WEIGHTS
    if not file.exists() or (run.model / WEIGHTS).read_bytes() != file.read_bytes():
        release.take(run, folder, () if is_second else row.snapshots)
    if is_second:
        share(*corpora.folders(row))
    for name, make in steps(run, folder, command).items():
        made = folder / name
        if made.exists() and made.stat().st_mtime > file.stat().st_mtime:
            log.info("%s is newer than the weights.", made.name)
            continue
        log.info("Making %s.", made.name)
        started = time.monotonic()
        make()
        log.info("%s took %.0f seconds.", made.name, time.monotonic() - started)
    if not is_second and corpora.folders(row)[1].exists():
        share(*corpora.folders(row))
    if folder.name in row.everyday:
        tell_everyday(folder, row.everyday[folder.name])
    describe(folder)


def steps(run: Run, folder: Path, command: Command) -> dict[str, Callable[[], None]]:
    """What is made of a model's weights, by the name of its file, in order."""
    model, row = str(folder), corpora.of_model(folder.name)
    dev, train = command.dev or run.part("dev"), run.part("train")
    is_first = folder.name == row.first
    poor = POOR_BY_LANGUAGE.get(folder.name.partition("-")[2], POOR)
    found: dict[str, Callable[[], None]] = {
        cheat.CHEAT: lambda: release.make_cheat(run, folder, row.cheat),
        "doubt.json": lambda: doubting.measure(
            doubting.Command(model, (dev,), folder / "doubt.json", command.doubt_sentences, poor)
        ),
        SCORES: lambda: score(command.test or run.part("test"), train, folder, row),
        catalogue.FILE: lambda: heads.make_catalogue(
            heads.CatalogueCommand(
                dev, folder / catalogue.FILE, gold=folder / alignment.FILE, model=model
            )
        ),
        scoreboard.FILE: lambda: heads.make_scores(
            heads.AlignCommand(
                model=model, out=folder / scoreboard.FILE, table=row.table if is_first else None
            )
        ),
        FILE: lambda: search.make(folder, folder / POOL),
        glossary.FILE: lambda: gloss.make(
            gloss.Command(
                (train,), model, pairs=command.gloss_pairs,
                domains=row.glossed, simplify=row.simplify,
            )
        ),
        recorded.FILE: lambda: record.record_one(folder.name),
    }  # fmt: skip
    left_out = {
        cheat.CHEAT: not (is_first and row.cheat),
        glossary.FILE: not is_first,
        recorded.FILE: not any(one.opens for one in shipped.PAIRS if one.name == folder.name),
    }
    return {name: make for name, make in found.items() if not left_out.get(name, False)}


def share(first: Path, second: Path) -> None:
    """Give the second model what it has from the first."""
    turn_gold(first, second)
    turn_sentences(first, second)
    if (table := glossary.load(first)) is not None:
        write_text(second / glossary.FILE, table.turned().to_json())


def turn_gold(first: Path, second: Path) -> None:
    """Write the first model's gold pairs for the other direction."""
    lines = read_text(first / alignment.FILE).splitlines()
    pairs = (alignment.turned(json.loads(line)) for line in lines if line.strip())
    text = "".join(json.dumps(pair, ensure_ascii=False) + "\n" for pair in pairs)
    write_text(second / alignment.FILE, text)


def turn_sentences(first: Path, second: Path) -> None:
    """Write the first model's sentences for the other direction, each with all its references."""
    pairs = [
        (answer, text) for text, *answers in search.read_pool(first / POOL) for answer in answers
    ]
    sources, answers = corpus.references(pairs)
    rows = ("\t".join((source, *refs)) for source, refs in zip(sources, answers, strict=True))
    write_text(second / POOL, "".join(f"{row}\n" for row in rows))


def score(test: Path, train: Path, folder: Path, row: Corpus) -> None:
    """Write scores.json and the corresponding tables of the card."""
    groups = tuple("=".join(group) for group in row.groups.items())
    greedy, beam = (
        evaluate.scores(
            evaluate.Command(
                str(folder), size, data=(test,), unlike=train, per_domain=True, groups=groups
            )
        )
        for size in (1, BEAM)
    )
    head = next(iter(row.groups))
    names = {"greedy": greedy, f"beam {BEAM}, length penalty 1": beam}
    rows = {name: both(result["domains"][head]) for name, result in names.items()}
    listed = [{"decoding": name, **row} for name, row in rows.items()]
    write_text(folder / SCORES, json.dumps(listed, indent=1) + "\n")
    first = beam["domains"][head]
    counts = f"({first['sentences']:,} sentences, {first['unlike']['sentences']:,} of them unlike):"
    text = re.sub(r"\([\d,]+ sentences, [\d,]+ of them unlike\):", counts, read_text(folder / CARD))
    text = with_table(text, "scores", "decoding", rows)
    domains = {name: counted(beam["domains"][name]) for name in (*row.groups, *beam["domains"])}
    write_text(folder / CARD, with_table(text, "domains", "domain", domains))


def tell_everyday(folder: Path, sentences: Path) -> None:
    """Write what a model makes of everyday sentences into its card."""
    texts = read_text(sentences).splitlines()
    loaded, config = open_model(Decoding(str(folder)))
    outputs = translate_all(loaded, texts, config)
    rows = [f"| {n} | {a} | {b} |" for n, (a, b) in enumerate(zip(texts, outputs, strict=True), 1)]
    table = "\n".join(("| | | |", "|---|---|---|", *rows))
    write_text(folder / CARD, between_marks(read_text(folder / CARD), "everyday", table))


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
