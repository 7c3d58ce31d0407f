"""Scores: `python -m model.evaluate --model DIR --data FILE.tsv --beam 4 --json`.

BLEU and chrF (sacrebleu) of a model on files of pairs, in all and per domain. Several lines with
one source are several references of one sentence.
"""

from __future__ import annotations

import fnmatch
import json
import logging
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import sacrebleu

from model import cli, corpus
from model.chinese import simplified
from model.corpus import Line
from model.errors import InputError
from model.tokenizer import normalise
from model.translate import Decoding, open_model, translate_all

Tokenize = Literal["auto", "13a", "zh", "char", "intl", "none"]


def tokenizer_for(references: Sequence[Sequence[str]]) -> str:
    """How sacrebleu should cut a language: zh where Chinese characters stand in most references.

    Anything else gets 13a, its own default; Japanese with kana gets char.
    """
    texts = [refs[0] for refs in references]
    kana = sum(any("\u3040" <= c <= "\u30ff" for c in text) for text in texts)
    chinese = sum(corpus.of_script(text, "CJK") for text in texts)
    if 2 * kana > len(texts):
        return "char"
    return "zh" if 2 * chinese > len(texts) else "13a"


def score(
    outputs: Sequence[str], references: Sequence[Sequence[str]], tokenize: str = "auto"
) -> dict[str, float]:
    """Corpus BLEU and chrF, 0 to 100; each output has one reference or more."""
    if tokenize == "auto":
        tokenize = tokenizer_for(references)
    width = max(len(refs) for refs in references)
    # sacrebleu takes reference k of all sentences; None says that a sentence has no k-th one.
    streams = [[refs[k] if k < len(refs) else None for refs in references] for k in range(width)]
    bleu = sacrebleu.corpus_bleu(outputs, streams, tokenize=tokenize)
    chrf = sacrebleu.corpus_chrf(outputs, streams)
    return {"bleu": round(bleu.score, 2), "chrf": round(chrf.score, 2)}


def repeats(text: str, n: int = 4) -> bool:
    """Whether some run of n words, or of n characters in text without spaces, occurs twice.

    Signs are left out: "哈哈哈" and a telephone number are no stutter, so digits are too.
    """
    words = text.split() if " " in text else list(text)
    words = [word for word in words if any(c.isalpha() for c in word)]
    runs = [tuple(words[i : i + n]) for i in range(len(words) - n + 1)]
    return len(set(runs)) < len(runs)


@dataclass(frozen=True)
class Command(Decoding):
    """Score a model on files of sentence pairs."""

    data: tuple[Path, ...] = ()  # files of source <tab> target [<tab> domain]
    domains: tuple[str, ...] = ()  # only these, with * for any ending; without: all
    per_domain: bool = False  # also the scores of each domain
    groups: tuple[str, ...] = ()  # scores of several domains together: talk=radio,film-*
    unlike: Path | None = None  # a training file: also score what is unlike it
    tokenize: Tokenize = "auto"  # of BLEU; auto: zh for Chinese targets, char for Japanese, 13a
    simplify: bool = False  # make the references simplified Chinese with full-width signs
    max_words: int = 0  # longer sources are left out; 0 keeps all
    min_words: int = 0  # shorter ones
    json: bool = False  # print one JSON object


def chosen(command: Command) -> list[Line]:
    """The lines that are scored.

    Raises:
        InputError: no file is given, one cannot be read, or nothing is left.
    """
    change = simplified if command.simplify else normalise
    if not command.data:
        raise InputError("There is nothing to score; give --data FILE.tsv.")
    every = [line for file in command.data for line in corpus.read_lines(file, change)]
    names = command.domains or ("*",)
    most = command.max_words or sys.maxsize
    lines = [
        line
        for line in every
        if belongs(line, names) and command.min_words <= len(line.source.split()) <= most
    ]
    if not lines:
        raise InputError(
            f"There is nothing to score: no sentence of that length in {', '.join(names)}; the "
            f"data has {', '.join(sorted({line.domain for line in every}))}."
        )
    return lines


def evaluate(command: Command) -> None:
    """Translate, score, print."""
    lines = chosen(command)
    loaded, config = open_model(command)
    sources, answers = corpus.references([line[:2] for line in lines])
    started = time.perf_counter()
    outputs = translate_all(loaded, sources, config)
    seconds = time.perf_counter() - started
    tokenize = tokenizer_for(answers) if command.tokenize == "auto" else command.tokenize
    scorer = Scorer(dict(zip(sources, outputs, strict=True)), tokenize, strange(command, lines))
    result: dict[str, Any] = {
        **scorer.score(lines),
        "repeating": sum(map(repeats, outputs)),
        "seconds": round(seconds, 2),
        "beam": command.beam,
        "length_penalty": command.length_penalty,
        "tokenize": tokenize,
    }
    if command.per_domain or command.groups:
        names = sorted({line.domain for line in lines}) if command.per_domain else []
        result["domains"] = {
            name: scorer.score([line for line in lines if belongs(line, patterns)])
            for name, patterns in [*((name, [name]) for name in names), *groups(command)]
        }
    text = "\n".join(f"{k}: {v}" for k, v in result.items())
    print(json.dumps(result) if command.json else text)


def belongs(line: Line, patterns: Sequence[str]) -> bool:
    """Whether the domain of a line is one of those meant."""
    return any(fnmatch.fnmatch(line.domain, pattern) for pattern in patterns)


def groups(command: Command) -> list[tuple[str, list[str]]]:
    """Names of groups, and the domains of each.

    Raises:
        InputError: a group is not name=domain,domain.
    """
    result = []
    for group in command.groups:
        name, equals, domains = group.partition("=")
        if not (name and equals and domains):
            raise InputError(f"The group {group!r} should be name=domain,domain.")
        result.append((name, domains.split(",")))
    return result


def strange(command: Command, lines: Sequence[Line]) -> frozenset[str] | None:
    """The sources that are unlike the training file; None where none is given."""
    if command.unlike is None:
        return None
    change = simplified if command.simplify else normalise
    sources, answers = corpus.references([line[:2] for line in lines])
    rows = corpus.unlike(sources, answers, corpus.read_pairs(command.unlike, change))
    return frozenset(sources[i] for i in rows)


@dataclass(frozen=True)
class Scorer:
    """Scores of any part of what was translated, against the references of that part."""

    outputs: dict[str, str]  # of each source
    tokenize: str
    unlike: frozenset[str] | None

    def score(self, lines: Sequence[Line]) -> dict[str, Any]:
        """The scores of some lines, and of those of them that are unlike the training."""
        if not lines:
            return {"sentences": 0}
        result: dict[str, Any] = self._score(lines)
        if self.unlike is not None:
            result["unlike"] = self._score([x for x in lines if x.source in self.unlike])
        return result

    def _score(self, lines: Sequence[Line]) -> dict[str, Any]:
        sources, answers = corpus.references([line[:2] for line in lines])
        outputs = [self.outputs[source] for source in sources]
        scores = score(outputs, answers, self.tokenize) if sources else {}
        return {**scores, "sentences": len(sources)}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; 0, or 2 with a sentence on standard error."""
    return cli.run(Command, evaluate, arguments, prog="model.evaluate", level=logging.WARNING)


if __name__ == "__main__":
    sys.exit(main())
