"""The questions of lessons: each measure runs the model and returns options with their numbers.

The correct option is the one with the largest number, whichever model is running. A lesson's test
runs every measure on the shipped model and fails if the margin between the best two is below
`MARGIN`: a question without a clear answer teaches nothing.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, cast
from urllib.parse import parse_qs

import numpy as np

from explorer.examples import EXAMPLES
from explorer.exchange.explain import explain
from explorer.exchange.request import parse
from explorer.labels import labels
from explorer.lessons.lesson import Text
from explorer.openers.case import Case as Sentence
from explorer.openers.effects import right_steps
from model.config import KINDS, Interventions, Kind
from model.errors import ConfigError
from model.labs.playground.presets import CLAIMS, FAILED, LEARNT, RACES
from model.trace import Explanation

if TYPE_CHECKING:
    from model.explain import Explainer

MARGIN = 0.05


def both(english: str, chinese: str) -> Text:
    """A text that is the same in both languages."""
    return {"en": english, "zh": chinese}


class Option(NamedTuple):
    """One answer: its text in both languages, and the model's number for it.

    `shown` is the format of the number: a "share" of 1, a "log_prob", or not shown: a "flag" is for
    options of which exactly one is true. For a question about a change, `change` is (before,
    after).
    """

    label: Text
    value: float
    shown: str = "share"
    change: tuple[float, float] | None = None


class Case(NamedTuple):
    """The input of a measure: the model, the step's explanation, the arguments."""

    explainer: Explainer
    explanation: Explanation
    arguments: Mapping[str, str]

    def whole(self, name: str) -> int:
        """An argument counted from 1, as on the page, converted to count from 0."""
        text = self.arguments.get(name, "")
        if not text.isdecimal() or int(text) < 1:
            raise ConfigError(f"A measure needs {name}=1 or more; given: {text!r}.")
        return int(text) - 1

    def row(self) -> np.ndarray:
        """The weights of one head at one step or row, and NaN where the mask forbids."""
        kind = self.arguments.get("kind", "")
        if kind not in KINDS:
            raise ConfigError(f"A measure needs kind={'|'.join(KINDS)}; given: {kind!r}.")
        maps = self.explanation.trace.attention(kind)
        layers, heads = maps.weights.shape[:2]  # a model may have fewer than the lesson's
        layer, head = min(self.whole("layer"), layers - 1), min(self.whole("head"), heads - 1)
        return np.where(maps.mask, maps.weights[layer, head], np.nan)

    def changed(self, **interventions: Any) -> Explanation:
        """The same sentence with the modified model."""
        raw = {
            "text": self.explanation.text,
            "settings": {},
            "interventions": interventions,
        }
        return explain(self.explainer, parse(raw, self.explainer.defaults))


def strongest_word(case: Case) -> list[Option]:
    """Which source token does a head read most while one target token is written?"""
    rows = case.row()
    weights = rows[min(case.whole("step"), len(rows) - 1)]
    names = labels(case.explanation.trace.src)
    return [
        Option(both(label.line, label.line), float(w))
        for label, w in zip(names, weights, strict=True)
    ]


def before_or_after(case: Case) -> list[Option]:
    """Does an encoder head mostly read the token before, itself, the one after, or others?"""
    weights = case.row()
    n = len(weights)
    shares = [float(np.diagonal(weights, by).sum()) / n for by in (-1, 0, 1)]
    words = (
        both("the token just before", "前一个词元"), both("itself", "它自己"),
        both("the token just after", "后一个词元"), both("tokens further away", "更远的词元"),
    )  # fmt: skip
    return [Option(word, s) for word, s in zip(words, [*shares, 1 - sum(shares)], strict=True)]


def future(case: Case) -> list[Option]:
    """How much attention does a decoder position give to later ones? None, because of the mask."""
    trace = case.explanation.trace
    later = np.triu(np.ones(trace.decoder_self.weights.shape[-2:], bool), 1)
    most = float(trace.decoder_self.weights[..., later].max())
    none = most == 0.0
    return [
        Option(both("nothing at all", "一点也没有"), float(none), "flag"),
        Option(
            both("a little, below 10 %", "一点点，不到 10 %"),
            float(not none and most < 0.1),
            "flag",
        ),
        Option(both("as much as to any other", "和别的位置一样多"), float(most >= 0.1), "flag"),
    ]


