"""Checkpoints: what is saved comes back, and whatever is wrong with a folder or a name is said."""

from __future__ import annotations

import io
import json
import os
import pickle
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
import torch
from safetensors.torch import load_file, save_file

from explorer.exchange.reply import sentence
from model import hub
from model.checkpoint import export_model, load, own_rules, save
from model.checkpoint.__main__ import main
from model.config import DecodeConfig
from model.errors import CheckpointError, TraceError
from model.explain import Explainer
from tests import tiny

COMMIT = "0123456789abcdef0123456789abcdef01234567"

ATTENTION = [f"{m}.{p}" for m in ("key", "output", "query", "value") for p in ("bias", "weight")]


@pytest.fixture
def own(tmp_path: Path) -> Path:
    return tiny.write_own(tmp_path / "own")


@pytest.fixture(scope="module")
def marian_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("transformers")
    return tiny.write_marian(tmp_path_factory.mktemp("marian") / "marian")


@pytest.fixture
def marian(marian_once: Path, tmp_path: Path) -> Path:
    """A copy that a test may spoil."""
    folder = tmp_path / "marian"
    folder.mkdir()
    for file in marian_once.iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
    return folder


def change(path: Path, **values: Any) -> None:
    """Put other values into a JSON file; None takes a field out."""
    found = {**json.loads(path.read_text("utf-8")), **values}
    path.write_text(json.dumps({k: v for k, v in found.items() if v is not None}), "utf-8")


# ----------------------------------------------------------------------------------- our format


@pytest.mark.slow
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16])
@pytest.mark.parametrize("norm", ["post", "pre"])
def test_what_is_saved_comes_back(tmp_path: Path, dtype: torch.dtype, norm: str) -> None:
    """float32 exactly; float16 rounded once, and then exactly."""
    model = tiny.own_model(norm=norm, output_bias=norm == "pre")
    tiny.train_joint(tmp_path / "tokenizer.model")
    save(tmp_path / "out", model, tmp_path, "# A card", dtype=dtype)
    found = load(tmp_path / "out")

    assert found.model.config == model.config
    assert found.model.state_dict().keys() == model.state_dict().keys()
    for name, weight in model.state_dict().items():
        assert torch.equal(found.model.state_dict()[name], weight.to(dtype).float())
    assert torch.equal(found.model.embedding.positions, model.embedding.positions)
    assert (tmp_path / "out" / "README.md").read_text("utf-8") == "# A card"
    assert {file.dtype for file in load_file(tmp_path / "out" / "model.safetensors").values()} == {
        dtype
    }
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == [
        "README.md",
        "config.json",
        "model.safetensors",
        "tokenizer.model",
    ]


def test_a_loaded_model_is_ready_to_translate(own: Path) -> None:
    found = load(own)
    assert not found.model.training
    assert not any(p.requires_grad for p in found.model.parameters())
    tensors = [*found.model.parameters(), *found.model.buffers()]
    assert {(t.dtype, t.device.type) for t in tensors} == {(torch.float32, "cpu")}
    assert (found.name, found.revision, found.source) == ("own", None, "folder own")
    assert found.suggested == DecodeConfig()
    assert found.rules == own_rules(found.tokenizer)
    # <pad> 0, <s> 1, </s> 2, <unk> 3: see tiny.train_joint
    rules = found.rules
    assert (rules.start_id, rules.end_id, rules.banned, rules.forced_end_id) == (
        1,
        2,
        (0, 1, 3),
        None,
    )


def test_loading_does_not_depend_on_the_default_type(own: Path) -> None:
    torch.set_default_dtype(torch.float64)
    model = load(own).model
    assert {t.dtype for t in [*model.parameters(), *model.buffers()]} == {torch.float32}


@pytest.mark.slow
@pytest.mark.long
def test_loading_imports_nothing_of_torchs_compiler() -> None:
    """It would take longer than all the rest."""
    script = """
import sys
from model import checkpoint
checkpoint.load(checkpoint.SHIPPED)
print([name for name in ("sympy", "torch._dynamo") if name in sys.modules])
"""
    printed = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert printed.stdout.strip() == b"[]"


def test_a_checkpoint_can_be_saved_over_itself(own: Path) -> None:
    before = load(own).model.state_dict()
    save(own, tiny.own_model(seed=1), own)
    after = load(own).model.state_dict()
    assert not torch.equal(before["embedding.token.weight"], after["embedding.token.weight"])


def test_what_float16_cannot_hold_is_not_saved(own: Path, tmp_path: Path) -> None:
    """The largest float16 is 65504."""
    model = tiny.own_model()
    model.encoder[0].feed_forward.inner.bias[0] = 70_000.0
    with pytest.raises(
        CheckpointError, match=r"inner\.bias holds a number that torch\.float16 cannot"
    ):
        save(tmp_path / "new", model, own, dtype=torch.float16)
    assert not (tmp_path / "new").exists()
    save(tmp_path / "new", model, own)


def test_parameter_names_are_a_public_interface(own: Path) -> None:
    """Checkpoints that people have depend on these names: a change needs a new format number."""
    layers = {
        "encoder": {"self_attention": ATTENTION},
        "decoder": {"cross_attention": ATTENTION, "self_attention": ATTENTION},
    }
    expected = ["embedding.token.weight"]
    for stack, n in (("encoder", 2), ("decoder", 3)):
        for i in range(n):
            for attention, names in layers[stack].items():
                expected += [f"{stack}.{i}.{attention}.{name}" for name in names]
            for sublayer in (*layers[stack], "feed_forward"):
                expected += [
                    f"{stack}.{i}.{sublayer}_residual.norm.{p}" for p in ("bias", "weight")
                ]
            for part in ("inner", "outer"):
                expected += [f"{stack}.{i}.feed_forward.{part}.{p}" for p in ("bias", "weight")]
    assert sorted(load_file(own / "model.safetensors")) == sorted(expected)
    more = tiny.own_model(norm="pre", output_bias=True).state_dict().keys() - set(expected)
    assert sorted(more) == [
        "decoder_norm.bias",
        "decoder_norm.weight",
        "encoder_norm.bias",
        "encoder_norm.weight",
        "output_bias",
    ]


