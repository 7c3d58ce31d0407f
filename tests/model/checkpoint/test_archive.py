"""An explanation in one file: what numpy reads there is the record's, and it loads again."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from model.checkpoint import archive
from model.config import UNTOUCHED, DecodeConfig, Interventions
from model.errors import InputError
from model.explain import Explainer
from model.trace import Explanation

TEXT = "I am a small frog. 😀"


@pytest.fixture
def explanation(explainer: Explainer) -> Explanation:
    changed = Interventions(heads_off=(("cross", 0, 1),), cells=(("cross", 0, 1, False),))
    config = DecodeConfig(beam_size=3, max_length=12, no_repeat=1)
    first = explainer.tokenizer.encode_target("我").ids.tolist()
    return explainer.explain(TEXT, config, interventions=changed, shown=1, prefix=first)


def same(one: object, other: object) -> bool:
    if isinstance(one, np.ndarray):
        assert isinstance(other, np.ndarray) and one.dtype == other.dtype
        np.testing.assert_array_equal(one, other)
        return True
    if type(one) is tuple:
        return len(one) == len(other) and all(map(same, one, other))  # type: ignore[arg-type]
    if hasattr(one, "__dataclass_fields__"):
        assert type(one) is type(other)
        names = [field.name for field in fields(one) if field.name != "explainer"]
        return all(same(getattr(one, name), getattr(other, name)) for name in names)
    assert one == other
    return True


def test_it_loads_as_it_was(explanation: Explanation, tmp_path: Path) -> None:
    found = archive.load(explanation.save(tmp_path / "x.npz"))
    assert same(explanation, found) and found.explainer is None
    assert any(step.forbidden for step in found.search.steps), "no rule forbade: a poor example"
    other = replace(explanation, interventions=UNTOUCHED)  # the trace keeps its own
    assert same(other, archive.load(other.save(tmp_path / "x.npz")))


def test_numpy_alone_reads_it_and_every_axis_has_a_name(
    explanation: Explanation, explainer: Explainer, tmp_path: Path
) -> None:
    trace = explanation.trace
    found = np.load(explanation.save(tmp_path / "x.npz"), allow_pickle=False)
    about = json.loads(str(found["about"]))
    labels, axes = about["labels"], about["axes"]
    assert set(axes) == set(found.files) - {"about"}
    sizes = {label: len(pieces) for label, pieces in labels.items()}
    sizes["step"] = sizes["read"]
    for name, named in axes.items():
        assert found[name].ndim == len(named), name
        for size, axis in zip(found[name].shape, named, strict=True):
            assert sizes.setdefault(axis, size) == size or axis in ("layer", "d_k"), (name, axis)
    assert (labels["read"], labels["written"]) == ([*trace.tgt_in.pieces], [*trace.tgt_out.pieces])
    assert axes["cross.weights"] == ["layer", "head", "step", "source"]
    assert axes["decoder_self.weights"] == ["layer", "head", "step", "read"]
    np.testing.assert_array_equal(found["cross.weights"], trace.cross.weights)
    steps = explanation.search.steps
    np.testing.assert_array_equal(
        found["search.totals"][found["search.step"] == 1], steps[1].totals
    )
    assert about["model"] == explainer.name


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"\x93NUMPY", b"text", None])
def test_another_file_is_one_sentence(content: bytes | None, tmp_path: Path) -> None:
    path = tmp_path / "x.npz"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError, match=r"x\.npz"):
        archive.load(path)
    np.savez(path, about=np.array(json.dumps({"format": "another"})))
    with pytest.raises(InputError, match=r"x\.npz is no explanation that this version saved"):
        archive.load(path)
    np.savez(path, about=np.array([{}], dtype=object))  # a pickle
    with pytest.raises(InputError, match=r"x\.npz is no explanation that this version saved"):
        archive.load(path)


def told(**changes: Any) -> Callable[[Path], None]:
    """A file whose JSON says something else."""

    def rewrite(path: Path) -> None:
        with np.load(path) as found:
            arrays = dict(found)
        about = {**json.loads(str(arrays["about"])), **changes}
        np.savez(path, **{**arrays, "about": np.array(json.dumps(about))})

    return rewrite


def member(content: bytes) -> Callable[[Path], None]:
    """A file with one array, whose bytes are given."""

    def rewrite(path: Path) -> None:
        with zipfile.ZipFile(path, "w") as archived:
            archived.writestr("about.npy", content)

    return rewrite


def flipped(mark: bytes, after: int, byte: int) -> Callable[[Path], None]:
    """A file with one byte changed, so many after the first mark of the ZIP format."""

    def rewrite(path: Path) -> None:
        content = bytearray(path.read_bytes())
        content[content.index(mark) + after] = byte
        path.write_bytes(content)

    return rewrite


def nested(path: Path) -> None:
    np.savez(path, about=np.array("[" * 100_000))


HEADER = b"\x93NUMPY\x01\x00\x10\x00{'descr': (      \n"
DAMAGED = {
    "zlib.error": flipped(b"PK\3\4", 60, 0xFF), "NotImplementedError": flipped(b"PK\1\2", 10, 99),
    "RecursionError": nested, "TokenError": member(HEADER), "IndexError": told(node=[0]),
    "a hypothesis that is not there": told(shown=9), "the last but one": told(shown=-1),
    "no number": told(shown="0"), "another path": told(path=[0]), "a text": told(prefix="12"),
}  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_file_is_one_sentence(
    damage: Callable[[Path], None], explanation: Explanation, tmp_path: Path
) -> None:
    damage(explanation.save(tmp_path / "x.npz"))
    with pytest.raises(InputError, match=r"x\.npz is no explanation that this version saved"):
        archive.load(tmp_path / "x.npz")


def test_what_the_system_refuses_is_said_in_its_words(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot be read or written \(Is a directory\)"):
        archive.load(tmp_path)


def test_a_folder_that_is_not_there_is_one_sentence(
    explanation: Explanation, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match="none"):
        explanation.save(tmp_path / "none" / "x.npz")
