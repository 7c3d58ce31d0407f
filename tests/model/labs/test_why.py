"""The split of a logit difference: it adds up to the model's own, and breaks where it should."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from model.checkpoint import SHIPPED
from model.config import UNTOUCHED, DecodeConfig, Interventions
from model.errors import InputError
from model.explain import Explainer
from model.labs.why import split as module
from model.labs.why.__main__ import main
from model.labs.why.heads import without_heads
from model.labs.why.rivals import closest
from model.labs.why.split import why
from model.trace import Explanation
from tests.tiers import some
from tests.tiny import ENGLISH, SINCE, write_marian, write_own

TEXT = "I am a small frog."
EVERYDAY = Path(__file__).parents[3] / "docs" / "everyday.txt"
SHAPES = {
    "post": {},
    "pre": {"norm": "pre"},
    "none": {"norm": "none"},
    "untied": {"tied": False, "output_bias": True},
    "pre untied": {"norm": "pre", "tied": False, "output_bias": True, "decoder_heads": 4},
    "learned": {"positions": "learned", "position_offset": 2, "embedding_norm": "sum"},
    "norm before": {"positions": "learned", "norm": "pre", "embedding_norm": "target_token"},
    **SINCE,
}


@pytest.fixture(scope="module", params=[*SHAPES, "marian"])
def explainer(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Explainer:
    """A tiny random model in float64."""
    folder = tmp_path_factory.mktemp("model") / "tiny"
    write = write_marian(folder) if request.param == "marian" else None
    loaded = Explainer.load(
        write or write_own(folder, 5 * (request.param in SINCE), **SHAPES[request.param]),
        device="cpu",
    )
    return loaded.with_model(loaded.model.double())


@pytest.fixture(scope="module")
def shipped() -> Explainer:
    return Explainer.load(SHIPPED, device="cpu")


def explain(explainer: Explainer, interventions: Interventions = UNTOUCHED) -> Explanation:
    config = DecodeConfig(method="sampling", max_length=7, seed=1)
    return explainer.explain(TEXT, config, interventions=interventions)


def own(explainer: Explainer, found: Explanation, step: int, a: int, b: int) -> float:
    """The model's own difference, in its own precision, by one call of the whole network."""
    trace, model = found.trace, explainer.model
    n_src = len(trace.src) - found.interventions.padding
    src, tgt = (torch.tensor(i[None]) for i in (trace.src.ids[:n_src], trace.tgt_in.ids))
    logits = model(src, tgt, model.edits(found.interventions))[0, step]
    return float(logits[a] - logits[b])


@pytest.mark.slow
@pytest.mark.parametrize(
    "interventions",
    [
        UNTOUCHED,
        Interventions(heads_off=(("cross", 1, 0), ("decoder_self", 0, 1)), cross_off=(2,)),
        Interventions(causal_mask=False, padding=3, padding_mask=False, positions="none"),
    ],
)
def test_nothing_is_left_over_in_float64(
    explainer: Explainer, interventions: Interventions
) -> None:
    found = explain(explainer, interventions)
    for step in range(len(found.trace.tgt_in)):
        written = int(found.trace.tgt_out.ids[step])
        split = why(explainer, found, step, instead_of=(written + 7) % 100)
        expected = own(explainer, found, step, written, (written + 7) % 100)
        assert split.difference == pytest.approx(expected, abs=1e-9)
        assert abs(split.left) <= 1e-9 * max(1, abs(expected))
        assert not split.decoder_self[..., step + 1 :].any() or not interventions.causal_mask


def test_a_norm_that_is_not_frozen_whole_is_noticed(
    explainer: Explainer, monkeypatch: pytest.MonkeyPatch
) -> None:
    if explainer.model.config.norm == "none":
        pytest.skip("this model has no norms")
    real = module._through

    def without_mean(norm, x, direction):  # type: ignore[no-untyped-def]
        found, shift = real(norm, x, direction)
        return found + found.abs().mean(), shift

    monkeypatch.setattr(module, "_through", without_mean)
    assert abs(why(explainer, explain(explainer), 2, 5).left) > 1e-3


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "value"),
    [("T5", "mean"), ("T5", "factor"), ("T5 1.1", "mean"), ("RMSNorm after, gated", "mean")],
)
def test_a_layernorm_in_place_of_an_rmsnorm_and_a_missing_factor_are_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    loaded = Explainer.load(write_own(tmp_path / "m", 5, **SINCE[name]), device="cpu")
    explainer = loaded.with_model(loaded.model.double())
    found = explain(explainer)
    assert abs(why(explainer, found, 2, 5).left) < 1e-9
    if value == "factor":
        monkeypatch.setattr(type(explainer.model.config), "output_scale", 1.0)
        monkeypatch.setattr(
            type(explainer.model), "read_out", lambda self, x: x * self.config.d_model**-0.5
        )
    else:

        def with_mean(norm, x, direction):  # type: ignore[no-untyped-def]
            if not hasattr(norm, "eps"):
                return direction, 0.0
            deviation = (x.var(unbiased=False) + norm.eps).sqrt()
            scaled = norm.weight * direction / deviation
            return scaled - scaled.mean(), 0.0

        monkeypatch.setattr(module, "_through", with_mean)
    assert abs(why(explainer, found, 2, 5).left) > 1e-3


