import {
  dot,
  largestDeviation,
  layerNorm,
  matmul,
  softmax,
  softmaxParts,
} from "/assets/kit/algebra.js";
import { concatOf, createMatrices, headChain, matrixKey, rowChain } from "/assets/kit/sublayer.js";
import { assert, test } from "./check.mjs";
import { AFTER, CONCAT, layer, OUTPUT, WEIGHTS } from "./small_layer.mjs";

const near = (found, wanted, within = 1e-9) => {
  assert.equal(found.length, wanted.length);
  assert.ok(largestDeviation(found, wanted) <= within, `${[...found]} against ${[...wanted]}`);
};

test("a dot product, also of a column", () => {
  assert.equal(dot([1, 2, 3], [4, 5, 6]), 32);
  assert.equal(dot([1, 10], [1, 2, 3, 4, 5, 6], 2, 0, 1, 2), 2 + 40); // column 1 of rows of 2
});

test("a matrix product with its bias", () => {
  near(matmul([1, 2, 3, 4], [1, 0, 2, 0, 1, 3], 2, 2, 3, [10, 20, 30]), [11, 22, 38, 13, 24, 48]);
});

test("softmax is torch's; a masked score gets 0 exactly, and huge scores do no harm", () => {
  near(softmax([1, 2, 3]), [0.09003057317, 0.244728471055, 0.665240955775]);
  near(softmax([1001, 1002, 1003]), [0.09003057317, 0.244728471055, 0.665240955775]);
  const { weights, max, exps, sum } = softmaxParts([2, -Infinity, 2]);
  assert.deepEqual([[...weights], max, [...exps], sum], [[0.5, 0, 0.5], 2, [1, 0, 1], 2]);
});

test("a row with nothing to attend to is an error", () => {
  assert.throws(() => softmax([-Infinity, -Infinity]), /nothing/);
});

test("LayerNorm is torch's: population variance, eps inside the root", () => {
  near(
    layerNorm([1, 2, 4, 9], [1, 2, 1, 0.5], [0, 0.1, 0, -0.2], 1e-5),
    [-0.973328014507, -1.197770686009, 0, 0.611106678756],
  );
});

test("the largest deviation; a NaN is never small, other lengths are refused", () => {
  assert.equal(largestDeviation([1, -2, 3], [1, 2, 3.5]), 4);
  assert.ok(Number.isNaN(largestDeviation([1, NaN], [1, 1])));
  assert.throws(() => largestDeviation([1], [1, 2]), /against/);
});

test("a row of a sub-layer is torch's, part by part", () => {
  for (const row of [0, 1]) {
    near(concatOf(layer(), row), CONCAT[row], 1e-7);
    const chain = rowChain(layer(), row);
    near(chain.output, OUTPUT.slice(row * 4, row * 4 + 4), 1e-6);
    near(chain.after, AFTER.slice(row * 4, row * 4 + 4), 1e-6);
    assert.ok(chain.deviation < 1e-6 && chain.deviationAfter < 1e-6);
  }
});

test("a number of the output that is off is found", () => {
  const wrong = layer();
  wrong.output[5] += 0.01;
  assert.ok(rowChain(wrong, 0).deviation < 1e-6);
  assert.ok(Math.abs(rowChain(wrong, 1).deviation - 0.01) < 1e-6);
});

test("the chain of one head ends in its part of the row", () => {
  const chain = headChain(layer(), 1, 1, 2);
  assert.deepEqual(
    [[...chain.q], [...chain.k], [...chain.products]],
    [
      [1, 1],
      [1, -1],
      [1, -1],
    ],
  );
  near(chain.dots, [1, 1, 0]);
  near(chain.scaled, [Math.SQRT1_2, Math.SQRT1_2, 0]);
  near(chain.weights, WEIGHTS.slice(9), 1e-9);
  near(chain.context, CONCAT[1].slice(2), 1e-9);
  near(chain.parts, [2 * WEIGHTS[11], -2 * WEIGHTS[11]], 1e-9);
  const first = headChain(layer(), 0, 0, 2);
  assert.equal(first.masked[2], -Infinity);
  assert.equal(first.weights[2], 0);
});

test("a head that is off adds nothing; a sub-layer that is off gives 0; no scaling divides by 1", () => {
  const one = { ...layer(), kept: [true, false] };
  near(concatOf(one, 1), [...CONCAT[1].slice(0, 2), 0, 0], 1e-7);
  near(headChain(one, 1, 1, 0).context, [0, 0]);
  near(rowChain({ ...layer(), off: true }, 1).output, new Array(4).fill(0));
  near(
    rowChain({ ...layer(), off: true }, 1).after,
    layerNorm([-1, 0, 1, 5], [1, 2, 1, 0.5], [0, 0.1, 0, -0.2], 1e-5),
    1e-7,
  );
  near(headChain({ ...layer(), scale: 1 }, 1, 1, 0).scaled, [1, 1, 0]);
});

test("pre-norm hands on the sum as it is", () => {
  near(
    rowChain({ ...layer(), pre: true }, 1).after,
    [-7.231540658935, -5.050866847691, -2.870193036447, 2.310480774797],
    1e-6,
  );
});

test("a matrix that was sent once is kept under its model and layer", () => {
  const model = { name: "a", revision: null };
  const key = matrixKey(model, "cross", 1);
  const matrices = createMatrices();
  assert.equal(matrices.has(key), false);
  matrices.complete(key, { w_o: Float32Array.of(7) });
  assert.equal(matrices.has(key), true);
  assert.equal(matrices.complete(key, { heads: 1 }).w_o[0], 7);
  assert.equal(matrices.has(matrixKey(model, "cross", 2)), false);
  assert.equal(matrices.has(matrixKey({ ...model, revision: "b" }, "cross", 1)), false);
  assert.equal(matrices.has(matrixKey({ ...model, key: "other" }, "cross", 1)), false);
  assert.equal(createMatrices().has(key), false); // another view's
});
