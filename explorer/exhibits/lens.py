"""Between the layers: what each one would predict, and which tokens lie near each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from explorer.exhibit import Exhibit, panel
from explorer.loading import Explains
from explorer.payload import token
from explorer.question import Arguments
from explorer.request import Request
from explorer.wish import granted

if TYPE_CHECKING:
    from model.explain import Explainer

TEMPLATE = """
<div class="hl-lens">
  <section>
    <h2 id="hl-lens-name"></h2>
    <p class="hl-note" data-t="lens.note"></p>
    <div class="hl-scroll"><table class="hl-table" id="hl-lens-table"></table></div>
  </section>
  <section>
    <h2 data-t="lens.near"></h2>
    <p class="hl-note" data-t="lens.near.note"></p>
    <fieldset class="hl-choice" id="hl-lens-side"><legend data-t="lens.side"></legend></fieldset>
    <p id="hl-lens-word"></p>
    <ol class="hl-bars" id="hl-lens-near"></ol>
  </section>
</div>
"""


def layout() -> None:
    """The lens at the left, the neighbours of a token at the right."""
    panel("lens", TEMPLATE)


def lens(explainer: Explains, wish: Request, arguments: Arguments) -> dict[str, Any]:
    """What every decoder layer would predict at every step: {layers: [step: [token, ...]]}."""
    from model.anatomy import lens as look  # torch comes in with the first question

    found = look(cast("Explainer", explainer), granted(explainer, wish).trace)
    layers = [
        [
            [token(explainer, int(i)) | {"log_prob": float(p)} for i, p in zip(*row, strict=True)]
            for row in zip(ids, log_probs, strict=True)
        ]
        for ids, log_probs in zip(found.ids, found.log_probs, strict=True)
    ]
    return {"layers": layers, "norm": cast("Explainer", explainer).model.config.norm}


def near(explainer: Explains, wish: Request, arguments: Arguments) -> dict[str, Any]:
    """The nearest neighbours of a token in the embedding: {id, tokens: [token + cosine, ...]}."""
    from model.anatomy import neighbours

    token_id = arguments.whole("id", 0, len(explainer.tokenizer) - 1)
    found = neighbours(cast("Explainer", explainer), token_id)
    return {"id": token_id, "tokens": [token(explainer, i) | {"cosine": c} for i, c in found]}


LENS = Exhibit("lens", "layers", layout, {"lens": lens, "near": near})
