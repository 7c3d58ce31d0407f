"""All settings: frozen, checked on construction, to and from JSON. Imports no torch."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from model.errors import CheckpointError, ConfigError, quote, reason
from model.limits import MAX_CELLS, MAX_SOURCE_TOKENS, MAX_TARGET_TOKENS
from model.settings import Config as Config

Kind = Literal["encoder_self", "decoder_self", "cross"]
KINDS: tuple[Kind, ...] = ("encoder_self", "decoder_self", "cross")
Side = Literal["source", "target"]
SIDES: tuple[Side, ...] = ("source", "target")
Stack = Literal["encoder", "decoder"]
Method = Literal["greedy", "beam", "sampling", "beam_sampling"]
Activation = Literal["relu", "swish", "gelu", "gelu_new", "tanh"]
Layout = Literal["interleaved", "halves", "fairseq", "none"]
EmbeddingNorm = Literal["none", "sum", "target_token"]
Positions = Literal["sinusoids", "learned", "relative", "none"]
NormKind = Literal["layer", "rms"]
FOREIGN = (
    *("positions", "position_offset", "counts_padding", "embedding_norm"),
    *("distance_buckets", "max_distance", "distances_by_layer", "norm_kind", "norm_eps"),
    *("gated", "biases", "head_size", "scale_output"),
)
THRESHOLDS = "doubt.json"  # beside the weights: `Thresholds`
METHODS: tuple[Method, ...] = ("greedy", "beam", "sampling", "beam_sampling")
Switch = Literal[
    "banned", "forced_first_id", "forced_end_id", "min_tokens", "no_repeat", "source_no_repeat",
    "repetition_penalty", "renormalise", "early_stopping",
]  # fmt: skip
SWITCHES: tuple[Switch, ...] = get_args(Switch)


@dataclass(frozen=True)
class ModelConfig(Config):
    """The shape of a Transformer. The defaults are the paper's choices at a small size.

    Differs from the paper where a field says so; those fields exist for the models of others, which
    Headlight opens too. The four switches, and "none" for norm and sinusoids, remove a part of the
    paper, to show its effect in training (model/labs/playground).
    """

    vocab_size: int
    d_model: int = 256
    n_heads: int = 8  # heads of each attention; see decoder_heads
    d_ff: int = 1024
    n_encoder_layers: int = 3
    n_decoder_layers: int = 3
    dropout: float = 0.1
    attention_dropout: float = 0.0  # dropout of attention weights; the paper's code: 0.1
    norm: Literal["post", "pre", "none"] = "post"  # paper: post; pre adds a norm to each stack
    activation: Activation = "relu"  # paper: relu; Marian: most often swish
    sinusoids: Layout = "interleaved"  # paper: sin, cos, ...; see `embedding.sinusoids`
    output_bias: bool = False  # Marian and BART add a bias to the logits
    max_positions: int = 512
    pad_id: int = 0
    start_id: int = 1  # the decoder's first input; Marian: pad_id
    end_id: int = 2
    causal_mask: bool = True  # False: teacher forcing shows the decoder the token it should write
    residual: bool = True  # False: a sub-layer's output replaces its input
    scaling: bool = True  # False: scores are not divided by sqrt(d_k)
    tied: bool = True  # False: the output has its own matrix, separate from the embedding
    src_vocab_size: int = 0  # Marian may have a separate source embedding; 0: one for both
    decoder_d_ff: int = 0  # Marian's decoder may have a different d_ff; 0: the encoder's
    decoder_heads: int = 0  # and a different number of heads in both attentions; 0: n_heads
    scale_embedding: bool = True  # False: token vectors are not multiplied by sqrt(d_model)
    # BART: a learned table for each stack; T5, relative: a learned bias of the scores by distance
    positions: Positions = "sinusoids"
    position_offset: int = 0  # the first token's row of that table; BART and M2M100: 2
    counts_padding: bool = True  # False (M2M100): only other tokens have positions; padding adds 0
    # BART: a norm on token plus position; target_token: in the decoder on the token alone
    embedding_norm: EmbeddingNorm = "none"
    distance_buckets: int = 32  # relative: the rows of its table, see `embedding.DistanceBias`
    max_distance: int = 128  # relative: from here on, all distances share a bucket
    distances_by_layer: bool = False  # True (umT5): each layer has a table; False: each stack
    norm_kind: NormKind = "layer"  # T5, rms: without mean and shift
    norm_eps: float = 1e-5  # added to a norm's variance; T5: 1e-6
    gated: bool = False  # True (T5 1.1): the inner units are multiplied by a second map of x
    biases: bool = True  # False (T5): linear maps and norms add no vector
    head_size: int = 0  # T5 chooses d_k freely; 0: d_model / heads
    scale_output: bool = False  # True (T5, if tied): logits are multiplied by d_model^-0.5

    def __post_init__(self) -> None:
        for name, high in (("vocab_size", 1_000_000), ("d_model", 8192), ("d_ff", 65_536)):
            self._check_int(name, 2, high)
        self._check_int("n_heads", 1, 128)
        self._check_int("n_encoder_layers", 1, 64)
        self._check_int("n_decoder_layers", 1, 64)
        self._check_int("max_positions", 2, 65_536)
        self._check_int("src_vocab_size", 0, 1_000_000)
        self._check_int("decoder_d_ff", 0, 65_536)
        self._check_int("decoder_heads", 0, 128)
        both = min(self.vocabulary("source"), self.vocab_size)  # a source has <pad> and </s> too
        for name, size in (("pad_id", both), ("start_id", self.vocab_size), ("end_id", both)):
            self._check_int(name, 0, size - 1)
        for name in ("dropout", "attention_dropout"):
            self._check_float(name, 0.0, 0.9)
        self._check_choice("norm", ("post", "pre", "none"))
        self._check_choice("activation", get_args(Activation))
        self._check_choice("sinusoids", get_args(Layout))
        self._check_choice("positions", get_args(Positions))
        self._check_int("position_offset", 0, 16)
        self._check_choice("embedding_norm", get_args(EmbeddingNorm))
        for name in ("causal_mask", "residual", "scaling", "tied", "output_bias"):
            self._check_bool(name)
        for name in ("scale_embedding", "counts_padding"):
            self._check_bool(name)
        self._check_parts_since()
        for name, heads in (("n_heads", self.n_heads), ("decoder_heads", self.heads("cross"))):
            if self.d_model % (1 if self.head_size else heads) or self.d_model % 2:
                raise ConfigError(
                    f"d_model is {self.d_model}; expected an even multiple of {name} ({heads})."
                )

    def _check_parts_since(self) -> None:
        """Check the parts that are younger than the paper: those of T5 and its relatives."""
        self._check_int("distance_buckets", 4, 4096)
        self._check_int("max_distance", 3, 65_536)
        if self.distance_buckets % 4 or self.max_distance <= self.distance_buckets // 2:
            raise ConfigError(
                f"distance_buckets is {self.distance_buckets} and max_distance "
                f"{self.max_distance}; expected a multiple of 4 and a distance above its half."
            )
        self._check_choice("norm_kind", get_args(NormKind))
        self._check_float("norm_eps", 1e-12, 0.1)
        for name in ("distances_by_layer", "gated", "biases", "scale_output"):
            self._check_bool(name)
        self._check_int("head_size", 0, 8192)

    def vocabulary(self, side: Side) -> int:
        """The vocabulary size of a side: the encoder reads the source, the decoder the target."""
        return self.src_vocab_size or self.vocab_size if side == "source" else self.vocab_size

    def width(self, stack: Stack) -> int:
        """The inner size d_ff of the feed-forward sub-layers in a stack."""
        return self.decoder_d_ff or self.d_ff if stack == "decoder" else self.d_ff

    def heads(self, kind: Kind) -> int:
        """The number of heads of this kind of attention; the cross-attention is the decoder's."""
        return self.n_heads if kind == "encoder_self" else self.decoder_heads or self.n_heads

    def d_k(self, kind: Kind) -> int:
        """The size of one head's queries, keys and values."""
        return self.head_size or self.d_model // self.heads(kind)

    @property
    def position_kind(self) -> Positions:
        """How the model knows the order of its tokens; without waves, sinusoids tell nothing."""
        is_flat = self.positions == "sinusoids" and self.sinusoids == "none"
        return "none" if is_flat else self.positions

    @property
    def embedding_scale(self) -> float:
        """The factor of the token vectors before their positions are added."""
        return math.sqrt(self.d_model) if self.scale_embedding else 1.0

    @property
    def output_scale(self) -> float:
        """The factor of the last vectors before the output's matrix."""
        return float(self.d_model**-0.5) if self.scale_output else 1.0

    def saved(self) -> dict[str, Any]:
        """The fields to write to config.json.

        Newer fields are left out at their defaults, so that older versions can open the model.
        """
        return self._without(("decoder_heads", "scale_embedding", "attention_dropout", *FOREIGN))

    def shown(self) -> dict[str, Any]:
        """The fields to show; those of other families only where they differ from the paper's."""
        return self._without(FOREIGN)

    def _without(self, names: tuple[str, ...]) -> dict[str, Any]:
        """The fields, but for those of the names that have their defaults."""
        fields = dataclasses.asdict(self)
        return {
            name: value
            for name, value in fields.items()
            if name not in names or value != getattr(ModelConfig, name)
        }


