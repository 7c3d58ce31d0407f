// A layer taken apart, from the states of a trace, by the engine's own products: the twin of
// model/labs/dissect.py, which describes each part.

import { Edits } from "../edits.js";
import { refusal } from "./request.js";

/** @typedef {Pick<import("./explainer.js").Explainer, "network">} Explainer */
/** @typedef {import("./explainer.js").Pass} Pass */
/** @typedef {import("../edits.js").Kind} Kind */
/** @typedef {"encoder"|"decoder"} Stack */

/**
 * A sub-layer with what enters, what it adds, and what leaves.
 * @typedef {object} Part
 * @property {string} name @property {number} layer
 * @property {Float32Array} before @property {Float32Array} x after a pre-norm
 * @property {Float32Array} output @property {Float32Array} total @property {Float32Array} after
 * @property {Float32Array} gamma @property {Float32Array} beta 0 in a norm that adds nothing
 * @property {number} eps @property {boolean} rms true of an RMSNorm @property {boolean} pre
 *
 * @typedef {Part & {kind: Kind, record: import("./explainer.js").Attention,
 *   maps: import("./explainer.js").Maps, kept: boolean[], off: boolean, context: Float32Array,
 *   memory: Float32Array, scale: number}} AttentionPart
 * @typedef {Part & {hidden: Float32Array}} FeedForwardPart the units of the hidden layer (T, d_ff)
 */

/** @type {Record<Stack, Record<string, Kind>>} */
export const KIND_OF = {
  encoder: { self_attention: "encoder_self" },
  decoder: { self_attention: "decoder_self", cross_attention: "cross" },
};

/** Sub-layers as the names of parts have them. @type {Record<string, string>} */
export const NAMES = {
  self_attention: "self",
  cross_attention: "cross",
  feed_forward: "feed-forward",
};

const added = (/** @type {Float32Array} */ x, /** @type {Float32Array} */ y) =>
  x.map((one, i) => one + y[i]);

/** The states of a stack, embedding and position first. @param {Pass} trace @param {Stack} stack */
export const statesOf = (trace, stack) => trace[stack].states;

/**
 * The sub-layers of one layer in their order.
 * @param {Explainer} explainer @param {Pass} trace @param {Stack} stack @param {number} layer
 * @returns {(AttentionPart|FeedForwardPart)[]}
 */
export function subLayers(explainer, trace, stack, layer) {
  if (explainer.network.config.norm === "none") throw refusal("error.model.no_parts");
  return summands(explainer, trace, stack, layer);
}

/** The same of any model whose stream is a sum; without norms `gamma` is empty.
 * @param {Explainer} explainer @param {Pass} trace @param {Stack} stack @param {number} layer
 * @returns {(AttentionPart|FeedForwardPart)[]} */
export function summands(explainer, trace, stack, layer) {
  if (!explainer.network.config.residual) throw refusal("error.model.no_parts");
  let before = statesOf(trace, stack)[layer];
  const names = [...Object.keys(KIND_OF[stack]), "feed_forward"];
  return names.map((name) => {
    const part = subLayer(explainer, trace, { stack, layer, name }, before);
    before = part.after;
    return part;
  });
}

/** The attention of a kind in a layer.
 * @param {Explainer} explainer @param {Pass} trace @param {Kind} kind @param {number} layer */
export function attentionSubLayer(explainer, trace, kind, layer) {
  const stack = kind === "encoder_self" ? "encoder" : "decoder";
  const parts = subLayers(explainer, trace, stack, layer);
  return /** @type {AttentionPart} */ (parts.find((part) => "kind" in part && part.kind === kind));
}

/** @param {Explainer} explainer @param {Pass} trace
 * @param {{stack: Stack, layer: number, name: string}} place @param {Float32Array} before
 * @returns {AttentionPart|FeedForwardPart} */
function subLayer(explainer, trace, { stack, layer, name }, before) {
  const { network } = explainer;
  const path = `${stack}.${layer}.${name}`;
  const { norm } = network.config;
  const x = network.enter(path, before);
  const kind = KIND_OF[stack][name];
  const inside = kind
    ? attentionPart(explainer, trace, { kind, layer, path }, x)
    : feedForwardPart(network, path, x);
  const total = added(before, inside.output);
  const after = norm === "post" ? network.norm(`${path}_residual.norm`, total) : total;
  const own = norm === "none" ? NO_NORM : normOf(network, `${path}_residual.norm`);
  return { name, layer, before, x, total, after, ...own, pre: norm === "pre", ...inside };
}

/** @type {Norm} */
const NO_NORM = { gamma: new Float32Array(), beta: new Float32Array(), eps: 0, rms: false };

/** The numbers of a norm. @param {Explainer["network"]} network @param {string} name
 * @returns {Norm} */
export function normOf(network, name) {
  const gamma = network.tensor(`${name}.weight`).data;
  const { norm_eps: eps, norm_kind: kind } = network.config;
  return { gamma, beta: network.shift(name, gamma.length), eps, rms: kind === "rms" };
}

/** @param {import("../network.js").Network} network @param {string} path @param {Float32Array} x */
function feedForwardPart(network, path, x) {
  const hidden = network.units(path, x);
  return { hidden, output: network.project(`${path}.outer`, hidden) };
}

/** @param {Explainer} explainer @param {Pass} trace
 * @param {{kind: Kind, layer: number, path: string}} place @param {Float32Array} x */
