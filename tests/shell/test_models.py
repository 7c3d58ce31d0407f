"""The page with several models, and with one trained on it: every number is of that one."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any, Literal
from urllib.parse import parse_qs

import numpy as np
import pytest

from explorer import openers
from explorer.card import FOLDER
from explorer.examples import CHINESE
from explorer.models import Listed, Models
from explorer.trained import key_of
from explorer.words import WORDS
from model.config import DecodeConfig
from model.errors import CheckpointError
from model.explain import Explainer
from model.labs.cheat import UNMASKED
from model.labs.playground.run import train
from model.labs.playground.settings import Settings
from model.shipped import FIRST
from tests import tiny
from tests.stage import Desk, Stage, choose_code

SENTENCE = "I like cats."
SMALL = Settings(length=5, alphabet=8, d_model=16, d_ff=16, heads=2, batch=8, updates=30)
Open = Callable[..., Stage]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny.write_marian(tmp_path_factory.mktemp("models") / "opus-tiny")


@pytest.fixture(scope="module")
def marian(folder: Path) -> Explainer:
    return Explainer.load(folder, device="cpu")


def missing() -> Explainer:
    raise CheckpointError("There is no model.safetensors.")


@pytest.fixture(scope="module")
def several(explainer: Explainer, marian: Explainer) -> Desk:
    """A server that lists the shipped model, a random one, and one that cannot be loaded."""
    return Desk(
        Models(
            [
                Listed(FIRST, FIRST, lambda: explainer, openers.load(FOLDER), None, "en-zh"),
                Listed("opus-tiny", "opus-tiny", lambda: marian),
                Listed("missing", "missing", missing),
            ]
        )
    )


@pytest.fixture
def visit(open_stage: Open, several: Desk) -> Open:
    return lambda query: open_stage(query, desk=several)


def show(page: Stage, key: str) -> None:
    """Choose a model, and wait for it."""
    page.select_option("#hl-model select", key)
    is_shown(page, key)


def is_shown(page: Stage, key: str) -> None:
    """It may have to be loaded or trained first, in real time."""
    key_shown = "headlight.page.record.get().model.key"
    page.wait_for_process(lambda: page.evaluate(key_shown) == key, f"model {key}")


def record(page: Stage) -> dict[str, Any]:
    """What the page holds of the current explanation."""
    return page.evaluate(
        """() => {
            const { text, translation, model, steps, settings, prefix, attention } =
                headlight.page.record.get();
            const cells = Array.from(attention.cross.head(0, 0));
            return { text, translation, model, settings, prefix, cells, steps,
                heads: attention.cross.heads };
        }"""
    )


def search(page: Stage) -> str:
    page.pass_time(1_000)  # the address follows when the visitor rests
    return str(page.evaluate("() => location.search"))


def is_of(found: dict[str, Any], explainer: Explainer, text: str, **settings: Any) -> None:
    """The page's record is this model's."""
    config = DecodeConfig.from_dict({**json.loads(explainer.defaults.to_json()), **settings})
    trace = explainer.explain(text, config).trace
    assert found["translation"] == trace.tgt_out.text
    said = [step["log_prob"] for step in found["steps"]]
    assert np.allclose(said, trace.log_prob, atol=1e-4)
    assert np.allclose(found["cells"], trace.cross.weights[0, 0].reshape(-1), atol=1e-4)


def test_the_choice_shows_another_model_with_its_own_numbers(
    visit: Open, explainer: Explainer, marian: Explainer
) -> None:
    page = visit("?text=I+like+cats.&beam_size=3&head=6")
    page.evaluate("headlight.page.explain({ interventions: { causal_mask: false } })")
    assert page.is_visible("#hl-changed")
    options = page.eval_on_selector_all("#hl-model option", "all => all.map((o) => o.textContent)")
    assert options == ["English → Chinese", "opus-tiny", "missing"]
    show(page, "opus-tiny")
    found = record(page)
    assert found["text"] == SENTENCE and found["settings"]["beam_size"] == 3
    is_of(found, marian, SENTENCE, beam_size=3)
    assert page.is_hidden("#hl-changed")  # what was changed on the other model stays with it
    assert page.evaluate("headlight.page.selection.get().head") < found["heads"]
    assert "model=opus-tiny" in search(page)
    asks_about(page, "opus-tiny")
    show(page, FIRST)
    is_of(record(page), explainer, SENTENCE, beam_size=3)
    assert "model=en-zh&" in search(page)
    assert page.errors == []


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_where_no_decoder_cheats_the_two_others_are_there_and_the_way_to_one(
    visit: Open, marian: Explainer, lang: Literal["en", "zh"]
) -> None:
    """Asked again, a model without the decoder that cheats still has none."""
    page = visit(f"?view=cheat&text=I+like+cats.&model=opus-tiny&lang={lang}")
    is_shown(page, "opus-tiny")
    ids = [step["chosen"] for step in record(page)["steps"]]
    runs = [marian.trace(SENTENCE, ids), marian.trace(SENTENCE, ids, interventions=UNMASKED)]
    means = [float(np.exp(run.log_prob).mean()) for run in runs]
    drawn = page.locator("#panel-cheat .hl-band-value").all_text_contents()
    assert [float(one.strip(" <%")) for one in drawn] == pytest.approx(
        [100 * mean for mean in means], abs=0.11
    )
    said = getattr(WORDS["cheat.finding.unmasked"], lang).split("{")[0]
    assert page.finding("cheat").startswith(said)
    assert page.locator("#panel-cheat :is(.hl-failed, .hl-away)").count() == 0
    page.click("#panel-cheat .hl-opener")  # the model that has one
    is_shown(page, FIRST)
    assert page.locator("#panel-cheat .hl-band").count() == 4
    assert page.locator("#panel-cheat .hl-opener").count() == 0
    assert page.errors == []


def test_a_target_language_stands_before_the_sentence(visit: Open, marian: Explainer) -> None:
    page = visit("?text=I+like+cats.")
    assert page.is_hidden("#hl-code")  # the shipped model has one target language
    show(page, "opus-tiny")
    assert page.is_visible("#hl-code")
    for code, wanted in ((">>cmn_Hans<<", f">>cmn_Hans<< {SENTENCE}"), ("", SENTENCE)):
        choose_code(page, code.strip("<>"))
        assert page.input_value("#hl-text") == wanted
        shown = "cmn_Hans · Chinese" if code else "no language code"
        assert page.input_value("#hl-into input") == shown
        is_of(record(page), marian, wanted)
    choose_code(page, "cmn_Hans")
    show(page, FIRST)
    assert record(page)["text"] == SENTENCE  # another model would read the code as text
    assert page.errors == []


def test_the_wait_for_a_large_model_can_be_ended(visit: Open, explainer: Explainer) -> None:
    page = visit("?text=I+like+cats.&lang=en")
    waiting = "{ sentence: { en: 'Loading' }, isWork: true, asked: { model: 'opus-tiny' } }"
    page.evaluate(f"headlight.page.message.set({waiting})")
    assert page.inner_text(".hl-leave") == WORDS["model.leave"].en.format(name=explainer.name)
    page.click(".hl-leave")
    is_of(record(page), explainer, SENTENCE)
    assert page.inner_text("#hl-message") == ""
    for other in ("asked: { model: '' }", "asked: { model: 'opus-tiny', question: 'lens' }"):
        page.evaluate(
            f"headlight.page.message.set({{ words: 'message.loading', isWork: true, {other} }})"
        )
        assert page.locator(".hl-leave").count() == 0  # there is nothing to go back to
    assert page.errors == []


def test_an_address_restores_its_model(visit: Open, marian: Explainer) -> None:
    page = visit("?model=opus-tiny&text=I+like+cats.")
    is_shown(page, "opus-tiny")
    is_of(record(page), marian, SENTENCE)
    assert page.input_value("#hl-model select") == "opus-tiny"
    assert page.errors == []


def test_an_address_may_have_the_name_in_the_list(
    open_stage: Open, explainer: Explainer, marian: Explainer
) -> None:
    """The name of the page's menu and of /health, where the key is written otherwise."""
    both = [Listed(FIRST, FIRST, lambda: explainer), Listed("o5-bart", "o5_bart", lambda: marian)]
    page = open_stage("?model=o5_bart&text=I+like+cats.", desk=Desk(Models(both)))
    is_shown(page, "o5-bart")
    is_of(record(page), marian, SENTENCE)
    assert page.input_value("#hl-model select") == "o5-bart" and page.errors == []
    page.translate("Why do we work?")
    is_shown(page, "o5-bart")
    assert record(page)["text"] == "Why do we work?"
    assert "model=o5-bart" in search(page)


