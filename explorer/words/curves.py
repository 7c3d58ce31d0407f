"""The words of the exhibit `curves`."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "curves.title": Word("Curves", "训练曲线"),
    "curves.lead": Word(
        "How the shipped model became what it is: its losses and its scores after each of 36 "
        "epochs. Find the epoch from which the training loss still falls while the loss on unseen "
        "sentences does not.",
        "本模型是怎样练成的：36 轮训练中，每轮结束时的损失与得分。找找看，从哪一轮起，"
        "训练损失还在下降，而未见过的句子上的损失却不再下降。",
    ),
    "curves.alternative": Word(
        "Curves of the training; the table beside them has every number.",
        "训练曲线；旁边的表格列出了每一个数值。",
    ),
    "curves.train_loss": Word("training loss", "训练损失"),
    "curves.dev_loss": Word("development loss", "开发集损失"),
    "curves.bleu": Word("development BLEU", "开发集 BLEU"),
    "curves.chrf": Word("development chrF", "开发集 chrF"),
    "curves.train_loss.means": Word(
        "A token of training text, with dropout and with label smoothing of 0.1: so it is the "
        "higher of the two for long.",
        "训练文本平均每个词元的损失，带 Dropout 和 0.1 的标签平滑，所以很长时间里反而更高。",
    ),
    "curves.dev_loss.means": Word(
        "A token of unseen sentences, with neither. Its exponential is the perplexity.",
        "未见过的句子平均每个词元的损失，两者都不带。取指数就是困惑度。",
    ),
    "curves.bleu.means": Word(
        "n-grams that greedy translations share with references, 0 to 100.",
        "贪心译文与参考译文共有的 n 元组，取值 0 到 100。",
    ),
    "curves.chrf.means": Word(
        "The same idea for runs of characters, 0 to 100.",
        "同样的思路，但按字符计算，取值 0 到 100。",
    ),
    "curves.now": Word(
        "Epoch {epoch}, update {updates}: training loss {train_loss}, development loss {dev_loss}, "
        "BLEU {bleu}, chrF {chrf}.",
        "第 {epoch} 轮，第 {updates} 次更新：训练损失 {train_loss}，开发集损失 {dev_loss}，"
        "BLEU {bleu}，chrF {chrf}。",
    ),
    "curves.updates": Word("updates", "更新次数"),
    "curves.loss": Word("loss a token", "每词元损失"),
    "curves.score": Word("score", "得分"),
    "curves.epoch": Word("epoch", "轮"),
    "curves.epochs": Word("Every epoch as numbers", "每一轮的数值"),
    "curves.short.train_loss": Word("training", "训练"),
    "curves.short.dev_loss": Word("development", "开发集"),
    "curves.short.bleu": Word("BLEU", "BLEU 分"),
    "curves.short.chrf": Word("chrF", "chrF 分"),
    "curves.scores": Word("In the end, on sentences kept apart", "最终成绩：留出的测试句"),
    "curves.scores.note": Word(
        "From the model's card: 1,021 test sentences, never trained or tuned on; 600 of them are "
        "unlike all training sentences. The shipped weights are the mean of the last eight epochs.",
        "数据来自模型卡：1,021 个测试句，从未用于训练或调参，其中 600 个与训练句都不相似。"
        "发布的权重是最后八轮的平均。",
    ),
    "curves.method": Word("decoding", "解码"),
    "curves.method.greedy": Word("greedy", "贪心"),
    "curves.method.beam": Word("beam search, 4", "束搜索，束宽 4"),
    "curves.score.bleu": Word("BLEU", "BLEU 分"),
    "curves.score.chrf": Word("chrF", "chrF 分"),
    "curves.score.bleu_unlike": Word("BLEU, unlike", "BLEU，不相似句"),
    "curves.score.chrf_unlike": Word("chrF, unlike", "chrF，不相似句"),
    "curves.trouble": Word(
        "The figure could not be drawn; the table has its numbers. Reload the page to try again.",
        "图未能画出；表格里有全部数值。刷新页面可以重试。",
    ),
}
