"""The head that a sentence opens with: the one whose picture is most often right.

Its error is the one on the scoreboard beside the model (`python -m model.labs.heads align --out`),
which is read here without torch: the page is built before the model is there.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal, NamedTuple

from model.errors import ConfigError
from model.files import read_text
from model.labs.alignment import SCORES, RowLabel

Labels = Literal["writes", "reads"]  # as the page names the labels of the scoreboard
LABELS: dict[RowLabel, Labels] = {"written": "writes", "read": "reads"}


class OpeningHead(NamedTuple):
    """A head of the cross-attention, counted from 0, and the row labels under which it is right."""

    kind: Literal["cross"]
    layer: int
    head: int
    labels: Labels


def opening_head(folder: Path | None) -> OpeningHead | None:
    """Find the head with the lowest error; None if the model has no scoreboard or no head on it.

    Raises:
        ConfigError: the file is not a scoreboard.
    """
    path = None if folder is None else folder / SCORES
    if path is None or not path.is_file():
        return None
    try:
        rows = [
            (float(row["aer"]), int(row["layer"]), int(row["head"]), LABELS[row["row_label"]])
            for row in json.loads(read_text(path))["rows"]
            if row["method"] == "weight" and row["head"] is not None
        ]
    except (ValueError, KeyError, TypeError):
        raise ConfigError(
            f"{SCORES} beside the model is not a scoreboard; make it again: "
            "python -m model.labs.heads align --out."
        ) from None
    if not rows:
        return None
    _, layer, head, labels = min(rows)
    return OpeningHead("cross", layer - 1, head - 1, labels)
