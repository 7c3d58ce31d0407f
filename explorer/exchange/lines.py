"""The reader's line: what a text of another language says, by a shipped model that reads it.

A visitor who cannot read a translation sees from it what a broken mask or an untrained model wrote.
It is a translation of a translation, so it has that model's own mistakes too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from explorer.exchange.payload import doubts
from explorer.exchange.question import Arguments, Payload
from explorer.exchange.request import MAX_CHARACTERS
from model.cache import ResultCache
from model.errors import InputError
from model.labs.lost import lost_words

if TYPE_CHECKING:
    from model.explain import Explainer

LINES = "lines"  # the question, and the call that carries it (explorer/calls.py)
MAX_TEXTS = 20  # of one request: a view shows at most sixteen beams and a few texts besides
MAX_KEPT = 2**20  # bytes of lines; one has some 200

# Apart from the results of visitors: a class's records would evict the lines of a long request
# before it is asked again, and its searches would evict theirs.
_kept: WeakKeyDictionary[Explainer, ResultCache] = WeakKeyDictionary()


def lines(explainer: Explainer, arguments: Arguments) -> Payload:
    """The lines of some texts, in their order: {lines: [{text, unsure} or null, ...], lost}.

    `unsure`: the translation has a reason for doubt. null stands for a text that the model refuses,
    and for what was left when the time was up: the other lines are shown without it.

    `of` is the source that the first text translates, by a model whose way back this one is; then
    `lost` has the words of it that the translation seems to lack: [{text, begin, end}, ...].
    """
    texts = arguments.texts("texts", 1, MAX_TEXTS, MAX_CHARACTERS)
    found = [_line(explainer, text) for text in texts]
    if not arguments.given("of"):
        return {LINES: found}
    source, back = arguments.text("of", MAX_CHARACTERS), found[0]
    lost = lost_words(source, texts[0], back["text"], explainer) if back else ()
    return {LINES: found, "lost": [one._asdict() for one in lost]}


def _line(explainer: Explainer, text: str) -> Payload | None:
    try:
        kept = _kept.setdefault(explainer, ResultCache(MAX_KEPT))
        return kept.get(text, lambda: _translated(explainer, text))
    except InputError:
        return None


def _translated(explainer: Explainer, text: str) -> Payload:
    """As the command writes it, `python -m model.translate`, on one line."""
    explanation = explainer.apart().explain(text, explainer.decoding())
    return {
        "text": " ".join(explanation.search.hypotheses[0].text.split()),
        "unsure": doubts(explanation, explainer) is not None,
    }
