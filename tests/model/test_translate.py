"""The two commands that outsiders call: translate and evaluate."""

from __future__ import annotations

import dataclasses
import io
import json
import sys
from pathlib import Path

import pytest
import sacrebleu

from model import checkpoint, evaluate, translate
from model.checkpoint import SHIPPED, Checkpoint
from model.config import DecodeConfig
from model.explain import Explainer
from model.training import scores
from tests.tiny import write_marian, write_own

LINES = [
    "I am a small frog.",
    "",
    "   ",
    "It is raining today; take an umbrella with you!",
    "\x00\x07",
    "<script>alert(1)</script>",
    "🐸",
    "How many books did you read last year? " * 12,
    "一行",
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_own(tmp_path_factory.mktemp("model") / "own")


@pytest.fixture(scope="module")
def loaded(folder: Path) -> Checkpoint:
    return checkpoint.load(folder)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["greedy", "beam"])
def test_together_as_alone(folder: Path, loaded: Checkpoint, method: str) -> None:
    config = DecodeConfig.from_dict({"method": method, "beam_size": 3, "max_length": 10})
    together = translate.translate_all(loaded, LINES, config)
    assert [bool(line) for line in together[1:3]] == [False, False]
    for line, output in zip(LINES, together, strict=True):
        assert translate.translate_all(loaded, [line], config) == [output]
    best = Explainer.load(folder).explain(LINES[0], config).search.hypotheses[0].text
    assert together[0] == " ".join(best.split())


def test_a_long_line_is_cut_at_the_end_of_a_sentence(loaded: Checkpoint) -> None:
    ids = loaded.tokenizer.encode_source(LINES[7]).ids.tolist()
    parts = [part.ids for part in translate._cut(loaded, translate.Source(ids, None))]
    assert len(parts) > 1 and all(len(part) <= 64 for part in parts)
    assert [i for part in parts for i in part[:-1]] == ids[:-1]
    assert all(part[-1] == ids[-1] for part in parts)
    assert all(loaded.tokenizer.piece(part[-2])[-1] == "?" for part in parts)
    unbroken = translate._cut(loaded, translate.Source([9] * 200 + [2], None))
    assert [len(part.ids) for part in unbroken] == [64, 64, 64, 12]


def test_default_settings_stay_within_the_positions(loaded: Checkpoint) -> None:
    """The tiny model has 64 positions and never ends by itself; 128 tokens are the default."""
    (output,) = translate.translate_all(loaded, ["book " * 60], DecodeConfig(method="greedy"))
    assert output  # 2 * 61 + 16 tokens would have been beyond the table of positions


def test_stretches_are_joined_as_their_language_asks() -> None:
    assert translate._join("Ein Satz.", "Noch einer.") == "Ein Satz. Noch einer."
    assert translate._join("一句。", "又一句。") == "一句。又一句。"
    assert translate._join("", "一句。") == "一句。"


@pytest.mark.slow
def test_each_stretch_keeps_the_language_code(tmp_path: Path) -> None:
    marian = checkpoint.load(write_marian(tmp_path / "marian"))
    ids = marian.tokenizer.encode_source(">>cmn_Hans<< " + "book " * 150).ids.tolist()
    parts = [part.ids for part in translate._cut(marian, translate.Source(ids, None))]
    assert len(parts) > 1
    assert {part[0] for part in parts} == {ids[0]}
    assert max(map(len, parts)) <= 64


