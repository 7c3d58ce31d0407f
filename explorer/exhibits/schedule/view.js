// The learning rate: the paper's schedule with sliders, and the shipped model's.

import { plot, rowsOf } from "../../../assets/kit/chart.js";
import { button } from "../../../assets/kit/choice.js";
import { exhibit } from "../../../assets/kit/exhibit.js";
import { range } from "../../../assets/kit/fields.js";
import { formula } from "../../../assets/kit/formula.js";
import { whole } from "../../../assets/kit/keep.js";
import { countText, roundPercent } from "../../../assets/kit/numbers.js";
import { marked } from "../../../assets/kit/sentence.js";
import { slider } from "../../../assets/kit/slider.js";
import { html, svg } from "../../../assets/vendor/lit-html.js";
import { curve, linearRate, paperRate } from "./maths.js";

/** @typedef {import("../../../assets/kit/chart.js").Line} Line */

/**
 * The schedule of a shipped model's last run, in updates.
 * @typedef {object} Shipped
 * @property {string} name of the model
 * @property {number} peak the highest rate
 * @property {number} warmup updates of the rise
 * @property {number} planned the update at which the rate would be 0
 * @property {number} falling updates of the fall
 * @property {number} planned_epochs
 * @property {number} updates after which its weights were taken
 * @property {number} before updates of the runs before this one
 * @property {number} d_model
 * @property {Epoch[]} epochs
 */

/** The updates so far, and the rate, at an epoch's end. @typedef {{updates: number, lr: number}} Epoch */

/** What the sliders set of the paper's schedule. @typedef {typeof PAPER} Settings */

/**
 * The selected update, the end of the axis (`last`), the update from which the shipped model's rate
 * falls (`level`), and the rate at an update by the paper and by the shipped model.
 * @typedef {import("../../../assets/kit/exhibit.js").Base & Settings & {answer: Shipped,
 *   shipped: Shipped, update: number, last: number, level: number, settings: Settings,
 *   paper: (step: number) => number, ours: (step: number) => number}} Scene
 */

const PAPER = { dModel: 512, warmup: 4000 }; // the base model of the paper
const SHOWN = 20_000; // updates on the axis, unless the shipped model took more
const TOPS = [1, 2, 5, 10, 20, 50]; // thousandths on the axis: the curve moves, the axis rarely

/** @type {import("../../../assets/kit/exhibit.js").View<Scene>} */
const VIEW = {
  name: "schedule",
  fields: () => ({
    dModel: range(64, 2048, { step: 64, first: PAPER.dModel, text: countText, limit: 4096 }),
    warmup: range(100, 16_000, { step: 100, first: PAPER.warmup, text: countText, limit: 100_000 }),
    update: updateField(),
  }),
  ask: () => ["schedule", {}],
  scene,
  cell: () => ({ src: null, step: null, weights: null }), // it is about no sentence
  finding: ({ say, update, warmup, paper }) =>
    say(`finding.${update === warmup ? "peak" : update < warmup ? "climbs" : "falls"}`, {
      warmup: marked(countText(warmup)),
      update: marked(countText(update)),
      share: roundPercent(paper(update) / paper(warmup)),
    }),
  picture: (s, size) =>
    html`<div class="hl-schedule-chart">${plot(s.page, size, rateChart(s))}</div>`,
  controls: ["warmup"],
  adjust: ["dModel", presets, "update"],
  numbers: (s) => [epochSheet(s)],
  reading,
  files: (s) => ({ csv: () => rowsOf(rateChart(s)), of: "" }),
};

export const { mount } = exhibit(VIEW);

/** The selected update. Their number depends on the shipped model.
 * @returns {import("../../../assets/kit/fields.js").Field} */
const updateField = () => ({
  first: PAPER.warmup,
  fits: whole(1, 10_000_000),
  control: ({ label, value, set, class: own, scene: { last = SHOWN } }) =>
    slider({
      label,
      class: own,
      min: 1,
      max: last,
      text: countText,
      value: Math.min(value, last),
      onInput: set,
    }),
});

/** The two schedules, and the end of the axis. @param {Scene} s */
function scene({ answer: shipped, dModel, warmup, update }) {
  const { peak, planned, falling } = shipped;
  const settings = { dModel, warmup };
  const plan = { peak, warmup: shipped.warmup, updates: planned, falling };
  const last = Math.max(SHOWN, planned + 1);
  return {
    shipped,
    last,
    settings,
    update: Math.min(update, last),
    level: planned + 1 - falling, // the update from which the shipped model's rate falls
    paper: (/** @type {number} */ step) => paperRate(step, settings),
    ours: (/** @type {number} */ step) => linearRate(step, plan),
  };
}

const rateText = (/** @type {number} */ rate, digits = 4) =>
  String(Number(rate.toPrecision(digits)));

/** Buttons that set both sliders; ours waits for the answer.
 * @param {Pick<Scene, "t"|"set"> & {shipped?: Shipped}} s */
