// A small map of cells with its tokens: for several of them side by side, and for cells to paint.
// A row reads, a column is read. NaN is a cell that may not be read: hatched.

import { cssOf, colourOf, isDark } from "./colour.js";
import { arrow, element, svg } from "./elements.js";
import { lineOf, written } from "./heatmap.js";
import { drawCells } from "./pixels.js";

const LARGEST = 1.9; // em of a cell's side
const SMALLEST = 5; // px of it
const LONGEST = 7; // characters of a label
const SLANT = 50; // degrees of the labels above
const LETTER = 0.55; // em of a letter's width
const WIDE = 5.2; // em of the room for the labels at the left
const NUMBERED = 1.15; // em of a cell that has room for its text

// onPoint({row, col} or null), onChoose({row, col}); both may be left out.
// Scene: {cells, queries, keys, rows, columns (labels), ramp, name, width (px to fill), most (em),
//   bare (no labels at the left), text(value, i) of a cell, marks: [{row, col}] painted cells}
export function createSmallMap(root, { onPoint = () => {}, onChoose = null, describedBy = null } = {}) {
  const canvas = element("canvas", { class: "hl-cells" });
  const texts = svg("g");
  const frames = svg("g");
  const over = svg("svg", { class: "hl-marks", "aria-hidden": "true" }, texts, frames);
  const field = element("div", {
    class: "hl-small-field hl-hatched", tabindex: 0, role: "application", "aria-describedby": describedBy,
  }, canvas, over);
  const left = svg("svg", { class: "hl-small-rows", "aria-hidden": "true" });
  const top = svg("svg", { class: "hl-small-columns", "aria-hidden": "true" });
  const grid = element("div", { class: "hl-small-grid" }, element("span"), top, left, field);
  root.replaceChildren(grid);
  let scene = null;
  let plan = null;
  let lit = null; // the cell that is looked at

  function draw(next) {
    scene = next;
    plan = layOut(scene, parseFloat(getComputedStyle(root).fontSize));
    const { side, label, above } = plan;
    const [width, height] = [side * scene.keys, side * scene.queries];
    grid.style.gridTemplate = `${above}px ${height}px / ${label}px ${width + Math.ceil(above * 0.6)}px`;
    for (const drawn of [canvas, over, field]) {
      drawn.style.width = `${width}px`;
      drawn.style.height = `${height}px`;
    }
    drawCells(canvas, { ...scene, rows: scene.queries, columns: scene.keys }, scene.ramp);
    field.setAttribute("aria-label", scene.name);
    texts.replaceChildren(...cellTexts(scene, plan));
    light(lit);
  }

  // Marks the cell that is looked at, and its row and column.
  function light(cell) {
    lit = cell;
    if (scene === null) return;
    const row = cell !== null && cell.row < scene.queries ? cell.row : null;
    const col = cell !== null && cell.col !== null && cell.col < scene.keys ? cell.col : null;
    left.replaceChildren(...(scene.bare ? [] : labels(scene.rows, plan, row, rowPlace)));
    top.replaceChildren(...labels(scene.columns, plan, col, columnPlace));
    frames.replaceChildren(...outlines(scene, plan, row, col));
  }

  function cellAt(event) {
    const box = field.getBoundingClientRect();
    const at = (offset, count) => Math.max(0, Math.min(count - 1, Math.floor(offset / plan.side)));
    return { row: at(event.clientY - box.top, scene.queries), col: at(event.clientX - box.left, scene.keys) };
  }

  field.addEventListener("pointermove", (event) => { if (plan && event.pointerType !== "touch") onPoint(cellAt(event)); });
  field.addEventListener("pointerleave", () => onPoint(null));
  field.addEventListener("click", (event) => {
    if (plan === null) return;
    onPoint(cellAt(event));
    onChoose?.(cellAt(event));
  });
  field.addEventListener("focus", () => { if (plan && lit === null && field.matches(":focus-visible")) onPoint({ row: 0, col: 0 }); });
  field.addEventListener("keydown", (event) => {
    if (plan === null) return;
    const here = { row: lit?.row ?? 0, col: lit?.col ?? 0 };
    const step = arrow(event);
    if (step === null && !(onChoose && (event.key === "Enter" || event.key === " "))) return;
    event.preventDefault();
    if (step === null) return onChoose(here);
    onPoint({
      row: Math.max(0, Math.min(scene.queries - 1, here.row + step.rows)),
      col: Math.max(0, Math.min(scene.keys - 1, here.col + step.columns)),
    });
  });

  return { draw, light };
}

