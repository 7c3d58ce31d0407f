// Two sentences of the same words in another order: does the model still tell them apart?

import { button } from "../../../assets/kit/choice.js";
import { signedText } from "../../../assets/kit/numbers.js";
import { answered } from "../../../assets/kit/request.js";
import { joined } from "../../../assets/kit/sentence.js";
import { table } from "../../../assets/kit/table.js";
import { langOf } from "../../../assets/kit/token.js";
import { html } from "../../../assets/vendor/lit-html.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */

/**
 * @param {Page} page
 * @param {string} chosen name of a pair
 * @param {import("../../../assets/kit/request.js").Answer} answer
 * @param {(name: string) => void} choose
 */
export function pair(page, chosen, answer, choose) {
  const { t, facts } = page;
  return html`<section class="hl-stack hl-order-pair">
    <h3>${t("order.pair")}</h3>
    <p class="hl-note">${t("order.pair.said")}</p>
    <div class="hl-row" lang="en">${Object.keys(facts.pairs).map((name) =>
      button({
        label: facts.pairs[name].join(" / "),
        pressed: name === chosen,
        class: `hl-order-${name}`,
        onClick: () => choose(name),
      }),
    )}</div>
    ${answered(page, answer, ({ sentences }) => [translations(t, sentences), verdict(page, sentences)])}
  </section>`;
}

/** @param {Page["t"]} t @param {any[]} sentences */
const translations = (t, sentences) =>
  table({
    label: t("order.pair"),
    class: "hl-order-pairs",
    columns: [
      { name: "", text: true },
      ...sentences.map(({ text }) => ({ name: html`<span lang="en">${text}</span>`, text: true })),
    ],
    rows: ["kept", "none"].map((name) => ({
      class: `hl-order-${name}`,
      cells: [t(`order.pair.${name}`), ...sentences.map((one) => translation(one[name]))],
    })),
  });

const translation = ({ text, log_prob }) =>
  html`<span lang=${langOf(text)}>${text}</span><small>${signedText(log_prob)}</small>`;

/** @param {Page} page @param {any[]} sentences */
function verdict(page, [first, second]) {
  const of = (/** @type {string} */ name) =>
    first[name].text === second[name].text ? "alike" : "other";
  const [kept, none] = [of("kept"), of("none")];
  return html`<p role="status" class="hl-order-verdict" data-verdict="${kept} ${none}">
    ${joined(page, page.t(`order.pair.kept.${kept}`), page.t(`order.pair.none.${none}`))}</p>`;
}
