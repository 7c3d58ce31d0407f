"""A changed pass against `transformers` and torch with the change made to their weights and masks.

Marian in float64; its position tables were born in float32, so 1e-6 of the largest number is the
tolerance, as in test_marian.py. Every case has a twin: the peer with the change of the next case
must be told apart.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.nn import functional as F

from model.checkpoint import load
from model.config import UNTOUCHED, Head, Interventions, Kind
from model.labs.ablation import all_heads
from model.transformer import Transformer, attention
from tests import tiny
from tests.parity.test_marian import ours, reference, sentences, theirs, unequal
from tests.parity.test_torch_layers import stacks, with_positions

pytest.importorskip("transformers")

Change = Callable[[Any], None]
HEADS = all_heads(tiny.own_model(decoder_heads=4).config)  # the tiny Marian has as many


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny.write_marian(tmp_path_factory.mktemp("marian"), decoder_attention_heads=4)


@pytest.fixture(scope="module")
def peer(folder: Path) -> Any:
    return reference(folder)


@pytest.fixture(scope="module")
def model(folder: Path) -> Transformer:
    return load(folder).model.double()


@pytest.fixture(autouse=True)
def _plain_layers() -> Iterator[None]:
    """Torch's fused path would pass by the masks of a test."""
    torch.backends.mha.set_fastpath_enabled(False)
    yield
    torch.backends.mha.set_fastpath_enabled(True)


# --------------------------------------------------------------------- what is done to the peer


def part(peer: Any, kind: Kind, layer: int) -> Any:
    stack = peer.model.encoder if kind == "encoder_self" else peer.model.decoder
    return stack.layers[layer].encoder_attn if kind == "cross" else stack.layers[layer].self_attn


def without_head(*heads: Head) -> Change:
    def change(peer: Any) -> None:
        for kind, layer, head in heads:
            stack = "encoder" if kind == "encoder_self" else "decoder"
            d_k = peer.config.d_model // getattr(peer.config, f"{stack}_attention_heads")
            part(peer, kind, layer).out_proj.weight[:, head * d_k : (head + 1) * d_k] = 0

    return change


def without_cross(layer: int) -> Change:
    def change(peer: Any) -> None:
        part(peer, "cross", layer).out_proj.weight.zero_()
        part(peer, "cross", layer).out_proj.bias.zero_()

    return change


def unscaled(peer: Any) -> None:
    for kind, layer, _ in HEADS:
        part(peer, kind, layer).scaling = 1.0


def positions(change: Callable[[Tensor], Tensor], *sides: str) -> Change:
    def changed(peer: Any) -> None:
        for side in sides:
            weight = getattr(peer.model, side).embed_positions.weight
            weight.copy_(change(weight.clone()))

    return changed


def read_padding(peer: Any) -> None:
    """The tests mask what has this id; nothing has it."""
    peer.config.pad_token_id = -1


BOTH = ("encoder", "decoder")
SOME = (HEADS[0], HEADS[7], HEADS[18], HEADS[25])
CASES: list[tuple[Interventions, Change]] = [
    (UNTOUCHED, lambda peer: None),
    (Interventions(heads_off=SOME), without_head(*SOME)),
    (Interventions(cross_off=(1,)), without_cross(1)),
    (Interventions(scaling=False), unscaled),
    (Interventions(padding_mask=False), read_padding),
    (Interventions(positions="none"), positions(torch.zeros_like, *BOTH)),
    (Interventions(positions="none", sides="target"), positions(torch.zeros_like, "decoder")),
    (Interventions(positions="shifted", shift=5), positions(lambda t: t.roll(-5, 0), *BOTH)),
    (
        Interventions(positions="shifted", shift=5, sides="source"),
        positions(lambda t: t.roll(-5, 0), "encoder"),
    ),
    *((Interventions(heads_off=(head,)), without_head(head)) for head in HEADS),
]


def changed(peer: Any, change: Change) -> Any:
    peer = copy.deepcopy(peer)
    with torch.no_grad():
        change(peer)
    return peer


