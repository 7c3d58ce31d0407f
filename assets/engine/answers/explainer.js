// The engine's interface for questions: passes over a text with different interventions, targets or
// order, and their predictions.

import { Edits, UNTOUCHED } from "../edits.js";
import { finish } from "../engine.js";
import { tokenEntries, tokenEntry } from "../labels.js";
import { logSoftmax, ruled } from "../search.js";
import { KINDS } from "./request.js";

/**
 * @typedef {import("../tokens.js").Tokens} Tokens
 *
 * @typedef {object} Maps one kind of attention in all layers
 * @property {number} layers @property {number} heads @property {number} queries
 * @property {number} keys
 * @property {Float32Array} weights (L, H, Q, K)
 * @property {Uint8Array} mask (Q, K), 1 = may read
 * @property {boolean} scaling
 *
 * @typedef {object} Pass one teacher-forced pass over one source and one target
 * @property {Tokens} src @property {Tokens} read @property {Tokens} written
 * @property {{states: Float32Array[], self: Attention[]}} encoder
 * @property {{states: Float32Array[], self: Attention[], cross: Attention[]}} decoder
 * @property {Float32Array} memory the input of the cross-attention (S, D)
 * @property {Float32Array} top the input of the output layer (T, D)
 * @property {Record<string, Attention[]>} records of the attention of each layer, by kind
 * @property {Record<string, Maps>} attention
 * @property {number[][]} topIds @property {number[][]} topLogProbs
 * @property {number[]} logProb
 * @property {typeof UNTOUCHED} interventions
 *
 * @typedef {ReturnType<typeof createExplainer>} Explainer
 * @typedef {Partial<typeof UNTOUCHED>} Interventions
 * @typedef {import("../attention.js").Attention} Attention
 * @typedef {(explainer: Explainer, request: import("./request.js").Request,
 *   args: import("./request.js").Arguments) => any} Question
 */

/**
 * @param {import("../engine.js").Engine} engine
 * @param {{sheet: any, facts: import("../../kit/types.js").Shared,
 *   open: (file: string) => Promise<any>}} about `open` gives the engine of the same model with the
 *   weights of another file
 */
export function createExplainer(engine, { sheet, facts, open }) {
  const { network, tokenizer } = engine;
  const edited = (/** @type {Interventions} */ interventions) =>
    new Edits({ ...UNTOUCHED, ...interventions }, network.config);

  /** @param {string} text @param {number[]} ids @param {Interventions} interventions
   * @returns {Pass} */
  function trace(text, ids, interventions) {
    const edits = edited(interventions);
    return passOf(engine.trace(engine.read(text), ids, edits), network.config, edits.given);
  }

  /** The explanation of a request; see request.js. */
  function explain(/** @type {any} */ request) {
    const found = finish(engine.explain({ ...request, settings: request.config }));
    return { ...found, trace: passOf(found.trace, network.config, found.edits.given) };
  }

  /** The log-probs (V) of the token after target ids, -inf for forbidden tokens.
   * @param {string} text @param {number[]} ids @param {Interventions} interventions
   * @param {import("../search.js").Settings} settings those of the search */
  function nextLogProbs(text, ids, interventions, settings) {
    const src = engine.read(text);
    const rules = engine.rulesOf(src);
    const { state } = engine.encode(src, edited(interventions));
    const own = edited(interventions).stepwise();
    const { x } = network.decode([[rules.start_id, ...ids]], state, own);
    const logits = network.logits(x.subarray(x.length - network.config.d_model));
    const [logit] = logits;
    const [row] = logSoftmax(logits, logits.length);
    ruled(row, rules, ids, settings, logit - row[0]);
    return row;
  }

  /** The log-prob of each token that a pass wrote, after other source ids, without a record.
   * @param {number[]} source @param {Pick<Pass, "read"|"written">} pass
   * @param {Interventions} interventions @returns {number[]} */
  function logProbs(source, { read: { ids: read }, written }, interventions) {
    const edits = edited(interventions);
    const { memory, mask } = network.encode(source, edits);
    const { x } = network.decode([read], network.start(memory, mask), edits);
    return logSoftmax(network.logits(x), network.config.vocab_size).map(
      (row, t) => row[written.ids[t]],
    );
  }

  /** The encoder's output for source ids in any order. */
  const encoded = (/** @type {number[]} */ ids, /** @type {Interventions} */ interventions) =>
    network.encode(ids, edited(interventions)).memory;

  /** The time to encode and search now, without the cache. */
  function searchSeconds(/** @type {any} */ request) {
    const started = performance.now();
    engine.forget();
    finish(engine.explain({ ...request, settings: request.config }));
    return (performance.now() - started) / 1000;
  }

  const passes = { explain, trace, nextLogProbs, logProbs, encoded, searchSeconds };
  return { engine, network, tokenizer, sheet, facts, open, ...passes };
}

/** @param {import("../engine.js").Trace} trace @param {any} config
 * @param {typeof UNTOUCHED} interventions @returns {Pass} */
export function passOf(trace, config, interventions) {
  const { src, read, written, memory, top, attention, steps } = trace;
  const scaling = config.scaling && interventions.scaling;
  const maps = KINDS.map((kind) => [kind, mapsOf(attention[kind], scaling)]);
  return {
    src,
    read,
    written,
    memory,
    top,
    encoder: { states: trace.encoderStates, self: attention.encoder_self },
    decoder: {
      states: trace.decoderStates,
      self: attention.decoder_self,
      cross: attention.cross,
    },
    records: attention,
    attention: Object.fromEntries(maps),
    topIds: steps.map(({ ids }) => ids),
    topLogProbs: steps.map(({ logProbs }) => logProbs),
    logProb: steps.map(({ logProb }) => logProb),
    interventions,
  };
}

/** @param {Attention[]} records of each layer @param {boolean} scaling @returns {Maps} */
function mapsOf(records, scaling) {
  const [first] = records;
  const [queries, keys] = [first.queries.length / first.keys[0].length, first.keys.length];
  const size = first.weights.length;
  const weights = new Float32Array(size * records.length);
  for (const [i, record] of records.entries()) weights.set(record.weights, i * size);
  const mask = first.mask ?? new Uint8Array(queries * keys).fill(1);
  const heads = size / (queries * keys);
  return { layers: records.length, heads, queries, keys, weights, mask, scaling };
}

/** A matrix as its rows. @param {Float32Array} matrix @param {number} count */
export function rowsOf(matrix, count) {
  const width = matrix.length / count;
  return Array.from({ length: count }, (_, i) => matrix.subarray(i * width, (i + 1) * width));
}

/** log of the sum of e^x. @param {ArrayLike<number>} row */
export function logSum(row) {
  let most = -Infinity;
  for (let i = 0; i < row.length; i += 1) if (row[i] > most) most = row[i];
  let sum = 0;
  for (let i = 0; i < row.length; i += 1) sum += Math.exp(row[i] - most);
  return most + Math.log(sum);
}

/** The text of tokens. @param {Tokens} tokens */
export const textOf = ({ characters }) => characters.join("");

/** A single token in the page's form. @param {Pick<Explainer, "tokenizer">} explainer
 * @param {number} id @param {import("../edits.js").Side} side */
export const token = ({ tokenizer }, id, side = "target") =>
  tokenEntry(tokenizer.piece(id, side), id);

/** The decoder's input tokens, with the labels of the written ones. @param {Pass} pass */
export const readLabels = ({ read, written }) => [
  ...tokenEntries(read).slice(0, 1),
  ...tokenEntries(written).slice(0, -1),
];
