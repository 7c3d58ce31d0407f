// A pair of dimensions on the unit circle: a step of k positions is the same rotation everywhere.

import { formula } from "../../../assets/kit/formula.js";
import { signedText, smallText } from "../../../assets/kit/numbers.js";
import { dimensionsOf, pairAt, pairs, partOf, rate } from "../../../assets/kit/sinusoids.js";
import { html, svg } from "../../../assets/vendor/lit-html.js";
import { rotation, rotationDeviation, turned } from "./maths.js";

const TURN = 2 * Math.PI;

export function rotationView(s) {
  const { pair, ends } = pairOf(s);
  return html`<div class="hl-positions-two">${circle(s, pair, ends)}
    <div class="hl-stack hl-positions-equation">${equation(s, pair, ends)}</div></div>`;
}

/** The pair of the chosen dimension, at the position and k steps later. */
function pairOf({ position, k, dimension, shape }) {
  const { pair } = partOf(dimension, shape);
  return { pair, ends: [pairAt(position, pair, shape), pairAt(position + k, pair, shape)] };
}

/** The angle under the pointer, 0 at the top and clockwise: sine is across and cosine is up.
 * @param {PointerEvent} event */
function angleAt(event) {
  const box = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
  const x = event.clientX - box.left - box.width / 2;
  const y = box.top + box.height / 2 - event.clientY;
  return (Math.atan2(x, y) + TURN) % TURN;
}

/** @param {any} s @param {number} pair @param {number[][]} ends */
function circle(s, pair, [start, end]) {
  const { t, length, shape, set, farthest, position, k, held } = s;
  const step = rate(pair, shape);
  const grab = (/** @type {any} */ event) => {
    held.end = event.target.closest("[data-end]")?.dataset.end ?? null;
    if (held.end === null) return;
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const move = (/** @type {any} */ event) => {
    if (held.end === null) return;
    const angle = angleAt(event);
    if (held.end === "start") set({ position: nearest(angle, position, step, length - 1) });
    else set({ k: nearest(angle - position * step, k, step, farthest) });
  };
  const release = () => {
    held.end = null;
  };
  return html`<svg class="hl-circle" viewBox="-1.9 -1.35 3.8 2.7" role="img"
    aria-label=${t("circle.name", { pair, position: position + 1, next: position + 1 + k })}
    @pointerdown=${grab} @pointermove=${move} @pointerup=${release} @pointercancel=${release}>
    <circle r="1" class="hl-circle-rim"></circle>
    <path class="hl-circle-axis" d="M-1.15 0h2.3M0 -1.15v2.3"></path>
    <text x="1.18" y="0.04" class="hl-circle-name">sin</text>
    <text x="0" y="-1.18" text-anchor="middle" class="hl-circle-name">cos</text>
    <path d=${arcOf(start, k * step, 0.42)} class="hl-circle-arc"></path>
    ${point(start, "start", t("rotation.at", { n: position + 1 }), 1.14)}
    ${point(end, "end", t("rotation.at", { n: position + 1 + k }), k === 0 ? 1.3 : 1.14)}
  </svg>`;
}

/** @param {number[]} pair @param {string} end @param {string} text @param {number} side */
const point = ([sine, cosine], end, text, side) => svg`<g data-end=${end} class="hl-circle-${end}">
  <line x1="0" y1="0" x2=${sine} y2=${-cosine}></line>
  <circle cx=${sine} cy=${-cosine} r="0.07"></circle>
  <circle cx=${sine} cy=${-cosine} r="0.2" class="hl-circle-grip"></circle>
  <text x=${sine * side} y=${-cosine * side + 0.035}
    text-anchor=${sine > 0.3 ? "start" : sine < -0.3 ? "end" : "middle"}>${text}</text>
</g>`;

/** The rotation from a point, clockwise, at most one full turn.
 * @param {number[]} pair @param {number} angle @param {number} radius */
function arcOf([sine, cosine], angle, radius) {
  const from = Math.atan2(sine, cosine);
  const to = from + Math.min(angle, TURN * 0.9999);
  const place = (/** @type {number} */ at) =>
    `${(radius * Math.sin(at)).toFixed(4)} ${(-radius * Math.cos(at)).toFixed(4)}`;
  return `M${place(from)}A${radius} ${radius} 0 ${to - from > Math.PI ? 1 : 0} 1 ${place(to)}`;
}

/** The whole number of steps from 0 to `most` that ends nearest to an angle; of several, the one
 * near `before`.
 * @param {number} angle @param {number} before @param {number} step @param {number} most */
export function nearest(angle, before, step, most) {
  const turns = Math.round((before * step - angle) / TURN);
  const candidates = [turns - 1, turns, turns + 1]
    .flatMap((turn) => {
      const exact = (angle + turn * TURN) / step;
      return [Math.floor(exact), Math.ceil(exact)];
    })
    .map((one) => Math.max(0, Math.min(most, one)));
  const off = (/** @type {number} */ one) => Math.abs(Math.sin((one * step - angle) / 2));
  return candidates.reduce((best, one) => {
    const gain = off(best) - off(one);
    if (Math.abs(gain) > 1e-9) return gain > 0 ? one : best;
    return Math.abs(one - before) < Math.abs(best - before) ? one : best;
  });
}

/** @param {number[][]} rows @param {string} name */
const brackets = (rows, name) => html`<figure>
  <table class="hl-brackets" aria-label=${name}>${rows.map(
    (row) => html`<tr>${row.map((value) => html`<td>${signedText(value, 4)}</td>`)}</tr>`,
  )}</table>
  <figcaption>${name}</figcaption>
</figure>`;

/** @param {any} s @param {number} pair @param {number[][]} ends */
function equation({ t, k, shape }, pair, [start, end]) {
  const matrix = rotation(k, pair, shape);
  const [sine, cosine] = dimensionsOf(pair, shape);
  const column = (/** @type {number[]} */ values) => values.map((value) => [value]);
  return html`
    <h3>${t("rotation.pair", { pair, sine, cosine })}</h3>
    <div class="hl-row">${brackets(matrix, "M_k")} ${brackets(column(start), "PE(pos)")} =
      ${brackets(column(turned(matrix, start)), "M_k PE(pos)")}</div>
    <div class="hl-row">${t("rotation.formula")}
      ${brackets(column(end), "PE(pos + k)")}</div>`;
}

export function rotationReading(s) {
  const { t, position, k, shape } = s;
  const { pair } = pairOf(s);
  const angle = k * rate(pair, shape);
  const values = { k, base: shape.base, power: `${2 * pair}/${shape.size}` };
  const degrees = ((angle * 360) / TURN).toFixed(1);
  const off = smallText(rotationDeviation(position, k, shape));
  return html`<p class="hl-positions-readout">
      ${formula(t("rotation.angle", { ...values, angle: angle.toFixed(4), degrees }))}</p>
    <p class="hl-positions-check">${t("rotation.check", { pairs: pairs(shape), off })}</p>
    <p>${t("rotation.note")}</p>`;
}
