"""The mask laboratory: what each query of a batch may read, and how masks hide the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from explorer.exchange.packing import pack
from explorer.exchange.payload import read_labels, token_labels
from explorer.exchange.question import Arguments, Payload
from explorer.exchange.request import PageError, Request
from explorer.exhibit import Exhibit, Wanted
from explorer.openers import effects
from model.config import SIDES, UNTOUCHED, DecodeConfig, Head, Interventions, Side
from model.limits import MAX_SOURCE_TOKENS
from model.text.languages import language_of_all
from model.trace import Explanation

if TYPE_CHECKING:
    from model.explain import Explainer

Float32 = npt.NDArray[np.float32]

LONGEST = 400  # characters of a sentence
MOST_TOKENS = MAX_SOURCE_TOKENS  # of a sentence on either side
SENTENCES = (2, 4)
# Sentences beside the visitor's own, of all lengths, and what makes that sentence a little longer:
# the batch is about it, and has no more padding than one can count. By the language of the sentence.
OTHERS = {
    "en": (
        "I like cats.",
        "No.",
        "She is a good student.",
        "My brother and his friends often play football.",
        "When I was a child, my grandmother used to tell me stories in the evening.",
        "My father bought a new car last week, my mother sold her old bicycle, and my sister gave me "
        "her red umbrella.",
    ),
    "zh": (
        "我喜欢猫。",
        "不。",
        "她是个好学生。",
        "我哥哥常和朋友们一起踢足球。",
        "我小的时候，奶奶常常在晚上给我讲故事。",
        "上个星期我爸爸买了一辆新车，我妈妈卖了她的旧自行车，我妹妹把她的红雨伞给了我。",
    ),
    "de": (
        "Ich mag Katzen.",
        "Nein.",
        "Sie ist eine gute Schülerin.",
        "Mein Bruder und seine Freunde spielen oft Fußball.",
        "Als ich ein Kind war, erzählte mir meine Großmutter abends oft Geschichten.",
        "Letzte Woche hat mein Vater ein neues Auto gekauft, meine Mutter hat ihr altes Fahrrad "
        "verkauft, und meine Schwester hat mir ihren roten Regenschirm gegeben.",
    ),
}
LONGER = {"en": "Yes: ", "zh": "是的：", "de": "Ja: "}
ADDED = 5  # tokens that this may add
BESIDE = 4  # tokens by which the others' translations may be longer than the sentence's own


def batch(explainer: Explainer, request: Request, arguments: Arguments) -> Payload:
    """Two to four sentences, each with the model's own greedy translation, as tokens.

    `scores` (layer, head, query, key) are the encoder's for the shortest sentence, padded to the
    longest, before mask and softmax, and their `bias` by distance, or null; `worst` is the row
    whose padding would get the most attention if its scores were set to 0. `biases`: see
    `_biases`. The original model always answers.

    Raises:
        HeadlightError: a sentence that is empty or too long.
    """
    sentences = arguments.texts("sentences", *SENTENCES, LONGEST)
    rows, lengths = [], []
    for number, sentence in enumerate(sentences, 1):
        if not sentence.strip():
            raise PageError("masks.empty", n=number)
        n_tokens = len(explainer.tokenizer.encode_source(sentence))
        if n_tokens > MOST_TOKENS:
            raise PageError("masks.long", n=number, count=n_tokens, limit=MOST_TOKENS)
        most = min(MOST_TOKENS, explainer.defaults.max_length)
        config = replace(explainer.defaults, method="greedy", max_length=most)
        trace = explainer.explain(sentence, config).trace
        rows.append({"src": token_labels(trace.src), "tgt": read_labels(trace)})
        lengths.append((n_tokens, number - 1))
    (shortest, which), longest = min(lengths), max(lengths)[0]
    return {
        "rows": rows,
        "scores": _scores(explainer, sentences[which], longest - shortest),
        "which": which,
        "biases": _biases(explainer),
    }


def _biases(explainer: Explainer) -> Payload | None:
    """The least and the greatest bias of all layers and heads: {reach, source, target: {low, high}}.

    Each packed float32, by distance from -reach to reach; None in a model whose positions are
    vectors.
    """
    if explainer.model.config.positions != "relative":
        return None
    from model.labs.dissect import distance_tables  # torch is imported with the first question

    reach = MOST_TOKENS - 1

    def packed(side: Side) -> Payload:
        tables, buckets = distance_tables(explainer.model, side, reach)
        by_distance = tables[:, buckets]
        return {"low": pack(by_distance.min((0, 2))), "high": pack(by_distance.max((0, 2)))}

    return {"reach": reach, **{str(side): packed(side) for side in SIDES}}


def _scores(explainer: Explainer, sentence: str, padding: int) -> Payload:
    """The encoder's scores for a padded sentence; the mask is on, so its states are correct."""
    interventions = Interventions(padding=padding) if padding else UNTOUCHED
    config = DecodeConfig(method="greedy", max_length=1)
    maps = explainer.explain(sentence, config, interventions=interventions).trace.encoder_self
    layers, heads, queries, keys = maps.weights.shape
    products = replace(maps, bias=None)
    by_head = [[products.scores(layer, head) for head in range(heads)] for layer in range(layers)]
    scores = np.array(by_head, dtype=np.float32)[:, :, : queries - padding]
    bias = None if maps.bias is None else maps.bias[:, :, : queries - padding]
    added = scores if bias is None else scores + bias
    worst = np.unravel_index(_leak(added, padding or 1).argmax(), scores.shape[:3])
    return {
        "layers": layers,
        "heads": heads,
        "queries": queries - padding,
        "keys": keys,
        "padding": padding,
        "worst": dict(zip(("layer", "head", "query"), map(int, worst), strict=True)),
        "values": pack(scores),
        "bias": None if bias is None else pack(bias),
    }


