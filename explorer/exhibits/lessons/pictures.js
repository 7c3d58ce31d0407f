// The first picture of a lesson in small, of the sentence on the page. Pure functions.

import { textWidth } from "../../../assets/kit/heatplan.js";
import { pool } from "../../../assets/kit/pixels.js";
import { svg } from "../../../assets/vendor/lit-html.js";

/** @typedef {import("../../../assets/kit/types.js").Rec} Rec */
/** @typedef {Pick<import("../../../assets/kit/types.js").Maps, "queries"|"keys">} Size */
/** @typedef {(record: Rec, query: URLSearchParams) => unknown} Draw */

const FINEST = 14; // cells of a map's side
const BARS = 5; // of the next token
const TREE = [4, 4]; // candidates of the first two steps
const LETTERS = 11; // units of a letter's height
const [WIDE, TALL] = [160, 100]; // of a picture, in its own units

/** Letters that are written backwards: what the playground's models learn. */
function reversal() {
  const place = (/** @type {number} */ i) => 20 + i * 24;
  return Array.from(
    { length: 6 },
    (_, i) => svg`<path class="hl-lesson-line" d="M${place(i)} 14L${place(5 - i)} 86"></path>
      <circle class="hl-lesson-node hl-kept" cx=${place(i)} cy="10" r="4"></circle>
      <circle class="hl-lesson-node" cx=${place(i)} cy="90" r="4"></circle>`,
  );
}

/** @param {Rec} record @param {string} show a lesson's query */
export function smallPicture(record, show) {
  const query = new URLSearchParams(show);
  const isLines = query.get("attention.view") === "lines";
  const draw = isLines ? links : PICTURES[query.get("view") ?? ""];
  return svg`<svg class="hl-lesson-picture" viewBox="0 0 ${WIDE} ${TALL}" aria-hidden="true">${(draw ?? mapOf)(record, query)}</svg>`;
}

/** The head that the lesson shows. @param {Rec} record @param {URLSearchParams} query */
function headOf({ attention }, query) {
  const maps = attention[query.get("kind") ?? "cross"] ?? attention.cross;
  const at = (/** @type {string} */ name, /** @type {number} */ count) =>
    Math.min(count, Number(query.get(name) ?? 1)) - 1;
  const weights = maps.head(at("layer", maps.layers), at("head", maps.heads));
  return { queries: maps.queries, keys: maps.keys, weights };
}

/** Its map: a cell's shade is its weight. @type {Draw} */
function mapOf(record, query) {
  const { weights, ...size } = headOf(record, query);
  return cells(size, weights);
}

/** What the decoder may read: all cells alike. @type {Draw} */
const maskOf = ({ attention: { decoder_self: maps } }) =>
  cells(
    maps,
    maps.head(0, 0).map((weight) => (Number.isNaN(weight) ? weight : 0.55)),
  );

/** @type {Record<string, Draw>} */
const PICTURES = {
  masks: maskOf,
  figure: stacks,
  toy: tree,
  sampling: bars,
  steps: rivals,
  playground: reversal,
};

/** @param {Size} size @param {Float32Array} weights */
function cells({ queries, keys }, weights) {
  const { cells: all, rows, columns } = pool(weights, queries, keys, FINEST, FINEST);
  const side = Math.min(WIDE / columns, TALL / rows);
  const left = (WIDE - side * columns) / 2;
  return Array.from(all, (weight, i) => {
    const [x, y] = [left + (i % columns) * side, Math.floor(i / columns) * side];
    const shade = Number.isNaN(weight) ? 0 : weight;
    return svg`<rect class="hl-lesson-cell" x=${x} y=${y} width=${side} height=${side}></rect>
      <rect class="hl-lesson-weight" x=${x} y=${y} width=${side} height=${side}
        opacity=${shade}></rect>`;
  });
}

