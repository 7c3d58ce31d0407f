"""The words of the exhibit `cost`."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "view.cost": Word("What it costs", "计算量"),
    "cost.title": Word("What it costs", "计算量"),
    "cost.about": Word(
        "When attention costs more than the rest of a layer.",
        "什么时候注意力比一层的其余部分更费算力。",
    ),
    "cost.lead": Word(
        "How much one encoder layer computes: attention grows with the square of the sentence "
        "length, projections with the square of d. Move N and d.",
        "一个编码器层要算多少：注意力随句长的平方增长，投影随维数的平方增长。拖动 N 和 d，"
        "看哪一部分占大头。",
    ),
    "cost.finding.below": Word(
        "At {n} tokens attention is {share} of a layer's work; in longer texts it becomes "
        "the larger part.",
        "{n} 个词元时，注意力占一层计算量的 {share}；文本更长时，它会成为大头。",
    ),
    "cost.finding.above": Word(
        "At {n} tokens attention is already {share} of a layer's work.",
        "{n} 个词元时，注意力已占一层计算量的 {share}。",
    ),
    "cost.n": Word("N, tokens", "N：词元数"),
    "cost.d": Word("d, d_model", "d：d_model（维数）"),
    "cost.factor": Word("d_ff / d", "d_ff / d"),
    "cost.note": Word(
        "Only multiply-adds are counted (one product, added to a sum). Softmax, LayerNorm, "
        "biases and residual sums are left out, because they have no second factor d.",
        "只统计乘加运算（一次乘、一次加）。softmax、LayerNorm、偏置和残差相加不计，"
        "它们没有第二个因子 d。",
    ),
    "cost.counted": Word("Counted", "理论计数"),
    "cost.measured": Word("Measured", "实测"),
    "cost.plot.name": Word(
        "Multiply-adds against the number of tokens, both axes logarithmic",
        "乘加次数随词元数的变化（双对数坐标）",
    ),
    "cost.axis.n": Word("N, tokens", "N（词元数）"),
    "cost.axis.count": Word("multiply-adds", "乘加次数"),
    "cost.axis.time": Word("milliseconds", "毫秒"),
    "cost.attention": Word("attention: Q Kᵀ and weights × V", "注意力：Q Kᵀ 与 权重 × V"),
    "cost.projections": Word("projections W_Q, W_K, W_V, W_O", "投影 W_Q、W_K、W_V、W_O"),
    "cost.feed_forward": Word("feed-forward", "前馈网络"),
    "cost.attention.formula": Word("2 N² d", "2 N² d"),
    "cost.projections.formula": Word("4 N d²", "4 N d²"),
    "cost.feed_forward.formula": Word("2 N d d_ff", "2 N d d_ff"),
    "cost.plain": Word("N² d and N d², which meet at N = d", "N² d 与 N d²，相交于 N = d"),
    "cost.all": Word("the whole layer", "整层"),
    "cost.head.part": Word("N = {n}, d = {d}", "N = {n}，d = {d}"),
    "cost.formula": Word("formula", "公式"),
    "cost.count": Word("multiply-adds", "乘加次数"),
    "cost.share": Word("share", "占比"),
    "cost.crossing": Word(
        "N² d = N d² at N = d = {plain}. As counted here, attention takes as much as the "
        "projections at N = 2d = {projections}, and as much as all the rest of the layer at N = "
        "2d + d_ff = {layer}.",
        "N² d = N d² 出现在 N = d = {plain}。按这里的统计，注意力在 N = 2d = {projections} 时与投"
        "影相当，在 N = 2d + d_ff = {layer} 时与该层其余部分相当。",
    ),
    "cost.machine": Word(
        "The first encoder layer of the running model on this machine ({device}): d_model {d}, "
        "{heads} {heads|head|heads}, d_ff {dff}; the minimum of several runs, because other "
        "load only adds time. Points depart from the curve because of the machine: starting an "
        "operation takes time, and large products run more efficiently than small ones.",
        "在这台机器（{device}）上运行的模型的第一个编码器层：d_model {d}，{heads} 个头，"
        "d_ff {dff}；每个长度取多次中最快的一次，因为别的负载只会让时间变长。"
        "点偏离曲线是机器造成的：启动一次运算要时间，大矩阵相乘的效率也高于小矩阵。",
    ),
    "cost.times.name": Word(
        "Measured milliseconds against the number of tokens, both axes logarithmic",
        "实测毫秒数随词元数的变化（双对数坐标）",
    ),
    "cost.dots": Word("measured", "实测"),
    "cost.curve": Word(
        "counted multiply-adds, scaled to the longest sentence",
        "理论乘加次数，按最长的句子对齐",
    ),
    "cost.time": Word("time", "时间"),
    # what the proof does not compare
    "proved.question.cost": Word("measured times", "测得的时间"),
}
