import { assert, test } from "./check.mjs";

import { agreement, crossRollout, occlusionMap, ranks, rollout, spearman, summaryOf } from "/assets/exhibits/summaries_maths.js";

const near = (found, wanted, within = 1e-6) => assert.ok(Math.abs(found - wanted) <= within, `${found} is not ${wanted}`);
const same = (found, wanted) => {
  assert.equal(found.length, wanted.length);
  wanted.forEach((value, i) => (Number.isNaN(value) ? assert.ok(Number.isNaN(found[i])) : near(found[i], value)));
};
const maps = (heads, layers, queries, keys, cells) =>
  ({ heads, layers, queries, keys, head: (layer, head) => new Float32Array(cells[layer * heads + head]) });

test("mean and largest over heads and layers; masks stay masks", () => {
  const attention = { decoder_self: maps(2, 2, 2, 2, [
    [1, NaN, 0.2, 0.8], [1, NaN, 0.6, 0.4], [1, NaN, 0, 1], [1, NaN, 1, 0],
  ]) };
  const of = (way, layer) => summaryOf({ attention }, "decoder_self", way, layer).cells;
  same(of("mean", null), [1, NaN, 0.45, 0.55]);
  same(of("mean", 0), [1, NaN, 0.4, 0.6]);
  same(of("max", null), [1, NaN, 1, 1]);
  same(of("max", 0), [1, NaN, 0.6, 0.8]);
});

test("a rollout by hand: the later layer stands on the left", () => {
  // (A + I) / 2 of the layers: [1 0; ½ ½] and [½ ½; 0 1].
  const first = Float64Array.from([1, 0, 1, 0]);
  const second = Float64Array.from([0, 1, 0, 1]);
  same(rollout([first, second], 2), [0.75, 0.25, 0.5, 0.5]);
  same(rollout([second, first], 2), [0.5, 0.5, 0.25, 0.75]);
});

test("a cross rollout by hand, and the sum of its rows", () => {
  // One target token, two source tokens, R = I: X = ½ C, then X = ½ X + ½ C.
  const one = Float64Array.from([1]);
  const cross = [Float64Array.from([1, 0]), Float64Array.from([0.5, 0.5])];
  const found = crossRollout([one, one], cross, Float64Array.from([1, 0, 0, 1]), 1, 2);
  same(found, [0.5, 0.25]);
  near(found[0] + found[1], 1 - 2 ** -2);
});

test("ranks share their mean where numbers are equal", () => {
  assert.deepEqual(ranks([10, 20, 10, 5]), [2.5, 4, 2.5, 1]);
});

test("Spearman's correlation by hand", () => {
  near(spearman([1, 2, 3], [10, 100, 1000]), 1);
  near(spearman([1, 2, 3], [3, 2, 1]), -1);
  // 1 - 6 (1 + 1 + 0 + 0) / (4 (16 - 1))
  near(spearman([1, 2, 3, 4], [2, 1, 3, 4]), 0.8);
  assert.equal(spearman([1, 1, 1], [1, 2, 3]), null);
  assert.equal(spearman([1], [1]), null);
});

test("weights agree with a loss, not with a gain; what was not taken out does not count", () => {
  // Two written tokens, three of the source, the last of which stays.
  const occluded = occlusionMap(new Float32Array([-3, -1, -2, -4]), 2, 2, 3);
  same(occluded.cells, [-3, -2, NaN, -1, -4, NaN]);
  const summary = { keys: 3, cells: new Float32Array([0.5, 0.4, 0.9, 0.45, 0.8, 0.1]) };
  const all = agreement(summary, occluded);
  assert.equal(all.count, 4);
  near(all.rho, 0.8); // losses 3 2 1 4, weights ranked 3 1 2 4: 1 - 6 (1 + 1) / 60
  near(agreement(summary, occluded, 1).rho, 1);
});
