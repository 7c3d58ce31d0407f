"""A folder with a LoRA: merged with its base, or refused for what Headlight does not merge."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file, save_file

from model import hub
from model.checkpoint import load
from model.errors import CheckpointError
from tests import tiny

Q, V = "model.encoder.layers.0.self_attn.q_proj", "model.decoder.layers.1.encoder_attn.v_proj"
MAPS = {
    "bart": (Q, V, "model.decoder.layers.0.fc1"),
    "marian": (Q, V),
    "t5": ("encoder.block.0.layer.0.SelfAttention.q", "decoder.block.1.layer.2.DenseReluDense.wo"),
    "m2m100": (Q, "model.encoder.layers.1.fc2"),
}


def write_lora(
    folder: Path, base: Path, maps: tuple[str, ...], rank: dict[str, int], **settings: Any
) -> dict[str, np.ndarray]:
    """Write an adapter of random factors; return the product B A of each map."""
    folder.mkdir()
    own = {
        "peft_type": "LORA", "base_model_name_or_path": str(base), "r": 4, "lora_alpha": 6,
        "bias": "none", "fan_in_fan_out": False, "init_lora_weights": True, "modules_to_save": None,
        "task_type": "SEQ_2_SEQ_LM", "target_modules": ["q_proj", "v_proj"],
    }  # fmt: skip
    (folder / "adapter_config.json").write_text(json.dumps(own | settings), "utf-8")
    weights, random, products = load_file(base / "model.safetensors"), np.random.default_rng(3), {}
    factors = {}
    for name in maps:
        out, into = weights[f"{name}.weight"].shape
        r = next((n for end, n in rank.items() if name.endswith(end)), 4)
        a, b = ((random.normal(size=size) / 5).astype("f4") for size in ((r, into), (out, r)))
        factors |= {f"base_model.model.{name}.lora_{x}.weight": m for x, m in (("A", a), ("B", b))}
        products[name] = b.astype(float) @ a.astype(float)
    save_file(factors, folder / "adapter_model.safetensors")
    return products


def assert_merged(
    folder: Path, base: Path, products: dict[str, np.ndarray], scale: Callable[[str], float]
) -> None:
    """The adapter's model is that of the base's file with W + B A alpha / r in it, by hand."""
    path = base / "model.safetensors"
    weights, old = load_file(path), path.read_bytes()
    plain = load(base).model.state_dict()
    found = load(folder)
    for name, product in products.items():
        changed = weights[f"{name}.weight"].astype(float) + product * scale(name)
        weights[f"{name}.weight"] = changed.astype("f4")
    try:
        save_file(weights, path, {"format": "pt"})
        expected = load(base).model.state_dict()
    finally:
        path.write_bytes(old)
    off = [n for n, w in found.model.state_dict().items() if not torch.equal(w, plain[n])]
    assert len(off) == len(products)
    for name, weight in found.model.state_dict().items():
        assert (weight - expected[name]).abs().max() <= 1e-6
    assert found.name == folder.name and base.name in found.source


FORMS: list[tuple[str, dict[str, Any], dict[str, int], Callable[[str], float]]] = [
    ("plain", {}, {}, lambda name: 6 / 4),
    ("rslora", {"use_rslora": True}, {}, lambda name: 6 / 2),
    ("fan_in_fan_out", {"fan_in_fan_out": True}, {}, lambda name: 6 / 4),  # of no map of nn.Linear
    (
        "patterns",
        {"rank_pattern": {"q_proj": 2, "layer.0.SelfAttention.q": 2}, "alpha_pattern": {"^x": 1}},
        {"q_proj": 2, "SelfAttention.q": 2},
        lambda name: 6 / 2 if name.endswith((".q_proj", ".q")) else 6 / 4,
    ),
    (
        "alpha",
        {"alpha_pattern": {"encoder.layers.0.self_attn.q_proj": 10, "wo": 10}},
        {},
        lambda name: 10 / 4 if name.endswith(("0.self_attn.q_proj", "wo")) else 6 / 4,
    ),
]


@pytest.mark.parametrize("name", MAPS)
@pytest.mark.parametrize(("form", "settings", "rank", "scale"), FORMS, ids=[f[0] for f in FORMS])
def test_an_adapter_is_merged(
    tmp_path: Path, original: Callable[[str], Path], name: str, form: str,
    settings: dict[str, Any], rank: dict[str, int], scale: Callable[[str], float],
) -> None:  # fmt: skip
    products = write_lora(tmp_path / "tuned", original(name), MAPS[name], rank, **settings)
    assert_merged(tmp_path / "tuned", original(name), products, scale)


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"peft_type": "IA3"}, "of the kind 'IA3'"),
    ({"use_dora": True}, "use_dora is True"),
    ({"modules_to_save": ["lm_head"]}, r"modules_to_save is \['lm_head'\]"),
    ({"bias": "lora_only"}, "bias is 'lora_only'"),
    ({"init_lora_weights": "pissa"}, "init_lora_weights is 'pissa'"),
    ({"trainable_token_indices": [1]}, "trainable_token_indices is"),
    ({"rank_pattern": {"(a+)+$": 2}}, "rank_pattern has the expression"),
    ({"r": 8}, "do not have the rank 8"),
    ({"lora_alpha": "16"}, "lora_alpha '16'"),
    ({"base_model_name_or_path": None}, "names no base"),
    ({"base_model_name_or_path": "org/elsewhere"}, "a LoRA of org/elsewhere, which is no folder"),
]


@pytest.mark.parametrize(("settings", "says"), REFUSED)
def test_what_is_not_merged_is_refused_by_name(
    tmp_path: Path, original: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch,
    settings: dict[str, Any], says: str,
) -> None:  # fmt: skip
    monkeypatch.setattr(hub, "cached", lambda name, revision: None)
    write_lora(tmp_path / "tuned", original("bart"), MAPS["bart"], {}, **settings)
    hub.check(str(tmp_path / "tuned"))
    with pytest.raises(CheckpointError, match=says) as caught:
        load(tmp_path / "tuned")
    assert len(str(caught.value)) <= 320 and str(tmp_path) not in str(caught.value)


OTHER = [
    ("base_model.model.model.shared.weight", "holds more than the matrices of a LoRA"),
    ("base_model.model.model.shared.lora_embedding_A", "holds more than the matrices of a LoRA"),
    (f"base_model.model.{Q}.lora_magnitude_vector.weight", "holds more than the matrices"),
    ("base_model.model.lm_head.lora_A.weight", "do not have the rank"),
    ("base_model.model.model.encoder.layers.7.fc1.lora_AB", "holds more than the matrices"),
]


@pytest.mark.parametrize(("weight", "says"), OTHER)
def test_other_weights_are_refused(
    tmp_path: Path, original: Callable[[str], Path], weight: str, says: str
) -> None:
    write_lora(tmp_path / "tuned", original("bart"), MAPS["bart"], {})
    path = tmp_path / "tuned" / "adapter_model.safetensors"
    save_file({**load_file(path), weight: np.ones((4, 16), "f4")}, path)
    with pytest.raises(CheckpointError, match=says):
        load(tmp_path / "tuned")


def test_the_base_may_stand_beside_it_or_in_the_hubs_cache(
    tmp_path: Path, original: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "org/bart"
    products = write_lora(tmp_path / "tuned", original("bart"), MAPS["bart"], {})
    settings = json.loads((tmp_path / "tuned" / "adapter_config.json").read_text("utf-8"))
    settings["base_model_name_or_path"] = name
    (tmp_path / "tuned" / "adapter_config.json").write_text(json.dumps(settings), "utf-8")
    where = hub.ModelLocation(original("bart"), "bart", "c" * 40)
    monkeypatch.setattr(hub, "cached", lambda wanted, revision: where if wanted == name else None)
    assert_merged(tmp_path / "tuned", original("bart"), products, lambda _: 6 / 4)
    (tmp_path / "bart").symlink_to(original("bart"))
    monkeypatch.setattr(hub, "cached", lambda *wanted: None)
    assert_merged(tmp_path / "tuned", original("bart"), products, lambda _: 6 / 4)


def test_a_folder_may_have_both_base_and_adapter(
    tmp_path: Path, copy: Callable[[str], Path], original: Callable[[str], Path]
) -> None:
    """As in `transformers`: these weights are changed, not those that the adapter names."""
    elsewhere = {"base_model_name_or_path": "org/elsewhere"}
    products = write_lora(tmp_path / "tuned", original("bart"), MAPS["bart"], {}, **elsewhere)
    folder = copy("bart")
    plain = load(folder).model.state_dict()
    shutil.copytree(tmp_path / "tuned", folder, dirs_exist_ok=True)
    found = load(folder)
    changed = [n for n, w in found.model.state_dict().items() if not torch.equal(w, plain[n])]
    assert len(changed) == len(products) and found.notes == (("adapter", {}),)
    path = folder / "adapter_config.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "use_dora": True}), "utf-8")
    with pytest.raises(CheckpointError, match="use_dora is True"):  # not without a word
        load(folder)
    (folder / "model.safetensors").unlink()
    with pytest.raises(CheckpointError):
        load(folder)


def test_the_tokenizer_saved_with_an_adapter_goes_before_the_bases(
    tmp_path: Path, original: Callable[[str], Path]
) -> None:
    """As for AutoTokenizer: a training's source language stands there."""
    write_lora(tmp_path / "tuned", original("nllb"), (Q,), {})
    before = load(tmp_path / "tuned").tokenizer
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy(original("nllb") / name, tmp_path / "tuned" / name)
    settings = json.loads((tmp_path / "tuned" / name).read_text("utf-8"))
    (tmp_path / "tuned" / name).write_text(json.dumps({**settings, "src_lang": "fra_Latn"}))
    after = load(tmp_path / "tuned").tokenizer
    found = [one.encode_source("a frog").pieces[0] for one in (before, after)]
    assert found == [">>eng_Latn<<", ">>fra_Latn<<"]


