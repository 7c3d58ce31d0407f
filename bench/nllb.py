"""A random model of NLLB's shape beside `transformers`: 12 + 12 layers of 16 heads, 600 million
parameters, 256,206 pieces, a file of 1.2 GB in float16.

Memory at its peak while it loads, in a process of its own, and the processor time of a translation
with four beams and everything recorded (attentions and scores on their side), beside that of the
same matrix products alone, as each side stores its weights.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch
from torch import nn

from bench.harness import Row
from model.config import DecodeConfig
from model.explain import Explainer
from tests.foreign import write_nllb

PIECES = 256_206
TOKENS, BEAMS, ROUNDS = 20, 4, 3
# Products with the encoder's states, which are made once.
ONCE = (
    "cross_attention.key",
    "cross_attention.value",
    "encoder_attn.k_proj",
    "encoder_attn.v_proj",
)
TEXT = "The old man who lives next door gave my sister a beautiful red umbrella."
LOAD = r"""
import re, sys, threading
from pathlib import Path
from model.explain import Explainer
def now(*names):
    told = Path("/proc/self/status").read_text()
    return [int(re.search(rf"{name}:\s+(\d+)", told)[1]) * 1024 / 1e9 for name in names]
def watch():
    while not done.wait(0.005):
        peaks[:] = map(max, peaks, now("RssAnon", "RssFile"))
before, peaks, done = now("VmHWM", "RssAnon", "RssFile"), [0, 0], threading.Event()
watcher = threading.Thread(target=watch)
watcher.start()
explainer = Explainer.load(sys.argv[1], device="cpu")
done.set()
watcher.join()
print(sum(p.numel() * p.element_size() for p in explainer.model.parameters()) / 1e9)
print(*(after - first for after, first in zip((*now("VmHWM"), *peaks), before)))
"""


def measure() -> Iterator[Row]:
    """Measure loading and translating."""
    with tempfile.TemporaryDirectory() as place:
        folder = write(Path(place) / "nllb")
        command = [sys.executable, "-c", LOAD, str(folder)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        weights, peak, own, mapped = map(float, done.stdout.split())
        yield Row("weights in memory", [weights], "GB")
        yield Row("memory at its peak while loading, less Python and torch", [peak], "GB")
        yield Row("  of the weights", [peak / weights], "")
        yield Row("  its own (RssAnon), and that of files, at another moment", [own, mapped], "GB")
        yield from translated(folder)


def write(folder: Path) -> Path:
    """Write the model, in float16."""
    import transformers

    tokens = write_nllb(folder)
    config = transformers.M2M100Config(
        vocab_size=PIECES, d_model=1024, encoder_layers=12, decoder_layers=12,
        encoder_attention_heads=16, decoder_attention_heads=16, encoder_ffn_dim=4096,
        decoder_ffn_dim=4096, max_position_embeddings=1024, scale_embedding=True,
    )  # fmt: skip
    model = transformers.M2M100ForConditionalGeneration(config).half()
    model.generation_config.forced_bos_token_id = tokens.generation["forced_bos_token_id"]
    model.save_pretrained(folder)
    return folder


def translated(folder: Path) -> Iterator[Row]:
    """The seconds of both and of their products, in turn."""
    import transformers

    theirs = transformers.M2M100ForConditionalGeneration.from_pretrained(
        folder, attn_implementation="eager", dtype=torch.float32
    ).eval()
    ours = Explainer.load(folder, device="cpu")
    ids = torch.tensor(ours.read(TEXT).ids[None])
    config = DecodeConfig(method="beam", beam_size=BEAMS, max_length=TOKENS)
    own, network = ours.model, theirs.model
    runs: dict[str, Callable[[], object]] = {
        "ours": lambda: ours.explain(TEXT, config),
        "transformers": lambda: _generate(theirs, ids),
        "our products": lambda: _products(own.encoder, own.decoder, own.logits, ids.numel()),
        "their products": lambda: _products(
            network.encoder, network.decoder, theirs.lm_head, ids.numel()
        ),
    }
    seconds: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(ROUNDS):
        ours.forget()
        for name, run in runs.items():
            seconds[name].append(_timed(run))
    what = f"{TOKENS} tokens, {BEAMS} beams, everything recorded"
    yield Row(what, seconds.pop("ours"), "s", seconds)


@torch.inference_mode()
def _generate(model: Any, ids: torch.Tensor) -> None:
    model.generate(
        ids, num_beams=BEAMS, max_new_tokens=TOKENS, output_attentions=True, output_scores=True,
        return_dict_in_generate=True,
    )  # fmt: skip


@torch.inference_mode()
def _products(encoder: Any, decoder: Any, output: Callable[..., object], n_source: int) -> None:
    """The products of a search alone, each as often as it is needed."""

    def maps(stack: Any, once: bool) -> list[nn.Linear]:
        parts = stack.named_modules()
        return [p for n, p in parts if isinstance(p, nn.Linear) and n.endswith(ONCE) == once]

    for part in (*maps(encoder, False), *maps(decoder, True)):
        part(torch.ones(n_source, part.in_features))
    each = maps(decoder, False)
    for _ in range(TOKENS):
        for part in each:
            part(torch.ones(BEAMS, part.in_features))
        output(torch.ones(BEAMS, each[0].in_features))


def _timed(work: Any) -> float:
    """Seconds of the processor, which other work on the machine changes less."""
    started = time.process_time()
    work()
    return time.process_time() - started
