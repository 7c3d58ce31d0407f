"""The cutters of `ForeignTokenizer`: `tokenizers`, SentencePiece, BPE with "@@", and bytes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import sentencepiece

from model.errors import CheckpointError, InputError
from model.text import kinds, pieces
from model.text.added import AddedToken
from model.text.foreign import BrowserCutter, Cut, byte_pieces

# What the browser's engine has of a tokenizer.json: assets/engine/normaliser.js and foreign.js.
_PARTS = {
    "normalizer": (
        "BertNormalizer", "Lowercase", "NFC", "NFD", "NFKC", "NFKD", "Precompiled", "Replace",
        "Strip",
    ),
    "pre_tokenizer": ("BertPreTokenizer", "ByteLevel", "Metaspace", "WhitespaceSplit"),
    "model": ("BPE", "Unigram", "WordPiece"),
}  # fmt: skip
_SPACES = (" {2,}", r"\s+", " +")  # the patterns of Replace that mean the same in both languages


class LibraryCutter:
    """A tokenizer of the library `tokenizers`, imported with the first one.

    `more` are tokens that are not among its own. It is told that those special tokens which are
    looked for in a text are not special (`read`); the others are text like any other.
    """

    def __init__(
        self,
        tokenizer: Any,
        style: str,
        more: Mapping[str, AddedToken] = MappingProxyType({}),
        read: Iterable[int] = (),
    ) -> None:
        import tokenizers

        tokenizer.encode_special_tokens = True  # "</s>" in a text is text
        tokenizer.no_padding()
        tokenizer.no_truncation()
        self._tokenizer, self.style = tokenizer, style
        known = {token.content for token in tokenizer.get_added_tokens_decoder().values()}
        self._read = {*read}
        for token in sorted(more.keys() - known, key=lambda one: (more[one].number, one)):
            how = {**more[token]._asdict(), "special": False}
            how.pop("number")
            tokenizer.add_tokens([tokenizers.AddedToken(token, **how)])
            if more[token].special:
                self._read.add(tokenizer.token_to_id(token))
        added = tokenizer.get_added_tokens_decoder()
        self.added = {i: token.content for i, token in added.items() if not token.special}
        self.marked = frozenset(added.keys() - self.added.keys() | self._read)

    @classmethod
    def from_file(
        cls,
        path: Path,
        is_read: Callable[[str, int], bool],
        more: Mapping[str, AddedToken] = MappingProxyType({}),
        parts: Mapping[str, Mapping[str, Any]] = MappingProxyType({}),
    ) -> LibraryCutter:
        """Open tokenizer.json; special tokens that `is_read` names are looked for in a text.

        `parts` has other settings for a part of the file, by its type.
        """
        import tokenizers

        values, read = json.loads(path.read_text("utf-8")), []
        for part in (values.get("normalizer"), values.get("pre_tokenizer")):
            if part is not None:
                part.update(parts.get(part["type"], {}))
        bpe = values["model"]
        if bpe["type"] == "BPE" and not bpe.get("ignore_merges"):
            check_merges(path, bpe["vocab"], bpe["merges"])
        for token in values.get("added_tokens") or ():
            if token["special"] and is_read(token["content"], token["id"]):
                token["special"] = False
                read.append(token["id"])
        tokenizer = tokenizers.Tokenizer.from_str(json.dumps(values))
        model = type(tokenizer.model).__name__
        decoder = tokenizer.decoder
        is_bytes = decoder is not None and b"ByteLevel" in decoder.__getstate__()
        style = "words" if model == "WordPiece" else "bytes" if is_bytes else "spaces"
        return cls(tokenizer, style, more, read)

    @classmethod
    def words(
        cls, path: Path, normalisation: Mapping[str, Any], more: Mapping[str, AddedToken]
    ) -> LibraryCutter:
        """WordPiece from vocab.txt, as BERT's tokenizer cuts."""
        import tokenizers
        from tokenizers import models, normalizers, pre_tokenizers, processors

        pieces = path.read_text("utf-8").split("\n")
        numbers = {piece.rstrip("\r"): i for i, piece in enumerate(pieces) if piece.strip()}
        tokenizer = tokenizers.Tokenizer(models.WordPiece(numbers, unk_token="[UNK]"))  # noqa: S106
        tokenizer.normalizer = normalizers.BertNormalizer(**normalisation)
        tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        special = [one for one in ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]") if one in numbers]
        tokenizer.add_special_tokens(special)
        around = [(name, numbers[name]) for name in ("[SEP]", "[CLS]")]
        tokenizer.post_processor = processors.BertProcessing(*around)
        return cls(tokenizer, "words", more)

    @classmethod
    def bytes(
        cls, vocabulary: Path, merges: Path, prefix_space: bool, more: Mapping[str, AddedToken]
    ) -> LibraryCutter:
        """Byte-level BPE from vocab.json and merges.txt."""
        import tokenizers
        from tokenizers import decoders, models, pre_tokenizers

        check_merges(merges, json.loads(vocabulary.read_text("utf-8")), _lines(merges))
        tokenizer = tokenizers.Tokenizer(models.BPE.from_file(str(vocabulary), str(merges)))
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=prefix_space)
        tokenizer.decoder = decoders.ByteLevel()
        known = tokenizer.get_vocab()
        special = ("<s>", "<pad>", "</s>", "<unk>", "<mask>")
        tokenizer.add_special_tokens([one for one in special if one in known])
        return cls(tokenizer, "bytes", more)

    def cut(self, text: str) -> list[Cut]:
        found = self._encoding(text, around=False)
        return [Cut(i, *span) for i, span in zip(found.ids, found.offsets, strict=True)]

    def _encoding(self, text: str, *, around: bool) -> Any:
        """The library's tokens of a text, with what stands around it or without.

        Raises:
            InputError: the library gives up.
        """
        try:
            return self._tokenizer.encode(text, add_special_tokens=around)
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException:  # a panic of the library is no Exception
            raise InputError(
                "The tokenizer of this model gave up on this text: an expression of its "
                "tokenizer.json does not end. Try another text, or another model.",
                key="endless",
            ) from None

    def vocabulary(self) -> dict[str, int]:
        known: dict[str, int] = self._tokenizer.get_vocab(with_added_tokens=True)
        return known

    def for_browser(self) -> BrowserCutter:
        values = json.loads(self._tokenizer.to_str())
        if odd := _odd_parts(values):
            raise InputError(f"a tokenizer.json with {', '.join(odd[:3])}")
        text = json.dumps(values, ensure_ascii=False)
        read = {self._tokenizer.id_to_token(i): i for i in self._read}
        return BrowserCutter("library", {"tokenizer.json": text.encode()}, read)

    def template(self) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
        """The numbers that it puts before and after a text; None if it puts nothing there."""
        if self._tokenizer.post_processor is None:
            return None
        text = "a"
        bare = self._encoding(text, around=False).ids
        whole = self._encoding(text, around=True).ids
        for i in range(len(whole) - len(bare) + 1):
            if whole[i : i + len(bare)] == bare and len(whole) > len(bare):
                return tuple(whole[:i]), tuple(whole[i + len(bare) :])
        return None


