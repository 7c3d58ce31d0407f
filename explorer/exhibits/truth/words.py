"""The words of the exhibit `truth`."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "truth.title": Word("Which picture is true?", "哪张图可信？"),
    "truth.about": Word(
        "Every head and method, scored against word links made by people.",
        "用人工标注的词对，给每个头、每种方法打分。",
    ),
    "truth.lead": Word(
        "Every picture of attention claims which words belong together; here each is scored "
        "against people who linked them by hand. Press a row to see its picture of a sentence, with "
        "those links drawn over it.",
        "每张注意力图都在说哪些词相互对应；这里用人工标注的词对给它们打分。"
        "点一行，看它对一个句子画出的图，人工的连线就标在上面。",
    ),
    "truth.finding.best.written": Word(
        "Truest of these: {name}. Wrong by {written} with rows as written, by {read} as read.",
        "这里最可信的是：{name}。各行按写出的词命名时错误率 {written}，按读回的词 {read}。",
    ),
    "truth.finding.best.read": Word(
        "Truest of these: {name}. Wrong by {read} with rows as read, by {written} as written.",
        "这里最可信的是：{name}。各行按读回的词命名时错误率 {read}，按写出的词 {written}。",
    ),
    "truth.finding.chosen.written": Word(
        "{name}: wrong by {written} with rows as written, by {read} as read.",
        "{name}：各行按写出的词命名时错误率 {written}，按读回的词 {read}。",
    ),
    "truth.finding.chosen.read": Word(
        "{name}: wrong by {read} with rows as read, by {written} as written.",
        "{name}：各行按读回的词命名时错误率 {read}，按写出的词 {written}。",
    ),
    "truth.none": Word("Nobody has scored this model yet.", "这个模型还没有打过分。"),
    "truth.missing": Word(
        "Link some sentences by hand (docs/bench.md says how), run this, and put the file into the "
        "model's folder:",
        "先人工标注一些句子（做法见 docs/bench.md），运行下面的命令，再把得到的文件放进模型的文件夹：",
    ),
    "truth.map": Word("Alignment error rates", "对齐错误率"),
    "truth.axis": Word("Alignment error rate: lower is better.", "对齐错误率：越低越好。"),
    "truth.more": Word("{n} more in Numbers.", "另有 {n} 项，见“数值”。"),
    "truth.place": Word(
        "{name}: {written} with rows as written, {read} as read",
        "{name}：按写出的词 {written}，按读回的词 {read}",
    ),
    "truth.shown": Word("Compare", "比较"),
    "truth.shown.layers": Word("layers and methods", "各层与各方法"),
    "truth.shown.weight": Word("heads, by weights", "各头：权重"),
    "truth.shown.norm": Word("heads, by norms", "各头：范数"),
    "truth.shown.contribution": Word("heads, by contributions", "各头：贡献"),
    "truth.pair": Word("Sentence", "句子"),
    "truth.rows": Word("Rows:", "各行："),
    "truth.rows.written": Word("written", "写出的词"),
    "truth.rows.read": Word("read back", "读回的词"),
    "truth.named.written": Word("· rows: the word written", "· 各行：写出的词"),
    "truth.named.read": Word("· rows: the word read back", "· 各行：读回的词"),
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
    "truth.method.joined": Word("joined", "合并"),
    "truth.method.diagonal": Word("the diagonal", "对角线"),
    "truth.method.random_head": Word("a random head", "随机一个头"),
    "truth.linked": Word("{name}, with people's links", "{name}，标有人工连线"),
    "truth.sure": Word("sure link", "确定的连线"),
    "truth.possible": Word("possible link", "可能的连线"),
    "truth.pair.says": Word(
        "{hits} of {n} rows are strongest where people linked; error of this sentence {aer}.",
        "{n} 行中有 {hits} 行，最强的一格正是人工连线；本句错误率 {aer}。",
    ),
    "truth.undrawn": Word("This one has no picture of its own.", "这一项没有自己的图。"),
    "truth.scores": Word(
        "Alignment error rates with 95 % intervals", "对齐错误率及其 95% 置信区间"
    ),
    "truth.picture": Word("picture", "图"),
    "truth.written": Word("rows as written", "按写出的词"),
    "truth.read": Word("rows as read", "按读回的词"),
    "truth.share": Word("Where each word of your sentence comes from", "你的句子中每个词从哪里来"),
    "truth.share.note": Word(
        "Contributions followed through all layers (ALTI+): how much comes from the source, how much "
        "from the words already written.",
        "把贡献逐层累积（ALTI+）：多少来自原文，多少来自已写出的词。",
    ),
    "truth.token": Word("token", "词元"),
    "truth.source": Word("source", "原文"),
    "truth.prefix": Word("written before", "已写出的词"),
    "truth.board": Word(
        "Left: the error of each picture over all sentences, with its 95 % interval. A full dot "
        "names the rows of the picture by the word that is written, a ring by the word just read "
        "back; the label that fits worse is pale.",
        "左：每张图在全部句子上的错误率及其 95% 置信区间。实心点把各行叫作正在写出的词，"
        "圆圈叫作刚读回的词；较不合适的一种颜色较浅。",
    ),
    "truth.links": Word(
        "Right: one of the sentences. The frames are what people linked, sure or possible. A good "
        "picture is darkest inside the frames, row by row.",
        "右：其中一个句子。方框是人工的连线，分确定与可能。好的图每一行都是框里最深。",
    ),
    "truth.aer": Word(
        "Each row links to the word of its strongest cell: A. S are the sure links, P the possible "
        "ones; an error rate of 0 means that every link is good and no sure one is missing.",
        "每一行连到它最强的那一格所属的词，这些连线记作 A；S 是确定的连线，P 是可能的连线。"
        "错误率为 0 表示每条连线都对，且没有漏掉确定的连线。",
    ),
    "truth.methods": Word(
        "Weights: what attention gives. Norms: how long the vectors are that it moves (Kobayashi "
        "2020). Contributions: how much nearer they bring the output (ALTI, Ferrando 2022); rolled: "
        "followed through all layers. Value zeroing: how far the output turns without one value "
        "(Mohebbi 2023). Joined: layers and the best head added, one step apart.",
        "权重：注意力给出的值。范数：被搬运的向量有多长（Kobayashi 2020）。"
        "贡献：它们使输出接近多少（ALTI，Ferrando 2022）；累积：逐层累积。"
        "值置零：去掉一个值，输出转过多少（Mohebbi 2023）。合并：把几层与最好的头错开一步相加。",
    ),
}
