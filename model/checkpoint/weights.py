"""Reading weight files safely: compared with a config first, and never run as code."""

from __future__ import annotations

import json
import logging
import math
import zipfile
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import safetensors
import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

from model import hub
from model.checkpoint.weight_names import Shapes
from model.config import ModelConfig
from model.errors import CheckpointError, is_out_of_memory, quote, reason
from model.files import tell_read
from model.hub import ModelLocation
from model.linear import by_columns, is_too_large
from model.text import kinds
from model.transformer import Transformer

log = logging.getLogger(__name__)

MAX_INDEX = 4_000_000  # bytes; 64 + 64 layers have two hundred thousand
MAX_HEADER, MAX_WEIGHTS = 8_000_000, 20_000  # bytes and names; the same model has 3,500 names
NAMED = 2  # weights of a kind of problem that a message names
MAX_TABLE = 2**24  # numbers in the position table, the one big array that is in no file


_PRECISIONS = (torch.float16, torch.bfloat16, torch.float32, torch.float64)


class _Unfilled(TorchFunctionMode):
    """Draws no numbers: for a tensor that has none torch imports sympy first, for 1.5 s."""

    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: Collection[type],
        args: Sequence[Any] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        given = kwargs or {}
        return given["tensor"] if func is nn.init.normal_ else func(*args, **given)


def empty_model(config: ModelConfig) -> Transformer:
    """A model with shapes but no numbers, to compare files with before anything big is built.

    Only what is in no file is there: the sinusoids and the buckets of distances.

    Raises:
        CheckpointError: a config whose position table is too large.
    """
    if config.max_positions * config.d_model > MAX_TABLE:
        raise CheckpointError(
            f"{config.max_positions} positions of {config.d_model} numbers make too large a table; "
            f"at most {MAX_TABLE} numbers are allowed."
        )
    with torch.device("meta"), _Unfilled():
        return Transformer(config)


def fill(model: Transformer, weights: dict[str, Tensor]) -> None:
    """Put weights into an empty model, ready to translate: in eval mode, without gradients."""
    model.load_state_dict(weights, assign=True)
    if model.embedding.positions is not None:
        model.embedding.positions = model.embedding.positions.float()  # of torch's default type
    model.eval().requires_grad_(False)


def placed(model: Transformer, device: str | torch.device) -> Transformer:
    """Move the model to a device; if the GPU does not have enough memory, back to the CPU."""
    try:
        return model.to(device)
    except RuntimeError as error:
        if not is_out_of_memory(error):
            raise
        log.warning("The memory of the GPU (%s) is too small; the CPU runs the model.", device)
        return model.to("cpu")


def copy_on_cpu(model: Transformer) -> Transformer:
    """The same model on the CPU. Needs no memory of a GPU, which may be full."""
    copy = empty_model(model.config)
    fill(copy, {name: weight.cpu() for name, weight in model.state_dict().items()})
    return copy


def shapes_of(model: Transformer) -> Shapes:
    """The shape of every weight."""
    return {name: tuple(weight.shape) for name, weight in model.state_dict().items()}


def read_weights(
    location: ModelLocation,
    expected: Callable[[set[str]], tuple[Shapes, Shapes]],
    full_names: Callable[[set[str]], dict[str, str]] | None = None,
    is_spare: Callable[[str], bool] = lambda name: False,
) -> tuple[dict[str, Tensor], list[str]]:
    """The weights of a folder as float32, after checking their shapes; and names left out.

    `expected` maps the names in the file to the shapes that are required or allowed; `full_names`
    completes them first. What the network has no place for is left out if it `is_spare`. Half
    precision is converted weight by weight, so that a model is never in memory twice.

    Raises:
        CheckpointError: no file, a damaged one, or weights that are missing, unexpected or of the
        wrong shape; one message lists them all.
    """
    path = next((p for name in hub.ANY_WEIGHTS if (p := location.folder / name).exists()), None)
    if path is None:
        told = f"{location.name} has neither {hub.WEIGHTS} nor {hub.PICKLED}, nor an index of such."
        raise CheckpointError(f"{told} {kinds.of_weights(location.folder)}".rstrip())
    where = f"{location.name}/{path.name}"
    opened = _OPENERS[path.name](path, where)
    found = opened.shapes
    originals = full_names({*found}) if full_names else {name: name for name in found}
    shapes = {name: found[original] for name, original in originals.items()}
    needed, allowed = expected(set(shapes))
    unknown = _compared(shapes, needed, allowed, where, is_spare)
    if unknown:
        log.warning("The network has no place for %s in %s; left out.", listed(unknown), where)
    kept = {name: original for name, original in originals.items() if name not in unknown}
    return dict(_read(kept, opened, where)), unknown