def test_every_weight_is_stored_once_in_half_precision(tmp_path: Path) -> None:
    """The default sizes with 6000 pieces. Numbers, by hand, for d_model 256 and d_ff 1024:

    embedding 6000 * 256; attention 4 * (256 * 256 + 256), of which there are 3 + 2 * 3;
    feed-forward 2 * 256 * 1024 + 1024 + 256, of which there are 6; norms 2 * 256, of which there
    are 2 * 3 + 3 * 3. Two bytes each, and a header of names.
    """
    tiny.train_joint(tmp_path / "tokenizer.model")
    sizes = {"d_model": 256, "n_heads": 8, "d_ff": 1024, "n_encoder_layers": 3}
    model = tiny.own_model(vocab_size=6000, max_positions=512, **sizes)
    save(tmp_path / "out", model, tmp_path, dtype=torch.float16)
    numbers = 6000 * 256 + 9 * 263_168 + 6 * 525_568 + 15 * 512
    size = (tmp_path / "out" / "model.safetensors").stat().st_size
    assert 2 * numbers < size < 2 * numbers + 20_000


# --------------------------------------------------------------------------------- what is wrong


@pytest.mark.parametrize("name", ["en-fr", "EN_DE", "de->en", "english", "runs/en-fr", "en-de-x"])
def test_a_name_like_that_of_a_shipped_model_brings_their_names(name: str) -> None:
    with pytest.raises(CheckpointError) as caught:
        hub.check(f"./{name}" if "/" in name else name)
    is_pair = name in ("en-fr", "EN_DE", "de->en")
    assert ("Headlight has en-zh, zh-en, en-de, de-en." in str(caught.value)) == is_pair


def test_a_folder_that_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match="There is no folder"):
        load(tmp_path / "nothing")
    with pytest.raises(CheckpointError, match="is a file; give the folder"):
        load(__file__)


