// A block of attention opened into its heads, a head into its cells.

import { ramps } from "../../../assets/kit/colour.js";
import { arrow } from "../../../assets/kit/elements.js";
import { headOf } from "../../../assets/kit/heads.js";
import { matrix } from "../../../assets/kit/map.js";
import { percentText, roundPercent, weightText } from "../../../assets/kit/numbers.js";
import { rowOf, strongest } from "../../../assets/kit/payload.js";
import { axes } from "../../../assets/kit/selection.js";
import { marked } from "../../../assets/kit/sentence.js";
import { token } from "../../../assets/kit/token.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";

/** @typedef {import("../../../assets/kit/exhibit.js").Size} Size */

const NAME = 2.1; // em below a head's map, for what it reads
const GAP = 1.2; // em between heads
const LINE = 2.4; // em of the line that says what more there is
const KEPT = /^$|^(encoder_self|decoder_self|cross)\.\d{1,2}(\.\d{1,2})?$/;

/** "" or "cross.1" or "cross.1.4": what is open inside a layer. */
export const isPlace = (/** @type {unknown} */ value) =>
  typeof value === "string" && KEPT.test(value);

/** The block, and the head, that are open; null where there is no such one in this model. */
export function insideOf(/** @type {string} */ within, record) {
  if (within === "") return null;
  const { kind, layer, head } = headOf(within);
  const maps = record.attention[kind];
  if (layer >= maps.layers || head >= maps.heads) return null;
  return { kind, layer, head: Number.isNaN(head) ? null : head, maps };
}

/** What the rows of the open head are named by: as in the views that it leads to. */
function namesOf({ page, inside, selection }) {
  return { labels: selection.labels, ...page.namesFor(inside) }.labels;
}

/** The row that is computed, and what a head reads most in it. */
function best({ record, step, src }, { kind, layer, maps }, /** @type {number} */ head) {
  const row = kind === "encoder_self" ? src : step;
  const [link] = strongest(rowOf(maps.head(layer, head), maps.keys, row), maps.keys, 1);
  const label = (kind === "decoder_self" ? record.tgt_in : record.src)[link.col];
  return { row, col: link.col, weight: link.weight, label };
}

/** Of all heads the one that looks hardest; of one head what it reads at the chosen cell. */
export function insideFinding(s) {
  const { say, page, inside, record } = s;
  const { kind, layer, head, maps } = inside;
  const name = (/** @type {number} */ i) => `${layer + 1}·${i + 1}`;
  if (head === null) {
    const all = Array.from({ length: maps.heads }, (_, i) => ({ i, ...best(s, inside, i) }));
    const { i, label, weight } = all.reduce((one, two) => (two.weight > one.weight ? two : one));
    const values = { kind: page.t(`kind.${kind}`), head: name(i), token: label };
    return say("finding.heads", { ...values, p: marked(roundPercent(weight)) });
  }
  const { row, col } = cellOf(s);
  const labels = namesOf(s);
  const sides = axes(record, kind, labels);
  const weight = maps.head(layer, head)[row * maps.keys + col];
  const values = {
    head: name(head),
    row: sides.rows.labels[row],
    col: sides.columns.labels[col],
    p: marked(roundPercent(weight)),
  };
  if (Number.isNaN(weight)) return say("finding.masked", values);
  const isWritten = kind !== "encoder_self" && labels === "writes";
  return say(isWritten ? "finding.cell.written" : "finding.cell", values);
}

/** The chosen cell of this kind of attention, else the strongest one of the row. */
function cellOf(s) {
  const { inside, selection } = s;
  const found = best(s, inside, inside.head);
  const isOwn = selection.kind === inside.kind && selection.col !== null;
  return { row: found.row, col: isOwn ? selection.col : found.col };
}

/** @param {any} s @param {Size} size */
export function insidePicture(s, size) {
  const { page, inside, set, t } = s;
  const { kind, layer, head } = inside;
  const up = (event) =>
    event.key === "Escape" && set({ within: head === null ? "" : `${kind}.${layer}` });
  const exhibit = head === null ? "attention" : "microscope";
  const more = () =>
    page.choose({ exhibit, kind, layer, head: head ?? 0, ...(head === null ? {} : cellOf(s)) });
  return html`<div class="hl-figure-body hl-figure-inside" @keydown=${up}>
    ${head === null ? headGrid(s, size) : cells(s, size)}
    <p class="hl-figure-card">${t(head === null ? "inside.heads" : "inside.cells")}
      <button type="button" class="hl-figure-more" @click=${more}
        >${t("opens", { view: page.t(`${exhibit}.title`) })}</button></p></div>`;
}

