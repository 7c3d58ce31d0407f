"""A run becomes the shipped model: what is counted on, respelled and written into the card."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

from explorer import card, corpora, ship
from explorer.card import held_out, scores
from model import checkpoint, shipped
from model.checkpoint import snapshots
from model.errors import InputError
from model.files import write_text
from model.labs import release
from model.training.runs import Run
from tests.tiny import write_own

LINE = {"updates": 10, "seconds": 5.0, "lr": 0.1, "train_loss": 1.0, "dev_loss": 1.0, "chrf": 1.0}
UNLIKE = {"sentences": 3, "bleu": 30.5, "chrf": 20.5}
ROW = {"sentences": 1524, "bleu": 40.25, "chrf": 35.5, "unlike": UNLIKE}


def line(epoch: int, bleu: float, **more: float) -> dict[str, float]:
    return {**LINE, "epoch": epoch, "bleu": bleu, **more}


def test_curves_are_counted_on() -> None:
    before = [line(1, 5.0, run=1), line(2, 9.0, run=2, updates=20)]
    lines = release.continued(before, [line(1, 3.0), line(2, 8.0, updates=17)])
    assert lines[:2] == before
    assert [(x["run"], x["epoch"], x["updates"], x["bleu"]) for x in lines[2:]] == [
        (3, 3, 30, 3.0), (3, 4, 37, 8.0),
    ]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("is_best", [True, False])
def test_the_curves_end_with_the_last_epoch_in_the_weights(tmp_path: Path, is_best: bool) -> None:
    """The best epoch's weights are of the second epoch, an average is of the last ones."""
    run = Run(tmp_path / "run")
    write_own(run.model, seed=1, paired=True)
    model = checkpoint.load(run.model).model
    for epoch, bleu in ((1, 3.0), (2, 8.0), (3, 7.0)):
        run.add_to_curves(line(epoch, bleu))
    best = dict(model.state_dict())
    if not is_best:
        name = next(iter(best))
        best[name] = best[name] + 1
    save_file({name: value.contiguous().clone() for name, value in best.items()}, run.best)
    epochs = [entry["epoch"] for entry in release.shipped_lines(run, model)]
    assert epochs == ([1, 2] if is_best else [1, 2, 3])


def test_the_cards_tables_can_be_read_again(tmp_path: Path) -> None:
    text = "Talk (1,524 sentences):\n\n<!-- scores -->\nold\n<!-- /scores -->\nafter\n"
    rows = {"greedy": ship.both(ROW), "beam": ship.both(ROW)}
    written = ship.with_table(text, "scores", "decoding", rows)
    assert "old" not in written and written.endswith("<!-- /scores -->\nafter\n")
    write_text(tmp_path / "README.md", written)
    assert held_out(tmp_path).sentences == 1524
    found = scores(tmp_path)
    assert [(s.method, s.bleu, s.others["chrF, unlike"]) for s in found] == [
        ("greedy", 40.25, 20.5), ("beam", 40.25, 20.5),
    ]  # fmt: skip


def test_a_card_without_marks_is_refused() -> None:
    with pytest.raises(InputError, match="no marks <!-- domains -->"):
        ship.with_table("# A card", "domains", "domain", {"x": ship.counted(ROW)})


@pytest.mark.parametrize("name", shipped.names())
def test_the_shipped_cards_have_all_marks(name: str) -> None:
    text = (shipped.FOLDERS[name] / card.CARD).read_text("utf-8")
    assert re.search(r"SHA-256\s+`[0-9a-f]{64}`", text)
    for name in ("scores", "domains", "doubt", "run"):
        assert "new" in ship.with_table(text, name, "of", {"new": ship.counted(ROW)})


