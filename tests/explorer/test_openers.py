"""The openers of the shipped model: still as they were measured, and by another road too."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest

from explorer.card import FOLDER
from explorer.exhibits import NAMES
from explorer.openers import Opener, Openers, load
from explorer.openers.__main__ import alike, differences, main
from explorer.openers.search import PROPERTIES, TOKENS, read_pool
from explorer.opening import opening_head
from model import shipped
from model.config import DecodeConfig
from model.errors import ConfigError
from model.explain import Explainer


@pytest.fixture(scope="module")
def stored() -> Openers:
    found = load(FOLDER)
    assert found is not None, "run python -m explorer.openers"
    return found


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("name", shipped.names())
def test_they_are_as_they_were_measured(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """`--check --json` recomputes only the stored sentences, and ends with one line."""
    stored = load(shipped.FOLDERS[name])
    assert stored is not None, "run python -m explorer.openers"
    arguments = ["--check", "--json", "--model", str(shipped.FOLDERS[name])]
    assert main(arguments) == 0, "run python -m explorer.openers"
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert told["default"] == stored.default
    assert {one["view"] for one in told["views"]} == set(NAMES)
    assert all(one["shows_an_effect"] is True and one["measured"] for one in told["views"])


@pytest.mark.slow
def test_the_opening_sentence_has_nearly_every_property(stored: Openers) -> None:
    """Held out, translated as a person has; what it lacks (one at most), another sentence shows."""
    pool = {text: references for text, *references in read_pool(FOLDER / "sentences.tsv")}
    assert stored.default in pool and len(pool) <= 300
    lacking = [name for name in PROPERTIES if not stored.measured[name]["holds"]]
    assert lacking in ([], ["alpha_decides"], ["words_cross"]), stored.measured
    (figure,) = [one for one in stored.views if one.view == "figure"]
    assert (figure.text == stored.default) == ("words_cross" not in lacking)
    assert figure.measured["crossings"] > 0
    explainer = Explainer.load(device="cpu")
    plain = explainer.explain(stored.default).search
    assert TOKENS[0] <= len(explainer.tokenizer.encode_source(stored.default)) - 1 <= TOKENS[1]
    greedy = explainer.explain(stored.default, DecodeConfig(method="greedy")).search
    assert greedy.hypotheses[0].text != plain.hypotheses[0].text
    other = dataclasses.replace(explainer.defaults, length_penalty=-1.0)
    (tree,) = [one.text for one in stored.views if one.view == "tree"]
    usual, low = (explainer.explain(tree, config).search.hypotheses[0] for config in (None, other))
    assert (tree == stored.default) == ("alpha_decides" not in lacking) and low.text != usual.text


def test_what_no_longer_holds_is_named(stored: Openers) -> None:
    """The twin: an effect that is gone, a number that moved, a view without an opener."""
    found = [dataclasses.asdict(one) | {"shows_an_effect": True} for one in stored.views]
    assert differences(stored, found) == []
    gone = [{**found[0], "shows_an_effect": False}, *found[1:]]
    assert "shows nothing" in differences(stored, gone)[0]
    moved = [{**found[0], "measured": {"p": 0.1}}, *found[1:]]
    assert "now {'p': 0.1}" in differences(stored, moved)[0]
    fewer = dataclasses.replace(stored, views=stored.views[1:])
    assert differences(fewer, found[1:]) == [f"no opener for {stored.views[0].view}"]
    assert alike({"p": 0.5}, {"p": 0.505}) and not alike({"p": 0.5}, {"p": 0.6})


def test_a_file_that_holds_none_is_refused(tmp_path: Path) -> None:
    assert load(tmp_path) is None
    (tmp_path / "openers.json").write_text("[]")
    with pytest.raises(ConfigError, match="does not hold openers"):
        load(tmp_path)
    one = Openers("Hi.", {}, (Opener("tree", "Hi.", {"step": "1"}, {}),))
    (tmp_path / "openers.json").write_text(one.as_json())
    assert load(tmp_path) == one
    assert one.for_browser() == {"text": "Hi.", "views": {"tree": {"settings": {"step": "1"}}}}
    other = Openers("Ho.", {}, (Opener("tree", "Hi.", {}, {}), Opener("why", "Ho.", {}, {})))
    assert other.for_browser() == {"text": "Ho.", "views": {"tree": {"text": "Hi."}, "why": {}}}


ROW = {"method": "weight", "layer": 2, "head": 1, "row_label": "written", "aer": 0.3}


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([ROW, {**ROW, "head": 3, "row_label": "read", "aer": 0.2}], (1, 2, "reads")),
        ([{**ROW, "head": None, "aer": 0.1}, ROW], (1, 0, "writes")),  # a mean is no head
        ([{**ROW, "method": "norm", "aer": 0.1}, ROW], (1, 0, "writes")),  # nor another measure
        ([{**ROW, "head": None}], None),
    ],
)
def test_a_sentence_opens_with_the_head_of_the_lowest_error(
    tmp_path: Path, rows: list[dict[str, object]], expected: tuple[int, int, str] | None
) -> None:
    assert opening_head(None) is None and opening_head(tmp_path) is None
    (tmp_path / "alignment.json").write_text(json.dumps({"rows": rows}))
    found = opening_head(tmp_path)
    assert (None if found is None else found[1:]) == expected


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"rows": [{}]}', '{"rows": [7]}'])
def test_what_is_no_scoreboard_is_said_without_its_path(tmp_path: Path, text: str) -> None:
    (tmp_path / "alignment.json").write_text(text)
    with pytest.raises(ConfigError, match="is not a scoreboard") as refused:
        opening_head(tmp_path)
    assert str(tmp_path) not in str(refused.value)
