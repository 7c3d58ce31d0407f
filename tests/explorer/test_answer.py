"""Whatever is asked, there is a reply: a payload, or one sentence in both languages."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from explorer import api, calls, exhibits, pace, session
from explorer.exchange import reply as reply_module
from explorer.exchange.reply import answer, sentence, to_json
from explorer.exchange.request import MAX_CHARACTERS, RANGES, PageError, intervention_facts, parse
from explorer.loading import Loading
from explorer.models import Models
from explorer.origin import Origin
from explorer.words import WORDS
from model import deadline
from model.config import DecodeConfig, Interventions
from model.errors import CheckpointError, ConfigError, HeadlightError, TraceError
from model.explain import Explainer
from model.labs import cheat
from model.labs.ablation import occlusion
from tests import tiny
from tests.tiny import only

ROOT = Path(__file__).parents[2]
TEXT = "Tom asked."


def asking(text: object = "Tom", shown: object = 0, **settings: object) -> dict[str, Any]:
    return {"number": 7, "text": text, "settings": {"beam_size": 2, **settings}, "shown": shown}


def replied(models: Models, request: object) -> dict[str, Any]:
    return json.loads(answer(models, request))


@pytest.mark.slow
def test_a_payload_with_the_number_of_its_request(models: Models) -> None:
    reply = replied(models, asking("Tom asked."))
    assert reply["number"] == 7
    assert reply["payload"]["text"] == "Tom asked."
    assert "message" not in reply


def test_a_list_of_requests_gets_a_list_of_records(models: Models) -> None:
    others = [asking("Tom"), asking("Tom asked.") | {"interventions": {"causal_mask": False}}]
    reply = replied(models, asking("Tom asked.") | {"more": others})
    alone = [replied(models, one)["payload"] for one in (asking("Tom asked."), *others)]
    for one in (*reply["payload"], *alone):
        del one["seconds"]
    assert reply["number"] == 7 and reply["payload"] == alone
    assert len(replied(models, asking() | {"more": []})["payload"]) == 1


def test_a_list_of_requests_has_the_time_of_one(
    models: Models, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of them are to end by the same moment of this thread's time."""
    ends = []
    own = reply_module.explain_request

    def noting(*given: Any) -> Any:
        limit = deadline._limit.get()
        ends.append(limit and limit[0])
        return own(*given)

    monkeypatch.setattr(reply_module, "explain_request", noting)
    assert "payload" in replied(models, asking() | {"more": [asking("Tom asked."), asking("No.")]})
    assert len(ends) == 3 and len(set(ends)) == 1 and ends[0] is not None


@pytest.mark.parametrize("more", [None, {}, ["Tom"], [asking()] * 8, [asking(shown=99)]])
def test_what_is_no_list_of_requests_gets_a_sentence(models: Models, more: object) -> None:
    assert set(replied(models, asking() | {"more": more})["message"]) >= {"en", "zh"}


@pytest.mark.parametrize("question", ["before_after", "pair"])
def test_a_question_of_an_earlier_page_is_said_to_be_gone(models: Models, question: str) -> None:
    reply = json.loads(answer(models, asking() | {"question": question}, exhibits.questions()))
    assert reply["message"]["en"] == WORDS["error.question_gone"].en


@pytest.mark.parametrize("name", ["length_penalty", "temperature", "top_p", "beam_size", "seed"])
@pytest.mark.parametrize(
    "value", [10**400, -(10**400), float("nan"), float("inf")], ids=["huge", "low", "nan", "inf"]
)
def test_a_number_of_any_size_is_told_the_range(models: Models, name: str, value: float) -> None:
    low, high = RANGES[name]
    message = replied(models, asking(**{name: value}))["message"]
    for text in message.values():
        assert f"{low:g}" in text and (f"{high:g}" in text or f"{high}" in text)


@pytest.mark.slow
@pytest.mark.parametrize("field", ["model", "text", "begin", "question", "settings"])
def test_half_a_character_breaks_no_reply(models: Models, field: str) -> None:
    """A reply is sent as UTF-8, which has no half of a character, and read as JSON."""
    half = "a \ud800"
    value = {half: 1} if field == "settings" else half
    text = answer(models, asking() | {field: value})
    assert len(text.encode()) > 50
    assert {"payload", "message"} & set(json.loads(text))


def test_half_a_character_stays_what_it_is() -> None:
    value = {"\udc00": ["学 \ud800<", "\ud83c\udf55", "🍕"]}
    text = to_json(value)
    assert "学" in text and "<" not in text and text.encode()
    assert json.loads(text) == json.loads(json.dumps(value))


def test_a_server_that_stops_begins_nothing(models: Models) -> None:
    models.stop()
    for request in (asking(), asking() | {"question": "anything"}):
        reply = replied(models, request)
        assert reply["message"]["en"] == WORDS["error.stopping"].en and reply["number"] == 7


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "nothing to translate"),
        (" \t\n ", "nothing to translate"),
        ("\x00\x07\u200b", "nothing to translate"),
        ("a" * 100_000, "100,000 characters"),
        ("frog " * 300, "the limit is 128"),
        (None, "could not be understood"),
        (["Tom"], "could not be understood"),
    ],
)
def test_a_text_that_cannot_be_read_gets_one_sentence(
    models: Models, text: object, says: str
) -> None:
    message = replied(models, asking(text))["message"]
    assert says in message["en"]
    assert message["zh"] and message["zh"] != message["en"]
    assert "\n" not in message["en"] + message["zh"]


