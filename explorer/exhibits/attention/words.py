"""The words of the exhibit `attention`."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "view.attention": Word("Attention", "注意力"),
    "attention.title": Word("Attention heads", "注意力头"),
    "attention.about": Word(
        "Which word each head reads, for every layer and head.",
        "每一层的每个头在读哪个词。",
    ),
    "attention.lead": Word(
        "Each square is one attention head. Pick one to see which words it reads, as a "
        "heatmap or as lines.",
        "每个小方块是一个注意力头。点一个头，看它在读哪些词：热图或连线都行。",
    ),
    "attention.finding.encoder_self": Word(
        "In head {head}, {row} looks at {col} with {weight} of its weight.",
        "在头 {head} 中，{row} 看 {col}，权重占 {weight}。",
    ),
    "attention.finding.encoder_self.masked": Word(
        "In head {head}, {row} may not look at {col}: the mask hides it.",
        "在头 {head} 中，{row} 不能看 {col}：掩码把它遮住了。",
    ),
    "attention.finding.cross": Word(
        "To write {row}, head {head} looks at {col} with {weight} of its weight.",
        "要写出 {row}，头 {head} 看 {col}，权重占 {weight}。",
    ),
    "attention.finding.cross.read": Word(
        "In head {head}, {read} looks back at {col} with {weight} of its weight.",
        "在头 {head} 中，{read} 回看 {col}，权重占 {weight}。",
    ),
    "attention.finding.cross.masked": Word(
        "To write {row}, head {head} may not look at {col}: the mask hides it.",
        "要写出 {row}，头 {head} 不能看 {col}：掩码把它遮住了。",
    ),
    "attention.finding.decoder_self": Word(
        "To write {row}, head {head} looks back at {col} with {weight} of its weight.",
        "要写出 {row}，头 {head} 回看 {col}，权重占 {weight}。",
    ),
    "attention.finding.decoder_self.read": Word(
        "In head {head}, {read} looks back at {col} with {weight} of its weight.",
        "在头 {head} 中，{read} 回看 {col}，权重占 {weight}。",
    ),
    "attention.finding.decoder_self.masked": Word(
        "To write {row}, head {head} may not look ahead to {col}: the mask hides it.",
        "要写出 {row}，头 {head} 不能提前看 {col}：掩码把它遮住了。",
    ),
    "attention.off.said": Word(" This head is switched off.", "这个头已关闭。"),
    "attention.view": Word("Picture", "图的样式"),
    "attention.view.map": Word("map", "热图"),
    "attention.view.lines": Word("lines", "连线"),
    "attention.view.both": Word("both", "并列"),
    "attention.view.beside": Word("compared", "对照"),
    "attention.against": Word("Weights compared with", "与权重对照"),
    "attention.against.norm": Word("value norms", "值的范数"),
    "attention.against.contribution": Word("contributions", "局部贡献"),
    "attention.against.value_zeroing": Word("value zeroing", "值置零"),
    "attention.against.occlusion": Word("occlusion", "遮挡"),
    "attention.against.of.norm": Word("value norms", "值的范数"),
    "attention.against.of.contribution": Word("contributions", "局部贡献"),
    "attention.against.of.value_zeroing": Word("value-zeroing distance", "值置零距离"),
    "attention.against.of.occlusion": Word("occlusion loss", "遮挡损失"),
    "attention.finding.beside.encoder_self": Word(
        "{row} gives {col} {weight} of its weight and {value} of the {measure}.",
        "{row} 给 {col} 的权重占 {weight}，{measure}占 {value}。",
    ),
    "attention.finding.beside.decoder_self": Word(
        "To write {row}, {col} gets {weight} of the weight and {value} of the {measure}.",
        "要写出 {row}，{col} 的权重占 {weight}，{measure}占 {value}。",
    ),
    "attention.beside.rank": Word("Rank correlation: {rank}.", "秩相关：{rank}。"),
    "attention.beside.head": Word("Both maps: this head.", "两张图都是这个头。"),
    "attention.beside.layer": Word(
        "Left: this head. Right: all heads of its layer.", "左：这个头。右：这一层的所有头。"
    ),
    "attention.beside.model": Word(
        "Left: this head. Right: the whole model.", "左：这个头。右：整个模型。"
    ),
    "attention.beside.empty.contribution": Word(
        "For {row} this head changes the output by less than 0.1 % of its length: that is "
        "rounding, so the row is empty.",
        "对 {row}，这个头对输出的改变不到其长度的 0.1 %，只是舍入误差，所以这一行空着。",
    ),
    "attention.beside.empty.occlusion": Word(
        "Taking source tokens out costs {row} less than 0.001 of log-prob in all, so the row is "
        "empty.",
        "去掉原文的词元，{row} 的对数概率合计下降不到 0.001，所以这一行空着。",
    ),
    "attention.beside.row": Word("The chosen row in both maps", "两张图中所选的一行"),
    "attention.beside.means": Word(
        "A weight says how much of a value is taken, not how large that value is or what "
        "effect it has. Value norms: the lengths of the vectors that the head moves (Kobayashi "
        "2020). Contributions: how much closer to the output they bring the sum (Ferrando "
        "2022). Value zeroing: how far the layer's output turns without one value (Mohebbi "
        "2023). Occlusion: how much each written word loses when a source word is removed. "
        "Each row is divided by its sum; the rank correlation is Spearman's, over all tokens "
        "that may be read.",
        "权重只说明一个值取了多少，不说明那个值有多大、起了什么作用。值的范数："
        "这个头搬运的向量有多长（Kobayashi 2020）。局部贡献："
        "各个向量让总和向输出靠近了多少（Ferrando 2022）。值置零：去掉一个值，"
        "这一层的输出转过多少（Mohebbi 2023）。遮挡：去掉一个原文词，每个写出的词损失多少。"
        "每一行都除以它的和；秩相关是斯皮尔曼秩相关，按所有可读的词元计算。",
    ),
    "attention.measure": Word("measure", "指标"),
    "attention.value": Word("value", "数值"),
    "attention.reads": Word("reads", "正在读"),
    "attention.read": Word("is read", "被读"),
    "attention.weight": Word("weight", "权重"),
    "kind.encoder_self": Word("Encoder self-attention", "编码器自注意力"),
    "kind.decoder_self": Word("Decoder self-attention", "解码器自注意力"),
    "kind.cross": Word("Cross-attention", "交叉注意力"),
    "kind.encoder_self.short": Word("source reads source", "原文读原文"),
    "kind.decoder_self.short": Word("target reads earlier target", "译文读前面的译文"),
    "kind.cross.short": Word("target reads source", "译文读原文"),
    "choose.kind": Word("attention", "注意力"),
    "choose.layer": Word("layer", "层"),
    "choose.head": Word("head", "头"),
    "choose.row": Word("query: the word that reads", "查询：正在读的词"),
    "choose.col": Word("key: the word that is read", "键：被读的词"),
    "heads.head": Word("head", "头"),
    "heads.layer": Word("layer {n}", "第 {n} 层"),
    "heads.tile": Word(
        "{kind}, layer {layer}, head {head}", "{kind}，第 {layer} 层，第 {head} 个头"
    ),
    "heads.sorting": Word("Rank, sort and dim the heads", "给注意力头排名、排序、淡化显示"),
    "heads.sort": Word("sort", "排序"),
    "heads.least": Word("Dim the heads below", "低于此值的头变淡"),
    "heads.sorted": Word("highest first; layer·head", "从高到低；层·头"),
    "measure.name": Word("Rank by", "排名依据"),
    "measure.none": Word("no ranking", "不排名"),
    "measure.entropy": Word("entropy", "熵"),
    "measure.diagonal": Word("diagonal", "对角线"),
    "measure.previous": Word("previous token", "前一词元"),
    "measure.edge": Word("end or start token", "句尾符或句首符"),
    "measure.end": Word("end token", "句尾符"),
    "measure.start": Word("start token", "句首符"),
    "measure.role": Word("strength of its role", "职能强度"),
    "measure.role.means": Word(
        "The share of its weight that goes where its role says, over many sentences; 0 is what "
        "equal weights would give, 1 is all of it.",
        "在许多句子上，它的权重有多少符合它的职能：0 相当于平均分配，1 表示全部符合。",
    ),
    "role.aligns.read": Word(
        "reads the source of the word just read back", "读刚读入的词所对应的原文"
    ),
    "role.aligns.written": Word(
        "reads the source of the word being written", "读正在写的词所对应的原文"
    ),
    "role.previous": Word("reads one token back", "读前一个词元"),
    "role.next": Word("reads one token ahead", "读后一个词元"),
    "role.itself": Word("reads the token itself", "读词元自己"),
    "role.first": Word("reads the first token", "读第一个词元"),
    "role.end": Word("reads end and punctuation marks", "读句尾符和标点"),
    "role.rare": Word("reads the rarest word", "读最罕见的词"),
    "role.one": Word("reads the same place in every row", "每一行都读同一处"),
    "role.even": Word("on average spreads over many tokens", "平均来看，分散在许多词元上"),
    "role.mixed": Word("has no single role", "没有单一的职能"),
    "role.many": Word(
        "The role of each head was measured on {n} held-out sentences (heads.json).",
        "每个头的职能，是在 {n} 个留出的句子上测得的（heads.json）。",
    ),
    "role.making": Word(
        "The role of each head is being measured: {done} of {all} sentences so far.",
        "正在测每个头的职能：已完成 {done}/{all} 个句子。",
    ),
    "role.none": Word(
        "Too few of the example sentences could be used to measure the role of each head.",
        "可用的示例句子太少，测不出每个头的职能。",
    ),
    "role.skipped": Word("Left out “{text}”: {why}", "未使用「{text}」：{why}"),
    "role.few": Word(
        "The role of each head was measured here, on just {n} {n|sentence|sentences}: this "
        "model has no heads.json.",
        "这个模型没有 heads.json：每个头的职能，只是在这里用 {n} 个句子测的。",
    ),
    "measure.effect": Word("effect on the output", "对译文的影响"),
    "measure.nats": Word("{value} nats", "{value} 奈特"),
    "measure.entropy.means": Word(
        "How widely the rows spread: the mean over the rows of −Σ w ln w, in nats. It is 0 "
        "where every row reads a single token.",
        "各行的注意力分布得有多散：先对每行求 −Σ w ln w（单位：奈特），再取平均。每行都只读一"
        "个词元时为 0。",
    ),
    "measure.diagonal.means": Word(
        "The mean weight of a token on itself. In cross-attention, 1 minus the mean distance "
        "from the diagonal stretched from corner to corner: 1 − mean of Σ w |i/(Q−1) − "
        "j/(K−1)|.",
        "每个词元读自己的权重的平均值。交叉注意力则把对角线拉到两角之间，取 1 减去到它的平均"
        "距离：1 − Σ w |i/(Q−1) − j/(K−1)| 的平均值。",
    ),
    "measure.previous.means": Word(
        "The mean weight on the token just before, from the second row on. Cross-attention "
        "reads another sentence, so it has no such weight.",
        "从第二行起，每个词元读它前一个词元的平均权重。交叉注意力读的是另一个句子，"
        "所以没有这一项。",
    ),
    "measure.end.means": Word(
        "The mean weight on the end token. The decoder never reads one, so for its "
        "self-attention it is the weight on the start token.",
        "读句尾符的平均权重。解码器读不到句尾符，所以解码器自注意力改看句首符。",
    ),
    "measure.effect.means": Word(
        "The change in the output's log-prob when only this head is switched off; the largest "
        "loss comes first. Stripes: the output became more likely.",
        "只关闭这一个头时，译文对数概率的变化；损失最大的排在最前。条纹表示译文反而更可能。",
    ),
    "measure.raw": Word(
        "Always computed from the model's own weights over all tokens, whatever the large "
        "picture shows. A full entropy bar is the highest entropy of any head here.",
        "一律用模型的原始权重、算上所有词元，与大图怎样显示无关。熵的横条以这里最大的熵为满格。",
    ),
    "options.mass": Word("strongest %", "最强的 %"),
    "options.mass.hint": Word(
        "In each row, the fewest tokens whose weights add up to this share; the rest are pale",
        "每行只突出最少的几个词元，它们的权重合计达到这一比例；其余变淡",
    ),
    "options.hide": Word("hide special", "隐藏特殊词元"),
    "options.hide.hint": Word(
        "Leaves out start, end and padding tokens, and divides the rest of each row by its sum",
        "去掉句首符、句尾符和填充符，并把每行其余的权重除以它们的和",
    ),
    "options.words": Word("whole words", "合并成词"),
    "options.words.hint": Word(
        "Merges sub-words: weights summed over keys, averaged over queries",
        "把子词合并成词：权重对键求和，对查询取平均",
    ),
    "options.own": Word("scale to this head", "按本头定色标"),
    "options.own.hint": Word(
        "The colour scale of each head ends at its own largest weight",
        "每个头的颜色以它自己的最大权重为终点",
    ),
    "options.says.words": Word(
        "Sub-words are merged: weights summed over keys, averaged over queries.",
        "子词已合并成词：权重对键求和，对查询取平均。",
    ),
    "options.says.specials": Word(
        "Start, end and padding tokens are hidden; the rest of each row is divided by its sum.",
        "已隐藏句首符、句尾符和填充符；每行其余的权重已除以它们的和。",
    ),
    "options.says.mass": Word(
        "Bright: in each row, the fewest links that hold {mass} % of its weight.",
        "突出的是：每行中合计达到 {mass}% 权重的最少几条连接。",
    ),
    "several.name": Word("Heads drawn together", "同时画出的注意力头"),
    "several.add": Word("+ head", "＋ 再加头"),
    "several.alone": Word("only this one", "只看这个"),
    "several.remove": Word("Remove: {name}", "移除：{name}"),
    "several.hint": Word(
        "Double-click a head to see it alone.",
        "双击一个头，就只看它。",
    ),
    "several.adding": Word(
        "Pick more heads of this kind, up to {most}: {kind}.",
        "再点选同类的头，最多 {most} 个：{kind}。",
    ),
    "lines.reads": Word("Tokens that read", "正在读的词元"),
    "lines.read": Word("Tokens they read", "被读的词元"),
    "lines.least": Word(
        "Left: the word that reads. Right: the word it reads. Links below 0.01 are not drawn.",
        "左：正在读的词。右：它读的词。权重小于 0.01 的连线不画。",
    ),
    "zoom.name": Word("Size of the picture", "图的大小"),
    "zoom.in": Word("Larger", "放大"),
    "zoom.out": Word("Smaller", "缩小"),
    "zoom.fit": Word("Fit", "适应窗口"),
    "axes.encoder_self": Word(
        "Row: the word that reads. Column: the word it reads.", "行：正在读的词。列：它读的词。"
    ),
    "axes.cross.writes": Word(
        "Row: the word the decoder writes. Column: the source word it reads.",
        "行：解码器正在写的词。列：这时读的原文词。",
    ),
    "axes.cross.reads": Word(
        "Row: the last word read back. Column: the source word it reads next.",
        "行：解码器刚读入的词。列：接着去读的原文词。",
    ),
    "axes.decoder_self.writes": Word(
        "Row: the word the decoder writes. Column: the earlier word it reads.",
        "行：解码器正在写的词。列：这时读的、前面的词。",
    ),
    "axes.decoder_self.reads": Word(
        "Row: the last word read back. Column: the word it reads, itself or an earlier one.",
        "行：解码器刚读入的词。列：它读的词，即这个词本身或更早的词。",
    ),
    "readout.pointed": Word("Pointed at", "所指的格"),
    "readout.pointed_row": Word("Strongest in the row pointed at", "所指那一行中最强的"),
    "readout.chosen": Word("Chosen", "已选中"),
    "attention.off.short": Word("switched off", "已关闭"),
    "readout.head": Word("The whole head", "整个头"),
    "readout.strongest": Word("Strongest in the chosen row", "所选行中最强的"),
    "readout.masked": Word("masked", "已掩码"),
    "readout.sum": Word("The whole row adds up to {sum}.", "整行之和为 {sum}。"),
    "readout.kept": Word(
        "Before hiding, {kept}; the rest is on the hidden tokens.",
        "隐藏之前为 {kept}，其余在隐藏的词元上。",
    ),
    "readout.hidden": Word("This token is hidden.", "这个词元已隐藏。"),
    "says.encoder_self": Word("{row} reads {col} with weight", "{row} 读 {col}，权重为"),
    "says.encoder_self.masked": Word("{row} cannot read {col}", "{row} 不能读 {col}"),
    "says.cross": Word(
        "After {read}, to write {row}, the decoder reads {col} with weight",
        "读过 {read} 后，要写 {row}，解码器读 {col}，权重为",
    ),
    "says.cross.masked": Word(
        "After {read}, to write {row}, the decoder cannot read {col}",
        "读过 {read} 后，要写 {row}，解码器不能读 {col}",
    ),
    "says.decoder_self": Word(
        "After {read}, to write {row}, the decoder reads its own {col} with weight",
        "读过 {read} 后，要写 {row}，解码器读译文里的 {col}，权重为",
    ),
    "says.decoder_self.masked": Word(
        "After {read}, to write {row}, the decoder cannot look ahead to {col}",
        "读过 {read} 后，要写 {row}，解码器不能提前看 {col}",
    ),
    "attention.off": Word(
        "This head is switched off: what it reads is not passed on.",
        "这个头已关闭：它读到的内容不会往下传。",
    ),
    "attention.strongest": Word("The five strongest links", "最强的五条连接"),
    "attention.labels": Word("Rows:", "各行："),
    "attention.labels.writes": Word("written", "写出的词"),
    "attention.labels.reads": Word("read back", "刚读入的词"),
    "legend.name": Word("weight", "权重"),
    "legend.masked": Word("Masked.", "已掩码。"),
    "legend.shared": Word("The scale is the same for all heads.", "所有头共用同一色标。"),
    "legend.own": Word(
        "The scale ends at this head's largest weight: do not compare colours between heads.",
        "色标的终点是本头的最大权重：不同的头之间不能比较颜色。",
    ),
    # what the proof does not compare
    "proved.question.beside": Word("other measures of a head", "头的其他度量"),
    "proved.question.catalogue": Word(
        "what a head does in other sentences", "头在其他句子中的作用"
    ),
}
