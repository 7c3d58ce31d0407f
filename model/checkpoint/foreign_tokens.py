"""The tokenizer files of the families in `families.py`, read into a `ForeignTokenizer`.

tokenizer.json, vocab.txt and vocab.json with merges.txt go through the library `tokenizers`;
SentencePiece reads its own models, whose pieces a family numbers in its own way; ByT5 has no file.
What stands around a text follows from tokenizer.json, or from the family where a language belongs
there. T5's tasks are the beginnings of texts that config.json lists, MADLAD's languages pieces.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from model.checkpoint.token_files import (
    MAX_NUMBER,
    SETTINGS,
    SPECIAL,
    T5,
    TokenFiles,
    content,
)
from model.config import ModelConfig
from model.errors import CheckpointError, quote
from model.rules import Place, Rules
from model.text import kinds
from model.text.added import AddedCutter, AddedToken
from model.text.cutters import ByteCutter, LibraryCutter, OpenCutter, PieceCutter
from model.text.foreign import (
    SOURCE_LANGUAGE,
    TARGET_LANGUAGE,
    Beginnings,
    BrowserCutter,
    Cutter,
    ForeignTokenizer,
    Languages,
    Template,
)
from model.text.tokenizer import END, PAD, START

MAX_BYTES = 64_000_000  # of a file; NLLB's tokenizer.json has 17 million
# A language among the special tokens: "fra_Latn", "__fr__", or "tyv", "code_1" of a fine-tune.
_NAME = r"[^\W\d_][^\W_]*"
_CODE = re.compile(rf"(?:__)?({_NAME}(?:[_-][^\W_]+)+|(?<=__){_NAME}(?=__)|[a-z]{{2,3}})(?:__)?")
_TARGET = re.compile(r"<2[A-Za-z_]+>")  # a language of MADLAD, a piece of the text
_READ = re.compile(r"<extra_id_\d+>|<2[A-Za-z_]+>")  # or a gap in a text, which T5 learnt to fill
_USUAL_SOURCE = {"mbart": "en_XX", "m2m100": "en", "nllb": "eng_Latn"}


def read_tokenizer(
    files: TokenFiles, config: ModelConfig, rules: Rules, start: object
) -> tuple[ForeignTokenizer, Place]:
    """The tokenizer, and where decoding gets the target's language.

    `start` is the model's own `decoder_start_token_id`, None if it has none.

    Raises:
        CheckpointError: a file is missing or damaged, or lacks a special token.
    """
    cutter, style = _opened(files)
    vocabulary = cutter.vocabulary()
    if max(vocabulary.values(), default=0) >= MAX_NUMBER:
        raise CheckpointError(
            f"The tokenizer of {files.title} numbers a piece {max(vocabulary.values()):,}; "
            f"expected less than {MAX_NUMBER:,}. Copy or download it again."
        )
    specials = _specials(files, style, vocabulary, config.pad_id)
    codes = _codes(files, cutter, [start, rules.forced_first_id]) if files.has_languages else {}
    _check_size(files, [*specials.values(), *codes.values()], config)
    languages, place = None, "none"
    if codes:
        languages, place = _languages(files, codes, rules, start)
    template = _template(files, cutter, style, specials, languages, place)
    others = [i for p, i in vocabulary.items() if i in cutter.marked or p == "<mask>"]
    tokenizer = ForeignTokenizer(
        _Bounded(cutter, config.vocab_size), style, specials, others, template, languages,
        _beginnings(files, vocabulary),
        "none" if files.kind == "byt5tokenizer" else "part" if style == "bytes" else "each",
    )  # fmt: skip
    return tokenizer, place  # type: ignore[return-value]


def _beginnings(files: TokenFiles, vocabulary: Mapping[str, int]) -> Beginnings:
    """What a text of a T5 may begin with, and the pieces that are marked but belong to a text."""
    if files.model_type not in T5:
        return Beginnings()
    found = sorted(vocabulary, key=vocabulary.__getitem__)
    pieces = [p for p in found if _TARGET.fullmatch(p)]
    given = [one.get("prefix") for one in files.tasks.values() if isinstance(one, Mapping)]
    tasks = [one.strip() for one in given if isinstance(one, str) and one.strip()]
    read = frozenset(
        i for p, i in vocabulary.items() if _READ.fullmatch(p) and i < files.vocab_size
    )
    return Beginnings(tuple(pieces or dict.fromkeys(tasks)), read)


def _check_size(files: TokenFiles, needed: list[int], config: ModelConfig) -> None:
    """Refuse special tokens and languages that the model has no numbers for."""
    if max(needed) >= config.vocab_size:
        raise CheckpointError(
            f"{files.title}: vocab_size is {config.vocab_size}, but the tokenizer has a "
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

    @property
    def added(self) -> Mapping[int, str]:
        return {i: token for i, token in self.cutter.added.items() if i < self.size}


# ------------------------------------------------------------------------------------ the files


def _opened(files: TokenFiles) -> tuple[Cutter, str]:
    """The cutter, and the style of its pieces."""
    if files.odd_class and not files.path("tokenizer.json"):
        raise CheckpointError(
            f"The tokenizer of {files.title} is a {quote(files.odd_class)}, whose own rules "
            "Headlight does not have; its files alone would cut words in another way. Save it as "
            "a tokenizer.json, or choose another model."
        )
    added = files.added()
    if files.kind == "byt5tokenizer":
        first = ByteCutter.FIRST + 256
        blanks = {f"<extra_id_{i}>": AddedToken(first + i) for i in range(files.blanks())}
        return AddedCutter(ByteCutter(), _within(files, blanks | added)), "bytes"
    vocabulary, merges = files.path("vocab.json"), files.path("merges.txt")
    if files.model_type == "blenderbot-small" and vocabulary and merges:
        cutter = _guarded((vocabulary, merges), OpenCutter.load)
        return AddedCutter(cutter, added), "open"
    if path := files.path("tokenizer.json"):
        parts = _parts(files)
        own = _guarded((path,), lambda p: LibraryCutter.from_file(p, files.is_read, added, parts))
        return own, own.style
    if path := files.path("vocab.txt"):
        how = {"lowercase": True, **_normalisation(files.settings)}
        own = _guarded((path,), lambda p: LibraryCutter.words(p, how, added))
        _check_whole(path, len(own.vocabulary()), files.vocab_size)
        return own, "words"
    if vocabulary and merges and not files.has_languages:
        prefix = files.settings.get("add_prefix_space", files.model_type == "blenderbot") is True
        read = lambda v, m: LibraryCutter.bytes(v, m, prefix, added)  # noqa: E731
        return _guarded((vocabulary, merges), read), "bytes"
    if path := files.path("sentencepiece.bpe.model", "spiece.model"):
        paths = (path, vocabulary) if vocabulary and files.model_type == "m2m_100" else (path,)
        return AddedCutter(_guarded(paths, lambda *p: _pieces(files, *p)), added), "spaces"
    raise CheckpointError(
        f"{files.title} has no tokenizer that Headlight reads: tokenizer.json, vocab.txt, "
        "vocab.json with merges.txt, sentencepiece.bpe.model or spiece.model. Copy or download it."
    )


def _check_whole(path: Path, count: int, size: int) -> None:
    """Refuse a vocab.txt that was cut off: nothing else in it shows that words are missing."""
    if 4 * count < 3 * size and not path.read_bytes().endswith(b"\n"):
        raise CheckpointError(
            f"{kinds.title(path.parent)}/{path.name} has {count:,} pieces and no end of its last "
            f"line; the model has {size:,}. It was cut off: copy or download it again."
        )


def _normalisation(settings: Mapping[str, Any]) -> dict[str, Any]:
    """What the settings of BERT's tokenizer say of the text before it is cut."""
    names = {
        "lowercase": "do_lower_case",
        "handle_chinese_chars": "tokenize_chinese_chars",
        "strip_accents": "strip_accents",
    }
    given = {ours: settings.get(name) for ours, name in names.items()}
    return {ours: value for ours, value in given.items() if value is not None}


