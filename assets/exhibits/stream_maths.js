// LayerNorm and BatchNorm on the same numbers, in float64. Pure functions.

export const EPSILON = 1e-5; // as in torch

// Mean and variance (of the whole, not of a sample) of some numbers.
export function moments(numbers) {
  let sum = 0;
  for (const x of numbers) sum += x;
  const mean = sum / numbers.length;
  let squares = 0;
  for (const x of numbers) squares += (x - mean) ** 2;
  return { mean, variance: squares / numbers.length };
}

// Each number minus the mean, over the standard deviation; then times gamma plus beta, if given.
export function layerNorm(row, gamma = null, beta = null) {
  const { mean, variance } = moments(row);
  const by = 1 / Math.sqrt(variance + EPSILON);
  return Float64Array.from(row, (x, i) => (x - mean) * by * (gamma ? gamma[i] : 1) + (beta ? beta[i] : 0));
}

// What LayerNorm makes of a table (rows: tokens, columns: dimensions): each row on its own.
export function byRows(table, columns) {
  const out = new Float64Array(table.length);
  for (let start = 0; start < table.length; start += columns) {
    out.set(layerNorm(table.subarray(start, start + columns)), start);
  }
  return out;
}

// What BatchNorm makes of it: each column over all tokens.
export function byColumns(table, columns) {
  const out = new Float64Array(table.length);
  const rows = table.length / columns;
  for (let column = 0; column < columns; column += 1) {
    const numbers = Float64Array.from({ length: rows }, (_, row) => table[row * columns + column]);
    const { mean, variance } = moments(numbers);
    const by = 1 / Math.sqrt(variance + EPSILON);
    numbers.forEach((x, row) => { out[row * columns + column] = (x - mean) * by; });
  }
  return out;
}
