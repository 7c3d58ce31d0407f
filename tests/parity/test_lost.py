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

JUDGED = Path(__file__).parents[2] / "docs" / "doubt"


# Words of one family, and not: of endings, of compounds.
LIKE = [("quietly", "quieter"), ("contract", "contrast"), ("light", "flight"), ("art", "Start")]


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def test_the_browser_finds_the_same_words() -> None:
    """In both directions, with a text said again that has some of the source's words."""
    draw = random.Random(1)
    texts: dict[str, list[tuple[str, str, str]]] = {}
    for forth, back in (("en-zh", "zh-en"), ("en-de", "de-en")):
        texts |= {forth: [], back: []}
        for row in _rows(JUDGED / f"{forth}.tsv"):
            words = row["sentence"].split()
            again = " ".join(draw.sample(words, len(words) // 2))
            texts[back].append((row["sentence"], row["translation"], again))
            cut = row["translation"][:5] + "😀"
            texts[forth].append((row["translation"], row["sentence"], cut))
        for pair in (LIKE, [one[::-1] for one in LIKE]):
            texts[back] += [(f"{one} re-read, ex-art", f"{one}en", other) for one, other in pair]
            texts[forth] += [(f"{one} ex-art", f"{one}en", other) for one, other in pair]
    with Script(Path(__file__).with_name("lost.mjs")) as script:
        for name, of_model in texts.items():
            table = glossary.load(shipped.FOLDERS[name])
            assert table is not None
            turned = table.turned()
            own = [[[*one] for one in lost(*each, turned)] for each in of_model]
            given = json.loads(json.dumps(table.for_browser()))
            assert script.ask({"table": given, "texts": of_model}) == own
            assert sum(map(len, own)) > 50  # some are lost
