"""Training: `python -m model.train --data FILE.tsv --out DIR`.

What OUT holds afterwards: `model/` (the averaged model, ready for `app.py --model`), `curves.jsonl`
(one line an epoch), `snapshots/` (small weights along the way), `data/` (the three parts of the
corpus) and `state.pt` (where an interrupted run goes on, with the same result as without).

Several GPUs or processes: `torchrun --nproc-per-node 2 -m model.train ...`; each process takes its
share of the rows of every batch, so the updates are those of a single process.
"""

from __future__ import annotations

import argparse
import dataclasses
import hashlib
import json
import logging
import math
import os
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any, cast

import torch
import torch.distributed as dist
from safetensors.torch import load_file, save_file
from torch import Tensor
from tqdm import tqdm

from model import data, snapshots
from model.checkpoint import Checkpoint, own_rules, save
from model.config import Config, DecodeConfig, ModelConfig, TrainConfig
from model.errors import ConfigError, HeadlightError, InputError
from model.loss import smoothed_loss
from model.tokenizer import Tokenizer
from model.transformer import Transformer

log = logging.getLogger(__name__)

# Shares of all updates at which weights are kept; the end is the model itself.
SNAPSHOTS = (0.0, 0.01, 0.03, 0.1, 0.3, 0.6)


