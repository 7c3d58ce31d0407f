"""What a wrong file is, and what to do with it: by its first bytes, not by its name.

Corpora come packed, models come in the forms of other programs, and a failed download leaves a web
page under the name of the file.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Literal, NamedTuple

from model.errors import reason

Group = Literal["packed", "document", "weights", "encoding", "markup", "page", "pointer"]
START = 4_096  # bytes of a file that are looked at
_LONGEST = 90  # characters of a path in a message

PAIRS = "lines of source <tab> target"
MODEL = "a folder with config.json, weights and tokenizer"
_CONVERT = "Convert it for transformers: convert_marian_to_pytorch.py of transformers 4."
_STEPS: dict[Group, str] = {
    "packed": "Unpack it and give what is inside.",
    "document": "Save it as UTF-8 text with a tab between the columns.",
    "weights": "Models are given by --model, as folders in the form of transformers.",
    "encoding": "Save it as UTF-8.",
    "markup": "Write its pairs as lines, with a tab between source and target.",
    "page": "A site sent it in place of the file; download the file itself.",
    "pointer": "Fetch the file itself: git lfs pull.",
}
# In place of a part of a model: what fits a file of pairs does not fit it.
_PART = "Something else has its name; download the file itself."


class Kind(NamedTuple):
    """What a file is; `step` is what to do if the group's advice does not fit."""

    what: str
    group: Group
    step: str = ""

    def sentence(self, name: object, expected: str) -> str:
        """A message of at most 300 characters."""
        fits = expected == PAIRS or self.group in ("packed", "page", "pointer")
        step = self.step or (_STEPS[self.group] if fits else _PART)
        return f"{short(name)} is {self.what}; expected {expected}. {step}"


_MARIAN = Kind("a model of the original Marian (.npz)", "weights", _CONVERT)
_SIGNS: tuple[tuple[bytes, Kind], ...] = (
    (b"\x1f\x8b", Kind("packed with gzip", "packed")),
    (b"BZh", Kind("packed with bzip2", "packed")),
    (b"\xfd7zXZ\x00", Kind("packed with xz", "packed")),
    (b"\x28\xb5\x2f\xfd", Kind("packed with zstd", "packed")),
    (b"7z\xbc\xaf\x27\x1c", Kind("a 7z archive", "packed")),
    (b"Rar!", Kind("a rar archive", "packed")),
    (b"%PDF", Kind("a PDF document", "document")),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", Kind("an old Word or Excel document", "document")),
    (b"{\\rtf", Kind("an RTF document", "document")),
    (b"PAR1", Kind("a Parquet table", "document")),
    (b"SQLite format 3", Kind("an SQLite database", "document")),
    (b"\x89PNG", Kind("a picture", "document")),
    (b"\xff\xd8\xff", Kind("a picture", "document")),
    (b"GGUF", Kind("a model for llama.cpp (GGUF)", "weights")),
    (b"\x89HDF", Kind("weights of TensorFlow (HDF5)", "weights")),
    (b"\x93NUMPY", Kind("an array of NumPy", "weights")),
    (b"\x80\x02", Kind("a pickle of Python, such as weights of PyTorch", "weights")),
    (b"\x80\x03", Kind("a pickle of Python", "weights")),
    (b"\x80\x04", Kind("a pickle of Python", "weights")),
    (b"\xff\xfe\x00\x00", Kind("text in UTF-32", "encoding")),
    (b"\xff\xfe", Kind("text in UTF-16", "encoding")),
    (b"\xfe\xff", Kind("text in UTF-16", "encoding")),
    (b"version https://git-lfs", Kind("a pointer of Git LFS", "pointer")),
)
_INSIDE = (  # a part of a name in a zip archive
    ("word/", Kind("a Word document (docx)", "document")),
    ("xl/", Kind("an Excel sheet (xlsx)", "document")),
    ("ppt/", Kind("a PowerPoint file (pptx)", "document")),
    ("content.xml", Kind("an OpenDocument file", "document")),
    (".npy", _MARIAN),
    ("model.weights.h5", Kind("a model of Keras", "weights")),
    ("constants.pkl", Kind("a program of TorchScript", "weights")),
    ("data.pkl", Kind("a file of PyTorch (pickle)", "weights")),
)
_MARKUP = (
    ("<!doctype html", Kind("a web page", "page")),
    ("<html", Kind("a web page", "page")),
    ("<tmx", Kind("a translation memory (TMX)", "markup")),
    ("<xliff", Kind("an XLIFF file", "markup")),
    ("<?xml", Kind("an XML file", "markup")),
    ("<error>", Kind("an XML file", "markup")),  # the answer of a storage bucket
)
# What sites answer where a file is not there, or not for everybody.
_ANSWERS = re.compile(
    r"(?:404:? )?(?:entry |repository |page |file )?not found|(?:401:? )?unauthorized|"
    r"(?:403:? )?forbidden|access denied|invalid username or password|"
    r'\{\s*"(?:error|message)"\s*:\s*"[^"]*".*\}',
    re.DOTALL,
)
_ONNX = re.compile(rb"\x08[\x03-\x0f][\x12:B]")  # its version, then its producer, graph or rules
_ENDINGS = {  # without a sign of their own
    ".onnx": Kind("a model for ONNX", "weights"),
    ".tflite": Kind("a model for TensorFlow Lite", "weights"),
    ".msgpack": Kind("weights of Flax", "weights"),
}


