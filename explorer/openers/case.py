"""A sentence and what the model does with it, each run made once and only where it is needed."""

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

LEAST_LOSS = 0.5  # nats that a token must lose without a word to count as written because of it


class Case:
    """One sentence, its references, and the model that reads it."""

    def __init__(self, explainer: Explainer, text: str, references: Sequence[str] = ()) -> None:
        self.explainer, self.text, self.references = explainer, text, tuple(references)

    @cached_property
    def explanation(self) -> Explanation:
        """As the page explains it: the model's own settings."""
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
        """The labels of what is written, with the end token."""
        return labels(self.explanation.trace.tgt_out)

    def word(self, step: int) -> str:
        """The token that a step writes, as the page shows it."""
        return self.target[step].line

    def by(self, method: Method) -> str:
        """What another method of decoding writes."""
        config = dataclasses.replace(self.explainer.defaults, method=method)
        return self.explainer.explain(self.text, config).search.hypotheses[0].text

    def changed(self, **change: Any) -> tuple[str, float]:
        """What the changed model writes, and the nats that the original translation loses in it."""
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
        """{step: the source token without which the written one loses most}, where it is much.

        Attention is not asked, so that attention can be judged by it.
        """
        steps = range(len(self.target) - 1)
        best = {step: int(np.argmax(self.losses[:, step])) for step in steps}
        return {
            step: column for step, column in best.items() if self.losses[column, step] >= LEAST_LOSS
        }

    @cached_property
    def crossings(self) -> list[tuple[int, int]]:
        """Pairs of steps of which the later one goes back in the source."""
        found = sorted(self.aligned.items())
        return [(a, b) for i, (a, x) in enumerate(found) for b, y in found[i + 1 :] if y < x]
