"""Every setting there is: frozen, checked when made, JSON both ways. Imports no torch."""

from __future__ import annotations

import dataclasses
import json
import math
import reprlib
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from model.errors import ConfigError

Kind = Literal["encoder_self", "decoder_self", "cross"]
KINDS: tuple[Kind, ...] = ("encoder_self", "decoder_self", "cross")
Method = Literal["greedy", "beam", "sampling", "beam_sampling"]
METHODS: tuple[Method, ...] = ("greedy", "beam", "sampling", "beam_sampling")

C = TypeVar("C", bound="Config")


@dataclass(frozen=True)
class Config:
    """What all settings share: JSON both ways and a refusal of names that do not exist."""

    def to_json(self) -> str:
        return json.dumps(dataclasses.asdict(self), indent=2) + "\n"

    @classmethod
    def from_json(cls: type[C], text: str) -> C:
        """Read what `to_json` wrote.

        Raises:
            ConfigError: not a JSON object, a field that does not exist, or a value out of range.
        """
        try:
            values = json.loads(text)
        except ValueError as error:
            raise ConfigError(f"{cls.__name__} is not valid JSON: {error}.") from None
        if not isinstance(values, dict):
            raise ConfigError(f"{cls.__name__} must be a JSON object, not {type(values).__name__}.")
        return cls.from_dict(values)

    @classmethod
    def from_dict(cls: type[C], values: dict[str, Any]) -> C:
        known = {field.name for field in dataclasses.fields(cls)}
        unknown = sorted(set(values) - known)
        if unknown:
            raise ConfigError(
                f"{cls.__name__} has no field {', '.join(unknown)}; "
                f"it has {', '.join(sorted(known))}."
            )
        try:
            return cls(**values)
        except TypeError as error:
            raise ConfigError(f"{cls.__name__}: {error}.") from None

    def _check_int(self, name: str, low: int, high: int) -> None:
        value = getattr(self, name)
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise ConfigError(
                f"{name} is {value!r}; expected a whole number from {low} to {high}.",
                key="whole", name=name, value=repr(value), low=low, high=high,
            )  # fmt: skip

    def _check_float(self, name: str, low: float, high: float) -> None:
        value = getattr(self, name)
        good = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not good or not math.isfinite(value) or not low <= value <= high:
            raise ConfigError(
                f"{name} is {value!r}; expected a number from {low:g} to {high:g}.",
                key="number", name=name, value=repr(value), low=f"{low:g}", high=f"{high:g}",
            )  # fmt: skip

    def _check_bool(self, name: str) -> None:
        if not isinstance(getattr(self, name), bool):
            raise ConfigError(f"{name} is {getattr(self, name)!r}; expected true or false.")

    def _check_choice(self, name: str, choices: tuple[str, ...]) -> None:
        value = getattr(self, name)
        if value not in choices:
            raise ConfigError(f"{name} is {value!r}; expected one of {', '.join(choices)}.")


@dataclass(frozen=True)
class ModelConfig(Config):
    """The shape of a Transformer. The defaults are the paper's choices at a small size.

    Differs from the paper where a field says so; those fields exist because Marian models, which
    Headlight opens too, do it otherwise.
    """

    vocab_size: int
    d_model: int = 256
    n_heads: int = 8
    d_ff: int = 1024
    n_encoder_layers: int = 3
    n_decoder_layers: int = 3
    dropout: float = 0.1
    norm: Literal["post", "pre"] = "post"  # paper: post; pre adds one final norm to each stack
    activation: Literal["relu", "swish"] = "relu"  # paper: relu; Marian: swish
    sinusoids: Literal["interleaved", "halves"] = "interleaved"  # paper: sin, cos, sin, ...
    output_bias: bool = False  # Marian adds a bias to the logits
    max_positions: int = 512
    pad_id: int = 0
    start_id: int = 1  # what the decoder reads first; Marian: pad_id
    end_id: int = 2

    def __post_init__(self) -> None:
        for name, high in (("vocab_size", 1_000_000), ("d_model", 8192), ("d_ff", 65_536)):
            self._check_int(name, 2, high)
        self._check_int("n_heads", 1, 128)
        self._check_int("n_encoder_layers", 1, 64)
        self._check_int("n_decoder_layers", 1, 64)
        self._check_int("max_positions", 2, 65_536)
        for name in ("pad_id", "start_id", "end_id"):
            self._check_int(name, 0, self.vocab_size - 1)
        self._check_float("dropout", 0.0, 0.9)
        self._check_choice("norm", ("post", "pre"))
        self._check_choice("activation", ("relu", "swish"))
        self._check_choice("sinusoids", ("interleaved", "halves"))
        if self.d_model % self.n_heads or self.d_model % 2:
            raise ConfigError(
                f"d_model is {self.d_model}; expected an even multiple of n_heads ({self.n_heads})."
            )

    @property
    def d_k(self) -> int:
        """The size of one head's queries, keys and values."""
        return self.d_model // self.n_heads


