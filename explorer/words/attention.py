"""The words of the exhibit `attention`."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "attention.title": Word("Attention", "注意力"),
    "attention.lead": Word(
        "Every square is one attention head, drawn from the model's own weights. "
        "Choose a head on the left, or sort them; see it as a map or as lines between the words.",
        "每个小方块是一个注意力头，全部按模型的真实权重绘制。先在左边选一个头，也可先排序；右边可看热图，也可看词与词之间的连线。",
    ),
    "kind.encoder_self": Word("Encoder self-attention", "编码器自注意力"),
    "kind.decoder_self": Word("Decoder self-attention", "解码器自注意力"),
    "kind.cross": Word("Cross-attention", "交叉注意力"),
    "kind.encoder_self.short": Word("source reads source", "原文读原文"),
    "kind.decoder_self.short": Word("target reads earlier target", "译文读前面的译文"),
    "kind.cross.short": Word("target reads source", "译文读原文"),
    "heads.head": Word("head", "头"),
    "heads.layer": Word("layer {n}", "第 {n} 层"),
    "heads.tile": Word("{kind}, layer {layer}, head {head}", "{kind}，第 {layer} 层，第 {head} 头"),
    "heads.sorting": Word("Mark, sort and filter the heads", "标记、排序和筛选注意力头"),
    "heads.sort": Word("sort", "排序"),
    "heads.least": Word("Dim the heads below", "低于此值的头变淡"),
    "heads.sorted": Word("the most first; layer·head", "由高到低；层·头"),
    "measure.name": Word("What marks a head", "用什么指标标记各头"),
    "measure.none": Word("no measure", "不用指标"),
    "measure.entropy": Word("entropy", "熵"),
    "measure.diagonal": Word("diagonal", "对角线"),
    "measure.previous": Word("token before", "前一词元"),
    "measure.end": Word("end token", "句尾符"),
    "measure.effect": Word("changes the output", "对译文的影响"),
    "measure.nats": Word("{value} nats", "{value} 奈特"),
    "measure.how": Word("how", "说明"),
    "measure.entropy.means": Word(
        "How widely the rows spread: the mean over the rows of −Σ w ln w, in nats. "
        "0 where every row reads a single token.",
        "各行分布得有多散：对每行求 −Σ w ln w（单位奈特），再取平均。每行只读一个词元时为 0。",
    ),
    "measure.diagonal.means": Word(
        "The mean weight of a token on itself. In cross-attention, 1 minus the mean distance from "
        "the diagonal stretched from corner to corner: 1 − mean of Σ w |i/(Q−1) − j/(K−1)|.",
        "每个词元读自己的权重的平均值。交叉注意力则把对角线拉到两角之间，取 1 减去到它的平均距离："
        "1 − Σ w |i/(Q−1) − j/(K−1)| 的平均值。",
    ),
    "measure.previous.means": Word(
        "The mean weight on the token just before, from the second row on. "
        "Cross-attention joins two sentences and has none.",
        "从第二行起，读前一个词元的权重的平均值。交叉注意力连接两个句子，没有这一项。",
    ),
    "measure.end.means": Word(
        "The mean weight on the end token. Decoder self-attention never reads one; "
        "there it is the start token.",
        "读句尾符的权重的平均值。解码器自注意力读不到句尾符，改看句首符。",
    ),
    "measure.effect.means": Word(
        "The change of the output's log-prob when this head alone is switched off; "
        "the largest loss comes first. Striped where the output became likelier.",
        "只关闭这一个头时，译文对数概率的变化；损失最大的排在最前。条纹表示译文反而更可能。",
    ),
    "measure.raw": Word(
        "All from the model's own weights, with every token, whatever the large picture shows. "
        "The bar of entropy is full at the largest entropy of any head on show.",
        "全部按模型的原始权重、用所有词元计算，与大图的显示方式无关。熵的横条以图中最大的熵为满格。",
    ),
    "options.name": Word("What the large picture shows", "大图的显示方式"),
    "options.view": Word("Kind of picture", "图的样式"),
    "options.view.map": Word("map", "热图"),
    "options.view.lines": Word("lines", "连线"),
    "options.view.both": Word("both", "并列"),
    "options.mass": Word("strongest", "最强的"),
    "options.mass.hint": Word(
        "Of each row the fewest tokens whose weights reach this share; the rest is pale",
        "每行取权重之和达到这一比例的最少词元，其余变淡",
    ),
    "options.hide": Word("hide special", "隐藏特殊词元"),
    "options.hide.hint": Word(
        "Without start, end and padding tokens; what is left of a row is divided by its sum",
        "去掉句首符、句尾符和填充符，每行剩下的权重除以它们的和",
    ),
    "options.words": Word("words", "合并为词"),
    "options.words.hint": Word(
        "Whole words for sub-words: the sum over what is read, the mean over what reads",
        "把子词合并为词：被读的一方求和，读的一方取平均",
    ),
    "options.own": Word("own scale", "单头色标"),
    "options.own.hint": Word(
        "The colours of each head end at its own largest weight",
        "每个头的颜色以自己的最大权重为终点",
    ),
    "options.says.words": Word(
        "Words: summed over the parts read, averaged over the parts that read.",
        "按词显示：被读的各部分权重相加，读的各部分取平均。",
    ),
    "options.says.specials": Word(
        "Start, end and padding are hidden; the rest of each row was divided by its sum.",
        "已隐藏句首符、句尾符和填充符；每行其余权重已重新归一。",
    ),
    "options.says.mass": Word(
        "Bright: the fewest links of a row with {mass} % of its weight.",
        "突出的是每行中合计达到 {mass}% 权重的最少连接。",
    ),
    "several.name": Word("Heads drawn together", "一起画出的注意力头"),
    "several.add": Word("+ heads", "＋ 加头"),
    "several.alone": Word("only this", "只看这个"),
    "several.remove": Word("Remove: {name}", "移除：{name}"),
    "several.hint": Word(
        "Double-click a head to see it alone, again for all.", "双击一个头只看它，再双击恢复全部。"
    ),
    "several.adding": Word(
        "Click heads of one kind on the left, up to {most}: {kind}.",
        "在左边点选同类的头，最多 {most} 个：{kind}。",
    ),
    "lines.reads": Word("Tokens that read", "正在读的词元"),
    "lines.read": Word("Tokens that are read", "被读的词元"),
    "lines.least": Word(
        "Left: the word that reads. Right: the word that is read. Links under 0.01 are not drawn.",
        "左：正在读的词。右：被读的词。权重小于 0.01 的不画。",
    ),
    "zoom.name": Word("Size of the picture", "图的大小"),
    "zoom.in": Word("Larger", "放大"),
    "zoom.out": Word("Smaller", "缩小"),
    "zoom.fit": Word("Fit", "适应窗口"),
    "axes.encoder_self": Word(
        "Row: the word that reads. Column: the word that is read.",
        "行：正在读的词。列：被读的词。",
    ),
    "axes.cross.writes": Word(
        "Row: the word being written, which reads. Column: the source word that is read.",
        "行：正在写出的词（由它来读）。列：被读的原文词。",
    ),
    "axes.cross.reads": Word(
        "Row: the last word read back, from which the decoder reads on. "
        "Column: the source word that is read.",
        "行：刚读回的词，解码器由此去读原文。列：被读的原文词。",
    ),
    "axes.decoder_self.writes": Word(
        "Row: the word being written, which reads. Column: the earlier word that is read.",
        "行：正在写出的词（由它来读）。列：被读的、先前的词。",
    ),
    "axes.decoder_self.reads": Word(
        "Row: the last word read back, which reads. Column: it or an earlier word, which is read.",
        "行：刚读回的词（由它来读）。列：被读的词，即它自己或更早的词。",
    ),
    "readout.pointed": Word("Pointed at", "鼠标所指"),
    "readout.pointed_row": Word("Strongest of the row pointed at", "鼠标所指行中最强的一个"),
    "readout.chosen": Word("Chosen", "已选中"),
    "readout.strongest": Word("Strongest of the chosen row", "所选行中最强的一个"),
    "readout.masked": Word("masked", "被遮挡"),
    "readout.sum": Word("The whole row adds up to {sum}.", "整行之和为 {sum}。"),
    "readout.kept": Word(
        "Before: {kept}; the rest is on hidden tokens.",
        "归一之前为 {kept}，其余在隐藏的词元上。",
    ),
    "readout.hidden": Word("This token is hidden.", "这个词元已隐藏。"),
    "says.encoder_self": Word("{row} reads {col} with a weight of", "{row} 读 {col}，权重为"),
    "says.encoder_self.masked": Word("{row} may not read {col}", "{row} 不能读 {col}"),
    "says.cross": Word(
        "After {read}, to write {row}, the decoder reads {col} with a weight of",
        "读过 {read}，为写出 {row}，解码器读 {col}，权重为",
    ),
    "says.cross.masked": Word(
        "After {read}, to write {row}, the decoder may not read {col}",
        "读过 {read}，为写出 {row}，解码器不能读 {col}",
    ),
    "says.decoder_self": Word(
        "After {read}, to write {row}, the decoder reads back {col} with a weight of",
        "读过 {read}，为写出 {row}，解码器回看 {col}，权重为",
    ),
    "says.decoder_self.masked": Word(
        "At {read}, to write {row}, the decoder may not look ahead to {col}",
        "读到 {read}，为写出 {row}，解码器不能提前看 {col}",
    ),
    "attention.strongest": Word("The five strongest links", "最强的五个连接"),
    "attention.labels": Word("Rows:", "各行："),
    "attention.labels.writes": Word("written", "写出的词"),
    "attention.labels.reads": Word("read", "读入的词"),
    "legend.name": Word("weight", "权重"),
    "legend.masked": Word("masked", "被遮挡"),
    "legend.precision": Word(
        "The scale is the same for all heads. Weights are sent in steps of 1/65535.",
        "所有头共用同一色标。权重以 1/65535 为最小单位传送。",
    ),
    "legend.own": Word(
        "The scale ends at this head's largest weight: do not compare colours between heads.",
        "色标以本头的最大权重为终点，不同的头之间不能比较颜色。",
    ),
    "take.name": Word("Take away", "保存"),
}
