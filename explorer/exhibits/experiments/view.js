// Experiments: one value, `draft`, says what is changed; both models answer, side by side.

import { button } from "../../../assets/kit/choice.js";
import { differences, filled, fromText, isUntouched } from "../../../assets/kit/interventions.js";
import { oneOf, orNull, text } from "../../../assets/kit/keep.js";
import { unpack } from "../../../assets/kit/packing.js";
import { createRequest, pending } from "../../../assets/kit/request.js";
import { KINDS } from "../../../assets/kit/selection.js";
import { createStore } from "../../../assets/kit/store.js";
import { liveView, narrow } from "../../../assets/kit/view.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { onlyPositions, presets, stories } from "./change.js";
import { heads, masks, paint } from "./heads.js";
import { maps } from "./maps.js";
import { createRanking } from "./ranking.js";
import { FORMAT, nextTokens, texts, tokenTable } from "./result.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */

const LONGEST = 20_000; // characters of the changes

/** @param {{el: HTMLElement, page: Page}} given */
export function mount({ el, page }) {
  const facts = page.shared.interventions;
  const draft = createStore(filled({}, facts));
  const state = page.keep(
    { draft: null, kind: "cross", painting: null, looked: null },
    { draft: orNull(text(LONGEST)), kind: oneOf(KINDS) },
  );
  const request = createRequest(page, "before_after", { changed: () => view.redraw(), prepare });
  const ranking = createRanking(page, () => view.redraw());
  const subject = subjectOf(facts);
  /** @type {any} */
  let last = null; // {found, changes} of the last experiment that could be run: it stays
  const { selection, theme, effects } = page;
  followRecord(page, draft, state, facts);
  const view = liveView({
    el,
    page,
    stores: [draft, state, selection, theme, effects, ranking.asked],
    template() {
      const record = page.record.get();
      if (record === null) return null;
      narrow(el);
      const { kind, layer, head } = selection.get();
      const changes = draft.get();
      const answer = request(subject(record, changes), { kind, layer, head });
      if (answer.value !== null) last = { found: answer.value, changes };
      const given = { el, page, record, draft, state, facts };
      return html`<div class="hl-experiments">
        ${starts(given)}
        <section class="hl-stack hl-experiments-change">${controls(given, ranking)}</section>
        <section class="hl-stack hl-experiments-result" aria-busy=${String(answer.waiting)}>
          ${applied(given)}
          ${answer.error !== null || last === null ? pending(page, answer) : nothing}
          ${last && results(page, last, facts)}
        </section>
        <section class="hl-stack hl-experiments-inside">
          ${last && nextTokens(page, last.found)}
          ${last && maps(page, last.found, state, placeOf(el, "inside"))}
        </section>
      </div>`;
    },
  });
  return view.end;
}

async function prepare(reply) {
  const { before, after } = reply.attention;
  const [one, other] = await Promise.all([before, after].map((all) => unpack(all, Float32Array)));
  return { ...reply, attention: { ...reply.attention, before: one, after: other } };
}

/** The record that the question is about: the one on the page, with the changes of the draft. */
function subjectOf(facts) {
  let made = { record: null, changes: null, subject: null };
  return (record, changes) => {
    if (made.record === record && made.changes === changes) return made.subject;
    // A hypothesis or a node of the changed model's search is none of the original model's.
    const own = isUntouched(record.interventions, facts) ? {} : { shown: 0, node: null };
    made = { record, changes, subject: { ...record, ...own, interventions: changes } };
    return made.subject;
  };
}

/**
 * Where the whole page shows other changes, or another sentence, the draft begins there; on the
 * original model it begins with a broken translation.
 */