@dataclass(frozen=True)
class TrainConfig(Config):
    """How a model is trained: the data, the regularisation, the schedule, what is kept.

    Differs from the paper (section 5): the corpus is a hundred times smaller, so dropout is strong,
    segmentations are drawn anew each epoch, and the schedule has a peak of its own.
    """

    vocab_size: int = 4000
    dev_share: float = 0.02
    test_share: float = 0.04
    batch_tokens: int = 2000  # of one update: sentences times the longer side of the longest
    epochs: int = 60
    peak_lr: float = 1e-3
    schedule: Literal["inverse_sqrt", "linear"] = "linear"  # paper: inverse_sqrt (equation 3)
    warmup: int = 1000  # updates of linear rise to peak_lr, before either falls
    label_smoothing: float = 0.1
    subword_alpha: float = 0.3  # 1 samples by the unigram model's probabilities; 0 never
    rough: float = 0.05  # share of pairs without capital and full stop, as visitors type
    clip: float = 1.0
    weight_decay: float = 0.01
    average_last: int = 10  # epochs whose weights are averaged
    seed: int = 1

    def __post_init__(self) -> None:
        self._check_int("vocab_size", 300, 1_000_000)
        self._check_choice("schedule", ("inverse_sqrt", "linear"))
        self._check_int("batch_tokens", 16, 10_000_000)
        self._check_int("epochs", 1, 100_000)
        self._check_int("warmup", 1, 1_000_000)
        self._check_int("average_last", 1, 1000)
        self._check_int("seed", 0, 2**31)
        self._check_float("dev_share", 0.0, 0.5)
        self._check_float("test_share", 0.0, 0.5)
        self._check_float("peak_lr", 1e-7, 1.0)
        self._check_float("label_smoothing", 0.0, 0.9)
        self._check_float("subword_alpha", 0.0, 10.0)
        self._check_float("rough", 0.0, 1.0)
        self._check_float("clip", 1e-3, 1e3)
        self._check_float("weight_decay", 0.0, 1.0)

    def learning_rate(self, update: int, updates: int) -> float:
        """The rate of update 1, 2, ... of `updates`: a linear rise, then the chosen fall."""
        if update <= self.warmup:
            return self.peak_lr * update / self.warmup
        if self.schedule == "inverse_sqrt":
            return float(self.peak_lr * (self.warmup / update) ** 0.5)
        return self.peak_lr * max(0, updates + 1 - update) / max(1, updates + 1 - self.warmup)


