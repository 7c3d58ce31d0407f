// The kit's small parts: what is made once, what is kept, how a chart goes into a file and opens large.

import { insideOf } from "/assets/kit/bands.js";
import { drawing, footOf, rowsOf } from "/assets/kit/chart.js";
import { tracesOf } from "/assets/kit/enlarge.js";
import { glossOf, showGlosses } from "/assets/kit/gloss.js";
import { textWidth } from "/assets/kit/heatplan.js";
import { namesOf } from "/assets/kit/languages.js";
import { lostTokens } from "/assets/kit/lost.js";
import { memo } from "/assets/kit/memo.js";
import { captionOf } from "/assets/kit/paper.js";
import { createRequest } from "/assets/kit/request.js";
import { unbroken } from "/assets/kit/sentence.js";
import { distinct } from "/assets/kit/token.js";
import { matching } from "/assets/shell/combobox.js";
import { assert, test } from "./check.mjs";

test("what is costly is made again only for other arguments", () => {
  const made = [];
  const sum = memo((a, b) => made.push(a + b) && a + b);
  assert.deepEqual([sum(1, 2), sum(1, 2), sum(1, 3), sum(1, 2)], [3, 3, 4, 3]);
  assert.deepEqual(made, [3, 4, 3]);
  assert.equal(memo(() => 7)(), 7);
});

test("no line ends between a word and its number, or a number and its unit", () => {
  const pieces = unbroken("Layer 3 gives 85.7 %, above all head 3·4. By cross-attention.");
  const glued = pieces.filter((_, i) => i % 2).map(({ values: [text] }) => text);
  assert.deepEqual(glued, ["Layer 3", "85.7 %", "head 3·4", "cross-attention"]);
});

test("a token that stands otherwise in the text takes no later place", () => {
  const text = "Ｎo，my   cat, my dog";
  const src = ["N", "o", ",", "my", "cat", ",", "my", "dog"].map((own) => ({ text: own }));
  const record = { text, translation: "", src, prefix: [], node: null, model: { key: "k" } };
  const marked = (word) => {
    const begin = text.indexOf(word);
    const words = [{ text: word, begin, end: begin + word.length }];
    const lost = { text, translation: "", by: "k", words };
    const page = { lost: { get: () => lost }, shared: { interventions: { defaults: {} } } };
    return [...lostTokens(page, { ...record, interventions: {} })];
  };
  assert.deepEqual(["cat", "dog", "my", "Ｎo"].map(marked), [[4], [7], [3], [1]]);
});

test("of the answers about a record only so many are kept, the newest", async () => {
  const asked = [];
  const page = {
    ask: async (_, { n }) => asked.push(n) && n,
    signal: new AbortController().signal,
  };
  const about = createRequest(page, "double", { changed() {}, most: () => 2 });
  const record = {};
  for (const n of [1, 2, 3, 2, 3, 1]) {
    about(record, { n });
    await new Promise((done) => setTimeout(done));
    assert.equal(about(record, { n }).value, n);
  }
  assert.deepEqual(asked, [1, 2, 3, 1]);
});

test("two views that overtake each other leave time for a frame between their questions", async () => {
  const frames = [];
  const { requestAnimationFrame: real } = globalThis;
  globalThis.requestAnimationFrame = (act) => frames.push(act);
  let asked = 0;
  const page = {
    signal: new AbortController().signal,
    async ask() {
      asked += 1;
      return null; // the other view has asked meanwhile
    },
  };
  const record = {};
  const begin = () => {
    const about = createRequest(page, "same", { changed: () => asked < 100 && about(record) });
    about(record);
  };
  begin();
  begin();
  const rest = () => new Promise((done) => setTimeout(done));
  await rest();
  assert.equal(asked, 2);
  for (let frame = 0; frame < 2; frame += 1) {
    for (const act of frames.splice(0)) act();
    await rest();
  }
  assert.equal(asked, 4); // each once more, two frames later
  globalThis.requestAnimationFrame = real;
});

