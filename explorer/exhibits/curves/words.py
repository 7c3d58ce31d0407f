"""The words of the exhibit `curves`."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "curves.title": Word(
        "Training curves",
        "训练曲线",
    ),
    "curves.about": Word(
        "How the loss of this model fell in training.",
        "本模型的损失在训练中怎样下降。",
    ),
    "curves.lead": Word(
        "The shipped model's losses and scores after each epoch. It was trained in several runs: where "
        "one begins, the learning rate rises again, and for a while the losses with it.",
        "本模型每轮训练结束时的损失与得分。训练分几次进行：每次开始时学习率重新升高，损失也会暂时上升。",
    ),
    "curves.train_loss": Word("training loss", "训练损失"),
    "curves.dev_loss": Word("development loss", "开发集损失"),
    "curves.bleu": Word("development BLEU", "开发集 BLEU"),
    "curves.chrf": Word("development chrF", "开发集 chrF"),
    "curves.train_loss.means": Word(
        "Per token of training text, with dropout and label smoothing of {smoothing}, which keep "
        "it above the development loss in {above} of {count} {count|epoch|epochs}.",
        "训练文本平均每个词元的损失，带 Dropout 和 {smoothing} 的标签平滑，所以 {count} 轮里有 "
        "{above} 轮高于开发集损失。",
    ),
    "curves.dev_loss.means": Word(
        "Per token of held-out sentences, without either. Its exponential is the perplexity.",
        "留出句子平均每个词元的损失，两者都不带。取指数就是困惑度。",
    ),
    "curves.bleu.means": Word(
        "n-grams that greedy translations share with the references, 0 to 100.",
        "贪心译文与参考译文共有的 n 元组，取值 0 到 100。",
    ),
    "curves.chrf.means": Word(
        "The same idea for sequences of characters, 0 to 100.",
        "同样的思路，但按字符计算，取值 0 到 100。",
    ),
    "curves.now": Word(
        "Epoch {epoch}, update {updates}: training loss {train_loss}, development loss {dev_loss}, "
        "BLEU {bleu}, chrF {chrf}.",
        "第 {epoch} 轮，第 {updates} 次更新：训练损失 {train_loss}，开发集损失 {dev_loss}，"
        "BLEU {bleu}，chrF {chrf}。",
    ),
    "curves.run": Word("run {n}", "第 {n} 次"),
    "curves.updates": Word("updates", "更新次数"),
    "curves.loss": Word(
        "loss per token",
        "每个词元的损失",
    ),
    "curves.loss.name": Word(
        "Losses over the updates of the training",
        "损失随更新次数的变化",
    ),
    "curves.score": Word("score", "得分"),
    "curves.score.name": Word(
        "Scores over the updates of the training",
        "得分随更新次数的变化",
    ),
    "curves.score.bleu_novel": Word(
        "BLEU, novel sentences",
        "BLEU，全新句子",
    ),
    "curves.score.chrf_novel": Word(
        "chrF, novel sentences",
        "chrF，全新句子",
    ),
    "curves.epoch": Word("epoch", "轮"),
    "curves.epochs": Word("all {n} epochs in numbers", "列出全部 {n} 轮的数值"),
    "curves.scores": Word(
        "Final scores on held-out sentences",
        "最终成绩：留出的测试句",
    ),
    "curves.scores.note": Word(
        "From the model's card, which says how they were measured and which weights were shipped.",
        "数据来自模型卡；怎样测得、发布的是哪一组权重，卡上都有说明。",
    ),
    "curves.method": Word("decoding", "解码"),
    "curves.method.greedy": Word("greedy", "贪心"),
    "curves.method.beam": Word(
        "beam search, {n}",
        "束搜索，束宽 {n}",
    ),
}
