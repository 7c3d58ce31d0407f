"""The words of the exhibit `compare`."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "compare.title": Word("Compare decoders", "比较解码方法"),
    "compare.about": Word(
        "Greedy, beam search and sampling on your sentence.",
        "贪心、束搜索和采样，同一个句子各译一遍。",
    ),
    "compare.lead": Word(
        "Four ways to choose tokens, on the same sentence with the same settings. Change "
        "temperature, top-k or top-p (only the two sampling methods use them).",
        "同一个句子、同样的设置，四种选词元的方法放在一起比较。"
        "可以改温度、top-k、top-p（只有两种采样方法用到它们）。",
    ),
    "compare.finding.same": Word(
        "All four methods write the same translation.", "四种方法写出的译文相同。"
    ),
    "compare.finding.other": Word(
        "{same} agree; {other} writes {text} instead.",
        "{same}写出的相同；{other}却写出 {text}。",
    ),
    "compare.finding.shorter": Word(
        "{same} agree; {other} stops earlier.",
        "{same}写出的相同；{other}停得更早。",
    ),
    "compare.finding.different": Word(
        "All four methods write different translations; greedy, for one, writes {text}.",
        "四种方法写出的各不相同，例如贪心写出 {text}。",
    ),
    "compare.finding.different.shorter": Word(
        "All four methods write different translations; greedy, for one, stops earlier.",
        "四种方法写出的各不相同，例如贪心停得更早。",
    ),
    "compare.finding.seeds.found": Word(
        "{n} draws give {m} different {m|translation|translations}; beam search's is among them.",
        "抽 {n} 次，得到 {m} 种不同的译文；束搜索的那一种也在其中。",
    ),
    "compare.finding.seeds.missing": Word(
        "{n} draws give {m} different {m|translation|translations}; beam search's is not "
        "among them.",
        "抽 {n} 次，得到 {m} 种不同的译文；束搜索的那一种不在其中。",
    ),
    "compare.finding.models.same": Word(
        "{here} and {there} translate it alike.",
        "{here} 与 {there} 的译文相同。",
    ),
    "compare.finding.models.other": Word(
        "{here} and {there} translate it differently.",
        "{here} 与 {there} 的译文不同。",
    ),
    "compare.and": Word("{first} and {last}", "{first}和{last}"),
    "compare.comma": Word(", ", "、"),
    "compare.models": Word("Another model", "另一个模型"),
    "compare.models.with": Word("Compare with", "对比模型"),
    "compare.models.none": Word("no other model", "不对比"),
    "compare.models.head": Word(
        "{kind}, layer {layer} of {layers}, head {head} of {heads}",
        "{kind}，第 {layer} 层（共 {layers} 层），第 {head} 个头（共 {heads} 个）",
    ),
    "compare.models.note": Word(
        "Scores of models with different vocabularies cannot be compared: each splits the sentence "
        "into its own tokens. The other model starts from scratch, without your prefix or changes.",
        "两个模型的词表不同时，得分不能直接比较：它们切分句子的方式各不相同。另一个模型从头翻译，不带你的前缀和改动。",
    ),
    "compare.models.kind": Word("attention", "注意力"),
    "compare.models.layer": Word("layer", "层"),
    "compare.models.which": Word("head", "头"),
    "compare.model": Word("model", "模型"),
    "compare.method": Word("method", "方法"),
    "compare.text": Word("translation", "译文"),
    "compare.each": Word("per token", "每个词元"),
    "compare.log_prob": Word("log-prob", "对数概率"),
    "compare.score": Word("score", "得分"),
    "compare.length": Word("length", "长度"),
    "compare.steps": Word("steps", "步数"),
    "compare.prefixes": Word("prefixes read", "读过的前缀"),
    "compare.candidates": Word("candidates", "候选数"),
    "compare.seconds": Word("time", "用时"),
    "compare.seed": Word("seed", "种子"),
    "compare.show": Word("Use this one in all views", "整个页面都用这一条"),
    "compare.cut": Word("cut off at the limit", "到长度上限中断"),
    "compare.best": Word("highest score", "得分最高"),
    "compare.differs": Word(
        "Underlined tokens differ from beam search's. A small ∧ marks where some of beam search's "
        "tokens are missing.",
        "带下划线的词元与束搜索的不同；小 ∧ 表示这里比束搜索少了词元。",
    ),
    "compare.bars": Word(
        "A bar is the probability per token: the geometric mean over the translation.",
        "横条是每个词元的概率：整条译文的几何平均。",
    ),
    "compare.notes": Word(
        "Log-prob and score are the model’s own, before temperature, top-k and top-p. Prefixes "
        "read: how many the decoder ran on. Candidates: those kept for display. Time: one "
        "search, timed just now, not cached; a busy server takes longer. ★ is the best score; "
        "U+ and a number stand for an invisible character.",
        "对数概率和得分是模型自身的，不受温度、top-k、top-p 影响。读过的前缀："
        "解码器读过多少个前缀。候选数：为显示而保留的候选。用时：刚刚实测的一次搜索，"
        "不取自缓存；服务器忙时会更长。★ 为最高得分；U+ 加编号表示看不见的字符。",
    ),
    "compare.seeds": Word("Sampling with other seeds", "换种子采样"),
    "compare.draw": Word("Draw {n}: seeds {from} to {to}", "抽 {n} 次：种子 {from} 到 {to}"),
    "compare.more": Word("Draw {n} more", "再抽 {n} 次"),
    # what the proof does not compare
    "proved.question.times": Word("measured times", "测得的时间"),
}
