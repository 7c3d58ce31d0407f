"""A session as a file: a request for an explanation and the model's answer, as JSON.

    {"format": "headlight-session-1",
     "request": {model: {name, revision}, text, settings, interventions, prefix, shown, node},
     "record": the payload of explorer/exchange/payload.py}

The record is the data that the page draws, so a session shows what the visitor saw: attention
weights in steps of 1/65535, candidates of the search as float32. The record is the model's claim:
`explain` repeats the request and compares every number.

    python -m explorer.session validate FILE [--model DIR]
"""

from __future__ import annotations

import base64
import dataclasses
import json
import math
import sys
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
import tyro

from explorer.exchange import payload
from explorer.exchange.explain import explain
from explorer.exchange.packing import json_text, packed_type, unpack
from explorer.exchange.question import Arguments
from explorer.exchange.request import Request
from model import cli, shipped
from model.config import DecodeConfig, Interventions
from model.errors import HeadlightError, InputError, quote
from model.trace import Explanation

if TYPE_CHECKING:
    from model.explain import Explainer

FORMAT = "headlight-session-1"
MAX_BYTES = 64_000_000  # most bytes of a file; one of 20 tokens has 0.3 MB
MAX_ARRAYS = 32_000_000  # most bytes of all arrays, compressed; a short sentence has 1 MB
TOLERANCE = 1e-3  # of a number, on another machine; log-probs of float32 differ by less than 1e-4
# Texts that hold numbers (explorer/exchange/packing.py).
PACKED = ("mask", "weights", "parents", "ids", "log_probs", "totals", "fates", "forced")
NEWER = ("positions", "unscaled", "rules")  # what earlier files do not tell of their model
# Fields of a record that tell of a run or of the server, not of the result.
OF_THE_RUN = ("seconds", "device", "key", "examples")


@dataclass(frozen=True, eq=False)
class Session:
    """The content of a session file.

    data     the file in its canonical form
    request  the request; `explain` repeats it
    """

    data: bytes
    request: Request

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
            HeadlightError: it is not a session, or its request is none that a model could answer.
        """
        value = _parsed(data)
        if not isinstance(value, dict) or value.get("format") != FORMAT:
            raise InputError(f"The file does not begin as a session does: format is {FORMAT!r}.")
        try:
            request = _request(value["request"])
            _named(**value["request"]["model"])
        except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
            reason = str(error)[:100]
            raise InputError(f"A part of the session is missing or wrong: {reason}.") from None
        return cls(_written(value), request)

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
            InputError: a different model made the session, or this one gives another record.
        """
        value = self.document
        made = _named(**value["request"]["model"])
        here = _named(explainer.name, explainer.revision)
        if made != here:
            raise InputError(f"The session was made by {made}; this is {here}.")
        explanation = explainer.explain(
            self.request.text,
            self.request.config,
            interventions=self.request.interventions,
            shown=self.request.shown,
            prefix=self.request.prefix,
            node=self.request.node,
        )
        ours = json.loads(document(explanation, explainer))["record"]
        if place := _difference(value["record"], ours, "record"):
            raise InputError(f"The model gives another {place} than the file has.")
        return explanation

    @property
    def document(self) -> dict[str, Any]:
        """The whole session as a JSON value, a fresh one each time."""
        value: dict[str, Any] = json.loads(self.data)
        return value

    def __repr__(self) -> str:
        return f"Session({quote(self.request.text)}, {len(self.data):,} bytes)"


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


def file(explainer: Explainer, request: Request, _: Arguments) -> payload.Payload:
    """The page's download: the file as text."""
    return {"file": document(explain(explainer, request), explainer).decode()}


def arrays(explainer: Explainer, request: Request, _: Arguments) -> payload.Payload:
    """The page's other download: the file of `Explanation.save` as base64."""
    return {"npz": arrays_of(explain(explainer, request))}


