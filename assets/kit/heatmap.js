// One head, large: cells on a canvas, labels and marks in SVG around and above it. The labels stay
// in sight while a long sentence scrolls.

import { html, nothing, render, repeat, svg } from "../vendor/lit-html.js";
import { colourOf, isDark } from "./colour.js";
import { arrow, whenChanged } from "./elements.js";
import { layOut, shortLine, written } from "./heatplan.js";
import { cellText } from "./numbers.js";
import { drawCells } from "./pixels.js";

export { lineOf, written } from "./heatplan.js";

const NUMBERED = { width: 2.4, height: 1.3 }; // em of a cell that has room for its number
const MOST_NUMBERS = 400; // cells; more would be a wall of digits
const LINED = 8; // px of a cell's side from which lines are drawn between cells

/** @typedef {{row: number, col: number}} Cell */

/**
 * @typedef {object} HeatScene what a heatmap draws
 * @property {Float32Array} cells row by row; NaN where masked
 * @property {number} queries
 * @property {number} keys
 * @property {import("./types.js").Label[]} rows
 * @property {import("./types.js").Label[]} columns
 * @property {any[]} ramp
 * @property {string} name
 * @property {number} [zoom]
 * @property {(weight: number) => number} [along] where on the ramp a weight is
 * @property {Uint8Array|null} [strong] 1 for a cell that is not faded
 * @property {(weight: number) => string} [write] the text of a cell
 */

/**
 * @typedef {object} Lights the chosen row and cell, and in `lit` what the pointer touches
 * @property {number|null} row
 * @property {number|null} col
 * @property {{row: number|null, col: number|null}} lit
 */

/** @type {Lights} */
const DARK = { row: 0, col: null, lit: { row: null, col: null } };

/**
 * Gives {draw(scene), light(lights)}.
 * @param {HTMLElement} root
 * @param {{onPoint: (cell: Cell|null) => void, onChoose: (cell: Cell) => void,
 *   describedBy?: string}} given
 */
export function createHeatmap(root, { onPoint, onChoose, describedBy }) {
  const parts = skeleton(root, describedBy);
  const ruler = document.createElement("canvas").getContext("2d");
  /** @type {any} */
  const state = { scene: null, plan: null, lights: DARK };

  const isChanged = whenChanged();

  /** Draws again only what differs from the scene before: the same cells, labels, functions. */
  function draw(scene) {
    const { cells, rows, columns, ramp, name, zoom, along, strong } = scene;
    const { clientWidth, clientHeight } = root;
    const size = [clientWidth, clientHeight, getComputedStyle(root).fontSize];
    if (!isChanged(cells, rows, columns, ramp, name, zoom, along, strong, ...size)) return;
    const plan = layOut(scene, root, ruler);
    Object.assign(state, { scene, plan });
    const [width, height] = [plan.width * scene.keys, plan.height * scene.queries];
    const { canvas, digits, field, grid, marks } = parts;
    grid.style.gridTemplate = `${plan.top}px ${height}px / ${plan.left}px ${width + plan.right}px`;
    field.style.setProperty("--cell", `${plan.width}px ${plan.height}px`);
    for (const { style } of [canvas, marks]) {
      style.width = `${width}px`;
      style.height = `${height}px`;
    }
    field.classList.toggle("hl-lined", Math.min(plan.width, plan.height) >= LINED);
    drawCells(canvas, { cells, along, strong, rows: scene.queries, columns: scene.keys }, ramp);
    render(numbers(scene, plan), digits);
    field.setAttribute("aria-label", name);
    light(state.lights);
  }

  function light(lights) {
    const { scene, plan } = Object.assign(state, { lights });
    if (plan === null) return;
    const { row, col, lit } = lights;
    const { font } = plan;
    render(labels(scene.rows, plan.height, font, [row, lit.row], rowText(plan)), parts.rows);
    render(
      labels(scene.columns, plan.width, font, [col, lit.col], columnText(plan)),
      parts.columns,
    );
    render(outlines(scene, plan, lights), parts.frames);
  }

  listen(root, parts.field, state, { onPoint, onChoose });
  return { draw, light };
}

/** The elements that stay; what changes is rendered into them. */
function skeleton(root, describedBy) {
  render(
    html`<div class="hl-grid">
      <div class="hl-nook"></div>
      <svg class="hl-columns" aria-hidden="true"></svg>
      <svg class="hl-rows" aria-hidden="true"></svg>
      <div class="hl-field" tabindex="0" role="application"
        aria-describedby=${describedBy ?? nothing}>
        <canvas class="hl-cells"></canvas>
        <svg class="hl-marks" aria-hidden="true"><g></g><g></g></svg>
      </div>
    </div>`,
    root,
  );
  const part = (selector) => /** @type {any} */ (root.querySelector(selector));
  const marks = part(".hl-marks");
  const [digits, frames] = marks.children;
  const [grid, field, canvas] = [".hl-grid", ".hl-field", ".hl-cells"].map(part);
  return {
    grid,
    field,
    canvas,
    marks,
    digits,
    frames,
    rows: part(".hl-rows"),
    columns: part(".hl-columns"),
  };
}

