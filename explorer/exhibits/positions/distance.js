// How alike two positions are: their dot product depends on how far apart they stand, and on
// nothing else.

import { chart } from "../../../assets/kit/chart.js";
import { diverging } from "../../../assets/kit/colour.js";
import { downloads } from "../../../assets/kit/download.js";
import { memo } from "../../../assets/kit/memo.js";
import { signedText, smallText } from "../../../assets/kit/numbers.js";
import { grown, placed, signedScale } from "../../../assets/kit/signed.js";
import { pairs, sinusoids } from "../../../assets/kit/sinusoids.js";
import { html } from "../../../assets/vendor/lit-html.js";
import { map } from "./map.js";
import { byDistance, distanceDeviation, similarities } from "./maths.js";

const MAX_POSITIONS = 128; // of the matrix

/** @typedef {import("./view.js").Scene} Scene */

export function createDistance() {
  const curve = memo((length, size, base, layout) => byDistance(length, { size, base, layout }));
  const products = memo((count, of, size, base, layout) => {
    const all = similarities(sinusoids(count, { size, base, layout }), count, size);
    return { cells: placed(all, size / 2), off: distanceDeviation(all, count, of) };
  });
  return (/** @type {Scene} */ scene) => {
    const { size, base, layout } = scene.shape;
    const { length } = scene.state;
    const count = Math.min(length, MAX_POSITIONS);
    const own = curve(Math.max(length, scene.farthest + 1), size, base, layout);
    return both(scene, own, { count, ...products(count, own, size, base, layout) });
  };
}

/** @param {Scene} scene @param {Float64Array} curve */
function both(scene, curve, products) {
  const { page, state, shape, sizes, height } = scene;
  const { t } = page;
  const { length, k } = state;
  const most = pairs(shape); // of a position with itself
  return html`<div class="hl-split">
    <div class="hl-stack">
      <h3>${t("positions.distance")}</h3>
      <div class="hl-positions-curve">
        ${chart(page, curveChart(t, curve, length, k), sizes.of(".hl-positions-curve", height))}
      </div>
      <p class="hl-positions-readout" aria-live="polite">${t("positions.distance.readout", {
        k,
        value: signedText(curve[k], 4),
        most,
        pairs: most,
      })}</p>
    </div>
    <div class="hl-stack">${matrix(scene, products)}</div>
  </div>`;
}

/** @returns {import("../../../assets/kit/chart.js").Chart} */
function curveChart(t, curve, length, k) {
  const shown = [...curve.subarray(0, length)];
  return {
    name: t("positions.distance.name"),
    file: "distances",
    x: { from: 0, to: length - 1, name: t("positions.axis.k") },
    y: { from: Math.min(0, ...shown) * 1.1, to: curve[0] * 1.05, name: "PE(pos) · PE(pos + k)" },
    lines: [
      { points: shown.map((value, i) => [i, value]), look: 1, name: "" },
      { points: [[k, curve[k]]], look: "dots", name: "" },
    ],
  };
}

/** @param {Scene} scene */
function matrix({ page, el, state, shape, change, farthest }, { cells, off, count }) {
  const { t, theme } = page;
  const { position, k } = state;
  const most = pairs(shape);
  const row = Math.min(position, count - 1);
  return html`<div class="hl-row"><h3>${t("positions.matrix")}</h3>
      ${signedScale(theme.get(), most, String)}</div>
    ${map({
      cells,
      rows: count,
      columns: count,
      ramp: diverging[theme.get()],
      name: t("positions.matrix.name", { count }),
      chosen: { row, col: row + k < count ? row + k : Math.max(0, row - k) },
      onChoose: ({ row: at, col }) =>
        change({ position: at, k: Math.min(farthest, Math.abs(col - at)) }),
    })}
    <p class="hl-note">${t("positions.matrix.check", { count, off: smallText(off) })}</p>
    ${downloads(page, "position-products", {
      csv: () => [
        ["position a", "position b", "dot product"],
        ...Array.from(cells, (cell, i) => [
          Math.floor(i / count),
          i % count,
          (cell * 2 - 1) * most,
        ]),
      ],
      png: () => grown(el.querySelector(".hl-cellmap canvas")),
    })}`;
}
