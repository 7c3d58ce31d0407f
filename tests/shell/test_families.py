"""Every view under models of other families: it shows something, or says in a sentence why not."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from safetensors.torch import save

from explorer.exhibits import NAMES
from explorer.session import Session
from explorer.words import WORDS
from model.errors import InputError
from model.explain import Explainer
from model.labs.playground.presets import MODELS, with_parts
from model.labs.playground.run import train
from model.labs.playground.settings import Settings
from model.labs.playground.trained import explainer as opened
from tests import foreign
from tests.stage import Stage, desk_of
from tests.today import IS_LONG, some

RULES = {"num_beams": 4, "min_length": 6, "no_repeat_ngram_size": 2, "repetition_penalty": 1.2}
KINDS = ["bart", "nllb", "blenderbot small", "chinese bart", "t5", "flan-t5", "byt5"]
# Views that compute from the model's own numbers; in the long form, all.
OWN = ["figure", "microscope", "positions", "lens", "why"]


@pytest.mark.parametrize("name", some(KINDS, 1))
def test_no_view_falls_over(open_stage: Callable[..., Stage], tmp_path: Path, name: str) -> None:
    explainer = Explainer.load(foreign.write_family(tmp_path / "model", name), device="cpu")
    desk = desk_of(explainer)
    for view in NAMES if IS_LONG else OWN:
        page = open_stage(f"?view={view}&text=I+am+a+small+frog.&max=8", desk=desk)
        assert page.errors == [], view
        shown = page.locator(f"#panel-{view}").inner_text()
        assert len(shown) > 100, view
        assert not any(fault in shown for fault in ("undefined", "NaN", "[object")), view
        if view == "positions":
            told = "only the distance counts" if name in foreign.T5 else "have the cosine"
            assert told in page.finding("positions")
            other = open_stage("?view=positions&positions.view=waves&text=I+am.&max=8", desk=desk)
            waves = {"nllb": "waves have other lengths"} | dict.fromkeys(foreign.T5, "by distance")
            assert waves.get(name, "learned a vector for each") in other.finding("positions")


@pytest.mark.days(2)
@pytest.mark.parametrize("name", some(tuple(MODELS), 1))
def test_a_model_that_was_trained_on_the_page_opens_in_every_view(
    open_stage: Callable[..., Stage], name: str
) -> None:
    small = Settings(length=5, alphabet=12, d_model=16, d_ff=24, heads=2, layers=2, updates=20)
    settings = with_parts(small, name)
    desk = desk_of(opened(settings, save(train(settings).model.state_dict())))
    views = [*NAMES] if IS_LONG else [*OWN, "attention", "masks", "experiments", "tree"]
    for view in views:
        page = open_stage(f"?view={view}&text=abcabd&max=8", desk=desk)
        assert page.errors == [], view
        shown = page.locator(f"#panel-{view}").inner_text()
        assert len(shown) > 100, view
        assert not any(fault in shown for fault in ("undefined", "NaN", "[object")), view


@pytest.mark.days(3)
@pytest.mark.parametrize(
    ("name", "names", "other"),
    [
        ("t5", ["no task", "summarize", "translate English to German"], "summarize:"),
        ("madlad", ["no language code", "de", "zh", "pt_BR"], "<2zh>"),
    ],
)
def test_a_task_or_a_language_is_chosen_before_the_sentence(
    open_stage: Callable[..., Stage], tmp_path: Path, name: str, names: list[str], other: str
) -> None:
    explainer = Explainer.load(foreign.write_family(tmp_path / "model", name), device="cpu")
    page = open_stage("?text=I+am+a+small+frog.&max=6", desk=desk_of(explainer))
    options = page.locator("#hl-code option").all_inner_texts()
    assert options == names
    for code in (explainer.tokenizer.codes[-1], other):
        page.select_option("#hl-code select", code)
        assert page.input_value("#hl-text") == f"{code} I am a small frog."
        assert page.input_value("#hl-code select") == code
    page.select_option("#hl-code select", "")
    assert page.input_value("#hl-text") == "I am a small frog."
    assert page.errors == []


@pytest.fixture
def bart(tmp_path: Path) -> Explainer:
    return Explainer.load(foreign.write_family(tmp_path / "bart", "bart", generation=RULES))


def test_the_tree_says_which_rule_forbids_what(
    open_stage: Callable[..., Stage], bart: Explainer
) -> None:
    text = foreign.SENTENCES[2]
    page = open_stage(f"?view=tree&text={text.replace(' ', '+')}&lang=en", desk=desk_of(bart))
    steps = bart.explain(text).search.steps
    assert {one.rule for step in steps for one in step.forbidden} >= {"min_tokens", "no_repeat"}
    own = next(one for one in steps[1].forbidden if one.parent == 0 and one.rule == "min_tokens")
    page.fill(".hl-tree-bar input[type=range]", "1")
    value = f"{own.log_prob:.4f}".replace("-", "−")
    told = WORDS["tree.forbidden.min_tokens"].en.format(token="</s>", value=value)
    assert told in str(page.text_content("#panel-tree"))


SAVED = {"repetition_penalty": 1.3, "min_length": 5, "num_beams": 3, "renormalize_logits": True}


@pytest.mark.parametrize("name", some([*KINDS, "blenderbot", "mbart cc25", "pegasus"], 2))
def test_a_saved_session_is_read_again(tmp_path: Path, name: str) -> None:
    """It contradicts itself in no form of pieces and under no rule; a changed text still does."""
    folder = foreign.write_family(tmp_path / "model", name, generation=SAVED)
    explainer = Explainer.load(folder, device="cpu")
    own = dataclasses.replace(explainer.defaults, max_length=9)
    session = Session.of(explainer.explain("I am a small frog 🙂.", own))
    path = session.save(tmp_path / "session.json")
    assert Session.load(path).document == session.document
    assert len(Session.load(path).explain(explainer).search.hypotheses) == 3
    document = json.loads(path.read_text("utf-8"))
    document["record"]["hypotheses"][0]["text"] += "x"
    with pytest.raises(InputError, match="text"):
        Session.read(json.dumps(document))
