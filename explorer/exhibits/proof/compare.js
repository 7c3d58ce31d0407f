// Compares the page with the browser's own run of the model: every text and number of a record, one
// by one. Pure functions.

const NEAR = 1e-4; // between two ways of adding in single precision, of a log-prob
const STEP = 1 / 65_535; // of a weight of attention, which is sent in 16 bits
const TIE = 1e-5; // log-probs nearer than this are equal: rounding decides which comes first
const LARGE = 16; // a sum beyond this is compared relatively: single precision has seven digits
const MOST = 200; // most differences to list

/**
 * @typedef {{path: string, shown: any, own: any}} Difference
 * @typedef {object} Row
 * @property {string} name
 * @property {number} count number of texts and numbers compared
 * @property {number} deviation the largest difference; infinite if a text or a place differs
 * @property {number} tolerance
 * @property {number} off number of larger differences
 * @property {Difference[]} differences the first of these
 */

const mapsOf = ({ head, ...maps }) => ({
  ...maps,
  weights: Array.from({ length: maps.layers }, (_, layer) =>
    Array.from({ length: maps.heads }, (_, index) => head(layer, index)),
  ),
});
const attention = (/** @type {string} */ kind) => (record) => mapsOf(record.attention[kind]);

const ASKED = ["text", "settings", "interventions", "prefix", "shown", "node"];
const WRITTEN = ["src", "tgt_in", "tgt_out", "translation"];
const only = (/** @type {string[]} */ names) => (record) =>
  Object.fromEntries(names.map((name) => [name, record[name]]));

/** The parts compared, in the order of the page, with their tolerances.
 * @type {Record<string, {of: (record: any) => any, tolerance: number}>} */
export const PARTS = {
  asked: {
    tolerance: 0,
    of: ({ model: { device: _, ...model }, ...record }) => ({ ...only(ASKED)(record), model }),
  },
  tokens: {
    tolerance: 0,
    of: ({ search: { labels }, ...record }) => ({ ...only(WRITTEN)(record), labels }),
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
 * @param {any} shown @param {any} own @returns {Row[]}
 */
export const compare = (shown, own) =>
  Object.entries(PARTS).map(([name, { of, tolerance }]) =>
    difference(name, of(shown), of(own), tolerance),
  );

/** The deviation of a part shown from the browser's own. @returns {Row} */
export function difference(/** @type {string} */ name, shown, own, tolerance = 0) {
  const row = { name, count: 0, deviation: 0, tolerance, off: 0, differences: [] };
  walk(shown, own, "", row);
  return row;
}

/** Whole numbers that rounding may move by one: shades of a picture, units that fired. */
export class Counts extends Int32Array {}

/** True if two parts are the same kind of list or object, to be compared place by place. */
const bothAre = (one, other) =>
  typeof one === "object" &&
  typeof other === "object" &&
  one !== null &&
  other !== null &&
  isList(one) === isList(other);
/** @param {any} value @returns {boolean} */
const isList = (value) => Array.isArray(value) || ArrayBuffer.isView(value);

function walk(
  /** @type {any} */ shown,
  /** @type {any} */ own,
  /** @type {string} */ path,
  /** @type {Row} */ row,
) {
  if (!bothAre(shown, own)) return note(shown, own, path, row);
  if (!isList(own)) {
    for (const name of new Set([...Object.keys(shown), ...Object.keys(own)]))
      walk(shown[name], own[name], path ? `${path}.${name}` : name, row);
    return;
  }
  const count = Math.max(shown.length, own.length);
  const room = own instanceof Counts ? 1 : 0;
  const ordered = inOrderShown(shown, own);
  for (let i = 0; i < count; i += 1) {
    if (typeof own[i] === "number" && distance(shown[i], own[i]) <= room) row.count += 1;
    else walk(shown[i], ordered[i], `${path}[${i}]`, row);
  }
}

/** Two values that have no parts. */
function note(shown, own, /** @type {string} */ path, /** @type {Row} */ row) {
  const deviation = distance(shown, own);
  row.count += 1;
  row.deviation = Math.max(row.deviation, deviation);
  if (deviation <= row.tolerance) return;
  row.off += 1;
  if (row.differences.length < MOST) row.differences.push({ path, shown, own });
}

/** The distance of two values: infinite if they are not both numbers. */
function distance(shown, own) {
  if (Object.is(shown, own)) return 0; // two masked cells too, which are NaN
  if (typeof shown !== "number" || typeof own !== "number") return Infinity;
  const areWhole = Number.isInteger(shown) && Number.isInteger(own); // ids, places, counts
  const apart = Math.abs(shown - own) / (areWhole ? 1 : Math.max(1, Math.abs(own) / LARGE));
  return Number.isNaN(apart) ? Infinity : apart;
}

/**
 * The browser's own list in the order shown, if only tokens of equal log-probs change their places.
 * @param {any} shown @param {any} own
 */
function inOrderShown(shown, own) {
  if (!isRanking(shown) || !isRanking(own) || shown.length !== own.length) return own;
  const theirs = shown.map(({ id }) => own.find((/** @type {any} */ one) => one.id === id));
  const areEqual = theirs.every((one, i) => one && distance(one.log_prob, own[i].log_prob) <= TIE);
  return areEqual && new Set(theirs).size === own.length ? theirs : own;
}

/** True if a list has tokens by their log-probs. @returns {boolean} */
const isRanking = (/** @type {any} */ list) =>
  Array.isArray(list) &&
  list.length > 1 &&
  list.every((one) => one?.id !== undefined && one.log_prob !== undefined);
