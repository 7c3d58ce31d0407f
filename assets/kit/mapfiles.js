// One head as files: its numbers as rows of a CSV, its picture as one SVG document. Pure functions.

import { colourOf, cssOf, isDark, ramps } from "./colour.js";
import { escaped } from "./download.js";
import { lineOf } from "./heatplan.js";
import { cellText } from "./numbers.js";
import { FADED } from "./pixels.js";

const DIGITS = 5; // as many as the payload holds
const CELL = 40; // px of the picture's cells; long sentences get smaller ones
const NUMBERED = 34; // px of a cell that has room for its number
const LARGEST = 1600; // px of the cells together
export const FONT =
  "system-ui, 'Segoe UI', 'PingFang SC', 'Noto Sans CJK SC', 'Microsoft YaHei', sans-serif";
export const PAPER = { light: "#ffffff", dark: "#16161b" };
export const INK = { light: "#1c1c22", dark: "#ededf0" };

/** `note` says what was done to the weights.
 * @typedef {import("./heatmap.js").HeatScene & {note?: string}} FileScene */

/** The name of a head's files. @param {{kind: string, layer: number, head: number}} one */
export const fileName = ({ kind, layer, head }) => `${kind}-layer${layer + 1}-head${head + 1}`;

/**
 * Rows read, columns are read; a masked cell stays empty. The note stands in the corner.
 * @param {FileScene} scene
 */
export function rowsOf({ cells, keys, rows, columns, note = "" }) {
  const number = (w) => (Number.isNaN(w) ? null : Number(w.toFixed(DIGITS)));
  const lines = rows.map((label, row) => [
    lineOf(label),
    ...Array.from(cells.subarray(row * keys, (row + 1) * keys), number),
  ]);
  return [[note, ...columns.map(lineOf)], ...lines];
}

/**
 * The heatmap with its labels.
 * @param {FileScene} scene
 * @param {"light"|"dark"} look
 */
export function svgOf(scene, look) {
  const { queries, keys, rows, columns, name, note = "" } = scene;
  const cell = Math.max(6, Math.min(CELL, Math.floor(LARGEST / Math.max(queries, keys))));
  const font = Math.max(6, Math.min(14, cell * 0.8));
  const longest = Math.max(...[...rows, ...columns].map((label) => [...lineOf(label)].length));
  const margin = Math.min(longest, 20) * font + 20;
  const ink = `fill="${INK[look]}"`;
  const across = (i) => margin + (i + 0.5) * cell;
  const end = 'text-anchor="end" dominant-baseline="central"';
  return svgDocument(margin * 1.7 + cell * keys, margin + 30 + cell * queries, look, [
    text(name, `x="12" y="22" font-size="14" font-weight="600" ${ink}`),
    note ? text(note, `x="12" y="38" font-size="10" ${ink}`) : "",
    ...rows.map((label, i) =>
      text(
        lineOf(label),
        `x="${margin - 6}" y="${across(i) + 20}" ${end} font-size="${font}" ${ink}`,
      ),
    ),
    ...columns.map((label, i) => {
      const turned = `transform="translate(${across(i)} ${margin + 14}) rotate(-50)"`;
      return text(lineOf(label), `${turned} font-size="${font}" ${ink}`);
    }),
    ...squares(scene, margin, cell, look),
  ]);
}

/** An SVG document on paper of its own. */
export function svgDocument(width, height, look, parts) {
  const size = `width="${width}" height="${height}"`;
  const name = `xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"`;
  const paper = `<rect ${size} fill="${PAPER[look]}"/>`;
  return `<svg ${name} ${size} font-family="${FONT}">${paper}${parts.join("")}</svg>`;
}

export const text = (content, attributes) => `<text ${attributes}>${escaped(content)}</text>`;

function squares(/** @type {FileScene} */ scene, margin, side, look) {
  const { cells, keys, along = (one) => one, strong = null, write = cellText } = scene;
  return Array.from(cells, (weight, i) => {
    const [x, y] = [margin + (i % keys) * side, margin + 20 + Math.floor(i / keys) * side];
    if (Number.isNaN(weight)) {
      const line = `M${x} ${y + side}L${x + side} ${y}`;
      return `<path d="${line}" stroke="#8a8a94" stroke-opacity=".5" fill="none"/>`;
    }
    const isFaded = strong !== null && !strong[i];
    const colour = colourOf(scene.ramp ?? ramps[look], along(weight) * (isFaded ? FADED : 1));
    const size = `width="${side}" height="${side}"`;
    const box = `<rect x="${x}" y="${y}" ${size} fill="${cssOf(colour)}"/>`;
    if (side < NUMBERED || isFaded) return box;
    const place = `x="${x + side / 2}" y="${y + side / 2}"`;
    const middle = `${place} text-anchor="middle" dominant-baseline="central"`;
    const fill = isDark(colour) ? "#fff" : INK.light;
    return box + text(write(weight), `${middle} font-size="11" fill="${fill}"`);
  });
}
