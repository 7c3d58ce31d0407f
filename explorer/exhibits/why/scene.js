// What is chosen in the sum, and what of it is opened.

import {
  allParts,
  isHead,
  largest,
  layersOf,
  leading,
  partsOf,
  strongestAt,
  waterfall,
} from "./split.js";

/** @typedef {import("../../../assets/kit/types.js").Rec} Rec */
/** @typedef {import("./split.js").Split} Split */
/** @typedef {import("./split.js").Part} Part */

/** @param {import("./view.js").Given & {answer: Split}} s
 * @param {import("../../../assets/kit/request.js").Answer<import("./split.js").Off>} away */
export function scene({ record, selection: { step }, answer, layer, head }, away) {
  const off = away.value;
  const written = record.tgt_out[step];
  const layers = layersOf(answer);
  const count = answer.feed_forward.length;
  const lead = leading(answer);
  const opened = layer >= 0 && layer < count ? layer : (lead.layer ?? openedFirst(layers));
  const parts = partsOf(answer, opened, off);
  const heads = parts.filter(isHead);
  const isLead = (/** @type {Part} */ { name, layer, kind, head }) =>
    name === lead.name && layer === lead.layer && kind === lead.kind && head === lead.head;
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
    ...(isHead(lead) ? readBy(record, answer, step, lead) : {}),
  };
}

/** The layer that gives most, of either sign. @param {Part[]} layers */
const openedFirst = (layers) => largest(layers.filter(({ name }) => name === "layer")).layer ?? 0;

const sizes = (/** @type {Part} */ { value, total }) => [Math.abs(value), Math.abs(total ?? 0)];

/** What a head brings from each token that it may read.
 * @param {Rec} record @param {Split} answer @param {number} step
 * @param {import("./split.js").HeadPart} part */
export function tokensOf(record, answer, step, { kind, layer, head }) {
  const values = answer[kind][layer][head];
  const labels = kind === "cross" ? record.src : record.tgt_in.slice(0, step + 1);
  return labels.map((label, i) => ({ label, value: values[i] }));
}

/** The token from which a head brings most of what it gives; its place `from` if it is the source's.
 * @param {Rec} record @param {Split} answer @param {number} step
 * @param {import("./split.js").HeadPart} part */
function readBy(record, answer, step, part) {
  const tokens = tokensOf(record, answer, step, part);
  const at = strongestAt(
    tokens.map(({ value }) => value),
    Math.sign(part.value) || 1,
  );
  return { read: tokens[at].label, from: part.kind === "cross" ? at : undefined };
}
