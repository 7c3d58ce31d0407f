// How the visitor wishes to see the heads: one store, and its place in the address.

import { KINDS } from "../../../assets/kit/selection.js";
import { createStore } from "../../../assets/kit/store.js";
import { MEASURES } from "./measures.js";

export const MOST_HEADS = 8; // drawn as lines at a time
export const VIEWS = ["map", "lines", "both"];
const PARAMETER = "heads"; // of the address
const PATIENCE = 250; // ms: browsers limit how often an address may change

/**
 * @typedef {object} Options
 * @property {string} measure what marks and orders the tiles
 * @property {boolean} sorted
 * @property {number} least how much of the measure keeps a tile bright, 0 to 100
 * @property {string} view the large picture: map, lines or both
 * @property {number} mass percent of each row's weight that stays strong
 * @property {boolean} specials whether special tokens are shown
 * @property {boolean} words whether sub-words are put together
 * @property {boolean} own whether the scale ends at the head's own largest weight
 * @property {string[]} heads names "kind.layer.head" drawn as lines together
 * @property {boolean} isolated whether one of them stands alone
 * @property {boolean} adding whether a click on a tile adds it to them
 */

/** @type {Options} */
export const PLAIN = {
  measure: "none",
  sorted: false,
  least: 0,
  view: "lines",
  mass: 100,
  specials: true,
  words: false,
  own: false,
  heads: [],
  isolated: false,
  adding: false,
};

/** @type {Record<string, [string, boolean]>} */
const FLAGS = {
  sorted: ["sorted", true],
  words: ["words", true],
  nospecials: ["specials", false],
  own: ["own", true],
};
const NUMBERS = { mass: [5, 100], least: [1, 100] };

/**
 * The options of an address, as `write` put them there; what is absent or absurd is left out.
 * @param {string|null} text
 */
export function read(text) {
  /** @type {any} */
  const found = { ...PLAIN };
  for (const part of (text ?? "").split("~")) {
    const [name, ...rest] = part.split("-");
    if (VIEWS.includes(name)) found.view = name;
    else if (Object.hasOwn(FLAGS, name)) found[FLAGS[name][0]] = FLAGS[name][1];
    else if (Object.hasOwn(NUMBERS, name)) found[name] = within(rest[0], name);
    else if (name === "by" && MEASURES.includes(rest[0])) [found.measure] = rest;
    else if (name === "with") found.heads = withHead(found.heads, rest);
  }
  return found;
}

/** @param {string} text @param {string} name */
function within(text, name) {
  const [low, high] = NUMBERS[name];
  const value = Number(text);
  return Number.isInteger(value) && value >= low && value <= high ? value : PLAIN[name];
}

/** @param {string[]} heads @param {string[]} place kind, layer and head, counted from 1 */
function withHead(heads, [kind, ...numbers]) {
  if (!KINDS.includes(kind) || !/^\d{1,3}-\d{1,3}$/.test(numbers.join("-"))) return heads;
  const [layer, head] = numbers.map((one) => Number(one) - 1);
  return [...heads, `${kind}.${layer}.${head}`].slice(0, MOST_HEADS);
}

/**
 * "map~mass-80~words~by-entropy~with-cross-1-2": what is not as it is at first. Counted from 1.
 * @param {Options} now
 */
export function write(now) {
  const parts = now.view === PLAIN.view ? [] : [now.view];
  for (const [name, [key, value]] of Object.entries(FLAGS)) {
    if (now[key] === value) parts.push(name);
  }
  for (const name of Object.keys(NUMBERS)) {
    if (now[name] !== PLAIN[name]) parts.push(`${name}-${now[name]}`);
  }
  if (now.measure !== PLAIN.measure) parts.push(`by-${now.measure}`);
  for (const head of now.heads) {
    const [kind, layer, index] = head.split(".");
    parts.push(`with-${kind}-${Number(layer) + 1}-${Number(index) + 1}`);
  }
  return parts.join("~");
}

/** What was done to the weights, for the end of a file's name. @param {Options} now */
export const suffix = ({ words, specials, mass, own }) =>
  [words && "words", !specials && "nospecials", mass < 100 && `strongest${mass}`, own && "ownscale"]
    .filter(Boolean)
    .map((part) => `-${part}`)
    .join("");

/**
 * What the options do to what is seen, in sentences.
 * @param {import("../../../assets/kit/types.js").Page} page
 * @param {Options} now
 */
export const sentences = ({ t }, { words, specials, mass }) =>
  [
    words ? t("options.says.words") : "",
    specials ? "" : t("options.says.specials"),
    mass < 100 ? t("options.says.mass", { mass }) : "",
  ].filter(Boolean);

/**
 * The store of the options. It begins with what the address asks for, and the address follows it.
 * @param {import("../../../assets/kit/types.js").Page} page
 */
export function createOptions({ signal }) {
  const options = createStore(read(new URLSearchParams(window.location.search).get(PARAMETER)));
  let timer = 0;
  options.watch((now) => {
    clearTimeout(timer);
    timer = window.setTimeout(follow, PATIENCE, now);
  });
  signal.addEventListener("abort", () => clearTimeout(timer));
  return options;
}

/** @param {Options} now */
function follow(now) {
  const query = new URLSearchParams(window.location.search);
  if ((query.get(PARAMETER) ?? "") === write(now)) return;
  if (write(now)) query.set(PARAMETER, write(now));
  else query.delete(PARAMETER);
  window.history.replaceState(window.history.state, "", `?${query}${window.location.hash}`);
}
