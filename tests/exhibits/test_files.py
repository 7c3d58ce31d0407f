"""What a visitor takes away of the search and of the next token is the model's own record."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from urllib.parse import quote

import numpy as np
import pytest

from explorer.exchange.payload import token_labels
from model.config import DecodeConfig
from model.explain import Explainer
from model.sampling import warp
from tests.browsing import Watched
from tests.stage import Stage

Open = Callable[..., Stage]
TEXT = "Why do we work?"


def table(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))


def test_the_search_as_a_table(open_stage: Open, explainer: Explainer) -> None:
    name, content = open_stage(f"?view=tree&text={quote(TEXT)}").take("#panel-tree", "csv")
    assert name == "headlight-search.csv"
    rows = table(content)
    search = explainer.explain(TEXT, DecodeConfig()).search
    expected = [
        (t + 1, c + 1, int(step.token_ids[c]), float(step.log_probs[c]), str(step.fates[c]))
        for t, step in enumerate(search.steps)
        for c in range(len(step.token_ids))
    ]
    assert len(rows) == len(expected)
    for row, (step, rank, token, log_prob, fate) in zip(rows, expected, strict=True):
        assert (int(row["step"]), int(row["rank"]), int(row["id"])) == (step, rank, token)
        assert float(row["log_prob"]) == pytest.approx(log_prob, abs=1e-5)
        assert row["fate"] == fate
    ends = {row["hypothesis"] for row in rows} - {""}
    assert len(ends) == len(search.hypotheses)


@pytest.mark.browser
def test_the_search_as_a_picture(open_page: Callable[..., Watched]) -> None:
    page = open_page(f"?view=tree&text={quote(TEXT)}").page
    page.wait_for_selector(".hl-tree-field canvas")
    with page.expect_download() as waiting:
        page.click("#panel-tree .hl-download > summary")
        page.click("#panel-tree .hl-download [data-format=png]")
    assert waiting.value.suggested_filename == "headlight-search.png"
    picture = waiting.value.path().read_bytes()
    assert picture.startswith(b"\x89PNG")
    width, height = (int.from_bytes(picture[at : at + 4], "big") for at in (16, 20))
    box = page.locator(".hl-tree-field canvas").bounding_box()
    assert box is not None
    assert width > box["width"] and height > 200, "a part of the tree, not all of it"


def test_the_next_token_as_a_table(open_stage: Open, explainer: Explainer) -> None:
    settings = {"temperature": 1.5, "top_k": 50, "top_p": 0.9}
    query = "".join(f"&{name}={value}" for name, value in settings.items())
    page = open_stage(f"?view=sampling&text={quote(TEXT)}&step=2{query}")
    name, content = page.take("#panel-sampling", "csv")
    assert name == "headlight-next-token.csv"
    rows = table(content)
    found = explainer.explain(TEXT, DecodeConfig(**settings))  # type: ignore[arg-type]
    log_probs = explainer.next_log_probs(TEXT, found.trace.tgt_out.ids[:1].tolist())
    assert len(rows) == len(log_probs)
    by_id = {int(row["id"]): row for row in rows}
    drawn_with = warp(log_probs.astype(np.float64), 1.5, 50, 0.9)
    for token in range(0, len(log_probs), 97):
        row = by_id[token]
        expected = pytest.approx(float(np.exp(log_probs[token])), abs=1e-6)
        assert float(row["probability"]) == expected
    kept = [int(row["id"]) for row in rows if row["fate"] == "kept"]
    np.testing.assert_array_equal(np.sort(kept), np.flatnonzero(drawn_with))
    for token in kept:
        assert float(by_id[token]["drawn with"]) == pytest.approx(drawn_with[token], abs=1e-6)


@pytest.mark.parametrize("address", [
    "attention&attention.words=false",
    "attention&attention.words=false&labels=reads",
    "summaries",
    "experiments&experiments.show=attention&experiments.draft=%7B%22heads_off%22:[[%22cross%22,0,0]]%7D",
])  # fmt: skip
def test_a_row_of_the_decoder_is_named_alike_in_every_file(
    open_stage: Open, explainer: Explainer, address: str
) -> None:
    """By the token read back and the token written, however the page labels its rows."""
    page = open_stage(f"?view={address}&kind=cross&text=Why+do+we+work%3F")
    trace = explainer.explain("Why do we work?").trace
    _, content = page.take(f"#panel-{address.partition('&')[0]}", "csv")
    header, *rows = csv.reader(io.StringIO(content.decode("utf-8-sig")))
    at = [header.index(name) for name in ("read", "written")]
    per_row = len(rows) // len(trace.tgt_out)  # a matrix has one, a list one for each cell
    assert per_row in (1, len(trace.src))
    labels = [[one["text"] for one in token_labels(side)] for side in (trace.tgt_in, trace.tgt_out)]
    found = [tuple(row[i] for i in at) for row in rows[::per_row]]
    assert found == list(zip(*labels, strict=True))
