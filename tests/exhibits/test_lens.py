"""The logit lens on the page, against the model's own modules."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import quote

import pytest
import torch
from torch import Tensor
from torch.nn import functional as F

from explorer.labels import label_of_piece, labels
from explorer.words import WORDS
from model.config import DecodeConfig
from model.explain import Explainer
from model.labs.lens import decoder_lens
from model.trace import Trace
from tests.stage import Stage, unfold

Open = Callable[..., Stage]
TEXT = "The dog bit the man."


@pytest.fixture(scope="module")
def trace(explainer: Explainer) -> Trace:
    return explainer.explain(TEXT, DecodeConfig()).trace


@pytest.fixture(scope="module")
def log_probs(explainer: Explainer, trace: Trace) -> Tensor:
    """Layers x steps x vocabulary: every state read by the output matrix."""
    table = explainer.model.embedding.token.weight
    with torch.inference_mode():
        return F.linear(torch.tensor(trace.decoder_states), table).log_softmax(-1)


def opened(open_stage: Open, step: int) -> Stage:
    watched = open_stage(f"?text={quote(TEXT)}&view=lens&step={step + 1}")
    unfold(watched.page, "lens", "numbers")
    watched.page.wait_for_selector(f".hl-numbers h3:has-text('Step {step + 1},')")
    return watched


def test_the_map_is_what_each_layer_would_write(
    open_stage: Open, explainer: Explainer, trace: Trace, log_probs: Tensor
) -> None:
    watched = opened(open_stage, 2)
    page = watched.page
    best, written = log_probs.argmax(-1), torch.tensor(trace.tgt_out.ids)
    wanted = [
        [label_of_piece(explainer.tokenizer.piece(int(i))).line for i in row] for row in best
    ]  # from the embedding up, as they are in the drawing
    texts = page.locator(".hl-lens-cell text:first-of-type").evaluate_all(
        """(all) => all.map(({ childNodes }) => [...childNodes]
            .filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
            .map(({ data }) => data).join(''))"""
    )
    flat = [one for row in wanted for one in row]
    assert [text.strip() for text in texts] == flat
    framed = page.locator(".hl-lens-cell rect").evaluate_all(
        "(all) => all.map((one) => one.classList.contains('hl-lens-right'))"
    )
    assert framed == (best == written).flatten().tolist()
    heads = page.locator(".hl-lens-map .hl-head").all_text_contents()
    assert heads == [label.line for label in labels(trace.tgt_out)]
    assert watched.errors == []


def cosines(page: Stage, side: str) -> list[float]:
    page.wait_for_selector(f".hl-lens-{side} tbody tr")
    cells = page.locator(f".hl-lens-{side} tbody tr td:last-child").all_text_contents()
    return [float(cell) for cell in cells]


def test_the_neighbours_are_the_nearest(
    open_stage: Open, explainer: Explainer, trace: Trace
) -> None:
    page = opened(open_stage, 1).page
    table = explainer.model.embedding.token.weight
    ids = {"source": int(trace.src.ids[0]), "target": int(trace.tgt_out.ids[1])}
    for side, chosen in ids.items():
        with torch.inference_mode():
            near = F.cosine_similarity(table[chosen], table, dim=-1)
        near = near.clone()
        near[[chosen, *explainer.tokenizer.special_ids]] = -2
        assert cosines(page, side) == pytest.approx(near.topk(10).values.tolist(), abs=6e-4)


@pytest.mark.long
@pytest.mark.parametrize("text", [TEXT, "I am a student."])
def test_the_encoder_cut_short_is_said_layer_by_layer(
    open_stage: Open, explainer: Explainer, text: str
) -> None:
    found = decoder_lens(explainer, explainer.explain(text, DecodeConfig()))
    watched = open_stage(f"?text={quote(text)}&view=lens&lens.stack=encoder")
    page = watched.page
    unfold(page, "lens", "numbers")
    page.wait_for_selector(".hl-lens-spoken-table tbody tr")
    shown = page.locator(".hl-lens-spoken-table tbody td:nth-child(2)").all_text_contents()
    assert [one.strip() for one in shown] == [one.text.strip() for one in found]
    assert page.locator(".hl-lens-spoken li").count() == len(found)
    top = len(found) - 1
    stands = top - next(
        (n for n, one in enumerate(reversed(found)) if one.ids != found[-1].ids), len(found)
    )
    word = "always" if stands < 0 else "last" if stands + 1 == top else "from"
    wanted = WORDS[f"lens.spoken.{word}"].en.format(n=stands + 1, top=top)
    assert (page.text_content("#panel-lens [data-part=finding]") or "").strip() == wanted
    assert watched.errors == []
