"""The words of the exhibit `scaling`."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "scaling.title": Word("Why √d_k", "为什么除以 √d_k"),
    "scaling.lead": Word(
        "Queries and keys of drawn numbers: the longer they are, the larger their products, and "
        "softmax gives all to one key. Move d, and compare the weights with and without the "
        "division by √d.",
        "随机抽取的查询和键：维数越大，点积越大，softmax 就把全部权重给了一个键。"
        "拖动 d，比较除以 √d 与不除时的权重。",
    ),
    "scaling.size": Word("d, numbers in a vector", "d：向量的维数"),
    "scaling.count": Word("products drawn", "抽取的点积个数"),
    "scaling.seed": Word("seed", "随机种子"),
    "scaling.query": Word("query on show", "图中的查询"),
    "scaling.note": Word(
        "Normal numbers of mean 0 and variance 1, 8 keys each query. Drawn vectors, not the "
        "model's; the same seed draws the same ones.",
        "均值为 0、方差为 1 的正态随机数，每个查询 8 个键。这是抽取的向量，不是模型的；"
        "种子相同，结果就相同。",
    ),
    "scaling.spread": Word("How q · k spreads", "q · k 的分布"),
    "scaling.spread.name": Word(
        "Histogram of the products, and the normal curve of variance d",
        "点积的直方图，以及方差为 d 的正态曲线",
    ),
    "scaling.spread.said": Word(
        "Line: {count} products, variance {measured}. Dashes: the normal curve of variance "
        "d = {d}, a spread of ±√d = {deviation}.",
        "实线：{count} 个点积，方差 {measured}。虚线：方差为 d = {d} 的正态曲线，"
        "标准差 √d = {deviation}。",
    ),
    "scaling.share": Word("density", "密度"),
    "scaling.growth": Word("The variance grows as d", "方差随 d 增长"),
    "scaling.growth.name": Word(
        "Variance of the products over d, measured and by theory", "点积方差随 d 的变化：实测与理论"
    ),
    "scaling.variance": Word("variance of q · k", "q · k 的方差"),
    "scaling.measured": Word("measured", "实测"),
    "scaling.theory": Word("theory: d", "理论值：d"),
    "scaling.after": Word("measured, divided by √d", "实测，除以 √d 后"),
    "scaling.raw": Word("Softmax of q · k", "对 q · k 做 softmax"),
    "scaling.scaled": Word("Softmax of q · k / √{d}", "对 q · k / √{d} 做 softmax"),
    "scaling.raw.short": Word("not divided", "不除"),
    "scaling.scaled.short": Word("divided", "除以 √d"),
    "scaling.key": Word("key {n}", "键 {n}"),
    "scaling.averages": Word("averages over all queries", "全部查询的平均"),
    "scaling.largest": Word("largest weight p", "最大权重 p"),
    "scaling.entropy": Word("entropy, in nats", "熵（奈特）"),
    "scaling.gradient": Word("gradient p (1 − p)", "梯度 p (1 − p)"),
    "scaling.why": Word(
        "p (1 − p) is how much the largest weight still moves with its own score. Near 0 nothing "
        "is learned: that is why the paper divides (section 3.2.1).",
        "p (1 − p) 是最大权重随自身分数变化的快慢。接近 0 就学不到东西：这正是论文 3.2.1 "
        "节要做除法的原因。",
    ),
}
