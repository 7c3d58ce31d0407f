// For each letter of the output, the input letters that a task's rule makes it from. Pure
// functions.

/** @typedef {[number, number]} Link from a place in the input to a place in the output */

const DATES = [
  /^(?<day>\d+)(?<month>[a-z]+)(?<year>\d{4})$/d,
  /^(?<month>[a-z]+)(?<day>\d+),(?<year>\d{4})$/d,
  /^(?<day>\d+)\.(?<month>\d+)\.(?<year>\d{4})$/d,
  /^(?<month>\d+)\/(?<day>\d+)\/(?<year>\d{4})$/d,
];
const ISO = { year: [0, 4], month: [5, 7], day: [8, 10] }; // the place of each in 2049-12-31

/** @type {Record<string, (source: string, target: string) => Link[]>} */
const RULES = {
  copy: (source) => [...source].map((_, i) => [i, i]),
  reverse: (source) => [...source].map((_, i) => [source.length - 1 - i, i]),
  sort: (source) =>
    [...source]
      .map((letter, i) => ({ letter, i }))
      .sort((one, two) => (one.letter < two.letter ? -1 : one.letter > two.letter ? 1 : 0))
      .map(({ i }, to) => [i, to]),
  count: (source) => [...source].flatMap((letter, i) => (letter === "a" ? [[i, 0]] : [])),
  add: sums,
  date: dates,
};

/** @param {string} task @param {string} source @param {string} target @returns {Link[]} */
export const linksOf = (task, source, target) => RULES[task](source, target);

/** The two digits above each other, from the last; the digit in front is the carry of the first. */
function sums(source, target) {
  const digits = source.indexOf("+");
  return [...target].flatMap((_, to) => {
    const at = Math.max(0, digits - 1 - to);
    return /** @type {Link[]} */ ([
      [at, to],
      [digits + 1 + at, to],
    ]);
  });
}

/** Digits under digits, from the last; the letters of a month make both of its digits. */
function dates(source) {
  const found = DATES.map((form) => form.exec(source)).find((one) => one !== null);
  return Object.entries(ISO).flatMap(([part, [first, end]]) => {
    const [from, to] = found?.indices?.groups?.[part] ?? [0, 0];
    const isName = /[a-z]/.test(source.slice(from, to));
    const ends = Array.from({ length: end - first }, (_, i) => first + i);
    if (isName) {
      const letters = Array.from({ length: to - from }, (_, i) => from + i);
      return letters.flatMap((i) => ends.map((j) => /** @type {Link} */ ([i, j])));
    }
    return ends
      .map((j) => /** @type {Link} */ ([to - (end - j), j]))
      .filter(([place]) => place >= from);
  });
}
