// Answers to views about the inside of the layers: Figure 1, the residual stream, the lens, the
// microscope, positions, dropout.

import { pack } from "../../kit/packing.js";
import { bucketsOf } from "../distances.js";
import { positionKind } from "../edits.js";
import { finish } from "../engine.js";
import { largest } from "../search.js";
import { sourceShares } from "./contribution.js";
import {
  attentionSubLayer,
  byHead,
  inputs,
  lengths,
  statesOf,
  subLayers,
  transposed,
} from "./dissect.js";
import { logSum, rowsOf, token } from "./explainer.js";
import { KINDS } from "./request.js";

/** @typedef {import("./explainer.js").Question} Question */
/** @typedef {import("./explainer.js").Explainer} Explainer */
/** @typedef {import("./explainer.js").Pass} Pass */
/** @typedef {import("./dissect.js").AttentionPart} AttentionPart */
/** @typedef {import("./dissect.js").FeedForwardPart} FeedForwardPart */
/** @typedef {AttentionPart|FeedForwardPart} Part */

const STACKS = /** @type {const} */ (["encoder", "decoder"]);
const MAX_LAYERS = 64; // of a stack
const SHADES = 127; // the shade of the largest number of a picture
const NEAR = 10; // neighbours of a token
const LOOKED = 5; // tokens of each state under the lens
const DROPPED = 16; // numbers of a vector that are shown

const single = (/** @type {ArrayLike<number>} */ all) => pack(Float32Array.from(all));

/** Runs the traced pass of the request.
 * @param {Explainer} explainer @param {import("./request.js").Request} request */
const traceOf = (explainer, request) => explainer.explain(request).trace;

/** The share of each written token from the source. @type {Question} */
export const share = (explainer, request) => ({
  shares: sourceShares(explainer, traceOf(explainer, request)),
});

// ------------------------------------------------------------------- Figure 1

/** @type {Question} */
export function figure(explainer, request, args) {
  const trace = traceOf(explainer, request);
  const bounds = { low: 0, high: MAX_LAYERS - 1 };
  const stacks = STACKS.map((name) => [
    name,
    stackOf(explainer, trace, name, args.wholeList(name, MAX_LAYERS, bounds)),
  ]);
  return { config: explainer.network.shown, ...Object.fromEntries(stacks) };
}

/** @param {Explainer} explainer @param {Pass} trace @param {"encoder"|"decoder"} stack
 * @param {number[]} wanted layers */
function stackOf(explainer, trace, stack, wanted) {
  const states = statesOf(trace, stack);
  const read = inputs(explainer, trace, stack === "encoder" ? "source" : "target");
  const { count } = read;
  const layers = [...new Set(wanted)].filter((layer) => layer < states.length - 1).sort();
  const isPre = explainer.network.config.norm === "pre";
  return {
    embedding: cells(read.tokens, count),
    position: cells(read.positions, count),
    states: states.map((state) => cells(state, count)),
    final: isPre ? cells(stack === "encoder" ? trace.memory : trace.top, count) : null,
    layers: Object.fromEntries(
      layers.map((layer) => [
        layer,
        subLayers(explainer, trace, stack, layer).map((part) => figurePart(part, count)),
      ]),
    ),
  };
}

function figurePart(/** @type {Part} */ part, /** @type {number} */ count) {
  const vectors = { before: part.before, inside: part.x, adds: part.output, after: part.after };
  const own = Object.entries(vectors).map(([name, rows]) => [name, pack(lengths(rows, count))]);
  const found = { name: part.name, ...Object.fromEntries(own) };
  if (!("hidden" in part)) return found;
  const fired = rowsOf(part.hidden, count).map((row) => row.filter((unit) => unit > 0).length);
  return { ...found, units: cells(part.hidden, count), fired: pack(Int32Array.from(fired)) };
}

/** A matrix as a picture: the largest distance from 0, and each number's shade. */
function cells(/** @type {Float32Array} */ rows, /** @type {number} */ count) {
  let most = 1e-12;
  for (const one of rows) most = Math.max(most, Math.abs(one));
  const shades = Int8Array.from(rows, (one) =>
    Math.round(Math.sign(one) * Math.sqrt(Math.abs(one) / most) * SHADES),
  );
  return { rows: count, columns: rows.length / count, most, cells: pack(shades) };
}

// ------------------------------------------------------------------- the residual stream

/** @type {Question} */
export function stream(explainer, request, args) {
  const stack = /** @type {"encoder"|"decoder"} */ (args.choice("stack", STACKS));
  const trace = traceOf(explainer, request);
  const states = statesOf(trace, stack);
  const { config } = explainer.network;
  const layer = args.whole("layer", 0, states.length - 2);
  const count = states[0].length / config.d_model;
  const layers = states.slice(1).map((_, i) => subLayers(explainer, trace, stack, i));
  const last = layers.map((parts) => /** @type {FeedForwardPart} */ (parts[parts.length - 1]));
  const hidden = last.map((part) => part.hidden);
  const off = last.map((part, i) => farthest(part.after, states[i + 1]));
  return {
    stack,
    layer,
    norm: config.norm,
    eps: layers[layer][0].eps,
    rms: layers[layer][0].rms,
    gated: config.gated,
    activation: config.activation,
    positions: count,
    deviation: Math.max(...off),
    lengths: layers.map((parts) => parts.map((part) => streamLengths(part, count))),
    fired: hidden.map((units) => single(rowsOf(units, count).map(firedShare))),
    parts: layers[layer].map(streamNumbers),
    hidden: pack(hidden[layer]),
  };
}