test("a text below the first or the last bar stays in the drawing", () => {
  assert.equal(insideOf(7, 40, 300), 20);
  assert.equal(insideOf(295, 40, 300), 280);
  assert.equal(insideOf(150, 40, 300), 150);
});

test("a legend has a line for as many names as stand beside each other", () => {
  const names = (count) => Array.from({ length: count }, () => ({ name: "ten letter" }));
  // 0.56 em a letter and 3.8 em for the sign: 9.4 em each, in 60 em without the 6 of the button
  assert.deepEqual(
    [0, 5, 6, 11].map((count) => footOf(names(count), 60)),
    [2.4, 2.4, 3.2, 1.6 * 3],
  );
  assert.equal(footOf(names(2), 15), 1.6 * 4); // in 9 em, two lines each
});

const CHART = {
  x: { name: "updates" },
  y: { name: "loss" },
  lines: [
    {
      name: "training",
      look: 1,
      points: [
        [10, 5],
        [20, 3],
      ],
    },
    {
      name: "development",
      look: 2,
      points: [
        [10, 4],
        [20, 3.5],
      ],
    },
    { name: "epochs", look: "dots", points: [[10, 1]] },
  ],
};

test("the numbers of a chart's y axis leave room for its name, however long they are", () => {
  const em = 16;
  for (const [y, widest] of [
    [{ from: 0, to: 1, text: (value) => `${Math.round(value * 100)} %` }, "100 %"],
    [{ from: 0, to: 200_000 }, "200000"],
    [{ from: -0.00004, to: 0 }, "−0.00004"],
    [{ from: 1e-4, to: 1, log: true }, "0.0001"],
    [{ from: 0, to: 6 }, "6"],
  ]) {
    const places = [];
    const x = { from: 0, to: 9, name: "x" };
    const over = (place) => places.push(place);
    const chart = { name: "", x, y: { name: "right", ...y }, lines: [], over };
    drawing(chart, { width: 400, height: 200, em });
    const [{ left }] = places;
    const begins = left / em - 0.4 - textWidth(widest);
    assert.ok(begins > 1.5, `${widest} begins ${begins} em from the edge, where the name stands`);
    assert.ok(left >= 3.8 * em && (widest !== "6" || left === 3.8 * em));
  }
});

test("every number of a chart is on its own line, in its file and in its large figure", () => {
  const style = { getPropertyValue: (name) => name };
  const traces = tracesOf(CHART, style);
  assert.deepEqual(
    traces.map(({ name, x, y }) => [name, x, y]),
    [
      ["training", [10, 20], [5, 3]],
      ["development", [10, 20], [4, 3.5]],
      ["epochs", [10], [1]],
    ],
  );
  const looks = traces.map(({ line, mode }) => `${line.dash} ${mode}`);
  assert.equal(new Set(looks).size, 3); // told apart by more than colour
  assert.deepEqual(rowsOf(CHART).slice(0, 3), [
    ["", "updates", "loss"],
    ["training", 10, 5],
    ["training", 20, 3],
  ]);
});

test("of tokens that read alike the first stays, the others say how they differ", () => {
  const [a, b, c] = [
    { id: 1, text: "I", piece: "▁I" },
    { id: 2, text: "I", piece: "I" },
    { id: 3, text: "we", piece: "▁we" },
  ];
  assert.deepEqual(
    distinct([a, b, c]).map(({ text }) => text),
    ["I", "·I", "we"],
  );
  assert.deepEqual(
    distinct([b, a]).map(({ text }) => text),
    ["I", "␣I"],
  );
  assert.equal(distinct([a, b, c])[0], a); // and with it all that it is elsewhere
});

