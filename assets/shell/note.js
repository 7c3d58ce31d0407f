// A line for the visitor about what is no trouble: it goes by itself.

import { page } from "./state.js";

const READ = 8_000; // ms in which a line is read

/** @param {string} words a key @param {object} values */
export function note(words, values) {
  const message = { words, values, isNote: true };
  page.say(message);
  setTimeout(() => page.message.get() === message && page.say(null), READ);
}