const firedShare = (/** @type {Float32Array} */ row) =>
  row.filter((unit) => unit > 0).length / row.length;

export const farthest = (
  /** @type {ArrayLike<number>} */ x,
  /** @type {ArrayLike<number>} */ y,
) => {
  let most = 0;
  for (let i = 0; i < x.length; i += 1) most = Math.max(most, Math.abs(x[i] - y[i]));
  return most;
};

function streamLengths(/** @type {Part} */ part, /** @type {number} */ count) {
  const vectors = { before: part.before, adds: part.output, total: part.total, after: part.after };
  const all = Object.entries(vectors).map(([name, rows]) => [name, pack(lengths(rows, count))]);
  return { name: part.name, ...Object.fromEntries(all) };
}

function streamNumbers(/** @type {Part} */ part) {
  const { before, total, after, gamma, beta } = part;
  const arrays = { inside: part.x, adds: part.output, before, total, after, gamma, beta };
  const all = Object.entries(arrays).map(([name, array]) => [name, single(array)]);
  return { name: part.name, ...Object.fromEntries(all) };
}

// ------------------------------------------------------------------- the lens

/** The prediction of every decoder layer at every step. @type {Question} */
export function lens(explainer, request) {
  const trace = traceOf(explainer, request);
  const { network } = explainer;
  const count = trace.written.ids.length;
  const layers = statesOf(trace, "decoder").map((state) => {
    const logits = network.logits(network.last("decoder", state));
    return rowsOf(logits, count).map((row) => {
      const all = logSum(row);
      return largest(row, LOOKED).map((id) => ({
        ...token(explainer, id),
        log_prob: row[id] - all,
      }));
    });
  });
  return { layers, norm: network.config.norm };
}

/** What the decoder writes when it reads the encoder's states after each layer. @type {Question} */
export function decoderLens(explainer, request) {
  const { engine, network, tokenizer } = explainer;
  const { src, edits, settings, prefix } = explainer.explain(request);
  const { record, mask } = engine.encode(src, edits);
  const how = { settings, rules: engine.rulesOf(src), prefix };
  const spoken = record.states.map((/** @type {Float32Array} */ state) => {
    const memory = network.start(network.last("encoder", state), mask);
    const [best] = finish(engine.searchFrom(memory, edits, how)).hypotheses;
    return {
      text: tokenizer.decode(best.ids),
      log_prob: best.log_prob,
      tokens: best.ids.map((id) => token(explainer, id)),
    };
  });
  return { spoken };
}

/** The nearest neighbours of a token in the embedding. @type {Question} */
export function near(explainer, _, args) {
  const side = args.choice("side", ["source", "target"]);
  const { config } = explainer.network;
  const isApart = side === "source" && config.src_vocab_size > 0;
  const { shape, data } = explainer.network.tensor(
    isApart ? "embedding.source.weight" : "embedding.token.weight",
  );
  const id = args.whole("id", 0, shape[0] - 1);
  const rows = rowsOf(data, shape[0]);
  const sizes = lengths(data, shape[0]);
  const cosines = Float32Array.from(
    rows,
    (row, i) => dot(row, rows[id]) / Math.max(sizes[i] * sizes[id], 1e-8),
  );
  const { tokenizer } = explainer;
  const { pad, start, end, unknown } = tokenizer;
  const specials = "specials" in tokenizer ? tokenizer.specials : [];
  for (const other of [id, pad, start, end, unknown, ...specials]) cosines[other] = -2;
  const tokens = largest(cosines, Math.min(NEAR, rows.length - 1)).map((one) => ({
    ...token(explainer, one, side),
    cosine: cosines[one],
  }));
  return { id, shared: config.tied && !config.src_vocab_size, tokens };
}

function dot(/** @type {Float32Array} */ x, /** @type {Float32Array} */ y) {
  let sum = 0;
  for (let i = 0; i < x.length; i += 1) sum += x[i] * y[i];
  return sum;
}

// ------------------------------------------------------------------- the microscope

/** The numbers of one sub-layer, with the matrices of one of its heads. @type {Question} */
export function microscopeHead(explainer, request, args) {
  const trace = traceOf(explainer, request);
  const kind = args.choice("kind", KINDS);
  const { layers, heads } = trace.attention[kind];
  const layer = args.whole("layer", 0, layers - 1);
  const head = args.whole("head", 0, heads - 1);
  const part = attentionSubLayer(explainer, trace, kind, layer);
  return {
    ...packedLayer(explainer, part, layer, args.flag("matrix")),
    ...projections(explainer, part, layer, head),
  };
}

