// Sinusoidal positions (Vaswani et al. 2017, section 3.5). Pure functions, in double precision.
//
//   PE(pos, 2i) = sin(pos / base^(2i / size)), PE(pos, 2i + 1) = cos of the same
//
// `shape` is {size, base, layout}: layout "interleaved" is the paper's order; "halves" puts all sines
// before all cosines. Pair i is the sine and the cosine that turn at the same rate.

import { dot, largestDeviation } from "../matrix.js";

export const LAYOUTS = ["interleaved", "halves"];

export const pairs = ({ size }) => size / 2;

// Radians that pair i turns by from one position to the next.
export const rate = (i, { size, base }) => base ** ((-2 * i) / size);

// Positions that pair i takes for one turn.
export const wavelength = (i, { size, base }) => 2 * Math.PI * base ** ((2 * i) / size);

// Which pair a dimension belongs to, and whether it is the cosine of it.
export function partOf(dimension, { size, layout }) {
  if (layout === "interleaved") return { pair: dimension >> 1, cosine: dimension % 2 === 1 };
  return { pair: dimension % (size / 2), cosine: dimension >= size / 2 };
}

// The two dimensions of pair i: sine, cosine.
export const dimensionsOf = (i, { size, layout }) =>
  (layout === "interleaved" ? [2 * i, 2 * i + 1] : [i, size / 2 + i]);

export const pairAt = (position, i, shape) => {
  const angle = position * rate(i, shape);
  return [Math.sin(angle), Math.cos(angle)];
};

// All positions before `length`, (length, size), row by row.
export function table(length, shape) {
  const found = new Float64Array(length * shape.size);
  for (let i = 0; i < pairs(shape); i += 1) {
    const [sine, cosine] = dimensionsOf(i, shape);
    const step = rate(i, shape);
    for (let position = 0; position < length; position += 1) {
      found[position * shape.size + sine] = Math.sin(position * step);
      found[position * shape.size + cosine] = Math.cos(position * step);
    }
  }
  return found;
}

// The dot product of two positions that stand k apart: the sum of cos(k * rate) over the pairs.
export function byDistance(length, shape) {
  const found = new Float64Array(length);
  for (let i = 0; i < pairs(shape); i += 1) {
    const step = rate(i, shape);
    for (let k = 0; k < length; k += 1) found[k] += Math.cos(k * step);
  }
  return found;
}

// Every position's dot product with every other, (length, length).
export function similarities(rows, length, size) {
  const found = new Float64Array(length * length);
  for (let a = 0; a < length; a += 1) {
    for (let b = a; b < length; b += 1) {
      found[a * length + b] = found[b * length + a] = dot(rows, rows, size, a * size, b * size);
    }
  }
  return found;
}

// How far the products above are from depending on the distance alone.
export function distanceDeviation(products, length, curve) {
  const expected = products.map((_, at) => curve[Math.abs(Math.floor(at / length) - (at % length))]);
  return largestDeviation(products, expected);
}

// The matrix that takes pair i of any position to the one k further on, whatever the position:
// [sin(a + b), cos(a + b)] = [[cos b, sin b], [-sin b, cos b]] [sin a, cos a], b = k * rate.
export function rotation(k, i, shape) {
  const [sine, cosine] = pairAt(k, i, shape);
  return [[cosine, sine], [-sine, cosine]];
}

export const turned = ([top, bottom], [sine, cosine]) =>
  [top[0] * sine + top[1] * cosine, bottom[0] * sine + bottom[1] * cosine];

// The largest difference between M_k PE(pos) and PE(pos + k), over all pairs.
export function rotationDeviation(position, k, shape) {
  let largest = 0;
  for (let i = 0; i < pairs(shape); i += 1) {
    const made = turned(rotation(k, i, shape), pairAt(position, i, shape));
    largest = Math.max(largest, largestDeviation(made, pairAt(position + k, i, shape)));
  }
  return largest;
}

// The last `count` binary digits of a position, the lowest first: bit b turns once in 2^(b+1).
export const bits = (position, count) => Array.from({ length: count }, (_, b) => (position >> b) & 1);
