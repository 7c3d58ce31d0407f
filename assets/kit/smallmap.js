// A small map of cells with its tokens: for several of them side by side, and for cells to paint.
// A row reads, a column is read. NaN is a cell that may not be read: hatched.

import { html, nothing, ref, render, svg } from "../vendor/lit-html.js";
import { colourOf, cssOf, isDark } from "./colour.js";
import { arrow } from "./elements.js";
import { lineOf, written } from "./heatmap.js";
import { drawCells } from "./pixels.js";

/** @typedef {import("./types.js").Label} Label */
/** @typedef {{row: number, col: number}} Cell */

/**
 * @typedef {object} MapScene
 * @property {ArrayLike<number>} cells
 * @property {number} queries
 * @property {number} keys
 * @property {Pick<Label, "text"|"kind"|"line">[]} rows labels
 * @property {Pick<Label, "text"|"kind"|"line">[]} columns labels
 * @property {any} ramp
 * @property {string} name
 * @property {number} width px to fill
 * @property {number} font px of an em
 * @property {number} [most] em of a cell's side
 * @property {boolean} [bare] without labels at the left
 * @property {{rows: any[], columns: any[]}} [room] labels of all maps that stand in line with it
 * @property {((value: number, i: number) => string)|null} [text] of a cell
 * @property {Cell[]} [marks] painted cells
 * @property {Cell|null} [lit] the cell that is looked at: it is marked, with its row and column
 */

const LARGEST = 1.9; // em of a cell's side
const SMALLEST = 5; // px of it
const FINEST = 7; // px of it where maps stand in line
const GAPS = 24; // px, both together, between three maps in line
const LONGEST = 7; // characters of a label
const SLANT = 50; // degrees of the labels above
const LETTER = 0.55; // em of a letter's width
const WIDE = 5.2; // em of the room for the labels at the left
const NUMBERED = 1.15; // em of a cell that has room for its text
const INK = cssOf([28, 28, 34]);

/** The cell looked at in a field: keys may be pressed faster than frames are drawn.
 * @type {WeakMap<Element, Cell|null>} */
const looked = new WeakMap();

/**
 * The map as a template. The caller keeps what is looked at, and hands it in as `lit`.
 * @param {MapScene} scene
 * @param {{onPoint?: (cell: Cell|null) => void, onChoose?: (cell: Cell) => void,
 *   describedBy?: string}} [how]
 */
export function smallMap(scene, { onPoint = () => {}, onChoose, describedBy } = {}) {
  const plan = layOut(scene);
  const { side, label, above } = plan;
  const [width, height] = [side * scene.keys, side * scene.queries];
  const size = `width:${width}px;height:${height}px`;
  const marked = litIn(scene);
  const on = pointing(scene, side, onPoint, onChoose);
  return html`<div class="hl-small-grid" style="grid-template:${above}px ${height}px /
      ${label}px ${width + Math.ceil(above * 0.6)}px">
    <span></span>
    <svg class="hl-small-columns" aria-hidden="true">
      ${labels(scene.columns, plan, marked.col, columnPlace)}</svg>
    <svg class="hl-small-rows" aria-hidden="true">
      ${scene.bare ? nothing : labels(scene.rows, plan, marked.row, rowPlace)}</svg>
    <div class="hl-small-field hl-hatched" style=${size} tabindex="0" role="application"
      aria-label=${scene.name} aria-describedby=${describedBy ?? nothing}
      @pointermove=${on.move} @pointerleave=${on.leave} @click=${on.click} @focus=${on.focus}
      @keydown=${on.keydown} ${ref((field) => field && looked.set(field, scene.lit ?? null))}>
      <canvas class="hl-cells" style=${size} ${ref((canvas) => paint(canvas, scene))}></canvas>
      <svg class="hl-marks" style=${size} aria-hidden="true">
        <g>${cellTexts(scene, plan)}</g><g>${outlines(scene, plan, marked)}</g></svg>
    </div>
  </div>`;
}

