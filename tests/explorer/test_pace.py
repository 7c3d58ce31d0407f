"""The limit of a request follows from a token's time here, can be set, and is told."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from pathlib import Path

import pytest

from explorer import pace
from explorer.exchange.reply import answer
from explorer.models import Listed, Models
from model.explain import Explainer
from tests import tiny

ROOT = Path(__file__).parents[2]
SENT = {"text": "I am a small frog.", "settings": {}}


@pytest.fixture
def own(tmp_path: Path) -> Explainer:
    return Explainer.load(tiny.write_own(tmp_path / "tiny"), device="cpu")


def measured(own: Explainer, run: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its pace, where each run of `pace.MEASURED` tokens takes so many seconds."""
    clock = itertools.count(0.0, run)
    with monkeypatch.context() as patched:
        patched.setattr(pace.time, "thread_time", lambda: next(clock))
        patched.setattr("model.deadline.check", lambda: None)
        pace.measure(own)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("token", "seconds"), [(0.001, 5.0), (0.05, 5.0), (0.2, 20.0), (0.205, 21.0), (9.0, 120.0)]
)
def test_a_hundred_tokens_fit(
    own: Explainer, monkeypatch: pytest.MonkeyPatch, token: float, seconds: float
) -> None:
    measured(own, token * pace.MEASURED, monkeypatch)
    assert pace.token_seconds(own) == pytest.approx(token)
    assert pace.limit(own) == seconds
    assert Models([Listed("tiny", "tiny", lambda: own)], 7.0).limit(own) == 7.0


def test_it_is_told_only_where_it_is_unusual(
    own: Explainer, monkeypatch: pytest.MonkeyPatch
) -> None:
    models = tiny.only(lambda: own)
    assert "pace" not in json.loads(answer(models, SENT))["payload"]["model"]
    measured(own, 0.2 * pace.MEASURED, monkeypatch)
    told = json.loads(answer(models, SENT))["payload"]["model"]["pace"]
    assert told == {"seconds": 20.0, "token": pytest.approx(0.2)}


@pytest.mark.slow
@pytest.mark.parametrize("asked", ["0", "-3", "nan", "3601", "soon"])
def test_another_limit_is_refused_by_name(asked: str) -> None:
    command = [sys.executable, "app.py", f"--seconds={asked}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and "--seconds" in done.stderr and repr(asked) in done.stderr
