"""The records of a translation. numpy only; independent of torch and of the page.

Shape legend. S source tokens (including the end token), T target positions, V vocabulary.

    Tokens          ids (n,)  spans (n, 2)                        n pieces
    AttentionMaps   weights (L, H, Q, K)                          rows are queries, columns are keys
                    queries (L, H, Q, d_k)  keys, values (L, H, K, d_k)
                    mask (Q, K), True = may attend
        encoder_self   Q = S, K = S
        decoder_self   Q = T, K = T
        cross          Q = T, K = S
    Trace           encoder_states (L+1, S, d_model)  decoder_states (L+1, T, d_model)
                    top_ids, top_log_probs (T, k)  log_prob, entropy (T,)
    SearchStep      parents, token_ids, log_probs, totals (C,)    C candidates of one step

Decoder row t reads `tgt_in[t]` and writes `tgt_out[t]`: both are kept, because a picture that
labels a row with the wrong one is off by one. Index 0 of the states is embedding plus position.
log_prob is natural log; entropy is in nats. Both are the model's own; a search with rules that
forbid tokens and renormalise (model/rules.py) differs from them accordingly.

Records compare by identity, and their arrays are read-only, because the page passes them by
reference. Their `repr` gives their size, not their contents, because a notebook shows it after
every cell.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from model.arrays import Bools as Bools
from model.arrays import Floats as Floats
from model.arrays import Ints as Ints
from model.arrays import freeze
from model.config import KINDS, DecodeConfig, Interventions, Kind
from model.errors import InputError, TraceError, quote

if TYPE_CHECKING:
    from model.explain import Explainer  # brings torch with it
    from model.rules import RuleName

Fate = Literal["kept", "pruned", "finished", "beaten"]
"""kept: extended at the next step. pruned: never extended. finished: a hypothesis that is in the
final list. beaten: finished, but later pushed out of that list by better ones."""


@dataclass(frozen=True, eq=False)
class Tokens:
    """A text and its pieces.

    `spans[i]` is the half-open range of characters of `text` that piece i covers; special tokens
    cover an empty range, and the byte pieces of one character all cover that character.
    """

    text: str
    ids: Ints
    pieces: tuple[str, ...]
    spans: Ints

    def __post_init__(self) -> None:
        n = len(self.pieces)
        freeze(self, "ids", np.int64, (n,))
        freeze(self, "spans", np.int64, (n, 2))
        inside = (self.spans >= 0) & (self.spans <= len(self.text))
        if not inside.all() or (self.spans[:, 0] > self.spans[:, 1]).any():
            raise TraceError(f"Tokens.spans leave the text of {len(self.text)} characters.")

    def __len__(self) -> int:
        return len(self.pieces)

    def __repr__(self) -> str:
        return f"Tokens({quote(self.text)}, {len(self)} pieces)"


@dataclass(frozen=True, eq=False)
class AttentionMaps:
    """One kind of attention in all layers and heads; `scores` are computed on demand.

    `bias` was added to the scores, (L, H, Q, K); None in a model whose positions are vectors.
    """

    weights: Floats
    queries: Floats
    keys: Floats
    values: Floats
    mask: Bools
    scaling: bool = True
    bias: Floats | None = None

    def __post_init__(self) -> None:
        if np.ndim(self.weights) != 4 or np.ndim(self.queries) != 4:
            raise TraceError(
                "AttentionMaps.weights and .queries need 4 axes: layer, head, row, column."
            )
        layers, heads, n_queries, n_keys = self.weights.shape
        d_k = self.queries.shape[-1]
        freeze(self, "weights", np.float32, (layers, heads, n_queries, n_keys))
        freeze(self, "queries", np.float32, (layers, heads, n_queries, d_k))
        freeze(self, "keys", np.float32, (layers, heads, n_keys, d_k))
        freeze(self, "values", np.float32, (layers, heads, n_keys, d_k))
        freeze(self, "mask", np.bool_, (n_queries, n_keys))
        if self.bias is not None:
            freeze(self, "bias", np.float32, (layers, heads, n_queries, n_keys))

    def scores(self, layer: int, head: int) -> Floats:
        """Scaled dot products before mask and softmax, (Q, K). Vaswani et al. 2017, eq. 1.

        Not scaled if the pass was run without scaling: see `scaling`. With the bias, if any.
        """
        queries, keys = self.queries[layer, head], self.keys[layer, head]
        divisor = np.sqrt(queries.shape[-1]) if self.scaling else 1.0
        scores: Floats = (queries @ keys.T) / np.float32(divisor)
        return scores if self.bias is None else scores + self.bias[layer, head]

    def __repr__(self) -> str:
        layers, heads, queries, keys = self.weights.shape
        return f"AttentionMaps({layers} layers, {heads} heads, {queries} queries, {keys} keys)"


@dataclass(frozen=True, eq=False)
class Trace:
    """Everything inside one teacher-forced pass over one source and one target."""

    src: Tokens
    tgt_in: Tokens
    tgt_out: Tokens
    encoder_self: AttentionMaps
    decoder_self: AttentionMaps
    cross: AttentionMaps
    encoder_states: Floats
    decoder_states: Floats
    top_ids: Ints
    top_log_probs: Floats
    log_prob: Floats
    entropy: Floats
    interventions: Interventions

    def __post_init__(self) -> None:
        n_src, n_tgt = len(self.src), len(self.tgt_in)
        if len(self.tgt_out) != n_tgt:
            raise TraceError(
                f"tgt_out has {len(self.tgt_out)} tokens; expected {n_tgt}, as tgt_in."
            )
        for kind, shape in (
            ("encoder_self", (n_src, n_src)),
            ("decoder_self", (n_tgt, n_tgt)),
            ("cross", (n_tgt, n_src)),
        ):
            given = self.attention(kind).mask.shape  # type: ignore[arg-type]
            if given != shape:
                raise TraceError(f"Trace.{kind} is {given} (query, key); expected {shape}.")
        d_model = self.encoder_states.shape[-1]
        n_enc, n_dec = len(self.encoder_self.weights), len(self.decoder_self.weights)
        freeze(self, "encoder_states", np.float32, (n_enc + 1, n_src, d_model))
        freeze(self, "decoder_states", np.float32, (n_dec + 1, n_tgt, d_model))
        k = self.top_ids.shape[-1]
        freeze(self, "top_ids", np.int64, (n_tgt, k))
        freeze(self, "top_log_probs", np.float32, (n_tgt, k))
        freeze(self, "log_prob", np.float32, (n_tgt,))
        freeze(self, "entropy", np.float32, (n_tgt,))

    def attention(self, kind: Kind) -> AttentionMaps:
        """The attention of a kind. Raises InputError if there is no such kind."""
        if kind not in KINDS:
            raise InputError(f"kind is {quote(kind)}; expected one of {', '.join(KINDS)}.")
        maps: AttentionMaps = getattr(self, kind)
        return maps

    def __repr__(self) -> str:
        changed = "" if self.interventions == Interventions() else f", {self.interventions}"
        return (
            f"Trace({len(self.src)} source and {len(self.tgt_out)} target tokens, "
            f"log_prob {self.log_prob.sum():.3f}{changed})"
        )


class Forbidden(NamedTuple):
    """A candidate that a rule forbids: the step's parent that it would extend, and its log-prob."""

    parent: int
    token_id: int
    log_prob: float  # the model's own
    rule: RuleName