_NAME = re.compile(r"<.*>|\[.*\]|__.*__")


def check_merges(path: Path, pieces: Iterable[str], merges: Iterable[str | list[str]]) -> None:
    """Refuse a file of merges that was lost: every word would be cut into letters, without a word.

    Raises:
        CheckpointError: the merges make less than half of the pieces of several letters.
    """
    bare = (p.removesuffix("@@").removesuffix("</w>") for p in pieces if not _NAME.fullmatch(p))
    longer = {piece for piece in bare if len(piece) > 1}
    pairs = (merge.split() if isinstance(merge, str) else merge for merge in merges)
    made = {"".join(pair).removesuffix("</w>") for pair in pairs}
    if 2 * len(longer & made) < len(longer):
        raise CheckpointError(
            f"{kinds.title(path.parent)}/{path.name} has merges for {len(longer & made):,} of "
            f"{len(longer):,} pieces of the vocabulary; words would be cut into letters. Copy or "
            "download it again."
        )


def _lines(merges: Path) -> list[str]:
    """The lines of merges.txt, without its version."""
    lines = merges.read_text("utf-8").split("\n")
    return [line for line in lines if line.strip() and not line.startswith("#version")]


def _odd_parts(values: Mapping[str, Any]) -> list[str]:
    """What a tokenizer.json has that the browser's engine does not."""
    odd = []
    for place, known in _PARTS.items():
        for one in _parts(values[place]):
            if one["type"] not in known:
                odd.append(f"the {place} {one['type']}")
            if one["type"] == "Replace" and one["pattern"].get("Regex", " +") not in _SPACES:
                odd.append("a pattern of its own in Replace")
            if one["type"] == "Metaspace" and one["replacement"] != "▁":
                odd.append("another sign for a space")
            if one["type"] == "ByteLevel" and not one["use_regex"]:
                odd.append("bytes that are not split into words")
    model = values["model"]
    names = ("byte_fallback", "dropout", "end_of_word_suffix")
    odd += [name for name in names if model.get(name)]
    if model["type"] == "BPE" and model.get("continuing_subword_prefix"):
        odd.append("continuing_subword_prefix")
    for token in values["added_tokens"]:
        is_looser = token["lstrip"] or token["rstrip"] or token["single_word"]
        is_looser |= token["normalized"] and values["normalizer"] is not None
        if not token["special"] and is_looser:
            odd.append(f"the added token {token['content'][:20]}")
    return odd


def _parts(part: Any) -> list[dict[str, Any]]:
    """The parts of a sequence, or the one that there is."""
    if part is None:
        return []
    if part["type"] == "Sequence":
        inner = part.get("normalizers") or part.get("pretokenizers") or []
        return [one for each in inner for one in _parts(each)]
    return [part]


