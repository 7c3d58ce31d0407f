"""The models in the repository: they are small, they are attributed, and they translate."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import pytest
import torch

from explorer.openers import POOL
from model import checkpoint, shipped
from model.checkpoint import snapshots
from model.config import DecodeConfig, Method
from model.explain import Explainer
from model.labs import cuts, saturation
from model.training import corpus
from model.translate import translate_all

FOLDER = shipped.FOLDERS["en-zh"]

# What a speaker of the language would accept; the corpus has several of each.
STUDENT, STATION = (
    {"I am a student.", "I'm a student."},
    {"Where is the station?", "Where's the station?"},
)
RIGHT = {
    "en-zh": {
        "I am a student.": {"我是学生。", "我是一名学生。", "我是个学生。", "我是一个学生。"},
        "Why do we work?": {
            "我们为什么工作？",
            "为什么我们要工作？",
            "我们为什么要工作？",
            "为什么我们工作？",
        },
        "Where is the station?": {
            "车站在哪里？",
            "车站在哪儿？",
            "火车站在哪里？",
            "火车站在哪儿？",
        },
    },
    "zh-en": {
        "我是一个学生。": STUDENT,
        "你叫什么名字？": {"What is your name?", "What's your name?"},
        "车站在哪里？": STATION,
    },
    "en-de": {
        "I am a student.": {"Ich bin Student.", "Ich bin Studentin.", "Ich bin ein Student."},
        "Why do we work?": {"Warum arbeiten wir?", "Wieso arbeiten wir?", "Weshalb arbeiten wir?"},
        "Where is the station?": {"Wo ist der Bahnhof?", "Wo ist die Haltestelle?"},
    },
    "de-en": {
        "Ich bin Student.": STUDENT,
        "Warum arbeiten wir?": {"Why do we work?", "Why are we working?"},
        "Wo ist der Bahnhof?": STATION | {"Where is the train station?"},
    },
}
COLLAPSED = {"en-zh": 4, "zh-en": 6, "en-de": 4, "de-en": 4}  # heads, at most
FAVOURING = {"en-zh": 15, "zh-en": 20, "en-de": 5, "de-en": 5}


@pytest.fixture(scope="module", params=shipped.names())
def own(request: pytest.FixtureRequest) -> Explainer:
    """Each of the models that are there."""
    return Explainer.load(shipped.FOLDERS[request.param], device="cpu")


@pytest.fixture(scope="module")
def first() -> Explainer:
    return Explainer.load(None, device="cpu")


def test_all_files_together_are_small(own: Explainer) -> None:
    names = {path.name for path in shipped.FOLDERS[own.name].iterdir()}
    assert {
        "config.json", "model.safetensors", "source.spm", "target.spm", "README.md", "doubt.json",
        "scores.json", "heads.json", "alignment.json", "gloss.json", "gold.jsonl", "openers.json",
    } <= names  # fmt: skip
    files = [path for path in FOLDER.parent.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) <= 135_000_000


def test_the_heads_can_be_watched_learning(first: Explainer) -> None:
    assert len(first.training_fractions) >= 4 and first.training_fractions[0] == 0
    for share in first.training_fractions[:-1]:
        assert snapshots.path(FOLDER, share).stat().st_size < 10_000_000


@pytest.mark.slow
def test_the_output_on_show_gets_likelier_while_it_learns(first: Explainer) -> None:
    ids = first.explain("Where is the station?").trace.tgt_out.ids.tolist()
    start, second, last = (
        first.at(share).trace("Where is the station?", ids).log_prob.sum()
        for share in (*first.training_fractions[:2], first.training_fractions[-1])
    )
    assert last > max(start + 10, second)  # between, each run has its own ups and downs


def test_it_is_the_papers_model_of_the_promised_size(own: Explainer) -> None:
    config = own.model.config
    assert (config.norm, config.activation, config.sinusoids) == ("post", "relu", "interleaved")
    assert config.n_encoder_layers >= 3
    assert config.n_decoder_layers >= 3
    assert config.n_heads >= 8


@pytest.fixture(scope="module")
def health(own: Explainer) -> saturation.Health:
    folder = shipped.FOLDERS[own.name]
    return saturation.measure(checkpoint.load(folder), corpus.read_pairs(folder / POOL))


@pytest.mark.slow
def test_nearly_no_head_says_the_same_of_every_word(
    own: Explainer, health: saturation.Health
) -> None:
    """Ten of the heads of an earlier model did, as docs/training.md tells.

    Its limit of 12 that favour a key is for development sentences, which have more words than the
    shipped ones; the fewer keys a query may read, the likelier they agree.
    """
    assert health.n_sentences > 30 and len(health.heads) == 72
    assert len(health.collapsed) <= COLLAPSED[own.name]
    assert len(health.favouring) <= FAVOURING[own.name]


@pytest.mark.slow
def test_no_layer_has_scores_so_far_apart_that_softmax_is_saturated(
    health: saturation.Health,
) -> None:
    assert max(max(layers) for layers in health.spread.values()) < 6


@pytest.mark.long
@pytest.mark.slow
def test_no_output_is_garbled(own: Explainer) -> None:
    texts = [source for source, _ in corpus.read_pairs(shipped.FOLDERS[own.name] / POOL)][:300:10]
    for text in texts:
        written = own.explain(text, DecodeConfig(method="greedy")).search.hypotheses[0].text
        assert "\ufffd" not in written, text


# Characters that the models know from their bytes at most.
IN_BYTES = (
    "I live in 東京.", "привет", "שלום my friend", "नमस्ते, Tom!", "한국어 is hard.", "𝄞", "Ωμέγα ❤️",
    "I like łódź and ñandú.", "👩‍👩‍👧 🇨🇭", "H₂O ① ﬁ", "𐍈𐍈𐍈", "مرحبا",
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("method", ["greedy", "beam", "sampling"])
def test_bytes_are_written_as_characters(own: Explainer, method: Method) -> None:
    """Whole, and where the limit comes early."""
    loaded = checkpoint.load(shipped.FOLDERS[own.name])
    for limit in (3, 40):
        config = DecodeConfig(method=method, max_length=limit, seed=limit)
        texts = translate_all(loaded, list(IN_BYTES), config)
        assert [text for text in texts if "\ufffd" in text] == []


def test_doubt_finds_something_and_is_mostly_right(own: Explainer) -> None:
    limits = own.thresholds
    assert limits is not None and limits.doubted >= 10 and limits.precision >= 0.6


@pytest.mark.slow
def test_common_words_are_whole(first: Explainer) -> None:
    found = cuts.count(first.tokenizer, corpus.read_lines(FOLDER / POOL))
    assert found.words > 1_000 and found.bad / found.words < 0.05
    assert found.empty_first == 0


ORDINARY = (
    "Good morning.",
    "What is your name?",
    "I like to drink tea.",
    "My sister is a teacher.",
    "It is very cold today.",
    "Where did you buy this book?",
    "We went to the park yesterday.",
    "The children are playing in the garden.",
    "He gave me a red apple.",
    "Can you help me with my homework?",
)


@pytest.mark.slow
@pytest.mark.parametrize("text", ORDINARY)
def test_the_first_written_token_is_a_word_or_a_character(first: Explainer, text: str) -> None:
    piece = first.explain(text).trace.tgt_out.pieces[0]
    assert re.fullmatch("[\u4e00-\u9fff]+", piece)


@pytest.mark.parametrize("method", ["greedy", "beam"])
def test_what_everybody_types_first_comes_out_right(own: Explainer, method: str) -> None:
    config = DecodeConfig.from_dict({"method": method})
    for text, right in RIGHT[own.name].items():
        assert own.explain(text, config).search.hypotheses[0].text in right


# Numbers, times and items of lists, and what of them a translation has to have.
WHOLE = {
    "营业时间：周一至周五9:00-17:00 ; 1. 洗手。": ("9:00-17:00", "1. wash your hands."),
    "营业时间是周一至周日08:30-22:00。": ("08:30-22:00",),
    "它的营业时间是10:00-21:30，电话是010-12345678。": ("10:00-21:30", "010-12345678"),
    "1. 洗手。": ("1. wash your hands.",),
    "2. 关门。": ("2. ",),
    "3. 打开窗户。": ("3. open the window.",),
    "1. 打开窗户。": ("1. open the window.",),
    "10. 回家。": ("10. ",),
    "8:30": ("8:30",),
    "我们12：30吃午饭。": ("12:30",),
    "火车上午9:05出发。": ("9:05",),
    "这辆车10,000元。": ("10,000 yuan",),
    "这个包重3.5公斤。": ("3.5 kilo",),
    "我吃了1/2个苹果。": ("1/2",),
    "2024年": ("2024",),
}


def test_numbers_of_the_source_stay_whole() -> None:
    """The model's data has 9: 00 in English two times of three (docs/decisions.md, 182)."""
    explainer = Explainer.load("zh-en", device="cpu")
    for text, parts in WHOLE.items():
        own = explainer.explain(text).search.hypotheses[0].text
        assert all(part in own.lower() for part in parts), own
        assert not re.search(r"\d: \d|\d\.\.|\d\.\d", own) or "3.5" in text, own
    read = [explainer.tokenizer.encode_source(one).pieces for one in ("1. 洗手。", "1.洗手。")]
    assert read[0] == read[1]


