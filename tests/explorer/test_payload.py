"""The browser gets what the record holds."""

from __future__ import annotations

import base64
import dataclasses
import json
import zlib
from typing import Any

import numpy as np
import pytest

from explorer.exchange import payload
from explorer.exchange.reply import to_json
from explorer.exchange.request import SETTINGS
from model.config import KINDS, DecodeConfig, Interventions, Kind, Thresholds
from model.explain import Explainer
from model.trace import Explanation

FULL = 65_535  # what assets/kit/payload.js divides by; not taken from the code under test

TEXT = "I am a small frog, and I live here. 😀"


def build(explainer: Explainer, explanation: Explanation) -> dict[str, Any]:
    built = payload.build(explanation, explainer)
    return json.loads(to_json(built))


def unpack(text: str, dtype: str) -> np.ndarray:
    """The numbers of a packed text, read back byte by byte."""
    size = np.dtype(dtype).itemsize
    planes = zlib.decompress(base64.b64decode(text))
    count = len(planes) // size
    whole = bytes(planes[place * count + i] for i in range(count) for place in range(size))
    return np.frombuffer(whole, dtype)


def weights(maps: dict[str, Any]) -> np.ndarray:
    """What the browser makes of one kind's weights: (L, H, Q, K), NaN where masked."""
    shape = (maps["queries"], maps["keys"])
    bits = unpack(maps["mask"], "u1")
    mask = np.unpackbits(bits)[: shape[0] * shape[1]].reshape(shape).astype(bool)
    whole = unpack(maps["weights"], "<u2")
    found = np.full((maps["layers"], maps["heads"], *shape), np.nan)
    found[:, :, mask] = whole.reshape(maps["layers"], maps["heads"], -1) / FULL
    return found


@pytest.fixture(scope="module")
def explanation(explainer: Explainer) -> Explanation:
    return explainer.explain(TEXT, DecodeConfig(beam_size=3, max_length=24), shown=1)


@pytest.fixture(scope="module")
def sent(explainer: Explainer, explanation: Explanation) -> dict[str, Any]:
    return build(explainer, explanation)


@pytest.mark.parametrize("kind", KINDS)
def test_weights_are_the_records(kind: Kind, explanation: Explanation, sent: dict) -> None:
    maps, found = explanation.trace.attention(kind), weights(sent["attention"][kind])
    assert found.shape == maps.weights.shape
    assert np.isnan(found[:, :, ~maps.mask]).all()
    allowed = maps.weights[:, :, maps.mask]
    error = np.abs(found[:, :, maps.mask] - allowed)
    assert error.max() <= 0.5 / FULL + 1e-9
    # Better than sixteen-bit floats, which would cost the same room.
    assert error.max() < np.abs(allowed.astype(np.float16) - allowed).max()


def test_a_planted_difference_is_seen(explanation: Explanation, sent: dict) -> None:
    found = weights(sent["attention"]["cross"])
    swapped = found[:, ::-1]
    assert np.nanmax(np.abs(swapped - explanation.trace.cross.weights)) > 1 / FULL


def test_steps_are_the_records(explainer: Explainer, explanation: Explanation, sent: dict) -> None:
    trace = explanation.trace
    assert len(sent["steps"]) == len(trace.tgt_out) == len(sent["tgt_in"]) == len(sent["tgt_out"])
    for t, step in enumerate(sent["steps"]):
        assert step["chosen"] == trace.tgt_out.ids[t] == sent["tgt_out"][t]["id"]
        assert np.float32(step["log_prob"]) == trace.log_prob[t]
        assert np.float32(step["entropy"]) == trace.entropy[t]
        assert [top["id"] for top in step["top"]] == trace.top_ids[t, : payload.TOP].tolist()
        assert [top["piece"] for top in step["top"]] == [
            explainer.tokenizer.piece(i) for i in trace.top_ids[t, : payload.TOP]
        ]
        found = [top["log_prob"] for top in step["top"]]
        assert np.float32(found).tolist() == trace.top_log_probs[t, : payload.TOP].tolist()
        assert found == sorted(found, reverse=True)


