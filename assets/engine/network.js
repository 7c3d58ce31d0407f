// The network, in the order of "Attention Is All You Need" (Vaswani et al. 2017), the twin of
// model/transformer.py. Each pass returns its record; nothing is stored.
//
// Numbers are float32, sums of products are added in double precision. A matrix is a flat array,
// row by row. Axis letters: S source, T target, D d_model, H heads, Q queries, K keys,
// V vocabulary.

import { sinusoids } from "../kit/sinusoids.js";
import { ACTIVATIONS } from "./activations.js";
import { attention, causalMask, longer, repeated, rowsOf } from "./attention.js";
import { distanceBias } from "./distances.js";
import { layerNorm, linear, rmsNorm } from "./linear.js";
import { Refusal } from "./refusal.js";

/** @typedef {import("./weights.js").Tensor} Tensor */
/** @typedef {import("./edits.js").Edits} Edits */
/** @typedef {import("./attention.js").Attention} Attention */
/** @typedef {import("./attention.js").Memory} Memory */

/**
 * @typedef {any} Config the fields of `ModelConfig` in model/config.py
 *
 * @typedef {object} Stack one pass through a stack
 * @property {Float32Array[]} states embedding + position, then each layer's output
 * @property {Attention[]} self
 * @property {Attention[]} cross empty in the encoder
 *
 * @typedef {object} State the state of step-by-step decoding
 * @property {Memory[]} memory of each layer; all hypotheses share it
 * @property {Uint8Array|null} mask (S), 1 = may be read; null: everything
 * @property {Memory[][]} past of each hypothesis, of each layer
 * @property {number} length target tokens read so far
 */

/** The supported options of a model beyond its sizes; anything else is refused. */
const KNOWN = {
  norm: ["post", "pre", "none"],
  activation: Object.keys(ACTIVATIONS),
  sinusoids: ["interleaved", "halves", "fairseq", "none"],
  positions: ["sinusoids", "learned", "relative", "none"],
  norm_kind: ["layer", "rms"],
  embedding_norm: ["none", "sum", "target_token"],
};

/** The defaults of a config.json, as in model/config.py. */
const DEFAULTS = {
  norm: "post",
  activation: "relu",
  sinusoids: "interleaved",
  output_bias: false,
  causal_mask: true,
  residual: true,
  scaling: true,
  tied: true,
  src_vocab_size: 0,
  decoder_d_ff: 0,
  decoder_heads: 0,
  scale_embedding: true,
  positions: "sinusoids",
  position_offset: 0,
  counts_padding: true,
  embedding_norm: "none",
  distance_buckets: 32,
  max_distance: 128,
  distances_by_layer: false,
  norm_kind: "layer",
  norm_eps: 1e-5,
  gated: false,
  biases: true,
  head_size: 0,
  scale_output: false,
};

/** Of these, those that the paper's network and Marian's have at their defaults. */
const FOREIGN = ["positions", "position_offset", "counts_padding", "embedding_norm"];
FOREIGN.push("distance_buckets", "max_distance", "distances_by_layer", "norm_kind", "norm_eps");
FOREIGN.push("gated", "biases", "head_size", "scale_output");

// ------------------------------------------------------------------- the whole, 3.1

/** A network of these weights: `encode`, `start`, `decode`, `logits`. */
export class Network {
  /** @param {Config} given the fields of config.json @param {Map<string, Tensor>} weights */
  constructor(given, weights) {
    /** @type {Config} */
    this.config = { ...DEFAULTS, ...given };
    checkKnown(this.config);
    this.weights = weights;
    this.waves = this.config.positions === "sinusoids" ? waves(this.config) : null;
  }

  /** The fields to show; those of other families only where they differ from the paper's. */
  get shown() {
    /** @type {Record<string, any>} */
    const usual = DEFAULTS;
    const isUsual = (/** @type {string} */ name) =>
      FOREIGN.includes(name) && this.config[name] === usual[name];
    return Object.fromEntries(Object.entries(this.config).filter(([name]) => !isUsual(name)));
  }

