"""Healthy and collapsed heads, on models whose weights say which is which."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
import torch

from model import checkpoint
from model.attention import AttentionRecord, causal_mask
from model.checkpoint import Checkpoint
from model.errors import InputError
from model.labs import saturation
from model.labs.saturation import Head, measure, sample
from tests import tiny

PAIRS = list(zip(tiny.ENGLISH, tiny.CHINESE, strict=True))


@pytest.fixture
def loaded(tmp_path: Path) -> Checkpoint:
    return checkpoint.load(tiny.write_own(tmp_path / "own", paired=True))


def record(scores: list[list[float]], causal: bool = False) -> AttentionRecord:
    """One head of four queries and keys with these scores: the queries are the unit vectors."""
    queries = torch.eye(4, dtype=torch.float64)[None, None]
    keys = 2 * torch.tensor(scores, dtype=torch.float64).T[None, None]  # sqrt(d_k) is 2
    mask = causal_mask(4) if causal else None
    allowed = torch.tensor(scores, dtype=torch.float64)
    if causal:
        allowed = allowed.masked_fill(~causal_mask(4), -math.inf)
    return AttentionRecord(allowed.softmax(-1)[None, None], queries, keys, keys, mask)


def test_a_layer_by_hand() -> None:
    """Three of four queries prefer the second key: scores 0 and log 3 give it 3 of 6 parts."""
    strong = math.log(3)
    rows = [[0, strong, 0, 0], [0, strong, 0, 0], [0, strong, 0, 0], [strong, 0, 0, 0]]
    layer = saturation._Layer(1)
    layer.add(record(rows))
    assert layer.queries == 4
    assert layer.chosen[0] == 3
    assert layer.largest[0] == pytest.approx(4 * 0.5)
    # Around the mean log(3)/4 of a row: one (3/4)^2 and three (1/4)^2 of log(3)^2, over 4 cells.
    assert math.sqrt(layer.squares / layer.cells) == pytest.approx(strong * math.sqrt(3) / 4)


def test_a_query_without_a_choice_does_not_count() -> None:
    """The first row of a causal mask has one key; masked scores have no spread."""
    rows = [[9.0, 9, 9, 9], [0, 0, 99, 99], [0, 0, 0, 99], [0, 0, 0, 0]]
    layer = saturation._Layer(1)
    layer.add(record(rows, causal=True))
    assert (layer.queries, layer.cells) == (3, 2 + 3 + 4)
    assert layer.largest[0] == pytest.approx(1 / 2 + 1 / 3 + 1 / 4)
    assert layer.squares == 0


@pytest.mark.parametrize(
    ("favourite", "largest", "collapsed"),
    [(0.61, 0.91, True), (0.6, 0.99, False), (0.99, 0.9, False)],
)
def test_a_head_is_collapsed_by_both_measures(
    favourite: float, largest: float, collapsed: bool
) -> None:
    assert Head("cross", 0, 0, favourite, largest).is_collapsed is collapsed


@pytest.mark.slow
def test_a_head_that_scores_by_the_key_alone_is_collapsed(loaded: Checkpoint) -> None:
    """Its queries are its bias, the same for all; the others score all keys alike."""
    for layer in loaded.model.encoder:
        layer.self_attention.query.weight.zero_()
        layer.self_attention.query.bias.zero_()
    bias = loaded.model.encoder[1].self_attention.query.bias
    bias[8:] = 1000.0  # the second of two heads
    health = measure(loaded, PAIRS)
    assert health.n_sentences == len(PAIRS)
    found = {(h.kind, h.layer, h.head) for h in health.collapsed if h.kind == "encoder_self"}
    assert found == {("encoder_self", 1, 1)}
    assert health.spread["encoder_self"][0] == 0 < 10 < health.spread["encoder_self"][1]
    (head,) = (h for h in health.heads if (h.kind, h.layer, h.head) == ("encoder_self", 1, 1))
    assert head.favourite == 1
    even = [h for h in health.heads if (h.kind, h.layer) == ("encoder_self", 0)]
    tokens = [len(loaded.tokenizer.encode_source(a)) for a, _ in PAIRS]
    for h in even:  # all weights of a sentence of n tokens are 1 / n
        assert h.largest == pytest.approx(len(tokens) / sum(tokens), rel=1e-4)


def test_heads_of_the_decoder_that_favour_a_key_are_counted(loaded: Checkpoint) -> None:
    for layer in loaded.model.decoder:
        layer.self_attention.query.weight.zero_()
        layer.self_attention.query.bias.zero_()
    # Equal weights: argmax takes the first key for each query, and every query favours it.
    health = measure(loaded, PAIRS)
    assert len(health.favouring) == 6
    assert not [h for h in health.collapsed if h.kind == "decoder_self"]


def test_short_sentences_are_refused(loaded: Checkpoint) -> None:
    with pytest.raises(InputError, match="None of the 1 pairs has 6 tokens"):
        measure(loaded, [("I am", "我是")])


def test_the_sample_is_even() -> None:
    pairs = [(str(i), "") for i in range(10)]
    assert [a for a, _ in sample(pairs, 3)] == ["0", "3", "6"]
    assert sample(pairs, 20) == pairs


@pytest.mark.slow
def test_the_command_prints_text_and_json(
    loaded: Checkpoint, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "dev.tsv"
    file.write_text("".join(f"{a}\t{b}\n" for a, b in PAIRS), "utf-8")
    given = ["--model", str(loaded.folder), "--data", str(file)]
    assert saturation.main([*given, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    health = measure(loaded, PAIRS)
    assert found["sentences"] == 8
    assert found["collapsed"] == len(health.collapsed)
    assert len(found["heads"]) == 2 * 2 + 2 * 3 * 2
    np.testing.assert_allclose(found["spread"]["cross"], health.spread["cross"])
    assert saturation.main(given) == 0
    text = capsys.readouterr().out
    assert f"collapsed (*): {len(health.collapsed)} of 16 heads" in text
    assert text.count("*") == len(health.collapsed) + 1