@dataclass(frozen=True, eq=False)
class SearchStep:
    """The candidates that one step considered, best first.

    `parents[c]` is the index of the candidate of the previous step that c extends (-1 at step 1).
    `log_probs[c]` is the model's log-prob of the token, before temperature, top-k, top-p or a
    forced choice; `totals[c]` is the running sum by which the search ranks. A forced end token
    (`forced`, at the length limit, if the checkpoint requires one) is not the model's choice and
    adds nothing to the total, as in `transformers`, and so is a forced first token; a forced prefix
    token adds its own. `forbidden` has the tokens that rules kept out; of those that are
    never written, or would break a character, only what had a probability of at least 1 %.
    """

    parents: Ints
    token_ids: Ints
    pieces: tuple[str, ...]
    log_probs: Floats
    totals: Floats
    fates: tuple[Fate, ...]
    forced: Bools
    forbidden: tuple[Forbidden, ...] = ()

    def __post_init__(self) -> None:
        n = len(self.pieces)
        if len(self.fates) != n:
            raise TraceError(f"SearchStep.fates has {len(self.fates)} entries; expected {n}.")
        freeze(self, "parents", np.int64, (n,))
        freeze(self, "token_ids", np.int64, (n,))
        freeze(self, "log_probs", np.float32, (n,))
        freeze(self, "totals", np.float32, (n,))
        freeze(self, "forced", np.bool_, (n,))

    def __len__(self) -> int:
        return len(self.pieces)

    def __repr__(self) -> str:
        return f"SearchStep({len(self)} candidates, {self.fates.count('kept')} kept)"


