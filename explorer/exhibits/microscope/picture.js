// The chain of one query in one picture: the query above the keys, each key's numbers from q · k to
// its weight, the values beside them, their sum below, and its way out of the head. A strip is a
// vector, a colour a number; the stage of the picked number is unfolded into its digits.

import { arrow, drawn } from "../../../assets/kit/elements.js";
import { mostOf, signedUrl } from "../../../assets/kit/signed.js";
import { html, nothing, svg } from "../../../assets/vendor/lit-html.js";
import { band, keyRows } from "./digits.js";
import { planOf } from "./plan.js";
import { readout } from "./readout.js";
import { neighbour, numbersIn } from "./scene.js";
import { signOf } from "./trace.js";

const POWER = 0.5; // of a number's colour in a strip: small ones stay visible

/** @param {any} s @param {import("../../../assets/kit/exhibit.js").Size} size */
export function picture(s, size) {
  const { t } = s;
  const plan = planOf(s, size);
  const { width, height, letters } = plan;
  return html`<div class="hl-micro-picture ${s.isCurrent ? "" : "hl-waiting"}"
      style="font-size:${letters}px" ?data-narrow=${plan.isNarrow}>
    ${s.notes.map((name) => html`<p class="hl-micro-off">${t(`off.${name}`)}</p>`)}
    <svg class="hl-micro-chain" width=${width} height=${height} viewBox="0 0 ${width} ${height}"
      role="group" aria-label=${t("chain")} @click=${(event) => press(s, event)}
      @keydown=${(event) => walk(s, event)}>
      ${fan(s, plan)} ${matrix(s, plan, "key")} ${matrix(s, plan, "value")}
      ${Object.entries(plan.strips).map(([stage, box]) => strip(s, plan, stage, box))}
      ${keyRows(s, plan)} ${plan.band ? band(s, plan) : nothing}
    </svg>
    ${readout(s)}
  </div>`;
}

/** Picks a number; its digits then have the focus. */
async function go(s, /** @type {Element} */ chain, next) {
  s.pick(next);
  await drawn();
  const cell = chain.querySelector('.hl-micro-cell[aria-pressed="true"]');
  /** @type {any} */ (cell)?.focus({ preventScroll: true });
}

/** An arrow key leads to the next number. */
function walk(s, /** @type {any} */ event) {
  const step = arrow(event);
  const next = step && neighbour(s, step);
  if (!next || !event.target.closest(".hl-micro-cell")) return;
  event.preventDefault();
  go(s, event.currentTarget, next).then(() => {}, reportError);
}

/** A press picks a cell, or the place of a strip that it meets. */
function press(s, /** @type {any} */ event) {
  const { target, clientX, clientY, currentTarget } = event;
  const one = target.closest("[data-stage], [data-strip]");
  if (one === null) return;
  const { stage, place, key, strip: name, rows = "1" } = one.dataset;
  const box = target.getBoundingClientRect();
  const at = (/** @type {number} */ share, /** @type {number} */ count) =>
    Math.max(0, Math.min(count - 1, Math.floor(share * count)));
  const found = stage
    ? { stage, place: place && Number(place), col: key && Number(key) }
    : { stage: name };
  const met = target.tagName === "image" && {
    place: at((clientX - box.left) / box.width, numbersIn(s, name).length),
    col: rows === "1" ? undefined : at((clientY - box.top) / box.height, Number(rows)),
  };
  go(s, currentTarget, { ...found, ...met }).then(() => {}, reportError);
}

/** A vector as a strip of colour, its name before it. */
function strip(s, plan, /** @type {string} */ stage, box) {
  const { letters } = plan;
  return svg`<g class="hl-micro-strip" data-strip=${stage}>
    <text class="hl-micro-name" x=${box.x - 0.5 * letters} y=${box.y + 0.5 * box.tall}
      text-anchor="end">${signOf(s, stage)}</text>
    ${cellsOf(s, stage, numbersIn(s, stage), { ...box, rows: 1 })}
    ${stage === "concat" ? ownPart(s, box) : nothing} ${outlines(s, stage, box)}
  </g>`;
}

/** The colours of numbers, a row below the other. */
function cellsOf(s, /** @type {string} */ stage, cells, { x, y, wide, tall, rows }) {
  const theme = s.page.theme.get();
  const most = mostOf(cells);
  const href = signedUrl({ cells, columns: cells.length / rows, theme, most, power: POWER });
  return svg`<image href=${href} x=${x} y=${y} width=${wide} height=${tall}
      preserveAspectRatio="none"><title>${s.t(`name.${stage}`)}</title></image>
    <rect class="hl-micro-frame" x=${x} y=${y} width=${wide} height=${tall}></rect>`;
}

/** All keys or all values of the head; the row of the chosen key is framed. */
function matrix(s, plan, /** @type {"key"|"value"} */ stage) {
  const { layer, at, keys } = s;
  const { letters, isNarrow, rows } = plan;
  const { x, y, wide } = plan[`${stage}s`];
  const size = keys.length * layer.dk;
  const all = layer[stage[0]].subarray(at.head * size, (at.head + 1) * size);
  const tall = keys.length * rows;
  const own = { x, y: y + at.col * rows, wide, tall: rows };
  const name = isNarrow
    ? { x: x - 0.5 * letters, y: y + tall / 2, side: "end" }
    : { x: x + wide / 2, y: plan.heads + plan.line / 2, side: "middle" };
  return svg`<g class="hl-micro-strip" data-strip=${stage} data-rows=${keys.length}>
    ${
      stage === "key" && !isNarrow
        ? nothing // the query stands there
        : svg`<text class="hl-micro-name" x=${name.x} y=${name.y}
            text-anchor=${name.side}>${signOf(s, stage)}</text>`
    }
    ${cellsOf(s, stage, all, { x, y, wide, tall, rows: keys.length })}
    <rect class="hl-micro-row" x=${x} y=${own.y} width=${wide} height=${own.tall}></rect>
    ${outlines(s, stage, own)}</g>`;
}

/** Frames around what is picked in a vector, and around what it was made of. */
function outlines(s, /** @type {string} */ stage, { x, y, wide, tall }) {
  const count = numbersIn(s, stage).length;
  const marks = Array.from({ length: count }, (_, i) => s.mark(stage, i));
  const frame = (/** @type {string} */ mark, /** @type {number} */ i, length = 1) =>
    svg`<rect class="hl-micro-mark hl-micro-mark-${mark}" x=${x + (i * wide) / count} y=${y}
      width=${(length * wide) / count} height=${tall}></rect>`;
  if (marks.every((one) => one === "from")) return frame("from", 0, count);
  return marks.map((mark, i) => (mark ? frame(mark, i) : nothing));
}

/** Where this head's context stands among those of the others. */
const ownPart = ({ at, layer }, { x, y, wide, tall }) => svg`<rect class="hl-micro-row"
  x=${x + (at.head * wide) / layer.heads} y=${y} width=${wide / layer.heads} height=${tall}></rect>`;

/** The context goes into its part of concat, unless digits stand between them. */
function fan({ at, layer }, { strips: { context, concat }, band: digits }) {
  if (digits && digits.y < concat.y) return nothing;
  const own = concat.wide / layer.heads;
  const x = concat.x + at.head * own;
  return svg`<path class="hl-micro-fan" d="M${context.x} ${context.y + context.tall}H${context.x + context.wide}
    L${x + own} ${concat.y}H${x}Z"></path>`;
}
