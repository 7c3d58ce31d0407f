// On the left the scores, each a dot with its interval under either row label; on the right the
// chosen picture of a gold pair, with the human links.

import { ramps } from "../../../assets/kit/colour.js";
import { glossOf } from "../../../assets/kit/gloss.js";
import { textWidth } from "../../../assets/kit/heatplan.js";
import { matrix } from "../../../assets/kit/map.js";
import { cellText, percentText } from "../../../assets/kit/numbers.js";
import { pressed } from "../../../assets/kit/pressed.js";
import { pending } from "../../../assets/kit/request.js";
import { html, nothing, svg } from "../../../assets/vendor/lit-html.js";
import { clearest, fitting, LABELS } from "./board.js";

/** @typedef {import("./view.js").Scored} Scored */
/** @typedef {import("./board.js").Place} Place */
/** @typedef {import("./board.js").RowLabel} RowLabel */
/** @typedef {import("../../../assets/kit/exhibit.js").Size} Size */

const BESIDE = 46; // em of a picture with room for both parts side by side
const SHARE = { beside: 0.47, above: 0.5 }; // of the width, or of the height, for the scores
const GAP = 2; // em between the two
const ROW = { least: 1.35, most: 2.2 }; // em
const TOP = 1.7; // em above the first row: the numbers of the axis
const BELOW = 3.2; // em below the last: the key, and the number that do not fit
const VALUE = 3.4; // em at the right
const CAPTION = 1.8; // em above the map
// em below it: the frames, and each line of the sentence, whose letters are of so many em and px
const FOOT = { key: 2.2, line: 1.45, letter: 0.82, least: 12 };
const TICKS = [0, 0.25, 0.5, 0.75, 1];

/** The name of a place. @param {Scored["t"]} t @param {Place} place */
export const nameOf = (t, { method, layer, head }) =>
  t(head ? "of.head" : layer ? "of.layer" : "of.model", {
    method: t(`method.${method}`),
    layer,
    head: `${layer}·${head}`,
  });

/** @param {Scored} s @param {Size} size */
export function picture(s, { width, height, em }) {
  const isBeside = width >= BESIDE * em;
  const left = {
    width: isBeside ? SHARE.beside * width : width,
    height: isBeside ? height : SHARE.above * height,
  };
  const right = {
    width: isBeside ? width - left.width - GAP * em : width,
    height: isBeside ? height : height - left.height - em,
  };
  return html`<div class="hl-truth-both ${isBeside ? "" : "hl-narrow"}">
    ${board(s, { ...left, em })}
    <figure style="width:${right.width}px">${linked(s, { ...right, em })}</figure>
  </div>`;
}

/** The places, best first, on an axis from no errors to only errors.
 * @param {Scored} s @param {Size} size */
function board(s, { width, height, em }) {
  const { t, places: all, chosen } = s;
  const room = height - (TOP + BELOW) * em;
  const rows = fitting(all, Math.max(3, Math.floor(room / (ROW.least * em))), chosen.key);
  const each = Math.min(ROW.most * em, room / rows.length);
  const names = Math.min(0.42 * width, longest(t, rows) * em + em);
  const x = (/** @type {number} */ value) => names + value * (width - names - VALUE * em);
  const end = TOP * em + rows.length * each;
  return svg`<svg class="hl-truth-board" width=${width} height=${height}
      viewBox="0 0 ${width} ${height}" role="group" aria-label=${t("map")}>
    ${TICKS.map(
      (tick) => svg`<path class="hl-truth-grid" d="M${x(tick)} ${TOP * em}V${end}"></path>
        <text class="hl-truth-tick" x=${x(tick)} y=${1.1 * em} text-anchor="middle">${tick * 100} %</text>`,
    )}
    ${rows.map(
      (one, i) => svg`<g transform="translate(0 ${TOP * em + i * each})"
        >${scored(s, one, { x, width, height: each, em })}</g>`,
    )}
    <g transform="translate(0 ${end})">${key(s, { em, x, left: all.length - rows.length })}</g>
  </svg>`;
}

/** The width in em of the longest name. @param {Scored["t"]} t @param {Place[]} rows */
const longest = (t, rows) => Math.max(...rows.map((one) => textWidth(nameOf(t, one))));

/** One place: a filled dot for rows as written, a ring for rows as read, each on its interval.
 * @param {Scored} s @param {Place} one
 * @param {Size & {x: (value: number) => number}} room */
