// What a translation has as it stands in the source, the twin of model/text/copied.py, which says
// what each of these is for.

import { SPACE } from "./characters.js";
import * as numbers from "./numbers.js";

const CHUNK = /[A-Za-z0-9](?:[A-Za-z0-9_.@:/+~#?&=%-]*[A-Za-z0-9])?/g;
const WHOLE =
  /@|_|:\/\/|^www\.|[A-Za-z0-9]\.(?:[a-z][a-z0-9]{1,4}|[A-Z][A-Z0-9]{1,4})$|^[0-9]+(?:\.[0-9]+){3,}$|^[A-Za-z]+-?[0-9]+[A-Za-z0-9]*$/;
const EMOJI = /[\u2600-\u27bf\u{1f300}-\u{1faff}]/gu;
const NAME = /(?<![\w'@./-])[A-Z][A-Za-z]+(?![\w@/-])/g;
const BEGINS = /(?:^|[.!?:]["')]*\s)["'(]*$/;
const TITLE = /\b(?:Mr|Mrs|Ms|Dr|St)\. $/;
const CAMEL = /[a-z][A-Z]/;
const NEAR = 20;

/** What a translation usually has as it is, and this one lacks.
 * @param {string} source @param {string} translation */
export function missing(source, translation) {
  const whole = wholeOf(source);
  const items = [...whole, ...(source.match(EMOJI) ?? [])];
  const lost = items.filter((item) => !translation.includes(item));
  return [...new Set([...lost, ...numbers.lacking(without(source, whole), translation)])];
}

/** The numbers of a translation that its source has in no way.
 * @param {string} source @param {string} translation */
export const added = (source, translation) =>
  numbers.added(source, without(translation, wholeOf(source)));

const wholeOf = (/** @type {string} */ text) =>
  (text.match(CHUNK) ?? []).filter((word) => WHOLE.test(word));

const without = (/** @type {string} */ text, /** @type {string[]} */ items) =>
  items.reduce((rest, item) => rest.replaceAll(item, " "), text);

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