function attentionPart(explainer, trace, { kind, layer, path }, x) {
  const maps = trace.attention[kind];
  const own = trace.records[kind][layer];
  const { heads_off: headsOff, cross_off: crossOff } = trace.interventions;
  const isKept = (/** @type {number} */ head) =>
    !headsOff.some(([k, l, h]) => k === kind && l === layer && h === head);
  const kept = Array.from({ length: maps.heads }, (_, head) => isKept(head));
  const off = kind === "cross" && crossOff.includes(layer);
  const context = contextOf(own, maps, kept);
  const output = explainer.network.project(`${path}.output`, context);
  return {
    kind, record: own, maps, kept, off, context,
    memory: kind === "cross" ? trace.memory : x,
    output: off ? output.fill(0) : output,
    scale: maps.scaling ? Math.sqrt(widthOf(own, maps) / maps.heads) : 1,
  }; // biome-ignore format: names
}

/** @param {import("./explainer.js").Attention} record
 * @param {import("./explainer.js").Maps} maps */
const widthOf = ({ queries }, { queries: rows }) => queries.length / rows;

/** The weighted sums of values, the heads side by side (Q, D).
 * @param {import("./explainer.js").Attention} record
 * @param {Pick<import("./explainer.js").Maps, "heads"|"queries"|"keys">} maps
 * @param {boolean[]} kept */
export function contextOf({ weights, values, queries }, maps, kept) {
  const { heads, queries: rows, keys } = maps;
  const width = queries.length / rows;
  const size = width / heads;
  const context = new Float32Array(rows * width);
  for (let head = 0; head < heads; head += 1) {
    if (!kept[head]) continue;
    for (let row = 0; row < rows; row += 1)
      for (let i = 0; i < size; i += 1) {
        let sum = 0;
        for (let key = 0; key < keys; key += 1)
          sum += weights[(head * rows + row) * keys + key] * values[key][head * size + i];
        context[row * width + head * size + i] = sum;
      }
  }
  return context;
}

/** Rows with the heads side by side (T, D) -> (H, T, d_k). @param {Float32Array} rows */
export function byHead(rows, /** @type {number} */ heads, /** @type {number} */ count) {
  const width = rows.length / count;
  const size = width / heads;
  return Float32Array.from(rows, (_, cell) => {
    const head = Math.floor(cell / (count * size));
    const row = Math.floor(cell / size) % count;
    return rows[row * width + head * size + (cell % size)];
  });
}

/** (out, in), as PyTorch keeps it -> (in, out), as the paper multiplies.
 * @param {import("../weights.js").Tensor} weight */
export function transposed({ shape: [out, width], data }) {
  return Float32Array.from(data, (_, cell) => data[(cell % out) * width + Math.floor(cell / out)]);
}

/**
 * The input of a stack's first layer: token vectors, times the scale, and position vectors.
 * @param {Explainer} explainer @param {Pass} trace @param {"source"|"target"} side
 */
export function inputs({ network }, trace, side) {
  const { config } = network;
  const { ids } = side === "source" ? trace.src : trace.read;
  const edits = new Edits(trace.interventions, config);
  const length = ids.length - (side === "source" ? trace.interventions.padding : 0);
  const parts = network.vectors(side, ids, edits.positions(side, 0, ids.length, length));
  return {
    ...parts,
    sum: statesOf(trace, side === "source" ? "encoder" : "decoder")[0],
    scale: network.scaleOf(side),
    layout: config.positions === "sinusoids" ? config.sinusoids : config.positions,
    count: ids.length,
  };
}

/**
 * A norm's numbers, as a `Part` has them.
 * @typedef {Pick<Part, "gamma"|"beta"|"eps"|"rms">} Norm
 */

/** What a norm makes of parts of a row, with the row's deviation kept, which makes it linear;
 * without the vector that it adds.
 * @param {Pick<Norm, "gamma"|"eps"|"rms">} norm @param {ArrayLike<number>} row */
export function throughNorm({ gamma, eps, rms }, row) {
  const { deviation } = moments(row, eps, rms);
  return (/** @type {ArrayLike<number>} */ vector) => {
    const { mean } = moments(vector, eps, rms);
    return Float64Array.from(vector, (one, i) => (gamma[i] * (one - mean)) / deviation);
  };
}

/** The direction (D) before a norm whose product with a part is that of the direction after it
 * with what the norm makes of the part: the transpose of `throughNorm`.
 * @param {Pick<Norm, "gamma"|"eps"|"rms">} norm @param {ArrayLike<number>} row
 * @param {Float64Array} direction */
export function backThroughNorm({ gamma, eps, rms }, row, direction) {
  const { deviation } = moments(row, eps, rms);
  const scaled = direction.map((one, i) => (gamma[i] * one) / deviation);
  const { mean } = moments(scaled, eps, rms);
  return scaled.map((one) => one - mean);
}

/** Mean and deviation of a row; an RMSNorm takes the mean for 0.
 * @param {ArrayLike<number>} row @param {number} eps @param {boolean} rms */
function moments(row, eps, rms) {
  let [sum, squares] = [0, 0];
  for (let i = 0; i < row.length; i += 1) sum += row[i];
  const mean = rms ? 0 : sum / row.length;
  for (let i = 0; i < row.length; i += 1) squares += (row[i] - mean) ** 2;
  return { mean, deviation: Math.sqrt(squares / row.length + eps) };
}

/** The Euclidean length of each row. @param {Float32Array} rows @param {number} count */
export function lengths(rows, count) {
  const width = rows.length / count;
  return Float32Array.from({ length: count }, (_, row) => {
    let square = 0;
    for (let i = 0; i < width; i += 1) square += rows[row * width + i] ** 2;
    return Math.sqrt(square);
  });
}
