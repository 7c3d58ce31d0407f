// Words of a source that its translation lost: the twin of model/labs/lost.py, which has the
// explanations. Pure functions.

import { LANGUAGES } from "../kit/languagetable.js";
import { parts } from "./english.js";
import { keysIn, LONGEST, read, UNSPACED } from "./glossary.js";

/** @typedef {import("./gloss.js").Glossary} Glossary */
/** @typedef {"source"|"target"} Side */
/** @typedef {import("../kit/types.js").Lost} Lost */

const ROWS = Object.values(LANGUAGES);
const LIGHT = new Set(ROWS.flatMap(({ light }) => light));
const NUMERALS = new Set(ROWS.flatMap(({ numerals }) => numerals.map(([word]) => word)));
const WORD = new RegExp(
  `(?<![\\p{L}\\p{N}_@./])[${LANGUAGES.en.letters}]+(?:['’][a-z]+)?(?![\\p{L}\\p{N}_@/]|\\.[\\p{L}\\p{N}_])`,
  "gu",
);
const RUN = new RegExp(`${UNSPACED.source}+`, "gu");
const PREFIXES = new Set(ROWS.flatMap(({ prefixes }) => prefixes));
const LETTER = `[${LANGUAGES.en.letters}]`;
const ALIKE = 4;

/** By their tables. @type {WeakMap<Glossary, Dictionary>} */
const dictionaries = new WeakMap();

/** The words of content that a translation lost; `back` is its own translation. The table is that
 * of the way back. @param {string} source @param {string} translation @param {string} back
 * @param {Glossary} table @returns {Lost[]} */
export function lost(source, translation, back, table) {
  const dictionary = dictionaries.get(table) ?? createDictionary(table);
  dictionaries.set(table, dictionary);
  const there = createText(translation, dictionary, "target");
  const again = createText(back, dictionary, "source");
  const isKnown = (/** @type {string} */ word) => {
    if (isLight(word) || there.copies(word) || again.has(word)) return true;
    const meant = dictionary.glosses(word, "source");
    return (
      [...meant].some((one) => there.has(one) || again.standsFor.has(one)) || there.isSaid(word)
    );
  };
  return dictionary
    .words(source, "source")
    .filter(([begin, end]) => !isKnown(source.slice(begin, end).toLowerCase()))
    .map(([begin, end]) => ({
      text: source.slice(begin, end),
      begin: [...source.slice(0, begin)].length,
      end: [...source.slice(0, end)].length,
    }));
}

/** @param {string} word */
function isLight(word) {
  const [own] = parts(word);
  const isShort = [...own].length < 2 && !UNSPACED.test(own);
  return LIGHT.has(own) || NUMERALS.has(own) || isShort;
}

/** True of the first part of re-read. @param {string} word @param {string} rest */
const isPrefix = (word, rest) => rest.startsWith("-") && PREFIXES.has(word.toLowerCase());

/** A table of glosses, looked up by any form of a word. @param {Glossary} table */
function createDictionary({ words, target, languages = ["", ""], forms }) {
  // The table is that of the way back, whose source is what is the target here.
  const [back, own] = languages;
  const keys = { source: keysIn(forms, own), target: keysIn(forms, back) };
  const tables = { source: target ?? words, target: words };
  const keyOf = (/** @type {string} */ word, /** @type {Side} */ side) =>
    keys[side](parts(word.toLowerCase())[0]);
  /** @type {Map<string, string[]>[]} */
  const families = [];
  /** @param {Side} side */
  function familiesOf(side) {
    const place = side === "target" ? 0 : 1;
    if (families[place]) return families[place];
    /** @type {Map<string, string[]>} */
    const found = new Map();
    for (const word of Object.keys(tables[side])) {
      const key = keys[side](word);
      const family = found.get(key) ?? [];
      family.push(word);
      found.set(key, family);
    }
    families[place] = found;
    return found;
  }
  return {
    keyOf,
    language: { source: LANGUAGES[own] ?? LANGUAGES.en, target: LANGUAGES[back] ?? LANGUAGES.en },
    /** @param {string} text @param {Side} side @returns {[number, number][]} */
    words(text, side) {
      /** @type {[number, number][]} */
      const places = [];
      for (const { 0: word, index } of text.matchAll(WORD)) {
        const end = index + word.length;
        if (!isPrefix(word, text.slice(end))) places.push([index, end]);
      }
      for (const { 0: run, index } of text.matchAll(RUN))
        for (const [at, end] of cut([...run], tables[side], index)) places.push([at, end]);
      return places.sort(([one], [other]) => one - other);
    },
    /** @param {string} word @param {Side} side @returns {Set<string>} */
    glosses(word, side) {
      const all = new Set([word, ...(familiesOf(side).get(keyOf(word, side)) ?? [])]);
      const entries = [...all].filter((one) => Object.hasOwn(tables[side], one));
      const meant = entries.flatMap((one) => {
        const { own: gloss, others } = read(tables[side][one]);
        return [...(gloss[0] ? [gloss[0]] : []), ...others.map(([other]) => other)];
      });
      return new Set(meant.map((one) => one.toLowerCase()));
    },
  };
}

