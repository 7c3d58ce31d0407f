"""The passes of one model over one sentence: encoding, search, and the teacher-forced trace.

Each result is kept in a bounded cache under everything that it depends on, so that further
questions about the same sentence do not encode and trace it again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, cast

import numpy as np
import torch
from torch import Tensor

from model import deadline
from model.arrays import Floats
from model.attention import AttentionRecord
from model.cache import ResultCache
from model.checkpoint import Checkpoint
from model.config import DecodeConfig, Interventions
from model.decoding import Stepper, begun, search
from model.errors import InputError
from model.limits import MAX_SOURCE_TOKENS, MAX_TARGET_TOKENS, max_cells
from model.rules import Rules, ruled
from model.stepper import PrefixStepper, TransformerStepper
from model.text.tokenizer import START
from model.trace import AttentionMaps, Search, Tokens, Trace
from model.transformer import DecoderState, StackRecord, Transformer

TOP = 20  # next-token candidates kept in a Trace at each position
MAX_LOGITS = 2**22  # at a time: 16 MB, whatever the size of the vocabulary


class Encoded(NamedTuple):
    """A source with its padding, the encoder's record, and the start of decoding."""

    src: Tokens
    record: StackRecord
    state: DecoderState
    interventions: Interventions


class Passes:
    """One model's passes; `cache` may be shared with other models."""

    def __init__(self, loaded: Checkpoint, device: str, cache: ResultCache) -> None:
        self.model, self.tokenizer, self.rules = loaded.model, loaded.tokenizer, loaded.rules
        self.device, self.cache = device, cache

    @property
    def n_positions(self) -> int:
        return self.model.config.max_positions

    @property
    def max_source_tokens(self) -> int:
        return min(MAX_SOURCE_TOKENS, self.n_positions)

    def max_target_tokens(self, interventions: Interventions) -> int:
        """The largest number of target tokens that have positions.

        Raises:
            InputError: a shift of the positions leaves none.
        """
        most = self.n_positions - interventions.shift_of("target", self.model.config)
        if most < 1:
            raise InputError(
                f"The positions were shifted by {interventions.shift}, but this model "
                f"has only {self.n_positions}. Choose a smaller shift.",
                key="shift", shift=interventions.shift, positions=self.n_positions,
            )  # fmt: skip
        return most

    def encode(self, src: Tokens, interventions: Interventions) -> Encoded:
        """Run the source through the encoder.

        Raises:
            InputError: interventions that do not fit the model or the source.
        """
        key = ("encoded", self, src.text, interventions)
        return self.cache.get(key, lambda: self._encode(src, interventions))

    def search(
        self, src: Tokens, config: DecodeConfig, interventions: Interventions, prefix: Sequence[int]
    ) -> Search:
        """Search with these settings; every hypothesis begins with `prefix`."""
        key = ("search", self, src.text, config, interventions, tuple(prefix))
        encoded = self.encode(src, interventions)
        return self.cache.get(key, lambda: self._search(src, encoded, config, prefix))

    def search_again(
        self, src: Tokens, config: DecodeConfig, interventions: Interventions, prefix: Sequence[int]
    ) -> Search:
        """The same without the cache, including for the encoder."""
        return self._search(src, self._encode(src, interventions), config, prefix)

    def rules_of(self, src: Tokens) -> Rules:
        """The rules for a source, which may choose the target language.

        Raises:
            InputError: the model needs a language, and the text names none.
        """
        return self.rules.of_source(src.ids.tolist(), self.tokenizer.target_language(src.text))

    @torch.inference_mode()
    def _search(
        self, src: Tokens, encoded: Encoded, config: DecodeConfig, prefix: Sequence[int]
    ) -> Search:
        rules = self.rules_of(src).without(config.rules_off)
        edits = self.model.edits(encoded.interventions.stepwise())
        stepper: Stepper
        stepper = first = TransformerStepper.continuing(self.model, encoded.state, edits)
        known = begun(prefix, rules, config.max_length)[:-1]
        is_causal, size = self.model.config.causal_mask, self.model.config.vocab_size
        if known and is_causal and all(0 <= i < size for i in known):  # others the search refuses
            stepper = PrefixStepper.reading(first, [rules.start_id, *known])
        (result,) = search(stepper, 1, config, rules, self.tokenizer, prefix=prefix)
        return result

    def trace(self, src: Tokens, ids: Sequence[int], interventions: Interventions) -> Trace:
        """One teacher-forced pass over a source and the target ids written for it."""
        ids = tuple(map(int, ids))
        key = ("trace", self, src.text, ids, interventions)
        return self.cache.get(key, lambda: self._trace(src, ids, interventions))

    @torch.inference_mode()
    def next_log_probs(
        self,
        src: Tokens,
        ids: Sequence[int],
        interventions: Interventions,
        config: DecodeConfig,
    ) -> Floats:
        """The log-probs (V,) of the token after target ids, -inf for forbidden tokens."""
        state = self.encode(src, interventions).state
        rules = self.rules_of(src).without(config.rules_off)
        read = torch.tensor([[rules.start_id, *ids]], device=self.device)
        x, _, _ = self.model.decode(read, state, self.model.edits(interventions.stepwise()))
        logits = self.model.logits(x[:, -1]).float()
        log_probs = logits.log_softmax(-1)  # (1, V)
        left = ruled(log_probs, rules, ids, config.forbidden_run, logits[:, :1] - log_probs[:, :1])
        row: Floats = left[0].cpu().numpy()
        return row

    @torch.inference_mode()
    def logits(
        self, src: Tokens, ids: Sequence[int], interventions: Interventions
    ) -> Iterator[Tensor]:
        """The logits at each of the target ids, a few positions (n, V) at a time."""
        state = self.encode(src, interventions).state
        read = torch.tensor([[self.rules_of(src).start_id, *ids[:-1]]], device=self.device)
        x, _, _ = self.model.decode(read, state, self.model.edits(interventions))
        yield from logits_in_chunks(self.model, x[0])

    @torch.inference_mode()
    def _encode(self, src: Tokens, interventions: Interventions) -> Encoded:
        padded = self._padded(src, interventions.padding)
        self._check_cells(interventions, len(padded))
        batch = torch.tensor(src.ids[None], device=self.device)  # (1, S)
        memory, src_mask, record = self.model.encode(batch, self.model.edits(interventions))
        masked = interventions.padding and interventions.padding_mask
        state = self.model.start(memory, src_mask if masked else None)
        return Encoded(padded, record, state, interventions)

    def _check_cells(self, interventions: Interventions, n_source: int) -> None:
        n_target = min(MAX_TARGET_TOKENS, self.n_positions)
        bound = max_cells(n_source, n_target)
        if len(interventions.cells) > bound:
            raise InputError(
                f"{len(interventions.cells):,} mask cells are painted; the masks of {n_source} "
                f"source and up to {n_target} target tokens have {bound:,}. Clear some of them.",
                key="cells", count=f"{len(interventions.cells):,}", limit=f"{bound:,}",
            )  # fmt: skip

    def _padded(self, src: Tokens, n: int) -> Tokens:
        """The encoder's input for the source, with `n` padding tokens."""
        if len(src) + n > self.max_source_tokens:
            raise InputError(
                f"The text has {len(src)} tokens and {n} of padding; the limit is "
                f"{self.max_source_tokens}. Take less padding or a shorter text."
            )
        pad, end = self.tokenizer.pad_id, len(src.text)
        return Tokens(
            src.text,
            np.pad(src.ids, (0, n), constant_values=pad),
            (*src.pieces, *[self.tokenizer.piece(pad)] * n),
            np.pad(src.spans, ((0, n), (0, 0)), constant_values=end),
        )

    @torch.inference_mode()
    def _trace(self, src: Tokens, ids: Sequence[int], interventions: Interventions) -> Trace:
        encoded = self.encode(src, interventions)
        written = torch.tensor([list(ids)], device=self.device)
        start_id = self.rules_of(src).start_id
        read = torch.cat((written.new_full((1, 1), start_id), written[:, :-1]), dim=1)
        x, _, decoder = self.model.decode(read, encoded.state, self.model.edits(interventions))
        tgt_out = self.tokenizer.target_tokens(ids)
        scaling = interventions.scaling and self.model.config.scaling
        return Trace(
            src=encoded.src,
            tgt_in=self._shifted(tgt_out, start_id),
            tgt_out=tgt_out,
            encoder_self=maps(encoded.record.self_attention, scaling),
            decoder_self=maps(decoder.self_attention, scaling),
            cross=maps(decoder.cross, scaling),
            encoder_states=states(encoded.record),
            decoder_states=states(decoder),
            interventions=interventions,
            **self._predictions(x[0], written[0]),
        )

    def _predictions(self, x: Tensor, written: Tensor) -> dict[str, np.ndarray]:
        """The predictions of the states (T, D), as fields of a `Trace`."""
        top_ids, top_log_probs, log_prob, entropy = [], [], [], []
        for logits in logits_in_chunks(self.model, x):
            log_probs = logits.log_softmax(-1)  # (n, V)
            values, ids = log_probs.topk(min(TOP, log_probs.size(-1)), dim=-1)
            now, written = written[: len(ids)], written[len(ids) :]
            top_ids.append(ids)
            top_log_probs.append(values)
            log_prob.append(log_probs.gather(-1, now[:, None])[:, 0])
            entropy.append(torch.special.entr(log_probs.exp()).sum(-1))
        return {
            "top_ids": torch.cat(top_ids).cpu().numpy(),
            "top_log_probs": torch.cat(top_log_probs).cpu().numpy(),
            "log_prob": torch.cat(log_prob).cpu().numpy(),
            "entropy": torch.cat(entropy).cpu().numpy(),
        }

    def _shifted(self, tgt_out: Tokens, start_id: int) -> Tokens:
        """The decoder's input for `tgt_out`: the start token, then all but the last."""
        ids = np.concatenate(([start_id], tgt_out.ids[:-1]))
        start = self.tokenizer.piece(start_id) or START
        spans = np.vstack(([[0, 0]], tgt_out.spans[:-1]))
        return Tokens(tgt_out.text, ids, (start, *tgt_out.pieces[:-1]), spans)


