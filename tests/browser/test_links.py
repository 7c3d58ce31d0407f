"""A link restores every control of every view; back and forward; copying; another model."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Page

from explorer.exhibits import NAMES
from explorer.labels import label_of_piece
from model.explain import Explainer
from tests.browsing import Server, Watched, at_rest, choose_exhibit, drawn, unfold
from tests.exhibits.test_tree import LIST
from tests.today import some

pytestmark = pytest.mark.browser

Open = Callable[..., Watched]

SENTENCE = "I like these cats."
# Views whose controls are all the page's own (the sentence, the step, the head) or start something.
PLAIN = {"lessons", "cheat", "steps", "proof"}
# What a visitor chooses by a button, and a link keeps.
PRESSED = {
    "figure": ".hl-figure-unfold",
    "attention": ".hl-field-view [value=both]",
    "microscope": "[data-strip=context] image",
    "learn": ".hl-learn-list button >> nth=0",
    "byhand": "[data-step=weights] button >> nth=1",
    "sampling": ".hl-sampling-many",
}

# Moves what is in sight: first what decides which other controls there are, then the others.
MOVE = """([name, kinds]) => {
    const panel = document.querySelector(`#panel-${name}`);
    const fire = (one, type) => one.dispatchEvent(new Event(type, { bubbles: true }));
    const next = (all, at) => all[(at + 1) % all.length];
    const done = new Set();
    const move = {
        radio(one) {
            if (done.has(one.name)) return;
            done.add(one.name);
            const all = [...panel.querySelectorAll(`input[name="${one.name}"]`)]
                .filter(({ disabled }) => !disabled);
            next(all, all.findIndex(({ checked }) => checked)).click();
        },
        checkbox: (one) => one.click(),
        range(one) {
            const [value, step] = [Number(one.value), Number(one.step || 1)];
            const more = value + 3 * step;
            one.value = String(more <= Number(one.max) ? more : value - step);
            fire(one, 'input');
        },
        'select-one'(one) {
            const all = [...one.options].filter(({ disabled }) => !disabled);
            one.value = next(all, all.findIndex(({ selected }) => selected)).value;
            fire(one, 'change');
        },
        text(one) {
            one.value = one.inputMode === 'decimal' ? '0.2' : `${one.value} too`;
            fire(one, 'input');
            fire(one, 'change');
        },
    };
    move.textarea = move.text;
    for (const one of panel.querySelectorAll('input, select, textarea')) {
        if (!one.isConnected || one.disabled || one.readOnly || one.offsetParent === null) continue;
        if (kinds.includes(one.type)) move[one.type](one);
    }
}"""

# Every control of a view that is in sight, with its value.
CONTROLS = """(name) => [...document.querySelectorAll(
        `#panel-${name} :is(input, select, textarea, [aria-pressed], tr[aria-selected])`)]
    .filter((one) => one.offsetParent !== null)
    .map((one) => [one.tagName, one.type ?? '', one.className,
        one.getAttribute('aria-label') ?? one.textContent.trim().slice(0, 40),
        ['checkbox', 'radio'].includes(one.type) ? one.checked
            : one.getAttribute('aria-pressed') ?? one.getAttribute('aria-selected')
                ?? one.value])"""

QUIET = """() => {
    const { ready, busy, asking } = document.body.dataset;
    return ready === 'live' && busy === undefined && asking === undefined;
}"""


def rest(name: str, *pages: Page) -> list[list[Any]]:
    """The controls of a view on each page once nothing is under way and two looks agree."""
    before: list[list[Any]] | None = None
    for _ in range(40):
        for page in pages:
            page.wait_for_function(QUIET, timeout=60_000)
            page.wait_for_selector(f"#panel-{name} progress", state="detached", timeout=90_000)
        now = [page.evaluate(CONTROLS, name) for page in pages]
        if now == before:
            return now
        before = now
        pages[0].wait_for_timeout(500)  # the longest pause of a view before it asks
    raise AssertionError(f"{name} does not come to rest")


def visit(page: Page, name: str) -> None:
    choose_exhibit(page, name)
    page.wait_for_selector(f"#panel-{name} .hl-exhibit > *")
    page.wait_for_function(QUIET, timeout=60_000)
    drawn(page)


def copied(page: Page) -> str:
    """The link that the button copies."""
    page.evaluate("() => navigator.clipboard.writeText('')")
    page.click("#hl-copy > summary")
    page.wait_for_function("async () => (await navigator.clipboard.readText()) !== ''")
    return str(page.evaluate("() => navigator.clipboard.readText()"))


@pytest.mark.slow
def test_a_link_restores_every_control_of_every_view(open_page: Open, browser: Browser) -> None:
    query = f"?text={SENTENCE.replace(' ', '+')}&lang=en"
    options = {"permissions": ["clipboard-read", "clipboard-write"]}
    first = open_page(query, **options)
    page, fresh, names = first.page, {}, some(NAMES, 4)
    for name in names:
        visit(page, name)
        fresh[name] = page.evaluate(CONTROLS, name)
        page.evaluate(MOVE, [name, ["radio", "checkbox"]])
        rest(name, page)
        page.evaluate(MOVE, [name, ["range", "select-one", "text", "textarea"]])
        if name in PRESSED:
            page.click(f"#panel-{name} {PRESSED[name]}")
    rest(name, page)
    link = copied(page)
    assert len(link) < 8_100
    choices = page.evaluate("() => Object.keys(headlight.page.choices.get())")
    assert {key.split(".")[0] for key in choices} == set(names) - PLAIN
    second = open_page("?" + urlsplit(link).query, **options)
    moved, found = {}, {}
    for name in names:  # what one view chose of head and step, all have
        for one in (page, second.page):
            visit(one, name)
        moved[name], found[name] = rest(name, page, second.page)
    assert all(moved[name] != fresh[name] for name in set(names) - PLAIN)
    assert found == moved
    assert second.page.evaluate("() => headlight.page.message.get()") is None
    assert first.errors == [] and second.errors == []


def test_a_reload_keeps_all(open_page: Open) -> None:
    page = open_page("?view=positions").page
    at_rest(page, "positions")
    page.select_option("#panel-positions .hl-field-view select", "rotation")
    page.fill("#panel-positions .hl-field-k .hl-typed", "17")
    page.press("#panel-positions .hl-field-k .hl-typed", "Tab")
    page.wait_for_function("() => location.search.includes('positions.k=17')")
    page.reload()
    page.wait_for_selector("#panel-positions .hl-circle")
    assert page.input_value("#panel-positions .hl-field-k .hl-typed") == "17"


def test_back_and_forward_go_through_what_was_on_the_page(open_page: Open) -> None:
    watched = open_page("?text=Why+do+we+work%3F&view=attention")
    page = watched.page
    page.evaluate("() => { window.same = true; }")
    shown = (
        "([text, name]) => { const { record, selection } = headlight.page;"
        " return record.get().text === text && selection.get().exhibit === name"
        " && document.body.dataset.busy === undefined; }"
    )

    def at(text: str, name: str) -> None:
        page.wait_for_function(shown, arg=[text, name], timeout=60_000)
        page.wait_for_function("(text) => location.search.includes(text)", arg=text.split()[0])
        page.wait_for_timeout(600)  # the address rests; the next entry is one of its own

    at("Why do we work?", "attention")
    start = page.evaluate("() => history.length")
    choose_exhibit(page, "tree")
    at("Why do we work?", "tree")
    page.fill("#panel-tree .hl-tree-alpha .hl-typed", "0.5")
    page.press("#panel-tree .hl-tree-alpha .hl-typed", "Tab")
    page.wait_for_function("() => location.search.includes('tree.alpha=0.5')")
    assert page.evaluate("() => history.length") in (
        start + 1,
        start + 2,
    )  # the part, then the view
    watched.translate("I am a student.")
    at("I am a student.", "tree")
    assert page.input_value("#panel-tree .hl-tree-alpha .hl-typed") == "1"  # it begins anew
    page.go_back()
    at("Why do we work?", "tree")
    page.wait_for_function(
        "() => document.querySelector('#panel-tree .hl-tree-alpha .hl-typed').value === '0.5'"
    )
    assert page.input_value("#hl-text") == "Why do we work?"
    page.go_forward()
    at("I am a student.", "tree")
    page.click("#hl-hypotheses > summary")
    page.click("#hl-hypotheses .hl-hypothesis >> nth=2")
    page.wait_for_function("() => headlight.page.record.get().shown === 1")
    page.wait_for_function("() => location.search.includes('hypothesis=2')")
    page.go_back()
    page.wait_for_function("() => headlight.page.record.get().shown === 0")
    assert page.evaluate("() => window.same"), "the page was loaded again"
    assert watched.errors == []


def test_dragging_makes_no_entries(open_page: Open) -> None:
    page = open_page("?view=scaling").page
    before = page.evaluate("() => history.length")
    unfold(page, "scaling", "adjust")
    slider = page.locator("#panel-scaling .hl-field-seed input[type=range]")
    slider.focus()
    for _ in range(8):
        slider.press("ArrowRight")
    page.wait_for_function("() => location.search.includes('scaling.seed=9')")
    assert page.evaluate("() => history.length") == before


def test_a_long_link_is_packed_and_what_is_too_long_is_said(open_page: Open) -> None:
    options = {"permissions": ["clipboard-read", "clipboard-write"]}
    page = open_page("?view=bleu", **options).page
    unfold(page, "bleu", "adjust")
    texts = page.locator("#panel-bleu textarea")
    for i, letter in enumerate("甲乙丙"):
        texts.nth(i).fill(letter * 500)
    page.wait_for_function("() => headlight.page.choices.get()['bleu.typed']?.includes('丙')")
    link = copied(page)
    assert "packed=" in link and len(link) < 8_100
    page.wait_for_selector("#hl-copy .hl-sheet p")
    assert page.inner_text("#hl-copy .hl-sheet") == "Link copied."
    other = open_page("?" + urlsplit(link).query).page
    other.wait_for_function(
        "() => document.querySelector('#panel-bleu textarea')?.value.length === 500"
    )
    assert other.input_value("#panel-bleu textarea >> nth=2") == "丙" * 500
    # Texts that no packing makes short enough: the link is whole but for them, and says so.
    noise = random.Random(7)
    page.evaluate(
        "(text) => headlight.page.choices.set({ 'masks.asked': text, 'positions.k': '9' })",
        "".join(chr(noise.randrange(0x4E00, 0x9FA5)) for _ in range(6000)),
    )
    page.keyboard.press("Escape")
    link = copied(page)
    assert len(link) < 8_100 and "masks.asked" not in link and "positions.k=9" in link
    page.wait_for_selector("#hl-copy .hl-sheet p >> nth=1")
    assert "Who may read whom" in page.inner_text("#hl-copy .hl-sheet p >> nth=1")


def test_where_copying_is_refused_the_link_is_there_to_copy(open_page: Open) -> None:
    page = open_page("?view=tree").page
    page.evaluate(
        "() => { navigator.clipboard.writeText = () => Promise.reject(new Error('no')); }"
    )
    page.click("#hl-copy > summary")
    page.wait_for_selector("#hl-copy input")
    value = page.input_value("#hl-copy input")
    assert parse_qs(urlsplit(value).query)["view"] == ["tree"]
    assert page.evaluate("() => getSelection().toString()") == value
    page.keyboard.press("Escape")
    page.wait_for_selector("#hl-copy:not([open])")


def test_in_a_frame_the_link_is_to_the_page_itself(
    open_page: Open, server: Server, browser: Browser
) -> None:
    context = browser.new_context()
    outer = context.new_page()
    outer.set_content(f'<iframe src="{server.url}?view=masks" width="1200" height="700"></iframe>')
    frame = outer.frames[1]
    frame.wait_for_selector("body[data-ready=live]", timeout=60_000)
    frame.click("#hl-copy > summary")
    frame.wait_for_selector("#hl-copy input")  # a frame may not write to the clipboard
    assert frame.input_value("#hl-copy input").startswith(f"{server.url}?")
    context.close()


def test_a_link_of_another_model_says_so(open_page: Open) -> None:
    page = open_page("?text=Why%3F&made=marian-large%40abc").page
    page.wait_for_function(
        "() => document.querySelector('#hl-message').textContent.includes('marian-large@abc')"
    )
    page.wait_for_function("() => !location.search.includes('made=')")
    own = open_page("?text=Why%3F&made=en-zh").page
    assert own.evaluate("() => headlight.page.message.get()") is None


@pytest.mark.parametrize(
    "query",
    [
        "packed=%%%",
        "packed=AAAA",
        "positions.view=<img onerror=alert(1)>&positions.k=1e99&positions.others=[1,2,{}]"
        "&byhand.given={%22W%22:[[1e9]]}&byhand.preset=none&byhand.chosen=[1]"
        "&toy.typed=[[[]]]&masks.own={}&masks.asked=5&tree.cursor=9.9.9&tree.parents=[1]"
        "&bleu.typed=null&sampling.settings={}&sampling.own=[-1]&proof.line=__proto__"
        "&figure.encoder=[0,0,99]&figure.decoder=x&library.need=[1]&playground.settings={}",
    ],
)
def test_absurd_choices_are_left_out(open_page: Open, query: str) -> None:
    """The views are as if the link did not have them."""
    watched, plain = open_page(f"?{query}"), open_page()
    for name in ("positions", "byhand", "toy", "sampling") if "." in query else ("positions",):
        for one in (watched, plain):
            visit(one.page, name)
        found, usual = rest(name, watched.page, plain.page)
        assert found == usual and found
    assert watched.errors == []


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ('changes={"positions":"shifted","shift":600}', "shifted by 600"),
        ('changes={"heads_off":[["cross",5,0]]}', "layer"),
        ("hypothesis=99", "Hypothesis 99"),
        ("node=90.9", ""),
        ("prefix=99999", "99999"),
    ],
)
def test_what_a_link_asks_in_vain_is_said_and_left_out(
    open_page: Open, query: str, said: str
) -> None:
    """Its sentence is shown all the same, and the page can go on."""
    watched = open_page(f"?view=steps&text=Why+do+we+work%3F&{query}")
    page = watched.page
    assert page.input_value("#hl-text") == "Why do we work?"
    assert page.locator("#hl-src .hl-token").nth(1).text_content() == "do"
    message = page.locator("#hl-message").text_content() or ""
    assert said in message and message.strip()
    assert page.is_hidden("#hl-changed")
    watched.translate("I live in the red house.")
    assert page.locator("#hl-src .hl-token").nth(1).text_content() == "live"
    assert not (page.locator("#hl-message").text_content() or "").strip()


def test_a_link_to_a_candidate_shows_it(open_page: Open, explainer: Explainer) -> None:
    page = open_page("?view=tree&text=Why+do+we+work%3F&node=3.9").page
    drawn(page)
    unfold(page, "tree", "numbers")
    before = page.evaluate("() => headlight.page.selection.get()")
    drawn(page)  # nothing plays
    assert page.evaluate("() => headlight.page.selection.get()") == before
    step = explainer.explain("Why do we work?").search.steps[2]
    label = label_of_piece(step.pieces[8]).line
    assert page.locator(".hl-tree-facts h3 b").text_content() == label
    assert "Step 3:" in (page.inner_text(LIST) or "")
    assert page.locator(".hl-tree-table tr.hl-chosen th").nth(0).text_content() == "9"


def test_one_walks_on_from_a_candidate_of_a_link(open_page: Open, explainer: Explainer) -> None:
    steps = explainer.explain("Why do we work?").search.steps
    parent = int(steps[-1].parents[0])
    page = open_page(f"?view=tree&text=Why+do+we+work%3F&node={len(steps) - 1}.{parent + 1}").page
    unfold(page, "tree", "numbers")
    page.focus(".hl-tree-field")
    page.keyboard.press("ArrowRight")
    page.wait_for_function(
        f"(n) => document.querySelector('{LIST}').textContent.includes(`Step ${{n}}:`)",
        arg=len(steps),
    )


def test_the_name_of_an_entry_of_the_menu_opens_it(open_page: Callable[..., Watched]) -> None:
    for name, exhibit in (("next", "sampling"), ("recipe", "smoothing")):
        page = open_page(f"?view={name}").page
        assert page.evaluate("headlight.page.selection.get().exhibit") == exhibit
