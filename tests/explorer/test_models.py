"""Which model a request may name: those on the list, and those trained here."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import gradio as gr
import pytest
import torch
from gradio_client import Client
from safetensors.torch import save
from starlette.applications import Starlette
from starlette.testclient import TestClient

from explorer import calls, exhibits, trained
from explorer.examples import opening
from explorer.exchange.payload import FORMAT
from explorer.exchange.reply import answer
from explorer.exhibits import playground
from explorer.facts import facts, named
from explorer.health import health_route
from explorer.models import MAX_LOADED, Listed, Models, listed, pair_of
from explorer.origin import Origin
from explorer.recorded import FILE, texts
from explorer.trained import NotReady, key_of, settings_of
from explorer.words import WORDS
from model import shipped
from model.errors import CheckpointError
from model.explain import Explainer
from model.files import tell_read
from model.labs.playground.files import tokenizer
from model.labs.playground.pool import Pool
from model.labs.playground.presets import MODELS, with_parts
from model.labs.playground.run import train
from model.labs.playground.settings import Settings
from model.labs.playground.trained import explainer as opened
from tests import tiny

SMALL = Settings(length=3, alphabet=4, d_model=16, d_ff=16, heads=2, batch=8, updates=20)


@pytest.fixture(scope="module")
def marian(tmp_path_factory: pytest.TempPathFactory) -> Explainer:
    return Explainer.load(tiny.write_marian(tmp_path_factory.mktemp("m") / "marian"), device="cpu")


@pytest.fixture(scope="module")
def trainer() -> Iterator[Pool]:
    """One for all tests: its process imports torch before it trains."""
    made = Pool()
    yield made
    made.close()


@pytest.fixture
def pool(trainer: Pool, monkeypatch: pytest.MonkeyPatch) -> Iterator[Pool]:
    """A line in which nobody stands, and which knows no run."""
    monkeypatch.setattr(trained, "POOL", trainer)
    monkeypatch.setattr(playground, "POOL", trainer)
    trainer.started = 0
    yield trainer
    for visitor in {one for job in trainer._jobs.values() for one in job.followers}:
        trainer.leave(visitor)
    trainer._jobs.clear()


def asked(models: Models, **changes: Any) -> dict[str, Any]:
    request = {"number": 1, "text": "Tom asked.", "settings": {"beam_size": 2}, **changes}
    return json.loads(answer(models, request))


def patiently(models: Models, **changes: Any) -> dict[str, Any]:
    """The reply, asked again while the model is on its way, as the page does."""
    started = time.monotonic()
    while "waiting" in (reply := asked(models, **changes)):
        assert time.monotonic() - started < 90
        time.sleep(0.1)
    return reply


def test_a_name_of_the_list_gets_that_model(explainer: Explainer, marian: Explainer) -> None:
    models = Models([Listed("a", "A", lambda: explainer), Listed("b", "B", lambda: marian)])
    own = patiently(models)["payload"]
    other = patiently(models, model="b")["payload"]
    assert (own["model"]["key"], other["model"]["key"]) == ("a", "b")
    for payload, known in ((own, explainer), (other, marian)):
        assert payload["model"]["name"] == known.name
        assert payload["model"]["vocabulary"] == len(known.tokenizer)
        config = replace(known.defaults, beam_size=2)
        assert payload["translation"] == known.explain("Tom asked.", config).trace.tgt_out.text
    for accepted, key in (("", "a"), ("a", "a"), ("A", "a"), ("B", "b")):
        assert patiently(models, model=accepted)["payload"]["model"]["key"] == key


@pytest.mark.parametrize("names", [("A",), ("A", "B"), ("A", "B", "my own")])
def test_health_names_every_model_that_may_be_chosen(
    explainer: Explainer, names: tuple[str, ...]
) -> None:
    """Also those that are not loaded yet."""
    models = Models([Listed(name.lower(), name, lambda: explainer) for name in names])
    client = TestClient(Starlette(routes=[health_route(models)]))
    models.get()
    told = client.get("/health")
    ready = {"status": "ready", "model": explainer.name, "models": list(names)}
    assert (told.status_code, told.json()) == (200, ready)
    models.stop()
    assert (client.get("/health").status_code, "models" in client.get("/health").json()) == (
        503,
        False,
    )


def test_a_question_is_about_the_model_that_is_named(
    explainer: Explainer, marian: Explainer
) -> None:
    models = Models([Listed("a", "A", lambda: explainer), Listed("b", "B", lambda: marian)])
    questions = {"who": lambda known, request, _: {"name": known.name, "model": request.model}}
    for key, known in (("a", explainer), ("b", marian)):
        raw = {"text": "x", "settings": {}, "model": key, "question": "who"}
        while "waiting" in (reply := json.loads(answer(models, raw, questions))):
            time.sleep(0.05)
        assert reply["payload"] == {"name": known.name, "model": key}


@pytest.mark.slow
@pytest.mark.parametrize("is_first", [True, False])
def test_a_large_model_says_how_much_of_it_has_been_read(
    explainer: Explainer, is_first: bool
) -> None:
    """Also the first of the list, which is otherwise waited for."""
    may_end = threading.Event()

    def load() -> Explainer:
        tell_read(430_000_000, 1_230_206_976)
        assert may_end.wait(60)
        return explainer

    listed = [Listed("b", "B", load), Listed("a", "A", load)]
    models = Models(listed if is_first else listed[::-1])
    told = asked(models, model="b")["waiting"]
    assert told["en"] == "Loading the model B: 430 of 1,230 MB …"
    assert told["zh"] == "正在加载模型 B：430 / 1,230 MB……"
    may_end.set()
    assert patiently(models, model="b")["payload"]["model"]["key"] == "b"


@pytest.mark.parametrize("key", ["c", "A", "../b", "/etc", "Helsinki-NLP/opus-mt-en-de", "play"])
def test_what_is_not_on_the_list_gets_one_sentence(explainer: Explainer, key: str) -> None:
    message = asked(tiny.only(lambda: explainer), model=key)["message"]
    assert message["en"] == WORDS["error.model_unknown"].en.format(name=key)
    assert message["zh"] == WORDS["error.model_unknown"].zh.format(name=key)


@pytest.mark.parametrize("key", [1, None, ["b"], {}])
def test_what_is_no_key_gets_one_sentence(explainer: Explainer, key: object) -> None:
    reply = asked(tiny.only(lambda: explainer), model=key)
    assert reply["message"]["en"] == WORDS["error.request"].en


def test_a_model_that_fails_says_so_without_its_path(explainer: Explainer) -> None:
    tries: list[int] = []

    def fails() -> Explainer:
        tries.append(1)
        raise CheckpointError("There is no folder '/secret/place'.")

    models = Models([Listed("a", "A", lambda: explainer), Listed("b", "Bee", fails)])
    for _ in range(2):  # what failed once is tried again
        message = patiently(models, model="b")["message"]["en"]
        assert message == WORDS["error.model_failed"].en.format(name="Bee")
    assert len(tries) == 2
    assert "payload" in asked(models)


@pytest.mark.slow
def test_a_model_that_takes_long_holds_nobody_up(explainer: Explainer) -> None:
    ready = threading.Event()

    def slow() -> Explainer:
        ready.wait(30)
        return explainer

    models = Models([Listed("a", "A", lambda: explainer), Listed("b", "Bee", slow)])
    assert asked(models, model="b")["waiting"]["en"] == WORDS["model.loading"].en.format(name="Bee")
    assert "payload" in patiently(models)
    ready.set()
    assert patiently(models, model="b")["payload"]["model"]["key"] == "b"


@pytest.mark.parametrize("is_room", [True, False])
def test_large_models_are_few_in_memory_and_the_first_always_is(
    explainer: Explainer, monkeypatch: pytest.MonkeyPatch, is_room: bool
) -> None:
    """The models before the last have as many bytes as are allowed, or one too many."""
    size = sum(weight.nbytes for weight in explainer.model.parameters())
    monkeypatch.setattr("explorer.models.MAX_BYTES", MAX_LOADED * size - (not is_room))
    loads: list[str] = []

    def loader(name: str) -> Listed:
        def load() -> Explainer:
            loads.append(name)
            return explainer

        return Listed(name, name, load)

    names = [f"m{n}" for n in range(MAX_LOADED + 2)]
    models = Models([loader(name) for name in names])
    for name in names:
        while True:
            try:
                models.get(models.key(name))
                break
            except NotReady:
                time.sleep(0.05)
    assert loads == names
    models.get(names[0])
    models.get(names[-1])
    assert loads == names  # both were kept
    models.get(names[1])  # the one that was used longest ago
    assert loads == [*names, *([] if is_room else names[1:2])]


def test_names_become_keys_that_are_no_paths(tmp_path: Path) -> None:
    folders = [f"{tmp_path}/models/en-zh", f"{tmp_path}/Mine_2/"]
    for folder in map(Path, folders):
        folder.mkdir(parents=True)
        (folder / "config.json").write_text("{}")
    places = ["en-zh", folders[0], "Helsinki-NLP/opus-mt-en-de@abc", folders[1], None]
    found = listed(places, lambda place: place)  # type: ignore[arg-type, return-value]
    assert [one.key for one in found] == ["en-zh", "models-en-zh", "opus-mt-en-de", "mine-2"]
    assert [one.load() for one in found] == [None, *places[1:4]]
    assert found[2].name == "opus-mt-en-de"


@pytest.mark.parametrize("place", ["/no/such/folder", "a/b/c", "../secret", "{folder}", "{file}"])
def test_a_wrong_name_is_told_before_the_server_starts(tmp_path: Path, place: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("")
    wrong = place.format(folder=tmp_path / "empty", file=tmp_path / "file")
    with pytest.raises(CheckpointError, match=r"folder|file"):
        listed([None, wrong], lambda place: place)  # type: ignore[arg-type, return-value]


@pytest.mark.parametrize("content", ["{", "[]", '{"log_prob": "x"}', '{"log_prob": 3}', "\xff"])
def test_thresholds_that_cannot_be_read_are_told_at_the_start(tmp_path: Path, content: str) -> None:
    """Not only to the first visitor who chooses that model."""
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "doubt.json").write_text(content, "latin-1")
    with pytest.raises(CheckpointError, match=r"^[\w-]+/doubt\.json cannot be used\. ") as caught:
        listed([None, str(tmp_path)], lambda place: place)  # type: ignore[arg-type, return-value]
    assert str(tmp_path) not in str(caught.value) and "\n" not in str(caught.value)


# ------------------------------------------------------------------------ trained on the page


@pytest.mark.parametrize(
    "settings",
    [
        Settings(),
        SMALL,
        Settings(task="add", positions="none", rate=1e-5, schedule="inverse_sqrt"),
        Settings(norm="none", dropout=0.25, seed=9999, tied=False),
        *(with_parts(Settings(task="copy", shorter=True), model) for model in MODELS),
    ],
)
def test_a_key_says_all_settings(settings: Settings) -> None:
    key = key_of(settings)
    assert settings_of(key) == settings
    assert all(letter.isalnum() or letter in "._-" for letter in key)


def test_two_spellings_are_one_key(explainer: Explainer) -> None:
    models = tiny.only(lambda: explainer)
    assert models.key("play.reverse--seed-1--length-8") == "play.reverse"
    assert models.key("play.reverse--rate-0.0030--length-0") == "play.reverse"
    swapped = "play.reverse--seed-7--positions-none"
    assert models.key(swapped) == "play.reverse--positions-none--seed-7"
    for former, now in (("off", "--positions-none"), ("on", "")):  # as links said it once
        assert models.key(f"play.reverse--positions-{former}") == f"play.reverse{now}"


@pytest.mark.parametrize(
    ("key", "says"),
    [
        ("play.", "cannot be trained here"),
        ("play.fly", "cannot be trained here"),
        ("play.reverse--layers-99", "layers is 99"),
        ("play.reverse--layers-x", "layers is 'x'"),
        ("play.reverse--rate-nan", "rate is 'nan'"),
        ("play.reverse--positions-maybe", "positions is 'maybe'"),
        ("play.reverse--positions-", "positions is ''"),
        ("play.reverse--norm_kind-off", "norm_kind is 'off'"),
        ("play.reverse--feed_forward-silu", "expected one of relu, gelu, gated_gelu"),
        ("play.date--shorter-on", "has one length"),
        ("play.reverse--updates-99999999999999999999", "updates is"),
        ("play.reverse--color-red", "no model called"),
        ("play.reverse--seed-1--seed-2", "no model called"),
        ("play.reverse--task-add", "no model called"),
        ("play.reverse--layers-6--d_model-128", "expected at most 400,000"),
        ("play.reverse--causal_mask-off", "without the causal mask"),
    ],
)
def test_a_link_that_cannot_be_trained_gets_one_sentence(
    explainer: Explainer, pool: Pool, key: str, says: str
) -> None:
    message = asked(tiny.only(lambda: explainer), model=key)["message"]
    assert says in message["en"] and message["zh"] != message["en"]
    assert pool.started == 0


@pytest.mark.long
def test_a_link_trains_its_model_and_opens_it(explainer: Explainer, pool: Pool) -> None:
    models, key = tiny.only(lambda: explainer), key_of(SMALL)
    waiting = asked(models, model=key)["waiting"]
    assert waiting["en"] and waiting["zh"]
    payload = patiently(models, model=key, first=True)["payload"]
    assert payload["model"]["key"] == key and payload["model"]["name"] == "reverse-seed1"
    assert payload["text"] == payload["model"]["examples"][0]
    assert set(payload["text"]) <= set("abcd") and payload["doubt"] is None
    # The log-probs on the page are those of a run in this process.
    model = train(SMALL).model
    letters = SMALL.letters()
    path = [one["chosen"] for one in payload["steps"]]
    logits = _logits(model, letters.encode(payload["text"]), path)
    for t, step in enumerate(payload["steps"]):
        assert step["log_prob"] == pytest.approx(float(logits[t][step["chosen"]]), abs=2e-4)
    assert pool.started == 1
    refused = asked(models, model=key)["message"]["en"]
    assert "only these characters: abcd. “T” is not" in refused


LONG = replace(SMALL, updates=5000)


def training(models: Models, key: str) -> None:
    """The link's model is being trained."""
    started = time.monotonic()
    while "update" not in asked(models, model=key)["waiting"]["en"]:
        assert time.monotonic() - started < 90
        time.sleep(0.05)


