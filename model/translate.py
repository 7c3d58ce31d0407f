"""Batch translation: `python -m model.translate --model DIR --beam 4 < in.txt > out.txt`.

Each input line gives one output line, whatever its contents.
"""

from __future__ import annotations

import functools
import logging
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch

from model import checkpoint, cli
from model.checkpoint import FORMATS, SHIPPED, Checkpoint
from model.config import DecodeConfig
from model.decoding import search
from model.device import pick_device, spread
from model.errors import InputError
from model.limits import MAX_SOURCE_TOKENS
from model.stepper import TransformerStepper
from model.text import kinds
from model.text.languages import language_of
from model.trace import Hypothesis, Search

log = logging.getLogger(__name__)

BATCH_TOKENS = 2048  # source tokens times beams of one batch
_SENTENCE_ENDS = frozenset(".!?。！？;；")


def translate_all(loaded: Checkpoint, lines: Sequence[str], config: DecodeConfig) -> list[str]:
    """The best translation of each line; an empty one for an unreadable line.

    Lines of similar length are decoded together, which does not change the translations. A line of
    more than 128 tokens is cut, at the end of a sentence if there is one, and joined again.
    """
    parts: list[tuple[int, Source]] = []  # (line, ids)
    for number, line in enumerate(lines):
        try:
            source = read(loaded, line)
        except InputError as error:
            if error.key != "empty":
                log.warning("Line %d stays empty. %s", number + 1, error)
            continue
        parts += ((number, part) for part in _cut(loaded, source))
    outputs = hypotheses_of(loaded, [part for _, part in parts], config)
    joined = [""] * len(lines)
    for (number, _), texts in zip(parts, outputs, strict=True):
        joined[number] = _join(joined[number], texts[0])
    return joined


class Source(NamedTuple):
    """The ids of a source, and the number of the language that decoding must be told."""

    ids: list[int]
    language: int | None


def read(loaded: Checkpoint, text: str) -> Source:
    """A source text in the model's form, of any length.

    Raises:
        InputError: it has nothing readable, or no language or another than the model has.
    """
    ids = loaded.tokenizer.encode_source(text).ids.tolist()
    return Source(ids, loaded.tokenizer.target_language(text))


