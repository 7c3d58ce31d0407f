"""The time of one explanation with all its records, its size as a reply, and GPUs beside the CPU.

bench/engines.py compares it with `transformers` and CTranslate2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bench.harness import Row, in_turn
from explorer.exchange import payload
from explorer.exchange.reply import to_json
from model.config import DecodeConfig
from model.device import GPUS, agrees
from model.explain import Explainer
from model.labs.ablation import all_heads, occlusion, rank_heads

SENTENCE = "I am a student."
LONG = "The old man who lives next door told me that he had never seen such a beautiful garden."
REPEATS = 25


def explain_anew(explainer: Explainer, text: str, config: DecodeConfig) -> Callable[[], object]:
    def run() -> object:
        explainer.forget()
        return explainer.explain(text, config)

    return run


def measure() -> Iterator[Row]:
    """Measure the shipped model, alone and on every GPU there is."""
    shipped = Explainer.load(None, device="cpu")
    gpus = [name for name, is_there in GPUS.items() if is_there()]
    for name in gpus:
        yield Row(f"{name} gives the CPU's numbers", str(agrees(name)))
    on = {"cpu": shipped} | {name: Explainer.load(None, device=name) for name in gpus}
    for text in (SENTENCE, LONG):
        runs = {name: explain_anew(one, text, DecodeConfig()) for name, one in on.items()}
        times = in_turn(runs, REPEATS)
        tokens = len(shipped.read(text))
        yield Row(f"beam 4, {tokens} source tokens, all records", times.pop("cpu"), peers=times)
    explanation = shipped.explain(LONG)
    heads = len(all_heads(shipped.model.config))
    ablations = {
        f"  all {heads} heads ranked, one batch": lambda: rank_heads(shipped, explanation),
        "  each source token taken out, one batch": lambda: occlusion(shipped, explanation),
    }
    for what, times_of_it in in_turn(ablations, REPEATS).items():
        yield Row(what, times_of_it)
    built = payload.build(explanation, shipped)
    yield Row("  its reply", [len(to_json(built)) / 1e3], "kB")
    yield Row("  of that, all heads of three kinds", [len(to_json(built["attention"])) / 1e3], "kB")
