"""The words of the exhibit `learn`."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "learn.title": Word("Watch heads learn", "注意力是怎样学会的"),
    "learn.about": Word(
        "When in training a head finds the word it should read.",
        "训练到什么时候，头才找到该读的词。",
    ),
    "learn.lead": Word(
        "The same sentence, read by checkpoints from random weights to the finished model. "
        "Press Play: when do cross-attention heads find the word being translated?",
        "同一个句子，由训练各个时刻的检查点来读：从随机权重一直到训练完成。点“播放”，看交叉注"
        "意力头从什么时候起找到正在翻译的词。",
    ),
    "learn.way": Word("Share of the training", "训练进度"),
    "learn.play": Word("Play", "播放"),
    "learn.pause": Word("Pause", "暂停"),
    "learn.random": Word("random weights", "随机权重"),
    "learn.trained": Word("fully trained", "训练完成"),
    "learn.share": Word("{percent} % of training", "训练了 {percent}%"),
    "learn.updates": Word("about {n} updates", "约 {n} 次更新"),
    "learn.updates.all": Word("{n} updates", "{n} 次更新"),
    "learn.finds": Word(
        "the page's translation: log-prob {sum} · {mean} per token (geometric mean)",
        "页面上的译文：对数概率之和 {sum} · 每个词元 {mean}（几何平均）",
    ),
    "learn.original": Word(
        "These are the model as it was trained; the page's modifications are not made here.",
        "这里都是训练所得的原模型，不含页面上的改动。",
    ),
    "learn.waiting": Word("…", "……"),
    "learn.nothing": Word("(nothing written)", "（没有写出任何内容）"),
    "learn.rounded": Word(
        "Bold: what that checkpoint writes on its own (greedy). Maps and log-probs: the same "
        "checkpoint made to write the final translation. All checkpoints but the last are "
        "stored with weights rounded to a byte.",
        "粗体：该检查点自己写出的译文（贪心）。图和对数概率：让同一检查点去写最终译文。除最后"
        "一个外，检查点的权重都舍入到一个字节。",
    ),
    "learn.none": Word(
        "This model has no checkpoints from its training; the model that comes with "
        "Headlight has them.",
        "这个模型没有训练过程的检查点；Headlight 自带的模型才有。",
    ),
    "learn.links": Word("Strongest now: {links}.", "现在最强的：{links}。"),
    "learn.link": Word("{row} reads {col} {weight}", "{row} 读 {col} {weight}"),
    "learn.link.before": Word(
        "{row} reads {col} {weight} (before: {before})", "{row} 读 {col} {weight}（之前 {before}）"
    ),
    "learn.comma": Word("; ", "；"),
}