function presets({ t, set, shipped }) {
  const ours = shipped ? { dModel: shipped.d_model, warmup: shipped.warmup } : PAPER;
  const values = { base: PAPER, big: { ...PAPER, dModel: 1024 }, ours };
  return html`<div class="hl-row">${Object.entries(values).map(([name, one]) =>
    button({ label: t(name), onClick: () => set(one) }),
  )}</div>`;
}

/** The rates as a chart; dragging in it moves the selected update.
 * @param {Scene} s @returns {import("../../../assets/kit/chart.js").Chart} */
function rateChart({ t, set, shipped, last, settings, update, level, paper, ours }) {
  /** @type {(name: string, look: Line["look"], points: Line["points"]) => Line} */
  const line = (name, look, points) => ({ name: t(`key.${name}`), look, points });
  const top = 1.05 * Math.max(paper(settings.warmup), shipped.peak);
  return {
    name: t("alternative", {
      peak: rateText(paper(settings.warmup)),
      warmup: settings.warmup,
      ours: rateText(shipped.peak),
      rise: shipped.warmup,
      planned: shipped.planned,
      updates: shipped.updates,
    }),
    x: { from: 0, to: last, name: t("updates"), text: countText },
    y: {
      from: 0,
      to: (TOPS.find((one) => one >= 1000 * top) ?? 1000 * top) / 1000,
      name: t("rate"),
      text: (rate) => String(Number((rate * 1000).toPrecision(3))),
    },
    marks: [
      { x: update, quiet: true },
      { x: shipped.updates, name: t("taken") },
    ],
    lines: [
      line(
        "epochs",
        "dots",
        shipped.epochs.map(({ updates, lr }) => [updates, lr]),
      ),
      line("shipped", 2, curve(ours, shipped.planned + 1, shipped.warmup, level)),
      line("paper", 1, curve(paper, last, settings.warmup)),
    ],
    over: (at) => svg`<circle class="hl-schedule-here" r="5" cx=${at.x(update)}
      cy=${at.y(paper(update))}></circle>`,
    onPoint: (x, event) => event.buttons & 1 && set({ update: Math.max(1, Math.round(x)) }),
  };
}

/** The final rate of each epoch of the shipped model, beside both schedules.
 * @param {Scene} s @returns {import("../../../assets/kit/sheet.js").Sheet<Epoch>} */
function epochSheet({ t, set, shipped, update, paper, ours }) {
  /** @type {(of: (epoch: Epoch) => number) => import("../../../assets/kit/sheet.js").SheetColumn<Epoch>} */
  const rate = (of) => ({ cell: (one) => rateText(of(one)), csv: of });
  return {
    name: t("epochs"),
    class: "hl-schedule-epochs",
    rows: shipped.epochs,
    chosen: ({ updates }) => updates === update,
    onChoose: ({ updates }) => set({ update: updates }),
    columns: {
      epoch: { cell: (_, i) => i + 1 },
      updates: { cell: ({ updates }) => countText(updates), csv: ({ updates }) => updates },
      recorded: rate(({ lr }) => lr),
      plan: rate(({ updates }) => ours(updates)),
      rule: rate(({ updates }) => paper(updates)),
    },
  };
}

/** The rates of the selected update, with their calculation. @param {Scene} s */
function reading({ t, shipped, settings: { dModel, warmup }, update, level, paper, ours }) {
  const values = {
    update: countText(update),
    d_model: dModel,
    warmup: countText(warmup),
    fall: (update ** -0.5).toPrecision(4),
    rise: (update * warmup ** -1.5).toPrecision(4),
    scale: (dModel ** -0.5).toPrecision(4),
    rate: rateText(paper(update)),
    peak: rateText(paper(warmup)),
    ours: rateText(ours(update)),
    ours_peak: rateText(shipped.peak),
    ours_warmup: countText(shipped.warmup),
    level: countText(level),
    planned: countText(shipped.planned),
    updates: countText(shipped.updates),
    epoch: shipped.epochs.length,
    epochs: shipped.planned_epochs,
    end: rateText(shipped.epochs[shipped.epochs.length - 1].lr),
    before: countText(shipped.before),
    share: `${(100 * Math.sqrt(shipped.warmup / shipped.planned)).toFixed(0)} %`,
  };
  const side = update === warmup ? "peak" : update < warmup ? "rising" : "falling";
  const rule = level > shipped.warmup ? "level" : "rule";
  const keys = ["paper.formula", "paper.numbers", side, "paper.peak"];
  const own = [`shipped.${rule}`, "shipped.taken", `shipped.${stageOf(update, shipped)}`, "why"];
  return [...keys, ...own].map((key) => html`<p>${formula(t(key, values))}</p>`);
}

/** True if an update is part of the shipped weights' training, or was planned after it. */
function stageOf(/** @type {number} */ update, /** @type {Shipped} */ { updates, planned }) {
  if (update <= updates) return "number";
  return update <= planned ? "after" : "over";
}
