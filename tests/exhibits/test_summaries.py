"""Summaries and occlusion, against numpy and the model run by hand without a word."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import numpy as np
import pytest
import torch

from explorer.exchange import turns
from explorer.exchange.packing import unpack
from explorer.exchange.question import Arguments
from explorer.exchange.request import PageError, parse
from explorer.exhibits.summaries import agreed, occlusion
from model.config import DecodeConfig
from model.errors import InputError
from model.explain import Explainer
from model.labs.ablation import occlusion as measure
from model.trace import Explanation
from tests.browsing import written
from tests.examples import SENTENCES, first
from tests.exhibits.test_files import table
from tests.stage import Stage, unfold

Open = Callable[..., Stage]
Array = np.ndarray
SENTENCE = "The old man saw the red car."
LONG = "The old man who lives next door saw the red car in front of the house again."
TEXT = "?view=summaries&kind=cross&text=" + SENTENCE.replace(" ", "+")


@pytest.fixture(scope="module")
def record(explainer: Explainer) -> Explanation:
    return explainer.explain(SENTENCE, DecodeConfig())


def changes(explainer: Explainer, record: Explanation) -> Array:
    """(T, S - 1): the model run once for each missing token, one at a time."""
    trace, found = record.trace, []
    read = torch.tensor(trace.tgt_in.ids[None])
    for gone in range(len(trace.src) - 1):
        src = torch.tensor(np.delete(trace.src.ids, gone)[None])
        with torch.inference_mode():
            log_probs = explainer.model(src, read)[0].log_softmax(-1).numpy()
        found.append(log_probs[np.arange(len(trace.tgt_out)), trace.tgt_out.ids])
    return np.stack(found, -1) - trace.log_prob[:, None]


def numbers(answer: dict[str, Any]) -> Array:
    """The changes of an answer, one after another."""
    bytes_of = len(zlib.decompress(base64.b64decode(answer["changes"])))
    return unpack(answer["changes"], "f4", bytes_of // 4)


def half(weights: Array) -> Array:
    mean = weights.astype(np.float64).mean(0)
    return (mean + np.eye(len(mean))) / 2


def rollout(weights: Array) -> Array:
    rolled = np.eye(weights.shape[-1])
    for layer in weights:
        rolled = half(layer) @ rolled
    return rolled


def cross_rollout(record: Explanation) -> Array:
    trace = record.trace
    encoder = rollout(trace.encoder_self.weights)
    read = np.zeros(trace.cross.mask.shape)
    for own, cross in zip(trace.decoder_self.weights, trace.cross.weights, strict=True):
        read = half(own) @ read / 2 + cross.astype(np.float64).mean(0) @ encoder / 2
    return read


def ranks(values: Array) -> Array:
    below = (values[None] < values[:, None]).sum(-1)
    return below + ((values[None] == values[:, None]).sum(-1) + 1) / 2


def spearman(a: Array, b: Array) -> float:
    return float(np.corrcoef(ranks(a.ravel()), ranks(b.ravel()))[0, 1])


def opened(open_stage: Open, query: str = TEXT) -> Stage:
    page = open_stage(query).page
    page.wait_for_selector(".hl-agree-all", timeout=60_000)
    unfold(page, "summaries", "numbers", "reading")
    return page


def choose(page: Stage, **picked: str) -> None:
    """Pick in the menus, and wait until that summary is drawn."""
    menus = {"kind": ".hl-summary-kind", "way": ".hl-field-way", "layer": ".hl-summary-layer"}
    for name, value in picked.items():
        page.select_option(f"{menus[name]} select", value)
        page.wait_for_selector(f".hl-summary-map[data-{name}='{value}']", timeout=60_000)


def told(page: Stage, row: int, col: int) -> tuple[float, float | None]:
    """Point at a cell of the summary; its weight and the occlusion's change of the same cell."""
    cells = page.locator(".hl-summary-map .hl-cells")
    box = cells.bounding_box()
    rows, columns = cells.evaluate("(c) => [c.height, c.width]")
    assert box is not None
    x = box["x"] + (col + 0.5) * box["width"] / columns
    page.mouse.move(x, box["y"] + (row + 0.5) * box["height"] / rows)
    place = f"[data-row='{row}'][data-col='{col}']"
    weight = page.locator(f".hl-summary-value{place}").text_content()
    change = page.locator(f".hl-summary-change{place}")
    there = change.text_content().replace("−", "-") if change.count() else None
    return float(weight), None if there is None else float(there)


