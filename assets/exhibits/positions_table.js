// The table itself, positions x dimensions, and the same positions as binary numbers beside it.

import { diverging, ramps } from "../colour.js";
import { element } from "../elements.js";
import { signedText } from "../numbers.js";
import { number, t } from "../words.js";
import { createMap, placed, scale } from "./positions_map.js";
import { bits, pairAt, partOf, table, wavelength } from "./positions_maths.js";

const BITS = 8;

export function createTable(change) {
  const map = createMap({ onChoose: ({ row, col }) => change({ position: row, dimension: col }) });
  const binary = createMap({ onChoose: ({ row }) => change({ position: row }) });
  const axes = element("p", { class: "hl-axes" });
  const legend = element("div", { class: "hl-positions-scale" });
  const counting = element("h3");
  const readout = element("p", { class: "hl-positions-readout", "aria-live": "polite" });
  const compared = element("p", { class: "hl-positions-readout" });
  const node = element("div", { class: "hl-positions-two hl-positions-table" },
    element("div", {}, element("div", { class: "hl-positions-head" }, axes, legend), map.node, readout),
    element("div", {}, counting, binary.node, compared));

  function draw({ length, shape, position, dimension, theme }) {
    const rows = table(length, shape);
    map.draw({
      cells: placed(rows, 1), rows: length, columns: shape.size, ramp: diverging[theme],
      name: t("positions.table.name", { length, size: shape.size }),
      rowText: String, columnText: number, chosen: { row: position, col: dimension },
    });
    const digits = Float32Array.from({ length: length * BITS }, (_, i) => bits(Math.floor(i / BITS), BITS)[BITS - 1 - (i % BITS)]);
    binary.draw({
      cells: digits, rows: length, columns: BITS, ramp: ramps[theme], name: t("positions.binary.name"),
      rowText: String, columnText: (col) => 2 ** (BITS - 1 - col), chosen: { row: position, col: BITS - 1 },
    });
    axes.textContent = t("positions.table.axes");
    legend.replaceChildren(scale(diverging[theme], 1, (value) => signedText(value, 0)));
    counting.textContent = t("positions.binary");
    readout.textContent = formulaText(position, dimension, shape);
    compared.textContent = t("positions.binary.note", { position, digits: bits(position, BITS).reverse().join("") });
  }

  return { node, draw };
}

// PE(20, 41) = sin(20 / 10000^(40/256)) = sin(4.7434) = −0.9995
export function formulaText(position, dimension, shape) {
  const { pair, cosine } = partOf(dimension, shape);
  const [sine, other] = pairAt(position, pair, shape);
  const name = cosine ? "cos" : "sin";
  return t("positions.formula", {
    position, dimension: number(dimension), pair, function: name, base: shape.base, power: `${2 * pair}/${shape.size}`,
    angle: (position * shape.base ** ((-2 * pair) / shape.size)).toFixed(4),
    value: signedText(cosine ? other : sine, 4), turn: wavelength(pair, shape).toFixed(2),
  });
}
