"""Marian's settings: reading and writing config.json and generation_config.json.

Each difference between Marian and the paper is a field of ModelConfig: swish, all sines before all
cosines, a bias on the logits, a decoder that starts from the pad token. Settings of decoding are
honoured, as rules or as the model's defaults. Any other setting is refused by name, all in one
message: ignoring it would silently change the translations.

Pre-norm: the Marian of `transformers` had it up to version 4.1 (`normalize_before` with
`add_final_layer_norm`) and has had only post-norm since then. The same network, with the same
weight names, exists there as the type "pegasus". So we open both, and a pre-norm model is exported
as "pegasus". `normalize_before` without the final norms is ignored, as `transformers` ignores it.
"""

from __future__ import annotations

import logging
from typing import Any

from model.config import Activation, DecodeConfig, Method, ModelConfig
from model.errors import CheckpointError, ConfigError, quote
from model.rules import Rules

log = logging.getLogger(__name__)

# Their model type, and the class that runs it.
TYPES = {
    "post": ("marian", "MarianMTModel"),
    "pre": ("pegasus", "PegasusForConditionalGeneration"),
}
_SIZES = (
    "vocab_size",
    "d_model",
    "encoder_layers",
    "decoder_layers",
    "encoder_attention_heads",
    "decoder_attention_heads",
    "encoder_ffn_dim",
    "decoder_ffn_dim",
    "max_position_embeddings",
    "pad_token_id",
    "eos_token_id",
)
_SWITCHES = (  # field, required value, default of `transformers`
    ("static_position_embeddings", True, True),
    ("normalize_embedding", False, False),
)
_CHOICES = (  # field, default of `transformers`; True or False
    ("scale_embedding", False),
    ("normalize_before", False),
    ("add_final_layer_norm", False),
    ("share_encoder_decoder_embeddings", True),
    ("tie_word_embeddings", True),
)
_SHARED, _TIED = "share_encoder_decoder_embeddings", "tie_word_embeddings"
_ACTIVATIONS: dict[str, Activation] = {
    "swish": "swish",
    "silu": "swish",
    "relu": "relu",
    "gelu": "gelu",
    "gelu_new": "gelu_new",
    "tanh": "tanh",
}


Settings = dict[str, Any]


def read_config(values: Settings, generation: Settings | None) -> ModelConfig:
    """The ModelConfig of a Marian config.json and, if there is one, generation_config.json.

    Raises:
        CheckpointError: a size is missing or out of range, or the model has a structure that
        Headlight does not support. The message lists all reasons.
    """
    problems = [*_problems(values), *_unread(values, _NEUTRAL_STRUCTURE)]
    start_id: Any = {**values, **(generation or {})}.get("decoder_start_token_id")
    if start_id is None:
        problems.append("decoder_start_token_id is missing")
    if problems:
        raise CheckpointError(
            f"This Marian model cannot be opened: {'; '.join(problems)}. Choose another, or put "
            "its config.json right."
        )
    source, wide = values["vocab_size"], values["encoder_ffn_dim"]
    heads, decoder_heads = (values[f"{stack}_attention_heads"] for stack in ("encoder", "decoder"))
    chosen = _choices(values)
    # `transformers` 5 ties all matrices or none: without a tied output no matrix is shared.
    apart = not (chosen[_SHARED] and chosen[_TIED])
    return ModelConfig(
        vocab_size=(not chosen[_SHARED] and values.get("decoder_vocab_size")) or source,
        d_model=values["d_model"],
        n_heads=heads,
        d_ff=wide,
        decoder_d_ff=0 if values["decoder_ffn_dim"] == wide else values["decoder_ffn_dim"],
        decoder_heads=0 if decoder_heads == heads else decoder_heads,
        n_encoder_layers=values["encoder_layers"],
        n_decoder_layers=values["decoder_layers"],
        norm="pre" if _has_pre_norm(values) else "post",
        activation=_ACTIVATIONS[values["activation_function"]],
        sinusoids="halves",
        output_bias=True,
        max_positions=values["max_position_embeddings"],
        pad_id=values["pad_token_id"],
        start_id=start_id,
        end_id=_ends(values["eos_token_id"])[0],
        tied=chosen[_TIED],
        src_vocab_size=source if apart else 0,
        scale_embedding=chosen["scale_embedding"],
    )


