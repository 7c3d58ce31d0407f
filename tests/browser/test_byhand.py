"""By hand on the page: small matrices against torch, drawn vectors against numpy, and the rest of
its group in the browser."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from playwright.sync_api import Browser, Page

from model.config import ModelConfig
from model.sampling import Mulberry32
from model.transformer import MultiHeadAttention, attention, causal_mask
from tests.browser.conftest import Watched
from tests.browser.test_scripts import files  # noqa: F401

pytestmark = pytest.mark.browser

Open = Callable[..., Watched]


def calculated(browser: Browser, address: str, module: str, script: str, argument: object) -> Any:
    page = browser.new_page()
    page.goto(f"{address}/assets/favicon.svg")
    found = page.evaluate(
        f"async ([from, given]) => {{ const maths = await import(from); {script} }}",
        [f"{address}/assets/exhibits/{module}.js", argument],
    )
    page.close()
    return found


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("scaling", [False, True])
def test_one_attention_is_the_models(
    browser: Browser,
    files: str,  # noqa: F811
    causal: bool,
    scaling: bool,
) -> None:
    rng = np.random.default_rng(4)
    q, k, v = rng.normal(size=(5, 3)), rng.normal(size=(5, 3)), rng.normal(size=(5, 2))
    script = """
        const [Q, K, V] = given.matrices.map(maths.matrix);
        const { weights, output } = maths.attend({ Q, K, V }, given);
        return [[...weights.cells], [...output.cells]];
    """
    given = {"matrices": [m.tolist() for m in (q, k, v)], "causal": causal, "scaling": scaling}
    weights, output = calculated(browser, files, "byhand_maths", script, given)
    mask = causal_mask(5) if causal else None
    own, seen = attention(*(torch.tensor(m) for m in (q, k, v)), mask, scaling)
    np.testing.assert_allclose(np.reshape(weights, (5, 5)), seen, atol=1e-12)
    np.testing.assert_allclose(np.reshape(output, (5, 2)), own, atol=1e-12)
    other, _ = attention(*(torch.tensor(m) for m in (q, k, v)), mask, not scaling)
    assert abs(np.reshape(output, (5, 2)) - other.numpy()).max() > 1e-3


def test_two_heads_are_the_models(browser: Browser, files: str) -> None:  # noqa: F811
    """Its MultiHeadAttention, with projections that change nothing."""
    rng = np.random.default_rng(5)
    q, k, v, o = (rng.normal(size=shape) for shape in ((3, 4), (5, 4), (5, 4), (4, 4)))
    script = """
        const [Q, K, V, O] = given.map(maths.matrix);
        const options = { causal: false, scaling: true };
        return [...maths.multiHead({ Q, K, V, O }, 2, options).output.cells];
    """
    found = calculated(browser, files, "byhand_maths", script, [m.tolist() for m in (q, k, v, o)])
    module = MultiHeadAttention(ModelConfig(vocab_size=5, d_model=4, n_heads=2)).double()
    with torch.no_grad():
        for linear in (module.query, module.key, module.value, module.output):
            linear.weight.copy_(torch.eye(4))
            linear.bias.zero_()
        module.output.weight.copy_(torch.tensor(o).T)
        keys, values = (module.split_heads(torch.tensor(m)[None]) for m in (k, v))
        expected, _ = module(torch.tensor(q)[None], keys, values, None)
    np.testing.assert_allclose(np.reshape(found, (3, 4)), expected[0], atol=1e-12)


def normals(seed: int, count: int) -> np.ndarray:
    """Box and Muller's normal numbers from the model's own generator."""
    uniform = Mulberry32(seed).uniform
    found: list[float] = []
    while len(found) < count:
        radius, angle = math.sqrt(-2 * math.log(1 - uniform())), 2 * math.pi * uniform()
        found += [radius * math.cos(angle), radius * math.sin(angle)]
    return np.array(found[:count])


def test_drawn_vectors_and_what_softmax_makes_of_them(browser: Browser, files: str) -> None:  # noqa: F811
    queries, keys, largest = 6, 8, 512
    script = """
        const products = maths.drawn(given.queries, given.seed);
        return Object.fromEntries(maths.SIZES.map((size) => [size, {
            products: [...products[size]], variance: maths.variance(products[size]),
            raw: maths.softened(products[size], 1),
            scaled: maths.softened(products[size], Math.sqrt(size)),
        }]));
    """
    found = calculated(browser, files, "scaling_maths", script, {"queries": queries, "seed": 9})
    numbers = normals(9, queries * (1 + keys) * largest).reshape(queries, 1 + keys, largest)
    for size in (1, 2, 64, 512):
        dots = np.einsum("qi,qki->qk", numbers[:, 0, :size], numbers[:, 1:, :size])
        shown = found[str(size)]
        np.testing.assert_allclose(np.reshape(shown["products"], dots.shape), dots, atol=1e-9)
        assert shown["variance"] == pytest.approx(np.var(dots), abs=1e-9)
        for name, divisor in (("raw", 1.0), ("scaled", math.sqrt(size))):
            weights = torch.tensor(dots / divisor).softmax(-1)
            p = weights.amax(-1)
            assert shown[name]["largest"] == pytest.approx(float(p.mean()))
            assert shown[name]["gradient"] == pytest.approx(float((p * (1 - p)).mean()))
            entropy = torch.special.entr(weights).sum(-1).mean()
            assert shown[name]["entropy"] == pytest.approx(float(entropy))
    assert found["512"]["variance"] / 512 == pytest.approx(1, abs=0.6)  # theory, few draws


def real(text: str) -> float:
    return float(text.replace("−", "-"))


def step(page: Page, name: str) -> list[float]:
    return [real(text) for text in page.locator(f"[data-step={name}] td").all_text_contents()]


def choose_preset(page: Page, name: str) -> None:
    page.wait_for_selector("#hl-byhand-preset input", timeout=60_000)
    page.check(f"#hl-byhand-preset input[value={name}]")
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 30)))")


def test_the_worked_examples_on_the_page(open_page: Open) -> None:
    watched = open_page("?view=byhand")
    page = watched.page
    choose_preset(page, "weights")
    assert step(page, "output") == [1, 2, 2.5, 3.5, 4, 5]
    choose_preset(page, "counting")
    weights = np.reshape(step(page, "weights"), (3, 4))
    np.testing.assert_allclose(weights, [[0, 0, 0, 1]] * 3, atol=1e-3)
    assert step(page, "scores")[-1] == 518 and step(page, "scaled")[-1] == 259
    assert watched.errors == []


def test_trying_what_the_lead_says(open_page: Open) -> None:
    """The lead: type other numbers, and click a result to see the sum that it comes from."""
    watched = open_page("?view=byhand")
    page = watched.page
    choose_preset(page, "weights")
    page.fill("[data-given=V] [data-row='1'][data-col='0']", "10")
    page.wait_for_function(
        "document.querySelector('[data-step=output] tr:nth-child(2)').textContent.startsWith('5.5')"
    )
    page.click("[data-step=output] [data-row='1'][data-col='0']")
    page.wait_for_selector("[data-step=output] [data-row='1'][data-col='0'][aria-pressed=true]")
    assert page.locator(".hl-byhand-sum").text_content() == "0.5·1 + 0.5·10 + 0·7 = 5.5"
    assert page.locator("[data-given=W] .hl-lit, [data-given=V] .hl-lit").count() == 6
    page.fill("[data-given=V] [data-row='1'][data-col='0']", "ten")
    assert (
        page.get_attribute("[data-given=V] [data-row='1'][data-col='0']", "aria-invalid") == "true"
    )
    assert step(page, "output")[2] == 5.5  # the last number that was one stays
    assert watched.errors == []


def test_a_mask_a_size_and_two_heads(open_page: Open) -> None:
    watched = open_page("?view=byhand")
    page = watched.page
    choose_preset(page, "self")
    assert page.locator("[data-step=masked]").count() == 0
    page.check("#hl-byhand-causal")
    page.wait_for_selector("[data-step=masked]")
    weights = np.reshape(step(page, "weights"), (3, 3))
    assert np.triu(weights, 1).max() == 0 and weights[0, 0] == 1
    page.click("[data-step=masked] [data-row='0'][data-col='2']")
    page.wait_for_selector("[data-step=masked] [aria-pressed=true]")
    assert "−∞" in (page.locator(".hl-byhand-sum").text_content() or "")
    choose_preset(page, "heads")
    assert page.locator("[data-step=weights]").count() == 2
    assert page.locator("[data-step=concat] td").count() == 12
    assert watched.errors == []


def test_the_rest_of_the_group_draws_and_answers(open_page: Open) -> None:
    watched = open_page("?view=cost")
    page = watched.page
    page.wait_for_selector("#hl-cost-seconds td", timeout=90_000)
    shown = page.locator("#hl-cost-seconds td").all_text_contents()
    assert len(shown) == 7 and all(float(text.split()[0]) > 0 for text in shown)
    counts = [
        int((page.locator(f"[data-part={part}] td").nth(1).text_content() or "").replace(",", ""))
        for part in ("attention", "projections", "feed_forward")
    ]
    n, d = 128, 256
    assert counts == [2 * n * n * d, 4 * n * d * d, 2 * n * d * 2 * d]

    page.click("#tab-library")
    page.wait_for_selector("#hl-library-sought input", timeout=60_000)
    page.check("#hl-library-sought input[value=read]")
    page.wait_for_function(
        "document.querySelector('#hl-library-things [data-name=book]').textContent.includes('87.5')"
    )

    page.click("#tab-scaling")
    page.wait_for_selector("#hl-scaling-table td", timeout=60_000)
    rows = {
        name: [
            float(c)
            for c in page.locator(f"#hl-scaling-table [data-row={name}] td").all_text_contents()
        ]
        for name in ("largest", "entropy", "gradient")
    }
    numbers = normals(1, 50 * 9 * 512).reshape(50, 9, 512)[..., :64]
    dots = torch.tensor(np.einsum("qi,qki->qk", numbers[:, 0], numbers[:, 1:]))
    for i, divisor in enumerate((1.0, 8.0)):
        weights = (dots / divisor).softmax(-1)
        p = weights.amax(-1)
        assert rows["largest"][i] == pytest.approx(float(p.mean()), abs=1e-4)
        assert rows["gradient"][i] == pytest.approx(float((p * (1 - p)).mean()), abs=1e-4)
    assert watched.errors == []
