"""The link between network and decoding: a `Transformer` as a `decoding.Stepper`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from model.edits import NO_EDITS, Edits
from model.transformer import DecoderState, Transformer

ROWS = 16  # tokens of a prefix whose logits are computed at a time


@dataclass(frozen=True, eq=False)
class TransformerStepper:
    """A `decoding.Stepper` over a Transformer: one token for each row, keys and values kept.

    `sentences` has the sentence of each of the R rows. Rows of one sentence have the same memory,
    so reordering within a sentence moves only the keys and values of the target, and beams share
    their memory. It is not a tensor: comparing one on a GPU would make the host wait at every step.
    """

    model: Transformer
    state: DecoderState
    sentences: tuple[int, ...]
    edits: Edits
    normalisers: Tensor | None = None

    @classmethod
    def continuing(
        cls, model: Transformer, state: DecoderState, edits: Edits = NO_EDITS
    ) -> TransformerStepper:
        """Make a stepper that continues a decoder state, one sentence for each of its rows."""
        return cls(model, state, tuple(range(len(state.memory[0][0]))), edits)

    @classmethod
    def start(cls, model: Transformer, src: Tensor, edits: Edits = NO_EDITS) -> TransformerStepper:
        """Encode src (B, S), padded with pad_id, on the model's device.

        The model must be in eval mode: dropout would make every step a different model.
        """
        with torch.inference_mode():
            memory, src_mask, _ = model.encode(src, edits)
            state = model.start(memory, None if bool(src_mask.all()) else src_mask)
            return cls.continuing(model, state, edits)

    def step(self, tokens: Tensor) -> tuple[Tensor, TransformerStepper]:
        """Read one token per row, (R,) -> log-probs of the next (R, V), and the new stepper.

        The edits act as after `Interventions.stepwise`: there are no future tokens.
        """
        tgt = tokens.to(self._device)[:, None]  # (R, 1)
        x, state, _ = self.model.decode(tgt, self.state, self.edits, capture=False)
        log_probs, normalisers = _log_probs(self.model.logits(x[:, -1]))
        return log_probs, replace(self, state=state, normalisers=normalisers)

    def rows(self, index: Tensor) -> TransformerStepper:
        """The chosen rows, in that order; a row may be chosen more than once."""
        sentences = tuple(self.sentences[i] for i in index.tolist())
        before, after = _memory_rows(self.sentences), _memory_rows(sentences)
        memory = None
        if after != before:
            memory = torch.tensor([before.index(i) for i in after], device=self._device)
        state = self.state.chosen(memory, index.to(self._device))
        return replace(self, state=state, sentences=sentences, normalisers=None)

    @property
    def _device(self) -> torch.device:
        return self.state.memory[0][0].device


def _memory_rows(sentences: tuple[int, ...]) -> tuple[int, ...]:
    """The sentence of each row of the memory.

    One row per sentence if all have the same number of adjacent hypotheses; otherwise one per
    hypothesis.
    """
    each = tuple(dict.fromkeys(sentences))
    n = len(sentences) // max(1, len(each))
    return each if sentences == tuple(i for i in each for _ in range(n)) else sentences


def _log_probs(logits: Tensor) -> tuple[Tensor, Tensor]:
    """The log-probs (R, V) of logits (R, V), and what the logits are larger by (R, 1)."""
    exact = torch.promote_types(logits.dtype, torch.float32)  # half precision is too rough
    log_probs = logits.to(exact).log_softmax(dim=-1)
    return log_probs, logits[:, :1] - log_probs[:, :1]


@dataclass(frozen=True, eq=False)
class PrefixStepper:
    """A `decoding.Stepper` of one sentence that has read a forced prefix in one pass.

    `logits` (n, V) are those at the next tokens read, `states` (T, D) the top of the stack at those
    after them; the stepper `after` continues behind the last one.
    """

    logits: Tensor
    states: Tensor
    after: TransformerStepper
    normalisers: Tensor | None = None

    @classmethod
    def reading(cls, stepper: TransformerStepper, ids: Sequence[int]) -> PrefixStepper:
        """Make a stepper that has read the target ids, from the start token on, after `stepper`.

        Its edits must leave out the future tokens (`Interventions.stepwise`): here there are some.
        """
        tgt = torch.tensor([list(ids)], device=stepper.state.memory[0][0].device)
        x, state, _ = stepper.model.decode(tgt, stepper.state, stepper.edits, capture=False)
        return cls(x[0, :0], x[0], replace(stepper, state=state))

    def step(self, tokens: Tensor) -> tuple[Tensor, PrefixStepper | TransformerStepper]:
        """Give the log-probs (1, V) after the next of the tokens that were read."""
        logits, states = self.logits, self.states
        if len(logits) == 0:
            logits, states = self.after.model.logits(states[:ROWS]), states[ROWS:]
        log_probs, normalisers = _log_probs(logits[:1])
        if len(logits) + len(states) == 1:
            return log_probs, replace(self.after, normalisers=normalisers)
        return log_probs, PrefixStepper(logits[1:], states, self.after, normalisers)

    def rows(self, index: Tensor) -> PrefixStepper:
        """Itself: a forced prefix has a single hypothesis."""
        return self
