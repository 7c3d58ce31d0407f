"""A random model of NLLB's shape beside `transformers`: 12 + 12 layers of 16 heads, 600 million
parameters, 256,206 pieces, a file of 1.2 GB in float16.

Memory at its peak while it loads, in a process of its own, and the time of a translation with four
beams and everything recorded: attentions and scores on their side.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch

from bench.harness import Row
from model.config import DecodeConfig
from model.explain import Explainer
from tests.foreign import write_nllb

PIECES = 256_206
TOKENS, BEAMS, ROUNDS = 20, 4, 3
TEXT = "The old man who lives next door gave my sister a beautiful red umbrella."
LOAD = r"""
import re, sys
from pathlib import Path
from model.explain import Explainer
def peak():
    return int(re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())[1]) * 1024 / 1e9
before = peak()
explainer = Explainer.load(sys.argv[1], device="cpu")
print(sum(p.numel() * p.element_size() for p in explainer.model.parameters()) / 1e9, before, peak())
"""


def measure() -> Iterator[Row]:
    """Measure loading and translating."""
    with tempfile.TemporaryDirectory() as place:
        folder = write(Path(place) / "nllb")
        command = [sys.executable, "-c", LOAD, str(folder)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        weights, before, peak = map(float, done.stdout.split())
        yield Row("weights in memory", [weights], "GB")
        yield Row("memory at its peak while loading, less Python and torch", [peak - before], "GB")
        yield Row("  of the weights", [(peak - before) / weights], "")
        yield translated(folder)


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


def translated(folder: Path) -> Row:
    """The seconds of both, in turn."""
    import transformers

    theirs = transformers.M2M100ForConditionalGeneration.from_pretrained(
        folder, attn_implementation="eager", dtype=torch.float32
    ).eval()
    ours = Explainer.load(folder, device="cpu")
    ids = torch.tensor(ours.read(TEXT).ids[None])
    config = DecodeConfig(method="beam", beam_size=BEAMS, max_length=TOKENS)
    seconds: dict[str, list[float]] = {"ours": [], "transformers": []}
    for _ in range(ROUNDS):
        ours.forget()
        seconds["ours"].append(_timed(lambda: ours.explain(TEXT, config)))
        seconds["transformers"].append(_timed(lambda: _generate(theirs, ids)))
    what = f"{TOKENS} tokens, {BEAMS} beams, everything recorded"
    return Row(what, seconds["ours"], "s", {"transformers": seconds["transformers"]})


@torch.inference_mode()
def _generate(model: Any, ids: torch.Tensor) -> None:
    model.generate(
        ids, num_beams=BEAMS, max_new_tokens=TOKENS, output_attentions=True, output_scores=True,
        return_dict_in_generate=True,
    )  # fmt: skip


def _timed(work: Any) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started
