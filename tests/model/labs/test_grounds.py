"""What heads look by: shares that add up, and models of which the answer is known."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from model.config import DecodeConfig
from model.explain import Explainer
from model.labs.grounds import WRITERS, Grounds, grounds, main, writer
from model.labs.looks import look
from model.trace import Explanation
from tests.foreign import write_tiny

TEXTS = ("I am a small frog.", "The old bank stands.")


@pytest.fixture
def explainer(request: pytest.FixtureRequest, tmp_path: Path) -> Explainer:
    return Explainer.load(write_tiny(tmp_path / "m", request.param), device="cpu")


def family(*names: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("explainer", names, indirect=True)


def explain(explainer: Explainer) -> list[Explanation]:
    config = DecodeConfig(method="sampling", max_length=5, seed=1)
    return [explainer.explain(text, config) for text in TEXTS]


def of(heads: list[Grounds], kind: str, layer: int) -> list[Grounds]:
    return [one for one in heads if (one.kind, one.layer) == (kind, layer)]


@pytest.mark.parametrize(
    ("name", "who"),
    [
        *(("embedding", "embedding"), ("position", "position"), ("bias", "bias")),
        *(("decoder 1 self 3", "heads"), ("decoder 1 cross bias", "bias")),
        *(("encoder 2 feed-forward", "feed-forward"), ("encoder norm bias", "bias")),
        ("encoder 2 feed-forward norm bias", "bias"),
    ],
)
def test_every_part_has_a_writer(name: str, who: str) -> None:
    assert writer(name) == who


@family("post", "pre", "T5")
def test_shares_of_the_scores_of_the_record_add_up_to_one(explainer: Explainer) -> None:
    for one in grounds(explainer, explain(explainer)):
        assert one.shares.sum() + one.by_distance == pytest.approx(1, abs=1e-4)
        assert one.content + one.position + one.bias == pytest.approx(1)
        assert one.by_distance == 0 or one.kind != "cross"


@family("post")
def test_a_share_is_a_covariance_over_a_variance(explainer: Explainer) -> None:
    """Of one head that reads the past, cell by cell, from the tables of `looks`."""
    found = explain(explainer)[0]
    covariance, variance = np.zeros((len(WRITERS), len(WRITERS))), 0.0
    for row in range(1, len(found.trace.tgt_in)):  # row 0 may read only one key
        cells = [look(explainer, found, "decoder_self", 1, 1, row, k) for k in range(row + 1)]
        score = np.array([cell.recorded for cell in cells])
        variance += ((score - score.mean()) ** 2).sum()
        for query, key, _ in cells[0].parts:
            at = WRITERS.index(writer(query)), WRITERS.index(writer(key))
            place = cells[0].query_parts.index(query), cells[0].key_parts.index(key)
            values = np.array([cell.table[place] for cell in cells])
            covariance[at] += (values * (score - score.mean())).sum()
    one = of(grounds(explainer, [found]), "decoder_self", 1)[1]
    np.testing.assert_allclose(one.shares, covariance / variance, atol=1e-4)
    assert one.content == pytest.approx((covariance[:3, :3] / variance).sum(), abs=1e-4)
    assert one.bias == pytest.approx(
        (covariance[4, [0, 1, 2, 4]].sum() + covariance[:3, 4].sum()) / variance, abs=1e-4
    )


@family("post")
def test_the_favourite_is_the_piece_with_most_weight(explainer: Explainer) -> None:
    explanations = explain(explainer)
    counted = Counter[str]()
    for trace in (one.trace for one in explanations):
        for piece, weight in zip(trace.src.pieces, trace.cross.weights[1, 0].sum(0), strict=True):
            counted[piece] += float(weight)
    one = of(grounds(explainer, explanations), "cross", 1)[0]
    (piece, weight), *_ = counted.most_common(1)
    assert one.favourite == piece
    assert one.weight == pytest.approx(weight / sum(counted.values()), abs=1e-5)


@family("post")
def test_tokens_without_vectors_leave_places_and_biases(explainer: Explainer) -> None:
    explainer.model.embedding.token.weight.zero_()
    explainer.model.encoder[0].self_attention.query.bias.zero_()  # type: ignore[union-attr]
    for one in of(grounds(explainer, explain(explainer)), "encoder_self", 0):
        assert one.position == pytest.approx(1, abs=1e-5)


@family("post", "pre")
def test_queries_that_ask_nothing_leave_their_bias(explainer: Explainer) -> None:
    explainer.model.decoder[1].cross_attention.query.weight.zero_()  # type: ignore[union-attr]
    for one in of(grounds(explainer, explain(explainer)), "cross", 1):
        assert np.abs(one.shares[:4]).max() < 1e-6
        assert one.content == pytest.approx(0, abs=1e-6)
        assert one.largest[0].startswith("bias x ")


@family("post")
def test_the_command_prints_a_table_or_json(
    explainer: Explainer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "texts"
    data.write_text("\n".join(TEXTS), "utf-8")
    line = ["--model", str(explainer.folder), "--data", str(data)]
    assert main([*line, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    expected = grounds(explainer, map(explainer.explain, TEXTS))
    assert [one["content"] for one in found] == pytest.approx([one.content for one in expected])
    assert (found[0]["layer"], found[-1]["layer"], found[-1]["head"]) == (1, 3, 2)
    assert main(line) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2 + len(expected)
    assert main(line[:2]) == 2
    assert "give --data" in capsys.readouterr().err