def test_a_folder_without_config(tmp_path: Path) -> None:
    with pytest.raises(
        CheckpointError, match=r"There is no config\.json in the folder .*It is empty"
    ):
        load(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", r"config\.json cannot be read as JSON"),
        ("[" * 100_000, r"config\.json cannot be read as JSON"),
        ("\udcff", r"config\.json cannot be read as JSON"),
        ("[]", r"config\.json must be a JSON object, not list"),
        (" " * 1_000_001, r"config\.json has more than 1000000 bytes"),
        ("{}", "names no model_type"),
        ('{"model_type": "bart"}', "is BART, but cannot be opened: vocab_size is missing"),
        ('{"model_type": ["marian"]}', "is of type"),
        ('{"format": "headlight-9"}', "format 'headlight-9'; this Headlight reads headlight-1"),
        ('{"format": null}', "format None"),
        ('{"format": "headlight-1"}', "missing 1 required positional argument: 'vocab_size'"),
        ('{"format": "headlight-1", "vocab_size": 9, "n_lyers": 2}', "has no field n_lyers"),
        ('{"format": "headlight-1", "vocab_size": "9"}', "vocab_size is '9'"),
        ('{"format": "headlight-1", "vocab_size": 9, "d_model": 99999999}', "d_model is 99999999"),
        ('{"format": "headlight-1", "vocab_size": 9, "norm": [1]}', r"norm is \[1\]"),
        ('{"format": "headlight-1", "vocab_size": 9, "d_model": NaN}', "d_model is nan"),
    ],
)
def test_a_config_that_cannot_be_used(own: Path, text: str, message: str) -> None:
    (own / "config.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(CheckpointError, match=message):
        load(own)


@pytest.mark.slow
def test_a_config_that_asks_for_too_much_builds_nothing(own: Path) -> None:
    """Layers of 8192 would take 40 GB; the file says at once that they are not there."""
    change(own / "config.json", d_model=8192, d_ff=65_536, max_positions=2048, n_encoder_layers=64)
    with pytest.raises(CheckpointError, match="do not fit the config"):
        load(own)
    change(own / "config.json", max_positions=65_536)
    with pytest.raises(CheckpointError, match="65536 positions of 8192 numbers"):
        load(own)


def test_a_tokenizer_of_another_model(own: Path) -> None:
    change(own / "config.json", end_id=5, pad_id=6)
    with pytest.raises(
        CheckpointError, match="pad_id is 6, but 0 in the tokenizer; end_id is 5, but 2"
    ):
        load(own)
    change(own / "config.json", end_id=2, pad_id=0, start_id=7)
    with pytest.raises(CheckpointError, match="start_id is 7, but the tokenizer's is 1"):
        load(own)
    change(own / "config.json", start_id=1, vocab_size=100)
    with pytest.raises(CheckpointError, match=r"vocab_size is 100, but \d+ in the tokenizer"):
        load(own)


def test_files_that_are_missing(own: Path, marian: Path) -> None:
    (own / "model.safetensors").unlink()
    with pytest.raises(CheckpointError, match=r"neither model\.safetensors nor pytorch_model\.bin"):
        load(own)
    (own / "tokenizer.model").unlink()
    with pytest.raises(CheckpointError, match=r"has no tokenizer\.model"):
        load(own)
    (marian / "source.spm").unlink()
    (marian / "vocab.json").unlink()
    with pytest.raises(
        CheckpointError, match=r"has no source\.spm, vocab\.json; its tokenizer needs"
    ):
        load(marian)


def test_all_weights_that_do_not_fit_are_named_at_once(own: Path, marian: Path) -> None:
    for folder, missing, wrong, shape in (
        (
            own,
            "decoder.1.cross_attention.query.bias",
            "encoder.0.feed_forward.inner.weight",
            (24, 16),
        ),
        (
            marian,
            "model.decoder.layers.1.encoder_attn.q_proj.bias",
            "model.encoder.layers.0.fc1.weight",
            (24, 16),
        ),
    ):
        weights = load_file(folder / "model.safetensors")
        del weights[missing]
        weights["something.else"] = torch.zeros(2)
        weights["and.more"] = torch.zeros(2)
        weights[wrong] = torch.zeros(3, 4)
        save_file(weights, folder / "model.safetensors")
        with pytest.raises(CheckpointError) as caught:
            load(folder)
        message = str(caught.value)
        assert f"1 missing: {missing}" in message
        assert "2 unexpected: and.more, something.else" in message
        assert f"1 of another shape: {wrong} is (3, 4), expected {shape}" in message


def test_weights_that_are_no_numbers(own: Path) -> None:
    weights = load_file(own / "model.safetensors")
    bias = "encoder.0.feed_forward.inner.bias"
    nan, infinite, negative = (
        torch.zeros(24).index_fill(0, torch.tensor(3), float(name))
        for name in ("nan", "inf", "-inf")
    )
    for bad, told in (
        (nan, r"inner\.bias in .* is not a finite number"),
        (infinite, "is not a finite number"),
        (negative, "is not a finite number"),
        (torch.zeros(24, dtype=torch.int64), r"inner\.bias in .* whole numbers \(int64\)"),
        (torch.zeros(24, dtype=torch.int8), r"whole numbers \(int8\), as a quantised model"),
        (torch.zeros(24, dtype=torch.bool), r"whole numbers \(bool\)"),
        (torch.zeros(24).to(torch.float8_e4m3fn), r"8 bits or less \(float8_e4m3fn\)"),
    ):
        save_file({**weights, bias: bad}, own / "model.safetensors")
        with pytest.raises(CheckpointError, match=told):
            load(own)


def test_a_header_of_any_size_is_not_read(own: Path) -> None:
    """700,000 names of empty weights took a gigabyte, and the message had six."""
    path = own / "model.safetensors"
    empty = '"{}":{{"dtype":"F32","shape":[0],"data_offsets":[0,0]}}'
    for names in (30_000, 200_000):
        header = "{" + ",".join(empty.format(f"w{i}") for i in range(names)) + "}"
        path.write_bytes(len(header).to_bytes(8, "little") + header.encode())
        with pytest.raises(CheckpointError, match="names too many weights") as caught:
            load(own)
        assert len(str(caught.value)) <= 300
    header = "{" + ",".join(empty.format("w" * 200 + str(i)) for i in range(9_000)) + "}"
    path.write_bytes(len(header).to_bytes(8, "little") + header.encode())
    with pytest.raises(CheckpointError, match=r"9000 unexpected: ww.* and 8998 more") as caught:
        load(own)
    assert len(str(caught.value)) <= 600  # of two kinds, each with two names of any length


@pytest.mark.parametrize(
    "name", ["config.json", "model.safetensors", "source.spm", "generation_config.json"]
)
def test_a_named_pipe_is_refused_and_not_waited_for(marian: Path, name: str) -> None:
    (marian / name).unlink(missing_ok=True)
    os.mkfifo(marian / name)
    with pytest.raises(CheckpointError, match=f"{name} is no regular file"):
        load(marian)


def test_numbers_that_overflow_are_told_as_such(own: Path) -> None:
    weights = load_file(own / "model.safetensors")
    most = torch.finfo(torch.float32).max
    save_file({n: torch.full_like(w, most) for n, w in weights.items()}, own / "model.safetensors")
    with pytest.raises(TraceError, match="overflowed: it gave NaN") as caught:
        Explainer.load(own, device="cpu").explain("a")
    assert sentence(caught.value)["en"].startswith("The model's numbers overflowed")


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: data[:-1],
        lambda data: data[: len(data) // 2],
        lambda data: data[:4],
        lambda data: b"\xff" * 8 + data[8:],
        lambda data: data[:8] + b"\x00" * 50 + data[58:],
    ],
    ids=["last byte", "half", "header", "length", "json"],
)
def test_a_damaged_safetensors_file(own: Path, spoil: Callable[[bytes], bytes]) -> None:
    path = own / "model.safetensors"
    path.write_bytes(spoil(path.read_bytes()))
    with pytest.raises(CheckpointError, match="damaged or was not copied to its end"):
        load(own)


