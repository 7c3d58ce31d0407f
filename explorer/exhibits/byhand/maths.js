// Attention by hand: small matrices, every step kept. Pure functions, in double precision.

import { matmul, softmaxParts } from "../../../assets/kit/algebra.js";

/** Cells row by row; `all` includes those that a smaller size hides, see presets.js.
 * @typedef {{rows: number, columns: number, cells: Float64Array, all?: Float64Array}} Matrix */
/** @typedef {{causal: boolean, scaling: boolean}} Options */

/**
 * The steps of one attention, with the number that divides its scores; those that a typed step
 * replaces are left out.
 * @typedef {{scores?: Matrix, scaled?: Matrix, masked?: Matrix, weights: Matrix, output: Matrix,
 *   divisor?: number}} Steps
 *
 * The typed matrices of a preset, or a head's part of them.
 * @typedef {{Q?: Matrix, K?: Matrix, V?: Matrix, O?: Matrix, S?: Matrix, W?: Matrix}} Typed
 *
 * All that there is: typed matrices and steps; those of several heads each by itself, side by side
 * in `concat`.
 * @typedef {Typed & Partial<Steps> & {output: Matrix, concat?: Matrix, heads?: (Typed & Steps)[]}}
 *   Result
 *
 * @typedef {Exclude<keyof Result, "heads"|"divisor">} Name of a matrix
 */

export const HEADS = 2;

/** @param {number[][]} lines @returns {Matrix} */
export const matrix = (lines) => ({
  rows: lines.length,
  columns: lines[0].length,
  cells: Float64Array.from(lines.flat()),
});

/** A matrix that is among them. @param {Result} result @param {Name} name */
export function matrixIn(result, name) {
  const found = result[name];
  if (found === undefined) throw new Error(`there is no matrix ${name}`);
  return found;
}

/** @param {Matrix} of @param {number} row @param {number} column */
export const at = ({ columns, cells }, row, column) => cells[row * columns + column];

/** @param {number} rows @param {number} columns
 * @param {(row: number, column: number) => number} value @returns {Matrix} */
const made = (rows, columns, value) => ({
  rows,
  columns,
  cells: Float64Array.from({ length: rows * columns }, (_, i) =>
    value(Math.floor(i / columns), i % columns),
  ),
});

/** @param {Matrix} a @param {Matrix} b @returns {Matrix} */
export function product(a, b) {
  if (a.columns !== b.rows) throw new Error(`${a.columns} columns against ${b.rows} rows`);
  const cells = matmul(a.cells, b.cells, a.rows, a.columns, b.columns);
  return { rows: a.rows, columns: b.columns, cells };
}

/** @param {Matrix} a */
export const transposed = (a) => made(a.columns, a.rows, (row, column) => at(a, column, row));

/** Columns `from` to `to`: a head's part of the queries, keys and values.
 * @param {Matrix} a @param {number} from @param {number} to */
export const slice = (a, from, to) => made(a.rows, to - from, (row, col) => at(a, row, from + col));

/** Matrices of the same size side by side. @param {Matrix[]} parts */
export const beside = (parts) =>
  made(parts[0].rows, parts[0].columns * parts.length, (row, column) => {
    const { columns } = parts[0];
    return at(parts[Math.floor(column / columns)], row, column % columns);
  });

/** The rows of a matrix through softmax, a masked (-Infinity) score to exactly 0.
 * @param {Matrix} a */
export function softmaxRows(a) {
  const rows = Array.from({ length: a.rows }, (_, row) =>
    softmaxParts(a.cells.subarray(row * a.columns, (row + 1) * a.columns)),
  );
  return made(a.rows, a.columns, (row, column) => rows[row].weights[column]);
}

/** The steps of one attention. `own` replaces a step by typed scores or weights.
 * @param {Record<string, Matrix>} given @param {Options} options
 * @param {{scores?: Matrix, weights?: Matrix}} own @returns {Steps} */
export function attend({ Q, K, V }, { causal, scaling }, own = {}) {
  if (own.weights) return { weights: own.weights, output: product(own.weights, V) };
  const scores = own.scores ?? product(Q, transposed(K));
  const divisor = scaling && !own.scores ? Math.sqrt(Q.columns) : 1;
  const { rows, columns } = scores;
  const scaled = made(rows, columns, (row, column) => at(scores, row, column) / divisor);
  const masked = made(rows, columns, (row, column) =>
    causal && column > row ? -Infinity : at(scaled, row, column),
  );
  const weights = softmaxRows(masked);
  return { scores, scaled, masked, weights, output: product(weights, V), divisor };
}

/** Several attentions in parallel, each on its columns.
 * @param {Record<string, Matrix>} given @param {number} count @param {Options} options */
export function multiHead({ Q, K, V, O }, count, options) {
  const cut = (/** @type {Matrix} */ a, /** @type {number} */ head) =>
    slice(a, (head * a.columns) / count, ((head + 1) * a.columns) / count);
  const heads = Array.from({ length: count }, (_, head) => {
    const own = { Q: cut(Q, head), K: cut(K, head), V: cut(V, head) };
    return { ...own, ...attend(own, options) };
  });
  const concat = beside(heads.map(({ output }) => output));
  return { heads, concat, output: product(concat, O) };
}

/** Every step from the typed matrices, which are not steps themselves.
 * @param {import("./presets.js").Preset} state @returns {Result} */
export function compute({ mode, given, ...options }) {
  if (mode === "heads") return { ...given, ...multiHead(given, HEADS, options) };
  return { ...given, ...attend(given, options, { scores: given.S, weights: given.W }) };
}
