"""A score without a part of its key: the network run again, with the part never written.

`looks.look` says what a part adds to a score while every norm keeps its deviation. Here the part is
left out of the stream at the places of the keys, and all that follows is computed again: the norms,
what heads read there, what the layers above write. So the two numbers differ, and how far says how
much of the part reaches the score in other ways than its own product.

Where a word looks at itself, its query is without the part too.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import cast

import numpy as np
import torch
from torch import Tensor

from model.arrays import Doubles
from model.attention import MultiHeadAttention
from model.config import Kind, Side, Stack
from model.edits import Transplant
from model.errors import InputError, quote
from model.explain import Explainer
from model.labs.dissect import attention_module, inputs, kind_of
from model.labs.looks import NAMES, Look
from model.modules import LayerNorm
from model.trace import Explanation
from model.transformer import DecoderLayer, EncoderLayer, FeedForward


@torch.inference_mode()
def score_without(
    explainer: Explainer, explanation: Explanation, look: Look, parts: Collection[str]
) -> float:
    """The score of a look, or the difference of two, in a run without some parts of its keys.

    Raises:
        InputError: a part that the key does not have.
    """
    known = {*look.key_parts} | ({"distance"} if look.distance is not None else set())
    if unknown := set(parts) - known:
        raise InputError(f"The key has no part {quote(sorted(unknown))}; it has {sorted(known)}.")
    columns = [look.column] if look.against is None else [look.column, look.against]
    stack: Stack = "decoder" if look.kind == "decoder_self" else "encoder"
    run = Rerun(explainer, explanation, stack, columns, parts)
    inside, read = run.reads(look.kind, look.layer)
    part = attention_module(explainer.model, look.kind, look.layer)
    maps = explanation.trace.attention(look.kind)
    query = part.read(inside[:, look.row, None])[0, look.head].double()  # (1, d_k)
    keys = part.remember(read[:, columns])[0][0, look.head].double()  # (n, d_k)
    if "bias" in parts:
        keys -= part.key.bias.view(part.n_heads, -1)[look.head]
    scores: Doubles = (keys @ query[0]).cpu().numpy()
    if maps.scaling:
        scores /= np.sqrt(keys.shape[-1])
    if maps.bias is not None and "distance" not in parts:
        scores += maps.bias[look.layer, look.head, look.row, columns]
    return float(scores[0] - (scores[1] if look.against is not None else 0))


class Rerun:
    """Passes in which some parts of one stack's stream are not written at some of its places."""

    def __init__(
        self,
        explainer: Explainer,
        explanation: Explanation,
        stack: Stack,
        places: list[int],
        parts: Collection[str],
    ) -> None:
        self.model, self.trace = explainer.model, explanation.trace
        self.edits = self.model.edits(explanation.interventions)
        self.stack, self.places, self.parts = stack, places, parts

    def reads(self, kind: Kind, layer: int) -> tuple[Tensor, Tensor]:
        """The inputs (1, T, D) of an attention: of its queries, and of its keys."""
        if kind == "encoder_self":
            inside = self._run("encoder", None, (kind, layer))
            return inside, inside
        memory = self._memory()
        inside = self._run("decoder", memory, (kind, layer))
        return inside, memory if kind == "cross" else inside

    def _memory(self) -> Tensor:
        norm, x = self.model.encoder_norm, self._run("encoder", None, None)
        return self._less("encoder", "encoder norm bias", norm(x), norm)

    def _run(self, stack: Stack, memory: Tensor | None, until: tuple[Kind, int] | None) -> Tensor:
        """What the queries of an attention are made of, or the last state of the stack."""
        x = self._embedded(stack)
        layers = self.model.encoder if stack == "encoder" else self.model.decoder
        for layer, block in enumerate(cast("list[EncoderLayer | DecoderLayer]", layers)):
            for name, (part, residual) in block.sublayers().items():
                place = f"{stack} {layer + 1} {NAMES[name]}"
                inside = residual.enter(x)
                if isinstance(part, FeedForward):
                    output = part(inside)
                    if self._is_out(stack, place):
                        output[:, self.places] = 0
                else:
                    kind = kind_of(stack, name)
                    if (kind, layer) == until:
                        norm_bias = f"{place} norm bias"
                        return self._less(stack, norm_bias, inside, residual.norm)
                    output = self._attended(stack, part, inside, memory, kind, layer)
                x = residual.leave(x, output)
                if not residual.pre:
                    x = self._less(stack, f"{place} norm bias", x, residual.norm)
        return x

    def _embedded(self, stack: Stack) -> Tensor:
        side: Side = "source" if stack == "encoder" else "target"
        given, embedding = inputs(self.model, self.trace, side), self.model.embedding
        tokens, positions = (
            torch.tensor(rows[None]).to(embedding.token.weight)
            for rows in (given.tokens, given.positions)
        )
        for name, rows in (("embedding", tokens), ("position", positions)):
            if self._is_out(stack, name):
                rows[:, self.places] = 0
        x = embedding.join(tokens, positions, side)
        return self._less(stack, "embedding norm bias", x, embedding.norm(side))

    def _attended(
        self,
        stack: Stack,
        part: MultiHeadAttention,
        inside: Tensor,
        memory: Tensor | None,
        kind: Kind,
        layer: int,
    ) -> Tensor:
        """The output of an attention."""
        place = f"{stack} {layer + 1} {'cross' if kind == 'cross' else 'self'}"
        maps, edit = self.trace.attention(kind), self.edits.heads(kind, layer)
        where = torch.zeros(1, part.n_heads, inside.size(1), 1, dtype=torch.bool)
        for head in range(part.n_heads):
            if self._is_out(stack, f"{place} {head + 1}"):
                where[:, head, self.places] = True
        left_out = Transplant(where.to(inside.device), inside.new_zeros(()))
        read = inside if memory is None or kind != "cross" else memory
        bias = None if maps.bias is None else torch.tensor(maps.bias[layer]).to(inside)
        mask = torch.tensor(maps.mask, device=inside.device)
        edit = edit._replace(transplant=left_out)
        output, _ = part(part.read(inside), *part.remember(read), mask, True, edit, bias)
        return output if edit.is_off else self._less(stack, f"{place} bias", output, part.output)

    def _is_out(self, stack: Stack, part: str) -> bool:
        return stack == self.stack and part in self.parts

    def _less(self, stack: Stack, name: str, x: Tensor, module: object) -> Tensor:
        """Give x without the bias of a norm or a map at the places, if that part is left out."""
        if not self._is_out(stack, name):
            return x
        x = x.clone()
        x[:, self.places] -= cast("LayerNorm", module).bias
        return x
