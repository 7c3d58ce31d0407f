// What each head is worth: all of them switched off one at a time.

import { button } from "../../../assets/kit/choice.js";
import { downloads } from "../../../assets/kit/download.js";
import { changeText } from "../../../assets/kit/numbers.js";
import { createRequest, inTurns, pending } from "../../../assets/kit/request.js";
import { createStore } from "../../../assets/kit/store.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { changeBar, mostOf } from "./heads.js";

const NOTHING = { values: [], open: null };

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
  const ranked = createRequest(page, "heads_off", { changed, prepare });

  function prepare(found, record, { first }) {
    const before = first > 0 ? (page.effects.get() ?? []) : [];
    const effects = found.heads.map((head, i) => [head.join("."), found.changes[i]]);
    if (isOf(record)) page.effects.set(new Map([...before, ...effects]));
    return found;
  }

  page.record.watch(() => {
    if (asked.get() === null || isOf(asked.get())) return;
    asked.set(null);
    page.effects.set(null);
  });

  function template() {
    const { t } = page;
    const record = asked.get();
    const { values, open } = record === null ? NOTHING : inTurns(ranked, record);
    const heads = values.flatMap((found) => found.heads);
    const changes = values.flatMap((found) => found.changes);
    const waits = open?.waiting ?? false;
    const progress = { done: heads.length, count: values[0]?.count ?? "…" };
    return html`<section class="hl-stack hl-experiments-rank">
      ${button({
        label: waits ? t("experiments.ranking", progress) : t("experiments.rank"),
        onClick: () => asked.set(waits ? null : page.record.get()),
      })}
      ${open?.error ? pending(page, open) : nothing}
      ${record === null ? html`<p class="hl-note">${t("experiments.rank.note")}</p>` : nothing}
      ${record !== null && open === null ? list(page, values[0].text, heads, changes) : nothing}
    </section>`;
  }
  return { template, asked };
}

/** The heads, the one first without which the output loses most. */
function list(page, text, heads, changes) {
  const { t } = page;
  const most = mostOf(new Map(changes.entries()));
  const { kind, layer, head } = page.selection.get();
  const ranking = heads.map((_, i) => i).sort((a, b) => changes[a] - changes[b]);
  const worth = ([k, l, h]) =>
    t("experiments.worth", { kind: t(`kind.${k}`), layer: l + 1, head: h + 1 });
  const row = (/** @type {number} */ i) => {
    const [k, l, h] = heads[i];
    return html`<li><button type="button" class="hl-kind-${k}"
      aria-pressed=${String(k === kind && l === layer && h === head)}
      @click=${() => page.choose({ kind: k, layer: l, head: h })}>
      <i class="hl-dot" aria-hidden="true"></i><span>${worth(heads[i])}</span>
      ${changeBar(page, changes[i], most)}<b>${changeText(changes[i])}</b></button></li>`;
  };
  const said = t("experiments.ranked", { count: heads.length, text });
  return html`<p class="hl-note" role="status">${said}</p>
    <ol class="hl-experiments-worth">${ranking.map(row)}</ol>
    ${downloads(page, "heads-ranked", {
      csv: () => [
        ["kind", "layer", "head", "change_of_log_prob"],
        ...ranking.map((i) => [heads[i][0], heads[i][1] + 1, heads[i][2] + 1, changes[i]]),
      ],
    })}`;
}
