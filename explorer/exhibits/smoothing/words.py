"""The words of the exhibit `smoothing`."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "smoothing.title": Word("Label smoothing", "标签平滑"),
    "smoothing.about": Word(
        "What it rewards: a model that is not too sure.",
        "标签平滑奖励怎样的模型：不过于自信的模型。",
    ),
    "smoothing.lead": Word(
        "Suppose this token were correct: which logits would training raise or lower? Move ε, and "
        "see where a very sure model is pushed back.",
        "假设这个词元就是正确答案：训练会抬高哪些 logit，压低哪些？拖动 ε，看看过于自信的模型从哪里开始被往回推。",
    ),
    "smoothing.eps": Word("ε, probability shared by all tokens", "ε，平均分给全部词元的概率"),
    "smoothing.logits": Word("Logits of step {step}", "第 {step} 步的 logit"),
    "smoothing.formula": Word(
        "smooth = (1 − ε) · one-hot + ε / C = {keep} · one-hot + {eps} / {size}: {right} for "
        "the right token, {other} for each of the others.",
        "平滑目标 = (1 − ε) · 独热 + ε / C = {keep} · 独热 + {eps} / {size}："
        "正确词元为 {right}，其余每个为 {other}。",
    ),
    "smoothing.token": Word("token", "词元"),
    "smoothing.logit": Word("logit", "logit 值"),
    "smoothing.p": Word("p", "p"),
    "smoothing.target": Word("target", "目标"),
    "smoothing.gradient": Word(
        "gradient p − target (↑ raises its logit)", "梯度 p − 目标（↑ 抬高该 logit）"
    ),
    "smoothing.rest": Word("the other {count} together", "其余 {count} 个合计"),
    "smoothing.note": Word(
        "Training moves against the gradient: ↑ raises a logit, ↓ lowers it. These are the "
        "model's raw logits; the last row sums the {count} other tokens of the vocabulary.",
        "训练沿梯度的反方向走：↑ 表示抬高该 logit，↓ 表示压低。这里用的是模型的原始 logit，"
        "最后一行是词表中其余 {count} 个词元之和。",
    ),
    "smoothing.curve.with": Word("with this ε", "取当前 ε"),
    "smoothing.curve.without": Word("ε = 0", "ε = 0"),
    "smoothing.curve.now": Word("the model now: {p}", "模型现在：{p}"),
    "smoothing.curve.least": Word("lowest loss: {p}", "损失最小处：{p}"),
    "smoothing.odds": Word(
        "log-odds of the right token, ln (p / (1 − p))", "正确词元的对数几率 ln (p / (1 − p))"
    ),
    "smoothing.loss": Word("loss", "损失"),
    "smoothing.chart.alternative": Word(
        "Loss against the log-odds of the right token. The model is at {p}; with smoothing the "
        "loss is lowest at {best}.",
        "损失随正确词元对数几率的变化。模型现在是 {p}；有平滑时，损失在 {best} 处最小。",
    ),
    "smoothing.verdict.none": Word(
        "Without smoothing, no probability is high enough: {token} at {p} is still pushed up.",
        "不做平滑时，多大的概率都不够：{token} 已有 {p}，仍被往上推。",
    ),
    "smoothing.verdict.over": Word(
        "Training wants {best} for the right word, never all; {token} has {p} and is pushed down.",
        "训练只想给正确的词 {best}，不给全部；{token} 的概率是 {p}，会被往下压。",
    ),
    "smoothing.verdict.equal": Word(
        "{token} has {p}, just what training wants for the right word: it stays there.",
        "{token} 的概率是 {p}，正好是目标：训练不再推动它。",
    ),
    "smoothing.verdict.under": Word(
        "Training wants {best} for the right word, never all; {token} has {p} and is pushed up.",
        "训练想给正确的词 {best}，不给全部；{token} 的概率是 {p}，会被往上推。",
    ),
    "smoothing.gap": Word(
        "The loss here is {loss}. It is lowest at p = {best}; if all other logits were equal, the "
        "right one would be {gap} higher there.",
        "此处的损失为 {loss}，在 p = {best} 时最小；假如其余 logit 彼此相等，那时正确词元的 logit 比它们高出 {gap}。",
    ),
    "smoothing.steps": Word("All steps of the sentence", "整句的所有步骤"),
    "smoothing.step": Word("step", "步骤"),
    "smoothing.writes": Word("writes", "写出"),
    "smoothing.plain": Word("loss, ε = 0", "损失，ε = 0"),
    "smoothing.smoothed": Word("loss, this ε", "损失，当前 ε"),
    "smoothing.sum": Word(
        "Mean loss: {plain} without smoothing, {smoothed} with it. At {over} of {count} steps the "
        "model is more certain than the smoothed target.",
        "平均损失：不平滑为 {plain}，平滑后为 {smoothed}。{count} 步中有 {over} 步，模型比平滑目标更自信。",
    ),
}
