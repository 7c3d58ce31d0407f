"""Every view is a function of an element and a page: two do not meet, none stays behind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from explorer.exhibits import NAMES
from tests.stage import Desk, Node, Stage
from tests.tiers import each

TEXTS = ("Why do we work?", "I am a student.")

# Mounts a view once for each record, beside the page's own, each with a page of its own. Counts
# what watches the stores of these pages, and the listeners added outside of the views.
MOUNT = """async (name) => {
    globalThis.twice?.restore(); // where the test before has failed
    const { createPage, mountView } = await module("assets/kit/page.js");
    const view = await module(`explorer/exhibits/${name}/view.js`);
    const shown = headlight.page;
    const listeners = [];
    const outside = [globalThis, window, document, document.body, document.documentElement];
    const restored = outside.map((target) => {
        const { addEventListener: add, removeEventListener: remove } = target;
        const forget = (listener) => listeners.splice(0, listeners.length,
            ...listeners.filter(([, own]) => own !== listener));
        target.addEventListener = (type, listener, how) => {
            listeners.push([type, listener]);
            how?.signal?.addEventListener("abort", () => forget(listener));
            return add.call(target, type, listener, how);
        };
        target.removeEventListener = (type, listener, how) => {
            forget(listener);
            return remove.call(target, type, listener, how);
        };
        return () =>
            Object.assign(target, { addEventListener: add, removeEventListener: remove });
    });
    const sizes = new Set();
    const Observer = globalThis.ResizeObserver;
    globalThis.ResizeObserver = class extends Observer {
        constructor(act) {
            super(act);
            sizes.add(this);
        }
        disconnect() {
            super.disconnect();
            sizes.delete(this);
        }
    };
    restored.push(() => { globalThis.ResizeObserver = Observer; });
    let before = Promise.resolve(); // one question after the other: the two share a connection
    const made = globalThis.records.map((record) => {
        const page = createPage({ words: shown.words, shared: shown.shared });
        let watchers = 0;
        for (const [key, store] of Object.entries(page)) {
            if (typeof store?.watch !== "function") continue;
            const { watch } = store;
            page[key].watch = (watcher) => {
                let end = watch(watcher);
                watchers += 1;
                return () => {
                    if (end !== null) watchers -= 1;
                    end?.();
                    end = null;
                };
            };
        }
        page.ask = (question, args) => {
            before = before.catch(() => {}).then(() => shown.ask(question, args, { ...record }));
            return before;
        };
        page.record.set(record);
        page.selection.set({ ...shown.selection.get(), exhibit: name });
        const el = document.body.appendChild(document.createElement("div"));
        return { el, view: mountView(view, el, page, name), watchers: () => watchers };
    });
    const restore = () => {
        for (const back of restored) back();
        for (const { el } of made) el.remove();
    };
    const left = () => ({ listeners: listeners.map(([type]) => type), sizes: sizes.size });
    globalThis.twice = { made, restore, left };
}"""

WRITTEN = """() => {
    const { made } = globalThis.twice;
    const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
    const [first, second] = made.map(({ el }) =>
        [...el.querySelectorAll("input[type=radio]")].map((radio) => radio.name));
    return {
        letters: made.map(({ el }) => el.textContent.trim().length),
        watchers: made.map(({ watchers }) => watchers()),
        ids: ids.filter((id, i) => ids.indexOf(id) !== i),
        radios: first.filter((name) => second.includes(name)),
    };
}"""

LEFT = """() => {
    const { made, restore, left } = globalThis.twice;
    const outside = left();
    restore();
    return {
        ...outside,
        watchers: made.map(({ watchers }) => watchers()),
        nodes: made.map(({ el }) => el.childElementCount),
    };
}"""


@pytest.fixture(scope="module")
def page(node: Node, desk: Desk) -> Iterator[Stage]:
    """A page on whose model two records were made."""
    stage = Stage(node, desk).open()
    stage.evaluate("() => { globalThis.records = []; }")
    for text in TEXTS:
        stage.translate(text)
        stage.evaluate("() => { records.push(headlight.page.record.get()); }")
    yield stage
    stage.command("close")


@each("name", NAMES, 15)
def test_two_of_a_view_do_not_meet_and_leave_nothing(page: Stage, name: str) -> None:
    page.evaluate(MOUNT, name)
    written: dict[str, Any] = page.evaluate(WRITTEN)
    assert all(written["letters"]), "a view wrote nothing"
    assert all(written["watchers"]), "nothing is counted"
    assert written["ids"] == [], "ids that two of them share"
    assert written["radios"] == [], "groups of radio buttons that two of them share"
    page.evaluate("twice.made[0].view.end()")
    assert page.evaluate(WRITTEN)["letters"][1], "the second has ended with the first"
    page.evaluate("twice.made[1].view.end()")
    left = page.evaluate(LEFT)
    assert left == {"listeners": [], "sizes": 0, "watchers": [0, 0], "nodes": [0, 0]}
    assert page.errors == []
