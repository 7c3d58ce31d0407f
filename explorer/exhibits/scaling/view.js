// Why sqrt(d_k): random queries and keys, the spread of their products, and what softmax makes of
// it.

import { bars } from "../../../assets/kit/bars.js";
import { chart, legend, sizeOf } from "../../../assets/kit/chart.js";
import { oneOf, whole } from "../../../assets/kit/keep.js";
import { smallText } from "../../../assets/kit/numbers.js";
import { slider } from "../../../assets/kit/slider.js";
import { table } from "../../../assets/kit/table.js";
import { liveView } from "../../../assets/kit/view.js";
import { html } from "../../../assets/vendor/lit-html.js";
import { drawn, histogram, KEYS, SIZES, softened, variance, weightsOf } from "./maths.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */

const COUNTS = [10, 25, 50, 100]; // queries drawn; each has KEYS keys
const BINS = 41;
const WAYS = { raw: () => 1, scaled: Math.sqrt }; // what the products of size d are divided by

/** @param {{el: HTMLElement, page: Page}} given */
export function mount({ el, page }) {
  const at = page.keep(
    { size: 64, queries: 50, seed: 1, query: 0 },
    {
      ...{ size: oneOf(SIZES), queries: oneOf(COUNTS) },
      ...{ seed: whole(0, 100), query: whole(0, Math.max(...COUNTS) - 1) },
    },
  );
  /** @type {any} */
  let kept = {}; // drawn vectors; the size only says how much of them counts
  const productsOf = ({ queries, seed }) => {
    const key = `${queries} ${seed}`;
    if (kept.key !== key) kept = { key, products: drawn(queries, seed) };
    return kept.products;
  };
  const view = liveView({
    el,
    page,
    stores: [at],
    template() {
      const { query, ...now } = at.get();
      const state = { ...now, query: Math.min(query, now.queries - 1) };
      const products = productsOf(state);
      const size = sizeOf(el.querySelector(".hl-scaling-plot"), { height: 250 });
      return html`<div class="hl-scaling">
        ${controls(page, at)}
        <section class="hl-stack hl-scaling-plot">
          <h2>${page.t("scaling.spread")}</h2>
          ${spread(page, products[state.size], state.size, size)}
        </section>
        <section class="hl-stack">
          <h2>${page.t("scaling.growth")}</h2>
          ${growth(page, products, state.size, size)}
        </section>
        ${weights(page, products[state.size], state)}
      </div>`;
    },
  });
  return view.end;
}

function controls(/** @type {Page} */ { t }, at) {
  const { size, queries, seed, query } = at.get();
  const last = (list) => list.length - 1;
  const count = (i) => {
    const fewer = { queries: COUNTS[i], query: Math.min(query, COUNTS[i] - 1) };
    at.merge(fewer);
  };
  return html`<div class="hl-stack hl-controls">
    ${slider({
      ...{ label: t("scaling.size"), class: "hl-scaling-size", typed: false },
      ...{ min: 0, max: last(SIZES), value: SIZES.indexOf(size), text: (i) => String(SIZES[i]) },
      onInput: (i) => at.merge({ size: SIZES[i] }),
    })}
    ${slider({
      ...{ label: t("scaling.count"), typed: false, min: 0, max: last(COUNTS) },
      ...{ value: COUNTS.indexOf(queries), text: (i) => String(COUNTS[i] * KEYS), onInput: count },
    })}
    ${slider({
      ...{ label: t("scaling.seed"), min: 0, max: 100, value: seed },
      onInput: (value) => at.merge({ seed: value }),
    })}
    ${slider({
      ...{ label: t("scaling.query"), min: 1, max: queries, value: query + 1 },
      onInput: (value) => at.merge({ query: value - 1 }),
    })}
    <p class="hl-note">${t("scaling.note", { keys: KEYS })}</p>
  </div>`;
}

