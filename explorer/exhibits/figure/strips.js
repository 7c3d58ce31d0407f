// The whole model as SVG: a strip is a token's vector, a ribbon is attention, the frame is the
// token that is computed. What is not computed yet is left out.

import { glossText } from "../../../assets/kit/gloss.js";
import { textWidth } from "../../../assets/kit/heatplan.js";
import { langOf } from "../../../assets/kit/token.js";
import { nothing, svg } from "../../../assets/vendor/lit-html.js";
import { bars } from "./contents.js";
import { stateOf } from "./draw.js";
import { factsOf, positionsOf } from "./facts.js";
import { wholeShapes } from "./shapes.js";
import {
  armOf,
  boxOf,
  branchOf,
  crossOf,
  GAP_OF_GLOSS,
  namedOf,
  nameOf,
  placeOf,
  ribbonsOf,
} from "./whole.js";

/** @typedef {import("./draw.js").Scene} Scene */

const CAPTION = 1.1; // em of the letters above a stack
const MOST_ARM = 0.7; // em of an arm of weight 1
const LINES = 14; // em beside the way back, for the words about a part and those about the way
const LEAST_ARM = 0.5; // px; thinner ones are left out

/** @param {Scene & {isAhead: boolean, isHidden: boolean}} scene */
export function strips(scene) {
  const { plan, page } = scene;
  const { encoder, decoder } = plan.stacks;
  const captions = ["encoder", "decoder"].map((stack) => page.t(`figure.caption.${stack}`));
  const isTight = decoder.x - encoder.x < (textWidth(captions[0]) + 1) * CAPTION * plan.em;
  const caption = (stack, i) => svg`<text class="hl-figure-stack hl-figure-${stack}"
    x=${plan.stacks[stack].x} y=${plan.caption}
    >${isTight ? page.t(`figure.${stack}`) : captions[i]}</text>`;
  const drawn = {
    tokens: names,
    softmax: nextToken,
    sum: vectors,
    layer: vectors,
  };
  return svg`${plan.blocks.map((block) => part(scene, block, drawn[block.type]))}
    <g class="hl-figure-arms" aria-hidden="true">${arms(scene)}</g>
    ${frame(scene)} <g>${["encoder", "decoder"].map(caption)}</g>
    ${plan.isWide ? [layerNames(scene), wayBack(scene)] : nothing}
    ${scene.shapes ? wholeShapes(scene) : nothing}`;
}

function part(/** @type {Scene} */ scene, block, content) {
  const { page, sizes, at, pointed } = scene;
  const { name, where, shapes } = factsOf(page, block, sizes);
  const zoom = block.type === "layer" ? `${block.stack}.${block.layer}` : nothing;
  return svg`<g class="hl-figure-block hl-figure-part hl-figure-is-${block.type}
      ${pointed === block.id ? "hl-lit" : ""}" data-block=${block.id} role="button"
    data-state=${stateOf(scene, block.id)} tabindex=${block.id === at ? 0 : -1}
    aria-label="${name}, ${where} ${shapes}">
    <rect class="hl-figure-hit" data-zoom=${zoom} x=${block.x} y=${block.y} width=${block.width}
      height=${block.height} rx="6"></rect>${content(scene, block)}</g>`;
}

/** What of a stack is there at this step: all columns, or those up to the one that is computed. */
const lastOf = ({ isAhead, step, plan }, stack) =>
  stack === "encoder" || isAhead ? plan.stacks[stack].count - 1 : step;

/** The vectors of one row, and the ribbons that lead up to them. Columns of earlier steps stay as
 * they were while the newest is computed. */
function vectors(scene, { stack, layer }) {
  const { plan, record, reply, step, src, pictures, theme, mean } = scene;
  const level = layer === null ? 0 : layer + 1;
  const { x, count, levels } = plan.stacks[stack];
  const sheet = (from, to) => svg`<image x=${x} y=${levels[level]} width=${count * plan.pitch}
    height=${plan.strip.tall} preserveAspectRatio="none" data-level=${level}
    href=${pictures.strips(reply[stack].states[level], from, to, shareOf(plan), theme)}></image>`;
  const last = lastOf(scene, stack);
  const isWhole = stack === "encoder" || scene.isAhead;
  const before = isWhole ? 0 : step;
  const here = stack === "encoder" ? src : step;
  const weights = () => mean(record.attention[`${stack}_self`], layer);
  const ribbons = (rows, name) =>
    layer === null
      ? nothing
      : svg`<path class=${name} d=${ribbonsOf(plan, stack, layer, weights(), rows)}></path>`;
  const rows = upTo(last).filter((i) => i !== here);
  const later = upTo(count - 1).slice(last + 1);
  return svg`${later.map((i) => blank(plan, stack, i, level))}
    ${isWhole ? nothing : [ribbons(rows, "hl-figure-ribbons"), before > 0 ? sheet(0, before - 1) : nothing]}
    <g class="hl-figure-data">${isWhole ? ribbons(rows, "hl-figure-ribbons") : nothing}
      ${ribbons([here], "hl-figure-ribbons hl-here")} ${sheet(before, last)}</g>`;
}

