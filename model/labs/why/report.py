"""A split and the effects of the heads as JSON."""

from __future__ import annotations

from typing import Any

from model.config import Kind
from model.explain import Explainer
from model.labs.why.heads import HeadsOff
from model.labs.why.split import LogitSplit


def answer(explainer: Explainer, split: LogitSplit, off: HeadsOff) -> dict[str, Any]:
    """Return a split as JSON: layers, heads and the step are counted from 1."""
    piece = explainer.tokenizer.piece
    kinds: tuple[Kind, ...] = ("decoder_self", "cross")
    layers = [
        {
            "layer": layer + 1,
            **{
                kind: [
                    {
                        "head": head + 1,
                        "tokens": tokens.tolist(),
                        "direct": float(tokens.sum()),
                        "effect": float(off.effects(kind)[layer, head]),
                    }
                    for head, tokens in enumerate(getattr(split, kind)[layer])
                ]
                for kind in kinds
            },
            "feed_forward": float(split.feed_forward[layer]),
            "biases": float(split.biases[layer]),
            "sum": float(split.layers[layer]),
        }
        for layer in range(len(split.layers))
    ]
    return {
        "source": list(split.src.pieces),
        "read": list(split.tgt_in.pieces),
        "step": split.step + 1,
        "token": piece(split.token),
        "instead_of": piece(split.instead_of),
        "difference": split.difference,
        "embedding": split.embedding,
        "position": split.position,
        "layers": layers,
        "output_bias": split.output_bias,
        "left": split.left,
    }
