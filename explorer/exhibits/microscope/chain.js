// The microscope's stages: strips of numbers, the table over the keys, the way out.

import { table } from "../../../assets/kit/table.js";
import { token } from "../../../assets/kit/token.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { KEY_STAGES, numberText } from "./trace.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */
/** @typedef {import("../../../assets/kit/types.js").Label} Label */

/**
 * What is drawn: numbers (headChain, rowChain), labels, and what is marked.
 * @typedef {object} Scene
 * @property {any} layer
 * @property {any} head
 * @property {any} row
 * @property {{kind: string, layer: number, head: number, row: number, col: number}} at
 * @property {Label} query
 * @property {Label[]} keys
 * @property {number} last the number of the output that the last stage follows
 * @property {(stage: string, place: number) => string|null} mark "here", "from", or null
 * @property {Set<string>} open the stages that are unfolded
 * @property {number} columns numbers beside each other
 */

const COLUMNS = [16, 8, 4]; // numbers beside each other: as many as have room
const WIDTHS = { name: 5.4, number: 3.95 }; // em
const lineOf = (/** @type {Label} */ label) => label.line ?? label.text;

/** How many numbers have room beside each other. @param {{width: number, em: number}} size */
export const columnsIn = ({ width, em }) =>
  COLUMNS.find((n) => (WIDTHS.name + n * WIDTHS.number) * em + n <= width) ?? 4;

/** All stages. @param {Page} page @param {Scene} scene @param {(stage: string) => void} fold */
export function chainOf(page, scene, fold) {
  const { layer, head, row, at } = scene;
  const query = lineOf(scene.query);
  const key = lineOf(scene.keys[at.col]);
  const line = (...rows) => strips(page, scene, rows);
  /** @type {[string, object, () => unknown][]} */
  const stages = [
    [
      "product",
      { query, key },
      () => line(["query", "q", head.q], ["key", "k", head.k], ["product", "q·k", head.products]),
    ],
    ["weight", { query }, () => keyTable(page, scene)],
    [
      "context",
      { key },
      () =>
        line(
          ["value", "v", head.v],
          ["part", "w·v", head.parts],
          ["context", "Σ w·v", head.context],
        ),
    ],
    ["concat", { head: at.head + 1, heads: layer.heads }, () => concatStrips(page, scene)],
    ["output", {}, () => line(["output", "", row.output])],
    ["after", {}, () => wayOut(page, scene)],
  ];
  return html`${notes(page, scene)} ${stages.map(
    ([stage, fields, content]) =>
      html`<details class="hl-micro-stage" data-section=${stage} ?open=${scene.open.has(stage)}
      @toggle=${(event) => event.target.open !== scene.open.has(stage) && fold(stage)}>
      <summary><h2>${page.t(`microscope.stage.${stage}`, fields)}</h2></summary>
      ${scene.open.has(stage) ? content() : nothing}
    </details>`,
  )}`;
}

/** What an intervention changes in this very sub-layer, said before its numbers. */
function notes(/** @type {Page} */ { t }, /** @type {Scene} */ { layer, at }) {
  const off = { scaling: layer.scale === 1 && layer.dk !== 1, head: !layer.kept[at.head] };
  return Object.entries({ ...off, layer: layer.off }).map(([name, isOff]) =>
    isOff ? html`<p class="hl-micro-off">${t(`microscope.off.${name}`)}</p>` : nothing,
  );
}

/** Rows of numbers under one another, cut into blocks: [[stage, name, values], ...]. */
function strips(/** @type {Page} */ page, /** @type {Scene} */ scene, rows) {
  const { columns } = scene;
  const lines = [];
  for (let from = 0; from < rows[0][2].length; from += columns) {
    rows.forEach(([stage, name, values], i) => {
      const to = Math.min(values.length, from + columns);
      const apart = from > 0 && i === 0 ? "hl-micro-apart" : "";
      lines.push(line(page, scene, [stage, `${name} ${from + 1}–${to}`, values], from, to, apart));
    });
  }
  return html`<div class="hl-micro-strips" style="--columns:${columns}">${lines}</div>`;
}

