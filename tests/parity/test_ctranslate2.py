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

import pytest
from safetensors.torch import load_file, save_file

from model.checkpoint import SHIPPED, export_marian, load
from model.config import DecodeConfig
from model.explain import Explainer
from tests import tiny

ctranslate2 = pytest.importorskip("ctranslate2")
transformers = pytest.importorskip("transformers")

SENTENCES = ("I am a student.", "How many cats live on the old bridge?", *tiny.ENGLISH)
Translate = Callable[[str, int], tuple[list[str], float]]


def converted(folder: Path) -> Translate:
    """CTranslate2's own converter on a folder, and what its translator writes: pieces, score."""
    out = folder.parent / f"{folder.name}-ct2"
    ctranslate2.converters.TransformersConverter(str(folder)).convert(str(out))
    settings = {"compute_type": "float32", "inter_threads": 1, "intra_threads": 1}
    translator = ctranslate2.Translator(str(out), device="cpu", **settings)
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
def shipped() -> Explainer:
    return Explainer.load(SHIPPED, device="cpu")


@pytest.fixture(scope="module")
def translate(tmp_path_factory: pytest.TempPathFactory) -> Translate:
    folder = tmp_path_factory.mktemp("exported") / "en-zh"
    export_marian(folder, load(SHIPPED))
    return converted(folder)


@pytest.mark.parametrize("beams", [1, 4])
def test_the_shipped_model_writes_the_same(
    shipped: Explainer, translate: Translate, beams: int
) -> None:
    for text in SENTENCES:
        pieces, score = ours(shipped, text, beams)
        there, its_score = translate(shipped.read(text).text, beams)
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


@pytest.mark.parametrize("fault", [forget_the_start, mix_up_two_pieces])
def test_a_fault_of_the_export_is_noticed(
    shipped: Explainer, tmp_path: Path, fault: Callable[[Path], None]
) -> None:
    export_marian(tmp_path / "en-zh", load(SHIPPED))
    fault(tmp_path / "en-zh")
    translate = converted(tmp_path / "en-zh")
    pairs = [(ours(shipped, text, 4), translate(shipped.read(text).text, 4)) for text in SENTENCES]
    assert any(abs(here[1] - there[1]) > 0.01 for here, there in pairs)
