// The scoreboard, prepared for drawing. Pure functions.
//
// A place is a method with its layer and head, counted from 1; null: all.

/** @typedef {{aer: number, low: number, high: number}} Score */
/** @typedef {{method: string, layer: number|null, head: number|null, row_label: string} & Score}
 *   Row of the file */
/** Rows labelled by the token that is written, or by the one that is read.
 * @typedef {"written"|"read"} RowLabel */
/** @typedef {{key: string, method: string, layer: number|null, head: number|null,
 *   fits: RowLabel} & Record<RowLabel, Score>} Place */

/** @type {RowLabel[]} */
export const LABELS = ["written", "read"];
const AVERAGE = "random_head"; // a mean of scores: it has no picture

/** @param {{method: string, layer: number|null, head: number|null}} place */
export const keyOf = ({ method, layer, head }) => `${method}.${layer ?? 0}.${head ?? 0}`;

/** The places of a file, each with both labels and the one that fits it better.
 * @param {Row[]} rows @returns {Place[]} */
export function placesOf(rows) {
  /** @type {Map<string, any>} */
  const found = new Map();
  for (const { row_label: label, aer, low, high, ...place } of rows) {
    const key = keyOf(place);
    found.set(key, { ...place, key, ...found.get(key), [label]: { aer, low, high } });
  }
  return [...found.values()].map((one) => ({
    ...one,
    fits: one.written.aer <= one.read.aer ? "written" : "read",
  }));
}

/** @param {Place} place */
export const errorOf = (place) => place[place.fits].aer;

export const hasPicture = (/** @type {Place} */ { method }) => method !== AVERAGE;

/** Layers and whole models, or the heads by one method, best first.
 * @param {Place[]} places @param {string} shown "layers", or the method of the heads */
export const ranked = (places, shown) =>
  places
    .filter(({ method, head }) => (shown === "layers" ? head === null : head && method === shown))
    .sort((a, b) => errorOf(a) - errorOf(b));

/** The row of a picture that shows most: a link made by people that holds most of its row's cells,
 * among the rows that say what they mean, if any do; null without such a link.
 * @param {{cells: Float32Array, strongest: number[], sure: [number, number][], columns: number,
 *   told: (row: number) => boolean}} gold */
export function clearest({ cells, strongest, sure, columns, told }) {
  const links = sure.filter(([row, col]) => strongest[row] === col).map(([row]) => row);
  const rows = links.some(told) ? links.filter(told) : links;
  const holds = (/** @type {number} */ row) => cells[row * columns + strongest[row]];
  return rows.toSorted((a, b) => holds(b) - holds(a))[0] ?? null;
}

/** As many as fit, and always the chosen one. @param {Place[]} all */
export function fitting(all, /** @type {number} */ room, /** @type {string} */ chosen) {
  if (all.length <= room) return all;
  const kept = all.slice(0, room);
  const other = all.slice(room).find(({ key }) => key === chosen);
  return other ? [...kept.slice(0, -1), other] : kept;
}
