"""The words of the exhibit `playground`."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "playground.title": Word("Train a Transformer", "训练一个 Transformer"),
    "playground.about": Word(
        "Train a small Transformer here, with and without a part of the paper.",
        "在这里训练一个小 Transformer，试试少了论文里的某一部分会怎样。",
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
    "playground.own": Word(
        "Change anything, then train. Keep a run to compare it with the next one.",
        "随意更改设置，然后训练。可以保留一次训练，与下一次叠在一起比较。",
    ),
    "playground.guess": Word("Your guess: it gets right", "你猜能写对多少"),
    "playground.guess.bounds": Word(
        "Almost all: at least {learnt} % of whole outputs right. Few: under {failed} %. Some: "
        "in between.",
        "“几乎全部”：整条写对 {learnt} % 以上；“很少”：不到 {failed} %；“一部分”：介于两者之间。",
    ),
    "playground.finding.both": Word(
        "Whole outputs right: {first} as in the paper (A), {second} with the change (B), {chance} by chance.",
        "整条写对：按论文设置（A）{first}，改动后（B）{second}，固定答案 {chance}。",
    ),
    "playground.finding.one": Word(
        "{name} writes {right} of unseen outputs wholly right after {updates} updates; chance, {chance}.",
        "训练 {updates} 步后，{name}在没见过的输入上整条写对 {right}；固定答案能对 {chance}。",
    ),
    "playground.finding.loss": Word(
        "{name} ends at a loss of {loss} per token; too few inputs to test.",
        "{name}最后的损失是每个词元 {loss}；输入太少，无法测试。",
    ),
    "playground.short.learnt": Word("almost all", "几乎全部"),
    "playground.short.partly": Word("some", "一部分"),
    "playground.short.failed": Word("few", "很少"),
    "playground.verdict.right": Word("As you guessed: {found}.", "你猜对了：{found}。"),
    "playground.verdict.wrong": Word(
        "You guessed {guess}; it was {found}.", "你猜的是“{guess}”，结果是“{found}”。"
    ),
    "playground.verdict.none": Word("The answer: {found}.", "结果是：{found}。"),
    "playground.train": Word("Train", "训练"),
    "playground.train.both": Word("Train both", "训练两个模型"),
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
    "playground.group.parts": Word("Parts of the paper", "论文中的部件"),
    "playground.group.sizes": Word("Sizes", "规模"),
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
    "playground.examples": Word("Examples of the task", "任务的例子"),
    "playground.parameters": Word(
        "{n} parameters (at most {most})", "{n} 个参数（最多 {most} 个）"
    ),
    "playground.set.positions": Word("Positions", "位置编码"),
    "playground.why.positions": Word(
        "Tell the model where each letter is.", "告诉模型每个字母的位置。"
    ),
    "playground.set.causal_mask": Word("Causal mask", "因果掩码"),
    "playground.why.causal_mask": Word(
        "Hide the letters still to be written.", "藏起还没写到的字母。"
    ),
    "playground.set.residual": Word("Residuals", "残差连接"),
    "playground.why.residual": Word(
        "Add the input of a sub-layer to its output.", "把子层的输入加到它的输出上。"
    ),
    "playground.set.scaling": Word("Divide by √d_k", "除以 √d_k"),
    "playground.why.scaling": Word(
        "Keep scores small, so softmax does not saturate.",
        "让分数保持较小，softmax 才不会饱和。",
    ),
    "playground.set.tied": Word("Tied embeddings", "共享嵌入矩阵"),
    "playground.why.tied": Word(
        "Use one matrix to read and to write letters.", "读字母和写字母用同一个矩阵。"
    ),
    "playground.set.norm": Word("LayerNorm", "层归一化"),
    "playground.norm.post": Word("post (the paper)", "后置（论文）"),
    "playground.norm.pre": Word("pre", "前置"),
    "playground.norm.none": Word("none", "不用"),
    "playground.why.norm": Word(
        "Post: normalise each vector after the sum. Pre: before the sub-layer. None: never.",
        "后置：相加之后归一化；前置：进入子层之前归一化；不用：从不归一化。",
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
}
