"""The words of the exhibit `proof`."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "proof.title": Word("Proof", "验证"),
    "proof.lead": Word(
        "Your browser computes again what the page shows, from the numbers the model sent, and says "
        "how far each identity is off. Change one number yourself and see which line notices.",
        "浏览器用模型发来的数值把页面上的内容重新算一遍，并给出每个等式的最大偏差。"
        "试着改动一个数，看哪一行会发现。",
    ),
    "proof.column.holds": Word("result", "结果"),
    "proof.column.identity": Word("what must hold", "必须成立的等式"),
    "proof.column.deviation": Word("largest deviation", "最大偏差"),
    "proof.column.tolerance": Word("allowed", "允许"),
    "proof.column.count": Word("compared", "比较个数"),
    "proof.column.change": Word("for teachers", "教学演示"),
    "proof.state.holds": Word("holds", "成立"),
    "proof.state.fails": Word("broken", "不成立"),
    "proof.state.excused": Word("need not hold", "不必成立"),
    "proof.state.waiting": Word("waiting", "等待中"),
    # the identities
    "proof.line.rows": Word(
        "Each row of every head's weights sums to 1, as far as 16-bit steps allow.",
        "每个头的注意力权重每一行之和为 1（精确到 16 位量化步长）。",
    ),
    "proof.formula.rows": Word("Σ w = 1", "Σ w = 1"),
    "proof.line.masked": Word(
        "What the mask forbids has exactly the weight 0, and only that is masked.",
        "掩码禁止的位置权重恰好为 0，且只有这些位置被掩码。",
    ),
    "proof.formula.masked": Word("w = 0", "w = 0"),
    "proof.line.weights": Word(
        "The weights on show are the softmax of the scores.", "页面上的权重就是分数的 softmax。"
    ),
    "proof.formula.weights": Word("softmax(QKᵀ/√d_k + mask)", "softmax(QKᵀ/√d_k + 掩码)"),
    "proof.line.output": Word(
        "All heads together give the sub-layer's output, in every layer.",
        "在每一层，所有头合起来就是子层的输出。",
    ),
    "proof.formula.output": Word(
        "softmax(QKᵀ/√d_k + mask) V W_O + b", "softmax(QKᵀ/√d_k + 掩码) V W_O + b"
    ),
    "proof.line.after": Word(
        "Added to its input, and normalised where the model does so, it is what goes on.",
        "加上输入，并按模型的做法归一化，就是往下传的内容。",
    ),
    "proof.formula.after": Word("LayerNorm(x + output)", "LayerNorm(x + 输出)"),
    "proof.line.score": Word(
        "The steps add up to each hypothesis' log-prob; over the penalty, that is its score.",
        "各步相加等于候选译文的对数概率；除以长度惩罚就是得分。",
    ),
    "proof.formula.score": Word("Σ log p / penalty", "Σ log p / 惩罚"),
    "proof.line.stepwise": Word(
        "Writing step by step gave the same log-probs as one pass over the whole translation.",
        "逐步解码得到的对数概率，与对整句译文一次前向计算的结果相同。",
    ),
    "proof.formula.stepwise": Word("search = teacher forcing", "搜索 = 教师强制"),
    "proof.line.positions": Word(
        "The position vectors are those of the formula.", "位置编码与公式一致。"
    ),
    "proof.formula.positions": Word(
        "sin, cos(pos / 10000^(2i/d_model))", "sin, cos(pos / 10000^(2i/d_model))"
    ),
    "proof.line.inputs": Word(
        "Embedding and position add up to what the first layer gets.",
        "词嵌入加位置编码，就是第一层的输入。",
    ),
    "proof.formula.inputs": Word("E · √d_model + PE", "E · √d_model + PE"),
    "proof.line.tokens": Word(
        "The pieces, joined, make the two texts.", "词元拼接起来就是这两句话。"
    ),
    "proof.formula.tokens": Word("▁I + ▁am … = I am …", "▁I + ▁am … = I am …"),
    # why an identity need not hold
    "proof.excuse.future": Word(
        "You let the decoder read the future: that is only there when the whole translation is read "
        "at once, so the two differ by design.",
        "你允许解码器读取后文：只有一次读入整句译文时后文才存在，因此两者理应不同。",
    ),
    "proof.excuse.shared": Word(
        "This model's search never writes certain tokens and gives their probability to the others.",
        "这个模型的搜索从不写出某些词元，并把它们的概率分给其余词元。",
    ),
    "proof.excuse.none": Word(
        "You took the positions away: there are none to compare.",
        "你去掉了位置编码，没有可比较的内容。",
    ),
    "proof.excuse.shuffled": Word(
        "You shuffled the positions: each word has the vector of another place.",
        "你打乱了位置：每个词拿到的是别处的位置编码。",
    ),
    "proof.excuse.unknown": Word(
        "A word is unknown to the tokenizer, so its piece does not say its letters.",
        "有分词器不认识的词，它的词元里没有原来的字母。",
    ),
    "proof.nothing": Word("Nothing is masked here.", "这里没有被掩码的位置。"),
    # the run
    "proof.sum.holds": Word(
        "All {all} identities hold; the sub-layers' outputs are off by at most {off}.",
        "全部 {all} 个等式成立；子层输出的偏差不超过 {off}。",
    ),
    "proof.sum.excused": Word(
        "{n} of {all} identities hold; the others need not, under what you changed.",
        "{all} 个等式中有 {n} 个成立；其余的在你的改动下不必成立。",
    ),
    "proof.sum.fails": Word("Broken: {n} of {all} identities.", "{all} 个等式中有 {n} 个不成立。"),
    "proof.sum.waiting": Word(
        "Computing again: {n} of {all} sub-layers.", "正在重新计算：{all} 个子层中的第 {n} 个。"
    ),
    "proof.sum.stopped": Word(
        "Stopped: {n} of {all} identities hold so far.", "已停止：{all} 个等式中已有 {n} 个成立。"
    ),
    "proof.progress": Word("Sub-layers computed", "已计算的子层"),
    "proof.stop": Word("Stop", "停止"),
    "proof.again": Word("Compute again", "重新计算"),
    "proof.change": Word("Change one number", "改动一个数"),
    "proof.undo": Word("Undo the change", "撤销改动"),
    "proof.changed": Word(
        "Changed by you, in this check only: {what}. The page and the model keep the true number.",
        "你改动了：{what}。改动只用于这次验证，页面和模型仍保留真实数值。",
    ),
    "proof.number.weight": Word(
        "the first weight of decoder self-attention, layer 1, head 1, + 0.01",
        "解码器自注意力第 1 层第 1 头的第一个权重，+ 0.01",
    ),
    "proof.number.masked": Word(
        "the weight of the first masked cell, + 0.01", "第一个被掩码位置的权重，+ 0.01"
    ),
    "proof.number.output": Word(
        "the first number of a sub-layer's output, + 0.01", "某个子层输出的第一个数，+ 0.01"
    ),
    "proof.number.after": Word(
        "the first number after LayerNorm, + 0.01", "LayerNorm 之后的第一个数，+ 0.01"
    ),
    "proof.number.log_prob": Word(
        "the best hypothesis' log-prob at step 1, + 0.01", "最佳候选译文第 1 步的对数概率，+ 0.01"
    ),
    "proof.number.forced": Word(
        "the log-prob of the first token in the one-pass run, + 0.01",
        "一次前向计算中第一个词元的对数概率，+ 0.01",
    ),
    "proof.number.position": Word(
        "the first number of the first position vector, + 0.01",
        "第一个位置编码的第一个数，+ 0.01",
    ),
    "proof.number.token": Word(
        "the first number of the first embedding, + 0.01", "第一个词嵌入的第一个数，+ 0.01"
    ),
    "proof.number.piece": Word(
        "the first piece of the translation, one letter longer", "译文的第一个词元，多了一个字母"
    ),
    "proof.layers": Word("Largest deviation of each sub-layer's output", "每个子层输出的最大偏差"),
    "proof.layer": Word("layer {n}", "第 {n} 层"),
    "proof.note": Word(
        "The model works in single precision (about 7 digits), the browser in double. The rest is "
        "rounding, and grows with the numbers that are added. It shows that the page adds up, not "
        "that the model is right.",
        "模型用单精度（约 7 位有效数字）计算，浏览器用双精度。剩下的偏差来自舍入，"
        "相加的数越多越大。这说明页面的数值自洽，并不说明译文正确。",
    ),
}
