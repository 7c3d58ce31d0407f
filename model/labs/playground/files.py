"""A finished run as the files of a checkpoint, for `python app.py --model FOLDER`. No torch."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import asdict
from typing import Any

import numpy as np

from model import hub
from model.alphabet import LETTERS_FORMAT, LetterTokenizer
from model.labs.playground.settings import FRESH, Settings

EXAMPLES = 9  # texts of the task that go with the model


def name(settings: Settings) -> str:
    """What such a model is called: "reverse-seed3"."""
    return f"{settings.task}-seed{settings.seed}"


def tokenizer(settings: Settings) -> LetterTokenizer:
    """The letters of the run's task, with examples that are drawn from its seed."""
    random = np.random.default_rng(settings.seed)
    rule, length, alphabet = settings.rule, settings.length, settings.alphabet
    sources = [rule.draw(random, length, alphabet)[0] for _ in range(EXAMPLES)]
    return LetterTokenizer(rule.letters(alphabet), sources)


def archive(settings: Settings, weights: bytes, result: dict[str, Any]) -> bytes:
    """A zip of one folder with the checkpoint. `result` is that of the run, as a dictionary."""
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
    """What the model is, how it was trained, and what it can do."""
    rows = "\n".join(f"| {key} | {value} |" for key, value in asdict(settings).items())
    cut = "\n\nThe run was cut off at its time limit." if result["stopped"] else ""
    return f"""# {name(settings)}: a model of letters, trained in Headlight's playground

Task: {settings.task}. It writes {result["free_accuracy"]:.1%} of {FRESH} new examples without a
mistake (greedy, letter by letter). When it reads the right output, it gives the highest probability
to {result["teacher_forced_accuracy"]:.1%} of the letters. Loss: {result["loss"]:.4f} nats a token.
{result["parameters"]:,} parameters, {result["updates"]} updates, seed {settings.seed}.{cut}

    python app.py --model {name(settings)}

Settings and seed give the same weights on the same kind of machine.

| setting | value |
|---|---|
{rows}
"""
