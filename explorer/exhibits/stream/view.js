// The residual stream: the vector of one token on its way through a layer, what each sub-layer
// adds to it, LayerNorm in numbers, and the units that fire.

import { largestDeviation, layerNorm } from "../../../assets/kit/algebra.js";
import { exhibit } from "../../../assets/kit/exhibit.js";
import { choice, index } from "../../../assets/kit/fields.js";
import { orNull, whole } from "../../../assets/kit/keep.js";
import { bracketedText, percentText, signedText, smallText } from "../../../assets/kit/numbers.js";
import { unpack } from "../../../assets/kit/packing.js";
import { rowOf } from "../../../assets/kit/payload.js";
import { marked } from "../../../assets/kit/sentence.js";
import { tellingWords } from "../../../assets/kit/telling.js";
import { html } from "../../../assets/vendor/lit-html.js";
import { moments, namesOf, normed } from "./maths.js";
import { picture } from "./picture.js";

/** @typedef {import("../../../assets/kit/types.js").Label} Label */
/** @typedef {import("./maths.js").Name} NormName */
/**
 * @template R
 * @typedef {import("../../../assets/kit/sheet.js").Sheet<R>} Sheet
 */

/** What enters a sub-layer, what it adds, their sum, and what leaves it; `inside`: what the
 * attention or the feed-forward network itself reads.
 * @typedef {"before"|"adds"|"total"|"after"} Length
 * @typedef {Length|"inside"} Step
 */

/**
 * The numbers of a sub-layer: of each step a table (positions, D), and its norm's γ and β (D).
 * @typedef {{name: string} & Record<Step|"gamma"|"beta", Float32Array>} SubLayer
 */

/**
 * Every sub-layer of one stack, and all numbers of one layer.
 * @typedef {object} Stream
 * @property {"encoder"|"decoder"} stack
 * @property {number} layer
 * @property {string} norm "pre", "post" or "none"
 * @property {number} eps
 * @property {boolean} rms the norms are RMSNorms
 * @property {boolean} gated
 * @property {string} activation
 * @property {number} positions
 * @property {number} deviation the largest one of a layer's end from the model's own
 * @property {({name: string} & Record<Length, Float32Array>)[][]} lengths of the vectors: by layer
 *   and sub-layer, a number for each position
 * @property {Float32Array[]} fired by layer, the share of inner units above 0 at each position
 * @property {SubLayer[]} parts of the layer
 * @property {Float32Array} hidden (positions, inner units)
 */

/** A sub-layer's lengths at one position.
 * @typedef {{layer: number, part: number, name: string} & Record<Length, number>} Lengths */

/** @typedef {import("../../../assets/kit/exhibit.js").Base & {stack: string, show: string,
 *   part: number|null, dim: number, answer: Stream}} Given */

/**
 * One token at position `at`: `own` is the chosen sub-layer, `part` its place, `most` the place of
 * the one that adds most; `norm` the table that its norm reads, and the token's row in and out of it.
 * @typedef {Omit<Given, "part"> & {tokens: Label[], token: Label, at: number, layer: number,
 *   part: number, most: number, own: SubLayer, size: number, subLayers: Lengths[],
 *   rowOf: <T extends Float32Array|Float64Array>(table: T, width?: number) => T,
 *   norm: {table: Float32Array, in: Float32Array, out: Float32Array}, hidden: Float32Array}} Scene
 */

/** @type {Length[]} */
const LENGTHS = ["before", "adds", "total", "after"];
const VECTORS = [...LENGTHS, "inside", "gamma", "beta"];

/** @type {import("../../../assets/kit/exhibit.js").View<Scene>} */
const VIEW = {
  name: "stream",
  fields: () => ({
    stack: choice(["encoder", "decoder"], { first: "encoder" }),
    show: choice(["vector", "norms"], { first: "vector" }),
    part: { first: null, fits: orNull(whole(0, 2)) }, // null: the one of the finding
    dim: index(0, 65_535, ({ size = 1 }) => size),
  }),
  ask({ stack, record, selection }) {
    const { layers } = record.attention[stack === "encoder" ? "encoder_self" : "cross"];
    return ["stream", { stack, layer: Math.min(selection.layer, layers - 1) }];
  },
  prepare,
  scene,
  telling,
  cell: ({ answer, at }) => ({
    ...(answer.stack === "encoder" ? { src: at } : { step: at, offset: 0 }),
    weights: null,
  }),
  finding: (s) => (s.show === "norms" ? normsFinding(s) : vectorFinding(s)),
  picture,
  controls: ["stack", "dim"],
  adjust: ["show"],
  numbers: (s) => [
    ...(s.show === "norms" ? [normsSheet(s)] : []),
    lengthSheet(s),
    normSheet(s),
    firedSheet(s),
  ],
  reading,
};

export const { mount } = exhibit(VIEW);

/** An entry of a reply, its arrays packed. @typedef {{name: string} & Record<string, string>} Packed */

