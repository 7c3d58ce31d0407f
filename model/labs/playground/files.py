"""A finished run as the files of a checkpoint, for `python app.py --model FOLDER`. No torch."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import asdict
from itertools import islice
from typing import Any

import numpy as np

from model import hub
from model.labs.playground.presets import model_of
from model.labs.playground.settings import Settings
from model.text.alphabet import LETTERS_FORMAT, LetterTokenizer

EXAMPLES = 9  # example texts of the task, saved with the model


def name(settings: Settings) -> str:
    """The name of such a model: "reverse-seed3", or "reverse-t5-seed3" if it has T5's parts."""
    model = model_of(settings)
    kind = "" if model in ("", "paper") else f"{model}-"
    return f"{settings.task}-{kind}seed{settings.seed}"


def tokenizer(settings: Settings) -> LetterTokenizer:
    """The letters of the run's task, with examples drawn from its seed."""
    random = np.random.default_rng(settings.seed)
    sources = [source for source, _ in islice(settings.pairs(random), EXAMPLES)]
    return LetterTokenizer(settings.rule.letters(settings.alphabet), sources)


def archive(settings: Settings, weights: bytes, result: dict[str, Any]) -> bytes:
    """Zip a folder with the checkpoint. `result` is the run's result as a dictionary."""
    config = {"format": LETTERS_FORMAT, **settings.model_config().saved()}
    files: dict[str, str | bytes] = {
        hub.CONFIG: json.dumps(config, indent=2) + "\n",
        hub.WEIGHTS: weights,
        hub.LETTERS: tokenizer(settings).to_json(),
        "README.md": card(settings, result),
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as folder:
        for file, content in files.items():
            folder.writestr(f"{name(settings)}/{file}", content)
    return packed.getvalue()


def card(settings: Settings, result: dict[str, Any]) -> str:
    """The model card: what the model is, how it was trained, and its scores."""
    rows = "\n".join(f"| {key} | {value} |" for key, value in asdict(settings).items())
    cut = "\n\nThe run was cut off at its time limit." if result["stopped"] else ""
    return f"""# {name(settings)}: a model of letters, trained in Headlight's playground

Task: {settings.task}. {result["message"] or _score(result)}

{result["parameters"]:,} parameters, {result["updates"]} updates, seed {settings.seed}.{cut}

    python app.py --model {name(settings)}
    python -m model.checkpoint export --model {name(settings)} --out exported

The second command writes what `transformers` opens, if every part of the model exists there: a
Marian, a Pegasus, a BART or a T5.

Settings and seed give the same weights on the same kind of machine.

| setting | value |
|---|---|
{rows}
"""


_COUNTED = (
    ("whole outputs, written letter by letter (greedy)", "free_accuracy", "chance_accuracy"),
    ("tokens, the right output being read", "teacher_forced_accuracy", "chance_token_accuracy"),
)


def _score(result: dict[str, Any]) -> str:
    rows = "\n".join(
        f"| {what} | {result[share]:.1%} | {result[luck]:.1%} |" for what, share, luck in _COUNTED
    )
    return f"""Tested on {result["test_inputs"]} inputs that it never trained on:

| | right | best constant answer |
|---|---|---|
{rows}

Loss: {result["loss"]:.4f} nats a token."""
