"""Headlight for programs and notebooks; docs/research.md shows what can be asked.

import headlight
e = headlight.Explainer.load("en-zh").explain("I am a student.")
e.save("x.npz"); headlight.load("x.npz")
"""

from importlib.metadata import PackageNotFoundError, version

from explorer.notebook import View, show
from model.checkpoint.archive import load
from model.config import DecodeConfig, Interventions
from model.errors import HeadlightError
from model.explain import Explainer
from model.labs import (
    ablation,
    alignment,
    contribution,
    gradients,
    lens,
    looks,
    patch,
    removal,
    scoreboard,
    why,
)
from model.trace import (
    AttentionMaps,
    Explanation,
    Hypothesis,
    Search,
    SearchStep,
    Tokens,
    Trace,
)

__all__ = [
    "AttentionMaps", "DecodeConfig", "Explainer", "Explanation", "HeadlightError", "Hypothesis",
    "Interventions", "Search", "SearchStep", "Tokens", "Trace", "View", "ablation", "alignment",
    "contribution", "gradients", "lens", "load", "looks", "patch", "removal", "scoreboard", "show",
    "why",
]  # fmt: skip

try:
    __version__ = version("headlight")
except PackageNotFoundError:  # the repository, not installed
    __version__ = "repository"
