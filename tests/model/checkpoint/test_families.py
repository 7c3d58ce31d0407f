"""Other families: what is refused and why, broken folders, languages, rules in the record."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from model import translate
from model.checkpoint import load
from model.config import DecodeConfig
from model.errors import CheckpointError, InputError
from model.explain import Explainer
from model.files import Read, hearing
from model.text.foreign import ForeignTokenizer
from tests.foreign import write_json
from tests.tiers import each

LONGEST = 300  # characters of a message


def change(path: Path, **values: Any) -> None:
    write_json(path, {**json.loads(path.read_text("utf-8")), **values})


# ----------------------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("model_type", "what", "why"),
    [
        ("t5gemma", "T5Gemma", "turns queries and keys"),
        ("t5gemma2", "T5Gemma 2", "one merged attention"),
        ("longt5", "LongT5", "only near tokens"),
        ("led", "LED", "a window around each token"),
        ("bigbird_pegasus", "BigBird-Pegasus", "some blocks of tokens"),
        ("pegasus_x", "Pegasus-X", "blocks of tokens"),
        ("prophetnet", "ProphetNet", "several tokens ahead"),
        ("nllb-moe", "NLLB-MoE", "many experts"),
        ("whisper", "Whisper", "sound, not text"),
        ("seamless_m4t_v2", "SeamlessM4T", "sound, not text"),
        ("vision-encoder-decoder", "a reader of pictures", "a picture, not text"),
        ("gpt2", "GPT-2", "no encoder"),
        ("llama", "Llama", "no encoder"),
        ("bert", "BERT", "no decoder"),
        ("xlm-roberta", "XLM-RoBERTa", "no decoder"),
        ("encoder-decoder", "a pair of two models", "models of other kinds"),
        ("frobnicate", "of type 'frobnicate'", "BART, mBART, M2M100"),
        (7, "of type 7", "BART, mBART, M2M100"),
    ],
)
def test_another_network_is_refused_by_name(
    tmp_path: Path, model_type: object, what: str, why: str
) -> None:
    write_json(tmp_path / "model" / "config.json", {"model_type": model_type, "d_model": 512})
    with pytest.raises(CheckpointError) as caught:
        load(tmp_path / "model")
    told = str(caught.value)
    assert f"model is {what}" in told and why in told
    assert len(told) <= LONGEST and str(tmp_path) not in told


def no_config(folder: Path) -> None:
    (folder / "config.json").unlink()


def cut(name: str) -> Callable[[Path], None]:
    def act(folder: Path) -> None:
        content = (folder / name).read_bytes()
        (folder / name).write_bytes(content[: len(content) // 2])

    return act


def drop(*names: str) -> Callable[[Path], None]:
    def act(folder: Path) -> None:
        for name in names:
            (folder / name).unlink()

    return act


def config(**values: Any) -> Callable[[Path], None]:
    return lambda folder: change(folder / "config.json", **values)


def weights(act: Callable[[dict[str, torch.Tensor]], None]) -> Callable[[Path], None]:
    def changed(folder: Path) -> None:
        path = folder / "model.safetensors"
        found = load_file(path)
        act(found)
        save_file(found, path, {"format": "pt"})

    return changed


def random_bytes(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).write_bytes(bytes(range(256)) * 8) and None


def huge_number(folder: Path) -> None:
    path = folder / "vocab.json"
    change(path, **{"far away": 4_000_000_000})


TABLE = "model.encoder.embed_positions.weight"
BROKEN: list[tuple[str, Callable[[Path], None], str]] = [
    ("bart", no_config, "There is no config.json"),
    ("bart", cut("config.json"), "config.json cannot be read as JSON"),
    ("bart", cut("model.safetensors"), "is damaged or was not copied to its end"),
    ("bart", drop("vocab.json", "merges.txt"), "has no tokenizer that Headlight reads"),
    ("bart", drop("merges.txt"), "has no tokenizer that Headlight reads"),
    ("bart", cut("vocab.json"), "vocab.json with merges.txt is no tokenizer"),
    ("bart", random_bytes("merges.txt"), "is no tokenizer, or was not copied"),
    ("bart", huge_number, "expected less than 2,000,000"),
    ("bart, tokenizer.json", cut("tokenizer.json"), "tokenizer.json is no tokenizer"),
    ("bart, tokenizer.json", random_bytes("tokenizer.json"), "tokenizer.json is no tokenizer"),
    ("bart", config(d_model=None), "d_model is missing"),
    ("bart", config(d_model="16"), "d_model is '16'"),
    ("bart", config(vocab_size=100), "They belong to different models"),
    ("bart", config(eos_token_id=3), "eos_token_id is 2; expected the end token 3"),
    ("bart", config(encoder_layers=9), "do not fit the config"),
    ("t5", config(dense_act_fn="snake"), "feed_forward_proj is 'relu' (dense_act_fn: 'snake')"),
    ("t5", config(pad_token_id=1), "pad_token_id of model is 1, as is eos_token_id"),
    ("bart", config(activation_function="snake"), "activation_function is 'snake'"),
    ("bart", config(architectures=["BartForSequenceClassification"]), "for another task"),
    ("bart", config(quantization_config={"bits": 4}), "quantization_config is"),
    ("bart", config(tie_word_embeddings="no"), "tie_word_embeddings is 'no'"),
    ("bart", weights(lambda w: w.pop(TABLE) is None), "1 missing: model.encoder.embed_positions"),
    ("bart", weights(lambda w: w.update({TABLE: w[TABLE][1:]})), "is (97, 16), expected (98, 16)"),
    ("bart", weights(lambda w: w[TABLE].fill_(torch.inf) is None), "is not a finite number"),
    ("mbart-50", cut("sentencepiece.bpe.model"), "sentencepiece.bpe.model is no tokenizer"),
    ("mbart-50", random_bytes("sentencepiece.bpe.model"), "is no tokenizer"),
    ("pegasus", weights(lambda w: w[TABLE].add_(0.1) is None), "is not the sinusoid table"),
    ("pegasus", drop("spiece.model"), "has no tokenizer that Headlight reads"),
    ("chinese bart", random_bytes("vocab.txt"), "has no|is no tokenizer"),
    ("chinese bart", cut("vocab.txt"), "vocab.txt has 1"),
    ("blenderbot small", cut("vocab.json"), "vocab.json with merges.txt is no tokenizer"),
    ("nllb", config(pad_token_id=0), "pad_id is 0, but 1 in the tokenizer"),
    ("m2m100", drop("vocab.json"), "vocab_size is"),
]


@pytest.mark.slow
@each(("name", "damage", "says"), BROKEN, 16)
def test_a_broken_folder_gets_a_sentence(
    tmp_path: Path,
    original: Callable[[str], Path],
    name: str,
    damage: Callable[[Path], None],
    says: str,
) -> None:
    folder = tmp_path / "model"
    shutil.copytree(original(name), folder)
    damage(folder)
    with pytest.raises(CheckpointError) as caught:
        load(folder)
    told = str(caught.value)
    assert any(one in told for one in says.split("|")), told
    assert len(told) <= LONGEST + 120 and str(tmp_path) not in told and told.endswith(".")


# -------------------------------------------------------------------- other forms of the weights


@pytest.mark.slow
def test_half_precision_shards_pickles_and_the_bare_network_are_read(
    tmp_path: Path, original: Callable[[str], Path]
) -> None:
    import transformers

    original = original("mbart cc25")
    expected = load(original).model.half().float().state_dict()
    model = transformers.AutoModelForSeq2SeqLM.from_pretrained(original).half()
    state = {name: weight.clone() for name, weight in model.state_dict().items()}
    bare = {n.removeprefix("model."): w for n, w in state.items() if n.startswith("model.")}
    for form in ("half", "shards", "pickle", "old pickle", "pickled shards", "wrapped", "bare"):
        folder = tmp_path / form
        shutil.copytree(original, folder)
        (folder / "model.safetensors").unlink()
        if form in ("half", "shards"):
            model.save_pretrained(folder, max_shard_size="20KB" if form == "shards" else "1GB")
        elif "pickle" in form and "shards" not in form:
            is_old = form == "old pickle"
            path = folder / "pytorch_model.bin"
            torch.save(state, path, _use_new_zipfile_serialization=not is_old)
        elif form == "wrapped":
            torch.save({f"module.{n}": w for n, w in state.items()}, folder / "pytorch_model.bin")
        elif form == "pickled shards":
            write_pickled_shards(folder, state)
        else:
            change(folder / "config.json", architectures=["MBartModel"])
            torch.save(bare, folder / "pytorch_model.bin")
        heard: list[Read] = []
        with hearing(heard.append):
            found = load(folder).model.state_dict()
        assert is_told(heard, folder), form
        for name, weight in expected.items():
            if form != "bare" or name != "output_bias":
                assert torch.equal(found[name], weight), (form, name)
        assert found["embedding.token.weight"].dtype == torch.float32


def write_pickled_shards(folder: Path, weights: dict[str, torch.Tensor]) -> None:
    names = [f"pytorch_model-0000{i}-of-00003.bin" for i in (1, 2, 3)]
    parts = {file: sorted(weights)[i::3] for i, file in enumerate(names)}
    for file, part in parts.items():
        torch.save({name: weights[name] for name in part}, folder / file)
    where = {name: file for file, part in parts.items() for name in part}
    index = {"metadata": {}, "weight_map": where}
    (folder / "pytorch_model.bin.index.json").write_text(json.dumps(index), "utf-8")


def is_told(heard: list[Read], folder: Path) -> bool:
    """True if what was read grows to the size of the weights' files, the largest weight first."""
    files = (*folder.glob("*.safetensors"), *folder.glob("*.bin"))
    size = sum(path.stat().st_size for path in files)
    steps = np.diff([0, *(read.done for read in heard)])
    return (
        {read.of for read in heard} == {size}
        and bool((steps > 0).all())
        and steps[0] == steps.max()
        and 0.4 * size < heard[-1].done <= size
    )


