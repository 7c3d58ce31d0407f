// The identities of the search's choices: the most likely tokens of each step, the candidates that
// continue a hypothesis, and the tokens drawn. Pure functions; each returns a Result.

import { memo } from "../../../assets/kit/memo.js";
import { uniformAt, warp } from "../../../assets/kit/sampling.js";
import { mistakes, result, UNSEEN, worst } from "./result.js";
import { againOf, beamsOf, forcedAt, futureOf, isDrawnAt, prefixesOf } from "./search.js";

/** @typedef {import("./search.js").Rules} Rules */
/** @typedef {{logits: Float32Array}} Step the whole distribution after a traced prefix */

/** The most likely tokens of each step are in order, each exactly once. */
export const topIsInOrder = ({ steps }) =>
  mistakes(
    steps.flatMap(({ top }) => [
      new Set(top.map(({ id }) => id)).size === top.length,
      ...top.map(({ log_prob: own }, i) => i === 0 || own <= top[i - 1].log_prob),
    ]),
  );

/**
 * Every unfinished hypothesis is continued by the number of tokens that the search considers, each
 * once and none of them banned. On the traced path these are the most likely ones: of the whole
 * distributions in `steps`, or, if a file has none, of those that the page lists.
 * @param {any} record @param {Step[]} steps @param {Rules} rules
 */
export function bestAreCandidates(record, steps, rules) {
  const { search, path } = record;
  return worst(
    search.steps.flatMap((_, t) =>
      prefixesOf(search.steps, t).flatMap((one) => {
        const scope = scopeOf(record, rules, t, one);
        const isTraced = t < path.length && one.parent === (t === 0 ? -1 : path[t - 1]);
        const traced = isTraced ? [noneIsLeftOut(record, scope, t, steps[t])] : [];
        return [asManyAsMayBe(scope), ...traced];
      }),
    ),
  );
}

/**
 * Checks the continuations of a prefix: `count` of the tokens that are not `forbidden`, best first,
 * and up to `extras` others, which were drawn or forced.
 */
function scopeOf(record, /** @type {Rules} */ rules, t, { prefix, candidates }) {
  const { search, settings, model } = record;
  const forced = forcedAt(record, rules, t);
  const forbidden = forbiddenAfter(record, rules, prefix);
  const beams = beamsOf(settings);
  const width = settings.method.includes("beam") ? 2 * beams : rules.recorded;
  return {
    ids: candidates.map((c) => search.steps[t].ids[c]),
    forced,
    forbidden,
    count: Math.min(width, model.vocabulary - forbidden.size),
    extras: forced !== null ? 1 : !isDrawnAt(record, rules, t) ? 0 : beams === 1 ? 1 : 2 * beams,
  };
}

/** The tokens that may not follow a prefix: banned ones, and those that would repeat a run of
 * `no_repeat` tokens in the prefix.
 * @param {any} record @param {Rules} rules @param {number[]} prefix */
function forbiddenAfter({ settings, prefix: requested }, { banned }, prefix) {
  const n = settings.no_repeat;
  const isGuarded = n > 0 && prefix.length >= Math.max(n, requested.length);
  const start = prefix.slice(prefix.length - n + 1).join();
  const repeating = prefix.filter(
    (_, i) => isGuarded && i >= n - 1 && prefix.slice(i - n + 1, i).join() === start,
  );
  return new Set([...banned, ...repeating]);
}

const asManyAsMayBe = ({ ids, forced, forbidden, count, extras }) =>
  mistakes([
    new Set(ids).size === ids.length,
    ids.length >= count && ids.length <= count + extras,
    ...ids.map((id) => id === forced || !forbidden.has(id)),
  ]);

/** @param {any} record @param {any} scope @param {number} t @param {Step|undefined} step */
function noneIsLeftOut(record, { ids, forbidden, count, extras }, t, step) {
  const off = againOf(record.interventions);
  const best = step
    ? highest(step.logits, forbidden, count)
    : record.steps[t].top
        .filter(({ id }) => !forbidden.has(id))
        .slice(0, count)
        .map(({ id, log_prob: value }) => ({ id, value }));
  const least = best.length < count ? -Infinity : (best.at(-1)?.value ?? 0);
  const tooLow = step ? ids.filter((id) => step.logits[id] < least - off).length : 0;
  return mistakes(
    [...best.map(({ id, value }) => value <= least + off || ids.includes(id)), tooLow <= extras],
    futureOf(record),
  );
}

/** The `count` highest of some numbers, highest first, without the forbidden: [{id, value}].
 * @param {Float32Array} values @param {Set<number>} forbidden @param {number} count */
function highest(values, forbidden, count) {
  /** @type {{id: number, value: number}[]} */
  const list = [];
  values.forEach((value, id) => {
    if (list.length === count && value <= list[count - 1].value) return;
    if (forbidden.has(id)) return;
    const at = list.findIndex((one) => one.value < value);
    list.splice(at < 0 ? list.length : at, 0, { id, value });
    if (list.length > count) list.pop();
  });
  return list;
}

/**
 * The numbers of the seed, drawn again from the distributions of the traced steps, give the tokens
 * that were written. The deviation is a number's distance from its token's share. Beam sampling
 * draws from all hypotheses together, and only one of them is traced.
 * @param {any} record @param {Step[]} steps @param {Rules} rules
 */
export function drawsAreTheSeeds(record, steps, rules) {
  const { hypotheses, path, search, settings, prefix, interventions } = record;
  if (settings.method === "beam_sampling") return UNSEEN;
  const drawn = hypotheses[0].path;
  const together = drawn.findIndex((candidate, t) => candidate !== path[t]);
  const places = drawn.flatMap((candidate, t) => {
    const isTraced = t < path.length && (together < 0 || t <= together);
    return isTraced && isDrawnAt(record, rules, t)
      ? [{ t, id: search.steps[t].ids[candidate] }]
      : [];
  });
  const outside = places.map(({ t, id }) => {
    const before = drawn.slice(0, t).map((candidate, i) => search.steps[i].ids[candidate]);
    const forbidden = forbiddenAfter(record, rules, before);
    const [from, to] = shareOf(steps[t].logits, settings, forbidden, id);
    const u = uniformAt(settings.seed, t - prefix.length);
    return to > from ? Math.max(0, from - u, u - to) : 1;
  });
  const off = againOf(interventions) / Math.min(1, settings.temperature);
  return result(Math.max(0, ...outside), off, places.length, futureOf(record));
}

/** Cached by distribution: warping one is slow, and the page is redrawn often.
 * @type {WeakMap<Float32Array, (...values: any[]) => [number, number]>} */
const SHARES = new WeakMap();

/** The start and end of a token's share among all, in the order of ids. */
function shareOf(logits, { temperature, top_k, top_p }, /** @type {Set<number>} */ forbidden, id) {
  const share = SHARES.get(logits) ?? memo((...values) => sharesOf(logits, ...values));
  SHARES.set(logits, share);
  return share(temperature, top_k, top_p, [...forbidden].join(), id);
}

/** @returns {[number, number]} */
function sharesOf(logits, temperature, top_k, top_p, forbidden, id) {
  const allowed = logits.slice();
  for (const one of forbidden.split(",").filter(Boolean)) allowed[Number(one)] = -Infinity;
  const weights = warp(allowed, { temperature, top_k, top_p });
  const from = weights.subarray(0, id).reduce((sum, one) => sum + one, 0);
  return [from, from + weights[id]];
}
