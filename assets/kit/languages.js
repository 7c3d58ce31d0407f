// The source and target languages: known for the shipped model, from its card.

/** @typedef {import("./types.js").Page} Page */

/** The end of the keys of words about it. @param {Page} page */
export function pairOf({ shared, record }) {
  const { name, languages } = shared.shipped ?? {};
  return languages && record.get()?.model.name === name ? languages : "any";
}

/** "English into Chinese". @param {Page} page */
export const languagesOf = (page) => page.t(`languages.${pairOf(page)}`);
