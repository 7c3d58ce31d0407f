// Patterns of masks, the masks of a padded batch, and the masked scores. Pure functions.

import { causalMask, maskWhere, paddingMask } from "../../../assets/kit/masks.js";

export const bidirectionalMask = (n) => maskWhere(n, n, () => true);

// The first `prefix` tokens read each other freely; the others read them and earlier tokens.
export const prefixMask = (n, prefix) =>
  maskWhere(n, n, (row, column) => column <= row || column < prefix);

// May read only what both allow: 0 + 0 = 0, and -inf with either makes -inf.
export const both = (one, other) => one.map((may, i) => may && other[i]);

// The keys that a row may read.
export const readBy = (mask, columns, row) =>
  Array.from({ length: columns }, (_, column) => column).filter(
    (column) => mask[row * columns + column],
  );

// The softmax of a row in float32, the model's precision: every step is rounded.
export function softmax32(scores) {
  const f = Math.fround;
  const max = scores.reduce((most, score) => Math.max(most, score), -Infinity);
  const exps = scores.map((score) => f(Math.exp(f(score - max))));
  const sum = exps.reduce((total, one) => f(total + one), 0);
  return exps.map((one) => f(one / sum));
}

// Three ways to exclude masked keys, with their results: {name: {scores, weights}}.
//   infinite: the score becomes -inf; zero: it becomes 0; billion: 1e9 is subtracted
export function threeWays(scores, masked) {
  const put = (change) => scores.map((score, i) => Math.fround(masked[i] ? change(score) : score));
  const ways = { infinite: () => -Infinity, zero: () => 0, billion: (score) => score - 1e9 };
  return Object.fromEntries(
    Object.entries(ways).map(([name, change]) => {
      const changed = put(change);
      return [name, { scores: changed, weights: softmax32(changed) }];
    }),
  );
}

// The masks of one sentence in a batch, by layer kind: [{name, mask, rows, columns}] over tokens.
// `src` and `tgt` are padded tokens, of which the first `srcValid` and `tgtValid` are real.
export function masksOf(kind, { src, tgt, srcValid, tgtValid }) {
  const one = (name, mask, rows, columns) => ({ name, mask, rows, columns });
  if (kind === "encoder_self")
    return [one("padding", paddingMask(src.length, src.length, srcValid), src, src)];
  if (kind === "cross")
    return [one("padding", paddingMask(tgt.length, src.length, srcValid), tgt, src)];
  const padding = paddingMask(tgt.length, tgt.length, tgtValid);
  const causal = causalMask(tgt.length);
  return [
    one("padding", padding, tgt, tgt),
    one("causal", causal, tgt, tgt),
    one("combined", both(padding, causal), tgt, tgt),
  ];
}

// Sentences padded to the longest on each side.
export function padded(rows, pad) {
  const longest = (side) => Math.max(...rows.map((row) => row[side].length));
  const fill = (labels, n) => [...labels, ...Array.from({ length: n - labels.length }, () => pad)];
  const [src, tgt] = [longest("src"), longest("tgt")];
  return rows.map((row) => ({
    src: fill(row.src, src),
    tgt: fill(row.tgt, tgt),
    srcValid: row.src.length,
    tgtValid: row.tgt.length,
  }));
}
