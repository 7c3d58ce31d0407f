"""A session as a file: the same bytes there and back, the record's numbers, and nothing trusted."""

from __future__ import annotations

import base64
import copy
import json
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from explorer.exchange.packing import pack
from explorer.session import Session, schema
from explorer.session.check import check
from model.config import KINDS, METHODS, DecodeConfig, Interventions
from model.errors import HeadlightError, InputError
from model.explain import Explainer

ROOT = Path(__file__).parents[2]
TEXT = "I am a small frog. <b>"
STRANGE = (
    "我是一只小青蛙。",
    "🙂👩\u200d👩\u200d👧 and 🇨🇳",
    "שלום, אני צפרדע",
    "مرحبا a \u202eb",
    "é ﬁ \u2028x",
    '"\\</script>',
)
WHOLE = schema()
REFERENCE = jsonschema.Draft202012Validator(WHOLE)

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
    REFERENCE.validate(loaded.document)
    assert Session.of(loaded.explain(explainer)).data == exported


def test_a_file_is_the_same_bytes_too(session: Session, tmp_path: Path) -> None:
    path = session.save(tmp_path / "one.json")
    again = Session.load(path).save(tmp_path / "two.json")
    assert path.read_bytes() == again.read_bytes()
    spaced = json.dumps(session.document, indent=3, ensure_ascii=True)
    assert Session.read(spaced).data == session.data


def test_the_numbers_are_the_records(explainer: Explainer, session: Session) -> None:
    record = explainer.explain(TEXT, DecodeConfig(beam_size=3, max_length=9), shown=1)
    for kind in KINDS:
        found, maps = session.attention[kind], record.trace.attention(kind)
        np.testing.assert_allclose(found.weights, maps.weights, atol=1 / 131_070 + 1e-7)
        assert not np.allclose(found.weights[0], maps.weights[1], atol=1e-4)  # the twin
        assert (found.mask == maps.mask).all() and not found.weights.flags.writeable
    assert len(session.search.steps) == len(record.search.steps)
    for here, there in zip(session.search.steps, record.search.steps, strict=True):
        for name in ("parents", "token_ids", "log_probs", "totals", "forced"):
            assert (getattr(here, name) == getattr(there, name)).all()
        assert (here.pieces, here.fates) == (there.pieces, there.fates)
    for ours, theirs in zip(session.search.hypotheses, record.search.hypotheses, strict=True):
        assert (ours.text, ours.ids, ours.path) == (theirs.text, theirs.ids, theirs.path)
        assert ours.score == pytest.approx(theirs.score, rel=1e-6)


def test_a_prefix_and_a_node_are_kept(explainer: Explainer) -> None:
    config = DecodeConfig(beam_size=2, max_length=6)
    prefix = explainer.explain(TEXT, config).trace.tgt_out.ids[:2].tolist()
    record = explainer.explain(TEXT, config, prefix=prefix, node=(3, 1))
    read = Session.read(Session.of(record).data)
    assert (read.request.prefix, read.request.node) == (tuple(prefix), (3, 1))
    assert Session.of(read.explain(explainer)).data == read.data


def test_the_published_schema_is_the_codes() -> None:
    published = json.loads((ROOT / "docs" / "session.schema.json").read_text("utf-8"))
    assert published == json.loads(json.dumps(WHOLE)), "python -m explorer.session schema"
    jsonschema.Draft202012Validator.check_schema(published)


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


def test_whatever_is_changed_is_refused_in_one_sentence_or_harmless(session: Session) -> None:
    """The checker agrees with the schema's own meaning, wherever something is put in its place."""
    whole, refused, accepted = session.document, 0, 0

    @settings(max_examples=150, suppress_health_check=list(HealthCheck))
    @given(st.sampled_from(places(whole)), st.sampled_from(JUNK))
    def attempt(path: tuple[Any, ...], junk: Any) -> None:
        nonlocal refused, accepted
        value = changed_at(whole, path, lambda _: copy.deepcopy(junk))
        fits = True
        try:
            check(value, WHOLE, WHOLE)
        except InputError:
            fits = False
        assert fits == REFERENCE.is_valid(value)
        try:
            read = Session.read(json.dumps(value))
        except HeadlightError as error:
            refused += 1
            assert str(error) and "\n" not in str(error) and len(str(error)) < 300
        else:
            accepted += 1
            assert fits and Session.read(read.data).data == read.data

    attempt()
    assert refused > 50 and accepted > 0


