"""The scoreboard against a scorer written from the definition; the catalogue and its commands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from model import deadline
from model.checkpoint import SHIPPED
from model.errors import InputError
from model.explain import Explainer
from model.labs import alignment, catalogue, heads, scoreboard
from model.labs.alignment import gold_pair, read_gold, score
from model.labs.goldpicture import gold_picture
from model.labs.gradients import input_x_gradient, integrated_gradients
from model.trace import Trace
from tests.tiny import ENGLISH, write_own

GOLD = SHIPPED / "gold.jsonl"
RAW: list[dict[str, Any]] = [json.loads(line) for line in GOLD.read_text("utf-8").splitlines()]
N = 12  # pairs that the scores are computed on


@pytest.fixture(scope="module")
def traces(explainer: Explainer) -> list[Trace]:
    """Of the pairs, each read once for all heads."""
    ids = [explainer.tokenizer.encode_target(raw["target"]).ids.tolist() for raw in RAW[:N]]
    end = explainer.tokenizer.end_id
    return [
        explainer.trace(raw["source"], [*path, end]) for raw, path in zip(RAW[:N], ids, strict=True)
    ]


@pytest.fixture(scope="module")
def rows(explainer: Explainer) -> list[scoreboard.Row]:
    return scoreboard.align(explainer, read_gold(GOLD)[:N], gradients=False)


def by_definition(
    explainer: Explainer, traces: list[Trace], layer: int, head: int, shift: int
) -> float:
    """AER = 1 - (|A & S| + |A & P'|) / (|A| + |S|) with P' = S or P, from characters alone.

    A word is known by the first character that people linked or wrote it with.
    """
    good = possible = size = sure_size = 0
    for raw, trace in zip(RAW[:N], traces, strict=True):
        target = explainer.tokenizer.encode_target(raw["target"])
        weights = trace.cross.weights[layer, head]
        spans = {tuple(s) for kind in ("sure", "possible") for s, _ in raw[kind]}

        def word(piece: int, spans: set = spans, trace: Any = trace) -> Any:
            start, end = trace.src.spans[piece]
            shared = {s: min(end, s[1]) - max(start, s[0]) for s in spans}
            best = max(shared, key=lambda s: shared[s])
            return best if shared[best] > 0 else ("unlinked", piece)

        # Neither the end token nor a piece that is nothing but a space belongs to a word.
        visible = [s for s, (a, b) in enumerate(trace.src.spans) if trace.src.text[a:b].strip()]
        links = set()
        for t, (start, end) in enumerate(target.spans):
            strongest = visible[int(weights[t + shift, visible].argmax())]
            links |= {(word(strongest), i) for i in range(start, end)}
        sure, loose = (
            {(tuple(s), i) for s, run in raw[kind] for i in range(*run)}
            for kind in ("sure", "possible")
        )
        good += len(links & sure)
        possible += len(links & (sure | loose))
        size += len(links)
        sure_size += len(sure)
    return 1 - (good + possible) / (size + sure_size)


def found(
    rows: list[scoreboard.Row], method: str, layer: int | None, head: int | None, label: str
) -> Any:
    (row,) = [
        r for r in rows if (r.method, r.layer, r.head, r.label) == (method, layer, head, label)
    ]
    return row.score


@pytest.mark.parametrize(("layer", "head"), [(0, 1), (1, 3), (2, 0)])
def test_the_rate_is_that_of_the_definition(
    explainer: Explainer,
    traces: list[Trace],
    rows: list[scoreboard.Row],
    layer: int,
    head: int,
) -> None:
    for shift, label in ((0, "written"), (1, "read")):
        expected = by_definition(explainer, traces, layer, head, shift)
        one = found(rows, "weight", layer, head, label)
        assert one.aer == pytest.approx(expected, abs=1e-12)
        assert one.low <= one.aer <= one.high
        assert (
            found(rows, "weight", layer, head, "read" if shift == 0 else "written").aer != one.aer
        )


def test_perfect_links_score_zero_and_none_score_one() -> None:
    pair = gold_pair(RAW[0])
    perfect = alignment.counts(pair, set(pair.sure | pair.possible))
    assert score([perfect] * 5).aer == 0
    assert score([alignment.counts(pair, set())] * 5).aer == 1
    wrong = alignment.counts(pair, {(0, 0)} - pair.sure - pair.possible)
    assert score([wrong] * 5).aer == 1


def test_a_request_for_gradients_stops_when_its_time_is_up(explainer: Explainer) -> None:
    """It computes in its own thread, whose time is counted."""
    trace = explainer.explain("It isn't hard to understand.").trace
    with deadline.within(0.02), pytest.raises(InputError, match=r"0\.02 seconds"):
        integrated_gradients(explainer, trace)


@pytest.mark.slow
def test_the_joined_method_is_no_worse_than_any_layer(rows: list[scoreboard.Row]) -> None:
    best = min(found(rows, "joined", None, None, label).aer for label in ("written", "read"))
    assert best <= min(r.score.aer for r in rows if r.layer is not None and r.head is None) + 0.01
    assert best < found(rows, "diagonal", None, None, "written").aer
    assert best < found(rows, "random_head", None, None, "written").aer


@pytest.mark.slow
def test_a_catalogue_comes_back_from_its_file(tmp_path: Path) -> None:
    tiny = Explainer.load(write_own(tmp_path / "model"), device="cpu")
    notes = catalogue.catalogue_of(tiny, ENGLISH[:2])
    file = tmp_path / "heads.json"
    file.write_text(notes.to_json(), "utf-8")
    assert catalogue.load(file) == notes
    assert json.loads(notes.to_json())["heads"][0]["layer"] == 1
    file.write_text('{"heads": [{"layer": 1}]}', "utf-8")
    with pytest.raises(InputError, match="not a catalogue of heads"):
        catalogue.load(file)


def test_a_scoreboard_comes_back_from_its_file(tmp_path: Path) -> None:
    rows = [
        scoreboard.Row("weight", 0, 1, "read", alignment.Score(0.25, 0.125, 0.5)),
        scoreboard.Row("joined", None, None, "written", alignment.Score(0.5, 0.25, 0.75)),
    ]
    file = tmp_path / "alignment.json"
    file.write_text(scoreboard.to_json(rows), "utf-8")
    assert scoreboard.load(file) == rows
    for spoilt in ('"method": "guess"', '"row_label": "both"', '"layer": "one"'):
        text = scoreboard.to_json(rows[:1])
        name = spoilt.split(":")[0]
        own = next(part for part in text.replace("}", ",").split(", ") if name in part)
        file.write_text(text.replace(own.split("{")[-1], spoilt), "utf-8")
        with pytest.raises(InputError, match="not a scoreboard"):
            scoreboard.load(file)


def test_a_gold_picture_is_the_pass_and_the_links_of_the_file(explainer: Explainer) -> None:
    """Frames are where a piece holds a character that people linked to a word of the column."""
    (raw,) = [one for one in RAW if one["source"] == "It isn't hard to understand."]
    pair = gold_pair(raw)
    written, read = (
        gold_picture(explainer, pair, ("weight", 0, 1), label) for label in alignment.ROW_LABELS
    )
    target = explainer.tokenizer.encode_target(raw["target"])
    ids = [*target.ids.tolist(), explainer.tokenizer.end_id]
    weights = explainer.trace(raw["source"], ids).cross.weights[0, 1]
    np.testing.assert_allclose(written.cells, weights[:-1], atol=1e-6)
    np.testing.assert_allclose(read.cells, weights[1:], atol=1e-6)
    touching = {
        (row, column)
        for (a, b), (c, d) in raw["sure"]
        for row, (start, end) in enumerate(target.spans.tolist())
        for column, (left, right) in enumerate(written.source.spans.tolist())
        if max(a, left) < min(b, right) and max(c, start) < min(d, end)
    }
    assert set(written.sure) == set(read.sure) == touching
    assert not set(written.sure) & set(written.possible)
    for picture, label in ((written, "written"), (read, "read")):
        one = scoreboard.align(explainer, [pair], gradients=False)
        assert picture.aer == pytest.approx(found(one, "weight", 0, 1, label).aer)


def test_the_picture_of_gradients_is_what_raises_a_token(explainer: Explainer) -> None:
    """Its strongest cells are those of the attributions, and its rate that of the board."""
    (raw,) = [one for one in RAW if one["source"] == "It isn't hard to understand."]
    pair = gold_pair(raw)
    trace = scoreboard.gold_trace(explainer, pair)
    rows = scoreboard.align(explainer, [pair])
    for place, parts in zip(
        scoreboard.GRADIENTS,
        (input_x_gradient(explainer, trace), integrated_gradients(explainer, trace).parts),
        strict=True,
    ):
        for label, first in (("written", 0), ("read", 1)):
            picture = gold_picture(explainer, pair, place, label)  # type: ignore[arg-type]
            own = parts.T[first : first + len(picture.target)]
            np.testing.assert_allclose(picture.cells, np.where(own > 0, own, 0), atol=1e-5)
            assert picture.aer == pytest.approx(found(rows, *place, label).aer)
    assert not np.allclose(*(gold_picture(explainer, pair, one, "written").cells
                             for one in scoreboard.GRADIENTS))  # fmt: skip


@pytest.mark.slow
def test_what_is_done_is_not_done_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An interrupted catalogue continues, and equals one made in a single run."""
    explainer = Explainer.load(write_own(tmp_path / "model"), device="cpu")
    progress = tmp_path / "progress"
    first = heads.gather(explainer, ENGLISH[:2], progress)
    with progress.open("a") as file:
        file.write('["cut off')
    both = heads.gather(explainer, ENGLISH[:3], progress)
    assert [len(first), len(both)] == [2, 3]
    for name, values in first[0].items():
        np.testing.assert_array_equal(values, both[0][name])
    monkeypatch.setattr(catalogue, "sentence", None)  # nothing is left to do
    again = heads.gather(explainer, ENGLISH[:3], progress)
    assert catalogue.summary(explainer, again) == catalogue.summary(explainer, both)


@pytest.mark.slow
def test_a_model_without_a_file_is_catalogued_by_occlusion(tmp_path: Path) -> None:
    explainer = Explainer.load(write_own(tmp_path / "model"), device="cpu")
    notes = catalogue.catalogue_of(explainer, ENGLISH[:3])
    assert notes.label_by == "occlusion" and notes.sentences == 3
    assert len(notes.heads) == 2 * 2 + 3 * 2 + 3 * 2


@pytest.mark.slow
def test_the_command_ends_with_one_line_of_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "gold.jsonl"
    file.write_text(json.dumps(RAW[0]) + "\n", "utf-8")
    assert heads.main(["align", "--gold", str(file), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out.splitlines()[-1])
    names = {"method", "kind", "layer", "head", "row_label", "aer", "low", "high"}
    assert {frozenset(row) for row in answer["rows"]} == {frozenset(names)}
    assert {row["layer"] for row in answer["rows"]} == {None, 1, 2, 3}
    file.write_text('{"source": "a"}\n', "utf-8")
    assert heads.main(["align", "--gold", str(file)]) == 2
    assert "line 1" in capsys.readouterr().err
