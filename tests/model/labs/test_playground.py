"""The playground's lab: tasks, settings, a run that is the same twice or diverges, the command."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from datetime import date
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from bench import presets as presets_bench
from model.errors import ConfigError
from model.labs.playground import __main__ as command
from model.labs.playground.presets import (
    CLAIMS,
    FAILED,
    LEARNT,
    MODELS,
    PRESETS,
    RACES,
    Race,
    model_of,
    with_parts,
)
from model.labs.playground.run import Result, Run, train
from model.labs.playground.settings import MAX_PARAMETERS, Settings
from model.labs.playground.tasks import END, PAD, START, TASKS, Letters, encoded
from model.training.presets import PRESETS as PRESETS_OF_CONFIG
from model.transformer import Transformer

SMALL = Settings(length=3, alphabet=12, d_model=16, d_ff=16, heads=2, batch=8, updates=12, warmup=4)


@pytest.mark.parametrize("name", TASKS)
@pytest.mark.parametrize("practice", [False, True])
def test_each_task_follows_its_rule(name: Any, practice: bool) -> None:
    settings, random = Settings(task=name), np.random.default_rng(3)
    letters = settings.letters()
    for source, target in islice(settings.pairs(random, practice), 50):
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
    trained = [pair for _ in range(8) for pair in run._batch().pairs]
    short = [
        sum("0" in (source[0], source[4]) for source, _ in pairs) / len(pairs)
        for pairs in (trained, run.tests)
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
        ({"rate": 10**400}, "rate is 1000.*000; expected a number from 1e-05 to 0.1"),
        ({"dropout": -(10**400)}, "expected a number from 0 to 0.5"),
        ({"updates": 10**400}, "expected a whole number from 10 to 5000"),
        ({"length": 10**9}, "length is 1000000000"),
        ({"updates": False}, "updates is False"),
        ({"heads": 5}, "expected an even multiple of n_heads"),
        ({"norm": "batch"}, "norm is 'batch'"),
        ({"positions": False}, "positions is False; expected one of sinusoids, learned, relative"),
        ({"norm_kind": "group"}, "norm_kind is 'group'; expected one of layer, rms"),
        ({"feed_forward": ["relu"]}, "feed_forward is"),
        ({"embedding": None}, "embedding is None"),
        ({"biases": 0}, "biases is 0"),
        ({"task": "date", "shorter": True}, "this task .date. has one length"),
        ({"scaling": "yes"}, "scaling is 'yes'"),
        ({"layers": 6, "d_model": 128}, "parameters; expected at most 400,000"),
        ({"beam": 4}, "has no field beam"),
    ],
)
def test_a_wrong_setting_gets_a_sentence(wrong: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ConfigError, match=sentence):
        Settings.from_dict(wrong)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"norm": "pre"},
        {"norm": "none"},
        {"tied": False},
        {"layers": 3},
        {"positions": "learned"},
        {"positions": "relative"},
        {"positions": "none"},
        {"norm_kind": "rms", "norm": "pre"},
        {"feed_forward": "gelu"},
        {"feed_forward": "gated_gelu"},
        {"feed_forward": "gated_gelu", "biases": False},
        {"biases": False, "norm": "pre"},
        {"embedding": "plain"},
        {"embedding": "normed"},
        *MODELS.values(),
    ],
    ids=str,
)
def test_parameters_are_counted_as_torch_counts(changes: dict[str, Any]) -> None:
    settings = replace(SMALL, **changes)
    model = Transformer(settings.model_config())
    assert settings.parameters == sum(weight.numel() for weight in model.parameters())
    assert settings.parameters <= MAX_PARAMETERS


@pytest.mark.slow
def test_the_same_settings_give_the_same_run() -> None:
    one, two = train(SMALL), train(SMALL)
    assert one.to_dict() | {"seconds": 0} == two.to_dict() | {"seconds": 0}
    for a, b in zip(one.model.parameters(), two.model.parameters(), strict=True):
        assert torch.equal(a, b)
    assert train(replace(SMALL, seed=2)).to_dict()["loss"] != one.to_dict()["loss"]


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


def after_six_updates(settings: Settings) -> dict[str, torch.Tensor]:
    run = Run(settings)
    for update in range(1, 7):
        run._step(update)
        run.optimizer.zero_grad()
    return run.model.state_dict()


@pytest.mark.slow
def test_switches_change_the_network() -> None:
    base = after_six_updates(SMALL)
    assert all(torch.equal(w, base[n]) for n, w in after_six_updates(SMALL).items())
    for changes in (
        {"positions": "none"}, {"positions": "learned"}, {"positions": "relative"},
        {"norm_kind": "rms"}, {"feed_forward": "gelu"}, {"feed_forward": "gated_gelu"},
        {"biases": False}, {"embedding": "plain"}, {"embedding": "normed"},
        {"causal_mask": False}, {"residual": False}, {"scaling": False},
        {"norm": "none"}, {"norm": "pre"}, {"dropout": 0.3}, {"label_smoothing": 0.2},
        {"warmup": 0}, {"schedule": "constant"},
    ):  # fmt: skip
        other = after_six_updates(replace(SMALL, **changes))
        assert not all(torch.equal(w, base[n]) for n, w in other.items() if n in base), changes


@pytest.mark.slow
def test_a_run_is_stopped_when_its_time_is_up() -> None:
    result = train(replace(SMALL, updates=5000), max_seconds=0.2)
    assert result.stopped and result.updates < 5000


@pytest.mark.slow
def test_the_command_prints_one_object(capsys: pytest.CaptureFixture[str]) -> None:
    given = "--task copy --seed 2 --length 3 --alphabet 12 --d-model 16 --d-ff 16 --heads 2"
    more = "--batch 8 --updates 12 --warmup 4 --positions none --no-causal-mask --json"
    assert command.main([*given.split(), *more.split()]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["settings"]["positions"] == "none" and told["settings"]["causal_mask"] is False
    settings = Settings.from_dict(told["settings"])
    assert settings == replace(SMALL, task="copy", seed=2, positions="none", causal_mask=False)
    same = train(settings).to_dict()
    for name in set(told) - {"seconds", "curve"}:
        assert told[name] == same[name]
    assert told["curve"][-1]["update"] == 12


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (["--layers", "40"], "layers is 40; expected a whole number from 1 to 6."),
        (["--rate", "1e400"], "rate is inf; expected a number from 1e-05 to 0.1."),
        (["--rate", "1" + 400 * "0"], "rate is inf; expected a number from 1e-05 to 0.1."),
    ],
)
def test_the_command_refuses_with_a_sentence(
    capsys: pytest.CaptureFixture[str], wrong: list[str], sentence: str
) -> None:
    assert command.main(["--task", "copy", *wrong]) == 2
    assert sentence in capsys.readouterr().err


# ------------------------------------------------------------------------------ runs that diverge

WILD = Settings(
    rate=0.1, norm="none", layers=6, d_ff=32, heads=1, warmup=0, scaling=False, seed=5
)  # fmt: skip


def last_finite_update(settings: Settings) -> int:
    """By hand: after how many updates a loss or a gradient is no number any more."""
    run = Run(settings)
    for update in range(1, settings.updates + 1):
        batch = run._batch()
        loss = run.objective(torch.from_numpy(batch.src), torch.from_numpy(batch.tgt), 0.0)
        (loss / int((batch.tgt[:, 1:] != PAD).sum())).backward()
        length = torch.nn.utils.clip_grad_norm_(run.model.parameters(), 1.0)
        if not np.isfinite([loss.item(), length.item()]).all():
            return update - 1
        for group in run.optimizer.param_groups:
            group["lr"] = settings.learning_rate(update)
        run.optimizer.step()
        run.optimizer.zero_grad()
    return settings.updates


@pytest.mark.slow
def test_a_run_that_diverges_ends_there_and_says_so() -> None:
    result = train(WILD)
    last = last_finite_update(WILD)
    assert result.diverged == last + 1 and result.updates == last
    assert f"at update {last + 1} " in (result.message or "")
    told = result.to_dict()
    json.dumps(told, allow_nan=False)
    assert [frame["update"] for frame in told["curve"]] == [0, last]
    assert told["curve"][-1]["loss"] > 10 * told["curve"][0]["loss"]
    assert told["free_accuracy"] is told["loss"] is told["chance_accuracy"] is None
    for weight in result.model.parameters():
        assert weight.isfinite().all()


def test_a_run_may_diverge_after_its_last_update() -> None:
    """Finite weights, and outputs that are not: nothing is counted, and nothing is not finite."""
    run = Run(SMALL)
    run.update = 7
    with torch.no_grad():
        next(run.model.parameters()).mul_(1e38)
    assert list(run._frame([torch.tensor(1.0)], (1.0, 1.0))) == []
    assert run.result().diverged == 7
    run.diverged = None
    assert run.result().diverged == 7 and run.result().score is None


@pytest.mark.slow
def test_the_command_says_that_a_run_diverged(capsys: pytest.CaptureFixture[str]) -> None:
    given = "--rate 0.1 --norm none --layers 6 --d-ff 32 --heads 1 --warmup 0 --no-scaling --seed 5"
    assert command.main(given.split()) == 0
    printed = capsys.readouterr().out
    assert f"diverged: at update {last_finite_update(WILD) + 1} " in printed
    assert "accuracy" not in printed and "nan" not in printed


def test_presets_change_little() -> None:
    for preset in PRESETS:
        assert 1 <= len(preset.changes) <= 2, preset.name


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"shorter": True},
        {"layers": 3, "d_model": 32},
        {"task": "date", "heads": 8, "d_ff": 300},
    ],
    ids=str,
)
def test_a_model_of_other_parts_has_the_same_size(changes: dict[str, Any], model: str) -> None:
    """As torch counts, within a hundredth (the limit is a tenth); all else is as it was."""
    settings = Settings(**changes)
    other = with_parts(settings, model)
    sizes = [
        sum(weight.numel() for weight in Transformer(one.model_config()).parameters())
        for one in (settings, other)
    ]
    assert abs(sizes[1] / sizes[0] - 1) < 0.01
    assert model_of(other) == model
    differ = {name for name, one in asdict(other).items() if one != getattr(settings, name)}
    assert differ <= {*MODELS[model], "d_ff"}
    back = with_parts(other, "paper")
    assert replace(back, d_ff=settings.d_ff) == settings and abs(back.d_ff - settings.d_ff) <= 1


def test_the_models_of_a_race_differ_in_their_parts_alone() -> None:
    for race in RACES:
        assert set(race.runs) == set(MODELS)
        for model, run in race.runs.items():
            rest = {**asdict(run), **MODELS["paper"], "d_ff": race.runs["paper"].d_ff}
            assert rest == asdict(race.runs["paper"]) and model_of(run) == model
            assert abs(run.parameters / race.runs["paper"].parameters - 1) < 0.1
    assert model_of(replace(Settings(), biases=False)) == ""


@pytest.mark.slow
@pytest.mark.long
def test_a_comparison_goes_on_where_it_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`python -m bench.presets letters`, with tiny runs; its numbers are those of the runs."""
    tiny = replace(SMALL, shorter=True, length=11)
    runs = {model: with_parts(tiny, model) for model in ("paper", "bart")}
    monkeypatch.setattr("model.labs.playground.counting.PER_LENGTH", 20)
    monkeypatch.setattr(presets_bench, "RACES", (Race("further", runs),))
    given = ["letters", "--out", str(tmp_path), "--seeds", "3"]
    assert presets_bench.main(given) == 0
    (tmp_path / "further-bart-3.json").unlink()
    trained: list[Settings] = []

    def watched(settings: Settings) -> Result:
        trained.append(settings)
        return train(settings)

    monkeypatch.setattr(presets_bench.playground, "train", watched)
    assert presets_bench.main(given) == 0
    assert trained == [replace(runs["bart"], seed=3)]
    rows = [line for line in capsys.readouterr().out.splitlines() if line.startswith("| further")]
    assert rows[0] == rows[2] and len(rows) == 4
    told = train(trained[0]).to_dict()
    beyond = round(100 * told["by_length"][-1]["free_accuracy"])
    assert told["by_length"][-1]["length"] == 12
    shares = f"{told['free_accuracy']:.1%} | {beyond}"
    assert f"| bart | {told['parameters']:,} | None | {shares} |" in rows[3]


