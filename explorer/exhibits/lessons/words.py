"""The words of the exhibit `lessons`, and of the card that leads through one."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "view.lessons": Word("Lessons", "课程"),
    "lessons.title": Word("Lessons", "课程"),
    "lessons.about": Word("A guided tour: guess before you see.", "一步步带你看：先猜，再看答案。"),
    "lessons.lead": Word(
        "Short lessons on this page. Each sets up the page for you, asks what you expect, and "
        "then shows the model's own number.",
        "这些短课就在这个页面上进行。每节课先布置好页面，请你猜一猜，再给出模型自己的数字。",
    ),
    "lessons.finding": Word(
        "Guess first, then see what the model does: {count} lessons, none longer than {to} "
        "minutes.",
        "先猜，再看模型怎么做：{count} 节课，每节不超过 {to} 分钟。",
    ),
    "lessons.steps": Word("All steps of all lessons", "全部课程的步骤"),
    "lessons.lesson": Word("lesson", "课程"),
    "lessons.n": Word("no.", "序号"),
    "lessons.step": Word("step", "步骤"),
    "lessons.link.why": Word(
        "A link that opens this lesson for a class", "打开这节课的链接，可以发给全班"
    ),
    "lessons.facts": Word("{minutes} minutes, {count} steps", "{minutes} 分钟，{count} 步"),
    "lessons.begin": Word("Begin", "开始"),
    "lessons.print": Word("Worksheet", "打印练习单"),
    "lessons.link": Word("Copy link", "复制链接"),
    "lessons.copied": Word("Copied", "已复制"),
    "lessons.name": Word("Lesson", "课程"),
    "lessons.at": Word("{at} of {count}", "第 {at} 步，共 {count} 步"),
    "lessons.back": Word("Back", "上一步"),
    "lessons.next": Word("Next", "下一步"),
    "lessons.end": Word("Finish", "结束"),
    "lessons.away": Word(
        "The lessons speak of the model that comes with Headlight, which is not shown here. Start "
        "the page without --model, or add it: --models en-zh.",
        "课程讲的是 Headlight 自带的模型，这里没有展示它。请不带 --model 启动，或者用 --models en-zh 加上它。",
    ),
    "lessons.score": Word(
        "You guessed {right} of {count} right.", "{count} 道题你猜对了 {right} 道。"
    ),
    "lessons.following": Word("Next: {title}", "下一课：{title}"),
    "lessons.done.back": Word(
        "When you leave the lesson, the page returns to what you had before.",
        "退出课程后，页面会回到你原来看的内容。",
    ),
    "lessons.back.later": Word(
        "When you finish, the page returns to what you had before.",
        "课程结束后，页面会恢复成原来的样子。",
    ),
    "lessons.other": Word(
        "This step uses another sentence: “{text}”", "这一步换了一个句子：“{text}”"
    ),
    "lessons.yours": Word("your guess: ", "你选的："),
    "lessons.show": Word("Reset the page", "恢复本步的页面"),
    "lessons.close": Word("Leave the lesson", "退出课程"),
    "lessons.fold": Word("Fold or unfold the lesson", "收起或展开课程"),
    "lessons.predict": Word("What do you expect?", "你猜是哪个？"),
    "lessons.right": Word("The model agrees.", "和模型一致。"),
    "lessons.wrong": Word("The model says otherwise: {right}.", "模型的回答不同：{right}。"),
    "lessons.close_call": Word(
        "With this model it is a close call: the top two are {margin} apart.",
        "在这个模型上难分高下：前两名只差 {margin}。",
    ),
    "lessons.why": Word("Say why, in your own words", "用自己的话说说为什么"),
    "lessons.kept": Word("Stays in this browser.", "只留在这个浏览器里。"),
    "lessons.sheet": Word("Worksheet: {title}", "练习单：{title}"),
    "lessons.key": Word("Answers: {model}", "答案：{model}"),
    "lessons.person": Word("Name", "姓名"),
    # what the proof does not compare
    "proved.question.lesson": Word("the lesson's own example", "课程自带的例子"),
}