const upTo = (/** @type {number} */ last) => Array.from({ length: last + 1 }, (_, i) => i);

/** How much of the way from one token to the next a strip takes. */
export const shareOf = ({ strip, pitch }) => strip.wide / pitch;

/** The place of a vector that a later step will compute. */
function blank(plan, stack, i, level) {
  const [x, y] = placeOf(plan, stack, i, level, true);
  const { wide, tall } = plan.strip;
  return svg`<rect class="hl-figure-blank" x=${x - wide / 2} y=${y} width=${wide}
    height=${tall}></rect>`;
}

/** The tokens below their vectors; later ones are not written yet. */
function names(scene, { stack }) {
  const { plan, record, step, src, page } = scene;
  const { em, below } = plan;
  const isSource = stack === "encoder";
  const labels = isSource ? record.src : record.tgt_in.slice(0, lastOf(scene, stack) + 1);
  const here = isSource ? src : step;
  const read = new Set(isSource ? scene.looked.map(({ i }) => i) : []);
  const named = new Set(namedOf(plan, labels.length, [here, ...read]));
  return labels.map((label, i) => {
    const [x] = placeOf(plan, stack, i, 0, true);
    const place = plan.names.isFlat
      ? `translate(${x} ${below + 1.15 * em})`
      : `translate(${x + 0.3 * plan.names.letter} ${below + 0.8 * em}) rotate(${-plan.names.slant})`;
    return svg`<g class="hl-figure-name-of hl-${label.kind} ${i === here ? "hl-here" : ""}
        ${read.has(i) ? "hl-read" : ""}" data-side=${isSource ? "src" : "tgt"} data-index=${i}>
      <rect class="hl-figure-press" x=${x - plan.pitch / 2} y=${below} width=${plan.pitch}
        height=${plan.names.height}><title>${page.t("token.facts", { place: i + 1, ...label })}</title></rect>
      ${named.has(i) ? written(label, plan, { x, place }) : nothing}</g>`;
  });
}

/** A token's name, and what it stands for. */
function written(label, { em, below, names }, /** @type {{x: number, place: string}} */ at) {
  const text = nameOf(label);
  const gloss = names.isFlat
    ? glossText(label, { x: at.x, y: below + 2.05 * em, em, room: Infinity })
    : svg`<g transform=${at.place}>${glossBefore(label, names)}</g>`;
  return svg`<text transform=${at.place} text-anchor=${names.isFlat ? "middle" : "end"}
    font-size=${names.letter} lang=${langOf(text) || nothing}>${text}</text>${gloss}`;
}

/** Before a slanted name, on its line, where no name is longer. */
function glossBefore(label, { letter, told, most }) {
  const own = (textWidth(nameOf(label)) + GAP_OF_GLOSS) * letter;
  const place = { x: -own, y: -0.33 * letter, em: told, anchor: "end" };
  return glossText(label, { ...place, room: most - own + 0.01 });
}