def hypotheses_of(
    loaded: Checkpoint, rows: Sequence[Source], config: DecodeConfig
) -> list[list[str]]:
    """The hypotheses of each source, best first.

    The batches do not depend on the number of cores, so neither do the hypotheses.
    """
    order = sorted(range(len(rows)), key=lambda i: -len(rows[i].ids))
    beams = config.beam_size if "beam" in config.method else 1
    batches: list[list[int]] = []
    while order:
        n = max(1, BATCH_TOKENS // (len(rows[order[0]].ids) * beams))
        batches.append(order[:n])
        order = order[n:]

    def decode(batch: list[int]) -> list[list[str]]:
        searches = searches_of(loaded, [rows[i] for i in batch], config)
        return [[on_one_line(one) for one in found.hypotheses] for found in searches]

    outputs: dict[int, list[str]] = {}
    on_cpu = loaded.model.output_weight.device.type == "cpu"
    decoded = spread(decode, batches, workers=None if on_cpu else 1)
    for batch, texts in zip(batches, decoded, strict=True):
        outputs.update(zip(batch, texts, strict=True))
    return [outputs[i] for i in range(len(rows))]


def _join(before: str, after: str) -> str:
    """Join two parts of a line, with a space where both are written with spaces."""
    is_spaced = language_of(before).is_spaced and language_of(after).is_spaced
    return f"{before}{' ' * (is_spaced and bool(before and after))}{after}"


def on_one_line(hypothesis: Hypothesis) -> str:
    """The text of a hypothesis as a line of output."""
    return " ".join(hypothesis.text.split())


def searches_of(
    loaded: Checkpoint, sources: Sequence[Source], config: DecodeConfig
) -> list[Search]:
    """The searches for the sources of one batch, without a record of their steps."""
    rows = [source.ids for source in sources]
    device = next(loaded.model.parameters()).device
    width = max(map(len, rows))
    pad_id = loaded.model.config.pad_id
    src = torch.tensor([row + [pad_id] * (width - len(row)) for row in rows], device=device)
    most = min(config.max_length, loaded.model.config.max_positions)
    limits = [most] * len(rows)
    if loaded.format in FORMATS:
        # Twice the source and a little more, in case a model of ours repeats itself forever.
        limits = [min(most, 2 * len(row) + 16) for row in rows]
    stepper = TransformerStepper.start(loaded.model, src)
    return search(
        stepper,
        len(rows),
        config,
        [loaded.rules.of_source(*source) for source in sources],
        loaded.tokenizer,
        record=False,
        max_lengths=limits,
    )


def _cut(loaded: Checkpoint, source: Source) -> list[Source]:
    """Cut a source into parts that fit the model; each keeps the code of a language and the end."""
    room = min(MAX_SOURCE_TOKENS, loaded.model.config.max_positions)
    before, rest, after = loaded.tokenizer.split(source.ids)
    room -= len(before) + len(after)
    piece = functools.partial(loaded.tokenizer.piece, side="source")
    parts = []
    while len(rest) > room:
        ends = [i + 1 for i in range(room) if piece(rest[i])[-1:] in _SENTENCE_ENDS]
        at = ends[-1] if ends else room
        parts.append([*before, *rest[:at], *after])
        rest = rest[at:]
    parts.append([*before, *rest, *after])
    return [Source(part, source.language) for part in parts]


@dataclass(frozen=True)
class Decoding:
    """Settings shared by translation and evaluation."""

    model: str = str(SHIPPED)  # folder or Hub name; default: the shipped model
    beam: int | None = None  # beam size, 1 is greedy; default, here and below: the model's own
    length_penalty: float | None = None  # alpha of the average
    max_length: int | None = None  # largest number of tokens in a translation
    no_repeat: int | None = None  # never repeat runs of this many tokens; 0: allow repetition
    device: str = "auto"  # auto, cpu, cuda, mps


@dataclass(frozen=True)
class Command(Decoding):
    """Translate standard input, line by line, to standard output.

    A line for a model of several languages begins with the target's code: ">>fra_Latn<< Hello".
    """

    codes: bool = False  # list the language codes or tasks that a line may begin with, and end


def open_model(command: Decoding) -> tuple[Checkpoint, DecodeConfig]:
    """Open the model and make the settings of a command line: the model's own but for its flags."""
    loaded = checkpoint.load(command.model, device=pick_device(command.device))
    config = loaded.decoding(
        beam_size=command.beam,
        length_penalty=command.length_penalty,
        max_length=command.max_length,
        no_repeat=command.no_repeat,
    )
    return loaded, config


def translate(command: Command) -> None:
    """Translate all input lines, writing one line for each."""
    loaded, config = open_model(command)
    if command.codes:
        sys.stdout.writelines(f"{code}\n" for code in loaded.tokenizer.codes)
        return
    # Bytes that are not UTF-8 become U+FFFD: a damaged line must not affect the others.
    raw = sys.stdin.buffer.read()
    kind = kinds.of(raw)
    if kind and kind.group not in ("markup", "page"):  # these are lines of text like others
        raise InputError(kind.sentence("The input", "lines of text"))
    text = raw.decode("utf-8", errors="replace")
    if "\ufffd" in text:
        log.warning("Some of the input is not UTF-8: \ufffd stands for what could not be read.")
    lines = text.replace("\r\n", "\n").split("\n")
    if lines[-1] == "":
        lines.pop()
    for output in translate_all(loaded, lines, config):
        sys.stdout.buffer.write(output.encode() + b"\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return 0, or 2 after an error message on standard error."""
    return cli.run(Command, translate, arguments, prog="model.translate", level=logging.WARNING)


if __name__ == "__main__":
    sys.exit(main())
