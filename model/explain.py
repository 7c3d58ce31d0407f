"""The Explainer: text and settings in, an Explanation out.

text -> Tokens -> Search -> Trace -> Explanation
"""

from __future__ import annotations

import copy
import logging
import threading
import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import torch
from torch import Tensor

from model import checkpoint, shipped
from model.arrays import Floats
from model.cache import ResultCache
from model.checkpoint import Checkpoint, snapshots
from model.checkpoint.weights import copy_on_cpu
from model.config import UNTOUCHED, DecodeConfig, Interventions, Side, Thresholds
from model.device import one_thread, pick_device
from model.errors import InputError, quote
from model.limits import MAX_CHARACTERS
from model.linear import lay_out
from model.passes import Passes
from model.rules import Rules
from model.text import glossary
from model.trace import Explanation, Hypothesis, Tokens, Trace
from model.transformer import Transformer
from model.translate import Source, searches_of

log = logging.getLogger(__name__)
T = TypeVar("T")

MAX_REMEMBERED = 64 * 2**20  # bytes of results; a short sentence takes 1 MB, the longest some 20


class Explainer:
    """A loaded model that explains. Its only state is a bounded cache of results.

    `defaults` are the settings that the model's authors chose; `thresholds` say when a translation
    is doubtful, `glossary` what words stand for in the other language; None for a model without.
    """

    def __init__(self, loaded: Checkpoint, device: str, cache: ResultCache | None = None) -> None:
        self.model, self.tokenizer, self.rules = loaded.model, loaded.tokenizer, loaded.rules
        self.name, self.revision, self.source = loaded.name, loaded.revision, loaded.source
        self.device, self.defaults = device, loaded.suggested
        self.folder, self.format, self._loaded = loaded.folder, loaded.format, loaded
        self.names_beams, self.notes = loaded.names_beams, loaded.notes
        self.thresholds = Thresholds.load(loaded.folder)
        self.glossary = glossary.load(loaded.folder)
        self._earlier: dict[float, Explainer] = {}  # by training fraction
        self._loading: dict[float, threading.Lock] = {}
        self._cache = ResultCache(MAX_REMEMBERED) if cache is None else cache
        self._passes = Passes(loaded, device, self._cache)
        self._lock = threading.Lock()

    def decoding(self) -> DecodeConfig:
        """The settings of commands and endpoints: `Checkpoint.decoding`."""
        return self._loaded.decoding()

    @classmethod
    def load(
        cls, path: str | Path | None = None, device: str = "auto", revision: str | None = None
    ) -> Explainer:
        """Open a folder, a shipped model ("en-zh") or a Hub name; None is the first shipped model.

        A model too large for the GPU's memory is opened on the CPU, with a warning. PyTorch uses
        one thread from then on (`device.one_thread`).

        Raises:
            CheckpointError: the model cannot be found or read, or its files do not match.
            ConfigError: the device does not exist here.
        """
        one_thread()
        place = pick_device(device)
        loaded = checkpoint.load(shipped.place(path or None), device=place, revision=revision)
        is_there = loaded.model.embedding.token.weight.device.type == torch.device(place).type
        return cls(loaded, place if is_there else "cpu")

    @classmethod
    def from_pretrained(
        cls, name_or_path: str | Path, *, revision: str | None = None, device: str = "auto"
    ) -> Explainer:
        """Open a Hub name, "name@revision" or a folder; `load` under the name of `transformers`.

        Raises:
            CheckpointError: the model cannot be found or read, or its files do not match.
            ConfigError: the device does not exist here.
        """
        return cls.load(name_or_path, device, revision)

    def explain(
        self,
        text: str,
        config: DecodeConfig | None = None,
        *,
        interventions: Interventions = UNTOUCHED,
        shown: int = 0,
        prefix: Sequence[int] = (),
        node: tuple[int, int] | None = None,
    ) -> Explanation:
        """Translate `text` with `config` or the defaults, and trace hypothesis `shown` (0: best).

        `prefix` has target ids that every hypothesis must begin with. `node` is a step and a
        candidate of the search: the prefix that ends there is then traced instead. A `max_length`
        beyond the model's positions is reduced to them; the result has the settings used. A cached
        result is returned with its original time.

        Raises:
            InputError: text that is empty, too long, or not text; a hypothesis that does not exist;
                interventions that do not fit the model or the text.
        """
        config = self._limited(config or self.defaults, interventions)
        src = self.read(text)
        node = None if node is None else (node[0], node[1])  # a list cannot be a key
        key = ("explanation", self, src.text, config, interventions, shown, tuple(prefix), node)
        return self._cache.get(
            key, lambda: self._explain(src, config, interventions, shown, tuple(prefix), node)
        )

    def _explain(
        self,
        src: Tokens,
        config: DecodeConfig,
        interventions: Interventions,
        shown: int,
        prefix: tuple[int, ...],
        node: tuple[int, int] | None,
    ) -> Explanation:
        started = time.perf_counter()
        result = self._passes.search(src, config, interventions, prefix)
        if not 0 <= shown < len(result.hypotheses):
            raise InputError(
                f"Hypothesis {shown + 1} was asked for; this search has {len(result.hypotheses)}."
            )
        path = result.hypotheses[shown].path if node is None else result.path(*node)
        ids = [int(step.token_ids[c]) for step, c in zip(result.steps, path, strict=False)]
        trace = self._passes.trace(src, ids, interventions)
        seconds = time.perf_counter() - started
        log.info("%s, %d to %d tokens, %.3f s", config.method, len(trace.src), len(ids), seconds)
        return Explanation(
            text=src.text,
            config=config,
            interventions=interventions,
            search=result,
            trace=trace,
            shown=shown,
            seconds=seconds,
            device=self.device,
            path=path,
            node=node,
            prefix=prefix,
            explainer=self,
        )

    def best(self, texts: Sequence[str]) -> list[Hypothesis]:
        """The best translation of each text, as the command writes it, searched together.

        Four texts cost some two thirds of four explanations without their records, sixteen less
        than a third. Nothing is kept.

        Raises:
            InputError: as `explain`; so a text that may be refused is `read` before.
        """
        language = self.tokenizer.target_language
        sources = [Source(self.read(text).ids.tolist(), language(text)) for text in texts]
        searches = searches_of(self._loaded, sources, self.decoding())
        return [found.hypotheses[0] for found in searches]

    def trace(
        self, text: str, ids: Sequence[int], *, interventions: Interventions = UNTOUCHED
    ) -> Trace:
        """One teacher-forced pass over `text` and target ids, under any interventions.

        An explanation's ids are its `trace.tgt_out.ids`, including the end token if there is one.

        Raises:
            InputError: as `explain`; ids that do not exist, or more than the model has positions.
        """
        self._check_ids(ids, 1, self._passes.max_target_tokens(interventions))
        return self._passes.trace(self.read(text), ids, interventions)

    def next_log_probs(
        self,
        text: str,
        ids: Sequence[int],
        *,
        interventions: Interventions = UNTOUCHED,
        config: DecodeConfig | None = None,
    ) -> Floats:
        """The log-probs (V,) of the token after the target ids, over the whole vocabulary.

        These are the numbers of a search with `config` or the defaults: -inf for a token that the
        checkpoint's rules forbid, but for those that are off.

        Raises:
            InputError: as `explain`; ids that do not exist, or more than the model has positions.
        """
        self._check_ids(ids, 0, self._passes.max_target_tokens(interventions) - 1)
        return self._passes.next_log_probs(
            self.read(text), ids, interventions, config or self.defaults
        )

    @torch.inference_mode()
    def encoded(self, ids: Sequence[int], *, interventions: Interventions = UNTOUCHED) -> Floats:
        """The encoder's output for source ids in any order, (S, d_model).

        Raises:
            InputError: ids that do not exist, too many or too few, or only padding.
        """
        self._check_ids(ids, 1, self.max_source_tokens - interventions.padding, "source")
        if all(i == self.model.config.pad_id for i in ids):
            raise InputError("The source ids are nothing but padding; give at least one token.")
        batch = torch.tensor([list(ids)], device=self.device)
        memory, _, _ = self.model.encode(batch, self.model.edits(interventions))
        rows: Floats = memory[0].float().cpu().numpy()
        return rows

    def logits(
        self, text: str, ids: Sequence[int], *, interventions: Interventions = UNTOUCHED
    ) -> Floats:
        """The teacher-forced logits (T, V) at each of the target ids.

        Raises:
            InputError: as `trace`.
        """
        chunks = self.logits_in_chunks(text, ids, interventions=interventions)
        rows: Floats = torch.cat(list(chunks)).cpu().numpy()
        return rows

    def logits_in_chunks(
        self, text: str, ids: Sequence[int], *, interventions: Interventions = UNTOUCHED
    ) -> Iterator[Tensor]:
        """The same logits, a few positions (n, V) at a time to save memory.

        Raises:
            InputError: as `trace`.
        """
        self._check_ids(ids, 1, self._passes.max_target_tokens(interventions))
        return self._passes.logits(self.read(text), ids, interventions)

    @property
    def training_fractions(self) -> tuple[float, ...]:
        """The fractions of the training, from 0 to 1, that have a snapshot; 1 is the end."""
        kept = snapshots.training_fractions(self.folder) if self.folder else ()
        return (*(fraction for fraction in kept if fraction < 1), 1.0)

    def at(self, training_fraction: float) -> Explainer:
        """This model at one of `training_fractions`, with a byte for each weight.

        Raises:
            InputError: there is no snapshot there.
            CheckpointError: they cannot be read.
        """
        if training_fraction not in self.training_fractions:
            raise InputError(f"No weights were kept at {training_fraction} of the training.")
        if training_fraction == 1 or self.folder is None:
            return self
        with self._lock:
            loading = self._loading.setdefault(training_fraction, threading.Lock())
        with loading:  # requests for a different fraction, or a search, do not wait here
            if training_fraction not in self._earlier:
                path = snapshots.path(self.folder, training_fraction)
                model = snapshots.load(path, self.model.config).to(self.device)
                self._earlier[training_fraction] = self.with_model(model)
            return self._earlier[training_fraction]

    def with_model(self, model: Transformer) -> Explainer:
        """The same with different weights of this shape; tokenizer, rules and cache are shared."""
        lay_out(model)
        return Explainer(replace(self._loaded, model=model, folder=None), self.device, self._cache)

    def on_cpu(self) -> Explainer:
        """The same on the CPU, with a separate cache; this one does not change."""
        model = copy_on_cpu(self.model)
        lay_out(model)
        return Explainer(replace(self._loaded, model=model), "cpu")

    def apart(self) -> Explainer:
        """The same model with an empty cache, which ends with it."""
        other = copy.copy(self)
        other._cache = ResultCache(MAX_REMEMBERED)
        other._passes = Passes(self._loaded, self.device, other._cache)
        return other

    def search_seconds(
        self,
        text: str,
        config: DecodeConfig,
        *,
        interventions: Interventions = UNTOUCHED,
        prefix: Sequence[int] = (),
    ) -> float:
        """The time to encode and search now, without the cache.

        Raises:
            InputError: as `explain`.
        """
        config, src = self._limited(config, interventions), self.read(text)
        started = time.perf_counter()
        self._passes.search_again(src, config, interventions, prefix)
        return time.perf_counter() - started

    def remembered(self, key: Hashable, make: Callable[[], T]) -> T:
        """The result of `make` for this model, kept in the model's cache."""
        return self._cache.get((key, self), make)

    def forget(self) -> None:
        """Empty the cache of results."""
        self._cache.clear()

    def read(self, text: Any) -> Tokens:
        """Tokenize a source text within the limits.

        Raises:
            InputError: not a text, an empty one, or one that is too long.
        """
        if not isinstance(text, str):
            raise InputError(f"Expected a text, got {type(text).__name__}. Type a sentence.")
        if len(text) > MAX_CHARACTERS:
            raise InputError(
                f"The text has {len(text):,} characters; the limit is "
                f"{MAX_CHARACTERS:,}. Shorten it to a sentence or two.",
                key="characters", count=f"{len(text):,}", limit=f"{MAX_CHARACTERS:,}",
            )  # fmt: skip
        src = self.tokenizer.encode_source(text)
        if len(src) > self.max_source_tokens:
            raise InputError(
                f"The text has {len(src)} tokens; the limit is "
                f"{self.max_source_tokens}. Shorten it to a sentence or two.",
                key="tokens", count=len(src), limit=self.max_source_tokens,
            )  # fmt: skip
        return src

    def rules_of(self, src: Tokens) -> Rules:
        """The checkpoint's rules for the source that `read` returned.

        Raises:
            InputError: the model needs a language, and the text names none.
        """
        return self._passes.rules_of(src)

    @property
    def max_source_tokens(self) -> int:
        return self._passes.max_source_tokens

    def _limited(self, config: DecodeConfig, interventions: Interventions) -> DecodeConfig:
        """The settings with `max_length` limited to the model's positions."""
        if not isinstance(config, DecodeConfig):
            raise InputError(f"config is {quote(config)}; expected a DecodeConfig.")
        return replace(
            config, max_length=min(config.max_length, self._passes.max_target_tokens(interventions))
        )

    def _check_ids(self, ids: Sequence[int], least: int, most: int, side: Side = "target") -> None:
        size = self.model.config.vocabulary(side)
        if not least <= len(ids) <= most or any(not 0 <= i < size for i in ids):
            raise InputError(
                f"From {least} to {most} {side} ids from 0 to {size - 1} were expected; "
                f"these are {len(ids)}: {', '.join(map(str, list(ids)[:8]))}."
            )

    def __repr__(self) -> str:
        return f"Explainer({self.name}, {self.device})"
