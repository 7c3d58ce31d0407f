"""Decoding on language models small enough to work out by hand, or by counting everything.

`Toy` is a table from what was written to the probabilities of the next token. Nothing expected
here comes from the code under test: it is worked by hand, or by brute force over all sequences.
"""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import assume, example, given
from hypothesis import strategies as st
from torch import Tensor

from model.beams import RECORDED
from model.config import METHODS, DecodeConfig, Method
from model.decoding import Rules, search
from model.errors import ConfigError, InputError, TraceError
from model.trace import Forbidden, Search

Table = Callable[[int, tuple[int, ...]], Sequence[float]]  # sentence, written so far -> (V,)


@dataclass(frozen=True)
class Toy:
    """A Stepper over a table. A row is a sentence and what it has read; the start token is -1."""

    table: Table
    read: tuple[tuple[int, tuple[int, ...]], ...]

    def step(self, tokens: Tensor) -> tuple[Tensor, Toy]:
        read = tuple(
            (sentence, () if token < 0 else (*written, token))
            for (sentence, written), token in zip(self.read, tokens.tolist(), strict=True)
        )
        table = torch.tensor([self.table(*row) for row in read], dtype=torch.float64)
        return table.log(), Toy(self.table, read)

    def rows(self, index: Tensor) -> Toy:
        return Toy(self.table, tuple(self.read[i] for i in index.tolist()))


class Letters:
    """Token 0 is "a", token 1 is "b", and so on."""

    def piece(self, token_id: int, /) -> str:
        return "abcdefghijklmnopqrstuvwxyz"[token_id]

    def decode(self, ids: Sequence[int], /) -> str:
        return "".join(map(self.piece, ids))


def run(
    table: Table, config: DecodeConfig, rules: Rules, n_sentences: int = 1, **more: Any
) -> list[Search]:
    toy = Toy(table, tuple((i, ()) for i in range(n_sentences)))
    return search(toy, n_sentences, config, rules, Letters(), **more)


def tree(rows: dict[str, list[float]]) -> Table:
    """A table of the letters written so far."""
    return lambda _, written: rows[Letters().decode(written)]


def shown(found: Search, t: int) -> list[tuple[str, float, str]]:
    """The candidates of a step: what is written after it, its probability in all, its fate."""
    step = found.steps[t]
    names = []
    for c in range(len(step)):
        name, parent = "", c
        for earlier in reversed(found.steps[: t + 1]):
            name = earlier.pieces[parent] + name
            parent = int(earlier.parents[parent])
        names.append(name)
    probabilities = np.exp(step.totals.astype(np.float64)).round(6).tolist()
    return list(zip(names, probabilities, step.fates, strict=True))


def texts(found: Search) -> list[str]:
    return [hypothesis.text for hypothesis in found.hypotheses]


# ---------------------------------------------------------------------------- worked by hand

# Five letters and an end token, f, that cannot come in two steps.
WORKED = tree(
    {
        "": [0.4, 0.3, 0.2, 0.1, 0, 0],
        "a": [0.1, 0.4, 0.3, 0.2, 0, 0],
        "b": [0.5, 0.2, 0.1, 0.2, 0, 0],
    }
)
LETTERS = Rules(start_id=-1, end_id=5)


def test_the_worked_example_of_the_page() -> None:
    config = DecodeConfig(beam_size=2, length_penalty=0.0, max_length=2)
    (found,) = run(WORKED, config, LETTERS)
    assert shown(found, 0) == [
        ("a", 0.4, "kept"),
        ("b", 0.3, "kept"),
        ("c", 0.2, "pruned"),
        ("d", 0.1, "pruned"),
    ]
    assert shown(found, 1)[:3] == [
        ("ab", 0.16, "finished"),
        ("ba", 0.15, "finished"),
        ("ac", 0.12, "pruned"),
    ]
    rest = {("ad", 0.08), ("aa", 0.04), ("bb", 0.06), ("bd", 0.06), ("bc", 0.03)}
    assert {(name, p) for name, p, _ in shown(found, 1)[3:]} == rest
    assert [(h.text, round(math.exp(h.log_prob), 9)) for h in found.hypotheses] == [
        ("ab", 0.16),
        ("ba", 0.15),
    ]
    assert not any(h.finished for h in found.hypotheses)


