// Three parts that the slider moves together: the points in words above the curve of the training,
// all heads, the chosen head large.

import { ramps } from "../../../assets/kit/colour.js";
import { axesText, headText } from "../../../assets/kit/heads.js";
import { isUntouched } from "../../../assets/kit/interventions.js";
import { matrix } from "../../../assets/kit/map.js";
import { hasLines, lineUnder } from "../../../assets/kit/readersline.js";
import { pending } from "../../../assets/kit/request.js";
import { tiles } from "../../../assets/kit/tiles.js";
import { langOf } from "../../../assets/kit/token.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { curve, epochText, isCharted } from "./curve.js";
import { pointText, spelled, updatesText, written } from "./points.js";

/** @typedef {import("./view.js").Scene} Scene */
/** @typedef {import("./points.js").Point} Point */
/** @typedef {import("../../../assets/kit/exhibit.js").Size} Size */

const LEAST = 46; // em of a window with room for three parts
const SHARES = { way: 0.36, tiles: 0.28, short: 0.4 }; // of the width; of the height, for the list
const POINT = { full: 2.95, short: 1.75, line: 1.5 }; // em of a point in the list, and of its line
const LINE = 1.5; // em of a line of small text
const EPOCH = { line: 26, least: 27 }; // em: the width for one line, the height for any
const HEAD = 4.2; // em of the name and the axes above the maps
const MAP = { above: 1.8, least: 11 }; // em: what stands above a map; a map that can be read
const TILES = { left: 4.4, above: 9, gap: 4 }; // em beside and above the tiles; px between them

export const isNarrow = (/** @type {Element} */ el) =>
  el.clientWidth < LEAST * parseFloat(getComputedStyle(el).fontSize);

/** @param {Scene} s @param {Size} size */
export function picture(s, { width, height, em }) {
  if (isNarrow(s.el)) {
    const half = { width, height: height / 2, em };
    return html`<div class="hl-learn-parts hl-narrow">${mapOf(s, s.now, half)}
      ${isCharted(s) ? curve(s, half) : nothing}</div>`;
  }
  const gap = 1.6 * em;
  const [way, all] = [SHARES.way * width, SHARES.tiles * width];
  const large = { width: width - way - all - 2 * gap, height: height - HEAD * em, em };
  return html`<div class="hl-learn-parts"
      style="grid-template-columns:${way}px ${all}px minmax(0, 1fr);gap:${gap}px">
    ${wayOf(s, { width: way, height, em })}
    ${headTiles(s, tileSize(s, all, height, em))}
    ${largeHead(s, large)}
  </div>`;
}

/** The list of all points, each a button that goes there; below it the curve.
 * @param {Scene} s @param {Size} size */
function wayOf(s, { width, height, em }) {
  const { t, page, record, shares, open } = s;
  const isChanged = !isUntouched(record.interventions, page.shared.interventions);
  const said = hasLines(page) ? POINT.line : 0;
  const isShort = (POINT.full + said) * em * shares.length > SHARES.short * height;
  const epoch = height < EPOCH.least * em ? 0 : width < EPOCH.line * em ? 2.5 : 1.5; // lines
  const lines = 1 + (isChanged ? 2 : 0) + epoch;
  const list = ((isShort ? POINT.short : POINT.full) + said) * shares.length;
  const rest = { width, height: height - (list + lines * LINE) * em, em };
  return html`<div class="hl-learn-way">
    ${isChanged ? html`<p class="hl-note">${t("original")}</p>` : nothing}
    <p class="hl-learn-own">${t("own")}</p>
    <ol class="hl-learn-list ${isShort ? "hl-learn-short" : ""}" aria-label=${t("way")}>
      ${shares.map((share) => pointOf(s, share, isShort))}</ol>
    ${open?.error ? pending(page, open) : nothing}
    ${isCharted(s) && epoch ? html`<p class="hl-learn-epoch">${epochText(s)}</p>` : nothing}
    ${isCharted(s) ? curve(s, rest) : nothing}
  </div>`;
}

/** @param {Scene} s @param {number} share @param {boolean} isShort */
function pointOf(s, share, isShort) {
  const one = s.known.get(share) ?? null;
  const text = one ? written(s, one) : "…";
  const go = () => {
    s.player.stop();
    s.set({ at: share });
  };
  return html`<li><button type="button" aria-pressed=${String(share === s.now.share)} @click=${go}>
    <span>${pointText(s, share)} <small>${isShort ? "" : updatesText(s, share)}</small></span>
    <b lang=${langOf(text) || nothing} title=${text} data-known=${one !== null}>${spelled(text)}</b>
    ${lineUnder(s.page, one?.translation ?? "…")}
  </button></li>`;
}

/** @param {Scene} s @param {number} width @param {number} height @param {number} em */
function tileSize({ now: { attention } }, width, height, em) {
  const kinds = Object.values(attention);
  const heads = Math.max(...kinds.map((maps) => maps.heads));
  const layers = kinds.reduce((sum, maps) => sum + maps.layers, 0);
  const wide = (width - TILES.left * em) / heads - TILES.gap;
  return Math.max(14, Math.min(wide, (height - TILES.above * em) / layers - TILES.gap));
}

/** All heads at this point of the training. */
export const headTiles = (/** @type {Scene} */ { page, now }, /** @type {number} */ side = 30) =>
  html`<div class="hl-learn-heads" style="--side:${side}px">
    ${tiles(page, { attention: now.attention, isPainted: true })}</div>`;

/** The chosen head at this point of the training, and below it at the one to compare with.
 * @param {Scene} s @param {Size} size */
function largeHead(s, { width, height, em }) {
  const other = height / 2 >= MAP.least * em ? s.other : null;
  const own = { width, height: height / (other ? 2 : 1), em };
  return html`<div class="hl-learn-head">
    <h3><i class="hl-dot hl-kind-${s.selection.kind}"></i>${headText(s.page, s.selection)}</h3>
    <p class="hl-axes" id="${s.page.uid}-axes">${axesText(s.page, s.selection)}</p>
    ${mapOf(s, s.now, own)} ${other ? mapOf(s, other, own) : nothing}
  </div>`;
}

/** @param {Scene} s @param {Point} point @param {Size} size */
function mapOf(s, point, { width, height, em }) {
  const { page, rows, columns, link } = s;
  const { kind, layer, head, row, col } = s.selection;
  const { queries, keys, head: cellsOf } = point.attention[kind];
  const name = pointText(s, point.share);
  const scene = {
    cells: cellsOf(layer, head),
    queries,
    keys,
    rows,
    columns,
    name,
    width,
    height: height - MAP.above * em,
    font: em,
    largest: 5,
    told: true,
    ramp: ramps[page.theme.get()],
    lit: page.chosen.place || link === null ? { row, col } : { row: link.row, col: null },
    marks: link ? [link] : [],
  };
  const how = { onPoint: page.hover.set, onChoose: page.choose, describedBy: `${page.uid}-axes` };
  return html`<figure class="hl-learn-map"><figcaption>${name}</figcaption>
    ${matrix(scene, how)}</figure>`;
}