def read_file(path: Path, where: str) -> dict[str, Tensor]:
    """All weights of one file as float32, whatever their names and shapes.

    Raises:
        CheckpointError: as `read_weights`.
    """
    opened = (_open if path.suffix == ".safetensors" else _open_pickled)(path, where)
    return dict(_read({name: name for name in opened.shapes}, opened, where))


def _compared(
    shapes: Shapes, needed: Shapes, allowed: Shapes, where: str, is_spare: Callable[[str], bool]
) -> list[str]:
    """The weights that are left out, if all others have the shapes that are needed or allowed.

    Raises:
        CheckpointError: they have not; one message lists all that does not fit.
    """
    known = {**needed, **allowed}
    unknown = sorted(shapes.keys() - known.keys())
    problems = {
        "missing": sorted(needed.keys() - shapes.keys()),
        "unexpected": unknown,
        "of another shape": [
            f"{name} is {shapes[name]}, expected {known[name]}"
            for name in sorted(shapes.keys() & known.keys())
            if shapes[name] != known[name]
        ],
    }
    if [what for what, names in problems.items() if names] in ([], ["unexpected"]) and all(
        map(is_spare, unknown)
    ):
        return unknown
    sentences = [
        f"{len(names)} {what}: {listed(names)}" for what, names in problems.items() if names
    ]
    raise CheckpointError(
        f"The weights in {where} do not fit the config. {'; '.join(sentences)}. Download both "
        "again, from the same place."
    )


def _read(originals: dict[str, str], opened: _Opened, where: str) -> Iterator[tuple[str, Tensor]]:
    """The weights, each in memory of its own; the largest first, while there is most room."""
    done = 0
    by_size = sorted(originals.items(), key=lambda names: -math.prod(opened.shapes[names[1]]))
    for name, original in by_size:
        weight = _checked(name, opened.read(original), where)
        done += weight.nbytes
        own = by_columns(weight) if is_too_large(weight) else weight.to(torch.float32, copy=True)
        yield name, own
        tell_read(done, opened.size)


def _checked(name: str, weight: Tensor, where: str) -> Tensor:
    """The weight, unless it is of a quantised model, infinite or none."""
    if weight.dtype not in _PRECISIONS:
        what = "numbers of 8 bits or less" if weight.is_floating_point() else "whole numbers"
        raise CheckpointError(
            f"{name} in {where} holds {what} ({str(weight.dtype).removeprefix('torch.')}), as a "
            "quantised model does; expected floating point. Give the model before it was quantised."
        )
    if weight.numel() and not torch.stack(weight.aminmax()).isfinite().all():
        raise CheckpointError(
            f"{name} in {where} holds something that is not a finite number. Copy or download "
            "the file again."
        )
    return weight


def listed(names: Sequence[str]) -> str:
    """The first names, so that a message stays a sentence."""
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(name[:120] for name in names[:NAMED]) + more


class _Opened(NamedTuple):
    """The shapes of the weights in some files, what reads one of them, and the files' bytes."""

    shapes: Shapes
    read: Callable[[str], Tensor]
    size: int


def _open(path: Path, where: str) -> _Opened:
    try:
        _check_header(path, where)
        file = safetensors.safe_open(path, framework="pt")  # checks its header against its length
        shapes = {name: tuple(file.get_slice(name).get_shape()) for name in file.keys()}  # noqa: SIM118
    except (OSError, ValueError, safetensors.SafetensorError) as error:
        _refuse_kind(path, where, "safetensors")
        raise CheckpointError(
            f"{where} is damaged or was not copied to its end ({reason(error)}). Copy or "
            "download it again."
        ) from error
    del file  # opened again for each weight: what was read would else stay in memory with the file

    stamp = _stamp(path)

    def read(name: str) -> Tensor:
        weight: Tensor = safetensors.safe_open(path, framework="pt").get_tensor(name)
        if _stamp(path) != stamp:  # else the weights of two models would be mixed
            raise CheckpointError(f"{where} was replaced while it was read. Open the model again.")
        return weight

    return _Opened(shapes, read, path.stat().st_size)


def _stamp(path: Path) -> tuple[int, int, int]:
    """What tells whether a file is still the same."""
    found = path.stat()
    return found.st_ino, found.st_mtime_ns, found.st_size


