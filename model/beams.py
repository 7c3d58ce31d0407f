"""The search for one sentence: which candidates are picked, which finish, and when it stops.

The picked candidates, best total first, continue as in `transformers` (generation/utils.py,
`_beam_search`). Of the first N, those that end join the list of finished
hypotheses, which keeps its N best scores. Of all of them, the first N that do not end are extended.

A sentence is done at its length limit, or when the list is full and the best unfinished hypothesis
would not beat the worst in the list if it ended at its present length (`_may_improve`). So a beam
search over several sentences gives each the same result as alone. A score is the sum of log-probs
divided by the length penalty, which is `DecodeConfig.penalty` (config.py).

Why 2N candidates: at most N of them end, so N are left to extend (N more for each further end
token). Equal totals are ordered by their
hypotheses, then by token id; if log-probs are equal, `torch.topk` decides which it leaves out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
import torch
from torch import Tensor

from model.arrays import Bools, Doubles, Ints
from model.config import DecodeConfig
from model.errors import InputError, TraceError
from model.rules import Rules
from model.sampling import Mulberry32, draw, warp
from model.trace import Fate, Forbidden, Hypothesis, Search, SearchStep

RECORDED = 10
"""Candidates that greedy search and sampling record at each step, besides the chosen one. A beam
search records 2N for each hypothesis that runs."""


class Vocabulary(Protocol):
    """Converts token ids to pieces and text; a `Tokenizer` does."""

    def piece(self, token_id: int, /) -> str: ...

    def decode(self, ids: Sequence[int], /) -> str: ...


class Beam(NamedTuple):
    """An unfinished hypothesis; `draw_log_prob` (beam sampling) is the log-prob of its draw."""

    ids: tuple[int, ...] = ()
    path: tuple[int, ...] = ()
    total: float = 0.0
    draw_log_prob: float = 0.0


class Best(NamedTuple):
    """The next tokens of the n unfinished hypotheses of a sentence.

    `scores` (n, V) rank; `own` (n, V) are the model's log-probs before its checkpoint's rules
    change them. `top` and `ids` (n, width) are the best scores and their tokens.
    """

    scores: Tensor
    own: Tensor
    top: Doubles
    ids: Ints


class _Choice(NamedTuple):
    """The (row, token) pairs picked at a step that does not just take the best."""

    picks: dict[tuple[int, int], float]  # -> `draw_log_prob` of the longer hypothesis
    forced: bool = False
    counts: bool = True  # a forced end adds nothing to the total


class _Step(NamedTuple):
    """The candidates of one step, best total first; becomes a `SearchStep`."""

    rows: Ints
    parents: Ints
    token_ids: Ints
    log_probs: Doubles
    totals: Doubles
    picked: Bools
    forced: Bools
    fates: list[Fate]
    forbidden: tuple[Forbidden, ...]


class SentenceSearch:
    """One sentence: its unfinished hypotheses, its finished ones, and all candidates."""

    def __init__(
        self, config: DecodeConfig, rules: Rules, prefix: tuple[int, ...], limit: int, record: bool
    ) -> None:
        self.config, self.rules, self.prefix, self.limit = config, rules, prefix, limit
        self.record = record
        beams = config.method in ("beam", "beam_sampling")
        self.n_beams = config.beam_size if beams else 1
        self.picked = max(2, 1 + len(rules.ends)) * self.n_beams
        self.width = self.picked if beams or not record else RECORDED
        self.generator = Mulberry32(config.seed)
        self.live: list[Beam] = [Beam()]
        self.finished: list[tuple[float, Beam]] = []  # (score, hypothesis), best first, at most N
        self.length = 0
        self.steps: list[_Step] = []

    def advance(self, best: Best, forbidden: Sequence[Forbidden] = ()) -> list[int]:
        """Write one token; return the row that each of `live` continues."""
        choice = self._choice(best.scores)
        step = self._candidates(choice, best, forbidden)
        self.length += 1
        rows: list[int] = []
        live: list[Beam] = []
        for rank, c in enumerate(np.flatnonzero(step.picked).tolist()):
            row, token = int(step.rows[c]), int(step.token_ids[c])
            before = self.live[row]
            drawn = before.draw_log_prob if choice is None else choice.picks[row, token]
            beam = Beam((*before.ids, token), (*before.path, c), float(step.totals[c]), drawn)
            if token in self.rules.ends or self.length == self.limit:
                if rank < self.n_beams:
                    step.fates[c] = "beaten"  # until it proves to be in the final list
                    self._finish(beam)
            elif len(live) < self.n_beams:
                step.fates[c] = "kept"
                live.append(beam)
                rows.append(row)
        if self.record:
            self.steps.append(step)
        self.live = live if self._may_improve(live) else []
        if not self.live:
            self._close()
        return rows if self.live else []

    def _choice(self, log_probs: Tensor) -> _Choice | None:
        """The forced or drawn choice of this step; None if the best are picked."""
        if self.length < len(self.prefix):
            token = self.prefix[self.length]
            if log_probs[0, token].item() == -math.inf:
                raise InputError(
                    f"The model gives the forced token {token} a probability of 0; choose another.",
                    key="impossible", token=token,
                )  # fmt: skip
            counts = self.length > 0 or token != self.rules.forced_first_id
            return _Choice({(0, token): self.live[0].draw_log_prob}, forced=True, counts=counts)
        if self.length == self.limit - 1 and self.rules.forced_end_id is not None:
            end = self.rules.end_id
            ends = {(row, end): beam.draw_log_prob for row, beam in enumerate(self.live)}
            return _Choice(ends, forced=True, counts=False)
        if self.length == 0 and self.rules.forced_first_id is not None:
            first = {(0, self.rules.forced_first_id): self.live[0].draw_log_prob}
            return _Choice(first, forced=True, counts=False)
        if self.config.method in ("sampling", "beam_sampling"):
            return self._draw(log_probs.cpu().double().numpy())
        return None

    def _draw(self, log_probs: Doubles) -> _Choice:
        """Draw one token (sampling), or 2N pairs of hypothesis and token (beam sampling).

        A pair's probability is that of drawing the hypothesis times that of the token, both after
        temperature, top-k and top-p. Pairs are drawn without replacement, in the order of
        hypothesis, then token id, and ranked by the model's own log-probs.

        Differs from `transformers`, which ranks by the warped sums, does not renormalise them after
        the cut, lets only the first N drawn end, and keeps at least two tokens under k and p.
        """
        c = self.config
        tables = [warp(row, c.temperature, c.top_k, c.top_p) for row in log_probs]
        best = max(beam.draw_log_prob for beam in self.live)
        shares = [math.exp(beam.draw_log_prob - best) for beam in self.live]
        weights = [share * table for share, table in zip(shares, tables, strict=True)]
        n = 1 if c.method == "sampling" else self.picked
        drawn = draw(np.concatenate(weights), self.generator, n)
        pairs = [divmod(i, log_probs.shape[1]) for i in drawn]
        return _Choice(
            {(r, i): self.live[r].draw_log_prob + math.log(tables[r][i]) for r, i in pairs}
        )

    def _candidates(
        self, choice: _Choice | None, best: Best, forbidden: Sequence[Forbidden]
    ) -> _Step:
        """The best of every row and the chosen pairs, best first, except those of probability 0."""
        rows = np.repeat(np.arange(len(best.top)), best.top.shape[1])
        tokens, values = best.ids.ravel(), best.top.ravel()
        chosen = np.zeros(len(rows), dtype=np.bool_)
        if choice is not None and choice.picks:
            more_rows, more_tokens = np.array(list(choice.picks)).T
            size = best.scores.size(-1)
            other = ~np.isin(rows * size + tokens, more_rows * size + more_tokens)
            more = _at(best.scores, more_rows, more_tokens)
            chosen = np.repeat([False, True], [other.sum(), len(more_rows)])
            rows = np.concatenate((rows[other], more_rows))
            tokens = np.concatenate((tokens[other], more_tokens))
            values = np.concatenate((values[other], more))
        free = chosen if choice is not None and not choice.counts else False
        totals = np.array([beam.total for beam in self.live])[rows] + np.where(free, 0.0, values)
        order = np.lexsort((tokens, rows, -totals))
        order = order[np.isfinite(totals[order])]
        picked = chosen[order] if choice is not None else np.arange(len(order)) < self.picked
        parents = np.array([beam.path[-1] if beam.path else -1 for beam in self.live])
        rows, tokens = rows[order], tokens[order]
        is_own = best.own is best.scores
        return _Step(
            rows=rows,
            parents=parents[rows],
            token_ids=tokens,
            log_probs=values[order] if is_own else _at(best.own, rows, tokens),
            totals=totals[order],
            picked=picked,
            forced=picked & (choice is not None and choice.forced),
            fates=["pruned"] * len(order),
            forbidden=tuple(one._replace(parent=int(parents[one.parent])) for one in forbidden),
        )

    def _finish(self, beam: Beam) -> None:
        """Put a hypothesis into the list of the N best, after those of the same score."""
        self.finished.append((beam.total / self.config.penalty(len(beam.ids)), beam))
        self.finished.sort(key=lambda pair: -pair[0])
        del self.finished[self.n_beams :]

    def _may_improve(self, live: list[Beam]) -> bool:
        """True if the best unfinished hypothesis would enter the list if it ended here.

        With a length penalty it might still enter when it is longer; stopping anyway is the rule of
        `transformers`, unless `early_stopping` is "never". If it is True, a full list is enough.
        """
        if not live or len(self.finished) < self.n_beams:
            return bool(live)
        early = self.rules.early_stopping if self.n_beams > 1 else False
        hopeful = early == "never" and self.config.length_penalty > 0
        penalty = self.config.penalty(self.limit if hopeful else self.length)
        return early is not True and live[0].total / penalty > self.finished[-1][0]

    def _close(self) -> None:
        """Set the final fates at the end of the search.

        Raises:
            TraceError: nothing is finished, because no token could be written.
        """
        if not self.finished:
            raise TraceError(f"The model leaves no token to write at position {self.length}.")
        if not self.record:
            return
        last = self.steps[-1].fates  # the search stopped here: no candidate was extended
        last[:] = ["pruned" if fate == "kept" else fate for fate in last]
        for _, beam in self.finished:
            self.steps[len(beam.path) - 1].fates[beam.path[-1]] = "finished"

    def result(self, vocabulary: Vocabulary) -> Search:
        """Return the record once the search is over."""
        steps = tuple(_search_step(step, vocabulary) for step in self.steps)
        return Search(
            self.config, steps, tuple(self._hypothesis(*f, vocabulary) for f in self.finished)
        )

    def _hypothesis(self, score: float, beam: Beam, vocabulary: Vocabulary) -> Hypothesis:
        ended = beam.ids[-1] in self.rules.ends
        ids = beam.ids[:-1] if beam.ids[-1] == self.rules.end_id else beam.ids
        path = beam.path if self.record else ()
        return Hypothesis(vocabulary.decode(ids), ids, beam.total, score, ended, path)


def _at(table: Tensor, rows: Ints, tokens: Ints) -> Doubles:
    """The values of some cells of a table (n, V)."""
    values = table[torch.from_numpy(rows), torch.from_numpy(tokens)]
    found: Doubles = values.cpu().double().numpy()
    return found


def _search_step(step: _Step, vocabulary: Vocabulary) -> SearchStep:
    pieces = tuple(vocabulary.piece(i) for i in step.token_ids.tolist())
    return SearchStep(
        parents=step.parents,
        token_ids=step.token_ids,
        pieces=pieces,
        log_probs=step.log_probs.astype(np.float32),
        totals=step.totals.astype(np.float32),
        fates=tuple(step.fates),
        forced=step.forced,
        forbidden=step.forbidden,
    )
