// The numbers of a source stay whole in what our own models write: the rule `numbers` of
// model/rules.py, which says why.

/**
 * @typedef {number[][]} Numbers ids of the tokens of numbers, as `Numbers` of model/rules.py has them
 * @typedef {[number[], number[]]} Sign behind a digit and one of the first, none of the second may
 * come
 */

const SPACE = "▁";
const OF_NUMBERS = [
  "[0-9]+",
  `${SPACE}[0-9]+`,
  SPACE,
  "[:：]",
  "\\.",
  "[,，]",
  "[A-Za-z\u00c0-\u024f.].*",
].map((form) => new RegExp(`^(?:${form})$`, "u"));

/** The tokens of numbers in a vocabulary; null if some are not there. @param {string[]} pieces
 * @returns {Numbers|null} */
export function numbersOf(pieces) {
  const found = OF_NUMBERS.map((form) =>
    pieces.flatMap((piece, id) => (form.test(piece) ? [id] : [])),
  );
  return found.every((ids) => ids.length > 0) ? found : null;
}

/** What keeps the numbers of a source whole. @param {Numbers|null|undefined} numbers
 * @param {number[]} ids @returns {Sign[]} */
export function keptOf(numbers, ids) {
  if (!numbers) return [];
  const [bare, spaced, blank, colons, points, commas, joined] = numbers;
  const digits = [...bare, ...spaced];
  const has = (/** @type {number[]} */ all, /** @type {number[]} */ signs, after = all) =>
    all.some(
      (id, i) => digits.includes(id) && signs.includes(all[i + 1]) && after.includes(all[i + 2]),
    );
  if (has(ids, colons, bare)) return [[colons, [...blank, ...spaced]]];
  const dense = ids.filter((id) => !blank.includes(id));
  const goesOn = has(ids, commas, digits) || has(ids, points, joined) || has(dense, points, digits);
  return goesOn || !has(ids, points) ? [] : [[points, [...joined, ...digits]]];
}

/** The tokens that would change a number after the written ids. @param {number[]} ids
 * @param {Numbers|null} numbers @param {Sign[]} kept */
export function brokenAfter(ids, numbers, kept) {
  const [before = -1, last = -1] = ids.slice(-2);
  if (!numbers?.slice(0, 2).some((digits) => digits.includes(before))) return [];
  return kept.find(([signs]) => signs.includes(last))?.[1] ?? [];
}
