// One head, large: cells on a canvas, labels and marks in SVG around and above it. The labels stay
// in sight while a long sentence scrolls.

import { arrow, element, svg } from "./elements.js";
import { colourOf, isDark } from "./colour.js";
import { cellText } from "./numbers.js";
import { drawCells } from "./pixels.js";

const LARGEST = 56; // px of a cell's side
const NUMBERED = 34; // a cell as wide as this, in its own font size, has room for its number
const MOST_NUMBERS = 400; // cells; more would be a wall of digits
const LONGEST = 13; // em of a label before it is cut
const SLANT = 50; // degrees of the column labels where they have no room to lie

// scene: {cells, queries, keys, rows, columns (labels), ramp, zoom, name}
export function createHeatmap(root, { onPoint, onChoose }) {
  const canvas = element("canvas", { class: "hl-cells" });
  const marks = svg("svg", { class: "hl-marks", "aria-hidden": "true" });
  const field = element("div", { class: "hl-field", tabindex: 0, role: "application" }, canvas, marks);
  const rowLabels = svg("svg", { class: "hl-rows", "aria-hidden": "true" });
  const columnLabels = svg("svg", { class: "hl-columns", "aria-hidden": "true" });
  const grid = element("div", { class: "hl-grid" },
    element("div", { class: "hl-nook" }), columnLabels, rowLabels, field);
  root.replaceChildren(grid);
  let scene = null;
  let plan = null;
  let lights = { row: 0, col: null, lit: null };

  function draw(next) {
    scene = next;
    plan = layOut(scene, root);
    grid.style.setProperty("--cell", `${plan.cell}px`);
    grid.style.gridTemplate = `${plan.top}px ${plan.cell * scene.queries}px / ${plan.left}px ${plan.cell * scene.keys + plan.right}px`;
    canvas.style.width = marks.style.width = `${plan.cell * scene.keys}px`;
    canvas.style.height = marks.style.height = `${plan.cell * scene.queries}px`;
    field.classList.toggle("hl-lined", plan.cell >= 8);
    drawCells(canvas, scene.cells, scene.queries, scene.keys, scene.ramp);
    field.setAttribute("aria-label", scene.name);
    light(lights);
  }

  // Marks the chosen row and cell, and what the pointer touches.
  function light(next) {
    lights = next;
    if (plan === null) return;
    rowLabels.replaceChildren(...rowTexts(scene, plan, lights));
    columnLabels.replaceChildren(...columnTexts(scene, plan, lights));
    marks.replaceChildren(...numbers(scene, plan), ...outlines(scene, plan, lights));
  }

  function cellAt(event) {
    const box = field.getBoundingClientRect();
    const row = Math.floor((event.clientY - box.top) / plan.cell);
    const col = Math.floor((event.clientX - box.left) / plan.cell);
    const inside = row >= 0 && col >= 0 && row < scene.queries && col < scene.keys;
    return inside ? { row, col } : null;
  }

  field.addEventListener("pointermove", (event) => {
    if (plan !== null && event.pointerType !== "touch") onPoint(cellAt(event));
  });
  field.addEventListener("pointerleave", () => onPoint(null));
  field.addEventListener("click", (event) => {
    const cell = plan === null ? null : cellAt(event);
    if (cell !== null) onChoose(cell);
  });
  field.addEventListener("keydown", (event) => {
    const step = arrow(event);
    if (step === null || plan === null) return;
    event.preventDefault();
    const row = Math.max(0, Math.min(scene.queries - 1, lights.row + step.rows));
    const col = lights.col === null ? 0 : lights.col + step.columns;
    onChoose({ row, col: Math.max(0, Math.min(scene.keys - 1, col)) });
    bringIntoSight(row, Math.max(0, Math.min(scene.keys - 1, col)));
  });

  function bringIntoSight(row, col) {
    const x = col * plan.cell;
    const y = row * plan.cell;
    const width = root.clientWidth - plan.left;
    const height = root.clientHeight - plan.top;
    if (x < root.scrollLeft) root.scrollLeft = x;
    else if (x + plan.cell > root.scrollLeft + width) root.scrollLeft = x + plan.cell - width;
    if (y < root.scrollTop) root.scrollTop = y;
    else if (y + plan.cell > root.scrollTop + height) root.scrollTop = y + plan.cell - height;
  }

  return { draw, light };
}

