// BLEU on cases that can be counted on the fingers; random ones are compared in test_bleu.py.

import { assert, test } from "./check.mjs";

import { bleu, brevityPenalty, clippedCounts, closestLength, suited, tokenise } from "/assets/bleu.js";
import { litBy, marksOf } from "/assets/exhibits/bleu_counts.js";

const near = (found, wanted) => assert.ok(Math.abs(found - wanted) <= 1e-12, `${found} is not ${wanted}`);
const plain = { tokeniser: "13a", smoothing: "none" };

test("seven times the, clipped to two: 2/7", () => {
  const found = bleu("the the the the the the the", ["the cat is on the mat", "there is a cat on the mat"], plain);
  assert.deepEqual(found.grams[0], [{ gram: "the", count: 7, most: 2, clipped: 2 }]);
  near(found.precisions[0], 2 / 7);
  assert.equal(found.score, 0);
  assert.equal(found.bp, 1);
});

test("the reference that has it most clips, not their sum", () => {
  const [one] = clippedCounts(["a", "a", "a", "a"], [["a", "a"], ["a", "b", "a"]], 1);
  assert.deepEqual(one, { gram: "a", count: 4, most: 2, clipped: 2 });
});

test("a perfect candidate has 100", () => {
  near(bleu("the cat is on the mat .", ["the cat is on the mat ."], plain).score, 100);
});

test("the brevity penalty", () => {
  assert.equal(brevityPenalty(7, 6), 1);
  assert.equal(brevityPenalty(6, 6), 1);
  near(brevityPenalty(4, 6), Math.exp(-0.5));
  assert.equal(brevityPenalty(0, 6), 0);
});

test("the nearest length; of two as near, the shorter", () => {
  assert.equal(closestLength(7, [12, 6, 8]), 6);
  assert.equal(closestLength(7, [8, 6]), 6);
  assert.equal(closestLength(7, [10]), 10);
});

test("orders without a match count as a half, a quarter, ... of a match", () => {
  const found = bleu("a b c d e", ["a b x d y e"], { tokeniser: "13a", smoothing: "exp" });
  assert.deepEqual([found.matches, found.totals], [[4, 1, 0, 0], [5, 4, 3, 2]]);
  [4 / 5, 1 / 4, 1 / 6, 1 / 8].forEach((wanted, i) => near(found.precisions[i], wanted));
});

test("orders that the candidate is too short for are left out where that is asked for", () => {
  const settings = { tokeniser: "13a", smoothing: "exp" };
  assert.equal(bleu("a b", ["a b"], settings).score, 0);
  near(bleu("a b", ["a b"], { ...settings, shortened: true }).score, 100);
});

test("tokens of both languages", () => {
  assert.deepEqual(tokenise("It's 3.5%, isn't it?", "13a"), ["It's", "3.5", "%", ",", "isn't", "it", "?"]);
  assert.deepEqual(tokenise("我爱 GPT-4 。", "zh"), ["我", "爱", "GPT-4", "。"]);
  assert.deepEqual(tokenise("a—b", "13a"), ["a—b"]);
  assert.deepEqual(tokenise("a—b", "zh"), ["a", "—", "b"]); // sacrebleu's table reaches too far
  assert.equal(suited(["the cat", "猫"]), "zh");
  assert.equal(suited(["the cat"]), "13a");
});

test("the first occurrences count, the others are marked as clipped", () => {
  const grams = clippedCounts(["a", "b", "a", "c"], [["a", "d"]], 1);
  assert.deepEqual(marksOf(["a", "b", "a", "c"], grams, 1, true), ["counted", "", "clipped", ""]);
  assert.deepEqual(marksOf(["a", "d"], grams, 1, false), ["counted", ""]);
});

test("an n-gram lights all the tokens that it is made of", () => {
  assert.deepEqual(litBy(["a", "b", "a", "b", "a"], "a b", 2), [true, true, true, true, false]);
  assert.deepEqual(litBy(["a", "b"], null, 2), [false, false]);
});
