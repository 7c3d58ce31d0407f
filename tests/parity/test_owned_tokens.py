"""What a fine-tune leaves in a tokenizer's files: tokens, codes, a forced language, line ends.

The expected ids are those of the family's tokenizer in `transformers`, from the same files.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch

from model.checkpoint import load
from model.explain import Explainer
from tests import foreign
from tests.foreign import write_json
from tests.tiers import each

transformers = pytest.importorskip("transformers")

CLASSES = {  # those that `transformers` opens without protobuf
    "bart": "BartTokenizer",
    "byt5": "ByT5Tokenizer",
    "m2m100": "M2M100Tokenizer",
    "plbart": "PLBartTokenizer",
    "chinese bart": "BertTokenizer",
    "blenderbot small": "BlenderbotSmallTokenizer",
    "codet5": "RobertaTokenizer",
    "marian": "MarianTokenizer",
}
TOKENS = ("<", "covid19", "<speaker1>", "new york", "zé")
TEXTS = (
    "a < b", "a covid19 b", "<speaker1> Hello", "xcovid19y<", "COVID19 new york zé",
    "def f(x):\n    return x", "a\n\nb", "if a:\n\tb", "a\r\nb", "    return x\n",
)  # fmt: skip
FORMS: dict[str, dict[str, Any] | None] = {  # None: added_tokens.json alone, as older versions did
    "old": None,
    "plain": {},
    "special": {"special": True, "normalized": False},
    "stripped": {"lstrip": True, "rstrip": True},
}
PLAIN = {"lstrip": False, "rstrip": False, "normalized": True, "single_word": False}


def add_tokens(
    folder: Path, kind: Any, form: dict[str, Any] | None, added: tuple[str, ...] = TOKENS
) -> None:
    """Write the tokens as `add_tokens` and `save_pretrained` do, with a row of the matrix each."""
    model = transformers.AutoModelForSeq2SeqLM.from_pretrained(folder)
    if (folder / "vocab.json").exists() or (folder / "vocab.txt").exists():
        first, path = model.config.vocab_size, folder / "added_tokens.json"
        numbers = json.loads(path.read_text("utf-8")) if path.exists() else {}
        numbers |= {token: first + i for i, token in enumerate(added)}
        write_json(path, numbers)
        path = folder / "tokenizer_config.json"
        settings = json.loads(path.read_text("utf-8")) if path.exists() else {}
        settings.pop("added_tokens_decoder", None)
        if form is not None:
            settings["added_tokens_decoder"] = {
                str(i): {"content": t, "special": False, **PLAIN, **form}
                for t, i in numbers.items()
            }
        write_json(path, settings)
    else:  # the class writes its files; its own tokens stand among them
        tokenizer = kind.from_pretrained(folder)
        tokenizer.add_tokens([transformers.AddedToken(token, **(form or {})) for token in added])
        tokenizer.save_pretrained(folder)
        first = len(tokenizer) - len(added) + 8
    model.resize_token_embeddings(first + len(added), mean_resizing=False)
    model.save_pretrained(folder)


@each(("name", "form"), [(name, form) for form in FORMS for name in CLASSES], 9)
def test_tokens_that_were_added_and_line_ends_are_theirs(
    tmp_path: Path, name: str, form: str
) -> None:
    """In a text to read, and in what is written: a plain one has its text, a special one none."""
    folder = foreign.write_tiny(tmp_path / "model", name)
    kind = getattr(transformers, CLASSES[name])
    tokens = TOKENS if name == "chinese bart" else (*TOKENS, "[SEP]")
    add_tokens(folder, kind, FORMS[form], tokens)
    ours, theirs = load(folder).tokenizer, kind.from_pretrained(folder)
    numbers = [theirs.convert_tokens_to_ids(token) for token in tokens]
    for text in (*TEXTS, f"a {tokens[-1]} b"):
        ids = theirs(text).input_ids
        assert ours.encode_source(text).ids.tolist() == ids, text
    assert [ours.piece(i).removeprefix("▁") for i in numbers] == list(tokens)
    written = ours.target_tokens(numbers).text.replace(" ", "")
    assert written == ("" if form == "special" else "".join(tokens).replace(" ", ""))


ASKED: list[tuple[str, dict[str, Any]]] = [
    ("chinese bart", {"strip_accents": False}), ("chinese bart", {"tokenize_chinese_chars": False}),
    ("chinese bart", {"do_lower_case": False, "strip_accents": True}),
    ("codet5", {"tokenizer_class": "GPT2Tokenizer"}),  # FRED-T5: nothing around a text
    ("bart", {"pad_token": "</s>"}),  # of a training; the model's is its config's
    ("bart, tokenizer.json", {"tokenizer_class": "PreTrainedTokenizerFast"}),  # KoBART
    ("flan-t5", {"tokenizer_class": "TokenizersBackend"}),
    ("bart, tokenizer.json", {"tokenizer_class": "BartTokenizer", "add_prefix_space": True}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "settings"), ASKED)
def test_what_a_tokenizers_settings_ask_for_is_done(
    tmp_path: Path, name: str, settings: dict[str, Any]
) -> None:
    folder = foreign.write_family(tmp_path / "model", name)
    for file, own in (("tokenizer", {"post_processor": None}), ("tokenizer_config", settings)):
        path = folder / f"{file}.json"
        if path.exists() or file == "tokenizer_config":
            write_json(path, (json.loads(path.read_text("utf-8")) if path.exists() else {}) | own)
    theirs, ours = transformers.AutoTokenizer.from_pretrained(folder), load(folder).tokenizer
    for text in ("Étude: a café, 你好 two", "A small frog"):
        assert ours.encode_source(text).ids.tolist() == theirs(text).input_ids


def test_settings_go_before_what_tokenizer_json_says(tmp_path: Path) -> None:
    folder = foreign.write_family(tmp_path / "model", "chinese bart")
    transformers.AutoTokenizer.from_pretrained(folder).save_pretrained(folder)
    (folder / "vocab.txt").unlink(missing_ok=True)
    path = folder / "tokenizer_config.json"
    own = {"do_lower_case": False, "strip_accents": True, "tokenize_chinese_chars": False}
    write_json(path, json.loads(path.read_text("utf-8")) | own)
    theirs, ours = transformers.AutoTokenizer.from_pretrained(folder), load(folder).tokenizer
    for text in ("Étude: a CAFÉ, 你好 two", "A small frog"):
        assert ours.encode_source(text).ids.tolist() == theirs(text).input_ids


@pytest.mark.parametrize("name", ["mbart-50", "plbart", "byt5"])
def test_the_class_may_stand_in_config_json(tmp_path: Path, name: str) -> None:
    """As mBART-50's does; it decides which languages there are, and in which order."""
    folder = foreign.write_family(tmp_path / "model", name)
    expected, path = load(folder).tokenizer, folder / "tokenizer_config.json"
    settings = json.loads(path.read_text("utf-8"))
    config = json.loads((folder / "config.json").read_text("utf-8"))
    named = {"tokenizer_class": settings.pop("tokenizer_class")}
    write_json(path, settings)
    write_json(folder / "config.json", config | named)
    found = load(folder).tokenizer
    assert found.codes == expected.codes and found.numbers == expected.numbers
    assert (found.encode_source("a frog").ids == expected.encode_source("a frog").ids).all()


