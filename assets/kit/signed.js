// Numbers of either sign as cells of a canvas: blue below zero, orange above, nothing at zero.

import { html, ref } from "../vendor/lit-html.js";
import { colourOf, cssOf, diverging } from "./colour.js";
import { drawCells } from "./pixels.js";
import { pngUrl } from "./png.js";

/** @typedef {Float32Array|Float64Array} Numbers */

/** The largest distance from zero; never 0. @param {Numbers} cells */
export const mostOf = (/** @type {any} */ cells) =>
  cells.reduce(
    (/** @type {number} */ most, /** @type {number} */ x) => Math.max(most, Math.abs(x)),
    1e-12,
  );

/** Numbers from -most to most as places on a ramp from 0 to 1; NaN stays.
 * @param {Numbers} cells @param {number} most */
export const placed = (cells, most) => Float32Array.from(cells, (x) => 0.5 + x / (2 * most));

/**
 * A canvas of rows x columns cells. `most` gets the full colour; with a `power` below 1 small
 * numbers stay visible.
 * @param {{cells: Numbers, rows: number, columns: number, theme: "light"|"dark",
 *   name: string, most?: number, power?: number, class?: string,
 *   onClick?: (event: PointerEvent) => void}} given
 */
export function signedCells({ cells, rows, columns, theme, name, most, power = 1, ...more }) {
  const end = most ?? mostOf(cells);
  const shown =
    power === 1
      ? cells
      : Float32Array.from(cells, (x) => Math.sign(x) * (Math.abs(x) / end) ** power);
  /** @type {any} */
  const map = { cells: placed(shown, power === 1 ? end : 1), rows, columns };
  const draw = (/** @type {HTMLCanvasElement} */ canvas) =>
    drawCells(canvas, map, diverging[theme]);
  return html`<canvas class=${more.class ?? "hl-signed"} role="img" aria-label=${name}
    @click=${more.onClick} ${painted(draw)}></canvas>`;
}

const SHADES = 255; // colours of a small picture

const paletteOf = (/** @type {number[][]} */ ramp) =>
  Uint8Array.from(
    { length: 3 * SHADES },
    (_, i) => colourOf(ramp, Math.floor(i / 3) / (SHADES - 1))[i % 3],
  );

const PALETTES = { light: paletteOf(diverging.light), dark: paletteOf(diverging.dark) };

/**
 * The same as the address of a picture with a pixel for each number, for an image in a drawing.
 * @param {{cells: Numbers, columns: number, theme: "light"|"dark", most: number, power?: number}}
 * given
 */
export function signedUrl({ cells, columns, theme, most, power = 1 }) {
  const rows = Math.ceil(cells.length / columns);
  const places = new Uint8Array(rows * columns); // 0, clear, where the last row ends early
  cells.forEach((/** @type {number} */ x, /** @type {number} */ i) => {
    const share = Math.sign(x) * Math.min(1, Math.abs(x) / most) ** power;
    places[i] = 1 + Math.round(((1 + share) / 2) * (SHADES - 1));
  });
  return pngUrl(places, columns, rows, PALETTES[theme]);
}

/** Draws on a canvas of a template whenever the template is rendered.
 * @param {(canvas: HTMLCanvasElement) => void} draw */
export const painted = (draw) => ref((canvas) => canvas && draw(canvas));

/** The ramp with the numbers of its ends and its middle.
 * @param {"light"|"dark"} theme @param {number} most @param {(value: number) => string} text */
export function signedScale(theme, most, text) {
  const ramp = diverging[theme];
  const stops = Array.from({ length: 17 }, (_, i) => cssOf(colourOf(ramp, i / 16))).join(",");
  return html`<div class="hl-signed-scale">
    <i style="background:linear-gradient(to right,${stops})"></i>
    <span>${text(-most)}</span><span>0</span><span>${text(most)}</span>
  </div>`;
}

/** A picture of cells for a file: each cell is a square of whole pixels.
 * @param {HTMLCanvasElement|null} cells */
export function grown(cells, width = 1200) {
  if (cells === null) return null;
  const factor = Math.max(1, Math.round(width / Math.max(cells.width, cells.height)));
  const canvas = document.createElement("canvas");
  canvas.width = cells.width * factor;
  canvas.height = cells.height * factor;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.imageSmoothingEnabled = false;
  context.drawImage(cells, 0, 0, canvas.width, canvas.height);
  return canvas;
}
