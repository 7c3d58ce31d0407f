// Attention weights as pixels. Pure functions.

import { colourOf } from "./colour.js";

export const FADED = 0.2; // how much of its colour a faded cell keeps

/**
 * A map reduced for a small picture: each cell is the strongest of those that it replaces, so that
 * a single strong link never fades away. NaN if all of them are masked.
 * @param {ArrayLike<number>} cells @param {number} rows @param {number} columns
 * @param {number} mostRows @param {number} mostColumns
 */
export function pool(cells, rows, columns, mostRows, mostColumns) {
  const height = Math.min(rows, mostRows);
  const width = Math.min(columns, mostColumns);
  if (height === rows && width === columns) return { cells, rows, columns };
  const pooled = new Float32Array(height * width).fill(NaN);
  const to = Int32Array.from({ length: columns }, (_, column) =>
    Math.floor((column * width) / columns),
  );
  for (let row = 0; row < rows; row += 1) {
    const line = Math.floor((row * height) / rows) * width;
    for (let column = 0; column < columns; column += 1) {
      const weight = cells[row * columns + column];
      const at = line + to[column];
      if (!(weight <= pooled[at]) && !Number.isNaN(weight)) pooled[at] = weight;
    }
  }
  return { cells: pooled, rows: height, columns: width };
}

/**
 * Red, green, blue and opacity of each cell; a masked cell is clear, and shows the hatching below.
 * `along` maps a weight to its place on the ramp; cells that are not `strong` (1 or 0 each) are
 * faded.
 * @param {ArrayLike<number>} cells @param {number[][]} ramp
 * @param {(weight: number) => number} [along] @param {Uint8Array|null} [strong]
 */
export function pixels(cells, ramp, along = (weight) => weight, strong = null) {
  const bytes = new Uint8ClampedArray(cells.length * 4);
  for (let i = 0; i < cells.length; i += 1) {
    if (Number.isNaN(cells[i])) continue;
    const place = along(cells[i]);
    const colour = colourOf(ramp, strong === null || strong[i] ? place : place * FADED);
    bytes[i * 4] = colour[0];
    bytes[i * 4 + 1] = colour[1];
    bytes[i * 4 + 2] = colour[2];
    bytes[i * 4 + 3] = 255;
  }
  return bytes;
}

/**
 * Draws a map on a canvas, one pixel a cell; the style sheet stretches it without blurring.
 * @param {HTMLCanvasElement} canvas
 * @param {{cells: ArrayLike<number>, rows: number, columns: number,
 *   along?: (weight: number) => number, strong?: Uint8Array|null}} map
 * @param {number[][]} ramp
 */
export function drawCells(canvas, { cells, rows, columns, along, strong }, ramp) {
  canvas.width = columns;
  canvas.height = rows;
  const image = new ImageData(pixels(cells, ramp, along, strong), columns, rows);
  canvas.getContext("2d")?.putImageData(image, 0, 0);
}
