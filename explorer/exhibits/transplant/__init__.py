"""Transplant: a state of one sentence copied into the run of another, and the logits' move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from explorer.exchange.payload import token, token_labels
from explorer.exchange.question import Arguments, Payload
from explorer.exchange.request import MAX_WRITTEN, Request
from explorer.exhibit import Exhibit
from explorer.openers import effects
from model.config import KINDS, Stack

if TYPE_CHECKING:
    from model.arrays import Floats
    from model.explain import Explainer
    from model.labs.patch import Contrast

STACKS: tuple[Stack, ...] = ("encoder", "decoder")
LONGEST = 200  # characters of a sentence
PAIRS = {  # by the language of the visitor's sentence
    "en": (
        ("I bought a red car.", "I bought a blue car."),
        ("The dog bit the man.", "The man bit the dog."),
        ("He is my friend.", "She is my friend."),
    ),
    "zh": (
        ("我买了一辆红色的车。", "我买了一辆蓝色的车。"),
        ("狗咬了男人。", "男人咬了狗。"),
        ("他是我的朋友。", "她是我的朋友。"),
    ),
    "de": (
        ("Ich habe ein rotes Auto gekauft.", "Ich habe ein blaues Auto gekauft."),
        ("Der Hund biss den Mann.", "Der Mann biss den Hund."),
        ("Er ist mein Freund.", "Sie ist mein Freund."),
    ),
}


def transplant(explainer: Explainer, request: Request, arguments: Arguments) -> Payload:
    """Transplant each single state of both stacks from `giver` into `receiver`.

    {giver, receiver, read: [label], texts: [[source, translation], ...], token, instead_of,
    differences, changes, next, step, partings: [{step, token, instead_of}]}: `changes` of the
    receiver's difference of logits, of the encoder's states and then of the decoder's, layer by
    layer (0: the input of layer 1), from number `first` on. Steps count from 1; at a parting the
    two sentences lead to different tokens.
    """
    from model.labs.patch import partings, states

    pair = _pair(explainer, arguments)
    return {
        "giver": token_labels(pair.giver),
        "receiver": token_labels(pair.receiver),
        "read": token_labels(pair.tgt_in),
        "texts": [
            [one.text, explainer.explain(one.text).trace.tgt_out.text]
            for one in (pair.giver, pair.receiver)
        ],
        "token": token(explainer, pair.token),
        "instead_of": token(explainer, pair.instead_of),
        "differences": [pair.giver_difference, pair.receiver_difference],
        **_from_first(arguments, [states(explainer, pair, s).changes for s in STACKS]),
        "step": pair.step + 1,
        "partings": [
            {
                "step": one.step + 1,
                "token": token(explainer, one.token),
                "instead_of": token(explainer, one.instead_of),
            }
            for one in partings(explainer, pair.giver.text, pair.receiver.text)
        ],
    }


def transplant_heads(explainer: Explainer, request: Request, arguments: Arguments) -> Payload:
    """The same for the output of each head at all positions, kind by kind: {changes, next}."""
    from model.labs.patch import heads

    pair = _pair(explainer, arguments)
    return _from_first(arguments, [heads(explainer, pair, kind).changes for kind in KINDS])


def _from_first(arguments: Arguments, changes: Sequence[Floats]) -> Payload:
    """All changes at once: a batch of runs is quick here. The engine's answers come in turns."""
    flat = [one for array in changes for one in array.ravel().tolist()]
    return {"changes": flat[arguments.whole("first", 0, len(flat) - 1) :], "next": None}


def _pair(explainer: Explainer, arguments: Arguments) -> Contrast:
    from model.labs.patch import contrast  # torch is imported with the first question

    giver, receiver = (arguments.text(name, LONGEST) for name in ("giver", "receiver"))
    step = arguments.whole("step", 0, MAX_WRITTEN)  # 0: where the two differ most
    return contrast(explainer, giver, receiver, step - 1 if step else None)


EXHIBIT = Exhibit(
    "transplant",
    {"transplant": transplant, "transplant_heads": transplant_heads},
    facts={"pairs": PAIRS, "longest": LONGEST, "most_steps": MAX_WRITTEN},
    header=("model",),
    opener=effects.NONE,
)
