// Why a head looks at this key and not at that one: the difference of their scores as a table of
// what wrote the query times what wrote the keys.

import { select } from "../../../assets/kit/choice.js";
import { exhibit } from "../../../assets/kit/exhibit.js";
import { headChoice } from "../../../assets/kit/headchoice.js";
import { text, whole } from "../../../assets/kit/keep.js";
import { signedText } from "../../../assets/kit/numbers.js";
import { unpack } from "../../../assets/kit/packing.js";
import { axes } from "../../../assets/kit/selection.js";
import { marked } from "../../../assets/kit/sentence.js";
import { headRows } from "../../../assets/kit/telling.js";
import { html } from "../../../assets/vendor/lit-html.js";
import { fitted, grouped, idOf, leading, partsOf } from "./parts.js";
import { all, sheets } from "./sheets.js";
import { table } from "./table.js";
import { told } from "./told.js";

/** @typedef {import("../../../assets/kit/types.js").Label} Label */
/** @typedef {import("./parts.js").Split} Split */

/**
 * The key to compare with: -1 where the view chooses, -2 for none. `out`: what is taken out of the
 * key, by its name in a link; empty: nothing.
 * @typedef {import("../../../assets/kit/exhibit.js").Base & {against: number, out: string,
 *   answer: Split & {args: Place}}} Given
 *
 * The two keys, the one with the higher score ahead (`behind` null: the whole score), and their
 * parts, of which `lead` gives most; `state` says whether the row may choose between keys. `without`:
 * what is taken out, what the table leaves, and what a run without it gives, null at first.
 * @typedef {{writer: import("./parts.js").Writer, kept: number, real: number|null,
 *   open: import("../../../assets/kit/request.js").Answer}} Without
 * @typedef {Given & {at: Place, without: Without|null, query: Label, keys: Label[], ahead: number, behind: number|null,
 *   hidden: boolean[], split: Split, parts: import("./parts.js").Grouped,
 *   lead: ReturnType<typeof leading>,
 *   digits: number, state: "masked"|"only"|"compared"}} Scene
 *
 * @typedef {{row: number, column: number, against: number}} Place -1: nothing
 */

const [BEST, NONE] = [-1, -2];
const MOST = 65_535; // of a place in a sentence
const LONGEST = 40; // characters of a writer's name in a link
const HALF = 0.5; // of the lead: what a bias gives alone decides

const NARROW = 50; // em of a window in which the words above the table take more lines
const ROW = 2.8; // em of a row with a button
const CLOSE = 0.1; // of the lead: as good as all of it

/** @type {import("../../../assets/kit/exhibit.js").View<Scene>} */
const VIEW = {
  name: "looks",
  fields: () => ({
    against: { first: BEST, fits: whole(NONE, MOST) },
    out: { first: "", fits: text(LONGEST) },
  }),
  ask(s) {
    const { kind, layer, head } = s.selection;
    return ["looks", { kind, layer, head, ...placeOf(s) }];
  },
  prepare: async (reply, _, args) =>
    "products" in reply
      ? { ...reply, args, products: await unpack(reply.products, Float32Array) }
      : reply,
  scene,
  telling: headRows,
  cell: ({ selection: { kind, row, labels }, ahead }) =>
    kind === "encoder_self"
      ? { src: row }
      : { src: kind === "cross" ? ahead : null, step: row, offset: labels === "reads" ? 0 : 1 },
  finding,
  nothing: ({ state }) => state === "only",
  picture: (s, size) => table(s, fitted(s.parts, ...roomOf(size, s.without))),
  controls: [against, (s) => headChoice(s, "layer"), (s) => headChoice(s, "head")],
  adjust: [
    (s) => headChoice(s, "kind"),
    (s) => headChoice(s, "row"),
    (s) => headChoice(s, "col", s.at?.column),
  ],
  numbers: sheets,
  reading: (s) =>
    html`<p>${s.t("points.mean")}</p><p>${s.t("kept")}</p><p>${s.t("without.mean")}</p>`,
  files: (s) => ({ svg: null, csv: () => all(s) }),
};

export const { mount } = exhibit(VIEW);

/** Rows and columns that have room. @param {import("../../../assets/kit/exhibit.js").Size} size
 * @param {Without|null} without which has two rows of its own
 * @returns {[number, number]} */
const roomOf = ({ width, height, em }, without) => [
  Math.max(
    3,
    Math.floor((height / em - (width < NARROW * em ? 8 : 6.5)) / ROW) - (without ? 2 : 0),
  ),
  Math.max(2, Math.min(8, Math.floor((width / em - 8) / 6) - 1)),
];

/** The weights of the chosen row; NaN where it may not read.
 * @param {Pick<Given, "record"|"selection">} s */
function rowOf({ record, selection: { kind, layer, head, row } }) {
  const maps = record.attention[kind];
  return [...maps.head(layer, head).subarray(row * maps.keys, (row + 1) * maps.keys)];
}

/** The cell, and the key that it is compared with: the heaviest other one.
 * @param {Pick<Given, "record"|"selection"|"against">} s @returns {Place} */
