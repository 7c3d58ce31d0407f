"""A session as a file: a request for an explanation and the model's answer, as JSON.

    {"format": "headlight-session-1",
     "request": {model: {name, revision}, text, settings, interventions, prefix, shown, node},
     "record": the payload of explorer/exchange/payload.py}

The record is the data that the page draws, so a session shows what the visitor saw: attention
weights in steps of 1/65535, candidates of the search as float32. docs/session.schema.json describes
the format. A session is only data: nothing in it is run, and every number is checked before use.
"""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NoReturn

from explorer.exchange import payload
from explorer.exchange.explain import explain
from explorer.exchange.packing import json_text
from explorer.exchange.question import Arguments
from explorer.exchange.request import Request
from explorer.session import restore
from explorer.session.check import check
from explorer.session.restore import Weights
from explorer.session.schema import FORMAT, schema
from model.config import KINDS, Kind
from model.errors import HeadlightError, InputError, TraceError, quote
from model.trace import Explanation, Search

if TYPE_CHECKING:
    from model.explain import Explainer

MAX_BYTES = 64_000_000  # most bytes of a file; one of 20 tokens has 0.3 MB


@dataclass(frozen=True, eq=False)
class Session:
    """The content of a session file.

    data       the file in its canonical form
    request    the request; `explain` repeats it
    search     every candidate of the search, and the hypotheses
    attention  the weights of each kind
    """

    data: bytes
    request: Request
    search: Search
    attention: Mapping[Kind, Weights]

    @classmethod
    def of(cls, explanation: Explanation, explainer: Explainer | None = None) -> Session:
        """Make a session of an explanation; pass `explainer` if the explanation does not record it.

        Raises:
            InputError: the model that made it is unknown.
        """
        explainer = explainer or explanation.explainer
        if explainer is None:
            raise InputError("This explanation does not say which model made it; give `explainer`.")
        return cls.read(document(explanation, explainer))

    @classmethod
    def read(cls, data: bytes | str) -> Session:
        """Read a session from the content of a file.

        Raises:
            HeadlightError: it is not a session; the message has the reason and the place.
        """
        value = _parsed(data)
        whole = schema()
        check(value, whole, whole)
        asked, record = value["request"], value["record"]
        restore.check_same(asked, record)
        request = restore.request(asked)
        n_source, n_target = len(record["src"]), len(record["tgt_out"])
        shapes = {
            "encoder_self": (n_source, n_source),
            "decoder_self": (n_target, n_target),
            "cross": (n_target, n_source),
        }
        attention = {
            kind: restore.weights(
                record["attention"][kind], shapes[kind], f"record.attention.{kind}"
            )
            for kind in KINDS
        }
        try:
            search = restore.search(record, request.config)
        except TraceError as error:  # here the defect is in the file
            raise InputError(f"record.search: {error}") from None
        restore.check_traced(record, search)
        return cls(_written(value), request, search, MappingProxyType(attention))

    @classmethod
    def load(cls, path: str | Path) -> Session:
        """Load a session from a file.

        Raises:
            InputError: it cannot be read or is not a session.
        """
        try:
            with Path(path).open("rb") as file:
                return cls.read(file.read(MAX_BYTES + 1))
        except OSError as error:
            raise InputError(f"{path} cannot be read: {error.strerror}.") from None
        except HeadlightError as error:
            raise InputError(f"{path}: {error}") from None

    def save(self, path: str | Path) -> Path:
        """Write the file; equal sessions are equal byte for byte."""
        Path(path).write_bytes(self.data)
        return Path(path)

    def explain(self, explainer: Explainer) -> Explanation:
        """Run the same request again.

        Raises:
            InputError: a different model made the session.
        """
        model = self.document["request"]["model"]
        if (explainer.name, explainer.revision) != (model["name"], model["revision"]):
            raise InputError(
                f"The session was made by {_named(model['name'], model['revision'])}; "
                f"this is {_named(explainer.name, explainer.revision)}."
            )
        asked = self.request
        return explainer.explain(
            asked.text,
            asked.config,
            interventions=asked.interventions,
            shown=asked.shown,
            prefix=asked.prefix,
            node=asked.node,
        )

    @property
    def document(self) -> dict[str, Any]:
        """The whole session as a JSON value, a fresh one each time."""
        found: dict[str, Any] = json.loads(self.data)
        return found

    def __repr__(self) -> str:
        return f"Session({quote(self.request.text)}, {self.search}, {len(self.data):,} bytes)"


def document(explanation: Explanation, explainer: Explainer) -> bytes:
    """The content of the file for an explanation."""
    request = {
        "model": {"name": explainer.name, "revision": explainer.revision},
        "text": explanation.text,
        "settings": dataclasses.asdict(explanation.config),
        "interventions": dataclasses.asdict(explanation.interventions),
        "prefix": list(explanation.prefix),
        "shown": explanation.shown,
        "node": None if explanation.node is None else list(explanation.node),
    }
    record = payload.build(explanation, explainer)
    # Once through JSON, where the keys of `labels` are strings, by which they are sorted.
    value = json.loads(json_text({"format": FORMAT, "request": request, "record": record}))
    return _written(value)


def file(explainer: Explainer, asked: Request, _: Arguments) -> payload.Payload:
    """The page's download: the file as text."""
    return {"file": document(explain(explainer, asked), explainer).decode()}


def _parsed(data: bytes | str) -> Any:
    if len(data) > MAX_BYTES:
        raise InputError(f"The file is larger than {MAX_BYTES // 10**6} MB; no session is.")
    try:
        return json.loads(data, parse_constant=_refuse, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        reason = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise InputError(f"The file is not JSON, so not a session ({reason}).") from None


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{quote(name)[1:-1]} is not a number")


def _finite(digits: str) -> float:
    """Check a number when reading; one that is too large would become infinite."""
    return float(digits) if math.isfinite(float(digits)) else _refuse(digits)


def _written(value: Any) -> bytes:
    """The canonical form: sorted keys, no spaces, no escapes, a line feed at the end."""
    text = json_text(value, sort_keys=True, separators=(",", ":"))
    try:
        return (text + "\n").encode()
    except UnicodeEncodeError:
        raise InputError("The file holds half a character, which is not text.") from None


def _named(name: str, revision: str | None) -> str:
    return name if revision is None else f"{name} at {revision}"