@pytest.mark.slow
def test_a_link_whose_training_was_killed_trains_again(explainer: Explainer, pool: Pool) -> None:
    models, key = tiny.only(lambda: explainer), key_of(LONG)
    training(models, key)
    assert pool._process is not None
    os.kill(pool._process.pid, signal.SIGKILL)
    message = patiently(models, model=key)["message"]  # it says so once
    assert message["en"] == WORDS["error.model_ended"].en
    training(models, key)
    assert pool.started == 2


def test_a_training_that_a_link_asked_for_is_stopped_by_nobody_else(
    explainer: Explainer, pool: Pool
) -> None:
    models, key = tiny.only(lambda: explainer), key_of(LONG)
    training(models, key)
    for name in (f"open {key}", "link", "('link', None)", "None", ""):
        for where in (Origin(), Origin("127.0.0.1", "Chrome")):
            body = json.dumps({"visitor": name}).encode()
            calls.answer(playground.EXHIBIT.calls, "playground_leave", body, where)
    (opener,) = pool._jobs[LONG].followers
    assert pool.follow(LONG, opener)["state"] == "running"
    pool.leave(opener)  # a name that is right does stop it
    assert LONG not in pool._jobs


@pytest.mark.slow
@pytest.mark.long
def test_a_link_to_a_run_that_diverges_says_so(explainer: Explainer, pool: Pool) -> None:
    wild = replace(SMALL, layers=6, rate=0.1, norm="none", warmup=0, scaling=False, updates=400)
    models, update = tiny.only(lambda: explainer), train(wild).diverged
    for _ in range(2):  # by then it is known, and not trained again
        message = patiently(models, model=key_of(wild))["message"]
        assert message["en"] == WORDS["error.model_diverged"].en.format(update=update)
        assert message["zh"] == WORDS["error.model_diverged"].zh.format(update=update)
    assert pool.started == 1