function paint(/** @type {HTMLCanvasElement|undefined} */ canvas, /** @type {MapScene} */ scene) {
  if (canvas === undefined) return;
  /** @type {any} */
  const cells = { ...scene, rows: scene.queries, columns: scene.keys };
  drawCells(canvas, cells, scene.ramp);
}

function litIn(/** @type {MapScene} */ { lit = null, queries, keys }) {
  return {
    row: lit !== null && lit.row < queries ? lit.row : null,
    col: lit !== null && lit.col !== null && lit.col < keys ? lit.col : null,
  };
}

/** What the pointer and the arrow keys do. */
function pointing(/** @type {MapScene} */ { queries, keys }, side, onPoint, onChoose) {
  const within = (i, count) => Math.max(0, Math.min(count - 1, i));
  const cellAt = (event) => {
    const box = event.currentTarget.getBoundingClientRect();
    const row = within(Math.floor((event.clientY - box.top) / side), queries);
    return { row, col: within(Math.floor((event.clientX - box.left) / side), keys) };
  };
  function point({ currentTarget: field }, cell) {
    const before = looked.get(field) ?? null;
    if (cell?.row === before?.row && cell?.col === before?.col) return;
    looked.set(field, cell);
    onPoint(cell);
  }
  return {
    move: (event) => event.pointerType !== "touch" && point(event, cellAt(event)),
    leave: (event) => point(event, null),
    click(event) {
      point(event, cellAt(event));
      onChoose?.(cellAt(event));
    },
    focus(event) {
      const isFirst = (looked.get(event.target) ?? null) === null;
      if (isFirst && event.target.matches(":focus-visible")) point(event, { row: 0, col: 0 });
    },
    keydown(event) {
      const { row, col } = looked.get(event.target) ?? { row: 0, col: 0 };
      const step = arrow(event);
      if (step === null && !(onChoose && (event.key === "Enter" || event.key === " "))) return;
      event.preventDefault();
      if (step === null) return onChoose({ row, col });
      const to = { row: within(row + step.rows, queries), col: within(col + step.columns, keys) };
      point(event, to);
    },
  };
}

const longest = (labels) => Math.max(...labels.map((label) => widthOf(short(label)))) * LETTER;
const SLANTED = Math.sin((SLANT * Math.PI) / 180);

/** The room that the labels at the left take, in px: maps beside the first one may go without. */
export const roomForRows = (rows, font) => Math.ceil(Math.min(WIDE, longest(rows) + 0.7) * font);

/** How wide the cells of a map without labels at the left are, in px. */
const roomForCells = (columns, width, font) =>
  (width - 2 - longest(columns) * SLANTED * font * 0.6 - font) / columns.length;

/**
 * The widths of three maps in line, px: the first has the labels of all, and no larger cells.
 * Where their cells would be too small, each map has a line of its own.
 */
export function inLine({ rows, columns }, /** @type {number} */ room, /** @type {number} */ font) {
  const labels = roomForRows(rows, font);
  const third = (room - labels - GAPS) / 3;
  const isBeside = roomForCells(columns, third, font) >= FINEST;
  return { isBeside, first: isBeside ? third + labels : room, next: isBeside ? third : room };
}

function layOut(/** @type {MapScene} */ { room, keys, width, font, most = LARGEST, bare, ...own }) {
  const label = bare ? 2 : roomForRows((room ?? own).rows, font);
  const above = Math.ceil((longest((room ?? own).columns) * SLANTED + 1.2) * font);
  const fits = Math.floor((width - label - above * 0.6) / keys);
  return { side: Math.max(SMALLEST, Math.min(Math.floor(most * font), fits)), font, label, above };
}

/** Letters of other scripts are about twice as wide. @param {string} text */
const widthOf = (text) => [...text].reduce((sum, c) => sum + (c > "\u2e80" ? 1.65 : 1), 0);