@pytest.mark.parametrize(("name", "form"), [("m2m100", "__{}__"), ("mbart-50", "{}")])
def test_a_language_has_the_number_that_the_files_give_it(
    tmp_path: Path, name: str, form: str
) -> None:
    """As in a vocabulary that was made anew; else it follows from the family's own order."""
    folder = foreign.write_family(tmp_path / "model", name)
    numbers, path = load(folder).tokenizer.numbers, folder / "tokenizer_config.json"
    first, second = ("fr", "de") if name == "m2m100" else ("fr_XX", "de_DE")
    other = {first: numbers[f">>{second}<<"], second: numbers[f">>{first}<<"]}
    listed = {str(i): {"content": form.format(code), "special": True} for code, i in other.items()}
    write_json(path, json.loads(path.read_text("utf-8")) | {"added_tokens_decoder": listed})
    tokenizer = load(folder).tokenizer
    for code, number in other.items():
        assert tokenizer.target_language(f">>{code}<< a frog") == number
        assert tokenizer.piece(number) == f">>{code}<<"


def write_code(folder: Path, code: str, **settings: Any) -> int:
    """An NLLB with one more code among its special tokens; return its number."""
    path = folder / "tokenizer.json"
    values = json.loads(path.read_text("utf-8"))
    numbers = {token["content"]: token["id"] for token in values["added_tokens"]}
    if code not in numbers:
        numbers[code] = max(numbers.values()) + 1
        one = {**values["added_tokens"][0], "id": numbers[code], "content": code}
        values["added_tokens"].append(one)
        write_json(path, values)
    for file, own in settings.items():
        path = folder / f"{file}.json"
        old = json.loads(path.read_text("utf-8"))
        write_json(path, old | {k: numbers[code] if v is ... else v for k, v in own.items()})
    return int(numbers[code])


