// One attention sub-layer as Python sends it (explorer/exchange/sublayer.py), and its sums done
// again here, in
// double precision, from the numbers sent. Axes: H heads, Q queries, K keys, dk a head's numbers.

import { dot, largestDeviation, layerNormParts, matmul, softmax, softmaxParts } from "./matrix.js";
import { unpack } from "./packing.js";

const FLOATS = [
  ...["entering", "x", "memory", "q", "k", "v", "b_o", "output", "gamma", "beta", "after", "bias"],
  ...["weights_masked", "w_o", "w_q", "b_q", "w_k", "b_k", "w_v", "b_v"],
  ...["signs", "w_q_s", "b_q_s", "w_k_s", "b_k_s", "w_v_s", "b_v_s"],
];

/**
 * A sub-layer with its packed arrays as numbers; those that were not sent are left out.
 * @typedef {object} Layer
 * @property {number} d_model
 * @property {number} heads
 * @property {number} queries
 * @property {number} keys
 * @property {number} dk
 * @property {number} scale by which scores are divided
 * @property {number} eps
 * @property {boolean} [rms] true if the norm is an RMSNorm, which subtracts no mean
 * @property {boolean} pre true if the norm comes before the sub-layer
 * @property {boolean} off true if the whole sub-layer is switched off
 * @property {boolean[]} kept the heads that are not switched off
 * @property {Uint8Array} mask (Q, K)
 * @property {Float32Array} entering (Q, D)
 * @property {Float32Array} q (H, Q, dk)
 * @property {Float32Array} k (H, K, dk)
 * @property {Float32Array} v (H, K, dk)
 * @property {Float32Array} [bias] (H, Q, K), added to the scores
 * @property {Float32Array} w_o (H dk, D)
 * @property {Float32Array} b_o (D)
 * @property {Float32Array} output (Q, D)
 * @property {Float32Array} gamma (D)
 * @property {Float32Array} beta (D)
 * @property {Float32Array} after (Q, D)
 */

/** The answer with its packed arrays as numbers. @param {Record<string, any>} answer */
export async function openLayer(answer) {
  const sent = FLOATS.filter((name) => typeof answer[name] === "string");
  const arrays = await Promise.all(sent.map((name) => unpack(answer[name], Float32Array)));
  const opened = Object.fromEntries(sent.map((name, i) => [name, arrays[i]]));
  return {
    ...answer,
    dk: opened.q.length / (answer.heads * answer.queries),
    mask: await unpack(answer.mask, Uint8Array),
    ...opened,
  };
}

/**
 * Everything between one query and this head's context, with the parts for one key.
 *   q, k, v, products (dk)   dots, scaled, bias, masked, exps, weights (K)   parts, context (dk)
 * `bias` is null where the scores have none.
 * @param {Layer} layer @param {number} head @param {number} row @param {number} col
 */
export function headChain(layer, head, row, col) {
  const { dk, keys } = layer;
  /** @type {(array: Float32Array, rows: number, i: number) => Float32Array} */
  const own = (array, rows, i) =>
    array.subarray((head * rows + i) * dk, (head * rows + i + 1) * dk);
  const q = own(layer.q, layer.queries, row);
  const k = own(layer.k, keys, col);
  const v = own(layer.v, keys, col);
  const dots = Float64Array.from({ length: keys }, (_, j) => dot(q, own(layer.k, keys, j)));
  const scaled = dots.map((score) => score / layer.scale);
  const bias = biasOf(layer, head, row);
  const masked = scaled.map((score, j) =>
    layer.mask[row * keys + j] ? score + (bias?.[j] ?? 0) : -Infinity,
  );
  const { max, exps, sum, weights } = softmaxParts(masked);
  const kept = layer.kept[head] ? 1 : 0;
  const context = Float64Array.from(
    { length: dk },
    (_, i) => kept * dot(weights, layer.v, keys, 0, head * keys * dk + i, dk),
  );
  return {
    q,
    k,
    v,
    products: Float64Array.from(q, (one, i) => one * k[i]),
    dots,
    scaled,
    bias,
    masked,
    max,
    exps,
    sum,
    weights,
    parts: Float64Array.from(v, (one) => kept * weights[col] * one),
    context,
  };
}

/** What is added to the scores (K) of one head in one row; null if nothing is.
 * @param {Layer} layer @param {number} head @param {number} row */
function biasOf({ bias, queries, keys }, head, row) {
  const from = (head * queries + row) * keys;
  return bias?.subarray(from, from + keys) ?? null;
}

/** The weights (K) of one head in one row.
 * @param {Layer} layer @param {number} head @param {number} row */
export function weightsOf(layer, head, row) {
  const { dk, keys } = layer;
  const from = (head * layer.queries + row) * dk;
  const bias = biasOf(layer, head, row);
  return softmax(
    Float64Array.from({ length: keys }, (_, j) =>
      layer.mask[row * keys + j]
        ? dot(layer.q, layer.k, dk, from, (head * keys + j) * dk) / layer.scale + (bias?.[j] ?? 0)
        : -Infinity,
    ),
  );
}

/** The contexts of all heads of one row, side by side (H dk).
 * @param {Layer} layer @param {number} row */
export function concatOf(layer, row) {
  const { dk, keys, heads } = layer;
  const concat = new Float64Array(heads * dk);
  for (let head = 0; head < heads; head += 1) {
    if (!layer.kept[head]) continue;
    const weights = weightsOf(layer, head, row);
    for (let i = 0; i < dk; i += 1)
      concat[head * dk + i] = dot(weights, layer.v, keys, 0, head * keys * dk + i, dk);
  }
  return concat;
}

/** From the heads to the layer's output, for one row: all (D) but concat (H dk).
 * @param {Layer} layer @param {number} row */
export function rowChain(layer, row) {
  const { d_model: width } = layer;
  const concat = concatOf(layer, row);
  const output = layer.off
    ? new Float64Array(width)
    : matmul(concat, layer.w_o, 1, concat.length, width, layer.b_o);
  const own = (/** @type {Float32Array} */ array) => array.subarray(row * width, (row + 1) * width);
  const entering = own(layer.entering);
  const sum = output.map((one, i) => entering[i] + one);
  const norm = layerNormParts(sum, layer.gamma, layer.beta, layer.eps, layer.rms);
  const after = layer.pre ? sum : norm.normed;
  return {
    concat,
    output,
    entering,
    sum,
    after,
    mean: norm.mean,
    variance: norm.variance,
    deviation: largestDeviation(output, own(layer.output)),
    deviationAfter: largestDeviation(after, own(layer.after)),
  };
}

const MAX_KEPT = 24;

/**
 * W_o of a layer is the same for every sentence, so it is kept, by model and layer, once received.
 */
export function createMatrices() {
  const kept = new Map();
  return {
    has: (/** @type {string} */ key) => kept.has(key),
    /** The layer with its matrix: received now or kept from before. */
    complete(/** @type {string} */ key, /** @type {Layer} */ layer) {
      const matrix = layer.w_o ?? kept.get(key);
      kept.delete(key);
      kept.set(key, matrix); // the one used last stands last
      if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value);
      return { ...layer, w_o: matrix };
    },
  };
}

/** @param {import("./types.js").Rec["model"]} model @param {string} kind @param {number} layer */
export const matrixKey = ({ key, name, revision }, kind, layer) =>
  `${key} ${name} ${revision} ${kind} ${layer}`;
