"""Sentences for when something cannot be done."""

from __future__ import annotations

from explorer.words.word import Word

MESSAGES: dict[str, Word] = {
    "error.empty": Word(
        "There is nothing to translate yet. Type a sentence.",
        "还没有可以翻译的内容。请输入一个句子。",
    ),
    "error.characters": Word(
        "The text has {count} characters; the most that can be read are {limit}. "
        "Shorten it to a sentence or two.",
        "文本有 {count} 个字符，最多只能读 {limit} 个。请缩短到一两句话。",
    ),
    "error.tokens": Word(
        "The text has {count} tokens; the most that can be read are {limit}. "
        "Shorten it to a sentence or two.",
        "文本有 {count} 个词元，最多只能读 {limit} 个。请缩短到一两句话。",
    ),
    "error.request": Word(
        "That request could not be understood. Reload the page and try again.",
        "无法理解这个请求。请刷新页面后重试。",
    ),
    "error.loading": Word(
        "The model is still being loaded. Press Translate again in a minute.",
        "模型还在加载。请过一会儿再点“翻译”。",
    ),
    "error.input": Word("{message}", "这段输入无法使用。{message}"),
    "error.config": Word("{message}", "这个设置无法使用。{message}"),
    "error.checkpoint": Word("{message}", "模型无法使用。{message}"),
    # The model's own errors, by their key: the English is that of the error.
    "error.model.whole": Word(
        "{name} is {value}; expected a whole number from {low} to {high}.",
        "{name} 为 {value}，应是 {low} 到 {high} 之间的整数。",
    ),
    "error.model.number": Word(
        "{name} is {value}; expected a number from {low} to {high}.",
        "{name} 为 {value}，应是 {low} 到 {high} 之间的数。",
    ),
    "error.model.after_end": Word(
        "The forced beginning goes on after the end token; cut it there.",
        "指定的开头在结束符之后还有内容，请在结束符处截断。",
    ),
    "error.model.no_room": Word(
        "The forced beginning has {count} tokens; there is room for {room}. Shorten it.",
        "指定的开头有 {count} 个词元，只容得下 {room} 个。请缩短它。",
    ),
    "error.model.banned": Word(
        "The forced token {token} may never be written; choose another one.",
        "指定的词元 {token} 不允许出现在译文中，请换一个。",
    ),
    "error.model.impossible": Word(
        "The model gives the forced token {token} the probability 0; choose another.",
        "模型给指定词元 {token} 的概率为 0，请换一个。",
    ),
    "error.model.painted": Word(
        "Mask cells of the source are painted, and a token that is taken out would move them. "
        "Clear the painted cells first.",
        "原文的掩码格已被涂改，去掉一个词元会使它们错位。请先清除涂改的格子。",
    ),
    "error.model.shift": Word(
        "The positions were moved {shift} places further on; this model has {positions}. "
        "Choose a smaller shift.",
        "位置后移了 {shift} 位，而这个模型只有 {positions} 个位置。请选小一些的平移。",
    ),
    "error.model.no_cheat": Word(
        "No decoder was trained without the causal mask for {name}; choose the shipped model to "
        "see one.",
        "没有为 {name} 训练过不带因果掩码的解码器，请改用随附的模型。",
    ),
    "error.unexpected": Word(
        "Something went wrong on our side. What you see is still right; try another sentence.",
        "我们这边出了点问题。页面上显示的内容仍然正确，请换一个句子试试。",
    ),
    "error.unreachable": Word(
        "The server did not answer: it is busy or has stopped. Try again in a moment.",
        "服务器没有回应：它可能很忙，或者已经停止。请稍后再试。",
    ),
}