@pytest.mark.slow
def test_a_run_takes_the_place_of_the_shipped_model(tmp_path: Path) -> None:
    """Its weights and pieces are there, the snapshots of before read them, shares are of both."""
    folder = write_own(tmp_path / "shipped")
    run = Run(tmp_path / "run")
    write_own(run.model, seed=1, paired=True)
    old, new = checkpoint.load(folder), checkpoint.load(run.model)
    snapshots.save(snapshots.path(folder, 0.5), old.model)
    inner = "encoder.0.feed_forward.inner.weight"
    theirs = old.model.state_dict()[inner].clone()  # the weights lie in the file that is replaced
    write_text(folder / "curves.jsonl", '{"run": 1, "epoch": 1, "updates": 30, "seconds": 1}\n')
    run.add_to_curves(line(1, 3.0))
    release.take(run, folder)
    taken = checkpoint.load(folder)
    assert taken.format == "headlight-3" and not (folder / "tokenizer.model").exists()
    assert taken.tokenizer.pieces == new.tokenizer.pieces != old.tokenizer.pieces
    torch.testing.assert_close(taken.model.state_dict(), new.model.state_dict())
    assert snapshots.training_fractions(folder) == (0.38,)  # half of 30 of 40 updates
    then = snapshots.load(snapshots.path(folder, 0.375), new.model.config)
    assert (then.state_dict()[inner] - theirs).abs().max() < theirs.abs().max() / 200
    assert [entry["updates"] for entry in card.curves(folder)] == [30, 40]


@pytest.mark.slow
def test_the_first_run_of_a_model_needs_none_before(tmp_path: Path) -> None:
    run, folder = Run(tmp_path / "run"), tmp_path / "back"
    write_own(run.model, seed=1, paired=True)
    write_text(run.model / "README.md", "by the run")
    folder.mkdir()
    write_text(folder / "README.md", "by hand")
    run.add_to_curves(line(1, 3.0))
    for share in (0.0, 0.1):
        snapshots.save(snapshots.path(run.folder, share), checkpoint.load(run.model).model)
    release.take(run, folder, ("0.10",))
    taken, new = checkpoint.load(folder), checkpoint.load(run.model)
    torch.testing.assert_close(taken.model.state_dict(), new.model.state_dict())
    assert [(one["run"], one["updates"]) for one in card.curves(folder)] == [(1, 10)]
    assert (folder / "README.md").read_text() == "by hand"
    assert snapshots.training_fractions(folder) == (0.1,)


EVERY = {"doubt.json", "scores.json", "heads.json", "alignment.json", "openers.json"}
CHEAT = "cheat.safetensors"


@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("en-zh", {CHEAT, "gloss.json", "recorded.json"}),
        ("zh-en", set()),
        ("en-de", {"gloss.json", "recorded.json"}),
        ("de-en", set()),
    ],
)
def test_what_is_made_of_a_models_weights(tmp_path: Path, name: str, more: set[str]) -> None:
    """The second model of two depends on nothing that only the first one has."""
    made = ship.steps(Run(tmp_path), shipped.FOLDERS[name], ship.Command(tmp_path))
    assert set(made) == EVERY | more


@pytest.mark.parametrize("domain", ["cmn-eng", "tatoeba", "multi30k"])
def test_a_run_is_of_the_languages_of_its_sentences(tmp_path: Path, domain: str) -> None:
    run = Run(tmp_path)
    (tmp_path / "data").mkdir()
    write_text(run.part("dev"), f"Hi!\tHallo!\t{domain}\nYes.\tJa.\taosp-apps\n")
    if domain == "multi30k":
        with pytest.raises(InputError, match="sentences of aosp-apps, multi30k, which no row"):
            corpora.of_run(run)
    else:
        assert corpora.of_run(run).first == ("en-zh" if domain == "cmn-eng" else "en-de")


def test_sentences_are_turned_round_with_all_their_references(tmp_path: Path) -> None:
    (tmp_path / "back").mkdir()
    write_text(tmp_path / "sentences.tsv", "Hi!\t你好！\t嗨！\nHello!\t你好！\n")
    ship.turn_sentences(tmp_path, tmp_path / "back")
    made = (tmp_path / "back" / "sentences.tsv").read_text("utf-8")
    assert made == "你好！\tHi!\tHello!\n嗨！\tHi!\n"