test("a gloss is shown on the side that the reader does not know", () => {
  const [hund, dog] = [
    { gloss: ["dog", 0.8, "", "source"] },
    { gloss: ["Hund", 0.8, "", "target"] },
  ];
  const [back, forth] = [
    { gloss: ["Hund", 0.8, "", "source"] },
    { gloss: ["dog", 0.8, "", "target"] },
  ];
  const [again, zai] = [{ gloss: ["again", 0.4, "zài"] }, { gloss: ["再", 0.4] }];
  const cases = [
    ["en", "de-en", [hund, dog], ["dog", ""]],
    ["en", "en-de", [back, forth], ["", "dog"]],
    ["zh", "de-en", [hund, dog], ["", ""]], // in neither of the reader's language
    ["en", "de-fr", [hund, dog], ["", ""]],
    ["en", "", [hund, dog], ["", ""]], // the languages are not known
    ["", "de-en", [hund, dog], ["", ""]], // switched off
    ["en", "en-zh", [again, zai], ["again", ""]],
    ["zh", "zh-en", [again, zai], ["", "再"]],
  ];
  for (const [language, pair, labels, expected] of cases) {
    showGlosses(language, pair);
    assert.deepEqual(labels.map(glossOf), expected, `${language} ${pair}`);
  }
  for (const name of ["glosses", "glossed"]) delete document.documentElement.dataset[name];
});

test("a language is found by its code and by its names in three languages", () => {
  const codes =
    "fra_Latn zho_Hans zho_Hant ace_Arab ace_Latn acm_Arab ukr_Cyrl pt_BR en_XX de ns java".split(
      " ",
    );
  for (const language of ["en", "zh"]) {
    const names = namesOf(codes, language);
    const options = codes.map((code, i) => ({ value: code, code, name: "", names: names[i] }));
    const first = (typed) => matching(options, typed)[0]?.value;
    const cases = {
      ...{ fra: "fra_Latn", FRENCH: "fra_Latn", 法语: "fra_Latn", francais: "fra_Latn" },
      ...{ traditional: "zho_Hant", 简体: "zho_Hans", "acehnese (latin": "ace_Latn" },
      ...{ acm: "acm_Arab", ukrain: "ukr_Cyrl", 乌克兰: "ukr_Cyrl", україн: "ukr_Cyrl" },
      ...{ brazil: "pt_BR", 英语: "en_XX", " deutsch ": "de", ns: "ns", jav: "java" },
      ...{ latn: "fra_Latn", klingon: undefined },
    };
    for (const [typed, code] of Object.entries(cases)) assert.equal(first(typed), code, typed);
    assert.equal(matching(options, "").length, codes.length);
  }
  assert.deepEqual(
    ["en", "zh"].map((one) => namesOf(["fra_Latn", "ns", "java"], one).map(([name]) => name)),
    [
      ["French", undefined, undefined],
      ["法语", undefined, undefined],
    ],
  );
});

test("a picture on paper names the sentence that is in it, and a model only where there is one", () => {
  const record = { text: "I am a student.", model: { name: "en-de" } };
  const headers = {
    attention: ["sentence", "step"],
    truth: ["sentence"],
    cost: ["model"],
    toy: [],
  };
  const exhibits = Object.entries(headers).map(([name, header]) => ({ name, header }));
  const captioned = (exhibit, of) => {
    const page = {
      record: { get: () => record },
      selection: { get: () => ({ exhibit, kind: "cross", layer: 0, head: 1 }) },
      shared: { exhibits },
      t: (key) => key,
    };
    return captionOf(page, of).split(" · ").slice(0, 3);
  };
  assert.deepEqual(captioned("attention"), ["en-de", "I am a student.", "heads.tile"]);
  assert.deepEqual(captioned("truth", "We sleep."), ["en-de", "We sleep.", "truth.title"]);
  assert.deepEqual(captioned("truth", "").slice(0, 2), ["en-de", "truth.title"]);
  assert.deepEqual(captioned("cost").slice(0, 2), ["en-de", "cost.title"]);
  assert.equal(captioned("toy")[0], "toy.title");
});
