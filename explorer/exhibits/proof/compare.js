// Compares the page with the browser's own run of the model: every text and number of a record, one
// by one. Pure functions.

const NEAR = 1e-4; // between two ways of adding in single precision, of a log-prob
const STEP = 1 / 65_535; // of a weight of attention, which is sent in 16 bits
const TIE = 1e-5; // totals nearer than this are ties: rounding decides which comes first
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
 *
 * @typedef {{rows: Row[], tie: number|null}} Comparison `tie`: the step of the search from which on
 * rounding decides the order of tied candidates
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
const OF_SEARCH = ["candidates", "fates"];
const AFTER_SEARCH = ["tokens", "decoder_self", "cross", "predictions", "hypotheses", "doubt"];

/**
 * Compares a whole record with the same record made here. After a tie, only parts on a common path
 * are compared.
 * @param {any} shown @param {any} own @returns {Comparison}
 */
export function compare(shown, own) {
  const tie = tieOf(shown.search.steps, own.search.steps);
  const rows = Object.entries(PARTS).flatMap(([name, { of, tolerance }]) => {
    const [one, other] = [of(shown), of(own)];
    const isCut = tie !== null && OF_SEARCH.includes(name);
    const row = isCut
      ? difference(name, one.slice(0, tie), other.slice(0, tie), tolerance)
      : difference(name, one, other, tolerance);
    return tie !== null && row.off > 0 && AFTER_SEARCH.includes(name) ? [] : [row];
  });
  return { rows, tie };
}

/** The deviation of a part shown from the browser's own. @returns {Row} */
export function difference(/** @type {string} */ name, shown, own, tolerance = 0) {
  const row = { name, count: 0, deviation: 0, tolerance, off: 0, differences: [] };
  walk(shown, own, "", row);
  return row;
}

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
  for (let i = 0; i < count; i += 1) {
    if (typeof own[i] === "number" && distance(shown[i], own[i]) === 0) row.count += 1;
    else walk(shown[i], own[i], `${path}[${i}]`, row);
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
 * The first step at which two searches differ, if they have the same candidates there with the same
 * totals, in a different order; else null.
 * @param {any[]} shown @param {any[]} own
 */
function tieOf(shown, own) {
  const t = own.findIndex((step, i) => shown[i] === undefined || !isSame(shown[i], step));
  if (t < 0 || shown[t]?.ids.length !== own[t].ids.length) return null;
  const [one, other] = [placesOf(shown[t]), placesOf(own[t])];
  const moved = [...other].filter(([name, place]) => one.get(name) !== place);
  const isTie = moved.every(([name, place]) => {
    const at = one.get(name) ?? -1; // -1: it is missing and has no total
    const total = own[t].totals[place];
    return [shown[t].totals[at], own[t].totals[at]].every((each) => Math.abs(each - total) <= TIE);
  });
  return moved.length > 0 && isTie ? t : null;
}

const isSame = (one, other) =>
  ["parents", "ids", "fates"].every((name) => one[name].join() === other[name].join());

const placesOf = ({ parents, ids }) =>
  new Map(Array.from(ids, (id, c) => [`${parents[c]} ${id}`, c]));
