"""Our models with the fields of BART and its relatives, exported to `transformers` and back."""

from __future__ import annotations

import json
import random
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

from model import train
from model.checkpoint import Checkpoint, export_model, load
from model.checkpoint.__main__ import main as export_command
from model.errors import CheckpointError
from model.training.presets import PRESETS, PresetName
from tests import foreign, tiny
from tests.tiers import each
from tests.tiny import T5

transformers = pytest.importorskip("transformers")

LEARNED = {"positions": "learned", "activation": "gelu", "scale_embedding": False}
BART = {**LEARNED, "embedding_norm": "sum", "output_bias": True}
FIELDS: dict[str, dict[str, Any]] = {
    "bart": BART,
    "bart, offset": {**BART, "position_offset": 2, "output_bias": False},
    "bart, own output": {**BART, "tied": False, "decoder_heads": 4, "decoder_d_ff": 40},
    "mbart": {**BART, "norm": "pre", "scale_embedding": True},
    "blenderbot": {**LEARNED, "norm": "pre", "output_bias": True},
    "blenderbot-small": {**LEARNED, "embedding_norm": "target_token", "output_bias": True},
    "t5": {**T5, "scale_output": True},
    "t5, gated": {**T5, "gated": True, "activation": "gelu_new", "tied": False, "head_size": 5},
    "t5, silu": {**T5, "gated": True, "activation": "swish", "distance_buckets": 16},
    "t5, gelu": {**T5, "activation": "gelu", "max_distance": 20, "norm_eps": 1e-3},
    "umt5": {**T5, "distances_by_layer": True, "tied": False, "scale_output": True},
}
TYPES = {"bart, offset": "bart", "bart, own output": "bart"}
TYPES |= dict.fromkeys(("t5, gated", "t5, silu", "t5, gelu"), "t5")


def deviation(checkpoint: Checkpoint, folder: Path) -> tuple[float, float]:
    """The largest of log-probs and attention between a model and its export."""
    there = transformers.AutoModelForSeq2SeqLM.from_pretrained(folder, attn_implementation="eager")
    there = foreign.exact(there)
    model = checkpoint.model.double()
    src = torch.tensor([checkpoint.tokenizer.encode_source(tiny.ENGLISH[2]).ids.tolist()])
    generator = torch.Generator().manual_seed(3)
    tgt = torch.randint(4, model.config.vocab_size, (1, 40), generator=generator)
    with torch.no_grad():
        run = there(input_ids=src, decoder_input_ids=tgt, output_attentions=True)
        memory, src_mask, encoder = model.encode(src)
        x, _, decoder = model.decode(tgt, model.start(memory, src_mask))
        log_probs = model.logits(x).log_softmax(-1)
    pairs = (
        (encoder.self_attention, run.encoder_attentions),
        (decoder.self_attention, run.decoder_attentions),
        (decoder.cross, run.cross_attentions),
    )
    maps = [
        far(own.weights, other)
        for mine, others in pairs
        for own, other in zip(mine, others, strict=True)
    ]
    return far(log_probs, run.logits.log_softmax(-1)), max(maps)


def far(ours: Tensor | None, theirs: Tensor) -> float:
    assert ours is not None
    return float((ours - theirs).abs().max())


@each("name", [*FIELDS], 5)
def test_an_exported_model_is_the_same_there_and_comes_back(tmp_path: Path, name: str) -> None:
    """Log-probs, attention, ids of a text, and what `generate` writes."""
    checkpoint = load(tiny.write_own(tmp_path / "own", paired=True, **FIELDS[name]))
    folder = tmp_path / "exported"
    export_model(folder, checkpoint)
    model = transformers.AutoModelForSeq2SeqLM.from_pretrained(folder)
    assert model.config.model_type == TYPES.get(name, name)
    kind = "MarianTokenizer" if name == "umt5" else "AutoTokenizer"  # which ignores umT5's setting
    tokenizer = getattr(transformers, kind).from_pretrained(folder)
    text = tiny.ENGLISH[0]
    assert tokenizer(text).input_ids == checkpoint.tokenizer.encode_source(text).ids.tolist()
    assert max(deviation(checkpoint, folder)) < 1e-5
    back = load(folder)
    assert max(deviation(back, folder)) < 1e-5
    assert back.tokenizer.encode_source(text).ids.tolist() == tokenizer(text).input_ids
    assert (back.rules.start_id, back.rules.banned) == (1, (0, 1, 3))
    again = tmp_path / "again"
    export_model(again, back)
    assert max(deviation(checkpoint, again)) < 1e-5