function scored({ t, chosen, set }, one, { x, width, height, em }) {
  const about = { name: nameOf(t, one), ...textsOf(one) };
  const isHere = one.key === chosen.key;
  const place = { width, height, isHere, class: "hl-truth-place" };
  const middle = height / 2;
  return svg`${pressed(t("place", about), place, () => set({ place: one.key, label: "" }))}
    <text class="hl-truth-name" x=${0.3 * em} y=${middle + 0.35 * em}>${about.name}</text>
    ${LABELS.map((label, i) => {
      const { aer, low, high } = one[label];
      const y = middle + (i - 0.5) * 0.36 * height;
      const own = `hl-truth-${label} ${label === one.fits ? "" : "hl-truth-other"}`;
      return svg`<path class="hl-truth-interval ${own}" d="M${x(low)} ${y}H${x(high)}"></path>
        <circle class="hl-truth-dot ${own}" cx=${x(aer)} cy=${y} r=${0.27 * em}></circle>`;
    })}
    <text class="hl-truth-value" x=${width - 0.3 * em} y=${middle + 0.35 * em} text-anchor="end"
      >${percentText(one[one.fits].aer)}</text>`;
}

const textsOf = (/** @type {Place} */ { written, read }) => ({
  written: percentText(written.aer),
  read: percentText(read.aer),
});

/** The meaning of dot and ring; the number of places that do not fit.
 * @param {Scored} s @param {{em: number, x: (value: number) => number, left: number}} room */
function key({ t }, { em, x, left }) {
  const y = 1.1 * em;
  const second = x(0) + (textWidth(t("rows.written")) + 2.6) * em;
  /** @type {(label: RowLabel, at: number) => unknown} */
  const mark = (label, at) => svg`<circle class="hl-truth-dot hl-truth-${label}" cx=${at + 0.4 * em}
      cy=${y - 0.32 * em} r=${0.27 * em}></circle>
    <text class="hl-truth-key" x=${at + em} y=${y}>${t(`rows.${label}`)}</text>`;
  return svg`<text class="hl-truth-key" x=${0.3 * em} y=${y}>${t("rows")}</text>
    ${mark("written", x(0))}${mark("read", second)}
    <text class="hl-truth-key" x=${0.3 * em} y=${y + 1.4 * em}>${t("axis")}
      ${left > 0 ? t("more", { n: left }) : nothing}</text>`;
}

/** The chosen picture of the gold pair, with the human links over it.
 * @param {Scored} s @param {Size} size */
function linked(s, { width, height, em }) {
  const { t, page, chosen, rows, gold, set } = s;
  if (gold === null) return html`<p>${t("undrawn")}</p>`;
  if (gold.value === null) return pending(page, gold);
  const { source, target, cells, sure, possible, strongest, aer } = gold.value;
  const mark =
    (/** @type {string} */ own) =>
    (/** @type {[number, number]} */ [row, col]) => ({ row, col, own });
  const good = new Set([...sure, ...possible].map(String));
  const hits = strongest.filter((col, row) => good.has(String([row, col]))).length;
  const told = t("pair.says", { pair: s.pair + 1, hits, n: target.length, aer: percentText(aer) });
  const letter = Math.max(FOOT.least, FOOT.letter * em);
  const lines = Math.ceil((textWidth(told) * letter) / width);
  const scene = {
    cells,
    queries: target.length,
    keys: source.length,
    rows: target,
    columns: source,
    large: true,
    width,
    height: height - (CAPTION + FOOT.key) * em - lines * FOOT.line * letter,
    font: em,
    ramp: ramps[page.theme.get()],
    along: scale(cells),
    text: cellText,
    name: t("linked", { name: nameOf(t, chosen) }),
    marks: [...possible.map(mark("possible")), ...sure.map(mark("sure"))],
    chosen: cellOf(s, gold.value),
  };
  return html`<figcaption><b>${nameOf(t, chosen)}</b> ${t(`named.${rows}`)}</figcaption>
    <div class="hl-map hl-truth-map">${matrix(scene, {
      onChoose: (cell) => set({ at: { pair: s.pair, ...cell } }),
    })}</div>
    <p class="hl-truth-foot"><i class="hl-truth-sure"></i> ${t("sure")}
      <i class="hl-truth-possible"></i> ${t("possible")}
      <span>${told}</span></p>`;
}

/** The cell that the visitor chose, else the row that shows most.
 * @param {Scored} s @param {import("./view.js").Gold} gold */
function cellOf({ at, pair }, { source, target, cells, strongest, sure }) {
  if (at?.pair === pair) return at;
  const told = (/** @type {number} */ row) => glossOf(target[row]) !== "";
  return { row: clearest({ cells, strongest, sure, columns: source.length, told }), col: null };
}

/** Weights as everywhere; measures without a fixed maximum end at the largest value. */
function scale(/** @type {Float32Array} */ cells) {
  const most = Math.max(1, ...cells);
  return (/** @type {number} */ value) => value / most;
}
