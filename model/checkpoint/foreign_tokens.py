"""The tokenizer files of the families in `families.py`, read into a `ForeignTokenizer`.

tokenizer.json, vocab.txt and vocab.json with merges.txt go through the library `tokenizers`;
SentencePiece reads its own models, whose pieces a family numbers in its own way; ByT5 has no file.
What stands around a text follows from tokenizer.json, or from the family where a language belongs
there. T5's tasks are the beginnings of texts that config.json lists, MADLAD's languages pieces.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from model.config import ModelConfig
from model.errors import CheckpointError, quote
from model.rules import Place, Rules
from model.text.cutters import ByteCutter, LibraryCutter, OpenCutter, PieceCutter
from model.text.foreign import (
    SOURCE_LANGUAGE,
    Beginnings,
    BrowserCutter,
    Cutter,
    ForeignTokenizer,
    Languages,
    Template,
)
from model.text.tokenizer import END, PAD, START, UNKNOWN

MAX_NUMBER = 2_000_000  # of a piece; the largest vocabulary of a family has 256,206
MAX_BLANKS = 10_000  # T5 has 100, umT5 300
MAX_ADDED = 1_000_000  # bytes of added_tokens.json
MAX_BYTES = 64_000_000  # of a file; NLLB's tokenizer.json has 17 million
_LANGUAGES = Path(__file__).with_name("languages.json")  # their order in SentencePiece models
_CODE = re.compile(r"(?:__)?([a-z]{2,10}(?:_[A-Za-z]{2,4})?)(?:__)?")
_TARGET = re.compile(r"<2[A-Za-z_]+>")  # a language of MADLAD, a piece of the text
_READ = re.compile(r"<extra_id_\d+>|<2[A-Za-z_]+>")  # or a gap in a text, which T5 learnt to fill
_T5 = ("t5", "mt5", "umt5")
_BLANKS = {"byt5tokenizer": 125}  # how many, where the settings do not say
_SPECIAL = {  # the special tokens of a style: role -> setting, name
    "bytes": {PAD: "<pad>", END: "</s>", UNKNOWN: "<unk>", START: "<s>"},
    "spaces": {PAD: "<pad>", END: "</s>", UNKNOWN: "<unk>", START: "<s>"},
    "words": {PAD: "[PAD]", END: "[SEP]", UNKNOWN: "[UNK]", START: "[CLS]"},
    "open": {PAD: "__null__", END: "__end__", UNKNOWN: "__unk__", START: "__start__"},
}
_SETTINGS = {PAD: "pad_token", END: "eos_token", UNKNOWN: "unk_token", START: "bos_token"}
_USUAL_SOURCE = {"mbart": "en_XX", "m2m100": "en", "nllb": "eng_Latn"}


@dataclass(frozen=True)
class TokenFiles:
    """The files of a tokenizer, and what its settings say."""

    folder: Path
    model_type: str
    settings: Mapping[str, Any]  # tokenizer_config.json
    tasks: Mapping[str, Any]  # of config.json: name -> settings
    vocab_size: int

    @property
    def kind(self) -> str:
        """The class of the tokenizer, in small letters; empty if the files do not say."""
        return str(self.settings.get("tokenizer_class") or "").lower()

    def path(self, *names: str) -> Path | None:
        """The first of these files that is there."""
        return next((p for name in names if (p := self.folder / name).exists()), None)


def read_tokenizer(
    files: TokenFiles, config: ModelConfig, rules: Rules, start: object
) -> tuple[ForeignTokenizer, Place]:
    """The tokenizer, and where decoding gets the target's language.

    `start` is the model's own `decoder_start_token_id`, None if it has none.

    Raises:
        CheckpointError: a file is missing or damaged, or lacks a special token.
    """
    cutter, style, codes = _opened(files)
    vocabulary = cutter.vocabulary()
    if max(vocabulary.values(), default=0) >= MAX_NUMBER:
        raise CheckpointError(
            f"The tokenizer of {files.folder.name} numbers a piece {max(vocabulary.values()):,}; "
            f"expected less than {MAX_NUMBER:,}. Copy or download it again."
        )
    specials = _specials(files, style, vocabulary)
    _check_size(files, [*specials.values(), *codes.values()], config)
    languages, place = None, "none"
    if codes:
        languages, place = _languages(files, codes, rules, start)
    template = _template(files, cutter, style, specials, languages, place)
    others = [i for p, i in vocabulary.items() if i in cutter.marked or p == "<mask>"]
    tokenizer = ForeignTokenizer(
        _Bounded(cutter, config.vocab_size), style, specials, others, template, languages,
        _beginnings(files, vocabulary),
    )  # fmt: skip
    return tokenizer, place  # type: ignore[return-value]


def _beginnings(files: TokenFiles, vocabulary: Mapping[str, int]) -> Beginnings:
    """What a text of a T5 may begin with, and the pieces that are marked but belong to a text."""
    if files.model_type not in _T5:
        return Beginnings()
    found = sorted(vocabulary, key=vocabulary.__getitem__)
    pieces = [p for p in found if _TARGET.fullmatch(p)]
    given = [one.get("prefix") for one in files.tasks.values() if isinstance(one, Mapping)]
    tasks = [one.strip() for one in given if isinstance(one, str) and one.strip()]
    is_read = _is_read(files)
    read = frozenset(i for p, i in vocabulary.items() if is_read(p, i))
    return Beginnings(tuple(pieces or dict.fromkeys(tasks)), read)


def _check_size(files: TokenFiles, needed: list[int], config: ModelConfig) -> None:
    """Refuse special tokens and languages that the model has no numbers for."""
    if max(needed) >= config.vocab_size:
        raise CheckpointError(
            f"{files.folder.name}: vocab_size is {config.vocab_size}, but the tokenizer has a "
            f"special token {max(needed)}. They belong to different models."
        )


@dataclass(frozen=True)
class _Bounded:
    """A cutter without the special tokens that the model has no numbers for, such as <mask>."""

    cutter: Cutter
    size: int

    def cut(self, text: str) -> list[Any]:
        return self.cutter.cut(text)

    def vocabulary(self) -> dict[str, int]:
        marked = self.cutter.marked
        items = self.cutter.vocabulary().items()
        return {p: i for p, i in items if i < self.size or i not in marked}

    def for_browser(self) -> BrowserCutter:
        return self.cutter.for_browser()

    @property
    def marked(self) -> frozenset[int]:
        return self.cutter.marked


# ------------------------------------------------------------------------------------ the files


def _opened(files: TokenFiles) -> tuple[Cutter, str, dict[str, int]]:
    """The cutter, the style of its pieces, and the numbers of the language codes."""
    if files.kind == "byt5tokenizer":
        first = ByteCutter.FIRST + 256
        blanks = {f"<extra_id_{i}>": first + i for i in range(_blanks(files))}
        return ByteCutter(_within(files, blanks)), "bytes", {}
    has_languages = files.model_type in ("mbart", "m2m_100", "plbart")
    small = files.model_type == "blenderbot-small"
    both = files.path("vocab.json") and files.path("merges.txt")
    if small and both:
        return _guarded(files, both, _open_style), "open", {}
    if path := files.path("tokenizer.json"):
        cutter = _guarded(files, path, lambda p: LibraryCutter.from_file(p, _is_read(files)))
        return cutter, cutter.style, _codes(cutter) if has_languages else {}
    if path := files.path("vocab.txt"):
        lower = files.settings.get("do_lower_case", True) is not False
        return _guarded(files, path, lambda p: LibraryCutter.words(p, lower)), "words", {}
    if both and not has_languages:
        prefix = files.settings.get("add_prefix_space", files.model_type == "blenderbot") is True
        more = _added(files)
        read = lambda p: LibraryCutter.bytes(p.parent, prefix, more)  # noqa: E731
        return _guarded(files, both, read), "bytes", {}
    if path := files.path("sentencepiece.bpe.model", "spiece.model"):
        cutter = _guarded(files, path, lambda p: _pieces(files, p))
        return cutter, "spaces", _codes(cutter) if has_languages else {}
    raise CheckpointError(
        f"{files.folder.name} has no tokenizer that Headlight reads: tokenizer.json, vocab.txt, "
        "vocab.json with merges.txt, sentencepiece.bpe.model or spiece.model. Copy or download it."
    )


def _guarded(files: TokenFiles, path: Path, read: Callable[[Path], Any]) -> Any:
    """What a reader makes of a file, which is not trusted."""
    if path.stat().st_size > MAX_BYTES:
        raise CheckpointError(
            f"{files.folder.name}/{path.name} has more than {MAX_BYTES:,} bytes; that is no "
            "tokenizer. Copy or download it again."
        )
    try:
        return read(path)
    except CheckpointError:
        raise
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # a panic of the library `tokenizers` is no Exception
        name = "vocab.json with merges.txt" if path.name == "merges.txt" else path.name
        raise CheckpointError(
            f"{files.folder.name}/{name} is no tokenizer, or was not copied to its end "
            f"({type(error).__name__}). Copy or download it again."
        ) from None


def _open_style(path: Path) -> OpenCutter:
    return OpenCutter.load(path.with_name("vocab.json"), path.with_name("merges.txt"))


def _pieces(files: TokenFiles, path: Path) -> PieceCutter:
    """A SentencePiece model whose pieces are numbered as the family does it."""
    model = PieceCutter.open(path)
    pieces = [model.id_to_piece(i) for i in range(model.get_piece_size())]
    if files.model_type == "pegasus":
        numbers = _pegasus_numbers(pieces, int(files.settings.get("offset", 103)))
        return PieceCutter(model, numbers, range(2, numbers["<unk>"]))
    if files.model_type in _T5:
        # The file's own numbers, then the blanks from the last to the first.
        last = len(pieces) + _blanks(files) - 1
        blanks = {f"<extra_id_{last - i}>": i for i in range(len(pieces), last + 1)}
        marked = [i for i in range(len(pieces)) if model.is_control(i) or model.is_unknown(i)]
        read = _within(files, blanks)
        numbers = {piece: i for i, piece in enumerate(pieces)}
        return PieceCutter(model, numbers | read, [*marked, *read.values()], read)
    vocabulary, own = files.path("vocab.json"), {"<s>": 0, "<pad>": 1, "</s>": 2, "<unk>": 3}
    if vocabulary:  # M2M100
        numbers = {str(p): int(i) for p, i in json.loads(vocabulary.read_text("utf-8")).items()}
    else:  # fairseq's numbers: its four special tokens, then the pieces but for their own three
        numbers = own | {p: i + 1 for i, p in enumerate(pieces) if i >= 3 and p not in own}
    first = len(numbers) if vocabulary else len(pieces) + 1
    codes = {f"__{code}__": first + i for i, code in enumerate(_order(files))}
    marked = [*codes.values(), *(numbers[p] for p in own)]
    if not vocabulary and files.settings.get("language_codes") != "multi":
        codes["<mask>"] = first + len(codes)
        marked.append(codes["<mask>"])
    return PieceCutter(model, numbers | codes, marked)


def _blanks(files: TokenFiles) -> int:
    """How many blanks a T5's tokenizer has."""
    given = files.settings.get("extra_ids", _BLANKS.get(files.kind, 100))
    if type(given) is not int or not 0 <= given <= MAX_BLANKS:
        raise CheckpointError(
            f"extra_ids is {quote(given)} in the settings of the tokenizer of {files.folder.name}; "
            f"expected a whole number up to {MAX_BLANKS:,}."
        )
    return given


