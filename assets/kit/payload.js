// Decodes the payload of explorer/exchange/payload.py for drawing. Pure functions.

import { unpack } from "./packing.js";

const FULL = 65535;
const KNOWN_FORMAT = 2;
const PARTS = ["attention", "steps", "search", "doubt"]; // that a request may leave out
/** @type {import("./types.js").Fate[]} */
export const FATES = ["pruned", "kept", "finished", "beaten"];

/** @typedef {import("./types.js").Maps} Maps */
/** Numbers of an array as packing.js packs them. @typedef {string} Packed */
/** @typedef {{layers: number, heads: number, queries: number, keys: number, mask: Packed,
 *   weights: Packed}} PackedMaps */
/** @typedef {{counts: number[], labels: Record<string, import("./types.js").Label>,
 *   parents: Packed, ids: Packed, log_probs: Packed, totals: Packed, fates: Packed,
 *   forced: Packed, forbidden?: [number, number, number, number, string][]}} PackedSearch */

/**
 * The payload with weights as numbers: attention[kind].head(layer, head) -> Float32Array, row by
 * row, NaN where the mask forbids to look; and search.steps as decodeSearch gives them.
 * A part that was not asked for throws when it is read.
 * @param {{format: number, attention?: Record<string, PackedMaps>, search?: PackedSearch,
 *   parts?: string[]}} payload
 * @returns {Promise<any>} a Rec
 */
export async function decode(payload) {
  if (payload.format !== KNOWN_FORMAT) throw new Error(`unknown payload format ${payload.format}`);
  const kinds = Object.entries(payload.attention ?? {});
  const maps = await Promise.all(kinds.map(([, packed]) => decodeMaps(packed)));
  const attention = Object.fromEntries(kinds.map(([kind], i) => [kind, maps[i]]));
  const search = payload.search && (await decodeSearch(payload.search));
  const record = { ...payload, attention, search };
  for (const part of payload.parts ? PARTS : [])
    if (!payload.parts?.includes(part)) lack(record, part);
  return record;
}

/** @param {object} record @param {string} part */
const lack = (record, part) =>
  Object.defineProperty(record, part, {
    enumerable: false, // a copy of the record is not a look at all of it
    get() {
      throw new Error(`this record was asked for without its ${part}`);
    },
  });

/**
 * {steps: [{parents, ids, log_probs, totals, fates, forced}, ...], labels}: each an array over the
 * candidates of the step, fates as words, totals with the digits that the search had. What
 * `packed_search` of explorer/exchange/payload.py packed.
 * @param {PackedSearch} packed
 * @returns {Promise<import("./types.js").Rec["search"]>}
 */
export async function decodeSearch({ counts, labels, forbidden = [], ...packed }) {
  const [parents, ids, logProbs, totals, fates, forced] = await Promise.all([
    unpack(packed.parents, Int32Array),
    unpack(packed.ids, Int32Array),
    unpack(packed.log_probs, Float32Array),
    unpack(packed.totals, Float32Array),
    unpack(packed.fates, Uint8Array),
    unpack(packed.forced, Uint8Array),
  ]);
  let start = 0;
  /** @type {Float64Array|null} */
  let before = null;
  const steps = counts.map((count, t) => {
    const now = [start, start + count];
    start += count;
    const step = {
      parents: parents.subarray(...now),
      ids: ids.subarray(...now),
      log_probs: logProbs.subarray(...now),
      totals: totals.subarray(...now),
      forced: forced.subarray(...now),
    };
    before = exactTotals(step, before);
    const words = Array.from(fates.subarray(...now), (fate) => FATES[fate]);
    const kept = forbidden
      .filter(([step]) => step === t)
      .map(([, parent, id, logProb, rule]) => ({ parent, id, log_prob: logProb, rule }));
    return { ...step, totals: before, fates: words, count, forbidden: kept };
  });
  return { steps, labels };
}

/**
 * The totals of a step as the search added them, in double precision: a float32 total may round to
 * a different last digit from the log-prob of its hypothesis. A total that is not such a sum stays
 * as it was sent.
 * @param {{parents: Int32Array, log_probs: Float32Array, totals: Float32Array, forced: Uint8Array}}
 *   step
 * @param {Float64Array|null} before the totals of the previous step
 */
