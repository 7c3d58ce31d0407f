// Taking the chosen head away: its numbers as CSV, its picture as SVG and PNG.

import { colourOf, cssOf, isDark, ramps } from "./colour.js";
import { element } from "./elements.js";
import { csvFile, offer, pngFile } from "./files.js";
import { lineOf } from "./heatmap.js";
import { cellText } from "./numbers.js";
import { FADED } from "./pixels.js";
import { theme } from "./state.js";
import { t } from "./words.js";

const DIGITS = 5; // as many as the payload holds
const CELL = 40; // px of the picture's cells; long sentences get smaller ones
const LARGEST = 1600; // px of the cells together
const SHARPNESS = 2; // pixels of the PNG for one of the SVG
const FONT = "system-ui, 'Segoe UI', 'PingFang SC', 'Noto Sans CJK SC', 'Microsoft YaHei', sans-serif";

export function mountTakeaway(root, sceneNow) {
  offer(root, {
    csv: () => csvFile(fileName(sceneNow()), rowsOf(sceneNow())),
    svg: () => [`headlight-${fileName(sceneNow())}.svg`, new Blob([drawing(sceneNow())], { type: "image/svg+xml" })],
    png: async () => pngFile(fileName(sceneNow()), await canvasOf(drawing(sceneNow()))),
  });
}

// A scene may bring a drawing of its own; `suffix` says what was done to its weights.
const drawing = (scene) => (scene.svg ?? ((look) => svgOf(scene, look)))(theme.get());

const fileName = ({ chosen, suffix = "" }) =>
  `${chosen.kind}-layer${chosen.layer + 1}-head${chosen.head + 1}${suffix}`;

// Rows read, columns are read; a masked cell stays empty. `note`, in the corner, says what was done to
// the weights.
export function rowsOf({ cells, keys, rows, columns, note = "" }) {
  const lines = rows.map((label, row) => {
    const weights = Array.from(cells.subarray(row * keys, (row + 1) * keys));
    return [lineOf(label), ...weights.map((w) => (Number.isNaN(w) ? null : Number(w.toFixed(DIGITS))))];
  });
  return [[note, ...columns.map(lineOf)], ...lines];
}

// The heatmap with its labels as one SVG document.
export function svgOf({ cells, queries, keys, rows, columns, name, note = "", along, strong = null }, look) {
  const cell = Math.max(6, Math.min(CELL, Math.floor(LARGEST / Math.max(queries, keys))));
  const font = Math.max(6, Math.min(14, cell * 0.8));
  const longest = Math.max(...[...rows, ...columns].map((label) => [...lineOf(label)].length));
  const margin = Math.min(longest, 20) * font + 20;
  const width = margin * 1.7 + cell * keys;
  const height = margin + 30 + cell * queries;
  const ink = look === "dark" ? "#ededf0" : "#1c1c22";
  const parts = [
    `<rect width="${width}" height="${height}" fill="${look === "dark" ? "#16161b" : "#ffffff"}"/>`,
    text(name, 12, 22, `font-size="14" font-weight="600" fill="${ink}"`),
  ];
  rows.forEach((label, row) => parts.push(text(lineOf(label), margin - 6, margin + 20 + (row + 0.5) * cell,
    `text-anchor="end" dominant-baseline="central" font-size="${font}" fill="${ink}"`)));
  columns.forEach((label, col) => parts.push(text(lineOf(label), 0, 0,
    `transform="translate(${margin + (col + 0.5) * cell} ${margin + 14}) rotate(-50)" font-size="${font}" fill="${ink}"`)));
  if (note) parts.push(text(note, 12, 38, `font-size="10" fill="${ink}"`));
  cells.forEach((weight, i) => {
    const [x, y] = [margin + (i % keys) * cell, margin + 20 + Math.floor(i / keys) * cell];
    parts.push(...square({ weight, along, faded: strong !== null && !strong[i] }, x, y, cell, look));
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${FONT}">${parts.join("")}</svg>`;
}

function square({ weight, along = (one) => one, faded }, x, y, cell, look) {
  const box = `x="${x}" y="${y}" width="${cell}" height="${cell}"`;
  if (Number.isNaN(weight)) {
    return [`<path d="M${x} ${y + cell}L${x + cell} ${y}" stroke="#8a8a94" stroke-opacity=".5" fill="none"/>`];
  }
  const colour = colourOf(ramps[look], along(weight) * (faded ? FADED : 1));
  const drawn = [`<rect ${box} fill="${cssOf(colour)}"/>`];
  if (cell >= 34 && !faded) {
    drawn.push(text(cellText(weight), x + cell / 2, y + cell / 2,
      `text-anchor="middle" dominant-baseline="central" font-size="11" fill="${isDark(colour) ? "#fff" : "#1c1c22"}"`));
  }
  return drawn;
}

function text(content, x, y, attributes) {
  const escaped = content.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return `<text x="${x}" y="${y}" ${attributes}>${escaped}</text>`;
}

async function canvasOf(source) {
  const image = new Image();
  const address = URL.createObjectURL(new Blob([source], { type: "image/svg+xml" }));
  image.src = address;
  await image.decode();
  const canvas = element("canvas", { width: image.width * SHARPNESS, height: image.height * SHARPNESS });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(address);
  return canvas;
}
