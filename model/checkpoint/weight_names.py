"""The weights of Marian, BART, T5 and their relatives in `transformers`: their names and order.

Only this file knows foreign weight names; the fields of a config decide which of them there are.
The table below is read in both directions: left to right to export one of our models, right to left
to open one of theirs. `families.py` and `marian_settings.py` handle their config files.
"""

from __future__ import annotations

import dataclasses
import functools
import re
from contextlib import suppress
from typing import NamedTuple, cast

import torch
from torch import Tensor
from torch.nn import functional as F

from model.checkpoint.families import FAMILIES, family_of
from model.checkpoint.marian_start import NEVER
from model.config import ModelConfig
from model.embedding import sinusoids, waves
from model.errors import CheckpointError, ConfigError


class WeightName(NamedTuple):
    """The two names of a weight; `stream_axis` is its axis along the residual stream, if any."""

    ours: str
    theirs: str
    stream_axis: int | None


def _linear(ours: str, theirs: str, reads_stream: bool) -> tuple[WeightName, WeightName]:
    """A map from the residual stream has d_model as its input, a map into it as its output."""
    axes = (1, None) if reads_stream else (0, 0)
    return (
        WeightName(f"{ours}.weight", f"{theirs}.weight", axes[0]),
        WeightName(f"{ours}.bias", f"{theirs}.bias", axes[1]),
    )


def _norm(ours: str, theirs: str) -> tuple[WeightName, WeightName]:
    return _linear(f"{ours}_residual.norm", f"{theirs}_layer_norm", reads_stream=False)


def _attention(ours: str, theirs: str) -> tuple[WeightName, ...]:
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
_BIAS = WeightName("output_bias", "final_logits_bias", None)  # (V,) here, (1, V) there
_FINAL_NORMS = (  # of a pre-norm model
    *_linear("encoder_norm", "model.encoder.layer_norm", reads_stream=False),
    *_linear("decoder_norm", "model.decoder.layer_norm", reads_stream=False),
)
_FIRST_NORMS = (  # of a model with a norm on its input
    *_linear("embedding.source_norm", "model.encoder.layernorm_embedding", reads_stream=False),
    *_linear("embedding.target_norm", "model.decoder.layernorm_embedding", reads_stream=False),
)
# Which names each matrix of embeddings and output may have in a file, the usual one first.
_SOURCE, _TARGET = (f"model.{stack}.embed_tokens.weight" for stack in ("encoder", "decoder"))
_SHARED, _HEAD = "model.shared.weight", "lm_head.weight"
_Names = dict[str, tuple[str, ...]]
_ONE: _Names = {"embedding.token.weight": (_SHARED, _SOURCE, _TARGET, _HEAD)}
_TWO: _Names = {
    "embedding.source.weight": (_SOURCE,),
    "embedding.token.weight": (_TARGET, _HEAD),
}
# With an untied output, `transformers` 4 shared one matrix between source and target, and wrote it
# once; version 5 reads one for each side and ignores the shared one.
_THREE: _Names = {
    "embedding.source.weight": (_SOURCE, _SHARED),
    "embedding.token.weight": (_TARGET, _SHARED),
    "output.weight": (_HEAD,),
}

# Files may repeat or leave out the tables of sinusoids; M2M100 once wrote them by another name.
_POSITIONS = ("model.encoder.embed_positions.weight", "model.decoder.embed_positions.weight")
_TABLES = (*_POSITIONS, *(f"{name}s" for name in _POSITIONS))
_LEARNED = tuple(
    WeightName(f"embedding.{side}_positions.weight", theirs, 1)
    for side, theirs in zip(("source", "target"), _POSITIONS, strict=True)
)

# T5 counts the sub-layers of a block, and its linear maps have no biases.
_ATTENTION = (("query", "q"), ("key", "k"), ("value", "v"), ("output", "o"))
_T5_TOKENS = ("shared.weight", "encoder.embed_tokens.weight", "decoder.embed_tokens.weight")
# Old files have a bias of the cross-attention, which T5 never reads.
_T5_UNREAD = "decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight"
_DISTANCES = "SelfAttention.relative_attention_bias.weight"


def _t5_layer(attentions: tuple[tuple[str, str], ...], gated: bool) -> tuple[WeightName, ...]:
    """The weights of a layer: its attentions and the feed-forward behind them."""
    names = []
    for n, (ours, theirs) in enumerate(attentions):
        for own, its in _ATTENTION:
            axis = 0 if own == "output" else 1
            path = f"layer.{n}.{theirs}.{its}.weight"
            names.append(WeightName(f"{ours}.{own}.weight", path, axis))
    first, n = ("wi_0", "wi_1") if gated else ("wi",), len(attentions)
    for own, its in (*zip(("inner", "factor"), first, strict=False), ("outer", "wo")):
        path = f"layer.{n}.DenseReluDense.{its}.weight"
        names.append(WeightName(f"feed_forward.{own}.weight", path, 0 if own == "outer" else 1))
    for i, ours in enumerate((*(ours for ours, _ in attentions), "feed_forward")):
        path = f"layer.{i}.layer_norm.weight"
        names.append(WeightName(f"{ours}_residual.norm.weight", path, 0))
    return tuple(names)


