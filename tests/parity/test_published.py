"""A published model of another family: the engine cuts, computes and decodes as Python does.

The folders are those of `explorer.publish`, the engine is run in Node. What cuts in Python is the
library `tokenizers` or SentencePiece.
"""

from __future__ import annotations

import functools
import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest
import sentencepiece

from explorer import exhibits, publish
from explorer.exchange import packing, payload
from explorer.exchange.explain import explain
from explorer.exchange.gloss import glossed_record
from explorer.exchange.request import parse
from explorer.facts import Named, facts
from explorer.models import Listed
from model.errors import InputError
from model.explain import Explainer
from model.text import pieces
from model.text.cutters import LibraryCutter
from tests import foreign, tiny
from tests.parity.engine import is_tie
from tests.parity.node import Script
from tests.parity.test_answers import CASES, differences, unequal_answers
from tests.parity.test_owned_tokens import CLASSES, FORMS, add_tokens
from tests.parity.test_served import RULES, calmed, request
from tests.tiers import each

transformers = pytest.importorskip("transformers")

CUT = ("bart", "bart, tokenizer.json", "blenderbot", "blenderbot, tokenizer.json", "chinese bart",
       "byt5", "nllb, old", "flan-t5", "codet5", "nllb", "t5", "mbart cc25", "mbart-50", "pegasus",
       "m2m100", "plbart", "marian", "marian, two vocabularies")  # fmt: skip
