// One head, large: cells on a canvas, labels and marks in SVG around and above it. The labels stay
// in sight while a long sentence scrolls.

import { arrow, element, svg } from "./elements.js";
import { colourOf, isDark } from "./colour.js";
import { cellText } from "./numbers.js";
import { drawCells } from "./pixels.js";

const WIDEST = 8; // em of a cell's width
const TALLEST = 5; // em of a cell's height
const LONGISH = 2; // how much longer than the other one a side of a cell may be,
const LABELLED = 1.2; // unless it takes more to label every one of them: em
const NUMBERED = { width: 2.4, height: 1.3 }; // em of a cell that has room for its number
const MOST_NUMBERS = 400; // cells; more would be a wall of digits
const LONGEST = 13; // em of a label before it is cut
const MOST_CHARACTERS = 14; // of a label
const SLANT = 50; // degrees of the column labels where they have no room to lie

// scene: {cells, queries, keys, rows, columns (labels), ramp, zoom, name}, and where they are not the
// usual ones `along` and `strong` as pixels.js knows them, and `write`, which makes the text of a cell
export function createHeatmap(root, { onPoint, onChoose, describedBy = "hl-axes hl-links" }) {
  const canvas = element("canvas", { class: "hl-cells" });
  const digits = svg("g");
  const frames = svg("g");
  const marks = svg("svg", { class: "hl-marks", "aria-hidden": "true" }, digits, frames);
  const field = element("div", { class: "hl-field", tabindex: 0, role: "application", "aria-describedby": describedBy }, canvas, marks);
  const rowLabels = svg("svg", { class: "hl-rows", "aria-hidden": "true" });
  const columnLabels = svg("svg", { class: "hl-columns", "aria-hidden": "true" });
  const grid = element("div", { class: "hl-grid" },
    element("div", { class: "hl-nook" }), columnLabels, rowLabels, field);
  root.replaceChildren(grid);
  let scene = null;
  let plan = null;
  let lights = { row: 0, col: null, lit: { row: null, col: null } };

  function draw(next) {
    scene = next;
    plan = layOut(scene, root);
    const [width, height] = [plan.width * scene.keys, plan.height * scene.queries];
    grid.style.gridTemplate = `${plan.top}px ${height}px / ${plan.left}px ${width + plan.right}px`;
    field.style.setProperty("--cell", `${plan.width}px ${plan.height}px`);
    canvas.style.width = marks.style.width = `${width}px`;
    canvas.style.height = marks.style.height = `${height}px`;
    field.classList.toggle("hl-lined", Math.min(plan.width, plan.height) >= 8);
    drawCells(canvas, { ...scene, rows: scene.queries, columns: scene.keys }, scene.ramp);
    digits.replaceChildren(...numbers(scene, plan));
    field.setAttribute("aria-label", scene.name);
    rowLabels.replaceChildren();
    columnLabels.replaceChildren();
    light(lights);
  }

  // Marks the chosen row and cell, and what the pointer touches.
  function light(next) {
    lights = next;
    if (plan === null) return;
    const { row, col, lit } = lights;
    label(rowLabels, scene.rows, plan.height, plan, [row, lit.row], rowText);
    label(columnLabels, scene.columns, plan.width, plan, [col, lit.col], columnText);
    frames.replaceChildren(...outlines(scene, plan, lights));
  }

  function cellAt(event) {
    const box = field.getBoundingClientRect();
    const row = Math.floor((event.clientY - box.top) / plan.height);
    const col = Math.floor((event.clientX - box.left) / plan.width);
    const inside = row >= 0 && col >= 0 && row < scene.queries && col < scene.keys;
    return inside ? { row, col } : null;
  }

  let pointed = null;
  function point(cell) {
    if (cell?.row === pointed?.row && cell?.col === pointed?.col) return;
    pointed = cell;
    onPoint(cell);
  }

  field.addEventListener("pointermove", (event) => {
    if (plan !== null && event.pointerType !== "touch") point(cellAt(event));
  });
  field.addEventListener("pointerleave", () => point(null));
  field.addEventListener("click", (event) => {
    const cell = plan === null ? null : cellAt(event);
    if (cell !== null) onChoose(cell);
  });
  field.addEventListener("keydown", (event) => {
    const step = arrow(event);
    if (step === null || plan === null) return;
    event.preventDefault();
    const row = Math.max(0, Math.min(scene.queries - 1, (lights.row ?? 0) + step.rows));
    const col = lights.col === null ? 0 : lights.col + step.columns;
    onChoose({ row, col: Math.max(0, Math.min(scene.keys - 1, col)) });
    bringIntoSight(row, Math.max(0, Math.min(scene.keys - 1, col)));
  });

  function bringIntoSight(row, col) {
    const into = (start, size, at, room) => (start < at ? start : Math.max(at, start + size - room));
    const { width, height, left, top } = plan;
    root.scrollLeft = into(col * width, width, root.scrollLeft, root.clientWidth - left);
    root.scrollTop = into(row * height, height, root.scrollTop, root.clientHeight - top);
  }

  return { draw, light };
}

