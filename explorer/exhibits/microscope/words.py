"""The words of the exhibit `microscope`."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "view.microscope": Word("One head in numbers", "一个头的数字"),
    "microscope.title": Word("One head in numbers", "一个头的算式"),
    "microscope.about": Word(
        "How one weight is computed, from q · k to the output.",
        "一个权重是怎样算出来的：从 q · k 到输出。",
    ),
    "microscope.lead": Word(
        "Each strip is a vector: the query on top, then keys, scores, weights, values and "
        "their weighted sum. Click a colour or a number to see its digits and, outlined, the "
        "numbers it was computed from.",
        "每条色带是一个向量：最上面是查询，下面依次是所有的键、分数、权重、值，以及加权和。"
        "点任意一处颜色或数字，可看到它的数值；用虚线框出的，就是算出它的那些数。",
    ),
    "microscope.finding.most": Word(
        "{query} gives {key} {p} of its attention: its score is {lead} points above the second best.",
        "{query} 把 {p} 的注意力给了 {key}：它的分数比第二高 {lead} 分。",
    ),
    "microscope.lead.said": Word("highest score, by {lead} points", "分数最高，领先 {lead} 分"),
    "microscope.finding.less": Word(
        "{query} gives {key} only {p} of its attention; {best}, with a higher score, gets {q}.",
        "{query} 只把 {p} 的注意力给了 {key}；分数更高的 {best} 得到 {q}。",
    ),
    "microscope.finding.only": Word(
        "{query} may look only at {key}: all its attention goes there, whatever the score.",
        "{query} 只能看 {key}：不论分数多少，注意力全在它身上。",
    ),
    "microscope.finding.masked": Word(
        "{query} may not look at {key}: the mask makes its weight exactly 0.",
        "{query} 不能看 {key}：掩码让它的权重恰好为 0。",
    ),
    "microscope.chain": Word("From q · k to the output", "从 q · k 到输出"),
    "microscope.key": Word("key", "键"),
    "microscope.sum": Word("sum", "合计"),
    "microscope.terms": Word("All {n} terms of {name} {place}", "{name} {place} 的全部 {n} 项"),
    "microscope.dimension": Word("dimension", "维"),
    "microscope.head": Word("head", "头"),
    "microscope.term": Word("term", "项"),
    "microscope.parents": Word("from", "来自"),
    "microscope.children": Word("into", "用于"),
    # stages
    "microscope.stage.product": Word(
        "1 · The query of “{query}” times the key of “{key}”, component by component",
        "1 · “{query}”的查询与“{key}”的键逐个相乘",
    ),
    "microscope.stage.weight": Word(
        "2 · What “{query}” reads: one row per key, from q · k to the weight",
        "2 · “{query}”读取什么：每个键一行，从 q · k 到注意力权重",
    ),
    "microscope.stage.context": Word(
        "3 · The value of “{key}” times its weight; summed over all keys, this head's context",
        "3 · “{key}”的值乘以它的权重；对所有键求和，就是这个头的上下文向量",
    ),
    "microscope.stage.way": Word(
        "4 · All {heads} heads side by side (concat), times W_O, plus bias, and out of the "
        "sub-layer",
        "4 · 全部 {heads} 个头并排拼接（concat），乘以 W_O 再加偏置，然后离开子层",
    ),
    "microscope.head.line": Word("head {head}", "第 {head} 个头"),
    "microscope.head.off": Word("head {head}, off", "第 {head} 个头，关"),
    # names of the numbers
    "microscope.name.query": Word("query q", "查询 q"),
    "microscope.name.key": Word("key k", "键 k"),
    "microscope.name.value": Word("value v", "值 v"),
    "microscope.name.product": Word("product q·k", "乘积 q·k"),
    "microscope.name.dot": Word("q · k", "q · k"),
    "microscope.name.scaled": Word("/ √d_k", "÷ √d_k"),
    "microscope.name.bias": Word("+ bias", "+ 偏置"),
    "microscope.name.masked": Word("+ mask", "+ 掩码"),
    "microscope.name.exp": Word("e^(s − max)", "e^(s − max)"),
    "microscope.name.weight": Word("weight", "权重"),
    "microscope.name.part": Word("weight × value", "权重 × 值"),
    "microscope.name.context": Word("context", "上下文"),
    "microscope.name.concat": Word("concat", "拼接 concat"),
    "microscope.name.output": Word("output", "输出"),
    "microscope.name.entering": Word("x (residual input)", "残差 x"),
    "microscope.name.sum": Word("x + output", "x + 输出"),
    "microscope.name.after": Word("after the norm", "归一化之后"),
    # what each number is
    "microscope.says.query": Word(
        "The query's word vector, times this head's slice of W_Q.",
        "查询词的向量乘以 W_Q 中属于这个头的部分。",
    ),
    "microscope.says.key": Word(
        "The key's word vector, times this head's slice of W_K.",
        "键词的向量乘以 W_K 中属于这个头的部分。",
    ),
    "microscope.says.value": Word(
        "The key's word vector, times this head's slice of W_V: what a query gets if it reads this "
        "key.",
        "键词的向量乘以 W_V 中属于这个头的部分：读到它时传递的内容。",
    ),
    "microscope.says.product": Word(
        "One component of the query times the same component of the key; all of them add up to q · "
        "k.",
        "查询的一个数乘以键的同一位置的数；全部相加就是 q · k。",
    ),
    "microscope.says.dot": Word(
        "All products added up: how well query and key match.", "所有乘积之和：查询与键的匹配程度。"
    ),
    "microscope.says.scaled": Word(
        "Divided by √d_k, so that a large d_k does not make the softmax too sharp.",
        "除以 √d_k，以免维数一大 softmax 就过于尖锐。",
    ),
    "microscope.says.bias": Word(
        "Learnt, one for each head and distance between query and key: this model's positions.",
        "学来的数，每个头、每种查询与键的距离各一个：这就是本模型的位置信息。",
    ),
    "microscope.says.rms": Word(
        "The mean square is taken over the whole row; γ was learned. No mean is subtracted.",
        "均方取自整行，γ 是训练得到的；不减均值。",
    ),
    "microscope.says.masked": Word(
        "The mask adds 0 where the key may be read, −∞ where it may not.",
        "可以读的键加 0，不可以读的键加 −∞。",
    ),
    "microscope.says.exp": Word(
        "The first half of softmax. The largest score is subtracted first, which changes no weight.",
        "softmax 的前半步。先减去最大的分数，这不改变任何权重。",
    ),
    "microscope.says.weight": Word(
        "The second half of softmax: its share of the sum. A masked key gets exactly 0.",
        "softmax 的后半步：它在总和中所占的份额。被掩码的键恰好得 0。",
    ),
    "microscope.says.part": Word(
        "What this key adds to the context of this head.", "这个键给这个头的上下文贡献多少。"
    ),
    "microscope.says.context": Word(
        "A weighted sum of the values of all keys.", "所有键的值的加权和。"
    ),
    "microscope.says.concat": Word(
        "The contexts of all heads, one after the other, each computed like this one.",
        "所有头的上下文依次排列。每个头的算法都与这个头相同。",
    ),
    "microscope.says.output": Word(
        "All heads mixed by W_O, plus its bias: what this sub-layer adds to the word.",
        "W_O 把所有头混合起来，再加偏置：这个子层给这个词加上的内容。",
    ),
    "microscope.says.entering": Word(
        "The input of the sub-layer, which the residual connection keeps unchanged.",
        "进入子层的向量，经残差连接原样保留。",
    ),
    "microscope.says.sum": Word(
        "The residual connection: the input plus what the sub-layer adds.",
        "残差连接：输入加上子层的增量。",
    ),
    "microscope.says.after": Word(
        "Mean and variance are taken over the whole row; γ and β were learned.",
        "均值和方差取自整行；γ 与 β 是训练得到的。",
    ),
    # interventions
    "microscope.off.scaling": Word(
        "The scaling is switched off: scores are divided by 1.", "缩放已关闭：分数除以 1。"
    ),
    "microscope.off.head": Word(
        "This head is switched off: its context is set to 0.", "这个头已关闭：它的上下文置为 0。"
    ),
    "microscope.off.layer": Word(
        "The cross-attention of this layer is switched off: its output is 0, bias included.",
        "这一层的交叉注意力已关闭：输出为 0，连偏置也不加。",
    ),
    # the check and the code
    "microscope.check.good": Word(
        "✓ Recomputed in your browser: this row differs from the model's own output by at most "
        "{off} (allowed {most}).",
        "✓ 浏览器重新计算：这一行与模型自身输出的最大偏差为 {off}（允许 {most}）。",
    ),
    "microscope.check.bad": Word(
        "✗ Recomputed in your browser: this row differs from the model's own output by {off} "
        "(allowed {most}).",
        "✗ 浏览器重新计算：这一行与模型自身输出相差 {off}（允许 {most}）。",
    ),
    "microscope.python": Word("In Python", "Python 代码"),
    "microscope.python.note": Word(
        "Run explainer = Explainer.load() with the current model first; this then prints the "
        "chosen number.",
        "先用 explainer = Explainer.load() 载入当前模型，再运行这段代码，就会打印所选的数。",
    ),
    "microscope.copy": Word("Copy", "复制"),
    "microscope.copied": Word("Copied", "已复制"),
    "microscope.selected": Word("Selected", "已选中"),
}
