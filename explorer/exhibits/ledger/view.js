// What each hypothesis adds up to, and which would be best under another length penalty.

import { sizeOf } from "../../../assets/kit/chart.js";
import { button, choice, toggle } from "../../../assets/kit/choice.js";
import { flag, number, oneOf, orNull } from "../../../assets/kit/keep.js";
import { signedText } from "../../../assets/kit/numbers.js";
import { pending } from "../../../assets/kit/request.js";
import { joined } from "../../../assets/kit/sentence.js";
import { slider } from "../../../assets/kit/slider.js";
import { langOf } from "../../../assets/kit/token.js";
import { liveView, room } from "../../../assets/kit/view.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { plot } from "./plot.js";
import { penaltyText, rows } from "./rows.js";
import { FRESH, following, penaltyIn, sceneOf } from "./scene.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */

const BEAMS = ["beam", "beam_sampling"];
const PLOT = { least: 12, around: 19 }; // em: the plot, and what else the column holds

/** @param {{el: HTMLElement, page: Page}} given */
export function mount({ el, page }) {
  /** @type {import("../../../assets/kit/types.js").Store<any>} */
  const at = page.keep(
    { ...FRESH, withBeaten: false, refusal: null },
    { alpha: orNull(number(-5, 5)), form: orNull(oneOf(page.facts.forms)), withBeaten: flag },
  );
  page.record.watch((record) => {
    if (record !== null) at.merge(following(at.get(), record));
  });
  const drag = createDrag(at);
  const run = createRun(page, at);
  const view = liveView({
    el,
    page,
    stores: [page.selection, at],
    template() {
      const record = page.record.get();
      if (record === null || at.get().all.length === 0) return null;
      const scene = sceneOf(page, at.get(), record);
      const area = el.querySelector(".hl-ledger-plot");
      return html`<div class="hl-ledger">
        <div class="hl-stack">
          ${controls(page, at, scene)} ${rows(page, scene)}
          ${caution(page, scene, at.get().refusal, run)}
          <p class="hl-ledger-outcome" role="status">${outcomeText(page, at.get().outcome)}</p>
        </div>
        <div class="hl-stack">
          <h2>${page.t("ledger.plot")}</h2>
          <div class="hl-ledger-plot" @pointerdown=${drag.follow} @pointermove=${drag.follow}>
            ${plot(page, scene, plotSize(area), drag.placed(scene))}</div>
          <p class="hl-note">${page.t(`ledger.plot.${isAlone(scene) ? "alone" : "note"}`)}</p>
          <ul class="hl-ledger-reigns">
            ${reignTexts(page, scene).map((text) => html`<li>${text}</li>`)}</ul>
        </div>
        ${sum(page, scene)}
      </div>`;
    },
    drawn: () => room(/** @type {HTMLElement} */ (el.querySelector(".hl-ledger"))),
  });
  return view.end;
}

/** The plot grows with the room that is left in the window. */
function plotSize(/** @type {Element|null} */ area) {
  const { em } = sizeOf(area);
  const room = parseFloat(area ? getComputedStyle(area).getPropertyValue("--room") : "430");
  return sizeOf(area, { height: Math.max(PLOT.least * em, room - PLOT.around * em) });
}

/** Dragging over the plot moves alpha. */
function createDrag(at) {
  /** @type {any} */
  let now = null; // {left, width, low, high} of the plot as it is drawn
  return {
    placed:
      ({ low, high }) =>
      ({ left, width }) => {
        now = { left, width, low, high };
      },
    follow(event) {
      const drawing = event.currentTarget.querySelector(".hl-plot");
      if (now === null || !drawing.contains(event.target)) return;
      if (event.type === "pointermove" && event.buttons !== 1) return;
      const { left, width, low, high } = now;
      const share = (event.clientX - drawing.getBoundingClientRect().left - left) / width;
      const alpha = low + Math.max(0, Math.min(1, share)) * (high - low);
      at.merge({ alpha: Math.round(alpha * 100) / 100 });
    },
  };
}

/** Searches again with what is chosen here. */
function createRun(/** @type {Page} */ page, at) {
  return async function run() {
    const { withBeaten, all } = at.get();
    const record = /** @type {any} */ (page.record.get());
    const { alpha, form } = penaltyIn(at.get(), record);
    const { text, model } = record;
    const ran = { model: model.key, text, alpha, form, joined: withBeaten, entries: all };
    at.merge({ ran, refusal: null });
    const settings = { ...page.current.settings, length_penalty: alpha, penalty_form: form };
    at.merge({ refusal: await page.explain({ settings }) });
  };
}

