"""python -m model.labs.why --text ... --step 3 --instead-of 狗: the parts of a difference."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from model import cli
from model.checkpoint import SHIPPED
from model.explain import Explainer
from model.labs.why.heads import without_heads
from model.labs.why.report import answer
from model.labs.why.rivals import asked
from model.labs.why.split import why


@dataclass(frozen=True)
class Command:
    """Split the logit of the written token minus that of a different one into its parts."""

    text: str  # the sentence
    step: int | None = None  # counted from 1; default: where two candidates were closest
    instead_of: str | None = None  # a piece of the vocabulary; default: the closest candidate
    model: str = str(SHIPPED)  # folder or Hub name; default: the shipped model
    json: bool = False


def run(command: Command) -> None:
    """Translate, split and print."""
    explainer = Explainer.load(command.model)
    explanation = explainer.explain(command.text)
    step, instead_of = asked(explainer, explanation, command.step, command.instead_of)
    split = why(explainer, explanation, step, instead_of)
    found = answer(explainer, split, without_heads(explainer, explanation, split))
    if command.json:
        print(json.dumps(found, ensure_ascii=False))
        return
    print(f"step {found['step']}: {found['token']} and not {found['instead_of']}")
    print(f"{'embedding, position':24} {split.embedding + split.position:9.4f}")
    for layer in found["layers"]:
        own, cross = (sum(h["direct"] for h in layer[kind]) for kind in ("decoder_self", "cross"))
        print(f"layer {layer['layer']}, self-attention  {own:9.4f}")
        print(f"layer {layer['layer']}, cross-attention {cross:9.4f}")
        print(f"layer {layer['layer']}, feed-forward    {layer['feed_forward']:9.4f}")
        print(f"layer {layer['layer']}, biases          {layer['biases']:9.4f}")
    print(f"{'bias of the output':24} {split.output_bias:9.4f}")
    print(f"{'together':24} {split.total:9.4f}, {split.left:.1e} left")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return 0, or 2 after an error message on standard error."""
    return cli.run(Command, run, arguments, prog="model.labs.why")


if __name__ == "__main__":
    sys.exit(main())
