import { at, compute } from "/explorer/exhibits/byhand/maths.js";
import { parsed, typedText } from "/explorer/exhibits/byhand/matrices.js";
import { numberText, origin } from "/explorer/exhibits/byhand/origin.js";
import { PRESETS, resized, sizesOf } from "/explorer/exhibits/byhand/presets.js";
import { assert, test } from "./check.mjs";

const close = (a, b, off = 1e-12) => assert.ok(Math.abs(a - b) <= off, `${a} is not ${b}`);
const cells = ({ cells: found }) => [...found];
const ALL = ["scores", "scaled", "masked", "weights", "output"];

test("two equal scores share, a masked one gets exactly 0", () => {
  const { weights, masked } = compute(PRESETS.causal());
  assert.equal(at(masked, 0, 1), -Infinity);
  assert.deepEqual([at(weights, 0, 0), at(weights, 0, 1), at(weights, 1, 2)], [1, 0, 0]);
  const e = Math.exp(Math.SQRT1_2);
  close(at(weights, 1, 1), e / (1 + e));
});

test("cross-attention has as many columns as keys; scaling is a choice", () => {
  const cross = PRESETS.cross();
  assert.deepEqual([compute(cross).weights.rows, compute(cross).weights.columns], [3, 4]);
  assert.deepEqual(
    cells(compute({ ...cross, scaling: false }).scaled),
    cells(compute(cross).scores),
  );
});

test("a number tells where it comes from", () => {
  const state = PRESETS.counting();
  const made = origin(compute(state), { name: "scores", row: 0, col: 1 }, state, ALL);
  assert.equal(made.sum, "0·4 + 1·5 + 2·6 + 3·7");
  assert.deepEqual(made.from, [
    { name: "Q", row: 0 },
    { name: "K", row: 1 },
  ]);
  const causal = PRESETS.causal();
  assert.ok(origin(compute(causal), { name: "masked", row: 0, col: 1 }, causal, ALL).masked);
  assert.ok(!origin(compute(causal), { name: "masked", row: 1, col: 1 }, causal, ALL).masked);
});

test("what is not on show is not pointed at", () => {
  const state = { ...PRESETS.self(), scaling: false };
  const { from } = origin(compute(state), { name: "weights", row: 1, col: 0 }, state, [
    "scores",
    "weights",
    "output",
  ]);
  assert.deepEqual(from, [{ name: "scores", row: 1 }]);
});

test("with heads, the columns of the concat point to the head that made them", () => {
  const state = PRESETS.heads();
  const { from } = origin(compute(state), { name: "concat", row: 2, col: 3 }, state, ALL);
  assert.deepEqual(from, [{ name: "output", head: 1, row: 2, col: 1 }]);
});

test("a size changes every matrix that it must change", () => {
  const state = PRESETS.counting();
  const given = resized(state, { ...sizesOf(state), keys: 5, d_k: 2 });
  assert.deepEqual(
    [given.Q.columns, given.K.rows, given.K.columns, given.V.rows, given.V.columns],
    [2, 5, 2, 5, 4],
  );
  assert.equal(at(given.K, 1, 1), 5);
  assert.equal(at(given.K, 4, 0), 0);
});

test("a size moved to its least and back keeps the numbers typed there", () => {
  const state = PRESETS.counting();
  state.given.K.cells[5] = 77;
  const least = { ...state, given: resized(state, { ...sizesOf(state), keys: 1, d_k: 1 }) };
  assert.deepEqual([least.given.K.rows, least.given.K.columns], [1, 1]);
  least.given.K.cells[0] = 9;
  const back = resized(least, { ...sizesOf(least), keys: 4, d_k: 4 });
  assert.deepEqual(cells(back.K), [9, ...[...state.given.K.cells].slice(1)]);
  assert.equal(at(back.K, 1, 1), 77);
});

test("numbers are read as people type them, and nothing else is", () => {
  assert.deepEqual(["2", "-2.5", "−2,5", "1/3", " .5 "].map(parsed), [2, -2.5, -2.5, 1 / 3, 0.5]);
  assert.deepEqual(["", "x", "1/0", "1e3", "2000", "1/2/3", "NaN"].map(parsed), [
    null,
    null,
    null,
    null,
    null,
    null,
    null,
  ]);
  assert.deepEqual([1 / 3, 2.5, -1].map(typedText), ["1/3", "2.5", "-1"]);
});

test("a number keeps its zeros where they say that it is rounded", () => {
  assert.deepEqual([2, -2.5, 1 / 3, 11.99999, 0.3302, -Infinity].map(numberText), [
    "2",
    "−2.5",
    "0.333",
    "12.000",
    "0.330",
    "−∞",
  ]);
});
