"""The words of the class together (explorer/classroom/, assets/shell/class/)."""

from __future__ import annotations

from explorer.words.word import Word

CLASSROOM: dict[str, Word] = {
    "class.name": Word("Class", "课堂"),
    "class.teach": Word("Teach a class", "带全班一起看"),
    "class.away": Word(
        "A class follows through Headlight's server, and this page has none.",
        "带全班一起看要经过 Headlight 的服务器，而本页面没有服务器。",
    ),
    # the teacher's
    "class.code": Word("Code", "课堂代码"),
    "class.here": Word("{count} here", "{count} 人在线"),
    "class.door": Word("How to join", "如何加入"),
    "class.back": Word("Call all back", "请大家回来"),
    "class.end": Word("End the class", "结束课堂"),
    "class.open": Word("Open this link, or scan the code:", "打开这个链接，或扫描二维码："),
    "class.qr": Word("QR code of the link", "链接的二维码"),
    "class.wide": Word("The link is too long for a QR code.", "链接太长，生成不了二维码。"),
    "class.alone": Word(
        "Nobody else can open this link: Headlight was started for this computer alone. Start it "
        "with “--host 0.0.0.0”, then teach again.",
        "别人打不开这个链接：Headlight 启动时只对本机开放。请加上 “--host 0.0.0.0” 重新启动，再开课。",
    ),
    "class.alone.hosts": Word("This computer's address: {hosts}", "本机的地址：{hosts}"),
    "class.ended": Word(
        "You ended the class. Nothing of it is kept.", "课堂已结束，没有保留任何内容。"
    ),
    # questions
    "class.ask": Word("Ask the class", "向全班提问"),
    "class.ask.text": Word("Your question", "你的问题"),
    "class.ask.choices": Word("Two to five choices, one in each line", "两到五个选项，每行一个"),
    "class.ask.next": Word("Which token will it write next?", "它接下来会写哪个词元？"),
    "class.ask.first": Word("Which token will it write first?", "它会先写哪个词元？"),
    "class.ask.after": Word(
        "After “{before} …”, which token comes next?", "“{before} …”之后，接下来是哪个词元？"
    ),
    "class.ask.send": Word("Ask", "提问"),
    "class.ask.done": Word("Close the question", "结束这个问题"),
    "class.guessed": Word("{count} of {here} have guessed.", "{here} 人中已有 {count} 人猜过。"),
    "class.reveal": Word("Show the guesses", "公布结果"),
    "class.guess.own": Word(
        "You guessed “{label}”. Your teacher will show what the class guessed.",
        "你猜的是「{label}」。等老师公布全班的结果。",
    ),
    "class.guess.yours": Word("your guess", "你的猜测"),
    "class.guess.right": Word(
        "{count} of {all} guessed “{label}”. It was “{label}”.",
        "{all} 人中有 {count} 人猜“{label}”。正确答案就是“{label}”。",
    ),
    "class.guess.all": Word("{all} guessed.", "共 {all} 人猜过。"),
    # sentences that students hand in
    "class.hand": Word("Hand in this sentence", "把这句话交给老师"),
    "class.handed": Word(
        "Your teacher has this sentence. The next one you hand in will replace it.",
        "老师已收到这句话。再交一句，就会替换它。",
    ),
    "class.sentences": Word("Sentences handed in: {count}", "学生交来的句子：{count} 句"),
    "class.sentences.seen": Word(
        "Anyone who sees this screen can read them. Press one to open it for everybody.",
        "能看到这块屏幕的人都能读到这些句子。点一句，就向全班打开。",
    ),
    "class.sentences.clear": Word("Clear the list", "清空列表"),
    "class.sentence.count": Word("from {count} students", "{count} 人交了这句"),
    # the page to take home
    "class.home": Word("Take home", "带走本课"),
    "class.home.hint": Word(
        "Saves a page of what the class saw, with the guesses beside the model's numbers",
        "保存一个网页：全班看过的内容，以及大家的猜测和模型的数字",
    ),
    "class.home.title": Word("A class with Headlight, {date}", "Headlight 课堂，{date}"),
    "class.home.choice": Word("Choice", "选项"),
    "class.home.class": Word("The class", "全班"),
    "class.home.model": Word("The model", "模型"),
    "class.home.own": Word("You guessed “{label}”.", "你猜的是「{label}」。"),
    "class.home.closed": Word("What the class guessed was not shown.", "没有公布全班猜测的结果。"),
    # the students'
    "class.following": Word("You see what your teacher shows.", "你看到的就是老师正在展示的内容。"),
    "class.own": Word("You left the class's view.", "你离开了课堂的画面。"),
    "class.return": Word("Return", "返回课堂"),
    "class.leave": Word("Leave the class", "退出课堂"),
    "class.close": Word("Close", "关闭"),
    "class.lost": Word(
        "No connection to the class. Trying again …", "与课堂的连接断了，正在重试……"
    ),
    "class.now": Word("The class now sees: {view}.", "课堂现在看的是：{view}。"),
    "class.now.step": Word(
        "The class is now at step {step} of “{lesson}”.", "课堂现在到了「{lesson}」的第 {step} 步。"
    ),
    # refused
    "class.error.none": Word(
        "There is no class with this code. It has ended, the server was started again, or the code "
        "has a typing error.",
        "没有使用这个代码的课堂：可能课堂已结束、服务器重新启动过，或者代码输错了。",
    ),
    "class.error.full": Word(
        "This class is full: it has {most} pages.", "这个课堂已满：最多 {most} 个页面。"
    ),
    "class.error.many": Word(
        "This server already has {most} classes. Try again when one of them has ended.",
        "这台服务器上已经有 {most} 个课堂，请等其中一个结束后再试。",
    ),
    "class.error.own": Word(
        "Your network already has {most} classes here. Try again when one of them has ended.",
        "你所在的网络在这里已经有 {most} 个课堂，请等其中一个结束后再试。",
    ),
    "class.error.teacher": Word("Only the teacher can do this.", "只有老师可以这样做。"),
    "class.error.student": Word(
        "The class no longer knows this page. Open its link again.",
        "课堂已经不认识这个页面，请重新打开链接。",
    ),
    "class.error.question": Word(
        "The question is too long for the class. Ask it in fewer words.",
        "问题太长，请用更少的字来问。",
    ),
    "class.error.sentence": Word(
        "A sentence for the class has at most {most} characters.",
        "交给老师的句子最多 {most} 个字符。",
    ),
    "class.error.long": Word(
        "The class cannot follow here: what you typed or changed is too long for it. It stays at "
        "what you showed before.",
        "课堂无法跟到这里：你输入或改动的内容太长。大家仍停留在你之前展示的画面。",
    ),
}
