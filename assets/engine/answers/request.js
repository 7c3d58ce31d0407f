// The page's request, checked like in explorer/exchange/request.py and question.py.

import { Refusal } from "../refusal.js";

/** A refusal in the page's own words. @param {string} key @param {Record<string, any>} values */
export const refusal = (key, values = {}) => new Refusal(key, key, values);

/** @type {import("../edits.js").Kind[]} */
export const KINDS = ["encoder_self", "decoder_self", "cross"];
export const MAX_WRITTEN = 128; // tokens that a translation may have
const LARGEST_ID = 2 ** 31;
const WHOLE = ["beam_size", "top_k", "seed"];
const CHOICES = {
  method: ["greedy", "beam", "sampling", "beam_sampling"],
  penalty_form: ["average", "gnmt"],
};

/** Of a record, which a request may leave out. @type {import("../../kit/types.js").Part[]} */
export const PARTS = ["attention", "steps", "search", "doubt"];
const MAX_NAME = 20; // characters of the name of other weights

const isText = (/** @type {unknown} */ value) => typeof value === "string";
const isRecord = (/** @type {unknown} */ value) =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const grouped = (/** @type {number} */ n) => n.toLocaleString("en-US");
const refuse = () => {
  throw refusal("error.request");
};

/**
 * @typedef {{text: string, config: any, shown: number, prefix: number[], begin: string,
 *   node: [number, number]|null, interventions: any, model: string, weights: string,
 *   parts: import("../../kit/types.js").Part[]}} Request
 */

/**
 * A request from the page, completed with the settings that the model's authors chose.
 * @param {any} raw @param {any} sheet the model's @param {any} facts the page's @returns {Request}
 */
export function parse(raw, sheet, facts) {
  if (!isRecord(raw)) refuse();
  const { settings, begin = "", interventions = {}, shown = 0, prefix = [], node = null } = raw;
  const { weights = "", parts = PARTS, longest = MAX_WRITTEN } = raw;
  if (!Number.isInteger(longest) || longest < 1 || longest > MAX_WRITTEN) refuse();
  if (!isText(weights) || weights.length > MAX_NAME || !Array.isArray(parts)) refuse();
  if (parts.some((/** @type {any} */ one) => !PARTS.includes(one))) refuse();
  const text = raw.first === true && sheet.examples.length > 0 ? sheet.examples[0] : raw.text;
  if (!isText(text) || !isText(begin) || !isRecord(settings) || !isRecord(interventions)) refuse();
  const [count, limit] = [[...begin].length, facts.characters];
  if (count > limit)
    throw refusal("error.model.characters", { count: grouped(count), limit: grouped(limit) });
  return {
    text,
    config: configOf(settings, sheet.defaults, facts, longest),
    shown: indices([shown], 1)[0],
    prefix: indices(prefix, MAX_WRITTEN),
    begin,
    node: node === null ? null : /** @type {[number, number]} */ (pair(node)),
    interventions: interventionsOf(interventions, facts.interventions),
    model: raw.model ?? "",
    weights,
    parts: PARTS.filter((one) => parts.includes(one)),
  };
}

/** At most `most` whole numbers from 0. @returns {number[]} */
function indices(/** @type {any} */ raw, /** @type {number} */ most) {
  if (!Array.isArray(raw) || raw.length > most) refuse();
  for (const one of raw) if (!Number.isInteger(one) || one < 0 || one >= LARGEST_ID) refuse();
  return raw;
}

function pair(/** @type {any} */ raw) {
  const found = indices(raw, 2);
  if (found.length !== 2) refuse();
  return found;
}

/** @param {Record<string, any>} settings @param {Record<string, any>} defaults the model's
 * @param {import("../../kit/types.js").Shared} facts the page's
 * @param {number} most tokens after which a translation ends in any case */
function configOf(settings, defaults, { defaults: names, ranges, switches }, most) {
  for (const name of Object.keys(settings)) if (!(name in names)) refuse();
  const longest = Math.min(most, defaults.max_length);
  /** @type {Record<string, any>} */
  const chosen = { ...defaults, ...settings, max_length: longest };
  for (const [name, [low, high]] of Object.entries(ranges)) {
    const value = chosen[name];
    const isWhole = WHOLE.includes(name);
    if (!(value >= low && value <= high) || (isWhole && !Number.isInteger(value)))
      throw refusal(`error.model.${isWhole ? "whole" : "number"}`, { name, value, low, high });
  }
  for (const [name, choices] of Object.entries(CHOICES))
    if (!choices.includes(chosen[name])) refuse();
  chosen.rules_off = sorted(chosen.rules_off ?? []);
  if (chosen.rules_off.some((/** @type {any} */ one) => !switches.includes(one))) refuse();
  return chosen;
}

