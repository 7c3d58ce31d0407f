"""Training on the page: what is drawn is what Python trains, and runs end as visitors want it."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from explorer import calls
from explorer.exchange.reply import Reply
from explorer.exhibits import playground
from explorer.static import assets_path
from explorer.words import WORDS
from model.labs.playground import tasks
from model.labs.playground.job import Visitor
from model.labs.playground.presets import MODELS, PRESETS, RACES, model_of, with_parts
from model.labs.playground.run import train
from model.labs.playground.settings import Settings
from tests import npm
from tests.browsing import ROOT, written
from tests.stage import Stage, expect, unfold

Open = Callable[..., Stage]

SMALL = Settings(length=3, alphabet=12, d_model=16, d_ff=16, heads=2, batch=8, updates=30)
WILD = replace(SMALL, layers=6, rate=0.1, norm="none", warmup=0, scaling=False, updates=400)

# ---------------------------------------------------------------------------------- the route


def post(name: str, body: object, host: str = "testclient", **headers: str) -> Any:
    route = calls.calls_route(lambda _: Reply("payload", "{}"))  # of lines, which are no test here
    client = TestClient(Starlette(routes=[route]), client=(host, 50_000))
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    kind = {"content-type": "application/json", **headers}
    return client.post(f"{assets_path()}call/{name}", content=content, headers=kind)


def test_examples_are_asked_for_without_a_model() -> None:
    reply = post("playground_examples", {"settings": {"task": "add"}}).json()["payload"]
    assert reply["parameters"] == Settings(task="add").parameters
    for source, target in reply["pairs"]:
        a, b = source.split("+")
        assert int(a) + int(b) == int(target[::-1])


@pytest.mark.parametrize(
    "body",
    [
        b"", b"{", b"[]", b"null", b"[" * 4000,
        {"settings": {"layers": 10**6}}, {"settings": {"task": {"a": 1}}},
        {"settings": {"updates": 1e9}}, {"settings": {"d_model": "64; import os"}},
        {"settings": [1]}, {}, {"settings": {"layers": 6, "d_model": 128, "d_ff": 512}},
    ],
)  # fmt: skip
def test_hostile_calls_get_a_sentence(body: object) -> None:
    reply = post("playground_examples", body).json()
    assert reply["message"]["en"] and reply["message"]["zh"]
    assert reply["message"]["en"] != WORDS["error.unexpected"].en


def test_a_call_is_json_and_small() -> None:
    started = playground.POOL.started
    assert post("playground_examples", {}, **{"content-type": "text/plain"}).status_code == 415
    assert post("playground_examples", {"settings": "x" * 10_000}).status_code == 413
    assert "message" in post("no_such_call", {}).json()
    wrong = {"settings": {}, "visitor": "x" * 100, "since": 0, "paused": False}
    assert "message" in post("playground_follow", wrong).json()
    assert playground.POOL.started == started


@pytest.mark.parametrize("name", ["playground_examples", "playground_follow"])
@pytest.mark.parametrize("rate", [10**400, -(10**400), 0.2])
def test_a_rate_outside_its_range_gets_a_sentence(name: str, rate: float) -> None:
    body = {"settings": {"rate": rate}, "visitor": "x", "since": 0, "paused": False}
    message = post(name, body).json()["message"]
    assert "expected a number from 1e-05 to 0.1" in message["en"]
    assert "应是 1e-05 到 0.1 之间的数" in message["zh"]


def test_a_visitor_is_a_name_an_address_and_a_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Visitor] = []

    class Watching:
        def follow(self, _: Settings, visitor: Visitor, *__: object) -> dict[str, Any]:
            seen.append(visitor)
            return {}

        def leave(self, visitor: Visitor) -> None:
            seen.append(visitor)

    monkeypatch.setattr(playground, "POOL", Watching())
    body = {"settings": {}, "visitor": "me", "since": 0, "paused": False}
    browser = {"user-agent": "Chrome", "x-visitor": "not asked about"}
    for host in ("192.0.2.1", "2001:db8::7"):
        post("playground_follow", body, host, **browser)
        post("playground_leave", {"visitor": "me"}, host, **browser)
    one, two = Visitor("me", "192.0.2.1", "Chrome"), Visitor("me", "2001:db8::", "Chrome")
    assert seen == [one, one, two, two]


def linked(task: str, pairs: list[list[str]]) -> list[list[list[int]]]:
    """The arrows that are drawn for some examples."""
    script = (
        f"import {{ linksOf }} from '{ROOT}/explorer/exhibits/playground/links.js';"
        f"console.log(JSON.stringify({json.dumps(pairs)}.map(([a, b]) => linksOf('{task}', a, b))))"
    )
    run = subprocess.run(
        [npm.node(), "--input-type=module", "-e", script],
        capture_output=True,
        text=True,
        check=True,
    )
    return list(json.loads(run.stdout))


@pytest.mark.parametrize("task", tasks.TASKS)
def test_the_arrows_are_the_rule_of_the_task(task: Any) -> None:
    """From each letter of the input to what Python's rule makes of it."""
    random = np.random.default_rng(3)
    one = Settings(task=task)
    pairs = [list(tasks.TASKS[one.task].draw(random, one.length, one.alphabet)) for _ in range(60)]
    for (source, target), links in zip(pairs, linked(task, pairs), strict=True):
        ends = {to: [source[at] for at, there in links if there == to] for _, to in links}
        if task in ("copy", "reverse", "sort"):
            assert sorted(at for at, _ in links) == list(range(len(source)))
            assert "".join(ends[to][0] for to in range(len(target))) == target
        elif task == "count":
            assert len(links) == int(target) and set(ends.get(0, "a")) == {"a"}
        elif task == "add":
            carry = 0
            for to, digit in enumerate(target[:-1]):
                assert len(ends[to]) == 2
                total = sum(map(int, ends[to])) + carry
                assert total % 10 == int(digit)
                carry = total // 10
            assert int(target[-1]) == carry
        else:
            for to, letter in enumerate(target):
                assert ends.get(to, [letter])[0] in (letter, *"abcdefghijklmnopqrstuvwxyz")
                assert (to in ends) or letter in "0-"
            if source[-5].isdigit() is False:
                assert "".join(ends[to][0] for to in range(4)) == target[:4]


