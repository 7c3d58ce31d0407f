// The result of an identity. Pure functions.

/**
 * The largest deviation and the number of comparisons. `excuse` is the reason why the identity need
 * not hold (an intervention that breaks it by design) or was not checked. With NaN nothing holds.
 * @typedef {{deviation: number, tolerance: number, count: number, excuse: string|null}} Result
 */

/** @param {number} deviation @param {number} tolerance @param {number} count
 * @param {string|null} [excuse] @returns {Result} */
export const result = (deviation, tolerance, count, excuse = null) => ({
  deviation,
  tolerance,
  count,
  excuse,
});

/** An identity whose evidence a saved file does not have. @type {Result} */
export const LEFT_OUT = result(Infinity, 0, 0, "file");

/** An identity whose evidence the browser never gets. @type {Result} */
export const UNSEEN = result(Infinity, 0, 0, "unseen");

export const isUnchecked = (/** @type {Result|null} */ one) => one === LEFT_OUT || one === UNSEEN;

/** Counts the conditions that are false.
 * @param {boolean[]} truths @param {string|null} [excuse] */
export const mistakes = (truths, excuse = null) =>
  result(truths.filter((one) => !one).length, 0, truths.length, excuse);

/** @param {Result} one @returns {"holds"|"unchecked"|"excused"|"fails"} */
export function verdict(one) {
  const { deviation, tolerance, excuse } = one;
  if (isUnchecked(one)) return "unchecked";
  if (deviation <= tolerance) return "holds";
  return excuse ? "excused" : "fails";
}

/**
 * The worst of several results of one identity: one that fails before one that is excused, and in a
 * tie the one with the largest share of its tolerance. NaN is the worst.
 * @param {Result[]} results @returns {Result}
 */
export function worst(results) {
  const rank = (one) => ["holds", "excused", "fails"].indexOf(verdict(one));
  const beyond = ({ deviation, tolerance }) => {
    if (deviation === 0) return -1; // says least about what was compared
    return Number.isNaN(deviation) || tolerance === 0 ? Infinity : deviation / tolerance;
  };
  const parts = results.filter(({ count }) => count > 0);
  const isWorse = (one, bad) =>
    rank(one) > rank(bad) || (rank(one) === rank(bad) && beyond(one) > beyond(bad));
  const first = parts.reduce((bad, one) => (isWorse(one, bad) ? one : bad), parts[0] ?? results[0]);
  return { ...first, count: parts.reduce((sum, { count }) => sum + count, 0) };
}
