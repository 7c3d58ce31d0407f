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
export function languagePair({ shared: { models = [], ...shared }, record }) {
  const { key, name } = record.get()?.model ?? models[0] ?? { key: "", name: "" };
  const pair = models.find((one) => one.key === key)?.pair;
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

/** The names of languages for their codes ("fra_Latn", "en_XX", "pt"): in a language of the page
 * first, then in the other and in their own, as far as the browser knows them. A script is named
 * where a language has several here. @param {string[]} codes @param {string} language
 * @returns {string[][]} */
export function namesOf(codes, language) {
  const roots = codes.map((code) => code.split("_")[0]);
  return codes.map((code, i) => {
    const isOne = /_[A-Z][a-z]{3}$/.test(code) && count(roots, roots[i]) === 1;
    const tag = isOne ? roots[i] : code.replace(/_XX$/, "").replaceAll("_", "-");
    const shown = [language, language === "en" ? "zh" : "en", roots[i]];
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

/** The script of a visitor's sentence, by which a view chooses sentences of its own: the twin of
 * `script_of` in explorer/examples.py. @param {string} text @returns {"han"|"latin"} */
export const scriptOf = (text) => (/[\u3400-\u9fff]/.test(text) ? "han" : "latin");

/** @param {string} text @param {string} language */
const countOf = (text, language) => text.match(WORDS[language] ?? LATIN)?.length ?? 0;
