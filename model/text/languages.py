"""The languages that Headlight knows, a row each: what is special to one stands here alone.

The rows travel to the browser as assets/kit/languagetable.js, which this command writes:

    python -m model.text.languages > assets/kit/languagetable.js
"""

from __future__ import annotations

import dataclasses
import json
import re
import sys
import textwrap
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any

from model.text import english

# Letters as they stand in a character class of a regular expression, in Python and JavaScript.
_LATIN = "A-Za-zÀ-ÖØ-öø-\u024f\u1e00-\u1eff"
_HAN = "\u3005\u3007\u2e80-\u2fdf\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
_KANA = "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\uff66-\uff9f"
_CYRILLIC, _ARABIC = "\u0400-\u052f", "\u0620-\u064a\u066e-\u06d3\u06fa-\u06ff"


@dataclass(frozen=True)
class Language:
    """What is special to a language, by its code of two letters.

    `letters` tell it from languages of other scripts; `shared` are letters of another one that it
    is written with too. `tag` is its name in the `lang` of an element, `quotes` are the marks
    around a word that is spoken of, `metric` is the tokenizer of sacrebleu for its sentences.

    Of several languages in one script, `common` words, which the others do not have, tell which one
    a text is in, and so do letters that its words often have: `habits`, regular expressions.

    `numerals` are its words for numbers and what they count, `factors` those that multiply what is
    before them; `numbered` are words that may stand where another language writes a number, as June
    for the month 6 (model/text/numbers.py).

    Words of a family differ by `endings`, of the keys that `base` makes; `is_compounding` says that
    a word may end with another one of its family; `prefixes` before a hyphen are no words.
    """

    code: str
    letters: str = _LATIN
    shared: str = ""
    tag: str = ""  # the code, if empty
    is_spaced: bool = True  # spaces separate its words
    is_wide: bool = False  # its signs are as wide as its letters: model/text/chinese.py
    dictionary: str = ""  # the package that cuts it into words, for a new vocabulary
    is_romanised: bool = False  # a gloss tells how a word is spoken, in Latin letters: pinyin
    quotes: tuple[str, str] = ("“", "”")
    metric: str = "13a"
    common: tuple[str, ...] = ()
    ending: str = ""  # what is cut off the forms of a word; if empty, the rules of english.py hold
    habits: tuple[str, ...] = ()
    numerals: tuple[tuple[str, int], ...] = ()
    factors: tuple[str, ...] = ()
    numbered: tuple[tuple[str, int], ...] = ()
    light: tuple[str, ...] = ()
    endings: tuple[str, ...] = ()
    prefixes: tuple[str, ...] = ()
    is_compounding: bool = False  # Lieblingsspielzeug

    @cached_property
    def words(self) -> re.Pattern[str]:
        """What is counted as a word: a run of letters, or a letter where no space separates words.

        `wordsOf` of assets/kit/languages.js makes the same.
        """
        return re.compile(f"[{self.letters}{self.shared}]{'+' if self.is_spaced else ''}")

    def base(self, word: str) -> str:
        """A key that the forms of a word share; it need not be a word: "Hunde", "Hundes" -> "hund".

        A word without spaces around it has no other forms.
        """
        if UNSPACED.search(word):
            return word
        return re.sub(self.ending, "", word) if self.ending else english.base(word)

    @cached_property
    def marks(self) -> re.Pattern[str]:
        """A letter of its own script."""
        return re.compile(f"[{self.letters}]")


# The commonest words of 160,000 sentences in each; those that both have ("in", "was") are left out,
# and those that one has seldom ("die", "her") are among its habits.
_ENGLISH = """
    a and any are as at by can come could did didn do does doesn don for friend friends from get go
    going good has have he hello him his how i if is it just know let like live lives make me mr
    mrs my of on or our please she should some take than thanks that the there they think this time
    to up very want we were what when where who why would yes you your
"""
_GERMAN = """
    aber alle als auch auf aus bist bitte danke das dass dein deine dem der dich dieser dir diese du
    ein einem einen einer er es etwas für gehen geht guten haben habe hallo hast heute ich ihm ihn
    ihnen ihr ihre im immer ist ja kann kein keine können mehr mein meine mich mir mit morgen möchte
    müssen nach nein nicht nichts noch nur oder schon schön sehr sein sich sie sind tschüss und uns
    viel von vor warum wenn wer werde werden wie wir wird wo wurde wurden zu zum über
"""