# ----------------------------------------------------------------------------------- the page


@pytest.fixture
def page(open_stage: Open) -> Iterator[Stage]:
    opened = open_stage("?view=playground")
    opened.wait_for_selector(".hl-play-drawn")
    yield opened
    assert opened.errors == []


def make_small(page: Stage, settings: Settings = SMALL) -> None:
    """Set the form to small settings, as a visitor would."""
    page.select_option(".hl-play-presets select", "own")
    unfold(page, "playground", "adjust")
    for name in ("length", "alphabet"):
        type_in(page, name, getattr(settings, name))
    folded = page.locator(".hl-play-form details:not([open]) > summary")
    while folded.count() > 0:
        folded.first.click()
    for name in ("layers", "heads", "warmup", "batch", "updates"):
        type_in(page, name, getattr(settings, name))
    for name in ("d_model", "d_ff", "rate", "norm"):
        page.select_option(f".hl-play-{name} select", str(getattr(settings, name)))
    (page.check if settings.scaling else page.uncheck)(".hl-play-scaling input")


def type_in(page: Stage, name: str, value: object) -> None:
    """Type a number at once: a redraw between two keys would write the old one again."""
    page.eval_on_selector(
        f".hl-play-{name} .hl-typed",
        "(field, value) => { field.value = value; field.dispatchEvent(new Event('change')); }",
        str(value),
    )


def wait_until(page: Stage, state: str) -> None:
    appears(page, f".hl-play-status[data-state={state}]")


def appears(page: Stage, selector: str) -> None:
    """Wait for something that a training process brings about."""
    page.wait_for_process(lambda: page.is_visible(selector), selector)


def downloaded(page: Stage, form: str) -> str:
    return page.take("#panel-playground", form)[1].decode("utf-8-sig")


def paused(page: Stage) -> bool:
    """What the page told the server last."""
    told = [raw["body"] for raw in page.requests if raw.get("fetch", "").endswith("_follow")]
    return bool(json.loads(told[-1])["paused"])


