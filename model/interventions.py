"""From `Interventions` to tensors: what the network is given in place of its usual values.

Each function gives the usual value back where nothing was changed. Rows are queries, columns are
keys; masks: True = may attend.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

import torch
from torch import Tensor

from model.config import KINDS, UNTOUCHED, Interventions, Kind, ModelConfig
from model.errors import ConfigError, InputError

Rows = Interventions | Sequence[Interventions]
"""One value for all rows of a batch, or one a row; those may differ in the heads that are off."""

_NAMES: dict[Kind, str] = {
    "encoder_self": "the encoder's self-attention",
    "decoder_self": "the decoder's self-attention",
    "cross": "the cross-attention",
}


class Change(NamedTuple):
    """What is changed inside one attention; by default nothing."""

    kept: Tensor | None = None  # (B or 1, H, 1, 1): 0 for a head that is off, 1 for the others
    off: bool = False  # the whole sub-layer adds nothing
    scaling: bool = True


NO_CHANGE = Change()


def shared(interventions: Rows, config: ModelConfig, n_rows: int) -> Interventions:
    """The value that all rows of a batch share, apart from their heads.

    Raises:
        InputError: a layer or a head that this model does not have.
        ConfigError: not one value a row, or rows that differ in more than `heads_off`.
    """
    rows = _rows(interventions)
    if not isinstance(interventions, Interventions) and len(rows) != n_rows:
        raise ConfigError(
            f"{len(rows)} interventions were given for {n_rows} rows; give one a row, or one."
        )
    if any(replace(row, heads_off=()) != replace(rows[0], heads_off=()) for row in rows[1:]):
        raise ConfigError(
            "The rows of one pass may differ in heads_off only; run the others on their own."
        )
    for row in rows:
        _check_layers(row, config)
    return rows[0]


def changes(interventions: Rows, config: ModelConfig, like: Tensor) -> dict[Kind, list[Change]]:
    """What changes in each attention, by kind and layer, as tensors such as `like`."""
    if interventions == UNTOUCHED:
        return {kind: [NO_CHANGE] * _n_layers(kind, config) for kind in KINDS}
    rows = _rows(interventions)
    found: dict[Kind, list[Change]] = {}
    for kind in KINDS:
        kept = torch.ones(_n_layers(kind, config), len(rows), config.n_heads, 1, 1)
        for r, row in enumerate(rows):
            for _, layer, head in (off for off in row.heads_off if off[0] == kind):
                kept[layer, r, head] = 0
        off = rows[0].cross_off if kind == "cross" else ()
        scaling = rows[0].scaling
        found[kind] = [Change(k, i in off, scaling) for i, k in enumerate(kept.to(like))]
    return found


def painted(
    mask: Tensor | None,
    interventions: Interventions,
    kind: Kind,
    queries: range,
    n_keys: int,
    device: torch.device,
) -> Tensor | None:
    """A mask (..., Q or 1, K), None to allow everything, with the cells of its kind painted.

    `queries` are the numbers of its rows.

    Raises:
        InputError: a cell outside the source, or a row that may read nothing.
    """
    cells = [cell[1:] for cell in interventions.cells if cell[0] == kind]
    if not cells:
        return mask
    _check_inside(cells, kind, n_keys)
    if mask is None:
        mask = torch.ones(len(queries), n_keys, dtype=torch.bool, device=device)
    mask = mask.expand(*mask.shape[:-2], len(queries), n_keys).clone()
    here = [(q - queries.start, k, on) for q, k, on in cells if q in queries and k < n_keys]
    if here:
        rows, columns, allowed = zip(*here, strict=True)
        mask[..., list(rows), list(columns)] = torch.tensor(allowed, device=device)
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
    """The table of which token t of that side gets row t, for tokens before `end`.

    (P, D); or (B, S, D) where the sources are shuffled, for which `real` (B, S) says which tokens
    are no padding: only those trade places.

    Raises:
        InputError: more tokens than positions are left.
    """
    kept = not interventions.moved(side)
    shift = interventions.shift if not kept and interventions.positions == "shifted" else 0
    if end + shift > len(table):
        moved = f", moved {shift} places further on," if shift else ""
        raise InputError(
            f"{end} {side} tokens{moved} were given; this model has {len(table)} positions. "
            "Take less text, less padding or a smaller shift."
        )
    if kept or interventions.positions == "shifted":
        return table[shift:]
    if interventions.positions == "none":
        return torch.zeros_like(table)
    assert real is not None  # only sources are shuffled
    order = torch.arange(end).repeat(len(real), 1)  # (B, S)
    for row, length in zip(order, real.sum(-1).tolist(), strict=True):
        generator = torch.Generator().manual_seed(interventions.position_seed)
        row[:length] = torch.randperm(length, generator=generator)
    return table[order.to(table.device)]


def _rows(interventions: Rows) -> Sequence[Interventions]:
    return (interventions,) if isinstance(interventions, Interventions) else interventions


def _n_layers(kind: Kind, config: ModelConfig) -> int:
    return config.n_encoder_layers if kind == "encoder_self" else config.n_decoder_layers


def _check_layers(interventions: Interventions, config: ModelConfig) -> None:
    for kind, layer, head in interventions.heads_off:
        if layer >= _n_layers(kind, config) or head >= config.n_heads:
            raise InputError(
                f"Head {head + 1} of layer {layer + 1} of {_NAMES[kind]} was to be switched off; "
                f"it has {_n_layers(kind, config)} layers of {config.n_heads} heads."
            )
    for layer in interventions.cross_off:
        if layer >= config.n_decoder_layers:
            raise InputError(
                f"The cross-attention of layer {layer + 1} was to be switched off; "
                f"the decoder has {config.n_decoder_layers} layers."
            )


def _check_inside(cells: Sequence[tuple[int, int, bool]], kind: Kind, n_keys: int) -> None:
    """Refuse what lies outside the source; a target may end anywhere."""
    for query, key, _ in cells:
        last = {"encoder_self": max(query, key), "cross": key, "decoder_self": 0}[kind]
        if last >= n_keys:
            raise InputError(
                f"A cell of {_NAMES[kind]} was painted at source position {last + 1}; "
                f"this source has {n_keys} tokens."
            )
