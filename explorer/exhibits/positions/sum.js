// Embedding times its factor (sqrt(d_model), or 1), position and their sum, of one token of the
// sentence: the model's own numbers.

import { dot, largestDeviation } from "../../../assets/kit/algebra.js";
import { signedText, smallText } from "../../../assets/kit/numbers.js";
import { unpack } from "../../../assets/kit/packing.js";
import { mostOf, signedCells, signedScale } from "../../../assets/kit/signed.js";
import { sinusoids } from "../../../assets/kit/sinusoids.js";
import { table } from "../../../assets/kit/table.js";
import { token } from "../../../assets/kit/token.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { decodeOwn } from "./own.js";

const SIDES = ["source", "target"];
const ARRAYS = ["embedding", "position", "sum"];
const WINDOW = 8; // dimensions shown as numbers

/** @typedef {import("../../../assets/kit/types.js").Page} Page */
/** @typedef {Record<string, any>} Vectors embedding (times the factor), position, sum */
/** @typedef {ReturnType<typeof factored>} Factor */

/** Positions that are not the waves drawn, and the word for them. @type {Record<string, string>} */
const FOREIGN = { none: "none", learned: "learned", relative: "relative", fairseq: "others" };

/** The reply of Python with its arrays unpacked. @param {any} reply */
export async function decodeSums({ d_model: size, base, layout, scale, normed, own, ...reply }) {
  const foreign = FOREIGN[layout] ?? null;
  const shape = { size, base, layout: foreign ? "interleaved" : layout };
  const side = async (/** @type {string} */ name) => {
    const arrays = await Promise.all(ARRAYS.map((one) => unpack(reply[name][one], Float32Array)));
    const vectors = Object.fromEntries(ARRAYS.map((one, i) => [one, arrays[i]]));
    const { tokens } = reply[name];
    return { ...vectors, tokens, off: deviations({ tokens, ...vectors }, shape) };
  };
  return {
    shape,
    scale,
    normed,
    foreign,
    own: await decodeOwn(own, size),
    source: await side("source"),
    target: await side("target"),
  };
}

/**
 * The embedding before its factor, the factor, and the name of the product; `times` is null if
 * there is none. @param {Vectors} vectors @param {number} scale
 */
