// The normal run and the changed one: the translations, the log-probs of the original tokens, and
// one head's attention.

import { choice } from "../../../assets/kit/choice.js";
import { diverging, ramps } from "../../../assets/kit/colour.js";
import { downloads } from "../../../assets/kit/download.js";
import { headText } from "../../../assets/kit/heads.js";
import { changeText, signedText } from "../../../assets/kit/numbers.js";
import { unpack } from "../../../assets/kit/packing.js";
import { axes, KINDS } from "../../../assets/kit/selection.js";
import { inLine, mapsPicture, smallMap } from "../../../assets/kit/smallmap.js";
import { table } from "../../../assets/kit/table.js";
import { langOf, token } from "../../../assets/kit/token.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";

const MAPS = ["before", "after", "change"];

/** @typedef {import("../../../assets/kit/types.js").Page} Page */
/** @typedef {import("../../../assets/kit/types.js").Rec} Rec */

/** The reply with its packed numbers as two halves each: before, after. @param {any} reply */
export async function decodeResult({ again, weights, ...rest }) {
  const halves = async (/** @type {string} */ text) => {
    const both = await unpack(text, Float32Array);
    return [both.subarray(0, both.length / 2), both.subarray(both.length / 2)];
  };
  return { ...rest, again: await halves(again), weights: await halves(weights) };
}

/**
 * @param {{page: Page, record: Rec, run: any, lit: {row: number, col: number}|null,
 *   size: {width: number, em: number}, point: (cell: any) => void}} given
 *   `run` is the decoded reply; while the next one is under way it may be of another head
 */
export function result({ page, record, run, lit, size, point }) {
  const { t } = page;
  const { kind, layer, head } = page.selection.get();
  const isSame = sameTokens(run.ids, record.tgt_out);
  const scenes = isSame && run.kind === kind ? scenesOf(page, record, run, size, lit) : null;
  return html`
    <p role="status">${t(run.before.text === run.after.text ? "order.same" : "order.other")}</p>
    ${translations(t, run)}
    ${isSame ? nothing : html`<p>${t("order.tokens")}</p>`}
    ${choice({
      name: `${page.uid}-kind`,
      label: t("order.attention", { head: headText(page, { kind, layer, head }) }),
      class: "hl-plain",
      options: KINDS.map((value) => ({ value, label: t(`kind.${value}`) })),
      value: kind,
      onChange: (value) => page.choose({ kind: value }),
    })}
    <p class="hl-axes">${t("order.axes")}</p>
    ${scenes === null ? nothing : maps(page, run, { scenes, lit, point })}
    ${isSame ? tokenTable(page, record, run) : nothing}`;
}

/** Whether these are the tokens of the page: as many tokens are not yet the same tokens.
 * @param {number[]} ids @param {{id: number}[]} labels */
export const sameTokens = (ids, labels) =>
  ids.length === labels.length && ids.every((id, i) => id === labels[i].id);

/** Both translations; what they do not share is marked. @param {Page["t"]} t */
function translations(t, { before, after, difference }) {
  const row = (/** @type {string} */ name, run, /** @type {string} */ own) => html`
    <span class="hl-side">${t(`order.${name}`)}</span>
    <p lang=${langOf(run.text)} class="hl-order-text">${
      run.text === ""
        ? t("hypothesis.empty")
        : difference
            .filter(({ where }) => where === "both" || where === own)
            .map(({ text, where }) => marked(text, where))
    }</p>
    <span class="hl-note">
      ${t("order.sum", { log_prob: signedText(run.log_prob), n: run.length })}</span>`;
  return html`<div class="hl-order-translations">
    ${row("before", before, "first")} ${row("after", after, "second")}</div>`;
}

const marked = (/** @type {string} */ text, /** @type {string} */ where) =>
  where === "both" ? text : where === "first" ? html`<del>${text}</del>` : html`<ins>${text}</ins>`;

/** The log-prob of each token of the normal run: there, and read by the changed model.
 * @param {Page} page @param {Rec} record */
function tokenTable(page, record, { again: [before, after] }) {
  const { t } = page;
  const change = after.map((value, i) => value - before[i]);
  const total = (/** @type {Float32Array} */ numbers) => numbers.reduce((sum, one) => sum + one, 0);
  return [
    table({
      label: t("order.original"),
      class: "hl-order-tokens",
      columns: [
        { name: t("order.original"), text: true },
        ...MAPS.map((name) => ({ name: t(`order.${name}`) })),
      ],
      rows: record.tgt_out.map((label, i) => ({
        cells: [token(label), signedText(before[i]), signedText(after[i]), changeText(change[i])],
      })),
      foot: [
        t("order.total"),
        signedText(total(before)),
        signedText(total(after)),
        changeText(total(change)),
      ],
    }),
    downloads(page, "order-tokens", {
      csv: () => [
        ["token", ...MAPS],
        ...record.tgt_out.map(({ text }, i) => [text, before[i], after[i], change[i]]),
      ],
    }),
  ];
}

/** Before, after and the change between them, as small maps. */
function scenesOf(/** @type {Page} */ page, /** @type {Rec} */ record, run, { width, em }, lit) {
  const { kind, labels } = page.selection.get();
  const { queries, keys, allowed } = record.attention[kind];
  const [before, after] = run.weights.map((all) => masked(all, allowed));
  const change = before.map((value, i) => 0.5 + (after[i] - value) / 2);
  const sides = axes(record, kind, labels);
  const names = { rows: sides.rows.labels, columns: sides.columns.labels };
  const { isBeside, first, next } = inLine(names, width, em);
  const theme = page.theme.get();
  return [before, after, change].map((cells, i) => ({
    ...{ ...names, cells, queries, keys, lit, font: em, bare: i > 0 && isBeside },
    width: i === 0 ? first : next,
    ramp: i === 2 ? diverging[theme] : ramps[theme],
    name: page.t(`order.map.${MAPS[i]}`),
  }));
}

/** @param {Float32Array} all @param {number[]} allowed */
function masked(all, allowed) {
  const cells = new Float32Array(all.length).fill(NaN);
  for (const i of allowed) cells[i] = all[i];
  return cells;
}

function maps(/** @type {Page} */ page, run, { scenes, lit, point }) {
  const { kind, layer, head } = page.selection.get();
  const files = { svg: () => mapsPicture(scenes), csv: () => weightRows(scenes, run) };
  return html`<div class="hl-order-maps">${scenes.map(
    (scene) => html`<div><h4>${scene.name}</h4>${smallMap(scene, { onPoint: point })}</div>`,
  )}</div>
    <p class="hl-note"
      aria-live="polite">${lit === null ? nothing : cellText(page, scenes, lit)}</p>
    ${downloads(page, `order-${kind}-${layer + 1}-${head + 1}`, files)}`;
}

function cellText(/** @type {Page} */ { t }, [before, after], { row, col }) {
  if (row >= before.queries || col >= before.keys) return "";
  const i = row * before.keys + col;
  if (Number.isNaN(before.cells[i])) return t("readout.masked");
  return t("order.cell", {
    row: before.rows[row].text,
    column: before.columns[col].text,
    before: before.cells[i].toFixed(4),
    after: after.cells[i].toFixed(4),
    change: changeText(after.cells[i] - before.cells[i], 4),
  });
}

const weightRows = ([{ rows, columns, keys }], { weights: [before, after] }) => [
  ["row", "column", "before", "after"],
  ...Array.from(before, (weight, i) => [
    rows[Math.floor(i / keys)].text,
    columns[i % keys].text,
    weight,
    after[i],
  ]),
];
