"""The link between network and decoding: a `Transformer` as a `decoding.Stepper`."""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from torch import Tensor

from model.config import UNTOUCHED, Interventions
from model.interventions import CompiledInterventions, compiled
from model.transformer import DecoderState, Transformer


@dataclass(frozen=True, eq=False)
class TransformerStepper:
    """A `decoding.Stepper` over a Transformer: one token for each row, keys and values kept.

    `sentences` has the sentence of each of the R rows. Rows of one sentence have the same memory,
    so a new order within a sentence moves only the keys and values of the target. It is no tensor:
    to compare one on a GPU, the host would have to wait for it at every step.
    """

    model: Transformer
    state: DecoderState
    sentences: tuple[int, ...]
    interventions: CompiledInterventions

    @classmethod
    def continuing(
        cls, model: Transformer, state: DecoderState, interventions: Interventions = UNTOUCHED
    ) -> TransformerStepper:
        """One that continues a decoder state, one sentence for each of its rows."""
        plan = compiled(interventions, model.config, 1, model.embedding.token.weight)
        return cls(model, state, tuple(range(len(state.memory[0][0]))), plan)

    @classmethod
    def start(
        cls, model: Transformer, src: Tensor, interventions: Interventions = UNTOUCHED
    ) -> TransformerStepper:
        """Encode src (B, S), padded with pad_id, on the model's device.

        The model must be in eval mode: dropout would make every step another model.
        """
        with torch.inference_mode():
            memory, src_mask, _ = model.encode(src, interventions)
            state = model.start(memory, None if bool(src_mask.all()) else src_mask)
            return cls.continuing(model, state, interventions)

    def step(self, tokens: Tensor) -> tuple[Tensor, TransformerStepper]:
        """Read one token a row, (R,) -> log-probs of the next (R, V), and the stepper after it.

        The interventions act as `Interventions.stepwise` says: there is no future to read.
        """
        tgt = tokens.to(self._device)[:, None]  # (R, 1)
        x, state, _ = self.model.decode(tgt, self.state, self.interventions, capture=False)
        logits = self.model.logits(x[:, -1])
        exact = torch.promote_types(logits.dtype, torch.float32)  # half precision is too rough
        return logits.to(exact).log_softmax(dim=-1), replace(self, state=state)

    def rows(self, index: Tensor) -> TransformerStepper:
        """The chosen rows, in that order; a row may be chosen more than once."""
        sentences = tuple(self.sentences[i] for i in index.tolist())
        index = index.to(self._device)
        if sentences == self.sentences:
            past = tuple((k[index], v[index]) for k, v in self.state.past)
            return replace(self, state=self.state._replace(past=past))
        return replace(self, state=self.state.rows(index), sentences=sentences)

    @property
    def _device(self) -> torch.device:
        return self.model.embedding.token.weight.device
