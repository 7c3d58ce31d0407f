// The text so far, the bars, the draws, and if it fits the whole vocabulary.

import { hasLines } from "../../../assets/kit/readersline.js";
import { pending } from "../../../assets/kit/request.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { drawing } from "./draw.js";
import { textOf } from "./text.js";

/** @typedef {import("./view.js").Scene} Scene */
/** @typedef {import("./view.js").Found} Found */
/** @typedef {import("../../../assets/kit/exhibit.js").Size} Size */

// All in em: a picture with room for two columns; a bar; the space around the bars; the column.
const WIDE = 54;
const BAR = 1.75;
const AROUND = { wide: 8.75, narrow: 17.25 };
const LINE = 1.5; // the reader's line
const SIDE = 24;
const SAID = { drawn: 20, bare: 12 }; // space above the curve: 200 draws have more to say
const CURVE = 13; // its least height

const isWide = (/** @type {Size} */ { width, em }) => width >= WIDE * em;
const saidOf = (/** @type {Found} */ { draws }) => (draws > 0 ? SAID.drawn : SAID.bare);
const hasCurve = (/** @type {Found} */ s, /** @type {Size} */ size) =>
  isWide(size) && size.height >= (saidOf(s) + CURVE) * size.em;

/** @param {Scene} s @param {Size} size */
export function picture(s, size) {
  const { page, answer, isHere, over } = s;
  if (s.found === null) return pending(page, answer);
  const wide = isWide(size);
  const around = (wide ? AROUND.wide : AROUND.narrow) + (hasLines(page) ? LINE : 0);
  const room = size.height / size.em - around;
  const count = Math.max(5, Math.min(30, Math.floor(room / BAR)));
  return html`<div class="hl-sampling-stage ${wide ? "" : "hl-sampling-narrow"}
      ${isHere || over ? "" : "hl-sampling-old"}">
    ${textOf(s)}
    <div class="hl-sampling-head">${s.bars(s, count)}</div>
    <div class="hl-sampling-side">${drawing(s)}
      ${hasCurve(s, size) ? curveOf(s, { ...size, width: SIDE * size.em, height: size.height - saidOf(s) * size.em }) : nothing}</div>
  </div>`;
}

const curveOf = (/** @type {Found} */ s, /** @type {Size} */ size) =>
  html`<div class="hl-sampling-curve">${s.curve(s, size)}</div>`;

/** The curve, if it does not fit in the picture. @param {Found} s */
export function curveBelow(s) {
  const em = parseFloat(getComputedStyle(s.el).fontSize);
  const { clientWidth: width, clientHeight: height } =
    s.el.querySelector("[data-part=picture]") ?? s.el;
  return hasCurve(s, { width, height, em }) ? nothing : curveOf(s, { width, height: 20 * em, em });
}
