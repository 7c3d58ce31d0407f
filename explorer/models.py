"""The models of this server: those listed at its start, and those trained on the page.

A visitor names one by its key, never by a path; a request without one means the default model. That
one stays in memory, and so do the most recently used others; a dropped one is loaded again when
requested.
"""

from __future__ import annotations

import functools
import logging
import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from explorer import card, openers, pace, trained
from explorer.exchange.request import PageError
from explorer.loading import Loading
from explorer.openers import Openers
from explorer.opening import OpeningHead, opening_head
from explorer.trained import NotReady
from model import hub, shipped
from model.config import Thresholds
from model.errors import HeadlightError
from model.labs.playground.files import name
from model.labs.playground.settings import Settings

if TYPE_CHECKING:
    from model.explain import Explainer

log = logging.getLogger(__name__)

# In memory besides the default one: so many models of any size, and more while the weights of all
# are few. A shipped model has 36 MB (90 with what is beside it), one trained on the page up to 1.6:
# the four shipped ones and 180 of a class.
MAX_LOADED, MAX_BYTES = 4, 400_000_000
PATIENCE = 120.0  # seconds that a request waits for the default model to load
SOON = 0.5  # seconds that it waits for a different one; then the page asks again
_PAIR = "([a-z]{2,3}-[a-z]{2,3})"


@dataclass(frozen=True)
class Listed:
    """A model that visitors may choose: its key in requests and addresses, and its display name."""

    key: str
    name: str
    load: Callable[[], Explainer]
    openers: Openers | None = None
    head: OpeningHead | None = None
    pair: str = ""  # the languages it reads and writes, "en-zh"; empty if not known


class Models:
    """Finds the model that a request names, loading it if necessary.

    The first in the list is the default; the others are loaded one at a time. Thread-safe.
    `readers` are the shipped models, listed or not: they translate the texts on the page for its
    reader (explorer/exchange/lines.py).
    """

    def __init__(
        self,
        listed: Sequence[Listed],
        seconds: float | None = None,
        readers: Sequence[Listed] = (),
    ) -> None:
        self.listed = tuple(listed)
        self._readers = {one.key: one for one in readers}
        self.first = listed[0].key
        self.default = Loading(listed[0].load)
        self._by_key = {one.key: one for one in listed[1:]}
        self._by_name = {one.name: one.key for one in reversed(listed)}
        self._kept: OrderedDict[str, Loading] = OrderedDict()
        self._lock, self._turn = threading.Lock(), threading.Lock()
        self.is_stopping = False
        self.seconds = seconds

    def start(self) -> None:
        """Load the default model, and then those that a page in another language opens with."""
        self.default.start()
        opening = {pair.name for pair in shipped.PAIRS if pair.opens}
        for one in self.listed[1:]:
            if one.name in opening:
                self._loading(one.key).start()

    def limit(self, explainer: Explainer) -> float:
        """The seconds that one request to a model may work: those asked for, or its pace's."""
        return self.seconds or pace.limit(explainer)

    def stop(self) -> None:
        """Refuse new requests from now on; the server is stopping."""
        self.is_stopping = True

    def admit(self) -> None:
        """Admit a request; called at its start.

        Raises:
            PageError: the server is stopping.
        """
        if self.is_stopping:
            raise PageError("error.stopping")

    def key(self, given: object) -> str:
        """The canonical key of the model that a request names by its key or its name in the list;
        "" is the default one.

        Raises:
            HeadlightError: there is no such model.
        """
        if not isinstance(given, str):
            raise PageError("error.request")
        if given in ("", self.first):
            return self.first
        if given in self._by_key:
            return given
        if given in self._by_name:
            return self._by_name[given]
        if given.startswith(trained.PREFIX):
            return trained.key_of(trained.settings_of(given))
        raise PageError("error.model_unknown", name=given[:60])

    def reader(self, given: object) -> str:
        """The canonical key of the shipped model of a name, for the reader's lines.

        Raises:
            PageError: there is none of that name.
        """
        if not isinstance(given, str) or given not in self._readers:
            raise PageError("error.request")
        return given

    @property
    def readers(self) -> dict[str, str]:
        """The keys of the shipped models, by their languages."""
        return {one.pair: one.key for one in self._readers.values()}

    def get(self, key: str | None = None) -> Explainer:
        """Return the model of a canonical key; without one, the default model.

        Raises:
            NotReady: it is being loaded or trained.
            HeadlightError: it cannot be loaded, or the default one does not load in time.
        """
        if key is None or key == self.first:
            return self._default()
        loading = self._loading(key)
        try:
            explainer = loading.get(timeout=SOON)
        except HeadlightError as error:  # it may contain a path of this machine
            with self._lock:
                if self._kept.get(key) is loading:
                    del self._kept[key]  # the next request tries again
            log.warning("The model %s could not be loaded: %s", key, error)
            raise PageError("error.model_failed", name=self._name(key)) from None
        if explainer is None:
            raise self._not_ready(self._name(key), loading)
        return explainer

    def _default(self) -> Explainer:
        """The default model; it is waited for, unless its weights take long to read."""
        explainer = self.default.get(timeout=SOON)
        if explainer is None and self.default.read is None:
            explainer = self.default.get(timeout=PATIENCE)
            if explainer is None:
                raise PageError("error.loading")
        if explainer is None:
            raise self._not_ready(self.listed[0].name, self.default)
        return explainer

    @staticmethod
    def _not_ready(name: str, loading: Loading) -> NotReady:
        """Says how much of a model has been read."""
        if loading.read is None:
            return NotReady("model.loading", name=name)
        done, of = (f"{count / 1e6:,.0f}" for count in loading.read)
        return NotReady("model.reading", name=name, done=done, of=of)

    def loaded(self, key: str) -> Explainer | None:
        """The model of a canonical key if it is in memory; nothing is loaded or trained."""
        with self._lock:
            loading = self.default if key == self.first else self._kept.get(key)
        return loading.now() if loading is not None else None

    def fall_back(self, key: str) -> None:
        """Move a model to the CPU because the memory of its GPU is full."""
        with self._lock:
            loading = self._kept.get(key, self.default if key == self.first else None)
        if loading is not None:
            loading.fall_back()

    def _loading(self, key: str) -> Loading:
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        loading = Loading(self._one_at_a_time(self._load_of(key)))
        with self._lock:
            loading = self._kept.setdefault(key, loading)
            while len(self._kept) > MAX_LOADED and self._bytes() > MAX_BYTES:
                self._kept.popitem(last=False)
        return loading

    def _bytes(self) -> int:
        """The size of the weights of all models that are loaded besides the default one."""
        loaded = (one.now() for one in self._kept.values())
        weights = (w for one in loaded if one is not None for w in one.model.parameters())
        return sum(weight.numel() * weight.element_size() for weight in weights)

    def _load_of(self, key: str) -> Callable[[], Explainer]:
        """The loader of the model of a key.

        Raises:
            NotReady: it has to be trained first.
        """
        one = self._by_key.get(key, self._readers.get(key))
        if one is not None:
            return one.load
        settings = trained.settings_of(key)
        finished = trained.POOL.finished(settings)
        if finished is None:
            trained.progress(settings)
        return lambda: _opened(settings, finished[0])

    def _one_at_a_time(self, load: Callable[[], Explainer]) -> Callable[[], Explainer]:
        def locked() -> Explainer:
            with self._turn:
                return load()

        return locked

    def _name(self, key: str) -> str:
        one = self._by_key.get(key, self._readers.get(key))
        if one is not None:
            return one.name
        return name(trained.settings_of(key))