def _check_header(path: Path, where: str) -> None:
    """Refuse a header that names far too many weights before anything is built from it."""
    with path.open("rb") as file:
        size = int.from_bytes(file.read(8), "little")
        if size > path.stat().st_size:
            return  # damaged, as safetensors will tell
        count = len(json.loads(file.read(size))) if size <= MAX_HEADER else MAX_WEIGHTS + 1
    if count > MAX_WEIGHTS:
        _refuse_kind(path, where, "safetensors")
        raise CheckpointError(
            f"{where} names too many weights (a header of {size:,} bytes); expected at most "
            f"{MAX_WEIGHTS:,}. It is no model that Headlight opens."
        )


def _refuse_kind(path: Path, where: str, form: str) -> None:
    """Refuse a file that is another thing than weights of this form; say which."""
    kind = kinds.of_file(path)
    if kind is None or form in kind.what:
        return
    if kind.group == "weights" and not kind.step:
        name = next((name for own, name in _NAMES.items() if own in kind.what), None)
        fits = name and path.name in _NAMES.values()
        kind = kind._replace(step=f"Name it {name}." if fits else kinds.OTHER)
    raise CheckpointError(kind.sentence(where, f"weights ({form})"))


def _open_shards(path: Path, where: str) -> _Opened:
    """Open weights in several files next to each other, as listed in an index."""
    try:
        if path.stat().st_size > MAX_INDEX:
            raise ValueError("too large")
        files = json.loads(path.read_text("utf-8"))["weight_map"]
        pairs = [(str(name), str(file)) for name, file in files.items()]
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        if kinds.of_file(path):
            raise CheckpointError(kinds.instead(path, "JSON")) from None
        raise CheckpointError(f"{where} is damaged; copy or download it again.") from error
    shard, example, opener = _SHARDS[path.name]
    shapes: Shapes = {}
    readers: dict[str, Callable[[str], Tensor]] = {}
    size = 0
    for file in sorted({file for _, file in pairs}):
        if not shard.fullmatch(file):  # it is untrusted and must not become a path
            raise CheckpointError(
                f"{where} names a file {quote(file)}; expected names such as {example}. Copy or "
                "download it again."
            )
        if not path.with_name(file).exists():
            raise CheckpointError(f"{where} names {file}, which is not there. Copy or download it.")
        opened = opener(path.with_name(file), where.replace(path.name, file))
        shapes |= opened.shapes
        readers |= dict.fromkeys(opened.shapes, opened.read)
        size += opened.size
    missing = sorted(name for name, _ in pairs if name not in readers)
    if missing:
        raise CheckpointError(
            f"The files that {where} names do not hold {listed(missing)}. Copy or download them "
            "again."
        )
    return _Opened(shapes, lambda name: readers[name](name), size)


def _open_pickled(path: Path, where: str) -> _Opened:
    """Read an old pickled file without running any code in it.

    Its numbers stay in the file until one of its weights is read, but for the oldest form.
    """
    try:
        is_zip = zipfile.is_zipfile(path)
        if is_zip:
            with zipfile.ZipFile(path) as archive:
                # torch stores without compressing; a small file that expands is an attack.
                if any(entry.compress_type != zipfile.ZIP_STORED for entry in archive.infolist()):
                    raise ValueError("it is compressed")
        weights = torch.load(path, map_location="cpu", weights_only=True, mmap=is_zip)
        shapes = {}
        for name, weight in weights.items():
            stored = weight.untyped_storage().nbytes()
            if weight.layout != torch.strided or weight.numel() * weight.itemsize > stored:
                raise ValueError(f"{name} is not a plain tensor")  # a view can claim any size
            shapes[str(name)] = tuple(weight.shape)
    except Exception as error:  # unpickling a damaged or hostile file can raise anything
        _refuse_kind(path, where, "pickle")
        raise CheckpointError(
            f"{where} is damaged, or holds more than weights, and was not opened "
            f"({type(error).__name__}). Use a {hub.WEIGHTS} instead."
        ) from error
    return _Opened(shapes, weights.pop, path.stat().st_size)


_NAMES = {"safetensors": hub.WEIGHTS, "pickle": hub.PICKLED}  # of whole weights, by their form
_SHARDS = {
    hub.INDEX: (hub.SHARD, "model-00001-of-00002.safetensors", _open),
    hub.PICKLED_INDEX: (hub.PICKLED_SHARD, "pytorch_model-00001-of-00002.bin", _open_pickled),
}
_OPENERS = {hub.WEIGHTS: _open, hub.PICKLED: _open_pickled, **dict.fromkeys(_SHARDS, _open_shards)}
