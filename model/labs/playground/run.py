"""One run of the playground: a Transformer trained on a task, and what is recorded on the way.

The network, its attention, its loss and its decoding are those of `model/`; only the examples are
small. The same settings give the same weights on the same kind of machine.
"""

from __future__ import annotations

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
from model.labs.playground.settings import FRESH, MAX_SECONDS, WATCHED, Settings
from model.labs.playground.tasks import END, PAD, START, Examples, encoded, examples
from model.loss import Objective
from model.stepper import TransformerStepper
from model.transformer import Transformer

MAX_FRAMES = 150  # of one run, without the first and the last
LEAST_EVERY = 3  # updates between two frames
CLIP = 1.0  # the largest length of a gradient
RULES = Rules(START, END, banned=(PAD, START, 3))


@dataclass(frozen=True, eq=False)
class Frame:
    """The run after some updates. What is counted, is counted on examples it never trained on.

    `loss` is the mean over the updates since the last frame, in nats a token (before the first
    update: of the untrained model). `gradients` are the lengths of the gradients of the last
    update, a layer each: encoder, decoder, in order. `attention` has one example's weights by kind,
    (L, H, Q, K); `written` is what the model then writes for it.
    """

    update: int
    loss: float
    teacher_forced_accuracy: float  # share of tokens that are the likeliest, the target being read
    free_accuracy: float  # share of whole outputs that are right, written token by token
    gradients: tuple[float, ...]
    attention: dict[Kind, Floats]
    written: str
    seconds: float  # of processor time so far


@dataclass(frozen=True, eq=False)
class Result:
    """A finished run: the trained model, the numbers on fresh examples, and all frames."""

    settings: Settings
    model: Transformer
    free_accuracy: float
    teacher_forced_accuracy: float
    loss: float  # on the fresh examples, without label smoothing
    updates: int
    parameters: int
    seconds: float  # of processor time
    stopped: bool  # the time was up before the last update
    frames: tuple[Frame, ...] = field(repr=False)

    def to_dict(self) -> dict[str, Any]:
        """As the command prints it: settings, results, and the curve without attention."""
        keep = ("update", "loss", "teacher_forced_accuracy", "free_accuracy", "gradients")
        return {
            "task": self.settings.task,
            "seed": self.settings.seed,
            "free_accuracy": self.free_accuracy,
            "teacher_forced_accuracy": self.teacher_forced_accuracy,
            "loss": self.loss,
            "updates": self.updates,
            "parameters": self.parameters,
            "seconds": round(self.seconds, 3),
            "stopped": self.stopped,
            "settings": asdict(self.settings),
            "curve": [{name: getattr(frame, name) for name in keep} for frame in self.frames],
        }


