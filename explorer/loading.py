"""The model of this server, loaded while the server starts, so that the page need not wait."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from model.config import UNTOUCHED, DecodeConfig, Interventions, Kind, Side
from model.doubt import Thresholds
from model.errors import CheckpointError, HeadlightError
from model.trace import Explanation, Floats, Tokens, Trace

if TYPE_CHECKING:
    from model.dissect import AttentionSubLayer, Inputs  # brings torch with it
    from model.labs.timing import LayerTimes

log = logging.getLogger(__name__)

AT_ONCE = 2  # requests that the model works on at the same time


class SpeaksTokens(Protocol):
    """What the page needs from a tokenizer."""

    @property
    def examples(self) -> tuple[str, ...]: ...

    @property
    def codes(self) -> tuple[str, ...]: ...

    def piece(self, token_id: int, side: Side = "target") -> str: ...

    def size(self, side: Side = "target") -> int: ...

    def encode_source(self, text: str) -> Tokens: ...

    def encode_target(self, text: str) -> Tokens: ...

    def decode(self, ids: Sequence[int]) -> str: ...

    def __len__(self) -> int: ...


class HasRules(Protocol):
    """What the page needs to know of a checkpoint's rules for decoding."""

    @property
    def banned(self) -> tuple[int, ...]: ...

    @property
    def renormalise(self) -> bool: ...


class Explains(Protocol):
    """What the page needs from an Explainer (`model/explain.py`)."""

    name: str
    revision: str | None
    device: str
    defaults: DecodeConfig
    folder: Path | None
    thresholds: Thresholds | None

    @property
    def tokenizer(self) -> SpeaksTokens: ...

    @property
    def rules(self) -> HasRules: ...

    @property
    def max_source_tokens(self) -> int: ...

    def explain(
        self,
        text: str,
        config: DecodeConfig,
        *,
        interventions: Interventions = UNTOUCHED,
        shown: int = 0,
        prefix: Sequence[int] = (),
        node: tuple[int, int] | None = None,
    ) -> Explanation: ...

    def trace(
        self, text: str, ids: Sequence[int], *, interventions: Interventions = UNTOUCHED
    ) -> Trace: ...

    def search_seconds(
        self,
        text: str,
        config: DecodeConfig,
        *,
        interventions: Interventions = UNTOUCHED,
        prefix: Sequence[int] = (),
    ) -> float: ...

    def next_log_probs(
        self, text: str, ids: Sequence[int], *, interventions: Interventions = UNTOUCHED
    ) -> Floats: ...

    def inside(self, trace: Trace, kind: Kind, layer: int) -> AttentionSubLayer: ...

    def inputs(self, trace: Trace, side: Side) -> Inputs: ...

    def encoded(
        self, ids: Sequence[int], *, interventions: Interventions = UNTOUCHED
    ) -> Floats: ...

    def layer_times(self, lengths: Sequence[int]) -> LayerTimes: ...

    def on_cpu(self) -> Explains: ...

    def logits(
        self, text: str, ids: Sequence[int], *, interventions: Interventions = UNTOUCHED
    ) -> Floats: ...

    @property
    def training_fractions(self) -> tuple[float, ...]: ...

    def at(self, training_fraction: float) -> Explains: ...


class Loading:
    """An Explainer that is being loaded in its own thread.

    Loading starts once: at `start` or at the first `get`.
    """

    def __init__(self, load: Callable[[], Explains]) -> None:
        self._load = load
        self._done = threading.Event()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._explainer: Explains | None = None
        self._error: HeadlightError | None = None

    def start(self) -> Loading:
        """Begin to load, if nobody has yet."""
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="load-model", daemon=True)
                self._thread.start()
        return self

    def get(self, timeout: float | None = None) -> Explains | None:
        """The Explainer, once loaded; None if that takes more than `timeout` seconds.

        Raises:
            HeadlightError: what went wrong while loading.
        """
        self.start()
        if not self._done.wait(timeout):
            return None
        if self._error is not None:
            raise self._error
        return self._explainer

    def fall_back(self) -> None:
        """From now on a copy on the CPU answers in the place of a model on a GPU that is full."""
        with self._lock:  # of two who met the full memory, the second finds the copy
            if self._explainer is not None and self._explainer.device != "cpu":
                log.warning("The memory of the GPU is full; from now on the CPU runs the model.")
                self._explainer = self._explainer.on_cpu()

    def _run(self) -> None:
        try:
            self._explainer = self._load()
        except HeadlightError as error:
            self._error = error
        except Exception:
            log.exception("The model could not be loaded.")
            self._error = CheckpointError(
                "The model could not be loaded; the server's log says why."
            )
        finally:
            self._done.set()
