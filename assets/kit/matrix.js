// The sums of a Transformer in double precision. Pure functions over flat arrays, row by row.

/** @typedef {ArrayLike<number>} Numbers */

/** a · b of `length` numbers, the first at `aFrom` and `bFrom`, each `bStep` after the last in b.
 * @param {Numbers} a @param {Numbers} b */
export function dot(a, b, length = a.length, aFrom = 0, bFrom = 0, bStep = 1) {
  let sum = 0;
  for (let i = 0; i < length; i += 1) sum += a[aFrom + i] * b[bFrom + i * bStep];
  return sum;
}

/** (rows, inner) x (inner, columns) -> (rows, columns); `bias` (columns) is added to every row.
 * @param {Numbers} a @param {Numbers} b @param {number} rows @param {number} inner
 * @param {number} columns @param {Numbers|null} bias */
export function matmul(a, b, rows, inner, columns, bias = null) {
  const product = new Float64Array(rows * columns);
  for (let row = 0; row < rows; row += 1) {
    const line = product.subarray(row * columns, (row + 1) * columns);
    if (bias !== null) line.set(bias);
    for (let i = 0; i < inner; i += 1) {
      const factor = a[row * inner + i];
      const from = i * columns;
      for (let column = 0; column < columns; column += 1) line[column] += factor * b[from + column];
    }
  }
  return product;
}

/** The parts of a softmax: {max, exps, sum, weights}. -Infinity gets the weight 0 exactly.
 * A row with nothing to attend to is an error, not NaN.
 * @param {Numbers} scores */
export function softmaxParts(scores) {
  let max = -Infinity;
  for (let i = 0; i < scores.length; i += 1) max = Math.max(max, scores[i]);
  if (max === -Infinity) throw new Error("a row may attend to nothing");
  const exps = Float64Array.from(scores, (score) => Math.exp(score - max));
  const sum = exps.reduce((total, one) => total + one, 0);
  return { max, exps, sum, weights: exps.map((one) => one / sum) };
}

/** @param {Numbers} scores */
export const softmax = (scores) => softmaxParts(scores).weights;

/** The parts of a LayerNorm of one row: {mean, variance, normed}. The variance is the population's.
 * An RMSNorm takes the mean for 0, so that the variance is the mean square.
 * @param {Numbers} row @param {Numbers} gamma @param {Numbers} beta @param {number} eps
 * @param {boolean} [rms] */
export function layerNormParts(row, gamma, beta, eps, rms = false) {
  let [total, squares] = [0, 0];
  for (let i = 0; i < row.length; i += 1) total += row[i];
  const mean = rms ? 0 : total / row.length;
  for (let i = 0; i < row.length; i += 1) squares += (row[i] - mean) ** 2;
  const variance = squares / row.length;
  const divisor = Math.sqrt(variance + eps);
  const normed = Float64Array.from(row, (one, i) => ((one - mean) / divisor) * gamma[i] + beta[i]);
  return { mean, variance, normed };
}

/** @type {(...given: Parameters<typeof layerNormParts>) => Float64Array} */
export const layerNorm = (...given) => layerNormParts(...given).normed;

/** The largest |a - b|; NaN if any of them is not a number, so that no error is hidden.
 * @param {Numbers} a @param {Numbers} b */
export function largestDeviation(a, b) {
  if (a.length !== b.length) throw new Error(`${a.length} numbers against ${b.length}`);
  let largest = 0;
  for (let i = 0; i < a.length; i += 1) {
    const off = Math.abs(a[i] - b[i]);
    if (Number.isNaN(off)) return NaN;
    if (off > largest) largest = off;
  }
  return largest;
}
