"""The words of the exhibit `learn`."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "learn.title": Word("Heads learn", "看头学会注意"),
    "learn.lead": Word(
        "The same sentence, read by the model at points of its training, from random weights to "
        "what it is now. Press Play, and find the point at which the cross-attention heads first "
        "look at the word that is being translated.",
        "同一个句子，交给训练过程中不同时刻的模型来读：从随机权重，一直到现在。点“播放”，"
        "看看交叉注意力头是从什么时候起，开始注意正在翻译的那个词的。",
    ),
    "learn.way": Word("Share of the training", "训练进度"),
    "learn.play": Word("Play", "播放"),
    "learn.pause": Word("Pause", "暂停"),
    "learn.random": Word("random weights", "随机权重"),
    "learn.trained": Word("fully trained", "训练完成"),
    "learn.share": Word("{percent} % of the training", "训练了 {percent}%"),
    "learn.updates": Word("about {n} updates", "约 {n} 次更新"),
    "learn.updates.all": Word("{n} updates", "{n} 次更新"),
    "learn.finds": Word("log-prob {sum} · {mean} a token", "对数概率 {sum} · 每词元 {mean}"),
    "learn.waiting": Word("…", "……"),
    "learn.nothing": Word("(nothing written)", "（没有写出任何内容）"),
    "learn.rounded": Word(
        "In bold, what each writes itself (greedy). Log-probs and pictures are of the output on "
        "show, which each was made to write. Weights of all but the last are rounded to a byte "
        "each.",
        "粗体是各个时刻自己写出的译文（贪心）。对数概率和图都针对当前显示的译文：让每个模型都来写它。"
        "除最后一个外，权重都舍入到了一个字节。",
    ),
    "learn.none": Word(
        "This model came without checkpoints of its training; the shipped model has them.",
        "这个模型没有附带训练过程的检查点；自带的模型才有。",
    ),
    "learn.links": Word("Strongest now: {links}.", "现在最强的：{links}。"),
    "learn.link": Word("{row} reads {col} {weight}", "{row} 注意 {col} {weight}"),
    "learn.link.before": Word(
        "{row} reads {col} {weight} (before: {before})",
        "{row} 注意 {col} {weight}（之前 {before}）",
    ),
    "learn.comma": Word("; ", "；"),
}
