"""A finished run as an Explainer, with its tokenizer of letters and its rules."""

from __future__ import annotations

import safetensors.torch

from model.cache import ResultCache
from model.checkpoint import Checkpoint, own_rules
from model.checkpoint.weights import empty_model, fill
from model.explain import Explainer
from model.labs.playground.files import name, tokenizer
from model.labs.playground.settings import Settings
from model.text.alphabet import LETTERS_FORMAT

MAX_REMEMBERED = 8 * 2**20  # bytes of results; an explanation takes about 0.1 MB here


def explainer(settings: Settings, weights: bytes) -> Explainer:
    """Make an Explainer from a run's weights, on the CPU: the model is too small for a GPU."""
    model, letters = empty_model(settings.model_config()), tokenizer(settings)
    fill(model, safetensors.torch.load(weights))
    loaded = Checkpoint(
        model=model,
        tokenizer=letters,
        rules=own_rules(letters),
        name=name(settings),
        revision=None,
        source="trained in the playground",
        format=LETTERS_FORMAT,
    )
    return Explainer(loaded, "cpu", ResultCache(MAX_REMEMBERED))
