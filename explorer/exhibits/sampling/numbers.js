// The stages in order, with the tokens that each leaves, and the distribution in a few numbers.

import { countText } from "../../../assets/kit/numbers.js";
import { html } from "../../../assets/vendor/lit-html.js";

/** @typedef {import("./source.js").Distribution} Distribution */

/** @typedef {import("../../../assets/kit/sampling.js").Shape} Shape */
/** @typedef {import("./view.js").Found} Found */
/** What a stage leaves and cuts, in tokens, and the mass of those left.
 * @typedef {{left: number, cut: number, mass: number}} Stage */
/** The stages in order. @typedef {"model"|"allowed"|"temperature"|"k"|"p"|"done"} StageName */
/** @typedef {{name: string, pair: [number, number]}} Measure the model's own, and now */

export const sized = (/** @type {number} */ value) =>
  value >= 1000 ? countText(Math.round(value)) : value.toPrecision(4);

/** The fate of a rank. @param {number} rank @param {Shape["counts"]} counts */
export function fateOf(rank, { all, k, p }) {
  if (rank < p) return "kept";
  if (rank < k) return "p";
  return rank < all ? "k" : "never";
}

/**
 * The result of each stage. The first two masses are the model's, the others are relative to the
 * distribution after the temperature.
 * @param {Pick<Distribution, "ranked"|"mass">} found @param {Pick<Shape, "counts"|"sums">} shape
 * @returns {Record<StageName, Stage>}
 */
export function stagesOf({ ranked, mass }, { counts, sums }) {
  const { all, k, p } = counts;
  const size = ranked.order.length;
  return {
    model: { left: size, cut: 0, mass: 1 },
    allowed: { left: all, cut: size - all, mass },
    temperature: { left: all, cut: 0, mass: 1 },
    k: { left: k, cut: all - k, mass: sums.k / sums.all },
    p: { left: p, cut: k - p, mass: sums.p / sums.all },
    done: { left: p, cut: 0, mass: 1 },
  };
}

/** Each measure: the model's own, and now.
 * @param {Pick<Distribution, "own"|"shares"|"mass">} found
 * @param {Pick<Shape, "entropy"|"counts">} shape @returns {Record<string, Measure["pair"]>} */
export function measuresOf({ own, shares, mass }, { entropy, counts }) {
  let kept = 0;
  for (let rank = 0; rank < counts.p; rank += 1) kept += shares[rank];
  return {
    nats: [own.entropy, entropy],
    bits: [own.entropy / Math.LN2, entropy / Math.LN2],
    effective: [Math.exp(own.entropy), Math.exp(entropy)],
    own_mass: [mass, kept],
  };
}

/** @param {Found} s @returns {import("../../../assets/kit/sheet.js").Sheet<Stage & {stage: string}>} */
export function stageSheet({ t, page, found, shape, settings }) {
  const off = (/** @type {number} */ value, /** @type {number} */ none) =>
    value === none ? page.t("settings.off") : String(value);
  /** @type {Record<string, number|string>} */
  const values = {
    temperature: settings.temperature,
    k: off(settings.top_k, 0),
    p: off(settings.top_p, 1),
  };
  const name = (/** @type {string} */ stage) => t(`stage.${stage}`, { value: values[stage] });
  return {
    name: t("stages"),
    file: "stages",
    class: "hl-sampling-stages",
    note: t("allowed.hint"),
    rows: Object.entries(stagesOf(found, shape)).map(([stage, one]) => ({ stage, ...one })),
    columns: {
      stage: {
        cell: ({ stage }) => html`<i class="hl-sampling-swatch hl-sampling-is-${stage}"></i>
          <span>${name(stage)}</span>`,
        csv: ({ stage }) => name(stage),
      },
      left: { cell: ({ left }) => countText(left), csv: ({ left }) => left },
      cut: { cell: ({ cut }) => (cut === 0 ? "" : `−${countText(cut)}`), csv: ({ cut }) => cut },
      mass: { cell: ({ mass }) => shareText(mass), csv: ({ mass }) => mass },
    },
  };
}

/** @param {Found} s @returns {import("../../../assets/kit/sheet.js").Sheet<Measure>} */
export function measureSheet({ t, found, shape }) {
  const text = (/** @type {string} */ name, /** @type {number} */ value) =>
    (name === "own_mass" ? shareText : sized)(value);
  return {
    name: t("numbers"),
    file: "measures",
    class: "hl-sampling-numbers",
    rows: Object.entries(measuresOf(found, shape)).map(([name, pair]) => ({ name, pair })),
    columns: {
      number: {
        cell: ({ name }) => html`<span title=${t(`${name}.hint`)}>${t(name)}</span>`,
        csv: ({ name }) => name,
      },
      before: { cell: ({ name, pair }) => text(name, pair[0]), csv: ({ pair }) => pair[0] },
      now: { cell: ({ name, pair }) => text(name, pair[1]), csv: ({ pair }) => pair[1] },
    },
  };
}

/** A share as a percentage, with two digits below a thousandth: "95.8 %", "0.028 %".
 * @param {number} share */
export function shareText(share) {
  const percent = share * 100;
  if (percent < 100 && percent > 99.95) return ">99.9 %";
  if (percent === 0 || percent >= 0.0995) return `${percent.toFixed(1)} %`;
  return percent < 0.001 ? "<0.001 %" : `${percent.toFixed(percent < 0.00995 ? 4 : 3)} %`;
}
