// Multiply-adds of an encoder layer as sentence and vectors grow, and measured times beside them.

import { chart } from "../../../assets/kit/chart.js";
import { oneOf, whole } from "../../../assets/kit/keep.js";
import { countText, percentText, powerText, smallText } from "../../../assets/kit/numbers.js";
import { answered, createRequest } from "../../../assets/kit/request.js";
import { createSizes } from "../../../assets/kit/sizes.js";
import { slider } from "../../../assets/kit/slider.js";
import { table } from "../../../assets/kit/table.js";
import { liveView } from "../../../assets/kit/view.js";
import { html } from "../../../assets/vendor/lit-html.js";
import { crossings, PARTS, pace, parts, total } from "./maths.js";

const MAX_TOKENS = 16_384;
const PLACES = 4; // of the slider of N, for each doubling
const WIDTHS = [32, 64, 128, 256, 512, 1024, 2048, 4096];
const POINTS = 60;

/** @typedef {import("../../../assets/kit/types.js").Page} Page */

/** @param {{el: HTMLElement, page: Page}} given */
export function mount({ el, page }) {
  const { t } = page;
  const shown = page.keep(
    { n: 128, d: 256, factor: 4 },
    { n: whole(1, MAX_TOKENS), d: oneOf(WIDTHS), factor: whole(1, 8) },
  );
  const cost = createRequest(page, "cost", { changed: () => view.redraw() });
  const sizes = createSizes(el, () => view.redraw());
  /** @type {any} times are of the model, not of the sentence: they stay while the next are asked */
  let times = null;
  const view = liveView({
    el,
    page,
    stores: [shown],
    template() {
      const record = page.record.get();
      const answer = record === null || record.recorded ? null : cost(record);
      times = answer?.value ?? times;
      const { n, d, factor } = shown.get();
      return html`<div class="hl-cost">
        <form class="hl-stack hl-controls">${controls(page, shown)}</form>
        <section class="hl-stack">
          <h2>${t("cost.counted")}</h2>
          <div class="hl-cost-plot">
            ${chart(page, counted(t, n, d, factor * d), sizes.of(".hl-cost-plot", 300))}</div>
          <p class="hl-note">${t("cost.crossing", crossings(d, factor * d))}</p>
          ${countedTable(t, n, d, factor * d)}
        </section>
        <section class="hl-stack">
          <h2>${t("cost.measured")}</h2>
          ${
            answer !== null &&
            answered(page, times === null ? answer : { ...answer, value: times }, (value) =>
              measured(page, value, sizes),
            )
          }
        </section></div>`;
    },
    drawn: () => sizes.check(),
  });
  return view.end;
}

function controls(/** @type {Page} */ { t }, shown) {
  const { n, d, factor } = shown.get();
  return html`${slider({
    label: t("cost.n"),
    class: "hl-cost-n",
    min: 1,
    max: MAX_TOKENS,
    value: n,
    text: countText,
    scale: {
      last: PLACES * Math.log2(MAX_TOKENS),
      place: (value) => Math.round(PLACES * Math.log2(value)),
      value: (place) => Math.round(2 ** (place / PLACES)),
    },
    onInput: (value) => shown.merge({ n: Math.round(value) }),
  })}
  ${slider({
    label: t("cost.d"),
    class: "hl-cost-d",
    min: 0,
    max: WIDTHS.length - 1,
    value: WIDTHS.indexOf(d),
    text: (i) => String(WIDTHS[i]),
    typed: false,
    onInput: (i) => shown.merge({ d: WIDTHS[i] }),
  })}
  ${slider({
    label: t("cost.factor"),
    class: "hl-cost-factor",
    min: 1,
    max: 8,
    value: factor,
    onInput: (value) => shown.merge({ factor: Math.round(value) }),
  })}
  <p class="hl-note">${t("cost.note")}</p>`;
}

/** Evenly spaced on a logarithmic axis. @returns {[number, number][]} */
const curve = (from, to, /** @type {(n: number) => number} */ of) =>
  Array.from({ length: POINTS + 1 }, (_, i) => {
    const n = from * (to / from) ** (i / POINTS);
    return [n, of(n)];
  });

/** @returns {import("../../../assets/kit/chart.js").Chart} */
function counted(/** @type {Page["t"]} */ t, n, d, dff) {
  const line = (look, name, of) => ({ look, name, points: curve(1, MAX_TOKENS, of) });
  return {
    name: t("cost.plot.name"),
    file: "multiply-adds",
    x: { from: 1, to: MAX_TOKENS, log: true, name: t("cost.axis.n"), text: countText },
    y: {
      from: d,
      to: parts(MAX_TOKENS, d, dff).attention * 2,
      log: true,
      name: t("cost.axis.count"),
      text: powerText,
    },
    lines: [
      ...PARTS.map((part, i) => line(i + 1, t(`cost.${part}`), (one) => parts(one, d, dff)[part])),
      line(4, t("cost.plain"), (one) => one * one * d),
      line(4, "", (one) => one * d * d),
    ],
    marks: [
      { x: n, quiet: true },
      { x: d, name: "N = d" },
    ],
  };
}

function countedTable(/** @type {Page["t"]} */ t, n, d, dff) {
  const counts = parts(n, d, dff);
  const all = total(n, d, dff);
  return table({
    label: t("cost.counted"),
    columns: ["part", "formula", "count", "share"].map((name, i) => ({
      name: t(`cost.head.${name}`, { n, d }),
      text: i < 2,
    })),
    rows: PARTS.map((part) => ({
      class: `hl-cost-${part}`,
      cells: [
        t(`cost.${part}`),
        t(`cost.${part}.formula`),
        countText(counts[part]),
        percentText(counts[part] / all),
      ],
    })),
    foot: [t("cost.all"), "", countText(all), "100 %"],
  });
}

function measured(/** @type {Page} */ page, times, sizes) {
  const { t } = page;
  const { lengths, seconds, d_model: d, d_ff: dff, n_heads: heads, device } = times;
  return html`<p class="hl-note">${t("cost.machine", { device, d, heads, dff })}</p>
    <div class="hl-cost-times">
      ${chart(page, timesChart(t, times), sizes.of(".hl-cost-times", 300))}</div>
    ${table({
      label: t("cost.measured"),
      class: "hl-cost-seconds",
      columns: [{ name: t("cost.axis.n"), text: true }, { name: t("cost.time") }],
      rows: lengths.map((n, i) => ({ cells: [n, `${smallText(1000 * seconds[i])} ms`] })),
    })}`;
}

/** @returns {import("../../../assets/kit/chart.js").Chart} */
function timesChart(/** @type {Page["t"]} */ t, { lengths, seconds, d_model: d, d_ff: dff }) {
  const times = seconds.map((/** @type {number} */ one) => 1000 * one); // ms
  const pitch = pace(lengths, times, d, dff);
  const [first, last] = [lengths[0], lengths[lengths.length - 1]];
  const points = curve(first, last, (n) => pitch * total(n, d, dff));
  const all = [...times, ...points.map(([, value]) => value)];
  const [from, to] = [Math.min(...all) / 1.5, Math.max(...all) * 1.5];
  return {
    name: t("cost.times.name"),
    file: "times",
    x: { from: first / 1.4, to: last * 1.4, log: true, name: t("cost.axis.n"), ticks: lengths },
    y: { from, to, log: true, name: t("cost.axis.time") },
    lines: [
      { look: "dots", name: t("cost.dots"), points: lengths.map((n, i) => [n, times[i]]) },
      { look: 2, name: t("cost.curve"), points },
    ],
  };
}
