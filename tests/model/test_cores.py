"""Work on many items: on several threads at a time, with the results of one after the other."""

from __future__ import annotations

import os
import threading

import pytest
import torch

from model import checkpoint
from model.config import DecodeConfig
from model.device import cores, one_thread, spread
from model.translate import translate_all
from tests.tiny import ENGLISH


def test_items_are_worked_on_at_the_same_time_and_returned_in_order() -> None:
    """Each waits for the others: one after the other, the first would wait forever."""
    together = threading.Barrier(3, timeout=20)

    def work(item: int) -> int:
        together.wait()
        return item * item

    assert list(spread(work, range(6), workers=3)) == [0, 1, 4, 9, 16, 25]


def test_each_has_one_thread_and_the_caller_keeps_its_own() -> None:
    before = torch.get_num_threads()
    try:
        torch.set_num_threads(3)
        assert set(spread(lambda _: torch.get_num_threads(), range(4), workers=2)) == {1}
        assert torch.get_num_threads() == 3
        assert "mkl_get_max_threads() : 3" in torch.__config__.parallel_info()
    finally:
        torch.set_num_threads(before)


def test_a_program_that_opens_a_model_has_one_thread() -> None:
    before = torch.get_num_threads()
    try:
        torch.set_num_threads(3)
        one_thread()
        assert torch.get_num_threads() == 1
    finally:
        torch.set_num_threads(before)


def test_an_error_ends_the_rest() -> None:
    begun, never = [], threading.Event()

    def work(item: int) -> None:
        begun.append(item)
        if item == 0:
            raise ValueError(f"item {item}")
        never.wait(0.05)  # meanwhile the error arrives

    with pytest.raises(ValueError, match="item 0"):
        list(spread(work, range(1000), workers=1))
    assert len(begun) < 1000


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="needs Linux")
def test_the_cores_are_those_of_this_process() -> None:
    every = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {min(every)})
        assert cores() == 1
    finally:
        os.sched_setaffinity(0, every)
    assert cores() == len(every)


@pytest.mark.slow
def test_translations_do_not_depend_on_the_number_of_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    """Batches of a few lines on three threads; a line that cannot be read stays empty."""
    loaded = checkpoint.load(checkpoint.SHIPPED)
    monkeypatch.setattr("model.translate.BATCH_TOKENS", 60)
    lines = [*ENGLISH, "", *ENGLISH[::-1]]
    config = DecodeConfig(beam_size=2, max_length=12)
    outputs = {}
    for count in (1, 3):
        monkeypatch.setattr("model.device.cores", lambda count=count: count)
        outputs[count] = translate_all(loaded, lines, config)
    assert outputs[1] == outputs[3]
    assert outputs[3] == outputs[3][::-1] and outputs[3][len(ENGLISH)] == ""
    assert len(set(outputs[3])) == len(ENGLISH) + 1
