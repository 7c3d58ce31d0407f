// The bias of scores by distance (T5), the twin of `DistanceBias` in model/embedding.py.

/** @typedef {import("./weights.js").Tensor} Tensor */
/** @typedef {import("./network.js").Config} Config */

/** The bias (H, Q, K) of queries and keys at these places.
 * @param {Tensor} table (buckets, H) @param {Config} config @param {boolean} bothWays
 * @param {number[]} queries @param {number[]} keys */
export function distanceBias({ shape: [, heads], data }, config, bothWays, queries, keys) {
  const bias = new Float32Array(heads * queries.length * keys.length);
  queries.forEach((query, q) => {
    keys.forEach((key, k) => {
      const bucket = bucketOf(key - query, config, bothWays);
      for (let head = 0; head < heads; head += 1)
        bias[(head * queries.length + q) * keys.length + k] = data[bucket * heads + head];
    });
  });
  return bias;
}

/** The bucket of a distance, key minus query. In float32 as in T5's own code: another rounding
 * would move the border between two buckets.
 * @param {number} distance @param {Config} config @param {boolean} bothWays */
export function bucketOf(distance, config, bothWays) {
  const { distance_buckets: all, max_distance: farthest } = config;
  const count = bothWays ? all / 2 : all;
  const first = bothWays && distance > 0 ? count : 0;
  const far = Math.min(farthest, bothWays ? Math.abs(distance) : Math.max(0, -distance));
  const exact = count / 2;
  if (far < exact) return first + far;
  const f = Math.fround;
  const ratio = f(f(Math.log(f(far / exact))) / f(Math.log(farthest / exact)));
  return first + Math.min(count - 1, exact + Math.trunc(f(ratio * (count - exact))));
}

/** The bucket of each distance from -reach to reach.
 * @param {Config} config @param {boolean} bothWays @param {number} reach */
export const bucketsOf = (config, bothWays, reach) =>
  Int32Array.from({ length: 2 * reach + 1 }, (_, i) => bucketOf(i - reach, config, bothWays));
