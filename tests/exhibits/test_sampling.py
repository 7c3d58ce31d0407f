"""The sampler: its arithmetic against `transformers`, its draws and its page against Python."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from explorer.labels import labels
from model.config import DecodeConfig
from model.explain import Explainer
from model.sampling import Mulberry32, draw, warp
from tests import foreign
from tests.stage import Node, Stage, desk_of, expect
from tests.tiers import each

Open = Callable[..., Stage]
Array = np.ndarray[Any, np.dtype[np.float64]]
Settings = tuple[float, int, float]  # temperature, top_k, top_p
TEXT = "The cat saw the other cat."
SETTINGS = {"temperature": 1.3, "top_k": 60, "top_p": 0.9}

# ----------------------------------------------------------------- the page's own arithmetic


def packed(array: Array) -> str:
    return base64.b64encode(array.astype("<f8").tobytes()).decode()


# A packed array, to the script and back: JSON has no infinity.
NUMBERS = "(text) => new Float64Array(Uint8Array.from(Buffer.from(text, 'base64')).buffer)"
WARP = f"""async (cases) => {{
    const {{ warp }} = await module("assets/kit/sampling.js");
    const numbers = {NUMBERS};
    return cases.map(([logits, settings]) =>
        Buffer.from(warp(numbers(logits), settings).buffer).toString("base64"));
}}"""


def warped(node: Node, cases: list[tuple[Array, Settings]]) -> list[Array]:
    """What the page's JavaScript makes of logits."""
    given = [
        (packed(logits), dict(zip(SETTINGS, settings, strict=True))) for logits, settings in cases
    ]
    return [np.frombuffer(base64.b64decode(text), "<f8") for text in node.run(WARP, given)]


def reference(logits: Array, settings: Settings, *, p_first: bool = False) -> Array:
    """The warpers of `transformers` in float64, as its `generate` lines them up."""
    process = pytest.importorskip("transformers.generation.logits_process")
    temperature, top_k, top_p = settings
    warpers = [process.TemperatureLogitsWarper(temperature)]
    if top_k:
        warpers.append(process.TopKLogitsWarper(top_k))
    if top_p < 1.0:
        warpers.insert(1 if p_first else len(warpers), process.TopPLogitsWarper(top_p))
    scores = torch.from_numpy(logits)[None]
    for warper in warpers:
        scores = warper(None, scores)
    found: Array = scores.softmax(-1)[0].numpy()
    return found


def equal(found: Array, expected: Array, logits: Array) -> bool:
    """Within 1e-6; of equal logits as many are kept, and those with the lower ids.

    Which of equals top-p keeps is chance in `transformers`, whose sort is not stable.
    """
    a, b = (p[np.lexsort((p, logits))] for p in (found, expected))
    if np.abs(a - b).max() > 1e-6 or ((a > 0) != (b > 0)).any():
        return False
    by_id = np.argsort(logits, kind="stable")  # of equals the lower id first
    is_equal = logits[by_id][1:] == logits[by_id][:-1]
    begins = np.diff((found[by_id] > 0).astype(int)) > 0
    return not (is_equal & begins).any()


