"""The words of the exhibit `steps`."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "steps.title": Word("Step by step", "逐步解码"),
    "steps.lead": Word(
        "The decoder writes one token at a time: it reads what it has written so far, predicts the "
        "next token, and reads that one too. Step with the arrow keys.",
        "解码器一次写一个词元：先读已写出的部分，预测下一个词元，再把它也读进来。可用左右方向键前后移动。",
    ),
    "steps.now": Word("Step {n} of {count}", "第 {n} 步，共 {count} 步"),
    "steps.read": Word(
        "It has read the source, and of its own text", "它已读过原文，以及自己写出的"
    ),
    "steps.predicts": Word("It predicts", "它预测"),
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
        "and the prefix ends here; what follows is for you to choose.",
        "前缀到此为止，后面由你来选。",
    ),
    "steps.cut": Word("and is cut off: the length limit is reached.", "然后中断：已到长度上限。"),
    "steps.forced": Word("It was forced to.", "这是强制写出的。"),
    "steps.all": Word("All steps", "全部步骤"),
    "steps.step": Word("step", "步骤"),
    "steps.reads": Word("reads", "读入"),
    "steps.writes": Word("writes", "写出"),
    "steps.probability": Word("probability", "概率"),
    "steps.log_prob": Word("log-prob", "对数概率"),
    "steps.total": Word("sum so far", "累计"),
    "steps.sum.prefix": Word(
        "The log-probs of this prefix add up to {log_prob}; the score of a translation comes with "
        "its end.",
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