@pytest.mark.parametrize("case", range(len(CASES)))
def test_a_change_is_the_same_change_in_transformers(
    model: Transformer, peer: Any, case: int
) -> None:
    interventions, change = CASES[case]
    _, other = CASES[(case + 1) % len(CASES)]
    src, tgt = sentences(model.config)
    found = ours(model, src, tgt, interventions)
    assert unequal(found, theirs(changed(peer, change), src, tgt)) == []
    assert "logits" in unequal(found, theirs(changed(peer, other), src, tgt))


@pytest.mark.parametrize("masked", [True, False])
def test_padding_is_what_a_longer_neighbour_would_leave(
    model: Transformer, peer: Any, masked: bool
) -> None:
    src, tgt = sentences(model.config)
    found = ours(model, src, tgt, Interventions(padding=4, padding_mask=masked))
    padded = F.pad(src, (0, 4), value=model.config.pad_id)
    nothing, respected = changed(peer, lambda peer: None), changed(peer, read_padding)
    same, other = (nothing, respected) if masked else (respected, nothing)
    assert unequal(found, theirs(same, padded, tgt)) == []
    assert "logits" in unequal(found, theirs(other, padded, tgt))


# --------------------------------------------------------------------------- masks, against torch


def test_masks_are_those_of_torch() -> None:
    """Random masks painted cell by cell; torch's masks are the other way round."""
    model = tiny.own_model(n_heads=4).double()
    generator = torch.Generator().manual_seed(5)
    src = torch.randint(4, 400, (1, 8), generator=generator)
    tgt = torch.randint(4, 400, (1, 6), generator=generator)
    masks = {
        "encoder_self": torch.rand(8, 8, generator=generator) < 0.5,
        "decoder_self": torch.rand(6, 6, generator=generator) < 0.5,
        "cross": torch.rand(6, 8, generator=generator) < 0.5,
    }
    for mask in masks.values():
        mask[:, 1] = True  # a row that may read nothing is refused
    cells = [
        (kind, q, k, bool(mask[q, k]))
        for kind, mask in masks.items()
        for q in range(mask.size(0))
        for k in range(mask.size(1))
    ]
    found = ours(model, src, tgt, Interventions.from_dict({"cells": cells}))
    encoder, decoder = stacks(model)
    embedded = [with_positions(model, ids) for ids in (src, tgt)]

    def torchs(**opposite: Tensor) -> Tensor:
        forbidden = {kind: ~mask for kind, mask in {**masks, **opposite}.items()}
        with torch.no_grad():
            memory = encoder(embedded[0], mask=forbidden["encoder_self"])
            return decoder(
                embedded[1],
                memory,
                tgt_mask=forbidden["decoder_self"],
                memory_mask=forbidden["cross"],
            )

    top = found["decoder_states"][-1]
    assert (top - torchs()).abs().max() <= 1e-10
    for kind, mask in masks.items():
        flipped = mask.clone()
        flipped[2, 3] = ~flipped[2, 3]
        assert (top - torchs(**{kind: flipped})).abs().max() > 1e-6
        assert (found[kind][..., ~mask] == 0).all()


def test_no_causal_mask_is_torchs_decoder_without_one() -> None:
    model = tiny.own_model().double()
    src, tgt = torch.randint(4, 400, (3, 5)), torch.randint(4, 400, (3, 6))
    found = ours(model, src, tgt, Interventions(causal_mask=False))
    encoder, decoder = stacks(model)
    future = torch.ones(6, 6, dtype=torch.bool).triu(1)
    with torch.no_grad():
        memory, x = encoder(with_positions(model, src)), with_positions(model, tgt)
        free, masked = decoder(x, memory), decoder(x, memory, tgt_mask=future)
    assert (found["decoder_states"][-1] - free).abs().max() <= 1e-10
    assert (found["decoder_states"][-1] - masked).abs().max() > 1e-3


def test_unscaled_attention_is_torchs_with_scale_one() -> None:
    queries, keys, values = torch.randn(3, 2, 4, 5, 8, dtype=torch.float64)
    mask = torch.rand(2, 1, 5, 5) < 0.7
    mask[..., 0] = True
    found, _ = attention(queries, keys, values, mask, scaling=False)

    def torchs(scale: float | None) -> Tensor:
        return F.scaled_dot_product_attention(queries, keys, values, mask, scale=scale)

    assert (found - torchs(1.0)).abs().max() <= 1e-12
    assert (found - torchs(None)).abs().max() > 1e-3
