"""Models that the server sends to the browser's engine: their weights, and the proof in Node."""

from __future__ import annotations

import copy
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
import safetensors.torch
import torch
from starlette.applications import Starlette
from starlette.testclient import TestClient

from explorer import exhibits, weights
from explorer.exchange.packing import pack, unpack
from explorer.exchange.question import Arguments
from explorer.exchange.request import parse
from explorer.facts import Named, facts
from explorer.models import Models
from explorer.static import assets_path
from explorer.weights import weights_routes
from model.config import Positions
from model.explain import Explainer
from model.labs.playground.run import train
from model.labs.playground.settings import Settings
from model.labs.playground.trained import explainer as trained
from tests import foreign, tiny
from tests.parity.engine import METHODS
from tests.parity.test_proof import is_noticed, node_lines, sent
from tests.tiers import each, some

REFUSED = ("../../etc/passwd", "..%2f..%2fetc%2fpasswd", "play.reverse", "nobody", "/etc/passwd")
TEXT = "The old bank stands by the river bank."


def server(explainer: Explainer) -> TestClient:
    """A server with this model in memory."""
    models = tiny.only(lambda: explainer)
    models.get()
    return TestClient(Starlette(routes=list(weights_routes(models))))


def path(kind: str, key: str = "") -> str:
    return f"{assets_path()}{kind}/{key}"


@pytest.fixture(scope="module")
def marian(tmp_path_factory: pytest.TempPathFactory) -> Explainer:
    return marian_of(tmp_path_factory.mktemp("marian"))


def marian_of(folder: Path, **changes: Any) -> Explainer:
    sizes = {"d_model": 24, "encoder_attention_heads": 3, "decoder_attention_heads": 2}
    tiny.write_marian(folder, 5, **{**sizes, "decoder_ffn_dim": 20, **changes})
    return calmed(Explainer.load(folder, device="cpu"), 0.5)


def calmed(explainer: Explainer, factor: float) -> Explainer:
    """The model with smaller matrices: tiny.py draws them so wide that rounding grows."""
    for matrix in (one for one in explainer.model.parameters() if one.dim() == 2):
        matrix.mul_(factor)
    return explainer


# ------------------------------------------------------------------------------- the route


def test_the_weights_are_the_models_with_their_length_and_hash(marian: Explainer) -> None:
    with server(marian) as client:
        head, reply = client.head(path("weights")), client.get(path("weights"))
    assert int(head.headers["content-length"]) == len(reply.content)
    digest = hashlib.sha256(reply.content).hexdigest()
    assert head.headers["etag"] == reply.headers["etag"] == f'"{digest}"'
    read, state = safetensors.torch.load(reply.content), marian.model.state_dict()
    assert read.keys() == state.keys()
    assert all(torch.equal(read[name], state[name]) for name in state)


@pytest.mark.parametrize("kind", ["weights", "engine"])
def test_a_key_without_a_model_in_memory_is_refused(marian: Explainer, kind: str) -> None:
    with server(marian) as client:
        for key in REFUSED:
            reply = client.get(path(kind, key))
            assert reply.status_code == 404, key
            if "/" not in key and "%" not in key:
                assert set(reply.json()["message"]) == {"en", "zh"}
    idle = Models([tiny.Listed("tiny", "tiny", lambda: pytest.fail("the route loads nothing"))])
    with TestClient(Starlette(routes=list(weights_routes(idle)))) as client:
        assert "no longer" in client.get(path(kind)).json()["message"]["en"]