TEXTS = (
    *foreign.SENTENCES,
    "    return x\n\t",
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
    ">>cmn_Hans<< Hello, >>jpn<< you",
    ">>xxx<< Hello",
    "a < b covid19\n\n<speaker1> Hello\r\n\tnew york xcovid19y",
    "\u200b",
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
        if name.startswith("marian"):
            tiny.write_marian(folder / "model", 5, separate="two" in name)
        else:
            family, _, form = name.replace("small-100", "m2m100").partition(", ")
            family, added = (name, "") if name in CUT else (family, form.removeprefix("added "))
            settings = {"generation": {"num_beams": 4, **RULES.get(family, {})}}
            if added == "forced":
                settings["generation"]["forced_bos_token_id"] = 0
                added = ""
            foreign.write_family(folder / "model", family, 0, **settings)
            if added:
                kind = getattr(transformers, CLASSES[family])
                add_tokens(folder / "model", kind, FORMS[added])
            if name == "small-100":
                own = {"tokenizer_class": "SMALL100Tokenizer", "tgt_lang": "de"}
                foreign.write_json(folder / "model" / "tokenizer_config.json", own)
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
    about = facts([Named("tiny", "tiny")], exhibits.load(), "auto")
    return {"site": str(out), "facts": about | {"published": {"models": {"tiny": told}}}}


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
            found += [
                (side, text, ours[k], theirs.get(k)) for k in ours if ours[k] != theirs.get(k)
            ]
    return found


ADDED = (
    "bart, added special",
    "m2m100, added plain",
    "byt5, added special",
    "small-100",
    "mbart-50, forced",
)


@pytest.mark.parametrize("name", ADDED)
def test_the_engine_reads_what_a_fine_tune_added(name: str, opened: Opened) -> None:
    """A special token that was added is read where it stands in a text, and is none where it is
    written; a language may stand before the source.
    """
    explainer, engine = opened(name)
    assert unequal(explainer, engine, TEXTS) == []
    assert off(explainer, engine, request("a < b covid19 <speaker1>")) == []


@pytest.mark.parametrize("name", CUT)
def test_the_engine_cuts_as_python_does(name: str, opened: Opened) -> None:
    assert unequal(*opened(name), TEXTS) == []


def requests(explainer: Explainer) -> list[dict[str, Any]]:
    """A plain one, one that names a language or a task, one that begins and is padded, and one
    without some of the checkpoint's rules.
    """
    text = foreign.SENTENCES[2]
    codes = [code for code in explainer.tokenizer.codes if ":" not in code][-1:]
    named = [request(f"{code} {text}", "greedy") for code in codes]
    return [
        request(text),
        *named,
        request("Grüße 😀 你好", begin="a", interventions={"padding": 2}),
        request(text)
        | {"settings": {"rules_off": ["min_tokens", "renormalise", "banned"], "no_repeat": 2}},
    ]


def off(explainer: Explainer, engine: Script, asked: dict[str, Any]) -> list[str]:
    """What the engine replies to a request that Python does not, within the proof's tolerance."""
    raw = asked | {"model": ""}
    made = explain(explainer, parse(raw, explainer.defaults))
    record = payload.build(made, explainer, "tiny")
    ours = glossed_record(record, explainer.glossary)
    reply = engine.ask(raw | {"number": 1})
    assert "payload" in reply, reply
    theirs = reply["payload"]
    if is_tie(theirs["search"], ours["search"]):  # rounding decides; what was read is the same
        same = theirs["text"] == ours["text"] and theirs["src"] == json.loads(
            json.dumps(ours["src"])
        )
        return [] if same else ["the tokens of the source differ"]
    theirs["model"]["name"] = ours["model"]["name"]
    theirs["model"]["device"] = ours["model"]["device"]
    return list(differences(json.loads(json.dumps(ours)), theirs, packing.RECORD))


@pytest.mark.parametrize(
    "name", ["bart", "nllb", "flan-t5", "chinese bart", "mbart cc25", "marian"]
)
def test_the_engine_replies_as_python_does(name: str, opened: Opened) -> None:
    """Tokens, log-probs, attention, search; with the rules and languages of the checkpoint."""
    explainer, engine = opened(name)
    for asked in requests(explainer):
        assert not (found := off(explainer, engine, asked)), (asked["text"], found)


LOOK = {"kind": "cross", "layer": 0, "head": 1, "row": 2, "column": 1, "against": 0}
TWO = {"giver": "a b c d e", "receiver": "a c b d e", "step": 0, "first": 0}
# Every question with arguments that the smallest model of each family has room for.
QUESTIONS: dict[str, dict[str, Any]] = {
    "batch": {"sentences": [foreign.SENTENCES[2], "a"]},
    "decoder_lens": {},
    "dropout": {"source": 2},
    "equivariance": {"seed": 4},
    "figure": {"encoder": [0], "decoder": [0]},
    "heads_off": {"first": 0},
    "lens": {},
    "looks": LOOK,
    "looks_without": {**LOOK, "parts": ["encoder 1 feed-forward", "encoder 1 self 2"]},
    "microscope_head": {"kind": "cross", "layer": 0, "head": 1, "matrix": True},
    "near": {"side": "target", "id": 30},
    "next_token": {"ids": [10, 20, 10]},  # 20 would be a repeated run of two
    "positions": {},
    "share": {},
    "smoothing": {"step": 1},
    "stream": {"stack": "decoder", "layer": 0},
    "summary": {"kind": "encoder_self", "way": "rollout", "layer": 1},
    "transplant": TWO,
    "transplant_heads": TWO,
    "vocabulary": {},
    "why": {"step": 1, "rival": 5},
    "why_off": {"step": 1, "rival": 5},
}
# Answered without the model; stored with the page; of what the shipped model alone brings along.
# How far an occlusion gets depends on the time, and ranks of random weights on rounding.
ELSEWHERE = {"bleu", "toy", *publish.FIXED, "lesson", "occlusion"}


def test_every_question_is_asked_of_each_family() -> None:
    assert {case[0] for case in CASES} == QUESTIONS.keys() | ELSEWHERE


@each("name", CUT, 2)
def test_the_engine_answers_every_question_as_python_does(name: str, opened: Opened) -> None:
    explainer, engine = opened(name)
    for question, arguments in QUESTIONS.items():
        raw = request(foreign.SENTENCES[2], "greedy", question=question, arguments=arguments)
        raw |= {"model": "", "settings": raw["settings"] | {"no_repeat": 2}}
        assert unequal_answers(engine.ask(raw), explainer, raw) == [], question


# ------------------------------------------------------------------------- what it must notice


@pytest.mark.parametrize("twin", ["numbers", "merges", "scores"])
def test_a_twin_that_cuts_otherwise_is_noticed(
    twin: str, tmp_path: Path, engine: Script, opened: Opened
) -> None:
    """Two pieces with each other's number, a merge that is missing, another score."""
    explainer, _ = opened("flan-t5" if twin == "scores" else "bart")
    told = site_of(tmp_path, explainer)
    path = tmp_path / told["facts"]["published"]["models"]["tiny"]["files"]["tokenizer.json"]
    values = json.loads(path.read_text("utf-8"))
    model = values["model"]
    if twin == "numbers":
        vocab, ids = model["vocab"], cut(explainer, "encodeTarget", foreign.SENTENCES[2])["ids"]
        one, other = (next(p for p, i in vocab.items() if i == ids[k]) for k in (0, 1))
        vocab[one], vocab[other] = vocab[other], vocab[one]
    elif twin == "merges":
        del model["merges"][0]
    else:
        model["vocab"] = [[piece, -score if len(piece) == 1 else score]
                          for piece, score in model["vocab"]]  # fmt: skip
    path.write_text(json.dumps(values), "utf-8")
    engine.ask(told)
    assert unequal(explainer, engine, TEXTS)
    assert any(off(explainer, engine, asked) for asked in requests(explainer)[:1])


# ------------------------------------------------------------------------------ tokenizer.json

_SPLIT: dict[str, Any] = {"replacement": "▁", "prepend_scheme": "always", "split": True}


def charsmap() -> bytes:
    """SentencePiece's own table of letters and signs, from a model that it has trained."""
    written = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(foreign.SENTENCES), model_writer=written, vocab_size=200,
        hard_vocab_limit=False, minloglevel=2,
    )  # fmt: skip
    return cast(bytes, pieces.part_of(written.getvalue(), pieces.NORMALISER)[2])


