"""The words of the exhibit `byhand`."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "view.byhand": Word("By hand", "动手算"),
    "byhand.title": Word("Attention by hand", "手算注意力"),
    "byhand.about": Word(
        "How attention works on matrices you can fill in yourself.",
        "用自己填的小矩阵算一遍注意力。",
    ),
    "byhand.lead": Word(
        "Attention on matrices small enough to see every number. Type other numbers, and click a "
        "result to see the sum behind it.",
        "在很小的矩阵上算注意力，每个数都看得见。改几个数，再点一个结果，看它由哪个算式得来。",
    ),
    "byhand.finding.one": Word(
        "Query {row} takes {share} of its output from value {value}.",
        "查询 {row} 的输出有 {share} 来自值 {value}。",
    ),
    "byhand.finding.alike": Word(
        "Query {row} cannot choose: {n} values get the same weight.",
        "查询 {row} 难分高下：{n} 个值的权重相同。",
    ),
    "byhand.all": Word("Every number", "全部数字"),
    "byhand.matrix": Word("matrix", "矩阵"),
    "byhand.row": Word("row", "行"),
    "byhand.column": Word("column", "列"),
    "byhand.value": Word("value", "数值"),
    "byhand.preset": Word("Start with", "从这里开始"),
    "byhand.preset.weights": Word("weights × values", "权重 × 值"),
    "byhand.preset.counting": Word("3 queries, 4 keys", "3 个查询、4 个键"),
    "byhand.preset.self": Word("self-attention", "自注意力"),
    "byhand.preset.causal": Word("causal self-attention", "因果自注意力"),
    "byhand.preset.cross": Word("cross-attention", "交叉注意力"),
    "byhand.preset.scores": Word("your own scores", "直接给出分数"),
    "byhand.preset.heads": Word("two heads", "两个头"),
    "byhand.note.weights": Word(
        "Each output row mixes the rows of V: the first row alone, two rows half and half, all "
        "three equally.",
        "输出的每一行都是 V 各行的混合：只取第一行、两行各半、三行均分。",
    ),
    "byhand.note.counting": Word(
        "The numbers 0 to 11 and 0 to 15. The last key has the largest dot products, and softmax "
        "gives it almost everything.",
        "数字为 0 到 11 和 0 到 15。最后一个键的点积最大，softmax 几乎把全部权重给了它。",
    ),
    "byhand.note.self": Word(
        "Queries, keys and values are the same three tokens.",
        "查询、键、值都来自同样的三个词元。",
    ),
    "byhand.note.causal": Word(
        "The same three tokens, but none may read a later one.",
        "还是这三个词元，但都不能看后面的词元。",
    ),
    "byhand.note.cross": Word(
        "The same queries, but keys and values are four tokens of another text.",
        "查询不变，键和值换成另一段文字的四个词元。",
    ),
    "byhand.note.scores": Word(
        "Scores typed in directly, with no scaling: equal scores share the weight, a masked one "
        "gets nothing.",
        "直接填入分数，不再缩放：分数相等的键平分权重，被掩码的键得不到权重。",
    ),
    "byhand.note.heads": Word(
        "The columns of Q, K and V are cut in two; each half attends on its own, then W_O mixes "
        "them.",
        "Q、K、V 的各列分成两半，各自做注意力，再由 W_O 混合。",
    ),
    "byhand.causal": Word("causal mask", "因果掩码"),
    "byhand.scaling": Word("divide by √d_k", "除以 √d_k"),
    "byhand.queries": Word("queries", "查询数"),
    "byhand.keys": Word("keys", "键数"),
    "byhand.d_k": Word("d_k (columns of Q, K)", "d_k（Q、K 的列数）"),
    "byhand.d_v": Word("d_v (columns of V)", "d_v（V 的列数）"),
    "byhand.given.Q": Word("Q: one query per row", "Q：每行一个查询"),
    "byhand.given.K": Word("K: one key per row", "K：每行一个键"),
    "byhand.given.V": Word("V: one value per row", "V：每行一个值"),
    "byhand.given.O": Word("W_O: mixes the heads", "W_O：混合各头"),
    "byhand.given.S": Word("scores", "分数"),
    "byhand.given.W": Word("weights", "权重"),
    "byhand.cell": Word("{name}, row {row}, column {column}", "{name}，第 {row} 行第 {column} 列"),
    "byhand.head": Word("head", "头"),
    "byhand.head.n": Word("Head {n}", "第 {n} 个头"),
    "byhand.step.scores": Word("scores Q Kᵀ", "分数 Q Kᵀ"),
    "byhand.step.scaled": Word("÷ √{d}", "÷ √{d}"),
    "byhand.step.masked": Word("masked", "已掩码"),
    "byhand.step.weights": Word("softmax: weights", "softmax：权重"),
    "byhand.step.output": Word("weights × V", "权重 × V"),
    "byhand.step.concat": Word("heads side by side", "各头并排"),
    "byhand.step.mixed": Word("× W_O: output", "× W_O：输出"),
    "byhand.name.scores": Word("the scores", "分数"),
    "byhand.name.scaled": Word("the scaled scores", "缩放后的分数"),
    "byhand.name.masked": Word("the masked scores", "掩码后的分数"),
    "byhand.name.weights": Word("the weights", "权重"),
    "byhand.name.output": Word("the output", "输出"),
    "byhand.name.concat": Word("the heads side by side", "各头并排"),
    "byhand.place": Word(
        "Row {row}, column {column} of {step}",
        "{step}的第 {row} 行第 {column} 列",
    ),
    "byhand.place.head": Word("Head {n}: {place}", "第 {n} 个头：{place}"),
    "byhand.masked": Word(
        "−∞: key {key} comes after query {query}, which may not read it.",
        "−∞：第 {key} 个键在第 {query} 个查询之后，不能看。",
    ),
    "byhand.why.scores": Word(
        "A score: the dot product of a query and a key.",
        "分数：一个查询与一个键的点积。",
    ),
    "byhand.why.scaled": Word(
        "Divided by √d_k, so that the size of the scores does not grow with d_k.",
        "除以 √d_k，使分数的大小不随 d_k 增长。",
    ),
    "byhand.why.masked": Word(
        "A masked score is −∞; softmax turns it into exactly 0.",
        "被掩码的分数为 −∞，经 softmax 后恰为 0。",
    ),
    "byhand.why.weights": Word(
        "Softmax over the row: the weights of a query sum to 1.",
        "在一行内做 softmax：一个查询的权重之和为 1。",
    ),
    "byhand.why.output": Word(
        "The rows of V, each scaled by its weight, added up.",
        "按权重把 V 的各行加起来。",
    ),
    "byhand.why.concat": Word(
        "Nothing is computed here: the outputs of the heads are placed side by side.",
        "这里没有计算，只是把各头的输出并排放在一起。",
    ),
    "byhand.why.mixed": Word(
        "The rows of W_O, each scaled by one of the heads' numbers, added up.",
        "按各头的数把 W_O 的各行加起来。",
    ),
}
