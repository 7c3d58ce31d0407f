"""The words of the exhibit `lens`."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "lens.title": Word("Logit lens", "逐层预测"),
    "lens.about": Word(
        "In which layer the next word first appears.",
        "下一个词在哪一层最先出现。",
    ),
    "lens.lead": Word(
        "What each decoder layer would write if the model stopped there, and which tokens lie near "
        "each other. Step through the decoding, and see in which layer the word appears.",
        "这里显示每个解码器层若就此停下会写出什么，以及哪些词元在词嵌入空间里彼此靠近。逐步前进，看看答案在第几层出现。",
    ),
    "lens.name": Word(
        "Step {n} of {count}, layer by layer", "第 {n} 步（共 {count} 步），逐层来看"
    ),
    "lens.note": Word(
        "An approximation (the logit lens): only the top row is the model's prediction. Lower states "
        "were never trained to be read by the output matrix, least of all in a post-norm model.",
        "这是近似（logit lens）：只有最上面一行才是模型的预测。较低的层从未被训练成可以直接用输出矩阵来读，后归一化模型尤其如此。",
    ),
    "lens.layer": Word("state", "状态"),
    "lens.first": Word("likeliest", "最可能"),
    "lens.others": Word("next", "其次"),
    "lens.rank": Word("rank of the final token", "实际写出词元的名次"),
    "lens.embedding": Word("embedding + position", "词嵌入 + 位置编码"),
    "lens.of": Word("after layer {n}", "第 {n} 层之后"),
    "lens.top": Word("after layer {n}: the model", "第 {n} 层之后：模型本身"),
    "lens.beyond": Word("beyond {n}", "{n} 名之外"),
    "lens.near": Word("Neighbours in the embedding", "词嵌入中的近邻"),
    "lens.near.note": Word(
        "The tokens whose vectors point most nearly the same way (cosine).",
        "向量方向最接近的词元（余弦相似度）。",
    ),
    "lens.near.shared": Word(
        "Source, target and output share one matrix, so neighbours may be of either language.",
        "原文、译文和输出共用一个矩阵，所以近邻可能来自两种语言。",
    ),
    "lens.side": Word("Of the token chosen in", "所选词元来自"),
    "lens.side.src": Word("the source", "原文"),
    "lens.side.tgt": Word("the target", "译文"),
    "lens.word": Word("Nearest to", "最接近"),
}
