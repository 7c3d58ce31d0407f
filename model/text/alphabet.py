"""A tokenizer of letters: four special tokens, then one token for each character of an alphabet.

Models trained on the page (model/labs/playground) use it. On disk it is a file letters.json:
{"letters": "abc", "examples": ["abca", ...]}.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from model import hub
from model.errors import CheckpointError, InputError, reason
from model.text.characters import plain, visible
from model.text.tokenizer import END, PAD, START, UNKNOWN, Tokenizer
from model.trace import Tokens

LETTERS_FORMAT = "headlight-letters-1"
MAX_LETTERS = 1_000
MAX_EXAMPLES = 100


class LetterTokenizer(Tokenizer):
    """Each character of the text is a token; `examples` are typical inputs of the model.

    "ba" -> "b", "a", "</s>" for an alphabet that has both; other characters are refused.
    """

    def __init__(self, letters: str, examples: Sequence[str] = ()) -> None:
        self._take([PAD, START, END, UNKNOWN, *letters])
        self.letters, self.examples = letters, tuple(examples)

    @classmethod
    def load(
        cls, folder: Path, form: str = LETTERS_FORMAT, *, separate: bool = False
    ) -> LetterTokenizer:
        """Open letters.json.

        Raises:
            CheckpointError: the file is missing, damaged or in a different form.
        """
        where = f"{folder.name}/{hub.LETTERS}"
        try:
            values = json.loads((folder / hub.LETTERS).read_text("utf-8"))
        except (OSError, ValueError, RecursionError) as error:
            raise CheckpointError(f"{where} cannot be read: {reason(error)}.") from None
        letters = values.get("letters") if isinstance(values, dict) else None
        examples = values.get("examples", []) if isinstance(values, dict) else None
        if (
            not isinstance(letters, str)
            or not 1 <= len(letters) == len(set(letters)) <= MAX_LETTERS
            or any(letter.isspace() for letter in letters)
            or not isinstance(examples, list)
            or len(examples) > MAX_EXAMPLES
            or not all(isinstance(one, str) and {*one} and {*one} <= {*letters} for one in examples)
        ):
            raise CheckpointError(
                f"{where} must hold an alphabet of different letters, and examples made of them."
            )
        return cls(letters, examples)

    def to_json(self) -> str:
        """Return the contents of letters.json."""
        values = {"letters": self.letters, "examples": self.examples}
        return json.dumps(values, ensure_ascii=False, indent=1) + "\n"

    def to_tokenizers(self, pieces: Sequence[str]) -> str:
        """The same as a tokenizer.json, which the library `tokenizers` reads, for these pieces."""
        numbers = {piece: i for i, piece in enumerate(pieces)}
        end = {"id": END, "ids": [numbers[END]], "tokens": [END]}
        sequence = {"Sequence": {"id": "A", "type_id": 0}}
        last = {"SpecialToken": {"id": END, "type_id": 0}}
        flags = ("single_word", "lstrip", "rstrip", "normalized")
        special = {**dict.fromkeys(flags, False), "special": True}
        values = {
            "version": "1.0",
            "added_tokens": [
                {"id": numbers[piece], "content": piece, **special}
                for piece in (PAD, START, END, UNKNOWN)
                if piece in numbers
            ],
            "pre_tokenizer": {
                "type": "Split", "pattern": {"Regex": "."}, "behavior": "Isolated", "invert": False,
            },
            "post_processor": {
                "type": "TemplateProcessing", "single": [sequence, last],
                "pair": [sequence, {"Sequence": {"id": "B", "type_id": 0}}, last],
                "special_tokens": {END: end},
            },
            "decoder": {"type": "Fuse"},
            "model": {"type": "WordLevel", "vocab": numbers, "unk_token": UNKNOWN},
        }  # fmt: skip
        return json.dumps(values, ensure_ascii=False, indent=1) + "\n"

    def encode_source(self, text: str) -> Tokens:
        """The encoder's input: the letters of the text, then the end token.

        Raises:
            InputError: an empty text, or a character outside the alphabet.
        """
        tokens = self.encode_target(text)
        if not len(tokens):
            raise InputError("There is nothing to read: the text is empty. Type some letters.")
        n = len(tokens.text)
        ids = np.append(tokens.ids, self.end_id)
        return Tokens(tokens.text, ids, (*tokens.pieces, END), np.vstack([tokens.spans, [[n, n]]]))

    def encode_target(self, text: str) -> Tokens:
        """An output in the decoder's form: its letters, without start and end.

        Raises:
            InputError: a character outside the alphabet.
        """
        text = plain(visible(text).strip(), self.letters.__contains__)
        for letter in text:
            if letter not in self.letters:
                raise InputError(
                    f"This model reads only these characters: {self.letters}. “{letter}” is not "
                    "one of them.",
                    key="letters", letters=self.letters, odd=letter,
                )  # fmt: skip
        ids = np.array([self._ids[letter] for letter in text], dtype=np.int64)
        starts = np.arange(len(text), dtype=np.int64)
        return Tokens(text, ids, tuple(text), np.stack([starts, starts + 1], axis=1))