// How large a cell is and how much room the labels need.
function layOut({ queries, keys, rows, columns, zoom }, root) {
  const font = parseFloat(getComputedStyle(root).fontSize);
  const measure = measurer(root);
  const widest = (labels) => Math.min(LONGEST * font, Math.max(...labels.map(measure)));
  const left = Math.ceil(widest(rows) + font);
  const columnWidth = widest(columns);
  const slanted = Math.ceil(columnWidth * Math.sin((SLANT * Math.PI) / 180) + font * 1.4);
  const width = root.clientWidth - left;
  const height = root.clientHeight || Infinity;
  const fit = (top, right) => Math.min((width - right) / keys, (height - top) / queries);
  const sized = (cell) => Math.max(3, Math.floor(Math.min((LARGEST * font) / 14, cell) * zoom));
  const flat = sized(fit(font * 2, 0));
  if (columnWidth + font * 0.6 <= flat) return { cell: flat, left, top: Math.ceil(font * 2), right: 0, font, slant: 0 };
  const right = Math.ceil(columnWidth * Math.cos((SLANT * Math.PI) / 180));
  return { cell: sized(fit(slanted, right)), left, top: slanted, right, font, slant: SLANT };
}

let ruler = null;

function measurer(root) {
  ruler ??= document.createElement("canvas").getContext("2d");
  ruler.font = getComputedStyle(root).font;
  return (label) => ruler.measureText(lineOf(label)).width;
}

export const lineOf = (label) => label.line ?? label.text;

// Which labels are written: all, or every n-th where there is no room, and always those marked.
export function written(count, cell, font, marked) {
  const every = Math.max(1, Math.ceil((font * 1.15) / cell));
  const chosen = marked.filter((i) => i !== null && i !== undefined);
  const near = (i) => chosen.some((j) => j !== i && Math.abs(i - j) < every);
  return Array.from({ length: count }, (_, i) => i)
    .filter((i) => chosen.includes(i) || (i % every === 0 && !near(i)));
}

function rowTexts({ rows }, { cell, left, font }, { row, lit }) {
  const marked = [row, lit?.row];
  return written(rows.length, cell, font, marked).map((i) => labelText(rows[i], {
    x: left - font * 0.5, y: (i + 0.5) * cell, "text-anchor": "end", "dominant-baseline": "central",
    "data-row": i, class: classOf(rows[i], i === row, i === lit?.row),
  }));
}

function columnTexts({ columns }, { cell, top, font, slant }, { col, lit }) {
  const marked = [col, lit?.col];
  return written(columns.length, cell, font, marked).map((i) => {
    const x = (i + 0.5) * cell + (slant ? font * 0.2 : 0);
    const y = top - font * 0.5;
    return labelText(columns[i], {
      "data-col": i, class: classOf(columns[i], i === col, i === lit?.col),
      ...(slant ? { transform: `translate(${x} ${y}) rotate(${-slant})` } : { x, y, "text-anchor": "middle" }),
    });
  });
}

function labelText(label, attributes) {
  const full = lineOf(label);
  const shown = [...full].length > 14 ? `${[...full].slice(0, 13).join("")}…` : full;
  return svg("text", attributes, shown);
}

const classOf = (label, chosen, lit) =>
  [`hl-${label.kind}`, chosen ? "hl-here" : "", lit ? "hl-lit" : ""].join(" ");

function numbers({ cells, queries, keys, ramp }, { cell, font }) {
  if (cell < (NUMBERED * font) / 14 || queries * keys > MOST_NUMBERS) return [];
  return Array.from(cells, (weight, i) => (Number.isNaN(weight) ? null : svg("text", {
    x: ((i % keys) + 0.5) * cell, y: (Math.floor(i / keys) + 0.5) * cell,
    class: isDark(colourOf(ramp, weight)) ? "hl-number hl-on-dark" : "hl-number",
  }, cellText(weight)))).filter((text) => text !== null);
}

function outlines({ queries, keys }, { cell }, { row, col, lit }) {
  const box = (className, x, y, width, height) =>
    svg("rect", { class: className, x: x * cell, y: y * cell, width: width * cell, height: height * cell });
  const drawn = [box("hl-row-mark", 0, row, keys, 1)];
  if (lit?.row !== null && lit?.row !== undefined) drawn.push(box("hl-lit-mark", 0, lit.row, keys, 1));
  if (lit?.col !== null && lit?.col !== undefined) drawn.push(box("hl-lit-mark", lit.col, 0, 1, queries));
  if (col !== null) drawn.push(box("hl-cell-mark", col, row, 1, 1));
  return drawn;
}
