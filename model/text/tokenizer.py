"""SentencePiece: text to Tokens and back.

It has a source model and a target model of the same pieces (the format of this project), one joint
model (older formats), or two models with one vocabulary or one for each side (Marian). Only this
file knows that there are two models.
"""

from __future__ import annotations

import functools
import json
import math
import random
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from difflib import SequenceMatcher
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NoReturn

import numpy as np
import sentencepiece

from model.config import Side
from model.errors import CheckpointError, InputError, reason
from model.text import kinds, pieces
from model.text.characters import SPACE, calm, normalise, plain, requoted, unspaced, visible
from model.text.copied import spelled
from model.trace import Tokens

if TYPE_CHECKING:
    from model.text.added import AddedTokens  # which needs what stands here

PAD, START, END, UNKNOWN = "<pad>", "<s>", "</s>", "<unk>"
MOST_CODES = 8  # language codes that a message names
SEGMENTATIONS = 64  # segmentations that `sample` draws from
_SPECIALS = frozenset({PAD, START, END, UNKNOWN})
_BYTE = re.compile(r"<0x([0-9A-F]{2})>")
_BYTES = re.compile(r"(?:<0x[0-9A-F]{2}>)+")  # a piece of our own has one
LANGUAGE = re.compile(r">>[^<>]+<<")  # selects the target language of a multilingual model


def _first(text: str) -> str:
    """The normalisation of headlight-1: format characters become spaces, except the joiner."""
    text = normalise(text)
    kept = (c if unicodedata.category(c)[0] != "C" or c == "\u200d" else " " for c in text)
    return " ".join("".join(kept).split())


_NORMALISERS: dict[str, Callable[[str], str]] = {
    "headlight-1": _first,
    "headlight-2": normalise,
    "headlight-3": normalise,
    "marian": lambda text: visible(text).strip(),  # its SentencePiece model has its own
}


# Bytes that form no character are written as U+FFFD, one for each byte (SentencePiece) or for each
# part of a character (byte-level BPE), or left out (ByT5): as the decoder of each does it.
Broken = Literal["each", "part", "none"]