def _choices(values: Settings) -> dict[str, Any]:
    """The boolean settings of a model, including Pegasus."""
    chosen = {name: values.get(name, default) for name, default in _CHOICES}
    if values.get("model_type") == TYPES["pre"][0]:
        chosen |= {"normalize_before": True, "add_final_layer_norm": True}
    return chosen


def _has_pre_norm(values: Settings) -> bool:
    """True if each norm precedes its sub-layer, with one more at the top of each stack."""
    chosen = _choices(values)
    if chosen["normalize_before"] and not chosen["add_final_layer_norm"]:
        log.warning(
            "normalize_before is ignored, as `transformers` ignores it: without a LayerNorm at the "
            "top of the stacks, the others are taken to stand behind their sub-layers."
        )
    return chosen["normalize_before"] and chosen["add_final_layer_norm"]


def _problems(values: Settings) -> list[str]:
    """The reasons why Headlight cannot run such a model; empty if it can."""
    problems = [f"{name} is missing" for name in _SIZES if values.get(name) is None]
    for name, wanted, default in _SWITCHES:
        if values.get(name, default) != wanted:
            problems.append(f"{name} is {values.get(name, default)!r}, expected {wanted}")
    chosen = _choices(values)
    for name, given in chosen.items():
        if type(given) is not bool:
            problems.append(f"{name} is {given!r}, expected True or False")
    if chosen["add_final_layer_norm"] is True and chosen["normalize_before"] is False:
        problems.append("add_final_layer_norm is True, expected False without normalize_before")
    source, target = values.get("vocab_size"), values.get("decoder_vocab_size")
    if chosen[_SHARED] is True and target is not None and source != target:
        problems.append(f"vocab_size {source!r} and decoder_vocab_size {target!r} differ")
    if values.get("decoder_attention_heads") == 0:  # our 0 would mean the encoder's number
        problems.append("decoder_attention_heads is 0, expected at least 1")
    activation = values.get("activation_function")
    if not isinstance(activation, str) or activation not in _ACTIVATIONS:
        names = " or ".join(_ACTIVATIONS)
        problems.append(f"activation_function is {activation!r}, expected {names}")
    return problems


def read_rules(config: ModelConfig, values: Settings, generation: Settings | None) -> Rules:
    """How the model starts and stops, and what it may not write.

    If there is a generation_config.json, only that is used, as in `transformers`. In older
    repositories these settings are in config.json, and the end token is forced by default.

    Raises:
        CheckpointError: a token is not in the vocabulary, a token other than the end is forced, the
        end token does not end, or a decoding setting is not supported by Headlight.
    """
    settings = generation
    if settings is None:
        settings = {"forced_eos_token_id": config.end_id, **values}
    _refuse_others(settings)
    ends = _ends(settings.get("eos_token_id"))
    if config.end_id not in ends or not all(_is_token(i, config) for i in ends):
        raise CheckpointError(
            f"eos_token_id is {quote(settings.get('eos_token_id'))}; expected the end token "
            f"{config.end_id}, alone or with other tokens below {config.vocab_size}."
        )
    forced = _one(settings.get("forced_eos_token_id"))
    if forced is not None and forced != config.end_id:
        raise CheckpointError(
            f"forced_eos_token_id is {quote(forced)}; expected the end token {config.end_id}, or "
            "none."
        )
    # As in `transformers`, the end is never banned: otherwise nothing could end.
    banned = tuple(sorted({config.pad_id, *_banned(config, settings)} - {*ends}))
    renormalise = settings.get("renormalize_logits") is True
    more = tuple(i for i in ends if i != config.end_id)
    return Rules(config.start_id, config.end_id, banned, forced, renormalise, more)


