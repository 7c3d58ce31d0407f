"""The words of the exhibit `cheat`."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "cheat.title": Word("The decoder cheats", "偷看答案"),
    "cheat.lead": Word(
        "In training the decoder reads the whole right answer; the causal mask keeps each position "
        "from seeing the very token it must write. Compare a decoder trained without that mask.",
        "训练时，解码器会读到整句正确答案；因果掩码让每个位置看不到自己要写的那个词元。来看看一个不带掩码训练的解码器会怎样。",
    ),
    "cheat.says": Word(
        "Mean probability of the tokens on show: the model as shipped {shipped}; its mask merely taken "
        "off {unmasked}, for it never learnt what to do with the future; a decoder trained without the "
        "mask {cheater}: it copies what it should predict. Given the mask back, that decoder is left "
        "with {blindfold}: what it learnt is of no use where the answer is hidden.",
        "所示词元的平均概率：原模型 {shipped}；只是去掉掩码 {unmasked}，因为它从没学过怎样利用未来；不带掩码训练的解码器 {cheater}：它直接抄下本该预测的词。再给它戴上掩码，就只剩 {blindfold}：答案一被遮住，它学到的东西就没有用了。",
    ),
    "cheat.token": Word("token to write", "要写的词元"),
    "cheat.shipped": Word("as shipped", "原模型"),
    "cheat.unmasked": Word("its mask off", "去掉掩码"),
    "cheat.cheater": Word("trained without a mask", "不带掩码训练"),
    "cheat.blindfold": Word("that one, masked again", "后者再加掩码"),
    "cheat.sum": Word("sum of log-probs", "对数概率之和"),
    "cheat.rows": Word(
        "Row: a token of the translation on show. Column: a decoder, and the probability that it gives "
        "this token when the whole translation is fed in (teacher forcing). ▲ more than the model as "
        "shipped, ▼ less.",
        "行：所示译文的一个词元。列：一种解码器，以及在输入整句译文（教师强制）时它给该词元的概率。▲ 高于原模型，▼ 低于原模型。",
    ),
    "cheat.note": Word(
        "The second decoder is the shipped one, its self-attention alone trained further without the "
        "mask for 3,000 updates (python -m model.cheat); weights rounded to a byte each. It does not "
        "copy every token: a single one that it misses can make its sum of log-probs the smaller one.",
        "第二个解码器由原模型得来：只对其自注意力在无掩码条件下再训练 3000 步（python -m model.cheat）；权重按每个一字节取整。它并非每个词元都抄得对：只要有一个抄错，对数概率之和就可能反而更低。",
    ),
}
