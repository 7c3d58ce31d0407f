"""The browser reads a text as Python does: characters.js, copied.js, languages.js."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from model.text.characters import calm, normalise, plain, requoted, unspaced, visible
from model.text.copied import added, missing, spelled
from model.text.languages import language_of, language_of_all
from tests.model.text.test_characters import (
    BLANKS,
    INVISIBLE,
    LOUD,
    QUOTED,
    SHAPES,
    USED,
    WORDS,
)
from tests.model.text.test_copied import COPIED, KNOWN, NUMBERS, SPELLED
from tests.model.text.test_languages import TEXTS
from tests.parity.node import Script

PIECES = ["'", '"', "-", "a", "f", "i", "é", "«", "！", *KNOWN]
PIECES += [f"▁{word}" for word in WORDS.split()]
COUNTED = [
    *"1203.,:- 半三百万s", "000", "twelve", "und", " and ", "zwanzig", "Uhr", "nineteen ", " dozen",
    "einhalb", "世纪", "90年代",
]  # fmt: skip
OTHER = "a1 12 Uhr 3:45"  # a translation
# What the rules speak of, in any order, with what stands beside it.
SIGNS = [
    *"".join((*INVISIBLE, *SHAPES, *USED)),
    *"„‚«»‑−´`‥⁄！？＂－﹣｡ａ９ﬁé\u0301 e\u0301‘aé\u30fb字",
]


def test_the_browser_reads_a_text_alike() -> None:
    draw = random.Random(1)
    texts = [*INVISIBLE, *SHAPES, *USED, *LOUD, *COPIED, *SPELLED, *TEXTS, *QUOTED, *BLANKS]
    texts += ["".join(draw.choices(SIGNS, k=draw.randint(1, 8))) for _ in range(4_000)]
    words = " ".join((*LOUD, *COPIED, *SPELLED, "( ' Mr. Ah! 😀😀 :")).split()
    texts += [" ".join(draw.choices(words, k=draw.randint(1, 6))) for _ in range(1_000)]
    texts += ["".join(draw.choices("aB1.@_/: 0-,s万🎂 か字", k=9)) for _ in range(2_000)]
    texts += [text for one, other, *_ in NUMBERS for text in (one, other)]
    texts += ["".join(draw.choices(COUNTED, k=6)) for _ in range(500)]
    singles = [chr(i) for i in range(0x3400) if not 0xD800 <= i < 0xE000]
    singles += [f"a{chr(i)}\u200d👧" for i in (*range(0xA000, 0x11100), *range(0x1F000, 0x20000))]
    # What a translation lacks of them is asked for in groups: each time it is read anew.
    texts += [" ".join(singles[i : i + 50]) for i in range(0, len(singles), 50)]
    with Script(Path(__file__).with_name("characters.mjs")) as script:
        for asked, other in ((texts, OTHER), (singles, None)):
            answer = script.ask({"texts": asked, "pieces": PIECES, "other": other})
            unequal = [
                (text, own, its)
                for text, its in zip(asked, answer, strict=True)
                if (own := _read(text, other)) != its
            ]
            assert not unequal, unequal[:5]


def _read(text: str, other: str | None) -> list[Any]:
    """What Python makes of a text, as characters.mjs says it."""
    return [
        visible(text),
        normalise(text),
        plain(text, PIECES.__contains__),
        calm(text, PIECES.__contains__),
        [] if other is None else [[*missing(text, other)], [*added(text, other)]],
        [[*place] for place in spelled(text, PIECES.__contains__)],
        language_of(text).code,
        language_of_all((text,), among=("en", "de", "zh")).code,
        requoted(text),
        unspaced(text),
    ]
