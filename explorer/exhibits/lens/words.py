"""The words of the exhibit `lens`."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "lens.title": Word("Logit lens", "逐层预测"),
    "lens.about": Word("In which layer the next word first appears.", "下一个词最先在哪一层出现。"),
    "lens.lead": Word(
        "See what each decoder layer would write if the model stopped there. Step through the "
        "decoding or press a column: in which layer does the word appear?",
        "看看模型如果停在解码器的某一层，会写出什么。逐步前进，或点某一列，"
        "看答案从第几层开始出现。",
    ),
    "lens.finding.lead": Word(
        "After layer {n} it would still have written {before}; one layer later it is "
        "{written}, with {p}.",
        "停在第 {n} 层，它会写出 {before}；再过一层就成了 {written}（{p}）。",
    ),
    "lens.finding.first": Word(
        "{written} leads from the first layer on; the last one gives it {p}.",
        "{written} 从第一层起就领先，最后一层给它 {p}。",
    ),
    "lens.finding.always": Word(
        "{written} leads in every layer; the last one gives it {p}.",
        "{written} 在每一层都领先，最后一层给它 {p}。",
    ),
    "lens.finding.other": Word(
        "The last layer prefers {top} ({p}), yet {written} was written.",
        "最后一层更看好 {top}（{p}），实际写出的却是 {written}。",
    ),
    "lens.stack": Word("Cut", "截断"),
    "lens.stack.decoder": Word("the decoder", "解码器"),
    "lens.stack.encoder": Word("the encoder", "编码器"),
    "lens.spoken.from": Word(
        "From encoder layer {n} of {top} on, the translation stays the same.",
        "从编码器第 {n} 层起（共 {top} 层），译文就不再变了。",
    ),
    "lens.spoken.last": Word(
        "Only the last encoder layer, layer {n}, gives this translation.",
        "只有编码器的最后一层（第 {n} 层）才给出这个译文。",
    ),
    "lens.spoken.always": Word(
        "Even the bare embeddings give this translation.", "只凭词嵌入就已经给出这个译文。"
    ),
    "lens.spoken.map": Word(
        "What the decoder writes from each encoder layer", "解码器从编码器各层读出的译文"
    ),
    "lens.spoken.chance": Word("log-prob {log_prob}", "对数概率 {log_prob}"),
    "lens.spoken.note": Word(
        "The decoder reads the encoder's state after a layer as if that layer were the last "
        "(DecoderLens, Langedijk 2024). Underlined: tokens missing from the model's own "
        "translation. Only the top line is the model's; the decoder was never trained to read "
        "the layers below.",
        "把编码器某一层之后的状态当作最后一层，交给解码器（DecoderLens，Langedijk 2024）。"
        "下划线：模型自己的译文里没有的词元。只有最上面一行是模型的译文，"
        "训练中解码器从没读过较低的层。",
    ),
    "lens.text": Word("translation", "译文"),
    "lens.sum": Word("log-prob", "对数概率"),
    "lens.map": Word(
        "What each layer would write at each step of the decoding", "每一步解码中各层会写出的词元"
    ),
    "lens.name": Word("Step {n}, layer by layer", "第 {n} 步，逐层来看"),
    "lens.note": Word(
        "A column is a step, headed by the token that was written; a row is the state after a "
        "layer, the last at the top. Each cell lists the most likely tokens: the darker it is, "
        "the more likely the first; a frame means that the first is the token written. The lowest row "
        "has no colour: it is the input, which repeats itself. This is "
        "an approximation (the logit lens): only the top row is the model's prediction. Lower "
        "layers were never trained for the output matrix to read, least of all in a post-norm "
        "model.",
        "每列是一步，列首是实际写出的词元；每行是某一层之后的状态，最后一层在最上面。"
        "格子里是概率最高的几个词元：颜色越深，第一个的概率越高；第一个正是实际写出的词元时，"
        "格子有边框。最下面一行不着色：那是输入，读出来还是它自己。这是近似（logit lens）：只有最上面一行才是模型的预测。"
        "训练时并不要求较低的层能直接由输出矩阵读出，后归一化模型尤其如此。",
    ),
    "lens.embedding": Word("input of layer 1", "第 1 层的输入"),
    "lens.of": Word("after layer {n}", "第 {n} 层之后"),
    "lens.top": Word("layer {n}: the model", "第 {n} 层：模型本身"),
    "lens.input": Word("input", "输入"),
    "lens.layer.short": Word("layer {n}", "第 {n} 层"),
    "lens.layer": Word("layer (0: embedding)", "层（0：词嵌入）"),
    "lens.rank": Word("rank", "名次"),
    "lens.token": Word("token", "词元"),
    "lens.id": Word("id", "编号"),
    "lens.log_prob": Word("probability", "概率"),
    "lens.near.source": Word(
        "Neighbours of the source token {token} in the embedding",
        "原文词元 {token} 在词嵌入中的近邻",
    ),
    "lens.near.target": Word(
        "Neighbours of the target token {token} in the embedding",
        "译文词元 {token} 在词嵌入中的近邻",
    ),
    "lens.near.note": Word(
        "The tokens whose vectors are closest in direction (cosine).",
        "向量方向最接近的词元（余弦相似度）。",
    ),
    "lens.near.shared": Word(
        "Source, target and output share one matrix, so neighbours may come from either language.",
        "原文、译文和输出共用一个矩阵，所以近邻可能来自两种语言。",
    ),
    "lens.cosine": Word("cosine", "余弦"),
}