/** The reply with its packed arrays as numbers.
 * @param {Omit<Stream, "lengths"|"fired"|"parts"|"hidden">
 *   & {lengths: Packed[][], fired: string[], parts: Packed[], hidden: string}} reply */
async function prepare(reply) {
  const floats = (/** @type {string} */ text) => unpack(text, Float32Array);
  const all = async (/** @type {Packed} */ entry, /** @type {string[]} */ names) => {
    const arrays = await Promise.all(names.map((name) => floats(entry[name])));
    return { name: entry.name, ...Object.fromEntries(names.map((name, i) => [name, arrays[i]])) };
  };
  return {
    ...reply,
    lengths: await Promise.all(
      reply.lengths.map((parts) => Promise.all(parts.map((part) => all(part, LENGTHS)))),
    ),
    fired: await Promise.all(reply.fired.map(floats)),
    parts: await Promise.all(reply.parts.map((part) => all(part, VECTORS))),
    hidden: await floats(reply.hidden),
  };
}

/** The token, the stack's sub-layers at its position, the chosen one and what its norm does.
 * @param {Given} s */
function scene({ answer, record, selection, part: chosen, dim }) {
  const tokens = answer.stack === "encoder" ? record.src : record.tgt_in;
  const at = Math.min(
    answer.stack === "encoder" ? selection.src : selection.step,
    tokens.length - 1,
  );
  const shares = answer.lengths[answer.layer].map(({ adds, before }) => adds[at] / before[at]);
  const most = shares.indexOf(Math.max(...shares));
  const part = Math.min(chosen ?? most, answer.parts.length - 1);
  const own = answer.parts[part];
  const size = own.gamma.length;
  /** @type {Scene["rowOf"]} */
  const ownRow = (table, width = size) => rowOf(table, width, at);
  const subLayers = answer.lengths.flatMap((parts, layer) =>
    parts.map(({ name, before, adds, total, after }, part) => {
      const lengths = { before: before[at], adds: adds[at], total: total[at], after: after[at] };
      return { layer, part, name, ...lengths };
    }),
  );
  const isPre = answer.norm === "pre";
  const table = isPre ? own.before : own.total;
  return {
    tokens,
    at,
    part,
    most,
    own,
    size,
    rowOf: ownRow,
    subLayers,
    token: tokens[at],
    layer: answer.layer,
    dim: Math.min(dim, size - 1),
    norm: { table, in: ownRow(table), out: ownRow(isPre ? own.inside : own.after) },
    hidden: ownRow(answer.hidden, answer.hidden.length / answer.positions),
  };
}

/** The words of the stack by the finding's measure: what a sub-layer adds for their length.
 * @param {Omit<Scene, "answer"> & {answer: Stream|null}} s */
function telling({ answer, tokens, layer }) {
  if (!answer) return null;
  const says = (/** @type {number} */ at) =>
    Math.max(...answer.lengths[layer].map(({ adds, before }) => adds[at] / before[at]));
  const place = (/** @type {number} */ at) =>
    answer.stack === "encoder" ? { src: at, col: null } : { step: at };
  return tellingWords(tokens).map((at) => ({ ...place(at), says: says(at) }));
}

/** Which sub-layer of this layer adds most, for the length of what it adds to.
 * @param {Scene} s */
function vectorFinding({ t, say, token, subLayers, layer, most }) {
  const own = subLayers.filter((one) => one.layer === layer);
  const [{ name, adds, before }] = own.filter(({ part }) => part === most);
  return say(own.length === 2 ? "finding.two" : "finding.three", {
    token,
    n: layer + 1,
    part: t(`name.${name}`),
    times: marked((adds / before).toFixed(2)),
  });
}

/** A token's row of the table, normalised. @param {NormName} name @param {Scene} s */
const normedRow = (name, { norm, rowOf, size, answer: { eps } }) =>
  rowOf(normed(name, norm.table, size, eps));

/** How far LayerNorm and BatchNorm are off, were the token alone; or RMSNorm from LayerNorm.
 * @param {Scene} s */
function normsFinding(s) {
  const { say, token, norm, size, answer } = s;
  if (answer.rms) {
    const own = normedRow("rms", s);
    const off = largestDeviation(own, normedRow("rows", s)).toFixed(2);
    return say("finding.rms", { token, mean: signedText(moments(own).mean, 2), off });
  }
  const off = (/** @type {NormName} */ name) =>
    largestDeviation(normed(name, norm.in, size, answer.eps), normedRow(name, s));
  const values = { token, rows: smallText(off("rows")), columns: off("columns").toFixed(2) };
  return say(off("rows") === 0 ? "finding.same" : "finding.norms", values);
}

/** A column of numbers by dimension.
 * @param {ArrayLike<number>} numbers @returns {Sheet<number>["columns"][string]} */
const column = (numbers) => ({
  cell: (_, i) => signedText(numbers[i], 4),
  csv: (_, i) => numbers[i],
});

