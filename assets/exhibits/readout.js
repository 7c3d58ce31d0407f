// The numbers of one head in words: what the axes are, one cell, the strongest links, the legend.

import { cssOf, ramps } from "../colour.js";
import { element, whenChanged } from "../elements.js";
import { lineOf } from "../heatmap.js";
import { weightText } from "../numbers.js";
import { rowOf, strongest } from "../payload.js";
import { pointedLines } from "../selection.js";
import { choose, hover, theme } from "../state.js";
import { number, t } from "../words.js";

const STRONGEST = 5;

export const headName = ({ kind, layer, head }) =>
  t("heads.tile", { kind: t(`kind.${kind}`), layer: number(layer), head: number(head) });

export function createReadout(root) {
  const part = (id) => root.querySelector(`#${id}`);
  const axesLine = root.parentElement.querySelector("#hl-axes");
  const title = root.parentElement.querySelector("#hl-head-name");
  const changed = whenChanged();

  function draw(scene) {
    const { kind, labels } = scene.chosen;
    title.replaceChildren(element("i", { class: `hl-dot hl-kind-${kind}` }), scene.name);
    axesLine.textContent = t(kind === "encoder_self" ? "axes.encoder_self" : `axes.${kind}.${labels}`);
    part("hl-readout").replaceChildren(...cellOf(scene, pointed(scene)));
    if (changed(scene.cells, scene.rows, scene.columns)) part("hl-links").replaceChildren(...links(scene));
  }
  return { draw };
}

// The cell that the read-out tells of: the one pointed at, else the chosen one; where only a row is
// pointed at or chosen, the strongest of that row.
function pointed({ cells, keys, chosen, shown }) {
  const lines = pointedLines(shown, chosen, hover.get());
  if (hover.get() !== null && !hover.get().side) return { ...lines, how: "pointed" };
  if (lines.row !== null) return { row: lines.row, col: strongestOf(cells, keys, lines.row), how: "pointed_row" };
  if (lines.col !== null) return { row: chosen.row, col: lines.col, how: "pointed" };
  if (chosen.col !== null) return { row: chosen.row, col: chosen.col, how: "chosen" };
  return { row: chosen.row, col: strongestOf(cells, keys, chosen.row), how: "strongest" };
}

const strongestOf = (cells, keys, row) => strongest(rowOf(cells, keys, row), keys, 1)[0].col;

function cellOf(scene, { row, col, how }) {
  const weight = scene.cells[row * scene.keys + col];
  const sum = rowOf(scene.cells, scene.keys, row).reduce((total, w) => total + (Number.isNaN(w) ? 0 : w), 0);
  return [
    element("span", { class: "hl-how" }, t(`readout.${how}`)),
    element("p", { class: "hl-words" }, ...sentence(scene, row, col, weight)),
    element("b", { class: "hl-value", "data-row": row, "data-col": col },
      Number.isNaN(weight) ? t("readout.masked") : weightText(weight)),
    element("span", { class: "hl-note" }, t("readout.sum", { sum: sum.toFixed(3) })),
  ];
}

// "While writing 学生, the decoder reads student." Tokens go in as elements, so that they stand out.
function sentence(scene, row, col, weight) {
  const { kind } = scene.chosen;
  const { tgt_in: read, tgt_out: writes, src } = scene.shown;
  const key = Number.isNaN(weight) ? `says.${kind}.masked` : `says.${kind}`;
  const tokens = {
    row: kind === "encoder_self" ? src[row] : writes[row],
    read: kind === "encoder_self" ? null : read[row],
    col: scene.columns[col],
  };
  return t(key).split(/(\{\w+\})/).map((piece) => {
    const label = tokens[piece.slice(1, -1)];
    return label ? element("b", { class: `hl-${label.kind}` }, lineOf(label)) : piece;
  });
}

// The strongest links as a list of buttons: the picture for those who do not see it.
function links({ cells, keys, rows, columns }) {
  // A place is written beside a token, as a word may come more than once.
  const token = (label, i) => 
    element("span", {}, element("span", {}, lineOf(label)), element("small", {}, number(i)));
  return strongest(cells, keys, STRONGEST).map(({ row, col, weight }) =>
    element("li", {}, element(
      "button",
      { type: "button", onclick: () => choose({ row, col }) },
      token(rows[row], row), element("i", { "aria-hidden": "true" }, "→"),
      token(columns[col], col), element("b", {}, weightText(weight)),
    )));
}

export function mountLegend(root) {
  const bar = element("div", { class: "hl-ramp" });
  root.replaceChildren(
    element("span", { "data-t": "legend.name" }),
    element("div", { class: "hl-scale" }, bar, element("span", {}, "0"), element("span", {}, "0.5"), element("span", {}, "1")),
    element("span", { class: "hl-hatched" }), element("span", { "data-t": "legend.masked" }),
    element("p", { class: "hl-note", "data-t": "legend.precision" }),
  );
  theme.watch((now) => {
    const stops = ramps[now].filter((_, i) => i % 15 === 0).map(cssOf);
    bar.style.background = `linear-gradient(to right, ${stops.join(", ")})`;
  });
}
