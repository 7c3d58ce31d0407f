// Label smoothing on the logits of the current step: target, gradient, loss, and every step's loss.

import { plot } from "../../../assets/kit/chart.js";
import { exhibit } from "../../../assets/kit/exhibit.js";
import { range } from "../../../assets/kit/fields.js";
import { countText, percentText, signedText } from "../../../assets/kit/numbers.js";
import { unpack } from "../../../assets/kit/packing.js";
import { marked } from "../../../assets/kit/sentence.js";
import { steps } from "../../../assets/kit/telling.js";
import { distinct, token } from "../../../assets/kit/token.js";
import { html, nothing, svg } from "../../../assets/vendor/lit-html.js";
import {
  bestGap,
  bestOdds,
  bestProbability,
  gradientOf,
  logSoftmax,
  lossOf,
  moved,
  summary,
  targetOf,
} from "./maths.js";

/** @typedef {import("../../../assets/kit/types.js").Label} Label */

/** The log-prob of the token written at a step, and the mean of those of the whole vocabulary.
 * @typedef {{log_prob: number, mean: number}} Step */

/**
 * The logits of one step and their log-probs, by token id; `top`: the most likely tokens, `right`:
 * the id of the one written; `steps`: every step.
 * @typedef {{step: number, top: Label[], right: number, logits: Float32Array,
 *   logProbs: Float64Array, steps: Step[]}} Logits
 */

/**
 * `p`: the probability of the token written, `best`: the one at which the smoothed loss would leave
 * it alone.
 * @typedef {import("../../../assets/kit/exhibit.js").Base & Logits & {answer: Logits, eps: number,
 *   now: import("./maths.js").Summary, best: number, p: number, written: Label}} Scene
 */

/** @typedef {{label: unknown, piece: string, id: number, logit: number, p: number,
 *   target: number}} TokenRow */

const POINTS = 120; // of a curve
const LABEL = { below: 1.9, wide: 10 }; // em that a name takes below its point, and to a side
const ODDS = { from: -6, to: 12 }; // of the chart, as long as the current step is inside

/** @type {import("../../../assets/kit/exhibit.js").View<Scene>} */
const VIEW = {
  name: "smoothing",
  fields: ({ epsilon }) => ({
    eps: range(0, 0.5, { step: 0.005, first: epsilon, text: (value) => value.toFixed(3) }),
  }),
  ask: ({ selection }) => ["smoothing", { step: selection.step }],
  prepare: async (reply, record) => ({
    ...reply,
    right: record.tgt_out[reply.step].id,
    logProbs: logSoftmax(await unpack(reply.logits, Float32Array)),
    logits: await unpack(reply.logits, Float32Array),
  }),
  scene: ({ answer, eps, record }) => {
    const now = summary(answer.logProbs, answer.right);
    const best = bestProbability(eps, now.size);
    const p = Math.exp(now.log_prob);
    return { ...answer, now, best, p, written: record.tgt_out[answer.step] };
  },
  telling: ({ record }) => steps(record, (step) => Math.exp(record.steps[step].log_prob)),
  cell: ({ selection: { step } }) => ({ step, weights: null }),
  finding: ({ say, eps, p, best, written }) =>
    say(`verdict.${eps === 0 ? "none" : verdictOf(p, best)}`, {
      p: marked(percentText(p)),
      best: marked(percentText(best)),
      token: written,
    }),
  picture: (s, size) => plot(s.page, size, lossChart(s)),
  controls: ["eps"],
  numbers: (s) => [tokenSheet(s), stepSheet(s)],
  reading: ({ t, eps, now, top, best }) => html`
    <p>${t("formula", {
      eps: eps.toFixed(3),
      keep: (1 - eps).toFixed(3),
      size: countText(now.size),
      right: targetOf(true, eps, now.size).toFixed(6),
      other: targetOf(false, eps, now.size).toFixed(6),
    })}</p>
    <p>${t("gap", {
      loss: lossOf(now, eps).toFixed(4),
      best: percentText(best),
      gap: eps > 0 ? bestGap(eps, now.size).toFixed(3) : "∞",
    })}</p>
    <p>${t("note", { count: countText(now.size - top.length) })}</p>`,
};

export const { mount } = exhibit(VIEW);

/** On which side of the target a probability is, as both are written: nobody hears that 90.0 % is
 * less than 90.0 %. @param {number} p @param {number} best */
function verdictOf(p, best) {
  if (percentText(p) === percentText(best)) return "equal";
  return p > best ? "over" : "under";
}

/** The loss if only the right token's logit moved; where the model is, and where it is least.
 * @param {Scene} s @returns {import("../../../assets/kit/chart.js").Chart} */