/** @typedef {ReturnType<typeof createDictionary>} Dictionary */

/** The longest words that a table has, one after the other. @param {string[]} run characters
 * @param {Record<string, any>} table @param {number} index where the run begins */
function* cut(run, table, index) {
  for (let at = 0, begin = index; at < run.length; ) {
    let size = Math.min(LONGEST, run.length - at);
    while (size > 1 && !Object.hasOwn(table, run.slice(at, at + size).join(""))) size -= 1;
    const end = begin + run.slice(at, at + size).join("").length;
    yield [begin, end];
    [at, begin] = [at + size, end];
  }
}

/** The words of a text, by the keys of their forms.
 * @param {string} whole @param {Dictionary} dictionary @param {Side} side */
function createText(whole, dictionary, side) {
  const text = whole.toLowerCase();
  const other = side === "target" ? "source" : "target";
  const own = dictionary.words(text, side).map(([begin, end]) => text.slice(begin, end));
  const keys = [...new Set(own.map((word) => dictionary.keyOf(word, side)))];
  function glosses() {
    const words = new Set(own.filter((word) => !isLight(word)));
    for (const [run] of text.matchAll(RUN)) {
      const letters = [...run];
      for (const [i] of letters.entries())
        for (let n = 1; n <= LONGEST; n += 1) words.add(letters.slice(i, i + n).join(""));
    }
    return new Set([...words].flatMap((word) => [...dictionary.glosses(word, side)]));
  }
  const standsFor = glosses();
  const said = new Set([...standsFor].map((gloss) => dictionary.keyOf(gloss, other)));
  return {
    standsFor,
    has(/** @type {string} */ word) {
      if (UNSPACED.test(word)) return text.includes(word);
      const key = dictionary.keyOf(word, side);
      return keys.some((one) => areAlike(key, one, dictionary.language[side]));
    },
    /** As it is, maybe with an s. */
    copies(/** @type {string} */ word) {
      if (UNSPACED.test(word)) return text.includes(word);
      return new RegExp(`(?<!${LETTER})${word}s?(?!${LETTER})`, "u").test(text);
    },
    isSaid(/** @type {string} */ word) {
      return said.has(dictionary.keyOf(word, other));
    },
  };
}

/** True of the keys of words of a family. @param {string} one @param {string} two
 * @param {import("../kit/types.js").Language} language */
function areAlike(one, two, { endings, is_compounding: isCompounding }) {
  if (one === two) return true;
  const [short, long] = [[...one], [...two]].sort((a, b) => a.length - b.length);
  if (isCompounding && short.length > ALIKE && long.join("").endsWith(short.join(""))) return true;
  const isEnding = (/** @type {string[]} */ letters) =>
    letters.length === 0 || endings.includes(letters.join(""));
  for (let n = 0; n <= short.length && (n === 0 || short[n - 1] === long[n - 1]); n += 1)
    if (n >= ALIKE && isEnding(short.slice(n)) && isEnding(long.slice(n))) return true;
  return false;
}
