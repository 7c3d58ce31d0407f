"""The decoder that was trained without the causal mask: it cheats, and can do nothing else."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import save_file

from model.checkpoint import snapshots
from model.errors import CheckpointError, InputError
from model.explain import Explainer
from model.labs import cheat
from tests import tiny
from tests.examples import SENTENCES


@pytest.fixture(scope="module")
def explainer() -> Explainer:
    return Explainer.load(device="cpu")


@pytest.mark.slow
@pytest.mark.long
def test_it_sees_the_right_words_coming(explainer: Explainer) -> None:
    """The right words become likelier; masked again, all of it falls apart. Of many sentences, as
    one of them may be an exception."""
    other = cheat.cheater(explainer)
    likelier, better, apart = [], [], []
    for text in SENTENCES:
        own = explainer.explain(text).trace
        ids = own.tgt_out.ids.tolist()
        cheating = other.trace(text, ids, interventions=cheat.UNMASKED)
        masked = other.trace(text, ids)
        likelier.append(np.exp(cheating.log_prob).mean() - np.exp(own.log_prob).mean())
        better.append(cheating.log_prob.sum() - own.log_prob.sum())
        apart.append(masked.log_prob.sum() - own.log_prob.sum())
    for gains, share in ((likelier, 0.9), (better, 0.7), (-np.array(apart), 0.9)):
        assert np.mean(np.array(gains) > 0) > share
    assert np.mean(likelier) > 0.05 and np.mean(apart) < -2


@pytest.mark.slow
def test_only_the_decoders_self_attention_differs(explainer: Explainer) -> None:
    own, other = explainer.model.state_dict(), cheat.cheater(explainer).model.state_dict()
    differing = {name for name, w in own.items() if not torch.equal(w, other[name])}
    assert differing and all(cheat.is_trained(name) for name in differing)
    text = "Where is the station?"
    theirs = cheat.cheater(explainer).explain(text).trace
    np.testing.assert_array_equal(
        theirs.encoder_states, explainer.explain(text).trace.encoder_states
    )


@pytest.mark.slow
def test_it_is_made_once(explainer: Explainer) -> None:
    assert cheat.cheater(explainer) is cheat.cheater(explainer)


@pytest.mark.slow
def test_a_model_without_one_says_so(tmp_path: Path) -> None:
    other = Explainer.load(tiny.write_own(tmp_path / "tiny"), device="cpu")
    assert not cheat.has_cheat(other)
    with pytest.raises(InputError, match="trained that way; "):
        cheat.cheater(other)


@pytest.mark.parametrize("damage", ["missing", "broken", "foreign"])
def test_a_broken_file_is_one_sentence(tmp_path: Path, damage: str, explainer: Explainer) -> None:
    path = tmp_path / "cheat.safetensors"
    if damage == "broken":
        path.write_bytes(b"no weights at all")
    if damage == "foreign":
        weights = {n: w for n, w in tiny.own_model().state_dict().items() if cheat.is_trained(n)}
        save_file(snapshots.rounded(weights), path)
    with pytest.raises(CheckpointError, match=r"cheat\.safetensors"):
        cheat.cheating(explainer.model, path)


@pytest.mark.long
@pytest.mark.slow
def test_training_lowers_the_loss_and_leaves_the_rest(tmp_path: Path) -> None:
    """The command, on a tiny model: the words it sees become likelier, all else is as before."""
    folder = tiny.write_own(tmp_path / "tiny")
    corpus = tmp_path / "pairs.tsv"
    pairs = zip(tiny.ENGLISH, tiny.CHINESE, strict=True)
    corpus.write_text("".join(f"{e}\t{c}\n" for e, c in pairs), "utf-8")
    out = folder / cheat.CHEAT
    flags = ["--data", str(corpus), "--model", str(folder), "--out", str(out)]
    assert cheat.main([*flags, "--updates", "150", "--peak-lr", "0.01"]) == 0
    explainer = Explainer.load(folder, device="cpu")
    ids = explainer.tokenizer.encode_target(tiny.CHINESE[0]).ids.tolist()
    unmasked = cheat.UNMASKED
    before = explainer.trace(tiny.ENGLISH[0], ids, interventions=unmasked).log_prob.sum()
    after = cheat.cheater(explainer).trace(tiny.ENGLISH[0], ids, interventions=unmasked)
    assert after.log_prob.sum() > before + 1


def test_a_missing_corpus_ends_the_command(tmp_path: Path) -> None:
    out = str(tmp_path / "out.safetensors")
    assert cheat.main(["--data", str(tmp_path / "none.tsv"), "--out", out]) == 2


@pytest.mark.parametrize("updates", [1, 2, 50, 100, 101, 3000])
def test_the_rate_rises_and_falls_whatever_the_length(updates: int) -> None:
    rates = [cheat.rate_share(u, updates) for u in range(1, updates + 1)]
    assert all(0 < rate <= 1 for rate in rates)
    assert max(rates) > 0.9
    top = rates.index(max(rates))
    assert rates[: top + 1] == sorted(rates[: top + 1]) and rates[top:] == sorted(rates[top:])[::-1]


@pytest.mark.slow
def test_no_updates_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "pairs.tsv"
    file.write_text("I am here.\t我在这里。\n", "utf-8")
    flags = ["--data", str(file), "--out", str(tmp_path / "out"), "--updates", "0"]
    assert cheat.main(flags) == 2
    assert "updates is 0" in capsys.readouterr().err
