// The heads of a model: their keys, their order, and their display names. Pure functions.

import { clamp, KINDS } from "./selection.js";

/** @typedef {{kind: string, layer: number, head: number}} Head */

/** @param {Head} head */
export const nameOf = ({ kind, layer, head }) => `${kind}.${layer}.${head}`;

/** @param {string} name @returns {Head} */
export function headOf(name) {
  const [kind, layer, head] = name.split(".");
  return { kind, layer: Number(layer), head: Number(head) };
}

/**
 * The head with the lowest measured error of a model (explorer/opening.py), and the row labels
 * under which it was measured; null if it was not.
 * @param {any} shared @param {string|null|undefined} key of the model
 * @returns {(Head & {labels: "writes"|"reads"})|null}
 */
export const measuredHead = ({ models = [] }, key) =>
  models.find((/** @type {any} */ one) => one.key === key)?.head ?? null;

/**
 * The names of a kind's heads, by layer and number.
 * @param {string} kind
 * @param {{layers: number, heads: number}} maps
 */
export const namesOf = (kind, { layers, heads }) =>
  Array.from({ length: layers * heads }, (_, i) => `${kind}.${Math.floor(i / heads)}.${i % heads}`);

/**
 * "Cross-attention, layer 1, head 2"
 * @param {import("./types.js").Page} page
 * @param {Head} head
 */
export const headText = ({ t }, { kind, layer, head }) =>
  t("heads.tile", { kind: t(`kind.${kind}`), layer: layer + 1, head: head + 1 });

/**
 * The meaning of rows and columns in a kind's map.
 * @param {import("./types.js").Page} page
 * @param {{kind: string, labels: string}} selection
 */
export const axesText = ({ t }, { kind, labels }) =>
  t(kind === "encoder_self" ? "axes.encoder_self" : `axes.${kind}.${labels}`);

/**
 * The neighbour of a head; up and down continue from one kind to the next. `orders` has the order
 * of a kind's heads, if that is not by layer and number.
 * @param {string} name
 * @param {{rows: number, columns: number}} step
 * @param {{attention: Record<string, {layers: number, heads: number}>}} record
 * @param {Record<string, string[]>} orders
 */
export function neighbour(name, { rows, columns }, { attention }, orders = {}) {
  const { kind } = headOf(name);
  const orderOf = (/** @type {string} */ one) => orders[one] ?? namesOf(one, attention[one]);
  const { heads } = attention[kind];
  const place = orderOf(kind).indexOf(name);
  const column = clamp((place % heads) + columns, heads);
  let line = Math.floor(place / heads) + rows;
  let at = KINDS.indexOf(kind);
  if (line < 0 && at > 0) {
    at -= 1;
    line = attention[KINDS[at]].layers - 1;
  } else if (line >= attention[kind].layers && at < KINDS.length - 1) {
    at += 1;
    line = 0;
  }
  const there = attention[KINDS[at]]; // it may have fewer heads
  return orderOf(KINDS[at])[clamp(line, there.layers) * there.heads + clamp(column, there.heads)];
}
