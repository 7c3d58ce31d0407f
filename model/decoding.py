"""Decoding: from next-token log-probs to ranked hypotheses, with a record of all candidates.

    Stepper -> search -> Search

It does not depend on the network: a `Stepper` is enough. All methods are the same loop and differ
only in the candidates that they pick at each step:

    greedy         the best candidate                                  one hypothesis
    beam           the 2N best candidates of all hypotheses            N hypotheses
    sampling       one drawn candidate                                 one hypothesis
    beam_sampling  2N drawn candidates of all hypotheses               N hypotheses
    forced         the prefix token, while the prefix lasts; the first token and the end token at
                   the limit, if required

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
from model.beams import Beam, Best, SentenceSearch
from model.beams import Vocabulary as Vocabulary
from model.config import DecodeConfig
from model.errors import ConfigError, InputError, TraceError
from model.rules import LIKELY, Masked, forbidden, mask_bytes, penalised
from model.rules import Rules as Rules
from model.rules import mask_banned as mask_banned
from model.trace import Forbidden, Search


class Stepper(Protocol):
    """A model in the middle of writing R hypotheses. Immutable: each method returns a new one.

    Tokens and indices are int64 on the CPU. The log-probs (R, V) may be of any float type and on
    any device; -inf marks a token that is impossible. `normalisers` (R, 1) are the differences
    between the logits and the log-probs of the step before; a repetition penalty needs them.
    """

    @property
    def normalisers(self) -> Tensor | None: ...

    def step(self, tokens: Tensor, /) -> tuple[Tensor, Stepper]:
        """Read one token per row, (R,) -> log-probs of the next (R, V), and the new stepper."""

    def rows(self, index: Tensor, /) -> Stepper:
        """The chosen rows, in that order; a row may be chosen more than once, or not at all."""


def search(
    stepper: Stepper,
    n_sentences: int,
    config: DecodeConfig,
    rules: Rules | Sequence[Rules],
    vocabulary: Vocabulary,
    *,
    prefix: Sequence[int] = (),
    record: bool = True,
    max_lengths: Sequence[int] | None = None,
) -> list[Search]:
    """Return one `Search` for each sentence; sentences in a batch do not affect each other.

    `stepper` has one row for each sentence and has read nothing. A list of rules has those of each
    sentence, which may differ in what `Rules.of_source` sets. Each hypothesis begins with `prefix`,
    after the first token that the rules force; its tokens count like any others; it may end with
    the end token. `max_lengths` gives each sentence its own limit instead of `config.max_length`.
    Without `record` the steps and paths stay empty; ids and scores are the same.

    Raises:
        ConfigError: a limit below 1, or rules with ids outside the vocabulary.
        InputError: a prefix that is too long, banned, impossible, or outside the vocabulary; or
            the time is up (`deadline`).
        TraceError: the model gives NaN, or no token at all.
    """
    limits = [config.max_length] * n_sentences if max_lengths is None else list(max_lengths)
    if len(limits) != n_sentences or min(limits, default=1) < 1:
        raise ConfigError(f"max_lengths is {limits}; expected {n_sentences} numbers from 1.")
    given = [rules] * n_sentences if isinstance(rules, Rules) else rules
    each = [own.without(config.rules_off) for own in given]
    sentences = [
        SentenceSearch(config, own, begun(prefix, own, limit), limit, record)
        for own, limit in zip(each, limits, strict=True)
    ]
    active, tokens = sentences, [own.start_id for own in each]
    with torch.inference_mode():
        while active:
            deadline.check()
            log_probs, stepper = stepper.step(torch.tensor(tokens))
            _check_ids(active[0].prefix, active[0].rules, log_probs.size(-1))
            rows = _advance(active, log_probs, stepper)
            active = [sentence for sentence in active if sentence.live]
            tokens = [beam.ids[-1] for sentence in active for beam in sentence.live]
            if active and rows != list(range(len(log_probs))):
                stepper = stepper.rows(torch.tensor(rows))
    return [sentence.result(vocabulary) for sentence in sentences]


def begun(prefix: Sequence[int], rules: Rules, limit: int) -> tuple[int, ...]:
    """The prefix, after the first token that the rules force.

    Raises:
        InputError: it does not fit into `limit` tokens.
    """
    first = rules.forced_first_id
    if prefix and first is not None and prefix[0] != first:
        prefix = (first, *prefix)
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
    return tuple(prefix)


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


def _by_rules(
    active: list[SentenceSearch], log_probs: Tensor, stepper: Stepper
) -> tuple[Tensor, dict[int, list[Forbidden]], list[Masked]]:
    """The scores (R, V) under all rules, -inf for what they forbid; and what that is, by row.

    What is banned or breaks a character is still where the scores are.
    A forced prefix may break every rule but the ban.
    """
    rules, config = active[0].rules, active[0].config
    no_repeat = config.forbidden_run
    scores, found = log_probs, dict[int, list[Forbidden]]()
    if rules.repetition_penalty != 1:
        scores = _penalised(active, scores, stepper)
    masked = _by_ban(active, log_probs)
    scores = mask_banned(scores, rules)
    masked += _by_bytes(active, scores) if rules.byte_ids else []
    if not (no_repeat or _change_scores(active)):
        return scores, found, masked
    for row, (sentence, beam) in enumerate(_rows(active)):
        if sentence.length < len(sentence.prefix):
            continue
        for name, ids in forbidden(sentence.rules, beam.ids, no_repeat).items():
            values = log_probs[row, ids].tolist()
            least = LIKELY if name == "numbers" else -math.inf  # which names hundreds
            found[row] = found.get(row, []) + [
                Forbidden(row, i, value, name)
                for i, value in zip(ids, values, strict=True)
                if value >= least
            ]
            scores[row, ids] = -math.inf
    return scores.log_softmax(-1) if rules.renormalise else scores, found, masked


def _by_ban(active: list[SentenceSearch], log_probs: Tensor) -> list[Masked]:
    """What is never written, where the search is free to choose and is recorded."""
    rows = [
        row
        for row, (sentence, _) in enumerate(_rows(active))
        if sentence.record and sentence.length >= len(sentence.prefix)
    ]
    if not rows or not active[0].rules.banned:
        return []
    columns = torch.tensor(active[0].rules.banned, device=log_probs.device)
    return [Masked("banned", rows, log_probs[rows][:, columns], columns.expand(len(rows), -1))]


def _by_bytes(active: list[SentenceSearch], scores: Tensor) -> list[Masked]:
    """Set what would break a character to -inf in `scores` (R, V); return what was likely of it."""
    rows = (
        (row, beam.ids, sentence.limit - sentence.length)
        for row, (sentence, beam) in enumerate(_rows(active))
        if sentence.length >= len(sentence.prefix)
    )
    masked = mask_bytes(scores, active[0].rules, rows)
    return masked if active[0].record else []


def _rows(active: list[SentenceSearch]) -> list[tuple[SentenceSearch, Beam]]:
    """The unfinished hypotheses, one for each row."""
    return [(sentence, beam) for sentence in active for beam in sentence.live]


def _change_scores(active: list[SentenceSearch]) -> bool:
    """True if a rule but that of bytes forbids or changes candidates of some sentence."""
    return any(sentence.rules.changes_scores for sentence in active)


def _penalised(active: list[SentenceSearch], log_probs: Tensor, stepper: Stepper) -> Tensor:
    """As `transformers`: beams are penalised by their log-probs, a single hypothesis by logits."""
    read = [[sentence.rules.start_id, *beam.ids] for sentence, beam in _rows(active)]
    normaliser = stepper.normalisers if active[0].n_beams == 1 else None
    if normaliser is None:
        normaliser = torch.zeros_like(log_probs[:, :1])
    index = torch.tensor(read, device=log_probs.device)
    return penalised(log_probs, index, active[0].rules.repetition_penalty, normaliser)


def _to_host(*pairs: tuple[Tensor, Tensor]) -> list[tuple[Doubles, Ints]]:
    """Pairs of log-probs and their token ids as arrays, in a single copy from a GPU.

    float32 represents every id exactly: a config allows at most a million.
    """
    exact = torch.promote_types(pairs[0][0].dtype, torch.float32)
    flat = torch.cat([part.to(exact).flatten() for pair in pairs for part in pair]).cpu().numpy()
    found, start = [], 0
    for values, _ in pairs:
        both = flat[start : start + 2 * values.numel()].reshape(2, *values.shape)
        found.append((both[0].astype(np.float64), both[1].astype(np.int64)))
        start += 2 * values.numel()
    return found


def _likely(masked: list[Masked], arrays: list[tuple[Doubles, Ints]]) -> list[Forbidden]:
    """What was likely of the tokens masked, by row (`parent`) and token."""
    return sorted(
        Forbidden(one.rows[at], int(ids[at, n]), float(values[at, n]), one.rule)
        for one, (values, ids) in zip(masked, arrays, strict=True)
        for at, n in zip(*np.nonzero(values >= LIKELY), strict=True)
    )


def _advance(active: list[SentenceSearch], log_probs: Tensor, stepper: Stepper) -> list[int]:
    """Advance every active sentence by one token; return the rows of log_probs (R, V) to keep."""
    scores, found, masked = _by_rules(active, log_probs, stepper)
    own = log_probs if _change_scores(active) else scores
    width = min(active[0].width, scores.size(-1))
    # (R, width): the 2N best of all rows are among the 2N best of each row.
    top, top_ids = scores.topk(width)
    (values, ids), *arrays = _to_host((top, top_ids), *((one.scores, one.ids) for one in masked))
    for one in reversed(_likely(masked, arrays)):
        found[one.parent] = [one, *found.get(one.parent, ())]
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
        mine = scores[part]
        best = Best(mine, mine if own is scores else own[part], values[part], ids[part])
        forbids = [one for row in range(start, part.stop) for one in found.get(row, ())]
        own_rows = [one._replace(parent=one.parent - start) for one in forbids]
        rows += [start + row for row in sentence.advance(best, own_rows)]
        start = part.stop
    return rows
