// The views of the page: which there are, by the question that each answers, and what works here.

import { lessonModel } from "./model.js";
import { page } from "./state.js";

/** A row of VIEWS in explorer/exhibits/__init__.py.
 * @typedef {{name: string, question: string, exhibits: string[], part: string}} View */

/**
 * True if an exhibit works here: it must be in the saved session, or without a server not need one.
 * @param {string} name
 */
export function isHere(name) {
  const { saved, published, exhibits } = page.shared;
  if (name === "lessons" && lessonModel() === undefined) return false;
  if (saved) return exhibits.some((/** @type {any} */ one) => one.name === name && one.saved);
  return !(name in (published?.away ?? {}));
}

/** The words for why an exhibit is not available. @param {string} name */
export function awayWords(name) {
  const { saved, published } = page.shared;
  return saved ? "saved.away" : (published?.away[name] ?? "lessons.away");
}

/** @returns {View[]} */
const views = () => page.shared.views;

/** The view that an exhibit belongs to. @param {string} exhibit @returns {View} */
export const viewOf = (exhibit) =>
  /** @type {View} */ (views().find(({ exhibits }) => exhibits.includes(exhibit)));

/** The words for the name of an exhibit where it stands alone: the view's, if that has no other.
 * @param {View} view @param {string} exhibit */
export const nameOf = ({ name, exhibits }, exhibit) =>
  exhibits.length > 1 ? `${exhibit}.title` : `view.${name}`;

/** The views by the question that they answer, in the order of the menu.
 * @returns {[string, View[]][]} */
export function byQuestion() {
  const questions = [...new Set(views().map(({ question }) => question))];
  return questions.map((one) => [one, views().filter(({ question }) => question === one)]);
}

/** The parts of the header that an exhibit uses. @param {string} exhibit @returns {string[]} */
export const headerOf = (exhibit) =>
  page.shared.exhibits.find(({ name }) => name === exhibit)?.header ?? [];

/** What an exhibit shows, or why it is not available. @param {string} name */
export const aboutOf = (name) => page.t(isHere(name) ? `${name}.about` : awayWords(name));
