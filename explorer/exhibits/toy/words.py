"""The words of the exhibit `toy`."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "toy.title": Word("Five letters", "五个字母"),
    "toy.about": Word("When greedy search misses the best answer.", "看贪心何时错过最好的答案。"),
    "toy.lead": Word(
        "Five letters are few enough to list every text next to the search's results. Change a "
        "number until greedy loses.",
        "字母只有五个，可以把所有文本都列出来，与搜索的结果对照。改一改概率、束宽或长度，"
        "找一个贪心会输的例子。",
    ),
    "toy.table": Word("Probability of the next letter", "下一个字母的概率"),
    "toy.row.start": Word("at the start", "开头"),
    "toy.row.after": Word("after {letter}", "{letter} 之后"),
    "toy.cell": Word("{row}: {letter}", "{row}：{letter}"),
    "toy.sum": Word("sum", "和"),
    "toy.share": Word("make it 1", "归一"),
    "toy.share.name": Word(
        "{row}: scale the row to sum to 1",
        "{row}：按比例缩放，使和为 1",
    ),
    "toy.refused.start": Word(
        "The row “at the start” sums to {sum}; probabilities sum to 1. Change a number, or press "
        "“make it 1”.",
        "“开头”一行的和是 {sum}，而概率之和应为 1。请修改数字，或点“归一”。",
    ),
    "toy.refused.after": Word(
        "The row “after {letter}” sums to {sum}; probabilities sum to 1. Change a number, or press "
        "“make it 1”.",
        "“{letter} 之后”一行的和是 {sum}，而概率之和应为 1。请修改数字，或点“归一”。",
    ),
    "toy.refused.number": Word(
        "“{value}” is not a probability: type a number from 0 to 1.",
        "“{value}”不是概率：请填 0 到 1 之间的数。",
    ),
    "toy.beam": Word("beam", "束宽"),
    "toy.length": Word("length", "长度"),
    "toy.random": Word(
        "Find a table where greedy loses",
        "找一个贪心会输的表",
    ),
    "toy.reset": Word(
        "Back to the worked example",
        "回到例题",
    ),
    "toy.found.wins": Word(
        "Table no. {seed}: at length {length} greedy loses and beam 2 finds the best.",
        "第 {seed} 号表：长度 {length} 时贪心输了，束宽 2 找到最优。",
    ),
    "toy.found.loses": Word(
        "Table no. {seed}: at length {length} greedy loses, and so does beam 2.",
        "第 {seed} 号表：长度 {length} 时贪心输了，束宽 2 也输了。",
    ),
    "toy.chosen": Word(
        "The first three rows are the worked example; we made up those after C, D and E.",
        "“开头”“A 之后”“B 之后”三行是例题，C、D、E 之后的三行是我们自己定的。",
    ),
    "toy.search": Word("Texts that the search considers", "搜索考虑过的文本"),
    "toy.finding.both": Word(
        "Greedy and beam {beam} both find {best}, the best of all {n} texts.",
        "贪心和束宽 {beam} 都找到了 {best}，全部 {n} 个文本中的最优。",
    ),
    "toy.finding.beam": Word(
        "Greedy ends at {greedy}; beam {beam} finds {best}, the best of all {n} texts.",
        "贪心止于 {greedy}；束宽 {beam} 找到 {best}，全部 {n} 个文本中的最优。",
    ),
    "toy.finding.neither.missed": Word(
        "Greedy and beam {beam} both miss the best, {best}: {lost} was dropped at step {step}.",
        "贪心和束宽 {beam} 都错过了最优的 {best}：第 {step} 步，{lost} 被丢掉了。",
    ),
    "toy.finding.neither.unseen": Word(
        "Greedy and beam {beam} both miss the best, {best}: at step {step}, {lost} was no "
        "candidate.",
        "贪心和束宽 {beam} 都错过了最优的 {best}：第 {step} 步，{lost} 不在候选之中。",
    ),
    "toy.finding.greedy.missed": Word(
        "Greedy finds the best, {best}; beam {beam} misses it: {lost} was dropped at step {step}.",
        "贪心找到了最优的 {best}，束宽 {beam} 却错过了：第 {step} 步，{lost} 被丢掉了。",
    ),
    "toy.finding.greedy.unseen": Word(
        "Greedy finds the best, {best}; beam {beam} misses it: at step {step}, {lost} was no "
        "candidate.",
        "贪心找到了最优的 {best}，束宽 {beam} 却错过了：第 {step} 步，{lost} 不在候选之中。",
    ),
    "toy.said.best": Word(
        "Beam {beam} finds {text} ({p}): the best of all.",
        "束宽 {beam} 找到 {text}（{p}）：全局最优。",
    ),
    "toy.said.missed": Word(
        "Beam {beam} finds {text} ({p}), no. {rank} of all. The best is {best} ({q}): lost at step "
        "{step}, where {lost} ({r}) was no. {place} and only {kept} {kept|is|are} kept.",
        "束宽 {beam} 找到 {text}（{p}），在全部文本中排第 {rank}。最优的是 {best}（{q}）：它在第 "
        "{step} 步被淘汰，当时 {lost}（{r}）排第 {place}，而那一步只保留 {kept} 个。",
    ),
    "toy.said.unseen": Word(
        "Beam {beam} finds {text} ({p}), no. {rank} of all. The best is {best} ({q}): lost at step "
        "{step}, where {lost} was not even among the candidates.",
        "束宽 {beam} 找到 {text}（{p}），在全部文本中排第 {rank}。最优是 {best}（{q}）：它在第 "
        "{step} 步"
        "丢失，当时 {lost} 连候选都不是。",
    ),
    "toy.said.greedy": Word("Greedy finds {greedy} ({g}).", "贪心找到 {greedy}（{g}）。"),
    "toy.said.greedy.same": Word(
        "Greedy also ends at {text}.",
        "贪心的结果也是 {text}。",
    ),
    "toy.picture": Word(
        "Candidates of the search, step by step from left to right, the most likely at the top. "
        "Arrow keys move from one to the next.",
        "搜索的候选文本，从左到右逐步排列，概率高的在上。用方向键逐个查看。",
    ),
    "toy.step": Word("step {n}", "第 {n} 步"),
    "toy.start": Word("start", "开头"),
    "toy.node.first": Word(
        "{text}: probability {p}, log-prob {log_prob}; no. {rank} of {count} at step {step}: "
        "{fate}",
        "{text}：概率 {p}，对数概率 {log_prob}；第 {step} 步 {count} 个候选中排第 {rank}：{fate}",
    ),
    "toy.node": Word(
        "{text}: {before} × {own} = {p}, log-probs add up to {log_prob}; no. {rank} of {count} at "
        "step {step}: {fate}",
        "{text}：{before} × {own} = {p}，对数概率之和 {log_prob}；第 {step} 步 {count} 个候选中"
        "排第 {rank}：{fate}",
    ),
    "toy.node.unseen": Word(
        "{text}: {before} × {own} = {p}; {fate}",
        "{text}：{before} × {own} = {p}；{fate}",
    ),
    "toy.node.hint": Word(
        "Point at a text, or tap it, to see how its probability is computed.",
        "指向或点按某个文本，查看它的概率是怎样算出来的。",
    ),
    "toy.fate.kept": Word(
        "kept, continues",
        "保留，继续扩展",
    ),
    "toy.fate.pruned": Word("pruned", "剪掉"),
    "toy.fate.finished": Word("found", "找到"),
    "toy.fate.beaten": Word("finished, then dropped", "写完后落选"),
    "toy.fate.unseen": Word("never considered", "从未考虑"),
    "toy.mark.greedy": Word(
        "greedy’s path",
        "贪心走的路",
    ),
    "toy.mark.best": Word(
        "on the path to the best",
        "通往最优的路",
    ),
    "toy.all": Word("Every text", "所有文本"),
    "toy.all.count": Word(
        "{n} {n|text|texts} of {length} letters {n|is|are} possible, most likely first.",
        "可能出现的 {length} 字母文本共 {n} 个，概率高的在前。",
    ),
    "toy.all.name": Word(
        "All {n} texts; the taller, the more likely", "全部 {n} 个文本，越高概率越大"
    ),
    "toy.all.picture": Word(
        "Every possible text, letter by letter from left to right. The height of a cell is the "
        "probability of its letters so far; the best text is the tallest cell at the right.",
        "所有可能的文本，从左到右逐个字母；格子越高，以它开头的概率越大。最右一列最高的格子就是最优文本。",
    ),
    "toy.all.rank": Word("rank", "名次"),
    "toy.all.text": Word("text", "文本"),
    "toy.all.probability": Word("probability", "概率"),
    "toy.all.found": Word("found by", "谁找到"),
    "toy.tag.beam": Word("beam: no. {rank}", "束搜索第 {rank}"),
    "toy.tag.greedy": Word("greedy", "贪心"),
    "toy.tag.missed": Word("missed", "漏掉"),
    "toy.tag.missed.title": Word(
        "more likely than a text that the beam found, but not found itself",
        "概率高于束搜索找到的某个文本，却没有被找到",
    ),
    # what the proof does not compare
    "proved.question.toy_table": Word("the drawn table", "随机生成的表"),
}
