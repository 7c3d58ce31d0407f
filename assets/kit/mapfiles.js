// Maps as files: numbers as rows of a CSV, pictures as one SVG document.

import { html, nothing, render, svg } from "../vendor/lit-html.js";
import { colourOf, cssOf } from "./colour.js";
import { escaped } from "./download.js";
import { layOut, lineOf } from "./heatplan.js";
import { parts } from "./map.js";
import { FADED } from "./pixels.js";

const DIGITS = 5; // as many as the payload holds
const CELL = { most: 40, least: 21 }; // px of a cell's side: every slanted label has room
const LARGEST = 1600; // px of the cells together, where there are not too many
const LETTER = 14; // px
const HEAD = 44; // px above a map, for its name
export const FONT =
  "system-ui, 'Segoe UI', 'PingFang SC', 'Noto Sans CJK SC', 'Microsoft YaHei', sans-serif";
export const PAPER = { light: "#ffffff", dark: "#16161b" };
export const INK = { light: "#1c1c22", dark: "#ededf0" };

/** `sides` has the names of the rows (`sidesOf`); `note` describes the changes to the weights.
 * @typedef {import("./map.js").MapScene & {sides: Record<string, import("./types.js").Label[]>,
 *   note?: string}} FileScene */

/** The name of a head's files. @param {import("./heads.js").Head} head */
export const fileName = ({ kind, layer, head }) => `${kind}-layer${layer + 1}-head${head + 1}`;

/**
 * Rows read, columns are read; a masked cell stays empty. The note is in the corner.
 * @param {Pick<FileScene, "cells"|"keys"|"sides"|"columns"|"note">} scene
 */
export function rowsOf({ cells, keys, sides, columns, note = "" }) {
  const number = (/** @type {number} */ w) => (Number.isNaN(w) ? null : Number(w.toFixed(DIGITS)));
  const [first, ...others] = Object.keys(sides);
  const lines = sides[first].map((_, row) => [
    ...Object.values(sides).map((labels) => lineOf(labels[row])),
    ...Array.from(cells)
      .slice(row * keys, (row + 1) * keys)
      .map(number),
  ]);
  const corner = note ? `${first}: ${note}` : first;
  return [[corner, ...others, ...columns.map(lineOf)], ...lines];
}

/**
 * The maps side by side, with all their labels.
 * @param {Omit<FileScene, "sides">[]} scenes
 * @param {"light"|"dark"} look
 */
export function svgOf(scenes, look) {
  let at = 0;
  let height = 0;
  const drawn = scenes.map((scene) => {
    const most = Math.floor(LARGEST / Math.max(scene.queries, scene.keys));
    const side = Math.max(CELL.least, Math.min(CELL.most, most));
    const own = { ...scene, font: LETTER, side, bare: false, large: true };
    const plan = layOut(own);
    const from = at;
    at += plan.left + side * scene.keys + plan.right + LETTER;
    height = Math.max(height, HEAD + plan.top + side * scene.queries + LETTER);
    return drawing(own, plan, from);
  });
  const root = document.createElement("div");
  render(
    html`<svg xmlns="http://www.w3.org/2000/svg" width=${at} height=${height} fill=${INK[look]}
      viewBox="0 0 ${at} ${height}" font-family=${FONT} font-size=${LETTER}>
      <rect width=${at} height=${height} fill=${PAPER[look]}></rect>${drawn}</svg>`,
    root,
  );
  return new XMLSerializer().serializeToString(/** @type {Element} */ (root.firstElementChild));
}

/** @param {Omit<FileScene, "sides">} scene @param {import("./map.js").Plan} plan @param {number} from px */
function drawing(scene, plan, from) {
  const none = [null, null];
  const { left, top, width } = plan;
  return svg`<g transform="translate(${from} ${HEAD})">
    <text x="12" y="-22" font-weight="600">${scene.name}</text>
    ${scene.note ? svg`<text x="12" y="-6" font-size="10">${scene.note}</text>` : nothing}
    <g transform="translate(${left} 0)">${parts.columnNames(scene, plan, none)}</g>
    <g transform="translate(0 ${top})">${parts.rowNames(scene, plan, none)}</g>
    <g transform="translate(${left} ${top})">${squares(scene, width)}
      <g font-size="12">${parts.numbers(scene, plan)}</g></g>
  </g>`;
}

/** @param {Omit<FileScene, "sides">} scene @param {number} side px of a cell */
function squares({ cells, keys, ramp, along = (one) => one, strong }, side) {
  return Array.from(cells, (value, i) => {
    const [x, y] = [(i % keys) * side, Math.floor(i / keys) * side];
    if (Number.isNaN(value)) {
      return svg`<path d="M${x} ${y + side}L${x + side} ${y}" stroke="#8a8a94" stroke-opacity=".5"
        fill="none"></path>`;
    }
    const colour = colourOf(ramp, along(value) * (strong && !strong[i] ? FADED : 1));
    return svg`<rect x=${x} y=${y} width=${side} height=${side} fill=${cssOf(colour)}></rect>`;
  });
}

/**
 * The downloads of maps: the numbers of the first, the picture of all.
 * @param {import("./types.js").Page} page
 * @param {FileScene[]} scenes
 */
export const mapFiles = (page, scenes) => ({
  csv: () => rowsOf(scenes[0]),
  svg: () => svgOf(scenes, page.theme.get()),
});

/** An SVG document on its own background, as text.
 * @param {number} width @param {number} height @param {"light"|"dark"} look
 * @param {string[]} parts */
export function svgDocument(width, height, look, parts) {
  const size = `width="${width}" height="${height}"`;
  const name = `xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"`;
  const paper = `<rect ${size} fill="${PAPER[look]}"/>`;
  return `<svg ${name} ${size} font-family="${FONT}">${paper}${parts.join("")}</svg>`;
}

/** @param {string} content @param {string} attributes */
export const text = (content, attributes) => `<text ${attributes}>${escaped(content)}</text>`;
