"""The words of the exhibit `proof`."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "proof.title": Word("Do the numbers add up?", "数字对得上吗"),
    "proof.about": Word(
        "Whether your browser, running the model itself, gets the same numbers.",
        "浏览器自己运行模型，得到的数字是否相同。",
    ),
    "proof.lead": Word(
        "Your browser runs the shipped model itself and compares everything shown; for other "
        "models it checks that the numbers sent agree with each other. Change one number "
        "yourself: which line notices?",
        "浏览器自己运行内置的模型，与显示的一切逐一比较；"
        "对其他模型则检查发来的数值是否彼此相符。自己改动一个数，看哪一行会发现。",
    ),
    "proof.group.tokens": Word("Tokens and inputs", "词元与输入"),
    "proof.group.attention": Word("Attention, every layer and head", "注意力（所有层和头）"),
    "proof.group.output": Word("From the last state to log-probs", "从最后的状态到对数概率"),
    "proof.group.search": Word("The search, step by step", "搜索的每一步"),
    "proof.group.end": Word("The end of the search", "搜索的结果"),
    "proof.column.identity": Word("identity", "必须成立的等式"),
    "proof.column.holds": Word("result", "结果"),
    "proof.column.deviation": Word("largest deviation", "最大偏差"),
    "proof.column.tolerance": Word("allowed", "允许"),
    "proof.column.count": Word("compared", "比较个数"),
    "proof.chart": Word(
        "How far each identity is off, and how far it may be", "每个等式的偏差，以及允许的偏差"
    ),
    "proof.try": Word(
        "Dot: how far your browser's result is from what was shown; band: what rounding allows. Choose "
        "a line to change one of its numbers.",
        "圆点：浏览器的结果与显示值相差多少；色带：舍入允许的范围。点一行，就改动它的一个数。",
    ),
    "proof.beside.token": Word("written", "写出"),
    "proof.beside.shown": Word("log-prob shown", "显示的对数概率"),
    "proof.beside.own": Word("your browser's", "浏览器算出的"),
    "proof.state.holds": Word("holds", "成立"),
    "proof.state.fails": Word("broken", "不成立"),
    "proof.state.excused": Word("need not hold", "不必成立"),
    "proof.state.unchecked": Word("not checked here", "此处未检查"),
    "proof.state.none": Word("nothing to check", "无可检查的内容"),
    "proof.state.waiting": Word("waiting", "等待中"),
    # the identities
    "proof.line.tokens": Word(
        "Joined together, the tokens spell the two texts.", "词元拼接起来就是这两句话。"
    ),
    "proof.formula.tokens": Word("▁I + ▁am … = I am …", "▁I + ▁am … = I am …"),
    "proof.line.labels": Word(
        "Every id has its piece in the vocabulary, and the text shown is that piece.",
        "每个编号都对应词表里的词元，显示的也正是那个词元。",
    ),
    "proof.formula.labels": Word("id → piece → text", "编号 → 词元 → 文字"),
    "proof.line.read": Word(
        "The decoder reads the start token, then its own output.",
        "解码器先读句首符，然后读自己写出的词元。",
    ),
    "proof.formula.read": Word("read = <s> + written", "读入 = <s> + 已写出"),
    "proof.line.positions": Word("The position vectors match the formula.", "位置编码与公式一致。"),
    "proof.formula.positions": Word(
        "sin, cos(pos / 10000^(2i/d_model))", "sin, cos(pos / 10000^(2i/d_model))"
    ),
    "proof.line.inputs": Word(
        "The first layer's input is each token's embedding plus its position.",
        "每个词元的词嵌入加上位置编码，就是第一层的输入。",
    ),
    "proof.formula.inputs": Word("E · s + PE, s = √d_model or 1", "E · s + PE，s = √d_model 或 1"),
    "proof.line.rows": Word(
        "Each row of every head's weights sums to 1, to within 16-bit steps.",
        "每个头的注意力权重每一行之和为 1（精确到 16 位量化步长）。",
    ),
    "proof.formula.rows": Word("Σ w = 1", "Σ w = 1"),
    "proof.line.masked": Word(
        "A masked cell has a weight of exactly 0, and only cells that the rules forbid are masked.",
        "已掩码的位置权重恰好为 0，而且只有规则禁止的位置才被掩码。",
    ),
    "proof.formula.masked": Word("w = 0", "w = 0"),
    "proof.line.made": Word(
        "Queries, keys and values equal x (or the encoder output) times their matrices. Your "
        "browser checks this by projecting both sides onto a random ±1 vector r. Each "
        "sub-layer reads the output of the previous one.",
        "查询、键、值等于 x（或编码器输出）乘以各自的矩阵：浏览器随机抽取一个 ±1 向量 r，"
        "比较两边在 r 上的投影。每个子层读的正是前一个子层的输出。",
    ),
    "proof.formula.made": Word("q · r = x (W_Q r) + b · r", "q · r = x (W_Q r) + b · r"),
    "proof.line.weights": Word(
        "The weights on the page are the softmax of the scores, and only the parts that you "
        "switched off are off.",
        "页面上的权重就是分数的 softmax；关掉的也正好是你关掉的部分。",
    ),
    "proof.formula.weights": Word("softmax(QKᵀ/√d_k + mask)", "softmax(QKᵀ/√d_k + 掩码)"),
    "proof.line.output": Word(
        "All heads together give the sub-layer's output, in every layer.",
        "在每一层，所有头合起来就是子层的输出。",
    ),
    "proof.formula.output": Word(
        "softmax(QKᵀ/√d_k + mask) V W_O + b", "softmax(QKᵀ/√d_k + 掩码) V W_O + b"
    ),
    "proof.line.after": Word(
        "Residual + LayerNorm give the next input.", "残差连接加 LayerNorm 就是下一层的输入。"
    ),
    "proof.formula.after": Word(
        "LayerNorm(x + output); pre-norm: x + output", "LayerNorm(x + 输出)；前归一化：x + 输出"
    ),
    "proof.line.logits": Word(
        "The last state times the embedding matrix gives the logits; their log-softmax gives the "
        "log-probs of every step, and the most likely tokens are listed.",
        "最后的状态乘以词嵌入矩阵得到 logit，再取 log-softmax 就是每一步的对数概率；列出的正是最可能的词元。",
    ),
    "proof.formula.logits": Word("log softmax(state · Eᵀ + b)", "log softmax(状态 · Eᵀ + b)"),
    "proof.line.order": Word(
        "The most likely tokens of each step are listed in order, without repeats.",
        "每一步最可能的词元按概率从高到低排列，且没有重复。",
    ),
    "proof.formula.order": Word("log p₁ ≥ log p₂ ≥ …", "log p₁ ≥ log p₂ ≥ …"),
    "proof.line.entropy": Word(
        "The entropy of every step matches its logits.", "每一步的熵就是由 logit 算出的熵。"
    ),
    "proof.formula.entropy": Word("− Σ p log p", "− Σ p log p"),
    "proof.line.stepwise": Word(
        "Writing step by step gave the same log-probs as one pass over the whole translation.",
        "逐步解码得到的对数概率，与对整句译文一次前向计算的结果相同。",
    ),
    "proof.formula.stepwise": Word("search = teacher forcing", "搜索 = 教师强制"),
    "proof.line.candidates": Word(
        "The model, run again on each prefix of the search, gives every candidate the same "
        "log-prob.",
        "把搜索中的每个前缀重新输入模型，每个候选得到的对数概率都相同。",
    ),
    "proof.formula.candidates": Word("log p(token | prefix)", "log p(词元 | 前缀)"),
    "proof.line.best": Word(
        "Every hypothesis has as many continuations as the search considers; on the traced "
        "path they are the model's top tokens, with none left out.",
        "每条候选译文的后续词元个数，正是搜索要考虑的个数；在追踪的路径上，"
        "它们就是模型认为最可能的词元，没有遗漏。",
    ),
    "proof.formula.best": Word("best 2N of log p", "log p 最高的 2N 个"),
    "proof.line.draw": Word(
        "Your browser draws again with the same seed and settings, and gets the tokens written.",
        "浏览器用同样的种子和设置重新抽取，得到的正是写出的词元。",
    ),
    "proof.formula.draw": Word("seed → u → token", "种子 → u → 词元"),
    "proof.line.totals": Word(
        "A candidate's total is its parent's total plus its own log-prob.",
        "候选的累计值等于父候选的累计值加上自己的对数概率。",
    ),
    "proof.formula.totals": Word("total = parent + log p", "累计 = 父候选 + log p"),
    "proof.line.score": Word(
        "The steps add up to each hypothesis's log-prob; divided by the penalty, that is its "
        "score.",
        "各步相加等于候选译文的对数概率；除以长度惩罚就是得分。",
    ),
    "proof.formula.score": Word("Σ log p / penalty", "Σ log p / 惩罚"),
    "proof.line.fates": Word(
        "Which candidates are kept, pruned, finished or dropped follows from the search's rules.",
        "保留、剪去、完成还是落选，都符合搜索的规则。",
    ),
    "proof.formula.fates": Word("best 2N, N kept", "取最好的 2N 个，保留 N 个"),
    "proof.line.list": Word(
        "The list holds one hypothesis per beam, or all that finished if there are fewer.",
        "列表里的候选译文数等于束宽；完成的不足束宽时，则全部列出。",
    ),
    "proof.formula.list": Word("min(N, finished)", "min(N, 完成数)"),
    "proof.line.dropped": Word(
        "No hypothesis that was dropped scores above the last of the list.",
        "落选的候选译文得分都不高于列表里的最后一条。",
    ),
    "proof.formula.dropped": Word("dropped ≤ last", "落选 ≤ 最后一条"),
    "proof.line.stop": Word(
        "The search stopped at its limit, or once no running candidate could still enter the "
        "list, and no sooner.",
        "搜索到长度上限才停，或者等到未完成的候选都不可能再进入列表时才停，没有提前。",
    ),
    "proof.formula.stop": Word("best running ≤ last", "未完成的最高分 ≤ 最后一条"),
    "proof.line.texts": Word(
        "Each hypothesis's text, end and length match its path; the one shown is traced.",
        "每条候选译文的文字、结尾和长度都与其路径一致；追踪的正是当前这一条。",
    ),
    "proof.formula.texts": Word("path → ids → text", "路径 → 编号 → 文字"),
    "proof.line.doubt": Word(
        "The translation is marked doubtful exactly when its own numbers say so.",
        "译文是否存疑，完全由它自己的数值决定。",
    ),
    "proof.formula.doubt": Word(
        "mean log p, repeats, source read", "平均 log p、重复、原文读到的部分"
    ),
    # why an identity need not hold, or was not checked
    "proof.excuse.future": Word(
        "You let the decoder read the future, which exists only when the whole translation is "
        "read at once, so the two differ by design.",
        "你允许解码器读取后文：只有一次读入整句译文时后文才存在，因此两者理应不同。",
    ),
    "proof.excuse.shared": Word(
        "This model's search never writes certain tokens and gives their probability to the others.",
        "这个模型的搜索从不写出某些词元，并把它们的概率分给其余词元。",
    ),
    "proof.excuse.none": Word(
        "You removed the positions, so there are none to compare.",
        "你去掉了位置编码，没有可比较的内容。",
    ),
    "proof.excuse.shuffled": Word(
        "You shuffled the positions: each word has the vector of another position.",
        "你打乱了位置：每个词拿到的是别处的位置编码。",
    ),
    "proof.excuse.unknown": Word(
        "A word is unknown to the tokenizer, so its piece does not contain its letters.",
        "有分词器不认识的词，它的词元里没有原来的字母。",
    ),
    "proof.excuse.file": Word(
        "Not in this file: it needs more of the model's numbers. The page recomputes it.",
        "这个文件里没有：它需要模型更多的数值。网页上可以重新计算。",
    ),
    "proof.excuse.unseen": Word(
        "Beam sampling draws from all hypotheses together, but the browser has the "
        "distributions of the traced one only.",
        "束采样从全部候选译文中一起抽取，而浏览器只有所追踪的那一条的概率分布。",
    ),
    "proof.nothing.masked": Word("Nothing is masked here.", "这里没有被掩码的位置。"),
    "proof.nothing.draw": Word("This method draws no random numbers.", "这种方法不做随机抽取。"),
    "proof.nothing.dropped": Word("No hypothesis was dropped.", "没有落选的候选译文。"),
    # the run
    "proof.sum.holds": Word(
        "All {all} identities hold: the numbers the server sent are consistent.",
        "全部 {all} 个等式成立：服务器发来的数值彼此相符。",
    ),
    "proof.sum.some": Word(
        "{n} of {all} identities hold.",
        "{all} 个等式中有 {n} 个成立。",
    ),
    "proof.sum.excused": Word(
        "{n} need not hold, because of your changes.", "{n} 个在你的改动下不必成立。"
    ),
    "proof.sum.unchecked": Word("{n} {n|is|are} not checked here.", "{n} 个此处未检查。"),
    "proof.sum.limits": Word(
        "Not checked: that this model computed the numbers, and what other views request from "
        "the server (see the list).",
        "没有检查的是：这些数值是否真由这个模型算出，以及其他视图向服务器请求的内容（见列表）。",
    ),
    "proof.sum.fails": Word("Broken: {n} of {all} identities.", "{all} 个等式中有 {n} 个不成立。"),
    "proof.sum.waiting": Word(
        "Recomputing: {n} of {all} parts.", "正在重新计算：共 {all} 部分，已完成 {n}。"
    ),
    "proof.sum.stopped": Word(
        "Stopped: {n} of {all} identities hold so far.", "已停止：{all} 个等式中已有 {n} 个成立。"
    ),
    "proof.progress": Word("Parts recomputed", "已重新计算的部分"),
    "proof.stop": Word("Stop", "停止"),
    "proof.again": Word("Recompute", "重新计算"),
    "proof.change": Word("Change one number", "改动一个数"),
    "proof.unchanged": Word("none", "不改动"),
    "proof.changed": Word(
        "Changed by you, in this check only: {what}. The page and the model keep the true number.",
        "你改动了：{what}。改动只用于这次验证，页面和模型仍保留真实数值。",
    ),
    "proof.number.weight": Word(
        "the first weight of decoder self-attention, layer 1, head 1, + 0.01",
        "解码器自注意力第 1 层第 1 个头的第一个权重，+ 0.01",
    ),
    "proof.number.masked": Word(
        "the weight of the first masked cell, + 0.01", "第一个已掩码位置的权重，+ 0.01"
    ),
    "proof.number.output": Word(
        "the first number of a sub-layer's output, + 0.01", "某个子层输出的第一个数，+ 0.01"
    ),
    "proof.number.after": Word(
        "the first number after LayerNorm, + 0.01", "LayerNorm 之后的第一个数，+ 0.01"
    ),
    "proof.number.log_prob": Word(
        "the best hypothesis' log-prob at step 1, + 0.01", "最佳候选译文第 1 步的对数概率，+ 0.01"
    ),
    "proof.number.forced": Word(
        "the log-prob of the first token in the one-pass run, + 0.01",
        "一次前向计算中第一个词元的对数概率，+ 0.01",
    ),
    "proof.number.position": Word(
        "the first number of the first position vector, + 0.01",
        "第一个位置编码的第一个数，+ 0.01",
    ),
    "proof.number.token": Word(
        "the first number of the first embedding, + 0.01", "第一个词嵌入的第一个数，+ 0.01"
    ),
    "proof.number.piece": Word(
        "the first piece of the translation, one letter longer", "译文的第一个词元，多了一个字母"
    ),
    "proof.number.label": Word(
        "the text shown for the first candidate, one letter longer",
        "第一个候选显示的文字，多了一个字母",
    ),
    "proof.number.read": Word("the id of the first token read, + 1", "读入的第一个词元的编号，+ 1"),
    "proof.number.x": Word(
        "the first number of the queries' input, + 0.01", "用来算查询的向量的第一个数，+ 0.01"
    ),
    "proof.number.runner_up": Word(
        "the log-prob of the second most likely token at step 1, + 0.01",
        "第 1 步第二可能的词元的对数概率，+ 0.01",
    ),
    "proof.number.entropy": Word("the entropy of step 1, + 0.01", "第 1 步的熵，+ 0.01"),
    "proof.number.ranks": Word(
        "the two most likely tokens of step 1, swapped", "第 1 步最可能的两个词元，互换位置"
    ),
    "proof.number.unlikely": Word(
        "the last candidate of step 1, replaced by another token",
        "第 1 步最后一个候选，换成了另一个词元",
    ),
    "proof.number.seed": Word("the seed, + 1", "随机种子，+ 1"),
    "proof.number.listed": Word("the last hypothesis, left out", "最后一条候选译文，删去"),
    "proof.number.last_score": Word(
        "the score of the last hypothesis, − 9", "最后一条候选译文的得分，− 9"
    ),
    "proof.number.running": Word(
        "the total of a candidate still running at the end, + 9",
        "最后一步中一个未完成的候选的累计值，+ 9",
    ),
    "proof.number.doubt": Word(
        "whether the translation is marked doubtful: the opposite", "译文是否存疑：改成相反"
    ),
    "proof.number.candidate": Word(
        "the log-prob of the last candidate at step 1, + 0.01",
        "第 1 步最后一个候选的对数概率，+ 0.01",
    ),
    "proof.number.total": Word(
        "the total of the last candidate at step 1, − 0.01",
        "第 1 步最后一个候选的累计值，− 0.01",
    ),
    "proof.number.fate": Word(
        "the fate of the last candidate at step 1", "第 1 步最后一个候选的去向"
    ),
    "proof.number.hypothesis": Word(
        "the text of the last hypothesis, one letter longer", "最后一条候选译文，多了一个字母"
    ),
    "proof.layers": Word("Largest deviation of each sub-layer's output", "每个子层输出的最大偏差"),
    "proof.layer": Word("layer {n}", "第 {n} 层"),
    # the browser's own run of the model
    "proof.again.rerun": Word("Run it again", "再运行一次"),
    "proof.again.fetch": Word("Run the model here ({all} MB)", "在浏览器里运行模型（{all} MB）"),
    "proof.again.first": Word(
        "Not checked yet: your browser can run the model itself, after downloading {all} MB once.",
        "尚未检验：浏览器可以自己运行这个模型，只需下载一次 {all} MB。",
    ),
    "proof.again.loading": Word(
        "Downloading the model: {done} of {all} MB …", "正在下载模型：{done}/{all} MB……"
    ),
    "proof.again.running": Word("Running the model: step {step} …", "正在运行模型：第 {step} 步……"),
    "proof.again.failed": Word(
        "Your browser could not run the model: {why}", "浏览器没能运行模型：{why}"
    ),
    "proof.again.same": Word(
        "Your browser ran the model again: {n} numbers compared, largest difference {most}.",
        "浏览器重新运行了模型：比较了 {n} 个数，最大相差 {most}。",
    ),
    "proof.again.differs": Word(
        "Your browser ran the model again: {n} of {all} numbers do not match.",
        "浏览器重新运行了模型：{all} 个数中有 {n} 个对不上。",
    ),
    "proof.again.weights": Word(
        "The downloaded weights do not match the model card: their SHA-256 differs.",
        "下载到的权重与模型卡片不符：SHA-256 不同。",
    ),
    "proof.again.tie": Word(
        "From step {step} on, candidates are tied, so rounding decides their order.",
        "从第 {step} 步起有得分相等的候选，先后由舍入决定。",
    ),
    "proof.again.how": Word(
        "Your browser downloads the weights, computes their SHA-256, runs the network and the "
        "search on this sentence with your settings, and compares the result with what the "
        "server sent: tokens, every attention weight, every candidate, every hypothesis.",
        "浏览器下载权重、计算它的 SHA-256，按你的设置对这句话重新运行网络和搜索，"
        "再与服务器发来的结果逐一比较：词元、每个注意力权重、每个候选、每条候选译文。",
    ),
    "proof.again.table": Word("What was compared", "比较了什么"),
    "proof.again.what": Word("shown on the page", "页面上显示的"),
    "proof.again.equal": Word("the same", "相同"),
    "proof.again.off": Word("{n} {n|differs|differ}", "{n} 个不同"),
    "proof.again.other": Word("different text or position", "文字或位置不同"),
    "proof.again.differences": Word("What differs", "不同之处"),
    "proof.again.none": Word("Nothing differs.", "没有不同之处。"),
    "proof.again.place": Word("position", "位置"),
    "proof.again.shown": Word("shown", "显示的"),
    "proof.again.own": Word("your browser's", "浏览器算出的"),
    "proof.again.untold": Word("Not compared:", "没有比较的："),
    "proof.again.comma": Word("; ", "；"),
    "proof.again.stop": Word(".", "。"),
    "proof.untold.seconds": Word("the time it took", "所用的时间"),
    "proof.untold.device": Word("the device", "运行的设备"),
    "proof.untold.views": Word(
        "views' requests about other sentences or models, rankings, scores and timings, and "
        "all but the last 40 replies",
        "各视图对其他句子或模型的请求，排名、成绩和计时，以及除最近 40 个以外的回答",
    ),
    "proof.untold.training": Word(
        "the model's training, the card's scores, whether the translation is right",
        "模型的训练过程、模型卡片上的成绩，以及译得对不对",
    ),
    "proof.untold.scripts": Word(
        "whether the card and these scripts are the published ones: the same server sent them",
        "模型卡片和这些脚本是否就是公开发布的那一份：它们也由同一台服务器发来",
    ),
    "proof.part.weights": Word("Weights: SHA-256, as on the card", "权重：SHA-256 与模型卡片一致"),
    "proof.part.asked": Word(
        "Sentence, settings, changes and model, as you chose them",
        "句子、设置、改动和模型，与你的要求一致",
    ),
    "proof.part.tokens": Word("Tokens and their ids, both texts", "词元及其编号，原文和译文"),
    "proof.part.encoder_self": Word("Attention: encoder", "注意力：编码器"),
    "proof.part.decoder_self": Word("Attention: decoder", "注意力：解码器"),
    "proof.part.cross": Word("Attention: decoder to source", "注意力：解码器到原文"),
    "proof.part.predictions": Word(
        "Each step: most likely tokens, log-probs, entropy", "每一步：最可能的词元、对数概率、熵"
    ),
    "proof.part.candidates": Word(
        "Every candidate of the search: token, parent, log-prob, total",
        "搜索的每个候选：词元、父候选、对数概率、累计值",
    ),
    "proof.part.fates": Word("The fate of each candidate; draws", "每个候选的去向；随机抽取"),
    "proof.part.hypotheses": Word(
        "Hypotheses: text, path, score, length", "候选译文：文字、路径、得分、长度"
    ),
    "proof.part.doubt": Word("Whether the translation is marked doubtful", "译文是否存疑"),
    "proof.part.answers": Word(
        "Replies to the views about this sentence so far", "各视图到目前为止就这句话得到的结果"
    ),
    # what no identity tells
    "proof.unchecked.server": Word(
        "Whether the server ran this model with these weights: all numbers come from it, and an "
        "error that is the same everywhere goes unnoticed.",
        "服务器是否真用这组权重运行了这个模型：所有数值都由它发来，若处处以同样的方式出错，这里发现不了。",
    ),
    "proof.unchecked.search": Word(
        "The top tokens after each untraced hypothesis: only the ones the page lists are "
        "checked against a second run.",
        "未追踪的候选译文之后最可能的词元：只有列出的候选才与模型重新计算的结果比较。",
    ),
    "proof.unchecked.layers": Word(
        "The feed-forward sub-layers, and so how one layer leads to the next.",
        "前馈子层，因此也包括一层怎样得出下一层。",
    ),
    "proof.unchecked.views": Word(
        "What other views request from the server: logit lens, occlusion, summaries, original "
        "and modified model, word order, training checkpoints, comparisons of methods and "
        "models, rankings of heads, BLEU, parameter counts.",
        "其他视图向服务器请求的内容：逐层预测（logit lens）、遮挡法、汇总图、"
        "原模型与改动后的模型、词序、训练检查点、方法与模型的比较、头的排名、BLEU、参数个数。",
    ),
    "proof.unchecked.card": Word(
        "The model's name, device and defaults, the time taken, its training and its scores; "
        "and whether the translation is right.",
        "模型的名称、设备和默认设置，所用的时间，它的训练和成绩；以及译得对不对。",
    ),
    "proof.note": Word(
        "The model works in single precision (about 7 digits), the browser in double. The "
        "remaining deviation is rounding, which grows with the numbers added.",
        "模型用单精度（约 7 位有效数字）计算，浏览器用双精度。剩下的偏差来自舍入，"
        "相加的数越多越大。",
    ),
}
