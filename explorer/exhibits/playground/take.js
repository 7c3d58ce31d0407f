// The uses of a finished run: opening its model on the page, or downloading it.

import { button } from "../../../assets/kit/choice.js";
import { saveBlob } from "../../../assets/kit/download.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { nameOf } from "./curves.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */
/** @typedef {import("./trainer.js").Run} Run */

const OPENED_AT = "attention"; // the first view for an opened model

const doneOf = (/** @type {Run[]} */ runs) =>
  runs.filter(({ result }) => result !== null && result.diverged === null);

/** The buttons of every finished run. @param {any} s the scene */
export const takers = ({ page, runs }) =>
  html`<div class="hl-row hl-play-take">
    ${doneOf(runs).map((run) => buttons(page, run, nameOf(runs, runs.indexOf(run))))}</div>`;

/** The purpose of opening and downloading, and the models that cannot be opened. */
export function takersWhy({ t, runs }) {
  const done = doneOf(runs);
  const masked = done.filter(({ settings }) => !settings.causal_mask);
  return html`${masked.map(
    (run) => html`<p class="hl-play-masked">
      ${t("open.mask", { name: nameOf(runs, runs.indexOf(run)) })}</p>`,
  )}
  ${masked.length < done.length ? html`<p>${t("open.why")}</p>` : nothing}
  ${done.length > 0 ? html`<p>${t("download.why")}</p>` : nothing}`;
}

/** @param {Page} page @param {Run} run @param {string} name */
function buttons(page, run, name) {
  const { t } = page;
  return html`<div class="hl-row" role="group" aria-label=${t("playground.take", { name })}>
    ${button({
      label: t("playground.open", { name }),
      class: "hl-play-open",
      disabled: !run.settings.causal_mask,
      title: run.settings.causal_mask ? undefined : t("playground.open.mask", { name }),
      onClick: () => open(page, run),
    })}
    ${button({
      label: t("playground.download", { name }),
      class: "hl-play-download",
      onClick: () => download(page, run),
    })}
  </div>`;
}

/** Every view then uses this model, starting with an example of its task. */
async function open(/** @type {Page} */ page, /** @type {Run} */ run) {
  const refusal = await page.explain({ model: run.key, first: true });
  if (refusal === null) page.choose({ exhibit: OPENED_AT });
}

async function download(/** @type {Page} */ page, /** @type {Run} */ run) {
  try {
    const { name, zip } = await page.call("playground_checkpoint", { settings: run.settings });
    const bytes = Uint8Array.from(atob(zip), (letter) => letter.charCodeAt(0));
    saveBlob(new Blob([bytes], { type: "application/zip" }), `${name}.zip`);
  } catch (error) {
    const { sentence } = /** @type {any} */ (error);
    page.say(sentence ? { sentence } : { words: "error.unreachable" });
  }
}
