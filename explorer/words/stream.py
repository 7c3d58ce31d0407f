"""The words of the exhibit `stream`."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "stream.title": Word("Inside a layer", "层的内部"),
    "stream.lead": Word(
        "Each word is a vector that travels up the stack; every sub-layer adds something to it. "
        "Choose a sub-layer to see its LayerNorm in numbers; choose another word above.",
        "每个词都是一个沿着各层向上流动的向量，每个子层都往里加一点东西。点选一个子层，查看它的层归一化如何计算；也可以在上方换一个词。",
    ),
    "stream.stack": Word("Stack:", "部分："),
    "stream.encoder": Word("encoder", "编码器"),
    "stream.decoder": Word("decoder", "解码器"),
    "stream.at": Word("At position {n}:", "第 {n} 个位置："),
    "stream.deviation": Word(
        "recomputed here, the layers differ from the model's own states by {deviation} at most",
        "在此重新计算，各层与模型自身状态的最大偏差为 {deviation}",
    ),
    "stream.norms": Word("Lengths along the stack", "沿各层的向量长度"),
    "stream.norms.note": Word(
        "Euclidean length of this word's vector: before the sub-layer, what is added, and after.",
        "该词向量的欧氏长度：进入子层之前、子层所加的部分、离开之后。",
    ),
    "stream.part": Word("layer {layer} · {name}", "第 {layer} 层 · {name}"),
    "stream.self_attention": Word("self-attention", "自注意力"),
    "stream.cross_attention": Word("cross-attention", "交叉注意力"),
    "stream.feed_forward": Word("feed-forward", "前馈网络"),
    "stream.before": Word("before", "之前"),
    "stream.adds": Word("added", "所加"),
    "stream.after": Word("after", "之后"),
    "stream.layernorm": Word(
        "LayerNorm at layer {layer}, {name}", "第 {layer} 层{name}处的层归一化"
    ),
    "stream.in": Word("goes in", "输入"),
    "stream.out": Word("comes out", "输出"),
    "stream.moments": Word("mean {mean}, variance {variance}", "均值 {mean}，方差 {variance}"),
    "stream.dim": Word("Dimension", "维度"),
    "stream.formula": Word(
        "Dimension {dim}: γ · (x − mean) / √(variance + 0.00001) + β = "
        "{gamma} · ({x} − {mean}) / √{variance} + {beta} = {y}. The model has {own}; over all "
        "dimensions the furthest apart are {off}.",
        "第 {dim} 维：γ · (x − 均值) / √(方差 + 0.00001) + β = "
        "{gamma} · ({x} − {mean}) / √{variance} + {beta} = {y}。模型自身的值为 {own}；所有维度中最大偏差为 {off}。",
    ),
    "stream.relu": Word("Feed-forward: which units fire", "前馈网络：哪些单元被激活"),
    "stream.fired": Word(
        "{n} of {size} inner units are above zero here ({share}, {activation}). Mean of the "
        "sentence, by layer: {layers}.",
        "此处 {size} 个内层单元中有 {n} 个大于零（{share}，{activation}）。整句平均，按层：{layers}。",
    ),
    "stream.batch": Word(
        "LayerNorm and BatchNorm on the same numbers", "同一组数上的层归一化与批归一化"
    ),
    "stream.batch.note": Word(
        "Row: a word. Column: a dimension. What enters the chosen norm, normalised in two ways, "
        "without γ and β. Blue is below zero, orange above.",
        "行：一个词。列：一个维度。将进入所选归一化的数用两种方式归一化（不含 γ 和 β）。蓝色小于零，橙色大于零。",
    ),
    "stream.batch.rows": Word("LayerNorm: each row on its own", "层归一化：每行各算各的"),
    "stream.batch.columns": Word(
        "BatchNorm: each column over all words", "批归一化：每列对所有词一起算"
    ),
    "stream.batch.numbers": Word(
        "Were this word alone in the batch, LayerNorm would give it numbers that differ by {rows}; "
        "BatchNorm by up to {columns}, for it reads the neighbours.",
        "如果批次里只有这个词，层归一化的结果相差 {rows}；批归一化最多相差 {columns}，因为它要参照别的词。",
    ),
}