@pytest.mark.slow
def test_an_opener_is_known_by_session_and_address() -> None:
    """As Gradio tells it to what works for an event of its queue."""
    with gr.Blocks() as blocks:
        box = gr.Textbox()
        box.submit(lambda _: repr(trained._opener()), box, box, api_name="who")
    _, url, _ = blocks.queue().launch(server_name="127.0.0.1", prevent_thread_lock=True, quiet=True)
    try:
        one, two = (Client(url, verbose=False) for _ in range(2))
        found = [client.predict("", api_name="/who") for client in (one, one, two)]
    finally:
        blocks.close()
    assert found[0] == found[1] != found[2]
    for client, who in ((one, found[0]), (two, found[2])):
        assert f"('link', '{client.session_hash}')" in who and "address='127.0.0.1'" in who


def _logits(model: Any, source: list[int], path: list[int]) -> Any:
    """The log-probs at each step of a path, by the network alone."""
    with torch.inference_mode():
        src = torch.tensor([[*source, 2]])
        tgt = torch.tensor([[1, *path[:-1]]])
        return model(src, tgt)[0].log_softmax(-1)


@pytest.mark.slow
def test_a_model_whose_weights_are_gone_is_trained_again(explainer: Explainer, pool: Pool) -> None:
    models, key = tiny.only(lambda: explainer), key_of(SMALL)
    first = patiently(models, model=key, first=True)["payload"]
    models._kept.clear()
    pool._jobs.clear()
    again = patiently(models, model=key, first=True)["payload"]
    assert pool.started == 2
    for name in ("text", "translation", "steps", "attention"):
        assert again[name] == first[name]


