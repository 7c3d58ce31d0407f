"""Training: `python -m model.train --data FILE.tsv --out DIR`.

`model/training/runs.py` lists the contents of DIR afterwards; `DIR/model` is the averaged model,
ready for `app.py --model`. To resume an interrupted run, even on a different machine:

    python -m model.train --out DIR

Several GPUs or processes: `torchrun --nproc-per-node 2 -m model.train ...`; each process takes its
share of the rows of every batch, so the updates are those of a single process.
"""

from __future__ import annotations

import dataclasses
import itertools
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, cast

import torch
import torch.distributed as dist

from model import checkpoint, cli
from model.config import Activation, ModelConfig, NormKind, Positions
from model.files import check_folder
from model.text.tokenizer import Tokenizer
from model.training import growth, runs
from model.training.config import TrainConfig
from model.training.loop import Training
from model.training.precision import Precision
from model.training.presets import PRESETS, PresetName
from model.training.runs import Run


@dataclass(frozen=True)
class Shape:
    """The fields of `ModelConfig` that you choose; the others follow from the tokenizer."""

    d_model: int = ModelConfig.d_model  # size of a token's vector
    n_heads: int = ModelConfig.n_heads  # heads of each attention; d_model / n_heads numbers each
    d_ff: int = ModelConfig.d_ff  # inner size of the feed-forward sub-layers
    n_encoder_layers: int = ModelConfig.n_encoder_layers
    n_decoder_layers: int = ModelConfig.n_decoder_layers
    dropout: float = ModelConfig.dropout  # share of numbers set to zero in training
    attention_dropout: float = ModelConfig.attention_dropout  # the same, of attention weights
    norm: Literal["post", "pre"] = "post"  # the paper: post
    norm_kind: NormKind = ModelConfig.norm_kind  # the paper: layer; T5: rms
    norm_eps: float = ModelConfig.norm_eps  # added to a norm's variance; T5: 1e-6
    activation: Activation = ModelConfig.activation  # the paper: relu
    gated: bool = ModelConfig.gated  # the paper: False; T5 1.1: True
    biases: bool = ModelConfig.biases  # the paper: True; T5: False
    scaling: bool = ModelConfig.scaling  # the paper: True; T5: False
    tied: bool = ModelConfig.tied  # the paper: True; T5 1.1: False
    sinusoids: Literal["interleaved", "halves"] = "interleaved"  # the paper: interleaved
    positions: Positions = (
        ModelConfig.positions
    )  # the paper: sinusoids; BART: learned; T5: relative
    embedding_norm: Literal["none", "sum"] = "none"  # the paper: none; BART: sum
    scale_embedding: bool = ModelConfig.scale_embedding  # the paper: True; BART, T5: False
    output_bias: bool = ModelConfig.output_bias  # the paper: False; BART: True
    scale_output: bool = ModelConfig.scale_output  # the paper: False; T5, if tied: True
    head_size: int = ModelConfig.head_size  # numbers of a head; 0, the paper: d_model / n_heads
    max_positions: int = ModelConfig.max_positions  # largest number of tokens in a sentence


def shape_of(config: ModelConfig) -> Shape:
    """These settings of an existing model."""
    names = (f.name for f in dataclasses.fields(Shape))
    return Shape(**{name: getattr(config, name) for name in names})


@dataclass(frozen=True)
class Command:
    """Train a Transformer on files of sentence pairs, in any two languages."""

    out: Path  # folder of the run; a run already in it resumes with its settings
    data: tuple[Path, ...] = ()  # files of source <tab> target [<tab> domain]; only for a new run
    # the parts of the paper's model, of BART or of T5; further flags change single ones
    preset: PresetName | None = None
    start_from: Path | None = None  # a model: start with its weights, pieces and shape
    grow_d_ff: int = 0  # of that model: widen its feed-forward layers to this; 0 keeps them
    respell: bool = False  # of that model: new pieces, each the mean of those that spelled it
    swap_sides: bool = False  # of that model: its pieces, for the other direction (with turned)
    fresh_first_attention: bool = False  # of that model: reset the self-attention of layer 1
    precision: Precision = "auto"  # of the matrix products; auto: the fastest measured here
    workers: int = 1  # processes that prepare the next epochs meanwhile; 0 for none
    save_minutes: float = 10.0  # between two saves of the state within an epoch
    training: TrainConfig = field(default_factory=TrainConfig)
    shape: Shape = field(default_factory=Shape)


def train(command: Command) -> None:
    """Begin a run, or resume it."""
    check_folder(command.out)
    config, run = command.training, Run(command.out)
    shape, first = command.shape, None
    if command.start_from is not None:
        first = checkpoint.load(command.start_from)
        if command.grow_d_ff:
            wider = growth.widened(first.model, command.grow_d_ff)
            first = dataclasses.replace(first, model=wider)
        if command.fresh_first_attention:
            growth.with_fresh_first_attention(first.model)
        noise = {name: getattr(shape, name) for name in ("dropout", "attention_dropout")}
        shape = dataclasses.replace(shape_of(first.model.config), **noise)
        if not command.respell:
            config = dataclasses.replace(config, vocab_size=first.model.config.vocab_size)
    model_config = ModelConfig(vocab_size=config.vocab_size, **dataclasses.asdict(shape))
    if "RANK" in os.environ:
        dist.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
    try:
        if not dist.is_initialized() or dist.get_rank() == 0:
            given = None if command.respell else first
            runs.prepare(command.data, run, config, given, swap_sides=command.swap_sides)
            config, model_config = fitted(run, config, model_config)
            if first is not None and command.respell and not run.start.exists():
                pieces = Tokenizer.load(run.folder)
                runs.save_weights(run.start, growth.respelled(first.model, first.tokenizer, pieces))
            run.keep_settings(config, model_config)
        if dist.is_initialized():
            dist.barrier()
            config, model_config = fitted(run, config, model_config)
        Training(
            run, model_config, config, command.precision, command.workers, command.save_minutes
        ).run()
    finally:
        if dist.is_initialized():
            dist.destroy_process_group()


def fitted(
    run: Run, config: TrainConfig, model_config: ModelConfig
) -> tuple[TrainConfig, ModelConfig]:
    """The settings with the size of the run's vocabulary, where its corpus chose that."""
    if config.vocab_size != TrainConfig.vocab_size:
        return config, model_config
    size = len(Tokenizer.load(run.folder))
    return (
        dataclasses.replace(config, vocab_size=size),
        dataclasses.replace(model_config, vocab_size=size),
    )


def begun(arguments: Sequence[str]) -> Command | None:
    """What the flags change: the settings of the run in the folder after --out, or a preset's."""
    flags = [part for argument in arguments for part in argument.split("=", 1)]
    given = dict(itertools.pairwise(flags))
    if "--out" not in given:
        return None
    out = Path(given["--out"])
    config, model_config = (Run(out).settings(t) for t in (TrainConfig, ModelConfig))
    parts = PRESETS.get(cast("PresetName", given.get("--preset")), {})
    if isinstance(config, TrainConfig) and isinstance(model_config, ModelConfig):
        shape = dataclasses.replace(shape_of(model_config), **parts)
        return Command(out, training=config, shape=shape)
    return Command(out, shape=Shape(**parts)) if parts else None


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return 0, or 2 after an error message on standard error."""
    given = sys.argv[1:] if arguments is None else arguments
    return cli.run(Command, train, given, prog="model.train", default=lambda: begun(given))


if __name__ == "__main__":
    sys.exit(main())
