// The waves of chosen dimensions over the positions, and how long the wave of each pair is.

import { chart } from "../../../assets/kit/chart.js";
import { powerText } from "../../../assets/kit/numbers.js";
import { pairs, partOf, sinusoid, wavelength } from "../../../assets/kit/sinusoids.js";
import { table } from "../../../assets/kit/table.js";
import { html, live } from "../../../assets/vendor/lit-html.js";

const POINTS = 4; // of a curve, between one position and the next

/** @typedef {import("./view.js").Scene} Scene */

/** @param {Scene} scene */
export function wavesView(scene) {
  const { page, state, shape, sizes, height } = scene;
  const { t } = page;
  const chosen = [state.dimension, ...state.others.map((one) => Math.min(one, shape.size - 1))];
  return html`<div class="hl-split hl-wide-left">
    <div class="hl-stack">
      ${boxes(scene, chosen.slice(1))}
      <div class="hl-positions-waves">
        ${chart(page, waves(t, state.length, shape, chosen), sizes.of(".hl-positions-waves", height))}
      </div>
    </div>
    <div class="hl-stack">
      <h3>${t("positions.waves.lengths")}</h3>
      <div class="hl-positions-lengths">
        ${chart(
          page,
          lengths(t, state.length, shape, chosen),
          sizes.of(".hl-positions-lengths", height * 0.6),
        )}</div>
      ${table({
        label: t("positions.waves.lengths"),
        columns: ["dimension", "pair", "turn"].map((name) => ({
          name: t(`positions.waves.${name}`),
          text: true,
        })),
        rows: chosen.map((one) => ({ cells: wavelengthCells(t, one, shape) })),
      })}
    </div>
  </div>`;
}

/** The dimensions beside the one of the slider. @param {Scene} scene @param {number[]} others */
function boxes({ page, shape, change }, others) {
  const { t } = page;
  const put = (/** @type {number} */ i, /** @type {Event} */ event) => {
    const number = Math.round(Number(/** @type {HTMLInputElement} */ (event.target).value)) - 1;
    const wanted = Math.max(0, Math.min(shape.size - 1, Number.isFinite(number) ? number : 0));
    change({ others: others.map((one, j) => (j === i ? wanted : one)) });
  };
  return html`<div class="hl-row">${t("positions.waves.others")}
    ${others.map(
      (one, i) => html`<input class="hl-typed" type="number" min="1" max=${shape.size}
        aria-label=${t("positions.waves.box", { n: i + 2 })} .value=${live(String(one + 1))}
        @change=${(event) => put(i, event)}>`,
    )}</div>`;
}

/** @param {number} dimension @param {import("../../../assets/kit/sinusoids.js").Shape} shape */
function nameOf(dimension, shape) {
  const { pair, cosine } = partOf(dimension, shape);
  return { dimension: dimension + 1, pair, function: cosine ? "cos" : "sin" };
}

/** @returns {import("../../../assets/kit/chart.js").Chart} */
const waves = (t, length, shape, chosen) => ({
  name: t("positions.waves.name"),
  file: "waves",
  x: { from: 0, to: length - 1, name: t("positions.axis.position") },
  y: { from: -1.1, to: 1.1, name: "PE(pos)", ticks: [-1, 0, 1] },
  lines: chosen.map((one, i) => ({
    points: wave(one, length, shape),
    look: i + 1,
    name: t("positions.waves.line", nameOf(one, shape)),
  })),
});

/** @returns {[number, number][]} */
const wave = (/** @type {number} */ dimension, /** @type {number} */ length, shape) =>
  Array.from({ length: (length - 1) * POINTS + 1 }, (_, i) => [
    i / POINTS,
    sinusoid(i / POINTS, dimension, shape),
  ]);

/** @returns {import("../../../assets/kit/chart.js").Chart} */
function lengths(t, length, shape, chosen) {
  const last = pairs(shape) - 1;
  /** @returns {[number, number]} */
  const point = (/** @type {number} */ i) => [i, wavelength(i, shape)];
  const own = chosen.map((one) => point(partOf(one, shape).pair));
  return {
    name: t("positions.waves.lengths.name"),
    file: "wavelengths",
    legend: false,
    x: { from: 0, to: Math.max(1, last), name: t("positions.axis.pair") },
    y: {
      from: 1,
      to: Math.max(wavelength(last, shape), length) * 1.6,
      log: true,
      name: t("positions.axis.turn"),
      text: powerText,
    },
    lines: [
      { points: Array.from({ length: last + 1 }, (_, i) => point(i)), look: 2, name: "" },
      { points: own, look: "dots", name: "" },
    ],
    marks: [{ y: length, name: t("positions.waves.window", { length }), quiet: true }],
  };
}

function wavelengthCells(t, dimension, shape) {
  const { pair, function: name } = nameOf(dimension, shape);
  const power = `${2 * pair}/${shape.size}`;
  const turn = wavelength(pair, shape).toFixed(2);
  return [
    `${dimension + 1} (${name})`,
    pair,
    t("positions.waves.formula", { base: shape.base, power, turn }),
  ];
}
