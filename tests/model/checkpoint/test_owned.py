"""Folders that people have: weights and classes of tokenizers that no family's own model has."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file

from explorer.loading import Loading
from model.checkpoint import load
from model.errors import CheckpointError, InputError
from model.explain import Explainer


def change(path: Path, **values: Any) -> None:
    old = json.loads(path.read_text("utf-8")) if path.exists() else {}
    path.write_text(json.dumps(old | values), "utf-8")


def add_weight(folder: Path, name: str) -> None:
    weights = load_file(folder / "model.safetensors")
    save_file({**weights, name: torch.ones(3)}, folder / "model.safetensors", {"format": "pt"})


SPARE = [
    ("bart", "model.encoder.version"), ("marian", "model.decoder.version"), ("t5", "version"),
    ("m2m100", "model.encoder.embed_positions._float_tensor"), ("mvp", "lm_scale"),
    ("plbart", "classification_head.dense.weight"), ("t5", "encoder.position_ids"),
]  # fmt: skip
USED = [  # by a further layer, another norm, bias, gate or table, a quantised map, a prompt
    ("bart", "model.encoder.layers.7.fc1.weight"), ("bart", "model.encoder.layer_norm.weight"),
    ("bart", "model.decoder.layers.0.fc1.weight_scale"),
    ("t5", "encoder.block.9.layer.1.layer_norm.weight"),
    ("t5", "decoder.block.1.layer.0.SelfAttention.relative_attention_bias.weight"),
    ("t5", "encoder.block.0.layer.1.DenseReluDense.wi_0.weight"), ("m2m100", "final_logits_bias"),
    ("t5", "encoder.block.0.layer.0.SelfAttention.q.bias"), ("marian", "lm_head.lora_A.weight"),
    ("m2m100", "model.encoder.layernorm_embedding.weight"),
    ("mvp", "model.encoder.self_attn_prompt.prompt_embedding.weight"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "weight"), SPARE)
def test_weights_that_no_network_reads_are_left_out_and_named(
    copy: Callable[[str], Path], caplog: pytest.LogCaptureFixture, name: str, weight: str
) -> None:
    folder = copy(name)
    expected = load(folder)
    add_weight(folder, weight)
    found = load(folder)
    assert expected.notes == () and found.notes[0].key == "left_out"
    assert found.notes[0].values == {"count": 1, "names": weight} and weight in caplog.text
    for key, value in expected.model.state_dict().items():
        assert torch.equal(found.model.state_dict()[key], value)


@pytest.mark.parametrize(("name", "weight"), USED)
def test_weights_that_another_setting_would_read_are_refused(
    copy: Callable[[str], Path], name: str, weight: str
) -> None:
    folder = copy(name)
    add_weight(folder, weight)
    with pytest.raises(CheckpointError, match="1 unexpected") as caught:
        load(folder)
    assert weight in str(caught.value)


REFUSED = [
    ({"model_type": "mvp", "use_prompt": True}, "use_prompt is set"),
    (
        {"model_type": "seamless_m4t", "architectures": ["SeamlessM4TForTextToText"]},
        "is SeamlessM4TForTextToText: its layers of text stand in a model of speech",
    ),
    (
        {"model_type": "seamless_m4t_v2", "architectures": ["SeamlessM4Tv2ForTextToText"]},
        "is SeamlessM4Tv2ForTextToText: its layers of text",
    ),
    ({"model_type": "seamless_m4t", "architectures": ["SeamlessM4TModel"]}, "source is sound"),
]


@pytest.mark.parametrize(("values", "says"), REFUSED)
def test_a_network_is_refused_for_its_own_reason(
    copy: Callable[[str], Path], values: dict[str, Any], says: str
) -> None:
    folder = copy("mvp")
    change(folder / "config.json", **values)
    with pytest.raises(CheckpointError) as caught:
        load(folder)
    assert says in str(caught.value) and len(str(caught.value)) <= 300


def test_small_100_reads_the_code_of_the_target(copy: Callable[[str], Path]) -> None:
    """Its encoder does, before the text; nothing is forced on the decoder."""
    folder = copy("m2m100")
    plain = load(folder).tokenizer.encode_source("a frog").ids.tolist()
    settings = {"tokenizer_class": "SMALL100Tokenizer", "src_lang": "en", "tgt_lang": "de"}
    change(folder / "tokenizer_config.json", **settings)
    change(folder / "generation_config.json", forced_bos_token_id=None)
    explainer = Explainer.load(folder, device="cpu")
    codes = {code: explainer.tokenizer.numbers[f">>{code}<<"] for code in ("de", "fr", "zh")}
    assert plain[0] == explainer.tokenizer.numbers[">>en<<"]
    for text, code in (("a frog", "de"), (">>fr<< a frog", "fr"), (">>zh<< a frog", "zh")):
        assert explainer.read(text).ids.tolist() == [codes[code], *plain[1:]]
        rules = explainer.rules_of(explainer.read(text))
        assert (rules.start_id, rules.forced_first_id, rules.language) == (2, None, "none")
    with pytest.raises(InputError, match="no target language >>xx<<"):
        explainer.read(">>xx<< a frog")


@pytest.mark.parametrize("name", ["bart", "mbart-50", "chinese bart", "t5"])
@pytest.mark.parametrize(
    "settings",
    [
        {"tokenizer_class": "IndicTransTokenizer"},
        {"tokenizer_class": "tokenization_mine.MyTokenizer"},
        {"tokenizer_class": None, "auto_map": {"AutoTokenizer": ["mine.MyTokenizer", None]}},
    ],
)
def test_a_class_with_rules_of_its_own_is_named(
    copy: Callable[[str], Path], name: str, settings: dict[str, Any]
) -> None:
    folder = copy(name)
    change(folder / "tokenizer_config.json", **settings)
    with pytest.raises(
        CheckpointError, match=r"is a '(?:IndicTrans|My)Tokenizer', whose own rules"
    ):
        load(folder)


def test_with_a_tokenizer_json_such_a_class_is_a_note(copy: Callable[[str], Path]) -> None:
    folder = copy("flan-t5")
    change(folder / "tokenizer_config.json", tokenizer_class="MyTokenizer")
    assert load(folder).notes == (("class", {"name": "MyTokenizer"}),)


def test_an_expression_that_does_not_end_is_a_sentence(copy: Callable[[str], Path]) -> None:
    """The library panics, which is no `Exception`."""
    folder = copy("nllb")
    path = folder / "tokenizer.json"
    values = json.loads(path.read_text("utf-8"))
    split = {"type": "Split", "pattern": {"Regex": "^(a+)+$"}, "behavior": "Isolated"}
    both = [{**split, "invert": False}, values["pre_tokenizer"]]
    change(path, pre_tokenizer={"type": "Sequence", "pretokenizers": both})
    explainer = Explainer.load(folder, device="cpu")
    with pytest.raises(InputError, match="gave up on this text") as caught:
        explainer.read("a" * 32 + "!")
    assert caught.value.key == "endless"
    assert len(explainer.read("a frog")) > 1


def test_nobody_waits_for_a_model_whose_library_panicked() -> None:
    class Panic(BaseException):
        pass

    def load_model() -> Explainer:
        raise Panic

    with pytest.raises(CheckpointError, match="the server's log says why"):
        Loading(load_model).get(timeout=10)


@pytest.mark.parametrize(
    "lost", ["config.json", "vocab.json", "tokenizer_config.json", "model.safetensors"]
)
def test_a_message_names_a_model_of_the_hubs_cache(
    tmp_path: Path, original: Callable[[str], Path], lost: str
) -> None:
    """The folder itself has the name of a commit."""
    folder = tmp_path / "models--org--my-model" / "snapshots" / ("0123456789abcdef" * 3)[:40]
    shutil.copytree(original("bart"), folder)
    (folder / lost).write_text("Entry not found", "utf-8")
    if lost != "tokenizer_config.json":
        (folder / lost).unlink()
    with pytest.raises(CheckpointError) as caught:
        load(folder)
    assert "0123456789" not in str(caught.value) and "org/my-model" in str(caught.value)
