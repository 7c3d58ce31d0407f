"""Train on a model's own translations: `python -m model.distil --data train.tsv --out own.tsv`.

It writes the beam search hypothesis that is nearest to the reference (Kim and Rush 2016,
section 3.3, "sequence-level interpolation"): the model's own output is easier to learn than human
translations, and nearness to the reference keeps it correct. Pass this file to training together
with the original: the source sentences, and so the parts they fall into, are the same. Differs from
that paper: sentence chrF, not smoothed BLEU, measures nearness.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from model import cli
from model.errors import InputError
from model.files import check_file
from model.limits import MAX_SOURCE_TOKENS
from model.training import corpus
from model.training.corpus import Line
from model.training.scores import repeats, sentence_chrf
from model.translate import Decoding, hypotheses_of, open_model, read

log = logging.getLogger(__name__)

CHUNK = 2000  # sentences per line of progress


@dataclass(frozen=True)
class Command(Decoding):
    """Write a model's hypotheses nearest to the references."""

    data: tuple[Path, ...] = ()  # files of source <tab> target [<tab> domain]: the training part
    out: Path = Path("own.tsv")  # the file to write
    least: float = 25.0  # chrF with the reference; hypotheses below it are left out


def nearest(hypotheses: Sequence[str], reference: str) -> tuple[str, float]:
    """The hypothesis of highest chrF (0 to 100), and that chrF; repetitive ones are ignored."""
    fluent = [text for text in hypotheses if text and not repeats(text)]
    scored = [(sentence_chrf(text, [reference]), text) for text in fluent]
    score, text = max(scored, default=(0.0, ""), key=lambda pair: pair[0])
    return text, score


def distil(command: Command) -> None:
    """Translate the training part, choose hypotheses and write them."""
    check_file(command.out)
    if not command.data:
        raise InputError("--data is missing; give a file of pairs, such as RUN/data/train.tsv.")
    lines = [line for path in command.data for line in corpus.read_lines(path)]
    loaded, config = open_model(command)
    written = 0
    with command.out.open("w", encoding="utf-8") as file:
        for start in range(0, len(lines), CHUNK):
            chunk, rows = [], []
            for line in lines[start : start + CHUNK]:
                source = read(loaded, line.source)
                if len(source.ids) <= MAX_SOURCE_TOKENS:
                    chunk.append(line)
                    rows.append(source)
            for line, texts in zip(chunk, hypotheses_of(loaded, rows, config), strict=True):
                text, score = nearest(texts, line.target)
                if text and score >= command.least:
                    file.write("\t".join(Line(line.source, text, line.domain)) + "\n")
                    written += 1
            file.flush()
            log.info(
                "%s of %s pairs read, %s written",
                f"{start + len(chunk):,}",
                f"{len(lines):,}",
                f"{written:,}",
            )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return 0, or 2 after an error message on standard error."""
    return cli.run(Command, distil, arguments, prog="model.distil")


if __name__ == "__main__":
    sys.exit(main())