def reads_source(case: Case) -> list[Option]:
    """In which of the three kinds of attention may a row read every source token?"""
    trace = case.explanation.trace
    names = {
        "encoder_self": both("encoder self-attention", "编码器自注意力"),
        "decoder_self": both("decoder self-attention", "解码器自注意力"),
        "cross": both("cross-attention", "交叉注意力"),
    }
    masks: dict[Kind, np.ndarray] = {
        "decoder_self": trace.decoder_self.mask,
        "cross": trace.cross.mask,
    }
    reads = {k: m.all() and m.shape[1] == len(trace.src) for k, m in masks.items()}
    return [Option(names[kind], float(reads.get(kind, False)), "flag") for kind in KINDS]


def without_source(case: Case) -> list[Option]:
    """Do two sentences get the same translation when no decoder layer reads the source?"""
    layers = range(len(case.explanation.trace.cross.weights))
    raw = {"text": case.arguments.get("other", "").replace("_", " "), "settings": {}}
    raw["interventions"] = {"cross_off": list(layers)}
    other = explain(case.explainer, parse(raw, case.explainer.defaults))
    own = case.changed(cross_off=list(layers))
    return _same_text(own, other)


def word_order(case: Case) -> list[Option]:
    """Without positions, do a sentence and a reordering get the same translation?"""
    raw = {"text": case.arguments.get("other", "").replace("_", " "), "settings": {}}
    raw["interventions"] = {"positions": "none", "sides": "source"}
    other = explain(case.explainer, parse(raw, case.explainer.defaults))
    return _same_text(case.changed(positions="none", sides="source"), other)


def _same_text(own: Explanation, other: Explanation) -> list[Option]:
    same = own.search.hypotheses[0].text == other.search.hypotheses[0].text
    return [
        Option(both("the same translation", "译文相同"), float(same), "flag"),
        Option(both("two different translations", "译文不同"), float(not same), "flag"),
    ]


def head_off(case: Case) -> list[Option]:
    """Does the translation change when one head is switched off?"""
    head = [case.arguments.get("kind", ""), case.whole("layer"), case.whole("head")]
    after = case.changed(heads_off=[head]).search.hypotheses[0].text
    stays = after == case.explanation.search.hypotheses[0].text
    return [
        Option(both("it changes", "会变"), float(not stays), "flag"),
        Option(both("it stays the same", "不变"), float(stays), "flag"),
    ]


def aligning_head(case: Case) -> list[Option]:
    """Which of some cross-attention heads reads the word that the written token depends on?

    The number is the share of steps at which it does; rows=reads labels rows by the token read.
    """
    sentence = Sentence(case.explainer, case.explanation.text)
    rows = case.arguments.get("rows", "writes")
    found = []
    for name in case.arguments.get("heads", "").split(","):
        layer, _, head = name.partition(".")
        right, count = right_steps(sentence, {"layer": layer, "head": head, "rows": rows})
        label = both(f"layer {layer}, head {head}", f"第 {layer} 层第 {head} 个头")
        found.append(Option(label, right / max(1, count)))
    return found


def names_of_rows(case: Case) -> list[Option]:
    """Which row label fits the words that a head reads: the token written, or the token read?"""
    sentence = Sentence(case.explainer, case.explanation.text)
    place = {"layer": str(case.whole("layer") + 1), "head": str(case.whole("head") + 1)}
    names = {
        "writes": both("the token this step writes", "这一步写出的词元"),
        "reads": both("the token this step has just read", "这一步刚读入的词元"),
    }
    found = {rows: right_steps(sentence, {**place, "rows": rows}) for rows in names}
    return [Option(names[rows], right / max(1, count)) for rows, (right, count) in found.items()]


def best_at(case: Case) -> list[Option]:
    """Which hypothesis of the search is best under a different length penalty?"""
    search = case.explanation.search
    alpha = float(case.arguments.get("alpha", "1"))
    other = dataclasses.replace(search.config, length_penalty=alpha)
    texts = list(dict.fromkeys(one.text for one in search.hypotheses))
    best = max(search.hypotheses, key=lambda one: one.log_prob / other.penalty(len(one.path)))
    return [Option(both(text, text), float(text == best.text), "flag") for text in texts]


def deciding_part(case: Case) -> list[Option]:
    """Which kind of component puts the written token ahead of its closest rival? Sums of logits."""
    from model.labs.why.split import why  # imports torch

    step = case.whole("step")
    trace = case.explanation.trace
    written = int(trace.tgt_out.ids[step])
    rival = next(int(i) for i in trace.top_ids[step] if i != written)
    split = why(case.explainer, case.explanation, step, rival)
    parts = (
        (both("cross-attention", "交叉注意力"), split.cross),
        (both("the decoder's self-attention", "解码器自注意力"), split.decoder_self),
        (both("the feed-forward networks", "前馈网络"), split.feed_forward),
    )
    return [Option(word, float(values.sum()), "flag") for word, values in parts]


