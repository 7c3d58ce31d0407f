"""Sentences for when something cannot be done."""

from __future__ import annotations

from explorer.words.word import Word

MESSAGES: dict[str, Word] = {
    "request.waiting": Word("The model is computing …", "模型正在计算……"),
    "request.retry": Word("Try again", "重试"),
    "error.offline": Word(
        "The network is down. Everything already on the page still works; new sentences have "
        "to wait.",
        "网络已断开。页面上的内容仍可使用，新的句子要等网络恢复后再翻译。",
    ),
    "message.refused": Word(
        "The value of {names} in this link cannot be used; the default is used instead.",
        "链接中“{names}”的值无法使用，已改用默认值。",
    ),
    "message.no_view": Word(
        "This page has no view “{view}”, so it shows another one. All views are in the menu.",
        "本页没有名为「{view}」的视图，现在显示的是另一个。所有视图都在菜单里。",
    ),
    "message.other_model": Word(
        "This link was made with another model ({made}). This page uses {own}, so numbers may "
        "differ.",
        "这个链接出自另一个模型（{made}）；本页用的是 {own}，数值可能不同。",
    ),
    "error.view": Word(
        "This view could not be loaded: the server is not responding.",
        "无法加载此视图：服务器没有响应。",
    ),
    "error.model.empty": Word(
        "There is nothing to translate yet. Type a sentence.",
        "还没有要翻译的内容。请输入一个句子。",
    ),
    "error.model.endless": Word(
        "The tokenizer of this model gave up on this text: an expression of its tokenizer.json "
        "does not end. Try another text, or another model.",
        "这个模型的分词器处理不了这段文本：它的 tokenizer.json 里有一个不会结束的表达式。请换一段文本或换一个模型。",
    ),
    "error.model.characters": Word(
        "The text has {count} characters; the limit is {limit}. Shorten it to a sentence or two.",
        "文本有 {count} 个字符，上限是 {limit} 个。请缩短到一两句话。",
    ),
    "error.model.arrays": Word(
        "All arrays of this record have {size} MB; the limit is {limit} MB. Take a shorter text, or "
        "Explanation.save in Python.",
        "这条记录的全部数组有 {size} MB，上限是 {limit} MB。请改用较短的句子，或在 Python 中用 Explanation.save。",
    ),
    "error.model.tokens": Word(
        "The text has {count} tokens; the limit is {limit}. Shorten it to a sentence or two.",
        "文本有 {count} 个词元，上限是 {limit} 个。请缩短到一两句话。",
    ),
    "error.model.short": Word(
        "The sentence or its translation has fewer than {count} tokens: nothing to choose between.",
        "句子或其译文不足 {count} 个词元，没有可选的余地。",
    ),
    "error.model.cells": Word(
        "{count} mask cells are painted, but the masks of this text have only {limit}. Clear some.",
        "改动了 {count} 个掩码格，而这段文本的掩码只有 {limit} 格。请清除一些。",
    ),
    "error.request": Word(
        "That request could not be understood. Reload the page and try again.",
        "无法理解这个请求。请刷新页面后重试。",
    ),
    "error.question_gone": Word(
        "This page is of an earlier version of Headlight; reload it.",
        "这个页面来自旧版本，请刷新。",
    ),
    "error.weights": Word(
        "{name} has no weights called {weights}.",
        "{name} 没有名为 {weights} 的权重。",
    ),
    "error.loading": Word(
        "The model is still loading. Press Translate again in a minute.",
        "模型还在加载。请过一会儿再点“翻译”。",
    ),
    "error.model_unknown": Word(
        "This server has no model called {name}; its own model is shown instead.",
        "这台服务器上没有名为 {name} 的模型，现在显示的是它自带的模型。",
    ),
    "error.model_failed": Word(
        "The model {name} could not be loaded. See the server's log for the reason.",
        "无法加载模型 {name}，原因见服务器日志。",
    ),
    "error.model_settings": Word(
        "This link names a model that cannot be trained here. {why}",
        "链接中的模型无法在这里训练。{why}",
    ),
    "error.model_mask": Word(
        "A model trained without the causal mask cannot be opened: given the whole output, it "
        "reads ahead, so its steps and its maps would contradict each other.",
        "训练时没有因果掩码的模型无法打开：一次给它整条输出，它就会看到后面的内容，"
        "逐步解码和注意力图会互相矛盾。",
    ),
    "model.loading": Word("Loading the model {name} …", "正在加载模型 {name}……"),
    "model.reading": Word(
        "Loading the model {name}: {done} of {of} MB …", "正在加载模型 {name}：{done} / {of} MB……"
    ),
    "model.gpu_full": Word(
        "The GPU is out of memory: moving the model to the CPU, then trying again …",
        "GPU 显存不足：正在把模型移到 CPU，随后重新计算……",
    ),
    "error.model_ended": Word(
        "The training of this model was interrupted. Open it again to restart the training.",
        "这个模型的训练中断了。再打开一次，就会重新训练。",
    ),
    "error.model_diverged": Word(
        "This model diverges in training: at update {update} its numbers grow too large to compute "
        "with, so there is no model to open.",
        "这个模型在训练中发散：到第 {update} 步，数值大得无法计算，所以没有模型可以打开。",
    ),
    "model.waiting": Word(
        "This model has to be trained first; it is no. {place} in the queue.",
        "这个模型要先训练：排队第 {place} 位。",
    ),
    "model.training": Word(
        "Training this model: update {update} of {updates} …",
        "正在训练这个模型：第 {update} 步，共 {updates} 步……",
    ),
    "error.input": Word("{message}", "这段输入无法使用。{message}"),
    "error.config": Word("{message}", "这个设置无法使用。{message}"),
    "error.checkpoint": Word("{message}", "模型无法使用。{message}"),
    # The model's own errors, by their key: the English is that of the error.
    "error.model.transplant_lengths": Word(
        "The first sentence has {first} tokens and the second {second}; a transplant needs "
        "equal lengths. Replace one word with another.",
        "第一句有 {first} 个词元，第二句有 {second} 个；移植要求两句的词元数相同。请只替换一个词。",
    ),
    "error.model.transplant_same": Word(
        "Both sentences have the same translation, so no word tells them apart. Change a word "
        "that affects the translation.",
        "两句的译文相同，没有哪个词能区分它们。请换一个会影响译文的词。",
    ),
    "error.model.transplant_step": Word(
        "Step {step} was requested, but the second translation has only steps 1 to {steps}.",
        "请求的是第 {step} 步，而第二句的译文只有第 1 到第 {steps} 步。",
    ),
    "error.model.transplant_agree": Word(
        "Both sentences lead to the same word, {piece}, at step {step}. Try changing a "
        "different word.",
        "两句在第 {step} 步都要写同一个词 {piece}。请改动别的词再试。",
    ),
    "error.model.deadline": Word(
        "This took longer than the {seconds} seconds allowed for one request, and was stopped. "
        "Try a shorter text, fewer beams or fewer changes.",
        "计算超过了单次请求的上限 {seconds} 秒，已停止。请缩短文本、减小束宽，或减少改动。",
    ),
    "error.model.whole": Word(
        "{name} is {value}; expected a whole number from {low} to {high}.",
        "{name} 为 {value}，应是 {low} 到 {high} 之间的整数。",
    ),
    "error.model.number": Word(
        "{name} is {value}; expected a number from {low} to {high}.",
        "{name} 为 {value}，应是 {low} 到 {high} 之间的数。",
    ),
    "error.model.after_end": Word(
        "The forced beginning continues after the end token; cut it there.",
        "指定的开头在句尾符之后还有内容，请在句尾符处截断。",
    ),
    "error.model.no_room": Word(
        "The forced beginning has {count} tokens; there is room for {room}. Shorten it.",
        "指定的开头有 {count} 个词元，而译文只容得下 {room} 个。请缩短它。",
    ),
    "error.model.banned": Word(
        "The forced token {token} may never be written; choose another one.",
        "指定的词元 {token} 不允许出现在译文中，请换一个。",
    ),
    "error.model.impossible": Word(
        "The model gives the forced token {token} a probability of 0; choose another.",
        "模型给指定词元 {token} 的概率为 0，请换一个。",
    ),
    "error.model.painted": Word(
        "Removing a token would shift the painted mask cells of the source. "
        "Clear the painted cells first.",
        "去掉一个词元，原文上改动过的掩码格就会错位。请先清除这些改动。",
    ),
    "error.model.parameters": Word(
        "This model has {count} parameters; expected at most {limit}. Use fewer layers, or a "
        "smaller d_model or d_ff.",
        "这个模型有 {count} 个参数，最多只能有 {limit} 个。请减少层数，或减小 d_model、d_ff。",
    ),
    "error.model.one_length": Word(
        "Every example of this task ({task}) has one length, so training has no shorter ones; "
        "switch off shorter examples, or choose another task.",
        "这个任务（{task}）的例子长度都一样，训练时没有更短的例子可用；请关掉“也练更短的例子”，或换一个任务。",
    ),
    "error.model.line": Word(
        "{count} runs are already waiting. Try again in a few minutes.",
        "已有 {count} 个训练在排队。请过几分钟再试。",
    ),
    "error.model.not_finite": Word(
        "The model's numbers overflowed (infinity or NaN), so there is nothing to show. Undo the "
        "changes to the model, or choose another one.",
        "模型的数值溢出了（无穷大或 NaN），没有可以显示的内容。请撤销对模型的改动，或换一个模型。",
    ),
    "error.model.language": Word(
        "This model has no target language {code}; begin with one of {codes}.",
        "这个模型没有目标语言「{code}」，请用这些代码之一开头：{codes}。",
    ),
    "error.model.no_language": Word(
        "This model translates into several languages; begin with one of {codes}.",
        "这个模型能译成多种语言，请用这些代码之一开头：{codes}。",
    ),
    "error.model.one_language": Word(
        "This model translates into one language only; leave {code} out.",
        "这个模型只译成一种语言，请去掉「{code}」。",
    ),
    "error.model.letters": Word(
        "This model reads only these characters: {letters}. “{odd}” is not one of them.",
        "这个模型只认识这些字符：{letters}，其中没有“{odd}”。",
    ),
    "error.model.no_parts": Word(
        "This model was made without residual connections or without LayerNorm, so its layers "
        "cannot be split into sublayer, sum and norm.",
        "这个模型没有残差连接或没有层归一化，无法把它的层拆成子层、求和与归一化。",
    ),
    "error.model.shift": Word(
        "The positions were shifted by {shift}, but this model has only {positions}. Choose a "
        "smaller shift.",
        "位置后移了 {shift} 位，而这个模型只有 {positions} 个位置。请减小平移量。",
    ),
    "error.model.no_cheat": Word(
        "A decoder that sees the answer copies it. Only the English-to-Chinese model comes with "
        "one trained that way; {name} has none.",
        "看得到答案的解码器只会照抄。只有英译中模型带有这样训练的解码器，{name} 没有。",
    ),
    "error.unexpected": Word(
        "Something went wrong on our side. What you see is still correct; try another sentence.",
        "我们这边出了点问题。页面上显示的内容仍然正确，请换一个句子试试。",
    ),
    "error.stopping": Word(
        "The server is shutting down. Everything on the page still works; try again in a minute.",
        "服务器正在停止。页面上的内容仍可使用，请过一分钟再试。",
    ),
    "error.unreachable": Word(
        "The server did not answer: it is busy or has stopped. Try again in a moment.",
        "服务器没有响应：它可能很忙，或者已经停止。请稍后再试。",
    ),
}
