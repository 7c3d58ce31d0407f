"""The words of the exhibit `transplant`."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "view.transplant": Word("Transplant", "移植"),
    "transplant.title": Word("Transplant", "移植"),
    "transplant.about": Word(
        "Copy a state into another sentence: does its word follow?",
        "把一个状态移植到另一个句子里，看译文跟不跟着走。",
    ),
    "transplant.lead": Word(
        "Copy one state of the first sentence into the second; each cell shows how far the "
        "next word shifts towards the first sentence's. Then swap them: the reverse is a "
        "different question.",
        "把第一句的某一个状态移植到第二句里，每格表示下一个词向第一句靠近了多少。再把两句对调："
        "反过来是另一个问题。",
    ),
    "transplant.finding.top": Word(
        "{what} in any encoder layer: the next word moves {least} to {share} towards {token}.",
        "{what}，不论编码器哪一层，结果就向 {token} 靠近了 {least} 到 {share}。",
    ),
    "transplant.finding.top.whole": Word(
        "{what} in any encoder layer: the next word moves all the way to {token}.",
        "{what}就够了，编码器哪一层都行：模型转而倾向 {token}。",
    ),
    "transplant.finding.top.least": Word(
        "{what} in any encoder layer: the next word moves at least {least} towards {token}.",
        "{what}，不论编码器哪一层，结果至少向 {token} 靠近 {least}。",
    ),
    "transplant.finding.until.whole": Word(
        "{what}, up to encoder layer {n}, and the next word moves all the way to {token}.",
        "{what}就够了，但只到编码器第 {n} 层为止：模型转而倾向 {token}。",
    ),
    "transplant.finding.until": Word(
        "{what}, up to encoder layer {n}, and the next word moves {share} towards {token}.",
        "{what}，到编码器第 {n} 层为止，结果向 {token} 靠近 {share}。",
    ),
    "transplant.finding.spread": Word(
        "No single word is enough. {what}, and the next word moves furthest towards {token}: {share}.",
        "单独移植哪个词都不够。{what}走得最远，向 {token} 靠近了 {share}。",
    ),
    # the same word of both sentences, or one in the place of another
    "transplant.copied": Word("Copy {own} from the other sentence", "只移植 {own} 这一个状态"),
    "transplant.copied.over": Word(
        "Give {own} the numbers of {giver}", "只把 {giver} 的状态移植到 {own} 的位置上"
    ),
    "transplant.giver": Word("from", "取自"),
    "transplant.giver.example": Word("an example, from", "例句，取自"),
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
    "transplant.share": Word("share of the way", "靠近的比例"),
    "transplant.way": Word(
        "The way: the logit of {token} minus that of {other} is {giver} in the first sentence "
        "and {receiver} in the second, at the chosen step of the second translation (initially "
        "the step where the two sentences are furthest apart).",
        "全程：在第二句译文的所选步（一开始是两句相差最远的一步），"
        "{token} 与 {other} 的 logit 之差在第一句里是 {giver}，在第二句里是 {receiver}。",
    ),
    "transplant.map.says": Word(
        "Each cell: how much of the way is covered when only this state comes from the first "
        "sentence. 1 is all of it, 0 none; below 0 leads away, above 1 overshoots. The token "
        "after an arrow is the first sentence's. A head is copied at all positions.",
        "每格：只把这一个状态换成第一句的，走完全程的多少。1 是全程，0 是没动；"
        "小于 0 是反方向，大于 1 是走过头。箭头后面是第一句的词元。移植一个头时，"
        "所有位置一起移植。",
    ),
    "transplant.caveat": Word(
        "Both sentences need the same number of tokens. A large share means that this state is "
        "sufficient here, not that the model uses nothing else (Meng 2022; Zhang and Nanda "
        "2024).",
        "两句的词元数必须相同。比例大说明在这里有这个状态就够了，"
        "并不说明模型不用别的（Meng 2022；Zhang 与 Nanda 2024）。",
    ),
}
