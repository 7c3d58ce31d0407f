"""The browser normalises a text as Python does: assets/engine/characters.js."""

from __future__ import annotations

import random
from pathlib import Path

from model.text.characters import normalise, plain, visible
from tests.model.text.test_characters import INVISIBLE, SHAPES, USED
from tests.parity.node import Script

PIECES = ["'", '"', "-", "a", "f", "i", "é", "«", "！"]
# What the rules speak of, in any order, with what stands beside it.
SIGNS = [
    *"".join((*INVISIBLE, *SHAPES, *USED)),
    *"„‚«»‑−´`‥⁄！？＂－﹣｡ａ９ﬁé\u0301 e\u0301‘aé\u30fb字",
]


def test_the_browser_normalises_alike() -> None:
    draw = random.Random(1)
    texts = [*INVISIBLE, *SHAPES, *USED]
    texts += ["".join(draw.choices(SIGNS, k=draw.randint(1, 8))) for _ in range(4_000)]
    texts += [chr(i) for i in range(0x3400) if not 0xD800 <= i < 0xE000]
    texts += [f"a{chr(i)}\u200d👧" for i in (*range(0xA000, 0x11100), *range(0x1F000, 0x20000))]
    with Script(Path(__file__).with_name("characters.mjs")) as script:
        answer = script.ask({"texts": texts, "pieces": PIECES})
    expected = [
        [visible(text), normalise(text), plain(text, PIECES.__contains__)] for text in texts
    ]
    unequal = [
        (text, own, its)
        for text, own, its in zip(texts, expected, answer, strict=True)
        if own != its
    ]
    assert not unequal, unequal[:5]