  /** Runs the source through the encoder: figure 1 on the left.
   * @param {number[]} given ids, without padding @param {Edits} edits
   * @returns {{ids: number[], memory: Float32Array, mask: Uint8Array|null, record: Stack}} */
  encode(given, edits) {
    const ids = edits.source(given);
    const visible = Uint8Array.from(ids, (id) => (id === this.config.pad_id ? 0 : 1));
    const all = repeated(visible, ids.length);
    const mask = edits.mask("encoder_self", all, 0, ids.length, ids.length);

    const places = edits.positions("source", 0, ids.length, given.length);
    let x = edits.state("encoder", 0, () => this.embed("source", ids, places));
    const bias = this.biases("encoder", places, 0);
    /** @type {Stack} */
    const record = { states: [x], self: [], cross: [] };
    for (let layer = 0; layer < this.config.n_encoder_layers; layer += 1) {
      const before = x;
      const made = () => this.encoderLayer(layer, before, mask, bias(layer), edits, record);
      x = edits.state("encoder", layer + 1, made);
      record.states.push(x);
    }
    const isPadded = ids.length > given.length;
    return { ids, memory: this.last("encoder", x), mask: isPadded ? visible : null, record };
  }

  /** Self-attention, then feed-forward.
   * @param {number} layer @param {Float32Array} x @param {Uint8Array|null} mask
   * @param {Float32Array|null} bias @param {Edits} edits @param {Stack} record */
  encoderLayer(layer, x, mask, bias, edits, record) {
    const name = `encoder.${layer}.self_attention`;
    const inside = this.enter(name, x);
    const memories = [this.remembered(name, inside)];
    const edit = edits.attention("encoder_self", layer);
    const found = this.attend(name, x, inside, memories, mask, bias, edit);
    record.self.push(found.record);
    return this.feedForward(`encoder.${layer}.feed_forward`, found.x);
  }

  /** The state before the first target token: the memory's keys and values, once per layer.
   * @param {Float32Array} memory @param {Uint8Array|null} mask @returns {State} */
  start(memory, mask) {
    const layers = Array.from({ length: this.config.n_decoder_layers }, (_, i) => i);
    const own = layers.map((i) => this.remembered(`decoder.${i}.cross_attention`, memory));
    return { memory: own, mask, past: [], length: 0 };
  }

  /** Reads the next tokens of each hypothesis: many of one, or one of each. Figure 1 on the right.
   * @param {number[][]} tokens the same number for each @param {State} state @param {Edits} edits
   * @returns {{x: Float32Array, state: State, record: Stack}} `record` is of the first hypothesis
   */
  decode(tokens, state, edits) {
    const count = tokens[0].length;
    const [from, end] = [state.length, state.length + count];
    const future = count > 1 && this.config.causal_mask ? causalMask(from, count) : null;
    const own = edits.mask("decoder_self", future, from, count, end);
    const read = state.mask && repeated(state.mask, count);
    const cross = edits.mask("cross", read, from, count, state.memory[0].keys.length);

    const places = edits.positions("target", from, count, end);
    let x = edits.state("decoder", 0, () => this.embed("target", tokens.flat(), places));
    const bias = this.biases("decoder", edits.positions("target", 0, end, end), from);
    /** @type {Stack} */
    const record = { states: [x], self: [], cross: [] };
    const past = tokens.map(() => /** @type {Memory[]} */ ([]));
    for (let layer = 0; layer < this.config.n_decoder_layers; layer += 1) {
      const [before, added] = [x, { own, cross, bias: bias(layer) }];
      const made = () => this.decoderLayer(layer, before, count, state, past, added, edits, record);
      x = edits.state("decoder", layer + 1, made);
      record.states.push(x);
    }
    return { x: this.last("decoder", x), state: { ...state, past, length: end }, record };
  }