const joined = (/** @type {Float32Array[]} */ rows) =>
  Float32Array.from(rows.flatMap((row) => [...row]));

const NAMES = { encoder_self: "encoder", decoder_self: "decoder", cross: "decoder" };
const pathOf = (/** @type {AttentionPart} */ { kind }, /** @type {number} */ layer) =>
  `${NAMES[kind]}.${layer}.${kind === "cross" ? "cross" : "self"}_attention`;

/** @param {Explainer} explainer @param {AttentionPart} part @param {number} layer
 * @param {boolean} matrix whether W_o is wanted */
function packedLayer({ network }, part, layer, matrix) {
  const { maps, record, output } = part;
  const { heads, queries, keys, mask } = maps;
  const path = pathOf(part, layer);
  /** @type {Record<string, ArrayLike<number>>} */
  const arrays = {
    entering: part.before,
    x: part.x,
    memory: part.memory,
    q: byHead(record.queries, heads, queries),
    k: byHead(joined(record.keys), heads, keys),
    v: byHead(joined(record.values), heads, keys),
    b_o: network.shift(`${path}.output`, part.gamma.length),
    output,
    gamma: part.gamma,
    beta: part.beta,
    after: part.after,
    weights_masked: record.weights.filter((_, cell) => !mask[cell % (queries * keys)]),
  };
  if (record.bias) arrays.bias = record.bias;
  if (matrix) arrays.w_o = transposed(network.tensor(`${path}.output.weight`));
  const packed = Object.entries(arrays).map(([name, array]) => [name, single(array)]);
  const { scale, off, pre, eps, rms, kept } = part;
  return {
    heads, queries, keys, d_model: output.length / queries, scale, off, pre, eps, rms, kept,
    mask: pack(mask),
    ...Object.fromEntries(packed),
  }; // biome-ignore format: names
}

/** One head's columns of the three matrices for its queries, keys and values.
 * @param {Explainer} explainer @param {AttentionPart} part @param {number} layer
 * @param {number} head */
function projections({ network }, part, layer, head) {
  const path = pathOf(part, layer);
  const names = { q: "query", k: "key", v: "value" };
  const found = Object.entries(names).flatMap(([letter, name]) => {
    const { shape, data } = network.tensor(`${path}.${name}.weight`);
    const size = shape[0] / part.maps.heads;
    const own = data.subarray(head * size * shape[1], (head + 1) * size * shape[1]);
    const bias = network
      .shift(`${path}.${name}`, shape[0])
      .subarray(head * size, (head + 1) * size);
    return [
      [`w_${letter}`, single(transposed({ shape: [size, shape[1]], data: own }))],
      [`b_${letter}`, single(bias)],
    ];
  });
  return Object.fromEntries(found);
}

// ------------------------------------------------------------------- positions and dropout

const MAX_ROWS = 64; // of a table of positions that is sent

/** The input of each stack's first layer: embeddings, positions and their sums. @type {Question} */
export function positions(explainer, request) {
  const { config } = explainer.network;
  const trace = traceOf(explainer, request);
  const [source, target] = [inputs(explainer, trace, "source"), inputs(explainer, trace, "target")];
  const packed = (/** @type {any} */ { count, tokens, positions: places, sum }) => ({
    tokens: count,
    embedding: pack(tokens),
    position: pack(places),
    sum: pack(sum),
  });
  const { base, layouts, reach } = explainer.facts.constants.positions;
  return {
    base,
    layout: source.layout,
    d_model: config.d_model,
    scale: source.scale,
    normed: config.embedding_norm !== "none",
    own: layouts.includes(source.layout)
      ? null
      : ownPositions(explainer.network, Math.max(reach, source.count - 1, target.count - 1)),
    source: packed(source),
    target: packed(target),
  };
}

/** What a model has in place of the paper's waves; null if nothing.
 * @param {Explainer["network"]} network @param {number} reach of its biases by distance */
function ownPositions(network, reach) {
  const kind = positionKind(network.config);
  const bySide = (/** @type {(side: "source"|"target") => any} */ make) => ({
    source: make("source"),
    target: make("target"),
  });
  if (kind === "relative") {
    const tables = bySide((side) =>
      network.distanceTables(side === "source" ? "encoder" : "decoder"),
    );
    return {
      kind: "distance",
      reach,
      count: network.config.distance_buckets,
      heads: bySide((side) => tables[side][0].shape[1]),
      buckets: bySide((side) => single(bucketsOf(network.config, side === "source", reach))),
      ...bySide((side) => pack(joined(tables[side].map((/** @type {any} */ one) => one.data)))),
    };
  }
  if (kind === "none") return null;
  const rows = Math.min(MAX_ROWS, network.config.max_positions);
  return { kind: "table", rows, ...bySide((side) => pack(network.positionRows(side, rows))) };
}

/** The first numbers of a source token's input. @type {Question} */
export function dropout(explainer, request, args) {
  const [state] = statesOf(traceOf(explainer, request), "encoder");
  const size = explainer.network.config.d_model;
  const source = args.whole("source", 0, state.length / size - 1);
  return { values: single(state.slice(source * size, source * size + DROPPED)), of: size };
}
