// What was added to what: embedding times sqrt(d_model), position, sum, of a token on show. The model's numbers.

import { diverging } from "../colour.js";
import { element } from "../elements.js";
import { dot, largestDeviation } from "../matrix.js";
import { signedText } from "../numbers.js";
import { unpack } from "../packing.js";
import { drawCells } from "../pixels.js";
import { choose, record, selection } from "../state.js";
import { langOf, language, number, t } from "../words.js";
import { placed, scale } from "./positions_map.js";
import { table } from "./positions_maths.js";

const SIDES = ["source", "target"];
const ARRAYS = ["embedding", "position", "sum"];
const WINDOW = 8; // dimensions told in numbers

export async function decodeSums({ d_model: size, layout, ...answer }) {
  const sides = await Promise.all(SIDES.map(async (side) => {
    const arrays = await Promise.all(ARRAYS.map((name) => unpack(answer[side][name], Float32Array)));
    return { tokens: answer[side].tokens, ...Object.fromEntries(ARRAYS.map((name, i) => [name, arrays[i]])) };
  }));
  return { size, layout, source: sides[0], target: sides[1] };
}

// One token's vectors: {embedding (already times the factor), position, sum}.
export const vectorsOf = (side, token, size) =>
  Object.fromEntries(ARRAYS.map((name) => [name, side[name].subarray(token * size, (token + 1) * size)]));

// The largest deviations: of embedding + position from the sum, of the positions from the formula.
export function deviations(side, size, layout) {
  const added = side.embedding.map((value, i) => value + side.position[i]);
  const formula = table(side.tokens, { size, base: 10_000, layout });
  return { sum: largestDeviation(added, side.sum), formula: largestDeviation(side.position, formula) };
}

export function createSum(change) {
  let side = "source";
  const tokens = { source: element("div", { class: "hl-sum-tokens" }), target: element("div", { class: "hl-sum-tokens" }) };
  const names = { source: element("span", { class: "hl-side" }), target: element("span", { class: "hl-side" }) };
  const shown = element("div", { class: "hl-sum-shown" });
  const node = element("div", { class: "hl-sum" },
    ...SIDES.map((one) => element("div", { class: "hl-sum-line" }, names[one], tokens[one])), shown);

  function draw({ sums, trouble, dimension, theme }) {
    for (const one of SIDES) names[one].textContent = t(`strip.${one}`);
    if (sums === null) {
      shown.replaceChildren(element("p", {}, trouble === null ? t("positions.sum.waiting") : trouble[language.get()]));
      return;
    }
    const { size, layout } = sums;
    const labels = { source: record.get().src, target: record.get().tgt_in };
    if (labels.source.length !== sums.source.tokens || labels.target.length !== sums.target.tokens) return; // the answer is under way
    const { src, step } = selection.get();
    const token = side === "source" ? src : step;
    for (const one of SIDES) {
      tokens[one].replaceChildren(...labels[one].map((label, i) => chip(label, one === side && i === token, () => {
        side = one;
        choose(one === "source" ? { src: i } : { step: i });
        change({});
      })));
    }
    const vectors = vectorsOf(sums[side], token, size);
    shown.replaceChildren(
      strips(vectors, size, dimension, theme, (col) => change({ dimension: col })),
      numbers(vectors, size, Math.min(dimension, size - 1)),
      ...told(vectors, size, token, deviations(sums[side], size, layout), layout));
  }

  return { node, draw };
}

const chip = (label, here, onclick) => element("button", {
  type: "button", class: `hl-token hl-${label.kind}${here ? " hl-here" : ""}`, "aria-pressed": String(here), lang: langOf(label.text), onclick,
}, label.line ?? label.text);

function strips(vectors, size, dimension, theme, onChoose) {
  const most = Math.max(...ARRAYS.map((name) => vectors[name].reduce((a, b) => Math.max(a, Math.abs(b)), 0)));
  const line = (name) => {
    const canvas = element("canvas", { role: "img", "aria-label": t(`positions.sum.${name}`) });
    drawCells(canvas, { cells: placed(vectors[name], most), rows: 1, columns: size }, diverging[theme]);
    canvas.addEventListener("click", (event) => onChoose(Math.floor((event.offsetX / canvas.clientWidth) * size)));
    return [element("span", {}, t(`positions.sum.${name}`)), canvas];
  };
  return element("div", { class: "hl-sum-strips" }, ...ARRAYS.flatMap(line), element("span", {}, t("positions.sum.scale")),
    scale(diverging[theme], most, (value) => signedText(value, 2)));
}

function numbers(vectors, size, dimension) {
  const first = Math.max(0, Math.min(size - WINDOW, dimension - WINDOW / 2));
  const columns = Array.from({ length: Math.min(WINDOW, size) }, (_, i) => first + i);
  const factor = Math.sqrt(size);
  const here = (i) => (i === dimension ? "hl-chosen" : "");
  const row = (name, read) => element("tr", {}, element("th", { scope: "row" }, name),
    ...columns.map((i) => element("td", { class: here(i) }, signedText(read(i), 4))));
  return element("div", { class: "hl-scroll" }, element("table", { class: "hl-positions-numbers hl-sum-numbers" },
    element("thead", {}, element("tr", {}, element("th", {}, t("positions.sum.dimension")), ...columns.map((i) => element("th", { scope: "col", class: here(i) }, number(i))))),
    element("tbody", {},
      row(t("positions.sum.raw"), (i) => vectors.embedding[i] / factor),
      row(t("positions.sum.times", { factor: Number(factor.toFixed(4)) }), (i) => vectors.embedding[i]),
      row(t("positions.sum.plus"), (i) => vectors.position[i]),
      row(t("positions.sum.equals"), (i) => vectors.sum[i]))));
}

const norm = (vector) => Math.sqrt(dot(vector, vector));

function told(vectors, size, token, off, layout) {
  const factor = Math.sqrt(size);
  return [
    element("p", { class: "hl-positions-readout" }, t("positions.sum.norms", {
      raw: (norm(vectors.embedding) / factor).toFixed(3), scaled: norm(vectors.embedding).toFixed(3),
      position: norm(vectors.position).toFixed(3), sum: norm(vectors.sum).toFixed(3), factor: Number(factor.toFixed(4)), size, token,
    })),
    element("p", { class: "hl-note" }, t("positions.sum.check", {
      sum: off.sum.toExponential(1), formula: off.formula.toExponential(1), layout: t(`positions.layout.${layout}`),
    })),
  ];
}