  /** Masked self-attention, then cross-attention over the memory, then feed-forward.
   * @param {number} layer @param {Float32Array} x @param {number} count @param {State} state
   * @param {Memory[][]} past of each hypothesis, to which this layer's is added
   * @param {{own: Uint8Array|null, cross: Uint8Array|null, bias: Float32Array|null}} added the
   * masks, and what is added to the scores of the first attention
   * @param {Edits} edits @param {Stack} record */
  decoderLayer(layer, x, count, state, past, added, edits, record) {
    let name = `decoder.${layer}.self_attention`;
    let inside = this.enter(name, x);
    const fresh = this.remembered(name, inside);
    past.forEach((layers, i) => {
      layers[layer] = longer(state.past[i]?.[layer], fresh, i * count, count);
    });
    const memories = past.map((layers) => layers[layer]);
    let edit = edits.attention("decoder_self", layer);
    let found = this.attend(name, x, inside, memories, added.own, added.bias, edit);
    record.self.push(found.record);

    name = `decoder.${layer}.cross_attention`;
    inside = this.enter(name, found.x);
    const shared = past.map(() => state.memory[layer]);
    edit = edits.attention("cross", layer);
    found = this.attend(name, found.x, inside, shared, added.cross, null, edit);
    record.cross.push(found.record);

    return this.feedForward(`decoder.${layer}.feed_forward`, found.x);
  }

  /** The scores of all tokens, before softmax: (rows, D) -> (rows, V). @param {Float32Array} x */
  logits(x) {
    const name = this.config.tied ? "embedding.token.weight" : "output.weight";
    const bias = this.config.output_bias ? this.tensor("output_bias").data : null;
    return linear(this.readOut(x), this.tensor(name), bias);
  }

  /** The last vectors as the output's map reads them. @param {Float32Array} x */
  readOut(x) {
    const factor = Math.fround(this.outputScale);
    return this.config.scale_output ? x.map((one) => one * factor) : x;
  }

  /** The factor of the last vectors before the output's matrix. */
  get outputScale() {
    return this.config.scale_output ? this.config.d_model ** -0.5 : 1;
  }

  /** What each layer's self-attention adds to its scores, (H, Q, K); null if positions are
   * vectors. The twin of `biases` of model/transformer.py.
   * @param {"encoder"|"decoder"} stack @param {(number|null)[]} places of the keys
   * @param {number} from the first query among them
   * @returns {(layer: number) => Float32Array|null} */
  biases(stack, places, from) {
    if (this.config.positions !== "relative" || places[0] === null) return () => null;
    const keys = /** @type {number[]} */ (places);
    const given = this.distanceTables(stack).map((table) =>
      distanceBias(table, this.config, stack === "encoder", keys.slice(from), keys),
    );
    return (layer) => given[layer % given.length];
  }

  /** The tables of biases (buckets, H) of a stack: one, or one for each layer.
   * @param {"encoder"|"decoder"} stack */
  distanceTables(stack) {
    const count = this.config.distances_by_layer ? this.config[`n_${stack}_layers`] : 1;
    return Array.from({ length: count }, (_, layer) =>
      this.tensor(`${stack}_distances.${layer}.table.weight`),
    );
  }

  /** The position vectors of the first tokens of a side (count, D).
   * @param {import("./edits.js").Side} side @param {number} count */
  positionRows(side, count) {
    const { d_model: D, position_offset: offset, positions: kind } = this.config;
    const isLearned = kind === "learned";
    const table = isLearned ? this.tensor(`embedding.${side}_positions.weight`).data : this.waves;
    return table?.slice(offset * D, (offset + count) * D) ?? new Float32Array(count * D);
  }

  // ------------------------------------------------------------------------------- sub-layers

  /** The input of a stack, sections 3.4 and 3.5; see `join` of model/embedding.py.
   * @param {import("./edits.js").Side} side @param {number[]} ids
   * @param {(number|null)[]} places of the tokens of each hypothesis */
  embed(side, ids, places) {
    const { tokens, positions } = this.vectors(side, ids, places);
    return this.join(side, tokens, positions);
  }

