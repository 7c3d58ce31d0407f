"""The browser tells what tokens stand for as Python does, with the shipped table and sentences."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

from explorer.exchange.gloss import glossed
from explorer.exchange.payload import token_labels
from model.checkpoint import SHIPPED
from model.labs.alignment import FILE, read_gold
from model.text import english, glossary
from model.text.glossary import Entry, Glossary
from model.text.tokenizer import Tokenizer
from tests.parity.node import Script

ODD = ["", "'s", "n't", "let’s", "it's", "tom's", "cannot", "buses", "glass", "ing", "bring", "é'd"]


def told(values: list[Any], table: Glossary) -> list[Any]:
    return [glossed(copy.deepcopy(value), table) for value in values]


def test_the_browser_tells_alike() -> None:
    table = glossary.load(SHIPPED)
    assert table is not None
    read = Tokenizer.load(SHIPPED)
    values = [
        {
            "src": token_labels(read.encode_source(pair.source)),
            "tgt_out": token_labels(read.encode_target(pair.target)),
            "top": [token_labels(read.encode_target(word))[:1] for word in ("左", "再", "close")],
        }
        for pair in read_gold(SHIPPED / FILE)
    ]
    words = [*english.BASES, *ODD, *(w for entry in table.words.values() for w in entry.others)]
    words += table.words
    message = {"words": words, "values": values, "table": table.for_browser()}
    with Script(Path(__file__).with_name("glosses.mjs")) as script:
        answer = script.ask(message)
    assert answer["forms"] == [[english.base(one), list(english.parts(one))] for one in words]
    ours = json.loads(json.dumps(told(values, table)))
    assert answer["told"] == ours

    # The fault: the other text says nothing. Then hundreds of labels are told otherwise.
    alone = Glossary(table.pairs, {word: Entry(one.gloss) for word, one in table.words.items()})
    faulty = json.loads(json.dumps(told(values, alone)))
    labels = [
        (one.get("gloss"), other.get("gloss"))
        for value, wrong in zip(ours, faulty, strict=True)
        for side in ("src", "tgt_out")
        for one, other in zip(value[side], wrong[side], strict=True)
    ]
    assert sum(one != other for one, other in labels) > 100
