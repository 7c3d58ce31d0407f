"""The words of the exhibit `compare`."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "compare.title": Word("Side by side", "并排比较"),
    "compare.lead": Word(
        "The four ways of choosing tokens, on this sentence and with the same settings. Change "
        "temperature, top-k or top-p, which both kinds of sampling heed, or draw with other seeds.",
        "同一个句子、同样的设置，四种选词元的方法并排比较。"
        "可以改温度、top-k、top-p（两种采样都受其影响），或换随机种子再抽。",
    ),
    "compare.method": Word("method", "方法"),
    "compare.text": Word("translation", "译文"),
    "compare.log_prob": Word("log-prob", "对数概率"),
    "compare.score": Word("score", "得分"),
    "compare.length": Word("length", "长度"),
    "compare.steps": Word("steps", "步数"),
    "compare.prefixes": Word("prefixes read", "读过的前缀"),
    "compare.candidates": Word("candidates", "候选数"),
    "compare.seconds": Word("time", "用时"),
    "compare.seed": Word("seed", "种子"),
    "compare.show": Word("Show this one in the page", "在整页中查看这一条"),
    "compare.cut": Word("cut off at the limit", "到上限中断"),
    "compare.best": Word("highest score", "得分最高"),
    "compare.differs": Word(
        "Underlined: not as in beam search, token by token. A small ∧ marks where tokens of beam "
        "search are missing.",
        "带下划线的词元与束搜索的不同（逐词元比较）；小 ∧ 表示这里比束搜索少了词元。",
    ),
    "compare.notes": Word(
        "Log-prob and score are the model’s own, whatever temperature, top-k and top-p did to the "
        "drawing. Prefixes read: how often the decoder ran. Candidates: those that the record "
        "keeps, 10 a step for greedy and sampling. Time: one search of its own, done now, not taken "
        "from memory; a busy server takes longer.",
        "对数概率和得分都是模型自身给出的，与温度、top-k、top-p 怎样影响抽取无关。读过的前缀：解码器运行"
        "的次数。候选数：记录中保留的候选，贪心和采样每步 10 个。用时：刚刚单独搜索一次所用的时间，"
        "不取自缓存；服务器忙时会更长。",
    ),
    "compare.seeds": Word("Sampling with other seeds", "换种子采样"),
    "compare.draw": Word("Draw 5: seeds {from} to {to}", "抽 5 次：种子 {from} 到 {to}"),
    "compare.more": Word("Draw 5 more", "再抽 5 次"),
}
