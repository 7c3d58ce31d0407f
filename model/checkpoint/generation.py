"""A checkpoint's settings for decoding, from generation_config.json: rules and suggestions.

They are honoured, as `Rules` or as the model's defaults. Any other setting is refused by name, all
in one message: ignoring it would silently change the texts.
"""

from __future__ import annotations

from typing import Any

from model.checkpoint.marian_settings import Settings, ends_of, one_of, unread
from model.config import DecodeConfig, Method, ModelConfig
from model.errors import CheckpointError, ConfigError, quote
from model.rules import Rules


def of_config(values: Settings) -> Settings:
    """The settings of an older repository, which has them in its config.json."""
    forced = values.get("force_bos_token_to_be_generated")  # BART's name of it before 2021
    return {**values, "forced_bos_token_id": values.get("bos_token_id")} if forced else values


def read_rules(config: ModelConfig, settings: Settings, *, bans_padding: bool) -> Rules:
    """How the model starts and stops, and what it may and must write.

    `settings` are those of generation_config.json, and only those, as in `transformers`; in older
    repositories they are in config.json. With `bans_padding` padding is never written (Marian).

    Raises:
        CheckpointError: a token is not in the vocabulary, a token other than the end is forced, the
        end token does not end, or a decoding setting is not supported by Headlight.
    """
    _refuse_others(settings)
    banned, ends = _banned(config, settings), _ends(config, settings)
    forced = one_of(settings.get("forced_eos_token_id"))
    if forced is not None and forced != config.end_id:
        raise CheckpointError(
            f"forced_eos_token_id is {quote(forced)}; expected the end token {config.end_id}, or "
            "none."
        )
    padding = {config.pad_id} if bans_padding else set()
    return Rules(
        config.start_id,
        config.end_id,
        banned=tuple(sorted({*padding, *banned} - {*ends})),
        forced_end_id=forced,
        renormalise=settings.get("renormalize_logits") is True,
        more_ends=tuple(i for i in ends if i != config.end_id),
        forced_first_id=_forced_first(config, settings),
        min_tokens=_min_tokens(settings),
        repetition_penalty=float(_setting(settings, "repetition_penalty", 1.0)),
        source_no_repeat=_run(settings, "encoder_no_repeat_ngram_size"),
        early_stopping=_setting(settings, "early_stopping", False),
    )


def _ends(config: ModelConfig, settings: Settings) -> list[int]:
    """The tokens that end a text. Those of bad_words_ids are never banned, as in `transformers`,
    but suppress_tokens are.
    """
    ends = ends_of(settings.get("eos_token_id"))
    if config.end_id not in ends or not all(_is_token(i, config) for i in ends):
        raise CheckpointError(
            f"eos_token_id is {quote(settings.get('eos_token_id'))}; expected the end token "
            f"{config.end_id}, alone or with other tokens below {config.vocab_size}. "
            "generation_config.json has to name it."
        )
    suppressed = settings.get("suppress_tokens") or []
    if config.end_id in suppressed:
        raise CheckpointError(
            f"suppress_tokens holds the end token {config.end_id}, so that no text would end. Take "
            "it out of generation_config.json."
        )
    return [i for i in ends if i not in suppressed]


def _setting(settings: Settings, name: str, usual: Any) -> Any:
    """A setting; `usual` if it is left out or null."""
    value = settings.get(name)
    if value is None:
        return usual
    kinds = (bool, str) if name == "early_stopping" else (int, float)
    if not isinstance(value, kinds) or (bool not in kinds and isinstance(value, bool)):
        expected = "true, false or never" if name == "early_stopping" else "a number"
        raise CheckpointError(f"{name} is {quote(value)}; expected {expected}.")
    return value


def _run(settings: Settings, name: str) -> int:
    """The length of a run of tokens that may not come again; 0 if any may."""
    return 0 if settings.get(name) is None else _number(settings, name, 0, 512)


def _min_tokens(settings: Settings) -> int:
    """The least number of tokens to write; `min_length` counts the start token, too."""
    if settings.get("min_new_tokens") is not None:  # goes before min_length
        return _number(settings, "min_new_tokens", 0)
    if settings.get("min_length") is None:
        return 0
    return max(0, _number(settings, "min_length", 0) - 1)


def _forced_first(config: ModelConfig, settings: Settings) -> int | None:
    """The token that every text begins with, if one is forced."""
    forced = one_of(settings.get("forced_bos_token_id"))
    if forced is not None and not _is_token(forced, config):
        raise CheckpointError(
            f"forced_bos_token_id is {quote(forced)}; expected 0 to {config.vocab_size - 1}."
        )
    return None if forced is None else int(forced)


