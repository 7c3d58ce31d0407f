"""From `Interventions` to tensors: what the network uses in place of its usual values.

`compiled` does this once for a pass or a whole search; a decoding step then only looks up its own
rows. Where nothing is changed, the usual value comes back. Rows are queries, columns are keys;
masks: True = may attend.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np
import torch
from torch import Tensor

from model.arrays import Bools, Ints
from model.config import KINDS, Interventions, Kind, ModelConfig
from model.errors import ConfigError, InputError

InterventionBatch = Interventions | Sequence[Interventions]
"""One value for all rows of a batch, or one for each row; these may differ in `heads_off` only."""

_NAMES: dict[Kind, str] = {
    "encoder_self": "the encoder's self-attention",
    "decoder_self": "the decoder's self-attention",
    "cross": "the cross-attention",
}


class Change(NamedTuple):
    """What is changed inside one attention; by default nothing."""

    kept: Tensor | None = None  # (B or 1, H, 1, 1): 0 for a head that is off, 1 for the others
    is_off: bool = False  # the whole sub-layer adds nothing
    scaling: bool = True


NO_CHANGE = Change()


class PaintedCells(NamedTuple):
    """The painted cells of one kind, sorted by query; three arrays of equal length."""

    queries: Ints
    keys: Ints
    allowed: Bools


@dataclass(frozen=True, eq=False)
class CompiledInterventions:
    """One `InterventionBatch` as tensors for one model.

    `common` is what all rows share, their heads left out. `changes` lists what changes in the
    attention of each layer, `cells` holds the kinds that have painted cells.
    """

    common: Interventions
    changes: dict[Kind, list[Change]]
    cells: dict[Kind, PaintedCells]


def compiled(
    interventions: InterventionBatch | CompiledInterventions,
    config: ModelConfig,
    n_rows: int,
    like: Tensor,
) -> CompiledInterventions:
    """The interventions as tensors of the type and device of `like`; a compiled value as it is.

    Raises:
        InputError: a layer or a head that this model does not have.
        ConfigError: not one value for each of the `n_rows`, or rows that differ in more than
            `heads_off`.
    """
    if isinstance(interventions, CompiledInterventions):
        return interventions
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
    changes = {kind: _changes(rows, kind, config, like) for kind in KINDS}
    return CompiledInterventions(common, changes, _painted_cells(common))


def _changes(
    rows: Sequence[Interventions], kind: Kind, config: ModelConfig, like: Tensor
) -> list[Change]:
    """What changes in the attention of this kind, layer by layer."""
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
        return [NO_CHANGE] * n_layers
    kept = torch.ones(n_layers, len(rows), config.heads(kind), 1, 1)
    for row, layer, head in heads:
        kept[layer, row, head] = 0
    return [Change(k, i in layers_off, scaling) for i, k in enumerate(kept.to(like))]


def _painted_cells(interventions: Interventions) -> dict[Kind, PaintedCells]:
    by_kind: dict[Kind, list[tuple[int, int, bool]]] = {}
    for kind, query, key, allowed in interventions.cells:  # sorted: by kind, then query, then key
        by_kind.setdefault(kind, []).append((query, key, allowed))
    columns = {kind: np.array(cells, dtype=np.int64).T for kind, cells in by_kind.items()}
    return {k: PaintedCells(c[0].copy(), c[1].copy(), c[2] > 0) for k, c in columns.items()}


def painted(
    mask: Tensor | None,
    interventions: CompiledInterventions,
    kind: Kind,
    queries: range,
    n_keys: int,
    device: torch.device,
) -> Tensor | None:
    """A mask (..., Q or 1, K) with the painted cells of its kind; None allows everything.

    `queries` are the positions of its rows.

    Raises:
        InputError: a cell outside the source, or a row that may read nothing.
    """
    cells = interventions.cells.get(kind)
    if cells is None:
        return mask
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


def position_table(
    table: Tensor,
    interventions: Interventions,
    side: Literal["source", "target"],
    end: int,
    real: Tensor | None = None,
) -> Tensor:
    """The position vectors for the tokens 0 to `end` - 1 of that side, one row for each.

    (P, D) with P >= end; or (B, S, D) where the sources are shuffled: `real` (B, S) is True for
    the tokens that are not padding, and only those change places.

    Raises:
        InputError: the tokens need more positions than the model has.
    """
    changed = interventions.changes_positions(side)
    shift = interventions.shift if changed and interventions.positions == "shifted" else 0
    if end + shift > len(table):
        shifted = f", shifted by {shift} positions," if shift else ""
        raise InputError(
            f"{end} {side} tokens{shifted} were given; this model has {len(table)} positions. "
            "Take less text, less padding or a smaller shift."
        )
    if not changed or interventions.positions == "shifted":
        return table[shift:]
    if interventions.positions == "none":
        return table.new_zeros(1, table.size(-1)).expand_as(table)
    assert real is not None  # only sources are shuffled
    order = torch.arange(end).repeat(len(real), 1)  # (B, S)
    for row, length in zip(order, real.sum(-1).tolist(), strict=True):
        generator = torch.Generator().manual_seed(interventions.position_seed)
        row[:length] = torch.randperm(length, generator=generator)
    return table[order.to(table.device)]


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
    """Refuse cells outside the source; a target may end anywhere."""
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
