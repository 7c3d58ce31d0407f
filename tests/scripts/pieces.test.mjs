import { textOf } from "/assets/kit/pieces.js";
import { piecesOf, shown, spoken } from "/assets/kit/sentence.js";
import { render } from "/assets/vendor/lit-html.js";
import { assert, test } from "./check.mjs";

test("pieces become text: spaces, bytes of a character, no specials", () => {
  assert.equal(textOf(["▁a", "b", "▁", "c", "</s>"]), "ab c");
  assert.equal(textOf(["我", "<0xF0>", "<0x9F>", "<0x99>", "<0x82>", "</s>"]), "我🙂");
  assert.equal(textOf(["▁I", "▁am", "<0xF0>", "<0x9F>", "<0x90>", "<0xB1>", "!"]), "I am🐱!");
  assert.equal(textOf(["</s>"]), "");
});

test("each byte that belongs to no character is a replacement character of its own", () => {
  assert.equal(textOf(["<0xF0>", "<0x9F>", "<0x90>"]), "\ufffd\ufffd\ufffd");
  assert.equal(textOf(["a", "<0xF0>", "<0xE4>", "<0xBD>", "<0xA0>"]), "a\ufffd你");
  assert.equal(textOf(["<0xE4>", "</s>", "<0xBD>", "<0xA0>"]), "\ufffd\ufffd\ufffd");
});

test("what a byte piece looks like", () => {
  assert.equal(textOf(["<0x41>"]), "A");
  for (const one of ["<0xe4>", "0x41", "<0x41>a"]) assert.equal(textOf([one]), one);
});

test("words that are spoken of are between the marks of the page's language", () => {
  const labels = { row: { text: "狗", kind: "word" }, col: { text: "dog", kind: "word" } };
  const pageIn = (/** @type {string} */ language) => ({
    language: { get: () => language },
    shared: { models: [] },
    record: { get: () => null },
    t: (/** @type {string} */ key) => key,
  });
  const said = (/** @type {string} */ language, /** @type {string} */ pattern) =>
    spoken(piecesOf(pageIn(language), pattern, labels));
  assert.equal(said("zh", "写 {row} 时读 {col}。"), "写「狗」时读「dog」。");
  assert.equal(said("zh", "{row}{col}"), "「狗」「dog」");
  assert.equal(said("en", "{row} reads {col}."), "“狗” reads “dog”.");
  assert.equal(said("en", "After 我是, {row}."), "After 我是, “狗”."); // a text of the model in it
});

test("no line ends with an opening mark: it stays with its token, or a phrase breaks as text does", () => {
  const zh = { language: { get: () => "zh" } };
  const word = { text: "狗", kind: "word" };
  const phrase = { text: "我昨天在车站遇见了他，我们谈到了旧时…", kind: "phrase" };
  const glued = (/** @type {string} */ pattern, labels) => {
    const box = document.createElement("p");
    render(shown(piecesOf(zh, pattern, labels)), box);
    return [box.textContent, [...box.querySelectorAll(".hl-glued")].map((one) => one.textContent)];
  };
  const { text } = phrase;
  for (const [pattern, labels, said, whole] of [
    ["都是{row}胜出。", { row: word }, "都是「狗」胜出。", ["「狗」"]],
    ["都是{row}胜出。", { row: phrase }, `都是「${text}」胜出。`, []],
    ["{row}读{col}。", { row: word, col: phrase }, `「狗」读「${text}」。`, ["「狗」"]],
    ["写出{row}；{col}", { row: phrase, col: word }, `写出「${text}」；「狗」`, ["「狗」"]],
    ["（{row}）", { row: word }, "（「狗」）", ["（「狗」）"]],
    ["({row})", { row: phrase }, `(「${text}」)`, []],
  ])
    assert.deepEqual(glued(pattern, labels), [said, whole]);
});