def _within(files: TokenFiles, blanks: Mapping[str, int]) -> dict[str, int]:
    """Those that the model has numbers for."""
    return {piece: number for piece, number in blanks.items() if number < files.vocab_size}


def _is_read(files: TokenFiles) -> Callable[[str, int], bool]:
    """Whether a special token is looked for in a text: T5's blanks and MADLAD's languages are."""
    is_t5 = files.model_type in _T5
    return lambda piece, number: (
        is_t5 and number < files.vocab_size and bool(_READ.fullmatch(piece))
    )


def _added(files: TokenFiles) -> dict[str, int]:
    """The numbers of tokens that are in no vocabulary, CodeT5's blanks among them."""
    path = files.path("added_tokens.json")
    values = json.loads(path.read_text("utf-8")) if path and path.stat().st_size < MAX_ADDED else {}
    pairs = values.items() if isinstance(values, dict) else ()
    return {str(p): i for p, i in pairs if type(i) is int and 0 <= i < MAX_NUMBER}


def _pegasus_numbers(pieces: list[str], offset: int) -> dict[str, int]:
    """Padding and end, two masks and the reserved tokens; then the pieces, from the third on."""
    names = ["<pad>", "</s>", "<mask_1>", "<mask_2>", *(f"<unk_{i}>" for i in range(2, offset))]
    return {
        **{name: i for i, name in enumerate(names)},
        **{p: i + offset for i, p in enumerate(pieces) if i >= 2},
    }


