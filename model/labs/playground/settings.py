"""The settings of a playground run, with their bounds: task, model, training. No torch."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from model.config import Activation, Config, ModelConfig
from model.errors import ConfigError
from model.labs.playground.tasks import END, PAD, START, TASKS, Letters, Pair, Task, TaskName

MAX_PARAMETERS = 400_000
MAX_SECONDS = 30.0  # of processor time for one run
FRESH = 200  # inputs for the final score; training leaves them out
PER_LENGTH = 100  # inputs of each length, where training has several lengths
WATCHED = 20  # the first of them, for the accuracies during training

# The lowest and highest value of every number, for the model, the page and the command.
RANGES: dict[str, tuple[float, float]] = {
    "layers": (1, 6), "heads": (1, 8), "d_model": (8, 128), "d_ff": (8, 512),
    "dropout": (0.0, 0.5), "label_smoothing": (0.0, 0.4), "rate": (1e-5, 0.1),
    "warmup": (0, 1000), "batch": (4, 256), "updates": (10, 5000), "seed": (0, 9999),
}  # fmt: skip
WHOLE = ("layers", "heads", "d_model", "d_ff", "warmup", "batch", "updates", "seed")
SWITCHES = ("causal_mask", "residual", "scaling", "tied", "biases")
Positions = Literal["sinusoids", "learned", "relative", "none"]
Norm = Literal["post", "pre", "none"]
NormKind = Literal["layer", "rms"]
FeedForward = Literal["relu", "gelu", "gated_gelu"]
Embedding = Literal["scaled", "plain", "normed"]
Schedule = Literal["inverse_sqrt", "linear", "constant"]
CHOICES: dict[str, tuple[str, ...]] = {  # the words of every setting that is a choice of words
    "positions": get_args(Positions), "norm": get_args(Norm), "norm_kind": get_args(NormKind),
    "feed_forward": get_args(FeedForward), "embedding": get_args(Embedding),
    "schedule": get_args(Schedule),
}  # fmt: skip
ACTIVATIONS: dict[FeedForward, Activation] = {
    "relu": "relu", "gelu": "gelu", "gated_gelu": "gelu_new",
}  # fmt: skip
MAX_POSITIONS = 32  # rows of the position table


@dataclass(frozen=True)
class Settings(Config):
    """One run. Each switch is a part of the paper's model; the defaults are that model.

    Later parts, and the paper that brought each, are choices beside the paper's; `presets.py` has
    whole models of them. A `length`, `alphabet`, `d_ff`, `rate` or number of `updates` of 0 is the
    task's usual one.
    """

    task: TaskName = "reverse"
    length: int = 0  # letters of an example (`add`: digits of each number); 0: as the task has it
    alphabet: int = 0  # different letters; 0: as the task has it
    shorter: bool = False  # train on shorter examples too: all lengths up to `length`
    layers: int = 1  # layers of the encoder, and of the decoder
    heads: int = 4
    d_model: int = 64
    d_ff: int = 0  # inner size of the feed-forward layers; 0: as the task has it
    positions: Positions = "sinusoids"  # section 3.5; BERT: a learned table; T5: by distance
    causal_mask: bool = True  # hide the token to write from the decoder (section 3.2.3)
    residual: bool = True  # x + Sublayer(x) (section 3.1)
    norm: Norm = "post"  # after the sum (the paper), or before the sub-layer (GPT-2)
    norm_kind: NormKind = "layer"  # LayerNorm (the paper), or RMSNorm
    feed_forward: FeedForward = "relu"  # the paper: relu; BERT: gelu; T5 v1.1: gated gelu
    biases: bool = True  # False: no linear map and no norm adds a vector (T5)
    embedding: Embedding = "scaled"  # times sqrt(d_model) (the paper); plain: T5; normed: BART
    scaling: bool = True  # divide the scores by sqrt(d_k) (section 3.2.1)
    tied: bool = True  # one matrix for embeddings and output (section 3.4)
    label_smoothing: float = 0.0
    dropout: float = 0.0
    rate: float = 0.0  # the highest learning rate; 0: as the task has it
    warmup: int = 50  # updates in which the rate rises to it
    schedule: Schedule = "linear"  # then; paper: inverse_sqrt
    batch: int = 64  # examples per update, all new
    updates: int = 0  # 0: as the task has it
    seed: int = 1

    def __post_init__(self) -> None:
        self._check_choice("task", tuple(TASKS))
        task = TASKS[self.task]
        usual: dict[str, float] = {"length": task.length[1], "alphabet": task.alphabet[1]}
        usual |= {"d_ff": task.d_ff, "updates": task.updates, "rate": task.rate}
        for name, value in usual.items():
            if getattr(self, name) == 0 and not isinstance(getattr(self, name), bool):
                object.__setattr__(self, name, value)
        for name, (low, _, high) in (("length", task.length), ("alphabet", task.alphabet)):
            self._check_int(name, low, high)
        for name, (least, most) in RANGES.items():
            if name in WHOLE:
                self._check_int(name, int(least), int(most))
            else:
                self._check_float(name, least, most)
                object.__setattr__(self, name, float(getattr(self, name)))  # 0 and 0.0 are the same
        for name in (*SWITCHES, "shorter"):
            self._check_bool(name)
        for name, words in CHOICES.items():
            self._check_choice(name, words)
        if self.shorter and not task.has_lengths:
            raise ConfigError(
                f"Every example of this task ({self.task}) has one length, so training has no "
                "shorter ones; switch off shorter examples, or choose another task.",
                key="one_length", task=self.task,
            )  # fmt: skip
        self.model_config()
        if self.parameters > MAX_PARAMETERS:
            raise ConfigError(
                f"This model has {self.parameters:,} parameters; expected at most "
                f"{MAX_PARAMETERS:,}. Use fewer layers, or a smaller d_model or d_ff.",
                key="parameters", count=f"{self.parameters:,}", limit=f"{MAX_PARAMETERS:,}",
            )  # fmt: skip

    @property
    def rule(self) -> Task:
        return TASKS[self.task]

    def letters(self) -> Letters:
        """The vocabulary of the examples."""
        return Letters(self.rule.letters(self.alphabet))

    def pairs(
        self, random: np.random.Generator, practice: bool = False, length: int = 0
    ) -> Iterator[Pair]:
        """An endless stream of examples of the task; those of `practice` may be easier.

        `length` is that of each example; 0: the task's, and in practice, if so set, any up to that.
        """
        draw = (practice and self.rule.practice) or self.rule.draw
        is_mixed = practice and self.shorter and not length
        shortest = self.rule.length[0]
        while True:
            mixed = int(random.integers(shortest, self.length + 1)) if is_mixed else 0
            yield draw(random, mixed or length or self.length, self.alphabet)

    def model_config(self) -> ModelConfig:
        """The config of the network (`model/transformer.py`) to train.

        Raises:
            ConfigError: d_model is not an even multiple of the heads.
        """
        is_plain, is_bare = self.embedding == "plain", self.positions == "none"
        return ModelConfig(
            vocab_size=len(self.letters()),
            d_model=self.d_model,
            n_heads=self.heads,
            d_ff=self.d_ff,
            n_encoder_layers=self.layers,
            n_decoder_layers=self.layers,
            dropout=self.dropout,
            norm=self.norm,
            norm_kind=self.norm_kind,
            norm_eps=1e-6 if self.norm_kind == "rms" else ModelConfig.norm_eps,
            activation=ACTIVATIONS[self.feed_forward],
            gated=self.feed_forward == "gated_gelu",
            biases=self.biases,
            sinusoids="none" if is_bare else "interleaved",
            positions="sinusoids" if is_bare else self.positions,
            max_positions=MAX_POSITIONS,
            scale_embedding=self.embedding == "scaled",
            embedding_norm="sum" if self.embedding == "normed" else "none",
            scale_output=is_plain and self.tied,
            pad_id=PAD,
            start_id=START,
            end_id=END,
            causal_mask=self.causal_mask,
            residual=self.residual,
            scaling=self.scaling,
            tied=self.tied,
        )

    @property
    def parameters(self) -> int:
        """The number of trained parameters, counted by the paper's parts; a test compares with
        torch.

        Attention 4 (d^2 + d), feed-forward 2 d f + d + f, LayerNorm 2 d; three sub-layers and two
        attentions in a decoder layer, two and one in an encoder layer. A gated unit has one map
        more, RMSNorm half of a LayerNorm; without biases all vectors that are added are gone.
        """
        d, config = self.d_model, self.model_config()
        vector = 1 if self.biases else 0
        attention = 4 * (d * d + vector * d)
        norm = d * (1 if self.norm_kind == "rms" or not self.biases else 2)
        per_layer = 3 * attention + 2 * self._feed_forward() + (self.norm != "none") * 5 * norm
        norms = 2 * (self.norm == "pre") + 2 * (self.embedding == "normed")
        learned = 2 * MAX_POSITIONS * d if self.positions == "learned" else 0
        by_distance = 2 * config.distance_buckets * self.heads
        places = by_distance if self.positions == "relative" else learned
        letters = len(self.letters()) * d * (1 if self.tied else 2)
        return self.layers * per_layer + norms * norm + places + letters

    def _feed_forward(self) -> int:
        """The parameters of a feed-forward sub-layer."""
        d, f = self.d_model, self.d_ff
        inner = 2 if self.feed_forward == "gated_gelu" else 1
        return (inner + 1) * d * f + (inner * f + d if self.biases else 0)

    def learning_rate(self, update: int) -> float:
        """The learning rate of update 1, 2, ...: a linear rise, then the chosen fall."""
        if update <= self.warmup:
            return self.rate * update / self.warmup
        if self.schedule == "inverse_sqrt":
            return float(self.rate * (max(1, self.warmup) / update) ** 0.5)
        if self.schedule == "linear":
            return self.rate * (self.updates + 1 - update) / (self.updates + 1 - self.warmup)
        return self.rate
