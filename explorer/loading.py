"""The model of this server, loaded beside its start, so that the page need not wait for it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from typing import Protocol

from model.config import UNTOUCHED, DecodeConfig, Interventions
from model.errors import CheckpointError, HeadlightError
from model.trace import Explanation, Floats, Tokens

log = logging.getLogger(__name__)


class SpeaksTokens(Protocol):
    """What the page needs of a tokenizer."""

    def piece(self, token_id: int) -> str: ...

    def encode_source(self, text: str) -> Tokens: ...

    def encode_target(self, text: str) -> Tokens: ...

    def decode(self, ids: Sequence[int]) -> str: ...

    def __len__(self) -> int: ...


class Explains(Protocol):
    """What the page needs of an Explainer (`model/explain.py`)."""

    name: str
    revision: str | None
    device: str

    @property
    def tokenizer(self) -> SpeaksTokens: ...

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

    def next_log_probs(
        self, text: str, ids: Sequence[int], *, interventions: Interventions = UNTOUCHED
    ) -> Floats: ...


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
