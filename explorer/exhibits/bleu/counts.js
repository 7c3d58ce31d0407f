// The places of the candidate's n-grams, and the causes of a lower score. Pure functions.

const gramsOf = (tokens, n) =>
  tokens
    .slice(0, Math.max(0, tokens.length - n + 1))
    .map((_, i) => tokens.slice(i, i + n).join(" "));

/**
 * Every n-gram of a text with its mark: "counted", "clipped" if the references have it less often,
 * else "". The first occurrences count, in a reference as in the candidate: of two "the" in it only
 * one is matched by a candidate that has one.
 */
export function occurrencesOf(tokens, grams, order, isCandidate) {
  const left = new Map(grams.map(({ gram, clipped }) => [gram, clipped]));
  const known = new Map(grams.map(({ gram, most }) => [gram, most]));
  return gramsOf(tokens, order).map((gram, start) => {
    const counts = left.get(gram) > 0;
    left.set(gram, left.get(gram) - 1);
    const isClipped = isCandidate && known.get(gram) > 0;
    return { gram, start, mark: counts ? "counted" : isClipped ? "clipped" : "" };
  });
}

/** The mark of each token at an order: the best mark of the n-grams that contain it. */
export function marksOf(tokens, grams, order, isCandidate) {
  const marks = tokens.map(() => "");
  for (const { start, mark } of occurrencesOf(tokens, grams, order, isCandidate)) {
    for (let i = start; i < start + order; i += 1) {
      if (mark === "counted" || marks[i] === "") marks[i] = mark;
    }
  }
  return marks;
}

/** True for each token in the chosen n-gram. */
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
