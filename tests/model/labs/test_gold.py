"""The pairs aligned by hand beside the shipped model: whole words, true spans, none forgotten."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from explorer import deploy
from explorer.examples import EXAMPLES
from model.errors import InputError
from model.labs.alignment import gold_pair, read_gold, turned

GOLD = Path(__file__).parents[3] / "assets/models/en-zh/gold.jsonl"
PAIRS: list[dict[str, Any]] = [json.loads(line) for line in GOLD.read_text("utf-8").splitlines()]
WORD = re.compile(r"Mt\.|\w+(?:'\w+)?|[^\w\s]")
FUNCTION = set(re.findall(r"[\w']+", """
    a an the is are was were be am do does did have has had will would can may to of in on at by
    for from into with about as that than and or but so when if there it its i you he she we they
    me him her us them my your his our i'm i'll you've he's what what's going
"""))  # fmt: skip
# Content words whose Chinese is another construction: their links are possible ones alone.
LOOSE = {"mind", "long", "like", "before", "story", "belong"}


def faults(pair: dict[str, Any]) -> list[str]:
    """What is wrong with the form of a pair, one word each; nothing for a good one."""
    if set(pair) != {"source", "target", "sure", "possible"}:
        return ["keys"]
    links = [*pair["sure"], *pair["possible"]]
    found = []
    if not all(
        0 <= start < end <= len(pair[side])
        for link in links
        for side, (start, end) in zip(("source", "target"), link, strict=True)
    ):
        found.append("span")
    if not {tuple(source) for source, _ in links} <= {match.span() for match in words(pair)}:
        found.append("word")
    cells = [
        (start, place)
        for (start, _), (first, last) in links
        for place in range(first, last)
    ]  # fmt: skip
    if len(cells) != len(set(cells)):
        found.append("twice")
    return found


def words(pair: dict[str, Any]) -> list[re.Match[str]]:
    return list(WORD.finditer(pair["source"]))


def unlinked(pair: dict[str, Any], kinds: tuple[str, ...]) -> set[str]:
    """The content words of a pair without a link of these kinds."""
    linked = {tuple(source) for kind in kinds for source, _ in pair[kind]}
    return {
        match.group().lower() for match in words(pair)
        if match.group()[0].isalnum() and match.span() not in linked
    } - FUNCTION  # fmt: skip


def test_there_are_100_different_pairs_in_good_form() -> None:
    assert len(PAIRS) == 100
    assert len({pair["source"] for pair in PAIRS}) == 100
    assert len({pair["target"] for pair in PAIRS}) == 100
    assert {pair["source"]: faults(pair) for pair in PAIRS if faults(pair)} == {}


def empty(pair: dict[str, Any]) -> None:
    pair["sure"][0][1] = [2, 2]


def outside(pair: dict[str, Any]) -> None:
    pair["possible"][0][1] = [0, len(pair["target"]) + 1]


def shifted(pair: dict[str, Any]) -> None:
    pair["sure"][0][0] = [end + 1 for end in pair["sure"][0][0]]


def doubled(pair: dict[str, Any]) -> None:
    pair["possible"].append(pair["sure"][0])


@pytest.mark.parametrize(
    ("spoil", "fault"), [(empty, "span"), (outside, "span"), (shifted, "word"), (doubled, "twice")]
)
def test_a_spoilt_pair_is_seen(spoil: Callable[[dict[str, Any]], None], fault: str) -> None:
    pair = copy.deepcopy(PAIRS[0])
    spoil(pair)
    assert fault in faults(pair)


def test_turned_round_the_same_characters_are_linked_to_words_without_overlaps() -> None:
    """盖满 and 盖满了 of one pair: a Chinese word is what no link divides."""

    def cells(pair: dict[str, Any], kind: str, word: int) -> set[tuple[int, int, int]]:
        links = [(link[word], link[1 - word]) for link in pair[kind]]
        return {(*span, place) for span, run in links for place in range(*run)}

    for pair in PAIRS:
        back = turned(pair)
        assert (back["source"], back["target"]) == (pair["target"], pair["source"])
        for kind in ("sure", "possible"):
            assert cells(back, kind, 1) == cells(pair, kind, 0)
        words = gold_pair(back).words
        assert all(last <= start for (_, last), (start, _) in pairwise(words))


def test_every_content_word_is_linked() -> None:
    assert {word for pair in PAIRS for word in unlinked(pair, ("sure", "possible"))} == set()
    assert {word for pair in PAIRS for word in unlinked(pair, ("sure",))} == LOOSE
    first = PAIRS[0]
    assert unlinked(first | {"sure": first["sure"][1:]}, ("sure", "possible")) == {"safe"}


def test_the_sentences_are_short_and_not_those_of_the_page() -> None:
    assert all(5 <= len(pair["source"].split()) <= 12 for pair in PAIRS)
    assert not {pair["source"] for pair in PAIRS} & {example.text for example in EXAMPLES}


def test_a_space_gets_the_pairs_and_their_guidelines() -> None:
    assert {GOLD, GOLD.with_suffix(".md")} <= set(deploy.wanted())


@pytest.mark.parametrize("raw", [b"{", b'{"source": 1}', b"\xff\xfe", b"", b'["' + b"x" * 9_000])
def test_a_broken_file_is_told_without_a_path_of_the_machine(raw: bytes, tmp_path: Path) -> None:
    """The page shows this sentence."""
    file = tmp_path / "gold.jsonl"
    file.write_bytes(raw)
    for path in (file, tmp_path / "missing.jsonl", tmp_path):
        with pytest.raises(InputError) as caught:
            read_gold(path)
        assert str(tmp_path.parent) not in str(caught.value) and len(str(caught.value)) <= 300
