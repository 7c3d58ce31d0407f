// Why this token and not another: the difference of two logits as an exact sum, and what goes with
// each head of the decoder. The twin of model/labs/why/, which describes the parts.

import { Edits } from "../edits.js";
import { dot } from "../linear.js";
import { backThroughNorm, inputs, normOf, statesOf, summands } from "./dissect.js";
import { token } from "./explainer.js";
import { MAX_WRITTEN, refusal } from "./request.js";

/** @typedef {import("./explainer.js").Question} Question */
/** @typedef {import("./explainer.js").Explainer} Explainer */
/** @typedef {import("./explainer.js").Pass} Pass */
/** @typedef {import("./dissect.js").AttentionPart} AttentionPart */
/** @typedef {import("./dissect.js").Norm} Norm */
/** @typedef {import("../edits.js").Kind} Kind */

/** The row of the decoder, and the token written there less another.
 * @typedef {{trace: Pass, step: number, chosen: number, rival: number}} Choice */

const KINDS = /** @type {const} */ (["decoder_self", "cross"]);

/** @param {Explainer} explainer @param {import("./request.js").Request} request
 * @param {import("./request.js").Arguments} args @returns {Choice} */
function choiceOf(explainer, request, args) {
  const step = args.whole("step", 0, MAX_WRITTEN - 1);
  const rival = args.whole("rival", 0, explainer.network.config.vocab_size - 1);
  const { trace } = explainer.explain(request);
  const chosen = trace.written.ids[step];
  if (chosen === undefined || chosen === rival) throw refusal("error.request");
  return { trace, step, chosen, rival };
}

/** The difference of the two logits as a sum of parts. @type {Question} */
export function why(explainer, request, args) {
  const choice = choiceOf(explainer, request, args);
  const { network } = explainer;
  const found = split(explainer, choice);
  const difference = differenceOf(network, choice, rowOf(choice.trace.top, choice, network));
  const heads = KINDS.flatMap((kind) => found[kind].flat(2));
  const all = [...heads, ...found.feed_forward, ...found.biases];
  const total = [found.embedding, found.position, found.output_bias, ...all].reduce(
    (a, b) => a + b,
  );
  return { rival: token(explainer, choice.rival), difference, left: difference - total, ...found };
}

/** What goes with each head of the decoder: (layer, head) of both kinds. @type {Question} */
export function whyOff(explainer, request, args) {
  const choice = choiceOf(explainer, request, args);
  const { network } = explainer;
  const { trace } = choice;
  if (!network.config.residual) throw refusal("error.model.no_parts");
  const given = trace.interventions;
  const source = trace.src.ids.slice(0, trace.src.ids.length - given.padding);
  const { memory, mask } = network.encode(source, new Edits(given, network.config));
  const state = network.start(memory, mask);
  const before = differenceOf(network, choice, rowOf(trace.top, choice, network));
  const without = (/** @type {Kind} */ kind, /** @type {number} */ i, /** @type {number} */ j) => {
    /** @type {typeof given.heads_off} */
    const off = [...given.heads_off, [kind, i, j]];
    const edits = new Edits({ ...given, heads_off: off }, network.config);
    const { x } = network.decode([trace.read.ids], state, edits);
    return before - differenceOf(network, choice, rowOf(x, choice, network));
  };
  const effects = KINDS.map((kind) => {
    const { layers, heads } = trace.attention[kind];
    const ofLayer = (/** @type {number} */ i) =>
      Array.from({ length: heads }, (_, head) => without(kind, i, head));
    return [kind, Array.from({ length: layers }, (_, i) => ofLayer(i))];
  });
  return Object.fromEntries(effects);
}

/** The row of the step in a matrix (T, D). @param {Float32Array} matrix
 * @param {Pick<Choice, "step">} choice @param {Explainer["network"]} network */
const rowOf = (matrix, { step }, { config: { d_model: D } }) =>
  matrix.subarray(step * D, (step + 1) * D);

/** The rows of the output layer's matrix and what it adds, of the written token less the other.
 * @param {Explainer["network"]} network @param {Pick<Choice, "chosen"|"rival">} choice */
function outputOf(network, { chosen, rival }) {
  const { d_model: D, tied, output_bias: hasBias } = network.config;
  const { data } = network.tensor(tied ? "embedding.token.weight" : "output.weight");
  const bias = hasBias ? network.tensor("output_bias").data : null;
  const rows = Float64Array.from(
    { length: D },
    (_, i) => data[chosen * D + i] - data[rival * D + i],
  );
  return { rows, bias: bias === null ? 0 : bias[chosen] - bias[rival] };
}

/** The model's own difference. @param {Explainer["network"]} network
 * @param {Pick<Choice, "chosen"|"rival">} choice @param {Float32Array} row of the last vectors */
