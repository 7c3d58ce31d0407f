"""Commands, endpoints and the page decode as a checkpoint does: as `generate` of `transformers`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch

from explorer.api import Api
from model import evaluate, translate
from model.checkpoint import load
from model.explain import Explainer
from tests import foreign, tiny
from tests.parity.test_families import DECODING, end_often, unpadded
from tests.tiers import each, some

transformers = pytest.importorskip("transformers")

RESERVED = [0, *range(2, 105)]  # tokens of Pegasus without a text
FAMILIES: list[tuple[str, dict[str, Any]]] = [
    ("bart", DECODING["bart-large-cnn"]),
    ("t5", {"max_length": 12}),
    ("pegasus", DECODING["pegasus-large"] | {"min_length": 6, "suppress_tokens": RESERVED}),
    ("umt5", DECODING["early, penalised"]),
    ("umt5", {"max_length": 12}),
    ("nllb", {"max_length": 12, "no_repeat_ngram_size": 2}),
    ("codet5", DECODING["shared"]),
    ("codet5", {"max_length": 14}),
    ("mbart-50", DECODING["early, penalised"]),
    ("marian", DECODING["shared"] | {"bad_words_ids": [[5], [6], [7]], "no_repeat_ngram_size": 2}),
    ("marian", {"num_beams": 6, "max_length": 14, "length_penalty": 2.0}),
    ("marian", {"max_length": 14}),
    ("byt5", {"max_length": 16, "repetition_penalty": 1.3}),
    ("byt5", DECODING["never"] | {"encoder_no_repeat_ngram_size": 2, "min_length": 6}),
    ("blenderbot small", DECODING["blenderbot"]),
    ("chinese bart", DECODING["greedy, penalised"]),
]


def write(folder: Path, name: str, settings: dict[str, Any]) -> Path:
    if name != "marian":
        foreign.write_family(folder, name, 0, generation=settings)
        end_often(folder)
        return folder
    tiny.write_marian(folder, 5)
    path = folder / "generation_config.json"
    foreign.write_json(path, json.loads(path.read_text("utf-8")) | settings)
    return folder


@each(("name", "settings"), FAMILIES, 5)
def test_commands_endpoints_and_the_page_write_what_generate_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, settings: dict[str, Any]
) -> None:
    """Where the files name no beams, commands and endpoints are greedy, and the page has 4."""
    folder = write(tmp_path / "model", name, settings)
    model = foreign.exact(transformers.AutoModelForSeq2SeqLM.from_pretrained(folder))
    loaded, explainer = load(folder), Explainer.load(folder, device="cpu")
    loaded.model.double()
    explainer.model.double()
    endpoints = Api(tiny.only(lambda: explainer))
    _, config = translate.open_model(translate.Decoding(str(folder), device="cpu"))

    def written(text: str, **more: Any) -> list[int]:
        ids = torch.tensor([loaded.tokenizer.encode_source(text).ids.tolist()])
        found: list[int] = model.generate(ids, **more)[0, 1:].tolist()
        return unpadded(found, model.config.eos_token_id)

    def expected(text: str) -> str:
        return on_one_line(loaded.tokenizer.decode(written(text)))

    texts = some(foreign.SENTENCES, 3)
    found = translate.translate_all(loaded, texts, config)
    assert found == [expected(text) for text in texts]
    assert [on_one_line(endpoints.translate(text)["translation"]) for text in texts] == found
    steps = endpoints.beam_search(texts[0])
    assert on_one_line(steps["hypotheses"][0]["text"]) == found[0]
    beams = {} if "num_beams" in settings else {"num_beams": 4}
    shown = [explainer.explain(text).trace.tgt_out.ids.tolist() for text in texts]
    assert shown == [written(text, **beams) for text in texts]
    assert len(set(map(tuple, shown))) > 1  # it reads what is there
    assert explainer.names_beams == (not beams)
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("".join(f"{text}\t{line}\n" for text, line in zip(texts, found, strict=True)))
    monkeypatch.setattr(evaluate, "open_model", lambda command: (loaded, config))
    assert evaluate.scores(evaluate.Command(data=(pairs,)))["chrf"] == 100


STARTS = [
    ("bart", {"decoder_start_token_id": 5}), ("bart", {"decoder_start_token_id": None}),
    ("marian", {"decoder_start_token_id": None, "bos_token_id": 7}),
    ("m2m100", {"decoder_start_token_id": None}), ("umt5", {"decoder_start_token_id": 9}),
    ("mvp", {"eos_token_id": [2, 17, 23], "suppress_tokens": [17], "min_length": 5}),
]  # fmt: skip


def first_of_generate(folder: Path) -> int:
    """What is read first, once all that is written is what `generate` writes."""
    explainer = Explainer.load(folder, device="cpu")
    explainer.model.double()
    model = foreign.exact(transformers.AutoModelForSeq2SeqLM.from_pretrained(folder))
    for text in foreign.SENTENCES[:4]:
        expected = model.generate(torch.tensor([explainer.read(text).ids.tolist()]))[0].tolist()
        trace = explainer.explain(text).trace
        assert [trace.tgt_in.ids[0], *trace.tgt_out.ids] == expected
    return int(expected[0])


@each(("name", "settings"), STARTS, 3)
def test_what_is_read_first_is_that_of_generate(
    tmp_path: Path, name: str, settings: dict[str, Any]
) -> None:
    """Other than in config.json; without a start the token that begins a text stands for it."""
    folder = write(tmp_path / "model", name, {"num_beams": 3, "max_length": 12} | settings)
    path = folder / "generation_config.json"
    values = json.loads(path.read_text("utf-8")) | settings
    foreign.write_json(path, {k: v for k, v in values.items() if v is not None})
    start = first_of_generate(folder)
    assert start == (values.get("decoder_start_token_id") or values.get("bos_token_id"))


OLDER: list[tuple[str, dict[str, Any]]] = [
    ("bart", {"force_bos_token_to_be_generated": True, "forced_bos_token_id": None}),
    ("bart", {"no_repeat_ngram_size": 2, "min_length": 6, "length_penalty": 2.0}),
    ("t5", {"n_positions": 8, "dense_act_fn": "gelu"}),
    ("mbart cc25", {"early_stopping": True, "forced_eos_token_id": 2}),
]  # fmt: skip


@each(("name", "settings"), OLDER, 2)
def test_settings_of_an_older_repository_stand_in_config_json(
    tmp_path: Path, name: str, settings: dict[str, Any]
) -> None:
    folder = write(tmp_path / "model", name, {})
    config = json.loads((folder / "config.json").read_text("utf-8"))
    generation = json.loads((folder / "generation_config.json").read_text("utf-8"))
    (folder / "generation_config.json").unlink()
    own = {"num_beams": 3, "max_length": 14} | settings
    values = {k: v for k, v in (generation | config | own).items() if v is not None}
    foreign.write_json(folder / "config.json", values)
    first_of_generate(folder)


def on_one_line(text: str) -> str:
    return " ".join(text.split())


def test_a_flag_overrides_one_setting(tmp_path: Path) -> None:
    folder = write(tmp_path / "model", "bart", DECODING["bart-large-cnn"])
    command = translate.Decoding(str(folder), beam=2, no_repeat=0, device="cpu")
    _, config = translate.open_model(command)
    assert (config.method, config.beam_size, config.no_repeat) == ("beam", 2, 0)
    assert (config.length_penalty, config.max_length) == (2.0, 23)
    greedy = translate.Decoding(str(folder), beam=1, device="cpu")
    assert translate.open_model(greedy)[1].method == "greedy"


def test_a_model_of_ours_keeps_four_beams(tmp_path: Path) -> None:
    """It has no such file: everywhere the same."""
    folder = tiny.write_own(tmp_path / "own", paired=True)
    explainer = Explainer.load(folder, device="cpu")
    _, config = translate.open_model(translate.Decoding(str(folder), device="cpu"))
    assert (config.method, config.beam_size) == ("beam", 4)
    assert config == explainer.decoding() == explainer.defaults and explainer.names_beams
