// Drawing a token: temperature, then top-k, then top-p, and a seeded generator. Pure functions; the
// twin of model/sampling.py, which has the definitions. All numbers are doubles, over the whole
// vocabulary.
//
// A slider only changes the reshaping of the sorted log-probs, so sorting is done once:
//
//   rank(logProbs)            once for each prefix
//   reshape(ranked, settings) at every move of a slider; settings: {temperature, top_k, top_p}
//   probabilities(...)        the probabilities for drawing, in the order of ids

/** @typedef {ArrayLike<number>} Numbers */
/** @typedef {{order: Int32Array, values: Float64Array, allowed: number}} Ranked */
/** @typedef {{temperature: number, top_k: number, top_p: number}} Settings */
/** All that a draw depends on. @typedef {Settings & {seed: number}} Drawing */
/** @typedef {ReturnType<typeof reshape>} Shape */

const WEYL = 0x6d2b79f5; // the increment of the generator's state

/** Returns the numbers of a seed, one at each call: multiples of 2**-32 from [0, 1).
 * @param {number} seed */
export function mulberry32(seed) {
  let a = seed | 0;
  return () => {
    a = (a + WEYL) | 0;
    let t = Math.imul(a ^ (a >>> 15), a | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** The number of a seed at that index, without computing the previous ones.
 * @param {number} seed @param {number} index */
export const uniformAt = (seed, index) => mulberry32((seed + Math.imul(index, WEYL)) | 0)();

/**
 * Ids and log-probs, best first, ties by lower id. The first `allowed` are not forbidden
 * (-inf). Log-probs are of type float32, so dividing by a temperature creates no ties.
 * @param {Numbers} logProbs @returns {Ranked}
 */
export function rank(logProbs) {
  const order = Int32Array.from(logProbs, (_, id) => id).sort(
    (a, b) => logProbs[b] - logProbs[a] || a - b,
  ); // -inf minus -inf is NaN, so ids decide
  const values = Float64Array.from(order, (id) => logProbs[id]);
  let allowed = values.length;
  while (allowed > 0 && values[allowed - 1] === -Infinity) allowed -= 1;
  return { order, values, allowed };
}

/**
 * The distribution under the settings: {powers, counts: {all, k, p}, sums: {all, k, p}, entropy}.
 * `powers` are the unnormalised probabilities by rank after the temperature. The first counts.k are
 * left by top-k and of these the first counts.p by top-p; sums are those of their powers. The
 * entropy is that of the remaining tokens, in nats. `powers` may be passed in to be overwritten.
 * @param {Pick<Ranked, "values"|"allowed">} ranked @param {Settings} settings
 */
export function reshape(
  { values, allowed },
  { temperature, top_k: topK, top_p: topP },
  powers = new Float64Array(values.length),
) {
  const best = values[0] / temperature;
  let all = 0;
  for (let r = 0; r < allowed; r += 1) {
    powers[r] = Math.exp(values[r] / temperature - best);
    all += powers[r];
  }
  const k = leftByK(values, allowed, temperature, topK);
  const inK = k === allowed ? all : sumOf(powers, k);
  const p = leftByP(powers, k, inK, topP);
  const inP = p === k ? inK : sumOf(powers, p);
  let turned = 0;
  for (let r = 0; r < p; r += 1) turned += powers[r] * (values[r] / temperature - best);
  const entropy = p === 0 ? 0 : Math.log(inP) - turned / inP;
  return { powers, counts: { all: allowed, k, p }, sums: { all, k: inK, p: inP }, entropy };
}

/** The tokens at least as probable as the k-th best one, including ties.
 * @param {Numbers} values @param {number} allowed @param {number} temperature
 * @param {number} topK */
function leftByK(values, allowed, temperature, topK) {
  if (topK <= 0 || topK >= allowed) return allowed;
  const least = values[topK - 1] / temperature;
  let left = topK;
  while (left < allowed && values[left] / temperature === least) left += 1;
  return left;
}

/** From the worst up, tokens whose running sum is at most 1 - p are cut; the best always stays.
 * @param {Numbers} powers @param {number} left @param {number} sum @param {number} topP */
function leftByP(powers, left, sum, topP) {
  if (topP >= 1) return left;
  let kept = left;
  let cut = 0;
  while (kept > 1) {
    cut += powers[kept - 1] / sum;
    if (cut > 1 - topP) break;
    kept -= 1;
  }
  return kept;
}

/** @param {Numbers} powers @param {number} count */
function sumOf(powers, count) {
  let sum = 0;
  for (let r = 0; r < count; r += 1) sum += powers[r];
  return sum;
}

/** The probabilities for drawing a token, in the order of ids; exactly 0 for tokens cut.
 * @param {Pick<Ranked, "order">} ranked @param {Pick<Shape, "powers"|"counts"|"sums">} shape */
export function probabilities(
  { order },
  { powers, counts, sums },
  into = new Float64Array(order.length),
) {
  into.fill(0);
  for (let r = 0; r < counts.p; r += 1) into[order[r]] = powers[r] / sums.p;
  return into;
}

/** @param {Numbers} logProbs @param {Settings} settings */
export function warp(logProbs, settings) {
  const ranked = rank(logProbs);
  return probabilities(ranked, reshape(ranked, settings));
}

/**
 * Gives the function that draws from weights, which need not sum to 1: a number u of [0, 1) -> the
 * first index whose running sum is above u times the whole. A weight of 0 is never drawn.
 * @param {Numbers} weights
 */
export function drawer(weights) {
  const sums = new Float64Array(weights.length);
  let sum = 0;
  let last = 0;
  for (let i = 0; i < weights.length; i += 1) {
    sum += weights[i];
    sums[i] = sum;
    if (weights[i] > 0) last = i;
  }
  return (/** @type {number} */ u) => {
    const wanted = u * sum;
    let low = 0;
    let high = last; // u * sum can round up to the sum itself only where the weights are subnormal
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sums[middle] > wanted) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}

/** @param {Numbers} weights @param {() => number} uniform */
export const draw = (weights, uniform) => drawer(weights)(uniform());
