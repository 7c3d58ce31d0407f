"""The words of the exhibit `cheat`."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "cheat.title": Word("The decoder cheats", "偷看答案的解码器"),
    "cheat.about": Word(
        "What a decoder does when it can see the next word.",
        "能看到下一个词的解码器会怎么做。",
    ),
    "cheat.lead": Word(
        "In training the decoder reads the right answer; the causal mask hides the tokens "
        "still to come. Compare a decoder trained without that mask.",
        "训练时，解码器会读到整句正确答案，因果掩码把后面的词元藏起来。"
        "来看看不带掩码训练的解码器会怎样。",
    ),
    "cheat.finding.copies": Word(
        "Trained without the mask, the decoder copies: the next word gets {cheater} on average, "
        "not {shipped}.",
        "不带掩码训练的解码器会照抄：下一个词平均得到 {cheater}，而不是 {shipped}。",
    ),
    "cheat.finding.long": Word(
        "Copying fails in this sentence: the next word gets {cheater} on average without the "
        "mask, {shipped} with it.",
        "这句抄不成：不带掩码，下一个词平均得到 {cheater}，带掩码是 {shipped}。",
    ),
    "cheat.finding.unmasked": Word(
        "Run without its causal mask, the decoder gives the next word {unmasked} on average, "
        "not {shipped}.",
        "去掉因果掩码来运行，解码器给下一个词的概率平均是 {unmasked}，而不是 {shipped}。",
    ),
    "cheat.tokens": Word(
        "Probability of each token of the current translation, by decoder",
        "各种解码器给当前译文各词元的概率",
    ),
    "cheat.shipped.why": Word("It sees only what it has written.", "只能看到已经写出的部分。"),
    "cheat.unmasked.why": Word(
        "It can see the future, but never learned to use it.", "能看到后文了，却从没学过怎样利用。"
    ),
    "cheat.cheater.why": Word(
        "In training the answer (all but its end token) was in its input, so it could copy.",
        "训练时答案（句尾符除外）就在输入里，照抄即可。",
    ),
    "cheat.blindfold.why": Word(
        "The same decoder, with the answer hidden again: it cannot copy.",
        "同一个解码器，答案重新被藏起来，无从照抄。",
    ),
    "cheat.token": Word("token to write", "要写的词元"),
    "cheat.shipped": Word("as trained", "原模型"),
    "cheat.unmasked": Word("mask simply removed", "直接去掉掩码"),
    "cheat.cheater": Word("trained without mask", "不带掩码训练"),
    "cheat.blindfold": Word("trained without mask, mask restored", "不带掩码训练，再加回掩码"),
    "cheat.sum": Word("sum of log-probs", "对数概率之和"),
    "cheat.rows": Word(
        "Each column is a token of the current translation, each row a decoder. A bar is the "
        "probability of the token when the whole translation is fed in (teacher forcing); the "
        "line across it marks the model as trained. At the start of each row: the mean over "
        "the tokens.",
        "每列是当前译文的一个词元，每行是一种解码器。条形是输入整句译文（教师强制）"
        "时该词元的概率，横线是原模型的概率。每行开头是各词元的平均值。",
    ),
    "cheat.note": Word(
        "The decoder without a mask is the shipped one: only its self-attention was trained "
        "further, without the mask, for {updates} updates (python -m model.labs.cheat), and "
        "its weights are rounded to one byte each. It was not trained for long, so it copies "
        "less well late in a sentence, and a long sentence often has a lower sum of log-probs. "
        "Try a short sentence.",
        "不带掩码的解码器是由自带的模型改出来的：去掉掩码，只把它的自注意力再训练 {updates} 步（"
        "python -m model.labs.cheat），每个权重都舍入到一个字节。它训练得不久：越往句子后面，"
        "抄得越不准，所以句子一长，它的对数概率之和往往反而更低。可以换一个短句试试。",
    ),
    # what the proof does not compare
    "proved.question.cheat": Word("the model that cheated", "作弊的模型"),
}
