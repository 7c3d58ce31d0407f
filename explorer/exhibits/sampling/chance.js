// Tests whether many draws deviate from their probabilities more than by chance: Pearson's
// chi-square test. The largest of many deviations alone means little, since some token is always
// furthest off. Pure functions.

export const LEAST = 5; // least draws expected in a group for the test to be valid

/**
 * {chi, df, p} of draws against their probabilities: the statistic, its degrees of freedom, and the
 * probability of at least this value by chance. Tokens with fewer than `LEAST` expected draws are
 * grouped, in the order of their ranks; null if that leaves nothing to compare.
 * @param {ArrayLike<number>} counts by id @param {ArrayLike<number>} weights by id, of sum 1
 * @param {ArrayLike<number>} order ids, most likely first @param {number} n draws
 */
export function chiSquare(counts, weights, order, n) {
  const groups = groupsOf(counts, weights, order, n);
  if (groups.length < 2) return null;
  const chi = groups.reduce(
    (sum, { drawn, expected }) => sum + (drawn - expected) ** 2 / expected,
    0,
  );
  const df = groups.length - 1;
  return { chi, df, p: upperTail(chi, df) };
}

/** @type {(...given: Parameters<typeof chiSquare>) => {drawn: number, expected: number}[]} */
function groupsOf(counts, weights, order, n) {
  /** @type {{drawn: number, expected: number}[]} */
  const groups = [];
  let [drawn, expected] = [0, 0];
  for (let rank = 0; rank < order.length && weights[order[rank]] > 0; rank += 1) {
    drawn += counts[order[rank]];
    expected += n * weights[order[rank]];
    if (expected < LEAST) continue;
    groups.push({ drawn, expected });
    [drawn, expected] = [0, 0];
  }
  const last = groups.at(-1);
  if (last === undefined) return [];
  groups[groups.length - 1] = { drawn: last.drawn + drawn, expected: last.expected + expected };
  return groups;
}

/** The probability of a chi-square of at least `chi`: the upper incomplete gamma function.
 * @param {number} chi @param {number} df */
export function upperTail(chi, df) {
  const [a, x] = [df / 2, chi / 2];
  if (x === 0) return 1;
  const scale = Math.exp(a * Math.log(x) - x - logGamma(a));
  return x < a + 1 ? 1 - scale * series(a, x) : scale * fraction(a, x);
}

/** ln Γ of a whole number of halves. */
function logGamma(/** @type {number} */ a) {
  let sum = 0;
  let left = a;
  for (; left > 1; left -= 1) sum += Math.log(left - 1);
  return sum + (left === 1 ? 0 : Math.log(Math.PI) / 2); // Γ(1) = 1, Γ(1/2) = √π
}

/** Σ x^k / (a (a + 1) ... (a + k)) */
function series(/** @type {number} */ a, /** @type {number} */ x) {
  let term = 1 / a;
  let sum = term;
  for (let k = 1; term > sum * Number.EPSILON; k += 1) {
    term *= x / (a + k);
    sum += term;
  }
  return sum;
}

/** The continued fraction 1 / (x + 1 - a - 1 (1 - a) / (x + 3 - a - 2 (2 - a) / ...)), by Lentz. */
function fraction(/** @type {number} */ a, /** @type {number} */ x) {
  let b = x + 1 - a;
  let c = Infinity;
  let d = 1 / b;
  let value = d;
  for (let k = 1, change = 0; Math.abs(change - 1) > Number.EPSILON && k < 10_000; k += 1) {
    const numerator = -k * (k - a);
    b += 2;
    d = 1 / (b + numerator * d);
    c = b + numerator / c;
    change = c * d;
    value *= change;
  }
  return value;
}