@pytest.fixture(scope="module")
def nllb(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return foreign.write_family(tmp_path_factory.mktemp("nllb") / "model", "nllb")


@pytest.mark.parametrize("code", ["fra_Latn", "code_1", "lang-x", "XX2", "zh-Hans-CN", "<new>"])
def test_the_forced_language_is_the_default_whatever_the_tokenizer_says(
    nllb: Path, tmp_path: Path, code: str
) -> None:
    """What `generate` writes first; a code that a fine-tune added is one like any other."""
    folder = tmp_path / "model"
    folder.mkdir()
    for path in nllb.iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    forced = {"generation_config": {"forced_bos_token_id": ...}}
    own = {"tokenizer_config": {"src_lang": code, "tgt_lang": "zho_Hans"}}
    number = write_code(folder, code, **forced, **own)
    tokenizer, name = load(folder).tokenizer, code.strip("<>")
    assert f">>{name}<<" in tokenizer.codes
    assert tokenizer.languages == {"source": name, "target": name}
    assert tokenizer.target_language("a frog") == number
    assert tokenizer.encode_source("a frog").ids[0] == number
    other = tokenizer.target_language(">>deu_Latn<< a frog")
    assert tokenizer.piece(other or 0) == ">>deu_Latn<<"
    model = transformers.AutoModelForSeq2SeqLM.from_pretrained(folder)
    ids = transformers.PreTrainedTokenizerFast(tokenizer_file=str(folder / "tokenizer.json"))
    read = ids("a frog", return_tensors="pt").input_ids
    assert model.generate(read, max_new_tokens=2)[0, 1] == number


def test_a_language_that_starts_the_text_goes_before_the_tokenizers(tmp_path: Path) -> None:
    """mBART's decoder_start_token_id, as mBART-50's forced token."""
    folder = foreign.write_family(tmp_path / "model", "mbart cc25")
    path = folder / "generation_config.json"
    values = json.loads(path.read_text("utf-8"))
    french = load(folder).tokenizer.target_language(">>fr_XX<< a")
    write_json(path, values | {"decoder_start_token_id": french})
    assert load(folder).tokenizer.target_language("a") == french


def test_a_forced_token_that_is_no_language_is_written(tmp_path: Path) -> None:
    """As `generate` does; a code in the text chooses a language all the same."""
    folder = foreign.write_family(tmp_path / "model", "mbart-50")
    path = folder / "generation_config.json"
    write_json(path, json.loads(path.read_text("utf-8")) | {"forced_bos_token_id": 0})
    explainer = Explainer.load(folder, device="cpu")
    ids = torch.tensor([explainer.read("a frog").ids.tolist()])
    model = transformers.AutoModelForSeq2SeqLM.from_pretrained(folder)
    first = int(model.generate(ids, max_new_tokens=2)[0, 1])
    assert int(explainer.explain("a frog").trace.tgt_out.ids[0]) == first == 0
    french = explainer.explain(">>fr_XX<< a frog").trace.tgt_out
    assert french.pieces[0] == ">>fr_XX<<"


@pytest.mark.parametrize("name", ["bart", "byt5", "codet5", "blenderbot"])
def test_a_text_that_ends_inside_a_character_is_theirs(tmp_path: Path, name: str) -> None:
    """One U+FFFD for what there is of a character, as their decoders write it; ByT5: none."""
    folder = foreign.write_family(tmp_path / "model", name)
    kind = CLASSES.get(name, "BlenderbotTokenizer")
    theirs = getattr(transformers, kind).from_pretrained(folder)
    ours = load(folder).tokenizer
    ids = ours.encode_target("a 🙂 é 你🙂 鱻").ids.tolist()
    broken = [ids[:i] for i in range(1, len(ids))] + [ids[i:] for i in range(1, len(ids))]
    for part in [*broken, [i for i in ids if i % 3]]:
        tokens = ours.target_tokens(part)
        expected = theirs.decode(part, skip_special_tokens=True, clean_up_tokenization_spaces=False)
        assert tokens.text == expected.removeprefix(" "), part
        assert (tokens.spans[:, 0] <= tokens.spans[:, 1]).all()
