"""The browser finds the words that a translation lost as Python does: lost.js."""

from __future__ import annotations

import csv
import json
import random
from pathlib import Path

from model import shipped
from model.labs.lost import lost
from model.text import glossary
from tests.parity.node import Script

JUDGED = Path(__file__).parents[2] / "docs" / "doubt" / "en-zh.tsv"


def test_the_browser_finds_the_same_words() -> None:
    """In both directions, with a text said again that has some of the source's words."""
    draw = random.Random(1)
    with JUDGED.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    texts: dict[str, list[tuple[str, str, str]]] = {"zh-en": [], "en-zh": []}
    for row in rows:
        words = row["sentence"].split()
        again = " ".join(draw.sample(words, len(words) // 2))
        texts["zh-en"].append((row["sentence"], row["translation"], again))
        texts["en-zh"].append((row["translation"], row["sentence"], row["translation"][:5] + "😀"))
    with Script(Path(__file__).with_name("lost.mjs")) as script:
        for name, of_model in texts.items():
            table = glossary.load(shipped.FOLDERS[name])
            assert table is not None
            turned = table.turned()
            own = [[[*one] for one in lost(*each, turned)] for each in of_model]
            given = json.loads(json.dumps(table.for_browser()))
            assert script.ask({"table": given, "texts": of_model}) == own
            assert sum(map(len, own)) > 50  # some are lost
