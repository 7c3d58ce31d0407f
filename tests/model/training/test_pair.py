"""Any two languages: a made-up pair is learnt, from files with domains, by the commands alone."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from model import evaluate, train
from tests.model.training.test_train import run

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


@pytest.mark.slow
def test_a_made_up_pair_is_learnt(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "run"
    flags = "--epochs 24 --dev-sentences 20 --dropout 0 --rough 0 --parts 2 --caps zoo=300"
    flags += " --source-script LATIN --target-script LATIN --length-factor 3"
    flags += " --max-words 20 --schedule trapezoid"
    assert run(write(tmp_path, 700), out, *flags.split()) == 0
    data = f"--model {out / 'model'} --data {out / 'data' / 'test.tsv'} --beam 4 --json"
    capsys.readouterr()
    assert evaluate.main([*data.split(), "--per-domain"]) == 0
    scores = json.loads(capsys.readouterr().out)
    assert scores["tokenize"] == "13a"
    assert scores["bleu"] > 60
    assert set(scores["domains"]) == {"home", "zoo"}
    assert sum(part["sentences"] for part in scores["domains"].values()) == scores["sentences"]
    card = (out / "model" / "README.md").read_text("utf-8")
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
