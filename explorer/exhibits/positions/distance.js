// The similarity of two positions: their dot product depends only on the distance between them.

import { plot } from "../../../assets/kit/chart.js";
import { diverging } from "../../../assets/kit/colour.js";
import { matrix } from "../../../assets/kit/map.js";
import { memo } from "../../../assets/kit/memo.js";
import { signedText, smallText } from "../../../assets/kit/numbers.js";
import { placed } from "../../../assets/kit/signed.js";
import { pairs, sinusoids } from "../../../assets/kit/sinusoids.js";
import { html } from "../../../assets/vendor/lit-html.js";
import { byDistance, distanceDeviation, similarities } from "./maths.js";
import { counted } from "./table.js";

const MAX_POSITIONS = 128; // of the matrix
const LEAST = 44; // em of a picture with the curve beside the matrix

const curveOf = memo((length, size, base, layout) => byDistance(length, { size, base, layout }));
const productsOf = memo((count, curve, size, base, layout) => {
  const all = similarities(sinusoids(count, { size, base, layout }), count, size);
  return { all, cells: placed(all, size / 2), off: distanceDeviation(all, count, curve) };
});

/** The curve of all distances, and the products of the first positions. */
function made({ length, farthest, shape: { size, base, layout } }) {
  const curve = curveOf(Math.max(length, farthest + 1), size, base, layout);
  const count = Math.min(length, MAX_POSITIONS);
  return { curve, count, ...productsOf(count, curve, size, base, layout) };
}

/** The dot product of two positions at the chosen distance. */
export const dotProduct = (s) => made(s).curve[s.k];

export function distanceView(s, { width, height, em }) {
  const found = made(s);
  const isWide = width > LEAST * em;
  const half = isWide ? { width: width / 2 - em, height } : { width, height: height / 2 };
  return html`<div class="hl-positions-distance ${isWide ? "" : "hl-narrow"}">
    <div class="hl-positions-curve">${plot(s.page, { ...half, em }, curveChart(s, found.curve))}</div>
    ${products(s, found, { ...half, em })}</div>`;
}

/** @returns {import("../../../assets/kit/chart.js").Chart} */
function curveChart({ t, length, k }, curve) {
  const shown = [...curve.subarray(0, length)];
  return {
    name: t("distance.name"),
    file: "distances",
    x: { from: 0, to: length - 1, name: t("axis.k") },
    y: { from: Math.min(0, ...shown) * 1.1, to: curve[0] * 1.05, name: "PE(pos) · PE(pos + k)" },
    lines: [
      { points: shown.map((value, i) => [i, value]), look: 1, name: "" },
      { points: [[k, curve[k]]], look: "dots", name: "" },
    ],
  };
}

function products({ t, page, position, k, set, farthest }, { cells, count }, size) {
  const row = Math.min(position, count - 1);
  return matrix(
    {
      cells,
      width: size.width,
      height: size.height,
      font: size.em,
      fine: true,
      queries: count,
      keys: count,
      rows: counted(count),
      columns: counted(count),
      ramp: diverging[page.theme.get()],
      name: t("matrix.name", { count }),
      chosen: { row, col: row + k < count ? row + k : Math.max(0, row - k) },
    },
    {
      isDragged: true,
      onChoose: ({ row: at, col }) =>
        set({ position: at, k: Math.min(farthest, Math.abs(col - at)) }),
    },
  );
}

/** The data behind the picture: the file of the products, and the checks on them. */
export const distanceRows = {
  files(s) {
    const { all, count } = made(s);
    return {
      csv: () => [
        ["pos a", "pos b", "dot product"],
        ...Array.from(all, (value, i) => [Math.floor(i / count), i % count, value]),
      ],
    };
  },
  reading(s) {
    const { curve, count, off } = made(s);
    const most = pairs(s.shape);
    const value = signedText(curve[s.k], 4);
    return html`<p class="hl-positions-readout">
        ${s.t("distance.readout", { k: s.k, value, most, pairs: most })}</p>
      <p>${s.t("matrix.check", { count, off: smallText(off) })}</p>`;
  },
};
