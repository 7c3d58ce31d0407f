// A score without a part of its key: the network run again, with the part never written. The twin
// of model/labs/removal.py, which says what that means.

import { Edits } from "../edits.js";
import { dot } from "../linear.js";
import { inputs, KIND_OF, NAMES } from "./dissect.js";

/** @typedef {Pick<import("./explainer.js").Explainer, "network">} Explainer */
/** @typedef {import("./explainer.js").Pass} Pass */
/** @typedef {import("../edits.js").Kind} Kind */
/** @typedef {import("../edits.js").Stack} Stack */
/** @typedef {{kind: Kind, layer: number}} Place of an attention */

/**
 * The score of a cell, or the difference of two, in a run without some parts of its keys.
 * @param {Explainer} explainer @param {Pass} trace @param {import("./looks.js").Cell} cell
 * @param {string[]} parts
 */
export function scoreWithout(explainer, trace, cell, parts) {
  const { kind, layer, head, row, column, against = null } = cell;
  const { network } = explainer;
  const columns = against === null ? [column] : [column, against];
  const stack = kind === "decoder_self" ? "decoder" : "encoder";
  const { inside, read } = new Rerun(explainer, trace, { stack, columns, parts }).reads(cell);
  const path = pathOf(cell);
  const query = network.project(`${path}.query`, rowOf(network, inside, row));
  const { heads, queries, keys, scaling } = trace.attention[kind];
  const size = query.length / heads;
  const at = head * size;
  const { bias: distances } = trace.records[kind][layer];
  const scores = columns.map((place) => {
    const key = network.project(`${path}.key`, rowOf(network, read, place));
    if (parts.includes("bias")) subtract(key, 0, network.shift(`${path}.key`, key.length));
    const product = dot(query, at, key, at, size) / (scaling ? Math.sqrt(size) : 1);
    const isFar = distances !== null && !parts.includes("distance");
    return product + (isFar ? distances[(head * queries + row) * keys + place] : 0);
  });
  return scores[0] - (scores[1] ?? 0);
}

const pathOf = (/** @type {Place} */ { kind, layer }) =>
  `${kind === "encoder_self" ? "encoder" : "decoder"}.${layer}.` +
  `${kind === "cross" ? "cross" : "self"}_attention`;

/** @param {Explainer["network"]} network @param {Float32Array} x @param {number} row */
const rowOf = ({ config: { d_model: D } }, x, row) => x.subarray(row * D, (row + 1) * D);

/** @param {Float32Array} x @param {number} from @param {Float32Array} vector */
function subtract(x, from, vector) {
  for (const [i, one] of vector.entries()) x[from + i] -= one;
}

/** Passes in which some parts of one stack's stream are not written at some of its places. */
class Rerun {
  /** @param {Explainer} explainer @param {Pass} trace
   * @param {{stack: Stack, columns: number[], parts: string[]}} left */
  constructor(explainer, trace, left) {
    this.explainer = explainer;
    this.network = explainer.network;
    this.trace = trace;
    this.left = left;
    this.edits = new Edits(trace.interventions, this.network.config);
  }

  /** The inputs (T, D) of an attention: of its queries, and of its keys.
   * @param {Place} place @returns {{inside: Float32Array, read: Float32Array}} */
  reads({ kind, layer }) {
    const memory = kind === "encoder_self" ? new Float32Array() : this.memory();
    const stack = kind === "encoder_self" ? "encoder" : "decoder";
    const inside = this.run(stack, memory, { kind, layer });
    return { inside, read: kind === "cross" ? memory : inside };
  }

  memory() {
    if (this.left.stack === "decoder") return this.trace.memory;
    const x = this.network.last("encoder", this.run("encoder", new Float32Array(), null));
    return this.less("encoder", "encoder norm bias", x, "encoder_norm");
  }