/** The chosen token's numbers before and after each of the two norms.
 * @param {Scene} s @returns {Sheet<number>} */
function normsSheet(s) {
  const { t, set, norm, dim, answer, layer, own } = s;
  const names = namesOf(answer.rms);
  const columns = names.map((name) => [
    name,
    { head: t(`norm.${name}`), ...column(normedRow(name, s)) },
  ]);
  return {
    name: t("show.norms"),
    file: `stream-norms-${answer.stack}-layer${layer + 1}-${own.name}`,
    class: "hl-stream-both",
    rows: [...norm.in],
    chosen: (_, i) => i === dim,
    onChoose: (_, i) => set({ dim: i }),
    columns: {
      dimension: { cell: (_, i) => i + 1 },
      in: column(norm.in),
      ...Object.fromEntries(columns),
    },
  };
}

/** @param {Scene} s @returns {Sheet<Lengths>} */
function lengthSheet({ t, page, set, subLayers, layer, part, answer, at }) {
  /** @type {(name: Length) => Sheet<Lengths>["columns"][string]} */
  const length = (name) => ({ cell: (one) => one[name].toFixed(2), csv: (one) => one[name] });
  return {
    name: t("lengths"),
    file: `stream-lengths-${answer.stack}-${at + 1}`,
    class: "hl-stream-lengths",
    note: t(answer.norm === "post" ? "lengths.note.post" : "lengths.note"),
    rows: subLayers,
    chosen: (one) => one.layer === layer && one.part === part,
    onChoose(one) {
      set({ part: one.part });
      page.choose({ layer: one.layer });
    },
    columns: {
      layer: { cell: (one) => one.layer + 1 },
      name: { text: true, cell: (one) => t(`name.${one.name}`), csv: (one) => one.name },
      ...Object.fromEntries(LENGTHS.map((name) => [name, length(name)])),
    },
  };
}

/** @param {Scene} s @returns {Sheet<number>} */
function normSheet({ t, set, own, norm, dim, answer, layer }) {
  const about = (/** @type {Float32Array} */ numbers) => {
    const { mean, variance } = moments(numbers, answer.rms);
    const values = { mean: signedText(mean), variance: variance.toFixed(3) };
    return t(answer.rms ? "moments.rms" : "moments", values);
  };
  return {
    name: t(answer.rms ? "rmsnorm" : "layernorm", {
      layer: layer + 1,
      name: t(`name.${own.name}`),
    }),
    file: `stream-${answer.stack}-layer${layer + 1}-${own.name}`,
    class: "hl-stream-norm",
    note: t("inout", { in: about(norm.in), out: about(norm.out) }),
    rows: [...norm.in],
    chosen: (_, i) => i === dim,
    onChoose: (_, i) => set({ dim: i }),
    columns: {
      dimension: { cell: (_, i) => i + 1 },
      in: column(norm.in),
      gamma: column(own.gamma),
      beta: column(own.beta),
      out: column(norm.out),
    },
  };
}

/** @param {Scene} s @returns {Sheet<Float32Array>} */
function firedSheet({ t, answer, hidden, layer }) {
  const fired = hidden.filter((x) => x > 0).length;
  const mean = (/** @type {Float32Array} */ all) => all.reduce((a, b) => a + b, 0) / all.length;
  return {
    name: t("relu"),
    file: "stream-fired",
    class: "hl-stream-fired",
    note: t(answer.gated ? "fired.gated" : "fired", {
      n: fired,
      size: hidden.length,
      activation: answer.activation,
      share: percentText(fired / hidden.length),
    }),
    rows: answer.fired,
    chosen: (_, i) => i === layer,
    columns: {
      layer: { cell: (_, i) => i + 1 },
      share: { cell: (all) => percentText(mean(all)), csv: mean },
    },
  };
}

function reading(/** @type {Scene} */ { t, answer, own, norm, dim }) {
  const { mean, variance } = moments(norm.in, answer.rms);
  const normed = layerNorm(norm.in, own.gamma, own.beta, answer.eps, answer.rms);
  const off = answer.deviation;
  return html`<p>${t("strips")}</p><p class="hl-stream-formula">${t(
    answer.rms ? "formula.rms" : "formula",
    {
      dim: dim + 1,
      eps: answer.eps,
      x: signedText(norm.in[dim], 4),
      mean: bracketedText(mean, 4),
      variance: variance.toFixed(4),
      gamma: signedText(own.gamma[dim], 4),
      beta: bracketedText(own.beta[dim], 4),
      y: signedText(normed[dim], 4),
      own: signedText(norm.out[dim], 4),
      off: smallText(largestDeviation(normed, norm.out)),
    },
  )}</p><p>${t(answer.rms ? "batch.rms" : "batch")}</p>
  <p>${t(off === 0 ? "exact" : "deviation", { deviation: smallText(off) })}</p>`;
}
