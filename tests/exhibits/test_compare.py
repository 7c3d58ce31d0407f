"""Side by side: what the page shows of the four methods is what `explain` gives for each."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Callable
from difflib import SequenceMatcher
from typing import Any
from urllib.parse import quote

import pytest

from explorer.labels import labels
from model.config import METHODS, DecodeConfig
from model.explain import Explainer
from model.trace import Explanation
from tests.stage import Stage, expect

Open = Callable[..., Stage]
TEXT = "The old man who lives next door gave my sister a red umbrella."
WARM = {"temperature": 1.6, "top_k": 20, "top_p": 0.9}
SAMPLED = ("sampling", "beam_sampling")


def rows(page: Stage, table: str = "methods") -> list[dict[str, Any]]:
    """What the picture and the numbers show of each outcome."""
    lanes, numbers = {
        "methods": (".hl-compare-methods tbody tr:not(.hl-compare-drawn)", ".hl-compare-numbers"),
        "drawn": ("tr.hl-compare-drawn", ".hl-compare-seeds"),
    }[table]
    found: list[dict[str, Any]] = page.evaluate(
        """([lanes, numbers]) => {
            const told = [...document.querySelectorAll(numbers)];
            return [...document.querySelectorAll(lanes)].map((row, i) => ({
                name: row.className.split("hl-compare-")[1].trim(),
                seed: told[i].cells[0].textContent.trim(),
                tokens: [...row.querySelectorAll(".hl-compare-token")].map((t) => t.textContent),
                other: [...row.querySelectorAll(".hl-compare-token")]
                  .map((t) => t.classList.contains("hl-other")),
                gaps: row.querySelectorAll(".hl-compare-gap").length,
                shown: [...row.cells].slice(2)
                  .map((cell) => cell.textContent.trim().replace("−", "-")),
                cells: [...told[i].cells].slice(2).map((c) => c.textContent.replace("−", "-")),
            }));
        }""",
        [lanes, f"{numbers} tbody tr"],
    )
    assert len(found) == page.locator(f"{numbers} tbody tr").count()
    return found


def opened(open_stage: Open, query: str) -> Stage:
    page = open_stage(f"?view=compare&{query}")
    page.unfold("compare", "adjust", "numbers")
    return page


def set_numbers(page: Stage, **values: float) -> None:
    for name, value in values.items():
        page.fill(f".hl-compare-{name} .hl-typed", str(value))
    page.pass_time(1000)  # past the pause after which it is asked
    page.rest()


def check_row(row: dict[str, Any], found: Explanation) -> None:
    best, steps = found.search.hypotheses[0], found.search.steps
    assert row["tokens"] == [label.text for label in labels(found.trace.tgt_out)]
    assert float(row["cells"][0]) == pytest.approx(best.log_prob, abs=6e-5)
    assert float(row["cells"][1]) == pytest.approx(best.score, abs=6e-5)
    assert int(row["cells"][2]) == len(best.path)
    each, score = row["shown"]
    assert float(score.removeprefix("★").strip()) == pytest.approx(best.score, abs=6e-4)
    assert abs(float(each.split()[0]) - 100 * math.exp(best.log_prob / len(best.path))) < 0.06
    if len(row["cells"]) > 3:
        kept = sum(step.fates.count("kept") for step in steps)
        counts = [len(steps), 1 + kept, sum(len(step) for step in steps)]
        assert [int(cell) for cell in row["cells"][3:6]] == counts


def common(a: list[int], b: list[int]) -> int:
    """The length of a longest common subsequence."""
    best = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            best[i + 1][j + 1] = best[i][j] + 1 if x == y else max(best[i][j + 1], best[i + 1][j])
    return best[-1][-1]


def ids_of(found: Explanation) -> list[int]:
    return found.trace.tgt_out.ids.tolist()


def warm_and_cold(
    explainer: Explainer, seed: int
) -> tuple[dict[str, Explanation], dict[str, Explanation]]:
    """All methods at the temperature of `WARM`, and those that draw at a low one."""
    warm = DecodeConfig(beam_size=3, length_penalty=0.8, seed=seed, **WARM)  # type: ignore[arg-type]
    cold = dataclasses.replace(warm, temperature=0.1)
    return (
        {m: explainer.explain(TEXT, dataclasses.replace(warm, method=m)) for m in METHODS},
        {m: explainer.explain(TEXT, dataclasses.replace(cold, method=m)) for m in SAMPLED},
    )


def tells_apart(explainer: Explainer, seed: int) -> bool:
    warm, cold = warm_and_cold(explainer, seed)
    return all(ids_of(warm[m]) != ids_of(cold[m]) for m in SAMPLED)


def test_the_four_methods_are_those_of_explain(open_stage: Open, explainer: Explainer) -> None:
    page = opened(open_stage, f"beam_size=3&length_penalty=0.8&text={TEXT}")
    seed = next(seed for seed in range(4, 200) if tells_apart(explainer, seed))
    set_numbers(page, **WARM, seed=seed)
    found, cold = warm_and_cold(explainer, seed)
    shown = rows(page)
    assert [row["name"] for row in shown] == list(METHODS)
    beam = found["beam"].trace.tgt_out.ids.tolist()
    for row in shown:
        check_row(row, found[row["name"]])
        ids = found[row["name"]].trace.tgt_out.ids.tolist()
        stay = [i for i, other in zip(ids, row["other"], strict=True) if not other]
        blocks = SequenceMatcher(None, beam, ids, autojunk=False).get_matching_blocks()
        in_blocks = sum(block.size for block in blocks)  # the longest first: at most `common`
        assert len(stay) == in_blocks == common(stay, beam), "too much is underlined"
        amount, unit = row["cells"][6].split()
        assert float(amount) >= 1 and unit in ("ms", "s"), "a search takes time"
    assert any(any(row["other"]) for row in shown), "all four agree"
    # The twin: at another temperature both kinds of sampling find something else.
    for method in SAMPLED:
        with pytest.raises(AssertionError):
            check_row(shown[METHODS.index(method)], cold[method])
    assert page.errors == []


@pytest.mark.long
def test_other_seeds_are_those_of_explain(open_stage: Open, explainer: Explainer) -> None:
    page = opened(open_stage, f"text={TEXT}")
    set_numbers(page, seed=7)
    lanes = page.locator("tr.hl-compare-drawn")
    for count in (5, 10):
        page.click(".hl-compare-draw")
        expect(lanes).to_have_count(count)
    shown = rows(page, "drawn")
    texts = [" ".join(row["tokens"]) for row in shown]
    beam = " ".join(rows(page)[1]["tokens"])
    said = page.finding("compare")
    assert said.startswith(f"10 draws give {len(set(texts))} different")
    assert said.endswith("is among them." if beam in texts else "is not among them.")
    assert [int(row["seed"]) for row in shown] == list(range(7, 17))
    for row in shown:
        check_row(row, explainer.explain(TEXT, DecodeConfig("sampling", seed=int(row["seed"]))))


def test_one_more_space_is_not_another_translation(open_stage: Open, explainer: Explainer) -> None:
    text = explainer.explain("I am a student.").trace.tgt_out.text
    assert len(text) > 3

    def spaced(_: dict[str, Any], reply: str) -> str:
        return reply.replace(f'"text":"{text}"', f'"text":"{text} "')

    page = opened(open_stage, "text=I+am+a+student.&method=greedy")
    same = "All four methods write the same translation."
    set_numbers(page, temperature=0.1)
    assert page.finding("compare") == same, "they differ: this tests nothing"
    page.change(spaced)
    set_numbers(page, temperature=0.11)
    assert page.finding("compare") == same
    assert page.locator("tr.hl-compare-sampling").count()


def test_a_click_shows_that_one_in_the_page(open_stage: Open, explainer: Explainer) -> None:
    page = opened(open_stage, f"text={TEXT}")
    set_numbers(page, temperature=1.3, seed=2)
    page.press("tr.hl-compare-sampling button", "Enter")
    page.wait_for_selector("tr.hl-compare-sampling.hl-chosen")
    found = explainer.explain(TEXT, DecodeConfig("sampling", temperature=1.3, seed=2))
    written = page.locator("#hl-tgt .hl-token > span").all_text_contents()[1:]
    assert written == [label.text for label in labels(found.trace.tgt_out)]
    # What was set here is now the page's own, and the comparison stands as it was.
    assert rows(page)[2]["tokens"] == written
    assert page.input_value(".hl-compare-temperature .hl-typed") == "1.3"
    assert page.errors == []


def test_a_link_brings_its_own_settings(open_stage: Open, explainer: Explainer) -> None:
    """Beside those of the whole page; what the page is set to later counts here too."""
    own = {"temperature": 1.7, "top_k": 20, "top_p": 0.9, "seed": 5}
    query = f"temperature=0.6&text={TEXT}&compare.own={quote(json.dumps(own))}"
    page = opened(open_stage, query)
    assert page.input_value(".hl-compare-temperature .hl-typed") == "1.7"
    found = explainer.explain(TEXT, DecodeConfig("sampling", **own))  # type: ignore[arg-type]
    check_row(rows(page)[2], found)
    page.evaluate(
        """() => headlight.page.explain({
            settings: { ...headlight.page.current.settings, temperature: 0.8 } })"""
    )
    assert page.input_value(".hl-compare-temperature .hl-typed") == "0.8"
    page.wait_for_function("!location.search.includes('compare.own')")
