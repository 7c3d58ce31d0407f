"""The words of the input bar, the sentence and the tabs."""

from __future__ import annotations

from explorer.words.word import Word

FRAME: dict[str, Word] = {
    # input
    "input.label": Word("Sentence to translate", "要翻译的句子"),
    "languages.any": Word("your sentence", "翻译你的句子"),
    "languages.pair": Word("{source} into {target}", "把{source}翻译成{target}"),
    "input.hint.any": Word("Type a sentence to translate", "输入要翻译的句子"),
    "input.hint.pair": Word("Type a sentence in {source}", "请用{source}输入句子"),
    "input.translate": Word("Translate", "翻译"),
    "switch.language": Word("Switch to Chinese (中文)", "切换到英文（English）"),
    "switch.gloss": Word("What the tokens mean, below them", "词元下方的释义"),
    "gloss.reading": Word(
        "The small word below a token is what it stands for in the other language. Of the words "
        "counted for it over {pairs} sentence pairs that a model aligned, it is the likeliest that "
        "stands in the other text here; where none does, the likeliest of all, if that reaches a "
        "third. A token such as 了 or “the” has none.",
        "词元下方的小字是它在另一种语言中对应的词。模型对齐 {pairs} 对句子，统计出它对应过哪些词；这里取其中"
        "出现在另一种语言文本里的最常见的词，一个都没出现时，取占到三分之一的最常见的词。像「了」「the」这样的"
        "词元没有释义。",
    ),
    "gloss.form": Word("another form of “{gloss}”", "「{gloss}」的另一形式"),
    "gloss.also": Word("also “{gloss}”", "也指「{gloss}」"),
    "gloss.none": Word("no single English word", "没有单一的对应词"),
    # tokens that have a name
    "number.below": Word("less than {value}", "不到 {value}"),
    "number.above": Word("more than {value}", "超过 {value}"),
    "called.start": Word("the start token", "句首符"),
    "called.end": Word("the end token", "句尾符"),
    "called.pad": Word("the pad token", "填充符"),
    "called.unknown": Word("the unknown token", "未知符"),
    "called.full_stop": Word("the full stop", "句号"),
    "called.comma": Word("the comma", "逗号"),
    "called.list_comma": Word("the list comma", "顿号"),
    "called.question_mark": Word("the question mark", "问号"),
    "called.exclamation_mark": Word("the exclamation mark", "感叹号"),
    "called.colon": Word("the colon", "冒号"),
    "called.semicolon": Word("the semicolon", "分号"),
    # the reader's line
    "line.by": Word("by {model}", "{model} 译"),
    "line.unsure": Word("unsure", "没把握"),
    "line.about": Word(
        "What this says, translated by a machine: {model}", "这句话的大意，由机器（{model}）翻译"
    ),
    "line.switch": Word("What a text says, below it (by {model})", "文本下方的大意（{model} 译）"),
    "line.fetch": Word(
        "What does it say? Fetch {model}, {size} MB", "看大意：下载 {model}，{size} MB"
    ),
    "line.reading": Word(
        "The line after ≈ is a translation of a translation, written by a machine, {model}: it tells "
        "roughly what the text says, with that model’s own mistakes, and “unsure” where its own "
        "numbers give reason for doubt.",
        "≈ 后面的一行是译文的译文，由机器（{model}）写成：它告诉你这句话大致说了什么，但也会带上那个模型自己的错误；"
        "它自己的数值让人生疑时，会标上「没把握」。",
    ),
    "switch.theme": Word("Dark theme", "深色模式"),
    "switch.size": Word("Projector size", "投影模式"),
    # sharing
    "share.copy": Word("Copy link", "复制链接"),
    "share.copied": Word("Link copied.", "链接已复制。"),
    "share.by_hand": Word(
        "Your browser does not allow this page to copy. Copy the link from here:",
        "浏览器不允许网页写入剪贴板，请在这里手动复制链接：",
    ),
    "share.later": Word(
        "The model is still loading. Copy the link in a moment.", "模型还在加载，请稍后再复制链接。"
    ),
    "share.left": Word(
        "Too long for a link, so left out: what you typed or changed in {what}.",
        "内容太长，链接放不下，因此不含你在这些视图中的输入或改动：{what}。",
    ),
    "share.save": Word("Save as one file", "保存为单个文件"),
    "share.session": Word("Session as data (JSON)", "会话数据（JSON）"),
    "share.arrays": Word("All arrays (.npz)", "全部数组（.npz）"),
    "share.arrays.hint": Word(
        "Attention, states, log-probs and the search, for numpy.load or headlight.load",
        "注意力、各层状态、对数概率和搜索记录，可用 numpy.load 或 headlight.load 打开",
    ),
    "share.lesson": Word(
        "This lesson as one file, with the model in it (about {size} MB): it runs to its end "
        "without a server.",
        "把这一课连同模型存为一个文件（约 {size} MB）：不用服务器也能上完。",
    ),
    "share.lesson.take": Word("Save this lesson", "保存这一课"),
    "share.view": Word("Save this view", "保存当前视图"),
    "share.saving": Word(
        "Collecting the file's contents from the model …", "正在从模型收集文件所需的内容……"
    ),
    "share.stop": Word("Stop", "停止"),
    "share.stopped": Word("Stopped; nothing was saved.", "已停止，没有保存任何内容。"),
    "share.saved": Word(
        "Saved ({size} MB). The file opens offline; views that need the running page are greyed "
        "out.",
        "已保存（{size} MB）。文件断网也能打开；需要服务器计算的视图显示为灰色。",
    ),
    "saved.away": Word(
        "This view needs the model, which is not in this file: open it on the page that saved it.",
        "这个视图需要模型，而此文件里没有模型：请在保存此文件的网页上打开它。",
    ),
    "saved.no_view": Word(
        "This file was saved on “{view}”, which needs the running page; another view is shown.",
        "保存此文件时打开的是「{view}」，它需要服务器来计算；现在显示的是另一个视图。",
    ),
    "saved.missing": Word(
        "This file has no model. It holds one translation and the head chosen when it was saved.",
        "此文件不含模型，只保存了一条译文，以及保存时所选的头。",
    ),
    "published.away": Word(
        "This view trains models, which needs a server: it works where Headlight runs in Python.",
        "这个视图要训练模型，需要服务器：在用 Python 运行的 Headlight 中可以使用。",
    ),
    "published.proof": Word(
        "Here your browser runs the model itself, so there is no server to check.",
        "在这里，模型就在你的浏览器里运行，不经过服务器，也就无需检验。",
    ),
    "published.server": Word(
        "This needs a server; it works where Headlight runs in Python.",
        "这需要服务器；在用 Python 运行的 Headlight 中可以使用。",
    ),
    "published.torch": Word(
        "This is measured with PyTorch, which does not run in a browser; it works where Headlight "
        "runs in Python.",
        "这里要用 PyTorch 测量，浏览器中无法运行；在用 Python 运行的 Headlight 中可以使用。",
    ),
    "published.loading": Word(
        "Loading the model: {done} of {all} MB …", "正在加载模型：{done}/{all} MB……"
    ),
    "published.failed": Word(
        "The model could not be loaded. Check the network and reload the page.",
        "无法加载模型。请检查网络，然后刷新页面。",
    ),
    "saved.enlarge": Word(
        "Not in this file: the library for large charts would triple its size.",
        "此文件不含大图功能：所需的图表库会让文件大两倍。",
    ),
    # examples
    "example.more": Word("Examples", "例句"),
    "example.plain": Word("A simple sentence", "简单句"),
    "example.question": Word("A question", "疑问句"),
    "example.repeated": Word("Repeated words", "重复的词"),
    "example.agreement": Word("Agreement", "主谓一致"),
    "example.negation": Word("Negation", "否定"),
    "example.reordering": Word("Word order", "语序调整"),
    "example.unknown": Word("Unfamiliar words", "没见过的词"),
    "example.emoji": Word("An emoji", "表情符号"),
    "example.own": Word("Example", "例子"),
    "example.opening": Word("The opening sentence", "开头的例句"),
    "opener.here": Word("Show me where it matters here", "去这句话里看得出区别的地方"),
    "opener.other": Word("Show me another sentence where it matters", "换一句看得出区别的话"),
    # status and message
    "status.live": Word("{name} · {device} · {time}", "{name} · {device} · {time}"),
    "status.browser": Word("in your browser", "浏览器内"),
    "status.short": Word("{device} · {time}", "{device} · {time}"),
    "status.recorded": Word("{name} · recorded example", "{name} · 预存示例"),
    "status.saved": Word("{name} · saved {date}", "{name} · 保存于 {date}"),
    "status.revision": Word("Revision {revision}", "版本 {revision}"),
    "message.limits": Word(
        "Up to {tokens} tokens and {characters} characters at a time.",
        "每次最多 {tokens} 个词元、{characters} 个字符。",
    ),
    "message.pace": Word(
        "A token of this model takes {token} here; one request may work for {seconds} s.",
        "该模型在这里处理一个词元需 {token}；单次请求最多可运行 {seconds} 秒。",
    ),
    "message.reader": Word(
        "This looks like {language}: “{name}” translates it.",
        "看起来是{language}，已交给「{name}」翻译。",
    ),
    "message.foreign": Word(
        "This model reads {language} only: type the sentence in {language}.",
        "这个模型只读{language}：请用{language}输入句子。",
    ),
    "message.one_text": Word(
        "The lines are translated as one text. Paste a line alone to have it translated by itself.",
        "这几行会连成一段来翻译。要单独翻译某一行，请只粘贴那一行。",
    ),
    "message.recorded": Word(
        "The model is still loading; until it is ready, you see a recorded example.",
        "模型正在加载，先看一个预存的示例，稍后换成实时计算的结果。",
    ),
    "message.line": Word(
        "The server is busy: your place in the queue is {place} or better.",
        "现在用的人很多，请求正在排队：最多排到第 {place} 位。",
    ),
    "message.loading": Word("The model is loading.", "模型正在加载。"),
    # settings
    "settings.method": Word("Method", "解码方法"),
    "settings.method.hint": Word("How the next token is chosen", "怎样选出下一个词元"),
    "settings.method.greedy": Word("greedy", "贪心"),
    "settings.method.beam": Word("beam search", "束搜索"),
    "settings.method.sampling": Word("sampling", "采样"),
    "settings.method.beam_sampling": Word("beam sampling", "束采样"),
    "settings.beam_size": Word("Beam size", "束宽"),
    "settings.beam_size.hint": Word("Hypotheses kept at each step", "每一步保留的候选译文数"),
    "settings.length_penalty": Word("Length penalty α", "长度惩罚 α"),
    "settings.length_penalty.hint": Word(
        "0 ranks by the sum of log-probs; higher values favour longer translations",
        "取 0 时按对数概率之和排名；值越大，越偏向较长的译文",
    ),
    "settings.penalty_form": Word("Penalty form", "惩罚形式"),
    "settings.penalty_form.hint": Word(
        "What the sum of log-probs is divided by", "对数概率之和要除以什么"
    ),
    "settings.penalty_form.average": Word("length ^ α", "长度 ^ α"),
    "settings.penalty_form.gnmt": Word(
        "GNMT: ((5 + length) / 6) ^ α", "GNMT：((5 + 长度) / 6) ^ α"
    ),
    "settings.temperature": Word("Temperature", "温度"),
    "settings.temperature.hint": Word(
        "Below 1 sharpens the distribution, above 1 flattens it",
        "小于 1 时分布更尖锐，大于 1 时更平缓",
    ),
    "settings.top_k": Word("Top-k", "Top-k"),
    "settings.top_k.hint": Word(
        "Sample from the k most likely tokens only; 0 keeps all",
        "只从概率最高的 k 个词元中采样；0 表示不限",
    ),
    "settings.off": Word("off", "不限"),
    "settings.top_p": Word("Top-p", "Top-p"),
    "settings.top_p.hint": Word(
        "Sample from the fewest tokens that together reach probability p",
        "按概率从高到低取词元，概率之和达到 p 为止，只从中采样",
    ),
    "settings.seed": Word("Seed", "随机种子"),
    "settings.seed.hint": Word(
        "The same seed gives the same translation", "种子相同，采样得到的译文就相同"
    ),
    "settings.note": Word(
        "First temperature, then top-k, then top-p, always over the whole vocabulary.",
        "先用温度，再用 top-k，最后用 top-p，都在整个词表上计算。",
    ),
    "settings.beams": Word(
        "The number of beams is Headlight's choice: the checkpoint names none, and commands and "
        "programs decode greedily then, as transformers does.",
        "束宽由 Headlight 选择：模型的文件没有给出，命令和程序接口此时用贪心搜索，和 transformers 一样。",
    ),
    "settings.reset": Word("Reset to the defaults", "恢复默认设置"),
    "settings.short.beam": Word("size {beam_size}", "束宽 {beam_size}"),
    "settings.short.ours": Word("Headlight's choice", "由 Headlight 选择"),
    "settings.short.penalty": Word("α {length_penalty}", "α {length_penalty}"),
    "settings.short.rules": Word("rules off: {n}", "停用规则 {n} 条"),
    "settings.short.temperature": Word("T {temperature}", "T {temperature}"),
    "settings.rules_off": Word("Rules of the checkpoint", "检查点的解码规则"),
    "rules.note": Word(
        "They are in the checkpoint's own files, and generate of transformers follows them too. "
        "Switch one off to search without it.",
        "这些规则写在检查点自己的文件里，transformers 的 generate 也遵守。取消勾选，就不按这条规则搜索。",
    ),
    "rules.banned": Word("Never written: {tokens}", "从不写出：{tokens}"),
    "rules.more": Word("{tokens} and {n} more", "{tokens}等，另有 {n} 个"),
    "rules.forced_first_id": Word("First token: {tokens}", "第一个词元固定为：{tokens}"),
    "rules.forced_end_id": Word(
        "{tokens} at the length limit", "到长度上限时，最后一个词元固定为：{tokens}"
    ),
    "rules.min_tokens": Word("No end before {value} tokens", "至少写满 {value} 个词元才能结束"),
    "rules.no_repeat": Word(
        "No run of {value} tokens twice (no_repeat_ngram_size)",
        "不重复写连续 {value} 个词元（no_repeat_ngram_size）",
    ),
    "rules.no_repeat.other": Word("in this search: {n}", "本次搜索改用 {n}"),
    "rules.source_no_repeat": Word(
        "No run of {value} tokens copied from the source",
        "不照抄原文中连续 {value} 个词元",
    ),
    "rules.repetition_penalty": Word("Repetition penalty {value}", "重复惩罚 {value}"),
    "rules.renormalise": Word(
        "Probabilities shared out again after the other rules",
        "其他规则生效后，概率重新归一",
    ),
    "rules.early_stopping.true": Word(
        "Stop as soon as the list of translations is full", "译文名单一满就停止"
    ),
    "rules.early_stopping.never": Word(
        "Stop only when no longer text can be better", "再写长也不会更好时才停止"
    ),
    "rules.off": Word("off in this search", "本次搜索未用"),
    "rules.none": Word("forbade nothing in this search", "本次搜索没有禁止任何词元"),
    "rules.none.likely": Word(
        "forbade nothing in this search that had 1 % or more",
        "本次搜索中，没有概率达 1 % 的词元因此被禁",
    ),
    "rules.forbade": Word(
        "forbidden in this search: {n}; likeliest “{token}” as token {at}, with {share}",
        "本次搜索禁止了 {n} 次；概率最高的是「{token}」（第 {at} 个词元，{share}）",
    ),
    "rules.forced.same": Word(
        "the model would have chosen it anyway, with {share}", "模型本来也会选它（{share}）"
    ),
    "rules.forced.other": Word(
        "it has {share}; the model prefers “{token}”, with {other}",
        "它的概率是 {share}；模型更想写「{token}」（{other}）",
    ),
    "rules.cut": Word(
        "hypotheses that it ended in this search: {n}", "本次搜索中，有 {n} 条译文因此结束"
    ),
    "rules.penalised": Word(
        "lowered in this search: {n} candidates, most of all “{token}” as token {at}, by {by}",
        "本次搜索中压低了 {n} 个候选，压得最多的是「{token}」（第 {at} 个词元，{by}）",
    ),
    "rules.penalised.none": Word("lowered no candidate in this search", "本次搜索没有压低任何候选"),
    "rules.renormalise.did": Word(
        "what is left over goes to the other tokens", "被禁词元的概率分给其余词元"
    ),
    "rules.stopped": Word(
        "this search stopped after {n} tokens", "本次搜索写到第 {n} 个词元时停止"
    ),
    "rules.beams_only": Word("counts only with beams", "只在束搜索中起作用"),
    # what is said of a model's files
    "notes.name": Word("About this model's files", "关于这个模型的文件"),
    "notes.left_out": Word(
        "The network has no place for {count} of the weights in the file, which were left out, as "
        "transformers does: {names}.",
        "文件里有 {count} 个权重在网络中没有位置，已略去（transformers 也这样做）：{names}。",
    ),
    "notes.class": Word(
        "The tokenizer is of the class {name}, whose own rules Headlight does not have: the text is "
        "cut by tokenizer.json alone.",
        "分词器的类是 {name}，Headlight 没有这个类自己的规则：文本只按 tokenizer.json 切分。",
    ),
    "notes.adapter": Word(
        "The LoRA in the same folder is merged into the weights, as transformers does with peft.",
        "同一文件夹里的 LoRA 已并入权重（装有 peft 时，transformers 也这样做）。",
    ),
    # which model
    "model.choose": Word("Model", "模型"),
    "model.turn": Word("Translate the translation back", "把译文翻译回去"),
    "model.source": Word("Source language", "源语言"),
    "model.code": Word("Target language", "目标语言"),
    "model.code.usual": Word("as usual: {code}", "默认：{code}"),
    "model.code.lost": Word(
        "No language of this model has such a name or code.", "这个模型没有叫这个名称或代码的语言。"
    ),
    "model.task.lost": Word("This model has no such task.", "这个模型没有这样的任务。"),
    "model.task": Word("Task", "任务"),
    "model.task.none": Word("no task", "无任务"),
    "model.code.none": Word("no language code", "无语言代码"),
    "model.trained": Word("Trained here", "现场训练"),
    "model.leave": Word("Leave it and show {name}", "不等了，显示 {name}"),
    "model.instead": Word("Use “{name}” instead", "改用「{name}」"),
    "model.back": Word("Back to {name}", "回到 {name}"),
    # a changed model
    "changed.model": Word("Modified model: {what}", "改动后的模型：{what}"),
    "changed.undo": Word("Undo", "撤销"),
    "changed.comma": Word(", ", "、"),
    "changed.heads_off": Word("{n} {n|head|heads} off", "关闭 {n} 个头"),
    "changed.cross_off": Word("no cross-attention in {n} {n|layer|layers}", "{n} 层无交叉注意力"),
    "changed.causal_mask": Word("no causal mask", "无因果掩码"),
    "changed.padding": Word("{n} padding {n|token|tokens}", "{n} 个填充符"),
    "changed.padding_mask": Word("padding not masked", "填充符未掩码"),
    "changed.cells": Word("{n} mask {n|cell|cells} changed", "改动 {n} 个掩码格"),
    "changed.scaling": Word("no scaling", "不缩放"),
    "changed.positions": Word("positions changed", "位置编码已改动"),
    # strips
    "strip.source": Word("source", "原文"),
    "strip.target": Word("target", "译文"),
    "token.facts": Word(
        "token {place} · {piece} · id {id}", "第 {place} 个词元 · {piece} · 编号 {id}"
    ),
    "token.lost": Word("the translation may lack this word", "译文可能漏了这个词"),
    "token.byte": Word("one byte of a character", "某个字符的一个字节"),
    "token.space": Word("␣: a token that is only a space", "␣：单独成为词元的空格"),
    "token.<s>": Word(
        "start token: the first token the decoder reads", "句首符：解码器最先读入的词元"
    ),
    "token.</s>": Word("end token: the sentence ends here", "句尾符：句子到此结束"),
    "token.<pad>": Word(
        "padding; some models also use it as the start token", "填充符；有的模型也用它作句首符"
    ),
    "token.<unk>": Word("unknown token", "未知词元"),
    # hypotheses
    "hypothesis.summary": Word("hypothesis {n} of {count}", "候选译文 {n}/{count}"),
    "hypothesis.summary.score": Word("· score {score}", "· 得分 {score}"),
    "hypothesis.lost.equal": Word("the same score as the first", "与第 1 条得分相同"),
    "hypothesis.lost.same": Word(
        "as long as the first, but less likely", "与第 1 条等长，但概率更低"
    ),
    "hypothesis.lost.less": Word(
        "less likely than the first, and its length does not make up for it",
        "概率低于第 1 条，长度也弥补不了",
    ),
    "hypothesis.lost.short": Word(
        "at least as likely as the first overall, but its length means that the sum is divided "
        "by a smaller number",
        "总概率不低于第 1 条，但按它的长度，对数概率之和要除以一个更小的数",
    ),
    "hypothesis.twin": Word(
        "same text as hypothesis {n}, different tokens", "与第 {n} 条文字相同，词元切分不同"
    ),
    "hypothesis.prefix.kept": Word(
        "prefix · length {n} · kept at step {n}", "前缀 · 长度 {n} · 第 {n} 步保留"
    ),
    "hypothesis.prefix.pruned": Word(
        "prefix · length {n} · pruned at step {n}", "前缀 · 长度 {n} · 第 {n} 步被剪掉"
    ),
    "hypothesis.prefix.finished": Word(
        "translation · finished at step {n}", "译文 · 第 {n} 步写完"
    ),
    "hypothesis.prefix.beaten": Word(
        "translation · finished at step {n}, then dropped", "译文 · 第 {n} 步写完，后落选"
    ),
    "hypothesis.rank": Word("rank", "名次"),
    "hypothesis.text": Word("translation", "译文"),
    "hypothesis.score": Word("score", "得分"),
    "hypothesis.behind": Word("vs. no. 1", "与第 1 条之差"),
    "hypothesis.log_prob": Word("sum of log-probs", "对数概率之和"),
    "hypothesis.length": Word("length", "长度"),
    "hypothesis.tokens": Word("{n} {n|token|tokens}", "{n} 个词元"),
    "hypothesis.cut": Word("{n} {n|token|tokens}, cut off", "{n} 个词元，到上限中断"),
    "hypothesis.empty": Word("(nothing written)", "（什么也没有写）"),
    "hypothesis.note": Word(
        "Score: sum of log-probs divided by the length penalty. Underlined: where a translation "
        "differs from the first. Choose one to see how the model wrote it.",
        "得分 = 对数概率之和 ÷ 长度惩罚。下划线标出与第 1 条不同的部分。点一条译文，看模型是怎样写出它的。",
    ),
    # doubt
    "doubt.short.lost": Word("May leave out {items}", "可能漏译{items}"),
    "doubt.short.missing": Word("Leaves out {items}", "漏了 {items}"),
    "doubt.short.added": Word("Adds {items}", "多出 {items}"),
    "doubt.short.unlikely": Word("The model is unsure", "模型没有把握"),
    "doubt.short.repeats": Word("It repeats itself", "译文有重复"),
    "doubt.short.unread": Word("Hardly reads the source", "原文读得太少"),
    "doubt.short.unsourced": Word("Hardly follows the source", "很少来自原文"),
    "doubt.missing": Word(
        "In the source, but not in the translation: {items}", "原文里有、译文里没有：{items}"
    ),
    "doubt.added": Word(
        "In the translation, but not in the source: {items}", "译文里有、原文里没有：{items}"
    ),
    "doubt.unlikely": Word(
        "The model itself found this translation unlikely: its mean log-prob per token is "
        "{value}, below {limit}.",
        "模型自己也没有把握：每个词元的平均对数概率是 {value}，低于 {limit}。",
    ),
    "doubt.repeats": Word(
        "It repeats itself: {value} {value|run|runs} of three tokens had already appeared "
        "({limit} or more are flagged).",
        "译文有重复：有 {value} 处连续三个词元在前文出现过（达到 {limit} 处即存疑）。",
    ),
    "doubt.unread": Word(
        "Much of the source was hardly read: only {value} of its tokens ever got a tenth of a "
        "layer’s attention, below {limit}.",
        "原文有不少几乎没被读到：只有 {value} 的词元曾得到某一层十分之一的注意力，低于 {limit}。",
    ),
    "doubt.unsourced": Word(
        "Little of it comes from the source: only {value} of what goes into its words, below "
        "{limit}; the rest comes from the words already written.",
        "译文很少来自原文：各词的构成中只有 {value} 来自原文，低于 {limit}；其余来自已写出的词。",
    ),
    "doubt.word": Word("“{text}”", "「{text}」"),
    "doubt.lost": Word(
        "{items} may be missing: {model} translated the translation back, and nothing like it came.",
        "{items}可能漏译了：{model} 把译文译回原文的语言，里面找不到它。",
    ),
    "doubt.how": Word(
        "These limits were chosen on {sentences} development sentences: {doubted} were flagged "
        "as doubtful, {precision} of them rightly (chrF below {poor}), and {recall} of all "
        "poor translations were caught.",
        "这些界限是在 {sentences} 个开发集句子上选定的：{doubted} 句被标为存疑，"
        "其中 {precision} 确实译得差（chrF 低于 {poor}）；在所有译得差的句子里，"
        "有 {recall} 被找了出来。",
    ),
    "token.forced": Word("forced", "强制写出"),
    # stepping
    "step.name": Word("step", "步骤"),
    "step.group": Word("Step through the decoding", "逐步查看解码过程"),
    "step.first": Word("First step", "第一步"),
    "step.back": Word("One step back", "后退一步"),
    "step.forward": Word("One step forward", "前进一步"),
    "step.last": Word("Last step", "最后一步"),
    "story.reads": Word("Reads ", "读入 "),
    "story.then": Word(",", "，"),
    "story.writes": Word("writes ", "写出 "),
    "story.others": Word("(others: ", "（另有 "),
    "story.comma": Word(", ", "、"),
    "story.forced": Word("; forced", "；强制写出"),
    "story.drawn": Word("; drawn at random", "；由采样抽中"),
    "story.best": Word("; the whole hypothesis scores higher", "；整条译文得分更高"),
    "story.kept": Word("; one of several that the search keeps", "；搜索同时保留多条，这是其一"),
    "story.close": Word(")", "），"),
    "story.ahead": Word(
        "In this pass the decoder reads the whole translation; in the search it could not.",
        "这一遍计算里，解码器已读过整句译文；搜索时还读不到。",
    ),
    "story.back": Word("and reads that next.", "下一步再读入它。"),
    "story.ends": Word("and stops.", "然后停止。"),
    "story.prefix": Word("and the prefix ends here.", "前缀到此为止。"),
    "story.cut": Word("and is cut off at the limit.", "到达长度上限，中断。"),
    "chart.enlarge": Word("Enlarge", "放大"),
    "chart.close": Word("Close", "关闭"),
    "fold.adjust": Word("Adjust", "调整"),
    "fold.numbers": Word("Numbers", "数字"),
    "fold.reading": Word("How to read it", "怎么看"),
    # the mark of a view; what the browser cannot compute is named beside it
    "proved.holds": Word(
        "Your browser ran the model again and got the same sentence, search and attention, and "
        "the same replies to this view.",
        "浏览器重新运行了模型：句子、搜索、注意力，以及本视图得到的结果，都与显示的相同。",
    ),
    "proved.older": Word(
        "Your browser ran the model again and got the same sentence, search and attention. "
        "This view has since received replies that were not compared.",
        "浏览器重新运行了模型，句子、搜索和注意力都与显示的相同；本视图后来得到的结果还没有比较。",
    ),
    "proved.sentence": Word("sentence, {age}", "句子，{age}"),
    "proved.fails": Word(
        "Your browser ran the model again and got a different result.",
        "浏览器重新运行了模型，结果与显示的不同。",
    ),
    "proved.now": Word("just now", "刚刚"),
    "proved.minutes": Word("{minutes} min ago", "{minutes} 分钟前"),
    "proved.without": Word("Not compared: {what}.", "没有比较：{what}。"),
    "proved.comma": Word(", ", "、"),
    "proved.lines": Word("the reader's lines (≈)", "文本下方的大意（≈）"),
    "proved.lost": Word("the words that may be missing", "可能漏译的词"),
    "proved.question.model_there": Word("the other model", "另一个模型"),
    "download.name": Word("Download", "下载"),
    # tabs
    "links.name": Word("Read more", "延伸阅读"),
    "links.paper": Word("Paper", "论文"),
    "links.card": Word("Card of {name}", "{name} 的模型卡片"),
    "links.source": Word("Source", "源代码"),
    "links.own": Word("Your own model", "换成你自己的模型"),
    "tabs.groups": Word("Views", "视图"),
    "tabs.all": Word("All views", "全部视图"),
    "tabs.menu": Word("Menu", "菜单"),
    # the questions that the views answer
    "map.begin": Word("Where do I begin?", "从哪里开始？"),
    "map.look": Word("Where does it look?", "它在看哪里？"),
    "map.choose": Word("How does it choose?", "它怎样选词？"),
    "map.learn": Word("What did it learn?", "它学到了什么？"),
    "map.break": Word("What breaks it?", "怎样会出错？"),
    "map.believe": Word("Can I trust it?", "它可信吗？"),
    # the front door
    "door.new": Word("New here?", "第一次来？"),
    "door.lesson": Word("Lesson 1", "第 1 课"),
    "door.title": Word(": {title}", "：{title}"),
    "door.minutes": Word("{minutes} minutes", "{minutes} 分钟"),
    "door.about": Word(
        "For whoever is new here: {minutes} minutes.", "适合第一次来的人，{minutes} 分钟。"
    ),
    "door.close": Word("Do not show this again", "不再显示"),
}
