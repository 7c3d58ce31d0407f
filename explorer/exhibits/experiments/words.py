"""The words of the exhibit `experiments`."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "view.experiments": Word("Break the model", "改坏模型"),
    "experiments.title": Word("Break the model", "改动模型试试"),
    "experiments.about": Word(
        "What becomes of the translation without some parts.",
        "关掉一些部件，或去掉词序，译文会变成什么样。",
    ),
    "experiments.lead": Word(
        "Break the model and compare it with the original: start a ready-made experiment, or click "
        "a head to switch it off. Without positions, does it still know who bit whom?",
        "把模型改坏，再与原模型比较：可以选一个现成的实验，也可以点一个头把它关掉。去掉位置编码，它还分得清"
        "谁咬了谁吗？",
    ),
    "experiments.finding.none": Word(
        "Nothing is changed: both are the same model.", "还没有任何改动：两边是同一个模型。"
    ),
    "experiments.finding.same": Word(
        "{what}, it writes the same, but {token} goes from {from} to {to}.",
        "{what}，译文不变，但 {token} 的概率从 {from} 变为 {to}。",
    ),
    "experiments.finding.equal": Word(
        "{what}, nothing happens: it writes the same words, just as surely.",
        "{what}，什么也没发生：译文不变，把握也不变。",
    ),
    "experiments.finding.distances": Word(
        "{what}, nothing changes: this model knows only how far apart words stand.",
        "{what}，什么也没变：本模型只知道词与词相距多远。",
    ),
    "experiments.finding.placeless": Word(
        "{what}, nothing changes: this model has no positions.",
        "{what}，什么也没变：本模型没有位置编码。",
    ),
    "experiments.finding.unscaled": Word(
        "{what}, nothing changes: this model never divides its scores.",
        "{what}，什么也没变：本模型的分数从来不除以 √d_k。",
    ),
    "experiments.finding.ahead": Word(
        "{what}, it writes the same; read in one go, {token} goes from {from} to {to}.",
        "{what}，逐词写出时译文不变；一次读完整句，{token} 的概率从 {from} 变为 {to}。",
    ),
    "experiments.finding.empty": Word(
        "{what}, it writes nothing at all.", "{what}，它什么也没写出来。"
    ),
    "experiments.finding.repeats": Word(
        "{what}, it gets stuck and writes {part} {n} times.",
        "{what}，它卡住了，把 {part} 写了 {n} 次。",
    ),
    "experiments.finding.ends": Word(
        "{what}, it stops early and leaves out {less}.",
        "{what}，它提前停下，漏了 {less}。",
    ),
    "experiments.finding.adds": Word("{what}, it adds {more}.", "{what}，它多写了 {more}。"),
    "experiments.finding.continues": Word(
        "{what}, it does not stop and goes on with {more}.",
        "{what}，它没有停下，接着写了 {more}。",
    ),
    "experiments.finding.loses": Word("{what}, it leaves out {less}.", "{what}，它漏了 {less}。"),
    "experiments.finding.both": Word(
        "{what}, it leaves out {less} and adds {more}.",
        "{what}，它漏了 {less}，又多写了 {more}。",
    ),
    "experiments.finding.replaces": Word(
        "{what}, {old} becomes {now}.", "{what}，{old} 变成了 {now}。"
    ),
    "experiments.finding.several": Word(
        "{what}, several words change: {old} becomes {now}.",
        "{what}，好几个词都变了：{old} 变成了 {now}。",
    ),
    "experiments.finding.order": Word(
        "{what}, it writes the same words in another order.",
        "{what}，词还是那些词，次序却变了。",
    ),
    "experiments.finding.marks": Word(
        "{what}, only the punctuation changes.", "{what}，只有标点变了。"
    ),
    "experiments.finding.other": Word(
        "{what}, it writes another sentence: {text}",
        "{what}，它写出了另一句话：{text}",
    ),
    # what was broken
    "experiments.broken.head": Word(
        "Without {kind} head {layer}·{head}",
        "关闭{kind}头 {layer}·{head} 后",
    ),
    "experiments.broken.heads": Word("Without {n} heads", "关闭 {n} 个头后"),
    "experiments.broken.layer": Word(
        "Without cross-attention in layer {n}", "第 {n} 层没有交叉注意力时"
    ),
    "experiments.broken.layers": Word(
        "Without cross-attention in {n} layers", "{n} 层没有交叉注意力时"
    ),
    "experiments.broken.causal_mask": Word("Without the causal mask", "去掉因果掩码后"),
    "experiments.broken.visible": Word("Without the padding mask", "去掉填充掩码后"),
    "experiments.broken.masked": Word(
        "With {n} masked pad {n|token|tokens}", "加上 {n} 个有掩码的填充符后"
    ),
    "experiments.broken.cells": Word("With {n} mask {n|cell|cells} changed", "改动 {n} 个掩码格后"),
    "experiments.broken.scaling": Word("Without dividing by √d_k", "不除以 √d_k 时"),
    "experiments.broken.none": Word("Without positions{side}", "去掉位置编码{side}后"),
    "experiments.broken.shuffled": Word("With shuffled positions{side}", "打乱位置编码{side}后"),
    "experiments.broken.shifted": Word(
        "With positions shifted by {shift}{side}",
        "位置编码平移 {shift} 位{side}后",
    ),
    "experiments.broken.source": Word(" (source)", "（原文）"),
    "experiments.broken.target": Word(" (target)", "（译文）"),
    "experiments.and": Word(" and ", "、"),
    "experiments.finding.pair.other.alike": Word(
        "The original model tells the two sentences apart; the changed one translates both alike.",
        "原模型能区分这两句；改动后的模型把两句译得一样。",
    ),
    "experiments.finding.pair.none": Word(
        "Without positions both sentences get the same translation; with them it knows who "
        "did what.",
        "去掉位置编码，两句的译文一样；加上位置编码，模型知道谁做了什么。",
    ),
    "experiments.finding.pair.other.other": Word(
        "Both models translate the two sentences differently.",
        "两个模型都把这两句译得不一样。",
    ),
    "experiments.finding.pair.alike.alike": Word(
        "Both models translate the two sentences alike.",
        "两个模型都把这两句译得一样。",
    ),
    "experiments.finding.pair.alike.other": Word(
        "The original model translates both sentences alike; the changed one does not.",
        "原模型把两句译得一样，改动后的模型却不一样。",
    ),
    "experiments.finding.encoder.none": Word(
        "Without positions, moving a word changes nothing: the encoder sees a bag of words.",
        "去掉位置编码，词换了位置也毫无变化：编码器看到的只是一袋词。",
    ),
    "experiments.finding.encoder": Word(
        "A moved word's vector changes by up to {before} in the original model, {after} in "
        "the changed one.",
        "词换了位置，它的向量在原模型里最多变化 {before}，改动后最多变化 {after}。",
    ),
    "experiments.show": Word("Show", "显示"),
    "experiments.show.tokens": Word("tokens", "词元"),
    "experiments.show.next": Word("next token", "下一个词元"),
    "experiments.show.attention": Word("attention", "注意力"),
    "experiments.show.paint": Word("paint a mask", "修改掩码"),
    "experiments.show.pair": Word("who bit whom", "谁咬了谁"),
    "experiments.show.encoder": Word("shuffled words", "打乱的词"),
    "experiments.start.none": Word("nothing changed", "没有改动"),
    "experiments.start.own": Word("your own", "自选的改动"),
    "experiments.model": Word("model", "模型"),
    "experiments.place": Word("rank", "名次"),
    "experiments.id": Word("id", "编号"),
    "experiments.log_prob": Word("log-prob", "对数概率"),
    # one click
    "experiments.starts": Word("Ready-made experiments", "现成的实验"),
    "experiments.start.cheat": Word("No causal mask", "没有因果掩码"),
    "experiments.start.leak": Word("No padding mask", "没有填充掩码"),
    "experiments.start.blind": Word("Last layer blind", "最后一层不看原文"),
    "experiments.start.unscaled": Word("No √d_k", "不除以 √d_k"),
    "experiments.start.unordered": Word("No positions", "没有位置编码"),
    "experiments.start.shuffled": Word("Mixed positions", "打乱位置编码"),
    "experiments.start.shifted": Word("Shifted positions", "平移位置编码"),
    "experiments.start.pair": Word("Who bit whom?", "谁咬了谁？"),
    "experiments.start.encoder": Word("Shuffled words", "打乱词序"),
    # what is changed
    "experiments.clear": Word("Clear", "清空"),
    "experiments.layer": Word("layer {n}", "第 {n} 层"),
    "experiments.head": Word(
        "Switch off: {kind}, layer {layer}, head {head}",
        "关闭：{kind}，第 {layer} 层第 {head} 个头",
    ),
    "experiments.head.worth": Word(
        "Switch off: {kind}, layer {layer}, head {head}; on its own this changes the log-prob by "
        "{change}",
        "关闭：{kind}，第 {layer} 层第 {head} 个头；单独关闭时对数概率变化 {change}",
    ),
    "experiments.all": Word("all", "整层"),
    "experiments.layer.off": Word(
        "Switch off all cross-attention of layer {n}, including its bias",
        "关闭第 {n} 层的全部交叉注意力，连同偏置",
    ),
    "experiments.masks": Word("Masks and scaling", "掩码与缩放"),
    "experiments.mask.causal_mask": Word("causal mask", "因果掩码"),
    "experiments.mask.padding_mask": Word("padding mask", "填充掩码"),
    "experiments.mask.padding": Word("pad tokens", "填充符"),
    "experiments.mask.padding.where": Word("How many, after the source", "原文后面加几个"),
    "experiments.mask.scaling": Word("scores ÷ √d_k", "分数 ÷ √d_k"),
    "experiments.positions": Word("Positions", "位置编码"),
    "experiments.positions.kept": Word("as they are", "不变"),
    "experiments.positions.none": Word("none", "去掉"),
    "experiments.positions.shuffled": Word("shuffled", "打乱"),
    "experiments.positions.shifted": Word("shifted", "平移"),
    "experiments.sides": Word("Apply to", "作用于"),
    "experiments.sides.both": Word("source and target", "原文和译文"),
    "experiments.sides.source": Word("source", "原文"),
    "experiments.sides.target": Word("target", "译文"),
    "experiments.shift": Word("shift by", "平移几位"),
    "experiments.again": Word("Shuffle again", "再打乱一次"),
    "experiments.note.none": Word("The position vectors are zero.", "位置向量全部为零。"),
    "experiments.note.shuffled": Word(
        "The words stay; their position vectors are swapped. Only the source can be shuffled: "
        "it is complete from the start.",
        "词不动，只交换它们的位置向量。只能打乱原文，因为它一开始就是完整的。",
    ),
    "experiments.note.shifted": Word(
        "Each word gets the vector of a later position: distances stay, positions change. The "
        "model may never have seen positions that late in training.",
        "每个词都用更靠后的位置向量：相互距离不变，绝对位置改变。训练时模型可能从没见过这么靠后的"
        "位置。",
    ),
    "experiments.note.none.distance": Word(
        "The biases by distance are zero.", "随距离变化的偏置全部为零。"
    ),
    "experiments.note.shuffled.distance": Word(
        "The words stay; the places from which distances are taken are swapped. Only the source "
        "can be shuffled: it is complete from the start.",
        "词不动，只交换用来计算距离的位置。只能打乱原文，因为它一开始就是完整的。",
    ),
    "experiments.note.shifted.distance": Word(
        "Queries and keys move alike: every distance stays, and with it every bias.",
        "查询和键一起移动：所有距离不变，偏置也就不变。",
    ),
    # the order of words
    "experiments.pair.said": Word(
        "The same words in two orders. If the source has no positions, the encoder reads the same "
        "in both; only rounding can then tell them apart.",
        "同样的词，两种次序。去掉原文的位置编码，编码器读到的就完全一样，能区分两句的只剩舍入误差。",
    ),
    "experiments.encoder.said": Word(
        "The sentence is encoded twice, in its own order and in a random one; then each word's two "
        "vectors are compared. Their numbers have a size of about {size} (root mean square). What "
        "remains without positions is float32 rounding.",
        "同一句话编码两次：一次按原来的次序，一次按随机的次序；再比较每个词的两个向量。其中数值的大小约为 "
        "{size}（均方根）。去掉位置编码时剩下的差别只是 float32 的舍入误差。",
    ),
    "experiments.encoder.before": Word("original, largest difference", "原模型，最大差别"),
    "experiments.encoder.after": Word("modified, largest difference", "改动后，最大差别"),
    "experiments.encoder.again": Word("Try another order", "换一种次序"),
    "experiments.any_text": Word(
        "Pad tokens and painted cells belong to your sentence and are left out here.",
        "填充符和修改过的掩码格只属于你的句子，这里不用。",
    ),
    "experiments.paint.kind": Word("The mask of", "哪一种掩码"),
    "experiments.paint.how": Word(
        "Click a cell to toggle it: hatched cells may not be read. Row: the token that reads. "
        "Column: the token that is read. This applies to all layers and heads.",
        "点一格来切换：斜线格不可读。行：正在读的词元。列：被读的词元。对所有层和头都生效。",
    ),
    "experiments.paint.may": Word("“{row}” may read “{col}”.", "“{row}”可以读“{col}”。"),
    "experiments.paint.not": Word("“{row}” may not read “{col}”.", "“{row}”不可以读“{col}”。"),
    "experiments.paint.map": Word(
        "Mask of {kind}; Enter toggles a cell", "{kind}的掩码，按回车切换一格"
    ),
    # ranking
    "experiments.rank": Word("Rank all heads", "给所有头排名"),
    "experiments.ranking": Word("Stop ({done} of {count} heads)", "停止（{done}/{count} 个头）"),
    "experiments.rank.note": Word(
        "Each head is switched off alone: how much does the output lose?",
        "每次只关一个头：译文会损失多少？",
    ),
    "experiments.ranked": Word(
        "{count} heads. Change in the log-prob of “{text}” with that head off.",
        "{count} 个头。关闭该头后，“{text}”的对数概率的变化。",
    ),
    "experiments.worth": Word("{layer}.{head} {kind}", "{layer}.{head} {kind}"),
    # both
    "experiments.everywhere": Word("Use this model in all views", "整个页面都用改动后的模型"),
    "experiments.back": Word("Back to the original model", "恢复原模型"),
    "experiments.before": Word("original", "原模型"),
    "experiments.after": Word("modified", "改动后"),
    "experiments.change": Word("change", "变化"),
    "experiments.token": Word("token", "词元"),
    "experiments.sum": Word("sum", "合计"),
    "experiments.tokens": Word(
        "Log-prob of the original translation under both models (teacher forcing)",
        "原译文在两个模型下的对数概率（教师强制）",
    ),
    "experiments.next": Word("Next token at step {n}", "第 {n} 步：下一个词元"),
    "experiments.next.note": Word(
        "After “{read}”, following the original translation. The original wrote “{written}” (marked).",
        "沿着原译文，读入“{read}”之后。原模型写出“{written}”（已标出）。",
    ),
    "experiments.attention": Word("Attention of one head", "一个头的注意力"),
    "experiments.attention.note": Word(
        "Row: the token that reads. Column: the token that is read. Weights share one scale, 0 "
        "to 1; change: blue is less, orange more.",
        "行：正在读的词元。列：被读的词元。权重同用 0 到 1 的色标；变化：蓝色变小，橙色变大。",
    ),
    "experiments.pick.kind": Word("Kind", "种类"),
    "experiments.pick.layer": Word("Layer", "层"),
    "experiments.pick.head": Word("Head", "头"),
    "experiments.pick.n": Word("head {n}", "第 {n} 个头"),
    "experiments.cell": Word(
        "“{row}” reads “{col}”: {before} → {after}, change {change}",
        "“{row}”读“{col}”：{before} → {after}，变化 {change}",
    ),
    "experiments.masked": Word("masked", "已掩码"),
    # what the numbers say
    "experiments.cheat.falls": Word(
        "Each position but the last may now read the token it is about to write, yet {n} of "
        "{count} tokens become less likely, not more.",
        "现在除最后一个位置外，每个位置都能读到自己要写出的词元；然而 {count} 个词元中有 {n} 个的概率反而变小了。",
    ),
    "experiments.cheat.rises": Word(
        "Each position but the last may now read the token it is about to write: {n} of "
        "{count} tokens become less likely, the others more likely.",
        "现在除最后一个位置外，每个位置都能读到自己要写出的词元；"
        "{count} 个词元中有 {n} 个概率变小，其余变大。",
    ),
    "experiments.cheat.ends": Word(
        "Its first choice at the first position is now {token} ({chance}), as if the text before "
        "it were complete.",
        "第一个位置的首选变成了 {token}（{chance}），仿佛译文已经写完。",
    ),
    "experiments.cheat.first": Word(
        "Its first choice at the first position is now “{token}” ({chance}).",
        "第一个位置的首选变成了“{token}”（{chance}）。",
    ),
    "experiments.cheat.why": Word(
        "Why it does not cheat: this model was trained with the mask and never learned to use the "
        "future. A decoder trained without the mask does cheat: see “The decoder cheats”.",
        "它为什么没有作弊：这个模型是带着掩码训练的，从没学过怎样利用后文。不带掩码训练的解码器才会作弊："
        "见“偷看答案”。",
    ),
    "experiments.cheat.steps": Word(
        "The search itself does not change: it writes one token at a time, so there is no future "
        "to read.",
        "搜索过程与原来相同：逐个写出词元时，后文还不存在，无从读起。",
    ),
    "experiments.leak.respected": Word(
        "{n} pad {n|token|tokens} with the padding mask: the log-prob of a written token differs "
        "by at most {largest}.",
        "加 {n} 个填充符并加掩码：写出的词元的对数概率最多相差 {largest}。",
    ),
    "experiments.leak.forgotten": Word(
        "Without the mask the pads get {encoder} of the encoder's attention and {cross} of the "
        "cross-attention, on average, and the log-prob goes from {before} to {after} ({change}).",
        "没有掩码时，填充符平均分走编码器注意力的 {encoder}、交叉注意力的 {cross}，对数概率从 {before} "
        "变为 {after}（{change}）。",
    ),
    "experiments.leak.would": Word(
        "Without the mask the pads would get {encoder} of the encoder's attention and {cross} of "
        "the cross-attention, and the log-prob would go from {before} to {after} ({change}).",
        "若没有掩码，填充符平均会分走编码器注意力的 {encoder}、交叉注意力的 {cross}，对数概率会从 {before} "
        "变为 {after}（{change}）。",
    ),
}