def test_the_page_and_the_command_mean_the_same_by_a_model() -> None:
    """`python -m model.train --preset t5` and *Train one*."""
    assert set(MODELS) == set(PRESETS_OF_CONFIG)
    for model, fields in PRESETS_OF_CONFIG.items():
        config = asdict(with_parts(Settings(), model).model_config())
        assert {name: config[name] for name in fields} == fields


def test_queries_start_smaller_where_t5_does_not_scale_scores() -> None:
    """By sqrt(d_k) = sqrt(8), and nowhere else."""
    for changes, factor in (
        (MODELS["t5"], 8**-0.5), ({"positions": "relative"}, 1.0), ({"scaling": False}, 1.0),
        ({**MODELS["t5"], "scaling": True}, 1.0),
    ):  # fmt: skip
        torch.manual_seed(5)
        attention = Transformer(replace(SMALL, **changes).model_config()).encoder[0].self_attention
        bound = (6 / (16 + 16)) ** 0.5  # of Xavier's uniform numbers
        largest = [one.weight.abs().max().item() for one in (attention.query, attention.key)]
        assert largest[0] == pytest.approx(bound * factor, rel=0.05)
        assert largest[1] == pytest.approx(bound, rel=0.05)


@pytest.mark.slow
def test_training_on_shorter_words_is_tried_on_every_length() -> None:
    """Counted here by reading the most likely letters one by one."""
    settings = replace(SMALL, length=4, updates=60, shorter=True)
    run = Run(settings)
    frames = tuple(run.frames())
    lengths = {len(source) for source, _ in islice(run._training, 200)}
    assert lengths == {1, 2, 3, 4}
    score = run.result(frames).score
    assert score is not None
    assert [one.length for one in score.by_length] == list(range(2, 13))  # of 1 there are 12
    told = run.result(frames).to_dict()
    assert told["test_inputs_seen_in_training"] == 0
    for one in score.by_length[::4]:
        pairs = run.by_length[one.length]
        assert len({source for source, _ in pairs}) == len(pairs) == one.test_inputs
        assert all(len(source) == one.length for source, _ in pairs)
        right = sum(_written(run, source) == target for source, target in pairs)
        assert one.free_accuracy == pytest.approx(right / len(pairs))
    assert told["by_length"] == [asdict(one) for one in score.by_length]  # the same twice


def _written(run: Run, source: str) -> str | None:
    """The most likely letters, one by one; None if they do not end."""
    src = torch.tensor([[*run.letters.encode(source), END]])
    ids = [START]
    with torch.inference_mode():
        while len(ids) < len(source) + 3:
            logits = run.model.eval()(src, torch.tensor([ids]))[0, -1]
            logits[[PAD, START, 3]] = -torch.inf
            ids.append(int(logits.argmax()))
            if ids[-1] == END:
                return run.letters.decode(ids[1:])
    return None


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


@pytest.mark.long
def test_the_defaults_learn_to_reverse() -> None:
    result = train(Settings(seed=1)).score
    assert result is not None and result.free_accuracy >= 0.99
    assert result.chance.answers == 1 / 200  # all different
