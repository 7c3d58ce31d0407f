"""A session as a file: the same bytes there and back; the model says if its numbers are true."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from explorer.exchange.packing import pack, unpack
from explorer.session import Session, main
from model.config import METHODS, DecodeConfig, Interventions
from model.errors import HeadlightError, InputError
from model.explain import Explainer

TEXT = "I am a small frog. <b>"
STRANGE = (
    "我是一只小青蛙。",
    "🙂👩\u200d👩\u200d👧 and 🇨🇳",
    "שלום, אני צפרדע",
    "مرحبا a \u202eb",
    "é ﬁ \u2028x",
    '"\\</script>',
)

texts = st.sampled_from(STRANGE) | st.text(min_size=1, max_size=12).map(lambda t: f"a {t}")
configs = st.builds(
    DecodeConfig,
    method=st.sampled_from(METHODS),
    beam_size=st.integers(1, 4),
    length_penalty=st.floats(-5, 5),
    penalty_form=st.sampled_from(["average", "gnmt"]),
    temperature=st.floats(0.05, 20),
    top_k=st.integers(0, 50),
    top_p=st.floats(0.01, 1),
    seed=st.integers(0, 2**32 - 1),
    max_length=st.integers(1, 8),
    no_repeat=st.integers(0, 3),
)
changes = st.builds(
    Interventions,
    heads_off=st.sampled_from([(), (("cross", 1, 2),), (("encoder_self", 0, 0), ("cross", 2, 7))]),
    cross_off=st.sampled_from([(), (1,)]),
    padding=st.integers(0, 3),
    padding_mask=st.booleans(),
    causal_mask=st.booleans(),
    cells=st.sampled_from([(), (("cross", 0, 0, False),)]),
    scaling=st.booleans(),
    positions=st.sampled_from(["kept", "none", "shuffled", "shifted"]),
    shift=st.integers(0, 5),
)


@pytest.fixture(scope="module")
def session(explainer: Explainer) -> Session:
    return Session.of(explainer.explain(TEXT, DecodeConfig(beam_size=3, max_length=9), shown=1))


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=texts, config=configs, changed=changes)
@example(text=STRANGE[3], config=DecodeConfig(max_length=3), changed=Interventions())
def test_there_and_back_are_the_same_bytes(
    explainer: Explainer, text: str, config: DecodeConfig, changed: Interventions
) -> None:
    try:
        record = explainer.explain(text, config, interventions=changed)
    except InputError:  # such as a text of spaces
        return
    exported = Session.of(record).data
    loaded = Session.read(exported)
    assert loaded.data == exported
    assert loaded.request.text == record.text
    assert (loaded.request.config, loaded.request.interventions) == (record.config, changed)
    assert Session.of(loaded.explain(explainer)).data == exported


def test_a_file_is_the_same_bytes_too(session: Session, tmp_path: Path) -> None:
    path = session.save(tmp_path / "one.json")
    again = Session.load(path).save(tmp_path / "two.json")
    assert path.read_bytes() == again.read_bytes()
    spaced = json.dumps(session.document, indent=3, ensure_ascii=True)
    assert Session.read(spaced).data == session.data


def test_a_prefix_and_a_node_are_kept(explainer: Explainer) -> None:
    config = DecodeConfig(beam_size=2, max_length=6)
    prefix = explainer.explain(TEXT, config).trace.tgt_out.ids[:2].tolist()
    record = explainer.explain(TEXT, config, prefix=prefix, node=(3, 1))
    read = Session.read(Session.of(record).data)
    assert (read.request.prefix, read.request.node) == (tuple(prefix), (3, 1))
    assert Session.of(read.explain(explainer)).data == read.data


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    entries: list[tuple[Any, Any]] = []
    if isinstance(value, (dict, list)):
        entries = list(value.items() if isinstance(value, dict) else enumerate(value))
    return [path, *(found for key, one in entries for found in places(one, (*path, key)))]


def changed_at(value: Any, path: tuple[Any, ...], change: Callable[[Any], Any]) -> Any:
    whole = [copy.deepcopy(value)]
    inside: Any = whole
    for key in (0, *path)[:-1]:
        inside = inside[key]
    inside[(0, *path)[-1]] = change(inside[(0, *path)[-1]])
    return whole[0]


JUNK: list[Any] = [
    None, True, -1, 0, 1, 2, 5_000, 2**40, 10**400, 0.5, -1e-300, "", "x", "cross", "AAAA",
    "é" * 40, "x" * 40_000, [], [0], [[]], {}, {"text": 1}, [None] * 2_000,
    pack(np.zeros(3, np.int32)),
    "\ud800", "__import__('os').system('x')",
]  # fmt: skip


@pytest.mark.slow
def test_whatever_is_changed_is_refused_in_one_sentence_or_the_models(
    explainer: Explainer, session: Session
) -> None:
    """Wherever something is put in its place, the model is asked, and its answer is compared."""
    whole, refused = session.document, 0

    @settings(max_examples=100, suppress_health_check=list(HealthCheck))
    @given(st.sampled_from(places(whole)), st.sampled_from(JUNK))
    def attempt(path: tuple[Any, ...], junk: Any) -> None:
        nonlocal refused
        value = changed_at(whole, path, lambda _: copy.deepcopy(junk))
        try:
            read = Session.read(json.dumps(value))
            read.explain(explainer)
        except HeadlightError as error:
            refused += 1
            assert str(error) and "\n" not in str(error) and len(str(error)) < 300
        else:
            here = {str(key) for key in path}
            assert value == whole or here & {"seconds", "device", "key", "examples"}, path

    attempt()
    assert refused > 50


def altered(place: str, dtype: str, index: int) -> Callable[[dict[str, Any]], None]:
    """A record in which one packed number is another."""

    def change(record: dict[str, Any]) -> None:
        *path, name = place.split(".")
        inside = record
        for key in path:
            inside = inside[key]
        count = sum(record["search"]["counts"])
        if name == "weights":
            count = inside["layers"] * inside["heads"] * len(record["src"]) * len(record["tgt_out"])
        numbers = unpack(inside[name], dtype, count).copy()
        numbers[index] += 1000 if dtype == "u2" else 1
        inside[name] = pack(numbers)

    return change


@pytest.mark.parametrize(
    ("place", "dtype"),
    [
        ("attention.cross.weights", "u2"),
        ("search.log_probs", "f4"),
        ("search.parents", "i4"),
        ("search.fates", "u1"),
    ],
)
def test_a_number_that_is_not_the_models_is_found(
    explainer: Explainer, session: Session, place: str, dtype: str
) -> None:
    value = session.document
    assert session.explain(explainer).text == TEXT  # the twin
    altered(place, dtype, 7)(value["record"])
    with pytest.raises(InputError, match=f"another record.{place} than the file has"):
        Session.read(json.dumps(value)).explain(explainer)


def test_the_rounding_of_another_machine_is_allowed(explainer: Explainer, session: Session) -> None:
    value = session.document
    value["record"]["hypotheses"][0]["score"] += 2e-5
    value["record"]["seconds"] = 9.0
    assert Session.read(json.dumps(value)).explain(explainer).text == TEXT
    value["record"]["hypotheses"][0]["score"] += 6e-3
    with pytest.raises(InputError, match=r"record.hypotheses\[0\].score"):
        Session.read(json.dumps(value)).explain(explainer)


@pytest.mark.parametrize(
    "content",
    [b"", b"[1", b"NaN", b'{"a": Infinity}', b"[" * 100_000, b"\xff\xfe\x00", b"{}", b"7"],
)
def test_what_is_no_session_is_said(content: bytes) -> None:
    with pytest.raises(InputError) as caught:
        Session.read(content)
    assert "\n" not in str(caught.value)


def test_too_large_a_file_is_not_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "large.json"
    with path.open("wb") as file:
        file.truncate(10**9)  # sparse: no room is taken
    with pytest.raises(InputError, match="larger than 64 MB"):
        Session.load(path)


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [("name", "other", "made by other; this is tiny"), ("revision", "9f", "made by tiny at 9f; ")],
)
def test_another_model_does_not_answer(
    explainer: Explainer, session: Session, field: str, value: str, told: str
) -> None:
    other = changed_at(session.document, ("request", "model", field), lambda _: value)
    other["record"]["model"][field] = value
    with pytest.raises(InputError, match=told):
        Session.read(json.dumps(other)).explain(explainer)


@pytest.mark.slow
def test_the_command(session: Session, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The session of another model is none of the shipped one."""
    bad = tmp_path / "bad.json"
    bad.write_text(json.dumps(session.document | {"format": 1}), "utf-8")
    other = session.save(tmp_path / "other.json")
    for path, reason in (
        (bad, "format"),
        (tmp_path / "none.json", "cannot be read"),
        (other, "tiny"),
    ):
        assert main(["validate", str(path)]) == 2
        said = capsys.readouterr().err
        assert reason in said and said.count("\n") == 1


@pytest.mark.slow
def test_a_session_of_the_shipped_model_is_valid(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = Session.of(Explainer.load(None, device="cpu").explain(TEXT)).save(tmp_path / "good.json")
    assert main(["validate", str(path)]) == 0
    assert "The model answers the same." in capsys.readouterr().out