def arrays_of(explanation: Explanation) -> str:
    """All arrays of a record, each with its axes named: the file of `Explanation.save` as base64.

    Raises:
        InputError: it is too large to be sent.
    """
    content = explanation.content()
    if len(content) > MAX_ARRAYS:
        raise InputError(
            f"All arrays of this record have {len(content):,} bytes, more than {MAX_ARRAYS:,}. "
            "Take a shorter text, or `Explanation.save` in Python.",
            key="arrays", size=round(len(content) / 1e6), limit=round(MAX_ARRAYS / 1e6),
        )  # fmt: skip
    return base64.b64encode(content).decode()


def _request(value: dict[str, Any]) -> Request:
    """The request of a file: not bound by what the page's sliders offer, as a program made it."""
    text, shown, prefix, node = (value[name] for name in ("text", "shown", "prefix", "node"))
    whole = [shown, *prefix, *(node or ())]
    if not isinstance(text, str) or any(type(number) is not int for number in whole):
        raise TypeError("text, shown, prefix or node")
    return Request(
        text,
        DecodeConfig.from_dict(value["settings"]),
        shown=shown,
        prefix=tuple(prefix),
        node=None if node is None else (node[0], node[1]),
        interventions=Interventions.from_dict(value["interventions"]),
    )


def _difference(theirs: Any, ours: Any, place: str) -> str | None:
    """The first place in which two records differ by more than the rounding of another machine."""
    name = place.rpartition(".")[2]
    if name in OF_THE_RUN or theirs == ours:
        return None
    if type(theirs) is not type(ours):
        return place
    if isinstance(ours, dict):
        known = [key for key in ours if key in theirs or key not in NEWER]
        places = (_difference(theirs[key], ours[key], f"{place}.{key}") for key in known)
        return place if theirs.keys() != {*known} else next(filter(None, places), None)
    if isinstance(ours, list) and len(theirs) == len(ours):
        pairs = enumerate(zip(theirs, ours, strict=True))
        return next(filter(None, (_difference(a, b, f"{place}[{i}]") for i, (a, b) in pairs)), None)
    if isinstance(ours, float) and math.isclose(theirs, ours, rel_tol=TOLERANCE, abs_tol=TOLERANCE):
        return None
    if name in PACKED and isinstance(ours, str) and _are_close(theirs, ours, packed_type(name)):
        return None
    return place


def _are_close(theirs: str, ours: str, dtype: str) -> bool:
    """Whether two packed arrays hold as many numbers, and nearly the same."""
    size = len(zlib.decompress(base64.b64decode(ours))) // np.dtype(dtype).itemsize
    try:
        pair = [unpack(text, dtype, size).astype(float) for text in (theirs, ours)]
    except ValueError:
        return False
    unit = payload.FULL if dtype == "u2" else 1
    return bool(np.allclose(pair[0], pair[1], rtol=TOLERANCE, atol=TOLERANCE * unit))


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


@dataclass(frozen=True)
class Validate:
    """Check a file: the model repeats its request, and has to give the same record."""

    file: tyro.conf.Positional[Path]
    model: str = ""  # that made it: folder or Hub name (default: the shipped one of that name)


def validate(command: Validate) -> None:
    """Describe the contents of the file.

    Raises:
        InputError: it is not a session, or not what the model answers; the message says where.
    """
    try:
        session = Session.load(command.file)
    except InputError as error:
        raise InputError(f"{error} Give a file that the page or Session.save wrote.") from None
    from model.explain import Explainer  # seconds; not for a file that is no session

    made = session.document["request"]["model"]["name"]
    model = command.model or (made if made in shipped.names() else None)
    session.explain(Explainer.load(model, device="cpu"))
    sys.stdout.write(f"{command.file}: valid. The model answers the same. {session}\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return 0, or 2 after an error message on standard error."""
    return cli.run_one_of(
        {"validate": (Validate, validate)},
        arguments,
        prog="explorer.session",
        description="Check a file of a session.",
    )


if __name__ == "__main__":
    sys.exit(main())