def test_heads_in_another_order_are_noticed(explainer: Explainer) -> None:
    """Each head's numbers come from its own rows of W_o."""
    found = explain(explainer)
    split = why(explainer, found, 3, 5)
    cross = explainer.model.decoder[-1].cross_attention  # type: ignore[union-attr]
    direct = split.cross[-1].sum(-1)
    cross.output.weight.copy_(cross.output.weight.roll(cross.output.weight.shape[0] // 2, 1))
    try:
        turned = why(explainer, found, 3, 5)
        assert abs(turned.left) < 1e-9 * max(1, abs(turned.difference))
        assert np.abs(turned.cross[-1].sum(-1) - direct).max() > 1e-3
    finally:
        cross.output.weight.copy_(cross.output.weight.roll(cross.output.weight.shape[0] // 2, 1))


@pytest.mark.slow
def test_where_nothing_comes_after_the_direct_part_is_the_whole_effect(tmp_path: Path) -> None:
    """Without norms and with a last feed-forward that adds nothing, both measures must agree."""
    loaded = Explainer.load(write_own(tmp_path / "m", norm="none"), device="cpu")
    model = loaded.model.double()
    model.decoder[-1].feed_forward.outer.weight.zero_()  # type: ignore[union-attr]
    explainer = loaded.with_model(model)
    found = explain(explainer)
    split = why(explainer, found, 3, 5)
    off = without_heads(explainer, found, split)
    np.testing.assert_allclose(off.effects("cross")[-1], split.cross[-1].sum(-1), atol=1e-9)
    assert np.abs(off.effects("cross")[0] - split.cross[0].sum(-1)).max() > 1e-3


@pytest.mark.slow
def test_a_head_that_is_off_is_off(explainer: Explainer) -> None:
    """`without_heads` against one whole pass for one head."""
    found = explain(explainer)
    split = why(explainer, found, 3, 5)
    off = without_heads(explainer, found, split)
    changed = replace(found, interventions=Interventions(heads_off=(("decoder_self", 1, 1),)))
    expected = own(explainer, changed, 3, split.token, 5)
    assert off.decoder_self[1, 1] == pytest.approx(expected, abs=1e-9)


@pytest.mark.slow
def test_random_steps_of_the_shipped_model(shipped: Explainer) -> None:
    """The model's own difference comes from `Explainer.logits`, over the whole vocabulary."""
    draw = random.Random(1)
    lines = [*EVERYDAY.read_text("utf-8").splitlines(), *ENGLISH]
    texts = [*lines, *(f"She said: {line}" for line in lines)][:50]
    largest = 0.0
    for text in some(texts, 10):  # of each, four steps
        found = shipped.explain(text, DecodeConfig(method="greedy", max_length=40))
        logits = shipped.logits(text, found.trace.tgt_out.ids.tolist()).astype(np.float64)
        for _ in range(4):
            step = draw.randrange(len(logits))
            a = int(found.trace.tgt_out.ids[step])
            b = int(np.argsort(-logits[step])[draw.randrange(1, 50)])
            split = why(shipped, found, step, b if b != a else a + 1, a)
            expected = logits[step, a] - logits[step, split.instead_of]
            largest = max(largest, abs(split.total - expected))
    assert 0 < largest <= 1e-4


def test_the_closest_rival_follows_the_same_tokens(shipped: Explainer) -> None:
    found = shipped.explain("The dog bit the man.")
    rival = closest(found)
    assert rival is not None
    assert int(found.trace.tgt_out.ids[rival.step]) == rival.token
    distances = [
        abs(float(log_probs[i] - log_prob))
        for log_probs, ids, log_prob, out in zip(
            found.trace.top_log_probs, found.trace.top_ids, found.trace.log_prob,
            found.trace.tgt_out.ids, strict=True,
        )
        for i in range(len(ids))
        if ids[i] != out
    ]  # fmt: skip
    split = why(shipped, found, rival.step, rival.instead_of)
    assert abs(split.difference) == pytest.approx(min(distances), abs=1e-4)


@pytest.mark.slow
def test_the_command_answers_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(["--text", "The dog bit the man.", "--step", "3", "--instead-of", "人", "--json"]) == 0
    )
    found = json.loads(capsys.readouterr().out)
    assert found["step"] == 3 and found["instead_of"].strip("\u2581") == "人"
    whole = sum(layer["sum"] for layer in found["layers"])
    whole += found["embedding"] + found["position"] + found["output_bias"]
    assert whole == pytest.approx(found["difference"], abs=1e-4)
    assert main(["--text", "The dog.", "--step", "3", "--instead-of", "no such piece"]) == 2
    assert "no piece" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize(("step", "instead_of"), [(99, 5), (0, -1), (0, 10**6)])
def test_what_there_is_not_gets_a_sentence(shipped: Explainer, step: int, instead_of: int) -> None:
    with pytest.raises(InputError, match=r"given|asked for"):
        why(shipped, shipped.explain(TEXT), step, instead_of)
