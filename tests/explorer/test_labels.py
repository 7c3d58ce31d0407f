"""Token to visible text: sub-words, bytes, specials, and everything that leaves no mark."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.labels import Label, label_of_piece, labels, number
from model.text.tokenizer import Tokenizer
from model.trace import Tokens
from tests import tiny


def tokens(text: str, *pieces: tuple[str, int, int]) -> Tokens:
    """Tokens of a text from (piece, begin, end)."""
    spans = np.array([(begin, end) for _, begin, end in pieces]).reshape(-1, 2)
    return Tokens(text, np.arange(len(pieces)), tuple(piece for piece, _, _ in pieces), spans)


def shown(made: tuple[Label, ...]) -> str:
    """The labels as a strip shows them: joined ones touch."""
    return "".join(("" if label.joined else " ") + label.text for label in made).strip()


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Tokenizer:
    folder = tmp_path_factory.mktemp("tokenizer")
    tiny.train_joint(folder / "tokenizer.model")
    return Tokenizer.load(folder)


def test_subwords_of_a_word_touch_and_the_end_is_special() -> None:
    made = labels(tokens("unhappy.", ("▁un", 0, 2), ("happy", 2, 7), (".", 7, 8), ("</s>", 8, 8)))
    assert shown(made) == "unhappy . </s>"
    assert [label.kind for label in made] == ["word", "word", "word", "special"]
    assert made[1].line == "·happy"


@pytest.mark.parametrize(
    ("text", "at", "joined"),
    [
        ("don't", 3, True),
        ("don't", 4, True),
        ("well-known", 4, True),
        ("end.", 3, False),
        ("'no'", 1, False),
        ("2024", 2, True),
        ("我们", 1, False),
        ("第2", 1, False),
        ("カナ", 1, False),
        ("한국", 1, True),
        ("e\u0301", 1, True),
        ("👩\u200d🚀", 1, True),
        ("👩\u200d🚀", 2, True),
        ("👍🏽", 1, True),
    ],
)
def test_what_goes_on_with_a_word(text: str, at: int, joined: bool) -> None:
    made = labels(tokens(text, ("▁" + text[:at], 0, at), (text[at:], at, len(text))))
    assert made[1].joined is joined


def test_a_space_starts_a_word_and_a_lone_one_is_visible() -> None:
    made = labels(tokens("a b", ("▁a", 0, 1), ("▁", 1, 2), ("b", 2, 3)))
    assert made[1] == Label("␣", "space")
    assert not made[1].joined


def test_bytes_of_a_character_show_it_with_their_part() -> None:
    made = labels(
        tokens(
            "龘", ("▁", 0, 0), ("<0xE9>", 0, 1), ("<0xBE>", 0, 1), ("<0x98>", 0, 1), ("</s>", 1, 1)
        )
    )
    assert [label.line for label in made[1:4]] == ["龘 1/3", "龘 2/3", "龘 3/3"]
    assert [label.joined for label in made[1:4]] == [False, True, True]


def test_bytes_that_are_no_character_show_their_number() -> None:
    made = labels(tokens("\ufffd", ("<0xE9>", 0, 1), ("<0x41>", 1, 1)))
    assert [label.text for label in made] == ["0xE9", "0x41"]


def test_two_equal_characters_in_bytes_stay_two() -> None:
    made = labels(
        tokens("éé", ("<0xC3>", 0, 1), ("<0xA9>", 0, 1), ("<0xC3>", 1, 2), ("<0xA9>", 1, 2))
    )
    assert [label.part for label in made] == [(1, 2), (2, 2), (1, 2), (2, 2)]


@pytest.mark.parametrize(
    ("piece", "text"),
    [
        ("▁stud", "stud"),
        ("<0xE4>", "0xE4"),
        ("</s>", "</s>"),
        ("\u200d", "U+200D"),
        ("\ufe0f", "U+FE0F"),
        ("\u0301", "◌\u0301"),
        ("a\u00a0b", "aU+00A0b"),
        ("▁", "␣"),
    ],
)
def test_a_candidate_stands_alone(piece: str, text: str) -> None:
    assert label_of_piece(piece).text == text


def test_a_typed_end_token_is_no_special(tokenizer: Tokenizer) -> None:
    made = labels(tokenizer.encode_source("Tom </s>"))
    assert [label.kind for label in made].count("special") == 1
    assert made[-1] == Label("</s>", "special")


def test_people_count_from_one() -> None:
    assert number(0) == 1


@pytest.mark.slow
@given(text=st.text(min_size=1, max_size=40))
def test_every_text_gets_visible_labels(tokenizer: Tokenizer, text: str) -> None:
    try:
        made = tokenizer.encode_source(text)
    except Exception:
        return
    for label in labels(made):
        assert label.text.strip(), "a label that cannot be seen"
        assert "▁" not in label.text or "▁" in text
    assert not labels(made)[0].joined


@given(text=st.text(alphabet="a é猫🐱👩\u200d🚀'-.", min_size=1, max_size=20))
def test_the_labels_of_a_text_spell_it(tokenizer: Tokenizer, text: str) -> None:
    """Read across, with each character that is in bytes counted once, nothing is lost."""
    try:
        made = tokenizer.encode_source(text)
    except Exception:
        return
    spelled = "".join(
        label.text.replace("U+200D", "\u200d")
        for label in labels(made)[:-1]
        if label.kind != "space" and (label.part is None or label.part[0] == 1)
    )
    assert spelled == made.text.replace(" ", "")


def test_labels_need_no_file(tmp_path: Path) -> None:
    assert labels(tokens("")) == ()


def test_a_piece_of_several_bytes_shows_its_character_or_its_numbers() -> None:
    """Byte-level BPE has such pieces: two bytes of a Chinese character, then the third."""
    assert label_of_piece("<0xE6><0x88>") == Label("0xE688", "byte")
    tokens = Tokens("我", np.array([5, 6]), ("<0xE6><0x88>", "<0x91>"), np.array([[0, 1], [0, 1]]))
    first, second = labels(tokens)
    assert (first.text, first.kind, first.part) == ("我", "byte", (1, 2))
    assert (second.text, second.kind, second.part) == ("我", "byte", (2, 2))