@dataclass(frozen=True)
class DecodeConfig(Config):
    """How to choose the next token, and when to stop.

    `length_penalty` is alpha: a hypothesis of n tokens (the end token counts) scores
    log_prob / n ** alpha ("average") or log_prob / ((5 + n) / 6) ** alpha ("gnmt", Wu et al. 2016,
    eq. 14). `top_k` 0 keeps the whole vocabulary. `max_length` counts written tokens, including the
    end. `no_repeat` n forbids any token that would complete a run of n tokens that already occurs
    in the hypothesis (as `no_repeat_ngram_size` of transformers); 0 forbids none. `rules_off` has
    the checkpoint's rules that do not hold: `no_repeat`, and fields of `Rules` (rules.py).
    """

    method: Method = "beam"
    beam_size: int = 4
    length_penalty: float = 1.0
    penalty_form: Literal["average", "gnmt"] = "average"
    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0
    seed: int = 0
    max_length: int = 128
    no_repeat: int = 0
    rules_off: tuple[Switch, ...] = ()

    def __post_init__(self) -> None:
        self._check_choice("method", METHODS)
        self._check_int("beam_size", 1, 64)
        self._check_float("length_penalty", -5.0, 5.0)
        self._check_choice("penalty_form", ("average", "gnmt"))
        self._check_float("temperature", 0.01, 100.0)
        self._check_int("top_k", 0, 10_000_000)
        self._check_float("top_p", 1e-6, 1.0)
        self._check_int("seed", 0, 2**32 - 1)
        self._check_int("max_length", 1, 512)
        self._check_int("no_repeat", 0, 512)
        _entries(self, "rules_off", (SWITCHES,), "names of rules")

    @property
    def forbidden_run(self) -> int:
        """The length of a run of tokens that may not come twice; 0 if any may."""
        return 0 if "no_repeat" in self.rules_off else self.no_repeat

    def penalty(self, length: int) -> float:
        """The length penalty: the divisor of the sum of log-probs of `length` tokens.

        Source: section 6.1, which takes it from Wu et al. 2016, equation 14, with alpha = 0.6:
        penalty_form "gnmt". Differs from the paper with "average": length ** alpha.
        """
        base = float(length) if self.penalty_form == "average" else (5.0 + length) / 6.0
        return float(base**self.length_penalty)


