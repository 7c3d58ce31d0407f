"""The residual stream on the page, against the model's own modules."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from explorer.words import WORDS
from model.config import DecodeConfig, Stack
from model.explain import Explainer
from model.labs.dissect import sub_layers
from model.trace import Trace
from tests.examples import first as found
from tests.stage import Stage, desk_of
from tests.tiny import SINCE, write_own

Open = Callable[..., Stage]
TEXT = "The dog bit the man."


@pytest.fixture(scope="module")
def trace(explainer: Explainer) -> Trace:
    return explainer.explain(TEXT, DecodeConfig()).trace


def numbers(text: str) -> list[float]:
    return [
        float(x.replace("−", "-").replace(",", "")) for x in re.findall(r"[−-]?[\d.,]+\d", text)
    ]


def state_vectors(explainer: Explainer, trace: Trace, at: int) -> dict[str, np.ndarray]:
    """Layer 1 of the encoder at one position, by torch alone: entering, added, after."""
    layer = explainer.model.encoder[0]
    x = torch.tensor(trace.encoder_states[0])
    n, d = x.shape
    attention, heads = layer.self_attention, explainer.model.config.n_heads
    parts = [
        F.linear(x, m.weight, m.bias).view(n, heads, d // heads).transpose(0, 1)
        for m in (attention.query, attention.key, attention.value)
    ]
    context = F.scaled_dot_product_attention(*parts).transpose(0, 1).reshape(n, d)
    added = F.linear(context, attention.output.weight, attention.output.bias)
    norm = layer.self_attention_residual.norm
    after = F.layer_norm(x + added, (d,), norm.weight, norm.bias)
    return {k: v[at].numpy() for k, v in (("before", x), ("adds", added), ("after", after))}


def opened(open_stage: Open, query: str = "") -> Stage:
    page = open_stage(f"?text=The+dog+bit+the+man.&view=stream&layer=1&src=2{query}")
    for fold in ("numbers", "reading"):
        page.unfold("stream", fold)
    page.wait_for_selector(".hl-stream-lengths tbody tr")
    return page


def cells(page: Stage, table: str, row: int) -> list[str]:
    found = page.locator(f".{table} tbody tr").nth(row).locator("th, td")
    return [text.replace("−", "-") for text in found.all_text_contents()]


def test_lengths_along_the_stack(open_stage: Open, explainer: Explainer, trace: Trace) -> None:
    page = opened(open_stage)
    true = state_vectors(explainer, trace, 1)
    total = true["before"] + true["adds"]
    vectors = [true["before"], true["adds"], total, true["after"]]
    expected = [float(np.linalg.norm(vector)) for vector in vectors]
    assert [float(x) for x in cells(page, "hl-stream-lengths", 0)[2:]] == pytest.approx(
        expected, abs=0.006
    )
    drawn = page.locator(".hl-stream-vector > g text", has_text="|x|").all_text_contents()
    assert [numbers(text)[0] for text in drawn[:4]] == pytest.approx(expected, abs=0.006)
    assert page.locator(".hl-bands-column").count() == 6
    page.click(".hl-bands-column >> nth=0")
    said = page.inner_text("#panel-stream .hl-numbers section:has(.hl-stream-norm) .hl-note")
    assert numbers(said)[:2] == pytest.approx([total.mean(), total.var()], abs=6e-4)
    formula = page.locator(".hl-stream-formula").text_content() or ""
    assert numbers(formula.split("The model has")[1])[0] == pytest.approx(
        true["after"][0], abs=6e-5
    )
    assert page.errors == []


@pytest.mark.parametrize(("stack", "side"), [("encoder", "src"), ("decoder", "step")])
def test_what_adds_most_is_told_of_every_token(
    open_stage: Open, explainer: Explainer, stack: Stack, side: str
) -> None:
    """In layer 2 neither the length alone nor the share of the sum names the same sub-layer."""

    def measured(text: str) -> tuple[list[str], list[np.ndarray]]:
        trace = explainer.explain(text, DecodeConfig()).trace
        parts = list(sub_layers(explainer.model, trace, stack, 1))
        lengths = [
            np.stack([np.linalg.norm(getattr(part, name), axis=-1) for part in parts])
            for name in ("output", "before", "total")
        ]
        return [part.name for part in parts], lengths

    def tells_apart(text: str) -> bool:
        _, (adds, before, total) = measured(text)
        most = (adds / before).argmax(0)
        return bool((most != (adds / total).argmax(0)).any() and (most != adds.argmax(0)).any())

    text = found("the three ways of measuring name other sub-layers", tells_apart)
    page = open_stage(f"?text={quote(text)}&view=stream&stream.stack={stack}&layer=2")
    names, (adds, before, _) = measured(text)
    most = (adds / before).argmax(0)
    for at, part in enumerate(most):
        page.evaluate(f"headlight.page.choose({{ {side}: {at} }})")
        said = page.text_content("#panel-stream [data-part=finding]") or ""
        name = WORDS[f"stream.name.{names[part]}"].en
        times = adds[part, at] / before[part, at]
        assert name in said and f"adds {times:.2f} times the size" in said, (at, said)


def test_one_dimension_is_followed_through_the_layer(
    open_stage: Open, explainer: Explainer, trace: Trace
) -> None:
    page = opened(open_stage, "&stream.dim=40")
    true = state_vectors(explainer, trace, 1)
    shown = page.locator(".hl-stream-value").all_text_contents()
    first = [numbers(text)[0] for text in shown[:4]]
    total = true["before"] + true["adds"]
    wanted = [true["before"][40], true["adds"][40], total[40], true["after"][40]]
    assert first == pytest.approx(wanted, abs=0.006)
    page.fill(".hl-field-dim input[type=range]", "1")
    page.wait_for_selector(".hl-stream-norm tbody tr:nth-child(1).hl-chosen")
    assert numbers(page.locator(".hl-stream-value").first.text_content() or "")[0] == pytest.approx(
        true["before"][0], abs=0.006
    )


def test_both_norms_are_those_of_torch(
    open_stage: Open, explainer: Explainer, trace: Trace
) -> None:
    """How far a token's BatchNorm output moves when it is alone: without others it is 0."""
    page = opened(open_stage, "&stream.show=norms&stream.part=0")
    totals = [state_vectors(explainer, trace, at) for at in range(len(trace.src))]
    table = torch.tensor(np.stack([one["before"] + one["adds"] for one in totals]))
    eps = explainer.model.encoder[0].self_attention_residual.norm.eps
    batch = F.batch_norm(table, None, None, training=True, eps=eps)
    wanted = WORDS["stream.finding.same"].en.format(
        token="“dog”", columns=f"{float(batch[1].abs().max()):.2f}"
    )
    assert page.text_content("#panel-stream [data-part=finding]") == wanted


