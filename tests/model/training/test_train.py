"""Training on a toy task, to reverse digits: it resumes, and shares its work."""

from __future__ import annotations

import contextlib
import dataclasses
import importlib
import json
import multiprocessing
import os
import random
import socket
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from model import checkpoint, train
from model.checkpoint import snapshots
from model.config import ModelConfig
from model.errors import ConfigError
from model.text.tokenizer import Tokenizer
from model.training import loop, runs
from model.training.config import TrainConfig
from model.training.corpus import read_pairs
from model.training.presets import PRESETS
from model.transformer import Transformer
from tests.shared import made_once

ROOT = Path(__file__).parents[3]
DIGITS = "零一二三四五六七八九"


def corpus(folder: Path, lines: int = 400) -> Path:
    """English digits, and the same in Chinese backwards: "3 1 4" -> 四一三."""
    rng = random.Random(5)
    file = folder / "reverse.tsv"
    rows = set()
    while len(rows) < lines:
        digits = [rng.randrange(10) for _ in range(rng.randint(2, 5))]
        rows.add((" ".join(map(str, digits)), "".join(DIGITS[d] for d in reversed(digits))))
    file.write_text("".join(f"{a}\t{b}\n" for a, b in sorted(rows)), "utf-8")
    return file


SMALL = (
    "--vocab-size 310 --d-model 32 --d-ff 64 --n-heads 4 --n-encoder-layers 1 --n-decoder-layers 1 "
    "--batch-tokens 256 --warmup 30 --peak-lr 0.005 --dev-share 0.1 --test-share 0.1 "
    "--average-last 2 --precision float32 --workers 0"
)


def run(file: Path, out: Path, *more: str) -> int:
    return train.main(["--data", str(file), "--out", str(out), *SMALL.split(), *more])


def tiny_model() -> Transformer:
    return Transformer(ModelConfig(vocab_size=8, d_model=4, n_heads=2, d_ff=4))


def curves(out: Path) -> list[dict[str, float]]:
    return [json.loads(line) for line in (out / "curves.jsonl").read_text().splitlines()]


EMPTY = ("--batch-tokens", "16", "--parts", "6")  # a sentence a batch: one process has no rows


@pytest.fixture
def two() -> Path:
    """Runs by two gloo processes: `plain`, and `empty` with batches of one sentence.

    This file is the program; what it needs is imported once, before it becomes two.
    """

    def make(folder: Path) -> None:
        folder.mkdir()
        command = [sys.executable, "-m", "tests.model.training.test_train", str(corpus(folder))]
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""}
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr[-2000:]

    return made_once("two-processes", make)


def as_two(file: Path, out: Path, *flags: str) -> int:
    """The larger exit code of two processes that train together, as torchrun sets them up."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]

    def train_as(rank: int) -> None:
        place = {"RANK": rank, "LOCAL_RANK": rank, "WORLD_SIZE": 2, "MASTER_PORT": port}
        os.environ.update({name: str(value) for name, value in place.items()})
        os.environ["MASTER_ADDR"] = "127.0.0.1"
        sys.exit(run(file, out, "--epochs", "1", "--dropout", "0", *flags))

    context = multiprocessing.get_context("fork")
    processes = [context.Process(target=train_as, args=(rank,)) for rank in range(2)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    return max(abs(process.exitcode or 0) for process in processes)


@pytest.mark.slow
@pytest.mark.parametrize("count", [100, 12, 2])
def test_a_first_try_trains_with_the_lines_that_it_has(
    tmp_path: Path, count: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the default size of a vocabulary; resumed, it keeps the size that was found."""
    file = tmp_path / "pairs.tsv"
    lines = [
        f"We sold {n} red cups in {n * 7}.\t我们卖了{n}个红杯子{n * 7}。\n" for n in range(count)
    ]
    file.write_text("".join(lines), "utf-8")
    out = tmp_path / "run"
    small = "--epochs 1 --d-model 8 --n-heads 2 --d-ff 8 --n-encoder-layers 1 --n-decoder-layers 1"
    flags = ["--data", str(file), "--out", str(out), *small.split(), "--workers", "0"]
    assert train.main(flags) == 0
    size = json.loads((out / "TrainConfig.json").read_text())["vocab_size"]
    assert 261 < size < 500
    assert checkpoint.load(out / "model").model.config.vocab_size == size
    assert train.main(flags) == 0
    other = ["--data", str(file), "--out", str(tmp_path / "other"), "--vocab-size", "261"]
    assert train.main(other) == 2
    told = capsys.readouterr().err.splitlines()[-1]
    assert f" to {size} do" in told and len(told) <= 300
    assert not any(word in told for word in ("character_coverage", ".cc", "INTERNAL", ".."))


