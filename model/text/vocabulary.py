"""The vocabulary of a new model: one unigram SentencePiece model, whose pieces are words.

Candidates are words and, in scripts with letters, parts of words; EM keeps the most useful ones
(Kudo 2018). By itself, SentencePiece takes its candidates from a suffix tree, which omits a string
that is always followed by the same character: "because", always followed by a space, was cut into
be|cause. And in text without spaces it found phrases, such as 我不知道.
"""

from __future__ import annotations

import io
import logging
import re
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import jieba
import sentencepiece

from model.errors import ConfigError
from model.hub import PAIRED_TOKENIZER
from model.text.characters import SPACE
from model.text.languages import LANGUAGES
from model.text.tokenizer import END, PAD, START, UNKNOWN

jieba.setLogLevel(logging.WARNING)
log = logging.getLogger(__name__)

MAX_PIECE = 16  # characters of a piece, at most
SPACED = 0.1  # least share of spaces in a language that separates words by spaces

# Words of some languages have no space before them: a dictionary, not spaces, separates them.
_UNCUT = f"[{''.join(one.letters for one in LANGUAGES.values() if one.dictionary)}]"
_CHUNK = re.compile(rf"{_UNCUT}+|\s?(?:(?!{_UNCUT})[^\W\d_])+|\s?(?!{_UNCUT})\S")


def train(
    pairs: Sequence[tuple[str, str]], vocab_size: int, folder: Path, *, nearest: bool = False
) -> None:
    """Write `source.spm` and `target.spm`: one vocabulary, with bytes for unknown characters.

    With `nearest` it has the nearest size that the corpus allows.

    They differ in a single setting: whether a text begins with a space mark. It does if spaces
    separate the words, so that "dog" is the same piece everywhere; Chinese does not need it.

    Raises:
        ConfigError: the corpus is too small for this many pieces, or too rich for this few.
    """
    sides = [[pair[0] for pair in pairs], [pair[1] for pair in pairs]]
    marked = [writes_spaces(side) for side in sides]
    texts = [" " * mark + text for side, mark in zip(sides, marked, strict=True) for text in side]
    try:
        model = _train(texts, vocab_size)
    except RuntimeError:
        least, most = _sizes(texts)
        if not nearest or not least:
            fits = f"; sizes from {least} to {most} do. Give one, or leave it out" * bool(least)
            raise ConfigError(
                f"No vocabulary of {vocab_size} pieces fits this corpus{fits}."
            ) from None
        size = min(max(vocab_size, least), most)
        log.info("The vocabulary has %d pieces, not %d: as the corpus allows.", size, vocab_size)
        model = _train(texts, size)
    for name, mark in zip(PAIRED_TOKENIZER, marked, strict=True):
        partial = folder / f"{name}.partial"  # so that an interruption leaves no partial tokenizer
        partial.write_bytes(_begun(model, mark))
        partial.replace(folder / name)


def writes_spaces(texts: Iterable[str]) -> bool:
    """True if spaces separate a language's words: true for English, not for Chinese or Thai."""
    text = "".join(texts)
    return text.count(" ") > SPACED * len(text)


def words(text: str) -> Iterator[str]:
    """The words of a text with their leading space; each digit or sign is a separate word.

    " I'm 我不知道" -> " I", "'", "m", "我", "不", "知道".
    """
    for chunk in _CHUNK.findall(text):
        if re.match(_UNCUT, chunk):
            yield from jieba.cut(chunk, HMM=False)
        else:
            yield chunk


def candidates(texts: Iterable[str]) -> dict[str, int]:
    """Strings that may become pieces, with their counts (at least two).

    A word that the dictionary cut is a candidate as a whole; the characters of a text are pieces in
    any case.
    """
    counts = Counter(word for text in texts for word in words(text))
    found: Counter[str] = Counter()
    for word, n in counts.items():
        if re.match(_UNCUT, word):
            found[word[:MAX_PIECE]] += n
            continue
        word = word.replace(" ", SPACE)
        for i in range(len(word)):
            for j in range(i + 2, min(len(word), i + MAX_PIECE) + 1):
                found[word[i:j]] += n
    return {piece: n for piece, n in found.items() if n > 1 and len(piece) > 1}


# What SentencePiece says of a size that is too small or too large.
_TOO_SMALL, _TOO_LARGE = re.compile(r"\d+ vs (\d+)"), re.compile(r"value <= (\d+)")
SMALLEST, _HUGE = 261, 1_000_000  # the special tokens, the bytes and a character; too many


def _sizes(texts: Sequence[str]) -> tuple[int, int]:
    """The least and the largest vocabulary that a corpus allows; zeros if that is not told."""
    bounds = []
    for probe, bound in ((SMALLEST, _TOO_SMALL), (_HUGE, _TOO_LARGE)):
        try:
            _train(texts, probe)
            bounds.append(probe)
        except RuntimeError as error:
            match = bound.search(str(error))
            bounds.append(int(match[1]) if match else 0)
    least, most = bounds
    return (least, most) if 0 < least <= most else (0, 0)


def _train(texts: Sequence[str], vocab_size: int) -> bytes:
    """Train a serialized SentencePiece model; texts begin with a space if they need one.

    Raises:
        RuntimeError: no model has this size.
    """
    scores = {piece: n * len(piece) for piece, n in candidates(texts).items()}
    order = sorted(scores, key=lambda piece: (-scores[piece], piece))
    model = io.BytesIO()
    with tempfile.TemporaryDirectory() as folder:
        seeds = Path(folder) / "seeds.tsv"
        seeds.write_text("".join(f"{piece}\t{scores[piece]}\n" for piece in order), "utf-8")
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(texts),
            model_writer=model,
            vocab_size=vocab_size,
            model_type="unigram",
            seed_sentencepieces_file=str(seeds),
            max_sentencepiece_length=MAX_PIECE,
            character_coverage=0.9995,
            byte_fallback=True,
            normalization_rule_name="identity",  # `normalise` did it; wide signs must stay
            add_dummy_prefix=False,
            remove_extra_whitespaces=False,  # the space at the start of a text
            pad_id=0,
            bos_id=1,
            eos_id=2,
            unk_id=3,
            pad_piece=PAD,
            bos_piece=START,
            eos_piece=END,
            unk_piece=UNKNOWN,
            num_threads=2,
            minloglevel=2,
        )
    return model.getvalue()


# The path of the candidates, cleared: field 54 of the model's trainer_spec, its field 2.
_NO_SEEDS = bytes([2 << 3 | 2, 3, 0xB2, 0x03, 0])


def _begun(model: bytes, space: bool) -> bytes:
    """Set whether the texts of a serialized model begin with a space mark.

    Protocol buffers merge repeated fields, so appending to the model changes the setting. Field 3
    of a model is its normalizer_spec; add_dummy_prefix and remove_extra_whitespaces are the fields
    3 and 4 of that.
    """
    spec = bytes([3 << 3 | 2, 4, 3 << 3, space, 4 << 3, True])
    merged = sentencepiece.SentencePieceProcessor(model_proto=model + _NO_SEEDS + spec)
    serialized: bytes = merged.serialized_model_proto()
    return serialized
