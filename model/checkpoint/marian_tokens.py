"""What a Marian's tokenizer files ask for beside the vocabulary: honoured, or refused by name.

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


def check_tokenizer(
    settings: Mapping[str, Any], added: Mapping[str, Any], vocabulary: Mapping[str, int]
) -> None:
    """Compare tokenizer_config.json and added_tokens.json with what `Tokenizer` does.

    Raises:
        CheckpointError: a token of its own, other names of the special tokens, another class, or a
        setting of SentencePiece. The message names them.
    """
    problems = [
        f"{name} is {quote(_text(settings[name]))}, expected {ours}"
        for name, ours in _SPECIAL.items()
        if settings.get(name) is not None and _text(settings[name]) != ours
    ]
    if settings.get("tokenizer_class") not in _CLASSES:
        problems.append(f"tokenizer_class is {quote(settings['tokenizer_class'])}")
    problems += [f"{name} is {quote(settings[name])}" for name in _SWITCHES if settings.get(name)]
    own = [token for token in _added(settings, added) if not _is_known(token, vocabulary)]
    if own:
        more = f" and {len(own) - 3} more" if len(own) > 3 else ""
        problems.append(f"it adds the tokens {', '.join(map(quote, own[:3]))}{more}")
    if problems:
        raise CheckpointError(
            f"This tokenizer asks for what Headlight does not have: {'; '.join(problems[:3])}. "
            "Choose a model with the tokenizer of OPUS-MT."
        )


def _text(token: object) -> object:
    """The text of a token, which may be written with its properties."""
    return token.get("content") if isinstance(token, Mapping) else token


def _added(settings: Mapping[str, Any], added: Mapping[str, Any]) -> list[str]:
    """The tokens beside the vocabulary's that text is searched for before it is cut."""
    listed = settings.get("added_tokens_decoder")
    more = settings.get("additional_special_tokens") or settings.get("extra_special_tokens")
    tokens = [*added, *(map(_text, listed.values()) if isinstance(listed, Mapping) else ())]
    tokens += map(_text, more.values() if isinstance(more, Mapping) else more or ())
    return list(dict.fromkeys(map(str, tokens)))


def _is_known(token: str, vocabulary: Mapping[str, int]) -> bool:
    """A special token, or a code of a language: `Tokenizer` reads that as one piece."""
    is_code = token.startswith(">>") and token.endswith("<<")
    return token in _SPECIAL.values() or (is_code and token in vocabulary)
