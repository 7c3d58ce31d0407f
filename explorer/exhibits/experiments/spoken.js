// Two texts word by word, as a class reads them: which words both have, and what each text has that
// the other lacks. The finding and the struck words of the picture come from the same parts.

import { parts } from "../../../assets/kit/differences.js";

/** @typedef {{text: string, from: number, to: number}} Word and its place in the text */
/** @typedef {{text: string, isOwn: boolean}} Piece of a text; own: the other text lacks it */

/** @param {string} text @returns {Word[]} */
export const wordsOf = (text) =>
  [...new Intl.Segmenter(undefined, { granularity: "word" }).segment(text)]
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment, index }) => ({ text: segment, from: index, to: index + segment.length }));

/** The parts of two lists of words. A word that comes to stand first is still the same.
 * @param {Word[]} mine @param {Word[]} theirs */
export function wordParts(mine, theirs) {
  const [first, second] = [mine, theirs].map((words) =>
    words.map(({ text }) => text.toLowerCase()),
  );
  return parts(first, second);
}

/** Some words as they stand in the text, with what stands between them.
 * @param {string} text @param {Word[]} words @param {[number, number]} place */
export const between = (text, words, [from, to]) =>
  from < to ? text.slice(words[from].from, words[to - 1].to) : "";

/** Both texts in pieces. A mark counts where the words around it are the same.
 * @param {string} before @param {string} after @returns {Piece[][]} */
export function pieces(before, after) {
  const texts = [before, after];
  const words = texts.map(wordsOf);
  const shared = [[-1, -1], ...pairs(words), words.map(({ length }) => length)];
  /** @type {[number, number][][]} */
  const own = [[], []];
  for (const [i, here] of shared.slice(1).entries()) {
    const last = shared[i];
    const isNext = here.every((at, side) => at === last[side] + 1);
    const places = texts.map((text, side) => {
      const [from, to] = [words[side][last[side]], words[side][here[side]]];
      return isNext ? gap(text, from, to) : within(words[side].slice(last[side] + 1, here[side]));
    });
    const [mine, theirs] = places.map((place, side) => texts[side].slice(...place));
    if (mine === theirs) continue;
    for (const [side, [from, to]] of places.entries()) if (from < to) own[side].push([from, to]);
  }
  return texts.map((text, side) => cut(text, own[side]));
}

/** The places of the words that both lists have. @param {Word[][]} words @returns {number[][]} */
const pairs = ([mine, theirs]) =>
  wordParts(mine, theirs).flatMap(({ isSame, first: [from, to], second: [other] }) =>
    isSame ? Array.from({ length: to - from }, (_, i) => [from + i, other + i]) : [],
  );

/** From the first of some words to the last. @param {Word[]} words @returns {[number, number]} */
const within = (words) => [words[0]?.from ?? 0, words.at(-1)?.to ?? 0];

/** Where the marks between two words stand, or before the first and after the last one.
 * @param {string} text @param {Word|undefined} last @param {Word|undefined} next
 * @returns {[number, number]} */
function gap(text, last, next) {
  const [from, to] = [last?.to ?? 0, next?.from ?? text.length];
  const marks = text.slice(from, to);
  const start = from + marks.length - marks.trimStart().length;
  return [start, start + marks.trim().length];
}

/** A text at the bounds of some places in it. @param {string} text
 * @param {[number, number][]} places @returns {Piece[]} */
function cut(text, places) {
  const bounds = [0, ...places.flat(), text.length];
  return bounds
    .slice(1)
    .map((to, i) => ({ text: text.slice(bounds[i], to), isOwn: i % 2 === 1 }))
    .filter((one) => one.text !== "");
}