# ------------------------------------------------ from tensors to the float32 arrays of a record


def maps(records: Sequence[AttentionRecord], scaling: bool) -> AttentionMaps:
    """One kind of attention in all layers, without the batch axis; `scaling` as in the run."""

    def joined(layers: Sequence[Tensor]) -> np.ndarray:
        return torch.cat(tuple(layers)).float().cpu().numpy()

    weights, mask = cast("Tensor", records[0].weights), records[0].mask
    biases = [r.bias.expand(weights.shape) for r in records if r.bias is not None]
    if mask is None:
        mask = torch.ones((), dtype=torch.bool)
    return AttentionMaps(
        weights=joined([cast("Tensor", record.weights) for record in records]),
        queries=joined([record.queries for record in records]),
        keys=joined([record.keys for record in records]),
        values=joined([record.values for record in records]),
        mask=mask.expand(weights.shape)[0, 0].cpu().numpy(),
        scaling=scaling,
        bias=joined(biases) if biases else None,
    )


def states(record: StackRecord) -> np.ndarray:
    """The states of a stack, (L + 1, T, d_model)."""
    arrays: np.ndarray = torch.cat(record.states).float().cpu().numpy()
    return arrays


def logits_in_chunks(model: Transformer, states: Tensor) -> Iterator[Tensor]:
    """The float32 logits of states (T, D), a few rows (n, V) at a time.

    Raises:
        InputError: the time is up (`deadline`).
    """
    for rows in states.split(max(1, MAX_LOGITS // model.config.vocab_size)):
        deadline.check()
        yield model.logits(rows).float()
