"""Our engine, which records everything, against `transformers` and CTranslate2, same weights.

Random weights at two sizes, without an end token before the last step, so that every engine writes
the same number of tokens. One sentence: ours is a whole explanation (search, candidates, trace,
every head); `transformers` returns attentions and scores; CTranslate2 returns only the translation.
Several sentences: only translations.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import torch

from bench.harness import Row, in_turn

SIZES = {
    "256, 4+4 layers, 8,000 tokens": (256, 4, 8_000),
    "512, 6+6 layers, 65,000 tokens": (512, 6, 65_000),
}
LENGTHS, SENTENCES = (5, 20, 60), (1, 8, 32)
BEAMS, REPEATS = 4, 7
SECONDS = 8.0  # seconds for the runs of one row; a slow machine repeats less
WORDS = ("I", "am", "a", "small", "frog", "and", "live", "here", "with", "cat", "old", "house")
NEVER = -1e4  # bias added to the end token's logit
Run = Callable[[], object]


def write(folder: Path, d_model: int, layers: int, vocabulary: int) -> Path:
    """Write a random Marian checkpoint with that many tokens, which never ends by itself."""
    import transformers

    from tests.tiny import write_marian_tokenizer

    write_marian_tokenizer(folder)
    pieces = json.loads((folder / "vocab.json").read_text("utf-8"))
    del pieces["<pad>"]
    pieces |= {f"<more{i}>": i for i in range(len(pieces), vocabulary - 1)}
    pieces["<pad>"] = vocabulary - 1
    (folder / "vocab.json").write_text(json.dumps(pieces), "utf-8")
    names = [str(folder / name) for name in ("source.spm", "target.spm", "vocab.json")]
    transformers.MarianTokenizer(*names).save_pretrained(folder)
    stacks = {"layers": layers, "attention_heads": 8, "ffn_dim": 4 * d_model}
    config = transformers.MarianConfig(
        vocab_size=vocabulary, d_model=d_model, max_position_embeddings=256,
        pad_token_id=vocabulary - 1, decoder_start_token_id=vocabulary - 1, eos_token_id=0,
        forced_eos_token_id=0, scale_embedding=True, activation_function="swish",
        **{f"{side}_{name}": n for side in ("encoder", "decoder") for name, n in stacks.items()},
    )  # fmt: skip
    torch.manual_seed(1)
    model = transformers.MarianMTModel(config)
    model.final_logits_bias[0, 0] = NEVER
    model.save_pretrained(folder)
    return folder


def text_of(tokens: int, read: Callable[[str], object]) -> str:
    """A sentence of that many source tokens, including the end."""
    text = ""
    for i in range(10 * tokens):
        longer = f"{text} {WORDS[i % len(WORDS)]}".strip()
        if len(read(longer)) > tokens:  # type: ignore[arg-type]
            break
        text = longer
    return text


def ours(folder: Path, tokens: int, count: int) -> Run:
    """An explanation with all its records; several sentences: their translations."""
    from model import checkpoint
    from model.config import DecodeConfig
    from model.explain import Explainer
    from model.translate import translate_all

    explainer = Explainer.load(folder, device="cpu")
    text = text_of(tokens, explainer.read)
    config = DecodeConfig(beam_size=BEAMS, max_length=tokens)

    def one() -> object:
        explainer.forget()
        return explainer.explain(text, config)

    loaded = checkpoint.load(folder)
    return one if count == 1 else lambda: translate_all(loaded, [text] * count, config)


def theirs(folder: Path, tokens: int, count: int) -> Run:
    """`transformers`, which keeps attentions and scores of one sentence."""
    import transformers

    model = transformers.MarianMTModel.from_pretrained(folder, attn_implementation="eager").eval()
    names = transformers.MarianTokenizer.from_pretrained(folder)
    text = text_of(tokens, lambda text: names(text).input_ids)
    src = torch.tensor([names(text).input_ids] * count)
    keep = count == 1

    def run() -> object:
        with torch.inference_mode():
            return model.generate(
                src, num_beams=BEAMS, num_return_sequences=BEAMS if keep else 1,
                max_new_tokens=tokens, min_new_tokens=tokens, output_attentions=keep,
                output_scores=keep, return_dict_in_generate=True,
            )  # fmt: skip

    return run


def ctranslate2(folder: Path, tokens: int, count: int, threads: int) -> Run:
    """CTranslate2 in float32, with that many threads."""
    import ctranslate2
    import transformers

    out = folder.parent / f"{folder.name}-ct2"
    if not out.exists():
        ctranslate2.converters.TransformersConverter(str(folder)).convert(str(out))
    engine = ctranslate2.Translator(
        str(out), device="cpu", compute_type="float32", intra_threads=threads
    )
    names = transformers.MarianTokenizer.from_pretrained(folder)
    text = text_of(tokens, lambda text: names(text).input_ids)
    source = names.convert_ids_to_tokens(names(text).input_ids)
    return lambda: engine.translate_batch(
        [source] * count, beam_size=BEAMS, max_decoding_length=tokens, min_decoding_length=tokens
    )


def measure() -> Iterator[Row]:
    """Both sizes, three lengths, three numbers of sentences; then the memory of each engine."""
    cores = torch.get_num_threads()
    yield Row("cores, for several sentences; one sentence has one thread", str(cores))
    with tempfile.TemporaryDirectory() as room:
        for i, (size, numbers) in enumerate(SIZES.items()):
            folder = write(Path(room) / f"m{i}", *numbers)
            for count in SENTENCES:
                for tokens in LENGTHS:
                    what = f"{size}; {count} x {tokens} tokens"
                    yield Row(what, *_beside(folder, tokens, count, cores))
            for engine in ("ours", "theirs", "ctranslate2"):
                yield Row(f"{size}; most memory of {engine}", [_memory(engine, folder)], "MB")


def _beside(
    folder: Path, tokens: int, count: int, cores: int
) -> tuple[list[float], str, dict[str, list[float]]]:
    """Ours in milliseconds, and the others."""
    runs = {
        "ours": ours(folder, tokens, count),
        "transformers": theirs(folder, tokens, count),
        "CTranslate2, 1 thread": ctranslate2(folder, tokens, count, 1),
    }
    torch.set_num_threads(1 if count == 1 else cores)  # ours spreads several sentences as well
    times = in_turn(runs, REPEATS, SECONDS)
    # Alone: its threads spin for a while after each run and would take cores from the others.
    alone = {f"CTranslate2, {cores} threads": ctranslate2(folder, tokens, count, cores)}
    times |= in_turn(alone, REPEATS, SECONDS)
    return times.pop("ours"), "ms", times


def _memory(engine: str, folder: Path) -> int:
    """The peak memory of a separate process in MB, including Python and torch, for 1 x 20."""
    more = ", 1" if engine == "ctranslate2" else ""
    program = (
        "from pathlib import Path; from bench import engines; "
        f"engines.{engine}(Path({str(folder)!r}), 20, 1{more})(); "
        "print(Path('/proc/self/status').read_text().split('VmHWM:')[1].split()[0])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return int(done.stdout.split()[-1]) // 1024
