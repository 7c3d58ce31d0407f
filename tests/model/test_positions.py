"""Positions other than the paper's, and the norm on the input: learned tables, counted tokens."""

from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor
from torch.nn import functional as F

from model.config import Interventions, ModelConfig
from model.embedding import sinusoids
from model.errors import ConfigError, InputError
from model.transformer import Transformer
from tests.tiny import own_model

LEARNED = {"positions": "learned", "position_offset": 2}
COUNTED = {"sinusoids": "fairseq", "position_offset": 2, "counts_padding": False, "pad_id": 1}
KINDS = {
    "learned": LEARNED,
    "learned, no offset": {"positions": "learned", "norm": "pre"},
    "normed": {**LEARNED, "embedding_norm": "sum"},
    "token normed": {**LEARNED, "embedding_norm": "target_token"},
    "counted": COUNTED,
    "counted, pre-norm": {**COUNTED, "norm": "pre", "start_id": 2},
}


@pytest.fixture(params=KINDS)
def model(request: pytest.FixtureRequest) -> Transformer:
    return own_model(**KINDS[request.param]).double()


def batch(pad_id: int) -> tuple[Tensor, Tensor]:
    """Two sources, the second padded, and two targets without padding."""
    generator = torch.Generator().manual_seed(5)
    src, tgt = (torch.randint(4, 400, (2, n), generator=generator) for n in (7, 6))
    src[1, 4:] = pad_id
    return src, tgt


def test_a_longer_neighbour_changes_nothing(model: Transformer) -> None:
    src, tgt = batch(model.config.pad_id)
    alone = model(src[1:, :4], tgt[1:])
    torch.testing.assert_close(model(src, tgt)[1:], alone, rtol=0, atol=1e-10)


@pytest.mark.parametrize("side", ["source", "target"])
def test_the_input_is_what_the_config_says(model: Transformer, side: str) -> None:
    """Token vector plus table row, then the norm: written out from the weights."""
    config, own = model.config, dict(model.named_parameters())
    src, tgt = batch(config.pad_id)
    tokens = F.embedding(src if side == "source" else tgt, own["embedding.token.weight"])
    if config.embedding_norm != "target_token" or side == "source":
        tokens = tokens * math.sqrt(config.d_model)
    if config.positions == "learned":
        table = own[f"embedding.{side}_positions.weight"]
    else:
        table = sinusoids(66, config.d_model, "fairseq").float().double()
    first = config.position_offset
    rows = table[first : first + tokens.size(1)].expand_as(tokens)
    if not config.counts_padding and side == "source":
        rows = rows * (src != config.pad_id)[..., None]

    def norm(x: Tensor) -> Tensor:
        weights = (own[f"embedding.{side}_norm.{name}"] for name in ("weight", "bias"))
        return F.layer_norm(x, x.shape[-1:], *weights)

    expected = tokens + rows
    if config.embedding_norm == "target_token" and side == "target":
        expected = norm(tokens) + rows
    elif config.embedding_norm != "none":
        expected = norm(expected)
    memory, src_mask, record = model.encode(src)
    if side == "target":
        record = model.decode(tgt, model.start(memory, src_mask))[2]
    torch.testing.assert_close(record.states[0], expected, rtol=0, atol=1e-12)


def test_padding_inside_a_text_has_no_position_either() -> None:
    """As `create_position_ids_from_input_ids` of M2M100 counts: 1, -, 2, 3, -."""
    model = own_model(**COUNTED).double()
    src = torch.tensor([[7, 1, 8, 9, 1]])
    vectors, rows, _ = model.vectors(src, range(5), "source")
    table = model.embedding.table("source")
    zeros = torch.zeros(16, dtype=torch.float64)
    expected = torch.stack((table[0], zeros, table[1], table[2], zeros))
    assert torch.equal(rows[0], expected)
    assert vectors.shape == rows.shape


def test_edits_change_learned_positions_too() -> None:
    model = own_model(**LEARNED).double()
    src, _ = batch(0)
    table = model.embedding.source_positions.weight[2:]  # type: ignore[union-attr]

    def added(**values: object) -> Tensor:
        edits = model.edits(Interventions.from_dict(values))
        return model.vectors(src, range(7), "source", edits)[1]

    assert not added(positions="none").any()
    assert torch.equal(added(positions="shifted", shift=3), table[3:10])
    assert torch.equal(added(positions="shifted", shift=3, sides="target"), table[:7])
    shuffled = added(positions="shuffled", position_seed=2)
    order = torch.cdist(shuffled[0], table[:7]).argmin(-1)
    assert sorted(order.tolist()) == list(range(7)) != order.tolist()
    with pytest.raises(InputError, match="this model has 64 positions"):
        added(positions="shifted", shift=58)


def test_a_shift_passes_over_padding_that_is_not_counted() -> None:
    model = own_model(**COUNTED).double()
    src, _ = batch(1)
    edits = model.edits(Interventions(positions="shifted", shift=3))
    rows = model.vectors(src, range(7), "source", edits)[1]
    table = model.embedding.table("source")
    assert torch.equal(rows[1, :4], table[3:7])
    assert not rows[1, 4:].any()


def test_the_slowest_wave_of_fairseq_is_a_ten_thousandth() -> None:
    """exp(-ln 10000 * i / (d/2 - 1)): with six numbers 1, 1/100 and 1/10000."""
    expected = [math.sin(3), math.sin(0.03), math.sin(0.0003)]
    expected += [math.cos(3), math.cos(0.03), math.cos(0.0003)]
    torch.testing.assert_close(
        sinusoids(5, 6, "fairseq")[3], torch.tensor(expected, dtype=torch.float64)
    )


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"positions": "rotary"}, "expected one of sinusoids, learned"),
        ({"position_offset": -1}, "expected a whole number from 0 to 16"),
        ({"embedding_norm": True}, "expected one of none, sum, target_token"),
        ({"counts_padding": 0}, "expected true or false"),
        ({"output_bias": "yes"}, "expected true or false"),
    ],
)
def test_other_values_are_refused(values: dict[str, object], says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        ModelConfig.from_dict({"vocab_size": 30, **values})


def test_the_new_fields_are_written_only_where_they_differ() -> None:
    """An older Headlight opens a model that does not need them."""
    new = {"positions", "position_offset", "counts_padding", "embedding_norm"}
    assert new.isdisjoint(ModelConfig(30).saved())
    config = ModelConfig.from_dict({"vocab_size": 30, **COUNTED, "embedding_norm": "sum"})
    assert ModelConfig.from_dict(config.saved()) == config
