"""The browser's engine (assets/engine) against Python, in Node: the shipped model on a list of
sentences, and tiny random models that use what the shipped one does not.

Each part has a twin: with another weight, another normalisation, another mask, another seed or
another penalty in the engine alone, the two must be told apart.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest
from safetensors.numpy import load_file, save_file

from model.checkpoint import SHIPPED
from model.config import ModelConfig
from model.explain import Explainer
from model.limits import MAX_CHARACTERS, MAX_SOURCE_TOKENS, MAX_TARGET_TOKENS
from model.passes import TOP
from tests import npm, tiny
from tests.odd import EVERY
from tests.parity.engine import METHODS, TOLERANCES, Engine, compare, compared, settings
from tests.tiers import each, some

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.slow

EVERYDAY = (Path(__file__).parents[2] / "docs" / "everyday.txt").read_text("utf-8").splitlines()
HARD = (
    "It’s\t “me” …",
    "é è ﷺ ẞ",
    "👩‍👩‍👧 café\u200b!",
    "\ufeffHello ▁ world",
    "<pad> </s>",
    " \u200b",
)
VARIANTS: dict[str, dict[str, Any]] = {
    "pre": {"norm": "pre", "activation": "swish", "output_bias": True, "decoder_heads": 4},
    "apart": {"sinusoids": "halves", "decoder_d_ff": 12, "tied": False},
    "learned": {
        "positions": "learned", "position_offset": 2, "embedding_norm": "sum",
        "activation": "gelu", "output_bias": True, "scale_embedding": False,
    },
    "pads": {
        "sinusoids": "fairseq", "position_offset": 2, "counts_padding": False, "norm": "pre",
        "activation": "gelu_new",
    },
    "apart norm": {
        "positions": "learned", "embedding_norm": "target_token", "activation": "tanh",
    },
    "t5": {**tiny.T5, "scale_output": True, "head_size": 6, "max_distance": 10,
           "distance_buckets": 8},
    "umt5": {**tiny.T5, **tiny.GATED, "tied": False, "distances_by_layer": True},
    "since": {
        **tiny.GATED, "norm_kind": "rms", "biases": False, "positions": "none", "head_size": 3,
        "activation": "swish",
    },
    "bare": {"sinusoids": "none", "causal_mask": False, "scaling": False, "residual": False},
}  # fmt: skip
CHANGES: list[dict[str, Any]] = [
    {"heads_off": [["cross", 1, 0], ["encoder_self", 0, 1]], "cross_off": [0]},
    {"causal_mask": False, "cells": [["decoder_self", 2, 1, False], ["cross", 1, 3, False]]},
    {"padding": 3, "padding_mask": False, "scaling": False},
    {"padding": 2, "positions": "shuffled", "position_seed": 5},
    {
        "positions": "shifted",
        "shift": 4,
        "sides": "target",
        "cells": [["encoder_self", 1, 0, False]],
    },
    {"positions": "none", "sides": "source"},
]
REFUSED: list[dict[str, Any]] = [
    {"text": " ​"},
    {"text": "a " * 200},
    {"interventions": {"heads_off": [["cross", 9, 0]]}},
    {"interventions": {"cells": [["cross", 0, 90, False]]}},
    {"prefix": [2, 5]},
    {"prefix": [0]},
    {"node": [90, 0]},
    {"shown": 15},
]


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine() as running:
        yield running


def request(text: str = "Tom asked his teacher.", **fields: Any) -> dict[str, Any]:
    return {"text": text, "settings": METHODS["beam 4"], "interventions": {}, **fields}


def check(
    engine: Engine,
    explainer: Explainer,
    requests: list[dict[str, Any]],
    ties: int = 0,
    rounding: int = 1,
) -> None:
    found = list(compared(engine, explainer, requests))
    assert [(asked, one.unequal) for asked, one in found if one.unequal] == []
    assert sum(one.tie for _, one in found) <= ties
    for asked, one in found:
        # Scores that are not divided are larger, and so is what rounding does to the softmax.
        factor = rounding if asked["interventions"].get("scaling", True) else 10 * rounding
        off = {n: v for n, v in one.largest.items() if v > factor * TOLERANCES[n]}
        assert off == {}, asked


@pytest.mark.long
def test_the_shipped_model_on_odd_inputs(engine: Engine, explainer: Explainer) -> None:
    check(engine, explainer, [request(text) for text in EVERY], ties=1)


@pytest.mark.long
def test_the_shipped_model_on_sentences_and_methods(engine: Engine, explainer: Explainer) -> None:
    requests = [request(text) for text in (*some(EVERYDAY[:4], 1), *some(HARD, 2))]
    methods = some([m for name, m in METHODS.items() if name != "beam 4"], 4)
    requests += [request("Do you like ethnic food?", settings=one) for one in methods]
    check(engine, explainer, requests, ties=1)


@pytest.mark.long
def test_interventions_prefixes_and_nodes(engine: Engine, explainer: Explainer) -> None:
    requests = [request("I ❤️ the small red bird.", interventions=change) for change in CHANGES]
    index = explainer.tokenizer.pieces.index
    halves = [index(f"<0x{byte}>") for byte in ("F0", "9F", "C3", "E5")]
    requests += [
        request(node=[3, 2]),
        request(shown=2),
        request(begin="我们", prefix=[20]),
        request(prefix=[index(one) for one in ("<0xE2>", "<0x80>", "<0x9E>", "我们", '"')]),  # „
        request(settings=settings(no_repeat=1)),
        # Characters of two, three and four bytes, after bytes that are parts of none.
        request(settings=settings(method="sampling", seed=4), begin="他ß𝄞ㄅ🙂", prefix=halves),
        *(request(**fields) for fields in REFUSED),
    ]
    check(engine, explainer, requests, ties=1)


def test_what_is_copied_letter_by_letter_is_cut_alike(engine: Engine, explainer: Explainer) -> None:
    """Names that the model has not learnt, files and codes; not those that it has."""
    texts = ("Ask Okonkwo in Finland for report.pdf.", "On Mondays YouTube is at gate B12.")
    short = settings(method="greedy", max_length=2)
    check(engine, explainer, [request(text, settings=short) for text in texts])


@pytest.mark.long
def test_bytes_that_form_no_character_are_forbidden_alike(
    engine: Engine, explainer: Explainer
) -> None:
    half = explainer.tokenizer.pieces.index("<0xE6>")
    requests = [
        request("I live in 東京.", settings=settings(method="greedy")),
        request("привет 𝄞", settings=settings(beam_size=2)),
        request("한국어", settings=settings(method="sampling", seed=3, max_length=5)),
        request(prefix=[half], settings=settings(beam_size=2, max_length=4)),
    ]
    check(engine, explainer, requests, ties=1)
    answers = engine.answers(explainer, requests)
    texts = [one["text"] for answer in answers for one in answer["payload"]["hypotheses"]]
    assert [text for text in texts if "\ufffd" in text] == []
    rules = {row[4] for one in answers for row in one["payload"]["search"].get("forbidden", [])}
    assert rules == {"bytes"}


def test_numbers_of_the_source_stay_whole_alike(engine: Engine) -> None:
    explainer = Explainer.load("zh-en", device="cpu")
    greedy = settings(method="greedy")
    texts = ("营业时间：周一至周五9:00-17:00 ; 1. 洗手。", "5. 关灯。", "我有 3.5 公斤。")
    requests = [request(text, settings=greedy) for text in texts]
    check(engine, explainer, requests, ties=1)
    answers = [one["payload"] for one in engine.answers(explainer, requests)]
    rules = [{row[4] for row in one["search"].get("forbidden", [])} for one in answers]
    assert rules == [{"numbers"}, {"numbers"}, set()]
    assert "9:00-17:00" in answers[0]["hypotheses"][0]["text"]


@each("name", list(VARIANTS), 5)
def test_models_of_other_shapes(engine: Engine, tmp_path: Path, name: str) -> None:
    """A pair of tokenizers (headlight-3), float32 weights, and what the config allows."""
    folder = tiny.write_own(tmp_path / name, paired=True, **VARIANTS[name])
    # Unscaled scores and products of units multiply rounding, most where nothing holds them.
    if name in ("t5", "umt5", "since", "bare"):
        weights = load_file(folder / "model.safetensors")
        smaller = {n: w * (0.5 if w.ndim == 2 else 1) for n, w in weights.items()}
        save_file(smaller, folder / "model.safetensors")
    explainer = Explainer.load(folder, device="cpu")
    change: dict[str, Any] = {"heads_off": [["cross", 0, 1]], "padding": 1}
    texts = ("Ünknown 字 🐱", "Ask Okonkwo for a_1.txt today!", "It is raining today!")
    # Without positions and a mask all beams are alike, and which comes first is rounding's.
    how = {"settings": METHODS["greedy" if name == "bare" else "beam 4"]}
    requests = [request(**how), request(interventions=change, **how)]
    requests += [request(text, **how) for text in texts]
    # With random weights many tokens are as likely; the norm makes token vectors large.
    rounding = 10 if name == "apart norm" else 1
    check(engine, explainer, requests, ties=3, rounding=rounding)


SEEDS = [request(settings=settings(method="sampling", seed=n, temperature=1.3)) for n in (0, 1)]
TWINS: dict[str, dict[str, Any]] = {
    "tokens": request("Tom asked her teacher."),
    "search": request(settings=settings(beam_size=3)),
    "penalty": request(settings=settings(length_penalty=0.9)),
    "edits": request(interventions={"heads_off": [["cross", 0, 0]]}),
    "scaling": request(interventions={"scaling": False}),
    "positions": request(interventions={"positions": "shifted", "shift": 1}),
    "mask": request(interventions={"cells": [["cross", 0, 0, False]]}),
    "prefix": request(prefix=[20]),
    "node": request(node=[2, 1]),
}


def differs(explainer: Explainer, asked: dict[str, Any], answer: dict[str, Any]) -> bool:
    found = compare(explainer, asked, answer)
    return bool(found.unequal) or any(v > TOLERANCES[n] for n, v in found.largest.items())


@pytest.mark.long
def test_what_the_engine_was_asked_otherwise_is_told_apart(engine: Engine, tmp_path: Path) -> None:
    """With the smallest model: what tells is the comparison."""
    explainer = Explainer.load(tiny.write_own(tmp_path / "tiny", paired=True), device="cpu")
    answers = engine.answers(explainer, [request(), *TWINS.values(), SEEDS[1]])
    answered = dict(zip(("same", *TWINS, "seed"), answers, strict=True))
    asked = dict.fromkeys(answered, request()) | {"seed": SEEDS[0]}
    missed = [name for name in answered if not differs(explainer, asked[name], answered[name])]
    assert missed == ["same"]


def test_another_weight_is_told_apart(engine: Engine, explainer: Explainer, tmp_path: Path) -> None:
    """One number of seven million, changed by 0.5."""
    folder = tmp_path / "other"
    shutil.copytree(SHIPPED, folder, ignore=shutil.ignore_patterns("snapshots"))
    weights = load_file(folder / "model.safetensors")
    weights["decoder.1.cross_attention.value.weight"][7, 9] += 0.5
    save_file(weights, folder / "model.safetensors")
    (answer,) = engine.answers(Explainer.load(folder, device="cpu"), [request()])
    assert differs(explainer, request(), answer)


def test_the_hash_is_that_of_hashlib() -> None:
    """Also around the ends of blocks of 64 bytes."""
    texts = [bytes(range(256)) * 4] + [b"x" * n for n in (0, 1, 55, 56, 63, 64, 65, 119, 120)]
    engine = json.dumps(str(SHIPPED.parents[1] / "engine" / "weights.js"))
    script = (
        f"import {{ sha256 }} from {engine};"
        "const all = JSON.parse(process.argv[1]);"
        "console.log(JSON.stringify(all.map((one) => sha256(Uint8Array.from(one).buffer))))"
    )
    command = [npm.node(), "--input-type=module", "-e", script]
    given = json.dumps([list(text) for text in texts])
    done = subprocess.run([*command, given], capture_output=True, text=True)
    assert json.loads(done.stdout) == [hashlib.sha256(text).hexdigest() for text in texts]


def test_the_card_names_the_hash_of_the_weights() -> None:
    """Whoever fetched the weights can tell that they are those of the card."""
    found = hashlib.sha256((SHIPPED / "model.safetensors").read_bytes()).hexdigest()
    assert found in (SHIPPED / "README.md").read_text("utf-8")


def test_the_engine_has_the_options_that_python_has() -> None:
    """Its closed lists, and no other: an option of one alone would be refused, or never met."""
    engine = ROOT / "assets" / "engine"
    known = (engine / "network.js").read_text("utf-8").split("KNOWN = {")[1].split("};")[0]
    listed = {name: re.findall(r'"(\w+)"', values) for name, values in re.findall(
        r"^  (\w+): \[(.*)\]", known, re.MULTILINE)}  # fmt: skip
    own = (engine / "activations.js").read_text("utf-8").split("ACTIVATIONS = {")[1].split("};")[0]
    listed["activation"] = re.findall(r"^  (\w+)[:,]", own, re.MULTILINE)
    choices = {name: sorted(get_args(hint)) for name, hint in get_type_hints(ModelConfig).items()
               if get_origin(hint) is Literal}  # fmt: skip
    assert {name: sorted(values) for name, values in listed.items()} == choices


def test_the_engine_has_the_defaults_and_limits_of_python() -> None:
    """A config.json leaves out what has its default; the engine fills in the same."""
    script = (
        "import { Network } from './assets/engine/network.js';"
        "console.log(JSON.stringify(new Network({ positions: 'none' }, new Map()).config))"
    )
    command = [npm.node(), "--input-type=module", "-e", script]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True)
    own = json.loads(done.stdout)
    usual = ModelConfig(30, positions="none").__dict__
    assert own == {name: usual[name] for name in own} and len(own) > 20
    source = (ROOT / "assets" / "engine" / "engine.js").read_text("utf-8")
    limits = {n: int(x.replace("_", "")) for n, x in re.findall(r"const (\w+) = ([\d_]+);", source)}
    assert limits["MAX_CHARACTERS"] == MAX_CHARACTERS
    assert limits["MAX_TOKENS"] == MAX_SOURCE_TOKENS == MAX_TARGET_TOKENS
    assert limits["TOP"] == TOP
