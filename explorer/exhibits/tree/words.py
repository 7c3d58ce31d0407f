"""The words of the exhibit `tree`."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "tree.title": Word("Search tree", "搜索树"),
    "tree.about": Word(
        "The best candidates of every step, and why they were dropped.",
        "每一步得分最高的候选，以及它们为什么被放弃。",
    ),
    "tree.lead": Word(
        "The best candidates of every step, and their fate. Click any of them, even a pruned one, "
        "to use its prefix everywhere and continue from it.",
        "每一步得分最高的候选，以及它们的去向。"
        "点任意一个候选（被剪的也行），整个页面就改用它的前缀，还能从那里继续解码。",
    ),
    # player
    "tree.player": Word("Play the search", "播放搜索过程"),
    "tree.first": Word("First search step", "搜索的第一步"),
    "tree.back": Word("One search step back", "后退一步搜索"),
    "tree.play": Word("Play", "播放"),
    "tree.pause": Word("Pause", "暂停"),
    "tree.forward": Word("One search step forward", "前进一步搜索"),
    "tree.last": Word("Last search step: the whole tree", "搜索的最后一步：整棵树"),
    "tree.step": Word("Search step", "搜索步"),
    "tree.speed": Word("Speed", "速度"),
    "tree.speed.slow": Word("slow", "慢速"),
    "tree.speed.normal": Word("normal", "中速"),
    "tree.speed.fast": Word("fast", "快速"),
    "tree.all": Word("Unfold all pruned", "展开全部被剪候选"),
    "tree.axes": Word(
        "Column: a step of the search. Height: rank in the step, best at the top; unfolded pruned "
        "candidates stand below. Small number: sum of log-probs; #1, #2, …: a hypothesis and its "
        "score (zoom in where words and numbers have no room).",
        "每一列是搜索的一步。越靠上，在该步的名次越高；展开的被剪候选排在下方。小号数字是对数概率之和；"
        "#1、#2……是候选译文的名次和得分（字和数放不下时请放大）。",
    ),
    "tree.keys": Word(
        "Drag to move the tree. Arrow keys walk it, Home and End jump, Enter shows the prefix, P "
        "unfolds the pruned, space plays, + and − zoom.",
        "拖动可移动整棵树。方向键在树上走动，Home 和 End 跳到首尾，回车显示前缀，"
        "P 展开被剪候选，空格播放，+ 和 − 缩放。",
    ),
    "tree.touch": Word(
        "Drag sideways to move the tree; drag up or down to scroll the page. Tap a candidate to "
        "use its prefix, tap a count such as +7 to unfold the pruned. The buttons − and + zoom, "
        "Fit shows the whole tree.",
        "左右拖动可移动整棵树，上下拖动则滚动页面。点一个候选，改用它的前缀；点 +7 这样的数字，"
        "展开被剪候选。− 和 + 按钮缩放，“适应窗口”显示整棵树。",
    ),
    # legend
    "tree.legend": Word("What the marks mean", "图例"),
    "tree.mark.kept": Word("kept", "保留"),
    "tree.mark.pruned": Word("pruned", "被剪"),
    "tree.mark.finished": Word("finished", "完成"),
    "tree.mark.beaten": Word("finished, then dropped", "完成，后落选"),
    "tree.mark.winner": Word("winner", "胜出路径"),
    "tree.mark.forced": Word("forced", "强制"),
    "tree.mark.joined": Word("same word", "同一个词"),
    "tree.mark.path": Word("current prefix", "当前前缀"),
    "tree.mark.folded": Word("pruned, folded", "折叠的被剪候选"),
    # one candidate
    "tree.node": Word("{token} at step {n}", "第 {n} 步的 {token}"),
    "tree.start": Word("Start: nothing written yet", "起点：尚未写出任何内容"),
    "tree.after": Word("after {prefix}", "前文：{prefix}"),
    "tree.after.nothing": Word("at the very beginning", "位于句首"),
    "tree.probability": Word("probability", "概率"),
    "tree.log_prob": Word("log-prob", "对数概率"),
    "tree.total": Word("sum of log-probs", "对数概率之和"),
    "tree.rank": Word("rank in its step", "该步名次"),
    "tree.rank.of": Word("{n} of {count}", "{n} / {count}"),
    "tree.fate.kept": Word("Kept: extended at the next step.", "保留：下一步由它继续。"),
    "tree.fate.pruned": Word("Pruned: never extended.", "被剪：没有再继续。"),
    "tree.fate.finished": Word(
        "Finished: a hypothesis of the final list.", "完成：进入最终的候选译文列表。"
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
        "Finished: hypothesis 1 of {count}, the best. Score {score}, no. 2 has {other}: it wins "
        "by {by}.",
        "完成：候选译文 1/{count}，得分最高。得分 {score}，第 2 条是 {other}：高 {by}。",
    ),
    "tree.end.loses": Word(
        "Finished: hypothesis {n} of {count}. Score {score}, no. 1 has {other}: it loses by {by}.",
        "完成：候选译文 {n}/{count}。得分 {score}，第 1 条是 {other}：低 {by}。",
    ),
    "tree.end.equal": Word(
        "Finished: hypothesis {n} of {count}. Score {score}, exactly that of no. {to}: only the "
        "order of the list sets them apart.",
        "完成：候选译文 {n}/{count}。得分 {score}，与第 {to} 条完全相同，只是在列表里有先后。",
    ),
    "tree.end.dropped": Word(
        "Finished here, then dropped: not among the best {count}. Score {score}, the last of the "
        "list, no. {count}, has {other}: it loses by {by}.",
        "在此完成，后来落选：没有进入前 {count} 名。得分 {score}，列表里最后的第 {count} 条是 {other}：低 {by}。",
    ),
    "tree.end.dropped_equal": Word(
        "Finished here, then dropped. Score {score}, exactly that of no. {count}, the last of the "
        "list, which was there before.",
        "在此完成，后来落选。得分 {score}，与列表里最后的第 {count} 条完全相同，但那一条在先。",
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
    "tree.unfold": Word("Unfold {n} pruned", "展开 {n} 个被剪候选"),
    "tree.fold": Word("Fold", "折叠"),
    "tree.go_on": Word("Continue from here", "从这里继续解码"),
    "tree.whole": Word("Back to hypothesis {n}", "回到候选译文 {n}"),
    # force
    "tree.begin": Word("Or begin the translation with", "或者让译文以此开头"),
    "tree.begin.go": Word("Begin", "开始"),
    "tree.forced.now": Word("Forced beginning: {prefix}", "强制的开头：{prefix}"),
    "tree.let_go": Word("Stop forcing it", "不再强制"),
    "tree.now": Word("now", "现在"),
    "tree.before": Word("before", "之前"),
    "tree.before.begun": Word("before, begun with {prefix}", "之前，以 {prefix} 开头"),
    "tree.before.tree": Word(
        "The earlier search: {text}, score {score}", "之前的搜索：{text}，得分 {score}"
    ),
    "tree.difference": Word("difference in score", "得分之差"),
    "tree.otherwise": Word(
        "The earlier search also used other settings or interventions.",
        "之前的搜索还用了不同的设置或干预。",
    ),
    # table
    "tree.list": Word("Step {n}: {count} candidates", "第 {n} 步：{count} 个候选"),
    "tree.list.rank": Word("rank", "名次"),
    "tree.list.token": Word("token", "词元"),
    "tree.list.after": Word("after", "前文"),
    "tree.list.log_prob": Word("log-prob", "对数概率"),
    "tree.list.total": Word("sum", "总和"),
    "tree.list.fate": Word("fate", "去向"),
    "tree.list.kept": Word("kept", "保留"),
    "tree.list.pruned": Word("pruned", "被剪"),
    "tree.list.finished": Word("finished", "完成"),
    "tree.list.beaten": Word("dropped", "落选"),
}