  /** @param {import("./edits.js").Side} side @param {Float32Array} tokens
   * @param {Float32Array} positions */
  join(side, tokens, positions) {
    const how = this.config.embedding_norm;
    const norm = `embedding.${side}_norm`;
    const isFirst = this.normsToken(side);
    const own = isFirst ? this.norm(norm, tokens) : tokens;
    const x = own.map((one, i) => one + positions[i]);
    return how === "none" || isFirst ? x : this.norm(norm, x);
  }

  /** True if the norm is on the token vectors, before positions are added.
   * @param {import("./edits.js").Side} side */
  normsToken(side) {
    return this.config.embedding_norm === "target_token" && side === "target";
  }

  /** The factor of a side's token vectors; 1 where a norm reads them alone.
   * @param {import("./edits.js").Side} side */
  scaleOf(side) {
    const { scale_embedding: isScaled, d_model: D } = this.config;
    return isScaled && !this.normsToken(side) ? Math.sqrt(D) : 1;
  }

  /** Token vectors and position vectors, the parts of a stack's input.
   * @param {import("./edits.js").Side} side @param {number[]} ids
   * @param {(number|null)[]} places of the tokens of each hypothesis
   * @returns {{tokens: Float32Array, positions: Float32Array}} */
  vectors(side, ids, places) {
    const { d_model: D, position_offset: offset } = this.config;
    const isApart = side === "source" && this.config.src_vocab_size > 0;
    const { data } = this.tensor(isApart ? "embedding.source.weight" : "embedding.token.weight");
    const isLearned = this.config.positions === "learned";
    const table = isLearned ? this.tensor(`embedding.${side}_positions.weight`).data : this.waves;
    const scale = Math.fround(this.scaleOf(side));
    const tokens = new Float32Array(ids.length * D);
    const positions = new Float32Array(ids.length * D);
    const counted = this.counted(ids, places);
    ids.forEach((id, row) => {
      const place = counted[row];
      for (let i = 0; i < D; i += 1) tokens[row * D + i] = data[id * D + i] * scale;
      if (place !== null && table)
        positions.set(table.subarray((place + offset) * D, (place + offset + 1) * D), row * D);
    });
    return { tokens, positions };
  }

  /** The place of each token; padding has none where the model does not count it.
   * @param {number[]} ids @param {(number|null)[]} places of the tokens of each hypothesis */
  counted(ids, places) {
    const all = ids.map((_, row) => places[row % places.length]);
    if (this.config.counts_padding) return all;
    let count = 0;
    return ids.map((id, row) => {
      if (row % places.length === 0) count = 0;
      return id === this.config.pad_id ? null : places[count++];
    });
  }

  /** An attention sub-layer over x, in which each hypothesis reads its own memory.
   * @param {string} name @param {Float32Array} x @param {Float32Array} inside the input of its
   * queries
   * @param {Memory[]} memories @param {Uint8Array|null} mask @param {Float32Array|null} bias
   * @param {ReturnType<Edits["attention"]>} edit
   * @returns {{x: Float32Array, record: Attention}} */
  attend(name, x, inside, memories, mask, bias, edit) {
    const queries = this.project(`${name}.query`, inside);
    const context = new Float32Array(queries.length);
    const size = queries.length / memories.length;
    const weights = memories.map((memory, i) => {
      const own = attention(queries.subarray(i * size, (i + 1) * size), memory, mask, edit, bias);
      context.set(own.context, i * size);
      return own.weights;
    });
    const output = this.project(`${name}.output`, edit.transplanted(context));
    if (edit.isOff) output.fill(0);
    const [{ keys, values }] = memories;
    const record = { weights: weights[0], queries, keys, values, mask, bias };
    return { x: this.leave(name, x, output), record };
  }