def _order(files: TokenFiles) -> list[str]:
    """The codes that follow the pieces of a SentencePiece model, in the family's order."""
    known: dict[str, str] = json.loads(_LANGUAGES.read_text("utf-8"))
    kind, chosen = files.model_type, files.settings.get("language_codes")
    if kind == "plbart":
        name = "plbart multi" if chosen == "multi" else "plbart"
    elif kind == "mbart":
        name = "mbart50" if "50" in files.kind else "mbart"
    elif files.path("vocab.json"):
        name = "wmt21" if chosen == "wmt21" else "m2m100"
    else:
        name = "nllb"
    return known[name].split()


def _content(token: object) -> str:
    """The text of a token, which may be written with its properties."""
    return str(token.get("content") if isinstance(token, Mapping) else token)


def _codes(cutter: Cutter) -> dict[str, int]:
    """The special tokens that are codes of languages, without underscores around them."""
    marked = ((p, i) for p, i in cutter.vocabulary().items() if i in cutter.marked)
    found = ((_CODE.fullmatch(token), number) for token, number in marked)
    by_number = sorted((number, match[1]) for match, number in found if match)
    return {code: number for number, code in by_number}


# ---------------------------------------------------------------- special tokens and languages


def _specials(files: TokenFiles, style: str, vocabulary: Mapping[str, int]) -> dict[str, int]:
    """The numbers of padding, end, unknown and start, by the names they have everywhere else."""
    found, missing = {}, []
    for role, usual in _SPECIAL[style].items():
        given = files.settings.get(_SETTINGS[role]) if style != "words" else None
        name = next(
            (n for n in (_content(given) if given else usual, usual) if n in vocabulary), None
        )
        if name is not None:
            found[role] = vocabulary[name]
        elif role != START:
            missing.append(usual)
    if missing:
        raise CheckpointError(
            f"The tokenizer of {files.folder.name} has no {', '.join(missing)}; a tokenizer needs "
            "it. Copy or download its files again."
        )
    return found


