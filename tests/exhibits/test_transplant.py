"""Transplant on the page: the shares are those of the records, and refusals say what to change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest
import safetensors.torch

from explorer.exchange.question import Arguments
from explorer.exchange.reply import sentence
from explorer.exchange.request import PageError, Request
from explorer.exhibits import transplant
from model.config import KINDS, Positions, Stack
from model.errors import InputError
from model.explain import Explainer
from model.labs.patch import contrast, heads, states
from model.labs.playground.run import train
from model.labs.playground.settings import Settings
from model.labs.playground.trained import explainer as trained
from tests.odd import EVERY
from tests.stage import Stage, desk_of

Open = Callable[..., Stage]
GIVER, RECEIVER = transplant.PAIRS["en"][0]


def asked(explainer: Explainer, giver: str, receiver: str, step: int = 0) -> dict[str, object]:
    request = Request("I read.", explainer.defaults)
    given = Arguments({"giver": giver, "receiver": receiver, "step": step, "first": 0})
    return transplant.transplant(explainer, request, given)


@pytest.mark.slow
@pytest.mark.parametrize("text", EVERY)
def test_a_sentence_into_itself_is_refused_in_both_languages(
    explainer: Explainer, text: str
) -> None:
    with pytest.raises(InputError) as refused:
        asked(explainer, text, text)
    assert "same translation" in sentence(refused.value)["en"]
    assert "译文相同" in sentence(refused.value)["zh"]


def test_other_lengths_are_refused_with_both_counts(explainer: Explainer) -> None:
    with pytest.raises(InputError) as refused:
        asked(explainer, "I read.", GIVER)
    counts = [len(explainer.read(text)) for text in ("I read.", GIVER)]
    assert all(str(count) in sentence(refused.value)["zh"] for count in counts)
    with pytest.raises(PageError):
        asked(explainer, "a" * 201, GIVER)


@pytest.mark.slow
def test_the_first_pair_can_be_shown(explainer: Explainer) -> None:
    found = asked(explainer, GIVER, RECEIVER)
    pair = contrast(explainer, GIVER, RECEIVER)
    stacks: list[Stack] = ["encoder", "decoder"]
    wanted = [one for stack in stacks for one in states(explainer, pair, stack).changes.flat]
    assert found["changes"] == wanted and found["next"] is None
    # The giver's state at the top of the decoder is all that its next word comes from.
    giver, receiver = found["differences"]  # type: ignore[misc]
    assert wanted[-1] == pytest.approx(giver - receiver, abs=1e-4)


@pytest.mark.slow
def test_each_parting_can_be_asked_for(explainer: Explainer) -> None:
    found = asked(explainer, GIVER, RECEIVER)
    steps = [one["step"] for one in found["partings"]]  # type: ignore[attr-defined]
    assert found["step"] in steps and len(steps) > 1
    for step in steps:
        other = asked(explainer, GIVER, RECEIVER, step)
        assert other["step"] == step and (other["changes"] == found["changes"]) == (
            step == found["step"]
        )
    for step in set(range(1, len(explainer.explain(RECEIVER).trace.tgt_out) + 1)) - set(steps):
        with pytest.raises(InputError, match="Choose a step"):
            asked(explainer, GIVER, RECEIVER, step)


@pytest.mark.long
def test_the_maps_are_the_records(open_stage: Open, explainer: Explainer) -> None:
    pair = contrast(explainer, GIVER, RECEIVER)
    page = open_stage(f"?view=transplant&text={quote('I read.')}&transplant.what=heads")
    assert page.text_content(".hl-transplant-texts dt") == "an example, from"
    page.unfold("transplant", "numbers")
    page.wait_for_selector(".hl-transplant-heads tbody tr")

    def shares(table: str) -> list[float]:
        texts = page.locator(f".{table} tbody tr td:last-child").all_text_contents()
        return [float(text.replace("−", "-")) for text in texts]

    both = [states(explainer, pair, stack).moved for stack in ("encoder", "decoder")]
    wanted = sorted((float(one) for moved in both for one in moved.flat), reverse=True)
    assert shares("hl-transplant-states") == pytest.approx(wanted, abs=2e-3)
    kinds = [heads(explainer, pair, kind).moved for kind in KINDS]
    wanted = sorted((float(one) for moved in kinds for one in moved.flat), reverse=True)
    assert shares("hl-transplant-heads") == pytest.approx(wanted, abs=2e-3)
    said = page.text_content("#panel-transplant [data-part=finding]") or ""
    best = float(both[0][1:].max())
    assert best >= 1 or f"{100 * best:.0f} %" in said
    assert len(said.split()) <= 20
    page.click("#panel-transplant .hl-transplant-swap")
    page.wait_for_function(
        """(text) => document.querySelector('.hl-transplant-texts dd')
            ?.textContent.startsWith(text)""",
        arg=RECEIVER,
    )
    assert page.errors == []


def test_what_goes_the_whole_way_to_a_percent_goes_all_of_it(
    open_stage: Open, explainer: Explainer
) -> None:
    """Not "at least more than 99 %"."""
    giver, receiver = "I like milk.", "I like tea."
    moved = states(explainer, contrast(explainer, giver, receiver), "encoder").moved[1:]
    assert 0.995 < moved[:, moved.max(0).argmax()].min() < 1, "a poor example"
    own = f"transplant.giver={quote(giver)}&transplant.receiver={quote(receiver)}"
    page = open_stage(f"?view=transplant&{own}")
    assert "all the way" in page.finding("transplant")
    assert page.text_content(".hl-transplant-texts dt") == "from"


@pytest.mark.long
@pytest.mark.parametrize("positions", ["sinusoids", "relative", "none"])
def test_a_model_of_letters_has_examples_that_it_can_read(
    open_stage: Open, positions: Positions
) -> None:
    """Its own, with two different neighbours exchanged; its sentences are no words."""
    size: dict[str, Any] = {"length": 3, "updates": 60, "d_model": 16, "heads": 2}
    settings = Settings(**size, positions=positions)
    weights = safetensors.torch.save(train(settings).model.state_dict())
    letters = trained(settings, weights)
    page = open_stage(
        f"?view=transplant&text={letters.tokenizer.examples[0]}", desk=desk_of(letters)
    )
    pairs = page.locator(".hl-transplant-example option").all_text_contents()
    assert len(pairs) >= 3
    for pair in pairs:
        giver, receiver = pair.strip().split(" → ")
        assert giver in letters.tokenizer.examples and giver != receiver
        assert sorted(giver) == sorted(receiver)
    assert "reads only" not in page.inner_text("#panel-transplant")  # what the model refuses
