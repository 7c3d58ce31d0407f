"""One run of the playground: a Transformer trained on a task, and the record of it.

The network, attention, loss and decoding are those of `model/`; only the examples are small. The
same settings give the same weights on the same kind of machine.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any, cast

import numpy as np
import torch
from torch import Tensor

from model.arrays import Floats
from model.config import KINDS, DecodeConfig, Kind
from model.decoding import Rules, search
from model.labs.playground.counting import Chance, chance, held_out, held_out_by_length
from model.labs.playground.settings import MAX_SECONDS, WATCHED, Settings
from model.labs.playground.tasks import END, PAD, START, Examples, encoded
from model.stepper import TransformerStepper
from model.training.loss import Objective
from model.transformer import Transformer

MAX_FRAMES = 150  # number of frames of a run, without the first and the last
LEAST_EVERY = 3  # updates between two frames
CLIP = 1.0  # the largest norm of a gradient
RULES = Rules(START, END, banned=(PAD, START, 3))
TOO_FEW = (
    "This task has too few different inputs to set some aside for a test, so there is no score. "
    "Take longer examples or more letters."
)
DIVERGED = (
    "The run diverged: at update {update} its numbers grew too large to compute with, so it ended "
    "there, without a model."
)


@dataclass(frozen=True, eq=False)
class Frame:
    """The state of a run after some updates. Accuracy is measured on inputs outside the training
    data.

    `loss` is the mean over the updates since the last frame, in nats per token (before the first
    update: of the untrained model). The accuracies are None if the task has no inputs to spare.
    `gradients` are the norms of the gradients of the last update, one per layer: encoder, then
    decoder. `attention` has one example's weights by kind, (L, H, Q, K); `written` is the model's
    output for it at that point.
    """

    update: int
    loss: float
    teacher_forced_accuracy: float | None  # share of target tokens that are the most likely
    free_accuracy: float | None  # share of whole outputs that are correct, written token by token
    gradients: tuple[float, ...]
    attention: dict[Kind, Floats]
    written: str
    seconds: float  # of processor time so far


@dataclass(frozen=True)
class LengthScore:
    """The accuracy on unseen inputs of one length, which may be longer than any of training."""

    length: int
    free_accuracy: float
    test_inputs: int


@dataclass(frozen=True, eq=False)
class Score:
    """The accuracy of a finished run on inputs outside its training data, and of chance."""

    free_accuracy: float
    teacher_forced_accuracy: float
    loss: float  # without label smoothing
    chance: Chance
    by_length: tuple[LengthScore, ...]  # empty unless training has several lengths


@dataclass(frozen=True, eq=False)
class Result:
    """A finished run: the trained model, its score, and all frames.

    There is no score if the task has too few inputs to set some aside, or if the run diverged.
    """

    settings: Settings
    model: Transformer
    score: Score | None
    test_inputs: int  # distinct inputs that were set aside
    seen: int  # those of them that occurred in training nevertheless: 0
    diverged: int | None  # the update at which the loss or a gradient was no longer a number
    updates: int  # number of updates made
    parameters: int
    seconds: float  # of processor time
    stopped: bool  # the time was up before the last update
    frames: tuple[Frame, ...] = field(repr=False)

    @property
    def message(self) -> str | None:
        """The reason why there is no score."""
        if self.diverged is not None:
            return DIVERGED.format(update=self.diverged)
        return TOO_FEW if self.score is None else None

    def to_dict(self) -> dict[str, Any]:
        """The form that the command prints: settings, results, and the curve without attention."""
        keep = ("update", "loss", "teacher_forced_accuracy", "free_accuracy", "gradients")
        score = self.score
        return {
            "task": self.settings.task,
            "seed": self.settings.seed,
            "free_accuracy": score and score.free_accuracy,
            "chance_accuracy": score and score.chance.answers,
            "teacher_forced_accuracy": score and score.teacher_forced_accuracy,
            "chance_token_accuracy": score and score.chance.tokens,
            "loss": score and score.loss,
            "by_length": [asdict(one) for one in score.by_length] if score else [],
            "test_inputs": self.test_inputs,
            "test_inputs_seen_in_training": self.seen,
            "message": self.message,
            "diverged": self.diverged,
            "updates": self.updates,
            "parameters": self.parameters,
            "seconds": round(self.seconds, 3),
            "stopped": self.stopped,
            "settings": asdict(self.settings),
            "curve": [{name: getattr(frame, name) for name in keep} for frame in self.frames],
        }


class Run:
    """A run in progress: `frames` trains and yields frames, `result` measures the trained model."""

    def __init__(self, settings: Settings, max_seconds: float = MAX_SECONDS) -> None:
        self.settings, self.max_seconds = settings, max_seconds
        self.letters = settings.letters()
        torch.manual_seed(settings.seed)
        self.model = Transformer(settings.model_config())
        self.objective = Objective(self.model, torch.float32)
        self.optimizer = torch.optim.Adam(
            self.model.parameters(), betas=(0.9, 0.98), eps=1e-9, fused=True
        )
        self.tests = held_out(settings)
        self.by_length = held_out_by_length(settings)
        measured = itertools.chain(self.tests, *self.by_length.values())
        self._reserved = {source for source, _ in measured}
        self._seen: set[str] = set()  # test inputs that occurred in training
        drawn = settings.pairs(np.random.default_rng((settings.seed, 0)), practice=True)
        self._training = (pair for pair in drawn if pair[0] not in self._reserved)
        shown = settings.pairs(np.random.default_rng((settings.seed, 3)))
        self.watched = encoded(self.letters, self.tests[:WATCHED] or (next(shown),))
        self.example = encoded(self.letters, self.watched.pairs[:1])
        self.update = 0
        self.diverged: int | None = None
        self.stopped = False
        self.is_cancelled = lambda: False  # called before each update
        self._started = time.process_time()
        self._layers = [*self.model.encoder, *self.model.decoder]
        self._cut = torch.ones(())  # the factor by which the last gradient was too long

    @property
    def seconds(self) -> float:
        """Processor seconds so far."""
        return time.process_time() - self._started

    @property
    def every(self) -> int:
        """Updates from one frame to the next."""
        return max(LEAST_EVERY, -(-self.settings.updates // MAX_FRAMES))

    def frames(self) -> Iterator[Frame]:
        """Train, yielding a frame of the untrained model, then one every few updates and after the
        last.

        A run that diverges ends with a frame of the last update whose numbers were finite.
        """
        losses = [torch.tensor(self._loss(self.watched))]
        gradients = (0.0,) * len(self._layers)
        yield from self._frame(losses, gradients)
        losses = []
        while self.update < self.settings.updates and not self.stopped and self.diverged is None:
            if self.is_cancelled():
                return
            loss = self._step(self.update + 1)
            if loss is None:
                self.diverged = self.update + 1
            else:
                self.update += 1
                losses.append(loss)
                gradients = self._gradients()
            self.stopped = self.seconds > self.max_seconds
            is_over = self.stopped or self.diverged is not None
            is_last = is_over or self.update == self.settings.updates
            if losses and (self.update % self.every == 0 or is_last):
                yield from self._frame(losses, gradients)
                losses = []
            self.optimizer.zero_grad(set_to_none=True)

    def result(self, frames: tuple[Frame, ...] = ()) -> Result:
        """Measure the model's present accuracy on the inputs that were set aside."""
        score = self._score() if self.tests and self.diverged is None else None
        return Result(
            settings=self.settings,
            model=self.model.eval(),
            score=score,
            test_inputs=len(self.tests),
            seen=len(self._seen),
            diverged=self.diverged,
            updates=self.update,
            parameters=sum(weight.numel() for weight in self.model.parameters()),
            seconds=self.seconds,
            stopped=self.stopped,
            frames=frames,
        )

    # -------------------------------------------------------------------------- training

    def _batch(self) -> Examples:
        batch = encoded(self.letters, tuple(itertools.islice(self._training, self.settings.batch)))
        self._seen |= self._reserved.intersection(source for source, _ in batch.pairs)
        return batch

    def _step(self, update: int) -> Tensor | None:
        """Make one update and return the loss per token. The gradients stay for the next frame.

        None, with the weights unchanged, if the loss or the gradient is not finite.
        """
        self.model.train()
        rate = self.settings.learning_rate(update)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        batch = self._batch()
        tgt = torch.from_numpy(batch.tgt)
        tokens = int((batch.tgt[:, 1:] != PAD).sum())
        loss: Tensor = (
            self.objective(torch.from_numpy(batch.src), tgt, self.settings.label_smoothing) / tokens
        )
        loss.backward()
        length = torch.nn.utils.clip_grad_norm_(self.model.parameters(), CLIP)
        if not (loss.isfinite() and length.isfinite()):
            return None
        self._cut = torch.clamp(length / CLIP, min=1.0)
        self.optimizer.step()
        return loss.detach()

    def _gradients(self) -> tuple[float, ...]:
        """The norm of each layer's gradient in the last update, before clipping."""
        layers = [
            torch.cat([w.grad.flatten() for w in layer.parameters() if w.grad is not None])
            for layer in self._layers
        ]
        return tuple(float(one.norm() * self._cut) for one in layers)

    # -------------------------------------------------------------------------- measuring

    def _frame(self, losses: list[Tensor], gradients: tuple[float, ...]) -> Iterator[Frame]:
        """Make a frame of the run now; None if an output is not finite (the run has diverged)."""
        forced = self._teacher_forced(self.watched)
        if forced is None:
            self.diverged = self.update if self.diverged is None else self.diverged
            return
        right, texts = self._free(self.watched)
        yield Frame(
            update=self.update,
            loss=float(torch.stack(losses).double().mean()),
            teacher_forced_accuracy=forced if self.tests else None,
            free_accuracy=right if self.tests else None,
            gradients=gradients,
            attention=self._attention(),
            written=texts[0],
            seconds=self.seconds,
        )

    def _score(self) -> Score | None:
        """The accuracy on all test inputs; None if the run has diverged, as in `_frame`."""
        measured = encoded(self.letters, self.tests)
        forced = self._teacher_forced(measured)
        if forced is None:
            self.diverged = self.update
            return None
        return Score(
            free_accuracy=self._free(measured)[0],
            teacher_forced_accuracy=forced,
            loss=self._loss(measured),
            chance=chance(measured),
            by_length=tuple(
                LengthScore(length, self._free(encoded(self.letters, pairs))[0], len(pairs))
                for length, pairs in self.by_length.items()
            ),
        )

    @torch.inference_mode()
    def _loss(self, measured: Examples) -> float:
        """The loss in nats per token, without label smoothing and dropout."""
        self.model.eval()
        total = self.objective(torch.from_numpy(measured.src), torch.from_numpy(measured.tgt), 0.0)
        return float(total) / int((measured.tgt[:, 1:] != PAD).sum())

    @torch.inference_mode()
    def _teacher_forced(self, measured: Examples) -> float | None:
        """The share of target tokens that are the most likely, given the target before them.

        None if a logit is not finite.
        """
        self.model.eval()
        tgt = torch.from_numpy(measured.tgt)
        logits = self.model(torch.from_numpy(measured.src), tgt[:, :-1])
        if not logits.isfinite().all():
            return None
        real = tgt[:, 1:] != PAD
        return float((logits.argmax(-1) == tgt[:, 1:])[real].float().mean())

    def _free(self, measured: Examples) -> tuple[float, list[str]]:
        """The share of outputs that are entirely correct, and the outputs."""
        self.model.eval()
        stepper = TransformerStepper.start(self.model, torch.from_numpy(measured.src))
        config = DecodeConfig(method="greedy", max_length=measured.tgt.shape[1] + 1)
        found = search(
            stepper, len(measured.pairs), config, RULES, cast("Any", self.letters), record=False
        )
        texts = [self.letters.decode(list(one.hypotheses[0].ids)) for one in found]
        ended = [one.hypotheses[0].finished for one in found]
        right = [
            text == pair[1] and end
            for text, pair, end in zip(texts, measured.pairs, ended, strict=True)
        ]
        return sum(right) / len(right), texts

    @torch.inference_mode()
    def _attention(self) -> dict[Kind, Floats]:
        """Every head's weights on the fixed example, teacher-forced with its right output."""
        self.model.eval()
        src, tgt = torch.from_numpy(self.example.src), torch.from_numpy(self.example.tgt)
        memory, src_mask, encoder = self.model.encode(src)
        _, _, decoder = self.model.decode(tgt[:, :-1], self.model.start(memory, src_mask))
        stacks = (encoder.self_attention, decoder.self_attention, decoder.cross)
        return {
            kind: torch.cat([cast("Tensor", one.weights) for one in records]).numpy()
            for kind, records in zip(KINDS, stacks, strict=True)
        }