class Tokenizer:
    """Cuts text into pieces, numbers them, and joins them again.

    `source` and `target` may be the same model. `vocabulary` numbers the pieces if the models' own
    numbers do not apply (Marian); without it a piece's number is its SentencePiece id.
    `target_vocabulary` numbers the target's pieces if they differ. `form` is the format of the
    checkpoint, which determines how a text is normalised before it is cut.
    """

    examples: tuple[str, ...] = ()  # example texts for a model that does not read English
    has_own_numbers = False  # the pieces' numbers are those of the SentencePiece models
    style: str = "spaces"  # how pieces become text: see `ForeignTokenizer`
    broken: Broken = "each"
    opened: frozenset[int] = frozenset()  # pieces that the next one continues, in the style "open"
    _added: AddedTokens | None = None

    def __init__(
        self,
        source: sentencepiece.SentencePieceProcessor,
        target: sentencepiece.SentencePieceProcessor,
        vocabulary: dict[str, int] | None = None,
        form: str = "headlight-2",
        target_vocabulary: dict[str, int] | None = None,
    ) -> None:
        self._source, self._target = source, target
        self._normalise = _NORMALISERS[form]
        self.has_own_numbers = vocabulary is None
        if vocabulary is None:
            size = source.get_piece_size()
            pieces = [source.id_to_piece(i) for i in range(size)]
        else:
            pieces = _in_order(vocabulary)
        self._take(pieces, None if target_vocabulary is None else _in_order(target_vocabulary))

    def _take(self, source: list[str], target: list[str] | None = None) -> None:
        """Number the pieces of both sides and find the special ones."""
        self._source_pieces = source
        self._source_ids = {piece: i for i, piece in enumerate(source)}
        self._pieces, self._ids = source, self._source_ids
        if target is not None:
            self._pieces, self._ids = target, {piece: i for i, piece in enumerate(target)}
        self.has_two_vocabularies = target is not None
        for ids in (self._source_ids, self._ids):
            missing = [name for name in (PAD, END, UNKNOWN) if name not in ids]
            if missing:
                raise CheckpointError(
                    f"The vocabulary has no {', '.join(missing)}; a tokenizer needs it. Copy or "
                    "download its files again."
                )
        # `transformers` also has one number for each, the source's.
        unequal = [n for n in (PAD, END, UNKNOWN) if self._ids[n] != self._source_ids[n]]
        if unequal:
            raise CheckpointError(
                f"{', '.join(unequal)} must have the same number in vocab.json and in "
                "target_vocab.json; a model has one number for both sides."
            )
        self.pad_id, self.end_id = self._ids[PAD], self._ids[END]
        self.unknown_id = self._ids[UNKNOWN]
        self.start_id = self._ids.get(START, self.pad_id)  # Marian has no start piece
        self.special_ids = frozenset(self._ids[name] for name in _SPECIALS if name in self._ids)

    @classmethod
    def load(cls, folder: Path, form: str = "headlight-2", *, separate: bool = False) -> Tokenizer:
        """Open `source.spm` and `target.spm`, with `vocab.json` (Marian), or `tokenizer.model`.

        `form` is the format of one of our checkpoints; `separate` says that a Marian target has a
        separate vocabulary, `target_vocab.json`.

        Raises:
            CheckpointError: a file is missing or cannot be read.
        """
        joint = folder / "tokenizer.model"
        if form != "headlight-3" and joint.exists():
            model = _load_sentencepiece(joint)
            return cls(model, model, form=form)
        source, target = (_load_sentencepiece(folder / f"{s}.spm") for s in ("source", "target"))
        if not (folder / "vocab.json").exists():
            _check_equal(source, target)
            return cls(source, target, form=form)
        vocabulary = _load_vocabulary(folder / "vocab.json")
        theirs = _load_vocabulary(folder / "target_vocab.json") if separate else None
        return cls(source, target, vocabulary, "marian", theirs)

    def add(self, added: AddedTokens) -> None:
        """Look for tokens beside the vocabulary in a text before it is cut."""
        self._added = added
        sides = [(self._source_pieces, self._source_ids)]
        sides += [(self._pieces, self._ids)] if self.has_two_vocabularies else []
        for token, how in added.tokens.items():
            for named, ids in sides:
                named.extend([""] * (how.number + 1 - len(named)))
                named[how.number], ids[token] = token, how.number
            if how.special:
                self.special_ids |= {how.number}

    def models(self) -> tuple[bytes, ...]:
        """The files of the SentencePiece models; none without, or where a vocabulary numbers."""
        both = (self._source, self._target) if self.has_own_numbers else ()
        return tuple(model.serialized_model_proto() for model in both)

    def for_browser(self) -> tuple[dict[str, Any], Mapping[str, bytes]]:
        """What the engine of a page without a server needs to cut text, and the files with it.

        Of a tokenizer whose pieces a vocabulary numbers.

        Raises:
            InputError: it does not cut as this one does.
        """
        if self._added:
            raise InputError(f"the added token {next(iter(self._added.tokens))[:20]}")
        files = {"source.spm": self._source, "target.spm": self._target}
        around = {"before": [], "after": [self.end_id], "numbers": {}, "read": {}}
        told = {"cutter": "marian", "around": around}
        return told, {name: pieces.check(model) for name, model in files.items()}

    def save_pair(self, folder: Path, pieces: Sequence[str] | None = None) -> None:
        """Write `source.spm`, `target.spm` and the numbering of their pieces, in Marian's form.

        `pieces` are those of both sides, in the new numbering.
        """
        for name, model in (("source", self._source), ("target", self._target)):
            (folder / f"{name}.spm").write_bytes(model.serialized_model_proto())
        vocabularies = {"vocab.json": pieces or self._source_pieces}
        if self.has_two_vocabularies:
            vocabularies["target_vocab.json"] = pieces or self._pieces
        for file, its in vocabularies.items():
            vocabulary = {piece: i for i, piece in enumerate(its) if piece}
            text = json.dumps(vocabulary, ensure_ascii=False, indent=1)
            (folder / file).write_text(text, "utf-8")

    @property
    def pieces(self) -> tuple[str, ...]:
        """The target's pieces by number."""
        return tuple(self._pieces)

    @property
    def byte_ids(self) -> tuple[int, ...]:
        """The target's numbers of the bytes 0 to 255; none if it has no pieces for them."""
        ids = (self._ids.get(f"<0x{byte:02X}>") for byte in range(256))
        found = tuple(i for i in ids if i is not None)
        return found if len(found) == 256 else ()  # SentencePiece has all or none

    @property
    def numbers(self) -> Mapping[str, int]:
        """The numbers of the source's pieces."""
        return self._source_ids

    @cached_property
    def codes(self) -> tuple[str, ...]:
        """The language codes that a text may begin with, in the vocabulary's order.

        ">>cmn_Hans<<", ">>deu<<", ... of a model with several target languages; else none.
        """
        return tuple(filter(LANGUAGE.fullmatch, self._source_pieces))

    @property
    def languages(self) -> dict[str, str | None] | None:
        """What a text's source and target are if it names none; None if it cannot name both.

        Of a model that reads no code of the source, `source` is None; `target` is, if a text has
        to name one.
        """
        return None

    def target_language(self, text: str) -> int | None:
        """The number of the code that decoding of a source text needs; None if it needs none.

        A Marian model reads its code with the source.
        """
        return None

    def size(self, side: Side = "target") -> int:
        """The size of a side's vocabulary."""
        return len(self._source_pieces if side == "source" else self._pieces)

    def __len__(self) -> int:
        return self.size()

    def piece(self, token_id: int, side: Side = "target") -> str:
        """The piece of a number in a side's vocabulary; an empty string if it has none."""
        pieces = self._source_pieces if side == "source" else self._pieces
        return pieces[token_id] if 0 <= token_id < len(pieces) else ""

    def encode_source(self, text: str) -> Tokens:
        """The encoder's input: the pieces of the normalised text, then the end token.

        Raises:
            InputError: the text has nothing readable, or asks for a language that is not there.
        """
        self._check_language(text)
        if self.has_own_numbers:  # ours; a model of other people's reads what it was trained on
            text = calm(self._normalise(text), self._source_ids.__contains__)
            text = text if _has_mark(self._source) else unspaced(text)
        tokens = self._cut_alike(self._encode(self._source, self._source_ids, text))
        if not len(tokens):
            raise InputError(
                "There is nothing to translate: the text is empty or holds only invisible "
                "characters. Type a sentence.",
                key="empty",
            )
        n = len(tokens.text)
        return Tokens(
            tokens.text,
            np.append(tokens.ids, self.end_id),
            (*tokens.pieces, END),
            np.vstack([tokens.spans, [[n, n]]]),
        )

    @cached_property
    def _is_cut_otherwise(self) -> bool:
        """True if words have no space before them in our target language, as in Chinese."""
        return self.has_own_numbers and not _has_mark(self._target)

    def _cut_alike(self, tokens: Tokens) -> Tokens:
        """Cut what is copied letter by letter as the target language cuts it.

        "▁report", "." -> "▁", "re", "port", ".": what stands in 打开report.pdf can then be copied
        piece by piece, and is no word that has a translation.
        """
        places = spelled(tokens.text, self._source_ids.__contains__)
        if not places or not self._is_cut_otherwise:
            return tokens
        pieces, spans = list(tokens.pieces), tokens.spans.tolist()
        for begin, end in reversed(places):
            own = [i for i, (first, last) in enumerate(spans) if first < end and begin < last]
            at, past = own[0], own[-1] + 1
            first, last = spans[at][0], spans[past - 1][1]
            bare = first + int(tokens.text[first] == " ")
            item = self._encode(self._target, self._source_ids, tokens.text[bare:last])
            mark = [(SPACE, [first, bare])] if pieces[at].startswith(SPACE) else []
            cut = [*mark, *zip(item.pieces, (item.spans + bare).tolist(), strict=True)]
            pieces[at:past] = [piece for piece, _ in cut]
            spans[at:past] = [span for _, span in cut]
        ids = [self._source_ids.get(piece, self.unknown_id) for piece in pieces]
        return Tokens(tokens.text, np.array(ids, dtype=np.int64), tuple(pieces), np.array(spans))

    def split(self, ids: list[int]) -> tuple[list[int], list[int], list[int]]:
        """The ids of a source: what stands before its text, the text, what stands behind it.

        Each part of a long text needs the first and the last.
        """
        first = 1 if self.piece(ids[0], "source") in self.codes else 0
        return ids[:first], ids[first:-1], ids[-1:]

    def _check_language(self, text: str) -> None:
        """Refuse a code that a foreign model does not have: it would be read as text."""
        code = LANGUAGE.match(visible(text).lstrip())
        if code is None or self.has_own_numbers or code[0] in self._source_ids:
            return
        self._refuse_code(code[0])

    def _refuse_code(self, code: str) -> NoReturn:
        asked = code[:40]
        if not self.codes:
            raise InputError(
                f"This model translates into one language only; leave {asked} out.",
                key="one_language", code=asked,
            )  # fmt: skip
        some = self._some_codes(asked)
        raise InputError(
            f"This model has no target language {asked}; begin with one of {some}.",
            key="language", code=asked, codes=some, choices=self.codes,
        )  # fmt: skip

    def _some_codes(self, asked: str = "") -> str:
        """Some of the codes, the most like `asked` first, and how many there are in all."""
        parts, known = (
            asked.strip("<>2").split(":"),
            {code.strip("<>2"): code for code in self.codes},
        )
        wanted = next((part for part in parts if part not in known), "").casefold()

        def likeness(code: str) -> tuple[bool, float]:
            own = code.casefold()
            return not own.startswith(wanted), -SequenceMatcher(None, own, wanted).ratio()

        first = [known[code] for code in sorted(known, key=likeness)[:MOST_CODES]]
        more = f", ... ({len(self.codes)})" if len(self.codes) > MOST_CODES else ""
        return ", ".join(first) + more

    def encode_target(self, text: str) -> Tokens:
        """A translation in the decoder's form: its pieces, without start and end."""
        return self._encode(self._target, self._ids, text)

    def sample(self, text: str, alpha: float, draw: random.Random, *, target: bool) -> list[int]:
        """Ids of a random segmentation; the best one if alpha is 0.

        Drawn from the `SEGMENTATIONS` best ones, in proportion to its probability to the power of
        alpha (Kudo 2018, section 3.2). SentencePiece's own sampling is seeded differently in every
        process. For training only, and only with a joint model.
        """
        model = self._target if target else self._source
        text = plain(text, self._ids.__contains__)
        if not alpha and not target and self._is_cut_otherwise:
            tokens = self._cut_alike(self._encode(model, self._source_ids, text))
            return [int(i) for i in tokens.ids]
        if not alpha:
            best: list[int] = model.encode(text)
            return best
        choices: list[list[int]] = model.nbest_encode(text, nbest_size=SEGMENTATIONS, out_type=int)
        of_piece = _scores(model)
        scores = [alpha * sum(of_piece[i] for i in ids) for ids in choices]
        weights = [math.exp(score - max(scores)) for score in scores]
        return draw.choices(choices, weights)[0] if choices else []

    def decode(self, ids: Sequence[int]) -> str:
        """The text of target ids, without special tokens and with bytes joined to characters."""
        return self.target_tokens(ids).text

    def target_tokens(self, ids: Sequence[int]) -> Tokens:
        """Tokens of given target ids, with their text and the span of each in it."""
        pieces = tuple(self.piece(int(i)) for i in ids)
        spans = np.zeros((len(pieces), 2), dtype=np.int64)
        text = ""
        i = 0
        while i < len(pieces):
            run = i  # runs of byte pieces are joined, then decoded together
            while run < len(pieces) and _BYTES.fullmatch(pieces[run]):
                run += 1
            if run > i:
                text += _join_bytes(pieces[i:run], spans[i:run], len(text), self.broken)
                i = run
                continue
            special = int(ids[i]) in self.special_ids and pieces[i] != UNKNOWN
            shown = "" if special else pieces[i].replace(SPACE, " ")
            if not text and shown.startswith(" "):
                shown = shown[1:]
            spans[i] = (len(text), len(text) + len(shown))
            text += shown
            i += 1
        if self.has_own_numbers:
            text = requoted(text)
        return Tokens(text, np.array(ids, dtype=np.int64).reshape(-1), pieces, spans)

    def _encode(
        self, model: sentencepiece.SentencePieceProcessor, vocabulary: dict[str, int], text: str
    ) -> Tokens:
        def has(signs: str) -> bool:
            if self.has_own_numbers:
                return signs in vocabulary
            pieces = model.encode(signs, out_type=str)  # as its own normalisation leaves them
            return all(piece == SPACE or piece in vocabulary for piece in pieces)

        text = plain(self._normalise(text), has)
        code = LANGUAGE.match(text)
        start = code.end() if code and code[0] in vocabulary else 0  # a code is one piece
        rest = text[start:]
        pieces, places = [text[:start]] * bool(start), [[0, start]] * bool(start)
        for token, begin, end in self._added.parts(rest) if self._added else [(None, 0, len(rest))]:
            found: dict[str, Any] = {"pieces": [token], "offsets": [(0, end - begin)]}
            if token is None:
                found = model.encode(rest[begin:end], return_type="offset_mapping")
            pieces += found["pieces"]
            places += [[at + start + begin for at in span] for span in found["offsets"]]
        spans = np.array(places, dtype=np.int64).reshape(-1, 2)
        for i in range(len(pieces) - 2, -1, -1):
            # SentencePiece assigns a character only to the last of its bytes.
            if spans[i, 0] == spans[i, 1] and all(map(_BYTE.fullmatch, pieces[i : i + 2])):
                spans[i] = spans[i + 1]
        unknown = self.unknown_id  # "<pad>" in the input is text, not padding
        ids = [unknown if p in _SPECIALS else vocabulary.get(p, unknown) for p in pieces]
        return Tokens(text, np.array(ids, dtype=np.int64), tuple(pieces), spans)


