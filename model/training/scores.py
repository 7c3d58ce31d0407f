"""BLEU and chrF (sacrebleu) of one sentence or many, and checks for repetition and domains."""

from __future__ import annotations

import fnmatch
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from model.errors import InputError
from model.text.languages import language_of_all
from model.training import corpus
from model.training.corpus import Line

log = logging.getLogger(__name__)


def tokenizer_for(references: Sequence[Sequence[str]]) -> str:
    """The sacrebleu tokenizer for the language of most references.

    13a in place of one whose dictionary is not installed, with a warning: the score is then none
    that others print for that language.
    """
    import sacrebleu  # imported here, as below

    metric = language_of_all(refs[0] for refs in references).metric
    try:
        sacrebleu.BLEU(tokenize=metric)
    except RuntimeError:
        log.warning(
            "BLEU of this language is counted with %s, which needs a dictionary (pip install "
            '"sacrebleu[%s]"); this one is counted with 13a.', metric, metric[:2],
        )  # fmt: skip
        return "13a"
    return metric


def score(
    outputs: Sequence[str], references: Sequence[Sequence[str]], tokenize: str = "auto"
) -> dict[str, float]:
    """Corpus BLEU and chrF, 0 to 100; each output has one reference or more."""
    metrics = metrics_of(references, tokenize)
    width = max(len(refs) for refs in references)
    # sacrebleu takes reference k of all sentences; None means that a sentence has no k-th one.
    streams = [[refs[k] if k < len(refs) else None for refs in references] for k in range(width)]
    return {
        name: round(metric.corpus_score(outputs, streams).score, 2)
        for name, metric in metrics.items()
    }


def metrics_of(references: Sequence[Sequence[str]], tokenize: str = "auto") -> dict[str, Any]:
    """The metrics of sacrebleu; "auto" is the tokenizer of the references' language."""
    import sacrebleu  # imported here: it fails on a full disk, without room for temporary files

    if tokenize == "auto":
        tokenize = tokenizer_for(references)
    return {"bleu": sacrebleu.BLEU(tokenize=tokenize), "chrf": sacrebleu.CHRF()}


def signatures(references: Sequence[Sequence[str]], tokenize: str) -> dict[str, str]:
    """How each score was counted, in the words that papers print beside it."""
    metrics = metrics_of(references, tokenize)
    several = {len(refs) for refs in references}
    for metric in metrics.values():
        metric.num_refs = max(several) if len(several) == 1 else -1  # "var"
    return {name: str(metric.get_signature()) for name, metric in metrics.items()}


def sentence_chrf(output: str, references: Sequence[str]) -> float:
    """The chrF of one sentence, 0 to 100."""
    import sacrebleu  # imported here, as above

    chrf: float = sacrebleu.sentence_chrf(output, list(references)).score
    return chrf


def repeats(text: str, n: int = 4) -> bool:
    """True if some run of n words, or of n characters in text without spaces, occurs twice.

    Signs and digits are ignored: "哈哈哈" or a phone number is not a repetition.
    """
    words = text.split() if " " in text else list(text)
    words = [word for word in words if any(c.isalpha() for c in word)]
    runs = [tuple(words[i : i + n]) for i in range(len(words) - n + 1)]
    return len(set(runs)) < len(runs)


def belongs(line: Line, patterns: Sequence[str]) -> bool:
    """True if the domain of a line matches one of the patterns."""
    return any(fnmatch.fnmatch(line.domain, pattern) for pattern in patterns)


def groups(given: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Parse the names of groups and the domains of each.

    Raises:
        InputError: a group is not name=domain,domain.
    """
    result = []
    for group in given:
        name, equals, domains = group.partition("=")
        if not (name and equals and domains):
            raise InputError(f"The group {group!r} should be name=domain,domain.")
        result.append((name, domains.split(",")))
    return result


@dataclass(frozen=True)
class Scorer:
    """Scores any subset of the translations against its references."""

    outputs: dict[str, str]  # the references of each source
    tokenize: str
    unlike: frozenset[str] | None

    def score(self, lines: Sequence[Line]) -> dict[str, Any]:
        """Score some lines, and those among them that are unlike the training data."""
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
