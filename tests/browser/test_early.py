"""What is pressed or typed from the first frame on holds, however slow the page, late the replies.

The processor is slowed six times by the browser itself, each request reaches the server later, and
a script in the page presses what it sees in the frame in which it sees it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page

from explorer.exhibits import NAMES
from tests.browsing import LAPTOP, Server, Watched
from tests.tiers import each

pytestmark = pytest.mark.browser

Open = Callable[..., Watched]

SLOWED = 6
TEXT = "Why do we work?"
DELAYS = (0, 300, 3000)  # ms

# Holds each request of the page back: by some ms, or if null until `release()`.
HOLD = """(() => {
    const delay = %s;
    const fetched = window.fetch;
    let held = delay === null
        ? new Promise((resolve) => { window.release = resolve; })
        : null;
    window.fetch = async (what, how) => {
        const isRequest = String(what?.url ?? what).includes("/queue/join");
        if (isRequest) await (held ?? new Promise((done) => setTimeout(done, delay)));
        return fetched(what, how);
    };
})();"""

# Runs `act` in the first frame in which the element can be seen and pressed.
SIGHT = """window.atSight = (selector, act) => {
    const look = () => {
        const one = document.querySelector(selector);
        const isThere = one?.checkVisibility({ visibilityProperty: true })
            && !one.disabled && !one.closest("[inert]");
        if (isThere) act(one);
        else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
};
window.press = (selector) =>
    new Promise((done) => atSight(selector, (one) => { one.click(); done(); }));
window.choose = (selector, value, type = "input") =>
    new Promise((done) => atSight(selector, (one) => {
        one.value = value;
        one.dispatchEvent(new Event(type, { bubbles: true }));
        done();
    }));
"""

TYPE = """atSight("#hl-text", (field) => {
    const letters = [...%s];
    const next = () => {
        if (letters.length === 0) return;
        field.focus();
        field.setSelectionRange(field.value.length, field.value.length);
        document.execCommand("insertText", false, letters.shift());
        requestAnimationFrame(next);
    };
    field.select();
    next();
});"""

QUIET = """() => {
    const { ready, busy, asking } = document.body.dataset;
    return ready === "live" && busy === undefined && asking === undefined;
}"""


@contextmanager
def early(browser: Browser, url: str, delay: int | None, script: str) -> Iterator[Page]:
    """A slow page whose replies are late, with a script that runs before all others."""
    with browser.new_context(**LAPTOP) as context:  # type: ignore[arg-type]
        context.set_default_timeout(240_000)  # of a processor slowed sixfold, beside other work
        page = context.new_page()
        held = "null" if delay is None else str(delay)
        page.add_init_script(HOLD % held + SIGHT + script)
        session = context.new_cdp_session(page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
        page.goto(url, wait_until="commit")
        yield page


def live(page: Page) -> None:
    page.wait_for_function(QUIET, timeout=60_000)


@each("end", ["", "\\n"], 1)
def test_a_sentence_typed_while_the_page_starts_stays(
    browser: Browser, server: Server, end: str
) -> None:
    """From the first frame in which there is a field, over the recorded example to the answer."""
    typed = "I live in the red house."
    with early(browser, server.url, 300, TYPE % f'"{typed}{end}"') as page:
        live(page)
        if end:
            page.wait_for_function("(text) => document.body.dataset.text === text", arg=typed)
            live(page)
        assert page.input_value("#hl-text") == typed


def test_presses_before_the_first_answer_hold(browser: Browser, server: Server) -> None:
    """On the recorded example, which is of another sentence than the link's."""
    script = """(async () => {
        await press("[data-go=forward]");
        await press("[data-go=forward]");
        await press("#panel-tree .hl-fold-adjust");
        await press("#panel-tree .hl-tree-all input");
        await choose("#panel-tree .hl-tree-alpha input", "0.25");
        await choose("#panel-tree .hl-select select", "slow", "change");
        await press("#hl-language");
        await press("#hl-settings > summary");
        await choose("#hl-settings [name=beam_size]", "5");
        window.isDone = true;
    })();"""
    link = {"text": TEXT, "view": "tree", "lang": "en", "tree.alpha": "0.5", "bleu.typed": "[1]"}
    with early(browser, f"{server.url}?{urlencode(link)}", None, script) as page:
        page.wait_for_function("window.isDone")
        assert page.evaluate("document.body.dataset.ready") == "recorded"
        page.evaluate("release()")
        page.wait_for_function("headlight.page.record.get().settings.beam_size === 5")
        live(page)
        assert page.evaluate("document.body.dataset.text") == TEXT
        assert page.text_content("#hl-step") is not None
        assert page.evaluate("headlight.page.selection.get().step") == 2
        assert page.is_checked("#panel-tree .hl-tree-all input")
        assert page.input_value("#panel-tree .hl-tree-alpha input >> nth=0") == "0.25"
        assert page.input_value("#panel-tree .hl-select select") == "slow"
        assert page.evaluate("document.documentElement.lang") == "zh-CN"
        # A text that fits no field waits for whoever opens its view.
        assert page.evaluate("headlight.page.choices.get()['bleu.typed']") == "[1]"


@pytest.mark.long
def test_a_new_sentence_ends_what_was_chosen_before_it_and_nothing_after(
    browser: Browser, server: Server
) -> None:
    link = {"text": TEXT, "view": "tree", "lang": "en", "tree.alpha": "0.5", "tree.upTo": "1"}
    with early(browser, f"{server.url}?{urlencode(link)}", 300, "") as page:
        live(page)
        alpha = "#panel-tree .hl-tree-alpha input >> nth=0"
        page.wait_for_selector(alpha)
        assert page.input_value(alpha) == "0.5"
        page.evaluate("headlight.page.folds.merge({ adjust: true })")
        page.fill("#hl-text", "Do you like ethnic food?")  # its search beats two that had ended
        page.press("#hl-text", "Enter")
        page.click("[data-go=forward]")
        page.check("#panel-tree .hl-tree-beaten input")
        page.wait_for_function("document.body.dataset.text.startsWith('Do you')")
        live(page)
        page.wait_for_function("document.querySelector('.hl-tree-alpha input').value === '1'")
        assert page.evaluate("headlight.page.selection.get().step") == 1
        assert page.is_checked("#panel-tree .hl-tree-beaten input")
        chosen = page.evaluate("Object.keys(headlight.page.choices.get())")
        assert "tree.alpha" not in chosen and "tree.withBeaten" in chosen


# ------------------------------------------------------------------- every control of every view

CONTROLS = """window.controlsOf = () => {
    const panel = document.querySelector(".hl-panel:not([hidden])");
    const parts = ":is([data-part=controls], [data-part=adjust])";
    const all = panel?.querySelectorAll(
        `${parts} :is(input, select, textarea, [aria-pressed]:not(.hl-fold))`) ?? [];
    const counts = new Map();
    return [...all].flatMap((one) => {
        if (!one.checkVisibility({ visibilityProperty: true }) || one.disabled || one.readOnly)
            return [];
        const group = one.closest("fieldset")?.querySelector("legend")?.textContent ?? "";
        const label = one.type === "radio" ? one.value
            : one.getAttribute("aria-label")
                || one.closest("label")?.firstElementChild?.textContent
                || (one.type === "checkbox" && one.closest("label")?.textContent) || one.className;
        const name = [one.tagName, one.type, group, label].map((part) => part?.trim()).join("|");
        counts.set(name, (counts.get(name) ?? 0) + 1);
        return [[`${name}|${counts.get(name)}`, one]];
    });
};
window.valueOf = (one) => ["checkbox", "radio"].includes(one.type) ? one.checked
    : one.getAttribute("aria-pressed") ?? one.value;
window.valuesOf = () =>
    Object.fromEntries(controlsOf().map(([name, one]) => [name, valueOf(one)]));
window.put = (one, value) => {
    if (["checkbox", "radio"].includes(one.type) || one.tagName === "BUTTON") one.click();
    else {
        one.value = value;
        one.dispatchEvent(new Event("input", { bubbles: true }));
        one.dispatchEvent(new Event("change", { bubbles: true }));
    }
};
"""

# One control a frame, each in the first that shows it; of a group of radio buttons one.
WALK = """(() => {
    window.pressed = [];
    const known = new Set();
    const other = {
        "select-one": (one) => {
            const all = [...one.options].filter(({ disabled }) => !disabled);
            return all[(one.selectedIndex + 1) % all.length]?.value;
        },
        range(one) {
            const [value, step] = [Number(one.value), Number(one.step || 1)];
            const more = value + 3 * step;
            return String(more <= Number(one.max) ? more : value - step);
        },
        text: (one) => (one.inputMode === "decimal" ? "0.2" : `${one.value} too`),
        textarea: (one) => `${one.value} too`,
    };
    const look = () => {
        requestAnimationFrame(look);
        if (window.isOver) return;
        for (const [name, one] of controlsOf()) {
            const group = one.type === "radio" ? one.name : name;
            // The name of a button may say whether it is pressed.
            if ([group, one].some((each) => known.has(each))) continue;
            if (one.type === "radio" && one.checked) continue;
            known.add(group).add(one);
            if (one.type === "number") continue; // the box of a slider
            const value = other[one.type]?.(one) ?? null;
            pressed.push([name, value]);
            put(one, value);
            return;
        }
    };
    requestAnimationFrame(look);
})();"""

# Nothing is under way, and no control moves, for some forty frames.
STILL = """() => new Promise((done, fail) => {
    let [before, calm] = ["", 0];
    const until = performance.now() + 90_000;
    const look = () => {
        const { ready, busy, asking } = document.body.dataset;
        const view = document.querySelector(".hl-panel:not([hidden])");
        const isCalm = ready === "live" && busy === undefined && asking === undefined
            && view?.querySelector(".hl-exhibit > *")
            && !view.querySelector(".hl-pending[role=status], progress");
        const now = JSON.stringify(valuesOf());
        calm = isCalm && now === before ? calm + 1 : 0;
        before = now;
        if (calm > 40) done();
        else if (performance.now() > until) fail(new Error("does not come to rest"));
        else requestAnimationFrame(look);
    };
    look();
})"""

AGAIN = """async (all) => {
    const drawn = () => new Promise((done) =>
        requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done))));
    for (const [name, value] of all) {
        const one = controlsOf().find(([own]) => own === name)?.[1];
        if (one) put(one, value);
        await drawn();
    }
}"""


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize("delay", DELAYS)
@pytest.mark.parametrize("name", NAMES)
def test_every_control_of_a_view_is_as_pressed(
    browser: Browser, server: Server, open_page: Open, name: str, delay: int
) -> None:
    """The same presses on a page at rest say what the controls must show."""
    query = f"?view={name}&lang=en"
    unfolded = f'localStorage.setItem("headlight.folds", "{name} adjust");'
    with early(browser, server.url + query, delay, unfolded + CONTROLS + WALK) as page:
        live(page)
        page.evaluate(STILL)
        page.evaluate("window.isOver = true")
        page.evaluate(STILL)
        pressed = page.evaluate("pressed")
        shown = page.evaluate("valuesOf()")
    rested = open_page(query, keep=False)
    rested.page.evaluate(f"() => {{ {CONTROLS} headlight.page.folds.merge({{ adjust: true }}); }}")
    rested.page.evaluate(STILL)
    rested.page.evaluate(AGAIN, pressed)
    rested.page.evaluate(STILL)
    wanted = rested.page.evaluate("valuesOf()")
    names = [control for control, _ in pressed]
    assert {one: shown.get(one) for one in names} == {one: wanted.get(one) for one in names}
