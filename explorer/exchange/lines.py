"""The reader's line: what a text of another language says, by a shipped model that reads it.

A visitor who cannot read a translation sees from it what a broken mask or an untrained model wrote.
It is a translation of a translation, so it has that model's own mistakes too.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from explorer.exchange.question import Arguments, Payload
from explorer.exchange.request import MAX_CHARACTERS
from model.cache import ResultCache
from model.errors import InputError
from model.labs.doubt import judge
from model.labs.lost import lost_words
from model.trace import Hypothesis
from model.translate import on_one_line

if TYPE_CHECKING:
    from model.explain import Explainer

LINES = "lines"  # the question, and the call that carries it (explorer/calls.py)
MAX_TEXTS = 20  # of one request: a view shows at most sixteen beams and a few texts besides
TOGETHER = 8  # texts of one search; what has no time left is left out by as many
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
    known = _known(explainer, texts)
    found = [known.get(text) for text in texts]
    if not arguments.given("of"):
        return {LINES: found}
    source, back = arguments.text("of", MAX_CHARACTERS), found[0]
    lost = lost_words(source, texts[0], back["text"], explainer) if back else ()
    return {LINES: found, "lost": [one._asdict() for one in lost]}


def _known(explainer: Explainer, texts: list[str]) -> dict[str, Payload]:
    """The lines of texts; those that are not kept are searched a few at a time."""
    kept = _kept.setdefault(explainer, ResultCache(MAX_KEPT))
    known = {text: line for text in texts if (line := kept.find(text)) is not None}
    new = [text for text in dict.fromkeys(texts) if text not in known and _reads(explainer, text)]
    try:
        for few in (new[i : i + TOGETHER] for i in range(0, len(new), TOGETHER)):
            for text, best in zip(few, explainer.best(few), strict=True):
                known[text] = kept.get(text, partial(_line, explainer, text, best))
    except InputError:  # the time is up
        pass
    return known


def _reads(explainer: Explainer, text: str) -> bool:
    try:
        explainer.rules_of(explainer.read(text))
    except InputError:  # too long, say, or for a model of many languages without the code of one
        return False
    return True


def _line(explainer: Explainer, text: str, best: Hypothesis) -> Payload:
    return {"text": on_one_line(best), "unsure": _is_doubtful(explainer, text, best)}


def _is_doubtful(explainer: Explainer, text: str, best: Hypothesis) -> bool:
    if explainer.thresholds is None:
        return False
    end = [explainer.rules.end_id] if best.finished else []
    trace = explainer.apart().trace(text, [*best.ids, *end])
    return bool(judge(explainer, trace, explainer.thresholds).reasons)