def test_what_is_drawn_is_what_python_trains(page: Stage) -> None:
    make_small(page)
    page.click(".hl-play-train")
    wait_until(page, "done")
    result = train(SMALL)
    expected = json.loads(json.dumps(result.to_dict()))
    (told,) = json.loads(downloaded(page, "json"))
    assert Settings.from_dict(told["settings"]) == SMALL
    for name in set(expected) - {"seconds", "curve"}:
        assert told["result"][name] == expected[name]
    # On the page chance stands beside each accuracy.
    unfold(page, "playground", "numbers")
    cells = page.locator(".hl-play-results tbody td, .hl-play-results tbody th")
    for i, (share, luck) in enumerate((("free", "chance"), ("teacher_forced", "chance_token"))):
        numbers = (cells.nth(i).text_content() or "").replace("chance", "").split("%")
        shown = [written(number) / 100 for number in numbers[:2]]
        wanted = [expected[f"{share}_accuracy"], expected[f"{luck}_accuracy"]]
        assert shown == pytest.approx(wanted, abs=0.00051)
    assert "Measured on 200 held-out inputs" in page.inner_text("#panel-playground .hl-numbers")
    assert [one["loss"] for one in told["curve"]] == [one.loss for one in result.frames]
    rows = [line.split(",") for line in downloaded(page, "csv").strip().splitlines()[1:]]
    assert [int(row[1]) for row in rows] == [one.update for one in result.frames]
    # The map that is drawn, read cell by cell by its keyboard.
    weights = result.frames[-1].attention["cross"][0, 0]
    page.focus(".hl-play-heads .hl-field")
    for col in range(3):
        page.keyboard.press("ArrowRight")
        page.wait_for_function(
            """(weight) => {
                const said = document.querySelector(".hl-play-maps .hl-note b")?.textContent ?? "";
                return Math.abs(Number(said.split(" ").at(-1)) - weight) < 0.008;
            }""",
            arg=float(weights[0, col + 1]),
        )
    # Step back: the slider goes through what was recorded.
    page.fill(".hl-play-at [type=range]", "0")
    page.wait_for_selector(".hl-play-at output:text-is('update 0')")


@pytest.mark.long
def test_start_pause_go_on_stop_and_compare(page: Stage) -> None:
    make_small(page, replace(SMALL, updates=3000))
    page.click(".hl-play-train")
    appears(page, ".hl-play-heads canvas")
    page.click(".hl-play-pause")
    expect(page.locator(".hl-play-status")).to_contain_text("paused")
    # With the next question: one from before the press may be under way.
    page.wait_for_process(lambda: paused(page), "the server is told of the pause")
    page.click(".hl-play-pause")
    before = page.text_content(".hl-play-status")
    page.wait_for_process(lambda: page.text_content(".hl-play-status") != before, "it goes on")
    page.wait_for_process(lambda: not paused(page), "the server is told that it goes on")
    page.click(".hl-play-stop")
    wait_until(page, "stopped")
    # Two runs, laid over each other, and what they differ in.
    type_in(page, "updates", 30)
    page.click(".hl-play-train")
    wait_until(page, "done")
    page.check(".hl-play-keep input")
    page.select_option(".hl-play-positions select", "none")
    page.click(".hl-play-train")
    unfold(page, "playground", "numbers")
    appears(page, ".hl-play-results tbody tr:nth-child(2)")
    unfold(page, "playground", "reading")
    assert page.text_content(".hl-play-apart") == "Positions: A sinusoids (the paper), B none"
    told = json.loads(downloaded(page, "json"))
    for one, settings in zip(told, (SMALL, replace(SMALL, positions="none")), strict=True):
        assert one["result"]["loss"] == train(settings).to_dict()["loss"]


def test_a_question_asks_first_and_tells_after(page: Stage) -> None:
    # The first preset, with both runs made tiny, so that the test is short.
    page.evaluate(
        """(small) => {
            const { constants } = headlight.page.shared;
            const [preset] = constants.playground.presets;
            preset.first = small;
            preset.second = { ...small, positions: 'none' };
        }""",
        json.loads(SMALL.to_json()),
    )
    page.check(".hl-play-guess input[value=failed]")
    page.click(".hl-play-train")
    appears(page, ".hl-play-verdict")
    said = page.text_content(".hl-play-verdict").strip()
    second = train(replace(SMALL, positions="none")).to_dict()
    free = second["free_accuracy"]
    assert said.startswith("As you guessed: few." if free < 0.4 else "You guessed few;")
    finding = page.inner_text("#panel-playground .hl-finding")
    assert f"with the change (B), {100 * free:.1f} %" in finding
    assert len(finding.split()) <= 20
    # Both models' heads, the healthy one's first.
    assert page.locator(".hl-play-writes b").all_text_contents() == ["A", "B"]
    # What others came to is not what was just trained, and says so.
    recorded = playground.facts()["claims"]["positions"]
    unfold(page, "playground", "reading")
    note = page.inner_text(".hl-play-seeds")
    assert note.startswith("Recorded earlier, not trained just now: ")
    for which, name in (("first", "A"), ("second", "B")):
        listed = ", ".join(str(round(100 * one)) for one in recorded[which])
        assert f"{name} {listed};" in note
    assert note.endswith(f"chance at most {round(100 * max(recorded['chance']), 1):g}.")


