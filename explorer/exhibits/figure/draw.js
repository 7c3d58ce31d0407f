// The blocks of Figure 1 as SVG: each carries its own numbers in small.

import { nothing, svg } from "../../../assets/vendor/lit-html.js";
import { bars, lengths, tokens, wide } from "./contents.js";
import { factsOf } from "./facts.js";
import { SIDE } from "./layout.js";
import { seenRows, windowOf } from "./pictures.js";
import { blockShapes } from "./shapes.js";

/** @typedef {import("./layout.js").Block} Block */
/**
 * What a drawing is made of.
 * @typedef {object} Scene
 * @property {import("../../../assets/kit/types.js").Page} page
 * @property {import("../../../assets/kit/types.js").Rec} record
 * @property {any} reply with its arrays as numbers
 * @property {any} plan of layOut
 * @property {any} sizes
 * @property {number} step
 * @property {number} src the chosen source token
 * @property {string} at the id of the block that the tab key reaches
 * @property {string|null} pointed
 * @property {string[]} order
 * @property {number|null} stage the place of the block that computes; null: all is there
 * @property {"light"|"dark"} theme
 * @property {boolean} shapes whether the shapes of the data are written
 * @property {ReturnType<typeof import("./pictures.js").createPictures>} pictures
 */

const HEAD = 4; // px of an arrow's head
const TURN = { up: 0, right: 90, down: 180, left: 270 };

/** @param {Scene} scene */
export function drawing(scene) {
  const { plan, page } = scene;
  const name = ({ stack, x, y }) => svg`<text class="hl-figure-stack hl-figure-${stack}" x=${x}
    y=${y}>${page.t(`figure.${stack}`)}</text>`;
  return svg`<g>${plan.captions.map(name)}</g>
    <g class="hl-figure-frames">${plan.frames.map((frame) => framed(page, frame, plan))}</g>
    <g class="hl-figure-arrows" aria-hidden="true">${plan.arrows.map((one) => arrow(scene, one))}</g>
    ${plan.blocks.map((block) => drawn(scene, block))}`;
}

function framed({ t }, { stack, layer, x, y, width, height }, plan) {
  const { em } = plan;
  const beside = stack === "encoder" ? x - 0.6 * em : x + width + 0.6 * em;
  const turned = `translate(${beside} ${y + height / 2}) rotate(-90)`;
  const name = t("figure.frame", { n: layer + 1 });
  return svg`<rect class="hl-figure-frame hl-figure-${stack}" x=${x} y=${y} width=${width}
    height=${height} rx="6" data-frame="${stack}.${layer}"><title>${name}</title></rect>
    ${plan.isWide ? svg`<text class="hl-figure-n" transform=${turned}>${name}</text>` : nothing}`;
}

/** What a block is in now: done, now, ahead. */
export function stateOf(/** @type {Scene} */ { order, stage }, /** @type {string} */ id) {
  const i = order.indexOf(id);
  return stage === null || i < stage ? "done" : i === stage ? "now" : "ahead";
}

function arrow(/** @type {Scene} */ scene, { id, to, path, end: [x, y, way] }) {
  const head = `M${-HEAD} ${HEAD * 1.4}L0 0L${HEAD} ${HEAD * 1.4}`;
  return svg`<g class="hl-figure-arrow" data-arrow=${id} data-to=${to}
    data-state=${stateOf(scene, to)}><path d=${path}></path>
    <path d=${head} transform="translate(${x} ${y}) rotate(${TURN[way]})"></path></g>`;
}

