// Summaries of many heads, and how far one agrees with the occlusion. Pure functions. Maps are
// {cells, queries, keys}, row by row, NaN where the mask forbids to look; matrices are Float64Array.

export const WAYS = ["mean", "max", "rollout"];

// The summary of a kind: of one layer, or of all where `layer` is null; a rollout goes up to it.
export function summaryOf({ attention }, kind, way, layer) {
  const maps = attention[kind];
  const { queries, keys } = maps;
  const cells = way === "rollout" ? rolledOut(attention, kind, layer) : pooled(maps, way, layer);
  const mask = maps.head(0, 0);
  return { queries, keys, cells: Float32Array.from(cells, (weight, i) => (Number.isNaN(mask[i]) ? NaN : weight)) };
}

function pooled(maps, way, layer) {
  const layers = layer === null ? Array.from({ length: maps.layers }, (_, l) => l) : [layer];
  const out = new Float64Array(maps.queries * maps.keys);
  for (const l of layers) {
    for (let head = 0; head < maps.heads; head += 1) {
      const cells = maps.head(l, head);
      for (let i = 0; i < out.length; i += 1) {
        const weight = cells[i] || 0;
        out[i] = way === "max" ? Math.max(out[i], weight) : out[i] + weight;
      }
    }
  }
  if (way === "mean") for (let i = 0; i < out.length; i += 1) out[i] /= layers.length * maps.heads;
  return out;
}

const layerMeans = (maps, layer) =>
  Array.from({ length: layer === null ? maps.layers : layer + 1 }, (_, l) => pooled(maps, "mean", l));

function rolledOut(attention, kind, layer) {
  const { queries, keys } = attention[kind];
  if (kind !== "cross") return rollout(layerMeans(attention[kind], layer), queries);
  const encoder = rollout(layerMeans(attention.encoder_self, null), keys);
  return crossRollout(layerMeans(attention.decoder_self, layer), layerMeans(attention.cross, layer), encoder, queries, keys);
}

// The product of (A + I) / 2 over the layers, the last one on the left.
// Source: Abnar and Zuidema 2020, "Quantifying Attention Flow in Transformers", section 3.
export function rollout(means, size) {
  let rolled = identity(size);
  for (const mean of means) rolled = multiply(halved(mean, size), rolled, size, size, size);
  return rolled;
}

// What each target position has of each source token: X (queries, keys), 0 at first. In each decoder
// layer the residual connections count one half each: X' = (A + I) / 2 X through self-attention, then
// X = X' / 2 + C R / 2 through cross-attention C and the encoder's rollout R. A row adds up to
// 1 - 2^-layers; what is missing is the decoder's own input.
export function crossRollout(selfMeans, crossMeans, encoder, queries, keys) {
  let read = new Float64Array(queries * keys);
  selfMeans.forEach((mean, layer) => {
    const passed = multiply(halved(mean, queries), read, queries, queries, keys);
    const fresh = multiply(crossMeans[layer], encoder, queries, keys, keys);
    read = passed.map((weight, i) => (weight + fresh[i]) / 2);
  });
  return read;
}

function identity(size) {
  const out = new Float64Array(size * size);
  for (let i = 0; i < size; i += 1) out[i * size + i] = 1;
  return out;
}

const halved = (mean, size) => identity(size).map((one, i) => (one + mean[i]) / 2);

function multiply(a, b, rows, inner, columns) {
  const out = new Float64Array(rows * columns);
  for (let row = 0; row < rows; row += 1) {
    for (let i = 0; i < inner; i += 1) {
      const factor = a[row * inner + i];
      if (factor === 0) continue;
      for (let column = 0; column < columns; column += 1) out[row * columns + column] += factor * b[i * columns + column];
    }
  }
  return out;
}

// The occlusion as a map of the cross kind: changes (tokens taken out, written) -> rows are written,
// columns are the source; NaN for what was not taken out.
export function occlusionMap(changes, taken, queries, keys) {
  const cells = new Float32Array(queries * keys).fill(NaN);
  for (let row = 0; row < queries; row += 1) {
    for (let col = 0; col < taken; col += 1) cells[row * keys + col] = changes[col * queries + row];
  }
  return { cells, queries, keys };
}

// Spearman's rank correlation of a summary's weights with the loss of log-prob (the change, turned
// round) over the cells that both have: {rho, count}; rho is null where there is no order to compare.
// With `row` only of that row.
export function agreement(summary, occluded, row = null) {
  const [weights, losses] = [[], []];
  summary.cells.forEach((weight, i) => {
    const change = occluded.cells[i];
    if (Number.isNaN(weight) || Number.isNaN(change)) return;
    if (row !== null && Math.floor(i / summary.keys) !== row) return;
    weights.push(weight);
    losses.push(-change);
  });
  return { rho: spearman(weights, losses), count: weights.length };
}

// Pearson's correlation of the ranks; equal numbers share the mean of their ranks.
export function spearman(a, b) {
  if (a.length < 2) return null;
  const [ranksA, ranksB] = [ranks(a), ranks(b)];
  const middle = (a.length + 1) / 2;
  let [product, squareA, squareB] = [0, 0, 0];
  ranksA.forEach((rank, i) => {
    const [x, y] = [rank - middle, ranksB[i] - middle];
    product += x * y;
    squareA += x * x;
    squareB += y * y;
  });
  return squareA > 0 && squareB > 0 ? product / Math.sqrt(squareA * squareB) : null;
}

export function ranks(values) {
  const order = values.map((_, i) => i).sort((i, j) => values[i] - values[j]);
  const out = new Array(values.length);
  for (let first = 0; first < order.length;) {
    let last = first;
    while (last + 1 < order.length && values[order[last + 1]] === values[order[first]]) last += 1;
    for (let k = first; k <= last; k += 1) out[order[k]] = (first + last) / 2 + 1;
    first = last + 1;
  }
  return out;
}
