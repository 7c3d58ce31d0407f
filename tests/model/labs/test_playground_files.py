"""A run as a checkpoint: what the page downloads, `Explainer.load` opens, with the same outputs."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import save

from model import checkpoint
from model.config import DecodeConfig
from model.errors import CheckpointError, InputError
from model.explain import Explainer
from model.labs.playground.files import archive, name, tokenizer
from model.labs.playground.presets import MODELS
from model.labs.playground.run import TOO_FEW, Result, train
from model.labs.playground.settings import Settings
from model.labs.playground.trained import explainer as opened
from model.text.alphabet import LetterTokenizer

SMALL = Settings(length=3, alphabet=12, d_model=16, d_ff=16, heads=2, batch=8, updates=20)


@pytest.fixture(scope="module")
def result() -> Result:
    return train(SMALL)


def unpacked(result: Result, folder: Path) -> Path:
    """The folder of a run's zip."""
    weights = save(result.model.state_dict())
    packed = archive(result.settings, weights, result.to_dict())
    with zipfile.ZipFile(io.BytesIO(packed)) as files:
        files.extractall(folder)
    return folder / name(result.settings)


@pytest.mark.slow
@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"norm": "pre"},
        {"norm": "none", "residual": False},
        {"tied": False, "positions": "none"},
        *MODELS.values(),
    ],
)
def test_the_downloaded_model_is_the_trained_one(tmp_path: Path, changes: dict) -> None:
    result = train(replace(SMALL, **changes))
    loaded = Explainer.load(unpacked(result, tmp_path), device="cpu")
    kept = opened(result.settings, save(result.model.state_dict()))
    letters = result.settings.letters()
    for text in loaded.tokenizer.examples:
        found = loaded.explain(text, DecodeConfig(method="greedy", max_length=20))
        ids = found.trace.tgt_out.ids.tolist()
        with torch.inference_mode():  # the network alone, on ids of the task's own vocabulary
            src = torch.tensor([[*letters.encode(text), 2]])
            logits = result.model(src, torch.tensor([[1, *ids[:-1]]]))[0]
        for one in (loaded, kept):
            assert np.allclose(one.logits(text, ids), logits.numpy(), atol=1e-4)
        again = kept.explain(text, DecodeConfig(method="greedy", max_length=20))
        assert again.trace.tgt_out.text == found.trace.tgt_out.text == letters.decode(ids)


def test_the_card_says_what_it_is(result: Result, tmp_path: Path) -> None:
    card = (unpacked(result, tmp_path) / "README.md").read_text("utf-8")
    assert result.score is not None
    assert "Tested on 200 inputs that it never trained on" in card
    for own, luck in (
        (result.score.free_accuracy, result.score.chance.answers),
        (result.score.teacher_forced_accuracy, result.score.chance.tokens),
    ):
        assert f"| {own:.1%} | {luck:.1%} |" in card
    assert "Task: reverse" in card and "seed 1" in card
    for setting, value in json.loads(SMALL.to_json()).items():
        assert f"| {setting} | {value} |" in card


@pytest.mark.slow
def test_the_card_says_why_there_is_no_score(tmp_path: Path) -> None:
    result = train(replace(SMALL, alphabet=2))
    card = (unpacked(result, tmp_path) / "README.md").read_text("utf-8")
    assert f"Task: reverse. {TOO_FEW}" in card and "%" not in card


def test_it_can_be_saved_again(result: Result, tmp_path: Path) -> None:
    first = checkpoint.load(unpacked(result, tmp_path))
    checkpoint.save(tmp_path / "copy", first)
    second = checkpoint.load(tmp_path / "copy")
    assert second.tokenizer.examples == first.tokenizer.examples == tokenizer(SMALL).examples
    assert torch.equal(second.model.output_weight, first.model.output_weight)


def test_letters_are_tokens() -> None:
    found = LetterTokenizer("abc").encode_source(" cab ")
    assert (found.text, found.pieces, found.ids.tolist()) == (
        "cab",
        ("c", "a", "b", "</s>"),
        [6, 4, 5, 2],
    )
    assert found.spans.tolist() == [[0, 1], [1, 2], [2, 3], [3, 3]]
    assert LetterTokenizer("abc").decode([6, 4, 5, 2]) == "cab"
    with pytest.raises(InputError, match="only these characters: abc"):
        LetterTokenizer("abc").encode_source("a b")
    with pytest.raises(InputError, match="nothing to read"):
        LetterTokenizer("abc").encode_source("  ")


@pytest.mark.parametrize(
    "content",
    [
        "", "[]", "{}", '{"letters": ""}', '{"letters": "aa"}', '{"letters": "a b"}',
        '{"letters": "ab", "examples": ["abc"]}', '{"letters": "ab", "examples": [""]}',
        '{"letters": "ab", "examples": [1]}', '{"letters": ["a"]}',
    ],
)  # fmt: skip
def test_a_damaged_alphabet_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "letters.json").write_text(content)
    with pytest.raises(CheckpointError, match=r"letters\.json"):
        LetterTokenizer.load(tmp_path)


def test_an_alphabet_of_another_model_is_refused(result: Result, tmp_path: Path) -> None:
    folder = unpacked(result, tmp_path)
    (folder / "letters.json").write_text('{"letters": "abcdefghijklmnopqrst"}')
    with pytest.raises(CheckpointError, match="vocab_size is 16, but 24 in the tokenizer"):
        checkpoint.load(folder)
