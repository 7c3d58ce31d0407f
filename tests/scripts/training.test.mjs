// Label smoothing, schedules and dropout: numbers worked out by hand.

import { render } from "/assets/vendor/lit-html.js";
import { dropped, expectedError, maskOf, means } from "/explorer/exhibits/dropout/maths.js";
import { shortened } from "/explorer/exhibits/learn/finding.js";
import { spelled } from "/explorer/exhibits/learn/points.js";
import { curve, linearRate, paperRate } from "/explorer/exhibits/schedule/maths.js";
import {
  bestGap,
  bestOdds,
  bestProbability,
  gradientOf,
  logSoftmax,
  lossOf,
  moved,
  summary,
  targetOf,
} from "/explorer/exhibits/smoothing/maths.js";
import { assert, test } from "./check.mjs";

const near = (found, wanted, off = 1e-12) =>
  assert.ok(Math.abs(found - wanted) <= off, `${found} is not ${wanted}`);

test("the target keeps 1 - eps and shares eps among all, the right one too", () => {
  near(targetOf(true, 0.1, 4), 0.925);
  near(targetOf(false, 0.1, 4), 0.025);
  near(targetOf(true, 0.1, 4) + 3 * targetOf(false, 0.1, 4), 1);
  near(targetOf(true, 0, 4), 1);
});

test("a uniform model loses ln C, whatever eps is", () => {
  const now = summary(logSoftmax([7, 7, 7, 7]), 2);
  for (const eps of [0, 0.1, 0.4]) near(lossOf(now, eps), Math.log(4));
});

test("loss and gradient of a small case", () => {
  // Logits ln 8, ln 1, ln 1: p = 0.8, 0.1, 0.1; right is the first, eps 0.3 of 3 tokens.
  const logProbs = logSoftmax([Math.log(8), 0, 0]);
  const now = summary(logProbs, 0);
  near(lossOf(now, 0.3), -0.8 * Math.log(0.8) - 0.1 * Math.log(0.1) - 0.1 * Math.log(0.1));
  near(gradientOf(0.8, true, 0.3, 3), 0);
  near(gradientOf(0.1, false, 0.3, 3), 0);
  near(gradientOf(0.8, true, 0, 3), -0.2);
  near(bestProbability(0.3, 3), 0.8);
  near(bestGap(0.3, 3), Math.log(8));
  near(bestOdds(0.3, 3), Math.log(4));
});

test("large logits do not overflow", () => {
  const now = summary(logSoftmax([2000, 1000, 0]), 0);
  near(now.log_prob, 0);
  near(now.mean, -1000);
});

test("moving the right logit is the same as a softmax over the moved logits", () => {
  const logits = [1, 0.5, -2, 3];
  const now = summary(logSoftmax(logits), 1);
  const there = moved(now, now.log_prob - now.rest + 1.7);
  const wanted = summary(logSoftmax([1, 2.2, -2, 3]), 1);
  near(there.log_prob, wanted.log_prob);
  near(there.rest, wanted.rest);
  near(there.mean, wanted.mean);
});

test("the loss is smallest at the best log-odds, on logits that are not equal", () => {
  const now = summary(logSoftmax([1, 0.5, -2, 3, 0]), 3);
  const best = bestOdds(0.2, 5);
  const least = lossOf(moved(now, best), 0.2);
  for (const away of [-1, -0.01, 0.01, 1]) assert.ok(lossOf(moved(now, best + away), 0.2) > least);
  near(Math.exp(moved(now, best).log_prob), bestProbability(0.2, 5));
});

test("with all others equal the loss is smallest at the best gap", () => {
  const lossAt = (gap) => lossOf(summary(logSoftmax([gap, 0, 0, 0, 0, 0]), 0), 0.1);
  const best = bestGap(0.1, 6);
  near(best, Math.log(55)); // p = 0.91667 against 0.016667 each
  for (const away of [-0.5, -0.01, 0.01, 0.5]) assert.ok(lossAt(best + away) > lossAt(best));
});

test("the paper's schedule rises in a line, peaks at the warm-up, and falls as a root", () => {
  const base = { dModel: 512, warmup: 4000 };
  near(paperRate(4000, base), (512 * 4000) ** -0.5, 1e-15);
  near(paperRate(1000, base), paperRate(4000, base) / 4, 1e-15);
  near(paperRate(16_000, base), paperRate(4000, base) / 2, 1e-15);
  near(paperRate(4000, { dModel: 2048, warmup: 4000 }), paperRate(4000, base) / 2, 1e-15);
});

test("the linear schedule ends just after the last update", () => {
  const ours = { peak: 0.002, warmup: 10, updates: 109 };
  near(linearRate(5, ours), 0.001);
  near(linearRate(10, ours), 0.002);
  near(linearRate(60, ours), 0.001);
  near(linearRate(109, ours), 0.00002);
  near(linearRate(110, ours), 0);
  near(linearRate(200, ours), 0);
});

test("a curve has its bend, in order", () => {
  const points = curve((step) => step, 101, 33.3);
  assert.equal(points.length, 202);
  assert.ok(points.some(([step]) => step === 33.3));
  assert.ok(points.every(([step], i) => i === 0 || step >= points[i - 1][0]));
});

test("what is kept is divided by 1 - p, what is dropped is 0", () => {
  assert.deepEqual(dropped([1, -2, 3], [true, false, true], 0.5), [2, 0, 6]);
  assert.deepEqual(dropped([1, -2], [true, true], 0), [1, -2]);
});

test("a mask has its seed's numbers, one after the other, draw after draw", () => {
  assert.deepEqual(maskOf(3, 0, 40, 0.4), maskOf(3, 0, 40, 0.4));
  assert.deepEqual([...maskOf(3, 0, 5, 0.4), ...maskOf(3, 1, 5, 0.4)], maskOf(3, 0, 10, 0.4));
  assert.ok(maskOf(3, 0, 40, 0).every((kept) => kept));
  const kept = maskOf(1, 0, 20_000, 0.3).filter((one) => one).length;
  near(kept / 20_000, 0.7, 0.01);
});

test("the mean of many draws is the number itself, within the deviation that is usual", () => {
  const way = means([2, -1], 5, 1000, 0.5);
  assert.equal(way.length, 1000);
  near(expectedError(2, 0.5, 1000), 2 / Math.sqrt(1000));
  for (const [i, value] of [2, -1].entries()) {
    near(way[999][i], value, 4 * expectedError(value, 0.5, 1000));
    assert.ok(way[0][i] === 0 || way[0][i] === 2 * value);
  }
});

test("the number of a character without a shape is a chip, and is never cut", () => {
  for (const [text, start, chips] of [
    ["U+0003 × 30", "U+0003 × 30", ["U+0003"]],
    ["的U+0003 × 12 U+0012 × 4", "的U+0003 × 12…", ["U+0003", "U+0012"]],
    ["U+200DU+E0001 × 5 的", "U+200D…", ["U+200D", "U+E0001"]],
    ["我们在等他再做一次决定。", "我们在等他再做一次决定。", []],
    ["We are waiting for him.", "We are waiting f…", []],
    ["U+", "U+", []],
    ["", "", []],
  ]) {
    assert.equal(shortened(text), start.replaceAll(" × ", "\u00a0×\u00a0"));
    const box = document.createElement("p");
    render(spelled(text), box);
    assert.equal(box.textContent, text);
    assert.deepEqual(
      [...box.querySelectorAll(".hl-token")].map((one) => one.textContent),
      chips,
    );
  }
});
