"""A score taken apart: its parts add up to the record, and are those of the definition."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from model.config import KINDS, UNTOUCHED, DecodeConfig, Interventions, Kind
from model.errors import InputError
from model.explain import Explainer
from model.labs.looks import Look, look, main
from model.labs.removal import score_without
from model.trace import Explanation
from tests import foreign
from tests.foreign import write_tiny
from tests.model.labs.looks_by_definition import ByDefinition, NeverWritten
from tests.tiers import IS_LONG
from tests.tiny import SINCE, write_own

TEXT = "I am a small frog."
LEARNED = {"positions": "learned", "position_offset": 2}
OWN: dict[str, dict[str, Any]] = {
    "learned, other heads": {**LEARNED, "embedding_norm": "sum", "decoder_heads": 4},
    "norm before positions": {**LEARNED, "norm": "pre", "embedding_norm": "target_token"},
    "no biases, narrow": {"biases": False, "norm": "pre", "head_size": 3},
    "no positions": {"positions": "none", "scale_embedding": False},
    "distances and biases": {"positions": "relative", "max_distance": 20},
}
FAMILIES = [
    *("post", "pre", "marian", *OWN, *SINCE),
    *(pytest.param(name, marks=pytest.mark.long) for name in foreign.KINDS),
]
CHANGED = (
    UNTOUCHED,
    Interventions(heads_off=(("cross", 0, 0), ("encoder_self", 0, 1), ("decoder_self", 0, 1))),
    Interventions(causal_mask=False, cross_off=(0,), scaling=False),
    Interventions(cells=(("decoder_self", 2, 1, False), ("cross", 1, 2, False)), padding=2),
    Interventions(positions="shuffled", padding=3, padding_mask=False),
    Interventions(positions="none"),
    Interventions(positions="shifted", shift=5, sides="target"),
)
CELLS = 100 if IS_LONG else 6
EXACT = 1e-5  # of the largest number, where the model computes in float64


def opened(folder: Path, name: str) -> Explainer:
    path = write_own(folder, **OWN[name]) if name in OWN else write_tiny(folder, name)
    return Explainer.load(path, device="cpu")


def explain(explainer: Explainer, interventions: Interventions = UNTOUCHED) -> Explanation:
    config = DecodeConfig(method="sampling", max_length=7, seed=1)
    return explainer.explain(TEXT, config, interventions=interventions)


@pytest.fixture
def explainer(request: pytest.FixtureRequest, tmp_path: Path) -> Explainer:
    """A tiny model of a family, with weights so large that everything has an effect."""
    return opened(tmp_path / "m", request.param)


def family(*names: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("explainer", names, indirect=True)


def cells(found: Explanation, count: int, seed: int) -> list[tuple[Kind, int, int, int, int]]:
    """Random cells of any attention: kind, layer, head, row, column."""
    draw = random.Random(seed)
    kinds = [draw.choice(KINDS) for _ in range(count)]
    shapes = [found.trace.attention(kind).weights.shape for kind in kinds]
    places = [[draw.randrange(size) for size in shape] for shape in shapes]
    return [(kind, *place) for kind, place in zip(kinds, places, strict=True)]  # type: ignore[misc]


def error(split: Look) -> float:
    """What is left, in units of what may be left: 1e-4 of the largest part, or of 1."""
    return abs(split.left) / (1e-4 * max(1, *(abs(value) for *_, value in split.parts)))


@family(*FAMILIES)
def test_the_parts_add_up_to_the_recorded_score(explainer: Explainer) -> None:
    for i, change in enumerate(CHANGED):
        found = explain(explainer, change)
        for cell in cells(found, CELLS, i):
            split = look(explainer, found, *cell)
            recorded = found.trace.attention(cell[0]).scores(cell[1], cell[2])[cell[3:]]
            assert split.recorded == pytest.approx(float(recorded)), split
            assert error(split) < 1, (change, split)


def exact(explainer: Explainer) -> tuple[Explainer, dict[str, Any]]:
    """The model in float64, as its definition computes; of the record only the states are float32,
    which moves no number by more than a millionth of the largest. And its weights.
    """
    explainer = explainer.with_model(explainer.model.double())
    return explainer, {n: w.numpy() for n, w in explainer.model.state_dict().items()}


DEFINED = family("post", "marian", "pre", *OWN, "T5", "T5 1.1", "RMSNorm after, gated")


@DEFINED
def test_each_part_is_that_of_the_definition(explainer: Explainer) -> None:
    """Also: without a part of the key, and with every deviation kept, the score moves by it."""
    explainer, weights = exact(explainer)
    found = explain(explainer)
    trace, model = found.trace, explainer.model
    expected = ByDefinition(
        weights, model.config, trace.src.ids.tolist(), trace.tgt_in.ids.tolist()
    )
    for kind, layer, head, row, column in cells(found, 2 * CELLS, 0):
        split = look(explainer, found, kind, layer, head, row, column)
        table = expected.table(kind, layer, head)[..., row, column]
        assert [[*split.query_parts], [*split.key_parts]] == expected.names(kind, layer)
        np.testing.assert_allclose(split.table, table, atol=EXACT * max(1, np.abs(table).max()))
        score = expected.scores(kind, layer, head)[row, column]
        for name, moved in split.by_key.items():
            without = expected.scores(kind, layer, head, ("", name))[row, column]
            assert score - without == pytest.approx(moved, abs=EXACT * max(1, abs(score)))


@DEFINED
def test_a_part_that_is_never_written_is_that_of_the_definition(explainer: Explainer) -> None:
    """All that follows is computed again; the table, which keeps the norms, says otherwise."""
    explainer, weights = exact(explainer)
    found = explain(explainer)
    trace, apart = found.trace, 0.0
    ids = trace.src.ids.tolist(), trace.tgt_in.ids.tolist()
    for i, (kind, layer, head, row, column) in enumerate(cells(found, CELLS, 0)):
        split = look(explainer, found, kind, layer, head, row, column)
        side = "target" if kind == "decoder_self" else "source"
        for name in split.key_parts[i % 2 :: 2]:
            left_out = side, [column], [name]
            run = NeverWritten(*left_out, weights, explainer.model.config, *ids)
            mapped = ("", "bias") if name == "bias" else ("", "")
            expected = run.scores(kind, layer, head, mapped)[row, column]
            real = score_without(explainer, found, split, [name])
            assert real == pytest.approx(expected, abs=EXACT * max(1, abs(expected))), name
            apart = max(apart, abs(split.score - split.by_key[name] - real))
    assert apart > 0.1


@family("post", "T5")
def test_two_keys_and_several_parts_at_once(explainer: Explainer) -> None:
    explainer, weights = exact(explainer)
    found = explain(explainer)
    config, trace = explainer.model.config, found.trace
    split = look(explainer, found, "encoder_self", 1, 0, 1, 2, 4)
    parts = [*split.key_parts[:3]] + (["distance"] if split.distance is not None else [])
    ids = trace.src.ids.tolist(), trace.tgt_in.ids.tolist()
    run = NeverWritten("source", [2, 4], parts, weights, config, *ids)
    scores = run.scores("encoder_self", 1, 0)[1]
    expected = scores[2] - scores[4] - (split.distance or 0)
    assert score_without(explainer, found, split, parts) == pytest.approx(expected, abs=EXACT * 10)
    with pytest.raises(InputError, match="no part"):
        score_without(explainer, found, split, ["decoder 1 self 1"])


@family("post", "pre", "T5")
def test_two_keys_differ_by_what_their_weights_say(explainer: Explainer) -> None:
    """A softmax keeps differences of scores as ratios of weights, which the record has too."""
    found = explain(explainer)
    for kind, layer, head, row, column in cells(found, 5 * CELLS, 0):
        weights = found.trace.attention(kind).weights[layer, head, row]
        against = int(weights.argmax())
        if weights[column] > 1e-4:
            split = look(explainer, found, kind, layer, head, row, column, against)
            ratio = np.log(weights[column] / weights[against])
            assert split.score == pytest.approx(ratio, abs=1e-3)
            assert all(v == 0 for _, key, v in split.parts if key == "bias")  # it favours no key


def numbers(model: Any, path: str) -> torch.Tensor:
    """Half of the last axis of a tensor; of an output map, what one of two heads writes."""
    tensor: torch.Tensor = model
    for name in path.split("."):
        tensor = getattr(tensor, name)
    return tensor[..., : tensor.shape[-1] // 2]


FAULTS = (
    ("post", "embedding.positions"),
    ("learned, other heads", "embedding.source_positions.weight"),
    ("learned, other heads", "embedding.target_norm.weight"),
    ("learned, other heads", "embedding.source_norm.bias"),
    ("post", "decoder.0.self_attention.output.weight"),
    ("post", "decoder.0.cross_attention.output.weight"),
    ("post", "decoder.0.cross_attention.output.bias"),
    ("post", "encoder.1.feed_forward.outer.weight"),
    ("post", "encoder.0.self_attention_residual.norm.weight"),
    ("post", "encoder.0.self_attention_residual.norm.bias"),
    ("pre", "decoder.1.cross_attention_residual.norm.bias"),
    ("pre", "encoder_norm.weight"),
    ("pre", "encoder_norm.bias"),
    ("T5", "decoder.1.cross_attention_residual.norm.weight"),
    ("post", "decoder.1.cross_attention.query.bias"),
    ("post", "decoder.1.cross_attention.key.bias"),
)


@pytest.mark.parametrize(("explainer", "path"), FAULTS, indirect=["explainer"])
def test_other_weights_than_the_recorded_are_noticed(explainer: Explainer, path: str) -> None:
    found = explain(explainer)
    numbers(explainer.model, path).mul_(2)
    places = [(k, i) for k in KINDS for i in range(len(found.trace.attention(k).weights))]
    assert max(error(look(explainer, found, *place, 0, 2, 1)) for place in places) > 10


@family("post", "T5")
def test_another_scale_of_the_embedding_is_noticed(explainer: Explainer) -> None:
    found = explain(explainer)
    explainer.model.embedding.scale *= 1.1
    assert error(look(explainer, found, "encoder_self", 0, 0, 1, 2)) > 10


@family("T5")
def test_another_distance_is_noticed(explainer: Explainer) -> None:
    found = explain(explainer)
    maps = found.trace.encoder_self
    assert maps.bias is not None
    turned = replace(maps, bias=maps.bias[..., ::-1])
    altered = replace(found, trace=replace(found.trace, encoder_self=turned))
    split = look(explainer, altered, "encoder_self", 0, 0, 1, 2, 4)
    weights = maps.weights[0, 0, 1]
    assert abs(split.score - np.log(weights[2] / weights[4])) > 0.1


@family("post")
def test_the_command_answers_in_json(
    explainer: Explainer, capsys: pytest.CaptureFixture[str]
) -> None:
    line = f"--model {explainer.folder} --text frog --kind cross --layer 2 --head 1 --row 1"
    assert main([*line.split(), "--column", "2", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found.keys() == {"score", "parts", "norms"} and found["norms"] == "kept"
    recorded = explainer.explain("frog").trace.cross.scores(1, 0)[0, 1]
    assert found["score"] == pytest.approx(float(recorded))
    assert sum(part["value"] for part in found["parts"]) == pytest.approx(found["score"], abs=1e-4)
    names = {part["query"] for part in found["parts"]}
    assert {"embedding", "position", "decoder 1 cross 2", "decoder 1 feed-forward"} < names
    assert main([*line.split(), "--column", "2", "--against", "1"]) == 0
    assert "(column 2) and not " in capsys.readouterr().out
    assert main([*line.split(), "--column", "99"]) == 2
    assert "Column 99 was asked for" in capsys.readouterr().err


@pytest.mark.parametrize("part", [{"residual": False}, {"norm": "none"}])
def test_a_stream_that_is_no_sum_gets_a_sentence(tmp_path: Path, part: dict[str, Any]) -> None:
    explainer = Explainer.load(write_own(tmp_path / "m", **part), device="cpu")
    with pytest.raises(InputError, match="cannot be split"):
        look(explainer, explain(explainer), "cross", 0, 0, 0, 0)
