// Dropout: each number is set to 0 with probability `share`, the rest is divided by 1 - share, so
// that nothing changes on average. Pure functions, seeded: mask number `draw` is always the same
// one.

import { uniformAt } from "../../../assets/kit/sampling.js";

/** True if each of `count` numbers is kept in a draw.
 * @param {number} seed @param {number} draw @param {number} count @param {number} share */
export const maskOf = (seed, draw, count, share) =>
  Array.from({ length: count }, (_, i) => uniformAt(seed, draw * count + i) >= share);

/** @param {ArrayLike<number>} values @param {boolean[]} mask @param {number} share */
export const dropped = (values, mask, share) =>
  Array.from(values, (value, i) => (mask[i] ? value / (1 - share) : 0));

/** The mean of the numbers after 1, 2, ... `draws` draws, for each of them: an array a draw.
 * @param {ArrayLike<number>} values @param {number} seed @param {number} draws
 * @param {number} share */
export function means(values, seed, draws, share) {
  const sums = new Float64Array(values.length);
  return Array.from({ length: draws }, (_, draw) => {
    dropped(values, maskOf(seed, draw, values.length, share), share).forEach((value, i) => {
      sums[i] += value;
    });
    return Array.from(sums, (sum) => sum / (draw + 1));
  });
}

/** The typical distance between a number and its mean over n draws: |x| sqrt(p / ((1 - p) n)).
 * @param {number} value @param {number} share @param {number} draws */
export const expectedError = (value, share, draws) =>
  Math.abs(value) * Math.sqrt(share / ((1 - share) * draws));
