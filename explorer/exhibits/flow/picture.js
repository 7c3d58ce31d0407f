// Both stacks step by step: a box at each step, as wide as its numbers per token.

import { textWidth } from "../../../assets/kit/heatplan.js";
import { nothing, svg } from "../../../assets/vendor/lit-html.js";
import { perToken } from "./maths.js";

const LEAST = 12; // px of a letter
const HEAD = 1.9; // lines above a stack's first step
const TALLEST = 2.4; // em of a step
const LEAST_BOX = 3; // px
const TIMES = 3.4; // em on the right, for the number of layers
const NARROW = 52; // em of a picture with stacked columns

/** @param {any} s @param {import("../../../assets/kit/exhibit.js").Size} size */
export function picture(s, { width, height, em: own }) {
  const isNarrow = width < NARROW * own;
  const em = isNarrow ? LEAST : own;
  const lines = s.stacks.map(({ steps }) => steps.length + HEAD);
  const needed = isNarrow ? lines[0] + lines[1] : Math.max(...lines);
  const tall = Math.max(1.3 * LEAST, isNarrow ? 1.8 * em : Math.min(TALLEST * em, height / needed));
  const letters = Math.max(LEAST, Math.min(em, tall * 0.72));
  const across = isNarrow ? width : width / 2 - em;
  const room = columns(s, across, letters);
  const second = isNarrow ? [0, lines[0] * tall] : [width / 2 + em, 0];
  return svg`<svg class="hl-flow-picture" width=${width} height=${needed * tall} role="img"
    style="font-size:${letters}px" viewBox="0 0 ${width} ${needed * tall}" aria-label=${s.t("title")}>
    ${s.stacks.map((stack, i) => stackOf(s, stack, { ...room, tall, letters, at: i ? second : [0, 0] }))}</svg>`;
}

/** The space for boxes beside the widest name and shape. */
function columns({ stacks, t }, across, letters) {
  const all = stacks.flatMap(({ steps, tokens }) => steps.map((step) => ({ ...step, tokens })));
  const widest = (of) => Math.max(...all.map((step) => textWidth(of(step)))) * letters;
  const name = widest((step) => t(`step.${step.name}`)) + 2 * letters;
  const shape = widest((step) => step.shape) + TIMES * letters;
  const most = Math.max(...all.map(({ shape: own, tokens }) => perToken(own, tokens)));
  return { across, name, shape, most, box: Math.max(0, across - name - shape) };
}

function stackOf({ t }, { stack, layers, steps, tokens }, room) {
  const { at, tall, across, letters } = room;
  const first = steps.findIndex(({ layer }) => layer);
  const inside = steps.filter(({ layer }) => layer).length;
  return svg`<g class="hl-flow-stack hl-flow-${stack}" transform="translate(${at.join(" ")})">
    <text class="hl-flow-head" y=${tall * 0.75}>${t(stack, { n: layers })}</text>
    <rect class="hl-flow-layer" x="0.5" y=${(HEAD + first) * tall} width=${across - 1}
      height=${inside * tall} rx="6"></rect>
    <text class="hl-flow-times" x=${across - 0.4 * letters} y=${(HEAD + first + 0.5) * tall}
      >${t("repeated", { n: layers })}</text>
    ${steps.map((step, i) => stepOf(t, step, tokens, { ...room, y: (HEAD + i) * tall }))}
  </g>`;
}

/** One step: its name, its box in the middle of the stream, its shape. */
function stepOf(t, { name, shape }, tokens, { y, tall, letters, most, box, across, ...room }) {
  const share = Math.log2(1 + perToken(shape, tokens)) / Math.log2(1 + most);
  const wide = Math.max(LEAST_BOX, share * box);
  const middle = y + tall / 2;
  return svg`<g class="hl-flow-step hl-flow-is-${name}">
    <text x=${0.7 * letters} y=${middle}>${t(`step.${name}`)}</text>
    ${
      box > 2 * letters
        ? svg`<rect class="hl-flow-box" x=${room.name + (box - wide) / 2} y=${y + 0.16 * tall}
          width=${wide} height=${0.68 * tall} rx="2"></rect>`
        : nothing
    }
    <text class="hl-flow-shape" x=${across - TIMES * letters} y=${middle}>${shape}</text></g>`;
}
