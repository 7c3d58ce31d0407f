// How it learned: the requests for a point of the training, and how its text is written.

import { requestOf } from "/assets/kit/requests.js";
import { legible, pointOf, requestsOf } from "/explorer/exhibits/learn/points.js";
import { assert, test } from "./check.mjs";

const RECORD = {
  text: "Yes.",
  recorded: true,
  model: { key: "en-zh", tokens: 128, defaults: { method: "beam", beam_size: 4 } },
  settings: { method: "sampling", beam_size: 9 },
  interventions: { scaling: false },
  tgt_out: [{ id: 7 }, { id: 8 }, { id: 2 }],
  shown: 1,
  node: [1, 2],
};

test("a text can be read to its last character", () => {
  const cases = [
    ["我 是。", "我 是。"],
    ["\x03".repeat(50), "U+0003 × 50"],
    ["a\x03b", "aU+0003b"],
    ["a\x03\x03b", "aU+0003 × 2 b"],
    ["\u{e0001}", "U+E0001"],
    ["", ""],
    ["  ", "  "],
  ];
  for (const [text, expected] of cases) assert.equal(legible(text), expected);
});

test("a point is two requests: the output forced, and what the weights write themselves", () => {
  const [output, own] = requestsOf(RECORD, 0.3).map(requestOf);
  const same = { model: "en-zh", text: "Yes.", shown: 0, node: null, interventions: {} };
  for (const one of [output, own]) assert.deepEqual({ ...one, ...same, weights: "0.30" }, one);
  const { prefix, longest, parts } = output;
  assert.deepEqual([prefix, longest, parts], [[7, 8, 2], 3, ["attention", "steps"]]);
  assert.deepEqual([own.prefix, own.longest, own.parts], [[], 16, []]); // 2 · 3 + 10
  assert.deepEqual(own.settings, { method: "greedy", beam_size: 4 }); // the model's, not the page's
  const small = { ...RECORD, model: { ...RECORD.model, tokens: 12 } };
  assert.equal(requestsOf(small, 0)[1].longest, 12); // no longer than any translation
});

test("the finished model is asked for as itself and whole, so that the proof repeats it", () => {
  for (const request of requestsOf(RECORD, 1).map(requestOf)) {
    assert.ok(!("weights" in request) && !("parts" in request));
  }
});

test("a point is read from both records", () => {
  const output = { model: { weights: "0.30" }, attention: {}, steps: [{ log_prob: -1 }] };
  const own = {
    hypotheses: [
      { text: "\x03", finished: false },
      { text: "b", finished: true },
    ],
  };
  const point = { share: 0.3, attention: {}, log_probs: [-1], translation: "U+0003" };
  assert.deepEqual(pointOf([output, own]), { ...point, finished: false });
  assert.equal(pointOf([{ ...output, model: {} }, own]).share, 1);
});
