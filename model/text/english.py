"""English words that are one word in different forms: give, gave; don't is do and not."""

from __future__ import annotations

import functools
import re

# The first of each line is the form that the others count as.
_IRREGULAR = """
news
be am is are was were been being
do does did done
have has had
go goes went gone
get got gotten
make made
say said
see saw seen
take took taken
come came
know knew known
think thought
give gave given
find found
tell told
leave left
feel felt
bring brought
begin began begun
keep kept
hold held
write wrote written
stand stood
hear heard
mean meant
meet met
run ran
pay paid
sit sat
speak spoke spoken
lie lay lain
lead led
read reading
grow grew grown
lose lost
fall fell fallen
send sent
build built
understand understood
draw drew drawn
break broke broken
spend spent
drive drove driven
buy bought
wear wore worn
choose chose chosen
eat ate eaten
drink drank drunk
sing sang sung
swim swam swum
sleep slept
fly flew flown
forget forgot forgotten
teach taught
catch caught
fight fought
sell sold
win won
throw threw thrown
ride rode ridden
rise rose risen
steal stole stolen
hide hid hidden
hang hung
die dying
feed fed
shoot shot
wake woke woken
become became
child children
man men
woman women
foot feet
tooth teeth
person people
life lives
wife wives
leaf leaves
i me
he him
she her
we us
they them
a an
"""
BASES = {form: line.split()[0] for line in _IRREGULAR.split("\n") for form in line.split()}
_CLITICS = {
    "n't": "not", "'m": "am", "'re": "are", "'ve": "have", "'ll": "will", "'d": "would",
}  # fmt: skip
_IS = frozenset("it that he she what there where who how here this when".split())  # noqa: SIM905
_CLITIC = re.compile(r"(.+?)(n't|'(?:m|re|ve|ll|d|s))$")
_ODD = {"can't": "can", "won't": "will", "shan't": "shall", "cannot": "can"}


def parts(word: str) -> tuple[str, ...]:
    """The words in a contraction, in small letters; "you'll" -> "you", "will"; else the word."""
    word = word.replace("’", "'")
    if word in _ODD:
        return (_ODD[word], "not")
    found = _CLITIC.fullmatch(word)
    if found is None:
        return (word,)
    first, clitic = found.groups()
    if clitic != "'s":
        return (first, _CLITICS[clitic])
    return (first, "us") if first == "let" else (first, "is") if first in _IS else (first,)


@functools.cache
def base(word: str) -> str:
    """A key that the forms of a word share; it need not be a word: "making", "made" -> "mak"."""
    if word in BASES:
        return BASES[word].removesuffix("e")
    for ending, instead in (
        ("ies", "y"),
        ("ied", "y"),
        ("ing", ""),
        ("ed", ""),
        ("es", ""),
        ("s", ""),
    ):
        stem = word.removesuffix(ending)
        if stem == word or len(stem) < 3 or word.endswith(("ss", "us", "is")):
            continue
        if ending == "es" and not stem.endswith(("s", "x", "ch", "sh")):
            continue
        if ending in ("ing", "ed") and not re.search("[aeiouy]", stem):
            continue
        if ending in ("ing", "ed") and stem[-1] == stem[-2] and stem[-1] not in "sl":
            stem = stem[:-1]
        found = stem + instead
        return BASES.get(found, BASES.get(found + "e", found)).removesuffix("e")
    return word.removesuffix("e") if len(word) > 3 else word


# The keys of the verbs that often only help another: are reading, do not read, have read.
AUXILIARIES = frozenset(map(base, ("be", "do", "have")))
