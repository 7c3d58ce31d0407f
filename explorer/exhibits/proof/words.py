"""The words of the exhibit `proof`."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "view.proof": Word("Proof", "验证"),
    "proof.title": Word("Do the numbers add up?", "数字对得上吗"),
    "proof.about": Word(
        "Your browser runs it again: are the numbers the same?",
        "浏览器自己再运行一遍模型，数字是否相同。",
    ),
    "proof.lead": Word(
        "Your browser runs the model itself and compares everything shown. Change one number "
        "yourself: which line notices?",
        "浏览器自己运行模型，与显示的一切逐一比较。自己改动一个数，看哪一行会发现。",
    ),
    "proof.column.holds": Word("result", "结果"),
    "proof.column.deviation": Word("largest deviation", "最大偏差"),
    "proof.column.tolerance": Word("allowed", "允许"),
    "proof.column.count": Word("compared", "比较个数"),
    "proof.beside.token": Word("written", "写出"),
    "proof.beside.shown": Word("log-prob shown", "显示的对数概率"),
    "proof.beside.own": Word("your browser's", "浏览器算出的"),
    "proof.state.none": Word("nothing to check", "无可检查的内容"),
    "proof.progress": Word("Parts recomputed", "已重新计算的部分"),
    "proof.stop": Word("Stop", "停止"),
    "proof.change": Word("Change one number", "改动一个数"),
    "proof.unchanged": Word("none", "不改动"),
    # the browser's own run of the model
    "proof.again.rerun": Word("Run it again", "再运行一次"),
    "proof.again.fetch": Word("Run the model here ({all} MB)", "在浏览器里运行模型（{all} MB）"),
    "proof.again.first": Word(
        "Not checked yet: your browser can run the model itself and compare the items below with "
        "the page's.",
        "尚未检验：浏览器可以自己运行这个模型，把下面列出的各项与页面上的对一对。",
    ),
    "proof.again.loading": Word(
        "Downloading the model: {done} of {all} MB …", "正在下载模型：{done}/{all} MB……"
    ),
    "proof.again.running": Word("Running the model: step {step} …", "正在运行模型：第 {step} 步……"),
    "proof.again.failed": Word(
        "Your browser could not run the model: {why}", "浏览器没能运行模型：{why}"
    ),
    "proof.again.same": Word(
        "Your browser ran the model and got the same: {n} numbers compared, none off by more than "
        "{most}.",
        "浏览器自己运行了模型，结果相同：比较了 {n} 个数，相差都不超过 {most}。",
    ),
    "proof.again.differs": Word(
        "Your browser ran the model and got something else: {n} of {all} numbers do not match.",
        "浏览器自己运行了模型，结果不同：{all} 个数中有 {n} 个对不上。",
    ),
    "proof.again.weights": Word(
        "The downloaded weights do not match the model card: their SHA-256 differs.",
        "下载到的权重与模型卡片不符：SHA-256 不同。",
    ),
    "proof.again.tie": Word(
        "Candidates are equal to rounding at step {steps}; the comparison follows the order shown.",
        "第 {steps} 步有在舍入误差内相等的候选；比较时采用页面显示的先后。",
    ),
    "proof.how": Word(
        "Your browser downloads the weights, computes their SHA-256, runs the network and the "
        "search on this sentence with your settings, and compares the result with what the "
        "server sent: tokens, every attention weight, every candidate, every hypothesis.",
        "浏览器下载权重、计算它的 SHA-256，按你的设置对这句话重新运行网络和搜索，"
        "再与服务器发来的结果逐一比较：词元、每个注意力权重、每个候选、每条候选译文。",
    ),
    "proof.again.table": Word("What was compared", "比较了什么"),
    "proof.again.will": Word(
        "what your browser will compute and compare", "浏览器将自己计算并比较的内容"
    ),
    "proof.again.what": Word("shown on the page", "页面上显示的"),
    "proof.again.equal": Word("the same", "相同"),
    "proof.again.off": Word("{n} {n|differs|differ}", "{n} 个不同"),
    "proof.again.other": Word("different text or position", "文字或位置不同"),
    "proof.again.differences": Word("What differs", "不同之处"),
    "proof.again.none": Word("Nothing differs.", "没有不同之处。"),
    "proof.again.place": Word("position", "位置"),
    "proof.again.shown": Word("shown", "显示的"),
    "proof.again.own": Word("your browser's", "浏览器算出的"),
    "proof.again.untold": Word("Not compared:", "没有比较的："),
    "proof.again.comma": Word("; ", "；"),
    "proof.again.stop": Word(".", "。"),
    "proof.untold.seconds": Word("the time it took", "所用的时间"),
    "proof.untold.device": Word("the device", "运行的设备"),
    "proof.untold.views": Word(
        "replies that a view names beside its mark, and all but the last 40 of the others "
        "(of whole translations the last 12)",
        "各视图在标记旁列出的结果，以及其他结果中最近 40 个（整个译文则最近 12 个）以外的部分",
    ),
    "proof.untold.training": Word(
        "the model's training, the card's scores, whether the translation is right",
        "模型的训练过程、模型卡片上的成绩，以及译得对不对",
    ),
    "proof.untold.scripts": Word(
        "whether the card and these scripts are the published ones: the same server sent them",
        "模型卡片和这些脚本是否就是公开发布的那一份：它们也由同一台服务器发来",
    ),
    "proof.part.weights": Word("Weights: SHA-256, as on the card", "权重：SHA-256 与模型卡片一致"),
    "proof.part.asked": Word(
        "Sentence, settings, changes and model, as you chose them",
        "句子、设置、改动和模型，与你的要求一致",
    ),
    "proof.part.tokens": Word("Tokens and their ids, both texts", "词元及其编号，原文和译文"),
    "proof.part.encoder_self": Word("Attention: encoder", "注意力：编码器"),
    "proof.part.decoder_self": Word("Attention: decoder", "注意力：解码器"),
    "proof.part.cross": Word("Attention: decoder to source", "注意力：解码器到原文"),
    "proof.part.predictions": Word(
        "Each step: most likely tokens, log-probs, entropy", "每一步：最可能的词元、对数概率、熵"
    ),
    "proof.part.candidates": Word(
        "Every candidate of the search: token, parent, log-prob, total",
        "搜索的每个候选：词元、父候选、对数概率、累计值",
    ),
    "proof.part.fates": Word("The fate of each candidate; draws", "每个候选的去向；随机抽取"),
    "proof.part.hypotheses": Word(
        "Hypotheses: text, path, score, length", "候选译文：文字、路径、得分、长度"
    ),
    "proof.part.doubt": Word("Whether the translation is marked doubtful", "译文是否存疑"),
    "proof.part.lines": Word("The reader's lines (≈)", "各文本下方的大意（≈）"),
    "proof.part.lost": Word("Words that may be missing", "可能漏译的词"),
    "proof.part.answers": Word(
        "Replies to the views about this sentence so far", "各视图到目前为止就这句话得到的结果"
    ),
    "proof.changed": Word("One number of this line was changed.", "这一行的一个数被改动了。"),
    "proof.other": Word(
        "Your browser cannot run this model here; nothing was proved.",
        "浏览器在这里不能运行这个模型；什么也没有验证。",
    ),
    "proof.nothing": Word("Nothing was proved.", "什么也没有验证。"),
    "proof.again.asking": Word("Asking how large the model is …", "正在询问模型的大小……"),
    "proof.part.weights_served": Word(
        "Weights: SHA-256, as the server announces", "权重：SHA-256 与服务器所报一致"
    ),
    "proof.part.tokens_given": Word(
        "Tokens and their ids; the source's are the page's, which the browser cannot cut itself",
        "词元及其编号；原文的词元取自页面，浏览器不能自己切分",
    ),
    "proof.weights.gone": Word(
        "The server no longer has this model in memory. Ask about the sentence again.",
        "服务器的内存里已没有这个模型，请重新提交这句话。",
    ),
    "proof.weights.large": Word(
        "This model's weights take {size} MB; a browser is sent at most {limit}.",
        "这个模型的权重有 {size} MB；最多发给浏览器 {limit} MB。",
    ),
    "proof.weights.busy": Word(
        "Others are downloading models from this server now. Try again in a minute.",
        "此刻有其他人正在从这台服务器下载模型，请过一分钟再试。",
    ),
}