class Training:
    """One run: everything that changes while it goes on, and the folder where it is kept."""

    def __init__(self, out: Path, model_config: ModelConfig, config: TrainConfig) -> None:
        self.out, self.config = out, config
        self.rank = dist.get_rank() if dist.is_initialized() else 0
        self.world = dist.get_world_size() if dist.is_initialized() else 1
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        if self.device.type == "cuda":
            torch.cuda.set_device(int(os.environ.get("LOCAL_RANK", "0")))
        self.tokenizer = Tokenizer.load(out)
        self.train = data.read_pairs(out / "data" / "train.tsv")
        self.dev = data.read_pairs(out / "data" / "dev.tsv")
        torch.manual_seed(config.seed)  # the same weights in every process
        self.model = Transformer(model_config).to(self.device)
        self.optimizer = torch.optim.AdamW(
            self.model.parameters(), betas=(0.9, 0.98), eps=1e-9, weight_decay=config.weight_decay
        )
        self.epoch = self.update = 0
        self.seconds = 0.0

    @property
    def is_main(self) -> bool:
        return self.rank == 0

    def run(self) -> None:
        """Train until the last epoch is done, then average and save."""
        self.resume()
        while self.epoch < self.config.epochs:
            started = time.perf_counter()
            loss = self.run_epoch()
            self.epoch += 1
            self.seconds += time.perf_counter() - started
            if self.is_main:
                self.keep(loss)
        if self.is_main:
            self.finish()

    def run_epoch(self) -> float:
        """One pass over the training pairs; gives the mean loss a token."""
        self.model.train()
        # Dropout starts anew each epoch, in each process with numbers of its own: an interrupted
        # run then repeats what the whole one draws.
        torch.manual_seed((self.config.seed * 10_007 + self.epoch) * 1_009 + self.rank)
        batches = self.batches(self.train, self.config, self.epoch)
        # It depends a little on the drawn segmentations; this epoch's number stands for all.
        planned = self.update + len(batches) * (self.config.epochs - self.epoch)
        total, tokens = torch.zeros((), device=self.device), 0
        bar = tqdm(
            batches, f"epoch {self.epoch + 1}/{self.config.epochs}", disable=not self.is_main,
            unit="update", mininterval=5, file=sys.stderr,
        )  # fmt: skip
        started = time.perf_counter()
        for batch in bar:
            if self.is_main:
                self.snapshot(planned)
            self.update += 1
            for group in self.optimizer.param_groups:
                group["lr"] = self.config.learning_rate(self.update, planned)
            n_tokens = int((batch.tgt[:, 1:] != self.tokenizer.pad_id).sum())
            total += self.step(batch, n_tokens)
            tokens += n_tokens
            speed = tokens / (time.perf_counter() - started)
            bar.set_postfix_str(f"{speed:,.0f} tokens/s", refresh=False)
        return total.item() / tokens

    def batches(self, pairs: list[data.Pair], config: TrainConfig, epoch: int) -> list[data.Batch]:
        """The batches of an epoch, without the pairs that are longer than the model's positions."""
        encoded = data.encode(pairs, self.tokenizer, config, epoch)
        room = self.model.config.max_positions - 4  # the end token, and padding to a multiple of 4
        fitting = [pair for pair in encoded if max(map(len, pair)) <= room]
        if len(fitting) < len(encoded):
            log.warning("%d pairs are too long and left out.", len(encoded) - len(fitting))
        return list(data.batches(fitting, self.tokenizer, config, epoch))

    def step(self, batch: data.Batch, n_tokens: int) -> Tensor:
        """One update; gives the summed loss of the whole batch."""
        loss = self.loss(
            batch, self.config.label_smoothing, rows=slice(self.rank, None, self.world)
        )
        (loss / n_tokens).backward()
        loss = loss.detach()
        if self.world > 1:
            self.add_gradients()
            dist.all_reduce(loss)
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.config.clip)
        self.optimizer.step()
        self.optimizer.zero_grad()
        return loss

    def loss(self, batch: data.Batch, eps: float, rows: slice = slice(None)) -> Tensor:
        """The summed loss over chosen rows of a batch, in mixed precision (bfloat16)."""
        src = torch.from_numpy(batch.src[rows]).to(self.device)
        tgt = torch.from_numpy(batch.tgt[rows]).to(self.device)
        weight = self.model.embedding.token.weight
        if not len(src):
            return weight.sum() * 0  # a process without rows still takes part in the update
        with torch.autocast(self.device.type, torch.bfloat16):
            memory, src_mask, _ = self.model.encode(src)
            x, _, _ = self.model.decode(tgt[:, :-1], self.model.start(memory, src_mask))
        written = tgt[:, 1:]
        real = written != self.tokenizer.pad_id
        return smoothed_loss(x[real].float(), weight, written[real], eps, torch.bfloat16)

    def add_gradients(self) -> None:
        """Sum the gradients of all processes, in one message."""
        parameters = list(self.model.parameters())
        for p in parameters:  # a process without rows adds nothing, but as much of it
            p.grad = torch.zeros_like(p) if p.grad is None else p.grad
        grads = [cast("Tensor", p.grad) for p in parameters]
        flat = torch.cat([grad.flatten() for grad in grads])
        dist.all_reduce(flat)
        for grad, part in zip(grads, flat.split([grad.numel() for grad in grads]), strict=True):
            grad.copy_(part.view_as(grad))

    # ------------------------------------------------------------------------ what is kept

    def snapshot(self, planned: int) -> None:
        """Keep weights, a byte each, at fixed shares of the run, from random to trained."""
        for share in SNAPSHOTS:
            path = snapshots.place(self.out, share)
            if self.update >= math.ceil(share * planned) and not path.exists():
                snapshots.save(path, self.model)

    def keep(self, loss: float) -> None:
        """After an epoch: weights for the average, a line in the curves, the state to resume."""
        self._epoch_file(self.epoch).parent.mkdir(exist_ok=True)
        weights = {n: p.detach().cpu() for n, p in self.model.named_parameters()}
        save_file(weights, self._epoch_file(self.epoch))
        old = self._epoch_file(self.epoch - self.config.average_last)
        old.unlink(missing_ok=True)
        line = {
            "epoch": self.epoch,
            "updates": self.update,
            "seconds": round(self.seconds, 1),
            "lr": self.optimizer.param_groups[0]["lr"],
            "train_loss": round(loss, 4),
            **self.validate(),
        }
        with (self.out / "curves.jsonl").open("a") as file:
            file.write(json.dumps(line) + "\n")
        log.info("%s", line)
        state = {
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "epoch": self.epoch,
            "update": self.update,
            "seconds": self.seconds,
        }
        partial = self.out / "state.partial"
        torch.save(state, partial)
        partial.replace(self.out / "state.pt")

    def resume(self) -> None:
        """Go on where `state.pt` was written, if there is one."""
        path = self.out / "state.pt"
        if path.exists():
            state: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
            self.model.load_state_dict(state["model"])
            self.optimizer.load_state_dict(state["optimizer"])
            self.epoch, self.update = state["epoch"], state["update"]
            self.seconds = state["seconds"]
        curves = self.out / "curves.jsonl"
        if self.is_main and curves.exists():  # a stop between two files can leave a line too many
            lines = curves.read_text().splitlines(keepends=True)
            curves.write_text("".join(x for x in lines if json.loads(x)["epoch"] <= self.epoch))
        log.info("Going on after epoch %d.", self.epoch)

    @torch.inference_mode()
    def validate(self) -> dict[str, float]:
        """Loss a token without smoothing, and BLEU and chrF of greedy translations, on dev."""
        from model.evaluate import score  # needs sacrebleu, which the loop does not
        from model.translate import translate_all

        self.model.eval()
        fixed = dataclasses.replace(self.config, subword_alpha=0.0, rough=0.0)
        total, tokens = 0.0, 0
        for batch in self.batches(self.dev, fixed, 0):
            total += self.loss(batch, eps=0.0).item()
            tokens += int((batch.tgt[:, 1:] != self.tokenizer.pad_id).sum())
        sources, answers = data.references(self.dev)
        outputs = translate_all(self.checkpoint(), sources, DecodeConfig(method="greedy"))
        return {"dev_loss": round(total / tokens, 4), **score(outputs, answers)}

    def checkpoint(self) -> Checkpoint:
        rules = own_rules(self.tokenizer)
        return Checkpoint(self.model, self.tokenizer, rules, self.out.name, None, str(self.out))

    def finish(self) -> None:
        """Average the last epochs' weights (section 6.1) and write the model."""
        first = max(1, self.epoch - self.config.average_last + 1)
        average(self.model, [self._epoch_file(e) for e in range(first, self.epoch + 1)])
        scores = self.validate()
        log.info("Average of epochs %d to %d: %s", first, self.epoch, scores)
        self.model.eval()
        card = self.card(scores)
        save(
            self.out / "model", self.model, self.out / "tokenizer.model", card, dtype=torch.float16
        )

    def card(self, scores: dict[str, float]) -> str:
        """What someone who finds the model should know of it."""
        return (
            f"# {self.out.name}: English to Chinese\n\nTrained by Headlight (`model/train.py`) on "
            f"{len(self.train):,} sentence pairs, {self.epoch} epochs. On {len(self.dev):,} pairs "
            f"of development, greedy: {scores}.\n\n"
            f"Settings: `{self.model.config}`, `{self.config}`.\n\n"
            "Add here where the sentences come from and under which license they are.\n"
        )

    def _epoch_file(self, epoch: int) -> Path:
        return self.out / "epochs" / f"{epoch:04}.safetensors"


