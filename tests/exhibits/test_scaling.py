"""Random vectors against numpy, what softmax makes of them against torch."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from tests.exhibits.values import normals
from tests.stage import Node

MATHS = "explorer/exhibits/scaling/maths.js"


def test_random_vectors_and_what_softmax_makes_of_them(node: Node) -> None:
    queries, keys, largest = 6, 8, 512
    script = """
        const products = maths.drawn(given.queries, given.seed);
        return Object.fromEntries(maths.SIZES.map((size) => [size, {
            products: [...products[size]], variance: maths.variance(products[size]),
            bins: maths.histogram(products[size], 2 * Math.sqrt(size), 7),
            raw: maths.softened(products[size], 1),
            scaled: maths.softened(products[size], Math.sqrt(size)),
        }]));
    """
    found = node.run(
        f"async (given) => {{ const maths = await module('{MATHS}'); {script} }}",
        {"queries": queries, "seed": 9},
    )
    numbers = normals(9, queries * (1 + keys) * largest).reshape(queries, 1 + keys, largest)
    for size in (1, 2, 64, 512):
        dots = np.einsum("qi,qki->qk", numbers[:, 0, :size], numbers[:, 1:, :size])
        shown = found[str(size)]
        np.testing.assert_allclose(np.reshape(shown["products"], dots.shape), dots, atol=1e-9)
        end = 2 * math.sqrt(size)
        inside = dots.clip(-end, end)
        assert shown["bins"] == np.histogram(inside, bins=7, range=(-end, end))[0].tolist()
        assert shown["variance"] == pytest.approx(np.var(dots), abs=1e-9)
        for name, divisor in (("raw", 1.0), ("scaled", math.sqrt(size))):
            weights = torch.tensor(dots / divisor).softmax(-1)
            p = weights.amax(-1)
            assert shown[name]["largest"] == pytest.approx(float(p.mean()))
            assert shown[name]["gradient"] == pytest.approx(float((p * (1 - p)).mean()))
            entropy = torch.special.entr(weights).sum(-1).mean()
            assert shown[name]["entropy"] == pytest.approx(float(entropy))
    assert found["512"]["variance"] / 512 == pytest.approx(1, abs=0.6)  # theory, few draws
