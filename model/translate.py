"""Batch translation: `python -m model.translate --model DIR --beam 4 < in.txt > out.txt`.

One line in, one line out, whatever the line holds.
"""

from __future__ import annotations

import argparse
import logging
import re
import sys
from collections.abc import Sequence

import torch

from model import checkpoint
from model.checkpoint import SHIPPED, Checkpoint
from model.config import DecodeConfig
from model.decoding import search
from model.device import pick_device
from model.errors import HeadlightError, InputError
from model.explain import MAX_SOURCE_TOKENS
from model.stepper import TransformerStepper

log = logging.getLogger(__name__)

BATCH_TOKENS = 2048  # source tokens times beams of one batch
_LANGUAGE = re.compile(r">>[^<>]+<<")
_SENTENCE_ENDS = frozenset(".!?。！？;；")


def translate_all(loaded: Checkpoint, lines: Sequence[str], config: DecodeConfig) -> list[str]:
    """The best translation of each line; an empty one for a line with nothing to read in it.

    Lines of like length are decoded together, which changes nothing in what comes out. A line of
    more than 128 tokens is cut, at the end of a sentence where there is one, and joined again.
    """
    stretches: list[tuple[int, list[int]]] = []  # (line, ids)
    for number, line in enumerate(lines):
        try:
            ids = loaded.tokenizer.encode_source(line).ids.tolist()
        except InputError:
            continue
        stretches += ((number, part) for part in _cut(loaded, ids))
    outputs: dict[int, str] = {}
    order = sorted(range(len(stretches)), key=lambda i: -len(stretches[i][1]))
    beams = config.beam_size if "beam" in config.method else 1
    while order:
        n = max(1, BATCH_TOKENS // (len(stretches[order[0]][1]) * beams))
        group, order = order[:n], order[n:]
        texts = _translate(loaded, [stretches[i][1] for i in group], config)
        outputs.update(zip(group, texts, strict=True))
    joined = [""] * len(lines)
    for i, (number, _) in enumerate(stretches):
        joined[number] = _join(joined[number], outputs[i])
    return joined


def _join(before: str, after: str) -> str:
    """Two stretches of one line: with a space between, unless one side of it is Chinese."""
    space = " " if before and after and max(before[-1], after[0]) < "\u3000" else ""
    return before + space + after


def _translate(loaded: Checkpoint, rows: list[list[int]], config: DecodeConfig) -> list[str]:
    device = next(loaded.model.parameters()).device
    width = max(map(len, rows))
    pad_id = loaded.model.config.pad_id
    src = torch.tensor([row + [pad_id] * (width - len(row)) for row in rows], device=device)
    # Twice the source and a little more: a model that repeats itself stops there.
    most = min(config.max_length, loaded.model.config.max_positions)
    limits = [min(most, 2 * len(row) + 16) for row in rows]
    stepper = TransformerStepper.start(loaded.model, src)
    found = search(
        stepper,
        len(rows),
        config,
        loaded.rules,
        loaded.tokenizer,
        record=False,
        max_lengths=limits,
    )
    return [" ".join(result.hypotheses[0].text.split()) for result in found]


def _cut(loaded: Checkpoint, ids: list[int]) -> list[list[int]]:
    """Ids that end with the end token, as stretches that fit the model and end with it too."""
    room = min(MAX_SOURCE_TOKENS, loaded.model.config.max_positions) - 1
    *rest, end = ids
    # A language code (">>cmn_Hans<<") stands at the start of each stretch.
    code = rest[:1] if _LANGUAGE.fullmatch(loaded.tokenizer.piece(rest[0])) else []
    parts = []
    while len(rest) > room:
        ends = [
            i + 1 for i in range(room) if loaded.tokenizer.piece(rest[i])[-1:] in _SENTENCE_ENDS
        ]
        at = ends[-1] if ends else room
        parts.append([*rest[:at], end])
        rest = code + rest[at:]
    return [*parts, [*rest, end]]


def decode_arguments(parser: argparse.ArgumentParser) -> None:
    """The flags that translation and evaluation share."""
    parser.add_argument(
        "--model", default=SHIPPED, help="folder or Hub name; default: shipped model"
    )
    parser.add_argument("--beam", type=int, default=4, help="beam size; 1 is greedy")
    parser.add_argument("--length-penalty", type=float, default=1.0, help="alpha of the average")
    parser.add_argument("--max-length", type=int, default=128, help="most tokens of a translation")
    parser.add_argument("--device", default="auto", help="auto, cpu, cuda")


def open_model(args: argparse.Namespace) -> tuple[Checkpoint, DecodeConfig]:
    """The model and the settings that `decode_arguments` asked for."""
    config = DecodeConfig(
        method="greedy" if args.beam == 1 else "beam",
        beam_size=args.beam,
        length_penalty=args.length_penalty,
        max_length=args.max_length,
    )
    return checkpoint.load(args.model, device=pick_device(args.device)), config


def main(arguments: list[str] | None = None) -> int:
    """Run the command; 0, or 2 with a sentence on standard error."""
    parser = argparse.ArgumentParser(description="Translate standard input, line by line.")
    decode_arguments(parser)
    args = parser.parse_args(arguments)
    try:
        loaded, config = open_model(args)
        # Bytes that are not UTF-8 become U+FFFD: a damaged line must not cost the others.
        text = sys.stdin.buffer.read().decode("utf-8", errors="replace")
        lines = text.split("\n")
        if lines[-1] == "":
            lines.pop()
        for output in translate_all(loaded, lines, config):
            sys.stdout.buffer.write(output.encode() + b"\n")
    except HeadlightError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
