"""Tiny random models of other families in files, with tokenizers in the family's own form.

The tokenizers are trained here, with `tokenizers` and SentencePiece; the models are those of
`transformers`, with weights so large that attention is peaked.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sentencepiece
import torch

from tests.tiny import CHINESE, ENGLISH, SINCE, randomise, trained, write_marian, write_own

# Odd on purpose: accents, four bytes, digits, signs that begin a word in one tokenizer only.
SENTENCES = (
    *ENGLISH,
    *CHINESE,
    "Ein Café kostet 3,50 € (etwa 4 $)!",
    "Emoji 🙂 and “quotes”, isn't it?",
    "UPPER lower  two  spaces",
    "a",
)


@dataclass(frozen=True)
class Written:
    """What a tokenizer's writer says of it."""

    size: int
    settings: dict[str, Any]  # of config.json
    generation: dict[str, Any]


def _bpe(folder: Path, special: list[str], prefix_space: bool, in_one_file: bool) -> int:
    """Byte-level BPE as vocab.json and merges.txt, or as tokenizer.json as well."""
    from tokenizers import ByteLevelBPETokenizer, processors

    trained = ByteLevelBPETokenizer(add_prefix_space=prefix_space)
    trained.train_from_iterator(SENTENCES, vocab_size=420, special_tokens=special, min_frequency=1)
    folder.mkdir(parents=True, exist_ok=True)
    trained.save_model(str(folder))
    if in_one_file:
        (folder / "vocab.json").unlink()
        (folder / "merges.txt").unlink()
        end, begin = (trained.token_to_id(name) for name in ("</s>", "<s>"))
        one = trained._tokenizer
        one.post_processor = processors.RobertaProcessing(("</s>", end), ("<s>", begin))
        if prefix_space:
            one.post_processor = processors.TemplateProcessing(
                single="$A </s>", special_tokens=[("</s>", end)]
            )
        one.save(str(folder / "tokenizer.json"))
    return int(trained.get_vocab_size())


def write_bart(folder: Path, in_one_file: bool = False) -> Written:
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    size = _bpe(folder, special, False, in_one_file)
    return Written(size, {"forced_bos_token_id": 0}, {"forced_bos_token_id": 0})


def write_blenderbot(folder: Path, in_one_file: bool = False) -> Written:
    size = _bpe(folder, ["<pad>", "<s>", "</s>", "<unk>"], True, in_one_file)
    return Written(size, {}, {"encoder_no_repeat_ngram_size": 3})


def _words(one: Any) -> list[str]:
    """The words that a tokenizer of the library learns its pieces from.

    It numbers signs within a word as it meets them, in another order in each process, and the
    numbers decide between pairs that are equally frequent: they are named before it starts.
    """
    plain = [one.normalizer.normalize_str(text) for text in SENTENCES]
    return [word for text in plain for word, _ in one.pre_tokenizer.pre_tokenize_str(text)]


def write_chinese(folder: Path) -> Written:
    """vocab.txt, as Chinese BART has it: start and end are both [SEP]."""
    from tokenizers import BertWordPieceTokenizer

    trained = BertWordPieceTokenizer()
    names = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    inner = sorted({f"##{sign}" for word in _words(trained._tokenizer) for sign in word[1:]})
    trained.train_from_iterator(
        SENTENCES, vocab_size=300, min_frequency=1, special_tokens=[*names, *inner]
    )
    folder.mkdir(parents=True, exist_ok=True)
    trained.save_model(str(folder))
    ids = [trained.token_to_id(name) for name in ("[PAD]", "[SEP]", "[CLS]")]
    settings = {
        "pad_token_id": ids[0],
        "eos_token_id": ids[1],
        "bos_token_id": ids[2],
        "decoder_start_token_id": ids[1],
        "forced_eos_token_id": ids[1],
    }
    write_json(folder / "tokenizer_config.json", {"tokenizer_class": "BertTokenizer"})
    return Written(trained.get_vocab_size(), settings, {})


def _sentencepiece(path: Path, kind: str, **settings: Any) -> list[str]:
    path.parent.mkdir(parents=True, exist_ok=True)
    content = trained(SENTENCES, vocab_size=300, model_type=kind, **settings)
    path.write_bytes(content)
    model = sentencepiece.SentencePieceProcessor(model_proto=content)
    return [model.id_to_piece(i) for i in range(model.get_piece_size())]


