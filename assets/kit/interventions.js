// The changes to the running model: the fields of Interventions in model/config.py, counted from 0.
// `facts` is page.shared.interventions: their defaults and allowed values. Only differences from
// the original model are written. Pure functions.

/** The parts of an entry of a list, in order. @typedef {(string[]|"whole"|"flag")[]} Form */

/**
 * @typedef {object} Facts
 * @property {Record<string, any>} defaults of every field
 * @property {Record<string, string[]>} choices of the fields that are one of a few words
 * @property {Record<string, number>} largest of the fields that are numbers
 * @property {Record<string, Form>} entries of the fields that are lists
 */

const MAX_ENTRIES = 2000; // of one field in an address
const DETAILS = ["sides", "shift", "position_seed"]; // of changed positions
/** The details that count, by the positions. @type {Record<string, string[]>} */
const COUNT = {
  none: ["sides"],
  shuffled: ["sides", "position_seed"],
  shifted: ["sides", "shift"],
};

const isWhole = (/** @type {any} */ value, largest = 2 ** 31 - 1) =>
  Number.isInteger(value) && value >= 0 && value <= largest;

/** @param {Form[number]} form @param {any} value */
const partFits = (form, value) => {
  if (form === "whole") return isWhole(value);
  return form === "flag" ? typeof value === "boolean" : form.includes(value);
};

/** @param {Form} form @param {any} entry */
const entryFits = (form, entry) => {
  const parts = form.length === 1 ? [entry] : entry;
  return (
    Array.isArray(parts) &&
    parts.length === form.length &&
    parts.every((part, i) => partFits(form[i], part))
  );
};

/** @param {Facts} facts @param {string} name @param {any} value */
function fits({ defaults, choices, largest, entries }, name, value) {
  const usual = defaults[name];
  if (typeof usual === "boolean") return typeof value === "boolean";
  if (typeof usual === "number") return isWhole(value, largest[name]);
  if (typeof usual === "string") return choices[name].includes(value);
  if (!Array.isArray(value) || value.length > MAX_ENTRIES) return false;
  return value.every((entry) => entryFits(entries[name], entry));
}

/** True if the traced decoder may read tokens that the search had not written at that step. */
export const readsAhead = (/** @type {import("./types.js").Rec} */ record) => {
  const { causal_mask: mask = true, cells = [] } = record.interventions;
  const isAhead = (/** @type {[string, number, number, boolean]} */ [kind, query, key, on]) =>
    kind === "decoder_self" && on && key > query;
  return !mask || cells.some(isAhead);
};

/** True if a head of the running model is switched off, by itself or with its whole layer.
 * @param {import("./types.js").Rec} record @param {import("./heads.js").Head} head */
export const isSwitchedOff = (record, { kind, layer, head }) => {
  const { heads_off: heads = [], cross_off: layers = [] } = record.interventions;
  const isOff = heads.some(
    (/** @type {[string, number, number]} */ [k, l, h]) => k === kind && l === layer && h === head,
  );
  return isOff || (kind === "cross" && layers.includes(layer));
};

/** Every field; missing ones are as in the original model.
 * @param {any} some @param {Facts} facts */
export const filled = (some, { defaults }) => ({ ...defaults, ...some });

/** Only the fields that change something: {} is the original model.
 * @param {any} some @param {Facts} facts */
export function differences(some, facts) {
  const all = filled(some, facts);
  const idle = [
    ...(all.padding === 0 ? ["padding_mask"] : []),
    ...DETAILS.filter((name) => !COUNT[all.positions]?.includes(name)),
  ];
  const differs = (/** @type {string} */ name) =>
    JSON.stringify(all[name]) !== JSON.stringify(facts.defaults[name]);
  const names = Object.keys(facts.defaults).filter((name) => differs(name) && !idle.includes(name));
  return Object.fromEntries(names.map((name) => [name, all[name]]));
}

/** @param {any} some @param {Facts} facts */
export const isUntouched = (some, facts) => Object.keys(differences(some, facts)).length === 0;

/** The changes, part by part, for words `changed.<name>`: [{name, n}].
 * @param {any} some @param {Facts} facts */
export const parts = (some, facts) =>
  Object.entries(differences(some, facts))
    .filter(([name]) => !DETAILS.includes(name))
    .map(([name, value]) => ({
      name,
      n: Array.isArray(value) ? value.length : Number(value) || 0,
    }));

/** The form in the address: compact JSON, "" for the original model.
 * @param {any} some @param {Facts} facts */
export const toText = (some, facts) =>
  isUntouched(some, facts) ? "" : JSON.stringify(differences(some, facts));

/** Back from the address; a field that is absent, unknown or absurd is left out.
 * @param {string|null} text @param {Facts} facts */
export function fromText(text, facts) {
  let raw = null;
  try {
    raw = JSON.parse(text ?? "");
  } catch {
    return {};
  }
  if (raw === null || typeof raw !== "object" || Array.isArray(raw)) return {};
  const names = Object.keys(facts.defaults).filter(
    (name) => Object.hasOwn(raw, name) && fits(facts, name, raw[name]),
  );
  return Object.fromEntries(names.map((name) => [name, raw[name]]));
}