def resting_token(case: Case) -> list[Option]:
    """Which token does a head of the decoder's self-attention read most over the whole sentence?

    Shares of its weight in the rows that may read three tokens or more.
    """
    weights = case.explanation.trace.decoder_self.weights[case.whole("layer"), case.whole("head")]
    shares = [
        float(column.mean())
        for column in (weights[2:, 0], np.diagonal(weights, -1)[1:], np.diagonal(weights)[2:])
    ]
    words = (
        both("the start token <s>", "起始词元 <s>"), both("the token before", "前一个词元"),
        both("the token just read", "刚读入的词元"), both("all others together", "其余词元合起来"),
    )  # fmt: skip
    return [Option(word, s) for word, s in zip(words, [*shares, 1 - sum(shares)], strict=True)]


def resting_part(case: Case) -> list[Option]:
    """What that was written at <s> makes a head of the decoder prefer it to the next heaviest key?

    Parts of the key, summed over all rows with a choice; as shares of those that speak for it.
    """
    from model.labs.grounds import writer  # imports torch
    from model.labs.looks import look

    weights = case.explanation.trace.decoder_self.weights[case.whole("layer"), case.whole("head")]
    names = {
        "embedding": both("the vector of <s> itself", "<s> 自己的词向量"),
        "position": both("its position", "它的位置"),
        "heads": both("what heads wrote there", "各个头写在那里的内容"),
        "feed-forward": both("what feed-forward networks wrote there", "前馈网络写在那里的内容"),
    }
    sums = dict.fromkeys(names, 0.0)
    for row in range(1, len(weights)):
        other = 1 + int(weights[row, 1 : row + 1].argmax())
        place = case.whole("layer"), case.whole("head"), row, 0, other
        split = look(case.explainer, case.explanation, "decoder_self", *place)
        for part, value in zip(split.key_parts, split.table.sum(0), strict=True):
            if (who := writer(part)) in sums:
                sums[who] += float(value)
    whole = sum(max(0.0, value) for value in sums.values())
    return [Option(word, max(0.0, sums[who]) / whole) for who, word in names.items()]


def claimed(case: Case) -> list[Option]:
    """What does a model of letters learn without a component? From recorded playground runs."""
    runs = json.loads(CLAIMS.read_text("utf-8"))[case.arguments.get("preset", "")]
    before, after = (
        float(np.mean([one["free_accuracy"] for one in runs[which]]))
        for which in ("first", "second")
    )
    words = (both("almost all", "几乎全部"), both("some", "一部分"), both("few", "很少"))
    right = 0 if after >= LEARNT else 2 if after < FAILED else 1
    options = [(word, float(i == right)) for i, word in enumerate(words)]
    return _changes(options, before, after, "share")


def rows_trained(case: Case) -> list[Option]:
    """Which rows of a learned table of places does training change? Those with a gradient."""
    from model.labs.playground.run import touched_rows  # imports torch

    races = {race.name: race for race in RACES}
    settings = races[case.arguments.get("race", "")].runs["bart"]
    rows, count = touched_rows(settings)
    first = settings.length + 1  # its letters and the end
    return [
        Option(both("all of them", "全部"), float(len(rows) == count), "flag"),
        Option(
            both(f"the first {first}", f"前 {first} 行"), float(rows == [*range(first)]), "flag"
        ),
        Option(both("none", "一行也没有"), float(not rows), "flag"),
    ]


def without_mask(case: Case) -> list[Option]:
    """How does the output's log-prob change when this model loses its causal mask?"""
    trace = case.explanation.trace
    ids = trace.tgt_out.ids.tolist()
    changed = Interventions(causal_mask=False)
    other = case.explainer.trace(case.explanation.text, ids, interventions=changed)
    falls = both("it falls: the model never learned to look ahead", "下降：模型从没学过往后看")
    rises = both("it rises: now it can see the answer", "上升：现在能看到答案了")
    before, after = float(trace.log_prob.sum()), float(other.log_prob.sum())
    return _changes([(falls, before - after), (rises, after - before)], before, after, "log_prob")


