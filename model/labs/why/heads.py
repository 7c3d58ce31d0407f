"""The whole effect of each head of the decoder on a difference of two logits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor

from model import deadline
from model.arrays import Doubles, freeze
from model.config import Head, Kind
from model.explain import Explainer
from model.labs.why.split import LogitSplit, double
from model.trace import Explanation
from model.transformer import Transformer

MAX_ROWS = 2**14  # decoder rows of one batch of heads that are off


@dataclass(frozen=True, eq=False)
class HeadsOff:
    """The difference of two logits with each head of the decoder switched off, one at a time.

    `before` is the difference with all heads. This is the total effect of a head: later layers
    react to its absence. It can disagree with the head's direct part in a `LogitSplit`.
    """

    before: float
    decoder_self: Doubles  # (L, H): the difference without this head
    cross: Doubles  # (L, H)

    def __post_init__(self) -> None:
        freeze(self, "decoder_self", np.float64, np.shape(self.cross))
        freeze(self, "cross", np.float64, np.shape(self.cross))

    def effects(self, kind: Kind) -> Doubles:
        """The part of the difference due to each head of a kind, (L, H): before - without."""
        without: Doubles = getattr(self, kind)
        effect: Doubles = self.before - without
        return effect


def without_heads(explainer: Explainer, explanation: Explanation, split: LogitSplit) -> HeadsOff:
    """Switch off each head of the decoder, one at a time, and compute the difference again.

    Raises:
        InputError: the time is up (`deadline`).
    """
    config = explainer.model.config
    kinds: tuple[Kind, ...] = ("decoder_self", "cross")
    shape = (config.n_decoder_layers, config.heads("cross"))
    heads = [(kind, *where) for kind in kinds for where in np.ndindex(shape)]
    size = max(1, MAX_ROWS // len(split.tgt_in))
    parts = [
        _differences(explainer.model, explanation, split, heads[first : first + size])
        for first in range(0, len(heads), size)
    ]
    own, cross = torch.cat(parts).view(2, *shape).numpy()
    return HeadsOff(split.difference, own, cross)


@torch.inference_mode()
def _differences(
    model: Transformer, explanation: Explanation, split: LogitSplit, heads: Sequence[Head]
) -> Tensor:
    """The difference of the two logits with each of some heads off, (heads,).

    These heads are not in the encoder, so its memory is the same in each row.
    """
    deadline.check()
    given, trace = explanation.interventions, explanation.trace
    device = model.embedding.token.weight.device
    n_src = len(trace.src) - given.padding
    src = torch.tensor(trace.src.ids[None, :n_src], device=device)
    memory, src_mask, _ = model.encode(src, model.edits(given))
    n = len(heads)
    state = model.start(memory.repeat(n, 1, 1), src_mask.repeat(n, 1, 1, 1))
    rows = [replace(given, heads_off=(*given.heads_off, head)) for head in heads]
    tgt = torch.tensor(trace.tgt_in.ids[None], device=device).repeat(n, 1)
    top, _, _ = model.decode(tgt, state, model.edits(rows, n))
    logits = model.logits(top[:, split.step])  # (heads, V)
    return double(logits[:, split.token]) - double(logits[:, split.instead_of])
