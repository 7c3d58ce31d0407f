"""Corpora: what a line becomes, what is left out, how parts and epochs are drawn."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.errors import ConfigError, InputError
from model.text.chinese import simplified
from model.training import corpus
from model.training.corpus import Filter, Line

TWINS = [
    ("I'm a student.", "I am a student!"),
    ("It's a dog.", "It is a dog."),
    ("It's been raining.", "It has been raining."),
    ("What's that?", "What is that?"),
    ("She's left.", "She has left."),
    ("Tom's here.", "Tom is here."),
    ("Let's go.", "Let us go."),
    ("He'd go.", "He would go."),
    ("He'd gone.", "He had gone."),
    ("I can't go.", "i cannot go"),
    ("I can't go.", "I can not go."),
    ("He won't.", "He will not"),
    ("I shan't.", "I shall not."),
    ("They aren't here; we're not.", "They are not here, we are not."),
    ("I'll've gone.", "I will have gone."),
    ("It ain't so.", "It is not so."),
    ("You dont know.", "You don't know."),
    ("I’m gonna win.", "I am going to win."),
    ("D'you know?", "Do you know?"),
    ("Where'd he go?", "Where did he go?"),
    ("You should've come.", "You should have come."),
]


@pytest.mark.parametrize(("one", "other"), TWINS)
def test_nearly_equal_sentences_share_a_key(one: str, other: str) -> None:
    assert corpus.key(one) == corpus.key(other)


def test_other_sentences_do_not() -> None:
    assert corpus.key("It is a dog!") == "it a dog"
    assert corpus.key("I am a teacher.") != corpus.key("I am a student.")
    assert corpus.key("Der Hund schläft.") == "der hund schläft"


# ------------------------------------------------------------------------------------ reading


def test_a_line_names_its_domain(tmp_path: Path) -> None:
    file = tmp_path / "pairs.tsv"
    file.write_text("A dog.\tEin Hund.\tnews\nYes.\tJa.\tCC-BY by Tom\nNo.\tNein.\n", "utf-8")
    assert [line.domain for line in corpus.read_lines(file)] == ["news", "pairs", "pairs"]
    corpus.write_lines(tmp_path / "again.tsv", corpus.read_lines(file))
    assert corpus.read_lines(tmp_path / "again.tsv") == corpus.read_lines(file)


def test_chinese_is_simplified_only_when_asked(tmp_path: Path) -> None:
    file = tmp_path / "pairs.tsv"
    file.write_text("It’s  big, isn't it?\t這很大, 不是嗎?\tCC-BY\n\nHi.\t你好.\n", "utf-8")
    asked = [("It's big, isn't it?", "这很大，不是吗？"), ("Hi.", "你好。")]
    assert corpus.read_pairs(file, simplified) == asked
    assert corpus.read_pairs(file)[0] == ("It's big, isn't it?", "這很大, 不是嗎?")


@pytest.mark.parametrize("separator", ["\u2028", "\u0085", "\x0b", "\x1c", "\r"])
def test_only_a_newline_ends_a_line(tmp_path: Path, separator: str) -> None:
    file = tmp_path / "pairs.tsv"
    text = f"I am{separator}here.\t我在这。\tan{separator}attribution\tx\nHi.\t你好。\r\n"
    file.write_bytes(text.encode())
    assert corpus.read_pairs(file) == [("I am here.", "我在这。"), ("Hi.", "你好。")]


@pytest.mark.parametrize(
    ("content", "says"),
    [(b"no tab here\n", "no tab"), (b"\n\n", "holds no pairs"), (b"\xff\xfe\x00", "UTF-8")],
)
def test_a_broken_corpus_is_refused(tmp_path: Path, content: bytes, says: str) -> None:
    file = tmp_path / "pairs.tsv"
    file.write_bytes(content)
    with pytest.raises(InputError, match=says):
        corpus.read_pairs(file)


# ----------------------------------------------------------------------------------- cleaning


def test_each_rule_leaves_out_its_own() -> None:
    good = [Line(f"This is sentence number {i}.", f"这是第{i}个普通的句子。", "") for i in range(9)]
    bad = {
        "twice": good[0],
        "identical": Line("OK", "ok", "x"),
        "long": Line("word " * 12 + "end", "词" * 40, "x"),
        "script": Line("Sketch by Nitya Narasimhan.", "Sketch by Nitya Narasimhan", "x"),
        "ratio": Line("Somebody is always on duty here.", "哈", "x"),
    }
    kept, left_out = corpus.cleaned([*good, *bad.values()], Filter(12, "LATIN", "CJK", 3.0))
    assert kept == good
    assert left_out == dict.fromkeys(bad, 1)
    assert corpus.cleaned([*good, bad["long"], bad["ratio"]], Filter())[0][-2:] == [
        bad["long"],
        bad["ratio"],
    ]


def test_a_third_of_the_letters_makes_a_script() -> None:
    assert corpus.of_script("Tom是DJ，我也是", "CJK")
    assert not corpus.of_script("GitHub Actions 是", "CJK")
    assert not corpus.of_script("123!", "LATIN")
    assert corpus.of_script("Привет", "CYRILLIC")


# ---------------------------------------------------------------------------------- the parts


@pytest.mark.slow
def test_parts_share_no_sentence_and_depend_on_nothing_else() -> None:
    lines = [Line(f"Sentence {i}.", f"第{i}句。", "ab"[i % 2]) for i in range(3000)]
    parts = corpus.split(lines, 0.1, 0.2)
    keys = [{corpus.key(x.source) for x in part} for part in (parts.train, parts.dev, parts.test)]
    assert not keys[0] & keys[1] and not keys[0] & keys[2] and not keys[1] & keys[2]
    assert sum(map(len, keys)) == 3000
    assert 520 < len(parts.test) < 680 and 220 < len(parts.dev) < 380
    assert 0.4 < sum(x.domain == "a" for x in parts.test) / len(parts.test) < 0.6
    assert corpus.split(lines[:100], 0.1, 0.2).test == [x for x in lines[:100] if x in parts.test]


@pytest.mark.parametrize(("one", "other"), TWINS)
def test_twins_fall_into_the_same_part(one: str, other: str) -> None:
    for word in ("red", "green", "blue", "old", "new", "big", "hot"):
        twins = [Line(f"{word}: {one}", "甲", "x"), Line(f"{word}: {other}", "乙", "y")]
        parts = corpus.split(twins, 0.3, 0.3)
        assert max(map(len, (parts.train, parts.dev, parts.test))) == 2


LINES = [Line(f"a{i}", f"b{i}", "big") for i in range(60)]
LINES += [Line(f"c{i}", f"d{i}", "web-one") for i in range(50)]


def test_a_pass_holds_each_pair_once_but_for_caps() -> None:
    epochs = [corpus.draw(LINES, "web-*=20", 3, 1, epoch) for epoch in range(6)]
    for whole in (epochs[:3], epochs[3:]):
        pairs = [pair for epoch in whole for pair in epoch]
        assert len(pairs) == len(set(pairs)) == 80
        assert Counter(source[0] for source, _ in pairs) == {"a": 60, "c": 20}
    webs = [{s for e in part for s, _ in e if s[0] == "c"} for part in (epochs[:3], epochs[3:])]
    assert webs[0] != webs[1]  # drawn anew in each pass
    assert corpus.draw(LINES, "web-*=20", 3, 1, 4) == epochs[4]
    assert corpus.draw(LINES, "web-*=20", 3, 2, 4) != epochs[4]


@pytest.mark.parametrize(
    ("caps", "big", "web"),
    [
        ("web-*=20,*=5", 5, 20),
        ("*=5,web-*=20", 5, 5),
        ("web-*=100,web-one=7", 60, 50),
        ("BIG=3", 60, 50),
    ],
)
def test_the_first_cap_that_fits_a_domain_counts(caps: str, big: int, web: int) -> None:
    drawn = Counter(source[0] for source, _ in corpus.draw(LINES, caps, 1, 1, 0))
    assert drawn == {"a": big, "c": web}


@pytest.mark.parametrize("caps", ["news", "news=", "=3", "news=0", "news=-1", "a=1;b=2"])
def test_caps_that_say_nothing_are_refused(caps: str) -> None:
    with pytest.raises(ConfigError, match="caps"):
        corpus.parse_caps(caps)


@pytest.mark.slow
@given(st.dictionaries(st.from_regex(r"[a-z*-]{1,8}", fullmatch=True), st.integers(1, 9)))
def test_caps_are_read_as_written(caps: dict[str, int]) -> None:
    text = ",".join(f"{name}={n}" for name, n in caps.items())
    assert corpus.parse_caps(text) == list(caps.items())


# ------------------------------------------------------------------------------------ scoring


def test_unlike_means_new_words_and_a_new_answer() -> None:
    train = [("The dog bit the man.", "狗咬人。"), ("Hello.", "你好。")]
    sentences = ["The dog bit the woman.", "Hi there.", "We drink tea."]
    answers = [["狗咬女人。"], ["你好。"], ["我们喝茶。"]]
    # "the dog bit the woman" shares the, dog, bit of the, dog, bit, man, woman: 3/5 = 0.6, alike.
    assert corpus.unlike(sentences, answers, train) == [2]


def test_chinese_is_unlike_by_its_characters() -> None:
    train = [("我昨天在车站遇到了他。", "I met him at the station yesterday.")]
    sentences = [
        "我昨天在车站遇到了她！",
        "他在车站遇到昨天的我。",
        "我今天没去车站。",
        "Tom在车站。",
    ]
    answers = [["I met her."], ["He met me."], ["I did not go."], ["Tom is there."]]
    assert corpus.unlike(sentences, answers, train) == [2, 3]
