// An encoder without positions gives every word the same vector wherever it stands: measured.

import { smallText } from "../../../assets/kit/numbers.js";
import { token } from "../../../assets/kit/token.js";
import { html } from "../../../assets/vendor/lit-html.js";

/**
 * @param {import("../../../assets/kit/types.js").Page} page
 * @param {import("../../../assets/kit/types.js").Label[]} words the source's tokens
 * @param {{order: number[], none: number[], kept: number[]}} answer
 */
export const equivariance = ({ t }, words, { order, ...deviations }) =>
  html`<div class="hl-order-equivariance">
    ${line(words.slice(0, order.length))} ${line(order.map((i) => words[i]))}
    <dl>${["none", "kept"].map(
      (name) => html`<dt>${t(`order.encoder.${name}`)}</dt>
        <dd data-found=${name}>${smallText(Math.max(...deviations[name]))}</dd>`,
    )}</dl>
  </div>`;

/** @param {import("../../../assets/kit/types.js").Label[]} words */
const line = (words) => html`<div class="hl-order-line">${words.map((one) => token(one))}</div>`;
