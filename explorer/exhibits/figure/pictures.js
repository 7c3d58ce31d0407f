// The small pictures in the blocks: matrices and heads as images, one pixel a number. An image is
// made once and kept.

import { colourOf, diverging, ramps } from "../../../assets/kit/colour.js";
import { unpack } from "../../../assets/kit/packing.js";
import { pool } from "../../../assets/kit/pixels.js";
import { pngOf } from "../../../assets/kit/png.js";

const SHADES = 254; // steps of colour: a palette has room for 255 and the clear one
const MAX_ROWS = 24; // of a matrix in a block; a longer one shows those around the chosen row
export const BANDS = 16; // numbers of a vector that its strip shows, evenly spaced
const LEAST_ROW = 3; // px of a row while few are there
const FINEST = 64; // pixels of a head's side
const UNITS = 128; // pixels of a line of units; each is the strongest of those it stands for
const MAX_BYTES = 65_000; // of one image

/** @typedef {{rows: number, columns: number, most: number, cells: Int8Array}} Cells */

const shades = (/** @type {number[][]} */ ramp) =>
  Uint8Array.from(
    { length: 3 * (SHADES + 1) },
    (_, i) => colourOf(ramp, Math.floor(i / 3) / SHADES)[i % 3],
  );
const COLOURS = {
  weights: { light: shades(ramps.light), dark: shades(ramps.dark) },
  signed: { light: shades(diverging.light), dark: shades(diverging.dark) },
};

/** The reply with its packed arrays as numbers. @param {any} reply */
export async function unpacked(reply) {
  const stacks = await Promise.all([stackOf(reply.encoder), stackOf(reply.decoder)]);
  return { config: reply.config, encoder: stacks[0], decoder: stacks[1] };
}

async function stackOf(stack) {
  const layers = await Promise.all(
    Object.entries(stack.layers).map(
      async ([i, parts]) =>
        /** @type {[number, any]} */ ([Number(i), await Promise.all(parts.map(partOf))]),
    ),
  );
  return {
    embedding: await cellsOf(stack.embedding),
    position: await cellsOf(stack.position),
    states: await Promise.all(stack.states.map(cellsOf)),
    final: stack.final && (await cellsOf(stack.final)),
    layers: new Map(layers),
  };
}

const cellsOf = async (sent) => ({ ...sent, cells: await unpack(sent.cells, Int8Array) });

/** A thousand units on two hundred pixels: made smaller by the browser, one that fires would fade.
 * @param {Cells} matrix */
function strongest({ cells, rows, columns, most }) {
  const pooled = pool(cells, rows, columns, rows, UNITS);
  return { ...pooled, most, cells: Int8Array.from(pooled.cells), of: columns };
}

async function partOf(part) {
  const floats = await Promise.all(
    ["before", "inside", "adds", "after"].map((name) => unpack(part[name], Float32Array)),
  );
  const [before, inside, adds, after] = floats;
  const lengths = { name: part.name, before, inside, adds, after };
  if (part.name !== "feed_forward") return lengths;
  return {
    ...lengths,
    units: strongest(await cellsOf(part.units)),
    fired: await unpack(part.fired, Int32Array),
  };
}

/** So many rows of a picture are shown that those which are there can be seen. */
export const seenRows = (/** @type {number} */ rows, /** @type {number} */ upTo, height) =>
  Math.min(rows, Math.max(1, upTo + 1, Math.floor(height / LEAST_ROW)));

/** The rows of a matrix that a block shows: all, or those around the chosen one.
 * @param {Cells} matrix @param {number} row */
export function windowOf({ columns }, row, /** @type {number} */ rows) {
  const count = Math.max(1, Math.min(rows, MAX_ROWS, Math.floor(MAX_BYTES / (columns + 1))));
  const from = Math.max(0, Math.min(rows - count, row - Math.floor(count / 2)));
  return { from, count };
}

/** Gives {matrix, strips, head}: the addresses of images; later rows than `upTo` are clear. */
export function createPictures(/** @type {number} */ full) {
  /** What was made of each array. @type {WeakMap<object, Map<string, string>>} */
  const kept = new WeakMap();
  const once = (of, /** @type {string} */ key, /** @type {() => string} */ make) => {
    const urls = kept.get(of) ?? new Map();
    kept.set(of, urls);
    if (!urls.has(key)) urls.set(key, make());
    return urls.get(key);
  };

  function matrix(/** @type {Cells} */ shown, { from, count }, /** @type {number} */ upTo, theme) {
    return once(shown.cells, `${from} ${count} ${upTo} ${theme}`, () => {
      const { columns, cells } = shown;
      const places = new Uint8Array(count * columns);
      const end = Math.min(count, upTo + 1 - from) * columns;
      for (let i = 0; i < end; i += 1) places[i] = 1 + full + cells[from * columns + i];
      return urlOf(places, columns, count, COLOURS.signed[theme]);
    });
  }

  /**
   * A row of vectors, each a strip of some of its numbers; clear but for those from one to another.
   * `share`: how much of the way from one token to the next a strip takes. */
  function strips(shown, /** @type {number} */ from, /** @type {number} */ to, share, theme) {
    const { rows, columns, cells } = /** @type {Cells} */ (shown);
    return once(cells, `strips ${from} ${to} ${share.toFixed(3)} ${theme}`, () => {
      const bands = Math.min(BANDS, columns);
      const unit = Math.max(3, Math.min(20, Math.floor(MAX_BYTES / bands / rows)));
      const wide = Math.max(1, Math.round(share * unit));
      const places = new Uint8Array(rows * unit * bands);
      for (let row = from; row <= to; row += 1) {
        for (let band = 0; band < bands; band += 1) {
          const cell = cells[row * columns + Math.floor((band * columns) / bands)];
          const at = (band * rows + row) * unit + Math.floor((unit - wide) / 2);
          places.fill(1 + full + cell, at, at + wide);
        }
      }
      return urlOf(places, rows * unit, bands, COLOURS.signed[theme]);
    });
  }

  function head(maps, layer, index, /** @type {number} */ upTo, theme) {
    const weights = maps.head(layer, index);
    return once(weights, `${upTo} ${theme}`, () => {
      const read = weights.slice().fill(Number.NaN, (upTo + 1) * maps.keys);
      const { cells, rows, columns } = pool(read, maps.queries, maps.keys, FINEST, FINEST);
      const places = Uint8Array.from(cells, (weight) =>
        Number.isNaN(weight) ? 0 : 1 + Math.round(weight * SHADES),
      );
      return urlOf(places, columns, rows, COLOURS.weights[theme]);
    });
  }
  return { matrix, strips, head };
}

function urlOf(places, columns, rows, colours) {
  const file = pngOf(places, columns, rows, colours);
  return `data:image/png;base64,${btoa(String.fromCharCode(...file))}`;
}
