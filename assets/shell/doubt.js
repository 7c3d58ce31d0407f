// The discreet note beside a translation that is doubtful, with reasons: the model's own numbers,
// or the words that its translation back lacks.

import { titleOf } from "../kit/languages.js";
import { lostOf } from "../kit/lost.js";
import { percentText, signedText } from "../kit/numbers.js";
import { html, render } from "../vendor/lit-html.js";
import { modelOf } from "./history.js";
import { page } from "./state.js";

const UNMEASURED = ["missing", "added"]; // reasons without a limit
const FEW = 2; // words that the note names; the sheet has all

export function mountDoubt(/** @type {any} */ sheet) {
  const draw = () => {
    const record = page.record.get();
    const [doubt, lost] = [record?.doubt ?? null, lostOf(page, record)];
    sheet.hidden = doubt === null && lost === null;
    const reasons = [doubt && reasonsOf(doubt), lost && lostIn(lost)];
    if (sheet.hidden) return;
    const summary = sheet.querySelector("summary > span");
    summary.textContent = summary.title = inShort(doubt, lost);
    render(reasons, sheet.querySelector(".hl-sheet"));
  };
  for (const store of [page.record, page.language, page.lost]) store.watch(draw);
}

/** The first reason in a few words; one that names what is missing says more than a number.
 * @param {import("../kit/types.js").Doubt|null} doubt
 * @param {import("../kit/types.js").LostWords|null} lost */
function inShort(doubt, lost) {
  const [reason] = doubt?.reasons ?? [];
  const listed = (/** @type {string[]} */ all) =>
    all.slice(0, FEW).join(page.t("story.comma")) + (all.length > FEW ? "…" : "");
  if (lost && !UNMEASURED.includes(reason))
    return page.t("doubt.short.lost", { items: listed(quoted(lost)) });
  const items = doubt?.[reason === "added" ? "added" : "missing"] ?? [];
  return page.t(`doubt.short.${reason}`, { items: listed(items) });
}

/** The words, each once. @param {import("../kit/types.js").LostWords} lost */
const quoted = ({ words }) => [...new Set(words.map(({ text }) => page.t("doubt.word", { text })))];

/** @param {import("../kit/types.js").LostWords} lost */
function lostIn(lost) {
  const { model } = lost;
  const reader = modelOf(model);
  const texts = {
    items: quoted(lost).join(page.t("story.comma")),
    model: reader ? titleOf(page, reader) : model,
  };
  return html`<p>${page.t("doubt.lost", texts)}</p>`;
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
