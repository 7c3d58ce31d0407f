"""The words of the exhibit `library`."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "library.title": Word("Query, key, value", "查询、键、值"),
    "library.lead": Word(
        "A need is compared with labels, and every book is taken home as much as its label fits. "
        "Change the need on the left, or what the eye seeks on the right, and watch the weights.",
        "拿需求与书脊上的标签相比，标签越相符，这本书就取走得越多。"
        "改变左边的需求，或右边眼睛所找的东西，看权重怎样变化。",
    ),
    "library.librarian": Word("The librarian", "图书管理员"),
    "library.librarian.how": Word(
        "Your need is the query, the label on a spine the key, what is in the book the value. "
        "No book is simply fetched: softmax takes some of each.",
        "你的需求是查询，书脊上的标签是键，书里的内容是值。不是只取一本，而是经 softmax 各取一些。",
    ),
    "library.need": Word("I need", "我想要"),
    "library.need.sea": Word("a story of the sea", "海上的故事"),
    "library.need.supper": Word("fish for supper", "晚饭做鱼"),
    "library.need.past": Word("the past", "过去的事"),
    "library.need.any": Word("anything", "随便什么"),
    "library.topic.sea": Word("sea", "海"),
    "library.topic.cooking": Word("cooking", "烹饪"),
    "library.topic.history": Word("history", "历史"),
    "library.book": Word("book", "书"),
    "library.label": Word("label (key)", "标签（键）"),
    "library.score": Word("{query} · key", "{query} · 键"),
    "library.weight": Word("weight", "权重"),
    "library.content": Word("content (value)", "内容（值）"),
    "library.home": Word("taken home: Σ weight × content", "取走的：Σ 权重 × 内容"),
    "library.said": Word(
        "That is {hours} hours of reading, {recipes} recipes and {maps} maps.",
        "也就是 {hours} 小时的阅读、{recipes} 份菜谱、{maps} 张地图。",
    ),
    "library.book.voyages": Word("Great voyages", "远航记"),
    "library.book.fish": Word("Cooking fish", "鱼的做法"),
    "library.book.bread": Word("Bread at home", "家常面包"),
    "library.book.empires": Word("Old empires", "古代帝国"),
    "library.book.tides": Word("Tides", "潮汐"),
    "library.short.voyages": Word("Voyages", "远航记"),
    "library.short.fish": Word("Fish", "鱼的做法"),
    "library.short.bread": Word("Bread", "面包"),
    "library.short.empires": Word("Empires", "古帝国"),
    "library.short.tides": Word("Tides", "潮汐"),
    "library.cup": Word("The red cup among the papers", "纸堆里的红杯子"),
    "library.cup.how": Word(
        "Without a will of its own the eye goes to what strikes it (a nonvolitional cue: the key "
        "alone). One who seeks brings a query (a volitional cue).",
        "没有意愿时，目光被最显眼的东西吸引（非自主性提示：只看键）。有所寻找时，就带来一个查询"
        "（自主性提示）。",
    ),
    "library.sought": Word("I seek", "我在找"),
    "library.sought.nothing": Word("nothing", "什么也不找"),
    "library.sought.read": Word("something to read", "读的东西"),
    "library.sought.drink": Word("something to drink", "喝的东西"),
    "library.strength": Word("how hard", "找得多用心"),
    "library.thing": Word("thing", "物品"),
    "library.strikes": Word("(strikes, to read, to drink)", "（显眼，可读，可喝）"),
    "library.thing.cup": Word("red cup", "红杯子"),
    "library.thing.newspaper": Word("newspaper", "报纸"),
    "library.thing.paper": Word("sheet", "论文"),
    "library.thing.notebook": Word("notebook", "笔记本"),
    "library.thing.book": Word("book", "书"),
    "library.gaze.nothing": Word(
        "Nothing is sought: only what strikes counts, and the one red thing gets the eye.",
        "什么也不找：只有显眼与否起作用，唯一的红色物品吸引了目光。",
    ),
    "library.gaze.read": Word(
        "The query asks for something to read: the harder it seeks, the more the book wins over "
        "the cup.",
        "查询要的是可读的东西：找得越用心，书就越能胜过杯子。",
    ),
    "library.gaze.drink": Word(
        "Now what is sought and what strikes are the same thing.",
        "这时所找的和显眼的恰好是同一件东西。",
    ),
    "library.analogy": Word(
        "Two analogies with made-up numbers, not the model's. The softmax is a real one.",
        "这是两个类比，数字是编的，不是模型的；softmax 是真实计算的。",
    ),
}