Head = tuple[Kind, int, int]
"""Kind, layer and head of an attention head; layers and heads are counted from 0."""
Cell = tuple[Kind, int, int, bool]
"""Kind, query and key of a mask cell, counted from 0, and whether the query may read the key."""


@dataclass(frozen=True)
class Interventions(Config):
    """The changes to the running model; by default none.

    They are an argument of the forward pass and of decoding, never state: two visitors with
    different interventions use the same weights at the same time. All numbers count from 0. A
    layer, head or position that the model does not have is refused where it is used, not here.

    Step-by-step decoding has no future tokens: `causal_mask` and painted cells of later
    keys change only passes over several target tokens at once. A painted cell holds in all layers
    and heads; one whose query is beyond the end of the target changes nothing.
    """

    heads_off: tuple[Head, ...] = ()  # they add nothing, as if their slice of W_o were zero
    cross_off: tuple[int, ...] = ()  # layers whose cross-attention adds nothing, bias included
    causal_mask: bool = True  # False: every target position may read all of them
    padding: int = 0  # pad tokens after the source, as in a batch with a longer neighbour
    padding_mask: bool = True  # False: pad tokens may be read
    cells: tuple[Cell, ...] = ()  # painted over the mask of their kind, whatever its value
    scaling: bool = True  # False: scores are not divided by sqrt(d_k)
    positions: Literal["kept", "none", "shuffled", "shifted"] = "kept"
    sides: Literal["source", "target", "both"] = "both"  # where; only a source can be shuffled
    shift: int = 0  # shifted: by how many positions each token moves
    position_seed: int = 0  # shuffled: which order

    def __post_init__(self) -> None:
        _entries(self, "heads_off", (KINDS, int, int), "(kind, layer, head)")
        given = self.cells
        _entries(self, "cells", (KINDS, int, int, bool), "(kind, query, key, allowed)")
        if self.cells is not given and len({cell[:3] for cell in self.cells}) < len(self.cells):
            raise ConfigError("cells paint one cell in two ways; give each cell once.")
        _entries(self, "cross_off", (int,), "layer")
        for name in ("causal_mask", "padding_mask", "scaling"):
            self._check_bool(name)
        self._check_int("padding", 0, 65_536)
        self._check_choice("positions", ("kept", "none", "shuffled", "shifted"))
        self._check_choice("sides", ("source", "target", "both"))
        self._check_int("shift", 0, 65_536)
        self._check_int("position_seed", 0, 2**32 - 1)
        if self.positions == "shuffled" and self.sides == "target":
            raise ConfigError(
                "positions are shuffled on the target side; only a source, which is there as a "
                "whole, can be shuffled. Choose the sides source or both."
            )

    def stepwise(self) -> Interventions:
        """The interventions that still apply in step-by-step decoding, without future tokens."""
        future = {c for c in self.cells if c[0] == "decoder_self" and c[2] > c[1]}
        cells = tuple(cell for cell in self.cells if cell not in future)
        return dataclasses.replace(self, causal_mask=True, cells=cells)

    def changes_positions(self, side: Literal["source", "target"]) -> bool:
        """True if this side's positions are modified."""
        shuffled_target = self.positions == "shuffled" and side == "target"
        return self.positions != "kept" and self.sides in (side, "both") and not shuffled_target

    def shift_of(self, side: Literal["source", "target"], config: ModelConfig) -> int:
        """By how many rows of a table of positions this side moves; 0 in a model without one.

        There a shift changes nothing: no token has a place, or only distances count.
        """
        is_shifted = self.positions == "shifted" and self.changes_positions(side)
        has_table = config.position_kind in ("sinusoids", "learned")
        return self.shift if is_shifted and has_table else 0

    def __repr__(self) -> str:
        fields = {f.name: (getattr(self, f.name), f.default) for f in dataclasses.fields(self)}
        changed = (f"{name}={quote(v)}" for name, (v, default) in fields.items() if v != default)
        return f"Interventions({', '.join(changed)})"


