// The scores over alpha: one straight line for each hypothesis, their crossings, and the alpha now.

import { chart, share } from "../../../assets/kit/chart.js";
import { svg } from "../../../assets/vendor/lit-html.js";
import { crossing, heightOf } from "./scores.js";

const MAX_CROSSINGS = 60;
const RATIOS = [1, 1 / 2, 2, 1 / 4, 4, 1 / 8, 8, 2 / 3, 1.5, 0.8, 1.25, 0.9, 1.1]; // by importance
const APART = 1.3; // em between ticks
const LOOKS = /** @type {const} */ ([2, 3, 5, 6]); // dashes of lines; any four adjacent ones differ
const AIR = { below: 0.06, above: 0.2 }; // share of the range; the mark's name is above

/** @typedef {import("../../../assets/kit/chart.js").Place} Place */

/**
 * The chart of the scores; dragging over it moves α.
 * @param {any} s the scene of the view
 * @param {{width: number, height: number, em: number}} size
 */
export function plot(s, size) {
  const { t, page, model, lines, low, high, own, chosen } = s;
  const reach = reachOf(s);
  const y = {
    ...reach,
    log: true,
    name: t("plot.axis"),
    text: (ratio) => String(round(ratio)),
  };
  const x = { from: low, to: high, name: "α", text: (value) => String(value).replace("-", "−") };
  return chart(
    page,
    {
      name: t("plot.picture", { n: lines.length, low, high }),
      file: "scores",
      legend: false,
      x: { ...x, ticks: Array.from({ length: high - low + 1 }, (_, i) => low + i) },
      y: { ...y, ticks: ticksOf(y, (APART * size.em) / (size.height - 4 * size.em)) },
      lines: lines.map((line, i) => ({
        name: t("no", { n: i + 1 }),
        points: inside(line, s, reach),
        look: i === chosen ? 1 : line.listed ? LOOKS[i % LOOKS.length] : 4,
      })),
      marks: [{ x: own, name: t("plot.own"), quiet: true }],
      over: (place) => [crossings(s, place), names(s, place), now(s, place)],
      onPoint: (alpha, event) =>
        event.buttons & 1 && model.at.merge({ alpha: Math.round(alpha * 100) / 100 }),
    },
    size,
  );
}

const round = (ratio) => Number(ratio.toPrecision(3));

/** The ratios shown: those of the search's own hypotheses, even if others join them. */
function reachOf({ lines, low, high }) {
  const ends = lines
    .filter(({ listed }) => listed)
    .flatMap((line) => [heightOf(line, low), heightOf(line, high)]);
  const [from, to] = [Math.min(...ends, -0.05), Math.max(...ends, 0.05)];
  const air = to - from;
  return { from: Math.exp(from - AIR.below * air), to: Math.exp(to + AIR.above * air) };
}

function ticksOf(y, apart) {
  const taken = [];
  for (const ratio of RATIOS.filter((one) => one >= y.from && one <= y.to)) {
    const place = share(y, ratio);
    if (taken.every((other) => Math.abs(share(y, other) - place) >= apart)) taken.push(ratio);
  }
  return taken;
}

/** The part of a line within the range, as its two ends. */
function inside(line, { low, high }, { from, to }) {
  const at = (ratio) => (Math.log(ratio) - line.at) / line.slope; // the alpha of a ratio
  const alphas = line.slope === 0 ? [low, high] : [at(from), at(to)].sort((a, b) => a - b);
  return [Math.max(low, alphas[0]), Math.min(high, alphas[1])].map((alpha) => [
    alpha,
    Math.min(to, Math.max(from, Math.exp(heightOf(line, alpha)))),
  ]);
}

/** A ring where the best changes; a dot where two other hypotheses swap places. */
function crossings({ lines, low, high, reigning }, /** @type {Place} */ place) {
  const spot = (alpha, line, r, look) => svg`<circle class=${look} r=${r}
    cx=${place.x(alpha)} cy=${place.y(Math.exp(heightOf(line, alpha)))}></circle>`;
  const listed = lines.filter((line) => line.listed);
  const pairs = listed.flatMap((a, i) => listed.slice(i + 1).map((b) => [a, crossing(a, b)]));
  const dots = pairs.filter(([, alpha]) => alpha !== null && alpha > low && alpha < high);
  return [
    dots.slice(0, MAX_CROSSINGS).map(([line, at]) => spot(at, line, 2, "hl-tree-crossing")),
    reigning.slice(1).map(({ who, from }) => spot(from, lines[who], 5, "hl-tree-ring")),
  ];
}

/** The numbers of the hypotheses at the right ends of their lines, apart enough to be read. */
function names({ lines, high, chosen }, /** @type {Place} */ place) {
  const { left, width, em, top } = place;
  const ends = lines
    .map((line, i) => ({ i, y: place.y(Math.exp(heightOf(line, high))), listed: line.listed }))
    .filter(({ listed }) => listed)
    .sort((a, b) => a.y - b.y);
  spread(ends, 0.95 * em, top);
  return ends.map(
    ({ i, y }) => svg`<text class="hl-tree-end ${i === chosen ? "hl-chosen" : ""}"
      x=${left + width + 0.3 * em} y=${y + 0.35 * em}>${i + 1}</text>`,
  );
}

/**
 * Pushes labels (sorted by y) apart, half the distance each, until hardly any is nearer than `gap`.
 */
function spread(ends, gap, top) {
  for (let round = 0; round < 40; round += 1) {
    for (let i = 1; i < ends.length; i += 1) {
      const lack = gap - (ends[i].y - ends[i - 1].y);
      if (lack <= 0) continue;
      ends[i].y += lack / 2;
      ends[i - 1].y -= lack / 2;
    }
    if (ends.length > 0) ends[0].y = Math.max(ends[0].y, top);
  }
}

/** The current alpha: a line, and a dot on the line of each hypothesis. */
function now({ lines, alpha }, /** @type {Place} */ { x, y, top, height }) {
  const bottom = top + height;
  const place = (line) => Math.min(bottom, Math.max(top, y(Math.exp(heightOf(line, alpha)))));
  return svg`<g class="hl-tree-now">
    <path d="M${x(alpha)} ${top}v${height}"></path>
    ${lines.map(
      (line) => svg`<circle cx=${x(alpha)} cy=${place(line)} r=${line.listed ? 3 : 2}></circle>`,
    )}
  </g>`;
}
