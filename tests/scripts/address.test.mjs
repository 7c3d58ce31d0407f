import { fill } from "/assets/kit/page.js";
import { FIRST } from "/assets/kit/selection.js";
import { read, write } from "/assets/shell/address.js";
import { firstLanguage } from "/assets/shell/words.js";
import { assert, test } from "./check.mjs";

const defaults = {
  method: "beam",
  beam_size: 4,
  length_penalty: 1,
  penalty_form: "average",
  temperature: 1,
  top_k: 0,
  top_p: 1,
  seed: 0,
};

const model = { key: "m" };

test("what is written into the address is read back", () => {
  const state = {
    text: "a & b = <c>? 猫 🐱",
    model,
    lang: "zh",
    shown: 2,
    settings: { ...defaults, method: "sampling", top_p: 0.9, seed: 7 },
    selection: {
      ...FIRST,
      kind: "decoder_self",
      layer: 2,
      head: 5,
      step: 3,
      src: 1,
      labels: "reads",
      exhibit: "steps",
    },
  };
  const { text, lang, shown, settings, selection } = read(write(state, defaults));
  assert.deepEqual({ text, lang, shown }, { text: state.text, lang: "zh", shown: 2 });
  assert.deepEqual(settings, { method: "sampling", top_p: 0.9, seed: 7 });
  assert.deepEqual(selection, {
    kind: "decoder_self",
    layer: 2,
    head: 5,
    step: 3,
    src: 1,
    col: null,
    labels: "reads",
    exhibit: "steps",
  });
});

test("rules that are off are in the address, and others are refused", () => {
  const settings = { ...defaults, rules_off: ["banned", "min_tokens"] };
  const state = { text: "a", model, lang: "en", shown: 0, settings, selection: FIRST };
  const query = write(state, defaults);
  const known = ["min_tokens", "banned", "no_repeat"];
  assert.deepEqual(read(query, {}, undefined, {}, known).settings, {
    rules_off: ["banned", "min_tokens"],
  });
  const wrong = read(query, {}, undefined, {}, ["banned"]);
  assert.deepEqual([wrong.settings, wrong.refused], [{}, ["rules_off"]]);
});

test("people count from 1 in the address", () => {
  const query = write(
    { text: "x", model, lang: "en", shown: 0, settings: defaults, selection: FIRST },
    defaults,
    "?__theme=dark&layer=9",
  );
  assert.equal(
    query,
    "__theme=dark&model=m&text=x&lang=en&kind=cross&layer=1&head=1&step=1&src=1&col=none&rows=writes",
  );
});

test("what nobody chose does not stand in the address", () => {
  const { kind, layer, head, exhibit } = FIRST;
  const state = { text: "x", model, lang: "en", shown: 0, settings: defaults };
  const query = write({ ...state, selection: { kind, layer, head, exhibit } }, defaults);
  assert.equal(query, "model=m&text=x&lang=en&kind=cross&layer=1&head=1");
  assert.deepEqual(read(query).selection, { kind, layer, head });
  assert.deepEqual(read("?rows=writes").selection, { labels: "writes" });
  assert.deepEqual(read("?rows=__proto__").selection, {});
});

test("a forced beginning and a node of the tree stand in the address", () => {
  const state = {
    text: "x",
    model,
    lang: "en",
    shown: 0,
    settings: defaults,
    selection: FIRST,
    prefix: [41, 7],
    node: [2, 0],
  };
  const query = write(state, defaults);
  assert.ok(query.includes("prefix=41.7&node=3.1"), query);
  assert.deepEqual(read(query).request, { prefix: [41, 7], node: [2, 0] });
  assert.deepEqual(read("?prefix=a.-1&node=0.x").request, {});
});

test("the model's key stands in the address", () => {
  const state = { text: "x", lang: "en", shown: 0, settings: defaults, selection: FIRST };
  const key = "play.reverse--length-3--rate-0.003--schedule-inverse_sqrt";
  const query = write({ ...state, model: { key } }, defaults, "?model=old");
  assert.ok(query.startsWith(`model=${key}&text=x`), query);
  assert.equal(read(query).model, key);
  for (const wrong of ["../x", "a/b", "a".repeat(601), "<b>"]) {
    assert.equal(read(`?model=${encodeURIComponent(wrong)}`).model, "");
  }
});

test("absurd addresses are left out", () => {
  const { settings, selection, shown } = read(
    "?kind=__proto__&layer=-1&head=x&step=99999999&beam_size=&top_p=NaN&view=<b>&hypothesis=0",
  );
  assert.deepEqual({ settings, selection, shown }, { settings: {}, selection: {}, shown: 0 });
});

test("the language: the address before the memory, the memory before the server, then the browser", () => {
  assert.equal(firstLanguage("zh", "en", "en", "en-GB"), "zh");
  assert.equal(firstLanguage(null, "en", "zh", "en-GB"), "zh");
  assert.equal(firstLanguage(null, "zh", null, "en-GB"), "zh");
  assert.equal(firstLanguage(null, "auto", null, "zh-TW"), "zh");
  assert.equal(firstLanguage("fr", "auto", null, ""), "en");
});

test("braces are filled once, and only with what is given", () => {
  assert.equal(fill("{a} {b} {a}", { a: "{b}" }), "{b} {b} {b}");
});

test("a setting that no model takes is left out and named", () => {
  const ranges = { beam_size: [1, 16], seed: [0, 100], temperature: [0.05, 20] };
  const query = "?beam_size=99999&seed=-1&temperature=2&method=magic&penalty_form=gnmt";
  const { settings, refused } = read(query, ranges);
  assert.deepEqual(settings, { temperature: 2, penalty_form: "gnmt" });
  assert.deepEqual(refused.sort(), ["beam_size", "method", "seed"]);
  assert.deepEqual(read("?beam_size=2.5", ranges).refused, ["beam_size"]);
});

test("one and many", () => {
  assert.equal(fill("{n} {n|head|heads} off", { n: 1 }), "1 head off");
  assert.equal(fill("{n} {n|head|heads} off", { n: 3 }), "3 heads off");
});

test("an old name of a view opens the one of today, with its choices", () => {
  const aliases = { curves: ["learn", {}] };
  const old = read("?view=curves&curves.epoch=5&smoothing.eps=0.2", {}, undefined, aliases);
  assert.equal(old.selection.exhibit, "learn");
  assert.deepEqual(old.choices, { "learn.epoch": "5", "smoothing.eps": "0.2" });
  const both = read("?learn.epoch=7&curves.epoch=5", {}, undefined, aliases);
  assert.deepEqual(both.choices, { "learn.epoch": "7" });
  assert.equal(read("?view=curves", {}, undefined, {}).selection.exhibit, "curves");
  assert.equal(read("?view=constructor", {}, undefined, aliases).selection.exhibit, "constructor");
});

test("an old view whose fields moved makes the settings of its place", () => {
  const aliases = {
    far: ["near", { by: "{step|2}", on: "true" }],
    "far.side": ["near", { show: "edge" }],
  };
  const choices = (query) => read(query, {}, undefined, aliases).choices;
  assert.deepEqual(choices("?view=far"), { "near.by": "2", "near.on": "true" });
  assert.deepEqual(choices("?view=far&far.step=7"), { "near.by": "7", "near.on": "true" });
  assert.deepEqual(choices("?far.show=side&far.step=7"), { "near.show": "edge" });
  assert.deepEqual(choices("?view=tree"), {});
  assert.deepEqual(choices("?view=far&near.by=5"), { "near.by": "5", "near.on": "true" });
});
