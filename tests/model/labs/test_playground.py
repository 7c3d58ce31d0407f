"""The playground's lab: tasks, settings, a run that is the same twice, the command, the pool."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import asdict, replace
from datetime import date
from typing import Any

import numpy as np
import pytest
import torch

from model.errors import ConfigError
from model.labs.playground import __main__ as command
from model.labs.playground.pool import Pool
from model.labs.playground.presets import CLAIMS, FAILED, LEARNT, PRESETS
from model.labs.playground.run import Run, train
from model.labs.playground.settings import MAX_PARAMETERS, Settings
from model.labs.playground.tasks import END, PAD, START, TASKS, Letters, encoded, examples
from model.transformer import Transformer

SMALL = Settings(length=3, alphabet=4, d_model=16, d_ff=16, heads=2, batch=8, updates=12, warmup=4)


@pytest.mark.parametrize("name", TASKS)
@pytest.mark.parametrize("practice", [False, True])
def test_each_task_follows_its_rule(name: Any, practice: bool) -> None:
    settings, random = Settings(task=name), np.random.default_rng(3)
    letters = settings.letters()
    size = settings.length, settings.alphabet
    for source, target in examples(settings.rule, letters, random, 50, *size, practice).pairs:
        assert letters.decode(letters.encode(source + target)) == source + target
        if name == "add":
            a, b = source.split("+")
            expected = f"{int(a) + int(b):04}"[::-1]
        elif name == "date":
            assert date.fromisoformat(target).isoformat() == target
            expected = target
        else:
            expected = {
                "copy": source,
                "reverse": source[::-1],
                "sort": "".join(sorted(source)),
                "count": str(source.count("a")),
            }[name]
            assert len(source) == 8
        assert target == expected


def test_small_numbers_are_practised_and_not_counted() -> None:
    """Of the sums trained on most have a zero in front; of those counted one in five, as drawn."""
    run = Run(Settings(task="add"))
    short = [
        sum("0" in (pair[0][0], pair[0][4]) for pair in drawn.pairs) / len(drawn.pairs)
        for drawn in (run._draw(np.random.default_rng(0), 500, practice=True), run.fresh)
    ]
    assert short[0] > 0.8
    assert 0.1 < short[1] < 0.3


def test_examples_as_ids() -> None:
    found = encoded(Letters("ab"), (("ab", "b"), ("b", "ba")))
    assert found.src.tolist() == [[4, 5, END], [5, END, PAD]]
    assert found.tgt.tolist() == [[START, 5, END, PAD], [START, 5, 4, END]]


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"task": "fly"}, "task is 'fly'"),
        ({"task": ["add"]}, "task is"),
        ({"layers": 99}, "layers is 99; expected a whole number from 1 to 6"),
        ({"layers": True}, "layers is True"),
        ({"rate": float("nan")}, "rate is nan"),
        ({"rate": "fast"}, "rate is 'fast'"),
        ({"length": 10**9}, "length is 1000000000"),
        ({"updates": False}, "updates is False"),
        ({"heads": 5}, "expected an even multiple of n_heads"),
        ({"norm": "batch"}, "norm is 'batch'"),
        ({"scaling": "yes"}, "scaling is 'yes'"),
        ({"layers": 6, "d_model": 128}, "parameters; expected at most 400,000"),
        ({"beam": 4}, "has no field beam"),
    ],
)
def test_a_wrong_setting_gets_a_sentence(wrong: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ConfigError, match=sentence):
        Settings.from_dict(wrong)


@pytest.mark.parametrize(
    "changes", [{}, {"norm": "pre"}, {"norm": "none"}, {"tied": False}, {"layers": 3}]
)
def test_parameters_are_counted_as_torch_counts(changes: dict[str, Any]) -> None:
    settings = replace(SMALL, **changes)
    model = Transformer(settings.model_config())
    assert settings.parameters == sum(weight.numel() for weight in model.parameters())
    assert settings.parameters <= MAX_PARAMETERS


def test_the_same_settings_give_the_same_run() -> None:
    one, two = train(SMALL), train(SMALL)
    assert one.to_dict() | {"seconds": 0} == two.to_dict() | {"seconds": 0}
    for a, b in zip(one.model.parameters(), two.model.parameters(), strict=True):
        assert torch.equal(a, b)
    assert train(replace(SMALL, seed=2)).loss != one.loss


def test_the_frames_of_a_run() -> None:
    run = Run(SMALL)
    frames = list(run.frames())
    assert [frame.update for frame in frames] == [0, 3, 6, 9, 12]
    last = frames[-1]
    assert last.attention["cross"].shape == (1, 2, 4, 4)  # three letters and the end, or the start
    assert {kind: one.shape[0] for kind, one in last.attention.items()} == {
        "encoder_self": 1, "decoder_self": 1, "cross": 1,
    }  # fmt: skip
    np.testing.assert_allclose(last.attention["cross"].sum(-1), 1, atol=1e-6)
    assert np.triu(last.attention["decoder_self"][0, 0], 1).max() == 0
    assert len(last.gradients) == 2 and min(last.gradients) > 0
    assert frames[0].written != "" and all(np.isfinite(frame.loss) for frame in frames)


def test_switches_change_the_network() -> None:
    base = dict(train(SMALL).model.state_dict())
    for changes in (
        {"positions": False}, {"causal_mask": False}, {"residual": False}, {"scaling": False},
        {"norm": "none"}, {"norm": "pre"}, {"dropout": 0.3}, {"label_smoothing": 0.2},
        {"warmup": 0}, {"schedule": "constant"},
    ):  # fmt: skip
        other = train(replace(SMALL, **changes))
        same = [torch.equal(w, base[n]) for n, w in other.model.state_dict().items() if n in base]
        assert not all(same), changes


def test_a_run_is_stopped_when_its_time_is_up() -> None:
    result = train(replace(SMALL, updates=5000), max_seconds=0.2)
    assert result.stopped and result.updates < 5000


def test_the_command_prints_one_object(capsys: pytest.CaptureFixture[str]) -> None:
    given = "--task copy --seed 2 --length 3 --alphabet 4 --d-model 16 --d-ff 16 --heads 2"
    more = "--batch 8 --updates 12 --warmup 4 --no-positions --no-causal-mask --json"
    assert command.main([*given.split(), *more.split()]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["settings"]["positions"] is False and told["settings"]["causal_mask"] is False
    settings = Settings.from_dict(told["settings"])
    assert settings == replace(SMALL, task="copy", seed=2, positions=False, causal_mask=False)
    same = train(settings).to_dict()
    for name in ("free_accuracy", "teacher_forced_accuracy", "loss", "updates", "parameters"):
        assert told[name] == same[name]
    assert told["curve"][-1]["update"] == 12


def test_the_command_refuses_with_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--task", "copy", "--layers", "40"]) == 2
    assert "layers is 40; expected a whole number from 1 to 6." in capsys.readouterr().err


def test_presets_change_little() -> None:
    for preset in PRESETS:
        assert 1 <= len(preset.changes) <= 2, preset.name


def test_the_claims_are_of_the_presets() -> None:
    """claims.json was computed; here its words are held against it."""
    claims = json.loads(CLAIMS.read_text())
    assert set(claims) == {preset.name for preset in PRESETS}

    def free(name: str, which: str) -> list[float]:
        return [one["free_accuracy"] for one in claims[name][which]]

    def loss(name: str, which: str) -> list[float]:
        return [one["loss"] for one in claims[name][which]]

    assert max(free("positions", "second")) < FAILED and min(free("positions", "first")) >= 0.99
    assert min(free("count", "second")) >= LEARNT
    assert max(free("mask", "second")) < FAILED
    masked, unmasked = loss("mask", "first"), loss("mask", "second")
    assert all(b < a / 10 for a, b in zip(masked, unmasked, strict=True))
    assert min(free("heads", "second")) >= LEARNT
    assert max(free("residual", "second")) < FAILED and min(free("residual", "first")) >= LEARNT
    assert min(free("scaling", "first")) >= LEARNT and min(free("scaling", "second")) < FAILED


# -------------------------------------------------------------------------------- the pool


@pytest.fixture
def pool() -> Iterator[Pool]:
    made = Pool()
    yield made
    made.close()


def finished(pool: Pool, settings: Settings, visitor: str) -> tuple[list[dict[str, Any]], Any]:
    """All frames of a run and its result, asked for as the page does."""
    frames: list[dict[str, Any]] = []
    end = time.monotonic() + 60
    while time.monotonic() < end:
        reply = pool.follow(settings, visitor, len(frames))
        frames += reply["frames"]
        if reply["state"] in ("done", "failed") and len(frames) == reply["total"]:
            return frames, reply
        time.sleep(0.05)
    raise AssertionError("the run did not end")


def until(claim: Any, seconds: float = 30.0) -> float:
    started = time.monotonic()
    while not claim():
        assert time.monotonic() - started < seconds
        time.sleep(0.02)
    return time.monotonic() - started


@pytest.mark.slow
def test_the_pool_gives_what_python_gives(pool: Pool) -> None:
    frames, reply = finished(pool, SMALL, "one")
    result = train(SMALL)
    assert [frame["loss"] for frame in frames] == [frame.loss for frame in result.frames]
    assert reply["result"]["free_accuracy"] == result.free_accuracy
    assert reply["result"]["loss"] == result.loss
    assert reply["result"]["settings"] == asdict(SMALL)
    # Thirty more press the same: nothing is trained again.
    for n in range(30):
        assert finished(pool, SMALL, f"visitor {n}")[0] == frames
    assert pool.started == 1


@pytest.mark.slow
def test_a_visitor_who_leaves_frees_the_process(pool: Pool) -> None:
    long = replace(SMALL, updates=5000)
    pool.follow(long, "one")
    until(lambda: pool.follow(long, "one")["total"] > 2)
    # Says goodbye: at once. Says nothing: within two seconds.
    pool.leave("one")
    assert until(lambda: not pool.is_busy, 2) < 1
    until(lambda: pool.follow(replace(long, seed=2), "two")["total"] > 2)
    assert until(lambda: not pool.is_busy, 3) < 2
    # Whoever waits gets it; a late question finds the run again.
    assert pool.follow(replace(long, seed=2), "two")["total"] > 2
    pool.follow(replace(long, seed=3), "three")
    assert pool.follow(replace(long, seed=3), "three")["place"] == 1
    until(lambda: pool.follow(replace(long, seed=3), "three")["state"] == "running", 4)


def stands_still(pool: Pool, settings: Settings) -> bool:
    """Whether nothing comes in half a second: a run that goes on gives some ten frames."""
    total = pool.follow(settings, "one", paused=True)["total"]
    time.sleep(0.5)
    return bool(pool.follow(settings, "one", paused=True)["total"] == total)


@pytest.mark.slow
def test_pause_holds_a_run_unless_somebody_waits(pool: Pool) -> None:
    long = replace(SMALL, updates=5000)
    until(lambda: pool.follow(long, "one")["total"] > 2)
    until(lambda: pool.follow(long, "one", paused=True)["paused"])
    until(lambda: stands_still(pool, long), 10)  # a frame or two were under way
    pool.follow(replace(long, seed=2), "two")
    assert not pool.follow(long, "one", paused=True)["paused"]


@pytest.mark.slow
def test_the_defaults_learn_to_reverse() -> None:
    result = train(Settings(seed=1))
    assert result.free_accuracy >= 0.99