def _changes(
    options: list[tuple[Text, float]], before: float, after: float, shown: str
) -> list[Option]:
    """Options for a change in a number: the correct one states both numbers, the others none."""
    most = max(value for _, value in options)
    return [
        Option(label, value, shown, (before, after))
        if value == most
        else Option(label, value, "flag")
        for label, value in options
    ]


def most_likely(case: Case) -> list[Option]:
    """Which token of a step has the largest probability, and how large is it?"""
    steps = case.explanation.search.steps
    step = steps[min(case.whole("step"), len(steps) - 1)]
    first = [i for i in range(len(step)) if step.parents[i] == step.parents[0]]
    best = sorted(first, key=lambda i: -step.log_probs[i])[:4]
    return [
        Option(both(step.pieces[i], step.pieces[i]), float(np.exp(step.log_probs[i]))) for i in best
    ]


def beam_or_greedy(case: Case) -> list[Option]:
    """Which beam width finds the most likely text in the language of five letters?"""
    from model.labs.toy import EXAMPLE, exhaustive, toy_search

    length = 3
    best = exhaustive(EXAMPLE, length)
    found = {w: toy_search(EXAMPLE, w, length).hypotheses[0].text for w in (1, 2, 3, 4)}
    chance = {one.text: one.probability for one in best}
    top = best[0].probability
    words = {
        1: both("greedy (one beam)", "贪心（1 束）"),
        2: both("two beams", "2 束"),
        3: both("three beams", "3 束"),
        4: both("four beams", "4 束"),
    }
    right = min((w for w in found if chance[found[w]] == top), default=4)
    return [Option(words[w], chance[found[w]] / top + (w == right), "flag") for w in (1, 2, 3, 4)]


def temperature(case: Case) -> list[Option]:
    """How does the most likely next token's probability change at twice the temperature?"""
    log_probs = _next(case)
    hot = np.exp(log_probs / 2) / np.exp(log_probs / 2).sum()
    before, after = float(np.exp(log_probs).max()), float(hot.max())
    changes = [
        (both("it falls", "变小"), before - after),
        (both("it stays the same", "不变"), 0.0),
        (both("it rises", "变大"), after - before),
    ]
    return _changes(changes, before, after, "share")


def nucleus(case: Case) -> list[Option]:
    """How many tokens does top-p = 0.9 keep at a step?"""
    chances = np.sort(np.exp(_next(case)))[::-1]
    kept = int(np.searchsorted(np.cumsum(chances), 0.9) + 1)
    return [
        Option(both("one", "1 个"), float(kept == 1), "flag"),
        Option(both("two to ten", "2 到 10 个"), float(2 <= kept <= 10), "flag"),
        Option(both("eleven to a hundred", "11 到 100 个"), float(11 <= kept <= 100), "flag"),
        Option(both("more than a hundred", "100 个以上"), float(kept > 100), "flag"),
    ]


def _next(case: Case) -> np.ndarray:
    """Log-probs (V,) before the lesson's step, without impossible tokens."""
    ids = case.explanation.trace.tgt_out.ids.tolist()[: case.whole("step")]
    explainer = cast("Any", case.explainer)
    found = explainer.next_log_probs(case.explanation.text, ids).astype(float)
    return found[np.isfinite(found)]


MEASURES: Mapping[str, Callable[[Case], list[Option]]] = {
    measure.__name__: measure
    for measure in (
        strongest_word, before_or_after, future, reads_source, without_source, word_order, head_off,
        aligning_head, names_of_rows, best_at, deciding_part, resting_token, resting_part, claimed,
        rows_trained, without_mask, most_likely, beam_or_greedy, temperature, nucleus,
    )
}  # fmt: skip


def options(
    explainer: Explainer, show: str, ask: str, arguments: Mapping[str, str]
) -> list[Option]:
    """Answer a step's question with the running model.

    Raises:
        ConfigError: no such measure, or an argument is missing.
        HeadlightError: the model refuses the step's sentence.
    """
    if ask not in MEASURES:
        raise ConfigError(f"'ask: {ask}' is not a measure; there are {', '.join(MEASURES)}.")
    text = parse_qs(show).get("text", [""])[0]
    raw = {"text": text or EXAMPLES[0].text, "settings": {}}
    explanation = explain(explainer, parse(raw, explainer.defaults))
    return MEASURES[ask](Case(explainer, explanation, arguments))


def margin(found: list[Option]) -> float:
    """The lead of the best option over the second, as a share of the best."""
    best, second, *_ = sorted((option.value for option in found), reverse=True)
    return (best - second) / abs(best) if best else 0.0