class PieceCutter:
    """A SentencePiece model with a family's numbers of its pieces."""

    added: Mapping[int, str] = MappingProxyType({})

    def __init__(
        self,
        model: sentencepiece.SentencePieceProcessor,
        numbers: dict[str, int],
        marked: Iterable[int],
    ) -> None:
        self._model, self._numbers = model, numbers
        self.marked = frozenset(marked)

    @staticmethod
    def open(path: Path) -> sentencepiece.SentencePieceProcessor:
        model = sentencepiece.SentencePieceProcessor()
        model.load_from_serialized_proto(path.read_bytes())
        return model

    def cut(self, text: str) -> list[Cut]:
        found = self._model.encode(text, return_type="offset_mapping")
        unknown = self._numbers["<unk>"]
        numbers = [self._numbers.get(piece, unknown) for piece in found["pieces"]]
        spans = np.array(found["offsets"], dtype=np.int64).reshape(-1, 2).tolist()
        return [Cut(i, *span) for i, span in zip(numbers, spans, strict=True)]

    def vocabulary(self) -> dict[str, int]:
        return self._numbers

    def for_browser(self) -> BrowserCutter:
        return BrowserCutter("pieces", {"pieces.model": pieces.check(self._model)})


class ByteCutter:
    """ByT5: a piece is a byte, behind three special tokens; its span is that of its character."""

    FIRST = 3  # the number of byte 0
    added: Mapping[int, str] = MappingProxyType({})

    def __init__(self) -> None:
        specials = {"<pad>": 0, "</s>": 1, "<unk>": 2}
        own = {piece: self.FIRST + byte for byte, piece in enumerate(byte_pieces())}
        self._numbers = specials | own
        self.marked = frozenset(specials.values())

    def cut(self, text: str) -> list[Cut]:
        return [
            Cut(self.FIRST + byte, at, at + 1)
            for at, character in enumerate(text)
            for byte in character.encode("utf-8")
        ]

    def vocabulary(self) -> dict[str, int]:
        return self._numbers

    def for_browser(self) -> BrowserCutter:
        return BrowserCutter("bytes")


_WORD = re.compile(r"\S+\n?")
_BEFORE, _AROUND = frozenset(".,!?()"), frozenset("'")
_LAST = "</w>"


class OpenCutter:
    """BPE of small letters in which "@@" marks a piece that another one continues."""

    marked: frozenset[int] = frozenset()
    added: Mapping[int, str] = MappingProxyType({})

    def __init__(self, numbers: dict[str, int], merges: list[tuple[str, str]]) -> None:
        self._numbers = numbers
        self._ranks = {pair: rank for rank, pair in enumerate(merges)}

    @classmethod
    def load(cls, vocabulary: Path, merges: Path) -> OpenCutter:
        """Open vocab.json and merges.txt, whose first line is a version."""
        numbers = {str(p): int(i) for p, i in json.loads(vocabulary.read_text("utf-8")).items()}
        pairs = [tuple(line.split()) for line in _lines(merges)]
        check_merges(merges, numbers, _lines(merges))
        if any(len(pair) != 2 for pair in pairs):
            raise ValueError("a line of merges.txt is no pair")
        return cls(numbers, pairs)  # type: ignore[arg-type]

    def cut(self, text: str) -> list[Cut]:
        unknown = self._numbers["__unk__"]
        found = []
        for match in _WORD.finditer(text):
            for letters, begin in _words(match[0], match.start()):
                at = begin
                pieces = self._pieces(letters)
                for i, piece in enumerate(pieces):
                    mark = "@@" if i < len(pieces) - 1 else ""
                    number = self._numbers.get("".join(piece) + mark, unknown)
                    found.append(Cut(number, *(min(i, match.end()) for i in (at, at + len(piece)))))
                    at += len(piece)
        return found

    def _pieces(self, letters: list[str]) -> list[list[str]]:
        """The letters of a word, merged into pieces: the pair of the lowest rank first."""
        word = [[letter] for letter in letters]

        def name(i: int) -> str:
            return "".join(word[i]) + (_LAST if i == len(word) - 1 else "")

        while len(word) > 1:
            ranks = [self._ranks.get((name(i), name(i + 1))) for i in range(len(word) - 1)]
            known = [rank for rank in ranks if rank is not None]
            if not known:
                break
            lowest, merged, i = min(known), [], 0
            while i < len(word):
                pair = i < len(ranks) and ranks[i] == lowest
                merged.append(word[i] + word[i + 1] if pair else word[i])
                i += 2 if pair else 1
            word = merged
        return word

    def vocabulary(self) -> dict[str, int]:
        return self._numbers

    def for_browser(self) -> BrowserCutter:
        raise InputError('the pieces with "@@" of Blenderbot small')


def _words(chunk: str, begin: int) -> list[tuple[list[str], int]]:
    """The words of a chunk without spaces, in small letters, and where each begins.

    A sign begins a new word, an apostrophe is one of its own.
    """
    words: list[tuple[list[str], int]] = []
    alone = True
    bare = chunk.removesuffix("\n")
    for i, character in enumerate(bare):
        if alone or character in _BEFORE or character in _AROUND:
            words.append(([], begin + i))
        words[-1][0].append(character.lower())
        alone = character in _AROUND
    if bare != chunk:
        words.append(([*"__newln__"], begin + len(bare)))
    return words
