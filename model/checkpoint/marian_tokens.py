"""What a Marian's tokenizer files ask for beside the vocabulary, refused by name.

`transformers` reads them, and text would be cut in another way if they were ignored.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from model.errors import CheckpointError, quote
from model.text.tokenizer import END, PAD, UNKNOWN

_SPECIAL = {"unk_token": UNKNOWN, "eos_token": END, "pad_token": PAD}
_CLASSES = (None, "MarianTokenizer", "MarianTokenizerFast")
_SWITCHES = ("sp_model_kwargs", "do_lower_case", "add_prefix_space")


def check_tokenizer(settings: Mapping[str, Any]) -> None:
    """Compare tokenizer_config.json with what `Tokenizer` does.

    Raises:
        CheckpointError: other names of the special tokens, another class, or a setting of
        SentencePiece. The message names them.
    """
    problems = [
        f"{name} is {quote(_text(settings[name]))}, expected {ours}"
        for name, ours in _SPECIAL.items()
        if settings.get(name) is not None and _text(settings[name]) != ours
    ]
    if settings.get("tokenizer_class") not in _CLASSES:
        problems.append(f"tokenizer_class is {quote(settings['tokenizer_class'])}")
    problems += [f"{name} is {quote(settings[name])}" for name in _SWITCHES if settings.get(name)]
    if problems:
        raise CheckpointError(
            f"This tokenizer asks for what Headlight does not have: {'; '.join(problems[:3])}. "
            "Choose a model with the tokenizer of OPUS-MT."
        )


def _text(token: object) -> object:
    """The text of a token, which may be written with its properties."""
    return token.get("content") if isinstance(token, Mapping) else token
