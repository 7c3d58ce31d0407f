"""The learning rate: the paper's schedule is the paper's, the shipped one the trainer's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from explorer import card
from explorer.exchange.question import Arguments
from explorer.exchange.request import Request
from explorer.exhibits.schedule import shipped
from model.config import DecodeConfig
from model.explain import Explainer
from tests.stage import Node, Stage, unfold

Open = Callable[..., Stage]


RATES = """async ([rule, steps, settings]) => {
    const rates = await module("explorer/exhibits/schedule/maths.js");
    return steps.map((n) => rates[rule](n, settings));
}"""


@pytest.fixture(scope="module")
def sent(explainer: Explainer) -> dict[str, Any]:
    return shipped(explainer, Request("I am a student.", DecodeConfig()), Arguments({}))


def rates(node: Node, steps: Sequence[int], **settings: float) -> list[float]:
    found: list[float] = node.run(RATES, ["linearRate", list(steps), settings])
    return found


def test_the_shipped_schedule_is_the_trainers(node: Node, sent: dict[str, Any]) -> None:
    config, planned = card.trained(), sent["planned"]
    rule = {"peak": config.peak_lr, "warmup": config.warmup, "updates": planned}
    rule["falling"] = config.falling(planned)
    steps = [*range(1, planned + 1, 13), config.warmup, planned, planned + 1]
    wanted = [config.learning_rate(n, planned) for n in steps]
    np.testing.assert_allclose(rates(node, steps, **rule), wanted, rtol=1e-12, atol=0)


def test_the_dots_are_the_rates_that_the_run_used(sent: dict[str, Any]) -> None:
    """As the run wrote them down."""
    assert sent["epochs"] == [{k: line[k] for k in ("updates", "lr")} for line in card.last_run()]


def test_the_plan_gives_every_recorded_rate() -> None:
    """Each epoch plans anew, with its own number of updates for all that follow. A run that is
    stopped early has a plan that goes on: one that ends there gives none of the rates."""
    config, lines = card.trained(), card.last_run()
    early = lines[:-4]
    taken = early[-1]["updates"]
    assert card.planned_updates(early, config.epochs) > taken
    wrong = 0
    for n in range(1, len(lines) + 1):
        update, recorded = lines[n - 1]["updates"], lines[n - 1]["lr"]
        planned = card.planned_updates(lines[:n], config.epochs)
        assert config.learning_rate(update, planned) == pytest.approx(recorded, rel=1e-12)
        wrong += config.learning_rate(update, taken) != pytest.approx(recorded, rel=1e-3)
    assert wrong > len(lines) / 2


def test_the_fall_that_is_drawn_meets_the_last_recorded_rate(
    node: Node, sent: dict[str, Any]
) -> None:
    last = sent["epochs"][-1]
    rule = {"peak": sent["peak"], "warmup": sent["warmup"], "falling": sent["falling"]}
    drawn = rates(node, [last["updates"]], **rule, updates=sent["planned"])
    assert drawn == [pytest.approx(last["lr"], rel=1e-12)]
    ended = rates(node, [last["updates"]], **rule, updates=sent["planned"] + 300)
    assert ended != [pytest.approx(last["lr"], rel=0.5)]


def opened(open_stage: Open) -> Stage:
    """With its numbers and sums."""
    watched = open_stage("?view=schedule")
    for name in ("adjust", "numbers", "reading"):
        unfold(watched.page, "schedule", name)
    watched.page.wait_for_selector(".hl-schedule-epochs td")
    return watched


def reads(page: Stage, text: str, part: str = "reading") -> None:
    page.wait_for_selector(f'#panel-schedule [data-part={part}]:has-text("{text}")')


def test_the_papers_schedule_is_the_papers(node: Node) -> None:
    steps = np.arange(1, 20_000, 7)
    for d_model, warmup in ((512, 4000), (256, 800), (2048, 16_000)):
        settings = {"dModel": d_model, "warmup": warmup}
        found = node.run(RATES, ["paperRate", steps.tolist(), settings])
        wanted = d_model**-0.5 * np.minimum(steps**-0.5, steps * warmup**-1.5)
        np.testing.assert_allclose(found, wanted, rtol=1e-12)


def test_the_sliders_move_the_schedule(open_stage: Open) -> None:
    watched = opened(open_stage)
    page = watched.page
    before = len(page.asked)
    for name, number in (("dModel", "256"), ("warmup", "2000"), ("update", "8000")):
        page.fill(f".hl-field-{name} [type=range]", number)
    reads(page, "= 0.0006988.")
    page.click("#panel-schedule button:has-text('Paper: big')")
    reads(page, "1024−0.5")  # the power is raised, as mathematics
    assert len(page.asked) == before, "asked the server"
    assert watched.errors == []


def test_what_is_read_of_the_shipped_model_is_its_trainers(open_stage: Open) -> None:
    """At the update that is read, wherever the chart is pressed; and after the last one."""
    page = opened(open_stage).page
    config, updates = card.trained(), card.last_run()[-1]["updates"]
    planned = card.planned_updates(card.last_run(), config.epochs)
    box = page.locator(".hl-schedule-chart svg.hl-plot").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 0.1 * box["width"], box["y"] + 0.5 * box["height"])
    page.wait_for_function(
        "() => document.querySelector('.hl-field-update .hl-typed').value !== '4000'"
    )
    read = int(page.input_value(".hl-field-update .hl-typed"))
    assert 0 < read < updates
    rate = float(f"{config.learning_rate(read, planned):.4g}")
    reads(page, f"{rate:.9f}".rstrip("0"))  # 0.00004846, not 4.846e-05
    last = page.get_attribute(".hl-field-update [type=range]", "max")
    page.fill(".hl-field-update [type=range]", last)
    reads(page, "is over")
