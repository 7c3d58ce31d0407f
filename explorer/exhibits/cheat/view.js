// The decoder cheats: four decoders on the same tokens, one of them trained without the mask.

import { downloads } from "../../../assets/kit/download.js";
import { percentText, signedText } from "../../../assets/kit/numbers.js";
import { answered, createRequest } from "../../../assets/kit/request.js";
import { table } from "../../../assets/kit/table.js";
import { token } from "../../../assets/kit/token.js";
import { liveView } from "../../../assets/kit/view.js";
import { html } from "../../../assets/vendor/lit-html.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */
/** @typedef {Record<string, number[]>} Found log-probs of the tokens, by decoder */

const DECODERS = ["shipped", "unmasked", "cheater", "blindfold"];

/** @param {{el: HTMLElement, page: Page}} given */
export function mount({ el, page }) {
  const about = createRequest(page, "cheat", { changed: () => view.redraw() });
  const view = liveView({
    el,
    page,
    stores: [page.selection],
    template() {
      const record = page.record.get();
      if (record === null) return null;
      return html`<div class="hl-cheat hl-stack">
        ${answered(page, about(record), (found) => [
          means(page, found),
          tokens(page, record, found),
        ])}
        <p class="hl-note">${page.t("cheat.rows")}</p>
        <p class="hl-note">${page.t("cheat.note", { updates: page.facts.updates })}</p>
      </div>`;
    },
  });
  return view.end;
}

/** The mean of the probabilities of some log-probs. @param {number[]} logProbs */
export const mean = (logProbs) =>
  logProbs.reduce((sum, x) => sum + Math.exp(x), 0) / logProbs.length;

/** Four large numbers. @param {Page} page @param {Found} found */
const means = ({ t }, found) => html`<h2>${t("cheat.mean")}</h2>
  <dl class="hl-cheat-says" aria-live="polite">
    ${DECODERS.map(
      (name) => html`<div><dt>${t(`cheat.${name}`)}</dt>
        <dd><b>${percentText(mean(found[name]))}</b> <span>${t(`cheat.${name}.why`)}</span></dd>
      </div>`,
    )}
  </dl>`;

function tokens(/** @type {Page} */ page, record, /** @type {Found} */ found) {
  const { t } = page;
  const { step } = page.selection.get();
  const sums = DECODERS.map((name) => found[name].reduce((sum, x) => sum + x, 0));
  return html`${table({
    label: t("cheat.mean"),
    class: "hl-cheat-table",
    columns: ["token", ...DECODERS].map((name) => ({ name: t(`cheat.${name}`), text: true })),
    rows: record.tgt_out.map((label, i) => ({
      chosen: i === step,
      onChoose: () => page.choose({ step: i }),
      cells: [
        html`<small>${i + 1}</small> ${token(label)}`,
        ...DECODERS.map((name) => cell(found[name][i], found.shipped[i])),
      ],
    })),
    foot: [t("cheat.sum"), ...sums.map((sum) => signedText(sum))],
  })}
  ${downloads(page, "cheat", {
    csv: () => [
      ["step", "token", ...DECODERS],
      ...record.tgt_out.map(({ piece }, i) => [
        i + 1,
        piece,
        ...DECODERS.map((name) => found[name][i]),
      ]),
    ],
  })}`;
}

function cell(/** @type {number} */ logProb, /** @type {number} */ before) {
  const probability = Math.exp(logProb);
  const isSame = percentText(probability) === percentText(Math.exp(before));
  const change = isSame ? "" : logProb > before ? "▲" : "▼";
  return html`<div class="hl-cheat-cell">
    <div class="hl-bar-track"><i style="width:${(100 * probability).toFixed(2)}%"></i></div>
    <b>${percentText(probability)}</b><small>${change}</small>
  </div>`;
}
