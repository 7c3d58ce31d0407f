"""A published model of another family: the engine cuts, computes and decodes as Python does.

The folders are those of `explorer.publish`, the engine is run in Node. What cuts in Python is the
library `tokenizers` or SentencePiece.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from explorer import exhibits, publish
from explorer.exchange import packing, payload
from explorer.exchange.explain import explain
from explorer.exchange.gloss import glossed_record
from explorer.exchange.request import parse
from explorer.facts import Named, facts
from explorer.models import Listed
from model.errors import InputError
from model.explain import Explainer
from tests import foreign
from tests.parity.node import Script
from tests.parity.test_answers import differences
from tests.parity.test_served import RULES, calmed, request

pytest.importorskip("transformers")

CUT = ("bart", "bart, tokenizer.json", "blenderbot", "blenderbot, tokenizer.json", "chinese bart",
       "nllb", "nllb, old", "flan-t5", "codet5")  # fmt: skip
TEXTS = (
    *foreign.SENTENCES,
    "Naïve café, cafe\u0301 ÀÉÎ ﬁne ½ ①",
    "😀👍🏽 👩‍💻 🇩🇪 ok",
    "我是学生，你呢？这个字：𠮷",
    "مرحبا بالعالم، كيف الحال؟",
    "  two  and   three    blanks ",
    "MiXeD CAPITALS İstanbul ΣΑΣ straße",
    "</s> <pad> [SEP] <extra_id_0> in <extra_id_12>text <mask>",
    "“quotes” – dashes… don't, we'll; ‹x›",
    "x\u200by\u00a0z\u3000w\tt",
    "Zażółć gęślą jaźń ẞ ñ한국어 तुम्हारा",
    "1234567890 3,50 € $4 50%",
    "_under_score▁low",
)


@pytest.fixture(scope="module")
def engine() -> Iterator[Script]:
    with Script(Path(__file__).with_name("answers.mjs")) as running:
        yield running


Opened = Callable[[str], tuple[Explainer, Script]]


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory, engine: Script) -> Opened:
    """A model of a family, published and open in the engine."""

    @functools.cache
    def written(name: str) -> tuple[Explainer, dict[str, Any]]:
        folder = tmp_path_factory.mktemp("published")
        settings = {"generation": {"num_beams": 4, **RULES.get(name, {})}}
        foreign.write_family(folder / "model", name, 0, **settings)
        explainer = calmed(Explainer.load(folder / "model", device="cpu"), 0.5)
        return explainer, site_of(folder / "site", explainer)

    def both(name: str) -> tuple[Explainer, Script]:
        explainer, site = written(name)
        engine.ask(site)
        return explainer, engine

    return both


def site_of(out: Path, explainer: Explainer) -> dict[str, Any]:
    """A model's files as they are published, without the page around them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(publish, "FIXED", ())  # what Python alone answers
        told = publish.write_model(out, Listed("tiny", "tiny", lambda: explainer))
    about = facts([Named("", "tiny")], exhibits.load(), "auto", None)
    return {"site": str(out), "facts": about | {"published": {"models": {"": told}}}}


def cut(explainer: Explainer, side: str, text: str) -> dict[str, Any]:
    """Python's tokens of a text."""
    tokenizer = explainer.tokenizer
    read = tokenizer.encode_source if side == "encodeSource" else tokenizer.encode_target
    try:
        found = read(text)
    except InputError as error:
        return {"key": error.key}
    return {"text": found.text, "ids": found.ids.tolist(), "pieces": list(found.pieces),
            "spans": found.spans.tolist()}  # fmt: skip


def unequal(explainer: Explainer, engine: Script, texts: tuple[str, ...]) -> list[Any]:
    found = []
    for text in texts:
        for side in ("encodeSource", "encodeTarget"):
            ours, theirs = cut(explainer, side, text), engine.ask({"tokens": text, "side": side})
            found += [(side, text, ours[k], theirs.get(k)) for k in ours if ours[k] != theirs.get(k)]
    return found


@pytest.mark.parametrize("name", CUT)
def test_the_engine_cuts_as_python_does(name: str, opened: Opened) -> None:
    assert unequal(*opened(name), TEXTS) == []


def requests(explainer: Explainer) -> list[dict[str, Any]]:
    """A plain one, one that names a language or a task, and one that begins and is padded."""
    text = foreign.SENTENCES[2]
    codes = [code for code in explainer.tokenizer.codes if ":" not in code][-1:]
    named = [request(f"{code} {text}", "greedy") for code in codes]
    return [request(text), *named, request("Grüße 😀 你好", begin="a", interventions={"padding": 2})]


def off(explainer: Explainer, engine: Script, asked: dict[str, Any]) -> list[str]:
    """What the engine replies to a request that Python does not, within the proof's tolerance."""
    raw = asked | {"model": ""}
    record = payload.build(explain(explainer, parse(raw, explainer.defaults)), explainer)
    ours = glossed_record(record, explainer.glossary)
    reply = engine.ask(raw | {"number": 1})
    assert "payload" in reply, reply
    theirs = reply["payload"]
    theirs["model"]["name"] = ours["model"]["name"]
    theirs["model"]["device"] = ours["model"]["device"]
    return list(differences(json.loads(json.dumps(ours)), theirs, packing.RECORD))


@pytest.mark.parametrize("name", ["bart", "nllb", "flan-t5"])
def test_the_engine_replies_as_python_does(name: str, opened: Opened) -> None:
    """Tokens, log-probs, attention, search; with the rules and languages of the checkpoint."""
    explainer, engine = opened(name)
    for asked in requests(explainer):
        assert not (found := off(explainer, engine, asked)), (asked["text"], found)
