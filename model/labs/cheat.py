"""A decoder that cheats: its self-attention is trained further without the causal mask.

    python -m model.labs.cheat --data FILE.tsv --out cheat.safetensors

The shipped model was trained with the mask, so simply removing it only confuses the model. This
command shows the purpose of the mask: it removes the mask and trains only the decoder's
self-attention on sentence pairs. Each position can now read the word that it should write, and
learns to copy it: the loss falls far below that of any honest translation, and the decoder learns
nothing about translating. It saves the trained matrices, one byte per weight
(`model/checkpoint/snapshots.py`).
"""

from __future__ import annotations

import copy
import logging
import random
import sys
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from weakref import WeakKeyDictionary

import numpy as np
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn import functional as F

from model import cli
from model.checkpoint import SHIPPED, Checkpoint, load, snapshots
from model.config import Interventions
from model.errors import CheckpointError, ConfigError, InputError, reason
from model.explain import Explainer
from model.files import check_file, replacing
from model.text.tokenizer import Tokenizer
from model.training import corpus, data, precision
from model.transformer import Transformer

log = logging.getLogger(__name__)

UNMASKED = Interventions(causal_mask=False)
CHEAT = "cheat.safetensors"  # beside its model
_made: WeakKeyDictionary[Explainer, Explainer] = WeakKeyDictionary()
_lock = threading.Lock()

BATCH_TOKENS = 1_500
WARMUP = 100


def is_trained(name: str) -> bool:
    """True if a weight of the model belongs to the decoder's self-attention."""
    return name.startswith("decoder.") and ".self_attention." in name


def has_cheat(explainer: Explainer) -> bool:
    """True if a cheating decoder is stored beside the model."""
    return explainer.folder is not None and (explainer.folder / CHEAT).exists()


def cheater(explainer: Explainer) -> Explainer:
    """The explainer with its cheating decoder, cached.

    Raises:
        InputError: the model has no such decoder.
        CheckpointError: its file is damaged.
    """
    if explainer.folder is None or not has_cheat(explainer):
        raise InputError(
            "A decoder that sees the answer copies it. Only the English-to-Chinese model comes "
            f"with one trained that way; {explainer.name} has none.",
            key="no_cheat", name=explainer.name,
        )  # fmt: skip
    with _lock:
        if explainer not in _made:
            other = cheating(explainer.model, explainer.folder / CHEAT)
            _made[explainer] = explainer.with_model(other)
        return _made[explainer]


def cheating(model: Transformer, path: Path) -> Transformer:
    """A copy of the model with the stored self-attention in its decoder, in eval mode.

    Raises:
        CheckpointError: the file is missing or damaged, or belongs to another model.
    """
    try:
        kept = snapshots.restored(load_file(path))
    except Exception as error:
        raise CheckpointError(
            f"The cheating decoder {path.name} cannot be read: {reason(error)}"
        ) from None
    mine = {name: w.shape for name, w in model.state_dict().items() if is_trained(name)}
    if {name: w.shape for name, w in kept.items()} != mine:
        raise CheckpointError(f"The cheating decoder {path.name} belongs to another model.")
    other = copy.deepcopy(model)
    other.load_state_dict(kept, strict=False)
    return other.eval().requires_grad_(False)


def batches(
    pairs: list[corpus.Pair], tokenizer: Tokenizer, seed: int
) -> Iterator[tuple[Tensor, Tensor]]:
    """Endless batches src (B, S), tgt (B, T + 1); all targets in a batch have the same length.

    Without a mask, padding would be read, so no target is padded.
    """
    rng = random.Random(seed)  # noqa: S311 - training noise, not secrets
    by_length: dict[int, list[tuple[list[int], list[int]]]] = {}
    for source, target in pairs:
        src = tokenizer.encode_source(source).ids.tolist()
        tgt = tokenizer.encode_target(target).ids.tolist()
        by_length.setdefault(len(tgt), []).append((src, tgt))
    lengths = list(by_length)
    shares = [len(by_length[length]) * (length + 1) for length in lengths]
    while True:
        length = rng.choices(lengths, shares)[0]
        group = by_length[length]
        rows = rng.sample(group, min(len(group), max(1, BATCH_TOKENS // (length + 1))))
        src = data.pad([row[0] for row in rows], tokenizer.pad_id)
        tgt = np.array([[tokenizer.start_id, *row[1], tokenizer.end_id] for row in rows])
        yield torch.from_numpy(src), torch.from_numpy(tgt)


def rate_share(update: int, updates: int) -> float:
    """The share of the peak rate at update 1, 2, ...: rising to 1 in the warm-up, then falling.

    A run of fewer than 10 * WARMUP updates has a shorter warm-up, a tenth of it.
    """
    warmup = max(1, min(WARMUP, updates // 10))
    return min(update / warmup, (updates - update + 1) / max(1, updates - warmup))


def train(
    loaded: Checkpoint, pairs: list[corpus.Pair], updates: int, peak: float, seed: int
) -> None:
    """Train the decoder's self-attention of a loaded model, in place.

    Raises:
        ConfigError: fewer updates than one.
    """
    if updates < 1:
        raise ConfigError(f"updates is {updates}; expected 1 or more.")
    model = loaded.model.requires_grad_(False)
    chosen = [p for name, p in model.named_parameters() if is_trained(name)]
    for parameter in chosen:
        parameter.requires_grad_(True)
    optimizer = torch.optim.AdamW(chosen, lr=peak, betas=(0.9, 0.98), weight_decay=0.0)
    device = chosen[0].device
    dtype = precision.chosen("auto", device)
    stream = batches(pairs, loaded.tokenizer, seed)
    unmasked, mean = model.edits(UNMASKED), 0.0
    for update in range(1, updates + 1):
        rate = peak * rate_share(update, updates)
        for group in optimizer.param_groups:
            group["lr"] = rate
        src, tgt = next(stream)
        with torch.autocast(device.type, dtype, enabled=dtype != torch.float32):
            memory, src_mask, _ = model.encode(src)
            x, _, _ = model.decode(tgt[:, :-1], model.start(memory, src_mask), unmasked)
            logits = model.logits(x).float()
        loss = F.cross_entropy(logits.flatten(0, 1), tgt[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(chosen, 1.0)
        optimizer.step()
        mean = loss.item() if update == 1 else 0.98 * mean + 0.02 * loss.item()
        if update % 100 == 0:
            log.info("update %d of %d: loss %.3f a token", update, updates, mean)


@dataclass(frozen=True)
class Command:
    """Train the decoder's self-attention of a model without the causal mask."""

    data: tuple[Path, ...]  # files of source <tab> target
    out: Path  # the file to write
    model: str = str(SHIPPED)  # folder or Hub name; default: the shipped model
    updates: int = 1_000
    peak_lr: float = 1e-3
    seed: int = 1


def make(command: Command) -> None:
    """Train, and write the trained weights, one byte each."""
    check_file(command.out)
    pairs = [pair for file in command.data for pair in corpus.read_pairs(file)]
    loaded = load(command.model)
    train(loaded, pairs, command.updates, command.peak_lr, command.seed)
    state = loaded.model.state_dict()
    small = snapshots.rounded({name: w for name, w in state.items() if is_trained(name)})
    with replacing(command.out) as partial:
        save_file(small, partial)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return 0, or 2 after an error message on standard error."""
    return cli.run(Command, make, arguments, prog="model.labs.cheat")


if __name__ == "__main__":
    sys.exit(main())
