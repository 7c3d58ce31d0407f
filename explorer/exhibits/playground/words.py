"""The words of the exhibit `playground`."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "view.playground": Word("Train one", "自己训练"),
    "playground.title": Word("Train a Transformer", "训练一个 Transformer"),
    "playground.about": Word(
        "Train a small Transformer with or without one of its parts.",
        "在这里训练一个小 Transformer，试试少了某一部分会怎样。",
    ),
    "playground.lead": Word(
        "Pick a question, guess, and train a small Transformer here. Its loss, accuracy and heads change while you watch.",
        "选一个问题，先猜结果，再当场训练一个小 Transformer。你会看着它的损失、准确率和各个头一步步变化。",
    ),
    "playground.presets": Word("Questions", "问题"),
    "playground.preset.positions": Word("Without positions?", "没有位置编码？"),
    "playground.preset.count": Word("Counting without positions?", "没有位置编码，能数数吗？"),
    "playground.preset.mask": Word("Without the causal mask?", "没有因果掩码？"),
    "playground.preset.heads": Word("One head or four?", "一个头还是四个头？"),
    "playground.preset.residual": Word("Six layers without residuals?", "六层，没有残差？"),
    "playground.preset.warmup": Word("No warm-up?", "没有预热？"),
    "playground.preset.scaling": Word("Without √d_k?", "不除以 √d_k？"),
    "playground.preset.sooner": Word("Which learns sooner?", "哪个先学会？"),
    "playground.preset.further": Word("Which goes further?", "哪个能写得更长？"),
    "playground.preset.own": Word("Your own", "自己设置"),
    "playground.asks.positions": Word(
        "Without positions, can a Transformer still reverse eight letters?",
        "去掉位置编码，Transformer 还能把八个字母倒过来写吗？",
    ),
    "playground.asks.count": Word(
        "Without positions, can it at least count the letter a?",
        "同样没有位置编码，但只需要数字母 a 有几个。它做得到吗？",
    ),
    "playground.asks.mask": Word(
        "If training shows it the next digit, how many sums can it do on its own?",
        "学习加法时，让解码器看得到它要写的那一位数字。等到它自由生成时，能做对多少道题？",
    ),
    "playground.asks.heads": Word(
        "One large head instead of four: can it still reverse eight letters?",
        "把四个小头换成一个大头，它还能把八个字母倒过来写吗？",
    ),
    "playground.asks.residual": Word(
        "Six layers without residuals: can they learn to reverse six letters?",
        "在六层的网络里去掉绕过各子层的残差连接，它还能学会把六个字母倒过来写吗？",
    ),
    "playground.asks.warmup": Word(
        "At the full learning rate from the start, does it learn to reverse?",
        "不预热，一开始就用最大的学习率，它还学得会倒序吗？",
    ),
    "playground.asks.scaling": Word(
        "Without dividing the scores by √d_k = √64, does it learn to reverse?",
        "分数不除以 √d_k = √64，它还学得会倒序吗？",
    ),
    "playground.asks.sooner": Word(
        "{first} (A) or {second} (B), equally large: which learns to reverse eight letters first?",
        "{first}（A）和 {second}（B）一样大：哪个先学会把八个字母倒过来写？",
    ),
    "playground.asks.further": Word(
        "Trained on at most eight letters: which reverses longer words, {first} (A) or {second} (B)?",
        "训练时最多八个字母：{first}（A）和 {second}（B），哪个能倒写更长的词？",
    ),
    "playground.made.paper": Word("Paper 2017", "论文 2017"),
    "playground.made.bart": Word("BART 2019", "BART 2019"),
    "playground.made.t5": Word("T5 2020", "T5 2020"),
    "playground.made.mixed": Word("a mixture", "混合"),
    "playground.entrant.first": Word("Model A", "模型 A"),
    "playground.entrant.second": Word("Model B", "模型 B"),
    "playground.sizes.both": Word(
        "A has {first} parameters, B {second}.", "A 有 {first} 个参数，B 有 {second} 个。"
    ),
    "playground.own": Word(
        "Change anything, then train. Keep a run to compare it with the next one.",
        "随意更改设置，然后训练。可以保留一次训练，与下一次叠在一起比较。",
    ),
    "playground.guess": Word("Your guess: it gets right", "你猜能写对多少"),
    "playground.guess.race": Word("Your guess", "你猜是"),
    "playground.guess.bounds": Word(
        "Almost all: at least {learnt} % of whole outputs right. Few: under {failed} %. Some: "
        "in between.",
        "“几乎全部”：整条写对 {learnt} % 以上；“很少”：不到 {failed} %；“一部分”：介于两者之间。",
    ),
    "playground.finding.both": Word(
        "As in the paper (A), {first} of the outputs are wholly right; with the change (B), "
        "{second}.",
        "按论文设置（A），{first} 的输出整条写对；改动后（B）是 {second}。",
    ),
    "playground.finding.one": Word(
        "After {updates} updates, {name} gets {right} of unseen outputs wholly right.",
        "训练 {updates} 步后，{name}在没见过的输入上整条写对 {right}。",
    ),
    "playground.finding.loss": Word(
        "{name} ends at a loss of {loss} per token; too few inputs to test.",
        "{name}最后的损失是每个词元 {loss}；输入太少，无法测试。",
    ),
    "playground.finding.sooner": Word(
        "Half of the outputs right: A {first}, B {second}.",
        "一半的输出写对：A {first}，B {second}。",
    ),
    "playground.race.after": Word("after {n} updates", "用了 {n} 步"),
    "playground.race.never": Word("never", "始终没做到"),
    "playground.finding.further": Word(
        "Words longer than any in training: A gets {first} of them wholly right, B {second}.",
        "比训练时都长的输入：A 整条写对 {first}，B {second}。",
    ),
    "playground.short.learnt": Word("almost all", "几乎全部"),
    "playground.short.partly": Word("some", "一部分"),
    "playground.short.failed": Word("few", "很少"),
    "playground.short.neither": Word("no difference", "没有差别"),
    "playground.verdict.right": Word("As you guessed: {found}.", "你猜对了：{found}。"),
    "playground.verdict.wrong": Word(
        "You guessed {guess}; it was {found}.", "你猜的是“{guess}”，结果是“{found}”。"
    ),
    "playground.verdict.none": Word("The answer: {found}.", "结果是：{found}。"),
    "playground.train": Word("Train", "训练"),
    "playground.train.change": Word("Train with and without", "有和没有，各训练一个"),
    "playground.train.heads": Word("Train one and four", "一个头和四个头，各训练一个"),
    "playground.train.race": Word("Train A and B", "训练 A 和 B"),
    "playground.pause": Word("Pause", "暂停"),
    "playground.continue": Word("Continue", "继续"),
    "playground.stop": Word("Stop", "停止"),
    "playground.keep": Word("keep the last run to compare", "保留上一次训练作比较"),
    "playground.recorded": Word("Step through the run", "回看训练过程"),
    "playground.at": Word("update {n}", "第 {n} 步"),
    "playground.model": Word("The model", "模型"),
    "playground.state.next": Word("{name} is next.", "接下来训练 {name}。"),
    "playground.state.waiting": Word(
        "{name} is waiting: no. {place} in the queue.",
        "{name} 正在排队：第 {place} 位。",
    ),
    "playground.state.running": Word(
        "{name} is training: update {update} of {updates}, {seconds} s of processor time.",
        "正在训练 {name}：第 {update} 步，共 {updates} 步，处理器时间 {seconds} 秒。",
    ),
    "playground.state.paused": Word(
        "{name} is paused at update {update} of {updates}.",
        "{name} 已暂停：第 {update} 步，共 {updates} 步。",
    ),
    "playground.state.diverged": Word(
        "{name} diverged: at update {update} its numbers grew too large. Try a lower learning rate.",
        "{name} 发散了：到第 {update} 步，数值大得无法计算。可以降低学习率。",
    ),
    "playground.state.stopped": Word(
        "{name} was stopped after update {update}.", "{name} 在第 {update} 步后停止。"
    ),
    "playground.state.failed": Word("{name} could not be trained.", "{name} 未能训练。"),
    "playground.cut": Word(
        "It was cut off at {seconds} s of processor time.",
        "到了 {seconds} 秒处理器时间的上限，已中止。",
    ),
    "playground.broken": Word(
        "The training process ended. Press Train to start again.",
        "训练进程已结束。请点“训练”重新开始。",
    ),
    "playground.settings": Word("Settings of the run", "训练设置"),
    "playground.group.sizes": Word("Sizes", "规模"),
    "playground.group.parts": Word("Parts of the model", "模型的部件"),
    "playground.group.training": Word("Training", "训练"),
    "playground.task": Word("Task", "任务"),
    "playground.task.copy": Word("Copy", "照抄"),
    "playground.task.reverse": Word("Reverse", "倒序"),
    "playground.task.sort": Word("Sort", "排序"),
    "playground.task.count": Word("Count a letter", "数字母"),
    "playground.task.add": Word("Add two numbers", "两数相加"),
    "playground.task.date": Word("ISO dates", "ISO 日期"),
    "playground.rule.copy": Word("Write the same letters.", "写出相同的字母。"),
    "playground.rule.reverse": Word(
        "Write the letters from last to first.", "从最后一个字母写到第一个。"
    ),
    "playground.rule.sort": Word(
        "Write the letters in alphabetical order.", "按字母表顺序写出这些字母。"
    ),
    "playground.rule.count": Word(
        "Write how often the letter a occurs.", "写出字母 a 出现了几次。"
    ),
    "playground.rule.add": Word(
        "Write the sum, last digit first, as you add by hand. Some of the numbers in training have "
        "fewer digits; those in the test are drawn from the whole range.",
        "写出两数之和，从个位写起，就像竖式计算。练习用的数有些位数较少，测试用的数在全部范围内任取。",
    ),
    "playground.rule.date": Word("Write the date as year-month-day.", "把日期写成“年-月-日”。"),
    "playground.length": Word("Length", "长度"),
    "playground.alphabet": Word("Alphabet", "字母表"),
    "playground.length.letters": Word("Letters in each example", "每个例子的字母数"),
    "playground.length.digits": Word("Digits of each number", "每个数的位数"),
    "playground.alphabet.letters": Word("Different letters", "不同的字母"),
    "playground.alphabet.digits": Word("Different digits", "不同的数字"),
    "playground.set.shorter": Word("Shorter ones, too", "也练更短的例子"),
    "playground.why.shorter": Word(
        "Train on all lengths up to this one, and try every length afterwards.",
        "训练时长短都有，最长到这里；训练完每种长度都试一遍。",
    ),
    "playground.examples": Word("Examples of the task", "任务的例子"),
    "playground.parameters": Word(
        "{n} parameters (at most {most})", "{n} 个参数（最多 {most} 个）"
    ),
    "playground.parts": Word("All parts of", "全部部件取自"),
    "playground.why.parts": Word(
        "Sets the parts below, and d_ff so that the size stays the same.",
        "一次设好下面的部件，并调整 d_ff，让模型大小不变。",
    ),
    "playground.positions.sinusoids": Word("sinusoids (the paper)", "正弦波（论文）"),
    "playground.positions.learned": Word("learned", "学出来的"),
    "playground.positions.relative": Word("by distance", "按距离"),
    "playground.positions.none": Word("none", "不用"),
    "playground.why.positions.sinusoids": Word(
        "Waves mark every place. Vaswani et al., 2017.", "用正弦波标出每个位置。Vaswani 等，2017。"
    ),
    "playground.why.positions.learned": Word(
        "A learned vector for every place. Gehring et al., 2017; BART.",
        "每个位置学一个向量。Gehring 等，2017；BART。",
    ),
    "playground.why.positions.relative": Word(
        "A learned number for every distance, added to the scores. Shaw et al., 2018; T5.",
        "每个距离学一个数，加到分数上。Shaw 等，2018；T5。",
    ),
    "playground.why.positions.none": Word(
        "Nothing tells the model where a letter is.", "模型不知道字母在哪里。"
    ),
    "playground.set.positions": Word("Positions", "位置编码"),
    "playground.set.causal_mask": Word("Causal mask", "因果掩码"),
    "playground.why.causal_mask": Word(
        "Hide the letters still to be written. Vaswani et al., 2017.",
        "藏起还没写到的字母。Vaswani 等，2017。",
    ),
    "playground.set.residual": Word("Residuals", "残差连接"),
    "playground.why.residual": Word(
        "Add the input of a sub-layer to its output. He et al., 2015.",
        "把子层的输入加到它的输出上。He 等，2015。",
    ),
    "playground.set.scaling": Word("Divide by √d_k", "除以 √d_k"),
    "playground.why.scaling": Word(
        "Keep scores small. Vaswani et al., 2017. T5 has smaller first queries instead.",
        "让分数保持较小。Vaswani 等，2017。T5 改为让查询一开始就较小。",
    ),
    "playground.set.tied": Word("Tied embeddings", "共享嵌入矩阵"),
    "playground.why.tied": Word(
        "Use one matrix to read and to write letters. Press and Wolf, 2016.",
        "读字母和写字母用同一个矩阵。Press 和 Wolf，2016。",
    ),
    "playground.set.biases": Word("Biases", "偏置"),
    "playground.why.biases": Word(
        "Vectors that linear maps and norms add. Off: Raffel et al., 2019 (T5).",
        "线性映射和归一化加上的向量。去掉：Raffel 等，2019（T5）。",
    ),
    "playground.set.norm": Word("Place of the norm", "归一化的位置"),
    "playground.norm.post": Word("post (the paper)", "后置（论文）"),
    "playground.norm.pre": Word("pre", "前置"),
    "playground.norm.none": Word("none", "不用"),
    "playground.why.norm.post": Word(
        "After adding the input. Vaswani et al., 2017.", "加上输入之后归一化。Vaswani 等，2017。"
    ),
    "playground.why.norm.pre": Word(
        "Before every sub-layer. Radford et al., 2019 (GPT-2); T5.",
        "进入每个子层之前归一化。Radford 等，2019（GPT-2）；T5。",
    ),
    "playground.why.norm.none": Word("Nothing is normalised.", "从不归一化。"),
    "playground.set.norm_kind": Word("Norm", "归一化"),
    "playground.norm_kind.layer": Word("LayerNorm (the paper)", "LayerNorm（论文）"),
    "playground.norm_kind.rms": Word("RMSNorm", "RMSNorm（均方根）"),
    "playground.why.norm_kind.layer": Word(
        "Subtracts the mean and divides by the spread. Ba et al., 2016.",
        "减去均值，再除以标准差。Ba 等，2016。",
    ),
    "playground.why.norm_kind.rms": Word(
        "Divides by the size alone. Zhang and Sennrich, 2019; T5.",
        "只除以大小（均方根）。Zhang 和 Sennrich，2019；T5。",
    ),
    "playground.set.feed_forward": Word("Feed-forward", "前馈网络"),
    "playground.feed_forward.relu": Word("ReLU (the paper)", "ReLU（论文）"),
    "playground.feed_forward.gelu": Word("GELU", "GELU（平滑）"),
    "playground.feed_forward.gated_gelu": Word("gated GELU", "门控 GELU"),
    "playground.why.feed_forward.relu": Word(
        "Cuts off below zero. Glorot et al., 2011; the paper.",
        "小于零的一律变成零。Glorot 等，2011；论文。",
    ),
    "playground.why.feed_forward.gelu": Word(
        "A smooth ReLU. Hendrycks and Gimpel, 2016; BART.",
        "平滑的 ReLU。Hendrycks 和 Gimpel，2016；BART。",
    ),
    "playground.why.feed_forward.gated_gelu": Word(
        "A second map multiplies every unit. Shazeer, 2020; T5.",
        "每个单元再乘上另一个线性映射。Shazeer，2020；T5。",
    ),
    "playground.set.embedding": Word("Token vectors", "词元向量"),
    "playground.embedding.scaled": Word("times √d_model", "乘以 √d_model"),
    "playground.embedding.plain": Word("as they are", "原样"),
    "playground.embedding.normed": Word("normalised", "归一化"),
    "playground.why.embedding.scaled": Word(
        "As large as the positions added to them. Vaswani et al., 2017.",
        "放大到和位置向量相当。Vaswani 等，2017。",
    ),
    "playground.why.embedding.plain": Word(
        "Neither scaled nor normalised. Raffel et al., 2019 (T5).",
        "不放大，也不归一化。Raffel 等，2019（T5）。",
    ),
    "playground.why.embedding.normed": Word(
        "LayerNorm once positions are added. Devlin et al., 2018 (BERT); BART.",
        "加上位置之后做层归一化。Devlin 等，2018（BERT）；BART。",
    ),
    "playground.set.layers": Word("Layers", "层数"),
    "playground.why.layers": Word(
        "In the encoder; the decoder has the same number.", "编码器的层数，解码器也是这么多层。"
    ),
    "playground.set.heads": Word("Heads", "头数"),
    "playground.why.heads": Word(
        "They share d_model: each head has d_model / heads dimensions (d_k).",
        "各头平分 d_model：每个头有 d_model ÷ 头数（即 d_k）维。",
    ),
    "playground.set.d_model": Word("d_model (vector length)", "d_model（向量长度）"),
    "playground.why.d_model": Word(
        "Numbers in each letter's vector.", "每个字母的向量有多少个数。"
    ),
    "playground.set.d_ff": Word("d_ff", "d_ff"),
    "playground.why.d_ff": Word(
        "Hidden units of the feed-forward network.", "前馈网络有多少个隐藏单元。"
    ),
    "playground.set.rate": Word("Peak learning rate", "最大学习率"),
    "playground.why.rate": Word("How far each update moves the weights.", "每一步把权重移动多远。"),
    "playground.set.warmup": Word("Warm-up updates", "预热步数"),
    "playground.why.warmup": Word(
        "Updates in which the rate rises from zero.", "学习率从零升到最大所用的步数。"
    ),
    "playground.set.schedule": Word("After warm-up the rate", "预热后学习率"),
    "playground.schedule.inverse_sqrt": Word(
        "falls as 1/√update (the paper)", "按 1/√步数 下降（论文）"
    ),
    "playground.schedule.linear": Word("falls linearly to zero", "直线降到零"),
    "playground.schedule.constant": Word("stays constant", "保持不变"),
    "playground.set.batch": Word("Examples per update", "每步的例子数"),
    "playground.set.updates": Word("Updates", "训练步数"),
    "playground.set.label_smoothing": Word("Label smoothing", "标签平滑"),
    "playground.why.label_smoothing": Word(
        "Share of probability that the target spreads over all letters.",
        "目标分布平分给所有字母的概率。",
    ),
    "playground.set.dropout": Word("Dropout", "Dropout（随机失活）"),
    "playground.why.dropout": Word(
        "Share of numbers set to zero in training.", "训练时随机置零的比例。"
    ),
    "playground.set.seed": Word("Seed", "随机种子"),
    "playground.why.seed": Word(
        "Same settings and seed, same model.", "设置和种子相同，得到的模型就相同。"
    ),
    "playground.on": Word("on", "开"),
    "playground.off": Word("off", "关"),
    "playground.apart": Word("{name}: A {first}, B {second}", "{name}：A {first}，B {second}"),
    "playground.same": Word("A and B have the same settings.", "A 和 B 的设置相同。"),
    "playground.updates": Word("updates", "训练步数"),
    "playground.loss": Word("loss per token", "每个词元的损失"),
    "playground.loss.alt": Word("Training loss by update", "损失随训练步数的变化"),
    "playground.accuracy": Word("right", "正确率"),
    "playground.accuracy.alt": Word("Accuracy by update", "正确率随训练步数的变化"),
    "playground.free": Word("writing alone", "自由生成"),
    "playground.forced": Word("teacher forcing", "教师强制"),
    "playground.column.free": Word("whole outputs right, writing alone", "自由生成，整条写对"),
    "playground.column.forced": Word("tokens right, teacher forcing", "教师强制，词元写对"),
    "playground.column.loss": Word("loss per token", "每个词元的损失"),
    "playground.column.updates": Word("updates", "步数"),
    "playground.column.parameters": Word("parameters", "参数"),
    "playground.column.seconds": Word("processor time", "处理器时间"),
    "playground.seeds": Word(
        "Recorded earlier, not trained just now: the same two runs with {n} seeds, right outputs in %: A {first}; B {second}; chance at most {chance}.",
        "这是以前记录的结果，不是刚才训练的：同样的两次训练换 {n} 个种子，写对的输出（%）：A {first}；B {second}；固定答案最多 {chance}。",
    ),
    "playground.take": Word("Use {name}", "怎样使用 {name}"),
    "playground.open": Word("Open {name} on the page", "在本页打开 {name}"),
    "playground.open.why": Word(
        "Every view then shows this model; its tokens are letters. If it is no longer stored, "
        "the link in the address bar trains it again: the same settings and seed give the same "
        "weights on the same kind of machine.",
        "之后所有视图显示的都是这个模型，它的词元是字母。地址栏里的链接会在需要时重新训练它："
        "在同类机器上，设置和种子相同，权重就相同。",
    ),
    "playground.open.mask": Word(
        "{name} cannot be opened: without the causal mask it reads ahead when given the whole "
        "output, so its steps and its maps would contradict each other.",
        "{name} 无法打开：没有因果掩码，一次给它整条输出，它就会看到后面的内容，"
        "逐步解码和注意力图会互相矛盾。",
    ),
    "playground.download": Word("Download {name} as a checkpoint", "下载 {name} 的检查点"),
    "playground.download.why": Word(
        "A .zip: unpack it and start the page with --model and the name of its folder.",
        "得到一个 .zip：解压后，用 --model 加文件夹名启动本页。",
    ),
    "playground.gone": Word(
        "This run is no longer stored. Train it again.", "这次训练的结果已不再保留，请重新训练。"
    ),
    "playground.results": Word("Results", "结果"),
    "playground.lengths": Word("letters of the input", "输入的字母数"),
    "playground.lengths.alt": Word("Whole outputs right, by length", "各种长度，整条写对的比例"),
    "playground.lengths.trained": Word("training ends", "训练到此"),
    "playground.lengths.counted": Word(
        "Up to {tests} held-out inputs of each length. Lengths with too few different inputs are left out.",
        "每种长度最多 {tests} 个留出的输入；不同输入太少的长度没有列出。",
    ),
    "playground.counted": Word(
        "Measured on {tests} held-out inputs; the curves use the first {watched} of them. Chance: "
        "the best score of one fixed answer to every input. Writing alone: the model reads its own "
        "output. Teacher forcing: it reads the right output and predicts each next token.",
        "表中的数由 {tests} 个留出的输入统计，训练从未用过它们；曲线只用其中前 {watched} 个。固定答"
        "案：不看输入，总写同一个答案，最多能对多少。自由生成：模型读自己写出的内容。教师强制：模型"
        "读正确答案，逐个预测下一个词元。",
    ),
    "playground.too_few": Word(
        "This task has too few different inputs to set some aside for a test, so there is no "
        "score. Choose longer examples or more letters.",
        "这个任务的不同输入太少，留不出一部分来测试，所以没有得分。请用更长的例子，或更多的字母。",
    ),
    "playground.chance": Word("chance {chance}", "固定答案 {chance}"),
    "playground.chance.free": Word("chance, whole outputs", "固定答案，整条"),
    "playground.chance.forced": Word("chance, tokens", "固定答案，词元"),
    "playground.diverged": Word("diverged", "发散"),
    "playground.kind": Word("Attention", "注意力"),
    "playground.layer": Word("Layer", "层"),
    "playground.head": Word("Head {n}", "第 {n} 个头"),
    "playground.map": Word(
        "Head {head} of layer {layer}, {kind}", "{kind}第 {layer} 层第 {head} 个头"
    ),
    "playground.axes.encoder_self": Word(
        "Row: the letter that reads. Column: the letter that is read.",
        "行：正在读的字母。列：被读的字母。",
    ),
    "playground.axes.decoder_self": Word(
        "Row: the output letter that reads. Column: the output letter that is read.",
        "行：输出中正在读的字母。列：输出中被读的字母。",
    ),
    "playground.axes.cross": Word(
        "Row: the output letter just read in. Column: the input letter it reads.",
        "行：刚读入的输出字母。列：它正在读的输入字母。",
    ),
    "playground.weight": Word("{row} reads {col}: {weight}", "{row} 读 {col}：{weight}"),
    "playground.masked": Word("masked", "已掩码"),
    "playground.right": Word("right", "正确"),
    "playground.wrong": Word("should be {target}", "应为 {target}"),
    "playground.gradients": Word("Gradient size by layer", "各层梯度的大小"),
    "playground.size": Word("size", "大小"),
    "playground.gradients.note": Word(
        "How strongly the last update pulls each layer.", "最近一步各层梯度的长度。"
    ),
    "playground.encoder": Word("encoder {n}", "编码器 {n}"),
    "playground.decoder": Word("decoder {n}", "解码器 {n}"),
    "playground.because.positions": Word(
        "Without positions attention sees a bag of letters: it knows which letters there are, not where.",
        "没有位置编码，注意力看到的只是一堆没有次序的字母：知道有哪些，不知道在哪里。",
    ),
    "playground.because.count": Word(
        "A count does not depend on the order, so nothing was lost.",
        "个数与顺序无关，所以什么也没有损失。",
    ),
    "playground.because.mask": Word(
        "With teacher forcing B's loss is {second_loss}, A's {first_loss}: B learned to copy the "
        "digit that it sees, and on its own it has none to copy.",
        "教师强制时 B 的损失是 {second_loss}，A 是 {first_loss}：B 学会的是抄它看见的数字，自由生成时却没有可抄的。",
    ),
    "playground.because.heads": Word(
        "Each output letter needs one input letter, and one head is enough to find it.",
        "每个输出字母只需要一个输入字母，一个头就足以找到它。",
    ),
    "playground.because.residual": Word(
        "Without residuals each layer has to pass on everything itself. Compare the gradients of the layers.",
        "没有残差，每一层都得自己把全部信息传下去。比较一下各层的梯度。",
    ),
    "playground.because.warmup": Word(
        "Loss at the end: {first_loss} with warm-up, {second_loss} without.",
        "最后的损失：有预热 {first_loss}，无预热 {second_loss}。",
    ),
    "playground.because.scaling": Word(
        "Loss at the end: {first_loss} with the division by √d_k, {second_loss} without. "
        "Compare how sharp the maps are early on.",
        "最后的损失：除以 √d_k 时 {first_loss}，不除时 {second_loss}。"
        "比较两者早期的注意力有多集中。",
    ),
    "playground.because.sooner.sinusoids": Word(
        "has waves: neighbours look alike until its heads tell them apart.",
        "用正弦波：相邻的位置很像，各个头得先学会区分。",
    ),
    "playground.because.sooner.learned": Word(
        "has a vector of its own for every place.", "每个位置都有自己的向量。"
    ),
    "playground.because.sooner.relative": Word(
        "knows distances only: it finds the last letter by its neighbours.",
        "只知道距离：要靠相邻的字母才找得到最后一个。",
    ),
    "playground.because.further.sinusoids": Word(
        "has waves: the ninth place is a mixture that training never showed.",
        "用正弦波：第九个位置的波形，训练时从没出现过。",
    ),
    "playground.because.further.learned": Word(
        "has a table: the row of the ninth place was never trained.",
        "用位置表：第九个位置的那一行从没训练过。",
    ),
    "playground.because.further.relative": Word(
        "has distances: “the next letter” is the same everywhere.",
        "用距离：“下一个字母”在哪里都是一个意思。",
    ),
}
