"""Ablation: how much the model's own translation depends on one head, or on one source token.

Each measure is one teacher-forced batch with a row for each head or token left out.
`Explainer.trace` gives one such row in full, with its attention.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor

from model import deadline
from model.arrays import Doubles, Floats, freeze
from model.config import KINDS, Head, Interventions, ModelConfig
from model.errors import InputError
from model.explain import Explainer
from model.trace import Explanation

MAX_NUMBERS = 2**24
"""Logits and attention weights of one batch, 64 MB: more rows are run as several batches."""


@dataclass(frozen=True, eq=False)
class HeadEffects:
    """How much the output depends on each head: the change of its log-prob without that head.

    `changes` (heads, T), negative if the token became less likely: row i belongs to `heads[i]`,
    column t to `tgt_out[t]` of the trace. `interventions` apply to every row.
    """

    heads: tuple[Head, ...]
    changes: Floats
    interventions: Interventions

    def __post_init__(self) -> None:
        freeze(self, "changes", np.float32, (len(self.heads), np.shape(self.changes)[-1]))

    @property
    def totals(self) -> Doubles:
        """The change of the whole output, (heads,)."""
        return self.changes.sum(-1, dtype=np.float64)

    @property
    def ranking(self) -> tuple[Head, ...]:
        """The heads, most costly to remove first."""
        return tuple(self.heads[i] for i in np.argsort(self.totals, kind="stable"))

    def __repr__(self) -> str:
        return f"HeadEffects({len(self.heads)} heads, {self.changes.shape[-1]} target tokens)"


@dataclass(frozen=True, eq=False)
class Occlusion:
    """How much the output depends on each source token: the change of its log-prob without it.

    `changes` (S - 1, T), or a row for each requested token, negative if the token became less
    likely: row s belongs to `src[s]`, column t to `tgt_out[t]` of the trace. The end token and
    padding stay.

    This is not attention: the model runs again without the token, and attention weights play no
    part. It has limits too: if two tokens say the same, removing either costs nothing.
    Source: Zeiler and Fergus 2014, section 4.2 (on images); Li et al. 2016, "Understanding neural
    networks through representation erasure" (on words).
    """

    changes: Floats
    interventions: Interventions

    def __post_init__(self) -> None:
        freeze(self, "changes", np.float32, np.shape(self.changes)[-2:])

    @property
    def totals(self) -> Doubles:
        """The change of the whole output, (S - 1,)."""
        return self.changes.sum(-1, dtype=np.float64)

    def __repr__(self) -> str:
        return "Occlusion({} source and {} target tokens)".format(*self.changes.shape)


def rank_heads(
    explainer: Explainer, explanation: Explanation, heads: Sequence[Head] | None = None
) -> HeadEffects:
    """Switch off each head of the model, or each of those given, one at a time.

    Raises:
        InputError: the time is up (`deadline`).
    """
    heads = all_heads(explainer.model.config) if heads is None else tuple(heads)
    given = explanation.interventions
    rows = [replace(given, heads_off=(*given.heads_off, head)) for head in heads]
    src = _source(explanation).repeat(len(rows), 1)
    log_probs = _log_probs(explainer, src, explanation, rows)
    return HeadEffects(heads, log_probs - explanation.trace.log_prob, given)


def occlusion(
    explainer: Explainer, explanation: Explanation, tokens: range | None = None
) -> Occlusion:
    """Remove each source token, or each of those at given positions, one at a time.

    Raises:
        InputError: there are painted source cells, which would shift to different tokens; or the
        time is up (`deadline`).
    """
    given = explanation.interventions
    if any(kind != "decoder_self" for kind, *_ in given.cells):
        raise InputError(
            "Removing a token would shift the painted mask cells of the source. "
            "Clear the painted cells first.",
            key="painted",
        )
    src = _source(explanation)
    left_out = range(len(src) - 1) if tokens is None else tokens
    ends = torch.tensor(left_out)[:, None]  # (rows, 1): the token left out of each row
    left = torch.arange(len(src) - 1).expand(len(ends), -1)
    rows = src[left + (left >= ends)]  # (rows, S - 1)
    log_probs = _log_probs(explainer, rows, explanation, [given] * len(rows))
    return Occlusion(log_probs - explanation.trace.log_prob, given)


def all_heads(config: ModelConfig) -> tuple[Head, ...]:
    """List every head of a model by kind, then layer, then number."""
    layers = {"encoder_self": config.n_encoder_layers}
    return tuple(
        (kind, layer, head)
        for kind in KINDS
        for layer in range(layers.get(kind, config.n_decoder_layers))
        for head in range(config.heads(kind))
    )


def _source(explanation: Explanation) -> Tensor:
    """The source ids (S,), without the padding that interventions added."""
    ids = explanation.trace.src.ids
    return torch.from_numpy(ids[: len(ids) - explanation.interventions.padding].copy())


@torch.inference_mode()
def _log_probs(
    explainer: Explainer, src: Tensor, explanation: Explanation, rows: Sequence[Interventions]
) -> Floats:
    """The log-prob of each token of the output after each source, (B, S) -> (B, T)."""
    model, trace = explainer.model, explanation.trace
    config = model.config
    n_src, n_tgt = len(trace.src), len(trace.tgt_out)
    per_layer = config.heads("encoder_self") * n_src * n_src
    per_layer += config.heads("cross") * n_tgt * (n_tgt + n_src)
    n_layers = max(config.n_encoder_layers, config.n_decoder_layers)
    size = max(1, MAX_NUMBERS // (n_tgt * config.vocab_size + n_layers * per_layer))
    read, written = (
        torch.tensor(tokens.ids[None], device=explainer.device)
        for tokens in (trace.tgt_in, trace.tgt_out)
    )
    parts = []
    for first in range(0, len(src), size):
        deadline.check()
        part = src[first : first + size].to(explainer.device)
        edits = model.edits(rows[first : first + size], len(part))
        logits = model(part, read.repeat(len(part), 1), edits).float()
        chosen = logits.gather(-1, written.expand(len(part), -1)[..., None])[..., 0]  # (B, T)
        parts.append((chosen - logits.logsumexp(-1)).cpu())
    log_probs: Floats = torch.cat(parts).numpy()
    return log_probs
