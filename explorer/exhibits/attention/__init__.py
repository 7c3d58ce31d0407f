"""Attention: all heads of the three kinds at once, and one of them large, as a map or as lines.

Everything here is computed in the browser from the weights of the payload, so that a slider need
not wait: `measures.js` holds what heads are ranked by, `look.js` what whole words, hidden tokens and
the strongest part do to the weights.
With w the weights of a head, Q its rows and K its columns:

    entropy      -(1/Q) sum_ij w_ij ln w_ij, in nats
    diagonal     (1/Q) sum_i w_ii; in cross-attention 1 - (1/Q) sum_ij w_ij |i/(Q-1) - j/(K-1)|
    previous     (1/(Q-1)) sum_{i>0} w_i,i-1; cross-attention has none
    end          (1/Q) sum_i w_ie, e the end token; in decoder self-attention the start token
    effect       the change of the output's log-prob without the head, where it was measured
"""

from __future__ import annotations

from explorer.exhibit import Exhibit

EXHIBIT = Exhibit("attention", saved=True)
