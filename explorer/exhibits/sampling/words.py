"""The words of the exhibit `sampling`."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "view.next": Word("Next token", "下一个词元"),
    "sampling.title": Word("Draw the next token", "抽取下一个词元"),
    "sampling.about": Word(
        "How temperature, top-k and top-p change the next word.",
        "温度、top-k 和 top-p 怎样改变下一个词。",
    ),
    "sampling.lead": Word(
        "See how likely every token is to come next. Drag temperature, top-k and top-p, then draw "
        "a token or click one.",
        "这里是词表中每个词元成为下一个词元的概率。拖动温度、top-k 和 top-p，"
        "再抽取或点选一个词元。",
    ),
    "sampling.finding.changed": Word(
        "{what}, {token} goes from {own} to {now}; {n} tokens can still be drawn.",
        "{what}，{token} 从 {own} 变为 {now}；还有 {n} 个词元可能被抽到。",
    ),
    "sampling.finding.any": Word(
        "{what}, {token} goes from {own} to {now}; almost any token may come.",
        "{what}，{token} 从 {own} 变为 {now}；几乎任何词元都可能被抽到。",
    ),
    "sampling.finding.what.temperature": Word("At temperature {value}", "温度为 {value} 时"),
    "sampling.finding.what.top_k": Word("With top-k {value}", "top-k 为 {value} 时"),
    "sampling.finding.what.top_p": Word("With top-p {value}", "top-p 为 {value} 时"),
    "sampling.finding.what.several": Word("With these settings", "按这些设置"),
    "sampling.finding.same": Word(
        "{token} has {own}; the choice is as open as among {n} equally likely tokens.",
        "{token} 的概率为 {own}；不确定程度相当于在 {n} 个等概率的词元中选择。",
    ),
    "sampling.finding.one": Word(
        "Only {token} can be drawn; the model itself gives it {own}.",
        "只可能抽到 {token}；模型自身给它的概率是 {own}。",
    ),
    # the text so far
    "sampling.after": Word("Next token after", "接在哪里"),
    "sampling.whose.page": Word("the page's step {n}", "页面第 {n} 步"),
    "sampling.whose.own": Word("my text", "我的文本"),
    "sampling.next": Word("next", "下一个"),
    "sampling.end": Word("The text has ended.", "文本已结束。"),
    "sampling.longest": Word("The text has reached its maximum length.", "文本已达最大长度。"),
    "sampling.sum": Word(
        "{n} {n|token|tokens} · log-prob {log_prob}", "{n} 个词元 · 对数概率 {log_prob}"
    ),
    "sampling.sum.hint": Word(
        "The sum of the model's own log-probs; temperature, top-k and top-p do not change it.",
        "模型自身的对数概率之和，不受温度、top-k 和 top-p 影响。",
    ),
    "sampling.back": Word("Undo", "撤回一步"),
    "sampling.back.hint": Word("Remove the last token of my text", "撤回“我的文本”的最后一个词元"),
    "sampling.start": Word("Rewind", "回到起点"),
    "sampling.start.hint": Word(
        "Back to where my text began; the seed starts again",
        "回到“我的文本”开始之处；种子也从头开始",
    ),
    "sampling.empty": Word("Start empty", "从头写起"),
    "sampling.empty.hint": Word(
        "Start my text with no token at all; the seed starts again",
        "“我的文本”从零个词元写起；种子也从头开始",
    ),
    # the stages
    "sampling.stages": Word("The stages in order", "各阶段，按先后顺序"),
    "sampling.stage": Word("stage", "阶段"),
    "sampling.rank": Word("rank", "名次"),
    "sampling.name": Word("token", "词元"),
    "sampling.left": Word("tokens", "词元"),
    "sampling.cut": Word("cut", "截去"),
    "sampling.mass": Word("probability", "概率和"),
    "sampling.stage.model": Word("model", "模型"),
    "sampling.stage.allowed": Word("may be written", "允许写出"),
    "sampling.stage.temperature": Word("÷ T = {value}", "÷ T = {value}"),
    "sampling.stage.k": Word("top-k = {value}", "top-k = {value}"),
    "sampling.stage.p": Word("top-p = {value}", "top-p = {value}"),
    "sampling.stage.done": Word("renormalised", "重新归一化"),
    "sampling.allowed.hint": Word(
        "Some tokens may not come: padding, or here a byte that would form no character. Their "
        "probability goes to the others.",
        "有些词元不许写出：例如填充符，或在此处拼不成字符的字节。它们的概率由其余词元分得。",
    ),
    # the numbers
    "sampling.numbers": Word("The distribution in numbers", "分布的数字特征"),
    "sampling.number": Word("measure", "指标"),
    "sampling.before": Word("model", "模型"),
    "sampling.now": Word("now", "现在"),
    "sampling.nats": Word("entropy, nats", "熵（奈特）"),
    "sampling.nats.hint": Word(
        "How undecided the choice is, among the tokens that may be written",
        "在允许写出的词元中，选择有多不确定",
    ),
    "sampling.bits": Word("entropy, bits", "熵（比特）"),
    "sampling.bits.hint": Word("The same in bits", "同一个量，以比特计"),
    "sampling.effective": Word("effective vocabulary", "有效词表大小"),
    "sampling.effective.hint": Word(
        "e to the power of the entropy: as undecided as among this many equally likely tokens",
        "e 的熵次方：相当于在这么多个等概率的词元中选择",
    ),
    "sampling.own_mass": Word("the model's probability", "模型原有概率"),
    "sampling.own_mass.hint": Word(
        "How much probability the model itself gives to the tokens that are left",
        "模型自身给留下的词元的概率之和",
    ),
    "sampling.note": Word(
        "Always in this order, over all {n} tokens, in double precision. The log-probs are the "
        "model's, sent as float32.",
        "始终按此顺序，在全部 {n} 个词元上以双精度计算。对数概率来自模型，以 float32 传送。",
    ),
    # the bars
    "sampling.bars": Word("Most likely tokens", "最可能的词元"),
    "sampling.rest": Word("all others", "其余全部"),
    "sampling.key.own": Word("outline: the model", "边框：模型原概率"),
    "sampling.key.fill": Word("filled: now", "填充：现在"),
    "sampling.key.share": Word("diamond: drawn", "菱形：实际抽到"),
    "sampling.fate.k": Word("cut by k", "被 k 截去"),
    "sampling.fate.p": Word("cut by p", "被 p 截去"),
    "sampling.fate.never": Word("not allowed", "不许写出"),
    "sampling.tally.times": Word("×{n}", "×{n}"),
    "sampling.times": Word("drawn", "抽到次数"),
    "sampling.token": Word(
        "rank {rank} · {piece} · id {id} · log-prob {log_prob}",
        "第 {rank} 名 · {piece} · 编号 {id} · 对数概率 {log_prob}",
    ),
    # all tokens
    "sampling.curve": Word(
        "Probability by rank, both axes logarithmic. {kept} {kept|token|tokens} kept, {p} cut by "
        "top-p, {k} by top-k, {never} not allowed. The most likely one has {most}.",
        "概率随名次变化，两轴均为对数。保留 {kept} 个词元，top-p 截去 {p} 个，top-k 截去 {k} 个，"
        "{never} 个不许写出。最可能的词元概率为 {most}。",
    ),
    "sampling.curve.kept": Word("kept {n}", "保留 {n}"),
    "sampling.curve.p": Word("cut by top-p {n}", "top-p 截去 {n}"),
    "sampling.curve.k": Word("cut by top-k {n}", "top-k 截去 {n}"),
    "sampling.curve.rank": Word("rank of the token", "词元名次"),
    "sampling.curve.probability": Word("probability", "概率"),
    # drawing
    "sampling.one": Word("Draw 1", "抽 1 次"),
    "sampling.one.hint": Word(
        "Draw one token with the next number of the seed", "用种子的下一个随机数抽取一个词元"
    ),
    "sampling.many": Word("Draw 200", "抽 200 次"),
    "sampling.many.hint": Word(
        "Draw 200 times (press again for 200 more) with the first numbers of the seed; the text "
        "stays",
        "用种子的前若干个随机数抽取 200 次（再按则再加 200 次）；文本不变",
    ),
    "sampling.finish": Word("Write to the end", "一直写完"),
    "sampling.stop": Word("Stop", "停止"),
    "sampling.go": Word("Append “{token}”", "接着写“{token}”"),
    "sampling.why_not": Word("Why not this one?", "为何不是它？"),
    "sampling.go.none": Word("Append", "接着写"),
    "sampling.use": Word("Translate with these settings", "用这些设置翻译"),
    "sampling.use.hint": Word(
        "Translate by sampling with this temperature, top-k, top-p and seed",
        "用当前的温度、top-k、top-p 和种子采样翻译",
    ),
    "sampling.take": Word("Use this text everywhere", "把这段文本用于整个页面"),
    "sampling.take.hint": Word(
        "Every translation on the page then starts with these tokens",
        "此后页面上的译文都以这些词元开头",
    ),
    "sampling.drawn": Word(
        "Number {n} of seed {seed} is u = {u}. Adding up by token id, “{token}” covers {from} to "
        "{to}; its own log-prob is {log_prob}.",
        "种子 {seed} 的第 {n} 个随机数 u = {u}。按词元编号累加，“{token}”占 {from} 至 {to}；"
        "其模型对数概率为 {log_prob}。",
    ),
    "sampling.chosen": Word(
        "You chose “{token}”; the model's own log-prob is {log_prob}.",
        "已选“{token}”，模型给出的对数概率为 {log_prob}。",
    ),
    "sampling.choose": Word(
        "Draw a token, or click a bar; click again to append it.",
        "抽取一个词元，或点选一条；再点一次即接着写。",
    ),
    "sampling.tally": Word(
        "{n} draws: “{token}” is furthest off, drawn {share}, expected {expected}.",
        "共抽 {n} 次：偏差最大的是“{token}”，实际 {share}，期望 {expected}。",
    ),
    "sampling.tally.chance": Word(
        "All tokens together: χ² = {chi} with {df} {df|degree|degrees} of freedom. Chance "
        "alone gives a value this large or larger in {p} of such draws.",
        "全部词元合起来：χ² = {chi}，自由度 {df}；仅凭随机，有 {p} 的机会达到或超过这个值。",
    ),
    "sampling.tally.few": Word(
        "Too few draws for a χ² test: it needs {least} expected in each of two groups of tokens.",
        "次数太少，无法做 χ² 检验：至少要有两组词元，每组期望不少于 {least} 次。",
    ),
    "sampling.seeded": Word(
        "Sampling with seed {seed} writes exactly this.", "用种子 {seed} 采样，写出的正是这段文本。"
    ),
}