# The end token is c. Greedy writes "a", .3; "b" is worth .36.
TRAP = tree({"": [0.6, 0.4, 0], "a": [0.3, 0.2, 0.5], "b": [0.1, 0, 0.9]})
ABC = Rules(start_id=-1, end_id=2)


def test_rules_of_our_own_models_cannot_be_switched_off() -> None:
    rules = Rules(start_id=-1, end_id=2, banned=(1,), is_own=True)
    assert rules.without(["banned"]).banned == (1,)
    assert dataclasses.replace(rules, is_own=False).without(["banned"]).banned == ()


def test_greedy_loses_where_two_beams_win() -> None:
    greedy = DecodeConfig(method="greedy", length_penalty=0.0, max_length=2)
    (found,) = run(TRAP, greedy, ABC)
    assert [(h.text, round(math.exp(h.score), 9)) for h in found.hypotheses] == [("a", 0.3)]
    (found,) = run(TRAP, dataclasses.replace(greedy, method="beam", beam_size=2), ABC)
    assert [(h.text, round(math.exp(h.score), 9)) for h in found.hypotheses] == [
        ("b", 0.36),
        ("a", 0.3),
    ]


# The end token is c. Two beams, alpha 1. Scores: "" ln .4 = -.9163; "a" ln(.3) / 2 = -.6020;
# "aa" ln(.19) / 3 = -.5536; "bb" ln(.025) / 3 = -1.2296.
# After step 2 the list holds "a" and "", and ln(.2) / 2 = -.8047 still runs and beats "": go on.
# After step 3 the list holds "aa" and "a"; "bbb" runs with ln(.025) / 3, which beats neither: stop.
OVERTAKEN = tree(
    {
        "": [0.5, 0.1, 0.4],
        "a": [0.4, 0, 0.6],
        "b": [0, 0.5, 0.5],
        "aa": [0.05, 0, 0.95],
        "bb": [0, 0.5, 0.5],
    }
)


def test_of_equal_scores_the_first_to_finish_is_first() -> None:
    """The end, "a" and "b" have 1/4 each; "aa" has it too, and does not go on: it is not better."""
    table = {
        "": [0.5, 0.25, 0, 0, 0, 0.25],
        "a": [0.5, 0, 0, 0, 0, 0.5],
        "b": [0, 0, 0, 0, 0, 1.0],
    }
    (found,) = run(tree(table), DecodeConfig(beam_size=3, length_penalty=0.0), LETTERS)
    assert texts(found) == ["", "a", "b"] and len(found.steps) == 2
    assert {hypothesis.score for hypothesis in found.hypotheses} == {math.log(0.25)}


def test_a_finished_hypothesis_can_be_overtaken() -> None:
    (found,) = run(OVERTAKEN, DecodeConfig(beam_size=2, max_length=9), ABC)
    assert shown(found, 0) == [("a", 0.5, "kept"), ("c", 0.4, "beaten"), ("b", 0.1, "kept")]
    # "bb" and "bc" tie; of "bc" it does not matter, for it is not among the first two.
    assert shown(found, 1) == [
        ("ac", 0.3, "finished"),
        ("aa", 0.2, "kept"),
        ("bb", 0.05, "kept"),
        ("bc", 0.05, "pruned"),
    ]
    # "bbc" is second and ends, but is worse than both; what it ties with ran, and goes no further.
    assert shown(found, 2) == [
        ("aac", 0.19, "finished"),
        ("bbb", 0.025, "pruned"),
        ("bbc", 0.025, "pruned"),
        ("aaa", 0.01, "pruned"),
    ]
    assert [(h.text, round(h.score, 4), h.finished) for h in found.hypotheses] == [
        ("aa", -0.5536, True),
        ("a", -0.602, True),
    ]
    assert [h.ids for h in found.hypotheses] == [(0, 0), (0,)]


