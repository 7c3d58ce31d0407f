"""The words of the exhibit `looks`."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "looks.title": Word("Why it looks there", "为什么看那里"),
    "looks.about": Word(
        "A score split into who wrote the query and who wrote the key.",
        "把一个分数拆开：查询由谁写成，键又由谁写成。",
    ),
    "looks.lead": Word(
        "A score as a table that adds up to it: rows are what wrote the query, columns what wrote "
        "the key, and two keys are compared because a softmax only sees differences. Choose another "
        "key to compare with, or click a head to see what it read there.",
        "一个分数拆成一张表，加起来恰好等于它：行是写成查询的各部分，列是写成键的各部分；"
        "softmax 只看差别，所以比较两个键。换一个键来比较，或点一个头，看它在那里读了什么。",
    ),
    "looks.finding": Word(
        "Why does {query} look at {ahead}, not {behind}? {value} of {all} points come from {what}.",
        "{query} 为什么看 {ahead} 而不看 {behind}？{all} 分里有 {value} 分来自{what}。",
    ),
    "looks.finding.over": Word(
        "Why does {query} look at {ahead}, not {behind}? "
        "{value} points come from {what}; {all} remain.",
        "{query} 为什么看 {ahead} 而不看 {behind}？{what}给了 {value} 分，抵消后剩 {all} 分。",
    ),
    "looks.finding.alone": Word(
        "Why does {query} look at {ahead}, not {behind}? Almost all {all} points come from {what}.",
        "{query} 为什么看 {ahead} 而不看 {behind}？{all} 分几乎都来自{what}。",
    ),
    "looks.finding.any": Word(
        "Why does {query} look at {ahead}? A bias always favours {what}: {value} of {all} points.",
        "{query} 为什么看 {ahead}？偏置总是偏爱{what}：{all} 分里占 {value} 分。",
    ),
    "looks.finding.equal": Word(
        "To {query}, {ahead} and {behind} score the same.",
        "对 {query} 来说，{ahead} 和 {behind} 的分数一样。",
    ),
    "looks.finding.only": Word(
        "{query} may look only at {ahead}: there is nothing to choose between.",
        "{query} 只能看 {ahead}：没有别的可选。",
    ),
    "looks.finding.masked": Word(
        "{query} may not look at {ahead}: the mask decides, not the score.",
        "{query} 不能看 {ahead}：这由掩码决定，与分数无关。",
    ),
    "looks.finding.whole": Word(
        "{query} gives {ahead} {all} points; {what} adds most to them: {value} points.",
        "{query} 给 {ahead} 的分数是 {all} 分，其中{what}加得最多：{value} 分。",
    ),
    "looks.finding.whole.below": Word(
        "{query} gives {ahead} {all} points; {what} lowers them most: {value} points.",
        "{query} 给 {ahead} 的分数是 {all} 分，其中{what}减得最多：{value} 分。",
    ),
    # without a part: by the table, and in a run; each may be ahead or behind
    "looks.without.ahead.ahead": Word(
        "Without {what}, {ahead} leads by {kept} points in this table, by {real} in a real run.",
        "去掉{what}，{ahead} 还领先：按这张表是 {kept} 分，真跑一遍是 {real} 分。",
    ),
    "looks.without.behind.behind": Word(
        "Without {what}, {ahead} falls behind by {kept} points in this table, by {real} in a real "
        "run.",
        "去掉{what}，{ahead} 反而落后：按这张表是 {kept} 分，真跑一遍是 {real} 分。",
    ),
    "looks.without.ahead.behind": Word(
        "Without {what}, {ahead} leads by {kept} points in this table; a real run puts it {real} "
        "behind.",
        "去掉{what}，按这张表 {ahead} 还领先 {kept} 分，真跑一遍却落后 {real} 分。",
    ),
    "looks.without.behind.ahead": Word(
        "Without {what}, {ahead} falls behind by {kept} points in this table; a real run puts it "
        "{real} ahead.",
        "去掉{what}，按这张表 {ahead} 会落后 {kept} 分，真跑一遍却还领先 {real} 分。",
    ),
    "looks.without.whole": Word(
        "Without {what}, {query} gives {ahead} {kept} points in this table, {real} in a real run.",
        "去掉{what}，{query} 给 {ahead} 的分数：按这张表是 {kept} 分，真跑一遍是 {real} 分。",
    ),
    "looks.earlier": Word("{key} (earlier)", "{key}（靠前的）"),
    "looks.later": Word("{key} (later)", "{key}（靠后的）"),
    "looks.encoder": Word("encoder", "编码器"),
    "looks.decoder": Word("decoder", "解码器"),
    "looks.what.word": Word("{ahead} itself", "{ahead} 本身"),
    "looks.what.place": Word("where {ahead} stands", "{ahead} 的位置"),
    "looks.what.self_encoder": Word("encoder head {head}", "编码器的头 {head}"),
    "looks.what.self_decoder": Word("self-attention head {head}", "自注意力头 {head}"),
    "looks.what.cross": Word("cross-attention head {head}", "交叉注意力头 {head}"),
    "looks.what.network": Word("{stack} network {layer}", "{stack}前馈网络 {layer}"),
    "looks.what.biases": Word("biases", "偏置"),
    "looks.what.distance": Word("its distance", "它的距离"),
    "looks.out.word": Word("the word itself", "这个词本身"),
    "looks.out.token": Word("the token itself", "这个词元本身"),
    "looks.out.place": Word("its position", "它的位置"),
    "looks.table": Word(
        "{query} asks with its query, {ahead} answers with its key. Both are made of the word, its "
        "position and what heads and networks added; a cell is what two such parts give.",
        "{query} 用查询来问，{ahead} 用键来答。两者都由词本身、它的位置以及各个头和前馈网络"
        "写入的内容相加而成；每格是两边各一部分所给的分。",
    ),
    "looks.queries.of": Word("query of {query} ↓", "{query} 的查询 ↓"),
    "looks.keys.of": Word(
        "key of {ahead}, less the key of {behind} →", "{ahead} 的键，减去 {behind} 的键 →"
    ),
    "looks.keys.of.whole": Word("key of {ahead} →", "{ahead} 的键 →"),
    "looks.press": Word(
        "Press a sum: how would it be without that part?", "点一个合计：没有这一部分会怎样？"
    ),
    "looks.press.head": Word(
        "Press a head: what did it read there?", "点一个头：它在那里读了什么？"
    ),
    "looks.name.word": Word("the word", "词本身"),
    "looks.name.place": Word("position", "位置"),
    "looks.name.self_encoder": Word("head {head}", "头 {head}"),
    "looks.name.self_decoder": Word("self-attention {head}", "自注意力 {head}"),
    "looks.name.cross": Word("cross-attention {head}", "交叉注意力 {head}"),
    "looks.name.network": Word("network {layer}", "前馈网络 {layer}"),
    "looks.name.biases": Word("biases", "偏置"),
    "looks.name.distance": Word("distance", "距离"),
    "looks.name.others": Word("{n} other parts", "其余 {n} 项"),
    "looks.bias.map": Word("bias of the map itself", "映射自身的偏置"),
    "looks.bias.output": Word("output bias, {sub} {layer}", "输出偏置，{sub} {layer}"),
    "looks.bias.norm": Word("norm bias, {sub} {layer}", "归一化偏置，{sub} {layer}"),
    "looks.bias.first": Word("norm bias of the embedding", "嵌入的归一化偏置"),
    "looks.bias.last": Word("bias of the last norm", "最后一次归一化的偏置"),
    "looks.sub.self": Word("self", "自注意"),
    "looks.sub.cross": Word("cross", "交叉"),
    "looks.sub.network": Word("network", "前馈"),
    "looks.sum": Word("sum", "合计"),
    "looks.take_out": Word("Take out of the key: {part}", "从键中去掉：{part}"),
    "looks.put_back": Word("Put back: {part}", "放回：{part}"),
    "looks.left.table": Word("without it, by this table", "去掉以后，按这张表"),
    "looks.left.run": Word("without it, in a real run", "去掉以后，真跑一遍"),
    "looks.go": Word("What head {head} read there", "看头 {head} 在那里读了什么"),
    "looks.against": Word("and not", "而不是"),
    "looks.against.none": Word("nothing: the whole score", "不比较：整个分数"),
    "looks.keys": Word("Parts of the key", "键的各部分"),
    "looks.queries": Word("Parts of the query", "查询的各部分"),
    "looks.products": Word("The largest of {n} products", "{n} 个乘积中最大的"),
    "looks.part": Word("part", "部分"),
    "looks.query": Word("of the query", "查询的"),
    "looks.key": Word("of the key", "键的"),
    "looks.points": Word("points of score", "分数"),
    "looks.exact": Word(
        "The parts add up to the recorded {score}, to within {left}: rounding.",
        "各部分之和等于记录中的 {score}，误差不超过 {left}：只是舍入。",
    ),
    "looks.kept": Word(
        "Norms on the way keep the deviation that they had, so that each is linear. The table says "
        "what the score is made of; without a part, the norms would have other deviations.",
        "途中的归一化保留当时的标准差，因此都是线性的。"
        "这张表说的是分数由什么构成；真去掉一部分，归一化的标准差也会变。",
    ),
    "looks.without.mean": Word(
        "Click a sum to take that part out of the key (of both keys, where two are compared). The "
        "table keeps the norms as they were. The real run never writes the part there and computes "
        "all that follows again, so it may give another number.",
        "点一列的合计，就把那一部分从键中去掉（比较两个键时，两个都去掉）。表里的归一化保持原样；"
        "真跑一遍时，那里根本不写这一部分，其后的一切重新计算，所以两个数可以不同。",
    ),
    "looks.points.mean": Word(
        "A lead of 1 point makes a key 2.7 times as heavy (e¹), of 2 points 7.4 times.",
        "分数高 1，权重就是 2.7 倍（e¹）；高 2，就是 7.4 倍。",
    ),
    "looks.open": Word("Why here?", "为什么看这里？"),
}
