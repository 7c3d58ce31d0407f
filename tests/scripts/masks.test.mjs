import { causalMask, paddingMask } from "/assets/kit/masks.js";
import {
  both,
  masksOf,
  padded,
  prefixMask,
  readBy,
  softmax32,
  threeWays,
} from "/explorer/exhibits/masks/patterns.js";
import { scoreText } from "/explorer/exhibits/masks/ways.js";
import { assert, test } from "./check.mjs";

const drawn = (mask, columns) =>
  mask
    .map((may) => (may ? "0" : "x"))
    .join("")
    .match(new RegExp(`.{${columns}}`, "g"));
const label = (text) => ({ text, kind: "word" });

test("the masks, drawn by hand", () => {
  assert.deepEqual(drawn(causalMask(4), 4), ["0xxx", "00xx", "000x", "0000"]);
  assert.deepEqual(drawn(paddingMask(2, 5, 3), 5), ["000xx", "000xx"]);
  assert.deepEqual(drawn(prefixMask(4, 2), 4), ["00xx", "00xx", "000x", "0000"]);
  assert.deepEqual(drawn(prefixMask(3, 0), 3), drawn(causalMask(3), 3));
  assert.deepEqual(drawn(prefixMask(3, 3), 3), ["000", "000", "000"]);
  assert.deepEqual(drawn(both(causalMask(4), paddingMask(4, 4, 2)), 4), [
    "0xxx",
    "00xx",
    "00xx",
    "00xx",
  ]);
  assert.deepEqual(readBy(both(causalMask(4), paddingMask(4, 4, 2)), 4, 3), [0, 1]);
});

test("a batch is padded to its longest sentence, on each side", () => {
  const pad = { text: "<pad>", kind: "special" };
  const rows = [
    { src: ["a", "b", "c"].map(label), tgt: [label("x")] },
    { src: [label("d")], tgt: ["y", "z"].map(label) },
  ];
  const [one, two] = padded(rows, pad);
  assert.deepEqual(
    one.tgt.map(({ text }) => text),
    ["x", "<pad>"],
  );
  assert.deepEqual(
    two.src.map(({ text }) => text),
    ["d", "<pad>", "<pad>"],
  );
  assert.deepEqual([two.srcValid, two.tgtValid], [1, 2]);
  const names = (kind) => masksOf(kind, two).map(({ name }) => name);
  assert.deepEqual(
    [names("encoder_self"), names("decoder_self"), names("cross")],
    [["padding"], ["padding", "causal", "combined"], ["padding"]],
  );
  const [cross] = masksOf("cross", two);
  assert.deepEqual(
    [cross.rows.length, cross.columns.length, drawn(cross.mask, 3)],
    [2, 3, ["0xx", "0xx"]],
  );
  assert.deepEqual(drawn(masksOf("decoder_self", one)[2].mask, 2), ["0x", "0x"]);
});

test("three ways to mask: e^1 = 2.71828, e^0 = 1", () => {
  const { infinite, zero, billion } = threeWays([1, 0, 3], [false, false, true]);
  const near = (found, wanted) =>
    found.forEach((one, i) => assert.ok(Math.abs(one - wanted[i]) < 1e-6, `${found}`));
  near(infinite.weights, [0.7310586, 0.2689414, 0]);
  near(zero.weights, [0.5761169, 0.2119416, 0.2119416]);
  near(billion.weights, [0.7310586, 0.2689414, 0]);
  assert.equal(infinite.weights[2], 0);
  assert.equal(billion.weights[2], 0);
});

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

test("the softmax is rounded to float32", () => {
  const found = softmax32([0.1, 0.2, 0.3].map(Math.fround));
  assert.ok(found.every((one) => one === Math.fround(one)));
});
