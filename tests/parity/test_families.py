"""BART, T5 and their relatives against `transformers`: tokens, log-probs, attention, decoding.

The models are random, with weights so large that attention is peaked; the networks of both sides
compute in float64, so that nothing is hidden by rounding. Each comparison has planted faults that
it must notice.
"""

from __future__ import annotations

import dataclasses
import functools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
import sentencepiece
import torch
from torch import Tensor

from explorer.exchange import payload
from model.edits import Edits
from model.embedding import DistanceBias, Embedding
from model.errors import InputError
from model.explain import Explainer
from model.modules import RMSNorm
from model.rules import Rules
from model.sampling import warp
from model.stepper import TransformerStepper
from model.transformer import FeedForward, Residual, Transformer
from tests import foreign
from tests.tiers import each, some

transformers = pytest.importorskip("transformers")

KINDS = tuple(foreign.KINDS)
TEXT = foreign.SENTENCES[2]
LOG_PROB, ATTENTION = 1e-4, 1e-5  # how far a number may be off
Change = Callable[[pytest.MonkeyPatch], None]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """The folder of a model with these settings, written once and left as it is."""

    @functools.cache
    def write(name: str, shape: int = 0, settings: tuple[tuple[str, Any], ...] = ()) -> Path:
        folder = tmp_path_factory.mktemp("family") / "model"
        return foreign.write_family(folder, name, shape, **dict(settings))

    return write


@functools.cache
def theirs(folder: Path) -> Any:
    model = transformers.AutoModelForSeq2SeqLM.from_pretrained(folder, attn_implementation="eager")
    return foreign.exact(model)


def ours(folder: Path) -> Explainer:
    explainer = Explainer.load(folder, device="cpu")
    explainer.model.double()
    return explainer


def texts_ids(folder: Path, name: str, text: str) -> list[int]:
    """The ids of a source by their tokenizer of the same files, template included."""
    if (folder / "tokenizer.json").exists():  # AutoTokenizer rebuilds parts of it
        import tokenizers

        plain = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
        ids: list[int] = plain.encode(text).ids
        if name == "nllb":  # the file's own template is the old one
            *rest, end, code = ids
            return [code, *rest, end]
        return ids
    if name in ("bart", "mvp"):
        return list(transformers.BartTokenizer.from_pretrained(folder)(text).input_ids)
    if name == "blenderbot":  # the class of version 5 adds no end token
        found = transformers.BlenderbotTokenizer.from_pretrained(folder)
        return [*found(text, add_special_tokens=False).input_ids, 2]
    if name in ("mbart cc25", "mbart-50", "pegasus", "t5", "mt5", "umt5", "ul2", "madlad"):
        return sentencepiece_ids(folder, name, text)
    classes = {
        "byt5": "ByT5Tokenizer",
        "codet5": "RobertaTokenizer",
        "chinese bart": "BertTokenizer",
        "plbart": "PLBartTokenizer",
        "m2m100": "M2M100Tokenizer",
        "blenderbot small": "BlenderbotSmallTokenizer",
    }
    return list(getattr(transformers, classes[name]).from_pretrained(folder)(text).input_ids)


def sentencepiece_ids(folder: Path, name: str, text: str) -> list[int]:
    """SentencePiece's own numbers, moved as the docs of the slow tokenizers tell.

    `transformers` needs protobuf to convert these files, and gets other numbers for double spaces.
    """
    is_t5 = name in foreign.T5
    file = "spiece.model" if name == "pegasus" or is_t5 else "sentencepiece.bpe.model"
    model = sentencepiece.SentencePieceProcessor(model_file=str(folder / file))
    ids: list[int] = model.encode(text)
    if is_t5:
        return [*ids, model.eos_id()]
    if name == "pegasus":
        return [*(i + 103 for i in ids), 1]
    english = model.get_piece_size() + 1 + foreign.codes_of("mbart").index("en_XX")
    body = [i + 1 if i else 3 for i in ids]
    return [*body, 2, english] if name == "mbart cc25" else [english, *body, 2]


