// Properties of the sinusoids by construction: distances, rotations. Pure functions.

import { dot, largestDeviation } from "../../../assets/kit/algebra.js";
import { pairAt, pairs, rate } from "../../../assets/kit/sinusoids.js";

/** @typedef {import("../../../assets/kit/sinusoids.js").Shape} Shape */

/** The dot product of two positions at distance k: the sum of cos(k * rate) over the pairs.
 * @param {number} length @param {Shape} shape */
export function byDistance(length, shape) {
  const curve = new Float64Array(length);
  for (let i = 0; i < pairs(shape); i += 1) {
    const step = rate(i, shape);
    for (let k = 0; k < length; k += 1) curve[k] += Math.cos(k * step);
  }
  return curve;
}

/** Every position's dot product with every other, (length, length).
 * @param {Float64Array} rows @param {number} length @param {number} size */
export function similarities(rows, length, size) {
  const products = new Float64Array(length * length);
  for (let a = 0; a < length; a += 1) {
    for (let b = a; b < length; b += 1) {
      const product = dot(rows, rows, size, a * size, b * size);
      products[a * length + b] = product;
      products[b * length + a] = product;
    }
  }
  return products;
}

/** The deviation of the products above from a function of the distance alone.
 * @param {Float64Array} products @param {number} length @param {Float64Array} curve */
export function distanceDeviation(products, length, curve) {
  const expected = products.map(
    (_, at) => curve[Math.abs(Math.floor(at / length) - (at % length))],
  );
  return largestDeviation(products, expected);
}

/** The matrix that moves pair i of any position k positions further:
 * [sin(a + b), cos(a + b)] = [[cos b, sin b], [-sin b, cos b]] [sin a, cos a], b = k * rate.
 * @param {number} k @param {number} i @param {Shape} shape */
export function rotation(k, i, shape) {
  const [sine, cosine] = pairAt(k, i, shape);
  return [
    [cosine, sine],
    [-sine, cosine],
  ];
}

/** @param {number[][]} matrix @param {number[]} pair */
export const turned = ([top, bottom], [sine, cosine]) => [
  top[0] * sine + top[1] * cosine,
  bottom[0] * sine + bottom[1] * cosine,
];

/** The largest difference between M_k PE(pos) and PE(pos + k), over all pairs.
 * @param {number} position @param {number} k @param {Shape} shape */
export function rotationDeviation(position, k, shape) {
  let largest = 0;
  for (let i = 0; i < pairs(shape); i += 1) {
    const made = turned(rotation(k, i, shape), pairAt(position, i, shape));
    largest = Math.max(largest, largestDeviation(made, pairAt(position + k, i, shape)));
  }
  return largest;
}

/** The last `count` binary digits of a position, the lowest first: bit b turns once in 2^(b+1).
 * @param {number} position @param {number} count */
export const bits = (position, count) =>
  Array.from({ length: count }, (_, b) => (position >> b) & 1);