function listen(root, field, state, { onPoint, onChoose }) {
  /** @type {Cell|null} */
  let pointed = null;
  const point = (/** @type {Cell|null} */ cell) => {
    if (cell?.row === pointed?.row && cell?.col === pointed?.col) return;
    pointed = cell;
    onPoint(cell);
  };
  const cellAt = ({ clientX, clientY }) => {
    if (state.plan === null) return null;
    const box = field.getBoundingClientRect();
    const row = Math.floor((clientY - box.top) / state.plan.height);
    const col = Math.floor((clientX - box.left) / state.plan.width);
    const { queries, keys } = state.scene;
    return row >= 0 && col >= 0 && row < queries && col < keys ? { row, col } : null;
  };
  field.addEventListener("pointermove", (event) => {
    if (event.pointerType !== "touch") point(cellAt(event));
  });
  field.addEventListener("pointerleave", () => point(null));
  field.addEventListener("click", (event) => {
    const cell = cellAt(event);
    if (cell !== null) onChoose(cell);
  });
  field.addEventListener("keydown", (event) => {
    const step = arrow(event);
    if (step === null || state.plan === null) return;
    event.preventDefault();
    const cell = besides(state, step);
    onChoose(cell);
    bringIntoSight(root, state.plan, cell);
  });
}

/** The cell beside the chosen one. @param {any} state @returns {Cell} */
function besides({ scene, lights }, step) {
  const within = (at, count) => Math.max(0, Math.min(count - 1, at));
  const col = lights.col === null ? 0 : lights.col + step.columns;
  return {
    row: within((lights.row ?? 0) + step.rows, scene.queries),
    col: within(col, scene.keys),
  };
}

function bringIntoSight(root, { width, height, left, top }, { row, col }) {
  const into = (start, size, at, room) => (start < at ? start : Math.max(at, start + size - room));
  root.scrollLeft = into(col * width, width, root.scrollLeft, root.clientWidth - left);
  root.scrollTop = into(row * height, height, root.scrollTop, root.clientHeight - top);
}

/** The labels that have room; marked are the chosen one and the one pointed at. */
function labels(all, spacing, font, marked, place) {
  const [here, lit] = marked;
  return repeat(
    written(all.length, spacing, font, marked),
    (i) => i,
    (i) => {
      const { x, y, turn, anchor, baseline } = place(i);
      const state = `${i === here ? " hl-here" : ""}${i === lit ? " hl-lit" : ""}`;
      return svg`<text x=${x ?? nothing} y=${y ?? nothing} transform=${turn ?? nothing}
        text-anchor=${anchor ?? nothing} dominant-baseline=${baseline ?? nothing} data-at=${i}
        class="hl-${all[i].kind}${state}">${shortLine(all[i])}</text>`;
    },
  );
}

const rowText =
  ({ height, left, font }) =>
  (i) => ({
    x: left - font * 0.5,
    y: Math.max((i + 0.5) * height, font * 0.6), // the first label of many stays whole
    anchor: "end",
    baseline: "central",
  });

const columnText =
  ({ width, top, font, slant }) =>
  (i) => {
    const x = (i + 0.5) * width;
    const y = top - font * 0.5;
    return slant
      ? { turn: `translate(${x + font * 0.2} ${y}) rotate(${-slant})` }
      : { x, y, anchor: "middle" };
  };

function numbers(scene, { width, height, font }) {
  const {
    cells,
    queries,
    keys,
    ramp,
    along = (weight) => weight,
    strong,
    write = cellText,
  } = scene;
  const room = width >= NUMBERED.width * font && height >= NUMBERED.height * font;
  if (!room || queries * keys > MOST_NUMBERS) return nothing;
  return Array.from(cells, (weight, i) => {
    if (Number.isNaN(weight) || (strong && !strong[i])) return nothing;
    const [x, y] = [((i % keys) + 0.5) * width, (Math.floor(i / keys) + 0.5) * height];
    const name = isDark(colourOf(ramp, along(weight))) ? "hl-number hl-on-dark" : "hl-number";
    return svg`<text x=${x} y=${y} class=${name}>${write(weight)}</text>`;
  });
}

function outlines({ queries, keys }, plan, { row, col, lit }) {
  const box = (name, x, y, columns, rows) => svg`<rect class=${name} x=${x * plan.width}
    y=${y * plan.height} width=${columns * plan.width} height=${rows * plan.height}></rect>`;
  return [
    row === null ? nothing : box("hl-row-mark", 0, row, keys, 1),
    lit.row === null ? nothing : box("hl-lit-mark", 0, lit.row, keys, 1),
    lit.col === null ? nothing : box("hl-lit-mark", lit.col, 0, 1, queries),
    row === null || col === null ? nothing : box("hl-cell-mark", col, row, 1, 1),
  ];
}
