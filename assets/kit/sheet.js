// A table of numbers, declared once for the page and for its CSV file.

import { html, nothing } from "../vendor/lit-html.js";
import { downloads } from "./download.js";
import { unbroken } from "./sentence.js";
import { table } from "./table.js";

/**
 * @template R
 * @typedef {object} SheetColumn
 * @property {(row: R, i: number) => any} cell
 * @property {((row: R, i: number) => string|number|null)|null} [csv] by default the cell itself;
 * null if the column is not a separate number
 * @property {boolean} [text] words rather than numbers: aligned at the left
 * @property {string} [head] the heading; by default the view's words for the column's name
 */

/**
 * @template R
 * @typedef {object} Sheet
 * @property {string} name the table's heading, and its name for a screen reader
 * @property {string} [file] part of the name of its CSV file; by default the view's name
 * @property {string} [class]
 * @property {R[]} rows
 * @property {Record<string, SheetColumn<R>>} columns
 * @property {(row: R, i: number) => boolean} [chosen]
 * @property {(row: R, i: number) => void} [onChoose]
 * @property {unknown[]} [foot]
 * @property {unknown} [note] a sentence above the table
 */

/** The numbers of a sheet as rows of a CSV file.
 * @param {Sheet<any>} sheet @returns {(string|number|null)[][]} */
export function rowsOf({ columns, rows }) {
  const kept = Object.entries(columns).filter(([, { csv }]) => csv !== null);
  return [
    kept.map(([name]) => name),
    ...rows.map((row, i) => kept.map(([, { csv, cell }]) => (csv ?? cell)(row, i))),
  ];
}

/**
 * The sheet on the page: heading, table, CSV.
 * @param {import("./types.js").Page} page
 * @param {Sheet<any>} sheet
 * @param {(key: string) => string} t the view's words
 * @param {string} file
 */
export function sheetOf(page, sheet, t, file) {
  const { name, columns, rows, chosen = () => false, onChoose, foot, note } = sheet;
  const named = Object.entries(columns);
  return html`<section class="hl-stack">
    <h3>${unbroken(name)}</h3>
    ${note === undefined ? nothing : html`<p class="hl-note">${note}</p>`}
    ${table({
      label: name,
      class: sheet.class ?? "",
      columns: named.map(([key, { text, head }]) => ({ name: head ?? t(key), text })),
      rows: rows.map((row, i) => ({
        chosen: chosen(row, i),
        onChoose: onChoose && (() => onChoose(row, i)),
        cells: named.map(([, { cell }]) => cell(row, i)),
      })),
      foot,
    })}
    ${downloads(page, sheet.file ?? file, { csv: () => rowsOf(sheet) })}
  </section>`;
}
