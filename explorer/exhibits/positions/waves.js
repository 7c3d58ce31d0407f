// The waves of chosen dimensions over the positions, and the wavelength of each pair.

import { plot } from "../../../assets/kit/chart.js";
import { formula } from "../../../assets/kit/formula.js";
import { powerText } from "../../../assets/kit/numbers.js";
import { pairs, partOf, sinusoid, wavelength } from "../../../assets/kit/sinusoids.js";
import { html, live, nothing } from "../../../assets/vendor/lit-html.js";

const POINTS = 4; // of a curve, between one position and the next
const LEAST = 60; // em of a picture with both charts
const WAVES = 0.62; // of its width

const chosenOf = ({ dimension, others, shape }) => [
  dimension,
  ...others.map((one) => Math.min(one, shape.size - 1)),
];

export function wavesView(s, { width, height, em }) {
  const { t, page, length, shape } = s;
  const chosen = chosenOf(s);
  const isWide = width > LEAST * em;
  const first = { width: isWide ? WAVES * width - em : width, height, em };
  return html`<div class="hl-positions-two">
    <div class="hl-positions-waves">${plot(page, first, waves(t, length, shape, chosen))}</div>
    ${
      isWide
        ? html`<div class="hl-positions-lengths">${plot(
            page,
            { width: (1 - WAVES) * width - em, height, em },
            lengths(t, length, shape, chosen),
          )}</div>`
        : nothing
    }</div>`;
}

/** The dimensions besides the slider's. */
export function otherBoxes({ t, shape, others, set }) {
  const put = (/** @type {number} */ i, /** @type {Event} */ event) => {
    const number = Math.round(Number(/** @type {HTMLInputElement} */ (event.target).value));
    const wanted = Math.max(0, Math.min(shape.size - 1, Number.isFinite(number) ? number : 0));
    set({ others: others.with(i, wanted) });
  };
  return html`<div class="hl-row">${t("waves.others")}
    ${others.map(
      (one, i) => html`<input class="hl-typed" type="number" min="0" max=${shape.size - 1}
        aria-label=${t("waves.box", { n: i + 2 })}
        .value=${live(String(Math.min(one, shape.size - 1)))}
        @change=${(event) => put(i, event)}>`,
    )}</div>`;
}

/** The wavelengths of the chosen dimensions. */
export function lengthSheet(s) {
  const { t, shape } = s;
  const part = (one) => nameOf(one, shape);
  const turn = (one) => wavelength(part(one).pair, shape);
  return {
    name: t("waves.lengths"),
    file: "wavelengths",
    rows: chosenOf(s),
    columns: {
      dimension: {
        head: t("waves.dimension"),
        cell: (one) => `${one} (${part(one).function})`,
        csv: (one) => one,
      },
      pair: { head: t("waves.pair"), cell: (one) => part(one).pair },
      wavelength: {
        head: t("waves.turn"),
        cell: (one) =>
          formula(
            t("waves.formula", {
              base: shape.base,
              power: `${2 * part(one).pair}/${shape.size}`,
              turn: turn(one).toFixed(2),
            }),
          ),
        csv: turn,
      },
    },
  };
}

/** @param {number} dimension @param {import("../../../assets/kit/sinusoids.js").Shape} shape */
function nameOf(dimension, shape) {
  const { pair, cosine } = partOf(dimension, shape);
  return { dimension, pair, function: cosine ? "cos" : "sin" };
}

/** @returns {import("../../../assets/kit/chart.js").Chart} */
const waves = (t, length, shape, chosen) => ({
  name: t("waves.name"),
  file: "waves",
  x: { from: 1, to: length, name: t("axis.position") },
  y: { from: -1.1, to: 1.1, name: "PE(pos)", ticks: [-1, 0, 1] },
  lines: chosen.map((one, i) => ({
    points: wave(one, length, shape),
    look: i + 1,
    name: t("waves.line", nameOf(one, shape)),
  })),
});

/** @returns {[number, number][]} */
const wave = (/** @type {number} */ dimension, /** @type {number} */ length, shape) =>
  Array.from({ length: (length - 1) * POINTS + 1 }, (_, i) => [
    1 + i / POINTS,
    sinusoid(i / POINTS, dimension, shape),
  ]);

/** @returns {import("../../../assets/kit/chart.js").Chart} */
function lengths(t, length, shape, chosen) {
  const last = pairs(shape) - 1;
  /** @returns {[number, number]} */
  const point = (/** @type {number} */ i) => [i, wavelength(i, shape)];
  const own = chosen.map((one) => point(partOf(one, shape).pair));
  return {
    name: t("waves.lengths.name"),
    file: "wavelengths",
    legend: false,
    x: { from: 0, to: Math.max(1, last), name: t("axis.pair") },
    y: {
      from: 1,
      to: Math.max(wavelength(last, shape), length) * 1.6,
      log: true,
      name: t("axis.turn"),
      text: powerText,
    },
    lines: [
      { points: Array.from({ length: last + 1 }, (_, i) => point(i)), look: 2, name: "" },
      { points: own, look: "dots", name: "" },
    ],
    marks: [{ y: length, name: t("waves.window", { length }), quiet: true }],
  };
}