@pytest.mark.parametrize("name", KINDS)
def test_a_source_has_their_ids(tmp_path: Path, name: str) -> None:
    """Twenty sentences; the pieces lie in the text from left to right and leave no letter out."""
    folder = foreign.write_family(tmp_path / "model", name)
    tokenizer = Explainer.load(folder, device="cpu").tokenizer
    for text in foreign.SENTENCES:
        tokens = tokenizer.encode_source(text)
        assert tokens.ids.tolist() == texts_ids(folder, name, text), text
        spans = tokens.spans[tokens.spans[:, 0] < tokens.spans[:, 1]]
        assert (np.diff(spans[:, 0]) >= 0).all()
        covered = {i for begin, end in spans for i in range(begin, end)}
        assert {i for i, sign in enumerate(tokens.text) if not sign.isspace()} <= covered
        assert not any("Ġ" in piece or "##" in piece for piece in tokens.pieces)


@pytest.mark.parametrize("name", foreign.T5)
def test_blanks_and_languages_are_pieces_and_no_other_special_token_is(
    tmp_path: Path, name: str
) -> None:
    folder = foreign.write_family(tmp_path / "model", name)
    tokenizer = Explainer.load(folder, device="cpu").tokenizer
    own = {tokenizer.pad_id, tokenizer.end_id, tokenizer.start_id}
    blanks, language = ["<extra_id_0>", "<extra_id_1>"], "<2de>"
    for text in ("é <extra_id_0> b <extra_id_1>.", "<2de>a </s> <pad>", "<s>🙂 <extra_id_0>"):
        tokens = tokenizer.encode_source(text)
        expected = [one for one in (*blanks, language) if one in text]
        expected = [one for one in expected if (one == language) == (name == "madlad")]
        marked = [(p, s) for p, s in zip(tokens.pieces, tokens.spans, strict=True) if p in expected]
        assert [piece for piece, _ in marked] == expected
        assert [tokens.text[begin:end].strip() for _, (begin, end) in marked] == expected
        assert own.isdisjoint(tokens.ids[1 if name == "codet5" else 0 : -1].tolist())


@pytest.mark.parametrize(
    ("name", "choices", "refused"),
    [
        ("t5", ("summarize:", "translate English to German:"), ">>deu<< a"),
        ("madlad", ("<2de>", "<2zh>", "<2pt_BR>"), "<2xx> a"),
        ("madlad", ("<2de>", "<2zh>", "<2pt_BR>"), ">>deu<< a"),
        ("byt5", (), ">>deu<< a"),
    ],
)
def test_a_text_begins_with_a_task_or_a_language_of_the_files(
    tmp_path: Path, name: str, choices: tuple[str, ...], refused: str
) -> None:
    folder = foreign.write_family(tmp_path / "model", name)
    explainer = Explainer.load(folder, device="cpu")
    assert explainer.tokenizer.codes == choices
    for choice in choices:
        tokens = explainer.read(f"{choice} a")
        assert tokens.ids.tolist() == sentencepiece_ids(folder, name, f"{choice} a")
        assert (choice in tokens.pieces) == (name == "madlad")
    with pytest.raises(InputError, match=r"begin with one of|into one language") as caught:
        explainer.read(refused)
    assert refused[:-2] in str(caught.value)


def differences(explainer: Explainer, model: Any, text: str, n: int) -> tuple[float, float]:
    """The largest of log-probs and attention in one pass over a text and n written tokens."""
    src = explainer.read(text)
    generator = torch.Generator().manual_seed(1)
    ids = torch.randint(4, explainer.model.config.vocab_size, (n,), generator=generator).tolist()
    trace = explainer.trace(text, ids)
    read = torch.tensor(trace.tgt_in.ids[None])
    with torch.no_grad():
        run = model(
            input_ids=torch.tensor(src.ids[None]), decoder_input_ids=read, output_attentions=True
        )
    mine = torch.tensor(explainer.logits(text, ids)).double().log_softmax(-1)
    log_probs = (mine - run.logits[0].log_softmax(-1)).abs().max().item()
    pairs = (
        (trace.encoder_self, run.encoder_attentions),
        (trace.decoder_self, run.decoder_attentions),
        (trace.cross, run.cross_attentions),
    )
    maps = [np.abs(own.weights - torch.cat(other).numpy()).max() for own, other in pairs]
    highest = max(one.max() for one in (*run.encoder_attentions, *run.cross_attentions))
    assert highest > 0.3  # nearly uniform attention would show nothing
    return log_probs, float(max(maps))


