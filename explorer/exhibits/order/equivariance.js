// An encoder without positions gives every word the same vector wherever it stands: measured.

import { button } from "../../../assets/kit/choice.js";
import { smallText } from "../../../assets/kit/numbers.js";
import { answered } from "../../../assets/kit/request.js";
import { token } from "../../../assets/kit/token.js";
import { html } from "../../../assets/vendor/lit-html.js";

/**
 * @param {import("../../../assets/kit/types.js").Page} page
 * @param {import("../../../assets/kit/types.js").Label[]} words the source's tokens
 * @param {import("../../../assets/kit/request.js").Answer} answer
 * @param {() => void} again asks about another order
 */
export function equivariance(page, words, answer, again) {
  const { t } = page;
  return html`<section class="hl-stack hl-order-equivariance">
    <h3>${t("order.encoder")}</h3>
    <p class="hl-note">${t("order.encoder.said")}</p>
    ${answered(page, answer, ({ order, size, ...deviations }) => [
      line(words.slice(0, order.length)),
      line(order.map((/** @type {number} */ i) => words[i])),
      html`<dl>${["none", "kept"].map(
        (name) => html`<dt>${t(`order.encoder.${name}`)}</dt>
          <dd data-found=${name}>${smallText(Math.max(...deviations[name]))}</dd>`,
      )}</dl>
      <p class="hl-note">${t("order.encoder.size", { size: size.toFixed(3) })}</p>`,
    ])}
    <div>${button({ label: t("order.encoder.again"), onClick: again })}</div>
  </section>`;
}

/** @param {import("../../../assets/kit/types.js").Label[]} words */
const line = (words) => html`<div class="hl-order-line">${words.map((one) => token(one))}</div>`;
