"""The words of the exhibit `schedule`."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "schedule.title": Word("Learning rate", "学习率"),
    "schedule.about": Word(
        "How large each update is, and why the rate warms up.",
        "每次更新走多大一步，为什么要预热。",
    ),
    "schedule.lead": Word(
        "The learning rate is the size of each update's step. Halve the warm-up and watch the "
        "peak rise; drag across the chart to read off values.",
        "学习率决定每次更新迈多大的步子：预热时上升，之后下降。把预热步数减半，"
        "看看峰值升高多少；在图中拖动可读出数值。",
    ),
    "schedule.finding.peak": Word(
        "The paper's rate climbs for {warmup} updates, then falls as one over their square root.",
        "论文的学习率先升 {warmup} 次更新，然后按更新次数的平方根反比下降。",
    ),
    "schedule.finding.climbs": Word(
        "At update {update} the paper's rate still climbs; it has reached {share} of its peak.",
        "第 {update} 次更新时，论文的学习率还在上升，已到峰值的 {share}。",
    ),
    "schedule.finding.falls": Word(
        "At update {update} the paper's rate is falling; {share} of its peak is left.",
        "第 {update} 次更新时，论文的学习率正在下降，还剩峰值的 {share}。",
    ),
    "schedule.dModel": Word("d_model", "d_model（模型维度）"),
    "schedule.warmup": Word("warm-up updates", "预热步数"),
    "schedule.update": Word(
        "read at update",
        "在第几次更新读数",
    ),
    "schedule.base": Word(
        "Paper: base",
        "论文 base 模型",
    ),
    "schedule.big": Word(
        "Paper: big",
        "论文 big 模型",
    ),
    "schedule.ours": Word(
        "Shipped model",
        "本模型的尺寸",
    ),
    "schedule.key.paper": Word(
        "the paper's rule",
        "论文的公式",
    ),
    "schedule.key.shipped": Word(
        "this model's last run, as planned",
        "本模型的最后一次训练（按计划）",
    ),
    "schedule.key.epochs": Word(
        "recorded after each epoch",
        "训练中每轮记录的学习率",
    ),
    "schedule.epochs": Word("The shipped model's last run", "本模型的最后一次训练"),
    "schedule.epoch": Word("epoch", "轮次"),
    "schedule.recorded": Word("rate recorded", "记录的学习率"),
    "schedule.plan": Word("rate planned", "计划的学习率"),
    "schedule.rule": Word("the paper's rule", "论文的公式"),
    "schedule.taken": Word("end of its last run", "最后一次训练结束"),
    "schedule.updates": Word("update", "更新次数"),
    "schedule.rate": Word("learning rate × 1000", "学习率 × 1000"),
    "schedule.alternative": Word(
        "Learning rate over the updates. The paper's rule peaks at {peak} at update {warmup}; the "
        "shipped model's at {ours} at update {rise}, planned to reach 0 after update {planned}; its "
        "weights end at update {updates}.",
        "学习率随更新次数的变化。论文公式在第 {warmup} 次更新达到峰值 {peak}；"
        "本模型在第 {rise} 次达到峰值 {ours}，按计划到第 {planned} 次之后降到 0；权重截止到第 {updates} 次。",
    ),
    "schedule.paper.formula": Word(
        "The paper: lrate = d_model^−0.5 · min(n^−0.5, n · warmup^−1.5), at update n.",
        "论文：学习率 = d_model^−0.5 · min(n^−0.5, n · warmup^−1.5)，n 为更新次数。",
    ),
    "schedule.paper.numbers": Word(
        "n = {update}: {d_model}^−0.5 · min({update}^−0.5, {update} · {warmup}^−1.5) = "
        "{scale} · min({fall}, {rise}) = {rate}.",
        "n = {update}：{d_model}^−0.5 · min({update}^−0.5, {update} · {warmup}^−1.5) = "
        "{scale} · min({fall}, {rise}) = {rate}。",
    ),
    "schedule.rising": Word(
        "Still warming up: the second term is the smaller one and grows with n.",
        "仍在预热：第二项较小，并随 n 增大。",
    ),
    "schedule.peak": Word(
        "The peak: the warm-up is over, and both terms are equal.", "峰值：预热刚刚结束，两项相等。"
    ),
    "schedule.falling": Word(
        "Warmed up: the first term is the smaller one. Four times as many updates halve the rate.",
        "预热已结束：第一项较小。更新次数变为四倍，学习率减半。",
    ),
    "schedule.paper.peak": Word(
        "The peak is (d_model · warmup)^−0.5 = {peak}.", "峰值为 (d_model · warmup)^−0.5 = {peak}。"
    ),
    "schedule.shipped.rule": Word(
        "The shipped model: a linear rise to {ours_peak} in {ours_warmup} updates, then a linear "
        "fall, planned to reach 0 after update {planned}.",
        "本模型：用 {ours_warmup} 次更新线性升到 {ours_peak}，再线性下降；按计划到第 {planned} 次更新之后降到 0。",
    ),
    "schedule.shipped.level": Word(
        "The shipped model: a linear rise to {ours_peak} in {ours_warmup} updates, the same rate "
        "until update {level}, then a linear fall, planned to reach 0 after update {planned}. "
        "Counted from the beginning of its last run, which followed {before} updates; the dots are "
        "the rates actually used.",
        "本模型：用 {ours_warmup} 次更新线性升到 {ours_peak}，保持到第 {level} 次更新，再线性下降；按计划到第 "
        "{planned} 次更新之后降到 0。次数从最后一次训练开始算起，在它之前已有 {before} 次更新；"
        "圆点是实际用过的学习率。",
    ),
    "schedule.shipped.taken": Word(
        "The shipped weights end at update {updates}, epoch {epoch} of {epochs}; the rate was then "
        "{end}.",
        "发布的权重截止到第 {updates} 次更新（共 {epochs} 轮中的第 {epoch} 轮），当时学习率为 {end}。",
    ),
    "schedule.shipped.number": Word(
        "At update {update}: {ours}.", "第 {update} 次更新时为 {ours}。"
    ),
    "schedule.shipped.after": Word(
        "At update {update}, {ours} was planned; the shipped weights were taken before that.",
        "第 {update} 次更新在取出发布的权重之后，按计划学习率为 {ours}。",
    ),
    "schedule.shipped.over": Word(
        "By update {update} its training is over.", "到第 {update} 次更新时，它的训练已经结束。"
    ),
    "schedule.why": Word(
        "With a warm-up of {ours_warmup} updates, as here, the paper's rule would still be at "
        "{share} of its peak after {planned} updates; a linear fall ends at 0.",
        "若预热同样是 {ours_warmup} 步，按论文的公式，{planned} 次更新之后学习率仍有峰值的 {share}；"
        "线性下降则到 0 为止。",
    ),
    # what the proof does not compare
    "proved.question.schedule": Word("the learning rate", "学习率"),
}
