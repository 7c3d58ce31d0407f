"""A link restores every control of every view; back and forward; copying; another model."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Literal
from urllib.parse import urlsplit

import pytest

from explorer.exhibits import NAMES
from explorer.labels import label_of_piece
from explorer.publish import away
from explorer.words import WORDS
from model.explain import Explainer
from tests.stage import Node, Stage, choose_exhibit, desk_of
from tests.tiers import each

Open = Callable[..., Stage]
LIST = "#panel-tree .hl-numbers section:nth-child(3) h3"  # names the step of its table

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
    const isSeen = (one) => !one.closest('[hidden]');
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
        if (!one.isConnected || one.disabled || one.readOnly || !isSeen(one)) continue;
        if (kinds.includes(one.type)) move[one.type](one);
    }
}"""

# Every control of a view that is in sight, with its value.
CONTROLS = """(name) => [...document.querySelectorAll(
        `#panel-${name} :is(input, select, textarea, [aria-pressed], tr[aria-selected])`)]
    .filter((one) => !one.closest('[hidden]'))
    .map((one) => [one.tagName, one.type ?? '', one.className,
        one.getAttribute('aria-label') ?? one.textContent.trim().slice(0, 40),
        ['checkbox', 'radio'].includes(one.type) ? one.checked
            : one.getAttribute('aria-pressed') ?? one.getAttribute('aria-selected')
                ?? one.value])"""


# Shapes with less than no width or height, which a browser reports as an error.
INSIDE_OUT = """(name) => [...document.querySelectorAll(`#panel-${name} svg *`)]
    .filter((one) => ['width', 'height', 'r'].some((side) => Number(one.getAttribute(side)) < 0))
    .map((one) => one.outerHTML.slice(0, 200))"""


def copied(page: Stage) -> str:
    """The link that the button copies."""
    page.click("#hl-copy > summary")
    return page.copied()


def controls(page: Stage, name: str) -> list[list[object]]:
    choose_exhibit(page, name)
    found: list[list[object]] = page.evaluate(CONTROLS, name)
    return found


PARTS = tuple(NAMES[i::4] for i in range(4))


@each("names", PARTS, 1)
def test_a_link_restores_every_control_of_every_view(
    open_stage: Open, names: tuple[str, ...]
) -> None:
    """A link that has moved every control of a quarter of all views."""
    page = open_stage(f"?text={SENTENCE.replace(' ', '+')}&lang=en")
    fresh = {}
    for name in names:
        fresh[name] = controls(page, name)
        page.evaluate(MOVE, [name, ["radio", "checkbox"]])
        page.evaluate(MOVE, [name, ["range", "select-one", "text", "textarea"]])
        if name in PRESSED:
            page.click(f"#panel-{name} {PRESSED[name]}")
    link = copied(page)
    assert len(link) < 8_100
    choices = page.evaluate("() => Object.keys(headlight.page.choices.get())")
    assert {key.split(".")[0] for key in choices} == set(names) - PLAIN
    moved = {name: controls(page, name) for name in names}
    assert page.errors == []
    assert all(moved[name] != fresh[name] for name in set(names) - PLAIN)
    other = open_stage("?" + urlsplit(link).query)
    assert {name: controls(other, name) for name in names} == moved
    assert other.evaluate("() => headlight.page.message.get()") is None
    other.set_viewport_size({"width": 320, "height": 60})
    for name in names:
        choose_exhibit(other, name)
        assert other.evaluate(INSIDE_OUT, name) == [], "a picture does without this little room"
    assert other.errors == []


def search(page: Stage) -> str:
    page.pass_time(1_000)  # the address follows when the visitor rests
    return str(page.evaluate("() => location.search"))


def test_dragging_makes_no_entries(open_stage: Open) -> None:
    page = open_stage("?view=scaling")
    before = page.evaluate("() => history.length")
    page.unfold("scaling", "adjust")
    slider = page.locator("#panel-scaling .hl-field-seed input[type=range]")
    slider.focus()
    for _ in range(8):
        slider.press("ArrowRight")
    assert "scaling.seed=9" in search(page)
    assert page.evaluate("() => history.length") == before


def test_a_long_link_is_packed_and_what_is_too_long_is_said(open_stage: Open) -> None:
    page = open_stage("?view=bleu")
    page.unfold("bleu", "adjust")
    texts = page.locator("#panel-bleu textarea")
    for i, letter in enumerate("甲乙丙"):
        texts.nth(i).fill(letter * 500)
    page.pass_time(1_000)  # it is read when the visitor rests
    link = copied(page)
    assert "packed=" in link and len(link) < 8_100
    assert page.inner_text("#hl-copy .hl-sheet") == "Link copied."
    # Texts that no packing makes short enough: the link is whole but for them, and says so.
    noise = random.Random(7)
    page.evaluate(
        "(text) => headlight.page.choices.set({ 'masks.asked': text, 'positions.k': '9' })",
        "".join(chr(noise.randrange(0x4E00, 0x9FA5)) for _ in range(6000)),
    )
    page.press("body", "Escape")
    shorter = copied(page)
    assert len(shorter) < 8_100 and "masks.asked" not in shorter and "positions.k=9" in shorter
    assert "Who may read whom" in page.inner_text("#hl-copy .hl-sheet p >> nth=1")
    other = open_stage("?" + urlsplit(link).query)
    assert other.input_value("#panel-bleu textarea >> nth=2") == "丙" * 500


