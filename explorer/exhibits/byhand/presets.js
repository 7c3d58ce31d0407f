// The initial examples, and the relations between the sizes of matrices. Pure functions.

import { matrix } from "./maths.js";

/** @typedef {import("./maths.js").Matrix} Matrix */

/**
 * `mode` is the set of typed matrices: "attention" Q, K, V; "scores" S, V; "weights" W, V; "heads"
 * Q, K, V, O.
 * @typedef {{mode: string, causal: boolean, scaling: boolean, given: Record<string, Matrix>}}
 * Preset
 */

export const MAX_SIZE = 6; // rows or columns

const TEXT = [
  [1, 0],
  [0, 1],
  [1, 1],
];
const MEMORY = [...TEXT, [2, -1]];
const FOUR = [
  [1, 0, 2, 0],
  [0, 1, 0, 2],
  [1, 1, 1, -1],
];
const MIX = [
  [1, 0, 0, 0],
  [0, 1, 0, 0],
  [1, 0, 1, 0],
  [0, 1, 0, 1],
];
const WEIGHTS = [
  [1, 0, 0],
  [0.5, 0.5, 0],
  [1 / 3, 1 / 3, 1 / 3],
];
const COUNTED = [0, 1, 2, 3].map((row) => [0, 1, 2, 3].map((column) => row * 4 + column));

/** @param {string} mode @param {Record<string, number[][]>} given @returns {() => Preset} */
const preset =
  (mode, given, causal = false) =>
  () => {
    const matrices = Object.entries(given).map(([name, lines]) => [name, matrix(lines)]);
    return { mode, causal, scaling: true, given: Object.fromEntries(matrices) };
  };

/** @type {Record<string, () => Preset>} */
export const PRESETS = {
  weights: preset("weights", { W: WEIGHTS, V: [1, 4, 7].map((first) => [first, first + 1]) }),
  counting: preset("attention", { Q: COUNTED.slice(0, 3), K: COUNTED, V: COUNTED }),
  self: preset("attention", { Q: TEXT, K: TEXT, V: TEXT }),
  causal: preset("attention", { Q: TEXT, K: TEXT, V: TEXT }, true),
  cross: preset("attention", { Q: TEXT, K: MEMORY, V: MEMORY }),
  scores: preset(
    "scores",
    {
      S: [
        [1, 2, 3],
        [1, 2, 3],
        [0, 0, 0],
      ],
      V: TEXT,
    },
    true,
  ),
  heads: preset("heads", { Q: FOUR, K: FOUR, V: FOUR, O: MIX }),
};

/** The adjustable sizes: the numbers of queries and keys, the widths of queries and values.
 * @param {Pick<Preset, "mode"|"given">} state @returns {Record<string, number>} */
export function sizesOf({ mode, given: { Q, V, W, S } }) {
  const top = Q ?? W ?? S;
  const sizes = { queries: top.rows, keys: V.rows, d_v: V.columns };
  return mode === "attention" || mode === "heads" ? { ...sizes, d_k: Q.columns } : sizes;
}

/** The matrices at new sizes. Parts cut off are kept, in case the matrix grows again.
 * @param {Pick<Preset, "mode"|"given">} state @param {Record<string, number>} sizes
 * @returns {Record<string, Matrix>} */
export function resized({ given }, { queries, keys, d_k: width, d_v: out }) {
  /** @type {Record<string, number[]>} */
  const shapes = {
    Q: [queries, width],
    K: [keys, width],
    V: [keys, out],
    O: [out, out],
    S: [queries, keys],
    W: [queries, keys],
  };
  const fitted = Object.keys(given).map((name) => [name, fit(given[name], shapes[name])]);
  return Object.fromEntries(fitted);
}

/** @param {Matrix} old @param {number[]} shape @returns {Matrix} */
function fit(old, [rows, columns]) {
  const all = old.all?.slice() ?? new Float64Array(MAX_SIZE * MAX_SIZE);
  old.cells.forEach((cell, i) => {
    all[Math.floor(i / old.columns) * MAX_SIZE + (i % old.columns)] = cell;
  });
  const cells = Float64Array.from({ length: rows * columns }, (_, i) => {
    return all[Math.floor(i / columns) * MAX_SIZE + (i % columns)];
  });
  return { rows, columns, cells, all };
}
