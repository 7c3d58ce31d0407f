"""The families of models that Headlight opens besides Marian, as data: what a config.json means.

All are the paper's network with other choices for the fields of `ModelConfig`. A family says which
fields it fixes and what `transformers` takes for a setting that is left out. Settings that would
make another network are refused by name, all in one message. So are families that are another
network: `REFUSED` says why.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from model.checkpoint.marian_settings import (
    ACTIVATIONS,
    NEUTRAL_STRUCTURE,
    SIZES,
    Settings,
    ends_of,
    sizes_of,
    start_of,
    unread,
)
from model.config import ModelConfig
from model.errors import CheckpointError, quote


@dataclass(frozen=True)
class Family:
    """A `model_type` of `transformers`.

    `fields` are those of `ModelConfig` that all its models have; `offset` is the first row of the
    position table, counted from the padding's number if `after_pad`. `defaults` are settings of
    config.json that may be left out.
    """

    title: str
    architecture: str  # the class that runs it
    fields: dict[str, Any]
    defaults: dict[str, Any] = field(default_factory=dict)
    after_pad: bool = False


_LEARNED = {"positions": "learned", "output_bias": True, "embedding_norm": "sum"}
_T5: dict[str, Any] = {
    "positions": "relative", "norm": "pre", "norm_kind": "rms", "biases": False, "scaling": False,
    "scale_embedding": False,
}  # fmt: skip
_T5_DEFAULTS = {
    "pad_token_id": 0, "eos_token_id": 1, "decoder_start_token_id": 0, "n_positions": 512,
    "relative_attention_num_buckets": 32, "relative_attention_max_distance": 128,
    "layer_norm_epsilon": 1e-6, "feed_forward_proj": "relu",
}  # fmt: skip
_GATED = {**_T5_DEFAULTS, "feed_forward_proj": "gated-gelu"}
_FAIRSEQ = {"pad_token_id": 1, "eos_token_id": 2}
_PARLAI = {"pad_token_id": 0, "eos_token_id": 2, "decoder_start_token_id": 1}
FAMILIES: dict[str, Family] = {
    "bart": Family(
        "BART",
        "BartForConditionalGeneration",
        {**_LEARNED, "position_offset": 2},
        {**_FAIRSEQ, "decoder_start_token_id": 2},
    ),
    "mvp": Family(
        "MVP",
        "MvpForConditionalGeneration",
        {**_LEARNED, "position_offset": 2},
        {**_FAIRSEQ, "decoder_start_token_id": 2},
    ),
    "plbart": Family(
        "PLBART",
        "PLBartForConditionalGeneration",
        {**_LEARNED, "position_offset": 2},
        {**_FAIRSEQ, "scale_embedding": True},
    ),
    "mbart": Family(
        "mBART",
        "MBartForConditionalGeneration",
        {**_LEARNED, "position_offset": 2, "norm": "pre"},
        _FAIRSEQ,
    ),
    "m2m_100": Family(
        "M2M100 or NLLB",
        "M2M100ForConditionalGeneration",
        {"norm": "pre", "sinusoids": "fairseq", "counts_padding": False},
        {**_FAIRSEQ, "decoder_start_token_id": 2, "scale_embedding": True},
        after_pad=True,
    ),
    "pegasus": Family(
        "Pegasus",
        "PegasusForConditionalGeneration",
        {"norm": "pre", "sinusoids": "halves", "output_bias": True},
        {"pad_token_id": 0, "eos_token_id": 1, "decoder_start_token_id": 0},
    ),
    "blenderbot": Family(
        "Blenderbot",
        "BlenderbotForConditionalGeneration",
        {"positions": "learned", "output_bias": True, "norm": "pre"},
        _PARLAI,
    ),
    "blenderbot-small": Family(
        "Blenderbot small",
        "BlenderbotSmallForConditionalGeneration",
        {**_LEARNED, "embedding_norm": "target_token"},
        _PARLAI,
    ),
    "t5": Family("T5", "T5ForConditionalGeneration", _T5, _T5_DEFAULTS),
    "mt5": Family("mT5", "MT5ForConditionalGeneration", {**_T5, "scale_output": False}, _GATED),
    "umt5": Family(
        "umT5", "UMT5ForConditionalGeneration", {**_T5, "distances_by_layer": True}, _GATED
    ),
}
_TITLES = [family.title for family in FAMILIES.values()]
OPENED = f"Marian (OPUS-MT), {', '.join(_TITLES[:-1])} and {_TITLES[-1]}"
# Classes whose model type has others, for another reason than theirs.
_CLASSES = {
    "SeamlessM4TForTextToText": "its layers of text stand in a model of speech, by other names and "
    "in another order than NLLB's",
    "SeamlessM4Tv2ForTextToText": "its layers of text stand in a model of speech, by other names "
    "and in another order than NLLB's",
}

_ENCODER_ONLY = "it only reads and has no decoder that writes"
_DECODER_ONLY = "it only writes and has no encoder that reads a source"
_SOUND = "its source is sound, not text"
_PICTURE = "its source is a picture, not text"
REFUSED: dict[str, tuple[str, str]] = {  # what it is, and why it is another network
    "t5gemma": (
        "T5Gemma",
        "its attention turns queries and keys by their positions, heads share keys, and its "
        "scores are capped",
    ),
    "t5gemma2": ("T5Gemma 2", "its decoder reads itself and the source in one merged attention"),
    "longt5": ("LongT5", "its encoder reads only near tokens and summaries of blocks"),
    "led": ("LED", "its encoder reads only a window around each token and a few global tokens"),
    "bigbird_pegasus": ("BigBird-Pegasus", "its encoder reads only some blocks of tokens"),
    "pegasus_x": ("Pegasus-X", "its encoder reads only blocks of tokens and a few global ones"),
    "prophetnet": ("ProphetNet", "its decoder predicts several tokens ahead in parallel streams"),
    "xlm-prophetnet": (
        "XLM-ProphetNet",
        "its decoder predicts several tokens ahead in parallel streams",
    ),
    "nllb-moe": ("NLLB-MoE", "its feed-forward layers choose among many experts"),
    "switch_transformers": (
        "Switch Transformer",
        "its feed-forward layers choose among many experts",
    ),
    "fsmt": ("FSMT", "its tokenizer, of fairseq's WMT models, is not one that Headlight reads"),
    "encoder-decoder": ("a pair of two models", "its halves are models of other kinds"),
    "whisper": ("Whisper", _SOUND),
    "speech_to_text": ("Speech2Text", _SOUND),
    "speecht5": ("SpeechT5", _SOUND),
    "seamless_m4t": ("SeamlessM4T", _SOUND),
    "seamless_m4t_v2": ("SeamlessM4T", _SOUND),
    "speech-encoder-decoder": ("a reader of speech", _SOUND),
    "vision-encoder-decoder": ("a reader of pictures", _PICTURE),
    "trocr": ("TrOCR", _PICTURE),
    **{
        name: (title, _DECODER_ONLY)
        for name, title in {
            "gpt2": "GPT-2", "gpt_neo": "GPT-Neo", "gpt_neox": "GPT-NeoX", "gptj": "GPT-J",
            "opt": "OPT", "bloom": "BLOOM", "llama": "Llama", "mistral": "Mistral",
            "qwen2": "Qwen", "qwen3": "Qwen", "gemma": "Gemma", "gemma2": "Gemma",
            "gemma3": "Gemma", "phi": "Phi", "phi3": "Phi", "xglm": "XGLM", "biogpt": "BioGPT",
            "falcon": "Falcon", "mamba": "Mamba", "olmo": "OLMo",
        }.items()
    },
    **{
        name: (title, _ENCODER_ONLY)
        for name, title in {
            "bert": "BERT", "roberta": "RoBERTa", "distilbert": "DistilBERT", "albert": "ALBERT",
            "electra": "ELECTRA", "deberta": "DeBERTa", "deberta-v2": "DeBERTa",
            "xlm-roberta": "XLM-RoBERTa", "mpnet": "MPNet", "modernbert": "ModernBERT",
        }.items()
    },
}  # fmt: skip

_T5_SIZES = ("vocab_size", "d_model", "d_kv", "d_ff", "num_layers", "num_heads")
_T5_CLASSES = ("T5ForConditionalGeneration", "T5Model", "T5WithLMHeadModel")
_SIZES = tuple(name for name in SIZES if name not in ("pad_token_id", "eos_token_id"))
_HEADS = ("ForConditionalGeneration", "Model", "MTModel")  # of classes that have the whole network


def refuse(name: str, model_type: object, classes: object = None) -> CheckpointError:
    """The refusal of a model type: what it is, and why it is not opened."""
    for one in classes if isinstance(classes, list) else ():
        if one in _CLASSES:
            return CheckpointError(f"{name} is {one}: {_CLASSES[one]}. Headlight opens {OPENED}.")
    title, why = REFUSED.get(model_type, ("", "")) if isinstance(model_type, str) else ("", "")
    if title:
        return CheckpointError(f"{name} is {title}: {why}. Headlight opens {OPENED}.")
    if model_type is None:
        return CheckpointError(
            f"The config.json of {name} names no model_type. Copy or download it again, from where "
            "the weights are."
        )
    return CheckpointError(
        f"{name} is of type {quote(model_type)}; Headlight opens its own models, and {OPENED}."
    )


def read_config(name: str, values: Settings, generation: Settings | None) -> ModelConfig:
    """The ModelConfig of a config.json of one of `FAMILIES`.

    Raises:
        CheckpointError: a size is missing, or the file describes another network; the message
        lists all reasons.
    """
    family = FAMILIES[values["model_type"]]
    values = {**family.defaults, **{k: v for k, v in values.items() if v is not None}}
    is_t5 = family.fields.get("positions") == "relative"
    problems = _t5_problems(values) if is_t5 else _problems(values)
    if problems:
        raise CheckpointError(
            f"{name} is {family.title}, but cannot be opened: {'; '.join(problems[:4])}. Choose "
            "another model, or put its config.json right."
        )
    pad_id, end_id = values["pad_token_id"], ends_of(values["eos_token_id"])[0]
    if pad_id == end_id:
        raise CheckpointError(
            f"pad_token_id of {name} is {quote(pad_id)}, as is eos_token_id; Headlight would not "
            "tell padding from the end of a text. Give padding a number of its own in config.json."
        )
    start_id = start_of(values, generation)
    if start_id is None:  # where a language starts the target, each text chooses it
        start_id = end_id
    if is_t5:
        return _t5_config(family, values, start_id, end_id)
    tied = values.get("tie_word_embeddings", True)
    offset = {"position_offset": pad_id + 1} if family.after_pad else {}
    return ModelConfig(
        vocab_size=values["vocab_size"],
        **sizes_of(values),
        start_id=start_id,
        end_id=end_id,
        tied=tied,
        src_vocab_size=0 if tied else values["vocab_size"],  # `transformers` ties all or none
        scale_embedding=values.get("scale_embedding", False),
        **family.fields,
        **offset,
    )


def _t5_config(family: Family, values: Settings, start_id: Any, end_id: Any) -> ModelConfig:
    """The config of a T5 or a relative; only its weights say whether the output is tied.

    What `tie_word_embeddings` tells is the factor before the output. Version 5 of `transformers`
    always writes true there, and the factor as a setting of its own.
    """
    gate, activation = _feed_forward(values)
    is_tied = values.get("tie_word_embeddings") is not False
    fields = {
        "vocab_size": values["vocab_size"],
        "d_model": values["d_model"],
        "n_heads": values["num_heads"],
        "d_ff": values["d_ff"],
        "n_encoder_layers": values["num_layers"],
        "n_decoder_layers": values.get("num_decoder_layers", values["num_layers"]),
        "head_size": values["d_kv"],
        "activation": ACTIVATIONS[activation],
        "gated": gate,
        "norm_eps": float(values["layer_norm_epsilon"]),
        "max_positions": max(values["n_positions"], _T5_DEFAULTS["n_positions"]),  # it has no table
        "distance_buckets": values["relative_attention_num_buckets"],
        "max_distance": values["relative_attention_max_distance"],
        "pad_id": values["pad_token_id"],
        "start_id": start_id,
        "end_id": end_id,
        "tied": False,
        "scale_output": values.get("scale_decoder_outputs", is_tied),
    }
    return ModelConfig(**{**fields, **family.fields})


def _feed_forward(values: Settings) -> tuple[bool, str]:
    """Whether units are gated, and their activation; empty if there is none of that name.

    `transformers` also writes the two apart, and then these are what it reads.
    """
    given = values["feed_forward_proj"]
    gate, _, activation = str(given).rpartition("-")
    if gate not in ("", "gated"):
        return False, ""
    activation = "gelu_new" if given == "gated-gelu" else activation
    activation = str(values.get("dense_act_fn", activation))
    is_gated = values.get("is_gated_act", bool(gate)) is True
    return is_gated, activation if activation in ACTIVATIONS else ""


def _t5_problems(values: Settings) -> list[str]:
    """The reasons why such a T5 cannot be run; empty if it can."""
    problems = [f"{name} is missing" for name in _T5_SIZES if values.get(name) is None]
    whole = ("pad_token_id", "d_kv", "n_positions", "relative_attention_num_buckets")
    for name in (*whole, "relative_attention_max_distance"):
        if type(values.get(name, 0)) is not int:
            problems.append(f"{name} is {quote(values[name])}, expected a whole number")
    if values.get("d_kv") == 0:  # our 0 would mean another
        problems.append("d_kv is 0, expected at least 1")
    if type(values["layer_norm_epsilon"]) not in (int, float):
        problems.append(f"layer_norm_epsilon is {quote(values['layer_norm_epsilon'])}")
    for name in ("scale_decoder_outputs", "tie_word_embeddings"):
        if type(values.get(name, False)) is not bool:
            problems.append(f"{name} is {quote(values[name])}, expected true or false")
    given = values["feed_forward_proj"]
    if not _feed_forward(values)[1]:
        names, own = ", ".join(ACTIVATIONS), values.get("dense_act_fn")
        apart = f" (dense_act_fn: {quote(own)})" if own else ""
        problems.append(
            f"feed_forward_proj is {quote(given)}{apart}, expected one of {names}, or gated- "
            "before it"
        )
    classes = values.get("architectures")
    for one in classes if isinstance(classes, list) else ():
        if not str(one).endswith(_T5_CLASSES):
            problems.append(f"it is stored for another task ({quote(one)})")
    return problems + unread(values, NEUTRAL_STRUCTURE)


def _problems(values: Settings) -> list[str]:
    """The reasons why such a model cannot be run; empty if it can."""
    problems = [f"{name} is missing" for name in _SIZES if values.get(name) is None]
    for name in ("scale_embedding", "tie_word_embeddings"):
        if type(values.get(name, False)) is not bool:
            problems.append(f"{name} is {quote(values[name])}, expected true or false")
    for name in ("pad_token_id", "encoder_ffn_dim", "decoder_ffn_dim"):
        if type(values.get(name, 0)) is not int:
            problems.append(f"{name} is {quote(values[name])}, expected a whole number")
    if values.get("decoder_attention_heads") == 0:  # our 0 would mean the encoder's number
        problems.append("decoder_attention_heads is 0, expected at least 1")
    activation = values.get("activation_function")
    if not isinstance(activation, str) or activation not in ACTIVATIONS:
        names = ", ".join(ACTIVATIONS)
        problems.append(f"activation_function is {quote(activation)}, expected one of {names}")
    classes = values.get("architectures")
    for one in classes if isinstance(classes, list) else ():
        if not str(one).endswith(_HEADS):
            problems.append(f"it is stored for another task ({quote(one)})")
    if values.get("use_prompt") not in (None, False):
        problems.append("use_prompt is set: it adds trained prompts to every attention")
    return problems + unread(values, NEUTRAL_STRUCTURE)


def t5_settings(config: ModelConfig, model_type: str) -> Settings:
    """What config.json says of the network of a T5 or umT5."""
    names = {"swish": "silu"}
    activation = names.get(config.activation, config.activation)
    if config.gated and activation == "gelu_new":
        activation = "gelu"  # behind "gated-" it means this one
    return {
        "model_type": model_type,
        "architectures": [FAMILIES[model_type].architecture],
        "vocab_size": config.vocab_size,
        "d_model": config.d_model,
        "d_kv": config.d_k("cross"),
        "d_ff": config.d_ff,
        "num_layers": config.n_encoder_layers,
        "num_decoder_layers": config.n_decoder_layers,
        "num_heads": config.n_heads,
        "relative_attention_num_buckets": config.distance_buckets,
        "relative_attention_max_distance": config.max_distance,
        "layer_norm_epsilon": config.norm_eps,
        "feed_forward_proj": f"gated-{activation}" if config.gated else activation,
        "n_positions": config.max_positions,
        "dropout_rate": config.dropout,
        "tie_word_embeddings": config.scale_output,
        "is_encoder_decoder": True,
        "use_cache": True,
    }


def family_of(config: ModelConfig) -> str | None:
    """The type in `transformers` of a network with learned or relative positions, for export.

    None if there is none, and for a network with sinusoids, which is exported as Marian or Pegasus.
    """
    if config.positions == "relative":
        return "umt5" if config.distances_by_layer else "t5"
    if config.positions != "learned":
        return None
    for name, family in FAMILIES.items():
        own = {"norm": "post", "embedding_norm": "none", "position_offset": 0, **family.fields}
        alike = all(getattr(config, key) == own[key] for key in ("norm", "embedding_norm"))
        fits = config.position_offset in (0, own["position_offset"])
        if own.get("positions") == "learned" and alike and fits:
            return name
    return None
