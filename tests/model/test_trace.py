"""Records refuse to contradict themselves, and refuse writes."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from model.config import UNTOUCHED, DecodeConfig
from model.errors import TraceError
from model.trace import AttentionMaps, Hypothesis, Search, SearchStep, Tokens, Trace


def tokens(n: int) -> Tokens:
    return Tokens(
        "a" * n, np.arange(n), tuple("a" * n), np.stack([np.arange(n), np.arange(1, n + 1)], 1)
    )


def maps(queries: int, keys: int, layers: int = 2) -> AttentionMaps:
    zeros = np.zeros
    return AttentionMaps(
        zeros((layers, 2, queries, keys)),
        zeros((layers, 2, queries, 3)),
        zeros((layers, 2, keys, 3)),
        zeros((layers, 2, keys, 3)),
        np.ones((queries, keys), dtype=bool),
    )


def trace(**changes: object) -> Trace:
    fields: dict[str, object] = {
        "src": tokens(4),
        "tgt_in": tokens(3),
        "tgt_out": tokens(3),
        "encoder_self": maps(4, 4),
        "decoder_self": maps(3, 3),
        "cross": maps(3, 4),
        "encoder_states": np.zeros((3, 4, 6)),
        "decoder_states": np.zeros((3, 3, 6)),
        "top_ids": np.zeros((3, 5)),
        "top_log_probs": np.zeros((3, 5)),
        "log_prob": np.zeros(3),
        "entropy": np.zeros(3),
        "interventions": UNTOUCHED,
    }
    return Trace(**{**fields, **changes})  # type: ignore[arg-type]


def test_a_trace_that_fits_is_made() -> None:
    made = trace()
    assert made.attention("cross").weights.shape == (2, 2, 3, 4)
    assert made.cross.weights.dtype == np.float32


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"tgt_out": tokens(4)}, "tgt_out has 4 tokens; expected 3"),
        ({"cross": maps(4, 3)}, r"Trace.cross is \(4, 3\) \(query, key\); expected \(3, 4\)"),
        ({"encoder_self": maps(3, 3)}, "Trace.encoder_self"),
        (
            {"decoder_states": np.zeros((2, 3, 6))},
            r"decoder_states has shape \(2, 3, 6\); expected \(3, 3, 6\)",
        ),
        ({"log_prob": np.zeros(4)}, r"Trace.log_prob has shape \(4,\); expected \(3,\)"),
        ({"top_log_probs": np.zeros((3, 4))}, "top_log_probs"),
    ],
)
def test_axes_that_disagree_are_named(changes: dict[str, object], says: str) -> None:
    with pytest.raises(TraceError, match=says):
        trace(**changes)


def test_records_refuse_writes() -> None:
    made = trace()
    for array in (made.cross.weights, made.src.ids, made.log_prob, made.decoder_self.mask):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    with pytest.raises(dataclasses.FrozenInstanceError):
        made.cross = maps(3, 4)  # type: ignore[misc]


def test_a_record_does_not_share_memory_with_what_it_was_made_of() -> None:
    states = np.zeros((3, 4, 6), dtype=np.float32)
    made = trace(encoder_states=states)
    states[:] = 7
    assert (made.encoder_states == 0).all()


def test_records_compare_by_identity() -> None:
    one, two = trace(), trace()
    assert one == one and one != two and len({one, two}) == 2


def test_scores_are_scaled_products() -> None:
    """q = (1, 2, 2), k = (3, 0, 1): 5 / sqrt(3) = 2.8868."""
    made = AttentionMaps(
        np.ones((1, 1, 1, 1)),
        np.array([[[[1, 2, 2]]]]),
        np.array([[[[3, 0, 1]]]]),
        np.zeros((1, 1, 1, 3)),
        np.array([[True]]),
    )
    assert made.scores(0, 0).item() == pytest.approx(2.8867513)


def step(parents: list[int]) -> SearchStep:
    n = len(parents)
    zeros = np.zeros(n)
    return SearchStep(np.array(parents), zeros, ("x",) * n, zeros, zeros, ("kept",) * n, zeros)


def test_a_candidate_needs_its_parent() -> None:
    best = Hypothesis("x", (1,), -1.0, -1.0, True, (0, 1))
    assert Search(DecodeConfig(), (step([-1, -1]), step([0, 1])), (best,)).hypotheses == (best,)
    with pytest.raises(TraceError, match=r"steps\[1\].parents leave the range 0 to 1"):
        Search(DecodeConfig(), (step([-1, -1]), step([0, 2])), (best,))
    with pytest.raises(TraceError, match=r"steps\[0\].parents"):
        Search(DecodeConfig(), (step([0]),), (best,))
    with pytest.raises(TraceError, match="empty"):
        Search(DecodeConfig(), (step([-1]),), ())
    with pytest.raises(TraceError, match="longer path"):
        Search(DecodeConfig(), (step([-1]),), (best,))


def test_spans_stay_inside_the_text() -> None:
    with pytest.raises(TraceError, match="spans leave the text of 2 characters"):
        Tokens("ab", np.array([1]), ("ab",), np.array([[0, 3]]))
    with pytest.raises(TraceError, match="ids has shape"):
        Tokens("ab", np.array([1, 2]), ("ab",), np.array([[0, 2]]))