@pytest.mark.parametrize(
    ("form", "alpha", "expected"),
    [
        # "aa" and the end are three tokens of 1/2 each: ln(1/8) = -2.0794415.
        ("average", 0.0, -2.0794415),
        ("average", 1.0, -0.6931472),  # over 3
        ("average", 2.0, -0.2310491),  # over 9
        ("gnmt", 0.0, -2.0794415),
        ("gnmt", 1.0, -1.5595812),  # over 8/6
        ("gnmt", 2.0, -1.1696859),  # over 64/36
    ],
)
def test_penalties_by_hand(form: Any, alpha: float, expected: float) -> None:
    table = tree({"": [0.5, 0.5], "a": [0.5, 0.5], "aa": [0.5, 0.5]})
    config = DecodeConfig("greedy", length_penalty=alpha, penalty_form=form, max_length=3)
    rules = Rules(start_id=-1, end_id=1)
    (found,) = run(table, config, rules, prefix=(0, 0, 1))
    assert found.hypotheses[0].score == pytest.approx(expected, abs=1e-7)


def test_alpha_decides_between_short_and_long() -> None:
    """Nothing: ln .5 = -.69, over 1. "a": ln(.5 * .9) = -.80, over 2 ** alpha."""
    table = tree({"": [0.5, 0.5], "a": [0.1, 0.9], "aa": [0.1, 0.9]})
    rules = Rules(start_id=-1, end_id=1)
    best = {}
    for alpha in (0.0, 1.0):
        (found,) = run(table, DecodeConfig(beam_size=2, length_penalty=alpha, max_length=9), rules)
        best[alpha] = texts(found)[0]
    assert best == {0.0: "", 1.0: "a"}


# ------------------------------------------------------------------------------- by brute force


def random_table(seed: int, vocab_size: int, zeros: bool = False) -> Table:
    """Probabilities that depend on the sentence and on all that was written."""

    def table(sentence: int, written: tuple[int, ...]) -> list[float]:
        random = np.random.default_rng([seed, sentence, len(written), *written])
        p = random.dirichlet(np.full(vocab_size, 0.7)) + 1e-6
        if zeros:
            p[1:] *= random.random(vocab_size - 1) < 0.7
        return list(p / p.sum())

    return table


def everything(
    table: Table, vocab_size: int, end_id: int, limit: int
) -> dict[tuple[int, ...], float]:
    """Every sequence that ends, or has `limit` tokens -> its probability."""
    found = {}
    for length in range(1, limit + 1):
        for ids in product(range(vocab_size), repeat=length):
            if end_id in ids[:-1] or (ids[-1] != end_id and length < limit):
                continue
            probability = 1.0
            for t, token in enumerate(ids):
                probability *= table(0, ids[:t])[token]
            if probability > 0:
                found[ids] = probability
    return found


@given(
    seed=st.integers(0, 10**6),
    vocab_size=st.integers(2, 4),
    limit=st.integers(1, 4),
    alpha=st.sampled_from([0.0, 0.6, 1.0, 2.0, -1.0]),
    form=st.sampled_from(["average", "gnmt"]),
    zeros=st.booleans(),
)
@example(seed=1, vocab_size=3, limit=4, alpha=1.0, form="average", zeros=False)
@example(seed=2, vocab_size=4, limit=3, alpha=0.6, form="gnmt", zeros=True)
def test_a_beam_as_wide_as_the_tree_finds_all(
    seed: int, vocab_size: int, limit: int, alpha: float, form: Any, zeros: bool
) -> None:
    table = random_table(seed, vocab_size, zeros)
    leaves = everything(table, vocab_size, 0, limit)
    assume(len(leaves) <= 64)
    config = DecodeConfig(
        beam_size=len(leaves), length_penalty=alpha, penalty_form=form, max_length=limit
    )

    def score(ids: tuple[int, ...]) -> float:
        n = len(ids) if form == "average" else (5 + len(ids)) / 6
        return math.log(leaves[ids]) / float(n**alpha)

    (found,) = run(table, config, Rules(start_id=-1, end_id=0))
    whole = [(*h.ids, 0) if h.finished else h.ids for h in found.hypotheses]
    assert set(whole) == set(leaves)
    scores = [h.score for h in found.hypotheses]
    assert scores == sorted(scores, reverse=True)
    assert scores == pytest.approx([score(ids) for ids in whole], abs=1e-9)
    assert [h.log_prob for h in found.hypotheses] == pytest.approx(
        [math.log(leaves[ids]) for ids in whole], abs=1e-9
    )
    assert Counter(fate for step in found.steps for fate in step.fates)["finished"] == len(leaves)


