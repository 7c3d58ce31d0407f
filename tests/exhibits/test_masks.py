"""The mask laboratory: what the page draws, against masks of torch and transformers."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import numpy as np
import pytest
import torch

from explorer.exhibits.masks import wanted
from model.config import DecodeConfig, Interventions
from model.explain import Explainer
from model.trace import Trace
from tests.stage import Stage, desk_of
from tests.tiny import SINCE, write_own

Open = Callable[..., Stage]
SENTENCES = ["I like cats.", "Yes: I like cats.", "No."]

# The cells of a matrix as they are drawn: an opaque pixel may be read, a clear one may not.
DRAWN = """(canvas) => {
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const rows = Array.from({ length: canvas.height }, () => []);
    for (let i = 3; i < data.length; i += 4) {
        rows[Math.floor(i / 4 / canvas.width)].push(data[i] === 255);
    }
    return rows;
}"""


@pytest.fixture(scope="module")
def traces(explainer: Explainer) -> list[Trace]:
    config = DecodeConfig(method="greedy", max_length=14)
    return [explainer.explain(sentence, config).trace for sentence in SENTENCES]


def laboratory(open_stage: Open, query: str = "&text=I+like+cats.", **options: object) -> Stage:
    page = open_stage("?view=masks" + query, **options)
    page.wait_for_selector(".hl-masks [data-mask='combined'] canvas")
    return page


def pick(page: Stage, sentence: int) -> None:
    page.select_option(".hl-masks-sentence select", str(sentence))


def mask_of(page: Stage, sentence: int, name: str) -> np.ndarray:
    pick(page, sentence)
    where = f".hl-masks [data-mask='{name}'] canvas"
    return np.array(page.locator(where).evaluate(DRAWN))


def show_part(page: Stage, part: str) -> None:
    page.select_option(".hl-masks .hl-field-show select", part)


def choose(page: Stage, kind: str) -> None:
    page.select_option(".hl-masks .hl-field-kind select", kind)
    n = 3 if kind == "decoder_self" else 1
    page.wait_for_function(
        "(n) => document.querySelectorAll('.hl-masks [data-mask]').length === n", arg=n
    )


def test_masks_of_a_batch(open_stage: Open, traces: list[Trace]) -> None:
    """Padding from lengths, causal as torch.tril and transformers have it, and both."""
    page = laboratory(open_stage)
    src, tgt = ([len(getattr(t, side)) for t in traces] for side in ("src", "tgt_in"))
    n_src, n_tgt = max(src), max(tgt)
    real_src, real_tgt = (
        torch.arange(n)[None] < torch.tensor(lengths)[:, None]
        for n, lengths in ((n_src, src), (n_tgt, tgt))
    )
    causal = torch.ones(n_tgt, n_tgt, dtype=torch.bool).tril()
    grid = torch.meshgrid(torch.arange(n_tgt), torch.arange(n_tgt), indexing="ij")
    from transformers.masking_utils import causal_mask_function  # all workers read this file

    transformers_causal = causal_mask_function(0, 0, *grid)
    choose(page, "encoder_self")
    for i in range(len(traces)):
        padding = real_src[i].expand(n_src, n_src)
        np.testing.assert_array_equal(mask_of(page, i, "padding"), padding)
    choose(page, "cross")
    for i in range(len(traces)):
        np.testing.assert_array_equal(mask_of(page, i, "padding"), real_src[i].expand(n_tgt, n_src))
    choose(page, "decoder_self")
    for i in range(len(traces)):
        padding = real_tgt[i].expand(n_tgt, n_tgt)
        np.testing.assert_array_equal(mask_of(page, i, "padding"), padding)
        np.testing.assert_array_equal(mask_of(page, i, "causal"), causal)
        combined = mask_of(page, i, "combined")
        np.testing.assert_array_equal(combined, transformers_causal & real_tgt[i][None])
        if tgt[i] < n_tgt:  # the twin: one mask alone is not the combined one
            assert (combined != causal.numpy()).any() and (combined != padding.numpy()).any()
    causal_trace = traces[0].decoder_self.mask
    np.testing.assert_array_equal(causal_trace, causal[: tgt[0], : tgt[0]])


def test_patterns_follow_the_slider(open_stage: Open, traces: list[Trace]) -> None:
    page = laboratory(open_stage)
    show_part(page, "patterns")
    n = len(traces[0].src)
    causal = torch.ones(n, n, dtype=torch.bool).tril()
    for prefix in (0, 2, n):
        page.locator(".hl-masks-prefix [type='range']").fill(str(prefix))
        page.wait_for_function(
            "(p) => document.querySelector('.hl-masks-prefix .hl-typed').value === p",
            arg=str(prefix),
        )
        wanted = {
            "bidirectional": torch.ones(n, n, dtype=torch.bool),
            "causal": causal,
            "prefix": causal | (torch.arange(n) < prefix)[None],
        }
        for name, mask in wanted.items():
            found = page.locator(f"[data-pattern='{name}'] canvas").evaluate(DRAWN)
            np.testing.assert_array_equal(np.array(found), mask)


def sentences(page: Stage) -> list[str]:
    return page.locator(".hl-masks-line input").evaluate_all("(all) => all.map((i) => i.value)")


@pytest.mark.long
def test_the_batch_begins_with_the_visitors_sentence(open_stage: Open) -> None:
    page = laboratory(open_stage, "&text=Where+is+it%3F")
    page.unfold("masks", "adjust")
    assert sentences(page) == ["Where is it?", "Yes: Where is it?", "I like cats."]

    def follows(wanted: list[str]) -> None:
        page.wait_for_function(
            """(wanted) => {
                const all = [...document.querySelectorAll('.hl-masks-line input')];
                return JSON.stringify(all.map(({ value }) => value)) === JSON.stringify(wanted);
            }""",
            arg=wanted,
        )

    page.fill("#hl-text", "I like cats.")
    page.click("#hl-translate")
    follows(["I like cats.", "Yes: I like cats.", "No."])
    second = page.locator(".hl-masks-line input").nth(1)
    second.fill("Hello.")
    second.press("Enter")
    page.fill("#hl-text", "I like dogs.")
    page.click("#hl-translate")
    follows(["I like dogs.", "Hello.", "I like cats."])  # what was typed stays
    page = open_stage("?view=masks&text=" + "grandmothers+" * 35)
    follows(["I like cats.", "Yes: I like cats.", "No."])  # for one that is too long
    page.unfold("masks", "reading")
    page.wait_for_function(
        "() => document.querySelector('.hl-masks .hl-reading').textContent.includes('too long')"
    )


@pytest.mark.parametrize(
    "text",
    [
        "Hi",
        "We are waiting for him to make another decision.",
        "Where would you like me to put this?",
        "Although she was tired, she finished her homework and then helped her brother with his.",
        "我喜欢猫。",
        "The old man who lives next door told us that he had been to more than forty countries, "
        "but that he had never seen a place as beautiful as the small village where he was born.",
        # a longer beginning makes its translation twelve tokens longer
        "The nurse told my father that he should walk for half an hour every day and stop eating "
        "so much salt and sugar.",
    ],
)
def test_it_opens_on_a_row_of_the_visitors_sentence_with_padding(
    open_stage: Open, explainer: Explainer, text: str
) -> None:
    """And no more padding than one can count beside the longest of the batch, on either side."""
    page = laboratory(open_stage, f"&text={quote(text)}")
    shown = page.locator(".hl-masks-sentence select")
    [asked] = wanted(explainer.explain(text), ("cross", 0, 0))  # in a saved session
    options = page.locator(".hl-masks-sentence option").all_text_contents()
    assert [one.split(": ", 1)[1].strip() for one in options] == asked.arguments["sentences"]
    assert options[0].strip() == f"1: {text}"
    assert shown.input_value() == "0"
    length = [len(explainer.read(one)) for one in asked.arguments["sentences"]]
    assert 0 < max(length) - length[0] <= 4
    for kind in ("decoder_self", "cross", "encoder_self"):
        choose(page, kind)
        mask = np.array(page.locator(".hl-masks [data-mask=padding] canvas").evaluate(DRAWN))
        assert not mask.all() and (~mask).any(0).sum() <= 4, kind
        assert "padding" in page.finding("masks")
    choose(page, "decoder_self")
    n = int(re.findall(r"may look at (\d+) tokens?; ", page.finding("masks"))[0])
    assert n == page.evaluate("headlight.page.selection.get().step") + 1
    assert text == "Hi" or "later" in page.finding("masks")  # its translation has one token
    row = page.locator(".hl-masks .hl-finding :is(q, b)").first
    here = page.locator("#hl-tgt .hl-here > span")
    said = row.get_attribute("data-token") or row.text_content()
    assert [one.strip() for one in here.all_text_contents()] == [said.strip()]


def test_it_opens_on_the_visitors_sentence_where_that_is_the_longest(open_stage: Open) -> None:
    """Its translation then has no padding; that of another sentence would be somebody else's."""
    text = "On Tuesday Clara bought three tickets for the concert in Vienna and forgot to pay."
    german = desk_of(Explainer.load("en-de", "cpu"))
    page = open_stage(f"?view=masks&text={quote(text)}", desk=german)
    assert page.locator(".hl-masks-sentence select").input_value() == "0"
    mask = np.array(page.locator(".hl-masks [data-mask=padding] canvas").evaluate(DRAWN))
    assert mask.all(), "another sentence is longer: this tests nothing"
    assert "later" in page.finding("masks") and "padding" not in page.finding("masks")