class Run:
    """A run that is under way: `frames` trains and yields, `result` measures what came out."""

    def __init__(self, settings: Settings, max_seconds: float = MAX_SECONDS) -> None:
        self.settings, self.max_seconds = settings, max_seconds
        self.letters = settings.letters()
        torch.manual_seed(settings.seed)
        self.model = Transformer(settings.model_config())
        self.objective = Objective(self.model, torch.float32)
        self.optimizer = torch.optim.Adam(
            self.model.parameters(), betas=(0.9, 0.98), eps=1e-9, fused=True
        )
        # Three streams: what is trained on is the same whatever is measured.
        self._training, watched, fresh = (
            np.random.default_rng((settings.seed, stream)) for stream in range(3)
        )
        self.watched, self.fresh = self._draw(watched, WATCHED), self._draw(fresh, FRESH)
        self.example = encoded(self.letters, self.watched.pairs[:1])
        self.update = 0
        self.stopped = False
        self.is_cancelled = lambda: False  # asked before each update
        self._started = time.process_time()
        self._layers = [*self.model.encoder, *self.model.decoder]
        self._cut = torch.ones(())  # by how much the last gradient was too long

    @property
    def seconds(self) -> float:
        """Processor time so far."""
        return time.process_time() - self._started

    @property
    def every(self) -> int:
        """Updates from one frame to the next."""
        return max(LEAST_EVERY, -(-self.settings.updates // MAX_FRAMES))

    def frames(self) -> Iterator[Frame]:
        """Train; a frame of the untrained model, then one every few updates and after the last."""
        yield self._frame(self._loss(self.watched), (0.0,) * len(self._layers))
        losses: list[Tensor] = []
        while self.update < self.settings.updates and not self.stopped:
            if self.is_cancelled():
                return
            self.update += 1
            losses.append(self._step())
            self.stopped = self.seconds > self.max_seconds
            is_last = self.stopped or self.update == self.settings.updates
            if self.update % self.every == 0 or is_last:
                yield self._frame(torch.stack(losses).mean().item(), self._gradients())
                losses = []
            self.optimizer.zero_grad(set_to_none=True)

    def result(self, frames: tuple[Frame, ...] = ()) -> Result:
        """What the model can do now, counted on fresh examples."""
        return Result(
            settings=self.settings,
            model=self.model.eval(),
            free_accuracy=self._free(self.fresh)[0],
            teacher_forced_accuracy=self._teacher_forced(self.fresh),
            loss=self._loss(self.fresh),
            updates=self.update,
            parameters=sum(weight.numel() for weight in self.model.parameters()),
            seconds=self.seconds,
            stopped=self.stopped,
            frames=frames,
        )

    # -------------------------------------------------------------------------- training

    def _draw(self, random: np.random.Generator, count: int, practice: bool = False) -> Examples:
        s = self.settings
        return examples(s.rule, self.letters, random, count, s.length, s.alphabet, practice)

    def _step(self) -> Tensor:
        """One update; gives the loss a token. The gradients stay until the frame has seen them."""
        self.model.train()
        rate = self.settings.learning_rate(self.update)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        batch = self._draw(self._training, self.settings.batch, practice=True)
        tgt = torch.from_numpy(batch.tgt)
        tokens = int((batch.tgt[:, 1:] != PAD).sum())
        loss: Tensor = (
            self.objective(torch.from_numpy(batch.src), tgt, self.settings.label_smoothing) / tokens
        )
        loss.backward()
        length = torch.nn.utils.clip_grad_norm_(self.model.parameters(), CLIP)
        self._cut = torch.clamp(length / CLIP, min=1.0)
        self.optimizer.step()
        return loss.detach()

    def _gradients(self) -> tuple[float, ...]:
        """The length of each layer's gradient in the last update, before it was cut."""
        squares = [
            torch.stack([w.grad.square().sum() for w in layer.parameters() if w.grad is not None])
            for layer in self._layers
        ]
        return tuple(float(one.sum().sqrt() * self._cut) for one in squares)

    # -------------------------------------------------------------------------- measuring

    def _frame(self, loss: float, gradients: tuple[float, ...]) -> Frame:
        right, texts = self._free(self.watched)
        return Frame(
            update=self.update,
            loss=loss,
            teacher_forced_accuracy=self._teacher_forced(self.watched),
            free_accuracy=right,
            gradients=gradients,
            attention=self._attention(),
            written=texts[0],
            seconds=self.seconds,
        )

    @torch.inference_mode()
    def _loss(self, measured: Examples) -> float:
        """Nats a token, without label smoothing and dropout."""
        self.model.eval()
        total = self.objective(torch.from_numpy(measured.src), torch.from_numpy(measured.tgt), 0.0)
        return float(total) / int((measured.tgt[:, 1:] != PAD).sum())

    @torch.inference_mode()
    def _teacher_forced(self, measured: Examples) -> float:
        """The share of tokens that get the highest probability, the target before them given."""
        self.model.eval()
        tgt = torch.from_numpy(measured.tgt)
        logits = self.model(torch.from_numpy(measured.src), tgt[:, :-1])
        real = tgt[:, 1:] != PAD
        return float((logits.argmax(-1) == tgt[:, 1:])[real].float().mean())

    def _free(self, measured: Examples) -> tuple[float, list[str]]:
        """The share of outputs that are right to the last letter, and the outputs."""
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
        """Every head's weights on the fixed example, its right output being read."""
        self.model.eval()
        src, tgt = torch.from_numpy(self.example.src), torch.from_numpy(self.example.tgt)
        memory, src_mask, encoder = self.model.encode(src)
        _, _, decoder = self.model.decode(tgt[:, :-1], self.model.start(memory, src_mask))
        stacks = (encoder.self_attention, decoder.self_attention, decoder.cross)
        return {
            kind: torch.cat([cast("Tensor", one.weights) for one in records]).numpy()
            for kind, records in zip(KINDS, stacks, strict=True)
        }


def train(settings: Settings, max_seconds: float = MAX_SECONDS) -> Result:
    """A whole run in one call.

        train(Settings(task="reverse", seed=1)).free_accuracy

    Processor time is that of this process; a run that takes more than `max_seconds` of it is
    stopped, and says so.
    """
    run = Run(settings, max_seconds)
    return run.result(tuple(run.frames()))