def codes_of(name: str) -> list[str]:
    """The languages of a tokenizer of `transformers`, in its own order."""
    from transformers.models.m2m_100 import tokenization_m2m_100
    from transformers.models.mbart import tokenization_mbart
    from transformers.models.mbart50 import tokenization_mbart50
    from transformers.models.nllb import tokenization_nllb
    from transformers.models.plbart import tokenization_plbart

    lists: dict[str, list[str]] = {
        "mbart": tokenization_mbart.FAIRSEQ_LANGUAGE_CODES,
        "mbart50": tokenization_mbart50.FAIRSEQ_LANGUAGE_CODES,
        "m2m100": tokenization_m2m_100.FAIRSEQ_LANGUAGE_CODES["m2m100"],
        "nllb": tokenization_nllb.FAIRSEQ_LANGUAGE_CODES,
        "plbart": tokenization_plbart.FAIRSEQ_LANGUAGE_CODES["base"],
    }
    return lists[name]


def write_mbart(folder: Path, old: bool = True) -> Written:
    """sentencepiece.bpe.model; cc25 starts with a language, mBART-50 forces it as first token."""
    pieces = _sentencepiece(folder / "sentencepiece.bpe.model", "unigram")
    codes = codes_of("mbart" if old else "mbart50")
    kind = "MBartTokenizer" if old else "MBart50Tokenizer"
    names = {"tokenizer_class": kind, "src_lang": "en_XX", "tgt_lang": "de_DE"}
    write_json(folder / "tokenizer_config.json", names)
    german = len(pieces) + 1 + codes.index("de_DE")
    start = {"decoder_start_token_id": german if old else 2}
    first = {} if old else {"forced_bos_token_id": german}
    return Written(len(pieces) + 1 + len(codes) + 1, start, {**start, **first})


def write_plbart(folder: Path) -> Written:
    pieces = _sentencepiece(folder / "sentencepiece.bpe.model", "bpe")
    names = {"tokenizer_class": "PLBartTokenizer", "src_lang": "java", "tgt_lang": "python"}
    write_json(folder / "tokenizer_config.json", names)
    start = {"decoder_start_token_id": len(pieces) + 1 + 1}
    return Written(len(pieces) + 1 + 3 + 1, start, start)


def write_m2m100(folder: Path) -> Written:
    """vocab.json numbers the pieces of sentencepiece.bpe.model; the languages follow."""
    pieces = _sentencepiece(folder / "sentencepiece.bpe.model", "bpe")
    own = ["<s>", "<pad>", "</s>", "<unk>"]
    names = [*own, *(piece for piece in pieces if piece not in own)]
    write_json(folder / "vocab.json", {piece: i for i, piece in enumerate(names)})
    kind = {"tokenizer_class": "M2M100Tokenizer", "src_lang": "en", "tgt_lang": "zh"}
    write_json(folder / "tokenizer_config.json", kind)
    codes = codes_of("m2m100")
    return Written(
        len(names) + len(codes) + 8, {}, {"forced_bos_token_id": len(names) + codes.index("zh")}
    )


def write_nllb(folder: Path, old: bool = False) -> Written:
    """tokenizer.json, whose own template is not asked: files of before 2023 have the old one."""
    import tokenizers
    from tokenizers import decoders, models, normalizers, pre_tokenizers, processors, trainers

    one = tokenizers.Tokenizer(models.BPE(unk_token="<unk>", fuse_unk=True))
    spaces = {"replacement": "▁", "prepend_scheme": "always"}
    one.normalizer = normalizers.Replace(tokenizers.Regex(" {2,}"), " ")
    one.pre_tokenizer = pre_tokenizers.Metaspace(**spaces)
    one.decoder = decoders.Metaspace(**spaces)
    special = ["<s>", "<pad>", "</s>", "<unk>"]
    trainer = trainers.BpeTrainer(vocab_size=300, special_tokens=special, show_progress=False)
    one.train_from_iterator(SENTENCES, trainer)
    one.add_special_tokens([*codes_of("nllb"), "<mask>"])
    end, code = one.token_to_id("</s>"), one.token_to_id("eng_Latn")
    one.post_processor = processors.TemplateProcessing(
        single="$A </s> eng_Latn", special_tokens=[("</s>", end), ("eng_Latn", code)]
    )
    folder.mkdir(parents=True, exist_ok=True)
    one.save(str(folder / "tokenizer.json"))
    kind = {"tokenizer_class": "NllbTokenizer", "src_lang": "eng_Latn", "tgt_lang": "zho_Hans"}
    write_json(folder / "tokenizer_config.json", {**kind, "legacy_behaviour": old})
    return Written(
        one.get_vocab_size() + 2, {}, {"forced_bos_token_id": one.token_to_id("zho_Hans")}
    )


