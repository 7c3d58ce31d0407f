// The numbers of a text and of its translation, compared as wholes: the twin of
// model/text/numbers.py, which has the explanations.

import { LANGUAGES } from "../kit/languagetable.js";

/** @typedef {number|string} Key the value, or the digits where these are no quantity: 0199 */
/** As it is written, and the keys that each of its parts may have elsewhere.
 * @typedef {{text: string, parts: Set<Key>[]}} Written */

const ROWS = Object.values(LANGUAGES);
/** @type {Map<string, number>} */
const VALUES = new Map(ROWS.flatMap(({ numerals }) => numerals));
const NUMBERED = ROWS.flatMap(({ numbered, is_spaced: isSpaced }) =>
  numbered.map(([word, value]) => ({ word, value, isSpaced })),
);
const SPACED = new Set(
  ROWS.filter((row) => row.is_spaced).flatMap(({ numerals }) => numerals.map(([word]) => word)),
);
const anyOf = (/** @type {Iterable<string>} */ words) =>
  [...words].sort((one, other) => other.length - one.length).join("|");
const OF_EACH = ROWS.filter(({ numerals }) => numerals.length > 0).map(({ numerals }) =>
  anyOf(numerals.map(([word]) => word)),
);
const NUMERAL = anyOf(VALUES.keys());
const FACTORS = new Set(ROWS.flatMap(({ factors }) => factors));
const FACTOR = anyOf([...FACTORS].filter((word) => (VALUES.get(word) ?? 0) > 10));
const DOZEN = 12;
const [FIRST_CENTURY, LAST_CENTURY] = [11, 20];
const CENTURY = "世纪";

