// Why sqrt(d_k): random queries and keys, the spread of their products, and its effect on softmax.

import { bars } from "../../../assets/kit/bars.js";
import { plot } from "../../../assets/kit/chart.js";
import { exhibit } from "../../../assets/kit/exhibit.js";
import { choice, index, range, stops } from "../../../assets/kit/fields.js";
import { memo } from "../../../assets/kit/memo.js";
import { percentText, smallText } from "../../../assets/kit/numbers.js";
import { html } from "../../../assets/vendor/lit-html.js";
import { drawn, histogram, KEYS, SIZES, softened, variance, weightsOf } from "./maths.js";

const COUNTS = [10, 25, 50, 100]; // number of random queries; each has KEYS keys
const BINS = 41;
const WAYS = { raw: () => 1, scaled: Math.sqrt }; // the divisor of the products of size d

const vectors = memo(drawn); // the size selects the part to use

export const { mount } = exhibit({
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
    const ways = Object.entries(WAYS).map(([name, by]) => {
      return [name, softened(products[size], by(size))];
    });
    return {
      products,
      own: products[size],
      query: Math.min(query, queries - 1),
      ways: Object.fromEntries(ways),
    };
  },
  finding: ({ t, size, ways }) =>
    t("finding", {
      d: size,
      raw: percentText(ways.raw.largest),
      scaled: percentText(ways.scaled.largest),
    }),
  picture: (s, size) => {
    if (s.show === "weights") return weights(s);
    return plot(s.page, size, s.show === "spread" ? spread(s) : growth(s));
  },
  controls: ["show", "size"],
  adjust: ["queries", "seed", "query"],
  numbers: (s) => [averages(s), variances(s)],
  reading: ({ t, own, size }) => html`<p>${t("why")}</p>
    <p>${t("spread.said", {
      d: size,
      measured: variance(own).toFixed(2),
      count: own.length,
      deviation: Math.sqrt(size).toFixed(2),
    })}</p><p>${t("note", { keys: KEYS })}</p>`,
});

/** The weights of one query over its keys, scaled and unscaled. */
function weights({ t, own, size, query }) {
  const one = (way) => html`<div>
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
  return html`<div class="hl-pair">${Object.keys(WAYS).map(one)}</div>`;
}

/** The distribution of the products, with the normal curve of variance d. */
function spread({ t, own, size: d }) {
  const end = 4 * Math.sqrt(d);
  const width = (2 * end) / BINS;
  const bins = histogram(own, end, BINS).map((count) => count / (own.length * width));
  const density = (x) => Math.exp(-(x * x) / (2 * d)) / Math.sqrt(2 * Math.PI * d);
  const xs = Array.from({ length: 121 }, (_, i) => -end + (i * 2 * end) / 120);
  const text = (value) => String(Number(value.toPrecision(3))).replace("-", "−");
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

const divided = (products, n) => variance(products[n].map((one) => one / Math.sqrt(n)));

/** The variance at every size, against d. */
function growth({ t, products, size: d }) {
  const line = (of) => SIZES.map((n) => [n, of(n)]);
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
      { points: measured, look: /** @type {"dots"} */ ("dots"), name: t("measured") },
    ],
  };
}

/** The averages over all queries, scaled and unscaled. */
function averages({ t, ways }) {
  const way = (name) => ({
    head: t(`${name}.short`),
    cell: (one) => ways[name][one].toFixed(4),
    csv: (one) => ways[name][one],
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

function variances({ t, products, size, set }) {
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
