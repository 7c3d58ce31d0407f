"""The words of the exhibit `why`."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "view.why": Word("Why this word?", "为何是这个词？"),
    "why.title": Word("Why this word?", "为何是这个词？"),
    "why.about": Word(
        "Which layer, head and token decide between two words.",
        "两个词之间，是哪一层、哪个头、哪个词元决定了胜负。",
    ),
    "why.lead": Word(
        "The gap between two words, split exactly into the contributions of the decoder's "
        "parts. Press a layer to open it, then a head to see which tokens it draws on.",
        "两个词的分差，精确拆成解码器各部分的贡献。点一层把它打开，再点一个头，"
        "看它的信息来自哪些词元。",
    ),
    "why.finding.cross": Word(
        " Layer {layer} contributes most, above all cross-attention head {head}, which reads {read}.",
        "第 {layer} 层贡献最大，其中以交叉注意力头 {head} 为主，它读的是 {read}。",
    ),
    "why.finding.decoder_self": Word(
        " Layer {layer} contributes most, above all self-attention head {head}, which reads {read}.",
        "第 {layer} 层贡献最大，其中以自注意力头 {head} 为主，它读的是 {read}。",
    ),
    "why.finding.feed_forward": Word(
        " Layer {layer} contributes most, above all its feed-forward network.",
        "第 {layer} 层贡献最大，其中以前馈网络为主。",
    ),
    "why.finding.biases": Word(
        " Layer {layer} contributes most, above all its biases.",
        "第 {layer} 层贡献最大，其中以偏置为主。",
    ),
    "why.finding.embedding": Word(
        " The word just read contributes most, by its embedding.",
        "刚读入的那个词的词嵌入贡献最大。",
    ),
    "why.finding.position": Word(
        " Its place in the sentence contributes most.", "它在句中的位置贡献最大。"
    ),
    "why.finding.output_bias": Word(" The output bias contributes most.", "输出偏置贡献最大。"),
    "why.ahead": Word("Why {ahead} and not {behind}?", "为什么是 {ahead}，而不是 {behind}？"),
    "why.behind": Word(
        "{ahead} was likelier here than {behind}.", "这里 {ahead} 的概率比 {behind} 高。"
    ),
    "why.alone": Word(
        "There is no other word to compare with here.", "这里没有可以比较的另一个词。"
    ),
    "why.map": Word("The difference of two logits, part by part", "两个 logit 之差，逐部分拆开"),
    "why.rival": Word("Instead of", "对比的词"),
    "why.closest": Word("Closest choice: step {n}", "分差最小：第 {n} 步"),
    "why.open": Word("Open: {part}", "打开：{part}"),
    "why.inside": Word("Inside layer {n}", "第 {n} 层内部"),
    "why.reads": Word("{head}, token by token", "{head}，逐个词元"),
    "why.key.head": Word("Press a head", "点一个头"),
    "why.key.direct": Word("direct", "直接贡献"),
    "why.key.total": Word("with the head off (⇄ opposite)", "关掉后的变化（⇄ 相反）"),
    "why.column.direct": Word("direct", "直接"),
    "why.column.off": Word("head off", "关掉"),
    "why.key.waiting": Word("with the head off …", "关掉后的变化……"),
    "why.head.decoder_self": Word("self {head}", "自注意力 {head}"),
    "why.head.cross": Word("cross {head}", "交叉 {head}"),
    "why.part.embedding": Word("embedding", "词嵌入"),
    "why.part.position": Word("position", "位置编码"),
    "why.part.layer": Word("layer {layer}", "第 {layer} 层"),
    "why.part.output_bias": Word("output bias", "输出偏置"),
    "why.part.sum": Word("together", "合计"),
    "why.part.feed_forward": Word("feed-forward", "前馈网络"),
    "why.part.biases": Word("biases", "偏置"),
    "why.part.others": Word("{n} others", "其余 {n} 项"),
    "why.layers": Word("The sum, layer by layer", "逐层求和"),
    "why.parts": Word("Every part of the sum", "全部各项"),
    "why.tokens": Word("{head}, token by token", "{head}，逐个词元"),
    "why.part": Word("part", "部分"),
    "why.layer": Word("layer", "层"),
    "why.head": Word("head", "头"),
    "why.token": Word("token", "词元"),
    "why.value": Word("direct", "直接贡献"),
    "why.total": Word("with it off", "关掉后的变化"),
    "why.until": Word("sum so far", "累计"),
    "why.difference": Word("difference of the logits", "logit 之差"),
    "why.picture": Word(
        "Left: the sum from the other word (blue) to the written one (orange), each part "
        "starting where the previous ones end. Right: one layer. A filled bar is a part's own "
        "contribution; an outlined bar is how much of the difference disappears when that head "
        "is off.",
        "左：从另一个词（蓝）到写出的词（橙）的求和，每一项接在前几项的末端。右：其中一层。"
        "实心条是这一部分自己的贡献；空心条是关掉这个头后，分差减少了多少。",
    ),
    "why.direct": Word(
        "The filled bars show the direct path only: they leave out what a head does through "
        "later layers. That is why the two bars can disagree (⇄: opposite signs, both larger than "
        "a twentieth of the largest value).",
        "实心条只算直接路径，不包括一个头通过后面各层起的作用。"
        "所以两根条可能相反（⇄：一正一负，而且都大于最大值的二十分之一）。",
    ),
    "why.formula": Word(
        "z: logits, w and b: rows and biases of the output layer, x: the vector that a "
        "sub-layer added, N: the layer norms after it, with mean and deviation fixed at their "
        "values in this pass.",
        "z：logit；w、b：输出层的行与偏置；x：某个子层加上的向量；N：其后的各个层归一化，"
        "均值和标准差固定为这次前向计算时的值。",
    ),
    "why.times": Word(
        "By {difference} means: e to the power of {difference} is {times}, so that many times as "
        "likely.",
        "“高 {difference}”的意思是：e 的 {difference} 次方约为 {times}，即概率是对方的这么多倍。",
    ),
    "why.left": Word(
        "The parts add up to the model's own difference, {difference}, to within {left}, which "
        "is rounding.",
        "各部分之和与模型自己的差 {difference} 只相差 {left}，是舍入误差。",
    ),
}
