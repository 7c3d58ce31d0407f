// A map of numbers: cells on a canvas, a few numbers along its sides, one cell marked.

import { arrow } from "../../../assets/kit/elements.js";
import { drawCells } from "../../../assets/kit/pixels.js";
import { painted } from "../../../assets/kit/signed.js";
import { html } from "../../../assets/vendor/lit-html.js";

const MAX_LABELS = 9;

/** Every n-th index of `count`, the first among them, so that a few labels have room.
 * @param {number} count */
export function spaced(count, most = MAX_LABELS) {
  const every = [1, 2, 5, 10, 20, 25, 50, 100, 200].find((step) => count / step <= most) ?? count;
  return Array.from({ length: Math.ceil(count / every) }, (_, i) => i * every);
}

/** @param {number} i @param {number} count */
const inside = (i, count) => Math.max(0, Math.min(count - 1, i));

/**
 * @param {{cells: Float32Array, rows: number, columns: number, ramp: number[][], name: string,
 *   rowText?: (row: number) => unknown, columnText?: (column: number) => unknown,
 *   chosen: {row: number, col: number},
 *   onChoose: (cell: {row: number, col: number}) => void}} given `cells` from 0 to 1
 */
export function map(given) {
  const { rows, columns, ramp, chosen, onChoose } = given;
  const { rowText = String, columnText = String } = given;
  const point = (/** @type {PointerEvent} */ event) => {
    if (event.buttons !== 1) return;
    const box = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
    const [x, y] = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
    onChoose({
      row: inside(Math.floor(y * rows), rows),
      col: inside(Math.floor(x * columns), columns),
    });
  };
  const press = (/** @type {KeyboardEvent} */ event) => {
    const step = arrow(event);
    if (step === null) return;
    event.preventDefault();
    const [row, col] = [chosen.row + step.rows, chosen.col + step.columns];
    onChoose({ row: inside(row, rows), col: inside(col, columns) });
  };
  const draw = (/** @type {HTMLCanvasElement} */ canvas) =>
    drawCells(canvas, /** @type {any} */ (given), ramp);
  return html`<div class="hl-cellmap">
    <div class="hl-cellmap-left" aria-hidden="true">
      ${spaced(rows).map((row) => label("top", (row + 0.5) / rows, rowText(row)))}</div>
    <div class="hl-cellmap-field" tabindex="0" role="application" aria-label=${given.name}
      @pointerdown=${point} @pointermove=${point} @keydown=${press}>
      <canvas ${painted(draw)}></canvas>
      <i style="left:${(100 * chosen.col) / columns}%;top:${(100 * chosen.row) / rows}%;
        width:${100 / columns}%;height:${100 / rows}%"></i></div>
    <div class="hl-cellmap-below" aria-hidden="true">
      ${spaced(columns).map((col) => label("left", (col + 0.5) / columns, columnText(col)))}</div>
  </div>`;
}

/** @param {string} side @param {number} share @param {unknown} text */
const label = (side, share, text) =>
  html`<span style="${side}:${(share * 100).toFixed(3)}%">${text}</span>`;
