"""Long work over many texts, on all cores, that goes on where it was interrupted."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from model.device import spread
from model.explain import Explainer

log = logging.getLogger(__name__)

REPORTED = 200  # sentences per line of the log


def gather(
    explainer: Explainer, texts: Sequence[str], work: Callable[[str], Any], progress: Path
) -> list[Any]:
    """The result of each text, something that JSON can hold; those in `progress` are not repeated.

    The file starts with the weights' digest, followed by one JSON line per text: the text and its
    result.
    """
    done = _done(progress, _digest(explainer))
    left = [text for text in texts if text not in done]
    results = spread(work, left)
    with progress.open("a", encoding="utf-8") as file, closing(results):
        for number, (text, result) in enumerate(
            zip(left, results, strict=True), len(texts) - len(left) + 1
        ):
            done[text] = result
            file.write(json.dumps([text, result]) + "\n")
            file.flush()
            if number % REPORTED == 0:
                log.info("%d of %d sentences", number, len(texts))
    return [done[text] for text in texts]


def _digest(explainer: Explainer) -> str:
    found = hashlib.sha256()
    for values in explainer.model.state_dict().values():
        found.update(values.numpy().tobytes())
    return found.hexdigest()


def _done(progress: Path, digest: str) -> dict[str, Any]:
    """The results of an interrupted run of these weights; without one, a new file is started."""
    lines = progress.read_text("utf-8").split("\n") if progress.exists() else []
    if not lines or lines[0] != digest:
        progress.write_text(digest + "\n", "utf-8")
        return {}
    done = {}
    for line in lines[1:]:
        with suppress(ValueError):  # a last line cut off by the interruption
            text, found = json.loads(line)
            done[text] = found
    with progress.open("a", encoding="utf-8") as file:
        file.write("\n")  # after a line that was cut off
    return done