def test_a_model_that_is_not_there_gets_a_sentence(visit: Open, explainer: Explainer) -> None:
    page = visit("?model=nowhere&text=I+like+cats.&prefix=5&lang=en")
    wanted = WORDS["error.model_unknown"].en.format(name="nowhere")
    assert page.text_content("#hl-message") == wanted
    is_shown(page, FIRST)
    is_of(record(page), explainer, SENTENCE)
    # One that is on the list, and cannot be loaded: what is on the page stays.
    page.select_option("#hl-model select", "missing")
    wanted = WORDS["error.model_failed"].en.format(name="missing")
    page.wait_for_process(lambda: page.text_content("#hl-message") == wanted, wanted)
    assert page.input_value("#hl-model select") == FIRST
    assert record(page)["text"] == SENTENCE
    page.translate("Why do we work?")
    is_of(record(page), explainer, "Why do we work?")
    assert page.errors == []


# ------------------------------------------------------------------------ trained on the page


def make_small(page: Stage) -> None:
    """Both runs of the first question, made tiny; the second one has no causal mask."""
    page.wait_for_process(lambda: page.is_visible(".hl-play-drawn"), "the map of the run before")
    page.evaluate(
        """(small) => {
            const [preset] = headlight.page.shared.constants.playground.presets;
            preset.first = small;
            preset.second = { ...small, causal_mask: false };
        }""",
        json.loads(SMALL.to_json()),
    )


