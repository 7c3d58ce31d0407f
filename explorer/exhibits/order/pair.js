// Two sentences of the same words in another order: does the model still tell them apart?

import { signedText } from "../../../assets/kit/numbers.js";
import { langOf } from "../../../assets/kit/token.js";
import { html } from "../../../assets/vendor/lit-html.js";

/**
 * Both sentences and what the model makes of them, with positions and without.
 * @param {import("../../../assets/kit/types.js").Page} page
 * @param {{sentences: any[]}} answer
 */
export const pair = ({ t }, { sentences }) => html`<table class="hl-order-pairs">
  <thead><tr><td></td>${sentences.map(
    ({ text }) => html`<th scope="col" lang="en">${text}</th>`,
  )}</tr></thead>
  <tbody>${["kept", "none"].map(
    (name) => html`<tr class=${`hl-order-${name}`}><th scope="row">${t(`order.pair.${name}`)}</th>
      ${sentences.map((one) => translation(one[name]))}</tr>`,
  )}</tbody></table>`;

const translation = ({ text, log_prob }) =>
  html`<td><span lang=${langOf(text)}>${text}</span> <small>${signedText(log_prob)}</small></td>`;