def without(name: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda value: {key: one for key, one in value.items() if key != name}


BOMB = base64.b64encode(zlib.compress(bytes(50_000_000))).decode()


@pytest.mark.parametrize(
    ("path", "change", "sentence"),
    [
        (("format",), lambda _: "headlight-session-2", "format is 'headlight-session-2'; expected"),
        ((), without("request"), "The document has no field request."),
        ((), lambda value: value | {"run": "x"}, "has a field 'run', which no session has"),
        (("record", "steps", 1, "chosen"), lambda n: n + 1, "record.steps does not hold the"),
        (("record", "tgt_out", 0, "id"), lambda n: n + 1, "record.tgt_out does not hold"),
        (("record", "tgt_in", 1, "id"), lambda n: n + 1, "record.tgt_in does not hold"),
        (("record", "text"), lambda _: "other", "record.text is 'other', but request.text is"),
        (("request", "settings", "beam_size"), lambda _: 999, "but request.settings.beam_size"),
        (("request", "settings", "max_length"), lambda _: 999, "max_length is 999; expected a"),
        (("record", "path", 0), lambda _: 700, "record.path does not follow the parents"),
        (("record", "hypotheses", 0, "path"), lambda p: p * 300, "has 2"),
        (("record", "attention", "cross", "keys"), lambda n: n + 1, "record.attention.cross is"),
        (("record", "attention", "cross", "heads"), lambda n: n - 1, "does not hold"),
        (("record", "attention", "cross", "weights"), lambda _: BOMB, "does not hold"),
        (("record", "search", "fates"), lambda _: BOMB, "record.search.fates does not hold"),
        (("record", "search", "labels"), lambda _: {}, "record.search.labels has no token"),
    ],
)
def test_what_is_wrong_and_where(
    session: Session, path: tuple[Any, ...], change: Callable[[Any], Any], sentence: str
) -> None:
    value = changed_at(session.document, path, change)
    with pytest.raises(HeadlightError) as caught:
        Session.read(json.dumps(value))
    assert sentence in str(caught.value)


def test_weights_that_are_none_are_refused(session: Session) -> None:
    """Every row of attention adds up to 1, and parents lie in the step before."""
    maps = session.document["record"]["attention"]["cross"]
    cells = maps["layers"] * maps["heads"] * int(session.attention["cross"].mask.sum())
    flat = changed_at(
        session.document,
        ("record", "attention", "cross", "weights"),
        lambda _: pack(np.zeros(cells, "<u2")),
    )
    with pytest.raises(InputError, match="a row that does not add up to 1"):
        Session.read(json.dumps(flat))
    count = sum(session.document["record"]["search"]["counts"])
    lost = changed_at(
        session.document,
        ("record", "search", "parents"),
        lambda _: pack(np.full(count, 99, "i4")),
    )
    with pytest.raises(InputError, match="parents leave the range"):
        Session.read(json.dumps(lost))


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


def test_another_model_does_not_answer(explainer: Explainer, session: Session) -> None:
    other = changed_at(session.document, ("request", "model", "name"), lambda _: "other")
    other["record"]["model"]["name"] = "other"
    with pytest.raises(InputError, match="made by other; this is tiny"):
        Session.read(json.dumps(other)).explain(explainer)


def test_the_command(session: Session, tmp_path: Path) -> None:
    good = session.save(tmp_path / "good.json")
    bad = tmp_path / "bad.json"
    bad.write_text(json.dumps(session.document | {"format": 1}), "utf-8")
    for path, code in ((good, 0), (bad, 2), (tmp_path / "none.json", 2)):
        done = subprocess.run(
            [sys.executable, "-m", "explorer.session", "validate", str(path)],
            cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=False,
        )  # fmt: skip
        assert done.returncode == code, done.stderr
        assert (done.stdout + done.stderr).count("\n") == 1
        assert ("valid." in done.stdout) == (code == 0)
        assert str(path) in done.stdout + done.stderr
