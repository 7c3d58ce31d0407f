"""What a run is counted on: inputs that it never trains on, beside the best constant answer."""

from __future__ import annotations

import json
from itertools import islice
from typing import Any

import numpy as np
import pytest
from torch import Tensor

from model.labs.playground import __main__ as command
from model.labs.playground.claims import SEEDS
from model.labs.playground.counting import chance, held_out
from model.labs.playground.presets import CLAIMS, PRESETS
from model.labs.playground.run import TOO_FEW, Run, train
from model.labs.playground.settings import FRESH, WATCHED, Settings
from model.labs.playground.tasks import END, PAD, TASKS, Letters, encoded
from tests.tiers import each

TINY: dict[str, Any] = {"d_model": 8, "heads": 1, "d_ff": 8, "batch": 64, "updates": 80}
MANY = [
    {"task": "count"}, {"task": "date"}, {"task": "add"}, {"length": 3},
    {"task": "count", "length": 9, "alphabet": 2},
]  # fmt: skip
FEW = [
    {"alphabet": 2}, {"length": 1}, {"length": 3, "alphabet": 4}, {"task": "add", "length": 1},
    {"task": "count", "length": 5, "alphabet": 2},
]  # fmt: skip


def trained_on(run: Run) -> set[str]:
    """Train, and read from the tensors which inputs the network was given."""
    found: set[str] = set()
    objective = run.objective

    def watching(src: Tensor, *rest: Any) -> Tensor:
        if run.model.training:
            rows = [[i for i in row if i not in (PAD, END)] for row in src.tolist()]
            found.update(run.letters.decode(row) for row in rows)
        return objective(src, *rest)

    run.objective = watching  # type: ignore[assignment]
    for update in range(1, run.settings.updates + 1):
        run._step(update)
        run.optimizer.zero_grad()
    return found


@pytest.mark.slow
@each("changes", MANY, 2, ids=str)
def test_no_run_trains_on_what_it_is_counted_on(changes: dict[str, Any]) -> None:
    settings = Settings(**TINY, **changes)
    run = Run(settings)
    tests = {source for source, _ in run.tests}
    assert not tests & trained_on(run)
    assert run.result().to_dict()["test_inputs_seen_in_training"] == 0
    # Had nothing been left out, it would have trained on some.
    drawn = settings.pairs(np.random.default_rng((settings.seed, 0)), practice=True)
    draws = settings.batch * settings.updates
    assert tests & {source for source, _ in islice(drawn, draws)}


@pytest.mark.slow
def test_an_input_that_comes_up_all_the_same_is_counted() -> None:
    run = Run(Settings(**TINY))
    run._training = iter(run.tests)
    run._batch()
    assert run.result().to_dict()["test_inputs_seen_in_training"] == run.settings.batch


@pytest.mark.slow
@pytest.mark.parametrize("changes", [*MANY, *({"task": name} for name in TASKS)], ids=str)
def test_test_inputs_differ_and_follow_the_task(changes: dict[str, Any]) -> None:
    settings = Settings(**changes)
    pairs = held_out(settings)
    assert WATCHED <= len(pairs) <= FRESH
    assert len({source for source, _ in pairs}) == len(pairs)
    if settings.task == "count":
        assert all(source.count("a") == int(target) for source, target in pairs)
    assert held_out(settings) == pairs


def test_what_an_answer_is_learnt_from_alone_stays_in_training() -> None:
    """Only "aaaaaaaa" has the answer 8: it is never a test, and trained on all the time."""
    for seed in range(1, 6):
        run = Run(Settings(task="count", seed=seed))
        assert "aaaaaaaa" not in dict(run.tests)
        assert "aaaaaaaa" in dict(run._batch().pairs)


@pytest.mark.slow
@pytest.mark.parametrize("changes", FEW, ids=str)
def test_a_task_of_few_inputs_has_a_message_and_no_score(changes: dict[str, Any]) -> None:
    result = train(Settings(**{**TINY, "updates": 12, **changes})).to_dict()
    assert result["message"] == TOO_FEW
    scores = ("free_accuracy", "teacher_forced_accuracy", "loss")
    luck = ("chance_accuracy", "chance_token_accuracy")
    assert {result[name] for name in (*scores, *luck)} == {None}
    assert (result["test_inputs"], result["test_inputs_seen_in_training"]) == (0, 0)
    for frame in result["curve"]:
        assert frame["free_accuracy"] is frame["teacher_forced_accuracy"] is None
        assert np.isfinite(frame["loss"])


def test_chance_by_hand() -> None:
    found = chance(encoded(Letters("ab"), (("a", "ab"), ("b", "ab"), ("ab", "ba"))))
    assert found == (2 / 3, 7 / 9)
    # A shorter one: "a" and its end, beside two longer ones.
    found = chance(encoded(Letters("ab"), (("a", "a"), ("b", "ab"), ("ab", "ab"))))
    assert found == (2 / 3, (3 + 2 + 2) / 8)


@pytest.mark.parametrize("name", TASKS)
def test_no_constant_answer_gets_more_than_chance(name: Any) -> None:
    settings = Settings(task=name)
    measured = encoded(settings.letters(), held_out(settings))
    found, targets = chance(measured), [target for _, target in measured.pairs]
    best = max(sum(target == one for target in targets) for one in targets)
    assert found.answers == best / len(targets)
    # One token after the other, every token of the vocabulary is tried.
    rows, n_right = measured.tgt[:, 1:], 0
    for place in range(rows.shape[1]):
        n_right += max((rows[:, place] == i).sum() for i in range(1, len(settings.letters())))
    assert found.tokens == pytest.approx(n_right / (rows != PAD).sum())
    assert found.tokens > (rows == END).sum() / (rows != PAD).sum()


@pytest.mark.slow
def test_the_command_tells_chance_beside_each_accuracy(capsys: pytest.CaptureFixture[str]) -> None:
    settings = Settings(task="count", d_model=16, heads=2, updates=12)
    arguments = ["--task=count", "--d-model=16", "--heads=2", "--updates=12"]
    luck = chance(encoded(settings.letters(), held_out(settings)))
    assert command.main([*arguments, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["chance_accuracy"], told["chance_token_accuracy"]) == luck
    assert (told["test_inputs"], told["test_inputs_seen_in_training"]) == (200, 0)
    assert told["message"] is None
    assert command.main(arguments) == 0
    lines = dict(line.split() for line in capsys.readouterr().out.splitlines())
    assert float(lines["chance_accuracy"]) == pytest.approx(luck.answers, rel=1e-5)
    assert float(lines["chance_token_accuracy"]) == pytest.approx(luck.tokens, rel=1e-5)


@pytest.mark.slow
def test_the_command_says_why_there_is_no_score(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--alphabet=2", "--updates=12", "--d-model=16", "--heads=2"]) == 0
    printed = capsys.readouterr().out
    assert TOO_FEW in printed and "accuracy" not in printed


@pytest.mark.slow
def test_the_claims_are_counted_on_what_the_presets_leave_out() -> None:
    claims = json.loads(CLAIMS.read_text())
    for preset in PRESETS:
        for which, settings in (("first", preset.first), ("second", preset.second)):
            for seed, known in zip(SEEDS, claims[preset.name][which], strict=True):
                assert known["seed"] == seed
                pairs = held_out(Settings(**{**vars(settings), "seed": seed}))
                luck = chance(encoded(settings.letters(), pairs))
                assert (known["chance_accuracy"], known["chance_token_accuracy"]) == luck
                assert known["test_inputs"] == len(pairs)
