"""The words of the exhibit `stream`."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "view.inside": Word("Inside a layer", "层内部"),
    "stream.title": Word("Residual stream", "残差流"),
    "stream.about": Word(
        "How much each block adds to a word's vector.",
        "每个方块给词的向量加了多少。",
    ),
    "stream.lead": Word(
        "Each word is a vector that travels up the stack, and every sub-layer adds to it. Press a "
        "sub-layer above to see its layer below; move the dimension to follow one of the numbers.",
        "每个词都是一个沿各层向上流动的向量，每个子层都往里加一点。点上面的一个子层，下面就显示它所"
        "在的层；拖动“维”，可以跟踪其中一个数。",
    ),
    "stream.finding.two": Word(
        "Of layer {n}'s two steps, {part} changes {token} most: it adds {times} times the size of "
        "what was there.",
        "第 {n} 层的两步里，{part}对 {token} 的改变最大：加上的向量是原有的 {times} 倍大小。",
    ),
    "stream.finding.three": Word(
        "Of layer {n}'s three steps, {part} changes {token} most: it adds {times} times the size "
        "of what was there.",
        "第 {n} 层的三步里，{part}对 {token} 的改变最大：加上的向量是原有的 {times} 倍大小。",
    ),
    "stream.finding.same": Word(
        "If {token} were alone in its batch, LayerNorm would give the same; BatchNorm would "
        "be off by up to {columns}.",
        "如果批次里只有 {token}，层归一化的结果不变，批归一化的最多相差 {columns}。",
    ),
    "stream.finding.norms": Word(
        "If {token} were alone in its batch, LayerNorm would be off by {rows}, BatchNorm by "
        "{columns}.",
        "如果批次里只有 {token}，层归一化会差 {rows}，批归一化会差 {columns}。",
    ),
    "stream.finding.rms": Word(
        "RMSNorm leaves {token} a mean of {mean}, LayerNorm subtracts it; the two differ by up to "
        "{off}.",
        "RMSNorm 不减均值，{token} 归一化后均值为 {mean}；层归一化减去均值，两者最多相差 {off}。",
    ),
    "stream.stack": Word("Stack", "部分"),
    "stream.stack.encoder": Word("encoder", "编码器"),
    "stream.stack.decoder": Word("decoder", "解码器"),
    "stream.show": Word("Show", "显示"),
    "stream.show.vector": Word("the vector", "向量"),
    "stream.show.norms": Word("two norms", "两种归一化"),
    "stream.dim": Word("Dimension", "维"),
    "stream.name.self_attention": Word("self-attention", "自注意力"),
    "stream.name.cross_attention": Word("cross-attention", "交叉注意力"),
    "stream.name.feed_forward": Word("feed-forward", "前馈网络"),
    "stream.short.self_attention": Word("self", "自"),
    "stream.short.cross_attention": Word("cross", "交叉"),
    "stream.short.feed_forward": Word("ff", "前馈"),
    "stream.length": Word(
        "bar: length of the vector added; line: length before adding",
        "横条：增量的长度；横线：被加向量的长度",
    ),
    "stream.part": Word("layer {layer} · {name}", "第 {layer} 层 · {name}"),
    "stream.before": Word("before", "之前"),
    "stream.adds": Word("added", "增量"),
    "stream.total": Word("sum", "和"),
    "stream.after": Word("after", "之后"),
    "stream.hidden": Word("units ({activation})", "单元（{activation}）"),
    "stream.inside": Word("LayerNorm", "层归一化"),
    "stream.lengths": Word("Lengths along the stack", "沿各层的向量长度"),
    "stream.lengths.note": Word(
        "Euclidean length of this word's vectors: before the sub-layer, what the sub-layer adds, and "
        "their sum. Vectors add up, their lengths do not.",
        "该词各向量的欧氏长度：进入子层之前、子层的增量、两者之和。相加的是向量，长度不能直接相加。",
    ),
    "stream.lengths.note.post": Word(
        "Euclidean length of this word's vectors: before the sub-layer, what the sub-layer "
        "adds, their sum, and the sum after the norm. Vectors add up, their lengths do not.",
        "该词各向量的欧氏长度：进入子层之前、子层的增量、两者之和，以及归一化之后。"
        "相加的是向量，长度不能直接相加。",
    ),
    "stream.layer": Word("layer", "层"),
    "stream.name": Word("sub-layer", "子层"),
    "stream.layernorm": Word(
        "LayerNorm at layer {layer}, {name}",
        "第 {layer} 层{name}处的层归一化",
    ),
    "stream.rmsnorm": Word("RMSNorm at layer {layer}, {name}", "第 {layer} 层{name}处的 RMSNorm"),
    "stream.moments.rms": Word("mean square {variance}", "均方 {variance}"),
    "stream.inout": Word("Input: {in}. Output: {out}.", "输入：{in}。输出：{out}。"),
    "stream.moments": Word("mean {mean}, variance {variance}", "均值 {mean}，方差 {variance}"),
    "stream.dimension": Word("dimension", "维"),
    "stream.in": Word("input", "输入"),
    "stream.gamma": Word("γ", "γ"),
    "stream.beta": Word("β", "β"),
    "stream.out": Word("output", "输出"),
    "stream.relu": Word("Feed-forward: which units fire", "前馈网络：哪些单元被激活"),
    "stream.fired": Word(
        "{n} of {size} hidden units are above zero here ({share}, {activation}). Below: the "
        "mean over the sentence.",
        "此处 {size} 个隐藏单元中有 {n} 个大于零（{share}，{activation}）。下表是整句的平均。",
    ),
    "stream.fired.gated": Word(
        "Each of the {size} hidden units is a product: {activation} of one map times a second map "
        "of the same vector. {n} are above zero here ({share}). Below: the mean over the sentence.",
        "{size} 个隐藏单元各是一个乘积：一个映射经 {activation}，再乘以同一向量的第二个映射。此处有 {n} "
        "个大于零（{share}）。下表是整句的平均。",
    ),
    "stream.share": Word("share above zero", "大于零的比例"),
    "stream.strips": Word(
        "A strip is a vector, one line per dimension: blue below zero, orange above. + is the "
        "vector that a sub-layer adds, = the sum, → the norm or the hidden units of the "
        "feed-forward network. The dashed line is the chosen dimension.",
        "一条就是一个向量，一行是一维：蓝色小于零，橙色大于零。+ 是子层的增量，= 是和，"
        "→ 是归一化或前馈网络的隐藏单元。虚线是所选的维度。",
    ),
    "stream.formula": Word(
        "Dimension {dim}: γ · (x − mean) / √(variance + {eps}) + β = {gamma} · ({x} − {mean}) "
        "/ √{variance} + {beta} = {y}. The model has {own}; over all dimensions the two differ "
        "by at most {off}.",
        "第 {dim} 维：γ · (x − 均值) / √(方差 + {eps}) + β = {gamma} · ({x} − {mean}) / √"
        "{variance} + {beta} = {y}。模型自己的值是 {own}；在所有维上两者最多相差 {off}。",
    ),
    "stream.formula.rms": Word(
        "Dimension {dim}: γ · x / √(mean of squares + {eps}) = {gamma} · {x} / √{variance} = {y}. "
        "No mean is subtracted and no β added. The model has {own}; over all dimensions the two "
        "differ by at most {off}.",
        "第 {dim} 维：γ · x / √(均方 + {eps}) = {gamma} · {x} / √{variance} = {y}。不减均值，也不加 β。"
        "模型自己的值是 {own}；在所有维上两者最多相差 {off}。",
    ),
    "stream.batch": Word(
        "“Two norms” normalises the input of the chosen norm in two ways, without γ and β. "
        "Row: a word. Column: a dimension. BatchNorm depends on the other words, LayerNorm "
        "does not.",
        "“两种归一化”把所选归一化的输入用两种方式归一化（不含 γ 和 β）。行：一个词。列：一维。"
        "批归一化与其他词有关，层归一化与其他词无关。",
    ),
    "stream.batch.rms": Word(
        "“Two norms” normalises the input of the chosen norm in two ways, without γ and β. Row: a "
        "word. Column: a dimension. Both take each row on its own. RMSNorm (Zhang and Sennrich, "
        "2019) divides by the root of the mean square; LayerNorm first subtracts the mean, and then "
        "divides by the standard deviation. A row whose mean is 0 comes out the same.",
        "“两种归一化”把所选归一化的输入用两种方式归一化（不含 γ 和 β）。行：一个词。列：一维。两者都是"
        "每行各算各的。RMSNorm（Zhang 与 Sennrich，2019）除以均方的平方根；层归一化先减去均值，再除以"
        "标准差。均值为 0 的行，两者结果相同。",
    ),
    "stream.norm.rms": Word("RMSNorm", "RMSNorm（均方根）"),
    "stream.norm.rows": Word("LayerNorm", "层归一化"),
    "stream.norm.columns": Word("BatchNorm", "批归一化"),
    "stream.norms.rms": Word(
        "RMSNorm, the model's own: each row over its root mean square; no mean is subtracted",
        "RMSNorm（本模型所用）：每行除以自己的均方根，不减均值",
    ),
    "stream.norms.rows": Word("LayerNorm: each row on its own", "层归一化：每行各算各的"),
    "stream.norms.columns": Word(
        "BatchNorm: each column over all words",
        "批归一化：每列对所有词一起算",
    ),
    "stream.deviation": Word(
        "Recomputed layer by layer, the states differ from the model's own by at most {deviation}.",
        "逐层重新计算，状态与模型自己的最多相差 {deviation}。",
    ),
    "stream.exact": Word(
        "Recomputed layer by layer, the states match the model's own exactly.",
        "逐层重新计算，状态与模型自己的完全一致。",
    ),
}
