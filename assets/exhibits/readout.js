// The numbers of one head in words: what the axes are, one cell, the strongest links, the legend.

import { cssOf, ramps } from "../colour.js";
import { element, whenChanged } from "../elements.js";
import { lineOf } from "../heatmap.js";
import { weightText } from "../numbers.js";
import { rowOf, strongest } from "../payload.js";
import { pointedLines } from "../selection.js";
import { choose, effects, hover, theme } from "../state.js";
import { language, number, t } from "../words.js";
import { nameOf } from "./attention_heads.js";
import { measuresOfHead, measureText } from "./attention_sorting.js";
import { placeOf, wordLabel } from "./attention_view.js";

const STRONGEST = 5;

export const headName = ({ kind, layer, head }) =>
  t("heads.tile", { kind: t(`kind.${kind}`), layer: number(layer), head: number(head) });

export function createReadout(root) {
  const part = (id) => root.querySelector(`#${id}`);
  const axesLine = root.parentElement.querySelector("#hl-axes");
  const title = root.parentElement.querySelector("#hl-head-name");
  const named = whenChanged();
  const changed = whenChanged();
  const measured = whenChanged();

  function draw(scene) {
    const { kind, labels } = scene.chosen;
    if (named(scene.name, labels, language.get())) {
      title.replaceChildren(element("i", { class: `hl-dot hl-kind-${kind}` }), scene.name);
      axesLine.textContent = t(kind === "encoder_self" ? "axes.encoder_self" : `axes.${kind}.${labels}`);
    }
    part("hl-readout").replaceChildren(...cellOf(scene, pointed(scene)));
    const { cells, rows, columns, shown } = scene;
    if (changed(cells, rows, columns, language.get())) part("hl-links").replaceChildren(...links(scene));
    if (measured(shown, scene.name, effects.get())) part("hl-measures").replaceChildren(...measures(scene));
  }
  return { draw };
}

// The cell that the read-out tells of, as a place in the view: the one pointed at, else the chosen
// one; where only a row is pointed at or chosen, the strongest of that row. Null where it is hidden.
function pointed({ cells, keys, chosen, shown, rowTokens, columnTokens }) {
  const lines = pointedLines(shown, chosen, hover.get());
  const row = placeOf(rowTokens, lines.row ?? chosen.row);
  const here = (how, col = null) => ({ row, how, col: col === null ? strongestOf(cells, keys, row) : placeOf(columnTokens, col) });
  const told = () => {
    if (row === -1) return null;
    if (hover.get() !== null && !hover.get().side && lines.col !== null) return here("pointed", lines.col);
    if (lines.row !== null) return here("pointed_row");
    if (lines.col !== null) return here("pointed", lines.col);
    return chosen.col === null ? here("strongest") : here("chosen", chosen.col);
  };
  const found = told();
  return found === null || found.col === -1 ? null : found;
}

const strongestOf = (cells, keys, row) => strongest(rowOf(cells, keys, row), keys, 1)[0]?.col ?? 0;

function cellOf(scene, place) {
  if (place === null) return [element("p", { class: "hl-words" }, t("readout.hidden"))];
  const { row, col, how } = place;
  const weight = scene.cells[row * scene.keys + col];
  const sum = rowOf(scene.cells, scene.keys, row).reduce((total, w) => total + (Number.isNaN(w) ? 0 : w), 0);
  const before = scene.kept === null ? "" : ` ${t("readout.kept", { kept: scene.kept[row].toFixed(3) })}`;
  return [
    element("span", { class: "hl-how" }, t(`readout.${how}`)),
    element("p", { class: "hl-words" }, ...sentence(scene, row, col, weight)),
    element("b", { class: "hl-value", "data-row": row, "data-col": col },
      Number.isNaN(weight) ? t("readout.masked") : weightText(weight)),
    element("span", { class: "hl-note" }, t("readout.sum", { sum: sum.toFixed(3) }) + before),
  ];
}

// The head's own numbers: what the overview can be sorted by.
function measures({ shown, chosen }) {
  return measuresOfHead(shown, nameOf(chosen)).flatMap(({ measure, value }) => [
    element("dt", {}, t(`measure.${measure}`)), element("dd", { "data-of": measure }, measureText(measure, value)),
  ]);
}

// "While writing 学生, the decoder reads student." Tokens go in as elements, so that they stand out.
function sentence(scene, row, col, weight) {
  const { kind } = scene.chosen;
  const { tgt_in: read, tgt_out: writes, src } = scene.shown;
  const key = Number.isNaN(weight) ? `says.${kind}.masked` : `says.${kind}`;
  const all = scene.rowTokens[row];
  const word = (labels) => wordLabel(all.map((i) => labels[i]));
  const tokens = {
    row: kind === "encoder_self" ? word(src) : word(writes),
    read: kind === "encoder_self" ? null : read[all[0]],
    col: scene.columns[col],
  };
  return t(key).split(/(\{\w+\})/).map((piece) => {
    const label = tokens[piece.slice(1, -1)];
    return label ? element("b", { class: `hl-${label.kind}` }, lineOf(label)) : piece;
  });
}

// The strongest links as a list of buttons: the picture for those who do not see it.
function links({ cells, keys, rows, columns, rowTokens, columnTokens }) {
  // A place is written beside a token, as a word may come more than once.
  const token = (label, i) => 
    element("span", {}, element("span", {}, lineOf(label)), element("small", {}, number(i)));
  return strongest(cells, keys, STRONGEST).map(({ row, col, weight }) =>
    element("li", {}, element(
      "button",
      { type: "button", onclick: () => choose({ row: rowTokens[row][0], col: columnTokens[col][0] }) },
      token(rows[row], row), element("i", { "aria-hidden": "true" }, "→"),
      token(columns[col], col), element("b", {}, weightText(weight)),
    )));
}

export function mountLegend(root) {
  const bar = element("div", { class: "hl-ramp" });
  const ends = ["0", "0.5", "1"].map((end) => element("span", {}, end));
  root.replaceChildren(
    element("span", { "data-t": "legend.name" }),
    element("div", { class: "hl-scale" }, bar, ...ends),
    element("span", { class: "hl-hatched" }), element("span", { "data-t": "legend.masked" }),
    element("p", { class: "hl-note" }),
  );
  theme.watch((now) => {
    const stops = ramps[now].filter((_, i) => i % 15 === 0).map(cssOf);
    bar.style.background = `linear-gradient(to right, ${stops.join(", ")})`;
  });
}

// The scale's end: 1 for all heads, or the largest weight of the head on show.
export function drawLegend(root, most, own) {
  const [, middle, end] = root.querySelectorAll(".hl-scale span");
  middle.textContent = own ? weightText(most / 2) : "0.5";
  end.textContent = own ? weightText(most) : "1";
  root.querySelector("p").textContent = t(own ? "legend.own" : "legend.precision");
}