def by_argmax(table: Table, end_id: int, limit: int) -> tuple[int, ...]:
    ids: tuple[int, ...] = ()
    while len(ids) < limit and end_id not in ids:
        ids = (*ids, int(np.argmax(table(0, ids))))
    return ids[:-1] if ids[-1] == end_id else ids


@given(
    st.integers(0, 10**6), st.integers(2, 12), st.integers(1, 8), st.sampled_from([0.0, 1.0, 2.0])
)
def test_four_roads_to_greedy(seed: int, vocab_size: int, limit: int, alpha: float) -> None:
    """Greedy, one beam, a temperature near 0 and top_k=1: each takes the best token."""
    table = random_table(seed, vocab_size)
    expected = by_argmax(table, 0, limit)
    config = DecodeConfig("greedy", length_penalty=alpha, max_length=limit, seed=seed)
    near = any(
        np.subtract(*sorted(np.log(table(0, expected[:t])))[:-3:-1]) < 0.3
        for t in range(len(expected) + 1)
    )
    for change in (
        {},
        {"method": "beam", "beam_size": 1},
        {"method": "sampling", "top_k": 1},
        {"method": "beam_sampling", "top_k": 1, "beam_size": 3},
        # At a temperature of .01 the second best must be e**30 times as rare.
        *([] if near else [{"method": "sampling", "temperature": 0.01}]),
    ):
        (found,) = run(table, dataclasses.replace(config, **change), Rules(-1, 0))  # type: ignore[arg-type]
        assert found.hypotheses[0].ids == expected, change


# ----------------------------------------------------------------------------------- the record


def check_record(found: Search, rules: Rules) -> None:
    """All that a drawing of the search relies on."""
    last = len(found.steps) - 1
    before = np.zeros(0, dtype=np.float32)
    for t, step in enumerate(found.steps):
        parents = step.parents
        assert ((parents == -1) if t == 0 else (parents >= 0) & (parents < len(before))).all()
        begun = before[parents] if t else np.zeros(len(step))
        free = step.forced & (t == found.config.max_length - 1) & (rules.forced_end_id is not None)
        gained = np.where(free, 0.0, step.log_probs)
        np.testing.assert_allclose(step.totals, begun + gained, atol=1e-5)
        assert (np.diff(step.totals) <= 0).all(), "best first"
        pairs = list(zip(parents.tolist(), step.token_ids.tolist(), strict=True))
        assert len(set(pairs)) == len(pairs), "no candidate twice"
        assert not set(step.token_ids.tolist()) & set(rules.banned)
        extended = set(found.steps[t + 1].parents.tolist()) if t < last else set()
        kept = {c for c, fate in enumerate(step.fates) if fate == "kept"}
        assert kept == extended
        before = step.totals
    ends = []
    for hypothesis in found.hypotheses:
        c, total = -1, 0.0
        for t, c_next in enumerate(hypothesis.path):
            step = found.steps[t]
            assert step.parents[c_next] == c
            c = c_next
            total = float(step.totals[c])
        assert total == pytest.approx(hypothesis.log_prob, abs=1e-5)
        written = [int(s.token_ids[c]) for s, c in zip(found.steps, hypothesis.path, strict=False)]
        assert written == [*hypothesis.ids, *[rules.end_id] * hypothesis.finished]
        assert hypothesis.score == pytest.approx(
            hypothesis.log_prob / found.config.penalty(len(written))
        )
        ends.append((len(hypothesis.path) - 1, c))
    fates = {
        (t, c) for t, s in enumerate(found.steps) for c, f in enumerate(s.fates) if f == "finished"
    }
    assert fates == set(ends)
    assert len(ends) == len(set(ends))


