// The source and target languages of a model, where its card or its name says them: "en-zh".

import { LANGUAGES } from "./languagetable.js";

/** @typedef {import("./types.js").Page} Page */
/** @typedef {import("./types.js").Language} Language */

const WORDED = ["en-zh", "zh-en"]; // pairs that the page has words for

/** The languages of the model on the page; an empty text if they are not known.
 * @param {Page} page */
export function languagePair({ shared: { models = [] }, record }) {
  const { key } = record.get()?.model ?? models[0] ?? { key: "" };
  return models.find((one) => one.key === key)?.pair ?? "";
}

/** The end of the keys of words about them. @param {Page} page */
export function pairOf(page) {
  const pair = languagePair(page);
  return WORDED.includes(pair) ? pair : "any";
}

/** "English into Chinese". @param {Page} page */
export const languagesOf = (page) => page.t(`languages.${pairOf(page)}`);

/** The model on this page that translates back; undefined if there is none. @param {Page} page */
export function reverseOf(page) {
  const back = languagePair(page).split("-").reverse().join("-");
  return back === "" ? undefined : page.shared.models.find(({ pair }) => pair === back);
}

/** The model for a typed text: the one that translates back, if more of the text is in its script
 * than in that of the model on the page. @param {Page} page @param {string} text */
export function readerOf(page, text) {
  const [source, target] = languagePair(page).split("-");
  const reverse = reverseOf(page);
  if (!reverse || countOf(text, source) >= countOf(text, target)) return undefined;
  return reverse;
}

/** The names of languages for their codes ("fra_Latn", "en_XX", "pt"): in a language of the page
 * first, then in the other and in their own, as far as the browser knows them. A script is named
 * where a language has several here. @param {string[]} codes @param {string} language
 * @returns {string[][]} */
export function namesOf(codes, language) {
  const roots = codes.map((code) => code.split("_")[0]);
  return codes.map((code, i) => {
    const isOne = /_[A-Z][a-z]{3}$/.test(code) && count(roots, roots[i]) === 1;
    const tag = isOne ? roots[i] : code.replace(/_XX$/, "").replaceAll("_", "-");
    const shown = [language, "en", "zh", roots[i]];
    return [...new Set(shown.map((one) => nameOf(tag, one)).filter(Boolean))];
  });
}

/** @param {string[]} roots @param {string} root */
const count = (roots, root) => roots.filter((one) => one === root).length;

/** The name of a language in another; empty where the browser has none, or the tag is none.
 * @param {string} tag @param {string} shown */
function nameOf(tag, shown) {
  try {
    const names = new Intl.DisplayNames([shown], { type: "language", fallback: "none" });
    return names.of(tag) ?? "";
  } catch {
    return "";
  }
}

/** What a view has for the language of a visitor's sentence, English if it has nothing: the twin of
 * `language_of_all` in model/text/languages.py. @template T @param {Record<string, T>} known
 * @param {string} text @returns {T} */
export function ownOf(known, text) {
  const { letters } = languageOf(text);
  const alike = Object.values(LANGUAGES).filter(
    ({ code, letters: its }) => its === letters && Object.hasOwn(known, code),
  );
  const counts = alike.map((language) => {
    const words = text.toLowerCase().match(wordsOf(language)) ?? [];
    return words.filter((word) => language.common.includes(word)).length;
  });
  return known[alike[counts.indexOf(Math.max(...counts))]?.code ?? "en"];
}

/** @param {string} text @param {string} language */
const countOf = (text, language) => text.match(wordsOf(languageNamed(language)))?.length ?? 0;

/** The language of a code; one that is not known has the properties of English.
 * @param {string} code */
export const languageNamed = (code) => LANGUAGES[code] ?? LANGUAGES.en;

/** What is counted as a word: a run of letters, or a letter where no space separates words.
 * @param {Language} language */
const wordsOf = ({ letters, shared, is_spaced: isSpaced }) =>
  new RegExp(`[${letters}${shared}]${isSpaced ? "+" : ""}`, "gu");

/** The first language of each script but Latin, which stands in texts of all others. */
const OTHERS = Object.values(LANGUAGES).filter(
  ({ letters }, i, all) =>
    letters !== LANGUAGES.en.letters && all.findIndex((one) => one.letters === letters) === i,
);

/** The language whose script has a third of a text's letters, else English: the twin of
 * `language_of` in model/text/languages.py, which says more. @param {string} text */
export function languageOf(text) {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const isOf = (/** @type {Language} */ { letters: its, shared }) => {
    const own = text.match(new RegExp(`[${its}]`, "gu"))?.length ?? 0;
    return own > 0 && (shared !== "" || 3 * own >= letters);
  };
  return OTHERS.find(isOf) ?? LANGUAGES.en;
}

// Letters and digits that Unicode calls wide, without Hangul.
const ALONE =
  /^[\u1100-\u115f\u3005-\u3229\u3251-\ua48c\ua960-\ua97c\uf900-\ufad9\uff10-\uff5a\u{16fe0}-\u{1b2fb}\u{20000}-\u{3134a}]/u;
/** Whether the first letter of a text is one of those of which each can be a word.
 * @param {string} text */
export const isAlone = (text) => ALONE.test(text);
