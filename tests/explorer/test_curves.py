"""What is said of the shipped model's training, and the library that draws large charts."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from explorer import card
from explorer.static import PLOTLY, assets_path, assets_route, plotly_file
from model.checkpoint import SHIPPED
from model.errors import CheckpointError


@pytest.mark.slow
def test_the_library_comes_from_the_installed_package() -> None:
    client = TestClient(Starlette(routes=[assets_route()]))
    answer = client.get(assets_path() + PLOTLY)
    assert answer.status_code == 200
    assert answer.content == plotly_file().read_bytes()
    assert "javascript" in answer.headers["content-type"]
    assert "immutable" in answer.headers["cache-control"]
    assert client.get(assets_path() + "exhibits/" + PLOTLY).status_code == 404


def test_scores_are_those_of_the_card() -> None:
    text = (SHIPPED / "README.md").read_text("utf-8")
    for row in card.scores():
        numbers = [row.bleu, row.chrf, *row.others.values()]
        assert f"| {row.method} | {' | '.join(f'{one:.2f}' for one in numbers)} |" in text


def test_the_card_says_what_its_scores_are_of() -> None:
    """The first table is of one domain; the row of that domain among all has the same count."""
    text = (SHIPPED / "README.md").read_text("utf-8")
    held_out = card.held_out()
    assert f"\n{held_out.name} ({held_out.sentences:,} sentences, " in text
    row = next(line for line in text.splitlines() if line.startswith(f"| {held_out.name}, "))
    assert f"| {held_out.sentences:,} | {card.scores()[-1].bleu:.2f} |" in row


CARD = """# A card
Talk (7 sentences):

| part | pairs |
|---|---|
| test | 10 |

Radio plays (1,234 sentences, 9 of them unlike):

| | domain | BLEU | chrF | BLEU, unlike |
|---|:-:|---|---:|---|
| greedy | all | 31.5 | 28 | 20.25 |
| beam 4 | all | 33.0 | 29.5 | – |

| other | BLEU | chrF |
"""


def test_a_table_of_any_columns_is_read_by_its_head(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text(CARD, "utf-8")
    assert card.scores(tmp_path) == (
        card.Score("greedy", 31.5, 28.0, {"BLEU, unlike": 20.25}),
        card.Score("beam 4", 33.0, 29.5, {}),
    )


def test_the_scored_sentences_are_named_before_their_table(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text(CARD, "utf-8")
    assert card.held_out(tmp_path) == card.HeldOut("Radio plays", 1234)
    (tmp_path / "README.md").write_text(CARD.replace("sentences", "pairs"), "utf-8")
    with pytest.raises(CheckpointError, match=r"README.md does not say"):
        card.held_out(tmp_path)


def test_scores_of_a_file_go_before_those_of_the_card(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text(CARD, "utf-8")
    row = {"decoding": "beam 8", "BLEU": 40.1, "chrF": 35, "BLEU, news": 12}
    (tmp_path / "scores.json").write_text(json.dumps([row]), "utf-8")
    assert card.scores(tmp_path) == (card.Score("beam 8", 40.1, 35.0, {"BLEU, news": 12.0}),)


def test_a_folder_without_curves_has_none(tmp_path: Path) -> None:
    assert card.curves(tmp_path) == []


def test_what_is_said_of_the_training_is_what_the_card_says() -> None:
    text = (SHIPPED / "README.md").read_text("utf-8")
    trained, own = card.trained(), card.last_run()
    assert card.FOLDER == SHIPPED
    flags = " ".join(text.split())
    for name in ("warmup", "epochs", "average_last"):
        assert f"--{name.replace('_', '-')} {getattr(trained, name)}" in flags
    assert float(re.findall(r"--peak-lr (\S+)", flags)[-1]) == trained.peak_lr
    # The shipped weights may be of an epoch before the last.
    assert len(own) <= trained.epochs and f"{own[-1]['updates']:,} updates" in flags


def test_the_last_run_counts_its_own_updates(tmp_path: Path) -> None:
    lines = [
        {"epoch": 1, "updates": 100, "lr": 1e-3},
        {"run": 2, "epoch": 2, "updates": 150, "lr": 2e-3},
        {"run": 2, "epoch": 3, "updates": 200, "lr": 0.0},
    ]
    (tmp_path / "curves.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert [line["updates"] for line in card.last_run(tmp_path)] == [50, 100]
    (tmp_path / "curves.jsonl").write_text(json.dumps(lines[0]) + "\n")
    assert [line["updates"] for line in card.last_run(tmp_path)] == [100]
