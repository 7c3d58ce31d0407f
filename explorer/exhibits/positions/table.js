// The table itself, positions x dimensions, and the same positions as binary numbers beside it.

import { diverging, ramps } from "../../../assets/kit/colour.js";
import { matrix } from "../../../assets/kit/map.js";
import { memo } from "../../../assets/kit/memo.js";
import { signedText } from "../../../assets/kit/numbers.js";
import { grown, placed, signedScale } from "../../../assets/kit/signed.js";
import { partOf, rate, sinusoid, sinusoids, wavelength } from "../../../assets/kit/sinusoids.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { bits } from "./maths.js";

const BITS = 9;
const BINARY = 15; // em of the binary numbers beside the table
const LEAST = 44; // em of a picture that has room for them
const GAP = 1.6; // em before them
const HEAD = 2.6; // em above the table

const cellsOf = memo((length, size, base, layout) => sinusoids(length, { size, base, layout }));
const shadesOf = memo((length, size, base, layout) =>
  placed(cellsOf(length, size, base, layout), 1),
);
const digitsOf = memo((length) =>
  Float32Array.from({ length: length * BITS }, (_, i) => {
    return bits(Math.floor(i / BITS) + 1, BITS)[BITS - 1 - (i % BITS)];
  }),
);
/** Names of dimensions, from 0 as in the formula.
 * @type {(count: number) => import("../../../assets/kit/map.js").Name[]} */
export const numbered = memo((count) =>
  Array.from({ length: count }, (_, i) => ({ text: String(i), kind: "number" })),
);
/** Names of positions, from 1 as the words of a sentence.
 * @type {(count: number) => import("../../../assets/kit/map.js").Name[]} */
export const counted = memo((count) =>
  Array.from({ length: count }, (_, i) => ({ text: String(i + 1), kind: "number" })),
);
/** @type {() => import("../../../assets/kit/map.js").Name[]} */
const places = memo(() =>
  Array.from({ length: BITS }, (_, i) => ({ text: String(2 ** (BITS - 1 - i)), kind: "number" })),
);

export function tableView(s, { width, height, em }) {
  const { t, page, length, position, dimension, shape, set } = s;
  const isWide = width > LEAST * em;
  const theme = page.theme.get();
  const room = { height: height - HEAD * em, font: em, fine: true };
  const wide = isWide ? width - BINARY * em : width;
  const { size, base, layout } = shape;
  const columns = isWide ? `${wide}px ${BINARY * em - GAP * em}px` : "minmax(0, 1fr)";
  return html`<div class="hl-positions-table" style="grid-template-columns:${columns}">
    <div><div class="hl-row hl-positions-head"><span>${t("table.axes")}</span>
        ${signedScale(theme, 1, (value) => signedText(value, 0))}</div>
      ${matrix(
        {
          ...room,
          width: wide,
          queries: length,
          keys: size,
          ramp: diverging[theme],
          cells: shadesOf(length, size, base, layout),
          rows: counted(length),
          columns: numbered(size),
          name: t("table.name", { length, size }),
          chosen: { row: position, col: dimension },
        },
        {
          isDragged: true,
          onChoose: ({ row, col }) => set({ position: row, dimension: col }),
        },
      )}</div>
    ${
      isWide
        ? html`<div><div class="hl-positions-head"><span>${t("binary")}</span></div>
          ${matrix(
            {
              ...room,
              width: (BINARY - GAP) * em,
              queries: length,
              keys: BITS,
              cells: digitsOf(length),
              rows: counted(length),
              columns: places(),
              ramp: ramps[theme],
              name: t("binary.name"),
              chosen: { row: position, col: BITS - 1 },
            },
            { isDragged: true, onChoose: ({ row }) => set({ position: row }) },
          )}</div>`
        : nothing
    }</div>`;
}

/** The numbers behind the table: its file, and the digits of the chosen position. */
export const tableRows = {
  files({ el, length, shape: { size, base, layout } }) {
    const cells = cellsOf(length, size, base, layout);
    return {
      svg: null,
      csv: () => [
        ["pos", ...Array.from({ length: size }, (_, i) => i)],
        ...Array.from({ length }, (_, row) => [
          row,
          ...cells.subarray(row * size, (row + 1) * size),
        ]),
      ],
      png: () => grown(el.querySelector("canvas")),
    };
  },
  bits: ({ position }) => ({
    position: position + 1,
    digits: bits(position + 1, BITS)
      .reverse()
      .join(""),
  }),
};

/** PE(20, 40) = sin(20 / 10000^(40/256)) = sin(4.7434) = −0.9995 */
export function formulaText({ t, position, dimension, shape }) {
  const { pair, cosine } = partOf(dimension, shape);
  return t("formula", {
    position,
    dimension,
    pair,
    function: cosine ? "cos" : "sin",
    base: shape.base,
    power: `${2 * pair}/${shape.size}`,
    angle: (position * rate(pair, shape)).toFixed(4),
    value: signedText(sinusoid(position, dimension, shape), 4),
    turn: wavelength(pair, shape).toFixed(2),
  });
}
