"""The loop of training: epochs of updates, the files saved after each, and the final model."""

from __future__ import annotations

import logging
import math
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor, nn
from torch.nn.parallel import DistributedDataParallel
from tqdm import tqdm

from model.checkpoint import Checkpoint, own_rules, save, snapshots
from model.config import DecodeConfig, ModelConfig
from model.errors import TrainingError
from model.files import write_text
from model.text.tokenizer import Tokenizer
from model.training import corpus, data, precision, runs
from model.training.config import TrainConfig
from model.training.feed import Feed
from model.training.loss import Objective
from model.training.precision import Precision
from model.training.runs import Run
from model.training.scores import score
from model.transformer import Transformer
from model.translate import translate_all

log = logging.getLogger(__name__)

# Shares of all updates at which weights are saved; the end is the model itself.
SNAPSHOTS = (0.0, 0.01, 0.03, 0.1, 0.3, 0.6)
CHECKED = 50  # updates between two checks that the loss is finite
PROGRESS = ("epoch", "update", "done", "tokens", "seconds")  # columns of a run's curves


class Training:
    """The state of a run: everything that changes during training."""

    def __init__(
        self, run: Run, model_config: ModelConfig, config: TrainConfig,
        precision_asked: Precision = "auto", workers: int = 0, save_minutes: float = math.inf,
    ) -> None:  # fmt: skip
        self.files, self.config = run, config
        self.rank = dist.get_rank() if dist.is_initialized() else 0
        self.world = dist.get_world_size() if dist.is_initialized() else 1
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        if self.device.type == "cuda":
            torch.cuda.set_device(int(os.environ.get("LOCAL_RANK", "0")))
        self.tokenizer = Tokenizer.load(run.folder)
        self.dev = corpus.read_pairs(run.part("dev"))
        room = model_config.max_positions
        self.feed = Feed(run.folder, run.part("train"), config, room, workers)
        torch.manual_seed(config.seed)  # the same weights in every process
        self.model = Transformer(model_config).to(self.device)
        dtype = precision.chosen(precision_asked, self.device)
        self.objective = Objective(self.model, dtype)
        self.wrapped: nn.Module = self.objective
        if self.world > 1:
            # Its buffers are the sinusoids, the same everywhere: nothing to send.
            self.wrapped = DistributedDataParallel(self.objective, broadcast_buffers=False)
        self.optimizer = torch.optim.AdamW(
            parameter_groups(self.model, config.weight_decay, config.query_key_decay),
            betas=(0.9, 0.98), eps=1e-9, fused=True,
        )  # fmt: skip
        self.scaler = torch.amp.GradScaler(self.device.type, enabled=dtype == torch.float16)
        self.epoch = self.update = self.done = 0  # `done` counts the updates of this epoch
        self.total, self.tokens = torch.zeros((), device=self.device), 0  # their loss
        self.seconds, self.save_minutes = 0.0, save_minutes

    @property
    def is_main(self) -> bool:
        return self.rank == 0

    def run(self) -> None:
        """Train to the last epoch, then average and save."""
        self.resume()
        with self.feed:
            while self.epoch < self.config.epochs:
                loss = self.run_epoch()
                self.epoch += 1
                self.done = 0
                self.keep(loss)
            self.finish()

    def run_epoch(self) -> float:
        """Train one epoch on its share of the pairs and return the mean loss per token.

        Raises:
            TrainingError: the loss is no longer a finite number.
        """
        self.model.train()
        batches = self.feed.epoch(self.epoch)
        # It depends a little on the drawn segmentations; this epoch's number is used for all.
        planned = self.update - self.done + len(batches) * (self.config.epochs - self.epoch)
        if not self.done:
            self.total, self.tokens = torch.zeros((), device=self.device), 0
        bar = tqdm(
            batches[self.done :], f"epoch {self.epoch + 1}/{self.config.epochs}",
            len(batches), initial=self.done, disable=not self.is_main,
            unit="update", mininterval=5, file=sys.stderr,
        )  # fmt: skip
        saved = before = time.perf_counter()
        for batch in bar:
            if self.is_main:
                self.snapshot(planned)
            self.update += 1
            self.done += 1
            for group in self.optimizer.param_groups:
                group["lr"] = self.config.learning_rate(self.update, planned)
            n_tokens = int((batch.tgt[:, 1:] != self.tokenizer.pad_id).sum())
            self.total += self.step(batch, n_tokens)
            self.tokens += n_tokens
            if self.update % CHECKED == 0:
                self.check(self.total)
            now = time.perf_counter()
            self.seconds += now - before
            bar.set_postfix_str(f"{n_tokens / (now - before):,.0f} tokens/s", refresh=False)
            before = now
            if now - saved > 60 * self.save_minutes and self.is_main:
                self.check(self.total)
                self.save_state()
                saved = now
        return self.check(self.total) / self.tokens

    def step(self, batch: data.Batch, n_tokens: int) -> Tensor:
        """Make one update and return the summed loss of this process's rows."""
        # Dropout is seeded again at each update, differently in each process: a resumed run then
        # repeats the draws of an uninterrupted one.
        torch.manual_seed((self.config.seed * 1_000_003 + self.update) * 1_009 + self.rank)
        loss: Tensor = self.wrapped(*self.rows(batch), self.config.label_smoothing)
        # DistributedDataParallel takes the mean over processes; we need the sum.
        self.scaler.scale(loss * (self.world / n_tokens)).backward()
        self.scaler.unscale_(self.optimizer)
        nn.utils.clip_grad_norm_(self.model.parameters(), self.config.clip)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad()
        return loss.detach()

    def rows(self, batch: data.Batch) -> tuple[Tensor, Tensor]:
        """This process's rows of a batch: src (B, S), tgt (B, T + 1)."""
        mine = slice(self.rank, None, self.world)
        src, tgt = torch.from_numpy(batch.src[mine]), torch.from_numpy(batch.tgt[mine])
        return src.to(self.device), tgt.to(self.device)

    def check(self, total: Tensor) -> float:
        """The loss summed over all processes. All of them stop if it is not finite."""
        total = self.summed(total)
        if not total.isfinite():
            raise TrainingError(
                f"The loss became {total.item()} in epoch {self.epoch + 1}, before update "
                f"{self.update}. Go on from the last epoch with --precision float32, or begin "
                "another run with a lower --peak-lr or a longer --warmup."
            )
        return total.item()

    def summed(self, value: Tensor) -> Tensor:
        """The sum of a number over all processes."""
        value = value.clone()
        if self.world > 1:
            dist.all_reduce(value)
        return value

    # ------------------------------------------------------------------------ what is kept

    def snapshot(self, planned: int) -> None:
        """Save weights, a byte each, at fixed shares of the run, from random to trained."""
        for share in SNAPSHOTS:
            path = snapshots.path(self.files.folder, share)
            if self.update >= math.ceil(share * planned) and not path.exists():
                snapshots.save(path, self.model)

    def keep(self, loss: float) -> None:
        """Save an epoch's scores, weights for the average, line of the curves, and state."""
        scores = self.validate()
        if not self.is_main:
            return
        runs.save_weights(self.files.epoch(self.epoch), self.model)
        self.files.epoch(self.epoch - self.config.average_last).unlink(missing_ok=True)
        if scores["bleu"] >= max((x["bleu"] for x in self.files.read_curves()), default=0.0):
            runs.save_weights(self.files.best, self.model)
            self.save_model(f"epoch {self.epoch}", scores)
        line = {
            "epoch": self.epoch,
            "updates": self.update,
            "seconds": round(self.seconds, 1),
            "lr": self.optimizer.param_groups[0]["lr"],
            "train_loss": round(loss, 4),
            **scores,
        }
        self.files.add_to_curves(line)
        log.info("%s", line)
        self.save_state()

    def save_state(self) -> None:
        """Save everything needed to resume here."""
        self.files.save_state(
            {
                "model": self.model.state_dict(),
                "optimizer": self.optimizer.state_dict(),
                "scaler": self.scaler.state_dict(),
                "total": self.total,
                **{name: getattr(self, name) for name in PROGRESS},
            }
        )

    def resume(self) -> None:
        """Resume from the saved state, or start from given weights, if there are any."""
        state = self.files.load_state()
        if state is not None:
            self.model.load_state_dict(state["model"])
            self.optimizer.load_state_dict(state["optimizer"])
            self.scaler.load_state_dict(state.get("scaler", {}))
            self.total = state["total"].to(self.device)
            for name in PROGRESS:
                setattr(self, name, state[name])
        elif self.files.start.exists():
            runs.average(self.model, [self.files.start])
        if self.is_main:
            self.files.cut_curves(self.epoch)
        log.info("Going on after epoch %d and %d updates.", self.epoch, self.done)

    @torch.inference_mode()
    def validate(self) -> dict[str, float]:
        """Measure the loss per token without smoothing, and BLEU and chrF of greedy translations,
        on dev.

        The processes share the work, so that none waits for another longer than its own part takes.
        """
        self.model.eval()
        total, tokens = torch.zeros((), device=self.device), 0
        for batch in self.feed.plain(self.dev):
            total += self.objective(*self.rows(batch), 0.0)
            tokens += int((batch.tgt[:, 1:] != self.tokenizer.pad_id).sum())
        sources, answers = corpus.references(self.dev)
        step = max(1, len(sources) // self.config.dev_sentences)  # evenly from all of them
        sources, answers = sources[::step], answers[::step]
        outputs = self.translated(sources)
        dev_loss = round(self.summed(total).item() / tokens, 4)
        return {"dev_loss": dev_loss, **score(outputs, answers)}

    def translated(self, sources: Sequence[str]) -> list[str]:
        """Translate greedily: each process makes a share, and all processes get all of them."""
        rules = own_rules(self.tokenizer)
        folder = self.files.folder
        loaded = Checkpoint(self.model, self.tokenizer, rules, folder.name, None, str(folder))
        mine = translate_all(
            loaded, sources[self.rank :: self.world], DecodeConfig(method="greedy")
        )
        parts: list[Any] = [mine]
        if self.world > 1:
            parts = [None] * self.world
            dist.all_gather_object(parts, mine)
        outputs = [""] * len(sources)
        for rank, part in enumerate(parts):
            outputs[rank :: self.world] = part
        return outputs

    def finish(self) -> None:
        """Average the last epochs' weights (section 6.1), or take the best epoch's if better."""
        first = max(1, self.epoch - self.config.average_last + 1)
        self.put([self.files.epoch(e) for e in range(first, self.epoch + 1)])
        scores, taken = self.validate(), f"the average of epochs {first} to {self.epoch}"
        best = max(self.files.read_curves(), key=lambda line: line["bleu"])
        log.info("%s: %s; the best epoch: %s", taken, scores, best)
        if best["bleu"] > scores["bleu"] and self.files.best.exists():
            self.put([self.files.best])
            scores, taken = self.validate(), f"epoch {best['epoch']}"
        if self.is_main:
            self.save_model(taken, scores)

    def save_model(self, taken: str, scores: dict[str, float]) -> None:
        """Write the current model, ready to open; `taken` names the origin of the weights."""
        folder, card = self.files.model, self.card(taken, scores)
        folder.mkdir(exist_ok=True)
        write_text(folder / "training.json", self.config.to_json())
        save(folder, self.model, self.files.folder, card, dtype=torch.float16)

    def put(self, files: list[Path]) -> None:
        """Load the mean of the weights in some files into the model of every process."""
        if self.is_main:
            runs.average(self.model, files)
        if self.world > 1:
            for parameter in self.model.parameters():
                dist.broadcast(parameter.data, 0)

    def card(self, taken: str, scores: dict[str, float]) -> str:
        """The text of the model card."""
        return (
            f"# {self.files.folder.name}: a translation model\n\nTrained by Headlight "
            f"(`model/train.py`); the weights are {taken}. On the development part, greedy: "
            f"{scores}.\n\nSettings: `{self.model.config}`, `{self.config}`.\n\n"
            "Add here where the sentences come from and under which license they are.\n"
        )


def parameter_groups(
    model: Transformer, weight_decay: float, query_key_decay: float = 0.0
) -> list[dict[str, Any]]:
    """Decay for the matrices of the maps; none for norms, biases, embeddings and distances.

    `query_key_decay` is added for queries and keys, their biases too: a query's bias affects every
    key's score alike for all queries, and large scores leave each query a single key.
    """
    groups: dict[float, list[nn.Parameter]] = {}
    tables = ("embedding.", "encoder_distances.", "decoder_distances.")
    for name, parameter in model.named_parameters():
        is_map = parameter.ndim > 1 and not name.startswith(tables)
        decay = weight_decay if is_map else 0.0
        if ".query." in name or ".key." in name:
            decay += query_key_decay
        groups.setdefault(decay, []).append(parameter)
    order = sorted(groups, reverse=True)
    return [{"params": groups[decay], "weight_decay": decay} for decay in order]
