// A view's own choices. `page.choices` owns them: those of all views that differ from the initial
// values, as texts: {"positions.k": "12"}. A link, the browser's back button and a reload restore
// them. A view reads its fields from there, so that beginning again has nothing to write.

import { createStore } from "./store.js";

const LONGEST = 20_000; // characters of one choice
const MOST = 200; // choices of all views together
const KEY = /^[a-z]{1,20}\.[a-z_A-Z]{1,20}$/;

/** @typedef {Record<string, string>} Choices */
/** @typedef {(value: any) => boolean} Check whether a value may be taken back */

/** A whole number. @param {number[]} range lowest and highest @returns {Check} */
export const whole =
  (...[low, high]) =>
  (value) =>
    Number.isInteger(value) && value >= low && value <= high;
/** Any number. @param {number[]} range lowest and highest @returns {Check} */
export const number =
  (...[low, high]) =>
  (value) =>
    typeof value === "number" && value >= low && value <= high;
/** @param {readonly any[]} values @returns {Check} */
export const oneOf = (values) => (value) => values.includes(value);
/** @type {Check} */
export const flag = (value) => typeof value === "boolean";
/** @param {number} longest @returns {Check} */
export const text = (longest) => (value) => typeof value === "string" && value.length <= longest;
/** @param {Check} fits each entry @param {number} most @param {number} least @returns {Check} */
export const listOf =
  (fits, most, least = 0) =>
  (value) =>
    Array.isArray(value) && value.length >= least && value.length <= most && value.every(fits);
/** @param {Check} fits @returns {Check} */
export const orNull = (fits) => (value) => value === null || fits(value);

/** A word is written as it is, anything else as JSON. @param {any} value */
const written = (value) =>
  typeof value === "string" && !value.startsWith('"') ? value : JSON.stringify(value);

/** @param {string|undefined} kept @param {Check} fits @param {any} initial */
function readBack(kept, fits, initial) {
  if (kept === undefined) return initial;
  try {
    const value = JSON.parse(kept);
    if (fits(value)) return value;
  } catch {
    // a word, then
  }
  return fits(kept) ? kept : initial;
}

/**
 * @typedef {object} Place of a view's choices
 * @property {import("./types.js").Store<Choices>} choices of the page
 * @property {string} name of the view
 * @property {AbortSignal} signal the end of the view
 * @property {Set<Ending>} [endings] of the page
 *
 * @typedef {(before: any, record: any) => string[]} Ends the fields that end when the visitor's next
 *   request turns one record into the other
 * @typedef {{name: string, ends: Ends}} Ending
 */

/**
 * A view's state as a store. The fields in `checks` are read from the page's choices; a text that
 * does not fit reads as the value in `initial`, and stays until the field is changed here. The other
 * fields end with the view.
 * @param {Place} place
 * @param {any} initial
 * @param {Record<string, Check>} checks
 * @param {Ends} [ends]
 */
export function keep({ choices, name, signal, endings }, initial, checks, ends) {
  const others = Object.entries(initial).filter(([field]) => !(field in checks));
  const local = createStore(Object.fromEntries(others));
  const { read, write } = createTexts(name, initial, checks);
  let last = { own: /** @type {any} */ (null), rest: /** @type {any} */ (null), state: initial };

  function get() {
    const [own, rest] = [read(choices.get()), local.get()];
    if (own !== last.own || rest !== last.rest) last = { own, rest, state: { ...rest, ...own } };
    return last.state;
  }

  function merge(/** @type {any} */ changes) {
    const all = Object.entries(changes);
    local.merge(Object.fromEntries(all.filter(([field]) => !(field in checks))));
    choices.set(
      write(
        choices.get(),
        all.filter(([field]) => field in checks),
      ),
    );
  }

  function set(/** @type {any} */ next) {
    const now = get();
    merge(Object.fromEntries(Object.entries(next).filter(([field, one]) => one !== now[field])));
  }

  function watch(/** @type {(state: any) => void} */ watcher) {
    let known = get();
    const look = () => {
      if (get() === known) return;
      known = get();
      watcher(known);
    };
    watcher(known);
    const stops = [choices.watch(look), local.watch(look)];
    const end = () => stops.forEach((stop) => void stop());
    signal.addEventListener("abort", end, { once: true });
    return end;
  }

  if (ends && endings) {
    const own = { name, ends };
    endings.add(own);
    signal.addEventListener("abort", () => endings.delete(own), { once: true });
  }
  return { get, set, merge, watch };
}

/**
 * Between a view's values and their texts among all choices: read(all) gives the values, the same
 * object while the texts are the same; write(all, changes) the choices with other values.
 * @param {string} name @param {Record<string, any>} initial
 * @param {Record<string, Check>} checks
 */
function createTexts(name, initial, checks) {
  const fields = Object.keys(checks);
  const keyOf = (/** @type {string} */ field) => `${name}.${field}`;
  const textOf = (/** @type {Choices} */ all, /** @type {string} */ field) => all[keyOf(field)];
  /** @type {Map<string, {text: string|undefined, value: any}>} */
  const known = new Map(); // by field: what its text says
  let last = { all: /** @type {Choices|null} */ (null), texts: "", values: {} };

  function fieldValue(/** @type {string} */ field, /** @type {string|undefined} */ text) {
    const before = known.get(field);
    if (before !== undefined && before.text === text) return before.value;
    const value = readBack(text, checks[field], initial[field]);
    known.set(field, { text, value });
    return value;
  }

  function read(/** @type {Choices} */ all) {
    if (all === last.all) return last.values;
    const texts = JSON.stringify(fields.map((field) => textOf(all, field) ?? null));
    const isSame = last.all !== null && texts === last.texts;
    const now = () => fields.map((field) => [field, fieldValue(field, textOf(all, field))]);
    last = { all, texts, values: isSame ? last.values : Object.fromEntries(now()) };
    return last.values;
  }

  function write(/** @type {Choices} */ all, /** @type {[string, any][]} */ changes) {
    const after = { ...all };
    for (const [field, value] of changes) {
      const text = written(value);
      const isInitial = text === undefined || text === written(initial[field]);
      if (isInitial) delete after[keyOf(field)];
      else after[keyOf(field)] = text;
      if (!isInitial && text !== textOf(all, field)) known.set(field, { text, value });
    }
    return fields.every((field) => textOf(after, field) === textOf(all, field)) ? all : after;
  }

  return { read, write };
}

/**
 * The choices without those that end with the visitor's request: `before` has them as they were
 * when it was made, and what was changed since then stays.
 * @param {Choices} choices @param {Choices} before
 * @param {Iterable<Ending>} endings @param {any[]} records the one on the page, and the next
 */
export function lasting(choices, before, endings, [record, next]) {
  const keys = [...endings].flatMap(({ name, ends }) =>
    ends(record, next).map((field) => `${name}.${field}`),
  );
  const ended = keys.filter((key) => key in choices && choices[key] === before[key]);
  if (ended.length === 0) return choices;
  return Object.fromEntries(Object.entries(choices).filter(([key]) => !ended.includes(key)));
}

/** The choices among the parameters of an address; the views check them when they open.
 * @param {URLSearchParams} parameters @returns {Record<string, string>} */
export function choicesOf(parameters) {
  const found = [...parameters].filter(([key, one]) => KEY.test(key) && one.length <= LONGEST);
  return Object.fromEntries(found.slice(0, MOST));
}