# ----------------------------------------------------------------------------------- Marian's


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"share_encoder_decoder_embeddings": False}, "1 unexpected: model.shared.weight"),
        ({"share_encoder_decoder_embeddings": "no"}, "embeddings is 'no', expected True or False"),
        ({"tie_word_embeddings": 0}, "tie_word_embeddings is 0, expected True or False"),
        ({"tie_word_embeddings": False}, "1 missing: lm_head.weight"),
        ({"decoder_vocab_size": 77}, "vocab_size 144 and decoder_vocab_size 77 differ"),
        ({"decoder_attention_heads": 0}, "decoder_attention_heads is 0, expected at least 1"),
        ({"decoder_attention_heads": "2"}, "decoder_heads is '2'; expected"),
        ({"decoder_attention_heads": 3}, r"an even multiple of decoder_heads \(3\)"),
        ({"decoder_ffn_dim": 32}, r"decoder.layers.0.fc1.bias is \(24,\), expected \(32,\)"),
        ({"decoder_ffn_dim": "32"}, "decoder_d_ff is '32'; expected"),
        ({"static_position_embeddings": False}, "static_position_embeddings is False"),
        ({"normalize_embedding": True}, "normalize_embedding is True"),
        ({"normalize_before": 1}, "normalize_before is 1, expected True or False"),
        ({"normalize_before": True, "add_final_layer_norm": True}, "missing: model.decoder.layer_"),
        ({"add_final_layer_norm": True}, "is True, expected False without normalize_before"),
        ({"scale_embedding": "yes"}, "scale_embedding is 'yes', expected True or False"),
        ({"activation_function": "sigmoid"}, "activation_function is 'sigmoid', expected swish or"),
        ({"activation_function": ["swish"]}, "activation_function is"),
        ({"activation_function": None}, "activation_function is None"),
        ({"d_model": None, "vocab_size": None}, "vocab_size is missing; d_model is missing"),
        ({"decoder_layers": "2"}, "n_decoder_layers is '2'"),
        ({"d_model": 10**12}, "d_model is 1000000000000"),
        ({"d_model": 17}, "d_model is 17; expected an even multiple of n_heads"),
        ({"encoder_layers": 10**6}, "n_encoder_layers is 1000000"),
        ({"eos_token_id": [1, 0]}, "eos_token_id is 0; expected the end token 1"),
        ({"eos_token_id": []}, r"end_id is \[\]"),
        ({"prefix": "translate: "}, "prefix is 'translate: '"),
        ({"quantization_config": {"load_in_8bit": True}}, "quantization_config is"),
        ({"pruned_heads": {"0": [1]}}, "pruned_heads is"),
        ({"task_specific_params": {"translation": {"num_beams": 9}}}, "task_specific_params is"),
        ({"pad_token_id": {}}, r"pad_id is \{\}"),
        ({"pad_token_id": 7}, "pad_id is 7, but 143 in the tokenizer"),
    ],
)
def test_a_marian_model_of_another_kind(marian: Path, values: dict[str, Any], message: str) -> None:
    change(marian / "config.json", **values)
    with pytest.raises(CheckpointError, match=message):
        load(marian)


def test_where_a_config_is_silent_the_embeddings_are_not_scaled(marian: Path) -> None:
    """As in `transformers`, whose default is False."""
    assert load(marian).model.config.scale_embedding
    change(marian / "config.json", scale_embedding=None)
    assert not load(marian).model.config.scale_embedding


def test_a_norm_setting_that_is_ignored_is_told(
    marian: Path, caplog: pytest.LogCaptureFixture
) -> None:
    change(marian / "config.json", normalize_before=True)
    assert load(marian).model.config.norm == "post"
    assert "normalize_before is ignored" in caplog.text


def test_all_that_is_unusual_is_said_at_once(marian: Path) -> None:
    settings = {"normalize_embedding": True, "scale_embedding": 0, "decoder_attention_heads": 0}
    change(marian / "config.json", **settings)
    with pytest.raises(CheckpointError) as caught:
        load(marian)
    for name in settings:
        assert name in str(caught.value)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"decoder_start_token_id": 144}, "start_id is 144; expected a whole number from 0 to 143"),
        ({"decoder_start_token_id": "0"}, "decoder_start_token_id is '0'"),
        ({"decoder_start_token_id": [0, 1]}, r"decoder_start_token_id is \[0, 1\]"),
        ({"early_stopping": 1}, "early_stopping is 1; expected true, false or never"),
        ({"forced_eos_token_id": 5}, "forced_eos_token_id is 5; expected the end token 0, or none"),
        ({"bad_words_ids": [[144]]}, "bad_words_ids or suppress_tokens holds 144"),
        ({"bad_words_ids": [[True]]}, "bad_words_ids or suppress_tokens holds True"),
        ({"bad_words_ids": "pad"}, "bad_words_ids must be a list of lists"),
        ({"bad_words_ids": [[8, 9]]}, r"bad_words_ids holds \[8, 9\]; Headlight bans single"),
        ({"suppress_tokens": [3, 144]}, "suppress_tokens holds 144"),
        ({"early_stopping": "sometimes"}, "early_stopping is 'sometimes'; expected true, false"),
        ({"early_stopping": 1}, "early_stopping is 1"),
        ({"no_repeat_ngram_size": -1}, "no_repeat_ngram_size is -1; expected"),
        ({"repetition_penalty": 0}, "repetition_penalty is 0.0; expected a number from 0.01"),
        ({"repetition_penalty": "1.2"}, "repetition_penalty is '1.2'"),
        ({"min_length": -5}, "min_length is -5; expected a whole number"),
        ({"min_new_tokens": 2.5}, "min_new_tokens is 2.5"),
        ({"encoder_no_repeat_ngram_size": -1}, "encoder_no_repeat_ngram_size is -1; expected"),
        ({"encoder_no_repeat_ngram_size": True}, "encoder_no_repeat_ngram_size is True"),
        ({"forced_bos_token_id": 144}, "forced_bos_token_id is 144; expected 0 to 143"),
        ({"forced_bos_token_id": "de"}, "forced_bos_token_id is 'de'"),
        ({"begin_suppress_tokens": [7]}, "begin_suppress_tokens is"),
        ({"do_sample": True, "min_p": 0.1}, "min_p is 0.1"),
        ({"max_time": 5, "num_beam_groups": 2}, "num_beam_groups is 2; max_time is 5"),
        ({"length_penalty": "long"}, "length_penalty is 'long'; expected a number"),
        ({"num_beams": 100}, "num_beams is 100; expected a whole number, 1 to 64"),
        ({"num_beams": "4"}, "num_beams is '4'"),
        ({"num_beams": 0}, "num_beams is 0"),
        ({"max_length": 1}, "max_length is 1; expected a whole number, at least 2"),
        ({"max_new_tokens": 2.5}, "max_new_tokens is 2.5"),
        ({"do_sample": "yes"}, "do_sample is 'yes'"),
        ({"stop_strings": ["."]}, "stop_strings is"),
        ({"max_time": 2.0}, "max_time is 2.0"),
        ({"eos_token_id": [0, 144]}, r"eos_token_id is \[0, 144\]; expected the end token 0"),
        ({"eos_token_id": 7}, "eos_token_id is 7; expected the end token 0, alone or"),
        ({"forced_eos_token_id": [0, 7]}, r"forced_eos_token_id is \[0, 7\]"),
    ],
)
def test_generation_settings_that_cannot_be_used(
    marian: Path, values: dict[str, Any], message: str
) -> None:
    change(marian / "generation_config.json", **values)
    with pytest.raises(CheckpointError, match=message):
        load(marian)


