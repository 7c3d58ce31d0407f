// What a translation has as it stands in the source, the twin of model/text/copied.py, which says
// what each of these is for.

import { SPACE } from "./characters.js";

const CHUNK = /[A-Za-z0-9](?:[A-Za-z0-9_.@:/+~#?&=%-]*[A-Za-z0-9])?/g;
const WHOLE =
  /@|_|:\/\/|^www\.|[A-Za-z0-9]\.(?:[a-z][a-z0-9]{1,4}|[A-Z][A-Z0-9]{1,4})$|^[0-9]+(?:\.[0-9]+){2,}$|^[A-Za-z]+-?[0-9]+[A-Za-z0-9]*$/;
const NUMBER = /(?<![0-9])[0-9]{2,}(?![0-9]|(?:s|st|nd|rd|th)(?![A-Za-z0-9_])|,000)/g;
const EMOJI = /[\u2600-\u27bf\u{1f300}-\u{1faff}]/gu;
const NAME = /(?<![\w'@./-])[A-Z][A-Za-z]+(?![\w@/-])/g;
const BEGINS = /(?:^|[.!?:]["')]*\s)["'(]*$/;
const TITLE = /\b(?:Mr|Mrs|Ms|Dr|St)\. $/;
const CAMEL = /[a-z][A-Z]/;
const NEAR = 20;

/** What is usually copied and does not stand in the translation.
 * @param {string} source @param {string} translation */
export function missing(source, translation) {
  const whole = (source.match(CHUNK) ?? []).filter((word) => WHOLE.test(word));
  const rest = whole.reduce((text, word) => text.replaceAll(word, " "), source);
  const numbers = (rest.match(NUMBER) ?? []).filter((number) => /[1-9]/.test(number));
  const items = new Set([...whole, ...numbers, ...(source.match(EMOJI) ?? [])]);
  return [...items].filter((item) => !translation.includes(item));
}

/**
 * Where a text has what is copied letter by letter, in order; no two places overlap.
 * @param {string} text @param {(piece: string) => boolean} has
 * @returns {[number, number][]} in characters
 */
export function spelled(text, has) {
  /** @type {[number, number][]} */
  const places = [];
  const taken = new Set();
  const put = (/** @type {RegExpMatchArray} */ { 0: word, index = 0 }) =>
    places.push([index, index + word.length]);
  for (const match of text.matchAll(CHUNK)) if (WHOLE.test(match[0])) put(match);
  for (const [begin, end] of places) for (let i = begin; i < end; i++) taken.add(i);
  for (const match of text.matchAll(NAME)) {
    const { 0: word, index } = match;
    if (taken.has(index) || isLearnt(word, has)) continue;
    const before = text.slice(Math.max(0, index - NEAR), index);
    if (CAMEL.test(word) || !BEGINS.test(before) || TITLE.test(before)) put(match);
  }
  const characters = (/** @type {number} */ i) => [...text.slice(0, i)].length;
  places.sort(([one], [other]) => one - other);
  return places.map(([begin, end]) => [characters(begin), characters(end)]);
}

/** @param {string} word @param {(piece: string) => boolean} has */
function isLearnt(word, has) {
  const cuts = Array.from({ length: Math.max(0, word.length - 3) }, (_, i) => i + 2);
  return [word, word.toLowerCase()].some(
    (form) =>
      has(SPACE + form) ||
      has(SPACE + form.replace(/s$/, "")) ||
      cuts.some((i) => has(SPACE + form.slice(0, i)) && has(form.slice(i))),
  );
}
