// Multiply-adds of an encoder layer as sentence and vectors grow, and measured times beside them.

import { plot } from "../../../assets/kit/chart.js";
import { exhibit } from "../../../assets/kit/exhibit.js";
import { range, stops } from "../../../assets/kit/fields.js";
import {
  countText,
  percentText,
  powerText,
  roundPercent,
  smallText,
} from "../../../assets/kit/numbers.js";
import { marked } from "../../../assets/kit/sentence.js";
import { html } from "../../../assets/vendor/lit-html.js";
import { crossings, PARTS, pace, parts, total } from "./maths.js";

/** @typedef {import("../../../assets/kit/chart.js").Chart} Chart */
/** @typedef {import("../../../assets/kit/chart.js").Line} Line */

/**
 * The times of one encoder layer of the model.
 * @typedef {object} Times
 * @property {number[]} lengths tokens
 * @property {number[]} seconds at each length
 * @property {number} d_model
 * @property {number} n_heads
 * @property {number} d_ff
 * @property {string} device that it was measured on
 */

/**
 * N tokens of d features with `factor` times as many in the feed-forward network, which makes `dff`:
 * the multiply-adds of each part of a layer (`counts`), and of all of it.
 * @typedef {import("../../../assets/kit/exhibit.js").Base & {n: number, d: number, factor: number,
 *   dff: number, counts: Record<string, number>, all: number, answer: Times}} Scene
 */

const MAX_TOKENS = 16_384;
const PLACES = 4; // of the slider of N, for each doubling
const POINTS = 60;
const NARROW = 40; // em of a picture whose plots are stacked
const N_SCALE = {
  last: PLACES * Math.log2(MAX_TOKENS),
  place: (/** @type {number} */ value) => Math.round(PLACES * Math.log2(value)),
  value: (/** @type {number} */ place) => Math.round(2 ** (place / PLACES)),
};

/** @type {import("../../../assets/kit/exhibit.js").View<Scene>} */
const VIEW = {
  name: "cost",
  fields: () => ({
    n: range(1, MAX_TOKENS, { first: 128, text: countText, scale: N_SCALE }),
    d: stops([32, 64, 128, 256, 512, 1024, 2048, 4096], { first: 256 }),
    factor: range(1, 8, { first: 4 }),
  }),
  ask: () => ["cost", {}],
  scene: ({ n, d, factor }) => ({
    dff: factor * d,
    counts: parts(n, d, factor * d),
    all: total(n, d, factor * d),
  }),
  finding: ({ say, n, d, dff, counts, all }) => {
    const { layer } = crossings(d, dff);
    return say(n < layer ? "finding.below" : "finding.above", {
      n: marked(countText(n)),
      share: roundPercent(counts.attention / all),
    });
  },
  picture: (s, size) => {
    const { width, height, em } = size;
    const isNarrow = width < NARROW * em;
    const half = isNarrow ? { width, height: height / 2, em } : { ...size, width: width / 2 - em };
    return html`<div class="hl-pair">${plot(s.page, half, countedChart(s))}
      ${plot(s.page, half, timesChart(s))}</div>`;
  },
  controls: ["n", "d", "factor"],
  numbers: (s) => [countedSheet(s), timesSheet(s)],
  reading: ({ t, d, dff, answer }) => html`<p>${t("crossing", crossings(d, dff))}</p>
    <p>${t("note")}</p>
    <p>${t("machine", {
      device: answer.device,
      d: answer.d_model,
      heads: answer.n_heads,
      dff: answer.d_ff,
    })}</p>`,
};

export const { mount } = exhibit(VIEW);

/** Evenly spaced on a logarithmic axis.
 * @param {number} from @param {number} to @param {(n: number) => number} of
 * @returns {[number, number][]} */
const curve = (from, to, of) =>
  Array.from({ length: POINTS + 1 }, (_, i) => {
    const n = from * (to / from) ** (i / POINTS);
    return [n, of(n)];
  });

/** @param {Scene} s @returns {Chart} */
function countedChart({ t, n, d, dff }) {
  /** @type {(look: Line["look"], name: string, of: (n: number) => number) => Line} */
  const line = (look, name, of) => ({ look, name, points: curve(1, MAX_TOKENS, of) });
  const to = parts(MAX_TOKENS, d, dff).attention * 2;
  return {
    name: t("plot.name"),
    x: { from: 1, to: MAX_TOKENS, log: true, name: t("axis.n"), text: countText },
    y: { from: d, to, log: true, name: t("axis.count"), text: powerText },
    lines: [
      ...PARTS.map((part, i) => line(i + 1, t(part), (one) => parts(one, d, dff)[part])),
      line(4, t("plain"), (one) => one * one * d),
      line(4, "", (one) => one * d * d),
    ],
    marks: [
      { x: n, quiet: true },
      { x: d, name: "N = d" },
    ],
  };
}

/** @param {Scene} s @returns {Chart} */
function timesChart({ t, answer: { lengths, seconds, d_model: d, d_ff: dff } }) {
  const times = seconds.map((one) => 1000 * one); // ms
  const pitch = pace(lengths, times, d, dff);
  const [first, last] = [lengths[0], lengths[lengths.length - 1]];
  const points = curve(first, last, (n) => pitch * total(n, d, dff));
  const all = [...times, ...points.map(([, value]) => value)];
  return {
    name: t("times.name"),
    x: { from: first / 1.4, to: last * 1.4, log: true, name: t("axis.n"), ticks: lengths },
    y: {
      from: Math.min(...all) / 1.5,
      to: Math.max(...all) * 1.5,
      log: true,
      name: t("axis.time"),
    },
    lines: [
      { look: "dots", name: t("dots"), points: lengths.map((n, i) => [n, times[i]]) },
      { look: 2, name: t("curve"), points },
    ],
  };
}

/** A row for each part.
 * @param {Scene} s @returns {import("../../../assets/kit/sheet.js").Sheet<string>} */
const countedSheet = ({ t, n, d, counts, all }) => ({
  name: t("counted"),
  file: "multiply-adds",
  class: "hl-cost-counts",
  rows: PARTS,
  columns: {
    part: { head: t("head.part", { n, d }), text: true, cell: (part) => t(part), csv: String },
    formula: { text: true, cell: (part) => t(`${part}.formula`) },
    count: { cell: (part) => countText(counts[part]), csv: (part) => counts[part] },
    share: { cell: (part) => percentText(counts[part] / all), csv: (part) => counts[part] / all },
  },
  foot: [t("all"), "", countText(all), "100 %"],
});

/** A row for each length.
 * @param {Scene} s @returns {import("../../../assets/kit/sheet.js").Sheet<number>} */
const timesSheet = ({ t, answer: { lengths, seconds } }) => ({
  name: t("measured"),
  file: "times",
  class: "hl-cost-seconds",
  rows: lengths,
  columns: {
    tokens: { head: t("axis.n"), text: true, cell: (n) => n },
    time: { cell: (_, i) => `${smallText(1000 * seconds[i])} ms`, csv: (_, i) => seconds[i] },
  },
});