def test_mean_largest_and_rollout_are_numpys(open_stage: Open, record: Explanation) -> None:
    page = opened(open_stage)
    weights = record.trace.cross.weights
    wanted = {
        "mean": weights.mean((0, 1)),
        "max": weights.max((0, 1)),
        "rollout": cross_rollout(record),
    }
    for way, expected in wanted.items():
        choose(page, way=way)
        for row, col in ((0, 0), (1, 3), (expected.shape[0] - 1, expected.shape[1] - 1)):
            assert told(page, row, col)[0] == pytest.approx(expected[row, col], abs=6e-4), way
    whole = 1 - 0.5 ** len(weights)  # each layer halves what the decoder's own input keeps
    says = page.locator(".hl-summary-says").text_content().strip()
    assert says.endswith(f"Each row adds up to {whole}; the rest is the decoder's own input.")
    np.testing.assert_allclose(wanted["rollout"].sum(-1), whole, atol=1e-5)


def test_encoder_rollout_up_to_a_layer(open_stage: Open, record: Explanation) -> None:
    page = opened(open_stage)
    choose(page, kind="encoder_self", way="rollout", layer="2")
    expected = rollout(record.trace.encoder_self.weights[:2])
    assert told(page, 2, 1)[0] == pytest.approx(expected[2, 1], abs=6e-4)
    assert told(page, 4, 4)[0] == pytest.approx(expected[4, 4], abs=6e-4)
    assert page.locator(".hl-agree").is_hidden()


def ways(record: Explanation) -> dict[str, Array]:
    return {"mean": record.trace.cross.weights.mean((0, 1)), "rollout": cross_rollout(record)}


def test_agreement_is_spearmans(open_stage: Open, explainer: Explainer) -> None:
    """Weights are sent in steps: in the row that is told by itself no two are nearly equal."""

    def apart(text: str) -> bool:
        rows = [summary[0] for summary in ways(explainer.explain(text)).values()]
        return len(rows[0]) > 4 and min(np.diff(np.sort(row)).min() for row in rows) > 4 / 65_535

    text = first("the first row's weights are apart", apart, (SENTENCE, *SENTENCES))
    record = explainer.explain(text, DecodeConfig())
    page = opened(open_stage, f"?view=summaries&kind=cross&step=1&text={quote(text)}")
    lost = -changes(explainer, record)
    for way, summary in ways(record).items():
        choose(page, way=way)
        there = summary[:, : lost.shape[1]]
        for part, expected in (
            ("all", spearman(there, lost)),
            ("row", spearman(there[0], lost[0])),
        ):
            found = page.locator(f".hl-agree-{part}").text_content().replace("−", "-")
            # Of all cells a few nearly equal ones may change places.
            assert float(found) == pytest.approx(expected, abs=0.01), (way, part)


def test_the_question_takes_what_the_request_is_about(explainer: Explainer) -> None:
    second = explainer.explain(SENTENCE, DecodeConfig(), shown=1)
    wish = {"text": SENTENCE, "settings": {}, "shown": 1}
    answer = occlusion(explainer, parse(wish), Arguments({"first": 0}))
    shape = (len(second.trace.src) - 1, len(second.trace.tgt_out))
    assert numbers(answer).size == shape[0] * shape[1]
    assert (answer["columns"], answer["next"]) == (shape[1], None)
    for at in (-1, shape[0], None):
        with pytest.raises(PageError):
            occlusion(explainer, parse(wish), Arguments({"first": at}))
    with pytest.raises(InputError):
        occlusion(explainer, parse({"text": "", "settings": {}}), Arguments({"first": 0}))


