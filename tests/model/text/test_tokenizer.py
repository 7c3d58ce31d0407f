"""The tokenizer: text to pieces and back, and where each piece stands in the text."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
import sentencepiece
from hypothesis import given
from hypothesis import strategies as st

from model.errors import CheckpointError, InputError
from model.text import vocabulary
from model.text.characters import SPACE, normalise
from model.text.tokenizer import Tokenizer
from model.trace import Tokens
from tests import tiny

# Emoji, one of them of five code points, and flags and skin tones; Chinese in and out of the
# training text; accents and other scripts; what looks like a piece; U+FFFD; long words.
AWKWARD = [
    "Tom 😀 a",
    "👩‍👩‍👧 ok",
    "🇨🇳👍🏽",
    "鱻你",
    "我是一只小青蛙，我住在这里。",
    "naïve café",
    "שלום мир",
    "½ fine ㍿ A",
    "<s> </s> <pad> <unk>",
    "<0xE4> <0x41>",
    ">>cmn_Hans<< hello",
    "a\ufffdb",
    "10000 + 0.5 = ?",
    "a" * 300,
    "𖭑",
]


@pytest.fixture(scope="module")
def joint_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("joint") / "tokenizer.model"
    tiny.train_joint(path)
    return path


@pytest.fixture(scope="module")
def joint(joint_file: Path) -> Tokenizer:
    return Tokenizer.load(joint_file.parent)


@pytest.fixture(scope="module")
def paired(tmp_path_factory: pytest.TempPathFactory) -> Tokenizer:
    folder = tmp_path_factory.mktemp("paired")
    tiny.train_pair(folder)
    return Tokenizer.load(folder, "headlight-3")


@pytest.fixture(scope="module", params=["joint", "paired"])
def own(request: pytest.FixtureRequest) -> Tokenizer:
    """A tokenizer of ours: of the older format and of the present one."""
    return request.getfixturevalue(request.param)


@pytest.fixture(scope="module")
def marian(tmp_path_factory: pytest.TempPathFactory) -> Tokenizer:
    return Tokenizer.load(tiny.write_marian_tokenizer(tmp_path_factory.mktemp("marian")))


@pytest.fixture(scope="module")
def separate(tmp_path_factory: pytest.TempPathFactory) -> Tokenizer:
    folder = tiny.write_separate_tokenizer(tmp_path_factory.mktemp("separate"))
    return Tokenizer.load(folder, separate=True)


# ---------------------------------------------------------------------------------- round trip


@pytest.mark.parametrize("text", [*AWKWARD, *tiny.ENGLISH, *tiny.CHINESE])
def test_text_comes_back(own: Tokenizer, text: str) -> None:
    tokens = own.encode_source(text)
    assert tokens.text == text
    assert own.decode(tokens.ids) == text
    assert own.decode(own.encode_target(text).ids) == text


@given(st.text(st.characters(codec=None), max_size=40))
def test_any_string_is_read_or_refused(own: Tokenizer, text: str) -> None:
    """Half surrogates included: no other error, and nothing is lost but what normalising takes."""
    try:
        tokens = own.encode_source(text)
    except InputError:
        assert normalise(text) == ""
    else:
        assert own.decode(tokens.ids) == tokens.text


@given(st.text(max_size=40))
def test_any_string_is_read_or_refused_by_marian(marian: Tokenizer, text: str) -> None:
    try:
        tokens = marian.encode_source(text)
    except InputError:
        return
    check_spans(tokens, exact=False)
    assert tokens.ids.max() < len(marian)


@pytest.mark.slow
@pytest.mark.parametrize(
    "text", ["", " ", "\x00\x01", "\n", "\u200b", "▁", "\u3164\u2800", "\ufeff\r\n"]
)
def test_nothing_is_refused(own: Tokenizer, text: str) -> None:
    with pytest.raises(InputError, match="nothing to translate"):
        own.encode_source(text)
    assert own.encode_target(text).text == ""
    assert own.decode([]) == ""


def test_what_looks_like_a_special_token_is_text(joint: Tokenizer, marian: Tokenizer) -> None:
    for tokenizer in (joint, marian):
        ids = tokenizer.encode_source("<pad> </s> <s>").ids
        assert tokenizer.pad_id not in ids
        assert list(ids).count(tokenizer.end_id) == 1
        assert ids[-1] == tokenizer.end_id


# -------------------------------------------------------------------------------- the two sides


@given(st.text(max_size=20))
def test_no_target_begins_with_an_empty_piece(paired: Tokenizer, text: str) -> None:
    assert paired.encode_target(text).pieces[:1] != (SPACE,)


def test_the_older_format_puts_a_mark_before_chinese(joint: Tokenizer, paired: Tokenizer) -> None:
    """The same text either way; models of the older format need the mark that they learnt."""
    text = tiny.CHINESE[0]
    assert joint.encode_target(text).pieces[0].startswith(SPACE)
    assert not any(SPACE in piece for piece in paired.encode_target(text).pieces)
    assert paired.encode_source("Tom").pieces[0].startswith(SPACE)


def test_both_sides_share_their_numbers(paired: Tokenizer) -> None:
    text = "我们 (Tom) 😀"
    source, target = paired.encode_source(text), paired.encode_target(text)
    assert [paired.piece(int(i)) for i in source.ids] == list(source.pieces)
    assert [paired.piece(int(i)) for i in target.ids] == list(target.pieces)
    assert not paired.has_two_vocabularies


def test_sides_of_different_models_are_refused(marian: Tokenizer, tmp_path: Path) -> None:
    marian.save_pair(tmp_path)
    (tmp_path / "vocab.json").unlink()
    with pytest.raises(CheckpointError, match="different pieces"):
        Tokenizer.load(tmp_path)


# --------------------------------------------------------------------------------------- spans


def check_spans(tokens: Tokens, *, exact: bool) -> None:
    """Together the pieces cover the text, in order, each its own part.

    `exact`: the model leaves the text as it is, so that a piece is what it covers.
    """
    end = 0
    for i, (piece, (start, stop)) in enumerate(
        zip(tokens.pieces, tokens.spans.tolist(), strict=True)
    ):
        same_as_before = i > 0 and tokens.spans[i - 1].tolist() == [start, stop]
        # Other models drop U+FFFD, and the space behind a language code.
        skipped = tokens.text[end:start] if exact else tokens.text[end:start].strip(" \ufffd")
        assert (start >= end and not skipped) or same_as_before, (i, piece)
        end = stop
        if exact and not piece.startswith("<"):
            covered = tokens.text[start:stop]
            assert piece.replace(SPACE, " ").lstrip(" ") == covered.lstrip(" ")
    assert end == len(tokens.text)
    assert tokens.spans[-1].tolist() == [end, end]  # the end token covers nothing


@pytest.mark.slow
@pytest.mark.parametrize("text", [*AWKWARD, *tiny.ENGLISH, *tiny.CHINESE])
def test_spans_cover_the_text(own: Tokenizer, marian: Tokenizer, text: str) -> None:
    check_spans(own.encode_source(text), exact=True)
    check_spans(marian.encode_source(text), exact=False)


def test_all_bytes_of_a_character_cover_it(own: Tokenizer) -> None:
    """鱻 is E9 B1 BB in UTF-8, 😀 is F0 9F 98 80; both are new to the model."""
    tokens = own.encode_source("鱻😀a")
    covered = {
        piece: tokens.text[start:stop]
        for piece, (start, stop) in zip(tokens.pieces, tokens.spans.tolist(), strict=True)
    }
    assert covered["<0xE9>"] == covered["<0xB1>"] == covered["<0xBB>"] == "鱻"
    assert covered["<0xF0>"] == covered["<0x9F>"] == covered["<0x98>"] == covered["<0x80>"] == "😀"


def test_written_tokens_know_their_place(own: Tokenizer) -> None:
    ids = own.encode_target("我 鱻").ids
    tokens = own.target_tokens([*ids, own.end_id])
    assert tokens.text == "我 鱻"
    for piece, (start, stop) in zip(tokens.pieces, tokens.spans.tolist(), strict=True):
        if piece in ("<0xE9>", "<0xB1>", "<0xBB>"):
            assert tokens.text[start:stop] == "鱻"
    assert tokens.pieces[-1] == "</s>"
    assert tokens.spans[-1].tolist() == [3, 3]


@pytest.mark.parametrize(
    ("pieces", "text", "spans"),
    [
        (["<0xE4>", "<0xBD>", "a"], "\ufffd\ufffda", [(0, 1), (1, 2), (2, 3)]),  # cut short
        (["<0xEF>", "<0xBF>", "<0xBD>"], "\ufffd", [(0, 1), (0, 1), (0, 1)]),  # a true U+FFFD
        (["<0x80>", "<0x41>"], "\ufffdA", [(0, 1), (1, 2)]),  # never a first byte
        (["<0xC0>", "<0x80>"], "\ufffd\ufffd", [(0, 1), (1, 2)]),  # an overlong NUL
        (["<0xE4>", "a", "<0xBD>"], "\ufffda\ufffd", [(0, 1), (1, 2), (2, 3)]),
        (["<s>", "▁a", "<pad>", "</s>"], "a", [(0, 0), (0, 1), (1, 1), (1, 1)]),
        (["▁", "▁", "a"], "a", [(0, 0), (0, 0), (0, 1)]),
        (["a", "▁"], "a ", [(0, 1), (1, 2)]),
    ],
)
def test_any_ids_can_be_written(
    own: Tokenizer, pieces: list[str], text: str, spans: list[tuple[int, int]]
) -> None:
    """A sampled translation can be anything; broken bytes read as SentencePiece reads them."""
    processor = own._target
    ids = [processor.piece_to_id(piece) for piece in pieces]
    tokens = own.target_tokens(ids)
    assert tokens.text == text == processor.decode(ids)
    assert [tuple(span) for span in tokens.spans.tolist()] == spans


def test_a_written_quotation_is_closed(own: Tokenizer) -> None:
    """Our models read and write closing marks as plain ones; others write them as they do."""
    ids = own.encode_target("a „Ja“ b").ids.tolist()
    tokens = own.target_tokens(ids)
    assert tokens.text == "a „Ja“ b"
    assert [tokens.text[a:b] for a, b in tokens.spans.tolist()].count("“") == 1
    assert own._target.decode(ids) == 'a „Ja" b'
    foreign = Tokenizer(own._source, own._target, {one: i for i, one in enumerate(own.pieces)})
    assert foreign.decode(ids) == 'a „Ja" b'


@given(st.lists(st.integers(min_value=4, max_value=405), max_size=30))
def test_any_ids_read_as_in_sentencepiece(own: Tokenizer, ids: list[int]) -> None:
    """Without <unk>, which we show as it is and SentencePiece as a sign of its own."""
    assert own.decode(ids) == own._target.decode(ids)


def test_an_unknown_number_is_no_error(joint: Tokenizer) -> None:
    assert joint.piece(-1) == joint.piece(10**9) == ""
    assert joint.target_tokens([10**9]).text == ""
    assert joint.decode([joint.unknown_id]) == "<unk>"


# -------------------------------------------------------------------------------------- Marian


def test_a_language_code_is_one_piece(marian: Tokenizer) -> None:
    tokens = marian.encode_source(">>cmn_Hans<< I am")
    assert tokens.pieces[0] == ">>cmn_Hans<<"
    assert tokens.ids[0] == 2  # as the vocabulary of `tiny` has it
    assert tokens.spans[0].tolist() == [0, 12]
    assert tokens.ids[1:].tolist() == marian.encode_source("I am").ids.tolist()
    assert len(marian.encode_source(">>cmn_Hans<<")) == 2


def test_the_language_codes_are_those_of_the_vocabulary(
    joint: Tokenizer, marian: Tokenizer, separate: Tokenizer
) -> None:
    assert joint.codes == ()
    assert marian.codes == (">>cmn_Hans<<",)
    assert separate.codes == (">>cmn_Hans<<", ">>jpn<<")


@pytest.mark.parametrize("code", [">>xyz<<", " \ufeff>>fra<<", ">>" + "x" * 400 + "<<"])
def test_a_language_that_is_not_there_is_told(
    joint: Tokenizer, marian: Tokenizer, separate: Tokenizer, code: str
) -> None:
    for tokenizer, named in ((marian, "cmn_Hans"), (separate, ">>cmn_Hans<<, >>jpn<<")):
        with pytest.raises(InputError, match=f"no target language >>.*{named}") as caught:
            tokenizer.encode_source(f"{code} I am")
        assert len(str(caught.value)) <= 300
    assert len(joint.encode_source(f"{code} I am"))  # ours reads it as text


def test_each_side_has_its_own_vocabulary(separate: Tokenizer, tmp_path: Path) -> None:
    """The numbers of files that `tiny` wrote; only the special tokens have the same in both."""
    separate.save_pair(tmp_path)
    files = [json.loads((tmp_path / f).read_text()) for f in ("vocab.json", "target_vocab.json")]
    source, target = files
    assert (separate.size("source"), separate.size()) == (len(source), len(target))
    assert len(source) != len(target)
    src = separate.encode_source(">>jpn<< I am")
    assert src.ids.tolist() == [source[piece] for piece in src.pieces]
    tgt = separate.encode_target("我住在这里。")
    assert tgt.ids.tolist() == [target[piece] for piece in tgt.pieces]
    assert separate.decode(tgt.ids) == "我住在这里。"
    assert separate.piece(3, "source") == ">>cmn_Hans<<" != separate.piece(3)
    again = Tokenizer.load(tmp_path, separate=True)
    assert again.encode_source(src.text).ids.tolist() == src.ids.tolist()
    assert Tokenizer.load(tmp_path).encode_target("我").ids.tolist() != tgt.ids[:1].tolist()


def test_special_tokens_with_two_numbers_are_refused(separate: Tokenizer, tmp_path: Path) -> None:
    separate.save_pair(tmp_path)
    path = tmp_path / "target_vocab.json"
    vocabulary = json.loads(path.read_text())
    path.write_text(json.dumps({**vocabulary, "<pad>": len(vocabulary)}))
    with pytest.raises(CheckpointError, match="<pad> must have the same number"):
        Tokenizer.load(tmp_path, separate=True)


def test_a_pair_of_files_can_be_written_and_read(
    joint: Tokenizer, marian: Tokenizer, tmp_path: Path
) -> None:
    for name, tokenizer in (("joint", joint), ("marian", marian)):
        (tmp_path / name).mkdir()
        tokenizer.save_pair(tmp_path / name)
        again = Tokenizer.load(tmp_path / name)
        assert len(again) == len(tokenizer)
        for text in (one for one in AWKWARD if not one.startswith(">>")):  # a code of no model
            assert (
                again.encode_source(text).ids.tolist() == tokenizer.encode_source(text).ids.tolist()
            )
            assert (
                again.encode_target(text).ids.tolist() == tokenizer.encode_target(text).ids.tolist()
            )


@pytest.mark.parametrize(
    ("vocabulary", "message"),
    [
        ("{}", "no <pad>, </s>, <unk>"),
        ('{"<pad>": 0, "<unk>": 1}', "no </s>"),
        ("[1, 2]", "must map each piece"),
        ('{"<pad>": "0"}', "must map each piece"),
        ('{"<pad>": true}', "must map each piece"),
        ('{"<pad>": -1}', "must map each piece"),
        ('{"<pad>": 99999999999}', "must map each piece"),
        ("{", "cannot be read"),
        ("[" * 100_000, "cannot be read"),
    ],
)
def test_a_broken_vocabulary_is_refused(
    marian: Tokenizer, tmp_path: Path, vocabulary: str, message: str
) -> None:
    marian.save_pair(tmp_path)
    (tmp_path / "vocab.json").write_text(vocabulary)
    with pytest.raises(CheckpointError, match=message):
        Tokenizer.load(tmp_path)


def test_files_that_are_missing_or_broken_are_named(marian: Tokenizer, tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match=r"has no source\.spm"):
        Tokenizer.load(tmp_path)
    marian.save_pair(tmp_path)
    (tmp_path / "target.spm").write_bytes(b"not a model")
    with pytest.raises(CheckpointError, match=r"target\.spm is not a SentencePiece model"):
        Tokenizer.load(tmp_path)
    (tmp_path / "target.spm").unlink()
    with pytest.raises(CheckpointError, match=r"has no target\.spm"):
        Tokenizer.load(tmp_path)
    (tmp_path / "tokenizer.model").write_bytes(b"")
    with pytest.raises(CheckpointError, match=r"tokenizer\.model is empty"):
        Tokenizer.load(tmp_path)


def test_samples_are_other_cuts_of_the_same_text(joint: Tokenizer) -> None:
    text = "I am a small frog, and I live here."
    draw = random.Random(1)
    cuts = {tuple(joint.sample(text, 0.2, draw, target=True)) for _ in range(20)}
    assert len(cuts) > 1
    assert {joint.decode(cut) for cut in cuts} == {text}
    assert joint.sample(text, 0.0, draw, target=True) == joint.encode_target(text).ids.tolist()


@pytest.mark.slow
def test_a_cut_is_as_likely_as_its_probability_to_the_power_of_alpha(joint: Tokenizer) -> None:
    """Kudo 2018, section 3.2: the product of the pieces' probabilities, to the power of alpha."""
    text, alpha, draw, n = "small frog", 0.5, random.Random(3), 4000
    model = joint._target
    cuts = [tuple(ids) for ids in model.nbest_encode(text, nbest_size=64, out_type=int)]
    scores = [sum(model.get_score(i) for i in ids) for ids in cuts]
    assert scores == sorted(scores, reverse=True)  # so SentencePiece adds up the same numbers
    weights = np.exp(alpha * np.asarray(scores))
    counts = Counter(tuple(joint.sample(text, alpha, draw, target=True)) for _ in range(n))
    for cut, share in zip(cuts, weights / weights.sum(), strict=True):
        assert counts[cut] / n == pytest.approx(share, abs=5 * np.sqrt(0.25 / n))
    flat = Counter(tuple(joint.sample(text, 1e-9, draw, target=True)) for _ in range(n))
    assert flat[cuts[0]] < 0.8 * counts[cuts[0]]  # without alpha all are alike