def _t5_names(config: ModelConfig) -> tuple[WeightName, ...]:
    own, cross = ("self_attention", "SelfAttention"), ("cross_attention", "EncDecAttention")
    stacks = (
        ("encoder", config.n_encoder_layers, (own,)),
        ("decoder", config.n_decoder_layers, (own, cross)),
    )
    names = [WeightName(ours, its[0], 1) for ours, its in _matrices(config).items()]
    for stack, n_layers, attentions in stacks:
        names.append(WeightName(f"{stack}_norm.weight", f"{stack}.final_layer_norm.weight", 0))
        for i in range(n_layers):
            block = f"{stack}.block.{i}"
            for ours, theirs, axis in _t5_layer(attentions, config.gated):
                names.append(WeightName(f"{stack}.{i}.{ours}", f"{block}.{theirs}", axis))
            if i == 0 or config.distances_by_layer:
                table = f"{stack}_distances.{i}.table.weight"
                names.append(WeightName(table, f"{block}.layer.0.{_DISTANCES}", None))
    return tuple(names)


_PROMPT = "_attn_prompt."  # of MVP
_WRAPPERS = ("module.", "_orig_mod.")  # of DistributedDataParallel and torch.compile
_PREFIX = "model."  # of every name but those of the output; files of the bare network have none

# Settings that are fixed in Marian and in BART's family; with sinusoids, Marian's own.
_FIXED: dict[str, tuple[object, ...]] = {
    "norm": ("post", "pre"),
    "counts_padding": (True,),
    "causal_mask": (True,),
    "residual": (True,),
    "scaling": (True,),
    "norm_kind": ("layer",),
    "norm_eps": (1e-5,),
    "gated": (False,),
    "biases": (True,),
    "head_size": (0,),
    "scale_output": (False,),
}
_T5_FIXED: dict[str, tuple[object, ...]] = {  # in T5 and its relatives
    "norm": ("pre",),
    "norm_kind": ("rms",),
    "biases": (False,),
    "scaling": (False,),
    "scale_embedding": (False,),
    "output_bias": (False,),
    "embedding_norm": ("none",),
    "src_vocab_size": (0,),
    "decoder_d_ff": (0,),
    "decoder_heads": (0,),
    **{name: _FIXED[name] for name in ("counts_padding", "causal_mask", "residual")},
}


def _matrices(config: ModelConfig) -> _Names:
    """Map our name of each embedding and output matrix to its possible names in a file."""
    if config.positions == "relative":
        head: _Names = {} if config.tied else {"output.weight": (_HEAD,)}
        return {"embedding.token.weight": _T5_TOKENS, **head}
    if config.src_vocab_size:
        return _TWO if config.tied else _THREE
    return _ONE


def weight_names(config: ModelConfig) -> tuple[WeightName, ...]:
    """The two names of every weight of a model."""
    if config.positions == "relative":
        return _t5_names(config)
    names = [WeightName(ours, its[0], 1) for ours, its in _matrices(config).items()]
    names += [_BIAS] if config.output_bias else []
    names += _FINAL_NORMS if config.norm == "pre" else ()
    names += _FIRST_NORMS if config.embedding_norm != "none" else ()
    names += _LEARNED if config.positions == "learned" else ()
    for stack, n_layers, layer in (
        ("encoder", config.n_encoder_layers, _ENCODER),
        ("decoder", config.n_decoder_layers, _DECODER),
    ):
        for i in range(n_layers):
            for ours, theirs, axis in layer:
                path = f"model.{stack}.layers.{i}.{theirs}"
                names.append(WeightName(f"{stack}.{i}.{ours}", path, axis))
    return tuple(names)


Shapes = dict[str, tuple[int, ...]]


