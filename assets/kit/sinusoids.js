// Sinusoidal positions (Vaswani et al. 2017, section 3.5), in double precision, the twin of
// model/embedding.py. Pure functions.
//
//   PE(pos, 2i) = sin(pos / base^(2i / size)), PE(pos, 2i + 1) = cos of the same
//
// Pair i is the sine and the cosine with the same rate.

/**
 * @typedef {object} Shape
 * @property {number} size the dimensions, an even number
 * @property {number} base 10,000 in the paper
 * @property {string} layout "interleaved" is the paper's; "halves": all sines, then all cosines;
 *   "fairseq": the same, and the slowest wave is exactly pos / base
 */

/** @param {Shape} shape */
export const pairs = ({ size }) => size / 2;

/** Radians that pair i turns by from one position to the next.
 * @param {number} i @param {Shape} shape */
export const rate = (i, { size, base, layout }) =>
  base ** ((-2 * i) / (layout === "fairseq" ? size - 2 : size));

/** The positions per cycle of pair i. @param {number} i @param {Shape} shape */
export const wavelength = (i, shape) => (2 * Math.PI) / rate(i, shape);

/** The pair of a dimension, and whether the dimension is its cosine.
 * @param {number} dimension @param {Shape} shape */
export function partOf(dimension, { size, layout }) {
  if (layout === "interleaved") return { pair: dimension >> 1, cosine: dimension % 2 === 1 };
  return { pair: dimension % (size / 2), cosine: dimension >= size / 2 };
}

/** The two dimensions of pair i: sine, cosine. @param {number} i @param {Shape} shape */
export const dimensionsOf = (i, { size, layout }) =>
  layout === "interleaved" ? [2 * i, 2 * i + 1] : [i, size / 2 + i];

/** Sine and cosine of pair i. @param {number} position @param {number} i @param {Shape} shape */
export function pairAt(position, i, shape) {
  const angle = position * rate(i, shape);
  return [Math.sin(angle), Math.cos(angle)];
}

/** One number of one position.
 * @param {number} position @param {number} dimension @param {Shape} shape */
export function sinusoid(position, dimension, shape) {
  const { pair, cosine } = partOf(dimension, shape);
  return pairAt(position, pair, shape)[cosine ? 1 : 0];
}

/** All positions before `length`, (length, size), row by row.
 * @param {number} length @param {Shape} shape */
export function sinusoids(length, shape) {
  const table = new Float64Array(length * shape.size);
  for (let i = 0; i < pairs(shape); i += 1) {
    const [sine, cosine] = dimensionsOf(i, shape);
    const step = rate(i, shape);
    for (let position = 0; position < length; position += 1) {
      table[position * shape.size + sine] = Math.sin(position * step);
      table[position * shape.size + cosine] = Math.cos(position * step);
    }
  }
  return table;
}
