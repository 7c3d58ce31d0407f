"""A visitor's changes to the network: `Edits`, whose methods by default change nothing.

You can read the network without this file: each value that may change passes through a method of
`edits`, and `NO_EDITS` returns it as it is. `compile_edits` turns `Interventions` into edits once
for a pass or a whole search. Rows are queries, columns are keys; masks: True = may attend.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from model.arrays import Bools, Ints
from model.config import KINDS, SIDES, UNTOUCHED, Interventions, Kind, ModelConfig, Side, Stack
from model.errors import ConfigError, InputError

if TYPE_CHECKING:
    from model.embedding import DistanceBias

InterventionBatch = Interventions | Sequence[Interventions]
"""One value for all rows of a batch, or one for each row; these may differ in `heads_off` only."""

_NAMES: dict[Kind, str] = {
    "encoder_self": "the encoder's self-attention",
    "decoder_self": "the decoder's self-attention",
    "cross": "the cross-attention",
}


class Transplant(NamedTuple):
    """Numbers from another pass, which replace this pass's numbers wherever `where` is True."""

    where: Tensor  # bool, broadcastable to `given`
    given: Tensor

    def into(self, own: Tensor) -> Tensor:
        """Return `own` with the given numbers inserted; all others keep every bit."""
        return torch.where(self.where, self.given, own)


class AttentionEdit(NamedTuple):
    """The changes inside one attention; by default none."""

    kept: Tensor | None = None  # (B or 1, H, 1, 1): 0 for a head that is off, 1 for the others
    is_off: bool = False  # the whole sub-layer adds nothing
    scaling: bool = True
    transplant: Transplant | None = None  # of the heads' contexts (B, H, Q, d_k)


NO_EDIT = AttentionEdit()


class Edits:
    """Returns every value of the network unchanged."""

    def source(self, src: Tensor) -> Tensor:
        """The source ids (B, S) to read."""
        return src

    def positions(self, table: Tensor, at: range, side: Side, ids: Tensor) -> Tensor:
        """The position vectors of the tokens `ids` (B, T) at the positions `at`.

        (T, D); or (B, T, D) if each row has its own positions.

        Raises:
            InputError: there are more tokens than positions in the table (P, D).
        """
        return _rows(table, at, side)

    def distances(
        self, table: DistanceBias, at: range, n_keys: int, side: Side, ids: Tensor
    ) -> Tensor | None:
        """What self-attention adds to its scores: (H, Q, K), with a batch if rows differ.

        `at` has the positions of the queries `ids` (B, Q); the keys stand at 0 to n_keys - 1.
        """
        places = torch.arange(n_keys, device=ids.device)
        bias: Tensor = table(places[at.start :], places)
        return bias

    def mask(self, kind: Kind, mask: Tensor | None, queries: range, n_keys: int) -> Tensor | None:
        """The mask (..., Q or 1, K) of an attention whose rows are at `queries`; None allows all.

        Raises:
            InputError: a changed cell outside the source, or a row that cannot read anything.
        """
        return mask

    def heads(self, kind: Kind, layer: int) -> AttentionEdit:
        """The changes inside the attention of a layer."""
        return NO_EDIT

    def state(self, stack: Stack, layer: int, x: Tensor) -> Tensor:
        """The output state (B, T, D) of a layer, counted from 1; 0: the input of layer 1."""
        return x


NO_EDITS = Edits()


def _rows(table: Tensor, at: range, side: Side, shift: int = 0) -> Tensor:
    if at.stop + shift > len(table):
        shifted = f", shifted by {shift} positions," if shift else ""
        raise InputError(
            f"{at.stop} {side} tokens{shifted} were given; this model has {len(table)} positions. "
            "Take less text, less padding or a smaller shift."
        )
    return table[at.start + shift : at.stop + shift]


