// All tokens at once: probability by rank, both axes logarithmic. The tokens that are kept, cut by
// top-p and cut by top-k are areas told apart by colour, by pattern and by name.

import { plot } from "../../../assets/kit/chart.js";
import { memo } from "../../../assets/kit/memo.js";
import { countText } from "../../../assets/kit/numbers.js";
import { svg } from "../../../assets/vendor/lit-html.js";
import { shareText } from "./numbers.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */
/** @typedef {import("../../../assets/kit/chart.js").Place} Place */
/** @typedef {import("../../../assets/kit/sampling.js").Shape} Shape */
/** @typedef {import("./source.js").Distribution} Distribution */
/** The distribution, and what the settings make of it.
 * @typedef {{found: Distribution, shape: Shape}} Shaped */
/** Ranks [from, to) of one fate, and the curve above them.
 * @typedef {{fate: string, from: number, to: number, points: [number, number][]}} Area */

const LEAST = 1e-8; // at the bottom of the axis
const DECADES = [0, 2, 4, 6, 8];
const MAX_STEPS = 300; // more could not be told apart

/** The ranks (from 0) at which the curve may step: all at first, fewer and fewer later.
 * @param {number} size */
export function ranksOf(size) {
  const places = Array.from({ length: MAX_STEPS + 1 }, (_, i) => size ** (i / MAX_STEPS));
  return [...new Set(places.map((place) => Math.floor(place + 1e-9) - 1))];
}

/**
 * The steps of a curve over the ranks [from, to): a rank reaches from its place to the next one's,
 * so that the first token has a width as well. Places count from 1.
 * @param {number[]} ranks
 * @param {number} from
 * @param {number} to
 * @param {(rank: number) => number} height
 * @returns {[number, number][]}
 */
export function stepsOf(ranks, from, to, height) {
  if (from >= to) return [];
  const starts = [from, ...ranks.filter((rank) => rank > from && rank < to)];
  return starts.flatMap((rank, i) => {
    const y = height(rank);
    return [/** @type {[number, number]} */ ([rank + 1, y]), [(starts[i + 1] ?? to) + 1, y]];
  });
}

/** Returns the template of the curve: (scene, size) -> template.
 * @param {import("../../../assets/kit/types.js").Page} page */
export function createCurve(page) {
  const ranks = memo(ranksOf);
  /** @type {(scene: Shaped, size: import("../../../assets/kit/exhibit.js").Size) => unknown} */
  return ({ found, shape }, size) => {
    const { counts, sums, powers } = shape;
    const count = found.ranked.order.length;
    /** @type {(from: number, to: number, height: (rank: number) => number) => [number, number][]} */
    const steps = (from, to, height) => stepsOf(ranks(count), from, to, height);
    const ends = [
      { fate: "kept", from: 0, to: counts.p },
      { fate: "p", from: counts.p, to: counts.k },
      { fate: "k", from: counts.k, to: counts.all },
    ];
    const areas = ends.map(({ fate, from, to }) => {
      return { fate, from, to, points: steps(from, to, (rank) => powers[rank] / sums.all) };
    });
    const now = steps(0, counts.p, (rank) => powers[rank] / sums.p);
    const own = steps(0, counts.all, (rank) => found.shares[rank]);
    return plot(page, size, {
      name: nameOf(page, found, shape),
      file: "next-token",
      ...axesOf(page, count),
      lines: [
        { name: page.t("sampling.now"), look: 1, points: now },
        { name: page.t("sampling.before"), look: 3, points: own },
      ],
      over: (place) => [patterns(page.uid), areas.map((area) => areaOf(page, area, place))],
    });
  };
}

/** @param {Page} page @param {number} count
 * @returns {Pick<import("../../../assets/kit/chart.js").Chart, "x"|"y">} */
const axesOf = ({ t }, count) => ({
  x: {
    from: 1,
    to: count + 1,
    log: true,
    name: t("sampling.curve.rank"),
    ticks: [1, 10, 100, 1_000, 10_000, 100_000]
      .filter((rank) => rank <= count)
      .map((rank) => Math.sqrt(rank * (rank + 1))), // the middle of a rank's width
    text: (place) => countText(Math.floor(place)),
  },
  y: {
    from: LEAST,
    to: 1,
    log: true,
    name: t("sampling.curve.probability"),
    ticks: DECADES.map((decade) => 10 ** -decade),
    text: decadeText,
  },
});

const decadeText = (/** @type {number} */ value) => {
  const decade = Math.round(-Math.log10(value));
  return decade === 0 ? "1" : `10⁻${"⁰¹²³⁴⁵⁶⁷⁸⁹"[decade]}`;
};

/** @param {Page} page @param {Distribution} found @param {Shape} shape */
function nameOf({ t }, { ranked }, { counts: { all, k, p }, powers, sums }) {
  return t("sampling.curve", {
    kept: countText(p),
    p: countText(k - p),
    k: countText(all - k),
    never: countText(ranked.order.length - all),
    most: shareText(powers[0] / sums.p),
  });
}

/** The fills of the tokens cut, by pattern as well as by colour. @param {string} uid */
const patterns = (uid) => svg`<defs>
  <pattern id="${uid}-p" width="5" height="5" patternUnits="userSpaceOnUse">
    <path class="hl-sampling-stripe" d="M-1 1L1 -1M0 5L5 0M4 6L6 4"></path></pattern>
  <pattern id="${uid}-k" width="5" height="5" patternUnits="userSpaceOnUse">
    <circle class="hl-sampling-dot" cx="2.5" cy="2.5" r="0.9"></circle></pattern>
</defs>`;

/** The area below the distribution after the temperature, with its name if that fits.
 * @param {Page} page @param {Area} area @param {Place} place */
function areaOf({ t, uid }, { fate, from, to, points }, { x, y, em }) {
  if (from === to) return "";
  const bottom = y(LEAST).toFixed(1);
  const path = points.map(([a, b]) => `L${x(a).toFixed(1)} ${y(Math.max(LEAST, b)).toFixed(1)}`);
  const [left, right] = [x(from + 1), x(to + 1)];
  const name = t(`sampling.curve.${fate}`, { n: countText(to - from) });
  // Measuring the words in every frame would cost more than everything else: Chinese characters are
  // assumed to be square, others half as wide.
  const width = [...name].reduce((sum, letter) => sum + (letter > "\u2e80" ? 0.9 : 0.5), 0) * em;
  return svg`<path class="hl-sampling-area" data-fate=${fate}
      style="fill:${fate === "kept" ? "var(--weight)" : `url(#${uid}-${fate})`}"
      d="M${left.toFixed(1)} ${bottom}${path.join("")}L${right.toFixed(1)} ${bottom}Z"></path>
    ${
      width > right - left
        ? ""
        : svg`<text class="hl-sampling-name" data-fate=${fate} text-anchor="middle"
            x=${(left + right) / 2} y=${y(LEAST) - em}>${name}</text>`
    }`;
}