/** Each head's numbers in lines of their own; this head is marked, those that are off are named. */
function concatStrips(/** @type {Page} */ page, /** @type {Scene} */ scene) {
  const { layer, row, at, columns } = scene;
  const lines = [];
  for (let head = 0; head < layer.heads; head += 1) {
    const words = layer.kept[head] ? "microscope.head.line" : "microscope.head.off";
    for (let i = 0; i < layer.dk; i += columns) {
      const name = i ? "" : page.t(words, { head: head + 1 });
      const from = head * layer.dk + i;
      const to = from - i + Math.min(i + columns, layer.dk);
      const own = head === at.head ? "hl-micro-own" : "";
      const apart = head > 0 && i === 0 ? "hl-micro-apart" : "";
      lines.push(line(page, scene, ["concat", name, row.concat], from, to, `${own} ${apart}`));
    }
  }
  return html`<div class="hl-micro-strips" style="--columns:${columns}">${lines}</div>`;
}

const line = (page, scene, [stage, name, values], from, to, marks) =>
  html`<div class="hl-micro-line ${marks}"><span class="hl-micro-name">${name}</span>
    ${Array.from({ length: to - from }, (_, i) =>
      cell(page, scene, stage, from + i, values[from + i], largest(values)),
    )}</div>`;

const sizes = new WeakMap(); // of an array: its largest number, aside from infinities

function largest(/** @type {Float64Array} */ values) {
  if (!sizes.has(values)) {
    const finite = values.filter(Number.isFinite).map(Math.abs);
    sizes.set(
      values,
      finite.reduce((most, one) => Math.max(most, one), 0),
    );
  }
  return sizes.get(values);
}

/** One number: a button whose shade says how large it is beside the others of its strip. */
function cell(page, /** @type {Scene} */ scene, stage, place, value, most) {
  const share = Number.isFinite(value) && most > 0 ? (Math.abs(value) / most) * 100 : 0;
  const mark = scene.mark(stage, place);
  const text = numberText(value);
  const isKeyed = KEY_STAGES.includes(stage);
  return html`<button type="button" tabindex=${mark === "here" ? 0 : -1} data-stage=${stage}
    class="hl-micro-cell ${value < 0 ? "hl-minus" : "hl-plus"} ${mark === "from" ? "hl-micro-from" : ""}"
    data-place=${isKeyed ? nothing : place} data-key=${isKeyed ? place : nothing}
    style="--share:${share.toFixed(0)}%" aria-pressed=${String(mark === "here")}
    aria-label="${page.t(`microscope.name.${stage}`)} ${place + 1}: ${text}">${text}</button>`;
}

/** One row a key: its dot product, scaled, masked, its exponential and its weight. */
function keyTable(/** @type {Page} */ page, /** @type {Scene} */ scene) {
  const { head, layer, at, keys } = scene;
  const values = [head.dots, head.scaled, head.masked, head.exps, head.weights];
  const total = head.weights.reduce((a, b) => a + b, 0);
  return table({
    label: page.t("microscope.stage.weight", { query: lineOf(scene.query) }),
    class: "hl-micro-table",
    columns: [
      { name: page.t("microscope.key"), text: true },
      ...KEY_STAGES.map((stage) => ({
        name: stage === "scaled" && layer.scale === 1 ? "/ 1" : page.t(`microscope.name.${stage}`),
      })),
    ],
    rows: keys.map((label, j) => ({
      chosen: j === at.col,
      cells: [
        html`<small>${j + 1}</small> ${token(label)}`,
        ...KEY_STAGES.map((stage, i) =>
          cell(page, scene, stage, j, values[i][j], largest(values[i])),
        ),
      ],
    })),
    foot: [page.t("microscope.sum"), "", "", "", numberText(head.sum), numberText(total)],
  });
}

/** The residual connection and the LayerNorm, for one number of the output. */
function wayOut(/** @type {Page} */ page, /** @type {Scene} */ scene) {
  const { layer, row, last } = scene;
  const sign = (text) => html`<span aria-hidden="true">${text}</span>`;
  const one = (stage, content) => html`<span class="hl-micro-one">
    <small>${page.t(`microscope.name.${stage}`)}</small>${content}</span>`;
  const number = (stage) => one(stage, cell(page, scene, stage, last, row[stage][last], 0));
  return html`<div class="hl-micro-last">
    ${number("entering")} ${sign("+")}
    ${one("output", html`<b>${numberText(row.output[last])}</b>`)} ${sign("=")} ${number("sum")}
    ${layer.pre ? nothing : [sign("→"), "LayerNorm", sign("→"), number("after")]}
  </div>`;
}