def _languages(
    files: TokenFiles, codes: dict[str, int], rules: Rules, start: object
) -> tuple[Languages, Place]:
    """The languages, with those that a text takes if it names none."""
    by_number = {number: code for code, number in codes.items()}
    place: Place = "start" if start is None or start in by_number else "first"
    forced = start if place == "start" else rules.forced_first_id
    named = {
        side: _CODE.fullmatch(_content(files.settings.get(f"{side}_lang") or "-"))
        for side in ("src", "tgt")
    }
    source = named["src"][1] if named["src"] else _USUAL_SOURCE.get(_family(files, codes))
    target = named["tgt"][1] if named["tgt"] else by_number.get(forced)  # type: ignore[call-overload]
    return Languages(
        codes, source if source in codes else None, target if target in codes else None
    ), place


def _family(files: TokenFiles, codes: Iterable[str]) -> str:
    if files.model_type == "m2m_100":
        return "nllb" if any("_" in code for code in codes) else "m2m100"
    return files.model_type


def _template(
    files: TokenFiles,
    cutter: Cutter,
    style: str,
    specials: Mapping[str, int],
    languages: Languages | None,
    place: str,
) -> Template:
    """What stands around a source."""
    end = specials[END]
    if languages is not None:
        is_old = files.settings.get("legacy_behaviour") is True
        if files.model_type == "mbart" and files.kind:
            is_old = "50" not in files.kind
        elif files.model_type != "m2m_100":
            is_old = place == "start"
        if languages.source is None:
            return Template(after=(end,))
        if is_old:
            return Template(after=(end, SOURCE_LANGUAGE))
        return Template((SOURCE_LANGUAGE,), (end,))
    if isinstance(cutter, LibraryCutter) and (own := cutter.template()) is not None:
        return Template(*own)
    if style == "open":
        return Template()
    is_codet5 = files.model_type == "t5" and files.kind.startswith("roberta")
    begins = (files.model_type in ("bart", "plbart") or is_codet5) and START in specials
    return Template((specials[START],) if begins else (), (end,))
