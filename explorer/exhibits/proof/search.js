// The identities of the search: sums, scores, fates, and each candidate's log-prob. Pure functions;
// each returns a Result.

import { readsAhead } from "../../../assets/kit/interventions.js";
import { largestDeviation } from "../../../assets/kit/matrix.js";
import { penaltyOf } from "../../../assets/kit/penalty.js";
import { mistakes, result, worst } from "./result.js";

const SUMS = 1e-4;
/**
 * The tolerance of a log-prob computed again: scores not divided by √d_k are larger by that factor,
 * and so is the effect of rounding on the softmax.
 */
export const againOf = (interventions) => (interventions.scaling ? SUMS : SUMS * 10);

/** The reason why one pass over a whole text may differ from the search step by step. */
export const futureOf = (record) => (readsAhead(record) ? "future" : null);

/** @typedef {import("../../../assets/kit/types.js").SearchStep} SearchStep */
/**
 * The rules of a search and a doubt, besides the settings: see `rules` in proof/__init__.py.
 * @typedef {{start: number, end: number, limit: number, forced_end: boolean, shared: boolean,
 *   banned: number[], recorded: number, thresholds: Record<string, number>|null, run: number,
 *   looked_at: number, untouched: Record<string, any>}} Rules
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

/** The search's step-by-step log-probs equal those of one pass over the whole hypothesis. */
export function stepwiseIsForced(record, shared = false) {
  const { search, steps, path, interventions } = record;
  const seen = path.map((candidate, t) => search.steps[t].log_probs[candidate]);
  const deviation = largestDeviation(
    seen,
    steps.map((step) => step.log_prob),
  );
  const excuse = futureOf(record) ?? (shared ? "shared" : null);
  return result(deviation, againOf(interventions), path.length, excuse);
}

/** The candidates on the path to one, including itself. */
export function pathTo(steps, /** @type {number} */ t, /** @type {number} */ candidate) {
  const path = [candidate];
  for (let i = t; i > 0; i -= 1) path.unshift(steps[i].parents[path[0]]);
  return path;
}

/** The prefixes that were continued at a step: [{parent, prefix: ids, candidates}, ...]. */
export function prefixesOf(steps, /** @type {number} */ t) {
  const found = new Map();
  steps[t].parents.forEach((parent, c) => {
    if (!found.has(parent)) {
      const path = t === 0 ? [] : pathTo(steps, t - 1, parent);
      const prefix = path.map((one, i) => steps[i].ids[one]);
      found.set(parent, { parent, prefix, candidates: [] });
    }
    found.get(parent).candidates.push(c);
  });
  return [...found.values()];
}

/** Every candidate has the log-prob that the model gives its token after its prefix when run again.
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
 * Each candidate's fate follows from the rule of its method, only kept candidates are continued,
 * and candidates are in the order of their totals.
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
      const continued = new Set(steps[t + 1]?.parents ?? []);
      return Array.from(step.ids, (id, c) => {
        const isOwn =
          t === 0 ? step.parents[c] === -1 : steps[t - 1].fates[step.parents[c]] === "kept";
        const isOrdered = c === 0 || step.totals[c] <= step.totals[c - 1] + SUMS / 10;
        const isForced = Boolean(step.forced[c]) === (forced !== null && id === forced);
        const goesOn = step.fates[c] !== "kept" || continued.has(c);
        return isOwn && isOrdered && isForced && goesOn && fates[c](step.fates[c]);
      });
    }),
  ]);
}

/** The number of hypotheses that a search runs at once and lists in the end. */
export const beamsOf = ({ method, beam_size: size }) => (method.includes("beam") ? size : 1);

/** The forced token of a step, or null. */
export function forcedAt({ prefix }, /** @type {Rules} */ { end, limit, forced_end: isForced }, t) {
  if (t < prefix.length) return prefix[t];
  return isForced && t === limit - 1 ? end : null;
}

/** True if the tokens of a step were drawn. */
export const isDrawnAt = (record, /** @type {Rules} */ rules, t) =>
  record.settings.method.includes("sampling") && forcedAt(record, rules, t) === null;

/** True if a candidate ends its hypothesis. */
export const endsAt = ({ search }, /** @type {Rules} */ { end, limit }, t, c) =>
  search.steps[t].ids[c] === end || t === limit - 1;

/**
 * The candidates that a search picked at a step; null if they were drawn, because the draws are not
 * recorded.
 */
export function picksAt(record, /** @type {Rules} */ rules, t) {
  if (isDrawnAt(record, rules, t)) return null;
  const forced = forcedAt(record, rules, t);
  const all = Array.from(record.search.steps[t].ids, (id, c) => ({ id, c }));
  const picked = forced === null ? all.slice(0, 2 * beamsOf(record.settings)) : all;
  return picked.filter(({ id }) => forced === null || id === forced).map(({ c }) => c);
}

/** For each candidate of a step, a function that checks its recorded fate. */
function fatesOf(record, /** @type {Rules} */ rules, t, ends) {
  const { search, settings } = record;
  const step = search.steps[t];
  const picks = picksAt(record, rules, t);
  const isEnd = (c) => endsAt(record, rules, t, c);
  if (picks === null) {
    // Continued candidates were kept; finished ones may have been beaten.
    const continued = new Set(search.steps[t + 1]?.parents ?? []);
    return Array.from(step.ids, (_, c) => (fate) => {
      if (continued.has(c)) return fate === "kept";
      if (ends.has(`${t} ${c}`)) return fate === "finished";
      return fate === "pruned" || (fate === "beaten" && isEnd(c));
    });
  }
  const beams = beamsOf(settings);
  const kept = picks.filter((c) => !isEnd(c)).slice(0, beams);
  const isLast = t === search.steps.length - 1;
  const wanted = Array.from(step.ids, () => "pruned");
  picks.forEach((c, rank) => {
    if (isEnd(c) && rank < beams) wanted[c] = ends.has(`${t} ${c}`) ? "finished" : "beaten";
    else if (kept.includes(c) && !isLast) wanted[c] = "kept";
  });
  return wanted.map((one) => (fate) => fate === one);
}
