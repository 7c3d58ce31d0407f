"""The words of the exhibit `dropout`."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "dropout.title": Word("Dropout", "随机失活（Dropout）"),
    "dropout.lead": Word(
        "In training, each of these numbers is set to 0 with probability p, and those that stay "
        "are made larger, so that nothing changes on average. Draw again, then raise p and see how "
        "many draws the mean needs.",
        "训练时，这些数各以概率 p 被置为 0，留下的则放大，使平均值不变。先重新抽取几次，再调大 p，"
        "看看要抽多少次平均值才会稳定下来。",
    ),
    "dropout.share": Word("p, probability of 0", "p，置 0 的概率"),
    "dropout.draws": Word("draws", "抽取次数"),
    "dropout.again": Word("Draw again", "重新抽取"),
    "dropout.seed": Word("seed {seed}", "随机种子 {seed}"),
    "dropout.name": Word(
        "What the encoder reads for {token}: {count} of {of} numbers",
        "编码器读到的 {token}：{of} 个数中的前 {count} 个",
    ),
    "dropout.place": Word("place", "维"),
    "dropout.before": Word("before", "之前"),
    "dropout.mask": Word("mask", "掩码"),
    "dropout.after": Word("after", "之后"),
    "dropout.zero": Word("→ 0", "→ 0"),
    "dropout.where": Word(
        "Embedding plus position of the chosen source token. The paper drops here and at the "
        "output of every sub-layer, with p = 0.1; the shipped model was trained with 0.2. When it "
        "translates, nothing is dropped.",
        "这是所选原文词元的词嵌入与位置编码之和。论文在这里和每个子层的输出处做 Dropout，p = 0.1；"
        "本模型训练时 p = 0.2。翻译时不做 Dropout。",
    ),
    "dropout.heading": Word("The mean of many draws, place {n}", "多次抽取的平均值，第 {n} 维"),
    "dropout.key.mean": Word("mean of the draws so far", "到目前为止的平均值"),
    "dropout.key.true": Word("the number itself", "原来的数"),
    "dropout.key.band": Word("± typical deviation", "± 典型偏差"),
    "dropout.axis": Word("draws", "抽取次数"),
    "dropout.means": Word(
        "Place {n}: the mean of {draws} draws is {mean}, the number itself {value}; "
        "a deviation of about {error} is usual, |x| · √(p / ((1 − p) · draws)).",
        "第 {n} 维：{draws} 次抽取的平均值为 {mean}，原来的数是 {value}；"
        "通常偏差约为 {error}，即 |x| · √(p / ((1 − p) · 次数))。",
    ),
}
