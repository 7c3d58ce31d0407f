"""The files of a tokenizer in the form of `transformers`, and what stands beside its vocabulary."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from model import hub
from model.errors import CheckpointError, quote
from model.text import kinds
from model.text.added import NEXT, AddedToken
from model.text.tokenizer import END, PAD, START, UNKNOWN

T5 = ("t5", "mt5", "umt5")
MAX_NUMBER = 2_000_000  # of a piece; the largest vocabulary of a family has 256,206
MAX_BLANKS = 10_000  # T5 has 100, umT5 300
MAX_ADDED = 1_000_000  # bytes of added_tokens.json
SPECIAL = {  # the special tokens of a style: role -> setting, name
    "bytes": {PAD: "<pad>", END: "</s>", UNKNOWN: "<unk>", START: "<s>"},
    "spaces": {PAD: "<pad>", END: "</s>", UNKNOWN: "<unk>", START: "<s>"},
    "words": {PAD: "[PAD]", END: "[SEP]", UNKNOWN: "[UNK]", START: "[CLS]"},
    "open": {PAD: "__null__", END: "__end__", UNKNOWN: "__unk__", START: "__start__"},
}
SETTINGS = {PAD: "pad_token", END: "eos_token", UNKNOWN: "unk_token", START: "bos_token"}
_LANGUAGES = Path(__file__).with_name("languages.json")  # their order in SentencePiece models
_BLANKS = {"byt5tokenizer": 125}  # how many, where the settings do not say
_RESERVED = re.compile(r"<mask(?:_\d)?>|\[MASK\]|<unk_\d+>")  # Pegasus has a hundred of the last
# Classes that cut as their family's files say; without "Tokenizer" and "Fast".
_KNOWN = {
    "", "bart", "roberta", "mvp", "bert", "plbart", "mbart", "mbart50", "m2m100", "small100",
    "nllb", "pegasus", "blenderbot", "blenderbotsmall", "t5", "mt5", "umt5", "byt5", "gpt2",
    "codet5", "pretrained", "tokenizersbackend", "marian",
}  # fmt: skip
_BARE = ("gpt2tokenizer", "pretrainedtokenizer", "tokenizersbackend")  # FRED-T5, KoBART
_PROPERTIES = ("special", "lstrip", "rstrip", "single_word", "normalized")


@dataclass(frozen=True)
class TokenFiles:
    """The files of a tokenizer, and what its settings say."""

    folder: Path
    model_type: str
    settings: Mapping[str, Any]  # tokenizer_config.json
    tasks: Mapping[str, Any]  # of config.json: name -> settings
    vocab_size: int

    @property
    def title(self) -> str:
        """The name of the model, for messages."""
        return kinds.title(self.folder)

    @property
    def kind(self) -> str:
        """The class of the tokenizer, in small letters; empty if the files do not say."""
        return str(self.settings.get("tokenizer_class") or "").lower()

    @property
    def odd_class(self) -> str:
        """The name of a class that may cut by rules of its own; empty if it is a known one."""
        kinds = self.settings.get("auto_map")
        own = kinds.get("AutoTokenizer") if isinstance(kinds, Mapping) else None
        first = next((one for one in own if one), "") if isinstance(own, (list, tuple)) else own
        name = str(self.settings.get("tokenizer_class") or first or "").rpartition(".")[2]
        bare = name.lower().removesuffix("fast").removesuffix("tokenizer")
        return "" if bare in _KNOWN else name

    @property
    def adds_nothing(self) -> bool:
        """True for the classes that put nothing around a text unless tokenizer.json says so."""
        return self.kind.removesuffix("fast") in _BARE

    @property
    def reads_target(self) -> bool:
        """True if the encoder reads the code of the target's language, and the decoder none."""
        return self.kind == "small100tokenizer"

    @property
    def has_languages(self) -> bool:
        """True if the family has codes of languages."""
        return self.model_type in ("mbart", "m2m_100", "plbart")

    def path(self, *names: str) -> Path | None:
        """The first of these files that is there."""
        return next((p for name in names if (p := self.folder / name).exists()), None)

    def order(self) -> list[str]:
        """The codes that follow the pieces of a SentencePiece model, in the family's order."""
        kind, chosen = self.model_type, self.settings.get("language_codes")
        if kind == "plbart":
            name = "plbart multi" if chosen == "multi" else "plbart"
        elif kind == "mbart":
            name = "mbart50" if "50" in self.kind else "mbart"
        elif self.path("vocab.json"):
            name = "wmt21" if chosen == "wmt21" else "m2m100"
        else:
            name = "nllb"
        return _known_languages()[name].split()

    def blanks(self) -> int:
        """How many blanks a T5's tokenizer has."""
        given = self.settings.get("extra_ids", _BLANKS.get(self.kind, 100))
        if type(given) is not int or not 0 <= given <= MAX_BLANKS:
            raise CheckpointError(
                f"extra_ids is {quote(given)} in the settings of the tokenizer of "
                f"{self.title}; expected a whole number up to {MAX_BLANKS:,}."
            )
        return given

    def is_read(self, token: str, number: int) -> bool:
        """Whether a token is looked for in a text, although it is special.

        T5's blanks and MADLAD's languages are, and whatever a fine-tune added; a family's own
        special tokens and its languages are not.
        """
        return (
            number < self.vocab_size and token not in self._own and not _RESERVED.fullmatch(token)
        )

    @cached_property
    def _own(self) -> set[str]:
        """The special tokens of the family, and its languages."""
        style = "words" if self.path("vocab.txt") or self.kind.startswith("bert") else "bytes"
        names = {*SPECIAL["open" if self.model_type == "blenderbot-small" else style].values()}
        given = map(self.settings.get, SETTINGS.values())
        names |= {content(token) for token in given if token}
        if self.has_languages:
            codes = " ".join(_known_languages().values()).split()
            names |= {*codes, *(f"__{code}__" for code in codes)}
        return names

    def added(self) -> dict[str, AddedToken]:
        """The tokens beside the vocabulary, as `transformers` reads them from three files."""
        tokens = {token: how for token, how in self.listed() if self.is_read(token, how.number)}
        for token in self._extra():
            if self.is_read(token, NEXT):
                tokens.setdefault(token, AddedToken(NEXT, special=True, normalized=False))
        return tokens

    def listed(self) -> Iterator[tuple[str, AddedToken]]:
        """Those with a number: added_tokens.json is for older versions."""
        listed = self.settings.get("added_tokens_decoder")
        if isinstance(listed, Mapping):
            for number, token in listed.items():
                if isinstance(token, Mapping) and str(number).isdecimal():
                    how = {name: token.get(name) is True for name in _PROPERTIES}
                    yield content(token), AddedToken(min(int(number), MAX_NUMBER), **how)
            return
        special = self._extra()
        for token, number in self.json(hub.ADDED_TOKENS).items():
            if type(number) is int and 0 <= number < MAX_NUMBER:
                is_special = token in special
                yield token, AddedToken(number, is_special, normalized=not is_special)

    def _extra(self) -> list[str]:
        """Those that the settings call special, whose numbers stand elsewhere or follow."""
        names = ("extra_special_tokens", "additional_special_tokens")
        given: list[object] = []
        for values in (self.settings, self.json(hub.SPECIAL_TOKENS)):
            more: Any = next((values[name] for name in names if values.get(name)), [])
            given += [*more.values()] if isinstance(more, Mapping) else _list(more)
        return [content(token) for token in given]

    def json(self, name: str) -> dict[str, Any]:
        """A file of tokens that may be missing."""
        path = self.path(name)
        if path is None or path.stat().st_size > MAX_ADDED:
            return {}
        if kinds.of_file(path):
            raise CheckpointError(kinds.instead(path, "JSON"))
        try:
            values = json.loads(path.read_text("utf-8"))
        except (OSError, ValueError, RecursionError) as error:
            raise CheckpointError(kinds.instead(path, "JSON", error)) from None
        return values if isinstance(values, dict) else {}


def _list(value: object) -> list[object]:
    """A list of tokens; empty for what is none."""
    return value if isinstance(value, list) else []


def content(token: object) -> str:
    """The text of a token, which may be written with its properties."""
    return str(token.get("content") if isinstance(token, Mapping) else token)


def _known_languages() -> dict[str, str]:
    known: dict[str, str] = json.loads(_LANGUAGES.read_text("utf-8"))
    return known