def average(model: Transformer, files: Iterable[Path]) -> None:
    """Put the mean of the weights of several files into the model."""
    paths = list(files)
    sums: dict[str, Tensor] = {}
    for path in paths:
        for name, weight in load_file(path).items():
            sums[name] = sums[name] + weight if name in sums else weight
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            parameter.copy_(sums[name] / len(paths))


def prepare(corpus: Path, out: Path, config: TrainConfig) -> None:
    """Split the corpus and train the tokenizer; leaves what is there already as it is."""
    mark = out / "corpus.sha256"
    try:
        digest = hashlib.sha256(corpus.read_bytes()).hexdigest()
    except OSError as error:
        raise InputError(f"{corpus} cannot be read: {error}.") from None
    if mark.exists() and mark.read_text() != digest:
        raise ConfigError(f"{out} was begun with another corpus. Use that one, or another --out.")
    if (out / "tokenizer.model").exists():
        return
    parts = data.split(data.read_pairs(corpus), config.dev_share, config.test_share)
    if not parts.train or not parts.dev:
        raise ConfigError(
            f"{corpus} gives {len(parts.train)} pairs for training and {len(parts.dev)} for "
            "development; use a larger corpus or another --dev-share."
        )
    mark.write_text(digest)
    (out / "data").mkdir(parents=True, exist_ok=True)
    for name, pairs in (("train", parts.train), ("dev", parts.dev), ("test", parts.test)):
        lines = (f"{english}\t{chinese}\n" for english, chinese in pairs)
        (out / "data" / f"{name}.tsv").write_text("".join(lines), "utf-8")
        log.info("%s: %d pairs", name, len(pairs))
    data.train_tokenizer(parts.train, config.vocab_size, out / "tokenizer.model")


def check_same(out: Path, *configs: Config) -> None:
    """Write the settings beside the run; refuse to go on with others than it began with."""
    for config in configs:
        path = out / f"{type(config).__name__}.json"
        if path.exists() and path.read_text() != config.to_json():
            raise ConfigError(
                f"{out} was begun with other settings ({path.name}). Use those, or another --out."
            )
        path.write_text(config.to_json())


def parse(arguments: list[str] | None) -> tuple[argparse.Namespace, ModelConfig, TrainConfig]:
    """The command line: one flag for each field of ModelConfig and TrainConfig."""
    parser = argparse.ArgumentParser(description="Train a Transformer on a file of sentence pairs.")
    parser.add_argument(
        "--data", type=Path, required=True, help="English <tab> Chinese, a pair a line"
    )
    parser.add_argument(
        "--out", type=Path, required=True, help="folder of the run; resumes if it exists"
    )
    hidden = {
        "pad_id",
        "start_id",
        "end_id",
        "output_bias",
    }  # follow from the tokenizer and the loss
    seen: set[str] = set()
    for config_type in (TrainConfig, ModelConfig):
        for field in dataclasses.fields(config_type):
            if field.name not in hidden | seen:
                seen.add(field.name)
                kind = {"int": int, "float": float}.get(str(field.type), str)
                flag = "--" + field.name.replace("_", "-")
                default = None if field.default is dataclasses.MISSING else field.default
                parser.add_argument(flag, type=kind, default=default, help=f"{default}")
    args = parser.parse_args(arguments)
    given = vars(args)

    def pick(config_type: type[Config]) -> dict[str, Any]:
        return {f.name: given[f.name] for f in dataclasses.fields(config_type) if f.name in given}

    return args, ModelConfig.from_dict(pick(ModelConfig)), TrainConfig.from_dict(pick(TrainConfig))


def main(arguments: list[str] | None = None) -> int:
    """Run the command; 0, or 2 with a sentence on standard error."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", stream=sys.stderr)
    try:
        args, model_config, config = parse(arguments)
        if "RANK" in os.environ:
            dist.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
        if not dist.is_initialized() or dist.get_rank() == 0:
            args.out.mkdir(parents=True, exist_ok=True)
            prepare(args.data, args.out, config)
            check_same(args.out, config, model_config)
        if dist.is_initialized():
            dist.barrier()
        Training(args.out, model_config, config).run()
    except HeadlightError as error:
        print(error, file=sys.stderr)
        return 2
    finally:
        if dist.is_initialized():
            dist.destroy_process_group()
    return 0


if __name__ == "__main__":
    sys.exit(main())
