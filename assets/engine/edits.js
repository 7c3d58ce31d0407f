// A visitor's changes to the network, the twin of model/edits.py: every value that may change
// passes through one of these functions. Rows are queries, columns are keys; 1 in a mask lets a
// query read a key.

import { Refusal } from "./refusal.js";

/** @typedef {"encoder_self"|"decoder_self"|"cross"} Kind */
/** @typedef {"source"|"target"} Side */
/** @typedef {"encoder"|"decoder"} Stack */
/** @typedef {import("./network.js").Config} Config */

/** @type {Record<Kind, string>} */
const NAMES = {
  encoder_self: "the encoder's self-attention",
  decoder_self: "the decoder's self-attention",
  cross: "the cross-attention",
};

/** Interventions without effect: the defaults of `Interventions` in model/config.py. */
export const UNTOUCHED = {
  heads_off: /** @type {[Kind, number, number][]} */ ([]),
  cross_off: /** @type {number[]} */ ([]),
  causal_mask: true,
  padding: 0,
  padding_mask: true,
  cells: /** @type {[Kind, number, number, boolean][]} */ ([]),
  scaling: true,
  positions: "kept",
  sides: "both",
  shift: 0,
  position_seed: 0,
};

/** The number of heads of this kind of attention. @param {Config} config @param {Kind} kind */
const headsOf = (config, kind) =>
  kind === "encoder_self" ? config.n_heads : config.decoder_heads || config.n_heads;

/** @param {Config} config @param {Kind} kind */
const layersOf = (config, kind) =>
  kind === "encoder_self" ? config.n_encoder_layers : config.n_decoder_layers;

/** The interventions on one model. */
export class Edits {
  /** @param {Partial<typeof UNTOUCHED>|undefined} interventions @param {Config} config */
  constructor(interventions, config) {
    const given = { ...UNTOUCHED, ...interventions };
    const [heads, layers, cells] = [given.heads_off, given.cross_off, given.cells].map(sorted);
    this.given = { ...given, heads_off: heads, cross_off: layers, cells };
    this.changesAnything = JSON.stringify(this.given) !== JSON.stringify(UNTOUCHED);
    this.config = config;
    checkLayers(this.given, config);
    this.off = new Set(this.given.heads_off.map((head) => String(head)));
  }

  /** Those that still apply in step-by-step decoding, without future tokens. */
  stepwise() {
    const cells = this.given.cells.filter(
      ([kind, query, key]) => kind !== "decoder_self" || key <= query,
    );
    return new Edits({ ...this.given, causal_mask: true, cells }, this.config);
  }

  /** The source ids to read. @param {number[]} ids @returns {number[]} */
  source(ids) {
    return [...ids, ...new Array(this.given.padding).fill(this.config.pad_id)];
  }

  /** The position of each token, null for none; `length` is that of a source without padding.
   * @param {Side} side @param {number} from @param {number} count @param {number} length
   * @returns {(number|null)[]} */
  positions(side, from, count, length) {
    const how = isMoved(this.given, side) ? this.given.positions : "kept";
    const shift = shiftOf(this.given, side, this.config);
    const most = this.config.max_positions;
    if (from + count + shift > most)
      throw new Refusal(
        `${from + count} ${side} tokens${shift ? `, shifted by ${shift} positions,` : ""} were ` +
          `given; this model has ${most} positions. Take less text, less padding or a smaller shift.`,
      );
    if (how === "none") return new Array(count).fill(null);
    const own = Array.from({ length: count }, (_, i) => from + i + shift);
    if (how !== "shuffled") return own;
    return [...permutation(length, this.given.position_seed), ...own.slice(length)];
  }

  /** The mask (queries, keys) of rows that begin at `from`; null allows everything.
   * @param {Kind} kind @param {Uint8Array|null} mask @param {number} from
   * @param {number} queries @param {number} keys */
  mask(kind, mask, from, queries, keys) {
    const { causal_mask: causal, padding_mask: padding, cells } = this.given;
    const own = cells.filter(([of]) => of === kind);
    const holds = kind === "decoder_self" ? causal : padding;
    return painted(own, holds ? mask : null, kind, from, queries, keys);
  }

  /** The changes inside one attention. @param {Kind} kind @param {number} layer */
  attention(kind, layer) {
    const { cross_off: off, scaling } = this.given;
    return {
      isOff: kind === "cross" && off.some((one) => one === layer),
      kept: Array.from(
        { length: headsOf(this.config, kind) },
        (_, head) => !this.off.has(`${kind},${layer},${head}`),
      ),
      scaling: this.config.scaling && scaling,
      transplanted: (/** @type {Float32Array} */ context) => context, // (Q, D), the heads side by side
    };
  }

  /** The output state (T, D) of a layer, counted from 1; 0: the input of layer 1.
   * @param {Stack} _ @param {number} __ @param {() => Float32Array} made */
  state(_, __, made) {
    return made();
  }
}

/** The states of another pass in the place of a stack's first ones, which are not computed, and
 * perhaps another context of an attention. */
export class Transplants extends Edits {
  /** @param {Config} config @param {Stack} stack @param {Float32Array[]} states
   * @param {{kind: Kind, layer: number, into: (context: Float32Array) => Float32Array}} [context] */
  constructor(config, stack, states, context) {
    super({}, config);
    this.stack = stack;
    this.states = states;
    this.context = context;
  }

