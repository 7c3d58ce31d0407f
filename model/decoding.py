"""Decoding: from next-token log-probs to ranked hypotheses, recording all that was considered.

    Stepper -> search -> Search

Knows no network: a `Stepper` is all it asks for. Every method is the same loop and differs only in
which candidates of a step are picked:

    greedy         the best candidate                                  one hypothesis
    beam           the 2N best candidates of all hypotheses            N hypotheses
    sampling       one drawn candidate                                 one hypothesis
    beam_sampling  2N drawn candidates of all hypotheses               N hypotheses
    forced         the prefix token, while the prefix lasts; the end token at the limit, if asked

The picked candidates, best total first, then go on as in `transformers` (generation/utils.py,
`_beam_search` with early_stopping=False): of the first N those that end join the finished list,
which keeps its N best scores; of all, the first N that do not end are extended. A sentence is done
at its limit, or when the list is full and the best hypothesis that still runs, if it ended at its
present length, would not beat the worst one of the list. So a beam search over several sentences
gives each what it gets alone.

Why 2N: at most N of them end, so that N are left to extend. Equal totals are ordered by their
hypotheses, then by token id; which of equal log-probs `torch.topk` leaves out is its own affair.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from model.config import DecodeConfig
from model.errors import ConfigError, InputError, TraceError
from model.sampling import Doubles, Mulberry32, draw, warp
from model.trace import Fate, Hypothesis, Search, SearchStep

SHOWN = 10
"""Candidates that greedy and sampling record of each step, besides the chosen one; beams record
2N of each hypothesis that runs."""


class Stepper(Protocol):
    """A model in the middle of writing R hypotheses. Never changed: each method gives a new one.

    Tokens and indices come as int64 on the CPU. The log-probs (R, V) may be of any float type and
    on any device; -inf marks a token that cannot come.
    """

    def step(self, tokens: Tensor, /) -> tuple[Tensor, Stepper]:
        """Read one token a row, (R,) -> log-probs of the next (R, V), and the stepper after it."""

    def rows(self, index: Tensor, /) -> Stepper:
        """The chosen rows, in that order; a row may be chosen more than once, or not at all."""


class Names(Protocol):
    """What ids are called; a `Tokenizer` is one."""

    def piece(self, token_id: int, /) -> str: ...

    def decode(self, ids: Sequence[int], /) -> str: ...


@dataclass(frozen=True)
class Rules:
    """What a checkpoint asks of decoding.

    `start_id` is read first and never written. `banned` ids are never generated; with `renormalise`
    (Marian's `renormalize_logits`) the others then share their probability. With `forced_end_id`
    only the end token may come at the last allowed position (Marian).
    """

    start_id: int
    end_id: int
    banned: tuple[int, ...] = ()
    forced_end_id: int | None = None
    renormalise: bool = False

    def __post_init__(self) -> None:
        if self.end_id in self.banned:
            raise ConfigError(f"The end token {self.end_id} is banned; no translation could end.")
        if self.forced_end_id not in (None, self.end_id):
            raise ConfigError(
                f"forced_end_id is {self.forced_end_id}; expected the end token, "
                f"{self.end_id}, or None."
            )


def search(
    stepper: Stepper,
    n_sentences: int,
    config: DecodeConfig,
    rules: Rules,
    names: Names,
    *,
    prefix: Sequence[int] = (),
    record: bool = True,
    max_lengths: Sequence[int] | None = None,
) -> list[Search]:
    """One `Search` for each sentence, whatever its neighbours are.

    `stepper` has one row a sentence and has read nothing. Each hypothesis begins with `prefix`,
    whose tokens count like any others; it may end with the end token. `max_lengths` gives each
    sentence a limit of its own in place of `config.max_length`. Without `record` the steps and
    paths stay empty; ids and scores are the same.

    Raises:
        ConfigError: a limit below 1, or rules with ids outside the vocabulary.
        InputError: a prefix that is too long, banned, impossible, or outside the vocabulary.
        TraceError: the model gives NaN, or no token at all.
    """
    limits = [config.max_length] * n_sentences if max_lengths is None else list(max_lengths)
    if len(limits) != n_sentences or min(limits, default=1) < 1:
        raise ConfigError(f"max_lengths is {limits}; expected {n_sentences} numbers from 1.")
    _check_prefix(prefix, rules, min(limits, default=config.max_length))
    sentences = [_Sentence(config, rules, tuple(prefix), limit, record) for limit in limits]
    active, tokens = sentences, [rules.start_id] * n_sentences
    with torch.inference_mode():
        while active:
            log_probs, stepper = stepper.step(torch.tensor(tokens))
            _check_ids(prefix, rules, log_probs.size(-1))
            rows = _advance(active, log_probs, rules)
            active = [sentence for sentence in active if sentence.live]
            tokens = [beam.ids[-1] for sentence in active for beam in sentence.live]
            if active and rows != list(range(len(log_probs))):
                stepper = stepper.rows(torch.tensor(rows))
    return [sentence.result(names) for sentence in sentences]


def _check_prefix(prefix: Sequence[int], rules: Rules, limit: int) -> None:
    """Refuse a prefix that could not be written within `limit` tokens."""
    ended = rules.end_id in prefix
    if rules.end_id in prefix[:-1]:
        raise InputError(
            "The forced beginning goes on after the end token; cut it there.", key="after_end"
        )
    room = limit if rules.forced_end_id is None or ended else limit - 1
    if len(prefix) > room:
        raise InputError(
            f"The forced beginning has {len(prefix)} tokens; there is room for {room}. "
            "Shorten it.",
            key="no_room", count=len(prefix), room=room,
        )  # fmt: skip


def _check_ids(prefix: Sequence[int], rules: Rules, vocab_size: int) -> None:
    """Refuse ids that the vocabulary does not have, and forced tokens that are banned."""
    for i in (rules.end_id, *rules.banned):
        if not 0 <= i < vocab_size:
            raise ConfigError(f"Rules name token {i}; the vocabulary has {vocab_size} tokens.")
    for i in prefix:
        if not 0 <= i < vocab_size:
            raise InputError(
                f"The forced token {i} does not exist; the vocabulary has {vocab_size} tokens."
            )
        if i in rules.banned:
            raise InputError(
                f"The forced token {i} may never be written; choose another one.",
                key="banned", token=i,
            )  # fmt: skip


def allowed(log_probs: Tensor, rules: Rules) -> Tensor:
    """Log-probs (R, V) with -inf for what the rules forbid, shared anew if the rules say so."""
    banned = torch.tensor(rules.banned, dtype=torch.int64, device=log_probs.device)
    left = log_probs.index_fill(-1, banned, -math.inf)
    return left.log_softmax(-1) if rules.renormalise else left


def _advance(active: list[_Sentence], log_probs: Tensor, rules: Rules) -> list[int]:
    """One step of every active sentence; the rows of log_probs (R, V) that are read on."""
    log_probs = allowed(log_probs, rules)
    width = min(active[0].width, log_probs.size(-1))
    top, top_ids = log_probs.topk(
        width
    )  # (R, width): the 2N best of all are the 2N best of some row
    values, ids = top.cpu().double().numpy(), top_ids.cpu().numpy()
    if np.isnan(values).any():
        raise TraceError("The model gave NaN for the next token; its weights or masks are broken.")
    rows: list[int] = []
    start = 0
    for sentence in active:
        part = slice(start, start + len(sentence.live))
        rows += [start + row for row in sentence.advance(log_probs[part], values[part], ids[part])]
        start = part.stop
    return rows


# ------------------------------------------------------------------------------- one sentence


class _Beam(NamedTuple):
    """A hypothesis on its way. `warped` is the log-prob of having drawn it (beam sampling)."""

    ids: tuple[int, ...] = ()
    path: tuple[int, ...] = ()
    total: float = 0.0
    warped: float = 0.0


class _Choice(NamedTuple):
    """The picked (row, token) of a step where it is not the best that are picked."""

    warped: dict[tuple[int, int], float]  # -> `warped` of the longer hypothesis
    forced: bool = False
    counts: bool = True  # a forced end adds nothing to the total


class _Step(NamedTuple):
    """The candidates of one step, best total first; becomes a `SearchStep`."""

    rows: NDArray[np.int64]
    parents: NDArray[np.int64]
    token_ids: NDArray[np.int64]
    log_probs: Doubles
    totals: Doubles
    picked: NDArray[np.bool_]
    forced: NDArray[np.bool_]
    fates: list[Fate]


class _Sentence:
    """The search of one sentence: what runs, what has finished, what was considered."""

    def __init__(
        self, config: DecodeConfig, rules: Rules, prefix: tuple[int, ...], limit: int, record: bool
    ) -> None:
        self.config, self.rules, self.prefix, self.limit = config, rules, prefix, limit
        self.record = record
        beams = config.method in ("beam", "beam_sampling")
        self.n_beams = config.beam_size if beams else 1
        self.width = 2 * self.n_beams if beams or not record else SHOWN
        self.generator = Mulberry32(config.seed)
        self.live: list[_Beam] = [_Beam()]
        self.finished: list[tuple[float, _Beam]] = []  # (score, hypothesis), best first, at most N
        self.length = 0
        self.steps: list[_Step] = []

    def advance(self, log_probs: Tensor, top: Doubles, top_ids: NDArray[np.int64]) -> list[int]:
        """Write one token; which row each of `live` continues. log_probs (n, V), top (n, width)."""
        choice = self._choice(log_probs)
        step = self._candidates(choice, log_probs, top, top_ids)
        self.length += 1
        rows: list[int] = []
        live: list[_Beam] = []
        for rank, c in enumerate(np.flatnonzero(step.picked).tolist()):
            row, token = int(step.rows[c]), int(step.token_ids[c])
            before = self.live[row]
            warped = before.warped if choice is None else choice.warped[row, token]
            beam = _Beam((*before.ids, token), (*before.path, c), float(step.totals[c]), warped)
            if token == self.rules.end_id or self.length == self.limit:
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
        if not self.live and not self.finished:
            raise TraceError(f"The model leaves no token to write at position {self.length}.")
        return rows if self.live else []

    def _choice(self, log_probs: Tensor) -> _Choice | None:
        """What is forced or drawn at this step; None where simply the best are picked."""
        if self.length < len(self.prefix):
            token = self.prefix[self.length]
            if log_probs[0, token].item() == -math.inf:
                raise InputError(
                    f"The model gives the forced token {token} the probability 0; choose another.",
                    key="impossible", token=token,
                )  # fmt: skip
            return _Choice({(0, token): self.live[0].warped}, forced=True)
        if self.length == self.limit - 1 and self.rules.forced_end_id is not None:
            end = self.rules.end_id
            ends = {(row, end): beam.warped for row, beam in enumerate(self.live)}
            return _Choice(ends, forced=True, counts=False)
        if self.config.method in ("sampling", "beam_sampling"):
            return self._draw(log_probs.cpu().double().numpy())
        return None

    def _draw(self, log_probs: Doubles) -> _Choice:
        """Draw one token (sampling), or 2N pairs of hypothesis and token (beam sampling).

        A pair is drawn with the probability of drawing the hypothesis times that of the token,
        both after temperature, top-k and top-p, without replacement, in the order of hypothesis
        then token id. The drawn pairs are then ranked by what the model itself gives them.

        Differs from `transformers`: there what is drawn is ranked by the warped sums, which are
        not renormalised after the cut, only the first N drawn may end, and k and p keep two tokens
        at least.
        """
        c = self.config
        tables = [warp(row, c.temperature, c.top_k, c.top_p) for row in log_probs]
        best = max(beam.warped for beam in self.live)
        weights = [math.exp(b.warped - best) * p for b, p in zip(self.live, tables, strict=True)]
        n = 1 if c.method == "sampling" else 2 * self.n_beams
        drawn = draw(np.concatenate(weights), self.generator, n)
        pairs = [divmod(i, log_probs.shape[1]) for i in drawn]
        return _Choice({(r, i): self.live[r].warped + math.log(tables[r][i]) for r, i in pairs})

    def _candidates(
        self, choice: _Choice | None, log_probs: Tensor, top: Doubles, top_ids: NDArray[np.int64]
    ) -> _Step:
        """The top of every row and the chosen ones, best first; without those of probability 0."""
        rows = np.repeat(np.arange(len(top)), top.shape[1])
        tokens, values = top_ids.ravel(), top.ravel()
        chosen = np.zeros(len(rows), dtype=np.bool_)
        if choice is not None and choice.warped:
            more_rows, more_tokens = np.array(list(choice.warped)).T
            size = log_probs.size(-1)
            other = ~np.isin(rows * size + tokens, more_rows * size + more_tokens)
            more = log_probs[torch.from_numpy(more_rows), torch.from_numpy(more_tokens)]
            chosen = np.repeat([False, True], [other.sum(), len(more_rows)])
            rows = np.concatenate((rows[other], more_rows))
            tokens = np.concatenate((tokens[other], more_tokens))
            values = np.concatenate((values[other], more.cpu().double().numpy()))
        free = chosen if choice is not None and not choice.counts else False
        totals = np.array([beam.total for beam in self.live])[rows] + np.where(free, 0.0, values)
        order = np.lexsort((tokens, rows, -totals))
        order = order[np.isfinite(totals[order])]
        picked = chosen[order] if choice is not None else np.arange(len(order)) < 2 * self.n_beams
        parents = np.array([beam.path[-1] if beam.path else -1 for beam in self.live])
        return _Step(
            rows=rows[order],
            parents=parents[rows[order]],
            token_ids=tokens[order],
            log_probs=values[order],
            totals=totals[order],
            picked=picked,
            forced=picked & (choice is not None and choice.forced),
            fates=["pruned"] * len(order),
        )

    def _finish(self, beam: _Beam) -> None:
        """Put a hypothesis into the list of the N best, behind those that it only equals."""
        self.finished.append((beam.total / self.config.penalty(len(beam.ids)), beam))
        self.finished.sort(key=lambda pair: -pair[0])
        del self.finished[self.n_beams :]

    def _may_improve(self, live: list[_Beam]) -> bool:
        """Whether the best that runs would enter the list if it ended where it is.

        With a penalty a longer one might still, though it would not now; stopping all the same is
        the rule of `transformers`.
        """
        if not live or len(self.finished) < self.n_beams:
            return bool(live)
        return live[0].total / self.config.penalty(self.length) > self.finished[-1][0]

    def result(self, names: Names) -> Search:
        """The record, once the search is over."""
        if self.record:
            last = self.steps[-1].fates  # the search stopped here: nothing was extended
            last[:] = ["pruned" if fate == "kept" else fate for fate in last]
            for _, beam in self.finished:
                self.steps[len(beam.path) - 1].fates[beam.path[-1]] = "finished"
        steps = tuple(_search_step(step, names) for step in self.steps)
        return Search(self.config, steps, tuple(self._hypothesis(*f, names) for f in self.finished))

    def _hypothesis(self, score: float, beam: _Beam, names: Names) -> Hypothesis:
        ended = beam.ids[-1] == self.rules.end_id
        ids = beam.ids[:-1] if ended else beam.ids
        path = beam.path if self.record else ()
        return Hypothesis(names.decode(ids), ids, beam.total, score, ended, path)


def _search_step(step: _Step, names: Names) -> SearchStep:
    pieces = tuple(names.piece(i) for i in step.token_ids.tolist())
    return SearchStep(
        parents=step.parents,
        token_ids=step.token_ids,
        pieces=pieces,
        log_probs=step.log_probs.astype(np.float32),
        totals=step.totals.astype(np.float32),
        fates=tuple(step.fates),
        forced=step.forced,
    )
