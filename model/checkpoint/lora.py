"""LoRA: a folder with small matrices that change the maps of another model, its base.

A map's weights become W + B A alpha / r, as `peft` merges them (Hu et al. 2021, section 4.1). What
`peft` has beside that (DoRA, embeddings, whole modules of their own) is refused by name.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from torch import Tensor

from model import hub
from model.checkpoint.marian_settings import unread
from model.checkpoint.weights import listed, read_file
from model.errors import CheckpointError, quote
from model.hub import MERGE

_KEY = re.compile(r"base_model\.model\.(.+)\.lora_([AB])(?:\.default)?\.weight")
# A key of a pattern that is plain enough to be matched: a name, or its end.
_PLAIN = re.compile(r"\^?(?:\w|\\?\.)+")
_NEUTRAL: dict[str, tuple[Any, ...]] = {  # what would change more than the maps, and its "off"
    "use_dora": (False,),
    "modules_to_save": ([],),
    "bias": ("none",),
    "lora_bias": (False,),
    "layer_replication": ([],),
    "target_parameters": ([],),
    "trainable_token_indices": ([], {}),
    "use_qalora": (False,),
    "use_bdlora": (False,),
    "kasa_config": (),
    "monteclora_config": (),
    "alora_invocation_tokens": ([],),
    "arrow_config": (),
    "megatron_config": (),
    # others change the base itself before the training
    "init_lora_weights": (True, False, "gaussian", "orthogonal", "eva"),
}


class _Pair(NamedTuple):
    """The factors of a change, A (r, in) and B (out, r), and the number that multiplies B A."""

    a: Tensor
    b: Tensor
    scale: float


@dataclass(frozen=True)
class Adapter:
    """The changes of an adapter by the name of the map, and the base that they belong to."""

    name: str
    base: hub.ModelLocation
    pairs: Mapping[str, _Pair]

    def merged(self, weights: dict[str, Tensor]) -> dict[str, Tensor]:
        """The weights of the base with the changes.

        Raises:
            CheckpointError: the base has no such maps, or of another size.
        """
        changed = dict(weights)
        for module, (a, b, scale) in self.pairs.items():
            name = next((n for n in (f"{module}.weight", f"model.{module}.weight") if n in weights),
                        None)  # fmt: skip
            shape = (b.size(0), a.size(1))
            if name is None or tuple(weights[name].shape) != shape:
                raise CheckpointError(
                    f"{self.name} changes {quote(module)}, a map of {shape[1]} to {shape[0]} "
                    f"numbers; {self.base.name} has none such that is read alone. They belong to "
                    "different models, or it is an embedding."
                )
            changed[name] = weights[name] + scale * (b @ a)
        return changed


def open_adapter(location: hub.ModelLocation, settings: Mapping[str, Any]) -> Adapter:
    """The adapter of a folder; `settings` are those of its adapter_config.json.

    Raises:
        CheckpointError: it is of another kind, its base is not here, or its file is damaged.
    """
    name = location.name
    if settings.get("peft_type") != "LORA":
        raise CheckpointError(
            f"{name} is an adapter of the kind {quote(settings.get('peft_type'))}; Headlight "
            f"merges LoRA alone. {MERGE}"
        )
    problems = unread(dict(settings), _NEUTRAL)
    if problems:
        raise CheckpointError(
            f"{name} is a LoRA that changes more than maps: {'; '.join(problems[:3])}. {MERGE}"
        )
    base = hub.base_of(location, settings)
    return Adapter(name, base, _pairs(location, settings))


def _pairs(location: hub.ModelLocation, settings: Mapping[str, Any]) -> dict[str, _Pair]:
    path = next((p for n in hub.ADAPTER if (p := location.folder / n).exists()), None)
    if path is None:
        raise CheckpointError(
            f"{location.name} has no {' or '.join(hub.ADAPTER)} beside its {hub.ADAPTER_CONFIG}. "
            "Copy or download it."
        )
    weights = read_file(path, f"{location.name}/{path.name}")
    keys = {name: _KEY.fullmatch(name) for name in weights}
    odd = sorted(name for name, match in keys.items() if match is None)
    if odd:
        raise CheckpointError(
            f"{location.name} holds more than the matrices of a LoRA: {listed(odd)}. {MERGE}"
        )
    factors: dict[str, dict[str, Tensor]] = {}
    for name, match in keys.items():
        if match:
            factors.setdefault(match[1], {})[match[2]] = weights[name]
    pairs = {}
    for module, own in factors.items():
        scale, rank = _scale(location.name, settings, module)
        a, b = own.get("A"), own.get("B")
        if a is None or b is None or a.ndim != 2 or b.ndim != 2 or {a.size(0), b.size(1)} != {rank}:
            raise CheckpointError(
                f"{location.name}: the matrices of {quote(module)} do not have the rank {rank} of "
                f"{hub.ADAPTER_CONFIG}. Copy or download both again."
            )
        pairs[module] = _Pair(a, b, scale)
    return pairs


def _scale(name: str, settings: Mapping[str, Any], module: str) -> tuple[float, int]:
    """What the product of a map's factors is multiplied by, and its rank."""
    rank = _of_pattern(name, settings, "rank_pattern", module, settings.get("r", 8))
    alpha = _of_pattern(name, settings, "alpha_pattern", module, settings.get("lora_alpha", 8))
    if type(rank) is not int or rank < 1 or type(alpha) not in (int, float):
        raise CheckpointError(
            f"{name}: r is {quote(rank)} and lora_alpha {quote(alpha)}; expected a whole number "
            "and a number."
        )
    root = settings.get("use_rslora") is True
    return alpha / (math.sqrt(rank) if root else rank), rank


def _of_pattern(name: str, settings: Mapping[str, Any], field: str, module: str, usual: Any) -> Any:
    """The value for a map: of the first key that is its name or the end of it, as in `peft`."""
    patterns = settings.get(field) or {}
    odd = [key for key in patterns if not _PLAIN.fullmatch(key)]
    if odd:
        raise CheckpointError(
            f"{name}: {field} has the expression {quote(odd[0])}, which Headlight does not read. "
            f"{MERGE}"
        )
    for key, value in patterns.items():
        if re.match(rf"(.*\.)?({key})$", module):
            return value
    return usual
