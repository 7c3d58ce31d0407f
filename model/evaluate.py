"""Scores: `python -m model.evaluate --model DIR --data FILE.tsv --beam 4 --json`.

BLEU (sacrebleu, `zh` tokeniser) and chrF of a model on a file of pairs. Several lines with one
English side are several references of one sentence. References are read as in training (`data.py`):
simplified characters, full-width punctuation, each once.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import sacrebleu

from model import data
from model.errors import HeadlightError
from model.translate import decode_arguments, open_model, translate_all


def score(outputs: Sequence[str], references: Sequence[Sequence[str]]) -> dict[str, float]:
    """Corpus BLEU and chrF, 0 to 100; each output has one reference or more."""
    width = max(len(refs) for refs in references)
    # sacrebleu takes reference k of all sentences; None says that a sentence has no k-th one.
    streams = [[refs[k] if k < len(refs) else None for refs in references] for k in range(width)]
    bleu = sacrebleu.corpus_bleu(outputs, streams, tokenize="zh")
    chrf = sacrebleu.corpus_chrf(outputs, streams)
    return {"bleu": round(bleu.score, 2), "chrf": round(chrf.score, 2)}


def main(arguments: list[str] | None = None) -> int:
    """Run the command; 0, or 2 with a sentence on standard error."""
    parser = argparse.ArgumentParser(description="Score a model on a file of sentence pairs.")
    decode_arguments(parser)
    parser.add_argument(
        "--data", type=Path, required=True, help="English <tab> Chinese, a pair a line"
    )
    parser.add_argument("--unlike", type=Path, help="training file: also score what is unlike it")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    args = parser.parse_args(arguments)
    try:
        loaded, config = open_model(args)
        sources, answers = data.references(data.read_pairs(args.data))
        started = time.perf_counter()
        outputs = translate_all(loaded, sources, config)
        seconds = time.perf_counter() - started
        result = {
            **score(outputs, answers),
            "sentences": len(sources),
            "seconds": round(seconds, 2),
            "beam": args.beam,
            "length_penalty": args.length_penalty,
        }
        if args.unlike:
            rows = data.unlike(sources, answers, data.read_pairs(args.unlike))
            result["unlike"] = {"sentences": len(rows)}
            if rows:
                result["unlike"] |= score([outputs[i] for i in rows], [answers[i] for i in rows])
    except HeadlightError as error:
        print(error, file=sys.stderr)
        return 2
    print(json.dumps(result) if args.json else "\n".join(f"{k}: {v}" for k, v in result.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
