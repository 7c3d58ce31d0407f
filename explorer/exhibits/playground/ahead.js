// Which of two finished runs is ahead, by the numbers of these runs.

/** @typedef {import("./trainer.js").Run} Run */

const HALF = 0.5; // share of outputs that are right: by then it has begun to learn the task
const AHEAD = { sooner: 0.1, further: 0.05 }; // smaller differences are none

/** The update from which half of the outputs were right. @param {Run} run @returns {number|null} */
export const halfway = ({ frames }) =>
  frames.find(({ free_accuracy: right }) => right !== null && right >= HALF)?.update ?? null;

/** The lengths beyond those of training, with their scores. @param {Run} run @returns {any[]} */
export const beyond = ({ result, settings }) =>
  result.by_length.filter((/** @type {any} */ { length }) => length > settings.length);

/** The share of right outputs of all lengths beyond training. @param {Run} run */
export const reach = (run) => {
  const all = beyond(run);
  return all.reduce((sum, one) => sum + one.free_accuracy, 0) / Math.max(1, all.length);
};

/** Which of two finished runs is ahead, if any. @param {string} race @param {Run[]} runs */
export function winner(race, [first, second]) {
  if (race === "further") return ahead(reach(first), reach(second), AHEAD.further);
  const [a, b] = [halfway(first), halfway(second)];
  if (a === null || b === null) return a === b ? "neither" : b === null ? "first" : "second";
  return ahead(-a, -b, AHEAD.sooner * Math.max(a, b));
}

const ahead = (/** @type {number} */ a, /** @type {number} */ b, /** @type {number} */ least) =>
  Math.abs(a - b) < least ? "neither" : a > b ? "first" : "second";