def test_the_vocabulary_file_is_plain_json(joint: Tokenizer, tmp_path: Path) -> None:
    joint.save_pair(tmp_path)
    vocabulary = json.loads((tmp_path / "vocab.json").read_text("utf-8"))
    assert {joint.piece(i): i for i in range(len(joint))} == vocabulary


@pytest.fixture(scope="module")
def byteless(tmp_path_factory: pytest.TempPathFactory) -> Tokenizer:
    """Of the present format, but without pieces for bytes."""
    path = tmp_path_factory.mktemp("byteless") / "tokenizer.model"
    tiny.train_joint(path, 150, byte_fallback=False)
    sides = (vocabulary._begun(path.read_bytes(), mark) for mark in (True, False))
    models = (sentencepiece.SentencePieceProcessor(model_proto=side) for side in sides)
    return Tokenizer(*models, form="headlight-3")


@pytest.mark.parametrize(
    ("name", "text"),
    [("marian", "鱻 a"), ("separate", "鱻 a"), ("byteless", "鱻 a"), ("byteless", "Ask a@b鱻.de")],
)
def test_a_source_piece_without_a_number_is_unknown(
    name: str, text: str, request: pytest.FixtureRequest
) -> None:
    """Also in what is copied letter by letter. Number 0 would be padding, or the end."""
    tokenizer: Tokenizer = request.getfixturevalue(name)
    tokens = tokenizer.encode_source(text)
    numbers = [tokenizer.numbers.get(piece, tokenizer.numbers["<unk>"]) for piece in tokens.pieces]
    assert tokens.ids.tolist() == numbers
    assert not any("鱻" in piece for piece in tokenizer.numbers)
