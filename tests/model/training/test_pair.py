"""Any two languages: a made-up pair is learnt, from files with domains, by the commands alone."""

from __future__ import annotations

import dataclasses
import json
import random
from pathlib import Path

import pytest

from model import checkpoint, evaluate, train
from model.checkpoint import snapshots
from model.config import DecodeConfig
from model.training import loop
from model.training.corpus import read_pairs
from model.training.scores import score
from model.translate import translate_all
from tests.model.training.test_train import curves, run

EPOCHS = 14
GREEDY = DecodeConfig(method="greedy")

NOUNS = {
    "dog": "hund",
    "cat": "katz",
    "man": "mann",
    "bird": "fogl",
    "child": "kinn",
    "fish": "fis",
}
VERBS = {"sees": "ser", "likes": "mag", "hears": "hort", "finds": "finn"}
SIZES = {"big": "stor", "small": "lill", "old": "alt", "red": "rod"}


def pair(rng: random.Random) -> tuple[str, str]:
    """The language that is made up has its verb at the end and its adjectives behind."""

    def thing() -> tuple[str, str]:
        noun, size = rng.choice(list(NOUNS)), rng.choice([*SIZES, ""])
        return f"the {size} {noun}".replace("  ", " "), f"{NOUNS[noun]} {SIZES.get(size, '')}"

    (one, eno), (two, owt), verb = thing(), thing(), rng.choice(list(VERBS))
    source, target = f"{one} {verb} {two}.", f"{eno} {owt} {VERBS[verb]}."
    return source.capitalize(), " ".join(target.split()).capitalize()


def write(folder: Path, n: int) -> Path:
    rng = random.Random(3)
    pairs = sorted({pair(rng) for _ in range(n)})
    rows = [f"{a}\t{b}\t{'zoo' if 'fish' in a else 'home'}\n" for a, b in pairs]
    (folder / "pairs.tsv").write_text("".join(rows), "utf-8")
    return folder / "pairs.tsv"


@pytest.fixture(scope="module")
def learnt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run that has learnt the pair."""
    folder = tmp_path_factory.mktemp("pair")
    flags = f"--epochs {EPOCHS} --peak-lr 0.01 --dev-sentences 4 --dropout 0 --rough 0 --parts 2"
    flags += " --subword-alpha 0 --caps zoo=300 --source-script LATIN --target-script LATIN"
    flags += " --length-factor 3 --max-words 20 --schedule trapezoid"
    assert run(write(folder, 500), folder / "run", *flags.split()) == 0
    return folder / "run"


@pytest.mark.slow
def test_a_made_up_pair_is_learnt(learnt: Path) -> None:
    lines = curves(learnt)
    assert [line["epoch"] for line in lines] == list(range(1, EPOCHS + 1))
    assert lines[-1]["dev_loss"] < 0.3 < 1 < lines[0]["dev_loss"]
    pairs = read_pairs(learnt / "data/test.tsv")
    outputs = translate_all(checkpoint.load(learnt / "model"), [a for a, _ in pairs], GREEDY)
    right = sum(o == b for o, (_, b) in zip(outputs, pairs, strict=True)) / len(pairs)
    assert right > 0.6  # of 3,600 sentences: guessing gives nothing
    assert score(outputs, [[b] for _, b in pairs])["chrf"] > 60


@pytest.mark.slow
@pytest.mark.long
def test_a_run_leaves_snapshots_from_random_to_trained(learnt: Path) -> None:
    kept = sorted(path.name for path in (learnt / "snapshots").iterdir())
    assert kept == sorted(f"{share:.2f}.safetensors.gz" for share in loop.SNAPSHOTS)
    loaded = checkpoint.load(learnt / "model")
    first = snapshots.load(learnt / "snapshots" / "0.00.safetensors.gz", loaded.model.config)
    text = ["The big dog sees the cat."]
    random_ones = translate_all(dataclasses.replace(loaded, model=first), text, GREEDY)
    assert random_ones != translate_all(loaded, text, GREEDY)


@pytest.mark.slow
@pytest.mark.long
def test_a_made_up_pair_is_scored_by_domain(
    learnt: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = f"--model {learnt / 'model'} --data {learnt / 'data' / 'test.tsv'} --beam 4 --json"
    assert evaluate.main([*data.split(), "--per-domain"]) == 0
    scores = json.loads(capsys.readouterr().out)
    assert scores["tokenize"] == "13a"
    assert scores["bleu"] > 60
    assert set(scores["domains"]) == {"home", "zoo"}
    assert sum(part["sentences"] for part in scores["domains"].values()) == scores["sentences"]
    card = (learnt / "model" / "README.md").read_text("utf-8")
    assert "Chinese" not in card and "English" not in card


@pytest.mark.parametrize("command", [train.main, evaluate.main])
def test_no_word_of_chinese_stands_in_the_way(
    command: object, capsys: pytest.CaptureFixture[str]
) -> None:
    """The help names it only where one asks for it: simplified characters, the zh tokeniser."""
    with pytest.raises(SystemExit):
        command(["--help"])  # type: ignore[operator]
    text = capsys.readouterr().out
    assert "source <tab> target" in " ".join(text.replace("│", " ").split())
    assert "English" not in text