export function factored({ embedding }, scale) {
  const raw = embedding.map((/** @type {number} */ value) => value / scale);
  return scale === 1
    ? { raw, times: null, name: "embedding_plain" }
    : { raw, times: Number(scale.toFixed(4)), name: "embedding" };
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

/** The vectors of the chosen token. */
function chosenOf({ record, selection: { src, step }, side, answer }) {
  const { shape, scale, normed, foreign, ...sides } = answer;
  const labels = { source: record.src, target: record.tgt_in };
  const at = Math.min(side === "source" ? src : step, labels[side].length - 1);
  const own = (/** @type {string} */ name) =>
    sides[side][name].subarray(at * shape.size, (at + 1) * shape.size);
  const vectors = Object.fromEntries(ARRAYS.map((name) => [name, own(name)]));
  const factor = factored(vectors, scale);
  return { labels, at, vectors, factor, normed, foreign, off: sides[side].off };
}

/** @param {any} s */
export function sumView(s) {
  const { page, set, side: chosen } = s;
  const { labels, at, vectors, factor, normed } = chosenOf(s);
  const choose = (/** @type {string} */ side, /** @type {number} */ i) => {
    set({ side });
    page.choose(side === "source" ? { src: i } : { step: i });
  };
  const tokensOf = (/** @type {string} */ side) =>
    labels[side].map((label, i) => {
      const isHere = side === chosen && i === at;
      return token(label, {
        pressed: isHere,
        class: isHere ? "hl-here" : "",
        onClick: () => choose(side, i),
      });
    });
  return html`<div class="hl-sum">
    ${SIDES.map(
      (side) => html`<div class="hl-sum-line">
        <span class="hl-side">${page.t(`strip.${side}`)}</span>
        <div class="hl-sum-tokens">${tokensOf(side)}</div></div>`,
    )}
    ${strips(s, vectors, factor, normed)} ${numbers(s, vectors, factor, normed)}
  </div>`;
}

/** The lengths of the two parts of the sum. */
export function sumFinding(s) {
  const { labels, at, vectors } = chosenOf(s);
  const length = (/** @type {string} */ name) => norm(vectors[name]).toFixed(2);
  return s.say("finding.sum", {
    token: labels[s.side][at],
    position: length("position"),
    embedding: length("embedding"),
  });
}

export function sumReading(s) {
  const { t, page, record, answer } = s;
  const { at, vectors, factor, normed, foreign, off } = chosenOf(s);
  const { positions: usual } = page.shared.interventions.defaults;
  const isUsual = (record.interventions.positions ?? usual) === usual;
  return html`${isUsual ? nothing : html`<p>${t("sum.modified")}</p>`}
    <p class="hl-positions-readout">${norms(t, vectors, factor, at)}</p>
    ${
      foreign || normed
        ? nothing
        : html`<p class="hl-note">${t("sum.check", {
            sum: smallText(off.sum),
            formula: smallText(off.formula),
            layout: t(`layout.${answer.shape.layout}`),
          })}</p>`
    }`;
}

/** Every dimension of the chosen token's vectors. */
export function sumRows(s) {
  const { vectors } = chosenOf(s);
  return [
    ["dimension", ...ARRAYS],
    ...Array.from(vectors.sum, (_, i) => [i, ...ARRAYS.map((name) => vectors[name][i])]),
  ];
}

/** @param {Float32Array} vector */
const norm = (vector) => Math.sqrt(dot(vector, vector));

/** @param {any} s @param {Vectors} vectors @param {Factor} factor @param {boolean} normed */
function strips({ t, page: { theme }, set }, vectors, factor, normed) {
  const words = { embedding: factor.name, sum: normed ? "normed" : "sum" };
  const size = vectors.sum.length;
  const most = Math.max(...ARRAYS.map((name) => mostOf(vectors[name])));
  const choose = (/** @type {any} */ event) =>
    set({ dimension: Math.floor((event.offsetX / event.target.clientWidth) * size) });
  return html`<div class="hl-sum-strips">
    ${ARRAYS.map((one) => {
      const name = t(`sum.${words[one] ?? one}`);
      const look = { rows: 1, columns: size, theme: theme.get(), most, onClick: choose };
      return html`<span>${name}</span>${signedCells({ cells: vectors[one], name, ...look })}`;
    })}
    <span>${t("sum.scale")}</span>
    ${signedScale(theme.get(), most, (value) => signedText(value, 2))}
  </div>`;
}

/** @param {any} s @param {Vectors} vectors @param {Factor} factor @param {boolean} normed */
function numbers({ t, dimension }, vectors, { raw, times }, normed) {
  const { embedding, position, sum: total } = vectors;
  const size = total.length;
  const here = Math.min(dimension, size - 1);
  const first = Math.max(0, Math.min(size - WINDOW, here - WINDOW / 2));
  const columns = Array.from({ length: Math.min(WINDOW, size) }, (_, i) => first + i);
  const bold = (/** @type {number} */ i, /** @type {unknown} */ text) =>
    i === here ? html`<strong>${text}</strong>` : text;
  const row = (/** @type {string} */ name, /** @type {(i: number) => number} */ read) => ({
    cells: [name, ...columns.map((i) => bold(i, signedText(read(i), 4)))],
  });
  return table({
    label: t("sum.dimension"),
    class: "hl-sum-numbers",
    columns: [
      { name: t("sum.dimension"), text: true },
      ...columns.map((i) => ({ name: bold(i, i) })),
    ],
    rows: [
      row(t("sum.raw"), (i) => raw[i]),
      ...(times ? [row(t("sum.times", { factor: times }), (i) => embedding[i])] : []),
      row(t("sum.plus"), (i) => position[i]),
      row(t(normed ? "sum.normed" : "sum.equals"), (i) => total[i]),
    ],
  });
}

/** @param {Page["t"]} t @param {Vectors} vectors @param {Factor} factor @param {number} at */
function norms(t, { embedding, position, sum: total }, { raw, times }, at) {
  const size = total.length;
  return t(times ? "sum.norms" : "sum.norms_plain", {
    raw: norm(raw).toFixed(3),
    scaled: norm(embedding).toFixed(3),
    position: norm(position).toFixed(3),
    sum: norm(total).toFixed(3),
    factor: times,
    size,
    token: at + 1,
  });
}