def _leak(scores: Float32, n_masked: int) -> Float32:
    """The attention that each row gives to the last keys if their scores are set to 0."""
    zeroed = scores.copy()
    zeroed[..., -n_masked:] = 0
    exps = np.exp(zeroed - zeroed.max(-1, keepdims=True))
    leak: Float32 = exps[..., -n_masked:].sum(-1) / exps.sum(-1)
    return leak


def wanted(explanation: Explanation, _: Head) -> list[Wanted]:
    """The initial batch of the view: the visitor's sentence, if it fits, one a little longer, and a
    shorter example.
    """
    explainer = explanation.explainer
    trace, text = explanation.trace, explanation.text
    fits = bool(text.strip()) and len(text) <= LONGEST and len(trace.src) <= MOST_TOKENS
    code = language_of_all((text,), among=OTHERS).code
    own = explainer.tokenizer.examples if explainer else ()
    examples = own or OTHERS[code]
    first = text if fits else examples[0]
    is_long = fits and len(trace.src) + ADDED > MOST_TOKENS
    longer = "" if own or is_long else LONGER[code] + first
    sentences = usual(first, longer if len(longer) <= LONGEST else "", examples)
    return [Wanted("batch", {"sentences": sentences}, {"sentences": sentences})]


def usual(text: str, longer: str, examples: Sequence[str]) -> list[str]:
    """A sentence; a longer one, of the examples if none is given; and a shorter example."""
    others = sorted((one for one in examples if one != text), key=len) or [text]
    longer = longer or next((one for one in others if len(one) > len(text)), others[-1])
    shorter = [one for one in others if one != longer and len(one) <= len(text)]
    return [text, longer, shorter[-1] if shorter else others[0]]


EXHIBIT = Exhibit(
    "masks",
    {"batch": batch},
    {
        "longest": LONGEST,
        "tokens": MOST_TOKENS,
        "longer": LONGER,
        "added": ADDED,
        "beside": BESIDE,
        "fewest": SENTENCES[0],
        "most": SENTENCES[1],
        "others": OTHERS,
    },
    saved=True,
    wanted=wanted,
    opener=effects.ANY,
)