@dataclass(frozen=True)
class DecodeConfig(Config):
    """How the next token is chosen, and when to stop.

    `length_penalty` is alpha: a hypothesis of n tokens (the end token counts) scores
    log_prob / n ** alpha ("average") or log_prob / ((5 + n) / 6) ** alpha ("gnmt", Wu et al. 2016,
    eq. 14). `top_k` 0 keeps the whole vocabulary. `max_length` counts written tokens, the end too.
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

    def penalty(self, length: int) -> float:
        """What the sum of log-probs is divided by for a hypothesis of `length` tokens."""
        base = float(length) if self.penalty_form == "average" else (5.0 + length) / 6.0
        return float(base**self.length_penalty)


Head = tuple[Kind, int, int]
"""Kind, layer and head of an attention head; layers and heads are counted from 0."""
Cell = tuple[Kind, int, int, bool]
"""Kind, query and key of a mask cell, counted from 0, and whether the query may read the key."""


@dataclass(frozen=True)
class Interventions(Config):
    """What is changed on the running model; the empty value changes nothing.

    An argument of the forward pass and of decoding, never state: two visitors with different
    interventions use the same weights at the same time. All numbers count from 0. What a model or
    a source does not have (layer 7 of 3) is refused where the value is used, not here.

    Step by step there is no future to read: `causal_mask` and painted cells of later keys change
    only passes over several target tokens at once. A painted cell holds in all layers and heads;
    one whose query lies beyond the target changes nothing, since a target may end anywhere.
    """

    heads_off: tuple[Head, ...] = ()  # these add nothing, as if their slice of W_o were zero
    cross_off: tuple[int, ...] = ()  # layers whose cross-attention adds nothing, not even its bias
    causal_mask: bool = True  # False: every target position may read all of them
    padding: int = 0  # pad tokens after the source, as in a batch with a longer neighbour
    padding_mask: bool = True  # False: pad tokens may be read
    cells: tuple[Cell, ...] = ()  # painted over the mask of their kind, whatever that is
    scaling: bool = True  # False: scores are not divided by sqrt(d_k)
    positions: Literal["kept", "none", "shuffled", "shifted"] = "kept"
    sides: Literal["source", "target", "both"] = "both"  # where; only a source can be shuffled
    shift: int = 0  # shifted: each token stands so many places further on
    position_seed: int = 0  # shuffled: which of the orders

    def __post_init__(self) -> None:
        _entries(self, "heads_off", (KINDS, int, int), "(kind, layer, head)")
        _entries(self, "cells", (KINDS, int, int, bool), "(kind, query, key, allowed)")
        if len({cell[:3] for cell in self.cells}) < len(self.cells):
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
                "positions are shuffled on the target side; only those of a source, which is there "
                "as a whole, can be. Choose the sides source or both."
            )

    def stepwise(self) -> Interventions:
        """What is left of it where tokens are written one by one: the future cannot be read."""
        future = {c for c in self.cells if c[0] == "decoder_self" and c[2] > c[1]}
        cells = tuple(cell for cell in self.cells if cell not in future)
        return dataclasses.replace(self, causal_mask=True, cells=cells)

    def moved(self, side: Literal["source", "target"]) -> bool:
        """Whether the position vectors of that side are not the usual ones."""
        shuffled_target = self.positions == "shuffled" and side == "target"
        return self.positions != "kept" and self.sides in (side, "both") and not shuffled_target


MOST_ENTRIES = 100_000  # in one field: a visitor's address must not fill the memory


def _entries(config: Config, name: str, form: tuple[Any, ...], meaning: str) -> None:
    """Make a field of entries a sorted tuple, each entry once: lists are what JSON has.

    `form` has, for each place of an entry, the words or the type that may stand there.
    """
    value = getattr(config, name)
    if not isinstance(value, (list, tuple)) or len(value) > MOST_ENTRIES:
        raise ConfigError(
            f"{name} is {reprlib.repr(value)}; expected a list of {meaning}, "
            f"{MOST_ENTRIES:,} at most."
        )
    entries = set()
    for given in value:
        entry = tuple(given) if isinstance(given, (list, tuple)) else (given,)
        if len(entry) != len(form) or not all(map(_fits, entry, form)):
            raise ConfigError(
                f"{name} has {reprlib.repr(given)}; expected {meaning}, numbers from 0."
            )
        entries.add(entry)
    single = len(form) == 1
    object.__setattr__(config, name, tuple(e[0] if single else e for e in sorted(entries)))


def _fits(given: Any, form: Any) -> bool:
    if isinstance(form, tuple):
        return isinstance(given, str) and given in form
    return type(given) is form and (form is bool or 0 <= given < 2**31)


UNTOUCHED = Interventions()
