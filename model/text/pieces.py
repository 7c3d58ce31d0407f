"""What a SentencePiece model is made of, and whether the browser's engine cuts with it.

The file is a protobuf message; `PieceCutter` of assets/engine/cutters.js reads it, too.
"""

from __future__ import annotations

from collections.abc import Iterator

import sentencepiece

from model.errors import InputError

PIECE, TRAINER, NORMALISER = 1, 2, 3  # fields of the file
TYPE = 3  # of a piece; of the trainer: what kind of model it is
UNIGRAM, BPE = 1, 2
SUFFIX, BYTES = 24, 35  # of the trainer: a space ends a word; bytes for what is unknown
ESCAPES = 5  # of the normaliser: a space is "\u2581"
OWN, UNUSED = 4, 5  # of a piece


def fields_of(message: bytes) -> Iterator[tuple[int, int | bytes]]:
    """The fields of a protobuf message, by number; floats as their bytes."""
    at = 0

    def whole() -> int:
        nonlocal at
        value = shift = 0
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(message):
        tag = whole()
        if tag & 7 == 0:
            yield tag >> 3, whole()
            continue
        size = whole() if tag & 7 == 2 else 4 if tag & 7 == 5 else 8
        yield tag >> 3, message[at : at + size]
        at += size


def part_of(file: bytes, number: int) -> dict[int, int | bytes]:
    """The last part of the file with this number, as its fields."""
    found = [part for i, part in fields_of(file) if i == number]
    return dict(fields_of(found[-1])) if found and isinstance(found[-1], bytes) else {}


def check(model: sentencepiece.SentencePieceProcessor) -> bytes:
    """The file of a model that the browser's engine cuts with.

    Raises:
        InputError: it does not; the message says what this one has.
    """
    file: bytes = model.serialized_model_proto()
    trainer, normaliser = part_of(file, TRAINER), part_of(file, NORMALISER)
    kinds = {
        dict(fields_of(part)).get(TYPE)
        for i, part in fields_of(file)
        if i == PIECE and isinstance(part, bytes)
    }
    odd = {
        "words or letters for pieces": trainer.get(TYPE, UNIGRAM) not in (UNIGRAM, BPE),
        "bytes": trainer.get(BYTES),
        "spaces behind words": trainer.get(SUFFIX) or normaliser.get(ESCAPES) == 0,
        "pieces of its user's own": OWN in kinds or UNUSED in kinds,
    }
    names = [name for name, holds in odd.items() if holds]
    if names:
        raise InputError(f"a SentencePiece model with {', '.join(names)}")
    return file
