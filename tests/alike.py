"""Models whose numbers are the same in every process: `load`, and app.py started with it.

Each process measures anew which layouts are the fastest (model/linear.py). Two of them round
otherwise: sums of the same search differ by up to 1.5e-5. In one layout the numbers are the same,
as long as no sum is divided among threads; the tests' own model has one.
"""

from __future__ import annotations

import os
import runpy
from pathlib import Path

os.environ["OMP_NUM_THREADS"] = "1"  # read when torch is imported

from model import linear
from model.explain import Explainer
from model.linear import ROWS, Choice, Product, Shape

APP = Path(__file__).parents[1] / "app.py"


def plain_layouts(products: list[Product]) -> dict[Shape, Choice]:
    """In place of what would be measured."""
    return {product.shape: dict.fromkeys(ROWS, "plain") for product in products}


def load(folder: Path | None = None) -> Explainer:
    """A model in these layouts: the shipped one, or that of a folder."""
    measured = linear.fastest_layouts
    linear.fastest_layouts = plain_layouts
    try:
        return Explainer.load(folder, device="cpu")
    finally:
        linear.fastest_layouts = measured


if __name__ == "__main__":
    linear.fastest_layouts = plain_layouts
    runpy.run_path(str(APP), run_name="__main__")
