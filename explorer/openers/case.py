"""A sentence and the model's runs on it, each made once and only if needed."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.labels import Label, labels
from model.arrays import Floats
from model.config import Interventions, Method
from model.trace import Explanation

if TYPE_CHECKING:
    from model.explain import Explainer

LEAST_LOSS = 0.5  # nats that a token must lose without a word to count as depending on it


class Case:
    """One sentence, its references, and the model that reads it."""

    def __init__(self, explainer: Explainer, text: str, references: Sequence[str] = ()) -> None:
        self.explainer, self.text, self.references = explainer, text, tuple(references)

    @cached_property
    def explanation(self) -> Explanation:
        """The explanation that the page shows with the model's default settings."""
        return self.explainer.explain(self.text)

    @property
    def written(self) -> str:
        """The translation."""
        return self.explanation.trace.tgt_out.text

    @cached_property
    def source(self) -> tuple[Label, ...]:
        """The labels of the source, without the end token."""
        return labels(self.explanation.trace.src)[:-1]

    @cached_property
    def target(self) -> tuple[Label, ...]:
        """The labels of the output, with the end token."""
        return labels(self.explanation.trace.tgt_out)

    def word(self, step: int) -> str:
        """The token written at a step, as on the page."""
        return self.target[step].line

    def by(self, method: Method) -> str:
        """The output of a different decoding method."""
        config = dataclasses.replace(self.explainer.defaults, method=method)
        return self.explainer.explain(self.text, config).search.hypotheses[0].text

    def changed(self, **change: Any) -> tuple[str, float]:
        """The modified model's output, and the nats that the original translation loses in it."""
        interventions = Interventions.from_dict(change)
        trace = self.explanation.trace
        ids = trace.tgt_out.ids.tolist()
        again = self.explainer.trace(self.text, ids, interventions=interventions)
        lost = float(trace.log_prob.sum(dtype=float) - again.log_prob.sum(dtype=float))
        found = self.explainer.explain(self.text, interventions=interventions)
        return found.search.hypotheses[0].text, lost

    @cached_property
    def losses(self) -> Floats:
        """(source tokens, target tokens): the nats that a token loses without a source token."""
        from model.labs.ablation import occlusion  # brings torch

        everything = range(len(self.source))
        lost: Floats = -occlusion(self.explainer, self.explanation, everything).changes
        return lost

    @cached_property
    def aligned(self) -> dict[int, int]:
        """{step: the source token without which the written one loses most}, if the loss is large.

        It does not use attention, so that attention can be judged by it.
        """
        steps = range(len(self.target) - 1)
        best = {step: int(np.argmax(self.losses[:, step])) for step in steps}
        return {
            step: column for step, column in best.items() if self.losses[column, step] >= LEAST_LOSS
        }

    @cached_property
    def crossings(self) -> list[tuple[int, int]]:
        """Pairs of steps of which the later one moves back in the source."""
        found = sorted(self.aligned.items())
        return [(a, b) for i, (a, x) in enumerate(found) for b, y in found[i + 1 :] if y < x]
