// The discreet note beside a translation that is doubtful by the model's own numbers, with reasons.

import { percentText, signedText } from "../kit/numbers.js";
import { html, render } from "../vendor/lit-html.js";
import { page } from "./state.js";

const UNMEASURED = ["missing", "added"]; // reasons without a limit

export function mountDoubt(/** @type {any} */ sheet) {
  const draw = () => {
    const doubt = page.record.get()?.doubt ?? null;
    sheet.hidden = doubt === null;
    if (doubt !== null) render(reasonsOf(doubt), sheet.querySelector(".hl-sheet"));
  };
  page.record.watch(draw);
  page.language.watch(draw);
}

/** @param {import("../kit/types.js").Doubt} doubt */
function reasonsOf({ reasons, signs, missing, added, thresholds }) {
  const { t } = page;
  /** @type {Record<string, object>} */
  const numbers = {
    missing: { items: missing.join(t("story.comma")) },
    added: { items: (added ?? []).join(t("story.comma")) }, // older saved files have none
    unlikely: { value: signedText(signs.log_prob), limit: signedText(thresholds.log_prob) },
    repeats: { value: signs.repeats, limit: thresholds.repeats },
    unsourced: { value: percentText(signs.source), limit: percentText(thresholds.source) },
    unread: { value: percentText(signs.read), limit: percentText(thresholds.read) },
  };
  const fared = {
    ...thresholds,
    precision: percentText(thresholds.precision),
    recall: percentText(thresholds.recall),
  };
  return html`${reasons.map((name) => html`<p>${t(`doubt.${name}`, numbers[name])}</p>`)}
    ${reasons.some((name) => !UNMEASURED.includes(name)) ? html`<p class="hl-note">${t("doubt.how", fared)}</p>` : null}`;
}