def random_cases(count: int) -> list[tuple[Array, Settings]]:
    """Logits with and without ties and forbidden tokens, and settings of all kinds."""
    random = np.random.default_rng(11)
    cases = []
    for i in range(count):
        size = int(random.choice([1, 2, 7, 50, 300, 4000]))
        logits = random.normal(size=size) * random.choice([0.5, 3.0, 8.0])
        if i % 4 == 1:  # many equals
            logits = np.round(logits)
        if i % 5 == 2 and size > 2:  # some forbidden
            logits[random.permutation(size)[: size // 3]] = -np.inf
        temperature = float(random.choice([0.05, 5.0, 1.0, random.uniform(0.05, 5.0)]))
        top_k = int(random.choice([0, 1, size, size + 1000, random.integers(1, size + 1)]))
        top_p = float(random.choice([1.0, 1e-6, 0.01, 0.9, random.uniform(0.01, 1.0)]))
        cases.append((logits, (temperature, top_k, top_p)))
    return cases


def test_probabilities_equal_transformers_in_200_random_cases(node: Node) -> None:
    cases = random_cases(200)
    for (logits, settings), found in zip(cases, warped(node, cases), strict=True):
        assert equal(found, reference(logits, settings), logits), settings
        np.testing.assert_allclose(found, warp(logits, *settings), rtol=1e-9, atol=0)


def test_the_wrong_order_would_be_noticed(node: Node) -> None:
    cases = random_cases(200)
    wrong = [
        settings
        for (logits, settings), found in zip(cases, warped(node, cases), strict=True)
        if not equal(found, reference(logits, settings, p_first=True), logits)
    ]
    assert len(wrong) > 5


SEEDS = (0, 1, 2, 7, 42, 12345, 2**31 - 1, 2**31, 2**32 - 2, 2**32 - 1)


DRAWN = f"""async ([seed, weights]) => {{
    const {{ draw, mulberry32 }} = await module("assets/kit/sampling.js");
    const [uniform, again] = [mulberry32(seed), mulberry32(seed)];
    const [each, all] = [Array.from({{ length: 50 }}), ({NUMBERS})(weights)];
    return [each.map(() => uniform()), each.map(() => draw(all, again))];
}}"""


def test_the_same_seed_gives_the_same_numbers_and_the_same_draws(node: Node) -> None:
    random = np.random.default_rng(3)
    for seed in (*SEEDS, *(int(s) for s in random.integers(0, 2**32, size=20))):
        weights = warp(random.normal(size=500) * 2, 1.0, 0, 0.95)
        numbers, drawn = node.run(DRAWN, [seed, packed(weights)])
        ours, again = Mulberry32(seed), Mulberry32(seed)
        assert numbers == [ours.uniform() for _ in range(50)]
        assert drawn == [draw(weights, again)[0] for _ in range(50)]


# ------------------------------------------------------------------------------------- the page


def opened(open_stage: Open, step: int = 1, **settings: object) -> Stage:
    given = {**SETTINGS, **settings}
    query = "&".join(f"{name}={value}" for name, value in given.items())
    page = open_stage(f"?lang=en&view=sampling&method=sampling&step={step}&text={TEXT}&{query}")
    page.unfold("sampling")
    return page


def ids_of_text(page: Stage) -> list[int]:
    chips = page.locator(".hl-sampling-text .hl-token:not(.hl-ahead)[data-id]")
    return [int(chip.get_attribute("data-id") or -1) for chip in chips.all()][1:]  # not the start


def bars(page: Stage) -> list[tuple[int, str, str, str]]:
    """Id, probability now, the model's own and the last column of each bar."""
    found = page.evaluate(
        """() => [...document.querySelectorAll('.hl-sampling-bars button')].map((button) => [
            Number(button.dataset.id), button.querySelector('b').textContent,
            button.querySelector('.hl-sampling-before').textContent,
            button.querySelector('small').textContent])"""
    )
    return [tuple(row) for row in found]


def percent(text: str) -> tuple[float, float]:
    """A share that the page tells, and half of its last digit."""
    if text == "–":
        return 0.0, 0.0
    digits = text.removesuffix(" %")
    if digits.startswith("<"):
        return float(digits[1:]) / 200, float(digits[1:]) / 200
    places = len(digits.partition(".")[2])
    return float(digits) / 100, 0.501 * 10 ** -(places + 2)


def agrees(text: str, expected: float) -> bool:
    value, slack = percent(text)
    return abs(value - expected) <= slack


def test_the_shown_probabilities_are_the_models(open_stage: Open, explainer: Explainer) -> None:
    """Three steps: every bar, before and after, and the numbers at the left."""
    page = opened(open_stage)
    config = DecodeConfig(method="sampling", **SETTINGS)  # type: ignore[arg-type]
    written = explainer.explain(TEXT, config).trace.tgt_out.ids.tolist()
    settings = tuple(SETTINGS.values())
    for step in range(3):
        if step:
            page.click("[data-go='forward']")
        assert ids_of_text(page) == written[:step]
        log_probs = explainer.next_log_probs(TEXT, written[:step]).astype(np.float64)
        own, now = np.exp(log_probs), warp(log_probs, *settings)  # type: ignore[arg-type]
        shown = bars(page)
        assert [row[0] for row in shown] == np.argsort(-log_probs, kind="stable")[
            : len(shown)
        ].tolist()
        assert len(shown) >= 10
        for token, after, before, _ in shown:
            assert agrees(before, own[token]), (step, token)
            assert agrees(after, now[token]), (step, token)
        assert [row[1] == "–" for row in shown] == [now[row[0]] == 0 for row in shown]
        numbers = page.locator(".hl-sampling-numbers td").all_text_contents()
        for text, p in zip(numbers[:2], (own, now), strict=True):
            kept = p[p > 0] / p.sum()  # without what is not allowed
            assert float(text) == pytest.approx(-(kept * np.log(kept)).sum(), rel=6e-4)
        left = page.locator(".hl-sampling-stages tbody tr td:nth-child(2)").all_text_contents()
        assert int(left[-1].replace(",", "")) == (now > 0).sum()
        assert int(left[0].replace(",", "")) == len(log_probs)
        assert left[3] == "60" and int(left[1].replace(",", "")) == np.isfinite(log_probs).sum()
    assert page.errors == []


@pytest.mark.parametrize("view", ["sampling", "compare"])
def test_top_k_has_one_scale_and_its_end_is_off(open_stage: Open, view: str) -> None:
    page = open_stage(f"?view={view}")
    page.unfold(view, "adjust")
    place = page.locator(f".hl-{view}-top_k [type=range]")
    box = page.locator(f".hl-{view}-top_k .hl-typed")
    assert place.input_value() == place.get_attribute("max")
    assert (box.input_value(), box.get_attribute("placeholder")) == ("", "off")
    place.press("Home")
    assert box.input_value() == "1"
    place.press("End")
    assert box.input_value() == ""


@each("seeds", [range(3, 40), range(2**32 - 1, 2**32 - 40, -1)], 1)
def test_the_seeded_walk_is_what_decoding_writes(
    open_stage: Open, explainer: Explainer, seeds: range
) -> None:
    def writes(seed: int) -> int:
        config = DecodeConfig(method="sampling", seed=seed, **SETTINGS)  # type: ignore[arg-type]
        return len(explainer.explain(TEXT, config).trace.tgt_out)

    seed = next(seed for seed in seeds if 4 <= writes(seed) <= 60)
    page = opened(open_stage)
    page.fill(".hl-sampling-seed", str(seed))
    page.click(".hl-sampling-empty")
    config = DecodeConfig(method="sampling", seed=seed, **SETTINGS)  # type: ignore[arg-type]
    expected = explainer.explain(TEXT, config)
    ids = expected.trace.tgt_out.ids.tolist()
    # Two tokens by hand, then the rest by itself.
    for t in range(2):
        page.click(".hl-sampling-one")
        uniform = [u for g in [Mulberry32(seed)] for u in (g.uniform() for _ in range(t + 1))][-1]
        assert f"{uniform:.6f}" in page.text_content(".hl-sampling-drawn")
        before = len(page.asked)
        page.click(".hl-sampling-go")
        assert page.locator(".hl-sampling-text .hl-sampling-added").count() == t + 1
        assert len(page.asked) - before == 1
    page.click(".hl-sampling-end")
    expect(page.locator(".hl-sampling-go")).to_be_disabled()
    expect(page.locator(".hl-sampling-end")).to_be_disabled()
    assert ids_of_text(page) == ids
    total = float(
        re.findall(r"[−-]?\d+\.\d+", page.inner_text(".hl-sampling-sum"))[0].replace("−", "-")
    )
    assert total == pytest.approx(expected.trace.log_prob.sum(), abs=2e-4)
    assert str(seed) in page.inner_text(".hl-sampling-seeded")

    page.click(".hl-sampling-use")
    written = page.locator("#hl-tgt .hl-token > span").all_text_contents()[1:]
    assert written == [label.text for label in labels(expected.trace.tgt_out)]
    assert page.errors == []


def test_a_dragged_slider_asks_for_nothing(open_stage: Open, explainer: Explainer) -> None:
    page = opened(open_stage, step=2)
    asked, before = len(page.asked), bars(page)
    for name in SETTINGS:
        slider = page.locator(f".hl-sampling-{name} [type=range]")
        end = int(slider.get_attribute("max") or 0)
        for share in np.linspace(0.5, 0.3, 12):
            slider.fill(str(round(share * end)))
    assert len(page.asked) == asked
    after = bars(page)
    assert after != before
    # What is on show is what Python makes of the three numbers on show.
    values = [float(page.input_value(f".hl-sampling-{name} .hl-typed")) for name in SETTINGS]
    log_probs = explainer.next_log_probs(TEXT, ids_of_text(page)).astype(np.float64)
    now = warp(log_probs, values[0], int(values[1]), values[2])
    assert all(agrees(text, now[token]) for token, text, _, _ in after)


def test_two_hundred_draws_are_those_of_the_seed(open_stage: Open, explainer: Explainer) -> None:
    from scipy.stats import chisquare  # takes a second: where it is needed

    page = opened(open_stage, step=2, seed=9)
    page.click(".hl-sampling-many")
    log_probs = explainer.next_log_probs(TEXT, ids_of_text(page)).astype(np.float64)
    weights = warp(log_probs, *SETTINGS.values())  # type: ignore[arg-type]
    generator = Mulberry32(9)
    counts = np.bincount([draw(weights, generator)[0] for _ in range(200)], minlength=len(weights))
    for token, _, _, last in bars(page):
        assert last == (f"×{counts[token]}" if weights[token] > 0 else last)
        assert weights[token] > 0 or last == "cut by " + last[-1]
    furthest = int(np.abs(counts / 200 - weights).argmax())
    said = page.inner_text(".hl-sampling-tally")
    assert f"drawn {counts[furthest] / 2:.1f} %" in said
    drawn, expected = grouped(counts, 200 * weights)
    found = chisquare(drawn, expected)
    degrees = f"{len(drawn) - 1} degree{'s' * (len(drawn) > 2)} of freedom"
    assert f"χ² = {found.statistic:.1f} with {degrees}" in said
    assert agrees(said.rpartition(" in ")[2].partition(" of such")[0], found.pvalue)


def grouped(counts: np.ndarray, expected: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Both summed over groups of at least five expected, best first; the rest in the last."""
    order = np.argsort(-expected, kind="stable")
    group = np.zeros(len(order), dtype=int)
    total, number = 0.0, 0
    for i in order:
        group[i] = number
        total += expected[i]
        if total >= 5:
            total, number = 0.0, number + 1
    group[group == number] = number - 1  # what is left
    sums = [np.bincount(group, weights=of, minlength=number) for of in (counts, expected)]
    return sums[0], sums[1]


def test_by_keyboard_and_with_other_exhibits(open_stage: Open, explainer: Explainer) -> None:
    page = opened(open_stage)
    assert ids_of_text(page) == []
    page.focus(".hl-sampling-bars button >> nth=0")
    page.keyboard.press("ArrowDown")
    chosen = int(page.evaluate("() => document.activeElement.dataset.id"))
    assert chosen == bars(page)[1][0]
    page.keyboard.press("Enter")
    page.wait_for_selector(f".hl-sampling-bars [data-id='{chosen}'][aria-pressed='true']")
    page.keyboard.press("Enter")
    assert page.locator(".hl-sampling-text .hl-sampling-added").count() == 1
    assert ids_of_text(page) == [chosen]
    own = float(explainer.next_log_probs(TEXT, [])[chosen])
    assert f"{own:.4f}".replace("-", "−") in page.inner_text(".hl-sampling-sum")
    before = float(page.input_value(".hl-sampling-temperature .hl-typed"))
    page.press(".hl-sampling-temperature [type=range]", "ArrowRight")
    assert float(page.input_value(".hl-sampling-temperature .hl-typed")) > before
    page.click(".hl-sampling-take")
    page.wait_for_function("(id) => location.search.includes(`prefix=${id}`)", chosen)
    page.click("[data-go='forward']")
    assert page.is_checked(".hl-sampling [value='page']")
    page.click("#hl-language")
    name = page.get_attribute(".hl-sampling-curve svg", "aria-label")
    assert name is not None and name.startswith("概率随名次变化")
    assert page.errors == []


def test_it_opens_warm_where_nothing_is_drawn(open_stage: Open) -> None:
    """At T = 1 outline and fill are the same, and there is nothing to see."""
    page = open_stage("?view=sampling&text=I+am+a+student.")
    assert page.input_value(".hl-sampling-temperature .hl-typed") == "1.3"
    page.pass_time(500)  # the address follows
    assert "sampling.settings" not in page.evaluate("location.search")
    given = opened(open_stage, temperature=1)
    assert given.input_value(".hl-sampling-temperature .hl-typed") == "1"


def test_outputs_without_a_piece_are_listed_too(
    open_stage: Callable[..., Stage], tmp_path: Path
) -> None:
    """T5's output is a little larger than its list of pieces."""
    t5 = Explainer.load(foreign.write_family(tmp_path / "t5", "t5"), device="cpu")
    size = t5.model.config.vocab_size
    assert size > len(t5.tokenizer)
    page = open_stage("?view=sampling", desk=desk_of(t5))
    _, content = page.take("#panel-sampling", "csv")
    rows = content.decode("utf-8-sig").splitlines()[1:]
    assert sorted(int(row.split(",")[1]) for row in rows) == list(range(size))
    assert page.errors == []
