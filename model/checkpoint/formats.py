"""The formats of a model's folder, the files of each, and the checkpoint read from one."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from model import hub, shipped
from model.config import DecodeConfig
from model.rules import Rules, numbers_of
from model.text.alphabet import LETTERS_FORMAT
from model.text.tokenizer import Tokenizer
from model.transformer import Transformer

FORMAT = "headlight-3"
# The first two have one tokenizer for both sides, which puts a space mark before every text; they
# differ in normalisation (text/tokenizer.py). The last one reads letters (text/alphabet.py).
FORMATS = ("headlight-1", "headlight-2", FORMAT, LETTERS_FORMAT)
FOREIGN = "transformers"  # a family of `families.py` with its own tokenizer
SHIPPED = shipped.FOLDERS[shipped.FIRST]


class Note(NamedTuple):
    """What the page says of a model's files: `key` names the sentence, `values` fill its gaps."""

    key: str
    values: dict[str, Any]


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """A model that is ready to translate: in eval mode, float32, without gradients.

    `revision` is the commit of a Hub model, None for a folder. `source` tells people where it came
    from. `suggested` are the authors' settings for decoding, and `names_beams` says whether a
    number of beams is among them; if not, the page takes 4. `folder` has the files that it was
    read from, and may have training snapshots. `format` is one of `FORMATS`, "marian" for a model
    with Marian's tokenizer, or `FOREIGN`.
    """

    model: Transformer
    tokenizer: Tokenizer
    rules: Rules
    name: str
    revision: str | None
    source: str
    suggested: DecodeConfig = dataclasses.field(default_factory=DecodeConfig)
    folder: Path | None = None
    format: str = FORMAT
    names_beams: bool = True
    notes: tuple[Note, ...] = ()

    def decoding(self, **chosen: float | None) -> DecodeConfig:
        """The settings for decoding, but for those that are `chosen` and not None.

        They are those of `generate` in `transformers`, which is greedy where a checkpoint names no
        beams. Our own models, which have no file of such settings, take the defaults.
        """
        settings: dict[str, Any] = {k: v for k, v in chosen.items() if v is not None}
        if "beam_size" in settings:
            settings["method"] = "greedy" if settings["beam_size"] == 1 else "beam"
        elif not self.names_beams and self.suggested.method == "beam":
            settings["method"] = "greedy"
        return dataclasses.replace(self.suggested, **settings)

    def __repr__(self) -> str:
        return f"Checkpoint({self.name}, {self.source})"


def own_rules(tokenizer: Tokenizer) -> Rules:
    """The rules of our models: one starts with <s> and never writes <pad>, <s> or <unk>.

    Its bytes, if it has pieces for them, form characters, and the numbers of a source stay whole.
    """
    banned = {tokenizer.pad_id, tokenizer.start_id, tokenizer.unknown_id}
    start, end, never = tokenizer.start_id, tokenizer.end_id, tuple(sorted(banned))
    numbers = numbers_of(tokenizer.pieces)
    return Rules(start, end, never, byte_ids=tokenizer.byte_ids, numbers=numbers, is_own=True)


def tokenizer_files(form: str) -> tuple[str, ...]:
    """The tokenizer's files in one of our formats."""
    if form == LETTERS_FORMAT:
        return (hub.LETTERS,)
    return hub.PAIRED_TOKENIZER if form == FORMAT else (hub.JOINT_TOKENIZER,)


def format_of(folder: Path) -> str:
    """The format in which to save a model with the SentencePiece tokenizer of this folder."""
    return "headlight-2" if (folder / hub.JOINT_TOKENIZER).exists() else FORMAT