def short(name: object) -> str:
    """A path for a message: its end, if it is long, and no folder of the machine."""
    absolute = isinstance(name, Path) and name.is_absolute()
    text = "/".join(name.parts[-2:]) if isinstance(name, Path) and absolute else str(name)
    return text if len(text) <= _LONGEST else f"...{text[3 - _LONGEST :]}"


def title(folder: Path) -> str:
    """The name of a model's folder; in the Hub's cache, where that is a commit, the model's."""
    cache = folder.parent.parent.name if folder.parent.name == "snapshots" else ""
    return cache[8:].replace("--", "/") if cache.startswith("models--") else folder.name


def of(raw: bytes, name: str = "") -> Kind | None:
    """The kind of a file that is not plain text or JSON in UTF-8; None for those and unknown ones.

    `raw` is the file, or its beginning; then an archive is just an archive.
    """
    head = raw[:START]
    if head.startswith(b"PK\x03\x04"):
        return _in_archive(io.BytesIO(raw), head)
    if head[257:262] == b"ustar":
        return Kind("a tar archive", "packed")
    for sign, kind in _SIGNS:
        if head.startswith(sign):
            return kind
    if head[8:10] == b'{"' and not any(head[5:8]):
        return Kind("weights (safetensors)", "weights")
    if _ONNX.match(head):
        return _ENDINGS[".onnx"]
    if head[4:8] == b"TFL3":
        return _ENDINGS[".tflite"]
    if ending := _ENDINGS.get(Path(name).suffix):
        return ending
    if head.count(0) > len(head) / 4:
        return Kind("text in UTF-16", "encoding") if _alternates(head) else None
    given = head.decode("utf-8", errors="ignore").strip("\ufeff \r\n\t")
    text = given.lower()
    if text.startswith(tuple(sign for sign, _ in _MARKUP)):  # <?xml ...> is behind those it holds
        return next(kind for sign, kind in _MARKUP if sign in text)
    if len(raw) < START and _ANSWERS.fullmatch(text.rstrip(".")):
        return Kind(f'the answer "{given[:40]}" of a site', "page")
    return None


def of_pairs(raw: bytes, name: str = "") -> Kind | None:
    """The same for a file of pairs, which is no JSON either."""
    first = raw.split(b"\n", 1)[0]
    try:
        is_json = first.lstrip()[:1] in (b"{", b"[") and isinstance(json.loads(first), (dict, list))
    except ValueError:
        is_json = first.strip() in (b"{", b"[")
    return Kind("JSON", "markup") if is_json else of(raw, name)


def of_file(path: Path) -> Kind | None:
    """The kind of a regular file; None too if it cannot be read."""
    try:
        if not path.is_file():
            return None
        with path.open("rb") as file:
            head = file.read(START)
        if not head:
            return Kind("empty", "page", "Copy or download it again.")
        is_archive = head.startswith(b"PK\x03\x04")
        return _in_archive(path, head) if is_archive else of(head, path.name)
    except OSError:
        return None


def instead(path: Path, expected: str, error: BaseException | None = None) -> str:
    """Why a part of a model cannot be read: what else it is, or what its reader said."""
    name = f"{title(path.parent)}/{path.name}"
    if kind := of_file(path):
        return kind.sentence(name, expected)
    told = f" ({reason(error) or type(error).__name__})" if error else ""
    return (
        f"{name} cannot be read as {expected}{told}; it may not have been copied to its end. Copy "
        "or download it again."
    )


def of_folder(folder: Path) -> str:
    """Why a folder without config.json is no model, and what to do; empty if nothing tells."""
    names = sorted(entry.name for entry in folder.iterdir())
    endings = {Path(name).suffix for name in names}
    if not names:
        return "It is empty."
    if "decoder.yml" in names or ".npz" in endings:
        return f"It has a model of the original Marian. {_CONVERT}"
    if "TrainConfig.json" in names:
        return "It is a run of training; its model is the folder model in it."
    for name in names:
        if (folder / name / "config.json").is_file():
            return f"There is one in its folder {short(name)}; give that."
    if not {*names}.isdisjoint(_WEIGHTS):
        return "It has weights. Copy config.json beside them."
    for name in names:
        kind = of_file(folder / name)
        if kind and kind.group in ("packed", "weights"):
            step = kind.step or (_STEPS["packed"] if kind.group == "packed" else OTHER)
            return f"Its {short(name)} is {kind.what}. {step}"
    if endings & {".spm", ".model"} or {"vocab.json", "tokenizer.json"} & {*names}:
        return "It has only a tokenizer; copy config.json and the weights beside it."
    return ""


def of_weights(folder: Path) -> str:
    """Which other weights a folder has, and what to do; empty if there are none."""
    for path in sorted(folder.iterdir()):
        kind = of_file(path)
        if kind and kind.group == "weights":
            return f"Its {short(path.name)} is {kind.what}. {kind.step or OTHER}"
    return ""


_WEIGHTS = ("model.safetensors", "pytorch_model.bin")
OTHER = "Give the same model in the form of transformers."


def _in_archive(file: io.BytesIO | Path, head: bytes) -> Kind:
    try:
        with zipfile.ZipFile(file) as archive:
            names: Iterable[str] = archive.namelist()[:1_000]
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        names = (head.decode("latin-1"),)  # cut off: the list is at the end, the first name here
    for part, kind in _INSIDE:
        if any(part in name for name in names):
            return kind
    return Kind("a zip archive", "packed")


def _alternates(head: bytes) -> bool:
    """True if nearly every other byte is 0, as in Latin text in UTF-16."""
    return any(head[i::2].count(0) > 0.8 * len(head[i::2]) for i in (0, 1))
