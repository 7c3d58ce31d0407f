"""What the views about attention say first, of ten odd sentences: short, whole, and true."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import quote

import numpy as np

from explorer.labels import labels
from model.config import UNTOUCHED, DecodeConfig, Interventions
from model.explain import Explainer
from tests.stage import Stage
from tests.tiers import each

SENTENCES = (
    "I",
    "No no no no no.",
    "I ❤️ 🍕!",
    "?",
    "12345 67890",
    "<b>bold</b> & </s>",
    "the the The THE the",
    "Donaudampfschifffahrtsgesellschaft",
    "She said: “I don't know — ask him, or her, or nobody.”",
    "I met him at the station yesterday and we talked about the old times at school, "
    "because we had not seen each other for more than ten long years.",
)
MAX_WORDS = 20


def finding(page: Stage, name: str) -> str:
    page.choose(exhibit=name)
    said = page.finding(name)
    assert 0 < len(said.split()) <= MAX_WORDS, (name, said)
    assert not re.search(r"undefined|null|NaN|[{}]", said), (name, said)
    return said


def by_word(weights: np.ndarray, joined: list[bool]) -> np.ndarray:
    """The weights of a word's pieces, added at its first piece."""
    sums, first = np.zeros_like(weights), 0
    for i, weight in enumerate(weights):
        first = first if joined[i] else i
        sums[first] += weight
    return sums


@each("sentence", SENTENCES, 1)
def test_what_is_said_first_is_short_and_true(
    open_stage: Callable[..., Stage], explainer: Explainer, sentence: str
) -> None:
    page = open_stage(f"?view=attention&kind=cross&layer=2&head=1&step=1&text={quote(sentence)}")
    trace = explainer.explain(sentence, DecodeConfig()).trace
    weights = trace.cross.weights[1, 0, 0].astype(np.float64)
    said = finding(page, "attention")
    read, written = (labels(side) for side in (trace.src, trace.tgt_out))
    share = re.search(r"([\d.]+) %", said)
    words = by_word(weights, [label.joined for label in read])  # the view folds pieces into words
    assert share is not None and abs(float(share[1]) - 100 * words.max()) < 0.11, said
    assert "2·1" in said
    assert read[int(words.argmax())].text.split()[0] in said and written[0].text[:1] in said

    said = finding(page, "microscope")
    percent, score, count = re.findall(r"−?\d+(?:\.\d+)?", said.rsplit("gives", 1)[1])[-3:]
    scores = trace.cross.keys[1, 0] @ trace.cross.queries[1, 0, 0] / np.sqrt(32)
    assert abs(float(percent) - 100 * weights.max()) < 0.11, said
    assert abs(float(score.replace("−", "-")) - scores.max()) < 0.0051, said
    assert int(count) == len(weights) and read[int(scores.argmax())].text.split()[0] in said

    without = explainer.explain(sentence, interventions=Interventions(positions="none"))
    plain = explainer.explain(sentence, interventions=UNTOUCHED)
    draft = "headlight.page.choices.merge({ 'experiments.draft': '{\"positions\":\"none\"}' })"
    page.evaluate(draft)
    said = finding(page, "experiments")
    changes = plain.trace.tgt_out.text != without.trace.tgt_out.text
    assert said.startswith("No positions: ") and ("stays the same" in said) == (not changes)
    assert f"{plain.trace.log_prob.sum():.3f}".replace("-", "−") in said

    said = finding(page, "masks")
    may, keys = re.findall(r"\d+", said.split(" may read ")[1])[:2]
    assert (int(may), "may read" in said) == (1, True) and int(keys) >= 1

    for name in ("summaries", "compare", "positions", "byhand", "scaling", "library", "cheat"):
        finding(page, name)
    assert page.errors == []


# Words with a hyphen at which a line could be broken, in findings, headings and heads of tables.
PARTED = """(name) => {
    const textsOf = (one) => [...one.childNodes].flatMap((node) => node.nodeType === 3
        ? (one.closest('.hl-glued') ? [] : [node.data]) : textsOf(node));
    const heads = ['.hl-finding', '.hl-numbers h3', '.hl-numbers thead th'];
    return heads.flatMap((one) => [...document.querySelectorAll(`#panel-${name} ${one}`)])
        .flatMap(textsOf)
        .filter((text) => /[a-z]-[a-z]/i.test(text));
}"""


def test_no_line_breaks_within_a_log_prob(open_stage: Callable[..., Stage]) -> None:
    page = open_stage("?view=steps&text=Hello.")
    heads = 0
    for name in ("steps", "compare", "experiments", "tree", "lens", "cheat", "toy", "attention"):
        page.choose(exhibit=name)
        page.unfold(name, "numbers")
        assert page.evaluate(PARTED, name) == [], name
        named = page.locator(f"#panel-{name} thead th").all_text_contents()
        assert not any("{" in one for one in named), named  # the words of something else
        heads += page.locator(f"#panel-{name} :is(th, h3, h2) .hl-glued", "log-prob").count()
    assert heads > 5
    assert page.errors == []
