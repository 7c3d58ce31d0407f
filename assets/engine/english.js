// English words that are one word in different forms: the twin of model/text/english.py, which has
// the explanations. Pure functions.

/** The irregular forms, each with the word that it counts as; they come with a table of glosses.
 * @typedef {Record<string, string>} Forms */

/** @type {Record<string, string>} */
const CLITICS = {
  "n't": "not",
  "'m": "am",
  "'re": "are",
  "'ve": "have",
  "'ll": "will",
  "'d": "would",
};
const IS = new Set("it that he she what there where who how here this when".split(" "));
const CLITIC = /^(.+?)(n't|'(?:m|re|ve|ll|d|s))$/u;
const ODD = new Map([
  ["can't", "can"],
  ["won't", "will"],
  ["shan't", "shall"],
  ["cannot", "can"],
]);
const ENDINGS = [
  ["ies", "y"],
  ["ied", "y"],
  ["ing", ""],
  ["ed", ""],
  ["es", ""],
  ["s", ""],
];

/** The words in a contraction, in small letters; "you'll" -> "you", "will"; else the word.
 * @param {string} contraction @returns {string[]} */
export function parts(contraction) {
  const word = contraction.replaceAll("’", "'");
  const odd = ODD.get(word);
  if (odd !== undefined) return [odd, "not"];
  const [, first, clitic] = CLITIC.exec(word) ?? [word, word, ""];
  if (clitic === "") return [word];
  if (clitic !== "'s") return [first, CLITICS[clitic]];
  if (first === "let") return [first, "us"];
  return IS.has(first) ? [first, "is"] : [first];
}

/** A key that the forms of a word share. @param {string} word @param {Forms} forms */
export function base(word, forms) {
  const baseOf = (/** @type {string} */ form) => (Object.hasOwn(forms, form) ? forms[form] : null);
  const irregular = baseOf(word);
  if (irregular !== null) return withoutE(irregular);
  for (const [ending, instead] of ENDINGS) {
    const stem = stemOf(word, ending);
    if (stem === null) continue;
    const found = stem + instead;
    return withoutE(baseOf(found) ?? baseOf(`${found}e`) ?? found);
  }
  return [...word].length > 3 ? withoutE(word) : word;
}

/** The word without an ending, if it is one. @param {string} word @param {string} ending */
function stemOf(word, ending) {
  const stem = withoutEnding(word, ending);
  if (stem === word || [...stem].length < 3 || /(?:ss|us|is)$/.test(word)) return null;
  if (ending === "es" && !/(?:s|x|ch|sh)$/.test(stem)) return null;
  if (ending !== "ing" && ending !== "ed") return stem;
  if (!/[aeiouy]/.test(stem)) return null;
  return stem.at(-1) === stem.at(-2) && !/[sl]$/.test(stem) ? stem.slice(0, -1) : stem;
}

const withoutE = (/** @type {string} */ word) => withoutEnding(word, "e");
const withoutEnding = (/** @type {string} */ word, /** @type {string} */ ending) =>
  word.endsWith(ending) ? word.slice(0, word.length - ending.length) : word;