function controls(/** @type {Page} */ { t, facts, uid }, at, scene) {
  const { low, high, own, alpha, form, isOwn, withBeaten, beatenCount } = scene;
  return html`<div class="hl-ledger-controls hl-row">
    ${slider({
      ...{ label: t("ledger.alpha"), class: "hl-ledger-alpha", value: alpha },
      ...{ min: low, max: high, step: 0.01, onInput: (value) => at.merge({ alpha: value }) },
    })}
    ${button({
      label: t("ledger.own", { alpha: alphaText(own) }),
      disabled: isOwn,
      onClick: () => at.merge({ alpha: null, form: null }),
    })}
    ${choice({
      name: `${uid}-form`,
      label: t("ledger.form"),
      options: facts.forms.map((value) => ({ value, label: t(`ledger.form.${value}`) })),
      value: form,
      onChange: (value) => at.merge({ form: value }),
    })}
    ${
      beatenCount === 0
        ? html`<p class="hl-note">${t("ledger.beaten.none")}</p>`
        : toggle({
            label: t("ledger.beaten", { n: beatenCount }),
            class: "hl-ledger-beaten",
            checked: withBeaten,
            onChange: (checked) => at.merge({ withBeaten: checked }),
          })
    }
  </div>`;
}

const isAlone = ({ lines }) => lines.length === 1;
const alphaText = (alpha) => String(alpha).replace("-", "−");
const settingText = (t, form, alpha) => t(`ledger.setting.${form}`, { alpha: alphaText(alpha) });

/** Only where the ranks are not the search's own: what they say, and what they cannot say. */
function caution(
  /** @type {Page} */ page,
  { isOwn, own, ownForm, form, alpha, method },
  refusal,
  run,
) {
  const { t } = page;
  if (refusal !== null) {
    return pending(page, { value: null, waiting: false, error: refusal, retry: run });
  }
  if (isOwn) return nothing;
  if (!BEAMS.includes(method)) {
    const words = { method: t(`settings.method.${method}`) };
    return html`<p class="hl-ledger-caution">${t("ledger.honest.one", words)}</p>`;
  }
  const settings = { own: settingText(t, ownForm, own), now: settingText(t, form, alpha) };
  const label = t("ledger.run", { alpha: alphaText(alpha) });
  return html`<p class="hl-ledger-caution">${t("ledger.honest", settings)}
    ${button({ label, class: "hl-ledger-run", onClick: run })}</p>`;
}

function outcomeText(/** @type {Page} */ { t }, outcome) {
  if (outcome === null) return nothing;
  const { kind, text, rank, predicted, alpha, form } = outcome;
  const now = settingText(t, form, alpha);
  return t(`ledger.outcome.${kind}`, { now, text, predicted, rank: (rank ?? 0) + 1 });
}

function reignTexts(/** @type {Page} */ { t }, scene) {
  const { reigning } = scene;
  if (isAlone(scene)) return [];
  if (reigning.length === 1) return [t("ledger.reign.all", { n: reigning[0].who + 1 })];
  return reigning.map(({ who, from, to }, i) => {
    const place = i === 0 ? "first" : i === reigning.length - 1 ? "last" : "between";
    const ends = { from: signedText(from, 2), to: signedText(to, 2) };
    return t(`ledger.reign.${place}`, { n: who + 1, ...ends });
  });
}

/** The chosen hypothesis: its tokens with their log-probs, and the score written out. */
function sum(/** @type {Page} */ page, { entries, chosen, scores, penalties, form, alpha }) {
  const { t } = page;
  const one = entries[chosen];
  const { step } = page.selection.get();
  const values = {
    sum: signedText(one.log_prob, 4),
    n: one.length,
    alpha: alphaText(alpha),
    penalty: penaltyText(penalties[chosen]),
    score: signedText(scores[chosen], 4),
  };
  return html`<div class="hl-ledger-one">
    <h2 class="hl-ledger-name">${t("ledger.one", { n: chosen + 1, text: one.text })}</h2>
    <div class="hl-ledger-steps">
      ${one.parts.map((part, i) => partButton(page, part, i === step, () => page.choose({ step: i })))}
    </div>
    <p class="hl-ledger-formula">${joined(page, t("ledger.formula.sum", values), t("ledger.formula.name"))}
      <b>${t(`ledger.formula.${form}`, values)}</b></p>
  </div>`;
}

function partButton({ t }, { label, log_prob: logProb, free, forced }, isHere, choose) {
  const note = free ? t("ledger.free") : forced ? t("ledger.forced") : nothing;
  return html`<button type="button" class=${isHere ? "hl-here" : ""} title=${note}
    aria-current=${isHere ? "step" : nothing} @click=${choose}>
    <span class="hl-${label.kind}" lang=${langOf(label.text)}>${label.text}</span>
    <small class=${free ? "hl-ledger-free" : ""}>${signedText(logProb, 4)}</small>
    ${note === nothing ? nothing : html`<em>${free ? "0" : "!"}</em>`}
  </button>`;
}
