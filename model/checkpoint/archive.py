"""An explanation as one file: every array under a name, with its axes named, and no pickle.

    explanation.save("x.npz")
    model.checkpoint.archive.load("x.npz")       # the same record, without the model
    numpy.load("x.npz")["cross.weights"]

`about`, a text, is the JSON of the rest: `axes` has the names of each array's axes, `labels` what
stands along them. Row t of an axis `step` reads back `labels.read[t]` and writes
`labels.written[t]`. The arrays of a search's steps are joined: `search.step` says whose row is
which.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterable
from dataclasses import asdict
from operator import index
from pathlib import Path
from typing import Any

import numpy as np

from model.config import KINDS, DecodeConfig, Interventions
from model.errors import InputError, TraceError, quote
from model.files import replacing, sentence
from model.text.kinds import short
from model.trace import (
    AttentionMaps,
    Explanation,
    Forbidden,
    Hypothesis,
    Search,
    SearchStep,
    Tokens,
    Trace,
)

FORMAT = "headlight explanation 1"
ABOUT = "about"
SIDES = {"src": "source", "tgt_in": "read", "tgt_out": "written"}  # of a trace, as rows are called
MAP_AXES = {
    "weights": ("layer", "head", "query", "key"), "queries": ("layer", "head", "query", "d_k"),
    "keys": ("layer", "head", "key", "d_k"), "values": ("layer", "head", "key", "d_k"),
    "bias": ("layer", "head", "query", "key"), "mask": ("query", "key"),
}  # fmt: skip
ENDS = {  # what stands along the query and the key of each kind
    "encoder_self": ("source", "source"),
    "decoder_self": ("step", "read"),
    "cross": ("step", "source"),
}
TRACE_AXES = {
    "encoder_states": ("layer", "source", "d_model"),
    "decoder_states": ("layer", "step", "d_model"), "top_ids": ("step", "rank"),
    "top_log_probs": ("step", "rank"), "log_prob": ("step",),
    "entropy": ("step",),
}  # fmt: skip
OF_STEP = ("parents", "token_ids", "log_probs", "totals", "forced")
Arrays = dict[str, np.ndarray]
Axes = dict[str, tuple[str, ...]]


def save(explanation: Explanation, path: str | Path) -> Path:
    """Write the file, compressed; return its path.

    Raises:
        InputError: it cannot be written.
    """
    with replacing(Path(path)) as partial:
        partial.write_bytes(content(explanation))
    return Path(path)


def content(explanation: Explanation) -> bytes:
    """The file's bytes."""
    arrays, axes = _arrays(explanation)
    assert all(array.dtype != object for array in arrays.values())  # numpy would pickle it
    named: dict[str, Any] = {
        ABOUT: np.array(json.dumps({**_about(explanation), "axes": axes})), **arrays
    }  # fmt: skip
    file = io.BytesIO()
    np.savez_compressed(file, **named)
    return file.getvalue()


def load(path: str | Path) -> Explanation:
    """Read a file that `save` wrote; the record has everything but its Explainer.

    Raises:
        InputError: there is no such file, or it is another one.
    """
    try:
        with np.load(path, allow_pickle=False) as found:
            arrays = {name: found[name] for name in found.files}
        about = json.loads(str(arrays[ABOUT]))
        if about["format"] == FORMAT:
            return _explanation(about, arrays)
    except FileNotFoundError:
        raise InputError(f"There is no file {short(Path(path))}; give one that exists.") from None
    except Exception as error:  # unpacking a damaged file can raise anything
        if isinstance(error, OSError) and error.errno is not None:
            raise InputError(sentence(error, Path(path))) from None
    raise InputError(
        f"{short(Path(path))} is no explanation that this version saved; "
        "`Explanation.save` writes one."
    )


def _arrays(explanation: Explanation) -> tuple[Arrays, Axes]:
    """All arrays of a record, and the names of their axes."""
    trace, steps = explanation.trace, explanation.search.steps
    arrays: Arrays = {name: getattr(trace, name) for name in TRACE_AXES}
    axes: Axes = dict(TRACE_AXES)
    for side, label in SIDES.items():
        tokens: Tokens = getattr(trace, side)
        arrays |= {f"{label}.ids": tokens.ids, f"{label}.spans": tokens.spans}
        axes |= {f"{label}.ids": (label,), f"{label}.spans": (label, "begin and end")}
    for kind in KINDS:
        maps = trace.attention(kind)
        ends = dict(zip(("query", "key"), ENDS[kind], strict=True))
        for name, named in MAP_AXES.items():
            if getattr(maps, name) is not None:
                arrays[f"{kind}.{name}"] = getattr(maps, name)
                axes[f"{kind}.{name}"] = tuple(ends.get(one, one) for one in named)
    arrays["search.step"] = np.repeat(np.arange(len(steps)), [len(step) for step in steps])
    for name in OF_STEP:
        parts = [getattr(step, name) for step in steps]
        arrays[f"search.{name}"] = np.concatenate(parts) if parts else np.zeros(0)
    axes |= {f"search.{name}": ("candidate",) for name in ("step", *OF_STEP)}
    return arrays, axes


