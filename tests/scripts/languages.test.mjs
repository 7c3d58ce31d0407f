// Which language a text is in, and which model reads it.

import { readerAmong, titleOf, writtenIn } from "/assets/kit/languages.js";
import { assert, test } from "./check.mjs";

const SOURCES = ["en", "zh", "de"];
const CASES = {
  // the text, and its language where the model on the page reads English, Chinese, German
  "The dog sleeps in the garden.": ["en", "en", "en"],
  "Der Hund schläft im Garten.": ["de", "de", "de"],
  "DER HUND SCHLÄFT.": ["de", "de", "de"],
  "我是学生。": ["zh", "zh", "zh"],
  "你用Python吗？": ["zh", "zh", "zh"],
  "What does 好 mean?": ["en", "en", "en"],
  "Ich habe den Song Let It Be gehört. 😀": ["de", "de", "de"],
  "My friend Jürgen Müller lives in Köln.": ["en", "en", "en"],
  "Die Katze trinkt Milch.": ["de", "de", "de"],
  Danke: ["de", "de", "de"],
  "Hello!": ["en", "en", "en"],
  // what tells nothing stays where it is, and goes to the first that reads its letters
  Computer: ["en", "en", "de"],
  "Die Hand": ["en", "en", "de"],
  was: ["en", "en", "de"],
  Theater: ["en", "en", "de"],
  "Tom, Berlin": ["en", "en", "de"],
  Müller: ["en", "en", "de"],
  "12:30": ["en", "zh", "de"],
  "😀": ["en", "zh", "de"],
};

test("the script and the words tell the language of a text", () => {
  for (const [text, expected] of Object.entries(CASES)) {
    const found = SOURCES.map((here) => writtenIn(text, here, SOURCES));
    assert.deepEqual(found, expected, text);
  }
});

test("a model of a language that the table does not have keeps its text", () => {
  for (const text of ["我是学生。", "Der Hund schläft im Garten."]) {
    assert.equal(writtenIn(text, "mul", SOURCES), "mul");
    assert.equal(writtenIn(text, "", SOURCES), "");
  }
  assert.equal(writtenIn("Der Hund schläft.", "en", ["", "fr", "zh"]), "en"); // nobody reads it
});

test("of several models that read a text it is the first", () => {
  const models = ["", "de-en", "en-de", "en-zh"].map((pair) => ({ pair, key: pair }));
  assert.equal(readerAmong(models, "de-en", "Where is the dog?").key, "en-de");
  assert.equal(readerAmong(models.toReversed(), "de-en", "Where is the dog?").key, "en-zh");
  assert.equal(readerAmong(models, "en-zh", "Where is the dog?"), undefined);
  assert.equal(readerAmong(models, "", "Where is the dog?"), undefined);
});

test("a model is named by its languages, and by its name where that says more", () => {
  const titles = (language, model) => titleOf({ language: { get: () => language } }, model);
  assert.equal(titles("en", { name: "en-de", pair: "en-de" }), "English → German");
  assert.equal(titles("zh", { name: "en-de", pair: "en-de" }), "英语 → 德语");
  assert.equal(titles("en", { name: "a", pair: "de-en" }), "German → English · a");
  assert.equal(titles("en", { name: "a", pair: "" }), "a");
});