def three_ways(scores: torch.Tensor, masked: torch.Tensor) -> dict[str, torch.Tensor]:
    """The weights of a row, masked in each of the three ways, as torch has them."""
    return {
        "infinite": scores.masked_fill(masked, -torch.inf).softmax(-1),
        "zero": scores.masked_fill(masked, 0).softmax(-1),
        "billion": (scores + masked * -1e9).softmax(-1),
    }


def weights(page: Stage) -> dict[str, np.ndarray]:
    """The softmax of each way, as the page has it."""
    return {
        way: np.array(
            page.locator(f".hl-masks-table [data-way='{way}']").evaluate_all(
                "(cells) => cells.map((cell) => Number(cell.dataset.weight))"
            ),
            dtype=np.float64,
        )
        for way in ("infinite", "zero", "billion")
    }


def test_three_ways_to_mask_as_torch_has_them(
    open_stage: Open, explainer: Explainer, traces: list[Trace]
) -> None:
    page = laboratory(open_stage)
    show_part(page, "ways")
    page.unfold("masks", "adjust")
    page.wait_for_selector(".hl-masks-table tbody tr")
    shortest = int(np.argmin([len(t.src) for t in traces]))
    padding = max(len(t.src) for t in traces) - len(traces[shortest].src)
    trace = explainer.trace(SENTENCES[shortest], [5], interventions=Interventions(padding=padding))
    masked = torch.arange(len(trace.src)) >= len(trace.src) - padding

    def scores_of(layer: int, head: int, query: int = 1) -> torch.Tensor:
        return torch.from_numpy(trace.encoder_self.scores(layer, head)[query])

    def leaked(place: tuple[int, ...]) -> float:
        """What the masked keys get where their scores are set to 0."""
        return float(scores_of(*place).masked_fill(masked, 0).softmax(-1)[masked].sum())

    sizes = trace.encoder_self.weights.shape[:2]
    picks = page.locator(".hl-masks-pick select")
    # At first the row where setting scores to 0 does the most harm.
    rows = itertools.product(*map(range, (*sizes, len(trace.src) - padding)))
    worst = max(rows, key=leaked)
    assert tuple(int(picks.nth(i).input_value()) for i in range(3)) == worst
    assert leaked(worst) > 0.5
    assert weights(page)["zero"][masked.numpy()].sum() == pytest.approx(leaked(worst), abs=1e-5)

    layer, head = max(itertools.product(*map(range, sizes)), key=leaked)
    picks.nth(0).select_option(str(layer))
    picks.nth(1).select_option(str(head))
    picks.nth(2).select_option("1")
    scores = scores_of(layer, head)
    shown = page.locator(".hl-masks-table [type='number']").evaluate_all(
        "(inputs) => inputs.map((input) => Number(input.value))"
    )
    np.testing.assert_allclose(shown, scores, atol=6e-5)
    wanted = three_ways(scores, masked)
    for way, found in weights(page).items():
        np.testing.assert_allclose(found, wanted[way], atol=1e-6)
    np.testing.assert_allclose(
        wanted["infinite"], trace.encoder_self.weights[layer, head, 1], atol=1e-6
    )
    assert np.abs(weights(page)["zero"] - wanted["infinite"].numpy()).max() > 1e-3  # the twin

    page.check(".hl-field-whole input")
    found = weights(page)
    whole = torch.ones_like(masked)
    assert np.isnan(found["infinite"]).all()
    assert scores.masked_fill(whole, -torch.inf).softmax(-1).isnan().all()
    for way, row in (("zero", scores * 0), ("billion", scores - 1e9)):
        np.testing.assert_allclose(found[way], row.softmax(-1), atol=1e-7)
    # As float32 has it: beside -1e9 scores that differ by less than 32 are the same number.
    np.testing.assert_allclose(found["zero"], 1 / len(scores), atol=1e-7)


