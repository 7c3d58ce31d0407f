"""Marian checkpoints of many shapes, as `transformers` writes them: the same ids, scores, logits
and attention as `generate` gives, through the Explainer that the page uses."""

from __future__ import annotations

import functools
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from model.checkpoint import export_model, load
from model.config import DecodeConfig, ModelConfig
from model.embedding import Embedding
from model.errors import CheckpointError
from model.explain import Explainer
from model.text.tokenizer import Tokenizer
from model.trace import Tokens
from tests import tiny
from tests.tiers import each

transformers = pytest.importorskip("transformers")

# (d_model, then each of the encoder and of the decoder: heads, d_ff, layers)
SHAPES = [
    (16, 2, 2, 24, 24, 2, 3),
    (32, 4, 2, 48, 32, 1, 6),
    (24, 3, 3, 64, 64, 6, 1),
    (64, 8, 8, 128, 128, 6, 6),
    (32, 1, 4, 32, 48, 3, 2),
    (48, 6, 6, 200, 200, 4, 4),
    (16, 2, 8, 40, 24, 1, 1),
    (40, 5, 5, 24, 80, 5, 2),
]
FORMS = ["one file", "shards", "pickle"]
# Which matrices are apart: none; source and target, each with a vocabulary; the output as well.
MATRICES: list[dict[str, bool]] = [
    {},
    {"separate": True},
    {"separate": True, "tie_word_embeddings": False},
]
TEXT = tiny.ENGLISH[0]


def written(
    folder: Path, shape: tuple[int, ...], form: str, seed: int, matrices: dict[str, bool]
) -> Path:
    """A random checkpoint of this shape in this form."""
    d_model, heads, decoder_heads, d_ff, decoder_d_ff, encoder, decoder = shape
    tiny.write_marian(
        folder,
        seed,
        **matrices,
        d_model=d_model,
        encoder_attention_heads=heads,
        decoder_attention_heads=decoder_heads,
        encoder_ffn_dim=d_ff,
        decoder_ffn_dim=decoder_d_ff,
        encoder_layers=encoder,
        decoder_layers=decoder,
        activation_function=("swish", "relu", "gelu")[seed % 3],
    )
    if form == "one file":
        return folder
    model = transformers.MarianMTModel.from_pretrained(folder)
    (folder / "model.safetensors").unlink()
    if form == "shards":
        model.save_pretrained(folder, max_shard_size="20KB")
        assert len(list(folder.glob("model-*-of-*.safetensors"))) > 1
    else:
        weights = {name: weight.clone() for name, weight in model.state_dict().items()}
        torch.save(weights, folder / "pytorch_model.bin")
    return folder


@functools.cache
def theirs(folder: Path, beams: int) -> Any:
    """The batch, what `generate` found, the pieces of that, and a pass over it with attention.

    Remembered: no test changes a folder after it was compared as a reference.
    """
    opened = transformers.AutoModelForSeq2SeqLM.from_pretrained(folder, attn_implementation="eager")
    model = opened.double().eval()
    tokenizer = transformers.MarianTokenizer.from_pretrained(folder)
    batch = tokenizer([TEXT], return_tensors="pt")
    settings = {"num_beams": beams, "max_length": 20, "length_penalty": 1.0, "do_sample": False}
    found = model.generate(
        **batch, **settings, return_dict_in_generate=True, output_scores=beams > 1
    )
    with torch.no_grad():
        run = model(**batch, decoder_input_ids=found.sequences[:, :-1], output_attentions=True)
    pieces = tokenizer.convert_ids_to_tokens(found.sequences[0, 1:].tolist())
    return batch, found, pieces, run


def compare(folder: Path, beams: int, reference: Path | None = None) -> None:
    """Headlight makes of a folder what `transformers` makes of it, or of the `reference`."""
    batch, found, pieces, run = theirs(reference or folder, beams)
    method = "beam" if beams > 1 else "greedy"
    # Theirs counts the start token.
    config = DecodeConfig(method=method, beam_size=beams, length_penalty=1.0, max_length=19)
    explainer = Explainer.load(folder, device="cpu")
    explainer.model.double()  # random weights are wilder than trained ones: rounding would be seen
    record = explainer.explain(TEXT, config)
    best = record.search.hypotheses[0]
    assert record.trace.src.ids.tolist() == batch["input_ids"][0].tolist()
    assert record.trace.tgt_out.ids.tolist() == found.sequences[0, 1:].tolist()
    assert list(record.trace.tgt_out.pieces) == pieces
    if beams > 1:
        assert best.score == pytest.approx(found.sequences_scores[0].item(), abs=1e-5)
    for kind, attentions in (
        ("encoder_self", run.encoder_attentions),
        ("decoder_self", run.decoder_attentions),
        ("cross", run.cross_attentions),
    ):
        expected = torch.cat(attentions).numpy()
        mine = record.trace.attention(kind).weights
        np.testing.assert_allclose(mine, expected, rtol=0, atol=1e-5)
    mine = explainer.logits(TEXT, record.trace.tgt_out.ids)
    np.testing.assert_allclose(mine, run.logits[0].numpy(), rtol=0, atol=1e-5)