@pytest.mark.long
def test_a_trained_model_is_opened_on_the_page_and_left_again(
    open_stage: Open, explainer: Explainer, tmp_path: Path
) -> None:
    page = open_stage("?text=I+like+cats.&view=playground")
    key = key_of(SMALL)
    make_small(page)
    page.click(".hl-play-train")
    page.wait_for_process(lambda: page.is_visible(".hl-play-verdict"), "the verdict")
    for part in ("adjust", "reading"):
        page.unfold("playground", part)
    assert page.locator(".hl-play-open >> nth=1").is_disabled()
    assert "B cannot be opened: without the causal mask" in page.inner_text(".hl-play-masked")
    with page.expect_download() as waiting:
        page.click(".hl-play-download >> nth=0")
    with zipfile.ZipFile(BytesIO(waiting.value.content)) as files:
        files.extractall(tmp_path)
    own = Explainer.load(tmp_path / "reverse-seed1", device="cpu")
    model = train(SMALL).model
    for name, weight in own.model.state_dict().items():
        assert (weight == model.state_dict()[name]).all()
    page.click(".hl-play-open >> nth=0")
    is_shown(page, key)
    text = record(page)["text"]
    assert text == own.tokenizer.examples[0] == page.input_value("#hl-text")
    is_of(record(page), own, text)
    assert page.is_visible("#panel-attention .hl-one")
    assert page.is_visible("#hl-trained")
    asks_about(page, key)
    page.translate("dcba")
    is_of(record(page), own, "dcba")
    refused = WORDS["error.model.letters"].en.format(letters="abcdefgh", odd="I")
    page.fill("#hl-text", SENTENCE)
    page.click("#hl-translate")
    assert page.text_content("#hl-message") == refused
    assert f"model={key}" in search(page)
    page.click("#hl-trained button")
    is_shown(page, FIRST)
    assert page.is_hidden("#hl-trained") and page.input_value("#hl-text") == SENTENCE
    is_of(record(page), explainer, SENTENCE)
    asks_about(page, FIRST)
    assert page.errors == []


