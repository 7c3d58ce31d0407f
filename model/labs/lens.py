"""The logit lens, the decoder as a lens on the encoder, and neighbours in the embedding."""

from __future__ import annotations

from typing import NamedTuple

import torch

from model.arrays import Floats, Ints
from model.config import Side
from model.decoding import search
from model.errors import InputError, quote
from model.explain import Explainer
from model.passes import logits_in_chunks
from model.stepper import TransformerStepper
from model.trace import Explanation, Hypothesis, Trace


class Lens(NamedTuple):
    """The prediction of each decoder layer: ids and log-probs (L + 1, T, k), most likely first."""

    ids: Ints
    log_probs: Floats


@torch.inference_mode()
def lens(explainer: Explainer, trace: Trace, k: int = 5) -> Lens:
    """The output layer applied to every state of the decoder, from the embedding to the top.

    Only the top layer was trained for it, so the others are an approximation, and a rougher one in
    a post-norm model, where every layer has its own norm.
    Source: nostalgebraist, "interpreting GPT: the logit lens" (2020).
    """
    model = explainer.model
    most = model.config.vocab_size
    if type(k) is not int or not 1 <= k <= most:
        raise InputError(f"k is {quote(k)}; expected tokens from 1 to {most}.")
    like = model.embedding.token.weight
    states = torch.tensor(trace.decoder_states).to(like)  # (L + 1, T, D)
    top = []
    for logits in logits_in_chunks(model, model.decoder_norm(states).flatten(0, 1)):
        best, ids = logits.topk(k, dim=-1)
        top.append((best - logits.logsumexp(-1, keepdim=True), ids))
    log_probs, ids = (
        torch.cat(parts).view(*states.shape[:2], k) for parts in zip(*top, strict=True)
    )
    return Lens(ids.cpu().numpy(), log_probs.cpu().numpy())


@torch.inference_mode()
def decoder_lens(explainer: Explainer, explanation: Explanation) -> list[Hypothesis]:
    """The decoder's output when it reads the encoder's states after each layer, 0: the embedding.

    It uses the settings of the explanation, so that the last output is the best hypothesis of its
    search. A pre-norm model's last norm is applied to every layer. The decoder was trained to read
    only the top layer. Source: Langedijk et al. 2024, "DecoderLens: Layerwise Interpretation of
    Encoder-Decoder Transformers".

    Raises:
        InputError: the time is up (`deadline`).
    """
    model, trace = explainer.model, explanation.trace
    edits = model.edits(explanation.interventions)
    read = explainer.read(trace.src.text)
    src = torch.tensor(read.ids[None], device=explainer.device)
    _, src_mask, record = model.encode(src, edits)
    memory = model.encoder_norm(torch.cat(record.states))  # (L + 1, S, D)
    mask = None if bool(src_mask.all()) else src_mask.expand(len(memory), -1, -1, -1)
    stepper = TransformerStepper.continuing(model, model.start(memory, mask), edits)
    found = search(
        stepper, len(memory), explanation.config, explainer.rules_of(read),
        explainer.tokenizer,
        prefix=explanation.prefix, record=False,
    )  # fmt: skip
    return [one.hypotheses[0] for one in found]


@torch.inference_mode()
def neighbours(
    explainer: Explainer, token_id: int, k: int = 10, side: Side = "target"
) -> list[tuple[int, float]]:
    """The tokens of a side with the most similar embeddings: (id, cosine), nearest first, without
    the token itself.

    Embedding and output of the target share this matrix (section 3.4), so the model also predicts
    similar tokens alike.
    """
    table = explainer.model.embedding.matrix(side).weight
    cosines = (table @ table[token_id]).float()
    lengths = torch.linalg.vector_norm(table, dim=-1, dtype=torch.float32)
    cosines /= (lengths * lengths[token_id]).clamp_min(1e-8)
    cosines[[token_id, *explainer.tokenizer.special_ids]] = -2
    top, ids = cosines.topk(min(k, len(table) - 1))
    return list(zip(ids.tolist(), top.tolist(), strict=True))
