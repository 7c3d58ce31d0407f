// A sub-layer of 2 heads with 2 numbers each, 2 queries and 3 keys, and what torch makes of it
// (F.scaled_dot_product_attention, a matrix product and F.layer_norm in float64). The last key is
// masked for the first query.

export const WEIGHTS = [
  0.669761549327, 0.330238450673, 0, 0.217842825259, 0.152966726994, 0.629190447747, 0.195570317493,
  0.804429682507, 0, 0.40111209268, 0.40111209268, 0.19777581464,
];
export const CONCAT = [
  [1.660476901347, 2.660476901347, 0.20664452376, 0.402214841253],
  [3.822695244976, 4.822695244976, 0.194995582941, -0.194995582941],
];
export const OUTPUT = [
  -2.689607931393, -1.97338128543, -1.257154639466, -0.540927993503, -6.231540658935,
  -5.050866847691, -3.870193036447, -2.689519225203,
];
export const AFTER = [
  -1.341638964509, -0.79442597634, 0.44721298817, 0.470819482255, -1.135579785031, -0.939464719109,
  0.096115065922, 0.579598539332,
];

export const layer = () => ({
  heads: 2,
  queries: 2,
  keys: 3,
  d_model: 4,
  dk: 2,
  scale: Math.SQRT2,
  off: false,
  pre: false,
  eps: 1e-5,
  kept: [true, true],
  mask: Uint8Array.of(1, 1, 0, 1, 1, 1),
  q: Float32Array.of(1, 0, 0.5, -1, 0, 2, 1, 1),
  k: Float32Array.of(1, 1, 0, 1, 2, 0, 1, 0, 0, 1, 1, -1),
  v: Float32Array.of(1, 2, 3, 4, 5, 6, -1, 0, 0.5, 0.5, 2, -2),
  w_o: Float32Array.from({ length: 16 }, (_, i) => i / 8 - 1),
  b_o: Float32Array.of(0.1, 0.2, 0.3, 0.4),
  x: Float32Array.of(1, 2, 3, 4, -1, 0, 1, 5),
  memory: Float32Array.of(1, 0, 0, 2, 0, 1, 0, 0, 0, 0, 1, 0),
  w_q: Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8),
  b_q: Float32Array.of(-0.5, 0.5),
  w_k: Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8),
  b_k: Float32Array.of(0, 0),
  w_v: Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8),
  b_v: Float32Array.of(0, 0),
  entering: Float32Array.of(1, 2, 3, 4, -1, 0, 1, 5),
  gamma: Float32Array.of(1, 2, 1, 0.5),
  beta: Float32Array.of(0, 0.1, 0, -0.2),
  // Its projections, summed over each head's numbers: solved by hand for the q, k and v above.
  signs: Float32Array.of(1, 1, 1, 1),
  w_q_s: Float32Array.of(0.75, 0, 0, 0, 0, 0, 0, 0),
  b_q_s: Float32Array.of(0.25, 2),
  w_k_s: Float32Array.of(2, 1, 1, 1, 2, 0, 0, 0),
  b_k_s: Float32Array.of(0, 0),
  w_v_s: Float32Array.of(3, -1, 7, 1, 11, 0, 0, 0),
  b_v_s: Float32Array.of(0, 0),
  output: Float32Array.from(OUTPUT),
  after: Float32Array.from(AFTER),
  weights_masked: Float32Array.of(0, 0),
});