_NEUTRAL: dict[str, tuple[Any, ...]] = {  # unsupported settings and their "off" values
    "encoder_repetition_penalty": (1,),
    "diversity_penalty": (0,),
    "num_beam_groups": (1,),
    "begin_suppress_tokens": ([],),
    "forced_decoder_ids": ([],),
    "force_words_ids": ([],),
    "constraints": ([],),
    "sequence_bias": ({}, []),
    "exponential_decay_length_penalty": (),
    "guidance_scale": (1,),
    "penalty_alpha": (0,),
    "dola_layers": (),
    "stop_strings": ([], ""),
    "max_time": (),
    "token_healing": (False,),
    "watermarking_config": (),
    "prompt_lookup_num_tokens": (),
}
_SWITCHED: dict[str, tuple[Any, ...]] = {  # honoured
    "do_sample": (True, False),
    "renormalize_logits": (True, False),
}
_NEUTRAL_DRAWING: dict[str, tuple[Any, ...]] = {  # these matter only when tokens are drawn
    "typical_p": (1,),
    "min_p": (0,),
    "top_h": (),
    "epsilon_cutoff": (0,),
    "eta_cutoff": (0,),
}


def _refuse_others(settings: Settings) -> None:
    neutral = {**_NEUTRAL, **(_NEUTRAL_DRAWING if settings.get("do_sample") else {})}
    problems = unread(settings, {**neutral, **_SWITCHED})
    if problems:
        raise CheckpointError(
            f"This model asks for decoding that Headlight does not have: {'; '.join(problems)}. "
            "Take these settings out of its generation_config.json if it may decode without them."
        )


def _banned(config: ModelConfig, settings: Settings) -> list[int]:
    """The tokens that are never written; a word of several tokens is refused."""
    words = settings.get("bad_words_ids") or []
    suppressed = settings.get("suppress_tokens") or []
    if not isinstance(words, list) or not isinstance(suppressed, list):
        raise CheckpointError(
            f"bad_words_ids must be a list of lists of tokens, not {quote(words)}, and "
            f"suppress_tokens one of tokens, not {quote(suppressed)}."
        )
    tokens = list(suppressed)
    for word in words:
        if not isinstance(word, list) or len(word) != 1:
            raise CheckpointError(
                f"bad_words_ids holds {quote(word)}; Headlight bans single tokens, not sequences."
            )
        tokens += word
    for token_id in tokens:
        if not _is_token(token_id, config):
            raise CheckpointError(
                f"bad_words_ids or suppress_tokens holds {quote(token_id)}; expected 0 to "
                f"{config.vocab_size - 1}."
            )
    return tokens


def read_suggestions(config: ModelConfig, settings: Settings) -> DecodeConfig:
    """The decoding settings that the model's authors chose; ours otherwise.

    Raises:
        ConfigError: one of them is out of range.
    """
    chosen: dict[str, Any] = {}
    beams, length = settings.get("num_beams"), settings.get("max_length")
    if beams is not None:
        chosen["beam_size"] = _number(settings, "num_beams", 1, 64)
        chosen["method"] = "greedy" if beams == 1 else "beam"
    most = min(config.max_positions, 512)
    if settings.get("max_new_tokens") is not None:  # goes before max_length
        chosen["max_length"] = min(_number(settings, "max_new_tokens", 1), most)
    elif length is not None:  # counts the start token, ours does not
        chosen["max_length"] = min(_number(settings, "max_length", 2) - 1, most)
    chosen["no_repeat"] = _run(settings, "no_repeat_ngram_size")
    if settings.get("length_penalty") is not None:
        chosen["length_penalty"] = settings["length_penalty"]
    if settings.get("do_sample"):
        method: Method = "sampling" if beams in (None, 1) else "beam_sampling"
        drawing = {"temperature": 1.0, "top_k": 50, "top_p": 1.0}  # the default of `transformers`
        given = {name: settings.get(name) for name in drawing}
        chosen |= {"method": method, **drawing}
        chosen |= {name: value for name, value in given.items() if value is not None}
    return DecodeConfig(**chosen)


def _is_token(token_id: Any, config: ModelConfig) -> bool:
    return type(token_id) is int and 0 <= token_id < config.vocab_size


def _number(settings: Settings, name: str, least: int, most: int = 2**31) -> int:
    """A whole number of the settings.

    Raises:
        ConfigError: it is none, or out of range.
    """
    value = settings[name]
    if type(value) is int and least <= value <= most:
        return value
    up_to = f"{least} to {most}" if most < 2**31 else f"at least {least}"
    raise ConfigError(f"{name} is {quote(value)}; expected a whole number, {up_to}.")
