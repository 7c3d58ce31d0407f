"""BLEU and chrF (sacrebleu), of one sentence or of many, and the checks that stand beside them."""

from __future__ import annotations

import fnmatch
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from model.errors import InputError
from model.training import corpus
from model.training.corpus import Line


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
    import sacrebleu  # here: on a full disk, which has no room for temporary files, it is refused

    if tokenize == "auto":
        tokenize = tokenizer_for(references)
    width = max(len(refs) for refs in references)
    # sacrebleu takes reference k of all sentences; None says that a sentence has no k-th one.
    streams = [[refs[k] if k < len(refs) else None for refs in references] for k in range(width)]
    bleu = sacrebleu.corpus_bleu(outputs, streams, tokenize=tokenize)
    chrf = sacrebleu.corpus_chrf(outputs, streams)
    return {"bleu": round(bleu.score, 2), "chrf": round(chrf.score, 2)}


def sentence_chrf(output: str, references: Sequence[str]) -> float:
    """The chrF of one sentence, 0 to 100."""
    import sacrebleu  # here, as above

    chrf: float = sacrebleu.sentence_chrf(output, list(references)).score
    return chrf


def repeats(text: str, n: int = 4) -> bool:
    """True if some run of n words, or of n characters in text without spaces, occurs twice.

    Signs are left out: "哈哈哈" and a telephone number are no stutter, so digits are too.
    """
    words = text.split() if " " in text else list(text)
    words = [word for word in words if any(c.isalpha() for c in word)]
    runs = [tuple(words[i : i + n]) for i in range(len(words) - n + 1)]
    return len(set(runs)) < len(runs)


def belongs(line: Line, patterns: Sequence[str]) -> bool:
    """True if the domain of a line matches one of the patterns."""
    return any(fnmatch.fnmatch(line.domain, pattern) for pattern in patterns)


def groups(given: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Names of groups, and the domains of each.

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
