"""Linear maps, and the fastest layout of their weights for the few rows of a decoding step.

A decoding step reads every weight once for a handful of rows, and by the next step most weights
have left the cache. The fastest layout then depends on the processor, on the shape of the weight
and on the number of rows, so `tune` times whole steps of a loaded model. All layouts give the
numbers of `F.linear` up to rounding.

Two of the layouts are copies, each as large as its weight. A copy is used while the weight is
unchanged: PyTorch counts the writes to a tensor, and a weight that was written to or replaced goes
back to `F.linear`. It does not count writes through `.data` or a NumPy view; call
`tune` after those.
"""

from __future__ import annotations

import logging
import math
import os
import time
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from model.modules import NoHooks

if TYPE_CHECKING:
    from model.transformer import Transformer

log = logging.getLogger(__name__)

MatmulLayout = Literal["plain", "columns", "transposed", "packed", "blocks"]
"""How a weight W (out, in) and a few rows x are multiplied.

plain: `F.linear`. columns: W x^T, the rows as columns. transposed: `F.linear`, with W in memory
column by column. packed: by oneDNN, with a copy of W in the order in which oneDNN reads it. blocks:
by NumPy, with a copy of W^T in blocks of columns.
"""
Shape = tuple[int, int]
Choice = dict[int, MatmulLayout]  # by number of rows
Seconds = dict[tuple[MatmulLayout, int], float]  # by layout and number of rows

ROWS = {1: 1.0, 4: 1.0, 20: 0.1}
"""The numbers of rows that are timed, and how often they come: a step of greedy search, a step of
the usual beam, and now and then all tokens of a sentence."""
UP_TO = {1: 1, 4: 8, 20: 64}  # the layout for 4 rows is used for up to 8
MAX_ROWS = max(UP_TO.values())
LAYOUTS: dict[MatmulLayout, tuple[int, ...]] = {  # the numbers of rows to try each with
    "plain": tuple(ROWS),
    "columns": (4,),
    "packed": tuple(ROWS),
    "blocks": tuple(ROWS),
    "transposed": tuple(ROWS),
}
OPTIONS: tuple[tuple[MatmulLayout, ...], ...] = (  # layouts that can be combined, simplest first
    ("plain", "columns"),
    ("transposed",),
    ("plain", "columns", "packed"),
    ("transposed", "packed"),
    ("plain", "columns", "blocks"),
    ("transposed", "blocks"),
)
MIN_BYTES = 2**17  # least size of a weight; for smaller ones the layout does not matter
MIN_GAIN = 0.1  # least share of time saved; less may be noise
MIN_PASSES, MAX_PASSES = 2, 8  # seconds over all weights, per layout and number of rows
MIN_SECONDS = 0.005  # short passes are repeated until they take this long in total
MAX_COPIED_BYTES = 2**29  # bytes of copies of one model
TOLERANCE = 1e-5  # error of a product with a copy, relative to its largest number
BLOCK = 1_000_000  # multiplications with one block and 4 rows: OpenBLAS then copies nothing


# -------------------------------------------------------------------------------------- products


class WeightCopy(ABC):
    """A copy of one weight, or of several stacked, in an order that is faster to read.

    It replaces the originals declared with `belongs_to`. When its model is copied or pickled, it
    becomes None, because the new model has its own weights.

    Raises:
        AttributeError, NotImplementedError, RuntimeError, TypeError: this build of PyTorch or NumPy
        does not support it.
    """

    def __init__(self, weights: Sequence[Tensor], biases: Sequence[Tensor | None]) -> None:
        self._store(torch.cat(tuple(weights)) if len(weights) > 1 else weights[0].contiguous())
        present = [bias for bias in biases if bias is not None]
        self._bias = torch.cat(present) if present else None
        self.belongs_to(*weights, *biases)

    @abstractmethod
    def _store(self, weight: Tensor) -> None:
        """Store the weight (out, in) in this copy's order."""

    @abstractmethod
    def __call__(self, x: Tensor) -> Tensor:
        """X W^T + b: (..., in) -> (..., out)."""

    def belongs_to(self, *originals: Tensor | None) -> None:
        """Declare the weights and biases that this copies."""
        # They share memory and write counts with the model's own. While they are kept, no other
        # tensor can be allocated in their place.
        self._originals = [t.detach() for t in originals if t is not None]
        self._states = [(t.data_ptr(), t._version) for t in self._originals]

    def serves(self, x: Tensor, *originals: Tensor | None) -> bool:
        """True if these are still the unchanged originals and x is of their type."""
        try:
            states = [(t.data_ptr(), t._version) for t in originals if t is not None]
        except RuntimeError:  # inference tensors have no version: treat the copy as stale
            return False
        return x.dtype == torch.float32 and states == self._states

    def __reduce__(self) -> tuple[Any, ...]:
        return type(None), ()