@each("shape", range(len(foreign.SHAPES)), 1)
@pytest.mark.parametrize("name", KINDS)
def test_log_probs_and_attention_are_theirs(
    written: Callable[..., Path], name: str, shape: int
) -> None:
    folder = written(name, shape)
    log_probs, attention = differences(ours(folder), theirs(folder), TEXT, 72)
    assert log_probs < LOG_PROB
    assert attention < ATTENTION


@pytest.mark.parametrize("name", foreign.T5)
def test_a_cached_step_is_the_whole_pass_of_theirs(written: Callable[..., Path], name: str) -> None:
    """A hundred tokens: far enough for every bucket of the decoder."""
    folder = written(name, 2)
    explainer, model = ours(folder), theirs(folder)
    src = torch.tensor(explainer.read(TEXT).ids[None])
    generator = torch.Generator().manual_seed(4)
    tgt = torch.randint(4, explainer.model.config.vocab_size, (1, 100), generator=generator)
    with torch.no_grad():
        whole = model(input_ids=src, decoder_input_ids=tgt).logits.log_softmax(-1)
    stepper = TransformerStepper.start(explainer.model, src)
    for i in range(100):
        step, stepper = stepper.step(tgt[:, i])
        assert (step - whole[:, i]).abs().max() < LOG_PROB


@each("name", ["bart", "mbart-50", "nllb", "pegasus", "plbart"], 1)
def test_an_output_of_its_own_is_theirs(written: Callable[..., Path], name: str) -> None:
    """Without tied matrices, `transformers` has one for the source, the target and the output."""
    folder = written(name, 1, (("tie_word_embeddings", False),))
    log_probs, attention = differences(ours(folder), theirs(folder), TEXT, 30)
    assert log_probs < LOG_PROB and attention < ATTENTION


@each("name", KINDS, 4)
def test_padding_in_a_batch_changes_nothing(written: Callable[..., Path], name: str) -> None:
    """A short and a long source together; M2M100 counts its positions by the padding."""
    folder = written(name)
    explainer, model = ours(folder), theirs(folder)
    sources = [explainer.read(text).ids.tolist() for text in ("a", TEXT)]
    pad_id = explainer.model.config.pad_id
    width = max(map(len, sources))
    src = torch.tensor([ids + [pad_id] * (width - len(ids)) for ids in sources])
    tgt = torch.randint(4, explainer.model.config.vocab_size, (2, 20))
    with torch.no_grad():
        run = model(
            input_ids=src, attention_mask=(src != pad_id).long(), decoder_input_ids=tgt
        ).logits
        mine = explainer.model(src, tgt)
    assert (mine.log_softmax(-1) - run.log_softmax(-1)).abs().max() < LOG_PROB


# ------------------------------------------------------------------------------ planted faults


def first_row_of_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """The positions of the wrong offset."""
    table = Embedding.table

    def wrong(self: Embedding, side: Any) -> Tensor:
        self.offset += 1
        found = table(self, side)
        self.offset -= 1
        return found

    monkeypatch.setattr(Embedding, "table", wrong)


def norms_on_the_other_side(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Residual, "enter", lambda self, x: x if self.pre else self.norm(x))
    monkeypatch.setattr(
        Residual, "leave", lambda self, x, y: self.norm(x + y) if self.pre else x + y
    )


def no_norm_on_the_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Embedding, "norm", lambda self, side: None)


def norm_after_the_position(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Embedding, "norms_token", lambda self, side: False)


def no_output_bias(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Transformer, "logits", lambda self, x: x @ self.output_weight.T)


def another_scale(monkeypatch: pytest.MonkeyPatch) -> None:
    forward = Embedding.forward
    monkeypatch.setattr(
        Embedding, "forward", lambda self, ids, side="target": forward(self, ids, side) / self.scale
    )


def one_table_for_both(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Embedding.table
    monkeypatch.setattr(Embedding, "table", lambda self, side: table(self, "source"))


def buckets_of_the_encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    init = DistanceBias.__init__
    monkeypatch.setattr(
        DistanceBias, "__init__", lambda self, config, kind: init(self, config, "encoder_self")
    )


def no_output_factor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Transformer, "read_out", lambda self, x: x)


