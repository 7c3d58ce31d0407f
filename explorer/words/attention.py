"""The words of the exhibit `attention`."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "attention.title": Word("Attention", "注意力"),
    "attention.lead": Word(
        "Every square is one attention head, drawn from the model's own weights. "
        "Choose a head on the left; then point at a word above to see what it reads.",
        "每个小方块是一个注意力头，全部按模型的真实权重绘制。先在左边选一个头，再把鼠标移到上方的词上，看它在读谁。",
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
    "take.name": Word("Take away", "保存"),
}