# ------------------------------------------------------------------------- models of other years

TINY = replace(SMALL, length=4, shorter=True, updates=60, rate=0.01)


def made(model: str, settings: Settings = TINY) -> dict[str, Any]:
    return asdict(with_parts(settings, model))


def race_with_tiny_models(page: Stage) -> None:
    """Both races with small runs, so that the test is short."""
    page.evaluate(
        """(runs) => {
            for (const race of headlight.page.shared.constants.playground.races) race.runs = runs;
        }""",
        {model: made(model) for model in MODELS},
    )


@pytest.mark.long
@pytest.mark.parametrize("pair", [("paper", "t5"), ("t5", "bart")])
def test_two_models_of_one_size_race_and_the_numbers_are_theirs(
    open_stage: Open, pair: tuple[str, str]
) -> None:
    page = open_stage("?view=playground&playground.preset=further")
    race_with_tiny_models(page)
    unfold(page, "playground", "adjust")
    for name, model in zip(("first", "second"), pair, strict=True):
        page.select_option(f".hl-play-{name} select", model)
    names = [WORDS[f"playground.made.{model}"].en for model in pair]
    assert page.finding("playground") == (
        "Trained on at most eight letters: which reverses longer words, "
        f"{names[0]} (A) or {names[1]} (B)?"
    )
    said = [RACES[1].runs[model].parameters for model in pair]
    sizes = f"A has {said[0]:,} parameters, B {said[1]:,}."
    assert sizes in page.inner_text("#panel-playground").replace("\u202f", ",")
    page.check(".hl-play-guess input[value=second]")
    page.click(".hl-play-train")
    appears(page, ".hl-play-verdict")
    runs = [train(Settings.from_dict(made(model))) for model in pair]
    reach = []
    for run in runs:
        assert run.score is not None
        longer = [one.free_accuracy for one in run.score.by_length if one.length > TINY.length]
        assert len(longer) == 8
        reach.append(sum(longer) / 8)
    shown = [f"{100 * one:.1f} %" for one in reach]
    assert page.finding("playground") == (
        f"Words longer than any in training: A gets {shown[0]} of them wholly right, B {shown[1]}."
    )
    ahead = 0 if reach[0] - reach[1] >= 0.05 else 1 if reach[1] - reach[0] >= 0.05 else 2
    verdict = page.text_content(".hl-play-verdict").strip()
    found = [*names, "no difference"][ahead]
    expected = f"You guessed {names[1]}; it was {found}."
    assert verdict.startswith(f"As you guessed: {found}." if ahead == 1 else expected)
    for which, model in zip("AB", pair, strict=True):
        positions = MODELS[model]["positions"]
        because = WORDS[f"playground.because.further.{positions}"].en
        assert f"{which} {because}" in " ".join(verdict.split())
    unfold(page, "playground", "numbers")
    cells = page.locator(".hl-play-lengths tbody :is(td, th)").all_text_contents()
    assert cells == [
        text
        for one, other in zip(runs[0].score.by_length, runs[1].score.by_length, strict=True)
        for text in (str(one.length), *(f"{100 * s.free_accuracy:.1f} %" for s in (one, other)))
    ]
    # Another question begins without these runs, also where a link or a lesson asks it.
    page.evaluate("headlight.page.choices.set({ 'playground.preset': 'sooner' })")
    page.wait_for_selector(".hl-play-drawn")
    assert page.finding("playground").endswith("which learns to reverse eight letters first?")
    assert page.errors == []


