"""The words of the exhibit `schedule`."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "schedule.title": Word("Learning rate", "学习率"),
    "schedule.lead": Word(
        "How large a step each update takes: it rises while the model warms up, then falls. Halve "
        "the warm-up and see how much higher the peak gets; drag in the picture to read a number.",
        "每次更新迈多大的步子：预热时上升，之后下降。把预热步数减半，看看峰值升高多少；在图中拖动可读出数值。",
    ),
    "schedule.d_model": Word("d_model", "d_model（模型维度）"),
    "schedule.warmup": Word("warm-up updates", "预热步数"),
    "schedule.update": Word("read at update", "读数位置（第几次更新）"),
    "schedule.base": Word("The paper's base model", "论文的 base 模型"),
    "schedule.big": Word("The paper's big model", "论文的 big 模型"),
    "schedule.ours": Word("The shipped model's sizes", "本模型的尺寸"),
    "schedule.key.paper": Word("the paper's rule", "论文的公式"),
    "schedule.key.shipped": Word("the shipped model's rule", "本模型的公式"),
    "schedule.key.epochs": Word("its recorded rate, epoch by epoch", "训练中每轮记录的学习率"),
    "schedule.updates": Word("update", "更新次数"),
    "schedule.rate": Word("learning rate × 1000", "学习率 × 1000"),
    "schedule.alternative": Word(
        "Learning rate over the updates. The paper's rule peaks at {peak} at update {warmup}; the "
        "shipped model's at {ours} at update {rise} and ends at update {updates}.",
        "学习率随更新次数的变化。论文公式在第 {warmup} 次更新达到峰值 {peak}；"
        "本模型在第 {rise} 次达到峰值 {ours}，到第 {updates} 次结束。",
    ),
    "schedule.paper": Word("The paper", "论文"),
    "schedule.paper.formula": Word(
        "lrate = d_model^−0.5 · min(n^−0.5, n · warmup^−1.5), at update n.",
        "学习率 = d_model^−0.5 · min(n^−0.5, n · warmup^−1.5)，n 为更新次数。",
    ),
    "schedule.paper.numbers": Word(
        "n = {update}: {d_model}^−0.5 · min({update}^−0.5, {update} · {warmup}^−1.5) = "
        "{scale} · min({fall}, {rise}) = {rate}.",
        "n = {update}：{d_model}^−0.5 · min({update}^−0.5, {update} · {warmup}^−1.5) = "
        "{scale} · min({fall}, {rise}) = {rate}。",
    ),
    "schedule.rising": Word(
        "Still warming up: the second term is the smaller one, and grows with n.",
        "仍在预热：第二项较小，并随 n 增大。",
    ),
    "schedule.falling": Word(
        "Warmed up: the first term is the smaller one. Four times as many updates halve the rate.",
        "预热已结束：第一项较小。更新次数变为四倍，学习率减半。",
    ),
    "schedule.paper.peak": Word(
        "The peak is (d_model · warmup)^−0.5 = {peak}.", "峰值为 (d_model · warmup)^−0.5 = {peak}。"
    ),
    "schedule.shipped": Word("The shipped model", "本模型"),
    "schedule.shipped.rule": Word(
        "A linear rise to {ours_peak} in {ours_warmup} updates, then a linear fall to 0 after "
        "{updates}.",
        "用 {ours_warmup} 次更新线性升到 {ours_peak}，再线性降到 0，共 {updates} 次更新。",
    ),
    "schedule.shipped.number": Word(
        "At update {update}: {ours}.", "第 {update} 次更新时为 {ours}。"
    ),
    "schedule.shipped.over": Word(
        "At update {update} its training was over.", "到第 {update} 次更新时，它的训练早已结束。"
    ),
    "schedule.why": Word(
        "The inverse square root falls too slowly for a run this short. The points lie a little "
        "above the line before update 2,050: until then the run was planned to be longer.",
        "平方根倒数对这么短的训练来说降得太慢。第 2,050 次更新之前的点略高于直线，因为当时计划训练得更久。",
    ),
}