def write_pegasus(folder: Path) -> Written:
    """spiece.model: padding, end, unknown, then pieces; 103 numbers stand before them."""
    ids = {"pad_id": 0, "eos_id": 1, "unk_id": 2, "bos_id": -1}
    pieces = _sentencepiece(folder / "spiece.model", "unigram", **ids)
    write_json(folder / "tokenizer_config.json", {"tokenizer_class": "PegasusTokenizer"})
    return Written(len(pieces) + 103, {}, {})


_START = {"decoder_start_token_id": 0}


def write_t5(folder: Path, blanks: int = 100, kind: str = "T5Tokenizer") -> Written:
    """spiece.model with padding, end and unknown first; the blanks follow, the last one first."""
    ids = {"pad_id": 0, "eos_id": 1, "unk_id": 2, "bos_id": -1}
    pieces = _sentencepiece(folder / "spiece.model", "unigram", **ids)
    write_json(folder / "tokenizer_config.json", {"tokenizer_class": kind, "extra_ids": blanks})
    tasks = {
        "summarization": {"prefix": "summarize: ", "num_beams": 4},
        "translation_en_to_de": {"prefix": "translate English to German: "},
    }
    return Written(len(pieces) + blanks + 8, {"task_specific_params": tasks, **_START}, _START)


def write_madlad(folder: Path) -> Written:
    """spiece.model whose languages are pieces; no blank has a number."""
    ids = {"pad_id": 1, "eos_id": 2, "unk_id": 0, "bos_id": -1}
    languages = "<2de>,<2zh>,<2pt_BR>"
    pieces = _sentencepiece(folder / "spiece.model", "bpe", user_defined_symbols=languages, **ids)
    write_json(folder / "tokenizer_config.json", {"tokenizer_class": "T5Tokenizer"})
    numbers = {"pad_token_id": 1, "eos_token_id": 2, "decoder_start_token_id": 0}
    return Written(len(pieces), numbers, {"decoder_start_token_id": 0})


def write_fast_t5(folder: Path) -> Written:
    """tokenizer.json, as FLAN's and mT5's repositories have it too."""
    import tokenizers
    from tokenizers import decoders, models, pre_tokenizers, processors

    # The library's own training adds in another order in each process: other scores, other pieces.
    ids = {"pad_id": 0, "eos_id": 1, "unk_id": 2, "bos_id": -1}
    path = folder / "spiece.model"
    pieces = _sentencepiece(path, "unigram", normalization_rule_name="identity", **ids)
    trained = sentencepiece.SentencePieceProcessor(model_file=str(path))
    path.unlink()
    scores = [(piece, trained.get_score(i)) for i, piece in enumerate(pieces)]
    one = tokenizers.Tokenizer(models.Unigram(scores, unk_id=2))
    spaces = {"replacement": "▁", "prepend_scheme": "always"}
    one.pre_tokenizer = pre_tokenizers.Metaspace(**spaces)
    one.decoder = decoders.Metaspace(**spaces)
    one.add_special_tokens(pieces[:3])
    one.add_special_tokens([f"<extra_id_{i}>" for i in range(99, -1, -1)])
    one.post_processor = processors.TemplateProcessing(
        single="$A </s>", special_tokens=[("</s>", one.token_to_id("</s>"))]
    )
    folder.mkdir(parents=True, exist_ok=True)
    one.save(str(folder / "tokenizer.json"))
    write_json(folder / "tokenizer_config.json", {"tokenizer_class": "T5Tokenizer"})
    return Written(one.get_vocab_size() + 28, _START, _START)


def write_byt5(folder: Path) -> Written:
    """No file but its settings: a piece is a byte, behind three special tokens."""
    write_json(folder / "tokenizer_config.json", {"tokenizer_class": "ByT5Tokenizer"})
    return Written(384, _START, _START)


