"""Tiny random models in files: in our format, and as Marian models of `transformers`.

Weights are drawn with a standard deviation of about 0.5, far from trained values, so that a
difference anywhere affects everything.
"""

from __future__ import annotations

import functools
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import sentencepiece
import torch

from explorer.models import Listed, Models
from model import checkpoint
from model.config import ModelConfig
from model.text import vocabulary
from model.transformer import Transformer

if TYPE_CHECKING:
    from model.explain import Explainer

ENGLISH = (
    "Tom asked his teacher for advice.",
    "I am a small frog, and I live here.",
    "It is raining today; take an umbrella with you!",
    "The old bank stands by the river bank.",
    "She said that she could not come to the station.",
    "How many books did you read last year?",
    "I don't know what you mean by that.",
    "We went to the library because it was quiet there.",
)
CHINESE = (
    "汤姆向老师征求意见。",
    "我是一只小青蛙，我住在这里。",
    "今天下雨，带上雨伞！",
    "老银行在河岸边。",
    "她说她不能来车站。",
    "你去年读了多少本书？",
    "我不知道你那是什么意思。",
    "我们去了图书馆，因为那里很安静。",
)


# The fields of T5, of its version 1.1, and its parts in other places.
T5: dict[str, Any] = {
    "positions": "relative", "norm": "pre", "norm_kind": "rms", "norm_eps": 1e-6,
    "biases": False, "scaling": False, "scale_embedding": False,
}  # fmt: skip
GATED: dict[str, Any] = {"gated": True, "activation": "gelu_new"}
SINCE: dict[str, dict[str, Any]] = {
    "T5": {**T5, "scale_output": True},
    "T5 1.1": {**T5, **GATED, "tied": False, "distances_by_layer": True},
    "RMSNorm after, gated": {**GATED, "norm_kind": "rms", "biases": False},
}


def train_joint(path: Path, vocab_size: int = 420, *, byte_fallback: bool = True) -> None:
    """Train a joint tokenizer like our older ones: bytes for unknown characters, text unchanged."""
    model = trained(
        (*ENGLISH, *CHINESE),
        vocab_size=vocab_size,
        byte_fallback=byte_fallback,
        normalization_rule_name="identity",
        pad_id=0,
        bos_id=1,
        eos_id=2,
        unk_id=3,
    )
    path.write_bytes(model)


def train_pair(folder: Path, vocab_size: int = 420) -> None:
    """Train the tokenizer of a new model as in training: a space mark only in English."""
    vocabulary.train(list(zip(ENGLISH, CHINESE, strict=True)) * 3, vocab_size, folder)


@functools.cache
def trained(sentences: tuple[str, ...], **settings: Any) -> bytes:
    """A model of SentencePiece, trained once with the same settings."""
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(sentences),
        model_writer=model,
        hard_vocab_limit=False,
        minloglevel=2,
        **settings,
    )
    return model.getvalue()


