"""The words of the exhibit `masks`."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "masks.title": Word("Mask laboratory", "掩码实验室"),
    "masks.lead": Word(
        "Sentences of different length share a batch, and a mask says what each token may read: "
        "0 leaves a score as it is, −∞ takes it away. Change a sentence, then point at a row.",
        "长短不一的句子放进同一个批次，掩码规定每个词元能读什么：加 0 保留分数，加 −∞ 去掉它。"
        "改一个句子，再把鼠标移到某一行上看看。",
    ),
    # the batch
    "masks.batch": Word("A batch", "一个批次"),
    "masks.sentence": Word("Sentence {n}", "句子 {n}"),
    "masks.add": Word("Add a sentence", "添加句子"),
    "masks.remove": Word("Take sentence {n} out", "去掉句子 {n}"),
    "masks.length": Word(
        "valid length {n} of {count}; translation {written}",
        "有效长度 {n}/{count}；译文 {written}",
    ),
    "masks.empty": Word(
        "Sentence {n} is empty. Type a few words.", "句子 {n} 是空的。请输入几个词。"
    ),
    "masks.long": Word(
        "Sentence {n} has {count} tokens; here up to {limit} can be drawn. Shorten it.",
        "句子 {n} 有 {count} 个词元，这里最多能画 {limit} 个。请缩短一些。",
    ),
    "masks.kind": Word("Masks of", "哪一种注意力"),
    "masks.kind.encoder_self": Word(
        "The source is there as a whole: only padding is masked.", "原文是完整给出的：只遮盖填充。"
    ),
    "masks.kind.decoder_self": Word(
        "Padding and the future: a score stays only where both masks have 0.",
        "遮盖填充和后文：只有两个掩码都为 0 的地方，分数才保留。",
    ),
    "masks.kind.cross": Word(
        "Rows are of the translation, columns of the source: only the source's padding is masked.",
        "行属于译文，列属于原文：只遮盖原文的填充。",
    ),
    "masks.shape": Word(
        "{n} sentences, {queries} queries × {keys} keys each.",
        "{n} 个句子，各 {queries} 个查询 × {keys} 个键。",
    ),
    "masks.axes": Word(
        "Row: the token that reads; column: the token that is read. Added to the scores before the "
        "softmax.",
        "行是在读的词元，列是被读的词元。在 softmax 之前加到分数上。",
    ),
    "masks.mask.padding": Word("padding mask", "填充掩码"),
    "masks.mask.causal": Word("causal mask", "因果掩码"),
    "masks.mask.combined": Word("combined", "合并后的掩码"),
    "masks.matrix": Word("Sentence {n}: {what}", "句子 {n}：{what}"),
    "masks.reads.how": Word(
        "Point at a row, or move through a matrix with the arrow keys.",
        "把鼠标移到一行上，或用方向键在矩阵中移动。",
    ),
    "masks.reads": Word(
        "“{row}” reads {n} of {count}: {tokens}", "“{row}”能读 {count} 个中的 {n} 个：{tokens}"
    ),
    "masks.comma": Word(", ", "、"),
    # patterns
    "masks.patterns": Word("Three patterns", "三种掩码模式"),
    "masks.prefix": Word("prefix length", "前缀长度"),
    "masks.pattern.bidirectional": Word("bidirectional", "双向"),
    "masks.pattern.bidirectional.who": Word(
        "Every token reads all. Encoders: this model's, BERT.",
        "每个词元都能读全部。用于编码器：本模型的编码器、BERT。",
    ),
    "masks.pattern.causal": Word("causal", "因果"),
    "masks.pattern.causal.who": Word(
        "Each reads itself and what is before. Decoders: this model's, GPT.",
        "每个词元只读自己和前文。用于解码器：本模型的解码器、GPT。",
    ),
    "masks.pattern.prefix": Word("prefix", "前缀"),
    "masks.pattern.prefix.who": Word(
        "The prefix is read both ways, the rest is causal. Prefix language models: UniLM, and one "
        "that the T5 paper compares.",
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
    "masks.real": Word("The model's scores again", "恢复模型的分数"),
    "masks.whole": Word("mask every key of the row", "遮盖这一行的所有键"),
    "masks.key": Word("key", "键"),
    "masks.mask": Word("mask", "遮盖"),
    "masks.score": Word("score", "分数"),
    "masks.weight": Word("weight", "权重"),
    "masks.masked": Word("Mask “{text}”", "遮盖“{text}”"),
    "masks.score.of": Word("Score of “{text}”", "“{text}”的分数"),
    "masks.way.infinite": Word("+ (−∞)", "加 −∞"),
    "masks.way.zero": Word("set to 0", "设为 0"),
    "masks.way.billion": Word("+ (−1e9)", "加 −1e9"),
    "masks.note.infinite": Word(
        "−∞: exp(−∞) is exactly 0, so a masked key gets nothing.",
        "−∞：exp(−∞) 恰好等于 0，被遮盖的键得不到任何权重。",
    ),
    "masks.note.zero": Word(
        "0: a score like any other. exp(0) is 1, and the masked keys take {leak} of the attention.",
        "0：和别的分数没有两样。exp(0) 等于 1，被遮盖的键拿走了 {leak} 的注意力。",
    ),
    "masks.note.billion": Word(
        "−1e9: exp of it is too small for float32, so masked keys get {leak}: the same as −∞, as "
        "long as one key is left.",
        "−1e9：它的 exp 小到 float32 表示不出，被遮盖的键得到 {leak}：只要还剩一个键，就和 −∞ 一样。",
    ),
    "masks.whole.infinite": Word(
        "−∞: nothing is left to share, 0 / 0 is NaN, and it spreads. Headlight refuses such a row "
        "with an error.",
        "−∞：没有可分配的了，0 / 0 得到 NaN，并会扩散开来。Headlight 遇到这样的行会直接报错。",
    ),
    "masks.whole.zero": Word(
        "0: every key gets {weight}, as if the scores had never been.",
        "0：每个键都得到 {weight}，仿佛从来没有过分数。",
    ),
    "masks.whole.billion": Word(
        "−1e9: {before} − 1,000,000,000 is {score} in float32, the same for every key; so each gets "
        "{weight}. The mistake goes on unseen.",
        "−1e9：{before} − 1000000000 在 float32 中是 {score}，每个键都一样，所以各得 {weight}。"
        "错误就这样悄悄过去了。",
    ),
}