# ----------------------------------------------------------------------------------- languages


def test_a_code_chooses_the_target_and_two_choose_both(
    original: Callable[[str], Path],
) -> None:
    explainer = Explainer.load(original("nllb"), device="cpu")
    tokenizer = explainer.tokenizer
    config = DecodeConfig(method="greedy", max_length=5)
    assert {">>fra_Latn<<", ">>zho_Hans<<"} < {*tokenizer.codes}
    assert len(tokenizer.codes) == 202

    def run(text: str) -> tuple[str, str, str]:
        trace = explainer.explain(text, config).trace
        return trace.src.pieces[0], trace.tgt_in.pieces[0], trace.tgt_out.pieces[0]

    assert run("a frog") == (">>eng_Latn<<", "</s>", ">>zho_Hans<<")
    assert run(">>fra_Latn<< a frog") == (">>eng_Latn<<", "</s>", ">>fra_Latn<<")
    assert run(">>deu_Latn:fra_Latn<< a frog") == (">>deu_Latn<<", "</s>", ">>fra_Latn<<")
    bare, coded = (explainer.read(t) for t in ("a frog", ">>fra_Latn<< a frog"))
    assert coded.ids.tolist() == bare.ids.tolist()  # the target's code is not read
    for begin, end in coded.spans:
        assert end == begin or coded.text[begin:end].strip() in "a frog"
    for code, like in {
        "xx": "xho_Latn", "fr": "fra_Latn", "zh_Hant": "zho_Hant", "Ukr": "ukr_Cyrl",
        "xx:fra_Latn": "xho_Latn", "eng_Latn:deu": "deu_Latn",
    }.items():  # fmt: skip
        with pytest.raises(InputError, match=f"no target language >>{code}<<;") as caught:
            explainer.read(f">>{code}<< a frog")
        told = str(caught.value)
        assert f">>{like}<<" in told.split("begin with")[1].split(", ")[0], told
        assert "(202)" in told and len(told) <= 300
    best = explainer.explain("a frog", config)
    assert best.search.hypotheses[0].text == tokenizer.decode(best.trace.tgt_out.ids[1:])


