"""The words of the exhibit `ledger`."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "ledger.title": Word("Scoring", "译文打分"),
    "ledger.about": Word(
        "How translations are scored, and when length decides.",
        "译文怎样打分，长度何时起决定作用。",
    ),
    "ledger.lead": Word(
        "A hypothesis’s score is the sum of its log-probs divided by a length penalty. Move α and "
        "watch the ranks; choose a row to see its sum.",
        "译文的得分 = 对数概率之和 ÷ 长度惩罚。移动 α，看名次怎样变化；点一行，看它的算式。",
    ),
    "ledger.alpha": Word("length penalty α", "长度惩罚 α"),
    "ledger.form": Word("divided by", "除以"),
    "ledger.form.average": Word("length ^ α", "长度 ^ α"),
    "ledger.form.gnmt": Word("((5 + length) / 6) ^ α (GNMT)", "((5 + 长度) / 6) ^ α（GNMT）"),
    "ledger.own": Word("back to the search’s α = {alpha}", "回到搜索所用的 α = {alpha}"),
    "ledger.beaten": Word(
        "include the {n} dropped during the search", "也列出搜索中落选的 {n} 条完整译文"
    ),
    "ledger.beaten.none": Word(
        "The search dropped no finished hypothesis.", "搜索中没有写完又落选的译文。"
    ),
    "ledger.rank": Word("rank", "名次"),
    "ledger.text": Word("hypothesis", "候选译文"),
    "ledger.sum": Word("sum of log-probs", "对数概率之和"),
    "ledger.length": Word("length", "长度"),
    "ledger.penalty": Word("penalty", "长度惩罚"),
    "ledger.score": Word("score", "得分"),
    "ledger.moved.up": Word("rose from rank {was} to {now}", "从第 {was} 名升到第 {now} 名"),
    "ledger.moved.down": Word("fell from rank {was} to {now}", "从第 {was} 名降到第 {now} 名"),
    "ledger.moved.no": Word("rank {now}, as in the search", "第 {now} 名，与搜索时相同"),
    "ledger.moved.new": Word("rank {now}; the search had dropped it", "第 {now} 名；搜索时已落选"),
    "ledger.kind.cut": Word("cut at the length limit", "到上限中断"),
    "ledger.kind.beaten": Word(
        "no. {n}, finished at step {step}, then dropped", "第 {n} 条，第 {step} 步写完，后落选"
    ),
    "ledger.honest": Word(
        "This only re-ranks what the search with {own} found. A search with {now} may stop at "
        "other steps, keep other hypotheses and so find something else.",
        "这里只是给用 {own} 搜到的译文重新排名。若用 {now} 来搜索，停止的时机和留在名单里的译文"
        "都可能不同，结果也就可能不同。",
    ),
    "ledger.honest.one": Word(
        "{method} writes one text, whatever α is: only its score changes.",
        "{method}只写出一条译文，与 α 无关：变的只是得分。",
    ),
    "ledger.setting.average": Word("length ^ {alpha}", "长度 ^ {alpha}"),
    "ledger.setting.gnmt": Word("((5 + length) / 6) ^ {alpha}", "((5 + 长度) / 6) ^ {alpha}"),
    "ledger.run": Word("Search again with α = {alpha}", "用 α = {alpha} 重新搜索"),
    "ledger.outcome.same": Word(
        "The search with {now} found “{text}”, as the ranks had predicted.",
        "用 {now} 搜索，得到“{text}”：与重新排名的结果一致。",
    ),
    "ledger.outcome.listed": Word(
        "The search with {now} found “{text}”. It was in the list, but at rank {rank}: the ranks "
        "had predicted “{predicted}”, which this search dropped or never finished.",
        "用 {now} 搜索，得到“{text}”。它原来在列表里，但排在第 {rank} 名；重新排名选的是"
        "“{predicted}”，而这次搜索中它落选了，或者根本没有写完。",
    ),
    "ledger.outcome.beaten": Word(
        "The search with {now} found “{text}”. The search before had finished it too, but "
        "dropped it: it was not in the final list.",
        "用 {now} 搜索，得到“{text}”。上次搜索也写完过它，但它中途落选，所以不在最后的列表里。",
    ),
    "ledger.outcome.new": Word(
        "The search with {now} found “{text}”. It was not in the list: the search before never "
        "finished it.",
        "用 {now} 搜索，得到“{text}”。它不在原来的列表里：上次搜索根本没有写完它。",
    ),
    "ledger.plot": Word("Score over α", "得分随 α 的变化"),
    "ledger.plot.note": Word(
        "Up is better. Each line is a hypothesis: the score of no. 1 divided by its own, on a "
        "logarithmic scale, so that no. 1 is flat and every other line is straight. Where two "
        "lines cross, two hypotheses change places.",
        "越高越好。每条线是一条候选译文：第 1 条的得分 ÷ 它的得分，对数刻度。这样第 1 条是水平线，"
        "其余都是直线。两线相交处，两条译文互换名次。",
    ),
    "ledger.plot.alone": Word(
        "Each line is a hypothesis: the score of no. 1 divided by its own. Here there is only one, "
        "so its line is flat; a beam search with 2 beams or more gives lines to compare.",
        "每条线是一条候选译文：第 1 条的得分 ÷ 它的得分。这里只有一条，所以是水平线；改用束宽至少"
        "为 2 的束搜索，就有几条线可比。",
    ),
    "ledger.plot.axis": Word("score of no. 1 ÷ score", "第 1 条的得分 ÷ 得分"),
    "ledger.plot.own": Word("the search’s α", "搜索所用的 α"),
    "ledger.plot.picture": Word(
        "Lines of {n} hypotheses over α from {low} to {high}. The list below says which is best "
        "where.",
        "{n} 条候选译文的得分曲线，α 从 {low} 到 {high}。下方列表说明 α 取何值时哪一条最好。",
    ),
    "ledger.reign.all": Word(
        "No. {n} is best at every α shown.", "α 取图中任何值时，都是第 {n} 条最好。"
    ),
    "ledger.reign.first": Word("α below {to}: no. {n} is best", "α 小于 {to}：第 {n} 条最好"),
    "ledger.reign.between": Word(
        "α from {from} to {to}: no. {n}", "α 从 {from} 到 {to}：第 {n} 条"
    ),
    "ledger.reign.last": Word("α above {from}: no. {n}", "α 大于 {from}：第 {n} 条"),
    "ledger.no": Word("no. {n}", "第 {n} 条"),
    "ledger.one": Word("No. {n}: {text}", "第 {n} 条：{text}"),
    "ledger.free": Word("forced at the length limit: adds nothing", "到上限强制写出：不计入总和"),
    "ledger.forced": Word(
        "forced: it keeps the model’s own log-prob", "强制：仍用模型给出的对数概率"
    ),
    "ledger.formula.average": Word(
        "{sum} ÷ {n}^{alpha} = {sum} ÷ {penalty} = {score}",
        "{sum} ÷ {n}^{alpha} = {sum} ÷ {penalty} = {score}",
    ),
    "ledger.formula.gnmt": Word(
        "{sum} ÷ ((5 + {n}) / 6)^{alpha} = {sum} ÷ {penalty} = {score}",
        "{sum} ÷ ((5 + {n}) / 6)^{alpha} = {sum} ÷ {penalty} = {score}",
    ),
    "ledger.formula.name": Word("The score:", "得分："),
    "ledger.formula.sum": Word(
        "The {n} log-probs above add up to {sum}.", "上面 {n} 个对数概率之和为 {sum}。"
    ),
}