class _Entries(tuple[Any, ...]):
    """A field already checked and sorted, so that `replace` need not repeat it."""

    __slots__ = ()


def _entries(config: Config, name: str, form: tuple[Any, ...], meaning: str) -> None:
    """Make a sorted tuple without duplicates from a field of entries, lists in JSON.

    `form` has, for each place of an entry, the allowed words or type.
    """
    value = getattr(config, name)
    if isinstance(value, _Entries):
        return
    if not isinstance(value, (list, tuple)):
        raise ConfigError(f"{name} is {quote(value)}; expected a list of {meaning}.")
    if len(value) > MAX_CELLS:
        raise ConfigError(
            f"{name} has {len(value):,} entries; expected at most {MAX_CELLS:,}, as many as the "
            f"masks of {MAX_SOURCE_TOKENS} source and {MAX_TARGET_TOKENS} target tokens have cells."
        )
    entries = set()
    for given in value:
        entry = tuple(given) if isinstance(given, (list, tuple)) else (given,)
        if len(entry) != len(form) or not all(map(_fits, entry, form)):
            raise ConfigError(f"{name} has {quote(given)}; expected {meaning}, numbers from 0.")
        entries.add(entry)
    single = len(form) == 1
    object.__setattr__(config, name, _Entries(e[0] if single else e for e in sorted(entries)))


def _fits(given: Any, form: Any) -> bool:
    if isinstance(form, tuple):
        return isinstance(given, str) and given in form
    return type(given) is form and (form is bool or 0 <= given < 2**31)


UNTOUCHED = Interventions()


@dataclass(frozen=True)
class Thresholds(Config):
    """The thresholds beyond which a translation is doubtful, and their record on development data.

    `model/labs/doubt.py` reads the signs; `python -m model.labs.doubting` chose the thresholds.

    A doubt was correct if chrF against the best reference is below `poor`. `precision` is the share
    of correct doubts, `recall` the share of poor translations that were doubted, both on
    `sentences` sentences, `doubted` of which were doubted.
    """

    log_prob: float  # a lower mean is unlikely
    repeats: int  # this many repeated runs are too many
    read: float  # a smaller share is unread
    poor: float
    precision: float
    recall: float
    doubted: int
    sentences: int
    source: float = 0.0  # a smaller share is unsourced; older files have none

    def __post_init__(self) -> None:
        self._check_float("log_prob", -1e6, 0.0)
        self._check_float("poor", 0.0, 100.0)
        for name in ("read", "precision", "recall", "source"):
            self._check_float(name, 0.0, 1.0)
        self._check_int("repeats", 1, 10**9)
        self._check_int("doubted", 0, 10**9)
        self._check_int("sentences", 0, 10**9)

    @classmethod
    def load(cls, folder: Path | None) -> Thresholds | None:
        """The thresholds beside the weights of a model; None if there are none.

        Raises:
            CheckpointError: the file is damaged.
        """
        path = folder / THRESHOLDS if folder else None
        if path is None or not path.exists():
            return None
        try:
            return cls.from_json(path.read_text("utf-8"))
        except (OSError, ValueError, ConfigError) as error:
            raise CheckpointError(
                f"{path.parent.name}/{THRESHOLDS} cannot be used. {reason(error)}"
            ) from None
