// Scaled dot-product attention with all its heads (section 3.2), its masks, keys and values. Axis
// letters: Q queries, K keys, D d_model, H heads.

import { dot } from "./linear.js";

/** @typedef {import("./edits.js").Edits} Edits */

/**
 * @typedef {object} Attention the record of one sub-layer, all heads
 * @property {Float32Array} weights (H, Q, K)
 * @property {Float32Array} queries (Q, D), the heads side by side
 * @property {Float32Array[]} keys K vectors (D)
 * @property {Float32Array[]} values
 * @property {Uint8Array|null} mask (Q, K), 1 = may read; null: everything
 * @property {Float32Array|null} bias (H, Q, K), added to the scores; null: nothing
 *
 * @typedef {{keys: Float32Array[], values: Float32Array[]}} Memory vectors (D) of one layer
 */

/** Each row of a matrix. @param {Float32Array} x @param {number} width */
export const rowsOf = (x, width) =>
  Array.from({ length: x.length / width }, (_, i) => x.subarray(i * width, (i + 1) * width));

/**
 * Scaled dot-product attention, all heads: the weighted sums of values (Q, D), and the weights.
 * Source: section 3.2.1, equation 1.
 * @param {Float32Array} queries (Q, D) @param {Memory} memory @param {Uint8Array|null} mask
 * @param {ReturnType<Edits["attention"]>} edit
 * @param {Float32Array|null} bias (H, Q, K), added to the scores (T5)
 */
export function attention(queries, { keys, values }, mask, { kept, scaling }, bias) {
  const heads = kept.length;
  const width = keys[0].length;
  const [rows, size] = [queries.length / width, width / heads];
  const divisor = scaling ? Math.sqrt(size) : 1;
  const weights = new Float32Array(heads * rows * keys.length);
  const context = new Float32Array(queries.length);
  for (let head = 0; head < heads; head += 1) {
    for (let row = 0; row < rows; row += 1) {
      const first = (head * rows + row) * keys.length;
      const own = weights.subarray(first, first + keys.length);
      const at = row * width + head * size;
      for (let k = 0; k < keys.length; k += 1) {
        const isHidden = mask !== null && mask[row * keys.length + k] === 0;
        const score = dot(queries, at, keys[k], head * size, size) / divisor;
        own[k] = isHidden ? -Infinity : score + (bias ? bias[first + k] : 0);
      }
      softmax(own);
      if (kept[head]) weightedSum(own, values, head * size, size, context, at);
    }
  }
  return { context, weights };
}

/** @param {Float32Array} weights @param {Float32Array[]} values @param {number} at where their
 * head begins @param {number} size @param {Float32Array} into @param {number} from */
function weightedSum(weights, values, at, size, into, from) {
  for (let i = 0; i < size; i += 1) {
    let sum = 0;
    for (let k = 0; k < weights.length; k += 1) sum += weights[k] * values[k][at + i];
    into[from + i] = sum;
  }
}

function softmax(/** @type {Float32Array} */ scores) {
  let most = -Infinity;
  for (let i = 0; i < scores.length; i += 1) if (scores[i] > most) most = scores[i];
  const powers = Float64Array.from(scores, (score) => Math.exp(score - most));
  let sum = 0;
  for (let i = 0; i < powers.length; i += 1) sum += powers[i];
  for (let i = 0; i < powers.length; i += 1) scores[i] = powers[i] / sum;
}

// ------------------------------------------------------------------- masks

/** Row t reads the target up to its own position. Source: section 3.2.3. */
export function causalMask(/** @type {number} */ from, /** @type {number} */ count) {
  const keys = from + count;
  return Uint8Array.from({ length: count * keys }, (_, cell) =>
    cell % keys <= from + Math.floor(cell / keys) ? 1 : 0,
  );
}

/** One row of a mask for each query. @param {Uint8Array} row @param {number} count */
export const repeated = (row, count) =>
  Uint8Array.from({ length: row.length * count }, (_, cell) => row[cell % row.length]);

// ------------------------------------------------------------------- what it reads

/** Appends new keys and values.
 * @param {Memory|undefined} before @param {Memory} fresh @param {number} from
 * @param {number} count @returns {Memory} */
export const longer = (before, { keys, values }, from, count) => ({
  keys: [...(before?.keys ?? []), ...keys.slice(from, from + count)],
  values: [...(before?.values ?? []), ...values.slice(from, from + count)],
});
