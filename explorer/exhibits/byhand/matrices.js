// Matrices as tables: those to type in, and those that were computed, each number a button.

import { colourOf, cssOf, inkOn, ramps } from "../../../assets/kit/colour.js";
import { arrow } from "../../../assets/kit/elements.js";
import { cellText } from "../../../assets/kit/numbers.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { at } from "./maths.js";
import { numberText } from "./origin.js";

export const MAX_NUMBER = 1000; // largest number to type, of either sign
/** The step of a typed matrix. @type {Record<string, Name>} */
const TYPED = { S: "scores", W: "weights" };

/** @typedef {import("./maths.js").Matrix} Matrix */
/** @typedef {import("../../../assets/kit/types.js").Page} Page */
/** @typedef {import("../../../assets/kit/types.js").Typed} Typed */
/** @typedef {import("./maths.js").Name} Name */
/** @typedef {import("./origin.js").Part} Part */
/** @typedef {import("./origin.js").Chosen} Chosen */
/** A cell that is being typed, and its text. @typedef {{name: Name, row: number, col: number,
 *   text: string}} Edit */

/** @param {Part[]} from @param {Part} cell */
const isLit = (from, { name, head, row, col }) =>
  from.some(
    (part) =>
      part.name === name &&
      part.head === head &&
      (part.row ?? row) === row &&
      (part.col ?? col) === col,
  );

/** @param {Matrix} matrix @param {unknown} caption
 * @param {(row: number, col: number) => unknown} cell gives a td */
const rowsOf = ({ rows, columns }, caption, cell) => html`<figcaption>${caption}</figcaption>
  <table>${Array.from(
    { length: rows },
    (_, row) => html`<tr>${Array.from({ length: columns }, (__, col) => cell(row, col))}</tr>`,
  )}</table>`;

/** A matrix to type in.
 * @param {Page} page @param {Name} name @param {Matrix} matrix
 * @param {{from: Part[], edit: Edit|null, onType: (edit: Edit) => void}} given */
export function typedMatrix({ t }, name, matrix, { from, edit, onType }) {
  const caption = t(`byhand.given.${name}`);
  return html`<figure class="hl-byhand-matrix" data-given=${name} @keydown=${move}>
    ${rowsOf(matrix, caption, (row, col) => {
      const isEdited = edit?.name === name && edit.row === row && edit.col === col;
      const text = isEdited ? edit.text : typedText(at(matrix, row, col));
      const lit = isLit(from, { name: TYPED[name] ?? name, row, col });
      return html`<td class=${lit ? "hl-lit" : ""}>
        <input type="text" inputmode="decimal" data-row=${row} data-col=${col} .value=${text}
          aria-invalid=${String(parsed(text) === null)}
          aria-label=${t("byhand.cell", { name: caption, row: row + 1, column: col + 1 })}
          @input=${(/** @type {Typed} */ event) =>
            onType({ name, row, col, text: event.target.value })}></td>`;
    })}</figure>`;
}

/** Up and down go to the same column of the next row.
 * @param {KeyboardEvent & {target: HTMLInputElement, currentTarget: HTMLElement}} event */
function move(event) {
  const step = arrow(event);
  if (step === null || step.rows === 0) return;
  event.preventDefault();
  const { row, col } = event.target.dataset;
  const next = `[data-row="${Number(row) + step.rows}"][data-col="${col}"]`;
  /** @type {HTMLElement|null} */ (event.currentTarget.querySelector(next))?.focus();
}

/** The text to type for a number: thirds as fractions. @param {number} value */
export function typedText(value) {
  const thirds = Math.round(value * 3);
  if (thirds % 3 !== 0 && thirds / 3 === value) return `${thirds}/3`;
  return String(value);
}

/** Parses a typed number, including "1/3" and "−2,5"; null if invalid. @param {string} text */
export function parsed(text) {
  const parts = text.trim().replace("−", "-").replace(",", ".").split("/");
  const isNumber = (/** @type {string} */ part) => /^\s*-?(\d+\.?\d*|\.\d+)\s*$/.test(part);
  if (parts.length > 2 || !parts.every(isNumber)) return null;
  const value = parts.length === 2 ? Number(parts[0]) / Number(parts[1]) : Number(parts[0]);
  return Number.isFinite(value) && Math.abs(value) <= MAX_NUMBER ? value : null;
}

/** A computed matrix; a click on a number shows where it comes from. Without onChoose it is only
 * displayed.
 * @param {Page} page @param {Matrix} matrix
 * @param {{name: Name, head?: number, caption: unknown, chosen?: Chosen, from: Part[],
 *   onChoose?: (chosen: Chosen) => void}} given */
export function computedMatrix(page, matrix, { name, head, caption, chosen, from, onChoose }) {
  const { t, theme } = page;
  const cell = (/** @type {number} */ row, /** @type {number} */ col) => {
    const value = at(matrix, row, col);
    const text = name === "weights" ? cellText(value) : numberText(value);
    const lit = isLit(from, { name, head, row, col }) ? "hl-lit" : "";
    if (!onChoose) return html`<td class=${lit}><span>${text}</span></td>`;
    const isChosen =
      chosen?.name === name && chosen.head === head && chosen.row === row && chosen.col === col;
    const place = { row: row + 1, column: col + 1, step: t(`byhand.name.${name}`) };
    const colour = colourOf(ramps[theme.get()], value);
    const ink = inkOn(colour);
    return html`<td class=${lit}><button type="button" data-row=${row} data-col=${col}
      aria-pressed=${String(isChosen)} aria-label="${t("byhand.place", place)}: ${text}"
      style=${name === "weights" ? `background:${cssOf(colour)};color:${ink}` : nothing}
      @click=${() => onChoose({ name, head, row, col })}>${text}</button></td>`;
  };
  return html`<figure class="hl-byhand-matrix" data-step=${name} data-head=${head ?? nothing}>
    ${rowsOf(matrix, caption, cell)}</figure>`;
}
