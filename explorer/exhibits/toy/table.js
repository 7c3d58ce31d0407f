// The table of probabilities: for the first letter, and after each letter. Each row sums to 1.

import { button } from "../../../assets/kit/choice.js";
import { arrow } from "../../../assets/kit/elements.js";
import { table } from "../../../assets/kit/table.js";
import { html } from "../../../assets/vendor/lit-html.js";
import { readProbability, shared, sumOf, wrongRow } from "./sums.js";

/** @typedef {import("../../../assets/kit/types.js").Typed} Typed */
/** @typedef {{text: string, value: number|null}} Cell what was typed, and the number that it is */
/** @typedef {Pick<import("../../../assets/kit/exhibit.js").Base, "t"|"page">} Words of a scene */
/** As a link keeps it: typed, or computed. @typedef {string|number} Kept */

/** @param {number} value @returns {Cell} */
const cellOf = (value) => ({ text: String(Number(value.toFixed(4))), value });

/** @param {number[][]} numbers @returns {Cell[][]} */
export const cellsOf = (numbers) => numbers.map((row) => row.map(cellOf));

/** The form in a link: the typed text, or the computed number.
 * @param {Cell[][]} cells @returns {Kept[][]} */
export const keptCells = (cells) =>
  cells.map((row) =>
    row.map(({ text, value }) =>
      value === null || readProbability(text) === value ? text : value,
    ),
  );

/** @param {Kept[][]} kept @returns {Cell[][]} */
export const readCells = (kept) =>
  kept.map((row) =>
    row.map((one) =>
      typeof one === "number" ? cellOf(one) : { text: one, value: readProbability(one) },
    ),
  );

/** The numbers of the cells, and the error in them (a sentence, or "").
 * @param {Words} s @param {Cell[][]} cells */
export function judge({ t, page: { facts } }, cells) {
  const table = cells.map((row) => row.map(({ value }) => value ?? NaN));
  const bad = cells.flat().find(({ value }) => value === null);
  if (bad) return { table, trouble: t("refused.number", { value: bad.text }) };
  const wrong = wrongRow(table, facts.tolerance);
  if (wrong === null) return { table, trouble: "" };
  const sum = String(Number(wrong.sum.toPrecision(6)));
  if (wrong.row === 0) return { table, trouble: t("refused.start", { sum }) };
  const letter = facts.letters[wrong.row - 1];
  return { table, trouble: t("refused.after", { letter, sum }) };
}

/** @param {Words} s @param {Cell[][]} cells
 * @param {(row: number, change: (row: Cell[]) => Cell[]) => void} onRow `change` receives the
 * current row: several cells may be typed before the next drawing */
export function tableOf({ t, page: { facts } }, cells, onRow) {
  const letters = [...facts.letters];
  const nameOf = (/** @type {number} */ row) =>
    row === 0 ? t("row.start") : t("row.after", { letter: letters[row - 1] });
  const input = (/** @type {number} */ row, /** @type {number} */ column) => html`<input type="text"
    inputmode="decimal" maxlength="8" autocomplete="off" data-cell="${row}.${column}"
    aria-label=${t("cell", { row: nameOf(row), letter: letters[column] })}
    aria-invalid=${String(cells[row][column].value === null)} .value=${cells[row][column].text}
    @focus=${(/** @type {Typed} */ { target }) => target.select()}
    @input=${(/** @type {Typed} */ { target: { value: text } }) => {
      onRow(row, (now) => now.with(column, { text, value: readProbability(text) }));
    }}>`;
  return html`<div @keydown=${move}>${table({
    label: t("table"),
    class: "hl-toy-table",
    columns: ["", ...letters, t("sum")].map((name) => ({ name, text: true })),
    rows: cells.map((row, i) => ({
      cells: [
        nameOf(i),
        ...row.map((_, column) => input(i, column)),
        sumCell(t, row, nameOf(i), facts.tolerance, () =>
          onRow(i, (now) => shared(now.map(({ value }) => value ?? 0)).map(cellOf)),
        ),
      ],
    })),
  })}</div>`;
}

/** The sum of a row; if it is not 1, with a button to normalise it.
 * @param {Words["t"]} t @param {Cell[]} row @param {string} name @param {number} tolerance
 * @param {() => void} onShare */
function sumCell(t, row, name, tolerance, onShare) {
  const numbers = row.map(({ value }) => value ?? NaN);
  const sum = sumOf(numbers);
  const isRight = wrongRow([numbers], tolerance) === null;
  if (Number.isNaN(sum)) return "?";
  if (isRight) return html`<output>${cellOf(sum).text}</output>`;
  const title = t("share.name", { row: name });
  return html`<output class="hl-wrong">${cellOf(sum).text}</output>
    ${button({ label: t("share"), title, onClick: onShare })}`;
}

/** Arrow keys go from cell to cell; inside a number left and right move the caret first.
 * @param {KeyboardEvent & {target: HTMLInputElement, currentTarget: HTMLElement}} event */
function move(event) {
  const step = arrow(event);
  const { cell } = event.target.dataset;
  if (step === null || cell === undefined) return;
  const { selectionStart: from, selectionEnd: to, value } = event.target;
  const at = from === to ? from : null; // the caret; null where several letters are selected
  const isInside = at !== null && (step.columns < 0 ? at > 0 : at < value.length);
  if (step.columns !== 0 && isInside) return;
  const [row, column] = cell.split(".").map(Number);
  event.preventDefault();
  const next = `[data-cell="${row + step.rows}.${column + step.columns}"]`;
  /** @type {HTMLElement|null} */ (event.currentTarget.querySelector(next))?.focus();
}
