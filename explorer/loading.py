"""Loads the server's model in the background, so that the page need not wait."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from model.errors import CheckpointError, HeadlightError
from model.files import Read, hearing

if TYPE_CHECKING:
    from model.explain import Explainer

log = logging.getLogger(__name__)

AT_ONCE = 2  # requests that run at the same time


class Loading:
    """An Explainer that is being loaded in its own thread.

    Loading starts once: at `start` or at the first `get`. `read` says how much of the weights has
    been read, once that has begun.
    """

    def __init__(self, load: Callable[[], Explainer]) -> None:
        self._load = load
        self._done = threading.Event()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._explainer: Explainer | None = None
        self._error: HeadlightError | None = None
        self.read: Read | None = None

    def start(self) -> Loading:
        """Start loading, unless already started."""
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="load-model", daemon=True)
                self._thread.start()
        return self

    def get(self, timeout: float | None = None) -> Explainer | None:
        """The Explainer, once loaded; None if that takes more than `timeout` seconds.

        Raises:
            HeadlightError: the error that occurred while loading.
        """
        self.start()
        if not self._done.wait(timeout):
            return None
        if self._error is not None:
            raise self._error
        return self._explainer

    def now(self) -> Explainer | None:
        """The Explainer if it is there; starts nothing."""
        return self._explainer

    def fall_back(self) -> None:
        """Replace a model whose GPU is full by a copy on the CPU."""
        with self._lock:  # if two requests met the full memory, the second finds the copy
            if self._explainer is not None and self._explainer.device != "cpu":
                log.warning("The memory of the GPU is full; from now on the CPU runs the model.")
                self._explainer = self._explainer.on_cpu()

    def _hear(self, read: Read) -> None:
        self.read = read

    def _run(self) -> None:
        try:
            with hearing(self._hear):
                self._explainer = self._load()
        except HeadlightError as error:
            self._error = error
        except BaseException:  # a panic of a library is no Exception, and nobody is to wait for it
            log.exception("The model could not be loaded.")
            self._error = CheckpointError(
                "The model could not be loaded; the server's log says why."
            )
        finally:
            self._done.set()
