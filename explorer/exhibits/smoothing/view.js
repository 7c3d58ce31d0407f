// Label smoothing on the logits of the current step: target, gradient, loss, and every step's loss.

import { chart, sizeOf } from "../../../assets/kit/chart.js";
import { number } from "../../../assets/kit/keep.js";
import { countText, percentText } from "../../../assets/kit/numbers.js";
import { unpack } from "../../../assets/kit/packing.js";
import { answered, createRequest, lasting } from "../../../assets/kit/request.js";
import { slider } from "../../../assets/kit/slider.js";
import { liveView } from "../../../assets/kit/view.js";
import { html, nothing, svg } from "../../../assets/vendor/lit-html.js";
import {
  bestGap,
  bestOdds,
  bestProbability,
  logSoftmax,
  lossOf,
  moved,
  summary,
  targetOf,
} from "./maths.js";
import { stepTable, tokenTable } from "./tables.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */
/** @typedef {import("../../../assets/kit/types.js").Label} Label */
/** @typedef {{log_prob: number, mean: number}} StepLoss */

/**
 * One step, ready to be shown with any epsilon.
 * @typedef {object} Scene
 * @property {import("../../../assets/kit/types.js").Rec} record
 * @property {number} step
 * @property {number} right the id that is to be learned
 * @property {number} eps
 * @property {Float32Array} logits
 * @property {Float64Array} logProbs
 * @property {{log_prob: number, rest: number, mean: number, size: number}} now
 * @property {Label[]} top
 * @property {StepLoss[]} steps
 */

const MOST = 0.5; // of epsilon
const POINTS = 120; // of a curve
const ODDS = { from: -6, to: 12 }; // of the chart, as long as the current step is inside

/** @param {{el: HTMLElement, page: Page}} given */
export function mount({ el, page }) {
  const state = page.keep({ eps: page.facts.epsilon }, { eps: number(0, MOST) });
  const about = lasting(
    createRequest(page, "smoothing", { changed: () => view.redraw(), prepare: opened }),
  );
  const view = liveView({
    el,
    page,
    stores: [page.selection, state],
    template() {
      const record = page.record.get();
      if (record === null) return null;
      const found = about(record, { step: page.selection.get().step });
      return html`<div class="hl-smoothing hl-stack">
        ${control(page, state)}
        ${answered(page, found, (value) => {
          const scene = { ...value, record, ...state.get() };
          return body(page, scene, el.querySelector(".hl-chart"));
        })}
      </div>`;
    },
  });
  return view.end;
}

async function opened(reply, record) {
  const logits = await unpack(reply.logits, Float32Array);
  const logProbs = logSoftmax(logits);
  const right = record.tgt_out[reply.step].id;
  return { ...reply, right, logits, logProbs, now: summary(logProbs, right) };
}

const control = (/** @type {Page} */ { t }, state) =>
  slider({
    class: "hl-smoothing-eps",
    label: t("smoothing.eps"),
    min: 0,
    max: MOST,
    step: 0.005,
    value: state.get().eps,
    text: (value) => value.toFixed(3),
    onInput: (eps) => state.merge({ eps }),
  });

function body(/** @type {Page} */ page, /** @type {Scene} */ scene, element) {
  const { t } = page;
  const { eps, now, top } = scene;
  const target = (right) => targetOf(right, eps, now.size).toFixed(6);
  return html`<div class="hl-split">
      <section class="hl-stack">
        <h2>${t("smoothing.curve")}</h2>
        ${lossChart(page, scene, element)} ${key(page)}
        <p class="hl-smoothing-best" aria-live="polite">${verdict(page, scene)}</p>
      </section>
      <section class="hl-stack">
        <h2>${t("smoothing.logits", { step: scene.step + 1 })}</h2>
        <p class="hl-smoothing-formula">${t("smoothing.formula", {
          eps: eps.toFixed(3),
          keep: (1 - eps).toFixed(3),
          size: countText(now.size),
          right: target(true),
          other: target(false),
        })}</p>
        ${tokenTable(page, scene)}
        <p class="hl-note">${t("smoothing.note", { count: countText(now.size - top.length) })}</p>
      </section>
    </div>
    <section class="hl-stack">
      <h2>${t("smoothing.steps")}</h2>
      <p class="hl-smoothing-sum">${sumText(page, scene)}</p>
      ${stepTable(page, scene)}
    </section>`;
}

/** The loss if only the right token's logit moved; where the model is, and where it is least. */
function lossChart(/** @type {Page} */ page, /** @type {Scene} */ { now, eps }, element) {
  const { t } = page;
  const odds = now.log_prob - now.rest;
  const from = Math.min(ODDS.from, Math.floor(odds) - 1);
  const to = Math.max(ODDS.to, Math.ceil(odds) + 1);
  const places = Array.from({ length: POINTS + 1 }, (_, i) => from + ((to - from) * i) / POINTS);
  const loss = (e, place) => lossOf(moved(now, place), e);
  const curve = (e) => places.map((place) => [place, loss(e, place)]);
  const lines = [
    { points: curve(eps), look: 1, name: t("smoothing.curve.with") },
    { points: curve(0), look: 2, name: t("smoothing.curve.without") },
  ];
  const best = bestOdds(eps, now.size);
  const dot = (place, at, name) =>
    svg`<circle class="hl-smoothing-${name}" cx=${place.x(at)} cy=${place.y(loss(eps, at))} r="5"
      />`;
  return chart(
    page,
    {
      name: t("smoothing.chart.alternative", {
        p: percentText(Math.exp(now.log_prob)),
        best: percentText(bestProbability(eps, now.size)),
      }),
      file: "smoothing-loss",
      x: { from, to, name: t("smoothing.odds"), text: (value) => String(value).replace("-", "−") },
      y: {
        from: 0,
        to: Math.max(...lines.flatMap(({ points }) => points.map(([, y]) => y))),
        name: t("smoothing.loss"),
      },
      lines: /** @type {any} */ (lines),
      over: (place) => [
        dot(place, odds, "now"),
        best >= from && best <= to ? dot(place, best, "least") : nothing,
      ],
    },
    sizeOf(element, { height: 300 }),
  );
}

const key = (/** @type {Page} */ { t }) => html`<p class="hl-row hl-note">
  ${["now", "least"].map(
    (name) => html`<span><svg width="0.9em" height="0.9em" viewBox="0 0 10 10" aria-hidden="true">
      <circle cx="5" cy="5" r="3.5" class="hl-smoothing-${name}" /></svg>
      ${t(`smoothing.curve.${name}`)}</span>`,
  )}
</p>`;

/** Whether the model is surer than the target wants it to be. */
function verdict(/** @type {Page} */ { t }, /** @type {Scene} */ { now, eps }) {
  const p = Math.exp(now.log_prob);
  const best = bestProbability(eps, now.size);
  const name = eps === 0 ? "none" : p > best ? "over" : "under";
  return t(`smoothing.verdict.${name}`, {
    p: percentText(p),
    best: percentText(best),
    loss: lossOf(now, eps).toFixed(4),
    gap: eps > 0 ? bestGap(eps, now.size).toFixed(3) : "∞",
  });
}

function sumText(/** @type {Page} */ { t }, /** @type {Scene} */ { steps, eps, now }) {
  const mean = (e) =>
    (steps.reduce((sum, one) => sum + lossOf(one, e), 0) / steps.length).toFixed(4);
  const best = bestProbability(eps, now.size);
  const over = steps.filter((one) => Math.exp(one.log_prob) > best).length;
  return t("smoothing.sum", { plain: mean(0), smoothed: mean(eps), over, count: steps.length });
}
