"""The words of the input bar, the sentence and the tabs."""

from __future__ import annotations

from explorer.words.word import Word

FRAME: dict[str, Word] = {
    # input
    "input.label": Word("Sentence to translate", "要翻译的句子"),
    "input.translate": Word("Translate", "翻译"),
    "switch.language": Word("Switch to Chinese (中文)", "切换到英文 (English)"),
    "switch.theme": Word("Dark page", "深色页面"),
    "switch.size": Word("Projector size", "投影模式"),
    # examples
    "example.try": Word("Try", "试试"),
    "example.more": Word("More examples", "更多例句"),
    "example.plain": Word("A plain sentence", "简单陈述"),
    "example.question": Word("A question", "疑问句"),
    "example.repeated": Word("Repeated words", "重复的词"),
    "example.agreement": Word("Agreement", "主谓一致"),
    "example.negation": Word("Negation", "否定"),
    "example.reordering": Word("Word order", "语序调整"),
    "example.unknown": Word("Unknown words", "生僻词"),
    "example.emoji": Word("An emoji", "表情符号"),
    # status and message
    "status.live": Word("{name} · {device} · {time}", "{name} · {device} · {time}"),
    "status.recorded": Word("{name} · recorded example", "{name} · 预存示例"),
    "status.revision": Word("Revision {revision}", "版本 {revision}"),
    "message.limits": Word(
        "Up to {tokens} tokens and {characters} characters at a time.",
        "一次最多 {tokens} 个词元、{characters} 个字符。",
    ),
    "message.recorded": Word(
        "The model is being loaded; this is a recorded example. Your sentence follows in a moment.",
        "模型正在加载，这里先显示一个预存的示例。你的句子很快就会译出。",
    ),
    "message.loading": Word("The model is being loaded.", "模型正在加载。"),
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
        "0 ranks by the sum of log-probs; more favours longer translations",
        "取 0 时按对数概率之和排序；越大越偏向长译文",
    ),
    "settings.penalty_form": Word("Penalty form", "惩罚形式"),
    "settings.penalty_form.hint": Word(
        "What the sum of log-probs is divided by", "对数概率之和除以什么"
    ),
    "settings.penalty_form.average": Word("length ^ α", "长度 ^ α"),
    "settings.penalty_form.gnmt": Word(
        "GNMT: ((5 + length) / 6) ^ α", "GNMT：((5 + 长度) / 6) ^ α"
    ),
    "settings.temperature": Word("Temperature", "温度"),
    "settings.temperature.hint": Word(
        "Below 1 sharpens the distribution, above 1 flattens it",
        "小于 1 时分布更尖，大于 1 时更平",
    ),
    "settings.top_k": Word("Top-k", "Top-k"),
    "settings.top_k.hint": Word(
        "Draw from the k likeliest tokens; 0 keeps all", "只从概率最高的 k 个词元中抽取；0 表示不限"
    ),
    "settings.top_p": Word("Top-p", "Top-p"),
    "settings.top_p.hint": Word(
        "Draw from the fewest tokens that hold this much probability",
        "只从概率之和刚好达到 p 的最少词元中抽取",
    ),
    "settings.seed": Word("Seed", "随机种子"),
    "settings.seed.hint": Word("The same seed draws the same text", "种子相同，抽到的译文就相同"),
    "settings.note": Word(
        "Temperature, then top-k, then top-p, always over the whole vocabulary.",
        "先温度，再 top-k，再 top-p，始终作用于整个词表。",
    ),
    "settings.reset": Word("Back to the defaults", "恢复默认设置"),
    "settings.short.beam": Word("{beam_size} beams", "束宽 {beam_size}"),
    "settings.short.penalty": Word("α {length_penalty}", "α {length_penalty}"),
    "settings.short.temperature": Word("T {temperature}", "T {temperature}"),
    # a changed model
    "changed.model": Word("Changed model: {what}", "模型已改动：{what}"),
    "changed.undo": Word("Undo", "撤销"),
    "changed.comma": Word(", ", "、"),
    "changed.heads_off": Word("{n} × head off", "关闭 {n} 个头"),
    "changed.cross_off": Word("{n} × cross-attention off", "关闭 {n} 层交叉注意力"),
    "changed.causal_mask": Word("no causal mask", "无因果掩码"),
    "changed.padding": Word("{n} × padding", "填充 {n} 个"),
    "changed.padding_mask": Word("padding not masked", "填充未遮盖"),
    "changed.cells": Word("{n} × painted cell", "改了 {n} 个掩码格"),
    "changed.scaling": Word("no scaling", "无缩放"),
    "changed.positions": Word("other positions", "位置已改动"),
    # strips
    "strip.source": Word("source", "原文"),
    "strip.target": Word("target", "译文"),
    "token.facts": Word(
        "token {place} · {piece} · id {id}", "第 {place} 个词元 · {piece} · 编号 {id}"
    ),
    "token.byte": Word("a byte of a character", "一个字符中的一个字节"),
    "token.space": Word("a space", "空格"),
    "token.<s>": Word("start: what the decoder reads first", "起始符：解码器最先读到的词元"),
    "token.</s>": Word("end of the sentence", "句尾符"),
    "token.<pad>": Word("padding; some models start with it", "填充符；有的模型用它作起始符"),
    "token.<unk>": Word("unknown token", "未知词元"),
    # hypotheses
    "hypothesis.summary": Word(
        "hypothesis {n} of {count} · score {score}", "候选译文 {n}/{count} · 得分 {score}"
    ),
    "hypothesis.prefix.kept": Word(
        "prefix · length {n} · kept at step {n}", "前缀 · 长度 {n} · 第 {n} 步保留"
    ),
    "hypothesis.prefix.pruned": Word(
        "prefix · length {n} · pruned at step {n}", "前缀 · 长度 {n} · 第 {n} 步被剪"
    ),
    "hypothesis.prefix.finished": Word(
        "translation · finished at step {n}", "译文 · 第 {n} 步完成"
    ),
    "hypothesis.prefix.beaten": Word(
        "translation · finished at step {n}, beaten later", "译文 · 第 {n} 步完成，后被淘汰"
    ),
    "hypothesis.rank": Word("rank", "名次"),
    "hypothesis.text": Word("translation", "译文"),
    "hypothesis.score": Word("score", "得分"),
    "hypothesis.log_prob": Word("log-prob", "对数概率"),
    "hypothesis.length": Word("length", "长度"),
    "hypothesis.tokens": Word("{n} tokens", "{n} 个词元"),
    "hypothesis.cut": Word("{n} tokens, cut off", "{n} 个词元，未完"),
    "hypothesis.empty": Word("(nothing written)", "（没有写出任何内容）"),
    "hypothesis.note": Word(
        "Score: log-prob divided by the length penalty. Choose one to see inside it.",
        "得分 = 对数概率 ÷ 长度惩罚。点选一条，就能查看它的内部。",
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
    "story.writes": Word("writes ", "写出 "),
    "story.others": Word("not ", "而不是 "),
    "story.comma": Word(", ", "、"),
    "story.back": Word("and reads that next.", "下一步再读入它。"),
    "story.ends": Word("and stops.", "然后停止。"),
    "story.prefix": Word("and the prefix ends here.", "前缀到此为止。"),
    "story.cut": Word("and is cut off at the limit.", "到达长度上限，中断。"),
    # tabs
    "tabs.groups": Word("Topics", "主题"),
    "tabs.name": Word("Exhibits", "展项"),
    "group.attention": Word("Attention", "注意力"),
    "group.hand": Word("By hand", "动手算"),
    "group.positions": Word("Positions", "位置"),
    "group.decoding": Word("Decoding", "解码"),
    "group.masks": Word("Masks", "掩码"),
    "group.layers": Word("Layers", "层"),
    "group.training": Word("Training", "训练"),
    "group.proof": Word("Proof", "验证"),
}