/** How the products spread, and the normal curve of variance d beside them. */
function spread(/** @type {Page} */ page, products, d, size) {
  const { t } = page;
  const end = 4 * Math.sqrt(d);
  const width = (2 * end) / BINS;
  const bins = histogram(products, end, BINS).map((count) => count / (products.length * width));
  const density = (x) => Math.exp(-(x * x) / (2 * d)) / Math.sqrt(2 * Math.PI * d);
  const xs = Array.from({ length: 121 }, (_, i) => -end + (i * 2 * end) / 120);
  const values = { d, measured: variance(products).toFixed(2), count: products.length };
  const text = (value) => String(Number(value.toPrecision(3))).replace("-", "−");
  return [
    chart(
      page,
      {
        ...{ name: t("scaling.spread.name"), file: "spread", legend: false },
        x: { from: -end, to: end, name: "q · k", text },
        y: { from: 0, to: 1.15 * Math.max(...bins, density(0)), name: t("scaling.share"), text },
        lines: [
          {
            points: bins.flatMap((height, i) => [
              [-end + i * width, height],
              [-end + (i + 1) * width, height],
            ]),
            ...{ look: 1, name: t("scaling.measured") },
          },
          { points: xs.map((x) => [x, density(x)]), look: 2, name: t("scaling.normal") },
        ],
      },
      size,
    ),
    html`<p class="hl-scaling-said" role="status">
      ${t("scaling.spread.said", { ...values, deviation: Math.sqrt(d).toFixed(2) })}</p>`,
  ];
}

/** The variance at every size, against d. */
function growth(/** @type {Page} */ page, products, d, size) {
  const { t } = page;
  const after = (n) => variance(products[n].map((one) => one / Math.sqrt(n)));
  /** @type {import("../../../assets/kit/chart.js").Line[]} */
  const lines = [
    { points: SIZES.map((n) => [n, n]), look: 2, name: t("scaling.theory") },
    { points: SIZES.map((n) => [n, after(n)]), look: 3, name: t("scaling.after") },
    {
      points: SIZES.map((n) => [n, variance(products[n])]),
      look: "dots",
      name: t("scaling.measured"),
    },
  ];
  return [
    chart(
      page,
      {
        ...{ name: t("scaling.growth.name"), file: "variance", lines, legend: false },
        x: { from: 0.8, to: 700, log: true, name: "d", ticks: [1, 4, 16, 64, 256] },
        y: { from: 0.3, to: 1500, log: true, name: t("scaling.variance") },
        marks: [{ x: d, quiet: true }],
      },
      size,
    ),
    legend(lines),
  ];
}

/** The weights of one query over its keys, and the averages over all queries, in both ways. */
function weights(/** @type {Page} */ { t }, products, { size, query }) {
  const names = Object.keys(WAYS);
  const made = names.map((way) => softened(products, WAYS[way](size)));
  const one = (way) => html`<h3>${t(`scaling.${way}`, { d: size })}</h3>
    ${bars({
      class: `hl-scaling-${way}`,
      label: t(`scaling.${way}`, { d: size }),
      bars: Array.from(weightsOf(products, query, WAYS[way](size)), (weight, key) => ({
        name: t("scaling.key", { n: key + 1 }),
        share: weight,
        text: weight >= 0.001 ? weight.toFixed(3) : smallText(weight),
      })),
    })}`;
  return html`<div class="hl-stack">
    ${names.map(one)}
    ${table({
      ...{ label: t("scaling.averages"), class: "hl-scaling-table" },
      columns: [
        { name: t("scaling.averages"), text: true },
        ...names.map((way) => ({ name: t(`scaling.${way}.short`) })),
      ],
      rows: ["largest", "entropy", "gradient"].map((name) => ({
        class: `hl-scaling-${name}`,
        cells: [t(`scaling.${name}`), ...made.map((values) => values[name].toFixed(4))],
      })),
    })}
    <p class="hl-note">${t("scaling.why")}</p>
  </div>`;
}
