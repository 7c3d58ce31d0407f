"""Linear maps, and the order of their weights in memory for the few rows of a decoding step.

A decoding step reads every weight once for a handful of rows, and by the next step most weights
have left the cache. So the order in which a weight is stored sets the pace. `lay_out` chooses it by
the weight's shape and the processor, never by a measurement: the same sentence has the same scores
in every process. All products give the numbers of `F.linear` up to rounding.

A copy of a weight is used while the weight is unchanged: PyTorch counts the writes to a tensor, and
a weight that was written to or replaced goes back to `F.linear`. It does not count writes through
`.data` or a NumPy view; call `lay_out` after those.
"""

from __future__ import annotations

import logging
import platform
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from model.modules import NoHooks

if TYPE_CHECKING:
    from model.transformer import Transformer

log = logging.getLogger(__name__)

MIN_PACKED_BYTES = 2**21  # least size of a weight that is copied; for smaller ones it does not pay
MIN_PACKED_BYTES_AMD = 2**17  # there `F.linear` reads small weights much more slowly
MAX_COPIED_BYTES = 2**29  # bytes of the copies of one model
# Of a matrix that is stored in another order, at a time. Once a C library has freed megabytes at
# once, it keeps those that follow, too, and a model's weights are then moved between the holes.
COPIED_ROWS = 256
MIN_ROWS, MAX_ROWS = 2, 64  # rows of a product with a copy
TOLERANCE = 1e-5  # error of a product with a copy, relative to its largest number


class PackedWeight:
    """A copy of a weight in oneDNN's order, made by private operators of PyTorch.

    When its model is copied or pickled, it becomes None, because the new model has its own weights.

    Raises:
        AttributeError, NotImplementedError, RuntimeError, TypeError: this build of PyTorch does not
        support it.
    """

    def __init__(self, weight: Tensor, bias: Tensor | None) -> None:
        operators = torch.ops.mkldnn
        self._product = operators._linear_pointwise.default
        self._packed = operators._reorder_linear_weight.default(weight.contiguous(), 4)
        self._bias = bias
        self.watch(weight, bias)

    def watch(self, weight: Tensor, bias: Tensor | None) -> None:
        """Take these for the originals; they have the numbers that were copied."""
        # They share memory and write counts with the model's own. While they are kept, no other
        # tensor can be allocated in their place.
        self._originals = [t.detach() for t in (weight, bias) if t is not None]
        self._states = [(t.data_ptr(), t._version) for t in self._originals]

    def __call__(self, x: Tensor) -> Tensor:
        """X W^T + b: (..., in) -> (..., out)."""
        product: Tensor = self._product(x, self._packed, self._bias, "none", [], "")
        return product

    def serves(self, x: Tensor, weight: Tensor, bias: Tensor | None) -> bool:
        """True if x has few rows and needs no gradient, and these are the unchanged originals."""
        few = MIN_ROWS <= x.numel() // x.size(-1) <= MAX_ROWS
        if not few or torch.is_grad_enabled() or x.dtype != torch.float32:
            return False
        try:
            states = [(t.data_ptr(), t._version) for t in (weight, bias) if t is not None]
        except RuntimeError:  # inference tensors have no version: treat the copy as stale
            return False
        return states == self._states

    def __reduce__(self) -> tuple[Any, ...]:
        return type(None), ()


def linear(x: Tensor, weight: Tensor, bias: Tensor | None, packed: PackedWeight | None) -> Tensor:
    """X W^T + b: (..., in) -> (..., out)."""
    if packed is not None and packed.serves(x, weight, bias):
        return packed(x)
    return F.linear(x, weight, bias)


class Linear(NoHooks, nn.Linear):
    """`nn.Linear`, called directly."""

    packed: PackedWeight | None = None

    def forward(self, x: Tensor) -> Tensor:
        own = self._parameters
        return linear(x, own["weight"], own["bias"], self.packed)  # type: ignore[arg-type]


def by_columns(weight: Tensor) -> Tensor:
    """A copy in float32 that is stored column by column, made a few rows at a time."""
    columns = torch.empty(weight.shape[::-1], dtype=torch.float32)
    for part, rows in zip(columns.split(COPIED_ROWS, 1), weight.split(COPIED_ROWS), strict=True):
        part.copy_(rows.float().t())
    return columns.t()


def is_too_large(weight: Tensor) -> bool:
    """True for a matrix of which no packed copy will be made: it is stored by columns instead.

    An embedding, too, whose rows are then slower to read: 2 ms for 48 tokens of 1,024 numbers,
    where an output of 256,206 tokens takes 40 ms less at every step.
    """
    return weight.dim() == 2 and 4 * weight.numel() > MAX_COPIED_BYTES


@torch.inference_mode(False)
@torch.no_grad()
def lay_out(model: Transformer) -> None:
    """Store the weights of a model on the CPU so that few rows are multiplied fast.

    A map's weight is stored column by column: its shape and values do not change, its strides do.
    The output's stays as it is, because the embedding may read the same matrix by rows. Large
    weights also get a packed copy: the output's first, then those of the decoder, which are read at
    every step.
    """
    output = model.output_weight
    if output.device.type != "cpu" or output.dtype != torch.float32 or output.is_inference():
        return
    parts = (*model.decoder.modules(), *model.encoder.modules())
    maps = [part for part in parts if isinstance(part, Linear)]
    least, room = _min_packed_bytes(), MAX_COPIED_BYTES
    owners: list[tuple[Transformer | Linear, Tensor, Tensor | None]] = [
        (model, output, model.output_bias),
        *((part, part.weight, part.bias) for part in maps),
    ]
    for owner, weight, bias in owners:
        # By rows still: to copy it by columns takes a third one, which leaves holes in memory.
        packed = _packed(weight, bias) if least <= weight.nbytes <= room else None
        if isinstance(owner, Linear):
            owner.weight.data = weight.data.t().contiguous().t()
        if packed is not None:
            packed.watch(weight, bias)
            room -= weight.nbytes
        owner.packed = packed


def _min_packed_bytes() -> int:
    """The least size of a weight that is packed on this processor."""
    told = Path("/proc/cpuinfo")
    processor = told.read_text("utf-8") if told.exists() else platform.processor()
    return MIN_PACKED_BYTES_AMD if "AuthenticAMD" in processor else MIN_PACKED_BYTES


def _packed(weight: Tensor, bias: Tensor | None) -> PackedWeight | None:
    """A copy that gives the numbers of `F.linear`; None if this build of PyTorch has none."""
    x = torch.arange(4 * weight.size(1)).sin().view(4, -1)
    expected = F.linear(x, weight, bias)
    try:
        packed = PackedWeight(weight, bias)
        error = (packed(x) - expected).abs().max()
    except (AttributeError, NotImplementedError, RuntimeError, TypeError) as reason:
        log.info("The weights are not packed: %s", reason)
        return None
    if error <= TOLERANCE * expected.abs().max():
        return packed
    log.warning("A packed weight gave other numbers (off by %g); it is not used.", error)
    return None
