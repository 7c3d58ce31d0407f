"""An exported model in CTranslate2: it converts as it is, and writes the same translations.

CTranslate2 reads no generation_config.json: it is told the number of beams, the length penalty and
that <unk> is not written. It ends a search earlier than `transformers` and we do, so that only the
best translation must be the same.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from model.checkpoint import SHIPPED, export_model, load
from model.checkpoint.__main__ import Export
from model.config import DecodeConfig
from model.explain import Explainer
from tests import tiny

ctranslate2 = pytest.importorskip("ctranslate2")
transformers = pytest.importorskip("transformers")

ROOT = Path(__file__).parents[2]
SENTENCES = ("I am a student.", "How many cats live on the old bridge?", *tiny.ENGLISH)
Translate = Callable[[str, int], tuple[list[str], float]]


def translator_of(folder: Path) -> Any:
    """CTranslate2's own converter on a folder, and its translator."""
    out = folder.parent / f"{folder.name}-ct2"
    ctranslate2.converters.TransformersConverter(str(folder)).convert(str(out))
    settings = {"compute_type": "float32", "inter_threads": 1, "intra_threads": 1}
    return ctranslate2.Translator(str(out), device="cpu", **settings)


def converted(folder: Path) -> Translate:
    """What CTranslate2 writes: pieces, score."""
    translator = translator_of(folder)
    names = transformers.MarianTokenizer.from_pretrained(folder)

    def translate(text: str, beams: int) -> tuple[list[str], float]:
        source = names.convert_ids_to_tokens(names(text).input_ids)
        (found,) = translator.translate_batch(
            [source],
            beam_size=beams,
            length_penalty=1.0,
            max_decoding_length=40,
            disable_unk=True,
            return_scores=True,
        )
        return found.hypotheses[0], found.scores[0]

    return translate


def ours(explainer: Explainer, text: str, beams: int) -> tuple[list[str], float]:
    method: Any = "beam" if beams > 1 else "greedy"
    config = DecodeConfig(method=method, beam_size=beams, length_penalty=1.0, max_length=41)
    best = explainer.explain(text, config).search.hypotheses[0]
    return [explainer.tokenizer.piece(i) for i in best.ids], best.score


@pytest.fixture(scope="module")
def translate(tmp_path_factory: pytest.TempPathFactory) -> Translate:
    folder = tmp_path_factory.mktemp("exported") / "en-zh"
    export_model(folder, load(SHIPPED))
    return converted(folder)


@pytest.mark.long
@pytest.mark.parametrize("beams", [1, 4])
def test_the_shipped_model_writes_the_same(
    explainer: Explainer, translate: Translate, beams: int
) -> None:
    for text in SENTENCES:
        pieces, score = ours(explainer, text, beams)
        there, its_score = translate(explainer.read(text).text, beams)
        assert there == pieces, text
        assert its_score == pytest.approx(score, abs=1e-3), text


def forget_the_start(folder: Path) -> None:
    """CTranslate2 starts from zeros: without its vector in the first position there is no start."""
    weights = load_file(folder / "model.safetensors")
    del weights["model.decoder.embed_positions.weight"]
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})


def mix_up_two_pieces(folder: Path) -> None:
    vocabulary = json.loads((folder / "vocab.json").read_text("utf-8"))
    vocabulary["▁I"], vocabulary["▁a"] = vocabulary["▁a"], vocabulary["▁I"]
    (folder / "vocab.json").write_text(json.dumps(vocabulary), "utf-8")


@pytest.mark.long
@pytest.mark.parametrize("fault", [forget_the_start, mix_up_two_pieces])
def test_a_fault_of_the_export_is_noticed(
    explainer: Explainer, tmp_path: Path, fault: Callable[[Path], None]
) -> None:
    export_model(tmp_path / "en-zh", load(SHIPPED))
    fault(tmp_path / "en-zh")
    translate = converted(tmp_path / "en-zh")
    pairs = [
        (ours(explainer, text, 4), translate(explainer.read(text).text, 4)) for text in SENTENCES
    ]
    assert any(abs(here[1] - there[1]) > 0.01 for here, there in pairs)


# -------------------------------------------------------------------------------- other models


def difference(folder: Path, other: Path) -> float:
    """How far log-probs of one target are apart: of a folder's model here, of the other's there."""
    explainer, translator = Explainer.load(folder, device="cpu"), translator_of(other)
    names = transformers.MarianTokenizer.from_pretrained(other)
    worst = 0.0
    for text in tiny.ENGLISH[:3]:
        target = explainer.explain(text, DecodeConfig(method="greedy", max_length=12)).trace.tgt_out
        end = explainer.tokenizer.end_id
        ids = [*(i for i in target.ids.tolist() if i != end), end]  # CTranslate2 adds the end
        source = names.convert_ids_to_tokens(names(explainer.read(text).text).input_ids)
        pieces = [explainer.tokenizer.piece(i) for i in ids[:-1]]
        (there,) = translator.score_batch([source], [pieces])
        logits = torch.from_numpy(explainer.logits(text, ids)).double()
        here = logits.log_softmax(-1)[range(len(ids)), ids]
        worst = max(worst, float(np.abs(here.numpy() - there.log_probs).max()))
    return worst


@pytest.mark.parametrize(
    ("settings", "wrong"),
    [
        ({}, {"activation": "gelu"}),
        ({"activation": "gelu"}, {"activation": "swish"}),
        ({"activation": "gelu_new"}, {"activation": "gelu"}),
        ({"activation": "swish", "output_bias": True, "decoder_d_ff": 40}, {"activation": "relu"}),
        ({"scale_embedding": False}, {"scale_embedding": True}),
        ({"tied": False}, {"activation": "gelu"}),
        ({"norm": "pre"}, {"scale_embedding": False}),
        ({"norm": "pre", "tied": False, "scale_embedding": False}, {"scale_embedding": True}),
    ],
    ids=str,
)
def test_other_models_have_the_same_log_probs(
    settings: dict[str, Any], wrong: dict[str, Any], tmp_path: Path
) -> None:
    for name, changes in (("right", {}), ("wrong", wrong)):
        tiny.write_own(tmp_path / name, **{**settings, **changes})
        export_model(tmp_path / f"{name}-exported", load(tmp_path / name))
    assert difference(tmp_path / "right", tmp_path / "right-exported") < 2e-5
    assert difference(tmp_path / "right", tmp_path / "wrong-exported") > 1e-4


def told(*words: str) -> None:
    """Where the export is described, it says so."""
    for text in (Export.__doc__ or "", (ROOT / "README.md").read_text("utf-8")):
        assert all(word in " ".join(text.split()) for word in words)


def test_what_the_converter_refuses_is_told(tmp_path: Path) -> None:
    export_model(tmp_path / "two", load(tiny.write_marian(tmp_path / "separate", separate=True)))
    with pytest.raises(ValueError, match="vocabulary"):
        translator_of(tmp_path / "two")
    told("two vocabularies")
    export_model(tmp_path / "tanh", load(tiny.write_own(tmp_path / "own", activation="tanh")))
    with pytest.raises(KeyError, match="tanh"):
        translator_of(tmp_path / "tanh")
    told("activation tanh")


def test_what_the_converter_gets_wrong_is_told(tmp_path: Path) -> None:
    folder = tiny.write_own(tmp_path / "own", decoder_heads=4)
    export_model(tmp_path / "heads", load(folder))
    assert difference(folder, tmp_path / "heads") > 0.01
    told("different number of heads", "silently")
