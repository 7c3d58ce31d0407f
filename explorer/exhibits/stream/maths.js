// Two norms of the same numbers, in float64. Pure functions.

import { layerNormParts } from "../../../assets/kit/algebra.js";

/** @typedef {Float32Array|Float64Array} Numbers */

/** Mean and variance (of the whole, not of a sample) of some numbers; with `rms` the mean square.
 * @param {Numbers} row @param {boolean} [rms] */
export function moments(row, rms = false) {
  const { mean, variance } = layerNormParts(row, row, row, 1, rms);
  return { mean, variance };
}

/**
 * The two norms that are compared, by name: the model's own, and the one it is told apart from.
 * @typedef {"rms"|"rows"|"columns"} Name
 * @param {boolean} rms the model has RMSNorms @returns {Name[]}
 */
export const namesOf = (rms) => (rms ? ["rms", "rows"] : ["rows", "columns"]);

/** What a norm without γ and β makes of a table (rows: tokens, columns: dimensions).
 * @param {Name} name @param {Numbers} table @param {number} columns @param {number} eps */
export const normed = (name, table, columns, eps) =>
  name === "columns" ? byColumns(table, columns, eps) : byRows(table, columns, eps, name === "rms");

/** Each number minus the mean, over the standard deviation; with `rms` the number over the root of
 * the mean square. @param {Numbers} row @param {number} eps @param {boolean} [rms] */
const normalised = (row, eps, rms) =>
  layerNormParts(row, new Float64Array(row.length).fill(1), new Float64Array(row.length), eps, rms)
    .normed;

/** What LayerNorm or RMSNorm makes of it: each row on its own.
 * @param {Numbers} table @param {number} columns @param {number} eps @param {boolean} rms */
function byRows(table, columns, eps, rms) {
  const out = new Float64Array(table.length);
  for (let start = 0; start < table.length; start += columns) {
    out.set(normalised(table.subarray(start, start + columns), eps, rms), start);
  }
  return out;
}

/** What BatchNorm makes of it: each column over all tokens.
 * @param {Numbers} table @param {number} columns @param {number} eps */
function byColumns(table, columns, eps) {
  const out = new Float64Array(table.length);
  const rows = table.length / columns;
  for (let column = 0; column < columns; column += 1) {
    const numbers = Float64Array.from({ length: rows }, (_, row) => table[row * columns + column]);
    normalised(numbers, eps).forEach((x, row) => {
      out[row * columns + column] = x;
    });
  }
  return out;
}
