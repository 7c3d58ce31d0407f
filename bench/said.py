"""What every view says of forty sentences that nobody chose for it, in English and in Chinese.

    python -m bench.said [en-de ...] [--views lens why] [--out said.jsonl] [--read said.jsonl]

The sentences are those of docs/said, ten of each shipped model. The page runs in Node
(tests/stage.py). Printed: how often a view opens on the same finding, where attention and masks
open, and every finding that breaks a rule which a program can check (`faults`). Nothing is compared
with a model's numbers: those of the findings are (tests/exhibits/test_findings.py).
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

from explorer import exhibits
from explorer.exchange.lines import LINES
from explorer.models import models_of
from explorer.openers import effects
from explorer.words import LANGUAGES, WORDS
from model import shipped
from tests.stage import Desk, Node, Stage

SENTENCES = Path(__file__).parents[1] / "docs" / "said"
MAX_WORDS, MAX_NUMBERS = 20, 2
MAX_ALIKE = 10  # of the forty sentences that may have one and the same finding in a view
MAX_PADDING = 4  # beside the longest sentence of the batch of Masks


# A finding in pieces: running text, {q: word or text}, {b: name}, {marked: number}, and what the
# picture says: its text, its labels and what is drawn on a canvas.
READ = """(name) => {
    const panel = document.querySelector(`#panel-${name}`);
    const pieces = [];
    const shown = headlight.page.record.get();
    const sidesOf = (text) => ["src", "tgt_out"].filter((side) =>
        shown[side].some((one) => (one.line ?? one.text) === text));
    const look = (node) => {
        if (node.nodeType === 3) return pieces.push({ kind: "text", text: node.data });
        if (node.nodeType !== 1) return;
        const kind = node.matches("q, b") ? node.localName : "marked" in node.dataset && "marked";
        if (!kind) return node.childNodes.forEach(look);
        const { lang, parentElement: { dataset } } = node;
        pieces.push({ kind, text: node.textContent, lang, gloss: dataset.gloss ?? "",
            isPhrase: node.matches(".hl-phrase"), sides: sidesOf(node.textContent) });
    };
    panel.querySelector("[data-part=finding]").childNodes.forEach(look);
    const picture = panel.querySelector("[data-part=picture]");
    const drawn = [...picture.querySelectorAll("canvas")].flatMap((canvas) =>
        canvas.getContext("2d").calls.filter((one) => one.name === "fillText")
            .map((one) => one.args[0]));
    const labels = [...picture.querySelectorAll("[aria-label], output")].map((one) =>
        one.getAttribute("aria-label") ?? one.textContent);
    const { selection, record, chosen } = headlight.page;
    const { kind, layer, head, row, step } = selection.get();
    const words = (node) =>
        node.nodeType === 3 ? [node.data] : [...node.childNodes].flatMap(words);
    return { pieces, picture: [...words(picture), ...drawn, ...labels].join(" | "),
        line: document.querySelector(`#hl-middle [data-part=line], #panel-${name} [data-part=line]`)
            ?.textContent ?? "",
        at: { kind, layer, head, row, step }, isAlone: panel.querySelector(".hl-opener") !== null };
}"""
# How many rows of the chosen head, as they are drawn, have a heavier link than the one that it
# opens on, and how many are words.
CLEAR = """async () => {
    const { axes } = await module("assets/kit/selection.js");
    const { viewOf } = await module("explorer/exhibits/attention/look.js");
    const { page } = headlight;
    const { kind, layer, head, row, labels } = page.selection.get();
    const { queries, keys, head: cellsOf } = page.record.get().attention[kind];
    const { rows, columns } = axes(page.record.get(), kind, labels);
    const map = { cells: cellsOf(layer, head), queries, keys, rows: rows.labels,
        columns: columns.labels };
    const drawn = viewOf(map, { words: true, specials: true, mass: 100 });
    const words = drawn.rows.flatMap(({ text }, i) => (/[\\p{L}\\p{N}]/u.test(text) ? [i] : []));
    const heaviest = (i) => Math.max(...drawn.cells.slice(i * drawn.keys, (i + 1) * drawn.keys));
    const here = drawn.rowTokens.findIndex((tokens) => tokens.includes(row));
    return [words.filter((i) => heaviest(i) > heaviest(here)).length, words.length];
}"""


class Found(NamedTuple):
    """What a view says of a sentence."""

    pair: str
    text: str
    language: str
    view: str
    said: dict[str, Any]

    @property
    def sentence(self) -> str:
        """As it is read aloud, with quotation marks and glosses."""
        parts = [
            one["text"] + (f" ({one['gloss']})" if one.get("gloss") else "")
            for one in self.said["pieces"]
        ]
        return " ".join("".join(parts).split())


def views() -> tuple[str, ...]:
    """The views that speak of the sentence on the page: they show it, and have a place in it."""
    shown = (one for one in exhibits.load() if one.opener is not effects.NONE)
    return tuple(one.name for one in shown if "sentence" in one.header)


def sentences(pair: str) -> list[str]:
    return (SENTENCES / f"{pair}.txt").read_text("utf-8").splitlines()


class Reader(Desk):
    """A server with every shipped model, whose reader's lines are there but say nothing: their
    translations cost more than all the rest."""

    def __init__(self) -> None:
        models = models_of(shipped.names(), "cpu", None)
        models.start()
        super().__init__(models)

    def answer(self, raw: dict[str, Any]) -> dict[str, Any]:
        if str(raw.get("fetch")).endswith(f"/call/{LINES}"):
            texts = json.loads(raw["body"])["texts"]
            return {
                "text": json.dumps(
                    {"payload": {LINES: [{"text": "…", "unsure": False}] * len(texts)}}
                )
            }
        return super().answer(raw)


def read(pairs: Sequence[str], names: Sequence[str]) -> Iterator[Found]:
    """What the views say, as the page opens by a link and its views are opened one by one."""
    node, server = Node(), Reader()
    by_pair = [[(pair, text) for text in sentences(pair)] for pair in pairs]
    languages = list(LANGUAGES)
    for pair, text in (one for several in zip(*by_pair, strict=True) for one in several):
        query = {"model": pair, "text": text, "lang": languages[0], "view": "figure"}
        page = Stage(node, server).open(f"?{urlencode(query)}")
        for name in names:
            page.choose(exhibit=name)
            yield Found(pair, text, languages[0], name, said(page, name))
            languages.reverse()
            page.evaluate("(code) => headlight.page.language.set(code)", languages[0])
            yield Found(pair, text, languages[0], name, said(page, name))
    node.stop()


def said(page: Stage, name: str) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate(READ, name)
    if name == "attention":
        found["clear"] = page.evaluate(CLEAR)
    if name == "masks":
        found["padding"] = padding(page)
    return {**found, "errors": page.errors}


def padding(page: Stage) -> list[int]:
    """The <pad> rows after the sentence in Masks: of the source and of the translation."""
    page.unfold("masks", "numbers")
    found = []
    for kind in ("encoder_self", "decoder_self"):
        page.select_option("#panel-masks .hl-field-kind select", kind)
        page.rest()
        rows = page.locator(".hl-masks-reads tbody tr td:first-child").all_text_contents()
        found.append(rows.count("<pad>"))
    return found


# ------------------------------------------------------------------------------------ the rules

NUMBER = re.compile(r"[<>]?[−-]?\d+(?:,\d{3})*(?:\.\d+)?(?: ?[%°])?")
PLACE = re.compile(  # numbers that name a part of the model
    r"\b(?:layer|head|step|position|network|dimension) \d+(?:·\d+)?|\d+·\d+"
    r"|第 ?\d+(?:·\d+)? ?[层个步维]"
    r"|位置 \d+|网络 \d+",
    re.IGNORECASE,
)
HAN, LATIN = re.compile(r"[\u3400-\u9fff]"), re.compile(r"[^\W\d_\u3400-\u9fff]{2,}")
LOGS = re.compile(r"log-?\s?prob|\bnats?\b|对数概率", re.IGNORECASE)
BARE = re.compile(r"(?<![\w.])[−-]?\d[\d,]*(?:\.\d+)?(?=\s*(?:$|[.,;:)。，；：）](?!\d)))")
# What the visitor or the view has set is named, and not counted: "at temperature 1.3".
SETTING = re.compile(
    r"(?:temperature|top-[kp]|α =|温度为|top-[kp] 为) ?[\d.−]+|α (?:从|到) ?[\d.−]+"
)
NAMED = re.compile(r"(?:α =|=)\s*$")


def faults(one: Found) -> Iterator[str]:
    """The rules that a finding breaks."""
    pieces = [{**p, "text": _written(p)} for p in one.said["pieces"]]
    own = "".join(p["text"] if p["kind"] in ("text", "marked") else QUOTED for p in pieces)
    unplaced = SETTING.sub("", PLACE.sub("", own))
    numbers = NUMBER.findall(unplaced)
    if (count := words_in(own, one.language)) > MAX_WORDS:
        yield f"{count} words"
    if len(numbers) > MAX_NUMBERS:
        yield f"{len(numbers)} numbers"
    for number in numbers:
        if not is_drawn(number, one.said["picture"]):
            yield f"{number} is not in the picture"
        if not any(p["kind"] == "marked" and number in p["text"] for p in pieces):
            yield f"{number} is not marked"
    for match in BARE.finditer(unplaced):
        if not NAMED.search(unplaced[: match.start()]):
            yield f"{match[0]} has no unit"
    if LOGS.search(own):
        yield "speaks of log-probs"
    for word in (LATIN if one.language == "zh" else re.compile(r"[^\W\d_]{2,}")).findall(own):
        if word.lower() not in vocabulary(one.language):
            yield f"{word} is not quoted"
    yield from _of_quotes(one)
    yield from (f"error: {error[:200]}" for error in one.said["errors"])


BOUNDS = {">": re.compile("^(?:more than|超过) "), "<": re.compile("^(?:less than|不到) ")}


def _written(piece: dict[str, Any]) -> str:
    """A number as the picture writes it: >99 % for "more than 99 %"."""
    text: str = piece["text"]
    for sign, words in BOUNDS.items():
        text = words.sub(sign, text) if piece["kind"] == "marked" else text
    return text


QUOTED = "\0"  # in the place of what a finding quotes


def is_drawn(number: str, picture: str) -> bool:
    """Whether the picture has this number, or one that rounds to it: 46 % of 45.9 %."""
    unit = number[-1] if number[-1] in "%°" else ""
    value, digits = _value(number), len(number.rstrip("%° ").partition(".")[2])
    drawn = NUMBER.findall(picture)
    same = [_value(one) for one in drawn if unit in (one[-1], "")]
    if unit == "%":  # a weight of 0.457
        same += [100 * _value(one) for one in drawn if one[-1] != "%"]
    if number[0] in "<>":  # a bound
        return any(one <= value if number[0] == "<" else one >= value for one in same)
    return any(abs(one - value) <= 0.5001 * 10**-digits for one in same)


def _value(number: str) -> float:
    return float(re.sub(r"[<>,%° ]", "", number).replace("−", "-"))


def words_in(own: str, language: str) -> int:
    """The words of a finding; what it quotes is one, and so are two Chinese characters."""
    numbers = r"[\w√α][\w.,·%-]*"
    if language == "en":
        return own.count(QUOTED) + len(re.findall(numbers, own))
    return (
        own.count(QUOTED) + len(HAN.findall(own)) // 2 + len(re.findall(numbers, HAN.sub(" ", own)))
    )


@cache
def vocabulary(language: str) -> set[str]:
    """The words that the page itself uses."""
    texts = " ".join(getattr(word, language) for word in WORDS.values())
    return {word.lower() for word in re.findall(r"[^\W\d_\u3400-\u9fff]+|[\u3400-\u9fff]+", texts)}


def _of_quotes(one: Found) -> Iterator[str]:
    """What is quoted says its language and its meaning; two meanings differ."""
    meanings: dict[str, str] = {}
    pieces = [p for p in one.said["pieces"] if p["kind"] == "q"]
    for piece in pieces:
        text, gloss, language = piece["text"], piece["gloss"], language_of_quote(one, piece)
        if not re.search(r"[^\W\d_]", text):
            continue
        if language not in ("", one.language):
            if piece["lang"].split("-")[0] != language:
                yield f"“{text}” is said to be of “{piece['lang']}”"
            if not gloss and not piece["isPhrase"]:
                yield f"“{text}” has no gloss"
        has_own = gloss not in ("", getattr(WORDS["gloss.none"], one.language))
        if has_own and gloss in meanings.values() and meanings.get(text) != gloss:
            yield f"two words mean {gloss}"
        meanings[text] = gloss
    target = one.pair.split("-")[1]
    is_read = f"{target}-{one.language}" in shipped.names()
    if any(p["isPhrase"] for p in pieces) and is_read and not one.said["line"]:
        yield "a text without the reader's line"


def language_of_quote(one: Found, piece: dict[str, Any]) -> str:
    """The language of what is quoted; empty where both could be."""
    source, target = one.pair.split("-")
    if HAN.search(piece["text"]):
        return "zh"
    if "zh" in (source, target):
        return source if target == "zh" else target
    sides = piece["sides"]
    if len(sides) == 2:
        return ""
    return source if sides == ["src"] else target


# ---------------------------------------------------------------------------------- the report


def report(found: Iterable[Found]) -> Iterator[str]:
    """What is counted over all sentences."""
    by_view: dict[tuple[str, str], list[Found]] = defaultdict(list)
    for one in found:
        by_view[one.view, one.language].append(one)
    for (view, language), ones in by_view.items():
        kinds = Counter(fault for one in ones for fault in set(map(_kind, faults(one))))
        most = Counter(one.sentence for one in ones).most_common(1)[0]
        alike = f"; {most[1]} alike: {most[0]}" if most[1] > MAX_ALIKE * len(ones) // 40 else ""
        yield f"{view:<12} {language} {len(ones)} {dict(kinds)}{alike}"
    for one in by_view.get(("attention", "en"), ()):
        above, rows = one.said["clear"]
        if above >= -(-rows // 3):
            yield f"attention opens on row {above + 1} of {rows}: {one.text}"
    for one in by_view.get(("masks", "en"), ()):
        own = max(one.said["padding"])
        if own > MAX_PADDING:
            yield f"masks has {own} <pad> after the sentence: {one.text}"


def _kind(fault: str) -> str:
    return re.sub(r"“.*”|^[−-]?\d[\d,.]*( ?%)?", "…", fault)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.said", description=__doc__)
    parser.add_argument("pairs", nargs="*", default=shipped.names())
    parser.add_argument("--views", nargs="+", default=views())
    parser.add_argument("--out", type=Path, help="what was read, a line each")
    parser.add_argument("--read", type=Path, nargs="*", help="what was read before")
    given = parser.parse_args()
    if given.read:
        lines = [line for path in given.read for line in path.read_text("utf-8").splitlines()]
        found = [Found(*json.loads(line)) for line in lines]
    else:
        found = []
        for one in read(given.pairs, given.views):
            found.append(one)
            print(
                f"{one.pair} {one.language} {one.view:<12} {one.sentence}",
                *faults(one),
                sep="\n    ! ",
                flush=True,
            )
            if given.out:
                with given.out.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(one, ensure_ascii=False) + "\n")
    print(*report(found), sep="\n")


if __name__ == "__main__":
    main()