def _counted(words: str, values: Iterable[int]) -> tuple[tuple[str, int], ...]:
    """Each word and its number; words with one number have a stroke between them."""
    pairs = zip(words.split(), values, strict=True)
    return tuple((word, value) for forms, value in pairs for word in forms.split("/"))


_TO_BILLION = (*range(20), *range(20, 100, 10), 12, 100, 1_000, 10**6, 10**9)
_NUMBERED = (*range(1, 13), 15, 45, 30)  # months and ordinals, the quarters of an hour
_ENGLISH_NUMERALS = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety
    dozen hundred thousand million billion
"""
_ENGLISH_NUMBERED = """
    first/once/january second/twice/both/pair/couple/february third/march april fifth/may june july
    eighth/august ninth/september october november twelfth/december/noon/midnight
    quarter quarter half
"""
_GERMAN_NUMERALS = """
    null eins/ein zwei/zwo drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn
    fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig dreißig vierzig fünfzig sechzig siebzig
    achtzig neunzig dutzend hundert tausend million/millionen/mio milliarde/milliarden/mrd
"""
_GERMAN_FACTORS = "dutzend hundert tausend million millionen mio milliarde milliarden mrd"
_GERMAN_NUMBERED = """
    erste/ersten/erster/erstes/einmal/januar zweimal/beide/beiden/paar/februar
    dritte/dritten/dritter/drittes/dreimal/märz april/viermal mai/fünfmal juni
    juli/siebte/siebten august/achte/achten september oktober november
    dezember/mittag/mittags/mitternacht viertel viertel halb
"""
_CHINESE_NUMERALS = "零/〇 一 二/两 三 四 五 六 七 八 九 十 百 千 万 亿"
_ENGLISH_LIGHT = """
    a about above after again all almost already also always am among an and another any
    anybody anyone anything are around as at away be because been before being both but by can
    cannot come comes could did do does doing done down during each else even ever every
    everybody everyone everything few for from get gets getting give go goes going gone got had
    has have having he her here hers herself him himself his how however i if in instead into
    is it its itself just let like made make makes making many may me might mine more most much
    must my myself near neither never no nobody none nor not nothing now of off often on once
    one only onto or other others our ours ourselves out over own please put quite rather
    really shall she should since so some somebody someone something soon still such take takes
    taken than that the their theirs them themselves then there these they thing things this
    those though through till to together too took toward towards under until up upon us used
    very want was way we well went were what when where whether which while who whom whose why
    will with within without would yes yet you your yours yourself
"""
_GERMAN_LIGHT = """
    ab aber alle allem allen aller alles als also am an andere anderen anderer auch auf aus bei
    beim bereits bin bis bist bitte da dabei damit danach dann daran darauf daraus darf darin
    darüber das dass dein deine deinem deinen deiner dem den denen denn der deren des dessen
    dich die dies diese diesem diesen dieser dieses dir doch dort du durch dürfen eben ein eine
    einem einen einer eines einige er erst es etwas euch euer eure fast für ganz gar geben
    gegen gehen geht gemacht genug gern gerne gewesen gibt ging habe haben hast hat hatte
    hatten her hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im immer in ins ist
    ja jede jedem jeden jeder jedes jemand jetzt kam kann kannst kein keine keinem keinen
    keiner kommen kommt können könnt könnte könnten lassen lässt machen macht man mehr mein
    meine meinem meinen meiner mich mir mit möchte möchten muss musste müssen nach neben nein
    nicht nichts nie niemand noch nun nur ob oder ohne schon sehr sei sein seine seinem seinen
    seiner seit selbst sich sie sind so sofort sogar solche soll sollen sollte sollten sondern
    über um und uns unser unsere unserem unseren unserer unter viel viele vielen vom von vor
    war waren warum was weil weiter welche welcher wenn wer werde werden wessen wie wieder will
    wir wird wo wollen wollte wollten worden wurde wurden zu zum zur zwischen
