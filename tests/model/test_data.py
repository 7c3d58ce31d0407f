"""Corpora: what a line becomes, how the parts are divided, what a batch holds."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model import data
from model.config import TrainConfig
from model.errors import InputError
from model.tokenizer import Tokenizer

PAIRS = [
    ("I'm a student.", "我是一名学生。"),
    ("I am a student.", "我是学生。"),
    ("Why do we work?", "我们为什么工作？"),
    ("The dog bit the man.", "狗咬了那个人。"),
    ("Where is the station?", "车站在哪里？"),
    ("We love tea.", "我们爱喝茶。"),
]


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Tokenizer:
    folder = tmp_path_factory.mktemp("tokenizer")
    data.train_tokenizer(PAIRS * 5, 320, folder / "tokenizer.model")
    return Tokenizer.load(folder)


def test_nearly_equal_sentences_share_a_key() -> None:
    assert data.key("I'm a student.") == data.key("I am a student!") == "i am a student"
    assert data.key("I can't go.") == data.key("i cannot go")
    assert data.key("He won't") == "he will not"
    assert data.key("I am a teacher.") != data.key("I am a student.")


def test_traditional_becomes_simplified_and_punctuation_wide(tmp_path: Path) -> None:
    file = tmp_path / "pairs.tsv"
    file.write_text("It’s  big, isn't it?\t這很大, 不是嗎?\tCC-BY\n\nHi.\t你好.\n", "utf-8")
    assert data.read_pairs(file) == [("It's big, isn't it?", "这很大，不是吗？"), ("Hi.", "你好。")]


@pytest.mark.parametrize("separator", ["\u2028", "\u0085", "\x0b", "\x1c", "\r"])
def test_only_a_newline_ends_a_line(tmp_path: Path, separator: str) -> None:
    file = tmp_path / "pairs.tsv"
    text = f"I am{separator}here.\t我在这。\tan{separator}attribution\tx\nHi.\t你好。\r\n"
    file.write_bytes(text.encode())
    assert data.read_pairs(file) == [("I am here.", "我在这。"), ("Hi.", "你好。")]


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("你 好 , 汤姆!!", "你好，汤姆！！"),
        ("你好 !", "你好！"),
        ("我 (和你) 去.", "我（和你）去。"),
        ("Tom 是 DJ.", "Tom是DJ."),
    ],
)
def test_chinese_form(text: str, form: str) -> None:
    assert data.chinese_form(text) == form


@given(text=st.text(alphabet="你好，。！,.!?:;() Aa1"))
def test_chinese_form_is_final(text: str) -> None:
    once = data.chinese_form(text)
    assert data.chinese_form(once) == once


def test_a_failure_while_encoding_is_not_swallowed() -> None:
    with pytest.raises(AttributeError):
        data.encode(PAIRS, None, TrainConfig(), 0)  # type: ignore[arg-type]


def test_numbers_keep_their_point() -> None:
    assert data.chinese_form("圆周率是3.14,对吗?") == "圆周率是3.14,对吗？"


@pytest.mark.parametrize(
    ("content", "says"),
    [(b"no tab here\n", "no tab"), (b"\n\n", "holds no pairs"), (b"\xff\xfe\x00", "UTF-8")],
)
def test_a_broken_corpus_is_refused(tmp_path: Path, content: bytes, says: str) -> None:
    file = tmp_path / "pairs.tsv"
    file.write_bytes(content)
    with pytest.raises(InputError, match=says):
        data.read_pairs(file)


def test_parts_share_no_sentence_and_depend_on_nothing_else() -> None:
    pairs = [(f"Sentence {i}.", f"第{i}句。") for i in range(3000)]
    parts = data.split(pairs, 0.1, 0.2)
    keys = [
        {data.key(english) for english, _ in part} for part in (parts.train, parts.dev, parts.test)
    ]
    assert not keys[0] & keys[1] and not keys[0] & keys[2] and not keys[1] & keys[2]
    assert sum(map(len, keys)) == 3000
    assert 520 < len(parts.test) < 680 and 220 < len(parts.dev) < 380
    assert data.split(pairs[:100], 0.1, 0.2).test == [p for p in pairs[:100] if p in parts.test]


def test_twins_fall_into_the_same_part() -> None:
    for seed in range(50):
        twins = [(f"I'm number {seed}.", "甲"), (f"I am number {seed}!", "乙")]
        parts = data.split(twins, 0.3, 0.3)
        assert max(map(len, (parts.train, parts.dev, parts.test))) == 2


def test_unlike_means_new_words_and_a_new_answer() -> None:
    train = [("The dog bit the man.", "狗咬人。"), ("Hello.", "你好。")]
    sentences = ["The dog bit the woman.", "Hi there.", "We drink tea."]
    answers = [["狗咬女人。"], ["你好。"], ["我们喝茶。"]]
    # "the dog bit the woman" shares the, dog, bit of the, dog, bit, man, woman: 3/5 = 0.6, alike.
    assert data.unlike(sentences, answers, train) == [2]


def test_an_epoch_is_repeatable_and_epochs_differ(tokenizer: Tokenizer) -> None:
    config = TrainConfig(subword_alpha=0.2, rough=0.5)
    pairs = PAIRS * 20
    first = data.encode(pairs, tokenizer, config, 3)
    data.encode(pairs, tokenizer, config, 4)
    assert data.encode(pairs, tokenizer, config, 3) == first
    assert data.encode(pairs, tokenizer, config, 4) != first
    plain = data.encode(pairs, tokenizer, TrainConfig(subword_alpha=0.0, rough=0.0), 0)
    assert [tokenizer.decode(tgt) for _, tgt in plain] == [chinese for _, chinese in pairs]


def test_batches_hold_every_pair_once_within_the_budget(tokenizer: Tokenizer) -> None:
    config = TrainConfig(batch_tokens=64, subword_alpha=0.0, rough=0.0)
    encoded = data.encode(PAIRS, tokenizer, config, 0)
    rows = []
    for batch in data.batches(encoded, tokenizer, config, 0):
        assert batch.src.shape[1] % 4 == 0 and batch.tgt.shape[1] % 4 == 1
        for src, tgt in zip(batch.src, batch.tgt, strict=True):
            source, target = src[src != 0].tolist(), tgt[tgt != 0].tolist()
            assert source[-1] == tokenizer.end_id
            assert (target[0], target[-1]) == (tokenizer.start_id, tokenizer.end_id)
            rows.append((source[:-1], target[1:-1]))
    assert sorted(rows) == sorted(encoded)


def test_padding_stands_at_the_end() -> None:
    assert data.pad([[5, 6], [7]], 0).tolist() == [[5, 6, 0, 0], [7, 0, 0, 0]]
    assert data.pad([[5, 6, 7, 8, 9]], 0, extra=1).shape == (1, 5)
    assert data.pad([[1]], 0).dtype == np.int64


def test_roughening_drops_capital_and_full_stop_on_both_sides() -> None:
    assert data.roughen("I am here.", "我在这里。") == ("i am here", "我在这里")
    assert data.roughen("Why?", "为什么？") == ("why?", "为什么？")