function short(label) {
  const letters = [...lineOf(label)];
  return letters.length > LONGEST ? `${letters.slice(0, LONGEST - 1).join("")}…` : letters.join("");
}

function labels(all, plan, marked, place) {
  return written(all.length, plan.side, plan.font * 0.86, [marked]).map((i) => {
    const name = `hl-${all[i].kind} ${i === marked ? "hl-here" : ""}`;
    return place(i, plan, name, short(all[i]));
  });
}

const rowPlace = (i, { side, label, font }, name, text) => svg`<text class=${name}
  x=${label - font * 0.4} y=${(i + 0.5) * side} text-anchor="end"
  dominant-baseline="central">${text}</text>`;

const columnPlace = (i, { side, font, above }, name, text) => {
  const place = `translate(${(i + 0.5) * side + font * 0.2} ${above - font * 0.4})`;
  return svg`<text class=${name} transform="${place} rotate(${-SLANT})">${text}</text>`;
};

function cellTexts(/** @type {MapScene} */ { cells, keys, ramp, text }, { side, font }) {
  if (!text || side < NUMBERED * font) return nothing;
  return Array.from(cells, (value, i) => {
    const isFree = !Number.isNaN(value);
    return svg`<text class=${isFree && isDark(colourOf(ramp, value)) ? "hl-on-dark" : ""}
      x=${((i % keys) + 0.5) * side} y=${(Math.floor(i / keys) + 0.5) * side}
      fill=${isFree ? INK : "var(--quiet)"}>${text(value, i)}</text>`;
  });
}

function outlines(/** @type {MapScene} */ { queries, keys, marks = [] }, { side }, { row, col }) {
  const box = (name, x, y, columns, rows) => svg`<rect class=${name} x=${x * side} y=${y * side}
    width=${columns * side} height=${rows * side}></rect>`;
  const drawn = marks.map((cell) => box("hl-small-painted", cell.col, cell.row, 1, 1));
  if (row !== null) drawn.push(box("hl-lit-mark", 0, row, keys, 1));
  if (col !== null) drawn.push(box("hl-lit-mark", col, 0, 1, queries));
  if (row !== null && col !== null) drawn.push(box("hl-cell-mark", col, row, 1, 1));
  return drawn;
}

/**
 * Maps side by side as one SVG document, for a file.
 * @param {MapScene[]} scenes
 */
export function mapsPicture(scenes) {
  let left = 0;
  let height = 0;
  const parts = scenes.map((scene) => {
    const plan = layOut(scene);
    const at = left;
    const { label, above, side } = plan;
    left += label + side * scene.keys + above * 0.6 + scene.font;
    height = Math.max(height, above + side * scene.queries + 2 * scene.font);
    return svg`<g transform="translate(${at} ${scene.font * 1.4})">
      <text x=${label} y="0">${scene.name}</text>
      <g transform="translate(${label} 0)">${labels(scene.columns, plan, null, columnPlace)}</g>
      <g transform="translate(0 ${above})">${labels(scene.rows, plan, null, rowPlace)}</g>
      <g transform="translate(${label} ${above})">${cellBoxes(scene, side)}
        <g text-anchor="middle" dominant-baseline="central">${cellTexts(scene, plan)}</g></g>
    </g>`;
  });
  const root = document.createElement("div");
  render(
    html`<svg xmlns="http://www.w3.org/2000/svg" width=${left} height=${height}
      viewBox="0 0 ${left} ${height}" font-family="sans-serif" font-size="11">${parts}</svg>`,
    root,
  );
  return new XMLSerializer().serializeToString(/** @type {Element} */ (root.firstElementChild));
}

const cellBoxes = ({ cells, keys, ramp }, side) =>
  Array.from(
    cells,
    (value, i) => svg`<rect width=${side} height=${side} stroke="#e2e2e7"
    x=${(i % keys) * side} y=${Math.floor(i / keys) * side}
    fill=${Number.isNaN(value) ? "none" : cssOf(colourOf(ramp, value))}></rect>`,
  );