function exactTotals({ parents, log_probs: logProbs, totals, forced }, before) {
  return Float64Array.from(totals, (sent, c) => {
    const parent = before === null ? 0 : before[parents[c]];
    const sums = [parent + logProbs[c]];
    if (forced[c]) sums.push(parent); // a forced end adds nothing
    return sums.find((sum) => Math.fround(sum) === sent) ?? sent;
  });
}

/** @param {PackedMaps} packed @returns {Promise<Maps>} */
export async function decodeMaps({ layers, heads, queries, keys, mask, weights }) {
  const allowed = allowedCells(await unpack(mask, Uint8Array), queries * keys);
  const whole = await unpack(weights, Uint16Array);
  const kept = new Map();
  /** @type {Maps["head"]} */
  function head(layer, index) {
    const which = layer * heads + index;
    if (!kept.has(which)) {
      const cells = new Float32Array(queries * keys).fill(NaN);
      const first = which * allowed.length;
      for (let i = 0; i < allowed.length; i += 1) cells[allowed[i]] = whole[first + i] / FULL;
      kept.set(which, cells);
    }
    return kept.get(which);
  }
  return { layers, heads, queries, keys, allowed, head };
}

/** @param {Uint8Array} bits @param {number} count */
function allowedCells(bits, count) {
  const cells = [];
  for (let i = 0; i < count; i += 1) if (bits[i >> 3] & (128 >> (i & 7))) cells.push(i);
  return cells;
}

/** The strongest cells of a head, strongest first.
 * @param {ArrayLike<number>} cells @param {number} keys @param {number} count */
export function strongest(cells, keys, count) {
  /** @type {{row: number, col: number, weight: number}[]} */
  const best = [];
  for (let i = 0; i < cells.length; i += 1) {
    const weight = cells[i];
    if (Number.isNaN(weight) || (best.length === count && weight <= best[count - 1].weight))
      continue;
    const at = best.findIndex((link) => link.weight < weight);
    const link = { row: Math.floor(i / keys), col: i % keys, weight };
    best.splice(at < 0 ? best.length : at, 0, link);
    if (best.length > count) best.pop();
  }
  return best;
}

/** @template {Float32Array|Float64Array} T @param {T} cells @param {number} keys
 * @param {number} row
 * @returns {T} */
export function rowOf(cells, keys, row) {
  return /** @type {T} */ (cells.subarray(row * keys, (row + 1) * keys));
}

/** @typedef {{kind: string, text?: string}} Name */

/**
 * The head of a kind that aligns the two sides best: each row reads a different token, and each
 * token is read by a row. Harmonic mean of two means: of the rows' largest weights, and of the
 * columns' largest weights. Special tokens and punctuation are left out: a head that links a full
 * stop with a noun aligns nothing.
 * @param {Maps} maps
 * @param {Name[]} rows
 * @param {Name[]} columns
 */
export function bestAligned(maps, rows, columns) {
  const [up, across] = [wordsOf(rows), wordsOf(columns)];
  let best = { layer: 0, head: 0, score: -1 };
  for (let layer = 0; layer < maps.layers; layer += 1) {
    for (let head = 0; head < maps.heads; head += 1) {
      const score = alignment(maps.head(layer, head), maps.keys, up, across);
      if (score > best.score) best = { layer, head, score };
    }
  }
  return { layer: best.layer, head: best.head };
}

/** The places of tokens with a letter or digit; if there are none, of all but special tokens.
 * @param {Name[]} labels */
export function wordsOf(labels) {
  const places = (/** @type {(label: Name) => boolean} */ fits) =>
    labels.flatMap((label, i) => (label.kind !== "special" && fits(label) ? [i] : []));
  const words = places(({ kind, text = "a" }) => kind !== "space" && /[\p{L}\p{N}]/u.test(text));
  return words.length > 0 ? words : places(() => true);
}

/** @param {Float32Array} cells @param {number} keys @param {number[]} rows
 * @param {number[]} columns */
function alignment(cells, keys, rows, columns) {
  const read = rows.map((row) =>
    Math.max(0, ...columns.map((col) => cells[row * keys + col] || 0)),
  );
  const met = columns.map((col) => Math.max(0, ...rows.map((row) => cells[row * keys + col] || 0)));
  const mean = (/** @type {number[]} */ all) =>
    all.reduce((sum, one) => sum + one, 0) / Math.max(1, all.length);
  const [each, covered] = [mean(read), mean(met)];
  return each + covered > 0 ? (2 * each * covered) / (each + covered) : 0;
}