def a_factor_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Transformer, "read_out", lambda self, x: x * x.size(-1) ** -0.5)


def a_mean_subtracted(monkeypatch: pytest.MonkeyPatch) -> None:
    forward = RMSNorm.forward
    monkeypatch.setattr(
        RMSNorm, "forward", lambda self, x: forward(self, x - x.mean(-1, keepdim=True))
    )


def gate_and_unit_swapped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        FeedForward, "units", lambda self, x: self.inner(x) * self.activation(self.factor(x))
    )


def the_first_layers_distances(monkeypatch: pytest.MonkeyPatch) -> None:
    biases = Transformer.biases

    def wrong(self: Transformer, *given: Any) -> Any:
        found = biases(self, *given)
        return lambda layer: found(0)

    monkeypatch.setattr(Transformer, "biases", wrong)


FAULTS: list[tuple[Change, str]] = [
    *((first_row_of_the_table, name) for name in ("bart", "mbart-50", "nllb", "pegasus")),
    *((norms_on_the_other_side, name) for name in ("bart", "m2m100", "blenderbot")),
    *((no_norm_on_the_input, name) for name in ("plbart", "mbart cc25", "blenderbot small")),
    (norm_after_the_position, "blenderbot small"),
    *((no_output_bias, name) for name in ("bart", "chinese bart", "pegasus", "blenderbot")),
    *((another_scale, name) for name in ("plbart", "mbart-50", "nllb, old", "blenderbot small")),
    *((one_table_for_both, name) for name in ("bart", "mbart cc25", "blenderbot")),
    *((buckets_of_the_encoder, name) for name in ("t5", "umt5", "byt5")),
    *((no_output_factor, name) for name in ("t5", "codet5")),
    *((a_factor_too_many, name) for name in ("flan-t5", "mt5", "umt5", "madlad")),
    *((a_mean_subtracted, name) for name in ("t5", "byt5")),
    *((gate_and_unit_swapped, name) for name in ("flan-t5", "ul2", "mt5")),
    (the_first_layers_distances, "umt5"),
]


@each(("fault", "name"), FAULTS, 10)
def test_a_fault_is_noticed(
    written: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, fault: Change, name: str
) -> None:
    folder = written(name)
    fault(monkeypatch)
    log_probs, _ = differences(ours(folder), theirs(folder), TEXT, 20)
    assert log_probs > 10 * LOG_PROB


