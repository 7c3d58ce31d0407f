// The legend of a ramp: its colours from end to end, with numbers below.

import { html } from "../vendor/lit-html.js";
import { cssOf } from "./colour.js";

const EVERY = 15; // of the ramp's colours, one stop of the gradient

/**
 * @param {{name: unknown, ramp: any[], ends: [string, string, string], more?: unknown}} given
 */
export function legend({ name, ramp, ends, more = "" }) {
  const stops = ramp.filter((_, i) => i % EVERY === 0).map(cssOf);
  return html`<div class="hl-legend">
    <span>${name}</span>
    <div class="hl-scale">
      <div class="hl-ramp" style="background: linear-gradient(to right, ${stops.join(", ")})"></div>
      ${ends.map((end) => html`<span>${end}</span>`)}
    </div>
    ${more}
  </div>`;
}