def test_a_link_of_another_model_says_so(open_stage: Open) -> None:
    page = open_stage("?text=Why%3F&made=marian-large%40abc")
    assert "marian-large@abc" in page.text_content("#hl-message")
    assert "made=" not in search(page)
    own = open_stage("?text=Why%3F&made=en-zh")
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
def test_absurd_choices_are_left_out(open_stage: Open, query: str) -> None:
    """The views are as if the link did not have them."""
    named = {one.split(".")[0] for one in query.split("&")} & set(NAMES)
    names = sorted(named or {"positions"})
    page = open_stage(f"?{query}")
    found = {name: controls(page, name) for name in names}
    assert page.errors == []
    plain = open_stage("")
    assert found == {name: controls(plain, name) for name in names}


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
    open_stage: Open, query: str, said: str
) -> None:
    """Its sentence is shown all the same, and the page can go on."""
    page = open_stage(f"?view=steps&text=Why+do+we+work%3F&{query}")
    assert page.input_value("#hl-text") == "Why do we work?"
    assert page.locator("#hl-src .hl-token").nth(1).text_content() == "do"
    message = page.locator("#hl-message").text_content() or ""
    assert said in message and message.strip()
    assert page.is_hidden("#hl-changed")
    page.translate("I live in the red house.")
    assert page.locator("#hl-src .hl-token").nth(1).text_content() == "live"
    assert not (page.locator("#hl-message").text_content() or "").strip()


@pytest.mark.long
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_static_page_says_which_views_it_cannot_open(
    node: Node, explainer: Explainer, lang: Literal["en", "zh"]
) -> None:
    """A link to one opens it, and a sentence stands in its place; its translation is there."""
    page = Stage(node, desk_of(explainer))
    told = {"models": {"": {"folder": "en-zh", "bytes": 1}}, "begin": None, "kept": []}
    page.desk.facts = {**page.desk.facts, "published": told | {"away": away()}}
    assert {"playground", "truth", "proof"} <= set(away())
    for view, key in away().items():
        page.open(f"?view={view}&text=Hello.&lang={lang}")
        shown = page.locator(".hl-panel:not([hidden])")
        assert shown.get_attribute("data-exhibit") == view
        assert shown.locator(".hl-away").text_content() == getattr(WORDS[key], lang)
        assert page.evaluate("headlight.page.record.get().text") == "Hello."
        page.choose(exhibit="lens")  # the page goes on
        assert page.finding("lens")
    assert page.errors == []
    page.command("close")


@pytest.mark.parametrize("view", ["nonsense", "attentions", "constructor", "proof2"])
def test_a_view_that_does_not_exist_is_said(open_stage: Open, view: str) -> None:
    page = open_stage(f"?view={view}&text=Hello.")
    message = page.text_content("#hl-message")
    is_name = view.isalpha()
    assert ("no view" in message and f"“{view}”" in message) == is_name
    assert page.finding("figure") and page.errors == []


def test_a_link_to_a_candidate_shows_it(open_stage: Open, explainer: Explainer) -> None:
    page = open_stage("?view=tree&text=Why+do+we+work%3F&node=3.9")
    page.unfold("tree", "numbers")
    before = page.evaluate("() => headlight.page.selection.get()")
    page.pass_time(3_000)  # nothing plays
    assert page.evaluate("() => headlight.page.selection.get()") == before
    step = explainer.explain("Why do we work?").search.steps[2]
    label = label_of_piece(step.pieces[8]).line
    assert page.locator(".hl-tree-facts h3 b").text_content() == label
    assert "Step 3:" in (page.inner_text(LIST) or "")
    assert page.locator(".hl-tree-table tr.hl-chosen th").nth(0).text_content() == "9"


def test_one_walks_on_from_a_candidate_of_a_link(open_stage: Open, explainer: Explainer) -> None:
    steps = explainer.explain("Why do we work?").search.steps
    parent = int(steps[-1].parents[0])
    page = open_stage(f"?view=tree&text=Why+do+we+work%3F&node={len(steps) - 1}.{parent + 1}")
    page.unfold("tree", "numbers")
    page.press(".hl-tree-field", "ArrowRight")
    assert f"Step {len(steps)}:" in page.text_content(LIST)


@pytest.mark.parametrize(
    ("old", "view", "choices"),
    [
        ("view=next", "sampling", {}),
        ("view=recipe", "smoothing", {}),
        ("view=curves&curves.epoch=5", "learn", {"learn.epoch": "5"}),
        ("view=ledger&ledger.alpha=0.5", "tree", {"tree.alpha": "0.5"}),
        ("view=flow", "figure", {"figure.shapes": "true", "figure.encoder": "[0]"}),
        ("view=order&order.show=pair&order.pair=tom", "experiments", {"experiments.pair": "tom"}),
        (
            "view=order&order.positions=shuffled&order.seed=3",
            "experiments",
            {
                "experiments.draft": '{"positions":"shuffled","sides":"both",'
                '"shift":20,"position_seed":3}'
            },
        ),
    ],
)
def test_an_old_link_opens_what_it_meant(
    open_stage: Open, old: str, view: str, choices: dict[str, str]
) -> None:
    """Entries of the menu and views of before; the whole mapping is in address.test.mjs."""
    page = open_stage(f"?text=Hello.&{old}")
    assert page.evaluate("headlight.page.selection.get().exhibit") == view
    assert choices.items() <= page.evaluate("headlight.page.choices.get()").items()
    assert page.errors == []
