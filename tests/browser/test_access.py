"""Everyone: axe-core finds nothing serious in any view, in both themes and both languages."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from playwright.sync_api import Page

from explorer.exhibits import NAMES
from tests.browsing import AT_REST, Watched, drawn, show
from tests.npm import FOLDER

pytestmark = pytest.mark.browser

Open = Callable[..., Watched]
AXE = FOLDER / "node_modules" / "axe-core" / "axe.min.js"

RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
COLOURS = ("color-contrast", "link-in-text-block")  # the rules that a theme can break

# Gradio's own footer is left out, and two things that the rules do not fit:
# - a block of Figure 1 is a picture with words in it; its name begins with its title;
# - the tree's nodes are as close as the search has them; keys reach them, and it can be zoomed.
FIND = """async ([within, rules]) => {
    const isLeftOut = (id, element) => element.closest('footer')
        || (id === 'label-content-name-mismatch' && element.closest('.hl-figure-svg'))
        || (id === 'target-size' && element.closest('[data-node]'));
    // The rules look at all of the document for each view; those that are hidden they pass over.
    const away = [...document.querySelectorAll('.hl-panel[hidden]')].map((panel) => {
        const kept = document.createDocumentFragment();
        kept.append(...panel.childNodes);
        return () => panel.append(kept);
    });
    const { violations } = await axe.run(within, {
        elementRef: true,
        resultTypes: ['violations'],
        runOnly: rules,
    });
    for (const restore of away) restore();
    const isSerious = ({ impact }) => ['serious', 'critical'].includes(impact);
    return violations.filter(isSerious).flatMap(({ id, nodes }) => nodes
        .filter(({ element }) => !isLeftOut(id, element))
        .map(({ target, failureSummary }) => `${id}: ${target.join(' ')} (${failureSummary})`));
}"""


def violations(page: Page, within: str, rules: Sequence[str] = RULES) -> list[str]:
    return list(page.evaluate(FIND, [within, rules]))


def looked_over(page: Page, rules: Sequence[str]) -> dict[str, list[str]]:
    """What is amiss on the page and in each of its views."""
    found = {"page": violations(page, "body", rules)}
    for name in NAMES:
        show(page, name)
        page.wait_for_timeout(400)  # a view that asks begins to: what is dimmed meanwhile is pale
        page.wait_for_function(AT_REST)
        drawn(page)
        found[name] = violations(page, f"#panel-{name}", rules)
    return {name: told for name, told in found.items() if told}


@pytest.mark.parametrize("language", ["en-GB", "zh-CN"])
def test_no_view_shuts_anybody_out(open_page: Open, language: str) -> None:
    page = open_page(locale=language, color_scheme="light", reduced_motion="reduce").page
    page.add_script_tag(path=AXE)
    assert looked_over(page, RULES) == {}
    page.click("#hl-theme")
    page.wait_for_selector("body.dark")
    assert looked_over(page, COLOURS) == {}


def test_what_is_amiss_is_found(open_page: Open) -> None:
    """The check sees a text too pale to read and a button without a name."""
    page = open_page().page
    page.add_script_tag(path=AXE)
    page.evaluate(
        """() => {
            const amiss = '<p style="color: #ddd; background: #fff">pale</p><button></button>';
            const panel = document.querySelector('.hl-panel:not([hidden])');
            panel.insertAdjacentHTML('beforeend', amiss);
        }"""
    )
    found = violations(page, "body")
    assert [told.split(":")[0] for told in found] == ["button-name", "color-contrast"]
    found = violations(page, "body", COLOURS)
    assert [told.split(":")[0] for told in found] == ["color-contrast"]
