"""The words of the exhibit `stream`."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "stream.title": Word("Residual stream", "残差流"),
    "stream.about": Word(
        "How much each block adds to a word's vector.",
        "每个方块给词的向量加了多少。",
    ),
    "stream.lead": Word(
        "Each word is a vector that travels up the stack, and every sub-layer adds to it. Choose "
        "a sub-layer to see its LayerNorm in numbers.",
        "每个词都是一个沿各层向上流动的向量，每个子层都往里加一点。点一个子层，看它的层归一化怎样"
        "计算。",
    ),
    "stream.stack": Word("Stack", "部分"),
    "stream.encoder": Word("encoder", "编码器"),
    "stream.decoder": Word("decoder", "解码器"),
    "stream.at": Word("Position {n}:", "第 {n} 个位置："),
    "stream.deviation": Word(
        "recomputed layer by layer, the states differ from the model's own by at most {deviation}",
        "逐层重新计算，状态与模型自己的相差至多 {deviation}",
    ),
    "stream.norms": Word("Lengths along the stack", "沿各层的向量长度"),
    "stream.norms.note": Word(
        "Euclidean length of three vectors of this word: before the sub-layer, what the sub-layer "
        "adds, and their sum. Vectors add up, their lengths do not.",
        "该词三个向量的欧氏长度：进入子层之前、子层的增量、两者之和。相加的是向量，长度不能直接相加。",
    ),
    "stream.norms.note.post": Word(
        "Euclidean length of three vectors of this word: before the sub-layer, what the sub-layer "
        "adds, and LayerNorm of their sum. Vectors add up, their lengths do not.",
        "该词三个向量的欧氏长度：进入子层之前、子层的增量、两者相加并归一化之后。"
        "相加的是向量，长度不能直接相加。",
    ),
    "stream.part": Word("layer {layer} · {name}", "第 {layer} 层 · {name}"),
    "stream.self_attention": Word("self-attention", "自注意力"),
    "stream.cross_attention": Word("cross-attention", "交叉注意力"),
    "stream.feed_forward": Word("feed-forward", "前馈网络"),
    "stream.before": Word("before", "之前"),
    "stream.adds": Word("added", "增量"),
    "stream.after": Word("after", "之后"),
    "stream.layernorm": Word(
        "LayerNorm at layer {layer}, {name}",
        "第 {layer} 层{name}处的层归一化",
    ),
    "stream.in": Word("input", "输入"),
    "stream.out": Word("output", "输出"),
    "stream.moments": Word("mean {mean}, variance {variance}", "均值 {mean}，方差 {variance}"),
    "stream.dim": Word("Dimension", "维"),
    "stream.formula": Word(
        "Dimension {dim}: γ · (x − mean) / √(variance + {eps}) + β = {gamma} · ({x} − {mean}) / "
        "√{variance} + {beta} = {y}. The model has {own}; over all dimensions the two differ by "
        "at most {off}.",
        "第 {dim} 维：γ · (x − 均值) / √(方差 + {eps}) + β = {gamma} · ({x} − {mean}) / "
        "√{variance} + {beta} = {y}。模型自己的值是 {own}；在所有维上两者相差至多 {off}。",
    ),
    "stream.relu": Word("Feed-forward: which units fire", "前馈网络：哪些单元被激活"),
    "stream.fired": Word(
        "{n} of {size} inner units are above zero here ({share}, {activation}). Mean over the "
        "sentence, by layer: {layers}.",
        "此处 {size} 个内层单元中有 {n} 个大于零（{share}，{activation}）。整句平均，按层："
        "{layers}。",
    ),
    "stream.batch": Word(
        "LayerNorm and BatchNorm on the same numbers",
        "同一组数上的层归一化与批归一化",
    ),
    "stream.batch.note": Word(
        "Row: a word. Column: a dimension. The input of the chosen norm, normalised in two ways, "
        "without γ and β. Blue is below zero, orange above.",
        "行：一个词。列：一维。把所选归一化的输入用两种方式归一化（不含 γ 和 β）。蓝色小于零，橙色"
        "大于零。",
    ),
    "stream.batch.rows": Word("LayerNorm: each row on its own", "层归一化：每行各算各的"),
    "stream.batch.columns": Word(
        "BatchNorm: each column over all words",
        "批归一化：每列对所有词一起算",
    ),
    "stream.batch.same": Word(
        "If this word were alone in the batch, its LayerNorm output would be the same; its "
        "BatchNorm output would differ by up to {columns}, because BatchNorm depends on the other "
        "words.",
        "如果批次里只有这个词，层归一化的输出不变；批归一化的输出最多相差 {columns}，因为它取决于别的词。",
    ),
    "stream.batch.numbers": Word(
        "If this word were alone in the batch, its LayerNorm output would differ by at most "
        "{rows}, its BatchNorm output by up to {columns}, because BatchNorm depends on the other "
        "words.",
        "如果批次里只有这个词，层归一化的输出相差至多 {rows}，批归一化的输出最多相差 {columns}，因"
        "为批归一化取决于别的词。",
    ),
    "stream.exact": Word(
        "recomputed layer by layer, the states match the model's own exactly",
        "逐层重新计算，状态与模型自己的完全一致",
    ),
}