@pytest.mark.slow
def test_the_default_model_may_be_one_of_letters() -> None:
    known = opened(SMALL, save(train(SMALL).model.state_dict()))
    models = tiny.only(lambda: known)
    payload = asked(models, first=True)["payload"]
    assert payload["text"] == tokenizer(SMALL).examples[0]
    assert asked(models, text="abc")["payload"]["text"] == "abc"


@pytest.mark.parametrize(
    ("name", "card", "pair"),
    [
        ("opus-mt-zh-en", "", "zh-en"),
        ("opus-mt-tc-big-fi-en", "---\nlanguage:\n- fi\n- en\n---", "fi-en"),
        ("mine", "---\nlanguage: [de, en]\n---", "de-en"),
        ("mine", "---\nlanguage: [de, fr, en]\n---", ""),
        ("opus-mt-en-ROMANCE", "", ""),
        ("my-model", "", ""),
        ("mine", "\xff", ""),
    ],
)
def test_the_languages_of_a_model(tmp_path: Path, name: str, card: str, pair: str) -> None:
    if card:
        (tmp_path / "README.md").write_text(card, "latin-1")
    assert pair_of(tmp_path, name) == pair


def test_the_models_of_the_project_are_listed_by_their_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second one once its weights are there; a folder of the same name is another model."""
    back = tiny.write_own(tmp_path / "zh-en")
    (back / "README.md").write_text("---\nlanguage: [zh, en]\n---\n")
    monkeypatch.setitem(shipped.FOLDERS, "zh-en", back)
    found = listed(shipped.names()[:2], lambda place: place)  # type: ignore[arg-type, return-value]
    assert [(one.key, one.pair) for one in found] == [("en-zh", "en-zh"), ("zh-en", "zh-en")]
    assert [one.load() for one in found] == [None, "zh-en"]
    (other,) = listed([str(back)], lambda place: place)  # type: ignore[arg-type, return-value]
    assert other.name == f"{tmp_path.name}/zh-en"
    (back / "model.safetensors").unlink()
    assert "zh-en" not in shipped.names()


@pytest.fixture
def german(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A model in the place of en-de, with which an English page opens."""
    folder = tiny.write_own(tmp_path / "en-de")
    (folder / "README.md").write_text("---\nlanguage: [en, de]\n---\n")
    recorded = {"format": FORMAT, "text": opening(None, "en-de").text}
    (folder / FILE).write_text(json.dumps(recorded))
    monkeypatch.setitem(shipped.FOLDERS, "en-de", folder)
    return folder


