"""Which byte may follow which, against Python's own decoder."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from model.text import utf8

# The first two bytes of every character that has more than one; from three on 64 share them.
BEGINNINGS = {
    chr(code).encode()[:2]
    for code in (*range(0x80, 0x800), *range(0x800, 0x110000, 64))
    if not 0xD800 <= code < 0xE000
}


def is_decodable(raw: bytes) -> bool:
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def allowed(written: bytes, room: int) -> set[int]:
    found = utf8.continuing(written)
    return set(range(256)).difference(utf8.misplaced(min(room, 4))) if found is None else {*found}


def beginnings() -> set[bytes]:
    """The first two bytes of every character, by the table."""
    firsts = set(range(256)).difference(utf8.misplaced(4))
    return {bytes([one, two]) for one in firsts for two in utf8.continuing([one]) or ()}


def test_the_table_has_the_beginnings_of_all_characters() -> None:
    assert beginnings() == BEGINNINGS


@pytest.mark.parametrize("first", [0xE0, 0xED, 0xF0, 0xF4])
def test_a_table_without_one_of_its_ranges_is_told(
    monkeypatch: pytest.MonkeyPatch, first: int
) -> None:
    monkeypatch.delitem(utf8._SECOND, first)
    assert {pair[0] for pair in beginnings() ^ BEGINNINGS} == {first}


@given(st.data())
def test_what_is_allowed_decodes(data: st.DataObject) -> None:
    """Any bytes, likely ones of all widths, that the table allows before a limit."""
    limit = data.draw(st.integers(1, 12))
    raw = b""
    while len(raw) < limit:
        first = data.draw(st.sampled_from([0x41, 0xC2, 0xE0, 0xE4, 0xED, 0xF0, 0xF4]))
        bytes_left = allowed(raw, limit - len(raw))
        byte = first if first in bytes_left else data.draw(st.sampled_from(sorted(bytes_left)))
        raw += bytes([byte])
    assert is_decodable(raw)


@given(st.text(st.characters(exclude_categories=["Cs"])))
@example("\0\x7f\x80\u07ff\u0800\u0fff\u1000\ucfff\ud000\ud7ff\ue000\ufffd\uffff")
@example("\U00010000\U0003ffff\U00040000\U000fffff\U00100000\U0010ffff")
@example("東京 हि 🙂 👩‍👩‍👧 ß")
def test_every_text_is_allowed(text: str) -> None:
    raw = text.encode()
    assert all(byte in allowed(raw[:i], len(raw) - i) for i, byte in enumerate(raw))


@pytest.mark.parametrize(
    "written", [b"", b"a", b"\xe4\xbd\xa0", b"\x80\x80", b"\xe0\x80", b"\xed\xa0", b"\xff", b"\xc0"]
)
def test_after_a_whole_character_or_none_a_new_one_begins(written: bytes) -> None:
    assert utf8.continuing(written) is None