  /** @param {Kind} kind @param {number} layer */
  attention(kind, layer) {
    const own = super.attention(kind, layer);
    const { context } = this;
    const isThere = context?.kind === kind && context.layer === layer;
    return isThere ? { ...own, transplanted: context.into } : own;
  }

  /** @param {Stack} stack @param {number} layer @param {() => Float32Array} made */
  state(stack, layer, made) {
    return (stack === this.stack ? this.states[layer] : undefined) ?? made();
  }
}

/** The entries of a list in order, each once. @param {any[]} entries @returns {any[]} */
const sorted = (entries) =>
  [...new Map(entries.map((entry) => [JSON.stringify(entry), entry])).values()].sort((a, b) =>
    Array.isArray(a) ? a.map((x, i) => order(x, b[i])).find(Boolean) || 0 : order(a, b),
  );
const order = (/** @type {any} */ a, /** @type {any} */ b) => Number(a > b) - Number(a < b);

/**
 * True if the positions of a side are changed. @param {typeof UNTOUCHED} given @param {Side} side
 */
export const isMoved = ({ positions, sides }, side) =>
  positions !== "kept" &&
  (sides === side || sides === "both") &&
  !(positions === "shuffled" && side === "target");

/** How the model knows the order of its tokens; without waves, sinusoids tell nothing.
 * @param {Pick<Config, "positions"|"sinusoids">} config */
export const positionKind = ({ positions, sinusoids }) =>
  positions === "sinusoids" && sinusoids === "none" ? "none" : positions;

/** By how many rows of a table of positions a side moves; 0 in a model without one: there no token
 * has a place, or only distances count.
 * @param {typeof UNTOUCHED} given @param {Side} side @param {Config} config */
export const shiftOf = (given, side, config) =>
  given.positions === "shifted" &&
  isMoved(given, side) &&
  ["sinusoids", "learned"].includes(positionKind(config))
    ? given.shift
    : 0;

/** @param {any[]} cells @param {Uint8Array|null} mask @param {Kind} kind @param {number} from
 * @param {number} queries @param {number} keys */
function painted(cells, mask, kind, from, queries, keys) {
  checkInside(cells, kind, keys);
  const own = cells.filter(
    ([, query, key]) => query >= from && query < from + queries && key < keys,
  );
  if (own.length === 0) return mask;
  const changed = mask?.slice() ?? new Uint8Array(queries * keys).fill(1);
  for (const [, query, key, isAllowed] of own)
    changed[(query - from) * keys + key] = isAllowed ? 1 : 0;
  for (let row = 0; row < queries; row += 1) {
    if (!changed.subarray(row * keys, (row + 1) * keys).includes(1))
      throw new Refusal(
        `Nothing is left to read for position ${row + from + 1} of ${NAMES[kind]}; allow at least ` +
          "one cell of its row.",
      );
  }
  return changed;
}

/** @param {any[]} cells @param {Kind} kind @param {number} keys */
function checkInside(cells, kind, keys) {
  if (kind === "decoder_self") return; // a target may end anywhere
  const last = cells.reduce(
    (most, [, query, key]) => Math.max(most, key, kind === "encoder_self" ? query : 0),
    -1,
  );
  if (last >= keys)
    throw new Refusal(
      `A cell of ${NAMES[kind]} was painted at source position ${last + 1}; this source has ` +
        `${keys} tokens.`,
    );
}

/** @param {any} given @param {Config} config */
function checkLayers({ heads_off: heads, cross_off: layers }, config) {
  for (const [kind, layer, head] of heads) {
    if (layer >= layersOf(config, kind) || head >= headsOf(config, kind))
      throw new Refusal(
        `Head ${head + 1} of layer ${layer + 1} of ${NAMES[/** @type {Kind} */ (kind)]} was to be ` +
          `switched off; it has ${layersOf(config, kind)} layers of ${headsOf(config, kind)} heads.`,
      );
  }
  for (const layer of layers) {
    if (layer >= config.n_decoder_layers)
      throw new Refusal(
        `The cross-attention of layer ${layer + 1} was to be switched off; the decoder has ` +
          `${config.n_decoder_layers} layers.`,
      );
  }
}

// ------------------------------------------------------------------- an order drawn

/** The order of `torch.randperm(length)` after `manual_seed(seed)`.
 * @param {number} length @param {number} seed */
export function permutation(length, seed) {
  const random = mersenneTwister(seed);
  const order = Array.from({ length }, (_, i) => i);
  for (let i = 0; i < length - 1; i += 1) {
    const other = i + (random() % (length - i));
    [order[i], order[other]] = [order[other], order[i]];
  }
  return order;
}

/** MT19937, 32 bits a number. Source: Matsumoto and Nishimura 1998.
 * @param {number} seed */
function mersenneTwister(seed) {
  const state = new Uint32Array(624);
  state[0] = seed;
  for (let i = 1; i < 624; i += 1)
    state[i] = Math.imul(1812433253, state[i - 1] ^ (state[i - 1] >>> 30)) + i;
  let at = 624;
  return () => {
    if (at === 624) {
      at = 0;
      for (let i = 0; i < 624; i += 1) {
        const y = (state[i] & 0x80000000) | (state[(i + 1) % 624] & 0x7fffffff);
        state[i] = state[(i + 397) % 624] ^ (y >>> 1) ^ (y & 1 ? 0x9908b0df : 0);
      }
    }
    let y = state[at++];
    y ^= y >>> 11;
    y ^= (y << 7) & 0x9d2c5680;
    y ^= (y << 15) & 0xefc60000;
    return (y ^ (y >>> 18)) >>> 0;
  };
}
