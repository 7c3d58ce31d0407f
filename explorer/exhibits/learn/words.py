"""The words of the exhibit `learn`."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "view.learn": Word("How it learned", "学习过程"),
    "learn.title": Word("Watch it learn", "看它怎样学会"),
    "learn.about": Word(
        "When in training a head finds the word it should read.",
        "训练到什么时候，头才找到该读的词。",
    ),
    "learn.lead": Word(
        "The same sentence, read by checkpoints from random weights to the finished model. "
        "Move the slider or drag along the curve: when do cross-attention heads find the word "
        "being translated?",
        "同一个句子，由训练各个时刻的检查点来读：从随机权重一直到训练完成。拖动滑块或曲线，"
        "看交叉注意力头从什么时候起找到正在翻译的词。",
    ),
    "learn.writes.random": Word("Before training it writes {text};", "训练之前，它写出 {text}；"),
    "learn.writes.early": Word("Early on it writes {text};", "训练初期，它写出 {text}；"),
    "learn.writes.later": Word("Later in training it writes {text};", "训练后期，它写出 {text}；"),
    "learn.writes.trained": Word("Fully trained it writes {text};", "训练完成后，它写出 {text}；"),
    "learn.link.grows": Word(
        "reading the translation, {row} gives {col} {from} weight, finally {to}.",
        "让它读页面上的译文，{row} 把 {from} 的权重给 {col}，训练完成后是 {to}。",
    ),
    "learn.link.grown": Word(
        "{row} gives {col} {to} of its weight, once {from}.",
        "{row} 给 {col} 的权重从 {from} 涨到了 {to}。",
    ),
    "learn.link.waits": Word("what it looks at is being computed.", "它看向哪里，还在计算。"),
    "learn.link.still": Word(
        "this head has nothing more to learn here.", "这个头在这里没有什么可学的了。"
    ),
    "learn.none": Word(
        "This model has no checkpoints from its training; Headlight's en-de and en-zh have them.",
        "这个模型没有训练过程的检查点；Headlight 自带的 en-de 和 en-zh 才有。",
    ),
    "learn.way": Word("Training", "训练进度"),
    "learn.own": Word("What it writes by itself, greedily", "它自己写出的译文（贪心）"),
    "learn.play": Word("Play", "播放"),
    "learn.pause": Word("Pause", "暂停"),
    "learn.random": Word("before training", "训练之前"),
    "learn.trained": Word("fully trained", "训练完成"),
    "learn.share": Word("{percent} % of training", "训练了 {percent}%"),
    "learn.updates.about": Word("about {n} updates", "约 {n} 次更新"),
    "learn.updates.all": Word("{n} updates in all runs", "各次训练共 {n} 次更新"),
    "learn.original": Word(
        "This is the model as it was trained, without the changes made on the page.",
        "这里都是训练所得的原模型，不含页面上的改动。",
    ),
    "learn.nothing": Word("(nothing written)", "（没有写出任何内容）"),
    "learn.unreadable": Word("nothing readable", "一串读不出来的字符"),
    "learn.rounded": Word(
        "Bold: what that checkpoint writes on its own (greedy). Maps and log-probs: the same "
        "checkpoint made to write the final translation. All checkpoints but the last are stored "
        "with weights rounded to a byte. The circles on the axis of the curve are the checkpoints. "
        "The model was trained in several runs, numbered above the curve: at the start of each the "
        "learning rate rises again, and the losses rise with it for a while.",
        "粗体：该检查点自己写出的译文（贪心）。图和对数概率：让同一检查点去写最终译文。除最后"
        "一个外，检查点的权重都舍入到一个字节。曲线横轴上的圆圈就是这些检查点。训练分几次进行（曲线上方的编号）："
        "每次开始时学习率重新升高，损失也会暂时上升。",
    ),
    "learn.shapeless": Word(
        "A name such as U+0003 stands for a character without a shape of its own; × 30 says that "
        "it was written 30 times in a row.",
        "U+0003 这样的名称代表没有字形的字符；× 30 表示连写了 30 次。",
    ),
    "learn.point": Word("point", "时刻"),
    "learn.translation": Word("it writes", "自己写出"),
    "learn.log_prob": Word("log-prob of the page's translation", "页面译文的对数概率"),
    "learn.per_token": Word("per token (geometric mean)", "每个词元（几何平均）"),
    "learn.links": Word("Strongest links of the head", "这个头最强的连接"),
    "learn.row": Word("row", "行"),
    "learn.col": Word("reads", "读"),
    "learn.series": Word("Curve", "曲线"),
    "learn.series.loss": Word("losses", "损失"),
    "learn.series.score": Word("scores", "得分"),
    "learn.loss.name": Word(
        "Losses over the updates of the shipped model's training", "自带模型的损失随更新次数的变化"
    ),
    "learn.score.name": Word(
        "Scores over the updates of the shipped model's training", "自带模型的得分随更新次数的变化"
    ),
    "learn.axis": Word("updates (shipped model)", "更新次数（自带模型）"),
    "learn.axis.loss": Word("loss per token", "每个词元的损失"),
    "learn.axis.score": Word("score", "得分"),
    "learn.run": Word("run", "第几次训练"),
    "learn.run.name": Word("run {n}", "训练 {n}"),
    "learn.epoch.loss": Word(
        "Epoch {epoch}, update {updates}: loss {train_loss} in training, {dev_loss} held out",
        "第 {epoch} 轮，第 {updates} 次更新：训练损失 {train_loss}，开发集 {dev_loss}",
    ),
    "learn.epoch.score": Word(
        "Epoch {epoch}, update {updates}: development BLEU {bleu}, chrF {chrf}",
        "第 {epoch} 轮，第 {updates} 次更新：开发集 BLEU {bleu}，chrF {chrf}",
    ),
    "learn.train_loss": Word("training loss", "训练损失"),
    "learn.dev_loss": Word("development loss", "开发集损失"),
    "learn.bleu": Word("development BLEU", "开发集 BLEU"),
    "learn.chrf": Word("development chrF", "开发集 chrF"),
    "learn.train_loss.means": Word(
        "Per token of training text, with dropout and label smoothing of {smoothing}, which keep "
        "it above the development loss in {above} of {count} {count|epoch|epochs}.",
        "训练文本平均每个词元的损失，带 Dropout 和 {smoothing} 的标签平滑，所以 {count} 轮里有 "
        "{above} 轮高于开发集损失。",
    ),
    "learn.dev_loss.means": Word(
        "Per token of held-out sentences, without dropout or smoothing. Its exponential is the "
        "perplexity.",
        "留出句子平均每个词元的损失，不带 Dropout 和标签平滑。取指数就是困惑度。",
    ),
    "learn.bleu.means": Word(
        "n-grams that greedy translations of about {sentences} development sentences share with "
        "the references, 0 to 100.",
        "约 {sentences} 句开发集句子的贪心译文与参考译文共有的 n 元组，取值 0 到 100。",
    ),
    "learn.chrf.means": Word(
        "The same idea for sequences of characters, 0 to 100.",
        "同样的思路，但按字符计算，取值 0 到 100。",
    ),
    "learn.epochs": Word("All {n} epochs", "全部 {n} 轮"),
    "learn.epoch": Word("epoch", "轮"),
    "learn.updates": Word("updates", "更新次数"),
    "learn.seconds": Word("seconds", "秒"),
    "learn.lr": Word("learning rate", "学习率"),
    "learn.scores": Word(
        "Final scores on {count} held-out sentences of {name}",
        "最终成绩：{name} 的 {count} 个留出测试句",
    ),
    "learn.scores.note": Word(
        "From the model's card, which also covers the other domains, and says how they were "
        "measured and which weights were shipped.",
        "数据来自模型卡片；其他领域的成绩、怎样测得、发布的是哪一组权重，卡片上都有说明。",
    ),
    "learn.bleu_novel": Word("BLEU, novel sentences", "BLEU，全新句子"),
    "learn.chrf_novel": Word("chrF, novel sentences", "chrF，全新句子"),
    "learn.method": Word("decoding", "解码"),
    "learn.method.greedy": Word("greedy", "贪心"),
    "learn.method.beam": Word("beam search, {n}", "束搜索，束宽 {n}"),
    # what the proof does not compare
    "proved.question.curves": Word("the training's curves", "训练曲线"),
    "proved.question.learn": Word("earlier states of the model", "模型训练中的状态"),
}
