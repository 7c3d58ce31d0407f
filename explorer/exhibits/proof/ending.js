// The identities of a search's end: the hypotheses listed, those dropped, and the time it stopped.
// Pure functions; each returns a Result.

import { penaltyOf } from "../../../assets/kit/penalty.js";
import { mistakes, result } from "./result.js";
import { beamsOf, endsAt, picksAt } from "./search.js";

const NEAR = 1e-5; // scores nearer than this count as equal: totals may come as float32

/** @typedef {import("./search.js").Rules} Rules */

/** Every candidate that finished a hypothesis: {t, score, fate}. */
const endedIn = ({ search, settings }) =>
  search.steps.flatMap(({ fates, totals }, t) =>
    fates.flatMap((fate, c) =>
      fate === "finished" || fate === "beaten"
        ? [{ t, fate, score: scoreAt(settings, t, totals[c]) }]
        : [],
    ),
  );

const scoreAt = ({ penalty_form: form, length_penalty: alpha }, t, total) =>
  total / penaltyOf(form, alpha, t + 1);

/** The list has as many hypotheses as the search keeps, or all finished ones if there are fewer. */
export function listIsFull(record) {
  const ended = endedIn(record);
  const listed = ended.filter(({ fate }) => fate === "finished").length;
  const { length } = record.hypotheses;
  return mistakes([listed === length, length === Math.min(beamsOf(record.settings), ended.length)]);
}

/** No dropped hypothesis scores above the last of the list; the deviation is the excess. */
export function droppedScoreLower(record) {
  const dropped = endedIn(record).filter(({ fate }) => fate === "beaten");
  const least = record.hypotheses.at(-1)?.score ?? NaN;
  const above = dropped.map(({ score }) => score - least);
  return result(Math.max(0, ...above), NEAR, dropped.length);
}

/**
 * After every step but the last, the best unfinished hypothesis could still have entered the list;
 * after the last it could not, or the search was at its limit.
 * @param {any} record @param {Rules} rules
 */
export function stopsByRule(record, rules) {
  const { search, settings } = record;
  const ended = endedIn(record);
  const size = beamsOf(settings);
  const last = search.steps.length - 1;
  return mistakes(
    search.steps.map(({ totals }, t) => {
      const best = bestRunning(record, rules, t, last);
      if (best === null) return t === last;
      const list = ended.filter((one) => one.t <= t).map(({ score }) => score);
      const least = list.length < size ? -Infinity : list.sort((a, b) => b - a)[size - 1];
      const gain = scoreAt(settings, t, totals[best]) - least;
      return t < last ? gain > -NEAR : gain <= NEAR;
    }),
  );
}

/**
 * The best candidate of a step that continues; null if none does, or if it was drawn and nothing
 * continues it. @param {any} record @param {Rules} rules
 */
function bestRunning(record, rules, t, last) {
  const { fates } = record.search.steps[t];
  const running = t < last ? fates.flatMap((fate, c) => (fate === "kept" ? [c] : [])) : null;
  const picked = running ?? picksAt(record, rules, t) ?? [];
  return picked.find((c) => !endsAt(record, rules, t, c)) ?? null;
}
