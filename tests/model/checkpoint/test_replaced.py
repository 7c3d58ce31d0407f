"""Files of a model in whose place something else was saved: each is named, by the same words."""

from __future__ import annotations

import io
import json
import struct
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from safetensors.torch import save

from model.checkpoint import load, weights
from model.errors import CheckpointError
from tests.tiers import each

INSTEAD = {  # what is there: what it is called, what to do
    f"version https://git-lfs.github.com/spec/v1\noid sha256:{'a' * 64}\nsize 17331176\n": (
        "a pointer of Git LFS", "git lfs pull",
    ),
    "<!doctype html>\n<html><title>404</title>": ("a web page", "download the file itself"),
    "Entry not found": ('the answer "Entry not found" of a site', "download the file itself"),
    '{"error": "Invalid username or password."}': (
        'the answer "{"error": "Invalid', "download the file itself",
    ),
    "": ("empty", "Copy or download it again"),
    "<Error><Code>AccessDenied</Code></Error>": ("an XML file", "download the file itself"),
    '<?xml version="1.0"?>\n<Error><Code>NoSuchKey</Code>': (
        "an XML file", "download the file itself",
    ),
}  # fmt: skip
FILES = [
    ("bart", "vocab.json"), ("bart", "merges.txt"), ("blenderbot small", "merges.txt"),
    ("blenderbot small", "vocab.json"), ("nllb", "tokenizer.json"), ("t5", "spiece.model"),
    ("mbart-50", "sentencepiece.bpe.model"), ("m2m100", "vocab.json"), ("t5", "config.json"),
    ("chinese bart", "vocab.txt"), ("codet5", "added_tokens.json"), ("t5", "tokenizer_config.json"),
    ("bart", "special_tokens_map.json"), ("bart", "model.safetensors"),
    ("madlad", "model.safetensors.index.json"), ("bart", "generation_config.json"),
    ("marian", "source.spm"), ("marian", "vocab.json"), ("marian", "tokenizer_config.json"),
]  # fmt: skip


@each(("name", "file"), FILES, 19)
def test_what_stands_in_place_of_a_file_is_named(
    tmp_path: Path, copy: Callable[[str], Path], name: str, file: str
) -> None:
    folder = copy(name)
    for text, (what, step) in INSTEAD.items():
        (folder / file).write_text(text, "utf-8")
        with pytest.raises(CheckpointError) as caught:
            load(folder)
        told = str(caught.value)
        assert f"{file} is {what}" in told and step in told, told
        assert len(told) <= 300 and str(tmp_path) not in told


def scripted() -> bytes:
    """A model of torch that was compiled."""
    file = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        torch.jit.save(torch.jit.script(torch.nn.Linear(2, 2)), file)
    return file.getvalue()


def pickled() -> bytes:
    file = io.BytesIO()
    torch.save({"a": torch.zeros(2)}, file)
    return file.getvalue()


def zipped(name: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(name, "{}")
    return file.getvalue()


# Weights in another form than their name says, by the first bytes that each form prescribes.
FORMS: dict[str, tuple[Callable[[], bytes], str, str]] = {
    "gguf": (lambda: b"GGUF" + struct.pack("<IQQ", 3, 5, 2), "a model for llama.cpp (GGUF)", ""),
    "onnx": (lambda: b"\x08\x08\x12\x07pytorch\x1a\x032.1:", "a model for ONNX", ""),
    "onnx by hand": (lambda: b"\x08\x0a:\x82\x01\x0a\x05Gemm", "a model for ONNX", ""),
    "tflite": (lambda: b"\x1c\0\0\0TFL3\x14\0 \0", "a model for TensorFlow Lite", ""),
    "h5": (lambda: b"\x89HDF\r\n\x1a\n" + bytes(40), "weights of TensorFlow (HDF5)", ""),
    "keras": (lambda: zipped("model.weights.h5"), "a model of Keras", ""),
    "torchscript": (scripted, "a program of TorchScript", ""),
    "zip": (lambda: zipped("notes.txt"), "a zip archive", "Unpack it"),
    "pickle": (pickled, "a file of PyTorch (pickle)", "Name it pytorch_model.bin"),
    "safetensors": (
        lambda: save({"a": torch.zeros(2)}), "weights (safetensors)", "Name it model.safetensors",
    ),
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("file", ["model.safetensors", "pytorch_model.bin"])
def test_weights_in_another_form_are_named(
    tmp_path: Path, copy: Callable[[str], Path], form: str, file: str
) -> None:
    folder = copy("bart")
    (folder / "model.safetensors").unlink()
    content, what, step = FORMS[form]
    (folder / file).write_bytes(content())
    with pytest.raises(CheckpointError) as caught:
        load(folder)
    told = str(caught.value)
    if f"Name it {file}" == step:  # it has its own name, and other weights than the model
        assert "do not fit the config" in told or "is damaged" in told
        return
    assert f"{file} is {what}; expected weights (" in told, told
    assert (step or "Give the same model in the form of transformers") in told
    assert len(told) <= 300 and str(tmp_path) not in told


@pytest.mark.parametrize("value", [5, "ab", None, {"a": 1}])
def test_special_tokens_that_are_no_list_are_no_traceback(
    copy: Callable[[str], Path], value: object
) -> None:
    folder = copy("bart")
    (folder / "special_tokens_map.json").write_text(
        json.dumps({"additional_special_tokens": value})
    )
    assert load(folder).tokenizer.encode_source("a b").ids.tolist()[0] == 0


def test_a_file_that_is_replaced_while_it_is_read_is_no_mixed_model(
    copy: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when a training saves its next weights, or a download is repeated."""
    path = copy("bart") / "model.safetensors"
    checked, kept = weights._checked, path.read_bytes()

    def replaced(name: str, weight: torch.Tensor, where: str) -> torch.Tensor:
        if not path.with_name("old").exists():
            path.rename(path.with_name("old"))
            path.write_bytes(kept)
        return checked(name, weight, where)

    monkeypatch.setattr(weights, "_checked", replaced)
    with pytest.raises(CheckpointError, match=r"model\.safetensors was replaced while it was read"):
        load(path.parent)
    assert load(path.parent).model  # by then it is whole


LOST = {"\n": "0 of", "#version: 0.2\n": "0 of", "#version: 0.2\na b\n": "merges for"}


@pytest.mark.parametrize("text", LOST)
@pytest.mark.parametrize("name", ["bart", "blenderbot small", "codet5", "nllb"])
def test_lost_merges_are_no_letters(copy: Callable[[str], Path], name: str, text: str) -> None:
    """Without them every word would be cut into letters, and the model would write nonsense."""
    folder = copy(name)
    file = "tokenizer.json" if name == "nllb" else "merges.txt"
    if name == "nllb":
        values = json.loads((folder / file).read_text("utf-8"))
        values["model"]["merges"] = values["model"]["merges"][: len(text) // 15]
        (folder / file).write_text(json.dumps(values), "utf-8")
    else:
        (folder / file).write_text(text, "utf-8")
    with pytest.raises(CheckpointError) as caught:
        load(folder)
    assert f"{file} has merges for" in str(caught.value)
    assert "cut into letters" in str(caught.value) and LOST[text] in str(caught.value)
