// The chosen head as displayed: its weights after the options, and its rows and columns that are
// chosen or pointed at.

import { whenChanged } from "../../../assets/kit/elements.js";
import { headOf } from "../../../assets/kit/heads.js";
import { axes, pointedLines } from "../../../assets/kit/selection.js";
import { linesOf, placeOf, scaleOf, viewOf } from "./look.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */
/** @typedef {import("../../../assets/kit/types.js").Label} Label */

/**
 * @typedef {object} Sight one head after the options: what map, lines, files and sentences show
 * @property {Float32Array} cells
 * @property {number} queries
 * @property {number} keys
 * @property {Label[]} rows
 * @property {Label[]} columns
 * @property {number[][]} rowTokens the tokens that each row stands for
 * @property {number[][]} columnTokens
 * @property {Float32Array|null} kept what was left of each row when special tokens went
 * @property {Uint8Array|null} strong
 * @property {number} most the weight at the end of the scale
 * @property {(weight: number) => number} along where on the scale a weight is
 * @property {() => {level: number, row: number, col: number, weight: number}[]} links
 */

/** The record, which is there before the view is. @param {Page} page */
const recordOf = (page) =>
  /** @type {import("../../../assets/kit/types.js").Rec} */ (page.record.get());

/**
 * Returns of(name): the sight of a head of the chosen kind, kept as long as nothing changes it.
 * @param {Page} page
 * @param {import("../../../assets/kit/types.js").Store<import("./options.js").Options>} options
 */
export function createSights(page, options) {
  /** @type {Map<string, Sight>} */
  const kept = new Map();
  const isStale = whenChanged();

  return (name) => {
    const record = recordOf(page);
    const { kind, labels } = page.selection.get();
    const { rows, columns } = axes(record, kind, labels);
    const { words, specials, mass, own } = options.get();
    if (isStale(record, rows.labels, columns.labels, words, specials, mass, own)) kept.clear();
    const known =
      kept.get(name) ?? sightOf(record, name, rows.labels, columns.labels, options.get());
    kept.set(name, known);
    return known;
  };
}

/**
 * Returns of(cells): the sight of another measure of the cells of the chosen head, masked as it is;
 * kept as long as nothing changes it.
 * @param {Page} page
 * @param {import("../../../assets/kit/types.js").Store<import("./options.js").Options>} options
 */
export function createSecond(page, options) {
  const isStale = whenChanged();
  /** @type {any} */
  let kept = null;
  return (/** @type {Float32Array} */ values) => {
    const record = recordOf(page);
    const { kind, layer, head, labels } = page.selection.get();
    const { rows, columns } = axes(record, kind, labels);
    const { words, specials, mass, own } = options.get();
    const { queries, keys, head: cellsOf } = record.attention[kind];
    const weights = cellsOf(layer, head);
    if (isStale(values, weights, rows.labels, columns.labels, words, specials, mass, own)) {
      const cells = values.map((value, i) => (Number.isNaN(weights[i]) ? NaN : value));
      const map = { cells, queries, keys, rows: rows.labels, columns: columns.labels };
      const look = viewOf(map, options.get());
      const most = scaleOf(look.cells, own);
      kept = { ...look, most, along: (value) => value / most };
    }
    return kept;
  };
}

/** @returns {Sight} */
function sightOf(record, name, rows, columns, now) {
  const { kind, layer, head } = headOf(name);
  const { queries, keys, head: cellsOf } = record.attention[kind];
  const look = viewOf({ cells: cellsOf(layer, head), queries, keys, rows, columns }, now);
  const most = scaleOf(look.cells, now.own);
  /** @type {any} */
  let links = null;
  return {
    ...look,
    most,
    along: (weight) => weight / most,
    links() {
      links ??= linesOf(look, most);
      return links;
    },
  };
}

/**
 * The chosen and the pointed-at rows and columns as places in the sight; null where hidden.
 * @param {Page} page
 * @param {Sight} sight
 * @returns {{row: number|null, col: number|null, lit: import("../../../assets/kit/map.js").Place}}
 */
export function lightsOf(page, { rowTokens, columnTokens }) {
  const place = (tokens, token) => {
    const at = placeOf(tokens, token);
    return at === -1 ? null : at;
  };
  const chosen = page.selection.get();
  const lit = pointedLines(recordOf(page), chosen, page.hover.get());
  return {
    row: place(rowTokens, chosen.row),
    col: place(columnTokens, chosen.col),
    lit: { row: place(rowTokens, lit.row), col: place(columnTokens, lit.col) },
  };
}