class PackedWeights(WeightCopy):
    """A copy in oneDNN's order, made by private operators of PyTorch."""

    def _store(self, weight: Tensor) -> None:
        operators = torch.ops.mkldnn
        self._product = operators._linear_pointwise.default
        self._packed = operators._reorder_linear_weight.default(weight, 4)

    def __call__(self, x: Tensor) -> Tensor:
        product: Tensor = self._product(x, self._packed, self._bias, "none", [], "")
        return product


class BlockedWeights(WeightCopy):
    """The transposed weight in blocks of columns, small enough for OpenBLAS to read without a copy.

    Used only if `one_thread` is true: OpenBLAS's own threads compete with PyTorch's (a step took
    220 ms instead of 4, on two cores under other load).
    """

    def _store(self, weight: Tensor) -> None:
        if not one_thread():
            raise NotImplementedError("NumPy's products are not by OpenBLAS on one thread")
        n_out, n_in = weight.shape
        width = max(16, BLOCK // (4 * n_in) // 16 * 16)
        columns = weight.detach().numpy().T  # (in, out)
        self._n_out = n_out
        self._blocks = [
            (start, start + width, np.ascontiguousarray(columns[:, start : start + width]))
            for start in range(0, n_out, width)
        ]

    def __call__(self, x: Tensor) -> Tensor:
        product = x.new_empty(*x.shape[:-1], self._n_out)
        rows, out = x.reshape(-1, x.size(-1)).numpy(), product.view(-1, self._n_out).numpy()
        for start, end, block in self._blocks:
            np.matmul(rows, block, out=out[:, start:end])
        return product if self._bias is None else product.add_(self._bias)


def one_thread() -> bool:
    """True if NumPy uses OpenBLAS, set to one thread before it was imported."""
    built_with = np.show_config(mode="dicts").get("Build Dependencies", {})
    is_openblas = "openblas" in built_with.get("blas", {}).get("name", "")
    return is_openblas and os.environ.get("OPENBLAS_NUM_THREADS") == "1"


COPIES: dict[MatmulLayout, type[WeightCopy]] = {"packed": PackedWeights, "blocks": BlockedWeights}


@dataclass(frozen=True, eq=False)
class Layouts:
    """The layouts of one product: `by_rows[n]` for n rows, and the `copy` that these may name."""

    by_rows: tuple[MatmulLayout, ...]
    copy: WeightCopy | None = None


def linear(
    x: Tensor, weight: Tensor, bias: Tensor | None, layouts: Layouts | None = None
) -> Tensor:
    """X W^T + b: (..., in) -> (..., out), in the layout for that number of rows."""
    layout, copy = _layout(x, layouts)
    if copy is not None and copy.serves(x, weight, bias):
        return copy(x)
    if layout == "columns":
        columns = x.reshape(-1, x.size(-1)).T  # (in, R)
        columns = weight @ columns if bias is None else torch.addmm(bias[:, None], weight, columns)
        return columns.T.contiguous().view(*x.shape[:-1], -1)
    return F.linear(x, weight, bias)


def _layout(x: Tensor, layouts: Layouts | None) -> tuple[MatmulLayout, WeightCopy | None]:
    """The layout for the rows x, and its copy if it has one; plain under autograd."""
    if layouts is None or torch.is_grad_enabled():
        return "plain", None
    rows = x.numel() // x.size(-1)
    layout = layouts.by_rows[rows] if rows <= MAX_ROWS else "plain"
    return layout, layouts.copy if layout in COPIES else None


class Linear(NoHooks, nn.Linear):
    """`nn.Linear`, called directly, in the fastest layouts according to `tune`."""

    layouts: Layouts | None = None

    def forward(self, x: Tensor) -> Tensor:
        own = self._parameters
        return linear(x, own["weight"], own["bias"], self.layouts)  # type: ignore[arg-type]


class LinearStack(NoHooks):
    """Several linear maps of the same x; one product if a combined copy is the fastest.

    The maps belong to other modules: this one has no weights, and no names in a state_dict.
    """

    layouts: Layouts | None = None

    def __init__(self, *maps: Linear) -> None:
        super().__init__()
        self.maps = maps
        self.sizes = [part.out_features for part in maps]

    def forward(self, x: Tensor) -> tuple[Tensor, ...]:
        _, copy = _layout(x, self.layouts)
        if copy is not None:
            own = [part._parameters for part in self.maps]
            originals = [part[name] for name in ("weight", "bias") for part in own]
            if copy.serves(x, *originals):
                return copy(x).split_with_sizes(self.sizes, dim=-1)
        return tuple([part(x) for part in self.maps])


# ---------------------------------------------------------------------------------------- choice


@dataclass
class Product:
    """A product in a pass, with one weight or several that multiply the same x."""

    owner: Linear | LinearStack | Transformer  # the modules whose `layouts` are chosen
    weights: tuple[Tensor, ...]
    biases: tuple[Tensor | None, ...]
    copy: WeightCopy | None = None

    @property
    def shape(self) -> Shape:
        return sum(len(weight) for weight in self.weights), self.weights[0].size(1)

    @property
    def n_bytes(self) -> int:
        return sum(weight.nbytes for weight in self.weights)

    @property
    def is_large(self) -> bool:
        return self.n_bytes >= MIN_BYTES

    def run(self, x: Tensor) -> object:
        return self.owner(x) if isinstance(self.owner, NoHooks) else self.owner.logits(x)

    def use(self, chosen: Choice) -> None:
        """Store the weights in these layouts, one for each number of rows, and use them."""
        for weight in self.weights:
            weight.data = laid_out(weight.data, "transposed" in chosen.values())
        copy = self.copy if set(COPIES) & set(chosen.values()) else None
        if copy is not None:
            copy.belongs_to(*self.weights, *self.biases)
        by_rows = [
            next(layout for n, layout in chosen.items() if rows <= UP_TO[n])
            for rows in range(MAX_ROWS + 1)
        ]
        self.owner.layouts = Layouts(tuple(by_rows), copy)
        if isinstance(self.owner, LinearStack):
            for part in self.owner.maps:
                part.layouts = Layouts(tuple(by_rows))


@torch.inference_mode(False)
@torch.no_grad()
def tune(model: Transformer) -> None:
    """Give each large weight of a model on the CPU its fastest layouts, by timing a step.

    The values of the weights do not change. A transposed weight keeps its shape and changes its
    strides.
    """
    weight = model.output_weight
    if weight.device.type != "cpu" or weight.dtype != torch.float32 or weight.is_inference():
        return
    step, others = products(model)
    shapes = {product.shape for product in step}
    chosen = fastest_layouts([*step, *(p for p in others if p.shape not in shapes)])
    room = MAX_COPIED_BYTES
    for layout in COPIES:
        wanted = [p for p in (*step, *others) if layout in chosen[p.shape].values()]
        room = copy_weights(wanted, layout, room)
    for product in (*step, *others):
        product.use(chosen[product.shape])


def products(model: Transformer) -> tuple[list[Product], list[Product]]:
    """The products with large weights: those of a decoding step, and all others in a model."""
    stacks = [module for module in model.modules() if isinstance(module, LinearStack)]
    stacked = {part for stack in stacks for part in stack.maps}

    def within(module: nn.Module) -> Iterator[Product]:
        for owner in module.modules():
            if isinstance(owner, LinearStack):
                weights = tuple(part.weight for part in owner.maps)
                yield Product(owner, weights, tuple(part.bias for part in owner.maps))
            elif isinstance(owner, Linear) and owner not in stacked:
                yield Product(owner, (owner.weight,), (owner.bias,))

    output = Product(model, (model.output_weight,), (model.output_bias,))
    step = [*within(model.decoder), output]
    owners = {product.owner for product in step}
    others = [product for product in within(model) if product.owner not in owners]
    return [p for p in step if p.is_large], [p for p in others if p.is_large]


def copy_weights(products: Sequence[Product], layout: MatmulLayout, room: int) -> int:
    """Copy the weights, in this order, as `room` allows; return the bytes left of it."""
    for product in products:
        if not isinstance(product.copy, COPIES[layout]):
            product.copy = _exact_copy(product, layout) if product.n_bytes <= room else None
        if product.copy is not None:
            room -= product.n_bytes
    return room


def _exact_copy(product: Product, layout: MatmulLayout) -> WeightCopy | None:
    """A copy that reproduces the numbers of `F.linear`; None if there is none."""
    x = torch.arange(4 * product.shape[1]).sin().view(4, -1)
    parts = [F.linear(x, w, b) for w, b in zip(product.weights, product.biases, strict=True)]
    expected = torch.cat(parts, dim=-1)
    try:
        copy = COPIES[layout](product.weights, product.biases)
        error = (copy(x) - expected).abs().max()
    except (AttributeError, NotImplementedError, RuntimeError, TypeError) as reason:
        log.info("No weights for the layout %s: %s", layout, reason)
        return None
    if error <= TOLERANCE * expected.abs().max():
        return copy
    log.warning("The layout %s gave other numbers (off by %g); it is not used.", layout, error)
    return None


_chosen: dict[tuple[tuple[Shape, ...], int], dict[Shape, Choice]] = {}


def fastest_layouts(products: Sequence[Product]) -> dict[Shape, Choice]:
    """The fastest layouts for each shape among the products; measured once per shape."""
    key = tuple(product.shape for product in products), torch.get_num_threads()
    if key not in _chosen:
        seconds = step_seconds(products)
        _chosen[key] = {shape: best_choice(seconds[shape]) for shape in seconds}
    return dict(_chosen[key])


def best_choice(seconds: Seconds) -> Choice:
    """The fastest combinable layout for each of `ROWS`; in doubt a simple one."""
    costs: list[tuple[float, Choice]] = []
    for option in OPTIONS:
        if all((layout, 4) in seconds for layout in option):
            tried = {n: [layout for layout in option if (layout, n) in seconds] for n in ROWS}
            choice = {n: min(tried[n], key=lambda layout: seconds[layout, n]) for n in ROWS}
            cost = sum(share * seconds[choice[n], n] for n, share in ROWS.items())
            costs.append((cost, choice))
    bound = (1 + MIN_GAIN) * min(cost for cost, _ in costs)
    return next(choice for cost, choice in costs if cost <= bound)


def step_seconds(products: Sequence[Product]) -> dict[Shape, Seconds]:
    """Time all products of each shape in a step, for each layout and number of rows."""
    seconds: dict[Shape, Seconds] = {product.shape: {} for product in products}
    for layout, numbers in LAYOUTS.items():
        timed = products
        if layout in COPIES:
            copy_weights(products, layout, MAX_COPIED_BYTES)
            without = {product.shape for product in products if product.copy is None}
            timed = [product for product in products if product.shape not in without]
        for product in timed:
            product.use(dict.fromkeys(ROWS, layout))
        for n in numbers:
            for shape, fastest in _fastest_pass(timed, n).items():
                seconds[shape][layout, n] = fastest
    return seconds


@torch.inference_mode()
def _fastest_pass(products: Sequence[Product], n: int) -> dict[Shape, float]:
    """Time all products of each shape with n rows, one product after the other.

    Each product counts with its fastest run, in processor time of this thread, so that a busy
    machine makes the same choice.
    """
    fastest = [math.inf] * len(products)
    started = time.thread_time()
    for passes in range(MAX_PASSES):
        if passes >= MIN_PASSES and time.thread_time() - started > MIN_SECONDS:
            break
        for i, product in enumerate(products):
            x = torch.ones(n, 1, product.shape[1])
            begun = time.thread_time()
            product.run(x)
            fastest[i] = min(fastest[i], time.thread_time() - begun)
    seconds: dict[Shape, float] = defaultdict(float)
    for product, least in zip(products, fastest, strict=True):
        seconds[product.shape] += least
    return seconds


def laid_out(weight: Tensor, transposed: bool) -> Tensor:
    """Return the same weight (out, in), row-major or column-major in memory."""
    return weight.t().contiguous().t() if transposed else weight.contiguous()
