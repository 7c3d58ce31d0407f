"""A model whose sides have vocabularies of their own: the page names each token by its own side."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from explorer.exchange import payload
from explorer.exchange.question import Arguments
from explorer.exchange.request import PageError, Request
from explorer.exhibits.figure import anatomy
from explorer.exhibits.lens import near
from model.config import SIDES, DecodeConfig, Side
from model.explain import Explainer
from tests import tiny

pytest.importorskip("transformers")

TEXT = ">>jpn<< I am a small frog."
WISH = Request(TEXT, DecodeConfig(beam_size=2, max_length=12))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    settings = {"tie_word_embeddings": False, "decoder_ffn_dim": 40}
    return tiny.write_marian(tmp_path_factory.mktemp("sides"), separate=True, **settings)


@pytest.fixture(scope="module")
def explainer(folder: Path) -> Explainer:
    return Explainer.load(folder, device="cpu")


def pieces(folder: Path, side: Side) -> dict[int, str]:
    """A side's vocabulary, as its file has it."""
    name = "vocab.json" if side == "source" else "target_vocab.json"
    return {i: piece for piece, i in json.loads((folder / name).read_text("utf-8")).items()}


@pytest.mark.slow
def test_every_label_has_the_piece_of_its_side(folder: Path, explainer: Explainer) -> None:
    found = payload.build(explainer.explain(TEXT, WISH.config), explainer)
    assert found["src"][0]["piece"] == ">>jpn<<"
    source, target = (pieces(folder, side) for side in SIDES)
    lists = [found["tgt_in"], found["tgt_out"], *(step["top"] for step in found["steps"])]
    lists.append(list(found["search"]["labels"].values()))
    for one in found["src"]:
        assert one["piece"] == source[one["id"]] or one["id"] == 1  # an unknown one is itself
    assert all(one["piece"] == target[one["id"]] for labels in lists for one in labels)
    assert any(one["piece"] != target.get(one["id"]) for one in found["src"])
    assert found["model"]["vocabulary"] == len(target)


def test_the_page_is_told_the_language_codes(explainer: Explainer) -> None:
    found = payload.build(explainer.explain(TEXT, WISH.config), explainer)
    assert found["model"]["codes"] == [">>cmn_Hans<<", ">>jpn<<"]


@pytest.mark.parametrize("side", SIDES)
def test_questions_about_a_token_name_its_side(
    folder: Path, explainer: Explainer, side: Side
) -> None:
    named, config = pieces(folder, side), explainer.model.config
    found = near(explainer, WISH, Arguments({"id": 9, "side": side}))
    assert not found["shared"]
    assert all(one["piece"] == named[one["id"]] for one in found["tokens"])
    beyond = config.vocabulary(side)
    with pytest.raises(PageError):
        near(explainer, WISH, Arguments({"id": beyond, "side": side}))


def test_the_table_of_weights_is_complete(explainer: Explainer) -> None:
    found = anatomy(explainer, WISH, Arguments({}))
    numbers = [part["times"] * math.prod(part["shape"]) for part in found["parts"]]
    assert sum(numbers) == found["counted"]
    shapes = {(p["place"], p["name"]): tuple(p["shape"]) for p in found["parts"]}
    assert shapes["encoder", "inner.weight"] == (24, 16)
    assert shapes["decoder", "inner.weight"] == (40, 16)
    assert ("source", "token") in shapes
