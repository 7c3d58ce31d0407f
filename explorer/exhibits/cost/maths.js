// The number of multiply-adds of an encoder layer for n tokens of d features. Pure functions.
//
// One multiply-add is one product added to a sum. Softmax, LayerNorm, biases and the residual sums
// are not counted: they take about n^2 or n d steps, without a further factor d.

export const PARTS = ["attention", "projections", "feed_forward"];

/** @param {number} n @param {number} d @param {number} dff @returns {Record<string, number>} */
export const parts = (n, d, dff) => ({
  attention: 2 * n * n * d, // Q K^T and weights x V: n x n x d each, all heads together
  projections: 4 * n * d * d, // W_q, W_k, W_v, W_o
  feed_forward: 2 * n * d * dff,
});

/** @param {number} n @param {number} d @param {number} dff */
export const total = (n, d, dff) => PARTS.reduce((sum, part) => sum + parts(n, d, dff)[part], 0);

/** The lengths at which attention equals n d^2, the projections, and the rest of the layer.
 * @param {number} d @param {number} dff */
export const crossings = (d, dff) => ({ plain: d, projections: 2 * d, layer: 2 * d + dff });

/** Seconds for a multiply-add, by the longest sentence measured: there little else takes time.
 * @param {number[]} lengths @param {number[]} seconds @param {number} d @param {number} dff */
export const pace = (lengths, seconds, d, dff) =>
  seconds[seconds.length - 1] / total(lengths[lengths.length - 1], d, dff);
