// The contribution of each token to an attention's output and, through all layers, the share of a
// word from the source: the twin of model/labs/contribution.py, which cites the sources.

import { attentionSubLayer, throughNorm } from "./dissect.js";

/** @typedef {import("./explainer.js").Explainer} Explainer */
/** @typedef {import("./dissect.js").AttentionPart} Part */
/** @typedef {ArrayLike<number>} Numbers */
/** @typedef {{cells: Float64Array, residual: Float64Array}} Contributions (Q, K) and (Q) */

/** The share of each written token from the source, over all layers.
 * @param {Pick<Explainer, "network">} explainer @param {import("./explainer.js").Pass} trace
 * @returns {number[]} */
export function sourceShares(explainer, trace) {
  const { n_encoder_layers: below, n_decoder_layers: above } = explainer.network.config;
  const [S, T] = [trace.src.ids.length, trace.written.ids.length];
  let encoder = identity(S);
  for (let layer = 0; layer < below; layer += 1) {
    const part = attentionSubLayer(explainer, trace, "encoder_self", layer);
    encoder = product(mixing(explainer, part, S), encoder, S, S, S);
  }
  let source = new Float64Array(T * S); // at first each token is itself
  let prefix = identity(T);
  for (let layer = 0; layer < above; layer += 1) {
    const own = mixing(explainer, attentionSubLayer(explainer, trace, "decoder_self", layer), T);
    const cross = attentionSubLayer(explainer, trace, "cross", layer);
    const { cells, residual } = contributions(explainer, cross, T, S);
    const kept = (/** @type {Float64Array} */ all, /** @type {number} */ width) =>
      product(own, all, T, T, width).map((one, i) => one * residual[Math.floor(i / width)]);
    const read = product(cells, encoder, T, S, S);
    source = kept(source, S).map((one, i) => one + read[i]);
    prefix = kept(prefix, T);
  }
  return Array.from({ length: T }, (_, t) => total(source.subarray(t * S, (t + 1) * S)));
}

/** What each key and the query's own state contribute; rows with the residual sum to 1.
 * @param {Pick<Explainer, "network">} explainer @param {Part} part @param {number} queries
 * @param {number} keys @returns {Contributions} */
function contributions(explainer, part, queries, keys) {
  const size = part.before.length / queries;
  const written = valuesOf(explainer, part, keys, size);
  const { weights } = part.record;
  const found = { cells: new Float64Array(queries * keys), residual: new Float64Array(queries) };
  for (let q = 0; q < queries; q += 1) {
    const row = (/** @type {Float32Array} */ all) => all.subarray(q * size, (q + 1) * size);
    const output = row(part.pre ? part.total : part.after);
    const same = (/** @type {Numbers} */ vector) => vector;
    const norm = part.pre ? same : throughNorm(part, row(part.total));
    const nearer = (/** @type {ArrayLike<number>} */ vector) => gain(output, norm(vector));
    const own = nearer(row(part.before));
    const gains = Array.from({ length: keys }, (_, k) => {
      const vector = new Float64Array(size);
      written.forEach((values, h) => {
        const weight = weights[(h * queries + q) * keys + k];
        if (values !== null && weight > 0)
          for (let i = 0; i < size; i += 1) vector[i] += weight * values[k * size + i];
      });
      return nearer(vector);
    });
    const whole = total(gains) + own || 1;
    found.residual[q] = own / whole;
    for (let k = 0; k < keys; k += 1) found.cells[q * keys + k] = gains[k] / whole;
  }
  return found;
}

/** Each head's values as written to the residual stream, (K, D); null if it is off.
 * @param {Pick<Explainer, "network">} explainer @param {Part} part @param {number} keys
 * @param {number} size */
function valuesOf(explainer, part, keys, size) {
  const stack = part.kind === "encoder_self" ? "encoder" : "decoder";
  const { data, shape } = explainer.network.tensor(
    `${stack}.${part.layer}.${part.name}.output.weight`,
  );
  const width = shape[1] / part.kept.length;
  return part.kept.map((isKept, h) => {
    if (!isKept || part.off) return null;
    const written = new Float64Array(keys * size);
    for (let k = 0; k < keys; k += 1) {
      const value = part.record.values[k];
      for (let i = 0; i < size; i += 1) {
        let sum = 0;
        for (let j = h * width; j < (h + 1) * width; j += 1)
          sum += data[i * shape[1] + j] * value[j];
        written[k * size + i] = sum;
      }
    }
    return written;
  });
}

/** How much closer a vector comes to the output, in sums of absolute values; 0 if not closer. */
function gain(/** @type {ArrayLike<number>} */ output, /** @type {ArrayLike<number>} */ vector) {
  let nearer = 0;
  for (let i = 0; i < output.length; i += 1)
    nearer += Math.abs(output[i]) - Math.abs(output[i] - vector[i]);
  return Math.max(0, nearer);
}

/** The contributions of a self-attention (T, T), with the residual on the diagonal.
 * @param {Pick<Explainer, "network">} explainer @param {Part} part @param {number} count */
function mixing(explainer, part, count) {
  const { cells, residual } = contributions(explainer, part, count, count);
  for (let i = 0; i < count; i += 1) cells[i * count + i] += residual[i];
  return cells;
}

const identity = (/** @type {number} */ n) =>
  Float64Array.from({ length: n * n }, (_, i) => (i % (n + 1) === 0 ? 1 : 0));

/** (rows, inner) x (inner, columns)
 * @param {Numbers} a @param {Numbers} b @param {number} rows @param {number} inner
 * @param {number} columns */
function product(a, b, rows, inner, columns) {
  const found = new Float64Array(rows * columns);
  for (let r = 0; r < rows; r += 1)
    for (let i = 0; i < inner; i += 1)
      for (let c = 0; c < columns; c += 1)
        found[r * columns + c] += a[r * inner + i] * b[i * columns + c];
  return found;
}

function total(/** @type {ArrayLike<number>} */ all) {
  let sum = 0;
  for (let i = 0; i < all.length; i += 1) sum += all[i];
  return sum;
}