def _opened(settings: Settings, weights: bytes) -> Explainer:
    from model.labs.playground.trained import explainer  # torch is imported only here

    return explainer(settings, weights)


def pair_of(folder: Path, name: str) -> str:
    """The languages of a model from its card, or from its name: "opus-mt-zh-en" -> "zh-en"."""
    with suppress(OSError, UnicodeDecodeError):
        if re.fullmatch(_PAIR, pair := card.languages(folder)):
            return pair
    match = re.search(f"(?:^|[-_]){_PAIR}$", name)
    return match[1] if match else ""


def listed(
    places: Sequence[str | None], load: Callable[[str | None], Explainer]
) -> tuple[Listed, ...]:
    """List the models of folders and Hub names, each with its own key; None is the default one.

    "Helsinki-NLP/opus-mt-en-de@1.0" -> opus-mt-en-de

    Raises:
        CheckpointError: one is neither a folder with a model nor a valid Hub name, or its
            thresholds cannot be read.
        ConfigError: the openers or the scoreboard beside one cannot be read.
    """
    found: dict[str, Listed] = {}
    own = shipped.names()
    for place in dict.fromkeys(shipped.FIRST if one is None else one for one in places):
        if place not in own:
            hub.check(place)
        parts = place.partition("@")[0].rstrip("/").split("/")
        # "runs/en-zh" must not be mistaken for one that comes with the project.
        short = "/".join(parts[-2:] if place not in own and parts[-1] in own else parts[-1:])
        slug = re.sub(r"[^a-z0-9]+", "-", short.lower()).strip("-") or "model"
        keys = (slug, *(f"{slug}-{n}" for n in range(2, len(places) + 1)))
        key = next(one for one in keys if one not in found)
        folder = Path(shipped.place(place))
        at = None if place == shipped.FIRST else place
        Thresholds.load(folder)  # the loading thread would tell only who chooses this model
        found[key] = Listed(
            key, short, functools.partial(load, at), openers.load(folder),
            opening_head(folder), pair_of(folder, short),
        )  # fmt: skip
    return tuple(found.values())


def models_of(places: Sequence[str | None], device: str, seconds: float | None) -> Models:
    """The models of folders and Hub names, to be loaded on a device.

    `seconds`: how long one request may work; None: it follows from each model's pace.

    Raises:
        HeadlightError: see `listed`.
    """

    def load(place: str | None) -> Explainer:
        from model.explain import Explainer  # torch: in the loading thread, not before the page

        explainer = Explainer.load(place, device=device)
        pace.measure(explainer)
        return explainer

    own = listed(places, load)
    names = {one.key: one.name for one in own}
    every = listed(shipped.names(), load)
    # A folder of one's own may have the key of a shipped model, "zh_en"; that is no reader then.
    readers = [one for one in every if names.get(one.key, one.name) == one.name]
    return Models(own, seconds, readers)
