"""Gradient attribution: how much the log-prob of each written token owes to each source token.

Both methods are about the vectors of the source tokens, before positions are added:

    input x gradient       a token's vector times the gradient of the log-prob by it, summed up
    integrated gradients   the same with the mean gradient on the straight line from zero vectors

The second is complete: its parts add up to the log-prob minus that with zero vectors in place of
all source tokens. Zero is the one vector that says nothing of any word in every family: some train
that of padding, and the one of <unk> stands for the words that it replaced. The positions stay,
since no token brings them along. Without position vectors a norm reads nothing but zeros where the
line begins (T5): the log-probs jump there, the parts do not add up, and `missing` says by how much.
Captum has the same numbers for a log-prob and a baseline of zeros.

Source: Simonyan et al. 2014 and Shrikumar et al. 2017 (input x gradient); Sundararajan et al. 2017,
"Axiomatic Attribution for Deep Networks" (integrated gradients).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from model import deadline
from model.arrays import Doubles, freeze
from model.config import UNTOUCHED, Stack
from model.device import spread
from model.edits import Edits
from model.errors import InputError
from model.explain import Explainer
from model.labs.ablation import MAX_NUMBERS
from model.trace import Trace

FIRST = 16  # pieces of the line at first
HALVED = 4  # one in so many is halved at a time
MAX_PIECES = 256
STEP = 1 / 32  # of a piece, for a slope: small beside it, and far above rounding
MISSING = 0.006  # of the differences by the slopes: by the gradients less than 0.01 is missing then
ROWS = 16  # gradients of one batch: more rows are no faster, and each keeps all its states


@dataclass(frozen=True, eq=False)
class Integrated:
    """Integrated gradients: `parts` (S, T) of each source token for each written one, end token
    included, and the `differences` (T,) that they should add up to.
    """

    parts: Doubles
    differences: Doubles
    points: int  # of the line that have a gradient

    def __post_init__(self) -> None:
        freeze(self, "parts", np.float64, np.shape(self.parts)[-2:])
        freeze(self, "differences", np.float64, (np.shape(self.parts)[-1],))

    @property
    def missing(self) -> float:
        """What is missing from the sums, as a share of the differences over all tokens."""
        return _share(self.parts.sum(0) - self.differences, self.differences)

    def __repr__(self) -> str:
        return "Integrated({} source and {} target tokens)".format(*self.parts.shape)


class _Given(Edits):
    """The encoder reads these vectors in place of its own, so that there is a gradient by them."""

    def __init__(self, x: Tensor) -> None:
        self.x = x

    def state(self, stack: Stack, layer: int, x: Tensor) -> Tensor:
        return self.x if (stack, layer) == ("encoder", 0) else x


def input_x_gradient(explainer: Explainer, trace: Trace) -> Doubles:
    """The parts (S, T) of each source token for each written one.

    Raises:
        InputError: the pass is of a changed model; or the time is up (`deadline`).
    """
    found: Doubles = _Line(explainer, trace).products(np.ones(1))[0]
    return found


def integrated_gradients(explainer: Explainer, trace: Trace) -> Integrated:
    """The parts of each source token, by gradients on the line from zero vectors.

    The gradient in the middle of a piece of the line stands for the whole piece. Along the line
    alone it is cheap, by a pass forwards, and so are the ends: what a piece misses is known before
    its gradients are taken. So the pieces that miss most are halved until the whole misses little.
    A network of relus has many kinks: rules of a higher order miss more with as many points.

    Raises:
        InputError: as `input_x_gradient`.
    """
    line = _Line(explainer, trace)
    edges = np.linspace(0, 1, FIRST + 1)
    while True:
        middles, widths = (edges[:-1] + edges[1:]) / 2, np.diff(edges)
        ends = line.log_probs(edges)  # (P + 1, T)
        differences = ends[-1] - ends[0]
        missing = line.changes(middles, widths) - np.diff(ends, axis=0)
        if _share(missing.sum(0), differences) <= MISSING or len(middles) >= MAX_PIECES:
            break
        worst = np.argsort(-np.abs(missing).sum(1), kind="stable")[: max(1, len(middles) // HALVED)]
        edges = np.sort(np.concatenate((edges, middles[worst])))
    return Integrated(np.tensordot(widths, line.products(middles), 1), differences, len(middles))


def _share(missing: Doubles, differences: Doubles) -> float:
    return float(np.abs(missing).sum() / max(np.abs(differences).sum(), 1e-12))


class _Line:
    """The line from zero vectors to those of the source tokens, for one pass; `at` are places on
    it, from 0 to 1.
    """

    def __init__(self, explainer: Explainer, trace: Trace) -> None:
        if trace.interventions != UNTOUCHED:
            raise InputError(
                "Gradients are those of the model as it is. Explain the text without changes."
            )
        self.model = explainer.model
        self.src, self.read, self.written = (
            torch.tensor(tokens.ids[None], device=explainer.device)
            for tokens in (trace.src, trace.tgt_in, trace.tgt_out)
        )
        with torch.no_grad():
            found = self.model.vectors(self.src, range(self.src.size(1)), "source")
        self.vectors, self.positions, self.side = found
        self.known: dict[float, Doubles] = {}
        self.workers = None if explainer.device == "cpu" else 1

    def log_probs(self, at: Doubles) -> Doubles:
        """The log-prob of each written token, (R, T)."""
        new = np.array([place for place in at if place not in self.known])
        if len(new):
            self.known.update(zip(new, self._by_rows(self._log_probs, new), strict=True))
        return np.stack([self.known[place] for place in at])

    def changes(self, at: Doubles, widths: Doubles) -> Doubles:
        """What the slopes there make of pieces that wide, (R, T)."""
        after, before = (self.log_probs(at + widths * step) for step in (STEP / 2, -STEP / 2))
        changes: Doubles = (after - before) / STEP
        return changes

    def products(self, at: Doubles) -> Doubles:
        """The whole vectors times the gradient of each log-prob by them, (R, S, T)."""
        return self._by_rows(self._products, at)

    def _by_rows(self, measure: Callable[[Tensor], Tensor], at: Doubles) -> Doubles:
        """A measure of all places, a few at a time: on all cores, but for a request, whose limit
        is on the time of its own thread.
        """
        size = MAX_NUMBERS // (self.written.size(1) * self.model.config.vocab_size)
        batches = torch.from_numpy(at).to(self.vectors).split(max(1, min(ROWS, size)))
        found = []
        limited = deadline.is_limited()
        for part in map(measure, batches) if limited else spread(measure, batches, self.workers):
            deadline.check()
            found.append(part.double().cpu().numpy())
        return np.concatenate(found)

    @torch.no_grad()
    def _log_probs(self, at: Tensor) -> Tensor:
        return self._passed(at[:, None, None] * self.vectors)[1]

    def _products(self, at: Tensor) -> Tensor:
        """A log-prob depends on the top of the decoder in its own place alone: one pass backwards
        through the vocabulary is enough for all of them.
        """
        with torch.enable_grad():
            tokens = (at[:, None, None] * self.vectors).requires_grad_()
            states, chosen = self._passed(tokens)
            (above,) = torch.autograd.grad(chosen.sum(), states, retain_graph=True)
            parts = []
            for t in range(states.size(1)):
                own = torch.zeros_like(above)
                own[:, t] = above[:, t]
                (gradient,) = torch.autograd.grad(states, tokens, own, retain_graph=True)
                parts.append((self.vectors * gradient).sum(-1))
        return torch.stack(parts, -1)

    def _passed(self, tokens: Tensor) -> tuple[Tensor, Tensor]:
        """The top of the decoder (R, T, D) and the log-probs (R, T) for vectors (R, S, D)."""
        model, rows = self.model, len(tokens)
        given = _Given(model.embedding.join(tokens, self.positions, self.side))
        memory, src_mask, _ = model.encode(self.src.expand(rows, -1), given)
        states, _, _ = model.decode(self.read.expand(rows, -1), model.start(memory, src_mask))
        logits = model.logits(states).float().log_softmax(-1)
        return states, logits.gather(-1, self.written.expand(rows, -1)[..., None])[..., 0]
