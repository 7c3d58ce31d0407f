// What greedy, beam search, sampling and beam sampling write for the same sentence; and what
// another model writes, where the server offers one.

import { button } from "../../../assets/kit/choice.js";
import { createSliders } from "../../../assets/kit/drawing.js";
import { number, orNull, text, whole } from "../../../assets/kit/keep.js";
import { createRequest, inTurns, pending } from "../../../assets/kit/request.js";
import { slider } from "../../../assets/kit/slider.js";
import { liveView } from "../../../assets/kit/view.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { createModels } from "./models.js";
import { methodTable, seedTable } from "./tables.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */

const MAX_SEED = 100; // where its slider ends; a larger one may be typed
const METHODS = ["greedy", "beam", "sampling", "beam_sampling"];
const NAMES = ["temperature", "top_k", "top_p", "seed"];
const PAUSE = 200; // ms without a change before the four searches are made anew

const drawingOf = ({ settings }) => Object.fromEntries(NAMES.map((name) => [name, settings[name]]));

/** What the four searches depend on beside the settings of drawing. */
const keyOf = ({ model, text, prefix, interventions, settings }) =>
  JSON.stringify([
    ...[model.key, text, prefix, interventions],
    Object.entries(settings).filter(([name]) => name !== "method" && !NAMES.includes(name)),
  ]);

/** @param {{el: HTMLElement, page: Page}} given */
export function mount({ el, page }) {
  // `set`: as the sliders stand; `asked`: after a pause; `draws`: the first seeds of what was drawn;
  // `own`: what the visitor set, null where it is what the page uses
  const isOwn = (value) =>
    NAMES.every((name) => number(...page.shared.ranges[name])(value?.[name]));
  const other = { other: null, layer: 0, head: 0 }; // model and head in the section of models.js
  const state = page.keep(
    { set: {}, asked: {}, draws: [], own: null, ...other },
    { own: orNull(isOwn), other: orNull(text(100)), layer: whole(0, 63), head: whole(0, 63) },
  );
  const changed = () => view.redraw();
  const models = createModels(page, state, changed);
  const methods = createRequest(page, "methods", { changed });
  const times = createRequest(page, "times", { changed });
  const seeds = createRequest(page, "seeds", { changed });
  const subject = followRecord(page, state);
  /** @type {any} */
  let last = null; // {found, asked}: the newest comparison; it stays while the next is made
  let pause = 0;

  function set(name, value) {
    clearTimeout(pause);
    state.merge({ set: { ...state.get().set, [name]: value } });
    pause = setTimeout(() => {
      const { set: own } = state.get();
      state.merge({ asked: own, own, draws: [] });
    }, PAUSE);
  }

  const sliders = createSliders(page, "hl-compare-", (change) => set(...Object.entries(change)[0]));
  const view = liveView({
    el,
    page,
    stores: [state, page.selection, page.theme],
    template() {
      const record = page.record.get();
      if (record === null) return null;
      const { asked } = state.get();
      const { values, open } = inTurns(methods, subject(), asked);
      if (open === null) last = { found: timed(values, inTurns(times, subject(), asked)), asked };
      const isStale = open !== null || asked !== state.get().set;
      return html`<div class="hl-compare hl-stack">
        <div class="hl-row hl-compare-controls">
          ${sliders(state.get().set, record.model.vocabulary)}
          ${seedSlider(page, state.get().set.seed, (value) => set("seed", value))}</div>
        ${open !== null && (open.error || last === null) ? pending(page, open) : nothing}
        ${
          last &&
          html`<div class="hl-compare-methods" ?data-stale=${isStale}>
          ${methodTable(page, record, last)}</div>`
        }
        <p class="hl-note">${page.t("compare.differs")}</p>
        <p class="hl-note">${page.t("compare.notes")}</p>
        ${drawn(page, state, (seed) => inTurns(seeds, subject(), { ...asked, seed }))}
        ${models(record, parseFloat(getComputedStyle(el).fontSize))}
      </div>`;
    },
  });
  return () => {
    clearTimeout(pause);
    view.end();
  };
}

/**
 * Gives the record that the questions are about: the same one until the sentence, or a setting that
 * counts, is another. What was set in the page itself counts here too.
 */
function followRecord(page, state) {
  /** @type {any} */
  let before = null;
  /** @type {any} */
  let subject = null;
  page.record.watch((record) => {
    if (record === null) return;
    const { own: kept } = state.get();
    const own = (before === null && kept) || drawingOf(record);
    const isSet = before === null || NAMES.some((name) => own[name] !== before.settings[name]);
    const isOther = subject === null || keyOf(subject) !== keyOf(record);
    const isNew = isSet && JSON.stringify(own) !== JSON.stringify(state.get().asked);
    if (isNew) state.merge({ set: own, asked: own, own: own === kept ? kept : null });
    if (isNew || isOther) state.merge({ draws: [] });
    if (isOther) subject = record;
    before = record;
  });
  state.watch(({ own, asked }) => {
    if (before === null || own === asked) return;
    const now = own ?? drawingOf(before); // as the back button brought it
    if (JSON.stringify(now) !== JSON.stringify(asked))
      state.merge({ set: now, asked: now, draws: [] });
  });
  return () => subject;
}

/** The outcomes in the order that they are shown in, with the times that are there. */
function timed(turns, times) {
  const seconds = times.values.flatMap((value) => value.seconds);
  const found = turns.flatMap((value) => value.outcomes);
  const rows = found.map((one, i) => ({ ...one, seconds: seconds[i] ?? null }));
  return METHODS.map((method) => rows.find((row) => row.method === method));
}

const seedSlider = ({ t, shared: { ranges } }, value, onInput) =>
  slider({
    class: "hl-compare-seed",
    label: t("settings.seed"),
    title: t("settings.seed.hint"),
    ...{ min: ranges.seed[0], max: MAX_SEED, limit: ranges.seed[1], value, onInput },
  });

/** Sampling with other seeds, more at each press. `about(seed)`: the answer from that seed on. */
function drawn(page, state, about) {
  const { t, facts } = page;
  const { asked, draws } = state.get();
  const many = 2 ** 32;
  const next = (asked.seed + draws.length * facts.draws) % many;
  const answers = draws.map(about);
  const open = answers.find((answer) => answer.open !== null)?.open;
  const found = answers.flatMap(({ values }) => values.flatMap((value) => value.drawn));
  const label =
    draws.length > 0
      ? t("compare.more", { n: facts.draws })
      : t("compare.draw", { n: facts.draws, from: next, to: (next + facts.draws - 1) % many });
  return html`<section class="hl-stack">
    <div class="hl-row"><h2>${t("compare.seeds")}</h2>
      ${button({
        class: "hl-compare-draw",
        label,
        disabled: open !== undefined,
        onClick: () => state.merge({ draws: [...draws, next] }),
      })}</div>
    ${found.length > 0 ? seedTable(page, page.record.get(), { found, asked }) : nothing}
    ${open ? pending(page, open) : nothing}
  </section>`;
}