_NEUTRAL: dict[str, tuple[Any, ...]] = {  # unsupported settings and their "off" values
    "early_stopping": (False,),
    "min_length": (0, 1),  # the start token counts as one
    "min_new_tokens": (0,),
    "encoder_no_repeat_ngram_size": (0,),
    "repetition_penalty": (1,),
    "encoder_repetition_penalty": (1,),
    "diversity_penalty": (0,),
    "num_beam_groups": (1,),
    "begin_suppress_tokens": ([],),
    "forced_bos_token_id": (),
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
_NEUTRAL_STRUCTURE: dict[str, tuple[Any, ...]] = {  # the same in config.json
    "prefix": ("",),
    "task_specific_params": ({},),
    "pruned_heads": ({},),
    "quantization_config": ({},),
    "is_encoder_decoder": (True,),
    "is_decoder": (False,),
    "tie_encoder_decoder": (False,),
}
_NEUTRAL_DRAWING: dict[str, tuple[Any, ...]] = {  # these matter only when tokens are drawn
    "typical_p": (1,),
    "min_p": (0,),
    "top_h": (),
    "epsilon_cutoff": (0,),
    "eta_cutoff": (0,),
}


def _unread(settings: Settings, neutral: dict[str, tuple[Any, ...]]) -> list[str]:
    """The settings that ask for something which Headlight does not do."""
    return [
        f"{name} is {quote(settings[name])}"
        for name, values in neutral.items()
        if settings.get(name) is not None and settings[name] not in values
    ]


def _refuse_others(settings: Settings) -> None:
    neutral = {**_NEUTRAL, **(_NEUTRAL_DRAWING if settings.get("do_sample") else {})}
    problems = _unread(settings, {**neutral, **_SWITCHED})
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


def read_suggestions(
    config: ModelConfig, values: Settings, generation: Settings | None
) -> DecodeConfig:
    """The decoding settings that the model's authors chose; ours otherwise.

    Raises:
        ConfigError: one of them is out of range.
    """
    settings = values if generation is None else generation
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
    for name, theirs in (("length_penalty",) * 2, ("no_repeat", "no_repeat_ngram_size")):
        if settings.get(theirs) is not None:
            chosen[name] = settings[theirs]
    if settings.get("do_sample"):
        method: Method = "sampling" if beams in (None, 1) else "beam_sampling"
        drawing = {"temperature": 1.0, "top_k": 50, "top_p": 1.0}  # the default of `transformers`
        given = {name: settings.get(name) for name in drawing}
        chosen |= {"method": method, **drawing}
        chosen |= {name: value for name, value in given.items() if value is not None}
    return DecodeConfig(**chosen)


def write_config(
    config: ModelConfig, rules: Rules, suggested: DecodeConfig
) -> tuple[Settings, Settings]:
    """Write config.json and generation_config.json of an exported model."""
    shared = {
        "pad_token_id": config.pad_id,
        "bos_token_id": None,
        "eos_token_id": list(rules.ends) if rules.more_ends else rules.end_id,
        "decoder_start_token_id": rules.start_id,
        "forced_eos_token_id": rules.forced_end_id,
    }
    generation = {
        **shared,
        "bad_words_ids": [[token_id] for token_id in rules.banned],
        "renormalize_logits": rules.renormalise,
        "max_length": min(config.max_positions, 512),
        "num_beams": 1 if suggested.method == "greedy" else suggested.beam_size,
        "length_penalty": suggested.length_penalty,
        "no_repeat_ngram_size": suggested.no_repeat,
    }
    return {**_sizes(config), **shared, "eos_token_id": rules.end_id}, generation


def _sizes(config: ModelConfig) -> Settings:
    """The part of config.json that describes the network."""
    model_type, architecture = TYPES[config.norm]
    return {
        "model_type": model_type,
        "architectures": [architecture],
        "vocab_size": config.vocabulary("source"),
        "decoder_vocab_size": config.vocab_size,
        _SHARED: not config.src_vocab_size,
        _TIED: config.tied,
        "d_model": config.d_model,
        "encoder_layers": config.n_encoder_layers,
        "decoder_layers": config.n_decoder_layers,
        "encoder_attention_heads": config.heads("encoder_self"),
        "decoder_attention_heads": config.heads("decoder_self"),
        "encoder_ffn_dim": config.d_ff,
        "decoder_ffn_dim": config.width("decoder"),
        "max_position_embeddings": config.max_positions,
        "activation_function": config.activation,
        "dropout": config.dropout,
        "attention_dropout": config.attention_dropout,
        "is_encoder_decoder": True,
        "use_cache": True,
        "scale_embedding": config.scale_embedding,
        "normalize_before": config.norm == "pre",
        "add_final_layer_norm": config.norm == "pre",
        **{name: wanted for name, wanted, _ in _SWITCHES},
    }


def _ends(value: Any) -> list[Any]:
    """The end tokens, one number or a list of them."""
    return value if isinstance(value, list) and value else [value]


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


def _one(value: Any) -> Any:
    """A single number, which may also be written as a list of length one."""
    return value[0] if isinstance(value, list) and len(value) == 1 else value
