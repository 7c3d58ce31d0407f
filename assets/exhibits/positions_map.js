// A map of numbers with a sign: cells on a canvas, a few numbers along its sides, one cell marked.

import { arrow, element } from "../elements.js";
import { colourOf, cssOf } from "../colour.js";
import { drawCells } from "../pixels.js";

const MOST_LABELS = 9;

// Every n-th index of `count`, the first among them, so that a few labels have room.
export function spaced(count, most = MOST_LABELS) {
  const every = [1, 2, 5, 10, 20, 25, 50, 100, 200].find((step) => count / step <= most) ?? count;
  return Array.from({ length: Math.ceil(count / every) }, (_, i) => i * every);
}

// A number from -most to most as a place on a ramp from 0 to 1; NaN stays.
export const placed = (cells, most) => Float32Array.from(cells, (cell) => 0.5 + cell / (2 * most));

// scene: {cells (0..1), rows, columns, ramp, name, rowText, columnText, chosen: {row, col}}
export function createMap({ onChoose }) {
  const canvas = element("canvas", { class: "hl-signed-cells" });
  const mark = element("i", { class: "hl-signed-mark" });
  const field = element("div", { class: "hl-signed-field", tabindex: 0, role: "application" }, canvas, mark);
  const left = element("div", { class: "hl-signed-left", "aria-hidden": "true" });
  const below = element("div", { class: "hl-signed-below", "aria-hidden": "true" });
  const node = element("div", { class: "hl-signed" }, left, field, below);
  let scene = null;

  const inside = (i, count) => Math.max(0, Math.min(count - 1, i));
  function choose(event) {
    const box = field.getBoundingClientRect();
    onChoose({
      row: inside(Math.floor(((event.clientY - box.top) / box.height) * scene.rows), scene.rows),
      col: inside(Math.floor(((event.clientX - box.left) / box.width) * scene.columns), scene.columns),
    });
  }
  field.addEventListener("pointerdown", (event) => { if (scene && event.isPrimary) choose(event); });
  field.addEventListener("pointermove", (event) => { if (scene && event.buttons === 1) choose(event); });
  field.addEventListener("keydown", (event) => {
    const step = arrow(event);
    if (step === null || scene === null) return;
    event.preventDefault();
    const { row, col } = scene.chosen;
    onChoose({ row: inside(row + step.rows, scene.rows), col: inside(col + step.columns, scene.columns) });
  });

  const label = (side, share, text) => element("span", { style: `${side}:${(share * 100).toFixed(3)}%` }, text);

  function draw(next) {
    scene = next;
    const { cells, rows, columns, ramp, name, rowText, columnText, chosen } = scene;
    drawCells(canvas, { cells, rows, columns }, ramp);
    field.setAttribute("aria-label", name);
    left.replaceChildren(...spaced(rows).map((row) => label("top", (row + 0.5) / rows, rowText(row))));
    below.replaceChildren(...spaced(columns).map((col) => label("left", (col + 0.5) / columns, columnText(col))));
    const place = { left: chosen.col / columns, top: chosen.row / rows, width: 1 / columns, height: 1 / rows };
    mark.style.cssText = Object.entries(place).map(([side, share]) => `${side}:${share * 100}%`).join(";");
  }

  return { node, draw };
}

// The ramp with the numbers of its ends and its middle.
export function scale(ramp, most, text) {
  const stops = Array.from({ length: 17 }, (_, i) => cssOf(colourOf(ramp, i / 16))).join(",");
  return element("div", { class: "hl-signed-scale" },
    element("i", { style: `background:linear-gradient(to right,${stops})` }),
    element("span", {}, text(-most)), element("span", {}, "0"), element("span", {}, text(most)));
}
