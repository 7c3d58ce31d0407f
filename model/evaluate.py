"""Scores: `python -m model.evaluate --model DIR --data FILE.tsv --beam 4 --json`.

It reports BLEU and chrF (sacrebleu) of a model on files of pairs, in total and per domain. Several
lines with the same source are several references for one sentence. What `model.translate` writes is
compared with the references as the file has them, as `sacrebleu` does on its own.
"""

from __future__ import annotations

import dataclasses
import json
import logging
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from model import cli
from model.errors import InputError
from model.rules import Rules
from model.text.characters import normalise
from model.text.chinese import simplified
from model.training import corpus
from model.training.corpus import Line, as_given
from model.training.scores import (
    Scorer,
    belongs,
    groups,
    repeats,
    signatures,
    tokenizer_for,
)
from model.translate import Decoding, open_model, translate_all

Tokenize = Literal["auto", "13a", "zh", "char", "intl", "ko-mecab", "ja-mecab", "none"]


@dataclass(frozen=True)
class Command(Decoding):
    """Score a model on files of sentence pairs."""

    data: tuple[Path, ...] = ()  # files of source <tab> target [<tab> domain]
    domains: tuple[str, ...] = ()  # only these, * for any ending; default: all
    per_domain: bool = False  # also score each domain
    groups: tuple[str, ...] = ()  # scores of several domains together: talk=radio,film-*
    unlike: Path | None = None  # a training file: also score sentences unlike it
    tokenize: Tokenize = "auto"  # of BLEU; auto: that of the references' language
    simplify: bool = False  # convert references to simplified Chinese, full-width signs
    max_words: int = 0  # leave out longer sources; 0 keeps all
    min_words: int = 0  # shorter ones
    json: bool = False  # print one JSON object


def chosen(command: Command) -> list[Line]:
    """The lines to score.

    Raises:
        InputError: no file is given, one cannot be read, or no lines are left.
    """
    change = simplified if command.simplify else as_given
    if not command.data:
        raise InputError("There is nothing to score; give --data FILE.tsv.")
    every = [line for file in command.data for line in corpus.read_lines(file, change, as_given)]
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
    """Translate, score and print."""
    result = scores(command)
    text = "\n".join(f"{k}: {v}" for k, v in result.items())
    print(json.dumps(result) if command.json else text)


def scores(command: Command) -> dict[str, Any]:
    """Translate and score: {bleu, chrf, sentences, repeating, ...}, `domains` by name."""
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
        "beam": config.beam_size if "beam" in config.method else 1,
        "length_penalty": config.length_penalty,
        "tokenize": tokenize,
        "signature": signatures(answers, tokenize),
        "decoding": dataclasses.asdict(config) | {"rules": chosen_rules(loaded.rules)},
    }
    if command.per_domain or command.groups:
        names = sorted({line.domain for line in lines}) if command.per_domain else []
        result["domains"] = {
            name: scorer.score([line for line in lines if belongs(line, patterns)])
            for name, patterns in [*((name, [name]) for name in names), *groups(command.groups)]
        }
    return result


def chosen_rules(rules: Rules) -> dict[str, Any]:
    """A checkpoint's rules for decoding, without those that it leaves as they are."""
    usual = {field.name: field.default for field in dataclasses.fields(Rules)}
    own = {name: value for name, value in dataclasses.asdict(rules).items() if value != usual[name]}
    for name in ("byte_ids", "numbers"):  # hundreds of numbers that say only that there is the rule
        own.pop(name, None)
    return own


def strange(command: Command, lines: Sequence[Line]) -> frozenset[str] | None:
    """The sources that are unlike the training file; None if there is none."""
    if command.unlike is None:
        return None
    change = simplified if command.simplify else normalise
    sources, answers = corpus.references([line[:2] for line in lines])
    alike = [[change(text) for text in texts] for texts in answers]
    rows = corpus.unlike(sources, alike, corpus.read_pairs(command.unlike, change))
    return frozenset(sources[i] for i in rows)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return 0, or 2 after an error message on standard error."""
    return cli.run(Command, evaluate, arguments, prog="model.evaluate", level=logging.WARNING)


if __name__ == "__main__":
    sys.exit(main())