def test_who_is_ahead_by_hand() -> None:
    """Curves and scores that were made up, and what follows from them."""

    def run(shares: list[float], longer: list[float]) -> dict[str, Any]:
        frames = [{"update": 10 * i, "free_accuracy": one} for i, one in enumerate(shares)]
        scores = [{"length": 8 + i, "free_accuracy": one} for i, one in enumerate([1.0, *longer])]
        settings = {"length": 8}
        return {"frames": frames, "settings": settings, "result": {"by_length": scores}}

    quick, slow, never = [0, 0.2, 0.5, 1], [0, 0, 0, 0, 0.6], [0, 0.1, 0.4, 0.49]
    cases = [
        ("sooner", run(quick, []), run(slow, []), "first"),
        ("sooner", run(slow, []), run(quick, []), "second"),
        ("sooner", run(never, []), run(slow, []), "second"),
        ("sooner", run(quick, []), run(never, []), "first"),
        ("sooner", run(never, []), run(never, []), "neither"),
        ("sooner", run(quick, []), run(quick, []), "neither"),
        ("further", run(never, [0.8, 0.4]), run(quick, [0.0, 0.0]), "first"),
        ("further", run(quick, [0.1, 0.0]), run(quick, [0.14, 0.04]), "neither"),
        ("further", run(quick, [0.1, 0.0]), run(quick, [0.2, 0.02]), "second"),
    ]
    script = (
        f"import {{ winner }} from '{ROOT}/explorer/exhibits/playground/ahead.js';"
        f"const cases = {json.dumps(cases)};"
        "console.log(JSON.stringify(cases.map(([race, a, b]) => winner(race, [a, b]))))"
    )
    done = subprocess.run(
        [npm.node(), "--input-type=module", "-e", script],
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout) == [right for *_, right in cases]


def settings_on(page: Stage) -> Settings:
    """What the form would train, read from the request for its examples."""
    asked = [raw["body"] for raw in page.requests if raw.get("fetch", "").endswith("_examples")]
    return Settings.from_dict(json.loads(asked[-1])["settings"])


def test_the_form_sets_all_parts_of_a_model_and_keeps_its_size(page: Stage) -> None:
    wide = replace(SMALL, d_ff=64)  # enough to make up for a table of places
    make_small(page, wide)
    for model in ("t5", "bart", "paper"):
        page.select_option(".hl-play-parts select", model)
        page.wait_for_function("() => !document.querySelector('.hl-play-form .hl-failed')")
        page.wait_for_process(lambda: model_of(settings_on(page)) == model, "the examples")  # noqa: B023
        assert abs(settings_on(page).parameters / wide.parameters - 1) < 0.1
        for name, value in MODELS[model].items():
            control = page.locator(f".hl-play-{name} :is(select, input)").first
            now = control.is_checked() if isinstance(value, bool) else control.input_value()
            assert now == value, name
            if isinstance(value, str):  # who brought it, in one line
                note = WORDS[f"playground.why.{name}.{value}"].en
                assert page.locator(f".hl-play-{name} ~ .hl-note:text-is('{note}')").count() >= 1
    page.select_option(".hl-play-positions select", "learned")
    assert page.input_value(".hl-play-parts select") == "mixed"


@pytest.mark.parametrize("name", ["mask", "heads", "count", "further"])
def test_a_link_to_a_question_shows_its_task_and_its_settings(open_stage: Open, name: str) -> None:
    page = open_stage(f"?view=playground&playground.preset={name}")
    page.wait_for_selector(".hl-play-drawn")
    unfold(page, "playground", "adjust")
    asked = {preset.name: preset.second for preset in PRESETS} | {"further": RACES[1].runs["t5"]}
    assert settings_on(page) == asked[name]
    assert page.input_value(".hl-play-task select") == asked[name].task
    page.uncheck(".hl-play-tied input") if asked[name].tied else page.check(".hl-play-tied input")
    page.wait_for_process(lambda: settings_on(page).tied != asked[name].tied, "the examples")
    assert replace(settings_on(page), tied=asked[name].tied) == asked[name]  # all else is kept
    assert page.input_value(".hl-play-presets select") == "own"


