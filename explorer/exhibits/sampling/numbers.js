// The stages in their order, with what each leaves, and the distribution in a few numbers.

import { countText } from "../../../assets/kit/numbers.js";
import { table } from "../../../assets/kit/table.js";
import { html } from "../../../assets/vendor/lit-html.js";

/** @typedef {import("./source.js").Distribution} Distribution */

const sized = (/** @type {number} */ value) =>
  value >= 1000 ? countText(Math.round(value)) : value.toPrecision(4);

/** What becomes of a rank. @param {number} rank */
export function fateOf(rank, { all, k, p }) {
  if (rank < p) return "kept";
  if (rank < k) return "p";
  return rank < all ? "k" : "never";
}

/** What each stage leaves: {stage: {left, cut, mass}}. The first two masses are the model's, the
 * others are of what the temperature made. @param {Distribution} found */
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

/** {measure: [the model's own, now]} @param {Distribution} found */
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

export function stagesTable({ t }, found, shape, settings) {
  const off = (value, none) => (value === none ? t("settings.off") : String(value));
  const values = {
    temperature: settings.temperature,
    k: off(settings.top_k, 0),
    p: off(settings.top_p, 1),
  };
  return table({
    label: t("sampling.stages"),
    class: "hl-sampling-stages",
    columns: ["stage", "left", "cut", "mass"].map((name) => ({ name: t(`sampling.${name}`) })),
    rows: Object.entries(stagesOf(found, shape)).map(([stage, { left, cut, mass }]) => ({
      title: stage === "allowed" ? t("sampling.allowed.hint") : undefined,
      cells: [
        html`<i class="hl-sampling-swatch hl-sampling-is-${stage}"></i>
          <span>${t(`sampling.stage.${stage}`, { value: values[stage] })}</span>`,
        countText(left),
        cut === 0 ? "" : `−${countText(cut)}`,
        shareText(mass),
      ],
    })),
  });
}

export function measuresTable({ t }, found, shape) {
  const rows = Object.entries(measuresOf(found, shape)).map(([name, pair]) => ({
    title: t(`sampling.${name}.hint`),
    cells: [t(`sampling.${name}`), ...pair.map(name === "own_mass" ? shareText : sized)],
  }));
  return table({
    label: t("sampling.numbers"),
    class: "hl-sampling-numbers",
    columns: ["number", "before", "now"].map((name) => ({ name: t(`sampling.${name}`) })),
    rows,
  });
}

/** A share as a percentage, with two digits below a thousandth: "95.8 %", "0.028 %".
 * @param {number} share */
export function shareText(share) {
  const percent = share * 100;
  if (percent < 100 && percent > 99.95) return ">99.9 %";
  if (percent === 0 || percent >= 0.0995) return `${percent.toFixed(1)} %`;
  return percent < 0.001 ? "<0.001 %" : `${percent.toFixed(percent < 0.00995 ? 4 : 3)} %`;
}