def expected(config: ModelConfig, ours: Shapes, names: set[str]) -> tuple[Shapes, Shapes]:
    """The weights that a file of this config must and may have, given the names in it."""
    needed = {name.theirs: ours[name.ours] for name in weight_names(config)}
    allowed: Shapes = {}
    if config.output_bias:
        del needed[_BIAS.theirs]  # without it, `transformers` takes zeros
        allowed[_BIAS.theirs] = (1, config.vocab_size)
    if config.positions == "sinusoids":
        rows = config.max_positions + config.position_offset
        allowed.update(dict.fromkeys(_TABLES, (rows, config.d_model)))
    for its in _matrices(config).values():
        shape = needed.pop(its[0])
        present = [name for name in its if name in names]
        needed[present[0] if present else its[0]] = shape
        allowed.update(dict.fromkeys(present[1:], shape))
    if config.positions == "relative":
        allowed[_HEAD] = needed.pop(_HEAD, (config.vocab_size, config.d_model))
        allowed[_T5_UNREAD] = (config.distance_buckets, config.heads("cross"))
    return needed, allowed


def with_own_output(config: ModelConfig, theirs: dict[str, Tensor]) -> ModelConfig:
    """The config of a T5 by its weights: the output is tied unless it has numbers of its own.

    `transformers` ties it so; `tie_word_embeddings` tells of the factor before it, no more.
    """
    if config.positions != "relative":
        return config
    token = next(theirs[name] for name in _T5_TOKENS if name in theirs)
    tied = _HEAD not in theirs or torch.equal(theirs[_HEAD], token)
    return dataclasses.replace(config, tied=tied)


def full_names(config: ModelConfig, names: set[str]) -> dict[str, str]:
    """The names of a file, completed: the bare network's file leaves out a prefix.

    A program that trains may have put one of its own before all of them.
    """
    begins = {name.partition(".")[0] for name in names}
    if len(begins) == 1 and (wrapped := f"{begins.pop()}.") in _WRAPPERS:
        inner = full_names(config, {name.removeprefix(wrapped) for name in names})
        return {full: wrapped + name for full, name in inner.items()}
    if config.positions == "relative" or any(name.startswith(_PREFIX) for name in names):
        return {name: name for name in names}
    whole = (_HEAD, _BIAS.theirs)
    return {name if name in whole else f"{_PREFIX}{name}": name for name in names}


_NUMBER = re.compile(r"\.(layers|block)\.\d+\.")
_OPTIONS: tuple[dict[str, object], ...] = (
    {"norm": "pre"}, {"norm": "post"}, {"embedding_norm": "sum"}, {"positions": "learned"},
    {"output_bias": True}, {"tied": False}, {"gated": True}, {"distances_by_layer": True},
)  # fmt: skip


def is_spare(config: ModelConfig, name: str) -> bool:
    """True if no setting of the network would read this weight, so that it can be left out.

    False for a further layer, for what another setting adds (a norm, a bias), for a part of a map
    or norm that is there, as the scale of a quantised one is, and for MVP's prompts.
    """
    own, known = _NUMBER.sub(r".\1.0.", name), _of_options(config)
    if _PROMPT in name or own in known:
        return False
    maps = {one.rpartition(".")[0] for one in known if "embed" not in one}
    return not any(own.startswith(f"{path}.") for path in maps if path)


@functools.cache
def _of_options(config: ModelConfig) -> frozenset[str]:
    """The weights of this network and of those with another setting, without numbers of layers."""
    names = {_BIAS.theirs, _HEAD, _SHARED, _SOURCE, _TARGET, *_T5_TOKENS}
    for option in ({}, *_OPTIONS):
        with suppress(ConfigError):  # not every option goes with every network
            other = dataclasses.replace(config, **option)  # type: ignore[arg-type]
            names.update(_NUMBER.sub(r".\1.0.", name.theirs) for name in weight_names(other))
    return frozenset(names)


def to_ours(theirs: dict[str, Tensor], config: ModelConfig) -> dict[str, Tensor]:
    """Rename the weights of a file to our names.

    Raises:
        CheckpointError: embeddings that the config shares differ, or the positions were learnt.
    """
    matrices = {}
    for ours, its in _matrices(config).items():
        present = [name for name in its if name in theirs]
        same = (torch.equal(theirs[present[0]], theirs[other]) for other in present[1:])
        if (config.tied or its == _T5_TOKENS) and not all(same):
            raise CheckpointError(
                f"{' and '.join(present)} differ, but by config.json they are one matrix. Put "
                "share_encoder_decoder_embeddings or tie_word_embeddings right there."
            )
        matrices[ours] = theirs[present[0]]
    if config.positions == "sinusoids":
        _check_positions(theirs, config, matrices)
    weights = {
        name.ours: theirs[name.theirs] for name in weight_names(config) if name.theirs in theirs
    }
    if config.output_bias:
        bias = theirs.get(_BIAS.theirs, torch.zeros(1, config.vocab_size))
        weights[_BIAS.ours] = bias.reshape(-1)
    return {**weights, **matrices}


