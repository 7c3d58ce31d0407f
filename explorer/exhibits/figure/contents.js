// What stands in the blocks beside pictures: tokens, lengths of vectors, the next token's bars.

import { glossText } from "../../../assets/kit/gloss.js";
import { percentText } from "../../../assets/kit/numbers.js";
import { distinct, langOf } from "../../../assets/kit/token.js";
import { nothing, svg } from "../../../assets/vendor/lit-html.js";
import { BARS } from "./layout.js";

/** @typedef {import("./draw.js").Scene} Scene */

const MOST_LETTERS = 11;
const TIGHT = 5.4; // em of a cell that has no room for a length with two decimals

/** Letters of other scripts are about twice as wide. @param {string} text */
export const wide = (text) => [...text].reduce((sum, c) => sum + (c > "\u2e80" ? 1.02 : 0.58), 0);

export function short(/** @type {string} */ text, most = MOST_LETTERS) {
  const letters = [...text];
  return letters.length > most ? `${letters.slice(0, most - 1).join("")}…` : text;
}

/** The tokens read by a stack, or the one that is written, as chips; as many as there is room for,
 * around the chosen one. */
export function tokens(/** @type {Scene} */ scene, block, area) {
  const { record, step, src } = scene;
  const { em } = area;
  if (block.type === "next") {
    const written = record.tgt_out[step];
    return chip(written, step, { x: 0, width: widthOf(written, em), area, side: "", isHere: true });
  }
  const isSource = block.stack === "encoder";
  const labels = isSource ? record.src : record.tgt_in.slice(0, step + 1);
  const here = isSource ? src : step;
  const chosen = fitting(labels, here, area.width - 2.2 * em, em);
  const more = (/** @type {number} */ at) =>
    svg`<text class="hl-figure-small" x=${at} y=${area.height / 2}>…</text>`;
  let x = chosen[0] > 0 ? 1.1 * em : 0;
  const drawn = chosen.map((i) => {
    const width = widthOf(labels[i], em);
    const at = x;
    x += width + 0.3 * em;
    return chip(labels[i], i, {
      x: at,
      width,
      area,
      side: isSource ? "src" : "tgt",
      isHere: i === here,
    });
  });
  const isCut = chosen[chosen.length - 1] < labels.length - 1;
  return [chosen[0] > 0 ? more(0) : nothing, drawn, isCut ? more(x) : nothing];
}

const widthOf = (label, /** @type {number} */ em) => (wide(short(label.text)) + 0.9) * em;

/** The places of the labels that fit, in order: the chosen one, then its neighbours in turn. */
function fitting(labels, /** @type {number} */ here, /** @type {number} */ width, em) {
  const chosen = [here];
  let used = widthOf(labels[here], em);
  const open = { before: here - 1, after: here + 1 };
  const take = (/** @type {number} */ i, put) => {
    const next = i >= 0 && i < labels.length ? widthOf(labels[i], em) + 0.3 * em : Infinity;
    if (used + next > width) return false;
    used += next;
    put();
    return true;
  };
  for (let goes = true; goes; ) {
    const before = take(open.before, () => chosen.unshift(open.before--));
    const after = take(open.after, () => chosen.push(open.after++));
    goes = before || after;
  }
  return chosen;
}

function chip(label, i, { x, width, area, side, isHere }) {
  const name = `hl-figure-token ${isHere ? "hl-here" : ""} hl-${label.kind}`;
  const text = short(label.text);
  return svg`<g class=${name} transform="translate(${x} 0)" data-side=${side} data-index=${i}>
    <rect width=${width} height=${area.height} rx="4"></rect>
    <text x=${width / 2} y=${area.height / 2} text-anchor="middle" lang=${langOf(text) || nothing}
      >${text}</text></g>`;
}

/** How long the chosen token's vector comes in, what is added, how long it goes out. */
export function lengths(/** @type {Scene} */ { page, src, step }, part, block, area) {
  const { t } = page;
  const at = block.stack === "encoder" ? src : step;
  const names = block.type === "norm" ? ["before", "inside"] : ["before", "adds", "after"];
  const most = Math.max(...names.map((name) => part[name][at]));
  const cell = area.width / names.length;
  const bar = Math.max(3, area.height * 0.22);
  const isTight = cell < TIGHT * area.em;
  const digits = (/** @type {number} */ length) => (isTight ? (length < 100 ? 1 : 0) : 2);
  return names.map((name, i) => {
    const length = part[name][at];
    return svg`<g transform="translate(${i * cell} 0)" data-length=${name}>
      <title>${t(`figure.length.${name}`)}</title>
      <text class="hl-figure-small" y=${(area.height - bar) / 2}>${isTight ? "" : `${t(`figure.brief.${name}`)} `}<tspan
        class="hl-figure-value">${length.toFixed(digits(length))}</tspan></text>
      <rect class="hl-figure-length" y=${area.height - bar + 1} height=${bar}
        width=${(((cell - 8) * length) / most).toFixed(2)}></rect></g>`;
  });
}

/** The most likely next tokens, and the one that is written where it is not among them. */
export function barsOf(record, /** @type {number} */ step, count = BARS) {
  const { top, chosen, log_prob } = record.steps[step];
  const first = /** @type {any[]} */ (top.slice(0, count));
  if (first.some(({ id }) => id === chosen)) return first;
  return [...first.slice(0, count - 1), { ...record.tgt_out[step], id: chosen, log_prob }];
}

/** What a candidate stands for, behind it where its column has room. */
function glossBeside(one, { y, em, name }) {
  const x = (wide(short(one.text, 7)) + 0.4) * em;
  return glossText(one, { x, y, em, room: name - x - 0.3 * em, anchor: "start" });
}

export function bars(/** @type {Scene} */ { record, step, plan }, block, area) {
  const { em } = plan;
  const all = distinct(barsOf(record, step));
  const line = 1.45 * em;
  const name = Math.min(6.2 * em, block.width * 0.32);
  const number = 4.3 * em;
  const room = block.width - name - number - 1.2 * em;
  const left = (block.width - name - number - room) / 2;
  const { chosen } = record.steps[step];
  return svg`<g transform="translate(${left - area.x} ${1.6 * em - area.y})">${all.map((one, i) => {
    const share = Math.exp(one.log_prob);
    return svg`<g class="hl-figure-bar ${one.id === chosen ? "hl-here" : ""}" data-id=${one.id}
      transform="translate(0 ${i * line})">
      <text y=${line / 2} lang=${langOf(one.text) || nothing}>${short(one.text, 7)}</text>
      ${glossBeside(one, { y: line / 2, em, name })}
      <rect class="hl-figure-track" x=${name} y=${line * 0.22} width=${room}
        height=${line * 0.56}></rect>
      <rect class="hl-figure-share" x=${name} y=${line * 0.22} height=${line * 0.56}
        width=${(room * share).toFixed(2)}></rect>
      <text class="hl-figure-value" x=${name + room + number} y=${line / 2} text-anchor="end"
        >${percentText(share)}</text></g>`;
  })}</g>`;
}