def _has_mark(model: sentencepiece.SentencePieceProcessor) -> bool:
    """True if a side's texts begin with the mark of a space: words are written with spaces."""
    piece: str = model.encode("a", out_type=str)[0]
    return piece.startswith(SPACE)


def _check_equal(
    source: sentencepiece.SentencePieceProcessor, target: sentencepiece.SentencePieceProcessor
) -> None:
    """Check that both sides have the same pieces at the same numbers; they share one matrix."""
    pieces = [[m.id_to_piece(i) for i in range(m.get_piece_size())] for m in (source, target)]
    if pieces[0] != pieces[1]:
        raise CheckpointError(
            "source.spm and target.spm have different pieces; they belong to different models. "
            "Copy or download both again."
        )


def _in_order(vocabulary: dict[str, int]) -> list[str]:
    """The pieces in order of number; an empty string for a number without one."""
    pieces = [""] * (max(vocabulary.values(), default=-1) + 1)
    for piece, i in vocabulary.items():
        pieces[i] = piece
    return pieces


def _load_vocabulary(path: Path) -> dict[str, int]:
    name = f"{kinds.title(path.parent)}/{path.name}"
    if kinds.of_file(path):
        raise CheckpointError(kinds.instead(path, "JSON"))
    try:
        vocabulary = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise CheckpointError(f"{name} cannot be read ({reason(error)}); copy it again.") from None
    if not isinstance(vocabulary, dict) or not all(
        type(i) is int and 0 <= i < 10_000_000 for i in vocabulary.values()
    ):
        raise CheckpointError(f"{name} must map each piece to its number.")
    return vocabulary


