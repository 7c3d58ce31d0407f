"""Starts app.py with the products of matrices that the tests' own model has: see `browsing`.

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
from model.linear import ROWS, Choice, Product, Shape

APP = Path(__file__).parents[1] / "app.py"


def plain_layouts(products: list[Product]) -> dict[Shape, Choice]:
    """In place of what would be measured."""
    return {product.shape: dict.fromkeys(ROWS, "plain") for product in products}


if __name__ == "__main__":
    linear.fastest_layouts = plain_layouts
    runpy.run_path(str(APP), run_name="__main__")