def test_in_turns_the_occlusion_is_the_same(
    explainer: Explainer, record: Explanation, monkeypatch: pytest.MonkeyPatch
) -> None:
    wish = parse({"text": LONG, "settings": {}})
    monkeypatch.setattr(turns, "ENOUGH", 0.0)
    parts, at = [], 0
    while at is not None:
        answer = occlusion(explainer, wish, Arguments({"first": at}))
        parts.append(numbers(answer))
        assert ("agreement" in answer) == (answer["next"] is None)
        at = answer["next"]
    whole = measure(explainer, explainer.explain(LONG, DecodeConfig())).changes
    assert len(parts) > 1
    np.testing.assert_allclose(np.concatenate(parts), whole.ravel(), atol=1e-4)
    expected = spearman(
        explainer.explain(LONG, DecodeConfig()).trace.cross.weights.mean((0, 1))[:, :-1], -whole.T
    )
    assert answer["agreement"]["mean"][0]["all"] == pytest.approx(expected, abs=0.01)


def test_what_is_masked_does_not_count() -> None:
    weights = np.array([[0.5, 0.4, np.nan], [0.45, 0.8, np.nan]])
    loss = np.array([[3.0, 2, 7], [1, 4, 7]])
    found = agreed(weights, loss)
    assert found["cells"] == [4, 2, 2]
    assert found["all"] == pytest.approx(0.8)  # losses 3 2 1 4, weights ranked 3 1 2 4
    assert found["rows"] == pytest.approx([1, 1])


def losses(explainer: Explainer, record: Explanation) -> Array:
    """(T, S - 1): how much each token's log-prob changes without each source token."""
    return measure(explainer, record).changes.T


def taken(page: Stage, form: str, name: str) -> bytes:
    """The file of the view, which has this name."""
    saved, content = page.take("#panel-summaries", form)
    assert saved == name
    return content


def test_the_numbers_and_the_file_have_both_maps(
    open_stage: Open, explainer: Explainer, record: Explanation
) -> None:
    page = opened(open_stage)
    page.choose(step=0)
    change, weights = losses(explainer, record), record.trace.cross.weights.mean((0, 1))
    page.click("#panel-summaries .hl-summary-step tbody tr:nth-child(3)")
    page.wait_for_selector(".hl-summary-step tbody tr:nth-child(3).hl-chosen")
    assert page.evaluate("headlight.page.selection.get().src") == 2
    rows = page.locator(".hl-summary-step tbody tr").all()
    for i, row in enumerate(rows[:-1]):
        weight, lost = (written(text) for text in row.locator("td").all_inner_texts())
        assert weight == pytest.approx(weights[0, i], abs=6e-4)
        assert lost == pytest.approx(change[0, i], abs=2e-3)
    assert rows[-1].locator("td").last.inner_text() == "–"  # the end token stays
    name = "headlight-summary-cross-mean-all"
    found = table(taken(page, "csv", f"{name}.csv"))
    assert len(found) == weights.size
    for one in found:
        row, col = int(one["row"]) - 1, int(one["column"]) - 1
        assert float(one["weight"]) == pytest.approx(weights[row, col], abs=2e-5)
        if col < change.shape[1]:
            assert float(one["change"]) == pytest.approx(change[row, col], abs=2e-3)
        else:
            assert one["change"] == ""
    page.click("#panel-summaries .hl-download > summary")  # shut again
    choose(page, kind="encoder_self")
    maps = json.loads(taken(page, "json", name.replace("cross", "encoder_self") + ".json"))
    assert [len(one["rows"]) for one in maps] == [len(record.trace.src), len(record.trace.tgt_out)]
    np.testing.assert_allclose([row[:-1] for row in maps[1]["cells"]], change, atol=2e-3)