function followRecord(page, draft, state, facts) {
  /** @type {any} */
  let before = null;
  let start = draft.get(); // where the draft began: only another one is kept
  const begin = (/** @type {any} */ value) => {
    start = value;
    draft.set(value);
  };
  const kept = () => state.get().draft;
  page.record.watch((record) => {
    if (record === null) return;
    // Another model may not have these heads.
    const isOther = before?.model.key !== record.model.key;
    if (isOther && isUntouched(record.interventions, facts)) {
      begin(presets(draft.get(), 0, facts).leak);
    } else if (isOther || !same(before.interventions, record.interventions, facts)) {
      begin(filled(record.interventions, facts));
    } else if (before.text !== record.text) draft.merge({ cells: [] });
    if (before === null && kept() !== null) draft.set(filled(fromText(kept(), facts), facts));
    before = record;
  });
  draft.watch((now) => {
    if (before !== null) state.merge({ draft: now === start ? null : draftText(now, facts) });
  });
  state.watch(({ draft: text }) => {
    if (before === null || text === draftText(draft.get(), facts)) return;
    if (text !== null) draft.set(filled(fromText(text, facts), facts));
    else if (draft.get() !== start) draft.set(start);
  });
}

const draftText = (changes, facts) => JSON.stringify(differences(changes, facts));

const same = (one, other, facts) =>
  JSON.stringify(differences(one, facts)) === JSON.stringify(differences(other, facts));

function placeOf(el, name) {
  const place = el.querySelector(`.hl-experiments-${name}`) ?? el;
  return { width: place.clientWidth, font: parseFloat(getComputedStyle(place).fontSize) };
}

function starts({ page, record, draft, facts }) {
  const allOf = () => presets(draft.get(), record.attention.cross.layers - 1, facts);
  return html`<div class="hl-row hl-experiments-starts" role="group"
    aria-label=${page.t("experiments.starts")}>
    ${Object.entries(allOf()).map(
      ([name, changes]) => html`<button type="button" class="hl-button" data-start=${name}
        title=${page.t(`experiments.start.${name}.hint`)} @click=${() => draft.set(allOf()[name])}
        aria-pressed=${String(same(changes, draft.get(), facts))}>
        ${page.t(`experiments.start.${name}`)}</button>`,
    )}</div>`;
}

function controls({ el, page, record, draft, state, facts }, ranking) {
  const changes = draft.get();
  const clear = onlyPositions(changes, facts);
  const change = (update) => draft.set(update(draft.get()));
  return html`<div class="hl-caption"><h2>${page.t("experiments.controls")}</h2>
      ${button({
        class: "hl-experiments-clear",
        label: page.t("experiments.clear"),
        disabled: same(changes, clear, facts) && changes.padding_mask === clear.padding_mask,
        onClick: () => change((now) => onlyPositions(now, facts)),
      })}</div>
    <div class="hl-experiments-heads">${heads(page, record, changes, change)}</div>
    ${ranking.template()} ${masks(page, changes, change)}
    ${paint(page, record, changes, state, { change, place: placeOf(el, "change") })}`;
}

function applied({ page, record, draft, facts }) {
  return html`<div class="hl-caption"><h2>${page.t("experiments.both")}</h2>
    <span class="hl-row">
      ${button({
        class: "hl-experiments-everywhere",
        label: page.t("experiments.everywhere"),
        disabled: same(draft.get(), record.interventions, facts),
        onClick: () => page.explain({ interventions: draft.get() }),
      })}
      ${button({
        class: "hl-experiments-back",
        label: page.t("experiments.back"),
        disabled: isUntouched(record.interventions, facts),
        onClick: () => page.explain({ interventions: {} }),
      })}
    </span></div>`;
}

function results(page, { found, changes }, facts) {
  const told = isUntouched(changes, facts)
    ? [{ key: "experiments.story.none", values: {} }]
    : stories(found, differences(changes, facts), FORMAT);
  return html`${texts(page, found)}
    <div class="hl-experiments-story" aria-live="polite">${told.map(
      ({ key, values }) => html`<p>${page.t(key, values)}</p>`,
    )}</div>
    ${tokenTable(page, found)}`;
}
