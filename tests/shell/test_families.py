"""Every view under models of other families: it shows something, or says in a sentence why not."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save, save_file

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
from tests.stage import Stage, choose_code, desk_of
from tests.tiers import IS_LONG, each

RULES = {"num_beams": 4, "min_length": 6, "no_repeat_ngram_size": 2, "repetition_penalty": 1.2}
KINDS = ["bart", "nllb", "blenderbot small", "chinese bart", "t5", "flan-t5", "byt5"]
# Views that compute from the model's own numbers; in `make test-long`, all.
OWN = ["figure", "microscope", "positions", "lens", "why"]


@pytest.mark.long
@each("name", KINDS, 1)
def test_no_view_falls_over(open_stage: Callable[..., Stage], tmp_path: Path, name: str) -> None:
    explainer = Explainer.load(foreign.write_family(tmp_path / "model", name), device="cpu")
    desk = desk_of(explainer)
    for view in NAMES if IS_LONG else OWN:
        page = open_stage(f"?view={view}&text=I+am+a+small+frog.", desk=desk)
        assert page.errors == [], view
        shown = page.locator(f"#panel-{view}").inner_text()
        assert len(shown) > 100, view
        assert not any(fault in shown for fault in ("undefined", "NaN", "[object")), view
        if view == "positions":
            told = "only the distance counts" if name in foreign.T5 else "have a cosine"
            assert told in page.finding("positions")
            other = open_stage("?view=positions&positions.view=waves&text=I+am.", desk=desk)
            waves = {"nllb": "waves have other lengths"} | dict.fromkeys(foreign.T5, "by distance")
            assert waves.get(name, "learned a vector for each") in other.finding("positions")


def test_the_page_says_what_it_chose_and_what_was_left_out(
    open_stage: Callable[..., Stage], tmp_path: Path
) -> None:
    """Four beams where the checkpoint names none, and a weight that no network reads."""
    folder = foreign.write_family(tmp_path / "model", "bart")
    weights = load_file(folder / "model.safetensors")
    save_file({**weights, "model.encoder.version": torch.ones(1)}, folder / "model.safetensors")
    desk = desk_of(Explainer.load(folder, device="cpu"))
    page = open_stage("?text=I+am+a+small+frog.", desk=desk)
    assert "Headlight's choice" in page.text_content("#hl-settings summary")
    assert "names none" in page.text_content("#hl-settings")
    page.click("#hl-notes > summary")
    assert "model.encoder.version" in page.text_content("#hl-notes .hl-sheet")
    page.click("#hl-language")
    assert page.text_content("#hl-notes > summary") == WORDS["notes.name"].zh
    page = open_stage("?text=I+am+a+small+frog.&beam_size=3", desk=desk)
    assert "Headlight's choice" not in page.text_content("#hl-settings summary")
    save_file(weights, folder / "model.safetensors")
    named = json.loads((folder / "generation_config.json").read_text("utf-8")) | {"num_beams": 4}
    (folder / "generation_config.json").write_text(json.dumps(named), "utf-8")
    page = open_stage("?text=I+am.", desk=desk_of(Explainer.load(folder, device="cpu")))
    assert "Headlight's choice" not in page.text_content("#hl-settings")
    assert page.locator("#hl-notes").is_hidden()


@pytest.mark.long
@each("name", tuple(MODELS), 1)
def test_a_model_that_was_trained_on_the_page_opens_in_every_view(
    open_stage: Callable[..., Stage], name: str
) -> None:
    small = Settings(length=5, alphabet=12, d_model=16, d_ff=24, heads=2, layers=2, updates=20)
    settings = with_parts(small, name)
    desk = desk_of(opened(settings, save(train(settings).model.state_dict())))
    views = [*NAMES] if IS_LONG else [*OWN, "attention", "masks", "experiments", "tree"]
    for view in views:
        page = open_stage(f"?view={view}&text=abcabd", desk=desk)
        assert page.errors == [], view
        shown = page.locator(f"#panel-{view}").inner_text()
        assert len(shown) > 100, view
        assert not any(fault in shown for fault in ("undefined", "NaN", "[object")), view


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "names", "other"),
    [
        ("t5", ["no task", "summarize", "translate English to German"], "summarize:"),
        (
            "madlad",
            ["no language code", "de German", "zh Chinese", "pt_BR Brazilian Portuguese"],
            "<2zh>",
        ),
    ],
)
def test_a_task_or_a_language_is_chosen_before_the_sentence(
    open_stage: Callable[..., Stage], tmp_path: Path, name: str, names: list[str], other: str
) -> None:
    explainer = Explainer.load(foreign.write_family(tmp_path / "model", name), device="cpu")
    page = open_stage("?text=I+am+a+small+frog.", desk=desk_of(explainer))
    page.press("#hl-into input", "ArrowDown")
    options = page.locator("#hl-into [role=option]").all_inner_texts()
    assert options == names
    for code in (explainer.tokenizer.codes[-1], other):
        choose_code(page, code.strip("<>2:"))
        assert page.input_value("#hl-text") == f"{code} I am a small frog."
    choose_code(page, "")
    assert page.input_value("#hl-text") == "I am a small frog."
    assert page.errors == []


def nllb(folder: Path, **settings: object) -> Explainer:
    """A model of two hundred languages, which reads the code of the source, too."""
    foreign.write_family(folder, "nllb")
    path = folder / "tokenizer_config.json"
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | settings), "utf-8")
    return Explainer.load(folder, device="cpu")


@pytest.mark.long
def test_the_languages_of_a_text_are_chosen_among_two_hundred(
    open_stage: Callable[..., Stage], tmp_path: Path
) -> None:
    page = open_stage("?text=Hello&lang=zh", desk=desk_of(nllb(tmp_path / "model")))
    choose_code(page, "acehnese (latin")  # the page's own language is another
    assert page.input_value("#hl-text") == ">>ace_Latn<< Hello"
    assert page.input_value("#hl-into input").startswith("ace_Latn · ")
    choose_code(page, "deutsch", "from")
    assert page.input_value("#hl-text") == ">>deu_Latn:ace_Latn<< Hello"
    choose_code(page, "", "into")  # the source's stays, with the target that is usual
    assert page.input_value("#hl-text") == ">>deu_Latn:zho_Hans<< Hello"
    choose_code(page, "", "from")
    assert page.input_value("#hl-text") == ">>zho_Hans<< Hello"
    page.pass_time(1_000)
    assert "%3E%3Ezho_Hans%3C%3C" in page.evaluate("location.search")
    assert page.errors == []


def test_the_list_of_languages_is_told_to_screen_readers_and_keys(
    open_stage: Callable[..., Stage], tmp_path: Path
) -> None:
    page = open_stage("?text=Hello&lang=en", desk=desk_of(nllb(tmp_path / "model")))
    field, chosen = page.locator("#hl-into input"), "#hl-into [aria-selected=true]"
    assert field.get_attribute("aria-expanded") == "false"
    page.fill("#hl-into input", "french")
    assert field.get_attribute("aria-expanded") == "true"
    assert field.get_attribute("aria-activedescendant") == page.locator(chosen).get_attribute("id")
    page.fill("#hl-into input", "arabic")
    first = page.inner_text(chosen)
    page.press("#hl-into input", "ArrowDown")
    assert page.inner_text(chosen) != first
    page.press("#hl-into input", "ArrowUp")
    assert page.inner_text(chosen) == first
    page.press("#hl-into input", "Escape")  # nothing is chosen
    assert page.input_value("#hl-text") == "Hello"
    page.fill("#hl-into input", "klingonish")
    assert page.inner_text("#hl-into [role=status]") == WORDS["model.code.lost"].en
    page.press("#hl-into input", "Enter")
    page.locator("#hl-into input").blur()
    assert page.input_value("#hl-into input") == "as usual: zho_Hans"
    assert page.errors == []


@pytest.mark.parametrize("begin", ["", ">>klingon<< "])
def test_a_text_without_a_language_is_refused_with_the_list_of_them(
    open_stage: Callable[..., Stage], tmp_path: Path, begin: str
) -> None:
    """Such a model has shown nothing yet that could say what its languages are."""
    folder = tmp_path / "model"
    nllb(folder, tgt_lang=None)
    path = folder / "generation_config.json"
    settings = json.loads(path.read_text("utf-8"))
    del settings["forced_bos_token_id"]
    path.write_text(json.dumps(settings), "utf-8")
    explainer = Explainer.load(folder, device="cpu")
    page = open_stage(f"?text={begin}Hello&lang=en", desk=desk_of(explainer))
    told = page.inner_text("#hl-message")
    assert "begin with one of" in told and len(told) <= 300 and "(202)" in told
    choose_code(page, "french")
    assert page.input_value("#hl-text") == ">>fra_Latn<< Hello"
    assert page.evaluate("headlight.page.record.get().text") == ">>fra_Latn<< Hello"
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
    token = WORDS["tree.forbidden.token"].en.format(token="</s>", value=value)
    told = WORDS["tree.forbidden.min_tokens"].en.format(tokens=token)
    assert told in str(page.text_content("#panel-tree"))


def test_each_rule_of_the_checkpoint_has_a_switch_and_says_what_it_forbade(
    open_stage: Callable[..., Stage], tmp_path: Path
) -> None:
    """Off, it is in the link, in the record, and forbids nothing; other models show no rules."""
    given = RULES | {"bad_words_ids": [[5], [6]], "forced_eos_token_id": 2, "early_stopping": True}
    folder = foreign.write_family(tmp_path / "bart", "bart", generation=given)
    bart = Explainer.load(folder, device="cpu")
    text = foreign.SENTENCES[2]
    page = open_stage(f"?view=tree&text={text.replace(' ', '+')}&lang=en", desk=desk_of(bart))
    names = [
        "banned",
        "forced_first_id",
        "forced_end_id",
        "min_tokens",
        "no_repeat",
        "repetition_penalty",
    ]
    boxes = page.locator(".hl-rules input")
    assert [box.get_attribute("name") for box in boxes.all()] == [*names, "early_stopping"]
    assert all(box.is_checked() for box in boxes.all())

    def deed(name: str) -> str:
        about = page.get_attribute(f".hl-rules input[name={name}]", "aria-describedby")
        return page.text_content(f"#{about}")

    steps = bart.explain(text).search.steps
    for name in ("min_tokens", "no_repeat"):
        all_ = [(one.log_prob, t) for t, step in enumerate(steps) for one in step.forbidden
                if one.rule == name]  # fmt: skip
        value, at = max(all_)
        assert f": {len(all_)}; " in deed(name) and f"token {at + 1}, " in deed(name)
        assert f"{math.exp(value):.1%}".replace("%", " %") in deed(name)
    assert "lowered in this search: " in deed("repetition_penalty")
    page.uncheck(".hl-rules input[name=min_tokens]")
    page.wait_for_url(lambda url: "rules_off" in url)
    assert deed("min_tokens") == WORDS["rules.off"].en
    assert "rules_off=min_tokens&" in page.url
    assert "rules off: 1" in page.text_content("#hl-settings summary")
    off = dataclasses.replace(bart.defaults, rules_off=("min_tokens",))
    without = bart.explain(text, off).search
    assert page.evaluate("headlight.page.record.get().hypotheses[0].score") == pytest.approx(
        without.hypotheses[0].score
    )
    query = page.url.partition("?")[2]
    again = open_stage(f"?{query}", desk=desk_of(bart))
    assert not again.is_checked(".hl-rules input[name=min_tokens]")
    again.click("#hl-settings button")
    again.wait_for_url(lambda url: "rules_off" not in url)
    assert again.is_checked(".hl-rules input[name=min_tokens]")
    assert page.errors == again.errors == []
    settings = "{ ...headlight.page.record.get().settings, no_repeat: 3 }"
    page.evaluate(f"headlight.page.explain({{ settings: {settings} }})")
    page.wait_until(lambda: deed("no_repeat") == "in this search: 3", "the row of no_repeat")
    assert "No run of 2 tokens" in page.text_content(".hl-rules")
    assert open_stage("?text=I+am.").locator(".hl-rules").count() == 0


SAVED = {"repetition_penalty": 1.3, "min_length": 5, "num_beams": 3, "renormalize_logits": True}


@each("name", [*KINDS, "blenderbot", "mbart cc25", "pegasus"], 2)
def test_a_saved_session_is_read_again(tmp_path: Path, name: str) -> None:
    """The model answers the same in every form of pieces and under every rule; nor is a changed
    text its own."""
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
        Session.read(json.dumps(document)).explain(explainer)
