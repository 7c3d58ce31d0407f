// The microscope's chain as DOM: strips of numbers, the table over the keys, the stages in order.

import { element } from "../elements.js";
import { lineOf } from "../heatmap.js";
import { langOf, number, t } from "../words.js";
import { KEY_STAGES, numberText } from "./microscope_trace.js";

export const COLUMNS = 16; // numbers beside each other

// All stages for the numbers of `data` (see microscope_trace.js); `labels` are {row, columns}.
export function chainOf(data, labels) {
  const { layer, head, row, at } = data;
  const key = labels.columns[at.col];
  return [
    ...notes(data),
    section("product", { query: lineOf(labels.row), key: lineOf(key) },
      strips([["query", "q", head.q], ["key", "k", head.k], ["product", "q·k", head.products]])),
    section("weight", { query: lineOf(labels.row) }, keyTable(data, labels.columns)),
    section("context", { key: lineOf(key) },
      strips([["value", "v", head.v], ["part", "w·v", head.parts], ["context", "Σ w·v", head.context]])),
    section("concat", { head: number(at.head), heads: layer.heads }, concatStrips(data)),
    section("output", {}, strips([["output", "", row.output]])),
    section("after", {}, element("div", { class: "hl-micro-last", id: "hl-micro-last" })),
  ];
}

function section(stage, fields, content) {
  return element("section", { class: "hl-micro-stage", "data-section": stage },
    element("h3", {}, t(`microscope.stage.${stage}`, fields)), content);
}

// What an intervention changes in this very sub-layer, said before its numbers.
function notes({ layer, at }) {
  const said = [];
  if (layer.scale === 1 && layer.dk !== 1) said.push(t("microscope.off.scaling"));
  if (!layer.kept[at.head]) said.push(t("microscope.off.head"));
  if (layer.off) said.push(t("microscope.off.layer"));
  return said.map((words) => element("p", { class: "hl-micro-off" }, words));
}

// Rows of numbers under one another, cut into blocks of COLUMNS: [[stage, name, values], ...].
function strips(rows) {
  const count = rows[0][2].length;
  const most = rows.map(([, , values]) => largest(values));
  const blocks = [];
  for (let from = 0; from < count; from += COLUMNS) {
    const to = Math.min(count, from + COLUMNS);
    rows.forEach(([stage, name, values], i) => {
      blocks.push(line(stage, `${name} ${number(from)}–${to}`, values, from, to, most[i], i === 0 && from > 0));
    });
  }
  return element("div", { class: "hl-micro-strips" }, ...blocks);
}

// Each head's numbers in lines of their own; this head's are marked, and those that are off are named.
function concatStrips({ layer, row, at }) {
  const most = largest(row.concat);
  const lines = [];
  for (let head = 0; head < layer.heads; head += 1) {
    const name = t(layer.kept[head] ? "microscope.head.line" : "microscope.head.off", { head: number(head) });
    for (let i = 0; i < layer.dk; i += COLUMNS) {
      const to = (head * layer.dk) + Math.min(i + COLUMNS, layer.dk);
      const made = line("concat", i ? "" : name, row.concat, head * layer.dk + i, to, most, head > 0 && i === 0);
      if (head === at.head) made.classList.add("hl-micro-own");
      lines.push(made);
    }
  }
  return element("div", { class: "hl-micro-strips" }, ...lines);
}

function line(stage, name, values, from, to, most, apart) {
  const cells = Array.from({ length: to - from }, (_, i) => cell(stage, from + i, values[from + i], most));
  return element("div", { class: apart ? "hl-micro-line hl-micro-apart" : "hl-micro-line" },
    element("span", { class: "hl-micro-name" }, name), ...cells);
}

const largest = (values) => values.reduce((most, one) => (Number.isFinite(one) ? Math.max(most, Math.abs(one)) : most), 0);

// One number: a button whose shade says how large it is beside the others of its strip.
export function cell(stage, place, value, most, extra = {}) {
  const share = Number.isFinite(value) && most > 0 ? Math.abs(value) / most : 0;
  const text = numberText(value);
  const where = place === null ? "" : ` ${number(place)}`;
  return element("button", {
    type: "button", tabindex: -1, class: `hl-micro-cell ${value < 0 ? "hl-minus" : "hl-plus"}`, "data-stage": stage,
    "data-place": place, style: `--share: ${(share * 100).toFixed(0)}%`,
    "aria-label": `${t(`microscope.name.${stage}`)}${where}: ${text}`, ...extra,
  }, text);
}

// One row a key: its dot product, scaled, masked, its exponential and its weight.
function keyTable({ head, at }, columns) {
  const values = { dot: head.dots, scaled: head.scaled, masked: head.masked, exp: head.exps, weight: head.weights };
  const most = Object.fromEntries(KEY_STAGES.map((stage) => [stage, largest(values[stage])]));
  const heading = element("tr", {}, element("th", { scope: "col" }, t("microscope.key")),
    ...KEY_STAGES.map((stage) => element("th", { scope: "col" }, t(`microscope.name.${stage}`))));
  const rows = columns.map((label, j) => element("tr", { class: j === at.col ? "hl-micro-here" : "" },
    element("th", { scope: "row", class: `hl-${label.kind}`, lang: langOf(label.text) }, element("small", {}, number(j)), " ", lineOf(label)),
    ...KEY_STAGES.map((stage) => element("td", {}, cell(stage, null, values[stage][j], most[stage], { "data-key": j })))));
  const sums = element("tr", { class: "hl-micro-sum" }, element("th", { scope: "row" }, t("microscope.sum")),
    ...KEY_STAGES.map((stage) => element("td", {}, { exp: numberText(head.sum), weight: numberText(head.weights.reduce((a, b) => a + b, 0)) }[stage] ?? "")));
  return element("table", { class: "hl-micro-table" }, element("thead", {}, heading), element("tbody", {}, ...rows), element("tfoot", {}, sums));
}

// The residual connection and the LayerNorm, for one number of the output.
export function lastStage({ layer, row }, d) {
  const sign = (text) => element("span", { "aria-hidden": "true" }, text);
  const one = (stage, value) => element("span", { class: "hl-micro-one" }, element("small", {}, t(`microscope.name.${stage}`)), cell(stage, d, value, 1));
  return [
    one("entering", row.entering[d]), sign("+"),
    element("span", { class: "hl-micro-one" }, element("small", {}, t("microscope.name.output")), element("b", {}, numberText(row.output[d]))),
    sign("="), one("sum", row.sum[d]),
    ...(layer.pre ? [] : [sign("→"), element("span", {}, "LayerNorm"), sign("→"), one("after", row.after[d])]),
  ];
}
