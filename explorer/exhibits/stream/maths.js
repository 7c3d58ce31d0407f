// LayerNorm and BatchNorm on the same numbers, in float64. Pure functions.

import { layerNormParts } from "../../../assets/kit/matrix.js";

/** @typedef {Float32Array|Float64Array} Numbers */

/** Mean and variance (of the whole, not of a sample) of some numbers; with `rms` the mean square.
 * @param {Numbers} row @param {boolean} [rms] */
export function moments(row, rms = false) {
  const { mean, variance } = layerNormParts(row, row, row, 1, rms);
  return { mean, variance };
}

/** Each number minus the mean, over the standard deviation. @param {Numbers} row */
const normalised = (row, /** @type {number} */ eps) =>
  layerNormParts(row, new Float64Array(row.length).fill(1), new Float64Array(row.length), eps)
    .normed;

/** What LayerNorm makes of a table (rows: tokens, columns: dimensions): each row on its own.
 * @param {Numbers} table @param {number} columns @param {number} eps */
export function byRows(table, columns, eps) {
  const out = new Float64Array(table.length);
  for (let start = 0; start < table.length; start += columns) {
    out.set(normalised(table.subarray(start, start + columns), eps), start);
  }
  return out;
}

/** What BatchNorm makes of it: each column over all tokens.
 * @param {Numbers} table @param {number} columns @param {number} eps */
export function byColumns(table, columns, eps) {
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
