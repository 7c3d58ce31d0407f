// The network, in the order of "Attention Is All You Need" (Vaswani et al. 2017), as
// model/transformer.py has it. Each pass returns its record; nothing is stored.
//
// Numbers are float32, sums of products are added in double precision. A matrix is a flat array,
// row by row. Axis letters: S source, T target, D d_model, H heads, Q queries, K keys,
// V vocabulary.

import { sinusoids } from "../kit/sinusoids.js";
import { Refusal } from "./refusal.js";

/** @typedef {import("./weights.js").Tensor} Tensor */
/** @typedef {import("./edits.js").Edits} Edits */

/**
 * @typedef {any} Config the fields of `ModelConfig` in model/config.py
 *
 * @typedef {object} Attention the record of one sub-layer, all heads
 * @property {Float32Array} weights (H, Q, K)
 * @property {Float32Array} queries (Q, D), the heads side by side
 * @property {Float32Array[]} keys K vectors (D)
 * @property {Float32Array[]} values
 * @property {Uint8Array|null} mask (Q, K), 1 = may read; null: everything
 *
 * @typedef {object} Stack one pass through a stack
 * @property {Float32Array[]} states embedding + position, then each layer's output
 * @property {Attention[]} self
 * @property {Attention[]} cross empty in the encoder
 *
 * @typedef {{keys: Float32Array[], values: Float32Array[]}} Memory vectors (D) of one layer
 *
 * @typedef {object} State what step-by-step decoding carries along
 * @property {Memory[]} memory of each layer; all hypotheses share it
 * @property {Uint8Array|null} mask (S), 1 = may be read; null: everything
 * @property {Memory[][]} past of each hypothesis, of each layer
 * @property {number} length target tokens read so far
 */

export const EPSILON = 1e-5; // of LayerNorm

/** What a model may have beyond the sizes; anything else is refused. */
const KNOWN = {
  norm: ["post", "pre", "none"],
  activation: ["relu", "swish"],
  sinusoids: ["interleaved", "halves", "none"],
};

/** What a config.json may leave out, as in model/config.py. */
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
};

// ------------------------------------------------------------------- products

const CHUNK = 64; // rows of a weight that stay in the cache while all inputs meet them

/**
 * x W^T + b: (rows, in) -> (rows, out). Two rows of the weight meet four inputs at once, which are
 * doubles: the fastest of five ways, as each number is loaded and converted for several products.
 * @param {Float32Array} x @param {Tensor} weight (out, in) @param {Float32Array|null} bias
 */
export function linear(x, { shape: [out, width], data }, bias) {
  const rows = x.length / width;
  const y = new Float32Array(rows * out);
  const exact = Float64Array.from(x);
  for (let start = 0; start < out; start += CHUNK) {
    const end = Math.min(out, start + CHUNK);
    let row = 0;
    for (; row + 4 <= rows; row += 4) fourRows(exact, row, data, start, end, width, out, y);
    for (; row < rows; row += 1) oneRow(exact, row, data, start, end, width, out, y);
  }
  if (bias) for (let i = 0; i < y.length; i += 1) y[i] += bias[i % out];
  return y;
}

function fourRows(x, row, data, start, end, width, out, y) {
  const first = row * width;
  const second = first + width;
  const third = second + width;
  const fourth = third + width;
  for (let o = start; o < end; o += 2) {
    const base = o * width;
    const next = o + 1 < end ? base + width : base; // of an odd number the last one twice
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    let e = 0;
    let f = 0;
    let g = 0;
    let h = 0;
    for (let i = 0; i < width; i += 1) {
      const w = data[base + i];
      const v = data[next + i];
      const p = x[first + i];
      const q = x[second + i];
      const r = x[third + i];
      const s = x[fourth + i];
      a += w * p;
      b += w * q;
      c += w * r;
      d += w * s;
      e += v * p;
      f += v * q;
      g += v * r;
      h += v * s;
    }
    const at = row * out + o;
    const other = row * out + next / width;
    y[other] = e;
    y[other + out] = f;
    y[other + 2 * out] = g;
    y[other + 3 * out] = h;
    y[at] = a;
    y[at + out] = b;
    y[at + 2 * out] = c;
    y[at + 3 * out] = d;
  }
}