/** All heads of the block, as large as they can be. */
function headGrid(s, /** @type {Size} */ { width, height, em }) {
  const { inside, t } = s;
  const { kind, layer, maps } = inside;
  const room = { width, height: height - LINE * em };
  const { across, wide, tall } = tiling(maps, room, em);
  return html`<div class="hl-figure-heads" role="group" aria-label=${t("name.heads")}
      data-zoom=${`${kind}.${layer}`} style="grid-template-columns:repeat(${across},${wide}px);gap:0 ${GAP * em}px">
    ${Array.from({ length: maps.heads }, (_, i) => tile(s, i, tall))}</div>`;
}

function tile(s, /** @type {number} */ i, tall) {
  const { inside, pictures, theme, step, set, t } = s;
  const { kind, layer, maps } = inside;
  const upTo = kind === "encoder_self" ? maps.queries - 1 : step;
  const { row, label, weight } = best(s, inside, i);
  const name = `${kind}.${layer}.${i}`;
  const keys = (event) => {
    const by = arrow(event);
    const to = by && event.target.closest(".hl-figure-heads").children[i + by.columns];
    if (to) to.querySelector("button").focus();
  };
  return html`<div class="hl-figure-tile"><button type="button" data-zoom=${name} data-head=${name}
      tabindex=${i === 0 ? 0 : -1} aria-label=${t("head", { n: i + 1 })}
      style="height:${tall}px" @keydown=${keys} @click=${() => set({ within: name })}>
      <img alt="" src=${pictures.head(maps, layer, i, upTo, theme)}>
      <i style="top:${(100 * row) / maps.queries}%;height:${100 / maps.queries}%"></i></button>
    <span>${t("head", { n: i + 1 })} ${token(label)} ${percentText(weight)}</span></div>`;
}

/** How many heads stand in a line for all to be largest. */
function tiling({ heads, queries, keys }, { width, height }, /** @type {number} */ em) {
  const shape = Math.max(0.5, Math.min(2, keys / queries));
  const fits = Array.from({ length: heads }, (_, i) => {
    const lines = Math.ceil(heads / (i + 1));
    const wide = Math.floor(
      Math.min((width - i * GAP * em) / (i + 1), (height / lines - NAME * em) * shape),
    );
    return { across: i + 1, wide, tall: Math.floor(wide / shape) };
  });
  return fits.reduce((one, two) => (two.wide > one.wide ? two : one));
}

/** One head's map with its numbers. */
function cells(s, /** @type {Size} */ { width, height, em }) {
  const { page, inside, record, theme, within } = s;
  const { kind, layer, head, maps } = inside;
  const { rows, columns } = axes(record, kind, namesOf(s));
  const scene = {
    cells: maps.head(layer, head),
    queries: maps.queries,
    keys: maps.keys,
    rows: rows.labels,
    columns: columns.labels,
    ramp: ramps[theme],
    name: s.t("head", { n: head + 1 }),
    width,
    height: height - LINE * em,
    font: em,
    large: true,
    text: weightText,
    chosen: cellOf(s),
  };
  const onChoose = ({ row, col }) => page.choose({ kind, layer, head, row, col });
  return html`<div class="hl-figure-cells"><div data-zoom=${within}>${matrix(scene, { onChoose })}</div></div>`;
}

/** The way back: the whole, the layer, the block. */
export function crumbs(s) {
  const { t, page, set, inside, level, encoder, decoder } = s;
  if (level === undefined || level.depth === 0) return nothing;
  const open = { encoder, decoder };
  const layers = Object.keys(open).flatMap((stack) => open[stack].map((i) => ({ stack, i })));
  const isOne = layers.length === 1;
  const layer = isOne
    ? t("crumb.layer", { stack: t(layers[0].stack), n: layers[0].i + 1 })
    : t("crumb.layers");
  const steps = [
    { name: t("crumb.whole"), to: { encoder: [], decoder: [], within: "" } },
    { name: layer, to: { within: "" } },
    ...(inside
      ? [{ name: page.t(`kind.${inside.kind}`), to: { within: `${inside.kind}.${inside.layer}` } }]
      : []),
    ...(inside && inside.head !== null
      ? [{ name: t("head", { n: inside.head + 1 }), to: {} }]
      : []),
  ];
  return html`<nav class="hl-figure-crumbs" aria-label=${t("crumbs")}>${steps.map(
    ({ name, to }, i) =>
      i === steps.length - 1
        ? html`<b aria-current="true">${name}</b>`
        : html`<button type="button" @click=${() => set({ ...to, stage: null })}>${name}</button>`,
  )}</nav>`;
}