@pytest.mark.long
@pytest.mark.slow
def test_an_interrupted_run_ends_as_an_uninterrupted_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = corpus(tmp_path)
    flags = ("--epochs", "3", "--dropout", "0.2")
    assert run(file, tmp_path / "whole", *flags) == 0
    original = loop.Training.run_epoch

    def stops(self: loop.Training) -> float:
        if self.epoch == 2:
            raise KeyboardInterrupt
        return original(self)

    with monkeypatch.context() as patch:
        patch.setattr(loop.Training, "run_epoch", stops)
        with pytest.raises(KeyboardInterrupt):
            run(file, tmp_path / "parts", *flags)
    torch.rand(7)  # what was drawn in this process before must not matter
    folder = (tmp_path / "parts").rename(tmp_path / "moved")  # as if on another machine
    here = ["--out", str(folder), "--precision", "float32", "--workers", "1"]
    assert train.main(here) == 0  # the folder alone; encoding in another process
    whole, parts = (
        load_file(tmp_path / name / "epochs/0003.safetensors") for name in ("whole", "moved")
    )
    for name, weight in whole.items():
        assert torch.equal(weight, parts[name]), name
    second = load_file(tmp_path / "whole/epochs/0002.safetensors")
    assert not torch.equal(whole["embedding.token.weight"], second["embedding.token.weight"])


@pytest.mark.slow
@pytest.mark.long
def test_a_run_stopped_within_an_epoch_ends_as_a_whole_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its state is saved on the way: no update is made twice, and no loss is counted twice."""
    file = corpus(tmp_path)
    noise = ("--dropout", "0.2", "--attention-dropout", "0.1")
    flags = ("--epochs", "2", *noise, "--save-minutes", "0")
    assert run(file, tmp_path / "whole", *flags) == 0
    original, updates = loop.Training.step, []

    def stops(self: loop.Training, *rest: object) -> torch.Tensor:
        if self.epoch == 1 and self.done == 4:
            raise KeyboardInterrupt
        updates.append(self.update)
        return original(self, *rest)

    with monkeypatch.context() as patch:
        patch.setattr(loop.Training, "step", stops)
        with pytest.raises(KeyboardInterrupt):
            run(file, tmp_path / "parts", *flags)
        stopped = updates[-1]
        patch.setattr(loop.Training, "step", lambda *a: updates.append(a[0].update) or original(*a))
        here = ["--out", str(tmp_path / "parts"), "--precision", "float32", "--workers", "0"]
        assert train.main(here) == 0
    assert updates == list(range(1, len(updates) + 1)) and stopped in updates
    whole, parts = (
        load_file(tmp_path / name / "epochs/0002.safetensors") for name in ("whole", "parts")
    )
    assert all(torch.equal(weight, parts[name]) for name, weight in whole.items())
    lines = [curves(tmp_path / name)[1] for name in ("whole", "parts")]
    assert lines[0]["train_loss"] == lines[1]["train_loss"]


@pytest.mark.slow
def test_two_processes_make_the_updates_of_one(tmp_path: Path, two: Path) -> None:
    """Without dropout the sum over two processes' rows is the sum over all rows."""
    file = corpus(tmp_path)
    assert run(file, tmp_path / "one", "--epochs", "1", "--dropout", "0") == 0
    one, both = (
        load_file(out / "epochs/0001.safetensors") for out in (tmp_path / "one", two / "plain")
    )
    config = checkpoint.load(tmp_path / "one/model").model.config
    start = snapshots.load(tmp_path / "one/snapshots/0.00.safetensors.gz", config).state_dict()
    for name, weight in one.items():
        if name.endswith("key.bias"):
            continue  # it shifts all scores of a query alike: no gradient, Adam amplifies its noise
        way = (weight - start[name]).norm().item()
        # Sums in bfloat16 come out a little different in another order; the way gone is the scale.
        assert (weight - both[name]).norm().item() < 0.3 * way + 1e-3, name
    assert curves(two / "plain")[0]["train_loss"] == pytest.approx(
        curves(tmp_path / "one")[0]["train_loss"], rel=0.01
    )


@pytest.mark.slow
def test_a_process_without_rows_takes_part(two: Path) -> None:
    """Batches of one sentence on two processes: one of them has nothing to add."""
    assert curves(two / "empty")[0]["train_loss"] > 0


