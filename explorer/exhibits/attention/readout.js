// The numbers of one head in words: one cell, the head's measures, its strongest links.

import { nameOf } from "../../../assets/kit/heads.js";
import { lineOf } from "../../../assets/kit/heatplan.js";
import { fixed, weightText } from "../../../assets/kit/numbers.js";
import { rowOf, strongest } from "../../../assets/kit/payload.js";
import { pointedLines } from "../../../assets/kit/selection.js";
import { piecesOf, shown, spoken } from "../../../assets/kit/sentence.js";
import { html } from "../../../assets/vendor/lit-html.js";
import { placeOf, wordLabel } from "./look.js";
import { measureName, measureText } from "./overview.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */
/** @typedef {import("./sight.js").Sight} Sight */
/** @typedef {{row: number, col: number, how: string}} Told the cell that is told, and why it */

const STRONGEST = 5;

/**
 * The cell to tell of, as a place in the sight: the one pointed at, else the chosen one; where only
 * a row is pointed at or chosen, the strongest of that row. Null where it is hidden.
 * @param {Page} page
 * @param {Sight} sight
 * @param {any} hovered what the pointer touches; null for the chosen cell
 * @returns {Told|null}
 */
export function toldCell(page, { cells, keys, rowTokens, columnTokens }, hovered) {
  const chosen = page.selection.get();
  const lines = pointedLines(page.record.get(), chosen, hovered);
  const row = placeOf(rowTokens, lines.row ?? chosen.row);
  if (row === -1) return null;
  const best = () => strongest(rowOf(cells, keys, row), keys, 1)[0]?.col ?? 0;
  const isCell = hovered !== null && !hovered.side && lines.col !== null;
  const onlyRow = lines.row !== null && !isCell;
  const column = onlyRow ? null : (lines.col ?? (lines.row === null ? chosen.col : null));
  const at = column === null ? best() : placeOf(columnTokens, column);
  if (at === -1) return null;
  if (onlyRow) return { row, col: at, how: "pointed_row" };
  if (lines.col !== null) return { row, col: at, how: "pointed" };
  return { row, col: at, how: chosen.col === null ? "strongest" : "chosen" };
}

/** @param {Page} page @param {Sight} sight @param {Told|null} told */
export function readout(page, sight, told) {
  const { t } = page;
  if (told === null) return html`<p class="hl-words">${t("readout.hidden")}</p>`;
  const { row, col, how } = told;
  const { cells, keys, kept } = sight;
  const weight = cells[row * keys + col];
  const sum = rowOf(cells, keys, row).reduce((total, w) => total + (w || 0), 0);
  return html`<span class="hl-how">${t(`readout.${how}`)}</span>
    <p class="hl-words">${shown(sentence(page, sight, told))}</p>
    <b class="hl-value" data-row=${row} data-col=${col}>${
      Number.isNaN(weight) ? t("readout.masked") : weightText(weight)
    }</b>
    <span class="hl-note">${t("readout.sum", { sum: fixed(sum, 3) })}
      ${kept === null ? "" : t("readout.kept", { kept: fixed(kept[row], 3) })}</span>`;
}

/** The chosen cell in one line, for those who have the page read aloud. */
export function announcement(page, sight) {
  const told = toldCell(page, sight, null);
  if (told === null) return page.t("readout.hidden");
  const weight = sight.cells[told.row * sight.keys + told.col];
  return `${spoken(sentence(page, sight, told))} ${Number.isNaN(weight) ? "" : weightText(weight)}`;
}

/** "While writing 学生, the decoder reads student.": pieces of text, and tokens as labels. */
function sentence(page, sight, { row, col }) {
  const { kind } = page.selection.get();
  const { tgt_in: read, tgt_out: writes, src } = /** @type {any} */ (page.record.get());
  const isMasked = Number.isNaN(sight.cells[row * sight.keys + col]);
  const tokens = sight.rowTokens[row];
  const word = (labels) => wordLabel(tokens.map((i) => labels[i]));
  return piecesOf(page.t(isMasked ? `says.${kind}.masked` : `says.${kind}`), {
    row: word(kind === "encoder_self" ? src : writes),
    read: kind === "encoder_self" ? undefined : read[tokens[0]],
    col: sight.columns[col],
  });
}

/** The head's own numbers: what the tiles can be sorted by. */
export const measureList = (page, measures) =>
  html`<span class="hl-how">${page.t("readout.head")}</span>
    <dl class="hl-measures">${measures.of(nameOf(page.selection.get())).map(
      ({ measure, value }) => html`<dt>${measureName(page, measure, page.selection.get().kind)}</dt>
      <dd data-of=${measure}>${measureText(page, measure, value)}</dd>`,
    )}</dl>`;

/** The strongest links as a list of buttons: the picture for those who do not see it. */
export function linkList(page, sight) {
  const { cells, keys, rows, columns, rowTokens, columnTokens } = sight;
  // A place is written beside a token, as a word may come more than once.
  const token = (label, i) =>
    html`<span><span>${lineOf(label)}</span><small>${i + 1}</small></span>`;
  return html`<ol class="hl-links">${strongest(cells, keys, STRONGEST).map(
    ({ row, col, weight }) => html`<li><button type="button"
      @click=${() => page.choose({ row: rowTokens[row][0], col: columnTokens[col][0] })}>
      ${token(rows[row], row)}<i aria-hidden="true">→</i>${token(columns[col], col)}
      <b>${weightText(weight)}</b></button></li>`,
  )}</ol>`;
}