@each("form", FORMS, 1)
@each("shape", SHAPES, 4, ids=str)
def test_ids_scores_and_attention_are_those_of_transformers(
    tmp_path: Path, shape: tuple[int, ...], form: str
) -> None:
    seed = SHAPES.index(shape) * len(FORMS) + FORMS.index(form)
    # Each form and each shape meets another choice of matrices than its neighbours.
    matrices = MATRICES[(SHAPES.index(shape) + FORMS.index(form)) % len(MATRICES)]
    compare(written(tmp_path, shape, form, seed, matrices), beams=1 + 3 * (seed % 2))


Variant = Callable[[dict[str, Any]], Path]


@pytest.fixture(scope="module")
def variant(tmp_path_factory: pytest.TempPathFactory) -> Variant:
    """A folder of a model with these settings, written once and left as it is."""
    folders: dict[str, Path] = {}

    def made(settings: dict[str, Any]) -> Path:
        name = str(settings)
        if name not in folders:
            folders[name] = tiny.write_marian(tmp_path_factory.mktemp("variant"), 1, **settings)
        return folders[name]

    return made


def read_the_targets_matrix(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Embedding, "matrix", lambda self, side: self.token)


def cut_with_the_targets_vocabulary(monkeypatch: pytest.MonkeyPatch) -> None:
    encode = Tokenizer._encode

    def wrong(self: Tokenizer, model: Any, _: dict[str, int], text: str) -> Tokens:
        return encode(self, model, self._ids, text)

    monkeypatch.setattr(Tokenizer, "_encode", wrong)


def write_with_the_sources_vocabulary(monkeypatch: pytest.MonkeyPatch) -> None:
    piece = Tokenizer.piece
    monkeypatch.setattr(Tokenizer, "piece", lambda self, i, side="": piece(self, i, "source"))


@pytest.mark.parametrize(
    "fault",
    [
        read_the_targets_matrix,
        cut_with_the_targets_vocabulary,
        write_with_the_sources_vocabulary,
    ],
)
def test_the_wrong_side_is_noticed(
    variant: Variant,
    monkeypatch: pytest.MonkeyPatch,
    fault: Callable[[pytest.MonkeyPatch], None],
) -> None:
    folder = variant({"separate": True})
    compare(folder, beams=4)
    fault(monkeypatch)
    with pytest.raises((AssertionError, IndexError)):
        compare(folder, beams=4)


@pytest.mark.parametrize("shape", [SHAPES[1], SHAPES[6]], ids=str)
def test_the_encoders_heads_in_the_decoder_are_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shape: tuple[int, ...]
) -> None:
    """No weight has another shape then: only the numbers tell."""
    folder = written(tmp_path, shape, "one file", 3, {})
    monkeypatch.setattr(ModelConfig, "heads", lambda self, kind: self.n_heads)
    with pytest.raises(AssertionError):
        compare(folder, beams=1)


# ------------------------------------------------------------------------------------- variants


Weights = dict[str, Tensor]


def set_config(folder: Path, **values: object) -> None:
    found = json.loads((folder / "config.json").read_text("utf-8"))
    (folder / "config.json").write_text(json.dumps({**found, **values}), "utf-8")


def change_weights(folder: Path, change: Callable[[Weights], Weights]) -> None:
    file = folder / "model.safetensors"
    changed = {name: weight.clone() for name, weight in change(load_file(file)).items()}
    save_file(changed, file, metadata={"format": "pt"})


SHARED = "model.shared.weight"
SIDES = [f"model.{side}.embed_tokens.weight" for side in ("encoder", "decoder")]
FINAL = ("model.encoder.layer_norm", "model.decoder.layer_norm")
VARIANTS: list[dict[str, Any]] = [
    {"activation_function": "gelu_new"},
    {"activation_function": "tanh"},
    {"scale_embedding": False},
    {"tie_word_embeddings": False},  # four matrices: the shared one is read by nobody
    {"normalize_before": True},  # today's Marian has post-norm, whatever this says
    {"separate": True, "scale_embedding": False, "activation_function": "tanh"},
    {"pegasus": True},
    {"pegasus": True, "scale_embedding": False, "activation_function": "gelu_new"},
    {"pegasus": True, "tie_word_embeddings": False},
]


@each("beams", [1, 4], 1)
@pytest.mark.parametrize("settings", VARIANTS, ids=str)
def test_each_variant_is_as_in_transformers(
    variant: Variant, settings: dict[str, Any], beams: int
) -> None:
    compare(variant(settings), beams)


