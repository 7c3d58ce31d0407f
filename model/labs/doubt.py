"""Doubt: whether a translation is beyond the model's abilities, judged by its own numbers.

A `Trace` has four signs, none of which needs a reference: the probability of the output,
repetition in it, the share of the source that any word of the translation attended to, and the
share of the words that comes from the source rather than from the preceding output. `python -m
model.labs.doubting` chooses the threshold of each sign on development data; the accuracy of such
doubts there is stored with it. Two reasons have no threshold: a number, or what is usually copied
as an address is, is not in the translation; or a number in it is not in the source. Of 28,000 pairs
by people in English and Chinese 14 have such a number, of 30,000 in English and German 60 (miles
that became kilometres), so this is a doubt and no fault.

    thresholds = explainer.thresholds                            # None: not every model has them
    doubt.judge(explainer, explanation.trace, thresholds).reasons    # () if nothing is wrong
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from model.config import Thresholds
from model.text.copied import added, missing
from model.trace import Trace

if TYPE_CHECKING:
    from model.explain import Explainer

RUN = 3  # tokens of a run that should not occur twice in a translation
LOOKED_AT = 0.1  # of the attention of a layer's heads together, at some step

Reason = Literal["missing", "added", "unlikely", "repeats", "unread", "unsourced"]


class Signs(NamedTuple):
    """The signs of doubt in a translation.

    `log_prob` is the mean over its tokens (natural log, 0 or less), the end token included.
    `repeats` counts its runs of three tokens that occurred earlier in it. `read` is the share of
    the source tokens, without the end token, that got a tenth of some layer's cross-attention (the
    mean over its heads) at some step. `source` is the mean over the written tokens of the share
    from the source (`contribution.rolled`), 1 for a model that does not allow this analysis.
    """

    log_prob: float
    repeats: int
    read: float
    source: float


class Doubt(NamedTuple):
    """The reasons to doubt a translation; none means no doubt.

    `missing` was not copied; `added` are numbers that the source does not have.
    """

    signs: Signs
    reasons: tuple[Reason, ...]
    missing: tuple[str, ...]
    added: tuple[str, ...]


def signs(explainer: Explainer, trace: Trace) -> Signs:
    """Read the signs of the translation traced."""
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
    from model.labs.contribution import rolled  # imports torch; records do not need it

    config = explainer.model.config
    if not config.residual or config.norm == "none":
        return 1.0
    return float(rolled(explainer.model, trace).source_share.mean())


def judge(explainer: Explainer, trace: Trace, thresholds: Thresholds) -> Doubt:
    """Find the reasons to doubt the translation traced."""
    texts = (trace.src.text, trace.tgt_out.text)
    found, lost, more = signs(explainer, trace), missing(*texts), added(*texts)
    copied: tuple[tuple[Reason, tuple[str, ...]], ...] = (("missing", lost), ("added", more))
    first = tuple(reason for reason, items in copied if items)
    return Doubt(found, (*first, *reasons(found, thresholds)), lost, more)


def reasons(found: Signs, thresholds: Thresholds) -> tuple[Reason, ...]:
    """The signs that are beyond their thresholds."""
    tests: tuple[tuple[Reason, bool], ...] = (
        ("repeats", found.repeats >= thresholds.repeats),
        ("unlikely", found.log_prob < thresholds.log_prob),
        ("unread", found.read < thresholds.read),
        ("unsourced", found.source < thresholds.source),
    )
    return tuple(reason for reason, holds in tests if holds)