def test_generation_settings_are_honoured(marian: Path) -> None:
    """The end is never banned, the pad token always."""
    load_unchanged = load(marian).rules
    change(
        marian / "generation_config.json",
        decoder_start_token_id=5,
        bad_words_ids=[[7], [0], [7]],
        suppress_tokens=[8],
        length_penalty=0.6,
        no_repeat_ngram_size=3,
        early_stopping="never",
        min_length=6,  # counts the start token
        forced_bos_token_id=[9],
        encoder_no_repeat_ngram_size=2,
        repetition_penalty=2,
        min_p=0.1,  # only where tokens are drawn
        forced_eos_token_id=None,
        num_beams=6,
        max_length=30,
        renormalize_logits=True,
    )
    assert not load_unchanged.renormalise
    found = load(marian)
    rules = found.rules
    assert rules.renormalise
    assert (rules.start_id, rules.end_id, rules.banned, rules.forced_end_id) == (
        5,
        0,
        (7, 8, 143),
        None,
    )
    assert found.model.config.start_id == 5
    assert (rules.early_stopping, rules.min_tokens, rules.forced_first_id) == ("never", 5, 9)
    assert (rules.source_no_repeat, rules.repetition_penalty) == (2, 2.0)
    change(marian / "generation_config.json", min_new_tokens=3)  # goes before min_length
    assert load(marian).rules.min_tokens == 3
    # transformers counts the start token into max_length, we count written tokens
    assert found.suggested == DecodeConfig("beam", 6, 0.6, max_length=29, no_repeat=3)


def test_the_settings_of_the_models_authors_are_the_defaults(marian: Path) -> None:
    change(marian / "generation_config.json", num_beams=3, length_penalty=0.5, max_length=9)
    explainer = Explainer.load(marian, device="cpu")
    assert explainer.defaults == DecodeConfig("beam", 3, 0.5, max_length=8)
    assert explainer.explain("a").config == explainer.defaults
    change(marian / "generation_config.json", num_beams=1)
    assert load(marian).suggested.method == "greedy"
    change(marian / "generation_config.json", do_sample=True, temperature=0.7)
    assert load(marian).suggested == DecodeConfig(
        "sampling", 1, 0.5, temperature=0.7, top_k=50, max_length=8
    )
    change(marian / "generation_config.json", num_beams=5, top_k=9)
    drawn = load(marian).suggested
    assert (drawn.method, drawn.beam_size, drawn.top_k) == ("beam_sampling", 5, 9)


@pytest.mark.parametrize("kind", ["headlight-3", "headlight-2", "headlight-1", "marian"])
def test_what_load_gives_save_takes(kind: str, request: pytest.FixtureRequest) -> None:
    """A round trip: the same format, weights, rules, settings and tokenizer."""
    folder: Path = request.getfixturevalue("marian" if kind == "marian" else "own")
    if kind == "headlight-3":
        folder = tiny.write_own(folder.parent / "paired", paired=True)
    if kind == "headlight-1":  # it normalises a text in another way
        change(folder / "config.json", format=kind)
    first = load(folder)
    assert first.format == kind
    save(folder.parent / "again", first)
    second = load(folder.parent / "again")
    assert second.format == kind
    weights = second.model.state_dict()
    assert all(torch.equal(w, weights[name]) for name, w in first.model.state_dict().items())
    assert second.rules == first.rules
    assert second.model.config == first.model.config
    text = "She said that."
    assert list(second.tokenizer.encode_source(text).ids) == list(
        first.tokenizer.encode_source(text).ids
    )
    assert (second.suggested.method, second.suggested.beam_size) == (
        first.suggested.method,
        first.suggested.beam_size,
    )


def test_a_checkpoint_whose_files_are_gone_is_not_saved(own: Path, tmp_path: Path) -> None:
    loaded = load(own)
    own.rename(tmp_path / "elsewhere")
    with pytest.raises(CheckpointError, match="are gone; give model and tokenizer"):
        save(tmp_path / "again", loaded)
    with pytest.raises(CheckpointError, match="give the tokenizer's folder"):
        save(tmp_path / "again", loaded.model)


@pytest.mark.parametrize("name", ["vocab.json", "source.spm"])
def test_a_tokenizer_file_of_any_size_is_not_read(marian: Path, name: str) -> None:
    with (marian / name).open("ab") as file:
        file.truncate(17_000_000)
    with pytest.raises(CheckpointError, match=f"{name} has more than 16,000,000 bytes"):
        load(marian)


def test_older_repositories_keep_these_settings_in_config_json(marian: Path) -> None:
    (marian / "generation_config.json").unlink()
    settings = {"bad_words_ids": [[9]], "num_beams": 40, "max_length": 512}
    change(marian / "config.json", **settings, forced_eos_token_id=None)
    found = load(marian)
    rules = found.rules
    # without the field the end token is forced, as by default in transformers
    assert (rules.start_id, rules.banned, rules.forced_end_id) == (143, (9, 143), 0)
    # at most what there are positions for
    assert (found.suggested.beam_size, found.suggested.max_length) == (40, 64)


