import {
  allParts,
  closest,
  closestStep,
  disagrees,
  fitted,
  layersOf,
  leading,
  otherMeaning,
  partsOf,
  strongestAt,
  waterfall,
} from "/explorer/exhibits/why/split.js";
import { assert, test } from "./check.mjs";

// Two layers of two heads, three source and two target tokens; halves, so that sums are exact.
const SPLIT = {
  embedding: 0.5,
  position: -1,
  output_bias: 0.25,
  difference: 4.75,
  left: 0,
  feed_forward: [1, -2],
  biases: [0.5, 0],
  decoder_self: [
    [
      [0.5, 0],
      [-0.5, 1],
    ],
    [
      [0, 0],
      [1, 1],
    ],
  ],
  cross: [
    [
      [1, 0, 0],
      [0, -1, 0],
    ],
    [
      [0, 4, -1],
      [0.5, 0, 0],
    ],
  ],
};

test("a layer is its heads, its network and its biases", () => {
  const first = partsOf(SPLIT, 0).map(({ value }) => value);
  assert.deepEqual(first, [0.5, 0.5, 1, -1, 1, 0.5]);
  const layers = layersOf(SPLIT);
  assert.deepEqual(
    layers.map(({ name, value }) => [name, value]),
    [
      ["embedding", 0.5],
      ["position", -1],
      ["layer", 2.5],
      ["layer", 3.5],
      ["output_bias", 0.25],
    ],
  );
});

test("a waterfall ends at the sum, and each part begins where the one before it ends", () => {
  const steps = waterfall(layersOf(SPLIT));
  assert.deepEqual(
    steps.map(({ from, to }) => [from, to]),
    [
      [0, 0.5],
      [0.5, -0.5],
      [-0.5, 2],
      [2, 5.5],
      [5.5, 5.75],
    ],
  );
  const whole = allParts(SPLIT).reduce((sum, { value }) => sum + value, 0);
  assert.equal(whole, 5.75);
});

test("what leads gives most to the token that is ahead", () => {
  const { kind, layer, head, value, all } = leading(SPLIT);
  assert.deepEqual([kind, layer, head, value, all], ["cross", 1, 0, 3, 3.5]);
  const { name, all: given } = leading({ ...SPLIT, difference: -1 });
  assert.deepEqual([name, given], ["position", -1]);
  assert.equal(strongestAt([0, 4, -1], 1), 1);
  assert.equal(strongestAt([0, 4, -1], -1), 2);
});

test("where there is no room the parts that matter least are summed up", () => {
  const parts = partsOf(SPLIT, 1);
  assert.equal(fitted(parts, 6), parts);
  const few = fitted(parts, 4);
  assert.deepEqual(
    few.map(({ name, value }) => [name, value]),
    [
      ["head", 2],
      ["head", 3],
      ["feed_forward", -2],
      ["others", 0.5],
    ],
  );
  assert.equal(few.at(-1).count, 3);
});

test("two bars disagree where their signs do and neither is next to nothing", () => {
  assert.ok(disagrees({ value: 1, total: -0.5 }, 4));
  assert.ok(!disagrees({ value: 1, total: 0.5 }, 4));
  assert.ok(!disagrees({ value: 1, total: -0.1 }, 4));
  assert.ok(!disagrees({ value: 1, total: null }, 4));
});

test("the closest candidate may lie above or below the written one", () => {
  const top = [
    { id: 1, log_prob: -0.5 },
    { id: 2, log_prob: -1 },
    { id: 3, log_prob: -3 },
  ];
  const steps = [
    { chosen: 1, log_prob: -0.5, forced: false, top },
    { chosen: 2, log_prob: -1, forced: true, top: [] },
    { chosen: 9, log_prob: -1.1, forced: false, top },
  ];
  assert.equal(closest(steps[0]).id, 2);
  assert.equal(closest(steps[1]), null);
  assert.equal(closest(steps[2]).id, 2);
  assert.equal(closestStep(steps), 2);
});

test("the other word is a word that can be said, if there is one", () => {
  const [own, byte, word] = [
    { id: 1, text: "鸣", kind: "word" },
    { id: 2, text: "0xE5", kind: "byte" },
    { id: 3, text: "声", kind: "word" },
  ];
  assert.equal(otherMeaning({ chosen: 1, top: [own, byte, word] }).id, 3);
  assert.equal(otherMeaning({ chosen: 1, top: [own, byte] }).id, 2);
});