def normalisers() -> dict[str, Any]:
    from tokenizers import Regex, normalizers

    table = charsmap()
    one = normalizers.Precompiled(table)
    return {
        "table": one,
        "table, one blank": normalizers.Sequence([one, normalizers.Replace(Regex(" {2,}"), " ")]),
        "table, T5": normalizers.Sequence(
            [one, normalizers.Strip(left=False), normalizers.Replace(Regex(" {2,}"), "▁")]
        ),
        "forms": normalizers.Sequence([normalizers.NFD(), normalizers.NFC(), normalizers.NFKC()]),
        "small": normalizers.Sequence([normalizers.NFKD(), normalizers.Lowercase()]),
        "bert": normalizers.BertNormalizer(lowercase=True),
        "bert, capitals": normalizers.BertNormalizer(lowercase=False, strip_accents=True),
        "none": None,
    }


def tokenizer_with(normalizer: Any, kind: str) -> Any:
    """A tokenizer of the library, with the ways of splitting that real files have."""
    import tokenizers
    from tokenizers import models, pre_tokenizers, trainers

    if kind == "first":
        one = tokenizers.Tokenizer(models.BPE(unk_token="<unk>", fuse_unk=False))
        one.pre_tokenizer = pre_tokenizers.Metaspace("▁", "first", split=False)
        trainer: Any = trainers.BpeTrainer(vocab_size=260, show_progress=False)
    else:
        one = tokenizers.Tokenizer(models.Unigram())
        spaces = pre_tokenizers.Metaspace("▁", "always")
        parts = [pre_tokenizers.WhitespaceSplit(), spaces]
        one.pre_tokenizer = pre_tokenizers.Sequence(parts) if kind == "words" else spaces
        trainer = trainers.UnigramTrainer(
            vocab_size=260, unk_token="<unk>", show_progress=False, special_tokens=["<unk>"]
        )
    trainer.special_tokens = ["<unk>"]
    one.normalizer = normalizer
    one.train_from_iterator(foreign.SENTENCES, trainer)
    one.add_tokens([tokenizers.AddedToken("<extra_id_0>", normalized=False)])
    return one


@pytest.mark.parametrize("kind", ["whole", "words", "first"])
def test_every_normaliser_leaves_what_python_leaves(kind: str, engine: Script) -> None:
    """Numbers and places of the pieces, also where a letter becomes several, or several one."""
    for name, normalizer in normalisers().items():
        one = tokenizer_with(normalizer, kind)
        cutter = LibraryCutter(one, "spaces")
        file = cutter.for_browser().files["tokenizer.json"].decode()
        cuts = engine.ask({"file": json.loads(file), "texts": TEXTS})
        for text, theirs in zip(TEXTS, cuts, strict=True):
            ours = [list(cut) for cut in cutter.cut(text)]
            assert ours == [[one["number"], one["begin"], one["end"]] for one in theirs], (
                name,
                text,
            )
