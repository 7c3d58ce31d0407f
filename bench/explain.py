"""The time of one explanation, alone and against `transformers` on the same weights."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import torch

from model.config import DecodeConfig
from model.device import GPUS, agrees
from model.explain import Explainer
from model.labs.ablation import all_heads, occlusion, rank_heads
from tests.tiny import write_marian

SENTENCE = "I am a student."
LONG = "The old man who lives next door told me that he had never seen such a beautiful garden."
REPEATS = 25


def times(*runs: Callable[[], object]) -> list[list[float]]:
    """Milliseconds of each, run alternately, so that other load affects all of them equally."""
    for run in runs:
        run()
    times: list[list[float]] = [[] for _ in runs]
    for _ in range(REPEATS):
        for run, found in zip(runs, times, strict=True):
            started = time.perf_counter()
            run()
            found.append((time.perf_counter() - started) * 1e3)
    return times


def _text(found: list[float]) -> str:
    return f"median {statistics.median(found):.1f} ms, worst {max(found):.1f} ms"


def explain_anew(explainer: Explainer, text: str, config: DecodeConfig) -> Callable[[], object]:
    def run() -> object:
        explainer.forget()
        return explainer.explain(text, config)

    return run


def measure() -> Iterator[tuple[str, str]]:
    """Measure the shipped model alone; then ours against `generate`, same weights and settings."""
    shipped = Explainer.load(None, device="cpu")
    for text in (SENTENCE, LONG):
        tokens = len(shipped.read(text))
        (found,) = times(explain_anew(shipped, text, DecodeConfig()))
        yield f"shipped model, beam 4, {tokens} source tokens, all records", _text(found)
    explanation = shipped.explain(LONG)
    ranked, occluded = times(
        lambda: rank_heads(shipped, explanation), lambda: occlusion(shipped, explanation)
    )
    yield f"  all {len(all_heads(shipped.model.config))} heads ranked, one batch", _text(ranked)
    yield "  each source token taken out, one batch", _text(occluded)
    yield from on_gpus(shipped)
    yield from against_transformers()


def on_gpus(cpu: Explainer) -> Iterator[tuple[str, str]]:
    """The same sentences on every GPU there is, each in turn with the CPU."""
    for name in (name for name, is_there in GPUS.items() if is_there()):
        yield f"{name} gives the CPU's numbers", str(agrees(name))
        gpu = Explainer.load(None, device=name)
        for text in (SENTENCE, LONG):
            runs = [explain_anew(one, text, DecodeConfig()) for one in (cpu, gpu)]
            for device, found in zip(("cpu", name), times(*runs), strict=True):
                yield f"  {len(cpu.read(text))} source tokens, all records, {device}", _text(found)


def against_transformers() -> Iterator[tuple[str, str]]:
    """The same random Marian model in both, with beams, attentions and scores."""
    import transformers

    sizes = {"d_model": 256, "encoder_attention_heads": 8, "decoder_attention_heads": 8}
    widths = {"encoder_ffn_dim": 1024, "decoder_ffn_dim": 1024, "encoder_layers": 3}
    with tempfile.TemporaryDirectory() as name:
        folder = write_marian(Path(name) / "m", **sizes, **widths, max_position_embeddings=128)
        peer = transformers.MarianMTModel.from_pretrained(
            folder, attn_implementation="eager"
        ).eval()
        ours = Explainer.load(folder, device="cpu")
    src = torch.tensor(ours.read(SENTENCE).ids[None])

    @torch.inference_mode()
    def generate() -> object:
        return peer.generate(
            src,
            num_beams=4,
            num_return_sequences=4,
            max_new_tokens=24,
            output_attentions=True,
            output_scores=True,
            return_dict_in_generate=True,
        )

    theirs, own = times(generate, explain_anew(ours, SENTENCE, DecodeConfig(max_length=24)))
    ratio = statistics.median(theirs) / statistics.median(own)
    yield "random Marian 3+3 layers, d_model 256, up to 24 tokens: transformers", _text(theirs)
    yield "  ours, with search, trace and all records", _text(own)
    yield "  times as fast", f"{ratio:.2f}"