def test_epsilon_is_the_models(open_stage: Open, explainer: Explainer) -> None:
    page = opened(open_stage)
    formula = page.locator(".hl-stream-formula").text_content() or ""
    eps = explainer.model.encoder[0].self_attention_residual.norm.eps
    assert float(formula.split("variance + ")[1].split(")")[0]) == eps


@pytest.mark.parametrize("name", SINCE)
def test_an_rmsnorm_and_gated_units_are_told(open_stage: Open, tmp_path: Path, name: str) -> None:
    """The formula gives the model's own number, and units that are products are called so."""
    explainer = Explainer.load(write_own(tmp_path / "m", 5, **SINCE[name]), device="cpu")
    page = open_stage("?view=stream&text=I+am+a+small+frog.", desk=desk_of(explainer))
    page.unfold("stream")
    shown = page.locator("#panel-stream").inner_text()
    assert "RMSNorm at layer" in shown and "No mean is subtracted" in shown
    assert ("is a product" in shown) == explainer.model.config.gated
    assert re.search(r"the two differ by at most \S+\s×\s10⁻[⁶⁷⁸⁹]", shown), shown
    assert page.errors == []


@pytest.mark.parametrize(
    ("name", "stack", "part"),
    [
        ("T5", "encoder", 0),
        ("T5", "decoder", 2),
        ("T5 1.1", "encoder", 1),
        ("RMSNorm after, gated", "encoder", 0),
        ("RMSNorm after, gated", "decoder", 1),
    ],
)
def test_an_rmsnorm_stands_beside_what_a_layernorm_would_make(
    open_stage: Open, tmp_path: Path, name: str, stack: Stack, part: int
) -> None:
    fields = {**SINCE[name], "max_positions": 24}
    explainer = Explainer.load(write_own(tmp_path / "m", 5, **fields), device="cpu")
    query = f"?view=stream&text=I+am+a+small+frog.&stream.stack=%22{stack}%22&src=2&step=2&layer=1"
    page = open_stage(
        f"{query}&stream.show=%22norms%22&stream.part={part}", desk=desk_of(explainer)
    )
    trace = explainer.explain("I am a small frog.", explainer.defaults).trace
    own = list(sub_layers(explainer.model, trace, stack, 0))[part]
    is_pre = explainer.model.config.norm == "pre"
    row = torch.tensor((own.before if is_pre else own.total)[1])
    eps, size = explainer.model.config.norm_eps, (len(row),)
    rms, layer = F.rms_norm(row, size, eps=eps), F.layer_norm(row, size, eps=eps)
    assert not torch.allclose(rms, layer, atol=0.01)
    _, _, last = page.finding("stream").partition(" a mean of ")
    told = [float(rms.mean()), float((rms - layer).abs().max())]
    assert numbers(last) == pytest.approx(told, abs=0.0051)
    page.unfold("stream", "numbers")
    rows = [cells(page, "hl-stream-both", i) for i in range(len(row))]
    shown = np.array([[float(x) for x in one[1:]] for one in rows])
    np.testing.assert_allclose(shown, torch.stack([row, rms, layer], 1), atol=6e-5)
    captions = page.locator(".hl-stream-norms figcaption").all_text_contents()
    assert [one.partition(":")[0] for one in captions] == ["RMSNorm, the model's own", "LayerNorm"]
    assert "no mean is subtracted" in captions[0]
    assert page.errors == []
