// The learning rate: the paper's schedule under sliders, the shipped model's beside it.

import { chart, sizeOf } from "../../../assets/kit/chart.js";
import { button } from "../../../assets/kit/choice.js";
import { whole } from "../../../assets/kit/keep.js";
import { countText } from "../../../assets/kit/numbers.js";
import { answered, createRequest } from "../../../assets/kit/request.js";
import { slider } from "../../../assets/kit/slider.js";
import { liveView } from "../../../assets/kit/view.js";
import { html, svg } from "../../../assets/vendor/lit-html.js";
import { curve, linearRate, paperRate } from "./maths.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */

const PAPER = { dModel: 512, warmup: 4000 }; // the base model of the paper
const SHOWN = 20_000; // updates on the axis, where the shipped model did not take more
const TOPS = [1, 2, 5, 10, 20, 50]; // thousandths on the axis: the curve moves, the axis seldom
const RANGES = { dModel: [64, 2048, 64], warmup: [100, 16_000, 100] };

const rateText = (/** @type {number} */ rate) => String(Number(rate.toPrecision(4)));

/** @param {{el: HTMLElement, page: Page}} given */
export function mount({ el, page }) {
  const state = page.keep(
    { ...PAPER, update: PAPER.warmup },
    { dModel: whole(1, 4096), warmup: whole(1, 100_000), update: whole(1, 10_000_000) },
  );
  const about = createRequest(page, "schedule", { changed: () => view.redraw() });
  const view = liveView({
    el,
    page,
    stores: [state],
    template() {
      const record = page.record.get();
      if (record === null) return null;
      return answered(page, about(record), (shipped) => {
        const last = Math.max(SHOWN, shipped.updates + 1);
        const now = state.get();
        const scene = { shipped, last, ...now, update: Math.min(now.update, last) };
        return html`<div class="hl-schedule">
          ${controls(page, scene, state)}
          ${rates(page, scene, state, el.querySelector(".hl-schedule-chart"))}
          <div class="hl-schedule-read hl-stack" aria-live="polite">${readings(page, scene)}</div>
        </div>`;
      });
    },
  });
  return view.end;
}

function controls(/** @type {Page} */ { t }, { shipped, last, ...now }, state) {
  const ours = { dModel: shipped.d_model, warmup: shipped.warmup };
  const presets = { base: PAPER, big: { ...PAPER, dModel: 1024 }, ours };
  const ranges = Object.entries({ ...RANGES, update: [1, last, 1] });
  return html`<div class="hl-stack">
    ${ranges.map(([name, [min, max, step]]) =>
      slider({
        label: t(`schedule.${name}`),
        class: `hl-schedule-${name}`,
        min,
        max,
        step,
        value: now[name],
        text: countText,
        onInput: (value) => state.merge({ [name]: value }),
      }),
    )}
    <div class="hl-row">${Object.entries(presets).map(([name, values]) =>
      button({ label: t(`schedule.${name}`), onClick: () => state.merge(values) }),
    )}</div>
  </div>`;
}

/** The rates as a chart; a drag in it moves the update that is read. */
function rates(/** @type {Page} */ page, scene, state, /** @type {Element|null} */ place) {
  const { t } = page;
  const { shipped, last, update, ...settings } = scene;
  const paper = (/** @type {number} */ step) => paperRate(step, settings);
  const ours = (/** @type {number} */ step) => linearRate(step, shipped);
  const line = (name, look, points) => ({ name: t(`schedule.key.${name}`), look, points });
  const epochs = shipped.epochs.map(({ updates, lr }) => [updates, lr]);
  const own = curve(ours, shipped.updates + 1, shipped.warmup, levelUntil(shipped));
  const name = t("schedule.alternative", {
    peak: rateText(paper(settings.warmup)),
    warmup: settings.warmup,
    ours: rateText(shipped.peak),
    rise: shipped.warmup,
    updates: shipped.updates,
  });
  const drawn = {
    name,
    file: "learning-rate",
    x: { from: 0, to: last, name: t("schedule.updates"), text: countText },
    y: {
      from: 0,
      to: topOf(paper(settings.warmup), shipped.peak),
      name: t("schedule.rate"),
      text: (rate) => String(Number((rate * 1000).toPrecision(3))),
    },
    marks: [{ x: update, quiet: true }],
    lines: [
      line("epochs", "dots", epochs),
      line("shipped", 2, own),
      line("paper", 1, curve(paper, last, settings.warmup)),
    ],
    over: (at) => svg`<circle class="hl-schedule-here" r="5" cx=${at.x(update)}
      cy=${at.y(paper(update))}></circle>`,
    onPoint: (x, event) => event.buttons & 1 && state.merge({ update: Math.max(1, Math.round(x)) }),
  };
  return html`<div class="hl-schedule-chart">
    ${chart(page, /** @type {any} */ (drawn), sizeOf(place, { height: 400 }))}
  </div>`;
}

/** The end of the axis, above every peak. */
const topOf = (/** @type {number[]} */ ...peaks) => {
  const most = 1.05 * Math.max(...peaks);
  return (TOPS.find((one) => one >= 1000 * most) ?? 1000 * most) / 1000;
};

const levelUntil = ({ updates, falling }) => updates + 1 - falling;

/** The rates of the update that is read, with their sums. */
function readings(/** @type {Page} */ { t }, { shipped, dModel, warmup, update }) {
  const level = levelUntil(shipped);
  const values = {
    update: countText(update),
    d_model: dModel,
    warmup: countText(warmup),
    fall: (update ** -0.5).toPrecision(4),
    rise: (update * warmup ** -1.5).toPrecision(4),
    scale: (dModel ** -0.5).toPrecision(4),
    rate: rateText(paperRate(update, { dModel, warmup })),
    peak: rateText(paperRate(warmup, { dModel, warmup })),
    ours: rateText(linearRate(update, shipped)),
    ours_peak: rateText(shipped.peak),
    ours_warmup: countText(shipped.warmup),
    level: countText(level),
    updates: countText(shipped.updates),
    before: countText(shipped.before),
    share: `${(100 * Math.sqrt(shipped.warmup / shipped.updates)).toFixed(0)} %`,
  };
  const line = (/** @type {string} */ key) => html`<p>${t(key, values)}</p>`;
  return [
    html`<h2>${t("schedule.paper")}</h2>`,
    line("schedule.paper.formula"),
    line("schedule.paper.numbers"),
    line(`schedule.${update === warmup ? "peak" : update < warmup ? "rising" : "falling"}`),
    line("schedule.paper.peak"),
    html`<h2>${t("schedule.shipped")}</h2>`,
    line(level > shipped.warmup ? "schedule.shipped.level" : "schedule.shipped.rule"),
    line(update > shipped.updates ? "schedule.shipped.over" : "schedule.shipped.number"),
    line("schedule.why"),
  ];
}
