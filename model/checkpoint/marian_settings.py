"""Marian's settings: reading config.json, and writing it with generation_config.json.

Each difference between Marian and the paper is a field of ModelConfig: swish, all sines before all
cosines, a bias on the logits, a decoder that starts from the pad token. Any other setting of the
network is refused by name, all in one message: ignoring it would silently change the translations.
`generation.py` reads the settings of decoding.

Pre-norm: the Marian of `transformers` had it up to version 4.1 (`normalize_before` with
`add_final_layer_norm`) and has had only post-norm since then. The same network, with the same
weight names, exists there as the type "pegasus". So we open both, and a pre-norm model is exported
as "pegasus". `normalize_before` without the final norms is ignored, as `transformers` ignores it.
"""

from __future__ import annotations

import logging
from typing import Any

from model.config import Activation, DecodeConfig, ModelConfig
from model.errors import CheckpointError, quote
from model.rules import Rules

log = logging.getLogger(__name__)

# Their model type, and the class that runs it.
TYPES = {
    "post": ("marian", "MarianMTModel"),
    "pre": ("pegasus", "PegasusForConditionalGeneration"),
}
SIZES = (
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
ACTIVATIONS: dict[str, Activation] = {
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
    problems = [*_problems(values), *unread(values, {**NEUTRAL_STRUCTURE, **_NEUTRAL_TASKS})]
    start_id = start_of(values, generation)
    if start_id is None:
        problems.append("decoder_start_token_id is missing")
    if problems:
        raise CheckpointError(
            f"This Marian model cannot be opened: {'; '.join(problems)}. Choose another, or put "
            "its config.json right."
        )
    source = values["vocab_size"]
    chosen = _choices(values)
    # `transformers` 5 ties all matrices or none: without a tied output no matrix is shared.
    apart = not (chosen[_SHARED] and chosen[_TIED])
    return ModelConfig(
        vocab_size=(not chosen[_SHARED] and values.get("decoder_vocab_size")) or source,
        **sizes_of(values),
        norm="pre" if _has_pre_norm(values) else "post",
        sinusoids="halves",
        output_bias=True,
        start_id=start_id,
        end_id=ends_of(values["eos_token_id"])[0],
        tied=chosen[_TIED],
        src_vocab_size=source if apart else 0,
        scale_embedding=chosen["scale_embedding"],
    )


def sizes_of(values: Settings) -> dict[str, Any]:
    """The fields of `ModelConfig` that Marian and the other families of `transformers` share."""
    wide, decoder_wide = (values[f"{stack}_ffn_dim"] for stack in ("encoder", "decoder"))
    heads, decoder_heads = (values[f"{stack}_attention_heads"] for stack in ("encoder", "decoder"))
    return {
        "d_model": values["d_model"],
        "n_heads": heads,
        "d_ff": wide,
        "decoder_d_ff": 0 if decoder_wide == wide else decoder_wide,
        "decoder_heads": 0 if decoder_heads == heads else decoder_heads,
        "n_encoder_layers": values["encoder_layers"],
        "n_decoder_layers": values["decoder_layers"],
        "activation": ACTIVATIONS[values["activation_function"]],
        "max_positions": values["max_position_embeddings"],
        "pad_id": values["pad_token_id"],
    }


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
    problems = [f"{name} is missing" for name in SIZES if values.get(name) is None]
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
    if not isinstance(activation, str) or activation not in ACTIVATIONS:
        names = " or ".join(ACTIVATIONS)
        problems.append(f"activation_function is {activation!r}, expected {names}")
    return problems


NEUTRAL_STRUCTURE: dict[str, tuple[Any, ...]] = {  # the same in config.json
    "pruned_heads": ({},),
    "quantization_config": ({},),
    "is_encoder_decoder": (True,),
    "is_decoder": (False,),
    "tie_encoder_decoder": (False,),
}

_NEUTRAL_TASKS: dict[str, tuple[Any, ...]] = {  # `generate` does not read them in any family
    "prefix": ("",),
    "task_specific_params": ({},),
}


def unread(settings: Settings, neutral: dict[str, tuple[Any, ...]]) -> list[str]:
    """The settings that ask for something which Headlight does not do."""
    return [
        f"{name} is {quote(settings[name])}"
        for name, values in neutral.items()
        if settings.get(name) is not None and settings[name] not in values
    ]


def write_config(
    config: ModelConfig,
    rules: Rules,
    suggested: DecodeConfig,
    network: Settings | None = None,
) -> tuple[Settings, Settings]:
    """Write config.json and generation_config.json of an exported model.

    `network` is what the first says of the network of a model that is no Marian.
    """
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
    own = _sizes(config) if network is None else network
    return {**own, **shared, "eos_token_id": rules.end_id}, generation


def _sizes(config: ModelConfig) -> Settings:
    """The part of a Marian's config.json that describes the network."""
    return {
        **common_settings(config, *TYPES[config.norm]),
        "decoder_vocab_size": config.vocab_size,
        _SHARED: not config.src_vocab_size,
        "normalize_before": config.norm == "pre",
        "add_final_layer_norm": config.norm == "pre",
        **{name: wanted for name, wanted, _ in _SWITCHES},
    }


def common_settings(config: ModelConfig, model_type: str, architecture: str) -> Settings:
    """What config.json says of the network in Marian, BART and their relatives."""
    return {
        "model_type": model_type,
        "architectures": [architecture],
        "vocab_size": config.vocabulary("source"),
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
    }


def ends_of(value: Any) -> list[Any]:
    """The end tokens, one number or a list of them."""
    return value if isinstance(value, list) and value else [value]


def one_of(value: Any) -> Any:
    """A single number, which may also be written as a list of length one."""
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def start_of(values: Settings, generation: Settings | None) -> Any:
    """The token that the decoder reads first, None if no file names one: `generate` takes that of
    generation_config.json, and where it has none, its `bos_token_id`.
    """
    given = generation or {}
    start, begin = values.get("decoder_start_token_id"), given.get("bos_token_id")
    if given.get("decoder_start_token_id") is not None:
        start = given["decoder_start_token_id"]
    elif start is not None and begin is not None:
        start = begin
    if start is not None and type(one_of(start)) is not int:
        raise CheckpointError(
            f"decoder_start_token_id is {quote(start)}; expected the number of a token."
        )
    return one_of(start)
