// Attention by hand: small matrices, every step kept. Pure functions, in double precision.
//
// A matrix is {rows, columns, cells}, its cells row by row.

import { matmul, softmaxParts } from "../matrix.js";

export const matrix = (lines) =>
  ({ rows: lines.length, columns: lines[0].length, cells: Float64Array.from(lines.flat()) });

export const at = ({ columns, cells }, row, column) => cells[row * columns + column];

const shaped = (rows, columns, cells) => ({ rows, columns, cells });

export function product(a, b) {
  if (a.columns !== b.rows) throw new Error(`${a.columns} columns against ${b.rows} rows`);
  return shaped(a.rows, b.columns, matmul(a.cells, b.cells, a.rows, a.columns, b.columns));
}

export function transposed({ rows, columns, cells }) {
  return shaped(columns, rows, cells.map((_, i) => cells[(i % rows) * columns + Math.floor(i / rows)]));
}

const mapped = (a, change) => shaped(a.rows, a.columns, a.cells.map((cell, i) => change(cell, Math.floor(i / a.columns), i % a.columns)));

// Columns `from` to `to`: what a head owns of the queries, keys and values.
export function slice(a, from, to) {
  const width = to - from;
  const cells = new Float64Array(a.rows * width);
  for (let row = 0; row < a.rows; row += 1) {
    cells.set(a.cells.subarray(row * a.columns + from, row * a.columns + to), row * width);
  }
  return shaped(a.rows, width, cells);
}

export function beside(parts) {
  const lines = Array.from({ length: parts[0].rows }, (_, row) =>
    parts.flatMap((part) => [...part.cells.subarray(row * part.columns, (row + 1) * part.columns)]));
  return matrix(lines);
}

// The rows of a matrix through softmax, a masked (-Infinity) score to exactly 0.
export function softmaxRows(a) {
  const cells = new Float64Array(a.cells.length);
  for (let row = 0; row < a.rows; row += 1) {
    const line = a.cells.subarray(row * a.columns, (row + 1) * a.columns);
    cells.set(softmaxParts(line).weights, row * a.columns);
  }
  return shaped(a.rows, a.columns, cells);
}

// The steps of one attention: {scores, scaled, masked, weights, output, divisor}. What is given in
// `own` stands in for a step: scores typed by hand, or weights.
export function attend({ Q, K, V }, { causal, scaling }, own = {}) {
  if (own.weights) return { weights: own.weights, output: product(own.weights, V) };
  const scores = own.scores ?? product(Q, transposed(K));
  const divisor = scaling && !own.scores ? Math.sqrt(Q.columns) : 1;
  const scaled = mapped(scores, (score) => score / divisor);
  const masked = mapped(scaled, (score, row, column) => (causal && column > row ? -Infinity : score));
  const weights = softmaxRows(masked);
  return { scores, scaled, masked, weights, output: product(weights, V), divisor };
}

// Several attentions side by side, each on its columns: {heads: [{Q, K, V, ...steps}], concat, output}.
export function multiHead({ Q, K, V, O }, count, options) {
  const cut = (a, head) => slice(a, (head * a.columns) / count, ((head + 1) * a.columns) / count);
  const heads = Array.from({ length: count }, (_, head) => {
    const own = { Q: cut(Q, head), K: cut(K, head), V: cut(V, head) };
    return { ...own, ...attend(own, options) };
  });
  const concat = beside(heads.map(({ output }) => output));
  return { heads, concat, output: product(concat, O) };
}