"""
# What makes a word of another; "l", "ler" and others double a letter, "v" is that of shelves.
_ENGLISH_ENDINGS = """
    al age an ant ar ary c e ed en ent er es ess est f ful ial ian ic ied ier ies ily ing ion ish
    ism ist ity ive l ler ly ely mer n ner or ory ous per r red s st th ty v y
"""
_GERMAN_ENDINGS = """
    bar d e ei el em en end ens er erei ern es est et ge haft ig in inn is isch lein ler los n nd
    ner nen s sam st t te tes tet tst um ung
"""
_PREFIXES = """
    anti bi co counter de ex inter mega micro mid mini multi neo non post pre pro pseudo re semi sub
    super tri ultra un vice vize
"""
_CHINESE_LIGHT = """
    的 了 着 过 地 得 是 在 有 没 没有 不 我 你 您 他 她 它 我们 你们 他们 她们 它们 这 那 哪
    这个 那个 哪个 这些 那些 这里 那里 哪里 什么 谁 怎么 怎样 为什么 吗 呢 吧 啊 呀 嘛 个 只 条 张
    本 把 件 座 栋 间 家 位 名 辆 杯 些 次 和 与 及 跟 同 或 或者 但 但是 可是 而 而且 并 并且
    因为 所以 如果 要是 就 才 也 都 还 又 再 很 太 更 最 非常 十分 真 被 给 让 使 叫 对 对于 向
    从 到 于 以 为 为了 用 上 下 里 中 内 外 前 后 去 来 出 起 做 会 能 能够 可以 可能 要 应该
    必须 得到 想 一 一个 一些 一下 一点 这样 那样 时 时候 之 其 此 该 每 各 某 等 请 别 已 已经
    正在 自己 大家 地方 东西 所 没什么 说 好 大 小 多 少 人 事 年 月 日 号 点 分 们 样 下来 起来
    出来 进 回 走 看 开 成 当 将 着