@given(
    seed=st.integers(0, 10**6),
    method=st.sampled_from(METHODS),
    beam_size=st.integers(1, 5),
    limit=st.integers(1, 7),
    forced_end=st.booleans(),
    banned=st.booleans(),
    n_prefix=st.integers(0, 3),
    zeros=st.booleans(),
)
def test_every_record_is_sound(
    seed: int,
    method: Method,
    beam_size: int,
    limit: int,
    forced_end: bool,
    banned: bool,
    n_prefix: int,
    zeros: bool,
) -> None:
    table = random_table(seed, 15, zeros)
    rules = Rules(-1, 0, (3, 4) if banned else (), 0 if forced_end else None)
    prefix: tuple[int, ...] = ()
    for _ in range(min(n_prefix, limit - forced_end)):
        p = np.array(table(0, prefix))
        p[[0, 3, 4]] = 0
        assume(p.max() > 0)
        prefix = (*prefix, int(p.argmax()))
    config = DecodeConfig(
        method, beam_size, temperature=1.7, top_p=0.95, top_k=9, seed=seed, max_length=limit
    )
    (found,) = run(table, config, rules, prefix=prefix)
    check_record(found, rules)
    n = beam_size if "beam" in method else 1
    assert 1 <= len(found.hypotheses) <= n
    rows = 1
    for t, step in enumerate(found.steps):
        assert Counter(step.fates)["kept"] <= n
        if not zeros:
            wanted = 2 * n if "beam" in method else RECORDED
            assert len(step) >= rows * min(wanted, 15 - 2 * banned)
        rows = Counter(step.fates)["kept"]
        if t < len(prefix):
            assert [int(i) for i in step.token_ids[step.forced]] == [prefix[t]]
            assert rows == (t < limit - 1)
    for hypothesis in found.hypotheses:
        assert hypothesis.ids[: len(prefix)] == prefix
        if forced_end:
            assert hypothesis.finished
    (plain,) = run(table, config, rules, prefix=prefix, record=False)
    assert plain.steps == ()
    assert [(h.ids, h.score, h.path) for h in plain.hypotheses] == [
        (h.ids, h.score, ()) for h in found.hypotheses
    ]


# --------------------------------------------------------------------------------- forced tokens


def test_a_forced_token_keeps_what_the_model_gives_it() -> None:
    """After "b" the best is a; b is forced, .2, and the search goes on from "bb"."""
    table = tree(
        {
            "": [0.4, 0.3, 0.2, 0.1, 0, 0],
            "b": [0.5, 0.2, 0.1, 0.2, 0, 0],
            "bb": [0.7, 0.2, 0.1, 0, 0, 0],
        }
    )
    config = DecodeConfig(beam_size=2, length_penalty=0.0, max_length=3)
    (found,) = run(table, config, LETTERS, prefix=(1, 1))
    assert shown(found, 0) == [
        ("a", 0.4, "pruned"),
        ("b", 0.3, "kept"),
        ("c", 0.2, "pruned"),
        ("d", 0.1, "pruned"),
    ]
    assert sorted(shown(found, 1)) == [
        ("ba", 0.15, "pruned"),
        ("bb", 0.06, "kept"),
        ("bc", 0.03, "pruned"),
        ("bd", 0.06, "pruned"),
    ]
    first = found.steps[0]
    assert first.forced.tolist() == [False, True, False, False]
    assert first.log_probs[1] == pytest.approx(math.log(0.3), abs=1e-6)
    assert not found.steps[2].forced.any()
    assert texts(found) == ["bba", "bbb"]
    assert found.hypotheses[0].log_prob == pytest.approx(math.log(0.3 * 0.2 * 0.7))


@pytest.mark.parametrize("method", METHODS)
def test_a_rare_forced_token_is_shown_beside_the_best(method: Method) -> None:
    """Token z has 1/1000 and would be beyond any list of the best."""
    letters = [0.2, *[0.799 / 24] * 24, 0.001]
    config = DecodeConfig(method, beam_size=2, max_length=2)
    (found,) = run(lambda _, written: letters, config, Rules(-1, 0), prefix=(25,))
    step = found.steps[0]
    assert len(step) == (5 if "beam" in method else RECORDED + 1)
    assert step.pieces[-1] == "z"
    assert step.fates[-1] == "kept"
    assert step.log_probs[-1] == pytest.approx(math.log(0.001), abs=1e-6)


