"""The reader's lines: what the server answers, and what it refuses."""

from __future__ import annotations

import json
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from explorer import calls, publish
from explorer.exchange.lines import MAX_TEXTS
from explorer.exchange.request import MAX_CHARACTERS
from explorer.facts import facts, named
from explorer.models import Listed, Models, models_of
from explorer.static import assets_path
from explorer.workers import answering
from model import checkpoint, shipped
from model.errors import InputError
from model.explain import Explainer
from model.rules import Rules
from model.trace import Tokens
from model.translate import translate_all

OPENING = "\u6211\u559c\u6b22\u732b\u3002"  # I like cats.
WRONG = "\u4ed6\u6253 555-0199 \u548c 45-44 \u548c 9001-22 \u548c 17-3"
FORMS = [[], "a text", [1], ["x"] * (MAX_TEXTS + 1), ["x" * (MAX_CHARACTERS + 1)]]


@pytest.fixture(scope="module")
def reader() -> Explainer:
    return Explainer.load("zh-en", "cpu")


@pytest.fixture(scope="module")
def models(reader: Explainer) -> Models:
    """A server with a model of one's own, and the shipped one as its reader."""
    own = Listed("own", "own", lambda: reader, None, None, "en-zh")
    return Models([own], readers=[Listed("zh-en", "zh-en", lambda: reader, None, None, "zh-en")])


def asked(models: Models, texts: object, model: object = "zh-en") -> dict[str, Any]:
    body = json.dumps({"model": model, "texts": texts}).encode()
    reply: dict[str, Any] = json.loads(calls.lines(answering(models), body))
    return reply


def test_a_line_is_what_the_command_writes(models: Models) -> None:
    texts = [OPENING, WRONG]
    loaded = checkpoint.load(shipped.place("zh-en"))
    written = translate_all(loaded, texts, loaded.decoding())
    told = asked(models, texts)["payload"]["lines"]
    assert [line["text"] for line in told] == written
    # A number that is usually copied is not there, which is a reason for doubt.
    assert "9001-22 " not in f"{written[1]} "
    assert [line["unsure"] for line in told] == [False, True]


def test_a_text_that_the_model_refuses_leaves_the_others_their_lines(models: Models) -> None:
    long = OPENING * 60  # more than 128 tokens
    first, none, empty, last = asked(models, [OPENING, long, "  ", OPENING])["payload"]["lines"]
    assert none is None and empty is None and first == last and first["text"]


