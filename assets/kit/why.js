// Opens "Why this word?" from any candidate of a step. Not available without a model.

/** @typedef {import("./types.js").Page} Page */

/** True if this page can answer questions. @param {Page} page */
export const canAskWhy = ({ shared }) =>
  !shared.saved && shared.exhibits?.some((/** @type {any} */ { name }) => name === "why") === true;

/**
 * Opens the view at a step; `rival` is the id to compare the written token with, null for the
 * closest one.
 * @param {Page} page
 * @param {{step: number, rival: number|null}} about
 */
export function askWhy(page, { step, rival }) {
  const others = Object.entries(page.choices.get()).filter(([key]) => !key.startsWith("why."));
  const own = rival === null ? [] : [["why.rival", String(rival)]];
  page.choices.set(Object.fromEntries([...others, ...own]));
  page.choose({ exhibit: "why", step });
}