function oneRow(x, row, data, start, end, width, out, y) {
  const from = row * width;
  for (let o = start; o < end; o += 1) {
    const base = o * width;
    let a = 0;
    let b = 0;
    for (let i = 0; i < width; i += 2) {
      a += data[base + i] * x[from + i];
      b += data[base + i + 1] * x[from + i + 1];
    }
    y[row * out + o] = a + b;
  }
}

/** @param {Float32Array} x @param {Float32Array} gamma @param {Float32Array} beta */
export function layerNorm(x, gamma, beta) {
  const width = gamma.length;
  const y = new Float32Array(x.length);
  for (let from = 0; from < x.length; from += width) {
    let sum = 0;
    for (let i = 0; i < width; i += 1) sum += x[from + i];
    const mean = sum / width;
    let square = 0;
    for (let i = 0; i < width; i += 1) square += (x[from + i] - mean) ** 2;
    const scale = 1 / Math.sqrt(square / width + EPSILON);
    for (let i = 0; i < width; i += 1)
      y[from + i] = (x[from + i] - mean) * scale * gamma[i] + beta[i];
  }
  return y;
}

// ------------------------------------------------------------------- attention, 3.2

/** Each row of a matrix. @param {Float32Array} x @param {number} width */
const rowsOf = (x, width) =>
  Array.from({ length: x.length / width }, (_, i) => x.subarray(i * width, (i + 1) * width));

/**
 * Scaled dot-product attention, all heads: the weighted sums of values (Q, D), and the weights.
 * Source: section 3.2.1, equation 1.
 * @param {Float32Array} queries (Q, D) @param {Memory} memory @param {Uint8Array|null} mask
 * @param {ReturnType<Edits["attention"]>} edit
 */
function attention(queries, { keys, values }, mask, { kept, scaling }) {
  const heads = kept.length;
  const width = keys[0].length;
  const [rows, size] = [queries.length / width, width / heads];
  const divisor = scaling ? Math.sqrt(size) : 1;
  const weights = new Float32Array(heads * rows * keys.length);
  const context = new Float32Array(queries.length);
  for (let head = 0; head < heads; head += 1) {
    for (let row = 0; row < rows; row += 1) {
      const own = weights.subarray((head * rows + row) * keys.length).subarray(0, keys.length);
      const at = row * width + head * size;
      for (let k = 0; k < keys.length; k += 1) {
        const isHidden = mask !== null && mask[row * keys.length + k] === 0;
        own[k] = isHidden ? -Infinity : dot(queries, at, keys[k], head * size, size) / divisor;
      }
      softmax(own);
      if (kept[head]) weightedSum(own, values, head * size, size, context, at);
    }
  }
  return { context, weights };
}

function dot(x, from, y, at, size) {
  let sum = 0;
  for (let i = 0; i < size; i += 1) sum += x[from + i] * y[at + i];
  return sum;
}

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

// ------------------------------------------------------------------- the whole, 3.1

/** A network of these weights: `encode`, `start`, `decode`, `logits`. */
export class Network {
  /** @param {Config} given the fields of config.json @param {Map<string, Tensor>} weights */
  constructor(given, weights) {
    /** @type {Config} */
    this.config = { ...DEFAULTS, ...given };
    checkKnown(this.config);
    this.weights = weights;
    this.table = positionTable(this.config);
  }

  /** The source through the encoder: figure 1 on the left.
   * @param {number[]} given ids, without padding @param {Edits} edits
   * @returns {{ids: number[], memory: Float32Array, mask: Uint8Array|null, record: Stack}} */
  encode(given, edits) {
    const ids = edits.source(given);
    const visible = Uint8Array.from(ids, (id) => (id === this.config.pad_id ? 0 : 1));
    const all = repeated(visible, ids.length);
    const mask = edits.mask("encoder_self", all, 0, ids.length, ids.length);

    /** @type {Float32Array} */
    let x = this.embed("source", ids, edits.positions("source", 0, ids.length, given.length));
    /** @type {Stack} */
    const record = { states: [x], self: [], cross: [] };
    for (let layer = 0; layer < this.config.n_encoder_layers; layer += 1) {
      x = this.encoderLayer(layer, x, mask, edits, record);
      record.states.push(x);
    }
    const isPadded = ids.length > given.length;
    return { ids, memory: this.last("encoder", x), mask: isPadded ? visible : null, record };
  }