def _join_bytes(pieces: Sequence[str], spans: np.ndarray, offset: int, broken: Broken) -> str:
    """Decode a run of byte pieces, storing the characters of each in `spans`."""
    values = [[int(value, 16) for value in _BYTE.findall(piece)] for piece in pieces]
    raw = bytes(value for own in values for value in own)
    text = ""
    places: list[tuple[int, int]] = []  # of the character of each byte
    while len(places) < len(raw):
        char, width = _character(raw[len(places) : len(places) + 4], broken)
        begin = offset + len(text)
        places += [(begin, begin + len(char))] * width
        text += char
    first = 0
    for i, own in enumerate(values):
        spans[i] = (places[first][0], places[first + len(own) - 1][1])
        first += len(own)
    return text


def _character(raw: bytes, broken: Broken) -> tuple[str, int]:
    """The first character of some bytes, or what stands for its part, and its width in bytes."""
    for n in range(1, len(raw) + 1):
        try:
            return raw[:n].decode("utf-8"), n
        except UnicodeDecodeError as error:
            part = error.end  # of the last try: as far as a character could go
    return "" if broken == "none" else "\ufffd", 1 if broken == "each" else part


@functools.cache
def _scores(model: sentencepiece.SentencePieceProcessor) -> list[float]:
    """The log probability of each piece: reading them one by one is half the time of sampling."""
    return [model.get_score(i) for i in range(model.get_piece_size())]


def _load_sentencepiece(path: Path) -> sentencepiece.SentencePieceProcessor:
    if not path.exists():
        raise CheckpointError(
            f"{kinds.title(path.parent)} has no {path.name}; it was expected there."
        )
    model = sentencepiece.SentencePieceProcessor()
    try:
        model.load_from_serialized_proto(path.read_bytes())
    except (OSError, RuntimeError) as error:
        if kind := kinds.of_file(path):
            raise CheckpointError(kind.sentence(path.name, "a SentencePiece model")) from None
        raise CheckpointError(
            f"{path.name} is not a SentencePiece model ({type(error).__name__}). Copy or download "
            "it again."
        ) from error
    return model
