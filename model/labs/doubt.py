"""Doubt: whether a translation lies outside what the model knows, judged by its own numbers.

Four signs are read from an `Explanation`, none of which needs a reference: how likely the model
itself found what it wrote, whether it repeats itself, how much of the source any word of the
translation looked at, and how much of the words comes from the source rather than from what was
written before. Where each sign becomes a doubt is chosen on development data by
`python -m model.labs.doubting`; how often such a doubt was right there is stored beside it.

    thresholds = explainer.thresholds                            # None: this model has none
    doubt.judge(explainer, explanation, thresholds).reasons      # () where nothing is wrong
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from model.config import Thresholds
from model.trace import Explanation, Trace

if TYPE_CHECKING:
    from model.explain import Explainer

RUN = 3  # tokens of a run that a translation should not hold twice
LOOKED_AT = 0.1  # of the attention of a layer's heads together, at some step

Reason = Literal["unlikely", "repeats", "unread", "unsourced"]


class Signs(NamedTuple):
    """What is read from a translation.

    `log_prob` is the mean over its tokens (natural log, 0 or less), the end token included.
    `repeats` counts its runs of three tokens that stood in it before. `read` is the share of the
    source tokens, without the end token, that got a tenth of some layer's cross-attention (the mean
    over its heads) at some step. `source` is the mean over the written tokens of what comes from
    the source (`contribution.rolled`), 1 for a model that cannot be taken apart for it.
    """

    log_prob: float
    repeats: int
    read: float
    source: float


class Doubt(NamedTuple):
    """What is doubtful in a translation: nothing where there are no reasons."""

    signs: Signs
    reasons: tuple[Reason, ...]


def signs(explainer: Explainer, explanation: Explanation) -> Signs:
    """Read the signs from an explanation of the translation shown."""
    trace = explanation.trace
    ids = trace.tgt_out.ids.tolist()
    runs = [tuple(ids[i : i + RUN]) for i in range(len(ids) - RUN + 1)]
    weights = trace.cross.weights.mean(axis=1)  # (L, H, T, S) -> (L, T, S)
    most = weights.max(axis=(0, 1))[: max(1, len(trace.src) - 1)]  # (S - 1,)
    return Signs(
        float(trace.log_prob.mean()),
        len(runs) - len(set(runs)),
        float((most >= LOOKED_AT).mean()),
        _from_source(explainer, trace),
    )


def _from_source(explainer: Explainer, trace: Trace) -> float:
    from model.labs.contribution import rolled  # torch: a record is read without it

    config = explainer.model.config
    if not config.residual or config.norm == "none":
        return 1.0
    return float(rolled(explainer.model, trace).source_share.mean())


def judge(explainer: Explainer, explanation: Explanation, thresholds: Thresholds) -> Doubt:
    """The reasons to doubt the translation shown."""
    found = signs(explainer, explanation)
    return Doubt(found, reasons(found, thresholds))


def reasons(found: Signs, thresholds: Thresholds) -> tuple[Reason, ...]:
    """Which signs lie beyond their thresholds."""
    tests: tuple[tuple[Reason, bool], ...] = (
        ("repeats", found.repeats >= thresholds.repeats),
        ("unlikely", found.log_prob < thresholds.log_prob),
        ("unread", found.read < thresholds.read),
        ("unsourced", found.source < thresholds.source),
    )
    return tuple(reason for reason, holds in tests if holds)