  /** Self-attention, then feed-forward.
   * @param {number} layer @param {Float32Array} x @param {Uint8Array|null} mask
   * @param {Edits} edits @param {Stack} record */
  encoderLayer(layer, x, mask, edits, record) {
    const name = `encoder.${layer}.self_attention`;
    const inside = this.enter(name, x);
    const memories = [this.remembered(name, inside)];
    const edit = edits.attention("encoder_self", layer);
    const found = this.attend(name, x, inside, memories, mask, edit);
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
   * @param {number[][]} tokens as many of each @param {State} state @param {Edits} edits
   * @returns {{x: Float32Array, state: State, record: Stack}} `record` is of the first hypothesis */
  decode(tokens, state, edits) {
    const count = tokens[0].length;
    const [from, end] = [state.length, state.length + count];
    const future = count > 1 && this.config.causal_mask ? causalMask(from, count) : null;
    const own = edits.mask("decoder_self", future, from, count, end);
    const read = state.mask && repeated(state.mask, count);
    const cross = edits.mask("cross", read, from, count, state.memory[0].keys.length);

    /** @type {Float32Array} */
    let x = this.embed("target", tokens.flat(), edits.positions("target", from, count, end));
    /** @type {Stack} */
    const record = { states: [x], self: [], cross: [] };
    const past = tokens.map(() => /** @type {Memory[]} */ ([]));
    for (let layer = 0; layer < this.config.n_decoder_layers; layer += 1) {
      x = this.decoderLayer(layer, x, count, state, past, { own, cross }, edits, record);
      record.states.push(x);
    }
    return { x: this.last("decoder", x), state: { ...state, past, length: end }, record };
  }

  /** Masked self-attention, then cross-attention over the memory, then feed-forward.
   * @param {number} layer @param {Float32Array} x @param {number} count @param {State} state
   * @param {Memory[][]} past of each hypothesis, to which this layer's is added
   * @param {{own: Uint8Array|null, cross: Uint8Array|null}} masks
   * @param {Edits} edits @param {Stack} record */
  decoderLayer(layer, x, count, state, past, masks, edits, record) {
    let name = `decoder.${layer}.self_attention`;
    let inside = this.enter(name, x);
    const fresh = this.remembered(name, inside);
    past.forEach((layers, i) => {
      layers.push(longer(state.past[i]?.[layer], fresh, i * count, count));
    });
    const memories = past.map((layers) => layers[layer]);
    let edit = edits.attention("decoder_self", layer);
    let found = this.attend(name, x, inside, memories, masks.own, edit);
    record.self.push(found.record);

    name = `decoder.${layer}.cross_attention`;
    inside = this.enter(name, found.x);
    const shared = past.map(() => state.memory[layer]);
    edit = edits.attention("cross", layer);
    found = this.attend(name, found.x, inside, shared, masks.cross, edit);
    record.cross.push(found.record);

    return this.feedForward(`decoder.${layer}.feed_forward`, found.x);
  }

  /** The scores of all tokens, before softmax: (rows, D) -> (rows, V). @param {Float32Array} x */
  logits(x) {
    const name = this.config.tied ? "embedding.token.weight" : "output.weight";
    const bias = this.config.output_bias ? this.tensor("output_bias").data : null;
    return linear(x, this.tensor(name), bias);
  }

  // ------------------------------------------------------------------------------- sub-layers

  /** Token vectors and positions, sections 3.4 and 3.5.
   * @param {import("./edits.js").Side} side @param {number[]} ids
   * @param {(number|null)[]} places of the tokens of each hypothesis */
  embed(side, ids, places) {
    const D = this.config.d_model;
    const isApart = side === "source" && this.config.src_vocab_size > 0;
    const { data } = this.tensor(isApart ? "embedding.source.weight" : "embedding.token.weight");
    const scale = Math.fround(this.config.scale_embedding ? Math.sqrt(D) : 1);
    const x = new Float32Array(ids.length * D);
    ids.forEach((id, row) => {
      const place = places[row % places.length];
      for (let i = 0; i < D; i += 1) {
        const position = place === null ? 0 : this.table[place * D + i];
        x[row * D + i] = Math.fround(data[id * D + i] * scale) + position;
      }
    });
    return x;
  }

  /** An attention sub-layer over x, in which each hypothesis reads a memory of its own.
   * @param {string} name @param {Float32Array} x @param {Float32Array} inside what it is asked with
   * @param {Memory[]} memories @param {Uint8Array|null} mask
   * @param {ReturnType<Edits["attention"]>} edit
   * @returns {{x: Float32Array, record: Attention}} */
  attend(name, x, inside, memories, mask, edit) {
    const queries = this.project(`${name}.query`, inside);
    const context = new Float32Array(x.length);
    const size = x.length / memories.length;
    const weights = memories.map((memory, i) => {
      const own = attention(queries.subarray(i * size, (i + 1) * size), memory, mask, edit);
      context.set(own.context, i * size);
      return own.weights;
    });
    const output = this.project(`${name}.output`, context);
    if (edit.isOff) output.fill(0);
    const [{ keys, values }] = memories;
    const record = { weights: weights[0], queries, keys, values, mask };
    return { x: this.leave(name, x, output), record };
  }

  /** What an attention reads. @param {string} name @param {Float32Array} x @returns {Memory} */
  remembered(name, x) {
    const { d_model: D } = this.config;
    const [keys, values] = ["key", "value"].map((part) => this.project(`${name}.${part}`, x));
    return { keys: rowsOf(keys, D), values: rowsOf(values, D) };
  }

  /** Two linear maps with a non-linearity between, section 3.3.
   * @param {string} name @param {Float32Array} x */
  feedForward(name, x) {
    const inner = this.project(`${name}.inner`, this.enter(name, x));
    const isRelu = this.config.activation === "relu";
    for (let i = 0; i < inner.length; i += 1) {
      if (isRelu) inner[i] = Math.max(0, inner[i]);
      else inner[i] /= 1 + Math.exp(-inner[i]);
    }
    return this.leave(name, x, this.project(`${name}.outer`, inner));
  }

  /** What a sub-layer gets: sections 3.1 and 5.4. @param {string} name @param {Float32Array} x */
  enter(name, x) {
    return this.config.norm === "pre" ? this.norm(`${name}_residual.norm`, x) : x;
  }

  /** What it leaves, added to what came. @param {string} name @param {Float32Array} x
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
    return linear(x, this.tensor(`${name}.weight`), this.tensor(`${name}.bias`).data);
  }

  /** @param {string} name @param {Float32Array} x */
  norm(name, x) {
    return layerNorm(x, this.tensor(`${name}.weight`).data, this.tensor(`${name}.bias`).data);
  }

  /** @param {string} name */
  tensor(name) {
    const found = this.weights.get(name);
    if (!found) throw new Refusal(`The file of weights has no ${name}; download it again.`);
    return found;
  }
}

/** Row t reads the target up to its own position. Source: section 3.2.3. */
function causalMask(/** @type {number} */ from, /** @type {number} */ count) {
  const keys = from + count;
  return Uint8Array.from({ length: count * keys }, (_, cell) =>
    cell % keys <= from + Math.floor(cell / keys) ? 1 : 0,
  );
}

/** One row of a mask for each query. @param {Uint8Array} row @param {number} count */
const repeated = (row, count) =>
  Uint8Array.from({ length: row.length * count }, (_, cell) => row[cell % row.length]);

/** Keys and values with the new ones behind them.
 * @param {Memory|undefined} before @param {Memory} fresh @param {number} from
 * @param {number} count @returns {Memory} */
const longer = (before, { keys, values }, from, count) => ({
  keys: [...(before?.keys ?? []), ...keys.slice(from, from + count)],
  values: [...(before?.values ?? []), ...values.slice(from, from + count)],
});

/** The position vectors (P, D), as float32. @param {Config} config */
function positionTable({ max_positions: length, d_model: size, sinusoids: layout }) {
  if (layout === "none") return new Float32Array(length * size);
  return Float32Array.from(sinusoids(length, { size, base: 10_000, layout }));
}

function checkKnown(/** @type {Config} */ config) {
  for (const [name, choices] of Object.entries(KNOWN)) {
    if (!choices.includes(config[name]))
      throw new Refusal(
        `This model has the ${name} ${config[name]}; the browser knows ${choices.join(", ")}.`,
      );
  }
}
