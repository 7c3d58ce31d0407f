"""Lessons: files that are read or refused, and questions that each model answers clearly."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qs

import numpy as np
import pytest
import torch

from explorer import exhibits, lessons, recorded
from explorer.exchange.question import Arguments
from explorer.exchange.request import parse
from explorer.exhibits.lessons import lesson
from explorer.lessons import measures
from explorer.lessons.lesson import Step, read, worded
from model.config import DecodeConfig
from model.errors import ConfigError
from model.explain import Explainer
from model.labs.toy import EXAMPLE, exhaustive, toy_search
from model.shipped import FIRST, PAIRS
from model.trace import Hypothesis

ALL = lessons.load()
ASKED = [(name, i) for name, one in ALL.items() for i, s in enumerate(one.steps) if s.ask]


@pytest.fixture(scope="module", params=recorded.opening())
def shipped(request: pytest.FixtureRequest) -> Explainer:
    """Each model that a page opens with, if it is there."""
    return Explainer.load(request.param, device="cpu")


def step_of(name: str, i: int, model: str = FIRST) -> Step:
    return lessons.load(model)[name].steps[i]


def place_of(name: str, ask: str) -> int:
    """Of the step that asks this."""
    (place,) = (i for i, step in enumerate(ALL[name].steps) if step.ask == ask)
    return place


def answer(explainer: Explainer, name: str, i: int) -> dict[str, Any]:
    request = parse({"text": "I am a student.", "settings": {}})
    return lesson(explainer, request, Arguments({"lesson": name, "step": i}))


@pytest.mark.parametrize(
    ("files", "order"),
    [
        (("9-nine.md", "10-ten.md", "1-one.md"), ["one", "nine", "ten"]),
        (("100-c.md", "20-b.md", "3-a.md"), ["a", "b", "c"]),
        (("2-b-2.md", "1-z-10.md"), ["z-10", "b-2"]),  # numbers in a name count for nothing
        (("12-b.md", "02-a.md"), ["a", "b"]),
        (("1-a.md", "notes.md", "x-2.md", "2x-b.md", "2-b.txt"), ["a"]),
    ],
)
def test_a_files_number_is_its_place(
    files: tuple[str, ...],
    order: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = (lessons.FOLDER / "1-one-head.md").read_text("utf-8")
    for name in files:
        (tmp_path / name).write_text(text, "utf-8")
    monkeypatch.setattr(lessons, "FOLDER", tmp_path)
    assert list(lessons.load.__wrapped__()) == order


@pytest.mark.parametrize("model", [pair.name for pair in PAIRS if pair.opens])
def test_they_are_complete_in_both_languages(model: str) -> None:
    """For every model that a page opens with, also where its weights are not there."""
    own = lessons.load(model)
    assert len(own) == len(list(lessons.FOLDER.glob("*.md")))
    names = {exhibit.name for exhibit in exhibits.load()}
    asked = [(name, i) for name, one in own.items() for i, s in enumerate(one.steps) if s.ask]
    assert asked == ASKED
    for one in own.values():
        assert 3 <= len(one.steps) <= 6 and any(step.ask for step in one.steps)
        assert any("say why" in step.parts for step in one.steps)
        for step in one.steps:
            for query in filter(None, (step.show, step.then)):
                shown = parse_qs(query)
                assert shown["view"][0] in names and shown["text"]
            texts = [step.title, *step.told, *(t for part in step.parts.values() for t in part)]
            for text in texts:
                assert any("\u4e00" <= c <= "\u9fff" for c in text["zh"])
                assert not any("\u4e00" <= c <= "\u9fff" for c in text["en"])


def test_whoever_is_new_needs_six_minutes() -> None:
    """For what the page calls lesson 1: as it is read aloud, and a minute for each question."""
    first, *_ = lessons.load("en-de").values()
    texts = [text["en"] for step in first.steps for text in step.told]
    texts += [t["en"] for step in first.steps for part in step.parts.values() for t in part]
    questions = sum(step.ask is not None for step in first.steps)
    assert sum(len(text.split()) for text in texts) / 120 + questions <= first.minutes <= 6


# What each question of fact must answer, whatever the weights: worked out, not measured.
FACTS = {
    ("three-attentions", "future"): "nothing at all",
    ("three-attentions", "reads_source"): "cross-attention",
    ("three-attentions", "without_source"): "the same translation",
    ("order", "word_order"): "the same translation",
    ("sampling", "temperature"): "it falls",
    ("what-changed", "rows_trained"): "the first 9",
}


def test_every_fact_is_asked() -> None:
    assert {(name, str(step_of(name, i).ask)) for name, i in ASKED} >= FACTS.keys()


@pytest.mark.slow
@pytest.mark.parametrize(("name", "i"), ASKED)
def test_the_shipped_model_answers_clearly(shipped: Explainer, name: str, i: int) -> None:
    """A fact as the paper has it; and a log-prob or a difference is never written as a share."""
    found = answer(shipped, name, i)
    assert found["margin"] >= measures.MARGIN
    values = [option["value"] for option in found["options"]]
    assert found["right"] == int(np.argmax(values)) and len(values) >= 2
    fact = FACTS.get((name, str(step_of(name, i).ask)))
    assert fact in (None, found["options"][found["right"]]["label"]["en"])
    for option in found["options"]:
        assert option["shown"] in ("share", "log_prob", "flag")
        numbers = option["change"] or [option["value"]]
        assert option["shown"] != "share" or all(0 <= number <= 1 for number in numbers)


def test_a_change_says_what_was_and_what_became(shipped: Explainer) -> None:
    i = place_of("masks", "without_mask")
    found = answer(shipped, "masks", i)
    right = found["options"][found["right"]]
    before = shipped.explain(
        parse_qs(step_of("masks", i, shipped.name).show)["text"][0]
    ).trace.log_prob.sum()
    assert right["change"][0] == pytest.approx(before, abs=1e-4)
    assert right["value"] == pytest.approx(abs(right["change"][1] - before), abs=1e-4)
    assert [o["shown"] for o in found["options"] if o is not right] == ["flag"]


def test_numbers_are_those_of_the_record(shipped: Explainer) -> None:
    i = place_of("one-head", "strongest_word")
    step = step_of("one-head", i, shipped.name)
    where = {k: int(v) - 1 for k, v in step.arguments.items() if k != "kind"}
    trace = shipped.explain(parse_qs(step.show)["text"][0]).trace
    row = trace.cross.weights[where["layer"], where["head"], where["step"]]
    found = answer(shipped, "one-head", i)
    assert [o["value"] for o in found["options"]] == pytest.approx(row.tolist(), abs=1e-6)
    i = place_of("one-head", "before_or_after")
    step = step_of("one-head", i, shipped.name)
    trace = shipped.explain(parse_qs(step.show)["text"][0]).trace
    weights = trace.encoder_self.weights[1, 1]
    after = sum(float(weights[n, n + 1]) for n in range(len(weights) - 1)) / len(weights)
    found = answer(shipped, "one-head", i)
    assert found["options"][2]["value"] == pytest.approx(after, abs=1e-6)
    assert sum(o["value"] for o in found["options"]) == pytest.approx(1, abs=1e-5)


def test_the_beam_question_is_that_of_the_toy(shipped: Explainer) -> None:
    i = place_of("beam", "beam_or_greedy")
    best = exhaustive(EXAMPLE, 3)[0].text
    winners = [w for w in (1, 2, 3, 4) if toy_search(EXAMPLE, w, 3).hypotheses[0].text == best]
    assert answer(shipped, "beam", i)["right"] == winners[0] - 1


@pytest.mark.parametrize(
    ("form", "alpha", "best"),
    [  # -1 / 2 and -4 / 10; -1 / (7 / 6) and -4 / (15 / 6)
        ("average", "1", "long"),
        ("gnmt", "1", "short"),
        ("average", "0", "short"),
        ("average", "0.5", "short"),  # -1 / 1.41 and -4 / 3.16
        ("gnmt", "2", "long"),  # -1 / 1.36 and -4 / 6.25
    ],
)
def test_the_best_has_the_penalty_of_the_search(form: Any, alpha: str, best: str) -> None:
    """Worked by hand, for two texts of 2 and 10 tokens."""
    both = (
        Hypothesis("short", (), -1.0, 0.0, True, (0,) * 2),
        Hypothesis("long", (), -4.0, 0.0, True, (0,) * 10),
    )
    search: Any = SimpleNamespace(config=DecodeConfig(penalty_form=form), hypotheses=both)
    explanation: Any = SimpleNamespace(search=search)
    nobody: Any = None
    found = measures.best_at(measures.Case(nobody, explanation, {"alpha": alpha}))
    assert [one.label["en"] for one in found if one.value] == [best]


@pytest.mark.slow
def test_random_weights_fail(shipped: Explainer) -> None:
    """The twin: with other weights some answer flips or becomes a close call."""
    torch.manual_seed(3)
    other = Explainer.load(shipped.name, device="cpu")
    with torch.no_grad():
        for parameter in other.model.parameters():
            if parameter.ndim > 1:
                parameter.copy_(torch.randn_like(parameter) * parameter.std())
    asked = ((answer(shipped, name, i), answer(other, name, i)) for name, i in ASKED)
    assert any(
        theirs["margin"] < measures.MARGIN or ours["right"] != theirs["right"]
        for ours, theirs in asked
    )


HEAD = "# One | 一\n\nminutes: 5\nlearn: A | 甲\n\n## A | 甲\n"


@pytest.mark.parametrize(
    ("markdown", "sentence"),
    [
        ("", "does not begin with"),
        ("# One | 一\n\nminutes: 5\n", "does not begin with"),
        (HEAD.replace(" | 一", "") + "show: view=tree\n", "is not 'English | 中文'"),
        (HEAD + "\nHello.\n\n你好。\n", "no line 'show: ...'"),
        (HEAD + "show: view=tree\n\nHello.\n", "one language only"),
        (HEAD + "show: view=tree\nask: future\n", "or none"),
        (HEAD + "show: x\nthen: y\n", "but asks nothing"),
        (HEAD + "show: view=tree\n\n### Quiz\n", "a part is 'Quiz'"),
        (
            HEAD + "show: x\nask: future 3\n### Predict\n### Reveal\n",
            "is not 'measure name=value",
        ),
    ],
)
def test_a_file_that_is_no_lesson_is_refused(markdown: str, sentence: str) -> None:
    with pytest.raises(ConfigError, match=r"7-mine\.md") as caught:
        read(markdown, "7-mine.md")
    assert sentence in str(caught.value)


def test_a_file_has_a_text_for_each_model() -> None:
    text = "{a} {en-zh: in Chinese // en-de: auf Deutsch}\n## One\nonly: en-de\nb\n## Two\n"
    assert worded(text, "en-zh", {"a": "{b}"}, "7-mine.md") == "{b} in Chinese\n## Two\n"
    own = worded(text, "en-de", {"a": "x"}, "7-mine.md")
    assert own == "x auf Deutsch\n## One\nb\n## Two\n"
    for model, named in (("en-fr", {"a": "x"}), ("en-de", {"b": "x"})):
        with pytest.raises(ConfigError, match=r"7-mine\.md has (no text for en-fr in|\{a\})"):
            worded(text, model, named, "7-mine.md")


def test_a_measure_that_does_not_exist_is_refused(shipped: Explainer) -> None:
    with pytest.raises(ConfigError, match="is not a measure"):
        measures.options(shipped, "text=I", "guess", {})
    with pytest.raises(ConfigError, match="kind="):
        measures.options(shipped, "text=I", "strongest_word", {"kind": "x", "step": "1"})
    with pytest.raises(ConfigError, match="layer=1 or more"):
        measures.options(shipped, "text=I", "strongest_word", {"kind": "cross", "layer": "0"})


def test_the_documented_lesson_can_be_read() -> None:
    text = (Path(__file__).parents[2] / "docs" / "lesson.md").read_text("utf-8")
    block = text.split("```markdown\n")[1].split("```")[0]
    assert read(block, "docs").steps[0].ask == "strongest_word"
    rows = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    listed = {name.strip(" `") for row in rows for name in row.split(",")}
    assert listed == set(measures.MEASURES)