/** The changes to the model, all fields; lists in Python's order. */
function interventionsOf(/** @type {any} */ given, /** @type {any} */ facts) {
  for (const name of Object.keys(given)) if (!(name in facts.defaults)) refuse();
  const all = { ...facts.defaults, ...given };
  for (const [name, [low, high]] of Object.entries({
    padding: [0, facts.largest.padding],
    shift: [0, facts.largest.shift],
    position_seed: [0, facts.largest.position_seed],
  }))
    if (!Number.isInteger(all[name]) || all[name] < low || all[name] > high) refuse();
  for (const [name, choices] of Object.entries(facts.choices))
    if (!(/** @type {any} */ (choices).includes(all[name]))) refuse();
  if (all.positions === "shuffled" && all.sides === "target") refuse();
  for (const name of Object.keys(facts.entries)) all[name] = sorted(all[name]);
  return all;
}

/** Entries once each: by kind, then by number. */
function sorted(/** @type {any[]} */ entries) {
  if (!Array.isArray(entries)) refuse();
  const each = [...new Map(entries.map((one) => [JSON.stringify(one), one])).values()];
  const order = (/** @type {any} */ one, /** @type {any} */ other) =>
    one === other ? 0 : one < other ? -1 : 1;
  const compare = (/** @type {any} */ a, /** @type {any} */ b) =>
    Array.isArray(a) ? (a.map((x, i) => order(x, b[i])).find(Boolean) ?? 0) : order(a, b);
  return each.sort(compare);
}

/** The arguments of a question, each read with its bounds. */
export class Arguments {
  /** @param {any} raw */
  constructor(raw) {
    if (!isRecord(raw)) refuse();
    this.raw = raw;
  }

  given(/** @type {string} */ name) {
    return this.raw[name] !== null && this.raw[name] !== undefined;
  }

  /** @returns {number} */
  whole(/** @type {string} */ name, /** @type {number} */ low, /** @type {number} */ high) {
    const value = this.raw[name];
    if (!Number.isInteger(value) || value < low || value > high) refuse();
    return value;
  }

  /** @returns {number} */
  number(/** @type {string} */ name, /** @type {number} */ low, /** @type {number} */ high) {
    const value = this.raw[name];
    if (typeof value !== "number" || !(value >= low && value <= high)) refuse();
    return value;
  }

  /** @returns {string} */
  text(/** @type {string} */ name, /** @type {number} */ longest) {
    const value = this.raw[name];
    if (!isText(value) || [...value].length > longest) refuse();
    return value;
  }

  /** @param {string} name @param {{least: number, most: number, longest: number}} bounds
   * @returns {string[]} */
  texts(name, { least, most, longest }) {
    const found = this.list(name, most);
    if (found.length < least) refuse();
    for (const one of found) if (!isText(one) || [...one].length > longest) refuse();
    return found;
  }

  /** @template {string} T @param {string} name @param {readonly T[]} choices @returns {T} */
  choice(name, choices) {
    const value = this.raw[name];
    if (!choices.includes(value)) refuse();
    return value;
  }

  /** @returns {boolean} */
  flag(/** @type {string} */ name) {
    if (typeof this.raw[name] !== "boolean") refuse();
    return this.raw[name];
  }

  /** @param {string} name @param {number} most @param {{low: number, high: number}} bounds
   * @returns {number[]} */
  wholeList(name, most, { low, high }) {
    const found = this.list(name, most);
    for (const one of found) if (!Number.isInteger(one) || one < low || one > high) refuse();
    return found;
  }

  /** @param {string} name
   * @param {{rows: number, columns: number, low: number, high: number}} bounds
   * @returns {number[][]} */
  table(name, { rows, columns, low, high }) {
    const found = this.list(name, rows);
    if (found.length !== rows) refuse();
    for (const row of found) {
      if (!Array.isArray(row) || row.length !== columns) refuse();
      for (const one of row) if (typeof one !== "number" || !(one >= low && one <= high)) refuse();
    }
    return found;
  }

  /** @returns {any[]} */
  list(/** @type {string} */ name, /** @type {number} */ most) {
    const value = this.raw[name];
    if (!Array.isArray(value) || value.length > most) refuse();
    return value;
  }
}