def test_positions_that_count_padding_are_noticed(
    written: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only padding on the left tells: on the right, the other tokens have the same positions."""
    folder = written("m2m100")
    explainer, model = ours(folder), theirs(folder)
    src = torch.tensor([[1, 1, 1, *explainer.read(TEXT).ids.tolist()]])
    tgt = torch.randint(4, 100, (1, 9))

    def off() -> float:
        with torch.no_grad():
            mask = (src != 1).long()
            run = model(input_ids=src, attention_mask=mask, decoder_input_ids=tgt).logits
            mine = explainer.model(src, tgt)
        return float((mine.log_softmax(-1) - run.log_softmax(-1)).abs().max())

    assert off() < LOG_PROB
    monkeypatch.setattr(Embedding, "counted", lambda self, rows, ids: rows)
    assert off() > 10 * LOG_PROB


def test_a_step_without_its_own_bias_is_noticed(
    written: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A step that takes itself for the first token; a whole pass does not show it."""
    folder = written("t5")
    explainer, model = ours(folder), theirs(folder)
    src = torch.tensor(explainer.read(TEXT).ids[None])
    tgt = torch.tensor([[0, 9, 8, 7, 6, 5]])
    right = Edits.distances

    def wrong(self: Edits, table: Any, at: range, n_keys: int, side: Any, ids: Tensor) -> Any:
        whole = right(self, table, range(n_keys), n_keys, side, ids)
        return cast("Tensor", whole)[:, : len(at)]

    def off() -> float:
        stepper, worst = TransformerStepper.start(explainer.model, src), 0.0
        with torch.no_grad():
            whole = model(input_ids=src, decoder_input_ids=tgt).logits.log_softmax(-1)
        for i in range(tgt.size(1)):
            step, stepper = stepper.step(tgt[:, i])
            worst = max(worst, float((step - whole[:, i]).abs().max()))
        return worst

    assert off() < LOG_PROB
    monkeypatch.setattr(Edits, "distances", wrong)
    assert off() > 10 * LOG_PROB


# ------------------------------------------------------------------------------------ decoding

# Settings of well-known models with smaller lengths, and others that meet every rule.
DECODING: dict[str, dict[str, Any]] = {
    "greedy": {"num_beams": 1, "max_length": 16},
    "beam": {"num_beams": 4, "max_length": 16},
    "beam 5": {"num_beams": 5, "length_penalty": 0.6, "max_length": 14},
    "bart-large-cnn": {
        "num_beams": 4, "length_penalty": 2.0, "min_length": 12, "max_length": 24,
        "no_repeat_ngram_size": 3, "early_stopping": True, "forced_bos_token_id": 0,
        "forced_eos_token_id": 2,
    },
    "pegasus-large": {
        "num_beams": 8, "length_penalty": 0.8, "max_length": 18, "forced_eos_token_id": 1,
    },
    "blenderbot": {
        "num_beams": 10, "length_penalty": 0.65, "min_length": 10, "max_length": 20,
        "encoder_no_repeat_ngram_size": 3, "no_repeat_ngram_size": 3, "forced_eos_token_id": 2,
    },
    "never": {"num_beams": 3, "early_stopping": "never", "length_penalty": 1.5, "max_length": 12},
    "early, penalised": {
        "num_beams": 3, "early_stopping": True, "repetition_penalty": 1.3, "min_new_tokens": 5,
        "max_length": 15,
    },
    "greedy, penalised": {
        "num_beams": 1, "repetition_penalty": 1.4, "max_length": 20, "min_length": 8,
        "encoder_no_repeat_ngram_size": 2,
    },
    "shared": {
        "num_beams": 4, "repetition_penalty": 1.2, "renormalize_logits": True, "max_length": 12,
        "min_length": 6, "encoder_no_repeat_ngram_size": 1, "suppress_tokens": [9, 10, 11],
    },
}  # fmt: skip
PAIRS = [
    ("bart", "bart-large-cnn"),
    ("mbart-50", "beam 5"),
    ("nllb", "beam"),
    ("mbart cc25", "never"),
    ("m2m100", "early, penalised"),
    ("blenderbot, tokenizer.json", "blenderbot"),
    ("pegasus", "pegasus-large"),
    ("chinese bart", "greedy, penalised"),
    ("plbart", "shared"),
    ("blenderbot small", "greedy"),
    ("bart", "shared"),
    ("nllb, old", "greedy, penalised"),
    ("mbart-50", "early, penalised"),
    ("blenderbot", "never"),
    ("t5", "beam"),
    ("flan-t5", "greedy"),
    ("mt5", "beam 5"),
    ("umt5", "early, penalised"),
    ("byt5", "shared"),
    ("madlad", "beam 5"),
    ("codet5", "greedy, penalised"),
]


def end_often(folder: Path) -> None:
    """Make the end token likely, so that texts end at different lengths."""
    from safetensors.torch import load_file, save_file

    path = folder / "model.safetensors"
    if not path.exists():  # in parts
        return
    weights = load_file(path)
    config = transformers.AutoConfig.from_pretrained(folder)
    if "final_logits_bias" in weights:
        weights["final_logits_bias"][0, config.eos_token_id] += 8
    save_file(weights, path, {"format": "pt"})


def generated(folder: Path, ids: list[int]) -> tuple[list[list[int]], list[float]]:
    """What `generate` writes with the settings of the folder: ids behind the start, and scores."""
    model = theirs(folder)
    beams = model.generation_config.num_beams
    found = model.generate(
        torch.tensor([ids]),
        num_return_sequences=beams,
        return_dict_in_generate=True,
        output_scores=True,
    )
    scores = [] if beams == 1 else found.sequences_scores.tolist()
    return found.sequences[:, 1:].tolist(), scores


def unpadded(ids: list[int], end_id: int) -> list[int]:
    return ids[: ids.index(end_id) + 1] if end_id in ids else ids


@each(("name", "settings"), PAIRS, 8)
def test_decoding_is_generate(tmp_path: Path, name: str, settings: str) -> None:
    """Ids and scores of every hypothesis, with the settings in generation_config.json."""
    folder = foreign.write_family(tmp_path / "model", name, 0, generation=DECODING[settings])
    end_often(folder)
    explainer, end_id = ours(folder), theirs(folder).config.eos_token_id
    for text in some(foreign.SENTENCES, 5):
        expected, scores = generated(folder, explainer.read(text).ids.tolist())
        search = explainer.explain(text).search
        mine = [[*h.ids, end_id] if h.finished else [*h.ids] for h in search.hypotheses]
        assert mine == [unpadded(ids, end_id) for ids in expected]
        if scores:
            own = [h.score for h in search.hypotheses]
            np.testing.assert_allclose(own, scores, rtol=0, atol=1e-4)
    theirs.cache_clear()


def no_rule(name: str, value: object) -> Change:
    def change(monkeypatch: pytest.MonkeyPatch) -> None:
        of_source = Rules.of_source
        monkeypatch.setattr(
            Rules,
            "of_source",
            lambda self, *source: dataclasses.replace(of_source(self, *source), **{name: value}),
        )

    change.__name__ = f"{name} is {value}"
    return change


NEUTRAL = {  # the settings of `generate` in which a rule is off
    "banned": {"suppress_tokens": None}, "forced_first_id": {"forced_bos_token_id": None},
    "forced_end_id": {"forced_eos_token_id": None}, "renormalise": {"renormalize_logits": False},
    "min_tokens": {"min_length": 0, "min_new_tokens": None},
    "no_repeat": {"no_repeat_ngram_size": 0}, "repetition_penalty": {"repetition_penalty": 1.0},
    "source_no_repeat": {"encoder_no_repeat_ngram_size": 0},
    "early_stopping": {"early_stopping": False},
}  # fmt: skip


@each(("name", "settings"), [("bart", "bart-large-cnn"), ("plbart", "shared")], 2)
def test_a_rule_that_is_off_is_off_in_generate(tmp_path: Path, name: str, settings: str) -> None:
    """Each rule that the page lists, alone: ids of every hypothesis; most of them matter here."""
    folder = foreign.write_family(tmp_path / "model", name, 0, generation=DECODING[settings])
    end_often(folder)
    explainer, end_id = ours(folder), theirs(folder).config.eos_token_id
    text, matters = foreign.SENTENCES[2], 0
    found = explainer.explain(text)
    names = [rule["name"] for rule in payload.build(found, explainer)["rules"]]
    held = dict(vars(theirs(folder).generation_config))
    assert len(names) >= 5
    for rule in names:
        vars(theirs(folder).generation_config).update(held | NEUTRAL[rule])
        expected, _ = generated(folder, explainer.read(text).ids.tolist())
        config = dataclasses.replace(explainer.defaults, rules_off=(rule,))
        search = explainer.explain(text, config).search
        mine = [[*h.ids, end_id] if h.finished else [*h.ids] for h in search.hypotheses]
        assert mine == [unpadded(ids, end_id) for ids in expected], rule
        matters += [h.ids for h in search.hypotheses] != [h.ids for h in found.search.hypotheses]
    theirs.cache_clear()
    assert matters >= 3


RULE_FAULTS = [
    ("bart", "bart-large-cnn", no_rule("min_tokens", 0)),
    ("bart", "bart-large-cnn", no_rule("min_tokens", 12)),  # the start token counted
    ("bart", "bart-large-cnn", no_rule("forced_first_id", None)),
    ("chinese bart", "greedy, penalised", no_rule("repetition_penalty", 1.0)),
    ("plbart", "shared", no_rule("source_no_repeat", 0)),
    ("mbart-50", "early, penalised", no_rule("forced_first_id", None)),
    ("mbart cc25", "never", no_rule("early_stopping", False)),
    ("mbart-50", "early, penalised", no_rule("early_stopping", False)),
]


@pytest.mark.long
@each(("name", "settings", "fault"), RULE_FAULTS, 3)
def test_a_rule_that_is_left_out_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, settings: str, fault: Change
) -> None:
    folder = foreign.write_family(tmp_path / "model", name, 0, generation=DECODING[settings])
    end_often(folder)
    fault(monkeypatch)
    explainer, end_id = ours(folder), theirs(folder).config.eos_token_id
    different = False
    for text in foreign.SENTENCES:
        expected, _ = generated(folder, explainer.read(text).ids.tolist())
        mine = [
            [*h.ids, end_id] if h.finished else [*h.ids]
            for h in explainer.explain(text).search.hypotheses
        ]
        different |= mine != [unpadded(ids, end_id) for ids in expected]
    theirs.cache_clear()
    assert different


