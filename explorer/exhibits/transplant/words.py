"""The words of the exhibit `transplant`."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "transplant.title": Word("Transplant", "移植"),
    "transplant.about": Word(
        "Copy one state of a sentence into another, and see how far the translation follows.",
        "把一个句子的某个状态移植到另一个句子里，看译文跟着走多远。",
    ),
    "transplant.lead": Word(
        "One state of the first sentence is copied into the run of the second, and the cell tells "
        "how far the next word goes the first one's way. Swap the sentences: the other direction is "
        "another question.",
        "把第一句的某一个状态移植到第二句的计算里，格子里是下一个词朝第一句走了多远。"
        "再把两句对调：反过来是另一个问题。",
    ),
    "transplant.finding.top": Word(
        "In every encoder layer {word} alone carries {share} of the way to {token}.",
        "单凭 {word} 这一个状态就走完通向 {token} 的 {share}，编码器各层都是如此。",
    ),
    "transplant.finding.until": Word(
        "Up to encoder layer {n}, and no further, {word} alone carries {share} of the way to {token}.",
        "单凭 {word} 这一个状态就走完通向 {token} 的 {share}，但过了编码器第 {n} 层就不行了。",
    ),
    "transplant.finding.spread": Word(
        "No single state carries the way to {token}: at most {share}, the one of {word}.",
        "没有哪个状态能单独通向 {token}：最多的是 {word}，占 {share}。",
    ),
    "transplant.giver": Word("from", "取自"),
    "transplant.receiver": Word("into", "移植到"),
    "transplant.example": Word("Example", "例子"),
    "transplant.own": Word("your own sentences", "自己的句子"),
    "transplant.swap": Word("Swap the sentences", "对调两句"),
    "transplant.step": Word("Step", "步"),
    "transplant.step.n": Word("{n}: {own} or {other}", "{n}：{own} 还是 {other}"),
    "transplant.what": Word("Copy", "移植"),
    "transplant.what.states": Word("one state", "一个状态"),
    "transplant.what.heads": Word("one head", "一个头"),
    "transplant.encoder": Word("Encoder states", "编码器状态"),
    "transplant.decoder": Word("Decoder states", "解码器状态"),
    "transplant.layer.n": Word("layer {n}", "第 {n} 层"),
    "transplant.layer.input": Word("input", "输入"),
    "transplant.whole": Word("1: the whole way", "1：全程"),
    "transplant.states": Word("Every state", "全部状态"),
    "transplant.heads": Word("Every head", "全部的头"),
    "transplant.stack": Word("stack", "部分"),
    "transplant.layer": Word("layer (0: input)", "层（0：输入）"),
    "transplant.position": Word("position", "位置"),
    "transplant.token": Word("token", "词元"),
    "transplant.kind": Word("kind", "种类"),
    "transplant.head": Word("head", "头"),
    "transplant.share": Word("share of the way", "走完的比例"),
    "transplant.way": Word(
        "The way: the logit of {token} minus that of {other} is {giver} in the first sentence and "
        "{receiver} in the second, at the chosen step of the second translation; at first the one at "
        "which the two sentences are furthest apart.",
        "全程：在第二句译文的所选步（一开始是两句相差最远的一步），{token} 与 {other} 的 logit 之差在第一句里是 {giver}，"
        "在第二句里是 {receiver}。",
    ),
    "transplant.map.says": Word(
        "A cell: how much of the way is gone when this state alone comes from the first sentence. 1 "
        "is all of it, 0 nothing; less than 0 leads away, more than 1 beyond. A token behind an "
        "arrow is the first sentence's. Of a head, all positions are copied.",
        "一格：只把这一个状态换成第一句的，走完了多少。1 是全程，0 是没动；小于 0 是反方向，大于 1 是走过头。"
        "箭头后面是第一句的词元。头则是在所有位置上移植。",
    ),
    "transplant.caveat": Word(
        "Both sentences need as many tokens. A large share says that this state is enough here, and "
        "not that the model uses nothing else (Meng 2022; Zhang and Nanda 2024).",
        "两句的词元数必须相同。比例大说明在这里有这个状态就够了，"
        "并不说明模型不用别的（Meng 2022；Zhang 与 Nanda 2024）。",
    ),
}
