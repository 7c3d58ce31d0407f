// A line for the visitor about what is no trouble: it goes by itself.

import { page } from "./state.js";

const READ = 8_000; // ms in which a line is read

/** @param {string} words a key @param {object} values @param {object} [more] of the message */
export function note(words, values, more = {}) {
  const message = { words, values, isNote: true, ...more };
  page.say(message);
  setTimeout(() => page.message.get() === message && page.say(null), READ);
}
