// Label smoothing: smooth = (1 - eps) one_hot + eps / C, over a vocabulary of C. Pure functions.
// Source: "Attention Is All You Need", section 5.4; Szegedy et al. 2015.

/**
 * What the loss at one step needs: the log-probs of the right token and of the rest together, the
 * mean of all log-probs, and the size of the vocabulary.
 * @typedef {{log_prob: number, rest: number, mean: number, size: number}} Summary
 */

/** The log-probs of logits, in float64. @param {Float32Array} logits */
export function logSoftmax(logits) {
  let most = -Infinity;
  for (const logit of logits) if (logit > most) most = logit;
  let sum = 0;
  for (const logit of logits) sum += Math.exp(logit - most);
  const total = most + Math.log(sum);
  return Float64Array.from(logits, (logit) => logit - total);
}

/** The target of one token: `right` says whether it is the one to be learned.
 * @param {boolean} right @param {number} eps @param {number} size */
export const targetOf = (right, eps, size) => (right ? 1 - eps : 0) + eps / size;

/** The gradient of the loss with respect to a logit: p - smooth. Training goes against it.
 * @param {number} probability @param {boolean} right @param {number} eps @param {number} size */
export const gradientOf = (probability, right, eps, size) =>
  probability - targetOf(right, eps, size);

/** The loss - sum of smooth log p - from the log-prob of the right token and the mean of all
 * log-probs. @param {Pick<Summary, "log_prob"|"mean">} step @param {number} eps */
export const lossOf = ({ log_prob: logProb, mean }, eps) => -(1 - eps) * logProb - eps * mean;

/** The probability of the right token at which nothing pushes it any more, given the shares of the
 * others.
 * @param {number} eps @param {number} size */
export const bestProbability = (eps, size) => 1 - eps + eps / size;

/** The same as log-odds: log of p / (1 - p). Without smoothing it is infinite: never sure enough.
 * @param {number} eps @param {number} size */
export const bestOdds = (eps, size) =>
  Math.log(bestProbability(eps, size)) - Math.log((eps * (size - 1)) / size);

/** How far the right logit stands above every other one where the loss is smallest of all.
 * @param {number} eps @param {number} size */
export const bestGap = (eps, size) => Math.log(((1 - eps) * size) / eps + 1);

/** @param {Float64Array} logProbs @param {number} right @returns {Summary} */
export function summary(logProbs, right) {
  let rest = 0;
  let sum = 0;
  logProbs.forEach((logProb, i) => {
    sum += logProb;
    if (i !== right) rest += Math.exp(logProb);
  });
  return {
    log_prob: logProbs[right],
    rest: Math.log(rest),
    mean: sum / logProbs.length,
    size: logProbs.length,
  };
}

/** The summary after the right token's logit has been moved until its log-odds are `odds`; all
 * other logits stay. @param {Summary} step @param {number} odds @returns {Summary} */
export function moved({ log_prob: logProb, rest, mean, size }, odds) {
  const move = odds - (logProb - rest);
  const up = logProb + move;
  const high = Math.max(up, rest);
  const total = high + Math.log(Math.exp(up - high) + Math.exp(rest - high));
  return { log_prob: up - total, rest: rest - total, mean: mean + move / size - total, size };
}
