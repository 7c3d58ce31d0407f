// The fixed text of the shell's templates, in the chosen language.

import { languagesOf } from "../kit/languages.js";
import { page } from "./state.js";

export const LANGUAGES = ["en", "zh"];

/**
 * The initial language: the address's, the previous choice, the server's, the browser's.
 */
export function firstLanguage(asked, configured, remembered, browser) {
  for (const one of [asked, remembered, configured, browser.slice(0, 2)]) {
    if (LANGUAGES.includes(one)) return one;
  }
  return "en";
}

// Fills every element that names its words: data-t is its text, data-t-title its tooltip,
// data-t-label its name for screen readers, data-t-name both of these.
export function translate(root) {
  const languages = languagesOf(page);
  const each = (name, write) => {
    for (const element of root.querySelectorAll(`[data-t${name && `-${name}`}]`)) {
      write(element, page.t(element.getAttribute(`data-t${name && `-${name}`}`), { languages }));
    }
  };
  const label = (element, words) => element.setAttribute("aria-label", words);
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
