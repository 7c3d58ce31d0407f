"""Every exhibit is a function of an element and a page: two do not meet, none stays behind."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from explorer.exhibits import NAMES
from tests.browsing import Watched

pytestmark = pytest.mark.browser

Open = Callable[..., Watched]

# Mounts an exhibit twice beside the page's own, each with a page and a record of its own, and takes
# both down. Gives what each wrote, and what is left: watchers of stores, and listeners outside.
TWICE = """async ([name, base, texts]) => {
    const STORES = ['record', 'earlier', 'selection', 'hover', 'theme', 'language', 'effects'];
    const { createPage, mountView } = await import(`${base}assets/kit/page.js`);
    const module = await import(`${base}explorer/exhibits/${name}/view.js`);
    const shown = window.headlight.page;
    const outside = new Map();
    const original = EventTarget.prototype.addEventListener;
    const removal = EventTarget.prototype.removeEventListener;
    const isOutside = (target) => [window, document, document.body, document.documentElement]
        .includes(target);
    EventTarget.prototype.addEventListener = function (type, listener, options) {
        if (isOutside(this)) {
            outside.set(listener, type);
            options?.signal?.addEventListener('abort', () => outside.delete(listener));
        }
        return original.call(this, type, listener, options);
    };
    EventTarget.prototype.removeEventListener = function (type, listener, options) {
        if (isOutside(this)) outside.delete(listener);
        return removal.call(this, type, listener, options);
    };
    const made = texts.map((text) => {
        const page = createPage({ words: shown.words, shared: shown.shared });
        let watchers = 0;
        for (const store of STORES) {
            const { watch } = page[store];
            page[store].watch = (watcher) => {
                const end = watch(watcher);
                watchers += 1;
                let ended = false;
                return () => { if (!ended) { watchers -= 1; ended = true; } end(); };
            };
        }
        page.ask = (question, args) => shown.ask(question, args, { ...window.kept[text] });
        page.record.set(window.kept[text]);
        page.selection.set({ ...shown.selection.get(), exhibit: name });
        const el = document.body.appendChild(document.createElement('div'));
        el.style.width = '1200px';
        return { page, el, view: mountView(module, el, page, name), left: () => watchers };
    });
    await new Promise((done) => setTimeout(done, 600));
    const written = made.map(({ el }) => el.textContent.trim().length);
    const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
    const twice = ids.filter((id, i) => ids.indexOf(id) !== i);
    const names = made.map(({ el }) => [...el.querySelectorAll('input[type=radio]')]
        .map((radio) => radio.name));
    const shared = names[0].filter((one) => names[1].includes(one));
    made[0].view.end();
    await new Promise((done) => setTimeout(done, 50));
    const second = made[1].el.textContent.trim().length; // it lives on
    made[1].view.end();
    const left = { watchers: made.map(({ left }) => left()), listeners: [...outside.values()],
        nodes: made.map(({ el }) => el.childElementCount) };
    made.forEach(({ el }) => el.remove());
    EventTarget.prototype.addEventListener = original;
    EventTarget.prototype.removeEventListener = removal;
    return { written, second, twice, shared, left };
}"""

TEXTS = ("Why do we work?", "I am a student.")


@pytest.fixture(scope="module")
def page_with_two_records(browser, server):  # type: ignore[no-untyped-def]
    watched = Watched(browser.new_page(locale="en-GB", viewport={"width": 1366, "height": 768}))
    watched.page.goto(server.url)
    watched.settle()
    watched.page.evaluate("() => { window.kept = {}; }")
    for text in TEXTS:
        watched.translate(text)
        watched.page.evaluate(
            "(text) => { window.kept[text] = headlight.page.record.get(); }", text
        )
    yield watched
    watched.page.close()


@pytest.mark.parametrize("name", NAMES)
def test_two_of_an_exhibit_do_not_meet_and_leave_nothing(
    name: str, page_with_two_records: Watched
) -> None:
    watched = page_with_two_records
    watched.errors.clear()
    base = watched.page.evaluate(
        "() => performance.getEntriesByType('resource').map(({ name }) => name)"
        ".find((one) => one.endsWith('assets/shell/start.js')).replace('assets/shell/start.js', '')"
    )
    found = watched.page.evaluate(TWICE, [name, base, list(TEXTS)])
    assert all(found["written"]) and found["second"], "an exhibit wrote nothing"
    assert found["twice"] == [], "ids that two of them share"
    assert found["shared"] == [], "radio groups that two of them share"
    assert found["left"] == {"watchers": [0, 0], "listeners": [], "nodes": [0, 0]}
    assert watched.errors == []