def test_a_token_is_labelled_alike_where_it_is_written_and_where_it_is_read(
    explainer: Explainer,
) -> None:
    """Also where the text ends within a character, or nothing but its last token is a word."""
    tokenizer = explainer.tokenizer
    pieces = {tokenizer.piece(i): i for i in range(len(tokenizer))}
    bytes_of = [pieces[f"<0x{byte:02X}>"] for byte in "韀".encode()]
    letter = next(i for piece, i in pieces.items() if len(piece) == 1 and piece.isalpha())
    word = next(i for piece, i in pieces.items() if len(piece) > 2 and piece[1:].isalpha())
    for prefix, lines in (
        (bytes_of, ["韀 1/3", "韀 2/3", "韀 3/3"]),
        ([letter, letter, word], None),
    ):
        config = DecodeConfig(max_length=len(prefix))
        built = build(explainer, explainer.explain(TEXT, config, prefix=prefix))
        assert built["tgt_in"][1:] == built["tgt_out"][:-1]
        assert lines is None or [one["line"] for one in built["tgt_out"]] == lines
    assert built["tgt_out"][1]["joined"], "this would prove nothing"


def test_hypotheses_are_the_records(explanation: Explanation, sent: dict) -> None:
    assert sent["shown"] == 1
    assert sent["translation"] == explanation.search.hypotheses[1].text
    for found, hypothesis in zip(sent["hypotheses"], explanation.search.hypotheses, strict=True):
        assert found["text"] == hypothesis.text
        assert (found["log_prob"], found["score"]) == (hypothesis.log_prob, hypothesis.score)
        penalty = explanation.config.penalty(found["length"])
        assert found["log_prob"] / penalty == pytest.approx(found["score"], rel=1e-12)


def test_steps_add_up_to_the_hypothesis(sent: dict) -> None:
    total = sum(step["log_prob"] for step in sent["steps"] if not step["forced"])
    assert total == pytest.approx(sent["hypotheses"][sent["shown"]]["log_prob"], abs=1e-4)


def test_settings_are_those_that_a_visitor_may_set(sent: dict) -> None:
    assert set(sent["settings"]) == set(SETTINGS) - {"rules_off"}  # there where some are
    assert sent["settings"]["beam_size"] == 3


@pytest.mark.slow
def test_twenty_by_twenty_stays_small(explainer: Explainer) -> None:
    """3 kinds x 3 layers x 8 heads x 20 x 20, with all labels, steps and hypotheses."""
    words = 20
    while True:
        text = " ".join(["live"] * words)
        found = explainer.explain(text, DecodeConfig(max_length=20))
        if len(found.trace.src) <= 20:
            break
        words -= 1
    assert len(found.trace.src) >= 18 and len(found.trace.tgt_out) == 20
    assert len(to_json(build(explainer, found)).encode()) < 150_000


def test_no_part_of_a_text_looks_like_a_tag(explainer: Explainer) -> None:
    found = explainer.explain("<script>alert(1)</script>", DecodeConfig(max_length=8))
    built = build(explainer, found)
    assert built["text"] == "<script>alert(1)</script>"
    assert "<" not in to_json(built)


def test_doubt_is_told_of_whole_translations_by_the_untouched_model(
    explainer: Explainer, explanation: Explanation, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert explainer.thresholds is None and build(explainer, explanation)["doubt"] is None
    mean = float(np.mean(explanation.trace.log_prob))
    strict = Thresholds(mean / 2, 10**9, 0.0, 12.0, 0.7, 0.4, 10, 100)
    monkeypatch.setattr(explainer, "thresholds", strict)
    told = build(explainer, explanation)["doubt"]
    assert told["reasons"] == ["missing", "unlikely"] and told["missing"] == ["😀"]
    assert told["signs"]["log_prob"] == pytest.approx(mean, abs=1e-6)
    assert told["thresholds"]["precision"] == 0.7
    forced = dataclasses.replace(explanation, prefix=(5,))
    changed = dataclasses.replace(explanation, interventions=Interventions(positions="none"))
    for other in (forced, changed, dataclasses.replace(explanation, node=(0, 0))):
        assert build(explainer, other)["doubt"] is None
    monkeypatch.setattr(explainer, "thresholds", dataclasses.replace(strict, log_prob=mean * 2))
    assert build(explainer, explanation)["doubt"]["reasons"] == ["missing"]
    plain = explainer.explain("I am a small frog.", DecodeConfig(max_length=8))
    lax = dataclasses.replace(strict, log_prob=-1e6)
    monkeypatch.setattr(explainer, "thresholds", lax)
    assert build(explainer, plain)["doubt"] is None