def _check_positions(
    theirs: dict[str, Tensor], config: ModelConfig, matrices: dict[str, Tensor]
) -> None:
    """Compare the position tables with the config's; move a start's vector into its embedding."""
    table = cast("Tensor", waves(config))[config.position_offset :]
    for name in _TABLES:
        if name not in theirs:
            continue
        added = theirs[name][config.position_offset :] - table
        # Loose enough for a table in float16; a learnt one differs by far more.
        off = (added.abs() > 2e-3).any(1).nonzero()
        start = matrices["embedding.token.weight"][config.start_id]
        if name == _POSITIONS[1] and off.flatten().tolist() == [0] and not start.any():
            matrices["embedding.token.weight"] = matrices["embedding.token.weight"].clone()
            matrices["embedding.token.weight"][config.start_id] = added[0] / config.embedding_scale
        elif len(off):
            raise CheckpointError(
                f"{name} is not the sinusoid table of the paper; learnt positions cannot be opened."
            )


def to_theirs(ours: dict[str, Tensor], config: ModelConfig) -> dict[str, Tensor]:
    """Rename the weights of one of our models to theirs, its sinusoids in Marian's order.

    Marian's table is ours with its columns in another order. Everything added to or read from the
    residual stream can be put in that order too, which leaves every sum, mean and product the same.
    A learned table gets the rows that its family leaves out at the beginning.

    Raises:
        CheckpointError: a part of the model differs from theirs, and they cannot change it.
    """
    _check_export(config)
    order = torch.arange(config.d_model)
    family = family_of(config)
    if family is None and config.sinusoids == "interleaved":
        # sin, cos, sin, cos, ... -> sin, sin, ..., cos, cos, ...
        order = torch.cat((order[0::2], order[1::2]))
    theirs = {}
    for name in weight_names(config):
        weight = ours[name.ours]
        if name.stream_axis is not None:
            weight = weight.index_select(name.stream_axis, order)
        if family and name in _LEARNED:
            offset = FAMILIES[family].fields.get("position_offset", 0)
            weight = F.pad(weight, (0, 0, offset - config.position_offset, 0))
        theirs[name.theirs] = weight.clone()
    if config.output_bias:
        theirs[_BIAS.theirs] = theirs[_BIAS.theirs].reshape(1, -1)
    if family is None and config.norm == "pre":  # Pegasus expects its position tables
        table = sinusoids(config.max_positions, config.d_model, "halves").float()
        theirs |= {name: table.clone() for name in _POSITIONS}
    if config.output_bias and ours[_BIAS.ours][config.start_id] <= NEVER:
        _move_start(theirs, config)
    return theirs


def _check_export(config: ModelConfig) -> None:
    """Refuse a model that has no class in `transformers`."""
    fixed = dict(_T5_FIXED if config.positions == "relative" else _FIXED)
    fixed["positions"] = ("sinusoids", "learned", "relative")
    if config.positions == "relative" and config.gated:  # it takes "gated-gelu" for gelu_new
        fixed["activation"] = ("gelu_new", "relu", "swish", "tanh")
    if config.positions == "sinusoids":
        fixed |= {"sinusoids": ("interleaved", "halves"), "embedding_norm": ("none",)}
    problems = [
        f"{name} is {getattr(config, name)!r}, expected {' or '.join(map(repr, allowed))}"
        for name, allowed in fixed.items()
        if getattr(config, name) not in allowed
    ]
    source = config.src_vocab_size
    if (
        config.positions == "sinusoids"
        and config.norm == "pre"
        and source
        and (config.tied or source != config.vocab_size)
    ):
        problems.append("norm is 'pre' and the source has a vocabulary of its own")
    if config.positions == "learned":
        if family_of(config) is None and not problems:
            fields = ("norm", "embedding_norm", "position_offset")
            told = (f"{name} {getattr(config, name)!r}" for name in fields)
            problems.append(f"no family with learned positions has {', '.join(told)}")
        if source not in (0, config.vocab_size) or (source and config.tied):
            problems.append("the source has a vocabulary of its own")
    if problems:
        raise CheckpointError(
            f"`transformers` has no such model: {'; '.join(problems)}. Only models with every part "
            "of the paper, of BART or of T5 can be exported, and pre-norm ones only with one "
            "vocabulary."
        )


def _move_start(theirs: dict[str, Tensor], config: ModelConfig) -> None:
    """Move the start's vector from the embedding to the decoder's first position.

    The start is read nowhere else, so their sum stays the same. CTranslate2 starts from zeros.
    """
    name = _matrices(config)["embedding.token.weight"][0]
    table = sinusoids(config.max_positions, config.d_model, "halves")
    table[0] += theirs[name][config.start_id] * config.embedding_scale
    theirs[name][config.start_id] = 0
    theirs[_POSITIONS[1]] = table.float()
