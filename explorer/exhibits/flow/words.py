"""The words of the exhibit `flow`."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "flow.title": Word("Shapes and weights", "形状与参数"),
    "flow.about": Word(
        "The shape of the data at each step, and every weight counted.",
        "每一步数据的形状，以及每一组参数的个数。",
    ),
    "flow.lead": Word(
        "Follow your sentence through the model: the shape of the data at each step, and every "
        "weight counted. Switch to pre-norm and see what moves.",
        "跟着句子穿过模型：每一步数据的形状，每一组参数的个数。切换到前归一化，看看哪些步骤换了位"
        "置。",
    ),
    "flow.norm": Word("Norm", "归一化"),
    "flow.finding": Word(
        "{n} tokens become {n} × {d} numbers; {total} weights translate them.",
        "{n} 个词元变成 {n} × {d} 个数，由 {total} 个参数译出。",
    ),
    "flow.finding.wrong": Word(
        "The table of weights adds up to {total}, but the model has {counted}: they differ!",
        "参数表合计 {total}，模型实际有 {counted} 个：两者不一致！",
    ),
    "flow.finding.pre": Word(
        "Pre-norm puts LayerNorm before each sub-layer; this model does not.",
        "前归一化把 LayerNorm 放在每个子层之前；本模型不是这样。",
    ),
    "flow.finding.post": Word(
        "Post-norm puts LayerNorm after each sum; this model does not.",
        "后归一化把 LayerNorm 放在每次相加之后；本模型不是这样。",
    ),
    "flow.norm.post": Word("post (the paper)", "后归一化（论文）"),
    "flow.norm.pre": Word("pre", "前归一化"),
    "flow.own": Word("This model works this way.", "本模型就是这样。"),
    "flow.other": Word(
        "This model uses the other form; shown for comparison.",
        "本模型用的是另一种，这里仅供对比。",
    ),
    "flow.letters": Word(
        "Shapes: tokens × features per token; inside attention: heads × tokens × features. The "
        "steps in the frame are repeated in every layer.",
        "形状：词元数 × 每个词元的特征数；注意力内部为 头数 × 词元数 × 特征数。"
        "方框里的步骤在每一层都会重复。",
    ),
    "flow.boxes": Word(
        "The wider a box, the more numbers the step holds per token. The scale is logarithmic: "
        "each doubling adds the same width.",
        "方块越宽，这一步为每个词元保存的数就越多。宽度是对数刻度：每多一倍，加宽同样的一截。",
    ),
    "flow.repeated": Word("× {n}", "× {n}"),
    "flow.shapes": Word("Shapes", "形状"),
    "flow.stack": Word("stack", "所在"),
    "flow.step": Word("step", "步骤"),
    "flow.shape": Word("shape", "形状"),
    "flow.place": Word("part", "部分"),
    "flow.weight": Word("weight", "参数"),
    "flow.numbers": Word("numbers", "参数量"),
    "flow.form": Word("layout", "方式"),
    "flow.formula": Word("weights", "参数"),
    "flow.encoder": Word("Encoder, {n} layers", "编码器，{n} 层"),
    "flow.decoder": Word("Decoder, {n} layers", "解码器，{n} 层"),
    "flow.step.source": Word("source tokens", "原文词元"),
    "flow.step.target": Word("target tokens read so far", "已读入的译文词元"),
    "flow.step.embedding": Word("embedding × √d_model", "词嵌入 × √d_model"),
    "flow.step.embedding_plain": Word("embedding", "词嵌入"),
    "flow.step.position": Word("+ position", "+ 位置编码"),
    "flow.step.project": Word("queries, keys, values", "查询、键、值"),
    "flow.step.project_cross": Word(
        "queries; the memory's keys, values",
        "查询；键和值来自编码器输出",
    ),
    "flow.step.self": Word("attention weights", "注意力权重"),
    "flow.step.masked": Word("masked attention weights", "带掩码的注意力权重"),
    "flow.step.cross": Word("cross-attention weights", "交叉注意力权重"),
    "flow.step.context": Word("weights × values", "权重 × 值"),
    "flow.step.output": Word("heads joined, × W_o", "拼接各头，× W_o"),
    "flow.step.residual": Word("+ the residual input", "+ 残差输入"),
    "flow.step.norm": Word("LayerNorm", "层归一化"),
    "flow.step.norm_last": Word("final LayerNorm", "最后的层归一化"),
    "flow.step.inner": Word("feed-forward, hidden", "前馈网络，隐藏层"),
    "flow.step.outer": Word("feed-forward, output", "前馈网络，输出层"),
    "flow.step.memory": Word("memory: what the decoder reads", "编码器输出：供解码器读取"),
    "flow.step.logits": Word("logits: × embedding, transposed", "logits：× 词嵌入的转置"),
    "flow.step.logits_apart": Word(
        "logits: × output matrix, transposed", "logits：× 输出矩阵的转置"
    ),
    "flow.parameters": Word("All weights", "全部参数"),
    "flow.times": Word("copies", "个数"),
    "flow.place.embedding": Word("embedding and output", "词嵌入与输出"),
    "flow.place.tokens": Word("embedding", "词嵌入"),
    "flow.place.source": Word("source embedding", "源端词嵌入"),
    "flow.place.encoder": Word("encoder", "编码器"),
    "flow.place.decoder": Word("decoder", "解码器"),
    "flow.place.output": Word("output", "输出"),
    "flow.total": Word(
        "Sum of the table: {total}. Counted in the running model: {counted}. They agree.",
        "表中合计 {total}；在运行的模型中逐一清点为 {counted}。两者一致。",
    ),
    "flow.total.wrong": Word(
        "Sum of the table: {total}. Counted in the running model: {counted}. They differ!",
        "表中合计 {total}；在运行的模型中逐一清点为 {counted}。两者不一致！",
    ),
    "flow.forms": Word(
        "Three ways to build the projections of the heads",
        "构造各头投影的三种方式",
    ),
    "flow.form.full": Word("each head at full size", "每个头都用完整尺寸"),
    "flow.form.slices": Word("each head its own slice", "每个头各用一片"),
    "flow.form.one": Word("one matrix, cut into heads", "一个大矩阵，再切成各头"),
    "flow.forms.note": Word(
        "The weights of one multi-head attention, without biases. The last two hold the same "
        "numbers, stored differently; this model uses the last.",
        "一个多头注意力的权重数（不含偏置）。后两种是同样的数，只是存放方式不同；"
        "本模型采用最后一种。",
    ),
}