def asks_about(page: Stage, key: str) -> None:
    """Questions of a view are about this model too, and answered."""
    page.choose(exhibit="microscope", kind="cross", layer=0, head=1)
    about = page.asked[-1]
    assert (about["question"], about["model"]) == ("microscope_head", key)
    assert page.locator("#panel-microscope .hl-micro-chain").count() == 1
    assert page.locator("#panel-microscope .hl-failed").count() == 0


@pytest.mark.long
def test_a_link_trains_the_model_and_shows_it(open_stage: Open) -> None:
    other = Settings.from_dict({**json.loads(SMALL.to_json()), "seed": 5})
    page = open_stage(f"?model={key_of(other)}&lang=en")
    is_shown(page, key_of(other))
    found = record(page)
    assert found["text"] == found["model"]["examples"][0]
    model, letters = train(other).model, other.letters()
    ids = [[*letters.encode(found["text"]), 2], [1, *(one["chosen"] for one in found["steps"])]]
    wanted = _log_probs(model, *ids)
    assert np.allclose([one["log_prob"] for one in found["steps"]], wanted, atol=1e-4)
    assert parse_qs(search(page)[1:])["model"] == [key_of(other)]
    assert page.errors == []


def _log_probs(model: Any, source: list[int], written: list[int]) -> list[float]:
    """Of each written token, by the network alone."""
    import torch

    with torch.inference_mode():
        logits = model(torch.tensor([source]), torch.tensor([written[:-1]]))[0]
        return logits.log_softmax(-1).gather(1, torch.tensor(written[1:])[:, None])[:, 0].tolist()


def test_two_models_side_by_side(visit: Open, marian: Explainer) -> None:
    """The translation, the score and a head of another model are that model's own."""
    page = visit(f"?view=compare&text={SENTENCE}")
    page.unfold("compare", "adjust", "numbers")
    page.select_option(".hl-compare-other select", "opus-tiny")
    assert page.input_value("#hl-text") == SENTENCE
    found = marian.explain(SENTENCE, marian.defaults)
    mine = page.locator(".hl-compare-models tbody tr").nth(1)
    score = mine.locator("td").nth(2).inner_text().replace("\u2212", "-")
    assert float(score) == pytest.approx(found.search.hypotheses[0].score, abs=6e-5)
    assert mine.locator(".hl-token").count() == len(found.trace.tgt_out)
    page.select_option(".hl-compare-layer select", "1")
    page.select_option(".hl-compare-head select", "1")
    weights = found.trace.cross.weights[1, 1]
    grid = page.locator(".hl-compare-heads .hl-grid").nth(1)
    assert grid.count() == 1 and weights.shape == (len(found.trace.tgt_out), len(found.trace.src))
    assert "opus-tiny" in page.locator(".hl-compare-heads h3").nth(1).inner_text()
    page.select_option(".hl-compare-other select", "")
    assert page.locator(".hl-compare-heads").count() == 0
    assert page.errors == []


@pytest.fixture(scope="module")
def both(explainer: Explainer) -> Desk:
    """A server with a model for each direction; the second one reads what it likes."""
    back = Listed("back", "zh-en", lambda: explainer, None, None, "zh-en")
    return Desk(Models([Listed(FIRST, FIRST, lambda: explainer, None, None, "en-zh"), back]))


def type_in(page: Stage, text: str) -> None:
    page.fill("#hl-text", text)
    page.press("#hl-text", "Enter")


