// The page's address: a query string that restores what the page shows. Pure functions.

import { fromText, isUntouched, toText } from "../kit/interventions.js";
import { choicesOf } from "../kit/keep.js";
import { FIRST, KINDS } from "../kit/selection.js";

export const LONGEST = 8000; // characters of a link: what every browser and server takes

// The settings in the address, with their parsers.
const NUMBERS = ["beam_size", "length_penalty", "temperature", "top_k", "top_p", "seed"];
const WHOLE = ["beam_size", "top_k", "seed"];
/** @type {import("../kit/interventions.js").Facts} */
const UNKNOWN = { defaults: {}, choices: {}, largest: {}, entries: {} }; // nothing can be changed
const CHOICES = {
  method: ["greedy", "beam", "sampling", "beam_sampling"],
  penalty_form: ["average", "gnmt"],
};

// The parameters of the explanation and of the selection.
const REQUEST = [
  ...Object.keys(CHOICES),
  ...NUMBERS,
  "rules_off",
  "model",
  "text",
  "hypothesis",
  "prefix",
  "node",
  "changes",
];
const SELECTED = ["kind", "layer", "head", "step", "src", "col", "rows", "view"];

const LABELS = ["writes", "reads"]; // of rows; without them a link means those that fit the head

/** Where old names of views lead: the exhibit, and the choices there (explorer/exhibit.py).
 * @typedef {Record<string, [string, Record<string, string>]>} Aliases */

/**
 * Parses a query string. Missing or malformed values are left out; `refused` lists the settings
 * whose values no model accepts, so that the page can report them.
 * @param {string} query
 * @param {Record<string, [number, number]>} ranges of the numbers that can be set
 * @param {import("../kit/interventions.js").Facts} facts the possible changes to the model
 * @param {Aliases} aliases
 * @param {string[]} switches the names of rules for decoding that can be off
 */
export function read(query, ranges = {}, facts = UNKNOWN, aliases = {}, switches = []) {
  const from = new URLSearchParams(query);
  /** @type {any} */
  const selection = {};
  const kind = from.get("kind") ?? "";
  if (KINDS.includes(kind)) selection.kind = kind;
  const rows = from.get("rows") ?? "";
  if (LABELS.includes(rows)) selection.labels = rows;
  const view = from.get("view") ?? "";
  if (/^[a-z_]{1,20}$/.test(view)) {
    selection.exhibit = Object.hasOwn(aliases, view) ? aliases[view][0] : view;
  }
  for (const name of ["layer", "head", "step", "src"]) {
    const value = fromOne(from.get(name));
    if (value !== null) selection[name] = value;
  }
  const column = fromOne(from.get("col"));
  if (column !== null || from.get("col") === "none") selection.col = column;
  return {
    text: from.get("text"),
    model: /^[\w.-]{1,600}$/.test(from.get("model") ?? "") ? from.get("model") : "",
    lang: from.get("lang"),
    gloss: from.get("gloss") !== "off",
    shown: fromOne(from.get("hypothesis")) ?? 0,
    ...readSettings(from, ranges, switches),
    selection,
    request: readRequest(from, facts),
    choices: renamed(view, choicesOf(from), aliases),
  };
}

/** The choices by their present names, which win over old ones; the link opens that view.
 * @param {string} view @param {Record<string, string>} all @param {Aliases} aliases */
function renamed(view, all, aliases) {
  /** @type {Map<string, Record<string, string>>} */
  const views = new Map([[view, {}]]);
  for (const [key, value] of Object.entries(all)) {
    const [name, field] = key.split(".");
    views.set(name, { ...views.get(name), [field]: value });
  }
  /** @type {Record<string, string>[]} */
  const [old, present] = [{}, {}];
  for (const [name, fields] of views) {
    const alias = [`${name}.${fields.show}`, name].find((one) => Object.hasOwn(aliases, one));
    const [exhibit, made] = alias ? aliases[alias] : [name, {}];
    for (const [field, value] of Object.entries(moved(fields, made)))
      (alias ? old : present)[`${exhibit}.${field}`] = value;
  }
  return { ...old, ...present };
}

/** The fields of an old view where they are now; if nothing is said about that, they kept their
 * names. @param {Record<string, string>} fields @param {Record<string, string>} made */
function moved(fields, made) {
  const texts = Object.entries(made);
  if (texts.length === 0) return fields;
  const filled = (/** @type {string} */ text) =>
    text.replace(/\{(\w+)\|(\w*)\}/g, (_, name, first) => fields[name] ?? first);
  return Object.fromEntries(texts.map(([field, text]) => [field, filled(text)]));
}

/** @param {URLSearchParams} from @param {Record<string, [number, number]>} ranges
 * @param {string[]} switches */