const longest = (labels) => Math.max(...labels.map((label) => widthOf(short(label)))) * LETTER;

// The room that the labels at the left take, in px: maps beside the first one may go without.
export const roomForRows = (rows, font) => Math.ceil(Math.min(WIDE, longest(rows) + 0.7) * font);

// How wide cells would be, in px, in a map of that width without labels at the left.
export function roomForCells(columns, width, font) {
  return (width - 2 - longest(columns) * Math.sin((SLANT * Math.PI) / 180) * font * 0.6 - font) / columns.length;
}

function layOut({ rows, columns, keys, width, most = LARGEST, bare }, font) {
  const label = bare ? 2 : roomForRows(rows, font);
  const above = Math.ceil((longest(columns) * Math.sin((SLANT * Math.PI) / 180) + 1.2) * font);
  const fits = Math.floor((width - label - above * 0.6) / keys);
  return { side: Math.max(SMALLEST, Math.min(Math.floor(most * font), fits)), font, label, above };
}

// Letters of other scripts are about twice as wide.
const widthOf = (text) => [...text].reduce((sum, letter) => sum + (letter > "\u2e80" ? 1.65 : 1), 0);

function short(label) {
  const letters = [...lineOf(label)];
  return letters.length > LONGEST ? `${letters.slice(0, LONGEST - 1).join("")}…` : letters.join("");
}

function labels(all, plan, marked, place) {
  return written(all.length, plan.side, plan.font * 0.86, [marked]).map((i) =>
    svg("text", { ...place(i, plan), class: `hl-${all[i].kind}${i === marked ? " hl-here" : ""}` }, short(all[i])));
}

const rowPlace = (i, { side, label, font }) =>
  ({ x: label - font * 0.4, y: (i + 0.5) * side, "text-anchor": "end", "dominant-baseline": "central" });

const columnPlace = (i, { side, font, above }) =>
  ({ transform: `translate(${(i + 0.5) * side + font * 0.2} ${above - font * 0.4}) rotate(${-SLANT})` });

function cellTexts({ cells, keys, ramp, text }, { side, font }) {
  if (!text || side < NUMBERED * font) return [];
  return Array.from(cells, (value, i) => svg("text", {
    x: ((i % keys) + 0.5) * side, y: (Math.floor(i / keys) + 0.5) * side,
    class: !Number.isNaN(value) && isDark(colourOf(ramp, value)) ? "hl-on-dark" : "",
    fill: Number.isNaN(value) ? "var(--quiet)" : cssOf([28, 28, 34]),
  }, text(value, i)));
}

function outlines({ queries, keys, marks = [] }, { side }, row, col) {
  const box = (name, x, y, columns, rows) => svg("rect", {
    class: name, x: x * side, y: y * side, width: columns * side, height: rows * side,
  });
  const drawn = marks.map((cell) => box("hl-small-painted", cell.col, cell.row, 1, 1));
  if (row !== null) drawn.push(box("hl-lit-mark", 0, row, keys, 1));
  if (col !== null) drawn.push(box("hl-lit-mark", col, 0, 1, queries));
  if (row !== null && col !== null) drawn.push(box("hl-cell-mark", col, row, 1, 1));
  return drawn;
}