/** From the top of the encoder to every layer of the decoder: what this step reads. */
function arms(scene) {
  const { plan, record, step, order, stage, mean } = scene;
  const row = crossOf(mean, record, step);
  const most = MOST_ARM * plan.em;
  const thick = Array.from(row, (weight) => Math.sqrt(weight) * most);
  const shown = upTo(row.length - 1).filter((i) => thick[i] > LEAST_ARM && row[i] > 0.01);
  const layers = plan.stacks.decoder.levels.length - 1;
  const isThere = (/** @type {number} */ layer) =>
    stage === null || order.indexOf(`decoder.${layer}.layer`) <= stage;
  const branches = upTo(layers - 1).filter(isThere);
  if (branches.length === 0) return nothing;
  const lowest = branchOf(plan, 0, step)[1];
  const branch = (/** @type {number} */ layer) => {
    const [x, y] = branchOf(plan, layer, step);
    return svg`<path class="hl-figure-branch" d="M${plan.trunk} ${y - 9}Q${plan.trunk} ${y}
      ${plan.trunk + 9} ${y}H${x}"></path>`;
  };
  return svg`${shown.map(
    (i) => svg`<path class="hl-figure-arm" d=${armOf(plan, i)} stroke-width=${thick[i].toFixed(2)}
      ><title>${nameOf(record.src[i])}</title></path>`,
  )}<path class="hl-figure-branch" d="M${plan.trunk - 9} ${plan.arms}Q${plan.trunk} ${plan.arms}
      ${plan.trunk} ${plan.arms + 9}V${lowest - 9}"></path>${branches.map(branch)}`;
}

/** The column that is computed, and the way from its last vector to the next token. */
function frame({ plan, step }) {
  const { stacks, strip, out } = plan;
  const wide = boxOf(plan);
  const top = stacks.decoder.levels.at(-1);
  const [x] = placeOf(plan, "decoder", step, 0, true);
  const middle = top + strip.tall / 2;
  const way = plan.isWide
    ? `M${x + wide / 2} ${middle}H${out.x - 6}`
    : `M${x} ${top - 5}V${out.y + out.height + 4}`;
  return svg`<g class="hl-figure-now" aria-hidden="true"><path d=${way}></path>
    <rect x=${x - wide / 2} y=${top - 5} width=${wide} height=${stacks.decoder.levels[0] - top + strip.tall + 10}
      rx="6"></rect></g>`;
}

/** The likeliest next tokens; their places alone while they are not known. */
function nextToken(/** @type {any} */ scene, block) {
  const { page, plan, isHidden } = scene;
  const { em, out } = plan;
  const unknown = upTo(2).map(
    (
      i,
    ) => svg`<rect class="hl-figure-track" x=${out.x} y=${out.y + (1.9 + i * 1.45) * em} height=${0.8 * em}
      width=${out.width * (0.9 - 0.25 * i)} rx="3"></rect>`,
  );
  return svg`<text class="hl-figure-small" x=${out.x} y=${out.y + 0.6 * em}>${page.t("figure.softmax")}</text>
    ${isHidden ? unknown : svg`<g transform="translate(${out.x} ${out.y})">${bars(scene, block, { x: 0, y: 0 })}</g>`}`;
}

/** What layer 1 reads; some models add no position to it. @param {any} page @param {any} sizes */
const inputOf = ({ t }, sizes) =>
  t(["relative", "none"].includes(positionsOf(sizes)) ? "figure.input.bare" : "figure.input");

function layerNames({ page, plan, sizes }) {
  const { stacks, strip, em, trunk } = plan;
  const { x, count, levels } = stacks.encoder;
  const middle = (x + count * plan.pitch + trunk) / 2 - 0.4 * em;
  const lines = (/** @type {number} */ i) =>
    i === 0 ? inputOf(page, sizes).split("\n") : [page.t("figure.frame", { n: i })];
  return levels.map((y, i) =>
    lines(i).map(
      (line, n, all) => svg`<text class="hl-figure-level" x=${middle}
        y=${y + strip.tall / 2 + (n - (all.length - 1) / 2) * 1.2 * em}>${line}</text>`,
    ),
  );
}

/** What is written is read at the next step. */
function wayBack({ page, plan, step, record, stage }) {
  const { out, em, below, names, stacks, pitch } = plan;
  const next = Math.min(step + 1, record.tgt_in.length - 1);
  const x = stacks.decoder.x + (next + 0.5) * pitch;
  const right = out.x + 1.4 * em;
  const [top, bottom] = [out.y + out.height + 0.6 * em, below + names.height + 0.6 * em];
  // The words about a part stand there, and while a step plays they may reach down to these.
  const isTight = stage !== null || plan.free.bottom - plan.free.top < LINES * em;
  const lines = isTight ? [] : page.t("figure.back_way").split("\n");
  return svg`<path class="hl-figure-back-way" d="M${right} ${top}V${bottom}H${x}V${bottom - 0.7 * em}"></path>
    ${lines.map(
      (line, i) => svg`<text class="hl-figure-level hl-start" x=${right + 0.7 * em}
        y=${bottom - (lines.length - i + 0.6) * 1.2 * em}>${line}</text>`,
    )}`;
}
