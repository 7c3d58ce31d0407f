// A view's own choices, kept with the page: a link, the browser's back button and a reload restore
// them. `page.choices` has those that differ from the initial values, as texts: {"positions.k":
// "12"}.

import { createStore } from "./store.js";

const LONGEST = 20_000; // characters of one choice
const MOST = 200; // choices of all views together
const KEY = /^[a-z]{1,20}\.[a-z_A-Z]{1,20}$/;

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
 * A store of a view's state. The fields in `checks` are kept; each is checked when restored, and
 * replaced by its value in `initial` if invalid.
 * @param {{choices: any, name: string, signal: AbortSignal}} place
 * @param {any} initial
 * @param {Record<string, Check>} checks
 */
export function keep({ choices, name, signal }, initial, checks) {
  const fields = Object.keys(checks);
  const keyOf = (/** @type {string} */ field) => `${name}.${field}`;
  const usual = textsOf(initial);
  const store = createStore({ ...initial, ...valuesOf(choices.get()) });
  let known = JSON.stringify(ownOf(choices.get())); // the last text read or written

  function textsOf(state) {
    return Object.fromEntries(fields.map((field) => [keyOf(field), written(state[field])]));
  }
  function ownOf(all) {
    return Object.fromEntries(
      fields.map(keyOf).flatMap((key) => (key in all ? [[key, all[key]]] : [])),
    );
  }
  function valuesOf(all) {
    return Object.fromEntries(
      fields.map((field) => [field, readBack(all[keyOf(field)], checks[field], initial[field])]),
    );
  }

  const ends = [
    store.watch((now) => {
      const texts = Object.entries(textsOf(now)).filter(([key, one]) => one !== usual[key]);
      const own = Object.fromEntries(texts);
      if (JSON.stringify(own) === known) return;
      known = JSON.stringify(own);
      const others = Object.entries(choices.get()).filter(([key]) => !(key in usual));
      choices.set({ ...Object.fromEntries(others), ...own });
    }),
    choices.watch((all) => {
      const own = JSON.stringify(ownOf(all));
      if (own === known) return;
      known = own;
      const before = textsOf(store.get());
      const news = Object.entries(valuesOf(all)).filter(
        ([field, value]) => written(value) !== before[keyOf(field)],
      );
      store.merge(Object.fromEntries(news));
    }),
  ];
  const end = () => {
    for (const one of ends) one();
  };
  signal.addEventListener("abort", end, { once: true });
  return store;
}

/** The choices among the parameters of an address; the views check them when they open.
 * @param {URLSearchParams} parameters @returns {Record<string, string>} */
export function choicesOf(parameters) {
  const found = [...parameters].filter(([key, one]) => KEY.test(key) && one.length <= LONGEST);
  return Object.fromEntries(found.slice(0, MOST));
}
