// Why the scores are divided by sqrt(d_k): random queries and keys, seeded. Pure functions.

import { softmax } from "../../../assets/kit/algebra.js";
import { mulberry32 } from "../../../assets/kit/sampling.js";

export const LARGEST = 512; // dimensions drawn; smaller vectors are their first ones
export const SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];
export const KEYS = 8; // keys per query

/** The sizes of vectors, each with the products of all queries: KEYS of one query side by side.
 * @typedef {Record<number, Float64Array>} Products */

/** Normal numbers, mean 0 and variance 1, two at a time. Source: Box and Muller, 1958.
 * @param {number} seed */
export function normals(seed) {
  const uniform = mulberry32(seed);
  /** @type {number|null} */
  let second = null;
  return () => {
    if (second !== null) {
      const kept = second;
      second = null;
      return kept;
    }
    const radius = Math.sqrt(-2 * Math.log(1 - uniform())); // 1 - u is never 0
    const angle = 2 * Math.PI * uniform();
    second = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  };
}

/** The dot products of `queries` random queries with KEYS random keys each, for every size. A larger
 * size extends the same vectors.
 * @param {number} queries @param {number} seed @returns {Products} */
export function drawn(queries, seed) {
  const next = normals(seed);
  const found = Object.fromEntries(SIZES.map((size) => [size, new Float64Array(queries * KEYS)]));
  const query = new Float64Array(LARGEST);
  for (let q = 0; q < queries; q += 1) {
    for (let i = 0; i < LARGEST; i += 1) query[i] = next();
    for (let key = 0; key < KEYS; key += 1) {
      let sum = 0;
      for (let i = 0; i < LARGEST; i += 1) {
        sum += query[i] * next();
        const size = i + 1;
        if ((size & i) === 0) found[size][q * KEYS + key] = sum; // a power of two
      }
    }
  }
  return found;
}

export function variance(/** @type {Float64Array} */ numbers) {
  const mean = numbers.reduce((total, one) => total + one, 0) / numbers.length;
  return numbers.reduce((total, one) => total + (one - mean) ** 2, 0) / numbers.length;
}

/**
 * The softmax of a size's products divided by `divisor`, averaged over the queries: the largest
 * weight p, the entropy in nats, and p(1 - p), which is how much p changes with its own score.
 * @typedef {{largest: number, entropy: number, gradient: number}} Softened
 * @param {Float64Array} products @param {number} divisor @returns {Softened}
 */
export function softened(products, divisor) {
  const queries = products.length / KEYS;
  const sums = { largest: 0, entropy: 0, gradient: 0 };
  for (let q = 0; q < queries; q += 1) {
    const weights = weightsOf(products, q, divisor);
    const largest = Math.max(...weights);
    sums.largest += largest / queries;
    sums.gradient += (largest * (1 - largest)) / queries;
    sums.entropy +=
      weights.reduce((total, p) => total - (p > 0 ? p * Math.log(p) : 0), 0) / queries;
  }
  return sums;
}

/** The KEYS weights of one query.
 * @param {Float64Array} products @param {number} query @param {number} divisor */
export const weightsOf = (products, query, divisor) =>
  softmax(products.subarray(query * KEYS, (query + 1) * KEYS).map((score) => score / divisor));

/** Counts the products in each of `count` equal bins from -end to end; those beyond are in the
 * outermost ones.
 * @param {Float64Array} products @param {number} end @param {number} count @returns {number[]} */
export function histogram(products, end, count) {
  const found = new Array(count).fill(0);
  for (const value of products) {
    const bin = Math.floor(((value + end) / (2 * end)) * count);
    found[Math.max(0, Math.min(count - 1, bin))] += 1;
  }
  return found;
}