@pytest.mark.parametrize(
    ("preset", "more", "fields"),
    [
        ("paper", "", {}),
        ("bart", "--output-bias", {"output_bias": True}),
        ("t5", "", {}),
        (
            "t5",  # its first version, with another size of heads
            "--tied --scale-output --no-gated --activation relu --head-size 5",
            {"tied": True, "scale_output": True, "gated": False, "activation": "relu"},
        ),
    ],
)
def test_a_trained_preset_is_the_same_there_and_comes_back(
    tmp_path: Path, preset: PresetName, more: str, fields: dict[str, Any]
) -> None:
    """By the two commands, as a visitor would: train, export, open there, come back."""
    rng = random.Random(3)
    numbers = [[rng.randrange(10) for _ in range(rng.randint(2, 5))] for _ in range(300)]
    rows = {
        (" ".join(map(str, one)), "".join("零一二三四五六七八九"[d] for d in one))
        for one in numbers
    }
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("".join(f"{a}\t{b}\n" for a, b in sorted(rows)), "utf-8")
    run = tmp_path / "run"
    settings = (
        "--d-model 16 --d-ff 24 --n-heads 2 --n-encoder-layers 1 "
        "--n-decoder-layers 2 --batch-tokens 256 --warmup 20 --peak-lr 0.005 --epochs 1 "
        "--dev-share 0.1 --test-share 0.1 --average-last 2 --precision float32 --workers 0 "
        f"--max-positions 64 --preset {preset} {more}"
    )
    files = ["--data", str(pairs), "--out", str(run)]
    assert train.main([*files, *settings.split()]) == 0
    trained, folder = load(run / "model"), tmp_path / "exported"
    config = asdict(trained.model.config)
    expected = {**PRESETS[preset], **fields}
    assert {name: config[name] for name in expected} == expected
    assert trained.model.output_bias is None or trained.model.output_bias.any()  # it was trained
    assert export_command(["export", "--model", str(run / "model"), "--out", str(folder)]) == 0
    kind = json.loads((folder / "config.json").read_text())["model_type"]
    assert kind == {"paper": "marian"}.get(preset, preset)
    if preset != "paper":  # whose numbers of tokens change; other tests are about those
        assert max(deviation(trained, folder)) < 1e-5
        assert max(deviation(load(folder), folder)) < 1e-5


def test_a_table_without_its_first_rows_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """BART skips two rows of its table; ours has none to skip."""
    from safetensors.torch import load_file, save_file

    checkpoint = load(tiny.write_own(tmp_path / "own", **BART))
    export_model(tmp_path / "out", checkpoint)
    path = tmp_path / "out" / "model.safetensors"
    weights = load_file(path)
    for stack in ("encoder", "decoder"):
        name = f"model.{stack}.embed_positions.weight"
        weights[name] = weights[name].roll(-2, 0)
    save_file(weights, path, {"format": "pt"})
    assert deviation(checkpoint, tmp_path / "out")[0] > 1e-2


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({**LEARNED, "embedding_norm": "target_token", "norm": "pre"}, "no family with learned"),
        ({**LEARNED}, "no family with learned positions has norm 'post', embedding_norm 'none'"),
        ({**BART, "position_offset": 3}, "no family with learned positions"),
        ({**BART, "scaling": False}, "scaling is False"),
        ({"embedding_norm": "sum"}, "embedding_norm is 'sum', expected 'none'"),
        ({"sinusoids": "fairseq"}, "sinusoids is 'fairseq'"),
        ({"counts_padding": False}, "counts_padding is False"),
        ({"positions": "none"}, "positions is 'none', expected 'sinusoids' or 'learned' or"),
        ({"gated": True}, "gated is True"),
        ({"norm_kind": "rms"}, "norm_kind is 'rms', expected 'layer'"),
        ({**BART, "biases": False}, "biases is False"),
        ({"head_size": 4}, "head_size is 4"),
        ({**T5, "scaling": True}, "scaling is True, expected False"),
        ({**T5, "norm": "post"}, "norm is 'post', expected 'pre'"),
        ({**T5, "gated": True, "activation": "gelu"}, "activation is 'gelu', expected 'gelu_new'"),
        ({**T5, "decoder_d_ff": 20}, "decoder_d_ff is 20, expected 0"),
    ],
)
def test_what_has_no_class_there_is_refused(
    tmp_path: Path, fields: dict[str, Any], says: str
) -> None:
    checkpoint = load(tiny.write_own(tmp_path / "own", **fields))
    with pytest.raises(CheckpointError, match=says):
        export_model(tmp_path / "out", checkpoint)
    assert not (tmp_path / "out").exists()


def test_a_model_with_a_tokenizer_of_its_own_is_not_written(tmp_path: Path) -> None:
    loaded = load(foreign.write_family(tmp_path / "bart", "bart"))
    with pytest.raises(CheckpointError, match="copy its folder"):
        export_model(tmp_path / "out", loaded)
