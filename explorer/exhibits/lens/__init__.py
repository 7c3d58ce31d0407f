"""Between the layers: the prediction of each, and tokens that are near each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from explorer.exchange.explain import explain
from explorer.exchange.payload import token
from explorer.exchange.question import Arguments
from explorer.exchange.request import Request
from explorer.exhibit import Exhibit
from explorer.openers import effects
from model.config import SIDES

if TYPE_CHECKING:
    from model.explain import Explainer


def lens(explainer: Explainer, request: Request, arguments: Arguments) -> dict[str, Any]:
    """The prediction of every decoder layer at every step: {layers: [step: [token, ...]]}."""
    from model.labs.lens import lens as look  # torch is imported with the first question

    found = look(explainer, explain(explainer, request).trace)
    layers = [
        [
            [token(explainer, int(i)) | {"log_prob": float(p)} for i, p in zip(*row, strict=True)]
            for row in zip(ids, log_probs, strict=True)
        ]
        for ids, log_probs in zip(found.ids, found.log_probs, strict=True)
    ]
    return {"layers": layers, "norm": explainer.model.config.norm}


def decoder_lens(explainer: Explainer, request: Request, arguments: Arguments) -> dict[str, Any]:
    """The decoder's output from each encoder layer: {spoken: [{text, log_prob, tokens}]}.

    The first is from the embedding, the last is the model's own output.
    """
    from model.labs.lens import decoder_lens as listen

    found = listen(explainer, explain(explainer, request))
    return {
        "spoken": [
            {
                "text": one.text,
                "log_prob": one.log_prob,
                "tokens": [token(explainer, i) for i in one.ids],
            }
            for one in found
        ]
    }


def near(explainer: Explainer, request: Request, arguments: Arguments) -> dict[str, Any]:
    """The nearest neighbours of a token of a side in its embedding.

    {id, shared, tokens: [token + cosine, ...]}; `shared` if source, target and output share one
    matrix.
    """
    from model.labs.lens import neighbours

    side = arguments.choice("side", SIDES)
    token_id = arguments.whole("id", 0, explainer.tokenizer.size(side) - 1)
    config = explainer.model.config
    found = neighbours(explainer, token_id, side=side)
    return {
        "id": token_id,
        "shared": config.tied and not config.src_vocab_size,
        "tokens": [token(explainer, i, side) | {"cosine": c} for i, c in found],
    }


EXHIBIT = Exhibit(
    "lens",
    {"lens": lens, "decoder_lens": decoder_lens, "near": near},
    opener=effects.View(effects.steps, effects.layers_disagree),
)
