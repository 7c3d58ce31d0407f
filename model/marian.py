"""Marian, as the OPUS-MT models are stored for `transformers`: its names, its settings, its limits.

Only this file knows foreign weight names. The table below is read in both directions: from left to
right to export a model of ours, from right to left to open one of theirs.

What Marian does otherwise than the paper is a field of ModelConfig: swish, all sines before all
cosines, a bias on the logits, a decoder that starts from the pad token. What a Marian config can
ask for beyond that is refused here, in one sentence for everything at once.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import torch
from torch import Tensor

from model.config import DecodeConfig, ModelConfig
from model.decoding import Rules
from model.errors import CheckpointError
from model.transformer import sinusoids

# ------------------------------------------------------------------------------------- weights


class Pair(NamedTuple):
    """One weight under both names; `stream_axis` is its axis along the residual stream, if any."""

    ours: str
    theirs: str
    stream_axis: int | None


def _linear(ours: str, theirs: str, reads_stream: bool) -> tuple[Pair, Pair]:
    """A map out of the residual stream has d_model as its input, one back into it as its output."""
    axes = (1, None) if reads_stream else (0, 0)
    return (
        Pair(f"{ours}.weight", f"{theirs}.weight", axes[0]),
        Pair(f"{ours}.bias", f"{theirs}.bias", axes[1]),
    )


def _norm(ours: str, theirs: str) -> tuple[Pair, Pair]:
    return _linear(f"{ours}_residual.norm", f"{theirs}_layer_norm", reads_stream=False)


def _attention(ours: str, theirs: str) -> tuple[Pair, ...]:
    return (
        *_linear(f"{ours}.query", f"{theirs}.q_proj", reads_stream=True),
        *_linear(f"{ours}.key", f"{theirs}.k_proj", reads_stream=True),
        *_linear(f"{ours}.value", f"{theirs}.v_proj", reads_stream=True),
        *_linear(f"{ours}.output", f"{theirs}.out_proj", reads_stream=False),
        *_norm(ours, theirs),
    )


_FEED_FORWARD = (
    *_linear("feed_forward.inner", "fc1", reads_stream=True),
    *_linear("feed_forward.outer", "fc2", reads_stream=False),
    *_norm("feed_forward", "final"),
)
_ENCODER = (*_attention("self_attention", "self_attn"), *_FEED_FORWARD)
_DECODER = (
    *_attention("self_attention", "self_attn"),
    *_attention("cross_attention", "encoder_attn"),
    *_FEED_FORWARD,
)
_EMBEDDING = Pair("embedding.token.weight", "model.shared.weight", 1)
_BIAS = Pair("output_bias", "final_logits_bias", None)  # (V,) here, (1, V) there

# The same matrix under other names, and the position tables: files may repeat or leave out both.
_TIED = ("model.encoder.embed_tokens.weight", "model.decoder.embed_tokens.weight", "lm_head.weight")
_POSITIONS = ("model.encoder.embed_positions.weight", "model.decoder.embed_positions.weight")


def pairs(config: ModelConfig) -> tuple[Pair, ...]:
    """Every weight of a model under both names."""
    found = [_EMBEDDING, _BIAS]
    for stack, n_layers, layer in (
        ("encoder", config.n_encoder_layers, _ENCODER),
        ("decoder", config.n_decoder_layers, _DECODER),
    ):
        for i in range(n_layers):
            for ours, theirs, axis in layer:
                path = f"model.{stack}.layers.{i}.{theirs}"
                found.append(Pair(f"{stack}.{i}.{ours}", path, axis))
    return tuple(found)


Shapes = dict[str, tuple[int, ...]]


def expected(config: ModelConfig, ours: Shapes, names: set[str]) -> tuple[Shapes, Shapes]:
    """What a Marian file of this config must hold and what it may hold, given the names in it."""
    needed = {pair.theirs: ours[pair.ours] for pair in pairs(config)}
    needed.pop(_BIAS.theirs)  # without it, `transformers` takes zeros
    allowed: Shapes = {_BIAS.theirs: (1, config.vocab_size)}
    allowed.update(dict.fromkeys(_POSITIONS, (config.max_positions, config.d_model)))
    embedding = needed.pop(_EMBEDDING.theirs)
    present = [name for name in (_EMBEDDING.theirs, *_TIED) if name in names]
    needed[present[0] if present else _EMBEDDING.theirs] = embedding
    allowed.update(dict.fromkeys(present[1:], embedding))
    return needed, allowed


def to_ours(theirs: dict[str, Tensor], config: ModelConfig) -> dict[str, Tensor]:
    """The weights of a Marian file under our names.

    Raises:
        CheckpointError: the embeddings are not one matrix, or the positions were learnt.
    """
    same = [theirs[name] for name in (_EMBEDDING.theirs, *_TIED) if name in theirs]
    if any(not torch.equal(same[0], other) for other in same[1:]):
        raise CheckpointError(
            "The embeddings of source, target and output differ; Headlight opens models that "
            "share one matrix (section 3.4 of the paper)."
        )
    table = sinusoids(config.max_positions, config.d_model, "halves")
    for name in _POSITIONS:
        # Loose enough for a table in float16; a learnt one differs by far more.
        if name in theirs and (theirs[name] - table).abs().max() > 2e-3:
            raise CheckpointError(
                f"{name} is not the sinusoid table of the paper; learnt positions cannot be opened."
            )
    weights = {pair.ours: theirs[pair.theirs] for pair in pairs(config) if pair.theirs in theirs}
    bias = theirs.get(_BIAS.theirs, torch.zeros(1, config.vocab_size))
    return {**weights, _EMBEDDING.ours: same[0], _BIAS.ours: bias.reshape(-1)}


def to_theirs(ours: dict[str, Tensor], config: ModelConfig) -> dict[str, Tensor]:
    """The weights of a model of ours under Marian's names, with its sinusoids in Marian's order.

    Marian's table is ours with its columns in another order. All that is added to or read from the
    residual stream can be put in that order too, and then every sum, mean and product is the same.

    Raises:
        CheckpointError: a pre-norm model; Marian has no such thing.
    """
    if config.norm != "post":
        raise CheckpointError(
            "The model is pre-norm, and Marian in `transformers` has no pre-norm; only post-norm "
            "models can be exported."
        )
    order = torch.arange(config.d_model)
    if config.sinusoids == "interleaved":  # sin, cos, sin, cos, ... -> sin, sin, ..., cos, cos, ...
        order = torch.cat((order[0::2], order[1::2]))
    ours = {_BIAS.ours: torch.zeros(config.vocab_size), **ours}
    theirs = {}
    for pair in pairs(config):
        weight = ours[pair.ours]
        if pair.stream_axis is not None:
            weight = weight.index_select(pair.stream_axis, order)
        theirs[pair.theirs] = weight.clone()
    theirs[_BIAS.theirs] = theirs[_BIAS.theirs].reshape(1, -1)
    return theirs


# ------------------------------------------------------------------------------------ settings

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
_SWITCHES = (  # field, what it must be, what `transformers` takes where the file is silent
    ("share_encoder_decoder_embeddings", True, True),
    ("tie_word_embeddings", True, True),
    ("static_position_embeddings", True, True),
    ("scale_embedding", True, False),
    ("normalize_embedding", False, False),
    ("normalize_before", False, False),
    ("add_final_layer_norm", False, False),
)
_EQUALS = (  # Headlight has one number for both stacks and one vocabulary for both languages
    ("encoder_attention_heads", "decoder_attention_heads"),
    ("encoder_ffn_dim", "decoder_ffn_dim"),
    ("vocab_size", "decoder_vocab_size"),
)
_ACTIVATIONS: dict[str, Literal["relu", "swish"]] = {
    "swish": "swish",
    "silu": "swish",
    "relu": "relu",
}


Settings = dict[str, Any]


def read_config(values: Settings, generation: Settings | None) -> ModelConfig:
    """The ModelConfig of a Marian config.json and, if there is one, generation_config.json.

    Raises:
        CheckpointError: a size is missing or out of range, or the model is built in a way that
            Headlight does not have. All reasons at once.
    """
    problems = _problems(values)
    start_id: Any = {**values, **(generation or {})}.get("decoder_start_token_id")
    if start_id is None:
        problems.append("decoder_start_token_id is missing")
    if problems:
        raise CheckpointError(f"This Marian model cannot be opened: {'; '.join(problems)}.")
    return ModelConfig(
        vocab_size=values["vocab_size"],
        d_model=values["d_model"],
        n_heads=values["encoder_attention_heads"],
        d_ff=values["encoder_ffn_dim"],
        n_encoder_layers=values["encoder_layers"],
        n_decoder_layers=values["decoder_layers"],
        activation=_ACTIVATIONS[values["activation_function"]],
        sinusoids="halves",
        output_bias=True,
        max_positions=values["max_position_embeddings"],
        pad_id=values["pad_token_id"],
        start_id=start_id,
        end_id=_one(values["eos_token_id"]),
    )


def _problems(values: Settings) -> list[str]:
    """Why Headlight has no such model; empty if it has."""
    problems = [f"{name} is missing" for name in _SIZES if values.get(name) is None]
    for name, wanted, default in _SWITCHES:
        if values.get(name, default) != wanted:
            problems.append(f"{name} is {values.get(name, default)!r}, expected {wanted}")
    for one, other in _EQUALS:
        if values.get(other) is not None and values.get(one) != values[other]:
            problems.append(f"{one} {values.get(one)!r} and {other} {values[other]!r} differ")
    activation = values.get("activation_function")
    if not isinstance(activation, str) or activation not in _ACTIVATIONS:
        names = " or ".join(_ACTIVATIONS)
        problems.append(f"activation_function is {activation!r}, expected {names}")
    return problems


def read_rules(config: ModelConfig, values: Settings, generation: Settings | None) -> Rules:
    """How the model starts, stops, and what it may not write.

    Where generation_config.json exists it speaks alone, as in `transformers`; in older
    repositories config.json holds these settings, and there the end token is forced by default.

    Raises:
        CheckpointError: a token is not in the vocabulary, or another token than the end is forced.
    """
    settings = generation
    if settings is None:
        settings = {"forced_eos_token_id": config.end_id, **values}
    forced = _one(settings.get("forced_eos_token_id"))
    if forced is not None and forced != config.end_id:
        raise CheckpointError(
            f"forced_eos_token_id is {forced!r}; expected the end token {config.end_id}, or none."
        )
    words = settings.get("bad_words_ids") or []
    if not isinstance(words, list):
        raise CheckpointError(f"bad_words_ids is {words!r}; expected a list of lists of tokens.")
    # Words of several tokens are passed over: decoding bans tokens, not sequences.
    tokens = [word[0] for word in words if isinstance(word, list) and len(word) == 1]
    for token_id in tokens:
        if type(token_id) is not int or not 0 <= token_id < config.vocab_size:
            raise CheckpointError(
                f"bad_words_ids holds {token_id!r}; expected 0 to {config.vocab_size - 1}."
            )
    # As in `transformers`, the end is never banned: nothing could end.
    banned = {config.pad_id, *tokens} - {config.end_id}
    renormalise = settings.get("renormalize_logits") is True
    return Rules(config.start_id, config.end_id, tuple(sorted(banned)), forced, renormalise)


def read_suggestions(
    config: ModelConfig, values: Settings, generation: Settings | None
) -> DecodeConfig:
    """The beam size and the longest translation that the model's authors chose, where possible."""
    settings = values if generation is None else generation
    chosen: dict[str, Any] = {}
    beams, length = settings.get("num_beams"), settings.get("max_length")
    if type(beams) is int and beams >= 1:
        chosen["beam_size"] = min(beams, 64)
    if type(length) is int and length >= 2:  # theirs counts the start token, ours does not
        chosen["max_length"] = min(length - 1, config.max_positions, 512)
    return DecodeConfig(**chosen)


