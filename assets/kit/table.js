// A table from data: names of columns, rows of cells. Cells are text or templates.

import { html, nothing } from "../vendor/lit-html.js";
import { unbroken } from "./sentence.js";

/**
 * @typedef {object} Column
 * @property {unknown} name the heading; empty for a cell without one
 * @property {boolean} [text] words rather than numbers: aligned at the left
 * @property {string} [title] a tooltip of the head
 */

/**
 * @typedef {object} Row
 * @property {unknown[]} cells
 * @property {boolean} [chosen]
 * @property {string} [class]
 * @property {string} [title]
 * @property {() => void} [onChoose] the row can be chosen, by pointer and by keyboard
 */

/**
 * `head` makes the first cell of each row its heading. Without `label` the table needs a heading
 * nearby that names it for a screen reader.
 * @param {{label?: string, columns: Column[], rows: Row[], head?: boolean, class?: string,
 *   foot?: unknown[]}} given
 */
export function table({ label, columns, rows, head = true, class: name = "", foot }) {
  return html`<div class="hl-scroll" tabindex="0" role="region" aria-label=${label ?? nothing}>
    <table class="hl-table ${name}">
      <thead><tr>${columns.map(columnHead)}</tr></thead>
      <tbody>${rows.map((row) => tableRow(row, columns, head))}</tbody>
      ${
        foot
          ? html`<tfoot><tr>${foot.map(
              (cell, i) => html`<td
        class=${columns[i]?.text ? "hl-text" : nothing}>${cell}</td>`,
            )}</tr></tfoot>`
          : nothing
      }
    </table>
  </div>`;
}

/** @param {Column} column */
const columnHead = ({ name, text, title }) =>
  name === ""
    ? html`<td class=${text ? "hl-text" : nothing}></td>`
    : html`<th scope="col" class=${text ? "hl-text" : nothing}
      title=${title ?? nothing}>${typeof name === "string" ? unbroken(name) : name}</th>`;

/** @param {Row} row @param {Column[]} columns @param {boolean} head */
function tableRow({ cells, chosen, class: name = "", title, onChoose }, columns, head) {
  const press = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    onChoose?.();
  };
  return html`<tr class="${chosen ? "hl-chosen" : ""} ${name}" title=${title ?? nothing}
    tabindex=${onChoose ? "0" : nothing}
      aria-selected=${onChoose ? String(Boolean(chosen)) : nothing}
    @click=${onChoose ?? nothing} @keydown=${onChoose ? press : nothing}>
    ${cells.map((cell, i) => {
      const side = columns[i]?.text ? "hl-text" : nothing;
      return head && i === 0
        ? html`<th scope="row" class=${side}>${cell}</th>`
        : html`<td class=${side}>${cell}</td>`;
    })}
  </tr>`;
}