def test_a_model_of_ours_is_no_base(tmp_path: Path, original: Callable[[str], Path]) -> None:
    write_lora(tmp_path / "tuned", original("bart"), MAPS["bart"], {})
    own = tiny.write_own(tmp_path / "own", paired=True)
    path = tmp_path / "tuned" / "adapter_config.json"
    values = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps(values | {"base_model_name_or_path": str(own)}), "utf-8")
    with pytest.raises(CheckpointError, match="Headlight's own"):
        load(tmp_path / "tuned")


@pytest.mark.long
@pytest.mark.parametrize("form", [form for form in FORMS if form[0] != "fan_in_fan_out"])
def test_the_merge_is_that_of_peft(
    tmp_path: Path, copy: Callable[[str], Path], original: Callable[[str], Path], form: Any
) -> None:
    peft = pytest.importorskip("peft")
    transformers = pytest.importorskip("transformers")
    _, settings, rank, _ = form
    more = {**settings, "target_modules": list(MAPS["bart"])}
    write_lora(tmp_path / "tuned", original("bart"), MAPS["bart"], rank, **more)
    model = transformers.AutoModelForSeq2SeqLM.from_pretrained(original("bart"))
    tuned = peft.PeftModel.from_pretrained(model, tmp_path / "tuned").merge_and_unload()
    merged = copy("bart")
    tuned.save_pretrained(merged)
    expected = load(merged).model.state_dict()
    for name, weight in load(tmp_path / "tuned").model.state_dict().items():
        assert (weight - expected[name]).abs().max() <= 1e-6