@pytest.mark.parametrize(
    "settings",
    [
        {"beam_size": 0},
        {"beam_size": RANGES["beam_size"][1] + 1},
        {"beam_size": 2.5},
        {"beam_size": "4"},
        {"temperature": float("nan")},
        {"temperature": 0},
        {"top_p": 0},
        {"top_p": None},
        {"method": "best"},
        {"seed": -1},
    ],
)
def test_settings_out_of_range_get_a_sentence(models: Models, settings: dict) -> None:
    message = replied(models, asking(**settings))["message"]
    assert next(iter(settings)) in message["en"]
    assert re.match("这个设置无法使用|“.+” 为 .+，应是", message["zh"])


REFUSED: dict[str, Callable[[Explainer], object]] = {
    "whole": lambda e: DecodeConfig(beam_size=99),
    "number": lambda e: DecodeConfig(temperature=float("nan")),
    "after_end": lambda e: e.explain(TEXT, prefix=[e.rules.end_id, 5]),
    "no_room": lambda e: e.explain(TEXT, DecodeConfig(max_length=2), prefix=[5, 6, 7]),
    "banned": lambda e: e.explain(TEXT, prefix=[e.rules.banned[0]]),
    "painted": lambda e: occlusion(
        e, e.explain(TEXT, interventions=Interventions(cells=(("cross", 0, 0, False),)))
    ),
    "shift": lambda e: e.explain(
        TEXT, interventions=Interventions(positions="shifted", shift=10_000)
    ),
    "deadline": lambda e: deadline.within(-1.0)(e.explain)("A sentence that nobody remembers."),
    "no_cheat": cheat.cheater,
}


@pytest.mark.parametrize("key", REFUSED)
def test_the_models_own_errors_are_said_in_both_languages(explainer: Explainer, key: str) -> None:
    with pytest.raises(HeadlightError) as refused:
        REFUSED[key](explainer)
    said = sentence(refused.value)
    assert refused.value.key == key and said["en"] == str(refused.value)
    assert re.search(r"[\u4e00-\u9fff]", said["zh"]) and "expected" not in said["zh"]


def test_a_request_that_computes_for_too_long_is_stopped(
    models: Models, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pace, "SECONDS", 0.0)
    message = replied(models, asking() | {"text": "Another sentence that nobody remembers."})
    assert "seconds allowed for one request" in message["message"]["en"]
    monkeypatch.undo()
    assert "payload" in replied(models, asking())


def test_every_key_of_an_error_has_its_words() -> None:
    files = (path for room in ("model", "explorer") for path in (ROOT / room).rglob("*.py"))
    sources = (path.read_text("utf-8") for path in files)
    keys = {key for source in sources for key in re.findall(r'\bkey="(\w+)"', source)}
    worded = {key.removeprefix("error.model.") for key in WORDS if key.startswith("error.model.")}
    assert keys == worded >= set(REFUSED)


@pytest.mark.parametrize(
    "request_", [None, 3, "{}", [], {}, asking(shown=-1), asking(shown=True), asking(max_length=9)]
)
def test_what_is_no_request_gets_a_sentence(models: Models, request_: object) -> None:
    assert replied(models, request_)["message"]["en"] == WORDS["error.request"].en


def test_the_browser_is_told_what_the_models_interventions_may_be() -> None:
    facts = intervention_facts()
    assert Interventions.from_dict(facts["defaults"]) == Interventions()
    for name, largest in facts["largest"].items():
        Interventions.from_dict({name: largest})
        with pytest.raises(ConfigError):
            Interventions.from_dict({name: largest + 1})
    for name, choices in facts["choices"].items():
        assert all(getattr(Interventions.from_dict({name: c}), name) == c for c in choices)
    examples = {"whole": 1, "flag": False}
    for name, form in facts["entries"].items():
        entry = [examples[part] if isinstance(part, str) else part[-1] for part in form]
        found = getattr(Interventions.from_dict({name: [entry]}), name)
        assert found == ((tuple(entry) if len(entry) > 1 else entry[0]),)


@pytest.mark.slow
def test_more_painted_cells_than_the_masks_have_are_refused(models: Models) -> None:
    cells = [["cross", row, col, False] for row in range(200) for col in range(200)]
    reply = replied(models, {**asking(TEXT), "interventions": {"cells": cells}})
    assert "40,000 mask cells" in reply["message"]["en"]


def test_a_length_that_was_not_offered_cannot_be_asked_for() -> None:
    with pytest.raises(PageError):
        parse(asking(max_length=512))
    assert parse(asking()).config.max_length == 128
    assert parse(asking(), DecodeConfig(max_length=9)).config.max_length == 9, "the checkpoint's"
    assert parse(asking(), DecodeConfig(max_length=500)).config.max_length == 128


