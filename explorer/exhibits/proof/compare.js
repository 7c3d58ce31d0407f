// Compares the page with the browser's own run of the model: every text and number of a record, one
// by one. Pure functions.

export const NEAR = 1e-4; // between two ways of adding in single precision, of a log-prob
const STEP = 1 / 65_535; // of a weight of attention, which is sent in 16 bits
const TIE = 1e-5; // log-probs nearer than this are equal: rounding decides which comes first
const LARGE = 16; // a sum beyond this is compared relatively: single precision has seven digits
const MOVED = 0.01; // most of the counts that rounding may move by one; measured: 0.0008
const MOST = 200; // most differences to list

/** @typedef {import("../../../assets/kit/types.js").Rec} Rec */
/** @typedef {import("../../../assets/kit/types.js").Maps} Maps */
/** @typedef {ArrayLike<unknown>} List */

/**
 * @typedef {{path: string, shown: unknown, own: unknown}} Difference
 * @typedef {object} Row
 * @property {string} name
 * @property {number} count number of texts and numbers compared
 * @property {number} deviation the largest difference; infinite if a text or a place differs
 * @property {number} tolerance
 * @property {number} off number of larger differences
 * @property {Difference[]} differences the first of these
 */

const mapsOf = (/** @type {Maps} */ { head, ...maps }) => ({
  ...maps,
  weights: Array.from({ length: maps.layers }, (_, layer) =>
    Array.from({ length: maps.heads }, (_, index) => head(layer, index)),
  ),
});
/** @type {(kind: string) => (record: Rec) => unknown} */
const attention = (kind) => (record) => mapsOf(record.attention[kind]);

/** @type {(keyof Rec)[]} */
const ASKED = ["text", "settings", "rules", "interventions", "prefix", "shown", "node"];
/** @type {(keyof Rec)[]} */
const WRITTEN = ["src", "tgt_in", "tgt_out", "translation"];
/** Some fields of a record. @param {Partial<Rec>} record @param {(keyof Rec)[]} names */
const only = (record, names) => Object.fromEntries(names.map((name) => [name, record[name]]));

/** The parts compared, in the order of the page, with their tolerances.
 * @type {Record<string, {of: (record: Rec) => unknown, tolerance: number}>} */
export const PARTS = {
  asked: {
    tolerance: 0,
    of: ({ model: { device: _, pace: __, training: ___, ...model }, ...record }) => ({
      ...only(record, ASKED),
      model,
    }),
  },
  tokens: {
    tolerance: 0,
    of: ({ search: { labels }, ...record }) => ({ ...only(record, WRITTEN), labels }),
  },
  encoder_self: { tolerance: 1.5 * STEP, of: attention("encoder_self") },
  decoder_self: { tolerance: 1.5 * STEP, of: attention("decoder_self") },
  cross: { tolerance: 1.5 * STEP, of: attention("cross") },
  predictions: { tolerance: NEAR, of: ({ steps }) => steps },
  candidates: {
    tolerance: NEAR,
    of: ({ search: { steps } }) => steps.map(({ fates: _, ...candidates }) => candidates),
  },
  fates: { tolerance: 0, of: ({ search: { steps } }) => steps.map(({ fates }) => fates) },
  hypotheses: { tolerance: NEAR, of: ({ hypotheses, path }) => ({ hypotheses, path }) },
  doubt: { tolerance: NEAR, of: ({ doubt }) => doubt },
};
/**
 * Compares a whole record with the same record made here.
 * @param {Rec} shown @param {Rec} own @returns {Row[]}
 */
export const compare = (shown, own) =>
  Object.entries(PARTS).map(([name, { of, tolerance }]) =>
    difference(name, of(shown), of(own), tolerance),
  );

/** The deviation of a part shown from the browser's own.
 * @param {string} name @param {unknown} shown @param {unknown} own */
export function difference(name, shown, own, tolerance = 0) {
  /** @type {Row} */
  const row = { name, count: 0, deviation: 0, tolerance, off: 0, differences: [] };
  walk(shown, own, "", row);
  return row;
}

/** Whole numbers of which rounding may move a few by one: shades of a picture, units that fired. */
export class Counts extends Int32Array {}

/** An array of any kind. @param {unknown} value @returns {value is List} */
const isList = (value) => Array.isArray(value) || ArrayBuffer.isView(value);

/** Parts by their names. @param {unknown} value @returns {value is Record<string, unknown>} */
const isParts = (value) => typeof value === "object" && value !== null && !isList(value);

/** @param {unknown} shown @param {unknown} own @param {string} path @param {Row} row */
function walk(shown, own, path, row) {
  if (isList(shown) && isList(own)) walkList(shown, own, path, row);
  else if (isParts(shown) && isParts(own)) {
    for (const name of new Set([...Object.keys(shown), ...Object.keys(own)]))
      walk(shown[name], own[name], path ? `${path}.${name}` : name, row);
  } else note(shown, own, path, row);
}

/** @param {List} shown @param {List} own @param {string} path @param {Row} row */
function walkList(shown, own, path, row) {
  const count = Math.max(shown.length, own.length);
  const ordered = inOrderShown(shown, own);
  let room = own instanceof Counts ? Math.max(1, Math.floor(MOVED * count)) : 0;
  for (let i = 0; i < count; i += 1) {
    const apart = typeof own[i] === "number" ? distance(shown[i], own[i]) : Infinity;
    if (apart > (room > 0 ? 1 : 0)) walk(shown[i], ordered[i], `${path}[${i}]`, row);
    else {
      row.count += 1;
      if (apart > 0) room -= 1;
    }
  }
}

/** Two values that have no parts.
 * @param {unknown} shown @param {unknown} own @param {string} path @param {Row} row */
function note(shown, own, path, row) {
  const deviation = distance(shown, own);
  row.count += 1;
  row.deviation = Math.max(row.deviation, deviation);
  if (deviation <= row.tolerance) return;
  row.off += 1;
  if (row.differences.length < MOST) row.differences.push({ path, shown, own });
}

/** The distance of two values: infinite if they are not both numbers.
 * @param {unknown} shown @param {unknown} own */
function distance(shown, own) {
  if (Object.is(shown, own)) return 0; // two masked cells too, which are NaN
  if (typeof shown !== "number" || typeof own !== "number") return Infinity;
  const areWhole = Number.isInteger(shown) && Number.isInteger(own); // ids, places, counts
  const apart = Math.abs(shown - own) / (areWhole ? 1 : Math.max(1, Math.abs(own) / LARGE));
  return Number.isNaN(apart) ? Infinity : apart;
}

/**
 * The browser's own list in the order shown, if only tokens of equal log-probs change their places.
 * @param {List} shown @param {List} own @returns {List}
 */
function inOrderShown(shown, own) {
  if (!isRanking(shown) || !isRanking(own) || shown.length !== own.length) return own;
  const theirs = shown.map(({ id }) => own.find((one) => one.id === id));
  const areEqual = theirs.every((one, i) => one && distance(one.log_prob, own[i].log_prob) <= TIE);
  return areEqual && new Set(theirs).size === own.length ? theirs : own;
}

/** True if a list has tokens by their log-probs.
 * @param {List} list @returns {list is {id: number, log_prob: number}[]} */
const isRanking = (list) =>
  Array.isArray(list) &&
  list.length > 1 &&
  list.every((one) => one?.id !== undefined && one.log_prob !== undefined);
