"""The words of the exhibit `summaries`."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "summaries.title": Word("Heads against occlusion", "注意力与遮挡法对照"),
    "summaries.about": Word(
        "Are the words that heads read the words that matter?",
        "注意力头读得多的词，是不是真的重要。",
    ),
    "summaries.lead": Word(
        "One map merges many heads; the other shows what the translation loses without each "
        "source word. Do they agree?",
        "一张图把许多头合并在一起，另一张图显示去掉每个原文词后译文的损失。两者一致吗？",
    ),
    "summaries.kind": Word("Kind of attention", "注意力的种类"),
    "summaries.way": Word("How to merge the heads", "怎样合并各头"),
    "summaries.layer": Word("Layers", "层"),
    "summaries.all": Word("all layers", "所有层"),
    "summaries.up_to": Word("up to layer {n}", "到第 {n} 层为止"),
    "summaries.way.mean": Word("mean of heads", "各头平均"),
    "summaries.way.max": Word("largest of heads", "各头最大"),
    "summaries.way.rollout": Word("rollout", "注意力展开（rollout）"),
    "summaries.finding.same": Word(
        "{row} looks mostly at {col} and needs it most: without it, {share} of its "
        "probability is left.",
        "{row} 看得最多的是 {col}，最离不开的也是它：去掉它，概率只剩原来的 {share}。",
    ),
    "summaries.finding.same.none": Word(
        "{row} looks mostly at {col} and needs it most: without it, almost nothing of its "
        "probability is left.",
        "{row} 看得最多的是 {col}，最离不开的也是它：去掉它，概率几乎为零。",
    ),
    "summaries.finding.other": Word(
        "{row} looks mostly at {col} but needs {gone} more: without it, {share} of its "
        "probability is left.",
        "{row} 看得最多的是 {col}，最离不开的却是 {gone}：去掉它，概率只剩原来的 {share}。",
    ),
    "summaries.finding.other.none": Word(
        "{row} looks mostly at {col} but needs {gone} more: without it, almost nothing of its "
        "probability is left.",
        "{row} 看得最多的是 {col}，最离不开的却是 {gone}：去掉它，概率几乎为零。",
    ),
    "summaries.finding.alike": Word(
        "{row} looks mostly at one {col} but needs another more: without it, {share} of its "
        "probability is left.",
        "{row} 看得最多的是一个 {col}，最离不开的却是另一个：去掉它，概率只剩原来的 {share}。",
    ),
    "summaries.finding.alike.none": Word(
        "{row} looks mostly at one {col} but needs another more: without it, almost nothing of its "
        "probability is left.",
        "{row} 看得最多的是一个 {col}，最离不开的却是另一个：去掉它，概率几乎为零。",
    ),
    "summaries.finding.stays": Word(
        "{row} looks mostly at {col}, which always stays; of the others it needs {gone} most.",
        "{row} 看得最多的是始终保留的 {col}；其余的词里，最离不开的是 {gone}。",
    ),
    "summaries.finding.none": Word(
        "{row} looks mostly at {col}; taking any one word away costs it nothing.",
        "{row} 看得最多的是 {col}；单独去掉哪个词都没有损失。",
    ),
    "summaries.finding.read": Word("{row} looks mostly at {col}.", "{row} 看得最多的是 {col}。"),
    "summaries.finding.other_kind": Word(
        "{row} looks mostly at {col}: {weight} of its weight.",
        "{row} 看得最多的是 {col}：权重占 {weight}。",
    ),
    "summaries.name.mean": Word("Summary: mean · {kind}", "汇总：平均 · {kind}"),
    "summaries.name.max": Word("Summary: largest · {kind}", "汇总：最大 · {kind}"),
    "summaries.name.rollout": Word("Summary: rollout · {kind}", "汇总：展开 · {kind}"),
    "summaries.says.mean": Word(
        "A summary: the mean of {count} heads. No single head reads like this.",
        "这是汇总：{count} 个头的平均。没有哪个头真的这样读。",
    ),
    "summaries.says.max": Word(
        "A summary: in each cell, the largest weight of {count} heads. Rows do not add up to 1.",
        "这是汇总：每一格取 {count} 个头中的最大权重。各行之和不等于 1。",
    ),
    "summaries.says.rollout": Word(
        "A summary: attention rollout (Abnar and Zuidema 2020) up to layer {layers}. Values, "
        "feed-forward layers and norms are left out.",
        "这是汇总：注意力展开（Abnar 与 Zuidema，2020），一直算到第 {layers} 层。值向量、前馈"
        "层和归一化都没有计入。",
    ),
    "summaries.off.short": Word("{off} {off|head|heads} off", "已关闭 {off} 个头"),
    "summaries.off": Word(
        "{off} of these heads {off|is|are} switched off: what {off|it reads|they read} is in the "
        "map, but not passed on.",
        "其中 {off} 个头已关闭：它们读到的也在图中，但不会往下传。",
    ),
    "summaries.rows": Word(
        "Each row adds up to {sum}; the rest is the decoder's own input.",
        "每行之和为 {sum}，其余来自解码器自己的输入。",
    ),
    "summaries.rollout": Word(
        "Rollout: A is the mean of a layer's heads. A layer counts as ½ A + ½ I, where ½ I "
        "stands for its residual connection.",
        "注意力展开：A 是一层各头的平均，每层记作 ½ A + ½ I，其中 ½ I 代表残差连接。",
    ),
    "summaries.rollout.encoder_self": Word(
        "Encoder: the layers are multiplied, the last on the left. The product is R.",
        "编码器：各层相乘，最后一层在最左，乘积记作 R。",
    ),
    "summaries.rollout.decoder_self": Word(
        "Decoder: the same with its self-attention; cross-attention is left out.",
        "解码器：用它的自注意力同样相乘，不计交叉注意力。",
    ),
    "summaries.rollout.cross": Word(
        "Cross-attention C, through all of the encoder: from X = 0, each decoder layer makes X "
        "← ½ (½ A + ½ I) X + ½ C R, because C has its own residual connection.",
        "交叉注意力 C 要经过整个编码器：从 X = 0 开始，每个解码器层令 X ← ½ (½ A + ½ I) X + ½ C"
        " R，因为 C 也有自己的残差连接。",
    ),
    "summaries.occlusion": Word("Not attention: occlusion", "不是注意力：遮挡法"),
    "summaries.occlusion.axes": Word(
        "Row: the word written. Column: the source word removed.",
        "行：写出的词。列：被去掉的原文词。",
    ),
    "summaries.occlusion.says": Word(
        "For each source token, the model runs once without it and writes the same "
        "translation. Each cell is the change in the written token's log-prob: blue and − "
        "where it became less likely.",
        "每次去掉一个原文词元再运行模型，译文保持不变。每格是写出的词元对数概率的变化："
        "蓝色和负号表示概率变小。",
    ),
    "summaries.change": Word("change", "变化"),
    "summaries.step": Word("Losses of {row} (step {n})", "{row}（第 {n} 步）的损失"),
    "summaries.token": Word("source token", "原文词元"),
    "summaries.weight": Word("weight", "权重"),
    "summaries.rho": Word("correlation", "相关系数"),
    "summaries.count": Word("cells", "格数"),
    "summaries.reads": Word(
        "In the summary, {row} reads {col} with weight", "汇总中，{row} 读 {col}，权重为"
    ),
    "summaries.without": Word(
        "Without {col}, the log-prob of {row} changes by", "去掉 {col} 后，{row} 的对数概率变化"
    ),
    "summaries.stays": Word("{col} is never removed.", "{col} 始终保留。"),
    "summaries.times": Word(
        "Its probability is multiplied by {times}.", "概率变为原来的 {times} 倍。"
    ),
    "summaries.agree": Word("Do they agree?", "两者一致吗？"),
    "summaries.agree.name": Word("rank correlation", "秩相关系数"),
    "summaries.agree.all": Word("all cells", "所有格"),
    "summaries.agree.row": Word("the row of {row}", "{row} 这一行"),
    "summaries.agree.says": Word(
        "Spearman's rank correlation between weight and loss of log-prob: 1 for the same "
        "order, 0 for no relation. Tokens that are never removed do not count.",
        "权重与对数概率损失的斯皮尔曼秩相关系数：1 表示次序相同，0 表示无关。"
        "始终保留的词元不计在内。",
    ),
    "summaries.agree.cross": Word(
        "Only cross-attention has the same rows and columns as occlusion: choose it to compare.",
        "只有交叉注意力的行和列与遮挡法相同，选它才能比较。",
    ),
    "summaries.cells": Word("{count} cells", "{count} 格"),
    "summaries.proof": Word("What attention weights do not prove", "注意力权重不能证明什么"),
    "summaries.proof.jain": Word(
        "A large weight does not prove that a word decided the output: other weights often "
        "give the same output (Jain and Wallace 2019).",
        "权重大，不能证明输出由这个词决定：常常能找到另一组权重，得到同样的输出（Jain 与 Wall"
        "ace，2019）。",
    ),
    "summaries.proof.wiegreffe": Word(
        "Weights are not meaningless either: a model would seldom learn those other weights "
        "(Wiegreffe and Pinter 2019).",
        "但权重也并非毫无意义：模型自己很少会学到那样的另一组权重（Wiegreffe 与 Pinter，2019）。",
    ),
    "summaries.proof.occlusion": Word(
        "Occlusion has limits too: where two words mean the same, removing either one may cost "
        "nothing.",
        "遮挡法也有局限：两个词意思相同时，单独去掉哪一个都可能没有损失。",
    ),
}
