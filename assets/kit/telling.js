// The place on which a view opens where neither the visitor nor a link chose one: the step, row or
// column that says most, by a measure of the view's own. It is found in every record alike, however
// its sentence has arrived; what is chosen is never overwritten.

import { nameOf } from "./heads.js";
import { languageOf } from "./languages.js";
import { wordsOf } from "./payload.js";
import { axes, select } from "./selection.js";

/** @typedef {import("./types.js").Rec} Rec */
/** @typedef {import("./types.js").Selection} Selection */
/** @typedef {import("./types.js").Page} Page */

const LITTLE = 3; // times as much elsewhere: then a place says little
const CLEAR = 3; // one row in so many is clear: a weak line says nothing, whatever it crosses

/** A place, and how much the view says there. @typedef {Partial<Selection> & {says: number}} Telling */

/**
 * The scene with the selection at the telling place, which becomes the page's: once for each record
 * and head that a view shows. Where there is nothing to find, or not yet, the scene stays.
 * @param {{name: string, telling?: (s: any) => Telling[]|null}} view
 * @param {any} s the scene: without an answer before the view asks, with all of it after that
 */
export function toldIn(view, s) {
  const { page, record, selection } = s;
  const { chosen } = page;
  const about = nameOf(selection);
  const isFound =
    chosen.by?.record === record && chosen.by.view === view.name && chosen.by.about === about;
  if (view.telling === undefined || chosen.place || isFound) return s;
  const places = view.telling(s);
  if (places === null) return s;
  chosen.by = { record, view: view.name, about };
  const place = mostTelling(places);
  if (place !== null) page.selection.set(select(page.selection.get(), place, record));
  return { ...s, selection: page.selection.get() };
}

/** The place that says most, the first of equal ones; null where none says anything.
 * @param {Telling[]} places @returns {Partial<Selection>|null} */
function mostTelling(places) {
  const most = Math.max(0, ...places.map(({ says }) => says));
  const found = places.find(({ says }) => says === most && most > 0);
  if (found === undefined) return null;
  const { says, ...place } = found;
  return place;
}

/** The place that says most, where the selected one says less than a third of it; else null.
 * @param {Telling[]} places @param {Selection} selection */
export function moreTelling(places, selection) {
  const isHere = (/** @type {Telling} */ { says, col, ...place }) =>
    Object.entries(place).every(([name, at]) => /** @type {any} */ (selection)[name] === at);
  const here = places.find(isHere)?.says ?? 0;
  return mostTelling(places.filter(({ says }) => says > LITTLE * here));
}

/** Every step that writes a whole word (if none does, every step), as a place.
 * @param {Rec} record @param {(step: number) => number} says
 * @returns {{step: number, says: number}[]} */
export const steps = ({ tgt_out: written }, says) =>
  wholeWords(written).map((step) => ({ step, says: says(step) }));

const isTelling = (/** @type {string} */ text) =>
  /\p{L}{4}/u.test(text) || (/\p{L}/u.test(text) && !languageOf(text).is_spaced);

/** The words that are one token each, or all if none is: "·al" says nothing.
 * @param {import("./types.js").Label[]} labels */
function wholeWords(labels) {
  return kept(wordsOf(labels), (i) => !labels[i].joined && !labels[i + 1]?.joined);
}

/** The words that mean something by themselves, or all if none does: "the" is no example, and of
 * words with a meaning in the other language none is without.
 * @param {import("./types.js").Label[]} labels */
export function tellingWords(labels) {
  const telling = kept(wholeWords(labels), (i) => isTelling(labels[i].text));
  return kept(telling, (i) => Boolean(labels[i].gloss?.[0]));
}

/** Those of a list that a condition holds for, or all if it holds for none.
 * @template T @param {T[]} all @param {(one: T) => boolean} holds */
function kept(all, holds) {
  const some = all.filter(holds);
  return some.length > 0 ? some : all;
}

/** How close the runner-up came: its probability; 0 where the visitor forced the token.
 * @param {Rec} record @param {number} step */
export function runnerUp({ steps: all }, step) {
  const { top, forced } = all[step];
  return forced || top.length < 2 ? 0 : Math.exp(top[1].log_prob);
}

/**
 * The rows of a map, by the weight of their strongest cell, if both its sides are words. Where rows
 * and columns are two sentences, a clear line that crosses others says more: the order of the words
 * is what the head has to find out. Where no row reads a word, the weight alone counts.
 * @param {{cells: ArrayLike<number>, keys: number, rows: import("./types.js").Label[],
 *   columns: import("./types.js").Label[], isPair: boolean}} map NaN is a masked cell
 * @returns {{row: number, says: number}[]}
 */
export function rowsByLinks({ cells, keys, rows, columns, isPair }) {
  const words = new Set(wordsOf(columns));
  const links = wordsOf(rows).map((row) => strongestIn(cells, keys, row));
  const told = links.filter(({ col, isOpen }) => words.has(col) && isOpen);
  if (told.length === 0)
    return links.map(({ row, weight, isOpen }) => ({ row, says: isOpen ? weight : 0 }));
  const crossed = (/** @type {{row: number, col: number}} */ one) =>
    told
      .filter((other) => (other.row - one.row) * (other.col - one.col) < 0)
      .reduce((sum, { weight }) => sum + weight, 0);
  const heaviest = told.map(({ weight }) => weight).sort((one, other) => other - one);
  const least = heaviest[Math.ceil(told.length / CLEAR) - 1];
  return told.map((one) => ({
    row: one.row,
    says: one.weight * (1 + (isPair && one.weight >= least ? crossed(one) : 0)),
  }));
}

/** The strongest cell of a row; `isOpen` where it could have read another one.
 * @param {ArrayLike<number>} cells @param {number} keys @param {number} row */
function strongestIn(cells, keys, row) {
  let [col, weight, open] = [0, 0, 0];
  for (let j = 0; j < keys; j += 1) {
    const one = cells[row * keys + j];
    if (Number.isNaN(one)) continue;
    open += 1;
    if (one > weight) [col, weight] = [j, one];
  }
  return { row, col, weight, isOpen: open > 1 };
}

/** The rows of the chosen head that are whole words, as places; the column stays open, so that a
 * row shows its strongest.
 * @param {{record: Rec, selection: Selection}} s @returns {Telling[]} */
export function headRows({ record, selection: { kind, layer, head, labels } }) {
  const maps = record.attention[kind];
  const { rows, columns } = axes(record, kind, labels);
  const map = { cells: maps.head(layer, head), keys: maps.keys, isPair: kind === "cross" };
  const whole = new Set(wholeWords(rows.labels));
  const links = rowsByLinks({ ...map, rows: rows.labels, columns: columns.labels });
  return kept(links, ({ row }) => whole.has(row)).map((one) => ({ ...one, col: null }));
}
