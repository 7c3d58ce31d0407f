// One cell of a head in words.

import { fixed, weightText } from "../../../assets/kit/numbers.js";
import { rowOf, strongest } from "../../../assets/kit/payload.js";
import { pointedLines } from "../../../assets/kit/selection.js";
import { piecesOf, shown } from "../../../assets/kit/sentence.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { placeOf, wordLabel } from "./look.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */
/** @typedef {import("./sight.js").Sight} Sight */
/** @typedef {{row: number, col: number, how: string}} Told the cell that is told, and why it */

const MAX_LETTERS = 24; // of a word in a sentence

/**
 * The cell to describe, as a place in the sight: the one pointed at, else the chosen one; where
 * only a row is pointed at or chosen, the strongest of that row. Null where it is hidden.
 * @param {Page} page
 * @param {Sight} sight
 * @param {any} hovered what the pointer touches; null for the chosen cell
 * @returns {Told|null}
 */
export function toldCell(page, { cells, keys, rowTokens, columnTokens }, hovered) {
  const chosen = page.selection.get();
  const record = /** @type {import("../../../assets/kit/types.js").Rec} */ (page.record.get());
  const lines = pointedLines(record, chosen, hovered);
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

/** One cell in one line: the reason for it, its meaning, its weight, and the other measure.
 * @param {Page} page @param {Sight} sight @param {Told|null} told
 * @param {{name: string, value: string}|null} second */
export function readout(page, sight, told, second) {
  const { t } = page;
  if (told === null) return t("readout.hidden");
  const { row, col, how } = told;
  const { cells, keys, kept } = sight;
  const weight = cells[row * keys + col];
  const sum = rowOf(cells, keys, row).reduce((total, w) => total + (w || 0), 0);
  const { kind } = page.selection.get();
  const isMasked = Number.isNaN(weight);
  const words = piecesOf(
    page,
    t(isMasked ? `says.${kind}.masked` : `says.${kind}`),
    cellOf(page, sight, told),
  );
  return html`<span class="hl-how">${t(`readout.${how}`)}:</span>
    <span class="hl-words">${shown(words)}</span>
    <b class="hl-value" data-row=${row} data-col=${col}>${
      isMasked ? t("readout.masked") : weightText(weight)
    }</b>
    ${second ? html`<span class="hl-second">· ${second.name} <b>${second.value}</b></span>` : nothing}
    <span class="hl-note">${t("readout.sum", { sum: fixed(sum, 3) })}
      ${kept === null ? "" : t("readout.kept", { kept: fixed(kept[row], 3) })}</span>`;
}

/** The tokens of a cell: the one its row writes, the one read before, the one the cell reads.
 * @param {Page} page @param {Sight} sight @param {{row: number, col: number}} place */
export function cellOf(page, sight, { row, col }) {
  const { kind, labels } = page.selection.get();
  const { tgt_in: read, tgt_out: writes, src } = /** @type {any} */ (page.record.get());
  const tokens = sight.rowTokens[row];
  const word = (all) => brief(wordLabel(tokens.map((i) => all[i])));
  const others = { col: brief(sight.columns[col]) };
  if (kind === "encoder_self") return { row: word(src), read: undefined, ...others };
  if (labels === "reads")
    return { row: writes[tokens[tokens.length - 1]], read: word(read), ...others };
  return { row: word(writes), read: read[tokens[0]], ...others };
}

/** A word of very many pieces, cut: a sentence about it has to fit a line.
 * @template {{text: string}} T @param {T} label @returns {T} */
export function brief(label) {
  const letters = [...label.text];
  if (letters.length <= MAX_LETTERS) return label;
  return { ...label, text: `${letters.slice(0, MAX_LETTERS - 1).join("")}…` };
}
