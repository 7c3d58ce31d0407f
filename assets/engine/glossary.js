// Which of its words a token stands for beside another text: the twin of the second half of
// model/text/glossary.py, which has the explanations. Pure functions.

import { LANGUAGES } from "../kit/languagetable.js";
import { base, parts } from "./english.js";

/** @typedef {import("../kit/types.js").Gloss} Gloss */
/** @typedef {[string, number][]} Others */
/** @typedef {Gloss|[...Gloss, Others]} Entry as it stands in the file */
/** @typedef {[number, number]} Span the first and the last of some words */
/** @typedef {import("./english.js").Forms} Forms */
/** @typedef {(word: string) => string} Key what the forms of a word share */
/** The words of a text, and where each stands, by the key of its forms.
 * @typedef {{parts: string[], places: Map<string, Span[]>, keyOf: Key}} Words */

export const LONGEST = 4; // words without a space between them that may be one
export const UNSPACED = new RegExp(
  `[${Object.values(LANGUAGES)
    .flatMap((one) => (one.is_spaced ? [] : one.letters))
    .join("")}]`,
  "u",
);

/** `Language.base` of model/text/languages.py. @param {Forms} forms @param {string} code
 * @returns {Key} */
export function keysIn(forms, code) {
  const ending = LANGUAGES[code]?.ending;
  const dropped = ending && new RegExp(ending, "u");
  return (word) => {
    if (UNSPACED.test(word)) return word;
    return dropped ? word.replace(dropped, "") : base(word, forms);
  };
}

/** @param {string[]} written @param {Forms} forms @param {string} [code] of their language
 * @returns {Words} */
export function wordsOf(written, forms, code = "") {
  const keyOf = keysIn(forms, code);
  /** @type {Map<string, Span[]>} */
  const places = new Map();
  const add = (/** @type {string} */ key, /** @type {Span} */ span) =>
    places.set(key, [...(places.get(key) ?? []), span]);
  const all = written.flatMap((word) => parts(word.toLowerCase()));
  all.forEach((part, first) => {
    add(keyOf(part), [first, first]);
    let run = part;
    for (let last = first + 1; last < Math.min(first + LONGEST, all.length); last += 1) {
      if (!UNSPACED.test(run) || !UNSPACED.test(all[last])) break;
      run += all[last];
      add(run, [first, last]);
    }
  });
  return { parts: all, places, keyOf };
}

const placesOf = (/** @type {Words} */ text, /** @type {string} */ word) =>
  text.places.get(text.keyOf(word.toLowerCase())) ?? [];

/** The word as it is in the text, but for its capital letters.
 * @param {Words} text @param {string} word @param {Span} place */
function formOf(text, word, [first]) {
  const part = text.parts[first];
  return UNSPACED.test(word) || word.toLowerCase() === part ? word : part;
}

/** What a word stands for by itself, and the other words that it stands for.
 * @param {Entry} entry @returns {{own: Gloss, others: Others}} */
export function read(entry) {
  const last = entry.at(-1);
  if (!Array.isArray(last)) return { own: /** @type {Gloss} */ (entry), others: [] };
  return { own: /** @type {Gloss} */ (entry.slice(0, -1)), others: last };
}

/** What a word stands for beside the texts of the other language.
 * @param {ReturnType<typeof read>} entry @param {Words[]} texts @returns {Gloss} */
export function glossOf({ own, others }, texts) {
  const [ownWord, ownShare, ...facts] = own;
  /** @type {Others} */
  const shares = ownWord ? [[ownWord, ownShare], ...others] : others;
  for (const [word, share] of shares) {
    for (const text of texts) {
      const places = placesOf(text, word);
      if (places.length === 0) continue;
      const place = places.find((one) => formOf(text, word, one) === word) ?? places[0];
      /** @type {[Span, string][]} */
      const found = shares.flatMap(([one]) =>
        placesOf(text, one).map(
          (span) => /** @type {[Span, string]} */ ([span, formOf(text, one, span)]),
        ),
      );
      return [joined(place, found), share, ...facts];
    }
  }
  return own;
}

/** The word at a place, and those that touch it; none twice.
 * @param {Span} place @param {[Span, string][]} found */
function joined([first, last], found) {
  const [, word] = /** @type {[Span, string]} */ (
    found.find(([[from, to]]) => from === first && to === last)
  );
  const run = [word];
  for (;;) {
    const before = found.find(([[, to], one]) => to === first - 1 && !run.includes(one));
    if (before === undefined) break;
    [[first]] = before;
    run.unshift(before[1]);
  }
  for (;;) {
    const after = found.find(([[from], one]) => from === last + 1 && !run.includes(one));
    if (after === undefined) break;
    [[, last]] = after;
    run.push(after[1]);
  }
  return run.join(UNSPACED.test(run[0]) ? "" : " ");
}
