"""A model of another family on the page: every view opens, and the tree says what rules forbid."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from explorer import exhibits
from explorer.models import SHIPPED, Listed, Models
from explorer.words import WORDS
from model.explain import Explainer
from tests import foreign
from tests.stage import Desk, Stage
from tests.today import some

TEXT = foreign.SENTENCES[2]
RULES = {"num_beams": 4, "min_length": 6, "no_repeat_ngram_size": 2, "repetition_penalty": 1.2}
Open = Callable[..., Stage]


@pytest.fixture(scope="module")
def bart(tmp_path_factory: pytest.TempPathFactory) -> Explainer:
    folder: Path = tmp_path_factory.mktemp("families") / "bart"
    return Explainer.load(foreign.write_family(folder, "bart", generation=RULES), device="cpu")


@pytest.fixture(scope="module")
def desk(explainer: Explainer, bart: Explainer) -> Desk:
    shipped = Listed(SHIPPED, SHIPPED, lambda: explainer)
    return Desk(Models([shipped, Listed("bart", "bart", lambda: bart)]))


def opened(open_stage: Open, desk: Desk, view: str) -> Stage:
    page = open_stage(f"?model=bart&view={view}&text={TEXT.replace(' ', '+')}&lang=en", desk=desk)
    key = "headlight.page.record.get().model.key"
    page.wait_for_process(lambda: page.evaluate(key) == "bart", "the model")
    return page


@pytest.mark.parametrize("view", some(exhibits.NAMES, 8))
def test_every_view_opens_or_says_why_not(open_stage: Open, desk: Desk, view: str) -> None:
    page = opened(open_stage, desk, view)
    page.pass_time(3_000)
    assert (page.text_content(f"#panel-{view}") or "").strip()
    assert page.errors == []


def test_the_tree_says_which_rule_forbids_what(
    open_stage: Open, desk: Desk, bart: Explainer
) -> None:
    page = opened(open_stage, desk, "tree")
    steps = bart.explain(TEXT).search.steps
    assert {one.rule for step in steps for one in step.forbidden} >= {"min_tokens", "no_repeat"}
    own = next(one for one in steps[1].forbidden if one.parent == 0 and one.rule == "min_tokens")
    page.fill(".hl-tree-bar input[type=range]", "1")
    told = page.text_content("#panel-tree")
    word = WORDS["tree.forbidden.min_tokens"].en
    assert word.format(token="</s>", value=f"{own.log_prob:.4f}".replace("-", "−")) in str(told)
