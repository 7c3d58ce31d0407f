// The identities of attention: weights, masks, and every sub-layer from its input to its output.
// Pure functions of the data sent to the page; each returns a Result.

import { largestDeviation, layerNorm } from "../../../assets/kit/matrix.js";
import { projectionDeviation, wholeLayer } from "../../../assets/kit/sublayer.js";
import { result, worst } from "./result.js";

const HALF_STEP = 1 / 131070; // largest distance of a weight on the page from the model's (16 bits)
const SINGLE = 1e-6; // largest error of a sum of a few float32 numbers
const FLOAT32 = 2 ** -23; // the step from 1 to the next float32
const UNSCALED = 1e-4; // weights of scores that are not divided: larger scores, larger rounding
const SUMS = 1e-4; // largest error of a sum of many

export const KINDS = ["encoder_self", "decoder_self", "cross"];

/** @typedef {import("./result.js").Result} Result */
/** @typedef {import("../../../assets/kit/types.js").Maps} Maps */

/**
 * Calls `act` with the cells of every head. @param {Maps} maps @param {(cells: Float32Array) =>
 * void} act
 */
function eachHead({ layers, heads, head }, act) {
  for (let layer = 0; layer < layers; layer += 1) {
    for (let index = 0; index < heads; index += 1) act(head(layer, index));
  }
}

/** Every row of every head's weights sums to 1, up to 16-bit steps. */
export const rowsSumToOne = ({ attention }) =>
  worst(
    KINDS.map((kind) => {
      const { layers, heads, queries, keys } = attention[kind];
      let deviation = 0;
      eachHead(attention[kind], (cells) => {
        for (let row = 0; row < queries; row += 1) {
          const own = cells.subarray(row * keys, (row + 1) * keys);
          const sum = own.reduce((total, one) => total + (Number.isNaN(one) ? 0 : one), 0);
          deviation = Math.max(deviation, Math.abs(sum - 1));
        }
      });
      return result(deviation, keys * HALF_STEP + SINGLE, layers * heads * queries);
    }),
  );

/**
 * True if the rules let a query read a key: no padding, no future, then painted cells.
 */
export function ruleOf({ src, interventions }, /** @type {string} */ kind) {
  const { padding, padding_mask: paddingMask, causal_mask: causal, cells } = interventions;
  const real = src.length - (paddingMask ? padding : 0);
  const own = cells.filter(([its]) => its === kind);
  const painted = new Map(own.map(([, row, col, on]) => [`${row} ${col}`, on]));
  const cellOf = (row, col) => (own.length > 0 ? painted.get(`${row} ${col}`) : undefined);
  return (/** @type {number} */ row, /** @type {number} */ col) =>
    cellOf(row, col) ?? (kind === "decoder_self" ? !causal || col <= row : col < real);
}

/** Exactly the cells that the rules forbid are masked in every head on the page. */
export const masksFollowRules = (record) =>
  worst(
    KINDS.map((kind) => {
      const { keys } = record.attention[kind];
      const rule = ruleOf(record, kind);
      let deviation = 0;
      let count = 0;
      eachHead(record.attention[kind], (cells) => {
        cells.forEach((cell, i) => {
          const may = rule(Math.floor(i / keys), i % keys);
          if (!may) count += 1;
          if (may !== Number.isNaN(cell)) return;
          deviation = Math.max(deviation, may ? 1 : Math.abs(cell) || 1);
        });
      });
      return result(deviation, 0, Math.max(count, deviation ? 1 : 0));
    }),
  );

