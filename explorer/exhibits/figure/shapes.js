// The shapes of the data, written into the drawing where they are switched on.

import { svg } from "../../../assets/vendor/lit-html.js";
import { wide } from "./contents.js";
import { factsOf, shapesOf } from "./facts.js";
import { partsOf } from "./layout.js";

/** @typedef {import("./layout.js").Stack} Stack */

const LINE = 1.4; // em of one shape above another
const STACKS = /** @type {Stack[]} */ (["encoder", "decoder"]);

/** What comes into a block of Figure 1, what is inside and what goes out, as far as there is room.
 * @param {{in: string, inside?: string, out: string}} flow */
export function blockShapes(flow, { width, height, em }) {
  const ways = [[flow.in, flow.inside, flow.out], [flow.inside, flow.out], [flow.out]];
  const texts = ways.map((shapes) => shapes.filter(Boolean).join(" → "));
  const text = texts.find((one) => wide(one) * em <= width) ?? flow.out;
  return svg`<text class="hl-figure-small hl-figure-value" y=${height / 2}>${text}</text>`;
}

/** In the whole: above a row of strips the shape of its vectors, and above that what the next layer
 * computes from them; above the next token, the shape of all their probabilities. */
export function wholeShapes(scene) {
  const { plan, sizes } = scene;
  const { em, out, isWide, stacks } = plan;
  const next = shapesOf({ type: "softmax" }, sizes).out;
  const above = isWide ? -0.7 : 0.6;
  return svg`<g class="hl-figure-sizes" aria-hidden="true">${STACKS.map((stack) =>
    stacks[stack].levels.map((_, level) => rowShapes(scene, stack, level)),
  )}<text class="hl-figure-end" x=${out.x + out.width} y=${out.y + above * em}>${next}</text></g>`;
}

function rowShapes({ page, plan, sizes, shape }, /** @type {Stack} */ stack, level) {
  const { x, count, levels } = plan.stacks[stack];
  const { em, pitch, strip } = plan;
  const isLast = level === levels.length - 1;
  const room = isLast ? 0 : levels[level] - levels[level + 1] - strip.tall;
  const above = (isLast ? [] : partsOf(stack, level, shape.norm))
    .map((block) => factsOf(page, block, sizes))
    .filter(({ flow }) => flow.inside);
  const names = above.map(({ name, flow }) => `${name} ${flow.inside}`);
  const hasNames = names.every((name) => wide(name) * em <= count * pitch);
  const shapes = hasNames ? names : above.map(({ flow }) => flow.inside);
  const fits = (1 + shapes.length) * LINE * em <= room;
  const lines = [shapesOf({ type: "layer", stack }, sizes).out, ...(fits ? shapes : [])];
  const step = fits ? room / lines.length : LINE * em;
  const middle = x + (count * pitch) / 2;
  return lines.map(
    (line, i) => svg`<text x=${middle} y=${levels[level] - (i + 0.5) * step}>${line}</text>`,
  );
}
