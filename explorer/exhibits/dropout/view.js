// Dropout in action: one draw in numbers, and the mean of many draws.

import { plot } from "../../../assets/kit/chart.js";
import { button } from "../../../assets/kit/choice.js";
import { colourOf, cssOf, diverging } from "../../../assets/kit/colour.js";
import { exhibit } from "../../../assets/kit/exhibit.js";
import { index, range } from "../../../assets/kit/fields.js";
import { signedText } from "../../../assets/kit/numbers.js";
import { unpack } from "../../../assets/kit/packing.js";
import { marked } from "../../../assets/kit/sentence.js";
import { html } from "../../../assets/vendor/lit-html.js";
import { dropped, expectedError, maskOf, means } from "./maths.js";

/** @typedef {import("../../../assets/kit/types.js").Label} Label */
/** @typedef {import("../../../assets/kit/chart.js").Line} Line */

/**
 * The first numbers of what the encoder reads at source token `source`: embedding plus position;
 * `of` is how many numbers there are.
 * @typedef {{values: Float32Array, of: number, source: number, token: Label}} Input
 */

/**
 * One draw with probability `share` of 0: `mask` (true: kept) and the numbers `after` it. `largest`
 * is the place of the largest number, `value` the number, `runs` its mean after 1, 2, ... draws.
 * @typedef {import("../../../assets/kit/exhibit.js").Base & Omit<Input, "source"> & {answer: Input,
 *   share: number, draws: number, seed: number, mask: boolean[], after: number[], largest: number,
 *   runs: number[], value: number}} Scene
 */

const STRIPS = 3.6; // em of the two strips above the curve
const BAND = 2; // standard deviations: 19 means of 20 lie within, so that one outside is rare

/** @type {import("../../../assets/kit/exhibit.js").View<Scene>} */
const VIEW = {
  name: "dropout",
  fields: (facts) => ({
    share: range(0, 0.9, { step: 0.05, first: facts.trained, text: (p) => p.toFixed(2) }),
    draws: range(1, facts.draws, { first: 100 }),
    seed: index(1, 1e9),
  }),
  ask: ({ selection }) => ["dropout", { source: selection.src }],
  prepare: async (reply, record, args) => ({
    of: reply.of,
    source: args.source,
    token: record.src[args.source],
    values: await unpack(reply.values, Float32Array),
  }),
  scene: ({ answer: { values, of, token }, share, draws, seed }) => {
    const mask = maskOf(seed, 0, values.length, share);
    const largest = values.reduce((so, x, i) => (Math.abs(x) > Math.abs(values[so]) ? i : so), 0);
    const runs = means(values, seed, draws, share).map((mean) => mean[largest]);
    const after = dropped(values, mask, share);
    return { values, of, token, mask, after, largest, runs, value: values[largest] };
  },
  cell: ({ answer: { source } }) => ({ src: source, step: null, weights: null }),
  finding: ({ say, runs, value, token, largest }) =>
    say("finding", {
      token,
      n: largest + 1,
      mean: marked(signedText(runs[runs.length - 1], 2)),
      value: marked(signedText(value, 2)),
    }),
  picture: (s, size) => {
    const below = { ...size, height: size.height - STRIPS * size.em };
    return html`${strips(s)}${plot(s.page, below, meanChart(s))}`;
  },
  controls: [
    "share",
    ({ t, set }) =>
      button({ label: t("again"), onClick: () => set(({ seed }) => ({ seed: seed + 1 })) }),
  ],
  adjust: ["draws"],
  numbers: (s) => [drawSheet(s)],
  reading: ({ t, page, draws, value, share, seed }) => html`
    <p>${t("band", { error: expectedError(value, share, draws).toFixed(4), draws })} ${t("seed", { seed })}</p>
    <p>${t("where", { paper: page.facts.paper, trained: page.facts.trained })}</p>`,
};

export const { mount } = exhibit(VIEW);

/** The vector before and after as two strips of colour; what was dropped is an empty cell.
 * @param {Scene} s */
function strips({ t, page, values, mask, after }) {
  const most = Math.max(...[...values, ...after].map(Math.abs));
  const colour = (/** @type {number} */ x) =>
    cssOf(colourOf(diverging[page.theme.get()], 0.5 + x / most / 2));
  /** @type {(name: string, numbers: ArrayLike<number>) => unknown} */
  const strip = (name, numbers) => html`<span>${t(name)}</span>
    <div>${Array.from(numbers, (x, i) =>
      name === "after" && !mask[i] ? html`<i></i>` : html`<i style="background:${colour(x)}"></i>`,
    )}</div>`;
  return html`<div class="hl-dropout-strips" aria-hidden="true">
    ${strip("before", values)} ${strip("after", after)}
  </div>`;
}

/** The largest number of the vector over the draws: its mean settles there.
 * @param {Scene} s @returns {import("../../../assets/kit/chart.js").Chart} */
function meanChart({ t, runs, value, share, draws, largest }) {
  const points = runs.map((mean, i) => [i + 1, mean]);
  const band = (/** @type {1|-1} */ sign) =>
    points.map(([n]) => [n, value + sign * BAND * expectedError(value, share, n)]);
  const reach = 1.1 * Math.max(Math.abs(value) / 2, ...runs.map((y) => Math.abs(y - value)));
  const to = Math.max(10, draws);
  /** @type {(look: Line["look"], name: string, all: Line["points"]) => Line} */
  const line = (look, name, all) => {
    const last = { value: signedText(all[all.length - 1][1], 2) };
    return { look, name: name && t(`key.${name}`, last), points: all };
  };
  return {
    name: t("heading", { n: largest + 1 }),
    x: { from: 0, to, name: t("axis") },
    y: {
      from: value - reach,
      to: value + reach,
      name: t("dimension", { n: largest + 1 }),
      text: (y) => signedText(y, 2),
    },
    lines: [
      line(3, "band", band(1)),
      line(3, "", band(-1)),
      line(2, "true", [
        [0, value],
        [to, value],
      ]),
      line(1, "mean", points),
    ],
  };
}

/** @param {Scene} s @returns {import("../../../assets/kit/sheet.js").Sheet<number>} */
function drawSheet({ t, token, values, mask, after, of, share }) {
  const kept = `× ${(1 / (1 - share)).toFixed(3)}`;
  return {
    name: t("name", { token: token.line ?? token.text, count: values.length, of }),
    class: "hl-dropout-numbers",
    rows: [...values],
    columns: {
      place: { cell: (_, i) => i + 1 },
      before: { cell: (value) => signedText(value, 4), csv: (value) => value },
      mask: { cell: (_, i) => (mask[i] ? kept : t("zero")), csv: (_, i) => Number(mask[i]) },
      after: { cell: (_, i) => signedText(after[i], 4), csv: (_, i) => after[i] },
    },
  };
}
