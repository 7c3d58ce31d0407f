// The differences from the chosen example that a link keeps: typed numbers, switches, and the
// current number. Pure functions.

import { listOf, number, whole } from "../../../assets/kit/keep.js";
import { HEADS, matrix } from "./maths.js";
import { MAX_NUMBER } from "./matrices.js";
import { MAX_SIZE, PRESETS, resized, sizesOf } from "./presets.js";

/** @typedef {import("./maths.js").Matrix} Matrix */
/** @typedef {import("./origin.js").Chosen} Chosen */

/**
 * What a link keeps: the example, and what differs from it, null where nothing does; typed matrices
 * as rows of numbers.
 * @typedef {{preset: string, causal: boolean|null, scaling: boolean|null,
 *   given: Record<string, number[][]>|null, chosen: Chosen|null}} Kept
 */

/** @type {Chosen} */
export const OUTPUT = { name: "output", row: 1, col: 0 };
/** @type {Omit<Kept, "preset">} */
export const UNCHANGED = { causal: null, scaling: null, given: null, chosen: null };

const isMatrix = listOf(listOf(number(-MAX_NUMBER, MAX_NUMBER), MAX_SIZE, 1), MAX_SIZE, 1);
/** @param {unknown} value @returns {value is Record<string, unknown>} */
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

/** Rows of numbers, all of one length. @param {number[][]} value */
const isEven = (value) => isMatrix(value) && value.every((row) => row.length === value[0].length);

/** Matrices by name, as rows of numbers. @param {Record<string, number[][]>} value */
export const isTyped = (value) => isObject(value) && Object.values(value).every(isEven);

export const isChosen = (/** @type {unknown} */ value) => {
  const place = whole(0, MAX_SIZE - 1);
  const { name, head, row, col } = isObject(value) ? value : OUTPUT;
  const isHead = head === undefined || whole(0, HEADS - 1)(head);
  return isObject(value) && typeof name === "string" && isHead && place(row) && place(col);
};

export const isSame = (/** @type {unknown} */ one, /** @type {unknown} */ other) =>
  JSON.stringify(one) === JSON.stringify(other);

const rowsOf = (/** @type {Matrix} */ { rows, columns, cells }) =>
  Array.from({ length: rows }, (_, row) => [...cells.subarray(row * columns, (row + 1) * columns)]);

const plain = (/** @type {Record<string, Matrix>} */ given) =>
  Object.fromEntries(Object.entries(given).map(([name, one]) => [name, rowsOf(one)]));

/** The kept part of a state: null for values as in the example.
 * @param {import("./view.js").State} state @returns {Kept} */
export function changedIn({ preset, causal, scaling, given, chosen }) {
  const first = PRESETS[preset]();
  const numbers = plain(given);
  return {
    preset,
    causal: causal === first.causal ? null : causal,
    scaling: scaling === first.scaling ? null : scaling,
    given: isSame(numbers, plain(first.given)) ? null : numbers,
    chosen: isSame(chosen, OUTPUT) ? null : chosen,
  };
}

/** The example of the kept values: inferred from the matrices if the link does not name it.
 * @param {Kept} kept */
export function presetOf({ preset, given }) {
  if (given === null) return preset;
  const fits = (/** @type {string} */ name) =>
    isSame(Object.keys(given), Object.keys(PRESETS[name]().given));
  if (fits(preset)) return preset;
  return Object.keys(PRESETS).find(fits) ?? preset;
}

/** The kept values as changes to the example's state; matrices that do not fit are left out.
 * @param {Kept} kept */
export function restored({ preset, causal, scaling, given, chosen }) {
  const first = PRESETS[preset]();
  const fits = given !== null && isSame(Object.keys(given), Object.keys(first.given));
  const matrices = fits
    ? Object.fromEntries(Object.entries(given).map(([name, rows]) => [name, matrix(rows)]))
    : first.given;
  const typed = { mode: first.mode, given: matrices };
  const sizes = sizesOf(typed);
  const { d_k: width = 0, d_v: out } = sizes;
  const canShare = first.mode !== "heads" || (width % HEADS === 0 && out % HEADS === 0);
  return {
    causal: causal ?? first.causal,
    scaling: scaling ?? first.scaling,
    given: fits && canShare ? resized(typed, sizes) : first.given,
    chosen: chosen ?? OUTPUT,
  };
}