@each("name", ["bart", "chinese bart", "nllb", "t5", "byt5"], 1)
def test_the_next_tokens_distribution_is_the_processors(tmp_path: Path, name: str) -> None:
    """What sampling draws from: the logits under every rule of `generate`, then top-k and top-p."""
    settings = {
        "num_beams": 1, "do_sample": True, "repetition_penalty": 1.7, "min_length": 5,
        "encoder_no_repeat_ngram_size": 1, "forced_bos_token_id": None, "top_k": 12, "top_p": 0.9,
        "temperature": 0.7, "max_length": 30, "no_repeat_ngram_size": 2,
    }  # fmt: skip
    folder = foreign.write_family(tmp_path / "model", name, 0, generation=settings)
    explainer, model = ours(folder), theirs(folder)
    src = explainer.read(TEXT).ids.tolist()
    rules = dataclasses.replace(explainer.rules, language="none")
    explainer._passes.rules = rules
    likely = explainer.next_log_probs(TEXT, [31]).argsort()[::-1]
    ids = [31, *map(int, likely[:3]), 31]  # likely again: the penalty matters
    read = torch.tensor([[rules.start_id, *ids]])
    model._prepare_special_tokens(model.generation_config, device="cpu")
    processors = model._get_logits_processor(
        model.generation_config, 1, torch.tensor([src]), device="cpu"
    )
    with torch.no_grad():
        logits = model(input_ids=torch.tensor([src]), decoder_input_ids=read).logits[:, -1]
    expected = processors(read, logits.float()).softmax(-1)[0].numpy()
    config = explainer.defaults
    assert (config.method, config.top_k, config.top_p) == ("sampling", 12, 0.9)
    row = explainer.next_log_probs(TEXT, ids)
    assert np.isneginf(row[ids[1]])  # it followed 31 before
    found = warp(row, config.temperature, config.top_k, config.top_p)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-5)
    assert 1 < (expected > 0).sum() <= 12
    plain = warp(logits[0].numpy(), config.temperature, config.top_k, config.top_p)
    assert np.abs(plain - expected).max() > 1e-2  # the rules matter
    theirs.cache_clear()