def touched_rows(settings: Settings) -> tuple[list[int], int]:
    """The rows of the encoder's table of places that an update changes, and how many there are.

    Those whose gradient is not zero, for one batch of examples. The positions must be learned.
    """
    with torch.random.fork_rng(devices=()):
        torch.manual_seed(settings.seed)
        model = Transformer(settings.model_config())
    drawn = settings.pairs(np.random.default_rng((settings.seed, 0)), practice=True)
    batch = encoded(settings.letters(), tuple(itertools.islice(drawn, settings.batch)))
    src, tgt = torch.from_numpy(batch.src), torch.from_numpy(batch.tgt)
    with torch.enable_grad():
        Objective(model, torch.float32)(src, tgt, 0.0).backward()
    table = cast("Tensor", cast("Any", model.embedding.source_positions).weight)
    assert table.grad is not None
    return table.grad.abs().sum(-1).nonzero().flatten().tolist(), len(table)


def train(settings: Settings, max_seconds: float = MAX_SECONDS) -> Result:
    """Train a whole run in one call.

        train(Settings(task="reverse", seed=1)).free_accuracy

    Processor time is that of this process; a run that takes more than `max_seconds` is stopped and
    marked so.
    """
    run = Run(settings, max_seconds)
    return run.result(tuple(run.frames()))