function lossChart({ t, now, eps, p, best }) {
  const odds = now.log_prob - now.rest;
  const from = Math.min(ODDS.from, Math.floor(odds) - 1);
  const to = Math.max(ODDS.to, Math.ceil(odds) + 1);
  const places = Array.from({ length: POINTS + 1 }, (_, i) => from + ((to - from) * i) / POINTS);
  const curve = (/** @type {number} */ e) =>
    places.map((place) => [place, lossOf(moved(now, place), e)]);
  /** @type {import("../../../assets/kit/chart.js").Line[]} */
  const lines = [
    { points: curve(eps), look: 1, name: t("curve.with") },
    { points: curve(0), look: 2, name: t("curve.without") },
  ];
  const least = bestOdds(eps, now.size);
  return {
    name: t("chart.alternative", { p: percentText(p), best: percentText(best) }),
    x: { from, to, name: t("odds"), text: (value) => signedText(value, 0) },
    y: {
      from: 0,
      to: Math.max(...lines.flatMap(({ points }) => points.map(([, y]) => y))),
      name: t("loss"),
    },
    lines,
    over: (place) => {
      const { em } = place;
      /** @type {Record<string, number>} */
      const shares = { now: p, least: best };
      /** @type {(at: number, name: string,
       *   beside?: {dx: number, dy: number, anchor: string}) => unknown} */
      const spot = (at, name, beside) => {
        const [x, y] = [place.x(at), place.y(lossOf(moved(now, at), eps))];
        const hasRoom = y + LABEL.below * em < place.top + place.height;
        const below = { dx: 0, dy: hasRoom ? LABEL.below - 0.5 : -0.9, anchor: "middle" };
        const { dx, dy, anchor } = beside ?? below;
        const text = t(`curve.${name}`, { p: percentText(shares[name]) });
        return svg`<circle class="hl-smoothing-${name}" cx=${x} cy=${y} r="6"></circle>
          <text class="hl-plot-note" x=${x + dx * em} y=${y + dy * em} text-anchor=${anchor}>${text}</text>`;
      };
      // Above the curve, which falls before the least loss and rises after it; where the two points
      // are close, on the side away from the other, whose name it would seem to be.
      const isClose = Math.abs(place.x(odds) - place.x(least)) < LABEL.wide * em;
      const isAfter = odds < least !== isClose;
      const above = { dx: isAfter ? 0.5 : -0.5, dy: -0.9, anchor: isAfter ? "start" : "end" };
      return [
        spot(odds, "now", above),
        least >= from && least <= to ? spot(least, "least") : nothing,
      ];
    },
  };
}

/** Where training pushes a logit: against its gradient. Arrow and sign say it beside the colour. */
const push = (/** @type {number} */ gradient) => html`<span
  class="hl-smoothing-${gradient < 0 ? "up" : "down"}">
  ${gradient < 0 ? "↑" : "↓"} ${signedText(gradient, 5)}</span>`;

/** The most likely tokens of the step, and all others together.
 * @param {Scene} s @returns {import("../../../assets/kit/sheet.js").Sheet<TokenRow>} */
function tokenSheet({ t, top, logits, logProbs, now, eps, right, step }) {
  const names = distinct(top);
  const rows = top.map(({ id, piece }, i) => {
    const p = Math.exp(logProbs[id]);
    const target = targetOf(id === right, eps, now.size);
    return { label: token(names[i]), piece, id, logit: logits[id], p, target };
  });
  const rest = (/** @type {"p"|"target"} */ name) =>
    Math.max(
      0,
      rows.reduce((left, row) => left - row[name], 1),
    );
  const others = { p: rest("p"), target: rest("target") };
  return {
    name: t("logits", { step: step + 1 }),
    file: `smoothing-step${step + 1}`,
    class: "hl-smoothing-tokens",
    rows,
    chosen: ({ id }) => id === right,
    columns: {
      token: { text: true, cell: (row) => row.label, csv: (row) => row.piece },
      logit: { cell: (row) => signedText(row.logit), csv: (row) => row.logit },
      p: { cell: (row) => row.p.toFixed(5), csv: (row) => row.p },
      target: { cell: (row) => row.target.toFixed(5), csv: (row) => row.target },
      gradient: {
        text: true,
        cell: (row) => push(row.p - row.target),
        csv: (row) => row.p - row.target,
      },
    },
    foot: [
      t("rest", { count: countText(now.size - top.length) }),
      "",
      others.p.toFixed(5),
      others.target.toFixed(5),
      push(others.p - others.target),
    ],
  };
}

/** The right token of every step.
 * @param {Scene} s @returns {import("../../../assets/kit/sheet.js").Sheet<Step>} */
function stepSheet({ t, page, steps, record, now, eps, best, selection }) {
  const mean = (/** @type {number} */ e) =>
    steps.reduce((sum, one) => sum + lossOf(one, e), 0) / steps.length;
  const over = steps.filter((one) => Math.exp(one.log_prob) > best).length;
  const gradient = (/** @type {Step} */ { log_prob: logProb }) =>
    gradientOf(Math.exp(logProb), true, eps, now.size);
  return {
    name: t("steps"),
    file: "smoothing-steps",
    class: "hl-smoothing-steps",
    note: t("sum", {
      plain: mean(0).toFixed(4),
      smoothed: mean(eps).toFixed(4),
      over,
      count: steps.length,
    }),
    rows: steps,
    chosen: (_, i) => i === selection.step,
    onChoose: (_, i) => page.choose({ step: i }),
    columns: {
      step: { cell: (_, i) => i + 1 },
      writes: {
        text: true,
        cell: (_, i) => token(record.tgt_out[i]),
        csv: (_, i) => record.tgt_out[i].piece,
      },
      p: {
        cell: (one) => percentText(Math.exp(one.log_prob)),
        csv: (one) => Math.exp(one.log_prob),
      },
      plain: { cell: (one) => lossOf(one, 0).toFixed(4), csv: (one) => lossOf(one, 0) },
      smoothed: { cell: (one) => lossOf(one, eps).toFixed(4), csv: (one) => lossOf(one, eps) },
      gradient: { text: true, cell: (one) => push(gradient(one)), csv: gradient },
    },
  };
}
