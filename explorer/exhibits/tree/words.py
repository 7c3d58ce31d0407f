"""The words of the exhibit `tree`."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "view.tree": Word("The search", "搜索"),
    "tree.title": Word("Search tree", "搜索树"),
    "tree.about": Word(
        "Each step’s best candidates, and why they were dropped.",
        "每一步得分最高的候选，以及它们为什么被放弃。",
    ),
    "tree.lead": Word(
        "The best candidates of every step, and their fate. Click any of them, even a pruned "
        "one, to use its prefix everywhere and continue from it.",
        "每一步得分最高的候选，以及它们的去向。点任意一个候选（剪掉的也行），"
        "整个页面就改用它的前缀，还能从那里继续解码。",
    ),
    # player
    "tree.player": Word("Steps of the search", "搜索的各步"),
    "tree.first": Word("First search step", "搜索的第一步"),
    "tree.back": Word("One search step back", "后退一步搜索"),
    "tree.play": Word("Play the search", "播放搜索过程"),
    "tree.pause": Word("Pause", "暂停"),
    "tree.forward": Word("One search step forward", "前进一步搜索"),
    "tree.last": Word("Last search step: the whole tree", "搜索的最后一步：整棵树"),
    "tree.upTo": Word("Search step", "搜索步"),
    "tree.step": Word("step", "步骤"),
    "tree.speed": Word("Speed", "速度"),
    "tree.speed.slow": Word("slow", "慢速"),
    "tree.speed.normal": Word("normal", "中速"),
    "tree.speed.fast": Word("fast", "快速"),
    "tree.all": Word("Unfold all pruned", "展开所有剪掉的候选"),
    "tree.axes": Word(
        "Column: a step of the search. Height: rank in the step, best at the top; unfolded "
        "pruned candidates appear below. Small number: sum of log-probs; #1, #2, …: a "
        "hypothesis and its score (zoom in where words and numbers do not fit).",
        "每一列是搜索的一步。越靠上，在该步的名次越高；展开后，剪掉的候选排在下方。"
        "小号数字是对数概率之和；#1、#2……是候选译文的名次和得分（字和数放不下时请放大）。",
    ),
    "tree.keys": Word(
        "Drag to move the tree. Arrow keys move through it, Home and End jump, Enter shows the "
        "prefix, P unfolds the pruned candidates, space plays, + and − zoom.",
        "拖动可移动整棵树。方向键逐个移动，Home 和 End 跳到首尾，回车显示前缀，"
        "P 展开剪掉的候选，空格播放，+ 和 − 缩放。",
    ),
    "tree.touch": Word(
        "Drag sideways to move the tree; drag up or down to scroll the page. Tap a candidate "
        "to use its prefix, tap a count such as +7 to unfold the pruned candidates. The "
        "buttons − and + zoom, Fit shows the whole tree.",
        "左右拖动可移动整棵树，上下拖动则滚动页面。点一个候选，改用它的前缀；点 +7 这样的数字，"
        "展开剪掉的候选。− 和 + 按钮缩放，“适应窗口”显示整棵树。",
    ),
    # legend
    "tree.legend": Word("What the marks mean", "图例"),
    "tree.mark.kept": Word("kept", "保留"),
    "tree.mark.pruned": Word("pruned", "剪掉"),
    "tree.mark.finished": Word("finished", "完成"),
    "tree.mark.beaten": Word("finished, then dropped", "完成，后落选"),
    "tree.mark.winner": Word("winner", "胜出路径"),
    "tree.mark.forced": Word("forced", "强制"),
    "tree.mark.joined": Word("same word", "同一个词"),
    "tree.mark.path": Word("current prefix", "当前前缀"),
    "tree.mark.folded": Word("pruned, folded", "剪掉，已折叠"),
    # one candidate
    "tree.node": Word("{token} at step {n}", "第 {n} 步的 {token}"),
    "tree.start": Word("Start: nothing written yet", "起点：尚未写出任何内容"),
    "tree.following": Word("after {prefix}", "前文：{prefix}"),
    "tree.following.nothing": Word("at the very beginning", "位于句首"),
    "tree.probability": Word("probability", "概率"),
    "tree.log_prob": Word("log-prob", "对数概率"),
    "tree.total": Word("sum of log-probs", "对数概率之和"),
    "tree.place": Word("rank in its step", "该步名次"),
    "tree.place.of": Word("{n} of {count}", "{n} / {count}"),
    "tree.fate.kept": Word("Kept: extended at the next step.", "保留：下一步由它继续。"),
    "tree.fate.pruned": Word("Pruned: never extended.", "剪掉：没有再继续。"),
    "tree.fate.finished": Word(
        "Finished: a hypothesis in the final list.", "完成：进入最终的候选译文列表。"
    ),
    "tree.fate.beaten": Word(
        "Finished here, then dropped: better hypotheses took its place in the list.",
        "在此完成，后来落选：更好的译文占了列表里的位置。",
    ),
    # a finished one: how its score stands
    "tree.end.only": Word(
        "Finished: the only hypothesis. Score {score}.", "完成：唯一的候选译文，得分 {score}。"
    ),
    "tree.end.best": Word(
        "Finished: hypothesis 1 of {count}, the best. Score {score} against {other} for no. 2: "
        "it wins by {by}.",
        "完成：候选译文 1/{count}，得分最高。得分 {score}，第 2 条是 {other}：高 {by}。",
    ),
    "tree.end.loses": Word(
        "Finished: hypothesis {n} of {count}. Score {score} against {other} for no. 1: it "
        "loses by {by}.",
        "完成：候选译文 {n}/{count}。得分 {score}，第 1 条是 {other}：低 {by}。",
    ),
    "tree.end.equal": Word(
        "Finished: hypothesis {n} of {count}. Score {score}, a tie with no. {to}: only their "
        "order in the list differs.",
        "完成：候选译文 {n}/{count}。得分 {score}，与第 {to} 条完全相同，只是在列表里有先后。",
    ),
    "tree.end.dropped": Word(
        "Finished here, then dropped: not among the best {count}. Score {score} against "
        "{other} for no. {count}, the last in the list: it loses by {by}.",
        "在此完成，后来落选：没有进入前 {count} 名。得分 {score}，"
        "列表里最后的第 {count} 条是 {other}：低 {by}。",
    ),
    "tree.end.dropped_equal": Word(
        "Finished here, then dropped. Score {score}, a tie with no. {count}, the last in the "
        "list, which was there first.",
        "在此完成，后来落选。得分 {score}，与列表里最后的第 {count} 条完全相同，但那一条在先。",
    ),
    # the same at another α
    "tree.now.only": Word(
        "Finished: the only hypothesis. Score {score} now.",
        "完成：唯一的候选译文，现在得分 {score}。",
    ),
    "tree.now.best": Word(
        "Finished: no. {n} of {count} now. Score {score} against {other} for no. {to}: it wins by "
        "{by}.",
        "完成：现在是 {count} 条中的第 {n} 条。得分 {score}，第 {to} 条是 {other}：高 {by}。",
    ),
    "tree.now.loses": Word(
        "Finished: no. {n} of {count} now. Score {score} against {other} for no. {to}: it loses by "
        "{by}.",
        "完成：现在是 {count} 条中的第 {n} 条。得分 {score}，第 {to} 条是 {other}：低 {by}。",
    ),
    "tree.now.equal": Word(
        "Finished: no. {n} of {count} now. Score {score}, a tie with no. {to}: only their order in "
        "the list differs.",
        "完成：现在是 {count} 条中的第 {n} 条。得分 {score}，与第 {to} 条完全相同，只是在列表里有先后。",
    ),
    "tree.winner": Word("On the path of the winner.", "位于胜出路径上。"),
    "tree.forced.prefix": Word(
        "Forced; its log-prob is still the model's own.",
        "强制写出；对数概率仍是模型给的。",
    ),
    "tree.forced.limit": Word(
        "Forced at the length limit; it adds nothing to the sum.",
        "到长度上限时强制写出，不计入总和。",
    ),
    "tree.forced.first": Word(
        "This checkpoint begins every text with it; it adds nothing to the sum.",
        "这个检查点规定每个译文都以它开头，不计入总和。",
    ),
    "tree.changed": Word(
        "A rule of this checkpoint against repeats changed its score by {by}.",
        "这个检查点防止重复的规则使它的得分变化 {by}。",
    ),
    "tree.forbidden": Word("Forbidden after it: {list}.", "在它之后被禁止：{list}。"),
    "tree.forbidden.token": Word("{token} (log-prob {value})", "「{token}」（对数概率 {value}）"),
    "tree.forbidden.banned": Word("{tokens}: it is never written", "{tokens}：从不写出"),
    "tree.forbidden.bytes": Word(
        "{tokens}: the bytes would form no character", "{tokens}：这样字节拼不成字符"
    ),
    "tree.forbidden.min_tokens": Word(
        "{tokens}: the text is too short to end", "{tokens}：译文还太短，不能结束"
    ),
    "tree.forbidden.no_repeat": Word(
        "{tokens}: that would repeat a run of tokens", "{tokens}：会重复一串词元"
    ),
    "tree.forbidden.source_no_repeat": Word(
        "{tokens}: that would copy a run of the source", "{tokens}：会照抄原文的一串词元"
    ),
    "tree.forbidden.numbers": Word(
        "{tokens}: that would change a number of the source", "{tokens}：会改动原文里的数"
    ),
    "tree.forbidden.comma": Word(", ", "、"),
    "tree.forbidden.and": Word("; ", "；"),
    "tree.unfold": Word("Unfold {n} pruned", "展开剪掉的 {n} 个候选"),
    "tree.fold": Word("Fold", "折叠"),
    "tree.why": Word("Why this one?", "为何是它？"),
    "tree.why_not": Word("Why not this one?", "为何不是它？"),
    "tree.go_on": Word("Continue from here", "从这里继续解码"),
    "tree.whole": Word("Back to hypothesis {n}", "回到候选译文 {n}"),
    # force
    "tree.begin": Word("Or begin the translation with", "或者让译文以此开头"),
    "tree.begin.go": Word("Begin", "开始"),
    "tree.forced.now": Word("Forced beginning: {prefix}", "强制的开头：{prefix}"),
    "tree.let_go": Word("Stop forcing it", "不再强制"),
    "tree.now": Word("now", "现在"),
    "tree.before": Word("previously", "之前"),
    "tree.before.begun": Word("previously, starting with {prefix}", "之前，以 {prefix} 开头"),
    "tree.before.tree": Word(
        "The earlier search: {text}, score {score}", "之前的搜索：{text}，得分 {score}"
    ),
    "tree.difference": Word("difference in score", "得分之差"),
    "tree.otherwise": Word(
        "The earlier search also used different settings or interventions.",
        "之前的搜索还用了不同的设置或干预。",
    ),
    # the table of a step
    "tree.list": Word("Step {n}: {count} candidates", "第 {n} 步：{count} 个候选"),
    "tree.list.kept": Word("kept", "保留"),
    "tree.list.pruned": Word("pruned", "剪掉"),
    "tree.list.finished": Word("finished", "完成"),
    "tree.list.beaten": Word("dropped", "落选"),
    # the scores
    "tree.scores": Word("Scores", "得分"),
    "tree.finding.alone": Word(
        "The search wrote only one text, {text}: there is nothing to rank.",
        "搜索只写出一条译文，{text}，无需排名。",
    ),
    "tree.finding.always": Word("{text} wins at every α.", "不论 α 取多少，都是 {text} 胜出。"),
    "tree.finding.below": Word(
        "{text} wins from α = {from} on; below that, another would.",
        "α 从 {from} 起，{text} 胜出；再小就换成另一条。",
    ),
    "tree.finding.above": Word(
        "{text} wins up to α = {to}; above that, another would.",
        "α 到 {to} 为止，{text} 胜出；再大就换成另一条。",
    ),
    "tree.finding.between": Word(
        "{text} wins from α = {from} to {to}; outside, others would.",
        "α 从 {from} 到 {to}，{text} 胜出；在这之外换成别的译文。",
    ),
    "tree.finding.now": Word("{text} wins at this α.", "α 取这个值时，{text} 胜出。"),
    "tree.alike": Word("same text, different tokens", "文本相同，词元不同"),
    "tree.kind.beaten": Word("finished at step {step}, then dropped", "第 {step} 步写完，后落选"),
    "tree.rank": Word("rank", "名次"),
    "tree.hypothesis": Word("hypothesis", "候选译文"),
    "tree.sum": Word("sum of log-probs", "对数概率之和"),
    "tree.length": Word("length", "长度"),
    "tree.token": Word("token", "词元"),
    "tree.adds": Word("adds", "计入"),
    "tree.note": Word("note", "说明"),
    "tree.after": Word("after", "前文"),
    "tree.fate": Word("fate", "去向"),
    "tree.alpha": Word("length penalty α", "长度惩罚 α"),
    "tree.form": Word("divided by", "除以"),
    "tree.form.average": Word("length ^ α", "长度 ^ α"),
    "tree.form.gnmt": Word("((5 + length) / 6) ^ α (GNMT)", "((5 + 长度) / 6) ^ α（GNMT）"),
    "tree.own": Word("back to the search’s α = {alpha}", "回到搜索所用的 α = {alpha}"),
    "tree.beaten": Word(
        "include the {n} dropped during the search", "也列出搜索中落选的 {n} 条完整译文"
    ),
    "tree.beaten.none": Word(
        "The search dropped no finished hypothesis.", "这次搜索中，写完的译文没有一条落选。"
    ),
    "tree.penalty": Word("penalty", "长度惩罚"),
    "tree.score": Word("score", "得分"),
    "tree.moved.up": Word("rose from rank {was} to {now}", "从第 {was} 名升到第 {now} 名"),
    "tree.moved.down": Word("fell from rank {was} to {now}", "从第 {was} 名降到第 {now} 名"),
    "tree.moved.new": Word("rank {now}; the search had dropped it", "第 {now} 名；搜索时已落选"),
    "tree.kind.cut": Word("cut at the length limit", "到上限中断"),
    "tree.honest": Word(
        "This only re-ranks what the search with {own} found. A search with {now} may stop at "
        "different steps, keep different hypotheses and so find a different translation.",
        "这里只是给用 {own} 搜到的译文重新排名。若用 {now} 来搜索，"
        "停止的时机和留在名单里的译文都可能不同，结果也就可能不同。",
    ),
    "tree.honest.one": Word(
        "{method} writes one text, whatever α is: only its score changes.",
        "{method}只写出一条译文，与 α 无关：变的只是得分。",
    ),
    "tree.setting.average": Word("length ^ {alpha}", "长度 ^ {alpha}"),
    "tree.setting.gnmt": Word("((5 + length) / 6) ^ {alpha}", "((5 + 长度) / 6) ^ {alpha}"),
    "tree.run": Word("Search with α = {alpha}", "用 α = {alpha} 重新搜索"),
    "tree.outcome.same": Word(
        "The search with {now} found “{text}”, as the new ranking predicted.",
        "用 {now} 搜索，得到“{text}”：与重新排名的结果一致。",
    ),
    "tree.outcome.listed": Word(
        "The search with {now} found “{text}”. It was in the list, but at rank {rank}: the new "
        "ranking predicted “{predicted}”, which this search dropped or never finished.",
        "用 {now} 搜索，得到“{text}”。它原来在列表里，但排在第 {rank} 名；"
        "重新排名选的是“{predicted}”，而这次搜索中它落选了，或者根本没有写完。",
    ),
    "tree.outcome.beaten": Word(
        "The search with {now} found “{text}”. The previous search had finished it too, but "
        "dropped it: it was not in the final list.",
        "用 {now} 搜索，得到“{text}”。上次搜索也写完过它，但它中途落选，所以不在最后的列表里。",
    ),
    "tree.outcome.new": Word(
        "The search with {now} found “{text}”. It was not in the list: the previous search never "
        "finished it.",
        "用 {now} 搜索，得到“{text}”。它不在原来的列表里：上次搜索根本没有写完它。",
    ),
    "tree.plot": Word("Score against α", "得分随 α 的变化"),
    "tree.plot.note": Word(
        "Up is better. Each line is a hypothesis: the score of no. 1 divided by its own, on a "
        "logarithmic scale, so that no. 1 is flat and every other line is straight. Where two "
        "lines cross, two hypotheses swap ranks.",
        "越高越好。每条线是一条候选译文：第 1 条的得分 ÷ 它的得分，对数刻度。"
        "这样第 1 条是水平线，其余都是直线。两线相交处，两条译文互换名次。",
    ),
    "tree.plot.alone": Word(
        "Each line is a hypothesis: the score of no. 1 divided by its own. Here there is only one, "
        "so its line is flat; a beam search with 2 beams or more gives lines to compare.",
        "每条线是一条候选译文：第 1 条的得分 ÷ 它的得分。这里只有一条，所以是水平线；改用束宽至少"
        "为 2 的束搜索，就有几条线可比。",
    ),
    "tree.plot.axis": Word("score of no. 1 ÷ score", "第 1 条的得分 ÷ 得分"),
    "tree.plot.own": Word("the search’s α", "搜索所用的 α"),
    "tree.plot.picture": Word(
        "Lines of {n} hypotheses over α from {low} to {high}. The list below says which is best "
        "where.",
        "{n} 条候选译文的得分曲线，α 从 {low} 到 {high}。下方列表说明 α 取何值时哪一条最好。",
    ),
    "tree.reign.all": Word(
        "No. {n} is best at every α shown.", "α 取图中任何值时，都是第 {n} 条最好。"
    ),
    "tree.reign.first": Word("α below {to}: no. {n} is best", "α 小于 {to}：第 {n} 条最好"),
    "tree.reign.between": Word("α from {from} to {to}: no. {n}", "α 从 {from} 到 {to}：第 {n} 条"),
    "tree.reign.last": Word("α above {from}: no. {n}", "α 大于 {from}：第 {n} 条"),
    "tree.no": Word("no. {n}", "第 {n} 条"),
    "tree.one": Word("No. {n}: {text}", "第 {n} 条：{text}"),
    "tree.free": Word("forced at the length limit: adds nothing", "到上限强制写出：不计入总和"),
    "tree.forced": Word(
        "forced: it keeps the model’s own log-prob", "强制：仍用模型给出的对数概率"
    ),
    "tree.formula.average": Word(
        "{sum} ÷ {n}^{alpha} = {sum} ÷ {penalty} = {score}",
        "{sum} ÷ {n}^{alpha} = {sum} ÷ {penalty} = {score}",
    ),
    "tree.formula.gnmt": Word(
        "{sum} ÷ ((5 + {n}) / 6)^{alpha} = {sum} ÷ {penalty} = {score}",
        "{sum} ÷ ((5 + {n}) / 6)^{alpha} = {sum} ÷ {penalty} = {score}",
    ),
    "tree.formula.sum": Word(
        "The {n} log-probs above add up to {sum}.", "上面 {n} 个对数概率之和为 {sum}。"
    ),
}
