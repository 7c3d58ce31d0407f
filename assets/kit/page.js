// The page, the argument of every view: one record, one selection, one language. The Gradio page, a
// notebook and a saved file make one; two in one document do not interact.

import { nameOf } from "./heads.js";
import { keep } from "./keep.js";
import { alsoChosen, chosenIn, FIRST, pinned, select } from "./selection.js";
import { createStore } from "./store.js";

/** @typedef {import("./types.js").Page} Page */
/** @typedef {import("./types.js").Selection} Selection */
/** @typedef {import("./heads.js").Head} Head */

let count = 0; // number of views mounted so far: names of radio groups must differ

/** The current lesson and its step: none. @type {import("./types.js").Lesson} */
export const NO_LESSON = { name: null, step: 0 };

const EMPTY = ["earlier", "effects", "proved", "roles"]; // stores, until there is something

const ON = ["gloss", "lined", "fetched"]; // switches, until they are turned off

const unreachable = () => Promise.reject(new Error("no model behind this page"));

/** What a page asks for, until a model is connected. */
const ALONE = {
  ask: unreachable,
  call: unreachable,
  explain: () => Promise.resolve(null),
  wantLine: () => {},
};

/**
 * A page without a model: `ask` and `explain` are added when one is connected.
 * @param {{words?: Record<string, import("./types.js").Texts>, language?: string, shared?: any,
 *   record?: any}} given
 * @returns {import("./types.js").Whole}
 */
export function createPage({ words = {}, language = "en", shared = {}, record = null } = {}) {
  const page = {
    words,
    shared,
    current: {},
    record: createStore(record),
    ...Object.fromEntries(EMPTY.map((name) => [name, createStore(null)])),
    selection: createStore(select(FIRST, {}, record)),
    hover: createStore(null),
    theme: createStore("light"),
    language: createStore(language),
    ...Object.fromEntries(ON.map((name) => [name, createStore(true)])),
    lines: createStore({}),
    lost: createStore(null),
    message: createStore(null),
    lesson: createStore(NO_LESSON),
    choices: createStore({}),
    endings: new Set(),
    expected: { selection: {}, choices: null },
    chosen: chosenIn({}),
    cell: createStore(null),
    folds: createStore({ adjust: false, numbers: false, reading: false }),
    ...ALONE,
    again: null,
    used: [],
    answers: new Map(),
    kept: createStore(0),
    opener: () => null,
    say: (/** @type {any} */ message) => page.message.set(message),
    t: (/** @type {string} */ key, values = {}) => textOf(page, key, values),
    fitting: (/** @type {Head} */ _head) => FIRST.labels,
    namesFor: (/** @type {Head} */ one) =>
      page.chosen.labels ? {} : { labels: page.fitting(one) },
    choose(/** @type {Partial<Selection>} */ changes) {
      const before = page.selection.get();
      page.chosen = alsoChosen(page.chosen, changes);
      Object.assign(page.expected.selection, pinned(before, changes));
      const names = namesAfter(page, before, { ...before, ...changes });
      page.selection.merge(select(before, { ...names, ...changes }, page.record.get()));
      if (page.selection.get().kind !== before.kind) page.hover.set(null); // a cell of another map
    },
  };
  return /** @type {any} */ (page);
}

/** The row labels of a head that is not the one before, if the visitor has chosen none.
 * @param {any} page @param {Head} before @param {Head} after */
const namesAfter = (page, before, after) =>
  nameOf(before) === nameOf(after) ? {} : page.namesFor(after);

/** The words of a key in the page's language. @param {any} page @param {string} key
 * @param {object} values */
const textOf = ({ words, language }, key, values) =>
  fill(wordsOf(words, key)[language.get()], values);

/** @param {any} words @param {string} key */
function wordsOf(words, key) {
  if (words[key] === undefined) throw new Error(`no words for ${key}`);
  return words[key];
}

/**
 * "{n} heads" with {n: 3} -> "3 heads"; "{n|head|heads}" gives the singular for 1.
 * @param {string} pattern
 * @param {any} values
 */
export function fill(pattern, values) {
  return pattern
    .replace(/\{(\w+)\|([^|}]*)\|([^|}]*)\}/g, (_, name, one, many) =>
      Number(values[name]) === 1 ? one : many,
    )
    .replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/**
 * Mounts a view in an element. Returns {visible, end}: the store of its visibility, and the
 * function that takes it down with all its watchers and listeners.
 * @param {{mount: (given: {el: HTMLElement, page: Page}) => (void|(() => void))}} module
 * @param {HTMLElement} el
 * @param {any} page
 * @param {string} name
 */
export function mountView(module, el, page, name) {
  const life = new AbortController();
  const visible = createStore(true);
  const end = module.mount({ el, page: viewOf(page, name, visible, life.signal) });
  return {
    visible,
    end() {
      end?.();
      life.abort();
      el.replaceChildren();
    },
  };
}

const STORES = [
  "record",
  "earlier",
  "selection",
  "hover",
  "theme",
  "language",
  "gloss",
  "lined",
  "lines",
  "fetched",
  "effects",
  "lesson",
  "folds",
  "proved",
  "kept",
  "roles",
];

/**
 * A view's own page, whose watchers end with the view.
 * @param {any} page @param {string} name
 * @param {import("./types.js").Store<boolean>} visible @param {AbortSignal} signal
 */
function viewOf(page, name, visible, signal) {
  count += 1;
  const own = Object.create(page);
  for (const store of STORES) own[store] = owned(page[store], signal);
  own.visible = owned(visible, signal);
  own.facts = page.shared.constants?.[name] ?? {};
  own.uid = `${name}-${count}`;
  own.signal = signal;
  /** @type {Page["ask"]} */
  own.ask = (question, args, record = page.record.get(), view = name, isShown = undefined) =>
    page.ask(question, args, record, view, isShown);
  const { choices, endings } = page;
  /** @type {Page["keep"]} */
  own.keep = (...given) => keep({ choices, name, signal, endings }, ...given);
  return own;
}

/** @template T @param {import("./types.js").Store<T>} store @param {AbortSignal} signal
 * @returns {import("./types.js").Store<T>} */
function owned(store, signal) {
  return {
    ...store,
    watch(watcher) {
      if (signal.aborted) return () => {};
      const end = store.watch(watcher);
      signal.addEventListener("abort", end, { once: true });
      return end;
    },
  };
}
