"""Experiments on the running model: what its own translation is worth to it when something is gone.

Each is one batch, a row for each thing that is taken away, read with teacher forcing. To see one
such row in full, with its attention, ask `Explainer.trace` for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import torch
from torch import Tensor

from model.config import KINDS, Head, Interventions, ModelConfig
from model.errors import InputError
from model.explain import Explainer
from model.trace import Explanation, Floats, HeadEffects, Occlusion

MOST_NUMBERS = 2**24
"""Logits and attention weights of one batch, 64 MB: more rows are run as several batches."""


def rank_heads(explainer: Explainer, explanation: Explanation) -> HeadEffects:
    """Switch each head of the model off, one at a time, in one batched pass."""
    heads, given = all_heads(explainer.model.config), explanation.interventions
    rows = [replace(given, heads_off=(*given.heads_off, head)) for head in heads]
    src = _source(explanation).repeat(len(rows), 1)
    log_probs = _log_probs(explainer, src, explanation, rows)
    return HeadEffects(heads, log_probs - explanation.trace.log_prob, given)


def occlusion(explainer: Explainer, explanation: Explanation) -> Occlusion:
    """Take each source token out, one at a time, in one batched pass.

    Raises:
        InputError: mask cells of the source are painted, which would stand elsewhere without it.
    """
    given = explanation.interventions
    if any(kind != "decoder_self" for kind, *_ in given.cells):
        raise InputError(
            "Mask cells of the source are painted, and a token that is taken out would move them. "
            "Clear the painted cells first.",
            key="painted",
        )
    src = _source(explanation)
    ends = torch.arange(len(src) - 1)[:, None]  # (S - 1, 1): what each row goes without
    left = torch.arange(len(src) - 1).expand(len(ends), -1)
    rows = src[left + (left >= ends)]  # (S - 1, S - 1)
    log_probs = _log_probs(explainer, rows, explanation, [given] * len(rows))
    return Occlusion(log_probs - explanation.trace.log_prob, given)


def all_heads(config: ModelConfig) -> tuple[Head, ...]:
    """Every head of a model: by kind, then layer, then number."""
    layers = {"encoder_self": config.n_encoder_layers}
    return tuple(
        (kind, layer, head)
        for kind in KINDS
        for layer in range(layers.get(kind, config.n_decoder_layers))
        for head in range(config.n_heads)
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
    n_src, n_tgt = len(trace.src), len(trace.tgt_out)
    per_layer = model.config.n_heads * (n_src * n_src + n_tgt * n_tgt + n_tgt * n_src)
    n_layers = max(model.config.n_encoder_layers, model.config.n_decoder_layers)
    size = max(1, MOST_NUMBERS // (n_tgt * model.config.vocab_size + n_layers * per_layer))
    read, written = (
        torch.tensor(tokens.ids[None], device=explainer.device)
        for tokens in (trace.tgt_in, trace.tgt_out)
    )
    found = []
    for first in range(0, len(src), size):
        part = src[first : first + size].to(explainer.device)
        logits = model(part, read.repeat(len(part), 1), rows[first : first + size]).float()
        chosen = logits.gather(-1, written.expand(len(part), -1)[..., None])[..., 0]  # (B, T)
        found.append((chosen - logits.logsumexp(-1)).cpu())
    log_probs: Floats = torch.cat(found).numpy()
    return log_probs
