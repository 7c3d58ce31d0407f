// The identities of the search: sums, scores, fates, and what the model gives each candidate.
// Pure functions; each gives a Result.

import { largestDeviation } from "../../../assets/kit/matrix.js";
import { penaltyOf } from "../../../assets/kit/penalty.js";
import { mistakes, result, worst } from "./result.js";

const SUMS = 1e-4;
/** What a log-prob may be off when the model is asked again: scores that are not divided by √d_k
 * are as many times larger, and so is what rounding does to the softmax. */
const againOf = (interventions) => (interventions.scaling ? SUMS : SUMS * 10);

/** @typedef {import("../../../assets/kit/types.js").SearchStep} SearchStep */
/**
 * @typedef {{start: number, end: number, limit: number, forced_end: boolean, shared: boolean}}
 * Rules
 */

// A forced end token is not the model's choice and counts nothing; a forced beginning counts.
const counts = (/** @type {SearchStep} */ step, /** @type {number} */ t, prefix, candidate) =>
  !(step.forced[candidate] && t >= prefix.length);

/** The steps' log-probs add up to each hypothesis's, and its score is that over the penalty. */
export const scoresAddUp = ({ hypotheses, search, settings, prefix }) =>
  worst(
    hypotheses.map(({ path, log_prob: logProb, score, length }) => {
      const sum = path.reduce((so, candidate, t) => {
        const step = search.steps[t];
        return counts(step, t, prefix, candidate) ? so + step.log_probs[candidate] : so;
      }, 0);
      const ratio = logProb / penaltyOf(settings.penalty_form, settings.length_penalty, length);
      return result(largestDeviation([sum, ratio], [logProb, score]), SUMS, path.length + 1);
    }),
  );

/** A candidate's total is its parent's total plus its own log-prob. */
export const totalsAddUp = ({ search, prefix }) =>
  worst(
    search.steps.map((step, t) => {
      const wanted = Float64Array.from(step.totals, (_, c) => {
        const before = t === 0 ? 0 : (search.steps[t - 1].totals[step.parents[c]] ?? NaN);
        return before + (counts(step, t, prefix, c) ? step.log_probs[c] : 0);
      });
      return result(largestDeviation(wanted, step.totals), SUMS, step.count);
    }),
  );

/** What the search saw step by step is what one pass over the whole hypothesis says. */
export function stepwiseIsForced({ search, steps, path, interventions }, shared = false) {
  const future = interventions.cells.some(
    ([kind, row, col, on]) => kind === "decoder_self" && col > row && on,
  );
  const excuse = !interventions.causal_mask || future ? "future" : shared ? "shared" : null;
  const seen = path.map((candidate, t) => search.steps[t].log_probs[candidate]);
  const deviation = largestDeviation(
    seen,
    steps.map((step) => step.log_prob),
  );
  return result(deviation, againOf(interventions), path.length, excuse);
}

/** The candidates of the steps before that lead to one, and itself. */
export function pathTo(steps, /** @type {number} */ t, /** @type {number} */ candidate) {
  const path = [candidate];
  for (let i = t; i > 0; i -= 1) path.unshift(steps[i].parents[path[0]]);
  return path;
}

/** The prefixes that were continued at a step: [{prefix: ids, candidates}, ...]. */
export function prefixesOf(steps, /** @type {number} */ t) {
  const found = new Map();
  steps[t].parents.forEach((parent, c) => {
    const path = t === 0 ? [] : pathTo(steps, t - 1, parent);
    const prefix = path.map((one, i) => steps[i].ids[one]);
    const entry = found.get(parent) ?? { prefix, candidates: [] };
    entry.candidates.push(c);
    found.set(parent, entry);
  });
  return [...found.values()];
}

/** Every candidate has the log-prob that the model, asked again, gives its token after its prefix.
 * @param {any} record @param {Map<string, Map<number, number>>} following by prefix, then by id */
export const candidatesAreTheModels = ({ search, interventions }, following) =>
  worst(
    search.steps.flatMap((step, t) =>
      prefixesOf(search.steps, t).map(({ prefix, candidates }) => {
        const known = following.get(prefix.join(" "));
        const wanted = candidates.map((c) => known?.get(step.ids[c]) ?? NaN);
        const said = candidates.map((c) => step.log_probs[c]);
        return result(largestDeviation(wanted, said), againOf(interventions), candidates.length);
      }),
    ),
  );

/**
 * Each candidate's fate follows from the rule of its method, only what was kept is continued, and
 * candidates stand in the order of their totals.
 * @param {any} record @param {Rules} rules
 */
export function fatesFollowRule(record, rules) {
  const { steps } = record.search;
  const ends = new Set(record.hypotheses.map(({ path }) => `${path.length - 1} ${path.at(-1)}`));
  return mistakes([
    ...steps.map(({ count, ids }) => count === ids.length),
    ...steps.flatMap((step, t) => {
      const fates = fatesOf(record, rules, t, ends);
      const forced = forcedAt(record, rules, t);
      return Array.from(step.ids, (id, c) => {
        const isOwn =
          t === 0 ? step.parents[c] === -1 : steps[t - 1].fates[step.parents[c]] === "kept";
        const isOrdered = c === 0 || step.totals[c] <= step.totals[c - 1] + SUMS / 10;
        const isForced = Boolean(step.forced[c]) === (forced !== null && id === forced);
        return isOwn && isOrdered && isForced && fates[c](step.fates[c]);
      });
    }),
  ]);
}

/** The token that had to come at a step, or null. */
function forcedAt({ prefix }, /** @type {Rules} */ { end, limit, forced_end: isForced }, t) {
  if (t < prefix.length) return prefix[t];
  return isForced && t === limit - 1 ? end : null;
}

/** For each candidate of a step, what says whether a fate is right. */
function fatesOf({ search, settings, prefix }, /** @type {Rules} */ rules, t, ends) {
  const step = search.steps[t];
  const isLast = t === search.steps.length - 1;
  const beams = settings.method.includes("beam") ? settings.beam_size : 1;
  const forced = forcedAt({ prefix }, rules, t);
  const isDrawn = settings.method.includes("sampling") && forced === null;
  const continued = new Set(search.steps[t + 1]?.parents ?? []);
  const finish = (c) => (ends.has(`${t} ${c}`) ? "finished" : "beaten");
  const isEnd = (c) => step.ids[c] === rules.end || t === rules.limit - 1;
  if (isDrawn) {
    // Which were drawn is not recorded: what was continued was kept, what ends may have been
    // beaten.
    return Array.from(step.ids, (_, c) => (fate) => {
      if (continued.has(c)) return fate === "kept";
      if (ends.has(`${t} ${c}`)) return fate === "finished";
      return fate === "pruned" || (fate === "beaten" && isEnd(c));
    });
  }
  let rank = 0;
  let kept = 0;
  return Array.from(step.ids, (id, c) => {
    const isPicked = forced === null ? c < 2 * beams : id === forced;
    let wanted = "pruned";
    if (isPicked && isEnd(c)) wanted = rank < beams ? finish(c) : "pruned";
    else if (isPicked && kept < beams) {
      wanted = isLast ? "pruned" : "kept";
      kept += 1;
    }
    if (isPicked) rank += 1;
    return (fate) => fate === wanted;
  });
}