@pytest.mark.parametrize(("former", "now"), [(True, "sinusoids"), (False, "none")])
def test_a_link_from_before_there_were_other_parts_still_opens(
    open_stage: Open, former: bool, now: str
) -> None:
    newer = {"shorter", "norm_kind", "feed_forward", "biases", "embedding"}
    old = {name: one for name, one in asdict(SMALL).items() if name not in newer}
    linked = quote(json.dumps({**old, "positions": former, "heads": 1}))
    page = open_stage(f"?view=playground&playground.preset=own&playground.settings={linked}")
    page.wait_for_selector(".hl-play-drawn")
    assert settings_on(page) == replace(SMALL, positions=now, heads=1)


def test_a_bad_setting_gets_a_sentence_on_the_page(page: Stage) -> None:
    make_small(page)
    type_in(page, "heads", 5)
    page.wait_for_selector(".hl-play-form .hl-failed")
    assert "even multiple of n_heads (5)" in (page.text_content(".hl-play-form .hl-failed") or "")
    page.click(".hl-play-train")
    page.wait_for_selector("#panel-playground .hl-finding .hl-failed")


@pytest.mark.long
def test_a_run_that_diverges_is_shown_up_to_there(page: Stage) -> None:
    result = train(WILD)
    make_small(page, WILD)
    page.click(".hl-play-train")
    wait_until(page, "done")
    said = (page.text_content(".hl-play-status") or "").strip()
    assert said.startswith(f"The model diverged: at update {result.diverged} its numbers")
    assert len(said.split()) <= 20
    assert page.locator("#panel-playground .hl-finding .hl-failed").count() == 0
    # The curve, up to the last update that could be made.
    (told,) = json.loads(downloaded(page, "json"))
    assert [one["loss"] for one in told["curve"]] == [one.loss for one in result.frames]
    assert told["result"]["diverged"] == result.diverged
    path = page.get_attribute(".hl-play-curve >> nth=0 >> .hl-plot-line", "d") or ""
    assert path.count("L") == len(result.frames) - 1
    # There is nothing to open, and the next run begins as ever.
    assert page.locator(".hl-play-open").count() == 0
    make_small(page)
    page.click(".hl-play-train")
    appears(page, ".hl-play-open")


def test_a_task_of_few_inputs_says_why_it_has_no_score(page: Stage) -> None:
    make_small(page, replace(SMALL, alphabet=2))
    page.click(".hl-play-train")
    wait_until(page, "done")
    sentence = WORDS["playground.too_few"].en
    assert page.locator(".hl-play-watch").inner_text().count(sentence) == 1
    unfold(page, "playground", "numbers")
    assert "%" not in page.inner_text(".hl-play-results")
    assert page.locator(".hl-plot").count() == 1  # of the loss alone


def worker() -> int:
    """The process that trains for these pages."""
    for children in Path("/proc/self/task").glob("*/children"):
        for pid in children.read_text().split():
            with contextlib.suppress(FileNotFoundError):  # it has just ended
                if b"playground.worker" in Path(f"/proc/{pid}/cmdline").read_bytes():
                    return int(pid)
    raise AssertionError("no process trains")


@pytest.mark.long
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
def test_a_run_that_was_killed_can_be_started_again(page: Stage) -> None:
    make_small(page, replace(SMALL, updates=5000))
    for _ in range(2):
        page.click(".hl-play-train")
        appears(page, ".hl-play-heads canvas")
        os.kill(worker(), signal.SIGKILL)
        appears(page, "#panel-playground .hl-finding .hl-failed")
        failed = page.inner_text("#panel-playground .hl-finding .hl-failed")
        assert failed == WORDS["playground.broken"].en
    make_small(page)
    page.click(".hl-play-train")
    wait_until(page, "done")


@pytest.mark.long
def test_a_visitor_who_leaves_makes_room_for_the_next(page: Stage) -> None:
    make_small(page, replace(SMALL, updates=5000))
    page.click(".hl-play-train")
    appears(page, ".hl-play-heads canvas")
    mine = json.loads(replace(SMALL, seed=77).to_json())
    other = {"settings": mine, "visitor": "x", "since": 0, "paused": False}

    def follow() -> Any:
        return post("playground_follow", other).json()["payload"]

    assert follow()["place"] == 1
    page.evaluate("dispatchEvent(new Event('pagehide'))")
    page.wait_for_process(lambda: follow()["state"] != "waiting", "the next one's turn")
    post("playground_leave", {"visitor": "x"})