/** One block: its frame, its name, and what it holds. */
function drawn(/** @type {Scene} */ scene, /** @type {Block} */ block) {
  const { page, plan, sizes } = scene;
  const { em } = plan;
  const facts = factsOf(page, block, sizes);
  const isTokens = block.type === "tokens";
  const isFlat = !plan.isStacked || isTokens || block.width >= SIDE * em;
  const pad = 0.5 * em;
  const beside = Math.min(11.2 * em, block.width * 0.53);
  const own = block.share ? (1.1 * wide(facts.name) + 1.4) * em : 0; // a half has little room
  const left = isFlat ? Math.max(beside, own) : pad;
  const top = isFlat ? 0.32 * em : 1.5 * em;
  const bottom = 0.32 * em;
  const area = {
    x: isTokens ? 0 : left,
    y: isTokens ? 0 : top,
    em,
    width: block.width - (isTokens ? 0 : left + pad),
    height: block.height - (isTokens ? 0 : top + bottom),
  };
  const more = facts.opens ? page.t("figure.opens", { view: page.t(`${facts.opens}.title`) }) : "";
  return svg`<g class="hl-figure-block hl-figure-${block.stack} hl-figure-is-${block.type}
      ${block.kind ? `hl-kind-${block.kind}` : ""} ${scene.pointed === block.id ? "hl-lit" : ""}"
    data-block=${block.id} data-state=${stateOf(scene, block.id)} role="button"
    tabindex=${block.id === scene.at ? 0 : -1} transform="translate(${block.x} ${block.y})"
    aria-label="${facts.name}, ${facts.where} ${facts.shapes} ${more}">
    <rect class="hl-figure-box" data-zoom=${zoomOf(block)} width=${block.width} height=${block.height} rx="5"></rect>
    ${isTokens ? nothing : title(facts.name, subtitle(scene, block), { isFlat, block, em })}
    <g class="hl-figure-data" transform="translate(${area.x} ${area.y})"
      >${scene.shapes ? shapeOf(scene, facts, block, area) : content(scene, block, area)}</g>
  </g>`;
}

/** What a block opens into: a layer into its blocks, attention into its heads. */
function zoomOf(/** @type {Block} */ { type, kind, stack, layer }) {
  if (type === "layer") return `${stack}.${layer}`;
  return kind ? `${kind}.${layer}` : nothing;
}

function title(name, /** @type {string} */ small, { isFlat, block, em }) {
  const hasRoom = isFlat && small !== "" && block.height > 2.2 * em;
  const isMiddle = isFlat && block.type !== "softmax";
  const y = isMiddle ? block.height / 2 - (hasRoom ? 0.55 * em : 0) : 0.8 * em;
  const x = (isFlat ? 0.6 : 0.35) * em;
  const below = svg`<text class="hl-figure-small" x=${x} y=${y + 1.1 * em}>${small}</text>`;
  return svg`<text class="hl-figure-name" x=${x} y=${y}>${name}</text>${hasRoom ? below : nothing}`;
}

/** The number that belongs under a block's name. */
function subtitle(/** @type {Scene} */ { page, reply, record, step, src }, block) {
  if (block.type === "attention")
    return page.t("figure.heads", { n: record.attention[block.kind].heads });
  if (block.type !== "feed_forward") return "";
  const part = partOf(reply, block);
  const n = part ? part.fired[block.stack === "encoder" ? src : step] : "";
  return part ? page.t("figure.fired", { n, count: part.units.of }) : "";
}

/** The numbers of the sub-layer of a block; null until they are there. */
const partOf = (reply, { stack, layer, part }) =>
  reply[stack].layers.get(layer)?.find(({ name }) => name === part) ?? null;

/** The matrix that a block shows, if it shows one. */
function matrixOf(reply, { type, stack, layer }) {
  const own = reply[stack];
  if (type === "sum") return own.states[0];
  if (type === "layer") return own.states[layer + 1];
  return ["embedding", "position", "final"].includes(type) ? own[type] : null;
}

/** A block's shapes in the place of its numbers; tokens and their probabilities stay. */
function shapeOf(/** @type {Scene} */ scene, { flow }, block, area) {
  if (block.type === "tokens") return content(scene, block, area);
  if (block.type !== "softmax") return blockShapes(flow, area);
  const y = 0.8 * area.em - area.y;
  return svg`<text class="hl-figure-small hl-figure-end" x=${area.width} y=${y}>${flow.out}</text>
    ${content(scene, block, area)}`;
}