export function differenceOf(network, choice, row) {
  const { rows, bias } = outputOf(network, choice);
  return dot(rows, 0, network.readOut(row), 0, rows.length) + bias;
}

/**
 * One layer's share of the difference.
 * @typedef {object} Layer
 * @property {number} biases of the attentions' output maps and of the norms on the stream
 * @property {number} feed_forward
 * @property {number[][]} decoder_self (heads, tokens read) @property {number[][]} cross
 */

/** The parts of the difference. @param {Explainer} explainer @param {Choice} choice */
function split(explainer, choice) {
  const { network } = explainer;
  const { config } = network;
  const { rows, bias } = outputOf(network, choice);
  const back = new Back(rows.map((one) => one * network.outputScale));
  const last = /** @type {Float32Array} */ (statesOf(choice.trace, "decoder").at(-1));
  const isPre = config.norm === "pre";
  const end = isPre
    ? back.through(normOf(network, "decoder_norm"), rowOf(last, choice, network))
    : 0;
  /** @type {Layer[]} */
  const layers = [];
  for (let i = config.n_decoder_layers - 1; i >= 0; i -= 1)
    layers.unshift(layerOf(explainer, choice, i, back));
  const { embedding, position, shift } = inputOf(explainer, choice, back);
  return {
    embedding,
    position,
    output_bias: bias + end + shift,
    feed_forward: layers.map((one) => one.feed_forward),
    biases: layers.map((one) => one.biases),
    decoder_self: layers.map((one) => one.decoder_self),
    cross: layers.map((one) => one.cross),
  };
}

/** A direction of the stream, followed from the output back to the input. */
class Back {
  /** @param {Float64Array} direction */
  constructor(direction) {
    this.direction = direction;
  }

  /** What a vector gives to it. @param {Float32Array} vector */
  of(vector) {
    return dot(this.direction, 0, vector, 0, this.direction.length);
  }

  /** Goes back through the norm of a row, and returns what the norm adds.
   * @param {Norm} norm @param {Float32Array} row */
  through(norm, row) {
    const added = this.of(norm.beta);
    this.direction = backThroughNorm(norm, row, this.direction);
    return added;
  }
}

/** @param {Explainer} explainer @param {Choice} choice @param {number} layer @param {Back} back
 * @returns {Layer} */
function layerOf(explainer, choice, layer, back) {
  const { network } = explainer;
  const row = (/** @type {Float32Array} */ matrix) => rowOf(matrix, choice, network);
  /** @type {Layer} */
  const own = { biases: 0, feed_forward: 0, decoder_self: [], cross: [] };
  for (const part of summands(explainer, choice.trace, "decoder", layer).reverse()) {
    if (network.config.norm === "post") own.biases += back.through(part, row(part.total));
    if ("kind" in part) {
      own[/** @type {"cross"} */ (part.kind)] = byToken(network, part, choice.step, back);
      const { length } = back.direction;
      if (!part.off) own.biases += back.of(network.shift(`${pathOf(part)}.output`, length));
    } else own.feed_forward = back.of(row(part.output));
  }
  return own;
}

const pathOf = (/** @type {AttentionPart} */ { layer, name }) => `decoder.${layer}.${name}`;

/** What each head wrote from each token that it read, (heads, keys): weight times value.
 * @param {Explainer["network"]} network @param {AttentionPart} part @param {number} step
 * @param {Back} back */
function byToken(network, part, step, { direction }) {
  const { data, shape } = network.tensor(`${pathOf(part)}.output.weight`);
  const [out, width] = shape;
  const read = new Float64Array(width); // the direction before the output map
  for (let o = 0; o < out; o += 1)
    for (let i = 0; i < width; i += 1) read[i] += data[o * width + i] * direction[o];
  const { heads, queries, keys } = part.maps;
  const size = width / heads;
  const { weights, values } = part.record;
  return part.kept.map((isKept, head) =>
    Array.from({ length: keys }, (_, key) => {
      if (!isKept || part.off) return 0;
      const at = head * size;
      return weights[(head * queries + step) * keys + key] * dot(read, at, values[key], at, size);
    }),
  );
}

/** What the token, its position and a norm of the two give. @param {Explainer} explainer
 * @param {Choice} choice @param {Back} back */
function inputOf(explainer, choice, back) {
  const { network } = explainer;
  const vectors = inputs(explainer, choice.trace, "target");
  const [token, place] = [vectors.tokens, vectors.positions].map((one) =>
    rowOf(one, choice, network),
  );
  const isAlone = network.normsToken("target");
  if (network.config.embedding_norm === "none")
    return { embedding: back.of(token), position: back.of(place), shift: 0 };
  const before = back.of(place);
  const norm = normOf(network, "embedding.target_norm");
  const shift = back.through(norm, isAlone ? token : token.map((one, i) => one + place[i]));
  return { embedding: back.of(token), position: isAlone ? before : back.of(place), shift };
}
