"""By hand on the page: small matrices against torch, drawn vectors against numpy, and the rest of
its group in the browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from model.config import ModelConfig
from model.transformer import MultiHeadAttention, attention, causal_mask
from tests.stage import Node, Stage, unfold

Open = Callable[..., Stage]


def calculated(node: Node, name: str, script: str, argument: object) -> Any:
    """What a script gives with `maths`, a module of a view."""
    return node.run(
        f"async ([name, given]) => {{ const maths = await module(name); {script} }}",
        [f"explorer/exhibits/{name}.js", argument],
    )


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("scaling", [False, True])
def test_one_attention_is_the_models(
    node: Node,
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
    weights, output = calculated(node, "byhand/maths", script, given)
    mask = causal_mask(5) if causal else None
    own, seen = attention(*(torch.tensor(m) for m in (q, k, v)), mask, scaling)
    np.testing.assert_allclose(np.reshape(weights, (5, 5)), seen, atol=1e-12)
    np.testing.assert_allclose(np.reshape(output, (5, 2)), own, atol=1e-12)
    other, _ = attention(*(torch.tensor(m) for m in (q, k, v)), mask, not scaling)
    assert abs(np.reshape(output, (5, 2)) - other.numpy()).max() > 1e-3


def test_two_heads_are_the_models(node: Node) -> None:
    """Its MultiHeadAttention, with projections that change nothing."""
    rng = np.random.default_rng(5)
    q, k, v, o = (rng.normal(size=shape) for shape in ((3, 4), (5, 4), (5, 4), (4, 4)))
    script = """
        const [Q, K, V, O] = given.map(maths.matrix);
        const options = { causal: false, scaling: true };
        return [...maths.multiHead({ Q, K, V, O }, 2, options).output.cells];
    """
    found = calculated(node, "byhand/maths", script, [m.tolist() for m in (q, k, v, o)])
    module = MultiHeadAttention(ModelConfig(vocab_size=5, d_model=4, n_heads=2), "cross").double()
    with torch.no_grad():
        for linear in (module.query, module.key, module.value, module.output):
            linear.weight.copy_(torch.eye(4))
            linear.bias.zero_()
        module.output.weight.copy_(torch.tensor(o).T)
        queries, keys, values = (module.split_heads(torch.tensor(m)[None]) for m in (q, k, v))
        expected, _ = module(queries, keys, values, None)
    np.testing.assert_allclose(np.reshape(found, (3, 4)), expected[0], atol=1e-12)


def real(text: str) -> float:
    return float(text.replace("−", "-"))


def step(page: Stage, name: str) -> list[float]:
    return [real(text) for text in page.locator(f"[data-step={name}] td").all_text_contents()]


def choose_preset(page: Stage, name: str) -> None:
    page.wait_for_selector(".hl-byhand .hl-field-preset select", timeout=60_000)
    page.select_option(".hl-byhand .hl-field-preset select", name)


def test_the_worked_examples_on_the_page(open_stage: Open) -> None:
    watched = open_stage("?view=byhand")
    page = watched.page
    choose_preset(page, "weights")
    assert step(page, "output") == [1, 2, 2.5, 3.5, 4, 5]
    choose_preset(page, "counting")
    weights = np.reshape(step(page, "weights"), (3, 4))
    np.testing.assert_allclose(weights, [[0, 0, 0, 1]] * 3, atol=1e-3)
    assert step(page, "scores")[-1] == 518 and step(page, "scaled")[-1] == 259
    assert watched.errors == []


def test_trying_what_the_lead_says(open_stage: Open) -> None:
    """The lead: type other numbers, and click a result to see the sum that it comes from."""
    watched = open_stage("?view=byhand")
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
    page.wait_for_selector("[data-given=V] [data-row='1'][data-col='0'][aria-invalid=true]")
    assert step(page, "output")[2] == 5.5  # the last number that was one stays
    assert watched.errors == []


def test_a_slider_moved_to_its_least_and_back_keeps_what_was_typed(open_stage: Open) -> None:
    watched = open_stage("?view=byhand")
    page = watched.page
    choose_preset(page, "weights")
    page.fill("[data-given=V] [data-row='2'][data-col='1']", "80")
    unfold(page, "byhand", "adjust")
    for value in (1, 3):
        page.locator(".hl-byhand-keys input[type=range]").fill(str(value))
        page.wait_for_function(
            "(n) => document.querySelectorAll('[data-given=V] tr').length === n", arg=value
        )
    assert page.input_value("[data-given=V] [data-row='2'][data-col='1']") == "80"
    assert watched.errors == []


def test_links_of_before_open_their_example(open_stage: Open) -> None:
    """Numbers typed into the example that was the first one say which it was."""
    given = '{"W":[[1,0],[0,1]],"V":[[2,3],[4,5]]}'
    page = open_stage(f"?view=byhand&byhand.given={given}").page
    page.wait_for_selector("[data-step=output] td", timeout=60_000)
    assert step(page, "output") == [2, 3, 4, 5]
    finding = page.inner_text(".hl-byhand .hl-finding")
    assert finding == "Query 2 takes 100 % of its output from value 2."
    page.select_option(".hl-field-preset select", "self")
    page.wait_for_function("document.querySelector('[data-given=Q]') !== null")
    page.click("[data-step=output] [data-row='2'][data-col='0']")
    page.wait_for_function(
        "document.querySelector('.hl-byhand .hl-finding').textContent.startsWith('Query 3 takes')"
    )


def test_a_mask_a_size_and_two_heads(open_stage: Open) -> None:
    watched = open_stage("?view=byhand")
    page = watched.page
    choose_preset(page, "self")
    assert page.locator("[data-step=masked]").count() == 0
    page.check(".hl-field-causal input")
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