function content(/** @type {Scene} */ scene, block, area) {
  const { reply, record } = scene;
  if (block.type === "tokens") return tokens(scene, block, area);
  if (block.type === "attention") return heads(scene, record.attention[block.kind], block, area);
  if (block.type === "softmax") return bars(scene, block, area);
  if (block.type === "linear") return top(scene, area);
  if (block.type === "next") return tokens(scene, block, area);
  const cells = matrixOf(reply, block);
  if (cells !== null) return matrix(scene, cells, block, area);
  const part = partOf(reply, block);
  if (part === null) return nothing;
  if (block.type === "feed_forward") return units(scene, part, block, area);
  return lengths(scene, part, block, area);
}

/** A matrix: a row a token, a column a dimension; the chosen token's row is marked. */
function matrix(/** @type {Scene} */ { pictures, theme, src, step }, cells, block, area) {
  const row = block.stack === "encoder" ? src : step;
  const upTo = block.stack === "encoder" ? cells.rows - 1 : step;
  const shown = windowOf(cells, row, seenRows(cells.rows, upTo, area.height));
  const tall = area.height / shown.count;
  return svg`<image href=${pictures.matrix(cells, shown, upTo, theme)} width=${area.width}
      height=${area.height} preserveAspectRatio="none" data-most=${cells.most}
      data-from=${shown.from}></image>
    <path class="hl-figure-mark" d="M-7 ${(row - shown.from + 0.5) * tall - 3.5}l5 3.5l-5 3.5z"></path>`;
}

/** The vector that is multiplied with the embedding: the last row of what comes in. */
function top(/** @type {Scene} */ scene, area) {
  const { reply, pictures, theme, step } = scene;
  const cells = reply.decoder.final ?? reply.decoder.states.at(-1);
  const shown = { from: step, count: 1 };
  return svg`<image href=${pictures.matrix(cells, shown, step, theme)} width=${area.width}
    height=${area.height} preserveAspectRatio="none" data-most=${cells.most}
    data-from=${step}></image>`;
}

function units(/** @type {Scene} */ { pictures, theme, src, step }, { units: cells }, block, area) {
  const row = block.stack === "encoder" ? src : step;
  const shown = { from: row, count: 1 };
  return svg`<image href=${pictures.matrix(cells, shown, row, theme)} width=${area.width}
    height=${area.height} preserveAspectRatio="none" data-most=${cells.most}
    data-from=${row}></image>`;
}

/** The maps of all heads, up to the row that is computed; the row of the chosen token is marked. */
function heads(/** @type {Scene} */ { pictures, theme, src, step, page }, maps, block, area) {
  const isEncoder = block.kind === "encoder_self";
  const row = isEncoder ? src : step;
  const upTo = isEncoder ? maps.queries - 1 : step;
  const { across, wide, tall, gap, top } = tiling(maps.heads, area);
  const line = tall / seenRows(maps.queries, upTo, tall);
  return Array.from({ length: maps.heads }, (_, i) => {
    const [x, y] = [(i % across) * (wide + gap), top + Math.floor(i / across) * (tall + gap)];
    const name = `${block.kind}.${block.layer}.${i}`;
    return svg`<g transform="translate(${x} ${y})"><rect class="hl-figure-map" width=${wide}
        height=${tall} data-pick=${name}><title>${page.t("figure.head", { n: i + 1 })}</title></rect>
      <svg width=${wide} height=${tall}><image width=${wide} height=${line * maps.queries}
        href=${pictures.head(maps, block.layer, i, upTo, theme)}
        preserveAspectRatio="none" data-head=${name}></image></svg>
      <rect class="hl-figure-row" y=${row * line} width=${wide}
        height=${Math.max(1.5, line)}></rect></g>`;
  });
}

/** How so many maps fill an area: in one line, or in two where they would be too narrow. */
function tiling(/** @type {number} */ count, { width, height }) {
  const gap = Math.min(5, width / count / 6);
  const lines = width / count < height / 3 ? 2 : 1;
  const across = Math.ceil(count / lines);
  const wide = Math.min((width - gap * (across - 1)) / across, (1.6 * height) / lines);
  const tall = Math.min((height - gap * (lines - 1)) / lines, wide * 1.5);
  return { across, wide, tall, gap, top: (height - lines * tall - (lines - 1) * gap) / 2 };
}