@pytest.mark.slow
def test_a_preset_holds_until_a_flag_changes_a_part_and_a_run_keeps_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, out = corpus(tmp_path), tmp_path / "run"
    assert run(file, out, "--epochs", "1", "--preset", "t5", "--norm-kind", "layer") == 0
    kept = {**PRESETS["t5"], "norm_kind": "layer"}
    config = dataclasses.asdict(checkpoint.load(out / "model").model.config)
    assert {name: config[name] for name in kept} == kept and config["d_ff"] == 64
    assert train.main(["--out", str(out), "--workers", "0"]) == 0  # goes on, with the same parts
    assert train.main([f"--out={out}", "--preset=paper", "--workers", "0"]) == 2
    assert "begun with other settings" in capsys.readouterr().err
    for wrong in (["--preset", "gpt", "--out", str(out)], ["--preset", "t5"], ["--preset"]):
        with contextlib.suppress(SystemExit):
            assert train.main(wrong) == 2
        assert "Traceback" not in capsys.readouterr().err
    assert PRESETS["paper"] == {n: getattr(ModelConfig, n) for n in PRESETS["paper"]}


@pytest.mark.slow
def test_a_trapezoid_may_get_longer_before_it_falls(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    flags = ("--schedule", "trapezoid", "--cooldown", "0.5", "--epochs")
    assert run(corpus(tmp_path), tmp_path / "run", *flags, "2") == 0
    assert train.main(["--out", str(tmp_path / "run"), "--epochs", "6", "--workers", "0"]) == 2
    assert "epochs was 2, now 6" in capsys.readouterr().err
    assert train.main(["--out", str(tmp_path / "run"), "--cooldown", "0.1", "--workers", "0"]) == 2
    assert "cooldown was 0.5, now 0.1" in capsys.readouterr().err
    path = tmp_path / "run" / "curves.jsonl"
    path.write_text(path.read_text().splitlines(keepends=True)[0])
    begun = train.begun(["--out", str(tmp_path / "run")]).training
    runs.Run(tmp_path / "run").keep_settings(dataclasses.replace(begun, epochs=6))
    shorter = dataclasses.replace(begun, epochs=6, cooldown=0.8)
    runs.Run(tmp_path / "run").keep_settings(shorter)  # it begins to fall now
    with pytest.raises(ConfigError, match=r"cooldown was 0\.8, now 0\.9"):
        runs.Run(tmp_path / "run").keep_settings(dataclasses.replace(shorter, cooldown=0.9))


@pytest.mark.slow
def test_a_loss_that_is_no_number_ends_the_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    original = loop.Training.step
    monkeypatch.setattr(loop.Training, "step", lambda *a: original(*a) * float("nan"))
    assert run(corpus(tmp_path), tmp_path / "run", "--epochs", "1") == 2
    assert "The loss became nan in epoch 1" in capsys.readouterr().err
    assert not (tmp_path / "run" / "state.pt").exists()


def test_maps_decay_queries_and_keys_more_norms_and_embeddings_never() -> None:
    model = tiny_model()
    names = {id(p): n for n, p in model.named_parameters()}
    plain, more = (
        {
            names[id(p)]: group["weight_decay"]
            for group in loop.parameter_groups(model, 0.25, *attention)
            for p in group["params"]
        }
        for attention in ((), (0.5,))
    )
    assert plain.keys() == more.keys() == set(names.values())
    for name in names.values():
        never = "norm" in name or name.endswith("bias") or name.startswith("embedding")
        scores = "attention.query" in name or "attention.key" in name
        assert plain[name] == (0 if never else 0.25), name
        assert more[name] == plain[name] + 0.5 * scores, name


@pytest.mark.slow
def test_targets_that_repeat_are_left_out_of_training_alone(tmp_path: Path) -> None:
    """With the same parts otherwise: scores stay comparable."""
    file = corpus(tmp_path)
    with file.open("a", encoding="utf-8") as more:
        more.writelines(f"{i} {i} 7\t七{d}一二三四一二三四\n" for i, d in enumerate(DIGITS * 3))
    for name, flags in (("all", ()), ("fluent", ("--drop-repeats",))):
        assert run(file, tmp_path / name, "--epochs", "1", *flags) == 0
    read = {
        (name, part): set(read_pairs(tmp_path / name / f"data/{part}.tsv"))
        for name in ("all", "fluent")
        for part in ("train", "dev", "test")
    }
    left_out = read["all", "train"] - read["fluent", "train"]
    assert left_out == {pair for pair in read["all", "train"] if "一二三四一二三四" in pair[1]}
    assert left_out
    assert read["all", "dev"] == read["fluent", "dev"]
    assert read["all", "test"] == read["fluent", "test"]


@pytest.mark.slow
def test_the_other_direction_has_the_same_parts_and_cuts_each_language_alike(
    tmp_path: Path,
) -> None:
    file = corpus(tmp_path)
    assert run(file, tmp_path / "there", "--epochs", "1") == 0
    first = ("--start-from", str(tmp_path / "there" / "model"))
    flags = ("--epochs", "1", "--turned", "--swap-sides", "--rewritten", "0.5", *first)
    assert run(file, tmp_path / "back", *flags) == 0
    for part in ("train", "dev", "test"):
        there, back = (
            read_pairs(tmp_path / name / f"data/{part}.tsv") for name in ("there", "back")
        )
        assert there and [(target, source) for source, target in there] == back
    pieces = [Tokenizer.load(tmp_path / name) for name in ("there", "back")]
    for text in ("3 1 4", "四一三"):
        as_source, as_target = (
            [list(t.encode_source(text).pieces[:-1]), list(t.encode_target(text).pieces)]
            for t in pieces
        )
        assert as_source == as_target[::-1]


@pytest.mark.slow
def test_the_best_model_so_far_can_be_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stops(self: loop.Training) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(loop.Training, "finish", stops)
    with pytest.raises(KeyboardInterrupt):
        run(corpus(tmp_path), tmp_path / "run", "--epochs", "1")
    loaded = checkpoint.load(tmp_path / "run/model")
    assert loaded.format == "headlight-3"
    assert "the weights are epoch 1" in (tmp_path / "run/model/README.md").read_text("utf-8")


@pytest.mark.slow
def test_a_folder_with_a_run_takes_its_own_settings_and_corpus_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A line too many in its curves, as if it had stopped before its state, is taken back."""
    file, out = corpus(tmp_path), tmp_path / "run"
    assert run(file, out, "--epochs", "1") == 0
    (tmp_path / "other").mkdir()
    for other, epochs, told in (
        (file, "2", "begun with other settings"),
        (corpus(tmp_path / "other", 300), "1", "another corpus"),
    ):
        assert run(other, out, "--epochs", epochs) == 2
        assert told in capsys.readouterr().err
    with (out / "curves.jsonl").open("a") as more:
        more.write(json.dumps({"epoch": 2}) + "\n")
    assert run(file, out, "--epochs", "1") == 0
    assert [line["epoch"] for line in curves(out)] == [1]


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        ((), "holds no run"),
        (("--data", "none.tsv"), "none.tsv cannot be read"),
        (("--data", "reverse.tsv", "--dev-share", "0"), "0 for development"),
    ],
)
def test_what_cannot_begin_is_one_sentence(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    flags: tuple[str, ...],
    told: str,
) -> None:
    corpus(tmp_path)
    monkeypatch.chdir(tmp_path)
    settings = SMALL.split() if flags else []
    assert train.main(["--out", "run", *settings, *flags]) == 2
    assert told in capsys.readouterr().err


@pytest.mark.slow
def test_a_sentence_beyond_the_positions_is_left_out(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = corpus(tmp_path)
    with file.open("a", encoding="utf-8") as more:
        more.write(f"{'1 ' * 90}\t{'一' * 90}\n" * 1)
    assert run(file, tmp_path / "run", "--epochs", "1", "--max-positions", "24") == 0
    assert "too long and left out" in caplog.text


def test_the_rate_rises_then_falls() -> None:
    """Equation 3 has its peak where warm-up ends, and falls with the root of the update."""
    paper = TrainConfig(peak_lr=0.01, warmup=100, schedule="inverse_sqrt")
    assert [paper.learning_rate(u, 1000) for u in (1, 50, 100, 400)] == pytest.approx(
        [0.0001, 0.005, 0.01, 0.005]
    )
    trapezoid = TrainConfig(peak_lr=0.01, warmup=100, schedule="trapezoid", cooldown=0.3)
    rates = [trapezoid.learning_rate(u, 1000) for u in (50, 100, 700, 851, 1000)]
    assert rates == pytest.approx([0.005, 0.01, 0.01, 0.005, 0.01 / 300])
    linear = TrainConfig(peak_lr=0.01, warmup=100, schedule="linear")
    assert linear.learning_rate(100, 1000) == pytest.approx(0.01)
    assert linear.learning_rate(550, 1000) == pytest.approx(0.01 * 451 / 901)
    assert linear.learning_rate(1000, 1000) == pytest.approx(0.01 / 901)


@pytest.mark.slow
def test_the_average_is_the_mean(tmp_path: Path) -> None:
    model = tiny_model()
    for i, factor in enumerate((1.0, 4.0)):
        weights = {n: torch.full_like(p, factor) for n, p in model.named_parameters()}
        save_file(weights, tmp_path / f"{i}.safetensors")
    runs.average(model, sorted(tmp_path.glob("*.safetensors")))
    assert all((p == 2.5).all() for p in model.parameters())


if __name__ == "__main__":  # the program of the fixture `two`
    importlib.import_module("torch._dynamo")  # every optimiser imports it, which takes seconds
    given = Path(sys.argv[1])
    sys.exit(as_two(given, given.parent / "plain") or as_two(given, given.parent / "empty", *EMPTY))
