"""Decoding: from next-token log-probs to ranked hypotheses, with a record of all candidates.

    Stepper -> search -> Search

It does not depend on the network: a `Stepper` is enough. All methods are the same loop and differ
only in the candidates that they pick at each step:

    greedy         the best candidate                                  one hypothesis
    beam           the 2N best candidates of all hypotheses            N hypotheses
    sampling       one drawn candidate                                 one hypothesis
    beam_sampling  2N drawn candidates of all hypotheses               N hypotheses
    forced         the prefix token, while the prefix lasts; the end token at the limit, if required

`beams.py` decides what happens to the picked candidates, and when a sentence is done.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Protocol

import numpy as np
import torch
from torch import Tensor

from model import deadline
from model.arrays import Doubles, Ints
from model.beams import SentenceSearch
from model.beams import Vocabulary as Vocabulary
from model.config import DecodeConfig
from model.errors import ConfigError, InputError, TraceError
from model.rules import Rules as Rules
from model.rules import mask_banned as mask_banned
from model.rules import repeating
from model.trace import Search


class Stepper(Protocol):
    """A model in the middle of writing R hypotheses. Immutable: each method returns a new one.

    Tokens and indices are int64 on the CPU. The log-probs (R, V) may be of any float type and on
    any device; -inf marks a token that is impossible.
    """

    def step(self, tokens: Tensor, /) -> tuple[Tensor, Stepper]:
        """Read one token per row, (R,) -> log-probs of the next (R, V), and the new stepper."""

    def rows(self, index: Tensor, /) -> Stepper:
        """The chosen rows, in that order; a row may be chosen more than once, or not at all."""


def search(
    stepper: Stepper,
    n_sentences: int,
    config: DecodeConfig,
    rules: Rules,
    vocabulary: Vocabulary,
    *,
    prefix: Sequence[int] = (),
    record: bool = True,
    max_lengths: Sequence[int] | None = None,
) -> list[Search]:
    """Return one `Search` for each sentence; sentences in a batch do not affect each other.

    `stepper` has one row for each sentence and has read nothing. Each hypothesis begins with
    `prefix`, whose tokens count like any others; it may end with the end token. `max_lengths` gives
    each sentence its own limit instead of `config.max_length`. Without `record` the steps and paths
    stay empty; ids and scores are the same.

    Raises:
        ConfigError: a limit below 1, or rules with ids outside the vocabulary.
        InputError: a prefix that is too long, banned, impossible, or outside the vocabulary; or
            the time is up (`deadline`).
        TraceError: the model gives NaN, or no token at all.
    """
    limits = [config.max_length] * n_sentences if max_lengths is None else list(max_lengths)
    if len(limits) != n_sentences or min(limits, default=1) < 1:
        raise ConfigError(f"max_lengths is {limits}; expected {n_sentences} numbers from 1.")
    _check_prefix(prefix, rules, min(limits, default=config.max_length))
    sentences = [SentenceSearch(config, rules, tuple(prefix), limit, record) for limit in limits]
    active, tokens = sentences, [rules.start_id] * n_sentences
    with torch.inference_mode():
        while active:
            deadline.check()
            log_probs, stepper = stepper.step(torch.tensor(tokens))
            _check_ids(prefix, rules, log_probs.size(-1))
            rows = _advance(active, log_probs, rules)
            active = [sentence for sentence in active if sentence.live]
            tokens = [beam.ids[-1] for sentence in active for beam in sentence.live]
            if active and rows != list(range(len(log_probs))):
                stepper = stepper.rows(torch.tensor(rows))
    return [sentence.result(vocabulary) for sentence in sentences]


def _check_prefix(prefix: Sequence[int], rules: Rules, limit: int) -> None:
    """Refuse a prefix that does not fit into `limit` tokens."""
    ended = not set(rules.ends).isdisjoint(prefix)
    if not set(rules.ends).isdisjoint(prefix[:-1]):
        raise InputError(
            "The forced beginning continues after the end token; cut it there.", key="after_end"
        )
    room = limit if rules.forced_end_id is None or ended else limit - 1
    if len(prefix) > room:
        raise InputError(
            f"The forced beginning has {len(prefix)} tokens; there is room for {room}. "
            "Shorten it.",
            key="no_room", count=len(prefix), room=room,
        )  # fmt: skip


def _check_ids(prefix: Sequence[int], rules: Rules, vocab_size: int) -> None:
    """Refuse ids outside the vocabulary, and forced tokens that are banned."""
    for i in (*rules.ends, *rules.banned):
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


def _without_repeats(active: list[SentenceSearch], log_probs: Tensor, rules: Rules) -> Tensor:
    """Log-probs (R, V), -inf for tokens that repeat a run; a forced prefix may repeat itself."""
    rows = [(sentence, beam) for sentence in active for beam in sentence.live]
    for row, (sentence, beam) in enumerate(rows):
        if sentence.length >= len(sentence.prefix):
            log_probs[row, repeating(beam.ids, sentence.config.no_repeat)] = -math.inf
    return log_probs.log_softmax(-1) if rules.renormalise else log_probs


def _to_host(values: Tensor, ids: Tensor) -> tuple[Doubles, Ints]:
    """Log-probs and token ids of one shape as arrays, in a single copy from a GPU.

    float32 represents every id exactly: a config allows at most a million.
    """
    exact = torch.promote_types(values.dtype, torch.float32)
    both = torch.stack((values.to(exact), ids.to(exact))).cpu().numpy()
    return both[0].astype(np.float64), both[1].astype(np.int64)


def _advance(active: list[SentenceSearch], log_probs: Tensor, rules: Rules) -> list[int]:
    """Advance every active sentence by one token; return the rows of log_probs (R, V) to keep."""
    log_probs = mask_banned(log_probs, rules)
    if active[0].config.no_repeat:
        log_probs = _without_repeats(active, log_probs, rules)
    width = min(active[0].width, log_probs.size(-1))
    # (R, width): the 2N best of all rows are among the 2N best of each row.
    top, top_ids = log_probs.topk(width)
    values, ids = _to_host(top, top_ids)
    if np.isnan(values).any():
        raise TraceError(
            "The model's numbers overflowed: it gave NaN for the next token. Its weights are "
            "damaged or too large; copy or download them again.",
            key="not_finite",
        )
    rows: list[int] = []
    start = 0
    for sentence in active:
        part = slice(start, start + len(sentence.live))
        rows += [start + row for row in sentence.advance(log_probs[part], values[part], ids[part])]
        start = part.stop
    return rows
