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
import { placeOf as countedOf, keyOf, table } from "./table.js";
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
const HALF = 0.5; // of the lead: what the biases, the largest row, give of it decides

const NARROW = 50; // em of a window in which the words around the table take more lines
const AROUND = { wide: 11.5, narrow: 17.5 }; // em of them and of the names
const CAPTION = 82; // em of its words, in one line
const LEFT = 3; // em of what is left without a part
const ROW = { least: 2.7, most: 4 }; // em
const BAR = { least: 1.5, most: 10 }; // em of the sums' bars
const ALMOST = 0.9; // of the lead: as good as all of it

/** @type {import("../../../assets/kit/exhibit.js").View<Scene>} */
const VIEW = {
  name: "looks",
  fields: () => ({
    against: { first: BEST, fits: whole(NONE, MOST) },
    out: { first: "", fits: text(LONGEST) },
  }),
  ask(s) {
    const { kind, layer, head } = s.selection;
    return ["looks", { kind, layer, head, ...placeOf(s) }, s.record, kind];
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
  picture,
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

/** The table with the rows and columns that there is room for; what is left of it is the bars'.
 * @param {Scene} s @param {import("../../../assets/kit/exhibit.js").Size} size */
function picture(s, { width, height, em }) {
  const wide = width >= NARROW * em;
  const lines = wide ? Math.ceil((CAPTION * em) / width) : 1;
  const around = AROUND[wide ? "wide" : "narrow"] + 1.5 * lines + (s.without ? LEFT : 0);
  const room = height / em - around;
  const rows = Math.max(2, Math.floor((room - BAR.least) / ROW.least));
  const columns = Math.max(2, Math.min(8, Math.floor((width / em - (wide ? 22 : 13)) / 6.5)));
  const parts = fitted(s.parts, rows, columns);
  const within = (/** @type {{least: number, most: number}} */ { least, most }, one = 0) =>
    Math.max(least, Math.min(most, one));
  const bar = within(BAR, room - parts.queries.length * ROW.least);
  const row = within(ROW, (room - bar) / parts.queries.length);
  return table(s, parts, { wide, bar, row });
}

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
  const { query, keys, at, ahead, behind, lead, parts, digits, state, without } = s;
  const say = (/** @type {string} */ key, /** @type {object} */ values) => told(s, key, values);
  if (without) return findingWithout(s, without);
  if (state !== "compared") return s.say(`finding.${state}`, { query, ahead: keys[at.column] });
  const text = (/** @type {number} */ value) => signedText(value, digits);
  const number = (/** @type {number} */ value) => marked(text(value));
  const { total } = parts;
  const names = {
    query,
    ahead: keys[ahead],
    behind: keys[behind ?? ahead],
    what: whatOf(s, lead.writer),
    all: number(total),
  };
  const value = number(lead.value);
  if (behind === null)
    return say(total < 0 ? "finding.whole.below" : "finding.whole", { ...names, value });
  if (Number(text(total)) === 0) return say("finding.equal", names);
  const isAny = lead.row === 0 && lead.byBias > HALF * total && lead.byBias <= total;
  if (isAny) return say("finding.any", { ...names, value: number(lead.byBias) });
  const isMore = lead.value > total && text(lead.value) !== text(total);
  const way = isMore ? ".over" : lead.value > ALMOST * total ? ".alone" : "";
  return say(`finding${way}`, { ...names, value });
}

/** A part of the key in a sentence. @param {Pick<Scene, "t"|"selection">} s
 * @param {import("./parts.js").Writer} writer */
function whatOf({ t, selection }, writer) {
  const stack = t(selection.kind === "decoder_self" ? "decoder" : "encoder");
  return t(`what.${keyOf(writer)}`, { ...countedOf(writer), stack });
}

/** The same where it is missing. @param {Scene} s @param {import("./parts.js").Writer} writer */
function missingOf(s, writer) {
  const { kind, text } = s.keys[s.ahead];
  if (writer.name === "place") return s.t("out.place");
  if (writer.name !== "word") return whatOf(s, writer);
  return s.t(kind !== "special" && /\p{L}|\p{N}/u.test(text) ? "out.word" : "out.token");
}

/** What is left without a part of the key: by the table, and in a run without it.
 * @param {Scene} s @param {Without} without */
function findingWithout(s, { writer, kept, real }) {
  const { query, keys, ahead, behind, digits } = s;
  const names = { query, ahead: keys[ahead], what: missingOf(s, writer) };
  const said = (/** @type {(value: number) => number} */ size) => ({
    ...names,
    kept: marked(signedText(size(kept), digits)),
    real: real === null ? "…" : marked(signedText(size(real), digits)),
  });
  const asItIs = (/** @type {number} */ value) => value;
  if (behind === null) return told(s, "without.whole", said(asItIs));
  const isBehind = (/** @type {number} */ value) => Number(value.toFixed(digits)) < 0;
  const [way, really] = [kept, real ?? kept].map((one) => (isBehind(one) ? "behind" : "ahead"));
  return told(s, `without.${way}.${really}`, said(Math.abs));
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