def write_config(config: ModelConfig, rules: Rules) -> tuple[Settings, Settings]:
    """config.json and generation_config.json of an exported model."""
    shared = {
        "pad_token_id": config.pad_id,
        "bos_token_id": None,
        "eos_token_id": rules.end_id,
        "decoder_start_token_id": rules.start_id,
        "forced_eos_token_id": rules.forced_end_id,
    }
    generation = {
        **shared,
        "bad_words_ids": [[token_id] for token_id in rules.banned],
        "renormalize_logits": rules.renormalise,
        "max_length": min(config.max_positions, 512),
        "num_beams": 4,
    }
    sizes = {
        "model_type": "marian",
        "architectures": ["MarianMTModel"],
        "vocab_size": config.vocab_size,
        "decoder_vocab_size": config.vocab_size,
        "d_model": config.d_model,
        "encoder_layers": config.n_encoder_layers,
        "decoder_layers": config.n_decoder_layers,
        "encoder_attention_heads": config.n_heads,
        "decoder_attention_heads": config.n_heads,
        "encoder_ffn_dim": config.d_ff,
        "decoder_ffn_dim": config.d_ff,
        "max_position_embeddings": config.max_positions,
        "activation_function": config.activation,
        "dropout": config.dropout,
        "is_encoder_decoder": True,
        "use_cache": True,
        **{name: wanted for name, wanted, _ in _SWITCHES},
    }
    return {**sizes, **shared}, generation


def _one(value: Any) -> Any:
    """A single number, also where it is written as a list of one."""
    return value[0] if isinstance(value, list) and len(value) == 1 else value
