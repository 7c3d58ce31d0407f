"""The words of the exhibit `figure`."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "view.whole": Word("The whole model", "整个模型"),
    "figure.title": Word("The whole at work", "整个模型的运行"),
    "figure.about": Word(
        "Your sentence flows through it; each layer opens.",
        "看句子流过整个模型，每一层都能展开。",
    ),
    "figure.lead": Word(
        "Your sentence flows upwards through both stacks. Press a layer to open it into the "
        "blocks of Figure 1 of “Attention Is All You Need”, a block to see its heads, and a "
        "head to see its cells.",
        "句子自下而上流过编码器和解码器。点一层，展开成论文《Attention Is All You Need》图 1 的"
        "方块；再点注意力方块看各个头，点一个头看每一格。",
    ),
    "figure.languages": Word("The model translates {languages}.", "模型{languages}。"),
    "figure.flow": Word(
        "A strip is a token's vector: {shown} of its {d} numbers, blue below zero, orange above. A "
        "ribbon is self-attention, the mean of a layer's heads, and its width is the weight. The "
        "orange arms are cross-attention, the mean of all layers. Very thin ones are left out.",
        "竖条是一个词元的向量：取 {d} 个数中的 {shown} 个，小于零为蓝，大于零为橙。带子是自注意力，"
        "取一层各头的平均，宽度就是权重。橙色的臂是交叉注意力，取各层的平均。极细的省略不画。",
    ),
    "figure.caption.encoder": Word("Encoder reads the sentence", "编码器读句子"),
    "figure.caption.decoder": Word("Decoder writes", "解码器写译文"),
    "figure.softmax": Word("how likely each next token is", "下一个词元的概率"),
    "figure.input": Word("embedding\n+ position", "词嵌入\n+ 位置"),
    "figure.input.bare": Word("embedding", "词嵌入"),
    "figure.back_way": Word("read back at the\nnext step", "下一步再\n读进来"),
    "figure.reveal": Word("Show the next token", "显示下一个词元"),
    "figure.inside.heads": Word("Press a head to see its cells.", "点一个头，看它的每一格。"),
    "figure.inside.cells": Word("Press a cell to choose it.", "点一格即可选中。"),
    "figure.name.heads": Word("The heads of this block", "这个方块的各个头"),
    "figure.crumbs": Word("Open parts", "展开到哪里"),
    "figure.crumb.whole": Word("The whole", "整个模型"),
    "figure.crumb.layer": Word("{stack}, layer {n}", "{stack}第 {n} 层"),
    "figure.crumb.layers": Word("open layers", "展开的各层"),
    "figure.finding": Word(
        "To write {token}, the decoder has read {read}; together its heads look most at {one} "
        "and {two}.",
        "要写出 {token}，解码器刚读入 {read}；它所有的头合起来看得最多的是 {one} 和 {two}。",
    ),
    "figure.finding.one": Word(
        "To write {token}, the decoder has read {read}; together its heads look most at {one}.",
        "要写出 {token}，解码器刚读入 {read}；它所有的头合起来看得最多的是 {one}。",
    ),
    "figure.finding.hidden": Word(
        "The decoder has read {read}; together its heads look most at {one} and {two}. What "
        "will it write?",
        "解码器刚读入 {read}；它所有的头合起来看得最多的是 {one} 和 {two}。它会写什么？",
    ),
    "figure.finding.hidden.one": Word(
        "The decoder has read {read}; together its heads look most at {one}. What will it write?",
        "解码器刚读入 {read}；它所有的头合起来看得最多的是 {one}。它会写什么？",
    ),
    "figure.finding.shapes": Word(
        "Each of the {n} tokens becomes {d} numbers; in the end each possible next token "
        "gets a score.",
        "{n} 个词元各变成 {d} 个数；最后，每个可能的下一个词元都得到一个分数。",
    ),
    "figure.finding.heads": Word(
        "{kind}: head {head} looks hardest, with {p} of its weight on {token}.",
        "{kind}：头 {head} 看得最专注，{p} 的权重在 {token} 上。",
    ),
    "figure.finding.cell": Word(
        "{row} looks at {col}: {p} of the weight of head {head}.",
        "{row} 看 {col}：占头 {head} 权重的 {p}。",
    ),
    "figure.finding.cell.written": Word(
        "To write {row}, head {head} looks at {col}: {p} of its weight.",
        "要写出 {row}，头 {head} 看 {col}：权重占 {p}。",
    ),
    "figure.finding.masked": Word(
        "{row} may not look at {col}: the mask of head {head} hides it.",
        "{row} 不能看 {col}：头 {head} 的掩码把它遮住了。",
    ),
    "figure.finding.playing": Word(
        "{name}: block {i} of {count}. The next token is still unknown.",
        "{name}：第 {i} 个方块，共 {count} 个。下一个词元还不知道。",
    ),
    "figure.name": Word("The model as in Figure 1 of the paper", "模型全图，同论文图 1"),
    "figure.hint": Word(
        "Point at a part to see what goes in and what comes out; press a layer to open it.",
        "指向（或轻点）一处，看输入和输出；点一层，就地展开。",
    ),
    "figure.strips": Word(
        "Each strip is a vector, each small square an attention head. Press a folded layer to "
        "open it in place. Numbers in blocks that add or normalise are lengths of vectors. ␣ "
        "is a token that is only a space.",
        "每一行色条是一个向量，每个小方格是一个注意力头。折叠的层点选即可展开。相加、"
        "归一化的方块里，数字是向量的长度。␣ 表示单独成为词元的空格。",
    ),
    "figure.letters": Word(
        "Shapes: tokens × features per token; inside attention: heads × tokens that read × tokens "
        "that are read.",
        "形状：词元数 × 每个词元的特征数；注意力内部为 头数 × 读的词元数 × 被读的词元数。",
    ),
    "figure.norm.post": Word(
        "This model is post-norm, as in the paper: x ← LayerNorm(x + Sublayer(x)). Pre-norm would "
        "be x ← x + Sublayer(LayerNorm(x)).",
        "本模型同论文一样是后归一化：x ← LayerNorm(x + Sublayer(x))。"
        "前归一化则是 x ← x + Sublayer(LayerNorm(x))。",
    ),
    "figure.norm.pre": Word(
        "This model is pre-norm: x ← x + Sublayer(LayerNorm(x)). The paper's post-norm is "
        "x ← LayerNorm(x + Sublayer(x)).",
        "本模型是前归一化：x ← x + Sublayer(LayerNorm(x))。"
        "论文的后归一化是 x ← LayerNorm(x + Sublayer(x))。",
    ),
    "figure.since.learned": Word(
        "Since the paper: positions are a learnt table of vectors (BART, 2019).",
        "论文之后的改动：位置是一张学来的向量表（BART，2019）。",
    ),
    "figure.since.relative": Word(
        "Since the paper: no positions are added to embeddings; self-attention adds a learnt bias by "
        "distance to its scores (T5, 2019).",
        "论文之后的改动：词嵌入上不加位置，自注意力的分数加上学来的、随距离变化的偏置（T5，2019）。",
    ),
    "figure.since.none": Word(
        "Unlike the paper: the model has no positions.", "与论文不同：模型没有位置信息。"
    ),
    "figure.since.rms": Word(
        "Since the paper: RMSNorm in place of LayerNorm; no mean is subtracted (Zhang and Sennrich, "
        "2019).",
        "论文之后的改动：以 RMSNorm 代替 LayerNorm，不减均值（Zhang 与 Sennrich，2019）。",
    ),
    "figure.since.gated": Word(
        "Since the paper: each feed-forward unit is a product of two maps (Shazeer, 2020).",
        "论文之后的改动：前馈网络的每个单元是两个映射的乘积（Shazeer，2020）。",
    ),
    "figure.since.biases": Word(
        "Since the paper: linear maps and norms add no bias.",
        "论文之后的改动：线性映射和归一化都不加偏置。",
    ),
    "figure.since.scaling": Word(
        "Unlike the paper: scores are not divided by √d_k.", "与论文不同：分数不除以 √d_k。"
    ),
    "figure.shape": Word("Shapes", "形状"),
    "figure.weights": Word("All weights", "全部参数"),
    "figure.weights.heads": Word(
        "The heads of one attention share each of its matrices, cut into slices: one small matrix "
        "per head would hold the same numbers.",
        "一个注意力的各头共用每个矩阵，各取一片：若给每个头一个小矩阵，也是同样多的数。",
    ),
    "figure.total": Word(
        "Sum of the table: {total}. Counted in the running model: {counted}. They agree.",
        "表中合计 {total}；在运行的模型中逐一清点为 {counted}。两者一致。",
    ),
    "figure.total.wrong": Word(
        "Sum of the table: {total}. Counted in the running model: {counted}. They differ!",
        "表中合计 {total}；在运行的模型中逐一清点为 {counted}。两者不一致！",
    ),
    "figure.part": Word("part", "部分"),
    "figure.weight": Word("weight", "参数"),
    "figure.times": Word("copies", "个数"),
    "figure.size": Word("shape", "形状"),
    "figure.numbers": Word("numbers", "参数量"),
    "figure.part.embedding": Word("embedding and output", "词嵌入与输出"),
    "figure.part.tokens": Word("embedding", "词嵌入"),
    "figure.part.source": Word("source embedding", "源端词嵌入"),
    "figure.part.encoder": Word("encoder", "编码器"),
    "figure.part.decoder": Word("decoder", "解码器"),
    "figure.part.output": Word("output", "输出"),
    "figure.blocks": Word(
        "All blocks, with the shapes of what they compute", "全部方块及其数据的形状"
    ),
    "figure.block": Word("block", "方块"),
    "figure.place": Word("where", "位置"),
    "figure.in": Word("in", "输入"),
    "figure.inside": Word("inside", "内部"),
    "figure.out": Word("out", "输出"),
    "figure.player": Word("Play one decoding step", "播放一步解码"),
    "figure.play": Word("Play this step", "播放这一步"),
    "figure.pause": Word("Pause", "暂停"),
    "figure.back": Word("One block back", "后退一个方块"),
    "figure.forward": Word("One block forward", "前进一个方块"),
    "figure.speed": Word("Speed", "速度"),
    "figure.speed.slow": Word("slow", "慢速"),
    "figure.speed.normal": Word("normal", "中速"),
    "figure.speed.fast": Word("fast", "快速"),
    "figure.last": Word("Show everything", "显示全部"),
    "figure.unfold": Word("Open all layers", "展开所有层"),
    "figure.fold": Word("Fold layers", "折叠各层"),
    "figure.frame": Word("layer {n}", "第 {n} 层"),
    "figure.heads": Word("{n} heads", "{n} 个头"),
    "figure.head": Word("head {n}", "第 {n} 个头"),
    "figure.fired": Word("{n} of {count} fire", "{count} 个中激活 {n}"),
    "figure.encoder": Word("Encoder", "编码器"),
    "figure.decoder": Word("Decoder", "解码器"),
    "figure.of_layer": Word(", layer {n}", "，第 {n} 层"),
    "figure.opens": Word("Open: {view}", "打开：{view}"),
    "figure.shapes": Word("In: {in}. Out: {out}.", "输入：{in}。输出：{out}。"),
    "figure.shapes.inside": Word(
        "In: {in}. Inside: {inside}. Out: {out}.", "输入：{in}。内部：{inside}。输出：{out}。"
    ),
    "figure.length.before": Word("length of the input", "输入向量的长度"),
    "figure.length.inside": Word("length after the norm", "归一化之后的长度"),
    "figure.length.adds": Word(
        "length of the vector added by the block below", "下方方块所加向量的长度"
    ),
    "figure.length.after": Word("length of the output", "输出向量的长度"),
    "figure.brief.before": Word("in", "入"),
    "figure.brief.inside": Word("out", "出"),
    "figure.brief.adds": Word("adds", "加"),
    "figure.brief.after": Word("out", "出"),
    "figure.block.tokens_encoder": Word("Source tokens", "原文词元"),
    "figure.block.tokens_decoder": Word("Tokens written so far", "已写出的词元"),
    "figure.block.embedding": Word("Embedding", "词嵌入"),
    "figure.block.position": Word("Positions", "位置"),
    "figure.block.sum": Word("Their sum", "两者之和"),
    "figure.block.encoder_self": Word("Self-attention", "自注意力"),
    "figure.block.decoder_self": Word("Masked attention", "掩码自注意力"),
    "figure.block.decoder_self_ahead": Word("Self-attention", "自注意力"),
    "figure.block.cross": Word("Cross-attention", "交叉注意力"),
    "figure.block.feed_forward": Word("Feed-forward", "前馈网络"),
    "figure.block.add_norm": Word("Add & norm", "相加并归一化"),
    "figure.block.norm": Word("Norm", "归一化"),
    "figure.block.add": Word("Add", "相加"),
    "figure.block.layer": Word("Layer {n}", "第 {n} 层"),
    "figure.block.final": Word("Final norm", "最后归一化"),
    "figure.block.linear": Word("Linear", "线性层"),
    "figure.block.softmax": Word("Softmax: how likely each is", "Softmax：各有多大概率"),
    "figure.block.next": Word("Written", "写出"),
    "figure.says.tokens_encoder": Word(
        "The sentence, cut into tokens. Choose one to follow its vector.",
        "句子切成的词元。点一个，跟踪它的向量。",
    ),
    "figure.says.tokens_decoder": Word(
        "The decoder reads what it has written. Choose a token to go to its step.",
        "解码器读入自己写出的词元。点一个，跳到那一步。",
    ),
    "figure.says.embedding": Word(
        "Each token becomes a row of {d} numbers, from a table learned in training.",
        "每个词元变成一行 {d} 个数，取自训练得到的表。",
    ),
    "figure.says.position": Word(
        "Sines and cosines that mark the position of a token.", "用正弦和余弦表示词元所在的位置。"
    ),
    "figure.says.position_learned": Word(
        "A learnt vector for each position of a token.", "每个位置各有一个学来的向量。"
    ),
    "figure.says.position_relative": Word(
        "Nothing is added here: self-attention adds a bias by distance to its scores instead.",
        "这里什么也不加：自注意力改在分数上加随距离变化的偏置。",
    ),
    "figure.says.position_none": Word(
        "Nothing is added here: this model has no positions.",
        "这里什么也不加：本模型没有位置信息。",
    ),
    "figure.says.sum": Word(
        "Embedding plus position: the input of the first layer.", "词嵌入加位置编码：第一层的输入。"
    ),
    "figure.says.encoder_self": Word(
        "In {heads} heads each source token reads all source tokens.",
        "{heads} 个头中，每个原文词元读取全部原文词元。",
    ),
    "figure.says.decoder_self": Word(
        "In {heads} heads each written token reads itself and the ones before it, never later ones.",
        "{heads} 个头中，每个已写词元只读自己和之前的词元，看不到后面的。",
    ),
    "figure.says.decoder_self_ahead": Word(
        "In {heads} heads each written token reads the others, later ones too: the mask was "
        "changed.",
        "{heads} 个头中，每个已写词元读取其他词元，连后面的也读：掩码被改动了。",
    ),
    "figure.says.cross": Word(
        "In {heads} heads the decoder reads the encoder's output.",
        "{heads} 个头中，解码器读取编码器的输出。",
    ),
    "figure.says.feed_forward": Word(
        "Each token passes through {units} units on its own; a cell is one unit of the chosen token.",
        "每个词元各自经过 {units} 个单元；每一格是所选词元的一个单元。",
    ),
    "figure.says.feed_forward_gated": Word(
        "Each token passes through {units} units on its own, each a product of two maps; a cell is "
        "one unit of the chosen token.",
        "每个词元各自经过 {units} 个单元，每个单元是两个映射的乘积；每一格是所选词元的一个单元。",
    ),
    "figure.says.add_norm": Word(
        "Output plus input, then normalised. Numbers: lengths of the chosen token's vectors, which "
        "do not add up as the vectors do.",
        "把方块的输出加到它的输入上，再归一化。图中的数是所选词元的向量长度。",
    ),
    "figure.says.norm": Word(
        "The vector is normalised before the block reads it.", "向量先归一化，再进入方块。"
    ),
    "figure.says.add": Word(
        "Output plus input. Numbers: lengths of the chosen token's vector.",
        "把方块的输出加到它的输入上。图中的数是所选词元的向量长度。",
    ),
    "figure.says.layer": Word(
        "A folded layer; its strip is its output. Choose it to open it.",
        "折叠的一层，色条是它的输出。点选即可展开。",
    ),
    "figure.says.final": Word(
        "This model normalises once more at the top of the stack.", "本模型在最上面再归一化一次。"
    ),
    "figure.says.linear": Word(
        "The last vector of the decoder, compared with the embedding of every token.",
        "解码器的最后一个向量，与每个词元的词嵌入相乘。",
    ),
    "figure.says.linear_apart": Word(
        "The last vector of the decoder, compared with every token's row of the output matrix.",
        "解码器的最后一个向量，与输出矩阵中每个词元对应的那一行做点积。",
    ),
    "figure.says.softmax": Word(
        "A probability for every token of the vocabulary; the most likely are shown.",
        "词表中每个词元的概率，这里列出最高的几个。",
    ),
    "figure.says.next": Word(
        "The search has written this token; the decoder reads it at the next step.",
        "搜索写出了这个词元；下一步解码器再读入它。",
    ),
    # what the proof does not compare
    "proved.question.anatomy": Word("the table of sizes", "尺寸表"),
}
