"""Precision: what the machine is fast at is taken, and nothing is concluded from names."""

from __future__ import annotations

import pytest
import torch

from model.training import precision

CPU = torch.device("cpu")


def times(**seconds: float) -> object:
    by_type = {precision.TYPES[name]: t for name, t in seconds.items()}
    return lambda dtype, device: by_type[dtype]


@pytest.mark.parametrize(
    ("device", "seconds", "expected"),
    [
        ("cpu", {"float32": 1.0, "bfloat16": 0.4}, torch.bfloat16),
        ("cpu", {"float32": 1.0, "bfloat16": 2.7}, torch.float32),  # imitated
        ("cpu", {"float32": 1.0, "bfloat16": 0.95}, torch.float32),  # not worth it
        ("cuda", {"float32": 1.0, "bfloat16": 0.3, "float16": 0.29}, torch.float16),
        ("cuda", {"float32": 1.0, "bfloat16": 3.0, "float16": 0.3}, torch.float16),  # as a T4
    ],
)
def test_auto_takes_the_fastest(
    monkeypatch: pytest.MonkeyPatch, device: str, seconds: dict[str, float], expected: torch.dtype
) -> None:
    monkeypatch.setattr(precision, "seconds", times(**seconds))
    assert precision.chosen("auto", torch.device(device)) == expected


def test_what_is_asked_for_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(precision, "seconds", None)  # nothing is measured
    assert precision.chosen("float32", CPU) == torch.float32
    assert precision.chosen("bfloat16", CPU) == torch.bfloat16


def test_a_time_is_a_time() -> None:
    assert 0 < precision.seconds(torch.float32, CPU, repeats=1) < 10


@pytest.mark.parametrize(("slow", "products"), [(0.01, 5), (0.2, 3), (1.2, 1)])
def test_what_is_slow_is_timed_less_often(
    monkeypatch: pytest.MonkeyPatch, slow: float, products: int
) -> None:
    """Imitated half precision would let every training begin seven seconds later."""
    clock = iter(slow * n for n in range(99))
    monkeypatch.setattr(precision.time, "perf_counter", lambda: next(clock))
    assert precision.seconds(torch.float32, CPU) == pytest.approx(slow)
    assert next(clock) == pytest.approx(2 * products * slow)  # read before and after each
