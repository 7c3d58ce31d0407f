import { share, ticksOf } from "/assets/kit/chart.js";
import { countText, powerText, smallText } from "/assets/kit/numbers.js";
import { dimensionsOf, partOf, sinusoids } from "/assets/kit/sinusoids.js";
import { bits } from "/explorer/exhibits/positions/maths.js";
import { nearest } from "/explorer/exhibits/positions/rotation.js";
import { deviations, factored } from "/explorer/exhibits/positions/sum.js";
import { assert, test } from "./check.mjs";

const PAPER = { size: 4, base: 10_000, layout: "interleaved" };
const HALVES = { ...PAPER, layout: "halves" };

test("a dimension knows its pair, and a pair its dimensions", () => {
  for (const shape of [PAPER, HALVES, { ...HALVES, size: 256 }]) {
    for (let pair = 0; pair < shape.size / 2; pair += 1) {
      dimensionsOf(pair, shape).forEach((dimension, which) => {
        assert.deepEqual(partOf(dimension, shape), { pair, cosine: which === 1 });
      });
    }
  }
});

test("bits are those of the number, the lowest first", () => {
  assert.deepEqual(bits(20, 8), [0, 0, 1, 0, 1, 0, 0, 0]);
  assert.deepEqual(bits(255, 8), [1, 1, 1, 1, 1, 1, 1, 1]);
});

test("a dragged point goes to the nearest position, near where it was", () => {
  const step = (2 * Math.PI) / 10; // ten positions a turn
  assert.equal(nearest(3 * step, 2, step, 63), 3);
  assert.equal(nearest(3 * step, 22, step, 63), 23);
  assert.equal(nearest(9.6 * step, 20, step, 63), 20);
  assert.equal(nearest(9.6 * step, 0, step, 63), 0);
});

test("what was added is checked against the sum and against the formula", () => {
  const position = Float32Array.from(sinusoids(3, PAPER));
  const embedding = Float32Array.from({ length: 12 }, (_, i) => i / 7);
  const side = {
    tokens: 3,
    embedding,
    position,
    sum: embedding.map((value, i) => value + position[i]),
  };
  const good = deviations(side, PAPER);
  assert.ok(good.sum < 1e-6 && good.formula < 1e-6);
  const bad = deviations(
    { ...side, position: position.map((value, i) => (i === 5 ? value + 1 : value)) },
    PAPER,
  );
  assert.ok(bad.sum > 0.9 && bad.formula > 0.9);
  assert.ok(deviations(side, HALVES).formula > 0.5);
});

test("axes have round numbers", () => {
  assert.deepEqual(ticksOf({ from: 0, to: 63 }), [0, 10, 20, 30, 40, 50, 60]);
  assert.deepEqual(ticksOf({ from: 1, to: 1000, log: true }), [1, 10, 100, 1000]);
  assert.deepEqual(ticksOf({ from: 0, to: 63 }, 3), [0, 50]); // where numbers would touch
  assert.deepEqual(ticksOf({ from: -90, to: 90 }, 3), [-50, 0, 50]); // one number is no scale
  assert.deepEqual([1000, 1, 0.01].map(powerText), ["10³", "10⁰", "10⁻²"]);
  const small = [4.8e-7, 0, 0.00099999, 0.001, 3.4199, 30, 1234.5].map(smallText);
  assert.deepEqual(small, [
    "4.8\u00a0×\u00a010⁻⁷",
    "0",
    "1.0\u00a0×\u00a010⁻³",
    "0.00100",
    "3.42",
    "30.0",
    "1,235",
  ]);
  assert.deepEqual([0, 999, 12345678].map(countText), ["0", "999", "12,345,678"]);
  assert.equal(share({ from: 1, to: 100, log: true }, 10), 0.5);
  assert.equal(share({ from: -1, to: 1 }, 0), 0.5);
});

test("an embedding is shown before its factor; without a factor there is one row less", () => {
  const vectors = { embedding: Float32Array.of(2, -4), position: [], sum: [] };
  const half = factored(vectors, 2);
  assert.deepEqual([half.name, half.times], ["embedding", 2]);
  assert.deepEqual([...half.raw], [1, -2]);
  const plain = factored(vectors, 1);
  assert.deepEqual([plain.name, plain.times], ["embedding_plain", null]);
  assert.deepEqual([...plain.raw], [2, -4]);
});
