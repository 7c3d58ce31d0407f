// What one may begin with, and how the sizes of matrices hang together. Pure functions.

import { matrix } from "./byhand_maths.js";

const counting = (rows, columns) =>
  matrix(Array.from({ length: rows }, (_, row) => Array.from({ length: columns }, (_, column) => row * columns + column)));

const TEXT = [[1, 0], [0, 1], [1, 1]];
const MEMORY = [[1, 0], [0, 1], [1, 1], [2, -1]];
const FOUR = [[1, 0, 2, 0], [0, 1, 0, 2], [1, 1, 1, -1]];
const MIX = [[1, 0, 0, 0], [0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1]];

const own = (lines) => ({ Q: matrix(lines), K: matrix(lines), V: matrix(lines) });

// {mode, causal, scaling, given: {name: matrix}} of each. The mode says what is typed in:
// "attention" Q, K, V; "scores" S, V; "weights" W, V; "heads" Q, K, V, O.
export const PRESETS = {
  weights: () => ({ mode: "weights", causal: false, scaling: true,
    given: { W: matrix([[1, 0, 0], [0.5, 0.5, 0], [1 / 3, 1 / 3, 1 / 3]]), V: matrix([[1, 2], [4, 5], [7, 8]]) } }),
  counting: () => ({ mode: "attention", causal: false, scaling: true, given: { Q: counting(3, 4), K: counting(4, 4), V: counting(4, 4) } }),
  self: () => ({ mode: "attention", causal: false, scaling: true, given: own(TEXT) }),
  causal: () => ({ mode: "attention", causal: true, scaling: true, given: own(TEXT) }),
  cross: () => ({ mode: "attention", causal: false, scaling: true, given: { Q: matrix(TEXT), K: matrix(MEMORY), V: matrix(MEMORY) } }),
  scores: () => ({ mode: "scores", causal: true, scaling: true, given: { S: matrix([[1, 2, 3], [1, 2, 3], [0, 0, 0]]), V: matrix([[1, 0], [0, 1], [1, 1]]) } }),
  heads: () => ({ mode: "heads", causal: false, scaling: true, given: { ...own(FOUR), O: matrix(MIX) } }),
};

export const HEADS = 2;
export const LARGEST = 6; // rows or columns

// The sizes that may be chosen: how many queries and keys, how wide queries and values are.
export function sizesOf({ mode, given: { Q, V, W, S } }) {
  const top = Q ?? W ?? S;
  const sizes = { queries: top.rows, keys: V.rows, d_v: V.columns };
  return mode === "attention" || mode === "heads" ? { ...sizes, d_k: Q.columns } : sizes;
}

// The matrices at other sizes: what is there stays, what is new is 0.
export function resized({ mode, given }, { queries, keys, d_k: width, d_v: out }) {
  const shapes = {
    attention: { Q: [queries, width], K: [keys, width], V: [keys, out] },
    heads: { Q: [queries, width], K: [keys, width], V: [keys, out], O: [out, out] },
    scores: { S: [queries, keys], V: [keys, out] },
    weights: { W: [queries, keys], V: [keys, out] },
  }[mode];
  return Object.fromEntries(Object.entries(shapes).map(([name, [rows, columns]]) => [name, fit(given[name], rows, columns)]));
}

function fit(old, rows, columns) {
  const cells = new Float64Array(rows * columns);
  for (let row = 0; row < Math.min(rows, old.rows); row += 1) {
    for (let column = 0; column < Math.min(columns, old.columns); column += 1) {
      cells[row * columns + column] = old.cells[row * old.columns + column];
    }
  }
  return { rows, columns, cells };
}
