"""One of our models, changed to Marian's padding and start.

In OPUS-MT, <pad> is the last token, the decoder starts from it, and it adds nothing to the first
position vector. CTranslate2 counts on all three when it converts such a model: it drops the last
row of each matrix, and starts from a vector of zeros. So an exported model gets a <pad> at the
end of its vocabulary, which replaces its start token. All other tokens keep their numbers, and the
new one is never written, so every log-prob stays the same.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn import functional as F

from model.config import SIDES, ModelConfig
from model.rules import Rules
from model.text.tokenizer import PAD

NEVER = -10_000.0  # a bias on a logit; its exponential is 0 even in half precision
_TOKEN, _SOURCE, _OUTPUT = "embedding.token.weight", "embedding.source.weight", "output.weight"


def with_marian_start(
    weights: dict[str, Tensor], config: ModelConfig, rules: Rules
) -> tuple[dict[str, Tensor], ModelConfig, Rules]:
    """The same model with one extra last token: the padding, which is also the decoder's start.

    In the target's embedding its row is the old start token's; elsewhere it is zeros.
    """
    if not config.tied and not config.src_vocab_size:
        weights, config = with_source_matrix(weights, config)
    pad_id = max(config.vocabulary(side) for side in SIDES)
    grown = dict(weights)
    for name in (_TOKEN, _SOURCE, _OUTPUT):
        if name in weights:
            grown[name] = F.pad(weights[name], (0, 0, 0, pad_id + 1 - len(weights[name])))
    grown[_TOKEN][pad_id] = grown[_TOKEN][rules.start_id]
    bias = weights.get("output_bias", torch.zeros(config.vocab_size))
    grown["output_bias"] = F.pad(bias, (0, pad_id + 1 - len(bias)), value=NEVER)
    config = dataclasses.replace(
        config,
        vocab_size=pad_id + 1,
        src_vocab_size=pad_id + 1 if config.src_vocab_size else 0,
        pad_id=pad_id,
        start_id=pad_id,
        output_bias=True,
    )
    rules = dataclasses.replace(rules, start_id=pad_id, banned=(*rules.banned, pad_id))
    return grown, config, rules


def with_source_matrix(
    weights: dict[str, Tensor], config: ModelConfig
) -> tuple[dict[str, Tensor], ModelConfig]:
    """The same model with a matrix for the source.

    `transformers` has a separate output only if source and target are separate, too.
    """
    grown = {**weights, _SOURCE: weights[_TOKEN]}
    return grown, dataclasses.replace(config, src_vocab_size=config.vocab_size)


def with_padding_last(pieces: Sequence[str], pad_id: int) -> list[str]:
    """The pieces of such a model. A number without a piece gets one that occurs in no text.

    The old padding is among them: <pad> is now the last one.
    """
    named = [*pieces, *[""] * (pad_id - len(pieces))]
    kept = [f"<unused {i}>" if piece in ("", PAD) else piece for i, piece in enumerate(named)]
    return [*kept, PAD]
