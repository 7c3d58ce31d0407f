"""The model of this server, loaded beside its start, so that the page need not wait for it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

from model.config import UNTOUCHED, DecodeConfig, Interventions, Kind
from model.errors import CheckpointError, HeadlightError
from model.trace import Explanation, Floats, Tokens, Trace

if TYPE_CHECKING:
    from model.inside import Inputs, SubLayer  # brings torch with it
    from model.timing import LayerTimes

log = logging.getLogger(__name__)

AT_ONCE = 2  # requests that the model works on at the same time


class SpeaksTokens(Protocol):
    """What the page needs of a tokenizer."""

    def piece(self, token_id: int) -> str: ...

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
    """What the page needs of an Explainer (`model/explain.py`)."""

    name: str
    revision: str | None
    device: str
    folder: Path | None

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

    def inside(self, trace: Trace, kind: Kind, layer: int) -> SubLayer: ...

    def inputs(self, trace: Trace, side: Literal["source", "target"]) -> Inputs: ...

    def encoded(
        self, ids: Sequence[int], *, interventions: Interventions = UNTOUCHED
    ) -> Floats: ...

    def layer_times(self, lengths: Sequence[int]) -> LayerTimes: ...

    def logits(
        self, text: str, ids: Sequence[int], *, interventions: Interventions = UNTOUCHED
    ) -> Floats: ...

    @property
    def shares(self) -> tuple[float, ...]: ...

    def at(self, share: float) -> Explains: ...


class Loading:
    """An Explainer that is being loaded in its own thread.

    Loading starts at `start` or at the first `get`, once, whoever asks.
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
        """The Explainer, waiting for it; None if it is not there within `timeout` seconds.

        Raises:
            HeadlightError: what went wrong when it was loaded.
        """
        self.start()
        if not self._done.wait(timeout):
            return None
        if self._error is not None:
            raise self._error
        return self._explainer

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