def test_a_text_that_is_a_shipped_name_opens_it_and_a_path_never_does(
    german: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tiny.write_own(tmp_path / "runs" / "en-de", seed=1)
    monkeypatch.chdir(own.parent)
    places = (None, "", "en-zh", "en-de", "./en-de", str(own), Path("en-de"))
    first = shipped.FOLDERS["en-zh"]
    wanted = [first, first, first, german, Path("en-de"), own, Path("en-de")]
    assert [Explainer.load(one, device="cpu").folder for one in places] == wanted


@pytest.mark.parametrize(
    ("places", "opens", "lessons"),
    [
        (["en-zh", "zh-en"], "en-zh en-zh", "en-zh en-zh"),
        (["en-zh", "zh-en", "en-de"], "en-de en-zh", "en-de en-zh"),
        (["en-de"], "en-de en-de", "en-de en-de"),
        (["{own}", "en-zh", "en-de"], "own-en-de own-en-de", "en-de en-zh"),
        (["{own}"], "own-en-de own-en-de", ""),
    ],
)
def test_a_page_opens_with_the_model_of_its_language(
    german: Path, tmp_path: Path, places: list[str], opens: str, lessons: str
) -> None:
    """Unless another model was named first; the lessons stay with the shipped ones."""
    own = str(tiny.write_own(tmp_path / "own" / "en-de"))
    found = listed([one.format(own=own) for one in places], lambda place: place)  # type: ignore[arg-type, return-value]
    told = facts(named(found), exhibits.load(), "auto", texts())
    assert " ".join(told["opens"].values()) == opens
    assert " ".join(told["lessons"].values()) == lessons
    pages = {one["key"]: one["recorded"] for one in told["models"]}
    kept = {"en-zh": "recorded/en-zh.json", "en-de": "recorded/en-de.json"}
    assert pages == {key: kept.get(key) for key in pages}
