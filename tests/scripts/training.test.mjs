// Label smoothing, schedules and dropout: numbers worked out by hand.

import { render } from "/assets/vendor/lit-html.js";
import { expectedError, means } from "/explorer/exhibits/dropout/maths.js";
import { shortened } from "/explorer/exhibits/learn/finding.js";
import { spelled } from "/explorer/exhibits/learn/points.js";
import { curve } from "/explorer/exhibits/schedule/maths.js";
import {
  bestGap,
  bestOdds,
  bestProbability,
  logSoftmax,
  lossOf,
  moved,
  summary,
} from "/explorer/exhibits/smoothing/maths.js";
import { assert, test } from "./check.mjs";

const near = (found, wanted, off = 1e-12) =>
  assert.ok(Math.abs(found - wanted) <= off, `${found} is not ${wanted}`);

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

test("a curve has its bend, in order", () => {
  const points = curve((step) => step, 101, 33.3);
  assert.equal(points.length, 202);
  assert.ok(points.some(([step]) => step === 33.3));
  assert.ok(points.every(([step], i) => i === 0 || step >= points[i - 1][0]));
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

test("a long text is cut between its words, and a character without a shape is a chip", () => {
  assert.equal(shortened("我们在等他再做一次决定。"), "我们在等他再做一次决定。");
  assert.equal(shortened("We are waiting for him."), "We are waiting…");
  for (const [text, chips] of [
    ["U+0003 × 30", ["U+0003"]],
    ["的U+0003 × 12 U+0012 × 4", ["U+0003", "U+0012"]],
    ["U+200DU+E0001 × 5 的", ["U+200D", "U+E0001"]],
    ["We are waiting for him.", []],
    ["U+", []],
    ["", []],
  ]) {
    const box = document.createElement("p");
    render(spelled(text), box);
    assert.equal(box.textContent, text);
    assert.deepEqual(
      [...box.querySelectorAll(".hl-token")].map((one) => one.textContent),
      chips,
    );
  }
});
