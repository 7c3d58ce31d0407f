"""What a translation must copy: `python -m model.labs.copying --data docs/copied.en.tsv`.

Times, prices, file names, addresses, emoji and names stand in a translation as in its source. A
line is right if all of its items do; a wrong one is doubted or not (model/labs/doubt.py).
"""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from model import cli
from model.checkpoint import SHIPPED
from model.config import DecodeConfig, Method
from model.explain import Explainer
from model.labs import doubt
from model.training import corpus

METHODS: tuple[Method, ...] = ("greedy", "beam")


class Line(NamedTuple):
    """A sentence, its translation, and what became of the items that were to be copied."""

    source: str
    output: str
    is_copied: bool
    is_doubted: bool


def copied(explainer: Explainer, source: str, items: str, method: Method) -> Line:
    """Translate a sentence and look for its items, which are separated by spaces."""
    explanation = explainer.explain(source, DecodeConfig(method=method))
    output, thresholds = explanation.search.hypotheses[0].text, explainer.thresholds
    is_copied = all(item in output for item in items.split())
    found = thresholds and doubt.judge(explainer, explanation.trace, thresholds)
    return Line(source, output, is_copied, bool(found and found.reasons))


@dataclass(frozen=True)
class Command:
    """Count the sentences whose times, names, emoji and addresses are copied, or doubted."""

    data: Path  # lines of sentence <tab> what is to be copied, separated by spaces
    model: str = str(SHIPPED)  # folder, shipped name or Hub name
    json: bool = False  # the lines that are wrong, too, as JSON


def measure(command: Command) -> None:
    """Print the counts for greedy and beam search."""
    explainer = Explainer.load(command.model)
    pairs = corpus.read_pairs(command.data, corpus.as_given, corpus.as_given)
    result = {}
    for method in METHODS:
        lines = [copied(explainer, *pair, method) for pair in pairs]
        wrong = [line for line in lines if not line.is_copied]
        result[method] = {
            "sentences": len(lines),
            "copied": len(lines) - len(wrong),
            "doubted": sum(line.is_doubted for line in wrong),
            "wrong": [line._asdict() for line in wrong],
        }
        if not command.json:
            found = result[method]
            print(f"{method}: {found['copied']} of {len(lines)} copied, {found['doubted']} doubted")
    if command.json:
        print(json.dumps(result, ensure_ascii=False, indent=1))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return 0, or 2 after an error message on standard error."""
    return cli.run(Command, measure, arguments, prog="model.labs.copying", level=logging.WARNING)


if __name__ == "__main__":
    sys.exit(main())