@dataclass(frozen=True, eq=False)
class Hypothesis:
    """One of the translations in the result of a search.

    `ids` has the written tokens without start and end; `path[t]` is the index of its candidate
    at step t (the end token's step included, if it ended: `finished`). `log_prob` is the sum of
    its candidates' log-probs that count (see `SearchStep`), `score` is this sum divided by the
    penalty.
    """

    text: str
    ids: tuple[int, ...]
    log_prob: float
    score: float
    finished: bool
    path: tuple[int, ...]

    def __repr__(self) -> str:
        return f"Hypothesis({quote(self.text)}, {len(self.ids)} tokens, score {self.score:.4f})"


@dataclass(frozen=True, eq=False)
class Search:
    """All candidates that a search considered, and its hypotheses, best first."""

    config: DecodeConfig
    steps: tuple[SearchStep, ...]
    hypotheses: tuple[Hypothesis, ...]

    def __post_init__(self) -> None:
        if not self.hypotheses:
            raise TraceError("Search.hypotheses is empty; a search ends with at least one.")
        width = 0
        for t, step in enumerate(self.steps):
            first = t == 0
            low, high = (-1, -1) if first else (0, width - 1)
            if len(step) and (step.parents.min() < low or step.parents.max() > high):
                raise TraceError(f"Search.steps[{t}].parents leave the range {low} to {high}.")
            width = len(step)
        for hypothesis in self.hypotheses:
            if len(hypothesis.path) > len(self.steps):
                raise TraceError("A hypothesis has a longer path than the search has steps.")

    def path(self, step: int, candidate: int) -> tuple[int, ...]:
        """The candidates on the path to this one, one for each step, ending with itself.

        Raises:
            InputError: the search has no such candidate.
        """
        if not 0 <= step < len(self.steps) or not 0 <= candidate < len(self.steps[step]):
            raise InputError(
                f"Candidate {candidate + 1} of step {step + 1} was asked for; the search does not "
                "have it. Choose one of its tree."
            )
        path = [candidate]
        for t in range(step, 0, -1):
            path.append(int(self.steps[t].parents[path[-1]]))
        return tuple(reversed(path))

    def __repr__(self) -> str:
        best = quote(self.hypotheses[0].text)
        counts = f"{len(self.steps)} steps, {len(self.hypotheses)} hypotheses"
        return f"Search({self.config.method}, {counts}, best {best})"


@dataclass(frozen=True, eq=False)
class Explanation:
    """The page's data on one translation: text, settings, search and trace.

    The trace is of hypothesis number `shown`, or, if `node` names a step and a candidate, of the
    prefix that ends with that candidate; `path[t]` is the traced candidate at step t. `prefix` has
    the ids that the search was forced to begin with. `seconds` is the time of the search and the
    traced pass; `device` is where they ran, `explainer` the Explainer that ran them.
    """

    text: str
    config: DecodeConfig
    interventions: Interventions
    search: Search
    trace: Trace
    shown: int
    seconds: float
    device: str
    path: tuple[int, ...]
    node: tuple[int, int] | None = None
    prefix: tuple[int, ...] = ()
    explainer: Explainer | None = None

    def save(self, path: str | Path) -> Path:
        """Write all of it but the Explainer to one file, in the form of `checkpoint.archive`.

        Raises:
            InputError: it cannot be written.
        """
        from model.checkpoint import archive  # which needs the records

        return archive.save(self, path)

    def content(self) -> bytes:
        """The bytes of the file that `save` writes."""
        from model.checkpoint import archive

        return archive.content(self)

    def __repr__(self) -> str:
        return f"Explanation({quote(self.text)} -> {quote(self.trace.tgt_out.text)}, {self.trace})"
