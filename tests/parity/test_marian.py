"""The network, the tokenizer and the export against `transformers`' Marian.

All in float64 but the two position tables, which are born in float32 there and here, so 1e-6 of
the largest number is far above rounding and far below any mistake. Each comparison has twins with
a planted fault that it must notice.
"""

from __future__ import annotations

import functools
import json
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from model import transformer
from model.checkpoint import Checkpoint, export_model, load, save, weight_names
from model.config import UNTOUCHED, Interventions, ModelConfig
from model.errors import CheckpointError
from model.transformer import Transformer, sinusoids
from tests import tiny

transformers = pytest.importorskip("transformers")

Everything = dict[str, Tensor]
TEXTS = [
    *tiny.ENGLISH,
    "it's 3.50 now",
    "Überraschung 😀 in 东京",
    "Hi½ ﬁne ㍿",
    "“me” … and café",  # typographic signs, and an accent on its own
    "می\u200cخواهم",
    "👩\u200d👧 🇨🇳 \U0001fae9",
    "two  spaces\tand a tab ",
    ">>cmn_Hans<< I am a small frog.",
    "a",
]
# Ours reads these as the plain text; there they are unknown, or divide a word.
UNSEEN = {
    "\ufeffco\u00adop a\u200bb\u2060 \u200ec": "coop ab c",
    "I am a sm\u00adall fr\u200bog.": "I am a small frog.",
    "It’s me": "It's me",  # it has no piece for ’
}


