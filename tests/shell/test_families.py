"""Every view under models of other families: it shows something, or says in a sentence why not."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from explorer.exchange.reply import sentence
from explorer.exchange.request import PageError
from explorer.exhibits import NAMES
from explorer.session import Session
from explorer.weights import _bounded
from model.errors import InputError
from model.explain import Explainer
from tests import foreign, tiny
from tests.stage import Stage, desk_of
from tests.today import IS_LONG, some

KINDS = ["bart", "nllb", "blenderbot small", "chinese bart"]
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
            told = "waves have other lengths" if name == "nllb" else "learned a vector for each"
            assert told in page.finding("positions")


@pytest.mark.parametrize("name", some(KINDS, 1))
def test_the_proof_says_that_nothing_is_proved(tmp_path: Path, name: str) -> None:
    """The way on which a model that is too large is refused."""
    folder = foreign.write_family(tmp_path / "model", name)
    models = tiny.only(lambda: Explainer.load(folder, device="cpu"))
    models.get()
    with pytest.raises(PageError) as caught:
        _bounded(models, "")
    assert "cannot run a model of this kind" in sentence(caught.value)["en"]


RULES = {"repetition_penalty": 1.3, "min_length": 5, "num_beams": 3, "renormalize_logits": True}


@pytest.mark.parametrize("name", some([*KINDS, "blenderbot", "mbart cc25", "pegasus"], 2))
def test_a_saved_session_is_read_again(tmp_path: Path, name: str) -> None:
    """It contradicts itself in no form of pieces and under no rule; a changed text still does."""
    folder = foreign.write_family(tmp_path / "model", name, generation=RULES)
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