def is_told(page: Stage) -> bool:
    """The page says that it has chosen the model that reads Chinese."""
    told = WORDS["message.reader"].en.format(language="Chinese", name="Chinese → English")
    return told in (page.text_content("#hl-message") or "")


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("我是学生。", "back"),
        ("你用Python吗？", "back"),
        ("I am a student.", FIRST),
        ("What does 好 mean?", FIRST),
        ("12:30", FIRST),
        ("😀", FIRST),
    ],
)
def test_a_typed_text_is_read_by_the_model_of_its_script(
    open_stage: Open, both: Desk, text: str, key: str
) -> None:
    page = open_stage("?text=Hello.&lang=en", desk=both)
    type_in(page, text)
    is_shown(page, key)
    assert record(page)["text"] == text
    assert is_told(page) == (key == "back")
    assert "hl-trouble" not in (page.get_attribute("#hl-message", "class") or "")
    page.wait_for_timeout(9_000)  # it was read
    assert not is_told(page)
    language = "English" if key == FIRST else "Chinese"
    assert page.get_attribute("#hl-text", "placeholder") == f"Type a sentence in {language}"


@pytest.mark.parametrize(
    ("query", "key"),
    [
        ("text=我是学生。", "back"),
        ("text=你用Python吗？&view=tree", "back"),
        ("text=我是学生。&model=", FIRST),
        ("text=我是学生。&model=en-zh", FIRST),
        ("text=I+am+a+student.", FIRST),
        ("text=I+am+a+student.&model=back", "back"),
        ("text=12:30", FIRST),
    ],
)
def test_a_link_without_a_model_is_read_by_the_one_of_its_script(
    open_stage: Open, both: Desk, query: str, key: str
) -> None:
    """A teacher writes `?text=...`; the wrong model makes nonsense of it without a word."""
    page = open_stage(f"?{query}&lang=en", desk=both)
    is_shown(page, key)
    assert is_told(page) == (key != FIRST and "model=" not in query)


def test_the_choice_of_a_model_holds_against_the_script(open_stage: Open, both: Desk) -> None:
    page = open_stage("?text=Hello.", desk=both)
    type_in(page, "我是学生。")
    is_shown(page, "back")
    show(page, FIRST)
    assert record(page)["text"] == "我是学生。"
    kept = search(page)
    assert f"model={FIRST}&" in kept  # and for whoever opens the link
    type_in(page, "I am here.")
    is_shown(page, FIRST)


def test_the_menu_turns_a_sentence_that_the_other_model_cannot_read(
    open_stage: Open, both: Desk
) -> None:
    """But a Chinese one, left to the first model, is read by the second as it is."""
    page = open_stage("?text=I+like+cats.", desk=both)
    before = record(page)
    show(page, "back")
    assert record(page)["text"] == before["translation"] == page.input_value("#hl-text")
    page = open_stage("?text=我是学生。", desk=both)
    show(page, "back")
    assert record(page)["text"] == "我是学生。"


def test_each_model_has_its_own_examples_and_opens_with_its_first(
    open_stage: Open, both: Desk
) -> None:
    page = open_stage("?lang=en", desk=both)
    lines = "all => all.map((one) => one.textContent)"
    assert "I am a student." in page.eval_on_selector_all(".hl-example span", lines)
    page = open_stage("?model=back&lang=en", desk=both)
    assert record(page)["text"] == CHINESE[0].text
    found = page.eval_on_selector_all(".hl-example span:last-child", lines)
    assert found == [one.text for one in CHINESE]


def test_a_sentence_is_turned_round(open_stage: Open, both: Desk, several: Desk) -> None:
    page = open_stage("?text=I+like+cats.", desk=both)
    before = record(page)
    page.click("#hl-turn")
    is_shown(page, "back")
    assert record(page)["text"] == before["translation"] == page.input_value("#hl-text")
    page.click("#hl-turn")
    is_shown(page, FIRST)
    alone = open_stage("?text=I+like+cats.", desk=several)
    assert alone.is_hidden("#hl-turn")
