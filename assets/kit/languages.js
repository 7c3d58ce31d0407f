// The source and target languages of a model, where its card or its name says them: "en-zh".

/** @typedef {import("./types.js").Page} Page */

const WORDED = ["en-zh", "zh-en"]; // pairs that the page has words for

/** What is counted as a word of a language: a run of letters, or a character where words are not
 * apart. Other languages: Latin letters. @type {Record<string, RegExp>} */
const WORDS = {
  zh: /\p{Script=Han}/gu,
  ja: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu,
  th: /\p{Script=Thai}/gu,
  ko: /\p{Script=Hangul}+/gu,
  he: /\p{Script=Hebrew}+/gu,
  el: /\p{Script=Greek}+/gu,
  hi: /\p{Script=Devanagari}+/gu,
  ...same(["ru", "uk", "bg", "mk", "sr"], /\p{Script=Cyrillic}+/gu),
  ...same(["ar", "fa", "ur"], /\p{Script=Arabic}+/gu),
};
const LATIN = /\p{Script=Latin}+/gu;

/** @param {string[]} languages @param {RegExp} words */
function same(languages, words) {
  return Object.fromEntries(languages.map((language) => [language, words]));
}

/** The languages of the model on the page; an empty text if they are not known.
 * @param {Page} page */
export function languagePair({ shared, record }) {
  const { key, name } = record.get()?.model ?? { key: "", name: "" };
  const pair = shared.models?.find((one) => one.key === key)?.pair;
  return pair || (name === shared.shipped?.name ? shared.shipped.languages : "");
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

/** The script of a visitor's sentence, by which a view chooses sentences of its own: the twin of
 * `script_of` in explorer/examples.py. @param {string} text @returns {"han"|"latin"} */
export const scriptOf = (text) => (/[\u3400-\u9fff]/.test(text) ? "han" : "latin");

/** @param {string} text @param {string} language */
const countOf = (text, language) => text.match(WORDS[language] ?? LATIN)?.length ?? 0;
