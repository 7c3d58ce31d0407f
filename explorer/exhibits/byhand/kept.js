// The differences from the chosen example that a link keeps: typed numbers, switches, and the
// current number. Pure functions.

import { listOf, number, whole } from "../../../assets/kit/keep.js";
import { HEADS, matrix } from "./maths.js";
import { MAX_NUMBER } from "./matrices.js";
import { MAX_SIZE, PRESETS, resized, sizesOf } from "./presets.js";

export const OUTPUT = { name: "output", row: 1, col: 0 };
export const UNCHANGED = { causal: null, scaling: null, given: null, chosen: null };

const isMatrix = listOf(listOf(number(-MAX_NUMBER, MAX_NUMBER), MAX_SIZE, 1), MAX_SIZE, 1);
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

/** Matrices by name, as rows of numbers. */
export const isTyped = (value) =>
  isObject(value) &&
  Object.values(value).every(
    (one) => isMatrix(one) && one.every((row) => row.length === one[0].length),
  );

export const isChosen = (value) => {
  const place = whole(0, MAX_SIZE - 1);
  const { name, head, row, col } = isObject(value) ? value : OUTPUT;
  const isHead = head === undefined || whole(0, HEADS - 1)(head);
  return isObject(value) && typeof name === "string" && isHead && place(row) && place(col);
};

export const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);

const rowsOf = ({ rows, columns, cells }) =>
  Array.from({ length: rows }, (_, row) => [...cells.subarray(row * columns, (row + 1) * columns)]);

const plain = (given) =>
  Object.fromEntries(Object.entries(given).map(([name, one]) => [name, rowsOf(one)]));

/** The kept part of a state: null for values as in the example. */
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

/** The example of the kept values: inferred from the matrices if the link does not name it. */
export function presetOf({ preset, given }) {
  const fits = (name) => isSame(Object.keys(given), Object.keys(PRESETS[name]().given));
  if (given === null || fits(preset)) return preset;
  return Object.keys(PRESETS).find(fits) ?? preset;
}

/** The kept values as changes to the example's state; matrices that do not fit are left out. */
export function restored({ preset, causal, scaling, given, chosen }) {
  const first = PRESETS[preset]();
  const fits = given !== null && isSame(Object.keys(given), Object.keys(first.given));
  const matrices = fits
    ? Object.fromEntries(Object.entries(given).map(([name, rows]) => [name, matrix(rows)]))
    : first.given;
  const typed = { mode: first.mode, given: matrices };
  const sizes = sizesOf(typed);
  const { d_k: width = 0, d_v: out } = sizes;
  const isEven = first.mode !== "heads" || (width % HEADS === 0 && out % HEADS === 0);
  return {
    causal: causal ?? first.causal,
    scaling: scaling ?? first.scaling,
    given: fits && isEven ? resized(typed, sizes) : first.given,
    chosen: chosen ?? OUTPUT,
  };
}