@pytest.mark.slow
def test_every_setting_of_transformers_is_honoured_or_refused(marian: Path) -> None:
    """What changes no translation is listed here; a new setting there fails this test."""
    harmless = """_from_model_config bos_token_id cache_config cache_implementation compile_config
        continuous_batching_config disable_compile is_assistant low_memory max_cache_len
        num_assistant_tokens num_assistant_tokens_schedule num_return_sequences output_attentions
        output_hidden_states output_logits output_scores pad_token_id prefill_chunk_size
        remove_invalid_values return_dict_in_generate speculation_type transformers_version
        use_cache use_mtp assistant_confidence_threshold assistant_early_exit
        assistant_ensemble_weight
        assistant_lookbehind target_lookbehind max_matching_ngram_size"""
    every = vars(pytest.importorskip("transformers").GenerationConfig())
    assert len(every) > 60
    path = marian / "generation_config.json"
    usual = path.read_text("utf-8")
    for name in every.keys() - harmless.split():
        change(path, **{"do_sample": True, name: "strange"})
        with pytest.raises(CheckpointError, match="strange"):
            load(marian)
        path.write_text(usual, "utf-8")


def test_more_tokens_than_asked_for_are_not_written(marian: Path) -> None:
    change(marian / "generation_config.json", max_new_tokens=7, max_length=30)
    assert load(marian).suggested.max_length == 7


@pytest.mark.parametrize(
    ("file", "values", "message"),
    [
        ("tokenizer_config.json", {"eos_token": "<eos>"}, "eos_token is '<eos>', expected </s>"),
        ("tokenizer_config.json", {"unk_token": {"content": "[UNK]"}}, "unk_token is '\\[UNK\\]'"),
        ("tokenizer_config.json", {"tokenizer_class": "T5Tokenizer"}, "class is 'T5Tokenizer'"),
        ("tokenizer_config.json", {"sp_model_kwargs": {"alpha": 0.1}}, "sp_model_kwargs is"),
        ("added_tokens.json", {">>cmn_Hans<<": 2}, None),  # the vocabulary has it
        ("tokenizer_config.json", {"model_max_length": 9, "source_lang": "en"}, None),
    ],
)
def test_what_a_tokenizer_asks_for(
    marian: Path, file: str, values: dict[str, Any], message: str | None
) -> None:
    if not (marian / file).exists():
        (marian / file).write_text("{}")
    change(marian / file, **values)
    if message is None:
        load(marian)
        return
    with pytest.raises(CheckpointError, match=message) as caught:
        load(marian)
    assert len(str(caught.value)) <= 300


@pytest.mark.slow
def test_the_embedding_may_go_by_other_names(marian: Path) -> None:
    """Some files repeat the tied matrix and the position tables, some name it otherwise."""
    path = marian / "model.safetensors"
    expected = load(marian).model
    weights = load_file(path)
    shared = weights.pop("model.shared.weight")
    weights["model.encoder.embed_positions.weight"] = expected.embedding.positions.clone()
    save_file({**weights, "lm_head.weight": shared}, path)
    assert torch.equal(load(marian).model.embedding.token.weight, shared)
    names = ("model.shared.weight", "model.decoder.embed_tokens.weight", "lm_head.weight")
    save_file({**weights, **{name: shared.clone() for name in names}}, path)
    assert torch.equal(load(marian).model.embedding.token.weight, shared)

    other = {**weights, "model.shared.weight": shared, "lm_head.weight": shared + 1}
    save_file(other, path)
    with pytest.raises(CheckpointError, match="they are one matrix"):
        load(marian)
    weights["model.encoder.embed_positions.weight"] *= 1.1
    save_file({**weights, "model.shared.weight": shared}, path)
    with pytest.raises(CheckpointError, match="learnt positions cannot be opened"):
        load(marian)
    save_file({k: v for k, v in weights.items() if "positions" not in k}, path)
    with pytest.raises(CheckpointError, match=r"1 missing: model\.shared\.weight"):
        load(marian)


def test_a_bias_that_is_left_out_is_zero(marian: Path) -> None:
    path = marian / "model.safetensors"
    weights = load_file(path)
    del weights["final_logits_bias"]
    save_file(weights, path)
    bias = load(marian).model.output_bias
    assert bias is not None
    assert bias.abs().max() == 0


# ------------------------------------------------------------------------------------- pickles


@pytest.mark.parametrize("zipped", [True, False], ids=["zip", "legacy"])
def test_a_repository_with_only_a_pickle_is_read(marian: Path, zipped: bool) -> None:
    expected = load(marian).model.state_dict()
    weights = load_file(marian / "model.safetensors")
    path = marian / "pytorch_model.bin"
    torch.save(weights, path, _use_new_zipfile_serialization=zipped)
    (marian / "model.safetensors").unlink()
    found = load(marian).model.state_dict()
    assert all(torch.equal(found[name], expected[name]) for name in expected)


class Bomb:
    """What a hostile file looks like: unpickling it writes a file."""

    def __init__(self, target: Path) -> None:
        self.target = str(target)

    def __reduce__(self) -> Any:
        return os.mkdir, (self.target,)


@pytest.mark.parametrize("form", ["plain pickle", "zip", "legacy", "hidden in a state"])
def test_no_code_in_a_pickle_runs(marian: Path, tmp_path: Path, form: str) -> None:
    target = tmp_path / "executed"
    weights = load_file(marian / "model.safetensors")
    path = marian / "pytorch_model.bin"
    bomb: Any = Bomb(target)
    if form == "plain pickle":
        path.write_bytes(pickle.dumps(bomb))
    elif form == "hidden in a state":
        torch.save({**weights, "final_logits_bias": bomb}, path)
    else:
        torch.save(bomb, path, _use_new_zipfile_serialization=form == "zip")
    (marian / "model.safetensors").unlink()
    with pytest.raises(CheckpointError, match="holds more than weights, and was not opened"):
        load(marian)
    assert not target.exists()
    if form == "plain pickle":  # the file is indeed dangerous
        pickle.loads(path.read_bytes())
    else:
        torch.load(path, weights_only=False)
    assert target.exists()


