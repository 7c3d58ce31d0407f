"""Rules for Chinese targets: simplified characters, full-width signs."""

from __future__ import annotations

import functools
import re

from model.text.characters import normalise

_WIDE = "\u3000-\u9fff\uff00-\uffef"  # Chinese characters and full-width signs
_SPACE_BESIDE_WIDE = re.compile(f"(?<=[{_WIDE}]) | (?=[{_WIDE}])|(?<=[{_WIDE}]) (?=[,!?:;)])")
_NARROW_AFTER_WIDE = re.compile(f"(?<=[{_WIDE}])[,!?:;()]+|(?<=[\u3400-\u9fff])\\.(?=\\s|$)")
_WIDER = str.maketrans(",!?:;().", "，！？：；（）。")


def simplified(text: str) -> str:
    """Convert a target to the shipped model's form: simplified characters in `chinese_form`."""
    return chinese_form(_converter().convert(text))


@functools.cache
def _converter():  # type: ignore[no-untyped-def]
    import opencc  # imported only when used

    return opencc.OpenCC("t2s")


def chinese_form(text: str) -> str:
    """Give Chinese full-width punctuation, without spaces between characters.

    "你 好 , 汤姆!!" -> "你好，汤姆！！"; text in this form does not change.
    """
    text, before = normalise(text), ""
    while text != before:  # a sign that was widened can touch the next one
        before = text
        text = _SPACE_BESIDE_WIDE.sub("", text)
        text = _NARROW_AFTER_WIDE.sub(lambda match: match[0].translate(_WIDER), text)
    return text