def test_a_model_that_is_too_large_is_refused_with_both_sizes(
    marian: Explainer, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = weights.header(marian)[1]
    with server(marian) as client:
        monkeypatch.setattr(weights, "MAX_BYTES", size)
        assert client.get(path("weights")).status_code == 200
        monkeypatch.setattr(weights, "MAX_BYTES", size - 1)
        for kind in ("weights", "engine"):
            reply = client.get(path(kind))
            assert reply.status_code == 404 and "MB" in reply.json()["message"]["en"]


def test_no_more_streams_at_a_time_than_there_is_room_for(
    marian: Explainer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with server(marian) as client:
        for _ in range(weights.MAX_STREAMS + 1):  # each gives its place back
            assert client.get(path("weights")).status_code == 200
        for _ in range(weights.MAX_STREAMS):
            assert weights._streams.acquire(blocking=False)
        try:
            assert client.get(path("weights")).status_code == 503
        finally:
            weights._streams.release(weights.MAX_STREAMS)


# ------------------------------------------------------------------------------- the proof


def proved(
    explainer: Explainer,
    cases: list[tuple[dict[str, Any], list[dict[str, Any]]]],
    tmp_path: Path,
    asked: list[tuple[dict[str, Any], list[Any]]] = [],  # noqa: B006
) -> list[Any]:
    """What the engine finds in payloads and answers, with what the server sends it."""
    with server(explainer) as client:
        (tmp_path / "weights").write_bytes(client.get(path("weights")).content)
        about = client.get(path("engine")).json()
    given = {
        "served": True,
        "folder": str(tmp_path),
        "about": about | {"key": explainer.name},
        "cases": [{"request": request, "payloads": all_} for request, all_ in cases],
        "facts": facts([Named(explainer.name, explainer.name)], exhibits.load(), "auto"),
        "asked": [{"request": request, "shown": all_} for request, all_ in asked],
    }
    return node_lines(given, tmp_path)


def request(text: str, method: str = "beam 4", **more: Any) -> dict[str, Any]:
    plain = {"begin": "", "prefix": [], "interventions": {"padding": 0}}
    return {"text": text, "settings": METHODS[method], **plain, **more}


def altered(right: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """A wrong answer for each of these lines of the proof."""
    wrong = {name: copy.deepcopy(right) for name in ("predictions", "cross", "hypotheses")}
    wrong["predictions"]["steps"][0]["log_prob"] += 0.01
    maps = wrong["cross"]["attention"]["cross"]
    count = maps["layers"] * maps["heads"] * maps["queries"]
    count *= maps["keys"] - right["interventions"]["padding"]  # padding is masked, and not sent
    numbers = unpack(maps["weights"], "<u2", count).copy()
    numbers[0] ^= 1 << 9
    maps["weights"] = pack(numbers)
    wrong["hypotheses"]["hypotheses"][0]["text"] += "x"
    return wrong


MODELS = {
    "other sizes": {},
    "two vocabularies": {"separate": True},
    "before each sub-layer": {"pegasus": True},
    "several ends": {"eos_token_id": [0, *range(5, 140, 5)], "forced_eos_token_id": 0},
}


@pytest.mark.slow
@each("name", tuple(MODELS), 1)
def test_a_marian_model_is_proved_and_wrong_answers_are_noticed(name: str, tmp_path: Path) -> None:
    """Its source tokens are the page's; all that follows from them is computed."""
    folder = tmp_path / "marian"
    explainer = marian_of(folder, **MODELS[name])
    prefix = [int(explainer.tokenizer.encode_target("我").ids[0])]
    padded = {"interventions": {"padding": 2}}
    methods = some(tuple(METHODS), 3)
    requests = [*(request(TEXT, one) for one in methods), request(TEXT, prefix=prefix, **padded)]
    cases = [(one, [right, *altered(right).values()]) for one in requests
             for right in [sent(explainer, one)]]  # fmt: skip
    for (asked, _), (truth, *found) in zip(cases, proved(explainer, cases, tmp_path), strict=True):
        assert truth.get("off") == [], (asked, truth)
        assert truth["count"] > 1_000
        for line, one in zip(altered(cases[0][1][0]), found, strict=True):
            assert line in one["off"], (line, one)


RULES: dict[str, dict[str, Any]] = {
    "bart": {
        "forced_bos_token_id": 0, "no_repeat_ngram_size": 3, "min_length": 8,
        "early_stopping": True,
    },
    "pegasus": {"length_penalty": 0.8, "repetition_penalty": 1.3},
    "blenderbot": {
        "min_length": 6, "max_length": 9, "encoder_no_repeat_ngram_size": 3,
        "early_stopping": "never",
    },
    "nllb": {"renormalize_logits": True, "no_repeat_ngram_size": 2},
}  # fmt: skip


ABOUT: list[tuple[str, dict[str, Any]]] = [
    ("positions", {}),
    ("stream", {"stack": "decoder", "layer": 0}),
    ("figure", {"encoder": [0], "decoder": [0]}),
    ("lens", {}),
    ("looks", {"kind": "cross", "layer": 0, "head": 1, "row": 2, "column": 1, "against": 0}),
    ("share", {}),
    *(("microscope_head", {"kind": kind, "layer": 0, "head": 1, "matrix": True})
      for kind in ("encoder_self", "decoder_self", "cross")),
    ("summary", {"kind": "decoder_self", "way": "mean", "layer": 1}),
    ("why", {"step": 1, "rival": 7}),
    ("why_off", {"step": 1, "rival": 7}),
]  # fmt: skip


@pytest.mark.slow
@each("name", ("t5", "umt5", "byt5", "blenderbot small"), 1)
def test_the_views_questions_are_proved_under_another_family(name: str, tmp_path: Path) -> None:
    """Positions, biases, norms and gated units, as the views are told of them.

    The checkpoint stops a text long before the page would.
    """
    folder = foreign.write_family(tmp_path / "family", name, 0, generation={"max_length": 8})
    explainer = calmed(Explainer.load(folder, device="cpu"), 0.5)
    questions = {key: ask for one in exhibits.load() for key, ask in one.questions.items()}
    asked = []
    for question, arguments in ABOUT:
        raw = request(foreign.SENTENCES[2]) | {"question": question, "arguments": arguments}
        shown = questions[question](explainer, parse(raw, explainer.defaults), Arguments(arguments))
        asked.append((raw, [json.loads(json.dumps(shown))]))
    plain = request(foreign.SENTENCES[2])  # the engine takes the tokens from the page
    (whole,), *answers = proved(explainer, [(plain, [sent(explainer, plain)])], tmp_path, asked)
    assert whole["off"] == [], whole
    assert explainer.explain(plain["text"], explainer.defaults).trace.tgt_out.ids.size == 7
    for (raw, _), (found,) in zip(asked, answers, strict=True):
        assert found["off"] == 0 < found["count"], (raw["question"], found)


@pytest.mark.slow
@each("positions", ("sinusoids", "relative"), 1)
def test_a_model_trained_on_the_page_is_proved(tmp_path: Path, positions: Positions) -> None:
    size: dict[str, Any] = {"length": 3, "updates": 60, "d_model": 16, "heads": 2}
    settings = Settings(**size, tied=False, norm="pre", positions=positions)
    explainer = trained(settings, safetensors.torch.save(train(settings).model.state_dict()))
    text = explainer.tokenizer.examples[0]
    shift = {"positions": "shifted", "shift": 300 if positions == "relative" else 2}
    cases = [(one, [right, *altered(right).values()])
             for one in (request(text), request(text[::-1], begin=text[0]),
                         request(text, interventions={"padding": 0, **shift}))
             for right in [sent(explainer, one)]]  # fmt: skip
    questions = {key: ask for one in exhibits.load() for key, ask in one.questions.items()}
    asked = []
    for question, arguments in (
        ("batch", {"sentences": [text[:1], text]}),
        ("near", {"side": "source", "id": 4}),
    ):
        raw = request(text) | {"question": question, "arguments": arguments}
        asked.append((raw, [questions[question](explainer, parse(raw), Arguments(arguments))]))
    wrong = copy.deepcopy(asked[-1][1][0])
    wrong["tokens"][0]["cosine"] += 0.01
    asked[-1][1].append(wrong)
    *payloads, (batch,), (same, other) = proved(explainer, cases, tmp_path, asked)
    for truth, *found in payloads:
        assert truth.get("off") == [], truth
        assert all(is_noticed(one) for one in found)
    assert batch["off"] == 0 < batch["count"]
    assert same["off"] == 0 < same["count"] and other["off"] == 1


@pytest.mark.long
def test_a_model_of_the_usual_size_of_marian_is_proved(tmp_path: Path) -> None:
    """6 + 6 layers, d_model 512, 32,000 pieces; the largest differences are those of the proof."""
    folder = tmp_path / "marian"
    size = {"d_model": 512, "encoder_layers": 6, "decoder_layers": 6}
    size |= {"vocab_size": 32_000, "decoder_vocab_size": 32_000}
    heads = {f"{stack}_attention_heads": 8 for stack in ("encoder", "decoder")}
    inner = {f"{stack}_ffn_dim": 2_048 for stack in ("encoder", "decoder")}
    tiny.write_marian(folder, 5, **size, **heads, **inner)
    known = json.loads((folder / "vocab.json").read_text("utf-8"))
    more = {f"filler{i}": i for i in range(len(known), 32_000)}
    (folder / "vocab.json").write_text(json.dumps(known | more), "utf-8")
    explainer = calmed(Explainer.load(folder, device="cpu"), 0.1)
    asked = request(TEXT)
    right = sent(explainer, asked)
    ((truth, *found),) = proved(explainer, [(asked, [right, *altered(right).values()])], tmp_path)
    assert truth["off"] == [], truth
    assert all(is_noticed(one) for one in found)
