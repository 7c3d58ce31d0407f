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
    "error.unexpected": Word(
        "Something went wrong on our side. What you see is still right; try another sentence.",
        "我们这边出了点问题。页面上显示的内容仍然正确，请换一个句子试试。",
    ),
    "error.unreachable": Word(
        "The server did not answer: it is busy or has stopped. Try again in a moment.",
        "服务器没有回应：它可能很忙，或者已经停止。请稍后再试。",
    ),
}
