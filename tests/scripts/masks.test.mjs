import { threeWays } from "/explorer/exhibits/masks/patterns.js";
import { scoreText } from "/explorer/exhibits/masks/ways.js";
import { assert, test } from "./check.mjs";

test("a row that is masked whole: NaN, and the lie of -1e9", () => {
  const { infinite, zero, billion } = threeWays([1, 0, 3, 2], [true, true, true, true]);
  assert.ok(infinite.weights.every(Number.isNaN));
  assert.deepEqual(zero.weights, [0.25, 0.25, 0.25, 0.25]);
  assert.deepEqual(billion.weights, [0.25, 0.25, 0.25, 0.25]);
  assert.ok(billion.scores.every((score) => score === -1e9));
  assert.deepEqual([NaN, -Infinity, -1.5, billion.scores[0]].map(scoreText), [
    "NaN",
    "−∞",
    "−1.5000",
    "−1e9",
  ]);
});

test("a number of float32 that is not -1e9 is written out, in groups of three", () => {
  assert.equal(scoreText(Math.fround(-1e9 - 214)), "−1,000,000,192"); // it has every 64th there
});