class Transplants(Edits):
    """States and head contexts from a pass over the same number of tokens, by layer.

    The layers of `states` are those of `state`, the layers of `contexts` count from 0.
    """

    def __init__(
        self,
        states: Mapping[tuple[Stack, int], Transplant] = MappingProxyType({}),
        contexts: Mapping[tuple[Kind, int], Transplant] = MappingProxyType({}),
    ) -> None:
        self.states, self.contexts = states, contexts

    def heads(self, kind: Kind, layer: int) -> AttentionEdit:
        given = self.contexts.get((kind, layer))
        return NO_EDIT if given is None else AttentionEdit(transplant=given)

    def state(self, stack: Stack, layer: int, x: Tensor) -> Tensor:
        given = self.states.get((stack, layer))
        return x if given is None else given.into(x)


# ----------------------------------------------------------------------------- from Interventions


class PaintedCells(NamedTuple):
    """The painted cells of one kind, sorted by query; three arrays of equal length."""

    queries: Ints
    keys: Ints
    allowed: Bools


class CompiledEdits(Edits):
    """One `InterventionBatch` as tensors for one model.

    `common` has what all rows share, except heads. `attentions` lists the changes in the attention
    of each layer, `cells` the kinds that have painted cells.
    """

    def __init__(
        self,
        rows: Sequence[Interventions],
        common: Interventions,
        config: ModelConfig,
        like: Tensor,
    ) -> None:
        self.common, self.pad_id, self.device = common, config.pad_id, like.device
        self.shifts = {side: common.shift_of(side, config) for side in SIDES}
        self.attentions = {kind: _attention_edits(rows, kind, config, like) for kind in KINDS}
        self.cells = _painted_cells(common)

    def source(self, src: Tensor) -> Tensor:
        return F.pad(src, (0, self.common.padding), value=self.pad_id)

    def positions(self, table: Tensor, at: range, side: Side, ids: Tensor) -> Tensor:
        if not self.common.changes_positions(side):
            return _rows(table, at, side)
        if self.common.positions == "shifted":
            return _rows(table, at, side, self.shifts[side])
        rows = _rows(table, at, side)
        if self.common.positions == "none":
            return torch.zeros_like(rows)
        return rows[self._order(ids)]

    def distances(
        self, table: DistanceBias, at: range, n_keys: int, side: Side, ids: Tensor
    ) -> Tensor | None:
        # A shift moves queries and keys alike, so that every distance stays.
        if not self.common.changes_positions(side) or self.common.positions == "shifted":
            return super().distances(table, at, n_keys, side, ids)
        if self.common.positions == "none":
            return None
        order = self._order(ids)
        bias: Tensor = table(order, order)
        return bias

    def _order(self, ids: Tensor) -> Tensor:
        """The shuffled positions (B, S) of a source, as a whole; padding keeps its place."""
        order = torch.arange(ids.size(1)).repeat(len(ids), 1)
        for row, length in zip(order, (ids != self.pad_id).sum(-1).tolist(), strict=True):
            generator = torch.Generator().manual_seed(self.common.position_seed)
            row[:length] = torch.randperm(length, generator=generator)
        return order.to(ids.device)

    def mask(self, kind: Kind, mask: Tensor | None, queries: range, n_keys: int) -> Tensor | None:
        causal, padding = self.common.causal_mask, self.common.padding_mask
        if not (causal if kind == "decoder_self" else padding):
            mask = None
        cells = self.cells.get(kind)
        if cells is None:
            return mask
        return apply_painted_cells(mask, cells, kind, queries, n_keys, self.device)

    def heads(self, kind: Kind, layer: int) -> AttentionEdit:
        return self.attentions[kind][layer]


def compile_edits(
    interventions: InterventionBatch, config: ModelConfig, n_rows: int, like: Tensor
) -> Edits:
    """Turn interventions into edits, with tensors of the type and device of `like`.

    Raises:
        InputError: a layer or a head that this model does not have.
        ConfigError: the number of values is not `n_rows`, or rows differ in more than
            `heads_off`.
    """
    if isinstance(interventions, Interventions):
        rows: Sequence[Interventions] = (interventions,)
    else:
        rows = interventions
        if len(rows) != n_rows:
            raise ConfigError(
                f"{len(rows)} interventions were given for {n_rows} rows; give one for each row, "
                "or one for all."
            )
    common = replace(rows[0], heads_off=())
    if any(replace(row, heads_off=()) != common for row in rows[1:]):
        raise ConfigError(
            "The rows of one pass may differ in heads_off only; run the others on their own."
        )
    for row in rows:
        _check_layers(row, config)
    if all(row == UNTOUCHED for row in rows):
        return NO_EDITS
    return CompiledEdits(rows, common, config, like)