@pytest.fixture(scope="module", params=[False, True], ids=["joint", "separate"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny.write_marian(tmp_path_factory.mktemp("marian"), separate=request.param)


@functools.cache  # no test changes a folder after this
def reference(folder: Path) -> Any:
    opened = transformers.AutoModelForSeq2SeqLM.from_pretrained(folder, attn_implementation="eager")
    return opened.double().eval()


def sentences(config: Any) -> tuple[Tensor, Tensor]:
    """Three sources of different lengths, padded, and three targets as the decoder reads them."""
    generator = torch.Generator().manual_seed(1)
    src = torch.randint(3, 50, (3, 9), generator=generator)
    for row, length in enumerate((9, 6, 2)):
        src[row, length - 1] = config.end_id
        src[row, length:] = config.pad_id
    tgt = torch.randint(3, 50, (3, 7), generator=generator)
    tgt[:, 0] = config.start_id
    return src, tgt


def theirs(model: Any, src: Tensor, tgt: Tensor) -> Everything:
    with torch.no_grad():
        out = model(
            input_ids=src,
            attention_mask=(src != model.config.pad_token_id).long(),
            decoder_input_ids=tgt,
            output_attentions=True,
            output_hidden_states=True,
        )
    return {
        "encoder_states": torch.stack(out.encoder_hidden_states),
        "decoder_states": torch.stack(out.decoder_hidden_states),
        "encoder_self": torch.stack(out.encoder_attentions),
        "decoder_self": torch.stack(out.decoder_attentions),
        "cross": torch.stack(out.cross_attentions),
        "logits": out.logits,
    }


def ours(
    model: Transformer, src: Tensor, tgt: Tensor, changes: Interventions = UNTOUCHED
) -> Everything:
    with torch.no_grad():
        edits = model.edits(changes)
        memory, src_mask, encoder = model.encode(src, edits)
        x, _, decoder = model.decode(tgt, model.start(memory, src_mask), edits)
        logits = model.logits(x)
    return {
        "encoder_states": torch.stack(encoder.states),
        "decoder_states": torch.stack(decoder.states),
        "encoder_self": torch.stack([record.weights for record in encoder.self_attention]),
        "decoder_self": torch.stack([record.weights for record in decoder.self_attention]),
        "cross": torch.stack([record.weights for record in decoder.cross]),
        "logits": logits,
    }


def unequal(one: Everything, other: Everything, tolerance: float = 1e-6) -> list[str]:
    """What differs by more than `tolerance` of its largest number, NaN included."""
    return [
        name
        for name in other
        if one[name].shape != other[name].shape
        or not (one[name] - other[name]).abs().max() <= tolerance * other[name].abs().max()
    ]


def test_states_attention_and_logits_are_those_of_transformers(folder: Path) -> None:
    found = load(folder).model.double()
    src, tgt = sentences(found.config)
    expected = theirs(reference(folder), src, tgt)
    assert expected["cross"].shape == (3, 3, 2, 7, 9)  # layers, batch, heads, target, source
    assert unequal(ours(found, src, tgt), expected) == []


# ------------------------------------------------------------------------------ planted faults


def nudge_one_weight(model: Transformer) -> None:
    model.encoder[1].feed_forward.inner.weight[3, 5] += 1e-3


def drop_the_scaling(model: Transformer) -> None:
    for layer in model.decoder:
        layer.cross_attention.query.weight *= model.config.d_k("cross") ** 0.5
        layer.cross_attention.query.bias *= model.config.d_k("cross") ** 0.5


def swap_two_heads(model: Transformer) -> None:
    """Inputs and outputs alike, so that the logits stay as they were: only the maps are swapped."""
    part, d_k = model.encoder[0].self_attention, model.config.d_k("encoder_self")
    order = torch.cat((torch.arange(d_k, 2 * d_k), torch.arange(d_k)))
    for name in ("query", "key", "value"):
        linear = getattr(part, name)
        linear.weight.copy_(linear.weight[order])
        linear.bias.copy_(linear.bias[order])
    part.output.weight.copy_(part.output.weight[:, order])


def interleave_positions(model: Transformer) -> None:
    config = model.config
    model.embedding.positions = sinusoids(config.max_positions, config.d_model, "interleaved")


def begin_at_position_one(model: Transformer) -> None:
    model.embedding.positions = model.embedding.positions[1:]


def use_relu(model: Transformer) -> None:
    model.decoder[0].feed_forward.activation = torch.relu


def forget_the_bias(model: Transformer) -> None:
    assert model.output_bias is not None
    model.output_bias.zero_()


def empty_the_start(model: Transformer) -> None:
    model.embedding.token.weight[model.config.start_id] = 0


@pytest.mark.parametrize(
    ("fault", "noticed"),
    [
        (nudge_one_weight, "encoder_states"),
        (drop_the_scaling, "cross"),
        (swap_two_heads, "encoder_self"),
        (interleave_positions, "encoder_states"),
        (begin_at_position_one, "decoder_states"),
        (use_relu, "decoder_states"),
        (forget_the_bias, "logits"),
        (empty_the_start, "decoder_self"),
    ],
)
def test_a_fault_is_noticed(
    folder: Path, fault: Callable[[Transformer], None], noticed: str
) -> None:
    found = load(folder).model.double()
    src, tgt = sentences(found.config)
    fault(found)
    assert noticed in unequal(ours(found, src, tgt), theirs(reference(folder), src, tgt))


def test_a_shifted_mask_is_noticed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = load(folder).model.double()
    src, tgt = sentences(found.config)
    causal = transformer.causal_mask
    monkeypatch.setattr(
        transformer, "causal_mask", lambda n, device=None: causal(n + 1, device)[1:, :n]
    )
    assert "decoder_self" in unequal(ours(found, src, tgt), theirs(reference(folder), src, tgt))


def test_a_padding_mask_that_is_left_out_is_noticed(folder: Path) -> None:
    """The model must see padding as padding: another pad_id is another mask."""
    found = load(folder).model.double()
    src, tgt = sentences(found.config)
    expected = theirs(reference(folder), src, tgt)
    object.__setattr__(found.config, "pad_id", 1)
    assert {"encoder_self", "cross"} <= set(unequal(ours(found, src, tgt), expected))


# ----------------------------------------------------------------------------------- tokenizer


def test_the_tokenizer_gives_the_ids_of_transformers(folder: Path) -> None:
    mine = load(folder).tokenizer
    other = transformers.MarianTokenizer.from_pretrained(folder)
    for text, plain in (*zip(TEXTS, TEXTS, strict=True), *UNSEEN.items()):
        tokens = mine.encode_source(text)
        expected = other(plain).input_ids  # the text as it was typed, not as we left it
        assert tokens.ids.tolist() == expected, text
        known = [i for i, token_id in enumerate(expected) if token_id != other.unk_token_id]
        names = {token_id: piece for piece, token_id in other.encoder.items()}
        assert [tokens.pieces[i] for i in known] == [names[expected[i]] for i in known]


def test_translations_read_as_those_of_transformers(folder: Path) -> None:
    mine = load(folder).tokenizer
    other = transformers.MarianTokenizer.from_pretrained(folder)
    for text in tiny.CHINESE:
        ids = other(text_target=text).input_ids
        assert mine.encode_target(text).ids.tolist() == ids[:-1]
        said = unicodedata.normalize("NFKC", text)  # what such a SentencePiece model makes of it
        assert mine.decode(ids) == other.decode(ids, skip_special_tokens=True) == said


def test_a_tokenizer_of_the_wrong_side_is_noticed(folder: Path) -> None:
    mine = load(folder).tokenizer
    other = transformers.MarianTokenizer.from_pretrained(folder)
    text = tiny.CHINESE[0]
    assert mine.encode_source(text).ids.tolist() != other(text_target=text).input_ids


# -------------------------------------------------------------------------------------- export


@pytest.fixture(
    scope="module",
    params=[
        {},
        {"sinusoids": "halves"},
        {"tied": False},
        {"output_bias": True, "decoder_d_ff": 40, "decoder_heads": 4},
        {"norm": "pre"},
        {"norm": "pre", "tied": False, "sinusoids": "halves"},
        {"scale_embedding": False, "activation": "tanh"},
        {"paired": True, "attention_dropout": 0.1},
    ],
    ids=str,
)
def exported(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Checkpoint, Path]:
    folder = tmp_path_factory.mktemp("exported")
    checkpoint = load(tiny.write_own(folder / "own", **request.param))
    export_model(folder / "out", checkpoint)
    return checkpoint, folder / "out"


# `transformers` has this matrix, and reads it nowhere, where nothing is tied.
UNREAD = {"model.shared.weight"}


def in_export(config: ModelConfig, ids: Tensor) -> Tensor:
    """The ids of an exported model: padding and start are the new token behind the vocabulary."""
    return torch.where((ids == config.pad_id) | (ids == config.start_id), config.vocab_size, ids)


def comparable(found: Everything, config: ModelConfig, src: Tensor) -> Everything:
    """Without what nobody reads: the new token's logit, and how padding attends.

    The logit must be too low to matter.
    """
    logits = found["logits"]
    if logits.size(-1) > config.vocab_size:
        assert logits[..., config.vocab_size].max() < -5000
    real = (src != config.pad_id)[None, :, None, :, None]
    selves = torch.where(real, found["encoder_self"], 0.0)
    return {**found, "logits": logits[..., : config.vocab_size], "encoder_self": selves}


def test_an_exported_model_gives_the_same_in_transformers(
    exported: tuple[Checkpoint, Path],
) -> None:
    """The order of the residual stream differs there, so states are compared as what they make."""
    checkpoint, folder = exported
    src, tgt = sentences(checkpoint.model.config)
    found, info = transformers.AutoModelForSeq2SeqLM.from_pretrained(
        folder, attn_implementation="eager", output_loading_info=True
    )
    assert not info["unexpected_keys"]
    assert all("embed_positions" in name for name in info["missing_keys"] - UNREAD)
    config = checkpoint.model.config
    there = theirs(found.eval(), in_export(config, src), in_export(config, tgt))
    here = ours(checkpoint.model, src, tgt)
    names = {"encoder_self", "decoder_self", "cross", "logits"}
    pair = (comparable(found, config, src) for found in (there, here))
    assert not names & set(unequal(*pair, 1e-5))


def test_an_export_without_the_permutation_is_noticed(tmp_path: Path) -> None:
    checkpoint = load(tiny.write_own(tmp_path / "own", sinusoids="interleaved"))
    object.__setattr__(checkpoint.model.config, "sinusoids", "halves")  # a lie: no permutation
    export_model(tmp_path / "out", checkpoint)
    src, tgt = sentences(checkpoint.model.config)
    config = checkpoint.model.config
    there = theirs(reference(tmp_path / "out"), in_export(config, src), in_export(config, tgt))
    here = ours(checkpoint.model.double(), src, tgt)
    pair = (comparable(found, config, src) for found in (there, here))
    assert {"encoder_self", "logits"} <= set(unequal(*pair, 1e-5))


def test_a_start_that_is_left_out_is_noticed(tmp_path: Path) -> None:
    """The decoder's first position holds the start's vector; its embedding is zeros."""
    checkpoint = load(tiny.write_own(tmp_path / "own"))
    export_model(tmp_path / "out", checkpoint)
    weights = load_file(tmp_path / "out" / "model.safetensors")
    assert not weights["model.shared.weight"][-1].any()
    del weights["model.decoder.embed_positions.weight"]
    save_file(weights, tmp_path / "out" / "model.safetensors", metadata={"format": "pt"})
    config = checkpoint.model.config
    src, tgt = sentences(config)
    there = theirs(reference(tmp_path / "out"), in_export(config, src), in_export(config, tgt))
    here = ours(checkpoint.model.double(), src, tgt)
    pair = (comparable(found, config, src) for found in (there, here))
    found = unequal(*pair, 1e-5)
    assert {"decoder_self", "logits"} <= set(found)
    assert "encoder_self" not in found


def test_an_exported_model_writes_the_same_ids(exported: tuple[Checkpoint, Path]) -> None:
    checkpoint, folder = exported
    model = transformers.AutoModelForSeq2SeqLM.from_pretrained(folder).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    rules = checkpoint.rules
    for text in tiny.ENGLISH[:4]:
        src = checkpoint.tokenizer.encode_source(text)
        inputs = tokenizer(src.text, return_tensors="pt")
        assert inputs.input_ids[0].tolist() == src.ids.tolist()
        there = model.generate(**inputs, num_beams=1, max_length=13)[0].tolist()

        here = [rules.start_id]
        while len(here) < 13 and here[-1] != rules.end_id:
            logits = checkpoint.model(inputs.input_ids, torch.tensor([here]))[0, -1]
            logits[list(rules.banned)] = -torch.inf
            here.append(int(logits.argmax()))
        assert there == [checkpoint.model.config.vocab_size, *here[1:]]
        said = tokenizer.decode(there, skip_special_tokens=True)
        assert said.strip() == checkpoint.tokenizer.decode(here).strip()


@pytest.mark.parametrize("paired", [False, True])
def test_an_exported_tokenizer_cuts_and_joins_as_ours(paired: bool, tmp_path: Path) -> None:
    """Both sides, and texts that were typed with more spaces than they need."""
    checkpoint = load(tiny.write_own(tmp_path / "own", paired=paired))
    export_model(tmp_path / "out", checkpoint)
    mine, other = checkpoint.tokenizer, transformers.AutoTokenizer.from_pretrained(tmp_path / "out")
    for text in (*tiny.ENGLISH, *tiny.CHINESE, "I  am 鱻 😀", " 我 am", "3 books, 25 banks"):
        assert other(text).input_ids == mine.encode_source(text).ids.tolist()
        written = mine.encode_target(text)
        assert other(text_target=text).input_ids[:-1] == written.ids.tolist()
        assert other.decode(written.ids.tolist()) == mine.decode(written.ids) == written.text


def test_an_exported_folder_comes_back(exported: tuple[Checkpoint, Path]) -> None:
    checkpoint, folder = exported
    back, config = load(folder), checkpoint.model.config
    new = config.vocab_size
    assert (back.rules.start_id, back.rules.end_id) == (new, checkpoint.rules.end_id)
    assert back.rules.banned == (*checkpoint.rules.banned, new)
    assert back.model.config.sinusoids == "halves"
    src, tgt = sentences(config)
    found = ours(back.model, in_export(config, src), in_export(config, tgt))
    here = ours(checkpoint.model, src, tgt)
    pair = (comparable(one, config, src) for one in (found, here))
    assert not {"logits", "cross", "encoder_self"} & set(unequal(*pair, 1e-5))
    export_model(folder.parent / "again", back)  # and the start is moved once more
    again = load_file(folder.parent / "again" / "model.safetensors")
    for name, weight in load_file(folder / "model.safetensors").items():
        assert torch.allclose(again[name], weight, atol=1e-6), name
    text = "I am a small 鱻 frog 😀."
    assert (
        back.tokenizer.encode_source(text).ids == checkpoint.tokenizer.encode_source(text).ids
    ).all()


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"separate": True},
        {"separate": True, "tie_word_embeddings": False, "decoder_ffn_dim": 40},
        {"encoder_attention_heads": 4},
        {"decoder_attention_heads": 8},
    ],
    ids=str,
)
def test_a_marian_model_is_exported_as_it_was(settings: dict[str, Any], tmp_path: Path) -> None:
    """Weights are not even rounded: both files hold the same numbers."""
    folder = tiny.write_marian(tmp_path / "marian", **settings)
    save(tmp_path / "out", load(folder))
    before, after = (load_file(f / "model.safetensors") for f in (folder, tmp_path / "out"))
    assert before.keys() == after.keys()
    assert all(torch.equal(before[name], after[name]) for name in before)
    for name in ("vocab.json", *(["target_vocab.json"] if "separate" in settings else [])):
        before, after = (json.loads((f / name).read_text()) for f in (folder, tmp_path / "out"))
        assert before == after
    assert load(tmp_path / "out").rules == load(folder).rules
    assert load(tmp_path / "out").model.config == load(folder).model.config