  /**
   * The keys and values of an attention. @param {string} name @param {Float32Array} x @returns
   * {Memory}
   */
  remembered(name, x) {
    const [keys, values] = ["key", "value"].map((part) => this.project(`${name}.${part}`, x));
    const width = (keys.length / x.length) * this.config.d_model;
    return { keys: rowsOf(keys, width), values: rowsOf(values, width) };
  }

  /** Two linear maps with a non-linearity between, section 3.3.
   * @param {string} name @param {Float32Array} x */
  feedForward(name, x) {
    const inner = this.units(name, this.enter(name, x));
    return this.leave(name, x, this.project(`${name}.outer`, inner));
  }

  /** The inner units; in a gated layer each is multiplied by a second map of x.
   * @param {string} name @param {Float32Array} x */
  units(name, x) {
    const units = this.project(`${name}.inner`, x);
    const activation = ACTIVATIONS[this.config.activation];
    for (let i = 0; i < units.length; i += 1) units[i] = activation(units[i]);
    if (!this.config.gated) return units;
    const factor = this.project(`${name}.factor`, x);
    return units.map((one, i) => one * factor[i]);
  }

  /**
   * The input of a sub-layer: sections 3.1 and 5.4. @param {string} name @param {Float32Array} x
   */
  enter(name, x) {
    return this.config.norm === "pre" ? this.norm(`${name}_residual.norm`, x) : x;
  }

  /** The output of a sub-layer, added to the residual. @param {string} name @param {Float32Array} x
   * @param {Float32Array} output */
  leave(name, x, output) {
    const y = this.config.residual ? x.map((one, i) => one + output[i]) : output;
    return this.config.norm === "post" ? this.norm(`${name}_residual.norm`, y) : y;
  }

  /** The end of a stack. @param {string} stack @param {Float32Array} x */
  last(stack, x) {
    return this.config.norm === "pre" ? this.norm(`${stack}_norm`, x) : x;
  }

  /** @param {string} name @param {Float32Array} x */
  project(name, x) {
    const bias = this.config.biases ? this.tensor(`${name}.bias`).data : null;
    return linear(x, this.tensor(`${name}.weight`), bias);
  }

  /** @param {string} name @param {Float32Array} x */
  norm(name, x) {
    const { norm_kind: kind, norm_eps: eps, biases } = this.config;
    const gamma = this.tensor(`${name}.weight`).data;
    if (kind === "rms") return rmsNorm(x, gamma, eps);
    return layerNorm(x, gamma, biases ? this.tensor(`${name}.bias`).data : null, eps);
  }

  /** What a map or a norm adds; zeros if it adds nothing.
   * @param {string} name @param {number} size */
  shift(name, size) {
    return this.weights.get(`${name}.bias`)?.data ?? new Float32Array(size);
  }

  /** @param {string} name */
  tensor(name) {
    const found = this.weights.get(name);
    if (!found) throw new Refusal(`The file of weights has no ${name}; download it again.`);
    return found;
  }
}

/** The sinusoids (P, D), as float32. @param {Config} config */
function waves({ max_positions: most, position_offset: offset, d_model: size, sinusoids: layout }) {
  const length = most + offset;
  if (layout === "none") return new Float32Array(length * size);
  return Float32Array.from(sinusoids(length, { size, base: 10_000, layout }));
}

/** Fields that a network of these sizes has besides those with defaults; dropout is of training. */
const SIZES = ["vocab_size", "d_model", "n_heads", "d_ff", "n_encoder_layers", "n_decoder_layers"];
SIZES.push("max_positions", "pad_id", "start_id", "end_id", "dropout", "attention_dropout");

function checkKnown(/** @type {Config} */ config) {
  const unknown = Object.keys(config).find((name) => !(name in DEFAULTS) && !SIZES.includes(name));
  if (unknown) throw new Refusal(`This model has a ${unknown}, which the browser does not know.`);
  for (const [name, choices] of Object.entries(KNOWN)) {
    if (!choices.includes(config[name]))
      throw new Refusal(
        `This model has the ${name} ${config[name]}; the browser knows ${choices.join(", ")}.`,
      );
  }
}
