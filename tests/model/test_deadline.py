"""A time limit for a request: it stops what works in steps, and nothing else."""

from __future__ import annotations

import threading

import pytest

from model import deadline
from model.config import DecodeConfig
from model.errors import InputError
from model.explain import Explainer
from model.labs.ablation import occlusion, rank_heads
from model.labs.lens import lens
from model.labs.timing import layer_times
from tests.tiny import write_own

TEXT = "I am a small frog."


@pytest.fixture(scope="module")
def explainer(tmp_path_factory: pytest.TempPathFactory) -> Explainer:
    return Explainer.load(write_own(tmp_path_factory.mktemp("own")), device="cpu")


def test_without_a_limit_nothing_is_stopped() -> None:
    deadline.check()
    with deadline.within(60):
        deadline.check()
    deadline.check()


def test_a_search_that_takes_too_long_is_one_sentence(explainer: Explainer) -> None:
    with deadline.within(0.0), pytest.raises(InputError, match="longer than the 0 seconds allowed"):
        explainer.explain(TEXT, DecodeConfig(max_length=8))  # no other test has had this one
    assert explainer.explain(TEXT, DecodeConfig(max_length=8)).search.hypotheses


def test_what_works_in_batches_is_stopped_too(explainer: Explainer) -> None:
    e = explainer.explain(TEXT, DecodeConfig(max_length=9))
    for work in (
        lambda: rank_heads(explainer, e),
        lambda: occlusion(explainer, e),
        lambda: lens(explainer, e.trace),
        lambda: explainer.logits(TEXT, [5]),
        lambda: layer_times(explainer.model, [4]),
    ):
        with deadline.within(-1.0), pytest.raises(InputError, match="was stopped"):
            work()
        work()


def test_a_limit_inside_a_limit_can_only_be_earlier() -> None:
    with deadline.within(-1.0), deadline.within(60), pytest.raises(InputError):
        deadline.check()
    with deadline.within(60):
        with deadline.within(-1.0), pytest.raises(InputError):
            deadline.check()
        deadline.check()


def test_the_limit_of_one_thread_is_not_that_of_another() -> None:
    errors: list[Exception] = []

    def work() -> None:
        try:
            deadline.check()
        except InputError as error:
            errors.append(error)

    with deadline.within(-1.0):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert not errors
