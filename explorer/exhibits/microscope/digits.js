// The digits of the picture: the numbers of every key, and those of the stage that is unfolded.

import { colourOf, cssOf, diverging, inkOn } from "../../../assets/kit/colour.js";
import { lineOf, shortLine, written } from "../../../assets/kit/heatplan.js";
import { mostOf } from "../../../assets/kit/signed.js";
import { nothing, svg } from "../../../assets/vendor/lit-html.js";
import { numbersIn } from "./scene.js";
import { KEY_STAGES, keyStagesOf, numberText, signOf } from "./trace.js";

const SHADE = 0.42; // of the full colour, behind digits
const LETTERS = 9; // of a key before it is cut
const FRAME = 1.3; // of a letter, around digits

/** A row for each key: its dot product, scaled, masked, its exponential and its weight. */
export function keyRows(s, plan) {
  const { t, head, keys, at, query } = s;
  const stages = keyStagesOf(s.layer);
  const { table, pitch, letters, line, names } = plan;
  const middle = (/** @type {number} */ i) => table.y + (i + 0.5) * pitch;
  const right = (/** @type {number} */ i) => table.x + (i + 1) * table.column - 0.35 * letters;
  const total = head.weights.reduce((a, b) => a + b, 0);
  const lines = written(keys.length, pitch, letters, [at.col]);
  const all = keys.map((_, j) => j);
  const order = pitch < FRAME * letters ? upwards(all, lines, at.col) : all;
  const headOf = (
    stage,
    i,
  ) => svg`<text x=${right(i)} y=${plan.heads + line / 2} data-strip=${stage}
    class="hl-micro-head ${stage === s.stage ? "hl-here" : ""}" text-anchor="end">${
      stage === "scaled" && s.layer.scale === 1 ? "/ 1" : signOf(s, stage)
    }</text>`;
  const sums = [
    [head.sum, "exp"],
    [total, "weight"],
  ];
  return svg`<text class="hl-micro-query" x="0" y=${line / 2}>${shortLine(query, LETTERS)}</text>
    ${stages.map(headOf)}
    ${lines.map(
      (
        j,
      ) => svg`<text class="hl-micro-label ${j === at.col ? "hl-here" : ""}" data-stage=${s.isKeyed ? s.stage : "weight"}
        data-key=${j} x=${names - 0.5 * letters} y=${middle(j)} text-anchor="end"><title>${lineOf(keys[j])}</title><tspan
        class="hl-micro-place">${j + 1}</tspan> ${shortLine(keys[j], LETTERS)}</text>`,
    )}
    ${stages.map((stage, i) => {
      const most = mostOf(numbersIn(s, stage).filter(Number.isFinite));
      const box = { x: table.x + i * table.column, wide: table.column, tall: pitch };
      return order.map((j) =>
        cell(s, plan, {
          ...box,
          stage,
          place: j,
          most,
          y: table.y + j * pitch,
          isBare: !lines.includes(j),
        }),
      );
    })}
    <text class="hl-micro-name" x=${table.x} y=${plan.sums + line / 2}>${t("sum")}</text>
    ${sums.map(
      ([sum, stage]) => svg`<text class="hl-micro-name" text-anchor="end"
        x=${right(stages.indexOf(stage))} y=${plan.sums + line / 2}>${numberText(sum)}</text>`,
    )}`;
}

/** Where digits are taller than their rows: rows without any come first, the chosen one last. */
function upwards(/** @type {number[]} */ all, /** @type {number[]} */ lines, chosen) {
  const rank = (/** @type {number} */ j) => Number(lines.includes(j)) + Number(j === chosen);
  return all.toSorted((a, b) => rank(a) - rank(b));
}

/** The numbers of the stages that belong together, from the first that has room. */
export function band(s, plan) {
  const { width, letters, line, names } = plan;
  const { y, stages, columns, blocks, from, count } = plan.band;
  const wide = (width - names) / columns;
  const tall = (stages.length * blocks + 0.3 * (blocks - 1)) * line;
  const made = [];
  for (let block = 0; block < blocks && from + block * columns < count; block += 1) {
    const first = from + block * columns;
    const last = Math.min(first + columns, count);
    stages.forEach((stage, i) => {
      const top = y + (block * (stages.length + 0.3) + i) * line;
      const most = mostOf(numbersIn(s, stage));
      const box = { stage, most, y: top, wide, tall: line };
      made.push(svg`<text class="hl-micro-name ${isOff(s, stage, first) ? "hl-off" : ""}" text-anchor="end"
          x=${names - 0.5 * letters} y=${top + line / 2}>${nameOf(s, stage, first, last)}</text>
        ${Array.from({ length: last - first }, (_, j) =>
          cell(s, plan, { ...box, place: first + j, x: names + j * wide }),
        )}`);
    });
  }
  return svg`<g class="hl-micro-band"><rect class="hl-micro-paper" x="0" y=${y - 0.2 * line}
    width=${width} height=${tall + 0.4 * line}></rect>${made}</g>`;
}

const headOf = ({ layer }, /** @type {number} */ place) => Math.floor(place / layer.dk);
const isOff = (s, stage, first) => stage === "concat" && !s.layer.kept[headOf(s, first)];

/** Which numbers stand in a line; of concat, whose they are. */
function nameOf(
  s,
  /** @type {string} */ stage,
  /** @type {number} */ first,
  /** @type {number} */ last,
) {
  if (stage !== "concat") return `${signOf(s, stage)} ${first + 1}–${last}`;
  return s.t(isOff(s, stage, first) ? "head.off" : "head.line", { head: headOf(s, first) + 1 });
}

/** One number: a button whose shade says how large it is beside the others of its stage. */
function cell(s, plan, { stage, place, most, x, y, wide, tall, isBare = false }) {
  const value = numbersIn(s, stage)[place];
  const mark = s.mark(stage, place);
  const isKeyed = KEY_STAGES.includes(stage);
  const text = numberText(value);
  const share = Number.isFinite(value) ? (SHADE * value) / most : 0;
  const colour = colourOf(diverging[s.page.theme.get()], 0.5 + share / 2);
  const isWeight = stage === "weight";
  // The frame of the chosen number leaves room for its digits.
  const high = Math.max(1, (mark === "here" ? Math.max(tall, FRAME * plan.letters) : tall) - 1);
  return svg`<g role="button" tabindex=${mark === "here" ? 0 : -1} data-stage=${stage}
    class="hl-micro-cell ${mark === "from" ? "hl-micro-from" : ""}"
    data-place=${isKeyed ? nothing : place} data-key=${isKeyed ? place : nothing}
    aria-pressed=${String(mark === "here")}
    aria-label="${s.t(`name.${stage}`)} ${place + 1}: ${text}">
    <rect x=${x + 0.5} y=${y + (tall - high) / 2} width=${wide - 1} height=${high}
      style=${isWeight ? nothing : `fill:${cssOf(colour)}`}></rect>
    ${isWeight ? bar(value, { x, y, wide, tall }) : nothing}
    ${
      isBare
        ? nothing
        : svg`<text x=${x + wide - 0.35 * plan.letters} y=${y + tall / 2} text-anchor="end"
      style=${isWeight ? nothing : `fill:${inkOn(colour)}`}>${text}</text>`
    }</g>`;
}

/** As much of a cell as the weight is of the whole. */
const bar = (/** @type {number} */ weight, { x, y, wide, tall }) => svg`<rect class="hl-micro-bar"
  x=${x + 0.5} y=${y + 0.5} width=${weight * (wide - 1)} height=${Math.max(1, tall - 1)}></rect>`;
