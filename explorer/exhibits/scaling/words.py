"""The words of the exhibit `scaling`."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "scaling.title": Word("Why √d_k", "为什么除以 √d_k"),
    "scaling.about": Word(
        "Why scores are divided by the square root of d.", "分数为什么要除以 d 的平方根。"
    ),
    "scaling.lead": Word(
        "Random queries and keys: as d grows, so do their products, and softmax picks one key. "
        "Move d; compare with and without dividing by √d.",
        "随机的查询和键：维数 d 越大，点积越大，softmax 就几乎只选一个键。"
        "拖动 d，比较除与不除 √d 时的权重。",
    ),
    "scaling.finding.weights": Word(
        "Without dividing by √d one key takes {raw} of this query's attention; divided, {scaled}.",
        "不除以 √d，一个键占去这个查询 {raw} 的注意力；除以之后占 {scaled}。",
    ),
    "scaling.finding.spread": Word(
        "The products spread out: at d = {d} their variance is {variance}.",
        "点积分散得很开：d = {d} 时，方差是 {variance}。",
    ),
    "scaling.finding.growth": Word(
        "The variance grows with the dimension: at d = {d} it is {variance}.",
        "方差随维数增大：d = {d} 时是 {variance}。",
    ),
    "scaling.show": Word("Show", "显示"),
    "scaling.show.weights": Word("weights", "权重"),
    "scaling.show.spread": Word("spread", "分布"),
    "scaling.show.growth": Word("variance", "方差"),
    "scaling.size": Word("d, length of the vectors", "d：向量的维数"),
    "scaling.queries": Word("products sampled", "抽取的点积个数"),
    "scaling.seed": Word("seed", "随机种子"),
    "scaling.query": Word("query shown", "显示第几个查询"),
    "scaling.query.one": Word("for query {n}", "第 {n} 个查询"),
    "scaling.note": Word(
        "Normally distributed numbers with mean 0 and variance 1, {keys} keys for each query. "
        "These vectors are random, not the model's; the same seed gives the same ones.",
        "均值为 0、方差为 1 的正态随机数，每个查询 {keys} 个键。这些向量是随机的，不是模型的；"
        "种子相同，结果就相同。",
    ),
    "scaling.spread.name": Word(
        "Histogram of the products, and the normal curve of variance d",
        "点积的直方图，以及方差为 d 的正态曲线",
    ),
    "scaling.spread.said": Word(
        "Line: {count} products, variance {measured}. Dashes: the normal curve of variance "
        "d = {d}, standard deviation √d = {deviation}.",
        "实线：{count} 个点积，方差 {measured}。虚线：方差为 d = {d} 的正态曲线，"
        "标准差 √d = {deviation}。",
    ),
    "scaling.share": Word("density", "密度"),
    "scaling.normal": Word("normal curve", "正态曲线"),
    "scaling.growth": Word("The variance grows with d", "方差随 d 增长"),
    "scaling.growth.name": Word(
        "Variance of the products against d, measured and in theory",
        "点积方差随 d 的变化：实测与理论",
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
        "p (1 − p) is how fast the largest weight changes with its own score. Near 0, almost "
        "nothing is learned: that is why the paper divides (section 3.2.1).",
        "p (1 − p) 是最大权重随自身分数变化的快慢。接近 0 就学不到东西：这正是论文 3.2.1 "
        "节要做除法的原因。",
    ),
}
