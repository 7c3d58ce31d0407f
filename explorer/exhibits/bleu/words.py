"""The words of the exhibit `bleu`."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "view.bleu": Word("BLEU", "BLEU 评分"),
    "bleu.title": Word("BLEU by hand", "手算 BLEU"),
    "bleu.about": Word(
        "How a translation is compared with a human one.",
        "译文怎样与人工译文相比较。",
    ),
    "bleu.lead": Word(
        "BLEU counts the n-grams that a translation shares with its references. Type your own texts "
        "under Adjust, or choose “the the the” to see why counts are clipped.",
        "BLEU 统计译文与参考译文共有的 n 元组。可以在“调整”里输入自己的文本，或者选“一连串 the”，"
        "看看计数为什么要截断。",
    ),
    "bleu.loss.full": Word(
        "Nothing is lost: every n-gram is in a reference, and the text is long enough.",
        "没有失分：每个 n 元组参考译文里都有，长度也够。",
    ),
    "bleu.loss.alone": Word(
        "Every n-gram matches, but the text is too short, so it falls to {score} BLEU points.",
        "每个 n 元组都匹配，但译文太短，降到 {score} BLEU 分。",
    ),
    "bleu.loss.brevity": Word(
        "Not every n-gram matches, but most is lost because the text is too short: it gets "
        "{score} BLEU points.",
        "有的 n 元组不匹配，但失分主要因为译文太短：得 {score} BLEU 分。",
    ),
    "bleu.loss.order": Word(
        "Most is lost on {order}: only {match} of them {match|is|are} in a reference, so it gets "
        "{score} BLEU points.",
        "失分最多的是{order}：只有 {match} 个出现在参考译文里，所以得 {score} BLEU 分。",
    ),
    "bleu.loss.unmet": Word(
        "Most is lost on {order}: none is in a reference, so it gets {score} BLEU points.",
        "失分最多的是{order}：参考译文里一个也没有，所以得 {score} BLEU 分。",
    ),
    "bleu.loss.none": Word(
        "None of its {order} is in a reference, so BLEU gives nothing.",
        "它的{order}没有一个出现在参考译文里，所以 BLEU 一分不给。",
    ),
    "bleu.loss.short": Word(
        "The candidate is too short to have {order}, so BLEU gives nothing.",
        "候选译文太短，没有{order}，所以 BLEU 一分不给。",
    ),
    "bleu.loss.nothing": Word(
        "The candidate is empty, so BLEU gives nothing.", "候选译文是空的，所以 BLEU 一分不给。"
    ),
    "bleu.alternative": Word(
        "The candidate with its n-grams, the references, and the score: {score}.",
        "候选译文及其 n 元组、参考译文和得分：{score}。",
    ),
    "bleu.preset": Word("Example", "例子"),
    "bleu.preset.own": Word("This translation", "当前译文"),
    "bleu.preset.repeated": Word("the the the", "一连串 the"),
    "bleu.preset.order": Word("Right words, wrong order", "词对，语序错"),
    "bleu.preset.short": Word("Too short", "过短"),
    "bleu.preset.chinese": Word("Chinese, two references", "中文，两条参考"),
    "bleu.preset.free": Word("Your own", "自己的文本"),
    "bleu.typed": Word("Texts", "文本"),
    "bleu.candidate": Word("Candidate", "候选译文"),
    "bleu.candidate.short": Word("Cand.", "候选"),
    "bleu.reference": Word("Reference {n}", "参考译文 {n}"),
    "bleu.reference.short": Word("Ref. {n}", "参考 {n}"),
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
        "the same, skipping lengths longer than the candidate (sentence_bleu)",
        "同上，并略去译文长度不够的阶（sentence_bleu）",
    ),
    "bleu.order": Word("n-grams of length", "n 元组的长度"),
    "bleu.order.1": Word("1-grams", "1 元组"),
    "bleu.order.2": Word("2-grams", "2 元组"),
    "bleu.order.3": Word("3-grams", "3 元组"),
    "bleu.order.4": Word("4-grams", "4 元组"),
    "bleu.order.n": Word("{n}-grams", "{n} 元组"),
    "bleu.grams": Word("{n}-grams: {match} / {total}", "{n} 元组：{match} / {total}"),
    "bleu.grams.short": Word("{n}: {match} / {total}", "{n}：{match} / {total}"),
    "bleu.factor.mean": Word("Precision, mean", "精确率平均"),
    "bleu.brief.mean": Word("mean", "平均"),
    "bleu.factor.bp": Word("Brevity penalty", "长度惩罚"),
    "bleu.brief.bp": Word("brevity", "长度"),
    "bleu.factor.score": Word("BLEU", "BLEU 得分"),
    "bleu.brief.score": Word("BLEU", "得分"),
    "bleu.called.1": Word("single tokens", "单个词元"),
    "bleu.called.2": Word("pairs of tokens", "两个词元的组合"),
    "bleu.called.3": Word("runs of three tokens", "三个词元的组合"),
    "bleu.called.4": Word("runs of four tokens", "四个词元的组合"),
    "bleu.counts.note": Word(
        "Choose an n-gram to see where it occurs.", "点一个 n 元组，可看到它出现的位置。"
    ),
    "bleu.gram": Word("n-gram", "n 元组"),
    "bleu.count": Word("in the candidate", "译文中的次数"),
    "bleu.most": Word("maximum in one reference", "单条参考译文中最多"),
    "bleu.counts": Word("counted", "计入"),
    "bleu.clipped": Word("{count}, clipped to {clipped}", "{count} 截断为 {clipped}"),
    "bleu.total": Word("all of length {n}", "长度 {n} 合计"),
    "bleu.precisions": Word("Precision of each n-gram length", "各阶精确率"),
    "bleu.n": Word("n", "阶"),
    "bleu.matches": Word("matches", "匹配"),
    "bleu.precision": Word("precision", "精确率"),
    "bleu.note": Word("note", "说明"),
    "bleu.too_short": Word("the candidate is too short", "候选译文太短"),
    "bleu.no_match": Word("no match", "没有匹配"),
    "bleu.smoothed": Word("smoothed: 1 / ({times} · {total})", "平滑：1 / ({times} · {total})"),
    "bleu.left_out": Word("left out", "略去"),
    "bleu.bars": Word(
        "Below the candidate each bar is an n-gram. Filled: counted; dashed: the references have "
        "it too, but fewer times; empty: they do not have it. Click one to see where it occurs; "
        "the marks on the tokens are for the chosen length.",
        "候选译文下面的每根横条是一个 n 元组。实心：计入；虚线：参考译文里也有，但没有这么多次；空"
        "心：参考译文里没有。点一根，可看到它出现的位置；词元上的标记对应所选的长度。",
    ),
    "bleu.penalty.long": Word(
        "Brevity penalty: c = {c} > r = {r}, so BP = 1.",
        "长度惩罚（译文过短时扣分）：c = {c} > r = {r}，所以 BP = 1。",
    ),
    "bleu.penalty.equal": Word(
        "Brevity penalty: c = r = {c}, so BP = exp(1 − {r} / {c}) = 1.",
        "长度惩罚（译文过短时扣分）：c = r = {c}，所以 BP = exp(1 − {r} / {c}) = 1。",
    ),
    "bleu.penalty.short": Word(
        "Brevity penalty: c = {c} ≤ r = {r}, so BP = exp(1 − {r} / {c}) = {bp}.",
        "长度惩罚（译文过短时扣分）：c = {c} ≤ r = {r}，所以 BP = exp(1 − {r} / {c}) = {bp}。",
    ),
    "bleu.mean.numbers": Word(
        "Geometric mean of the precisions: ({product})^(1/{orders}) = {mean}.",
        "各阶精确率的几何平均：({product})^(1/{orders}) = {mean}。",
    ),
    "bleu.score": Word(
        "BLEU: 100 · {bp} · {mean} = {score}.", "得分（BLEU）：100 · {bp} · {mean} = {score}。"
    ),
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
        "One sentence says little. On {count} held-out sentences of {name} the shipped model "
        "scores BLEU {greedy} with greedy decoding and {beam} with beam search; its card gives "
        "the other domains.",
        "单句得分说明不了什么。在 {name} 的 {count} 个留出句子上，自带模型的 BLEU："
        "贪心 {greedy}，束搜索 {beam}；其他领域见模型卡片。",
    ),
    # what the proof does not compare
    "proved.question.bleu": Word("the BLEU score", "BLEU 得分"),
}
