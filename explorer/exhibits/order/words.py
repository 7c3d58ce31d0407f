"""The words of the exhibit `order`."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "order.title": Word("No word order", "没有词序会怎样"),
    "order.about": Word(
        "What the model mixes up when words lose their positions.",
        "词失去位置之后，模型会弄混什么。",
    ),
    "order.lead": Word(
        "Remove, shuffle or shift the positions and compare with the normal run. Does the model "
        "still know who bit whom?",
        "去掉、打乱或平移位置编码，与正常运行比较。模型还分得清谁咬了谁吗？",
    ),
    "order.show": Word("Show", "显示"),
    "order.show.runs": Word("your sentence", "你的句子"),
    "order.show.pair": Word("who bit whom", "谁咬了谁"),
    "order.show.encoder": Word("encoder alone", "单看编码器"),
    "order.how.none": Word("Without positions", "去掉位置编码后"),
    "order.how.shuffled": Word("With shuffled positions", "打乱位置编码后"),
    "order.how.shifted": Word("With positions shifted by {n}", "位置编码平移 {n} 位后"),
    "order.finding.same": Word(
        "{how}, the translation stays; its log-prob goes from {before} to {after}.",
        "{how}，译文不变，它的对数概率从 {before} 变为 {after}。",
    ),
    "order.finding.other": Word(
        "{how}, the translation changes; the original's log-prob goes from {before} to {after}.",
        "{how}，译文变了：原译文的对数概率从 {before} 变为 {after}。",
    ),
    "order.finding.pair.other.alike": Word(
        "Without positions both sentences get the same translation; with positions the model "
        "tells them apart.",
        "去掉位置编码，两句得到同一个译文；加上位置编码，模型能区分两句。",
    ),
    "order.finding.pair.alike.alike": Word(
        "Even with positions this model gives both sentences the same translation.",
        "即使加上位置编码，这个模型也给两句同样的译文。",
    ),
    "order.finding.pair.other.other": Word(
        "With positions the model tells them apart; without, only rounding does.",
        "加上位置编码，模型能区分两句；去掉之后，差别只来自舍入误差。",
    ),
    "order.finding.pair.alike.other": Word(
        "With positions both get the same translation; without, only rounding tells them apart.",
        "加上位置编码，两句得到同样的译文；去掉之后，差别只来自舍入误差。",
    ),
    "order.finding.encoder": Word(
        "Without positions a moved word keeps its vector, to within {none}; with them it "
        "changes by up to {kept}.",
        "去掉位置编码，词换了位置，向量也不变（最多相差 {none}）；加上位置编码，变化可达 {kept}。",
    ),
    "order.kind": Word("Attention of the selected head", "所选的头的注意力"),
    "order.nothing": Word("(nothing)", "（空）"),
    "order.token": Word("token", "词元"),
    "order.positions": Word("Positions", "位置编码"),
    "order.positions.none": Word("none", "去掉"),
    "order.positions.shuffled": Word("shuffled", "打乱"),
    "order.positions.shifted": Word("shifted", "平移"),
    "order.sides": Word("Apply to", "作用于"),
    "order.sides.both": Word("source and target", "原文和译文"),
    "order.sides.source": Word("source", "原文"),
    "order.sides.target": Word("target", "译文"),
    "order.shift": Word("shift by", "平移几位"),
    "order.again": Word("Shuffle again", "再打乱一次"),
    "order.whole": Word("Use on the whole page", "应用到整个页面"),
    "order.undo": Word("Restore the page's positions", "恢复页面的位置编码"),
    "order.note.none": Word("The position vectors are zero.", "位置向量全部为零。"),
    "order.note.shuffled": Word(
        "The words stay; their position vectors are swapped. Only the source can be shuffled: "
        "it is complete from the start.",
        "词不动，只交换它们的位置向量。只能打乱原文，因为它一开始就是完整的。",
    ),
    "order.note.shifted": Word(
        "Each word gets the vector of a later position: distances stay, positions change. The "
        "model may never have seen positions that late in training.",
        "每个词都用更靠后的位置向量：相互距离不变，绝对位置改变。训练时模型可能从没见过这么靠后的"
        "位置。",
    ),
    "order.before": Word("original", "原模型"),
    "order.after": Word("modified", "改动后"),
    "order.change": Word("change", "变化"),
    "order.sum": Word(
        "log-prob {log_prob}, {n} {n|token|tokens}",
        "对数概率 {log_prob}，{n} 个词元",
    ),
    "order.original": Word("log-prob of the original tokens", "原译文各词元的对数概率"),
    "order.total": Word("sum", "合计"),
    "order.axes": Word(
        "Row: the word that reads. Column: the word that is read. Both runs are given the "
        "original tokens.",
        "行：正在读的词。列：被读的词。两次运行读入的都是原译文的词元。",
    ),
    "order.map.before": Word("original", "原模型"),
    "order.map.after": Word("modified", "改动后"),
    "order.map.change": Word("change: orange more, blue less", "变化：橙色为增，蓝色为减"),
    "order.cell": Word(
        "“{row}” reads “{column}”: {before} originally, {after} modified, change {change}",
        "“{row}”读“{column}”：原来 {before}，改动后 {after}，变化 {change}",
    ),
    "order.encoder.said": Word(
        "The same sentence is encoded twice, once in its own order and once in a random one; "
        "then the two vectors of each word are compared.",
        "同一句话编码两次：一次按原来的次序，一次按随机的次序；再比较每个词前后的两个向量。",
    ),
    "order.encoder.none": Word("without positions, largest difference", "不加位置编码，最大差别"),
    "order.encoder.kept": Word("with positions, largest difference", "加位置编码，最大差别"),
    "order.encoder.size": Word(
        "The numbers compared have a size of about {size} (root mean square). What remains "
        "without positions is float32 rounding.",
        "所比较的数值大小约为 {size}（均方根）。不加位置编码时剩下的差别只是 float32 的舍入误差。",
    ),
    "order.encoder.again": Word("Try another order", "换一种次序"),
    "order.pair.said": Word(
        "The same words in two orders. Only the source loses its positions; the decoder keeps its "
        "own.",
        "同样的词，两种次序。这里只去掉原文的位置编码，解码器保留自己的。",
    ),
    "order.pair.kept": Word("with positions", "加位置编码"),
    "order.pair.none": Word("without", "不加"),
    "order.tokens": Word(
        "The whole page already uses a modified model, so its tokens are not those of the "
        "original run. Restore the page's positions to compare token by token.",
        "整个页面正在使用改动后的模型，词元与原来的运行不同。请先恢复页面的位置编码，再逐个词元比"
        "较。",
    ),
}