def randomise(model: torch.nn.Module, seed: int = 0) -> None:
    """Draw every weight again: norms around one, everything else around zero."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, weight in sorted(model.named_parameters()):
            weight.copy_(torch.randn(weight.shape, generator=generator) * 0.5)
            if "norm" in name and name.endswith("weight"):
                weight += 1.0


def own_model(seed: int = 0, **settings: Any) -> Transformer:
    """A random model with the vocabulary of `train_joint`; `settings` are fields of ModelConfig."""
    sizes = {
        "vocab_size": 420,
        "d_model": 16,
        "n_heads": 2,
        "d_ff": 24,
        "n_encoder_layers": 2,
        "n_decoder_layers": 3,
        "max_positions": 64,
    }
    model = Transformer(ModelConfig(**{**sizes, **settings}))
    randomise(model, seed)
    return model.eval().requires_grad_(False)


def write_own(folder: Path, seed: int = 0, *, paired: bool = False, **settings: Any) -> Path:
    """Write a checkpoint in our format, with a joint tokenizer or `paired`; return its folder."""
    folder.mkdir(parents=True, exist_ok=True)
    if paired:
        train_pair(folder)
    else:
        train_joint(folder / "tokenizer.model")
    checkpoint.save(folder, own_model(seed, **settings), folder)
    return folder


def only(load: Callable[[], Explainer]) -> Models:
    """The models of a server with only this one."""
    return Models([Listed("tiny", "tiny", load)])


def write_marian_tokenizer(folder: Path) -> Path:
    """source.spm, target.spm and vocab.json as in OPUS-MT: end 0, unknown 1, padding last."""
    folder.mkdir(parents=True, exist_ok=True)
    vocabulary = {"</s>": 0, "<unk>": 1, ">>cmn_Hans<<": 2}
    for name in ("source", "target"):
        for piece in _train_side(folder, name):
            vocabulary.setdefault(piece, len(vocabulary))
    vocabulary["<pad>"] = len(vocabulary)
    (folder / "vocab.json").write_text(json.dumps(vocabulary), "utf-8")
    return folder


def write_separate_tokenizer(folder: Path) -> Path:
    """The same with a vocabulary for each side: end, unknown and padding have equal numbers."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, file in (("source", "vocab.json"), ("target", "target_vocab.json")):
        vocabulary = {"</s>": 0, "<unk>": 1, "<pad>": 2}
        codes = (">>cmn_Hans<<", ">>jpn<<") if name == "source" else ()
        for piece in (*codes, *_train_side(folder, name)):
            vocabulary.setdefault(piece, len(vocabulary))
        (folder / file).write_text(json.dumps(vocabulary), "utf-8")
    return folder


def _train_side(folder: Path, name: str) -> list[str]:
    sentences = ENGLISH if name == "source" else CHINESE
    content = trained(sentences, vocab_size=150, character_coverage=0.99)
    (folder / f"{name}.spm").write_bytes(content)
    model = sentencepiece.SentencePieceProcessor(model_proto=content)
    return [model.id_to_piece(i) for i in range(model.get_piece_size())]


def write_marian(
    folder: Path, seed: int = 0, *, separate: bool = False, pegasus: bool = False, **settings: Any
) -> Path:
    """A random MarianMTModel with its tokenizer, with save_pretrained; return the folder.

    `settings` are fields of MarianConfig; with `separate`, each side has its own vocabulary and
    matrix. As in OPUS-MT, decoding starts with padding. With `pegasus` it is the pre-norm twin of
    Marian that `transformers` calls Pegasus, with the same names of weights.
    """
    import transformers

    names = ["source.spm", "target.spm", "vocab.json"]
    if separate:
        write_separate_tokenizer(folder)
        names.append("target_vocab.json")
    else:
        write_marian_tokenizer(folder)
    files = [str(folder / name) for name in names]
    transformers.MarianTokenizer(*files, separate_vocabs=separate).save_pretrained(folder)
    sizes = [len(json.loads((folder / name).read_text("utf-8"))) for name in names[2:]]
    pad = 2 if separate else sizes[0] - 1

    config: dict[str, Any] = {
        "vocab_size": sizes[0],
        "decoder_vocab_size": sizes[-1],
        "share_encoder_decoder_embeddings": not separate,
        "d_model": 16,
        "encoder_layers": 2,
        "decoder_layers": 3,
        "encoder_attention_heads": 2,
        "decoder_attention_heads": 2,
        "encoder_ffn_dim": 24,
        "decoder_ffn_dim": 24,
        "max_position_embeddings": 64,
        "activation_function": "swish",
        "scale_embedding": True,
        "pad_token_id": pad,
        "eos_token_id": 0,
        "decoder_start_token_id": pad,
        "forced_eos_token_id": 0,
    }
    config |= settings
    if pegasus:
        model = transformers.PegasusForConditionalGeneration(transformers.PegasusConfig(**config))
    else:
        model = transformers.MarianMTModel(transformers.MarianConfig(**config))
    positions = model.model.encoder.embed_positions.weight.clone()
    randomise(model, seed)
    with torch.no_grad():  # these two are not parameters of training
        for stack in (model.model.encoder, model.model.decoder):
            stack.embed_positions.weight.copy_(positions)
        generator = torch.Generator().manual_seed(seed)
        bias = torch.randn(model.final_logits_bias.shape, generator=generator)
        model.final_logits_bias.copy_(bias * 0.5)
    model.generation_config.bad_words_ids = [[pad]]
    model.save_pretrained(folder)
    return folder
