"""Freed memory is given back after every so many answers, and whatever the answers were."""

from __future__ import annotations

import ctypes
import platform
import resource
import time

import pytest

from explorer import freed


def test_every_so_many_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    times: list[int] = []
    monkeypatch.setattr(freed, "trimmer", lambda: lambda: times.append(1))
    answer = freed.trim_memory_every(50, lambda asked: 10 // asked)
    for _ in range(49):
        assert answer(5) == 2
    assert times == []
    with pytest.raises(ZeroDivisionError):
        answer(0)
    assert len(times) == 1
    for _ in range(100):
        answer(1)
    assert len(times) == 3


@pytest.mark.slow
def test_soon_after_the_last_answer() -> None:
    times: list[float] = []
    later = freed.Later(lambda: times.append(time.monotonic()), seconds=0.2)
    for _ in range(20):
        later.start()
    assert times == []
    time.sleep(0.5)
    assert len(times) == 1
    later.start()
    time.sleep(0.5)
    assert len(times) == 2


def test_a_c_library_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda _: object())
    assert freed.trim_memory_every(50, abs) is abs


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc gives back when asked")
def test_glibc_gives_back() -> None:
    """What lay between blocks still in use, in pieces too small to be returned when freed."""
    trim = freed.trimmer()
    assert trim is not None
    blocks = [bytearray(60_000) for _ in range(4_000)]
    before = _resident()
    del blocks[::2], blocks[: len(blocks) // 2]
    keeps = blocks  # 60 MB of 240
    trim()
    assert len(keeps) and before - _resident() > 60_000_000


def _resident() -> int:
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize()