/** Both stacks, a block a layer. @type {Draw} */
function stacks({ attention }) {
  const columns = [
    [attention.encoder_self.layers, 18],
    [attention.cross.layers, 92],
  ];
  return columns.map(([layers, x]) => {
    const tall = Math.min(18, 74 / layers);
    const boxes = Array.from({ length: layers }, (_, i) => 84 - (i + 1) * (tall + 4));
    return svg`<path class="hl-lesson-line" d="M${x + 25} 98V${boxes[layers - 1] - 6}"></path>
      ${boxes.map((y) => svg`<rect class="hl-lesson-box" x=${x} y=${y} width="50" height=${tall} rx="3"></rect>`)}
      ${x > 50 ? svg`<path class="hl-lesson-line" d="M43 ${boxes[layers - 1] - 6}H80V52H${x}"></path>` : ""}`;
  });
}

/** The first candidates of the search, and where each came from. @type {Draw} */
function tree({ search: { steps, labels } }) {
  const place = (/** @type {number} */ t, /** @type {number} */ c) => {
    const count = Math.min(TREE[t], steps[t].ids.length);
    return [34 + t * 74, ((c + 0.5) * TALL) / count];
  };
  const nodes = TREE.flatMap((most, t) =>
    [...(steps[t]?.ids ?? [])].slice(0, most).map((id, c) => ({ t, c, id })),
  );
  const from = (/** @type {number} */ t, /** @type {number} */ c) => {
    const parent = t === 0 ? -1 : steps[t].parents[c];
    if (!(parent >= 0 && parent < TREE[0])) return [4, TALL / 2];
    const [x, y] = place(0, parent);
    return [x + 9 + LETTERS * textWidth(labels[steps[0].ids[parent]]?.text ?? ""), y];
  };
  return nodes.map((node) => {
    const [x, y] = place(node.t, node.c);
    const [before, height] = from(node.t, node.c);
    const isKept = steps[node.t].fates[node.c] !== "pruned";
    return svg`<path class="hl-lesson-line" d="M${before} ${height}L${x - 4} ${y}"></path>
      <circle class="hl-lesson-node ${isKept ? "hl-kept" : ""}" cx=${x} cy=${y} r="3.5"></circle>
      <text x=${x + 7} y=${y + 4}>${labels[node.id]?.text ?? ""}</text>`;
  });
}

/** Each row's strongest link, from the written tokens at the left to the source at the right.
 * @type {Draw} */
function links(record, query) {
  const { queries, keys, weights } = headOf(record, query);
  const place = (/** @type {number} */ i, /** @type {number} */ count) =>
    6 + (i * (TALL - 12)) / Math.max(1, count - 1);
  return Array.from({ length: queries }, (_, row) => {
    const own = weights.subarray(row * keys, (row + 1) * keys);
    const most = own.reduce((so, one, i) => (one > own[so] ? i : so), 0);
    const [from, to] = [place(row, queries), place(most, keys)];
    return svg`<path class="hl-lesson-line" d="M34 ${from}L126 ${to}"
        stroke-width=${0.5 + 2 * own[most]}></path>
      <circle class="hl-lesson-node hl-kept" cx="30" cy=${from} r="3.5"></circle>
      <circle class="hl-lesson-node" cx="130" cy=${place(row, queries)} r="3.5"></circle>`;
  });
}

/** The two most likely tokens of a step, against each other. @type {Draw} */
function rivals({ steps }, query) {
  const step = Math.min(steps.length, Number(query.get("step") ?? 1)) - 1;
  return steps[step].top.slice(0, 2).map((one, i) => {
    const tall = 78 * Math.exp(one.log_prob);
    const x = 36 + i * 52;
    return svg`<rect class="hl-lesson-track" x=${x} y="4" width="36" height="78" rx="2"></rect>
      <rect class="hl-lesson-bar" x=${x} y=${82 - tall} width="36" height=${tall} rx="2"></rect>
      <text x=${x + 18} y="96" text-anchor="middle">${one.text}</text>`;
  });
}

/** The most likely tokens of the step that the lesson shows. @type {Draw} */
function bars({ steps }, query) {
  const step = Math.min(steps.length, Number(query.get("step") ?? 1)) - 1;
  return steps[step].top.slice(0, BARS).map((one, i) => {
    const y = 6 + i * 19;
    return svg`<text x="0" y=${y + 11}>${one.text}</text>
      <rect class="hl-lesson-track" x="40" y=${y} width="120" height="13" rx="2"></rect>
      <rect class="hl-lesson-bar" x="40" y=${y} width=${120 * Math.exp(one.log_prob)} height="13"
        rx="2"></rect>`;
  });
}
