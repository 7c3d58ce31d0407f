// Why sqrt(d_k): drawn queries and keys, the spread of their products, and what softmax makes of it.

import { slider } from "../controls.js";
import { colourOf, cssOf, ramps } from "../colour.js";
import { element } from "../elements.js";
import { drawInPanel, room } from "../panel.js";
import { legend, plot, powerText } from "../plot.js";
import { theme } from "../state.js";
import { language, number, t } from "../words.js";
import { KEYS, SIZES, drawn, histogram, softened, variance, weightsOf } from "./scaling_maths.js";

const COUNTS = [10, 25, 50, 100]; // queries drawn; each has KEYS keys
const BINS = 41;
const WAYS = ["raw", "scaled"];

export function mount(root) {
  const frame = root.querySelector(".hl-scaling");
  const at = (name) => root.querySelector(`#hl-scaling-${name}`);
  const state = { size: 64, queries: 50, seed: 1, query: 0 };
  let kept = { key: "", products: null }; // drawn vectors; the size only says how much of them counts

  const redraw = drawInPanel(root, [theme, language], () => {
    room(frame);
    const key = `${state.queries} ${state.seed}`;
    if (kept.key !== key) kept = { key, products: drawn(state.queries, state.seed) };
    drawSpread(at("spread"), at("spread-said"), kept.products, state);
    drawGrowth(at("growth"), at("growth-names"), kept.products, state);
    const ramp = ramps[theme.get()];
    for (const way of WAYS) drawWeights(at(way), kept.products[state.size], state, way, ramp);
    at("table").replaceChildren(...table(kept.products, state));
  });

  const change = (changes) => {
    Object.assign(state, changes);
    state.query = Math.min(state.query, state.queries - 1);
    query.limit(state.queries);
    query.set(number(state.query));
    redraw();
  };
  const query = slider({ id: "hl-scaling-query", words: "scaling.query", min: 1, max: state.queries, value: 1, onInput: (value) => change({ query: value - 1 }) });
  const sliders = [
    slider({ id: "hl-scaling-size", words: "scaling.size", min: 0, max: SIZES.length - 1, value: SIZES.indexOf(state.size), text: (i) => String(SIZES[i]), onInput: (i) => change({ size: SIZES[i] }) }),
    slider({ id: "hl-scaling-count", words: "scaling.count", min: 0, max: COUNTS.length - 1, value: COUNTS.indexOf(state.queries), text: (i) => String(COUNTS[i] * KEYS), onInput: (i) => change({ queries: COUNTS[i] }) }),
    slider({ id: "hl-scaling-seed", words: "scaling.seed", min: 0, max: 100, value: state.seed, onInput: (value) => change({ seed: value }) }),
    query,
  ];
  at("controls").append(...sliders.map(({ node }) => node), element("p", { class: "hl-note", "data-t": "scaling.note" }));
}

// How the products spread, and the normal curve of variance d beside them.
function drawSpread(area, said, products, { size }) {
  const own = products[size];
  const end = 4 * Math.sqrt(size);
  const width = (2 * end) / BINS;
  const bars = histogram(own, end, BINS).map((count) => count / (own.length * width));
  const steps = bars.flatMap((height, i) => [[-end + i * width, height], [-end + (i + 1) * width, height]]);
  const curve = Array.from({ length: 121 }, (_, i) => {
    const x = -end + (i * 2 * end) / 120;
    return [x, Math.exp(-(x * x) / (2 * size)) / Math.sqrt(2 * Math.PI * size)];
  });
  const most = 1.15 * Math.max(...bars, curve[60][1]);
  plot(area, {
    name: t("scaling.spread.name"), x: { from: -end, to: end, name: "q · k", text: (value) => String(value).replace("-", "−") },
    y: { from: 0, to: most, name: t("scaling.share"), text: (value) => String(Number(value.toPrecision(2))) },
    lines: [{ points: steps, look: 1 }, { points: curve, look: 2 }],
  });
  said.textContent = t("scaling.spread.said", { d: size, measured: variance(own).toFixed(2), count: own.length, deviation: Math.sqrt(size).toFixed(2) });
}

// The variance at every size, against d.
function drawGrowth(area, names, products, { size }) {
  const measured = SIZES.map((d) => [d, variance(products[d])]);
  plot(area, {
    name: t("scaling.growth.name"),
    x: { from: 0.8, to: 700, log: true, name: "d", ticks: [1, 4, 16, 64, 256] },
    y: { from: 0.3, to: 1500, log: true, name: t("scaling.variance"), text: powerText },
    lines: [{ points: SIZES.map((d) => [d, d]), look: 2 }, { points: SIZES.map((d) => [d, variance(products[d].map((one) => one / Math.sqrt(d)))]), look: 3 }, { points: measured, look: "dots" }],
    marks: [{ x: size, quiet: true }],
  });
  names.replaceChildren(legend([
    { look: "dots", name: t("scaling.measured") }, { look: 2, name: t("scaling.theory") }, { look: 3, name: t("scaling.after") },
  ]));
}

// The weights of one query over its keys, as bars with numbers.
function drawWeights(area, products, { size, query }, way, ramp) {
  const weights = weightsOf(products, query, way === "raw" ? 1 : Math.sqrt(size));
  area.replaceChildren(
    element("h3", {}, t(`scaling.${way}`, { d: size })),
    element("ol", { class: "hl-scaling-bars" }, ...Array.from(weights, (weight, key) => element("li", {},
      element("span", {}, t("scaling.key", { n: number(key) })),
      element("i", { style: `--share:${weight};background:${cssOf(colourOf(ramp, 0.25 + 0.75 * weight))}` }),
      element("b", {}, weight >= 0.001 ? weight.toFixed(3) : weight.toExponential(0))))));
}

// Averages over all queries, not scaled and scaled.
function table(products, { size }) {
  const found = { raw: softened(products[size], 1), scaled: softened(products[size], Math.sqrt(size)) };
  const rows = ["largest", "entropy", "gradient"].map((name) => element("tr", { "data-row": name },
    element("th", { scope: "row" }, t(`scaling.${name}`)),
    ...WAYS.map((way) => element("td", {}, found[way][name].toFixed(4)))));
  return [
    element("thead", {}, element("tr", {}, element("th", {}, t("scaling.averages")), ...WAYS.map((way) => element("th", { scope: "col" }, t(`scaling.${way}.short`))))),
    element("tbody", {}, ...rows),
  ];
}
