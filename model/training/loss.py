"""The training loss: cross-entropy with label smoothing, in chunks that fit the cache or GPU."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from model.transformer import Transformer

# Rows of logits at a time: on a processor 8 MB for 4,000 tokens, for any batch; a GPU has more room
# than time for many small products.
CHUNK = {"cpu": 512, "cuda": 16_384}


class SmoothedLoss(torch.autograd.Function):
    """Sum of label-smoothed cross-entropies over (N, D) vectors, through the output matrix (V, D).

    smooth = (1 - eps) one_hot + eps / V, as in `torch.nn.functional.cross_entropy`.
    Source: section 5.4; Szegedy et al. 2015. The gradient of softmax and cross-entropy together is
    softmax - smooth, so it is computed directly, chunk by chunk, and the (N, V) logits are never
    kept.
    """

    @staticmethod
    def forward(
        ctx: Any, x: Tensor, weight: Tensor, targets: Tensor, eps: float, dtype: torch.dtype
    ) -> Tensor:
        small_weight = weight.to(dtype)
        x_grad, weight_grad = torch.empty_like(x), torch.zeros_like(weight)
        total = torch.zeros((), device=x.device)
        size = CHUNK.get(x.device.type, CHUNK["cpu"])
        for start in range(0, len(x), size):
            rows = slice(start, start + size)
            vectors = x[rows].to(dtype)
            logits = (vectors @ small_weight.T).float()  # (n, V)
            target = targets[rows, None]
            top = logits.amax(-1, keepdim=True)
            right = logits.gather(-1, target) - top
            mean = logits.mean(-1, keepdim=True) - top
            grad = logits.sub_(top).exp_()
            sums = grad.sum(-1, keepdim=True)
            total += (sums.log() - (1 - eps) * right - eps * mean).sum()
            grad.div_(sums).sub_(eps / weight.size(0))
            grad.scatter_add_(-1, target, torch.full_like(right, eps - 1))
            grad = grad.to(dtype)
            x_grad[rows] = grad @ small_weight
            weight_grad += grad.T @ vectors
        ctx.save_for_backward(x_grad, weight_grad)
        return total

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, Tensor, None, None, None]:
        x_grad, weight_grad = ctx.saved_tensors
        return x_grad * grads[0], weight_grad * grads[0], None, None, None


def smoothed_loss(
    x: Tensor, weight: Tensor, targets: Tensor, eps: float, dtype: torch.dtype = torch.float32
) -> Tensor:
    """See `SmoothedLoss`; `dtype`: type of the matrix products (bfloat16 in mixed precision)."""
    total: Tensor = SmoothedLoss.apply(x, weight, targets, eps, dtype)
    return total


class Objective(nn.Module):
    """The summed loss of a batch as one module, so that DistributedDataParallel can wrap it."""

    def __init__(self, model: Transformer, dtype: torch.dtype) -> None:
        super().__init__()
        self.model, self.dtype = model, dtype

    def forward(self, src: Tensor, tgt: Tensor, eps: float) -> Tensor:
        """Src (B, S), tgt (B, T + 1) -> the sum over all target tokens; eps smooths the labels."""
        model = self.model
        if not len(src):  # a process without rows still takes part in the update
            return torch.stack([p.sum() for p in model.parameters()]).sum() * 0
        with torch.autocast(src.device.type, self.dtype, enabled=self.dtype != torch.float32):
            memory, src_mask, _ = model.encode(src)
            x, _, _ = model.decode(tgt[:, :-1], model.start(memory, src_mask))
        written = tgt[:, 1:]
        real = written != model.config.pad_id
        x, weight = model.read_out(x), model.output_weight
        if model.output_bias is not None:  # one more number of each vector, which is 1
            x = torch.cat((x, torch.ones_like(x[..., :1])), -1)
            weight = torch.cat((weight, model.output_bias[:, None]), -1)
        return smoothed_loss(x[real].float(), weight, written[real], eps, self.dtype)