def _about(explanation: Explanation) -> dict[str, Any]:
    """All that is no array."""
    trace, search = explanation.trace, explanation.search
    explainer = explanation.explainer
    return {
        "format": FORMAT,
        "model": None if explainer is None else explainer.name,
        "revision": None if explainer is None else explainer.revision,
        "text": explanation.text,
        "config": asdict(explanation.config),
        "interventions": asdict(explanation.interventions),
        "traced": asdict(trace.interventions),
        "labels": {label: getattr(trace, side).pieces for side, label in SIDES.items()},
        "texts": {label: getattr(trace, side).text for side, label in SIDES.items()},
        "scaling": {kind: trace.attention(kind).scaling for kind in KINDS},
        "searched": asdict(search.config),
        "steps": [
            {"pieces": step.pieces, "fates": step.fates, "forbidden": step.forbidden}
            for step in search.steps
        ],
        "hypotheses": [asdict(one) for one in search.hypotheses],
        **{name: getattr(explanation, name) for name in ("shown", "seconds", "device")},
        **{name: getattr(explanation, name) for name in ("path", "node", "prefix")},
    }


def _explanation(about: dict[str, Any], arrays: Arrays) -> Explanation:
    sides: dict[str, Any] = {
        side: Tokens(
            about["texts"][label], arrays[f"{label}.ids"], tuple(about["labels"][label]),
            arrays[f"{label}.spans"],
        )
        for side, label in SIDES.items()
    }  # fmt: skip
    own: dict[str, Any] = {
        kind: AttentionMaps(
            **{name: arrays.get(f"{kind}.{name}") for name in MAP_AXES},  # type: ignore[arg-type]
            scaling=about["scaling"][kind],
        )
        for kind in KINDS
    }
    own |= {name: arrays[name] for name in TRACE_AXES}
    trace = Trace(**sides, **own, interventions=Interventions.from_dict(about["traced"]))
    search = _search(about, arrays)
    return Explanation(
        text=sides["src"].text,
        config=DecodeConfig.from_dict(about["config"]),
        interventions=Interventions.from_dict(about["interventions"]),
        search=search,
        trace=trace,
        seconds=float(about["seconds"]),
        device=str(about["device"]),
        prefix=_whole(about["prefix"]),
        **_traced(about, search),
    )


def _traced(about: dict[str, Any], search: Search) -> dict[str, Any]:
    """What of the search the trace is of, as fields of an Explanation.

    Raises:
        HeadlightError: the search has nothing there.
    """
    node, shown, path = about["node"], index(about["shown"]), _whole(about["path"])
    node = None if node is None else (index(node[0]), index(node[1]))
    expected = search.hypotheses[shown].path if node is None else search.path(*node)
    if not 0 <= shown < len(search.hypotheses) or path != expected:
        raise TraceError(f"The traced path is {quote(path)}; the search has {quote(expected)}.")
    return {"shown": shown, "node": node, "path": path}


def _whole(numbers: Iterable[Any]) -> tuple[int, ...]:
    return tuple(index(number) for number in numbers)


def _search(about: dict[str, Any], arrays: Arrays) -> Search:
    steps = []
    for number, told in enumerate(about["steps"]):
        rows = arrays["search.step"] == number
        steps.append(
            SearchStep(
                **{name: arrays[f"search.{name}"][rows] for name in OF_STEP},
                pieces=tuple(told["pieces"]),
                fates=tuple(told["fates"]),
                forbidden=tuple(Forbidden(*one) for one in told["forbidden"]),
            )
        )
    hypotheses = tuple(
        Hypothesis(**{**told, "ids": _whole(told["ids"]), "path": _whole(told["path"])})
        for told in about["hypotheses"]
    )
    return Search(DecodeConfig.from_dict(about["searched"]), tuple(steps), hypotheses)
