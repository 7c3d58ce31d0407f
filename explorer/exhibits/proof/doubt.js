// The identity of the doubt beside a translation: its signs, read again from the record like in
// model/labs/doubt.py, and their consequences. Pure functions.

import { mistakes, result, worst } from "./result.js";

const HALF_STEP = 1 / 131070; // how far a weight on the page may be from the model's (16 bits)
const NEAR = 1e-5; // of a mean of log-probs

/** @typedef {import("./search.js").Rules} Rules */

/** A translation is doubted exactly if its signs are beyond the thresholds.
 * @param {any} record @param {Rules} rules */
export function doubtFollows(record, rules) {
  const { doubt } = record;
  const { thresholds } = rules;
  if (thresholds === null || !isDoubted(record, rules)) return mistakes([doubt === null]);
  const signs = signsOf(record, rules);
  const { certain, possible } = reasonsOf(signs, thresholds);
  const reasons = doubt?.reasons ?? [];
  const follows = mistakes([
    certain.every((one) => reasons.includes(one)),
    reasons.every((one) => possible.includes(one)),
    (doubt === null) === (reasons.length === 0),
    doubt === null || JSON.stringify(doubt.thresholds) === JSON.stringify(thresholds),
  ]);
  if (doubt === null) return follows;
  const { log_prob: logProb, repeats, read } = doubt.signs;
  return worst([
    follows,
    result(Math.abs(logProb - signs.log_prob), NEAR, 1),
    result(Math.abs(repeats - signs.repeats), 0, 1),
    result(read >= signs.read[0] && read <= signs.read[1] ? 0 : 1, 0, 1),
  ]);
}

/** True for a complete translation by the unmodified model: no other is doubted. */
const isDoubted = ({ prefix, node, interventions }, { untouched }) =>
  prefix.length === 0 &&
  node === null &&
  Object.entries(untouched).every(
    ([name, value]) => JSON.stringify(interventions[name]) === JSON.stringify(value),
  );

/** The mean log-prob, the number of repeated runs, and bounds on the share of the source read,
 * because weights come in steps. @param {any} record @param {Rules} rules
 * @returns {{log_prob: number, repeats: number, read: [number, number]}} */
function signsOf({ steps, tgt_out: written, src, attention }, { run, looked_at: least }) {
  const sum = steps.reduce((so, { log_prob: logProb }) => so + logProb, 0);
  const ids = written.map(({ id }) => id);
  const runs = ids.slice(run - 1).map((_, i) => ids.slice(i, i + run).join());
  const count = Math.max(1, src.length - 1); // without the end token
  const most = mostRead(attention.cross, count);
  const share = (off) => most.filter((one) => one >= least + off).length / count;
  return {
    log_prob: sum / steps.length,
    repeats: runs.length - new Set(runs).size,
    read: [share(HALF_STEP), share(-HALF_STEP)],
  };
}

/** The largest weight that each of the first keys gets from all heads of a layer, at any step. */
function mostRead({ layers, heads, queries, keys, head }, /** @type {number} */ count) {
  const most = new Float64Array(count);
  for (let layer = 0; layer < layers; layer += 1) {
    const all = Array.from({ length: heads }, (_, index) => head(layer, index));
    for (let cell = 0; cell < queries * keys; cell += 1) {
      const key = cell % keys;
      if (key >= count) continue;
      const mean = all.reduce((sum, one) => sum + (one[cell] || 0), 0) / heads; // NaN: masked
      most[key] = Math.max(most[key], mean);
    }
  }
  return [...most];
}

/**
 * The certain reasons, and those that rounding may hide: the share from the source follows from no
 * number on the page, only from running the model again.
 */
function reasonsOf({ log_prob: logProb, repeats, read: [low, high] }, thresholds) {
  const of = (tests) => Object.keys(tests).filter((name) => tests[name]);
  return {
    certain: of({
      repeats: repeats >= thresholds.repeats,
      unlikely: logProb < thresholds.log_prob - NEAR,
      unread: high < thresholds.read,
    }),
    possible: of({
      repeats: repeats >= thresholds.repeats,
      unlikely: logProb < thresholds.log_prob + NEAR,
      unread: low < thresholds.read,
      unsourced: thresholds.source > 0,
    }),
  };
}
