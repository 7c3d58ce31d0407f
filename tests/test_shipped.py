"""The model in the repository: it is small, it is attributed, and it translates."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch

from model import checkpoint
from model.checkpoint import snapshots
from model.config import DecodeConfig
from model.explain import Explainer

FOLDER = checkpoint.SHIPPED

# What a Chinese speaker would accept; the corpus has several of each.
RIGHT = {
    "I am a student.": {"我是学生。", "我是一名学生。", "我是个学生。", "我是一个学生。"},
    "Why do we work?": {
        "我们为什么工作？",
        "为什么我们要工作？",
        "我们为什么要工作？",
        "为什么我们工作？",
    },
    "Where is the station?": {"车站在哪里？", "车站在哪儿？", "火车站在哪里？", "火车站在哪儿？"},
}


@pytest.fixture(scope="module")
def shipped() -> Explainer:
    return Explainer.load(None, device="cpu")


def test_all_files_together_are_small() -> None:
    files = [path for path in FOLDER.rglob("*") if path.is_file()]
    assert {"config.json", "model.safetensors", "tokenizer.model", "README.md"} <= {
        path.name for path in files
    }
    assert sum(path.stat().st_size for path in files) < 40_000_000


def test_the_heads_can_be_watched_learning(shipped: Explainer) -> None:
    assert len(shipped.training_fractions) >= 4 and shipped.training_fractions[0] == 0
    for share in shipped.training_fractions[:-1]:
        assert snapshots.path(FOLDER, share).stat().st_size < 10_000_000


def test_the_output_on_show_gets_likelier_while_it_learns(shipped: Explainer) -> None:
    ids = shipped.explain("Where is the station?").trace.tgt_out.ids.tolist()
    way = [
        shipped.at(share).trace("Where is the station?", ids).log_prob.sum()
        for share in shipped.training_fractions
    ]
    assert way[-1] > max(way[0] + 10, way[1])  # between, each run has its own ups and downs


def test_it_is_the_papers_model_of_the_promised_size(shipped: Explainer) -> None:
    config = shipped.model.config
    assert (config.norm, config.activation, config.sinusoids) == ("post", "relu", "interleaved")
    assert config.n_encoder_layers >= 3
    assert config.n_decoder_layers >= 3
    assert config.n_heads >= 8


@pytest.mark.parametrize("text", RIGHT)
@pytest.mark.parametrize("method", ["greedy", "beam"])
def test_what_everybody_types_first_comes_out_right(
    shipped: Explainer, text: str, method: str
) -> None:
    config = DecodeConfig.from_dict({"method": method})
    assert shipped.explain(text, config).search.hypotheses[0].text in RIGHT[text]


def test_the_decoder_reads_the_source(shipped: Explainer) -> None:
    """Every cross-attention grey was how a collapsed encoder showed: see docs/training.md."""
    trace = shipped.explain("Where is the station?").trace
    uniform = 1 / len(trace.src)
    assert trace.cross.weights.max() > 3 * uniform
    assert abs(trace.cross.weights - uniform).mean() > 0.02


def test_the_card_says_where_the_sentences_came_from() -> None:
    card = (FOLDER / "README.md").read_text("utf-8")
    for needed in ("Tatoeba", "CC BY 2.0 FR", "BLEU", "manythings.org"):
        assert needed in card


def test_the_curves_are_there_to_be_drawn() -> None:
    lines = [json.loads(line) for line in (FOLDER / "curves.jsonl").read_text().splitlines()]
    assert [line["epoch"] for line in lines] == list(range(1, len(lines) + 1))
    assert {"updates", "lr", "train_loss", "dev_loss", "bleu", "chrf"} <= set(lines[0])
    assert lines[-1]["dev_loss"] < lines[0]["dev_loss"]


def test_the_exported_model_translates_the_same_in_transformers(
    shipped: Explainer, tmp_path: Path
) -> None:
    transformers = pytest.importorskip("transformers")
    checkpoint.export_marian(tmp_path / "marian", checkpoint.load(FOLDER))
    peer = transformers.MarianMTModel.from_pretrained(tmp_path / "marian").eval()
    names = transformers.MarianTokenizer.from_pretrained(tmp_path / "marian")
    for text in RIGHT:
        batch = names([text], return_tensors="pt")
        with torch.no_grad():
            ids = peer.generate(**batch, num_beams=1, do_sample=False, max_new_tokens=40)[
                0
            ].tolist()
        best = shipped.explain(text, DecodeConfig(method="greedy")).search.hypotheses[0]
        written = [i for i in ids[1:] if i not in (names.eos_token_id, names.pad_token_id)]
        assert written == list(best.ids)
