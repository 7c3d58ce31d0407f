"""Random vectors against numpy, what softmax makes of them against torch, and the view itself."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
import torch

from model.sampling import Mulberry32
from tests.stage import Node, Stage, unfold

Open = Callable[..., Stage]
MATHS = "explorer/exhibits/scaling/maths.js"


def normals(seed: int, count: int) -> np.ndarray:
    """Box and Muller's normal numbers from the model's own generator."""
    uniform = Mulberry32(seed).uniform
    found: list[float] = []
    while len(found) < count:
        radius, angle = math.sqrt(-2 * math.log(1 - uniform())), 2 * math.pi * uniform()
        found += [radius * math.cos(angle), radius * math.sin(angle)]
    return np.array(found[:count])


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


def test_the_averages_are_those_of_the_drawn_vectors(open_stage: Open) -> None:
    watched = open_stage("?view=scaling")
    page = watched.page
    unfold(page, "scaling", "numbers")
    page.wait_for_selector(".hl-scaling-table td", timeout=60_000)
    lines = page.locator(".hl-scaling-table tbody tr")
    rows = {
        name: [float(cell) for cell in lines.nth(i).locator("td").all_text_contents()[-2:]]
        for i, name in enumerate(("largest", "entropy", "gradient"))
    }
    numbers = normals(1, 50 * 9 * 512).reshape(50, 9, 512)[..., :64]
    dots = torch.tensor(np.einsum("qi,qki->qk", numbers[:, 0], numbers[:, 1:]))
    for i, divisor in enumerate((1.0, 8.0)):
        weights = (dots / divisor).softmax(-1)
        p = weights.amax(-1)
        assert rows["largest"][i] == pytest.approx(float(p.mean()), abs=1e-4)
        assert rows["gradient"][i] == pytest.approx(float((p * (1 - p)).mean()), abs=1e-4)
    lines = page.locator(".hl-scaling .hl-numbers table").nth(1).locator("tbody tr")
    whole = normals(1, 50 * 9 * 512).reshape(50, 9, 512)
    for line in lines.all():
        d, measured, after = map(float, line.locator("th, td").all_text_contents())
        part = whole[..., : int(d)]
        products = np.einsum("qi,qki->qk", part[:, 0], part[:, 1:])
        assert measured == pytest.approx(products.var(), abs=0.006)
        assert after == pytest.approx(products.var() / d, abs=0.006)
    raw, scaled = (100 * rows["largest"][i] for i in range(2))
    finding = page.inner_text(".hl-scaling .hl-finding")
    assert f"{raw:.1f} %" in finding and f"{scaled:.1f} %" in finding
    assert watched.errors == []
