"""The figure of the training curves, where it comes from, and the library that draws it."""

from __future__ import annotations

import json
from pathlib import Path

import plotly.graph_objects as go
import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from explorer import card
from explorer.figures.curves import SERIES, curves
from explorer.view import PLOTLY, assets_path, assets_route, plotly_file
from model.checkpoint import SHIPPED

WORDS = {name: name.upper() for name, *_ in SERIES} | {
    name: name.upper() for name in ("updates", "loss", "score", "epoch")
}
LINES = [
    {"epoch": 1, "updates": 10, "train_loss": 5.0, "dev_loss": 4.0, "bleu": 1.0, "chrf": 2.0},
    {"epoch": 2, "updates": 20, "train_loss": 3.0, "dev_loss": 3.5, "bleu": 9.0, "chrf": 8.0},
]


def test_each_number_is_on_its_own_line() -> None:
    figure = curves(LINES, WORDS)
    found = {trace.name: (list(trace.x), list(trace.y), trace.yaxis) for trace in figure.data}
    assert found == {
        "TRAIN_LOSS": ([10, 20], [5.0, 3.0], "y"),
        "DEV_LOSS": ([10, 20], [4.0, 3.5], "y"),
        "BLEU": ([10, 20], [1.0, 9.0], "y2"),
        "CHRF": ([10, 20], [2.0, 8.0], "y2"),
    }
    assert figure.layout.yaxis.title.text == "LOSS"
    assert [trace.text[1] for trace in figure.data] == ["EPOCH 2"] * 4


def test_lines_are_told_apart_by_more_than_colour() -> None:
    for axis in ("y", "y2"):
        looks = [
            (t.line.dash, t.marker.symbol) for t in curves(LINES, WORDS).data if t.yaxis == axis
        ]
        assert len(set(looks)) == len(looks)


def test_the_page_chooses_the_colours() -> None:
    sent = json.loads(curves(LINES, WORDS).to_json())
    assert "color" not in json.dumps(sent["data"])
    assert "template" not in sent["layout"] or not sent["layout"]["template"]
    go.Figure(sent)  # what is sent is a whole figure


def test_the_library_comes_from_the_installed_package() -> None:
    client = TestClient(Starlette(routes=[assets_route()]))
    answer = client.get(assets_path() + PLOTLY)
    assert answer.status_code == 200
    assert answer.content == plotly_file().read_bytes()
    assert "javascript" in answer.headers["content-type"]
    assert "immutable" in answer.headers["cache-control"]
    assert client.get(assets_path() + "exhibits/" + PLOTLY).status_code == 404


def test_scores_are_those_of_the_card() -> None:
    greedy, beam = card.scores()
    assert (greedy.bleu, greedy.chrf, greedy.bleu_unlike, greedy.chrf_unlike) == (
        37.99, 32.92, 26.59, 23.29,
    )  # fmt: skip
    assert (beam.method, beam.bleu) == ("beam 4, length penalty 1", 39.85)


def test_a_folder_without_curves_has_none(tmp_path: Path) -> None:
    assert card.curves(tmp_path) == []


def test_what_is_said_of_the_training_is_what_the_card_says() -> None:
    text = (SHIPPED / "README.md").read_text("utf-8")
    trained, last = card.TRAINED, card.curves()[-1]
    assert card.FOLDER == SHIPPED
    for flag in ("--peak-lr 1.5e-3", "--warmup 800", "--epochs 36", "--average-last 8"):
        assert flag in text.replace("\n", " ")
    assert (trained.peak_lr, trained.warmup, trained.epochs) == (1.5e-3, 800, 36)
    assert trained.average_last == 8 and trained.label_smoothing == 0.1
    assert last["epoch"] == trained.epochs and f"{last['updates']:,} updates" in text
    assert last["lr"] == pytest.approx(
        trained.learning_rate(last["updates"], last["updates"]), abs=1e-6
    )
