"""The words of the exhibit `dropout`."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "dropout.title": Word("Dropout", "随机失活（Dropout）"),
    "dropout.about": Word(
        "What happens when numbers are set to 0 at random.",
        "随机把一些数置零会怎样。",
    ),
    "dropout.lead": Word(
        "In training, each number is set to 0 with probability p, and the rest are scaled up to "
        "compensate. Raise p: how many draws until the mean settles?",
        "训练时，每个数以概率 p 被置为 0，留下的数相应放大。调大 p，看看要抽取多少次，平均值才稳定下来。",
    ),
    "dropout.share": Word("p, probability of 0", "p，置 0 的概率"),
    "dropout.draws": Word("draws", "抽取次数"),
    "dropout.again": Word("Draw again", "重新抽取"),
    "dropout.seed": Word("seed {seed}", "随机种子 {seed}"),
    "dropout.name": Word(
        "What the encoder reads for {token}: {count} of {of} numbers",
        "编码器读到的 {token}：{of} 个数中的前 {count} 个",
    ),
    "dropout.place": Word("dimension", "维"),
    "dropout.before": Word("before", "之前"),
    "dropout.mask": Word("mask", "掩码"),
    "dropout.after": Word("after", "之后"),
    "dropout.zero": Word("→ 0", "→ 0"),
    "dropout.where": Word(
        "Embedding plus position of the chosen source token. The paper uses dropout here and at the "
        "output of every sub-layer, with p = {paper}; the shipped model was trained with {trained}. "
        "When the model translates, nothing is dropped.",
        "这是所选原文词元的词嵌入加位置编码。论文在这里和每个子层的输出处使用 Dropout，p = {paper}；"
        "自带的模型训练时 p = {trained}。翻译时不做 Dropout。",
    ),
    "dropout.heading": Word("Mean over draws, dimension {n}", "多次抽取的平均值，第 {n} 维"),
    "dropout.key.mean": Word("mean of the draws so far: {value}", "到目前为止的平均值：{value}"),
    "dropout.key.true": Word("the number itself: {value}", "原来的数：{value}"),
    "dropout.key.band": Word("± two standard deviations", "± 两个标准差"),
    "dropout.axis": Word("draws", "抽取次数"),
    "dropout.finding": Word(
        "Dropout makes some numbers of {token} zero by chance, the rest grow: dimension {n} "
        "averages {mean}, or {value} without it.",
        "随机失活把 {token} 的一部分数变成零，其余的变大：第 {n} 维平均是 {mean}，原来是 {value}。",
    ),
    "dropout.dimension": Word("dimension {n}", "第 {n} 维"),
    "dropout.band": Word(
        "After {draws} draws a deviation of about {error} is typical, one standard deviation: "
        "|x| · √(p / ((1 − p) · draws)). Of 20 means about 19 lie within two.",
        "抽取 {draws} 次后，通常偏差约为 {error}，即一个标准差：|x| · √(p / ((1 − p) · 次数))。"
        "20 个平均值中约有 19 个落在两个标准差以内。",
    ),
}
