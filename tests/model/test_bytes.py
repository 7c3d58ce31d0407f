"""The rule of bytes: what a search writes in bytes is characters, whatever the model prefers.

The model is a table of random probabilities, in which bytes of all kinds are likely; Python's own
decoder judges what is written.
"""

from __future__ import annotations

import dataclasses
import math
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from model import checkpoint
from model.config import METHODS, DecodeConfig
from model.decoding import Rules, search
from model.rules import ruled
from model.text import utf8
from model.trace import Search
from tests import foreign, tiny

END, LETTER = 256, 257  # the bytes are 0 to 255
SIZE = 258
RULES = Rules(start_id=-1, end_id=END, byte_ids=tuple(range(256)))
LIKELY = [0x41, 0x80, 0x9F, 0xA0, 0xBF, 0xC0, 0xC3, 0xE0, 0xE6, 0xED, 0xF0, 0xF4, 0xF5, END, LETTER]


class Bytes:
    """A Stepper that reads nothing: random logits for each row, larger for some tokens."""

    normalisers = None

    def __init__(self, seed: int) -> None:
        self.generator = torch.Generator().manual_seed(seed)

    def step(self, tokens: Tensor) -> tuple[Tensor, Bytes]:
        logits = torch.randn(len(tokens), SIZE, generator=self.generator)
        logits[:, LIKELY] += 3
        return logits.log_softmax(-1), self

    def rows(self, index: Tensor) -> Bytes:
        return self


class Raw:
    """Each token as a byte; "x" for the letter."""

    def piece(self, token_id: int, /) -> str:
        return "x" if token_id == LETTER else f"<0x{token_id:02X}>"

    def decode(self, ids: Sequence[int], /) -> str:
        raw = bytes(ord("x") if i == LETTER else i for i in ids)
        return raw.decode("utf-8", "replace")


def run(seed: int, config: DecodeConfig, rules: Rules = RULES, **more: Any) -> list[Search]:
    return search(Bytes(seed), 1, config, rules, Raw(), **more)


def texts(searches: list[Search]) -> list[str]:
    return [one.text for found in searches for one in found.hypotheses]


CONFIGS = [
    DecodeConfig(method=method, beam_size=size, max_length=limit, temperature=1.5, top_k=top_k)
    for method in METHODS
    for size, limit, top_k in ((4, 12, 0), (3, 1, 5), (5, 2, 0), (2, 3, 1), (4, 4, 0))
]


def broken(seeds: range, rules: Rules = RULES) -> int:
    """How many texts of all methods, at short and long limits, hold a broken character."""
    found = [
        text
        for config in CONFIGS
        for seed in seeds
        for text in texts(run(seed, dataclasses.replace(config, seed=seed), rules))
    ]
    return sum("\ufffd" in text for text in found)


def test_no_method_writes_a_broken_character() -> None:
    assert broken(range(3)) == 0


def test_without_the_rule_they_do() -> None:
    assert broken(range(1), dataclasses.replace(RULES, byte_ids=())) > 5


@pytest.mark.parametrize("first", [0xE0, 0xED, 0xF0, 0xF4])
def test_without_one_range_they_do(monkeypatch: pytest.MonkeyPatch, first: int) -> None:
    """The byte begins every text, and the model likes what may not come second."""
    monkeypatch.delitem(utf8._SECOND, first)
    config = DecodeConfig(method="sampling", max_length=6)
    seeded = [dataclasses.replace(config, seed=seed) for seed in range(12)]
    assert any(
        "\ufffd" in text for one in seeded for text in texts(run(one.seed, one, prefix=[first]))
    )


@pytest.mark.slow
@given(st.integers(0, 10_000), st.sampled_from("東é🙂ह\u0800\ud7ff\U00010000\U0010ffff"), st.data())
def test_a_beginning_inside_a_character_is_continued(
    seed: int, sign: str, data: st.DataObject
) -> None:
    raw = sign.encode()
    cut = data.draw(st.integers(1, len(raw) - 1))
    for method in METHODS:
        config = DecodeConfig(method=method, beam_size=3, max_length=8, seed=seed)
        for text in texts(run(seed, config, prefix=raw[:cut])):
            assert "\ufffd" not in text
            assert text.encode().startswith(raw[:cut])


def test_a_beginning_without_room_is_cut_at_the_limit() -> None:
    """Nothing else can be done with it; a character that the search begins itself always fits."""
    (found,) = run(0, DecodeConfig(method="greedy", max_length=2), prefix=[0xE6])
    assert found.hypotheses[0].text == "\ufffd"
    assert found.hypotheses[0].ids[1] in range(0x80, 0xC0)


