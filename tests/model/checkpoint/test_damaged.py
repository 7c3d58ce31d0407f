"""Damaged checkpoints: each gives one message that names what is wrong and says what to do."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file

from model.checkpoint import load
from model.errors import CheckpointError
from tests import tiny

pytest.importorskip("transformers")

WEIGHTS, NORM = "model.safetensors", "model.encoder.layers.0.final_layer_norm.weight"
INDEX = "pytorch_model.bin.index.json"
ADVICE = ("Copy or download", "copy it again", "Download both", "Choose another", "Headlight opens")
ADVICE += ("Use a model.safetensors instead", "copy or download")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny.write_marian(tmp_path_factory.mktemp("whole") / "opus", separate=True)


@pytest.fixture
def folder(whole: Path, tmp_path: Path) -> Path:
    (tmp_path / "opus").mkdir()
    for file in whole.iterdir():
        (tmp_path / "opus" / file.name).write_bytes(file.read_bytes())
    return tmp_path / "opus"


def change(file: Path, **values: object) -> None:
    """Other values in a JSON file; None takes one out."""
    found = {**json.loads(file.read_text("utf-8")), **values}
    file.write_text(json.dumps({k: v for k, v in found.items() if v is not None}), "utf-8")


def lose_an_embedding(folder: Path) -> None:
    weights = load_file(folder / WEIGHTS)
    del weights["model.encoder.embed_tokens.weight"]
    save_file(weights, folder / WEIGHTS)


def be_another_type(folder: Path) -> None:
    change(folder / "config.json", model_type="funnel")


def lose_the_targets_vocabulary(folder: Path) -> None:
    (folder / "target_vocab.json").unlink()


def lose_the_end(folder: Path) -> None:
    change(folder / "target_vocab.json", **{"</s>": None})


def name_a_missing_shard(folder: Path) -> None:
    (folder / WEIGHTS).unlink()
    index = {"weight_map": {NORM: "model-00002-of-00002.safetensors"}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))


def shard_pickles(folder: Path, change: Callable[[dict[str, Any]], object] = len) -> None:
    """Write the weights as a pickle with an index; `change` what is in the pickle."""
    weights = load_file(folder / WEIGHTS)
    (folder / WEIGHTS).unlink()
    file = "pytorch_model-00001-of-00001.bin"
    index = {"weight_map": dict.fromkeys(weights, file)}
    change(weights)
    torch.save(weights, folder / file)
    (folder / INDEX).write_text(json.dumps(index))


def name_a_missing_pickle(folder: Path) -> None:
    shard_pickles(folder)
    (folder / "pytorch_model-00001-of-00001.bin").unlink()


def name_a_pickle_elsewhere(folder: Path) -> None:
    shard_pickles(folder)
    (folder / INDEX).write_text(json.dumps({"weight_map": {NORM: "../pytorch_model.bin"}}))


def name_safetensors_among_pickles(folder: Path) -> None:
    shard_pickles(folder)
    (folder / INDEX).write_text(json.dumps({"weight_map": {NORM: "model.safetensors"}}))


def cut_a_sharded_pickle(folder: Path) -> None:
    shard_pickles(folder)
    path = folder / "pytorch_model-00001-of-00001.bin"
    path.write_bytes(path.read_bytes()[:-100])


def lose_a_weight_of_a_pickle(folder: Path) -> None:
    shard_pickles(folder, lambda weights: weights.pop(NORM))


def hide_code_in_a_sharded_pickle(folder: Path) -> None:
    shard_pickles(folder, lambda weights: weights.update({NORM: Bomb()}))


def break_the_index_of_pickles(folder: Path) -> None:
    shard_pickles(folder)
    (folder / INDEX).write_text('{"weight_map": [')


class Bomb:
    """Whose unpickling runs code."""

    def __reduce__(self) -> object:
        return os.mkdir, ("executed",)


def hide_code_in_a_pickle(folder: Path) -> None:
    torch.save({**load_file(folder / WEIGHTS), NORM: Bomb()}, folder / "pytorch_model.bin")
    (folder / WEIGHTS).unlink()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("damage", "named"),
    [
        (lose_an_embedding, "1 missing: model.encoder.embed_tokens.weight"),
        (be_another_type, "opus is of type 'funnel'"),
        (lose_the_targets_vocabulary, "opus has no target_vocab.json"),
        (lose_the_end, "no </s>"),
        (name_a_missing_shard, "names model-00002-of-00002.safetensors, which is not there"),
        (hide_code_in_a_pickle, "opus/pytorch_model.bin is damaged, or holds more than weights"),
        (name_a_missing_pickle, f"{INDEX} names pytorch_model-00001-of-00001.bin, which is not"),
        (name_a_pickle_elsewhere, "names a file '../pytorch_model.bin'; expected names such as"),
        (name_safetensors_among_pickles, "such as pytorch_model-00001-of-00002.bin"),
        (cut_a_sharded_pickle, "opus/pytorch_model-00001-of-00001.bin is damaged"),
        (lose_a_weight_of_a_pickle, f"do not hold {NORM}"),
        (hide_code_in_a_sharded_pickle, "is damaged, or holds more than weights"),
        (break_the_index_of_pickles, f"opus/{INDEX} is damaged"),
    ],
)
def test_the_message_names_the_damage_and_what_to_do(
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    damage: Callable[[Path], None],
    named: str,
) -> None:
    monkeypatch.chdir(tmp_path)  # where code of a pickle would leave its folder
    damage(folder)
    with pytest.raises(CheckpointError) as caught:
        load(folder)
    message = str(caught.value)
    assert named in message
    assert any(advice in message for advice in ADVICE), message
    assert message.endswith((".", ")"))
    assert "\n" not in message
    assert len(message) < 300
    assert str(tmp_path) not in message
    assert not (tmp_path / "executed").exists()


def test_without_damage_it_opens(folder: Path) -> None:
    assert load(folder).format == "marian"
