// What a head is like, in one number each. Pure functions of a map's cells, row by row, NaN where
// the mask forbids to look. A masked cell weighs 0.

export const MEASURES = ["entropy", "diagonal", "previous", "end", "effect"];

// The mean entropy of the rows in nats: -(1/Q) sum_i sum_j w_ij ln w_ij. 0: each row reads one token.
export function entropy(cells, queries) {
  let sum = 0;
  for (const weight of cells) if (weight > 0) sum -= weight * Math.log(weight);
  return sum / queries;
}

// The mean weight on the diagonal: (1/Q) sum_i w_ii, for a map of one sentence onto itself.
export function diagonal(cells, queries, keys) {
  let sum = 0;
  for (let i = 0; i < Math.min(queries, keys); i += 1) sum += cells[i * keys + i] || 0;
  return sum / queries;
}

// The same for a map between two sentences, whose diagonal is stretched from corner to corner:
// 1 - (1/Q) sum_i sum_j w_ij |i / (Q - 1) - j / (K - 1)|. 1: all weight on it.
export function stretchedDiagonal(cells, queries, keys) {
  const place = (i, count) => (count > 1 ? i / (count - 1) : 0);
  let sum = 0;
  for (let at = 0; at < cells.length; at += 1) {
    if (!(cells[at] > 0)) continue;
    sum += cells[at] * Math.abs(place(Math.floor(at / keys), queries) - place(at % keys, keys));
  }
  return 1 - sum / queries;
}

// The mean weight on the token before: (1/(Q - 1)) sum_{i > 0} w_i,i-1. The first row has none.
export function previous(cells, queries, keys) {
  if (queries < 2) return null;
  let sum = 0;
  for (let i = 1; i < queries; i += 1) sum += cells[i * keys + i - 1] || 0;
  return sum / (queries - 1);
}

// The mean weight on one column: (1/Q) sum_i w_ij.
export function onColumn(cells, queries, keys, column) {
  if (column < 0) return null;
  let sum = 0;
  for (let i = 0; i < queries; i += 1) sum += cells[i * keys + column] || 0;
  return sum / queries;
}

// The column of the end token; of the start token in decoder self-attention, which never reads an end.
export const edgeColumn = (kind, columns) =>
  (kind === "decoder_self" ? 0 : columns.findLastIndex(({ piece }) => piece === "</s>"));

// All measures of one head; null where one means nothing for its kind or is not known.
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

// How far a measure of one head goes, 0 to 1: entropy by the most that any of them has, an effect by
// the largest of either sign, the others as they are.
export function share(measure, value, all) {
  if (value === null) return 0;
  if (measure !== "entropy" && measure !== "effect") return Math.max(0, Math.min(1, value));
  const most = Math.max(...all.filter((one) => one !== null).map(Math.abs));
  return most > 0 ? Math.abs(value) / most : 0;
}

// The names of heads, the one with the most of the measure first; those without one stay behind, as
// they stood. An effect is the larger, the more the output loses: it is a log-prob, below 0.
export function sorted(names, measure, valueOf) {
  const rank = (name) => {
    const value = valueOf(name);
    if (value === null) return -Infinity;
    return measure === "effect" ? -value : value;
  };
  return names.map((name, i) => ({ name, i, rank: rank(name) }))
    .sort((a, b) => (a.rank === b.rank ? a.i - b.i : b.rank - a.rank))
    .map(({ name }) => name);
}
