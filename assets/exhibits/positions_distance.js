// How alike two positions are: their dot product depends on how far apart they stand, and on nothing else.

import { diverging } from "../colour.js";
import { element } from "../elements.js";
import { signedText } from "../numbers.js";
import { plot } from "../plot.js";
import { t } from "../words.js";
import { createMap, placed, scale } from "./positions_map.js";
import { byDistance, distanceDeviation, similarities, table } from "./positions_maths.js";

const MOST = 128; // positions of the matrix

export function createDistance(change) {
  const map = createMap({ onChoose: ({ row, col }) => change({ position: row, k: Math.min(64, Math.abs(col - row)) }) });
  const heading = element("h3");
  const matrixName = element("h3");
  const area = element("div", { class: "hl-positions-plot" });
  const readout = element("p", { class: "hl-positions-readout", "aria-live": "polite" });
  const legend = element("div", { class: "hl-positions-scale" });
  const check = element("p", { class: "hl-note" });
  const node = element("div", { class: "hl-positions-two hl-positions-even" },
    element("div", {}, heading, area, readout),
    element("div", {}, element("div", { class: "hl-positions-head" }, matrixName, legend), map.node, check));

  function draw({ length, shape, k, position, theme }) {
    const count = Math.min(length, MOST);
    const curve = byDistance(Math.max(length, k + 1), shape);
    const rows = table(count, shape);
    const products = similarities(rows, count, shape.size);
    const most = shape.size / 2; // of a position with itself
    heading.textContent = t("positions.distance");
    matrixName.textContent = t("positions.matrix");
    const lowest = Math.min(0, ...curve);
    plot(area, {
      name: t("positions.distance.name"),
      x: { from: 0, to: length - 1, name: t("positions.axis.k") },
      y: { from: lowest * 1.1, to: most * 1.05, name: "PE(pos) · PE(pos + k)" },
      lines: [{ points: Array.from(curve, (value, i) => [i, value]), look: 1 }, { points: [[k, curve[k]]], look: "dots" }],
    });
    const row = Math.min(position, count - 1);
    const col = row + k < count ? row + k : Math.max(0, row - k);
    map.draw({
      cells: placed(products, most), rows: count, columns: count, ramp: diverging[theme],
      name: t("positions.matrix.name", { count }), rowText: String, columnText: String, chosen: { row, col },
    });
    legend.replaceChildren(scale(diverging[theme], most, String));
    readout.textContent = t("positions.distance.readout", { k, value: signedText(curve[k], 4), most, pairs: most });
    check.textContent = t("positions.matrix.check", { count, off: distanceDeviation(products, count, curve).toExponential(1) });
  }

  return { node, draw };
}