@pytest.mark.parametrize("settings", VARIANTS, ids=str)
def test_each_variant_is_exported_with_its_settings(
    tmp_path: Path, variant: Variant, settings: dict[str, Any]
) -> None:
    """`transformers` makes of the export what it makes of the original."""
    folder, out = variant(settings), tmp_path / "out"
    checkpoint = load(folder)
    export_model(out, checkpoint)
    assert load(out).model.config == checkpoint.model.config
    before, after = (json.loads((f / "config.json").read_text("utf-8")) for f in (folder, out))
    for name in ("scale_embedding", "activation_function", "tie_word_embeddings", "model_type"):
        assert before[name] == after[name]
    compare(out, 4)
    compare(out, 4, reference=folder)


def old_pre_norm(folder: Path) -> None:
    """As `transformers` wrote a pre-norm Marian model while it had one, up to version 4.1."""
    set_config(folder, model_type="marian", normalize_before=True, add_final_layer_norm=True)


def with_post_norm(folder: Path) -> None:
    set_config(folder, model_type="marian", normalize_before=False, add_final_layer_norm=False)
    names = {f"{name}.{part}" for name in FINAL for part in ("weight", "bias")}
    change_weights(folder, lambda w: {k: v for k, v in w.items() if k not in names})


def test_a_pre_norm_marian_model_is_as_pegasus(tmp_path: Path) -> None:
    """The independent reference: Marian in `transformers` has no pre-norm any more."""
    folder = tiny.write_marian(tmp_path / "pegasus", pegasus=True)
    for change in (old_pre_norm, with_post_norm):
        shutil.copytree(folder, tmp_path / change.__name__)
        change(tmp_path / change.__name__)
    compare(tmp_path / "old_pre_norm", 4, reference=folder)
    export_model(tmp_path / "out", load(tmp_path / "old_pre_norm"))
    compare(tmp_path / "out", 4, reference=folder)
    compare(tmp_path / "with_post_norm", 4)


def test_a_shared_matrix_with_an_output_of_its_own(tmp_path: Path) -> None:
    """As `transformers` 4 wrote it; version 5 wants the shared one under both sides' names too."""
    folder = tiny.write_marian(tmp_path / "new", tie_word_embeddings=False)
    change_weights(folder, lambda w: {**w, **dict.fromkeys(SIDES, w[SHARED])})
    shutil.copytree(folder, tmp_path / "old")
    change_weights(tmp_path / "old", lambda w: {k: v for k, v in w.items() if k not in SIDES})
    compare(tmp_path / "old", 4, reference=folder)


@pytest.mark.parametrize(
    ("index", "message"),
    [
        ("{", "is damaged"),
        ("[]", "is damaged"),
        ('{"weight_map": 7}', "is damaged"),
        ('{"weight_map": {"a": "../model-00001-of-00002.safetensors"}}', "names a file"),
        ('{"weight_map": {"a": "/etc/passwd"}}', "names a file"),
        ('{"weight_map": {"a": "model-00009-of-00009.safetensors"}}', "which is not there"),
        ('{"weight_map": {"a": "model-00001-of-00001.safetensors"}}', "do not hold a"),
    ],
)
def test_a_damaged_index_is_told(tmp_path: Path, index: str, message: str) -> None:
    folder = tiny.write_marian(tmp_path)
    (folder / "model.safetensors").rename(folder / "model-00001-of-00001.safetensors")
    (folder / "model.safetensors.index.json").write_text(index, "utf-8")
    with pytest.raises(CheckpointError, match=message):
        Explainer.load(folder, device="cpu")


@pytest.mark.parametrize("more", [1, 4, 40])
@pytest.mark.parametrize("beams", [1, 3])
def test_each_of_several_end_tokens_ends(tmp_path: Path, beams: int, more: int) -> None:
    """With more ends there are more candidates: N of them go on."""
    folder = tiny.write_marian(tmp_path, seed=more)
    path = folder / "generation_config.json"
    ends = [0, *((72,) if more == 1 else range(5, 5 + 3 * more, 3))]
    asked = {"eos_token_id": ends, "no_repeat_ngram_size": 1, "num_beams": beams, "max_length": 40}
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), **asked}), "utf-8")
    model = transformers.AutoModelForSeq2SeqLM.from_pretrained(folder).double().eval()
    batch = transformers.MarianTokenizer.from_pretrained(folder)([TEXT], return_tensors="pt")
    expected = model.generate(**batch)[0, 1:].tolist()
    assert len(expected) < 39 and expected[-1] in ends[1:]
    explainer = Explainer.load(folder, device="cpu")
    explainer.model.double()
    record = explainer.explain(TEXT)
    assert record.trace.tgt_out.ids.tolist() == expected
    assert record.search.hypotheses[0].finished
    found = load(folder)
    assert found.rules.ends == tuple(ends)
    export_model(tmp_path / "out", found)
    assert load(tmp_path / "out").rules == found.rules