"""

# Of languages with one script, the first is the one that stands for the script.
_ROWS = (
    Language(
        "en",
        common=tuple(_ENGLISH.split()),
        habits=(
            *("^(?:all|hand|her|here|no|not|see|us|will)$", "c[aour]", "ea", "ght", "oo", "ow"),
            *("sh", "th", "wh", "ed$", "ing$", "ous$", "tion$", "y$"),
        ),
        numerals=_counted(_ENGLISH_NUMERALS, _TO_BILLION),
        factors=("dozen", "hundred", "thousand", "million", "billion"),
        numbered=_counted(_ENGLISH_NUMBERED, _NUMBERED),
        light=tuple(_ENGLISH_LIGHT.split()),
        endings=tuple(_ENGLISH_ENDINGS.split()),
        prefixes=tuple(_PREFIXES.split()),
    ),
    # Häuser stays apart from Haus: a rule for umlauts would make schön, "beautiful", of schon.
    Language(
        "de",
        quotes=("„", "“"),
        ending="(?<=...)e(?:[mnrs]|[nr][ns])?$|(?<=....)s$",
        common=tuple(_GERMAN.split()),
        habits=(
            *("^(?:bin|da|den|die|gut|hat|hier|man|um|war)$", "[äöüß]", "cht", "ei", "ich", "ie"),
            *("sch", "tz", "en$", "ung$"),
        ),
        numerals=_counted(_GERMAN_NUMERALS, _TO_BILLION),
        factors=tuple(_GERMAN_FACTORS.split()),
        numbered=_counted(_GERMAN_NUMBERED, _NUMBERED),
        light=tuple(_GERMAN_LIGHT.split()),
        endings=tuple(_GERMAN_ENDINGS.split()),
        is_compounding=True,
    ),
    Language("ja", _KANA, shared=_HAN, is_spaced=False, quotes=("「", "」"), metric="char"),
    Language(
        "zh",
        _HAN,
        tag="zh-CN",
        is_spaced=False,
        is_wide=True,
        dictionary="jieba",
        is_romanised=True,
        quotes=("「", "」"),
        metric="zh",
        numerals=_counted(_CHINESE_NUMERALS, (*range(11), 100, 1_000, 10**4, 10**8)),
        factors=tuple("十百千万亿"),
        numbered=_counted("双/俩/对 中午/正午/午夜 刻 刻 半", (2, 12, 15, 45, 30)),
        light=tuple(_CHINESE_LIGHT.split()),
    ),
    # Nothing separates their words, or separates what is less than one: BLEU counts characters.
    Language("th", "\u0e01-\u0e4e", is_spaced=False, metric="char"),
    Language("lo", "\u0e81-\u0ece\u0edc-\u0edf", is_spaced=False, metric="char"),
    Language("km", "\u1780-\u17d3", is_spaced=False, metric="char"),
    Language("my", "\u1000-\u109f", is_spaced=False, metric="char"),
    Language("bo", "\u0f00-\u0fbc", is_spaced=False, metric="char"),
    # Its words have endings for what others have words for: the field counts what mecab cuts.
    Language("ko", "\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3", metric="ko-mecab"),
    Language("he", "\u05d0-\u05ea", quotes=("”", "”")),
    Language("el", "\u0370-\u0373\u0376-\u03ff\u1f00-\u1fff", quotes=("«", "»")),
    Language("hi", "\u0900-\u0963\u0970-\u097f"),
    *(
        Language(code, _CYRILLIC, quotes=("«", "»") if code in ("ru", "uk") else ("„", "“"))
        for code in ("ru", "uk", "bg", "mk", "sr")
    ),
    *(Language(code, _ARABIC, quotes=("«", "»")) for code in ("ar", "fa", "ur")),
)
LANGUAGES: Mapping[str, Language] = MappingProxyType({one.code: one for one in _ROWS})
ENGLISH = LANGUAGES["en"]  # a language without a row has its properties
UNSPACED = re.compile(f"[{''.join(one.letters for one in _ROWS if not one.is_spaced)}]")
# The first row of each script but Latin, which stands in texts of all others.
_OTHERS = tuple({one.letters: one for one in reversed(_ROWS) if one.letters != _LATIN}.values())


def language_of(text: str) -> Language:
    """The language whose script has at least a third of a text's letters; else English.

    Of languages with one script it is the first row: the letters do not tell more. Any kana is
    Japanese, whose other letters are those of Chinese.
    """
    letters = sum(map(str.isalpha, text))
    for one in _OTHERS[::-1]:
        own = len(one.marks.findall(text))
        if own and (one.shared or 3 * own >= letters):
            return one
    return ENGLISH


def language_of_all(texts: Iterable[str], among: Container[str] = LANGUAGES) -> Language:
    """The language of most of some texts; of several with one script, that of their words.

    English if none of them is `among` those known.
    """
    given = list(texts)
    counts = Counter(language_of(text).code for text in given)
    first = LANGUAGES[counts.most_common(1)[0][0]] if counts else ENGLISH
    words = Counter(word for text in given for word in first.words.findall(text.lower()))
    alike = [one for one in _ROWS if one.letters == first.letters and one.code in among]
    known = alike or [ENGLISH]
    return max(known, key=lambda one: sum(words[word] for word in words.keys() & one.common))


def for_browser() -> str:
    """The table as a script: what all rows have, and where each differs."""
    usual = {**dataclasses.asdict(Language("")), "tag": ""}
    rows = [
        {k: v for k, v in dataclasses.asdict(one).items() if v != usual[k] or k == "code"}
        for one in _ROWS
    ]
    return _SCRIPT.format(usual=_written(usual), rows=",\n".join(map(_written, rows)))


def _written(value: dict[str, Any]) -> str:
    return textwrap.fill(json.dumps(value), 98, break_long_words=False, initial_indent="  ")


_SCRIPT = """\
// Written by python -m model.text.languages, which has the explanations.

/** @typedef {{import("./types.js").Language}} Language */

// biome-ignore format: as Python writes it
const USUAL =
{usual};
/** @type {{Partial<Language>[]}} */ // biome-ignore format: as Python writes it
const ROWS = [
{rows},
];

/** By their codes. @type {{Record<string, Language>}} */
export const LANGUAGES = Object.fromEntries(
  ROWS.map((row) => [row.code, {{ ...USUAL, tag: row.code, ...row }}]),
);
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the script; 0, or 2 after a sentence on standard error."""
    from model import cli

    return cli.finished(lambda: sys.stdout.write(for_browser()))


if __name__ == "__main__":
    sys.exit(main())
