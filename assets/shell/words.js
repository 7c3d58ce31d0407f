// The fixed text of the shell's templates, in the chosen language.

import { page } from "./state.js";

export const LANGUAGES = ["en", "zh"];

/** Every word by its language, from the file that has them in this order.
 * @param {Record<string, string[]>} file @returns {Record<string, Record<string, string>>} */
export function wordsIn(file) {
  const named = (/** @type {string[]} */ word) =>
    Object.fromEntries(LANGUAGES.map((code, i) => [code, word[i]]));
  return Object.fromEntries(Object.entries(file).map(([key, word]) => [key, named(word)]));
}

/**
 * The initial language: the address's, the previous choice, the server's, the browser's.
 * @param {string|null} asked @param {string} configured @param {string|null} remembered
 * @param {string} browser
 */
export function firstLanguage(asked, configured, remembered, browser) {
  for (const one of [asked, remembered, configured, browser.slice(0, 2)]) {
    if (one !== null && LANGUAGES.includes(one)) return one;
  }
  return "en";
}

/**
 * Fills every element that names its words: data-t is its text, data-t-title its tooltip,
 * data-t-label its name for screen readers, data-t-name both of these.
 * @param {HTMLElement} root
 */
export function translate(root) {
  /** @typedef {(element: Element, words: string) => void} Write */
  const each = (/** @type {string} */ name, /** @type {Write} */ write) => {
    const attribute = `data-t${name && `-${name}`}`;
    for (const element of root.querySelectorAll(`[${attribute}]`)) {
      write(element, page.t(element.getAttribute(attribute) ?? ""));
    }
  };
  /** @type {Write} */
  const label = (element, words) => element.setAttribute("aria-label", words);
  /** @type {Write} */
  const title = (element, words) => element.setAttribute("title", words);
  each("", (element, words) => {
    element.textContent = words;
  });
  each("title", title);
  each("label", label);
  each("name", (element, words) => {
    label(element, words);
    title(element, words);
  });
}