function placeOf({ record, selection, against }) {
  const weights = rowOf({ record, selection });
  const heaviest = (/** @type {number} */ but) =>
    weights.reduce(
      (best, one, i) => (i !== but && one >= 0 && !(weights[best] >= one) ? i : best),
      -1,
    );
  const column = selection.col ?? heaviest(-1);
  const isOther = weights[against] >= 0 && against !== column; // a masked one is NaN
  const other = against === NONE ? -1 : isOther ? against : heaviest(column);
  return { row: selection.row, column, against: other };
}

/** @param {Given} s @returns {Partial<Scene>} */
function scene(s) {
  const { record, answer, selection } = s;
  const { row, column, against } = answer.args;
  const { rows, columns } = axes(record, selection.kind, selection.labels);
  const isTurned = against >= 0 && answer.score < 0;
  const split = isTurned ? turned(answer) : answer;
  const parts = grouped(split);
  const weights = rowOf({ record, selection });
  const open = weights.filter((one) => !Number.isNaN(one)).length;
  const isMasked = Number.isNaN(weights[column]);
  return {
    at: { row, column, against },
    query: rows.labels[row],
    keys: columns.labels,
    ahead: isTurned ? against : column,
    behind: against < 0 ? null : isTurned ? column : against,
    hidden: weights.map(Number.isNaN),
    split,
    parts,
    without: withoutOf(s, parts, isTurned),
    lead: leading(parts),
    digits: Math.abs(parts.total) < 1 ? 2 : 1,
    state: isMasked ? "masked" : open === 1 ? "only" : "compared",
  };
}

/** What is taken out of the key, and what is left of the score; null: nothing is taken out.
 * @param {Given} s @param {import("./parts.js").Grouped} parts @param {boolean} isTurned
 * @returns {Without|null} */
function withoutOf({ out, ask, answer }, { keys, total }, isTurned) {
  const part = keys.find(({ writer }) => idOf(writer) === out);
  if (!part) return null;
  const open = ask("looks_without", { ...answer.args, parts: partsOf(answer, part.writer) });
  const score = open.value === null ? null : open.value.score;
  const real = score === null || !isTurned ? score : -score;
  return { writer: part.writer, kept: total - part.value, real, open };
}

/** The same difference from the other side. @param {Split} split @returns {Split} */
const turned = (split) => ({
  ...split,
  products: split.products.map((one) => -one),
  distance: split.distance === null ? null : -split.distance,
  score: -split.score,
});

/** Which part of the key decides. @param {Scene} s */
function finding(s) {
  const { t, query, keys, at, ahead, behind, lead, parts, digits, state, without } = s;
  const say = (/** @type {string} */ key, /** @type {object} */ values) => told(s, key, values);
  if (without) return findingWithout(s, without);
  if (state !== "compared") return s.say(`finding.${state}`, { query, ahead: keys[at.column] });
  const number = (/** @type {number} */ value) => marked(signedText(value, digits));
  const { name, layer = 0, head } = lead.writer;
  const what = t(`what.${name}`, {
    stack: t(s.selection.kind === "decoder_self" ? "decoder" : "encoder"),
    layer: layer + 1,
    head: `${layer + 1}·${(head ?? 0) + 1}`,
  });
  const all = number(parts.total);
  const names = { query, ahead: keys[ahead], behind: keys[behind ?? ahead], what, all };
  if (behind === null) return say("finding.whole", { ...names, value: number(lead.value) });
  const isAny = lead.byBias > HALF * parts.total && lead.byBias <= parts.total;
  if (isAny) return say("finding.any", { ...names, value: number(lead.byBias) });
  const value = number(lead.value);
  const share = lead.value / parts.total;
  const way = share > 1 + CLOSE ? ".over" : share > 1 - CLOSE ? ".alone" : "";
  return say(`finding${way}`, { ...names, value });
}

/** What is left without a part of the key: by the table, and in a run without it.
 * @param {Scene} s @param {Without} without */
function findingWithout(s, { writer, kept, real }) {
  const { t, query, keys, ahead, behind, digits } = s;
  const { layer = 0, head = 0 } = writer;
  const number = (/** @type {number} */ value) => signedText(value, digits);
  return told(s, behind === null ? "finding.without.whole" : "finding.without", {
    query,
    ahead: keys[ahead],
    behind: keys[behind ?? ahead],
    what: t(`out.${writer.name}`, { layer: layer + 1, head: `${layer + 1}·${head + 1}` }),
    kept: marked(number(kept)),
    real: real === null ? "…" : marked(number(real)),
  });
}

/** With which key it is compared. @param {Scene} s */
function against({ t, keys, hidden, at, set }) {
  const others = (keys ?? []).map((one, i) => ({
    value: String(i),
    label: `${i + 1} ${one.line ?? one.text}`,
  }));
  return select({
    label: t("against"),
    value: String(at?.against === -1 ? NONE : at?.against),
    options: [
      ...others.filter((_, i) => i !== at.column && !hidden[i]),
      { value: String(NONE), label: t("against.none") },
    ],
    onChange: (value) => set({ against: Number(value) }),
  });
}
