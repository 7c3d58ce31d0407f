"""The words of the exhibit `positions`."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "view.positions": Word("Positions", "位置"),
    "positions.title": Word("Position waves", "位置的波形"),
    "positions.about": Word(
        "How waves of sine and cosine mark each position.",
        "正弦和余弦的波怎样标出每个位置。",
    ),
    "positions.lead": Word(
        "Attention ignores word order, so each position adds its own pattern of sines and "
        "cosines. Move a slider or click a cell.",
        "注意力不知道词的先后，所以每个位置都加上自己的一组正弦和余弦。拖动滑块，或点一格看看。",
    ),
    "positions.finding.table": Word(
        "Position {position} has a pattern of its own, made of fast waves and slow ones.",
        "位置 {position} 有自己独特的图案，由快波和慢波叠成。",
    ),
    "positions.finding.table.word": Word(
        "{token} is at position {position}: the framed row is its own pattern of fast waves and slow "
        "ones.",
        "{token} 在位置 {position}：框出的一行就是这个位置独有的图案，由快波和慢波叠成。",
    ),
    "positions.finding.waves": Word(
        "This dimension's wave repeats every {turn} positions; the slowest one takes {longest}.",
        "这一维的波每 {turn} 个位置重复一次；最慢的要 {longest} 个位置。",
    ),
    "positions.finding.distance": Word(
        "Two positions {k} apart are equally alike anywhere in the sentence: dot product {value}.",
        "相距 {k} 位的两个位置，在句中哪里都一样相似：点积是 {value}。",
    ),
    "positions.finding.rotation": Word(
        "Moving on by {k} {k|step|steps} turns this pair by {degrees}°, wherever one starts.",
        "前进 {k} 步，这一对总是转过 {degrees}°，与起点无关。",
    ),
    "positions.finding.sum": Word(
        "{token}: its meaning is a vector of length {embedding}; its position adds one of "
        "length {position}.",
        "{token}：词义是长 {embedding} 的向量，位置再加上长 {position} 的向量。",
    ),
    "positions.finding.own": Word(
        "Neighbouring positions have a cosine of {near} on average, distant ones of {far}.",
        "相邻位置的平均余弦为 {near}，较远的为 {far}。",
    ),
    "positions.finding.distances": Word(
        "Head {head} adds {near} to the score of a word's own place, {far} to the place {k} before: "
        "only the distance counts.",
        "第 {head} 个头给词自己的位置加 {near} 分，给前面第 {k} 个位置加 {far} 分：只看距离。",
    ),
    "positions.view": Word("Show", "显示"),
    "positions.view.table": Word("table and binary", "数表与二进制"),
    "positions.view.waves": Word("waves", "波形"),
    "positions.view.distance": Word("distances", "距离"),
    "positions.view.rotation": Word("a rotation", "旋转"),
    "positions.view.sum": Word("added to embeddings", "与词嵌入相加"),
    "positions.view.own": Word("what this model has", "本模型实际所用"),
    "positions.head": Word("head", "头"),
    "positions.layer": Word("layer", "层"),
    "positions.own.side": Word("Side", "哪一侧"),
    "positions.own.source": Word("encoder", "编码器"),
    "positions.own.target": Word("decoder", "解码器"),
    "positions.own.table": Word(
        "The vectors of the first {count} positions, {side}: row a position, column a dimension",
        "前 {count} 个位置的向量（{side}）：行为位置，列为维",
    ),
    "positions.own.cosines": Word(
        "Cosines of {count} positions: row and column a position",
        "{count} 个位置两两的余弦：行、列均为位置",
    ),
    "positions.own.curves": Word(
        "The bias of each head by distance, {stack}", "各头随距离变化的偏置（{stack}）"
    ),
    "positions.own.axis": Word(
        "distance: key minus query, in tokens", "距离：键的位置减查询的位置（词元数）"
    ),
    "positions.own.bias": Word("added to the score", "加到分数上的值"),
    "positions.own.head": Word("head {head}", "第 {head} 个头"),
    "positions.own.matrix": Word(
        "What head {head} adds to the scores of this sentence: row a query, column a key",
        "第 {head} 个头加到本句分数上的值：行为查询，列为键",
    ),
    "positions.own.reading.distance": Word(
        "Nothing is added to the embeddings. Self-attention adds a learnt number to each score, one "
        "for each head and distance between key and query: the curves. The same number stands in "
        "every cell of a diagonal of the matrix. Far distances share a number (T5, Raffel et al. "
        "2019); cross-attention has none.",
        "词嵌入上什么也没有加。自注意力在每个分数上加一个学来的数，每个头、每种键与查询的距离各一个，"
        "就是图中的曲线；矩阵同一条对角线上的格子都是同一个数。较远的距离共用一个数（T5，Raffel 等，"
        "2019）；交叉注意力没有这个偏置。",
    ),
    "positions.own.reading.table": Word(
        "Left: the model's own vector of each position. Right: the cosine of every two of them. A "
        "table that was learnt has no formula; a bright band along the diagonal shows that "
        "neighbours are alike.",
        "左：模型自己的每个位置的向量。右：两两的余弦。学来的表没有公式；沿对角线的亮带说明相邻位置相似。",
    ),
    "positions.length": Word("positions", "位置数"),
    "positions.size": Word("d_model", "d_model（维数）"),
    "positions.base": Word("base", "底数"),
    "positions.none": Word(
        "This model was trained without positions: nothing is added to its embeddings.",
        "这个模型训练时没有位置编码：词嵌入上什么也没有加。",
    ),
    "positions.learned": Word(
        "This model learned a vector for each position and has no waves; those of the paper are "
        "drawn.",
        "这个模型为每个位置学了一个向量，没有波形；这里画的是论文的波。",
    ),
    "positions.relative": Word(
        "This model adds a bias by distance to its scores and has no waves; those of the paper are "
        "drawn.",
        "这个模型在分数上加随距离变化的偏置，没有波形；这里画的是论文的波。",
    ),
    "positions.others": Word(
        "This model's waves have other lengths than the paper's, which are drawn.",
        "这个模型的波长与论文不同；这里画的是论文的波。",
    ),
    "positions.layout.interleaved": Word(
        "interleaved: sin, cos, sin, cos",
        "交错：sin、cos、sin、cos",
    ),
    "positions.layout.halves": Word("halves: all sin, all cos", "两半：先全部 sin，再全部 cos"),
    "positions.position": Word("position", "位置"),
    "positions.dimension": Word("dimension", "维"),
    "positions.k": Word("distance k", "距离 k"),
    "positions.reset": Word("Reset to the model", "恢复为模型的设置"),
    "positions.counted": Word(
        "Positions count from 1 here, as words do; in the paper's formula and in files the first "
        "is pos = 0. Dimensions and pairs count from 0.",
        "这里位置从 1 数起，和数词一样；在论文的公式和下载的文件里，第一个是 pos = 0。维和对从 0 数起。",
    ),
    "positions.axis.position": Word("position", "位置"),
    "positions.axis.pair": Word("pair i", "第 i 对"),
    "positions.axis.turn": Word("positions per cycle", "每周期的位置数"),
    "positions.axis.k": Word("distance k", "距离 k"),
    "positions.table.name": Word(
        "Table of {length} positions and {size} dimensions",
        "{length} 个位置、{size} 维的数表",
    ),
    "positions.table.axes": Word(
        "Row: a position. Column: a dimension of its vector.",
        "行：一个位置。列：该位置向量的一维。",
    ),
    "positions.formula": Word(
        "PE({position}, {dimension}) = {function}({position} / {base}^({power})) = "
        "{function}({angle}) = {value}; pair i = {pair}, one cycle every {turn} positions.",
        "PE({position}, {dimension}) = {function}({position} / {base}^({power})) = "
        "{function}({angle}) = {value}；第 i = {pair} 对，每 {turn} 个位置一个周期。",
    ),
    "positions.binary": Word("In binary, the same rows", "二进制，各行对应"),
    "positions.binary.name": Word(
        "The positions in binary: row a position, column a bit",
        "各位置的二进制：行为位置，列为二进制位",
    ),
    "positions.binary.note": Word(
        "{position} is {digits}. The last bit flips at every step, the one before it at every "
        "second step: fast and slow, like the sines of the first and the last pairs, except that "
        "those change smoothly.",
        "{position} 写作 {digits}。末位每步翻转一次，前一位每两步翻转一次：有快有慢，就像前几对和"
        "后几对正弦，只是正弦变得平滑。",
    ),
    "positions.waves.name": Word("The waves of four dimensions", "四个维度的波形"),
    "positions.waves.others": Word("compare with dimensions", "对比这几维"),
    "positions.waves.box": Word("Dimension of line {n}", "第 {n} 条线的维度"),
    "positions.waves.line": Word(
        "dimension {dimension} ({function}, pair {pair})",
        "第 {dimension} 维（{function}，第 {pair} 对）",
    ),
    "positions.waves.lengths": Word(
        "Wavelength of each pair: 2π · base^(2i/d)",
        "每对的波长：2π · base^(2i/d)",
    ),
    "positions.waves.lengths.name": Word(
        "Wavelength of each pair, on a logarithmic axis", "各对的波长（对数坐标）"
    ),
    "positions.waves.window": Word("the {length} positions shown", "当前显示的 {length} 个位置"),
    "positions.waves.dimension": Word("dimension", "维"),
    "positions.waves.pair": Word("pair i", "第 i 对"),
    "positions.waves.turn": Word("wavelength", "波长"),
    "positions.waves.formula": Word(
        "2π · {base}^({power}) = {turn}",
        "2π · {base}^({power}) = {turn}",
    ),
    "positions.distance.name": Word(
        "Dot product of two positions against their distance",
        "两个位置的点积随距离变化的曲线",
    ),
    "positions.distance.readout": Word(
        "At distance {k}: {value}. It is the sum of cos(k · rate) over all {pairs} pairs; a "
        "position with itself gives {most}.",
        "距离为 {k} 时：{value}。它是全部 {pairs} 对的 cos(k · 角频率) 之和；位置与自身的点积为 "
        "{most}。",
    ),
    "positions.matrix.name": Word(
        "Dot products of {count} positions: row and column a position",
        "{count} 个位置两两的点积：行、列均为位置",
    ),
    "positions.matrix.check": Word(
        "Row and column: a position (the first {count}). All cells of a diagonal are equal: "
        "they differ from the curve by at most {off}.",
        "行、列：位置（前 {count} 个）。同一条对角线上的格子都相等：与曲线最多相差 {off}。",
    ),
    "positions.circle.name": Word(
        "Pair {pair} on the unit circle: position {position} and position {next}",
        "单位圆上的第 {pair} 对：位置 {position} 与位置 {next}",
    ),
    "positions.rotation.pair": Word(
        "Pair i = {pair}: dimensions {sine} (sin) and {cosine} (cos)",
        "第 i = {pair} 对：第 {sine} 维（sin）与第 {cosine} 维（cos）",
    ),
    "positions.rotation.angle": Word(
        "k = {k} steps turn it by {k} / {base}^({power}) = {angle} rad ({degrees}°), wherever it "
        "starts. Drag either point, or use the sliders.",
        "前进 k = {k} 步，转过 {k} / {base}^({power}) = {angle} 弧度（{degrees}°），与起点无关。可"
        "拖动圆上的两个点，也可用滑块。",
    ),
    "positions.rotation.at": Word("position {n}", "位置 {n}"),
    "positions.rotation.formula": Word("directly from the formula", "直接按公式计算"),
    "positions.rotation.check": Word(
        "Over all {pairs} pairs, M_k PE(pos) and PE(pos + k) differ by at most {off}.",
        "在全部 {pairs} 对中，M_k PE(pos) 与 PE(pos + k) 最多相差 {off}。",
    ),
    "positions.rotation.note": Word(
        "M_k depends on k, not on pos. So a single linear map can look “k positions ahead” "
        "from any position: this is the reason the paper gives for sinusoids (section 3.5).",
        "M_k 只取决于 k，与 pos 无关。因此同一个线性映射在任何位置都能看向“往后 k 位”："
        "这正是论文 3.5 节选用正弦的理由。",
    ),
    "positions.sum.embedding": Word("embedding × √d_model", "词嵌入 × √d_model"),
    "positions.sum.embedding_plain": Word("embedding", "词嵌入"),
    "positions.sum.position": Word("+ position", "+ 位置编码"),
    "positions.sum.sum": Word("= input of layer 1", "= 第 1 层的输入"),
    "positions.sum.normed": Word("its norm: input of layer 1", "归一化后：第 1 层的输入"),
    "positions.sum.scale": Word("Column: a dimension. Colour:", "列：一维。颜色："),
    "positions.sum.dimension": Word("dimension", "维"),
    "positions.sum.raw": Word("embedding", "词嵌入"),
    "positions.sum.times": Word("× {factor}", "× {factor}"),
    "positions.sum.plus": Word("+ position", "+ 位置编码"),
    "positions.sum.equals": Word("= sum", "= 和"),
    "positions.sum.norms": Word(
        "Lengths of the vectors: embedding {raw}, times √{size} = {factor}: {scaled}; position "
        "{token} {position}; sum {sum}. Without the factor, an embedding of length {raw} "
        "would be added to a position of length {position}.",
        "向量长度：词嵌入 {raw}，乘以 √{size} = {factor} 后为 {scaled}；位置编码（位置 {token}）"
        "{position}；和 {sum}。若不乘这个系数，就是长 {raw} 的词嵌入加上长 {position} 的位置编码。",
    ),
    "positions.sum.norms_plain": Word(
        "Lengths of the vectors: embedding {raw}; position {token} {position}; sum {sum}. "
        "This model does not scale its embeddings; the paper multiplies them by √d_model = √{size}.",
        "向量长度：词嵌入 {raw}；位置编码（位置 {token}）{position}；和 {sum}。本模型的词嵌入直接相加；"
        "论文中先乘以 √d_model = √{size}。",
    ),
    "positions.sum.modified": Word(
        "The positions of the model are modified: these vectors are not those of the formula.",
        "模型的位置编码已被改动：这里的向量与公式不同。",
    ),
    "positions.sum.check": Word(
        "All tokens of this side: embedding + position differs from the model's own sum by at "
        "most {sum}, the model's positions from the formula by at most {formula}. The model's "
        "layout: {layout}.",
        "这一侧的全部词元：词嵌入 + 位置编码与模型自己的和最多相差 {sum}，"
        "模型的位置编码与公式最多相差 {formula}。模型的排列：{layout}。",
    ),
}
