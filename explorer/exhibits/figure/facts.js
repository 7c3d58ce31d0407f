// What a block is called, what goes in and what comes out, and which view shows more of it.

import { readsAhead } from "../../../assets/kit/interventions.js";
import { countText } from "../../../assets/kit/numbers.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */
/** @typedef {import("./layout.js").Block} Block */

/** The sizes that shapes are written with: S and T, the tokens read by each side. */
export function sizesOf(config, record, /** @type {number} */ step) {
  return { ...config, S: record.src.length, T: step + 1 };
}

const shape = (/** @type {number[]} */ ...sizes) => sizes.map(countText).join(" × ");

/** {in, out} of a block as shapes: rows are tokens.
 * @param {{type: string, stack?: string, kind?: string}} block @param {any} sizes */
export function shapesOf({ type, stack, kind }, sizes) {
  const rows = stack === "encoder" ? sizes.S : sizes.T;
  const { d_model: d, vocab_size: vocabulary, n_heads: heads, d_ff: wide } = sizes;
  const stream = shape(rows, d);
  const keys = kind === "cross" ? sizes.S : rows;
  /** @type {Record<string, {in: string, out: string, inside?: string}>} */
  const known = {
    tokens: { in: shape(rows), out: shape(rows) },
    embedding: { in: shape(rows), out: stream },
    position: { in: shape(rows), out: stream },
    attention: {
      in: kind === "cross" ? `${stream}; ${shape(sizes.S, d)}` : stream,
      inside: shape(heads, rows, keys),
      out: stream,
    },
    feed_forward: { in: stream, inside: shape(rows, wide), out: stream },
    add: { in: `${stream} + ${stream}`, out: stream },
    add_norm: { in: `${stream} + ${stream}`, out: stream },
    linear: { in: shape(1, d), out: shape(1, vocabulary) },
    softmax: { in: shape(1, vocabulary), out: shape(1, vocabulary) },
    next: { in: shape(1, vocabulary), out: shape(1) },
  };
  return known[type] ?? { in: type === "sum" ? `${stream} + ${stream}` : stream, out: stream };
}

/** The key of a block's name and of the sentence about it: the kind counts for attention. */
export const keyOf = (/** @type {Block} */ { type, stack, kind }) => {
  if (type === "attention") return kind;
  return type === "tokens" ? `tokens_${stack}` : type;
};

const EXHIBITS = {
  embedding: "lens",
  position: "positions",
  sum: "positions",
  attention: "attention",
  feed_forward: "stream",
  add_norm: "stream",
  norm: "stream",
  add: "stream",
  final: "stream",
  linear: "lens",
  softmax: "sampling",
  next: "steps",
};

/** The view behind a block; null for tokens, which select, and a folded layer, which opens.
 * @param {Block} block @returns {string|null} */
export const exhibitOf = ({ type }) => EXHIBITS[type] ?? null;

/** The selection with which that view opens. @param {Block} block */
export function selectionOf({ kind, layer, type }) {
  const exhibit = EXHIBITS[type];
  if (kind) return { exhibit, kind, layer };
  return layer === null ? { exhibit } : { exhibit, layer };
}

/** Which sentence is about a block of this model, behind the key: "" as in the paper.
 * @param {string} type @param {any} sizes */
function variantOf(type, sizes) {
  if (type === "linear") return sizes.tied === false ? "_apart" : "";
  if (type === "feed_forward") return sizes.gated ? "_gated" : "";
  if (type !== "position") return "";
  const kind = positionsOf(sizes);
  return kind === "sinusoids" ? "" : `_${kind}`;
}

/** How the model knows the order of its tokens. @param {any} sizes */
export const positionsOf = ({ positions, sinusoids }) =>
  positions ?? (sinusoids === "none" ? "none" : "sinusoids");

/** What differs from the paper in a model of this config, as keys of words; fields that are left
 * out are the paper's. @param {any} config @returns {string[]} */
export const sinceOf = ({ positions, norm_kind: norm, gated, biases, scaling }) =>
  Object.entries({
    learned: positions === "learned",
    relative: positions === "relative",
    none: positions === "none",
    rms: norm === "rms",
    gated: gated === true,
    biases: biases === false,
    scaling: scaling === false,
  }).flatMap(([name, differs]) => (differs ? [name] : []));

/** Name, shapes and sentence of a block. @param {Page} page @param {Block} block */
export function factsOf({ t, record }, block, sizes) {
  const isAhead = block.kind === "decoder_self" && readsAhead(/** @type {any} */ (record.get()));
  const key = `${keyOf(block)}${isAhead ? "_ahead" : ""}`;
  const layer = block.layer === null ? "" : t("figure.of_layer", { n: block.layer + 1 });
  const own = block.stack === "decoder" ? sizes : {}; // 0: the encoder's
  const [wide, heads] = [own.decoder_d_ff || sizes.d_ff, own.decoder_heads || sizes.n_heads];
  const flow = shapesOf(block, { ...sizes, d_ff: wide, n_heads: heads });
  const stack = t(`figure.${block.stack}`);
  const variant = variantOf(block.type, sizes);
  return {
    name: t(`figure.block.${key}`, { n: (block.layer ?? 0) + 1 }),
    where: ["linear", "softmax", "next"].includes(block.type) ? "" : `${stack}${layer}`,
    shapes: t(flow.inside ? "figure.shapes.inside" : "figure.shapes", flow),
    flow,
    says: t(`figure.says.${key}${variant}`, {
      heads,
      d: sizes.d_model,
      units: wide,
    }),
    opens: exhibitOf(block),
  };
}
