// The source and target languages of a model, where its card or its name says them: "en-zh".

import { LANGUAGES } from "./languagetable.js";

/** @typedef {import("./types.js").Page} Page */
/** @typedef {import("./types.js").Language} Language */

/** @typedef {Page["shared"]["models"][number]} Model one that the page lists */

const FEW = 3; // from as many words on a letter more tells the language of a text

/** The model that the page opens with in its language. @param {Page} page */
export const defaultOf = ({ shared: { models, opens }, language }) =>
  models.find(({ key }) => key === opens?.[language.get()]) ?? models[0];

/** The languages of the model on the page; an empty text if they are not known.
 * @param {Page} page */
export function languagePair(page) {
  const { models = [] } = page.shared;
  const key = page.record.get()?.model.key ?? (models.length > 0 ? defaultOf(page).key : "");
  return models.find((one) => one.key === key)?.pair ?? "";
}

/** The language that a pair begins with. @param {string} pair */
export const sourceOf = (pair) => pair.split("-")[0];

/** The pair the other way round. @param {string} pair */
export const reversed = (pair) => pair.split("-").reverse().join("-");

/** The names of the languages of the model on the page; null where these are not known.
 * @param {Page} page */
export function languageNames(page) {
  const pair = languagePair(page);
  if (pair === "") return null;
  const [source, target] = namesIn(pair, page);
  return { source, target };
}

/** "English into Chinese". @param {Page} page */
export function languagesOf(page) {
  const names = languageNames(page);
  return names ? page.t("languages.pair", names) : page.t("languages.any");
}

/** A model by its languages, "English → German", and by its name where that says more.
 * @param {Page} page @param {Pick<Model, "name"|"pair">} model */
export function titleOf(page, { name, pair }) {
  if (pair === "") return name;
  const title = namesIn(pair, page).join(" → ");
  return name === pair ? title : `${title} · ${name}`;
}

/** The same where there is little room: "EN → DE". @param {Page} page
 * @param {Pick<Model, "name"|"pair">} model */
export function shortTitleOf(page, model) {
  const codes = model.pair.toUpperCase().replace("-", " → ");
  return model.name === model.pair ? codes : titleOf(page, model);
}

/** The names of a pair's languages in the page's. @param {string} pair @param {Page} page */
const namesIn = (pair, page) =>
  pair.split("-").map((code) => nameOf(code, page.language.get()) || code);

/** The name of the language that a model reads. @param {Page} page @param {Model} model */
export const sourceName = (page, { pair }) => namesIn(pair, page)[0];

/** The model on this page that translates back; undefined if there is none. @param {Page} page */
export function reverseOf(page) {
  const back = reversed(languagePair(page));
  return back === "" ? undefined : page.shared.models.find(({ pair }) => pair === back);
}

/** The model for a typed text, if the one on the page does not read its language: of those that do
 * the one used last, else the one that the page opens with. @param {Page} page
 * @param {string} text @param {string} [pair] of another model than that on the page */
export function readerOf(page, text, pair = languagePair(page)) {
  const { models } = page.shared;
  const used = page.used.flatMap((key) => models.find((one) => one.key === key) ?? []);
  return readerAmong([...used, defaultOf(page), ...models], pair, text);
}

/** The first of some models that reads a text, if a model of a pair does not.
 * @param {Model[]} models @param {string} pair @param {string} text */
export function readerAmong(models, pair, text) {
  const [here, sources] = [sourceOf(pair), models.map((one) => sourceOf(one.pair))];
  const language = writtenIn(text, here, sources);
  return language === here ? undefined : models[sources.indexOf(language)];
}

/** Whether a text is in a language that no model on the page reads.
 * @param {Page} page @param {string} text */
export function isForeign(page, text) {
  const here = sourceOf(languagePair(page));
  const language = writtenIn(text, here, Object.keys(LANGUAGES));
  return language !== here && readerOf(page, text) === undefined;
}

/** The language of a text, of those given: by its script, and where several have that, by their
 * words; the one at hand if nothing tells, or if the table does not have it.
 * @param {string} text @param {string} here @param {string[]} languages the likelier ones first */
export function writtenIn(text, here, languages) {
  if (!Object.hasOwn(LANGUAGES, here)) return here;
  const known = [here, ...languages].filter((one) => Object.hasOwn(LANGUAGES, one));
  const counts = new Map(known.map((one) => [one, countOf(text, one)]));
  const most = Math.max(...counts.values());
  const alike = [...counts.keys()].filter((one) => counts.get(one) === most);
  const [first] = alike;
  if (LANGUAGES[first].common.length === 0) return first;
  const words = text.toLowerCase().match(wordsOf(LANGUAGES[first])) ?? [];
  const signs = alike.map((one) => signsIn(words, LANGUAGES[one]));
  const best = signs.indexOf(Math.max(...signs));
  const least = words.length < FEW ? 2 : 1;
  return signs[best] >= signs[0] + least ? alike[best] : first;
}

/** How many words speak for a language: those that only it has count twice.
 * @param {string[]} words @param {Language} language */
function signsIn(words, { common, habits }) {
  const habit = new RegExp(habits.join("|") || "(?!)", "u");
  const signOf = (/** @type {string} */ word) =>
    common.includes(word) ? 2 : Number(habit.test(word));
  return words.reduce((sum, word) => sum + signOf(word), 0);
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