def write_codet5(folder: Path) -> Written:
    """Byte-level BPE; the blanks stand in added_tokens.json."""
    size = _bpe(folder, ["<pad>", "<s>", "</s>", "<unk>", "<mask>"], False, False)
    write_json(folder / "added_tokens.json", {f"<extra_id_{i}>": size + 99 - i for i in range(100)})
    write_json(folder / "tokenizer_config.json", {"tokenizer_class": "RobertaTokenizer"})
    numbers = {"pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}
    return Written(size + 100, {**numbers, **_START}, _START)


def without_shared(folder: Path) -> None:
    """MADLAD's files have the matrix of the decoder and that of the output, in two files."""
    from safetensors.torch import load_file, save_file

    path = folder / "model.safetensors"
    weights = load_file(path)
    shared = weights.pop("shared.weight")
    generator = torch.Generator().manual_seed(9)
    weights["lm_head.weight"] = torch.randn(shared.shape, generator=generator) * 0.5
    weights["decoder.embed_tokens.weight"] = shared
    names = sorted(weights)
    halves = [names[::2], [*names[1::2], "decoder.embed_tokens.weight"]]  # a duplicate among them
    where = {}
    for i, part in enumerate(halves, 1):
        file = f"model-0000{i}-of-00002.safetensors"
        save_file({n: weights[n].clone() for n in part}, folder / file, {"format": "pt"})
        where |= dict.fromkeys(part, file)
    write_json(folder / "model.safetensors.index.json", {"metadata": {}, "weight_map": where})
    path.unlink()


def with_unread_bias(folder: Path) -> None:
    """Old files repeat the matrix, and have a bias of the cross-attention that is never read."""
    from safetensors.torch import load_file, save_file

    path = folder / "model.safetensors"
    weights = load_file(path)
    first = "decoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight"
    unread = "decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight"
    weights[unread] = weights[first] * 3
    for stack in ("encoder", "decoder"):
        weights[f"{stack}.embed_tokens.weight"] = weights["shared.weight"].clone()
    save_file(weights, path, {"format": "pt"})


def with_own_head(folder: Path) -> None:
    """Version 1.1: an output of its own. Version 5 of `transformers` writes it if it differs."""
    from safetensors.torch import load_file, save_file

    path = folder / "model.safetensors"
    weights = load_file(path)
    generator = torch.Generator().manual_seed(8)
    shape = weights["shared.weight"].shape
    weights["lm_head.weight"] = torch.randn(shape, generator=generator) * 0.5
    save_file(weights, path, {"format": "pt"})


def write_small(folder: Path) -> Written:
    """vocab.json and merges.txt of small letters, in which "@@" marks an unfinished word."""
    import tokenizers
    from tokenizers import models, normalizers, pre_tokenizers, trainers

    one = tokenizers.Tokenizer(models.BPE(unk_token="__unk__", end_of_word_suffix="</w>"))
    one.normalizer = normalizers.Lowercase()
    one.pre_tokenizer = pre_tokenizers.Whitespace()
    last = sorted({f"{word[-1]}</w>" for word in _words(one)})
    trainer = trainers.BpeTrainer(
        vocab_size=300, end_of_word_suffix="</w>", show_progress=False,
        special_tokens=["__unk__", *last],
    )  # fmt: skip
    one.train_from_iterator(SENTENCES, trainer)
    names = ["__null__", "__start__", "__end__", "__unk__", "__newln__"]
    for piece in sorted(one.get_vocab(), key=one.get_vocab().__getitem__):
        if piece.endswith("</w>"):
            names.append(piece.removesuffix("</w>"))
        elif piece != "__unk__":
            names.append(f"{piece}@@")
    folder.mkdir(parents=True, exist_ok=True)
    write_json(folder / "vocab.json", {piece: i for i, piece in enumerate(dict.fromkeys(names))})
    merges = json.loads(one.to_str())["model"]["merges"]
    lines = ["#version: 0.2", *(" ".join(pair) for pair in merges), ""]
    (folder / "merges.txt").write_text("\n".join(lines), "utf-8")
    return Written(len(dict.fromkeys(names)), {}, {})


def write_json(path: Path, values: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(values, ensure_ascii=False), "utf-8")


@dataclass(frozen=True)
class Kind:
    """A family: its model type, how its tokenizer is written, what its models set."""

    model_type: str
    write: Callable[[Path], Written]
    settings: dict[str, Any]
    finish: Callable[[Path], None] = lambda folder: None


_V11 = {"feed_forward_proj": "gated-gelu", "tie_word_embeddings": False}
KINDS: dict[str, Kind] = {
    "bart": Kind("bart", write_bart, {}),
    "mvp": Kind("mvp", write_bart, {}),
    "bart, tokenizer.json": Kind("bart", lambda folder: write_bart(folder, True), {}),
    "chinese bart": Kind("bart", write_chinese, {}),
    "plbart": Kind("plbart", write_plbart, {"scale_embedding": True}),
    "mbart cc25": Kind("mbart", write_mbart, {"scale_embedding": True}),
    "mbart-50": Kind(
        "mbart",
        lambda folder: write_mbart(folder, False),
        {"scale_embedding": True, "activation_function": "relu"},
    ),
    "m2m100": Kind("m2m_100", write_m2m100, {"scale_embedding": True}),
    "nllb": Kind("m2m_100", write_nllb, {"scale_embedding": True}),
    "nllb, old": Kind("m2m_100", lambda f: write_nllb(f, True), {"scale_embedding": True}),
    "pegasus": Kind("pegasus", write_pegasus, {"scale_embedding": True}),
    "blenderbot": Kind("blenderbot", write_blenderbot, {}),
    "blenderbot, tokenizer.json": Kind(
        "blenderbot", lambda folder: write_blenderbot(folder, True), {"scale_embedding": True}
    ),
    "blenderbot small": Kind("blenderbot-small", write_small, {"scale_embedding": True}),
    "t5": Kind("t5", write_t5, {}, with_unread_bias),
    "flan-t5": Kind("t5", write_fast_t5, _V11, with_own_head),
    "mt5": Kind("mt5", lambda f: write_t5(f, kind="MT5Tokenizer"), {}, with_own_head),
    "umt5": Kind("umt5", lambda f: write_t5(f, 300), {"tie_word_embeddings": False}),
    "byt5": Kind("t5", write_byt5, {**_V11, "num_decoder_layers": 1}, with_own_head),
    "madlad": Kind("t5", write_madlad, _V11, without_shared),
    "ul2": Kind("t5", write_t5, {**_V11, "feed_forward_proj": "gated-silu"}, with_own_head),
    "codet5": Kind("t5", write_codet5, {}),
}
T5 = ("t5", "flan-t5", "mt5", "umt5", "byt5", "madlad", "ul2", "codet5")
# d_model; heads, d_ff and layers of the encoder, then of the decoder
SHAPES = [(16, 2, 24, 2, 2, 24, 3), (32, 4, 48, 1, 2, 32, 2), (24, 3, 40, 3, 3, 40, 1)]


def write_family(folder: Path, name: str, shape: int = 0, **settings: Any) -> Path:
    """A random model of a family with its tokenizer; return the folder.

    `settings` are those of config.json; "generation" has those of generation_config.json.
    """
    import transformers

    kind = KINDS[name]
    tokens = kind.write(folder)
    d_model, heads, d_ff, layers, *decoder = SHAPES[shape]
    sizes = {
        "vocab_size": tokens.size,
        "d_model": d_model,
        "max_position_embeddings": 96,
        **{"encoder_attention_heads": heads, "encoder_ffn_dim": d_ff, "encoder_layers": layers},
        **{"decoder_attention_heads": decoder[0], "decoder_ffn_dim": decoder[1]},
        "decoder_layers": decoder[2],
    }
    if name in T5:
        sizes = {
            **{"vocab_size": tokens.size, "d_model": d_model, "num_heads": heads, "d_kv": 6},
            **{"d_ff": d_ff, "num_layers": layers, "num_decoder_layers": decoder[2]},
        }
        if shape == 0:  # `generate` of version 5.24 has no cache for more layers than the encoder's
            sizes["num_decoder_layers"] = layers
    generation = settings.pop("generation", {})
    config = transformers.AutoConfig.for_model(
        kind.model_type, **{**sizes, **kind.settings, **tokens.settings, **settings}
    )
    model = transformers.AutoModelForSeq2SeqLM.from_config(config)
    tables = {n: w.clone() for n, w in model.named_parameters() if "embed_positions" in n}
    randomise(model, shape)
    with torch.no_grad():
        if kind.model_type == "pegasus":  # its sinusoids are parameters
            for n, weight in model.named_parameters():
                if "embed_positions" in n:
                    weight.copy_(tables[n])
        if hasattr(model, "final_logits_bias"):
            generator = torch.Generator().manual_seed(shape)
            bias = torch.randn(model.final_logits_bias.shape, generator=generator)
            model.final_logits_bias.copy_(bias * 0.5)
    for key, value in {**tokens.generation, **generation}.items():
        setattr(model.generation_config, key, value)
    model.save_pretrained(folder)
    kind.finish(folder)
    return folder


def write_tiny(folder: Path, name: str) -> Path:
    """A tiny model of any kind: one of `KINDS` or `SINCE`, "marian", or "post" and "pre" norm."""
    if name == "marian":
        return write_marian(folder)
    if name in KINDS:
        return write_family(folder, name)
    if name in SINCE:
        return write_own(folder, 5, **SINCE[name])
    return write_own(folder, norm=name)


def exact(model: Any) -> Any:
    """A model of `transformers` in float64, also within T5's norm.

    It computes in float32 there, and random layers would multiply that by a hundred.
    """

    def norm(part: Any, x: torch.Tensor) -> torch.Tensor:
        variance = x.pow(2).mean(-1, keepdim=True)
        normed: torch.Tensor = part.weight * (x * torch.rsqrt(variance + part.variance_epsilon))
        return normed

    for part in model.double().eval().modules():
        if hasattr(part, "variance_epsilon"):
            part.forward = functools.partial(norm, part)
    return model
