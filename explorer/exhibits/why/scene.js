// What is chosen in the sum, and what of it is opened.

import { allParts, largest, layersOf, leading, partsOf, strongestAt, waterfall } from "./split.js";

/** @param {any} s @param {import("../../../assets/kit/request.js").Answer} away */
export function scene({ record, selection: { step }, answer, layer, head }, away) {
  const off = away.value;
  const written = record.tgt_out[step];
  const layers = layersOf(answer);
  const count = answer.feed_forward.length;
  const lead = leading(answer);
  const opened = layer >= 0 && layer < count ? layer : (lead.layer ?? openedFirst(layers));
  const parts = partsOf(answer, opened, off);
  const heads = parts.filter(({ name }) => name === "head");
  const isLead = (one) =>
    ["name", "layer", "kind", "head"].every((name) => one[name] === lead[name]);
  const shown = heads[head] ?? heads.find(isLead) ?? largest(heads);
  const isAhead = answer.difference >= 0;
  return {
    away,
    written,
    layers: waterfall(layers),
    opened,
    parts,
    shown,
    place: heads.indexOf(shown),
    tokens: tokensOf(record, answer, step, shown),
    most: Math.max(...allParts(answer, off).flatMap(sizes)),
    lead,
    ahead: isAhead ? written : answer.rival,
    behind: isAhead ? answer.rival : written,
    ...(lead.name === "head" && readBy(record, answer, step, lead)),
  };
}

/** The layer that gives most, of either sign. */
const openedFirst = (layers) => largest(layers.filter(({ name }) => name === "layer")).layer ?? 0;

const sizes = (/** @type {any} */ { value, total }) => [Math.abs(value), Math.abs(total ?? 0)];

/** What a head brings from each token that it may read: [{label, value}]. */
export function tokensOf(record, answer, step, /** @type {any} */ { kind, layer, head }) {
  const values = answer[kind][layer][head];
  const labels = kind === "cross" ? record.src : record.tgt_in.slice(0, step + 1);
  return labels.map((label, i) => ({ label, value: values[i] }));
}

/** The token from which a head brings most of what it gives; its place `from` if it is the source's. */
function readBy(record, answer, step, part) {
  const tokens = tokensOf(record, answer, step, part);
  const at = strongestAt(
    tokens.map(({ value }) => value),
    Math.sign(part.value) || 1,
  );
  return { read: tokens[at].label, ...(part.kind === "cross" && { from: at }) };
}