  /** What the queries of an attention are made of, or the last state of the stack.
   * @param {Stack} stack @param {Float32Array} memory @param {Place|null} until */
  run(stack, memory, until) {
    const { network } = this;
    const { norm, [`n_${stack}_layers`]: layers } = network.config;
    const first = this.firstOf(stack, until?.layer ?? layers);
    let x = first === 0 ? this.embedded(stack) : this.trace[stack].states[first];
    for (let layer = first; layer < layers; layer += 1) {
      for (const name of [...Object.keys(KIND_OF[stack]), "feed_forward"]) {
        const path = `${stack}.${layer}.${name}`;
        const place = `${stack} ${layer + 1} ${NAMES[name]}`;
        const kind = KIND_OF[stack][name];
        const [biasOf, beta] = [`${place} norm bias`, `${path}_residual.norm`];
        const inside = network.enter(path, x);
        if (until && kind === until.kind && layer === until.layer)
          return norm === "pre" ? this.less(stack, biasOf, inside, beta) : inside;
        const at = { stack, layer, kind, path, place };
        x = kind ? this.attended(at, x, inside, memory) : this.fedForward(at, x);
        if (norm === "post") x = this.less(stack, biasOf, x, beta);
      }
    }
    return x;
  }

  /** The first layer in which something differs: what is below it is the record's, and is not
   * computed again. @param {Stack} stack @param {number} last layer that is needed */
  firstOf(stack, last) {
    const { parts, stack: own } = this.left;
    if (stack !== own || parts.some((one) => /^(embedding|position)/.test(one))) return 0;
    const layers = parts.map((one) => Number(one.split(" ")[1]) - 1); // NaN: of no layer
    return Math.min(last, ...layers.filter((one) => one >= 0));
  }

  /** @param {Stack} stack */
  embedded(stack) {
    const side = stack === "encoder" ? "source" : "target";
    const given = inputs(this.explainer, this.trace, side);
    const [tokens, positions] = [given.tokens, given.positions];
    if (this.isOut(stack, "embedding")) this.clear(tokens);
    if (this.isOut(stack, "position")) this.clear(positions);
    const x = this.network.join(side, tokens, positions);
    return this.less(stack, "embedding norm bias", x, `embedding.${side}_norm`);
  }

  /** @param {{stack: Stack, layer: number, kind: Kind, path: string, place: string}} at
   * @param {Float32Array} x @param {Float32Array} inside @param {Float32Array} memory */
  attended({ stack, layer, kind, path, place }, x, inside, memory) {
    const { network, trace, left } = this;
    const own = this.edits.attention(kind, layer);
    const off = own.kept.map((_, head) => this.isOut(stack, `${place} ${head + 1}`));
    const transplanted = (/** @type {Float32Array} */ context) => {
      const width = (context.length / x.length) * network.config.d_model;
      const size = width / off.length;
      for (const at of left.columns)
        for (const [head, isOff] of off.entries())
          if (isOff) context.fill(0, at * width + head * size, at * width + (head + 1) * size);
      return context;
    };
    const memories = [network.remembered(path, kind === "cross" ? memory : inside)];
    const { mask, bias } = trace.records[kind][layer];
    const before = own.isOff ? x : this.less(stack, `${place} bias`, x, `${path}.output`);
    const edit = { ...own, transplanted };
    return network.attend(path, before, inside, memories, mask, bias, edit).x;
  }

  /** @param {{stack: Stack, path: string, place: string}} at @param {Float32Array} x */
  fedForward({ stack, path, place }, x) {
    const { network } = this;
    const after = network.feedForward(path, x);
    if (!this.isOut(stack, place)) return after;
    const { d_model: D } = network.config;
    for (const at of this.left.columns)
      after.set(network.leave(path, rowOf(network, x, at), new Float32Array(D)), at * D);
    return after;
  }

  /** @param {Stack} stack @param {string} part */
  isOut(stack, part) {
    return stack === this.left.stack && this.left.parts.includes(part);
  }

  /** x without the bias of a norm or a map at the places, if that part is left out.
   * @param {Stack} stack @param {string} part @param {Float32Array} x @param {string} path */
  less(stack, part, x, path) {
    if (!this.isOut(stack, part)) return x;
    const { d_model: D } = this.network.config;
    const y = x.slice();
    for (const at of this.left.columns) subtract(y, at * D, this.network.shift(path, D));
    return y;
  }

  /** @param {Float32Array} x */
  clear(x) {
    const { d_model: D } = this.network.config;
    for (const at of this.left.columns) x.fill(0, at * D, (at + 1) * D);
  }
}