@pytest.mark.slow
@given(
    raw=st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists)
    | st.dictionaries(
        st.sampled_from(["text", "settings", "shown", "number"]),
        st.none()
        | st.integers()
        | st.text(max_size=9)
        | st.dictionaries(st.text(max_size=9), st.integers(), max_size=2),
    )
)
def test_parse_raises_only_what_the_page_can_say(raw: object) -> None:
    try:
        request = parse(raw)
    except (PageError, ConfigError):
        return
    assert len(request.text) <= MAX_CHARACTERS


def test_a_model_with_few_positions(tmp_path: Path) -> None:
    small = Explainer.load(tiny.write_own(tmp_path / "small", max_positions=12), device="cpu")
    models = only(lambda: small)
    assert len(replied(models, asking("Tom."))["payload"]["tgt_out"]) <= 12
    assert (
        "limit is 12"
        in replied(models, asking("I am a small frog, and I live here."))["message"]["en"]
    )


@pytest.mark.parametrize(
    "error",
    [ZeroDivisionError("secret /path"), TraceError("weights are (1, 2), secret")],
    ids=["a surprise", "a record that contradicts itself"],
)
def test_our_own_fault_is_logged_and_told_neutrally(
    explainer: Explainer,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    error: Exception,
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(explainer, "explain", fail)
    message = replied(only(lambda: explainer), asking("a private text"))["message"]
    assert message["en"] == WORDS["error.unexpected"].en
    assert "secret" not in str(message)
    assert type(error).__name__ in caplog.text
    assert "private" not in "".join(record.getMessage() for record in caplog.records)


def test_a_model_that_cannot_be_loaded_says_so_to_everyone() -> None:
    def load() -> Explainer:
        raise CheckpointError("There is no folder x.")

    models = only(load)
    for _ in range(2):
        message = replied(models, asking())["message"]
        assert "There is no folder x." in message["en"]
        assert message["zh"].startswith("模型无法使用")


@pytest.mark.slow
def test_a_model_that_takes_long_is_waited_for(explainer: Explainer) -> None:
    loaded = threading.Event()

    def load() -> Explainer:
        loaded.wait(10)
        return explainer

    models = only(load)
    assert models.default.get(timeout=0.01) is None
    threading.Timer(0.1, loaded.set).start()
    assert "payload" in replied(models, asking())


def test_it_is_loaded_once(explainer: Explainer) -> None:
    loads: list[int] = []

    def load() -> Explainer:
        loads.append(1)
        return explainer

    loading = Loading(load).start().start()
    threads = [threading.Thread(target=loading.get) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert loads == [1]


# --------------------------------------------------------------------------- numbers that are none

NOT_FINITE = [float("nan"), float("inf"), -float("inf")]


def strictly(text: str) -> Any:
    """A reply as a browser reads it: NaN and Infinity are no JSON."""

    def refuse(name: str) -> None:
        raise AssertionError(f"{name} in a reply")

    return json.loads(text, parse_constant=refuse)


@pytest.mark.parametrize("number", [1.5, *NOT_FINITE], ids=str)
@pytest.mark.parametrize("place", [lambda n: n, lambda n: [0, n], lambda n: {"a": [{"b": n}]}])
def test_no_reply_holds_a_number_that_is_not_finite(
    models: Models, number: float, place: Callable[[float], object]
) -> None:
    questions = {"odd": lambda *_: {"value": place(number)}}
    replies = [
        strictly(answer(models, asking() | {"question": "odd"}, questions)),
        strictly(calls.answer(questions, "odd", b"{}", Origin())),
    ]
    if number == 1.5:
        assert all(one["payload"] == {"value": place(number)} for one in replies)
        return
    for one in replies:
        assert "payload" not in one
        assert one["message"]["en"] == WORDS["error.model.not_finite"].en
        assert one["message"]["zh"] == WORDS["error.model.not_finite"].zh
    assert replies[0]["number"] == 7


@pytest.mark.parametrize("number", NOT_FINITE, ids=str)
def test_no_endpoint_gives_a_number_that_is_not_finite(models: Models, number: float) -> None:
    program = api.Api(models)

    def given(weights: list[list[float | None]]) -> str:
        program._found = lambda _: {"weights": weights}  # type: ignore[method-assign]
        return program.answer({}).body

    assert json.loads(given([[number]]))["en"] == WORDS["error.model.not_finite"].en
    assert json.loads(given([[1.0, None]])) == {"weights": [[1.0, None]]}


def test_a_model_of_overflowing_weights_gets_a_sentence(tmp_path: Path) -> None:
    broken = Explainer.load(tiny.write_own(tmp_path / "broken"), device="cpu")
    with torch.no_grad():
        broken.model.embedding.matrix("source").weight[:] = float("nan")
    models = only(lambda: broken)
    for method in ("greedy", "beam"):
        reply = strictly(answer(models, asking(method=method)))
        assert set(reply) == {"number", "message"}
    with pytest.raises(HeadlightError):
        session.document(broken.explain(TEXT, DecodeConfig(method="greedy")), broken)
