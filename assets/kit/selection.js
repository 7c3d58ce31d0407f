// The selection: one plain object, and the rules that keep its parts consistent. Pure functions.
//
//   exhibit            the current tab
//   kind, layer, head  one attention head, counted from 0
//   row, col           a cell of its map: row reads, col is read; col may be null
//   src                the source token chosen last
//   step               the decoding step: it reads tgt_in[0..step] and writes tgt_out[step]
//   labels             the label of a decoder row: "writes" (tgt_out) or "reads" (tgt_in)

/** @typedef {import("./types.js").Rec} Rec */
/** @typedef {import("./types.js").Selection} Selection */
/** @typedef {import("./types.js").Label} Label */
/** A side of a map, and which strip holds its tokens.
 * @typedef {{side: string, labels: Label[], offset?: number}} Axis */
/** @typedef {{row: number|null, col: number|null}} Place */
/** @typedef {{row?: number|null, col?: number|null, side?: string, index?: number}} Pointed */

export const KINDS = ["encoder_self", "decoder_self", "cross"];

/** @type {Selection} */
export const FIRST = {
  exhibit: "figure",
  kind: "cross",
  layer: 0,
  head: 0,
  row: 0,
  col: null,
  src: 0,
  step: 0,
  labels: "writes",
};

/** @type {(keyof Selection)[]} */
const HEAD = ["kind", "layer", "head"];
/** @type {(keyof Selection)[]} */
const PLACES = ["src", "step", "col"]; // a row is one of the first two
/** @type {(keyof Selection)[]} */
const PLACED = [...PLACES, "row"];

export const isDecoder = (/** @type {string} */ kind) => kind !== "encoder_self";

/** The selection after `changes`, with everything inside the bounds of `record`.
 * @param {Selection} before @param {Partial<Selection>} changes @param {Rec|null} record
 * @returns {Selection} */
export function select(before, changes, record) {
  const next = changed(before, changes);
  if (record === null) return next;
  const shape = record.attention[next.kind];
  next.layer = clamp(next.layer, shape.layers);
  next.head = clamp(next.head, shape.heads);
  link(before, changes, next);
  next.src = clamp(next.src, record.src.length);
  next.step = clamp(next.step, record.tgt_out.length);
  next.row = clamp(next.row, shape.queries);
  next.col = next.col === null ? null : clamp(next.col, shape.keys);
  return next;
}

/** @param {Selection} before @param {Partial<Selection>} changes @returns {Selection} */
function changed(before, changes) {
  const next = { ...before, ...changes };
  if (!KINDS.includes(next.kind)) next.kind = before.kind;
  if (next.labels !== "reads") next.labels = "writes";
  return next;
}

/**
 * What `changes` choose, so that it can be chosen again for another record, whose bounds are not
 * known yet: a head as a whole, a cell by its step and source token.
 * @param {Selection} before @param {Partial<Selection>} changes @returns {Partial<Selection>}
 */
export function pinned(before, changes) {
  const next = changed(before, changes);
  link(before, changes, next);
  const isHead = HEAD.some((name) => name in changes);
  /** @type {(keyof Selection)[]} */
  const others = [...PLACES, "labels", "exhibit"];
  const names = others.filter(
    (name) => name in changes || (name !== "labels" && next[name] !== before[name]),
  );
  return Object.fromEntries([...(isHead ? HEAD : []), ...names].map((name) => [name, next[name]]));
}

/**
 * What `changes` choose: a head, a place in the sentence, the labels of its rows. What nobody chose,
 * the page finds itself: the head by its measured error, the place by what the view says about it.
 * @typedef {{head: boolean, place: boolean, labels: boolean,
 *   by?: {record: Rec, view: string, about: string}}} Chosen `by`: for which view the place was found
 * @param {Partial<Selection>} changes @returns {Chosen}
 */
export const chosenIn = (changes) => ({
  head: HEAD.some((name) => name in changes),
  place: PLACED.some((name) => (changes[name] ?? null) !== null),
  labels: "labels" in changes,
});

/** What was chosen before, and what `changes` choose.
 * @param {Chosen} before @param {Partial<Selection>} changes @returns {Chosen} */
export function alsoChosen(before, changes) {
  const { head, place, labels } = chosenIn(changes);
  return {
    ...before,
    head: before.head || head,
    place: before.place || place,
    labels: before.labels || labels,
  };
}

/** Rows of the decoder are steps; rows of the encoder and columns of cross-attention are source
 * tokens. @param {Selection} before @param {Partial<Selection>} changes @param {Selection} next */
function link(before, changes, next) {
  const decoder = isDecoder(next.kind);
  const turned = next.kind !== before.kind;
  if ("row" in changes && !turned) {
    if (decoder) next.step = next.row;
    else next.src = next.row;
  } else {
    next.row = decoder ? next.step : next.src;
  }
  if (turned && !("col" in changes)) next.col = null;
  if (next.kind === "cross") {
    if (typeof changes.col === "number") next.src = changes.col;
    else if ("src" in changes && !("col" in changes)) next.col = next.src;
  }
}

/** @param {any} index @param {number} count */
export function clamp(index, count) {
  return Math.max(0, Math.min(count - 1, Number.isInteger(index) ? index : 0));
}

/** The tokens of rows and columns of one kind.
 * @param {Pick<Rec, "src"|"tgt_in"|"tgt_out">} record @param {string} kind @param {string} labels
 * @returns {{rows: Axis, columns: Axis}} */
export function axes(record, kind, labels) {
  const written = labels === "writes" ? record.tgt_out : record.tgt_in;
  const src = { side: "src", labels: record.src };
  const read = { side: "tgt", labels: record.tgt_in, offset: 0 };
  const rows = { side: "tgt", labels: written, offset: labels === "writes" ? 1 : 0 };
  if (kind === "encoder_self") return { rows: src, columns: src };
  return { rows, columns: kind === "cross" ? src : read };
}

/** The names of a map's rows in files, whatever they are labelled by on the page: a row of the
 * decoder has the token that it reads back and the one that it writes.
 * @param {Pick<Rec, "src"|"tgt_in"|"tgt_out">} record @param {string} kind
 * @returns {Record<string, Label[]>} */
export const sidesOf = ({ src, tgt_in: read, tgt_out: written }, kind) =>
  kind === "encoder_self" ? { token: src } : { read, written };

/** The place in the target strip of row or column i: the strip begins with the start token.
 * @param {Axis} axis @param {number} i */
export const stripIndex = (axis, i) => i + (axis.offset ?? 0);

/**
 * The cell under the pointer on the chosen map: {row, col}, either of which may be null. `hovered`
 * is a cell {row, col} or a token of a strip {side, index}; a source token of the encoder's own map
 * is both a row and a column.
 * @param {Rec} record @param {Selection} chosen @param {Pointed|null} hovered
 */
export function pointedLines(record, chosen, hovered) {
  if (hovered === null) return { row: null, col: null };
  const { row = null, col = null, side, index = -1 } = hovered;
  if (!side) return { row, col };
  const { rows, columns } = axes(record, chosen.kind, chosen.labels);
  const line = (/** @type {Axis} */ axis) => {
    const i = index - (axis.offset ?? 0);
    return axis.side === side && i >= 0 && i < axis.labels.length ? i : null;
  };
  return { row: line(rows), col: line(columns) };
}

/** The row whose weights are shown: the one pointed at, else the chosen one.
 * @param {Rec} record @param {Selection} chosen @param {Pointed|null} hovered */
export const rowOnShow = (record, chosen, hovered) =>
  pointedLines(record, chosen, hovered).row ?? chosen.row;
