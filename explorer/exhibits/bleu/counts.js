// The places of the candidate's n-grams, and the causes of a lower score. Pure functions.

/**
 * An n-gram of the candidate, its tokens with blanks between them: how often it occurs there, at
 * most in a reference, and how many of its matches count.
 * @typedef {{gram: string, count: number, most: number, clipped: number}} Gram
 *
 * A candidate scored against its references. Lists by the length of n-grams begin with 1.
 * @typedef {object} Found
 * @property {string[]} tokens of the candidate
 * @property {string[][]} references their tokens
 * @property {Gram[][]} grams
 * @property {number[]} matches that count
 * @property {number[]} totals of n-grams in the candidate
 * @property {number[]} precisions 0 to 1
 * @property {number} c tokens of the candidate
 * @property {number} r tokens of the reference whose length is nearest
 * @property {number} bp brevity penalty
 * @property {number} mean geometric mean of the precisions
 * @property {number} orders how many of them are in it
 * @property {number} score 0 to 100
 * @property {string} tokeniser
 * @property {string} smoothing "exp" or "none"
 * @property {number[]} scores of the model's card, greedy first
 * @property {import("../../../assets/kit/types.js").HeldOut} held_out
 *
 * The mark of an n-gram or of a token. @typedef {"counted"|"clipped"|""} Mark
 */

/** @param {string[]} tokens @param {number} n */
const gramsOf = (tokens, n) =>
  tokens
    .slice(0, Math.max(0, tokens.length - n + 1))
    .map((_, i) => tokens.slice(i, i + n).join(" "));

/**
 * Every n-gram of a text with its mark: "counted", "clipped" if the references have it less often,
 * else "". The first occurrences count, in a reference as in the candidate: of two "the" in it only
 * one is matched by a candidate that has one.
 * @param {string[]} tokens @param {Gram[]} grams @param {number} order @param {boolean} isCandidate
 * @returns {{gram: string, start: number, mark: Mark}[]}
 */
export function occurrencesOf(tokens, grams, order, isCandidate) {
  const left = new Map(grams.map(({ gram, clipped }) => [gram, clipped]));
  const known = new Map(grams.map(({ gram, most }) => [gram, most]));
  return gramsOf(tokens, order).map((gram, start) => {
    const count = left.get(gram) ?? 0;
    left.set(gram, count - 1);
    const isClipped = isCandidate && (known.get(gram) ?? 0) > 0;
    return { gram, start, mark: count > 0 ? "counted" : isClipped ? "clipped" : "" };
  });
}

/** The mark of each token at an order: the best mark of the n-grams that contain it.
 * @param {string[]} tokens @param {Gram[]} grams @param {number} order @param {boolean} isCandidate */
export function marksOf(tokens, grams, order, isCandidate) {
  /** @type {Mark[]} */
  const marks = tokens.map(() => "");
  for (const { start, mark } of occurrencesOf(tokens, grams, order, isCandidate)) {
    for (let i = start; i < start + order; i += 1) {
      if (mark === "counted" || marks[i] === "") marks[i] = mark;
    }
  }
  return marks;
}

/** True for each token in the chosen n-gram.
 * @param {string[]} tokens @param {string|null} gram @param {number} order */
export function litBy(tokens, gram, order) {
  const lit = tokens.map(() => false);
  gramsOf(tokens, order).forEach((one, start) => {
    if (one === gram) lit.fill(true, start, start + order);
  });
  return lit;
}

/**
 * The main cause of a lower score: brevity, or the n-grams of length `n` with the least precision.
 * "alone": by brevity, and by nothing else; "short" and "none": all of it, since the candidate has
 * no n-grams of a length, or none of them matches.
 * @param {Found} found
 */
export function lossOf({ c, bp, mean, precisions, matches, totals, orders, score }) {
  if (c === 0) return { key: "nothing", n: 1 };
  const used = precisions.slice(0, orders);
  const isZero = score === 0;
  const least = used.reduce((so, p, i) => (p < used[so] ? i : so), 0);
  const n = (isZero ? totals.findIndex((total, i) => total === 0 || matches[i] === 0) : least) + 1;
  if (isZero) return { key: totals[n - 1] === 0 ? "short" : "none", n };
  const isWhole = mean > 1 - 1e-9;
  if (bp === 1 && isWhole) return { key: "full", n };
  if (isWhole) return { key: "alone", n };
  return { key: bp < mean ? "brevity" : "order", n };
}
