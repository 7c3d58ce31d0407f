// The visitor's own text, token by token, and the numbers of the seed that it used.

/** @typedef {import("../../../assets/kit/sampling.js").Drawing} Drawing */

/**
 * @typedef {{index: number, settings: Drawing}} Drawn the number of the seed and the settings of a
 * draw
 * @typedef {{id: number, log_prob: number, label: import("../../../assets/kit/types.js").Label,
 *   drawn?: Drawn|null, from?: number}} Written `from`: numbers used before this token was drawn
 * @typedef {object} Walk
 * @property {Written[]} base the initial tokens
 * @property {Written[]} added
 * @property {number} taken numbers of the seed used since the start
 * @property {number} [from] numbers used when the last token was added
 */

/** @param {Written[]} base @returns {Walk} */
export const begin = (base) => ({ base, added: [], taken: 0 });

/** @param {Walk} walk */
export const tokensOf = ({ base, added }) => [...base, ...added];

/** @param {Walk} walk */
export const idsOf = (walk) => tokensOf(walk).map(({ id }) => id);

/** The text with one more number used. @param {Walk} walk @returns {Walk} */
export const take = (walk) => ({ ...walk, taken: walk.taken + 1 });

/** With one more token. @param {Walk} walk @param {Written} token @returns {Walk} */
export const add = (walk, token) => ({
  ...walk,
  added: [...walk.added, { ...token, from: walk.from ?? 0 }],
  from: walk.taken,
});

/** Removes the last token and resets the seed to its place before that draw.
 * @param {Walk} walk @returns {Walk} */
export function back(walk) {
  const last = walk.added.at(-1);
  if (last === undefined) return { ...walk, taken: 0 };
  return { ...walk, added: walk.added.slice(0, -1), taken: last.from ?? 0, from: last.from };
}

/** @param {Written[]} tokens */
export const sumOf = (tokens) => tokens.reduce((sum, token) => sum + token.log_prob, 0);

/**
 * True if sampling itself would write exactly these tokens after the base: each drawn with its own
 * number, starting with the first, all under these settings.
 * @param {Walk} walk @param {Drawing} settings
 */
export const isSeeded = ({ added }, settings) =>
  added.length > 0 &&
  added.every(({ drawn }, i) => drawn?.index === i && sameSettings(drawn.settings, settings));

/** @type {(keyof Drawing)[]} */
export const NAMES = ["temperature", "top_k", "top_p", "seed"];

/** @template {Drawing|import("../../../assets/kit/types.js").Rec["settings"]} T
 * @param {T} a @param {T} b */
export const sameSettings = (a, b) => NAMES.every((name) => a[name] === b[name]);

const WARM = 1.3; // the initial temperature if the page does not sample: at 1 nothing changes

/** The initial settings of drawing for a record.
 * @param {Pick<import("../../../assets/kit/types.js").Rec, "settings">} record @returns {Drawing} */
export function usualOf({ settings }) {
  const { temperature, top_k, top_p, seed } = settings;
  const own = { temperature, top_k, top_p, seed };
  const isUntouched = temperature === 1 && top_k === 0 && top_p === 1;
  return isUntouched && !settings.method.endsWith("sampling") ? { ...own, temperature: WARM } : own;
}