def test_a_sentence_that_does_not_fit_is_told(open_stage: Open) -> None:
    page = open_stage("?view=masks")
    page.wait_for_selector(".hl-masks canvas")
    page.unfold("masks", "adjust")
    first = page.locator(".hl-masks-line input").first
    too_long = "a b " * 70
    for text, says in (("", "Sentence 1 is empty"), (too_long, "limit here is 128")):
        first.fill(text)
        first.press("Enter")
        page.wait_for_function(
            "(s) => document.querySelector('.hl-masks .hl-failed')?.textContent.includes(s)",
            arg=says,
        )
        assert len(sentences(page)) == 3, "what was typed is lost"
    first.fill("Hello.")
    first.press("Enter")
    page.wait_for_selector(".hl-masks .hl-failed", state="detached")
    page.click(".hl-masks-add")
    page.wait_for_function(
        "() => document.querySelectorAll('.hl-masks-sentence option').length === 4"
    )
    assert page.locator(".hl-masks-add").is_disabled()
    assert page.errors == []


# --------------------------------------------------------------- a bias is added before the mask


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("T5", "decoder_self"),
        ("T5", "encoder_self"),
        ("T5", "cross"),
        ("T5 1.1", "decoder_self"),
        ("T5 1.1", "encoder_self"),
        ("RMSNorm after, gated", "decoder_self"),
    ],
)
def test_a_bias_is_finite_and_the_mask_hides_whatever_it_is(
    open_stage: Open, tmp_path: Path, name: str, kind: str
) -> None:
    fields = {**SINCE[name], "max_positions": 32}
    explainer = Explainer.load(write_own(tmp_path / "m", 5, **fields), device="cpu")
    sentences = ["a frog", "I am a small frog."]
    asked = quote(json.dumps(sentences))
    query = f"&text=a+frog&masks.asked={asked}&masks.sentence=0&masks.kind=%22{kind}%22"
    page = open_stage(f"?view=masks{query}", desk=desk_of(explainer))
    traces = [explainer.explain(one, explainer.defaults).trace for one in sentences]
    longest = max((one.attention(kind) for one in traces), key=lambda one: one.mask.size)
    has_bias = longest.bias is not None
    assert ("; −∞ plus a bias stays −∞." in page.finding("masks")) == has_bias
    page.unfold("masks", "reading")
    assert (page.locator(".hl-masks-biased").count() == 1) == has_bias
    field = page.locator(".hl-masks [data-mask]").last.locator("[role='application']")
    field.focus()
    for key in ("ArrowUp", "ArrowLeft"):
        for _ in range(16):
            page.keyboard.press(key)
    for _ in range(3):  # the first row, the fourth key
        page.keyboard.press("ArrowRight")
    finding = page.finding("masks")
    if not has_bias:
        assert "bias" not in finding
        return
    low, high = (float(getattr(longest.bias[:, :, 0, 3], end)()) for end in ("min", "max"))
    assert f"{low:.2f} to {high:.2f}.".replace("-", "−") in finding
    hidden = kind == "decoder_self" or len(traces[0].src) <= 3
    assert ("score + bias + −∞ = −∞, whatever the bias" in finding) == hidden
    assert np.isfinite(longest.bias).all()


