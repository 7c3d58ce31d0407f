"""A wrong file is named for what it is, with the next step: for data and for models."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
from pathlib import Path

import numpy as np
import pytest
import torch

from model import checkpoint, evaluate, hub, train, translate
from model.errors import CheckpointError, HeadlightError
from model.text import kinds
from model.training import corpus
from tests import tiny

PAIRS = "I am here.\t我在这。\nYou.\t你。\n"
LFS = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"
PAGE = "\n<!DOCTYPE html>\n<html><head><title>404\tNot found</title>"


def zipped(*names: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name in names:
            archive.writestr(name, "x" * 10)
    return file.getvalue()


def packed_by(form: str) -> bytes:
    file = io.BytesIO()
    if form == "tar":
        with tarfile.open(fileobj=file, mode="w") as archive:
            archive.addfile(tarfile.TarInfo("pairs.tsv"))
    elif form == "npz":
        np.savez(file, Wemb=np.zeros(3))
    else:
        torch.save({"a": torch.zeros(2)}, file, _use_new_zipfile_serialization=form == "torch")
    return file.getvalue()


WRONG = {  # name: (content, what it is, what to do)
    "pairs.tsv.gz": (gzip.compress(PAIRS.encode()), "packed with gzip", "Unpack it"),
    "pairs.tsv": (bz2.compress(PAIRS.encode()), "packed with bzip2", "Unpack it"),
    "pairs.xz": (lzma.compress(PAIRS.encode()), "packed with xz", "Unpack it"),
    "pairs.zst": (b"\x28\xb5\x2f\xfd\x00", "packed with zstd", "Unpack it"),
    "pairs.zip": (zipped("en-zh.en", "en-zh.zh"), "a zip archive", "Unpack it"),
    "pairs.tar": (packed_by("tar"), "a tar archive", "Unpack it"),
    "pairs.xlsx": (zipped("[Content_Types].xml", "xl/workbook.xml"), "Excel", "Save it as UTF-8"),
    "pairs.docx": (zipped("word/document.xml"), "a Word document", "Save it as UTF-8"),
    "pairs.pdf": (b"%PDF-1.7 ...", "a PDF", "Save it as UTF-8"),
    "pairs.tmx": (b'<?xml version="1.0"?>\n<tmx version="1.4">', "TMX", "Write its pairs as lines"),
    "pairs.xml": (b"<?xml version='1.0'?>\n<pairs>", "an XML file", "Write its pairs as lines"),
    "pairs.jsonl": (b'{"en": "You.", "zh": "\xe4\xbd\xa0"}\n', "JSON", "Write its pairs as lines"),
    "pairs.json": (b'[\n  ["You.", "X"]\n]', "JSON", "Write its pairs as lines"),
    "utf16": (PAIRS.encode("utf-16"), "text in UTF-16", "Save it as UTF-8"),
    "utf16le": ("Where is it?\tHier.\n".encode("utf-16-le"), "text in UTF-16", "Save it as UTF-8"),
    "utf32": (PAIRS.encode("utf-32"), "text in UTF-32", "Save it as UTF-8"),
    "page.tsv": (PAGE.encode(), "a web page", "download the file itself"),
    "lfs.tsv": (LFS.encode(), "a pointer of Git LFS", "git lfs pull"),
    "m.npz": (packed_by("npz"), "the original Marian", "Convert it"),
    "m.pt": (packed_by("torch"), "a file of PyTorch", "--model"),
    "m.bin": (packed_by("pickle"), "a pickle of Python", "--model"),
    "m.gguf": (b"GGUF\x03\x00", "llama.cpp", "--model"),
    "m.onnx": (b"\x08\x07\x12\x04tf2o", "ONNX", "--model"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_file_of_pairs(name: str, tmp_path: Path) -> None:
    raw, what, step = WRONG[name]
    folder = tmp_path / ("long " * 30)
    folder.mkdir()
    (folder / name).write_bytes(raw)
    with pytest.raises(HeadlightError) as caught:
        corpus.read_pairs(folder / name)
    told = str(caught.value)
    assert what in told and step in told and name in told
    assert len(told) <= 300


@pytest.mark.parametrize("text", ["<b>\tx\n", "{\tx\n", '"a"\tb\n', "[1] I\tyou\n", "BZ\ty\n"])
def test_lines_that_only_look_like_something_else_are_pairs(text: str, tmp_path: Path) -> None:
    (tmp_path / "pairs.tsv").write_text(text)
    assert len(corpus.read_pairs(tmp_path / "pairs.tsv")) == 1


def test_the_commands_end_with_that_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = WRONG["pairs.tsv.gz"][0]
    file = tmp_path / "pairs.tsv.gz"
    file.write_bytes(raw)
    assert train.main(["--data", str(file), "--out", str(tmp_path / "run")]) == 2
    assert evaluate.main(["--data", str(file)]) == 2
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(raw)))
    assert translate.main([]) == 2
    told = capsys.readouterr().err
    assert told.count("packed with gzip") == 3 and "The input is packed" in told


FOLDERS = {  # files: what is told
    ("model.npz", "decoder.yml"): "the original Marian. Convert it",
    ("best.npz",): "the original Marian. Convert it",
    ("source.spm", "vocab.json"): "only a tokenizer",
    ("model.safetensors", "source.spm"): "Copy config.json beside them",
    ("m.gguf",): "llama.cpp (GGUF). Give the same model in the form of transformers",
    ("m.onnx", "tokenizer.json"): "a model for ONNX",
    ("m.pt",): "a file of PyTorch",
    ("pairs.zip",): "Unpack it",
    ("en-de/config.json",): "in its folder en-de; give that",
    ("TrainConfig.json",): "a run of training",
    (): "It is empty",
    ("notes.txt",): "Give a folder with a model in it",
}


@pytest.mark.parametrize("names", FOLDERS, ids=str)
def test_a_folder_without_a_model(names: tuple[str, ...], tmp_path: Path) -> None:
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(WRONG.get(name, (b"x",))[0])
    for check in (checkpoint.load, hub.check):
        with pytest.raises(CheckpointError) as caught:
            check(str(tmp_path))
        assert FOLDERS[names] in str(caught.value) and "config.json" in str(caught.value)
        assert str(tmp_path) not in str(caught.value) and len(str(caught.value)) <= 300


@pytest.mark.parametrize("name", ["m.gguf", "m.npz", "m.pt", "pairs.zip", "page.tsv"])
def test_a_file_in_place_of_a_folder(name: str, tmp_path: Path) -> None:
    raw, what, _ = WRONG[name]
    (tmp_path / name).write_bytes(raw)
    with pytest.raises(CheckpointError, match="give the folder") as caught:
        checkpoint.load(str(tmp_path / name))
    assert what in str(caught.value)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["page.tsv", "lfs.tsv", "pairs.tsv.gz"])
@pytest.mark.parametrize("part", ["config.json", "model.safetensors", "source.spm", "vocab.json"])
def test_a_part_of_a_model_is_another_file(name: str, part: str, tmp_path: Path) -> None:
    folder = tiny.write_marian(tmp_path / "marian") if part == "vocab.json" else None
    folder = folder or tiny.write_own(tmp_path / "own", paired=True)
    (folder / part).write_bytes(WRONG[name][0])
    with pytest.raises(CheckpointError) as caught:
        checkpoint.load(folder)
    told = str(caught.value)
    assert part in told and WRONG[name][1] in told and WRONG[name][2] in told


def test_ordinary_files_are_of_no_kind(tmp_path: Path) -> None:
    tiny.write_marian(tmp_path)
    for path in tmp_path.iterdir():
        if path.suffix != ".safetensors":
            assert kinds.of_file(path) is None, path
    assert kinds.of_file(tmp_path) is None
