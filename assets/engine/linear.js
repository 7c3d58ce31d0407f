// Matrix products, which take nearly all of the time, and layer normalisation. A matrix is a flat
// array, row by row; numbers are float32, sums of products are added in double precision.

/** @typedef {import("./weights.js").Tensor} Tensor */

const CHUNK = 64; // rows of a weight that stay in the cache for all inputs

/**
 * x W^T + b: (rows, in) -> (rows, out). Each loaded number of a weight is used for two inputs,
 * already doubles; a processor's registers hold eight sums at once.
 * @param {Float32Array} x @param {Tensor} weight (out, in) @param {Float32Array|null} bias
 */
export function linear(x, { shape: [out, width], data }, bias) {
  const rows = x.length / width;
  const y = new Float32Array(rows * out);
  const exact = Float64Array.from(x);
  for (let start = 0; start < out; start += CHUNK) {
    const end = Math.min(out, start + CHUNK);
    let row = 0;
    for (; row + 2 <= rows; row += 2) twoRows(exact, row, data, start, end, width, out, y);
    if (row < rows) oneRow(exact, row, data, start, end, width, out, y);
  }
  if (bias) for (let i = 0; i < y.length; i += 1) y[i] += bias[i % out];
  return y;
}

/**
 * What the products below share: row `row` of the inputs x (rows, width), rows `start` to `end` of
 * the weight, data (out, width), and y (rows, out), which they fill.
 * @typedef {(x: Numbers, row: number, data: Numbers, start: number, end: number, width: number,
 *   out: number, y: Float32Array) => void} Product
 */

/** @typedef {Float32Array|Float64Array} Numbers */

/** Two inputs with four rows of the weight at a time. @type {Product} */
function twoRows(x, row, data, start, end, width, out, y) {
  const [first, second] = [row * width, (row + 1) * width];
  let o = start;
  for (; o + 4 <= end; o += 4) {
    const [j, k, l, m] = [o * width, (o + 1) * width, (o + 2) * width, (o + 3) * width];
    let [a, b, c, d, e, f, g, h] = [0, 0, 0, 0, 0, 0, 0, 0];
    for (let i = 0; i < width; i += 1) {
      const p = x[first + i];
      const q = x[second + i];
      const r = data[j + i];
      const s = data[k + i];
      const t = data[l + i];
      const u = data[m + i];
      a += r * p;
      b += s * p;
      c += t * p;
      d += u * p;
      e += r * q;
      f += s * q;
      g += t * q;
      h += u * q;
    }
    store(y, row * out + o, a, b, c, d);
    store(y, (row + 1) * out + o, e, f, g, h);
  }
  rest(x, row, data, o, end, width, out, y);
  rest(x, row + 1, data, o, end, width, out, y);
}

/** One input with eight rows of the weight at a time. @type {Product} */
function oneRow(x, row, data, start, end, width, out, y) {
  const from = row * width;
  let o = start;
  for (; o + 8 <= end; o += 8) {
    const [j, k, l, m] = [o * width, (o + 1) * width, (o + 2) * width, (o + 3) * width];
    const next = 4 * width;
    let [a, b, c, d, e, f, g, h] = [0, 0, 0, 0, 0, 0, 0, 0];
    for (let i = 0; i < width; i += 1) {
      const p = x[from + i];
      a += data[j + i] * p;
      b += data[k + i] * p;
      c += data[l + i] * p;
      d += data[m + i] * p;
      e += data[j + next + i] * p;
      f += data[k + next + i] * p;
      g += data[l + next + i] * p;
      h += data[m + next + i] * p;
    }
    store(y, row * out + o, a, b, c, d);
    store(y, row * out + o + 4, e, f, g, h);
  }
  rest(x, row, data, o, end, width, out, y);
}

/** The remaining rows of the weight, one by one. @type {Product} */
function rest(x, row, data, start, end, width, out, y) {
  for (let o = start; o < end; o += 1)
    y[row * out + o] = dot(x, row * width, data, o * width, width);
}

/** @param {Float32Array} y @param {number} at @param {number} a @param {number} b
 * @param {number} c @param {number} d */
function store(y, at, a, b, c, d) {
  y[at] = a;
  y[at + 1] = b;
  y[at + 2] = c;
  y[at + 3] = d;
}

/** The dot product of `size` numbers of x and y.
 * @param {Numbers} x @param {number} from @param {Numbers} y @param {number} at
 * @param {number} size */
export function dot(x, from, y, at, size) {
  let sum = 0;
  for (let i = 0; i < size; i += 1) sum += x[from + i] * y[at + i];
  return sum;
}

/** x over its root mean square, times gamma: a norm without mean and shift.
 * @param {Float32Array} x @param {Float32Array} gamma @param {number} eps */
export function rmsNorm(x, gamma, eps) {
  const width = gamma.length;
  const y = new Float32Array(x.length);
  for (let from = 0; from < x.length; from += width) {
    const scale = 1 / Math.sqrt(dot(x, from, x, from, width) / width + eps);
    for (let i = 0; i < width; i += 1) y[from + i] = x[from + i] * scale * gamma[i];
  }
  return y;
}

/** @param {Float32Array} x @param {Float32Array} gamma @param {Float32Array|null} beta
 * @param {number} eps added to the variance */
export function layerNorm(x, gamma, beta, eps) {
  const width = gamma.length;
  const y = new Float32Array(x.length);
  for (let from = 0; from < x.length; from += width) {
    let sum = 0;
    for (let i = 0; i < width; i += 1) sum += x[from + i];
    const mean = sum / width;
    let square = 0;
    for (let i = 0; i < width; i += 1) square += (x[from + i] - mean) ** 2;
    const scale = 1 / Math.sqrt(square / width + eps);
    for (let i = 0; i < width; i += 1)
      y[from + i] = (x[from + i] - mean) * scale * gamma[i] + (beta?.[i] ?? 0);
  }
  return y;
}
