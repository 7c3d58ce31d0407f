"""The vocabulary of a new model: whole words, a space mark only where words are divided by it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import sentencepiece

from model.errors import ConfigError
from model.text import vocabulary
from model.text.tokenizer import Tokenizer
from tests import tiny

# "because" is always followed by a space, and its halves are words, too.
ENGLISH = (
    "I left because I was tired.",
    "She cried because she was sad.",
    "They stayed because it rained.",
    "What may be the cause?",
    "Be quiet, be kind.",
    "It must be 25 or 52.",
    "The cause is unknown.",
)
CHINESE = (
    "我不知道为什么。",
    "我不知道他是谁。",
    "我不知道这个。",
    "不要走。",
    "知道了。",
    "我是学生。",
    "是不是？",
)
PAIRS = list(zip(ENGLISH, CHINESE, strict=True)) * 5


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Tokenizer:
    folder = tmp_path_factory.mktemp("vocabulary")
    vocabulary.train(PAIRS, 340, folder)
    return Tokenizer.load(folder)


@pytest.mark.slow
def test_words_are_found_in_either_script() -> None:
    assert list(vocabulary.words(" I'm 25 我不知道A座")) == [
        " I", "'", "m", " 2", "5", "我", "不", "知道", "A", "座",
    ]  # fmt: skip


def test_a_frequent_word_is_one_piece(tokenizer: Tokenizer) -> None:
    assert tokenizer.encode_source("I cried because").pieces[-2] == "▁because"


def test_sentencepiece_alone_cuts_it(tmp_path: Path) -> None:
    """What the candidates are for: a suffix tree has no node for a string with one successor."""
    path = tmp_path / "plain.model"
    with path.open("wb") as file:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter([text for pair in PAIRS for text in pair]), model_writer=file,
            vocab_size=340, byte_fallback=True, hard_vocab_limit=False, minloglevel=2,
        )  # fmt: skip
    pieces = sentencepiece.SentencePieceProcessor(model_file=str(path)).encode(
        "I cried because", out_type=str
    )
    assert "▁because" not in pieces


def test_a_chinese_piece_is_a_word_or_a_character(tokenizer: Tokenizer) -> None:
    """我不知道 comes three times and is no word."""
    assert tokenizer.encode_target("我不知道").pieces == ("我", "不", "知道")
    assert vocabulary.candidates(["我不知道", "我不知道"]) == {"知道": 2}


def test_digits_are_pieces_of_their_own(tokenizer: Tokenizer) -> None:
    assert all(sum(c.isdigit() for c in piece) < 2 for piece in tokenizer.pieces[260:])
    assert tokenizer.encode_target("25").pieces == ("2", "5")


def test_only_a_language_with_spaces_gets_a_mark(tmp_path: Path) -> None:
    """By how many there are: English has them, Chinese and (between sentences) Thai have not."""
    assert vocabulary.writes_spaces(ENGLISH)
    assert not vocabulary.writes_spaces(CHINESE)
    assert not vocabulary.writes_spaces(["ฉันไม่รู้ว่าทำไมเขาถึงไม่มา แต่ฉันรอเขาอยู่ที่นี่"])
    vocabulary.train([(b, a) for a, b in PAIRS], 340, tmp_path)  # the other way round
    turned = Tokenizer.load(tmp_path)
    assert turned.encode_source("知道").pieces[0] == "知道"
    assert turned.encode_target("because").pieces == ("▁because",)


@pytest.mark.slow
def test_a_corpus_that_is_too_small_is_one_sentence(tmp_path: Path) -> None:
    for size in (9000, 261):
        with pytest.raises(ConfigError, match=f"No vocabulary of {size} pieces fits") as caught:
            vocabulary.train(PAIRS, size, tmp_path)
        assert not list(tmp_path.iterdir())
        sizes = re.findall(r"\d+", str(caught.value).split(";")[1])
        for works in sizes:  # in words of our own, and they do work
            vocabulary.train(PAIRS, int(works), tmp_path)
        for fails in (int(sizes[0]) - 1, int(sizes[1]) + 1):
            with pytest.raises(ConfigError, match=f"from {sizes[0]} to {sizes[1]} do"):
                vocabulary.train(PAIRS, fails, tmp_path)
        for file in tmp_path.iterdir():
            file.unlink()


@pytest.mark.slow
@pytest.mark.parametrize("size", [261, 9000])
@pytest.mark.parametrize("pairs", [PAIRS, PAIRS[:1], [("a", "b")], [("啊" * 3, "2")]])
def test_a_first_try_gets_the_vocabulary_that_its_corpus_has(
    pairs: list[tuple[str, str]], size: int, tmp_path: Path
) -> None:
    vocabulary.train(pairs, size, tmp_path, nearest=True)
    tokenizer = Tokenizer.load(tmp_path)
    assert 261 <= len(tokenizer) < 9000
    for source, target in pairs:
        assert tokenizer.decode(tokenizer.encode_target(target).ids) == target
        assert tokenizer.encode_source(source).text == source


def test_the_same_corpus_gives_the_same_files(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        tiny.train_pair(tmp_path / name)
    one, two = ({p.name: p.read_bytes() for p in (tmp_path / n).iterdir()} for n in ("one", "two"))
    assert one == two
    assert one.keys() == {"source.spm", "target.spm"}
