// Embedding times sqrt(d_model), position and their sum, of one token of the sentence: the model's
// own numbers.

import { downloads } from "../../../assets/kit/download.js";
import { dot, largestDeviation } from "../../../assets/kit/matrix.js";
import { signedText, smallText } from "../../../assets/kit/numbers.js";
import { unpack } from "../../../assets/kit/packing.js";
import { pending } from "../../../assets/kit/request.js";
import { mostOf, signedCells, signedScale } from "../../../assets/kit/signed.js";
import { sinusoids } from "../../../assets/kit/sinusoids.js";
import { table } from "../../../assets/kit/table.js";
import { token } from "../../../assets/kit/token.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";

const SIDES = ["source", "target"];
const ARRAYS = ["embedding", "position", "sum"];
const WINDOW = 8; // dimensions that are shown as numbers

/** @typedef {import("./view.js").Scene} Scene */
/** @typedef {import("../../../assets/kit/types.js").Page} Page */
/** @typedef {Record<string, any>} Vectors embedding (times the factor), position, sum */

/** The reply of Python with its arrays unpacked. @param {any} reply @param {number} base */
export async function decodeSums({ d_model: size, layout, ...reply }, base) {
  const shape = { size, base, layout };
  const side = async (/** @type {string} */ name) => {
    const arrays = await Promise.all(ARRAYS.map((one) => unpack(reply[name][one], Float32Array)));
    const vectors = Object.fromEntries(ARRAYS.map((one, i) => [one, arrays[i]]));
    const { tokens } = reply[name];
    return { ...vectors, tokens, off: deviations({ tokens, ...vectors }, shape) };
  };
  return { shape, source: await side("source"), target: await side("target") };
}

/** The largest deviations: of embedding + position from the sum, of the positions from the formula.
 * @param {any} side @param {import("../../../assets/kit/sinusoids.js").Shape} shape */
export function deviations(side, shape) {
  const added = side.embedding.map((value, i) => value + side.position[i]);
  return {
    sum: largestDeviation(added, side.sum),
    formula: largestDeviation(side.position, sinusoids(side.tokens, shape)),
  };
}

/** @param {Scene} scene */
export function sumView(scene) {
  const { page, state, answer, change } = scene;
  const record = page.record.get();
  if (record === null || answer === null) return nothing;
  const { src, step } = page.selection.get();
  const labels = { source: record.src, target: record.tgt_in };
  const at = state.side === "source" ? src : step;
  const choose = (/** @type {string} */ side, /** @type {number} */ i) => {
    change({ side });
    page.choose(side === "source" ? { src: i } : { step: i });
  };
  return html`<div class="hl-stack">
    ${SIDES.map(
      (
        side,
      ) => html`<div class="hl-sum-line"><span class="hl-side">${page.t(`strip.${side}`)}</span>
        <div class="hl-sum-tokens">${labels[side].map((label, i) =>
          token(label, {
            pressed: side === state.side && i === at,
            class: side === state.side && i === at ? "hl-here" : "",
            onClick: () => choose(side, i),
          }),
        )}</div></div>`,
    )}
    ${answer.value === null ? pending(page, answer) : sum(scene, answer.value, at)}
  </div>`;
}

/** @param {Scene} scene @param {any} sums @param {number} at */
function sum(scene, { shape, ...sides }, at) {
  const { page, state } = scene;
  const side = sides[state.side];
  const own = (/** @type {string} */ name) =>
    side[name].subarray(at * shape.size, (at + 1) * shape.size);
  const vectors = Object.fromEntries(ARRAYS.map((name) => [name, own(name)]));
  const { t } = page;
  const { positions: usual } = page.shared.interventions.defaults;
  const isUsual = (page.record.get()?.interventions.positions ?? usual) === usual;
  return [
    strips(scene, vectors),
    numbers(scene, vectors),
    isUsual ? nothing : html`<p>${t("positions.sum.modified")}</p>`,
    html`<p class="hl-positions-readout" aria-live="polite">${norms(t, vectors, at)}</p>
      <p class="hl-note">${t("positions.sum.check", {
        sum: smallText(side.off.sum),
        formula: smallText(side.off.formula),
        layout: t(`positions.layout.${shape.layout}`),
      })}</p>`,
    downloads(page, `sum-${state.side}-${at + 1}`, {
      csv: () => [
        ["dimension", ...ARRAYS],
        ...Array.from(vectors.sum, (_, i) => [i + 1, ...ARRAYS.map((name) => vectors[name][i])]),
      ],
    }),
  ];
}

/** @param {Scene} scene @param {Vectors} vectors */
function strips({ page, change }, vectors) {
  const { t, theme } = page;
  const size = vectors.sum.length;
  const most = Math.max(...ARRAYS.map((name) => mostOf(vectors[name])));
  const choose = (/** @type {any} */ event) =>
    change({ dimension: Math.floor((event.offsetX / event.target.clientWidth) * size) });
  return html`<div class="hl-sum-strips">
    ${ARRAYS.map((one) => {
      const name = t(`positions.sum.${one}`);
      const look = { rows: 1, columns: size, theme: theme.get(), most, onClick: choose };
      return html`<span>${name}</span>${signedCells({ cells: vectors[one], name, ...look })}`;
    })}
    <span>${t("positions.sum.scale")}</span>
    ${signedScale(theme.get(), most, (value) => signedText(value, 2))}
  </div>`;
}

/** @param {Scene} scene @param {Vectors} vectors */
function numbers(scene, vectors) {
  const { page, state } = scene;
  const { embedding, position, sum: total } = vectors;
  const { t } = page;
  const size = total.length;
  const here = Math.min(state.dimension, size - 1);
  const first = Math.max(0, Math.min(size - WINDOW, here - WINDOW / 2));
  const columns = Array.from({ length: Math.min(WINDOW, size) }, (_, i) => first + i);
  const factor = Math.sqrt(size);
  const bold = (/** @type {number} */ i, /** @type {unknown} */ text) =>
    i === here ? html`<strong>${text}</strong>` : text;
  const row = (/** @type {string} */ name, /** @type {(i: number) => number} */ read) => ({
    cells: [name, ...columns.map((i) => bold(i, signedText(read(i), 4)))],
  });
  return table({
    label: t("positions.sum.dimension"),
    class: "hl-sum-numbers",
    columns: [
      { name: t("positions.sum.dimension"), text: true },
      ...columns.map((i) => ({ name: bold(i, i + 1) })),
    ],
    rows: [
      row(t("positions.sum.raw"), (i) => embedding[i] / factor),
      row(t("positions.sum.times", { factor: Number(factor.toFixed(4)) }), (i) => embedding[i]),
      row(t("positions.sum.plus"), (i) => position[i]),
      row(t("positions.sum.equals"), (i) => total[i]),
    ],
  });
}

/** @param {Page["t"]} t @param {Vectors} vectors @param {number} at */
function norms(t, { embedding, position, sum: total }, at) {
  const size = total.length;
  const factor = Math.sqrt(size);
  const norm = (/** @type {Float32Array} */ vector) => Math.sqrt(dot(vector, vector));
  return t("positions.sum.norms", {
    raw: (norm(embedding) / factor).toFixed(3),
    scaled: norm(embedding).toFixed(3),
    position: norm(position).toFixed(3),
    sum: norm(total).toFixed(3),
    factor: Number(factor.toFixed(4)),
    size,
    token: at,
  });
}
