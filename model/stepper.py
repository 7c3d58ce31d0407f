"""What joins the network to decoding: gives a `Transformer` the shape of a `decoding.Stepper`."""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from torch import Tensor

from model.config import UNTOUCHED, Interventions
from model.transformer import DecoderState, Transformer


@dataclass(frozen=True, eq=False)
class TransformerStepper:
    """A `decoding.Stepper` over a Transformer: a token a row at a time, keys and values kept.

    `sentences` (R,) names the sentence of each row. Rows of one sentence have the same memory, so
    a new order within a sentence moves only what the decoder wrote.
    """

    model: Transformer
    state: DecoderState
    sentences: Tensor
    interventions: Interventions = UNTOUCHED

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
        return cls(model, state, torch.arange(len(src), device=src.device), interventions)

    def step(self, tokens: Tensor) -> tuple[Tensor, TransformerStepper]:
        """Read one token a row, (R,) -> log-probs of the next (R, V), and the stepper after it.

        Of the interventions what `Interventions.stepwise` leaves: there is no future to read.
        """
        tgt = tokens.to(self.sentences.device)[:, None]  # (R, 1)
        x, state, _ = self.model.decode(tgt, self.state, self.interventions, capture=False)
        log_probs = self.model.logits(x[:, -1]).log_softmax(dim=-1)
        return log_probs, replace(self, state=state)

    def rows(self, index: Tensor) -> TransformerStepper:
        """The chosen rows, in that order; a row may be chosen more than once."""
        index = index.to(self.sentences.device)
        sentences = self.sentences[index]
        if torch.equal(sentences, self.sentences):
            past = tuple((k[index], v[index]) for k, v in self.state.past)
            return replace(self, state=self.state._replace(past=past))
        return replace(self, state=self.state.rows(index), sentences=sentences)
