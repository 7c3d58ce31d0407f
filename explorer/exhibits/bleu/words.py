"""The words of the exhibit `bleu`."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "bleu.title": Word("BLEU by hand", "手算 BLEU"),
    "bleu.about": Word(
        "How a translation is compared with a human one.",
        "译文怎样与人工译文相比较。",
    ),
    "bleu.lead": Word(
        "BLEU counts the n-grams that a translation shares with its references. Type your own texts, "
        "or choose “the the the” to see why counts are clipped.",
        "BLEU 统计译文与参考译文共有的 n 元组。可以输入自己的文本，或者选“一连串 the”，看看计数为什么要截断。",
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
    "bleu.tokeniser.auto": Word("automatic", "自动选择"),
    "bleu.tokeniser.13a": Word("13a: words and punctuation", "13a：按词和标点"),
    "bleu.tokeniser.zh": Word("zh: each Chinese character", "zh：按单个汉字"),
    "bleu.way": Word("Lengths without a match", "某阶无匹配时"),
    "bleu.way.none": Word("make the score 0 (the paper)", "得分为 0（论文的做法）"),
    "bleu.way.exp": Word(
        "count as ½, ¼, … of a match (sacrebleu)", "算作 ½、¼……次匹配（sacrebleu）"
    ),
    "bleu.way.sentence": Word(
        "the same, without lengths the candidate cannot have (sentence_bleu)",
        "同上，并略去译文长度不够的阶（sentence_bleu）",
    ),
    "bleu.order": Word("n-grams of length", "n 元组的长度"),
    "bleu.counts.note": Word(
        "Point at an n-gram or tap it to see where it occurs. Solid: counted; dashed: the "
        "references have it too, but fewer times.",
        "点或指向一个 n 元组，可看到它出现的位置。实线：计入；虚线：参考译文里也有，但没有这么多次。",
    ),
    "bleu.gram": Word("n-gram", "n 元组"),
    "bleu.count": Word("in the candidate", "译文中的次数"),
    "bleu.most": Word("maximum in one reference", "单条参考译文中最多"),
    "bleu.counts": Word("counted", "计入"),
    "bleu.clipped": Word("{count}, clipped to {clipped}", "{count} 截断为 {clipped}"),
    "bleu.total": Word("all of length {n}", "长度 {n} 合计"),
    "bleu.precisions": Word("Precision of each n-gram length", "各阶精确率"),
    "bleu.column.n": Word("n", "阶"),
    "bleu.column.matches": Word("matches", "匹配"),
    "bleu.column.precision": Word("precision", "精确率"),
    "bleu.column.note": Word("note", "说明"),
    "bleu.too_short": Word("the candidate is too short", "候选译文太短"),
    "bleu.no_match": Word("no match", "没有匹配"),
    "bleu.smoothed": Word("smoothed: 1 / ({times} · {total})", "平滑：1 / ({times} · {total})"),
    "bleu.left_out": Word("left out", "略去"),
    "bleu.penalty": Word("Brevity penalty", "长度惩罚（译文过短）"),
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
        "Tokens by {tokeniser}. The reference here is only another hypothesis of this model: "
        "replace it with a human translation. r is the reference length closest to c.",
        "按 {tokeniser} 切分。这里的参考译文只是本模型的另一条候选，请换成人工译文。r 是最接近 c 的参考译文长度。",
    ),
    "bleu.note.free": Word(
        "Tokens by {tokeniser}. r is the reference length closest to c; of two equally close, the "
        "shorter.",
        "按 {tokeniser} 切分。r 是最接近 c 的参考译文长度；同样接近时取较短的。",
    ),
    "bleu.card": Word(
        "One sentence says little. On all its held-out sentences the shipped model has BLEU {greedy} "
        "greedy and {beam} with beam search (its card).",
        "单句得分说明不了什么。随附模型在全部留出测试句上的 BLEU：贪心 {greedy}，束搜索 {beam}（见模型卡）。",
    ),
}