def _parts(files: TokenFiles) -> dict[str, dict[str, Any]]:
    """What tokenizer_config.json says of the parts of a tokenizer.json, which it goes before."""
    space = files.settings.get("add_prefix_space")
    return {
        "ByteLevel": {} if space is None else {"add_prefix_space": space},
        "BertNormalizer": _normalisation(files.settings) if files.kind.startswith("bert") else {},
    }


_EXPECTED = {".json": "JSON", ".txt": "lines of text", ".model": "a SentencePiece model"}


def _guarded(paths: Sequence[Path], read: Callable[..., Any]) -> Any:
    """What a reader makes of files, which are not trusted."""
    for path in paths:
        kind = kinds.of_file(path)
        if kind and kind.group != "encoding":  # numbers may look like that
            raise CheckpointError(kinds.instead(path, _EXPECTED[path.suffix]))
        if path.stat().st_size > MAX_BYTES:
            raise CheckpointError(
                f"{kinds.title(path.parent)}/{path.name} has more than {MAX_BYTES:,} bytes; that "
                "is no tokenizer. Copy or download it again."
            )
    try:
        return read(*paths)
    except (CheckpointError, KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # a panic of the library `tokenizers` is no Exception
        names = " with ".join(path.name for path in paths)
        raise CheckpointError(
            f"{kinds.title(paths[0].parent)}/{names} is no tokenizer, or was not copied to its end "
            f"({type(error).__name__}). Copy or download it again."
        ) from None


def _pieces(files: TokenFiles, path: Path, vocabulary: Path | None = None) -> Cutter:
    """A SentencePiece model whose pieces are numbered as the family does it."""
    model = PieceCutter.open(path)
    pieces = [model.id_to_piece(i) for i in range(model.get_piece_size())]
    if files.model_type == "pegasus":
        numbers = _pegasus_numbers(pieces, int(files.settings.get("offset", 103)))
        return PieceCutter(model, numbers, range(2, numbers["<unk>"]))
    if files.model_type in T5:
        # The file's own numbers, then the blanks from the last to the first.
        last = len(pieces) + files.blanks() - 1
        blanks = {f"<extra_id_{last - i}>": AddedToken(i) for i in range(len(pieces), last + 1)}
        marked = [i for i in range(len(pieces)) if model.is_control(i) or model.is_unknown(i)]
        numbers = {piece: i for i, piece in enumerate(pieces)}
        return AddedCutter(PieceCutter(model, numbers, marked), _within(files, blanks))
    own = {"<s>": 0, "<pad>": 1, "</s>": 2, "<unk>": 3}
    if vocabulary:  # M2M100
        numbers = {str(p): int(i) for p, i in json.loads(vocabulary.read_text("utf-8")).items()}
    else:  # fairseq's numbers: its four special tokens, then the pieces but for their own three
        numbers = own | {p: i + 1 for i, p in enumerate(pieces) if i >= 3 and p not in own}
    first = len(numbers) if vocabulary else len(pieces) + 1
    codes = {f"__{code}__": first + i for i, code in enumerate(files.order())}
    if not vocabulary and files.settings.get("language_codes") != "multi":
        codes["<mask>"] = first + len(codes)
    saved = {token.strip("_"): how.number for token, how in files.listed()}
    codes = {code: saved.get(code.strip("_"), number) for code, number in codes.items()}
    marked = [*codes.values(), *(numbers[p] for p in own)]
    return PieceCutter(model, numbers | codes, marked)


def _within(files: TokenFiles, tokens: Mapping[str, AddedToken]) -> dict[str, AddedToken]:
    """Those that the model has numbers for."""
    return {token: how for token, how in tokens.items() if how.number < files.vocab_size}


def _pegasus_numbers(pieces: list[str], offset: int) -> dict[str, int]:
    """Padding and end, two masks and the reserved tokens; then the pieces, from the third on."""
    names = ["<pad>", "</s>", "<mask_1>", "<mask_2>", *(f"<unk_{i}>" for i in range(2, offset))]
    return {
        **{name: i for i, name in enumerate(names)},
        **{p: i + offset for i, p in enumerate(pieces) if i >= 2},
    }


def _codes(files: TokenFiles, cutter: Cutter, written: Iterable[object]) -> dict[str, int]:
    """The codes of languages: the special tokens that look like one, without underscores around
    them, and whatever token the files take for one: as `src_lang`, as `tgt_lang`, or `written` as
    the first of every text.
    """
    core = {name for names in SPECIAL.values() for name in names.values()}
    named = {content(files.settings.get(f"{side}_lang") or "") for side in ("src", "tgt")}
    found: dict[str, int] = {}
    for token, number in sorted(cutter.vocabulary().items(), key=lambda item: item[1]):
        if token in core or not (number in cutter.marked or number in cutter.added):
            continue
        match = _CODE.fullmatch(token) if number in cutter.marked else None
        if match or token in named or number in written:
            found.setdefault(match[1] if match else token.strip("<[_]>"), number)
    return found


# ---------------------------------------------------------------- special tokens and languages


def _specials(
    files: TokenFiles, style: str, vocabulary: Mapping[str, int], pad_id: int
) -> dict[str, int]:
    """The numbers of padding, end, unknown and start, by the names they have everywhere else.

    Padding is the model's, whatever a training padded its texts with.
    """
    found, missing = {}, []
    for role, usual in SPECIAL[style].items():
        given = files.settings.get(SETTINGS[role]) if style != "words" else None
        names = (content(given) if given else usual, usual)
        numbers = [vocabulary[name] for name in names if name in vocabulary]
        if numbers:
            found[role] = pad_id if role == PAD and pad_id in numbers else numbers[0]
        elif role != START:
            missing.append(usual)
    if missing:
        raise CheckpointError(
            f"The tokenizer of {files.title} has no {', '.join(missing)}; a tokenizer needs "
            "it. Copy or download its files again."
        )
    return found


def _languages(
    files: TokenFiles, codes: dict[str, int], rules: Rules, start: object
) -> tuple[Languages, Place]:
    """The languages, with those that a text takes if it names none."""
    by_number = {number: code for code, number in codes.items()}
    place: Place = "start" if start is None or start in by_number else "first"
    forced: Any = start if place == "start" else rules.forced_first_id
    if files.reads_target:
        usual = content(files.settings.get("tgt_lang") or "en")
        return Languages(codes, None, usual if usual in codes else None), "none"
    named = [content(files.settings.get(f"{side}_lang") or "") for side in ("src", "tgt")]
    source, target = (name.strip("<[_]>") for name in named)
    source = source or _USUAL_SOURCE.get(_family(files, codes), "")
    # As `generate`, whatever the tokenizer's files say.
    has_other = forced is not None and forced not in by_number
    target = "" if has_other else by_number.get(forced, target)
    return Languages(
        codes,
        source if source in codes else None,
        target if target in codes else None,
        has_other,
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
        if files.reads_target:
            return Template((TARGET_LANGUAGE,), (end,))
        if languages.source is None:
            return Template(after=(end,))
        if is_old:
            return Template(after=(end, SOURCE_LANGUAGE))
        return Template((SOURCE_LANGUAGE,), (end,))
    if isinstance(cutter, LibraryCutter) and (own := cutter.template()) is not None:
        return Template(*own)
    if style == "open" or files.adds_nothing:
        return Template()
    is_codet5 = files.model_type == "t5" and files.kind.startswith("roberta")
    begins = (files.model_type in ("bart", "mvp", "plbart") or is_codet5) and START in specials
    return Template((specials[START],) if begins else (), (end,))
