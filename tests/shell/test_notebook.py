"""The document of `notebook.show(explanation, view)`: Python has answered what its view asks."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from explorer import notebook
from explorer.exhibits import load
from explorer.notebook import VIEWS
from model.config import DecodeConfig
from model.explain import Explainer
from model.trace import Explanation
from tests.stage import Stage

TEXT = "I saw her </script><b onclick=hacked()> and a dog."


@pytest.fixture(scope="module")
def explanation(explainer: Explainer) -> Explanation:
    return explainer.explain(TEXT, DecodeConfig(beam_size=3), shown=1)


@pytest.mark.parametrize("name", VIEWS)
def test_every_view_has_its_answers(
    name: str, explanation: Explanation, open_file: Callable[..., Stage]
) -> None:
    """Python answers ahead exactly what the view's own script says that it asks."""
    view = notebook.show(explanation, name, kind="decoder_self", layer=2, head=4)
    page = open_file(view.document)
    exhibit = next(one for one in load() if one.name == name)
    asked = page.evaluate(
        """async (name) => {
            const view = await module(`explorer/exhibits/${name}/view.js`);
            const { page } = headlight;
            return (view.questions?.(page.record.get(), page) ?? [])
                .map(({ question, args, when = args }) => ({ question, args, when }));
        }""",
        name,
    )
    wanted = exhibit.wanted(explanation, ("decoder_self", 1, 3))
    assert asked == [
        {"question": one.question, "args": one.arguments, "when": one.when} for one in wanted
    ]
    assert page.locator(".hl-failed, .hl-away").count() == 0
    assert page.locator(f"#panel-{name} :is(td, canvas, svg, p, li, b, button)").count() > 3
    assert (page.requests, page.errors) == ([], [])


def test_a_notebook_that_names_a_view_of_before_shows_where_it_is_now(
    explanation: Explanation, open_file: Callable[..., Stage]
) -> None:
    view = notebook.show(explanation, "flow")
    page = open_file(view.document)
    shapes = page.text_content("[data-block='encoder.0.feed_forward.feed_forward'] .hl-figure-data")
    assert view.name == "figure" and (shapes or "").strip().endswith("× 256")
    assert (page.requests, page.errors) == ([], [])