def test_a_text_without_a_language_leaves_the_others_their_lines(
    models: Models, reader: Explainer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A model of many languages refuses it once it is read."""
    own, named = reader.rules_of, "\u4f60\u597d\uff0c\u8001\u5e08\u3002"  # Hello, teacher.

    def rules_of(src: Tokens) -> Rules:
        if src.text != named:
            raise InputError("It names no language.", key="language")
        return own(src)

    monkeypatch.setattr(reader, "rules_of", rules_of)
    first, second = asked(models, ["\u4f60\u597d\u5417\uff1f", named])["payload"]["lines"]
    assert first is None and second["text"]


def test_without_time_the_lines_are_left_out(models: Models) -> None:
    slow = Models(models.listed, seconds=1e-9, readers=[*models._readers.values()])
    unread = "\u4f60\u597d\u3002"  # Hello.
    assert asked(slow, [OPENING, unread])["payload"]["lines"][1] is None


def test_lines_and_visitors_evict_nothing_of_each_other(
    models: Models, reader: Explainer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So what a request had no time for is there when it is asked again."""
    reader.forget()
    record = reader.explain(OPENING)
    before = len(reader._cache)
    [line] = asked(models, [WRONG])["payload"]["lines"]
    assert len(reader._cache) == before and reader.explain(OPENING) is record
    reader.forget()  # as visitors' records do
    monkeypatch.setattr(reader, "best", lambda _: [])
    assert asked(models, [WRONG])["payload"]["lines"] == [line]


def test_the_words_that_a_translation_lost_are_named(models: Models) -> None:
    """By the way back; the other texts of the request have their lines as before."""
    found = lost_in(models, ["我妹妹住在柏林。", OPENING], of="My sister Anna lives in Berlin. 😀")
    assert found["lost"] == [{"text": "Anna", "begin": 10, "end": 14}]
    assert found["lines"] == asked(models, ["我妹妹住在柏林。", OPENING])["payload"]["lines"]
    assert lost_in(models, [OPENING], of="I like cats.")["lost"] == []
    assert lost_in(models, ["  "], of="I like cats.")["lost"] == []  # refused


@pytest.mark.parametrize("of", [7, ["a"], "x" * (MAX_CHARACTERS + 1)])
def test_a_source_beyond_the_bounds_is_refused(models: Models, of: object) -> None:
    body = json.dumps({"model": "zh-en", "texts": [OPENING], "of": of}).encode()
    assert set(json.loads(calls.lines(answering(models), body))) == {"message"}


def lost_in(models: Models, texts: list[str], of: str) -> dict[str, Any]:
    body = json.dumps({"model": "zh-en", "texts": texts, "of": of}).encode()
    reply: dict[str, Any] = json.loads(calls.lines(answering(models), body))["payload"]
    return reply


@pytest.mark.parametrize("texts", [None, {}, *FORMS])
def test_texts_beyond_the_bounds_are_refused(models: Models, texts: object) -> None:
    assert set(asked(models, texts)) == {"message"}


@pytest.mark.parametrize("model", ["own", "", "../zh-en", None, 7, ["zh-en"]])
def test_only_shipped_models_write_lines(models: Models, model: object) -> None:
    assert set(asked(models, [OPENING], model)) == {"message"}


@pytest.mark.parametrize("body", [b"", b"[1]", b'{"texts": ', b"[" * 9_000])
def test_what_is_no_request_is_refused(models: Models, body: bytes) -> None:
    assert set(json.loads(calls.lines(answering(models), body))) == {"message"}


def test_the_route_takes_the_texts_of_a_view_and_no_more(models: Models) -> None:
    client = TestClient(Starlette(routes=[calls.calls_route(answering(models))]))

    def post(texts: list[str]) -> Any:
        body = json.dumps({"model": "zh-en", "texts": texts}, ensure_ascii=False).encode()
        kind = {"content-type": "application/json"}
        return client.post(f"{assets_path()}call/lines", content=body, headers=kind)

    many = post([OPENING * 50] * MAX_TEXTS)
    assert many.status_code == 200 and len(many.json()["payload"]["lines"]) == MAX_TEXTS
    longest = post(["\u6211" * MAX_CHARACTERS] * MAX_TEXTS)
    assert longest.json() == {"payload": {"lines": [None] * MAX_TEXTS}}
    assert post(["x" * 300_000]).status_code == 413


@pytest.mark.parametrize("reads", [True, False])
def test_the_page_asks_for_those_lines_that_the_server_writes(
    reader: Explainer, reads: bool
) -> None:
    """A listed model is a reader only if the server says so."""
    own = Listed("zh-en", "zh-en", lambda: reader, None, None, "zh-en")
    found = Models([own], readers=[own] if reads else [])
    told = facts(named(found.listed), [], "en", readers=found.readers)["readers"]
    assert told == ({"zh-en": "zh-en"} if reads else {})
    assert ("payload" in asked(found, [OPENING])) == reads


def test_on_a_published_page_the_shipped_ones_among_its_models_read() -> None:
    def listed(key: str, name: str, pair: str) -> Listed:
        return Listed(key, name, lambda: pytest.fail("nothing is loaded"), None, None, pair)

    chosen = [listed("own", "opus-mt-de-en", "de-en"), listed("2", "zh-en", "zh-en")]
    assert publish._facts(chosen, {}, None)["readers"] == {"zh-en": "2"}


def test_every_shipped_model_reads_for_a_model_of_ones_own() -> None:
    own = models_of([str(shipped.FOLDERS["en-zh"].parent / "en-zh")], "cpu", None)
    assert own.readers == {name: name for name in shipped.names()}
    assert "zh-en" not in {one.key for one in own.listed}  # nobody can choose it
