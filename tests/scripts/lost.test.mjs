// The words that a translation may lack: which tokens of the source are part of one, and when.

import { lostOf, lostTokens } from "/assets/kit/lost.js";
import { assert, test } from "./check.mjs";

const record = (/** @type {string} */ text, /** @type {string[]} */ tokens) => ({
  text,
  translation: "后门",
  model: { key: "en-zh" },
  src: tokens.map((token) => ({ text: token })),
  interventions: {},
  prefix: [],
  node: null,
});
const lost = (
  /** @type {string} */ text,
  /** @type {number} */ begin,
  /** @type {number} */ end,
) => ({
  text,
  translation: "后门",
  by: "en-zh",
  model: "zh-en",
  words: [{ text: [...text].slice(begin, end).join(""), begin, end }],
});
const page = (/** @type {any} */ found) => ({
  lost: { get: () => found },
  shared: { interventions: { defaults: {} } },
});
const tokensOf = (/** @type {any} */ found, /** @type {any} */ one) => [
  ...lostTokens(/** @type {any} */ (page(found)), /** @type {any} */ (one)),
];

test("the word that is meant is marked, not one that is written alike, and no neighbour", () => {
  const text = "😀 back to the back door";
  const one = record(text, ["😀", "back", "to", "the", "back", "door", "</s>"]);
  assert.deepEqual(tokensOf(lost(text, 14, 18), one), [4]);
  assert.deepEqual(tokensOf(lost(text, 2, 6), one), [1]);
  const close = record("😀我妹妹住", ["😀", "我", "妹妹", "住", "</s>"]);
  assert.deepEqual(tokensOf(lost("😀我妹妹住", 2, 4), close), [2]);
});

test("nothing is marked of another text, translation or model, nor of a changed search", () => {
  const one = record("go back", ["go", "back"]);
  const found = lost("go back", 3, 7);
  assert.ok(lostOf(/** @type {any} */ (page(found)), /** @type {any} */ (one)) !== null);
  for (const other of [
    { text: "go back!" },
    { translation: "门" },
    { model: { key: "en-de" } },
    { model: { key: "en-zh", weights: "0.05" } },
    { prefix: [3] },
    { node: [0, 1] },
  ]) {
    const changed = /** @type {any} */ ({ ...one, ...other });
    assert.equal(lostOf(/** @type {any} */ (page(found)), changed), null);
  }
});
