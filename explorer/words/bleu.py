"""The words of the exhibit `bleu`."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "bleu.title": Word("BLEU by hand", "手算 BLEU"),
    "bleu.lead": Word(
        "How a translation is scored: which of its n-grams the references have too, and how often "
        "each may count. Type your own texts, or choose “the the the” and see why counts are "
        "clipped.",
        "译文怎样打分：它的 n 元组有哪些也出现在参考译文里，每个又最多能算几次。"
        "可以输入自己的文本，或者选“the the the”，看看为什么要截断计数。",
    ),
    "bleu.presets": Word("Examples", "例子"),
    "bleu.preset.own": Word("This translation", "当前译文"),
    "bleu.preset.repeated": Word("the the the", "一连串 the"),
    "bleu.preset.order": Word("Right words, wrong order", "词对序错"),
    "bleu.preset.short": Word("Too short", "过短"),
    "bleu.preset.chinese": Word("Chinese, two references", "中文，两条参考"),
    "bleu.candidate": Word("Candidate", "候选译文"),
    "bleu.reference": Word("Reference {n}", "参考译文 {n}"),
    "bleu.tokeniser": Word("Tokens", "切分"),
    "bleu.tokeniser.auto": Word("what suits the texts", "按文本自动选择"),
    "bleu.tokeniser.13a": Word("13a: words and punctuation", "13a：按词和标点"),
    "bleu.tokeniser.zh": Word("zh: each Chinese character", "zh：按单个汉字"),
    "bleu.way": Word("Orders without a match", "没有匹配的阶"),
    "bleu.way.none": Word("make the score 0 (the paper)", "使得分为 0（论文）"),
    "bleu.way.exp": Word("count as ½, ¼, … (sacrebleu)", "按 ½、¼……计（sacrebleu）"),
    "bleu.way.sentence": Word(
        "the same; too short ones left out (sentence_bleu)",
        "同上，且略去过短的阶（sentence_bleu）",
    ),
    "bleu.order": Word("n-grams of length", "n 元组的长度"),
    "bleu.counts.note": Word(
        "Point at an n-gram to see where it stands. Solid: counted; dashed: the reference has it "
        "too, but not so often.",
        "指向一个 n 元组，可看到它的位置。实线：计入；虚线：参考译文里也有，但没有这么多次。",
    ),
    "bleu.gram": Word("n-gram", "n 元组"),
    "bleu.count": Word("in the candidate", "候选中"),
    "bleu.most": Word("most in one reference", "单条参考中最多"),
    "bleu.counts": Word("counts", "计入"),
    "bleu.zero": Word("0", "0"),
    "bleu.clipped": Word("{count}, clipped to {clipped}", "{count} 截断为 {clipped}"),
    "bleu.total": Word("all of length {n}", "长度 {n} 合计"),
    "bleu.precisions": Word("Precision of each length", "各阶精确率"),
    "bleu.too_short": Word("the candidate is too short", "候选译文太短"),
    "bleu.no_match": Word("no match", "没有匹配"),
    "bleu.smoothed": Word("smoothed: 1 / ({times} · {total})", "平滑：1 / ({times} · {total})"),
    "bleu.left_out": Word("left out", "略去"),
    "bleu.penalty": Word("Brevity penalty", "简短惩罚"),
    "bleu.penalty.long": Word("c = {c} > r = {r}, so BP = 1.", "c = {c} > r = {r}，所以 BP = 1。"),
    "bleu.penalty.equal": Word(
        "c = r = {c}, so BP = exp(1 − {r} / {c}) = 1.",
        "c = r = {c}，所以 BP = exp(1 − {r} / {c}) = 1。",
    ),
    "bleu.penalty.short": Word(
        "c = {c} ≤ r = {r}, so BP = exp(1 − {r} / {c}) = {bp}.",
        "c = {c} ≤ r = {r}，所以 BP = exp(1 − {r} / {c}) = {bp}。",
    ),
    "bleu.mean": Word("Geometric mean", "几何平均"),
    "bleu.mean.numbers": Word(
        "({product})^(1/{orders}) = {mean}", "({product})^(1/{orders}) = {mean}"
    ),
    "bleu.score": Word("100 · {bp} · {mean} =", "100 · {bp} · {mean} ="),
    "bleu.empty": Word("Type at least one reference.", "请至少输入一条参考译文。"),
    "bleu.note.own": Word(
        "Tokens by {tokeniser}. The reference here is only another hypothesis of this model: put a "
        "human translation in its place. r is the length of the nearest reference.",
        "按 {tokeniser} 切分。这里的参考译文只是本模型的另一条候选，请换成人工译文。r 取长度最接近的参考译文。",
    ),
    "bleu.note.free": Word(
        "Tokens by {tokeniser}. r is the length of the nearest reference, of two as near the "
        "shorter.",
        "按 {tokeniser} 切分。r 取长度最接近的参考译文；同样接近时取较短的一条。",
    ),
    "bleu.card": Word(
        "One sentence says little. The shipped model's BLEU over 1,021 held-out sentences: {greedy} "
        "greedy, {beam} with beam search (its card).",
        "单句得分说明不了什么。本模型在 1,021 个留出测试句上的 BLEU：贪心 {greedy}，束搜索 {beam}（见模型卡）。",
    ),
}