/** The Results of one sub-layer: {masked, made, weights, output, after}. */
export function layerResults(
  record,
  /** @type {string} */ kind,
  /** @type {number} */ index,
  layer,
) {
  const { output, after, weights } = wholeLayer(layer);
  const masked = layer.weights_masked;
  return {
    masked: result(largestDeviation(masked, new Float32Array(masked.length)), 0, masked.length),
    made: made(kind, layer),
    weights: worst([
      result(
        weightsDeviation(record, kind, index, layer, weights),
        HALF_STEP + Math.max(layer.scale > 1 ? 1e-5 : UNSCALED, scoreRounding(layer)),
        weights.length,
      ),
      result(switchedAsSaid(record, kind, index, layer) ? 0 : 1, 0, layer.heads + 2),
    ]),
    output: result(largestDeviation(output, layer.output), SUMS, output.length),
    after: result(largestDeviation(after, layer.after), SUMS, after.length),
  };
}

/**
 * The largest change of a weight by rounding of scores in single precision: more for large scores.
 */
const scoreRounding = ({ q, k, dk, scale }) => (FLOAT32 * longest(q, dk) * longest(k, dk)) / scale;

/** The largest length of some vectors. */
function longest(/** @type {Float32Array} */ vectors, /** @type {number} */ width) {
  let most = 0;
  for (let from = 0; from < vectors.length; from += width) {
    const own = vectors.subarray(from, from + width);
    most = Math.max(
      most,
      own.reduce((sum, x) => sum + x * x, 0),
    );
  }
  return Math.sqrt(most);
}

/** Queries, keys and values equal x or the memory times W_Q, W_K and W_V. */
function made(kind, layer) {
  const { entering, x, memory, pre, d_model: width, queries, gamma, beta, eps } = layer;
  const wanted = new Float64Array(entering);
  if (pre) {
    for (let row = 0; row < queries; row += 1) {
      const own = entering.subarray(row * width, (row + 1) * width);
      wanted.set(layerNorm(own, gamma, beta, eps), row * width);
    }
  }
  const own = kind === "cross" ? memory : x;
  return worst([
    ...["q", "k", "v"].map((name) =>
      result(projectionDeviation(layer, /** @type {any} */ (name)), SUMS, layer[name].length),
    ),
    result(largestDeviation(x, wanted), pre ? SUMS : 0, x.length),
    result(largestDeviation(memory, own), 0, memory.length),
  ]);
}

function weightsDeviation(record, kind, index, { heads, queries, keys }, weights) {
  let off = 0;
  for (let head = 0; head < heads; head += 1) {
    const shown = record.attention[kind].head(index, head);
    for (let i = 0; i < queries * keys; i += 1) {
      const one = Number.isNaN(shown[i]) ? 0 : shown[i];
      off = Math.max(off, Math.abs(one - weights[head * queries * keys + i]));
    }
  }
  return off;
}

/** True if scaling, heads and the whole sub-layer are on or off according to the interventions. */
function switchedAsSaid({ interventions }, kind, index, { scale, divides = true, dk, kept, off }) {
  const { scaling = true, heads_off: heads = [], cross_off: layers = [] } = interventions ?? {};
  const isOff = (head) => heads.some(([k, l, h]) => k === kind && l === index && h === head);
  return (
    Math.abs(scale - (scaling && divides ? Math.sqrt(dk) : 1)) < SINGLE &&
    kept.every((isKept, head) => isKept !== isOff(head)) &&
    off === (kind === "cross" && layers.includes(index))
  );
}

/**
 * The links between sub-layers: the first reads the inputs, cross-attention the output of the
 * self-attention before it, and every cross-attention reads the same memory.
 * @param {Map<string, any>} layers @param {any} inputs
 */
export function layersAreLinked(layers, inputs) {
  const links = [
    [inputs?.source.first, layers.get("encoder_self 0")?.entering],
    [inputs?.target.first, layers.get("decoder_self 0")?.entering],
  ];
  for (const [name, { entering, memory }] of layers) {
    const [kind, index] = name.split(" ");
    if (kind !== "cross") continue;
    links.push([layers.get(`decoder_self ${index}`)?.after, entering]);
    links.push([layers.get("cross 0")?.memory, memory]);
  }
  const known = links.filter(([a, b]) => a && b);
  return worst(known.map(([a, b]) => result(largestDeviation(a, b), 1e-5, b.length)));
}
