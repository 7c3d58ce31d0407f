// Why sqrt(d_k): random queries and keys, the spread of their products, and its effect on softmax.

import { bars } from "../../../assets/kit/bars.js";
import { plot } from "../../../assets/kit/chart.js";
import { exhibit } from "../../../assets/kit/exhibit.js";
import { choice, index, range, stops } from "../../../assets/kit/fields.js";
import { memo } from "../../../assets/kit/memo.js";
import { roundPercent, smallText } from "../../../assets/kit/numbers.js";
import { marked } from "../../../assets/kit/sentence.js";
import { html } from "../../../assets/vendor/lit-html.js";
import { drawn, histogram, KEYS, SIZES, softened, variance, weightsOf } from "./maths.js";

/** @typedef {import("../../../assets/kit/chart.js").Chart} Chart */
/** @typedef {import("./maths.js").Products} Products */
/** @typedef {import("./maths.js").Softened} Softened */
/** @typedef {import("../../../assets/kit/sheet.js").Sheet<number>} Sheet a row for each size */
/** @typedef {keyof typeof WAYS} Way */

/**
 * Queries and keys of `size` numbers, drawn from a seed. `own` are the products of this size,
 * `query` the one whose weights are shown, `ways` the averages with both divisors.
 * @typedef {import("../../../assets/kit/exhibit.js").Base & {show: string, size: number,
 *   queries: number, seed: number, query: number, products: Products, own: Float64Array,
 *   ways: Record<Way, Softened>}} Scene
 */

const COUNTS = [10, 25, 50, 100]; // number of random queries; each has KEYS keys
const BINS = 41;
/** The divisor of the products of size d. */
const WAYS = { raw: (/** @type {number} */ _) => 1, scaled: Math.sqrt };

const vectors = memo(drawn); // the size selects the part to use

/** @type {import("../../../assets/kit/exhibit.js").View<Scene>} */
const VIEW = {
  name: "scaling",
  fields: () => ({
    show: choice(["weights", "spread", "growth"], { first: "weights" }),
    size: stops(SIZES, { first: 64 }),
    queries: stops(COUNTS, { first: 50, text: (count) => String(count * KEYS) }),
    seed: range(0, 100, { first: 1 }),
    query: index(0, Math.max(...COUNTS) - 1, ({ queries }) => queries),
  }),
  scene({ size, queries, seed, query }) {
    const products = vectors(queries, seed);
    const own = products[size];
    const way = (/** @type {Way} */ name) => softened(own, WAYS[name](size));
    return {
      products,
      own,
      query: Math.min(query, queries - 1),
      ways: { raw: way("raw"), scaled: way("scaled") },
    };
  },
  finding,
  picture: (s, size) => {
    if (s.show === "weights") return weights(s);
    return plot(s.page, size, s.show === "spread" ? spread(s) : growth(s));
  },
  controls: ["show", "size"],
  adjust: ["queries", "seed", "query"],
  numbers: (s) => [averages(s), variances(s)],
  files: ({ show }) => (show === "weights" ? { svg: null } : {}),
  reading: ({ t, own, size }) => html`<p>${t("why")}</p>
    <p>${t("spread.said", {
      d: size,
      measured: variance(own).toFixed(2),
      count: own.length,
      deviation: Math.sqrt(size).toFixed(2),
    })}</p><p>${t("note", { keys: KEYS })}</p>`,
};

export const { mount } = exhibit(VIEW);

/** What is drawn: the key that gets most with either divisor, or the spread of the products.
 * @param {Scene} s */
function finding({ say, show, own, size, query }) {
  if (show !== "weights") {
    return say(`finding.${show}`, { d: size, variance: marked(variance(own).toFixed(1)) });
  }
  const most = (/** @type {Way} */ way) =>
    marked(roundPercent(Math.max(...weightsOf(own, query, WAYS[way](size)))));
  return say("finding.weights", { raw: most("raw"), scaled: most("scaled") });
}