const DIGITS =
  /(?<![A-Za-z0-9])(?:[0-9]+世纪[0-9]0(?=年代)|[1-9][0-9]{0,2}(?: [0-9]{3})+(?![0-9])|[0-9]+(?:[.,:'’-][0-9]+)*)/g;
const SCALE = ` ?((?:${FACTOR})(?: ?(?:${FACTOR}))*)(?![a-zäöüß])`;
const SCALED = new RegExp(`^${SCALE}`);
const DIGIT = new RegExp(`[0-9](?:${SCALE})?`, "giu");
const LETTER = "[a-zäöüß]";
const RUN = OF_EACH.map((one) => `(?:${one})(?:(?: and |und| |-|)(?:${one}))*`).join("|");
const WORDS = new RegExp(
  `(?<!${LETTER})((?:halb|to|vor) )?(${RUN})(th|s?te[nrs]?|ern?|einhalb|)(?!${LETTER})`,
  "giu",
);
const WORD = new RegExp(`${NUMERAL}|und`, "g");
const CLOCK = /^ ?(?:uhr|点|时|[ap]\.?m(?![\p{L}\p{N}_])|o'clock)/u;
const DECADE = /^(?:s|ern?)(?![a-z])|^年代/;
const HALF = new RegExp(
  `(?<!${LETTER})half(?!${LETTER})|(?:(?<!${LETTER})|ein|dert)halb(?:e[mnrs]?)?(?!${LETTER})|半`,
);
const NO_HALF = /半(?=导|岛|径|球|决赛)/g;
const GROUPED = /^([1-9][0-9]{0,2})((?:([ .,'’])[0-9]{3})(?:\3[0-9]{3})*)([.,][0-9]+)?$/;
const DECIMAL = /^[0-9]+[.,][0-9]+$/;
const TIME = /^[0-9]{1,2}[.,][0-9]{2}$/;
const LARGEST = 1e15;
const LONGEST = 15;

/** The numbers of a text, in digits or words, that another one does not have as wholes.
 * @param {string} text @param {string} other */
export const lacking = (text, other) => lackingOf([...written(text), ...named(text)], other);

/** The numbers that another text has in digits and that this one has in no way.
 * @param {string} text @param {string} other */
export const added = (text, other) => lackingOf(written(other), text);

/** @param {Written[]} numbers @param {string} other */
function lackingOf(numbers, other) {
  const there = keysOf(other);
  const isThere = (/** @type {Set<Key>} */ part) => [...part].some((key) => there.has(key));
  const lost = numbers.filter(({ parts }) => !parts.every(isThere));
  return [...new Set(lost.map(({ text }) => text))];
}

/** @param {string} text @returns {Set<Key>} */
function keysOf(text) {
  const lower = text.toLowerCase().replace(NO_HALF, "");
  const words = new Set(lower.match(new RegExp(`${LETTER}+`, "g")) ?? []);
  /** @type {Set<Key>} */
  const found = new Set([1]);
  const add = (/** @type {Iterable<Key>} */ keys) => {
    for (const key of keys) found.add(key);
  };
  for (const { parts } of written(text)) for (const part of parts) add(part);
  for (const match of withoutDigits(text).matchAll(WORDS))
    add(before(match, valuesOf(match[2].toLowerCase())));
  for (const { word, value, isSpaced } of NUMBERED)
    if (isSpaced ? words.has(word) : lower.includes(word)) found.add(value);
  return HALF.test(lower) ? new Set([...andAHalf(found), 0.5]) : found;
}

/** The numbers in digits. @param {string} text @returns {Written[]} */
function written(text) {
  return Array.from(text.matchAll(DIGITS), ({ 0: digits, index }) => {
    const rest = text.slice(index + digits.length).toLowerCase();
    const isTime = CLOCK.test(rest);
    const pieces = digits.split(isTime && TIME.test(digits) ? /[.,]/ : /[:-]/);
    const factors = countedOf(SCALED.exec(rest)?.[1] ?? "");
    const parts = pieces.flatMap((piece, i) =>
      partsOf(piece, i === pieces.length - 1 && factors.length > 0 ? factors : [1]),
    );
    const keys = parts.map((part) => part.map(rounded));
    const last = keys.length - 1;
    if (isTime || digits.includes(":"))
      keys[0].push(...numbersOf(keys[0]).flatMap((hour) => [hour + 12, hour - 12]));
    if (DECADE.test(rest)) keys[last].push(...numbersOf(keys[last]).map((year) => year % 100));
    const asked = keys.filter((one, i) => i === 0 || !one.includes(0));
    return { text: digits, parts: asked.map((one) => new Set(one)) };
  });
}

/** @param {string} piece @param {number[]} factors @returns {Key[][]} */
function partsOf(piece, factors) {
  const grouped = GROUPED.exec(piece);
  if (grouped) {
    const [, first, groups, , decimals = ""] = grouped;
    const digits = (first + groups).replace(/[^0-9]/g, "") + decimals.replace(",", ".");
    const whole = times(Number(digits), factors);
    const ones = piece.split(" ").map(keyOf);
    if (ones.length === 1) return [whole];
    return ones.map((one, i) => [
      ...whole,
      ...(i === ones.length - 1 ? times(one, factors) : [one]),
    ]);
  }
  if (DECIMAL.test(piece)) return [times(Number(piece.replace(",", ".")), factors)];
  if (piece.includes(CENTURY)) {
    const [century, years] = piece.split(CENTURY).map(Number);
    const year = 100 * (century - 1) + years;
    return [[century, years, year], [year]];
  }
  const ones = piece.split(/[.,'’]/).map(keyOf);
  return ones.map((one, i) => (i === ones.length - 1 ? times(one, factors) : [one]));
}

/** @param {Key} key @param {number[]} factors @returns {Key[]} */
const times = (key, factors) =>
  typeof key === "string" ? [key] : factors.map((factor) => key * factor);

/** @param {string} digits @returns {Key} */
function keyOf(digits) {
  const isCode = digits.startsWith("0") && digits.length > 2;
  return isCode || digits.length > LONGEST ? digits : Number(digits);
}

const numbersOf = (/** @type {Iterable<Key>} */ keys) =>
  [...keys].filter((one) => typeof one === "number");

/** Also half of one more. @param {Iterable<Key>} keys @returns {Key[]} */
const andAHalf = (keys) => [...keys, ...numbersOf(keys).map((one) => one + 0.5)];

const rounded = (/** @type {Key} */ key) =>
  typeof key === "string" ? key : Number(key.toPrecision(12));

/** The numbers in words of a language with spaces. @param {string} text @returns {Written[]} */
function named(text) {
  const hasHalf = HALF.test(text.toLowerCase());
  return [...withoutDigits(text).matchAll(WORDS)].flatMap((match) => {
    const run = match[2].toLowerCase();
    const isWord = wordsOf(run).every((one) => one === "und" || SPACED.has(one));
    if (!isWord || match[3]) return [];
    const parts = countsOf(run).map((part) => before(match, part));
    return [{ text: match[2], parts: parts.map((one) => new Set(hasHalf ? andAHalf(one) : one)) }];
  });
}

/** What is asked for of a run of words, part by part. @param {string} run @returns {Key[][]} */
function countsOf(run) {
  const counted = countedOf(run);
  if (counted.length > 0) return [counted];
  const halves = totalOf(run) === null ? halvesOf(run) : null;
  if (halves === null) return [];
  const [century, rest] = halves;
  const isAsked = century >= FIRST_CENTURY && century <= LAST_CENTURY && rest !== century + 1;
  return isAsked ? halves.map((one) => [...ofHalves(halves), one]) : [];
}

/** The number that some words count together, and of dozens their number.
 * @param {string} run @returns {number[]} */
function countedOf(run) {
  const total = totalOf(run);
  if (!total) return [];
  const last = wordsOf(run).at(-1) ?? "";
  return FACTORS.has(last) && VALUES.get(last) === DOZEN ? [total, total / DOZEN] : [total];
}

/** The two numbers of two digits that some words are. @param {string} run */
function halvesOf(run) {
  const words = wordsOf(run);
  const hasTwoDigits = (/** @type {number|null} */ one) => one !== null && one >= 10 && one < 100;
  for (const i of words.keys()) {
    const halves = [words.slice(0, i), words.slice(i)].map((one) => totalOf(one.join(" ")));
    if (halves.every(hasTwoDigits)) return halves.map(Number);
  }
  return null;
}

/** The year and the price that two numbers may name. @param {number[]} halves */
const ofHalves = ([first, rest]) => [100 * first + rest, rounded(first + rest / 100)];

/** Also the hour before. @param {RegExpMatchArray} match @param {Key[]} values @returns {Key[]} */
const before = (match, values) =>
  match[1]
    ? [...values, ...values.map((one) => (typeof one === "number" ? one - 1 : one))]
    : values;

const withoutDigits = (/** @type {string} */ text) => text.replace(DIGIT, "0");

/** What a run of words may count. @param {string} run @returns {Key[]} */
function valuesOf(run) {
  const total = totalOf(run);
  if (total !== null) return [total, ...countedOf(run)];
  const values = wordsOf(run).filter((word) => word !== "und");
  const numbers = values.map((word) => VALUES.get(word) ?? 0);
  const halves = halvesOf(run);
  const years = halves === null ? [] : ofHalves(halves);
  return [...numbers, keyOf(numbers.join("")), ...years, ...eitherOf(run)];
}

/** The two numbers of a run with two digits to choose from. @param {string} run */
function eitherOf(run) {
  const words = wordsOf(run);
  const digits = words.map((word) => VALUES.get(word) ?? 0);
  return digits.flatMap((one, i) => {
    const isChoice = one > 0 && one < digits[i + 1] && digits[i + 1] < 10;
    const totals = [i, i + 1].map((n) => totalOf(words.filter((_, m) => m !== n).join(" ")));
    return isChoice ? totals.flatMap((total) => total || []) : [];
  });
}

const wordsOf = (/** @type {string} */ run) => run.match(WORD) ?? [];

/** The number that some words count together; null if they are several numbers.
 * @param {string} run @returns {number|null} */
function totalOf(run) {
  let [total, isAfter] = [0, false];
  for (const [i, word] of wordsOf(run).entries()) {
    const value = VALUES.get(word); // "und" has none
    if (value !== undefined && FACTORS.has(word)) {
      const own = total % value;
      total += (own || 1) * value - own;
      if (total > LARGEST) return null;
    } else if (value !== undefined) {
      const isFree = total === 0 || i === 0 || isAfter || total % 10 ** String(value).length === 0;
      if (!isFree) return null;
      total += value;
    }
    isAfter = value === undefined;
  }
  return total;
}
