"""The words of the exhibit `truth`."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "view.truth": Word("Which picture is true?", "哪张图可信？"),
    "truth.title": Word("Heads against people", "注意力与人工标注对照"),
    "truth.about": Word(
        "Every head and method, scored by people’s word links.",
        "用人工标注的词对，给每个头、每种方法打分。",
    ),
    "truth.lead": Word(
        "Every attention picture claims that certain words belong together; here each is "
        "scored against links that people drew by hand. Press a row to see its picture of a "
        "sentence, with those links drawn over it.",
        "每张注意力图都在说哪些词相互对应；这里用人工标注的词对给它们打分。点一行，"
        "看它对一个句子画出的图，人工的连线就标在上面。",
    ),
    "truth.finding.best": Word(
        "{name} agrees best with the links that people drew between words: {error} error.",
        "{name}与人工画出的词间连线最一致：错误率 {error}。",
    ),
    "truth.finding.chosen": Word(
        "{name}: {error} error against the links that people drew between words.",
        "{name}：与人工画出的词间连线相比，错误率 {error}。",
    ),
    "truth.none": Word("Nobody has scored this model yet.", "还没有人给这个模型打过分。"),
    "truth.missing": Word(
        "Link some sentences by hand (assets/models/en-zh/gold.md says how), run this with the "
        "model's folder or its name on the Hub in place of MODEL, and put the file into that folder:",
        "先人工标注一些句子（做法见 assets/models/en-zh/gold.md），把 MODEL 换成模型的文件夹或它在 Hub "
        "上的名字，运行下面的命令，再把得到的文件放进那个文件夹：",
    ),
    "truth.map": Word("Alignment error rates", "对齐错误率"),
    "truth.axis": Word("Alignment error rate: lower is better.", "对齐错误率：越低越好。"),
    "truth.more": Word("{n} more in Numbers.", "另有 {n} 项，见“数字”。"),
    "truth.place": Word(
        "{name}: {written} with rows labelled as written, {read} as read back",
        "{name}：按写出的词 {written}，按刚读入的词 {read}",
    ),
    "truth.shown": Word("Compare", "比较"),
    "truth.shown.layers": Word("layers and methods", "各层与各方法"),
    "truth.shown.weight": Word("heads, by weights", "各头：权重"),
    "truth.shown.norm": Word("heads, by norms", "各头：范数"),
    "truth.shown.contribution": Word("heads, by contributions", "各头：贡献"),
    "truth.pair": Word("Sentence", "句子"),
    "truth.rows": Word("Rows:", "各行："),
    "truth.rows.written": Word("written", "写出的词"),
    "truth.rows.read": Word("read back", "刚读入的词"),
    "truth.named.written": Word("· rows: the word written", "· 各行：写出的词"),
    "truth.named.read": Word("· rows: the word read back", "· 各行：刚读入的词"),
    "truth.of.model": Word("{method}", "{method}"),
    "truth.of.layer": Word("{method}, layer {layer}", "{method}，第 {layer} 层"),
    "truth.of.head": Word("head {head} ({method})", "头 {head}（{method}）"),
    "truth.method.weight": Word("weights", "权重"),
    "truth.method.norm": Word("norms", "范数"),
    "truth.method.contribution": Word("contributions", "局部贡献"),
    "truth.method.value_zeroing": Word("value zeroing", "值置零"),
    "truth.method.rolled": Word("rolled contributions", "累积贡献"),
    "truth.method.rollout": Word("rollout", "注意力展开"),
    "truth.method.occlusion": Word("occlusion", "遮挡"),
    "truth.method.input_x_gradient": Word("input x gradient", "输入乘梯度"),
    "truth.method.integrated_gradients": Word("integrated gradients", "积分梯度"),
    "truth.method.joined": Word("joined", "合并"),
    "truth.method.diagonal": Word("the diagonal", "对角线"),
    "truth.method.random_head": Word("a random head", "随机一个头"),
    "truth.linked": Word("{name}, with the hand-drawn links", "{name}，标有人工连线"),
    "truth.sure": Word("sure link", "确定的连线"),
    "truth.possible": Word("possible link", "可能的连线"),
    "truth.pair.says": Word(
        "Sentence {pair} of those that people translated and linked, whatever you typed. In {hits} "
        "of {n} rows the strongest cell is a link; alignment error, by character, {aer}.",
        "人工连线的句子中的第 {pair} 句，与输入的句子无关，译文和连线都出自人工。{n} 行中有 {hits} 行，最强的一格正是连线；"
        "按字符计的对齐错误率 {aer}。",
    ),
    "truth.undrawn": Word("There is no picture for this one.", "这一项没有对应的图。"),
    "truth.scores": Word(
        "Alignment error rates with 95 % intervals", "对齐错误率及其 95% 置信区间"
    ),
    "truth.picture": Word("picture", "图"),
    "truth.written": Word("rows as written", "按写出的词"),
    "truth.read": Word("rows as read back", "按刚读入的词"),
    "truth.share": Word(
        "Where each word of your translation comes from", "你的译文中每个词从哪里来"
    ),
    "truth.share.note": Word(
        "Contributions followed through all layers (ALTI+): how much comes from the source, how much "
        "from the words already written.",
        "把贡献逐层累积（ALTI+）：多少来自原文，多少来自已写出的词。",
    ),
    "truth.token": Word("token", "词元"),
    "truth.source": Word("source", "原文"),
    "truth.prefix": Word("already written", "已写出的词"),
    "truth.board": Word(
        "Left: the error of each picture over all sentences, with its 95 % interval. Filled "
        "dot: rows labelled with the word being written. Ring: rows labelled with the word "
        "just read back. The worse of the two is faded.",
        "左：每张图在全部句子上的错误率及其 95% 置信区间。实心点：各行按正在写出的词命名；"
        "圆圈：按刚读入的词命名。两者中较差的颜色较浅。",
    ),
    "truth.links": Word(
        "Right: one of the sentences. Frames mark the links people drew, sure or possible. In "
        "a good picture, each row is strongest inside its frames.",
        "右：其中一个句子。方框是人工的连线，分确定与可能。好的图，每一行最强的格子都在框里。",
    ),
    "truth.aer": Word(
        "Every character of a row is linked to the word of the row's strongest cell; A "
        "are these links, S the sure ones, P the possible ones. All are counted by character. An "
        "error rate of 0 means that every link is correct and no sure one is missing.",
        "一行里的每个字符，都连到这一行最强的那一格所属的词，这些连线记作 A；S 是确定的连线，"
        "P 是可能的连线。都按字符计数。错误率为 0 表示每条连线都对，且没有漏掉确定的连线。",
    ),
    "truth.methods": Word(
        "Weights: the attention weights themselves. Norms: the lengths of the vectors that "
        "attention moves (Kobayashi 2020). Contributions: how much closer to the output they "
        "bring the sum (ALTI, Ferrando 2022); rolled: followed through all layers. Value "
        "zeroing: how far the output turns without one value (Mohebbi 2023). Input x gradient and "
        "integrated gradients (Sundararajan 2017): how much a source word raises the written one, "
        "by the slope at the sentence, or by its mean on the way from nothing. Joined: layers "
        "and the best head added, shifted by one step.",
        "权重：注意力权重本身。范数：被搬运的向量有多长（Kobayashi 2020）。贡献："
        "各个向量让总和向输出靠近了多少（ALTI，Ferrando 2022）；累积：把各层的贡献相乘。值置零：去掉一个值，"
        "输出转过多少（Mohebbi 2023）。输入乘梯度、积分梯度（Sundararajan 2017）：一个原文词使写出的词的概率提高多少，"
        "前者看这个句子处的斜率，后者看从零走到这个句子一路上的平均斜率。合并：把几层与最好的头错开一步相加。",
    ),
    # what the proof does not compare
    "proved.question.gold": Word("word links made by people", "人工标注的词对齐"),
    "proved.question.scores": Word("scores over many sentences", "许多句子上的成绩"),
}