def test_sentences_of_a_batch_have_each_their_own_room() -> None:
    limits = [1, 2, 3, 4, 7, 12]
    for method in METHODS:
        config = DecodeConfig(method=method, beam_size=3)
        found = search(Bytes(5), 6, config, RULES, Raw(), max_lengths=limits, record=False)
        assert [text for text in texts(found) if "\ufffd" in text] == []


@dataclasses.dataclass(frozen=True)
class Table:
    """A Stepper with the same probabilities at each step."""

    likely: dict[int, float]
    normalisers: None = None

    def step(self, tokens: Tensor) -> tuple[Tensor, Table]:
        row = torch.full((SIZE,), (1 - sum(self.likely.values())) / (SIZE - len(self.likely)))
        for i, p in self.likely.items():
            row[i] = p
        return row.log().repeat(len(tokens), 1), self

    def rows(self, index: Tensor) -> Table:
        return self


def test_the_record_says_what_was_likely_and_keeps_the_models_numbers() -> None:
    """0xF5 begins nothing; after 0xC3 neither a letter nor the end may come."""
    table = Table({0xC3: 0.4, LETTER: 0.2, 0xF5: 0.15, END: 0.1, 0xA9: 0.05, 0xFF: 0.005})
    (found,) = search(table, 1, DecodeConfig(method="greedy", max_length=2), RULES, Raw())
    assert found.hypotheses[0].text == "é"
    assert found.hypotheses[0].log_prob == pytest.approx(math.log(0.4 * 0.05))
    first, second = (
        {one.token_id: (one.rule, round(math.exp(one.log_prob), 6)) for one in step.forbidden}
        for step in found.steps
    )
    assert first == {0xF5: ("bytes", 0.15), 0xA9: ("bytes", 0.05)}
    likely = {0xC3: 0.4, LETTER: 0.2, 0xF5: 0.15, END: 0.1}
    assert second == {i: ("bytes", p) for i, p in likely.items()}
    assert {one.parent for one in found.steps[1].forbidden} == {found.hypotheses[0].path[0]}


def test_a_step_is_sampled_from_what_is_left() -> None:
    """Half of the probability is forbidden; the rest is drawn in its own proportions."""
    table = Table({0x80: 0.5, LETTER: 0.3, END: 0.1})
    drawn = [
        search(table, 1, DecodeConfig(method="sampling", seed=seed, max_length=1), RULES, Raw())
        for seed in range(200)
    ]
    ids = [found.steps[0].token_ids[found.hypotheses[0].path[0]] for (found,) in drawn]
    assert 0x80 not in ids
    assert ids.count(LETTER) / len(ids) == pytest.approx(0.3 / 0.5, abs=0.1)


@pytest.mark.parametrize("written", [b"", b"a", b"\xe6", b"\xf0\x9f", b"\xed", b"\xf4"])
def test_the_next_token_alone_heeds_it(written: bytes) -> None:
    log_probs, _ = Bytes(3).step(torch.zeros(1, dtype=torch.int64))
    left = ruled(log_probs, RULES, list(written), 0, torch.zeros(1, 1))[0]
    for i in range(SIZE):
        text = written + (b"" if i == END else b"x" if i == LETTER else bytes([i]))
        more = [bytes([byte] * n) for byte in (0x80, 0x90, 0xA0) for n in range(4 * (i < END))]
        may = any("\ufffd" not in (text + end).decode("utf-8", "replace") for end in (b"", *more))
        assert left[i] == (log_probs[0, i] if may else -math.inf), i


def test_a_text_in_its_own_characters_is_always_allowed() -> None:
    """A model that is sure of a text writes it to the last byte that fits."""
    signs = [*"aéह東🙂𝄞"]
    for seed in range(40):
        text = "".join(random.Random(seed).choices(signs, k=4))
        raw = text.encode()
        (found,) = run(seed, DecodeConfig(method="greedy", max_length=len(raw)), prefix=raw)
        for t, step in enumerate(found.steps):
            assert int(step.token_ids[found.hypotheses[0].path[t]]) == raw[t]
        rooms = [RULES.bytes_after(list(raw[:t]), len(raw) - t) for t in range(len(raw))]
        assert all((byte in rule.ids) == rule.only for byte, rule in zip(raw, rooms, strict=True))


@pytest.mark.slow
def test_our_models_have_it(tmp_path: Path) -> None:
    own = checkpoint.load(tiny.write_own(tmp_path / "own", paired=True))
    pieces = own.tokenizer.pieces
    assert [pieces[i] for i in own.rules.byte_ids] == [f"<0x{byte:02X}>" for byte in range(256)]


@pytest.mark.slow
def test_models_of_others_do_not(tmp_path: Path) -> None:
    """As `generate`, to which they are compared elsewhere."""
    assert checkpoint.load(foreign.write_family(tmp_path / "byt5", "byt5")).rules.byte_ids == ()