// How large a cell is and how much room the labels need, all in px.
function layOut({ queries, keys, rows, columns, zoom }, root) {
  const style = getComputedStyle(root);
  const font = parseFloat(style.fontSize);
  const measure = measurer(style);
  const widest = (labels) => Math.min(LONGEST * font, Math.max(...labels.map(measure)));
  const left = Math.ceil(widest(rows) + font);
  const long = widest(columns);
  const sized = (top, right) => {
    const height = Math.min(TALLEST * font, (root.clientHeight - top) / queries);
    const width = Math.min(WIDEST * font, (root.clientWidth - left - right) / keys);
    const side = (own, other) => Math.max(3, Math.floor(Math.min(own, Math.max(LONGISH * other, LABELLED * font)) * zoom));
    return { width: side(width, height), height: side(height, width) };
  };
  const top = Math.ceil(font * 1.9);
  const flat = sized(top, 0);
  if (long + font * 0.5 <= flat.width) return { ...flat, left, top, right: 0, font, slant: 0 };
  const angle = (SLANT * Math.PI) / 180;
  const right = Math.ceil(long * Math.cos(angle));
  const tall = Math.ceil(long * Math.sin(angle) + font * 1.5);
  return { ...sized(tall, right), left, top: tall, right, font, slant: SLANT };
}

let ruler = null;

function measurer({ fontSize, fontFamily }) {
  ruler ??= document.createElement("canvas").getContext("2d");
  ruler.font = `600 ${fontSize} ${fontFamily}`; // as wide as a label gets when it is marked
  return (label) => ruler.measureText(lineOf(label)).width;
}

export const lineOf = (label) => label.line ?? label.text;

// Which labels are written: all, or every n-th where there is no room, and always those marked.
export function written(count, spacing, font, marked) {
  const every = Math.max(1, Math.ceil((font * 1.1) / spacing));
  const chosen = marked.filter((i) => i !== null);
  const near = (i) => chosen.some((j) => j !== i && Math.abs(i - j) < every);
  return Array.from({ length: count }, (_, i) => i)
    .filter((i) => chosen.includes(i) || (i % every === 0 && !near(i)));
}

// Writes the labels that have room, and marks those that are chosen or pointed at.
function label(area, labels, spacing, plan, marked, place) {
  const wanted = written(labels.length, spacing, plan.font, marked);
  const staying = new Set(wanted);
  for (const text of [...area.children]) if (!staying.has(Number(text.dataset.at))) text.remove();
  let next = area.firstChild; // those that stay are not touched: under a moving pointer few change
  for (const i of wanted) {
    if (next !== null && Number(next.dataset.at) === i) next = next.nextSibling;
    else area.insertBefore(labelText(labels[i], i, place(i, plan)), next);
  }
  for (const text of area.children) {
    const i = Number(text.dataset.at);
    text.classList.toggle("hl-here", i === marked[0]);
    text.classList.toggle("hl-lit", i === marked[1]);
  }
}

function rowText(i, { height, left, font }) {
  const y = Math.max((i + 0.5) * height, font * 0.6); // the first label of many stays whole
  return { x: left - font * 0.5, y, "text-anchor": "end", "dominant-baseline": "central" };
}

function columnText(i, { width, top, font, slant }) {
  const x = (i + 0.5) * width;
  const y = top - font * 0.5;
  if (!slant) return { x, y, "text-anchor": "middle" };
  return { transform: `translate(${x + font * 0.2} ${y}) rotate(${-slant})` };
}

function labelText(label, i, place) {
  const full = [...lineOf(label)];
  const shown = full.length > MOST_CHARACTERS ? `${full.slice(0, MOST_CHARACTERS - 1).join("")}…` : full.join("");
  return svg("text", { ...place, "data-at": i, class: `hl-${label.kind}` }, shown);
}

function numbers({ cells, queries, keys, ramp, along = (weight) => weight, strong = null, write = cellText }, { width, height, font }) {
  const room = width >= NUMBERED.width * font && height >= NUMBERED.height * font;
  if (!room || queries * keys > MOST_NUMBERS) return [];
  const left = (weight, i) => Number.isNaN(weight) || (strong !== null && !strong[i]);
  return Array.from(cells, (weight, i) => (left(weight, i) ? null : svg("text", {
    x: ((i % keys) + 0.5) * width, y: (Math.floor(i / keys) + 0.5) * height,
    class: isDark(colourOf(ramp, along(weight))) ? "hl-number hl-on-dark" : "hl-number",
  }, write(weight)))).filter((text) => text !== null);
}

function outlines({ queries, keys }, plan, { row, col, lit }) {
  const box = (className, x, y, columns, rows) => svg("rect", {
    class: className, x: x * plan.width, y: y * plan.height,
    width: columns * plan.width, height: rows * plan.height,
  });
  const drawn = [];
  if (row !== null) drawn.push(box("hl-row-mark", 0, row, keys, 1));
  if (lit.row !== null) drawn.push(box("hl-lit-mark", 0, lit.row, keys, 1));
  if (lit.col !== null) drawn.push(box("hl-lit-mark", lit.col, 0, 1, queries));
  if (row !== null && col !== null) drawn.push(box("hl-cell-mark", col, row, 1, 1));
  return drawn;
}
