// Answers to the questions of views, Python's and the browser's, and their comparison.

import { unpack } from "../../../assets/kit/packing.js";
import { Counts, difference, NEAR } from "./compare.js";

/** @typedef {Parameters<typeof unpack<Int8Array|Uint8Array|Int32Array|Float32Array>>[1]} Numbers */

const END = Number.MAX_SAFE_INTEGER; // of an answer in turns that does not go on
const PACKED = "eJ"; // prefix of packed numbers: deflate, in base64
/** Packed numbers that are not Float32, by their name in an answer. @type {Record<string, Numbers>} */
const TYPES = {
  parents: Int32Array,
  ids: Int32Array,
  fates: Uint8Array,
  forced: Uint8Array,
  mask: Uint8Array,
};
/** Numbers of the figure: shades, and units that fired. @type {Record<string, Numbers>} */
const FIGURE = { cells: Int8Array, fired: Int32Array };
const TIMED = ["seconds"];

/**
 * Compares an answer with the browser's own; of an answer in turns, the part that was sent.
 * @param {import("../../../assets/kit/types.js").Asked} shown
 * @param {(args: object) => Promise<unknown>} ask the browser's own answer to the question; null: it has
 *   none, and nothing is compared
 * @returns {Promise<import("./compare.js").Row|null>}
 */
export async function compareAnswer({ question, args, payload }, ask) {
  const own = await ask("first" in args ? { ...args, until: endOf(payload, args) } : args);
  if (own === null) return null;
  const parts = await Promise.all([payload, own].map((one) => opened(question, one)));
  const [shown, found] = /** @type {any} */ (parts);
  const name = `${question} ${JSON.stringify(args)}`;
  if (!found?.room) return difference(name, shown, found, NEAR);
  const { room, ...rest } = found;
  return difference(name, settled(shown, { agreement: room }, rest), rest, NEAR);
}

/** An answer in which each number that is nearer to the browser's own than its room is that one:
 * a rank correlation, whose order rounding decides where values are nearly equal.
 * @param {any} shown @param {any} room numbers by their places @param {any} own @returns {any} */
function settled(shown, room, own) {
  if (typeof room === "number") return Math.abs(shown - own) <= room + NEAR ? own : shown;
  if (Array.isArray(shown) && Array.isArray(own))
    return shown.map((one, i) => (i in room ? settled(one, room[i], own[i]) : one));
  if (typeof shown !== "object" || shown === null || typeof own !== "object") return shown;
  const parts = Object.keys(room).filter((name) => name in shown && name in own);
  const set = parts.map((name) => [name, settled(shown[name], room[name], own[name])]);
  return { ...shown, ...Object.fromEntries(set) };
}

/** Where an answer in turns ends, as it says itself; its own end if it does not say.
 * @param {{next?: number|null}} payload @param {{first: number}} args */
const endOf = ({ next = null }, { first }) =>
  next !== null && Number.isInteger(next) && next > first && next < END ? next : END;

/** An answer with its numbers unpacked and without anything that depends on a clock.
 * @param {string} question @param {unknown} value @returns {Promise<unknown>} */
async function opened(question, value, name = "") {
  if (typeof value === "string" && value.startsWith(PACKED)) return unpacked(question, value, name);
  if (Array.isArray(value)) return Promise.all(value.map((one) => opened(question, one, name)));
  if (typeof value !== "object" || value === null) return value;
  const timeless = Object.entries(value).filter(([key]) => !TIMED.includes(key));
  const parts = timeless.map(async ([key, one]) => [key, await opened(question, one, key)]);
  return Object.fromEntries(await Promise.all(parts));
}

/** The numbers packed in a text; the text itself if there are none.
 * @param {string} question @param {string} text @param {string} name */
async function unpacked(question, text, name) {
  const counts = question === "figure" ? FIGURE[name] : undefined;
  try {
    const numbers = await unpack(text, counts ?? TYPES[name] ?? Float32Array);
    return counts ? Counts.from(numbers) : numbers;
  } catch {
    return text;
  }
}
