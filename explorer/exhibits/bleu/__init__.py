"""BLEU by hand: a candidate, its references, and every count of the score, all by sacrebleu."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from explorer import card
from explorer.exchange.question import Arguments, Payload
from explorer.exchange.request import PageError, Request
from explorer.exhibit import Exhibit
from explorer.openers import effects
from model.text.languages import LANGUAGES

if TYPE_CHECKING:
    from model.explain import Explainer

LONGEST = 500  # characters of a text
REFERENCES = 3
ORDERS = (1, 2, 3, 4)
TOKENISERS = ("13a", "zh")
# The handling of orders without a match, and of those that the candidate is too short for.
WAYS: dict[str, tuple[str, bool]] = {
    "none": ("none", False),
    "exp": ("exp", False),
    "sentence": ("exp", True),
}
_OWN = [one for one in LANGUAGES.values() if one.metric in TOKENISERS[1:]]  # of one's own letters


def bleu(explainer: Explainer, request: Request, arguments: Arguments) -> Payload:
    """The score of a candidate against its references, with its parts.

    `scores` are from a shipped model's card, `held_out` are the sentences they were measured on.
    """
    candidate = arguments.text("candidate", LONGEST)
    given = arguments.texts("references", 1, REFERENCES, LONGEST)
    references = [text for text in given if text.strip()]
    if not references:
        raise PageError("bleu.empty")
    tokeniser = arguments.choice("tokeniser", ("auto", *TOKENISERS))
    if tokeniser == "auto":
        text = " ".join((candidate, *references))
        tokeniser = next((one.metric for one in _OWN if one.marks.search(text)), TOKENISERS[0])
    smoothing, shortened = WAYS[arguments.choice("way", tuple(WAYS))]
    folder = card.folder_of(explainer.folder)
    found = score(candidate, references, tokeniser, smoothing=smoothing, shortened=shortened)
    return {
        **found,
        "tokeniser": tokeniser,
        "smoothing": smoothing,
        "scores": [row.bleu for row in card.scores(folder)],
        "held_out": dataclasses.asdict(card.held_out(folder)),
    }


def score(
    candidate: str, references: list[str], tokeniser: str, *, smoothing: str, shortened: bool
) -> Payload:
    """BLEU by sacrebleu: tokens, every n-gram with its counts, and the parts of the score.

    For an n-gram, `most` is its highest count in any reference, and `clipped` the matches that
    count. `orders` is the number of precisions in the mean: with `shortened`, only those that the
    candidate is long enough for.
    """
    import sacrebleu  # slow to import: only with the first question

    metric = sacrebleu.BLEU(tokenize=tokeniser, smooth_method=smoothing, effective_order=shortened)
    tokens, *others = (metric.tokenizer(t.rstrip()).split() for t in (candidate, *references))
    found = metric.corpus_score([candidate], [[text] for text in references])
    long_enough = sum(total > 0 for total in found.totals) or len(ORDERS)
    mean = found.score / 100 / found.bp if found.bp > 0 else 0.0
    return {
        "tokens": tokens,
        "references": others,
        "grams": [_grams(tokens, others, order) for order in ORDERS],
        "matches": found.counts,
        "totals": found.totals,
        "precisions": [percent / 100 for percent in found.precisions],
        "orders": long_enough if shortened else len(ORDERS),
        "c": found.sys_len,
        "r": found.ref_len,
        "bp": found.bp,
        "mean": mean,
        "score": found.score,
    }


def _grams(tokens: list[str], references: list[list[str]], order: int) -> list[dict[str, Any]]:
    """The n-grams of one order, those of the candidate in order of occurrence."""
    from sacrebleu.metrics.helpers import extract_all_word_ngrams

    count, *others = (
        extract_all_word_ngrams(" ".join(text), order, order)[0] for text in (tokens, *references)
    )
    most = {gram: max(other[gram] for other in others) for gram in count}
    return [
        {"gram": " ".join(gram), "count": n, "most": most[gram], "clipped": min(n, most[gram])}
        for gram, n in count.items()
    ]


EXHIBIT = Exhibit(
    "bleu",
    {"bleu": bleu},
    {
        "longest": LONGEST,
        "references": REFERENCES,
        "orders": ORDERS,
        "tokenisers": TOKENISERS,
        "ways": tuple(WAYS),
    },
    header=(),
    opener=effects.View(effects.as_opened, effects.loses_by_brevity),
)
