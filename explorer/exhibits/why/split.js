// The exact split of a difference of two logits, as what is drawn of it. Pure functions.
//
/** @typedef {import("../../../assets/kit/types.js").Rec["steps"][number]} Predicted a step */
/** @typedef {"decoder_self"|"cross"} Kind */
/**
 * The logit of the token that was written minus the rival's, by what gives it: a number for each
 * layer, and by layer, head and token read. `left` is what the sum misses.
 * @typedef {{rival: import("../../../assets/kit/types.js").Label, embedding: number,
 *   position: number, output_bias: number, difference: number, left: number,
 *   feed_forward: number[], biases: number[]} & Record<Kind, number[][][]>} Split
 */
/** What goes with each head, by layer and head. @typedef {Record<Kind, number[][]>} Off */
/**
 * A part of the sum, positive for the token that was written: `total` is what goes with a head that
 * is switched off, null while that is not known; `count` how many parts are summed up in it.
 * @typedef {{name: string, value: number, layer?: number, kind?: Kind, head?: number,
 *   total?: number|null, count?: number}} Part
 */
/** A part that is a head. @typedef {Part & {layer: number, kind: Kind, head: number}} HeadPart */
/** A part that stands on the ones before it. @typedef {Part & {from: number, to: number}} Step */

/** @type {Kind[]} */
const KINDS = ["decoder_self", "cross"];

/** @param {Part} part @returns {part is HeadPart} */
export const isHead = (part) => part.name === "head";

const sum = (/** @type {number[]} */ values) => values.reduce((all, one) => all + one, 0);

/** The parts of one layer: its heads, its network, its biases; `total` where a head was switched off.
 * @param {Split} split @param {number} layer @param {Off|null} [off] @returns {Part[]} */
export function partsOf(split, layer, off = null) {
  const heads = KINDS.flatMap((kind) =>
    split[kind][layer].map((tokens, head) => ({
      name: "head",
      layer,
      kind,
      head,
      value: sum(tokens),
      total: off === null ? null : off[kind][layer][head],
    })),
  );
  return [
    ...heads,
    { name: "feed_forward", layer, value: split.feed_forward[layer] },
    { name: "biases", layer, value: split.biases[layer] },
  ];
}

/** The whole sum: embedding, position, a part for each layer, the output's bias.
 * @param {Split} split @returns {Part[]} */
export function layersOf(split) {
  const layers = split.feed_forward.map((_, layer) => ({
    name: "layer",
    layer,
    value: sum(partsOf(split, layer).map(({ value }) => value)),
  }));
  return [
    { name: "embedding", value: split.embedding },
    { name: "position", value: split.position },
    ...layers,
    { name: "output_bias", value: split.output_bias },
  ];
}

/** Each part with where it begins and ends when one stands on the other.
 * @param {Part[]} parts @returns {Step[]} */
export function waterfall(parts) {
  let at = 0;
  return parts.map((part) => {
    const from = at;
    at += part.value;
    return { ...part, from, to: at };
  });
}

/** Every single part of the sum, none of them a layer. @param {Split} split @param {Off|null} off */
export const allParts = (split, off = null) => [
  ...layersOf(split).filter(({ name }) => name !== "layer"),
  ...split.feed_forward.flatMap((_, layer) => partsOf(split, layer, off)),
];

/** What gives most to the token that is ahead: a part that is of no layer, or the best part of the
 * layer that gives most, with what that layer gives. @param {Split} split
 * @returns {Part & {all: number}} */
export function leading(split) {
  const way = Math.sign(split.difference) || 1;
  const best = (/** @type {Part[]} */ parts) =>
    parts.reduce((most, one) => (way * one.value > way * most.value ? one : most));
  const row = best(layersOf(split));
  const part = row.layer === undefined ? row : best(partsOf(split, row.layer));
  return { ...part, all: row.value };
}

/** The part with the largest value of either sign. @template {Part} T @param {T[]} parts */
export const largest = (parts) =>
  parts.reduce((best, one) => (Math.abs(one.value) > Math.abs(best.value) ? one : best));

/** The place with the largest value of the sign. @param {number[]} tokens @param {number} way */
export const strongestAt = (tokens, way) =>
  tokens.reduce((best, one, i) => (way * one > way * tokens[best] ? i : best), 0);

/** Of as many rows as there is room for: the parts that matter most in their order, and one that
 * sums up the others. @param {Part[]} parts @param {number} room @returns {Part[]} */
export function fitted(parts, room) {
  if (parts.length <= room) return parts;
  const weight = (/** @type {Part} */ { value, total }) =>
    Math.max(Math.abs(value), Math.abs(total ?? 0));
  const kept = [...parts].sort((a, b) => weight(b) - weight(a)).slice(0, Math.max(0, room - 1));
  const others = parts.filter((one) => !kept.includes(one));
  const value = sum(others.map((one) => one.value));
  return [
    ...parts.filter((one) => kept.includes(one)),
    { name: "others", value, count: others.length },
  ];
}

/** Whether the direct part of a head and what goes with it pull in opposite ways, and neither is
 * next to nothing. @param {Part} part @param {number} scale the largest value of all */
export const disagrees = ({ value, total }, scale) =>
  total !== null &&
  total !== undefined &&
  value * total < 0 &&
  Math.min(Math.abs(value), Math.abs(total)) > 0.05 * scale;

/** The candidate whose score is closest to that of the written token; null where there is no other.
 * @param {Pick<Predicted, "chosen"|"log_prob"|"top">} step */
export function closest({ chosen, log_prob: own, top }) {
  const others = top.filter(({ id }) => id !== chosen);
  if (others.length === 0) return null;
  const far = (/** @type {Predicted["top"][number]} */ { log_prob }) => Math.abs(log_prob - own);
  return others.reduce((best, one) => (far(one) < far(best) ? one : best));
}

/** What a token stands for; if nothing is known, itself. @param {Predicted["top"][number]} one */
const meaningOf = ({ gloss, text }) => (gloss?.[0] || text).toLowerCase();

/** The likeliest candidate behind the written token that stands for something else: to ask why it
 * was not that one. Null where there is none. @param {Pick<Predicted, "chosen"|"top">} step */
export function otherMeaning({ chosen, top }) {
  const place = top.findIndex(({ id }) => id === chosen);
  if (place === -1) return null;
  const own = meaningOf(top[place]);
  const isOther = (/** @type {Predicted["top"][number]} */ one) => meaningOf(one) !== own;
  const others = top.slice(place + 1).filter(isOther);
  return others.find(({ kind }) => kind === "word") ?? others[0] ?? null;
}

/** How much a step says: how likely the other word was where the written one was the likeliest.
 * @param {Predicted} step */
export function closeness(step) {
  const rival = step.forced || step.top[0]?.id !== step.chosen ? null : otherMeaning(step);
  return rival === null ? 0 : Math.exp(rival.log_prob);
}

/** The step at which another token came closest to the written one.
 * @param {Predicted[]} steps */
export function closestStep(steps) {
  const far = steps.map((step) => {
    const rival = step.forced ? null : closest(step);
    return rival === null ? Infinity : Math.abs(rival.log_prob - step.log_prob);
  });
  return far.indexOf(Math.min(...far));
}
