// Each model on one example at an update: its output and the attention of its heads.

import { ramps } from "../../../assets/kit/colour.js";
import { roomForRows } from "../../../assets/kit/heatplan.js";
import { matrix } from "../../../assets/kit/map.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { nameOf } from "./curves.js";
import { headOf } from "./trainer.js";

/** @typedef {import("./trainer.js").Run} Run */
/** @typedef {import("./trainer.js").Frame} Frame */

const FONTS = [16, 14, 13, 12]; // px of a letter beside a map: the largest that fits, or the last
const SIDE = 0.96; // em of a cell that has room for its letter
const WRITES = 2; // em of the line above the maps
const CAPTION = 1.4; // em of the line above a map
const ABOVE = 3; // em of the letters above a map, at most
const GAP = 10; // px between two maps

/** The maps of every run that has started, side by side in order.
 * @param {any} s @param {import("../../../assets/kit/exhibit.js").Size} size */
export function allMaps(s, { width, height, em }) {
  const begun = s.runs.flatMap((run, i) => (s.frames[i] && run.about ? [i] : []));
  if (begun.length === 0) return nothing;
  const room = { width: width / begun.length - em, height: height - 2.4 * em };
  const plans = FONTS.map((font) => planOf(s, begun[0], { ...room, font }));
  const plan = plans.find(({ isWhole }) => isWhole) ?? plans[plans.length - 1];
  return html`<div class="hl-play-maps" style="font-size:${plan.font}px">
    <div class="hl-play-models">${begun.map((i) => mapsOf(s, i, plan))}</div>
    <p class="hl-note">${s.t(`axes.${s.kind}`)} ${pointed(s)}</p></div>`;
}

/**
 * The number of columns with the largest cells, and whether each cell has room for its letter. The
 * first map of a line has the letters of all on its left.
 */
function planOf({ runs, kind }, /** @type {number} */ i, { width, height, font }) {
  const { heads } = runs[i].settings;
  const { src, tgt_in: tgt } = runs[i].about;
  const rows = kind === "encoder_self" ? src : tgt;
  const letters = Math.max(rows.length, kind === "decoder_self" ? tgt.length : src.length);
  const labels = roomForRows(rows.map(label), font);
  const across = 0.6 * ABOVE * font + 2;
  const sideOf = (/** @type {number} */ columns) => {
    const lines = Math.ceil(heads / columns);
    const wide = ((width - labels) / columns - GAP - across) / letters;
    const tall = ((height - WRITES * font) / lines - (CAPTION + ABOVE) * font) / letters;
    return { columns, side: Math.min(wide, tall), wide, tall };
  };
  const all = Array.from({ length: heads }, (_, n) => sideOf(n + 1));
  const best = all.reduce((most, one) => (one.side > most.side ? one : most));
  const least = SIDE * font; // smaller maps scroll
  const tallest = Math.max(least, best.tall) * letters + ABOVE * font;
  const each = (width - labels) / best.columns - GAP;
  return {
    font,
    labels,
    each,
    columns: best.columns,
    height: tallest,
    isWhole: best.side >= least,
  };
}

function mapsOf(s, /** @type {number} */ i, plan) {
  const { runs, frames, t } = s;
  const { columns, each, labels } = plan;
  const widths = Array.from({ length: columns }, (_, n) => `${each + (n ? 0 : labels)}px`);
  const name = nameOf(runs, i);
  return html`<section class="hl-play-model">
    <p class="hl-play-writes">${name ? html`<b>${name}</b> ` : nothing}${writes(t, runs[i], frames[i])}</p>
    <div class="hl-play-heads" style="grid-template-columns:${widths.join(" ")};gap:0 ${GAP}px">
      ${Array.from({ length: runs[i].settings.heads }, (_, head) => headMap(s, i, head, plan))}
    </div></section>`;
}

function headMap(s, /** @type {number} */ i, /** @type {number} */ head, plan) {
  const { page, t, runs, frames, kind, lit, set } = s;
  const layer = layerOf(s, runs[i]);
  const { cells, rows, columns } = headOf(runs[i], frames[i], { kind, layer, head });
  const isFirst = head % plan.columns === 0;
  const scene = {
    cells,
    queries: rows.length,
    keys: columns.length,
    bare: !isFirst,
    width: plan.each + (isFirst ? plan.labels : 0),
    height: plan.height,
    font: plan.font,
    rows: rows.map(label),
    columns: columns.map(label),
    ramp: ramps[page.theme.get()],
    name: `${nameOf(runs, i)} ${t("map", {
      head: head + 1,
      layer: layer + 1,
      kind: page.t(`kind.${kind}`),
    })}`.trim(),
    lit: lit?.head === head && lit.run === i ? lit : null,
  };
  return html`<figure><figcaption style="padding-left:${isFirst ? plan.labels : 2}px">${t("head", {
    n: head + 1,
  })}</figcaption>
    ${matrix(scene, { onPoint: (cell) => set({ lit: cell && { ...cell, head, run: i } }) })}
  </figure>`;
}

const layerOf = ({ layer }, /** @type {Run} */ { settings }) =>
  Math.min(layer, settings.layers - 1);

const label = (/** @type {string} */ piece) => ({
  text: piece,
  kind: piece.startsWith("<") ? "special" : "word",
});

/** The weight under the pointer, in words. */
function pointed(s) {
  const { t, runs, frames, kind, lit } = s;
  const run = runs[lit?.run];
  if (!run || lit.head >= run.settings.heads || !frames[lit.run]) return nothing;
  const which = { kind, layer: layerOf(s, run), head: lit.head };
  const { cells, rows, columns } = headOf(run, frames[lit.run], which);
  if (lit.row >= rows.length || lit.col >= columns.length) return nothing;
  const value = cells[lit.row * columns.length + lit.col];
  return html`<b>${t("weight", {
    row: rows[lit.row],
    col: columns[lit.col],
    weight: Number.isNaN(value) ? t("masked") : value.toFixed(2),
  })}</b>`;
}

/** The example: the input, the correct output, and the model's own output at this update. */
function writes(t, /** @type {Run} */ { about }, /** @type {Frame} */ { written }) {
  const [source, target] = about.examples[0];
  const letters = [...written].map((letter, i) =>
    letter === target[i] ? letter : html`<mark>${letter}</mark>`,
  );
  const isRight = written === target;
  return html`<code>${source}</code> → <code>${letters}</code>
    <span class=${isRight ? "" : "hl-play-wrong"}>${t(isRight ? "right" : "wrong", {
      target,
    })}</span>`;
}
