// Where n-grams stand in the texts; the counts are sacrebleu's, see test_bleu.py.

import { litBy, marksOf } from "/explorer/exhibits/bleu/counts.js";
import { assert, test } from "./check.mjs";

test("the first occurrences count, the others are marked as clipped", () => {
  const grams = [
    ["a", 2, 1],
    ["b", 1, 0],
    ["c", 1, 0],
  ].map(([gram, count, most]) => ({ gram, count, most, clipped: Math.min(count, most) }));
  assert.deepEqual(marksOf(["a", "b", "a", "c"], grams, 1, true), ["counted", "", "clipped", ""]);
  // One "a" of the candidate counts: it is matched by one "a" of a reference, not by two.
  assert.deepEqual(marksOf(["a", "d", "a"], grams, 1, false), ["counted", "", ""]);
});

test("an n-gram lights all the tokens that it is made of", () => {
  assert.deepEqual(litBy(["a", "b", "a", "b", "a"], "a b", 2), [true, true, true, true, false]);
  assert.deepEqual(litBy(["a", "b"], null, 2), [false, false]);
});
