"""Drawing a token: temperature, top-k, top-p, and a seeded generator that a browser can repeat.

`assets/kit/sampling.js` implements the same for the browser; keep the two in step.

numpy only. Everything works in float64 on the whole vocabulary, in this order; a softmax over only
the most likely tokens would not give the model's probabilities.

A token is drawn in four steps, so that every language draws the same one from the same log-probs:

1. `Mulberry32(seed).uniform()` gives u, one number per token drawn.
2. `warp` gives the probabilities p[0], p[1], ... in the order of the token ids.
3. c[i] = p[0] + ... + p[i], added one after the other in float64.
4. The token is the first i with c[i] > u * c[V-1]. A token of probability 0 is never drawn.

Several tokens without replacement: set the drawn p[i] to 0 and repeat from step 3 with the next u.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from model.arrays import Doubles

_WORD = 0xFFFFFFFF  # keeps 32 bits, like integer operations in JavaScript


class Mulberry32:
    """A generator of 32 bits of state. Source: Tommy Ettinger, 2017, public domain.

    The same numbers in JavaScript, where `a` is the state and starts as the seed:

        a = (a + 0x6D2B79F5) | 0;
        let t = Math.imul(a ^ (a >>> 15), a | 1);
        t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
        return ((t ^ (t >>> 14)) >>> 0) / 4294967296;

    Good enough to draw tokens; not for secrets.
    """

    def __init__(self, seed: int) -> None:
        self._state = seed & _WORD

    def uniform(self) -> float:
        """The next number of [0, 1): a multiple of 2**-32, so exact in float64."""
        a = self._state = (self._state + 0x6D2B79F5) & _WORD
        t = ((a ^ (a >> 15)) * (a | 1)) & _WORD
        t ^= (t + (t ^ (t >> 7)) * (t | 61)) & _WORD
        return (t ^ (t >> 14)) / 2**32


def warp(
    log_probs: NDArray[np.floating], temperature: float = 1.0, top_k: int = 0, top_p: float = 1.0
) -> Doubles:
    """The probabilities (V,) for drawing a token: temperature, then top-k, then top-p.

    `log_probs` (V,) may be off by a constant, so logits work as well; -inf forbids a token. Tokens
    cut get exactly 0, the rest sum to 1; if every token is forbidden, all are 0.

    temperature  log-probs are divided by it.
    top_k        keeps all tokens at least as probable as the k-th best, including ties;
                 0, or a k beyond the vocabulary, keeps everything.
    top_p        keeps the smallest set of best tokens that reaches top_p of the probability left by
    top-k: from the worst token up, those whose running sum is at most 1 - top_p are cut. In a tie
    the token with the higher id is cut first. The best always stays.

    Source: `transformers`, TemperatureLogitsWarper, TopKLogitsWarper, TopPLogitsWarper; there an
    unstable sort decides the order of ties under top_p.
    Example: log([.5, .3, .2]), top_p=.7 -> [.625, .375, 0]; .2 is within 1 - .7, .2 + .3 is not.
    """
    scores = np.asarray(log_probs, dtype=np.float64) / temperature
    if 0 < top_k < len(scores):
        scores = np.where(scores < np.partition(scores, -top_k)[-top_k], -np.inf, scores)
    if top_p < 1.0:
        worst_first = len(scores) - 1 - np.argsort(scores[::-1], kind="stable")
        cut = np.cumsum(_softmax(scores[worst_first])) <= 1.0 - top_p
        cut[-1] = False
        scores[worst_first[cut]] = -np.inf
    return _softmax(scores)


def draw(weights: Doubles, generator: Mulberry32, n: int = 1) -> list[int]:
    """Indices of n draws without replacement from weights (V,) that need not sum to 1.

    Fewer than n if fewer weights are above 0. See the top of the file for the exact procedure.
    """
    weights = weights.copy()
    sums = np.cumsum(weights)
    drawn: list[int] = []
    for _ in range(min(n, int(np.count_nonzero(weights)))):
        i = int(np.searchsorted(sums, generator.uniform() * sums[-1], side="right"))
        if i == len(weights):  # u * sum rounds up to the sum only if the weights are subnormal
            i = int(np.flatnonzero(weights)[-1])
        weights[i] = 0.0
        drawn.append(i)
        rest = weights[i:].copy()  # the sums before i do not change
        rest[0] = sums[i - 1] if i else 0.0
        sums[i:] = np.cumsum(rest)
    return drawn


def _softmax(scores: Doubles) -> Doubles:
    peak = scores.max()
    if peak == -np.inf:
        return np.zeros_like(scores)
    powers = np.exp(scores - peak)
    return np.asarray(powers / powers.sum())
