"""Training: losses against torch, schedules against the trainer, heads against the snapshots."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import numpy as np
import pytest
import torch
from playwright.sync_api import Browser, Page

from explorer import card
from model import checkpoint, snapshots
from model.config import KINDS, DecodeConfig
from model.explain import Explainer
from model.loss import smoothed_loss
from model.trace import Trace
from tests.browser.conftest import Server, Watched
from tests.browser.test_scripts import files  # noqa: F401 - a fixture

pytestmark = pytest.mark.browser

Open = Callable[..., Watched]
SENTENCE = "Where is the station?"
SWITCH = 300  # ms that another checkpoint may take


@pytest.fixture(scope="module")
def modules(browser: Browser, files: str) -> Iterator[Page]:  # noqa: F811
    page = browser.new_page()
    page.goto(f"{files}/assets/favicon.svg")
    for name in ("smoothing", "schedule"):
        path = f"{files}/assets/exhibits/{name}_maths.js"
        page.evaluate("async ([n, p]) => { window[n] = await import(p); }", [name, path])
    yield page
    page.close()


# ------------------------------------------------------------------------------- label smoothing

PARTS = """([logits, right, eps]) => {
    const { smoothing: s } = window;
    const logProbs = s.logSoftmax(logits);
    return {
        loss: s.lossOf(s.summary(logProbs, right), eps),
        gradient: Array.from(logProbs, (lp, i) =>
            s.gradientOf(Math.exp(lp), i === right, eps, logits.length)),
    };
}"""


@pytest.fixture(scope="module")
def logits(explainer: Explainer) -> tuple[np.ndarray, list[int]]:
    ids = explainer.explain(SENTENCE).trace.tgt_out.ids.tolist()
    return explainer.logits(SENTENCE, ids), ids


def reference(row: np.ndarray, right: int, eps: float) -> tuple[float, np.ndarray]:
    z = torch.tensor(row, dtype=torch.float64, requires_grad=True)
    loss = torch.nn.CrossEntropyLoss(label_smoothing=eps)(z[None], torch.tensor([right]))
    loss.backward()
    assert z.grad is not None
    return loss.item(), z.grad.numpy()


@pytest.mark.parametrize("eps", [0.0, 0.1, 0.37])
def test_loss_and_gradient_are_torchs(
    modules: Page, logits: tuple[np.ndarray, list[int]], eps: float
) -> None:
    for row, right in zip(*logits, strict=True):
        found = modules.evaluate(PARTS, [row.tolist(), right, eps])
        loss, gradient = reference(row, right, eps)
        assert found["loss"] == pytest.approx(loss, abs=1e-9)
        np.testing.assert_allclose(found["gradient"], gradient, atol=1e-9)


def test_the_loss_is_the_trainers(
    modules: Page, explainer: Explainer, logits: tuple[np.ndarray, list[int]]
) -> None:
    """With the identity as output matrix, `smoothed_loss` takes logits."""
    rows, ids = torch.tensor(logits[0]), torch.tensor(logits[1])
    wanted = smoothed_loss(rows, torch.eye(rows.size(1)), ids, 0.1).item()
    found = [
        modules.evaluate(PARTS, [r.tolist(), i, 0.1])["loss"] for r, i in zip(*logits, strict=True)
    ]
    assert sum(found) == pytest.approx(wanted, abs=1e-5)


def test_a_wrong_share_would_be_noticed(
    modules: Page, logits: tuple[np.ndarray, list[int]]
) -> None:
    """eps / (C - 1) for the others, as some have it, differs by more than what is allowed."""
    row, right = logits[0][0].astype(np.float64), logits[1][0]
    log_probs = row - np.log(np.exp(row - row.max()).sum()) - row.max()
    others = np.full(len(row), 0.1 / (len(row) - 1))
    others[right] = 0.9
    found = modules.evaluate(PARTS, [row.tolist(), right, 0.1])["loss"]
    assert abs(found + (others * log_probs).sum()) > 1e-6


def test_the_page_shows_the_steps_losses(
    open_page: Open, logits: tuple[np.ndarray, list[int]]
) -> None:
    watched = open_page("?view=smoothing")
    page = watched.translate(SENTENCE)
    page.wait_for_selector("#hl-smoothing-steps tbody tr")
    rows, ids = logits
    page.wait_for_function(
        "(n) => document.querySelectorAll('#hl-smoothing-steps tbody tr').length === n",
        arg=len(ids),
    )
    before = len(watched.urls)
    page.fill("#hl-smoothing-eps", "0.3")
    page.wait_for_function(
        "() => document.querySelector('#hl-smoothing-formula').textContent.includes('0.300')"
    )
    found = [
        float(x) for x in page.locator("#hl-smoothing-steps td:nth-child(5)").all_text_contents()
    ]
    assert found == pytest.approx(
        [reference(r, i, 0.3)[0] for r, i in zip(rows, ids, strict=True)], abs=6e-5
    )
    assert len(watched.urls) == before, "asked the server"
    page.click("[data-go=forward]")
    chosen = "#hl-smoothing-tokens tr.hl-chosen td:nth-child(5) span"
    wanted = f"{reference(rows[1], ids[1], 0.3)[1][ids[1]]:.5f}".replace("-", "−")
    page.wait_for_function(
        "([s, w]) => document.querySelector(s).textContent.endsWith(w)", arg=[chosen, wanted]
    )
    assert watched.errors == []


# ------------------------------------------------------------------------------- learning rate


def test_the_shipped_schedule_is_the_trainers(modules: Page) -> None:
    updates = card.curves()[-1]["updates"]
    settings = {"peak": card.TRAINED.peak_lr, "warmup": card.TRAINED.warmup, "updates": updates}
    steps = [*range(1, updates + 1, 13), card.TRAINED.warmup, updates, updates + 1]
    found = modules.evaluate(
        "([steps, s]) => steps.map((n) => window.schedule.linearRate(n, s))", [steps, settings]
    )
    wanted = [card.TRAINED.learning_rate(n, updates) for n in steps]
    np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=0)
    recorded = [(line["updates"], line["lr"]) for line in card.curves() if line["epoch"] > 11]
    rates = [card.TRAINED.learning_rate(n, updates) for n, _ in recorded]
    np.testing.assert_allclose([lr for _, lr in recorded], rates, atol=3e-6)


def test_the_papers_schedule_is_the_papers(modules: Page) -> None:
    steps = np.arange(1, 20_000, 7)
    for d_model, warmup in ((512, 4000), (256, 800), (2048, 16_000)):
        found = modules.evaluate(
            "([steps, s]) => steps.map((n) => window.schedule.paperRate(n, s))",
            [steps.tolist(), {"dModel": d_model, "warmup": warmup}],
        )
        wanted = d_model**-0.5 * np.minimum(steps**-0.5, steps * warmup**-1.5)
        np.testing.assert_allclose(found, wanted, rtol=1e-12)


def test_the_sliders_move_the_schedule(open_page: Open) -> None:
    watched = open_page("?view=schedule")
    page = watched.page
    page.wait_for_selector("#hl-schedule-read p")
    before = len(watched.urls)
    for name, number in (("d_model", "256"), ("warmup", "2000"), ("update", "8000")):
        page.fill(f"#hl-schedule-{name}", number)
    page.wait_for_function(
        "() => document.querySelector('#hl-schedule-read').textContent.includes('= 0.0006988.')"
    )
    assert "was over" in page.locator("#hl-schedule-read").text_content()
    assert len(watched.urls) == before, "asked the server"
    assert watched.errors == []


# ------------------------------------------------------------------------------- dropout


def test_dropout_is_on_the_models_own_numbers(open_page: Open, explainer: Explainer) -> None:
    watched = open_page("?view=dropout")
    page = watched.translate(SENTENCE)
    page.locator("#hl-src .hl-token").nth(3).click()
    wanted = explainer.explain(SENTENCE).trace.encoder_states[0, 3, :16]
    page.wait_for_function(
        "(w) => document.querySelector('#hl-dropout-numbers td:nth-child(2)')?.textContent === w",
        arg=f"{wanted[0]:.4f}".replace("-", "−"),
    )

    def column(n: int) -> np.ndarray:
        cells = page.locator(f"#hl-dropout-numbers td:nth-child({n})").all_text_contents()
        return np.array([float(cell.replace("−", "-")) for cell in cells])

    np.testing.assert_allclose(column(2), wanted, atol=6e-5)
    page.fill("#hl-dropout-share", "0.5")
    page.wait_for_function(
        "() => document.querySelector('#hl-dropout-numbers').textContent.includes('× 2.000')"
    )
    after, kept = column(4), column(4) != 0
    assert 0 < kept.sum() < len(kept)
    np.testing.assert_allclose(after[kept], 2 * wanted[kept], atol=6e-5)
    assert watched.errors == []


# ------------------------------------------------------------------------------- heads learn


@pytest.fixture(scope="module")
def traces(explainer: Explainer) -> dict[float, Trace]:
    """The output on show, teacher-forced through each snapshot, loaded here by itself."""
    found = explainer.explain(SENTENCE)
    ids = found.trace.tgt_out.ids.tolist()
    loaded = checkpoint.load(checkpoint.SHIPPED)
    traces = {1.0: found.trace}
    for share in snapshots.shares(checkpoint.SHIPPED):
        model = snapshots.load(snapshots.place(checkpoint.SHIPPED, share), loaded.model.config)
        then = checkpoint.Checkpoint(model, loaded.tokenizer, loaded.rules, "then", None, "then")
        traces[share] = Explainer(then, "cpu").trace(SENTENCE, ids)
    return dict(sorted(traces.items()))


def learn(open_page: Open, points: int) -> tuple[Watched, Page]:
    watched = open_page("?view=learn")
    page = watched.translate(SENTENCE)
    page.wait_for_function(
        "(n) => document.querySelectorAll('#hl-learn-list b[lang]').length === n",
        arg=points,
        timeout=60_000,
    )
    return watched, page


PIXELS = """() => [...document.querySelectorAll('[data-learn]')].map((tile) => {
    const canvas = tile.firstChild, { width, height } = canvas;
    const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
    return [tile.dataset.learn, Array.from({ length: width * height }, (_, i) =>
        (data[4 * i + 3] ? data[4 * i] + data[4 * i + 1] + data[4 * i + 2] : null))];
})"""


def head_of(trace: Trace, name: str) -> np.ndarray:
    kind, layer, head = name.split(".")
    weights: np.ndarray = trace.attention(kind).weights[int(layer), int(head)]  # type: ignore[arg-type]
    return weights


def follows(darkness: list[float | None], weights: np.ndarray) -> bool:
    """Whether colours get darker as weights grow, masked cells aside."""
    pairs = [(w, d) for w, d in zip(weights.ravel(), darkness, strict=True) if d is not None]
    sums = [d for _, d in sorted(pairs)]
    return all(a >= b for a, b in itertools.pairwise(sums))


def test_heads_are_the_snapshots(open_page: Open, traces: dict[float, Trace]) -> None:
    watched, page = learn(open_page, len(traces))
    before = len(watched.urls)
    for i, (share, trace) in enumerate(traces.items()):
        page.fill("#hl-learn-share", str(i))
        page.wait_for_function(
            f"() => document.querySelectorAll('#hl-learn-list button')[{i}].ariaPressed === 'true'"
        )
        page.wait_for_timeout(100)
        drawn = dict(page.evaluate(PIXELS))
        assert len(drawn) == sum(trace.attention(kind).weights[..., 0, 0].size for kind in KINDS)
        for name, darkness in drawn.items():
            assert follows(darkness, head_of(trace, name)), f"{name} at {share}"
        said = page.locator("#hl-learn-list li").nth(i).locator("small").last.text_content()
        assert f"{trace.log_prob.sum():.2f}".replace("-", "−") in said
        hidden = page.locator("#hl-learn-before").is_hidden()
        assert hidden == (i == 0)
    other = list(traces.values())[-2]
    wrong = [
        name for name, darkness in drawn.items() if not follows(darkness, head_of(other, name))
    ]
    assert len(wrong) > len(drawn) / 2, "another checkpoint would not be noticed"
    assert len(watched.urls) == before, "asked the server for what it had"
    assert [error for error in watched.errors if "willReadFrequently" not in error] == []


def test_each_point_writes_its_own_translation(
    open_page: Open, explainer: Explainer, traces: dict[float, Trace]
) -> None:
    _, page = learn(open_page, len(traces))
    shown = page.locator("#hl-learn-list b").all_text_contents()
    for share, text in zip(traces, shown, strict=True):
        wanted = explainer.at(share).explain(SENTENCE, DecodeConfig(method="greedy", max_length=40))
        best = wanted.search.hypotheses[0].text
        assert best.startswith(text.removesuffix(" …"))
    assert shown[-1] != shown[0]
    page.click("#hl-learn-play")
    page.wait_for_function("() => document.querySelector('#hl-learn-share').value === '0'")
    page.wait_for_function(
        "(n) => document.querySelector('#hl-learn-share').value === n", arg=str(len(traces) - 1)
    )


def test_another_checkpoint_comes_soon(open_page: Open, traces: dict[float, Trace]) -> None:
    """From the slider's move to the picture, the checkpoint loaded, the sentence new to it."""
    _, page = learn(open_page, len(traces))
    times = page.evaluate(
        """async (n) => {
            const slider = document.querySelector('#hl-learn-share');
            const frame = () => new Promise(requestAnimationFrame);
            const times = [];
            for (let i = 0; i < 2 * n; i += 1) {
                slider.value = i % n;
                const start = performance.now();
                slider.dispatchEvent(new Event('input', { bubbles: true }));
                await frame(); await frame();
                times.push(performance.now() - start);
            }
            return times;
        }""",
        len(traces),
    )
    assert np.median(times) < SWITCH