def test_a_prefix_may_end_the_translation() -> None:
    (found,) = run(TRAP, DecodeConfig(beam_size=3, max_length=9), ABC, prefix=(0, 2))
    assert [(h.text, h.finished) for h in found.hypotheses] == [("a", True)]
    assert len(found.steps) == 2
    assert found.hypotheses[0].log_prob == pytest.approx(math.log(0.6 * 0.5))


@pytest.mark.parametrize("method", METHODS)
def test_the_forced_end_adds_nothing(method: Method) -> None:
    """With limit 2 "a" is followed by a forced end: the sum is that of "a", the length is 2."""
    table = tree({"": [0.9, 0, 0.1], "a": [0.7, 0.2, 0.1]})
    rules = Rules(-1, 2, (), 2)
    config = DecodeConfig(method, beam_size=1, top_k=1, max_length=2)
    (found,) = run(table, config, rules)
    (hypothesis,) = found.hypotheses
    assert (hypothesis.text, hypothesis.finished) == ("a", True)
    assert hypothesis.log_prob == pytest.approx(math.log(0.9))
    assert hypothesis.score == pytest.approx(math.log(0.9) / 2)
    end = hypothesis.path[-1]
    step = found.steps[1]
    assert step.forced[end]
    assert step.log_probs[end] == pytest.approx(math.log(0.1), abs=1e-6)
    assert step.totals[end] == pytest.approx(math.log(0.9), abs=1e-6)
    assert set(step.pieces) >= {"a", "c"}


def test_what_is_banned_goes_without_renormalising() -> None:
    rules = Rules(-1, 2, banned=(0,))
    (found,) = run(TRAP, DecodeConfig(beam_size=2, length_penalty=0.0, max_length=2), rules)
    assert shown(found, 0) == [("b", 0.4, "kept")]
    assert texts(found) == ["b"]
    assert found.hypotheses[0].log_prob == pytest.approx(math.log(0.4 * 0.9))


def test_the_record_has_what_is_banned_where_it_was_likely() -> None:
    """From 1 %, with the model's own number, and not where a beginning is forced; nor if it is off.

    The rule that is off may be written: a, of 0.5, is the best.
    """
    table = lambda _, written: [0.5, 0.3, 0.191, 0.009]  # noqa: E731
    rules = Rules(-1, 2, banned=(0, 3), renormalise=True)
    config = DecodeConfig("greedy", max_length=2)
    (found,) = run(table, config, rules)
    assert found.steps[0].forbidden == (Forbidden(-1, 0, pytest.approx(math.log(0.5)), "banned"),)
    assert found.hypotheses[0].log_prob == pytest.approx(2 * math.log(0.3 / 0.491))
    (begun,) = run(table, config, rules, prefix=(1,))
    assert [len(step.forbidden) for step in begun.steps] == [0, 1]
    off = dataclasses.replace(config, rules_off=("renormalise", "banned"))
    (free,) = run(table, off, rules)
    assert texts(free) == ["aa"] and not any(step.forbidden for step in free.steps)
    assert free.hypotheses[0].log_prob == pytest.approx(2 * math.log(0.5))
    with pytest.raises(ConfigError, match="rules_off has 'bytes'"):
        DecodeConfig(rules_off=("bytes",))  # type: ignore[arg-type]


def test_in_sampling_what_is_banned_goes_before_the_draw() -> None:
    """Without a, .5, the odds of b and c are 3 to 2; the log-probs stay the model's own."""
    rules = Rules(-1, 3, banned=(0,))
    drawn = []
    for seed in range(400):
        config = DecodeConfig("sampling", seed=seed, max_length=1)
        (found,) = run(lambda _, written: [0.5, 0.3, 0.2, 0.0], config, rules)
        drawn.append(found.hypotheses[0].text)
        p = {"b": 0.3, "c": 0.2}[drawn[-1]]
        assert found.hypotheses[0].log_prob == pytest.approx(math.log(p))
    assert drawn.count("b") / 400 == pytest.approx(0.6, abs=0.1)  # four standard deviations