@pytest.mark.slow
def test_the_commands_list_what_a_line_may_begin_with(
    original: Callable[[str], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    for name, first in (("nllb", ">>ace_Arab<<"), ("t5", "summarize:"), ("bart", "")):
        assert translate.main(["--model", str(original(name)), "--codes"]) == 0
        listed = capsys.readouterr().out.splitlines()
        assert (listed or [""])[0] == first
        assert tuple(filter(None, listed)) == load(original(name)).tokenizer.codes
    with pytest.raises(SystemExit):
        translate.main(["--help"])
    assert "--codes" in capsys.readouterr().out


def test_a_language_may_be_the_start(original: Callable[[str], Path]) -> None:
    explainer = Explainer.load(original("mbart cc25"), device="cpu")
    config = DecodeConfig(method="beam", beam_size=2, max_length=5)
    found = explainer.explain(">>fr_XX<< a frog", config)
    assert found.trace.tgt_in.pieces[0] == ">>fr_XX<<"
    assert found.trace.src.pieces[-2:] == ("</s>", ">>en_XX<<")
    assert not found.search.steps[0].forced.any()
    usual = explainer.explain("a frog", config)
    assert usual.trace.tgt_in.pieces[0] == ">>de_DE<<"
    log_probs = [explainer.next_log_probs(t, []) for t in ("a frog", ">>fr_XX<< a frog")]
    assert not np.allclose(*log_probs)


@pytest.mark.slow
def test_without_a_usual_target_the_text_has_to_name_one(
    tmp_path: Path, original: Callable[[str], Path]
) -> None:
    folder = tmp_path / "model"
    shutil.copytree(original("m2m100"), folder)
    change(folder / "tokenizer_config.json", tgt_lang=None)
    change(folder / "generation_config.json", forced_bos_token_id=None)
    explainer = Explainer.load(folder, device="cpu")
    with pytest.raises(InputError, match="several languages; begin with one of >>af<<") as caught:
        explainer.explain("a frog")
    assert caught.value.key == "no_language"
    config = DecodeConfig(method="greedy", max_length=3)
    assert explainer.explain(">>fr<< a frog", config).trace.tgt_out.pieces[0] == ">>fr<<"
    lines = ["a frog", ">>fr<< a frog", ">>de<< a frog", ">>xx<< a frog", ""]
    found = translate.translate_all(load(folder), lines, config)
    assert [bool(one) for one in found] == [False, bool(found[1]), bool(found[2]), False, False]


def test_a_batch_of_several_languages_is_each_alone(original: Callable[[str], Path]) -> None:
    loaded = load(original("mbart-50"))
    config = DecodeConfig(method="beam", beam_size=3, max_length=8)
    lines = [">>fr_XX<< a frog", "We went to the library.", ">>zh_CN<< a frog and a bank"]
    together = translate.translate_all(loaded, lines, config)
    assert together == [translate.translate_all(loaded, [one], config)[0] for one in lines]
    assert loaded.tokenizer.target_language(lines[0]) != loaded.tokenizer.target_language(lines[1])


def test_a_model_of_one_language_takes_no_code(original: Callable[[str], Path]) -> None:
    for name in ("bart", "pegasus"):
        with pytest.raises(InputError, match="translates into one language only"):
            Explainer.load(original(name), device="cpu").read(">>fr_XX<< a frog")


# -------------------------------------------------------------------------------------- pieces


@pytest.mark.slow
@pytest.mark.parametrize("name", ["bart", "blenderbot", "chinese bart", "blenderbot small", "nllb"])
def test_a_written_text_is_its_pieces(original: Callable[[str], Path], name: str) -> None:
    """Spans cover the text from left to right; a special token and a code are no text."""
    tokenizer = load(original(name)).tokenizer
    assert isinstance(tokenizer, ForeignTokenizer)
    texts = ["i am a small frog .", "she said that she could not come", "汤姆向老师征求意见。"]
    for text in texts:
        read = tokenizer.encode_target(text)
        written = tokenizer.target_tokens([*read.ids, tokenizer.end_id])
        kept = written.text.replace(" ", "")
        assert kept == text.replace(" ", "") or tokenizer.unknown_id in read.ids
        assert written.spans[-1, 0] == written.spans[-1, 1]
        joined = "".join(written.text[a:b] for a, b in _distinct(written.spans))
        assert joined.replace(" ", "") == kept


def _distinct(spans: np.ndarray) -> list[tuple[int, int]]:
    """The spans without those that lie in one before: bytes of one character."""
    found: list[tuple[int, int]] = []
    for begin, end in spans.tolist():
        if not found or begin >= found[-1][1]:
            found.append((begin, end))
        elif end > found[-1][1]:
            found.append((found[-1][1], end))
    return found


def test_bytes_of_one_character_lie_on_it(original: Callable[[str], Path]) -> None:
    tokenizer = load(original("blenderbot")).tokenizer
    for text in ("a 🙂 b", "é", "鱻"):
        tokens = tokenizer.encode_source(text)
        parts = [i for i, piece in enumerate(tokens.pieces) if piece.startswith("<0x")]
        assert parts, text
        for i in parts:
            begin, end = tokens.spans[i]
            assert tokens.text[begin:end].strip() in text and end > begin
        assert tokenizer.target_tokens(tokens.ids).text == text


@pytest.mark.slow
def test_special_tokens_in_a_text_are_text(original: Callable[[str], Path]) -> None:
    for name in ("bart", "bart, tokenizer.json", "nllb", "pegasus", "chinese bart"):
        tokenizer = load(original(name)).tokenizer
        for written in ("</s>", "<pad>", "[SEP]", "eng_Latn"):
            plain = tokenizer.encode_target(f"a {written} b").ids.tolist()
            assert {tokenizer.end_id, tokenizer.pad_id}.isdisjoint(plain)
            assert tokenizer.special_ids.isdisjoint({*plain} - {tokenizer.unknown_id})


# ------------------------------------------------------------------------- rules in the record


def test_the_record_says_what_a_rule_forbids_and_keeps_the_models_numbers(
    tmp_path: Path, original: Callable[[str], Path]
) -> None:
    folder = tmp_path / "model"
    shutil.copytree(original("blenderbot"), folder)
    change(
        folder / "generation_config.json", encoder_no_repeat_ngram_size=1, min_length=4,
        repetition_penalty=1.5, num_beams=3, max_length=8,
    )  # fmt: skip
    explainer = Explainer.load(folder, device="cpu")
    text = "I am a small frog."
    found = explainer.explain(text)
    steps = found.search.steps
    assert {one.rule for one in steps[0].forbidden} == {"min_tokens", "source_no_repeat"}
    assert {one.rule for one in steps[3].forbidden} == {"source_no_repeat"}  # 3 are enough
    copied = {one.token_id for one in steps[0].forbidden if one.rule == "source_no_repeat"}
    assert copied == {*explainer.read(text).ids.tolist()}
    free = explainer.logits(text, [int(i) for i in found.trace.tgt_out.ids[:1]])[0]
    log_probs = torch.tensor(free).double().log_softmax(-1)
    for step in steps[:1]:
        for one in step.forbidden:
            assert one.log_prob == pytest.approx(log_probs[one.token_id].item(), abs=1e-4)
            assert one.token_id not in step.token_ids
        own = [log_probs[i].item() for i in step.token_ids]
        np.testing.assert_allclose(step.log_probs, own, atol=1e-4)
    changed = [
        (float(step.totals[c]), float(step.log_probs[c]))
        for step in steps[1:2]
        for c in range(len(step))
    ]
    assert len(changed) > 1
    parents = steps[0].totals[steps[1].parents]
    added = steps[1].totals - parents
    assert (added <= steps[1].log_probs + 1e-5).all()  # a penalty only lowers


def test_a_forced_first_token_is_marked_and_costs_nothing(
    original: Callable[[str], Path],
) -> None:
    explainer = Explainer.load(original("bart"), device="cpu")
    config = DecodeConfig(method="beam", beam_size=2, max_length=6)
    search = explainer.explain("a frog", config).search
    chosen = search.hypotheses[0].path[0]
    assert search.steps[0].token_ids[chosen] == 0 and search.steps[0].forced[chosen]
    assert search.steps[0].totals[chosen] == 0
    begun = explainer.explain("a frog", config, prefix=[30, 31]).search.hypotheses[0]
    assert begun.ids[:3] == (0, 30, 31)
    again = explainer.explain("a frog", config, prefix=[0, 30, 31]).search.hypotheses[0]
    assert again.ids == begun.ids and again.score == begun.score