def test_a_checkpoint_is_read_soon(explainer: Explainer) -> None:
    """The server's part: weights from the disk, and a sentence that they have not read yet.

    In seconds of work, as the machine may have other work to do at the same time.
    """
    ids = explainer.explain(SENTENCE).trace.tgt_out.ids.tolist()
    fresh = Explainer.load(device="cpu")
    times = []
    for share in fresh.shares:
        started = time.thread_time()
        then = fresh.at(share)
        then.trace(SENTENCE, ids)
        then.explain(SENTENCE, DecodeConfig(method="greedy", max_length=24))
        times.append(time.thread_time() - started)
    assert np.median(times) < SWITCH / 1000


# ------------------------------------------------------------------------------- curves


def test_curves_are_drawn_from_this_server_alone(open_page: Open, server: Server) -> None:
    watched = open_page()
    page = watched.page
    assert not [url for url in watched.urls if "plotly" in url], "loaded before it is wanted"
    page.evaluate("document.querySelector('#tab-curves').click()")
    page.wait_for_selector("#hl-curves-figure .scatterlayer .trace", timeout=60_000)
    figure = page.evaluate(
        "() => document.querySelector('#hl-curves-figure').data.map(({ x, y }) => [[...x], [...y]])"
    )
    lines = card.curves()
    for (x, y), name in zip(figure, ("train_loss", "dev_loss", "bleu", "chrf"), strict=True):
        assert x == [line["updates"] for line in lines]
        assert y == [line[name] for line in lines]
    rows = page.locator("#hl-curves-table tbody tr")
    assert rows.count() == len(lines)
    cells = rows.nth(4).locator("td").all_text_contents()
    assert [float(cell) for cell in cells] == pytest.approx(
        [lines[4][n] for n in ("epoch", "updates", "train_loss", "dev_loss", "bleu", "chrf")],
        abs=6e-4,
    )
    rows.nth(4).locator("button").click()
    assert "Epoch 5," in page.locator("#hl-curves-now").text_content()
    hosts = {urlsplit(url).netloc for url in watched.urls if not url.startswith(("data:", "blob:"))}
    assert hosts == {urlsplit(server.url).netloc}
    assert sum("plotly.min.js" in url for url in watched.urls) == 1
    assert watched.errors == []


def test_zoom_stays_when_the_page_turns_dark(open_page: Open) -> None:
    page = open_page("?view=curves").page
    page.wait_for_selector("#hl-curves-figure .scatterlayer .trace", timeout=60_000)
    page.evaluate(
        "() => window.Plotly.relayout(document.querySelector('#hl-curves-figure'), "
        "{ 'xaxis.range[0]': 1000, 'xaxis.range[1]': 3000 })"
    )
    ink = "() => document.querySelector('#hl-curves-figure').layout.font.color"
    light = page.evaluate(ink)
    page.click("#hl-theme")
    page.wait_for_function(f"(old) => ({ink})() !== old", arg=light)
    page.click("#hl-language")
    page.wait_for_function(
        "() => document.querySelector('#hl-curves-figure').data[0].name === '训练损失'"
    )
    found = page.evaluate("() => document.querySelector('#hl-curves-figure').layout.xaxis.range")
    assert found == [1000, 3000]
