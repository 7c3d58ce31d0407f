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


GERMAN: tuple[Example, ...] = (
    Example("Ich bin Studentin.", "example.plain"),
    Example("Warum arbeiten wir?", "example.question"),
    Example("Wo ist der Bahnhof?", "example.question"),
    Example("Ich weiß, dass du weißt, dass ich weiß.", "example.repeated"),
    Example("Sie ist größer, als ihre Brüder es sind.", "example.agreement"),
    Example("Ich war noch nie in China.", "example.negation"),
    Example("Gestern habe ich ihn am Bahnhof getroffen.", "example.reordering"),
    Example("Gandalf lebt in Bruchtal.", "example.unknown"),
    Example("Ich mag Katzen. 😀", "example.emoji"),
)

BY_LANGUAGE = {"en": EXAMPLES, "zh": CHINESE, "de": GERMAN}  # by the language that a model reads


def examples(openers: Openers | None, pair: str) -> tuple[Example, ...]:
    """The examples for a model in the language that it reads, its opening sentence first."""
    return tuple(dict.fromkeys((opening(openers, pair), *_own(pair))))


def _own(pair: str) -> tuple[Example, ...]:
    """English ones for a language without."""
    return BY_LANGUAGE.get(pair.partition("-")[0], EXAMPLES)


def opening(openers: Openers | None, pair: str = "") -> Example:
    """A model's opening sentence: the one measured for it, else the first of its examples."""
    if openers is not None:
        return Example(openers.default, "example.opening")
    return _own(pair)[0]