def test_what_cannot_be_exported_is_refused(tmp_path: Path) -> None:
    checkpoint = load(tiny.write_own(tmp_path / "none", norm="none", scaling=False))
    with pytest.raises(CheckpointError, match=r"norm is 'none', .*'pre'; scaling is False"):
        export_model(tmp_path / "out", checkpoint)
    checkpoint = load(tiny.write_own(tmp_path / "own", norm="pre", src_vocab_size=420))
    with pytest.raises(CheckpointError, match="'pre' and the source has a vocabulary of its own"):
        export_model(tmp_path / "out", checkpoint)
    assert not (tmp_path / "out").exists()
    with pytest.raises(CheckpointError, match="holds a model already"):
        export_model(tmp_path / "own", checkpoint)


@pytest.mark.parametrize(
    "settings", [{}, {"src_vocab_size": 300}, {"src_vocab_size": 300, "tied": False}], ids=str
)
def test_the_table_of_names_is_complete_and_one_to_one(settings: dict[str, Any]) -> None:
    model = tiny.own_model(output_bias=True, **settings)
    names = weight_names.weight_names(model.config)
    assert sorted(name.ours for name in names) == sorted(model.state_dict())
    assert len({name.theirs for name in names}) == len(names)


def test_only_one_file_knows_foreign_names() -> None:
    here = Path(weight_names.__file__)
    knowing = [p.name for p in here.parent.glob("*.py") if "encoder_attn" in p.read_text("utf-8")]
    assert knowing == [here.name]


def test_half_precision_survives_the_export(tmp_path: Path) -> None:
    """A model that was shipped in float16 is exported in float32 with the same numbers."""
    folder = tiny.write_own(tmp_path / "own", sinusoids="halves")
    save(tmp_path / "half", load(folder).model, folder, dtype=torch.float16)
    export_model(tmp_path / "out", load(tmp_path / "half"))
    found = load(tmp_path / "out").model.embedding.token.weight[:-1]  # the last is the new one
    assert torch.equal(found, load(folder).model.embedding.token.weight.half().float())
