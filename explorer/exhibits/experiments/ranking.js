// What each head is worth: all of them switched off one at a time, in one batch.

import { button } from "../../../assets/kit/choice.js";
import { downloads } from "../../../assets/kit/download.js";
import { durationText } from "../../../assets/kit/numbers.js";
import { createRequest, pending } from "../../../assets/kit/request.js";
import { createStore } from "../../../assets/kit/store.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { changeBar, mostOf } from "./heads.js";
import { changeText } from "./result.js";

/** What the output on the page depends on; the ranking is that output's. */
const outputOf = (/** @type {any} */ { model, text, settings, prefix, interventions, path }) =>
  JSON.stringify([model.key, text, settings, prefix, interventions, path]);

/**
 * Gives {template, asked}: the ranking, and the store that says about which record it was asked.
 * @param {import("../../../assets/kit/types.js").Page} page
 * @param {() => void} changed
 */
export function createRanking(page, changed) {
  /** @type {import("../../../assets/kit/types.js").Store<any>} */
  const asked = createStore(null);
  const isOf = (record) => record !== null && outputOf(record) === outputOf(page.record.get());
  const ranked = createRequest(page, "rank_heads", { changed, prepare });

  function prepare(found, record) {
    const effects = found.heads.map((head, i) => [head.join("."), found.changes[i]]);
    if (isOf(record)) page.effects.set(new Map(effects));
    return found;
  }

  page.record.watch(() => {
    if (asked.get() === null || isOf(asked.get())) return;
    asked.set(null);
    page.effects.set(null);
  });

  function template() {
    const { t } = page;
    const answer = asked.get() === null ? null : ranked(asked.get());
    const waits = answer?.waiting ?? false;
    return html`<section class="hl-stack hl-experiments-rank">
      ${button({
        label: t(waits ? "experiments.ranking" : "experiments.rank"),
        disabled: waits,
        onClick: () => asked.set(page.record.get()),
      })}
      ${answer?.value ? list(page, answer.value) : nothing}
      ${answer?.error ? pending(page, answer) : nothing}
      ${answer === null ? html`<p class="hl-note">${t("experiments.rank.note")}</p>` : nothing}
    </section>`;
  }
  return { template, asked };
}

function list(page, { heads, changes, seconds, text }) {
  const { t } = page;
  const most = mostOf(new Map(changes.entries()));
  const { kind, layer, head } = page.selection.get();
  const named = heads.map(([k, l, h]) =>
    t("experiments.worth", { kind: t(`kind.${k}`), layer: l + 1, head: h + 1 }),
  );
  const values = { count: heads.length, time: durationText(seconds), text };
  return html`<p class="hl-note" role="status">${t("experiments.ranked", values)}</p>
    <ol class="hl-experiments-worth">${heads.map(
      ([k, l, h], i) => html`<li><button type="button" class="hl-kind-${k}"
        aria-pressed=${String(k === kind && l === layer && h === head)}
        @click=${() => page.choose({ kind: k, layer: l, head: h })}>
        <i class="hl-dot" aria-hidden="true"></i><span>${named[i]}</span>
        ${changeBar(page, changes[i], most)}<b>${changeText(changes[i])}</b></button></li>`,
    )}</ol>
    ${downloads(page, "heads-ranked", {
      csv: () => [
        ["kind", "layer", "head", "change_of_log_prob"],
        ...heads.map(([k, l, h], i) => [k, l + 1, h + 1, changes[i]]),
      ],
    })}`;
}
