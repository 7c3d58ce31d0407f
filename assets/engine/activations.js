// The non-linearities between the two maps of a feed-forward sub-layer, by the names of
// `Activation` in model/config.py.

const TANH = Math.sqrt(2 / Math.PI);

/** @type {Record<string, (x: number) => number>} */
export const ACTIVATIONS = {
  relu: (x) => Math.max(0, x),
  swish: (x) => x / (1 + Math.exp(-x)),
  gelu: (x) => 0.5 * x * erfc(-x / Math.SQRT2),
  gelu_new: (x) => 0.5 * x * (1 + Math.tanh(TANH * (x + 0.044715 * x ** 3))),
  tanh: Math.tanh,
};

/** The complementary error function 1 - erf(x), in double precision: the series of erf near zero,
 * Lentz's continued fraction of erfc beyond. @param {number} x */
function erfc(x) {
  const size = Math.abs(x);
  if (size < 2) return 1 - series(x);
  const tail = fraction(size);
  return x > 0 ? tail : 2 - tail;
}

/** erf(x) = 2/sqrt(pi) exp(-x^2) sum of 2^n x^(2n+1) / (2n+1)!!. @param {number} x */
function series(x) {
  let term = x;
  let sum = x;
  for (let n = 1; Math.abs(term) > 1e-17 * Math.abs(sum); n += 1) {
    term *= (2 * x * x) / (2 * n + 1);
    sum += term;
  }
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum;
}

/** erfc(x) = exp(-x^2) / sqrt(pi) / (x + 1/2 / (x + 2/2 / (x + 3/2 / ...))), x >= 2.
 * @param {number} x */
function fraction(x) {
  let deep = x;
  for (let n = 60; n > 0; n -= 1) deep = x + n / 2 / deep;
  return Math.exp(-x * x) / Math.sqrt(Math.PI) / deep;
}
