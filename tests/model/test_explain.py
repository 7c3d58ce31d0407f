"""The Explainer: what comes back for a text, what is refused, what is remembered."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from model.config import DecodeConfig, Interventions
from model.errors import CheckpointError, InputError
from model.explain import Explainer
from model.labs.ablation import occlusion, rank_heads
from model.labs.contribution import measured
from model.labs.dissect import attention_sub_layer, inputs, sub_layers
from model.labs.lens import lens, neighbours
from model.labs.looks import look
from model.labs.timing import layer_times
from model.trace import Explanation
from tests.tiny import own_model, write_marian, write_own

TEXTS = ["I am a small frog.", "the the the book", "Hello 🐸!", "我是青蛙"]


@pytest.fixture(scope="module", params=["own", "marian"])
def explainer(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Explainer:
    folder = tmp_path_factory.mktemp("model") / request.param
    write = write_own if request.param == "own" else write_marian
    return Explainer.load(write(folder), device="cpu")


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Explainer:
    return Explainer.load(write_own(tmp_path_factory.mktemp("model") / "own"), device="cpu")


def config(**changes: object) -> DecodeConfig:
    return DecodeConfig.from_dict({"max_length": 12, **changes})


@pytest.mark.slow
@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("method", ["greedy", "beam", "sampling", "beam_sampling"])
def test_the_trace_is_that_of_the_hypothesis(explainer: Explainer, text: str, method: str) -> None:
    """The teacher-forced pass gives each token the log-prob that the search recorded."""
    e = explainer.explain(text, config(method=method, seed=3))
    best, trace = e.search.hypotheses[0], e.trace
    assert [int(i) for i in trace.tgt_out.ids[: len(best.ids)]] == list(best.ids)
    recorded = [e.search.steps[t].log_probs[c] for t, c in enumerate(best.path)]
    np.testing.assert_allclose(trace.log_prob, recorded, rtol=1e-4, atol=1e-4)
    if method == "sampling":  # drawn tokens differ, so one position off would be noticed
        assert np.abs(np.roll(trace.log_prob, 1) - recorded).max() > 1e-2
    assert trace.tgt_in.ids[0] == explainer.rules.start_id
    assert trace.tgt_in.pieces[1:] == trace.tgt_out.pieces[:-1]
    n_src, n_tgt = len(trace.src), len(trace.tgt_out)
    assert trace.encoder_self.weights.shape == (2, 2, n_src, n_src)
    assert trace.decoder_self.weights.shape == (3, 2, n_tgt, n_tgt)
    assert trace.cross.weights.shape == (3, 2, n_tgt, n_src)
    assert trace.tgt_out.text == best.text


def test_entropy_and_top_are_of_the_whole_vocabulary(explainer: Explainer) -> None:
    trace = explainer.explain(TEXTS[0], config()).trace
    assert (np.diff(trace.top_log_probs, axis=1) <= 0).all()
    assert (np.exp(trace.top_log_probs).sum(1) <= 1 + 1e-5).all()
    rows = [int(i) for i in trace.tgt_out.ids]
    inside = [np.isin(i, trace.top_ids[t]) for t, i in enumerate(rows)]
    for t, (i, found) in enumerate(zip(rows, inside, strict=True)):
        if found:
            place = trace.top_ids[t].tolist().index(i)
            assert trace.top_log_probs[t, place] == pytest.approx(trace.log_prob[t], abs=1e-5)
    tail = np.exp(trace.top_log_probs.astype(np.float64))
    partial = -(tail * np.log(tail)).sum(1)
    assert (trace.entropy >= partial - 1e-4).all()
    assert (trace.entropy <= np.log(len(explainer.tokenizer)) + 1e-4).all()


def test_any_hypothesis_can_be_shown(explainer: Explainer) -> None:
    first = explainer.explain(TEXTS[0], config(beam_size=3))
    third = explainer.explain(TEXTS[0], config(beam_size=3), shown=2)
    assert third.search is first.search  # remembered: no second search
    assert third.trace.tgt_out.text == first.search.hypotheses[2].text
    with pytest.raises(InputError, match="Hypothesis 4"):
        explainer.explain(TEXTS[0], config(beam_size=3), shown=3)


def test_a_forced_beginning_keeps_its_log_prob(explainer: Explainer) -> None:
    free = explainer.explain(TEXTS[0], config(method="greedy"))
    step = free.search.steps[0]
    other = int(step.token_ids[3])
    forced = explainer.explain(TEXTS[0], config(method="greedy"), prefix=[other])
    assert forced.search.hypotheses[0].ids[0] == other
    assert forced.trace.log_prob[0] == pytest.approx(float(step.log_probs[3]), abs=1e-4)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "nothing to translate"),
        (" \t\n\x00\x07 ", "nothing to translate"),
        ("word " * 150, "tokens; the limit is 64|tokens; the limit"),
        ("x" * 100_000, "100,000 characters; the limit is 2,000"),
        (None, "Expected a text, got NoneType"),
        (["I am"], "Expected a text, got list"),
    ],
)
def test_bad_input_is_one_sentence(explainer: Explainer, text: object, says: str) -> None:
    with pytest.raises(InputError, match=says):
        explainer.explain(text, config())  # type: ignore[arg-type]
    assert explainer.explain(TEXTS[0], config()).search.hypotheses  # and it goes on


@pytest.mark.slow
@given(text=st.text(max_size=60))
def test_any_text_is_explained_or_refused(text: str) -> None:
    try:
        e = _shared().explain(text, DecodeConfig(method="greedy", max_length=4))
    except InputError:
        return
    assert len(e.trace.src) <= 64
    assert "".join(e.trace.src.text.split()) != ""


_cache: list[Explainer] = []


def _shared() -> Explainer:
    """One model for all drawn examples; hypothesis does not mix with narrower fixtures."""
    if not _cache:
        import tempfile

        with tempfile.TemporaryDirectory() as folder:
            _cache.append(Explainer.load(write_own(Path(folder) / "own"), device="cpu"))
    return _cache[0]


@pytest.mark.slow
def test_the_memory_is_bounded_in_bytes(own: Explainer) -> None:
    memory = own._cache
    memory.clear()
    own.explain("book", config(method="greedy"))
    one = memory.n_bytes
    assert 10_000 < one < 2_000_000
    memory.max_bytes, before = 4 * one, memory.max_bytes
    try:
        for n in range(12):
            own.explain(f"book {n}", config(method="greedy"))
            assert memory.n_bytes <= 4 * one
        assert len(memory) >= 4
    finally:
        memory.max_bytes = before
    own.forget()
    assert (len(memory), memory.n_bytes) == (0, 0)


def test_a_question_about_an_explanation_runs_no_pass_again(
    own: Explainer, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = own.explain(TEXTS[0], config(beam_size=3))

    def fail(*_: object, **__: object) -> None:
        raise AssertionError("a pass was run again")

    monkeypatch.setattr(type(own.model), "encode", fail)
    ids = first.trace.tgt_out.ids.tolist()
    own.next_log_probs(TEXTS[0], ids[:3])
    own.logits(TEXTS[0], ids)
    monkeypatch.setattr(type(own.model), "decode", fail)
    assert own.explain(TEXTS[0], config(beam_size=3)) is first
    assert own.trace(TEXTS[0], ids) is first.trace
    with pytest.raises(AssertionError, match="again"):
        own.explain(TEXTS[0], config(beam_size=3), shown=1)


def test_models_that_share_a_memory_keep_their_own_results(own: Explainer) -> None:
    other = own.with_model(own_model(seed=5))
    settings = config(method="greedy")
    assert other._cache is own._cache
    mine, theirs = own.explain(TEXTS[0], settings), other.explain(TEXTS[0], settings)
    assert np.abs(mine.trace.encoder_states - theirs.trace.encoder_states).max() > 0.1


@pytest.mark.parametrize("ids", [[], [420], [-1], [5] * 65, [0, 0]])
def test_source_ids_that_cannot_be_encoded_are_refused(own: Explainer, ids: list[int]) -> None:
    with pytest.raises(InputError, match="ids"):
        own.encoded(ids)
    assert own.encoded([5, 0, 2]).shape == (3, 16)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda own, e: own.explain(e.text, {"beam_size": 2}), "expected a DecodeConfig"),
        (lambda own, e: e.trace.attention("crossed"), "kind is 'crossed'; expected one of enc"),
        *((lambda own, e, k=k: lens(own, e.trace, k), "expected tokens from 1 to 420")
          for k in (0, -1, 421, "3", True)),
        (lambda own, e: measured(own.model, e.trace, "norms", "cross", 1), "measure is 'norms'"),
        (lambda own, e: look(own, e, "crossed", 0, 1, row=1, column=2), "kind is 'crossed'"),
    ],
)  # fmt: skip
def test_calls_with_wrong_values_are_one_sentence(
    own: Explainer, call: Callable[[Explainer, Explanation], object], says: str
) -> None:
    with pytest.raises(InputError, match=says) as caught:
        call(own, own.explain("I am."))
    assert "\n" not in str(caught.value)


def test_a_notebook_is_not_flooded(own: Explainer) -> None:
    cells = tuple(("cross", q, k, True) for q in range(64) for k in range(6))
    e = own.explain("the book " * 3, config(), interventions=Interventions(cells=cells))
    trace, search = e.trace, e.search
    records = [e, trace, search, trace.src, trace.cross, search.steps[0], search.hypotheses[0]]
    records += [own]
    records += [
        attention_sub_layer(own.model, trace, "cross", 0),
        inputs(own.model, trace, "source"),
    ]
    for record in records:
        assert len(repr(record)) < (900 if record is records[-2] else 400), repr(record)
        assert repr(record).startswith(type(record).__name__)
    assert "the book" in repr(e) and "Interventions(cells=" in repr(e)


def test_from_pretrained_is_load_under_another_name(tmp_path: Path) -> None:
    folder = write_own(tmp_path / "own")
    one, other = Explainer.from_pretrained(folder, device="cpu"), Explainer.load(folder, "cpu")
    assert (one.name, one.device) == (other.name, other.device)
    with pytest.raises(CheckpointError, match="revision"):
        Explainer.from_pretrained(folder, revision="main")


@pytest.mark.slow
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
@pytest.mark.parametrize("norm", ["post", "pre"])
def test_a_model_in_half_precision_is_explained(
    tmp_path: Path, dtype: torch.dtype, norm: str
) -> None:
    """Every record is float32, whatever the model computes in."""
    half = Explainer.load(write_own(tmp_path / "own", norm=norm), device="cpu")
    half.model.to(dtype)
    e = half.explain(TEXTS[0], config(beam_size=3))
    for name in ("log_prob", "entropy", "encoder_states", "decoder_states", "top_log_probs"):
        assert getattr(e.trace, name).dtype == np.float32
    assert e.trace.cross.weights.dtype == np.float32
    assert np.isfinite(half.logits(TEXTS[0], [5, 6])).all()
    assert half.next_log_probs(TEXTS[0], [5]).dtype == np.float32
    assert half.encoded([5, 6, 2]).dtype == np.float32
    parts = [*sub_layers(half.model, e.trace, "encoder", 1)]
    parts += sub_layers(half.model, e.trace, "decoder", 2)
    for part in parts:
        assert part.after.dtype == np.float64
    assert np.abs(parts[1].after - e.trace.encoder_states[2]).max() < 0.5
    assert lens(half, e.trace).log_probs.dtype == np.float32
    assert len(neighbours(half, 9)) == 10
    assert np.isfinite(rank_heads(half, e).changes).all()
    assert np.isfinite(occlusion(half, e).changes).all()
    assert layer_times(half.model, [3]).seconds[0] > 0


@pytest.mark.slow
def test_visitors_at_once_get_what_each_gets_alone(explainer: Explainer) -> None:
    alone = {text: explainer.explain(text, config(seed=9)).trace.cross.weights for text in TEXTS}
    explainer.forget()
    found: dict[str, np.ndarray] = {}

    def visit(text: str) -> None:
        found[text] = explainer.explain(text, config(seed=9)).trace.cross.weights

    threads = [threading.Thread(target=visit, args=(text,)) for text in TEXTS]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for text in TEXTS:
        np.testing.assert_allclose(found[text], alone[text], atol=1e-6)


def test_no_text_of_a_visitor_is_logged(
    explainer: Explainer, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO):
        explainer.explain("secret umbrella", config())
    assert caplog.records
    assert "umbrella" not in caplog.text


def test_no_more_is_written_than_there_are_positions(explainer: Explainer) -> None:
    e = explainer.explain(TEXTS[0], DecodeConfig(method="greedy", max_length=500))
    assert e.config.max_length == 64
    assert len(e.trace.tgt_out) <= 64