def _attention_edits(
    rows: Sequence[Interventions], kind: Kind, config: ModelConfig, like: Tensor
) -> list[AttentionEdit]:
    """The changes in this kind of attention, by layer."""
    n_layers = _n_layers(kind, config)
    heads = [
        (r, layer, head)
        for r, row in enumerate(rows)
        for name, layer, head in row.heads_off
        if name == kind
    ]
    layers_off = rows[0].cross_off if kind == "cross" else ()
    scaling = rows[0].scaling
    if not heads and not layers_off and scaling:
        return [NO_EDIT] * n_layers
    kept = torch.ones(n_layers, len(rows), config.heads(kind), 1, 1)
    for row, layer, head in heads:
        kept[layer, row, head] = 0
    return [AttentionEdit(k, i in layers_off, scaling) for i, k in enumerate(kept.to(like))]


def _painted_cells(interventions: Interventions) -> dict[Kind, PaintedCells]:
    by_kind: dict[Kind, list[tuple[int, int, bool]]] = {}
    for kind, query, key, allowed in interventions.cells:  # sorted: by kind, then query, then key
        by_kind.setdefault(kind, []).append((query, key, allowed))
    columns = {kind: np.array(cells, dtype=np.int64).T for kind, cells in by_kind.items()}
    return {k: PaintedCells(c[0].copy(), c[1].copy(), c[2] > 0) for k, c in columns.items()}


def apply_painted_cells(
    mask: Tensor | None,
    cells: PaintedCells,
    kind: Kind,
    queries: range,
    n_keys: int,
    device: torch.device,
) -> Tensor | None:
    """Apply painted cells to a mask (..., Q or 1, K); see `Edits.mask`."""
    _check_inside(cells, kind, n_keys)
    first, last = np.searchsorted(cells.queries, (queries.start, queries.stop))
    rows, columns = cells.queries[first:last] - queries.start, cells.keys[first:last]
    inside = columns < n_keys
    if not inside.any():
        return mask
    if mask is None:
        mask = torch.ones(len(queries), n_keys, dtype=torch.bool, device=device)
    mask = mask.expand(*mask.shape[:-2], len(queries), n_keys).clone()
    index = (torch.from_numpy(rows[inside]), torch.from_numpy(columns[inside]))
    mask[..., index[0].to(device), index[1].to(device)] = torch.from_numpy(
        cells.allowed[first:last][inside]
    ).to(device)
    empty = (~mask.any(-1)).nonzero()
    if len(empty):
        raise InputError(
            f"Nothing is left to read for position {int(empty[0, -1]) + queries.start + 1} of "
            f"{_NAMES[kind]}; allow at least one cell of its row."
        )
    return mask


def _n_layers(kind: Kind, config: ModelConfig) -> int:
    return config.n_encoder_layers if kind == "encoder_self" else config.n_decoder_layers


def _check_layers(interventions: Interventions, config: ModelConfig) -> None:
    for kind, layer, head in interventions.heads_off:
        if layer >= _n_layers(kind, config) or head >= config.heads(kind):
            raise InputError(
                f"Head {head + 1} of layer {layer + 1} of {_NAMES[kind]} was to be switched off; "
                f"it has {_n_layers(kind, config)} layers of {config.heads(kind)} heads."
            )
    for layer in interventions.cross_off:
        if layer >= config.n_decoder_layers:
            raise InputError(
                f"The cross-attention of layer {layer + 1} was to be switched off; "
                f"the decoder has {config.n_decoder_layers} layers."
            )


def _check_inside(cells: PaintedCells, kind: Kind, n_keys: int) -> None:
    """Refuse cells outside the source; the target's length is not known here."""
    if kind == "decoder_self":
        return
    last = int(cells.keys.max())
    if kind == "encoder_self":
        last = max(last, int(cells.queries.max()))
    if last >= n_keys:
        raise InputError(
            f"A cell of {_NAMES[kind]} was painted at source position {last + 1}; "
            f"this source has {n_keys} tokens."
        )