# --------------------------------------------------------------------------------------- drawing


def test_the_seeded_text_by_hand() -> None:
    """Seed 1 gives .627, .003, .527, .981 (see test_sampling); the sums are .5, .8 and 1."""
    config = DecodeConfig("sampling", seed=1, max_length=4)
    (found,) = run(lambda _, written: [0.5, 0.3, 0.2, 0.0], config, Rules(-1, 3))
    assert found.hypotheses[0].text == "babc"
    assert found.hypotheses[0].log_prob == pytest.approx(math.log(0.3 * 0.5 * 0.3 * 0.2))


def test_temperature_steers_the_draw_and_not_the_record() -> None:
    """At 100 all tokens are nearly equal: u = .627 of 4 falls on c, whose log-prob stays ln .1."""
    config = DecodeConfig("sampling", temperature=100.0, seed=1, max_length=1)
    (found,) = run(lambda _, written: [0.7, 0.1, 0.1, 0.1], config, Rules(-1, 3))
    assert found.hypotheses[0].text == "c"
    assert found.hypotheses[0].log_prob == pytest.approx(math.log(0.1))


def test_forced_tokens_use_up_no_random_number() -> None:
    config = DecodeConfig("sampling", seed=1, max_length=4)
    (found,) = run(lambda _, written: [0.5, 0.3, 0.2, 0.0], config, Rules(-1, 3), prefix=(2, 2))
    assert found.hypotheses[0].text == "ccba"


@pytest.mark.slow
def test_beam_sampling_by_hand() -> None:
    """One beam draws two of a, b, c without replacement and keeps the better one.

    a and b: .5 * .3/.5 + .3 * .5/.7 = .5143; a and c: .5 * .2/.5 + .2 * .5/.8 = .325; so a stays
    with .8393, b with .1607, c never. 2000 seeds: a standard deviation of .008.
    """
    drawn = []
    for seed in range(2000):
        config = DecodeConfig("beam_sampling", beam_size=1, seed=seed, max_length=1)
        (found,) = run(lambda _, written: [0.5, 0.3, 0.2, 0.0], config, Rules(-1, 3), record=False)
        drawn.append(found.hypotheses[0].text)
    assert drawn.count("a") / 2000 == pytest.approx(0.8393, abs=0.035)
    assert drawn.count("c") == 0


@pytest.mark.slow
def test_beam_sampling_draws_from_all_beams_and_ranks_by_the_model() -> None:
    """Two beams, four draws from four tokens: all are drawn, so a and b are kept, .4 and .3.

    At temperature 1/2 a and b were drawn as 16 : 9. Of the pairs that follow, b-b weighs 9 and
    the four after a weigh 4 each. Of what is drawn the best two lead: .3 * 1, then .4 * .25.
    """
    table = tree({"": [0.4, 0.3, 0.2, 0.1, 0], "a": [0.25] * 4 + [0], "b": [0, 1.0, 0, 0, 0]})
    config = DecodeConfig("beam_sampling", beam_size=2, temperature=0.5, max_length=2)
    lost = 0
    for seed in range(1000):
        (found,) = run(table, dataclasses.replace(config, seed=seed), Rules(-1, 4))
        assert [f for _, _, f in shown(found, 0)] == ["kept", "kept", "pruned", "pruned"]
        ranked = [round(math.exp(h.log_prob), 9) for h in found.hypotheses]
        assert ranked in ([0.3, 0.1], [0.1, 0.1])
        lost += ranked == [0.1, 0.1]
    # bb is missed by all four draws: 16/25 * 12/21 * 8/17 * 4/13 = .0530, sd .007.
    assert lost / 1000 == pytest.approx(0.053, abs=0.03)


@pytest.mark.parametrize("method", ["sampling", "beam_sampling"])
def test_the_same_seed_writes_the_same(method: Method) -> None:
    table = random_table(3, 20)
    config = DecodeConfig(method, temperature=2.0, max_length=12, seed=5)
    runs = [
        run(table, dataclasses.replace(config, seed=seed), Rules(-1, 0))[0] for seed in (5, 5, 6)
    ]
    assert texts(runs[0]) == texts(runs[1]) != texts(runs[2])


