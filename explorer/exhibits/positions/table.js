// The table itself, positions x dimensions, and the same positions as binary numbers beside it.

import { diverging, ramps } from "../../../assets/kit/colour.js";
import { downloads } from "../../../assets/kit/download.js";
import { memo } from "../../../assets/kit/memo.js";
import { signedText } from "../../../assets/kit/numbers.js";
import { grown, placed, signedScale } from "../../../assets/kit/signed.js";
import { partOf, rate, sinusoid, sinusoids, wavelength } from "../../../assets/kit/sinusoids.js";
import { html } from "../../../assets/vendor/lit-html.js";
import { map } from "./map.js";
import { bits } from "./maths.js";

const BITS = 8;

/** @typedef {import("./view.js").Scene} Scene */

export function createTable() {
  const table = memo((length, size, base, layout) => sinusoids(length, { size, base, layout }));
  const shades = memo((cells) => placed(cells, 1));
  const digits = memo(binary);
  return (/** @type {Scene} */ scene) => {
    const { length, size, base, layout } = scene.state;
    const cells = table(length, size, base, layout);
    return both(scene, cells, shades(cells), digits(length));
  };
}

/** @param {Scene} scene @param {Float64Array} cells */
function both({ page, el, state, shape, change }, cells, shades, digits) {
  const { t, theme } = page;
  const { length, position, dimension } = state;
  return html`<div class="hl-positions-table">
    <div class="hl-row"><p class="hl-axes">${t("positions.table.axes")}</p>
      ${signedScale(theme.get(), 1, (value) => signedText(value, 0))}</div>
    ${map({
      cells: shades,
      rows: length,
      columns: shape.size,
      ramp: diverging[theme.get()],
      name: t("positions.table.name", { length, size: shape.size }),
      columnText: (col) => col + 1,
      chosen: { row: position, col: dimension },
      onChoose: ({ row, col }) => change({ position: row, dimension: col }),
    })}
    <p class="hl-positions-readout" aria-live="polite">
      ${formulaText(page, position, dimension, shape)}</p>
    <h3>${t("positions.binary")}</h3>
    ${map({
      cells: digits,
      rows: length,
      columns: BITS,
      ramp: ramps[theme.get()],
      name: t("positions.binary.name"),
      columnText: (col) => 2 ** (BITS - 1 - col),
      chosen: { row: position, col: BITS - 1 },
      onChoose: ({ row }) => change({ position: row }),
    })}
    <p class="hl-positions-readout">${t("positions.binary.note", {
      position,
      digits: bits(position, BITS).reverse().join(""),
    })}</p>
    ${downloads(page, "positions", {
      csv: () => rowsOf(cells, length, shape.size),
      png: () => grown(el.querySelector("canvas")),
    })}
  </div>`;
}

/** @param {number} length */
const binary = (length) =>
  Float32Array.from({ length: length * BITS }, (_, i) => {
    return bits(Math.floor(i / BITS), BITS)[BITS - 1 - (i % BITS)];
  });

/** @param {Float64Array} cells @param {number} length @param {number} size */
const rowsOf = (cells, length, size) => [
  ["position", ...Array.from({ length: size }, (_, i) => i + 1)],
  ...Array.from({ length }, (_, row) => [row, ...cells.subarray(row * size, (row + 1) * size)]),
];

/** PE(20, 41) = sin(20 / 10000^(40/256)) = sin(4.7434) = −0.9995
 * @param {import("../../../assets/kit/types.js").Page} page */
function formulaText({ t }, position, dimension, shape) {
  const { pair, cosine } = partOf(dimension, shape);
  return t("positions.formula", {
    position,
    dimension: dimension + 1,
    pair,
    function: cosine ? "cos" : "sin",
    base: shape.base,
    power: `${2 * pair}/${shape.size}`,
    angle: (position * rate(pair, shape)).toFixed(4),
    value: signedText(sinusoid(position, dimension, shape), 4),
    turn: wavelength(pair, shape).toFixed(2),
  });
}
