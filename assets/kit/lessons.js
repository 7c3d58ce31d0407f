// The lessons of the page's language: Python words them for each model that a page opens with.

/** @typedef {import("./types.js").Page} Page */
/** @typedef {import("./types.js").LessonPlan} Plan */

/** The lessons as they are true of the model that they speak of; without it, of any.
 * @param {Pick<Page, "shared"|"language">} page @returns {Plan[]} */
export function lessonsOf({ shared, language }) {
  /** @type {Record<string, Plan[]>} */
  const lists = shared.constants.lessons?.lessons ?? {};
  const key = shared.lessons?.[language.get()];
  const name = shared.models.find((one) => one.key === key)?.name ?? "";
  return lists[name] ?? Object.values(lists)[0] ?? [];
}
