"""The words of the exhibit `library`."""

from __future__ import annotations

from explorer.words.word import Word

WORDS: dict[str, Word] = {
    "library.title": Word("Query, key, value", "查询、键、值"),
    "library.about": Word(
        "Queries, keys and values, explained with library books.",
        "用借书说明什么是查询、键和值。",
    ),
    "library.lead": Word(
        "The better a label matches your need, the more of that book you take home. Change the "
        "need, or what your eye is looking for.",
        "标签越匹配你的需求，从这本书里取走的就越多。换一种需求，或者换一样眼睛要找的东西。",
    ),
    "library.show": Word("Show", "显示"),
    "library.show.shelf": Word("the librarian", "图书管理员"),
    "library.show.desk": Word("the red cup", "红杯子"),
    "library.finding.shelf": Word(
        "Of all keys, {book} fits your query best: its value makes up {share} of what you take home.",
        "所有的键里，{book} 与你的查询最相配：带走的值有 {share} 是它的。",
    ),
    "library.finding.any": Word(
        "You take home a little of every book: {share} of each.",
        "每本书都带走一点：各占 {share}。",
    ),
    "library.finding.catches": Word(
        "You look for nothing, and the {thing} catches your eye: {share} of your attention.",
        "什么也不找时，目光被{thing}吸引，占注意力的 {share}。",
    ),
    "library.finding.rests": Word(
        "You look for something, and your eye rests on the {thing}: {share} of your attention.",
        "想找东西时，目光停在{thing}上，占注意力的 {share}。",
    ),
    "library.librarian": Word("The librarian", "图书管理员"),
    "library.librarian.how": Word(
        "Your need is the query, the label on a spine is the key, the book's content is the "
        "value. You do not get just one book: softmax takes a share of each.",
        "你的需求是查询，书脊上的标签是键，书里的内容是值。"
        "取走的不是某一本，而是按 softmax 从每本里各取一部分。",
    ),
    "library.need": Word("I need", "我想要"),
    "library.need.sea": Word("a story of the sea", "海上的故事"),
    "library.need.supper": Word("fish for supper", "晚饭做鱼"),
    "library.need.past": Word("the past", "过去的事"),
    "library.need.own": Word("something of my own", "自定的需求"),
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
        "With nothing in mind, your eye goes to what stands out (a nonvolitional cue). "
        "Once you look for something, you bring a query (a volitional cue).",
        "心里什么也不想时，目光会被最显眼的东西吸引（非自主性提示：只看是否显眼）。"
        "心里想找某样东西，就有了查询（自主性提示）。",
    ),
    "library.sought": Word("I am looking for", "我在找"),
    "library.sought.nothing": Word("nothing", "什么也不找"),
    "library.sought.read": Word("something to read", "读的东西"),
    "library.sought.drink": Word("something to drink", "喝的东西"),
    "library.strength": Word("how hard", "寻找的强度"),
    "library.thing": Word("thing", "物品"),
    "library.strikes": Word("label: stands out, readable, drinkable", "标签：显眼、可读、可喝"),
    "library.thing.cup": Word("red cup", "红杯子"),
    "library.thing.newspaper": Word("newspaper", "报纸"),
    "library.thing.paper": Word("research paper", "论文"),
    "library.thing.notebook": Word("notebook", "笔记本"),
    "library.thing.book": Word("book", "书"),
    "library.gaze.nothing": Word(
        "You are looking for nothing: only standing out counts, and the one red thing catches your "
        "eye.",
        "什么也不找：只看显眼与否，唯一的红色物品吸引了目光。",
    ),
    "library.gaze.read": Word(
        "The query asks for something to read: the harder you look, the more the book outweighs "
        "the cup.",
        "查询要的是可读的东西：寻找的强度越大，书就越能压过杯子。",
    ),
    "library.gaze.drink": Word(
        "Now the thing you are looking for is also the one that stands out.",
        "这时要找的和显眼的恰好是同一件东西。",
    ),
    "library.analogy": Word(
        "Two analogies: the numbers are made up, the softmax is real.",
        "这是两个类比：数字是编的，softmax 是真的在算。",
    ),
}
