"""Lessons: short series of steps that set up the page, ask for a prediction and show the answer.

The files are in `explorer/lessons/`; the card of a lesson, beside the view, belongs to the shell
(assets/shell/lesson.js), since it stays while the exhibits change.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer import lessons, recorded
from explorer.exchange.question import Arguments, Payload
from explorer.exchange.request import PageError, Request
from explorer.exhibit import Exhibit
from explorer.lessons import measures
from explorer.openers import effects

if TYPE_CHECKING:
    from model.explain import Explainer


def lesson(explainer: Explainer, request: Request, arguments: Arguments) -> Payload:
    """The model's answer to a step's question: {options: [Option], right, margin}.

    `right` is the option with the largest value; a `margin` below `measures.MARGIN` is too close to
    hold a class to.
    """
    own = lessons.load(explainer.name)
    found = own[arguments.choice("lesson", tuple(own))]
    step = found.steps[arguments.whole("step", 0, len(found.steps) - 1)]
    if step.ask is None:
        raise PageError("error.request")
    options = measures.options(explainer, step.show, step.ask, step.arguments)
    values = [option.value for option in options]
    return {
        "options": [option._asdict() for option in options],
        "right": values.index(max(values)),
        "margin": measures.margin(options),
    }


FACTS = {
    "lessons": {
        model: [{"name": name, **one.for_browser()} for name, one in lessons.load(model).items()]
        for model in recorded.opening()
    },
    "margin": measures.MARGIN,
}
EXHIBIT = Exhibit(
    "lessons",
    {"lesson": lesson},
    facts=FACTS,
    opener=effects.NONE,
)