def test_one_line_in_one_line_out(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    raw = "\n".join(LINES).encode() + b"\nbroken \xff\xfe bytes\r\nno newline\xe2\x80\xa8at the end"
    stdin = io.TextIOWrapper(io.BytesIO(raw))
    monkeypatch.setattr(sys, "stdin", stdin)
    assert translate.main(["--model", str(folder), "--beam", "2", "--max-length", "6"]) == 0
    out = capsysbinary.readouterr().out
    assert out.count(b"\n") == len(LINES) + 2
    assert b"\r" not in out


def test_invisible_characters_change_no_translation(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    """A file from a web page, and one from Notepad."""
    plain = "The student is reading a book.\nIt's me.\n"
    hidden = "\ufeffThe stu\u00addent is\u00a0read\u200bing a book.\u200e\r\n\u2060It’s ｍｅ.\r\n"
    outputs = []
    for text in (plain, hidden):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        assert translate.main(["--model", str(folder), "--beam", "2", "--max-length", "6"]) == 0
        outputs.append(capsysbinary.readouterr().out)
    assert outputs[0] == outputs[1] != b"\n\n"


def test_a_model_that_is_not_there_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert translate.main(["--model", "/nowhere/at all"]) == 2
    assert "no folder" in capsys.readouterr().err


def test_scores_are_those_of_sacrebleu_on_its_own_command(tmp_path: Path) -> None:
    """Three sentences with two references each, the same as a fixed number of reference streams."""
    outputs = ["我是学生。", "我们为什么要工作？", "车站在哪儿？"]
    first = ["我是一名学生。", "我们为什么工作？", "车站在哪里？"]
    second = ["我是学生。", "为什么我们要工作？", "火车站在哪儿？"]
    expected = sacrebleu.BLEU(tokenize="zh").corpus_score(outputs, [first, second])
    found = scores.score(outputs, list(zip(first, second, strict=True)))
    assert found["bleu"] == pytest.approx(expected.score, abs=0.01)
    one = sacrebleu.BLEU(tokenize="zh").corpus_score(outputs, [first])
    assert scores.score(outputs, [[a] for a in first])["bleu"] == pytest.approx(one.score, abs=0.01)
    assert one.score < expected.score


def test_a_missing_second_reference_is_no_empty_one() -> None:
    found = scores.score(["你好。", "我是学生。"], [["你好。", "您好。"], ["我是学生。"]])
    assert found["bleu"] == pytest.approx(100)


def test_evaluate_prints_one_json_object(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "pairs.tsv"
    file.write_text("I am here.\t我在这。\nI am here.\t我在這裡。\nYou.\t你。\n", "utf-8")
    flags = f"--model {folder} --data {file} --beam 2 --json --max-length 8 --unlike {file}"
    assert evaluate.main(flags.split()) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["sentences"] == 2
    assert result["unlike"] == {"sentences": 0}  # nothing is unlike itself
    assert {"bleu", "chrf", "seconds"} <= set(result)
    used = result["decoding"]
    assert (used["method"], used["beam_size"], used["max_length"]) == ("beam", 2, 8)
    assert used["rules"]["banned"] and used["rules"]["start_id"] == 1
    for name, metric in (("bleu", sacrebleu.BLEU(tokenize="zh")), ("chrf", sacrebleu.CHRF())):
        metric.corpus_score(["我在这。", "你。"], [["我在这。", "你。"], ["我在這裡。", None]])
        assert result["signature"][name] == str(metric.get_signature())


REFERENCES = {  # from a translation: its references as a file has them
    "plain": lambda text: [text + "吗？"],
    "typographic": lambda text: [f"“{text}”……‘好’…"],
    "invisible": lambda text: ["\u200e" + text[:2] + "\u00ad" + text[2:] + "\ufeff好"],
    "wide": lambda text: [text + "ＡＢＣ １２"],
    "spaces": lambda text: [f"  {text}  好\u00a0"],
    "decomposed": lambda text: [text + "cafe\u0301"],
    "two": lambda text: [text + "吗？", "他是" + text],
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", REFERENCES)
@pytest.mark.parametrize("model", ["shipped", "marian"])
def test_references_are_scored_as_they_are_given(
    model: str, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As sacrebleu scores the output of `translate` against the raw lines."""
    sources = ["Where is the station?", "“It’s” a small frog…", "\u200bＩ am here."]
    folder = SHIPPED if model == "shipped" else write_marian(tmp_path / "marian")
    flags = ["--model", str(folder), "--beam", "1", "--max-length", "8", "--no-repeat", "1"]
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("\n".join(sources).encode())))
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written))
    assert translate.main(flags) == 0
    outputs = written.getvalue().decode().split("\n")[:-1]
    rows = [REFERENCES[kind](output) for output in outputs]
    file = tmp_path / "pairs.tsv"
    pairs = zip(sources, rows, strict=True)
    lines = [f"{source}\t{text}\r\n" for source, row in pairs for text in row]
    file.write_text("\ufeff" + "".join(lines), "utf-8", newline="")
    command = evaluate.Command(
        str(folder), 1, max_length=8, no_repeat=1, data=(file,), tokenize="zh"
    )
    found = evaluate.scores(command)
    streams = list(zip(*rows, strict=True))
    bleu = sacrebleu.BLEU(tokenize="zh").corpus_score(outputs, streams).score
    chrf = sacrebleu.CHRF().corpus_score(outputs, streams).score
    assert found["bleu"] == pytest.approx(bleu, abs=0.01)
    assert found["chrf"] == pytest.approx(chrf, abs=0.01) and chrf > 0


def test_the_tokeniser_follows_the_language() -> None:
    assert scores.tokenizer_for([["我是学生。"], ["OK", "好"], ["你好。"]]) == "zh"
    assert scores.tokenizer_for([["Ich bin Student."], ["Ja."]]) == "13a"
    for text in ("わたしは学生です。", "ﾜﾀｼﾊｶﾞｸｾｲ", "ฉันเป็นนักเรียน", "ຂ້ອຍເປັນນັກຮຽນ", "ខ្ញុំជាសិស្ស",
                 "ကျွန်ုပ်သည်ကျောင်းသားဖြစ်သည်။", "ང་སློབ་མ་ཡིན།"):  # fmt: skip
        assert scores.tokenizer_for([[text]]) == "char", text


UNSPACED = {  # two translations, and their references
    "th": (["ฉันเป็นนักเรียน", "สถานีอยู่ที่ไหน"], ["ผมเป็นนักเรียนครับ", "สถานีรถไฟอยู่ที่ไหน"]),
    "lo": (["ຂ້ອຍເປັນນັກຮຽນ", "ສະຖານີຢູ່ໃສ"], ["ຂ້ອຍແມ່ນນັກຮຽນ", "ສະຖານີລົດໄຟຢູ່ໃສ"]),
    "km": (["ខ្ញុំជាសិស្ស", "ស្ថានីយ៍នៅឯណា"], ["ខ្ញុំគឺជាសិស្ស", "ស្ថានីយ៍រថភ្លើងនៅឯណា"]),
    "my": (["ကျွန်ုပ်သည်ကျောင်းသား", "ဘူတာဘယ်မှာလဲ"], ["ကျွန်တော်ကျောင်းသားပါ", "ဘူတာရုံဘယ်မှာလဲ"]),
    "bo": (["ང་སློབ་མ་ཡིན།", "འབབ་ཚུགས་ག་པར་ཡོད།"], ["ང་ནི་སློབ་མ་ཡིན།", "མེ་འཁོར་འབབ་ཚུགས་ག་པར་ཡོད།"]),
    "ja": (["ﾜﾀｼﾊｶﾞｸｾｲﾃﾞｽ", "ｴｷﾊﾄﾞｺﾃﾞｽｶ"], ["ﾎﾞｸﾊｶﾞｸｾｲﾃﾞｽ", "ｴｷﾊﾄﾞｺﾆｱﾘﾏｽｶ"]),
}


@pytest.mark.parametrize("language", UNSPACED)
def test_without_blanks_bleu_counts_characters(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What `evaluate` prints, score and signature, is what sacrebleu's own char tokenizer gives."""
    outputs, references = UNSPACED[language]
    file = tmp_path / "pairs.tsv"
    pairs = zip(("I am a student.", "Where is the station?"), references, strict=True)
    file.write_text("".join(f"{source}\t{text}\n" for source, text in pairs), "utf-8")
    monkeypatch.setattr(evaluate, "translate_all", lambda *given: outputs)
    found = evaluate.scores(evaluate.Command(data=(file,)))
    char, words = (sacrebleu.BLEU(tokenize=tokenize) for tokenize in ("char", "13a"))
    expected = char.corpus_score(outputs, [references])
    assert found["bleu"] == pytest.approx(expected.score, abs=0.01) and expected.score > 10
    assert found["signature"]["bleu"] == str(char.get_signature())
    assert words.corpus_score(outputs, [references]).score < expected.score / 4


def test_korean_is_counted_as_the_field_does_or_it_is_said(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Without the dictionary of mecab 13a counts, as the signature says."""
    references = [["나는 학생입니다."], ["역이 어디에 있습니까?"]]
    monkeypatch.setitem(sys.modules, "mecab_ko", None)
    assert scores.tokenizer_for(references) == "13a"
    assert 'pip install "sacrebleu[ko]"' in caplog.text
    assert "tok:13a" in scores.signatures(references, "13a")["bleu"]
    monkeypatch.setattr(sacrebleu, "BLEU", lambda tokenize: None)  # it is installed
    assert scores.tokenizer_for(references) == "ko-mecab"


@pytest.mark.slow
def test_scores_by_domain_and_of_chosen_lines(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "pairs.tsv"
    lines = ["I am here now.\t我在这裡。\ttalk", "You.\t你。\ttalk", "He is.\t他在。\tnews-one"]
    file.write_text("\n".join(lines), "utf-8")
    flags = f"--model {folder} --data {file} --beam 2 --json --max-length 8"
    assert evaluate.main([*flags.split(), "--per-domain"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert {name: part["sentences"] for name, part in result["domains"].items()} == {
        "news-one": 1,
        "talk": 2,
    }
    assert evaluate.main([*flags.split(), "--domains", "news-*", "talk", "--max-words", "3"]) == 0
    assert json.loads(capsys.readouterr().out)["sentences"] == 2
    assert evaluate.main([*flags.split(), "--groups", "all=talk,news-*", "none=sport"]) == 0
    groups = json.loads(capsys.readouterr().out)["domains"]
    assert {name: part["sentences"] for name, part in groups.items()} == {"all": 3, "none": 0}
    assert evaluate.main([*flags.split(), "--groups", "talk"]) == 2
    assert "should be name=domain" in capsys.readouterr().err
    assert evaluate.main([*flags.split(), "--domains", "sport"]) == 2
    assert "nothing to score" in capsys.readouterr().err


def test_references_are_simplified_only_when_asked(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "pairs.tsv"
    file.write_text("I am here.\t我在這裡。\n", "utf-8")
    plain = evaluate.Command(data=(file,))
    assert evaluate.chosen(plain)[0].target == "我在這裡。"
    assert evaluate.chosen(dataclasses.replace(plain, simplify=True))[0].target == "我在这里。"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("老姐姐姐姐的", False),
        ("老姐姐姐姐姐的", True),
        ("他去了北京，他去了北京。", True),
        ("12341234", False),
        ("the old man the old man", False),
        ("the old man sat the old man sat", True),
    ],
)
def test_a_repeated_run_of_four(text: str, expected: bool) -> None:
    assert scores.repeats(text) is expected


def test_a_wrong_flag_ends_with_two(capsys: pytest.CaptureFixture[str]) -> None:
    for main in (translate.main, evaluate.main):
        with pytest.raises(SystemExit) as ended:
            main(["--beams", "4"])
        assert ended.value.code == 2
        assert "beams" in capsys.readouterr().err