@pytest.mark.long
@pytest.mark.parametrize("name", ["T5", "T5 1.1"])
def test_three_ways_with_a_bias_as_torch_has_them(
    open_stage: Open, tmp_path: Path, name: str
) -> None:
    fields = {**SINCE[name], "max_positions": 32}
    explainer = Explainer.load(write_own(tmp_path / "m", 5, **fields), device="cpu")
    sentences = ["a frog", "I am a small frog."]
    asked = quote(json.dumps(sentences))
    query = f"&text=a+frog&masks.show=%22ways%22&masks.asked={asked}"
    place = "&masks.layer=1&masks.head=0&masks.query=1"
    page = open_stage(f"?view=masks{query}{place}", desk=desk_of(explainer))
    page.wait_for_selector(".hl-masks-table tbody tr")
    short, long = (len(explainer.tokenizer.encode_source(one)) for one in sentences)
    trace = explainer.trace(sentences[0], [5], interventions=Interventions(padding=long - short))
    maps = trace.encoder_self
    assert maps.bias is not None
    masked = torch.arange(long) >= short
    scores = torch.from_numpy(maps.scores(1, 0)[1])
    ways = three_ways(scores, masked)
    for way, shown in weights(page).items():
        np.testing.assert_allclose(shown, ways[way], atol=1e-6)
    np.testing.assert_allclose(ways["infinite"], maps.weights[1, 0, 1], atol=1e-6)
    rows = page.locator(".hl-masks-table tbody tr")
    biases = [rows.nth(i).locator("td").nth(2).inner_text() for i in range(long)]
    np.testing.assert_allclose(
        [float(one.removeprefix("+ ").replace("−", "-")) for one in biases],
        maps.bias[1, 0, 1],
        atol=6e-5,
    )
    hidden = maps.bias[1, 0, 1, short:]
    leak = 100 * float(ways["zero"][masked].sum())
    told = f"−∞ plus a bias of {hidden.min():.2f} to {hidden.max():.2f} stays −∞; with 0 instead"
    assert told.replace("-", "−") in page.finding("masks")
    assert f"{leak:.1f}".rstrip("0").rstrip(".") in page.finding("masks")