/** The weights of one query over its keys, scaled and unscaled. @param {Scene} s */
function weights({ t, own, size, query }) {
  const one = (/** @type {Way} */ way) => html`<div>
    <h3>${t(way, { d: size })} <small>${t("query.one", { n: query + 1 })}</small></h3>
    ${bars({
      class: `hl-scaling-${way}`,
      label: t(way, { d: size }),
      bars: Array.from(weightsOf(own, query, WAYS[way](size)), (weight, key) => ({
        name: t("key", { n: key + 1 }),
        share: weight,
        text: weight >= 0.001 ? weight.toFixed(3) : smallText(weight),
      })),
    })}</div>`;
  return html`<div class="hl-pair">${one("raw")}${one("scaled")}</div>`;
}

/** The distribution of the products, with the normal curve of variance d.
 * @param {Scene} s @returns {Chart} */
function spread({ t, own, size: d }) {
  const end = 4 * Math.sqrt(d);
  const width = (2 * end) / BINS;
  const bins = histogram(own, end, BINS).map((count) => count / (own.length * width));
  const density = (/** @type {number} */ x) =>
    Math.exp(-(x * x) / (2 * d)) / Math.sqrt(2 * Math.PI * d);
  const xs = Array.from({ length: 121 }, (_, i) => -end + (i * 2 * end) / 120);
  const text = (/** @type {number} */ value) =>
    String(Number(value.toPrecision(3))).replace("-", "−");
  const steps = bins.flatMap((height, i) => [
    [-end + i * width, height],
    [-end + (i + 1) * width, height],
  ]);
  return {
    name: t("spread.name"),
    file: "spread",
    x: { from: -end, to: end, name: "q · k", text },
    y: { from: 0, to: 1.15 * Math.max(...bins, density(0)), name: t("share"), text },
    lines: [
      { points: steps, look: 1, name: t("measured") },
      { points: xs.map((x) => [x, density(x)]), look: 2, name: t("normal") },
    ],
  };
}

/** The variance of the products of size n, each divided by sqrt(n).
 * @param {Products} products @param {number} n */
const divided = (products, n) => variance(products[n].map((one) => one / Math.sqrt(n)));

/** The variance at every size, against d. @param {Scene} s @returns {Chart} */
function growth({ t, products, size: d }) {
  const line = (/** @type {(n: number) => number} */ of) => SIZES.map((n) => [n, of(n)]);
  const measured = line((n) => variance(products[n]));
  return {
    name: t("growth.name"),
    file: "variance",
    x: { from: 0.8, to: 700, log: true, name: "d", ticks: [1, 4, 16, 64, 256] },
    y: { from: 0.3, to: 1500, log: true, name: t("variance") },
    marks: [{ x: d, quiet: true }],
    lines: [
      { points: line((n) => n), look: 2, name: t("theory") },
      { points: line((n) => divided(products, n)), look: 3, name: t("after") },
      { points: measured, look: "dots", name: t("measured") },
    ],
  };
}

/** The averages over all queries, scaled and unscaled.
 * @param {Scene} s @returns {import("../../../assets/kit/sheet.js").Sheet<keyof Softened>} */
function averages({ t, ways }) {
  const way = (/** @type {Way} */ name) => ({
    head: t(`${name}.short`),
    cell: (/** @type {keyof Softened} */ one) => ways[name][one].toFixed(4),
    csv: (/** @type {keyof Softened} */ one) => ways[name][one],
  });
  return {
    name: t("averages"),
    file: "scaling-averages",
    class: "hl-scaling-table",
    rows: ["largest", "entropy", "gradient"],
    columns: {
      average: { text: true, head: "", cell: (one) => t(one), csv: (one) => one },
      raw: way("raw"),
      scaled: way("scaled"),
    },
  };
}

/** The variance at every size. @param {Scene} s @returns {Sheet} */
function variances({ t, products, size, set }) {
  /** @type {(head: string, of: (n: number) => number) => Sheet["columns"][string]} */
  const column = (head, of) => ({ head, cell: (n) => of(n).toFixed(2), csv: of });
  return {
    name: t("growth"),
    file: "scaling-variance",
    rows: SIZES,
    chosen: (n) => n === size,
    onChoose: (n) => set({ size: n }),
    columns: {
      d: { head: "d", cell: (n) => n },
      measured: column(t("measured"), (n) => variance(products[n])),
      after: column(t("after"), (n) => divided(products, n)),
    },
  };
}
