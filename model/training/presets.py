"""What three models are made of, as fields of `ModelConfig`. No torch.

    ModelConfig(vocab_size=4000, **PRESETS["t5"])

The sizes are not among them. T5's are those of version 1.1 (2020): gates, and an output of its own.
"""

from __future__ import annotations

from typing import Any, Literal

PresetName = Literal["paper", "bart", "t5"]
PRESETS: dict[PresetName, dict[str, Any]] = {
    "paper": {  # Vaswani et al. 2017; the same as the defaults
        "positions": "sinusoids",
        "norm": "post",
        "norm_kind": "layer",
        "norm_eps": 1e-5,
        "activation": "relu",
        "gated": False,
        "biases": True,
        "scale_embedding": True,
        "embedding_norm": "none",
        "scaling": True,
        "tied": True,
    },
    "bart": {  # Lewis et al. 2019
        "positions": "learned",
        "norm": "post",
        "norm_kind": "layer",
        "norm_eps": 1e-5,
        "activation": "gelu",
        "gated": False,
        "biases": True,
        "scale_embedding": False,
        "embedding_norm": "sum",
        "scaling": True,
        "tied": True,
    },
    "t5": {  # Raffel et al. 2020
        "positions": "relative",
        "norm": "pre",
        "norm_kind": "rms",
        "norm_eps": 1e-6,
        "activation": "gelu_new",
        "gated": True,
        "biases": False,
        "scale_embedding": False,
        "embedding_norm": "none",
        "scaling": False,
        "tied": False,
    },
}
