"""The example sentences of the page, each with the point that it shows."""

from __future__ import annotations

from dataclasses import dataclass

from explorer.openers import Openers


@dataclass(frozen=True)
class Example:
    """A sentence, and the key of the words that say why to try it."""

    text: str
    shows: str


EXAMPLES: tuple[Example, ...] = (
    Example("I am a student.", "example.plain"),
    Example("Why do we work?", "example.question"),
    Example("Where is the station?", "example.question"),
    Example("I know that you know that I know.", "example.repeated"),
    Example("She is taller than her brothers are.", "example.agreement"),
    Example("I have never been to China.", "example.negation"),
    Example("I met him at the station yesterday.", "example.reordering"),
    Example("Gandalf lives in Rivendell.", "example.unknown"),
    Example("I like cats. 😀", "example.emoji"),
)


CHINESE: tuple[Example, ...] = (
    Example("我是一个学生。", "example.plain"),
    Example("我们为什么工作？", "example.question"),
    Example("车站在哪里？", "example.question"),
    Example("我知道你知道我知道。", "example.repeated"),
    Example("她的兄弟们都没有她高。", "example.agreement"),
    Example("我从来没有去过中国。", "example.negation"),
    Example("我昨天在车站遇到了他。", "example.reordering"),
    Example("甘道夫住在幽谷。", "example.unknown"),
    Example("我喜欢猫。😀", "example.emoji"),
)


def examples(openers: Openers | None, pair: str) -> tuple[Example, ...]:
    """The examples for a model, its opening sentence first; Chinese ones if it reads Chinese."""
    own = CHINESE if pair.startswith("zh-") else EXAMPLES
    return tuple(dict.fromkeys((opening(openers, pair), *own)))


def opening(openers: Openers | None, pair: str = "") -> Example:
    """A model's opening sentence: the one measured for it, else the first of its examples."""
    if openers is not None:
        return Example(openers.default, "example.opening")
    return CHINESE[0] if pair.startswith("zh-") else EXAMPLES[0]
