// Measures of a head, one number each. Pure functions of a map's cells, row by row, NaN where
// masked. A masked cell counts as 0.

import { headOf, namesOf } from "../../../assets/kit/heads.js";
import { axes, KINDS } from "../../../assets/kit/selection.js";

export const MEASURES = ["entropy", "diagonal", "previous", "end", "role", "effect"];

/** The mean entropy of the rows in nats: -(1/Q) sum_i sum_j w_ij ln w_ij. */
export function entropy(cells, queries) {
  let sum = 0;
  for (const weight of cells) if (weight > 0) sum -= weight * Math.log(weight);
  return sum / queries;
}

/** The mean weight on the diagonal: (1/Q) sum_i w_ii, for a map of one sentence onto itself. */
export function diagonal(cells, queries, keys) {
  let sum = 0;
  for (let i = 0; i < Math.min(queries, keys); i += 1) sum += cells[i * keys + i] || 0;
  return sum / queries;
}

/**
 * The same for a map between two sentences, whose diagonal is stretched from corner to corner:
 * 1 - (1/Q) sum_i sum_j w_ij |i / (Q - 1) - j / (K - 1)|. 1: all weight on it.
 */
export function stretchedDiagonal(cells, queries, keys) {
  const place = (i, count) => (count > 1 ? i / (count - 1) : 0);
  let sum = 0;
  for (let at = 0; at < cells.length; at += 1) {
    if (!(cells[at] > 0)) continue;
    sum += cells[at] * Math.abs(place(Math.floor(at / keys), queries) - place(at % keys, keys));
  }
  return 1 - sum / queries;
}

/**
 * The mean weight on the previous token: (1/(Q - 1)) sum_{i > 0} w_i,i-1. The first row has none.
 */
export function previous(cells, queries, keys) {
  if (queries < 2) return null;
  let sum = 0;
  for (let i = 1; i < queries; i += 1) sum += cells[i * keys + i - 1] || 0;
  return sum / (queries - 1);
}

/** The mean weight on one column: (1/Q) sum_i w_ij. */
export function onColumn(cells, queries, keys, column) {
  if (column < 0) return null;
  let sum = 0;
  for (let i = 0; i < queries; i += 1) sum += cells[i * keys + column] || 0;
  return sum / queries;
}

/** The column of the end token; in decoder self-attention, which reads none, of the start token. */
export const edgeColumn = (kind, columns) =>
  kind === "decoder_self" ? 0 : columns.findLastIndex(({ piece }) => piece === "</s>");

/** All measures of one head; null if one does not apply to its kind or is unknown. */
export function measuresOf(kind, { cells, queries, keys, columns }, effect = null) {
  const cross = kind === "cross";
  return {
    entropy: entropy(cells, queries),
    diagonal: (cross ? stretchedDiagonal : diagonal)(cells, queries, keys),
    previous: cross ? null : previous(cells, queries, keys),
    end: onColumn(cells, queries, keys, edgeColumn(kind, columns)),
    effect,
  };
}

/**
 * The relative size of a head's measure, 0 to 1: entropy relative to the largest of all heads, an
 * effect to the largest of either sign, the others as they are.
 */
export function share(measure, value, all) {
  if (value === null) return 0;
  if (!isRelative(measure)) return Math.max(0, Math.min(1, value));
  const most = largest(all);
  return most > 0 ? Math.abs(value) / most : 0;
}

/** True if a measure has no fixed maximum: it is scaled to the largest value. */
export const isRelative = (measure) => measure === "entropy" || measure === "effect";

export const largest = (all) =>
  Math.max(0, ...all.filter((one) => one !== null).map((one) => Math.abs(one)));

/** True if a head has enough of the measure to stay bright; `least` is 0 to 100. */
export const passes = ({ value, share: part }, least) =>
  least <= 0 || (value !== null && part * 100 >= least);

/**
 * The names of heads, highest first; those without the measure follow in their old order. An effect
 * is larger the more the output loses: it is a log-prob, below 0.
 */
export function sorted(names, measure, measured) {
  const rank = (name) => {
    const value = measured(name);
    if (value === null) return -Infinity;
    return measure === "effect" ? -value : value;
  };
  return names
    .map((name, i) => ({ name, i, rank: rank(name) }))
    .sort((a, b) => (a.rank === b.rank ? a.i - b.i : b.rank - a.rank))
    .map(({ name }) => name);
}

/**
 * The measures of the heads of a record, computed once: {of(name), all(measure)}.
 * @param {import("../../../assets/kit/types.js").Page} page
 */
export function createMeasures({ record, effects, roles }) {
  const known = new WeakMap(); // record -> Map of name -> measures

  function taken() {
    const now = /** @type {any} */ (record.get());
    if (known.has(now)) return known.get(now);
    const found = new Map();
    for (const kind of KINDS) {
      const maps = now.attention[kind];
      const columns = axes(now, kind, "reads").columns.labels;
      for (const name of namesOf(kind, maps)) {
        const { layer, head } = headOf(name);
        found.set(name, measuresOf(kind, { ...maps, cells: maps.head(layer, head), columns }));
      }
    }
    known.set(now, found);
    return found;
  }
  function one(name, measure) {
    if (measure === "effect") return effects.get()?.get(name) ?? null;
    if (measure === "role") return roles.get()?.of.get(name)?.strength ?? null;
    return taken().get(name)[measure];
  }

  /** The measures that a head has: [{measure, value}]. */
  const of = (name) =>
    MEASURES.map((measure) => ({ measure, value: one(name, measure) })).filter(
      ({ value }) => value !== null,
    );

  /** One measure of every head: name -> {value, share}; value is null where it has none. */
  function all(measure) {
    const pairs = [...taken().keys()].map((name) => [name, one(name, measure)]);
    const values = pairs.map(([, value]) => value);
    return new Map(
      pairs.map(([name, value]) => [name, { value, share: share(measure, value, values) }]),
    );
  }
  return { of, all };
}