def test_the_decoder_reads_the_source(own: Explainer) -> None:
    """Every cross-attention grey was how a collapsed encoder showed: see docs/training.md."""
    trace = own.explain(list(RIGHT[own.name])[-1]).trace
    uniform = 1 / len(trace.src)
    assert trace.cross.weights.max() > 3 * uniform
    assert abs(trace.cross.weights - uniform).mean() > 0.02


def test_the_card_says_where_the_sentences_came_from(own: Explainer) -> None:
    card = (shipped.FOLDERS[own.name] / "README.md").read_text("utf-8")
    for needed in ("Tatoeba", "CC BY 2.0 FR", "BLEU", "manythings.org"):
        assert needed in card


def test_the_card_names_the_weights_it_describes(own: Explainer) -> None:
    card = (shipped.FOLDERS[own.name] / "README.md").read_text("utf-8")
    weights = (shipped.FOLDERS[own.name] / "model.safetensors").read_bytes()
    assert f"`{hashlib.sha256(weights).hexdigest()}`" in card
    count = sum(parameter.numel() for parameter in own.model.parameters())
    assert f"{count:,} parameters" in card
    assert f"{own.model.config.vocab_size:,} pieces" in card


def test_the_curves_are_there_to_be_drawn(own: Explainer) -> None:
    text = (shipped.FOLDERS[own.name] / "curves.jsonl").read_text()
    lines = [json.loads(line) for line in text.splitlines()]
    assert [line["epoch"] for line in lines] == list(range(1, len(lines) + 1))
    assert {"updates", "lr", "train_loss", "dev_loss", "bleu", "chrf"} <= set(lines[0])
    assert lines[-1]["dev_loss"] < lines[0]["dev_loss"]


@pytest.mark.slow
def test_the_exported_model_translates_the_same_in_transformers(
    first: Explainer, tmp_path: Path
) -> None:
    transformers = pytest.importorskip("transformers")
    checkpoint.export_model(tmp_path / "marian", checkpoint.load(FOLDER))
    peer = transformers.MarianMTModel.from_pretrained(tmp_path / "marian").eval()
    names = transformers.MarianTokenizer.from_pretrained(tmp_path / "marian")
    for text in RIGHT["en-zh"]:
        batch = names([text], return_tensors="pt")
        with torch.no_grad():
            ids = peer.generate(**batch, num_beams=1, do_sample=False, max_new_tokens=40)[
                0
            ].tolist()
        best = first.explain(text, DecodeConfig(method="greedy")).search.hypotheses[0]
        written = [i for i in ids[1:] if i not in (names.eos_token_id, names.pad_token_id)]
        assert written == list(best.ids)