# ------------------------------------------------------------------------------ several sentences


@pytest.mark.parametrize("method", METHODS)
def test_neighbours_change_nothing(method: Method) -> None:
    table = random_table(8, 12)
    config = DecodeConfig(method, beam_size=3, max_length=6, seed=2, temperature=1.5)
    limits = [6, 1, 4, 2, 6, 5]
    together = run(table, config, Rules(-1, 0), 6, max_lengths=limits)
    for i, found in enumerate(together):
        (alone,) = run(
            lambda _, written, i=i: table(i, written),  # type: ignore[misc]
            dataclasses.replace(config, max_length=limits[i]),
            Rules(-1, 0),
        )
        assert texts(found) == texts(alone)
        assert [h.score for h in found.hypotheses] == pytest.approx(
            [h.score for h in alone.hypotheses], abs=1e-12
        )
        for a, b in zip(found.steps, alone.steps, strict=True):
            assert a.token_ids.tolist() == b.token_ids.tolist()
            assert a.fates == b.fates
    assert len({tuple(texts(found)) for found in together}) > 3


def test_no_sentence_is_no_work() -> None:
    assert run(TRAP, DecodeConfig(), ABC, 0) == []


# --------------------------------------------------------------------------- the real network


SENTENCES = [[5, 6, 7, 8, 9, 2], [11, 2], [12, 13, 12, 13, 2], [400, 2], [77, 78, 79, 2]]


# --------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("prefix", "rules", "words"),
    [
        ((0, 1, 0, 1), ABC, "4 tokens; there is room for 3"),
        ((0, 1, 0), Rules(-1, 2, (), 2), "3 tokens; there is room for 2"),
        ((0, 9), ABC, "9 does not exist; the vocabulary has 3"),
        ((-4,), ABC, "-4 does not exist"),
        ((0, 1), Rules(-1, 2, (1,)), "1 may never be written"),
        ((0, 2, 1), ABC, "after the end token"),
        ((2,), ABC, "token 2 a probability of 0"),
    ],
)
def test_a_beginning_that_cannot_be(prefix: tuple[int, ...], rules: Rules, words: str) -> None:
    with pytest.raises(InputError, match=words):
        run(TRAP, DecodeConfig(max_length=3), rules, prefix=prefix)


def test_a_beginning_that_just_fits() -> None:
    assert texts(run(TRAP, DecodeConfig(max_length=2), ABC, prefix=(0, 1))[0]) == ["ab"]
    forced = Rules(-1, 2, (), 2)
    assert texts(run(TRAP, DecodeConfig(max_length=2), forced, prefix=(0,))[0]) == ["a"]
    assert texts(run(TRAP, DecodeConfig(max_length=2), forced, prefix=(0, 2))[0]) == ["a"]


def test_rules_that_contradict_themselves() -> None:
    with pytest.raises(ConfigError, match="banned"):
        Rules(0, 2, (1, 2))
    with pytest.raises(ConfigError, match="forced_end_id is 1; expected the end token, 2"):
        Rules(0, 2, (), 1)
    with pytest.raises(ConfigError, match="name token 7; the vocabulary has 3"):
        run(TRAP, DecodeConfig(), Rules(-1, 2, (7,)))
    for limits in ([3], [3, 0], [3, 3, 3]):
        with pytest.raises(ConfigError, match="expected 2 numbers from 1"):
            run(TRAP, DecodeConfig(), ABC, 2, max_lengths=limits)


@pytest.mark.parametrize("method", METHODS)
def test_a_broken_model_is_named(method: Method) -> None:
    config = DecodeConfig(method, max_length=3)
    with pytest.raises(TraceError, match="NaN"):
        run(lambda _, written: [math.nan, 0.5, 0.5], config, ABC)
    with pytest.raises(TraceError, match="no token to write at position 1"):
        run(lambda _, written: [1.0, 0.0, 0.0], config, Rules(-1, 2, (0,)))