def save_pickle(marian: Path, content: Any) -> None:
    torch.save(content, marian / "pytorch_model.bin")
    (marian / "model.safetensors").unlink()


def test_a_pickle_of_something_else_is_refused(marian: Path) -> None:
    save_pickle(marian, [1, 2])
    with pytest.raises(CheckpointError, match="was not opened"):
        load(marian)
    (marian / "pytorch_model.bin").write_bytes(b"")
    with pytest.raises(CheckpointError, match=r"pytorch_model\.bin is empty; expected weights"):
        load(marian)


def test_a_small_pickle_cannot_claim_to_be_large(marian: Path) -> None:
    """A view of one number can have any shape; copied, it would fill the memory."""
    weights = load_file(marian / "model.safetensors")
    weights["model.shared.weight"] = torch.zeros(1, 1).expand(144, 16)
    save_pickle(marian, weights)
    with pytest.raises(CheckpointError, match="was not opened"):
        load(marian)


def test_a_compressed_pickle_is_refused(marian: Path) -> None:
    save_pickle(marian, load_file(marian / "model.safetensors"))
    path = marian / "pytorch_model.bin"
    packed = io.BytesIO()
    with (
        zipfile.ZipFile(path) as old,
        zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for entry in old.infolist():
            new.writestr(entry.filename, old.read(entry))
    path.write_bytes(packed.getvalue())
    with pytest.raises(CheckpointError, match="was not opened"):
        load(marian)


# ----------------------------------------------------------------------------------------- Hub

Calls = list[tuple[str, str | None, list[str]]]


def fake_hub(monkeypatch: pytest.MonkeyPatch, answer: Any) -> Calls:
    """Stand in for the Hub: give a folder, or raise an error; remember what was asked for."""
    import huggingface_hub

    calls: Calls = []

    def snapshot(name: str, *, revision: str | None, allow_patterns: list[str]) -> str:
        calls.append((name, revision, allow_patterns))
        if isinstance(answer, Exception):
            raise answer
        return str(answer)

    monkeypatch.setattr(huggingface_hub, "snapshot_download", snapshot)
    return calls


def test_a_hub_model_is_pinned_to_its_commit(
    marian: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    snapshot = tmp_path / "snapshots" / COMMIT
    snapshot.parent.mkdir()
    marian.rename(snapshot)
    calls = fake_hub(monkeypatch, snapshot)
    found = load("Helsinki-NLP/opus-mt-en-zh")
    assert (found.name, found.revision) == ("Helsinki-NLP/opus-mt-en-zh", COMMIT)
    assert found.source == "huggingface.co/Helsinki-NLP/opus-mt-en-zh at 0123456789ab"
    [(name, revision, files)] = calls
    assert (name, revision) == ("Helsinki-NLP/opus-mt-en-zh", None)
    assert "model.safetensors" in files
    assert "pytorch_model.bin" not in files  # 300 MB that are not needed
    assert not any("*" in file for file in files)


def test_a_hub_model_in_several_files_is_fetched_in_two_steps(
    marian: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    weights = load_file(marian / "model.safetensors")
    (marian / "model.safetensors").unlink()
    names = ["model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"]
    parts = {names[0]: sorted(weights)[::2], names[1]: sorted(weights)[1::2]}
    for file, part in parts.items():
        save_file({name: weights[name] for name in part}, marian / file)
    where = {name: file for file, part in parts.items() for name in part}
    index = {"weight_map": {**where, "x": "../../secret"}}  # not asked for, whatever it is
    (marian / "model.safetensors.index.json").write_text(json.dumps(index), "utf-8")
    snapshot = tmp_path / COMMIT
    marian.rename(snapshot)
    calls = fake_hub(monkeypatch, snapshot)
    with pytest.raises(CheckpointError, match="names a file"):
        load("a/b")
    assert [(revision, files) for _, revision, files in calls][1] == (COMMIT, names)
    (snapshot / "model.safetensors.index.json").write_text(json.dumps({"weight_map": where}))
    assert load("a/b").revision == COMMIT


def test_a_hub_model_without_safetensors_is_fetched_in_two_steps(
    marian: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second step asks for the commit of the first: main may have moved in between."""
    save_pickle(marian, load_file(marian / "model.safetensors"))
    snapshot = tmp_path / COMMIT
    marian.rename(snapshot)
    calls = fake_hub(monkeypatch, snapshot)
    assert load("a/b@v1.0").revision == COMMIT
    assert [(revision, files) for _, revision, files in calls][1] == (COMMIT, ["pytorch_model.bin"])
    assert calls[0][:2] == ("a/b", "v1.0")


def test_a_revision_can_be_given_in_two_ways(monkeypatch: pytest.MonkeyPatch, own: Path) -> None:
    calls = fake_hub(monkeypatch, own)
    load("a/b", revision="refs/pr/3")
    load("a/b@refs/pr/3", revision="refs/pr/3")
    assert [revision for _, revision, _ in calls] == ["refs/pr/3", "refs/pr/3"]
    with pytest.raises(CheckpointError, match="names one revision and v2 is another"):
        load("a/b@v1", revision="v2")
    with pytest.raises(CheckpointError, match="a folder has no revision v1"):
        load(own, revision="v1")


@pytest.mark.parametrize(
    "name",
    [
        "../x",
        "x/..",
        "./x",
        "a/b/c",
        "a",
        "",
        "/no/folder",
        "a /b",
        "a/b\n",
        "a\\b",
        "https://huggingface.co/a/b",
        "名/字",
        "a/b\x00",
        "~/a",
        "a" * 5000,
        Path("a/b"),
    ],
)
def test_what_is_no_hub_name_never_reaches_the_hub(
    name: str | Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    calls = fake_hub(monkeypatch, AssertionError("reached the Hub"))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CheckpointError, match="no folder"):
        load(name)
    assert calls == []


@pytest.mark.parametrize("revision", ["../../x", "x/../y", "", "/x", "a b", "v\n", "版本"])
def test_what_is_no_revision_never_reaches_the_hub(
    revision: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The client would make it part of a path in its cache."""
    calls = fake_hub(monkeypatch, AssertionError("reached the Hub"))
    with pytest.raises(CheckpointError, match=r"no folder|is not a revision"):
        load(f"a/b@{revision}")
    with pytest.raises(CheckpointError, match="is not a revision"):
        load("a/b", revision=revision)
    assert calls == []


def test_a_folder_goes_before_the_hub(
    own: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    calls = fake_hub(monkeypatch, AssertionError("reached the Hub"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "org").mkdir()
    own.rename(tmp_path / "org" / "model")
    assert load("org/model").source == "folder model"
    monkeypatch.chdir(tmp_path / "org")
    assert load("../org/model").name == "model"
    assert calls == []


def hub_error(name: str) -> Exception:
    from huggingface_hub import errors

    response = httpx.Response(404, request=httpx.Request("GET", "https://huggingface.co/a/b"))
    kind = getattr(errors, name)
    if name in ("LocalEntryNotFoundError", "HFValidationError"):
        return kind("nothing")
    return kind("nothing", response=response)


@pytest.mark.parametrize(
    ("error", "message"),
    [
        ("RepositoryNotFoundError", "a/b@v is not on the Hub, or is private"),
        ("GatedRepoError", "a/b@v is gated: accept its terms"),
        (
            "RevisionNotFoundError",
            "a/b@v does not exist: the Hub has the model, but not that revision",
        ),
        ("HFValidationError", "a/b@v is not a name that the Hub can have"),
        ("LocalEntryNotFoundError", "a/b@v is not in the cache, and the Hub cannot be reached"),
        ("HfHubHTTPError", r"a/b@v could not be downloaded \(HfHubHTTPError\)"),
    ],
)
def test_what_the_hub_refuses_is_said(
    monkeypatch: pytest.MonkeyPatch, error: str, message: str
) -> None:
    fake_hub(monkeypatch, hub_error(error))
    with pytest.raises(CheckpointError, match=message.replace("a/b@v", "a/b at revision v")):
        load("a/b@v")


def test_an_error_of_another_library_is_no_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    fake_hub(monkeypatch, httpx.ReadTimeout("slow"))
    with pytest.raises(CheckpointError, match=r"could not be downloaded \(ReadTimeout\)"):
        load("a/b")


def write_cache(cache: Path, model: Path) -> None:
    """A cache as the Hub's client leaves it: a ref that names a commit, and that commit's files."""
    repository = cache / "models--org--tiny"
    (repository / "refs").mkdir(parents=True)
    (repository / "refs" / "main").write_text(COMMIT)
    (repository / "snapshots").mkdir()
    model.rename(repository / "snapshots" / COMMIT)


def no_address(*_: Any, **__: Any) -> None:
    raise OSError("no name server can be reached")


@pytest.mark.slow
@pytest.mark.parametrize("offline", [True, False], ids=["HF_HUB_OFFLINE", "no network"])
def test_the_cache_is_used_and_missed(
    own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, offline: bool
) -> None:
    """The real client, with a real cache and no way out: sockets are closed in all tests."""
    import huggingface_hub

    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", offline)
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("time.sleep", lambda seconds: None)  # the client tries again, and waits
    monkeypatch.setattr("socket.getaddrinfo", no_address)
    message = "HF_HUB_OFFLINE is set" if offline else "the Hub cannot be reached"
    with pytest.raises(CheckpointError, match=f"org/tiny is not in the cache, and {message}"):
        load("org/tiny")
    write_cache(tmp_path / "cache", own)
    found = load("org/tiny")
    assert (found.name, found.revision) == ("org/tiny", COMMIT)
    assert load(f"org/tiny@{COMMIT}").revision == COMMIT


# ------------------------------------------------------------------------------- command line


def test_export_from_the_command_line(
    own: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    assert main(["export", "--model", str(own), "--out", str(tmp_path / "out")]) == 0
    assert "wrote" in caplog.text
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == [
        "config.json",
        "generation_config.json",
        "model.safetensors",
        "source.spm",
        "target.spm",
        "tokenizer_config.json",
        "vocab.json",
    ]
    assert load(tmp_path / "out").tokenizer.encode_source("a").ids[-1] == 2


def test_an_error_on_the_command_line_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", "--model", "nothing here", "--out", str(tmp_path)]) == 2
    assert "There is no folder" in capsys.readouterr().err


def test_the_first_format_keeps_the_text_that_it_was_trained_on(own: Path) -> None:
    text = "\u0645\u06cc\u200c\u062e \U0001fae9 c"
    assert load(own).tokenizer.encode_source(text).text == text
    change(own / "config.json", format="headlight-1")
    assert load(own).tokenizer.encode_source(text[:4]).text == "\u0645\u06cc \u062e"


def test_an_export_is_not_written_over_a_model(own: Path) -> None:
    with pytest.raises(CheckpointError, match="holds a model already"):
        export_model(own, load(own))


def test_only_one_file_knows_the_hub() -> None:
    here = Path(hub.__file__)
    knowing = [
        p.name for p in here.parent.glob("*.py") if "huggingface_hub" in p.read_text("utf-8")
    ]
    assert knowing == [here.name]
