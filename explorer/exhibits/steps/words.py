"""The words of the exhibit `steps`."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "steps.title": Word("Step by step", "逐步解码"),
    "steps.about": Word(
        "What the decoder reads and writes at each step.",
        "解码器每一步读什么、写什么。",
    ),
    "steps.lead": Word(
        "The decoder writes one token at a time, then reads it back to predict the next. Step "
        "through with the arrow keys.",
        "解码器一次写一个词元，再把它读进来，预测下一个。用左右方向键（或上方的箭头）前后移动。",
    ),
    "steps.finding": Word(
        "The model writes {token} ({p}); its second choice is {other} ({q}).",
        "模型写出 {token}（{p}）；第二选择是 {other}（{q}）。",
    ),
    "steps.finding.behind": Word(
        "{token} ({p}) is written, though {other} was likelier at this step ({q}).",
        "写出的是 {token}（{p}），虽然这一步 {other} 的概率更高（{q}）。",
    ),
    "steps.finding.forced": Word(
        "You made it write {token}: by itself it gave it {p}, and {other} {q}.",
        "{token} 是按要求写出的：模型自己只给它 {p}，给 {other} {q}。",
    ),
    "steps.finding.alone": Word("The model writes {token} ({p}).", "模型写出 {token}（{p}）。"),
    "steps.read": Word(
        "The decoder has read the source and its own text so far",
        "解码器读过原文，以及自己写出的",
    ),
    "steps.read.ahead": Word(
        "Without the causal mask, the decoder has read the source and its entire output",
        "没有因果掩码，解码器读过原文，以及整句译文",
    ),
    "steps.ahead": Word(
        "Probability and log-prob come from a pass that reads ahead; the sum comes from the "
        "search, which cannot read tokens that are not yet written.",
        "概率和对数概率来自能读到后文的一遍计算；“对数概率之和”来自搜索，"
        "搜索时读不到尚未写出的词元。",
    ),
    "steps.predicts": Word(
        "For the next token it predicts",
        "对下一个词元，它预测",
    ),
    "steps.back": Word("It writes", "它写出"),
    "steps.own": Word(
        "The model's own probabilities, before temperature, top-k and top-p.",
        "这是模型自身给出的概率，尚未经过温度、top-k 和 top-p。",
    ),
    "steps.chosen": Word("written", "写出"),
    "steps.rest": Word("all others", "其余全部"),
    "steps.goes": Word("and reads it at step {n}.", "并在第 {n} 步读入它。"),
    "steps.ends": Word("and stops: this is the end of the sentence.", "然后停止：这是句尾符。"),
    "steps.prefix": Word(
        "and the prefix ends here; you choose what follows.",
        "前缀到此为止，后面由你来选。",
    ),
    "steps.cut": Word(
        "and stops here: the text has reached its maximum length.",
        "然后中断：已到长度上限。",
    ),
    "steps.forced": Word("This token was forced by the prefix.", "这个词元由前缀强制写出。"),
    "steps.all": Word("All steps", "全部步骤"),
    "steps.all.bars": Word("Each step's token and its probability", "每一步写出的词元及其概率"),
    "steps.step": Word("step", "步骤"),
    "steps.reads": Word("reads", "读入"),
    "steps.writes": Word("writes", "写出"),
    "steps.probability": Word("probability", "概率"),
    "steps.log_prob": Word("log-prob", "对数概率"),
    "steps.total": Word(
        "sum of log-probs",
        "对数概率之和",
    ),
    "steps.sum.prefix": Word(
        "The log-probs of this prefix add up to {log_prob}; only a finished translation has a "
        "score.",
        "这个前缀的对数概率之和为 {log_prob}；译文写完才有得分。",
    ),
    "steps.sum.average": Word(
        "Score = {log_prob} / {n}^{alpha} = {score}: the sum of the log-probs, "
        "divided by the length ({n}) to the power of α ({alpha}).",
        "得分 = {log_prob} / {n}^{alpha} = {score}：对数概率之和，除以长度（{n}）的 α 次方"
        "（α = {alpha}）。",
    ),
    "steps.sum.gnmt": Word(
        "Score = {log_prob} / ((5 + {n}) / 6)^{alpha} = {score}: the sum of the log-probs, "
        "divided by the GNMT length penalty.",
        "得分 = {log_prob} / ((5 + {n}) / 6)^{alpha} = {score}：对数概率之和，除以 GNMT 长度惩罚。",
    ),
}