function readSettings(from, ranges, switches) {
  /** @type {Record<string, string|number|string[]>} */
  const settings = {};
  const refused = [];
  for (const [name, choices] of Object.entries(CHOICES)) {
    const value = from.get(name);
    if (value && choices.includes(value)) settings[name] = value;
    else if (value) refused.push(name);
  }
  for (const name of NUMBERS) {
    if (!from.get(name)) continue;
    const value = Number(from.get(name));
    const [low, high] = ranges[name] ?? [-Infinity, Infinity];
    const isWhole = !WHOLE.includes(name) || Number.isInteger(value);
    if (value >= low && value <= high && isWhole) settings[name] = value;
    else refused.push(name);
  }
  const off = from.get("rules_off")?.split(".") ?? [];
  if (off.some((name) => !switches.includes(name))) refused.push("rules_off");
  else if (off.length > 0) settings.rules_off = off;
  return { settings, refused };
}

/** The forced prefix and the node of the tree, if the address has them.
 * @param {URLSearchParams} from @param {import("../kit/interventions.js").Facts} facts */
function readRequest(from, facts) {
  /** @type {any} */
  const request = {};
  const prefix = (from.get("prefix") ?? "")
    .split(".")
    .filter((id) => /^\d{1,7}$/.test(id))
    .map(Number);
  if (prefix.length > 0) request.prefix = prefix;
  const [step, candidate] = (from.get("node") ?? "").split(".").map(fromOne);
  if (Number.isInteger(step) && Number.isInteger(candidate)) request.node = [step, candidate];
  const changes = fromText(from.get("changes"), facts);
  if (!isUntouched(changes, facts)) request.interventions = changes;
  return request;
}

/**
 * The query string of the page's state, without settings at the model's defaults.
 * @param {any} state
 * @param {Record<string, any>} defaults
 */
export function write(state, defaults, others = "", facts = UNKNOWN) {
  const { model, text, lang, gloss = true, shown, settings, prefix = [], node = null } = state;
  const { interventions = {}, selection, choices = {} } = state;
  const to = new URLSearchParams(others);
  for (const name of [...REQUEST, ...SELECTED, "lang", "gloss", "made", "packed"]) to.delete(name);
  for (const name of Object.keys(choicesOf(to))) to.delete(name);
  to.set("model", model.key);
  to.set("text", text);
  to.set("lang", lang);
  if (!gloss) to.set("gloss", "off");
  for (const name of [...Object.keys(CHOICES), ...NUMBERS]) {
    if (settings[name] !== undefined && settings[name] !== defaults[name])
      to.set(name, settings[name]);
  }
  if (settings.rules_off?.length > 0) to.set("rules_off", settings.rules_off.join("."));
  if (shown > 0) to.set("hypothesis", String(shown + 1));
  if (prefix.length > 0) to.set("prefix", prefix.join("."));
  if (node !== null) to.set("node", node.map((/** @type {number} */ index) => index + 1).join("."));
  const changes = toText(interventions, facts);
  if (changes !== "") to.set("changes", changes);
  to.set("kind", selection.kind);
  for (const name of ["layer", "head", "step", "src"])
    if (selection[name] !== undefined) to.set(name, String(selection[name] + 1));
  if (selection.col !== undefined)
    to.set("col", selection.col === null ? "none" : String(selection.col + 1));
  if (selection.labels !== undefined) to.set("rows", selection.labels);
  if (selection.exhibit !== FIRST.exhibit) to.set("view", selection.exhibit);
  for (const [name, value] of Object.entries(choices)) to.set(name, value);
  return to.toString();
}

/** True if two query strings request the same explanation. @param {string[]} queries */
export function sameRequest(...queries) {
  const [one, other] = queries.map((query) => {
    const from = new URLSearchParams(query);
    return JSON.stringify(REQUEST.map((name) => from.get(name)));
  });
  return one === other;
}

/**
 * The query string, shortened by its longest choices if it is too long, and their names.
 * @param {string} query
 */
export function shortened(query) {
  const to = new URLSearchParams(query);
  const optional = [...Object.keys(choicesOf(to)), "changes"];
  const left = [];
  while (to.toString().length > LONGEST && optional.length > 0) {
    const lengthOf = (/** @type {string} */ name) => (to.get(name) ?? "").length;
    optional.sort((a, b) => lengthOf(b) - lengthOf(a));
    const name = /** @type {string} */ (optional.shift());
    to.delete(name);
    left.push(name);
  }
  return { query: to.toString(), left };
}

/** People count from 1, in the address too. @param {string|null|undefined} text */
function fromOne(text) {
  return /^\d{1,4}$/.test(text ?? "") && Number(text) > 0 ? Number(text) - 1 : null;
}
