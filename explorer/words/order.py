"""The words of the exhibit `order`."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "order.title": Word("Without order", "没有次序会怎样"),
    "order.lead": Word(
        "The running model without positions, with shuffled or with shifted ones, beside the run "
        "as it was. Choose a change, and click “The dog bit the man.” to see two sentences become "
        "one.",
        "把模型的位置编码去掉、打乱或平移，再与原来的运行并排比较。"
        "选择一种改动，并点选“The dog bit the man.”，看两个句子如何变成一个。",
    ),
    "order.positions": Word("Positions", "位置编码"),
    "order.positions.none": Word("none", "去掉"),
    "order.positions.shuffled": Word("shuffled", "打乱"),
    "order.positions.shifted": Word("shifted", "平移"),
    "order.sides": Word("where", "作用于"),
    "order.sides.both": Word("source and target", "原文和译文"),
    "order.sides.source": Word("source", "原文"),
    "order.sides.target": Word("target", "译文"),
    "order.shift": Word("places further on", "后移位数"),
    "order.again": Word("Another order", "换一种次序"),
    "order.whole": Word("Show it on the whole page", "应用到整个页面"),
    "order.undo": Word("Give the page its positions back", "恢复页面的位置编码"),
    "order.note.none": Word("The position vectors are zero.", "位置向量全部为零。"),
    "order.note.shuffled": Word(
        "The words stay; their position vectors trade places. Only a source, which is there as a "
        "whole, can be shuffled.",
        "词不动，只交换它们的位置向量。只有完整给出的原文可以打乱。",
    ),
    "order.note.shifted": Word(
        "Each word gets the vector of a place further on: distances stay, places do not. Longer "
        "sentences than in training are such places.",
        "每个词都用后面若干位的位置向量：相互距离不变，绝对位置改变。"
        "比训练句子更长的位置，模型没有见过。",
    ),
    "order.waiting": Word("The model is working.", "模型正在计算。"),
    "order.before": Word("before", "改动前"),
    "order.after": Word("after", "改动后"),
    "order.change": Word("change", "变化"),
    "order.sum": Word("log-prob {log_prob}, {n} tokens", "对数概率 {log_prob}，{n} 个词元"),
    "order.original": Word("log-prob of the original tokens", "原译文各词元的对数概率"),
    "order.total": Word("sum", "合计"),
    "order.other": Word(
        "The page itself shows a changed model; its tokens are not those of the run before. Give "
        "the page its positions back to compare token by token.",
        "页面本身正显示改动后的模型，词元与改动前不同。请先恢复页面的位置编码，再逐个词元比较。",
    ),
    "order.attention": Word("Attention: {head}", "注意力：{head}"),
    "order.axes": Word(
        "Row: the word that reads. Column: the word that is read. Both runs read and write the "
        "original tokens.",
        "行：去读的词。列：被读的词。两次运行读入和写出的都是原译文。",
    ),
    "order.map.before": Word("before", "改动前"),
    "order.map.after": Word("after", "改动后"),
    "order.map.change": Word(
        "change, −1 to 1: orange more, blue less", "变化（−1 到 1）：橙色为增，蓝色为减"
    ),
    "order.cell": Word(
        "“{row}” reads “{column}”: {before} before, {after} after, {change}",
        "“{row}”读“{column}”：改动前 {before}，改动后 {after}，变化 {change}",
    ),
    # encoder
    "order.encoder": Word("The encoder alone does not see order", "编码器本身看不出次序"),
    "order.encoder.said": Word(
        "The sentence is encoded twice, in its own order and in a drawn one; then each word is "
        "compared with itself.",
        "同一句话编码两次：一次按原来的次序，一次按随机抽取的次序；再把每个词与它自己相比。",
    ),
    "order.encoder.none": Word("without positions, largest difference", "不加位置编码，最大差别"),
    "order.encoder.kept": Word("with positions, largest difference", "加位置编码，最大差别"),
    "order.encoder.size": Word(
        "The numbers compared are of size {size} (root mean square). What is left without "
        "positions is the rounding of float32.",
        "所比较的数值大小约为 {size}（均方根）。不加位置编码时剩下的差别只是 float32 的舍入误差。",
    ),
    "order.encoder.again": Word("Draw another order", "再抽一种次序"),
    # pair
    "order.pair": Word("Who bit whom?", "谁咬了谁？"),
    "order.pair.said": Word(
        "The same words in two orders. Take away the positions of the source only; the decoder "
        "keeps its own.",
        "同样的词，两种次序。这里只去掉原文的位置编码，解码器保留自己的。",
    ),
    "order.pair.kept": Word("with positions", "加位置编码"),
    "order.pair.none": Word("without", "不加"),
    "order.pair.kept.other": Word(
        "With positions the two are told apart.", "加位置编码时，两句能够区分。"
    ),
    "order.pair.kept.alike": Word(
        "Even with positions this model gives the same translation.",
        "即使加上位置编码，这个模型也给出同样的译文。",
    ),
    "order.pair.none.alike": Word(
        "Without them both get the same translation.", "不加时，两句得到同一个译文。"
    ),
    "order.pair.none.other": Word(
        "Without them they differ only by how rounding falls.",
        "不加时，两句只因舍入不同而有差别。",
    ),
}