@each("name", ["bart", "pegasus", "blenderbot", "chinese bart", "t5", "codet5"], 2)
def test_settings_of_old_repositories_are_in_config_json(tmp_path: Path, name: str) -> None:
    """Without generation_config.json, what is there counts and no default of the class."""
    folder = foreign.write_family(tmp_path / "model", name)
    (folder / "generation_config.json").unlink()
    path = folder / "config.json"
    settings = {"num_beams": 3, "max_length": 11, "min_length": 4, "length_penalty": 0.8}
    given = {**json.loads(path.read_text("utf-8")), **settings, "early_stopping": True}
    given.pop("forced_eos_token_id" if name == "pegasus" else "encoder_no_repeat_ngram_size", 0)
    foreign.write_json(path, given)
    explainer, end_id = ours(folder), theirs(folder).config.eos_token_id
    asked = theirs(folder).generation_config
    assert explainer.rules.forced_end_id == asked.forced_eos_token_id
    assert explainer.rules.source_no_repeat == (asked.encoder_no_repeat_ngram_size or 0)
    for text in foreign.SENTENCES[:3]:
        expected, _ = generated(folder, explainer.read(text).ids.tolist())
        found = explainer.explain(text).search.hypotheses
        mine = [[*h.ids, end_id] if h.finished else [*h.ids] for h in found]
        assert mine == [unpadded(ids, end_id) for ids in expected]
    theirs.cache_clear()
