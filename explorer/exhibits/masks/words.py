"""The words of the exhibit `masks`."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "view.masks": Word("Masks", "掩码"),
    "masks.title": Word("Who may read whom", "谁可以读谁"),
    "masks.about": Word(
        "Which tokens may read which, and why −∞ and not 0.",
        "谁可以读谁，为什么用 −∞ 而不是 0。",
    ),
    "masks.lead": Word(
        "Masks decide what each token may read: 0 keeps a score, −∞ removes it. "
        "Change a sentence of the batch, then point at a row or tap it.",
        "掩码决定每个词元能读什么：加 0 保留分数，加 −∞ 就把它去掉。"
        "改一改批次里的句子，再点或指向某一行。",
    ),
    # the batch
    "masks.show": Word("Show", "显示"),
    "masks.show.batch": Word("a batch", "一个批次"),
    "masks.show.patterns": Word("three patterns", "三种模式"),
    "masks.show.ways": Word("−∞, 0 or −1e9?", "用 −∞、0 还是 −1e9？"),
    "masks.kind.encoder_self": Word("encoder", "编码器"),
    "masks.kind.decoder_self": Word("decoder", "解码器"),
    "masks.kind.cross": Word("cross", "交叉"),
    "masks.sentence": Word("Sentence", "句子"),
    "masks.sentence.n": Word("Sentence {n}", "句子 {n}"),
    "masks.usual": Word("Restore the examples", "恢复例句"),
    "masks.whole": Word("mask every key in the row", "掩掉这一行的所有键"),
    "masks.finding.all": Word(
        "{row} may look at all {count} tokens: nothing is hidden in this sentence.",
        "{row} 能看到全部 {count} 个词元：这句话里什么也没遮住。",
    ),
    "masks.finding.padding": Word(
        "{row} may look at {seen}; the padding, {hid} more, is hidden{end}",
        "{row} 能看到 {seen}；后面的 {hid} 个填充看不到{end}",
    ),
    "masks.finding.future": Word(
        "{row} may look at {seen}; the {hid} that {hid|comes|come} later {hid|is|are} hidden{end}",
        "{row} 能看到 {seen}；后面的 {hid} 个看不到{end}",
    ),
    "masks.finding.both": Word(
        "{row} may look at {seen}; the {hid} that {hid|comes|come} later and the padding are hidden{end}",
        "{row} 能看到 {seen}；后面的 {hid} 个和填充都看不到{end}",
    ),
    "masks.seen": Word("{n} {n|token|tokens}", "{n} 个词元"),
    "masks.end": Word(".", "。"),
    "masks.end.biased": Word("; −∞ plus a bias stays −∞.", "；−∞ 加上偏置还是 −∞。"),
    "masks.finding.cell.shut": Word(
        "{row} to {column}: score + bias + −∞ = −∞, whatever the bias, here {bias}.",
        "{row} 读 {column}：分数 + 偏置 + (−∞) = −∞，与偏置无关；这里的偏置为 {bias}。",
    ),
    "masks.finding.cell.open": Word(
        "{row} to {column}: score + bias + 0 keeps both; the bias is {bias}.",
        "{row} 读 {column}：分数 + 偏置 + 0，两者都保留；偏置为 {bias}。",
    ),
    "masks.range": Word("{low} to {high}", "{low} 到 {high}"),
    "masks.biased": Word(
        "This model adds a bias by distance to each score, before the mask: score + bias + mask. "
        "Every bias is finite, so −∞ stays −∞. Point at a cell to see the least and the greatest "
        "bias of all heads there.",
        "这个模型在加掩码之前，先给每个分数加上随距离变化的偏置：分数 + 偏置 + 掩码。偏置都是有限的数，"
        "所以 −∞ 还是 −∞。指向一格，可以看到各个头在那里的最小和最大偏置。",
    ),
    "masks.finding.patterns": Word(
        "A causal mask leaves {causal} of these cells open, a prefix mask {prefix}.",
        "这些格里，因果掩码放行 {causal} 格，前缀掩码放行 {prefix} 格。",
    ),
    "masks.finding.ways": Word(
        "With 0 instead of −∞, the masked padding would take {leak} of this row's attention.",
        "如果用 0 而不用 −∞，被掩掉的填充会拿走这一行 {leak} 的注意力。",
    ),
    "masks.finding.last": Word(
        "With 0 instead of −∞, the masked key would take {leak} of this row's attention.",
        "如果用 0 而不用 −∞，被掩掉的键会拿走这一行 {leak} 的注意力。",
    ),
    "masks.finding.biased": Word(
        "−∞ plus a bias of {bias} stays −∞; with 0 instead, masked keys would take {leak} of this "
        "row's attention.",
        "−∞ 加上 {bias} 的偏置还是 −∞；如果改用 0，被掩掉的键会拿走这一行 {leak} 的注意力。",
    ),
    "masks.finding.whole": Word(
        "With every key masked, −∞ gives NaN; 0 and −1e9 hide the mistake.",
        "所有键都被掩掉时，−∞ 会得到 NaN，而 0 和 −1e9 把错误藏了起来。",
    ),
    "masks.reads": Word("What each row of sentence {n} may read", "句子 {n} 的每一行可以读什么"),
    "masks.row": Word("row", "行"),
    "masks.n": Word("keys", "键数"),
    "masks.tokens": Word("it may read", "可以读"),
    "masks.add": Word("Add a sentence", "添加句子"),
    "masks.remove": Word("Remove sentence {n}", "删去句子 {n}"),
    "masks.length": Word(
        "{n} of {count} tokens are real; the translation has {written}",
        "{count} 个词元中 {n} 个有效；译文有 {written} 个",
    ),
    "masks.empty": Word(
        "Sentence {n} is empty. Type a few words.", "句子 {n} 是空的。请输入几个词。"
    ),
    "masks.long": Word(
        "Sentence {n} has {count} tokens; the limit here is {limit}. Shorten it.",
        "句子 {n} 有 {count} 个词元，这里最多 {limit} 个。请缩短一些。",
    ),
    "masks.unfit": Word(
        "Your sentence is too long for this view: it takes {longest} characters and {limit} tokens. "
        "These are examples.",
        "你的句子太长，这里最多 {longest} 个字符、{limit} 个词元，所以用的是例句。",
    ),
    "masks.kind": Word("Masks for", "哪一种注意力的掩码"),
    "masks.says.encoder_self": Word(
        "The whole source is known from the start: only padding is masked.",
        "原文从一开始就完整给出：只掩掉填充。",
    ),
    "masks.says.decoder_self": Word(
        "Padding and the future are masked: a score stays only where both masks are 0.",
        "掩掉填充和后文：两个掩码都为 0 的地方，分数才保留。",
    ),
    "masks.says.cross": Word(
        "Rows are target tokens, columns source tokens: only the source's padding is masked.",
        "行是译文的词元，列是原文的词元：只掩掉原文的填充。",
    ),
    "masks.why": Word(
        "Why not look ahead? In training, the next word is part of the input. Without the mask the "
        "decoder would just copy it.",
        "为什么不能往后看？训练时，下一个词就在输入里；没有掩码，解码器照抄就行了。",
    ),
    "masks.shape": Word(
        "{n} sentences of {queries} queries × {keys} keys.",
        "{n} 个句子，每个 {queries} 个查询 × {keys} 个键。",
    ),
    "masks.axes": Word(
        "Row: the token that reads. Column: the token that is read. The mask is added to the "
        "scores before the softmax.",
        "行：正在读的词元。列：被读的词元。掩码在 softmax 之前加到分数上。",
    ),
    "masks.mask.padding": Word("padding mask", "填充掩码"),
    "masks.mask.causal": Word("causal mask", "因果掩码"),
    "masks.mask.combined": Word("combined", "合并后的掩码"),
    "masks.matrix": Word("Sentence {n}: {what}", "句子 {n}：{what}"),
    "masks.comma": Word(", ", "、"),
    # patterns
    "masks.prefix": Word("prefix length", "前缀长度"),
    "masks.pattern.bidirectional": Word("bidirectional", "双向"),
    "masks.pattern.bidirectional.who": Word(
        "Every token reads every token. Encoders: this model's, BERT.",
        "每个词元都能读到所有词元。用于编码器：本模型的编码器、BERT。",
    ),
    "masks.pattern.causal": Word("causal", "因果"),
    "masks.pattern.causal.who": Word(
        "Each token reads itself and those before it. Decoders: this model's, GPT.",
        "每个词元只读自己和前文。用于解码器：本模型的解码器、GPT。",
    ),
    "masks.pattern.prefix": Word("prefix", "前缀"),
    "masks.pattern.prefix.who": Word(
        "Bidirectional within the prefix, causal after it. Prefix language models: UniLM, and "
        "one of those compared in the T5 paper.",
        "前缀内部双向，其余因果。用于前缀语言模型：UniLM，以及 T5 论文中比较过的一种。",
    ),
    # the three ways
    "masks.ways": Word("−∞, 0 or −1e9?", "用 −∞、0 还是 −1e9？"),
    "masks.pick.layer": Word("Layer", "层"),
    "masks.pick.layer.n": Word("encoder layer {n}", "编码器第 {n} 层"),
    "masks.pick.head": Word("Head", "头"),
    "masks.pick.head.n": Word("head {n}", "第 {n} 个头"),
    "masks.pick.query": Word("Query", "查询"),
    "masks.pick.query.n": Word("query “{text}”", "查询“{text}”"),
    "masks.real": Word("Restore the model's scores", "恢复模型的分数"),
    "masks.key": Word("key", "键"),
    "masks.mask": Word("masked", "已掩码"),
    "masks.score": Word("score", "分数"),
    "masks.bias": Word("bias", "偏置"),
    "masks.masked": Word("Mask “{text}”", "掩掉“{text}”"),
    "masks.score.of": Word("Score of “{text}”", "“{text}”的分数"),
    "masks.way.infinite": Word("add −∞ → weight", "加 −∞ → 权重"),
    "masks.way.zero": Word("set to 0 → weight", "设为 0 → 权重"),
    "masks.way.billion": Word("add −1e9 → weight", "加 −1e9 → 权重"),
    "masks.note.infinite": Word(
        "−∞: exp(−∞) is exactly 0, so a masked key gets nothing.",
        "−∞：exp(−∞) 恰好等于 0，已掩码的键得不到任何权重。",
    ),
    "masks.note.biased": Word(
        "−∞: score + bias is a finite number, and adding −∞ to it gives −∞, whatever the bias. "
        "exp(−∞) is exactly 0, so a masked key gets nothing.",
        "−∞：分数 + 偏置是有限的数，再加 −∞ 得 −∞，与偏置无关。exp(−∞) 恰好等于 0，已掩码的键得不到任何权重。",
    ),
    "masks.note.zero": Word(
        "0: a score like any other. exp(0) is 1, so the masked keys take {leak} of the attention.",
        "0：和别的分数没有两样。exp(0) 等于 1，已掩码的键仍然拿走 {leak} 的注意力。",
    ),
    "masks.note.billion": Word(
        "−1e9: its exp is too small for float32, so the masked keys get {leak}: the same as −∞, as "
        "long as one key is left. Near −1e9, float32 numbers are 64 apart, so the sum is rounded "
        "to the nearest one.",
        "−1e9：它的 exp 小到 float32 表示不出，已掩码的键得到 {leak}：只要还剩一个键，"
        "就和 −∞ 一样。float32 在这里每隔 64 才有一个数，所以相加的结果会舍入到最近的那个。",
    ),
    "masks.whole.infinite": Word(
        "−∞: no key is left. 0 / 0 is NaN, and NaN spreads through the model. Headlight refuses "
        "such a row with an error.",
        "−∞：一个键也不剩，0 / 0 得到 NaN，还会在模型里扩散。Headlight 遇到这样的行会直接报错。",
    ),
    "masks.whole.zero": Word(
        "0: every key gets {weight}, as if there had been no scores.",
        "0：每个键都得到 {weight}，就像从来没有过分数。",
    ),
    "masks.whole.billion": Word(
        "−1e9: {before} − 1,000,000,000 is {score} in float32, the same for every key; so each "
        "gets {weight}. The mistake goes unnoticed.",
        "−1e9：{before} − 1,000,000,000 在 float32 中是 {score}，每个键都一样，所以各得 {weight}。"
        "错误就这样被悄悄放过了。",
    ),
    "masks.whole.rounded": Word(
        "−1e9: near it, float32 numbers are 64 apart, so the sums are rounded, from {low} to "
        "{score}. The highest gets {weight}, though it is masked like all the others. The "
        "mistake goes unnoticed.",
        "−1e9：float32 在这里每隔 64 才有一个数，各项之和舍入为 {low} 到 {score}。"
        "最高的一项得到 {weight}，尽管它和其余的键一样已掩码。错误就这样被悄悄放过了。",
    ),
}
