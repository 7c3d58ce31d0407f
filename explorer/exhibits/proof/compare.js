// What the page shows beside what the browser's own run of the model gives: every text and number
// of a record, one by one. Pure functions.

const NEAR = 1e-4; // between two ways of adding in single precision, of a log-prob
const STEP = 1 / 65_535; // of a weight of attention, which is sent in 16 bits
const TIE = 1e-5; // totals nearer than this are equal: which comes first is up to rounding
const LARGE = 16; // a sum beyond this is compared by its share: single precision has seven digits
const MOST = 200; // differences that are listed one by one

/**
 * @typedef {{path: string, shown: any, own: any}} Difference
 * @typedef {object} Row
 * @property {string} name
 * @property {number} count texts and numbers that were compared
 * @property {number} deviation the largest difference; infinite where a text or a place differs
 * @property {number} tolerance
 * @property {number} off how many differ by more
 * @property {Difference[]} differences the first of these
 *
 * @typedef {{rows: Row[], tie: number|null}} Comparison `tie`: the step of the search from which on
 *   the order of equal candidates is up to rounding
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

/** What is compared, in the order of the page: the part of a record, and how far it may be off.
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
 * Everything that a record shows, beside the same record made here. What comes after a tie is
 * compared only where both went the same way.
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

/** How far a part that is shown is from the browser's own. @returns {Row} */
export function difference(/** @type {string} */ name, shown, own, tolerance = 0) {
  const row = { name, count: 0, deviation: 0, tolerance, off: 0, differences: [] };
  walk(shown, own, "", row);
  return row;
}

/** Whether two parts are the same kind of list or object, and so are compared place by place. */
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

/** How far two values are apart: infinitely, where they are no two numbers. */
function distance(shown, own) {
  if (Object.is(shown, own)) return 0; // two masked cells too, which are NaN
  if (typeof shown !== "number" || typeof own !== "number") return Infinity;
  const areWhole = Number.isInteger(shown) && Number.isInteger(own); // ids, places, how many
  const apart = Math.abs(shown - own) / (areWhole ? 1 : Math.max(1, Math.abs(own) / LARGE));
  return Number.isNaN(apart) ? Infinity : apart;
}

/**
 * The first step at which two searches differ, if they have the same candidates there with the same
 * totals, in another order; null where there is none.
 * @param {any[]} shown @param {any[]} own
 */
function tieOf(shown, own) {
  const t = own.findIndex((step, i) => shown[i] === undefined || !isSame(shown[i], step));
  if (t < 0 || shown[t]?.ids.length !== own[t].ids.length) return null;
  const [one, other] = [placesOf(shown[t]), placesOf(own[t])];
  const moved = [...other].filter(([name, place]) => one.get(name) !== place);
  const isTie = moved.every(([name, place]) => {
    const at = one.get(name) ?? -1; // -1: it is not there, and has no total
    const total = own[t].totals[place];
    return [shown[t].totals[at], own[t].totals[at]].every((each) => Math.abs(each - total) <= TIE);
  });
  return moved.length > 0 && isTie ? t : null;
}

const isSame = (one, other) =>
  ["parents", "ids", "fates"].every((name) => one[name].join() === other[name].join());

const placesOf = ({ parents, ids }) =>
  new Map(Array.from(ids, (id, c) => [`${parents[c]} ${id}`, c]));
